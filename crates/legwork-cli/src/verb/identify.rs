//! `legwork identify` and `legwork excite`: the parameters of the real machine from logs, and motions to record.

use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork_identify::dynamics::{ExciteRequest, IdentifyRequest};
use std::io::Write;

/// Identifies and prints.
pub fn run(request: &IdentifyRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let result = task::run("identify", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        result.print(request, out)?;
    }
    Ok(Outcome::Done)
}

/// Finds a motion and prints what it is.
pub fn excite(request: &ExciteRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let result = task::run("excite", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        result.print(out)?;
    }
    Ok(Outcome::Done)
}

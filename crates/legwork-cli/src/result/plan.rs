//! The fastest motion along a path.

use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork::printed;
use legwork::task::PlanRequest;
use std::io::Write;

pub fn run(request: &PlanRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let result = task::run("plan", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        printed::plan(&result, out)?;
    }
    Ok(if result.keeps_limits() { Outcome::Done } else { Outcome::Fails })
}

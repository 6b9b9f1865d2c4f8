//! What a cycle asks of the motors, and which can do it.

use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork::printed;
use legwork::task::SizeRequest;
use std::io::Write;

pub fn run(request: &SizeRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let result = task::run("size", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        printed::size(request, &result, out)?;
    }
    Ok(if result.is_feasible() { Outcome::Done } else { Outcome::Fails })
}

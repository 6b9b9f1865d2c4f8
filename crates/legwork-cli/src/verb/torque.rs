//! `legwork torque`: motor torques or forces with their parts.

use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::{Outcome, motion};
use legwork::printed;
use legwork::task::StateParts;
use std::io::Write;

pub fn run(args: &MotionArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    motion::asked("torque", StateParts::Efforts, args)?.run(as_json, out, |task, answers, out| {
        answers.iter().try_for_each(|answer| printed::torque(task, answer, out))
    })
}

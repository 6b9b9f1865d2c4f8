//! `legwork acceleration`: how a robot accelerates under given motor torques or forces.

use crate::args::AccelerationArgs;
use crate::failure::{Failure, Message};
use crate::{Outcome, motion};
use legwork::coordinates::Group;
use legwork::printed;
use legwork::task::{StateParts, StateTask};
use std::io::Write;

pub fn run(args: &AccelerationArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut asked = motion::asked("acceleration", StateParts::Accelerations, &args.motion)?;
    if args.effort.is_empty() && asked.is_whole {
        let schema = asked.task.schema();
        let example = schema.each("1", "10").join(" ");
        let hint =
            format!("give one for each motor [{}], such as `--effort {example}`", schema.either("N m", "N"));
        return Err(Message::new("no torques or forces of the motors are given").hint(hint).into());
    }
    if !args.effort.is_empty() {
        let schema = asked.task.schema().clone();
        schema.read(&mut asked.row, "--effort", &[Group::Efforts], &args.effort)?;
    }
    asked.run(as_json, out, |task, answers, out| {
        answers.iter().try_for_each(|answer| printed::torque(task, answer, out))
    })
}

//! `legwork state`: everything about a state.

use crate::answer::opened;
use crate::args::StateArgs;
use crate::failure::Failure;
use crate::{Outcome, motion};
use legwork::coordinates::number;
use legwork::task::StateParts;
use legwork::units::Quantity;
use legwork::{DeltaTerms, printed};
use std::io::Write;

pub fn run(args: &StateArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut asked = motion::asked("state", StateParts::Everything, &args.motion)?;
    if args.papers {
        let step = args.difference.as_deref().map(|text| number("--difference", Quantity::Angle, text));
        let task = asked.task.with_terms(step.transpose()?.unwrap_or(DeltaTerms::STEP));
        asked.task = opened(task, "state", &args.motion.robot)?;
    }
    asked.run(as_json, out, |task, answers, out| {
        answers.iter().try_for_each(|answer| printed::state(task, answer, out))
    })
}

//! The fastest motion along a path, there and back, and what requests about motions share.

use super::error::positive;
use super::{Handle, Mass, TaskError};
use crate::AnyRobot;
use crate::experiment::{AnyPath, ReferenceMotion, TimedPath};
use crate::plan::{Plan, PlanLimits, PlanTask};
use legwork_core::trajectory::{Path, Reversed};

/// A motion by the fastest laws, and the plan of each way.
pub(super) struct FastestMotion {
    pub motion: Box<dyn ReferenceMotion>,
    pub there: Plan,
    pub back: Option<Plan>,
}

/// How a path is run through by the fastest laws.
pub(super) struct FastestWay {
    pub one_way: bool,
    /// Rest at each end \[s\].
    pub pause: f64,
    pub cycles: u32,
    pub intervals: Option<usize>,
    /// What is carried there and not back \[kg\].
    pub carry: Option<f64>,
}

/// Along a path and back by the fastest laws.
pub(super) fn fastest(
    robot: &AnyRobot,
    path: AnyPath,
    limits: &PlanLimits,
    how: &FastestWay,
    handle: &Handle<'_>,
) -> Result<FastestMotion, TaskError> {
    let loaded = match how.carry {
        Some(mass) => robot.with_payload(robot.payload() + mass)?,
        None => robot.clone(),
    };
    let there = planned(PlanTask::new(&loaded, &path, limits.clone()), how.intervals, handle)?;
    let back = if how.one_way {
        None
    } else {
        let way = Reversed(&path);
        let clearance = there.clearance.reversed(path.length());
        let task = PlanTask::new(robot, &way, limits.clone()).with_clearance(clearance);
        Some(planned(task, how.intervals, handle)?)
    };
    let motion = TimedPath::new(path, there.law.clone());
    let motion = match &back {
        Some(back) => motion.there_and_back(how.pause, how.cycles).back_by(back.law.clone()),
        None => motion,
    };
    Ok(FastestMotion { motion: carrying(motion, how.carry)?, there, back })
}

/// The same with what it carries there and not back \[kg\].
pub(super) fn carrying(motion: TimedPath, carry: Option<f64>) -> Result<Box<dyn ReferenceMotion>, TaskError> {
    Ok(match carry {
        Some(mass) => Box::new(motion.carrying(mass)?),
        None => Box::new(motion),
    })
}

/// What a request says that is carried there and not back \[kg\].
pub(super) fn carried(carry: Option<Mass>) -> Result<Option<f64>, TaskError> {
    carry.map(|Mass(mass)| positive("carry", mass)).transpose()
}

/// Refuses two of several things that each say the whole motion.
pub(super) fn one_motion(given: &[(&str, bool)]) -> Result<(), TaskError> {
    let given: Vec<&str> = given.iter().filter(|(_, is_given)| *is_given).map(|(name, _)| *name).collect();
    match given[..] {
        [first, second, ..] => {
            let error = TaskError::request(format!("`{first}` and `{second}` do not go together"));
            Err(error.or("each says the motion in its own way: leave one out"))
        }
        _ => Ok(()),
    }
}

pub(super) fn planned<P: Path>(
    task: PlanTask<'_, P>,
    intervals: Option<usize>,
    handle: &Handle<'_>,
) -> Result<Plan, TaskError> {
    let task = if let Some(intervals) = intervals { task.with_intervals(intervals) } else { task };
    task.run_while(&|| !handle.is_cancelled())?.ok_or(TaskError::Cancelled)
}

/// The length of the way there, of all moves of a cycle, or of a motion by rows \[m\].
pub(super) fn way_length(motion: &dyn ReferenceMotion, is_cycle: bool) -> f64 {
    match motion.paths().first() {
        Some(path) if !is_cycle => path.length(),
        _ => motion.length(),
    }
}

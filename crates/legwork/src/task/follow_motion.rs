//! The motion that regulators follow: along a path, through a cycle, or by rows.

use super::cycle::CycleTiming;
use super::error::{not_negative, positive};
use super::fastest::{FastestMotion, FastestWay, carried, carrying, fastest, one_motion};
use super::motion::UsualPath;
use super::{Choice, CycleRequest, FollowRequest, Handle, MotionRequest, MoveResult, TaskError};
use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::experiment::{ExperimentError, MoveSequence, ReferenceMotion};
use crate::plan::check_motion;

/// A motion, and what it is in words.
pub(super) struct Resolved {
    pub motion: Box<dyn ReferenceMotion>,
    pub path: String,
    pub law: String,
    /// \[s\]
    pub move_time: f64,
    pub moves: Vec<MoveResult>,
    /// The rows of a file, to run the request again without it.
    pub rows: Option<MotionRequest>,
}

impl Resolved {
    fn new(motion: Box<dyn ReferenceMotion>, path: String, law: String) -> Self {
        let move_time = motion.cycle_duration();
        Self { motion, path, law, move_time, moves: Vec::new(), rows: None }
    }
}

/// The same cycle again and again.
fn repeated(motion: MoveSequence, cycles: u32) -> Result<MoveSequence, TaskError> {
    motion.repeated(cycles).map_err(|error| match error {
        ExperimentError::NotClosed { .. } => {
            let hint = "let its last move end where it begins, and put down what is picked up on the way";
            TaskError::request(error.to_string()).or(hint)
        }
        other => other.into(),
    })
}

impl FollowRequest {
    /// The motion, and what it is.
    pub(super) fn resolved(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        handle: &Handle<'_>,
    ) -> Result<Resolved, TaskError> {
        let (has_cycle, has_motion) = (self.cycle.is_some(), self.motion.is_some());
        one_motion(&[("cycle", has_cycle), ("motion", has_motion), ("path", self.path.is_given())])?;
        for (name, is_given) in [
            ("law", self.law.is_given()),
            ("carry", self.carry.is_some()),
            ("back", self.back),
            ("pause", self.pause.is_some()),
        ] {
            one_motion(&[("cycle", has_cycle), (name, is_given)])?;
            one_motion(&[("motion", has_motion), (name, is_given)])?;
        }
        one_motion(&[("motion", has_motion), ("fastest", self.fastest)])?;
        one_motion(&[("motion", has_motion), ("cycles", self.cycles.is_some())])?;
        one_motion(&[("fastest", self.fastest), ("law", self.law.is_given())])?;
        let limits_are_used = self.fastest || self.cycle.as_ref().is_some_and(CycleRequest::has_fastest);
        if self.limits.is_given() && !limits_are_used {
            return Err(
                TaskError::request("`limits` are for `fastest`").or("add `fastest`, or leave them out")
            );
        }
        let cycles = self.cycles.unwrap_or(1);
        positive("cycles", f64::from(cycles))?;
        if let Some(motion) = &self.motion {
            let (rows, table) = motion.resolve(robot, schema, handle)?;
            check_motion(robot, &rows)?;
            let found = Resolved::new(Box::new(rows), motion.word(), String::new());
            return Ok(Resolved { rows: Some(table), ..found });
        }
        if let Some(cycle) = &self.cycle {
            let limits = self.limits.resolve(robot, schema)?;
            let timing = CycleTiming { limits: &limits, fastest: self.fastest, intervals: None };
            let (motion, moves) = cycle.resolve(robot, schema, &timing, handle)?;
            let found = Resolved::new(Box::new(repeated(motion, cycles)?), "cycle".into(), String::new());
            return Ok(Resolved { moves, ..found });
        }
        let pause = not_negative("pause", self.pause.map_or(0.0, |pause| pause.0))?;
        let one_way = !self.back && self.cycles.is_none() && self.pause.is_none();
        let carry = carried(self.carry)?;
        let usual = UsualPath::to_follow(robot)?;
        if self.fastest {
            let (way, kind) = usual.changed(robot, schema, &self.path)?;
            let limits = self.limits.resolve(robot, schema)?;
            let how = FastestWay { one_way, pause, cycles, intervals: None, carry };
            let FastestMotion { motion, there, .. } = fastest(robot, way, &limits, &how, handle)?;
            let found = Resolved::new(motion, kind.word().into(), "fastest".into());
            return Ok(Resolved { move_time: there.duration(), ..found });
        }
        let (motion, kind, law) = usual.timed(robot, schema, &self.path, &self.law)?;
        let move_time = motion.move_duration();
        let motion = if one_way { motion } else { motion.there_and_back(pause, cycles) };
        let found = Resolved::new(carrying(motion, carry)?, kind.word().into(), law.word().into());
        Ok(Resolved { move_time, ..found })
    }
}

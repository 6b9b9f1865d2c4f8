//! Where the forward kinematics of a robot starts.

use crate::args::StartArgs;
use crate::failure::{Failure, Message};
use legwork::coordinates::{CoordinateSchema, POSE, Values};
use legwork::{AnyRobot, PlatformState};
use std::cell::Cell;

/// A pose from which Newton's method goes.
pub struct Start {
    pub is_home: bool,
    pose: Cell<PlatformState>,
    follows: bool,
}

impl Start {
    pub fn from_args(args: &StartArgs, robot: &AnyRobot, schema: &CoordinateSchema) -> Result<Self, Failure> {
        let home = robot.home();
        if robot.linkage().is_some() && (!args.near.is_empty() || args.follow) {
            let option = if args.follow { "--follow" } else { "--near" };
            let error =
                format!("`{option}` is for robots whose pose is sought; that of a Delta has a formula");
            return Err(Message::new(error)
                .hint("`--assembly above` of `legwork fk` is its other pose")
                .into());
        }
        let pose = if args.near.is_empty() {
            home
        } else {
            let mut row = Values::default();
            schema.read(&mut row, "--near", POSE, &args.near)?;
            schema.platform(&row)?
        };
        Ok(Self { is_home: args.near.is_empty(), pose: Cell::new(pose), follows: args.follow })
    }

    pub fn pose(&self) -> PlatformState {
        self.pose.get()
    }

    /// The next search starts where this one ended.
    pub fn found(&self, pose: PlatformState) {
        if self.follows {
            self.pose.set(pose);
        }
    }
}

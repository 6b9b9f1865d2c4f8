//! The legs of a robot, or its bodies and joints, as its file draws them.

use super::RobotError;
use crate::description::RobotDescription;
use crate::families::blueprint::Blueprint;
use crate::families::calibrated::{DescribedJoints, DescribedLegs};
use crate::families::closed_delta::Made;
use crate::families::mounting::Mounting;
use legwork_core::V3;
use legwork_core::engine::Pose;

impl RobotDescription {
    /// Its legs without calibration.
    ///
    /// # Errors
    /// Of a mechanism of bodies and joints, which has no legs, and of a robot that cannot be built.
    pub fn described_legs(&self) -> Result<DescribedLegs, RobotError> {
        let refused = |error| RobotError::of_build(&self.name, error);
        let gravity = V3::from(self.gravity_vector());
        let mounting = Mounting::of(self).map_err(refused)?;
        let Made::Legs(blueprint, offset) = self.data.made(gravity).map_err(refused)? else {
            return Err(RobotError::NoLegs { robot: self.name.clone() });
        };
        let Blueprint { legs, freedoms, home, size, .. } = *blueprint;
        let base = mounting.seen_from(offset).base;
        let turns = freedoms.iter().filter(|place| **place >= 3).count();
        let tool = if turns < 3 {
            Pose::new(mounting.tool.rotation * base.rotation.transpose(), mounting.tool.position)
        } else {
            mounting.tool
        };
        let legs = legs.iter().map(|choice| choice.own.leg).collect();
        Ok(DescribedLegs { legs, freedoms, home, size, base, tool })
    }

    /// Its bodies and joints without calibration.
    ///
    /// # Errors
    /// Of a robot of legs, and of one that cannot be built.
    pub fn described_joints(&self) -> Result<DescribedJoints, RobotError> {
        let refused = |error| RobotError::of_build(&self.name, error);
        let gravity = V3::from(self.gravity_vector());
        let mounting = Mounting::of(self).map_err(refused)?;
        let Made::Mechanism(file) = self.data.made(gravity).map_err(refused)? else {
            return Err(RobotError::NoMechanism { robot: self.name.clone() });
        };
        let description =
            super::mechanism::description(&self.name, &file, gravity, &mounting).map_err(refused)?;
        Ok(DescribedJoints { file: file.into_owned(), description, base: mounting.base })
    }
}

//! Legs that differ from each other: the robot as bodies and joints, with what was identified of each of them.

use super::{AnyRobot, Kind, RobotError};
use crate::description::{FamilyData, Identified, RobotDescription};

/// A robot whose file says that its legs differ.
pub(super) fn opened(description: &RobotDescription) -> Result<AnyRobot, RobotError> {
    let identified = &description.identified;
    let plain = Identified { separate_legs: false, bodies: Vec::new(), ..identified.clone() };
    let drawn = AnyRobot::new(RobotDescription { identified: plain, ..description.clone() })?;
    let mut separate = separated(&drawn)?.description().clone();
    for found in &identified.bodies {
        let mut parts = separate.data.inertial_parts();
        let Some(part) = parts.iter_mut().find(|part| part.name == found.name) else {
            let known = parts.iter().map(|part| part.name.clone()).collect();
            let (robot, body) = (description.name.clone(), found.name.clone());
            return Err(RobotError::IdentifiedBody { robot, body, known });
        };
        part.set(&found.body);
    }
    separate.identified = identified.clone();
    separate.text.clone_from(&description.text);
    AnyRobot::new(separate)
}

/// The same robot as bodies and joints, each leg with bodies of its own.
pub(super) fn separated(robot: &AnyRobot) -> Result<AnyRobot, RobotError> {
    if matches!(robot.kind, Kind::Mechanism(_)) {
        return Ok(robot.clone());
    }
    let mechanism = robot.as_mechanism()?;
    let Some(file) = mechanism.bodies_and_joints() else { return Ok(mechanism) };
    let mut description = robot.description().clone();
    description.data = FamilyData::Mechanism(file.clone());
    (description.cell, description.tool, description.text) = (None, None, None);
    description.calibration.clear();
    description.identified.bodies.clear();
    AnyRobot::new(description)
}

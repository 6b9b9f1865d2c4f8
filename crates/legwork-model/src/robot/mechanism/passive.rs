//! What passive joints of a mechanism allow: their strokes and how far they lean.

use super::MechanismRobot;
use crate::RobotError;
use crate::description::MechanismJointKind;
use crate::families::blueprint::pose;
use crate::robot::PlatformState;
use legwork_core::V3;
use legwork_core::engine::Pose;
use std::f64::consts::TAU;

/// A coordinate beyond its limit by less than this is rounding \[rad or m\].
const ROUNDING: f64 = 1e-9;

impl MechanismRobot {
    /// Refuses a pose at which a passive joint would go or lean further than it can.
    pub(in crate::robot) fn check_passive_joints(&self, platform: &PlatformState) -> Result<(), RobotError> {
        let limited = |joint: &&crate::description::MechanismJoint| {
            joint.motor.is_none() && (joint.min.is_some() || joint.max.is_some())
        };
        if self.file.cones.is_empty() && !self.file.joints.iter().any(|joint| limited(&joint)) {
            return Ok(());
        }
        let bodies = self.body_poses(&self.configuration(platform)?);
        let side =
            |body: Option<usize>| body.and_then(|body| bodies.get(body).copied()).unwrap_or(self.mounting[0]);
        for joint in self.file.joints.iter().filter(limited) {
            let parent = side(joint.parent) * pose(&joint.parent_frame);
            let child = side(joint.child) * pose(&joint.child_frame);
            let slides = joint.kind == MechanismJointKind::Prismatic;
            let value = coordinate(&(parent.inverse() * child), slides, joint.min);
            let inside = |at: f64| {
                joint.min.is_none_or(|min| at >= min - ROUNDING)
                    && joint.max.is_none_or(|max| at <= max + ROUNDING)
            };
            if !inside(value) {
                let range = [joint.min, joint.max];
                return Err(RobotError::PassiveLimit { joint: joint.name.clone(), slides, value, range });
            }
        }
        for cone in &self.file.cones {
            let [a, b] = [0, 1].map(|k| side(cone.bodies[k]).rotation * V3::from(cone.pins[k]));
            let (across, along) = (a.cross(b).norm_sq().sqrt(), a.dot(b));
            let lean = if cone.from_plane { along.abs().min(1.0).asin() } else { across.atan2(along) };
            if lean.is_nan() || lean > cone.most + ROUNDING {
                return Err(RobotError::PassiveCone { joint: cone.joint.clone(), lean, most: cone.most });
            }
        }
        Ok(())
    }
}

/// The coordinate of a joint that turns or slides; an angle is the first one from the lower limit on.
fn coordinate(between: &Pose<f64>, slides: bool, min: Option<f64>) -> f64 {
    if slides {
        return between.position.z;
    }
    let [[c, ..], [s, ..], _] = between.rotation.to_rows();
    let angle = s.atan2(c);
    match min {
        Some(min) => min - ROUNDING + (angle - min + ROUNDING).rem_euclid(TAU),
        None => angle,
    }
}

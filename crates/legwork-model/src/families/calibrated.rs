//! Legs as they were built: what `[[calibration]]` says written into the legs of a family, in one place.

use super::blueprint::{AnyLeg, Blueprint, Branch, BuildError, LegChoice, pose};
use super::mechanism::MechanismDescription;
use crate::description::Placement;
use crate::description::{CalibratedJoint, CalibratedLeg, JointCalibration, LegCalibration};
use crate::rotation::{from_rotation_vector, product, rotated};
use legwork_core::engine::{LegCorrection, Pose};
use std::borrow::Cow;

impl LegCalibration {
    /// The same for the general engine.
    pub fn correction(&self) -> LegCorrection<f64> {
        LegCorrection {
            base_shift: self.base_shift.into(),
            base_turn: self.base_turn.into(),
            links: self.links,
            platform_shift: self.platform_shift.into(),
            zero_angle: self.zero_angle,
            zero_length: self.zero_length,
        }
    }
}

impl JointCalibration {
    /// The frame of a joint on its parent, or on its child, as it was built.
    pub fn of_frame(&self, frame: &Placement, on_child: bool) -> Placement {
        let (shift, turn) = if on_child {
            (self.child_shift, self.child_turn)
        } else {
            (self.parent_shift, self.parent_turn)
        };
        let mut rotation = product(&from_rotation_vector(turn), &frame.rotation);
        let mut position = [0, 1, 2].map(|k| frame.position[k] + shift[k]);
        if !on_child {
            // What is added to a reading: the parent's frame is so much farther.
            let along = rotated(&rotation, [0.0, 0.0, self.zero_length]);
            position = [0, 1, 2].map(|k| position[k] + along[k]);
            rotation = product(&rotation, &from_rotation_vector([0.0, 0.0, self.zero_angle]));
        }
        Placement { position, rotation }
    }
}

impl MechanismDescription {
    /// The same mechanism with joints as they were built.
    pub(crate) fn calibrated<'a>(file: Cow<'a, Self>, joints: &[CalibratedJoint]) -> Cow<'a, Self> {
        if joints.is_empty() {
            return file;
        }
        let mut built = file.into_owned();
        for found in joints {
            for joint in built.joints.iter_mut().filter(|joint| joint.name == found.joint) {
                joint.parent_frame = found.value.of_frame(&joint.parent_frame, false);
                joint.child_frame = found.value.of_frame(&joint.child_frame, true);
            }
        }
        Cow::Owned(built)
    }
}

impl Blueprint {
    /// The same robot with legs as they were built.
    pub fn calibrated(self, legs: &[CalibratedLeg]) -> Result<Self, BuildError> {
        if legs.is_empty() {
            return Ok(self);
        }
        if legs.len() != self.legs.len() {
            return Err(BuildError::CalibratedLegs { legs: self.legs.len(), found: legs.len() });
        }
        let home = self.home;
        let corrected = |leg: AnyLeg, by: &LegCorrection<f64>| {
            let leg = leg.as_built(by);
            if leg.is_numerical() { leg.found_numerically(&home) } else { leg }
        };
        let branch = |branch: Branch, by: &LegCorrection<f64>| Branch {
            leg: corrected(branch.leg, by),
            chain: corrected(branch.chain, by),
            ..branch
        };
        let mut choices = Vec::with_capacity(self.legs.len());
        for (k, (choice, by)) in self.legs.iter().zip(legs).enumerate() {
            if matches!(choice.own.leg, AnyLeg::Ups(_)) && by.value.links.iter().any(|link| *link != 0.0) {
                return Err(BuildError::CalibratedLink { leg: k });
            }
            let by = by.value.correction();
            choices.push(LegChoice {
                own: branch(choice.own, &by),
                other: choice.other.map(|other| branch(other, &by)),
            });
        }
        Ok(Self { legs: choices, ..self })
    }
}

/// The legs of a robot as its file describes them, before anything is calibrated, in the frames of its base and its
/// platform.
#[derive(Clone, Debug)]
pub struct DescribedLegs {
    /// The legs, in the branches of the file.
    pub legs: Vec<AnyLeg>,
    /// Places of the platform's freedoms in its twist (vx, vy, vz, wx, wy, wz).
    pub freedoms: Vec<usize>,
    /// The platform at rest, in the frame of the base.
    pub home: Pose<f64>,
    /// Mean distance of the platform's joints from their middle, or of another length of the robot \[m\].
    pub size: f64,
    /// The frame of the legs' base in that of the poses that the robot takes and gives.
    pub base: Pose<f64>,
    /// The frame that poses are of, in that of the platform.
    pub tool: Pose<f64>,
}

/// A robot of bodies and joints as its file describes it, before anything is calibrated.
#[derive(Clone, Debug)]
pub struct DescribedJoints {
    /// As the file has it, in the frame of its base.
    pub file: MechanismDescription,
    /// As it is computed: in its cell, with tool and payload. Its joints are those of the file in their order, then others.
    pub description: crate::mechanism::MechanismDescription,
    /// The frame of its base in that of the poses that the robot takes and gives.
    pub base: Pose<f64>,
}

impl DescribedJoints {
    /// The description with joints as they were built.
    pub fn calibrated(&self, joints: &[CalibratedJoint]) -> crate::mechanism::MechanismDescription {
        let built = MechanismDescription::calibrated(Cow::Borrowed(&self.file), joints);
        let mut description = self.description.clone();
        for (joint, own) in description.joints.iter_mut().zip(&built.joints) {
            let framed = |body: Option<usize>, frame: &Placement| {
                if body.is_none() { self.base * pose(frame) } else { pose(frame) }
            };
            joint.parent_frame = framed(own.parent, &own.parent_frame);
            joint.child_frame = framed(own.child, &own.child_frame);
        }
        description
    }
}

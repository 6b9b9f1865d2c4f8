//! Legs as they were built: what `[[calibration]]` says written into the legs of a family, in one place.

use super::blueprint::{AnyLeg, Blueprint, Branch, BuildError, LegChoice};
use crate::description::{CalibratedLeg, LegCalibration};
use legwork_core::engine::{LegCorrection, Pose};

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

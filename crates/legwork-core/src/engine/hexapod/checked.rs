//! The checked form of the hexapod: typed errors that name the leg.

#[cfg(feature = "simd")]
use super::HexapodLanes;
use super::{Hexapod, HexapodAcceleration, mean_distance};
use crate::engine::chain::JointKind;
use crate::engine::checked::{SINGULAR, StateError, fault_of_legs, finite, finite_pose};
use crate::engine::space::MotionSpace;
use crate::engine::spatial::{Pose, Twist, Wrench};
use crate::{Margin, V3};

/// The inputs of a call, to say which of them is not a number.
struct Inputs<'a> {
    pose: &'a Pose<f64>,
    twist: Twist<f64>,
    last: (&'static str, [f64; 6]),
    external: Wrench<f64>,
}

impl Inputs<'_> {
    /// The order is that of the general mechanism.
    #[cold]
    fn finite(&self) -> Result<(), StateError> {
        finite_pose(self.pose)?;
        finite("velocity", &self.twist.to_vector_linear_first())?;
        finite(self.last.0, &self.last.1)?;
        finite("external wrench", &self.external.to_vector_linear_first())
    }
}

/// Whether all six are finite. An input that is not finite spoils all of an answer, so only
/// the answer is looked at before it is handed out.
#[inline(always)]
fn all_finite(six: &[f64; 6]) -> bool {
    six.iter().fold(0.0, |sum, x| sum + x * 0.0) == 0.0
}

/// Efforts as they are, or why there are none. The margin of J_r⁻¹ in `found` is that of metres; `held` is the one
/// that does not depend on the unit, and is asked for where the other one is small.
#[inline(always)]
fn accepted(
    found: Margin<[f64; 6], f64>,
    inputs: &Inputs<'_>,
    legs: impl Fn() -> [f64; 6],
    held: impl Fn() -> f64,
) -> Result<[f64; 6], StateError> {
    if found.margin > SINGULAR && all_finite(&found.value) {
        return Ok(found.value);
    }
    inputs.finite()?;
    if found.margin > SINGULAR {
        // Finite inputs that are too large for the range of numbers.
        return finite("resulting effort", &found.value).map(|()| found.value);
    }
    if let Some(fault) = fault_of_legs(legs().into_iter()) {
        return Err(fault);
    }
    let margin = held();
    if margin > SINGULAR { Ok(found.value) } else { Err(StateError::Singular { margin }) }
}

/// Accelerations as they are, or why there are none.
#[inline(always)]
fn accelerated(
    found: Margin<HexapodAcceleration<f64>, f64>,
    inputs: &Inputs<'_>,
    legs: impl Fn() -> [f64; 6],
) -> Result<HexapodAcceleration<f64>, StateError> {
    let is_finite =
        all_finite(&found.value.platform.to_vector_linear_first()) && all_finite(&found.value.joint);
    if found.margin > SINGULAR && is_finite {
        return Ok(found.value);
    }
    inputs.finite()?;
    let finite_answer = || {
        finite("resulting acceleration", &found.value.platform.to_vector_linear_first())?;
        finite("resulting joint acceleration", &found.value.joint).map(|()| found.value)
    };
    if found.margin > SINGULAR {
        return finite_answer();
    }
    // A light robot has small pivots: only a leg at fault or a pivot that is not positive stops it.
    match fault_of_legs(legs().into_iter()) {
        Some(fault) => Err(fault),
        None if found.margin > 0.0 => finite_answer(),
        None => Err(StateError::NoMass { margin: found.margin }),
    }
}

/// The margin of J_r⁻¹ in units of the platform's size, see [`MotorFactors::margin`], from the directions of the
/// legs and the places of their ball joints about the platform's origin.
#[cold]
pub(super) fn held(legs: &[(V3<f64>, V3<f64>); 6]) -> f64 {
    let rows = legs.map(|(z, offset)| Wrench::new(z, offset.cross(z)).to_vector_linear_first());
    let space = MotionSpace::full().with_length(mean_distance(&legs.map(|(_, offset)| offset)));
    space.scales().motor_factors(&[JointKind::Prismatic; 6], &rows).margin()
}

impl Hexapod<f64> {
    #[cold]
    fn motor_margin(&self, pose: &Pose<f64>) -> f64 {
        held(&self.legs.map(|leg| {
            let at = leg.posture(pose);
            (at.z, at.offset)
        }))
    }
}

macro_rules! checked {
    ($hexapod:ty) => {
        impl $hexapod {
            /// Motor forces \[N\] for a motion of the platform while `external` acts on it, or why
            /// there are none. See [`Hexapod::inverse_dynamics`].
            #[inline]
            pub fn effort_for(
                &self,
                pose: &Pose<f64>,
                twist: Twist<f64>,
                acceleration: Twist<f64>,
                external: Wrench<f64>,
            ) -> Result<[f64; 6], StateError> {
                let found = self.inverse_dynamics(pose, twist, acceleration, external);
                let last = ("acceleration", acceleration.to_vector_linear_first());
                let inputs = Inputs { pose, twist, last, external };
                accepted(found, &inputs, || self.leg_margins(pose), || self.motor_margin(pose))
            }

            /// Accelerations for motor forces \[N\], or why there are none. See
            /// [`Hexapod::direct_dynamics`].
            #[inline]
            pub fn acceleration_for(
                &self,
                pose: &Pose<f64>,
                twist: Twist<f64>,
                tau: &[f64; 6],
                external: Wrench<f64>,
            ) -> Result<HexapodAcceleration<f64>, StateError> {
                let found = self.direct_dynamics(pose, twist, tau, external);
                let inputs = Inputs { pose, twist, last: ("effort", *tau), external };
                accelerated(found, &inputs, || self.leg_margins(pose))
            }
        }
    };
}

checked!(Hexapod<f64>);
#[cfg(feature = "simd")]
checked!(HexapodLanes);

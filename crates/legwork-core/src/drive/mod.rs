//! What stands between a command and a joint: the current loop of a motor, its
//! limits, friction, soft stops, and the encoder that reads the joint back.
//!
//! | | |
//! |---|---|
//! | [`CurrentLoop`] | effort limit, limit of its rate, first-order lag: exact over a hold and over a ramp |
//! | [`SpeedLimit`] | no drive beyond a speed, continuous in speed |
//! | [`Friction`] | viscous, and [`Coulomb`] with a smooth zero crossing |
//! | [`SoftStop`] | springs at both ends of a joint that only push |
//! | [`Encoder`] | resolution and offset of a reading |
//! | [`JointParts`] | those of them that depend on position and speed, as one |
//!
//! Everything counts at the joint, behind the gear. What is known at the motor comes
//! there through [`Gear`].

mod current;
mod encoder;
mod joint;

pub use current::{CurrentLoop, LoopState, Stretch, after_hold, after_ramp};
pub use encoder::Encoder;
pub use joint::{Acting, Coulomb, Friction, JointParts, SoftStop, SpeedLimit};

use crate::Real;

/// A gear without loss: turns of the motor for one turn of the joint, or radians for one metre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gear<T> {
    /// n; not zero.
    pub ratio: T,
}

impl<T: Real> Gear<T> {
    /// Torque at the joint for one of the motor: n τ_m.
    pub fn effort(&self, motor: T) -> T {
        motor * self.ratio
    }

    /// Speed at the joint for one of the motor: ω_m / n.
    pub fn speed(&self, motor: T) -> T {
        motor / self.ratio
    }

    /// Rotor inertia, or viscous friction, at the joint for one at the motor: n² d_m.
    pub fn squared(&self, motor: T) -> T {
        motor * self.ratio * self.ratio
    }
}

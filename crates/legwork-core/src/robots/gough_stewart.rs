//! The Gough–Stewart platform, 6-UPS: six legs that change their length.
//!
//! ```text
//!        P_i ◯━━━━━━━ platform ━━━━━━◯        ball joints P_i
//!             ╲  ╲              ╱  ╱          rod slides in cylinder: q_i = |P_i − B_i|
//!              ╲  ╲            ╱  ╱
//!          B_i  ✛   ✛  base  ✛   ✛            universal joints B_i, first axis fixed in the base
//! ```
//!
//! \[KhalilIbrahim2007, Appendix\]: only the third joint of each leg is active, so
//! L_i is the unit vector along the leg. [`Parameters::robot`] gives the general
//! engine's form; [`hexapod`](crate::engine::hexapod) the fast one with legs side by side.

use crate::engine::chain::frame_with_z;
use crate::engine::legs::UpsLeg;
use crate::engine::{Drive, Hexapod, MotionSpace, Pose, RigidBody, Robot};
use crate::{Real, V3};

/// Geometry and masses; every leg is built alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Centres of the universal joints B_i in the base \[m\].
    pub base_points: [V3<T>; 6],
    /// Centres of the ball joints P_i in the platform's frame \[m\].
    pub platform_points: [V3<T>; 6],
    /// First axis a1 of each universal joint, unit vector fixed in the base. No leg may point along it.
    pub first_axes: [V3<T>; 6],
    /// The part of a leg that does not slide: frame at B_i, z along the leg,
    /// y = unit(z × a1).
    pub cylinder: RigidBody<T>,
    /// The part that slides: same axes, frame at P_i.
    pub rod: RigidBody<T>,
    /// Motor of each leg: reflected inertia \[kg\], friction.
    pub drive: Drive<T>,
    /// Mass and inertia of the platform in its frame.
    pub platform: RigidBody<T>,
    /// Gravitational acceleration along −z, g₀ \[m/s²\].
    pub gravity: T,
}

/// Six legs of three joints, six freedoms, six motors.
pub type GoughStewart<T> = Robot<T, 3, 6, 6, 6>;

impl<T: Real> Parameters<T> {
    /// The robot in the general engine.
    pub fn robot(&self) -> GoughStewart<T> {
        Robot {
            legs: core::array::from_fn(|i| self.leg(i).leg()),
            platform: self.platform,
            space: MotionSpace::full(),
            gravity: V3::along_z(-self.gravity),
        }
    }

    /// The robot with its legs in closed form: the fast one.
    pub fn hexapod(&self) -> Hexapod<T> {
        Hexapod::new(&core::array::from_fn(|i| self.leg(i)), self.platform, V3::along_z(-self.gravity))
    }

    #[allow(clippy::indexing_slicing)] // i < 6
    fn leg(&self, i: usize) -> UpsLeg<T> {
        UpsLeg {
            base: Pose::new(frame_with_z(self.first_axes[i]), self.base_points[i]),
            platform_point: self.platform_points[i],
            cylinder: self.cylinder,
            rod: self.rod,
            first: None,
            slide: self.drive,
        }
    }
}

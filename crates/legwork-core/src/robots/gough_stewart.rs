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
//!
//! ```
//! use legwork_core::engine::{Drive, Pose, RigidBody, Twist, Wrench};
//! use legwork_core::robots::gough_stewart::Parameters;
//! use legwork_core::{Sym3, V3};
//!
//! let ring = |radius: f64, height: f64, degrees: [f64; 6]| {
//!     degrees.map(f64::to_radians).map(|a| V3::new(radius * a.cos(), radius * a.sin(), height))
//! };
//! let body = |mass, z, size| RigidBody {
//!     mass,
//!     centre: V3::new(0.0, 0.0, z),
//!     inertia: Sym3::scalar(size),
//! };
//! let base = [-10.0, 10.0, 110.0, 130.0, 230.0, 250.0];
//! let hexapod = Parameters {
//!     base_points: ring(0.6, 0.0, base),
//!     platform_points: ring(0.35, 0.0, [-50.0, 50.0, 70.0, 170.0, 190.0, 290.0]),
//!     first_axes: ring(1.0, 0.0, base.map(|a| a + 90.0)),
//!     cylinder: body(2.4, 0.22, 0.05),
//!     rod: body(1.1, -0.26, 0.03),
//!     drive: Drive::ideal(),
//!     platform: body(14.0, 0.06, 0.6),
//!     gravity: 9.81,
//! }
//! .hexapod();
//! let pose = Pose::translation(V3::new(0.0, 0.0, 0.9));
//! let rest = Twist::zero();
//! let hold = hexapod.inverse_dynamics(&pose, rest, rest, Wrench::zero()).value; // N
//! assert!((hold[0] - hold[3]).abs() < 1e-9); // three pairs of mirrored legs
//! ```

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

//! The Space robot \[KhalilIbrahim2007, Sec. 4\]: three UPS legs, each with two
//! motors, at the first axis of its universal joint and at its slide.
//!
//! ```text
//!        P_1 ◯━━━━━━ platform ━━━━━◯ P_2       active: q1 (about a1) and L of each leg,
//!             ╲                   ╱            in the order q11, L1, q12, L2, q13, L3
//!              ╲       ◯ P_3     ╱
//!          a1 ⟲ ✛      ┃        ✛ ⟲ a1         a1 = Rz(γ_i) y;  leg along
//!               B_1    ✛ B_3    B_2            a3 = Rz(γ_i)(cos q1 sin q2, −cos q2, −sin q1 sin q2)
//! ```
//!
//! Singular where a leg lies along a1 (L sin q2 = 0; the paper says "and", errata), and
//! as a whole when legs 1 and 2 share a1 and lie in one plane with it.
//!
//! ```
//! use legwork_core::engine::{Drive, Pose, RigidBody};
//! use legwork_core::robots::space::Parameters;
//! use legwork_core::{Sym3, V3};
//!
//! let body = |mass, z| RigidBody { mass, centre: V3::new(0.0, 0.0, z), inertia: Sym3::scalar(0.03) };
//! let robot = Parameters {
//!     base_points: [[-0.39, -0.225, 0.0], [0.39, -0.225, 0.0], [0.0, 0.45, 0.0]].map(V3::from),
//!     gamma: [-240.0, -120.0, 0.0].map(f64::to_radians),
//!     platform_points: [[0.0, 0.0, 0.0], [0.38, 0.0, 0.0], [0.19, 0.33, 0.0]].map(V3::from),
//!     cylinder: body(2.4, 0.22),
//!     rod: body(1.1, -0.26),
//!     turn: Drive::ideal(),
//!     slide: Drive::ideal(),
//!     platform: body(6.5, 0.03),
//!     gravity: 9.81,
//! }
//! .robot()
//! .checked()?;
//! let pose = Pose::translation(V3::new(-0.19, -0.11, 0.7));
//! let [_, l1, _, _, _, l3] = robot.mechanism().inverse_kinematics(&pose)?; // q11, L1, q12, L2, q13, L3
//! assert!((l1 - l3).abs() < 0.01);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::legs::{UpsLeg, quarter_turn_x};
use crate::engine::{Drive, MotionSpace, Pose, RigidBody, Robot};
use crate::{Real, V3};

/// Geometry and masses; every leg is built alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Centres of the universal joints B_i in the base \[m\].
    pub base_points: [V3<T>; 3],
    /// Directions of the legs' base axes, γ_i \[rad\]: the first axis is Rz(γ) y.
    pub gamma: [T; 3],
    /// Centres of the ball joints P_i in the platform's frame \[m\]; P_1 is its origin in the paper.
    pub platform_points: [V3<T>; 3],
    /// The part of a leg that does not slide: frame at B_i, z along the leg, y = unit(z × a1).
    pub cylinder: RigidBody<T>,
    /// The part that slides: same axes, frame at P_i.
    pub rod: RigidBody<T>,
    /// Motor of the first joint of each leg.
    pub turn: Drive<T>,
    /// Motor of each slide.
    pub slide: Drive<T>,
    /// Mass and inertia of the platform in its frame.
    pub platform: RigidBody<T>,
    /// Gravitational acceleration along −z, g₀ \[m/s²\].
    pub gravity: T,
}

/// Three legs of three joints, six freedoms, six motors.
pub type Space<T> = Robot<T, 3, 3, 6, 6>;

impl<T: Real> Parameters<T> {
    /// The robot in the general engine.
    #[allow(clippy::indexing_slicing)] // i < 3
    pub fn robot(&self) -> Space<T> {
        Robot {
            legs: core::array::from_fn(|i| {
                // Rz(γ) Rx(−π/2): Table 1 with B_i instead of d.
                let turned = Pose::rotation_z(self.gamma[i]).rotation * quarter_turn_x(false);
                UpsLeg {
                    base: Pose::new(turned, self.base_points[i]),
                    platform_point: self.platform_points[i],
                    cylinder: self.cylinder,
                    rod: self.rod,
                    first: Some(self.turn),
                    slide: self.slide,
                }
                .leg()
            }),
            platform: self.platform,
            space: MotionSpace::full(),
            gravity: V3::along_z(-self.gravity),
        }
    }
}

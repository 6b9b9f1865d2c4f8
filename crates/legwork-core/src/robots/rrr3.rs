//! The planar 3-RRR: three motors, three legs of two bars, a platform that moves
//! and turns in the x-y plane.
//!
//! ```text
//!       A3 ◉━●   ●━◉ A2        motors at radius r_b, platform pins at radius r_p,
//!             ╲ ╱              both at the angles given; q from +x counter-clockwise
//!            ◯───◯
//!             ╲ ╱  platform, angle φ
//!              ◯
//!              ┃●━◉ A1
//! ```
//!
//! ```
//! use legwork_core::engine::{Drive, ForwardSettings, Pose, RigidBody, legs::PlanarLeg};
//! use legwork_core::robots::{five_bar::Turn, rrr3::Parameters};
//! use legwork_core::{Sym3, V3};
//!
//! let robot = Parameters {
//!     base_radius: 0.4,
//!     platform_radius: 0.09,
//!     azimuth: [-90.0, 30.0, 150.0].map(f64::to_radians),
//!     platform_azimuth: [-90.0, 30.0, 150.0].map(f64::to_radians),
//!     lengths: [0.22, 0.24],
//!     proximal: PlanarLeg::bar(0.55, 0.1, 0.003),
//!     distal: PlanarLeg::bar(0.35, 0.12, 0.0022),
//!     drive: Drive::with_inertia(0.0015),
//!     platform: RigidBody { mass: 0.8, centre: V3::zero(), inertia: Sym3::scalar(0.0036) },
//!     gravity: 9.81,
//!     mode: [Turn::Left; 3],
//! }
//! .robot()
//! .checked()?;
//! let pose = Pose::planar(0.02, -0.01, 0.1);
//! let q = robot.mechanism().inverse_kinematics(&pose)?;
//! let near = Pose::planar(0.0, 0.0, 0.0);
//! let back = robot.mechanism().forward_kinematics(&q, &near, ForwardSettings::default());
//! assert!((back.converged().unwrap().position - pose.position).norm_sq() < 1e-24);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::five_bar::{Turn, side_of};
use crate::engine::legs::PlanarLeg;
use crate::engine::{Drive, MotionSpace, Pose, RigidBody, Robot};
use crate::{Real, V3};

/// Geometry and masses; every leg is built alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Radius of the motors, r_b \[m\].
    pub base_radius: T,
    /// Radius of the platform's pins, r_p \[m\].
    pub platform_radius: T,
    /// Directions of the motors \[rad\].
    pub azimuth: [T; 3],
    /// Directions of the pins in the platform's frame \[rad\].
    pub platform_azimuth: [T; 3],
    /// Lengths of the proximal and distal bars \[m\].
    pub lengths: [T; 2],
    /// The proximal bar, see [`PlanarLeg::bar`].
    pub proximal: RigidBody<T>,
    /// The distal bar.
    pub distal: RigidBody<T>,
    /// Motor of each leg.
    pub drive: Drive<T>,
    /// Mass and inertia of the platform in its frame; only the moment about z acts.
    pub platform: RigidBody<T>,
    /// Gravitational acceleration along −y, g₀ \[m/s²\].
    pub gravity: T,
    /// Working mode.
    pub mode: [Turn; 3],
}

/// Three legs of two joints, three freedoms, three motors.
pub type Rrr3<T> = Robot<T, 2, 3, 3, 3>;

impl<T: Real> Parameters<T> {
    /// The robot in the general engine.
    #[allow(clippy::indexing_slicing)] // i < 3
    pub fn robot(&self) -> Rrr3<T> {
        let o = T::zero();
        Robot {
            legs: core::array::from_fn(|i| {
                let turn = Pose::rotation_z(self.azimuth[i]);
                PlanarLeg {
                    base: turn.of(V3::new(self.base_radius, o, o)),
                    platform_point: Pose::rotation_z(self.platform_azimuth[i]).of(V3::new(
                        self.platform_radius,
                        o,
                        o,
                    )),
                    lengths: self.lengths,
                    proximal: self.proximal,
                    distal: self.distal,
                    drive: self.drive,
                    side: side_of(self.mode[i]),
                }
                .leg()
            }),
            platform: self.platform,
            space: MotionSpace::planar(),
            gravity: V3::new(o, -self.gravity, o),
        }
    }
}

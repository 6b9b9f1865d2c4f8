//! The linear Delta: three carriages on rails, three forearms of two parallel
//! rods each, a platform that only translates.
//!
//! ```text
//!      ┃  q_i ↑        rail i at azimuth φ_i, radius R_A, leaning inwards by
//!      █               `inclination` from the vertical (0: upright)
//!      ┃╲
//!      ┃ ╲  L
//!      ┃  ◯━━━━━━ platform, radius R_B
//! ```
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::engine::{Drive, PlatformMotion, Pose, RigidBody, Wrench};
//! use legwork_core::robots::{delta::Geometry, hexaglide::Carriage, linear_delta::Parameters};
//!
//! let robot = Parameters {
//!     base_radius: 0.26,
//!     platform_radius: 0.05,
//!     azimuth: Geometry::regular_azimuth().to_array(),
//!     inclination: 0.0,
//!     forearm: 0.4,
//!     carriage: 0.45,
//!     forearm_body: RigidBody::thin_rod(0.16, V3::zero(), V3::new(0.4, 0.0, 0.0)),
//!     drive: Drive::with_inertia(0.3),
//!     platform: 0.6,
//!     gravity: 9.81,
//!     mode: [Carriage::Ahead; 3],
//! }
//! .robot()
//! .checked()?;
//! let rest = PlatformMotion::rest(Pose::translation(V3::new(0.0, 0.0, -0.1)));
//! let hold = robot.mechanism().effort_for(&rest, Wrench::zero())?.effort;
//! let weight = 9.81 * (0.6 + 3.0 * (0.45 + 0.16));
//! assert!((hold.iter().sum::<f64>() - weight).abs() < 1e-12); // vertical rails carry it all
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::hexaglide::{Carriage, Rail, side_of};
use crate::engine::legs::PusLeg;
use crate::engine::{Drive, MotionSpace, Pose, RigidBody, Robot};
use crate::{Real, V3};

/// Geometry and masses; every leg is built alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Axis of the robot to the rails at q = 0, R_A \[m\].
    pub base_radius: T,
    /// Centre of the platform to its joints, R_B \[m\].
    pub platform_radius: T,
    /// Directions of the legs φ_i, from +x counter-clockwise \[rad\].
    pub azimuth: [T; 3],
    /// How far the rails lean towards the axis of the robot, from the vertical \[rad\].
    pub inclination: T,
    /// Length of the forearms, L \[m\].
    pub forearm: T,
    /// The carriage \[kg\]; has weight.
    pub carriage: T,
    /// The forearm, both rods together: x along it, origin at the carriage.
    pub forearm_body: RigidBody<T>,
    /// Motor of each carriage: reflected inertia \[kg\] without weight, friction.
    pub drive: Drive<T>,
    /// Platform and payload \[kg\].
    pub platform: T,
    /// Gravitational acceleration along −z, g₀ \[m/s²\].
    pub gravity: T,
    /// Working mode: carriages above (ahead of) the platform or below it.
    pub mode: [Carriage; 3],
}

/// Three legs of three joints, three freedoms, three motors.
pub type LinearDelta<T> = Robot<T, 3, 3, 3, 3>;

impl<T: Real> Parameters<T> {
    /// The robot in the general engine: each pair of rods acts as one in its middle.
    #[allow(clippy::indexing_slicing)] // i < 3
    pub fn robot(&self) -> LinearDelta<T> {
        let o = T::zero();
        let (lean, upright) = self.inclination.sin_cos();
        Robot {
            legs: core::array::from_fn(|i| {
                let turn = Pose::rotation_z(self.azimuth[i]);
                let rail = Rail {
                    start: turn.of(V3::new(self.base_radius, o, o)),
                    direction: turn.of(V3::new(-lean, o, upright)),
                    hinge: turn.of(V3::new(o, T::one(), o)),
                };
                PusLeg {
                    base: rail.frame(),
                    platform_point: turn.of(V3::new(self.platform_radius, o, o)),
                    rod: self.forearm,
                    carriage: RigidBody::point(self.carriage, V3::zero()),
                    rod_body: self.forearm_body,
                    drive: self.drive,
                    side: side_of(self.mode[i]),
                }
                .leg()
            }),
            platform: RigidBody::point(self.platform, V3::zero()),
            space: MotionSpace::translational(),
            gravity: V3::along_z(-self.gravity),
        }
    }
}

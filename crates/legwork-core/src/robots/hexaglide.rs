//! The Hexaglide, 6-PUS: six carriages on rails, six rods of fixed length.
//!
//! ```text
//!     ▬▬●▬▬▬▬▬▬●▬▬▬▬  rail i: carriage at start + q_i · direction
//!        ╲    ╱
//!         ╲  ╱  rods of length L
//!      ━━━━◯◯━━━━  platform, ball joints P_i
//! ```
//!
//! ```
//! use legwork_core::engine::{Drive, Pose, RigidBody};
//! use legwork_core::robots::hexaglide::{Carriage, Parameters, Rail};
//! use legwork_core::{Sym3, V3};
//!
//! let side = [-0.6, -0.5, -0.05, 0.05, 0.5, 0.6];
//! let along = [-0.3, 0.3, -0.3, 0.3, -0.3, 0.3];
//! let robot = Parameters {
//!     rails: side.map(|y| Rail {
//!         start: V3::new(0.0, y, 0.0),
//!         direction: V3::new(1.0, 0.0, 0.0),
//!         hinge: V3::new(0.0, 1.0, 0.0),
//!     }),
//!     platform_points: std::array::from_fn(|i| V3::new(along[i] * 0.5, side[i] * 0.4, 0.0)),
//!     rod: 0.9,
//!     carriage: 2.0,
//!     rod_body: RigidBody::thin_rod(0.5, V3::zero(), V3::new(0.9, 0.0, 0.0)),
//!     drive: Drive::with_inertia(0.4),
//!     platform: RigidBody { mass: 8.0, centre: V3::zero(), inertia: Sym3::scalar(0.1) },
//!     gravity: 9.81,
//!     mode: along.map(|x| if x < 0.0 { Carriage::Behind } else { Carriage::Ahead }),
//! }
//! .robot()
//! .checked()?;
//! let q = robot.mechanism().inverse_kinematics(&Pose::translation(V3::new(0.0, 0.0, -0.7)))?;
//! assert!((q[0] + q[5]).abs() < 1e-12); // mirror images
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::legs::PusLeg;
use crate::engine::{Drive, MotionSpace, Pose, RigidBody, Robot};
use crate::{M3, Real, V3};

/// Where the carriage of a leg is, seen along its rail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carriage {
    /// Ahead of the ball joint, in the direction of positive q.
    Ahead,
    /// Behind it.
    Behind,
}

/// One rail.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rail<T> {
    /// The universal joint of the carriage at q = 0 \[m\].
    pub start: V3<T>,
    /// Unit vector of positive q.
    pub direction: V3<T>,
    /// First axis of the carriage's universal joint: unit vector perpendicular to
    /// the rail. No rod may point along it.
    pub hinge: V3<T>,
}

impl<T: Real> Rail<T> {
    /// The frame of the rail: z along it, y the hinge.
    pub fn frame(&self) -> Pose<T> {
        let across = self.hinge.cross(self.direction);
        Pose::new(M3::from_columns(across, self.hinge, self.direction), self.start)
    }
}

/// Geometry and masses; every leg is built alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// The rails.
    pub rails: [Rail<T>; 6],
    /// Ball joints in the platform's frame \[m\].
    pub platform_points: [V3<T>; 6],
    /// Length of the rods \[m\].
    pub rod: T,
    /// The carriage \[kg\].
    pub carriage: T,
    /// The rod: x along it, origin at the carriage.
    pub rod_body: RigidBody<T>,
    /// Motor of each carriage: reflected inertia \[kg\], friction.
    pub drive: Drive<T>,
    /// Mass and inertia of the platform in its frame.
    pub platform: RigidBody<T>,
    /// Gravitational acceleration along −z, g₀ \[m/s²\].
    pub gravity: T,
    /// Working mode.
    pub mode: [Carriage; 6],
}

/// Six legs of three joints, six freedoms, six motors.
pub type Hexaglide<T> = Robot<T, 3, 6, 6, 6>;

pub(crate) fn side_of<T: Real>(carriage: Carriage) -> T {
    match carriage {
        Carriage::Ahead => T::one(),
        Carriage::Behind => -T::one(),
    }
}

impl<T: Real> Parameters<T> {
    /// The robot in the general engine.
    #[allow(clippy::indexing_slicing)] // i < 6
    pub fn robot(&self) -> Hexaglide<T> {
        Robot {
            legs: core::array::from_fn(|i| {
                PusLeg {
                    base: self.rails[i].frame(),
                    platform_point: self.platform_points[i],
                    rod: self.rod,
                    carriage: RigidBody::point(self.carriage, V3::zero()),
                    rod_body: self.rod_body,
                    drive: self.drive,
                    side: side_of(self.mode[i]),
                }
                .leg()
            }),
            platform: self.platform,
            space: MotionSpace::full(),
            gravity: V3::along_z(-self.gravity),
        }
    }
}

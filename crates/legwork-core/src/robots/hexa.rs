//! The Hexa, 6-RUS: six arms in three pairs, six rods, a platform with all six freedoms.
//!
//! ```text
//!                R_A, ±w_A/2      L_A
//!   base ●───────────────────◉─────────●  elbow: pair j at 0°, 120°, 240°,
//!                          motor q_k    \         motor axis Rz(θ_j) y,
//!                                        \  L_B   q = 0 horizontal, positive down
//!         platform  ●─────────────────────◯  R_B, ±w_B/2
//! ```
//!
//! ```
//! use legwork_core::engine::{Drive, PlatformMotion, Pose, RigidBody, Wrench};
//! use legwork_core::robots::{delta::Elbow, hexa::Parameters};
//! use legwork_core::{Sym3, V3};
//!
//! let end = |length| V3::new(length, 0.0, 0.0);
//! let robot = Parameters {
//!     base_radius: 0.2,
//!     base_spacing: 0.2,
//!     platform_radius: 0.12,
//!     platform_spacing: 0.1,
//!     azimuth: [0.0, 2.0, 4.0].map(|k: f64| k * std::f64::consts::PI / 3.0),
//!     arm: 0.3,
//!     rod: 0.65,
//!     arm_body: RigidBody::thin_rod(0.8, V3::zero(), end(0.3)),
//!     rod_body: RigidBody::thin_rod(0.12, V3::zero(), end(0.65)),
//!     drive: Drive::with_inertia(0.015),
//!     platform: RigidBody { mass: 1.6, centre: V3::zero(), inertia: Sym3::scalar(0.01) },
//!     gravity: 9.81,
//!     mode: [Elbow::Out; 6],
//! }
//! .robot()
//! .checked()?;
//! let rest = PlatformMotion::rest(Pose::translation(V3::new(0.0, 0.0, -0.65)));
//! let hold = robot.mechanism().effort_for(&rest, Wrench::zero())?.effort;
//! assert!(hold.iter().all(|torque| *torque < 0.0)); // the motors hold the arms up
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::legs::RusLeg;
use crate::engine::{Drive, MotionSpace, Pose, RigidBody, Robot};
use crate::robots::delta::Elbow;
use crate::{M3, Real, V3};

/// Geometry and masses; every leg is built alike. Arm k belongs to pair k/2; even
/// arms are at +w/2, odd ones at −w/2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Centre of the base to the motor axes, R_A \[m\].
    pub base_radius: T,
    /// Distance of the two motors of a pair, w_A \[m\].
    pub base_spacing: T,
    /// Centre of the platform to its joints, R_B \[m\].
    pub platform_radius: T,
    /// Distance of the two ball joints of a pair, w_B \[m\].
    pub platform_spacing: T,
    /// Directions of the three pairs, from +x counter-clockwise \[rad\].
    pub azimuth: [T; 3],
    /// Arm: motor axis to elbow, L_A \[m\].
    pub arm: T,
    /// Rod: elbow to ball joint, L_B \[m\].
    pub rod: T,
    /// The arm with what sits on its elbow: x along it, origin on the motor axis.
    pub arm_body: RigidBody<T>,
    /// The rod: x along it, origin at the elbow.
    pub rod_body: RigidBody<T>,
    /// Motor of each arm.
    pub drive: Drive<T>,
    /// Mass and inertia of the platform in its frame.
    pub platform: RigidBody<T>,
    /// Gravitational acceleration along −z, g₀ \[m/s²\].
    pub gravity: T,
    /// Working mode: on which side each elbow is.
    pub mode: [Elbow; 6],
}

/// Six legs of three joints, six freedoms, six motors.
pub type Hexa<T> = Robot<T, 3, 6, 6, 6>;

/// A motor axis of a Delta or Hexa: z = Rz(θ) y, x = Rz(θ) x radially outwards.
pub(crate) fn motor_frame<T: Real>(azimuth: T) -> M3<T> {
    let (sin, cos) = azimuth.sin_cos();
    let (o, l) = (T::zero(), T::one());
    M3::from_columns(V3::new(cos, sin, o), V3::new(o, o, -l), V3::new(-sin, cos, o))
}

/// The sign of the arc cosine for an elbow: positive q lowers it, so "out" is the smaller angle.
pub(crate) fn side_of<T: Real>(elbow: Elbow) -> T {
    match elbow {
        Elbow::Out => -T::one(),
        Elbow::In => T::one(),
    }
}

impl<T: Real> Parameters<T> {
    /// The robot in the general engine.
    #[allow(clippy::indexing_slicing)] // k < 6
    pub fn robot(&self) -> Hexa<T> {
        let half = T::from_f64(0.5);
        Robot {
            legs: core::array::from_fn(|k| {
                let azimuth = self.azimuth[k / 2];
                let side = if k % 2 == 0 { half } else { -half };
                let turn = Pose::rotation_z(azimuth);
                let at = |radius, spacing| turn.of(V3::new(radius, spacing * side, T::zero()));
                RusLeg {
                    base: Pose::new(motor_frame(azimuth), at(self.base_radius, self.base_spacing)),
                    platform_point: at(self.platform_radius, self.platform_spacing),
                    arm: self.arm,
                    rod: self.rod,
                    arm_body: self.arm_body,
                    rod_body: self.rod_body,
                    drive: self.drive,
                    side: side_of(self.mode[k]),
                }
                .leg()
            }),
            platform: self.platform,
            space: MotionSpace::full(),
            gravity: V3::along_z(-self.gravity),
        }
    }
}

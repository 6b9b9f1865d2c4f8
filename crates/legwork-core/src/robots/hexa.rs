//! The Hexa, 6-RUS: six arms in three pairs, six rods, a platform with all six freedoms.
//!
//! ```text
//!                R_A, ±w_A/2      L_A
//!   base ●───────────────────◉─────────●  elbow: pair j at 0°, 120°, 240°,
//!                          motor q_k    \         motor axis Rz(θ_j) y,
//!                                        \  L_B   q = 0 horizontal, positive down
//!         platform  ●─────────────────────◯  R_B, ±w_B/2
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

//! The Delta as three arms tied together: nine angles, six constraints.
//!
//! After S. A. Bortoff, "Object-Oriented Modeling and Control of Delta Robots",
//! 2018. Each arm alone is a simple model in three angles; the platform enters as
//! the demand that the three tips meet, and the forces that hold them together
//! are Lagrange multipliers. Arms may differ: the robot only asks each for its
//! tip, its mass matrix and its torques.
//!
//! ```text
//!        base      motor axis
//!   O ───────────────●                 y →   (arm 1; arms 2, 3 at ±120°)
//!   │   l0            \ l1   φ1        z ↓   gravity
//!   z                  ● elbow
//!                     / l2   φ2, φ3
//!              l3    /
//!         w ●───────●                  w: platform point
//! ```
//!
//! Frame of the paper: z points **down**, arm 1 lies along +y, R₂ = Rz(+120°),
//! R₃ = Rz(−120°). An arm has the absolute angles φ₁ (upper arm below the
//! horizontal, the motor angle), φ₂ (forearm from the y axis, in (0, π)) and φ₃
//! (forearm out of the plane of the arm). Nine numbers are written as [`Angles`],
//! arm by arm; six as [`Loops`], loop by loop.
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::robots::delta::constrained::{ArmParameters, Baumgarte, ConstrainedDelta};
//!
//! let robot = ConstrainedDelta::symmetric(ArmParameters {
//!     base_offset: 0.103_f64, upper: 0.196, lower: 0.387,
//!     upper_centre: 0.098, lower_centre: 0.1935,
//!     upper_mass: 0.755, lower_mass: 0.231, tip_mass: 0.34,
//!     upper_inertia: 0.0024, lower_inertia: 0.0029,
//!     damping: V3::zero(), gravity: V3::new(0.0, 0.0, 9.81),
//! });
//! let angles = robot.inverse_kinematics(V3::new(0.02, -0.03, 0.3));
//! assert!(angles.is_valid());
//! // Gravity compensation holds the robot still.
//! let hold = robot.gravity_compensation(angles.value).value;
//! let response = robot.accelerations(angles.value, V3::splat(V3::zero()), hold.torque, Baumgarte::from_pole(5.0));
//! assert!(response.value.accelerations.x.x.abs() < 1e-11);
//! ```

mod arm;
mod closure;
mod energy;
mod kinematics;
mod multipliers;
mod newton;
mod reduction;

// One arm, and the robot made of three
pub use arm::{ArmParameters, ArmPose};
pub use closure::Loops;
// Dynamics
pub use multipliers::{Baumgarte, Response};
pub use reduction::{Drive, Reduction};
// Forward kinematics by iteration
pub use newton::{NewtonError, Settings, Solution};

use crate::{M3, Real, V3};

/// Nine numbers of the three arms: `angles.y.x` is φ₁ of arm 2.
pub type Angles<T> = V3<V3<T>>;

/// Three arms whose tips meet at the platform point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConstrainedDelta<T> {
    /// Arms 1, 2, 3 of the paper.
    pub arms: V3<ArmParameters<T>>,
    /// Rotations from the frame of each arm to the frame of the robot, R₁, R₂, R₃.
    pub rotations: V3<M3<T>>,
}

impl<T: Real> ConstrainedDelta<T> {
    /// Three arms at 0°, +120° and −120° about z \[Bortoff2018, Eq. 10, 11\].
    #[inline(always)]
    pub fn new(arms: V3<ArmParameters<T>>) -> Self {
        let (cos, sin) = (T::from_f64(-0.5), T::from_f64(0.5 * SQRT_3));
        Self {
            arms,
            rotations: V3::new(
                M3::rotation_z(T::one(), T::zero()),
                M3::rotation_z(cos, sin),
                M3::rotation_z(cos, -sin),
            ),
        }
    }

    /// Three equal arms.
    #[inline(always)]
    pub fn symmetric(arm: ArmParameters<T>) -> Self {
        Self::new(V3::new(arm, arm, arm))
    }

    /// The three arms at their angles.
    #[inline(always)]
    pub fn poses(&self, angles: Angles<T>) -> V3<ArmPose<T>> {
        self.arms.zip(angles, ArmParameters::at)
    }
}

impl<T: Copy> ConstrainedDelta<T> {
    /// The same robot in another scalar.
    #[inline(always)]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> ConstrainedDelta<U> {
        ConstrainedDelta {
            arms: self.arms.map(|arm| arm.map(&mut f)),
            rotations: self.rotations.map(|M3(rows)| M3(rows.map(|row| row.map(&mut f)))),
        }
    }
}

/// √3
const SQRT_3: f64 = 1.732_050_807_568_877_2;

/// Three values with three others.
#[inline(always)]
fn pair<A, B>(a: V3<A>, b: V3<B>) -> V3<(A, B)> {
    a.zip(b, |a, b| (a, b))
}

/// Sum over the three arms.
#[inline(always)]
fn total<T: Real>(v: V3<V3<T>>) -> V3<T> {
    v.x + v.y + v.z
}

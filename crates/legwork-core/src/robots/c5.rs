//! The C5 robot \[KhalilIbrahim2007, Sec. 5\]: six slides along the axes of the
//! base, two per face of a cube-shaped platform; each end point slides in its face.
//!
//! ```text
//!             n ▲   ┌─────────┐        legs 1, 2 along x on the face with normal s,
//!               │   │ platform│        legs 3, 4 along y on the face with normal n,
//!    leg 1 ━━━━━┿━━●│         │        legs 5, 6 along z on the face with normal a
//!    leg 2 ━━━━━┿━━●│ P       │        (the paper's "4 and 5" for the last pair is a slip)
//!               └───┴─────────┘─▶ s
//! ```
//!
//! The contact point belongs to the leg and slides in the face; the velocity
//! products of (64), (65), (67) miss that and are put right here.
//!
//! ```
//! use legwork_core::engine::{Drive, PlatformMotion, Pose, RigidBody, Wrench};
//! use legwork_core::robots::c5::Parameters;
//! use legwork_core::{Sym3, V3};
//!
//! let points = [
//!     [[-0.3, 0.04, 0.1], [-0.3, 0.16, 0.1]],
//!     [[0.1, -0.3, 0.04], [0.1, -0.3, 0.16]],
//!     [[0.04, 0.1, -0.3], [0.16, 0.1, -0.3]],
//! ];
//! let robot = Parameters {
//!     base_points: std::array::from_fn(|i| V3::from(points[i / 2][i % 2])),
//!     face_distance: [0.0; 6],
//!     leg_mass: [1.8; 6],
//!     drive: [Drive::with_inertia(3.5); 6],
//!     platform: RigidBody { mass: 9.0, centre: V3::splat(0.1), inertia: Sym3::scalar(0.06) },
//!     gravity: 9.81,
//! }
//! .robot()
//! .checked()?;
//! let rest = PlatformMotion::rest(Pose::identity());
//! let hold = robot.mechanism().effort_for(&rest, Wrench::zero())?.effort;
//! assert!((hold[4] + hold[5] - 9.81 * (9.0 + 2.0 * 1.8)).abs() < 1e-12); // legs 5 and 6 carry the weight
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::legs::SlideLeg;
use crate::engine::{Drive, MotionSpace, Pose, RigidBody, Robot};
use crate::{M3, Real, V3};

/// Geometry and masses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Where the end of each leg is at q = 0, B_i \[m\].
    pub base_points: [V3<T>; 6],
    /// Distance of each leg's face from the platform's origin along its normal, δ_i \[m\].
    pub face_distance: [T; 6],
    /// What slides \[kg\].
    pub leg_mass: [T; 6],
    /// Motors: reflected inertia \[kg\], friction.
    pub drive: [Drive<T>; 6],
    /// Mass and inertia of the platform in its frame; the faces are perpendicular to its axes.
    pub platform: RigidBody<T>,
    /// Gravitational acceleration along −z, g₀ \[m/s²\].
    pub gravity: T,
}

/// Six legs of one joint, six freedoms, six motors.
pub type C5<T> = Robot<T, 1, 6, 6, 6>;

impl<T: Real> Parameters<T> {
    /// The robot in the general engine.
    #[allow(clippy::indexing_slicing)] // i < 6, axis < 3
    pub fn robot(&self) -> C5<T> {
        let (o, l) = (T::zero(), T::one());
        let axes = [V3::new(l, o, o), V3::new(o, l, o), V3::new(o, o, l)];
        Robot {
            legs: core::array::from_fn(|i| {
                let pair = i / 2;
                let (next, last) = (axes[(pair + 1) % 3], axes[(pair + 2) % 3]);
                SlideLeg {
                    base: Pose::new(M3::from_columns(next, last, axes[pair]), self.base_points[i]),
                    normal: axes[pair],
                    distance: self.face_distance[i],
                    mass: self.leg_mass[i],
                    drive: self.drive[i],
                }
                .leg()
            }),
            platform: self.platform,
            space: MotionSpace::full(),
            gravity: V3::along_z(-self.gravity),
        }
    }
}

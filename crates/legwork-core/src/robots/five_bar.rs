//! The planar five-bar, RRRRR: two motors, four bars, one point.
//!
//! ```text
//!            P
//!           ╱ ╲   l2
//!          ●   ●        elbows
//!       l1  ╲ ╱
//!     A1 ◉───────◉ A2   x-y plane, gravity along −y, q from +x counter-clockwise
//!       (−d, 0) (d, 0)
//! ```
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::engine::{Drive, PlatformMotion, Pose, Wrench, legs::PlanarLeg};
//! use legwork_core::robots::five_bar::{Parameters, Turn};
//!
//! let robot = Parameters {
//!     half_distance: 0.1,
//!     lengths: [0.25, 0.35],
//!     proximal: PlanarLeg::bar(0.6, 0.11, 0.004), // kg, m, kg·m²
//!     distal: PlanarLeg::bar(0.4, 0.17, 0.005),
//!     drive: Drive::with_inertia(0.002),
//!     platform: 0.5,
//!     gravity: 9.81,
//!     mode: [Turn::Left, Turn::Right],
//! }
//! .robot()
//! .checked()?;
//! let middle = PlatformMotion::rest(Pose::translation(V3::new(0.0, 0.4, 0.0)));
//! let [left, right] = robot.mechanism().effort_for(&middle, Wrench::zero())?.effort; // N·m
//! assert!((left + right).abs() < 1e-12); // mirror images
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::engine::legs::PlanarLeg;
use crate::engine::{Drive, MotionSpace, RigidBody, Robot};
use crate::{Real, V3};

/// On which side of the line motor – pin an elbow is, looking from the motor to the pin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Turn {
    /// q = angle to the pin + acos(…).
    Left,
    /// q = angle to the pin − acos(…).
    Right,
}

pub(crate) fn side_of<T: Real>(turn: Turn) -> T {
    match turn {
        Turn::Left => T::one(),
        Turn::Right => -T::one(),
    }
}

/// Geometry and masses; both legs are built alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters<T> {
    /// Half the distance of the motors, d \[m\].
    pub half_distance: T,
    /// Lengths of the proximal and distal bars \[m\].
    pub lengths: [T; 2],
    /// The proximal bar, see [`PlanarLeg::bar`].
    pub proximal: RigidBody<T>,
    /// The distal bar.
    pub distal: RigidBody<T>,
    /// Motor of each leg.
    pub drive: Drive<T>,
    /// Point mass at P \[kg\].
    pub platform: T,
    /// Gravitational acceleration along −y, g₀ \[m/s²\]; 0 for a horizontal robot.
    pub gravity: T,
    /// Working mode. Both elbows outwards: left, right.
    pub mode: [Turn; 2],
}

/// Two legs of two joints, two freedoms, two motors.
pub type FiveBar<T> = Robot<T, 2, 2, 2, 2>;

impl<T: Real> Parameters<T> {
    /// The robot in the general engine.
    pub fn robot(&self) -> FiveBar<T> {
        let o = T::zero();
        let [left, right] = self.mode;
        let leg = |x: T, mode: Turn| {
            PlanarLeg {
                base: V3::new(x, o, o),
                platform_point: V3::zero(),
                lengths: self.lengths,
                proximal: self.proximal,
                distal: self.distal,
                drive: self.drive,
                side: side_of(mode),
            }
            .leg()
        };
        Robot {
            legs: [leg(-self.half_distance, left), leg(self.half_distance, right)],
            platform: RigidBody::point(self.platform, V3::zero()),
            space: MotionSpace::planar_point(),
            gravity: V3::new(o, -self.gravity, o),
        }
    }
}

//! From a path and a timing law to the motion of the platform.
//!
//! | room | holds |
//! |---|---|
//! | [`path`] | where: curves by arc length, with orientation, two derivatives each |
//! | [`law`] | when: σ(t) by duration, speed, acceleration or jerk |
//! | [`optimal`] | when, as fast as the motors allow |
//! | [`check`] | whether: reach and distance to singularities along the whole path |
//!
//! ```text
//! V_P = p' σ̇          V̇_P = p'' σ̇² + p' σ̈          p', p'': twists per metre of path
//! ```
//!
//! A move of Codourey's experiment, 250 mm with a height of 60 mm:
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::trajectory::{Law, Path, SemiEllipse, Shape, Trajectory};
//!
//! let (from, to) = (V3::new(-0.125, 0.0, -0.5), V3::new(0.125, 0.0, -0.5));
//! let path = SemiEllipse::new(from, to, V3::new(0.0, 0.0, 0.06))?;
//! let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0)?;
//! let move_ = Trajectory { path, law };
//! let middle = move_.at(law.duration() / 2.0);
//! assert!((middle.pose.position.z + 0.44).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![allow(clippy::neg_cmp_op_on_partial_ord)] // `!(x > 0)` also refuses NaN
#![allow(clippy::manual_clamp)] // `clamp` panics on NaN bounds

pub mod check;
pub mod law;
pub mod optimal;
pub mod path;

pub use check::{CheckSettings, PathCheck, PathFault, PathFaultKind, PathProbe, check_path};
pub use law::{Law, LawError, LawPoint, Shape, ThereAndBack, TimeLaw};
pub use path::{
    Arc, Ends, Geodesic, InPlace, Line, Orientation, Path, PathError, PathPoint, PickAndPlace, Reversed,
    RotationSpline, RoundedCorner, SemiEllipse, Turned, Turning, WayPoints,
};

use crate::engine::{Pose, Twist};
use crate::robots::delta::Motion;
use crate::{M3, Real, V3};

/// A path with its timing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trajectory<P, L> {
    /// Where.
    pub path: P,
    /// When.
    pub law: L,
}

/// Where the platform is at one instant, how fast it moves and how it accelerates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformState<T> {
    /// Pose of the platform's frame.
    pub pose: Pose<T>,
    /// V_P \[m/s, rad/s\]
    pub twist: Twist<T>,
    /// V̇_P \[m/s², rad/s²\]
    pub acceleration: Twist<T>,
}

impl<T: Real> PlatformState<T> {
    /// The motion of a platform that only translates.
    pub fn motion(&self) -> Motion<T> {
        Motion {
            position: self.pose.position,
            velocity: self.twist.linear,
            acceleration: self.acceleration.linear,
        }
    }
}

impl<P: Path, L: TimeLaw> Trajectory<P, L> {
    /// Pose, twist and acceleration at `time` \[s\]: exact derivatives; at rest outside the law's duration.
    pub fn at(&self, time: f64) -> PlatformState<f64> {
        let now = self.law.at(time);
        self.path.at(now.distance).moving(now.rate, now.acceleration)
    }

    /// T \[s\]
    pub fn duration(&self) -> f64 {
        self.law.duration()
    }
}

/// |v|
#[inline(always)]
fn norm<T: Real>(v: V3<T>) -> T {
    v.norm_sq().sqrt()
}

/// The rotation that changes nothing.
#[inline(always)]
fn upright<T: Real>() -> M3<T> {
    M3::diagonal(V3::splat(T::one()))
}

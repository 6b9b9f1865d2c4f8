//! Paths: pose by arc length, with its first and second derivative.
//!
//! | path | from |
//! |---|---|
//! | [`Line`], [`Arc`] | two points; three points, or centre, axis and angle |
//! | [`SemiEllipse`] | two points and a height |
//! | [`PickAndPlace`] | up, across and down with rounded corners, between ends of any height: the Adept cycle |
//! | [`RoundedCorner`] | two lines that meet, kept exactly up to a distance from their corner |
//! | [`WayPoints`] | points, joined by a cubic spline |
//! | [`Turning`], [`InPlace`] | any of these, or a fixed point, with an [`Orientation`]: [`Geodesic`] or [`RotationSpline`] |
//! | [`Turned`], [`Reversed`] | any path with another fixed orientation; any path backwards |
//!
//! All but [`Arc`]s and [`Line`]s joined by hand have continuous curvature, so a smooth law gives finite, continuous
//! accelerations.

mod arc_length;
mod corner;
mod ellipse;
mod error;
mod pick_and_place;
mod simple;
mod spline;
mod turning;
mod way_points;

pub use corner::RoundedCorner;
pub use ellipse::SemiEllipse;
pub use error::PathError;
pub use pick_and_place::PickAndPlace;
pub use simple::{Arc, Line};
pub use spline::{Ends, spline_moments, spline_slopes};
pub use turning::{
    Geodesic, InPlace, Orientation, RotationSpline, Turned, Turning, quaternion_rates, turning_of_quaternion,
};
pub use way_points::WayPoints;

use super::{PlatformState, upright};
use crate::engine::{Pose, Twist};
use crate::{Real, V3};

/// A point of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PathPoint<T> {
    /// Where the platform is.
    pub pose: Pose<T>,
    /// Twist per unit of the path parameter: p' \[1\] and the turn w \[rad/m\], R' = \[w×\] R.
    pub first: Twist<T>,
    /// Its derivative: p'' \[1/m\], w' \[rad/m²\].
    pub second: Twist<T>,
}

impl<T: Real> PathPoint<T> {
    /// A point of a path that does not turn.
    #[inline(always)]
    pub fn translating(position: V3<T>, first: V3<T>, second: V3<T>) -> Self {
        Self {
            pose: Pose::new(upright(), position),
            first: Twist::new(first, V3::zero()),
            second: Twist::new(second, V3::zero()),
        }
    }

    /// A point of r(u), by arc length: p' = r'/|r'|, p'' = (r'' − (r''·p') p')/|r'|².
    #[inline(always)]
    pub fn of_curve([r, r1, r2]: [V3<T>; 3]) -> Self {
        let per_sq = r1.norm_sq().recip();
        let tangent = r1 * per_sq.sqrt();
        let second = (r2 - tangent * r2.dot(tangent)) * per_sq;
        Self::translating(r, tangent, second)
    }

    /// The state when the path is run through at σ̇ = `rate` and σ̈ = `acceleration`.
    #[inline(always)]
    pub fn moving(&self, rate: T, acceleration: T) -> PlatformState<T> {
        PlatformState {
            pose: self.pose,
            twist: self.first * rate,
            acceleration: self.second * rate.squared() + self.first * acceleration,
        }
    }
}

/// A path of the platform. Parameters beyond its ends count as the ends.
pub trait Path {
    /// L: length \[m\], or the angle \[rad\] of a path that only turns.
    fn length(&self) -> f64;
    /// Pose and derivatives at `s` in [0, L].
    fn at(&self, s: f64) -> PathPoint<f64>;
    /// The next place after `s` where two smooth parts meet, larger than `s`; L if there is none. What samples
    /// the path does well to have a point there.
    fn next_joint(&self, s: f64) -> f64 {
        let _ = s;
        self.length()
    }
}

impl<P: Path + ?Sized> Path for &P {
    fn length(&self) -> f64 {
        (**self).length()
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        (**self).at(s)
    }
    fn next_joint(&self, s: f64) -> f64 {
        (**self).next_joint(s)
    }
}

/// A path from its end to its start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reversed<P>(pub P);

impl<P: Path> Path for Reversed<P> {
    fn length(&self) -> f64 {
        self.0.length()
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        let there = self.0.at(self.0.length() - s);
        PathPoint { first: there.first * -1.0, ..there }
    }
    fn next_joint(&self, s: f64) -> f64 {
        let (length, mut ahead, mut found) = (self.length(), 0.0, 0.0);
        // The last joint before this place, counted from the other end. The comparison is that of the result, so
        // rounding cannot give `s` again.
        while length - ahead > s {
            found = ahead;
            ahead = self.0.next_joint(ahead);
            if ahead >= length {
                break;
            }
        }
        length - found
    }
}

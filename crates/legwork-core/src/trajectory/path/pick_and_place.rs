//! Up, across, down: the cycle by which pick-and-place robots are compared.

use super::super::norm;
use super::arc_length::{Curve, LengthTable};
use super::error::{PathError, finite, positive};
use super::{Path, PathPoint};
use crate::{Real, V3};

/// A rounded corner between two legs of the way.
///
/// ```text
/// r(u) = C − d g(1−u) e₁ + d g(u) e₂,   g(u) = (5u³ − 3u⁴)/2
/// ```
///
/// It leaves e₁ a distance d before the corner and meets e₂ a distance d after it, tangent and with zero
/// curvature at both ends, so curvature is continuous along the whole way. Speed |r'| varies by 16 % only.
/// The smallest radius of a right angle is 0.597 d; the corner is cut by 0.309 d.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Corner<T> {
    vertex: V3<T>,
    reach: T,
    before: V3<T>,
    after: V3<T>,
}

/// g, g', g''
#[inline(always)]
fn blend<T: Real>(u: T) -> [T; 3] {
    let n = T::from_f64;
    let sq = u.squared();
    [sq * u * (n(2.5) - n(1.5) * u), sq * (n(7.5) - n(6.0) * u), u * (n(15.0) - n(18.0) * u)]
}

impl<T: Real> Corner<T> {
    /// r and its derivatives by u in [0, 1].
    #[inline(always)]
    pub fn derivatives(&self, u: T) -> [V3<T>; 3] {
        let ([a, a1, a2], [b, b1, b2]) = (blend(T::one() - u), blend(u));
        let (e1, e2) = (self.before * self.reach, self.after * self.reach);
        [self.vertex - e1 * a + e2 * b, e1 * a1 + e2 * b1, e2 * b2 - e1 * a2]
    }
}

impl Curve for Corner<f64> {
    fn derivatives(&self, u: f64) -> [V3<f64>; 3] {
        Corner::derivatives(self, u)
    }
    fn speed(&self, u: f64) -> f64 {
        let ([_, a, _], [_, b, _]) = (blend(1.0 - u), blend(u));
        norm(self.before * a + self.after * b) * self.reach
    }
}

/// Up by a height, across, down again, with rounded corners: the Adept cycle is 25, 305 and 25 mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickAndPlace {
    start: V3<f64>,
    up: V3<f64>,
    across: V3<f64>,
    corners: [Corner<f64>; 2],
    table: LengthTable<6>,
    /// Straight parts: up and down, across \[m\].
    straight: [f64; 2],
}

impl PickAndPlace {
    /// Height and width of the Adept cycle \[m\].
    pub const ADEPT: [f64; 2] = [0.025, 0.305];

    /// From one point to another \[m\], lifted by `lift` between them, which stands upright on the way across;
    /// the corners begin and end `reach` \[m\] from where the straight lines would meet.
    pub fn new(from: V3<f64>, to: V3<f64>, lift: V3<f64>, reach: f64) -> Result<Self, PathError> {
        for (what, v) in [("start of the cycle", from), ("end of the cycle", to), ("lift of the cycle", lift)]
        {
            finite(what, &v.to_array())?;
        }
        let way = to - from;
        let (width, height) = (norm(way), positive("lift of the cycle", norm(lift))?);
        if !(width > 0.0) {
            return Err(PathError::SamePoint { first: 0 });
        }
        let cosine = way.dot(lift) / (width * height);
        // Typed with six digits it still is a right angle.
        if cosine.abs() > 1e-6 {
            return Err(PathError::NotPerpendicular { what: "way across and lift of the cycle", cosine });
        }
        let reach = positive("reach of the corners", reach)?;
        let limit = height.min(0.5 * width);
        if reach > limit {
            return Err(PathError::TooLong { what: "reach of the corners", value: reach, limit });
        }
        let (up, across) = (lift * (1.0 / height), way * (1.0 / width));
        let corner = |vertex, before, after| Corner { vertex, reach, before, after };
        let corners = [corner(from + lift, up, across), corner(to + lift, across, -up)];
        let [first, _] = corners;
        let table = LengthTable::new(&first, |x| x)?;
        Ok(Self { start: from, up, across, corners, table, straight: [height - reach, width - 2.0 * reach] })
    }

    /// The Adept cycle along x about a point half-way between its lower ends.
    pub fn adept(middle: V3<f64>, reach: f64) -> Result<Self, PathError> {
        let [height, width] = Self::ADEPT;
        let half = V3::new(0.5 * width, 0.0, 0.0);
        Self::new(middle - half, middle + half, V3::along_z(height), reach)
    }
}

impl Path for PickAndPlace {
    fn length(&self) -> f64 {
        let [rise, run] = self.straight;
        2.0 * (rise + self.table.length()) + run
    }

    fn at(&self, s: f64) -> PathPoint<f64> {
        let ([rise, run], bend) = (self.straight, self.table.length());
        let line =
            |from, direction: V3<f64>, s| PathPoint::translating(from + direction * s, direction, V3::zero());
        let [first, second] = &self.corners;
        let round = |corner: &Corner<f64>, s| {
            PathPoint::of_curve(corner.derivatives(self.table.parameter(corner, s)))
        };
        let mut left = s.max(0.0).min(self.length());
        if left <= rise {
            return line(self.start, self.up, left);
        }
        left -= rise;
        if left <= bend {
            return round(first, left);
        }
        left -= bend;
        if left <= run {
            return line(first.vertex + self.across * first.reach, self.across, left);
        }
        left -= run;
        if left <= bend {
            return round(second, left);
        }
        line(second.vertex - self.up * second.reach, -self.up, left - bend)
    }

    fn next_joint(&self, s: f64) -> f64 {
        let ([rise, run], bend, length) = (self.straight, self.table.length(), self.length());
        let joints = [rise, rise + bend, rise + bend + run, length - rise, length];
        joints.into_iter().find(|&joint| joint > s).unwrap_or(length)
    }
}

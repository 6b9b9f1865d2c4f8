//! Up, across, down: the cycle by which pick-and-place robots are compared.

use super::super::norm;
use super::corner::RoundedCorner;
use super::error::{PathError, finite, positive};
use super::{Path, PathPoint};
use crate::V3;

/// Up, across and down again, with rounded corners; its ends may lie at different heights. The Adept cycle is 25, 305
/// and 25 mm.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickAndPlace {
    start: V3<f64>,
    up: V3<f64>,
    across: V3<f64>,
    corners: [RoundedCorner; 2],
    /// Straight parts: up, across, down \[m\].
    straight: [f64; 3],
}

impl PickAndPlace {
    /// Height and width of the Adept cycle \[m\].
    pub const ADEPT: [f64; 2] = [0.025, 0.305];

    /// From one point to another \[m\], lifted by `lift` at both of them; the corners begin and end `reach` \[m\] from
    /// where the straight lines would meet.
    pub fn new(from: V3<f64>, to: V3<f64>, lift: V3<f64>, reach: f64) -> Result<Self, PathError> {
        let height = norm(lift);
        Self::between(from, to, lift, [height; 2], reach)
    }

    /// From one point to another \[m\], `lift` \[m\] up from the first along `up`, across, and `lower` \[m\] down to the
    /// second. The way across is level if the points differ in height as `lift` and `lower` do.
    pub fn between(
        from: V3<f64>,
        to: V3<f64>,
        up: V3<f64>,
        [lift, lower]: [f64; 2],
        reach: f64,
    ) -> Result<Self, PathError> {
        for (what, v) in [("start of the cycle", from), ("end of the cycle", to), ("lift of the cycle", up)] {
            finite(what, &v.to_array())?;
        }
        let up = up * (1.0 / positive("lift of the cycle", norm(up))?);
        let (lift, lower) = (positive("lift of the cycle", lift)?, positive("lowering of the cycle", lower)?);
        if !(norm(to - from) > 0.0) {
            return Err(PathError::SamePoint { first: 0 });
        }
        let corners = [from + up * lift, to + up * lower];
        let [first, second] = corners;
        let way = second - first;
        let width = norm(way);
        // Straight above each other there is nothing to go across, and no corner that could be rounded.
        let beside = norm(way - up * way.dot(up));
        if !(beside > 1e-9 * width) {
            return Err(PathError::NotPositive { what: "way across of the cycle", value: beside });
        }
        let reach = positive("reach of the corners", reach)?;
        let limit = lift.min(lower).min(0.5 * width);
        if reach > limit {
            return Err(PathError::TooLong { what: "reach of the corners", value: reach, limit });
        }
        let across = way * (1.0 / width);
        let corners = [
            RoundedCorner::between([up, across], first, reach)?,
            RoundedCorner::between([across, -up], second, reach)?,
        ];
        let straight = [lift - reach, width - 2.0 * reach, lower - reach];
        Ok(Self { start: from, up, across, corners, straight })
    }

    /// The Adept cycle along x about a point half-way between its lower ends.
    pub fn adept(middle: V3<f64>, reach: f64) -> Result<Self, PathError> {
        let [height, width] = Self::ADEPT;
        let half = V3::new(0.5 * width, 0.0, 0.0);
        Self::new(middle - half, middle + half, V3::along_z(height), reach)
    }

    /// Where its five parts end \[m\].
    fn joints(&self) -> [f64; 5] {
        let ([rise, run, fall], [first, second]) = (self.straight, &self.corners);
        let mut at = 0.0;
        [rise, first.length(), run, second.length(), fall].map(|part| {
            at += part;
            at
        })
    }
}

impl Path for PickAndPlace {
    fn length(&self) -> f64 {
        let [.., end] = self.joints();
        end
    }

    fn at(&self, s: f64) -> PathPoint<f64> {
        let line =
            |from, direction: V3<f64>, s| PathPoint::translating(from + direction * s, direction, V3::zero());
        let ([first, second], [a, b, c, d, end]) = (&self.corners, self.joints());
        let s = s.max(0.0).min(end);
        if s <= a {
            line(self.start, self.up, s)
        } else if s <= b {
            first.at(s - a)
        } else if s <= c {
            line(first.end(), self.across, s - b)
        } else if s <= d {
            second.at(s - c)
        } else {
            line(second.end(), -self.up, s - d)
        }
    }

    fn next_joint(&self, s: f64) -> f64 {
        let joints = self.joints();
        joints.into_iter().find(|&joint| joint > s).unwrap_or(self.length())
    }
}

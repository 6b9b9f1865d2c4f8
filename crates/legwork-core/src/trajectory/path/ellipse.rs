//! The semi-ellipse of the pick-and-place experiments.

use super::super::norm;
use super::arc_length::{Curve, LengthTable};
use super::error::{PathError, finite, positive};
use super::{Path, PathPoint};
use crate::{Real, V3};
use core::f64::consts::PI;

/// p(φ) = C − cos φ w + sin φ h, φ in [0, π]: leaves and arrives along h.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfTurn<T> {
    centre: V3<T>,
    /// w: half the way across.
    half: V3<T>,
    /// h: from the middle to the top.
    height: V3<T>,
}

impl<T: Real> HalfTurn<T> {
    /// p and its derivatives by φ.
    #[inline(always)]
    pub fn derivatives(&self, phi: T) -> [V3<T>; 3] {
        let (sin, cos) = phi.sin_cos();
        let back = self.half * cos - self.height * sin;
        [self.centre - back, self.half * sin + self.height * cos, back]
    }
}

impl Curve for HalfTurn<f64> {
    fn derivatives(&self, phi: f64) -> [V3<f64>; 3] {
        HalfTurn::derivatives(self, phi)
    }
    fn speed(&self, phi: f64) -> f64 {
        let (sin, cos) = Real::sin_cos(phi);
        norm(self.half * sin + self.height * cos)
    }
}

/// Half an ellipse from one point over a top to another, by arc length \[Codourey1998, Sec. 5\].
///
/// Its tangent at both ends is along the height. If that stands upright on the way across, its curvature is |w|/h² at
/// the ends and h/|w|² at the top; between ends of different heights the ellipse leans.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SemiEllipse {
    curve: HalfTurn<f64>,
    table: LengthTable<32>,
}

/// Largest cosine of the angle between the way across and the height.
const STEEPEST: f64 = 0.98;

impl SemiEllipse {
    /// From one point to another \[m\] over a top that lies `height` above their middle.
    pub fn new(from: V3<f64>, to: V3<f64>, height: V3<f64>) -> Result<Self, PathError> {
        for (what, v) in
            [("start of the ellipse", from), ("end of the ellipse", to), ("height of the ellipse", height)]
        {
            finite(what, &v.to_array())?;
        }
        let half = (to - from) * 0.5;
        let (w, h) = (norm(half), positive("height of the ellipse", norm(height))?);
        if !(w > 0.0) {
            return Err(PathError::SamePoint { first: 0 });
        }
        let cosine = half.dot(height) / (w * h);
        // Beyond this the ellipse is a line there and back.
        if !(cosine.abs() < STEEPEST) {
            return Err(PathError::Steep { what: "way across and the height of the ellipse", cosine });
        }
        let curve = HalfTurn { centre: (from + to) * 0.5, half, height };
        // Panels crowd where the ellipse bends: at the ends if it is flat, at the top if it is tall.
        let crowd = if h < w { h / w - 1.0 } else { 1.0 - w / h };
        let node = |x: f64| {
            let (sin, _) = Real::sin_cos(2.0 * PI * x);
            PI * x + 0.5 * crowd * sin
        };
        Ok(Self { curve, table: LengthTable::new(&curve, node)? })
    }

    /// The ellipse by its angle φ.
    pub fn curve(&self) -> &HalfTurn<f64> {
        &self.curve
    }
}

impl Path for SemiEllipse {
    fn length(&self) -> f64 {
        self.table.length()
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        PathPoint::of_curve(self.curve.derivatives(self.table.parameter(&self.curve, s)))
    }
}

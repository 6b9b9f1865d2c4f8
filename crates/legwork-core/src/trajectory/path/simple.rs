//! Straight lines and arcs of circles.
#![allow(non_snake_case)] // P0, P1 of the formulas

use super::super::norm;
use super::error::{PathError, finite, positive};
use super::{Path, PathPoint};
use crate::{Real, V3};

/// A straight line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line<T> {
    from: V3<T>,
    direction: V3<T>,
    length: T,
}

impl Line<f64> {
    /// From one point to another \[m\].
    pub fn new(from: V3<f64>, to: V3<f64>) -> Result<Self, PathError> {
        finite("start of the line", &from.to_array())?;
        finite("end of the line", &to.to_array())?;
        let way = to - from;
        let length = norm(way);
        if length > 0.0 {
            Ok(Self { from, direction: way * (1.0 / length), length })
        } else {
            Err(PathError::SamePoint { first: 0 })
        }
    }
}

impl<T: Real> Line<T> {
    /// The point at `s` from the start.
    #[inline(always)]
    pub fn point(&self, s: T) -> PathPoint<T> {
        PathPoint::translating(self.from + self.direction * s, self.direction, V3::zero())
    }
}

impl Path for Line<f64> {
    fn length(&self) -> f64 {
        self.length
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        self.point(s.max(0.0).min(self.length))
    }
}

/// An arc of a circle: p = C + r (cos φ e + sin φ n × e), φ = s/r.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arc<T> {
    centre: V3<T>,
    /// e and n × e, unit vectors.
    axes: [V3<T>; 2],
    radius: T,
    length: T,
}

impl Arc<f64> {
    /// From `start` about an axis through `centre` with direction `normal`, by `angle` \[rad\]; a negative one turns the other way.
    pub fn about(centre: V3<f64>, normal: V3<f64>, start: V3<f64>, angle: f64) -> Result<Self, PathError> {
        for (what, v) in
            [("centre of the arc", centre), ("axis of the arc", normal), ("start of the arc", start)]
        {
            finite(what, &v.to_array())?;
        }
        finite("angle of the arc", &[angle])?;
        let size = positive("angle of the arc, without its sign", angle.abs())?;
        let spoke = start - centre;
        let radius = positive("radius of the arc", norm(spoke))?;
        let axis = normal * (1.0 / positive("length of the axis", norm(normal))?);
        let e = spoke * (1.0 / radius);
        let cosine = axis.dot(e);
        // Typed with six digits it still is a right angle.
        if cosine.abs() > 1e-6 {
            return Err(PathError::NotPerpendicular { what: "axis and radius of the arc", cosine });
        }
        let side = axis.cross(e) * angle.signum();
        Ok(Self { centre, axes: [e, side], radius, length: radius * size })
    }

    /// Through three points, in their order.
    pub fn through(P0: V3<f64>, P1: V3<f64>, P2: V3<f64>) -> Result<Self, PathError> {
        for v in [P0, P1, P2] {
            finite("points of the arc", &v.to_array())?;
        }
        let (u, v) = (P1 - P0, P2 - P0);
        for (first, way) in [(0, u), (1, P2 - P1), (2, v)] {
            if !(way.norm_sq() > 0.0) {
                return Err(PathError::SamePoint { first: first % 2 });
            }
        }
        let n = u.cross(v);
        // The sine of the angle at P0; thinner than this the centre is lost in rounding.
        if !(n.norm_sq() > 1e-20 * u.norm_sq() * v.norm_sq()) {
            return Err(PathError::Collinear);
        }
        // C − P0 = ( |u|² v×n + |v|² n×u ) / (2 n·n)
        let to_centre = (v.cross(n) * u.norm_sq() + n.cross(u) * v.norm_sq()) * (0.5 / n.norm_sq());
        let centre = P0 + to_centre;
        let (axis, e) = (n * (1.0 / norm(n)), -to_centre);
        let last = P2 - centre;
        let turn = Real::atan2(axis.dot(e.cross(last)), e.dot(last));
        let angle = if turn > 0.0 { turn } else { turn + 2.0 * core::f64::consts::PI };
        let e = e * (1.0 / norm(e));
        let radius = norm(to_centre);
        Ok(Self { centre, axes: [e, axis.cross(e)], radius, length: radius * angle })
    }

    /// Radius \[m\].
    pub fn radius(&self) -> f64 {
        self.radius
    }
}

impl<T: Real> Arc<T> {
    /// The point at `s` from the start.
    #[inline(always)]
    pub fn point(&self, s: T) -> PathPoint<T> {
        let [e, side] = self.axes;
        let (sin, cos) = (s / self.radius).sin_cos();
        let spoke = e * cos + side * sin;
        PathPoint::translating(
            self.centre + spoke * self.radius,
            side * cos - e * sin,
            spoke * -self.radius.recip(),
        )
    }
}

impl Path for Arc<f64> {
    fn length(&self) -> f64 {
        self.length
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        self.point(s.max(0.0).min(self.length))
    }
}

//! Orientation along a path, on the rotation group.

use super::super::norm;
use super::error::{PathError, finite, positive};
use super::spline::{CubicSpline, Ends};
use super::{Path, PathPoint};
use crate::engine::{Pose, Twist};
use crate::motion::Quaternion;
use crate::{M3, Real, V3};

/// An orientation over a share u of the way, in [0, 1].
pub trait Orientation {
    /// R, the turn w per unit of u in base axes (R' = \[w×\] R), and w'.
    fn at(&self, u: f64) -> (M3<f64>, V3<f64>, V3<f64>);
}

/// Hamilton's product, vector part; scalar part of q r.
fn product(q: Quaternion<f64>, r: Quaternion<f64>) -> Quaternion<f64> {
    Quaternion {
        scalar: q.scalar * r.scalar - q.vector.dot(r.vector),
        vector: r.vector * q.scalar + q.vector * r.scalar + q.vector.cross(r.vector),
    }
}

fn conjugate(q: Quaternion<f64>) -> Quaternion<f64> {
    Quaternion { vector: -q.vector, ..q }
}

/// The shortest turn from one orientation to another: R(u) = e^{u φ \[n×\]} R₀, at a constant rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geodesic {
    from: Quaternion<f64>,
    axis: V3<f64>,
    angle: f64,
}

impl Geodesic {
    /// From one orientation to another, by the shorter way round.
    pub fn new(from: M3<f64>, to: M3<f64>) -> Result<Self, PathError> {
        for (what, r) in [("first orientation", from), ("last orientation", to)] {
            finite(what, r.to_rows().as_flattened())?;
        }
        let start = Quaternion::of_rotation(from);
        let turn = product(Quaternion::of_rotation(to), conjugate(start)).normalized(); // w ≥ 0: at most half a turn
        let sine = norm(turn.vector);
        let axis = if sine > 0.0 { turn.vector * (1.0 / sine) } else { V3::along_z(1.0) };
        Ok(Self { from: start, axis, angle: 2.0 * Real::atan2(sine, turn.scalar) })
    }

    /// The angle between both \[rad\], at most π.
    pub fn angle(&self) -> f64 {
        self.angle
    }
}

impl Orientation for Geodesic {
    fn at(&self, u: f64) -> (M3<f64>, V3<f64>, V3<f64>) {
        let (sin, cos) = Real::sin_cos(0.5 * self.angle * u);
        let turn = Quaternion { scalar: cos, vector: self.axis * sin };
        (product(turn, self.from).rotation(), self.axis * self.angle, V3::zero())
    }
}

/// R, the turn w (R' = \[w×\] R) and w' of a quaternion W X Y Z that need not be of unit length, with its first and
/// second derivative:
///
/// ```text
/// w = 2 Im(q' q̄)/|q|²,   w' = 2 Im(q'' q̄)/|q|² − 2 (q·q'/|q|²) w
/// ```
pub fn turning_of_quaternion(derivatives: [[f64; 4]; 3]) -> (M3<f64>, V3<f64>, V3<f64>) {
    let [q, first, second] = derivatives.map(Quaternion::from_array);
    let size = q.scalar * q.scalar + q.vector.norm_sq();
    let back = conjugate(q);
    let w = product(first, back).vector * (2.0 / size);
    let stretch = (q.scalar * first.scalar + q.vector.dot(first.vector)) / size;
    (q.rotation(), w, product(second, back).vector * (2.0 / size) - w * (2.0 * stretch))
}

/// The first and second derivative of the unit quaternion W X Y Z of an orientation that turns by w and w':
/// q' = w q/2, q'' = (w' q + w q')/2.
pub fn quaternion_rates(quaternion: [f64; 4], w: V3<f64>, w1: V3<f64>) -> [[f64; 4]; 2] {
    let half = |w: V3<f64>| Quaternion { scalar: 0.0, vector: w * 0.5 };
    let q = Quaternion::from_array(quaternion);
    let first = product(half(w), q);
    let (a, b) = (product(half(w1), q).to_array(), product(half(w), first).to_array());
    let mut of_b = b.into_iter();
    [first.to_array(), a.map(|x| x + of_b.next().unwrap_or(0.0))]
}

/// Through N orientations: a cubic spline of quaternions that need not be of unit length, so the rotation
/// meets every one of them and is twice continuously differentiable: [`turning_of_quaternion`].
///
/// Neighbours are taken by the shorter way round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationSpline<const N: usize> {
    spline: CubicSpline<N, 4>,
}

impl<const N: usize> RotationSpline<N> {
    /// Through the orientations at the shares `knots` of the way, growing from 0 to 1; with no turn of the
    /// turn at both ends (natural).
    pub fn new(orientations: &[M3<f64>; N], knots: [f64; N]) -> Result<Self, PathError> {
        finite("orientations", orientations.map(M3::to_rows).as_flattened().as_flattened())?;
        let mut last = [1.0, 0.0, 0.0, 0.0];
        let values = orientations.map(|r| {
            let q = Quaternion::of_rotation(r).to_array();
            let dot: f64 = q.iter().zip(&last).map(|(a, b)| a * b).sum();
            last = if dot < 0.0 { q.map(|x| -x) } else { q };
            last
        });
        Ok(Self { spline: CubicSpline::new(knots, values, Ends::Natural)? })
    }

    /// At the way-points of a path: `lengths` are their places on it.
    pub fn along(orientations: &[M3<f64>; N], lengths: &[f64; N]) -> Result<Self, PathError> {
        let whole = positive("length of the path", lengths.last().copied().unwrap_or(0.0))?;
        Self::new(orientations, lengths.map(|length| length / whole))
    }
}

impl<const N: usize> Orientation for RotationSpline<N> {
    fn at(&self, u: f64) -> (M3<f64>, V3<f64>, V3<f64>) {
        turning_of_quaternion(self.spline.at(u))
    }
}

/// A path with an orientation that changes along it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turning<P, O> {
    /// Positions; its own orientation is replaced.
    pub path: P,
    /// Orientation over the share of the way.
    pub orientation: O,
}

impl<P: Path, O: Orientation> Path for Turning<P, O> {
    fn length(&self) -> f64 {
        self.path.length()
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        let (point, per) = (self.path.at(s), 1.0 / self.path.length());
        let (rotation, w, w1) = self.orientation.at((s * per).max(0.0).min(1.0));
        PathPoint {
            pose: Pose::new(rotation, point.pose.position),
            first: Twist::new(point.first.linear, w * per),
            second: Twist::new(point.second.linear, w1 * (per * per)),
        }
    }
    fn next_joint(&self, s: f64) -> f64 {
        self.path.next_joint(s)
    }
}

/// A turn at a fixed point; the parameter is an angle of `length` \[rad\] in all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InPlace<O> {
    position: V3<f64>,
    orientation: O,
    length: f64,
}

impl<O: Orientation> InPlace<O> {
    /// At `position` \[m\]; `length` \[rad\] is what the parameter runs over.
    pub fn new(position: V3<f64>, orientation: O, length: f64) -> Result<Self, PathError> {
        finite("position", &position.to_array())?;
        Ok(Self { position, orientation, length: positive("angle of the turn", length)? })
    }
}

impl InPlace<Geodesic> {
    /// The shortest turn at `position` \[m\]; the parameter is the angle turned.
    pub fn shortest(position: V3<f64>, from: M3<f64>, to: M3<f64>) -> Result<Self, PathError> {
        let turn = Geodesic::new(from, to)?;
        Self::new(position, turn, turn.angle())
    }
}

impl<O: Orientation> Path for InPlace<O> {
    fn length(&self) -> f64 {
        self.length
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        let per = 1.0 / self.length;
        let (rotation, w, w1) = self.orientation.at((s * per).max(0.0).min(1.0));
        PathPoint {
            pose: Pose::new(rotation, self.position),
            first: Twist::new(V3::zero(), w * per),
            second: Twist::new(V3::zero(), w1 * (per * per)),
        }
    }
}

/// A path with another, fixed orientation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Turned<P> {
    /// Positions.
    pub path: P,
    /// Orientation of the platform, R.
    pub rotation: M3<f64>,
}

impl<P: Path> Path for Turned<P> {
    fn length(&self) -> f64 {
        self.path.length()
    }
    fn at(&self, s: f64) -> PathPoint<f64> {
        let point = self.path.at(s);
        PathPoint {
            pose: Pose::new(self.rotation, point.pose.position),
            first: Twist::new(point.first.linear, V3::zero()),
            second: Twist::new(point.second.linear, V3::zero()),
        }
    }
    fn next_joint(&self, s: f64) -> f64 {
        self.path.next_joint(s)
    }
}

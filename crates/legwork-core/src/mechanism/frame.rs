//! Frames stored by their axes, and quaternions of balls and free bodies.

use crate::engine::Pose;
use crate::{M3, Real, V3};

/// Where a frame is: its axes and its origin in a reference. A [`Pose`] whose rotation is kept by columns,
/// because joints turn about axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame<T> {
    /// First axis.
    pub x: V3<T>,
    /// Second axis.
    pub y: V3<T>,
    /// Third axis.
    pub z: V3<T>,
    /// Origin \[m\].
    pub origin: V3<T>,
}

impl<T: Real> Frame<T> {
    /// The reference itself.
    #[inline(always)]
    pub fn identity() -> Self {
        let (o, l) = (T::zero(), T::one());
        Self { x: V3::new(l, o, o), y: V3::new(o, l, o), z: V3::new(o, o, l), origin: V3::zero() }
    }

    /// From a pose.
    #[inline(always)]
    pub fn from_pose(pose: &Pose<T>) -> Self {
        let axes = pose.rotation.columns();
        Self { x: axes.x, y: axes.y, z: axes.z, origin: pose.position }
    }

    /// As a pose.
    #[inline(always)]
    pub fn to_pose(&self) -> Pose<T> {
        Pose::new(M3::from_columns(self.x, self.y, self.z), self.origin)
    }

    /// A vector of the frame in axes of the reference.
    #[inline(always)]
    pub fn turned(&self, v: V3<T>) -> V3<T> {
        self.x * v.x + self.y * v.y + self.z * v.z
    }

    /// A vector of the reference in axes of the frame.
    #[inline(always)]
    pub fn inside(&self, v: V3<T>) -> V3<T> {
        V3::new(self.x.dot(v), self.y.dot(v), self.z.dot(v))
    }

    /// A point of the frame, seen from the reference.
    #[inline(always)]
    pub fn of(&self, point: V3<T>) -> V3<T> {
        self.turned(point) + self.origin
    }

    /// A frame of this frame, seen from the reference.
    #[inline(always)]
    pub fn then(&self, inner: &Self) -> Self {
        Self {
            x: self.turned(inner.x),
            y: self.turned(inner.y),
            z: self.turned(inner.z),
            origin: self.of(inner.origin),
        }
    }

    /// The reference seen from the frame.
    pub fn inverse(&self) -> Self {
        Self::from_pose(&self.to_pose().inverse())
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> Frame<U> {
        Frame {
            x: self.x.map(&mut f),
            y: self.y.map(&mut f),
            z: self.z.map(&mut f),
            origin: self.origin.map(&mut f),
        }
    }
}

/// The axes that a quaternion (w, x, y, z) of length one turns the reference into, origin at zero.
#[inline(always)]
pub fn axes_of_quaternion<T: Real>([w, x, y, z]: [T; 4]) -> Frame<T> {
    let (l, two) = (T::one(), T::from_f64(2.0));
    let (x2, y2, z2) = (x * two, y * two, z * two);
    let (xx, yy, zz) = (x * x2, y * y2, z * z2);
    let (xy, yz, zx) = (x * y2, y * z2, z * x2);
    let (wx, wy, wz) = (w * x2, w * y2, w * z2);
    Frame {
        x: V3::new(l - (yy + zz), xy + wz, zx - wy),
        y: V3::new(xy - wz, l - (zz + xx), yz + wx),
        z: V3::new(zx + wy, yz - wx, l - (xx + yy)),
        origin: V3::zero(),
    }
}

/// a ⊗ b
#[inline(always)]
pub fn quaternion_product<T: Real>([a, b, c, d]: [T; 4], [e, f, g, h]: [T; 4]) -> [T; 4] {
    [
        a * e - b * f - c * g - d * h,
        a * f + b * e + c * h - d * g,
        a * g - b * h + c * e + d * f,
        a * h + b * g - c * f + d * e,
    ]
}

/// The quaternion of Cayley's turn by a small rotation vector: (1, δ/2) over its length.
#[inline(always)]
pub fn small_turn<T: Real>(by: V3<T>) -> [T; 4] {
    let half = by * T::from_f64(0.5);
    let scale = (T::one() + half.norm_sq()).sqrt().recip();
    [scale, half.x * scale, half.y * scale, half.z * scale]
}

/// A quaternion over its length.
#[inline(always)]
pub fn normalized<T: Real>([w, x, y, z]: [T; 4]) -> [T; 4] {
    let scale = (w * w + x * x + y * y + z * z).sqrt().recip();
    [w * scale, x * scale, y * scale, z * scale]
}

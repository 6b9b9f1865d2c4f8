//! The one scalar every formula is written for.

use core::ops::{Add, Div, Mul, Neg, Sub};

/// A real number: `f64`, `f32`, SIMD lanes, [`Dual`](crate::Dual) numbers or a
/// recorded trace.
///
/// There is no ordering and no `bool` on purpose: a formula that asks `if x < y`
/// could be neither recorded nor run in lanes, so it does not compile. Choose
/// with [`lt`](Real::lt) and [`select`](Real::select) instead. Functions are
/// total; where the mathematics has an edge (out of reach, singular) they
/// return a margin beside the value, see [`Margin`].
pub trait Real:
    Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> + Neg<Output = Self>
{
    /// The answer to a comparison: `bool`, a lane mask, a node of the trace.
    type Mask: Copy;

    /// The nearest number of this kind.
    fn from_f64(value: f64) -> Self;
    /// Square root; NaN below zero.
    fn sqrt(self) -> Self;
    /// Absolute value.
    fn abs(self) -> Self;
    /// Sine and cosine of an angle in radians.
    fn sin_cos(self) -> (Self, Self);
    /// Angle of the point (`x`, `self`), in (−π, π].
    fn atan2(self, x: Self) -> Self;
    /// `self < other`.
    fn lt(self, other: Self) -> Self::Mask;
    /// `yes` where the mask is set, `no` elsewhere.
    fn select(mask: Self::Mask, yes: Self, no: Self) -> Self;

    /// 0
    #[inline(always)]
    fn zero() -> Self {
        Self::from_f64(0.0)
    }
    /// 1
    #[inline(always)]
    fn one() -> Self {
        Self::from_f64(1.0)
    }
    /// 1 / x
    #[inline(always)]
    fn recip(self) -> Self {
        Self::one() / self
    }
    /// x²
    #[inline(always)]
    fn squared(self) -> Self {
        self * self
    }
    /// The smaller one; NaN if either is NaN, so that a margin never hides one.
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        // Neither is smaller: they are equal, or one is NaN and so is the mean.
        let tie = (self + other) * Self::from_f64(0.5);
        Self::select(self.lt(other), self, Self::select(other.lt(self), other, tie))
    }
    /// The larger one; NaN if either is NaN, so that the worst of many errors never hides one.
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        -(-self).min(-other)
    }
    /// a + f·b of four numbers side by side: what a machine with wide registers does at once, to the same bits.
    #[inline(always)]
    fn four_plus([a, b, c, d]: [Self; 4], f: Self, [p, q, r, s]: [Self; 4]) -> [Self; 4] {
        [a + f * p, b + f * q, c + f * r, d + f * s]
    }
    /// a·b, place by place.
    #[inline(always)]
    fn four_times([a, b, c, d]: [Self; 4], [p, q, r, s]: [Self; 4]) -> [Self; 4] {
        [a * p, b * q, c * r, d * s]
    }
    /// s + a·b, place by place.
    #[inline(always)]
    fn four_plus_times(
        [s, t, u, v]: [Self; 4],
        [a, b, c, d]: [Self; 4],
        [p, q, r, w]: [Self; 4],
    ) -> [Self; 4] {
        [s + a * p, t + b * q, u + c * r, v + d * w]
    }
    /// −1, 0 or 1.
    #[inline(always)]
    fn signum0(self) -> Self {
        let zero = Self::zero();
        let negative = Self::select(self.lt(zero), -Self::one(), zero);
        Self::select(zero.lt(self), Self::one(), negative)
    }
}

/// A value and how far it is from the edge where it stops to exist.
///
/// The value means something only where `margin > 0`. A NaN margin is not
/// positive, so test with [`is_valid`](Margin::is_valid) or `!(margin > 0)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Margin<V, T> {
    /// The result; NaN or meaningless where the margin is not positive.
    pub value: V,
    /// Positive inside; each function says in which unit.
    pub margin: T,
}

impl<V, T: PartialOrd + From<u8>> Margin<V, T> {
    /// Whether the value exists.
    pub fn is_valid(&self) -> bool {
        self.margin > T::from(0)
    }
}

macro_rules! primitive {
    ($t:ty, $sqrt:ident, $sin_cos:ident, $atan2:ident, { $($four:item)* }) => {
        impl Real for $t {
            type Mask = bool;
            $($four)*
            #[inline(always)]
            #[allow(clippy::cast_possible_truncation, clippy::cast_lossless, trivial_numeric_casts)]
            fn from_f64(value: f64) -> Self {
                value as Self
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                #[cfg(feature = "std")]
                return std_math::$sqrt(self);
                #[cfg(not(feature = "std"))]
                return libm::$sqrt(self);
            }
            #[inline(always)]
            fn abs(self) -> Self {
                <$t>::abs(self)
            }
            #[inline(always)]
            fn sin_cos(self) -> (Self, Self) {
                #[cfg(feature = "std")]
                return std_math::$sin_cos(self);
                #[cfg(not(feature = "std"))]
                return libm::$sin_cos(self);
            }
            #[inline(always)]
            fn atan2(self, x: Self) -> Self {
                #[cfg(feature = "std")]
                return std_math::$atan2(self, x);
                #[cfg(not(feature = "std"))]
                return libm::$atan2(self, x);
            }
            #[inline(always)]
            fn lt(self, other: Self) -> bool {
                self < other
            }
            #[inline(always)]
            fn select(mask: bool, yes: Self, no: Self) -> Self {
                if mask { yes } else { no }
            }
        }
    };
}

primitive!(f64, sqrt, sincos, atan2, {
    #[cfg(feature = "simd")]
    #[inline(always)]
    fn four_plus(a: [Self; 4], f: Self, b: [Self; 4]) -> [Self; 4] {
        (wide::f64x4::new(a) + wide::f64x4::splat(f) * wide::f64x4::new(b)).to_array()
    }
    #[cfg(feature = "simd")]
    #[inline(always)]
    fn four_plus_times(s: [Self; 4], a: [Self; 4], b: [Self; 4]) -> [Self; 4] {
        (wide::f64x4::new(s) + wide::f64x4::new(a) * wide::f64x4::new(b)).to_array()
    }
    #[cfg(feature = "simd")]
    #[inline(always)]
    fn four_times(a: [Self; 4], b: [Self; 4]) -> [Self; 4] {
        (wide::f64x4::new(a) * wide::f64x4::new(b)).to_array()
    }
});
primitive!(f32, sqrtf, sincosf, atan2f, {});

/// The standard library's functions under `libm`'s names.
#[cfg(feature = "std")]
mod std_math {
    #[inline(always)]
    pub(super) fn sqrt(x: f64) -> f64 {
        x.sqrt()
    }
    #[inline(always)]
    pub(super) fn sincos(x: f64) -> (f64, f64) {
        x.sin_cos()
    }
    #[inline(always)]
    pub(super) fn atan2(y: f64, x: f64) -> f64 {
        y.atan2(x)
    }
    #[inline(always)]
    pub(super) fn sqrtf(x: f32) -> f32 {
        x.sqrt()
    }
    #[inline(always)]
    pub(super) fn sincosf(x: f32) -> (f32, f32) {
        x.sin_cos()
    }
    #[inline(always)]
    pub(super) fn atan2f(y: f32, x: f32) -> f32 {
        y.atan2(x)
    }
}

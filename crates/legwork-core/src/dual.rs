//! Dual numbers: exact derivatives by running a formula.

#![allow(clippy::suspicious_arithmetic_impl)] // the product rule adds

use crate::Real;
use core::array::from_fn;
use core::ops::{Add, Div, Mul, Neg, Sub};

/// `re + Σ eps[k] εₖ` with `εₖ εₗ = 0`: a value and its derivative along `N`
/// directions. Nests over any [`Real`], so `Dual<Dual<f64, N>, N>` gives second
/// derivatives and `Dual<Trace, N>` records a Jacobian.
///
/// ```
/// use legwork_core::{Dual, Real};
/// let x = Dual::variable(2.0_f64, 0);
/// let y: Dual<f64, 1> = x * x * x;
/// assert_eq!((y.re, y.eps), (8.0, [12.0]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dual<T, const N: usize> {
    /// The value.
    pub re: T,
    /// Its derivatives.
    pub eps: [T; N],
}

impl<T: Real, const N: usize> Dual<T, N> {
    /// A number that does not depend on the variables.
    #[inline(always)]
    pub fn constant(re: T) -> Self {
        Self { re, eps: [T::zero(); N] }
    }

    /// The variable number `k`.
    #[inline(always)]
    pub fn variable(re: T, k: usize) -> Self {
        Self { re, eps: from_fn(|j| if j == k { T::one() } else { T::zero() }) }
    }

    /// f(self), given f and f′ at the value.
    #[inline(always)]
    fn chain(self, value: T, slope: T) -> Self {
        self.each(value, |e| e * slope)
    }

    // Plain loops: iterators and `array::map` are as fast, but a formula in dual numbers has thousands of these, and
    // they made the library an eighth larger and slower to build.
    #[inline(always)]
    #[allow(clippy::indexing_slicing)] // bounded by N
    fn each(self, re: T, f: impl Fn(T) -> T) -> Self {
        let mut eps = self.eps;
        let mut k = 0;
        while k < N {
            eps[k] = f(eps[k]);
            k += 1;
        }
        Self { re, eps }
    }

    #[inline(always)]
    #[allow(clippy::indexing_slicing)] // bounded by N
    fn zip(self, other: Self, re: T, f: impl Fn(T, T) -> T) -> Self {
        let mut eps = self.eps;
        let mut k = 0;
        while k < N {
            eps[k] = f(eps[k], other.eps[k]);
            k += 1;
        }
        Self { re, eps }
    }
}

impl<T: Real, const N: usize> Add for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.zip(o, self.re + o.re, |a, b| a + b)
    }
}

impl<T: Real, const N: usize> Sub for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.zip(o, self.re - o.re, |a, b| a - b)
    }
}

impl<T: Real, const N: usize> Mul for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        self.zip(o, self.re * o.re, |a, b| a * o.re + b * self.re)
    }
}

impl<T: Real, const N: usize> Div for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn div(self, o: Self) -> Self {
        // `re / o.re`, not `re * recip`: the value must equal the plain scalar's to the bit.
        let re = self.re / o.re;
        let r = o.re.recip();
        self.zip(o, re, |a, b| (a - b * re) * r)
    }
}

impl<T: Real, const N: usize> Neg for Dual<T, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.each(-self.re, |e| -e)
    }
}

impl<T: Real, const N: usize> Real for Dual<T, N> {
    type Mask = T::Mask;

    #[inline(always)]
    fn from_f64(value: f64) -> Self {
        Self::constant(T::from_f64(value))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        let root = self.re.sqrt();
        self.chain(root, T::from_f64(0.5) / root)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        let slope = T::select(self.re.lt(T::zero()), -T::one(), T::one());
        self.chain(self.re.abs(), slope)
    }
    #[inline(always)]
    fn sin_cos(self) -> (Self, Self) {
        let (s, c) = self.re.sin_cos();
        (self.chain(s, c), self.chain(c, -s))
    }
    #[inline(always)]
    fn atan2(self, x: Self) -> Self {
        let r = (self.re * self.re + x.re * x.re).recip();
        self.zip(x, self.re.atan2(x.re), |dy, dx| (dy * x.re - dx * self.re) * r)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> T::Mask {
        self.re.lt(other.re)
    }
    #[inline(always)]
    fn select(mask: T::Mask, yes: Self, no: Self) -> Self {
        yes.zip(no, T::select(mask, yes.re, no.re), |a, b| T::select(mask, a, b))
    }
}

//! Double-double: a sum of two f64 with twice the digits \[Dekker1971\].
//!
//! An operation has a relative error below 2⁻¹⁰⁰ \[JoldesMullerPopescu2017\]; [`Double::SLACK`] is far above what the
//! few dozen operations of a residual add up to.

use std::ops::{Add, Mul, Neg, Sub};

/// An unevaluated sum of two f64, the second below half a unit of the first.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Double {
    high: f64,
    low: f64,
}

#[inline(always)]
fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let other = sum - a;
    (sum, (a - (sum - other)) + (b - other))
}

#[inline(always)]
fn two_product(a: f64, b: f64) -> (f64, f64) {
    let product = a * b;
    (product, a.mul_add(b, -product))
}

#[inline(always)]
fn quick_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, b - (sum - a))
}

impl Double {
    pub const ZERO: Self = Self { high: 0.0, low: 0.0 };

    /// What a residual is off by at most, of the sum of the sizes of its terms: 2⁻⁹⁰.
    pub const SLACK: f64 = 8.077_935_669_463_161e-28;

    pub const fn of(value: f64) -> Self {
        Self { high: value, low: 0.0 }
    }

    /// a − b, exactly.
    pub fn difference(a: f64, b: f64) -> Self {
        let (high, low) = two_sum(a, -b);
        Self { high, low }
    }

    /// a b, exactly.
    pub fn product(a: f64, b: f64) -> Self {
        let (high, low) = two_product(a, b);
        Self { high, low }
    }

    /// Times a power of two.
    pub fn scaled(self, factor: f64) -> Self {
        Self { high: self.high * factor, low: self.low * factor }
    }

    pub fn value(self) -> f64 {
        self.high
    }
}

impl Add for Double {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        let (high, low) = two_sum(self.high, o.high);
        let (other, lowest) = two_sum(self.low, o.low);
        let (high, low) = quick_sum(high, low + other);
        let (high, low) = quick_sum(high, low + lowest);
        Self { high, low }
    }
}

impl Neg for Double {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self { high: -self.high, low: -self.low }
    }
}

impl Sub for Double {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self + -o
    }
}

impl Mul for Double {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let (high, low) = two_product(self.high, o.high);
        let low = low + (self.high * o.low + self.low * o.high);
        let (high, low) = quick_sum(high, low);
        Self { high, low }
    }
}

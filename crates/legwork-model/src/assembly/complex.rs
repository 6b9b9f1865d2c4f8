//! Complex numbers and the one linear solver that the paths need.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A complex number.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Complex {
    pub re: f64,
    pub im: f64,
}

/// re + i im.
pub(super) const fn complex(re: f64, im: f64) -> Complex {
    Complex { re, im }
}

impl Complex {
    pub const ZERO: Self = complex(0.0, 0.0);
    pub const ONE: Self = complex(1.0, 0.0);

    /// The number of modulus 1 with this argument \[rad\].
    pub fn unit(angle: f64) -> Self {
        let (sin, cos) = angle.sin_cos();
        complex(cos, sin)
    }

    #[inline(always)]
    pub fn conj(self) -> Self {
        complex(self.re, -self.im)
    }

    #[inline(always)]
    pub fn norm_sq(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    pub fn norm(self) -> f64 {
        self.norm_sq().sqrt()
    }

    #[inline(always)]
    pub fn scaled(self, factor: f64) -> Self {
        complex(self.re * factor, self.im * factor)
    }

    /// 1/z; the numbers here are near 1, so no care for overflow is needed.
    #[inline(always)]
    pub fn inverse(self) -> Self {
        let factor = 1.0 / self.norm_sq();
        complex(self.re * factor, -self.im * factor)
    }
}

impl Add for Complex {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        complex(self.re + o.re, self.im + o.im)
    }
}

impl Sub for Complex {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        complex(self.re - o.re, self.im - o.im)
    }
}

impl Mul for Complex {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        complex(self.re * o.re - self.im * o.im, self.re * o.im + self.im * o.re)
    }
}

impl Neg for Complex {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        complex(-self.re, -self.im)
    }
}

impl AddAssign for Complex {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}

impl SubAssign for Complex {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}

/// A vector of N complex numbers.
pub(super) type Vector<const N: usize> = [Complex; N];

/// Σ aₖ bₖ, without conjugation.
#[inline(always)]
pub(super) fn dot(a: &[Complex], b: &[Complex]) -> Complex {
    a.iter().zip(b).fold(Complex::ZERO, |sum, (a, b)| sum + *a * *b)
}

/// |v|².
#[inline(always)]
pub(super) fn norm_sq(v: &[Complex]) -> f64 {
    v.iter().map(|z| z.norm_sq()).sum()
}

/// |v|.
pub(super) fn norm(v: &[Complex]) -> f64 {
    norm_sq(v).sqrt()
}

/// v times a number.
#[inline(always)]
pub(super) fn times<const N: usize>(v: &Vector<N>, factor: Complex) -> Vector<N> {
    v.map(|z| z * factor)
}

/// a + factor · b.
#[inline(always)]
pub(super) fn plus<const N: usize>(a: &Vector<N>, factor: f64, b: &Vector<N>) -> Vector<N> {
    std::array::from_fn(|k| a[k] + b[k].scaled(factor))
}

/// a − b.
#[inline(always)]
pub(super) fn minus<const N: usize>(a: &Vector<N>, b: &Vector<N>) -> Vector<N> {
    std::array::from_fn(|k| a[k] - b[k])
}

/// P M = L U of a square matrix, rows exchanged for the largest pivot.
#[derive(Clone, Copy)]
pub(super) struct Lu<const N: usize> {
    factors: [Vector<N>; N],
    order: [usize; N],
}

impl<const N: usize> Lu<N> {
    /// None for a matrix with a pivot that is zero or not a number.
    #[inline]
    pub fn new(mut m: [Vector<N>; N]) -> Option<Self> {
        let mut order: [usize; N] = std::array::from_fn(|k| k);
        for k in 0..N {
            let mut best = k;
            let mut size = m[k][k].norm_sq();
            for i in k + 1..N {
                let other = m[i][k].norm_sq();
                if other > size {
                    (best, size) = (i, other);
                }
            }
            if !(size > 1e-280 && size < 1e280) {
                return None;
            }
            m.swap(k, best);
            order.swap(k, best);
            let pivot = m[k][k].inverse();
            m[k][k] = pivot;
            let (above, below) = m.split_at_mut(k + 1);
            let top = &above[k];
            for row in below {
                let factor = row[k] * pivot;
                row[k] = factor;
                for j in k + 1..N {
                    row[j] -= factor * top[j];
                }
            }
        }
        Some(Self { factors: m, order })
    }

    /// M⁻¹ v.
    #[inline]
    pub fn solve(&self, v: &Vector<N>) -> Vector<N> {
        let mut x: Vector<N> = std::array::from_fn(|k| v[self.order[k]]);
        for k in 1..N {
            let mut sum = x[k];
            for j in 0..k {
                sum -= self.factors[k][j] * x[j];
            }
            x[k] = sum;
        }
        for k in (0..N).rev() {
            let mut sum = x[k];
            for j in k + 1..N {
                sum -= self.factors[k][j] * x[j];
            }
            x[k] = sum * self.factors[k][k];
        }
        x
    }

    /// M⁻¹ by columns.
    pub fn inverse(&self) -> [Vector<N>; N] {
        std::array::from_fn(|k| {
            let mut unit = [Complex::ZERO; N];
            unit[k] = Complex::ONE;
            self.solve(&unit)
        })
    }
}

//! Small dense matrices as arrays of rows, and the Householder factors of a tall one.
//!
//! Every index is bounded by a const parameter that the compiler sees.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)]

use crate::{Margin, Real};

/// a·b
#[inline(always)]
pub fn dot<T: Real, const N: usize>(a: &[T; N], b: &[T; N]) -> T {
    let mut sum = T::zero();
    for i in 0..N {
        sum = if i == 0 { a[0] * b[0] } else { sum + a[i] * b[i] };
    }
    sum
}

/// a + b
#[inline(always)]
pub fn sum<T: Real, const N: usize>(a: &[T; N], b: &[T; N]) -> [T; N] {
    let mut out = *a;
    for i in 0..N {
        out[i] = out[i] + b[i];
    }
    out
}

/// a − b
#[inline(always)]
pub fn difference<T: Real, const N: usize>(a: &[T; N], b: &[T; N]) -> [T; N] {
    let mut out = *a;
    for i in 0..N {
        out[i] = out[i] - b[i];
    }
    out
}

/// m v
#[inline(always)]
pub fn times<T: Real, const R: usize, const C: usize>(m: &[[T; C]; R], v: &[T; C]) -> [T; R] {
    let mut out = [T::zero(); R];
    for i in 0..R {
        out[i] = dot(&m[i], v);
    }
    out
}

/// mᵀ v
#[inline(always)]
pub fn transposed_times<T: Real, const R: usize, const C: usize>(m: &[[T; C]; R], v: &[T; R]) -> [T; C] {
    let mut out = [T::zero(); C];
    for j in 0..C {
        for i in 0..R {
            out[j] = if i == 0 { m[0][j] * v[0] } else { out[j] + m[i][j] * v[i] };
        }
    }
    out
}

/// a b
#[inline(always)]
pub fn product<T: Real, const R: usize, const N: usize, const C: usize>(
    a: &[[T; N]; R],
    b: &[[T; C]; N],
) -> [[T; C]; R] {
    let mut out = [[T::zero(); C]; R];
    for i in 0..R {
        out[i] = transposed_times(b, &a[i]);
    }
    out
}

/// mᵀ a m for symmetric a: only the lower half is worked out, the rest mirrored.
#[inline(always)]
pub fn congruence<T: Real, const R: usize, const C: usize>(m: &[[T; C]; R], a: &[[T; R]; R]) -> [[T; C]; C] {
    let am = product(a, m);
    let mut out = [[T::zero(); C]; C];
    for i in 0..C {
        for j in 0..=i {
            let mut sum = T::zero();
            for k in 0..R {
                sum = if k == 0 { m[0][i] * am[0][j] } else { sum + m[k][i] * am[k][j] };
            }
            out[i][j] = sum;
            out[j][i] = sum;
        }
    }
    out
}

/// a + b
#[inline(always)]
pub fn matrix_sum<T: Real, const R: usize, const C: usize>(a: &[[T; C]; R], b: &[[T; C]; R]) -> [[T; C]; R] {
    let mut out = *a;
    for i in 0..R {
        out[i] = sum(&a[i], &b[i]);
    }
    out
}

/// Householder factors of a K×D matrix W, K ≥ D: W = Q R.
///
/// One factorisation answers W x = b (in the least-squares sense where K > D)
/// and Wᵀ y = f (with the smallest |y| where K > D).
#[derive(Clone, Copy, Debug)]
pub struct Qr<T, const K: usize, const D: usize> {
    /// R above the diagonal, the reflection vectors below it.
    w: [[T; D]; K],
    /// First entry of each reflection vector.
    pivot: [T; D],
    /// 2/|v|²
    beta: [T; D],
    /// r_kk
    diagonal: [T; D],
}

impl<T: Real, const K: usize, const D: usize> Qr<T, K, D> {
    /// Factors a matrix. With fewer rows than columns everything is zero, margin included.
    #[inline(always)]
    pub fn new(matrix: &[[T; D]; K]) -> Self {
        let zero = T::zero();
        let (mut w, mut pivot, mut beta, mut diagonal) = (*matrix, [zero; D], [zero; D], [zero; D]);
        for k in 0..if K < D { 0 } else { D } {
            diagonal[k] = w[k][k];
            if k + 1 < K {
                let mut norm_sq = zero;
                for i in k..K {
                    norm_sq = norm_sq + w[i][k] * w[i][k];
                }
                let norm = norm_sq.sqrt();
                let alpha = T::select(w[k][k].lt(zero), norm, -norm);
                let tail = norm_sq - alpha * w[k][k];
                pivot[k] = w[k][k] - alpha;
                beta[k] = T::select(zero.lt(tail), tail.recip(), zero);
                diagonal[k] = alpha;
                for j in k + 1..D {
                    let mut s = pivot[k] * w[k][j];
                    for i in k + 1..K {
                        s = s + w[i][k] * w[i][j];
                    }
                    s = s * beta[k];
                    w[k][j] = w[k][j] - s * pivot[k];
                    for i in k + 1..K {
                        w[i][j] = w[i][j] - s * w[i][k];
                    }
                }
            }
        }
        Self { w, pivot, beta, diagonal }
    }

    /// Smallest |r_kk|: zero exactly when the columns are dependent.
    #[inline(always)]
    pub fn margin(&self) -> T {
        let mut smallest = T::zero();
        for k in 0..D {
            let size = self.diagonal[k].abs();
            smallest = if k == 0 { size } else { smallest.min(size) };
        }
        smallest
    }

    #[inline(always)]
    fn reflect(&self, k: usize, x: &mut [T; K]) {
        let mut s = self.pivot[k] * x[k];
        for i in k + 1..K {
            s = s + self.w[i][k] * x[i];
        }
        s = s * self.beta[k];
        x[k] = x[k] - s * self.pivot[k];
        for i in k + 1..K {
            x[i] = x[i] - s * self.w[i][k];
        }
    }

    /// x with W x = b, and how much of b it misses, |W x − b|² (zero where K = D).
    #[inline(always)]
    pub fn solve(&self, b: &[T; K]) -> ([T; D], T) {
        let mut y = *b;
        for k in 0..if K < D { 0 } else { D } {
            if k + 1 < K {
                self.reflect(k, &mut y);
            }
        }
        let mut x = [T::zero(); D];
        for i in (0..if K < D { 0 } else { D }).rev() {
            let mut s = y[i];
            for j in i + 1..D {
                s = s - self.w[i][j] * x[j];
            }
            x[i] = s / self.diagonal[i];
        }
        let mut missed = T::zero();
        for i in D..K {
            missed = missed + y[i] * y[i];
        }
        (x, missed)
    }

    /// y with Wᵀ y = f; the smallest one where K > D.
    #[inline(always)]
    pub fn solve_transposed(&self, f: &[T; D]) -> [T; K] {
        let mut y = [T::zero(); K];
        let size = if K < D { 0 } else { D };
        for i in 0..size {
            let mut s = f[i];
            for j in 0..i {
                s = s - self.w[j][i] * y[j];
            }
            y[i] = s / self.diagonal[i];
        }
        for k in (0..size).rev() {
            if k + 1 < K {
                self.reflect(k, &mut y);
            }
        }
        y
    }

    /// W⁻¹, or the pseudo-inverse where K > D.
    #[inline(always)]
    pub fn inverse(&self) -> [[T; K]; D] {
        // Row i of W⁺ is y with Wᵀ y = e_i.
        let mut rows = [[T::zero(); K]; D];
        for i in 0..D {
            let mut unit = [T::zero(); D];
            unit[i] = T::one();
            rows[i] = self.solve_transposed(&unit);
        }
        rows
    }
}

/// a⁻¹ by Householder QR; the margin is the smallest |r_kk|.
#[inline(always)]
pub fn inverse<T: Real, const N: usize>(a: &[[T; N]; N]) -> Margin<[[T; N]; N], T> {
    let qr = Qr::new(a);
    Margin { value: qr.inverse(), margin: qr.margin() }
}

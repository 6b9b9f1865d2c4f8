//! Small dense matrices as arrays of rows, and the Householder factors of a tall one.
//!
//! Every index is bounded by a const parameter that the compiler sees.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)]

use crate::{Margin, Real, V3};

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
    #[inline]
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
    #[inline]
    pub fn margin(&self) -> T {
        let mut smallest = T::zero();
        for k in 0..D {
            let size = self.diagonal[k].abs();
            smallest = if k == 0 { size } else { smallest.min(size) };
        }
        smallest
    }

    /// |r_kk| over the unit of its column.
    #[inline]
    pub fn pivots_in(&self, units: &[T; D]) -> [T; D] {
        let mut pivots = self.diagonal;
        for k in 0..D {
            pivots[k] = pivots[k].abs() / units[k];
        }
        pivots
    }

    /// The product of all r_kk: for a square matrix its determinant, but for a sign that depends on the size alone.
    #[inline]
    pub fn determinant(&self) -> T {
        let mut product = T::one();
        for k in 0..D {
            product = product * self.diagonal[k];
        }
        product
    }

    /// Smallest |r_kk| over the unit of its column: with the right units a number without one.
    #[inline]
    pub fn margin_in(&self, units: &[T; D]) -> T {
        let mut smallest = T::zero();
        for k in 0..D {
            let size = self.diagonal[k].abs() / units[k];
            smallest = if k == 0 { size } else { smallest.min(size) };
        }
        smallest
    }

    #[inline]
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
    #[inline]
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
    #[inline]
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
    #[inline]
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

/// a⁻¹: by cofactors up to three rows, by Householder QR beyond. The margin is the smallest
/// |r_kk| of the factors over the unit of its column either way: |c_1|, |c_1 × c_2|/|c_1| and
/// |det a|/|c_1 × c_2| for columns c.
#[inline(always)]
pub fn inverse<T: Real, const N: usize>(a: &[[T; N]; N], units: &[T; N]) -> Margin<[[T; N]; N], T> {
    let mut value = [[T::zero(); N]; N];
    // A quotient of lengths, or zero with an empty divisor.
    let over = |x: T, y: T| T::select(T::zero().lt(y), x / y, T::zero());
    match N {
        1 => {
            value[0][0] = a[0][0].recip();
            Margin { value, margin: a[0][0].abs() / units[0] }
        }
        2 => {
            let (p, q) = ([a[0][0], a[1][0]], [a[0][1], a[1][1]]);
            let det = p[0] * q[1] - p[1] * q[0];
            let r = det.recip();
            (value[0][0], value[0][1]) = (q[1] * r, -(q[0] * r));
            (value[1][0], value[1][1]) = (-(p[1] * r), p[0] * r);
            let first = (p[0] * p[0] + p[1] * p[1]).sqrt();
            Margin { value, margin: (first / units[0]).min(over(det.abs(), first) / units[1]) }
        }
        3 => {
            let column = |j: usize| V3::new(a[0][j], a[1][j], a[2][j]);
            let (p, q, r) = (column(0), column(1), column(2));
            let (x, y, z) = (q.cross(r), r.cross(p), p.cross(q));
            let det = p.dot(x);
            let scale = det.recip();
            for (i, normal) in [x, y, z].into_iter().enumerate() {
                let V3 { x, y, z } = normal * scale;
                (value[i][0], value[i][1], value[i][2]) = (x, y, z);
            }
            let (first, second) = (p.norm_sq().sqrt(), z.norm_sq().sqrt());
            let margin = (first / units[0])
                .min(over(second, first) / units[1])
                .min(over(det.abs(), second) / units[2]);
            Margin { value, margin }
        }
        _ => {
            let qr = Qr::new(a);
            Margin { value: qr.inverse(), margin: qr.margin_in(units) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compare<const N: usize>(a: &[[f64; N]; N]) {
        let units: [f64; N] = core::array::from_fn(|k| 1.0 + k as f64);
        let (found, qr) = (inverse(a, &units), Qr::new(a));
        let size = legwork_testkit::largest(a.as_flattened());
        assert!((found.margin - qr.margin_in(&units)).abs() <= 1e-14 * size); // a dozen operations
        if found.margin > 1e-3 {
            let judge = qr.inverse();
            let largest = legwork_testkit::largest(judge.as_flattened());
            for (x, y) in found.value.iter().flatten().zip(judge.iter().flatten()) {
                assert!((x - y).abs() < 1e-12 * largest); // rounding, times a condition of a thousand
            }
        }
    }

    /// Cofactors give the inverse and the margin of the QR factors.
    #[test]
    fn small_inverses_are_those_of_the_factors() {
        let mut state = 11_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
        };
        for _ in 0..500 {
            compare(&[[next()]]);
            compare(&core::array::from_fn::<_, 2, _>(|_| core::array::from_fn(|_| next())));
            compare(&core::array::from_fn::<_, 3, _>(|_| core::array::from_fn(|_| next())));
        }
        compare(&[[0.0; 3]; 3]);
        compare(&[[1.0, 2.0, 0.0], [2.0, 4.0, 0.0], [3.0, 6.0, 1.0]]);
        compare(&[[0.0, 1.0], [0.0, 2.0]]);
    }
}

//! Small matrices whose sizes are known only when a robot's file is read.
//!
//! Step for step those of [`legwork_core::engine::matrix`] and [`legwork_core::linalg`], whose sizes are
//! constants: a test holds them equal to the bit. Matrices have room for the largest robot; of a K×D matrix
//! the first K rows and D columns count.
#![allow(clippy::needless_range_loop)] // formulas with the indices of their sums

use legwork_core::linalg::column_singular_values;
use legwork_core::{Margin, Real};

/// Most freedoms of a platform.
pub(crate) const MAX_FREEDOMS: usize = 6;
/// Most motors of a robot: those of four hexapods that carry one load.
pub(crate) const MAX_MOTORS: usize = 24;

/// A number for each freedom.
pub(crate) type PerFreedom = [f64; MAX_FREEDOMS];
/// A number for each motor.
pub(crate) type PerMotor = [f64; MAX_MOTORS];

/// a·b of the first `n` numbers.
#[inline]
pub(super) fn dot(a: &[f64], b: &[f64], n: usize) -> f64 {
    a.iter().zip(b).take(n).map(|(a, b)| a * b).reduce(|sum, term| sum + term).unwrap_or(0.0)
}

/// m v of a matrix with `columns` columns.
#[inline]
pub(super) fn times<const R: usize, const C: usize>(
    m: &[[f64; C]; R],
    v: &[f64; C],
    columns: usize,
) -> [f64; R] {
    m.map(|row| dot(&row, v, columns))
}

/// mᵀ v of a matrix with `rows` rows.
#[inline]
pub(super) fn transposed_times<const R: usize, const C: usize>(
    m: &[[f64; C]; R],
    v: &[f64; R],
    rows: usize,
) -> [f64; C] {
    let mut out = [0.0; C];
    for (i, (row, factor)) in m.iter().zip(v).take(rows).enumerate() {
        for (sum, entry) in out.iter_mut().zip(row) {
            *sum = if i == 0 { entry * factor } else { *sum + entry * factor };
        }
    }
    out
}

/// jᵀ a j for a symmetric `a` of size `freedoms`: only the lower half is worked out, the rest mirrored.
pub(super) fn congruence(
    j: &[PerMotor; MAX_FREEDOMS],
    a: &[PerFreedom; MAX_FREEDOMS],
    freedoms: usize,
    motors: usize,
) -> [PerMotor; MAX_MOTORS] {
    let aj = a.map(|row| transposed_times(j, &row, freedoms));
    let mut out = [[0.0; MAX_MOTORS]; MAX_MOTORS];
    for i in 0..motors.min(MAX_MOTORS) {
        for k in 0..=i {
            let mut sum = 0.0;
            for r in 0..freedoms.min(MAX_FREEDOMS) {
                let term = j[r][i] * aj[r][k];
                sum = if r == 0 { term } else { sum + term };
            }
            out[i][k] = sum;
            out[k][i] = sum;
        }
    }
    out
}

/// Householder factors of a K×D matrix W, K ≥ D: W = Q R.
///
/// One factorisation answers W x = b (in the least-squares sense where K > D)
/// and Wᵀ y = f (with the smallest |y| where K > D).
#[derive(Clone, Copy, Debug)]
pub(super) struct Qr<const C: usize = MAX_FREEDOMS> {
    rows: usize,
    columns: usize,
    /// R above the diagonal, the reflection vectors below it.
    w: [[f64; C]; MAX_MOTORS],
    /// First entry of each reflection vector.
    pivot: [f64; C],
    /// 2/|v|²
    beta: [f64; C],
    /// r_kk
    diagonal: [f64; C],
}

impl<const C: usize> Qr<C> {
    /// Factors a matrix. With fewer rows than columns everything is zero, margin included.
    pub(super) fn new(matrix: &[[f64; C]; MAX_MOTORS], rows: usize, columns: usize) -> Self {
        let rows = rows.min(MAX_MOTORS);
        let columns = if rows < columns { 0 } else { columns.min(C) };
        let zero = [0.0; C];
        let (mut w, mut pivot, mut beta, mut diagonal) = (*matrix, zero, zero, zero);
        for k in 0..columns {
            diagonal[k] = w[k][k];
            if k + 1 < rows {
                let mut norm_sq = 0.0;
                for row in &w[k..rows] {
                    norm_sq += row[k] * row[k];
                }
                let norm = norm_sq.sqrt();
                let alpha = if w[k][k] < 0.0 { norm } else { -norm };
                let tail = norm_sq - alpha * w[k][k];
                let first = w[k][k] - alpha;
                let factor = if tail > 0.0 { 1.0 / tail } else { 0.0 };
                (pivot[k], beta[k], diagonal[k]) = (first, factor, alpha);
                for j in k + 1..columns {
                    let mut s = first * w[k][j];
                    for row in &w[k + 1..rows] {
                        s += row[k] * row[j];
                    }
                    s *= factor;
                    w[k][j] -= s * first;
                    for row in &mut w[k + 1..rows] {
                        row[j] -= s * row[k];
                    }
                }
            }
        }
        Self { rows, columns, w, pivot, beta, diagonal }
    }

    /// Smallest |r_kk| over the unit of its column, as [`legwork_core::engine::matrix::Qr::margin_in`].
    pub(super) fn margin_in(&self, units: &[f64; C]) -> f64 {
        let sizes = self.diagonal.iter().zip(units).take(self.columns).map(|(r, unit)| r.abs() / unit);
        sizes.reduce(Real::min).unwrap_or(0.0)
    }

    /// Π |r_kk| = √det(WᵀW): the volume that the columns span.
    pub(super) fn volume(&self) -> f64 {
        self.diagonal.iter().take(self.columns).map(|r| r.abs()).product()
    }

    fn reflect(&self, k: usize, x: &mut PerMotor) {
        let mut s = self.pivot[k] * x[k];
        for i in k + 1..self.rows {
            s += self.w[i][k] * x[i];
        }
        s *= self.beta[k];
        x[k] -= s * self.pivot[k];
        for i in k + 1..self.rows {
            x[i] -= s * self.w[i][k];
        }
    }

    /// x with W x = b, and how much of b it misses, |W x − b|² (zero where K = D).
    pub(super) fn solve(&self, b: &PerMotor) -> ([f64; C], f64) {
        let mut y = *b;
        for k in 0..self.columns {
            if k + 1 < self.rows {
                self.reflect(k, &mut y);
            }
        }
        let mut x = [0.0; C];
        for i in (0..self.columns).rev() {
            let mut s = y[i];
            for j in i + 1..self.columns {
                s -= self.w[i][j] * x[j];
            }
            x[i] = s / self.diagonal[i];
        }
        let missed = y[self.columns..self.rows].iter().fold(0.0, |sum, y| sum + y * y);
        (x, missed)
    }

    /// y with Wᵀ y = f; the smallest one where K > D.
    pub(super) fn solve_transposed(&self, f: &[f64; C]) -> PerMotor {
        let mut y = [0.0; MAX_MOTORS];
        for i in 0..self.columns {
            let mut s = f[i];
            for j in 0..i {
                s -= self.w[j][i] * y[j];
            }
            y[i] = s / self.diagonal[i];
        }
        for k in (0..self.columns).rev() {
            if k + 1 < self.rows {
                self.reflect(k, &mut y);
            }
        }
        y
    }

    /// W⁻¹, or the pseudo-inverse where K > D.
    pub(super) fn inverse(&self) -> [PerMotor; C] {
        // Row i of W⁺ is y with Wᵀ y = e_i.
        let mut rows = [[0.0; MAX_MOTORS]; C];
        for (i, row) in rows.iter_mut().enumerate().take(self.columns) {
            let mut unit = [0.0; C];
            unit[i] = 1.0;
            *row = self.solve_transposed(&unit);
        }
        rows
    }
}

/// Solves the symmetric positive definite system a x = b of size `n` by LDLᵀ; the margin is the smallest
/// pivot.
pub(super) fn solve_spd(a: &[PerFreedom; MAX_FREEDOMS], b: &PerFreedom, n: usize) -> Margin<PerFreedom, f64> {
    let n = n.min(MAX_FREEDOMS);
    let (mut l, mut d, mut x) = (*a, [0.0; MAX_FREEDOMS], *b);
    for j in 0..n {
        let mut pivot = l[j][j];
        let mut ld = [0.0; MAX_FREEDOMS]; // L_jk d_k
        for k in 0..j {
            ld[k] = l[j][k] * d[k];
            pivot -= l[j][k] * ld[k];
        }
        d[j] = pivot;
        let r = 1.0 / pivot;
        for row in &mut l[j + 1..n] {
            let mut s = row[j];
            for k in 0..j {
                s -= row[k] * ld[k];
            }
            row[j] = s * r;
        }
    }
    for i in 0..n {
        for k in 0..i {
            x[i] -= l[i][k] * x[k];
        }
    }
    for (x, d) in x.iter_mut().zip(d).take(n) {
        *x /= d;
    }
    for i in (0..n).rev() {
        for k in i + 1..n {
            x[i] -= l[k][i] * x[k];
        }
    }
    Margin { value: x, margin: d.into_iter().take(n).reduce(Real::min).unwrap_or(0.0) }
}

/// Largest over smallest singular value of the first `freedoms` rows.
pub(super) fn condition(rows: &[PerMotor], freedoms: usize) -> f64 {
    /// Rows as columns: the transpose has the same singular values.
    fn of<const D: usize>(rows: &[PerMotor]) -> f64 {
        let mut columns = [[0.0; MAX_MOTORS]; D];
        columns.copy_from_slice(&rows[..D]);
        let sigma = column_singular_values(&columns);
        sigma[0] / sigma[D - 1]
    }
    match freedoms {
        1 => of::<1>(rows),
        2 => of::<2>(rows),
        3 => of::<3>(rows),
        4 => of::<4>(rows),
        5 => of::<5>(rows),
        6 => of::<6>(rows),
        _ => f64::NAN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;
    use legwork_core::engine::matrix;
    use std::array::from_fn;

    /// The K×D corner of random numbers, with room and without.
    fn corner<const K: usize, const D: usize>(
        random: &mut Random,
    ) -> ([PerFreedom; MAX_MOTORS], [[f64; D]; K]) {
        let room: [PerFreedom; MAX_MOTORS] = from_fn(|_| from_fn(|_| random.uniform(-1.0, 1.0)));
        (room, from_fn(|i| from_fn(|j| room[i][j])))
    }

    fn equal_to_constant_sizes<const K: usize, const D: usize>() {
        let mut random = Random::new(11);
        for _ in 0..50 {
            let (room, w) = corner::<K, D>(&mut random);
            let (own, constant) = (Qr::new(&room, K, D), matrix::Qr::<f64, K, D>::new(&w));
            let units: PerFreedom = from_fn(|k| 1.0 + k as f64);
            let first: [f64; D] = from_fn(|k| units[k]);
            assert_eq!(own.margin_in(&units), constant.margin_in(&first));
            let b: PerMotor = from_fn(|_| random.uniform(-1.0, 1.0));
            let f: PerFreedom = from_fn(|_| random.uniform(-1.0, 1.0));
            let (x, missed) = own.solve(&b);
            let (constant_x, constant_missed) = constant.solve(&from_fn(|k| b[k]));
            assert_eq!((&x[..D], missed), (&constant_x[..], constant_missed));
            assert_eq!(own.solve_transposed(&f)[..K], constant.solve_transposed(&from_fn(|i| f[i]))[..]);
            let (jacobian, constant_jacobian) = (own.inverse(), constant.inverse());
            for i in 0..D {
                assert_eq!(jacobian[i][..K], constant_jacobian[i][..]);
            }
            // A mass matrix from the same numbers.
            let mass: [PerFreedom; MAX_FREEDOMS] =
                from_fn(|i| from_fn(|j| (0..MAX_MOTORS).map(|k| room[k][i] * room[k][j]).sum()));
            let small: [[f64; D]; D] = from_fn(|i| from_fn(|j| mass[i][j]));
            let solved = legwork_core::linalg::solve_spd(&small, &from_fn(|i| f[i]));
            let own = solve_spd(&mass, &f, D);
            assert_eq!((&own.value[..D], own.margin), (&solved.value[..], solved.margin));
            let product = congruence(&jacobian, &mass, D, K);
            let constant = matrix::congruence(&constant_jacobian, &small);
            for i in 0..K {
                assert_eq!(product[i][..K], constant[i][..]);
            }
            assert_eq!(times(&mass, &f, D)[..D], matrix::times(&small, &from_fn(|i| f[i]))[..]);
        }
    }

    #[test]
    fn equal_to_constant_sizes_to_the_bit() {
        equal_to_constant_sizes::<1, 1>();
        equal_to_constant_sizes::<2, 2>();
        equal_to_constant_sizes::<3, 3>();
        equal_to_constant_sizes::<4, 3>();
        equal_to_constant_sizes::<6, 6>();
        equal_to_constant_sizes::<12, 6>();
        equal_to_constant_sizes::<24, 6>();
    }
}

//! LDLᵀ factors of a symmetric positive definite matrix, for many right sides.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // every index is bounded by N

/// A = L D Lᵀ.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ldl<const N: usize> {
    /// L below the diagonal, 1/d on it.
    l: [[f64; N]; N],
    /// Smallest d: positive exactly when A is positive definite.
    pub margin: f64,
}

impl<const N: usize> Ldl<N> {
    /// Factors a matrix; only its lower triangle is read.
    pub fn new(a: &[[f64; N]; N]) -> Self {
        let mut l = *a;
        let mut d = [0.0; N];
        let mut margin = f64::INFINITY;
        for j in 0..N {
            let mut ld = [0.0; N]; // L_jk d_k
            let mut pivot = l[j][j];
            for k in 0..j {
                ld[k] = l[j][k] * d[k];
                pivot -= l[j][k] * ld[k];
            }
            margin = super::smaller(margin, pivot);
            d[j] = pivot;
            let r = 1.0 / pivot;
            for i in j + 1..N {
                let mut s = l[i][j];
                for k in 0..j {
                    s -= l[i][k] * ld[k];
                }
                l[i][j] = s * r;
            }
            l[j][j] = r;
        }
        Self { l, margin }
    }

    /// A⁻¹ b
    pub fn solve(&self, b: &[f64; N]) -> [f64; N] {
        let mut x = *b;
        for i in 0..N {
            for k in 0..i {
                x[i] -= self.l[i][k] * x[k];
            }
        }
        for i in (0..N).rev() {
            x[i] *= self.l[i][i];
            for k in i + 1..N {
                x[i] -= self.l[k][i] * x[k];
            }
        }
        x
    }
}

/// H A⁻¹ Hᵀ with the factors of A, and A⁻¹ Hᵀ by its columns.
pub(super) fn schur<const Q: usize, const C: usize>(
    mass: &Ldl<Q>,
    h: &[[f64; Q]; C],
) -> ([[f64; C]; C], [[f64; Q]; C]) {
    let y = h.map(|row| mass.solve(&row));
    let mut s = [[0.0; C]; C];
    for i in 0..C {
        for j in 0..=i {
            s[i][j] = dot(&h[i], &y[j]);
            s[j][i] = s[i][j];
        }
    }
    (s, y)
}

/// a·b
#[inline(always)]
pub(super) fn dot<const N: usize>(a: &[f64; N], b: &[f64; N]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// x + Σ s_k rows_k
#[inline(always)]
pub(super) fn plus_rows<const N: usize, const C: usize>(
    x: &[f64; N],
    s: &[f64; C],
    rows: &[[f64; N]; C],
) -> [f64; N] {
    let mut out = *x;
    for (s, row) in s.iter().zip(rows) {
        for (o, r) in out.iter_mut().zip(row) {
            *o += s * r;
        }
    }
    out
}

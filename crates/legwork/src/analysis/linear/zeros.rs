//! Invariant zeros: where a model answers an input with nothing at its outputs.
//!
//! The system is stripped of what the outputs fix at once, again and again, until D has full row rank, and
//! then the same of its transpose, until D is invertible; the zeros are then the eigenvalues of A − B D⁻¹ C.
//! Only orthogonal steps and ranks by singular values, after the staircase of A. Emami-Naeini and P. Van
//! Dooren, "Computation of zeros of linear multivariable systems", Automatica 18 (1982).

use super::algebra::{eigenvalues, finite};
use super::{DMatrix, LinearError, Pole, StateSpace};

/// Relative size below which a singular value is rounding.
const RANK_TOLERANCE: f64 = 1e-10;

/// The finite invariant zeros, largest real part first.
pub fn invariant_zeros(model: &StateSpace) -> Result<Vec<Pole>, LinearError> {
    let StateSpace { a, b, c, d, .. } = model;
    for (what, m) in [("A", a), ("B", b), ("C", c), ("D", d)] {
        finite(what, m)?;
    }
    // Inputs and outputs in sizes of their own: zeros do not depend on them.
    let unit = |m: &DMatrix<f64>| 1.0 / m.norm().max(f64::MIN_POSITIVE);
    let size = a.norm().max(f64::MIN_POSITIVE);
    let (bs, cs) = (size * unit(b), size * unit(c));
    let system = System { a: a.clone(), b: b * bs, c: c * cs, d: d * (bs * cs / size) };
    let tolerance = RANK_TOLERANCE * size;
    let System { a, b, c, d } = system.stripped(tolerance).transposed().stripped(tolerance);
    if a.is_empty() {
        return Ok(Vec::new());
    }
    let shift = if d.is_empty() {
        DMatrix::zeros(a.nrows(), a.nrows())
    } else {
        let solved = d.lu().solve(&c).ok_or(LinearError::NotFinite { what: "the reduced D" })?;
        b * solved
    };
    eigenvalues(&(a - shift))
}

struct System {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
}

impl System {
    fn transposed(self) -> Self {
        Self { a: self.a.transpose(), b: self.c.transpose(), c: self.b.transpose(), d: self.d.transpose() }
    }

    /// Until D has full row rank.
    fn stripped(mut self, tolerance: f64) -> Self {
        loop {
            // Uᵀ D = [D̄; 0], Uᵀ C = [C̄; C̃]
            let (u, rank) = compression(&self.d, tolerance);
            let (d, c) = (u.transpose() * &self.d, u.transpose() * &self.c);
            let free = d.nrows() - rank;
            let (d, c_bar, c_tilde) =
                (d.rows(0, rank).into_owned(), c.rows(0, rank).into_owned(), c.rows(rank, free).into_owned());
            // C̃ V = [0 S]: the states that S fixes at zero go
            let (v, fixed) = compression(&c_tilde.transpose(), tolerance);
            if free == 0 || fixed == 0 {
                return Self { c: c_bar, d, ..self };
            }
            let n = self.a.nrows();
            let keep = n - fixed;
            // The first columns of V span what C̃ sees: put them last.
            let order = DMatrix::from_fn(n, n, |i, j| v[(i, (j + fixed) % n)]);
            let a = order.transpose() * &self.a * &order;
            let b = order.transpose() * &self.b;
            let c = c_bar * &order;
            self = Self {
                a: a.view((0, 0), (keep, keep)).into_owned(),
                b: b.rows(0, keep).into_owned(),
                c: stacked(&c.columns(0, keep).into_owned(), &a.view((keep, 0), (fixed, keep)).into_owned()),
                d: stacked(&d, &b.rows(keep, fixed).into_owned()),
            };
        }
    }
}

/// An orthogonal matrix whose first columns span the columns of `m`, and how many they are.
fn compression(m: &DMatrix<f64>, tolerance: f64) -> (DMatrix<f64>, usize) {
    let rows = m.nrows();
    if m.is_empty() {
        return (DMatrix::identity(rows, rows), 0);
    }
    // With zero columns added U is square.
    let mut wide = DMatrix::zeros(rows, m.ncols().max(rows));
    wide.columns_mut(0, m.ncols()).copy_from(m);
    let svd = wide.svd(true, false);
    let rank = svd.singular_values.iter().filter(|s| **s > tolerance).count();
    (svd.u.unwrap_or_else(|| DMatrix::identity(rows, rows)), rank)
}

fn stacked(top: &DMatrix<f64>, bottom: &DMatrix<f64>) -> DMatrix<f64> {
    let mut both = DMatrix::zeros(top.nrows() + bottom.nrows(), top.ncols());
    both.rows_mut(0, top.nrows()).copy_from(top);
    both.rows_mut(top.nrows(), bottom.nrows()).copy_from(bottom);
    both
}

//! The loop transfer matrix over frequency, and its eigenvalues.

use super::SampledLoop;
use super::eigen::eigenvalues;
use crate::analysis::linear::LinearError;
use nalgebra::{Complex, DMatrix, Hessenberg};

type C = Complex<f64>;

/// The eigenvalues of a matrix, or why there are none.
pub(super) fn spectrum(matrix: &DMatrix<C>) -> Result<Vec<C>, LinearError> {
    let failed = LinearError::NoConvergence { what: "the search for eigenvalues", residual: f64::NAN };
    eigenvalues(matrix).ok_or(failed)
}

/// L(z) = −U (z − A)⁻¹ B: what comes back at the commands from a command, with the loop cut there. A is turned into a
/// Hessenberg matrix once, so that a frequency costs one short elimination.
pub(super) struct Response {
    /// Rows of the Hessenberg matrix.
    upper: Vec<Vec<f64>>,
    /// Rows of Qᵀ B.
    input: Vec<Vec<f64>>,
    /// Rows of −U Q.
    output: Vec<Vec<f64>>,
    period: f64,
}

impl Response {
    pub(super) fn of(sampled: &SampledLoop) -> Result<Self, LinearError> {
        if [&sampled.open, &sampled.input, &sampled.feedback].iter().any(|m| m.iter().any(|x| !x.is_finite()))
        {
            return Err(LinearError::NotFinite { what: "the matrix of a sampled loop" });
        }
        let (q, upper) = Hessenberg::new(sampled.open.clone()).unpack();
        let rows =
            |matrix: &DMatrix<f64>| matrix.row_iter().map(|row| row.iter().copied().collect()).collect();
        Ok(Self {
            upper: rows(&upper),
            input: rows(&(q.transpose() * &sampled.input)),
            output: rows(&-(&sampled.feedback * q)),
            period: sampled.period,
        })
    }

    /// The eigenvalues of L at z = e^{jωT}, ω \[rad/s\].
    pub(super) fn loci(&self, omega: f64) -> Result<Vec<C>, LinearError> {
        let solved = self.solved(C::from_polar(1.0, omega * self.period));
        let m = self.output.len();
        let entry = |row: usize, column: usize| -> C {
            self.output[row].iter().zip(&solved).map(|(weight, x)| x[column] * *weight).sum()
        };
        spectrum(&DMatrix::from_fn(m, m, entry))
    }

    /// (z − A)⁻¹ B by rows: elimination of one subdiagonal, the larger of two rows first, then substitution.
    fn solved(&self, z: C) -> Vec<Vec<C>> {
        let n = self.upper.len();
        let complex = |row: &Vec<f64>| row.iter().map(|x| C::new(*x, 0.0)).collect::<Vec<C>>();
        let mut left: Vec<Vec<C>> = self
            .upper
            .iter()
            .enumerate()
            .map(|(i, row)| {
                row.iter().enumerate().map(move |(j, x)| if i == j { z - x } else { C::new(-x, 0.0) })
            })
            .map(Iterator::collect)
            .collect();
        let mut right: Vec<Vec<C>> = self.input.iter().map(complex).collect();
        for k in 0..n.saturating_sub(1) {
            if left[k + 1][k].norm() > left[k][k].norm() {
                left.swap(k, k + 1);
                right.swap(k, k + 1);
            }
            let (above, below) = left.split_at_mut(k + 1);
            let (pivot, row) = (&above[k], &mut below[0]);
            let factor = row[k] / pivot[k];
            if factor.norm() == 0.0 {
                continue;
            }
            row.iter_mut().zip(pivot).skip(k).for_each(|(x, p)| *x -= factor * p);
            let (above, below) = right.split_at_mut(k + 1);
            below[0].iter_mut().zip(&above[k]).for_each(|(x, p)| *x -= factor * p);
        }
        for k in (0..n).rev() {
            let (above, below) = right.split_at_mut(k + 1);
            let row = &mut above[k];
            for (weight, known) in left[k].iter().skip(k + 1).zip(below.iter()) {
                row.iter_mut().zip(known).for_each(|(x, y)| *x -= weight * y);
            }
            let pivot = left[k][k];
            for x in row.iter_mut() {
                *x /= pivot;
            }
        }
        right
    }
}

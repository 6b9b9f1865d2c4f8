//! How much of a model its inputs reach and its outputs show.
//!
//! The staircase: B spans what the inputs move at once; A times the newest directions, less what is
//! known already, is what they move next; where nothing is left the rest cannot be moved. Orthogonal steps
//! only, each with its singular values, so the numerical rank can be judged.

use super::{DMatrix, StateSpace};
use legwork_core::Real;

/// How many states are controllable or observable, and how clearly.
#[derive(Clone, Debug, PartialEq)]
pub struct Order {
    /// How many.
    pub order: usize,
    /// Of how many.
    pub states: usize,
    /// Singular values of each stair, over the size of A (of the first stair: over the size of B or C).
    pub stairs: Vec<Vec<f64>>,
    /// The smallest that was taken for a direction.
    pub smallest_kept: f64,
    /// The largest that was taken for rounding; zero if all states are reached.
    pub largest_dropped: f64,
}

/// Relative size from which on a singular value is a direction: halfway, in digits, between 1 and rounding.
pub const RANK_TOLERANCE: f64 = 1e-8;

/// The controllable part.
pub fn controllable(model: &StateSpace) -> Order {
    staircase(&model.a, &model.b)
}

/// The observable part.
pub fn observable(model: &StateSpace) -> Order {
    staircase(&model.a.transpose(), &model.c.transpose())
}

fn staircase(a: &DMatrix<f64>, b: &DMatrix<f64>) -> Order {
    let n = a.nrows();
    let mut basis = DMatrix::<f64>::zeros(n, 0);
    let mut result =
        Order { order: 0, states: n, stairs: Vec::new(), smallest_kept: f64::INFINITY, largest_dropped: 0.0 };
    let mut newest = b / b.norm().max(f64::MIN_POSITIVE);
    let size = a.norm().max(f64::MIN_POSITIVE);
    while newest.ncols() > 0 && basis.ncols() < n {
        // Twice: the second pass removes what rounding left of the first.
        for _ in 0..2 {
            newest = &newest - &basis * (basis.transpose() * &newest);
        }
        let svd = newest.clone().svd(true, false);
        let room = n - basis.ncols();
        let sigma: Vec<f64> = svd.singular_values.iter().copied().take(room).collect();
        let kept = sigma.iter().filter(|s| **s > RANK_TOLERANCE).count();
        for (k, s) in sigma.iter().enumerate() {
            if k < kept {
                result.smallest_kept = Real::min(result.smallest_kept, *s);
            } else {
                result.largest_dropped = Real::max(result.largest_dropped, *s);
            }
        }
        result.stairs.push(sigma);
        let Some(u) = svd.u.filter(|_| kept > 0) else { break };
        let fresh = u.columns(0, kept).into_owned();
        let mut wider = DMatrix::zeros(n, basis.ncols() + kept);
        wider.columns_mut(0, basis.ncols()).copy_from(&basis);
        wider.columns_mut(basis.ncols(), kept).copy_from(&fresh);
        basis = wider;
        newest = a * fresh / size;
    }
    result.order = basis.ncols();
    result
}

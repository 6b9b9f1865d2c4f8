//! Hankel singular values, and models cut down to the states that matter.
//!
//! ```text
//! A_α W_c + W_c A_αᵀ + B Bᵀ = 0,   A_αᵀ W_o + W_o A_α + Cᵀ C = 0,   A_α = A − α          (1)
//! W_c = R Rᵀ, W_o = L Lᵀ,  Lᵀ R = U Σ Vᵀ,  x ≈ R V Σ^{−1/2} z                            (2)
//! ```
//!
//! Gramians exist for stable models only. For others α > 0 is chosen beyond the largest real part: the model
//! is judged over about 1/α seconds instead of for ever, signals weighted by e^{−αt}. States that inputs do not
//! reach or outputs do not show have σ = 0 for every α.

use super::algebra::{lyapunov, root};
use super::{DMatrix, LinearError, Signal, StateSpace};
use legwork_core::Real;

/// Hankel singular values and the directions they belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct Balanced {
    /// α of (1) \[1/s\]; 0 for a stable model.
    pub shift: f64,
    /// Σ, largest first.
    pub hankel: Vec<f64>,
    /// The larger relative residual of the two equations (1).
    pub residual: f64,
    /// x ≈ `right` z
    right: DMatrix<f64>,
    /// z = `left` x
    left: DMatrix<f64>,
}

/// A pole this much to the right of −|A| times it counts as unstable.
const AXIS: f64 = 1e-6;

/// Hankel singular values below this part of the largest are rounding: they are roots of Gramians, and
/// rounding is about 1e-16 of those.
pub const HANKEL_TOLERANCE: f64 = 1e-6;

/// Balances a model.
pub fn balanced(model: &StateSpace) -> Result<Balanced, LinearError> {
    let poles = model.poles()?;
    let right = poles.first().map_or(0.0, |pole| pole.re);
    let radius = poles.iter().fold(0.0, |most: f64, pole| most.max(pole.natural_frequency()));
    let shift =
        if right < -AXIS * radius { 0.0 } else { right.max(0.0) + 0.1 * radius.max(f64::MIN_POSITIVE) };
    let n = model.a.nrows();
    let a = &model.a - DMatrix::identity(n, n) * shift;
    let reached = lyapunov(&a, &(&model.b * model.b.transpose()))?;
    let shown = lyapunov(&a.transpose(), &(model.c.transpose() * &model.c))?;
    let (r, l) = (root(&reached.x), root(&shown.x));
    let svd = (l.transpose() * &r).svd(true, true);
    let (Some(u), Some(vt)) = (svd.u, svd.v_t) else {
        return Err(LinearError::NotFinite { what: "the product of the Gramians" });
    };
    let hankel: Vec<f64> = svd.singular_values.iter().copied().collect();
    let scale = |sigma: f64| if sigma > 0.0 { 1.0 / sigma.sqrt() } else { 0.0 };
    let scales = DMatrix::from_diagonal(&svd.singular_values.map(scale));
    Ok(Balanced {
        shift,
        residual: Real::max(reached.residual, shown.residual),
        right: r * vt.transpose() * &scales, // (2)
        left: &scales * u.transpose() * l.transpose(),
        hankel,
    })
}

impl Balanced {
    /// How many Hankel singular values are more than rounding.
    pub fn order(&self) -> usize {
        let largest = self.hankel.first().copied().unwrap_or(0.0);
        self.hankel.iter().filter(|sigma| **sigma > HANKEL_TOLERANCE * largest).count()
    }

    /// The model with its first `order` balanced states `z1`, `z2`, ...
    pub fn truncated(&self, model: &StateSpace, order: usize) -> Result<StateSpace, LinearError> {
        let most = self.order();
        if order == 0 || order > most {
            return Err(LinearError::Count {
                what: "balanced states that matter",
                expected: most,
                found: order,
            });
        }
        let (left, right) = (self.left.rows(0, order), self.right.columns(0, order));
        Ok(StateSpace {
            a: left * &model.a * right,
            b: left * &model.b,
            c: &model.c * right,
            d: model.d.clone(),
            states: (1..=order).map(|k| Signal::new(format!("z{k}"), "")).collect(),
            inputs: model.inputs.clone(),
            outputs: model.outputs.clone(),
        })
    }
}

//! Eigenvalues, and the equations of Lyapunov and Riccati. Small dense matrices.

use super::{LinearError, Pole};
use nalgebra::{DMatrix, Schur};

/// More sweeps than any matrix of this size needs.
const SWEEPS: usize = 10_000;

pub(super) fn finite(what: &'static str, m: &DMatrix<f64>) -> Result<(), LinearError> {
    if m.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(LinearError::NotFinite { what }) }
}

/// The eigenvalues of a square matrix, largest real part first.
pub(super) fn eigenvalues(a: &DMatrix<f64>) -> Result<Vec<Pole>, LinearError> {
    finite("a matrix whose eigenvalues are asked for", a)?;
    if a.is_empty() {
        return Ok(Vec::new());
    }
    let schur = Schur::try_new(a.clone(), f64::EPSILON, SWEEPS)
        .ok_or(LinearError::NoConvergence { what: "the search for eigenvalues", residual: f64::NAN })?;
    let mut poles: Vec<Pole> =
        schur.complex_eigenvalues().iter().map(|s| Pole { re: s.re, im: s.im }).collect();
    poles.sort_by(Pole::order);
    Ok(poles)
}

/// A solution and how well it fulfils its equation: ‖left − right‖ over the size of the largest term.
#[derive(Clone, Debug, PartialEq)]
pub struct Solved {
    /// The solution, symmetric.
    pub x: DMatrix<f64>,
    /// What is left over, relative.
    pub residual: f64,
}

/// A X + X Aᵀ + Q = 0 for a stable A and a symmetric Q, by doubling:
///
/// ```text
/// U = (A − γ)⁻¹ (A + γ),   X = U X Uᵀ + 2γ (A − γ)⁻¹ Q (A − γ)⁻ᵀ
/// ```
pub(super) fn lyapunov(a: &DMatrix<f64>, q: &DMatrix<f64>) -> Result<Solved, LinearError> {
    let what = "the equation of Lyapunov";
    finite(what, a)?;
    finite(what, q)?;
    let n = a.nrows();
    let gamma = (a.norm() / (n.max(1) as f64).sqrt()).max(f64::MIN_POSITIVE);
    let one = DMatrix::identity(n, n);
    let shifted = (a - &one * gamma).lu();
    let stuck = || LinearError::NoConvergence { what, residual: f64::INFINITY };
    let mut u = shifted.solve(&(a + &one * gamma)).ok_or_else(stuck)?;
    let half = shifted.solve(q).ok_or_else(stuck)?;
    let mut x = shifted.solve(&half.transpose()).ok_or_else(stuck)? * (2.0 * gamma);
    for _ in 0..60 {
        let step = &u * &x * u.transpose();
        let done = step.norm() <= 1e-17 * x.norm();
        x += step;
        if done || !x.norm().is_finite() {
            break;
        }
        u = &u * &u;
    }
    x = (&x + x.transpose()) * 0.5;
    let ax = a * &x;
    let scale = ax.norm().max(q.norm()).max(f64::MIN_POSITIVE);
    let residual = (&ax + ax.transpose() + q).norm() / scale;
    if residual < 1e-6 {
        Ok(Solved { x, residual })
    } else {
        Err(LinearError::NoConvergence { what, residual })
    }
}

/// Aᵀ X + X A − X G X + H = 0 with A − G X stable, by structure-preserving doubling:
///
/// ```text
/// W  = A_γᵀ + H A_γ⁻¹ G,  A_γ = A − γ
/// E₀ = 1 + 2γ W⁻ᵀ,  G₀ = 2γ A_γ⁻¹ G W⁻¹,  H₀ = 2γ W⁻¹ H A_γ⁻¹
/// E ← E (1 + G H)⁻¹ E,  G ← G + E (1 + G H)⁻¹ G Eᵀ,  H ← H + Eᵀ H (1 + G H)⁻¹ E,   H → X
/// ```
pub(super) fn riccati(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>) -> Result<Solved, LinearError> {
    let what = "the equation of Riccati";
    for m in [a, g, h] {
        finite(what, m)?;
    }
    let size = a.norm().max((g.norm() * h.norm()).sqrt()).max(f64::MIN_POSITIVE);
    let base = size / (a.nrows().max(1) as f64).sqrt();
    // A shift that happens to be an eigenvalue is not one the next time.
    let tries = [1.0, 2.3, 0.37].into_iter().filter_map(|factor| doubled(a, g, h, base * factor));
    let best = tries.min_by(|a, b| a.residual.total_cmp(&b.residual));
    match best {
        Some(solved) if solved.residual < 1e-6 => Ok(solved),
        Some(Solved { residual, .. }) => Err(LinearError::NoConvergence { what, residual }),
        None => Err(LinearError::NoConvergence { what, residual: f64::INFINITY }),
    }
}

fn doubled(a: &DMatrix<f64>, g: &DMatrix<f64>, h: &DMatrix<f64>, gamma: f64) -> Option<Solved> {
    let n = a.nrows();
    let one = DMatrix::<f64>::identity(n, n);
    let shifted = (a - &one * gamma).try_inverse()?;
    let w = ((a - &one * gamma).transpose() + h * &shifted * g).try_inverse()?;
    let mut e = &one + w.transpose() * (2.0 * gamma);
    let mut gk = &shifted * g * &w * (2.0 * gamma);
    let mut x = &w * h * &shifted * (2.0 * gamma);
    for _ in 0..60 {
        let inverse = (&one + &gk * &x).try_inverse()?;
        let step = e.transpose() * &x * &inverse * &e;
        gk += &e * &inverse * &gk * e.transpose();
        e = &e * &inverse * &e;
        let done = step.norm() <= 1e-17 * x.norm();
        x += step;
        if done {
            break;
        }
    }
    x = (&x + x.transpose()) * 0.5;
    let ax = a.transpose() * &x;
    let xgx = &x * g * &x;
    let scale = ax.norm().max(h.norm()).max(xgx.norm()).max(f64::MIN_POSITIVE);
    let residual = (&ax + ax.transpose() - xgx + h).norm() / scale;
    residual.is_finite().then_some(Solved { x, residual })
}

/// L with L Lᵀ = W for a symmetric W without negative eigenvalues; what rounding makes negative is zero.
pub(super) fn root(w: &DMatrix<f64>) -> DMatrix<f64> {
    let eigen = w.clone().symmetric_eigen();
    let roots = eigen.eigenvalues.map(|x| x.max(0.0).sqrt());
    eigen.eigenvectors * DMatrix::from_diagonal(&roots)
}

//! Which poses to measure next: greedily those that leave least uncertainty of the platform or of the parameters.
//!
//! With N the information so far and J the slopes of a measurement at a candidate, both in standard deviations:
//!
//! ```text
//! D-optimal: largest  ln det(1 + J N⁻¹ Jᵀ)                                               (1)
//! A-optimal: largest  Σ_g tr S_g (N⁻¹ − (N + JᵀJ)⁻¹) S_gᵀ over poses g of the workspace     (2)
//! ```

use super::model::Place;
use nalgebra::DMatrix;

/// What is to become small.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Criterion {
    /// The uncertainty of the platform over the workspace (2). The default.
    #[default]
    Platform,
    /// The volume of the uncertainty of the parameters (1).
    Parameters,
}

/// A pose that was chosen.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Which candidate.
    pub candidate: usize,
    /// Root mean square uncertainty of the platform over the workspace, after it was measured \[m\].
    pub after: f64,
}

/// Chooses so many of the candidates, whose slopes by the parameters are in standard deviations of one measurement.
/// `covariance` is that of the parameters so far; `judges` are slopes of the platform over the workspace.
pub fn choose(
    covariance: &DMatrix<f64>,
    candidates: &[(Place, DMatrix<f64>)],
    judges: &[DMatrix<f64>],
    count: usize,
    criterion: Criterion,
) -> Vec<Choice> {
    let mut sigma = covariance.clone();
    let mut chosen = Vec::new();
    // What the platform's covariance is made of: tr S Σ Sᵀ = tr Σ SᵀS.
    let n = sigma.nrows();
    let mut gram = DMatrix::zeros(n, n);
    for slopes in judges {
        gram += slopes.transpose() * slopes;
    }
    gram /= judges.len().max(1) as f64;
    for _ in 0..count {
        let mut best: Option<(usize, f64)> = None;
        for (k, (_, slopes)) in candidates.iter().enumerate() {
            let spread = &sigma * slopes.transpose();
            let mut own = slopes * &spread;
            for i in 0..own.nrows() {
                own[(i, i)] += 1.0;
            }
            let Some(factor) = own.cholesky() else { continue };
            let gain = match criterion {
                Criterion::Parameters => factor.l().diagonal().iter().map(|x| x.ln()).sum::<f64>(),
                Criterion::Platform => {
                    // tr G Σ Jᵀ (1 + J Σ Jᵀ)⁻¹ J Σ
                    let solved = factor.solve(&spread.transpose());
                    (&gram * &spread * solved).trace()
                }
            };
            if gain.is_finite() && best.is_none_or(|(_, most)| gain > most) {
                best = Some((k, gain));
            }
        }
        let Some((k, _)) = best else { break };
        let slopes = &candidates[k].1;
        let spread = &sigma * slopes.transpose();
        let mut own = slopes * &spread;
        for i in 0..own.nrows() {
            own[(i, i)] += 1.0;
        }
        if let Some(factor) = own.cholesky() {
            sigma -= &spread * factor.solve(&spread.transpose());
        }
        let after = (&gram * &sigma).trace().max(0.0).sqrt();
        chosen.push(Choice { candidate: k, after });
    }
    chosen
}

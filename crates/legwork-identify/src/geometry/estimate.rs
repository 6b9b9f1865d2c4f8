//! The parameters that fit best: Levenberg-Marquardt on exact slopes, rows that disagree put aside and named, and how well each
//! combination of parameters is known.
//!
//! ```text
//! minimise  Σ_b w_b |r_b|² + s² Σ_k (p_k/π_k)²                                    (1)
//! cov(p)    = [ (Jᵀ W J / s² + diag(1/π²))⁻¹ ]_pp                                 (2)
//! ```
//!
//! r in standard deviations of the measurement, s their factor as found, π how far a parameter may be from the drawing.
//! Where the data say nothing, a parameter stays where the drawing has it, and (2) says π.

use super::model::Place;
use super::observation::Kind;
use super::residual::{Block, Problem, Unknowns};
use legwork::task::{Handle, TaskError};
use nalgebra::{DMatrix, DVector};
use std::collections::BTreeSet;

/// Deviations beyond which a row disagrees.
const OUTLIER: f64 = 4.5;
/// Where Tukey's weight vanishes.
const TUKEY: f64 = 4.685;

/// What was found.
#[derive(Clone, Debug)]
pub struct Fit {
    /// Of each parameter, beside the drawing \[m or rad\].
    pub values: Vec<f64>,
    /// What was unknown of the measurement.
    pub unknowns: Unknowns,
    /// Where the platform was in each row.
    pub poses: Vec<[Option<Place>; 2]>,
    /// Covariance of the parameters (2).
    pub covariance: DMatrix<f64>,
    /// The factor s between the noise that was assumed and the noise that was found.
    pub scale: f64,
    /// Numbers measured in rows that agree, minus unknowns.
    pub freedom: f64,
    /// Rows that disagree, from 0, and by how many deviations.
    pub outliers: Vec<(usize, f64)>,
    /// Blocks at the end, those of outliers too.
    pub blocks: Vec<Block>,
    /// What each direction in the space of parameters is worth.
    pub directions: Directions,
    /// Blocks at the beginning, with the drawn robot.
    pub before: Vec<Block>,
    /// Steps of Levenberg and Marquardt.
    pub steps: usize,
}

/// Directions in the space of parameters.
#[derive(Clone, Debug)]
pub struct Directions {
    /// Singular values of the slopes after elimination of what else is unknown, parameters in units of π.
    pub singular: Vec<f64>,
    /// The directions, one in each column, in units of π.
    pub vectors: DMatrix<f64>,
    /// How many are determined: the data know them at least twice as well as the drawing.
    pub determined: usize,
    /// How many no measurement of this kind could determine: their singular values are rounding.
    pub exact: usize,
    /// Ratio of the last singular value that is no rounding to the first that is.
    pub gap: Option<f64>,
}

struct State {
    values: Vec<f64>,
    unknowns: Unknowns,
    poses: Vec<[Option<Place>; 2]>,
    blocks: Vec<Block>,
}

impl Problem<'_> {
    fn prior(&self) -> Vec<f64> {
        self.model.parameters.list.iter().map(|parameter| parameter.prior).collect()
    }

    #[allow(clippy::too_many_lines)] // one stage after the other
    /// Finds the parameters; `None` if the robot of the file does not reach some row.
    pub fn fit(&self, robust: bool, handle: &Handle<'_>) -> Result<Option<Fit>, TaskError> {
        let count = self.model.parameters.list.len();
        let values = vec![0.0; count];
        let (unknowns, _) = self.first_guess();
        let mut poses = self.starts.clone();
        let Some(blocks) = self.blocks(&values, &unknowns, &mut poses) else { return Ok(None) };
        // The drawn robot, in the frame that suits it best.
        let mut state = State { values, unknowns, poses, blocks };
        let mut weights = vec![1.0; state.blocks.len()];
        let mut steps = 0;
        self.descend(&mut state, &weights, 1.0, 1.0, 12, true);
        let before = state.blocks.clone();
        let mut scale = 1.0;
        let ridge = |scale: f64| if self.noise.is_known { 1.0_f64.max(scale) } else { scale };
        steps += self.descend(&mut state, &weights, 1.0, ridge(scale), 40, false);
        if robust {
            for outer in 0..25 {
                handle.report(0.1 + 0.02 * f64::from(outer), "fitting");
                handle.go_on()?;
                scale = median_scale(&state.blocks, self.unknown_count());
                let next: Vec<f64> = state
                    .blocks
                    .iter()
                    .map(|block| {
                        let u = size(block) / scale.max(1e-12);
                        match (outer < 4, u < TUKEY) {
                            (true, _) => (1.5 / u.max(1e-12)).min(1.0),
                            (false, true) => (1.0 - (u / TUKEY).powi(2)).powi(2),
                            (false, false) => 0.0,
                        }
                    })
                    .collect();
                let change = next
                    .iter()
                    .zip(&weights)
                    .map(|(a, b): (&f64, &f64)| (a - b).abs())
                    .fold(0.0_f64, f64::max);
                weights = next;
                steps += self.descend(&mut state, &weights, 1.0, ridge(scale), 8, false);
                if outer > 5 && change < 0.01 {
                    break;
                }
            }
            weights = weights.iter().map(|w| f64::from(u8::from(*w > 0.02))).collect();
            scale = rms_scale(&state.blocks, &weights, self.unknown_count());
        }
        let mut outliers = Vec::new();
        for _ in 0..8 {
            handle.go_on()?;
            steps += self.descend(&mut state, &weights, 1.0, ridge(scale), 20, false);
            scale = rms_scale(&state.blocks, &weights, self.unknown_count());
            if !robust {
                break;
            }
            let (normal, _) = self.normal(&state, &weights, ridge(scale));
            let inverse = inverse(&normal);
            outliers.clear();
            let next: Vec<f64> = state
                .blocks
                .iter()
                .zip(&weights)
                .map(|(block, weight)| {
                    // Studentised: the variance of a residual is s² (1 − h) inside and s² (1 + h) outside.
                    let leverage = self.leverage(block, &inverse);
                    let part = if *weight > 0.0 { (1.0 - leverage).max(0.02) } else { 1.0 + leverage };
                    let u = size(block) / (scale.max(1e-12) * part.sqrt());
                    if u > OUTLIER {
                        outliers.push((block.row, u));
                    }
                    f64::from(u8::from(u <= OUTLIER))
                })
                .collect();
            let same = next == weights;
            weights = next;
            if same {
                break;
            }
        }
        outliers.sort_by(|a, b| a.0.cmp(&b.0).then(b.1.total_cmp(&a.1)));
        outliers.dedup_by_key(|outlier| outlier.0);
        let used: usize =
            state.blocks.iter().zip(&weights).filter(|(_, w)| **w > 0.0).map(|(b, _)| b.residual.len()).sum();
        let directions = self.directions(&state.blocks, &weights, ridge(scale));
        let found = self.layout.count() + directions.determined;
        let freedom = (used as f64 - found as f64).max(0.0);
        // With known noise the data may only make it larger.
        let sum: f64 = weighted(&state.blocks, &weights);
        let own = if freedom > 0.0 { (sum / freedom).sqrt() } else { 0.0 };
        let scale = if self.noise.is_known { own.max(1.0) } else { own };
        let (normal, _) = self.normal(&state, &weights, scale.max(1e-9));
        let covariance = self.covariance(&normal, scale.max(1e-9));
        let directions = self.directions(&state.blocks, &weights, scale.max(1e-9));
        let State { values, unknowns, poses, blocks } = state;
        Ok(Some(Fit {
            values,
            unknowns,
            poses,
            covariance,
            scale,
            freedom,
            outliers,
            blocks,
            directions,
            before,
            steps,
        }))
    }

    fn unknown_count(&self) -> usize {
        self.model.parameters.list.len() + self.layout.count()
    }

    /// Jᵀ W J with the prior, parameters in units of π, and Jᵀ W r minus the pull of the prior.
    fn normal(&self, state: &State, weights: &[f64], ridge: f64) -> (DMatrix<f64>, DVector<f64>) {
        let prior = self.prior();
        let all = self.unknown_count();
        let (mut normal, mut right) = (DMatrix::zeros(all, all), DVector::zeros(all));
        for (block, weight) in state.blocks.iter().zip(weights).filter(|(_, weight)| **weight > 0.0) {
            let slopes = scaled(&block.slopes, &prior);
            normal.gemm_tr(*weight, &slopes, &slopes, 1.0);
            right.gemv_tr(*weight, &slopes, &block.residual, 1.0);
        }
        for (k, (value, prior)) in state.values.iter().zip(&prior).enumerate() {
            normal[(k, k)] += ridge * ridge;
            right[k] -= ridge * ridge * value / prior;
        }
        (normal, right)
    }

    /// Steps until they are small; gives how many. `only_unknowns` keeps the parameters.
    fn descend(
        &self,
        state: &mut State,
        weights: &[f64],
        first: f64,
        ridge: f64,
        most: usize,
        only_unknowns: bool,
    ) -> usize {
        let prior = self.prior();
        let count = prior.len();
        let cost = |state: &State| {
            let pull: f64 = state.values.iter().zip(&prior).map(|(p, s)| (ridge * p / s).powi(2)).sum();
            weighted(&state.blocks, weights) + pull
        };
        let (mut damping, mut now) = (1e-6 * first, cost(state));
        for step in 0..most {
            let (mut normal, mut right) = self.normal(state, weights, ridge);
            if only_unknowns {
                for k in 0..count {
                    normal.column_mut(k).fill(0.0);
                    normal.row_mut(k).fill(0.0);
                    normal[(k, k)] = 1.0;
                    right[k] = 0.0;
                }
            }
            let mut moved = 0.0;
            for _ in 0..12 {
                let mut damped = normal.clone();
                for k in 0..damped.nrows() {
                    damped[(k, k)] += damping * damped[(k, k)] + f64::MIN_POSITIVE;
                }
                let Some(delta) = solve(&damped, &right) else {
                    damping = (damping * 10.0).max(1e-9);
                    continue;
                };
                let values: Vec<f64> = (0..count).map(|k| state.values[k] + delta[k] * prior[k]).collect();
                let unknowns = self.stepped(&state.unknowns, &delta.as_slice()[count..]);
                let mut poses = state.poses.clone();
                // A link that vanishes is no robot.
                let is_possible = self.model.parameters.list.iter().zip(&values).all(|(parameter, x)| {
                    !matches!(parameter.change, super::parameters::Change::Link(_))
                        || parameter.drawn.is_none_or(|drawn| drawn + x > 0.0)
                });
                let found = if is_possible { self.blocks(&values, &unknowns, &mut poses) } else { None };
                let next = found.map(|blocks| State { values, unknowns, poses, blocks });
                match next {
                    Some(next) if cost(&next) <= now * (1.0 + 1e-12) => {
                        moved = delta.norm();
                        now = cost(&next);
                        *state = next;
                        damping *= 0.1;
                        break;
                    }
                    _ => damping = (damping * 10.0).max(1e-9),
                }
            }
            // In units of π and of metres and radians: a nanometre and below.
            if moved < 1e-9 {
                return step + 1;
            }
        }
        most
    }

    /// How much a block holds its own residual down: the mean of the diagonal of J N⁻¹ Jᵀ.
    fn leverage(&self, block: &Block, inverse: &DMatrix<f64>) -> f64 {
        let slopes = scaled(&block.slopes, &self.prior());
        let hat = &slopes * inverse * slopes.transpose();
        hat.trace() / hat.nrows() as f64
    }

    /// (2)
    fn covariance(&self, normal: &DMatrix<f64>, scale: f64) -> DMatrix<f64> {
        let (prior, all) = (self.prior(), inverse(normal));
        DMatrix::from_fn(prior.len(), prior.len(), |i, j| all[(i, j)] * scale * scale * prior[i] * prior[j])
    }

    /// What each direction of the parameters is worth, after what else is unknown was eliminated.
    fn directions(&self, blocks: &[Block], weights: &[f64], scale: f64) -> Directions {
        let prior = self.prior();
        let (count, all) = (prior.len(), self.unknown_count());
        let used: Vec<&Block> =
            blocks.iter().zip(weights).filter(|(_, weight)| **weight > 0.0).map(|(block, _)| block).collect();
        let lines: usize = used.iter().map(|block| block.residual.len()).sum();
        let mut slopes = DMatrix::zeros(lines.max(count), all);
        let mut line = 0;
        for block in used {
            let own = scaled(&block.slopes, &prior);
            slopes.rows_mut(line, own.nrows()).copy_from(&own);
            line += own.nrows();
        }
        slopes /= scale;
        let (mut own, other) = (slopes.columns(0, count).into_owned(), slopes.columns(count, all - count));
        if other.ncols() > 0 {
            let svd = other.into_owned().svd(true, false);
            let most = svd.singular_values.max();
            if let Some(u) = svd.u {
                for (k, s) in svd.singular_values.iter().enumerate() {
                    if *s > 1e-10 * most {
                        let column = u.column(k);
                        let shares = column.transpose() * &own;
                        own -= column * shares;
                    }
                }
            }
        }
        directions_of(own)
    }
}

/// Singular values and directions, largest first.
pub(super) fn directions_of(slopes: DMatrix<f64>) -> Directions {
    let count = slopes.ncols();
    let svd = slopes.svd(false, true);
    let vt = svd.v_t.unwrap_or_else(|| DMatrix::identity(count, count));
    let mut order: Vec<usize> = (0..svd.singular_values.len()).collect();
    order.sort_by(|a, b| svd.singular_values[*b].total_cmp(&svd.singular_values[*a]));
    let singular: Vec<f64> = order.iter().map(|k| svd.singular_values[*k]).collect();
    let vectors = DMatrix::from_fn(count, order.len(), |i, j| vt[(order[j], i)]);
    let most = singular.first().copied().unwrap_or(0.0);
    // The data know a direction to 1/s in units of π; twice as well as the drawing is 1/s < 1/2.
    let determined = singular.iter().filter(|s| **s > 2.0).count();
    let exact = singular.iter().filter(|s| **s <= 1e-9 * most).count();
    let at = singular.len() - exact;
    let gap = (exact > 0 && at > 0).then(|| singular[at - 1] / singular[at].max(f64::MIN_POSITIVE));
    Directions { singular, vectors, determined, exact, gap }
}

/// Slopes by parameters in units of π.
fn scaled(slopes: &DMatrix<f64>, prior: &[f64]) -> DMatrix<f64> {
    let mut own = slopes.clone();
    for (k, prior) in prior.iter().enumerate() {
        own.column_mut(k).scale_mut(*prior);
    }
    own
}

fn weighted(blocks: &[Block], weights: &[f64]) -> f64 {
    blocks.iter().zip(weights).map(|(block, weight)| weight * block.residual.norm_squared()).sum()
}

/// Root of the mean square of a block's residuals.
pub(super) fn size(block: &Block) -> f64 {
    (block.residual.norm_squared() / block.residual.len().max(1) as f64).sqrt()
}

/// The scale of most residuals, whatever a minority is: 1.4826 times the median of their sizes, made up for the unknowns.
fn median_scale(blocks: &[Block], unknowns: usize) -> f64 {
    let mut all: Vec<f64> = blocks.iter().flat_map(|b| b.residual.iter().map(|r| r.abs())).collect();
    if all.is_empty() {
        return 0.0;
    }
    all.sort_by(f64::total_cmp);
    let median = all[all.len() / 2];
    let free = (all.len() as f64 - unknowns as f64).max(0.15 * all.len() as f64);
    1.4826 * median * (all.len() as f64 / free).sqrt()
}

fn rms_scale(blocks: &[Block], weights: &[f64], unknowns: usize) -> f64 {
    let used: usize =
        blocks.iter().zip(weights).filter(|(_, w)| **w > 0.0).map(|(b, _)| b.residual.len()).sum();
    let free = (used as f64 - unknowns as f64).max(0.15 * used as f64).max(1.0);
    (weighted(blocks, weights) / free).sqrt()
}

/// The solution with a matrix that is positive but for rounding.
fn solve(normal: &DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    let d = DVector::from_fn(normal.nrows(), |k, _| 1.0 / normal[(k, k)].max(1e-300).sqrt());
    let balanced = DMatrix::from_fn(normal.nrows(), normal.ncols(), |i, j| {
        normal[(i, j)] * d[i] * d[j] + if i == j { 1e-14 } else { 0.0 }
    });
    let found = balanced.cholesky()?.solve(&right.component_mul(&d)).component_mul(&d);
    found.iter().all(|x| x.is_finite()).then_some(found)
}

/// The inverse of a matrix that is positive but for rounding.
fn inverse(normal: &DMatrix<f64>) -> DMatrix<f64> {
    let n = normal.nrows();
    let d = DVector::from_fn(n, |k, _| 1.0 / normal[(k, k)].max(1e-300).sqrt());
    let balanced =
        DMatrix::from_fn(n, n, |i, j| normal[(i, j)] * d[i] * d[j] + if i == j { 1e-14 } else { 0.0 });
    let found = balanced.cholesky().map_or_else(|| DMatrix::identity(n, n), |factor| factor.inverse());
    DMatrix::from_fn(n, n, |i, j| found[(i, j)] * d[i] * d[j])
}

/// Root mean square of the residuals of a kind, in its unit, of rows that agree.
pub fn rms(blocks: &[Block], kind: Kind, sigma: f64, without: &[(usize, f64)]) -> Option<f64> {
    let bad: BTreeSet<usize> = without.iter().map(|outlier| outlier.0).collect();
    let own: Vec<&Block> =
        blocks.iter().filter(|block| block.kind == kind && !bad.contains(&block.row)).collect();
    if own.is_empty() {
        return None;
    }
    // Of points: the mean of squared distances.
    let sum: f64 = own.iter().map(|block| block.residual.norm_squared()).sum();
    Some((sum / own.len() as f64).sqrt() * sigma)
}

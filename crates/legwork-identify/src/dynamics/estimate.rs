//! Weighted least squares over the rows of a log, with the lag of the drives, and standard deviations that count how
//! residuals go together in time.
//!
//! ```text
//! y_i(t; T) = w_i(t)ᵀ β + e_i(t),   e_i ~ s_i, correlation ρ_k over k rows        (1)
//! A = Σ w wᵀ / s_i²,   β = A⁻¹ Σ w y / s_i²                                        (2)
//! cov β = A⁻¹ (Σ_i Σ_t Σ_|k|≤m ρ_k w_i(t) w_i(t+k)ᵀ / s_i²) A⁻¹                    (3)
//! ```
//!
//! T is found by Gauss and Newton: −∂y/∂T is one more column, so it has its place in (3). Rows that are filtered are alike
//! from one to the next; without ρ the deviations of (3) would be too small.

use super::filter::rms;
use super::matrix::{Columns, Square, dot, least_squares};

/// How many rows apart residuals are looked at.
const CORRELATION_ROWS: usize = 10;

/// The rows of one or more logs, motor by motor.
#[derive(Clone, Debug, Default)]
pub struct Rows {
    /// A column for each unknown, all motors one after the other.
    pub columns: Columns,
    /// What the columns make up.
    pub y: Vec<f64>,
    /// Which rows count.
    pub kept: Vec<bool>,
    /// Where a stretch begins and ends in the rows, and its motor: within it rows follow each other in time.
    pub stretches: Vec<(std::ops::Range<usize>, usize)>,
}

/// What least squares give.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// β
    pub values: Vec<f64>,
    /// cov β
    pub covariance: Square,
    /// Deviation of a row of each motor \[N m or N\].
    pub noise: Vec<f64>,
    /// Residuals of all rows.
    pub residuals: Vec<f64>,
    /// How residuals a few rows apart go together: ρ_1, ρ_2, ...
    pub correlation: Vec<f64>,
    /// How many rows count.
    pub rows: usize,
    /// Deviation of the last value by the residuals that its own rows have \[its unit\].
    pub last_by_rows: f64,
}

impl Estimate {
    /// Standard deviations.
    pub fn sigma(&self) -> Vec<f64> {
        (0..self.values.len()).map(|k| self.covariance.at(k, k).max(0.0).sqrt()).collect()
    }
}

/// Solves (2) with weights from the residuals, and (3). `None` where columns depend on each other.
pub fn estimate(rows: &Rows, motors: usize) -> Option<Estimate> {
    let mut noise: Vec<f64> =
        (0..motors).map(|motor| rms(&of_motor(rows, &rows.y, motor)).max(1e-300)).collect();
    let mut found = None;
    for _ in 0..4 {
        let weights = weights(rows, &noise);
        let a = rows.columns.weighted(&weights);
        let y: Vec<f64> = rows.y.iter().zip(&weights).map(|(y, w)| y * w).collect();
        let (values, inverse) = least_squares(&a, &y)?;
        let mut residuals = rows.columns.times(&values);
        residuals.iter_mut().zip(&rows.y).for_each(|(r, y)| *r = y - *r);
        let count = rows.kept.iter().filter(|kept| **kept).count();
        let free = count.checked_sub(values.len()).filter(|free| *free > 0)?;
        let grown = (count as f64 / free as f64).sqrt();
        for (motor, noise) in noise.iter_mut().enumerate() {
            // Rounding is never noise-free: a perfect fit keeps finite weights.
            let size = rms(&of_motor(rows, &rows.y, motor));
            *noise = (rms(&of_motor(rows, &residuals, motor)) * grown).max(1e-13 * size).max(1e-300);
        }
        found = Some((values, inverse, residuals));
    }
    let (values, _, residuals) = found?;
    let weights = weights(rows, &noise);
    let a = rows.columns.weighted(&weights);
    let r: Vec<f64> = residuals.iter().zip(&weights).map(|(r, w)| r * w).collect();
    let (_, inverse) = least_squares(&a, &r)?;
    let correlation = correlation(rows, &r, values.len());
    let covariance = sandwich(rows, &a, &inverse, &correlation);
    let last_by_rows = last_by_rows(rows, &a, &inverse, &r);
    let kept = rows.kept.iter().filter(|kept| **kept).count();
    Some(Estimate { values, covariance, noise, residuals, correlation, rows: kept, last_by_rows })
}

fn of_motor(rows: &Rows, values: &[f64], motor: usize) -> Vec<f64> {
    let own = rows.stretches.iter().filter(|(_, of)| *of == motor);
    own.flat_map(|(range, _)| range.clone()).filter(|k| rows.kept[*k]).map(|k| values[k]).collect()
}

/// 1/s_i, zero for rows that do not count.
fn weights(rows: &Rows, noise: &[f64]) -> Vec<f64> {
    let mut weights = vec![0.0; rows.y.len()];
    for (range, motor) in &rows.stretches {
        for k in range.clone().filter(|k| rows.kept[*k]) {
            weights[k] = noise[*motor].recip();
        }
    }
    weights
}

/// ρ_k of weighted residuals, faded out towards the last so that (3) stays positive. Fitting has taken a little of the
/// correlation away with every unknown; that much is put back.
fn correlation(rows: &Rows, r: &[f64], unknowns: usize) -> Vec<f64> {
    let (mut sums, mut counts) = (vec![0.0; CORRELATION_ROWS + 1], vec![0.0_f64; CORRELATION_ROWS + 1]);
    for (range, _) in &rows.stretches {
        for lag in 0..=CORRELATION_ROWS.min(range.len().saturating_sub(1)) {
            for k in range.start..range.end - lag {
                if rows.kept[k] && rows.kept[k + lag] {
                    sums[lag] += r[k] * r[k + lag];
                    counts[lag] += 1.0;
                }
            }
        }
    }
    let power = sums[0] / counts[0].max(1.0);
    let lost = unknowns as f64 / counts[0].max(1.0);
    (1..=CORRELATION_ROWS)
        .map(|lag| {
            let fade = 1.0 - lag as f64 / (CORRELATION_ROWS + 1) as f64;
            fade * (sums[lag] / counts[lag].max(1.0) / power + lost)
        })
        .collect()
}

/// The deviation of the last value where not all rows are alike: from what each residual moves it by, with neighbours.
///
/// ```text
/// ψ_t = (A⁻¹ w_t)_last r_t,   σ² = Σ_t Σ_|k|≤m (1 − |k|/(m + 1)) ψ_t ψ_t+k              (4)
/// ```
fn last_by_rows(rows: &Rows, a: &Columns, inverse: &Square, r: &[f64]) -> f64 {
    let Some(last) = a.count().checked_sub(1) else { return 0.0 };
    let mut psi = vec![0.0; r.len()];
    for (k, column) in a.0.iter().enumerate() {
        super::matrix::add(&mut psi, inverse.at(last, k), column);
    }
    psi.iter_mut().zip(r).for_each(|(psi, r)| *psi *= r);
    let mut sum = 0.0;
    for (range, _) in &rows.stretches {
        for k in range.clone().filter(|k| rows.kept[*k]) {
            sum += psi[k] * psi[k];
            for lag in 1..=CORRELATION_ROWS.min(range.end - 1 - k) {
                let fade = 1.0 - lag as f64 / (CORRELATION_ROWS + 1) as f64;
                let other = if rows.kept[k + lag] { psi[k + lag] } else { 0.0 };
                sum += 2.0 * fade * psi[k] * other;
            }
        }
    }
    sum.max(0.0).sqrt()
}

/// (3)
fn sandwich(rows: &Rows, a: &Columns, inverse: &Square, correlation: &[f64]) -> Square {
    let n = a.count();
    // Each column against the others with neighbours added in.
    let mut blurred = a.clone();
    for (range, _) in &rows.stretches {
        for (out, column) in blurred.0.iter_mut().zip(&a.0) {
            for k in range.clone().filter(|k| rows.kept[*k]) {
                let mut sum = column[k];
                for (lag, rho) in correlation.iter().enumerate() {
                    let lag = lag + 1;
                    let before = k.checked_sub(lag).filter(|other| *other >= range.start);
                    let after = Some(k + lag).filter(|other| *other < range.end);
                    for other in [before, after].into_iter().flatten().filter(|other| rows.kept[*other]) {
                        sum += rho * column[other];
                    }
                }
                out[k] = sum;
            }
        }
    }
    let mut middle = Square::zero(n);
    for i in 0..n {
        for j in 0..n {
            middle.set(i, j, dot(&a.0[i], &blurred.0[j]));
        }
    }
    inverse.product(&middle).product(inverse)
}

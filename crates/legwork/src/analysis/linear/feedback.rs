//! State feedback on the reduced model: u = Γ₀ + F (x_ref − x).
//!
//! x is the state of [`Reduced::state_space`]: coordinates, then rates. Two ways to F: the one that minimises
//! ∫ xᵀQx + uᵀRu dt (LQR), and the one that puts the poles where they are wanted.

use super::algebra::{Solved, eigenvalues, lyapunov, riccati};
use super::{Coordinates, DMatrix, LinearError, Pole, Reduced, StateSpace};
use crate::sorting::sort_by;
use legwork_core::Real;
use nalgebra::Cholesky;

/// A gain and what it makes of the robot.
#[derive(Clone, Debug, PartialEq)]
pub struct Feedback {
    /// F, one row for each motor: effort per coordinate, then per rate.
    pub gain: DMatrix<f64>,
    /// Poles of A − B F, largest real part first.
    pub poles: Vec<Pole>,
    /// What is left over of the equation behind F, relative to its largest term.
    pub residual: f64,
}

impl Feedback {
    /// F by rows.
    pub fn rows(&self) -> Vec<Vec<f64>> {
        rows(&self.gain)
    }

    /// F for errors of the motors, [F_x J⁺, F_ẋ J⁺] with δq = J δx: effort per joint, then per joint rate. F itself in
    /// joint coordinates.
    pub fn motor_rows(&self, reduced: &Reduced) -> Result<Vec<Vec<f64>>, LinearError> {
        if reduced.coordinates == Coordinates::Joints {
            return Ok(self.rows());
        }
        let back = reduced.to_joints.clone().pseudo_inverse(f64::EPSILON);
        let back = back.map_err(|_| LinearError::NotFinite { what: "the Jacobian" })?;
        let (n, motors) = (reduced.order(), self.gain.nrows());
        let mut gain = DMatrix::zeros(motors, 2 * motors);
        for half in 0..2 {
            gain.columns_mut(half * motors, motors).copy_from(&(self.gain.columns(half * n, n) * &back));
        }
        Ok(rows(&gain))
    }
}

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

/// LQR: F = R⁻¹ Bᵀ X with Aᵀ X + X A − X B R⁻¹ Bᵀ X + Q = 0, by structure-preserving doubling.
///
/// Q must be symmetric without negative eigenvalues, R symmetric and positive.
pub fn lqr(model: &StateSpace, q: &DMatrix<f64>, r: &DMatrix<f64>) -> Result<Feedback, LinearError> {
    let (n, m) = model.b.shape();
    for (what, found, expected) in
        [("Q", q.nrows(), n), ("Q", q.ncols(), n), ("R", r.nrows(), m), ("R", r.ncols(), m)]
    {
        if found != expected {
            return Err(LinearError::Count { what, expected, found });
        }
    }
    super::algebra::finite("Q", q)?;
    super::algebra::finite("R", r)?;
    let lowest = q.clone().symmetric_eigenvalues().min();
    if lowest < -1e-12 * q.amax() {
        return Err(LinearError::Number {
            what: "the smallest eigenvalue of Q",
            value: lowest,
            wanted: "zero or more",
        });
    }
    let Some(r) = Cholesky::new(r.clone()) else {
        let value = r.clone().symmetric_eigenvalues().min();
        return Err(LinearError::Number { what: "the smallest eigenvalue of R", value, wanted: "positive" });
    };
    let g = &model.b * r.solve(&model.b.transpose());
    let Solved { x, residual } = riccati(&model.a, &g, q)?;
    let gain = r.solve(&(model.b.transpose() * x));
    let poles = eigenvalues(&(&model.a - &model.b * &gain))?;
    Ok(Feedback { gain, poles, residual })
}

/// Q and R of one weight for all coordinates, one for all rates, one for all efforts.
pub fn plain_weights(model: &StateSpace, place: f64, rate: f64, effort: f64) -> (DMatrix<f64>, DMatrix<f64>) {
    let (n, m) = model.b.shape();
    let weight = |k: usize| if k < n / 2 { place } else { rate };
    let q = DMatrix::from_fn(n, n, |i, j| if i == j { weight(i) } else { 0.0 });
    (q, DMatrix::from_diagonal_element(m, m, effort))
}

/// Pole placement: with M = L Lᵀ and the modes Φ of the robot (Φᵀ M Φ = 1, softest first) each mode i gets the pair
/// s² + a s + b of its own:
///
/// ```text
/// E F_x = M Φ diag(b) Φᵀ M − K,   E F_ẋ = M Φ diag(a) Φᵀ M − D
/// ```
///
/// Two poles for each coordinate: complex ones with their conjugates, real ones two by two from the right.
/// With more motors than freedoms the smallest efforts are taken.
pub fn place(reduced: &Reduced, poles: &[Pole]) -> Result<Feedback, LinearError> {
    let n = reduced.order();
    if poles.len() != 2 * n {
        return Err(LinearError::Count { what: "poles", expected: 2 * n, found: poles.len() });
    }
    let pairs = paired(poles)?;
    let l =
        Cholesky::new(reduced.mass.clone()).ok_or(LinearError::NotFinite { what: "the mass matrix" })?.l();
    let (_, stiffness) = reduced.normal_form().ok_or(LinearError::NotFinite { what: "the mass matrix" })?;
    let eigen = stiffness.symmetric_eigen();
    let mut softest: Vec<usize> = (0..n).collect();
    sort_by(&mut softest, |a, b| eigen.eigenvalues[*a].total_cmp(&eigen.eigenvalues[*b]));
    // M Φ = L V
    let columns = DMatrix::from_fn(n, n, |i, j| eigen.eigenvectors[(i, softest[j])]);
    let mass_modes = l * columns;
    let wanted = |part: &dyn Fn(&(f64, f64)) -> f64| {
        let diagonal = DMatrix::from_fn(n, n, |i, j| if i == j { part(&pairs[i]) } else { 0.0 });
        &mass_modes * diagonal * mass_modes.transpose()
    };
    let force = [wanted(&|pair| pair.1) - &reduced.stiffness, wanted(&|pair| pair.0) - &reduced.damping];
    let spread = reduced
        .input
        .clone()
        .pseudo_inverse(f64::EPSILON)
        .map_err(|_| LinearError::NotFinite { what: "the input matrix" })?;
    let mut gain = DMatrix::zeros(reduced.input.ncols(), 2 * n);
    let mut residual: f64 = 0.0;
    for (k, force) in force.iter().enumerate() {
        let part = &spread * force;
        let error = (&reduced.input * &part - force).norm() / force.norm().max(f64::MIN_POSITIVE);
        residual = Real::max(residual, error);
        gain.columns_mut(k * n, n).copy_from(&part);
    }
    let model = reduced.state_space();
    let poles = eigenvalues(&(&model.a - &model.b * &gain))?;
    Ok(Feedback { gain, poles, residual })
}

/// (a, b) of s² + a s + b for each pair.
fn paired(poles: &[Pole]) -> Result<Vec<(f64, f64)>, LinearError> {
    let mut pairs = Vec::new();
    let (mut real, mut complex): (Vec<f64>, Vec<Pole>) = (Vec::new(), Vec::new());
    for pole in poles {
        if !pole.re.is_finite() || !pole.im.is_finite() {
            return Err(LinearError::NotFinite { what: "a pole" });
        }
        if pole.im == 0.0 {
            real.push(pole.re);
        } else {
            complex.push(*pole);
        }
    }
    while let Some(pole) = complex.pop() {
        let mirror = Pole { im: -pole.im, ..pole };
        let close = |other: &Pole| other.distance(&mirror) <= 1e-9 * pole.natural_frequency();
        let Some(other) = complex.iter().position(close) else {
            return Err(LinearError::Unpaired { re: pole.re, im: pole.im });
        };
        complex.swap_remove(other);
        pairs.push((-2.0 * pole.re, pole.natural_frequency().powi(2)));
    }
    sort_by(&mut real, |a, b| b.total_cmp(a));
    // The number of all is even and complex ones go in pairs, so real ones do.
    pairs.extend(real.chunks_exact(2).map(|two| (-(two[0] + two[1]), two[0] * two[1])));
    Ok(pairs)
}

/// ∫ xᵀ Q x dt from the state `start` under a gain: xᵀ P x with the equation of Lyapunov for A − B F.
pub fn cost(
    model: &StateSpace,
    feedback: &Feedback,
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
    start: &[f64],
) -> Result<f64, LinearError> {
    if start.len() != model.a.nrows() {
        return Err(LinearError::Count { what: "the state", expected: model.a.nrows(), found: start.len() });
    }
    let closed = &model.a - &model.b * &feedback.gain;
    let weight = q + feedback.gain.transpose() * r * &feedback.gain;
    let x = DMatrix::from_column_slice(start.len(), 1, start);
    Ok((x.transpose() * lyapunov(&closed.transpose(), &weight)?.x * &x)[(0, 0)])
}

//! From base parameters to bodies that can exist.
//!
//! Efforts tell combinations of parameters only. The parameters that are written into a robot are, among all that can
//! exist, those that agree with the estimate and are nearest to the file:
//!
//! ```text
//! min ½ (β − Kθ)ᵀ Σ⁻¹ (β − Kθ) + γ Σ_b [tr(J_b⁰⁻¹ J_b(θ)) − log det J_b(θ)]         (1)
//! ```
//!
//! J is the pseudo-inertia of a body, the matrix of ∫ (r, 1)(r, 1)ᵀ dm: it is positive exactly for masses that can exist, which
//! is a positive mass, a positive inertia and the triangle inequality. The second term of (1) is its distance from that of
//! the file, convex and infinite at the border \[LeeWensingPark2020\]. γ is small: what the log tells counts, what it
//! does not stays as the file has it. Newton's method with a bounded line search.

use super::matrix::{Columns, Square, dot};
use super::parameters::{Parameters, PartKind, Place, Ten};

/// What the distance from the file counts, in units of the estimate's deviations.
const PULL: f64 = 1e-3;
const MOST_STEPS: usize = 200;

/// One part of the barrier: symmetric matrices that are linear in some parameters.
struct Cone {
    /// Places of the parameters.
    places: Vec<usize>,
    /// The matrix of each parameter alone.
    parts: Vec<Square>,
    /// What no parameter stands for.
    constant: Square,
    /// (J⁰)⁻¹
    prior: Square,
}

/// Parameters that agree with the estimate and can exist; `None` if the search does not end.
///
/// `map` is K by columns: for each parameter what it adds to the base parameters.
pub fn feasible(
    parameters: &Parameters,
    map: &Columns,
    values: &[f64],
    covariance: &Square,
) -> Option<Vec<f64>> {
    let start = parameters.values();
    let information = covariance.inverse()?;
    let (mut theta, cones) = cones(parameters, map, values, &start);
    let moves = |place: &usize| map.0[*place].iter().any(|x| *x != 0.0);
    let free: Vec<usize> = free(parameters).into_iter().filter(moves).collect();
    let objective = |theta: &[f64]| -> f64 {
        let rest: Vec<f64> = map.times(theta).iter().zip(values).map(|(k, b)| b - k).collect();
        let mut sum = 0.5 * dot(&rest, &information.times(&rest));
        for cone in &cones {
            let j = cone.matrix(theta);
            let Some(log) = log_det(&j) else { return f64::INFINITY };
            let trace: f64 = (0..j.size())
                .map(|i| (0..j.size()).map(|k| cone.prior.at(i, k) * j.at(k, i)).sum::<f64>())
                .sum();
            sum += PULL * (trace - log);
        }
        for place in &free {
            let step = theta[*place] - start[*place];
            sum += 0.5 * PULL * step * step / scale(parameters, *place).powi(2);
        }
        sum
    };
    let n = theta.len();
    let mut value = objective(&theta);
    for _ in 0..MOST_STEPS {
        let rest: Vec<f64> = map.times(&theta).iter().zip(values).map(|(k, b)| b - k).collect();
        let pulled = information.times(&rest);
        let mut gradient: Vec<f64> = map.0.iter().map(|column| -dot(column, &pulled)).collect();
        let weighted: Vec<Vec<f64>> = map.0.iter().map(|column| information.times(column)).collect();
        let mut hessian = Square::zero(n);
        for i in 0..n {
            for j in 0..n {
                hessian.set(i, j, dot(&map.0[i], &weighted[j]));
            }
        }
        for cone in &cones {
            let inverse = cone.matrix(&theta).inverse()?;
            let sized: Vec<Square> = cone.parts.iter().map(|part| inverse.product(part)).collect();
            for (a, place) in cone.places.iter().enumerate() {
                let size = sized[a].size();
                let trace: f64 = (0..size).map(|i| sized[a].at(i, i)).sum();
                let prior: f64 = {
                    let product = cone.prior.product(&cone.parts[a]);
                    (0..size).map(|i| product.at(i, i)).sum()
                };
                gradient[*place] += PULL * (prior - trace);
                for (b, other) in cone.places.iter().enumerate() {
                    let both: f64 = (0..size)
                        .map(|i| (0..size).map(|k| sized[a].at(i, k) * sized[b].at(k, i)).sum::<f64>())
                        .sum();
                    hessian.set(*place, *other, hessian.at(*place, *other) + PULL * both);
                }
            }
        }
        for place in &free {
            let size = scale(parameters, *place).powi(2);
            gradient[*place] += PULL * (theta[*place] - start[*place]) / size;
            hessian.set(*place, *place, hessian.at(*place, *place) + PULL / size);
        }
        let step = newton(&hessian, &gradient)?;
        let decrease = dot(&step, &gradient);
        if decrease.abs() < 1e-9 * (1.0 + value.abs()) {
            return Some(theta);
        }
        let mut part = 1.0;
        loop {
            let next: Vec<f64> = theta.iter().zip(&step).map(|(x, s)| x - part * s).collect();
            let there = objective(&next);
            if there <= value - 1e-4 * part * decrease {
                (theta, value) = (next, there);
                break;
            }
            part *= 0.5;
            if part < 1e-12 {
                return Some(theta);
            }
        }
    }
    Some(theta)
}

/// H⁻¹ g with rows and columns of like size.
fn newton(hessian: &Square, gradient: &[f64]) -> Option<Vec<f64>> {
    let n = gradient.len();
    // What nothing pulls at stays.
    let size = |i: usize| hessian.at(i, i).abs().sqrt();
    let sizes: Vec<f64> = (0..n).map(|i| if size(i) > 0.0 { size(i) } else { 1.0 }).collect();
    let mut scaled = Square::zero(n);
    for i in 0..n {
        for j in 0..n {
            let stays = if i != j {
                0.0
            } else if size(i) > 0.0 {
                1e-13
            } else {
                1.0
            };
            scaled.set(i, j, hessian.at(i, j) / (sizes[i] * sizes[j]) + stays);
        }
    }
    let right: Vec<f64> = gradient.iter().zip(&sizes).map(|(g, s)| g / s).collect();
    Some(scaled.inverse()?.times(&right).iter().zip(&sizes).map(|(x, s)| x / s).collect())
}

impl Cone {
    fn matrix(&self, theta: &[f64]) -> Square {
        let mut sum = self.constant.clone();
        for (place, part) in self.places.iter().zip(&self.parts) {
            for i in 0..sum.size() {
                for j in 0..sum.size() {
                    sum.set(i, j, sum.at(i, j) + theta[*place] * part.at(i, j));
                }
            }
        }
        sum
    }
}

/// log det of a positive matrix; `None` of another one.
fn log_det(matrix: &Square) -> Option<f64> {
    let n = matrix.size();
    let mut a = matrix.clone();
    let mut sum = 0.0;
    for k in 0..n {
        let pivot = a.at(k, k);
        if pivot.is_nan() || pivot <= 0.0 {
            return None;
        }
        sum += pivot.ln();
        for i in k + 1..n {
            let factor = a.at(i, k) / pivot;
            for j in k..n {
                a.set(i, j, a.at(i, j) - factor * a.at(k, j));
            }
        }
    }
    Some(sum)
}

/// A size for a parameter that is free in sign: an offset.
fn scale(parameters: &Parameters, place: usize) -> f64 {
    parameters.list[place].value.abs().max(1.0)
}

/// Parameters without a border: offsets.
fn free(parameters: &Parameters) -> Vec<usize> {
    let is_free = |place: &usize| {
        matches!(
            parameters.list[*place].place,
            Place::Motor { number: super::parameters::MotorNumber::Offset, .. }
        )
    };
    (0..parameters.list.len()).filter(is_free).collect()
}

/// The pseudo-inertia of each of the ten numbers alone, in units of a length, for the numbers that a kind has.
fn pseudo(kind: PartKind, component: usize) -> Square {
    let rows = |entries: &[(usize, usize, f64)], size: usize| {
        let mut out = Square::zero(size);
        for (i, j, value) in entries {
            out.set(*i, *j, *value);
            out.set(*j, *i, *value);
        }
        out
    };
    match (kind, component) {
        (PartKind::Point | PartKind::Moment, _) => rows(&[(0, 0, 1.0)], 1),
        // ∫ (x, 1)(x, 1)ᵀ dm
        (PartKind::Bar, 0) => rows(&[(1, 1, 1.0)], 2),
        (PartKind::Bar, 1) => rows(&[(0, 1, 1.0)], 2),
        (PartKind::Bar, _) => rows(&[(0, 0, 1.0)], 2),
        // A body of the plane: m I ≥ mx² + my² is the Schur complement of this one.
        (PartKind::Planar, 0) => rows(&[(2, 2, 1.0)], 3),
        (PartKind::Planar, 1) => rows(&[(0, 2, 1.0)], 3),
        (PartKind::Planar, 2) => rows(&[(1, 2, 1.0)], 3),
        (PartKind::Planar, _) => rows(&[(0, 0, 1.0), (1, 1, 1.0)], 3),
        // Second moments: Σ = ½ tr(I) 1 − I
        (PartKind::Body, 0) => rows(&[(3, 3, 1.0)], 4),
        (PartKind::Body, k @ 1..=3) => rows(&[(k - 1, 3, 1.0)], 4),
        (PartKind::Body, k @ 4..=6) => {
            let own = k - 4;
            let mut all = Vec::new();
            for i in 0..3 {
                all.push((i, i, if i == own { -0.5 } else { 0.5 }));
            }
            rows(&all, 4)
        }
        (PartKind::Body, 7) => rows(&[(0, 1, -1.0)], 4),
        (PartKind::Body, 8) => rows(&[(0, 2, -1.0)], 4),
        (PartKind::Body, _) => rows(&[(1, 2, -1.0)], 4),
    }
}

/// The cones of all parts and motors, and a start inside of them: as the file, borders moved in a little.
fn cones(parameters: &Parameters, map: &Columns, values: &[f64], start: &[f64]) -> (Vec<f64>, Vec<Cone>) {
    let (mut theta, mut cones) = (start.to_vec(), Vec::new());
    for (part, (_, kind)) in parameters.parts.iter().enumerate() {
        let places: Vec<(usize, usize)> = parameters
            .list
            .iter()
            .enumerate()
            .filter_map(|(k, parameter)| match parameter.place {
                Place::Part { part: of, component } if of == part => Some((k, component)),
                _ => None,
            })
            .collect();
        let mut ten: Ten = [0.0; 10];
        for (k, component) in &places {
            ten[*component] = theta[*k];
        }
        inside(*kind, &mut ten);
        for (k, component) in &places {
            theta[*k] = ten[*component];
        }
        let parts: Vec<Square> = places.iter().map(|(_, component)| pseudo(*kind, *component)).collect();
        let constant = Square::zero(parts.first().map_or(1, Square::size));
        let places = places.into_iter().map(|(k, _)| k).collect();
        cones.push(Cone { places, parts, prior: constant.clone(), constant });
    }
    let free = free(parameters);
    for (k, parameter) in parameters.list.iter().enumerate() {
        if !matches!(parameter.place, Place::Motor { .. }) || free.contains(&k) {
            continue;
        }
        // A number that the log does not tell stays as the file has it; one that the file leaves at zero begins at what the
        // log tells of it alone.
        let Some(row) = map.0[k].iter().position(|x| *x != 0.0) else { continue };
        if theta[k] <= 0.0 {
            theta[k] = (values[row] / map.0[k][row]).abs().max(1e-9);
        }
        let mut one = Square::zero(1);
        one.set(0, 0, 1.0);
        cones.push(Cone {
            places: vec![k],
            parts: vec![one],
            prior: Square::zero(1),
            constant: Square::zero(1),
        });
    }
    for cone in &mut cones {
        cone.prior = cone.matrix(&theta).inverse().unwrap_or_else(|| Square::zero(cone.constant.size()));
    }
    (theta, cones)
}

/// Bodies of a file often lie on the border, as points and thin rods do: a millionth of their size is added.
fn inside(kind: PartKind, ten: &mut Ten) {
    let mass = ten[0].max(1e-9);
    let reach = (1..4).map(|k| (ten[k] / mass).powi(2)).sum::<f64>().sqrt();
    let spread = ((ten[4] + ten[5] + ten[6]).abs() / (2.0 * mass)).sqrt();
    let more = 1e-6 * mass * reach.max(spread).max(1e-3).powi(2);
    ten[0] = ten[0].max(1e-9);
    match kind {
        PartKind::Point => {}
        PartKind::Moment => ten[6] = ten[6].max(1e-9),
        PartKind::Bar | PartKind::Planar => ten[6] += more,
        PartKind::Body => (4..7).for_each(|k| ten[k] += 2.0 * more),
    }
}

//! What a fit means for the platform, and which combinations of parameters it does not tell.

use super::estimate::Fit;
use super::model::{Model, Place};
use super::residual::Problem;
use super::result::{Combination, ToleranceResult};
use super::tolerance::Reference;
use legwork::V3;
use nalgebra::DMatrix;

/// How far the platform of the calibrated robot is from that of the drawn one, place by place.
pub(super) fn ways(
    model: &Model,
    values: &[f64],
    places: &[Place],
    reference: &Reference,
) -> Vec<(Place, V3<f64>)> {
    let (drawn, built) = (model.built(&vec![0.0; values.len()]), model.built(values));
    let mut ways: Vec<(Place, V3<f64>)> = places
        .iter()
        .filter_map(|place| {
            let q = model.readings(&drawn, place);
            let found = model.pose(&built, &q, place)?;
            let way = model.to_user(&found.pose).position - model.to_user(&place.pose).position;
            Some((place.clone(), way))
        })
        .collect();
    reference.without_frame(model, &mut ways);
    ways
}

/// Root mean square and largest of the same.
pub(super) fn moved(model: &Model, values: &[f64], poses: &[Place], reference: &Reference) -> (f64, f64) {
    let gaps: Vec<f64> =
        ways(model, values, poses, reference).into_iter().map(|(_, way)| way.norm_sq()).collect();
    let sum: f64 = gaps.iter().sum();
    ((sum / gaps.len().max(1) as f64).sqrt(), gaps.iter().copied().fold(0.0_f64, f64::max).sqrt())
}

pub(super) fn left(
    model: &Model,
    (values, covariance): (&[f64], &DMatrix<f64>),
    poses: &[Place],
    reference: &Reference,
) -> f64 {
    let all: Vec<f64> = poses
        .iter()
        .filter_map(|pose| model.tolerance(values, covariance, pose, reference))
        .map(|t| t.total * t.total)
        .collect();
    (all.iter().sum::<f64>() / all.len().max(1) as f64).sqrt()
}

pub(super) fn tolerance(
    model: &Model,
    (values, covariance): (&[f64], &DMatrix<f64>),
    poses: &[Place],
    reference: &Reference,
) -> Option<ToleranceResult> {
    let home = model.drawn.home.clone();
    let mut worst: Option<(f64, [f64; 3], [f64; 3])> = None;
    for pose in poses {
        let Some(own) = model.tolerance(values, covariance, pose, reference) else { continue };
        if worst.is_none_or(|worst| own.worst > worst.0) {
            worst = Some((own.worst, own.direction, model.to_user(&pose.pose).position.to_array()));
        }
    }
    let (most, direction, position) = worst?;
    let seed = legwork::random::DEFAULT_SEED;
    Some(ToleranceResult {
        mean: left(model, (values, covariance), poses, reference),
        worst: most,
        worst_direction: direction,
        worst_position: position,
        home: model.tolerance(values, covariance, &home, reference)?.total,
        home_by_chance: model.tolerance_by_chance(values, covariance, (&home, reference), 400, seed)?,
    })
}

/// The directions that the data do not determine, as few parameters in each as there can be.
pub(super) fn combinations(problem: &Problem<'_>, fit: &Fit) -> Vec<Combination> {
    let (list, directions) = (&problem.model.parameters.list, &fit.directions);
    let count = directions.singular.len();
    let mut all = Vec::new();
    let ends = [
        (count - directions.exact, count, true),
        (directions.determined.min(count - directions.exact), count - directions.exact, false),
    ];
    for (from, to, exact) in ends {
        let rows: Vec<Vec<f64>> =
            (from..to).map(|k| directions.vectors.column(k).iter().copied().collect()).collect();
        for row in &echelon(rows) {
            let most = row.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
            let mut parts: Vec<(String, f64)> = row
                .iter()
                .enumerate()
                .filter(|(_, x)| x.abs() > 0.02 * most)
                .map(|(k, x)| (list[k].name.clone(), x * list[k].prior))
                .collect();
            parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
            let words: Vec<String> = parts
                .iter()
                .take(8)
                .map(|(name, x)| {
                    let is_angle = list.iter().any(|p| p.name == *name && p.is_angle());
                    if is_angle {
                        format!("{name} {:+.3} deg", x.to_degrees())
                    } else {
                        format!("{name} {:+.3} mm", x * 1e3)
                    }
                })
                .collect();
            let more = if parts.len() > 8 { format!(" and {} more", parts.len() - 8) } else { String::new() };
            let end = if exact {
                "no measurement of this kind can tell"
            } else {
                "the drawing knows it better than these rows"
            };
            let text = format!("{}{more} together: {end}", words.join(", "));
            all.push(Combination { parameters: parts, exact, text });
        }
    }
    all
}

/// Row echelon form of directions: each pivot is a part of one of them only.
pub(super) fn echelon(mut rows: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let mut pivot = 0;
    while pivot < rows.len() {
        let mut best = (0, pivot, 0.0_f64);
        for (r, row) in rows.iter().enumerate().skip(pivot) {
            for (c, x) in row.iter().enumerate() {
                if x.abs() > best.2 * (1.0 + 1e-6) {
                    best = (c, r, x.abs());
                }
            }
        }
        let (column, row, size) = best;
        if size < 1e-9 {
            break;
        }
        rows.swap(pivot, row);
        let lead = rows[pivot][column];
        rows[pivot].iter_mut().for_each(|x| *x /= lead);
        let own = rows[pivot].clone();
        for (_, line) in rows.iter_mut().enumerate().filter(|(other, _)| *other != pivot) {
            let part = line[column];
            line.iter_mut().zip(&own).for_each(|(x, y)| *x -= part * y);
        }
        pivot += 1;
    }
    rows.truncate(pivot);
    rows
}

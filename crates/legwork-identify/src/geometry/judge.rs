//! Whether rows can tell anything of a robot, and whether the robot explains them.

use super::estimate::{Fit, rms};
use super::model::{Model, Place};
use super::observation::{Kind, Observations};
use super::request::bad;
use super::residual::Problem;
use legwork::V3;
use legwork::task::TaskError;
use nalgebra::DMatrix;

/// Where the robot of the file is in each row.
pub(super) fn starts(model: &Model, data: &Observations) -> Result<Vec<[Option<Place>; 2]>, TaskError> {
    let joints = model.robot.joints();
    let mut all = Vec::with_capacity(data.rows.len());
    for (k, row) in data.rows.iter().enumerate() {
        let start = |q: &[f64]| {
            model.nominal(q).map_err(|error| {
                let turning = joints.iter().zip(q).any(|(joint, q)| !joint.slides && q.abs() > 6.5);
                let long = joints.iter().zip(q).any(|(joint, q)| joint.slides && q.abs() > 20.0);
                let hint = if turning {
                    "the readings are large for radians: name the columns `q1 [deg]` if they are degrees"
                } else if long {
                    "the readings are large for metres: name the columns `q1 [mm]` if they are millimetres"
                } else {
                    "are these the readings of this robot, counted from its zeros and in the units of the column names?"
                };
                bad(format!("row {}: {}", k + 1, error.to_string().lines().next().unwrap_or_default()), hint)
            })
        };
        let other = row.distance.as_ref().and_then(|(_, to)| to.as_ref()).map(|q| start(q)).transpose()?;
        all.push([Some(start(&row.q)?), other]);
    }
    Ok(all)
}

pub(super) fn equations(data: &Observations, model: &Model) -> usize {
    let turns = model.drawn.turns();
    let of = |row: &super::observation::Row| {
        row.position.iter().flatten().count()
            + if row.rotation.is_some() && turns { 3 } else { 0 }
            + usize::from(row.plane.is_some())
            + usize::from(row.distance.is_some())
            + row.sensors.len()
    };
    data.rows.iter().map(of).sum()
}

/// Refuses what cannot tell anything.
pub(super) fn refuse_poor(problem: &Problem<'_>, equations: usize) -> Result<(), TaskError> {
    let (model, rows) = (problem.model, &problem.data.rows);
    let unknown = model.parameters.list.len() + problem.layout.count();
    let motors = model.robot.joints().len();
    let range = |k: usize| {
        let of = |pick: fn(f64, f64) -> f64, start: f64| rows.iter().map(|row| row.q[k]).fold(start, pick);
        of(f64::max, f64::NEG_INFINITY) - of(f64::min, f64::INFINITY)
    };
    let spread = "record poses all over the workspace, near and far from its middle, with every motor moving";
    if rows.len() > 1 && (0..motors).all(|k| range(k) < 1e-6) {
        return Err(bad("all rows have the same readings of the motors", spread));
    }
    if equations <= unknown {
        let per_row = (equations / rows.len()).max(1);
        let cause = format!(
            "{} rows are {equations} numbers, and {unknown} are unknown ({} parameters, {} of the measurement)",
            rows.len(),
            model.parameters.list.len(),
            problem.layout.count()
        );
        let hint = format!(
            "record at least {} poses, twice as many are better; or take `parameters = \"reduced\"` and `hold` some",
            unknown / per_row + 2
        );
        return Err(bad(cause, hint));
    }
    // The points of the drawn robot: on a line, in one place?
    let points: Vec<V3<f64>> = problem
        .starts
        .iter()
        .flat_map(|start| start.iter().flatten())
        .map(|place| model.to_user(&place.pose).position)
        .collect();
    let middle = points.iter().fold(V3::zero(), |sum, p| sum + *p) * (1.0 / points.len().max(1) as f64);
    let matrix = DMatrix::from_fn(points.len(), 3, |k, j| (points[k] - middle).to_array()[j]);
    let mut sizes: Vec<f64> = matrix.singular_values().iter().copied().collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    let turns = model.drawn.turns();
    if !turns && sizes.get(1).is_some_and(|second| *second < 1e-3 * sizes[0]) {
        return Err(bad("all rows are on one line", spread));
    }
    if let (_, Some(factor)) = problem.first_guess()
        && !(0.7..1.43).contains(&factor)
    {
        let cause = format!("the measured positions spread {factor:.4} times as far as those of the robot");
        let hint = if (500.0..2000.0).contains(&factor) {
            "millimetres in a column of metres: name it `x [mm]`"
        } else if (5e-4..2e-3).contains(&factor) {
            "metres in a column of millimetres, or the readings of the motors in mm: look at the units in the column names"
        } else {
            "look at the units in the column names (mm or m, deg or rad), and whether the rows belong to this robot"
        };
        return Err(bad(cause, hint));
    }
    Ok(())
}

/// Whether the model explains the data at all, in words or as a refusal.
pub(super) fn judge(problem: &Problem<'_>, fit: &Fit, notes: &mut Vec<String>) -> Result<(), TaskError> {
    let rows = problem.data.rows.len();
    if fit.outliers.len() * 3 > rows {
        return Err(bad(
            format!("{} of {rows} rows disagree with the others", fit.outliers.len()),
            "do all rows belong to this robot, were the motors at rest, and are the columns in the right order?",
        ));
    }
    let size = problem.model.drawn.reach;
    if let Some(after) = rms(&fit.blocks, Kind::Position, problem.noise.position, &fit.outliers)
        && after > 0.02 * size
    {
        return Err(bad(
            format!(
                "after the fit the positions are still off by {:.2} mm: this is not this robot",
                after * 1e3
            ),
            "look at the columns, their units and their order, and at the robot file",
        ));
    }
    if problem.noise.is_known && fit.scale > 2.0 {
        notes.push(format!(
            "the residuals are {:.1} times the noise that was given: the model leaves something out, or the noise is larger; \
             standard deviations are made larger by that",
            fit.scale
        ));
    }
    for (parameter, value) in problem.model.parameters.list.iter().zip(&fit.values) {
        if value.abs() > 4.0 * parameter.prior {
            let text = if parameter.is_angle() {
                format!("{:.3} deg", value.to_degrees())
            } else {
                format!("{:.3} mm", value * 1e3)
            };
            notes.push(format!(
                "`{}` is {text} from the drawing, farther than `expected_error` lets it be",
                parameter.name
            ));
        }
    }
    Ok(())
}

//! A calibration as a request: which robot, what was measured, what is known of how; and its run.

use super::blocks::blocks;
use super::estimate::{Fit, rms};
use super::model::Model;
use super::next::{Criterion, choose};
use super::observation::{Kind, Noise, Observations, Setup};
use super::parameters::{ParameterSet, Parameters};
use super::read;
use super::residual::{Problem, Unknowns};
use super::result::{
    CalibrateResult, Combination, FoundParameter, NextPose, OutlierResult, ResidualResult, ToleranceResult,
};
use super::workspace;
use legwork::description::{calibration_text, without_calibration};
use legwork::engine::Pose;
use legwork::task::{Angle, Handle, Length, RobotRequest, TaskError};
use legwork::{AnyRobot, V3};
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The geometry of a real robot from what was measured on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CalibrateRequest {
    /// Which robot; its file is the drawing.
    pub robot: RobotRequest,
    /// The rows that were measured: a CSV file or a recording. Without it only the tolerance that the file's own
    /// `[[calibration]]` gives is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measurements: Option<PathBuf>,
    /// Which parameters are free. Default: `reduced`.
    pub parameters: ParameterSet,
    /// Parameters that stay as drawn: names, or their ends, `arm`. Default: none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub hold: Vec<String>,
    /// Whether positions are in the robot's own frame. Default: no, the frame of the tracker is found.
    pub robot_frame: bool,
    /// The tracker's target, or the tip that touches, from the robot's tool point in the axes of its tool. Default: at it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<[Length; 3]>,
    /// Whether to find the target. Default: no.
    pub find_target: bool,
    /// Height of the touched plane, horizontal in the robot's frame. Default: planes are found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plane_height: Option<Length>,
    /// Centre of the ball bar in the robot's frame. Default: it is found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centre: Option<[Length; 3]>,
    /// Standard deviation of positions, planes and distances. Default: found from the residuals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub noise: Option<Length>,
    /// Standard deviation of orientations and of sensors that turn. Default: that of positions over the robot's size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rotation_noise: Option<Angle>,
    /// How far lengths may be from the drawing, as a standard deviation; zeros of motors ten times as far. Default: 2 mm.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_error: Option<Length>,
    /// Whether rows that disagree are kept. Default: they are named and left out.
    pub keep_outliers: bool,
    /// How many poses to propose for the next measurement. Default: none.
    pub next: usize,
    /// What these make small. Default: `platform`.
    pub criterion: Criterion,
    /// The robot file to write, with what was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// A picture of the error before and after, `.svg` or `.png`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub figure: Option<PathBuf>,
    /// A page, `.html`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
}

/// What a run leaves for pictures and pages.
pub struct Calibrated {
    /// The model with its parameters.
    pub model: Model,
    /// Values of the parameters.
    pub values: Vec<f64>,
    /// Their covariance.
    pub covariance: DMatrix<f64>,
    /// The result.
    pub result: CalibrateResult,
}

fn bad(cause: impl Into<String>, hint: impl Into<String>) -> TaskError {
    TaskError::Unusable { what: "cannot calibrate".into(), cause: cause.into(), hint: Some(hint.into()) }
}

impl CalibrateRequest {
    /// Runs it and writes its files.
    pub fn run(&self, handle: &Handle<'_>) -> Result<CalibrateResult, TaskError> {
        self.check_names(handle)?;
        let found = self.calibrated(handle)?;
        if let Some(path) = &self.out {
            handle.write(path, found.result.robot_file.as_bytes())?;
        }
        if let Some(path) = &self.figure {
            let figure = super::picture::figure(&found);
            handle.write(path, &figure.to_bytes(path).unwrap_or_default())?;
        }
        if let Some(path) = &self.report {
            let json = serde_json::to_string(self).unwrap_or_default();
            let report = super::picture::report(&found, handle.command(), &json);
            handle.write_page(path, &report, false)?;
        }
        handle.report(1.0, "");
        Ok(found.result)
    }

    fn check_names(&self, handle: &Handle<'_>) -> Result<(), TaskError> {
        if let Some(path) =
            self.figure.as_ref().filter(|path| !legwork::figure::Figure::is_name_of_picture(path))
        {
            let error =
                TaskError::request(format!("`figure {}` is not the name of a picture", path.display()));
            return Err(error.or("let it end in .svg or .png"));
        }
        if let Some(path) =
            self.report.as_ref().filter(|path| path.extension().is_none_or(|end| end != "html"))
        {
            let error = TaskError::request(format!("`report {}` is not the name of a page", path.display()));
            return Err(error.or("let it end in .html"));
        }
        if self.report.is_some() && !handle.makes_pages() {
            return Err(
                TaskError::request("pages cannot be made here").or("the crate legwork-studio makes pages")
            );
        }
        let mut files = legwork::files::FileRoles::default();
        if let Some(path) = &self.measurements {
            files.reads("the measurements", path);
        }
        if self.robot.text.is_none() && self.robot.name.contains(['/', '\\', '.']) {
            files.reads("the robot file", std::path::Path::new(&self.robot.name));
        }
        for (field, path) in [("out", &self.out), ("figure", &self.figure), ("report", &self.report)] {
            if let Some(path) = path {
                files.writes(field, path);
            }
        }
        Ok(files.check()?)
    }

    /// The same, with the model.
    pub fn calibrated(&self, handle: &Handle<'_>) -> Result<Calibrated, TaskError> {
        let robot = self.robot.open()?;
        match &self.measurements {
            None => tolerance_of_file(robot),
            Some(path) => {
                let model = self.model(robot)?;
                let data = read::read(path, &model)?;
                self.of_data(model, &data, handle)
            }
        }
    }

    /// The model of a robot with the parameters of this request.
    pub fn model(&self, robot: AnyRobot) -> Result<Model, TaskError> {
        if self.robot.working_mode.is_some() {
            let error = TaskError::request("`working_mode` of a robot that is calibrated stands in its file");
            return Err(error.or("write it there"));
        }
        let description = robot.description();
        let drawn = description.described_legs().map_err(|error| {
            bad(error.to_string(), "robots of legs can be calibrated; give a mechanism of bodies and joints as `[[leg]]` tables if it has legs")
        })?;
        let prior = self.expected_error.map_or(2e-3, |length| length.0);
        if !(prior > 0.0 && prior.is_finite()) {
            return Err(TaskError::request("`expected_error` is not above zero").or("2 mm is usual"));
        }
        let start: Vec<_> = description.calibration.iter().map(|leg| leg.value).collect();
        let family = description.family();
        let mut parameters = Parameters::of(family, &drawn.legs, drawn.size, self.parameters, prior, &start);
        for name in &self.hold {
            let fits = |own: &str| {
                own == name || own.ends_with(&format!(".{name}")) || own.starts_with(&format!("{name}."))
            };
            if !parameters.list.iter().any(|parameter| fits(&parameter.name)) {
                let names: Vec<&str> =
                    parameters.list.iter().map(|parameter| parameter.name.as_str()).collect();
                let error = TaskError::request(format!("`hold` names no parameter: `{name}`"));
                return Err(error.or(format!("the parameters are {}", names.join(", "))));
            }
            parameters.retain(|parameter| !fits(&parameter.name));
        }
        if parameters.list.is_empty() {
            return Err(TaskError::request("no parameter is left").or("hold fewer of them"));
        }
        Ok(Model::new(robot, parameters)?)
    }

    fn setup(&self) -> Setup {
        let metres = |three: &[Length; 3]| [three[0].0, three[1].0, three[2].0];
        Setup {
            frame_is_known: self.robot_frame,
            target: if self.find_target { None } else { Some(self.target.as_ref().map_or([0.0; 3], metres)) },
            plane_height: self.plane_height.map(|height| height.0),
            centre: self.centre.as_ref().map(metres),
            sensors_are_zeroed: false,
        }
    }

    /// The noise by which measurements are weighed.
    fn weights(&self, model: &Model) -> Noise {
        let position = self.noise.map_or(1e-5, |noise| noise.0);
        let rotation = self.rotation_noise.map_or(position / model.drawn.size.max(0.02), |noise| noise.0);
        Noise {
            position,
            rotation,
            plane: position,
            distance: position,
            sensor: rotation,
            is_known: self.noise.is_some(),
        }
    }

    /// The same from rows that are there already.
    pub fn of_data(
        &self,
        model: Model,
        data: &Observations,
        handle: &Handle<'_>,
    ) -> Result<Calibrated, TaskError> {
        let (setup, noise) = (self.setup(), self.weights(&model));
        if !(noise.position > 0.0 && noise.rotation > 0.0) {
            return Err(TaskError::request("`noise` is not above zero").or("leave it out if it is not known"));
        }
        let starts = starts(&model, data)?;
        let layout = Problem::layout(&model, data, &setup);
        let problem = Problem { model: &model, data, setup, noise, layout, starts };
        let equations = equations(data, &model);
        refuse_poor(&problem, equations)?;
        handle.report(0.05, "fitting");
        let fit = problem.fit(!self.keep_outliers, handle)?.ok_or_else(|| {
            bad(
                "the robot of the file does not reach what was measured",
                "are these the readings of this robot, in the units of the column names?",
            )
        })?;
        let mut notes = Vec::new();
        judge(&problem, &fit, &mut notes)?;
        handle.report(0.6, "workspace");
        let result = self.shown(&problem, &fit, equations, notes, handle)?;
        let (values, covariance) = (fit.values, fit.covariance);
        drop(problem);
        Ok(Calibrated { model, values, covariance, result })
    }

    fn shown(
        &self,
        problem: &Problem<'_>,
        fit: &Fit,
        equations: usize,
        notes: Vec<String>,
        handle: &Handle<'_>,
    ) -> Result<CalibrateResult, TaskError> {
        let model = problem.model;
        let list = &model.parameters.list;
        let sigma = |k: usize| fit.covariance[(k, k)].max(0.0).sqrt();
        let parameters = list
            .iter()
            .enumerate()
            .map(|(k, parameter)| FoundParameter {
                name: parameter.name.clone(),
                unit: parameter.unit().into(),
                drawn: parameter.drawn,
                change: fit.values[k],
                sigma: sigma(k),
                determined: sigma(k) < 0.5 * parameter.prior,
            })
            .collect();
        let kinds = [Kind::Position, Kind::Rotation, Kind::Plane, Kind::Distance, Kind::Sensor];
        let residuals = kinds
            .into_iter()
            .filter_map(|kind| {
                let unit = problem.noise.of(kind);
                Some(ResidualResult {
                    kind: kind.name().into(),
                    before: rms(&fit.before, kind, unit, &[])?,
                    after: rms(&fit.blocks, kind, unit, &fit.outliers).unwrap_or(f64::NAN),
                })
            })
            .collect();
        let poses = workspace::grid(model, 5, 0.15);
        let (before, most) = moved(model, &fit.values, &poses);
        let after = left(model, &fit.values, &fit.covariance, &poses);
        handle.go_on()?;
        handle.report(0.75, "tolerance");
        let tolerance = tolerance(model, &fit.values, &fit.covariance, &poses);
        handle.go_on()?;
        handle.report(0.85, "next poses");
        let next = if self.next > 0 { self.next_poses(problem, fit, &poses) } else { Vec::new() };
        let text = model.robot.description().text.as_deref().unwrap_or_default();
        let calibrated = model.calibrated(&fit.values, Some(&fit.covariance));
        let robot_file = format!(
            "{}\n{}",
            without_calibration(text).trim_end(),
            calibration_text(&calibrated.calibration)
        );
        Ok(CalibrateResult {
            robot: model.robot.name().into(),
            rows: problem.data.rows.len(),
            equations,
            free: list.len(),
            unknowns: problem.layout.count(),
            determined: fit.directions.determined,
            residuals,
            noise_factor: fit.scale,
            parameters,
            undetermined: combinations(problem, fit),
            singular_values: fit.directions.singular.clone(),
            gap: fit.directions.gap,
            outliers: fit
                .outliers
                .iter()
                .map(|(row, deviations)| OutlierResult { row: row + 1, deviations: *deviations })
                .collect(),
            frame_position: fit.unknowns.frame.position.to_array(),
            frame_rotation: fit.unknowns.frame.rotation.to_rows(),
            target: fit.unknowns.target.to_array(),
            error_before: before,
            error_before_most: most,
            error_after: after,
            tolerance,
            next,
            controllers: blocks(model, &fit.values),
            robot_file,
            notes,
        })
    }

    /// Poses at which the same kind of measurement would help most.
    fn next_poses(&self, problem: &Problem<'_>, fit: &Fit, judges: &[Pose<f64>]) -> Vec<NextPose> {
        let model = problem.model;
        let legs = model.legs(&fit.values);
        let scale = fit.scale.max(1e-9);
        let slopes = |pose: &Pose<f64>| model.point_slopes(&fit.values, pose);
        let candidates: Vec<(Pose<f64>, DMatrix<f64>)> = workspace::grid(model, 6, 0.25)
            .into_iter()
            .filter_map(|pose| {
                let own = candidate_slopes(problem, &fit.unknowns, &slopes(&pose)?);
                Some((pose, own / scale))
            })
            .collect();
        let judges: Vec<DMatrix<f64>> = judges.iter().filter_map(slopes).collect();
        let chosen = choose(&fit.covariance, &candidates, &judges, self.next.min(100), self.criterion);
        chosen
            .into_iter()
            .map(|choice| {
                let pose = candidates[choice.candidate].0;
                let user = model.to_user(&pose);
                NextPose {
                    position: user.position.to_array(),
                    rotation: user.rotation.to_rows(),
                    q: model.readings(&legs, &pose).0,
                    after: choice.after,
                }
            })
            .collect()
    }
}

/// Slopes of one more measurement, in standard deviations, with what else is unknown as it was found.
fn candidate_slopes(problem: &Problem<'_>, unknowns: &Unknowns, point: &DMatrix<f64>) -> DMatrix<f64> {
    let rows = &problem.data.rows;
    let has_position = rows.iter().any(|row| row.position.iter().any(Option::is_some));
    if has_position || rows.iter().all(|row| row.plane.is_none()) {
        return point / problem.noise.position;
    }
    let normal = unknowns.planes.first().map_or(V3::along_z(1.0), |plane| plane.0).to_array();
    DMatrix::from_fn(1, point.ncols(), |_, j| {
        (0..3).map(|i| normal[i] * point[(i, j)]).sum::<f64>() / problem.noise.plane
    })
}

/// Where the robot of the file is in each row.
fn starts(model: &Model, data: &Observations) -> Result<Vec<[Option<Pose<f64>>; 2]>, TaskError> {
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

fn equations(data: &Observations, model: &Model) -> usize {
    let turns = model.drawn.freedoms.iter().any(|place| *place >= 3);
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
fn refuse_poor(problem: &Problem<'_>, equations: usize) -> Result<(), TaskError> {
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
        .map(|pose| model.to_user(pose).position)
        .collect();
    let middle = points.iter().fold(V3::zero(), |sum, p| sum + *p) * (1.0 / points.len().max(1) as f64);
    let matrix = DMatrix::from_fn(points.len(), 3, |k, j| (points[k] - middle).to_array()[j]);
    let mut sizes: Vec<f64> = matrix.singular_values().iter().copied().collect();
    sizes.sort_by(|a, b| b.total_cmp(a));
    let turns = model.drawn.freedoms.iter().any(|place| *place >= 3);
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
fn judge(problem: &Problem<'_>, fit: &Fit, notes: &mut Vec<String>) -> Result<(), TaskError> {
    let rows = problem.data.rows.len();
    if fit.outliers.len() * 3 > rows {
        return Err(bad(
            format!("{} of {rows} rows disagree with the others", fit.outliers.len()),
            "do all rows belong to this robot, were the motors at rest, and are the columns in the right order?",
        ));
    }
    let size = problem.model.drawn.legs.first().map_or(0.3, |leg| leg.size(&problem.model.drawn.home));
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

/// Root mean square and largest of how far the platform of the drawn robot is from that of the calibrated one.
fn moved(model: &Model, values: &[f64], poses: &[Pose<f64>]) -> (f64, f64) {
    let (drawn, built) = (model.legs(&vec![0.0; values.len()]), model.legs(values));
    let gaps: Vec<f64> = poses
        .iter()
        .filter_map(|pose| {
            let q = model.readings(&drawn, pose).0;
            let found = model.pose(&built, &q, pose)?;
            Some((model.to_user(&found).position - model.to_user(pose).position).norm_sq())
        })
        .collect();
    let sum: f64 = gaps.iter().sum();
    ((sum / gaps.len().max(1) as f64).sqrt(), gaps.iter().copied().fold(0.0_f64, f64::max).sqrt())
}

fn left(model: &Model, values: &[f64], covariance: &DMatrix<f64>, poses: &[Pose<f64>]) -> f64 {
    let all: Vec<f64> = poses
        .iter()
        .filter_map(|pose| model.tolerance(values, covariance, pose))
        .map(|t| t.total * t.total)
        .collect();
    (all.iter().sum::<f64>() / all.len().max(1) as f64).sqrt()
}

fn tolerance(
    model: &Model,
    values: &[f64],
    covariance: &DMatrix<f64>,
    poses: &[Pose<f64>],
) -> Option<ToleranceResult> {
    let home = model.drawn.home;
    let mut worst: Option<(f64, [f64; 3], [f64; 3])> = None;
    for pose in poses {
        let Some(own) = model.tolerance(values, covariance, pose) else { continue };
        if worst.is_none_or(|worst| own.worst > worst.0) {
            worst = Some((own.worst, own.direction, model.to_user(pose).position.to_array()));
        }
    }
    let (most, direction, position) = worst?;
    Some(ToleranceResult {
        mean: left(model, values, covariance, poses),
        worst: most,
        worst_direction: direction,
        worst_position: position,
        home: model.tolerance(values, covariance, &home)?.total,
        home_by_chance: model.tolerance_by_chance(
            values,
            covariance,
            &home,
            400,
            legwork::random::DEFAULT_SEED,
        )?,
    })
}

/// The directions that the data do not determine, as few parameters in each as there can be.
fn combinations(problem: &Problem<'_>, fit: &Fit) -> Vec<Combination> {
    let (list, directions) = (&problem.model.parameters.list, &fit.directions);
    let count = directions.singular.len();
    let mut all = Vec::new();
    let ends = [
        (count - directions.exact, count, true),
        (directions.determined.min(count - directions.exact), count - directions.exact, false),
    ];
    for (from, to, exact) in ends {
        // Row echelon form of the directions: each pivot is a parameter of one of them only.
        let mut rows: Vec<Vec<f64>> =
            (from..to).map(|k| directions.vectors.column(k).iter().copied().collect()).collect();
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
            for (other, line) in rows.iter_mut().enumerate().filter(|(other, _)| *other != pivot) {
                let _ = other;
                let part = line[column];
                line.iter_mut().zip(&own).for_each(|(x, y)| *x -= part * y);
            }
            pivot += 1;
        }
        for row in rows.iter().take(pivot) {
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

/// What the standard deviations in the file mean for the platform.
fn tolerance_of_file(robot: AnyRobot) -> Result<Calibrated, TaskError> {
    let description = robot.description();
    if description.calibration.is_empty() {
        let error = TaskError::request(
            "there is nothing to calibrate with: no `measurements`, and no `[[calibration]]` in the robot file",
        );
        return Err(error
            .or("give the rows that were measured, or a file with standard deviations for its tolerance"));
    }
    let drawn = description.described_legs()?;
    let (parameters, sigma) = Parameters::of_sigma(&drawn.legs, &description.calibration);
    if parameters.list.is_empty() {
        let error = TaskError::request("the `[[calibration]]` of the robot file has no `sigma`");
        return Err(error.or("add `[calibration.sigma]` with the standard deviations of its numbers"));
    }
    let covariance =
        DMatrix::from_fn(sigma.len(), sigma.len(), |i, j| if i == j { sigma[i] * sigma[i] } else { 0.0 });
    let values = vec![0.0; sigma.len()];
    let text = description.text.as_deref().unwrap_or_default().to_owned();
    let model = Model::new(robot, parameters)?;
    let poses = workspace::grid(&model, 5, 0.15);
    let result = CalibrateResult {
        robot: model.robot.name().into(),
        free: sigma.len(),
        parameters: model
            .parameters
            .list
            .iter()
            .zip(&sigma)
            .map(|(parameter, sigma)| FoundParameter {
                name: parameter.name.clone(),
                unit: parameter.unit().into(),
                drawn: parameter.drawn,
                change: 0.0,
                sigma: *sigma,
                determined: true,
            })
            .collect(),
        error_after: left(&model, &values, &covariance, &poses),
        tolerance: tolerance(&model, &values, &covariance, &poses),
        controllers: blocks(&model, &values),
        robot_file: text,
        frame_rotation: legwork::IDENTITY,
        noise_factor: 1.0,
        notes: vec!["the standard deviations of the file are taken as independent of each other".into()],
        ..CalibrateResult::default()
    };
    Ok(Calibrated { model, values, covariance, result })
}

//! A calibration as a request: which robot, what was measured, what is known of how; and its run.

use super::answer::{combinations, left, moved, tolerance};
use super::blocks::blocks;
use super::estimate::{Fit, rms};
use super::judge::{equations, judge, refuse_poor, starts};
use super::model::{Drawn, Model, Place};
use super::next::{Criterion, choose};
use super::observation::{Kind, Noise, Observations, Setup};
use super::parameters::{ParameterSet, Parameters};
use super::read;
use super::residual::{Problem, Unknowns};
use super::result::{CalibrateResult, FoundParameter, NextPose, OutlierResult, ResidualResult};
use super::tolerance::Reference;
use super::workspace;
use legwork::description::{calibration_text, joint_calibration_text, without_calibration};
use legwork::task::{Angle, Handle, Length, RobotRequest, TaskError};
use legwork::{AnyRobot, V3};
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The geometry of a real robot from what was measured on it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Whether positions and orientations are in the robot's own frame; orientations are then those of the tool, unless the
    /// target is to be found. Default: no, the frame of the tracker is found, and how the target is turned on the tool.
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
    /// In which frame errors count.
    pub reference: Reference,
    /// The result.
    pub result: CalibrateResult,
}

pub(super) fn bad(cause: impl Into<String>, hint: impl Into<String>) -> TaskError {
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
        Ok(self.file_roles().check()?)
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
        let drawn = Drawn::of(&robot)?;
        let prior = self.expected_error.map_or(2e-3, |length| length.0);
        if !(prior > 0.0 && prior.is_finite()) {
            return Err(TaskError::request("`expected_error` is not above zero").or("2 mm is usual"));
        }
        let mut parameters = Parameters::of(&robot, &drawn, self.parameters, prior);
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
        Ok(Model { robot, drawn, parameters })
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
        let mut notes = model.parameters.notes.clone();
        judge(&problem, &fit, &mut notes)?;
        handle.report(0.6, "workspace");
        let result = self.shown(&problem, &fit, equations, notes, handle)?;
        let reference = reference_of(&problem, &fit, &workspace::grid(&model, 5, 0.15));
        let (values, covariance) = (fit.values, fit.covariance);
        drop(problem);
        Ok(Calibrated { model, values, covariance, reference, result })
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
        let reference = reference_of(problem, fit, &poses);
        let (before, most) = moved(model, &fit.values, &poses, &reference);
        let after = left(model, (&fit.values, &fit.covariance), &poses, &reference);
        handle.go_on()?;
        handle.report(0.75, "tolerance");
        let tolerance = tolerance(model, (&fit.values, &fit.covariance), &poses, &reference);
        handle.go_on()?;
        handle.report(0.85, "next poses");
        let next = if self.next > 0 { self.next_poses(problem, fit, &poses, &reference) } else { Vec::new() };
        let text = model.robot.description().text.as_deref().unwrap_or_default();
        let calibrated = model.calibrated(&fit.values, Some(&fit.covariance));
        // Constraints that repeat each other leave room for drawn numbers only.
        AnyRobot::new(calibrated.clone()).map_err(|error| {
            bad(
                format!("what was found makes no robot: {error}"),
                "take `parameters = \"reduced\"`, or `hold` the numbers of the joints that it names",
            )
        })?;
        let robot_file = format!(
            "{}\n{}{}",
            without_calibration(text).trim_end(),
            calibration_text(&calibrated.calibration),
            joint_calibration_text(&calibrated.joint_calibration)
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
            in_frame_of_measurement: !problem.layout.frame.is_empty(),
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
    fn next_poses(
        &self,
        problem: &Problem<'_>,
        fit: &Fit,
        judges: &[Place],
        reference: &Reference,
    ) -> Vec<NextPose> {
        let model = problem.model;
        let built = model.built(&fit.values);
        let scale = fit.scale.max(1e-9);
        let slopes = |place: &Place| model.point_slopes(&fit.values, place);
        let candidates: Vec<(Place, DMatrix<f64>)> = workspace::grid(model, 6, 0.25)
            .into_iter()
            .filter_map(|pose| {
                let own = candidate_slopes(problem, &fit.unknowns, &slopes(&pose)?);
                Some((pose, own / scale))
            })
            .collect();
        let judged = |place: &Place| {
            let own = slopes(place)?;
            Some(reference.slopes(model, place).map_or_else(|| own.clone(), |frame| &own - frame))
        };
        let judges: Vec<DMatrix<f64>> = judges.iter().filter_map(judged).collect();
        let chosen = choose(&fit.covariance, &candidates, &judges, self.next.min(100), self.criterion);
        chosen
            .into_iter()
            .map(|choice| {
                let place = &candidates[choice.candidate].0;
                let user = model.to_user(&place.pose);
                NextPose {
                    position: user.position.to_array(),
                    rotation: user.rotation.to_rows(),
                    q: model.readings(&built, place),
                    after: choice.after,
                }
            })
            .collect()
    }
}

/// In which frame errors count: where that of the tracker was found, the robot's own is nobody's.
fn reference_of(problem: &Problem<'_>, fit: &Fit, poses: &[Place]) -> Reference {
    if problem.layout.frame.is_empty() {
        return Reference::own();
    }
    Reference::best(problem.model, &fit.values, poses)
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

/// What the standard deviations in the file mean for the platform.
fn tolerance_of_file(robot: AnyRobot) -> Result<Calibrated, TaskError> {
    let description = robot.description();
    if description.calibration.is_empty() && description.joint_calibration.is_empty() {
        let error = TaskError::request(
            "there is nothing to calibrate with: no `measurements`, and no `[[calibration]]` or `[[joint_calibration]]` in \
             the robot file",
        );
        return Err(error
            .or("give the rows that were measured, or a file with standard deviations for its tolerance"));
    }
    let drawn = Drawn::of(&robot)?;
    let (parameters, sigma) = Parameters::of_sigma(&robot, &drawn);
    if parameters.list.is_empty() {
        let error = TaskError::request("the calibration in the robot file has no `sigma`");
        return Err(error.or("add `[calibration.sigma]` or `[joint_calibration.sigma]` with the standard deviations of its numbers"));
    }
    let covariance =
        DMatrix::from_fn(sigma.len(), sigma.len(), |i, j| if i == j { sigma[i] * sigma[i] } else { 0.0 });
    let values = vec![0.0; sigma.len()];
    let text = description.text.as_deref().unwrap_or_default().to_owned();
    let model = Model { robot, drawn, parameters };
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
        error_after: left(&model, (&values, &covariance), &poses, &Reference::own()),
        tolerance: tolerance(&model, (&values, &covariance), &poses, &Reference::own()),
        controllers: blocks(&model, &values),
        robot_file: text,
        frame_rotation: legwork::IDENTITY,
        noise_factor: 1.0,
        notes: vec!["the standard deviations of the file are taken as independent of each other".into()],
        ..CalibrateResult::default()
    };
    Ok(Calibrated { model, values, covariance, reference: Reference::own(), result })
}

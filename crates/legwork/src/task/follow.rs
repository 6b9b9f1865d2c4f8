//! Regulators along a path, side by side: a request and its result.

use super::ending::{self, EndingKind};
use super::error::{not_negative, positive};
use super::file_use::UsesFiles;
use super::motion::UsualPath;
use super::record::{self, RunRecorder, RunSize};
use super::{
    Choice, ControllerRequest, DEFAULT_ROBOT, Handle, LawKind, LawRequest, Length, PageKind, PathKind,
    PathRequest, PlantRequest, Request, RobotRequest, RunColumns, SolverRequest, TaskError, Time,
    needs_masses, number,
};
use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::experiment::{Arrival, ControllerKind, Experiment, Outcome, Spread, TimedPath};
use crate::plan::check;
use crate::recording::Recording;
use crate::report::{Run, of_runs};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Current lag of the motors in a closed loop where none is given \[s\].
const LAG: f64 = 2e-3;

/// Regulators that follow a path, one after the other.
///
/// ```
/// use legwork::task::{FollowRequest, Handle};
/// // The four regulators of Codourey 1998 on the robot, the path and the law of its file
/// let result = FollowRequest::default().run(&Handle::none())?;
/// assert_eq!(result.regulators.len(), 4);
/// assert!(result.regulators[3].joint_factor.unwrap() > 13.0);
/// # Ok::<(), legwork::task::TaskError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowRequest {
    /// Which robot; it needs masses. Default: `delta-direct-drive`.
    pub robot: RobotRequest,
    /// What the platform follows.
    pub path: PathRequest,
    /// When to be where.
    pub law: LawRequest,
    /// Whether it goes back again on the same path. Default: no, unless `cycles` or `pause` is given.
    pub back: bool,
    /// How often there and back. Default: once.
    pub cycles: Option<u32>,
    /// Rest at each end, on the way there and back. Default: none.
    pub pause: Option<Time>,
    /// How long the robot may come to rest after its motion. Default: 0.1 s.
    pub settle: Option<Time>,
    /// Within this distance of its reference the platform has arrived. Default: 0.1 mm.
    pub band: Option<Length>,
    /// Regulators and what they know.
    pub controller: ControllerRequest,
    /// The machine. Default: ideal but for a lag of 2 ms.
    pub plant: PlantRequest,
    /// The mathematics.
    pub solver: SolverRequest,
    /// Time from one sample to the next. Default: the period of the controller.
    pub sample: Option<Time>,
    /// File for every sample: `.csv`, `.parquet` or `.mcap`; with several regulators one for each, with its name before
    /// the dot. Default: none.
    pub out: Option<PathBuf>,
    /// File for a page about the runs, `.html`. Default: none.
    pub report: Option<PathBuf>,
}

impl Default for FollowRequest {
    fn default() -> Self {
        Self {
            robot: RobotRequest::named(DEFAULT_ROBOT),
            path: PathRequest::default(),
            law: LawRequest::default(),
            back: false,
            cycles: None,
            pause: None,
            settle: None,
            band: None,
            controller: ControllerRequest::default(),
            plant: PlantRequest::default(),
            solver: SolverRequest::default(),
            sample: None,
            out: None,
            report: None,
        }
    }
}

/// What regulators did. Numbers that are not finite are null in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FollowResult {
    /// Name of the robot.
    pub robot: String,
    /// The kind of path.
    pub path: PathKind,
    /// Its length \[m\].
    pub length: f64,
    /// The kind of law.
    pub law: LawKind,
    /// Duration of a move \[s\].
    pub move_time: f64,
    /// How long a run was to be \[s\].
    pub duration: f64,
    /// Time between two samples of the controller \[s\].
    pub period: f64,
    /// Frequency of the gains, detuned where none was given \[Hz\].
    pub frequency: f64,
    /// By what the robot that the controller knows differs from its file, in words.
    pub controller_knows: Vec<String>,
    /// What the machine was, in words.
    pub machine: Vec<String>,
    /// The files that were written.
    pub out: Vec<PathBuf>,
    /// The page that was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
    /// What kind of page it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageKind>,
    /// One regulator after the other; fewer than asked for if the caller cancelled.
    pub regulators: Vec<RegulatorResult>,
    /// What the robot's file says of this comparison.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// What one regulator did. Errors are taken against the reference that its feedback is given, over the whole run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegulatorResult {
    /// Which one.
    pub regulator: ControllerKind,
    /// K_p of each motor \[N m/rad, N/m\].
    #[serde(with = "number::list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub kp: Vec<f64>,
    /// K_d of each motor \[N m s/rad, N s/m\].
    #[serde(with = "number::list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub kd: Vec<f64>,
    /// The constant effort of each motor \[N m, N\].
    #[serde(with = "number::list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub bias: Vec<f64>,
    /// Errors of turning motors \[rad\], if there are any.
    pub turning_error: Option<Spread>,
    /// Errors of sliding motors \[m\], if there are any.
    pub sliding_error: Option<Spread>,
    /// Errors of the platform's position \[m\].
    pub position_error: Spread,
    /// Errors of its orientation \[rad\], if it turns.
    pub orientation_error: Option<Spread>,
    /// By how much its largest error at the motors is smaller than that of the first regulator; nothing if that is no
    /// number.
    pub joint_factor: Option<f64>,
    /// The same of the position.
    pub platform_factor: Option<f64>,
    /// Largest command of turning motors \[N m\].
    pub peak_torque: Option<f64>,
    /// Largest command of sliding motors \[N\].
    pub peak_force: Option<f64>,
    /// The last arrival; nothing if the run did not get there.
    pub arrival: Option<Arrival>,
    /// Why and when the supervisor took over.
    pub fault: Option<FaultResult>,
    /// How the run ended, in words.
    pub ending: String,
    /// The same in one word.
    pub ended: EndingKind,
    /// Largest error of the energy balance \[J\].
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub energy_imbalance: f64,
    /// Largest loop gap \[m\].
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub loop_gap: f64,
    /// Steps of the integrator.
    pub steps: u64,
}

/// Why a supervisor took over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FaultResult {
    /// When \[s\].
    pub time: f64,
    /// Why.
    pub reason: String,
}

impl RegulatorResult {
    fn of(outcome: &Outcome, first: &Outcome) -> Self {
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        let (joint, platform) = outcome.factors(first);
        let summary = &outcome.summary;
        Self {
            regulator: outcome.kind,
            kp: outcome.gains.proportional.clone(),
            kd: outcome.gains.derivative.clone(),
            bias: outcome.gains.bias.clone(),
            turning_error: outcome.turning,
            sliding_error: outcome.sliding,
            position_error: outcome.position,
            orientation_error: outcome.orientation,
            joint_factor: finite(joint),
            platform_factor: finite(platform),
            peak_torque: outcome.peak_torque.and_then(finite),
            peak_force: outcome.peak_force.and_then(finite),
            arrival: outcome.arrival,
            fault: outcome.fault.map(|(time, fault)| FaultResult { time, reason: fault.to_string() }),
            ending: ending::words(&summary.ending),
            ended: EndingKind::of(&summary.ending),
            energy_imbalance: summary.imbalance,
            loop_gap: summary.loop_gap,
            steps: summary.statistics.steps,
        }
    }
}

/// `run-pd.csv` of `run.csv`.
pub(super) fn named(path: &Path, kind: ControllerKind) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{}.{extension}", kind.word()))
}

impl FollowRequest {
    /// Runs it.
    pub fn run(&self, handle: &Handle<'_>) -> Result<FollowResult, TaskError> {
        Ok(self.run_with_memory(handle, false)?.0)
    }

    /// Runs it and gives the recording of each regulator too.
    pub fn run_recorded(&self, handle: &Handle<'_>) -> Result<(FollowResult, Vec<Recording>), TaskError> {
        self.run_with_memory(handle, true)
    }

    /// The same request for one regulator, with the robot in it and without files to write.
    fn self_contained(&self, robot: &AnyRobot, kind: ControllerKind) -> Request {
        let lqr_weights = self.controller.lqr_weights.filter(|_| kind == ControllerKind::Lqr);
        Request::Follow(Box::new(Self {
            robot: RobotRequest::of(robot),
            controller: ControllerRequest { regulators: vec![kind], lqr_weights, ..self.controller.clone() },
            out: None,
            report: None,
            ..self.clone()
        }))
    }

    /// The motion, with the kinds of its path and its law.
    fn motion(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
    ) -> Result<(TimedPath, PathKind, LawKind), TaskError> {
        let (motion, path, law) = UsualPath::to_follow(robot)?.timed(robot, schema, &self.path, &self.law)?;
        if !self.back && self.cycles.is_none() && self.pause.is_none() {
            return Ok((motion, path, law));
        }
        let pause = not_negative("pause", self.pause.map_or(0.0, |pause| pause.0))?;
        let cycles = self.cycles.unwrap_or(1);
        positive("cycles", f64::from(cycles))?;
        Ok((motion.there_and_back(pause, cycles), path, law))
    }

    /// Whether the motion is what the robot's file says.
    fn moves_as_usual(&self) -> bool {
        !self.path.is_given()
            && !self.law.is_given()
            && !self.back
            && self.cycles.is_none()
            && self.pause.is_none()
            && self.settle.is_none()
            && self.band.is_none()
    }

    fn run_with_memory(
        &self,
        handle: &Handle<'_>,
        in_memory: bool,
    ) -> Result<(FollowResult, Vec<Recording>), TaskError> {
        self.check_files()?;
        let robot = self.robot.open()?;
        needs_masses(&robot)?;
        let schema = CoordinateSchema::of(&robot);
        let (motion, path, law) = self.motion(&robot, &schema)?;
        let plant = PlantRequest { lag: self.plant.lag.or(Some(Time(LAG))), ..self.plant.clone() };
        let (plant, machine) = plant.resolve(&robot, &schema)?;
        let (known, controller_knows) = self.controller.known(&robot)?;
        let mut experiment = Experiment::new(&robot, motion)
            .on_plant(plant)
            .formulated_as(self.solver.formulation()?)
            .integrated_by(self.solver.integrator()?);
        if let Some(Time(time)) = self.settle {
            experiment = experiment.settling_for(positive("settle", time)?);
        }
        if let Some(Length(band)) = self.band {
            experiment = experiment.within_band(positive("band", band)?);
        }
        if let Some(Time(sample)) = self.sample {
            experiment = experiment.observed_every(positive("sample", sample)?);
        }
        let experiment = self.controller.applied_to(experiment, &robot, &schema, known)?;
        if let Some(path) = &self.out {
            record::check_name(path)?;
        }
        let kinds = self.controller.kinds()?;
        let mut experiment = self.controller.with_state_feedback(experiment)?;
        if let Some(flag) = handle.cancel_flag() {
            experiment = experiment.cancelled_by(flag);
        }
        // Reach and limits, then working mode and singularities, before anything moves.
        for kind in &kinds {
            experiment.resolved_gains(*kind)?;
        }
        check(&robot, experiment.motion().path())?;

        let columns = RunColumns::of_closed_loop(&schema);
        let size = RunSize {
            duration: experiment.duration(),
            sample: self.sample.map_or(self.controller.period.0, |sample| sample.0),
            columns: columns.columns().len(),
            in_memory: in_memory || self.report.is_some(),
        };
        size.check(handle)?;
        let (mut outcomes, mut files, mut recordings) = (Vec::new(), Vec::new(), Vec::new());
        for (k, kind) in kinds.iter().enumerate() {
            let file =
                self.out.as_ref().map(|path| if kinds.len() > 1 { named(path, *kind) } else { path.clone() });
            let metadata = record::metadata(&robot, &self.self_contained(&robot, *kind), handle)
                .with("regulator", kind.word());
            let in_memory = in_memory || self.report.is_some();
            let mut recorder = RunRecorder::new(file.clone(), in_memory, columns.columns(), metadata)?;
            let mut row = Vec::new();
            let outcome = experiment.run_each(*kind, |seen| {
                columns.observation_row(seen, &mut row);
                let flow = recorder.push(&row);
                let done = (k as f64 + seen.sample.time / experiment.duration()) / kinds.len() as f64;
                handle.report(done, kind.word());
                if handle.is_cancelled() { ControlFlow::Break(()) } else { flow }
            })?;
            recordings.extend(recorder.finish(&ending::words(&outcome.summary.ending))?);
            files.extend(file);
            outcomes.push(outcome);
            if handle.is_cancelled() {
                break;
            }
        }
        let note = robot.description().controller_defaults.as_ref().and_then(|of_file| of_file.note.clone());
        let is_usual = self.moves_as_usual()
            && self.controller.knows_as_usual()
            && outcomes.iter().map(|outcome| outcome.kind).eq(ControllerKind::FOUR);
        let regulators = match outcomes.first() {
            Some(first) => outcomes.iter().map(|outcome| RegulatorResult::of(outcome, first)).collect(),
            None => Vec::new(),
        };
        let mut result = FollowResult {
            robot: robot.name().into(),
            path,
            length: experiment.motion().length(),
            law,
            move_time: experiment.motion().move_duration(),
            duration: experiment.duration(),
            period: self.controller.period.0,
            frequency: experiment.tuning().frequency / TAU,
            controller_knows,
            machine,
            out: files,
            report: self.report.clone(),
            page: None,
            regulators,
            note: note.filter(|_| is_usual),
        };
        if let Some(path) = &self.report {
            let runs = result.regulators.iter().zip(&recordings);
            let runs: Vec<Run<'_>> =
                runs.map(|(of, recording)| Run { name: of.regulator.word(), recording }).collect();
            let mut page = of_runs(&format!("{}: regulators side by side", robot.name()), &runs);
            page.sections.insert(0, result.section());
            result.page = Some(PageKind::written(handle, path, &page)?);
        }
        Ok((result, if in_memory { recordings } else { Vec::new() }))
    }
}

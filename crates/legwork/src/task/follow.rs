//! Regulators along a path, side by side: a request and its result.

use super::ending::{self, EndingKind};
use super::error::positive;
use super::fastest::way_length;
use super::file_use::UsesFiles;
use super::follow_margins::{MarginsResult, margins_of};
use super::follow_motion::Resolved;
use super::record::{self, RunRecorder, RunSize};
use super::{
    Choice, ControllerRequest, CycleRequest, DEFAULT_ROBOT, Handle, LawRequest, Length, LimitsRequest, Mass,
    MotionRequest, MoveResult, PageKind, PathRequest, PlantRequest, Request, RobotRequest, RunColumns,
    SolverRequest, TaskError, Time, needs_masses, number,
};
use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::experiment::{
    Arrival, Controller, ControllerKind, Experiment, Outcome, ReferenceMotion, Spread, Tuning, fault_in_words,
};
use crate::plan::check_motion;
use crate::recording::Recording;
use crate::report::{Run, of_runs};
use crate::sim::Plant;
use crate::text::short;
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A request that can be run.
struct ClosedLoop<'r> {
    experiment: Experiment<'r>,
    kinds: Vec<ControllerKind>,
    machine: Vec<String>,
    controller_knows: Vec<String>,
}

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
    /// Whether it goes as fast as the limits allow, instead of by a law. Default: no.
    pub fastest: bool,
    /// What the fastest motion must keep to.
    pub limits: LimitsRequest,
    /// A cycle of several moves, instead of a path. Default: none.
    pub cycle: Option<CycleRequest>,
    /// A motion from the rows of a file, instead of a path. Default: none.
    pub motion: Option<MotionRequest>,
    /// Mass that is picked up where the path begins and put down at its end: it is carried there and not back. Default:
    /// none.
    pub carry: Option<Mass>,
    /// Whether it goes back again on the same path. Default: no, unless `cycles` or `pause` is given.
    pub back: bool,
    /// How often there and back, or through the cycle. Default: once.
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
            fastest: false,
            limits: LimitsRequest::default(),
            cycle: None,
            motion: None,
            carry: None,
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
    /// The kind of path, `cycle` if it has several moves, or the file of a motion.
    pub path: String,
    /// Its length \[m\].
    pub length: f64,
    /// The kind of law, `fastest`, or nothing where there is none for all of it.
    pub law: String,
    /// Duration of a move, or of a whole cycle or motion \[s\].
    pub move_time: f64,
    /// The moves, of a cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveResult>,
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
    /// K_i of each motor \[N m/(rad s), N/(m s)\], if it has an integral.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ki: Vec<f64>,
    /// T_m \[s\], of `model-shifted`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shift: Option<f64>,
    /// How far its loop is from its edge; nothing where it cannot be judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margins: Option<MarginsResult>,
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
    /// number, or if one of the two runs was not regulated up to its end.
    pub joint_factor: Option<f64>,
    /// The same of the platform: of its position, or of its orientation if it only turns.
    pub platform_factor: Option<f64>,
    /// Largest torque that turning motors give \[N m\], at the joint.
    pub peak_torque: Option<f64>,
    /// Largest force that sliding motors give \[N\], at the joint.
    pub peak_force: Option<f64>,
    /// Largest torque at the shafts of turning motors, before their gears \[N m\]; nothing without gears.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peak_motor_torque: Option<f64>,
    /// Largest torque that is asked of turning motors \[N m\]: more than they give if they lag or are limited.
    pub asked_torque: Option<f64>,
    /// Largest force that is asked of sliding motors \[N\].
    pub asked_force: Option<f64>,
    /// The last arrival; nothing if the run did not get there or was not regulated up to there.
    pub arrival: Option<Arrival>,
    /// What it believes to carry at the end \[kg\], of `adaptive`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub payload: Option<f64>,
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
    fn of(
        robot: &AnyRobot,
        outcome: &Outcome,
        first: &Outcome,
        tuning: &Tuning,
        margins: Option<MarginsResult>,
    ) -> Self {
        let is_shifted = outcome.kind == ControllerKind::ModelShifted;
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        let (joint, platform) = outcome.factors(first);
        let summary = &outcome.summary;
        Self {
            regulator: outcome.kind,
            kp: outcome.gains.proportional.clone(),
            kd: outcome.gains.derivative.clone(),
            ki: if tuning.integrates(outcome.kind) { outcome.gains.integral.clone() } else { Vec::new() },
            shift: is_shifted.then_some(tuning.shift),
            margins,
            bias: outcome.gains.bias.clone(),
            turning_error: outcome.turning,
            sliding_error: outcome.sliding,
            position_error: outcome.position,
            orientation_error: outcome.orientation,
            joint_factor: finite(joint),
            platform_factor: finite(platform),
            peak_torque: outcome.peak_torque.and_then(finite),
            peak_force: outcome.peak_force.and_then(finite),
            peak_motor_torque: outcome.peak_motor_torque.and_then(finite),
            asked_torque: outcome.asked_torque.and_then(finite),
            asked_force: outcome.asked_force.and_then(finite),
            arrival: outcome.arrival,
            payload: outcome.payload,
            fault: outcome
                .fault
                .map(|(time, fault)| FaultResult { time, reason: fault_in_words(robot, &fault) }),
            ending: ending::words(&summary.ending),
            ended: EndingKind::of(&summary.ending),
            energy_imbalance: summary.imbalance,
            loop_gap: summary.loop_gap,
            steps: summary.statistics.steps,
        }
    }
}

/// What each regulator did, beside the first.
fn side_by_side(
    robot: &AnyRobot,
    outcomes: &[Outcome],
    margins: Vec<Option<MarginsResult>>,
    tuning: &Tuning,
) -> Vec<RegulatorResult> {
    let Some(first) = outcomes.first() else { return Vec::new() };
    let each = outcomes.iter().zip(margins);
    each.map(|(outcome, margins)| RegulatorResult::of(robot, outcome, first, tuning, margins)).collect()
}

/// What to say where motors gave more than their file allows: nothing held them back, and the machine would.
fn beyond_the_file(robot: &AnyRobot, outcomes: &[Outcome]) -> Option<String> {
    let loads = outcomes.iter().filter_map(|outcome| Some((outcome.kind.word(), outcome.overload?)));
    let words: Vec<String> = loads
        .filter_map(|(regulator, load)| {
            let joint = robot.joints().get(load.motor)?;
            let [effort, limit] = [load.effort, load.limit].map(short);
            Some(format!(
                "{regulator} {effort} of {limit} {} (motor {})",
                joint.effort_unit(),
                load.motor + 1
            ))
        })
        .collect();
    let all = words.join(", ");
    let told = format!("motors give more than the robot file allows: {all}; `file_limits` holds them to it");
    (!words.is_empty()).then_some(told)
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
    fn self_contained(&self, robot: &AnyRobot, kind: ControllerKind) -> Result<Request, TaskError> {
        let lqr_weights = self.controller.lqr_weights.filter(|_| kind == ControllerKind::Lqr);
        Ok(Request::Follow(Box::new(Self {
            robot: RobotRequest::of(robot),
            plant: self.plant.self_contained()?,
            controller: ControllerRequest { regulators: vec![kind], lqr_weights, ..self.controller.clone() },
            out: None,
            report: None,
            ..self.clone()
        })))
    }

    /// Whether the motion is what the robot's file says.
    fn moves_as_usual(&self) -> bool {
        !self.path.is_given()
            && !self.law.is_given()
            && !self.fastest
            && self.cycle.is_none()
            && self.motion.is_none()
            && self.carry.is_none()
            && !self.back
            && self.cycles.is_none()
            && self.pause.is_none()
            && self.settle.is_none()
            && self.band.is_none()
    }

    /// The closed loop, with what the motion picks up.
    fn experiment<'r>(
        &self,
        robot: &'r AnyRobot,
        schema: &CoordinateSchema,
        motion: Box<dyn ReferenceMotion>,
        plant: Plant,
        known: AnyRobot,
    ) -> Result<Experiment<'r>, TaskError> {
        let has_loads = !motion.loads().is_empty();
        let mut experiment = Experiment::new(robot, motion)
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
        experiment = experiment.with_loads_on_plant();
        let mut experiment = self.controller.applied_to(experiment, robot, schema, known)?;
        if has_loads && !self.controller.ignores_loads {
            experiment = experiment.with_known_loads()?;
        }
        Ok(experiment)
    }

    /// Everything checked and ready to run.
    fn closed_loop<'r>(
        &self,
        robot: &'r AnyRobot,
        schema: &CoordinateSchema,
        motion: Box<dyn ReferenceMotion>,
        handle: &Handle<'r>,
    ) -> Result<ClosedLoop<'r>, TaskError> {
        let has_loads = !motion.loads().is_empty();
        if has_loads && !(self.plant.pick.is_empty() && self.plant.put.is_empty()) {
            let error = TaskError::request("the motion and `plant` both pick up and put down");
            return Err(error.or("say it in one of them: in the motion it is known to the controller"));
        }
        let plant = PlantRequest { lag: self.plant.lag.or(Some(Time(LAG))), ..self.plant.clone() };
        let (plant, machine) = plant.resolve(robot, schema, handle)?;
        let (known, mut controller_knows) = self.controller.known(robot)?;
        if has_loads && self.controller.ignores_loads {
            controller_knows.push("nothing of what is picked up on the way".into());
        }
        let experiment = self.experiment(robot, schema, motion, plant, known)?;
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
        check_motion(robot, experiment.motion())?;
        let experiment = self.controller.with_best_shift(experiment)?;
        Ok(ClosedLoop { experiment, kinds, machine, controller_knows })
    }

    /// Makes the regulator of this request, the last if it names several, and gives it to `user` together with the
    /// experiment that it is of: for loops that are not our simulation.
    ///
    /// ```
    /// use legwork::sim::{Measured, SampledController};
    /// use legwork::task::{FollowRequest, Handle};
    /// let efforts = FollowRequest::default().regulate(&Handle::none(), |regulator, experiment| {
    ///     let mut q = vec![0.0; experiment.robot().joints().len()];
    ///     regulator.reference(0.0, &mut q);
    ///     let mut command = vec![0.0; q.len()];
    ///     regulator.sample(&Measured { time: 0.0, q: &q, qd: None }, &mut command).map(|()| command)
    /// })?;
    /// assert!(efforts.is_ok_and(|efforts| efforts.iter().all(|effort| effort.is_finite())));
    /// # Ok::<(), legwork::task::TaskError>(())
    /// ```
    pub fn regulate<R>(
        &self,
        handle: &Handle<'_>,
        user: impl FnOnce(&mut Controller<'_>, &Experiment<'_>) -> R,
    ) -> Result<R, TaskError> {
        let robot = self.robot.open()?;
        let (experiment, kind) = self.experiment_on(&robot, None, handle)?;
        let mut controller = experiment.controller(kind)?;
        Ok(user(&mut controller, &experiment))
    }

    /// The closed loop of this request on a robot that was opened before, and its regulator, the last if it names several;
    /// along another motion if one is given: for loops that are not our simulation and live longer than a call.
    pub fn experiment_on<'r>(
        &self,
        robot: &'r AnyRobot,
        motion: Option<Box<dyn ReferenceMotion>>,
        handle: &Handle<'_>,
    ) -> Result<(Experiment<'r>, ControllerKind), TaskError> {
        needs_masses(robot)?;
        let schema = CoordinateSchema::of(robot);
        let motion = match motion {
            Some(motion) => motion,
            None => self.resolved(robot, &schema, handle)?.motion,
        };
        // The loop belongs to the user: nothing of ours cancels it.
        let prepared = self.closed_loop(robot, &schema, motion, &Handle::none())?;
        let kind = prepared.kinds.last().copied().unwrap_or(ControllerKind::FOUR[3]);
        Ok((prepared.experiment, kind))
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
        let Resolved { motion, path, law, move_time, moves, rows } =
            self.resolved(&robot, &schema, handle)?;
        let same_motion = Self { motion: rows, ..self.clone() };
        let ClosedLoop { experiment, kinds, machine, controller_knows } =
            self.closed_loop(&robot, &schema, motion, handle)?;
        let margins = margins_of(&experiment, &kinds, handle)?;

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
            let metadata = record::metadata(&robot, &same_motion.self_contained(&robot, *kind)?, handle)
                .with("regulator", kind.word());
            let in_memory = in_memory || self.report.is_some();
            let mut recorder =
                RunRecorder::new(file.clone(), in_memory, columns.columns(), metadata, handle)?;
            let mut row = Vec::new();
            let outcome = experiment.run_each(*kind, |seen| {
                columns.observation_row(seen, &mut row);
                let flow = recorder.push(&row, handle);
                let done = (k as f64 + seen.sample.time / experiment.duration()) / kinds.len() as f64;
                handle.report(done, kind.word());
                if handle.is_cancelled() { ControlFlow::Break(()) } else { flow }
            })?;
            recordings.extend(recorder.finish(&ending::words(&outcome.summary.ending), handle)?);
            files.extend(file);
            outcomes.push(outcome);
            if handle.is_cancelled() {
                break;
            }
        }
        if let Some(note) = beyond_the_file(&robot, &outcomes) {
            handle.note(&note);
        }
        let note = robot.description().controller_defaults.as_ref().and_then(|of_file| of_file.note.clone());
        let is_usual = self.moves_as_usual()
            && self.controller.knows_as_usual()
            && outcomes.iter().map(|outcome| outcome.kind).eq(ControllerKind::FOUR);
        let regulators = side_by_side(&robot, &outcomes, margins, experiment.tuning());
        let mut result = FollowResult {
            robot: robot.name().into(),
            path,
            length: way_length(experiment.motion(), self.cycle.is_some()),
            law,
            move_time,
            moves,
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

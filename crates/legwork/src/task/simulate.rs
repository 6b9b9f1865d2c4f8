//! A robot in time under given efforts: a request and its result.

use super::ending::{self, EndingKind};
use super::error::positive;
use super::file_use::UsesFiles;
use super::record::{self, RunRecorder, RunSize};
use super::solver::fixed_step;
use super::{
    Choice, Components, DEFAULT_ROBOT, EffortsRequest, Handle, PageKind, PlantRequest, PoseRequest, Request,
    RobotRequest, RunColumns, SolverRequest, TaskError, Time, needs_masses, number, twist, wrench,
};
use crate::coordinates::CoordinateSchema;
use crate::recording::{Column, Recording};
use crate::report::{Run, of_runs};
use crate::sim::{Efforts, FormulationKind, Integrator, Plant, Sample, Simulation};
use crate::{AnyRobot, PlatformState};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// The start, three quarter points and the end of a run are in its result.
const QUARTERS: f64 = 4.0;

/// A robot in time, its motors told what to give.
///
/// ```
/// use legwork::task::{Handle, SimulateRequest};
/// let request: SimulateRequest = toml::from_str(
///     "robot = 'delta-industrial'\nfrom = [0.15, -0.1, '-720 mm']\nduration = '100 ms'",
/// )?;
/// let result = request.run(&Handle::none())?;
/// assert_eq!((result.time, result.samples_taken), (0.1, 11));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulateRequest {
    /// Which robot; it needs masses. Default: `delta-direct-drive`.
    pub robot: RobotRequest,
    /// Where the platform starts. Default: home.
    pub from: Option<PoseRequest>,
    /// Its velocity there: linear \[m/s\], then angular \[rad/s\] if it turns. Default: at rest.
    pub velocity: Components,
    /// Force of the environment on the platform all the time \[N\], then its moment about the platform point \[N m\].
    /// Default: none.
    pub force: Components,
    /// What the motors are told. Default: what would hold the robot at home.
    pub efforts: EffortsRequest,
    /// How long the run is. Default: 1 s.
    pub duration: Time,
    /// Time from one sample to the next. Default: 10 ms.
    pub sample: Time,
    /// The machine. Default: ideal.
    pub plant: PlantRequest,
    /// The mathematics.
    pub solver: SolverRequest,
    /// Whether every sample is in the result, not only five of them. Default: no.
    pub keep_samples: bool,
    /// File for every sample: `.csv`, `.parquet` or `.mcap`. Default: none.
    pub out: Option<PathBuf>,
    /// File for a page about the run, `.html`. Default: none.
    pub report: Option<PathBuf>,
}

impl Default for SimulateRequest {
    fn default() -> Self {
        Self {
            robot: RobotRequest::named(DEFAULT_ROBOT),
            from: None,
            velocity: Vec::new(),
            force: Vec::new(),
            efforts: EffortsRequest::default(),
            duration: Time(1.0),
            sample: Time(0.01),
            plant: PlantRequest::default(),
            solver: SolverRequest::default(),
            keep_samples: false,
            out: None,
            report: None,
        }
    }
}

/// What a run came to. Numbers that are not finite are null in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulateResult {
    /// Name of the robot.
    pub robot: String,
    /// How the equations were written.
    pub formulation: String,
    /// How time went on.
    pub integrator: String,
    /// What the motors were told, in words.
    pub motors: String,
    /// How long the run was to be \[s\].
    pub duration: f64,
    /// Time of the last sample \[s\].
    pub time: f64,
    /// How it ended.
    pub ending: EndingKind,
    /// Why it stopped.
    pub reason: Option<String>,
    /// Both in words.
    pub ended: String,
    /// How many samples there were.
    pub samples_taken: usize,
    /// Steps of the integrator.
    pub steps: u64,
    /// Steps that were thrown away.
    pub rejected: u64,
    /// Evaluations of the equations of motion.
    pub evaluations: u64,
    /// Largest loop gap \[m\].
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub loop_gap: f64,
    /// Largest error of the energy balance \[J\].
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub energy_imbalance: f64,
    /// Largest kinetic energy \[J\], to compare it with.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub largest_kinetic_energy: f64,
    /// Motors that were outside their limits at a sample.
    pub outside_limits: Vec<String>,
    /// The same in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outside_note: Option<String>,
    /// The last sample by the names of its columns.
    pub last: BTreeMap<String, Option<f64>>,
    /// Where the platform is in it, in words.
    pub last_place: String,
    /// Relative error of a step.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tolerance: Option<f64>,
    /// Longest step \[s\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<f64>,
    /// Pole of the constrained form \[1/s\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pole: Option<f64>,
    /// What the machine was, in words.
    pub machine: Vec<String>,
    /// The page that was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<PathBuf>,
    /// What kind of page it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<PageKind>,
    /// The file that was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub out: Option<PathBuf>,
    /// The start, three quarter points and the end.
    pub shown: SampleTable,
    /// Every sample, if they were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub samples: Option<SampleTable>,
}

/// Samples with the names and units of their columns.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SampleTable {
    /// Names.
    pub columns: Vec<String>,
    /// Units.
    pub units: Vec<String>,
    /// A list for each sample.
    #[serde(with = "number::matrix")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<Option<f64>>>"))]
    pub rows: Vec<Vec<f64>>,
}

impl SampleTable {
    fn of(columns: &[Column], rows: Vec<Vec<f64>>) -> Self {
        Self {
            columns: columns.iter().map(|column| column.name.clone()).collect(),
            units: columns.iter().map(|column| column.unit.clone()).collect(),
            rows,
        }
    }

    /// The numbers of the column of this name.
    pub fn values(&self, name: &str) -> Option<Vec<f64>> {
        let place = self.columns.iter().position(|column| column == name)?;
        Some(self.rows.iter().filter_map(|row| row.get(place).copied()).collect())
    }
}

/// A request made ready.
struct Prepared {
    robot: AnyRobot,
    schema: CoordinateSchema,
    plant: Plant,
    machine: Vec<String>,
    start: PlatformState,
    formulation: FormulationKind,
    integrator: Integrator,
}

impl SimulateRequest {
    /// Runs it.
    pub fn run(&self, handle: &Handle<'_>) -> Result<SimulateResult, TaskError> {
        Ok(self.run_with_memory(handle, false)?.0)
    }

    /// Runs it and gives the recording too.
    pub fn run_recorded(&self, handle: &Handle<'_>) -> Result<(SimulateResult, Recording), TaskError> {
        let (result, recording) = self.run_with_memory(handle, true)?;
        let recording = recording.ok_or_else(|| TaskError::request("the run was not recorded"))?;
        Ok((result, recording))
    }

    /// The same request with the robot and the efforts in it, and without files to write.
    fn self_contained(&self, robot: &AnyRobot, schema: &CoordinateSchema) -> Result<Request, TaskError> {
        Ok(Request::Simulate(Box::new(Self {
            robot: RobotRequest::of(robot),
            efforts: self.efforts.self_contained(schema)?,
            plant: self.plant.self_contained()?,
            keep_samples: false,
            out: None,
            report: None,
            ..self.clone()
        })))
    }

    fn prepared(&self, handle: &Handle<'_>) -> Result<Prepared, TaskError> {
        let robot = self.robot.open()?;
        needs_masses(&robot)?;
        let schema = CoordinateSchema::of(&robot);
        let (plant, mut machine) = self.plant.resolve(&robot, &schema, handle)?;
        if !self.force.is_empty() {
            machine.push("a steady force on the platform".into());
        }
        let mut start = match &self.from {
            Some(pose) => pose.platform(&schema, "from")?,
            None => robot.home(),
        };
        if !self.force.is_empty() {
            start.wrench = wrench(&schema, "force", &self.force)?;
        }
        if !self.velocity.is_empty() {
            start.twist = twist(&schema, "velocity", &self.velocity)?;
        }
        positive("duration", self.duration.0)?;
        positive("sample", self.sample.0)?;
        let (formulation, integrator) = (self.solver.formulation()?, self.solver.integrator()?);
        if let Some(path) = &self.out {
            record::check_name(path)?;
        }
        Ok(Prepared { robot, schema, plant, machine, start, formulation, integrator })
    }

    fn run_with_memory(
        &self,
        handle: &Handle<'_>,
        in_memory: bool,
    ) -> Result<(SimulateResult, Option<Recording>), TaskError> {
        self.check_files()?;
        let Prepared { robot, schema, plant, machine, start, formulation, integrator } =
            self.prepared(handle)?;
        let efforts: Efforts = self.efforts.resolve(&robot, &schema, &start, handle)?;
        let has_commands = plant.has_drives();
        let (duration, interval) = (self.duration.0, self.sample.0);
        let simulation = Simulation::new(&robot, efforts)
            .on_plant(plant)
            .starting_at(start)
            .lasting(duration)
            .sampled_every(interval)
            .formulated_as(formulation)
            .integrated_by(integrator);
        let simulation = match handle.cancel_flag() {
            Some(flag) => simulation.cancelled_by(flag),
            None => simulation,
        };
        let columns = RunColumns::of_simulation(&schema, has_commands, simulation.reads_encoders());
        let listed = columns.columns();
        let metadata = record::metadata(&robot, &self.self_contained(&robot, &schema)?, handle);
        let in_memory = in_memory || self.report.is_some();
        let size = RunSize {
            duration,
            sample: interval,
            columns: listed.len(),
            in_memory: in_memory || self.keep_samples,
        };
        size.check(handle)?;
        let mut recorder = RunRecorder::new(self.out.clone(), in_memory, listed.clone(), metadata, handle)?;
        let mut kept = Kept { keeps_all: self.keep_samples, ..Kept::default() };
        let mut row = Vec::new();
        let summary = simulation.run_each(|sample| {
            columns.sample_row(sample, &mut row);
            let flow = recorder.push(&row, handle);
            kept.see(sample, &row, duration);
            let joints = robot.joints().iter().zip(sample.q).enumerate();
            kept.outside.extend(joints.filter(|(_, (joint, q))| joint.is_outside(**q)).map(|(k, _)| k));
            handle.report(sample.time / duration, "");
            if handle.is_cancelled() { ControlFlow::Break(()) } else { flow }
        })?;
        let ended = ending::words(&summary.ending);
        let recording = recorder.finish(&ended, handle)?;
        let page = match (&self.report, &recording) {
            (Some(path), Some(recording)) => {
                let title = format!("{}: a run", robot.name());
                Some(PageKind::written(handle, path, &of_runs(&title, &[Run { name: "run", recording }]))?)
            }
            _ => None,
        };
        let (last, last_place) = match &kept.last {
            Some((row, place)) => {
                let finite = |x: &f64| Some(*x).filter(|x| x.is_finite());
                let pairs = listed.iter().zip(row).map(|(column, x)| (column.name.clone(), finite(x)));
                (pairs.collect(), schema.place(place))
            }
            None => (BTreeMap::new(), String::new()),
        };
        let outside: Vec<usize> = kept.outside.iter().copied().collect();
        let step = fixed_step(&integrator);
        let tolerance = match integrator {
            Integrator::Dopri5 { tolerance } | Integrator::Implicit { tolerance } => Some(tolerance),
            _ => None,
        };
        let pole = match formulation {
            FormulationKind::Constrained { pole } => Some(pole),
            _ => None,
        };
        let result = SimulateResult {
            robot: robot.name().into(),
            formulation: formulation.to_string(),
            integrator: self.solver.integrator.word().into(),
            motors: self.efforts.describe(),
            duration,
            time: summary.time,
            ending: EndingKind::of(&summary.ending),
            reason: ending::reason(&summary.ending),
            ended,
            samples_taken: summary.samples,
            steps: summary.statistics.steps,
            rejected: summary.statistics.rejected,
            evaluations: summary.statistics.evaluations,
            loop_gap: summary.loop_gap,
            energy_imbalance: summary.imbalance,
            largest_kinetic_energy: summary.kinetic,
            outside_limits: outside.iter().map(|motor| robot.joints()[*motor].name.clone()).collect(),
            outside_note: outside_note(&robot, &outside, self.plant.stops.is_some()),
            last,
            last_place,
            tolerance,
            step,
            pole,
            machine,
            report: self.report.clone(),
            page,
            out: self.out.clone(),
            shown: SampleTable::of(&listed, kept.shown()),
            samples: self.keep_samples.then(|| SampleTable::of(&listed, std::mem::take(&mut kept.all))),
        };
        Ok((result, recording))
    }
}

/// "motor 1 was outside the limits, -40 to 90 deg; nothing stops it there"
fn outside_note(robot: &AnyRobot, outside: &[usize], has_stops: bool) -> Option<String> {
    let note = robot.outside_limits_text(outside)?.replace(" is ", " was ").replace(" are ", " were ");
    let stops = if has_stops { "in its stops" } else { "nothing stops it there" };
    Some(format!("{note}; {stops}"))
}

/// The samples of a result on their way.
#[derive(Default)]
struct Kept {
    keeps_all: bool,
    all: Vec<Vec<f64>>,
    quarters: Vec<Vec<f64>>,
    last: Option<(Vec<f64>, PlatformState)>,
    /// Whether the last one is among the quarters.
    is_last_shown: bool,
    outside: BTreeSet<usize>,
}

impl Kept {
    fn see(&mut self, sample: &Sample<'_>, row: &[f64], duration: f64) {
        if self.keeps_all {
            self.all.push(row.to_vec());
        }
        let quarter = self.quarters.len() as f64 / QUARTERS * duration;
        // 25 samples of 0.01 s are a quarter of a second up to rounding.
        self.is_last_shown = sample.time >= quarter * (1.0 - 1e-9);
        if self.is_last_shown {
            self.quarters.push(row.to_vec());
        }
        match &mut self.last {
            Some((last, place)) => {
                last.clear();
                last.extend_from_slice(row);
                *place = sample.platform;
            }
            none => *none = Some((row.to_vec(), sample.platform)),
        }
    }

    fn shown(&self) -> Vec<Vec<f64>> {
        let last = self.last.iter().filter(|_| !self.is_last_shown).map(|(row, _)| row.clone());
        self.quarters.iter().cloned().chain(last).collect()
    }
}

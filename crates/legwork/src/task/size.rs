//! Motors for a cycle: a request and its result.

use super::choice::choices;
use super::cycle::CycleTiming;
use super::error::{not_negative, positive};
use super::fastest::{FastestMotion, FastestWay, carried, carrying, fastest, one_motion};
use super::file_use::UsesFiles;
use super::motion::UsualPath;
use super::motion_file::{MotionFiles, check_names};
use super::plan::path;
use super::{
    Choice, CycleRequest, DEFAULT_ROBOT, Handle, LawRequest, LimitsRequest, Mass, MotionRequest, MoveResult,
    PathRequest, PeakResult, Request, RobotRequest, TaskError, Time, needs_masses, number, record,
};
use crate::AnyRobot;
use crate::analysis::size::{
    Choice as MotorChoice, Demand, Duty, JointDemand, MotorTable, Requirements, SizeError, Transmission,
    choices as motor_choices,
};
use crate::coordinates::CoordinateSchema;
use crate::experiment::ReferenceMotion;
use crate::plan::{check, check_motion};
use crate::sorting::sort_by;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

choices! {
    /// The order of motors that can do a cycle.
    MotorOrder {
        Margin = "margin": "The largest smallest margin first",
        Size = "size": "The smallest rated power first",
    }
}

/// A table of motors, one `[[motor]]` for each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MotorsRequest {
    /// Made-up numbers to try it with.
    Sample,
    /// A file.
    File(PathBuf),
    /// The table itself, as TOML.
    Text(String),
}

/// What a cycle asks of the motors, and which motors of a table can do it.
///
/// ```
/// use legwork::task::{Handle, SizeRequest};
/// let request: SizeRequest = toml::from_str(
///     "robot = 'delta-industrial'\nmotors = 'sample'\nlaw = { move_time = '0.2 s' }\npause = '0.1 s'",
/// )?;
/// let result = request.run(&Handle::none())?;
/// assert!(result.motors.unwrap()[0].feasible);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SizeRequest {
    /// Which robot; it needs masses. Default: `delta-direct-drive`.
    pub robot: RobotRequest,
    /// What the platform follows. Default: the Adept cycle about home, 25 mm up, 305 mm across, 25 mm down; half an ellipse
    /// that fits, where it does not.
    pub path: PathRequest,
    /// When to be where. Default: the sine law as fast as 10 m/s² and the robot's file allow.
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
    /// Whether it only goes there. Default: there and back.
    pub one_way: bool,
    /// Rest at each end. Default: none.
    pub pause: Option<Time>,
    /// A table of motors: `"sample"`, a `file` or its `text`. Default: none.
    pub motors: Option<MotorsRequest>,
    /// Largest inertia of the load over that of the rotor. Default: none.
    pub inertia_ratio: Option<f64>,
    /// What must be left of every limit, as a share. Default: 0.
    pub reserve: f64,
    /// What comes first among the motors that can do it. Default: `margin`.
    pub by: MotorOrder,
    /// Files for the motion (`.csv`, `.parquet`, `.mcap`), for pictures (`.svg`, `.png`) and for a page (`.html`). Default: none.
    pub out: Vec<PathBuf>,
    /// Time from one row of the motion to the next. Default: 1 ms.
    pub sample: Time,
}

impl Default for SizeRequest {
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
            one_way: false,
            pause: None,
            motors: None,
            inertia_ratio: None,
            reserve: 0.0,
            by: MotorOrder::Margin,
            out: Vec::new(),
            sample: Time(1e-3),
        }
    }
}

/// What a cycle asks of the motors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SizeResult {
    /// Name of the robot.
    pub robot: String,
    /// The kind of path, `Adept cycle`, `cycle` if it has several moves, or the file of a motion.
    pub path: String,
    /// The kind of law, `fastest`, or nothing where there is none for all of it.
    pub law: String,
    /// Duration of a cycle \[s\].
    pub cycle_time: f64,
    /// Largest power of all motors together \[W\].
    pub peak_power: f64,
    /// \[W\]
    pub mean_power: f64,
    /// Energy of a cycle \[J\].
    pub energy: f64,
    /// The same if nothing is fed back \[J\].
    pub energy_without_regeneration: f64,
    /// What friction takes \[J\].
    pub dissipated: f64,
    /// What the energy balance leaves over \[J\].
    pub imbalance: f64,
    /// One for each joint.
    pub joints: Vec<JointDemand>,
    /// When and where each motor has its peaks.
    pub peaks: Vec<PeakResult>,
    /// The moves, of a cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveResult>,
    /// The files that were written.
    pub out: Vec<PathBuf>,
    /// Every motor of the table with each of its gears, those that can do it first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motors: Option<Vec<MotorResult>>,
}

/// A motor with a gear, the same at every joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MotorResult {
    /// Its name.
    pub motor: String,
    /// Its gear, for joints that turn.
    pub gear_ratio: Option<f64>,
    /// Its lead, for joints that slide \[m\].
    pub lead: Option<f64>,
    /// Whether it can do the cycle.
    pub feasible: bool,
    /// The smallest margin; nothing if it is no finite number.
    pub margin: Option<f64>,
    /// One for each comparison.
    pub margins: Vec<MarginResult>,
    /// One for each joint.
    pub duties: Vec<Duty>,
}

/// How much of a limit is left on the worst joint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MarginResult {
    /// What is compared.
    pub of: String,
    /// Its unit; empty for a plain number.
    pub unit: String,
    /// The worst joint, from 1.
    pub joint: usize,
    /// What the cycle needs.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub needed: f64,
    /// What there is.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub available: f64,
    /// available/needed − 1: negative is too little; nothing if it is no finite number.
    pub margin: Option<f64>,
    /// Whether that is less than must be left.
    pub short: bool,
}

impl SizeResult {
    /// An energy \[J\] of this cycle; zero where only rounding is left of what goes round.
    pub fn settled(&self, energy: f64) -> f64 {
        if energy.abs() < 1e-9 * self.energy_without_regeneration { 0.0 } else { energy }
    }

    /// Whether a motor of the table can do it; yes without a table.
    pub fn is_feasible(&self) -> bool {
        self.motors.as_ref().is_none_or(|motors| motors.iter().any(|motor| motor.feasible))
    }
}

impl MotorResult {
    fn of(choice: &MotorChoice) -> Self {
        let finite = |x: f64| Some(x).filter(|x| x.is_finite());
        let shortfalls = choice.shortfalls();
        let margin = |margin: &crate::analysis::size::Margin| MarginResult {
            of: margin.check.to_string(),
            unit: margin.check.unit().into(),
            joint: margin.joint + 1,
            needed: margin.needed,
            available: margin.available,
            margin: finite(margin.share),
            short: shortfalls.iter().any(|short| short.check == margin.check),
        };
        let (gear_ratio, lead) = match choice.transmission {
            Transmission::Gear(ratio) => (Some(ratio), None),
            Transmission::Lead(lead) => (None, Some(lead)),
        };
        Self {
            motor: choice.motor.name.clone(),
            gear_ratio,
            lead,
            feasible: choice.is_feasible(),
            margin: finite(choice.margin()),
            margins: choice.margins.iter().map(margin).collect(),
            duties: choice.duties.clone(),
        }
    }
}

impl MotorsRequest {
    /// The table, and the same without a file.
    fn read(&self) -> Result<(MotorTable, Self), TaskError> {
        let unusable = |path: Option<&Path>, error: &SizeError| TaskError::Unusable {
            what: match path {
                Some(path) => format!("the motor table `{}` cannot be used", path.display()),
                None => "the motor table cannot be used".into(),
            },
            cause: error.to_string(),
            hint: error.hint(),
        };
        match self {
            Self::Sample => Ok((MotorTable::sample(), Self::Sample)),
            Self::File(path) => {
                let refused = |error: SizeError| unusable(Some(path), &error);
                let text = MotorTable::text(path).map_err(refused)?;
                let table = MotorTable::parse(&text).map_err(refused)?;
                Ok((table, Self::Text(text)))
            }
            Self::Text(text) => {
                let table = MotorTable::parse(text).map_err(|error| unusable(None, &error))?;
                Ok((table, self.clone()))
            }
        }
    }
}

/// A motion, and what it is in words.
struct Resolved {
    motion: Box<dyn ReferenceMotion>,
    path: String,
    law: String,
    moves: Vec<MoveResult>,
    /// The rows of a file, to run the request again without it.
    rows: Option<MotionRequest>,
}

impl Resolved {
    fn new(motion: Box<dyn ReferenceMotion>, path: String, law: String) -> Self {
        Self { motion, path, law, moves: Vec::new(), rows: None }
    }
}

impl SizeRequest {
    /// The cycle, and what it is. The whole of it is checked first.
    fn resolved(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        handle: &Handle<'_>,
    ) -> Result<Resolved, TaskError> {
        let path_is_given = self.path.is_given();
        one_motion(&[
            ("cycle", self.cycle.is_some()),
            ("motion", self.motion.is_some()),
            ("path", path_is_given),
        ])?;
        let pause = not_negative("pause", self.pause.map_or(0.0, |pause| pause.0))?;
        if self.one_way && self.pause.is_some() {
            return Err(TaskError::request("a `pause` is for a cycle there and back, not `one_way`"));
        }
        if self.fastest && self.law.is_given() {
            return Err(TaskError::request("`fastest` and a law are two timings"));
        }
        for (name, is_given) in [
            ("law", self.law.is_given()),
            ("carry", self.carry.is_some()),
            ("one_way", self.one_way),
            ("pause", self.pause.is_some()),
        ] {
            one_motion(&[("cycle", self.cycle.is_some()), (name, is_given)])?;
            one_motion(&[("motion", self.motion.is_some()), (name, is_given)])?;
        }
        one_motion(&[("motion", self.motion.is_some()), ("fastest", self.fastest)])?;
        let has_fastest = self.fastest || self.cycle.as_ref().is_some_and(CycleRequest::has_fastest);
        if self.limits.is_given() && !has_fastest {
            let error = TaskError::request("limits of the motors are for `fastest`");
            return Err(error.or("add `fastest`, or leave the limits out: motors are judged by a table"));
        }
        if let Some(motion) = &self.motion {
            let (rows, table) = motion.resolve(robot, schema, handle)?;
            check_motion(robot, &rows)?;
            let path = motion.word();
            let motion = Some(table);
            return Ok(Resolved { rows: motion, ..Resolved::new(Box::new(rows), path, String::new()) });
        }
        let limits = self.limits.resolve(robot, schema)?;
        if let Some(cycle) = &self.cycle {
            let timing = CycleTiming { limits: &limits, fastest: self.fastest, intervals: None };
            let (motion, moves) = cycle.resolve(robot, schema, &timing, handle)?;
            return Ok(Resolved { moves, ..Resolved::new(Box::new(motion), "cycle".into(), String::new()) });
        }
        let (way, name) = path(&self.path, robot, schema)?;
        let carry = carried(self.carry)?;
        if self.fastest {
            let how = FastestWay { one_way: self.one_way, pause, cycles: 1, intervals: None, carry };
            let FastestMotion { motion, .. } = fastest(robot, way, &limits, &how, handle)?;
            return Ok(Resolved::new(motion, name.into(), "fastest".into()));
        }
        check(robot, &way)?;
        let (motion, _, law) =
            UsualPath::to_plan(robot, &self.path)?.timed(robot, schema, &self.path, &self.law)?;
        let motion = if self.one_way { motion } else { motion.there_and_back(pause, 1) };
        Ok(Resolved::new(carrying(motion, carry)?, name.into(), law.word().into()))
    }

    /// Runs it.
    pub fn run(&self, handle: &Handle<'_>) -> Result<SizeResult, TaskError> {
        check_names(&self.out)?;
        self.check_files()?;
        let (table, motors) = self.motors.as_ref().map(MotorsRequest::read).transpose()?.unzip();
        let requirements = Requirements {
            inertia_ratio: self.inertia_ratio.map(|ratio| positive("inertia_ratio", ratio)).transpose()?,
            reserve: not_negative("reserve", self.reserve)?,
        };
        let robot = self.robot.open()?;
        needs_masses(&robot)?;
        let schema = CoordinateSchema::of(&robot);
        handle.report(0.0, "timing");
        let Resolved { motion, path, law, moves, rows } = self.resolved(&robot, &schema, handle)?;
        handle.go_on()?;
        handle.report(0.5, "demand");
        let demand = Demand::of(&robot, &*motion)?;
        handle.go_on()?;
        let mut found = table.map(|table| motor_choices(&demand, &table, &requirements)).transpose()?;
        if let (Some(found), MotorOrder::Size) = (&mut found, self.by) {
            let key = |choice: &MotorChoice| (!choice.is_feasible(), choice.motor.size());
            sort_by(found, |a, b| {
                let ((a0, a1), (b0, b1)) = (key(a), key(b));
                a0.cmp(&b0).then(a1.total_cmp(&b1)).then(b.margin().total_cmp(&a.margin()))
            });
        }
        let request =
            Self { robot: RobotRequest::of(&robot), motors, motion: rows, out: Vec::new(), ..self.clone() };
        let files = MotionFiles {
            paths: &self.out,
            interval: positive("sample", self.sample.0)?,
            robot: &robot,
            schema: &schema,
            motion: &*motion,
            metadata: record::metadata(&robot, &Request::Size(Box::new(request)), handle),
        };
        let result = SizeResult {
            robot: robot.name().into(),
            path,
            law,
            cycle_time: demand.duration,
            peak_power: demand.peak_power,
            mean_power: demand.mean_power(),
            energy: demand.energy,
            energy_without_regeneration: demand.energy_without_regeneration,
            dissipated: demand.dissipated,
            imbalance: demand.imbalance,
            joints: demand.joints.clone(),
            peaks: PeakResult::of(&demand.peaks, &robot, &schema),
            moves,
            out: self.out.clone(),
            motors: found.as_ref().map(|found| found.iter().map(MotorResult::of).collect()),
        };
        files.write(handle, &result.section(), || {
            Ok(match found.as_ref().and_then(|found| found.first()) {
                Some(choice) => choice.figure(&demand),
                None => demand.figure(),
            })
        })?;
        handle.report(1.0, "sized");
        Ok(result)
    }
}

//! Motors for a cycle: a request and its result.

use super::choice::choices;
use super::error::{not_negative, positive};
use super::file_use::UsesFiles;
use super::motion::UsualPath;
use super::motion_file::{MotionFiles, check_names};
use super::plan::{fastest, path};
use super::{
    Choice, DEFAULT_ROBOT, Handle, LawRequest, LimitsRequest, PathRequest, Request, RobotRequest, TaskError,
    Time, needs_masses, number, record,
};
use crate::AnyRobot;
use crate::analysis::size::{
    Choice as MotorChoice, Demand, Duty, JointDemand, MotorTable, Requirements, SizeError, Transmission,
    choices as motor_choices,
};
use crate::coordinates::CoordinateSchema;
use crate::experiment::TimedPath;
use crate::plan::check;
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
    /// What the platform follows. Default: the Adept cycle about home, 25 mm up, 305 mm across, 25 mm down.
    pub path: PathRequest,
    /// When to be where. Default: the sine law as fast as 10 m/s² and the robot's file allow.
    pub law: LawRequest,
    /// Whether it goes as fast as the limits allow, instead of by a law. Default: no.
    pub fastest: bool,
    /// What the fastest motion must keep to.
    pub limits: LimitsRequest,
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
    /// Files for the motion (`.csv`, `.parquet`, `.mcap`) and for pictures (`.svg`, `.png`). Default: none.
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
    /// The kind of path, or `Adept cycle`.
    pub path: String,
    /// The kind of law, or `fastest`.
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

impl SizeRequest {
    /// The cycle, and the words for its path and its law. The whole path is checked first.
    fn motion(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        handle: &Handle<'_>,
    ) -> Result<(TimedPath, &'static str, &'static str), TaskError> {
        let pause = not_negative("pause", self.pause.map_or(0.0, |pause| pause.0))?;
        if self.one_way && self.pause.is_some() {
            return Err(TaskError::request("a `pause` is for a cycle there and back, not `one_way`"));
        }
        let (way, name) = path(&self.path, robot, schema)?;
        if self.fastest {
            if self.law.is_given() {
                return Err(TaskError::request("`fastest` and a law are two timings"));
            }
            let limits = self.limits.resolve(robot, schema)?;
            let (motion, ..) = fastest(robot, way, &limits, (self.one_way, pause, None), handle)?;
            return Ok((motion, name, "fastest"));
        }
        if self.limits.is_given() {
            let error = TaskError::request("limits of the motors are for `fastest`");
            return Err(error.or("add `fastest`, or leave the limits out: motors are judged by a table"));
        }
        check(robot, &way)?;
        let (motion, _, law) = UsualPath::to_plan(robot)?.timed(robot, schema, &self.path, &self.law)?;
        let motion = if self.one_way { motion } else { motion.there_and_back(pause, 1) };
        Ok((motion, name, law.word()))
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
        let (motion, path, law) = self.motion(&robot, &schema, handle)?;
        handle.go_on()?;
        handle.report(0.5, "demand");
        let demand = Demand::of(&robot, &motion)?;
        handle.go_on()?;
        let mut found = table.map(|table| motor_choices(&demand, &table, &requirements)).transpose()?;
        if let (Some(found), MotorOrder::Size) = (&mut found, self.by) {
            let key = |choice: &MotorChoice| (!choice.is_feasible(), choice.motor.size());
            found.sort_by(|a, b| {
                let ((a0, a1), (b0, b1)) = (key(a), key(b));
                a0.cmp(&b0).then(a1.total_cmp(&b1)).then(b.margin().total_cmp(&a.margin()))
            });
        }
        let request = Self { robot: RobotRequest::of(&robot), motors, out: Vec::new(), ..self.clone() };
        let files = MotionFiles {
            paths: &self.out,
            interval: positive("sample", self.sample.0)?,
            robot: &robot,
            schema: &schema,
            motion: &motion,
            metadata: record::metadata(&robot, &Request::Size(Box::new(request)), handle),
        };
        files.write(handle, || {
            Ok(match found.as_ref().and_then(|found| found.first()) {
                Some(choice) => choice.figure(&demand),
                None => demand.figure(),
            })
        })?;
        handle.report(1.0, "sized");
        Ok(SizeResult {
            robot: robot.name().into(),
            path: path.into(),
            law: law.into(),
            cycle_time: demand.duration,
            peak_power: demand.peak_power,
            mean_power: demand.mean_power(),
            energy: demand.energy,
            energy_without_regeneration: demand.energy_without_regeneration,
            dissipated: demand.dissipated,
            imbalance: demand.imbalance,
            joints: demand.joints.clone(),
            out: self.out.clone(),
            motors: found.map(|found| found.iter().map(MotorResult::of).collect()),
        })
    }
}

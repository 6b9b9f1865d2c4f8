//! The fastest motion along a path: a request and its result.

use super::cycle::CycleTiming;
use super::error::{not_negative, positive};
use super::fastest::{FastestMotion, FastestWay, carried, fastest, one_motion, way_length};
use super::file_use::UsesFiles;
use super::motion::UsualPath;
use super::motion_file::{MotionFiles, check_names};
use super::{
    Acceleration, Choice, CycleRequest, DEFAULT_ROBOT, Handle, Mass, MotorValues, MoveResult, PathKind,
    PathRequest, PeakResult, Request, RobotRequest, Speed, TaskError, Time, needs_masses, number, record,
};
use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::experiment::{AnyPath, ReferenceMotion};
use crate::plan::{Bound, PeakTracker, Plan, PlanLimits, Usage, motion_figure};
use crate::text::{four_digits, in_rpm, short};
use crate::units::Quantity;
use legwork_core::Real;
use legwork_core::trajectory::optimal::Limit;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How many intervals a grid can have.
const INTERVALS: std::ops::RangeInclusive<usize> = 2..=100_000;
/// Share of a limit that may be exceeded.
const TOLERANCE: f64 = 1e-6;

/// What a motion must keep to.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LimitsRequest {
    /// Largest torque or force of the motors, at the joints, behind the gear. Default: that of the robot's file.
    pub torque_limit: MotorValues,
    /// Largest speed of the motors, at the joints, behind the gear. Default: that of the robot's file.
    pub speed_limit: MotorValues,
    /// Largest speed along the path. Default: none.
    pub path_speed: Option<Speed>,
    /// Largest acceleration along the path. Default: none.
    pub acceleration: Option<Acceleration>,
    /// Largest acceleration across the path. Default: none.
    pub normal_acceleration: Option<Acceleration>,
}

impl LimitsRequest {
    /// Whether any limit is given.
    pub fn is_given(&self) -> bool {
        *self != Self::default()
    }

    /// The limits of the robot's file, and what the request says instead.
    pub(super) fn resolve(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
    ) -> Result<PlanLimits, TaskError> {
        let mut limits = PlanLimits::of(robot);
        let efforts = schema.each(Quantity::Torque, Quantity::Force);
        if let Some(list) = self.torque_limit.positive_list("torque_limit", &efforts)? {
            limits = limits.with_effort(&list)?;
        }
        let speeds = schema.each(Quantity::AngularSpeed, Quantity::Speed);
        if let Some(list) = self.speed_limit.positive_list("speed_limit", &speeds)? {
            limits = limits.with_speed(&list)?;
        }
        let one = |field, value: Option<f64>| value.map_or(Ok(f64::INFINITY), |value| positive(field, value));
        limits.path_speed = one("path_speed", self.path_speed.map(|limit| limit.0))?;
        limits.tangential = one("acceleration", self.acceleration.map(|limit| limit.0))?;
        limits.normal = one("normal_acceleration", self.normal_acceleration.map(|limit| limit.0))?;
        Ok(limits)
    }
}

/// The fastest motion along a path, there and back. The whole path is checked first: reach, working mode,
/// singularities, limits of the motors.
///
/// ```
/// use legwork::task::{Handle, PlanRequest};
/// let request: PlanRequest =
///     toml::from_str("robot = 'delta-industrial'\nlimits = { torque_limit = 60, speed_limit = 12 }")?;
/// let result = request.run(&Handle::none())?;
/// assert!(result.keeps_limits() && result.cycle_time < 0.33);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanRequest {
    /// Which robot; it needs masses. Default: `delta-direct-drive`.
    pub robot: RobotRequest,
    /// What the platform follows. Default: the Adept cycle about home, 25 mm up, 305 mm across, 25 mm down; half an ellipse
    /// that fits, where it does not.
    pub path: PathRequest,
    /// What the motion must keep to.
    pub limits: LimitsRequest,
    /// A cycle of several moves, instead of a path. Default: none.
    pub cycle: Option<CycleRequest>,
    /// Mass that is picked up where the path begins and put down at its end: it is carried there and not back. Default:
    /// none.
    pub carry: Option<Mass>,
    /// Whether it only goes there. Default: there and back.
    pub one_way: bool,
    /// Rest at each end. Default: none.
    pub pause: Option<Time>,
    /// Intervals of the grid. Default: as many as keep the limits.
    pub intervals: Option<usize>,
    /// Files for the motion (`.csv`, `.parquet`, `.mcap`), for pictures (`.svg`, `.png`) and for a page (`.html`). Default: none.
    pub out: Vec<PathBuf>,
    /// Time from one row of the motion to the next. Default: 1 ms.
    pub sample: Time,
}

impl Default for PlanRequest {
    fn default() -> Self {
        Self {
            robot: RobotRequest::named(DEFAULT_ROBOT),
            path: PathRequest::default(),
            limits: LimitsRequest::default(),
            cycle: None,
            carry: None,
            one_way: false,
            pause: None,
            intervals: None,
            out: Vec::new(),
            sample: Time(1e-3),
        }
    }
}

/// The fastest motion.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlanResult {
    /// Name of the robot.
    pub robot: String,
    /// The kind of path, `Adept cycle`, or `cycle` if it has several moves.
    pub path: String,
    /// Its length \[m\].
    pub length: f64,
    /// Duration of the whole, with its rests \[s\].
    pub cycle_time: f64,
    /// Rest at each end \[s\].
    pub pause: f64,
    /// The way there, of a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub there: Option<WayResult>,
    /// The way back, if there is one.
    pub back: Option<WayResult>,
    /// The moves, of a cycle.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub moves: Vec<MoveResult>,
    /// When and where each motor has its peaks.
    pub peaks: Vec<PeakResult>,
    /// The files that were written.
    pub out: Vec<PathBuf>,
}

/// One way along the path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WayResult {
    /// \[s\]
    pub duration: f64,
    /// Intervals of the grid.
    pub intervals: usize,
    /// How often the limits were drawn in.
    pub rounds: u16,
    /// What holds the motion back, part by part.
    pub parts: Vec<PartResult>,
    /// The largest use of every limit, on a grid ten times finer.
    pub usage: Vec<UsageResult>,
    /// The largest use of all limits, as a share.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub largest_use: f64,
    /// How close the path comes to a serial singularity.
    pub serial: SerialClearance,
    /// How close it comes to a parallel one.
    pub parallel: ParallelClearance,
}

/// A part of the path with one limit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartResult {
    /// From here \[m\].
    pub from: f64,
    /// To here \[m\].
    pub to: f64,
    /// When it begins \[s\].
    pub begin: f64,
    /// When it ends \[s\].
    pub end: f64,
    /// What holds the motion back: `least effort`, `largest effort`, `motor speed`, `path speed`,
    /// `tangential acceleration`, `normal acceleration` or `nothing`.
    pub limit: String,
    /// Of which motor, from 1.
    pub motor: Option<usize>,
    /// The limit itself, with its sign where it is an effort.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<f64>,
    /// Its unit.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
}

impl PartResult {
    /// What holds the motion back, as a phrase: `motor 1 at -60 N m`.
    pub fn held_back_by(&self) -> String {
        if let (Some(motor), Some(at), Some(unit)) = (self.motor, self.at, &self.unit) {
            return format!("motor {motor} at {} {unit}", short(at));
        }
        match (self.limit.as_str(), self.motor) {
            ("motor speed", Some(motor)) => format!("speed of motor {motor}"),
            ("path speed", _) => "speed along the path".into(),
            (limit, Some(motor)) => format!("{limit} of motor {motor}"),
            (limit, None) => limit.into(),
        }
    }
}

/// How far a limit is used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UsageResult {
    /// Which limit.
    pub limit: String,
    /// Its unit.
    pub unit: String,
    /// Its value.
    pub of: f64,
    /// The largest number, without its sign.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub largest: f64,
    /// Largest number over limit.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub used: f64,
    /// Where on the path \[m\].
    pub at: f64,
    /// The same at the shaft of the motor, if there is a gear between it and its joint.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motor_side: Option<MotorSideUsage>,
}

impl UsageResult {
    /// The largest number at the shaft and its limit, with their unit, where there is a gear: speeds in rpm, as data
    /// sheets have them.
    pub fn at_the_motor(&self) -> Option<[String; 2]> {
        let side = self.motor_side?;
        let (scale, unit) = match self.unit.as_str() {
            "rad/s" => (in_rpm(1.0), "rpm"),
            unit => (1.0, unit),
        };
        let four = |number: f64| format!("{} {unit}", four_digits(number * scale));
        Some([four(side.largest), four(side.of)])
    }
}

/// How far a limit is used, at the shaft of a motor with a gear.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MotorSideUsage {
    /// The limit.
    pub of: f64,
    /// The largest number, without its sign.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub largest: f64,
}

/// The smallest distance to a serial singularity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SerialClearance {
    /// In the measure of [`Singularity`](crate::Singularity).
    pub distance: f64,
    /// Where on the path \[m\].
    pub at: f64,
    /// Of which leg, from 1.
    pub leg: usize,
}

/// The smallest distance to a parallel singularity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParallelClearance {
    /// In the measure of [`Singularity`](crate::Singularity).
    pub distance: f64,
    /// Where on the path \[m\].
    pub at: f64,
}

impl PlanResult {
    /// Whether every limit is kept.
    pub fn keeps_limits(&self) -> bool {
        self.ways().fold(0.0, |most, way| Real::max(most, way.largest_use)) <= 1.0 + TOLERANCE
    }

    /// Every way that is as fast as the limits allow.
    pub fn ways(&self) -> impl Iterator<Item = &WayResult> {
        let of_moves = self.moves.iter().filter_map(|one| one.fastest.as_ref());
        self.there.iter().chain(&self.back).chain(of_moves)
    }
}

impl PlanResult {
    fn unless_finite(&self) -> Result<(), TaskError> {
        let all = [("the length of the path", self.length), ("the time of the cycle", self.cycle_time)];
        TaskError::unless_finite(all)?;
        self.ways().try_for_each(WayResult::unless_finite)
    }
}

impl WayResult {
    fn unless_finite(&self) -> Result<(), TaskError> {
        let parts = self.parts.iter().flat_map(|part| [part.from, part.to, part.begin, part.end]);
        let usage = self.usage.iter().flat_map(|usage| [usage.of, usage.largest, usage.used, usage.at]);
        let clear = [self.serial.distance, self.serial.at, self.parallel.distance, self.parallel.at];
        let named = |what| move |value| (what, value);
        TaskError::unless_finite(
            [("the duration of a way", self.duration), ("the largest use of a limit", self.largest_use)]
                .into_iter()
                .chain(parts.map(named("an end of a part of the motion")))
                .chain(usage.map(named("the use of a limit")))
                .chain(clear.map(named("a distance to a singularity"))),
        )
    }

    pub(super) fn of(plan: &Plan, robot: &AnyRobot) -> Self {
        let part = |part: &crate::plan::Part| {
            let (limit, motor, sign, bound) = match part.limit {
                Limit::EffortAbove { motor } => {
                    ("largest effort", Some(motor), 1.0, Some(Bound::Effort(motor)))
                }
                Limit::EffortBelow { motor } => {
                    ("least effort", Some(motor), -1.0, Some(Bound::Effort(motor)))
                }
                Limit::Speed { motor } => ("motor speed", Some(motor), 1.0, Some(Bound::Speed(motor))),
                Limit::PathSpeed => ("path speed", None, 1.0, Some(Bound::PathSpeed)),
                Limit::Tangential => ("tangential acceleration", None, 1.0, Some(Bound::Tangential)),
                Limit::Normal => ("normal acceleration", None, 1.0, Some(Bound::Normal)),
                _ => ("nothing", None, 1.0, None),
            };
            let used = plan.usage.iter().find(|usage| Some(usage.bound) == bound);
            PartResult {
                from: part.from,
                to: part.to,
                begin: part.begin,
                end: part.end,
                limit: limit.into(),
                motor: motor.map(|motor| motor + 1),
                at: used.map(|usage| sign * usage.limit),
                unit: used.map(|usage| unit(usage.bound, robot).into()),
            }
        };
        let usage = plan.usage.iter().map(|usage| UsageResult {
            limit: usage.bound.to_string(),
            unit: unit(usage.bound, robot).into(),
            of: usage.limit,
            largest: usage.largest,
            used: usage.share,
            at: usage.at,
            motor_side: motor_side(usage, robot),
        });
        let clear = &plan.clearance;
        Self {
            duration: plan.duration(),
            intervals: plan.intervals,
            rounds: plan.rounds,
            parts: plan.parts.iter().map(part).collect(),
            usage: usage.collect(),
            largest_use: plan.largest_use(),
            serial: SerialClearance { distance: clear.serial, at: clear.serial_at, leg: clear.leg + 1 },
            parallel: ParallelClearance { distance: clear.parallel, at: clear.parallel_at },
        }
    }
}

fn motor_side(usage: &Usage, robot: &AnyRobot) -> Option<MotorSideUsage> {
    let (Bound::Effort(motor) | Bound::Speed(motor)) = usage.bound else { return None };
    let joint = robot.joints().get(motor).filter(|joint| joint.gear.is_some())?;
    let through = |number: f64| match usage.bound {
        Bound::Effort(_) => joint.motor_effort(number),
        _ => joint.motor_speed(number),
    };
    Some(MotorSideUsage { of: through(usage.limit), largest: through(usage.largest) })
}

fn unit(bound: Bound, robot: &AnyRobot) -> &'static str {
    let slides = |motor: usize| robot.joints().get(motor).is_some_and(|joint| joint.slides);
    match bound {
        Bound::Effort(motor) if slides(motor) => "N",
        Bound::Effort(_) => "N m",
        Bound::Speed(motor) if !slides(motor) => "rad/s",
        Bound::Speed(_) | Bound::PathSpeed => "m/s",
        Bound::Tangential | Bound::Normal => "m/s^2",
    }
}

/// The path of a request, or the Adept cycle, and what it is called.
pub(super) fn path(
    request: &PathRequest,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
) -> Result<(AnyPath, &'static str), TaskError> {
    let usual = UsualPath::to_plan(robot, request)?;
    let (path, kind) = usual.changed(robot, schema, request)?;
    let is_cycle = !request.is_given() && kind == PathKind::PickAndPlace;
    Ok((path, if is_cycle { "Adept cycle" } else { kind.word() }))
}

impl PlanRequest {
    /// Runs it.
    pub fn run(&self, handle: &Handle<'_>) -> Result<PlanResult, TaskError> {
        check_names(&self.out)?;
        self.check_files()?;
        for (name, is_given) in [
            ("path", self.path.is_given()),
            ("carry", self.carry.is_some()),
            ("one_way", self.one_way),
            ("pause", self.pause.is_some()),
        ] {
            one_motion(&[("cycle", self.cycle.is_some()), (name, is_given)])?;
        }
        let robot = self.robot.open()?;
        needs_masses(&robot)?;
        let schema = CoordinateSchema::of(&robot);
        let limits = self.limits.resolve(&robot, &schema)?;
        let pause = not_negative("pause", self.pause.map_or(0.0, |pause| pause.0))?;
        if self.one_way && self.pause.is_some() {
            return Err(TaskError::request("a `pause` is for a motion there and back, not `one_way`"));
        }
        if let Some(intervals) = self.intervals.filter(|intervals| !INTERVALS.contains(intervals)) {
            let must = "must be from 2 to 100000";
            return Err(TaskError::Value { field: "intervals".into(), value: intervals as f64, must });
        }
        handle.report(0.0, "planning");
        let mut result = PlanResult {
            robot: robot.name().into(),
            path: "cycle".into(),
            length: 0.0,
            cycle_time: 0.0,
            pause,
            there: None,
            back: None,
            moves: Vec::new(),
            peaks: Vec::new(),
            out: self.out.clone(),
        };
        let (motion, picture): (Box<dyn ReferenceMotion>, Option<(Plan, AnyPath)>) = if let Some(cycle) =
            &self.cycle
        {
            let timing = CycleTiming { limits: &limits, fastest: true, intervals: self.intervals };
            let (motion, moves) = cycle.resolve(&robot, &schema, &timing, handle)?;
            result.moves = moves;
            (Box::new(motion), None)
        } else {
            let (way, name) = path(&self.path, &robot, &schema)?;
            let how = FastestWay {
                one_way: self.one_way,
                pause,
                cycles: 1,
                intervals: self.intervals,
                carry: carried(self.carry)?,
            };
            let FastestMotion { motion, there, back } = fastest(&robot, way.clone(), &limits, &how, handle)?;
            result.path = name.into();
            result.there = Some(WayResult::of(&there, &robot));
            result.back = back.as_ref().map(|back| WayResult::of(back, &robot));
            // One way without a load is shown along the path, with what holds it back.
            (motion, self.carry.is_none().then_some((there, way)))
        };
        result.length = way_length(&*motion, self.cycle.is_some());
        result.cycle_time = motion.cycle_duration();
        result.peaks = PeakResult::of(&PeakTracker::over(&robot, &*motion)?, &robot, &schema);
        let request = Self { robot: RobotRequest::of(&robot), out: Vec::new(), ..self.clone() };
        let files = MotionFiles {
            paths: &self.out,
            interval: positive("sample", self.sample.0)?,
            robot: &robot,
            schema: &schema,
            motion: &*motion,
            metadata: record::metadata(&robot, &Request::Plan(Box::new(request)), handle),
        };
        result.unless_finite()?;
        handle.go_on()?;
        files.write(handle, &result.section(), || {
            Ok(match &picture {
                Some((there, way)) => there.figure(&robot, way, &limits)?,
                None => motion_figure(&robot, &*motion, &limits)?,
            })
        })?;
        handle.report(1.0, "planned");
        Ok(result)
    }
}

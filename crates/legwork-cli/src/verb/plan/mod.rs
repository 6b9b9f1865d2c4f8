//! `legwork plan`: the fastest motion along a path.

mod report;

use super::motion_file;
use super::route::{self, From};
use super::simulate::{positive, time};
use super::{in_mode, no_masses, open};
use crate::Outcome;
use crate::args::{EndArgs, LimitArgs, LoadArgs, Model, PathKind, PlanArgs, RouteArgs};
use crate::failure::{Failure, Message};
use legwork::AnyRobot;
use legwork::coordinates::{CoordinateSchema, number};
use legwork::experiment::{AnyPath, TimedPath};
use legwork::plan::{Plan, PlanError, PlanLimits, PlanTask, adept_cycle};
use legwork::trajectory::Reversed;
use legwork::units::Quantity;
use report::Report;
use std::io::Write;

/// Share of a limit that may be exceeded.
const TOLERANCE: f64 = 1e-6;

pub fn run(args: &PlanArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    motion_file::check_names(&args.files)?;
    let robot = robot(&args.robot, &args.load)?;
    let schema = CoordinateSchema::of(&robot);
    let limits = limits(&args.limits, &robot, &schema)?;
    let (path, name) = path(&args.route, &args.ends, &robot, &schema)?;
    let intervals = args.intervals.map(|n| n as usize);
    let there = plan(&robot, &path, &limits, intervals)?;
    let back = if args.one_way { None } else { Some(plan(&robot, &Reversed(&path), &limits, intervals)?) };
    let pause = args.pause.as_deref().map_or(Ok(0.0), |text| pause_time("pause", text))?;
    let figure = || there.figure(&robot, &path, &limits).map_err(|error| failure(&error));
    let motion = motion(&there, back.as_ref(), pause, &args.route, &args.ends, &robot, &schema)?;
    motion_file::write(&args.files, &args.robot, &schema, &robot, &motion, figure)?;

    let report = Report {
        args,
        schema: &schema,
        robot: &robot,
        path: &path,
        name,
        there: &there,
        back: back.as_ref(),
        pause,
    };
    if as_json {
        report.json(out)?;
    } else {
        report.print(out)?;
    }
    let worst = there.largest_use().max(back.as_ref().map_or(0.0, Plan::largest_use));
    Ok(if worst <= 1.0 + TOLERANCE { Outcome::Done } else { Outcome::Fails })
}

/// The robot as it is loaded; it needs masses.
pub fn robot(name: &str, load: &LoadArgs) -> Result<AnyRobot, Failure> {
    let mut robot = in_mode(open(name)?, load.mode.as_ref())?;
    if !robot.has_masses() {
        return Err(no_masses(&robot, name));
    }
    let told = |error| Failure::of(error, name);
    if let Some(payload) = &load.payload {
        robot = robot.with_payload(number("payload", Quantity::Mass, payload)?).map_err(told)?;
    }
    if load.model != Model::Complete {
        robot = robot.with_forearm_model(load.model.into()).map_err(told)?;
    }
    Ok(robot)
}

/// The limits of the robot's file, and what the options say instead.
pub fn limits(args: &LimitArgs, robot: &AnyRobot, schema: &CoordinateSchema) -> Result<PlanLimits, Failure> {
    let list = |name: &str, texts: &[String], kinds: Vec<Quantity>| -> Result<Vec<f64>, Failure> {
        let pairs = texts.iter().zip(kinds.iter().cycle());
        pairs.map(|(text, kind)| positive(name, number(name, *kind, text)?)).collect()
    };
    let one = |name: &str, kind: Quantity, text: &Option<String>| -> Result<f64, Failure> {
        text.as_deref().map_or(Ok(f64::INFINITY), |text| positive(name, number(name, kind, text)?))
    };
    let mut limits = PlanLimits::of(robot);
    let told = |error: PlanError| failure(&error);
    if !args.torque_limit.is_empty() {
        let efforts =
            list("torque-limit", &args.torque_limit, schema.each(Quantity::Torque, Quantity::Force))?;
        limits = limits.with_effort(&efforts).map_err(told)?;
    }
    if !args.speed_limit.is_empty() {
        let speeds =
            list("speed-limit", &args.speed_limit, schema.each(Quantity::AngularSpeed, Quantity::Speed))?;
        limits = limits.with_speed(&speeds).map_err(told)?;
    }
    limits.path_speed = one("path-speed", Quantity::Speed, &args.path_speed)?;
    limits.tangential = one("acceleration", Quantity::Acceleration, &args.acceleration)?;
    limits.normal = one("normal-acceleration", Quantity::Acceleration, &args.normal_acceleration)?;
    Ok(limits)
}

/// The path of the options; without any the Adept cycle about home.
pub fn path(
    route: &RouteArgs,
    ends: &EndArgs,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
) -> Result<(AnyPath, &'static str), Failure> {
    let usual = adept_cycle(robot).map_err(route::told)?;
    if !route.is_given() && ends.from.is_empty() {
        return Ok((usual, "Adept cycle"));
    }
    let kind = route.path.unwrap_or(PathKind::PickAndPlace);
    let start = From { coordinates: &ends.from, quaternion: &ends.quaternion };
    Ok((route::path(route, start, schema, robot, &usual, kind)?, kind.name()))
}

/// A time that may be zero \[s\].
pub fn pause_time(name: &str, text: &str) -> Result<f64, Failure> {
    let value = number(name, Quantity::Time, text)?;
    if value >= 0.0 { Ok(value) } else { time(name, text) }
}

pub fn plan<P: legwork::trajectory::Path>(
    robot: &AnyRobot,
    path: &P,
    limits: &PlanLimits,
    intervals: Option<usize>,
) -> Result<Plan, Failure> {
    let task = PlanTask::new(robot, path, limits.clone());
    let task = if let Some(intervals) = intervals { task.with_intervals(intervals) } else { task };
    task.run().map_err(|error| failure(&error))
}

/// Along the path and back by the plans.
pub fn motion(
    there: &Plan,
    back: Option<&Plan>,
    pause: f64,
    route: &RouteArgs,
    ends: &EndArgs,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
) -> Result<TimedPath, Failure> {
    let (path, _) = path(route, ends, robot, schema)?;
    let motion = TimedPath::new(path, there.law.clone());
    Ok(match back {
        Some(back) => motion.there_and_back(pause, 1).back_by(back.law.clone()),
        None => motion,
    })
}

/// The library's reason, with a way out.
pub fn failure(error: &PlanError) -> Failure {
    let message = Message::new(error.to_string());
    match error.hint() {
        Some(hint) => message.hint(hint).into(),
        None => message.into(),
    }
}

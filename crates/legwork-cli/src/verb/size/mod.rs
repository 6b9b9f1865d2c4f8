//! `legwork size`: what a cycle asks of the motors, and which can do it.

mod report;

use super::plan::{limits, motion as planned, path, pause_time, plan, robot};
use super::simulate::positive;
use super::{motion_file, route};
use crate::Outcome;
use crate::args::{Order, SizeArgs};
use crate::failure::{Failure, Message};
use legwork::AnyRobot;
use legwork::analysis::size::{Choice, Demand, MotorTable, Requirements, SizeError, choices};
use legwork::coordinates::{CoordinateSchema, number};
use legwork::experiment::{TimedPath, gentle_law};
use legwork::plan::check;
use legwork::trajectory::{Path, Reversed};
use legwork::units::Quantity;
use report::Report;
use std::io::Write;

pub fn run(args: &SizeArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    motion_file::check_names(&args.files)?;
    let table = args.motors.as_deref().map(table).transpose()?;
    let requirements = requirements(args)?;
    let robot = robot(&args.robot, &args.load)?;
    let schema = CoordinateSchema::of(&robot);
    let (motion, path, law) = motion(args, &robot, &schema)?;
    let told = |error: SizeError| failure(error, &args.robot);
    let demand = Demand::of(&robot, &motion).map_err(told)?;
    let mut found = match &table {
        Some(table) => Some(choices(&demand, table, &requirements).map_err(told)?),
        None => None,
    };
    if let (Some(found), Some(Order::Size)) = (&mut found, args.by) {
        let key = |choice: &Choice| (!choice.is_feasible(), choice.motor.size());
        found.sort_by(|a, b| {
            let ((a0, a1), (b0, b1)) = (key(a), key(b));
            a0.cmp(&b0).then(a1.total_cmp(&b1)).then(b.margin().total_cmp(&a.margin()))
        });
    }
    let figure = || {
        Ok(match found.as_ref().and_then(|found| found.first()) {
            Some(choice) => choice.figure(&demand),
            None => demand.figure(),
        })
    };
    motion_file::write(&args.files, &args.robot, &schema, &robot, &motion, figure)?;
    let report = Report { args, schema: &schema, demand: &demand, choices: found.as_deref(), path, law };
    if as_json {
        report.json(out)?;
    } else {
        report.print(out)?;
    }
    let works = found.as_ref().is_none_or(|found| found.iter().any(Choice::is_feasible));
    Ok(if works { Outcome::Done } else { Outcome::Fails })
}

/// The table in a file, or the one that comes with legwork.
fn table(path: &std::path::Path) -> Result<MotorTable, Failure> {
    if path.as_os_str() == "sample" {
        return Ok(MotorTable::sample());
    }
    MotorTable::load(path).map_err(|error| {
        let message = Message::new(format!("the motor table `{}` cannot be used", path.display()));
        let hint = error.hint();
        let message = message.caused_by(error.to_string());
        match hint {
            Some(hint) => message.hint(hint).into(),
            None => message.into(),
        }
    })
}

fn requirements(args: &SizeArgs) -> Result<Requirements, Failure> {
    let ratio = |name: &str, text: &str| number(name, Quantity::Ratio, text);
    let inertia_ratio = match &args.inertia_ratio {
        Some(text) => Some(positive("inertia-ratio", ratio("inertia-ratio", text)?)?),
        None => None,
    };
    let reserve = match &args.reserve {
        Some(text) => ratio("reserve", text.trim_end_matches('%'))? / 100.0,
        None => 0.0,
    };
    if reserve < 0.0 {
        return Err(Message::new("`--reserve` is less than zero").into());
    }
    Ok(Requirements { inertia_ratio, reserve })
}

/// The cycle, and the words for its path and its law. The whole path is checked first.
fn motion(
    args: &SizeArgs,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
) -> Result<(TimedPath, &'static str, &'static str), Failure> {
    let pause = args.pause.as_deref().map_or(Ok(0.0), |text| pause_time("pause", text))?;
    let (way, name) = path(&args.route, &args.ends, robot, schema)?;
    if args.fastest {
        let limits = limits(&args.bounds, robot, schema)?;
        let there = plan(robot, &way, &limits, None)?;
        let back = if args.one_way { None } else { Some(plan(robot, &Reversed(&way), &limits, None)?) };
        let motion = planned(&there, back.as_ref(), pause, &args.route, &args.ends, robot, schema)?;
        return Ok((motion, name, "fastest"));
    }
    if args.bounds.is_given() {
        let message = Message::new("limits of the motors are for `--fastest`");
        return Err(message
            .hint("add `--fastest`, or leave the limits out: motors are judged by a table")
            .into());
    }
    check(robot, &way).map_err(|error| super::plan::failure(&error))?;
    let usual = gentle_law(robot, &way).map_err(route::told)?.duration();
    let law = route::law(&args.timing, way.length(), usual)?;
    let motion = TimedPath::new(way, law);
    let motion = if args.one_way { motion } else { motion.there_and_back(pause, 1) };
    let law = args.timing.law.map_or("sine", |law| law.name());
    Ok((motion, name, law))
}

/// The library's reason, with a way out.
fn failure(error: SizeError, robot: &str) -> Failure {
    if let SizeError::Robot(error) = error {
        return Failure::of(error, robot);
    }
    let message = Message::new(error.to_string());
    match error.hint() {
        Some(hint) => message.hint(hint).into(),
        None => message.into(),
    }
}

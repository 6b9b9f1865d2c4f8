//! `legwork sensitivity`: which parameters move a result, and how much.

use super::linearize::failure;
use super::simulate::pose;
use super::{no_masses, open};
use crate::Outcome;
use crate::args::{EffectChoice, SensitivityArgs};
use crate::failure::{Failure, Message};
use crate::json;
use crate::table::Table;
use legwork::analysis::sensitivity::{Effect, Parameter, Sensitivity, of_delta, of_file};
use legwork::coordinates::{ACCELERATION, CoordinateSchema, POSE, VELOCITY, Values};
use legwork::text::short;
use legwork::{AnyRobot, PlatformState};
use serde_json::{Value, json};
use std::io::{self, Write};

pub fn run(args: &SensitivityArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    let schema = CoordinateSchema::of(&robot);
    let effect = match args.of {
        EffectChoice::Torque => Effect::Efforts,
        EffectChoice::Shift => Effect::Shift,
        EffectChoice::Pole => Effect::Pole,
        EffectChoice::Mass => Effect::Mass,
    };
    if effect != Effect::Shift && !robot.has_masses() {
        return Err(no_masses(&robot, &args.robot));
    }
    let platform = state(args, &robot, &schema, effect)?;
    let found = if robot.as_delta().is_some() && !args.from_file {
        of_delta(&robot, &platform, effect)
    } else {
        of_file(robot.description().text.as_deref().unwrap_or(""), &args.robot, &platform, effect)
    };
    let found = found.map_err(|error| failure(error, &args.robot))?;
    let count = args.top.unwrap_or(usize::MAX);
    if as_json {
        json::print(&object(&robot, &platform, &found, count), out)?;
    } else {
        print(&robot, &schema, args.of, &platform, &found, count, out)?;
    }
    Ok(Outcome::Done)
}

fn state(
    args: &SensitivityArgs,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    effect: Effect,
) -> Result<PlatformState, Failure> {
    if effect != Effect::Efforts && !(args.velocity.is_empty() && args.acceleration.is_empty()) {
        let message = Message::new("`--velocity` and `--acceleration` move torques only");
        return Err(message.hint("leave them out, or ask `--of torque`").into());
    }
    let place = pose(schema, "--pose", &args.pose)?.unwrap_or_else(|| robot.home());
    // The motion alone, at coordinates that do not matter.
    let mut row = Values::default();
    let zeros = vec!["0".to_owned(); schema.home_position().len()];
    schema.read(&mut row, "--pose", POSE, &zeros)?;
    for (option, groups, texts) in
        [("--velocity", VELOCITY, &args.velocity), ("--acceleration", ACCELERATION, &args.acceleration)]
    {
        if !texts.is_empty() {
            schema.read(&mut row, option, groups, texts)?;
        }
    }
    let motion = schema.platform(&row)?;
    Ok(PlatformState { twist: motion.twist, acceleration: motion.acceleration, ..place })
}

/// A unit that people change a parameter by, and how much of the parameter's own unit it is.
fn handy(unit: &str) -> (&str, f64) {
    match unit {
        "m" => ("mm", 1e-3),
        "kg" => ("g", 1e-3),
        "rad" => ("deg", 1_f64.to_radians()),
        other => (other, 1.0),
    }
}

fn print(
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    of: EffectChoice,
    platform: &PlatformState,
    found: &Sensitivity,
    count: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let what = match of {
        EffectChoice::Torque => "motor efforts",
        EffectChoice::Shift => "place of the platform while the motors stay",
        EffectChoice::Pole => "largest real part of the poles",
        EffectChoice::Mass => "mass matrix at the motors",
    };
    writeln!(out, "{} at {}: {what}", robot.name(), schema.place(platform))?;
    let way =
        if found.exact { "exact derivatives, each number alone" } else { "differences over the robot file" };
    writeln!(out, "{way}; strongest first")?;
    writeln!(out)?;
    let is_shift = of == EffectChoice::Shift;
    let mut table = Table::with_left(&[1, 3, 5]);
    let share = if is_shift { "" } else { "% per %" };
    table.row(["parameter", "value", "for 1 % more", "in", share, "for one unit more"]);
    let mut idle = Vec::new();
    let mut listed = 0;
    let rounding = if found.exact { 1e-12 } else { 1e-9 };
    for parameter in &found.parameters {
        if parameter.slopes.iter().all(|slope| slope.abs() < rounding) {
            idle.push(parameter.name.as_str());
        } else if listed < count {
            listed += 1;
            table.row(row(parameter, found, is_shift));
        }
    }
    table.print(out)?;
    if !idle.is_empty() {
        writeln!(out, "\nno effect: {}", idle.join(", "))?;
    }
    if !found.refused.is_empty() {
        let names: Vec<&str> = found.refused.iter().map(|(name, _)| name.as_str()).collect();
        writeln!(out, "no robot on both sides of: {}", names.join(", "))?;
    }
    Ok(())
}

fn row(parameter: &Parameter, found: &Sensitivity, is_shift: bool) -> [String; 6] {
    let (place, change) = found.strongest(parameter);
    let (name, unit) = found.results.get(place).map_or(("", ""), |signal| (&signal.name, &signal.unit));
    let (unit, scale) = handy(unit);
    let (step, size) = handy(&parameter.unit);
    let slope = parameter.slopes.get(place).copied().unwrap_or(f64::NAN);
    let relative = found.relative(parameter);
    let per = if step.is_empty() { "1".to_owned() } else { step.to_owned() };
    [
        parameter.name.clone(),
        format!("{} {}", short(parameter.number / size), step).trim_end().to_owned(),
        if parameter.number == 0.0 {
            "-".into()
        } else {
            format!("{} {unit}", digits(change / scale)).trim_end().into()
        },
        name.to_owned(),
        if is_shift || relative.is_nan() { String::new() } else { digits(relative) },
        format!("{} {unit} per {per}", digits(slope * size / scale)),
    ]
}

/// Three digits with a sign: what differences and exact slopes agree in.
fn digits(x: f64) -> String {
    let size = x.abs();
    match size {
        _ if size < 1e-9 => "0".into(),
        _ if !(1e-3..1e4).contains(&size) => format!("{x:+.2e}"),
        _ if size >= 100.0 => format!("{x:+.0}"),
        _ if size >= 10.0 => format!("{x:+.1}"),
        _ if size >= 1.0 => format!("{x:+.2}"),
        _ if size >= 0.1 => format!("{x:+.3}"),
        _ => format!("{x:+.4}"),
    }
}

fn object(robot: &AnyRobot, platform: &PlatformState, found: &Sensitivity, count: usize) -> Value {
    let results = found.results.iter().zip(&found.values);
    let results: Vec<Value> = results
        .map(|(signal, value)| json!({ "name": signal.name, "unit": signal.unit, "value": value }))
        .collect();
    let parameters: Vec<Value> = found
        .parameters
        .iter()
        .take(count)
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "value": parameter.number,
                "unit": parameter.unit,
                "slopes": parameter.slopes,
                "percent_per_percent": found.relative(parameter),
            })
        })
        .collect();
    let refused: Vec<Value> =
        found.refused.iter().map(|(name, reason)| json!({ "name": name, "reason": reason })).collect();
    json!({
        "robot": robot.name(),
        "position": platform.position,
        "rotation": platform.rotation,
        "exact": found.exact,
        "results": results,
        "parameters": parameters,
        "refused": refused,
    })
}

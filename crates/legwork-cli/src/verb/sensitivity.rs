//! `legwork sensitivity`: which parameters move a result, and how much.

use crate::args::{EffectChoice, SensitivityArgs};
use crate::failure::Failure;
use crate::measures;
use crate::{Outcome, json, task};
use legwork::analysis::sensitivity::Effect;
use legwork::table::{Table, print_line};
use legwork::task::{ParameterResult, RobotRequest, SensitivityRequest, SensitivityResult};
use legwork::text::short;
use std::io::{self, Write};

pub fn run(args: &SensitivityArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let request = SensitivityRequest {
        robot: RobotRequest { held: args.held.values(), ..RobotRequest::named(&args.robot) },
        of: match args.of {
            EffectChoice::Torque => Effect::Efforts,
            EffectChoice::Shift => Effect::Shift,
            EffectChoice::Pole => Effect::Pole,
            EffectChoice::Mass => Effect::Mass,
        },
        pose: measures::pose("pose", &args.pose)?,
        velocity: measures::list("velocity", &args.velocity)?,
        acceleration: measures::list("acceleration", &args.acceleration)?,
        top: args.top,
        from_file: args.from_file,
    };
    let result = task::run("sensitivity", &args.robot, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        print(&result, out)?;
    }
    Ok(Outcome::Done)
}

fn print(result: &SensitivityResult, out: &mut dyn Write) -> io::Result<()> {
    print_line(&format!("{} at {}: {}", result.robot, result.pose, result.of.title()), out)?;
    let method =
        if result.exact { "exact derivatives, each number alone" } else { "differences over the robot file" };
    writeln!(out, "{method}; strongest first\n")?;
    let mut table = Table::with_left(&[1, 3, 5]);
    let share = if result.of == Effect::Shift { "" } else { "% per %" };
    table.row(["parameter", "value", "for 1 % more", "in", share, "for one unit more"]);
    for parameter in &result.parameters {
        table.row(row(parameter, result));
    }
    table.print(out)?;
    if !result.no_effect.is_empty() {
        writeln!(out)?;
        print_line(&format!("no effect: {}", result.no_effect.join(", ")), out)?;
    }
    if !result.refused.is_empty() {
        let names: Vec<&str> = result.refused.iter().map(|refused| refused.name.as_str()).collect();
        print_line(&format!("no robot on both sides of: {}", names.join(", ")), out)?;
    }
    Ok(())
}

fn row(parameter: &ParameterResult, result: &SensitivityResult) -> [String; 6] {
    let component = result.results.get(parameter.strongest);
    let (name, unit) = component.map_or(("", ""), |component| (&component.name, &component.unit));
    let (unit, scale) = handy(unit);
    let (step, size) = handy(&parameter.unit);
    let slope = parameter.slopes.get(parameter.strongest).copied().unwrap_or(f64::NAN);
    let relative = parameter.percent_per_percent;
    let has_share = result.of != Effect::Shift && !relative.is_nan();
    let change = format!("{} {unit}", digits(parameter.change_per_percent / scale)).trim_end().to_owned();
    [
        parameter.name.clone(),
        format!("{} {step}", short(parameter.value / size)).trim_end().to_owned(),
        if parameter.value == 0.0 { "-".into() } else { change },
        name.to_owned(),
        if has_share { digits(relative) } else { String::new() },
        format!("{} {unit} per {}", digits(slope * size / scale), if step.is_empty() { "1" } else { step }),
    ]
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

//! `legwork calibrate`: the geometry of a real robot from what was measured on it.

use crate::args::{CalibrateArgs, CriterionChoice, SetChoice};
use crate::failure::Failure;
use crate::table::{Table, WIDTH, print_line, print_wrapped};
use crate::{Outcome, json, task};
use legwork::coordinates::number;
use legwork::task::{Angle, Length, RobotRequest};
use legwork::text::short;
use legwork::units::Quantity;
use legwork_identify::geometry::{CalibrateRequest, CalibrateResult, Criterion, ParameterSet};
use std::io::{self, Write};

pub fn run(args: &CalibrateArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let length = |name: &str, text: Option<&String>| -> Result<Option<Length>, Failure> {
        Ok(text.map(|text| number(name, Quantity::Length, text)).transpose()?.map(Length))
    };
    let three = |name: &str, texts: &[String]| -> Result<Option<[Length; 3]>, Failure> {
        let all = texts.iter().map(|text| number(name, Quantity::Length, text).map(Length));
        Ok(all.collect::<Result<Vec<_>, _>>()?.try_into().ok())
    };
    let turn = args
        .rotation_noise
        .as_ref()
        .map(|text| number("rotation_noise", Quantity::Angle, text))
        .transpose()?;
    let request = CalibrateRequest {
        robot: RobotRequest::named(&args.robot),
        measurements: args.measurements.clone(),
        parameters: match args.parameters {
            SetChoice::Reduced => ParameterSet::Reduced,
            SetChoice::Full => ParameterSet::Full,
        },
        hold: args.hold.clone(),
        robot_frame: args.robot_frame,
        target: three("target", &args.target)?,
        find_target: args.find_target,
        plane_height: length("plane_height", args.plane_height.as_ref())?,
        centre: three("centre", &args.centre)?,
        noise: length("noise", args.noise.as_ref())?,
        rotation_noise: turn.map(Angle),
        expected_error: length("expected_error", args.expected_error.as_ref())?,
        keep_outliers: args.keep_outliers,
        next: args.next,
        criterion: match args.criterion {
            CriterionChoice::Platform => Criterion::Platform,
            CriterionChoice::Parameters => Criterion::Parameters,
        },
        out: args.out.clone(),
        figure: args.figure.clone(),
        #[cfg(feature = "studio")]
        report: args.report.clone(),
        #[cfg(not(feature = "studio"))]
        report: None,
    };
    answer(&request, args.controllers, as_json, out)
}

/// Runs a request and prints what it found.
pub fn answer(
    request: &CalibrateRequest,
    controllers: bool,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let result = task::run("calibrate", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        print(&result, controllers, out)?;
        for (what, path) in
            [("robot file", &request.out), ("picture", &request.figure), ("page", &request.report)]
        {
            if let Some(path) = path {
                print_line(&format!("{what}: {}", path.display()), out)?;
            }
        }
    }
    Ok(Outcome::Done)
}

fn print(result: &CalibrateResult, controllers: bool, out: &mut dyn Write) -> io::Result<()> {
    let micro = |x: f64| format!("{} um", short((x * 1e7).round() / 10.0));
    if result.rows > 0 {
        let head = format!(
            "{}: {} rows, {} numbers; {} parameters free, {} of their combinations determined",
            result.robot, result.rows, result.equations, result.free, result.determined
        );
        print_wrapped(&head, WIDTH, out)?;
        let mut table = Table::with_left(&[1]);
        table.row(["residual, rms", "before", "after"].map(String::from));
        for kind in &result.residuals {
            let unit = |x: f64| match kind.kind.as_str() {
                "orientation" | "sensor" => format!("{} mdeg", short((x.to_degrees() * 1e4).round() / 10.0)),
                _ => micro(x),
            };
            table.row([kind.kind.clone(), unit(kind.before), unit(kind.after)]);
        }
        table.print(out)?;
        let text = format!(
            "over the workspace: drawn and calibrated robot differ by {} (rms), {} at most; {} are left (1 sigma)",
            micro(result.error_before),
            micro(result.error_before_most),
            micro(result.error_after)
        );
        print_wrapped(&text, WIDTH, out)?;
        for outlier in &result.outliers {
            print_line(
                &format!("row {} disagrees by {:.1} deviations: left out", outlier.row, outlier.deviations),
                out,
            )?;
        }
    } else {
        print_line(
            &format!("{}: tolerance from {} standard deviations in its file", result.robot, result.free),
            out,
        )?;
    }
    writeln!(out)?;
    let mut table = Table::with_left(&[1, 5]);
    table.row(["parameter", "drawn", "change", "sigma", ""].map(String::from));
    for parameter in &result.parameters {
        let (factor, unit) =
            if parameter.unit == "rad" { (1.0_f64.to_degrees(), "deg") } else { (1e3, "mm") };
        table.row([
            parameter.name.clone(),
            parameter.drawn.map(|x| format!("{:.3} {unit}", x * factor)).unwrap_or_default(),
            format!("{:+.4} {unit}", parameter.change * factor),
            format!("{:.4} {unit}", parameter.sigma * factor),
            if parameter.determined { String::new() } else { "not known alone".into() },
        ]);
    }
    table.print(out)?;
    if !result.undetermined.is_empty() {
        writeln!(out, "\nnot determined, kept as drawn:")?;
        for combination in &result.undetermined {
            print_wrapped(&format!("- {}", combination.text), WIDTH, out)?;
        }
    }
    if let Some(tolerance) = &result.tolerance {
        writeln!(out)?;
        let [x, y, z] = tolerance.worst_position.map(|x| short((x * 1e4).round() / 10.0));
        let [a, b, c] = tolerance.worst_direction.map(|x| format!("{x:.2}"));
        let text = format!(
            "platform, 1 sigma: {} at home ({} by 400 robots at random), {} along ({a}, {b}, {c}) at ({x}, {y}, {z}) mm, the worst",
            micro(tolerance.home),
            micro(tolerance.home_by_chance),
            micro(tolerance.worst)
        );
        print_wrapped(&text, WIDTH, out)?;
    }
    if !result.next.is_empty() {
        writeln!(out, "\nnext poses, the most useful first:")?;
        let mut table = Table::with_left(&[]);
        table.row(["x mm", "y mm", "z mm", "left"].map(String::from));
        for next in &result.next {
            let [x, y, z] = next.position.map(|x| format!("{:.1}", x * 1e3));
            table.row([x, y, z, micro(next.after)]);
        }
        table.print(out)?;
    }
    if controllers {
        for block in &result.controllers {
            writeln!(out, "\n--- {} ---", block.controller)?;
            write!(out, "{}", block.text)?;
        }
    }
    for note in &result.notes {
        print_wrapped(&format!("note: {note}"), WIDTH, out)?;
    }
    Ok(())
}

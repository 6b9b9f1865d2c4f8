//! `legwork identify` and `legwork excite`: the parameters of the real machine from logs, and motions to record.

use crate::failure::Failure;
use crate::table::{Table, WIDTH, print_wrapped};
use crate::{Outcome, json, task};
use legwork::text::{fixed, four_digits};
use legwork_identify::dynamics::request::PredictionResult;
use legwork_identify::dynamics::{ExciteRequest, ExciteResult, IdentifyRequest, IdentifyResult};
use std::io::{self, Write};

/// Identifies and prints.
pub fn run(request: &IdentifyRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let result = task::run("identify", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        print(request, &result, out)?;
    }
    Ok(Outcome::Done)
}

fn percent(part: f64) -> String {
    format!("{} %", four_digits(100.0 * part))
}

fn print(request: &IdentifyRequest, result: &IdentifyResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: what its efforts tell\n", result.robot)?;
    let mut table = Table::with_left(&[1]);
    let change = |one: &PredictionResult| {
        format!(
            "error {} of the effort with the file, {} identified",
            percent(one.before),
            percent(one.after)
        )
    };
    table.row(["logs".to_owned(), change(&result.fit)]);
    for one in &result.validation {
        table.row([format!("{}, not used", one.log), change(one)]);
    }
    let sigma =
        result.lag_sigma.map_or_else(String::new, |sigma| format!(" +- {} ms", fixed(1e3 * sigma, 3)));
    table.row(["lag of the drives".to_owned(), format!("{} ms{sigma}", fixed(1e3 * result.lag, 3))]);
    let filter = format!(
        "{} Hz, {} rows, condition {}",
        four_digits(result.cut_off),
        result.rows,
        four_digits(result.condition)
    );
    table.row(["low pass".to_owned(), filter]);
    for payload in &result.payloads {
        let text = format!("{} +- {} kg", four_digits(payload.mass), four_digits(payload.sigma));
        table.row([format!("on the platform, {}", payload.log), text]);
    }
    for path in request.out.iter().chain(&request.report) {
        table.row(["written to".to_owned(), path.display().to_string()]);
    }
    table.print(out)?;
    writeln!(out, "\n{} base parameters, all that motion tells:\n", result.base.len())?;
    let mut table = Table::with_left(&[3]);
    table.row(["", "file", "identified", ""]);
    for base in &result.base {
        let sigma = base.sigma.map_or_else(
            || format!("{}, not told by these logs", base.unit),
            |sigma| format!("+- {} {}", four_digits(sigma), base.unit),
        );
        table.row([base.name.clone(), four_digits(base.file), four_digits(base.value), sigma]);
    }
    table.print(out)?;
    writeln!(out)?;
    let mut table = Table::default();
    table.row(["", "inertia", "viscous", "Coulomb", "offset", "noise"]);
    for motor in &result.motors {
        let numbers =
            [motor.inertia, motor.viscous, motor.coulomb, motor.offset, motor.noise].map(four_digits);
        table.row(std::iter::once(motor.joint.clone()).chain(numbers));
    }
    table.print(out)?;
    if !result.only_together.is_empty() {
        writeln!(out)?;
        let text = format!("known only in these combinations: {}", result.only_together.join(", "));
        print_wrapped(&text, WIDTH, out)?;
    }
    if !result.without_effect.is_empty() {
        writeln!(out)?;
        let text = format!("no motion tells: {}; they stay as in the file", result.without_effect.join(", "));
        print_wrapped(&text, WIDTH, out)?;
    }
    for note in &result.notes {
        writeln!(out)?;
        print_wrapped(&format!("note: {note}"), WIDTH, out)?;
    }
    Ok(())
}

/// Finds a motion and prints what it is.
pub fn excite(request: &ExciteRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let result = task::run("excite", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        print_motion(&result, out)?;
    }
    Ok(Outcome::Done)
}

fn print_motion(result: &ExciteResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: a motion that tells {} base parameters\n", result.robot, result.base_count)?;
    let mut table = Table::with_left(&[1]);
    table.row(["duration".to_owned(), format!("{} s", four_digits(result.duration))]);
    let text = format!(
        "{} after {} motions, {} of the first one",
        four_digits(result.condition),
        result.trials,
        four_digits(result.first_condition)
    );
    table.row(["condition".to_owned(), text]);
    if let Some(path) = &result.out {
        table.row(["written to".to_owned(), path.display().to_string()]);
    }
    table.print(out)?;
    writeln!(out)?;
    let mut table = Table::default();
    table.row(["", "excursion", "speed", "acceleration"]);
    for (k, ((excursion, speed), acceleration)) in
        result.excursion.iter().zip(&result.speed).zip(&result.acceleration).enumerate()
    {
        let numbers = [*excursion, *speed, *acceleration].map(four_digits);
        table.row(std::iter::once(format!("q{}", k + 1)).chain(numbers));
    }
    table.print(out)
}

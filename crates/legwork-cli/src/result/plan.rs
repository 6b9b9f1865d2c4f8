//! The fastest motion along a path.

use crate::failure::Failure;
use crate::table::Table;
use crate::{Outcome, json, task};
use legwork::task::{PartResult, PlanRequest, PlanResult};
use legwork::text::{fixed, short};
use std::io::{self, Write};

pub fn run(request: &PlanRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let result = task::run("plan", &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        print(&result, out)?;
    }
    Ok(if result.keeps_limits() { Outcome::Done } else { Outcome::Fails })
}

fn print(result: &PlanResult, out: &mut dyn Write) -> io::Result<()> {
    let there = &result.there;
    writeln!(out, "{}: as fast as its motors allow\n", result.robot)?;
    let mut table = Table::with_left(&[1]);
    table.row(["path".to_owned(), format!("{}, {} mm", result.path, fixed(result.length * 1e3, 1))]);
    let seconds = |time: f64| format!("{} s", fixed(time, 4));
    match &result.back {
        Some(back) => {
            table.row(["there".to_owned(), seconds(there.duration)]);
            table.row(["back".to_owned(), seconds(back.duration)]);
            let per_minute = fixed(60.0 / result.cycle_time, 1);
            table.row(["cycle".into(), format!("{}, {per_minute} per minute", seconds(result.cycle_time))]);
        }
        None => table.row(["duration".to_owned(), seconds(there.duration)]),
    }
    let at = |s: f64| format!("at {} mm", fixed(s * 1e3, 1));
    let (serial, parallel) = (&there.serial, &there.parallel);
    table.row([
        "singularities".to_owned(),
        format!(
            "serial {} (leg {}, {}), parallel {} ({})",
            fixed(serial.distance, 3),
            serial.leg,
            at(serial.at),
            fixed(parallel.distance, 3),
            at(parallel.at)
        ),
    ]);
    for path in &result.out {
        table.row(["written to".to_owned(), path.display().to_string()]);
    }
    table.print(out)?;

    writeln!(out)?;
    let mut table = Table::with_left(&[2]);
    table.row(["way [mm]", "time [ms]", "held back by"]);
    for part in gathered(&there.parts, result.length) {
        table.row([
            format!("{} to {}", fixed(part.from * 1e3, 1), fixed(part.to * 1e3, 1)),
            fixed((part.end - part.begin) * 1e3, 1),
            part.held_back_by(),
        ]);
    }
    table.print(out)?;

    writeln!(out)?;
    let mut table = Table::with_left(&[]);
    table.row(["limit", "largest", "of", "used"]);
    for usage in &there.usage {
        table.row([
            format!("{} [{}]", usage.limit, usage.unit),
            short(six_digits(usage.largest)),
            short(usage.of),
            format!("{:.4} %", 100.0 * usage.used),
        ]);
    }
    table.print(out)
}

/// The parts without those below half a per cent of the way, which go to the one before them.
fn gathered(parts: &[PartResult], length: f64) -> Vec<PartResult> {
    let mut all: Vec<PartResult> = Vec::new();
    for part in parts {
        let is_alike = |last: &PartResult| (&last.limit, last.motor) == (&part.limit, part.motor);
        match all.last_mut() {
            Some(last) if part.to - part.from < 0.005 * length || is_alike(last) => {
                (last.to, last.end) = (part.to, part.end);
            }
            _ => all.push(part.clone()),
        }
    }
    all
}

/// The last one or two digits of a limit that is used up are rounding.
fn six_digits(number: f64) -> f64 {
    format!("{number:.5e}").parse().unwrap_or(number)
}

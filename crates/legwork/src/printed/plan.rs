//! The fastest motion along a path.

use super::motion;
use crate::table::Table;
use crate::task::{PartResult, PlanResult, UsageResult, WayResult};
use crate::text::{fixed, short};
use std::io::{self, Write};

/// Prints how fast the robot is, what holds it back and how far its limits are used.
pub fn plan(result: &PlanResult, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: as fast as its motors allow\n", result.robot)?;
    let mut table = Table::with_left(&[1]);
    // The way of a turn is an angle.
    let (unit, scale) = if result.path == "turn" { ("deg", 1_f64.to_degrees()) } else { ("mm", 1e3) };
    let length = fixed(result.length * scale, 1);
    table.row(["path".to_owned(), format!("{}, {length} {unit}", result.path)]);
    let seconds = |time: f64| format!("{} s", fixed(time, 4));
    let per_minute = fixed(60.0 / result.cycle_time, 1);
    let cycle = format!("{}, {per_minute} per minute", seconds(result.cycle_time));
    match (&result.there, &result.back) {
        (Some(there), Some(back)) => {
            table.row(["there".to_owned(), seconds(there.duration)]);
            table.row(["back".to_owned(), seconds(back.duration)]);
            table.row(["cycle".into(), cycle]);
        }
        (Some(there), None) => table.row(["duration".to_owned(), seconds(there.duration)]),
        (None, _) => table.row(["cycle".into(), cycle]),
    }
    if let Some(there) = &result.there {
        let at = |s: f64| format!("at {} {unit}", fixed(s * scale, 1));
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
    }
    for path in &result.out {
        table.row(["written to".to_owned(), path.display().to_string()]);
    }
    table.print(out)?;

    if let Some(there) = &result.there {
        print_parts(there, result.length, (unit, scale), out)?;
        print_limits([there], out)?;
    } else {
        motion::print_moves(&result.moves, out)?;
        print_limits(result.ways(), out)?;
    }
    motion::print_peaks(&result.peaks, out)
}

fn print_parts(
    way: &WayResult,
    length: f64,
    (unit, scale): (&str, f64),
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out)?;
    let mut table = Table::with_left(&[2]);
    table.row([&format!("way [{unit}]"), "time [ms]", "held back by"]);
    for part in gathered(&way.parts, length) {
        table.row([
            format!("{} to {}", fixed(part.from * scale, 1), fixed(part.to * scale, 1)),
            fixed((part.end - part.begin) * 1e3, 1),
            part.held_back_by(),
        ]);
    }
    table.print(out)
}

/// The largest use of every limit on all of these ways.
fn print_limits<'a>(ways: impl IntoIterator<Item = &'a WayResult>, out: &mut dyn Write) -> io::Result<()> {
    let mut most: Vec<UsageResult> = Vec::new();
    for usage in ways.into_iter().flat_map(|way| &way.usage) {
        match most.iter_mut().find(|known| known.limit == usage.limit) {
            Some(known) if known.used >= usage.used || known.used.is_nan() => {}
            Some(known) => *known = usage.clone(),
            None => most.push(usage.clone()),
        }
    }
    if most.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut table = Table::with_left(&[]);
    let geared = most.iter().any(|usage| usage.motor_side.is_some());
    let heads = if geared { ["limit at the joint", "largest"] } else { ["limit", "largest"] };
    table.row(
        heads
            .into_iter()
            .chain(["of", "used"])
            .chain(geared.then_some(["at the motor", "of"]).into_iter().flatten()),
    );
    for usage in &most {
        let row = [
            format!("{} [{}]", usage.limit, usage.unit),
            short(six_digits(usage.largest)),
            short(usage.of),
            format!("{:.4} %", 100.0 * usage.used),
        ];
        let motor = usage.at_the_motor().unwrap_or_default();
        table.row(row.into_iter().chain(geared.then_some(motor).into_iter().flatten()));
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

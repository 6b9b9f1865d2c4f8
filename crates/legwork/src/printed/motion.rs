//! What plans and sizings say of their motion: the moves of a cycle, and where the motors have their peaks.

use crate::table::Table;
use crate::task::{MoveResult, PeakPlace, PeakResult};
use crate::text::{fixed, short};
use std::io::{self, Write};

/// The moves of a cycle, one below the other.
pub(super) fn print_moves(moves: &[MoveResult], out: &mut dyn Write) -> io::Result<()> {
    if moves.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    let mut table = Table::with_left(&[1, 2]);
    table.row(["move", "path", "timing", "[mm]", "at [ms]", "for [ms]", "dwell [ms]", "[kg]"]);
    for one in moves {
        let [first, last] = one.moves;
        let number = if first == last { first.to_string() } else { format!("{first} to {last}") };
        table.row([
            number,
            one.path.clone(),
            one.law.clone(),
            fixed(one.length * 1e3, 1),
            fixed(one.begin * 1e3, 1),
            fixed(one.duration * 1e3, 1),
            fixed(one.dwell * 1e3, 1),
            short(one.carried),
        ]);
    }
    table.print(out)
}

/// When and where each motor has its peaks.
pub(super) fn print_peaks(peaks: &[PeakResult], out: &mut dyn Write) -> io::Result<()> {
    writeln!(out)?;
    let mut table = Table::with_left(&[3]);
    table.row(["peak of a motor", "", "at [ms]", "platform at"]);
    let kinds: [(&str, Get, [&str; 2]); 3] = [
        ("torque", |peak| &peak.effort, ["N m", "N"]),
        ("speed", |peak| &peak.speed, ["rad/s", "m/s"]),
        ("power", |peak| &peak.power, ["W", "W"]),
    ];
    for (name, get, [turning, sliding]) in kinds {
        for peak in peaks {
            let (unit, found) = (if peak.slides { sliding } else { turning }, get(peak));
            let name = if peak.slides && name == "torque" { "force" } else { name };
            table.row([
                format!("{name} of {} [{unit}]", peak.joint),
                short(format!("{:.3e}", found.value).parse().unwrap_or(found.value)),
                fixed(found.time * 1e3, 1),
                found.place.clone(),
            ]);
        }
    }
    table.print(out)
}

/// Takes a peak out of those of a motor.
type Get = fn(&PeakResult) -> &PeakPlace;

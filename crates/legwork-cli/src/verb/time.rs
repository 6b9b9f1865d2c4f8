//! `legwork time`: how long the calls of a robot take on this machine.

use super::open;
use crate::args::TimeArgs;
use crate::failure::Failure;
use crate::{Outcome, json};
use legwork::analysis::timing::call_times;
use legwork::table::Table;
use legwork::text::short;
use serde_json::{Value, json};
use std::io::Write;

pub fn run(args: &TimeArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    let times = call_times(&robot).map_err(|error| Failure::of(error, &args.robot))?;
    if as_json {
        let rows = times
            .iter()
            .map(|row| json!({ "call": row.call, "time": row.seconds, "time_1998": row.in_1998 }));
        let rows: Value = rows.collect();
        json::print(&json!({ "robot": robot.name(), "calls": rows, "units": { "time": "s" } }), out)?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}: median times of single calls on one thread\n", robot.name())?;
    let mut table = Table::default();
    let has_old = times.iter().filter(|row| row.in_1998.is_some()).count() > 1;
    let heading = if has_old { "T800, 1998 [us]" } else { "" };
    table.row(["", "here [us]", heading].map(str::to_owned));
    for row in &times {
        let old = row.in_1998.filter(|_| has_old).map_or_else(String::new, |time| short(time * 1e6));
        table.row([row.call.to_owned(), format!("{:.3}", row.seconds * 1e6), old]);
    }
    table.print(out)?;
    if has_old {
        writeln!(out, "\nT800: Codourey 1998, Table 1, a transputer and a Delta.")?;
    }
    Ok(Outcome::Done)
}

//! `legwork robots`: the built-in robots.

use super::open;
use crate::failure::Failure;
use crate::{Outcome, json};
use legwork::description::BUILT_IN;
use legwork::summary::RobotEntry;
use legwork::table::{Table, WIDTH, print_wrapped, shortened};
use serde_json::json;
use std::io::Write;

/// Room for a source in a line of about 110 characters.
const SOURCE: usize = 40;

pub fn run(as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let entry = |robot: &legwork::description::BuiltIn| open(robot.name).map(|robot| RobotEntry::of(&robot));
    let robots = BUILT_IN.iter().map(entry).collect::<Result<Vec<_>, _>>()?;
    if as_json {
        json::print(&json!({ "robots": robots }), out)?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::with_left(&[1, 2, 3, 4, 5]);
    table.row(["name", "family", "motors", "freedoms", "masses", "source"]);
    for robot in &robots {
        table.row([
            robot.name.clone(),
            robot.family.to_owned(),
            robot.motors_text(),
            robot.freedoms.join(" "),
            if robot.masses { "yes" } else { "no" }.to_owned(),
            shortened(robot.source.as_deref().unwrap_or("-"), SOURCE),
        ]);
    }
    table.print(out)?;
    writeln!(out)?;
    print_wrapped(
        "motors: how many turn and slide; freedoms: rx ry rz are turns. `legwork show NAME` says more of one of them.",
        WIDTH,
        out,
    )?;
    Ok(Outcome::Done)
}

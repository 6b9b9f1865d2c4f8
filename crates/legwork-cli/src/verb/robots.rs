//! `legwork robots`: the built-in robots.

use super::open;
use crate::failure::Failure;
use crate::table::{Table, shortened};
use crate::{Outcome, json};
use legwork::AnyRobot;
use legwork::description::{BUILT_IN, Family};
use serde_json::{Value, json};
use std::io::Write;

/// Room for a source in a line of about 110 characters.
const SOURCE: usize = 44;

pub fn run(as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robots = BUILT_IN.iter().map(|built_in| open(built_in.name)).collect::<Result<Vec<_>, _>>()?;
    if as_json {
        let list: Vec<Value> = robots.iter().map(entry).collect();
        json::print(
            &json!({ "robots": list, "units": { "reach_radius": "m", "arm": "m", "forearm": "m" } }),
            out,
        )?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::with_left(&[1, 4, 5]);
    table.row(["name", "family", "arm+forearm [mm]", "reach [mm]", "masses", "source"]);
    for robot in &robots {
        let description = robot.description();
        let (_, _, radius) = robot.reach();
        let geometry = &description.geometry;
        table.row([
            robot.name().to_owned(),
            family(description.family).to_owned(),
            format!("{:.0} + {:.0}", geometry.arm * 1e3, geometry.forearm * 1e3),
            format!("{:.0}", radius * 1e3),
            if robot.has_masses() { "yes" } else { "no" }.to_owned(),
            shortened(description.source.as_deref().unwrap_or("-"), SOURCE),
        ]);
    }
    table.print(out)?;
    writeln!(
        out,
        "\nreach: the largest distance from the axis. `legwork show NAME` says more of one of them."
    )?;
    Ok(Outcome::Done)
}

fn entry(robot: &AnyRobot) -> Value {
    let description = robot.description();
    json!({
        "name": robot.name(),
        "family": family(description.family),
        "arm": description.geometry.arm,
        "forearm": description.geometry.forearm,
        "reach_radius": robot.reach().2,
        "masses": robot.has_masses(),
        "source": description.source,
    })
}

/// The family as robot files name it.
pub fn family(family: Family) -> &'static str {
    match family {
        Family::Delta => "delta",
        _ => "other",
    }
}

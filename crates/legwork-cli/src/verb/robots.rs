//! `legwork robots`: the built-in robots.

use super::{about, open};
use crate::failure::Failure;
use crate::table::{Table, shortened};
use crate::{Outcome, json};
use legwork::AnyRobot;
use legwork::description::BUILT_IN;
use serde_json::{Value, json};
use std::io::Write;

/// Room for a source in a line of about 110 characters.
const SOURCE: usize = 40;

pub fn run(as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robots = BUILT_IN.iter().map(|built_in| open(built_in.name)).collect::<Result<Vec<_>, _>>()?;
    if as_json {
        let list: Vec<Value> = robots.iter().map(entry).collect();
        json::print(&json!({ "robots": list }), out)?;
        return Ok(Outcome::Done);
    }
    let mut table = Table::with_left(&[1, 2, 3, 4, 5]);
    table.row(["name", "family", "motors", "freedoms", "masses", "source"]);
    for robot in &robots {
        let description = robot.description();
        table.row([
            robot.name().to_owned(),
            description.family().name().to_owned(),
            motors(robot),
            freedoms(robot).join(" "),
            if robot.has_masses() { "yes" } else { "no" }.to_owned(),
            shortened(description.source.as_deref().unwrap_or("-"), SOURCE),
        ]);
    }
    table.print(out)?;
    writeln!(
        out,
        "\nmotors: how many turn and slide; freedoms: rx ry rz are turns. `legwork show NAME` says more of one of them."
    )?;
    Ok(Outcome::Done)
}

/// "3 turn, 3 slide"
pub fn motors(robot: &AnyRobot) -> String {
    let count = |slides: bool| robot.joints().iter().filter(|joint| joint.slides == slides).count();
    let kinds = [(count(false), "turn"), (count(true), "slide")];
    let kinds: Vec<String> =
        kinds.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    kinds.join(", ")
}

pub fn freedoms(robot: &AnyRobot) -> Vec<&'static str> {
    robot.freedoms().iter().map(|freedom| freedom.coordinate).collect()
}

fn entry(robot: &AnyRobot) -> Value {
    let description = robot.description();
    let motors = robot.joints().iter().map(|joint| if joint.slides { "slides" } else { "turns" });
    json!({
        "name": robot.name(),
        "family": description.family().name(),
        "motors": motors.collect::<Vec<_>>(),
        "freedoms": freedoms(robot),
        "legs": about::legs(robot),
        "masses": robot.has_masses(),
        "source": description.source,
    })
}

//! `legwork show`: what a robot is.

use super::open;
use crate::args::ShowArgs;
use crate::failure::{Failure, print_to_stderr};
use crate::{Outcome, json};
use legwork::summary::{RobotSummary, doubts};
use std::io::Write;

pub fn run(args: &ShowArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    for doubt in doubts(&robot) {
        print_to_stderr(&format!("note: {doubt}"));
    }
    if args.toml {
        out.write_all(robot.description().text.as_deref().unwrap_or_default().as_bytes())?;
    } else if as_json {
        json::print(&serde_json::json!(RobotSummary::of(&robot)), out)?;
    } else {
        write!(out, "{}", RobotSummary::of(&robot))?;
    }
    Ok(Outcome::Done)
}

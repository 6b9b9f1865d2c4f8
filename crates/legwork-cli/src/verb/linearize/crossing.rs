//! `legwork linearize --crossing`: where a robot turns unstable.

use super::failure;
use crate::Outcome;
use crate::args::LinearizeArgs;
use crate::failure::{Failure, Message};
use crate::json;
use crate::verb::simulate::pose;
use legwork::analysis::linear::stability::{Crossings, common_motor_path, crossings, straight_path};
use legwork::coordinates::{CoordinateSchema, MotorMotion};
use legwork::text::fixed;
use legwork::{AnyRobot, PlatformState};
use serde_json::json;
use std::io::Write;

/// Motor angles between which a Delta is looked at if it has no limits \[deg\].
const ANGLES: [f64; 2] = [-45.0, 85.0];
const SAMPLES: usize = 261;

pub fn run(
    args: &LinearizeArgs,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    from: &PlatformState,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<Outcome, Failure> {
    let to = pose(schema, "--to", &args.to)?;
    let told = |found| -> Result<Crossings, Failure> {
        let found: Result<Crossings, _> = found;
        found.map_err(|error| failure(error, &args.robot))
    };
    let (found, range, path) = if let Some(to) = to {
        let path = format!("from {} to {}", schema.place(from), schema.place(&to));
        (told(crossings(robot, straight_path(*from, to), [0.0, 1.0], SAMPLES))?, [0.0, 1.0], path)
    } else {
        let limits = robot.joints().first().and_then(|joint| joint.min.zip(joint.max));
        let range = match limits {
            Some((min, max)) => [min, max],
            None if robot.linkage().is_some() => ANGLES.map(f64::to_radians),
            None => {
                let message =
                    Message::new(format!("`{}` has no limits of its joints to look between", robot.name()));
                return Err(message.hint("give the other end of a straight way with `--to`").into());
            }
        };
        let [low, high] = shown(schema, range);
        let path = format!("all motors alike, from {low} to {high}");
        (told(crossings(robot, common_motor_path(robot), range, SAMPLES))?, range, path)
    };
    if as_json {
        let list: Vec<_> = found
            .found
            .iter()
            .map(|at| {
                json!({
                    "parameter": at.parameter,
                    "position": at.platform.position,
                    "rotation": at.platform.rotation,
                    "stable_after": at.stable_after,
                })
            })
            .collect();
        let object = json!({
            "robot": robot.name(),
            "path": path,
            "range": range,
            "crossings": list,
            "samples": { "stable": found.stable, "unstable": found.unstable, "unreachable": found.unreachable },
        });
        json::print(&object, out)?;
        return Ok(Outcome::Done);
    }
    writeln!(out, "{}: {path}", robot.name())?;
    for at in &found.found {
        let where_ = if args.to.is_empty() {
            shown(schema, [at.parameter; 2])[0].clone()
        } else {
            format!("{} % of the way", fixed(at.parameter * 100.0, 2))
        };
        let (before, after) = if at.stable_after { ("unstable", "stable") } else { ("stable", "unstable") };
        let place = schema.place(&at.platform);
        writeln!(out, "{before} before {where_}, {after} after it; the platform is at {place} there")?;
    }
    if found.found.is_empty() {
        let word = if found.unstable == 0 { "stable" } else { "unstable" };
        writeln!(out, "{word} wherever it reaches")?;
    }
    let Crossings { stable, unstable, unreachable, .. } = found;
    writeln!(
        out,
        "of {SAMPLES} samples {stable} are stable, {unstable} unstable, {unreachable} out of reach or singular"
    )?;
    Ok(Outcome::Done)
}

/// Joint values with their unit.
fn shown(schema: &CoordinateSchema, values: [f64; 2]) -> [String; 2] {
    values.map(|q| match schema.motor_motion() {
        MotorMotion::Slide => format!("{} mm", fixed(q * 1e3, 2)),
        _ => format!("{} deg", fixed(q.to_degrees(), 2)),
    })
}

//! `legwork show`: what a robot is.

mod geometry;
mod masses;
mod object;
mod part;

use super::robots::freedoms;
use super::state::{scale, singularity};
use super::{about, open};
use crate::args::ShowArgs;
use crate::failure::{Failure, Message};
use crate::table::wrap;
use crate::{Outcome, json, sketch};
use legwork::coordinates::{CoordinateSchema, MotorMotion};
use legwork::description::{BUILT_IN, Convention, DeltaDescription, Model};
use legwork::text::{short, short_list};
use legwork::{AnyRobot, State};
use part::Part;
use std::io::{self, Write};

/// Width of a line of text, and of the names before it.
const WIDTH: usize = 82;
const NAME: usize = 20;

pub fn run(args: &ShowArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    if args.toml {
        out.write_all(&file(&args.robot)?)?;
    } else if as_json {
        json::print(&object::object(&robot), out)?;
    } else {
        print(&robot, out)?;
    }
    Ok(Outcome::Done)
}

/// The bytes of a robot file.
pub(super) fn file(robot: &str) -> Result<Vec<u8>, Failure> {
    if let Some(built_in) = BUILT_IN.iter().find(|built_in| built_in.name == robot) {
        return Ok(built_in.text.into());
    }
    std::fs::read(robot).map_err(|error| Message::new(format!("`{robot}` cannot be read: {error}")).into())
}

/// The robot at rest where it rests; `None` in a singular home.
fn at_home(robot: &AnyRobot) -> Option<State> {
    robot.state(&robot.home()).ok()
}

/// Whether the file says where the robot rests.
fn home_is_given(robot: &AnyRobot) -> bool {
    match &robot.description().model {
        Model::Delta(d) => d.home.is_some(),
        Model::GoughStewart(d) => d.home.is_some(),
        Model::Space(d) => d.home.is_some(),
        Model::C5(d) => d.home.is_some(),
        Model::Hexa(d) => d.home.is_some(),
        Model::Hexaglide(d) => d.home.is_some(),
        Model::LinearDelta(d) => d.home.is_some(),
        Model::FiveBar(d) => d.home.is_some(),
        Model::Planar3Rrr(d) => d.home.is_some(),
        Model::Custom(d) => d.home.is_some(),
        _ => false,
    }
}

fn print(robot: &AnyRobot, out: &mut dyn Write) -> io::Result<()> {
    let description = robot.description();
    let family = description.family().row();
    let (schema, freedoms) = (CoordinateSchema::of(robot), freedoms(robot));
    writeln!(out, "{}: a {} robot with {} legs\n", robot.name(), family.name, about::legs(robot))?;
    entry("family", family.meaning, out)?;
    entry("motors", &motors(robot, &schema), out)?;
    entry("freedoms", &format!("{}: {}", freedoms.len(), freedoms.join(", ")), out)?;
    let unknown = "not given".to_owned();
    entry("source", description.source.as_ref().unwrap_or(&unknown), out)?;
    if let Some(note) = &description.note {
        entry("note", note, out)?;
    }
    match description.as_delta() {
        Some(delta) => entry("convention", &convention(robot, delta), out)?,
        None => entry("frame", family.frame, out)?,
    }
    writeln!(out, "\ngeometry")?;
    part::print(&geometry::parts(robot), out)?;
    if about::ways(robot).is_some() {
        entry("  working mode", &format!("{} {}", about::bending(robot), robot.working_mode()), out)?;
    }
    let masses = masses::bodies(robot);
    if masses.is_empty() {
        writeln!(out)?;
        entry("masses", "not given, so there are no torques", out)?;
    } else {
        writeln!(out, "\nmasses")?;
        part::print(&masses, out)?;
        part::print(&[masses::gravity(robot)], out)?;
    }
    for (title, parts) in masses::motors(robot) {
        writeln!(out, "\n{title}")?;
        part::print(&parts, out)?;
    }
    writeln!(out)?;
    for (title, text) in masses::limits(robot) {
        entry(title, &text, out)?;
    }
    if let Some((low, high, radius)) = robot.reach() {
        let reach = format!(
            "z {} to {} mm on the axis, up to {} mm from the axis",
            short(low * 1e3),
            short(high * 1e3),
            short(radius * 1e3)
        );
        entry("reach", &reach, out)?;
    }
    home(robot, &schema, out)
}

/// "3 that turn"; "6: 3 turn, 3 slide".
fn motors(robot: &AnyRobot, schema: &CoordinateSchema) -> String {
    let count = schema.motor_count();
    match schema.motor_motion() {
        MotorMotion::Turn => format!("{count} that turn"),
        MotorMotion::Slide => format!("{count} that slide"),
        MotorMotion::Both => format!("{count}: {}", super::robots::motors(robot)),
    }
}

/// A name and its text, wrapped beside it.
fn entry(name: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines = wrap(text, WIDTH - NAME);
    for (i, line) in lines.iter().enumerate() {
        writeln!(out, "{:<NAME$}{line}", if i == 0 { name } else { "" })?;
    }
    Ok(())
}

fn convention(robot: &AnyRobot, delta: &DeltaDescription) -> String {
    let description = robot.description();
    let frame = &delta.frame;
    let own = description.convention == Convention::Legwork;
    let system = if own { "its own" } else { description.convention.row().system };
    let turn = if frame.angle_sign < 0.0 { "up" } else { "down" };
    format!(
        "{} ({system}): z up, the motors at z = {} mm; angle {} deg is the arm horizontal, positive {turn}",
        description.convention.name(),
        short(frame.z_offset * 1e3),
        short(frame.angle_zero.to_degrees())
    )
}

fn home(robot: &AnyRobot, schema: &CoordinateSchema, out: &mut dyn Write) -> io::Result<()> {
    let chosen = match (home_is_given(robot), robot.reach()) {
        (true, _) => "",
        (false, Some(_)) => ", chosen in the middle of the reach",
        (false, None) => ", chosen as the file gives none",
    };
    entry("home", &format!("{}{chosen}", schema.place(&robot.home())), out)?;
    match at_home(robot) {
        Some(state) => {
            let (values, effort) = match schema.motor_motion() {
                MotorMotion::Turn => ("  motor angles", "  holding torque"),
                MotorMotion::Slide => ("  positions", "  holding force"),
                MotorMotion::Both => ("  joints", "  holding effort"),
            };
            let list = |numbers: &[f64], unit: String| format!("({}) {unit}", short_list(numbers));
            entry(
                values,
                &list(&schema.in_degrees_and_millimetres(&state.q), schema.either("deg", "mm")),
                out,
            )?;
            if let Some(dynamics) = &state.dynamics {
                let torque = list(&dynamics.gravity, schema.either("N m", "N"));
                entry(effort, &format!("{torque} against gravity"), out)?;
            }
            writeln!(out, "{}", scale(robot, " there"))?;
            for (name, text) in singularity(robot, &state.singularity) {
                entry(&format!("  {name}"), &text, out)?;
            }
            if let Some((title, picture)) = sketch::at_home(robot, &state) {
                writeln!(out, "\n{title}\n\n{picture}")?;
            }
        }
        None => writeln!(out, "  home is singular: speeds and torques have no answer there")?,
    }
    Ok(())
}

/// The parts of a robot as JSON.
fn json_of(parts: &[Part]) -> serde_json::Value {
    serde_json::Value::Object(parts.iter().map(|part| (part.key.to_owned(), part.value.json())).collect())
}

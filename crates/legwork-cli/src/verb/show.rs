//! `legwork show`: what a robot is.

use super::robots::family;
use super::state::singularity;
use super::{degrees, limits, millimetres, open, user_limits};
use crate::args::ShowArgs;
use crate::failure::{Failure, Message};
use crate::table::{short, short_list, wrap};
use crate::{Outcome, json, sketch};
use legwork::description::{BUILT_IN, Convention, Elbow};
use legwork::{AnyRobot, PlatformState, State};
use serde_json::{Value, json};
use std::io::{self, Write};

/// Width of a line of text, and of the names before it.
const WIDTH: usize = 80;
const NAME: usize = 18;

pub fn run(args: &ShowArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    if args.toml {
        out.write_all(&file(&args.robot)?)?;
    } else if as_json {
        json::print(&object(&robot), out)?;
    } else {
        print(&robot, out)?;
    }
    Ok(Outcome::Done)
}

/// The bytes of a robot file.
fn file(robot: &str) -> Result<Vec<u8>, Failure> {
    if let Some(built_in) = BUILT_IN.iter().find(|built_in| built_in.name == robot) {
        return Ok(built_in.text.into());
    }
    std::fs::read(robot).map_err(|error| Message::new(format!("`{robot}` cannot be read: {error}")).into())
}

/// The robot at rest where it rests; `None` in a singular home.
fn at_home(robot: &AnyRobot) -> Option<State> {
    robot.state(&PlatformState::at(robot.home())).ok()
}

fn print(robot: &AnyRobot, out: &mut dyn Write) -> io::Result<()> {
    let description = robot.description();
    let freedoms: Vec<_> = robot.freedoms().iter().map(|freedom| freedom.coordinate).collect();
    let motors = robot.joints().len();
    writeln!(
        out,
        "{}: a {} robot, {motors} motors, {} freedoms ({})\n",
        robot.name(),
        family(description.family),
        freedoms.len(),
        freedoms.join(", ")
    )?;
    let unknown = "not given".to_owned();
    entry("source", description.source.as_ref().unwrap_or(&unknown), out)?;
    if let Some(note) = &description.note {
        entry("note", note, out)?;
    }
    entry("convention", &convention(robot), out)?;

    let g = &description.geometry;
    writeln!(out, "\ngeometry")?;
    for (name, length) in [
        ("base radius", g.base_radius),
        ("platform radius", g.platform_radius),
        ("arm", g.arm),
        ("forearm", g.forearm),
    ] {
        entry(&format!("  {name}"), &format!("{} mm", short(length * 1e3)), out)?;
    }
    entry("  legs", &format!("{}, elbows {}", directions(g.azimuth), elbows(description.working_mode)), out)?;
    masses(robot, out)?;
    motor(robot, out)?;
    entry("motor angles", &limits(robot).unwrap_or_else(|| "no limits given".into()), out)?;

    let (low, high, radius) = robot.reach();
    let reach = format!(
        "z {} to {} mm on the axis, up to {} mm from the axis",
        short(low * 1e3),
        short(high * 1e3),
        short(radius * 1e3)
    );
    entry("reach", &reach, out)?;
    home(robot, out)
}

/// A name and its text, wrapped beside it.
fn entry(name: &str, text: &str, out: &mut dyn Write) -> io::Result<()> {
    let lines = wrap(text, WIDTH - NAME);
    for (i, line) in lines.iter().enumerate() {
        writeln!(out, "{:<NAME$}{line}", if i == 0 { name } else { "" })?;
    }
    Ok(())
}

fn convention(robot: &AnyRobot) -> String {
    let description = robot.description();
    let frame = &description.frame;
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

fn directions(azimuth: [f64; 3]) -> String {
    let angles = azimuth.map(f64::to_degrees);
    format!("at {} deg from +x", short_list(&angles))
}

fn elbows(mode: [Elbow; 3]) -> String {
    mode.map(|elbow| if elbow == Elbow::Out { "out" } else { "in" }).join("-")
}

fn masses(robot: &AnyRobot, out: &mut dyn Write) -> io::Result<()> {
    let Some(m) = &robot.description().mass else {
        return writeln!(out, "\n{:<NAME$}not given, so there are no torques", "masses");
    };
    let bar = |mass: f64, centre: f64, from: &str, inertia: f64| {
        format!(
            "{} kg, centre {} mm from the {from}, {} kg m^2 about it",
            short(mass),
            short(centre * 1e3),
            short(inertia)
        )
    };
    writeln!(out, "\nmasses")?;
    let payload =
        if m.payload == 0.0 { "no payload".into() } else { format!("a payload of {} kg", short(m.payload)) };
    entry("  platform", &format!("{} kg and {payload}", short(m.platform)), out)?;
    entry("  arm", &bar(m.arm, m.arm_centre, "motor", m.arm_inertia), out)?;
    entry("  elbow", &format!("{} kg", short(m.elbow)), out)?;
    entry("  forearm", &bar(m.forearm, m.forearm_centre, "elbow", m.forearm_inertia), out)?;
    entry("  gravity", &format!("{} m/s^2", short(robot.description().gravity)), out)
}

fn motor(robot: &AnyRobot, out: &mut dyn Write) -> io::Result<()> {
    let m = &robot.description().motor;
    writeln!(out, "\nmotor, as the arm feels it")?;
    let ratio = short(m.gear_ratio);
    let parts = if m.inertia_at_arm() == 0.0 {
        format!("not given, gear ratio {ratio}")
    } else {
        format!(
            "{} kg m^2: rotor {} and gear {} kg m^2, gear ratio {ratio}",
            short(m.inertia_at_arm()),
            short(m.rotor_inertia),
            short(m.gear_inertia)
        )
    };
    entry("  inertia", &parts, out)?;
    if m.viscous_friction != 0.0 || m.coulomb_friction != 0.0 {
        let friction = format!(
            "viscous {} N m s/rad, Coulomb {} N m",
            short(m.viscous_friction),
            short(m.coulomb_friction)
        );
        entry("  friction", &friction, out)?;
    }
    if let Some(torque) = m.max_torque {
        entry("  max_torque", &format!("{} N m", short(torque)), out)?;
    }
    if let Some(speed) = m.max_speed {
        entry("  max_speed", &format!("{} rad/s", short(speed)), out)?;
    }
    writeln!(out)
}

fn home(robot: &AnyRobot, out: &mut dyn Write) -> io::Result<()> {
    let chosen = if robot.description().home.is_some() { "" } else { ", chosen in the middle of the reach" };
    entry("home", &format!("{}{chosen}", millimetres(robot.home())), out)?;
    match at_home(robot) {
        Some(state) => {
            entry("  motor angles", &degrees(&state.q), out)?;
            if let Some(dynamics) = &state.dynamics {
                let torque = short_list(&dynamics.gravity);
                entry("  holding torque", &format!("({torque}) N m against gravity"), out)?;
            }
            writeln!(out, "distance to singularities there: 0 singular, 1 the best there is")?;
            for (name, text) in singularity(&state.singularity) {
                entry(&format!("  {name}"), &text, out)?;
            }
        }
        None => writeln!(out, "  home is singular: speeds and torques have no answer there")?,
    }
    if let Some(sketch) = sketch::leg_at_home(robot) {
        writeln!(out, "\nleg 1 at home, from the side\n\n{sketch}")?;
    }
    Ok(())
}

fn object(robot: &AnyRobot) -> Value {
    let description = robot.description();
    let (low, high, radius) = robot.reach();
    let (g, m) = (&description.geometry, &description.motor);
    let [angle_min, angle_max] = user_limits(robot);
    let home = at_home(robot).map_or_else(
        || json!({ "position": robot.home(), "singular": true }),
        |state| {
            json!({
                "position": robot.home(),
                "given": description.home.is_some(),
                "q": state.q,
                "gravity_torque": state.dynamics.map(|dynamics| dynamics.gravity),
                "serial": state.singularity.serial,
                "parallel": state.singularity.parallel,
                "condition": state.singularity.condition,
            })
        },
    );
    json!({
        "name": robot.name(),
        "family": family(description.family),
        "source": description.source,
        "note": description.note,
        "convention": {
            "name": description.convention.name(),
            "motor_height": description.frame.z_offset,
            "angle_sign": description.frame.angle_sign,
            "angle_zero": description.frame.angle_zero,
        },
        "motors": robot.joints(),
        "freedoms": robot.freedoms().iter().map(|freedom| freedom.coordinate).collect::<Vec<_>>(),
        "working_mode": elbows(description.working_mode),
        "geometry": {
            "base_radius": g.base_radius,
            "platform_radius": g.platform_radius,
            "arm": g.arm,
            "forearm": g.forearm,
            "azimuth": g.azimuth,
        },
        "mass": description.mass.map(|mass| json!({
            "platform": mass.platform,
            "payload": mass.payload,
            "arm": mass.arm,
            "arm_centre": mass.arm_centre,
            "arm_inertia": mass.arm_inertia,
            "elbow": mass.elbow,
            "forearm": mass.forearm,
            "forearm_centre": mass.forearm_centre,
            "forearm_inertia": mass.forearm_inertia,
        })),
        "gravity": description.gravity,
        "motor": {
            "inertia_at_arm": m.inertia_at_arm(),
            "rotor_inertia": m.rotor_inertia,
            "gear_inertia": m.gear_inertia,
            "gear_ratio": m.gear_ratio,
            "viscous_friction": m.viscous_friction,
            "coulomb_friction": m.coulomb_friction,
            "max_torque": m.max_torque,
            "max_speed": m.max_speed,
        },
        "limits": { "angle_min": angle_min, "angle_max": angle_max },
        "reach": { "z_lowest": low, "z_highest": high, "radius": radius },
        "home": home,
        "units": {
            "length": "m",
            "angle": "rad",
            "mass": "kg",
            "inertia": "kg m^2",
            "torque": "N m",
            "speed": "rad/s",
            "viscous_friction": "N m s/rad",
            "gravity": "m/s^2",
        },
    })
}

//! What was read as the text of a robot file.

use super::builder::{Builder, ReadJoint};
use super::markup::number;
use super::reading::short;
use super::{Dialect, ExchangeError, ImportOptions, Imported};
use crate::description::{RobotDescription, nearest_word};
use crate::mechanism::JointType;
use crate::{AnyRobot, V3};
use legwork_core::engine::Pose;
use std::collections::BTreeSet;
use std::fmt::Write;

/// Names that mean the platform in most files.
const PLATFORMS: [&str; 9] =
    ["moving_platform", "platform", "end_effector", "endeffector", "effector", "tool", "tcp", "plate", "ee"];

fn list(values: &[f64]) -> String {
    format!("[{}]", values.iter().map(|value| number(*value)).collect::<Vec<_>>().join(", "))
}

fn rows(pose: &Pose<f64>) -> String {
    let rows = pose.rotation.to_rows();
    format!("[{}]", rows.map(|row| list(&row)).join(", "))
}

/// A text of TOML on one line.
fn quoted(text: &str) -> String {
    let plain: String =
        text.chars().map(|c| if c.is_control() || c == '"' || c == '\\' { '_' } else { c }).collect();
    format!("\"{plain}\"")
}

/// Names of bodies or joints, each there once.
fn unique(names: impl Iterator<Item = String>, taken: &[&str]) -> Vec<String> {
    let mut seen: BTreeSet<String> = taken.iter().map(|name| (*name).to_owned()).collect();
    let mut all = Vec::new();
    for name in names {
        let name = if name.trim().is_empty() { "unnamed".to_owned() } else { name };
        let mut own = name.clone();
        let mut k = 2;
        while !seen.insert(own.clone()) {
            own = format!("{name}_{k}");
            k += 1;
        }
        all.push(own);
    }
    all
}

/// The body that is the platform, and its point.
fn platform(
    builder: &Builder,
    names: &[String],
    (file, options): (&str, &ImportOptions),
) -> Result<(usize, Pose<f64>), ExchangeError> {
    let at = |(body, frame): (Option<usize>, Pose<f64>)| body.map(|body| (body, frame));
    if let Some(name) = &options.platform {
        let named = names.iter().position(|own| own == name).map(|body| (body, Pose::identity()));
        let named = builder.places.get(name).copied().and_then(at).or(named);
        return named.ok_or_else(|| {
            let nearest = nearest_word(name, builder.places.keys().map(String::as_str));
            ExchangeError::Whole {
                file: file.into(),
                what: format!("there is no body `{}` that moves", short(name)),
                hint: Some(nearest.map_or_else(
                    || format!("it has {}", names.join(", ")),
                    |word| format!("did you mean `{word}`?"),
                )),
            }
        });
    }
    if let Some(found) = builder.platform.and_then(at) {
        return Ok(found);
    }
    for word in PLATFORMS {
        let is_it = |name: &&String| {
            let lower = name.to_lowercase();
            lower == word || (word.len() > 3 && lower.ends_with(word))
        };
        if let Some(found) = builder.places.keys().find(is_it).and_then(|name| at(builder.places[name])) {
            return Ok(found);
        }
    }
    Err(ExchangeError::Whole {
        file: file.into(),
        what: "nothing says which body is the platform".into(),
        hint: Some(format!("say it with `--platform NAME`; it has {}", names.join(", "))),
    })
}

/// Gives a body the axes of a frame in it; where the origin of that frame then is.
fn turned(builder: &mut Builder, place: usize, frame: &Pose<f64>) -> V3<f64> {
    let turn = Pose::new(frame.rotation, V3::zero());
    let back = turn.inverse();
    if let Some(body) = builder.bodies.get_mut(place) {
        body.body = body.body.seen_from(&back);
        body.home = body.home * turn;
    }
    for joint in &mut builder.joints {
        for (end, own) in joint.ends.iter().zip(&mut joint.frames) {
            if *end == Some(place) {
                *own = back * *own;
            }
        }
    }
    back.of(frame.position)
}

/// The robot file, checked by making the robot.
pub(super) fn finish(
    mut builder: Builder,
    dialect: Dialect,
    file: &str,
    options: &ImportOptions,
) -> Result<Imported, ExchangeError> {
    builder.close_meetings(file)?;
    let whole = |what: &str, hint: &str| ExchangeError::Whole {
        file: file.into(),
        what: what.into(),
        hint: Some(hint.into()),
    };
    if builder.bodies.is_empty() {
        return Err(whole("nothing in it moves", "a robot has bodies with joints"));
    }
    for (order, name) in options.motors.iter().enumerate() {
        let Some(joint) = builder.joints.iter_mut().find(|joint| joint.name == *name) else {
            let names: Vec<&str> = builder.joints.iter().map(|joint| joint.name.as_str()).collect();
            let hint = nearest_word(name, names.iter().copied()).map_or_else(
                || format!("it has {}", names.join(", ")),
                |word| format!("did you mean `{word}`?"),
            );
            return Err(whole(&format!("there is no joint `{}`", short(name)), &hint));
        };
        let motor = joint.motor.get_or_insert(super::builder::ReadMotor {
            gear: 1.0,
            max_effort: None,
            max_speed: None,
            order,
        });
        motor.order = order;
    }
    if !options.motors.is_empty() {
        for joint in &mut builder.joints {
            if !options.motors.contains(&joint.name) {
                joint.motor = None;
            }
        }
    }
    if !builder.joints.iter().any(|joint| joint.motor.is_some()) {
        return Err(whole("no joint has a motor", "say which have one with `--motors NAME,NAME,...`"));
    }
    let bodies = unique(builder.bodies.iter().map(|body| body.name.clone()), &["base", "world", "ground"]);
    let (place, frame) = platform(&builder, &bodies, (file, options))?;
    let point = turned(&mut builder, place, &frame);
    let mut joints: Vec<&ReadJoint> = builder.joints.iter().collect();
    joints.sort_by_key(|joint| joint.motor.map_or(usize::MAX, |motor| motor.order));
    let names = unique(joints.iter().map(|joint| joint.name.clone()), &[]);

    let mut text = format!("# From the {} file {}.\n", dialect.title(), quoted(file).trim_matches('"'));
    for note in &builder.notes {
        let _ = writeln!(text, "# {}", quoted(note).trim_matches('"'));
    }
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key} = {value}");
    };
    line("name", &quoted(&builder.name));
    line("family", "\"mechanism\"");
    line("source", &quoted(&format!("{} file {file}", dialect.title())));
    line("platform", &quoted(&bodies[place]));
    line("platform_point", &list(&point.to_array()));
    if !builder.freedoms.is_empty() {
        let words: Vec<String> = builder.freedoms.iter().map(|word| quoted(word)).collect();
        line("freedoms", &format!("[{}]", words.join(", ")));
    }
    let g = builder.gravity.norm_sq().sqrt();
    line("gravity", &number(g));
    if g > 0.0 {
        line("gravity_direction", &list(&(builder.gravity * (1.0 / g)).to_array()));
    }
    for (body, name) in builder.bodies.iter().zip(&bodies) {
        let _ = writeln!(text, "\n[[body]]\nname = {}", quoted(name));
        let own = &body.body;
        if own.mass > 0.0 {
            let ([xx, yy, zz], [yz, xz, xy]) = (own.inertia.diagonal.to_array(), own.inertia.off.to_array());
            let inertia =
                format!("[{}, {}, {}]", list(&[xx, xy, xz]), list(&[xy, yy, yz]), list(&[xz, yz, zz]));
            let _ = writeln!(
                text,
                "mass = {}\ncentre = {}\ninertia = {inertia}",
                number(own.mass),
                list(&own.centre.to_array())
            );
        }
        let position = list(&body.home.position.to_array());
        let _ = writeln!(text, "position = {position}\nrotation = {}", rows(&body.home));
    }
    let side = |body: Option<usize>| body.and_then(|body| bodies.get(body)).map_or("base", String::as_str);
    for (joint, name) in joints.iter().zip(&names) {
        write_joint(&mut text, joint, name, joint.ends.map(side));
    }
    let description = RobotDescription::parse(&text, "imported.toml")
        .map_err(|error| ExchangeError::Description { dialect, error: Box::new(error) })?;
    AnyRobot::new(description).map_err(|error| ExchangeError::NoRobot { dialect, error: Box::new(error) })?;
    Ok(Imported { dialect, robot_file: text, notes: builder.notes })
}

fn write_joint(text: &mut String, joint: &ReadJoint, name: &str, [parent, child]: [&str; 2]) {
    let _ = writeln!(
        text,
        "\n[[joint]]\nname = {}\ntype = \"{}\"\nparent = {}\nchild = {}",
        quoted(name),
        joint.kind.name(),
        quoted(parent),
        quoted(child)
    );
    let turns = joint.kind == JointType::Revolute;
    let mut line = |key: &str, value: f64| {
        let _ = writeln!(text, "{key} = {}", number(value));
    };
    if turns || joint.kind == JointType::Prismatic {
        for (key, value) in [("min", joint.min), ("max", joint.max)] {
            if let Some(value) = value {
                line(key, value);
            }
        }
        let drive = [
            ("actuator_inertia", joint.drive.inertia),
            ("viscous_friction", joint.drive.viscous),
            ("coulomb_friction", joint.drive.coulomb),
        ];
        for (key, value) in drive.into_iter().filter(|(_, value)| *value > 0.0) {
            line(key, value);
        }
        if let Some(motor) = joint.motor {
            if turns && (motor.gear - 1.0).abs() > 0.0 {
                line("gear_ratio", motor.gear);
            }
            let limits = if turns {
                [("joint_torque", motor.max_effort), ("joint_speed", motor.max_speed)]
            } else {
                [("max_force", motor.max_effort), ("max_speed", motor.max_speed)]
            };
            for (key, value) in limits {
                if let Some(value) = value {
                    line(key, value);
                }
            }
            text.push_str("active = true\n");
        }
    }
    for (key, frame) in ["parent_frame", "child_frame"].iter().zip(joint.frames) {
        let position = list(&frame.position.to_array());
        let _ = writeln!(text, "{key} = {{ position = {position}, rotation = {} }}", rows(&frame));
    }
}

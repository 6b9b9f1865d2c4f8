//! A robot in URDF: a tree of links, and its loops in two ways.
//!
//! The sidecar is the YAML file that Gepetto's toolbox for parallel robots reads beside the URDF: pairs of frames, `3d`
//! where two points meet and `6d` where two frames do, and the names of the driven joints. The frames are links without
//! mass on fixed joints. In the URDF itself each loop is a `<constraint>` as proposed to urdfdom in 2026 (pull request
//! 264): parsers of today pass over it. Its types are `spherical` and `fixed`.

use super::super::markup::{Markup, angles, number, vector};
use super::super::plain::{Plain, PlainLink};
use super::super::shapes::{Shape, radius, shapes};
use super::super::tree::{ClosingKind, Motion, Tree};
use super::BASE;
use legwork_core::V3;
use legwork_core::engine::Pose;
use std::fmt::Write;

/// The URDF and the sidecar.
pub(in super::super) fn write(tree: &Tree) -> [String; 2] {
    let plain = Plain::of(tree);
    let mut out = Markup::new();
    out.comment(&format!("Made by legwork {} of the robot `{}`.", env!("CARGO_PKG_VERSION"), tree.name));
    for note in &tree.notes {
        out.comment(note);
    }
    out.comment("URDF has no gravity: that of the robot is in the sidecar, as are the rotors on the joints.");
    out.open("robot", &[("name", &tree.name)]);
    out.leaf("link", &[("name", BASE)]);
    for link in &plain.links {
        one(&mut out, tree, &plain, link);
    }
    let point = plain.at(Some(tree.platform.0), Pose::translation(tree.platform.1));
    frame(&mut out, &plain, "platform_point", point);
    for closing in &tree.closings {
        let ends = closing.ends.map(|(link, place)| plain.at(link, place));
        for (side, end) in ["a", "b"].iter().zip(ends) {
            frame(&mut out, &plain, &format!("{}_{side}", closing.name), end);
        }
        let word = match closing.kind {
            ClosingKind::Point => "spherical",
            ClosingKind::Weld => "fixed",
        };
        out.open("constraint", &[("name", &closing.name), ("type", word)]);
        for (word, (link, place)) in ["parent", "child"].iter().zip(ends) {
            out.leaf(word, &[("link", plain.name(link, BASE))]);
            out.leaf(
                &format!("{word}_origin"),
                &[("xyz", &vector(place.position)), ("rpy", &angles(&place))],
            );
        }
        out.close("constraint");
    }
    for motor in &tree.motors {
        let name = format!("transmission_{}", motor.joint);
        out.open("transmission", &[("name", &name)]);
        out.text("type", &[], "transmission_interface/SimpleTransmission");
        out.open("joint", &[("name", &motor.joint)]);
        out.text("hardwareInterface", &[], "hardware_interface/EffortJointInterface");
        out.close("joint");
        out.open("actuator", &[("name", &format!("motor_{}", motor.joint))]);
        out.text("mechanicalReduction", &[], &number(motor.gear));
        out.close("actuator");
        out.close("transmission");
    }
    out.close("robot");
    [format!("<?xml version=\"1.0\"?>\n{}", out.finish()), sidecar(tree)]
}

/// A frame as a link without mass on a fixed joint.
fn frame(out: &mut Markup, plain: &Plain, name: &str, (link, place): (Option<usize>, Pose<f64>)) {
    out.leaf("link", &[("name", name)]);
    out.open("joint", &[("name", &format!("{name}_fixed")), ("type", "fixed")]);
    origin(out, &place);
    out.leaf("parent", &[("link", plain.name(link, BASE))]);
    out.leaf("child", &[("link", name)]);
    out.close("joint");
}

fn origin(out: &mut Markup, place: &Pose<f64>) {
    out.leaf("origin", &[("xyz", &vector(place.position)), ("rpy", &angles(place))]);
}

fn one(out: &mut Markup, tree: &Tree, plain: &Plain, link: &PlainLink) {
    out.open("link", &[("name", &link.name)]);
    if link.body.mass > 0.0 {
        out.open("inertial", &[]);
        origin(out, &Pose::translation(link.body.centre));
        out.leaf("mass", &[("value", &number(link.body.mass))]);
        let i = link.body.inertia;
        let ([xx, yy, zz], [yz, xz, xy]) = (i.diagonal.to_array(), i.off.to_array());
        let values = [("ixx", xx), ("ixy", xy), ("ixz", xz), ("iyy", yy), ("iyz", yz), ("izz", zz)];
        let values = values.map(|(key, value)| (key, number(value)));
        out.leaf("inertia", &values.each_ref().map(|(key, value)| (*key, value.as_str())));
        out.close("inertial");
    }
    if let Some((place, own)) = link.source
        && let Some(source) = tree.links.get(place)
    {
        let size = radius(tree);
        for shape in shapes(tree, place, source) {
            out.open("visual", &[]);
            match shape {
                Shape::Cylinder { middle, half } => {
                    origin(out, &(own * middle));
                    out.open("geometry", &[]);
                    out.leaf("cylinder", &[("radius", &number(size)), ("length", &number(2.0 * half))]);
                }
                Shape::Ball { centre } => {
                    origin(out, &Pose::translation(own.of(centre)));
                    out.open("geometry", &[]);
                    out.leaf("sphere", &[("radius", &number(1.5 * size))]);
                }
            }
            out.close("geometry");
            out.close("visual");
        }
    }
    out.close("link");
    let parent = plain.name(link.parent, BASE);
    let Some(joint) = &link.joint else {
        out.open("joint", &[("name", &format!("{}_fixed", link.name)), ("type", "fixed")]);
        origin(out, &link.origin);
        out.leaf("parent", &[("link", parent)]);
        out.leaf("child", &[("link", &link.name)]);
        out.close("joint");
        return;
    };
    let (axis, slides) = match joint.motion {
        Motion::Turn(axis) => (axis, false),
        Motion::Slide(axis) => (axis, true),
        Motion::Ball { .. } => (V3::along_z(1.0), false),
    };
    let motor = joint.motor.and_then(|motor| tree.motors.get(motor));
    let limited = joint.min.is_some() && joint.max.is_some();
    let kind = if slides {
        "prismatic"
    } else if limited {
        "revolute"
    } else {
        "continuous"
    };
    out.open("joint", &[("name", &joint.name), ("type", kind)]);
    origin(out, &link.origin);
    out.leaf("parent", &[("link", parent)]);
    out.leaf("child", &[("link", &link.name)]);
    out.leaf("axis", &[("xyz", &vector(axis))]);
    if joint.drive.viscous > 0.0 || joint.drive.coulomb > 0.0 {
        let (damping, friction) = (number(joint.drive.viscous), number(joint.drive.coulomb));
        out.leaf("dynamics", &[("damping", &damping), ("friction", &friction)]);
    }
    // What is no limit is a large number: a prismatic joint must have them all.
    let effort =
        if motor.is_some() { motor.and_then(|motor| motor.max_effort).unwrap_or(super::FAR) } else { 0.0 };
    let velocity = motor.and_then(|motor| motor.max_speed).unwrap_or(super::FAR);
    let mut values = vec![("effort", number(effort)), ("velocity", number(velocity))];
    if slides || limited {
        values.push(("lower", number(joint.min.unwrap_or(-super::FAR))));
        values.push(("upper", number(joint.max.unwrap_or(super::FAR))));
    }
    let values: Vec<(&str, &str)> = values.iter().map(|(key, value)| (*key, value.as_str())).collect();
    out.leaf("limit", &values);
    out.close("joint");
}

/// A list of YAML.
fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn sidecar(tree: &Tree) -> String {
    let quoted = |name: &str| format!("'{name}'");
    let pairs = tree.closings.iter().map(|closing| format!("['{0}_a', '{0}_b']", closing.name));
    let kinds = tree.closings.iter().map(|closing| match closing.kind {
        ClosingKind::Point => quoted("3d"),
        ClosingKind::Weld => quoted("6d"),
    });
    let motors = tree.motors.iter().map(|motor| quoted(&motor.joint));
    let mut text = format!(
        "# Loops of {}.urdf for Gepetto's toolbox for parallel robots: pairs of frames, and how they meet.\n",
        tree.name
    );
    let _ = write!(text, "closed_loop: {}\ntype: {}\nname_mot: {}\n", list(pairs), list(kinds), list(motors));
    text.push_str("# What URDF cannot say, for legwork and for scripts: SI units.\n");
    let mut line = |key: &str, value: &str| {
        let _ = writeln!(text, "{key}: {value}"); // a string takes everything
    };
    line("gravity", &list(tree.gravity.to_array().into_iter().map(number_of_yaml)));
    line("platform", &quoted(tree.link_name(Some(tree.platform.0))));
    line("freedoms", &list(tree.freedoms.iter().map(|word| quoted(word))));
    let with_rotor = tree.joints().filter(|joint| joint.drive.inertia > 0.0);
    line(
        "armature",
        &format!("{{{}}}", pairs_of(with_rotor.map(|joint| (&joint.name, joint.drive.inertia)))),
    );
    let driven = tree.motors.iter().map(|motor| (&motor.joint, motor.gear));
    line("gear", &format!("{{{}}}", pairs_of(driven)));
    let home = Plain::of(tree);
    let home =
        home.links.iter().filter_map(|link| link.joint.as_ref()).map(|joint| (&joint.name, joint.home));
    line("home", &format!("{{{}}}", pairs_of(home)));
    text
}

fn pairs_of<'a>(pairs: impl Iterator<Item = (&'a String, f64)>) -> String {
    pairs.map(|(name, value)| format!("'{name}': {}", number_of_yaml(value))).collect::<Vec<_>>().join(", ")
}

/// YAML 1.1 reads `1e-3` as a text.
fn number_of_yaml(value: f64) -> String {
    let text = number(value);
    match text.split_once('e') {
        Some((digits, power)) if !digits.contains('.') => format!("{digits}.0e{}", signed(power)),
        Some((digits, power)) => format!("{digits}e{}", signed(power)),
        None => text,
    }
}

fn signed(power: &str) -> String {
    if power.starts_with('-') { power.to_owned() } else { format!("+{power}") }
}

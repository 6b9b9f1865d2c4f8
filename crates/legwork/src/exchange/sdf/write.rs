//! A robot in SDF for Drake: joints of one freedom, loops as Drake's ball constraints.
//!
//! A weld is three ball constraints at three points that are not in a line.

use super::super::markup::{Markup, angles, number, vector};
use super::super::plain::{Plain, PlainLink};
use super::super::shapes::{Shape, radius, shapes};
use super::super::tree::{ClosingKind, Motion, Tree, TreeJoint, axis};
use super::{GROUND, PLATFORM, SPACE};
use legwork_core::engine::Pose;

pub(in super::super) fn write(tree: &Tree) -> String {
    let plain = Plain::of(tree);
    let mut out = Markup::new();
    out.comment(&format!("Made by legwork {} of the robot `{}`.", env!("CARGO_PKG_VERSION"), tree.name));
    for note in &tree.notes {
        out.comment(note);
    }
    out.open("sdf", &[("version", "1.9"), ("xmlns:drake", "drake"), ("xmlns:legwork", SPACE)]);
    out.comment("The gravity of the robot stands in legwork:robot; a model of SDF has none, and Drake's is 9.81 downward.");
    out.open("model", &[("name", &tree.name)]);
    let motors: Vec<&str> = tree.motors.iter().map(|motor| motor.joint.as_str()).collect();
    out.leaf(
        "legwork:robot",
        &[
            ("motors", &motors.join(" ")),
            ("freedoms", &tree.freedoms.join(" ")),
            ("gravity", &vector(tree.gravity)),
            ("home", &listed(&plain, |joint| Some(joint.home))),
            // What turns with a joint that no motor drives.
            (
                "armature",
                &listed(&plain, |joint| {
                    (joint.motor.is_none() && joint.drive.inertia > 0.0).then_some(joint.drive.inertia)
                }),
            ),
        ],
    );
    // Constraints know no world.
    if tree.closings.iter().flat_map(|closing| &closing.ends).any(|(link, _)| link.is_none()) {
        out.leaf("link", &[("name", GROUND)]);
        out.open("joint", &[("name", "base_fixed"), ("type", "fixed")]);
        out.text("parent", &[], "world");
        out.text("child", &[], GROUND);
        out.close("joint");
    }
    for one in &plain.links {
        write_link(&mut out, tree, &plain, one);
    }
    let (link, place) = plain.at(Some(tree.platform.0), Pose::translation(tree.platform.1));
    out.open("frame", &[("name", PLATFORM), ("attached_to", plain.name(link, "world"))]);
    out.text("pose", &[], &pose(&place));
    out.close("frame");
    for closing in &tree.closings {
        let points: Vec<_> = match closing.kind {
            ClosingKind::Point => vec![legwork_core::V3::zero()],
            ClosingKind::Weld => (0..3).map(|k| axis(k) * (0.1 * tree.length)).collect(),
        };
        let ends = closing.ends.map(|(link, place)| plain.at(link, place));
        for point in points {
            out.open("drake:ball_constraint", &[]);
            for (word, (link, _)) in ["A", "B"].iter().zip(ends) {
                out.text(&format!("drake:ball_constraint_body_{word}"), &[], plain.name(link, GROUND));
            }
            for (word, (_, place)) in ["AP", "BQ"].iter().zip(ends) {
                out.text(&format!("drake:ball_constraint_p_{word}"), &[], &vector(place.of(point)));
            }
            out.close("drake:ball_constraint");
        }
    }
    out.close("model");
    out.close("sdf");
    format!("<?xml version=\"1.0\"?>\n{}", out.finish())
}

/// Names of joints, each with a number.
fn listed(plain: &Plain, value: impl Fn(&TreeJoint) -> Option<f64>) -> String {
    let joints = plain.links.iter().filter_map(|link| link.joint.as_ref());
    let pairs =
        joints.filter_map(|joint| value(joint).map(|value| format!("{} {}", joint.name, number(value))));
    pairs.collect::<Vec<_>>().join(" ")
}

/// x y z roll pitch yaw
fn pose(place: &Pose<f64>) -> String {
    format!("{} {}", vector(place.position), angles(place))
}

fn write_link(out: &mut Markup, tree: &Tree, plain: &Plain, link: &PlainLink) {
    let parent = plain.name(link.parent, "world");
    let joint_name =
        link.joint.as_ref().map_or_else(|| format!("{}_fixed", link.name), |joint| joint.name.clone());
    out.open("link", &[("name", &link.name)]);
    let relative = if link.parent.is_some() { parent } else { "__model__" };
    out.text("pose", &[("relative_to", relative)], &pose(&link.origin));
    out.open("inertial", &[]);
    out.text("pose", &[], &pose(&Pose::translation(link.body.centre)));
    out.text("mass", &[], &number(link.body.mass));
    out.open("inertia", &[]);
    let i = link.body.inertia;
    let ([xx, yy, zz], [yz, xz, xy]) = (i.diagonal.to_array(), i.off.to_array());
    for (key, value) in [("ixx", xx), ("ixy", xy), ("ixz", xz), ("iyy", yy), ("iyz", yz), ("izz", zz)] {
        out.text(key, &[], &number(value));
    }
    out.close("inertia");
    out.close("inertial");
    if let Some((place, own)) = link.source
        && let Some(source) = tree.links.get(place)
    {
        let size = radius(tree);
        for (k, shape) in shapes(tree, place, source).into_iter().enumerate() {
            out.open("visual", &[("name", &format!("shape{}", k + 1))]);
            match shape {
                Shape::Cylinder { middle, half } => {
                    out.text("pose", &[], &pose(&(own * middle)));
                    out.open("geometry", &[]);
                    out.open("cylinder", &[]);
                    out.text("radius", &[], &number(size));
                    out.text("length", &[], &number(2.0 * half));
                    out.close("cylinder");
                }
                Shape::Ball { centre } => {
                    out.text("pose", &[], &pose(&Pose::translation(own.of(centre))));
                    out.open("geometry", &[]);
                    out.open("sphere", &[]);
                    out.text("radius", &[], &number(1.5 * size));
                    out.close("sphere");
                }
            }
            out.close("geometry");
            out.close("visual");
        }
    }
    out.close("link");
    let (kind, direction) = match link.joint.as_ref().map(|joint| joint.motion) {
        Some(Motion::Turn(axis)) => ("revolute", Some(axis)),
        Some(Motion::Slide(axis)) => ("prismatic", Some(axis)),
        _ => ("fixed", None),
    };
    out.open("joint", &[("name", &joint_name), ("type", kind)]);
    out.text("parent", &[], parent);
    out.text("child", &[], &link.name);
    if let (Some(direction), Some(joint)) = (direction, &link.joint) {
        let motor = joint.motor.and_then(|motor| tree.motors.get(motor));
        out.open("axis", &[]);
        out.text("xyz", &[], &vector(direction));
        out.open("limit", &[]);
        if let Some(min) = joint.min {
            out.text("lower", &[], &number(min));
        }
        if let Some(max) = joint.max {
            out.text("upper", &[], &number(max));
        }
        // Drake makes a motor where the effort is not zero; -1 is no limit.
        let effort =
            if motor.is_some() { motor.and_then(|motor| motor.max_effort).unwrap_or(-1.0) } else { 0.0 };
        out.text("effort", &[], &number(effort));
        if let Some(speed) = motor.and_then(|motor| motor.max_speed) {
            out.text("velocity", &[], &number(speed));
        }
        out.close("limit");
        if joint.drive.viscous > 0.0 || joint.drive.coulomb > 0.0 {
            out.open("dynamics", &[]);
            out.text("damping", &[], &number(joint.drive.viscous));
            out.text("friction", &[], &number(joint.drive.coulomb));
            out.close("dynamics");
        }
        out.close("axis");
        if let Some(motor) = motor {
            out.text("drake:rotor_inertia", &[], &number(motor.rotor));
            out.text("drake:gear_ratio", &[], &number(motor.gear));
        }
    }
    out.close("joint");
}

//! A robot in MJCF.
//!
//! MuJoCo wants mass and inertia of every body that moves. A body without mass that is a link of its own, and a thin
//! rod, which has no inertia about its length, get a trillionth of what is typical; `custom` says of which bodies, so
//! that legwork takes it off again.

use super::super::markup::{Markup, number, numbers, quaternion, vector};
use super::super::plain::turns;
use super::super::shapes::{Shape, radius, shapes};
use super::super::tree::{ClosingKind, Motion, Tree};
use super::{FLOOR, FREEDOMS, MASSLESS, PLATFORM, SITE};
use legwork_core::Real;
use legwork_core::engine::{Pose, RigidBody};

/// What a mass or an inertia is at least, in what is typical.
const LEAST: f64 = 1e-12;
/// What MuJoCo takes for nothing \[kg m²\].
const LIMIT: f64 = 2e-15;
/// Loops closed as stiffly as MuJoCo can.
const SOLVER: [(&str, &str); 2] = [("solref", "0.002 1"), ("solimp", "0.9999 0.9999 0.001 0.5 2")];
/// A limit that is none.
const FAR: f64 = 1e9;

/// What is written for a body, and what was put on its inertia.
struct Floored {
    body: RigidBody<f64>,
    is_massless: bool,
    added: f64,
}

/// A body that MuJoCo takes.
fn floored(tree: &Tree, link: usize) -> Floored {
    let body = tree.links.get(link).map_or_else(RigidBody::massless, |link| link.body);
    let total = tree.links.iter().map(|link| link.body.mass).fold(0.0, Real::max);
    let size = tree.length * tree.length;
    if body.mass <= 0.0 {
        // A robot without masses gets a gram everywhere.
        let mass = if total > 0.0 { LEAST * total } else { 1e-3 };
        let inertia = legwork_core::Sym3::scalar(mass * size);
        return Floored { body: RigidBody { mass, inertia, ..body }, is_massless: true, added: 0.0 };
    }
    let moments = body.principal_moments();
    let least = (LEAST * moments.x.max(0.01 * body.mass * size)).max(LIMIT);
    let is_thin = !(moments.z >= least && moments.y + moments.z >= moments.x);
    // On a disc or a plate two moments are the third; rounding must not make them less.
    let added = if is_thin { 2.0 * least } else { 0.0 };
    let inertia = body.inertia + legwork_core::Sym3::scalar(added);
    Floored { body: RigidBody { inertia, ..body }, is_massless: false, added }
}

pub(in super::super) fn write(tree: &Tree) -> String {
    let mut out = Markup::new();
    out.comment(&format!("Made by legwork {} of the robot `{}`.", env!("CARGO_PKG_VERSION"), tree.name));
    for note in &tree.notes {
        out.comment(note);
    }
    out.open("mujoco", &[("model", &tree.name)]);
    out.leaf(
        "compiler",
        &[
            ("angle", "radian"),
            ("balanceinertia", "false"),
            ("boundmass", "0"),
            ("boundinertia", "0"),
            ("autolimits", "true"),
        ],
    );
    out.leaf(
        "option",
        &[("gravity", &vector(tree.gravity)), ("timestep", "0.001"), ("integrator", "implicitfast")],
    );
    out.open("default", &[]);
    out.leaf(
        "geom",
        &[("contype", "0"), ("conaffinity", "0"), ("mass", "0"), ("group", "1"), ("rgba", "0.6 0.65 0.7 1")],
    );
    out.leaf("equality", &SOLVER);
    out.close("default");
    let bodies: Vec<Floored> = (0..tree.links.len()).map(|link| floored(tree, link)).collect();
    custom(&mut out, tree, &bodies);
    out.open("worldbody", &[]);
    sites(&mut out, tree, None);
    let mut home = Vec::new();
    for link in children(tree, None) {
        body(&mut out, tree, &bodies, link, &mut home);
    }
    out.close("worldbody");
    equality(&mut out, tree);
    actuators(&mut out, tree);
    out.open("keyframe", &[]);
    out.leaf("key", &[("name", "home"), ("qpos", &numbers(&home))]);
    out.close("keyframe");
    out.close("mujoco");
    out.finish()
}

fn custom(out: &mut Markup, tree: &Tree, bodies: &[Floored]) {
    let name = |k: usize| tree.link_name(Some(k)).to_owned();
    let listed = |test: fn(&Floored) -> bool| -> Vec<usize> {
        bodies.iter().enumerate().filter(|(_, body)| test(body)).map(|(k, _)| k).collect()
    };
    let massless = listed(|body| body.is_massless).into_iter().map(name).collect::<Vec<_>>().join(" ");
    let thin = listed(|body| body.added > 0.0);
    let thin: Vec<String> =
        thin.into_iter().map(|k| format!("{} {}", name(k), number(bodies[k].added))).collect();
    out.open("custom", &[]);
    out.leaf("text", &[("name", PLATFORM), ("data", tree.link_name(Some(tree.platform.0)))]);
    out.leaf("text", &[("name", FREEDOMS), ("data", &tree.freedoms.join(" "))]);
    if !massless.is_empty() {
        out.leaf("text", &[("name", MASSLESS), ("data", &massless)]);
    }
    if !thin.is_empty() {
        out.leaf("text", &[("name", FLOOR), ("data", &thin.join(" "))]);
    }
    out.close("custom");
}

fn children(tree: &Tree, parent: Option<usize>) -> Vec<usize> {
    tree.links.iter().enumerate().filter(|(_, link)| link.parent == parent).map(|(k, _)| k).collect()
}

/// The points and frames of closings in a link, and the point of the platform.
fn sites(out: &mut Markup, tree: &Tree, link: Option<usize>) {
    for closing in &tree.closings {
        for (side, (end, frame)) in closing.ends.iter().enumerate() {
            if *end == link {
                let name = site(&closing.name, side);
                out.leaf(
                    "site",
                    &[("name", &name), ("pos", &vector(frame.position)), ("quat", &quaternion(frame))],
                );
            }
        }
    }
    if link == Some(tree.platform.0) {
        out.leaf("site", &[("name", SITE), ("pos", &vector(tree.platform.1))]);
    }
}

fn site(closing: &str, side: usize) -> String {
    format!("{closing}_{}", ["a", "b"][side])
}

fn body(out: &mut Markup, tree: &Tree, bodies: &[Floored], place: usize, home: &mut Vec<f64>) {
    let Some((link, own)) = tree.links.get(place).zip(bodies.get(place)) else { return };
    // Frames in that of the parent with all joints at zero.
    let mut frame = Pose::identity();
    let mut frames = Vec::new();
    let count = link.steps.len();
    for (k, step) in link.steps.iter().enumerate() {
        frame = frame * step.before;
        // A ball is the last joint of a body in MuJoCo, or three that turn.
        let joints = if k + 1 < count { turns(&step.joint) } else { vec![step.joint.clone()] };
        frames.extend(joints.into_iter().map(|joint| (joint, frame)));
    }
    let frame = frame * link.last;
    let pos = vector(frame.position);
    out.open("body", &[("name", &link.name), ("pos", &pos), ("quat", &quaternion(&frame))]);
    for (joint, place) in frames {
        let seen = frame.inverse() * place;
        let mut attributes = vec![("name", joint.name.clone()), ("pos", vector(seen.position))];
        let (kind, direction) = match joint.motion {
            Motion::Turn(axis) => ("hinge", Some(axis)),
            Motion::Slide(axis) => ("slide", Some(axis)),
            Motion::Ball { .. } => ("ball", None),
        };
        attributes.insert(1, ("type", kind.into()));
        if let Some(direction) = direction {
            attributes.push(("axis", vector(seen.rotation * direction)));
            home.push(joint.home);
        } else {
            home.extend([1.0, 0.0, 0.0, 0.0]);
        }
        if joint.min.is_some() || joint.max.is_some() {
            let range = [joint.min.unwrap_or(-FAR), joint.max.unwrap_or(FAR)];
            attributes.push(("range", numbers(&range)));
        }
        let drive = [
            ("armature", joint.drive.inertia),
            ("damping", joint.drive.viscous),
            ("frictionloss", joint.drive.coulomb),
        ];
        for (key, value) in drive.into_iter().filter(|(_, value)| *value > 0.0) {
            attributes.push((key, number(value)));
        }
        let attributes: Vec<(&str, &str)> =
            attributes.iter().map(|(key, value)| (*key, value.as_str())).collect();
        out.leaf("joint", &attributes);
    }
    let i = own.body.inertia;
    let ([xx, yy, zz], [yz, xz, xy]) = (i.diagonal.to_array(), i.off.to_array());
    let inertia = numbers(&[xx, yy, zz, xy, xz, yz]);
    let centre = vector(own.body.centre);
    if [yz, xz, xy] == [0.0; 3] {
        out.leaf(
            "inertial",
            &[("pos", &centre), ("mass", &number(own.body.mass)), ("diaginertia", &numbers(&[xx, yy, zz]))],
        );
    } else {
        out.leaf(
            "inertial",
            &[("pos", &centre), ("mass", &number(own.body.mass)), ("fullinertia", &inertia)],
        );
    }
    let size = radius(tree);
    for shape in shapes(tree, place, link) {
        match shape {
            Shape::Cylinder { middle, half } => out.leaf(
                "geom",
                &[
                    ("type", "capsule"),
                    ("size", &numbers(&[size, half])),
                    ("pos", &vector(middle.position)),
                    ("quat", &quaternion(&middle)),
                ],
            ),
            Shape::Ball { centre } => {
                out.leaf(
                    "geom",
                    &[("type", "sphere"), ("size", &number(1.5 * size)), ("pos", &vector(centre))],
                );
            }
        }
    }
    sites(out, tree, Some(place));
    for child in children(tree, Some(place)) {
        body(out, tree, bodies, child, home);
    }
    out.close("body");
}

fn equality(out: &mut Markup, tree: &Tree) {
    if tree.closings.is_empty() {
        return;
    }
    out.open("equality", &[]);
    for closing in &tree.closings {
        let word = match closing.kind {
            ClosingKind::Point => "connect",
            ClosingKind::Weld => "weld",
        };
        let sites = [0, 1].map(|side| site(&closing.name, side));
        out.leaf(word, &[("name", &closing.name), ("site1", &sites[0]), ("site2", &sites[1])]);
    }
    out.close("equality");
}

fn actuators(out: &mut Markup, tree: &Tree) {
    if tree.motors.is_empty() {
        return;
    }
    out.comment(
        "Controls are torques and forces on the side of the motor: `gear` times as much at the joint.",
    );
    out.open("actuator", &[]);
    for motor in &tree.motors {
        let name = format!("motor_{}", motor.joint);
        let gear = number(motor.gear);
        let range = motor.max_effort.map(|effort| {
            let most = effort / motor.gear.abs();
            numbers(&[-most, most])
        });
        let mut attributes = vec![("name", name.as_str()), ("joint", &motor.joint), ("gear", &gear)];
        if let Some(range) = &range {
            attributes.push(("ctrlrange", range));
        }
        out.leaf("motor", &attributes);
    }
    out.close("actuator");
}

//! From `[[body]]` and `[[joint]]` tables to a mechanism.

use super::super::custom::{ABOUT, TIMES, freedom, freedoms_of};
use super::cell::{self, CellRobot};
use super::{
    BASE, EffortPart, MechanismBody, MechanismCone, MechanismDescription, MechanismJoint, MechanismJointKind,
    MechanismMotor,
};
use super::{held, tables};
use crate::description::fields::{self, Field};
use crate::description::nearest_word;
use crate::description::parts::{Body, Motor, Placement};
use crate::description::placement::{inverse, placed};
use crate::description::problem::ProblemKind;
use crate::description::reader::Reader;
use crate::rotation::{self, Matrix, Vector, about_axis, across, cross, dot, rotated, transposed, unit};
use crate::text::printable;
use std::f64::consts::TAU;
use std::ops::Range;

/// Most bodies after all repetitions.
const MOST_BODIES: usize = 200;
/// How far two axes may be from a right angle \[rad\]: six printed digits.
const RIGHT_ANGLE: f64 = 1e-6;
const Z: Vector = [0.0, 0.0, 1.0];

/// How often something is there, turned about which axis.
#[derive(Clone, Copy)]
struct Repeat {
    times: u32,
    about: Vector,
    through: Vector,
}

impl Repeat {
    /// From the first one to a copy.
    fn turn(&self, copy: u32) -> Placement {
        if copy == 0 {
            return Placement::IDENTITY;
        }
        let rotation = about_axis(self.about, TAU * f64::from(copy) / f64::from(self.times));
        let moved = rotated(&rotation, self.through);
        Placement { position: [0, 1, 2].map(|i| self.through[i] - moved[i]), rotation }
    }
}

/// A body as it is written, before it is repeated.
struct WrittenBody {
    name: String,
    body: Body,
    home: Placement,
    repeat: Option<Repeat>,
    /// The places of its copies in the list.
    first: usize,
}

impl WrittenBody {
    fn times(&self) -> u32 {
        self.repeat.map_or(1, |repeat| repeat.times)
    }
}

/// One side of a joint: the ground, one body, or a body that is repeated.
#[derive(Clone, Copy)]
enum Side {
    Base,
    One(usize),
    /// The place of the first one, and how it is repeated.
    Each(usize, Repeat),
}

impl Side {
    fn body(self, copy: u32) -> Option<usize> {
        match self {
            Self::Base => None,
            Self::One(place) => Some(place),
            Self::Each(first, ..) => Some(first + copy as usize),
        }
    }
}

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<MechanismDescription> {
    let platform_name = top.text(&tables::PLATFORM);
    let platform_point = top.vector(&tables::PLATFORM_POINT).unwrap_or_default();
    let freedoms = if top.has(tables::FREEDOMS.key) {
        top.list_of_words(&tables::FREEDOMS, fields::Count::Between(1, 6), freedoms_of)
    } else {
        None
    };
    let freedoms = freedoms.map(|words| words.into_iter().filter_map(freedom).collect());
    let held = top.names(&tables::HELD);
    let payload = top.body(&fields::PAYLOAD);
    let before = top.notes.problems.len();
    let carried = top.each_of_at_most(MOST_BODIES, &tables::CARRIED, cell::read_carried);
    top.notes.carried = carried.into_iter().flatten().collect();
    let robots = top
        .each_of_at_most(MOST_BODIES, &tables::ROBOT, cell::read_robot)
        .into_iter()
        .collect::<Option<Vec<_>>>();
    let written: Vec<WrittenBody> =
        top.each_of_at_most(MOST_BODIES, &tables::BODY, read_body).into_iter().collect::<Option<Vec<_>>>()?;
    let (mut written, mut bodies) = repeated(top, written)?;
    let (mut joints, mut cones) = (Vec::<MechanismJoint>::new(), Vec::new());
    for (number, robot) in robots.iter().flatten().enumerate() {
        if robots.iter().flatten().take(number).any(|other| other.name == robot.name) {
            let span = top.value(tables::ROBOT.key()).map(toml::Spanned::span);
            top.notes.note(span, ProblemKind::NameTwice { what: "robot", name: robot.name.clone() });
            return None;
        }
        place_robot(top, robot, &mut written, &mut bodies, (&mut joints, &mut cones))?;
    }
    counted(top, &bodies)?;
    let robots = Some(robots?);
    let mut all_read = true;
    for (joint, span) in top.each(&tables::JOINT, |joint| {
        let span = joint.header.clone();
        (read_joint(joint, &written, &bodies), span)
    }) {
        let Some((more, leans)) = joint else {
            all_read = false;
            continue;
        };
        if let Some(twice) = more.iter().find(|new| joints.iter().any(|old| old.name == new.name)) {
            let kind = ProblemKind::NameTwice { what: "joint", name: twice.name.clone() };
            top.notes.note(span, kind);
        }
        joints.extend(more);
        cones.extend(leans);
    }
    let span = top.value(tables::PLATFORM.key).map(toml::Spanned::span);
    let platform = platform_name.and_then(|name| {
        let found = find(&written, &name);
        if let Some(Side::One(place)) = found {
            return Some(place);
        }
        let each = if let Some(Side::Each(_, repeat)) = found { Some(repeat.times) } else { None };
        note_unknown(top, span, &tables::PLATFORM, &name, each, &bodies);
        None
    });
    let held = held.and_then(|names| {
        let robots: Vec<&str> = robots.iter().flatten().map(|robot| robot.name.as_str()).collect();
        if all_read { held::held_motors(top, names, &joints, &robots) } else { None }
    });
    if all_read && top.notes.problems.len() == before {
        check_connections(top, &bodies, &joints);
        if !joints.iter().any(|joint| joint.motor.is_some()) {
            let span = top.value(tables::JOINT.key()).map(toml::Spanned::span);
            top.notes.note(span, ProblemKind::NoMotor);
        }
    }
    Some(MechanismDescription {
        bodies,
        joints,
        platform: platform?,
        platform_point,
        freedoms,
        held: held?,
        payload,
        cones,
    })
}

/// Bodies that no chain of joints connects with the ground.
fn check_connections(top: &mut Reader<'_, '_>, bodies: &[MechanismBody], joints: &[MechanismJoint]) {
    let mut reached = vec![false; bodies.len() + 1];
    let place = |side: Option<usize>| side.map_or(0, |body| body + 1);
    if let Some(ground) = reached.first_mut() {
        *ground = true;
    }
    loop {
        let mut grown = false;
        for joint in joints {
            let ends = [place(joint.parent), place(joint.child)];
            let known = ends.map(|end| reached.get(end).copied().unwrap_or(false));
            if known[0] != known[1] {
                for end in ends {
                    reached[end] = true;
                }
                grown = true;
            }
        }
        if !grown {
            break;
        }
    }
    let lonely = bodies.iter().zip(reached.iter().skip(1)).filter(|(_, reached)| !**reached);
    let names: Vec<String> = lonely.map(|(body, _)| body.name.clone()).collect();
    if !names.is_empty() {
        let span = top.value(tables::BODY.key()).map(toml::Spanned::span);
        top.notes.note(span, ProblemKind::Unconnected { bodies: names });
    }
}

/// The bodies with their copies, and the written ones with the places of theirs.
fn repeated(
    top: &mut Reader<'_, '_>,
    mut written: Vec<WrittenBody>,
) -> Option<(Vec<WrittenBody>, Vec<MechanismBody>)> {
    let span = top.value(tables::BODY.key()).map(toml::Spanned::span);
    let mut bodies: Vec<MechanismBody> = Vec::new();
    for one in &mut written {
        one.first = bodies.len();
        for copy in 0..one.times() {
            let (name, home) = match one.repeat {
                None => (one.name.clone(), one.home),
                Some(repeat) => {
                    let home = if copy == 0 { one.home } else { placed(repeat.turn(copy), one.home) };
                    (format!("{}{}", one.name, copy + 1), home)
                }
            };
            if name == BASE || bodies.iter().any(|body| body.name == name) {
                top.notes.note(span.clone(), ProblemKind::NameTwice { what: "body", name: name.clone() });
            }
            bodies.push(MechanismBody { name, body: one.body, home });
        }
    }
    counted(top, &bodies)?;
    Some((written, bodies))
}

/// Not more bodies than there may be.
fn counted(top: &mut Reader<'_, '_>, bodies: &[MechanismBody]) -> Option<()> {
    if bodies.len() <= MOST_BODIES {
        return Some(());
    }
    let span = top.value(tables::BODY.key()).or(top.value(tables::ROBOT.key())).map(toml::Spanned::span);
    let needs = fields::Count::Between(1, MOST_BODIES);
    let kind = ProblemKind::WrongCount { key: "body", needs, found: bodies.len(), each: false, like: None };
    top.notes.note(span, kind);
    None
}

/// The bodies and joints of a robot beside those that there are.
fn place_robot(
    top: &mut Reader<'_, '_>,
    robot: &CellRobot,
    written: &mut Vec<WrittenBody>,
    bodies: &mut Vec<MechanismBody>,
    (joints, cones): (&mut Vec<MechanismJoint>, &mut Vec<MechanismCone>),
) -> Option<()> {
    let span = top.value(tables::ROBOT.key()).map(toml::Spanned::span);
    let on = match &robot.on {
        None => None,
        Some(name) => match find(written, name) {
            Some(Side::Base) => None,
            Some(Side::One(place)) => Some(place),
            found => {
                let each = if let Some(Side::Each(_, repeat)) = found { Some(repeat.times) } else { None };
                note_unknown(top, span, &tables::ROBOT_ON, name, each, bodies);
                return None;
            }
        },
    };
    let carrier = on.and_then(|body| bodies.get(body)).map_or(Placement::IDENTITY, |body| body.home);
    let first = bodies.len();
    for body in robot.bodies(placed(carrier, robot.place)).collect::<Vec<_>>() {
        if bodies.iter().any(|known| known.name == body.name) {
            let name = body.name.clone();
            top.notes.note(span.clone(), ProblemKind::NameTwice { what: "body", name });
        }
        let (name, home) = (body.name.clone(), body.home);
        written.push(WrittenBody { name, body: body.body, home, repeat: None, first: bodies.len() });
        bodies.push(body);
    }
    joints.extend(robot.joints(first, on, robot.place));
    cones.extend(robot.cones(first, on, robot.place));
    Some(())
}

fn read_body(body: &mut Reader<'_, '_>) -> Option<WrittenBody> {
    let name = read_name(body, &tables::BODY_NAME);
    let mass = body.number(&tables::MASS);
    let centre: Option<Vector> = body.vector(&tables::CENTRE);
    let has_inertia = body.has(tables::INERTIA.key);
    let inertia = body.inertia(&tables::BODY);
    let position = body.vector(&tables::POSITION).unwrap_or_default();
    let rotation = body.rotation();
    let ends: [Option<Vector>; 2] = [body.vector(&tables::FROM), body.vector(&tables::TO)];
    let diameter = body.optional_number(&tables::DIAMETER).unwrap_or(0.0);
    let repeat = body.open(&tables::REPEAT).map(|mut repeat| {
        let times = repeat.whole(&TIMES);
        let about = repeat.direction(&ABOUT).unwrap_or(Z);
        let through = repeat.vector(&tables::THROUGH).unwrap_or_default();
        times.map(|times| Repeat { times, about, through })
    });
    let repeat = match repeat {
        Some(None) => return None,
        Some(repeat) => repeat,
        None => None,
    };
    let (home, body_of) = match ends {
        [Some(from), Some(to)] => {
            let along: Vector = [0, 1, 2].map(|i| to[i] - from[i]);
            let length = dot(along, along).sqrt();
            if length.is_nan() || length <= 0.0 {
                let span = body.value(tables::TO.key).map(toml::Spanned::span);
                body.notes.note(span, ProblemKind::NoDirection { key: tables::TO.key });
                return None;
            }
            let [y, z] = across(unit(along));
            let axes = transposed(&[unit(along), y, z]);
            let radius = diameter / 2.0;
            let own = [mass * radius * radius / 2.0, mass * (3.0 * radius * radius + length * length) / 12.0];
            let rod = [[own[0], 0.0, 0.0], [0.0, own[1], 0.0], [0.0, 0.0, own[1]]];
            let inertia = if has_inertia { inertia } else { rod };
            let centre = centre.unwrap_or([length / 2.0, 0.0, 0.0]);
            (Placement { position: from, rotation: axes }, Body { mass, centre, inertia })
        }
        _ => (Placement { position, rotation }, Body { mass, centre: centre.unwrap_or_default(), inertia }),
    };
    let name = name?;
    if let Err(fault) = super::super::blueprint::body("body", &body_of)
        && let super::super::blueprint::BuildError::Body { fault, .. } = fault
    {
        let kind = ProblemKind::ImpossibleBody { name: name.clone(), fault };
        body.notes.note(body.header.clone(), kind);
    }
    Some(WrittenBody { name, body: body_of, home, repeat, first: 0 })
}

/// A name that is there and can be printed.
pub(super) fn read_name(reader: &mut Reader<'_, '_>, field: &Field) -> Option<String> {
    let name = printable(&reader.text(field)?).into_owned();
    if name.trim().is_empty() {
        reader.missing(&Field { need: fields::Need::Required, ..*field });
        return None;
    }
    Some(name)
}

/// What a name means: the ground, a body, one copy or all copies of a repeated one.
fn find(written: &[WrittenBody], name: &str) -> Option<Side> {
    if name == BASE || name == "world" || name == "ground" {
        return Some(Side::Base);
    }
    written.iter().find_map(|body| match body.repeat {
        Some(repeat) if body.name == name => Some(Side::Each(body.first, repeat)),
        Some(repeat) => {
            let copy: u32 = name.strip_prefix(body.name.as_str())?.parse().ok()?;
            (1..=repeat.times).contains(&copy).then(|| Side::One(body.first + copy as usize - 1))
        }
        None => (body.name == name).then_some(Side::One(body.first)),
    })
}

fn note_unknown(
    reader: &mut Reader<'_, '_>,
    span: Option<Range<usize>>,
    field: &Field,
    name: &str,
    each: Option<u32>,
    bodies: &[MechanismBody],
) {
    let known: Vec<String> = bodies.iter().map(|body| body.name.clone()).collect();
    let nearest = nearest_word(name, known.iter().map(String::as_str)).map(str::to_owned);
    let kind = ProblemKind::UnknownBody { key: field.key, name: name.into(), known, nearest, each };
    reader.notes.note(span, kind);
}

fn read_side(
    joint: &mut Reader<'_, '_>,
    field: &Field,
    written: &[WrittenBody],
    bodies: &[MechanismBody],
) -> Option<(String, Side)> {
    let name = read_name(joint, field)?;
    let side = find(written, &name);
    if side.is_none() {
        let span = joint.value(field.key).map(toml::Spanned::span);
        note_unknown(joint, span, field, &name, None, bodies);
    }
    side.map(|side| (name, side))
}

/// One `[[joint]]`, with all its copies.
fn read_joint(
    joint: &mut Reader<'_, '_>,
    written: &[WrittenBody],
    bodies: &[MechanismBody],
) -> Option<(Vec<MechanismJoint>, Vec<MechanismCone>)> {
    let name = if joint.has(tables::JOINT_NAME.key) { read_name(joint, &tables::JOINT_NAME) } else { None };
    let kind = joint.word(&tables::JOINT_TYPE).and_then(MechanismJointKind::from_name);
    let parent = read_side(joint, &tables::PARENT, written, bodies);
    let child = read_side(joint, &tables::CHILD, written, bodies);
    let frames = [read_frame(joint, &tables::PARENT_FRAME), read_frame(joint, &tables::CHILD_FRAME)];
    let point = joint.vector(&tables::POINT);
    // Without its type no quantity of the joint has a unit.
    let kind = kind?;
    let (active, drive, start, [min, max]) = read_motor(joint, kind);
    let motor = drive.filter(|_| active);
    // A motor that does not drive leaves its friction behind.
    let drag = drive.filter(|drive| !active && !drive.is_ideal());
    let choice = read_choice(joint, kind);
    let given = read_given(joint, kind, point, &frames);
    let cone = read_cone(joint, kind);
    let ((parent_name, parent), (child_name, child)) = (parent?, child?);
    let name = name.unwrap_or_else(|| format!("{parent_name}-{child_name}"));
    let repeat = copies(joint, parent, child).ok()?;
    let (mut list, mut cones) = (Vec::new(), Vec::new());
    for copy in 0..repeat.map_or(1, |repeat| repeat.times) {
        let turn = repeat.map(|repeat| repeat.turn(copy)).filter(|_| copy > 0);
        let sides = [parent.body(copy), child.body(copy)];
        if sides[0] == sides[1] {
            let kind = ProblemKind::SameBody { name: child_name.clone() };
            joint.notes.note(joint.header.clone(), kind);
            return None;
        }
        let homes = sides
            .map(|body| body.and_then(|body| bodies.get(body)).map_or(Placement::IDENTITY, |body| body.home));
        let [parent_frame, child_frame] = match given? {
            Given::Frames(frames) => {
                let mut both = frames;
                for ((frame, side), home) in both.iter_mut().zip([parent, child]).zip(homes) {
                    // In a body that is not repeated the frames of the copies are turned with the others.
                    if let (Some(turn), Side::Base | Side::One(_)) = (turn, side) {
                        *frame = placed(inverse(home), placed(turn, placed(home, *frame)));
                    }
                }
                both
            }
            Given::AtHome { point, axes } => {
                let point = point.unwrap_or_else(|| first_home(child, parent, bodies));
                let mut frame = Placement { position: point, rotation: axes };
                if let Some(turn) = turn {
                    frame = placed(turn, frame);
                }
                let moved = placed(frame, moved(kind, start));
                [placed(inverse(homes[0]), frame), placed(inverse(homes[1]), moved)]
            }
        };
        let name = if repeat.is_some() { format!("{name}{}", copy + 1) } else { name.clone() };
        if let Some((most, pin)) = cone {
            let pin = turn.map_or(pin, |turn| rotated(&turn.rotation, pin));
            let pins = homes.map(|home| rotated(&transposed(&home.rotation), pin));
            let joint = name.clone();
            cones.push(MechanismCone { joint, bodies: sides, pins, from_plane: false, most });
        }
        let [parent, child] = sides;
        list.push(MechanismJoint {
            name,
            kind,
            parent,
            child,
            parent_frame,
            child_frame,
            motor,
            drag,
            min,
            max,
            choice,
        });
    }
    Some((list, cones))
}

/// How far a joint lets its bodies lean, and the direction of the pin at home.
fn read_cone(joint: &mut Reader<'_, '_>, kind: MechanismJointKind) -> Option<(f64, Vector)> {
    if !matches!(kind, MechanismJointKind::Universal | MechanismJointKind::Spherical) {
        return None;
    }
    let most = joint.optional_number(&tables::CONE);
    let pin = joint.direction(&tables::PIN);
    let across = if kind == MechanismJointKind::Universal {
        joint.direction(&tables::FIRST_AXIS).zip(joint.direction(&tables::SECOND_AXIS))
    } else {
        None
    };
    let most = most?;
    let found = pin.or_else(|| across.map(|(axis, second)| unit(cross(axis, second))));
    if found.is_none() {
        joint.missing(&Field { need: fields::Need::Required, ..tables::PIN });
    }
    found.map(|pin| (most, pin))
}

/// The frame C seen from P at a joint coordinate.
fn moved(kind: MechanismJointKind, start: f64) -> Placement {
    match kind {
        MechanismJointKind::Revolute => Placement { position: [0.0; 3], rotation: about_axis(Z, start) },
        MechanismJointKind::Prismatic => {
            Placement { position: [0.0, 0.0, start], rotation: rotation::IDENTITY }
        }
        _ => Placement::IDENTITY,
    }
}

/// Where the frame of the first body of a side is at home; if it is the ground, of the other side.
fn first_home(child: Side, parent: Side, bodies: &[MechanismBody]) -> Vector {
    let body = child.body(0).or(parent.body(0)).and_then(|body| bodies.get(body));
    body.map_or([0.0; 3], |body| body.home.position)
}

/// How the joint of a table is repeated: as its bodies are. An error if they are not alike.
fn copies(joint: &mut Reader<'_, '_>, parent: Side, child: Side) -> Result<Option<Repeat>, ()> {
    match (parent, child) {
        (Side::Each(_, a), Side::Each(_, b)) => {
            if a.times != b.times {
                let copies = (a.times, b.times);
                joint.notes.note(joint.header.clone(), ProblemKind::UnlikeCopies { copies });
                return Err(());
            }
            Ok(Some(a))
        }
        (Side::Each(_, repeat), _) | (_, Side::Each(_, repeat)) => Ok(Some(repeat)),
        _ => Ok(None),
    }
}

/// How a joint is placed.
#[derive(Clone, Copy)]
enum Given {
    /// By its frames in parent and child.
    Frames([Placement; 2]),
    /// By a point and axes (columns) in the base at home.
    AtHome { point: Option<Vector>, axes: Matrix },
}

fn read_frame(joint: &mut Reader<'_, '_>, table: &'static fields::Table) -> Option<Placement> {
    let mut frame = joint.open(table)?;
    let position = frame.vector(&tables::FRAME_POSITION).unwrap_or_default();
    Some(Placement { position, rotation: frame.rotation() })
}

fn read_given(
    joint: &mut Reader<'_, '_>,
    kind: MechanismJointKind,
    point: Option<Vector>,
    frames: &[Option<Placement>; 2],
) -> Option<Given> {
    let has_axis = joint.has(tables::AXIS.key);
    let needs_axis = !matches!(kind, MechanismJointKind::Spherical | MechanismJointKind::Fixed);
    let axis = if needs_axis { joint.direction(&tables::AXIS) } else { None };
    let is_universal = kind == MechanismJointKind::Universal;
    let second = if is_universal { joint.direction(&tables::SECOND_AXIS) } else { None };
    let keys = [tables::PARENT_FRAME.key(), tables::CHILD_FRAME.key()];
    if keys.iter().any(|key| joint.has(key)) {
        let used = [tables::POINT.key, tables::AXIS.key, tables::SECOND_AXIS.key, "start"];
        for key in used.into_iter().filter(|key| joint.has(key)).collect::<Vec<_>>() {
            let span = joint.value(key).map(toml::Spanned::span);
            let other = if joint.has(keys[0]) { keys[0] } else { keys[1] };
            joint.notes.note(span, ProblemKind::TwoAlternatives { key, other });
        }
        for (frame, table) in frames.iter().zip([&tables::PARENT_FRAME, &tables::CHILD_FRAME]) {
            if frame.is_none() && !joint.has(table.key()) {
                joint.notes.note(joint.header.clone(), ProblemKind::MissingTable { table });
            }
        }
        let [parent, child] = *frames;
        return Some(Given::Frames([parent?, child?]));
    }
    let required = |field: &Field| Field { need: fields::Need::Required, ..*field };
    if needs_axis && !has_axis {
        joint.missing(&required(if is_universal { &tables::FIRST_AXIS } else { &tables::AXIS }));
    }
    if is_universal && !joint.has(tables::SECOND_AXIS.key) {
        joint.missing(&required(&tables::SECOND_AXIS));
    }
    let axes = match (needs_axis, is_universal) {
        (false, _) => rotation::IDENTITY,
        (true, false) => {
            let z = axis?;
            let [x, y] = across(z);
            transposed(&[x, y, z])
        }
        (true, true) => {
            let (z, y) = (axis?, second?);
            let off = dot(z, y);
            if off.abs() > RIGHT_ANGLE {
                let span = joint.value(tables::SECOND_AXIS.key).map(toml::Spanned::span);
                joint.notes.note(span, ProblemKind::NotPerpendicular { angle: off.clamp(-1.0, 1.0).acos() });
                return None;
            }
            let x = unit(cross(y, z));
            transposed(&[x, cross(z, x), z])
        }
    };
    Some(Given::AtHome { point, axes })
}

/// The motor of a joint, its coordinate at home, and its limits.
fn read_motor(
    joint: &mut Reader<'_, '_>,
    kind: MechanismJointKind,
) -> (bool, Option<MechanismMotor>, f64, [Option<f64>; 2]) {
    match kind {
        MechanismJointKind::Revolute => {
            let active = joint.flag(&tables::ACTIVE);
            let mut motor: Motor = joint.motor_here();
            let direct = joint.number(&tables::ACTUATOR_INERTIA);
            if joint.has(tables::ACTUATOR_INERTIA.key) {
                for key in [fields::ROTOR_INERTIA.key, fields::GEAR_INERTIA.key] {
                    if joint.has(key) {
                        let span = joint.value(key).map(toml::Spanned::span);
                        let kind = ProblemKind::TwoAlternatives { key, other: tables::ACTUATOR_INERTIA.key };
                        joint.notes.note(span, kind);
                    }
                }
                motor.rotor_inertia = direct / (motor.gear_ratio * motor.gear_ratio);
            }
            let ends = joint.ends(&tables::MIN_ANGLE, &tables::MAX_ANGLE);
            let start = joint.number(&tables::START_ANGLE);
            (active, Some(MechanismMotor::Turning(motor)), start, ends)
        }
        MechanismJointKind::Prismatic => {
            let active = joint.flag(&tables::ACTIVE);
            let inertia = joint.number(&fields::ACTUATOR_MASS);
            let motor = joint.linear_motor_with(inertia);
            let ends = joint.ends(&tables::MIN_LENGTH, &tables::MAX_LENGTH);
            let start = joint.number(&tables::START_LENGTH);
            (active, Some(MechanismMotor::Sliding(motor)), start, ends)
        }
        _ => (false, None, 0.0, [None; 2]),
    }
}

/// What the motor of a joint gives where there are more motors than freedoms.
fn read_choice(joint: &mut Reader<'_, '_>, kind: MechanismJointKind) -> EffortPart {
    let preload = match kind {
        MechanismJointKind::Revolute => joint.number(&tables::PRELOAD_TORQUE),
        MechanismJointKind::Prismatic => joint.number(&tables::PRELOAD_FORCE),
        _ => return EffortPart::default(),
    };
    EffortPart { weight: joint.number(&tables::EFFORT_WEIGHT), preload }
}

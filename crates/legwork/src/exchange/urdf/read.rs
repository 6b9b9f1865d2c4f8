//! A robot from URDF, with its loops: `<constraint>`, Drake's ball constraints, or a YAML sidecar.

use super::super::ExchangeError;
use super::super::builder::{Builder, NewJoint, Place, ReadMotor};
use super::super::reading::{Source, child, children, inertia, pose_of_angles, short};
use super::FAR;
use super::yaml::{self, Yaml};
use crate::mechanism::JointType;
use legwork_core::V3;
use legwork_core::engine::{Drive, Pose, RigidBody, frame_with_z};
use roxmltree::Node;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A limit from here on is none.
const NONE: f64 = 0.1 * FAR;

struct JointNode<'a, 'i> {
    node: Node<'a, 'i>,
    parent: &'a str,
    child: &'a str,
    joint: Option<NewJoint>,
    origin: Pose<f64>,
    /// Largest effort and speed.
    most: [Option<f64>; 2],
}

/// What stands in a file beside the URDF.
#[derive(Default)]
struct Sidecar {
    file: String,
    keys: BTreeMap<String, Yaml>,
}

impl Sidecar {
    fn read(sidecar: Option<(&str, &str)>) -> Result<Self, ExchangeError> {
        let Some((file, text)) = sidecar else { return Ok(Self::default()) };
        Ok(Self { file: file.into(), keys: yaml::read(file, text)?.into_iter().collect() })
    }

    fn get(&self, key: &str) -> Option<&Yaml> {
        self.keys.get(key)
    }

    fn fault(&self, what: String) -> ExchangeError {
        ExchangeError::Whole { file: self.file.clone(), what, hint: None }
    }

    fn words(&self, key: &str) -> Vec<&str> {
        self.get(key).map(|value| value.list().iter().filter_map(Yaml::word).collect()).unwrap_or_default()
    }
}

fn origin(source: &Source<'_>, node: Option<Node<'_, '_>>) -> Result<Pose<f64>, ExchangeError> {
    let Some(node) = node else { return Ok(Pose::identity()) };
    let vector = |key: &str| node.attribute(key).map_or(Ok([0.0; 3]), |text| source.exactly(node, key, text));
    Ok(pose_of_angles(vector("xyz")?, vector("rpy")?))
}

fn mass(source: &Source<'_>, link: Node<'_, '_>, name: &str) -> Result<RigidBody<f64>, ExchangeError> {
    let Some(own) = child(link, "inertial") else { return Ok(RigidBody::massless()) };
    let place = origin(source, child(own, "origin"))?;
    let Some(node) = child(own, "mass") else { return Err(source.fault(own, "<inertial> has no <mass>")) };
    let mass = source.number(node, "value", source.required(node, "value")?)?;
    let about = match child(own, "inertia") {
        None => inertia([0.0; 3], [0.0; 3]),
        Some(node) => {
            let number =
                |key: &str| node.attribute(key).map_or(Ok(0.0), |text| source.number(node, key, text));
            inertia(
                [number("ixx")?, number("iyy")?, number("izz")?],
                [number("ixy")?, number("ixz")?, number("iyz")?],
            )
        }
    };
    let body = RigidBody { mass, centre: V3::zero(), inertia: about }.seen_from(&place);
    source.checked(own, name, body)
}

fn joint<'a, 'i>(
    source: &Source<'_>,
    node: Node<'a, 'i>,
    side: &Sidecar,
) -> Result<JointNode<'a, 'i>, ExchangeError> {
    let name = source.required(node, "name")?;
    let end = |word: &str| {
        let at = child(node, word)
            .ok_or_else(|| source.fault(node, format!("joint `{}` has no <{word}>", short(name))))?;
        source.required(at, "link")
    };
    let balls = side.words("joint_name");
    let written = side.words("joint_type");
    let kind = match balls.iter().position(|ball| *ball == name).and_then(|k| written.get(k).copied()) {
        Some("SPHERICAL") => "spherical",
        Some(other) => {
            return Err(side.fault(format!(
                "joint `{}` is a `{}`: only SPHERICAL is read",
                short(name),
                short(other)
            )));
        }
        None => source.required(node, "type")?,
    };
    let kind = match kind {
        "revolute" | "continuous" => Some(JointType::Revolute),
        "prismatic" => Some(JointType::Prismatic),
        "spherical" | "ball" => Some(JointType::Spherical),
        "planar" => Some(JointType::Planar),
        "fixed" => None,
        other => {
            let what = format!("joint `{}` is `{}`, which legwork has not", short(name), short(other));
            return Err(source.fault_with(
                node,
                what,
                "a platform that floats hangs on its legs: leave the joint out, or make it fixed",
            ));
        }
    };
    let axis = match child(node, "axis") {
        Some(axis) => source.exactly::<3>(axis, "xyz", source.required(axis, "xyz")?)?,
        None => [1.0, 0.0, 0.0],
    };
    let limit = child(node, "limit");
    let of = |key: &str| {
        limit.and_then(|limit| limit.attribute(key).map(|text| source.number(limit, key, text))).transpose()
    };
    let is_continuous = node.attribute("type") == Some("continuous");
    let ends = |value: Option<f64>| value.filter(|value| !is_continuous && value.abs() < NONE);
    let made = match kind {
        None => None,
        Some(kind) => {
            let mut made = NewJoint::new(name, kind, source.unit(node, "axis", axis.into())?);
            if matches!(kind, JointType::Revolute | JointType::Prismatic) {
                (made.min, made.max) = (ends(of("lower")?), ends(of("upper")?));
            }
            if let Some(dynamics) = child(node, "dynamics") {
                let number = |key: &str| {
                    dynamics.attribute(key).map_or(Ok(0.0), |text| source.number(dynamics, key, text))
                };
                made.drive =
                    Drive { viscous: number("damping")?, coulomb: number("friction")?, ..Drive::ideal() };
            }
            let named = |key: &str| {
                side.get(key).and_then(|pairs| pairs.numbers().into_iter().find(|(own, _)| *own == name))
            };
            made.drive.inertia = named("armature").map_or(0.0, |(_, value)| value);
            made.home = named("home").map_or(0.0, |(_, value)| value);
            Some(made)
        }
    };
    let most = |value: Option<f64>| value.filter(|value| *value > 0.0 && *value < NONE);
    Ok(JointNode {
        node,
        parent: end("parent")?,
        child: end("child")?,
        joint: made,
        origin: origin(source, child(node, "origin"))?,
        most: [most(of("effort")?), most(of("velocity")?)],
    })
}

pub(in super::super) fn read(
    file: &str,
    root: Node<'_, '_>,
    sidecar: Option<(&str, &str)>,
) -> Result<Builder, ExchangeError> {
    let mut source = Source::new(file);
    let side = Sidecar::read(sidecar)?;
    let mut builder = Builder::new(root.attribute("name").unwrap_or("imported"));
    let (mut links, mut joints, mut rest) = (BTreeMap::new(), Vec::new(), Vec::new());
    for node in children(root) {
        match node.tag_name().name() {
            "link" => {
                let name = source.required(node, "name")?;
                if links.insert(name, node).is_some() {
                    return Err(source.fault(node, format!("link `{}` is there twice", short(name))));
                }
                for part in children(node).filter(|part| part.tag_name().name() != "inertial") {
                    source.drop(part);
                }
            }
            "joint" => {
                let made = joint(&source, node, &side)?;
                if let Some(mimic) = child(node, "mimic") {
                    let (own, other) = (
                        short(made.node.attribute("name").unwrap_or("")),
                        short(mimic.attribute("joint").unwrap_or("")),
                    );
                    builder
                        .notes
                        .push(format!("Joint `{own}` mimics `{other}`: here it moves as the loops make it."));
                }
                joints.push(made);
            }
            "constraint" | "ball_constraint" | "transmission" | "ros2_control" => rest.push(node),
            "loop_joint" => {
                return Err(source.fault_with(
                    node,
                    "<loop_joint> is not read",
                    "write it as <constraint>, or as a pair of frames in a sidecar",
                ));
            }
            _ => source.drop(node),
        }
    }
    tree(&mut builder, &source, root, &links, joints)?;
    let place = |node: Node<'_, '_>, name: &str| -> Result<Place, ExchangeError> {
        let found = builder.places.get(name).copied();
        found.ok_or_else(|| source.fault(node, format!("there is no link `{}`", short(name))))
    };
    let mut closings = Vec::new();
    for node in &rest {
        match node.tag_name().name() {
            "constraint" => closings.push(constraint(&source, *node, place)?),
            "ball_constraint" => {
                let name = format!("loop{}", node.range().start);
                let of = |word: &str, key: &str| {
                    let at = child(*node, &format!("ball_constraint_{word}"));
                    at.ok_or_else(|| source.fault(*node, format!("drake:ball_constraint_{word} is missing")))
                        .and_then(|at| Ok((at, source.required(at, key)?)))
                };
                let end = |body: &str, point: &str| -> Result<Place, ExchangeError> {
                    let (at, text) = of(point, "value")?;
                    let point = Pose::translation(source.exactly::<3>(at, "value", text)?.into());
                    let (at, name) = of(body, "name")?;
                    place(at, name).map(|(body, frame)| (body, frame * point))
                };
                closings.push((name, JointType::Spherical, [end("body_A", "p_AP")?, end("body_B", "p_BQ")?]));
            }
            _ => {}
        }
    }
    // The same loops stand in both.
    let from_side = side_loops(&side, &builder)?;
    if !from_side.is_empty() {
        closings = from_side;
    }
    for (name, kind, ends) in closings {
        match kind {
            JointType::Spherical => builder.meet(&name, ends),
            kind => builder.close(&name, kind, ends),
        }
    }
    motors(&mut builder, &side, &rest);
    if let Some(gravity) = side.get("gravity") {
        let numbers: Vec<f64> = gravity.list().iter().filter_map(Yaml::number).collect();
        let gravity: [f64; 3] =
            numbers.try_into().map_err(|_| side.fault("`gravity` needs three numbers".into()))?;
        builder.gravity = gravity.into();
    }
    builder.freedoms = side.words("freedoms").into_iter().map(str::to_owned).collect();
    let named = side.get("platform").and_then(Yaml::word);
    builder.platform =
        builder.places.get("platform_point").or_else(|| builder.places.get(named.unwrap_or(""))).copied();
    builder.notes.extend(source.dropped_note());
    Ok(builder)
}

/// The links from the root on.
fn tree(
    builder: &mut Builder,
    source: &Source<'_>,
    root: Node<'_, '_>,
    links: &BTreeMap<&str, Node<'_, '_>>,
    joints: Vec<JointNode<'_, '_>>,
) -> Result<(), ExchangeError> {
    let mut held = BTreeSet::new();
    for joint in &joints {
        for name in [joint.parent, joint.child] {
            if !links.contains_key(name) {
                return Err(source.fault(joint.node, format!("there is no link `{}`", short(name))));
            }
        }
        if !held.insert(joint.child) {
            return Err(source.fault_with(
                joint.node,
                format!("link `{}` is the child of two joints", short(joint.child)),
                "URDF is a tree: close the loop by a <constraint> or in a sidecar",
            ));
        }
    }
    let roots: Vec<&&str> = links.keys().filter(|name| !held.contains(**name)).collect();
    let [first] = roots.as_slice() else {
        return Err(source.fault(
            root,
            format!("{} links are no child of a joint; one of them has to be the root", roots.len()),
        ));
    };
    let first = **first;
    let body = mass(source, links[first], first)?;
    builder.fixed(first, (None, Pose::identity()), body);
    let mut queue = VecDeque::from([first]);
    let mut joints: Vec<Option<JointNode<'_, '_>>> = joints.into_iter().map(Some).collect();
    while let Some(parent) = queue.pop_front() {
        let Some(at) = builder.places.get(parent).copied() else { continue };
        for slot in &mut joints {
            if slot.as_ref().is_none_or(|joint| joint.parent != parent) {
                continue;
            }
            let Some(own) = slot.take() else { continue };
            let body = mass(source, links[own.child], own.child)?;
            match own.joint {
                None => {
                    builder.fixed(own.child, (at.0, at.1 * own.origin), body);
                }
                Some(joint) => {
                    builder.moving(own.child, at, vec![(own.origin, joint)], Pose::identity(), body);
                    if let Some(made) = builder.joints.last_mut() {
                        let [max_effort, max_speed] = own.most;
                        // Until it is known whether it is one.
                        made.motor = Some(ReadMotor { gear: 1.0, max_effort, max_speed, order: usize::MAX });
                    }
                }
            }
            queue.push_back(own.child);
        }
    }
    match joints.into_iter().flatten().next() {
        Some(joint) => {
            Err(source.fault(joint.node, format!("link `{}` does not hang on the root", short(joint.parent))))
        }
        None => Ok(()),
    }
}

type Closing = (String, JointType, [Place; 2]);

fn constraint(
    source: &Source<'_>,
    node: Node<'_, '_>,
    place: impl Fn(Node<'_, '_>, &str) -> Result<Place, ExchangeError>,
) -> Result<Closing, ExchangeError> {
    let name = source.required(node, "name")?;
    let kind = source.required(node, "type")?;
    let kind =
        match kind {
            "spherical" | "ball" => JointType::Spherical,
            "fixed" => JointType::Fixed,
            "revolute" | "continuous" => JointType::Revolute,
            "prismatic" => JointType::Prismatic,
            "cylindrical" => JointType::Cylindrical,
            _ => return Err(source.fault(
                node,
                format!(
                    "constraint `{}` is `{}`; read are spherical, fixed, revolute, prismatic and cylindrical",
                    short(name),
                    short(kind)
                ),
            )),
        };
    let end = |word: &str| -> Result<Place, ExchangeError> {
        let at = child(node, word)
            .ok_or_else(|| source.fault(node, format!("constraint `{}` has no <{word}>", short(name))))?;
        let (body, frame) = place(at, source.required(at, "link")?)?;
        let own = origin(source, child(node, &format!("{word}_origin")))?;
        let axes = match child(node, &format!("{word}_axis")) {
            Some(axis) => {
                let text = source.required(axis, "xyz")?;
                let axis = source.unit(axis, "xyz", source.exactly::<3>(axis, "xyz", text)?.into())?;
                Pose::new(frame_with_z(axis), V3::zero())
            }
            None => Pose::identity(),
        };
        Ok((body, frame * own * axes))
    };
    Ok((name.to_owned(), kind, [end("parent")?, end("child")?]))
}

/// The loops of the sidecar.
fn side_loops(side: &Sidecar, builder: &Builder) -> Result<Vec<Closing>, ExchangeError> {
    let Some(pairs) = side.get("closed_loop") else { return Ok(Vec::new()) };
    let kinds = side.words("type");
    let mut all = Vec::new();
    for (k, pair) in pairs.list().iter().enumerate() {
        let names: Vec<&str> = pair.list().iter().filter_map(Yaml::word).collect();
        let [a, b] = names.as_slice() else {
            return Err(side.fault(format!("loop {} of `closed_loop` is no pair of frames", k + 1)));
        };
        let place = |name: &str| {
            let found = builder.places.get(name).copied();
            found.ok_or_else(|| {
                side.fault(format!("`closed_loop` names `{}`, which is no link of the URDF", short(name)))
            })
        };
        let kind = match kinds.get(k).or(kinds.first()).copied().unwrap_or("6d").to_lowercase().as_str() {
            "3d" => JointType::Spherical,
            "6d" => JointType::Fixed,
            other => return Err(side.fault(format!("`type` has `{}`, not 3d or 6d", short(other)))),
        };
        let name = a.strip_suffix("_a").unwrap_or(a).to_owned();
        all.push((name, kind, [place(a)?, place(b)?]));
    }
    Ok(all)
}

/// Motors: those of the sidecar, of transmissions, or of `ros2_control`.
fn motors(builder: &mut Builder, side: &Sidecar, rest: &[Node<'_, '_>]) {
    let mut names: Vec<(String, f64)> = match side.get("name_mot") {
        Some(Yaml::Word(part)) => builder
            .joints
            .iter()
            .filter(|joint| joint.name.contains(part.as_str()))
            .map(|joint| (joint.name.clone(), 1.0))
            .collect(),
        Some(list) => list.list().iter().filter_map(Yaml::word).map(|name| (name.to_owned(), 1.0)).collect(),
        None => Vec::new(),
    };
    let gears: Vec<(&str, f64)> = side.get("gear").map(Yaml::numbers).unwrap_or_default();
    if names.is_empty() {
        for node in rest {
            match node.tag_name().name() {
                "transmission" => {
                    let gear = node.descendants().find(|one| one.tag_name().name() == "mechanicalReduction");
                    let gear =
                        gear.and_then(|gear| gear.text()?.trim().parse().ok()).filter(|gear| *gear != 0.0);
                    let joint = child(*node, "joint").and_then(|joint| joint.attribute("name"));
                    names.extend(joint.map(|joint| (joint.to_owned(), gear.unwrap_or(1.0))));
                }
                "ros2_control" => {
                    let driven = children(*node).filter(|joint| {
                        joint.tag_name().name() == "joint" && child(*joint, "command_interface").is_some()
                    });
                    names.extend(
                        driven.filter_map(|joint| joint.attribute("name")).map(|name| (name.to_owned(), 1.0)),
                    );
                }
                _ => {}
            }
        }
    }
    for joint in &mut builder.joints {
        let own = names.iter().position(|(name, _)| *name == joint.name);
        joint.motor = own.zip(joint.motor).map(|(order, motor)| {
            let gear =
                gears.iter().find(|(name, _)| *name == joint.name).map_or(names[order].1, |(_, gear)| *gear);
            ReadMotor { gear, order, ..motor }
        });
    }
}

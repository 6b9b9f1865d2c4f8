//! A robot from SDF: links, joints that may form loops, and Drake's ball constraints.

use super::super::ExchangeError;
use super::super::builder::{Builder, NewJoint, Place, ReadMotor};
use super::super::reading::{Source, child, children, inertia, pose_of_angles, pose_of_quaternion, short};
use super::PLATFORM;
use crate::mechanism::JointType;
use legwork_core::V3;
use legwork_core::engine::{Drive, Pose, RigidBody, frame_with_z};
use roxmltree::Node;
use std::collections::BTreeMap;

/// A limit from here on is none.
const NONE: f64 = 1e8;
/// Frames that hang on each other in longer chains than this, or in a circle, are refused.
const DEEPEST: usize = 150;

/// Links, joints and frames by their names.
struct Frames<'a, 'i> {
    nodes: BTreeMap<&'a str, Node<'a, 'i>>,
}

fn pose_in(source: &Source<'_>, node: Option<Node<'_, '_>>) -> Result<Pose<f64>, ExchangeError> {
    let Some(node) = node else { return Ok(Pose::identity()) };
    let text = node.text().unwrap_or_default();
    if node.attribute("rotation_format") == Some("quat_xyzw") {
        let [x, y, z, i, j, k, w]: [f64; 7] = source.exactly(node, "pose", text)?;
        return Ok(pose_of_quaternion([x, y, z], [w, i, j, k]));
    }
    if text.trim().is_empty() {
        return Ok(Pose::identity());
    }
    let [x, y, z, roll, pitch, yaw]: [f64; 6] = source.exactly(node, "pose", text)?;
    let degrees = node.attribute("degrees") == Some("true");
    let angles = [roll, pitch, yaw].map(|angle| if degrees { angle.to_radians() } else { angle });
    Ok(pose_of_angles([x, y, z], angles))
}

impl<'a> Frames<'a, '_> {
    /// Where a link, joint or frame is in that of the model.
    fn of(
        &self,
        name: &str,
        at: Node<'_, '_>,
        source: &Source<'_>,
        depth: usize,
    ) -> Result<Pose<f64>, ExchangeError> {
        if matches!(name, "__model__" | "world" | "") {
            return Ok(Pose::identity());
        }
        let node = *self
            .nodes
            .get(name)
            .ok_or_else(|| source.fault(at, format!("there is no frame `{}`", short(name))))?;
        if depth > DEEPEST {
            return Err(source.fault(node, format!("frame `{}` hangs on itself", short(name))));
        }
        let pose = child(node, "pose");
        let own = pose_in(source, pose)?;
        let relative = pose.and_then(|pose| pose.attribute("relative_to")).filter(|name| !name.is_empty());
        let base = match (relative, node.tag_name().name()) {
            (Some(relative), _) => relative,
            (None, "joint") => text(node, "child").unwrap_or("__model__"),
            (None, "frame") => node.attribute("attached_to").unwrap_or("__model__"),
            (None, _) => "__model__",
        };
        Ok(self.of(base, node, source, depth + 1)? * own)
    }

    /// The link that a frame is attached to.
    fn link(
        &self,
        name: &'a str,
        at: Node<'_, '_>,
        source: &Source<'_>,
        depth: usize,
    ) -> Result<&'a str, ExchangeError> {
        if matches!(name, "world" | "__model__") {
            return Ok("world");
        }
        let node = *self
            .nodes
            .get(name)
            .ok_or_else(|| source.fault(at, format!("there is no link `{}`", short(name))))?;
        if depth > DEEPEST {
            return Err(source.fault(node, format!("frame `{}` is attached to itself", short(name))));
        }
        match node.tag_name().name() {
            "frame" => {
                self.link(node.attribute("attached_to").unwrap_or("__model__"), node, source, depth + 1)
            }
            "joint" => self.link(text(node, "child").unwrap_or("__model__"), node, source, depth + 1),
            _ => Ok(name),
        }
    }
}

/// The text of an element within.
fn text<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    child(node, name).and_then(|one| one.text()).map(str::trim)
}

fn number(source: &Source<'_>, node: Option<Node<'_, '_>>, name: &str) -> Result<Option<f64>, ExchangeError> {
    let found = node.and_then(|node| child(node, name));
    let Some(found) = found else { return Ok(None) };
    let text = found.text().unwrap_or_default().trim();
    // Infinity is no limit.
    if matches!(text.trim_start_matches('-').to_lowercase().as_str(), "inf" | "infinity") {
        return Ok(None);
    }
    source.number(found, name, text).map(Some)
}

fn mass(source: &Source<'_>, link: Node<'_, '_>, name: &str) -> Result<RigidBody<f64>, ExchangeError> {
    let Some(own) = child(link, "inertial") else {
        let what = format!("link `{}` has no <inertial>: SDF would give it 1 kg", short(name));
        return Err(source.fault_with(link, what, "write its mass, or <mass>0</mass>"));
    };
    if own.attribute("auto") == Some("true") {
        return Err(source.fault_with(own, "inertia from shapes (`auto`) is not read", "write it out"));
    }
    let place = pose_in(source, child(own, "pose"))?;
    let mass =
        number(source, Some(own), "mass")?.ok_or_else(|| source.fault(own, "<inertial> has no <mass>"))?;
    let about = child(own, "inertia");
    let of = |key: &str, none: f64| number(source, about, key).map(|value| value.unwrap_or(none));
    // Without inertia a link of SDF has one of 1 kg m².
    let one = if about.is_some() { 0.0 } else { 1.0 };
    let about = inertia(
        [of("ixx", one)?, of("iyy", one)?, of("izz", one)?],
        [of("ixy", 0.0)?, of("ixz", 0.0)?, of("iyz", 0.0)?],
    );
    let about = if mass == 0.0 { inertia([0.0; 3], [0.0; 3]) } else { about };
    source.checked(own, name, RigidBody { mass, centre: V3::zero(), inertia: about }.seen_from(&place))
}

pub(in super::super) fn read(file: &str, root: Node<'_, '_>) -> Result<Builder, ExchangeError> {
    let mut source = Source::new(file);
    if let Some(node) = root.descendants().find(|node| node.tag_name().name() == "include") {
        return Err(source.fault_with(
            node,
            "<include> is not read",
            "put the files together: `gz sdf -p FILE`",
        ));
    }
    let world = child(root, "world");
    let within = world.unwrap_or(root);
    let models: Vec<Node<'_, '_>> =
        children(within).filter(|node| node.tag_name().name() == "model").collect();
    let [model] = models.as_slice() else {
        return Err(source.fault(root, format!("there are {} models; one is read", models.len())));
    };
    let model = *model;
    let mut builder = Builder::new(model.attribute("name").unwrap_or("imported"));
    if let Some(node) = world.and_then(|world| child(world, "gravity")) {
        builder.gravity = source.exactly::<3>(node, "gravity", node.text().unwrap_or_default())?.into();
    }
    let mut frames = Frames { nodes: BTreeMap::new() };
    let (mut links, mut joints, mut balls, mut own) = (Vec::new(), Vec::new(), Vec::new(), None);
    for node in children(model) {
        let kind = node.tag_name().name();
        if matches!(kind, "link" | "joint" | "frame") {
            let name = source.required(node, "name")?;
            if frames.nodes.insert(name, node).is_some() {
                return Err(source.fault(node, format!("the name `{}` is there twice", short(name))));
            }
        }
        match kind {
            "link" => {
                for part in
                    children(node).filter(|part| !matches!(part.tag_name().name(), "inertial" | "pose"))
                {
                    source.drop(part);
                }
                links.push(node);
            }
            "joint" => joints.push(node),
            "ball_constraint" => balls.push(node),
            "robot" => own = Some(node),
            "static" if matches!(node.text().map(str::trim), Some("true" | "1")) => {
                return Err(source.fault(node, "the model is static: nothing of it moves"));
            }
            "frame" | "pose" | "static" => {}
            "model" => return Err(source.fault(node, "a model within a model is not read")),
            _ => source.drop(node),
        }
    }
    let placed = pose_in(&source, child(model, "pose"))?;
    let homes = pairs(&source, own, "home")?;
    let armatures = pairs(&source, own, "armature")?;
    let version = root.attribute("version").and_then(|text| text.trim().parse::<f64>().ok());
    let mut reading = Reading {
        source: &source,
        frames: &frames,
        builder: &mut builder,
        placed,
        homes,
        armatures,
        axes_of_model: version.is_some_and(|version| version < 1.45),
    };
    reading.all(&links, joints)?;
    for (k, ball) in balls.iter().enumerate() {
        reading.ball(*ball, k)?;
    }
    if let Some(node) = frames.nodes.get(PLATFORM) {
        let link = frames.link(PLATFORM, *node, &source, 0)?;
        let seen = frames.of(link, *node, &source, 0)?.inverse() * frames.of(PLATFORM, *node, &source, 0)?;
        builder.platform = builder.places.get(link).map(|(body, frame)| (*body, *frame * seen));
    }
    if let Some(own) = own {
        let words = |key: &str| own.attribute(key).unwrap_or_default().split_whitespace();
        builder.freedoms = words("freedoms").map(str::to_owned).collect();
        let motors: Vec<&str> = words("motors").collect();
        for joint in &mut builder.joints {
            if let (Some(motor), Some(order)) =
                (&mut joint.motor, motors.iter().position(|name| *name == joint.name))
            {
                motor.order = order;
            }
        }
        if let Some(text) = own.attribute("gravity") {
            builder.gravity = source.exactly::<3>(own, "gravity", text)?.into();
        }
    }
    builder.notes.extend(source.dropped_note());
    Ok(builder)
}

/// Names with numbers in an attribute.
fn pairs<'a>(
    source: &Source<'_>,
    node: Option<Node<'a, '_>>,
    key: &str,
) -> Result<BTreeMap<&'a str, f64>, ExchangeError> {
    let Some((node, text)) = node.and_then(|node| Some((node, node.attribute(key)?))) else {
        return Ok(BTreeMap::new());
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    words
        .chunks(2)
        .map(|pair| match pair {
            [name, value] => Ok((*name, source.number(node, key, value)?)),
            _ => Err(source.fault(node, format!("`{key}` needs a number after each name"))),
        })
        .collect()
}

struct Reading<'r, 'a, 'i, 's> {
    source: &'r Source<'s>,
    frames: &'r Frames<'a, 'i>,
    builder: &'r mut Builder,
    placed: Pose<f64>,
    homes: BTreeMap<&'a str, f64>,
    armatures: BTreeMap<&'a str, f64>,
    /// Whether axes of joints are those of the model where nothing else is said.
    axes_of_model: bool,
}

impl<'a, 'i> Reading<'_, 'a, 'i, '_> {
    /// Links and joints, from the world on; what is left over closes loops, or floats.
    fn all(&mut self, links: &[Node<'a, 'i>], joints: Vec<Node<'a, 'i>>) -> Result<(), ExchangeError> {
        self.builder.places.insert("world".into(), (None, self.placed));
        let mut left = joints;
        loop {
            let mut later = Vec::new();
            let before = left.len();
            for node in left {
                let [parent, child] = self.ends(node)?;
                if !self.builder.places.contains_key(parent) {
                    later.push(node);
                } else if self.builder.places.contains_key(child) {
                    self.closing(node, parent, child)?;
                } else {
                    self.joint(node, parent, child)?;
                }
            }
            left = later;
            if left.is_empty() || left.len() == before {
                // A link that no joint holds floats, and others may hang on it.
                let floating = links.iter().find(|link| {
                    let name = link.attribute("name").unwrap_or_default();
                    let is_child =
                        left.iter().any(|joint| self.ends(*joint).is_ok_and(|ends| ends[1] == name));
                    !self.builder.places.contains_key(name) && !is_child
                });
                match floating {
                    Some(link) => {
                        let name = link.attribute("name").unwrap_or_default();
                        let body = mass(self.source, *link, name)?;
                        let home = self.placed * self.frames.of(name, *link, self.source, 0)?;
                        self.builder.free(name, home, body);
                    }
                    None if left.is_empty() => return Ok(()),
                    None => {
                        return Err(self
                            .source
                            .fault(left[0], "joints hold each other in a circle: none hangs on the world"));
                    }
                }
            }
        }
    }

    fn ends(&self, node: Node<'a, 'i>) -> Result<[&'a str; 2], ExchangeError> {
        let end = |word: &str| {
            let name = text(node, word)
                .ok_or_else(|| self.source.fault(node, format!("a joint has no <{word}>")))?;
            self.frames.link(name, node, self.source, 0)
        };
        Ok([end("parent")?, end("child")?])
    }

    /// The frame of a joint in a link.
    fn seen(&self, node: Node<'a, 'i>, link: &str) -> Result<Pose<f64>, ExchangeError> {
        let name = node.attribute("name").unwrap_or_default();
        let link = self.frames.of(link, node, self.source, 0)?;
        Ok(link.inverse() * self.frames.of(name, node, self.source, 0)?)
    }

    /// An axis of a joint, in the joint's frame.
    fn axis(&self, node: Node<'a, 'i>, word: &str) -> Result<V3<f64>, ExchangeError> {
        let at = child(node, word).and_then(|axis| child(axis, "xyz"));
        let Some(at) = at else { return Ok(V3::along_z(1.0)) };
        let axis = V3::from(self.source.exactly::<3>(at, "xyz", at.text().unwrap_or_default())?);
        let axis = self.source.unit(at, "xyz", axis)?;
        let expressed = at.attribute("expressed_in").filter(|name| !name.is_empty());
        // Until 1.4 axes were those of the model, until 1.6 if the file says so.
        let of_model = child(node, word).and_then(|axis| text(axis, "use_parent_model_frame"));
        let of_model = of_model.map_or(self.axes_of_model, |word| matches!(word, "true" | "1"));
        match expressed.or(of_model.then_some("__model__")) {
            None => Ok(axis),
            Some(other) => {
                let name = node.attribute("name").unwrap_or_default();
                let own = self.frames.of(name, node, self.source, 0)?.rotation;
                Ok(own.transpose() * (self.frames.of(other, at, self.source, 0)?.rotation * axis))
            }
        }
    }

    /// The joints of one freedom that a joint is made of.
    fn made(&self, node: Node<'a, 'i>) -> Result<Vec<NewJoint>, ExchangeError> {
        let name = node.attribute("name").unwrap_or_default();
        let kind = self.source.required(node, "type")?;
        let one = |name: &str, kind, word: &str| -> Result<NewJoint, ExchangeError> {
            let mut joint = NewJoint::new(name, kind, self.axis(node, word)?);
            let at = child(node, word);
            let limit = at.and_then(|axis| child(axis, "limit"));
            let dynamics = at.and_then(|axis| child(axis, "dynamics"));
            let ends = |value: Option<f64>| value.filter(|value| value.abs() < NONE);
            joint.min = ends(number(self.source, limit, "lower")?);
            joint.max = ends(number(self.source, limit, "upper")?);
            joint.drive = Drive {
                viscous: number(self.source, dynamics, "damping")?.unwrap_or(0.0),
                coulomb: number(self.source, dynamics, "friction")?.unwrap_or(0.0),
                inertia: self.armatures.get(name).copied().unwrap_or(0.0),
                ..Drive::ideal()
            };
            joint.home = self.homes.get(name).copied().unwrap_or(0.0);
            Ok(joint)
        };
        Ok(match kind {
            "revolute" | "continuous" => {
                let mut joint = one(name, JointType::Revolute, "axis")?;
                if kind == "continuous" {
                    (joint.min, joint.max) = (None, None);
                }
                vec![joint]
            }
            "prismatic" => vec![one(name, JointType::Prismatic, "axis")?],
            "universal" | "revolute2" => vec![
                one(&format!("{name}_1"), JointType::Revolute, "axis")?,
                one(&format!("{name}_2"), JointType::Revolute, "axis2")?,
            ],
            "ball" => vec![NewJoint::new(name, JointType::Spherical, V3::along_z(1.0))],
            "fixed" => Vec::new(),
            other => {
                return Err(self.source.fault(
                    node,
                    format!("joint `{}` is a `{}`, which legwork has not", short(name), short(other)),
                ));
            }
        })
    }

    fn joint(
        &mut self,
        node: Node<'a, 'i>,
        parent: &'a str,
        child_name: &'a str,
    ) -> Result<(), ExchangeError> {
        let made = self.made(node)?;
        let [before, after] = [self.seen(node, parent)?, self.seen(node, child_name)?.inverse()];
        let Some((at, link)) =
            self.builder.places.get(parent).copied().zip(self.frames.nodes.get(child_name).copied())
        else {
            return Err(self.source.fault(node, format!("there is no link `{}`", short(child_name))));
        };
        let body = if child_name == super::GROUND && child(link, "inertial").is_none() {
            RigidBody::massless()
        } else {
            mass(self.source, link, child_name)?
        };
        if made.is_empty() {
            self.builder.fixed(child_name, (at.0, at.1 * before * after), body);
            return Ok(());
        }
        let steps = made.into_iter().enumerate();
        let steps = steps.map(|(k, joint)| (if k == 0 { before } else { Pose::identity() }, joint)).collect();
        self.builder.moving(child_name, at, steps, after, body);
        let axis = child(node, "axis");
        let spring = number(self.source, axis.and_then(|axis| child(axis, "dynamics")), "spring_stiffness")?;
        if spring.is_some_and(|stiffness| stiffness != 0.0) {
            let name = short(node.attribute("name").unwrap_or_default());
            self.builder.notes.push(format!("Joint `{name}` has a spring, which is not taken over."));
        }
        let limit = axis.and_then(|axis| child(axis, "limit"));
        let effort = number(self.source, limit, "effort")?;
        let speed = number(self.source, limit, "velocity")?.filter(|speed| *speed > 0.0 && *speed < NONE);
        let rotor = number(self.source, Some(node), "rotor_inertia")?.unwrap_or(0.0);
        let gear = number(self.source, Some(node), "gear_ratio")?.filter(|gear| *gear != 0.0).unwrap_or(1.0);
        if let Some(made) = self.builder.joints.last_mut()
            && effort.is_some_and(|effort| effort != 0.0)
            && matches!(made.kind, JointType::Revolute | JointType::Prismatic)
        {
            made.drive.inertia += rotor * gear * gear;
            let max_effort = effort.filter(|effort| *effort > 0.0 && *effort < NONE);
            made.motor = Some(ReadMotor { gear, max_effort, max_speed: speed, order: usize::MAX - 1 });
        }
        Ok(())
    }

    /// A joint between links that both hang already.
    fn closing(&mut self, node: Node<'a, 'i>, parent: &'a str, child: &'a str) -> Result<(), ExchangeError> {
        let name = node.attribute("name").unwrap_or_default();
        let made = self.made(node)?;
        let axes = |joint: &NewJoint| Pose::new(frame_with_z(joint.axis), V3::zero());
        let (kind, axes) = match made.as_slice() {
            [] => (JointType::Fixed, Pose::identity()),
            [joint] if joint.kind == JointType::Spherical => (JointType::Spherical, Pose::identity()),
            [joint] => (joint.kind, axes(joint)),
            _ => {
                return Err(self.source.fault(
                    node,
                    format!(
                        "joint `{}` closes a loop: make it revolute, prismatic, ball or fixed",
                        short(name)
                    ),
                ));
            }
        };
        let end = |link: &str| -> Result<Place, ExchangeError> {
            let (body, frame) = self.builder.places.get(link).copied().unwrap_or((None, self.placed));
            Ok((body, frame * self.seen(node, link)? * axes))
        };
        let ends = [end(parent)?, end(child)?];
        self.builder.close(name, kind, ends);
        Ok(())
    }

    fn ball(&mut self, node: Node<'a, 'i>, number: usize) -> Result<(), ExchangeError> {
        let of = |word: &str| {
            let word = format!("ball_constraint_{word}");
            child(node, &word).ok_or_else(|| self.source.fault(node, format!("drake:{word} is missing")))
        };
        let end = |body: &str, point: &str| -> Result<Place, ExchangeError> {
            let at = of(point)?;
            let point = self.source.exactly::<3>(at, "point", at.text().unwrap_or_default())?;
            let at = of(body)?;
            let name = at.text().unwrap_or_default().trim();
            let place = self.builder.places.get(name).copied();
            let (body, frame) =
                place.ok_or_else(|| self.source.fault(at, format!("there is no link `{}`", short(name))))?;
            Ok((body, frame * Pose::translation(point.into())))
        };
        let ends = [end("body_A", "p_AP")?, end("body_B", "p_BQ")?];
        self.builder.meet(&format!("loop{}", number + 1), ends);
        Ok(())
    }
}

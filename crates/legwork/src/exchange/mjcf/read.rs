//! A robot from MJCF.

use super::super::ExchangeError;
use super::super::builder::{Builder, NewJoint, Place, ReadMotor};
use super::super::reading::{Source, child, children, inertia, pose_of_quaternion, short};
use super::settings::Settings;
use super::{FLOOR, FREEDOMS, MASSLESS, PLATFORM, SITE, geoms};
use crate::mechanism::JointType;
use legwork_core::engine::{Drive, Pose, RigidBody};
use legwork_core::{Sym3, V3};
use roxmltree::Node;
use std::collections::BTreeMap;

/// A limit from here on is none.
const FAR: f64 = 1e8;

struct Reading<'t, 's> {
    settings: Settings<'t>,
    source: Source<'s>,
    builder: Builder,
    /// Numbers of the first key frame that are not used yet.
    qpos: Option<std::collections::VecDeque<f64>>,
    sites: BTreeMap<String, Place>,
    /// Frames of bodies where the file draws them, in the world.
    drawn: BTreeMap<String, Pose<f64>>,
    massless: Vec<String>,
    floors: BTreeMap<String, f64>,
    springs: usize,
}

pub(in super::super) fn read(file: &str, root: Node<'_, '_>) -> Result<Builder, ExchangeError> {
    let mut source = Source::new(file);
    let included = root.descendants().find(|node| {
        node.is_element()
            && matches!(node.tag_name().name(), "include" | "attach" | "replicate" | "composite" | "flexcomp")
    });
    if let Some(node) = included {
        let name = node.tag_name().name();
        return Err(source.fault_with(
            node,
            format!("<{name}> is not read"),
            "load the file in MuJoCo and save it as one: `mujoco.mj_saveLastXML(\"whole.xml\", model)`",
        ));
    }
    let settings = Settings::read(root, &mut source)?;
    settings.check_classes(root, &source)?;
    let mut reading = Reading {
        settings,
        source,
        builder: Builder::new(root.attribute("model").unwrap_or("imported")),
        qpos: None,
        sites: BTreeMap::new(),
        drawn: BTreeMap::new(),
        massless: Vec::new(),
        floors: BTreeMap::new(),
        springs: 0,
    };
    reading.whole(root)?;
    let Reading { mut builder, source, springs, .. } = reading;
    builder.notes.extend(source.dropped_note());
    if springs > 0 {
        builder.notes.push(format!("{springs} joints have springs, which are not taken over."));
    }
    Ok(builder)
}

impl<'t> Reading<'t, '_> {
    fn whole(&mut self, root: Node<'t, '_>) -> Result<(), ExchangeError> {
        let mut marked = None;
        for node in children(root) {
            match node.tag_name().name() {
                "option" => self.option(node)?,
                "custom" => marked = self.custom(node)?.or(marked),
                "keyframe" => {
                    let key = children(node).find(|key| key.attribute("name") == Some("home"));
                    if let Some(key) = key.or_else(|| children(node).next())
                        && let Some(text) = key.attribute("qpos")
                    {
                        self.qpos = Some(self.source.numbers(key, "qpos", text)?.into());
                    }
                }
                "worldbody" | "equality" | "actuator" | "compiler" | "default" => {}
                _ => self.source.drop(node),
            }
        }
        let ground = (None, Pose::identity());
        for node in children(root).filter(|node| node.tag_name().name() == "worldbody") {
            let class = node.attribute("childclass");
            self.inside(node, ground, Pose::identity(), Pose::identity(), class)?;
        }
        if let Some((key, left)) = self.qpos.as_ref().map(|left| (child(root, "keyframe"), left.len()))
            && left > 0
            && let Some(key) = key
        {
            return Err(self
                .source
                .fault(key, format!("`qpos` has {left} numbers more than the joints need")));
        }
        for node in children(root) {
            match node.tag_name().name() {
                "equality" => {
                    for closing in children(node) {
                        self.closing(closing)?;
                    }
                }
                "actuator" => self.actuators(node)?,
                _ => {}
            }
        }
        let body = marked.and_then(|name| self.builder.places.get(&name).copied());
        self.builder.platform = self.sites.get(SITE).copied().or(body);
        Ok(())
    }

    fn option(&mut self, node: Node<'t, '_>) -> Result<(), ExchangeError> {
        if let Some(text) = node.attribute("gravity") {
            self.builder.gravity = self.source.exactly::<3>(node, "gravity", text)?.into();
        }
        for key in ["density", "viscosity", "wind"] {
            let numbers = self.source.numbers(node, key, node.attribute(key).unwrap_or_default())?;
            if numbers.iter().any(|number| *number != 0.0) {
                let note = format!("Forces of air or water (`{key}` of <option>) are not taken over.");
                self.builder.notes.push(note);
            }
        }
        for flag in children(node).filter(|flag| flag.tag_name().name() == "flag") {
            let is_off = |key: &str| flag.attribute(key) == Some("disable");
            if is_off("gravity") {
                self.builder.gravity = V3::zero();
                self.builder.notes.push("Gravity is off, as <flag> says.".into());
            }
            if is_off("equality") {
                return Err(self.source.fault(flag, "<flag> takes all loops away (`equality=\"disable\"`)"));
            }
            for key in ["passive", "damper", "frictionloss", "limit"].into_iter().filter(|key| is_off(key)) {
                let note =
                    format!("<flag> disables `{key}`: what the joints say of it is taken over all the same.");
                self.builder.notes.push(note);
            }
        }
        Ok(())
    }

    fn custom(&mut self, node: Node<'t, '_>) -> Result<Option<String>, ExchangeError> {
        let mut platform = None;
        for text in children(node) {
            let data = text.attribute("data").unwrap_or_default();
            match text.attribute("name") {
                Some(PLATFORM) => platform = Some(data.to_owned()),
                Some(FREEDOMS) => {
                    self.builder.freedoms = data.split_whitespace().map(str::to_owned).collect();
                }
                Some(MASSLESS) => self.massless = data.split_whitespace().map(str::to_owned).collect(),
                Some(FLOOR) => {
                    let words: Vec<&str> = data.split_whitespace().collect();
                    for pair in words.chunks(2) {
                        if let [name, value] = pair {
                            let value = self.source.number(text, "data", value)?;
                            self.floors.insert((*name).to_owned(), value);
                        }
                    }
                }
                _ => self.source.drop(text),
            }
        }
        Ok(platform)
    }

    /// What stands in a body, or in a frame of it: its frame in the body's, and where the file draws the body.
    fn inside(
        &mut self,
        node: Node<'t, '_>,
        place: Place,
        frame: Pose<f64>,
        drawn: Pose<f64>,
        class: Option<&'t str>,
    ) -> Result<(), ExchangeError> {
        for one in children(node) {
            match one.tag_name().name() {
                "body" => self.body(one, (place.0, place.1 * frame), drawn * frame, class)?,
                "frame" => {
                    let inner = frame * self.settings.placed(one, class, &self.source)?;
                    let class = one.attribute("childclass").or(class);
                    self.inside(one, place, inner, drawn, class)?;
                }
                "site" => {
                    let at = frame * self.settings.placed(one, class, &self.source)?;
                    if let Some(name) = one.attribute("name") {
                        self.sites.insert(name.into(), (place.0, place.1 * at));
                    }
                }
                "joint" | "freejoint" | "inertial" | "geom" => {}
                _ => self.source.drop(one),
            }
        }
        Ok(())
    }

    fn body(
        &mut self,
        node: Node<'t, '_>,
        at: Place,
        drawn: Pose<f64>,
        class: Option<&'t str>,
    ) -> Result<(), ExchangeError> {
        let name = match node.attribute("name") {
            Some(name) => name.to_owned(),
            None => format!("body{}", self.builder.places.len() + 1),
        };
        if self.builder.places.contains_key(&name) {
            return Err(self.source.fault(node, format!("body `{}` is there twice", short(&name))));
        }
        let frame = self.settings.placed(node, None, &self.source)?;
        let class = node.attribute("childclass").or(class);
        let drawn = drawn * frame;
        self.drawn.insert(name.clone(), drawn);
        let (mut joints, mut free) = (Vec::new(), None);
        self.joints(node, Pose::identity(), class, &mut joints, &mut free)?;
        let is_still = at.0.is_none() && joints.is_empty() && free.is_none();
        let body = match self.mass(node, &name, class) {
            // What stands still may have a mass that nobody knows.
            Err(_) if is_still => RigidBody::massless(),
            found => found?,
        };
        if !is_still {
            self.check_least(node, &name, &body)?;
            if node.attribute("gravcomp").is_some_and(|text| text.trim().parse() != Ok(0.0)) {
                let note = format!(
                    "Body `{}` is held against its weight (`gravcomp`), which is not taken over.",
                    short(&name)
                );
                self.builder.notes.push(note);
            }
        }
        let place = if let Some(pose) = free {
            if !joints.is_empty() || at.0.is_some() {
                return Err(self.source.fault(
                    node,
                    format!("body `{}`: a free joint stands alone and in the world", short(&name)),
                ));
            }
            self.builder.free(&name, pose.unwrap_or(at.1 * frame), body)
        } else if joints.is_empty() {
            self.builder.fixed(&name, (at.0, at.1 * frame), body)
        } else {
            if body.mass <= 0.0 && !self.massless.contains(&name) && !has_mass_below(node) {
                return Err(self.source.fault_with(
                    node,
                    format!("body `{}` moves and has no mass", short(&name)),
                    "give it an <inertial>, or shapes with a mass",
                ));
            }
            // From the frame of the body to that of each joint, and back to that of the body at the end.
            let mut steps: Vec<(Pose<f64>, NewJoint)> = Vec::new();
            let mut before = frame;
            for (point, joint) in joints {
                let here = Pose::translation(point);
                steps.push((before * here, joint));
                before = here.inverse();
            }
            self.builder.moving(&name, at, steps, before, body)
        };
        self.inside(node, place, Pose::identity(), drawn, class)
    }

    /// Refuses a body whose mass or inertia MuJoCo would raise.
    fn check_least(
        &self,
        node: Node<'t, '_>,
        name: &str,
        body: &RigidBody<f64>,
    ) -> Result<(), ExchangeError> {
        let [mass, inertia] = self.settings.least;
        // A trillionth: rounding of what is exactly at its bound.
        let (key, bound) = if body.mass < mass * (1.0 - 1e-12) {
            ("boundmass", mass)
        } else if body.principal_moments().z < inertia * (1.0 - 1e-12) {
            ("boundinertia", inertia)
        } else {
            return Ok(());
        };
        let what = format!("body `{}` has less than the {bound} that `{key}` raises it to", short(name));
        Err(self.source.fault_with(
            node,
            what,
            "write it out: give the body an <inertial> with what it shall have",
        ))
    }

    /// The joints of a body, also within frames of it, each with its point.
    #[allow(clippy::option_option)] // none: no free joint; some of none: one without a key frame
    fn joints(
        &mut self,
        node: Node<'t, '_>,
        frame: Pose<f64>,
        class: Option<&'t str>,
        joints: &mut Vec<(V3<f64>, NewJoint)>,
        free: &mut Option<Option<Pose<f64>>>,
    ) -> Result<(), ExchangeError> {
        for one in children(node) {
            match one.tag_name().name() {
                "frame" => {
                    let inner = frame * self.settings.placed(one, class, &self.source)?;
                    self.joints(one, inner, one.attribute("childclass").or(class), joints, free)?;
                }
                "freejoint" => *free = Some(self.free_pose(one)?),
                "joint" if self.settings.get(one, class, "type") == Some("free") => {
                    *free = Some(self.free_pose(one)?);
                }
                "joint" => joints.push(self.joint(one, frame, class)?),
                _ => {}
            }
        }
        Ok(())
    }

    /// The next numbers of the key frame.
    fn next<const N: usize>(&mut self, node: Node<'_, '_>) -> Result<Option<[f64; N]>, ExchangeError> {
        let Some(left) = &mut self.qpos else { return Ok(None) };
        let found: Vec<f64> = left.drain(..N.min(left.len())).collect();
        let found: Result<[f64; N], _> = found.try_into();
        found.map(Some).map_err(|_| {
            self.source.fault(node, "the key frame has too few numbers in `qpos` for this joint")
        })
    }

    fn free_pose(&mut self, node: Node<'_, '_>) -> Result<Option<Pose<f64>>, ExchangeError> {
        Ok(self.next::<7>(node)?.map(|[x, y, z, w, i, j, k]| pose_of_quaternion([x, y, z], [w, i, j, k])))
    }

    fn joint(
        &mut self,
        node: Node<'t, '_>,
        frame: Pose<f64>,
        class: Option<&'t str>,
    ) -> Result<(V3<f64>, NewJoint), ExchangeError> {
        let name = node.attribute("name").map_or_else(
            || format!("joint{}", self.builder.joints.len() + 1 + node.range().start),
            str::to_owned,
        );
        let text = |key: &str| self.settings.get(node, class, key);
        let kind = match text("type").unwrap_or("hinge") {
            "hinge" => JointType::Revolute,
            "slide" => JointType::Prismatic,
            "ball" => JointType::Spherical,
            other => {
                return Err(self.source.fault(
                    node,
                    format!("joint `{}` is a `{}`, which is no joint", short(&name), short(other)),
                ));
            }
        };
        let vector = |key: &str, none: [f64; 3]| {
            text(key).map_or(Ok(none), |value| self.source.exactly::<3>(node, key, value))
        };
        let number = |key: &str| text(key).map_or(Ok(0.0), |value| self.source.number(node, key, value));
        let point = frame.of(vector("pos", [0.0; 3])?.into());
        let axis =
            frame.rotation * self.source.unit(node, "axis", vector("axis", [0.0, 0.0, 1.0])?.into())?;
        let turns = kind == JointType::Revolute;
        let angle = |value: f64| if turns { self.settings.angle(value) } else { value };
        let mut joint = NewJoint::new(&name, kind, axis);
        joint.reference = angle(number("ref")?);
        joint.home = joint.reference;
        joint.drive = Drive {
            inertia: number("armature")?,
            viscous: number("damping")?,
            coulomb: number("frictionloss")?,
            ..Drive::ideal()
        };
        let is_limited = match text("limited") {
            Some("true") => true,
            Some("false") => false,
            _ => self.settings.autolimits && text("range").is_some(),
        };
        if is_limited && kind == JointType::Spherical {
            let note = format!("Ball joint `{}`: its `range` is not taken over.", short(&name));
            self.builder.notes.push(note);
        } else if is_limited {
            let [min, max] =
                text("range").map_or(Ok([0.0; 2]), |value| self.source.exactly::<2>(node, "range", value))?;
            (joint.min, joint.max) =
                (Some(angle(min)).filter(|min| *min > -FAR), Some(angle(max)).filter(|max| *max < FAR));
        }
        if text("actuatorfrcrange").is_some() && text("actuatorfrclimited") != Some("false") {
            let note = format!("Joint `{}`: its `actuatorfrcrange` is not taken over.", short(&name));
            self.builder.notes.push(note);
        }
        if number("stiffness").is_ok_and(|stiffness| stiffness > 0.0) {
            self.springs += 1;
        }
        if kind == JointType::Spherical {
            let d = joint.drive;
            if d.inertia > 0.0 || d.viscous > 0.0 || d.coulomb > 0.0 {
                self.builder.notes.push(format!(
                    "Ball joint `{}`: its armature and friction are not taken over.",
                    short(&name)
                ));
                joint.drive = Drive::ideal();
            }
            if let Some(quaternion) = self.next::<4>(node)? {
                joint.turn = pose_of_quaternion([0.0; 3], quaternion);
            }
        } else if let Some([value]) = self.next::<1>(node)? {
            joint.home = value;
        }
        Ok((point, joint))
    }

    fn mass(
        &self,
        node: Node<'t, '_>,
        name: &str,
        class: Option<&'t str>,
    ) -> Result<RigidBody<f64>, ExchangeError> {
        let source = &self.source;
        if self.massless.iter().any(|own| own == name) {
            return Ok(RigidBody::massless());
        }
        let inertial = child(node, "inertial");
        if let Some(own) = inertial.filter(|_| self.settings.from_geoms != "true") {
            let mass = source.number(own, "mass", source.required(own, "mass")?)?;
            let place = self.settings.placed(own, None, source)?;
            let about = match (own.attribute("fullinertia"), own.attribute("diaginertia")) {
                (Some(text), _) => {
                    let [xx, yy, zz, xy, xz, yz]: [f64; 6] = source.exactly(own, "fullinertia", text)?;
                    inertia([xx, yy, zz], [xy, xz, yz])
                }
                (None, Some(text)) => inertia(source.exactly(own, "diaginertia", text)?, [0.0; 3]),
                (None, None) => {
                    return Err(source.fault(
                        own,
                        format!("body `{}`: <inertial> needs `diaginertia` or `fullinertia`", short(name)),
                    ));
                }
            };
            let added = self.floors.get(name).copied().unwrap_or(0.0);
            let about = about + Sym3::scalar(-added);
            let body = RigidBody { mass, centre: V3::zero(), inertia: about }.seen_from(&place);
            // What was put on a thin rod comes off but for rounding.
            return if added > 0.0 { Ok(body) } else { source.checked(own, name, body) };
        }
        if self.settings.from_geoms == "false" {
            return Ok(RigidBody::massless());
        }
        let mut all = RigidBody::massless();
        self.shapes(node, Pose::identity(), class, &mut all)?;
        source.checked(node, name, all)
    }

    fn shapes(
        &self,
        node: Node<'t, '_>,
        frame: Pose<f64>,
        class: Option<&'t str>,
        all: &mut RigidBody<f64>,
    ) -> Result<(), ExchangeError> {
        for one in children(node) {
            match one.tag_name().name() {
                "geom" => {
                    if let Some(body) = geoms::body(&self.settings, one, class, &self.source)? {
                        *all = all.joined(&body.seen_from(&frame));
                    }
                }
                "frame" => {
                    let inner = frame * self.settings.placed(one, class, &self.source)?;
                    self.shapes(one, inner, one.attribute("childclass").or(class), all)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A body of the file: its place, and where it is drawn.
    fn named(&self, node: Node<'t, '_>, key: &str) -> Result<(Place, Pose<f64>), ExchangeError> {
        let Some(name) = node.attribute(key).filter(|name| *name != "world") else {
            return Ok(((None, Pose::identity()), Pose::identity()));
        };
        let place = self.builder.places.get(name).copied().zip(self.drawn.get(name).copied());
        place.ok_or_else(|| self.source.fault(node, format!("there is no body `{}`", short(name))))
    }

    fn site(&self, node: Node<'t, '_>, key: &str) -> Result<Place, ExchangeError> {
        let name = self.source.required(node, key)?;
        self.sites
            .get(name)
            .copied()
            .ok_or_else(|| self.source.fault(node, format!("there is no site `{}`", short(name))))
    }

    fn closing(&mut self, node: Node<'t, '_>) -> Result<(), ExchangeError> {
        let kind = node.tag_name().name();
        let name =
            node.attribute("name").map_or_else(|| format!("loop{}", node.range().start), str::to_owned);
        if self.settings.get(node, None, "active") == Some("false") {
            self.builder
                .notes
                .push(format!("Constraint `{}` is not active and not taken over.", short(&name)));
            return Ok(());
        }
        if !matches!(kind, "connect" | "weld") {
            return Err(self.source.fault_with(
                node,
                format!("<{kind}> in <equality> is not read: without it the robot would be another one"),
                "closings of loops are <connect> and <weld>",
            ));
        }
        let by_sites = node.attribute("site1").is_some();
        let ends = if by_sites {
            [self.site(node, "site1")?, self.site(node, "site2")?]
        } else {
            let ((one, first), (other, second)) = (self.named(node, "body1")?, self.named(node, "body2")?);
            // What is given in the first body holds in the second where the file draws it.
            let text = if kind == "weld" { node.attribute("relpose") } else { None };
            let relative = text.map(|text| self.source.exactly::<7>(node, "relpose", text)).transpose()?;
            let relative = relative.filter(|numbers| numbers[3..].iter().any(|x| *x != 0.0));
            let seen = match relative {
                Some([x, y, z, w, i, j, k]) => pose_of_quaternion([x, y, z], [w, i, j, k]),
                None => first.inverse() * second,
            };
            if kind == "connect" {
                let anchor: [f64; 3] =
                    self.source.exactly(node, "anchor", self.source.required(node, "anchor")?)?;
                let here = Pose::translation(anchor.into());
                [(one.0, one.1 * here), (other.0, other.1 * (second.inverse() * first * here))]
            } else {
                [(one.0, one.1 * seen), other]
            }
        };
        if kind == "connect" {
            self.builder.meet(&name, ends);
        } else {
            self.builder.weld(&name, ends);
        }
        Ok(())
    }

    fn actuators(&mut self, node: Node<'t, '_>) -> Result<(), ExchangeError> {
        for (order, one) in children(node).enumerate() {
            let Some(name) = one.attribute("joint").or_else(|| one.attribute("jointinparent")) else {
                self.source.drop(one);
                continue;
            };
            let text = |key: &str| self.settings.get(one, None, key);
            let gear = match text("gear") {
                Some(text) => self.source.numbers(one, "gear", text)?.first().copied().unwrap_or(1.0),
                None => 1.0,
            };
            if gear == 0.0 {
                return Err(self.source.fault(one, "`gear` is 0: the motor does not reach its joint"));
            }
            let is_motor = one.tag_name().name() == "motor";
            // Controls of a motor are its efforts; of others only the limit of forces says something.
            let limits = |range: &str, limited: &str| text(range).is_some() && text(limited) != Some("false");
            let key = match (limits("ctrlrange", "ctrllimited"), limits("forcerange", "forcelimited")) {
                (true, _) if is_motor => Some("ctrlrange"),
                (_, true) => Some("forcerange"),
                _ => None,
            };
            let range = key.and_then(|key| Some((key, text(key)?)));
            let range = range.map(|(key, text)| self.source.exactly::<2>(one, key, text)).transpose()?;
            let max_effort =
                range.map(|[a, b]| a.abs().max(b.abs()) * gear.abs()).filter(|effort| *effort > 0.0);
            let Some(joint) = self.builder.joints.iter_mut().find(|joint| joint.name == name) else {
                return Err(self.source.fault(one, format!("there is no joint `{}`", short(name))));
            };
            if !matches!(joint.kind, JointType::Revolute | JointType::Prismatic) {
                return Err(self.source.fault(
                    one,
                    format!("joint `{}` neither turns nor slides: a motor cannot drive it", short(name)),
                ));
            }
            joint.motor = Some(ReadMotor { gear, max_effort, max_speed: None, order });
            if !is_motor {
                let what = one.tag_name().name();
                self.builder.notes.push(format!(
                    "<{what}> at `{}` is a motor here; its controller is not taken over.",
                    short(name)
                ));
            }
        }
        Ok(())
    }
}

/// Whether parts without a joint are fixed to a body without mass: MuJoCo counts them to it.
fn has_mass_below(node: Node<'_, '_>) -> bool {
    let is_fixed = |one: &Node<'_, '_>| {
        one.tag_name().name() == "body"
            && child(*one, "joint").is_none()
            && child(*one, "freejoint").is_none()
    };
    children(node).any(|one| is_fixed(&one))
}

//! From links, joints and closings as files say them to bodies and joints.
//!
//! A link that is fixed to another is a part of that one's body. Points that meet are a ball joint; two between the same
//! bodies are a hinge, and three that are not in a line a weld.

use super::ExchangeError;
use super::reading::short;
use crate::mechanism::JointType;
use legwork_core::V3;
use legwork_core::engine::{Drive, Pose, RigidBody, frame_with_z};
use std::collections::BTreeMap;

/// A body and a frame in it; `None` for the ground.
pub(super) type Place = (Option<usize>, Pose<f64>);

pub(super) struct ReadBody {
    pub name: String,
    pub body: RigidBody<f64>,
    pub home: Pose<f64>,
}

pub(super) struct ReadJoint {
    pub name: String,
    pub kind: JointType,
    pub ends: [Option<usize>; 2],
    pub frames: [Pose<f64>; 2],
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub drive: Drive<f64>,
    pub motor: Option<ReadMotor>,
}

/// A motor, its limits at the joint.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReadMotor {
    pub gear: f64,
    pub max_effort: Option<f64>,
    pub max_speed: Option<f64>,
    /// Its place among the motors.
    pub order: usize,
}

/// A joint of a file, in a frame.
pub(super) struct NewJoint {
    pub name: String,
    pub kind: JointType,
    /// In the frame.
    pub axis: V3<f64>,
    /// Its coordinate in the posture that the file draws.
    pub reference: f64,
    /// Its coordinate at home; a ball has a rotation.
    pub home: f64,
    pub turn: Pose<f64>,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub drive: Drive<f64>,
}

impl NewJoint {
    pub fn new(name: &str, kind: JointType, axis: V3<f64>) -> Self {
        Self {
            name: name.into(),
            kind,
            axis,
            reference: 0.0,
            home: 0.0,
            turn: Pose::identity(),
            min: None,
            max: None,
            drive: Drive::ideal(),
        }
    }

    /// Its motion by a coordinate, z along the axis.
    fn moved(&self, value: f64) -> Pose<f64> {
        match self.kind {
            JointType::Revolute => Pose::rotation_z(value),
            JointType::Prismatic => Pose::translation(V3::along_z(value)),
            _ => Pose::identity(),
        }
    }
}

struct Meeting {
    name: String,
    ends: [(Option<usize>, V3<f64>); 2],
}

/// A robot under construction.
pub(super) struct Builder {
    pub name: String,
    pub gravity: V3<f64>,
    pub bodies: Vec<ReadBody>,
    pub joints: Vec<ReadJoint>,
    pub places: BTreeMap<String, Place>,
    meetings: Vec<Meeting>,
    pub platform: Option<Place>,
    pub freedoms: Vec<String>,
    pub notes: Vec<String>,
}

impl Builder {
    pub fn new(name: &str) -> Self {
        let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' };
        let name: String = name.chars().take(60).map(plain).collect();
        Self {
            name: if name.trim_matches('-').is_empty() { "imported".into() } else { name },
            gravity: V3::new(0.0, 0.0, -9.81),
            bodies: Vec::new(),
            joints: Vec::new(),
            places: BTreeMap::new(),
            meetings: Vec::new(),
            platform: None,
            freedoms: Vec::new(),
            notes: Vec::new(),
        }
    }

    pub fn home(&self, body: Option<usize>) -> Pose<f64> {
        body.and_then(|body| self.bodies.get(body)).map_or_else(Pose::identity, |body| body.home)
    }

    /// A link fixed to a place.
    pub fn fixed(&mut self, name: &str, at: Place, body: RigidBody<f64>) -> Place {
        match at.0.and_then(|place| self.bodies.get_mut(place)) {
            Some(own) if body.mass > 0.0 => own.body = own.body.joined(&body.seen_from(&at.1)),
            None if body.mass > 0.0 => {
                self.notes
                    .push(format!("`{}` is fixed to the ground: its mass does not count.", short(name)));
            }
            _ => {}
        }
        self.places.insert(name.into(), at);
        at
    }

    /// A link that hangs on a place by joints, one after the other, each in a frame from the one before.
    pub fn moving(
        &mut self,
        name: &str,
        at: Place,
        joints: Vec<(Pose<f64>, NewJoint)>,
        last: Pose<f64>,
        body: RigidBody<f64>,
    ) -> Place {
        let (mut parent, mut before) = at;
        let mut home = self.home(parent) * before;
        let count = joints.len();
        for (k, (frame, joint)) in joints.into_iter().enumerate() {
            let is_last = k + 1 == count;
            let axes = match joint.kind {
                JointType::Spherical => Pose::identity(),
                _ => Pose::new(frame_with_z(joint.axis), V3::zero()),
            };
            let after = if is_last { last } else { Pose::identity() };
            let moved = match joint.kind {
                JointType::Spherical => joint.turn,
                _ => axes * joint.moved(joint.home - joint.reference) * axes.inverse(),
            };
            home = home * frame * moved * after;
            let own = if is_last { name.to_owned() } else { format!("{name}_before_{}", joint.name) };
            let own_body = if is_last { body } else { RigidBody::massless() };
            self.bodies.push(ReadBody { name: own, body: own_body, home });
            let child = Some(self.bodies.len() - 1);
            self.joints.push(ReadJoint {
                kind: joint.kind,
                ends: [parent, child],
                frames: [before * frame * axes * joint.moved(-joint.reference), after.inverse() * axes],
                min: joint.min,
                max: joint.max,
                drive: joint.drive,
                motor: None,
                name: joint.name,
            });
            (parent, before) = (child, Pose::identity());
        }
        let place = (parent, before);
        self.places.insert(name.into(), place);
        place
    }

    /// A body without a joint to another: closings hold it.
    pub fn free(&mut self, name: &str, home: Pose<f64>, body: RigidBody<f64>) -> Place {
        self.bodies.push(ReadBody { name: name.into(), body, home });
        let place = (Some(self.bodies.len() - 1), Pose::identity());
        self.places.insert(name.into(), place);
        place
    }

    /// Two points meet.
    pub fn meet(&mut self, name: &str, ends: [Place; 2]) {
        let ends = ends.map(|(body, frame)| (body, frame.position));
        self.meetings.push(Meeting { name: name.into(), ends });
    }

    /// Two frames meet.
    pub fn weld(&mut self, name: &str, ends: [Place; 2]) {
        self.close(name, JointType::Fixed, ends);
    }

    pub fn close(&mut self, name: &str, kind: JointType, ends: [Place; 2]) {
        self.joints.push(ReadJoint {
            name: name.into(),
            kind,
            ends: ends.map(|(body, _)| body),
            frames: ends.map(|(_, frame)| frame),
            min: None,
            max: None,
            drive: Drive::ideal(),
            motor: None,
        });
    }

    /// Points that meet become joints.
    pub fn close_meetings(&mut self, file: &str) -> Result<(), ExchangeError> {
        let mut left: Vec<Meeting> = std::mem::take(&mut self.meetings);
        while !left.is_empty() {
            let bodies = left[0].ends.map(|(body, _)| body);
            let same = |one: &Meeting| {
                let own = one.ends.map(|(body, _)| body);
                own == bodies || own == [bodies[1], bodies[0]]
            };
            let (group, rest): (Vec<Meeting>, Vec<Meeting>) = left.into_iter().partition(same);
            left = rest;
            let points: Vec<[V3<f64>; 2]> = group
                .iter()
                .map(|one| {
                    let turned = one.ends[0].0 != bodies[0];
                    let [a, b] = one.ends.map(|(_, point)| point);
                    if turned { [b, a] } else { [a, b] }
                })
                .collect();
            let name = group[0].name.clone();
            if bodies[0] == bodies[1] {
                let what = format!("constraint `{}` holds a body to itself", short(&name));
                return Err(ExchangeError::Whole { file: file.into(), what, hint: None });
            }
            let (kind, frames) = joined(&points, |side| side)
                .ok_or_else(|| ExchangeError::Whole {
                    file: file.into(),
                    what: format!(
                        "points of constraint `{}` and of others between the same bodies are not the same distances apart in \
                         both of them: they cannot meet",
                        short(&name)
                    ),
                    hint: None,
                })?;
            self.close(&name, kind, [(bodies[0], frames[0]), (bodies[1], frames[1])]);
        }
        Ok(())
    }
}

/// The joint that makes points meet, with its frames; `None` if their distances differ.
fn joined(points: &[[V3<f64>; 2]], side: impl Fn(usize) -> usize) -> Option<(JointType, [Pose<f64>; 2])> {
    let first = points.first()?;
    let size = |v: V3<f64>| v.norm_sq().sqrt();
    let largest = points.iter().map(|p| size(p[0] - first[0])).fold(0.0, f64::max);
    for a in points {
        for b in points {
            let [one, other] = [0, 1].map(|k| size(a[side(k)] - b[side(k)]));
            let apart = (one - other).abs();
            if apart.is_nan() || apart > 1e-6 * largest.max(one) + 1e-12 {
                return None;
            }
        }
    }
    let ball = Some((JointType::Spherical, [0, 1].map(|k| Pose::translation(first[k]))));
    if largest <= 1e-9 {
        return ball;
    }
    let second = points.iter().find(|p| size(p[0] - first[0]) > 0.5 * largest)?;
    let off = |p: &[V3<f64>; 2]| {
        let axis = second[0] - first[0];
        size(axis.cross(p[0] - first[0])) / size(axis)
    };
    let third = points.iter().find(|p| off(p) > 1e-6 * largest);
    let frames = [0, 1].map(|k| {
        let z = (second[k] - first[k]) * (1.0 / size(second[k] - first[k]));
        match third {
            None => Pose::new(frame_with_z(z), first[k]),
            Some(third) => {
                let y = z.cross(third[k] - first[k]);
                let y = y * (1.0 / size(y));
                Pose::new(legwork_core::M3::from_columns(y.cross(z), y, z), first[k])
            }
        }
    });
    Some((if third.is_some() { JointType::Fixed } else { JointType::Revolute }, frames))
}

//! Legs as bodies and joints: those of every family, and `[[leg]]` tables with fewer joints than their attachment
//! passes on.
//!
//! Link k of a leg has the frame T_k = T_{k−1} L_k Jz(q_k), with L_k its placement and J the joint about or along z:
//! its joint has the frame L_k in the link before and none of its own in the link. A leg ends in the joint that passes
//! on what its attachment does,
//!
//! ```text
//! ball, universal joint, hinge, weld      themselves
//! pin of a planar robot                   a ball, where the leg meets the platform at home
//! point that slides in a face             two slides and a ball
//! ball on a carriage that does not turn   a ball at the carriage
//! shaft that follows the platform         three slides
//! ```
//!
//! and a platform with fewer than six freedoms is guided by slides along the axes in which it moves and by a hinge or a
//! ball. Bodies between have no mass.

use super::{
    EffortPart, MechanismBody, MechanismCone, MechanismDescription, MechanismJoint, MechanismJointKind,
    MechanismMotor,
};
use crate::description::parts::{Body, LinearMotor, Motor, Placement};
use crate::families::JointCone;
use crate::families::blueprint::{AnyLeg, Blueprint, BuildError, MotorLimits, pose};
use crate::families::custom::{CustomDescription, engine_leg};
use MechanismJointKind::{Fixed, Prismatic, Revolute, Spherical, Universal};
use legwork_core::engine::{Attachment, Drive, JointKind, Leg, Link, Pose, RigidBody, frame_with_z};
use legwork_core::{M3, V3};

/// Legs, a platform and what limits the motors, wherever they come from.
pub(crate) struct RobotOfLegs<'a> {
    /// Each leg with its joints where they are at home \[rad or m\].
    pub legs: Vec<(AnyLeg, Vec<f64>)>,
    pub platform: RigidBody<f64>,
    pub home: Pose<f64>,
    /// Places of the freedoms in the twist; `None` if they follow from the joints.
    pub freedoms: Option<&'a [usize]>,
    pub limits: &'a [MotorLimits],
    /// How far its rods may lean.
    pub cone: Option<JointCone>,
}

/// Legs of a family, in the branches that they are in, as bodies and joints.
pub(crate) fn from_blueprint(
    robot: &Blueprint,
    cone: Option<JointCone>,
) -> Result<MechanismDescription, BuildError> {
    let legs = robot.legs.iter().map(|leg| (leg.own.leg, joints_at(&leg.own.leg, &robot.home)));
    let assembled = from_engine(&RobotOfLegs {
        legs: legs.collect(),
        platform: robot.platform,
        home: robot.home,
        freedoms: Some(&robot.freedoms),
        limits: &robot.limits,
        cone,
    })?;
    Ok(MechanismDescription { payload: as_body(&robot.payload), ..assembled })
}

/// `[[leg]]` tables with fewer joints than their attachment passes on.
pub(in crate::families) fn from_short_legs(
    robot: &CustomDescription,
) -> Result<MechanismDescription, BuildError> {
    let mut legs = Vec::new();
    for leg in &robot.legs {
        legs.push((engine_leg(leg)?, leg.joints.iter().map(|joint| joint.start).collect()));
    }
    let platform = robot.platform.unwrap_or(Body::MASSLESS);
    let limits: Vec<MotorLimits> = robot.motor_limits();
    let assembled = from_engine(&RobotOfLegs {
        legs,
        platform: crate::families::blueprint::body("platform", &platform)?,
        home: robot.home.as_ref().map_or_else(Pose::identity, pose),
        freedoms: None,
        limits: &limits,
        cone: None,
    })?;
    let mut assembled = assembled;
    let passive = robot.legs.iter().zip(1..).flat_map(|(leg, number)| {
        leg.joints
            .iter()
            .zip(1..)
            .filter(|(joint, _)| !joint.active)
            .map(move |(joint, place)| (format!("leg{number}_joint{place}"), [joint.min, joint.max]))
    });
    for (name, [min, max]) in passive {
        if let Some(joint) = assembled.joints.iter_mut().find(|joint| joint.name == name) {
            (joint.min, joint.max) = (min, max);
        }
    }
    // All six are what a file has that does not say.
    let freedoms = (robot.freedoms.len() < 6).then(|| robot.freedoms.clone());
    Ok(MechanismDescription { freedoms, payload: robot.payload, ..assembled })
}

/// Everything in a leg that does not depend on the number of its joints.
struct Parts {
    links: Vec<Link<f64>>,
    tip: V3<f64>,
    attachment: Attachment<f64>,
}

macro_rules! any {
    ($leg:expr, $own:ident => $answer:expr) => {
        match $leg.as_chain() {
            AnyLeg::One($own) => $answer,
            AnyLeg::Two($own) => $answer,
            AnyLeg::Three($own) => $answer,
            AnyLeg::Four($own) => $answer,
            AnyLeg::Five($own) => $answer,
            AnyLeg::Six($own) => $answer,
            AnyLeg::Ups(closed) => {
                let $own = closed.leg();
                $answer
            }
        }
    };
}

/// The joints of a leg at a pose of the platform \[rad or m\].
pub(crate) fn joints_at(leg: &AnyLeg, pose: &Pose<f64>) -> Vec<f64> {
    fn of<const N: usize>(leg: &Leg<f64, N>, pose: &Pose<f64>) -> Vec<f64> {
        leg.chain.coordinates(&leg.inverse.solve(&leg.chain, &leg.attachment, pose).value).to_vec()
    }
    any!(leg, own => of(&own, pose))
}

fn parts(leg: &AnyLeg) -> Parts {
    fn of<const N: usize>(leg: &Leg<f64, N>) -> Parts {
        Parts { links: leg.chain.links.to_vec(), tip: leg.chain.tip, attachment: leg.attachment }
    }
    any!(leg, own => of(&own))
}

fn as_placement(pose: &Pose<f64>) -> Placement {
    Placement { position: pose.position.to_array(), rotation: pose.rotation.to_rows() }
}

fn as_body(body: &RigidBody<f64>) -> Body {
    let ([xx, yy, zz], [yz, xz, xy]) = (body.inertia.diagonal.to_array(), body.inertia.off.to_array());
    Body {
        mass: body.mass,
        centre: body.centre.to_array(),
        inertia: [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]],
    }
}

/// A frame with z along an axis.
fn along(position: V3<f64>, axis: V3<f64>) -> Pose<f64> {
    Pose::new(frame_with_z(axis), position)
}

/// Base axis number k.
fn axis(k: usize) -> V3<f64> {
    V3::from([0, 1, 2].map(|i| f64::from(u8::from(i == k))))
}

const NAMES: [&str; 3] = ["x", "y", "z"];

fn motor(kind: JointKind, drive: &Drive<f64>, limits: &MotorLimits) -> MechanismMotor {
    match kind {
        JointKind::Revolute => {
            let gear_ratio = limits.gear.map_or(1.0, |gear| gear.ratio);
            MechanismMotor::Turning(Motor {
                rotor_inertia: drive.inertia / (gear_ratio * gear_ratio),
                gear_ratio,
                viscous_friction: drive.viscous,
                coulomb_friction: drive.coulomb,
                max_torque: limits.max_effort,
                max_speed: limits.max_speed,
                side_is_not_named: limits.gear.is_some_and(|gear| gear.side_is_not_named),
                ..Motor::IDEAL
            })
        }
        JointKind::Prismatic => MechanismMotor::Sliding(LinearMotor {
            actuator_inertia: drive.inertia,
            viscous_friction: drive.viscous,
            coulomb_friction: drive.coulomb,
            max_force: limits.max_effort,
            max_speed: limits.max_speed,
        }),
    }
}

/// Bodies and joints under construction.
struct Assembly {
    bodies: Vec<MechanismBody>,
    /// The same as poses.
    homes: Vec<Pose<f64>>,
    joints: Vec<MechanismJoint>,
}

impl Assembly {
    fn body(&mut self, name: String, body: Body, home: Pose<f64>) -> usize {
        self.bodies.push(MechanismBody { name, body, home: as_placement(&home) });
        self.homes.push(home);
        self.bodies.len() - 1
    }

    /// A joint by its frames in both bodies.
    fn joint(
        &mut self,
        name: String,
        kind: MechanismJointKind,
        [parent, child]: [Option<usize>; 2],
        frames: [Pose<f64>; 2],
    ) -> &mut MechanismJoint {
        let [parent_frame, child_frame] = frames.map(|frame| as_placement(&frame));
        let at = self.joints.len();
        self.joints.push(MechanismJoint {
            name,
            kind,
            parent,
            child,
            parent_frame,
            child_frame,
            motor: None,
            drag: None,
            min: None,
            max: None,
            choice: EffortPart::default(),
        });
        &mut self.joints[at]
    }

    fn home(&self, body: Option<usize>) -> Pose<f64> {
        body.and_then(|body| self.homes.get(body).copied()).unwrap_or_else(Pose::identity)
    }

    /// A joint by its frame in the base at home, its coordinates zero there.
    fn joint_at(
        &mut self,
        name: String,
        kind: MechanismJointKind,
        sides: [Option<usize>; 2],
        frame: &Pose<f64>,
    ) {
        let frames = sides.map(|side| self.home(side).inverse() * *frame);
        self.joint(name, kind, sides, frames);
    }

    /// Slides along axes, each of them a body without mass, from a body on; the last one is `end` if there is one.
    fn slides(
        &mut self,
        name: &str,
        from: Option<usize>,
        (axes, place): (&[(&str, V3<f64>)], V3<f64>),
        end: Option<usize>,
    ) -> Option<usize> {
        let mut before = from;
        for (k, (letter, direction)) in axes.iter().enumerate() {
            let next = match end {
                Some(end) if k + 1 == axes.len() => end,
                _ => self.body(format!("{name}_{letter}"), Body::MASSLESS, Pose::translation(place)),
            };
            let frame = along(place, *direction);
            self.joint_at(format!("{name}_{letter}"), Prismatic, [before, Some(next)], &frame);
            before = Some(next);
        }
        before
    }
}

/// Legs as bodies and joints.
pub(crate) fn from_engine(robot: &RobotOfLegs<'_>) -> Result<MechanismDescription, BuildError> {
    let mut made = Assembly { bodies: Vec::new(), homes: Vec::new(), joints: Vec::new() };
    let platform = made.body("platform".into(), as_body(&robot.platform), robot.home);
    let all: Vec<(Parts, &[f64])> = robot.legs.iter().map(|(leg, q)| (parts(leg), q.as_slice())).collect();
    let hub = all.iter().find_map(|(leg, _)| match leg.attachment {
        Attachment::Carried { hub, .. } => Some(hub),
        _ => None,
    });
    let carriage = guide(&mut made, robot, platform, hub)?;
    let (mut limits, mut cones) = (robot.limits.iter(), Vec::new());
    for (number, (leg, q)) in (1..).zip(&all) {
        let (mut before, mut frame) = (None, Pose::identity());
        for (place, (link, q)) in (1..).zip(leg.links.iter().zip(*q)) {
            let moved = match link.kind {
                JointKind::Revolute => Pose::rotation_z(*q),
                JointKind::Prismatic => Pose::translation(V3::along_z(*q)),
            };
            frame = frame * link.placement * moved;
            let body = link.body.as_ref().map_or(Body::MASSLESS, as_body);
            let child = made.body(format!("leg{number}_link{place}"), body, frame);
            let kind = match link.kind {
                JointKind::Revolute => Revolute,
                JointKind::Prismatic => Prismatic,
            };
            let frames = [link.placement, Pose::identity()];
            let joint = made.joint(format!("leg{number}_joint{place}"), kind, [before, Some(child)], frames);
            if link.active {
                let limits = limits.next().copied().unwrap_or_default();
                joint.motor = Some(motor(link.kind, &link.drive, &limits));
                (joint.min, joint.max) = (limits.min, limits.max);
            } else {
                let drag = motor(link.kind, &link.drive, &MotorLimits::default());
                joint.drag = Some(drag).filter(|drag| !drag.is_ideal());
            }
            before = Some(child);
        }
        let name = format!("leg{number}_end");
        cones.extend(cones_of(&made, (&name, number - 1), leg, before, (platform, robot.cone)));
        end(&mut made, &name, leg, before, [platform, carriage]);
    }
    Ok(MechanismDescription {
        bodies: made.bodies,
        joints: made.joints,
        platform,
        platform_point: [0.0; 3],
        freedoms: robot.freedoms.map(|places| {
            places.iter().filter_map(|place| super::PlatformFreedom::ALL.get(*place).copied()).collect()
        }),
        payload: Body::MASSLESS,
        cones,
        held: Vec::new(),
    })
}

/// What the joints at the ends of a rod allow. The rod is what goes from the last joint that turns to the platform.
fn cones_of(
    made: &Assembly,
    (name, number): (&str, usize),
    leg: &Parts,
    last: Option<usize>,
    (platform, cone): (usize, Option<JointCone>),
) -> Vec<MechanismCone> {
    let (Some(cone), Some(end)) = (cone, last) else { return Vec::new() };
    let count = leg.links.len();
    let Some(turning) = leg.links.iter().rposition(|link| link.kind == JointKind::Revolute) else {
        return Vec::new();
    };
    let first = end + 1 - count;
    let from = made.home(Some(first + turning)).position;
    let rod = made.home(last).of(leg.tip) - from;
    let rod = rod * (1.0 / rod.norm_sq().sqrt());
    let inside = |body: Option<usize>, v: V3<f64>| (made.home(body).rotation.transpose() * v).to_array();
    let made_of = |body: Option<usize>, pin: V3<f64>, from_plane: bool| MechanismCone {
        joint: name.into(),
        bodies: [body, last],
        pins: [inside(body, pin), inside(last, rod)],
        from_plane,
        most: cone.most(),
    };
    match cone {
        JointCone::OutOfPlane { azimuth, .. } => {
            let Some(azimuth) = azimuth.get(number) else { return Vec::new() };
            let (sin, cos) = azimuth.sin_cos();
            vec![made_of(None, V3::new(-sin, cos, 0.0), true)]
        }
        JointCone::AboutHome { .. } => {
            vec![made_of(None, rod, false), made_of(Some(platform), rod, false)]
        }
    }
}

/// How names of bodies begin that stand for the freedoms of a platform.
pub(crate) const GUIDE: &str = "guide_";

/// What holds the platform in the freedoms that it does not have; the body that carries its joints without turning.
fn guide(
    made: &mut Assembly,
    robot: &RobotOfLegs<'_>,
    platform: usize,
    hub: Option<V3<f64>>,
) -> Result<usize, BuildError> {
    let Some(freedoms) = robot.freedoms.filter(|freedoms| freedoms.len() < 6) else { return Ok(platform) };
    let own = |first: usize| {
        (0..3)
            .filter(move |k| freedoms.contains(&(first + k)))
            .map(|k| (NAMES[k], axis(k)))
            .collect::<Vec<_>>()
    };
    let (shifts, turns) = (own(0), own(3));
    let place = robot.home.of(hub.unwrap_or_else(V3::zero));
    let kind = match turns.as_slice() {
        [] => Fixed,
        [_] => Revolute,
        [_, _, _] => Spherical,
        _ => return Err(BuildError::TwoTurns),
    };
    let end = (kind == Fixed && !shifts.is_empty()).then_some(platform);
    let last = made.slides("guide", None, (&shifts, place), end);
    if end.is_none() {
        let turn = turns.first().filter(|_| kind == Revolute).map_or_else(|| axis(2), |(_, axis)| *axis);
        made.joint_at("guide_turn".into(), kind, [last, Some(platform)], &along(place, turn));
    }
    Ok(last.unwrap_or(platform))
}

/// The joint at the end of a leg, between its last link and the platform.
fn end(made: &mut Assembly, name: &str, leg: &Parts, last: Option<usize>, [platform, carriage]: [usize; 2]) {
    let (sides, tip) = ([last, Some(platform)], Pose::translation(leg.tip));
    let meeting = made.home(last).of(leg.tip);
    let at = |axes: M3<f64>| Pose::new(axes, leg.tip);
    match leg.attachment {
        Attachment::Spherical { point } => {
            made.joint(name.into(), Spherical, sides, [tip, Pose::translation(point)]);
        }
        Attachment::Planar { point, directions: [x, y] } => {
            // A leg may lie above or below the pin: their distance across the plane never changes.
            let home = made.home(Some(platform));
            let normal = x.cross(y);
            let off = normal * normal.dot(meeting - home.of(point));
            let met = point + home.rotation.transpose() * off;
            made.joint(name.into(), Spherical, sides, [tip, Pose::translation(met)]);
        }
        Attachment::Universal { point, leg_axis, platform_axis } => {
            let y = frame_with_z(platform_axis).columns();
            let child = M3::from_columns(y.y, y.z, y.x);
            made.joint(name.into(), Universal, sides, [at(frame_with_z(leg_axis)), Pose::new(child, point)]);
        }
        Attachment::Revolute { point, leg_axis, platform_normals: [x, y] } => {
            let own = made.home(last).rotation * leg_axis;
            let other = made.home(Some(platform)).rotation * x.cross(y);
            let axis = if own.dot(other) < 0.0 { -x.cross(y) } else { x.cross(y) };
            made.joint(name.into(), Revolute, sides, [at(frame_with_z(leg_axis)), along(point, axis)]);
        }
        Attachment::Fixed { frame } => {
            made.joint(name.into(), Fixed, sides, [tip, frame]);
        }
        Attachment::Sliding { normal, .. } => {
            let normal = made.home(Some(platform)).rotation * normal;
            let axes = frame_with_z(normal).columns();
            let slides = [("u", axes.x), ("v", axes.y)];
            let pad = made.slides(name, Some(platform), (&slides, meeting), None);
            made.joint_at(name.into(), Spherical, [last, pad], &Pose::translation(meeting));
        }
        Attachment::Carried { point, .. } => {
            let child = made.home(Some(carriage)).rotation.transpose() * point;
            let sides = [last, Some(carriage)];
            made.joint(name.into(), Spherical, sides, [tip, Pose::translation(child)]);
        }
        Attachment::Turning { .. } => {
            let place = made.home(Some(platform)).position;
            let slides = [0, 1, 2].map(|k| (NAMES[k], axis(k)));
            made.slides(name, last, (&slides, place), Some(platform));
        }
    }
}

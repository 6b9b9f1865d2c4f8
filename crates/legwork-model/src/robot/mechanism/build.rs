//! From the description of a family to bodies and joints for the kernel: in the cell, with tool and payload.

use crate::description::{MechanismDescription as FileDescription, MechanismJointKind, MechanismMotor};
use crate::families::blueprint::BuildError;
use crate::families::blueprint::{body, pose};
use crate::families::mounting::Mounting;
use crate::mechanism::{BodyDescription, JointDescription, JointType, MechanismDescription, WORLD};
use legwork_core::V3;
use legwork_core::engine::{Drive, Pose, RigidBody};

/// What the platform carries, as a body of its own.
const LOAD: &str = "load of the platform";

pub(super) fn kind(kind: MechanismJointKind) -> JointType {
    match kind {
        MechanismJointKind::Revolute => JointType::Revolute,
        MechanismJointKind::Prismatic => JointType::Prismatic,
        MechanismJointKind::Cylindrical => JointType::Cylindrical,
        MechanismJointKind::Universal => JointType::Universal,
        MechanismJointKind::Spherical => JointType::Spherical,
        MechanismJointKind::Planar => JointType::Planar,
        MechanismJointKind::Fixed => JointType::Fixed,
    }
}

fn drive(motor: Option<&MechanismMotor>) -> Option<Drive<f64>> {
    let motor = motor?;
    let [viscous, coulomb] = motor.friction();
    Some(Drive { inertia: motor.inertia(), viscous, coulomb, ..Drive::ideal() })
}

/// The mechanism in its cell, its platform that of the tool.
pub(in crate::robot) fn description(
    name: &str,
    file: &FileDescription,
    gravity: V3<f64>,
    mounting: &Mounting,
) -> Result<MechanismDescription, BuildError> {
    let base = mounting.base;
    let side = |body: Option<usize>| {
        body.and_then(|body| file.bodies.get(body)).map_or_else(|| WORLD.to_owned(), |body| body.name.clone())
    };
    // What is fixed to the ground moves with the base.
    let framed = |body: Option<usize>, frame: Pose<f64>| if body.is_none() { base * frame } else { frame };
    let mut bodies = Vec::new();
    for one in &file.bodies {
        let name = one.name.clone();
        bodies.push(BodyDescription { name, body: body("body", &one.body)?, home: base * pose(&one.home) });
    }
    let mut joints: Vec<JointDescription> = file
        .joints
        .iter()
        .map(|joint| JointDescription {
            name: joint.name.clone(),
            kind: kind(joint.kind),
            parent: side(joint.parent),
            parent_frame: framed(joint.parent, pose(&joint.parent_frame)),
            child: side(joint.child),
            child_frame: framed(joint.child, pose(&joint.child_frame)),
            motor: drive(joint.motor.as_ref()),
            drag: drive(joint.drag.as_ref()),
        })
        .collect();
    let mut platform = side(Some(file.platform));
    let mut platform_point = V3::from(file.platform_point);
    let payload = body("payload", &file.payload)?;
    let has_tool = mounting.tool != Pose::identity() || mounting.body.mass > 0.0;
    if has_tool || payload.mass > 0.0 {
        // The load has the frame of the tool; without one the axes of the platform at its point.
        let place = Pose::translation(platform_point) * mounting.tool;
        // The tool is given from the platform point.
        let seen = mounting.body.seen_from(&mounting.tool.inverse());
        let mut load = RigidBody::massless();
        for part in [seen, payload] {
            if part.mass > 0.0 {
                load = load.joined(&part);
            }
        }
        let home = bodies.get(file.platform).map_or_else(Pose::identity, |body| body.home * place);
        joints.push(JointDescription {
            name: LOAD.into(),
            kind: JointType::Fixed,
            parent: platform,
            parent_frame: place,
            child: LOAD.into(),
            child_frame: Pose::identity(),
            motor: None,
            drag: None,
        });
        bodies.push(BodyDescription { name: LOAD.into(), body: load, home });
        (platform, platform_point) = (LOAD.into(), V3::zero());
    }
    Ok(MechanismDescription {
        name: name.into(),
        bodies,
        joints,
        motors: file.driven().map(|joint| joint.name.clone()).collect(),
        platform,
        platform_point,
        coordinates: file
            .freedoms
            .as_ref()
            .map(|freedoms| freedoms.iter().map(|freedom| freedom.component()).collect()),
        held: file.held.clone(),
        springs: Vec::new(),
        gravity,
    })
}

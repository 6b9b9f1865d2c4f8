//! Legs with fewer joints than their attachment passes on, as bodies and joints.
//!
//! Link k of a leg has the frame T_k = T_{k−1} L_k J(q_k), with L_k its placement and J the joint about or along the
//! axis a. With A a rotation that has z along a,
//!
//! ```text
//! P = L_k A in the link before,   C = A in the link,   T_k = T_{k−1} P Jz(q_k) C⁻¹                    (1)
//! ```

use super::{
    EffortPart, MechanismBody, MechanismDescription, MechanismJoint, MechanismJointKind, MechanismMotor,
};
use crate::description::parts::{Body, LinearMotor, Motor, Placement};
use crate::description::placement::{inverse, placed};
use crate::families::custom::{CustomAttachment, CustomDescription, CustomJoint, JointKind};
use crate::rotation::{IDENTITY, Matrix, Vector, about_axis, across, transposed};

/// Axes with z along a unit vector.
fn with_z(axis: Vector) -> Matrix {
    let [x, y] = across(axis);
    transposed(&[x, y, axis])
}

/// Axes with y along a unit vector.
fn with_y(axis: Vector) -> Matrix {
    let [z, x] = across(axis);
    transposed(&[x, axis, z])
}

fn at(position: Vector, rotation: Matrix) -> Placement {
    Placement { position, rotation }
}

/// The bodies and joints of legs.
pub(in crate::families) fn from_legs(robot: &CustomDescription) -> MechanismDescription {
    let home = robot.home.unwrap_or(Placement::IDENTITY);
    let platform = robot.platform.unwrap_or(Body::MASSLESS);
    let mut bodies = vec![MechanismBody { name: "platform".into(), body: platform, home }];
    let mut joints = Vec::new();
    for (number, leg) in (1..).zip(&robot.legs) {
        let (mut before, mut frame) = (None, Placement::IDENTITY);
        for (place, joint) in (1..).zip(&leg.joints) {
            let axes = at([0.0; 3], with_z(joint.axis));
            let (parent_frame, child_frame) = (placed(joint.placement, axes), axes); // (1)
            frame = placed(placed(frame, parent_frame), placed(moved(joint), inverse(axes)));
            let child = bodies.len();
            let name = format!("leg{number}_link{place}");
            bodies.push(MechanismBody { name, body: joint.body, home: frame });
            joints.push(MechanismJoint {
                name: format!("leg{number}_joint{place}"),
                kind: match joint.kind {
                    JointKind::Revolute => MechanismJointKind::Revolute,
                    JointKind::Prismatic => MechanismJointKind::Prismatic,
                },
                parent: before,
                child: Some(child),
                parent_frame,
                child_frame,
                motor: joint.active.then(|| motor(joint)),
                min: joint.min,
                max: joint.max,
                choice: EffortPart::default(),
            });
            before = Some(child);
        }
        let (kind, parent_frame, child_frame) = end(leg.tip, &leg.attachment);
        joints.push(MechanismJoint {
            name: format!("leg{number}_end"),
            kind,
            parent: before,
            child: Some(0),
            parent_frame,
            child_frame,
            motor: None,
            min: None,
            max: None,
            choice: EffortPart::default(),
        });
    }
    // All six are what a file has that does not say.
    let freedoms = (robot.freedoms.len() < 6).then(|| robot.freedoms.clone());
    let payload = robot.payload;
    MechanismDescription { bodies, joints, platform: 0, platform_point: [0.0; 3], freedoms, payload }
}

fn moved(joint: &CustomJoint) -> Placement {
    match joint.kind {
        JointKind::Revolute => at([0.0; 3], about_axis([0.0, 0.0, 1.0], joint.start)),
        JointKind::Prismatic => at([0.0, 0.0, joint.start], IDENTITY),
    }
}

fn motor(joint: &CustomJoint) -> MechanismMotor {
    let drive = &joint.drive;
    match joint.kind {
        JointKind::Revolute => MechanismMotor::Turning(Motor {
            rotor_inertia: drive.actuator_inertia,
            viscous_friction: drive.viscous_friction,
            coulomb_friction: drive.coulomb_friction,
            max_torque: drive.max_effort,
            max_speed: drive.max_speed,
            ..Motor::IDEAL
        }),
        JointKind::Prismatic => MechanismMotor::Sliding(LinearMotor {
            actuator_inertia: drive.actuator_inertia,
            viscous_friction: drive.viscous_friction,
            coulomb_friction: drive.coulomb_friction,
            max_force: drive.max_effort,
            max_speed: drive.max_speed,
        }),
    }
}

/// The joint at the end of a leg: its type and its frames in the last link and in the platform.
fn end(tip: Vector, attachment: &CustomAttachment) -> (MechanismJointKind, Placement, Placement) {
    match *attachment {
        // A pin of a planar robot leaves every rotation to the others: so does a ball joint.
        CustomAttachment::Spherical { point } | CustomAttachment::Planar { point, .. } => {
            (MechanismJointKind::Spherical, at(tip, IDENTITY), at(point, IDENTITY))
        }
        CustomAttachment::Universal { point, leg_axis, platform_axis } => {
            (MechanismJointKind::Universal, at(tip, with_z(leg_axis)), at(point, with_y(platform_axis)))
        }
        CustomAttachment::Revolute { point, leg_axis, platform_axis, .. } => {
            (MechanismJointKind::Revolute, at(tip, with_z(leg_axis)), at(point, with_z(platform_axis)))
        }
        CustomAttachment::Fixed { placement } => (MechanismJointKind::Fixed, at(tip, IDENTITY), placement),
        // A point that slides in a face: no leg is shorter than the one joint that it needs.
        CustomAttachment::Sliding { normal, distance } => {
            let point = normal.map(|part| part * distance);
            (MechanismJointKind::Planar, at(tip, with_z(normal)), at(point, with_z(normal)))
        }
    }
}

//! The geometry of a robot, family by family.

use super::part::{Part, Value};
use legwork::AnyRobot;
use legwork::description::{
    C5Geometry, CustomAttachment, CustomDescription, CustomLeg, DeltaGeometry, HexaGeometry,
    HexaglideGeometry, JointKind, LinearDeltaGeometry, Model, Planar3RrrGeometry,
};
use legwork::text::short_list;
use serde_json::{Value as Json, json};

pub fn parts(robot: &AnyRobot) -> Vec<Part> {
    match &robot.description().model {
        Model::Delta(d) => delta(&d.geometry),
        Model::GoughStewart(d) => vec![
            Part::new("base_points", Value::Points("base", d.geometry.base_points.clone())),
            Part::new("platform_points", Value::Points("platform", d.geometry.platform_points.clone())),
            Part::new("base_axes", Value::Axes("axis", d.geometry.base_axes.clone())),
        ],
        Model::Space(d) => vec![
            Part::new("gamma", Value::Angles(d.geometry.gamma.to_vec())),
            Part::new("base_points", Value::Points("base", d.geometry.base_points.to_vec())),
            Part::new("platform_points", Value::Points("platform", d.geometry.platform_points.to_vec())),
        ],
        Model::C5(d) => c5(&d.geometry),
        Model::Hexa(d) => hexa(&d.geometry),
        Model::Hexaglide(d) => hexaglide(&d.geometry),
        Model::LinearDelta(d) => linear_delta(&d.geometry),
        Model::FiveBar(d) => vec![
            Part::length("motor_offset", d.geometry.motor_offset),
            Part::length("proximal", d.geometry.proximal),
            Part::length("distal", d.geometry.distal),
        ],
        Model::Planar3Rrr(d) => planar_3rrr(&d.geometry),
        Model::Custom(d) => custom(d),
        _ => Vec::new(),
    }
}

fn delta(g: &DeltaGeometry) -> Vec<Part> {
    vec![
        Part::length("base_radius", g.base_radius),
        Part::length("platform_radius", g.platform_radius),
        Part::length("arm", g.arm),
        Part::length("forearm", g.forearm),
        Part::new("azimuth", Value::Directions(g.azimuth.to_vec())),
    ]
}

fn c5(g: &C5Geometry) -> Vec<Part> {
    let axes = [0, 0, 1, 1, 2, 2].map(|axis| legwork::IDENTITY[axis]);
    vec![
        Part::new("face_distances", Value::Lengths(g.face_distances.to_vec())),
        Part::new("base_points", Value::Points("end at 0", g.base_points.to_vec())),
        Part::new("directions", Value::Axes("slides", axes.to_vec())),
    ]
}

fn hexa(g: &HexaGeometry) -> Vec<Part> {
    vec![
        Part::length("base_radius", g.base_radius),
        Part::length("base_spacing", g.base_spacing),
        Part::length("platform_radius", g.platform_radius),
        Part::length("platform_spacing", g.platform_spacing),
        Part::length("arm", g.arm),
        Part::length("rod", g.rod),
        Part::new("azimuth", Value::Directions(g.azimuth.to_vec())),
    ]
}

fn hexaglide(g: &HexaglideGeometry) -> Vec<Part> {
    vec![
        Part::length("rod", g.rod),
        Part::new("rail_points", Value::Points("rail", g.rails.iter().map(|rail| rail.point).collect())),
        Part::new(
            "rail_directions",
            Value::Axes("along", g.rails.iter().map(|rail| rail.direction).collect()),
        ),
        Part::new("platform_points", Value::Points("platform", g.platform_points.clone())),
    ]
}

fn linear_delta(g: &LinearDeltaGeometry) -> Vec<Part> {
    vec![
        Part::length("base_radius", g.base_radius),
        Part::length("platform_radius", g.platform_radius),
        Part::length("rod", g.rod),
        Part::new("tilt", Value::Angle(g.tilt)),
        Part::new("azimuth", Value::Directions(g.azimuth.to_vec())),
    ]
}

fn planar_3rrr(g: &Planar3RrrGeometry) -> Vec<Part> {
    vec![
        Part::length("base_radius", g.base_radius),
        Part::length("platform_radius", g.platform_radius),
        Part::length("proximal", g.proximal),
        Part::length("distal", g.distal),
        Part::new("azimuth", Value::Directions(g.azimuth.to_vec())),
        Part::new("platform_joints", Value::Directions(g.platform_azimuth.to_vec())),
    ]
}

fn custom(d: &CustomDescription) -> Vec<Part> {
    let lines = d.legs.iter().map(leg_text).collect();
    vec![Part::new("legs", Value::Lines(lines, d.legs.iter().map(leg_json).collect()))]
}

fn kind(kind: JointKind) -> &'static str {
    match kind {
        JointKind::Revolute => "revolute",
        JointKind::Prismatic => "prismatic",
    }
}

/// "revolute, revolute, prismatic with motor; spherical at (225, -268, -30) mm"
fn leg_text(leg: &CustomLeg) -> String {
    let joint = |joint: &legwork::description::CustomJoint| {
        format!("{}{}", kind(joint.kind), if joint.active { " with motor" } else { "" })
    };
    let joints: Vec<String> = leg.joints.iter().map(joint).collect();
    let (word, point) = attachment(&leg.attachment);
    let end =
        point.map_or_else(String::new, |point| format!(" at ({}) mm", short_list(&point.map(|x| x * 1e3))));
    format!("{}; ends {word}{end}", joints.join(", "))
}

fn attachment(attachment: &CustomAttachment) -> (&'static str, Option<[f64; 3]>) {
    match attachment {
        CustomAttachment::Spherical { point } => ("spherical", Some(*point)),
        CustomAttachment::Planar { point, .. } => ("planar", Some(*point)),
        CustomAttachment::Sliding { .. } => ("sliding", None),
        CustomAttachment::Universal { point, .. } => ("universal", Some(*point)),
        CustomAttachment::Revolute { point, .. } => ("revolute", Some(*point)),
        CustomAttachment::Fixed { placement } => ("fixed", Some(placement.position)),
    }
}

fn leg_json(leg: &CustomLeg) -> Json {
    let joint = |joint: &legwork::description::CustomJoint| {
        json!({
            "type": kind(joint.kind),
            "active": joint.active,
            "origin": joint.placement.position,
            "rotation": joint.placement.rotation,
            "axis": joint.axis,
            "body": super::part::body_json(&joint.body),
        })
    };
    let (word, point) = attachment(&leg.attachment);
    json!({
        "joints": leg.joints.iter().map(joint).collect::<Vec<_>>(),
        "tip": leg.tip,
        "attachment": { "type": word, "point": point },
    })
}

//! A summary as JSON: one object with keys in the order of the text.

use super::{HomeSummary, OrientationSummary, RestSummary};
use crate::description::{Body, CustomLeg, JointProperties, Placement};
use crate::families::JointCone;
use crate::families::properties::{DriveProperties, Drives, Property, PropertyValue};
use crate::{Joint, Singularity};
use serde::ser::{SerializeMap, SerializeSeq};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

/// The units of the numbers, as an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Units;

impl Serialize for Units {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let units = [
            ("length", "m"),
            ("angle", "rad"),
            ("mass", "kg"),
            ("inertia", "kg m^2"),
            ("torque", "N m"),
            ("force", "N"),
            ("gravity", "m/s^2"),
        ];
        serializer.collect_map(units)
    }
}

/// `slides` or `turns`
pub(super) fn moves(joint: &Joint) -> &'static str {
    if joint.slides { "slides" } else { "turns" }
}

/// A frame as its origin and its rotation by rows.
#[expect(clippy::ref_option, reason = "serde hands over the field")]
pub(super) fn placement<S: Serializer>(
    placement: &Option<Placement>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let object =
        |placement: &Placement| json!({ "position": placement.position, "rotation": placement.rotation });
    placement.as_ref().map(object).serialize(serializer)
}

pub(super) fn motors<S: Serializer>(joints: &[Joint], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(joints.iter().map(|joint| {
        json!({
            "name": joint.name,
            "moves": moves(joint),
            "unit": joint.unit(),
            "effort_unit": joint.effort_unit(),
            "min": joint.min,
            "max": joint.max,
            "max_effort": joint.max_effort,
            "max_speed": joint.max_speed,
            "gear_ratio": joint.gear_ratio(),
            "max_motor_effort": joint.max_effort.map(|effort| joint.motor_effort(effort)),
            "max_motor_speed": joint.max_speed.map(|speed| joint.motor_speed(speed)),
        })
    }))
}

pub(super) fn properties<S: Serializer>(list: &[Property], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(list.iter().map(|property| (property.key, value(&property.value))))
}

pub(super) fn properties_or_null<S: Serializer>(list: &[Property], serializer: S) -> Result<S::Ok, S::Error> {
    if list.is_empty() { serializer.serialize_none() } else { properties(list, serializer) }
}

fn value(value: &PropertyValue) -> Value {
    match value {
        PropertyValue::Number(x, _) => json!(x),
        PropertyValue::Numbers(list, _) | PropertyValue::Directions(list) => json!(list),
        PropertyValue::Points { points: list, .. } | PropertyValue::Axes { axes: list, .. } => json!(list),
        PropertyValue::Bar { bar, .. } => {
            json!({ "mass": bar.mass, "centre": bar.centre, "inertia": bar.inertia })
        }
        PropertyValue::Body(of) => body(of),
        PropertyValue::PlanarBody(body) => {
            json!({ "mass": body.mass, "centre": body.centre, "inertia": body.inertia })
        }
        PropertyValue::Legs(legs) => legs.iter().map(leg).collect(),
        PropertyValue::Bodies(bodies) => {
            let list = bodies.iter().map(|(name, of)| (name.clone(), body(of)));
            Value::Object(list.collect())
        }
        PropertyValue::Joints(joints) => {
            let one = |joint: &JointProperties| {
                let mut one = json!({
                    "name": joint.name,
                    "type": joint.kind.name(),
                    "parent": joint.bodies[0],
                    "child": joint.bodies[1],
                    "active": joint.has_motor,
                });
                let [min, max] = joint.range.map(|end| end.filter(|_| !joint.has_motor));
                for (key, value) in [("min", min), ("max", max), ("joint_cone", joint.cone)] {
                    if let Some(value) = value {
                        one[key] = value.into();
                    }
                }
                one
            };
            joints.iter().map(one).collect()
        }
    }
}

fn body(body: &Body) -> Value {
    json!({ "mass": body.mass, "centre": body.centre, "inertia": body.inertia })
}

fn leg(leg: &CustomLeg) -> Value {
    let joint = |joint: &crate::description::CustomJoint| {
        json!({
            "type": joint.kind.name(),
            "active": joint.active,
            "origin": joint.placement.position,
            "rotation": joint.placement.rotation,
            "axis": joint.axis,
            "body": body(&joint.body),
        })
    };
    json!({
        "joints": leg.joints.iter().map(joint).collect::<Vec<_>>(),
        "tip": leg.tip,
        "attachment": { "type": leg.attachment.name(), "point": leg.attachment.point() },
    })
}

/// How far rods may lean, as the angle.
#[expect(clippy::ref_option, reason = "serde hands over the field")]
pub(super) fn joint_cone<S: Serializer>(cone: &Option<JointCone>, serializer: S) -> Result<S::Ok, S::Error> {
    cone.map(|cone| cone.most()).serialize(serializer)
}

pub(super) fn drives<S: Serializer>(drives: &Drives, serializer: S) -> Result<S::Ok, S::Error> {
    match drives {
        Drives::Equal(one) => drive(one).serialize(serializer),
        Drives::Listed(list) => {
            let mut sequence = serializer.serialize_seq(Some(list.len()))?;
            for one in list {
                sequence.serialize_element(&drive(one))?;
            }
            sequence.end()
        }
    }
}

fn drive(drive: &DriveProperties) -> Value {
    let mut object = json!({ "inertia": drive.inertia });
    if let Some(gear) = &drive.gear {
        object["rotor_inertia"] = json!(gear.rotor_inertia);
        object["gear_inertia"] = json!(gear.gear_inertia);
        object["gear_ratio"] = json!(gear.gear_ratio);
    }
    object["viscous_friction"] = json!(drive.viscous_friction);
    object["coulomb_friction"] = json!(drive.coulomb_friction);
    object
}

pub(super) fn home<S: Serializer>(home: &HomeSummary, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(None)?;
    map.serialize_entry("position", &home.position)?;
    if let Some(OrientationSummary { key, angles, rotation, quaternion }) = &home.orientation {
        match angles.as_slice() {
            [one] => map.serialize_entry(key, one)?,
            all => map.serialize_entry(key, all)?,
        }
        map.serialize_entry("rotation", rotation)?;
        map.serialize_entry("quaternion_wxyz", quaternion)?;
    }
    map.serialize_entry("given", &home.is_given)?;
    match &home.at_rest {
        Some(RestSummary { q, gravity_effort, singularity }) => {
            let Singularity { serial, parallel, condition } = singularity;
            map.serialize_entry("q", q)?;
            map.serialize_entry("gravity_effort", gravity_effort)?;
            map.serialize_entry("serial", serial)?;
            map.serialize_entry("parallel", parallel)?;
            map.serialize_entry("condition", condition)?;
        }
        None => map.serialize_entry("singular", &true)?,
    }
    map.end()
}

//! What a robot is, as JSON.

use super::super::about;
use super::super::robots::freedoms;
use super::{at_home, geometry, home_is_given, json_of, masses};
use legwork::coordinates::{CoordinateSchema, Group};
use legwork::description::{LinearMotor, Model, Motor};
use legwork::rotation;
use legwork::{AnyRobot, Joint};
use serde_json::{Map, Value, json};

pub fn object(robot: &AnyRobot) -> Value {
    let description = robot.description();
    let mass = masses::bodies(robot);
    json!({
        "name": robot.name(),
        "family": description.family().name(),
        "source": description.source,
        "note": description.note,
        "convention": convention(robot),
        "freedoms": freedoms(robot),
        "legs": about::legs(robot),
        "working_mode": robot.working_mode(),
        "motors": robot.joints().iter().map(joint).collect::<Vec<_>>(),
        "geometry": json_of(&geometry::parts(robot)),
        "mass": if mass.is_empty() { Value::Null } else { json_of(&mass) },
        "gravity": description.gravity,
        "gravity_direction": description.gravity_direction,
        "drive": drive(robot),
        "reach": robot.reach().map(|(low, high, radius)| {
            json!({ "z_lowest": low, "z_highest": high, "radius": radius })
        }),
        "home": home(robot),
        "units": {
            "length": "m",
            "angle": "rad",
            "mass": "kg",
            "inertia": "kg m^2",
            "torque": "N m",
            "force": "N",
            "gravity": "m/s^2",
        },
    })
}

fn convention(robot: &AnyRobot) -> Value {
    let description = robot.description();
    let name = description.convention.name();
    match description.as_delta() {
        Some(delta) => json!({
            "name": name,
            "motor_height": delta.frame.z_offset,
            "angle_sign": delta.frame.angle_sign,
            "angle_zero": delta.frame.angle_zero,
        }),
        None => json!({ "name": name }),
    }
}

fn joint(joint: &Joint) -> Value {
    json!({
        "name": joint.name,
        "moves": if joint.slides { "slides" } else { "turns" },
        "unit": joint.unit(),
        "effort_unit": joint.effort_unit(),
        "min": joint.min,
        "max": joint.max,
        "max_effort": joint.max_effort,
        "max_speed": joint.max_speed,
    })
}

/// Inertia and friction of the motors, as the joints feel them.
fn drive(robot: &AnyRobot) -> Value {
    match &robot.description().model {
        Model::Delta(d) => rotary(&d.motor),
        Model::Hexa(d) => rotary(&d.motor),
        Model::FiveBar(d) => rotary(&d.motor),
        Model::Planar3Rrr(d) => rotary(&d.motor),
        Model::GoughStewart(d) => linear(&d.motor),
        Model::Hexaglide(d) => linear(&d.motor),
        Model::LinearDelta(d) => linear(&d.motor),
        Model::C5(d) => d.motors.iter().map(linear).collect(),
        Model::Space(d) => json!([rotary(&d.rotary_motor), linear(&d.linear_motor)]),
        Model::Custom(d) => {
            let active = d.legs.iter().flat_map(|leg| &leg.joints).filter(|joint| joint.active);
            active
                .map(|joint| {
                    json!({
                        "inertia": joint.drive.actuator_inertia,
                        "viscous_friction": joint.drive.viscous_friction,
                        "coulomb_friction": joint.drive.coulomb_friction,
                    })
                })
                .collect()
        }
        _ => Value::Null,
    }
}

fn rotary(m: &Motor) -> Value {
    json!({
        "inertia": m.inertia_at_arm(),
        "rotor_inertia": m.rotor_inertia,
        "gear_inertia": m.gear_inertia,
        "gear_ratio": m.gear_ratio,
        "viscous_friction": m.viscous_friction,
        "coulomb_friction": m.coulomb_friction,
    })
}

fn linear(m: &LinearMotor) -> Value {
    json!({
        "inertia": m.actuator_inertia,
        "viscous_friction": m.viscous_friction,
        "coulomb_friction": m.coulomb_friction,
    })
}

fn home(robot: &AnyRobot) -> Value {
    let (schema, home) = (CoordinateSchema::of(robot), robot.home());
    let mut object = Map::new();
    object.insert("position".into(), json!(schema.pick(Group::Position, &home.position)));
    if schema.turns() {
        let angles = schema.angles(&home.rotation);
        let angles = if let [one] = angles[..] { json!(one) } else { json!(angles) };
        object.insert(schema.group(Group::Orientation).key.into(), angles);
        object.insert("rotation".into(), json!(home.rotation));
        object.insert("quaternion_wxyz".into(), json!(rotation::to_quaternion(&home.rotation)));
    }
    object.insert("given".into(), json!(home_is_given(robot)));
    match at_home(robot) {
        Some(state) => {
            object.insert("q".into(), json!(state.q));
            object.insert("gravity_effort".into(), json!(state.dynamics.map(|dynamics| dynamics.gravity)));
            object.insert("serial".into(), json!(state.singularity.serial));
            object.insert("parallel".into(), json!(state.singularity.parallel));
            object.insert("condition".into(), json!(state.singularity.condition));
        }
        None => {
            object.insert("singular".into(), json!(true));
        }
    }
    Value::Object(object)
}

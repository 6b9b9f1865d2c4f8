//! The mechanism and the poses of a golden file.

use super::super::{A_ROTATION, GoldenError, SAME_ROTATION, missing};
use super::TWIST;
use crate::description::nearest_word;
use crate::families::golden::numbers;
use crate::mechanism::{
    BodyDescription, JointDescription, JointType, MechanismDescription, MechanismModel, SpringDescription,
};
use crate::rotation::error;
use legwork_core::engine::{Drive, Pose, RigidBody};
use legwork_core::{M3, Sym3, V3};
use serde_json::Value;

pub(super) fn known(value: &Value, pointer: &str, keys: &[&str]) -> Result<(), GoldenError> {
    let map = value.as_object().ok_or_else(|| missing(pointer))?;
    match map.keys().find(|key| !keys.contains(&key.as_str())) {
        Some(key) => Err(GoldenError::UnknownKey {
            pointer: format!("{pointer}/{key}"),
            meant: nearest_word(key, keys.iter().copied()).map(str::to_owned),
        }),
        None => Ok(()),
    }
}

fn vector(value: &Value, pointer: &str) -> Result<V3<f64>, GoldenError> {
    match numbers(value).as_deref() {
        Some(&[x, y, z]) => Ok(V3::new(x, y, z)),
        _ => Err(missing(pointer)),
    }
}

fn matrix(value: &Value, pointer: &str) -> Result<M3<f64>, GoldenError> {
    match value.as_array().map(Vec::as_slice) {
        Some([x, y, z]) => Ok(M3::from_rows(vector(x, pointer)?, vector(y, pointer)?, vector(z, pointer)?)),
        _ => Err(missing(pointer)),
    }
}

fn pose(value: &Value, pointer: &str) -> Result<Pose<f64>, GoldenError> {
    known(value, pointer, &["position", "rotation"])?;
    Ok(Pose::new(
        rotation(&value["rotation"], &format!("{pointer}/rotation"))?,
        vector(&value["position"], &format!("{pointer}/position"))?,
    ))
}

/// A matrix that is a rotation.
pub(super) fn rotation(value: &Value, pointer: &str) -> Result<M3<f64>, GoldenError> {
    let found = matrix(value, pointer)?;
    // The error of a mirror is NaN.
    if error(&found.to_rows()) <= SAME_ROTATION {
        return Ok(found);
    }
    Err(GoldenError::Contradiction { pointer: pointer.into(), of: A_ROTATION.into() })
}

fn word(value: &Value, pointer: &str) -> Result<String, GoldenError> {
    value.as_str().map(str::to_owned).ok_or_else(|| missing(pointer))
}

fn words(file: &Value, key: &str) -> Result<Vec<String>, GoldenError> {
    let pointer = format!("/{key}");
    let list = file.get(key).and_then(Value::as_array).ok_or_else(|| missing(pointer.clone()))?;
    list.iter().map(|value| word(value, &pointer)).collect()
}

pub(super) fn number(value: &Value, pointer: &str) -> Result<f64, GoldenError> {
    value.as_f64().ok_or_else(|| missing(pointer))
}

fn items<'a>(file: &'a Value, key: &str) -> Result<&'a Vec<Value>, GoldenError> {
    file.get(key).and_then(Value::as_array).ok_or_else(|| missing(format!("/{key}")))
}

fn joint_type(value: &Value, pointer: &str) -> Result<JointType, GoldenError> {
    let word = word(value, pointer)?;
    if let Some((_, kind)) = JointType::ALL.iter().find(|(name, _)| *name == word) {
        return Ok(*kind);
    }
    let known: Vec<&str> = JointType::ALL.iter().map(|(name, _)| *name).collect();
    Err(GoldenError::UnknownWord { pointer: pointer.into(), word, known: known.join(", ") })
}

/// The inertia of a motor: a joint without one has none, not even zero.
fn actuator_inertia(value: &Value, driven: bool, pointer: String) -> Result<f64, GoldenError> {
    let inertia = number(value, &pointer)?;
    let of = if !driven {
        "`motor`: only a motor has an inertia of its own"
    } else if inertia < 0.0 {
        "what an inertia is: not less than nothing"
    } else {
        return Ok(inertia);
    };
    Err(GoldenError::Contradiction { pointer, of: of.into() })
}

/// The mechanism of a file.
pub(super) fn model(file: &Value) -> Result<MechanismModel, GoldenError> {
    let description = description(file)?;
    MechanismModel::new(&description).map_err(|error| GoldenError::Mechanism { state: None, error })
}

pub(in super::super) fn description(file: &Value) -> Result<MechanismDescription, GoldenError> {
    known(&file["home"], "/home", &["bodies", "q"])?;
    let homes = &file["home"]["bodies"];
    let mut bodies = Vec::new();
    for (k, body) in items(file, "bodies")?.iter().enumerate() {
        let at = format!("/bodies/{k}");
        known(body, &at, &["name", "mass", "centre", "inertia_com"])?;
        let name = word(&body["name"], &format!("{at}/name"))?;
        let [[xx, xy, xz], [yx, yy, yz], [zx, zy, zz]] =
            matrix(&body["inertia_com"], &format!("{at}/inertia_com"))?.to_rows();
        if [(xy, yx), (xz, zx), (yz, zy)].iter().any(|(a, b)| a != b) {
            let of = "what an inertia is: symmetric".into();
            return Err(GoldenError::Contradiction { pointer: format!("{at}/inertia_com"), of });
        }
        bodies.push(BodyDescription {
            body: RigidBody {
                mass: number(&body["mass"], &format!("{at}/mass"))?,
                centre: vector(&body["centre"], &format!("{at}/centre"))?,
                inertia: Sym3 { diagonal: V3::new(xx, yy, zz), off: V3::new(yz, xz, xy) },
            },
            home: pose(&homes[&name], &format!("/home/bodies/{name}"))?,
            name,
        });
    }
    let mut joints = Vec::new();
    for (k, joint) in items(file, "joints")?.iter().enumerate() {
        let at = format!("/joints/{k}");
        known(
            joint,
            &at,
            &["name", "type", "parent", "parent_frame", "child", "child_frame", "motor", "actuator_inertia"],
        )?;
        let kind = joint_type(&joint["type"], &format!("{at}/type"))?;
        let driven = joint["motor"].as_bool().ok_or_else(|| missing(format!("{at}/motor")))?;
        let inertia = match joint.get("actuator_inertia") {
            Some(value) => actuator_inertia(value, driven, format!("{at}/actuator_inertia"))?,
            None => 0.0,
        };
        joints.push(JointDescription {
            drag: None,
            name: word(&joint["name"], &format!("{at}/name"))?,
            kind,
            parent: word(&joint["parent"], &format!("{at}/parent"))?,
            parent_frame: pose(&joint["parent_frame"], &format!("{at}/parent_frame"))?,
            child: word(&joint["child"], &format!("{at}/child"))?,
            child_frame: pose(&joint["child_frame"], &format!("{at}/child_frame"))?,
            motor: driven.then(|| Drive::with_inertia(inertia)),
        });
    }
    let mut springs = Vec::new();
    let listed = file.get("springs").map(|_| items(file, "springs")).transpose()?;
    for (k, spring) in listed.into_iter().flatten().enumerate() {
        let at = format!("/springs/{k}");
        let keys = ["body_1", "point_1", "body_2", "point_2", "stiffness", "free_length", "law"];
        known(spring, &at, &keys)?;
        springs.push(SpringDescription {
            bodies: [word(&spring["body_1"], &at)?, word(&spring["body_2"], &at)?],
            points: [vector(&spring["point_1"], &at)?, vector(&spring["point_2"], &at)?],
            stiffness: number(&spring["stiffness"], &at)?,
            free_length: number(&spring["free_length"], &at)?,
        });
    }
    let named = words(file, "coordinates")?;
    let coordinates = named
        .iter()
        .map(|name| TWIST.iter().position(|known| known == name).ok_or_else(|| missing("/coordinates")))
        .collect::<Result<Vec<_>, _>>()?;
    Ok(MechanismDescription {
        name: word(&file["name"], "/name")?,
        bodies,
        joints,
        motors: words(file, "motors")?,
        platform: word(&file["platform"], "/platform")?,
        platform_point: vector(&file["platform_point"], "/platform_point")?,
        coordinates: (!coordinates.is_empty()).then_some(coordinates),
        held: Vec::new(),
        springs,
        gravity: vector(&file["gravity"], "/gravity")?,
    })
}

/// The poses of all bodies of a state.
pub(super) fn poses(model: &MechanismModel, state: &Value, at: &str) -> Result<Vec<Pose<f64>>, GoldenError> {
    let names: Vec<&str> = model.description().bodies.iter().map(|body| body.name.as_str()).collect();
    known(&state["bodies"], &format!("{at}/bodies"), &names)?;
    names.iter().map(|name| pose(&state["bodies"][*name], &format!("{at}/bodies/{name}"))).collect()
}

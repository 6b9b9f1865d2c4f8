//! A robot of bodies and joints as it was built: by what its joints stand elsewhere on its bodies than the rest of the file
//! says, and how sure that is.

use super::calibration::{ZERO_ANGLE, ZERO_LENGTH, put_number, put_vector};
use super::field::{Field, Need, Table, ValueType};
use super::fields::field;
use super::problem::ProblemKind;
use super::reader::Reader;
use crate::families::FamilyData;
use crate::nearest::nearest;
use crate::units::Quantity::{Angle, Length};
use std::fmt::Write as _;

/// By what one joint differs from the numbers of its file; as standard deviations, how sure that is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointCalibration {
    /// Where it is on its parent, in axes of that body \[m\].
    pub parent_shift: [f64; 3],
    /// Rotation vector of its frame on its parent about its own origin, in axes of that body \[rad\].
    pub parent_turn: [f64; 3],
    /// Where it is on its child, in axes of that body \[m\].
    pub child_shift: [f64; 3],
    /// Rotation vector of its frame on its child about its own origin, in axes of that body \[rad\].
    pub child_turn: [f64; 3],
    /// What is added to the reading of a joint that turns \[rad\].
    pub zero_angle: f64,
    /// The same of a joint that slides \[m\].
    pub zero_length: f64,
}

/// What `[[joint_calibration]]` of one joint says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CalibratedJoint {
    /// Its name.
    pub joint: String,
    /// What was found.
    pub value: JointCalibration,
    /// Its standard deviations; zero where nothing was found, or nothing is known.
    pub sigma: JointCalibration,
}

const JOINT: Field = field("joint", ValueType::Text, Need::Required, "Name of the joint.");
const fn vector(key: &'static str, quantity: crate::units::Quantity, meaning: &'static str) -> Field {
    field(key, ValueType::Vector(quantity, 3), Need::Derived("[0, 0, 0]"), meaning)
}
const PARENT_SHIFT: Field =
    vector("parent_shift", Length, "By what it is elsewhere on its parent, in axes of that body.");
const PARENT_TURN: Field = vector(
    "parent_turn",
    Angle,
    "By what it is turned about its own origin on its parent: axis times angle, in axes of that body.",
);
const CHILD_SHIFT: Field =
    vector("child_shift", Length, "By what it is elsewhere on its child, in axes of that body.");
const CHILD_TURN: Field = vector(
    "child_turn",
    Angle,
    "By what it is turned about its own origin on its child: axis times angle, in axes of that body.",
);
const NUMBERS: &[Field] = &[PARENT_SHIFT, PARENT_TURN, CHILD_SHIFT, CHILD_TURN, ZERO_ANGLE, ZERO_LENGTH];
const KEYS: &[Field] = &[JOINT, PARENT_SHIFT, PARENT_TURN, CHILD_SHIFT, CHILD_TURN, ZERO_ANGLE, ZERO_LENGTH];

const SIGMA: Table = Table::new(
    "joint_calibration.sigma",
    "Standard deviations of what was found, under the same names; what is left out is 0.",
    NUMBERS,
);

/// `[[joint_calibration]]`
pub const JOINT_CALIBRATION: Table = Table {
    repeated: true,
    tables: &[SIGMA],
    ..Table::new(
        "joint_calibration",
        "A robot of bodies and joints as it was built: by what a joint differs from the other numbers of the file, as \
         `legwork calibrate` writes it; a joint without one is as drawn. All that is computed is then computed with it. \
         Masses stay where they are in the frames of their bodies.",
        KEYS,
    )
};

/// `[[joint_calibration]]`, if it is there.
pub(super) fn read(top: &mut Reader<'_, '_>) -> Vec<CalibratedJoint> {
    let bare_numbers = top.convention.row().bare_numbers;
    top.each(&JOINT_CALIBRATION, |reader| {
        reader.bare_numbers = bare_numbers;
        let joint = reader.text(&JOINT).unwrap_or_default();
        let value = numbers(reader);
        let sigma = reader.open(&JOINT_CALIBRATION.tables[0]).map(|mut sigma| {
            sigma.bare_numbers = bare_numbers;
            numbers(&mut sigma)
        });
        CalibratedJoint { joint, value, sigma: sigma.unwrap_or_default() }
    })
}

fn numbers(reader: &mut Reader<'_, '_>) -> JointCalibration {
    JointCalibration {
        parent_shift: reader.vector(&PARENT_SHIFT).unwrap_or_default(),
        parent_turn: reader.vector(&PARENT_TURN).unwrap_or_default(),
        child_shift: reader.vector(&CHILD_SHIFT).unwrap_or_default(),
        child_turn: reader.vector(&CHILD_TURN).unwrap_or_default(),
        zero_angle: reader.number(&ZERO_ANGLE),
        zero_length: reader.number(&ZERO_LENGTH),
    }
}

/// Whether its joints are joints of the robot, and whether legs are calibrated where there are none.
pub(super) fn check(read: &[CalibratedJoint], has_legs: bool, data: &FamilyData, top: &mut Reader<'_, '_>) {
    let names = data.joint_names();
    let span = top.value(JOINT_CALIBRATION.key()).map(toml::Spanned::span);
    let legs = top.value(super::calibration::CALIBRATION.key()).map(toml::Spanned::span);
    match names {
        Some(_) if has_legs => top.notes.note(legs, ProblemKind::OtherCalibration { of_joints: true }),
        None if !read.is_empty() => top.notes.note(span, ProblemKind::OtherCalibration { of_joints: false }),
        Some(known) => {
            for found in read.iter().filter(|found| !known.contains(&found.joint)) {
                let nearest = nearest(&found.joint, known.iter().map(String::as_str)).map(str::to_owned);
                let kind =
                    ProblemKind::NotAJoint { name: found.joint.clone(), known: known.clone(), nearest };
                top.notes.note(span.clone(), kind);
            }
        }
        None => {}
    }
}

/// The tables `[[joint_calibration]]` of these joints as text, every number to the bit and with its unit.
pub fn joint_calibration_text(joints: &[CalibratedJoint]) -> String {
    let mut text = String::new();
    for found in joints {
        let name = found.joint.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = write!(text, "\n[[joint_calibration]]\njoint = \"{name}\"\n");
        put(&mut text, &found.value);
        if found.sigma != JointCalibration::default() {
            text.push_str("[joint_calibration.sigma]\n");
            put(&mut text, &found.sigma);
        }
    }
    text
}

fn put(text: &mut String, joint: &JointCalibration) {
    put_vector(text, &PARENT_SHIFT, joint.parent_shift, "m");
    put_vector(text, &PARENT_TURN, joint.parent_turn, "rad");
    put_vector(text, &CHILD_SHIFT, joint.child_shift, "m");
    put_vector(text, &CHILD_TURN, joint.child_turn, "rad");
    put_number(text, &ZERO_ANGLE, joint.zero_angle, "rad");
    put_number(text, &ZERO_LENGTH, joint.zero_length, "m");
}

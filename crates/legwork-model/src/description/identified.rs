//! What was identified on the machine: table `[identified]`.
//!
//! It stands behind what the rest of the file says and replaces it: motors one by one, with friction and offset of
//! their own, and parts with mass. The estimated combinations are kept beside it with their standard deviations.

use super::fields::{self, Field, Need, Range, Table, Type, ValueType, field, number};
use super::model_error::ModelError;
use super::parts::Body;
use super::problem::ProblemKind;
use super::reader::Reader;
use crate::families::FamilyData;
use crate::nearest::nearest;
use crate::units::Quantity::{self, Force, Inertia, LinearFriction, Mass, Ratio, Torque, ViscousFriction};
use Need::{Optional, Required};
use Range::{Any, NotNegative};

/// What was identified on the machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Identified {
    /// Where it comes from.
    pub source: Option<String>,
    /// Whether legs differ: each has bodies of its own, and `bodies` are of these.
    pub separate_legs: bool,
    /// Motors one by one.
    pub motors: Vec<IdentifiedMotor>,
    /// Parts with mass, by their names; they replace those of the file when it is read.
    pub bodies: Vec<IdentifiedBody>,
    /// What was estimated, with its standard deviation.
    pub parameters: Vec<IdentifiedParameter>,
}

/// One motor, as its joint feels it. What is `None` is as the rest of the file says.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentifiedMotor {
    /// Its joint: `q1`.
    pub joint: String,
    /// Whether it slides; otherwise it turns.
    pub slides: bool,
    /// \[kg m² or kg\]
    pub inertia: Option<f64>,
    /// \[N m s/rad or N s/m\]
    pub viscous_friction: Option<f64>,
    /// \[N m or N\]
    pub coulomb_friction: Option<f64>,
    /// What it gives at rest without moving anything \[N m or N\]; added to friction.
    pub offset: f64,
}

/// A part with mass.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentifiedBody {
    /// Its name, as identification calls it.
    pub name: String,
    /// Its numbers.
    pub body: Body,
}

/// An estimate.
#[derive(Clone, Debug, PartialEq)]
pub struct IdentifiedParameter {
    /// The parameter, or the combination of parameters that the motion tells.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its standard deviation.
    pub sigma: f64,
    /// The unit of both.
    pub unit: Option<String>,
}

const SOURCE: Field =
    field("source", ValueType::Text, Optional("unknown"), "Where it comes from: logs, date.");
const SEPARATE_LEGS: Field = field(
    "separate_legs",
    ValueType::Flag,
    Need::Derived("false"),
    "Whether legs differ: the robot is then computed as bodies and joints, each leg with bodies of its own, which \
     [[identified.body]] names. Cell, tool and payload are parts of these bodies.",
);
const JOINT: Field = field("joint", ValueType::Text, Required, "Its joint, as `q1`.");
const TYPE: Field = field(
    "type",
    ValueType::Choice(&["revolute", "prismatic"]),
    Required,
    "Whether it turns or slides; units depend on it.",
);
const AS_FILE: Need = Optional("as the rest of the file says");
const fn numbers([inertia, viscous, effort]: [Quantity; 3]) -> [Field; 4] {
    [
        number("actuator_inertia", inertia, NotNegative, AS_FILE, "Rotor and gear as the joint feels them."),
        number(
            "viscous_friction",
            viscous,
            NotNegative,
            AS_FILE,
            "Friction that grows with speed, at the joint.",
        ),
        number(
            "coulomb_friction",
            effort,
            NotNegative,
            AS_FILE,
            "Friction that only has a sign, at the joint.",
        ),
        number(
            "offset",
            effort,
            Any,
            Optional("0"),
            "Effort that the motor needs besides, always the same: the zero of a current sensor, a spring, a cable.",
        ),
    ]
}
const REVOLUTE: [Field; 4] = numbers([Inertia, ViscousFriction, Torque]);
const PRISMATIC: [Field; 4] = numbers([Mass, LinearFriction, Force]);
/// `[[identified.motor]]`
pub const MOTOR: Table = Table {
    repeated: true,
    types: &[
        Type { word: "revolute", meaning: "The joint turns.", fields: &REVOLUTE },
        Type { word: "prismatic", meaning: "The joint slides.", fields: &PRISMATIC },
    ],
    ..Table::new("identified.motor", "One motor with friction and offset of its own.", &[JOINT, TYPE])
};
const BODY_NAME: Field = field(
    "name",
    ValueType::Text,
    Required,
    "The part, as `legwork identify` names it: `platform`, `forearm`, `leg2.joint1`, or a body of a mechanism.",
);
/// `[[identified.body]]`
pub const BODY: Table = Table {
    repeated: true,
    ..Table::new(
        "identified.body",
        "A part with mass; it replaces that of the rest of the file. A bar lies along x of its frame from the joint nearer \
         to the base, and takes the inertia about z; a point takes the mass only.",
        &[
            BODY_NAME,
            Field { range: NotNegative, ..fields::BODY_MASS },
            fields::BODY_CENTRE,
            fields::BODY_INERTIA,
        ],
    )
};
const PARAMETER_NAME: Field = field(
    "name",
    ValueType::Text,
    Required,
    "A parameter, or the combination of parameters that motion tells.",
);
const VALUE: Field = number("value", Ratio, Any, Required, "Its estimate, in `unit`.");
const SIGMA: Field = number("sigma", Ratio, NotNegative, Required, "Its standard deviation, in `unit`.");
const UNIT: Field = field("unit", ValueType::Text, Optional("no unit"), "The unit of both.");
/// `[[identified.parameter]]`
pub const PARAMETER: Table = Table {
    repeated: true,
    ..Table::new(
        "identified.parameter",
        "What was estimated, with its standard deviation. For people and programs: the robot is made of the other tables.",
        &[PARAMETER_NAME, VALUE, SIGMA, UNIT],
    )
};
/// `[identified]`
pub const IDENTIFIED: Table = Table {
    tables: &[MOTOR, BODY, PARAMETER],
    ..Table::new(
        "identified",
        "What was identified on the machine, as `legwork identify --out` writes it. It replaces what the rest of the file says.",
        &[SOURCE, SEPARATE_LEGS],
    )
};

/// `[identified]`, if it is there.
pub(super) fn read(top: &mut Reader<'_, '_>) -> Identified {
    let Some(mut table) = top.open(&IDENTIFIED) else { return Identified::default() };
    let source = table.text(&SOURCE);
    let separate_legs = table.flag(&SEPARATE_LEGS);
    let motors = table.each(&MOTOR, |motor| {
        let joint = motor.text(&JOINT).unwrap_or_default();
        let slides = motor.word(&TYPE) == Some("prismatic");
        let [inertia, viscous, coulomb, offset] = if slides { &PRISMATIC } else { &REVOLUTE };
        IdentifiedMotor {
            joint,
            slides,
            inertia: motor.optional_number(inertia),
            viscous_friction: motor.optional_number(viscous),
            coulomb_friction: motor.optional_number(coulomb),
            offset: motor.optional_number(offset).unwrap_or(0.0),
        }
    });
    let bodies = table.each(&BODY, |body| IdentifiedBody {
        name: body.text(&BODY_NAME).unwrap_or_default(),
        body: Body {
            mass: body.number(&fields::BODY_MASS),
            centre: body.vector(&fields::BODY_CENTRE).unwrap_or_default(),
            inertia: body.inertia(&BODY),
        },
    });
    let parameters = table.each(&PARAMETER, |parameter| IdentifiedParameter {
        name: parameter.text(&PARAMETER_NAME).unwrap_or_default(),
        value: parameter.number(&VALUE),
        sigma: parameter.number(&SIGMA),
        unit: parameter.text(&UNIT),
    });
    Identified { source, separate_legs, motors, bodies, parameters }
}

/// Puts the identified bodies in the place of those of the family; a name that is none is noted.
pub(super) fn apply(identified: &Identified, data: &mut FamilyData, top: &mut Reader<'_, '_>) {
    // Bodies of legs that differ are those of what is made of the legs.
    if identified.separate_legs {
        return;
    }
    let span = top.value(IDENTIFIED.key()).map(toml::Spanned::span);
    for found in &identified.bodies {
        let mut parts = data.inertial_parts();
        if let Some(part) = parts.iter_mut().find(|part| part.name == found.name) {
            part.set(&found.body);
            continue;
        }
        let known: Vec<String> = parts.iter().map(|part| part.name.clone()).collect();
        let nearest = nearest(&found.name, known.iter().map(String::as_str)).map(str::to_owned);
        let kind = ProblemKind::NotABody { name: found.name.clone(), known, nearest };
        top.notes.note(span.clone(), kind);
    }
}

impl Identified {
    /// Makes inertias and frictions larger or smaller.
    pub(crate) fn scale(&mut self, error: &ModelError) {
        for motor in &mut self.motors {
            let by =
                |value: &mut Option<f64>, factor: f64| value.iter_mut().for_each(|value| *value *= factor);
            by(&mut motor.inertia, 1.0 + error.motor_inertia);
            by(&mut motor.viscous_friction, 1.0 + error.friction);
            by(&mut motor.coulomb_friction, 1.0 + error.friction);
        }
    }
}

impl IdentifiedMotor {
    /// Its place among the motors, from 0; `None` if its joint is not named as `q1`.
    pub fn place(&self) -> Option<usize> {
        self.joint.strip_prefix('q')?.parse::<usize>().ok()?.checked_sub(1)
    }
}

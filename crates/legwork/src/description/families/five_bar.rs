//! Planar five-bar: two motors, two legs of two links that meet at the platform point.

use super::{Family, FamilyRow};
use crate::description::defaults;
use crate::description::fields::{self, Count, Field, Kind, Need, Table};
use crate::description::parts::{AngleLimits, Bar, Bend, Motor};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use Need::Derived;
use fields::{field, length, length_or_zero, mass, mass_or_none};

/// A five-bar in the x-y plane.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveBarDescription {
    /// Lengths.
    pub geometry: FiveBarGeometry,
    /// Masses; `None` for a robot with geometry only.
    pub mass: Option<FiveBarMass>,
    /// One motor with its gear; both are equal.
    pub motor: Motor,
    /// Limits of the motor angles.
    pub limits: AngleLimits,
    /// Platform point at rest \[m\].
    pub home: Option<[f64; 2]>,
    /// Which way the elbow of each leg bends.
    pub working_mode: [Bend; 2],
}

/// Lengths of a five-bar. The motors are at (−d, 0) and (d, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveBarGeometry {
    /// Middle of the base to a motor axis, d \[m\].
    pub motor_offset: f64,
    /// Motor axis to elbow, l_1 \[m\].
    pub proximal: f64,
    /// Elbow to platform point, l_2 \[m\].
    pub distal: f64,
}

/// Masses of a five-bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiveBarMass {
    /// One proximal link, from the motor axis.
    pub proximal: Bar,
    /// One distal link, from the elbow.
    pub distal: Bar,
    /// What moves with the platform point, without payload \[kg\].
    pub platform: f64,
    /// What it carries \[kg\].
    pub payload: f64,
}

/// The two ways an elbow in the plane can bend.
pub const BENDS: &[&str] = &["left", "right"];

const MOTOR_OFFSET: Field = length_or_zero(
    "motor_offset",
    "Middle of the base to a motor axis: motor 1 is at x = -d, motor 2 at x = d.",
);
const PROXIMAL: Field = length("proximal", "Motor axis to elbow.");
const DISTAL: Field = length("distal", "Elbow to platform point.");
const GEOMETRY: Table =
    Table::new(fields::GEOMETRY_NAME, "Lengths.", &[MOTOR_OFFSET, PROXIMAL, DISTAL]).required();
const PLATFORM: Field = mass("platform", "What moves with the platform point, without payload.");
const PAYLOAD: Field = mass_or_none("payload", "What the platform point carries.");
const MASS: Table = Table::new(
    "mass",
    "Masses and inertias. Without this table the robot has geometry only.",
    &[
        PLATFORM,
        PAYLOAD,
        BarFields::PROXIMAL.mass,
        BarFields::PROXIMAL.centre,
        BarFields::PROXIMAL.inertia,
        BarFields::DISTAL.mass,
        BarFields::DISTAL.centre,
        BarFields::DISTAL.inertia,
    ],
);
const WORKING_MODE: Field = field(
    "working_mode",
    Kind::ChoicePerLeg(BENDS, Count::Exactly(2)),
    Derived("left for leg 1, right for leg 2: both outward"),
    "To which side of the line from motor to platform point the elbow bends, for both legs or for each.",
);
const HOME: Table = Table::new("home", "Where the robot rests.", &[fields::HOME_IN_PLANE]);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::FiveBar,
    name: "five-bar",
    meaning: "Planar five-bar, RRRRR: two motors, two legs of two links that meet at the platform point.",
    frame: "The robot moves in the x-y plane. A motor angle is that of its proximal link from +x, \
            counter-clockwise.",
    own_top: &[fields::OWN_CONVENTION, fields::GRAVITY_SIZE, fields::GRAVITY_IN_PLANE, WORKING_MODE],
    tables: &[
        GEOMETRY,
        MASS,
        fields::MOTOR,
        fields::ANGLE_LIMITS,
        HOME,
        defaults::MOTION_IN_PLANE,
        defaults::CONTROLLER,
    ],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<FiveBarDescription> {
    let words = top.words(&WORKING_MODE, Some(2)).and_then(|words| words.try_into().ok());
    let geometry = top.open(&GEOMETRY).map(|mut reader| FiveBarGeometry {
        motor_offset: reader.number(&MOTOR_OFFSET),
        proximal: reader.number(&PROXIMAL),
        distal: reader.number(&DISTAL),
    });
    let lengths = geometry.map_or((f64::NAN, f64::NAN), |geometry| (geometry.proximal, geometry.distal));
    let mass = top.open(&MASS).map(|mut reader| FiveBarMass {
        proximal: reader.bar(lengths.0, &BarFields::PROXIMAL),
        distal: reader.bar(lengths.1, &BarFields::DISTAL),
        platform: reader.number(&PLATFORM),
        payload: reader.number(&PAYLOAD),
    });
    let motor = top.motor(&fields::MOTOR);
    let limits = top.angle_limits();
    let home = top.open(&HOME).and_then(|mut reader| reader.vector(&fields::HOME_IN_PLANE));
    let working_mode = words.unwrap_or(["left", "right"]).map(bend);
    Some(FiveBarDescription { geometry: geometry?, mass, motor, limits, home, working_mode })
}

pub(super) fn bend(word: &str) -> Bend {
    if word == "right" { Bend::Right } else { Bend::Left }
}

//! Hexa: six arms in three pairs, each with one rod to the platform, 6-RUS.

use super::delta::{ELBOWS, elbow, third_turns};
use super::{Family, FamilyRow};
use crate::description::defaults;
use crate::description::fields::{self, Count, Field, Kind, Need, Table};
use crate::description::parts::{AngleLimits, Bar, Body, Elbow, Motor, Placement};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::units::Quantity::Angle;
use Need::{Default, Derived};
use fields::{field, length, length_or_zero, mass_or_none};

/// A Hexa. Arm k belongs to pair k / 2.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexaDescription {
    /// Lengths and directions.
    pub geometry: HexaGeometry,
    /// Masses; `None` for a robot with geometry only.
    pub mass: Option<HexaMass>,
    /// One motor with its gear; all are equal.
    pub motor: Motor,
    /// Limits of the motor angles.
    pub limits: AngleLimits,
    /// Platform at rest.
    pub home: Option<Placement>,
    /// Which way the elbow of each leg bends.
    pub working_mode: [Elbow; 6],
}

/// Lengths of a Hexa. With R_j = Rz(azimuth_j) of a pair and s = +1/2 for its first arm, −1/2 for its second:
/// motor axis at R_j (R_A, s w_A, 0) along R_j y, platform joint at R_j (R_B, s w_B, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexaGeometry {
    /// Centre of the base to the middle of a pair of motors, R_A \[m\].
    pub base_radius: f64,
    /// Distance of the two arms of a pair along their axis, w_A \[m\].
    pub base_spacing: f64,
    /// Centre of the platform to the middle of a pair of joints, R_B \[m\].
    pub platform_radius: f64,
    /// Distance of the two joints of a pair, w_B \[m\].
    pub platform_spacing: f64,
    /// Motor axis to elbow, L_A \[m\].
    pub arm: f64,
    /// Elbow to platform joint, L_B \[m\].
    pub rod: f64,
    /// Direction of each pair from +x, counter-clockwise seen from above \[rad\].
    pub azimuth: [f64; 3],
}

/// Masses of a Hexa.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexaMass {
    /// One arm without its elbow, from the motor axis.
    pub arm: Bar,
    /// Joint at the end of one arm, as a point \[kg\].
    pub elbow: f64,
    /// One rod, from the elbow.
    pub rod: Bar,
    /// The platform, in its own frame.
    pub platform: Body,
    /// What it carries, in the platform's frame.
    pub payload: Body,
}

const BASE_RADIUS: Field = length(
    "base_radius",
    "Centre of the base to the middle of a pair of motors, along the pair's direction.",
);
const BASE_SPACING: Field = length_or_zero("base_spacing", "Distance of the two arms of a pair.");
const PLATFORM_RADIUS: Field =
    length_or_zero("platform_radius", "Centre of the platform to the middle of a pair of joints.");
const PLATFORM_SPACING: Field = length_or_zero("platform_spacing", "Distance of the two joints of a pair.");
const ARM: Field = length("arm", "Motor axis to elbow.");
const ROD: Field = length("rod", "Elbow to platform joint.");
const AZIMUTH: Field = field(
    "azimuth",
    Kind::NumberPerLeg(Angle, Count::Exactly(3)),
    Derived("0 deg; one angle is that of the first pair, the others follow 120 deg apart"),
    "Direction of the pairs from +x, counter-clockwise seen from above.",
);
const GEOMETRY: Table = Table::new(
    fields::GEOMETRY_NAME,
    "Lengths. The first arm of a pair stands to the left of the pair's direction, the second to the right.",
    &[BASE_RADIUS, BASE_SPACING, PLATFORM_RADIUS, PLATFORM_SPACING, ARM, ROD, AZIMUTH],
)
.required();
const ELBOW: Field = mass_or_none("elbow", "Joint at the end of one arm, as a point.");
const MASS: Table = Table::new(
    "mass",
    "Masses of the legs. Without them the robot has geometry only.",
    &[
        BarFields::ARM.mass,
        BarFields::ARM.centre,
        BarFields::ARM.inertia,
        ELBOW,
        BarFields::ROD.mass,
        BarFields::ROD.centre,
        BarFields::ROD.inertia,
    ],
);
const WORKING_MODE: Field = field(
    "working_mode",
    Kind::ChoicePerLeg(ELBOWS, Count::Exactly(6)),
    Default("out"),
    "Which way the elbows bend, for all legs or for each.",
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::Hexa,
    name: "hexa",
    meaning: "Hexa, 6-RUS: six motors with arms in three pairs, one rod each, a platform with six freedoms.",
    frame: "z up, the origin between the motor axes, the first pair along +x; a motor angle is 0 when its arm \
            is horizontal and outward, and positive when it goes down.",
    own_top: &[fields::OWN_CONVENTION, fields::GRAVITY_SIZE, fields::GRAVITY_DIRECTION, WORKING_MODE],
    tables: &[
        GEOMETRY,
        MASS,
        fields::PLATFORM,
        fields::PAYLOAD,
        fields::MOTOR,
        fields::ANGLE_LIMITS,
        fields::HOME_POSE,
        defaults::MOTION,
        defaults::CONTROLLER,
    ],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<HexaDescription> {
    let words = top.words(&WORKING_MODE, Some(6)).and_then(|words| words.try_into().ok());
    let geometry = top.open(&GEOMETRY).map(|mut reader| HexaGeometry {
        base_radius: reader.number(&BASE_RADIUS),
        base_spacing: reader.number(&BASE_SPACING),
        platform_radius: reader.number(&PLATFORM_RADIUS),
        platform_spacing: reader.number(&PLATFORM_SPACING),
        arm: reader.number(&ARM),
        rod: reader.number(&ROD),
        azimuth: reader.numbers(&AZIMUTH, third_turns).unwrap_or_else(|| third_turns(0.0)),
    });
    let lengths = geometry.map_or((f64::NAN, f64::NAN), |geometry| (geometry.arm, geometry.rod));
    let any = top.any_of(&[&MASS, &fields::PLATFORM], &[&fields::PAYLOAD]);
    let legs = top.open(&MASS).map(|mut reader| {
        let arm = reader.bar(lengths.0, &BarFields::ARM);
        (arm, reader.number(&ELBOW), reader.bar(lengths.1, &BarFields::ROD))
    });
    let (platform, payload) = (top.body(&fields::PLATFORM), top.body(&fields::PAYLOAD));
    let mass = legs.filter(|_| any).map(|(arm, elbow, rod)| HexaMass { arm, elbow, rod, platform, payload });
    let motor = top.motor(&fields::MOTOR);
    let limits = top.angle_limits();
    let home = top.home_pose();
    let working_mode = words.unwrap_or(["out"; 6]).map(elbow);
    Some(HexaDescription { geometry: geometry?, mass, motor, limits, home, working_mode })
}

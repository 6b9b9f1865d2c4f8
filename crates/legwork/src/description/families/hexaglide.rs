//! Hexaglide: carriages on rails, one rod each to the platform, 6-PUS.

use super::gough_stewart::LEGS;
use super::{Family, FamilyRow};
use crate::description::defaults;
use crate::description::fields::{self, Field, Kind, Need, Range, Table};
use crate::description::parts::{Bar, Body, Carriage, LengthLimits, LinearMotor, Placement};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::rotation;
use crate::units::Quantity::{Length, Ratio};
use Need::{Default, Required};
use Range::NotZero;
use fields::{field, length, mass};

/// A hexaglide.
#[derive(Clone, Debug, PartialEq)]
pub struct HexaglideDescription {
    /// Rails, rods and joints.
    pub geometry: HexaglideGeometry,
    /// Masses; `None` for a robot with geometry only.
    pub mass: Option<HexaglideMass>,
    /// The motor of one carriage; all are equal.
    pub motor: LinearMotor,
    /// Limits of the carriages' positions.
    pub limits: LengthLimits,
    /// Platform at rest.
    pub home: Option<Placement>,
    /// On which side of its platform joint each carriage is.
    pub working_mode: Vec<Carriage>,
}

/// Rails, rods and joints, one entry for each leg.
#[derive(Clone, Debug, PartialEq)]
pub struct HexaglideGeometry {
    /// The rails.
    pub rails: Vec<Rail>,
    /// Centres of the spherical joints, P_i, in the platform's frame \[m\].
    pub platform_points: Vec<[f64; 3]>,
    /// Carriage to platform joint, the same for all legs \[m\].
    pub rod: f64,
}

/// A rail: the carriage's joint is at point + q direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rail {
    /// The carriage's joint at q = 0, in the base \[m\].
    pub point: [f64; 3],
    /// Where q grows, in the base; unit vector.
    pub direction: [f64; 3],
}

/// Masses of a hexaglide.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexaglideMass {
    /// One carriage \[kg\].
    pub carriage: f64,
    /// One rod, from the carriage.
    pub rod: Bar,
    /// The platform, in its own frame.
    pub platform: Body,
    /// What it carries, in the platform's frame.
    pub payload: Body,
}

const RAIL_POINTS: Field = field(
    "rail_points",
    Kind::Points(Length, LEGS),
    Required,
    "The joint of each carriage at position 0, in the base.",
);
const RAIL_DIRECTIONS: Field = Field {
    range: NotZero,
    ..field(
        "rail_directions",
        Kind::VectorPerLeg(Ratio, LEGS),
        Required,
        "Where the position on each rail grows; one direction is that of all rails.",
    )
};
const PLATFORM_POINTS: Field = field(
    "platform_points",
    Kind::Points(Length, LEGS),
    Required,
    "Centres of the spherical joints, in the platform's frame.",
);
const ROD: Field = length("rod", "Joint of the carriage to joint of the platform.");
const GEOMETRY: Table = Table::new(
    fields::GEOMETRY_NAME,
    "Rails, rods and joints of the platform.",
    &[RAIL_POINTS, RAIL_DIRECTIONS, PLATFORM_POINTS, ROD],
)
.required();
const CARRIAGE: Field = mass("carriage", "One carriage.");
const MASS: Table = Table::new(
    "mass",
    "Masses of the legs. Without them the robot has geometry only.",
    &[CARRIAGE, BarFields::ROD.mass, BarFields::ROD.centre, BarFields::ROD.inertia],
);
const WORKING_MODE: Field = field(
    "working_mode",
    Kind::ChoicePerLeg(&["ahead", "behind"], LEGS),
    Default("ahead"),
    "Whether the carriage is farther along its rail than its platform joint, for all legs or for each.",
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::Hexaglide,
    name: "hexaglide",
    meaning: "Hexaglide, 6-PUS: carriages on rails, one rod each to a platform with six freedoms.",
    frame: "z up. A joint coordinate is the position of a carriage on its rail: its joint is at the rail's \
            point + q times the rail's direction.",
    own_top: &[fields::OWN_CONVENTION, fields::GRAVITY_SIZE, fields::GRAVITY_DIRECTION, WORKING_MODE],
    tables: &[
        GEOMETRY,
        MASS,
        fields::PLATFORM,
        fields::PAYLOAD,
        fields::LINEAR_MOTOR,
        fields::POSITION_LIMITS,
        fields::HOME_POSE,
        defaults::MOTION,
        defaults::CONTROLLER,
    ],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<HexaglideDescription> {
    let geometry = geometry(top);
    let legs = geometry.as_ref().map(|geometry| geometry.rails.len());
    let words = top.words(&WORKING_MODE, legs);
    let rod_length = geometry.as_ref().map_or(f64::NAN, |geometry| geometry.rod);
    let any = top.any_of(&[&MASS, &fields::PLATFORM], &[&fields::PAYLOAD]);
    let legs = top.open(&MASS).map(|mut reader| {
        let carriage = reader.number(&CARRIAGE);
        (carriage, reader.bar(rod_length, &BarFields::ROD))
    });
    let (platform, payload) = (top.body(&fields::PLATFORM), top.body(&fields::PAYLOAD));
    let mass = legs.filter(|_| any).map(|(carriage, rod)| HexaglideMass { carriage, rod, platform, payload });
    let motor = top.linear_motor(&fields::LINEAR_MOTOR);
    let limits = top.position_limits();
    let home = top.home_pose();
    let working_mode = words?.into_iter().map(carriage).collect();
    Some(HexaglideDescription { geometry: geometry?, mass, motor, limits, home, working_mode })
}

/// "ahead", "above" or the other one.
pub(super) fn carriage(word: &str) -> Carriage {
    if word == "ahead" || word == "above" { Carriage::Ahead } else { Carriage::Behind }
}

fn geometry(top: &mut Reader<'_, '_>) -> Option<HexaglideGeometry> {
    let mut reader = top.open(&GEOMETRY)?;
    let points = reader.points(&RAIL_POINTS, LEGS);
    let rod = reader.number(&ROD);
    let platform_points = reader.points(&PLATFORM_POINTS, LEGS);
    let directions = reader.vectors(&RAIL_DIRECTIONS, points.as_ref().map(Vec::len));
    let (points, platform_points) = (points?, platform_points?);
    if platform_points.len() != points.len() {
        reader.unlike(&PLATFORM_POINTS, platform_points.len(), &RAIL_POINTS, points.len());
    }
    let rail = |(point, direction): ([f64; 3], _)| Rail { point, direction: rotation::unit(direction) };
    let rails = points.into_iter().zip(directions?).map(rail).collect();
    Some(HexaglideGeometry { rails, platform_points, rod })
}

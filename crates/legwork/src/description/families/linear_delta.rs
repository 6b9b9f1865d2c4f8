//! Linear Delta: three carriages on upright or inclined rails, three parallelograms, a platform that only
//! translates.

use super::delta::third_turns;
use super::hexaglide::carriage;
use super::{Family, FamilyRow};
use crate::description::defaults;
use crate::description::fields::{self, Count, Field, Kind, Need, Range, Table};
use crate::description::parts::{Bar, Carriage, LengthLimits, LinearMotor};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::units::Quantity::Angle;
use Need::{Default, Derived};
use Range::Any;
use fields::{field, length, length_or_zero, mass, mass_or_none, number};

/// A linear Delta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearDeltaDescription {
    /// Lengths and directions.
    pub geometry: LinearDeltaGeometry,
    /// Masses; `None` for a robot with geometry only.
    pub mass: Option<LinearDeltaMass>,
    /// The motor of one carriage; all are equal.
    pub motor: LinearMotor,
    /// Limits of the carriages' positions.
    pub limits: LengthLimits,
    /// Platform position at rest \[m\].
    pub home: Option<[f64; 3]>,
    /// Whether each carriage is above (ahead of) its platform joint.
    pub working_mode: [Carriage; 3],
}

/// Lengths of a linear Delta. With R_i = Rz(azimuth_i): carriage at R_i ((R_A, 0, 0) + q (sin tilt, 0, cos tilt)),
/// platform joint at p + R_i (R_B, 0, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearDeltaGeometry {
    /// Centre of the base to a carriage at q = 0, R_A \[m\].
    pub base_radius: f64,
    /// Centre of the platform to the joints of a leg, R_B \[m\].
    pub platform_radius: f64,
    /// Carriage to platform joint \[m\].
    pub rod: f64,
    /// Direction of each leg from +x, counter-clockwise seen from above \[rad\].
    pub azimuth: [f64; 3],
    /// Rails from upright, positive when their upper ends lean outward \[rad\].
    pub tilt: f64,
}

/// Masses of a linear Delta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearDeltaMass {
    /// Platform without payload \[kg\].
    pub platform: f64,
    /// What the platform carries \[kg\].
    pub payload: f64,
    /// One carriage \[kg\].
    pub carriage: f64,
    /// Both rods of a leg together, from the carriage.
    pub rod: Bar,
}

const BASE_RADIUS: Field = length("base_radius", "Centre of the base to a carriage at position 0.");
const PLATFORM_RADIUS: Field =
    length_or_zero("platform_radius", "Centre of the platform to the joints of a leg.");
const ROD: Field = length("rod", "Joint of the carriage to joint of the platform.");
const AZIMUTH: Field = field(
    "azimuth",
    Kind::NumberPerLeg(Angle, Count::Exactly(3)),
    Derived("0 deg; one angle is that of leg 1, the others follow 120 deg apart"),
    "Direction of the legs from +x, counter-clockwise seen from above.",
);
const TILT: Field = number(
    "tilt",
    Angle,
    Any,
    Default("0 deg"),
    "Rails from upright; positive when their upper ends lean outward, 90 deg when they lie and point outward.",
);
const GEOMETRY: Table = Table::new(
    fields::GEOMETRY_NAME,
    "Lengths and directions.",
    &[BASE_RADIUS, PLATFORM_RADIUS, ROD, AZIMUTH, TILT],
)
.required();
const PLATFORM: Field = mass("platform", "Platform, without payload.");
const PAYLOAD: Field = mass_or_none("payload", "What the platform carries.");
const CARRIAGE: Field = mass("carriage", "One carriage.");
const MASS: Table = Table::new(
    "mass",
    "Masses. Without this table the robot has geometry only.",
    &[PLATFORM, PAYLOAD, CARRIAGE, BarFields::ROD.mass, BarFields::ROD.centre, BarFields::ROD.inertia],
);
const WORKING_MODE: Field = field(
    "working_mode",
    Kind::ChoicePerLeg(&["above", "below"], Count::Exactly(3)),
    Default("above"),
    "Whether the carriages are above the platform, farther along their rails, for all legs or for each.",
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::LinearDelta,
    name: "linear-delta",
    meaning: "Linear Delta: three carriages on upright or inclined rails, three parallelograms, a platform that \
              only translates.",
    frame: "z up, leg 1 along +x. A joint coordinate is the position of a carriage on its rail, positive up; at \
            0 it is at height 0.",
    own_top: &[fields::OWN_CONVENTION, fields::GRAVITY_SIZE, fields::GRAVITY_DIRECTION, WORKING_MODE],
    tables: &[
        GEOMETRY,
        MASS,
        fields::LINEAR_MOTOR,
        fields::POSITION_LIMITS,
        fields::HOME,
        defaults::MOTION,
        defaults::CONTROLLER,
    ],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<LinearDeltaDescription> {
    let words = top.words(&WORKING_MODE, Some(3)).and_then(|words| words.try_into().ok());
    let geometry = top.open(&GEOMETRY).map(|mut reader| LinearDeltaGeometry {
        base_radius: reader.number(&BASE_RADIUS),
        platform_radius: reader.number(&PLATFORM_RADIUS),
        rod: reader.number(&ROD),
        azimuth: reader.numbers(&AZIMUTH, third_turns).unwrap_or_else(|| third_turns(0.0)),
        tilt: reader.number(&TILT),
    });
    let rod_length = geometry.map_or(f64::NAN, |geometry| geometry.rod);
    let mass = top.open(&MASS).map(|mut reader| LinearDeltaMass {
        platform: reader.number(&PLATFORM),
        payload: reader.number(&PAYLOAD),
        carriage: reader.number(&CARRIAGE),
        rod: reader.bar(rod_length, &BarFields::ROD),
    });
    let motor = top.linear_motor(&fields::LINEAR_MOTOR);
    let limits = top.position_limits();
    let home = top.home_position();
    let working_mode = words.unwrap_or(["above"; 3]).map(carriage);
    Some(LinearDeltaDescription { geometry: geometry?, mass, motor, limits, home, working_mode })
}

//! C5 robot: six sliding legs, two along each axis of the base, whose ends slide in the faces of the platform.

use super::{Family, FamilyRow};
use crate::description::defaults;
use crate::description::fields::{self, Count, Field, Kind, Need, Range, Table};
use crate::description::parts::{Body, LengthLimits, LinearMotor, Placement};
use crate::description::reader::Reader;
use crate::units::Quantity::{Length, Mass as Kilograms};
use Need::{Default, Required};
use Range::NotNegative;
use fields::field;

/// A C5 robot. Legs 1, 2 slide along +x, 3, 4 along +y, 5, 6 along +z of the base.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C5Description {
    /// Where the legs are.
    pub geometry: C5Geometry,
    /// Masses; `None` for a robot with geometry only.
    pub mass: Option<C5Mass>,
    /// The motor of each leg.
    pub motors: [LinearMotor; 6],
    /// Limits of the legs' positions.
    pub limits: LengthLimits,
    /// Platform at rest.
    pub home: Option<Placement>,
}

/// Legs and faces of a C5 robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C5Geometry {
    /// End of each leg at q = 0, B_i, in the base \[m\].
    pub base_points: [[f64; 3]; 6],
    /// Distance of each leg's face from the platform's origin along its normal, δ_i \[m\]; the normals are
    /// x, x, y, y, z, z of the platform.
    pub face_distances: [f64; 6],
}

/// Masses of a C5 robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct C5Mass {
    /// What moves with each leg \[kg\].
    pub legs: [f64; 6],
    /// The platform, in its own frame.
    pub platform: Body,
    /// What it carries, in the platform's frame.
    pub payload: Body,
}

const SIX: Count = Count::Exactly(6);
const BASE_POINTS: Field =
    field("base_points", Kind::Points(Length, SIX), Required, "End of each leg at position 0, in the base.");
const FACE_DISTANCES: Field = field(
    "face_distances",
    Kind::NumberPerLeg(Length, SIX),
    Default("0 m"),
    "Distance of the face from the platform's origin along its normal, for all legs or for each.",
);
const GEOMETRY: Table = Table::new(
    fields::GEOMETRY_NAME,
    "Legs 1, 2 slide along x, 3, 4 along y, 5, 6 along z of the base; their ends lie in faces of the platform \
     with the normals x, x, y, y, z, z.",
    &[BASE_POINTS, FACE_DISTANCES],
)
.required();
const LEG: Field = Field {
    range: NotNegative,
    ..field(
        "leg",
        Kind::NumberPerLeg(Kilograms, SIX),
        Required,
        "What moves with a leg and has weight, for all legs or for each.",
    )
};
const MASS: Table = Table::new("mass", "Masses. Without them the robot has geometry only.", &[LEG]);
const ACTUATOR_MASS: Field = Field { kind: Kind::NumberPerLeg(Kilograms, SIX), ..fields::ACTUATOR_MASS };
const MOTOR: Table = Table::new(
    "motor",
    "The motors. Without this table they have no inertia, no friction and no limits.",
    &[
        ACTUATOR_MASS,
        fields::LINEAR_VISCOUS,
        fields::LINEAR_COULOMB,
        fields::MAX_FORCE,
        fields::LINEAR_MAX_SPEED,
    ],
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::C5,
    name: "c5",
    meaning: "C5 robot: six legs that slide along the axes of the base, two along each, and whose ends slide in \
              the faces of a cube.",
    frame: "z up. The end of leg i is B_i + a_i q_i, with a_i the axis it slides along. The origin of the \
            platform is the corner where its faces meet.",
    own_top: &[fields::OWN_CONVENTION, fields::GRAVITY_SIZE, fields::GRAVITY_DIRECTION],
    tables: &[
        GEOMETRY,
        MASS,
        fields::PLATFORM,
        fields::PAYLOAD,
        MOTOR,
        fields::POSITION_LIMITS,
        fields::HOME_POSE,
        defaults::MOTION,
        defaults::CONTROLLER,
    ],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<C5Description> {
    let geometry = top.open(&GEOMETRY).and_then(|mut reader| {
        let base_points = reader.points(&BASE_POINTS, SIX);
        let face_distances = reader.numbers(&FACE_DISTANCES, |d| [d; 6]);
        Some(C5Geometry { base_points: base_points?.try_into().ok()?, face_distances: face_distances? })
    });
    let any = top.any_of(&[&MASS, &fields::PLATFORM], &[&fields::PAYLOAD]);
    let legs = top.open(&MASS).and_then(|mut reader| reader.numbers(&LEG, |mass| [mass; 6]));
    let (platform, payload) = (top.body(&fields::PLATFORM), top.body(&fields::PAYLOAD));
    let mass = any.then_some(C5Mass { legs: legs.unwrap_or([f64::NAN; 6]), platform, payload });
    let mut reader = top.open_or_empty(&MOTOR);
    let inertias = reader.numbers(&ACTUATOR_MASS, |mass| [mass; 6]).unwrap_or([f64::NAN; 6]);
    let motor = reader.linear_motor_with(0.0);
    let motors = inertias.map(|actuator_inertia| LinearMotor { actuator_inertia, ..motor });
    let limits = top.position_limits();
    let home = top.home_pose();
    Some(C5Description { geometry: geometry?, mass, motors, limits, home })
}

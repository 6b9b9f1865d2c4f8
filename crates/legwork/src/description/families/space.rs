//! Space robot of Khalil and Ibrahim: three UPS legs, two motors each.

use super::gough_stewart::{CYLINDER, ROD, UpsMass, masses};
use super::{Family, FamilyRow};
use crate::description::defaults;
use crate::description::fields::{self, Count, Field, Kind, Need, Range, Table, Way, Ways};
use crate::description::parts::{AngleLimits, LengthLimits, LinearMotor, Motor, Placement};
use crate::description::problem::ProblemKind;
use crate::description::reader::Reader;
use crate::rotation;
use crate::units::Quantity::{Angle, Length, Ratio};
use Need::{InOneWay, Required};
use Range::NotZero;
use fields::field;

/// A Space robot. Joint coordinates: q_1 of leg 1, length of leg 1, q_1 of leg 2, …
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceDescription {
    /// Where the joints are.
    pub geometry: SpaceGeometry,
    /// Bodies; `None` for a robot with geometry only.
    pub mass: Option<UpsMass>,
    /// The motor about the first axis of one leg.
    pub rotary_motor: Motor,
    /// The motor along one leg.
    pub linear_motor: LinearMotor,
    /// Limits of q_1.
    pub angle_limits: AngleLimits,
    /// Limits of the leg lengths.
    pub length_limits: LengthLimits,
    /// Platform at rest.
    pub home: Option<Placement>,
}

/// Joints of a Space robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpaceGeometry {
    /// Centres of the universal joints, B_i, in the base \[m\].
    pub base_points: [[f64; 3]; 3],
    /// Centres of the spherical joints, P_i, in the platform's frame \[m\].
    pub platform_points: [[f64; 3]; 3],
    /// Turn of each leg's base axes about z, γ_i \[rad\]: the first axis of its universal joint is
    /// a_1 = Rz(γ_i) y, and with a_3 = Rz(γ_i) (x', y', z') along the leg, q_1 = atan2(−z', x').
    pub gamma: [f64; 3],
}

const THREE: Count = Count::Exactly(3);
const BASE_POINTS: Field = field(
    "base_points",
    Kind::Points(Length, THREE),
    InOneWay("this or `base_distances`"),
    "Centres of the universal joints, in the base.",
);
const BASE_DISTANCES: Field = field(
    "base_distances",
    Kind::NumberPerLeg(Length, THREE),
    InOneWay("instead of `base_points`, with `gamma`"),
    "The joints at Rz(gamma) (d, 0, 0), as in the paper's Table 1.",
);
const PLATFORM_POINTS: Field = field(
    "platform_points",
    Kind::Points(Length, THREE),
    Required,
    "Centres of the spherical joints, in the platform's frame.",
);
const GAMMA: Field = field(
    "gamma",
    Kind::NumberPerLeg(Angle, THREE),
    InOneWay("this or `base_axes`"),
    "Turn of each leg's base axes about z; the first axis of its universal joint is its y.",
);
const BASE_AXES: Field = Field {
    range: NotZero,
    ..field(
        "base_axes",
        Kind::Points(Ratio, THREE),
        InOneWay("this or `gamma`"),
        "First axes of the universal joints, horizontal, fixed to the base.",
    )
};
const GEOMETRY: Table = Table {
    ways: &[
        Ways {
            required: true,
            ways: &[Way { needs: &["base_points"], may: &[] }, Way { needs: &["base_distances"], may: &[] }],
        },
        Ways {
            required: true,
            ways: &[Way { needs: &["gamma"], may: &[] }, Way { needs: &["base_axes"], may: &[] }],
        },
    ],
    ..Table::new(
        fields::GEOMETRY_NAME,
        "Where the joints are.",
        &[BASE_POINTS, BASE_DISTANCES, GAMMA, BASE_AXES, PLATFORM_POINTS],
    )
    .required()
};
const ROTARY_MOTOR: Table = Table::new(
    "rotary_motor",
    "The motor that turns a leg, its arm, about the first axis of the universal joint.",
    fields::ROTARY,
);
const LINEAR_MOTOR: Table =
    Table::new("linear_motor", "The motor that changes the length of a leg.", fields::LINEAR);
const LIMITS: Table = Table::new(
    "limits",
    "Limits of the first angle and of the length of a leg.",
    &[fields::ANGLE_MIN, fields::ANGLE_MAX, fields::LENGTH_MIN, fields::LENGTH_MAX],
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::Space,
    name: "space",
    meaning: "Space robot of Khalil and Ibrahim: three UPS legs, each with a motor about the first axis of its \
              universal joint and one that changes its length.",
    frame: "z up. Joint coordinates q1, L of leg 1, then of legs 2 and 3. With the leg along \
            Rz(gamma) (x, y, z), q1 = atan2(-z, x): about -90 deg when the leg stands upright.",
    own_top: &[fields::OWN_CONVENTION, fields::GRAVITY_SIZE, fields::GRAVITY_DIRECTION],
    tables: &[
        GEOMETRY,
        CYLINDER,
        ROD,
        fields::PLATFORM,
        fields::PAYLOAD,
        ROTARY_MOTOR,
        LINEAR_MOTOR,
        LIMITS,
        fields::HOME_POSE,
        defaults::MOTION,
        defaults::CONTROLLER,
    ],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> Option<SpaceDescription> {
    let geometry = geometry(top);
    let mass = masses(top);
    let rotary_motor = top.motor(&ROTARY_MOTOR);
    let linear_motor = top.linear_motor(&LINEAR_MOTOR);
    let limits = top.open(&LIMITS).map(|mut reader| {
        let angle = reader.ends(&fields::ANGLE_MIN, &fields::ANGLE_MAX);
        (angle, reader.ends(&fields::LENGTH_MIN, &fields::LENGTH_MAX))
    });
    let ([angle_min, angle_max], [length_min, length_max]) = limits.unwrap_or(([None; 2], [None; 2]));
    let home = top.home_pose();
    Some(SpaceDescription {
        geometry: geometry?,
        mass,
        rotary_motor,
        linear_motor,
        angle_limits: AngleLimits { min: angle_min, max: angle_max },
        length_limits: LengthLimits { min: length_min, max: length_max },
        home,
    })
}

fn geometry(top: &mut Reader<'_, '_>) -> Option<SpaceGeometry> {
    let mut reader = top.open(&GEOMETRY)?;
    let points = reader.points(&BASE_POINTS, THREE);
    let distances = reader.numbers(&BASE_DISTANCES, |d| [d; 3]);
    let platform_points = reader.points(&PLATFORM_POINTS, THREE);
    let angles = reader.numbers(&GAMMA, |angle| [angle; 3]);
    let axes = reader.points(&BASE_AXES, THREE);
    let gamma = match (angles, axes) {
        (Some(gamma), _) => gamma,
        (None, Some(axes)) => gamma_of(&mut reader, &axes)?,
        (None, None) => return None,
    };
    let base_points: [[f64; 3]; 3] = match (points, distances) {
        (Some(points), _) => points.try_into().ok()?,
        (None, distances) => {
            let distances = distances?;
            [0, 1, 2].map(|i| {
                let (sin, cos) = gamma[i].sin_cos();
                [distances[i] * cos, distances[i] * sin, 0.0]
            })
        }
    };
    Some(SpaceGeometry { base_points, platform_points: platform_points?.try_into().ok()?, gamma })
}

/// γ with a_1 = (−sin γ, cos γ, 0).
fn gamma_of(reader: &mut Reader<'_, '_>, axes: &[[f64; 3]]) -> Option<[f64; 3]> {
    let mut gamma = Vec::new();
    for (i, axis) in axes.iter().enumerate() {
        let [x, y, z] = rotation::unit(*axis);
        if z.abs() > 1e-9 {
            let span = reader.value(BASE_AXES.key).map(toml::Spanned::span);
            reader.notes.note(span, ProblemKind::NotHorizontal { key: BASE_AXES.key, leg: i + 1, z });
            return None;
        }
        gamma.push((-x).atan2(y));
    }
    gamma.try_into().ok()
}

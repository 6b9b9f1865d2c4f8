//! Space robot of Khalil and Ibrahim: three UPS legs, two motors each.

use super::blueprint::{
    Blueprint, BuildError, Construction, FULL, angle_limits, home_above, length_limits, linear, one_branch,
    pose, rotary, spread, ups_bodies,
};
use super::golden::{GoldenParameters, NO_ANGLE_LIMITS, NO_LENGTH_LIMITS, ParameterFault};
use super::gough_stewart::{CYLINDER, ROD, UpsMass, masses};
use super::properties::{DriveProperties, Drives, Property, PropertyValue};
use super::{FamilyModel, FamilyRow};
use crate::description::built_in::built_in;
use crate::description::fields::{
    self, Alternative, Alternatives, Count, Field, Need, Range, Table, ValueType,
};
use crate::description::model_error::Factors;
use crate::description::parts::{AngleLimits, Body, LengthLimits, LinearMotor, Motor, Placement};
use crate::description::problem::ProblemKind;
use crate::description::reader::Reader;
use crate::families::inertial::InertialPart;
use crate::rotation;
use crate::units::Quantity::{Angle, Length, Ratio};
use Need::{OneOf, Required};
use Range::NotZero;
use fields::field;
use legwork_core::V3;
use legwork_core::robots::space;

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
    ValueType::Points(Length, THREE),
    OneOf("this or `base_distances`"),
    "Centres of the universal joints, in the base.",
);
const BASE_DISTANCES: Field = field(
    "base_distances",
    ValueType::NumberPerLeg(Length, THREE),
    OneOf("instead of `base_points`, with `gamma`"),
    "The joints at Rz(gamma) (d, 0, 0), as in the paper's Table 1.",
);
const PLATFORM_POINTS: Field = field(
    "platform_points",
    ValueType::Points(Length, THREE),
    Required,
    "Centres of the spherical joints, in the platform's frame.",
);
const GAMMA: Field = field(
    "gamma",
    ValueType::NumberPerLeg(Angle, THREE),
    OneOf("this or `base_axes`"),
    "Turn of each leg's base axes about z; the first axis of its universal joint is its y.",
);
const BASE_AXES: Field = Field {
    range: NotZero,
    ..field(
        "base_axes",
        ValueType::Points(Ratio, THREE),
        OneOf("this or `gamma`"),
        "First axes of the universal joints, horizontal, fixed to the base.",
    )
};
const GEOMETRY: Table = Table {
    alternatives: &[
        Alternatives {
            required: true,
            choices: &[
                Alternative { needs: &["base_points"], may: &[] },
                Alternative { needs: &["base_distances"], may: &[] },
            ],
        },
        Alternatives {
            required: true,
            choices: &[
                Alternative { needs: &["gamma"], may: &[] },
                Alternative { needs: &["base_axes"], may: &[] },
            ],
        },
    ],
    ..Table::new(
        fields::GEOMETRY_NAME,
        "Where the joints are.",
        &[BASE_POINTS, BASE_DISTANCES, GAMMA, BASE_AXES, PLATFORM_POINTS],
    )
    .required()
};
const ROTARY_MOTOR: Table = Table {
    alternatives: fields::LIMIT_NAMES,
    ..Table::new(
        "rotary_motor",
        "The motor that turns a leg, its arm, about the first axis of the universal joint.",
        fields::ROTARY,
    )
};
const LINEAR_MOTOR: Table =
    Table::new("linear_motor", "The motor that changes the length of a leg.", fields::LINEAR);
const LIMITS: Table = Table::new(
    "limits",
    "Limits of the first angle and of the length of a leg.",
    &[fields::ANGLE_MIN, fields::ANGLE_MAX, fields::LENGTH_MIN, fields::LENGTH_MAX],
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    own_tables: &[
        GEOMETRY,
        CYLINDER,
        ROD,
        fields::PLATFORM,
        fields::PAYLOAD,
        ROTARY_MOTOR,
        LINEAR_MOTOR,
        LIMITS,
        fields::HOME_POSE,
    ],
    golden_keys: &["base_points", "platform_points", "u_axis1", "gamma"],
    built_in: built_in!["space-radial", "space-table1"],
    ..FamilyRow::in_space(
        "space",
        "Space robot of Khalil and Ibrahim: three UPS legs, each with a motor about the first axis of its \
         universal joint and one that changes its length.",
        "z up. Joint coordinates q1, L of leg 1, then of legs 2 and 3. With the leg along \
         Rz(gamma) (x, y, z), q1 = atan2(-z, x): about -90 deg when the leg stands upright.",
    )
};

impl FamilyModel for SpaceDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
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

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let [cylinder, rod, platform, payload] = ups_bodies(self.mass.as_ref())?;
        let g = &self.geometry;
        let (base, points) = (g.base_points.map(V3::from), g.platform_points.map(V3::from));
        let parameters = space::Parameters {
            base_points: base,
            gamma: g.gamma,
            platform_points: points,
            cylinder,
            rod,
            turn: rotary(&self.rotary_motor),
            slide: linear(&self.linear_motor),
            platform,
            gravity: 0.0, // only the legs are taken
        };
        let pair = [
            angle_limits(&self.angle_limits, &self.rotary_motor),
            length_limits(&self.length_limits, &self.linear_motor),
        ];
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: one_branch(parameters.robot().legs),
            freedoms: FULL.to_vec(),
            gravity,
            has_masses: self.mass.is_some(),
            size: spread(&points),
            home: self.home.as_ref().map_or_else(|| home_above(&base, &points, &self.length_limits), pose),
            limits: pair.repeat(3),
        }))
    }

    fn leg_count(&self) -> usize {
        3
    }

    fn payload(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.payload.mass)
    }

    fn set_payload(&mut self, mass: f64) {
        self.mass.iter_mut().for_each(|m| m.payload = Body::point(mass));
    }

    fn has_home(&self) -> bool {
        self.home.is_some()
    }

    fn inertial_parts(&mut self) -> Vec<InertialPart<'_>> {
        self.mass.as_mut().map_or_else(Vec::new, UpsMass::parts)
    }

    fn scale(&mut self, factors: &Factors) {
        let g = &mut self.geometry;
        factors.points(g.base_points.iter_mut().chain(&mut g.platform_points));
        factors.motor(&mut self.rotary_motor);
        factors.linear_motors([&mut self.linear_motor]);
        if let Some(m) = &mut self.mass {
            m.scale(factors);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        vec![
            Property::new("gamma", PropertyValue::Numbers(g.gamma.to_vec(), Angle)),
            Property::points("base_points", "base", &g.base_points),
            Property::points("platform_points", "platform", &g.platform_points),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        self.mass.map_or_else(Vec::new, |m| m.properties())
    }

    fn moving_mass(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.total(3))
    }

    fn drives(&self) -> Drives {
        Drives::Listed(vec![
            DriveProperties::rotary("rotary motor, as the leg feels it", &self.rotary_motor),
            DriveProperties::linear("linear motor, along the leg", &self.linear_motor),
        ])
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        p.actuation("space")?;
        let gamma: [f64; 3] = p.list("/gamma")?;
        // The first axes are Rz(γ) y.
        let axes = gamma.map(|gamma| [-gamma.sin(), gamma.cos(), 0.0]);
        p.follows("/u_axis1", axes.as_flattened(), "`gamma`")?;
        Ok(Self {
            geometry: SpaceGeometry {
                base_points: p.some_points("base_points")?,
                platform_points: p.some_points("platform_points")?,
                gamma,
            },
            mass: Some(p.ups_mass()?),
            rotary_motor: Motor::IDEAL,
            linear_motor: LinearMotor::IDEAL,
            angle_limits: NO_ANGLE_LIMITS,
            length_limits: NO_LENGTH_LIMITS,
            home: p.home,
        })
    }
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

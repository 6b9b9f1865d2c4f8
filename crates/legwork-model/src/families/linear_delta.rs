//! Linear Delta: three carriages on upright or inclined rails, three parallelograms, a platform that only
//! translates.

use super::blueprint::{Blueprint, BuildError, Construction, bar, length_limits, linear, two_branches};
use super::delta::third_turns;
use super::golden::{GoldenParameters, NO_LENGTH_LIMITS, ParameterFault, linear_motor, thirds};
use super::properties::{DriveProperties, Drives, LINE_MOTOR, Property, PropertyValue};
use super::{Branches, FamilyModel, FamilyRow, JointCone};
use crate::description::built_in::built_in;
use crate::description::fields::{self, Count, Field, Need, Range, Table, ValueType};
use crate::description::model_error::Factors;
use crate::description::parts::{Bar, Carriage, LengthLimits, LinearMotor};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::families::inertial::InertialPart;
use crate::units::Quantity::{Angle, Length};
use Need::{Default, Derived};
use Range::Any;
use fields::{field, length, length_or_zero, mass, mass_or_none, number};
use legwork_core::V3;
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::robots::{hexaglide, linear_delta};

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
    /// How far a rod may lean out of the plane of its leg \[rad\], if its joints are known.
    pub joint_cone: Option<f64>,
    /// Platform position at rest \[m\].
    pub home: Option<[f64; 3]>,
    /// Whether each carriage is above (ahead of) its platform joint.
    pub working_mode: [Carriage; 3],
}

/// Lengths of a linear Delta. With R_i = Rz(azimuth_i): carriage at R_i ((R_A, 0, 0) + q (sin tilt, 0, cos tilt)),
/// platform joint at p + R_i (R_B, 0, 0).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinearDeltaGeometry {
    /// Centre of the base to each carriage at q = 0, R_A \[m\].
    pub base_radius: [f64; 3],
    /// Centre of the platform to the joints of a leg, R_B \[m\].
    pub platform_radius: f64,
    /// Carriage to platform joint of each leg \[m\].
    pub rod: [f64; 3],
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

/// On which side of its platform joint a carriage can be.
const SIDES: Branches = Branches { what: "carriages", names: &["above", "below"] };

const BASE_RADIUS: Field = Field {
    kind: ValueType::NumberPerLeg(Length, Count::Exactly(3)),
    ..length("base_radius", "Centre of the base to a carriage at position 0, for all legs or for each.")
};
const PLATFORM_RADIUS: Field =
    length_or_zero("platform_radius", "Centre of the platform to the joints of a leg.");
const ROD: Field = Field {
    kind: ValueType::NumberPerLeg(Length, Count::Exactly(3)),
    ..length("rod", "Joint of the carriage to joint of the platform, for all legs or for each.")
};
const AZIMUTH: Field = field(
    "azimuth",
    ValueType::NumberPerLeg(Angle, Count::Exactly(3)),
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
    ValueType::ChoicePerLeg(SIDES.names, Count::Exactly(3)),
    Default("above"),
    "Whether the carriages are above the platform, farther along their rails, for all legs or for each.",
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    branches: Some(SIDES),
    own_keys: &[WORKING_MODE],
    own_tables: &[GEOMETRY, MASS, fields::LINEAR_MOTOR, fields::CARRIAGE_LIMITS, fields::HOME],
    golden_keys: &["RA", "RB", "L", "m_s"],
    built_in: built_in!["linear-delta"],
    ..FamilyRow::in_space(
        "linear-delta",
        "Linear Delta: three carriages on upright or inclined rails, three parallelograms, a platform that \
         only translates.",
        "z up, leg 1 along +x. A joint coordinate is the position of a carriage on its rail, positive up; at \
         0 it is at height 0.",
    )
};

impl FamilyModel for LinearDeltaDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
        let words = top.words(&WORKING_MODE, Some(3)).and_then(|words| words.try_into().ok());
        let geometry = top.open(&GEOMETRY).and_then(|mut reader| {
            let base_radius = reader.numbers(&BASE_RADIUS, |radius| [radius; 3]);
            let platform_radius = reader.number(&PLATFORM_RADIUS);
            let rod = reader.numbers(&ROD, |length| [length; 3]);
            let azimuth = reader.numbers(&AZIMUTH, third_turns).unwrap_or_else(|| third_turns(0.0));
            let tilt = reader.number(&TILT);
            Some(LinearDeltaGeometry { base_radius: base_radius?, platform_radius, rod: rod?, azimuth, tilt })
        });
        let rod_length = geometry.map_or(f64::NAN, |geometry| geometry.mean_rod());
        let mass = top.open(&MASS).map(|mut reader| LinearDeltaMass {
            platform: reader.number(&PLATFORM),
            payload: reader.number(&PAYLOAD),
            carriage: reader.number(&CARRIAGE),
            rod: reader.bar(rod_length, &BarFields::ROD),
        });
        let motor = top.linear_motor(&fields::LINEAR_MOTOR);
        let (limits, joint_cone) = top.carriage_limits();
        let home = top.home_position();
        let working_mode = words.unwrap_or(["above"; 3]).map(carriage);
        Some(LinearDeltaDescription {
            geometry: geometry?,
            mass,
            motor,
            limits,
            joint_cone,
            home,
            working_mode,
        })
    }

    fn joint_cone(&self) -> Option<JointCone> {
        self.joint_cone.map(|most| JointCone::OutOfPlane { most, azimuth: self.geometry.azimuth })
    }

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let geometry = &self.geometry;
        let (masses, slider, rod) = match &self.mass {
            Some(m) => ([m.platform, m.payload], m.carriage, bar("rod", &m.rod)?),
            None => ([0.0; 2], 0.0, RigidBody::massless()),
        };
        let leg_like = |mode: [Carriage; 3], like: usize| {
            linear_delta::Parameters {
                base_radius: geometry.base_radius[like],
                platform_radius: geometry.platform_radius,
                azimuth: geometry.azimuth,
                inclination: -geometry.tilt,
                forearm: geometry.rod[like],
                carriage: slider,
                forearm_body: rod,
                drive: linear(&self.motor),
                platform: 0.0,
                gravity: 0.0, // only the legs are taken
                mode: mode.map(|side| match side {
                    Carriage::Ahead => hexaglide::Carriage::Ahead,
                    Carriage::Behind => hexaglide::Carriage::Behind,
                }),
            }
            .robot()
            .legs[like]
        };
        let build = |mode: [Carriage; 3]| [0, 1, 2].map(|like| leg_like(mode, like));
        let sides = [(Carriage::Ahead, SIDES.names[0]), (Carriage::Behind, SIDES.names[1])];
        let [platform, payload] = masses.map(|mass| RigidBody::point(mass, V3::zero()));
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: two_branches(sides, self.working_mode, build),
            freedoms: vec![0, 1, 2],
            gravity,
            has_masses: self.mass.is_some(),
            size: geometry.platform_radius.max(0.1 * geometry.mean_rod()),
            home: Pose::translation(self.home.map_or_else(V3::zero, V3::from)),
            limits: vec![length_limits(&self.limits, &self.motor); 3],
        }))
    }

    fn leg_count(&self) -> usize {
        3
    }

    fn payload(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.payload)
    }

    fn set_payload(&mut self, mass: f64) {
        self.mass.iter_mut().for_each(|m| m.payload = mass);
    }

    fn has_home(&self) -> bool {
        self.home.is_some()
    }

    fn inertial_parts(&mut self) -> Vec<InertialPart<'_>> {
        let Some(m) = &mut self.mass else { return Vec::new() };
        vec![
            InertialPart::point("platform", &mut m.platform),
            InertialPart::point("carriage", &mut m.carriage),
            InertialPart::bar("rod", &mut m.rod),
        ]
    }

    fn scale(&mut self, factors: &Factors) {
        let g = &mut self.geometry;
        factors.lengths(g.base_radius.iter_mut().chain(&mut g.rod).chain([&mut g.platform_radius]));
        factors.linear_motors([&mut self.motor]);
        if let Some(m) = &mut self.mass {
            factors.masses([&mut m.platform, &mut m.carriage]);
            factors.bars([&mut m.rod]);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        vec![
            per_leg("base_radius", g.base_radius),
            Property::length("platform_radius", g.platform_radius),
            per_leg("rod", g.rod),
            Property::new("tilt", PropertyValue::Number(g.tilt, Angle)),
            Property::directions("azimuth", &g.azimuth),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(m) = &self.mass else { return Vec::new() };
        vec![
            Property::mass("platform", m.platform),
            Property::mass("payload", m.payload),
            Property::mass("carriage", m.carriage),
            Property::bar("rod", m.rod, "carriage"),
        ]
    }

    fn moving_mass(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.platform + m.payload + 3.0 * (m.carriage + m.rod.mass))
    }

    fn drives(&self) -> Drives {
        Drives::Equal(DriveProperties::linear(LINE_MOTOR, &self.motor))
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        let rod = p.number("L")?;
        Ok(Self {
            geometry: LinearDeltaGeometry {
                base_radius: [p.number("RA")?; 3],
                platform_radius: p.number("RB")?,
                rod: [rod; 3],
                azimuth: thirds(),
                tilt: 0.0,
            },
            mass: Some(LinearDeltaMass {
                platform: p.number("m_n")?,
                payload: p.number("m_payload")?,
                carriage: p.number("m_s")?,
                rod: p.rod("m_ab", rod)?,
            }),
            motor: linear_motor(p.number("I_a")?),
            limits: NO_LENGTH_LIMITS,
            joint_cone: None,
            home: p.home.map(|placement| placement.position),
            working_mode: [Carriage::Ahead; 3],
        })
    }
}

impl LinearDeltaGeometry {
    /// The rods' mean length \[m\]: where a rod has its centre of mass, if that is not given.
    fn mean_rod(&self) -> f64 {
        match self.rod {
            [first, ..] if self.rod == [first; 3] => first,
            [a, b, c] => (a + b + c) / 3.0,
        }
    }
}

/// One length where the legs are equal.
fn per_leg(key: &'static str, lengths: [f64; 3]) -> Property {
    match lengths {
        [first, ..] if lengths == [first; 3] => Property::length(key, first),
        _ => Property::new(key, PropertyValue::Numbers(lengths.to_vec(), Length)),
    }
}

fn carriage(word: &str) -> Carriage {
    if word == SIDES.names[0] { Carriage::Ahead } else { Carriage::Behind }
}

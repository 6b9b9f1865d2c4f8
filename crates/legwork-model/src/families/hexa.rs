//! Hexa: six arms in three pairs, each with one rod to the platform, 6-RUS.

use super::blueprint::{
    Blueprint, BuildError, Construction, FULL, NOTHING, angle_limits, bar, loaded, pose, rotary, two_branches,
};
use super::delta::{ELBOWS, elbow, third_turns};
use super::golden::{GoldenParameters, NO_ANGLE_LIMITS, ParameterFault, thirds};
use super::properties::{ARM_MOTOR, DriveProperties, Drives, Property};
use super::{FamilyModel, FamilyRow};
use crate::description::built_in::built_in;
use crate::description::fields::{self, Count, Field, Need, Table, ValueType};
use crate::description::model_error::Factors;
use crate::description::parts::{AngleLimits, Bar, Body, Elbow, Motor, Placement};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::families::inertial::InertialPart;
use crate::units::Quantity::Angle;
use Need::{Default, Derived};
use fields::{field, length, length_or_zero, mass_or_none};
use legwork_core::V3;
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::robots::{delta, hexa};

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
    ValueType::NumberPerLeg(Angle, Count::Exactly(3)),
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
    ValueType::ChoicePerLeg(ELBOWS.names, Count::Exactly(6)),
    Default("out"),
    "Which way the elbows bend, for all legs or for each.",
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    branches: Some(ELBOWS),
    own_keys: &[WORKING_MODE],
    own_tables: &[
        GEOMETRY,
        MASS,
        fields::PLATFORM,
        fields::PAYLOAD,
        fields::MOTOR,
        fields::ANGLE_LIMITS,
        fields::HOME_POSE,
    ],
    golden_keys: &["RA", "RB", "wA", "wB", "LA", "LB"],
    built_in: built_in!["hexa"],
    ..FamilyRow::in_space(
        "hexa",
        "Hexa, 6-RUS: six motors with arms in three pairs, one rod each, a platform with six freedoms.",
        "z up, the origin between the motor axes, the first pair along +x; a motor angle is 0 when its arm \
         is horizontal and outward, and positive when it goes down.",
    )
};

impl FamilyModel for HexaDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
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
        let mass =
            legs.filter(|_| any).map(|(arm, elbow, rod)| HexaMass { arm, elbow, rod, platform, payload });
        let motor = top.motor(&fields::MOTOR);
        let limits = top.angle_limits();
        let home = top.home_pose();
        let working_mode = words.unwrap_or(["out"; 6]).map(elbow);
        Some(HexaDescription { geometry: geometry?, mass, motor, limits, home, working_mode })
    }

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let geometry = &self.geometry;
        let nothing = RigidBody::massless();
        let (arm_body, rod_body, [platform, payload]) = match &self.mass {
            Some(m) => {
                let arm = bar("arm", &m.arm)?;
                let elbow = RigidBody::point(m.elbow, V3::new(geometry.arm, 0.0, 0.0));
                let arm = if m.elbow > 0.0 { arm.joined(&elbow) } else { arm };
                (arm, bar("rod", &m.rod)?, loaded(&m.platform, &m.payload)?)
            }
            None => (nothing, nothing, NOTHING),
        };
        let build = |mode: [Elbow; 6]| {
            hexa::Parameters {
                base_radius: geometry.base_radius,
                base_spacing: geometry.base_spacing,
                platform_radius: geometry.platform_radius,
                platform_spacing: geometry.platform_spacing,
                azimuth: geometry.azimuth,
                arm: geometry.arm,
                rod: geometry.rod,
                arm_body,
                rod_body,
                drive: rotary(&self.motor),
                platform,
                gravity: 0.0, // only the legs are taken
                mode: mode.map(|elbow| match elbow {
                    Elbow::Out => delta::Elbow::Out,
                    Elbow::In => delta::Elbow::In,
                }),
            }
            .robot()
            .legs
        };
        let elbows = [(Elbow::Out, ELBOWS.names[0]), (Elbow::In, ELBOWS.names[1])];
        let offset = geometry.base_radius - geometry.platform_radius;
        let drop = (geometry.arm.powi(2) + geometry.rod.powi(2) - offset * offset).max(0.0).sqrt();
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: two_branches(elbows, self.working_mode, build),
            freedoms: FULL.to_vec(),
            gravity,
            has_masses: self.mass.is_some(),
            size: geometry.platform_radius.hypot(geometry.platform_spacing / 2.0),
            home: self.home.as_ref().map_or_else(|| Pose::translation(V3::along_z(-drop)), pose),
            limits: vec![angle_limits(&self.limits, &self.motor); 6],
        }))
    }

    fn leg_count(&self) -> usize {
        6
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
        let Some(m) = &mut self.mass else { return Vec::new() };
        vec![
            InertialPart::body("platform", &mut m.platform),
            InertialPart::bar("arm", &mut m.arm),
            InertialPart::point("elbow", &mut m.elbow),
            InertialPart::bar("rod", &mut m.rod),
        ]
    }

    fn scale(&mut self, factors: &Factors) {
        let g = &mut self.geometry;
        factors.lengths([&mut g.base_radius, &mut g.base_spacing, &mut g.platform_radius]);
        factors.lengths([&mut g.platform_spacing, &mut g.arm, &mut g.rod]);
        factors.motor(&mut self.motor);
        if let Some(m) = &mut self.mass {
            factors.masses([&mut m.elbow]);
            factors.bars([&mut m.arm, &mut m.rod]);
            factors.bodies([&mut m.platform]);
            factors.payload(&mut m.payload);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        vec![
            Property::length("base_radius", g.base_radius),
            Property::length("base_spacing", g.base_spacing),
            Property::length("platform_radius", g.platform_radius),
            Property::length("platform_spacing", g.platform_spacing),
            Property::length("arm", g.arm),
            Property::length("rod", g.rod),
            Property::directions("azimuth", &g.azimuth),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(m) = &self.mass else { return Vec::new() };
        vec![
            Property::body("platform", m.platform),
            Property::body("payload", m.payload),
            Property::bar("arm", m.arm, "motor"),
            Property::mass("elbow", m.elbow),
            Property::bar("rod", m.rod, "elbow"),
        ]
    }

    fn moving_mass(&self) -> f64 {
        let legs = |m: &HexaMass| 6.0 * (m.arm.mass + m.elbow + m.rod.mass);
        self.mass.map_or(0.0, |m| m.platform.mass + m.payload.mass + legs(&m))
    }

    fn drives(&self) -> Drives {
        Drives::Equal(DriveProperties::rotary(ARM_MOTOR, &self.motor))
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        let (arm, rod) = (p.number("LA")?, p.number("LB")?);
        Ok(Self {
            geometry: HexaGeometry {
                base_radius: p.number("RA")?,
                base_spacing: p.number("wA")?,
                platform_radius: p.number("RB")?,
                platform_spacing: p.number("wB")?,
                arm,
                rod,
                azimuth: thirds(),
            },
            mass: Some(HexaMass {
                arm: p.rod("m_br", arm)?,
                elbow: p.number("m_c")?,
                rod: p.rod("m_ab", rod)?,
                platform: p.body("platform")?,
                payload: Body::MASSLESS,
            }),
            motor: p.motor()?,
            limits: NO_ANGLE_LIMITS,
            home: p.home,
            working_mode: [Elbow::Out; 6],
        })
    }
}

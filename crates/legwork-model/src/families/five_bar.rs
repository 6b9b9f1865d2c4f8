//! Planar five-bar: two motors, two legs of two links that meet at the platform point.

use super::blueprint::{Blueprint, BuildError, Construction, angle_limits, planar_bar, rotary, two_branches};
use super::golden::{GoldenParameters, NO_ANGLE_LIMITS, ParameterFault};
use super::properties::{ARM_MOTOR, DriveProperties, Drives, Property};
use super::{Branches, FamilyModel, FamilyRow};
use crate::description::built_in::built_in;
use crate::description::fields::{self, Count, Field, Need, Table, ValueType};
use crate::description::model_error::Factors;
use crate::description::parts::{AngleLimits, Bar, Bend, Motor};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::families::inertial::InertialPart;
use Need::Derived;
use fields::{field, length, length_or_zero, mass, mass_or_none};
use legwork_core::V3;
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::robots::five_bar;

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
pub(super) const BENDS: Branches = Branches { what: "elbows", names: &["left", "right"] };
/// The same with their names.
pub(super) const BENDS_OF_LEGS: [(Bend, &str); 2] =
    [(Bend::Left, BENDS.names[0]), (Bend::Right, BENDS.names[1])];

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
    ValueType::ChoicePerLeg(BENDS.names, Count::Exactly(2)),
    Derived("left for leg 1, right for leg 2: both outward"),
    "To which side of the line from motor to platform point the elbow bends, for both legs or for each.",
);
const HOME: Table = Table::new("home", "Where the robot rests.", &[fields::HOME_IN_PLANE]);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    branches: Some(BENDS),
    own_keys: &[WORKING_MODE],
    own_tables: &[GEOMETRY, MASS, fields::MOTOR, fields::ANGLE_LIMITS, HOME],
    golden_keys: &["d", "l1", "l2"],
    built_in: built_in!["five-bar"],
    ..FamilyRow::in_plane(
        "five-bar",
        "Planar five-bar, RRRRR: two motors, two legs of two links that meet at the platform point.",
        "The robot moves in the x-y plane. A motor angle is that of its proximal link from +x, \
         counter-clockwise.",
    )
};

impl FamilyModel for FiveBarDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
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

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let geometry = &self.geometry;
        let nothing = RigidBody::massless();
        let (proximal, distal, masses) = match &self.mass {
            Some(m) => (planar_bar(&m.proximal), planar_bar(&m.distal), [m.platform, m.payload]),
            None => (nothing, nothing, [0.0; 2]),
        };
        let build = |mode: [Bend; 2]| {
            five_bar::Parameters {
                half_distance: geometry.motor_offset,
                lengths: [geometry.proximal, geometry.distal],
                proximal,
                distal,
                drive: rotary(&self.motor),
                platform: 0.0,
                gravity: 0.0, // only the legs are taken
                mode: mode.map(turn),
            }
            .robot()
            .legs
        };
        let height_sq = geometry.proximal.powi(2) + geometry.distal.powi(2) - geometry.motor_offset.powi(2);
        let [x, y] = self.home.unwrap_or([0.0, height_sq.max(0.0).sqrt()]);
        let [platform, payload] = masses.map(|mass| RigidBody::point(mass, V3::zero()));
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: two_branches(BENDS_OF_LEGS, self.working_mode, build),
            freedoms: vec![0, 1],
            gravity,
            has_masses: self.mass.is_some(),
            size: geometry.proximal,
            home: Pose::translation(V3::new(x, y, 0.0)),
            limits: vec![angle_limits(&self.limits, &self.motor); 2],
        }))
    }

    fn leg_count(&self) -> usize {
        2
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
            InertialPart::bar("proximal", &mut m.proximal),
            InertialPart::bar("distal", &mut m.distal),
        ]
    }

    fn scale(&mut self, factors: &Factors) {
        let g = &mut self.geometry;
        factors.lengths([&mut g.motor_offset, &mut g.proximal, &mut g.distal]);
        factors.motor(&mut self.motor);
        if let Some(m) = &mut self.mass {
            factors.masses([&mut m.platform]);
            factors.bars([&mut m.proximal, &mut m.distal]);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        vec![
            Property::length("motor_offset", self.geometry.motor_offset),
            Property::length("proximal", self.geometry.proximal),
            Property::length("distal", self.geometry.distal),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(m) = &self.mass else { return Vec::new() };
        vec![
            Property::mass("platform", m.platform),
            Property::mass("payload", m.payload),
            Property::bar("proximal", m.proximal, "motor"),
            Property::bar("distal", m.distal, "elbow"),
        ]
    }

    fn moving_mass(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.platform + m.payload + 2.0 * (m.proximal.mass + m.distal.mass))
    }

    fn drives(&self) -> Drives {
        Drives::Equal(DriveProperties::rotary(ARM_MOTOR, &self.motor))
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        Ok(Self {
            geometry: FiveBarGeometry {
                motor_offset: p.number("d")?,
                proximal: p.number("l1")?,
                distal: p.number("l2")?,
            },
            mass: Some(FiveBarMass {
                proximal: p.bar(["m1", "c1", "I1"])?,
                distal: p.bar(["m2", "c2", "I2"])?,
                platform: p.number("m_p")?,
                payload: 0.0,
            }),
            motor: p.motor()?,
            limits: NO_ANGLE_LIMITS,
            home: p.planar_home.map(|placement| placement.position),
            working_mode: [Bend::Left, Bend::Right],
        })
    }
}

pub(super) fn bend(word: &str) -> Bend {
    if word == "right" { Bend::Right } else { Bend::Left }
}

pub(super) fn turn(bend: Bend) -> five_bar::Turn {
    match bend {
        Bend::Left => five_bar::Turn::Left,
        Bend::Right => five_bar::Turn::Right,
    }
}

//! Hexaglide: carriages on rails, one rod each to the platform, 6-PUS.

use super::blueprint::{
    AnyLeg, Blueprint, BuildError, Construction, FULL, LegChoice, NOTHING, bar, length_limits, linear,
    loaded, mean, pose, spread, vectors,
};
use super::gough_stewart::LEGS;
use super::properties::{DriveProperties, Drives, LINE_MOTOR, Property};
use super::{Branches, FamilyModel, FamilyRow};
use crate::description::built_in::built_in;
use crate::description::fields::{self, Field, Need, Range, Table, ValueType};
use crate::description::model_error::Factors;
use crate::description::parts::{Bar, Body, Carriage, LengthLimits, LinearMotor, Placement};
use crate::description::reader::Reader;
use crate::description::shapes::BarFields;
use crate::families::inertial::InertialPart;
use crate::rotation;
use crate::units::Quantity::{Length, Ratio};
use Need::{Default, Required};
use Range::NotZero;
use fields::{field, length, mass};
use legwork_core::V3;
use legwork_core::engine::legs::PusLeg;
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::robots::hexaglide;

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

/// On which side of its platform joint a carriage can be.
const SIDES: Branches = Branches { what: "carriages", names: &["ahead", "behind"] };

const RAIL_POINTS: Field = field(
    "rail_points",
    ValueType::Points(Length, LEGS),
    Required,
    "The joint of each carriage at position 0, in the base.",
);
const RAIL_DIRECTIONS: Field = Field {
    range: NotZero,
    ..field(
        "rail_directions",
        ValueType::VectorPerLeg(Ratio, LEGS),
        Required,
        "Where the position on each rail grows; one direction is that of all rails.",
    )
};
const PLATFORM_POINTS: Field = field(
    "platform_points",
    ValueType::Points(Length, LEGS),
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
    ValueType::ChoicePerLeg(SIDES.names, LEGS),
    Default("ahead"),
    "Whether the carriage is farther along its rail than its platform joint, for all legs or for each.",
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    branches: Some(SIDES),
    own_keys: &[WORKING_MODE],
    own_tables: &[
        GEOMETRY,
        MASS,
        fields::PLATFORM,
        fields::PAYLOAD,
        fields::LINEAR_MOTOR,
        fields::POSITION_LIMITS,
        fields::HOME_POSE,
    ],
    built_in: built_in!["hexaglide", "modified-paradex"],
    ..FamilyRow::in_space(
        "hexaglide",
        "Hexaglide, 6-PUS: carriages on rails, one rod each to a platform with six freedoms.",
        "z up. A joint coordinate is the position of a carriage on its rail: its joint is at the rail's \
         point + q times the rail's direction.",
    )
};

impl FamilyModel for HexaglideDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
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
        let mass =
            legs.filter(|_| any).map(|(carriage, rod)| HexaglideMass { carriage, rod, platform, payload });
        let motor = top.linear_motor(&fields::LINEAR_MOTOR);
        let limits = top.position_limits();
        let home = top.home_pose();
        let working_mode = words?.into_iter().map(carriage).collect();
        Some(HexaglideDescription { geometry: geometry?, mass, motor, limits, home, working_mode })
    }

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let geometry = &self.geometry;
        let nothing = RigidBody::massless();
        let (carriage, rod_body, [platform, payload]) = match &self.mass {
            Some(m) => (
                RigidBody::point(m.carriage, V3::zero()),
                bar("rod", &m.rod)?,
                loaded(&m.platform, &m.payload)?,
            ),
            None => (nothing, nothing, NOTHING),
        };
        let points = vectors(&geometry.platform_points);
        let starts: Vec<V3<f64>> = geometry.rails.iter().map(|rail| V3::from(rail.point)).collect();
        let leg = |i: usize, side: f64| -> AnyLeg {
            let rail = &geometry.rails[i];
            let direction = V3::from(rail.direction);
            // Rods hang from their rails, so the first axis of the carriage's joint lies across, level.
            let across = V3::new(0.0, 0.0, 1.0).cross(direction);
            let level = across.norm_sq() > 1e-6;
            let hinge = if level { across } else { V3::new(0.0, 1.0, 0.0) };
            let hinge = hinge * (1.0 / hinge.norm_sq().sqrt());
            let rail = hexaglide::Rail { start: starts[i], direction, hinge };
            AnyLeg::from(
                PusLeg {
                    base: rail.frame(),
                    platform_point: points[i],
                    rod: geometry.rod,
                    carriage,
                    rod_body,
                    drive: linear(&self.motor),
                    side,
                }
                .leg(),
            )
        };
        let legs = self.working_mode.iter().enumerate().map(|(i, side)| {
            let sides = [(SIDES.names[0], leg(i, 1.0)), (SIDES.names[1], leg(i, -1.0))];
            if *side == Carriage::Ahead {
                LegChoice::two(sides)
            } else {
                LegChoice::two([sides[1], sides[0]])
            }
        });
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: legs.collect(),
            freedoms: FULL.to_vec(),
            gravity,
            has_masses: self.mass.is_some(),
            size: spread(&points),
            home: self.home.as_ref().map_or_else(
                || Pose::translation(mean(&starts) - mean(&points) - V3::along_z(0.7 * geometry.rod)),
                pose,
            ),
            limits: vec![length_limits(&self.limits, &self.motor); starts.len()],
        }))
    }

    fn leg_count(&self) -> usize {
        self.geometry.rails.len()
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
            InertialPart::point("carriage", &mut m.carriage),
            InertialPart::bar("rod", &mut m.rod),
        ]
    }

    fn scale(&mut self, factors: &Factors) {
        let g = &mut self.geometry;
        factors.points(g.rails.iter_mut().map(|rail| &mut rail.point).chain(&mut g.platform_points));
        factors.lengths([&mut g.rod]);
        factors.linear_motors([&mut self.motor]);
        if let Some(m) = &mut self.mass {
            factors.masses([&mut m.carriage]);
            factors.bars([&mut m.rod]);
            factors.bodies([&mut m.platform]);
            factors.payload(&mut m.payload);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        let points: Vec<[f64; 3]> = g.rails.iter().map(|rail| rail.point).collect();
        let directions: Vec<[f64; 3]> = g.rails.iter().map(|rail| rail.direction).collect();
        vec![
            Property::length("rod", g.rod),
            Property::points("rail_points", "rail", &points),
            Property::axes("rail_directions", "along", &directions),
            Property::points("platform_points", "platform", &g.platform_points),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(m) = &self.mass else { return Vec::new() };
        vec![
            Property::body("platform", m.platform),
            Property::body("payload", m.payload),
            Property::mass("carriage", m.carriage),
            Property::bar("rod", m.rod, "carriage"),
        ]
    }

    fn moving_mass(&self) -> f64 {
        let legs = self.leg_count() as f64;
        self.mass.map_or(0.0, |m| m.platform.mass + m.payload.mass + legs * (m.carriage + m.rod.mass))
    }

    fn drives(&self) -> Drives {
        Drives::Equal(DriveProperties::linear(LINE_MOTOR, &self.motor))
    }
}

fn carriage(word: &str) -> Carriage {
    if word == SIDES.names[0] { Carriage::Ahead } else { Carriage::Behind }
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

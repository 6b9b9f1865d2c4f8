//! Gough–Stewart platform or hexapod: UPS legs, each with a motor that changes its length.

use super::blueprint::{
    Blueprint, BuildError, Construction, FULL, LegChoice, home_above, length_limits, linear, pose, spread,
    ups_bodies, vectors,
};
use super::golden::{GoldenParameters, NO_LENGTH_LIMITS, ParameterFault};
use super::properties::{DriveProperties, Drives, LINE_MOTOR, Property};
use super::{FamilyModel, FamilyRow, JointCone};
use crate::description::built_in::built_in;
use crate::description::fields::{
    self, Alternative, Alternatives, Count, Field, Need, Range, Table, ValueType,
};
use crate::description::model_error::Factors;
use crate::description::parts::{Body, LengthLimits, LinearMotor, Placement};
use crate::description::problem::ProblemKind;
use crate::description::reader::Reader;
use crate::families::inertial::InertialPart;
use crate::rotation;
use crate::units::Quantity::{Angle, Length, Ratio};
use Need::{Default, Derived, OneOf};
use Range::{Any, NotZero, Positive};
use fields::{field, number};
use legwork_core::V3;
use legwork_core::engine::chain::frame_with_z;
use legwork_core::engine::legs::UpsLeg;
use legwork_core::engine::{Pose, Ups};

/// A Gough–Stewart platform.
#[derive(Clone, Debug, PartialEq)]
pub struct GoughStewartDescription {
    /// Where the joints are.
    pub geometry: UpsGeometry,
    /// Bodies; `None` for a robot with geometry only.
    pub mass: Option<UpsMass>,
    /// The motor of one leg; all are equal.
    pub motor: LinearMotor,
    /// Limits of the leg lengths.
    pub limits: LengthLimits,
    /// How far a leg may lean from its direction at home \[rad\], if its joints are known.
    pub joint_cone: Option<f64>,
    /// Platform at rest.
    pub home: Option<Placement>,
}

/// Joints of UPS legs, one entry for each leg.
#[derive(Clone, Debug, PartialEq)]
pub struct UpsGeometry {
    /// Centres of the universal joints, B_i, in the base \[m\].
    pub base_points: Vec<[f64; 3]>,
    /// Centres of the spherical joints, P_i, in the platform's frame \[m\].
    pub platform_points: Vec<[f64; 3]>,
    /// First axes of the universal joints, a_1, fixed to the base; unit vectors.
    pub base_axes: Vec<[f64; 3]>,
}

/// Bodies of a robot with UPS legs.
///
/// A leg's axes: z from base to platform joint, a_3; y the second axis of the universal joint,
/// a_2 = unit(a_3 × a_1); x = y × z. They turn with the leg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UpsMass {
    /// The part of a leg at the base, its frame's origin in the universal joint.
    pub cylinder: Body,
    /// The part of a leg at the platform, its frame's origin in the spherical joint.
    pub rod: Body,
    /// The platform, in its own frame.
    pub platform: Body,
    /// What it carries, in the platform's frame.
    pub payload: Body,
}

impl UpsMass {
    /// Its parts with mass.
    pub(super) fn parts(&mut self) -> Vec<InertialPart<'_>> {
        vec![
            InertialPart::body("platform", &mut self.platform),
            InertialPart::body("cylinder", &mut self.cylinder),
            InertialPart::body("rod", &mut self.rod),
        ]
    }

    /// Larger or smaller by these factors.
    pub(super) fn scale(&mut self, factors: &Factors) {
        factors.bodies([&mut self.cylinder, &mut self.rod, &mut self.platform]);
        factors.payload(&mut self.payload);
    }

    /// What is shown of it.
    pub(super) fn properties(&self) -> Vec<Property> {
        vec![
            Property::body("platform", self.platform),
            Property::body("payload", self.payload),
            Property::body("cylinder", self.cylinder),
            Property::body("rod", self.rod),
        ]
    }

    /// Mass of the platform, what it carries and so many legs \[kg\].
    pub(super) fn total(&self, legs: usize) -> f64 {
        self.platform.mass + self.payload.mass + legs as f64 * (self.cylinder.mass + self.rod.mass)
    }
}

/// Fewest and most legs.
pub const LEGS: Count = Count::Between(3, 24);

/// `geometry.base_points`
pub const BASE_POINTS: Field = field(
    "base_points",
    ValueType::Points(Length, LEGS),
    OneOf("this or `base_radius`"),
    "Centres of the universal joints, in the base.",
);
/// `geometry.platform_points`
pub const PLATFORM_POINTS: Field = field(
    "platform_points",
    ValueType::Points(Length, LEGS),
    OneOf("this or `platform_radius`"),
    "Centres of the spherical joints, in the platform's frame.",
);
/// `geometry.base_axes`
pub const BASE_AXES: Field = Field {
    range: NotZero,
    ..field(
        "base_axes",
        ValueType::Points(Ratio, LEGS),
        Derived("horizontal and tangential, z × B_i"),
        "First axes of the universal joints, fixed to the base. No leg may point along its own.",
    )
};
const BASE_RADIUS: Field = number(
    "base_radius",
    Length,
    Positive,
    OneOf("this or `base_points`"),
    "Radius of the circle of the base joints; then there are six legs.",
);
const BASE_SPREAD: Field = number(
    "base_spread",
    Angle,
    Any,
    OneOf("required with `base_radius`"),
    "Half the angle between the two base joints of a pair. Leg 1 is at turn - spread, leg 2 at turn + spread.",
);
const BASE_TURN: Field = number(
    "base_turn",
    Angle,
    Any,
    Default("0 deg"),
    "Direction of the first pair of base joints from +x; the others follow 120 deg apart.",
);
const BASE_HEIGHT: Field =
    number("base_height", Length, Any, Default("0 m"), "Height of the base joints, z in the base.");
const PLATFORM_RADIUS: Field = number(
    "platform_radius",
    Length,
    Positive,
    OneOf("this or `platform_points`"),
    "Radius of the circle of the platform joints; then there are six legs.",
);
const PLATFORM_SPREAD: Field = number(
    "platform_spread",
    Angle,
    Any,
    OneOf("required with `platform_radius`"),
    "Half the angle between the two platform joints of a pair. The pairs are legs 2 and 3, 4 and 5, 6 and 1.",
);
const PLATFORM_TURN: Field = number(
    "platform_turn",
    Angle,
    Any,
    Derived("`base_turn` + 60 deg"),
    "Direction of the pair of legs 2 and 3 on the platform, from +x of the platform.",
);
const PLATFORM_HEIGHT: Field = number(
    "platform_height",
    Length,
    Any,
    Default("0 m"),
    "Height of the platform joints, z in the platform's frame.",
);

/// `[geometry]`
pub const GEOMETRY: Table = Table {
    alternatives: &[
        Alternatives {
            required: true,
            choices: &[
                Alternative { needs: &["base_points"], may: &[] },
                Alternative { needs: &["base_radius", "base_spread"], may: &["base_turn", "base_height"] },
            ],
        },
        Alternatives {
            required: true,
            choices: &[
                Alternative { needs: &["platform_points"], may: &[] },
                Alternative {
                    needs: &["platform_radius", "platform_spread"],
                    may: &["platform_turn", "platform_height"],
                },
            ],
        },
    ],
    ..Table::new(
        fields::GEOMETRY_NAME,
        "Where the joints are: points, or two circles with three pairs of joints each.",
        &[
            BASE_POINTS,
            BASE_RADIUS,
            BASE_SPREAD,
            BASE_TURN,
            BASE_HEIGHT,
            BASE_AXES,
            PLATFORM_POINTS,
            PLATFORM_RADIUS,
            PLATFORM_SPREAD,
            PLATFORM_TURN,
            PLATFORM_HEIGHT,
        ],
    )
    .required()
};
/// `[cylinder]`
pub const CYLINDER: Table = Table::new(
    "cylinder",
    "The part of a leg at the base; origin in the universal joint, z along the leg, y the joint's second axis. \
     Without it the part has no mass.",
    fields::BODY,
);
/// `[rod]`
pub const ROD: Table = Table::new(
    "rod",
    "The part of a leg at the platform; origin in the spherical joint, axes as for the cylinder, so its centre \
     has a negative z. Without it the part has no mass.",
    fields::BODY,
);

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    own_tables: &[
        GEOMETRY,
        CYLINDER,
        ROD,
        fields::PLATFORM,
        fields::PAYLOAD,
        fields::LINEAR_MOTOR,
        fields::LEG_LIMITS,
        fields::HOME_POSE,
    ],
    golden_keys: &["base_points", "platform_points", "u_axis1"],
    built_in: built_in!["gough-stewart", "mathworks-stewart", "linuxcnc-hexapod"],
    ..FamilyRow::in_space(
        "gough-stewart",
        "Gough-Stewart platform or hexapod, 6-UPS: legs from universal joints on the base to spherical \
         joints on the platform, each with a motor that changes its length.",
        "z up. A joint coordinate is the length of its leg from joint to joint; a positive force makes it \
         longer.",
    )
};

impl FamilyModel for GoughStewartDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
        let geometry = geometry(top);
        let mass = masses(top);
        let motor = top.linear_motor(&fields::LINEAR_MOTOR);
        let (limits, joint_cone) = top.leg_limits();
        let home = top.home_pose();
        Some(GoughStewartDescription { geometry: geometry?, mass, motor, limits, joint_cone, home })
    }

    fn joint_cone(&self) -> Option<JointCone> {
        self.joint_cone.map(|most| JointCone::AboutHome { most })
    }

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        let [cylinder, rod, platform, payload] = ups_bodies(self.mass.as_ref())?;
        let g = &self.geometry;
        let (base, points) = (vectors(&g.base_points), vectors(&g.platform_points));
        let legs = base.iter().zip(&points).zip(&g.base_axes).map(|((base, point), axis)| {
            let leg = UpsLeg {
                base: Pose::new(frame_with_z(V3::from(*axis)), *base),
                platform_point: *point,
                cylinder,
                rod,
                first: None,
                slide: linear(&self.motor),
            };
            LegChoice::only(Ups::new(&leg))
        });
        Ok(Construction::legs(Blueprint {
            platform,
            payload,
            legs: legs.collect(),
            freedoms: FULL.to_vec(),
            gravity,
            has_masses: self.mass.is_some(),
            size: spread(&points),
            home: self.home.as_ref().map_or_else(|| home_above(&base, &points, &self.limits), pose),
            limits: vec![length_limits(&self.limits, &self.motor); base.len()],
        }))
    }

    fn leg_count(&self) -> usize {
        self.geometry.base_points.len()
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
        factors.linear_motors([&mut self.motor]);
        if let Some(m) = &mut self.mass {
            m.scale(factors);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        vec![
            Property::points("base_points", "base", &g.base_points),
            Property::points("platform_points", "platform", &g.platform_points),
            Property::axes("base_axes", "axis", &g.base_axes),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        self.mass.map_or_else(Vec::new, |m| m.properties())
    }

    fn moving_mass(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.total(self.leg_count()))
    }

    fn drives(&self) -> Drives {
        Drives::Equal(DriveProperties::linear(LINE_MOTOR, &self.motor))
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        p.actuation("gough")?;
        Ok(Self {
            geometry: UpsGeometry {
                base_points: p.points("base_points")?,
                platform_points: p.points("platform_points")?,
                base_axes: p.directions("u_axis1")?,
            },
            mass: Some(p.ups_mass()?),
            motor: LinearMotor::IDEAL,
            limits: NO_LENGTH_LIMITS,
            joint_cone: None,
            home: p.home,
        })
    }
}

/// The bodies of UPS legs and their platform.
pub(super) fn masses(top: &mut Reader<'_, '_>) -> Option<UpsMass> {
    let any = top.any_of(&[&fields::PLATFORM], &[&CYLINDER, &ROD, &fields::PAYLOAD]);
    let mass = UpsMass {
        cylinder: top.body(&CYLINDER),
        rod: top.body(&ROD),
        platform: top.body(&fields::PLATFORM),
        payload: top.body(&fields::PAYLOAD),
    };
    any.then_some(mass)
}

fn geometry(top: &mut Reader<'_, '_>) -> Option<UpsGeometry> {
    let mut reader = top.open(&GEOMETRY)?;
    // Every key is read, whichever way is used, so that every bad value is found.
    let (base_radius, base_spread) = (reader.number(&BASE_RADIUS), reader.number(&BASE_SPREAD));
    let (base_turn, base_height) = (reader.number(&BASE_TURN), reader.number(&BASE_HEIGHT));
    let base_points = reader.points(&BASE_POINTS, LEGS);
    let (radius, spread) = (reader.number(&PLATFORM_RADIUS), reader.number(&PLATFORM_SPREAD));
    let turn = reader.number_or(&PLATFORM_TURN, base_turn + 60_f64.to_radians());
    let height = reader.number(&PLATFORM_HEIGHT);
    let platform_points = reader.points(&PLATFORM_POINTS, LEGS);
    let by_radius = |radius: &Field, points: &Field| reader.has(radius.key) && !reader.has(points.key);
    let base_by_radius = by_radius(&BASE_RADIUS, &BASE_POINTS);
    let platform_by_radius = by_radius(&PLATFORM_RADIUS, &PLATFORM_POINTS);
    let base_points = if base_by_radius {
        Some(circle(base_radius, base_height, |pair, side| base_turn + pair + side * base_spread))
    } else {
        base_points
    };
    let platform_points = if platform_by_radius {
        // Legs 1 and 2 share a pair on the base and go to two pairs of the platform.
        let step = 60_f64.to_radians();
        Some(circle(radius, height, |pair, side| turn + pair + (side - 1.0) * step - side * spread))
    } else {
        platform_points
    };
    let base_axes = reader.points(&BASE_AXES, LEGS);
    let base_points = base_points?;
    let legs = base_points.len();
    let like = if base_by_radius { &BASE_RADIUS } else { &BASE_POINTS };
    if let Some(points) = &platform_points
        && points.len() != legs
    {
        let field = if platform_by_radius { &PLATFORM_RADIUS } else { &PLATFORM_POINTS };
        reader.unlike(field, points.len(), like, legs);
    }
    let base_axes = match base_axes {
        Some(axes) => {
            if axes.len() != legs {
                reader.unlike(&BASE_AXES, axes.len(), like, legs);
            }
            axes.into_iter().map(rotation::unit).collect()
        }
        None if reader.has(BASE_AXES.key) => return None,
        None => tangents(&mut reader, &base_points)?,
    };
    Some(UpsGeometry { base_points, platform_points: platform_points?, base_axes })
}

/// Six joints on a circle: `angle` of a pair at 0, 120, 240 deg and of a side, −1 for leg 1 and +1 for leg 2.
fn circle(radius: f64, height: f64, angle: impl Fn(f64, f64) -> f64) -> Vec<[f64; 3]> {
    let leg = |k: u8| {
        let (pair, side) = (f64::from(k / 2) * 120.0, if k.is_multiple_of(2) { -1.0 } else { 1.0 });
        let (sin, cos) = angle(pair.to_radians(), side).sin_cos();
        [radius * cos, radius * sin, height]
    };
    (0..6).map(leg).collect()
}

/// z × B_i
fn tangents(reader: &mut Reader<'_, '_>, points: &[[f64; 3]]) -> Option<Vec<[f64; 3]>> {
    if let Some(leg) = points.iter().position(|[x, y, _]| *x == 0.0 && *y == 0.0) {
        let kind = ProblemKind::NoTangent { key: BASE_AXES.key, leg: leg + 1 };
        reader.notes.note(reader.header.clone(), kind);
        return None;
    }
    Some(points.iter().map(|[x, y, _]| rotation::unit([-y, *x, 0.0])).collect())
}

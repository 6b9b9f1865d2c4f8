//! Rotary Delta: three motors, three arms, three parallelograms, a platform that only translates.

use super::blueprint::{
    Blueprint, BuildError, Construction, LegChoice, MotorLimits, angle_limits, one_branch, rotary,
    two_branches,
};
use super::golden::{GoldenParameters, NO_ANGLE_LIMITS, ParameterFault, thirds};
use super::properties::{ARM_MOTOR, DriveProperties, Drives, Property, PropertyValue};
use super::{Branches, FamilyModel, FamilyRow, JointCone, View};
use crate::description::built_in::built_in;
use crate::description::convention::{Convention, Frame, Gives};
use crate::description::fields::{self, Count, Field, Need, Range, Table, ValueType};
use crate::description::model_error::Factors;
use crate::description::parts::{AngleLimits, Bar, Elbow, Motor};
use crate::description::reader::Reader;
use crate::families::inertial::{InertialNumbers, InertialPart};
use crate::units::Quantity::{Angle, Inertia, Length};
use Need::{Default, Derived, Optional};
use Range::{HalfTurn, NotNegative};
use fields::{field, mass, mass_or_none, number};
use legwork_core::engine::{Drive, Leg, LegInverse, Pose, RigidBody};
use legwork_core::robots::delta::{self, Delta, Linkage};
use legwork_core::robots::delta_legs::{delta_legs, delta_legs_with_axis};
use legwork_core::{M3, Sym3, V3};

/// A rotary Delta in legwork's convention.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaDescription {
    /// Lengths and directions of the legs.
    pub geometry: DeltaGeometry,
    /// Masses and inertias; `None` for a robot with geometry only.
    pub mass: Option<DeltaMass>,
    /// One motor with its gear; all three are equal.
    pub motor: Motor,
    /// Limits of the motor angles.
    pub limits: AngleLimits,
    /// How far a rod may lean out of the plane of its leg \[rad\], if its joints are known.
    pub joint_cone: Option<f64>,
    /// Platform position at rest, in our frame \[m\].
    pub home: Option<[f64; 3]>,
    /// Which way the elbow of each leg bends.
    pub working_mode: [Elbow; 3],
    /// Between the frame and signs of the file's convention and ours.
    pub frame: Frame,
    /// The fourth axis, that turns the tool; `None` for a Delta with three freedoms.
    pub rotation_axis: Option<RotationAxis>,
}

/// The fourth axis of a Delta: a shaft with a telescope and two universal joints, from a motor in the base to the tool,
/// which turns about the normal of the platform. It turns the tool by the angle of its motor wherever the platform is.
/// What is neglected: the weight and the inertia of the shaft across its length, and the unevenness of joints that are
/// not mounted alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationAxis {
    /// What turns at the platform besides the tool and the payload, about the axis \[kg m²\].
    pub inertia: f64,
    /// The shaft about its length \[kg m²\].
    pub shaft_inertia: f64,
    /// Its motor with its gear.
    pub motor: Motor,
    /// Limits of the tool's angle.
    pub limits: AngleLimits,
}

/// Lengths of a rotary Delta.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaGeometry {
    /// Centre of the base to a motor axis, R_A \[m\].
    pub base_radius: f64,
    /// Centre of the platform to the joints of a forearm, R_B \[m\].
    pub platform_radius: f64,
    /// Motor axis to elbow, a \[m\].
    pub arm: f64,
    /// Elbow to platform joint, b \[m\].
    pub forearm: f64,
    /// Direction of each leg from +x, counter-clockwise seen from above, φ_i \[rad\].
    pub azimuth: [f64; 3],
}

/// Masses and inertias of a rotary Delta, all resolved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeltaMass {
    /// Platform without payload \[kg\].
    pub platform: f64,
    /// What the platform carries \[kg\].
    pub payload: f64,
    /// One arm without its elbow, m_a \[kg\].
    pub arm: f64,
    /// One forearm, both of its rods together, m_f \[kg\].
    pub forearm: f64,
    /// Joint at the end of one arm, m_e \[kg\].
    pub elbow: f64,
    /// Centre of mass of the arm, from the motor axis, c_a \[m\].
    pub arm_centre: f64,
    /// Arm about its own centre of mass, about an axis parallel to the motor's, I_a \[kg m²\].
    pub arm_inertia: f64,
    /// Centre of mass of the forearm, from the elbow \[m\].
    pub forearm_centre: f64,
    /// Both rods of a forearm together, each about its own centre, across its length, I_⊥ \[kg m²\].
    pub forearm_inertia: f64,
}

/// The two ways an elbow can bend.
pub(super) const ELBOWS: Branches = Branches { what: "elbows", names: &["out", "in"] };

/// `working_mode`
pub const WORKING_MODE: Field = field(
    "working_mode",
    ValueType::ChoicePerLeg(ELBOWS.names, Count::Exactly(3)),
    Default("out"),
    "Which way the elbows bend, for all legs or for each.",
);

/// `mass.platform`
pub const MASS_PLATFORM: Field = mass("platform", "Platform, without payload.");
/// `mass.arm`
pub const MASS_ARM: Field = mass("arm", "One arm, without its elbow.");
/// `mass.forearm`
pub const MASS_FOREARM: Field = mass("forearm", "One forearm, both of its rods together.");
/// `mass.payload`
pub const PAYLOAD: Field = mass_or_none("payload", "What the platform carries.");
/// `mass.elbow`
pub const ELBOW: Field = mass_or_none("elbow", "Joint at the end of one arm, as a point.");
/// `mass.arm_centre`
pub const ARM_CENTRE: Field = number(
    "arm_centre",
    Length,
    NotNegative,
    Derived("half the arm"),
    "Centre of mass of the arm, from the motor axis.",
);
/// `mass.arm_inertia`
pub const ARM_INERTIA: Field = number(
    "arm_inertia",
    Inertia,
    NotNegative,
    Derived("thin rod, m a^2 / 12"),
    "Arm about its own centre of mass, about an axis parallel to the motor's.",
);
/// `mass.forearm_centre`
pub const FOREARM_CENTRE: Field = number(
    "forearm_centre",
    Length,
    NotNegative,
    Derived("half the forearm"),
    "Centre of mass of the forearm, from the elbow.",
);
/// `mass.forearm_inertia`
pub const FOREARM_INERTIA: Field = number(
    "forearm_inertia",
    Inertia,
    NotNegative,
    Derived("thin rod, m b^2 / 12"),
    "Both rods of a forearm together, each about its own centre of mass, across its length.",
);

/// `rotation_axis.inertia`
pub const AXIS_INERTIA: Field = number(
    "inertia",
    Inertia,
    NotNegative,
    Default("0 kg m^2"),
    "What turns at the platform, about the axis, besides the [tool]; a payload adds its own only by its offset.",
);
/// `rotation_axis.shaft_inertia`
pub const SHAFT_INERTIA: Field =
    number("shaft_inertia", Inertia, NotNegative, Default("0 kg m^2"), "The shaft, about its length.");
/// `rotation_axis.angle_min`
pub const AXIS_MIN: Field = number(
    "angle_min",
    Angle,
    HalfTurn,
    Optional("half a turn"),
    "Smallest angle of the tool, counter-clockwise from above.",
);
/// `rotation_axis.angle_max`
pub const AXIS_MAX: Field =
    number("angle_max", Angle, HalfTurn, Optional("half a turn"), "Largest angle of the tool.");
/// `[rotation_axis]`
pub const ROTATION_AXIS: Table = Table {
    alternatives: fields::LIMIT_NAMES,
    ..Table::new(
        "rotation_axis",
        "A fourth axis: a telescopic shaft from a motor in the base turns the tool about the normal of the platform. Its \
         gear ratio is the turns of the motor for one of the tool; what counts at the arm elsewhere counts at the tool.",
        &[
            AXIS_INERTIA,
            SHAFT_INERTIA,
            fields::ROTOR_INERTIA,
            fields::GEAR_RATIO,
            fields::GEAR_INERTIA,
            fields::VISCOUS_FRICTION,
            fields::COULOMB_FRICTION,
            fields::MOTOR_TORQUE,
            fields::MOTOR_SPEED,
            fields::JOINT_TORQUE,
            fields::JOINT_SPEED,
            fields::MAX_TORQUE,
            fields::MAX_SPEED,
            AXIS_MIN,
            AXIS_MAX,
        ],
    )
};

/// `[geometry]`
pub const GEOMETRY: Table =
    Table::new(fields::GEOMETRY_NAME, "Lengths; the keys depend on the convention.", &[]).required();
/// `[mass]`
pub const MASS: Table = Table::new(
    "mass",
    "Masses and inertias. Without this table the robot has geometry only.",
    &[
        MASS_PLATFORM,
        MASS_ARM,
        MASS_FOREARM,
        PAYLOAD,
        ELBOW,
        ARM_CENTRE,
        ARM_INERTIA,
        FOREARM_CENTRE,
        FOREARM_INERTIA,
    ],
);

/// Title of the motor that turns the tool.
const TOOL_MOTOR: &str = "motor 4, as the tool feels it";

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    has_conventions: true,
    branches: Some(ELBOWS),
    view: View::FirstLeg,
    own_keys: &[WORKING_MODE],
    own_tables: &[GEOMETRY, MASS, fields::MOTOR, fields::ARM_LIMITS, fields::HOME, ROTATION_AXIS],
    golden_keys: &["RA", "RB", "LA", "LB", "m_ab"],
    built_in: built_in![
        "delta-direct-drive",
        "delta-industrial",
        "delta-four-axis",
        "delta-ngoc-kim",
        "delta-bortoff-a",
        "delta-bortoff-b",
        "delta-bortoff-c",
        "survey-delta",
        "autonox-rl5-1450",
        "kaist-delta",
        "irb360-1600",
        "irb360-flexpicker",
        "fanuc-dr3ib",
        "microdelta-240",
        "trossen-tutorial",
        "linuxcnc-rotary-delta",
        "klipper-rotary-delta",
        "deltax-v2",
    ],
    ..FamilyRow::in_space(
        "delta",
        "Rotary Delta: three motors, three arms, three parallelograms, a platform that only translates; a fourth axis may turn \
         its tool.",
        "z up, the origin between the motor axes, leg 1 along +x; a motor angle is 0 when its arm is \
         horizontal and outward, and positive when it goes down.",
    )
};

impl FamilyModel for DeltaDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
        let words = top.words(&WORKING_MODE, Some(3)).and_then(|words| words.try_into().ok());
        let working_mode = words.unwrap_or(["out"; 3]).map(elbow);
        // Without its convention no key of [geometry] has a meaning.
        let written = top.value(fields::CONVENTION.key).is_none_or(|_| top.convention_is_known());
        let (geometry, frame) = if written { geometry(top) } else { (NO_GEOMETRY, Frame::OURS) };
        let (limits, joint_cone) = limits(top, &frame);
        Some(DeltaDescription {
            mass: masses(top, &geometry),
            motor: top.motor(&fields::MOTOR),
            limits,
            joint_cone,
            home: home(top, &frame),
            rotation_axis: rotation_axis(top),
            geometry,
            working_mode,
            frame,
        })
    }

    fn joint_cone(&self) -> Option<JointCone> {
        self.joint_cone.map(|most| JointCone::OutOfPlane { most, azimuth: self.geometry.azimuth })
    }

    fn construction(&self, _gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        Ok(Construction::Delta(self))
    }

    /// The shaft of a fourth axis counts as a leg.
    fn leg_count(&self) -> usize {
        if self.rotation_axis.is_some() { 4 } else { 3 }
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
        let mut parts = Vec::new();
        if let Some(m) = &mut self.mass {
            parts.push(InertialPart::point("platform", &mut m.platform));
            let (mass, centre, inertia) = (&mut m.arm, &mut m.arm_centre, &mut m.arm_inertia);
            let numbers = InertialNumbers::Bar { mass, centre, inertia };
            parts.push(InertialPart { name: "arm".into(), numbers });
            parts.push(InertialPart::point("elbow", &mut m.elbow));
            let (mass, centre, inertia) = (&mut m.forearm, &mut m.forearm_centre, &mut m.forearm_inertia);
            let numbers = InertialNumbers::Bar { mass, centre, inertia };
            parts.push(InertialPart { name: "forearm".into(), numbers });
        }
        if let Some(axis) = &mut self.rotation_axis {
            parts.push(InertialPart::moment("rotation_axis", &mut axis.inertia));
            parts.push(InertialPart::moment("rotation_axis.shaft", &mut axis.shaft_inertia));
        }
        parts
    }

    fn scale(&mut self, factors: &Factors) {
        let g = &mut self.geometry;
        factors.lengths([&mut g.base_radius, &mut g.platform_radius, &mut g.arm, &mut g.forearm]);
        factors.motor(&mut self.motor);
        if let Some(m) = &mut self.mass {
            factors.masses([&mut m.platform, &mut m.arm, &mut m.forearm, &mut m.elbow]);
            factors.lengths([&mut m.arm_centre, &mut m.forearm_centre]);
            factors.inertias([&mut m.arm_inertia, &mut m.forearm_inertia]);
        }
        if let Some(axis) = &mut self.rotation_axis {
            factors.motor(&mut axis.motor);
            factors.inertias([&mut axis.inertia, &mut axis.shaft_inertia]);
        }
    }

    fn geometry(&self) -> Vec<Property> {
        let g = &self.geometry;
        vec![
            Property::length("base_radius", g.base_radius),
            Property::length("platform_radius", g.platform_radius),
            Property::length("arm", g.arm),
            Property::length("forearm", g.forearm),
            Property::directions("azimuth", &g.azimuth),
        ]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(m) = &self.mass else { return Vec::new() };
        let arm = Bar { mass: m.arm, centre: m.arm_centre, inertia: m.arm_inertia };
        let forearm = Bar { mass: m.forearm, centre: m.forearm_centre, inertia: m.forearm_inertia };
        let axis = self.rotation_axis.map(|axis| {
            Property::new(
                "turns_with_tool",
                PropertyValue::Number(axis.inertia + axis.shaft_inertia, Inertia),
            )
        });
        let bodies = vec![
            Property::mass("platform", m.platform),
            Property::mass("payload", m.payload),
            Property::bar("arm", arm, "motor"),
            Property::mass("elbow", m.elbow),
            Property::bar("forearm", forearm, "elbow"),
        ];
        bodies.into_iter().chain(axis).collect()
    }

    fn moving_mass(&self) -> f64 {
        self.mass.map_or(0.0, |m| m.platform + m.payload + 3.0 * (m.arm + m.elbow + m.forearm))
    }

    fn drives(&self) -> Drives {
        let arm = DriveProperties::rotary(ARM_MOTOR, &self.motor);
        match &self.rotation_axis {
            None => Drives::Equal(arm),
            Some(axis) => {
                Drives::Listed(vec![arm, arm, arm, DriveProperties::rotary(TOOL_MOTOR, &axis.motor)])
            }
        }
    }

    fn from_golden(p: &GoldenParameters<'_>) -> Result<Self, ParameterFault> {
        let (arm, forearm) = (p.number("LA")?, p.number("LB")?);
        let (upper, lower) = (p.rod("m_br", arm)?, p.rod("m_ab", forearm)?);
        Ok(Self {
            geometry: DeltaGeometry {
                base_radius: p.number("RA")?,
                platform_radius: p.number("RB")?,
                arm,
                forearm,
                azimuth: thirds(),
            },
            mass: Some(DeltaMass {
                platform: p.number("m_n")?,
                payload: p.number("m_payload")?,
                arm: upper.mass,
                forearm: lower.mass,
                elbow: p.number("m_c")?,
                arm_centre: upper.centre,
                arm_inertia: upper.inertia,
                forearm_centre: lower.centre,
                forearm_inertia: lower.inertia,
            }),
            motor: p.motor()?,
            limits: NO_ANGLE_LIMITS,
            joint_cone: None,
            home: None,
            working_mode: [Elbow::Out; 3],
            frame: Frame::OURS,
            rotation_axis: None,
        })
    }
}

/// What stands in for a geometry that cannot be read.
const NO_GEOMETRY: DeltaGeometry = DeltaGeometry {
    base_radius: f64::NAN,
    platform_radius: f64::NAN,
    arm: f64::NAN,
    forearm: f64::NAN,
    azimuth: [f64::NAN; 3],
};

pub(super) fn elbow(word: &str) -> Elbow {
    if word == "in" { Elbow::In } else { Elbow::Out }
}

fn geometry(top: &mut Reader<'_, '_>) -> (DeltaGeometry, Frame) {
    let row = top.convention.row();
    let mut geometry = DeltaGeometry { azimuth: row.azimuth_deg.map(f64::to_radians), ..NO_GEOMETRY };
    let mut frame =
        Frame { offset: [0.0; 3], angle_sign: row.angle_sign, angle_zero: row.angle_zero_deg.to_radians() };
    let keys: Vec<Field> = row.geometry.iter().map(|(field, _)| *field).collect();
    let Some(mut reader) = top.open_with(&GEOMETRY, &keys) else { return (geometry, frame) };
    reader.bare_numbers = row.bare_numbers;
    for (field, gives) in row.geometry {
        match gives {
            Gives::BaseRadius(measured) => {
                geometry.base_radius = measured.radius(reader.number(field));
            }
            Gives::PlatformRadius(measured) => {
                geometry.platform_radius = measured.radius(reader.number(field));
            }
            Gives::RadiusDifference => {
                geometry.base_radius = reader.number(field);
                geometry.platform_radius = 0.0;
            }
            Gives::Arm => geometry.arm = reader.number(field),
            Gives::Forearm => geometry.forearm = reader.number(field),
            Gives::Height => frame.offset[2] = reader.number(field),
            Gives::Azimuth => {
                geometry.azimuth = reader.numbers(field, third_turns).unwrap_or(geometry.azimuth);
            }
        }
    }
    (geometry, frame)
}

fn masses(top: &mut Reader<'_, '_>, geometry: &DeltaGeometry) -> Option<DeltaMass> {
    let mut reader = top.open(&MASS)?;
    let (arm, forearm) = (reader.number(&MASS_ARM), reader.number(&MASS_FOREARM));
    let (a, b) = (geometry.arm, geometry.forearm);
    Some(DeltaMass {
        platform: reader.number(&MASS_PLATFORM),
        payload: reader.number(&PAYLOAD),
        arm,
        forearm,
        elbow: reader.number(&ELBOW),
        arm_centre: reader.number_or(&ARM_CENTRE, a / 2.0),
        arm_inertia: reader.number_or(&ARM_INERTIA, arm * a * a / 12.0),
        forearm_centre: reader.number_or(&FOREARM_CENTRE, b / 2.0),
        forearm_inertia: reader.number_or(&FOREARM_INERTIA, forearm * b * b / 12.0),
    })
}

fn limits(top: &mut Reader<'_, '_>, frame: &Frame) -> (AngleLimits, Option<f64>) {
    let bare_numbers = top.convention.row().bare_numbers;
    let Some(mut reader) = top.open(&fields::ARM_LIMITS) else {
        return (AngleLimits { min: None, max: None }, None);
    };
    reader.bare_numbers = bare_numbers;
    let ends = [reader.optional_number(&fields::ANGLE_MIN), reader.optional_number(&fields::ANGLE_MAX)];
    let [low, high] = ends.map(|angle| angle.map(|angle| frame.angle_from_user(angle)));
    // Where the user counts the other way round, the lowest angle is our highest.
    let limits = if frame.angle_sign < 0.0 {
        AngleLimits { min: high, max: low }
    } else {
        AngleLimits { min: low, max: high }
    };
    (limits, reader.optional_number(&fields::ROD_CONE))
}

fn home(top: &mut Reader<'_, '_>, frame: &Frame) -> Option<[f64; 3]> {
    let bare_numbers = top.convention.row().bare_numbers;
    let mut reader = top.open(&fields::HOME)?;
    reader.bare_numbers = bare_numbers;
    let position = reader.vector(&fields::HOME_POSITION)?;
    Some(frame.position_from_user(position))
}

fn rotation_axis(top: &mut Reader<'_, '_>) -> Option<RotationAxis> {
    let bare_numbers = top.convention.row().bare_numbers;
    let mut reader = top.open(&ROTATION_AXIS)?;
    reader.bare_numbers = bare_numbers;
    let (inertia, shaft_inertia) = (reader.number(&AXIS_INERTIA), reader.number(&SHAFT_INERTIA));
    let motor = reader.motor_here();
    let [min, max] = reader.ends(&AXIS_MIN, &AXIS_MAX);
    Some(RotationAxis { inertia, shaft_inertia, motor, limits: AngleLimits { min, max } })
}

impl DeltaDescription {
    /// The robot of legs of the general engine, in its own frame, with motors counted as in its file: where its base
    /// is tilted in the cell, or where it has a fourth axis. `model` is the same robot with masses.
    pub(crate) fn blueprint(
        &self,
        linkage: &Linkage<f64>,
        model: Option<&Delta<f64>>,
        gravity: V3<f64>,
        home: [f64; 3],
    ) -> Blueprint {
        let massless = || {
            let inertia = delta::Inertia::thin_rods(linkage.geometry(), 0.0, 0.0, 0.0, 0.0);
            Delta::unchecked(*linkage, inertia, delta::Motor::ideal())
        };
        let delta = model.copied().unwrap_or_else(massless);
        let build = |mode: [Elbow; 3]| {
            let mode = delta::WorkingMode(mode.map(|elbow| match elbow {
                Elbow::Out => delta::Elbow::Out,
                Elbow::In => delta::Elbow::In,
            }));
            let legs = match self.rotation_axis {
                None => delta_legs(&delta.with_working_mode(mode)).legs,
                Some(_) => delta_legs_with_axis(&delta.with_working_mode(mode), Drive::ideal()).0,
            };
            legs.map(|leg| counted(leg, &self.frame))
        };
        let elbows = [(Elbow::Out, ELBOWS.names[0]), (Elbow::In, ELBOWS.names[1])];
        let mut legs = two_branches(elbows, self.working_mode, build);
        let (mut freedoms, mut limits) = (vec![0, 1, 2], vec![self.motor_limits(); 3]);
        let m = delta.inertia();
        let mut platform = RigidBody::point(m.platform, V3::zero());
        if let Some(axis) = &self.rotation_axis {
            let mut drive = rotary(&axis.motor);
            drive.inertia += axis.shaft_inertia;
            legs.push(LegChoice::only(delta_legs_with_axis(&delta, drive).1));
            freedoms.push(5);
            limits.push(angle_limits(&axis.limits, &axis.motor));
            // A flat body: half of its moment of inertia about each axis across.
            let half = axis.inertia / 2.0;
            platform.inertia = Sym3 { diagonal: V3::new(half, half, axis.inertia), off: V3::zero() };
        }
        Blueprint {
            platform,
            payload: RigidBody::point(m.payload, V3::zero()),
            legs,
            freedoms,
            gravity,
            has_masses: self.mass.is_some(),
            size: self.geometry.platform_radius,
            home: Pose::translation(home.into()),
            limits,
        }
    }

    /// What limits a motor of an arm, as the user counts its angle.
    pub(crate) fn motor_limits(&self) -> MotorLimits {
        let [low, high] = [self.limits.min, self.limits.max]
            .map(|angle| angle.map(|angle| self.frame.angle_to_user(angle)));
        let (min, max) = if self.frame.angle_sign < 0.0 { (high, low) } else { (low, high) };
        MotorLimits { min, max, ..MotorLimits::of(&self.motor) }
    }
}

/// The leg with its motor counted as the user does: angle of the user = ±q + zero. The frame of the arm is turned over,
/// and where it is at 0 is turned back; all that follows stays where it is.
fn counted(mut leg: Leg<f64, 3>, frame: &Frame) -> Leg<f64, 3> {
    let over = if frame.angle_sign < 0.0 {
        M3::diagonal(V3::new(1.0, -1.0, -1.0))
    } else {
        Pose::identity().rotation
    };
    let over = Pose::new(over, V3::zero());
    let [first, second, _] = &mut leg.chain.links;
    first.placement = first.placement * over * Pose::rotation_z(-frame.angle_zero);
    first.body = first.body.map(|body| body.seen_from(&over));
    second.placement = over * second.placement;
    if let LegInverse::Rus { side, .. } = &mut leg.inverse {
        *side *= frame.angle_sign;
    }
    leg
}

/// Leg 1 at this angle, the others a third of a turn apart.
pub(super) fn third_turns(first: f64) -> [f64; 3] {
    [0.0_f64, 120.0, 240.0].map(|turn| first + turn.to_radians())
}

impl Reader<'_, '_> {
    /// Whether the file's `convention` is one there is.
    fn convention_is_known(&self) -> bool {
        let text = self.value(fields::CONVENTION.key).and_then(|value| value.get_ref().as_str());
        text.and_then(Convention::from_name).is_some()
    }
}

/// A rotary Delta through the general engine, with this home in our frame \[m\].
pub(crate) fn as_legs(delta: &Delta<f64>, home: [f64; 3]) -> Blueprint {
    let robot = delta_legs(delta);
    Blueprint {
        platform: robot.platform,
        payload: RigidBody::massless(),
        legs: one_branch(robot.legs),
        freedoms: vec![0, 1, 2],
        gravity: robot.gravity,
        has_masses: true,
        size: delta.linkage().geometry().platform_radius,
        home: Pose::translation(home.into()),
        limits: Vec::new(),
    }
}

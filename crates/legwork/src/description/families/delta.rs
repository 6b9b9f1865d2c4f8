//! Rotary Delta: three motors, three arms, three parallelograms, a platform that only translates.

use super::{Family, FamilyRow};
use crate::description::convention::{Convention, Frame, Gives};
use crate::description::defaults;
use crate::description::fields::{self, Count, Field, Kind, Need, Range, Table};
use crate::description::parts::{AngleLimits, Elbow, Motor};
use crate::description::reader::Reader;
use crate::units::Quantity::{Inertia, Length};
use Need::{Default, Derived};
use Range::NotNegative;
use fields::{field, mass, mass_or_none, number};

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
    /// Platform position at rest, in our frame \[m\].
    pub home: Option<[f64; 3]>,
    /// Which way the elbow of each leg bends.
    pub working_mode: [Elbow; 3],
    /// Between the frame and signs of the file's convention and ours.
    pub frame: Frame,
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
pub const ELBOWS: &[&str] = &["out", "in"];

/// `working_mode`
pub const WORKING_MODE: Field = field(
    "working_mode",
    Kind::ChoicePerLeg(ELBOWS, Count::Exactly(3)),
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

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    family: Family::Delta,
    name: "delta",
    meaning: "Rotary Delta: three motors, three arms, three parallelograms, a platform that only translates.",
    frame: "z up, the origin between the motor axes, leg 1 along +x; a motor angle is 0 when its arm is \
            horizontal and outward, and positive when it goes down.",
    own_top: &[fields::CONVENTION, fields::GRAVITY, WORKING_MODE],
    tables: &[
        GEOMETRY,
        MASS,
        fields::MOTOR,
        fields::ANGLE_LIMITS,
        fields::HOME,
        defaults::MOTION,
        defaults::DELTA_CONTROLLER,
    ],
};

/// What stands in for a geometry that cannot be read.
const NO_GEOMETRY: DeltaGeometry = DeltaGeometry {
    base_radius: f64::NAN,
    platform_radius: f64::NAN,
    arm: f64::NAN,
    forearm: f64::NAN,
    azimuth: [f64::NAN; 3],
};

pub(super) fn read(top: &mut Reader<'_, '_>) -> DeltaDescription {
    let words = top.words(&WORKING_MODE, Some(3)).and_then(|words| words.try_into().ok());
    let working_mode = words.unwrap_or(["out"; 3]).map(elbow);
    // Without its convention no key of [geometry] has a meaning.
    let written = top.value(fields::CONVENTION.key).is_none_or(|_| top.convention_is_known());
    let (geometry, frame) = if written { geometry(top) } else { (NO_GEOMETRY, Frame::OURS) };
    DeltaDescription {
        mass: masses(top, &geometry),
        motor: top.motor(&fields::MOTOR),
        limits: limits(top, &frame),
        home: home(top, &frame),
        geometry,
        working_mode,
        frame,
    }
}

pub(super) fn elbow(word: &str) -> Elbow {
    if word == "in" { Elbow::In } else { Elbow::Out }
}

fn geometry(top: &mut Reader<'_, '_>) -> (DeltaGeometry, Frame) {
    let row = top.convention.row();
    let mut geometry = DeltaGeometry { azimuth: row.azimuth_deg.map(f64::to_radians), ..NO_GEOMETRY };
    let mut frame =
        Frame { z_offset: 0.0, angle_sign: row.angle_sign, angle_zero: row.angle_zero_deg.to_radians() };
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
            Gives::Height => frame.z_offset = reader.number(field),
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

fn limits(top: &mut Reader<'_, '_>, frame: &Frame) -> AngleLimits {
    let bare_numbers = top.convention.row().bare_numbers;
    let Some(mut reader) = top.open(&fields::ANGLE_LIMITS) else {
        return AngleLimits { min: None, max: None };
    };
    reader.bare_numbers = bare_numbers;
    let ends = [reader.optional_number(&fields::ANGLE_MIN), reader.optional_number(&fields::ANGLE_MAX)];
    let [low, high] = ends.map(|angle| angle.map(|angle| frame.angle_from_user(angle)));
    // Where the user counts the other way round, the lowest angle is our highest.
    if frame.angle_sign < 0.0 {
        AngleLimits { min: high, max: low }
    } else {
        AngleLimits { min: low, max: high }
    }
}

fn home(top: &mut Reader<'_, '_>, frame: &Frame) -> Option<[f64; 3]> {
    let bare_numbers = top.convention.row().bare_numbers;
    let mut reader = top.open(&fields::HOME)?;
    reader.bare_numbers = bare_numbers;
    let position = reader.vector(&fields::HOME_POSITION)?;
    Some(frame.position_from_user(position))
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

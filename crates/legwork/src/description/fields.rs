//! The table of fields: every key of a robot file, once.
//!
//! The parser, the JSON schema and the documentation are all read from here, so they cannot disagree. The
//! keys of `[geometry]` depend on the convention and stand in [`super::convention`].

pub use super::field::{Field, Kind, Need, Range, Table};

use super::convention;
use crate::units::Quantity::{
    self, Acceleration, Angle, AngularSpeed, Inertia, Length, Mass as Kilograms, Ratio, Torque,
    ViscousFriction,
};
use Need::{Default, Derived, Optional, Required};
use Range::{Any, NotNegative, NotZero, Positive};

/// A field that holds words.
const fn word(key: &'static str, kind: Kind, need: Need, meaning: &'static str) -> Field {
    Field { key, kind, range: Any, need, unit_in_key: None, meaning }
}

/// A field that holds one number.
pub(super) const fn number(
    key: &'static str,
    quantity: Quantity,
    range: Range,
    need: Need,
    meaning: &'static str,
) -> Field {
    Field { key, kind: Kind::Number(quantity), range, need, unit_in_key: None, meaning }
}

/// The two ways an elbow can bend.
pub const ELBOWS: &[&str] = &["out", "in"];
/// The families of robots.
pub const FAMILIES: &[&str] = &["delta"];

/// `name`
pub const NAME: Field = word("name", Kind::Text, Derived("the name of the file"), "Name of the robot.");
/// `family`
pub const FAMILY: Field = word("family", Kind::Choice(FAMILIES), Required, "Kind of robot.");
/// `source`
pub const SOURCE: Field = word("source", Kind::Text, Optional("not stated"), "Where the numbers come from.");
/// `note`
pub const NOTE: Field =
    word("note", Kind::Text, Optional("none"), "What a reader should know about the numbers.");
/// `convention`
pub const CONVENTION: Field = word(
    "convention",
    Kind::Choice(convention::NAMES),
    Default("legwork"),
    "Whose names, frame and signs [geometry], [limits] and [home] use.",
);
/// `gravity`
pub const GRAVITY: Field =
    number("gravity", Acceleration, NotNegative, Default("9.81 m/s^2"), "Acceleration of gravity, along -z.");
/// `working_mode`
pub const WORKING_MODE: Field = word(
    "working_mode",
    Kind::ChoicePerLeg(ELBOWS),
    Default("out"),
    "Which way the elbows bend, for all legs or for each.",
);

/// `mass.platform`
pub const MASS_PLATFORM: Field =
    number("platform", Kilograms, NotNegative, Required, "Platform, without payload.");
/// `mass.arm`
pub const MASS_ARM: Field = number("arm", Kilograms, NotNegative, Required, "One arm, without its elbow.");
/// `mass.forearm`
pub const MASS_FOREARM: Field =
    number("forearm", Kilograms, NotNegative, Required, "One forearm, both of its rods together.");
/// `mass.payload`
pub const PAYLOAD: Field =
    number("payload", Kilograms, NotNegative, Default("0 kg"), "What the platform carries.");
/// `mass.elbow`
pub const ELBOW: Field =
    number("elbow", Kilograms, NotNegative, Default("0 kg"), "Joint at the end of one arm, as a point.");
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

/// `motor.rotor_inertia`
pub const ROTOR_INERTIA: Field =
    number("rotor_inertia", Inertia, NotNegative, Default("0 kg m^2"), "Rotor, on the motor side.");
/// `motor.gear_ratio`
pub const GEAR_RATIO: Field =
    number("gear_ratio", Ratio, NotZero, Default("1"), "Turns of the motor for one turn of the arm.");
/// `motor.gear_inertia`
pub const GEAR_INERTIA: Field =
    number("gear_inertia", Inertia, NotNegative, Default("0 kg m^2"), "Gearbox, on the motor side.");
/// `motor.viscous_friction`
pub const VISCOUS_FRICTION: Field = number(
    "viscous_friction",
    ViscousFriction,
    NotNegative,
    Default("0 N m s/rad"),
    "Friction that grows with speed, on the arm side.",
);
/// `motor.coulomb_friction`
pub const COULOMB_FRICTION: Field = number(
    "coulomb_friction",
    Torque,
    NotNegative,
    Default("0 N m"),
    "Friction that only has a sign, on the arm side.",
);
/// `motor.max_torque`
pub const MAX_TORQUE: Field =
    number("max_torque", Torque, Positive, Optional("no limit"), "Largest torque, on the arm side.");
/// `motor.max_speed`
pub const MAX_SPEED: Field =
    number("max_speed", AngularSpeed, Positive, Optional("no limit"), "Largest speed, on the arm side.");

/// `limits.angle_min`
pub const ANGLE_MIN: Field = number(
    "angle_min",
    Angle,
    Any,
    Optional("no limit"),
    "Smallest motor angle, in the convention of the file.",
);
/// `limits.angle_max`
pub const ANGLE_MAX: Field = number(
    "angle_max",
    Angle,
    Any,
    Optional("no limit"),
    "Largest motor angle, in the convention of the file.",
);

/// `home.position`
pub const HOME_POSITION: Field = Field {
    key: "position",
    kind: Kind::Vector(Length),
    range: Any,
    need: Required,
    unit_in_key: None,
    meaning: "Platform position, in the frame of the convention.",
};

/// The keys at the top of the file.
pub const TOP: Table = Table {
    name: "",
    meaning: "What the robot is.",
    fields: &[NAME, FAMILY, SOURCE, NOTE, CONVENTION, GRAVITY, WORKING_MODE],
};
/// `[geometry]`
pub const GEOMETRY: Table =
    Table { name: "geometry", meaning: "Lengths; the keys depend on the convention.", fields: &[] };
/// `[mass]`
pub const MASS: Table = Table {
    name: "mass",
    meaning: "Masses and inertias. Without this table the robot has geometry only.",
    fields: &[
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
};
/// `[motor]`
pub const MOTOR: Table = Table {
    name: "motor",
    meaning: "One motor with its gear. Without this table it has no inertia, no friction and no limits.",
    fields: &[
        ROTOR_INERTIA,
        GEAR_RATIO,
        GEAR_INERTIA,
        VISCOUS_FRICTION,
        COULOMB_FRICTION,
        MAX_TORQUE,
        MAX_SPEED,
    ],
};
/// `[limits]`
pub const LIMITS: Table =
    Table { name: "limits", meaning: "Limits of the motor angles.", fields: &[ANGLE_MIN, ANGLE_MAX] };
/// `[home]`
pub const HOME: Table = Table { name: "home", meaning: "Where the robot rests.", fields: &[HOME_POSITION] };

/// Every table after the top of the file.
pub const TABLES: &[Table] = &[GEOMETRY, MASS, MOTOR, LIMITS, HOME];

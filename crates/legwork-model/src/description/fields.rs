//! The keys that several families share, each once.
//!
//! The parser, the JSON schema and the documentation are all read from here and from the tables of
//! [`families`], so they cannot disagree. The keys of a Delta's `[geometry]` depend on the convention
//! and stand in [`super::convention`].

pub use super::field::{Alternative, Alternatives, Count, Field, Need, Range, Table, Type, ValueType};

use super::convention;
use crate::families;
use crate::units::Quantity::{
    self, Acceleration, Angle, AngularSpeed, Force, Inertia, Length, LinearFriction, Mass as Kilograms,
    Ratio, Speed, Torque, ViscousFriction,
};
use Need::{Default, Derived, OneOf, Optional, Required};
use Range::{Any, NotNegative, NotZero, Positive};

/// A field that holds words, or lists with no range.
pub(crate) const fn field(key: &'static str, kind: ValueType, need: Need, meaning: &'static str) -> Field {
    Field { key, kind, range: Any, need, unit_in_key: None, meaning }
}

/// A field that holds one number.
pub(crate) const fn number(
    key: &'static str,
    quantity: Quantity,
    range: Range,
    need: Need,
    meaning: &'static str,
) -> Field {
    Field { key, kind: ValueType::Number(quantity), range, need, unit_in_key: None, meaning }
}

/// A required length above zero.
pub(crate) const fn length(key: &'static str, meaning: &'static str) -> Field {
    number(key, Length, Positive, Required, meaning)
}

/// A required length that may be zero.
pub(crate) const fn length_or_zero(key: &'static str, meaning: &'static str) -> Field {
    number(key, Length, NotNegative, Required, meaning)
}

/// A required mass.
pub(crate) const fn mass(key: &'static str, meaning: &'static str) -> Field {
    number(key, Kilograms, NotNegative, Required, meaning)
}

/// A mass that is zero if it is not there.
pub(crate) const fn mass_or_none(key: &'static str, meaning: &'static str) -> Field {
    number(key, Kilograms, NotNegative, Default("0 kg"), meaning)
}

/// A direction: its length does not matter.
pub(crate) const fn direction(key: &'static str, need: Need, meaning: &'static str) -> Field {
    Field { range: NotZero, ..field(key, ValueType::Vector(Ratio, 3), need, meaning) }
}

/// A limit that may be left open.
pub(crate) const fn limit(key: &'static str, quantity: Quantity, meaning: &'static str) -> Field {
    number(key, quantity, Any, Optional("no limit"), meaning)
}

/// `name`
pub const NAME: Field = field("name", ValueType::Text, Derived("the name of the file"), "Name of the robot.");
/// `family`
pub const FAMILY: Field = field("family", ValueType::Choice(families::NAMES), Required, "Kind of robot.");
/// `source`
pub const SOURCE: Field =
    field("source", ValueType::Text, Optional("not stated"), "Where the numbers come from.");
/// `note`
pub const NOTE: Field =
    field("note", ValueType::Text, Optional("none"), "What a reader should know about the numbers.");
/// `convention` of a Delta
pub const CONVENTION: Field = field(
    "convention",
    ValueType::Choice(convention::NAMES),
    Default("legwork"),
    "Whose names, frame and signs [geometry], [limits] and [home] use.",
);
/// `convention` of every other family
pub const OWN_CONVENTION: Field = field(
    "convention",
    ValueType::Choice(&["legwork"]),
    Default("legwork"),
    "Only a Delta can be given in the convention of another system.",
);
/// `gravity`
pub const GRAVITY: Field = number(
    "gravity",
    Acceleration,
    NotNegative,
    Default("9.81 m/s^2"),
    "Acceleration of gravity; 0 for a robot that moves in a horizontal plane.",
);
/// `gravity_direction`
pub const GRAVITY_DIRECTION: Field = direction(
    "gravity_direction",
    Derived("[0, 0, -1]"),
    "Where gravity pulls, in base axes; in those of the cell if there is a [cell].",
);
/// `gravity_direction` of a robot in the x-y plane
pub const GRAVITY_IN_PLANE: Field = direction(
    "gravity_direction",
    Derived("[0, -1, 0]"),
    "Where gravity pulls, in base axes; in those of the cell, and then along -z by default, if there is a [cell].",
);

/// The name of the table of lengths.
pub const GEOMETRY_NAME: &str = "geometry";

/// The keys at the top of every file; a family adds its own.
pub const TOP: Table = Table::new("", "What the robot is.", &[NAME, FAMILY, SOURCE, NOTE]);

/// `mass` of a body
pub const BODY_MASS: Field = mass("mass", "Its mass.");
/// `centre` of a body
pub const BODY_CENTRE: Field = field(
    "centre",
    ValueType::Vector(Length, 3),
    Derived("the origin of its frame"),
    "Its centre of mass, in its frame.",
);
/// `inertia` of a body
pub const BODY_INERTIA: Field = field(
    "inertia",
    ValueType::Inertia,
    Derived("0, a point mass"),
    "Its inertia matrix about its centre of mass, in the axes of its frame; xy is the entry of the matrix.",
);
/// `inertia` of a platform that turns
pub const TURNING_INERTIA: Field = Field { need: Required, ..BODY_INERTIA };
/// The keys of a body
pub const BODY: &[Field] = &[BODY_MASS, BODY_CENTRE, BODY_INERTIA];
/// The keys of a body that must have an inertia
pub const TURNING_BODY: &[Field] = &[BODY_MASS, BODY_CENTRE, TURNING_INERTIA];
/// `[platform]` of a robot whose platform turns
pub const PLATFORM: Table = Table::new(
    "platform",
    "The platform as a body, in the platform's frame. Without masses the robot has geometry only.",
    TURNING_BODY,
);
/// `[payload]`
pub const PAYLOAD: Table = Table::new("payload", "What the platform carries, in the platform's frame.", BODY);

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
/// `motor.motor_torque`
pub const MOTOR_TORQUE: Field = number(
    "motor_torque",
    Torque,
    Positive,
    Optional("no limit"),
    "Largest torque of the motor at its shaft, as in its data sheet; the arm gets it times the gear ratio.",
);
/// `motor.motor_speed`
pub const MOTOR_SPEED: Field = number(
    "motor_speed",
    AngularSpeed,
    Positive,
    Optional("no limit"),
    "Largest speed of the motor at its shaft, as in its data sheet; the arm gets it over the gear ratio.",
);
/// `motor.joint_torque`
pub const JOINT_TORQUE: Field = number(
    "joint_torque",
    Torque,
    Positive,
    Optional("no limit"),
    "Largest torque at the arm, behind the gear: that of the gear, for example. The lower of both limits counts.",
);
/// `motor.joint_speed`
pub const JOINT_SPEED: Field = number(
    "joint_speed",
    AngularSpeed,
    Positive,
    Optional("no limit"),
    "Largest speed at the arm, behind the gear. The lower of both limits counts.",
);
/// `motor.max_torque`
pub const MAX_TORQUE: Field =
    number("max_torque", Torque, Positive, Optional("no limit"), "Another name of `joint_torque`.");
/// `motor.max_speed`
pub const MAX_SPEED: Field =
    number("max_speed", AngularSpeed, Positive, Optional("no limit"), "Another name of `joint_speed`.");
/// The keys of a motor that turns an arm
pub const ROTARY: &[Field] = &[
    ROTOR_INERTIA,
    GEAR_RATIO,
    GEAR_INERTIA,
    VISCOUS_FRICTION,
    COULOMB_FRICTION,
    MOTOR_TORQUE,
    MOTOR_SPEED,
    JOINT_TORQUE,
    JOINT_SPEED,
    MAX_TORQUE,
    MAX_SPEED,
];
/// Two names each of the limits at the arm
pub const LIMIT_NAMES: &[Alternatives] = &[
    Alternatives {
        required: false,
        choices: &[
            Alternative { needs: &["joint_torque"], may: &[] },
            Alternative { needs: &["max_torque"], may: &[] },
        ],
    },
    Alternatives {
        required: false,
        choices: &[
            Alternative { needs: &["joint_speed"], may: &[] },
            Alternative { needs: &["max_speed"], may: &[] },
        ],
    },
];
/// `[motor]` that turns an arm
pub const MOTOR: Table = Table {
    alternatives: LIMIT_NAMES,
    ..Table::new(
        "motor",
        "One motor with its gear. Without this table it has no inertia, no friction and no limits.",
        ROTARY,
    )
};

/// `motor.actuator_inertia` along a line
pub const ACTUATOR_MASS: Field = number(
    "actuator_inertia",
    Kilograms,
    NotNegative,
    Default("0 kg"),
    "What turns or slides with the motor, as a mass along the joint; it has no weight.",
);
/// `motor.viscous_friction` along a line
pub const LINEAR_VISCOUS: Field = number(
    "viscous_friction",
    LinearFriction,
    NotNegative,
    Default("0 N s/m"),
    "Friction that grows with speed.",
);
/// `motor.coulomb_friction` along a line
pub const LINEAR_COULOMB: Field =
    number("coulomb_friction", Force, NotNegative, Default("0 N"), "Friction that only has a sign.");
/// `motor.max_force`
pub const MAX_FORCE: Field = number("max_force", Force, Positive, Optional("no limit"), "Largest force.");
/// `motor.max_speed` along a line
pub const LINEAR_MAX_SPEED: Field =
    number("max_speed", Speed, Positive, Optional("no limit"), "Largest speed.");
/// The keys of a motor that moves along a line
pub const LINEAR: &[Field] = &[ACTUATOR_MASS, LINEAR_VISCOUS, LINEAR_COULOMB, MAX_FORCE, LINEAR_MAX_SPEED];
/// `[motor]` that moves along a line
pub const LINEAR_MOTOR: Table = Table::new(
    "motor",
    "One linear motor or screw. Without this table it has no inertia, no friction and no limits.",
    LINEAR,
);

/// `limits.angle_min`
pub const ANGLE_MIN: Field =
    limit("angle_min", Angle, "Smallest motor angle, in the convention of the file.");
/// `limits.angle_max`
pub const ANGLE_MAX: Field = limit("angle_max", Angle, "Largest motor angle, in the convention of the file.");
/// `limits.length_min`
pub const LENGTH_MIN: Field = limit("length_min", Length, "Shortest leg.");
/// `limits.length_max`
pub const LENGTH_MAX: Field = limit("length_max", Length, "Longest leg.");
/// `limits.position_min`
pub const POSITION_MIN: Field = limit("position_min", Length, "Lowest position of an actuated joint.");
/// `limits.position_max`
pub const POSITION_MAX: Field = limit("position_max", Length, "Highest position of an actuated joint.");
/// `limits.joint_cone` of rods in a leg that has a plane
pub const ROD_CONE: Field = number(
    "joint_cone",
    Angle,
    Positive,
    Optional("no limit"),
    "How far a rod may lean out of the plane of its leg: half the opening of its ball joints.",
);
/// `limits.joint_cone` of legs that lean in all directions
pub const LEG_CONE: Field = number(
    "joint_cone",
    Angle,
    Positive,
    Optional("no limit"),
    "How far a leg may lean from its direction at home, seen from the base and from the platform: half the opening of its \
     joints.",
);
/// `[limits]` of motor angles and of the joints of forearms
pub const ARM_LIMITS: Table = Table::new(
    "limits",
    "Limits of the motor angles and of the joints of the forearms.",
    &[ANGLE_MIN, ANGLE_MAX, ROD_CONE],
);
/// `[limits]` of carriages and of the joints of rods
pub const CARRIAGE_LIMITS: Table = Table::new(
    "limits",
    "Limits of the carriages and of the joints of the rods.",
    &[POSITION_MIN, POSITION_MAX, ROD_CONE],
);
/// `[limits]` of legs that become longer, and of their joints
pub const LEG_LIMITS: Table = Table::new(
    "limits",
    "Limits of the leg lengths, from joint to joint, and of the joints at both ends.",
    &[LENGTH_MIN, LENGTH_MAX, LEG_CONE],
);
/// `[limits]` of motor angles
pub const ANGLE_LIMITS: Table = Table::new("limits", "Limits of the motor angles.", &[ANGLE_MIN, ANGLE_MAX]);
/// `[limits]` of sliding joints
pub const POSITION_LIMITS: Table =
    Table::new("limits", "Limits of the actuated joints.", &[POSITION_MIN, POSITION_MAX]);

/// `home.position`
pub const HOME_POSITION: Field = field(
    "position",
    ValueType::Vector(Length, 3),
    Required,
    "Platform position, in the frame of the convention.",
);
/// `home.position` of a robot in the x-y plane
pub const HOME_IN_PLANE: Field =
    field("position", ValueType::Vector(Length, 2), Required, "Platform position x, y.");
/// `orientation`
pub const ORIENTATION: Field = field(
    "orientation",
    ValueType::Vector(Angle, 3),
    Derived("not turned"),
    "Roll, pitch, yaw: turned about x, then about the fixed y, then about the fixed z.",
);
/// `rotation`
pub const ROTATION: Field = field(
    "rotation",
    ValueType::Matrix,
    OneOf("instead of `orientation`"),
    "Rotation matrix by rows; it maps vectors of the frame to those of its reference.",
);
/// `quaternion_wxyz`
pub const QUATERNION: Field = Field {
    range: NotZero,
    ..field(
        "quaternion_wxyz",
        ValueType::Vector(Ratio, 4),
        OneOf("instead of `orientation`"),
        "The same rotation as a quaternion, real part first.",
    )
};
/// The three ways to say how a frame is turned
pub const TURNED: Alternatives = Alternatives {
    required: false,
    choices: &[
        Alternative { needs: &["orientation"], may: &[] },
        Alternative { needs: &["rotation"], may: &[] },
        Alternative { needs: &["quaternion_wxyz"], may: &[] },
    ],
};
/// `[home]` of a platform that only translates
pub const HOME: Table = Table::new("home", "Where the robot rests.", &[HOME_POSITION]);
/// `[home]` of a platform that also turns
pub const HOME_POSE: Table = Table {
    alternatives: &[TURNED],
    ..Table::new("home", "Where the robot rests.", &[HOME_POSITION, ORIENTATION, ROTATION, QUATERNION])
};

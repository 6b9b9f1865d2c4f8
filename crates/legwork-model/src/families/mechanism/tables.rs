//! The tables of a mechanism.

use super::super::FamilyRow;
use super::super::custom::{ABOUT, TIMES};
use crate::description::built_in::built_in;
use crate::description::fields::{
    self, Alternative, Alternatives, Field, Need, Range, Table, Type, ValueType,
};
use crate::units::Quantity::{Angle, Force, Inertia, Length, Mass, Ratio, Torque};
use Need::{Default, Derived, OneOf, Optional, Required};
use Range::{Any, NotNegative, Positive};
use fields::{direction, field, limit, mass_or_none, number};

pub const PLATFORM: Field = field(
    "platform",
    ValueType::Text,
    Required,
    "Name of the body whose motion counts: poses, speeds and wrenches are those of a point of it.",
);
pub const PLATFORM_POINT: Field = field(
    "platform_point",
    ValueType::Vector(Length, 3),
    Derived("the origin of its frame"),
    "That point, in the frame of the platform's body.",
);

pub const FREEDOMS: Field = field(
    "freedoms",
    ValueType::ChoiceOrList(
        &["full", "translational", "planar", "planar-translational"],
        &["vx", "vy", "vz", "wx", "wy", "wz"],
    ),
    Derived("those with the most motion"),
    "Which velocities of the platform are its coordinates, as many as it has freedoms; the others follow.",
);

pub const HELD: Field = field(
    "held",
    ValueType::Names,
    Derived("where some are needed, the last motors"),
    "Where the motors move in more ways than the platform, as those of a robot that stands on another: motors that its pose \
     does not tell, by the names of their joints or of a robot whose motors they all are. They stay where they are told to \
     be, at home unless said otherwise.",
);

pub const BODY_NAME: Field =
    field("name", ValueType::Text, Required, "Its name, by which joints call it; the ground is `base`.");
pub const MASS: Field = mass_or_none("mass", "Its mass; where no body has one, the robot has geometry only.");
pub const CENTRE: Field = field(
    "centre",
    ValueType::Vector(Length, 3),
    Derived("the origin of its frame; of a bar its middle"),
    "Its centre of mass, in its frame.",
);
pub const INERTIA: Field =
    Field { need: Derived("0, a point mass; of a bar that of a rod"), ..fields::BODY_INERTIA };
pub const POSITION: Field = field(
    "position",
    ValueType::Vector(Length, 3),
    Derived("[0, 0, 0]"),
    "Origin of its frame at home, in the base; roughly, where its joints give frames.",
);
pub const FROM: Field = field(
    "from",
    ValueType::Vector(Length, 3),
    OneOf("with `to`, instead of `position`"),
    "A bar: where it begins at home, in the base. Its frame has its origin there and x along the bar.",
);
pub const TO: Field =
    field("to", ValueType::Vector(Length, 3), OneOf("with `from`"), "Where it ends at home, in the base.");
pub const DIAMETER: Field = number(
    "diameter",
    Length,
    Positive,
    Optional("a thin bar, with no inertia about its length"),
    "Of a round bar.",
);
pub const THROUGH: Field = field(
    "through",
    ValueType::Vector(Length, 3),
    Derived("[0, 0, 0]"),
    "A point of that axis, in the base.",
);
pub const REPEAT: Table = Table::new(
    "body.repeat",
    "More bodies of this kind, turned about an axis of the base. A body `arm` is then `arm1`, `arm2` \
     and so on, and a joint of `arm` is one of each.",
    &[TIMES, ABOUT, THROUGH],
);
pub const BODY: Table = Table {
    repeated: true,
    alternatives: &[
        Alternatives {
            required: false,
            choices: &[
                Alternative { needs: &[], may: &["position", "orientation", "rotation", "quaternion_wxyz"] },
                Alternative { needs: &["from", "to"], may: &["diameter"] },
            ],
        },
        fields::TURNED,
    ],
    tables: &[REPEAT],
    ..Table::new(
        "body",
        "A body that moves: its mass, and where its frame is at home.",
        &[
            BODY_NAME,
            MASS,
            CENTRE,
            INERTIA,
            POSITION,
            fields::ORIENTATION,
            fields::ROTATION,
            fields::QUATERNION,
            FROM,
            TO,
            DIAMETER,
        ],
    )
    .required_unless("robot")
};

pub const JOINT_NAME: Field =
    field("name", ValueType::Text, Derived("those of its bodies"), "Its name, for messages and tables.");
pub const JOINT_TYPE: Field = field(
    "type",
    ValueType::Choice(&["revolute", "prismatic", "cylindrical", "universal", "spherical", "planar", "fixed"]),
    Required,
    "What it lets its bodies do.",
);
pub const PARENT: Field = field(
    "parent",
    ValueType::Text,
    Required,
    "The body on its one side, or `base`; coordinates count from it.",
);
pub const CHILD: Field = field("child", ValueType::Text, Required, "The body on its other side, or `base`.");
pub const POINT: Field = field(
    "point",
    ValueType::Vector(Length, 3),
    Derived("the origin of the child's frame"),
    "A point of it at home, in the base: its centre, or a point of its axis.",
);
pub const AXIS: Field = direction(
    "axis",
    OneOf("unless its frames are given"),
    "Its axis at home, in the axes of the base; of a planar joint the normal.",
);
pub const FIRST_AXIS: Field = direction(
    "axis",
    OneOf("unless its frames are given"),
    "The axis fixed in the parent at home, in the axes of the base.",
);
pub const SECOND_AXIS: Field = direction(
    "second_axis",
    OneOf("unless its frames are given"),
    "The axis fixed in the child at home, in the axes of the base, at a right angle to `axis`.",
);
pub const CONE: Field = number(
    "joint_cone",
    Angle,
    Positive,
    Optional("no limit"),
    "How far the pin may lean from where it is at home, seen from the other body: half the opening of the joint.",
);
pub const PIN: Field = direction(
    "pin",
    OneOf("with `joint_cone`; of a universal joint across both axes"),
    "Direction of the pin at home, in the axes of the base: usually that of the rod.",
);
pub const ACTIVE: Field =
    field("active", ValueType::Flag, Derived("false"), "Whether a motor drives the joint.");
pub const ACTUATOR_INERTIA: Field = number(
    "actuator_inertia",
    Inertia,
    NotNegative,
    Default("0 kg m^2"),
    "Motor and gear as the joint feels them, instead of `rotor_inertia` and `gear_inertia`; without weight.",
);
pub const EFFORT_WEIGHT: Field = number(
    "effort_weight",
    Ratio,
    Positive,
    Default("1"),
    "What its effort counts beside those of other motors, where there are more of them than freedoms.",
);
const PRELOAD: &str = "The effort that it should have at the joint, as far as the motion leaves a choice.";
pub const PRELOAD_TORQUE: Field = number("preload", Torque, Any, Default("0 N m"), PRELOAD);
pub const PRELOAD_FORCE: Field = number("preload", Force, Any, Default("0 N"), PRELOAD);
const START: &str = "Joint coordinate at home, where the joint is given by a point and an axis.";
pub const START_ANGLE: Field = number("start", Angle, Any, Default("0 rad"), START);
pub const START_LENGTH: Field = number("start", Length, Any, Default("0 m"), START);
pub const MIN_ANGLE: Field = limit("min", Angle, "Smallest joint coordinate.");
pub const MAX_ANGLE: Field = limit("max", Angle, "Largest joint coordinate.");
pub const MIN_LENGTH: Field = limit("min", Length, "Smallest joint coordinate.");
pub const MAX_LENGTH: Field = limit("max", Length, "Largest joint coordinate.");

const FRAME: &[Field] = &[FRAME_POSITION, fields::ORIENTATION, fields::ROTATION, fields::QUATERNION];
pub const FRAME_POSITION: Field = field(
    "position",
    ValueType::Vector(Length, 3),
    Derived("the origin of the body's frame"),
    "Origin of the joint's frame, in that of the body.",
);
pub const PARENT_FRAME: Table = Table {
    alternatives: &[fields::TURNED],
    ..Table::new(
        "joint.parent_frame",
        "The joint's frame in the parent. It meets that in the child at joint coordinate 0; z is the axis, of a universal \
         joint the first one.",
        FRAME,
    )
};
pub const CHILD_FRAME: Table = Table {
    alternatives: &[fields::TURNED],
    ..Table::new(
        "joint.child_frame",
        "The joint's frame in the child; y is the second axis of a universal joint.",
        FRAME,
    )
};

pub const JOINT: Table = Table {
    repeated: true,
    alternatives: fields::LIMIT_NAMES,
    types: &[
        Type {
            word: "revolute",
            meaning: "It turns about its axis.",
            fields: &[
                AXIS,
                ACTIVE,
                START_ANGLE,
                MIN_ANGLE,
                MAX_ANGLE,
                ACTUATOR_INERTIA,
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
                EFFORT_WEIGHT,
                PRELOAD_TORQUE,
            ],
        },
        Type {
            word: "prismatic",
            meaning: "It slides along its axis.",
            fields: &[
                AXIS,
                ACTIVE,
                START_LENGTH,
                MIN_LENGTH,
                MAX_LENGTH,
                fields::ACTUATOR_MASS,
                fields::LINEAR_VISCOUS,
                fields::LINEAR_COULOMB,
                fields::MAX_FORCE,
                fields::LINEAR_MAX_SPEED,
                EFFORT_WEIGHT,
                PRELOAD_FORCE,
            ],
        },
        Type {
            word: "cylindrical",
            meaning: "It slides along its axis and turns about it.",
            fields: &[AXIS],
        },
        Type {
            word: "universal",
            meaning: "It turns about an axis fixed in the parent and one fixed in the child.",
            fields: &[FIRST_AXIS, SECOND_AXIS, CONE, PIN],
        },
        Type { word: "spherical", meaning: "A ball joint.", fields: &[CONE, PIN] },
        Type { word: "planar", meaning: "It slides in a plane and turns about its normal.", fields: &[AXIS] },
        Type { word: "fixed", meaning: "A weld.", fields: &[] },
    ],
    tables: &[PARENT_FRAME, CHILD_FRAME],
    ..Table::new(
        "joint",
        "A joint between two bodies: by a point and an axis in the base at home, or by its frames in both bodies.",
        &[JOINT_NAME, JOINT_TYPE, PARENT, CHILD, POINT],
    )
    .required_unless("robot")
};

pub const ROBOT_NAME: Field = field(
    "name",
    ValueType::Text,
    Required,
    "Its name in the cell: its bodies are `left.platform`, `left.leg1_link1` and so on, those of a mechanism `left.` and \
     their own names; what it carries is `left.tool` and `left.payload`.",
);
pub const ROBOT_FILE: Field = field(
    "robot",
    ValueType::Text,
    Required,
    "A built-in robot, or a robot file of any family; a path, with a dot or a slash in it, is from the folder of this file.",
);
pub const ROBOT_ON: Field = field(
    "on",
    ValueType::Text,
    Derived("base"),
    "The body that it stands on: its own, or of a robot further up.",
);
pub const ROBOT_POSITION: Field = field(
    "position",
    ValueType::Vector(Length, 3),
    Derived("[0, 0, 0]"),
    "Origin of its frame, in the frame of what it stands on.",
);
pub const ROBOT_HOME: Field = field(
    "home",
    ValueType::Vector(Length, 3),
    Derived("the home of its file"),
    "Where its platform is at home, in its own frame; for robots of legs.",
);
pub const ROBOT_PAYLOAD: Field = number(
    "payload",
    Mass,
    NotNegative,
    Optional("what its file says"),
    "A point mass that its platform carries, instead of what its file says.",
);
pub const ROBOT: Table = Table {
    repeated: true,
    alternatives: &[fields::TURNED],
    ..Table::new(
        "robot",
        "A robot as a part of a cell. Its motors come before those of the cell's own joints.",
        &[
            ROBOT_NAME,
            ROBOT_FILE,
            ROBOT_ON,
            ROBOT_POSITION,
            fields::ORIENTATION,
            fields::ROTATION,
            fields::QUATERNION,
            ROBOT_HOME,
            ROBOT_PAYLOAD,
        ],
    )
};

pub const CARRIED_PATH: Field =
    field("path", ValueType::Text, Required, "The `robot` of a [[robot]], as it is written there.");
pub const CARRIED_TEXT: Field = field("text", ValueType::Text, Required, "The robot file itself.");
pub const CARRIED: Table = Table {
    repeated: true,
    ..Table::new(
        "robot_file",
        "A robot file that a [[robot]] names, carried in this one: then it is not read from a folder. Results and \
         `legwork show --toml` write it, so that a cell can be read where its other files are not.",
        &[CARRIED_PATH, CARRIED_TEXT],
    )
};

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    own_keys: &[PLATFORM, PLATFORM_POINT, FREEDOMS, HELD],
    own_tables: &[BODY, JOINT, ROBOT, CARRIED, fields::PAYLOAD],
    built_in: built_in![
        "3-rps",
        "z3-head",
        "tricept",
        "exechon",
        "3-upu",
        "orthoglide",
        "quattro",
        "delta-two-rods",
        "delta-cardan",
        "agile-eye",
        "two-deltas",
    ],
    ..FamilyRow::in_space(
        "mechanism",
        "Bodies and joints with loops of any kind: one body is the platform, motors drive joints.",
        "Joint coordinates are those of the active joints, in the order of the file; a repeated joint one after the other.",
    )
};

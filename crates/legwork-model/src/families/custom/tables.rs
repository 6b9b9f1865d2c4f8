//! The tables of a robot of one's own.

use super::super::{Branches, FamilyRow};
use crate::description::built_in::built_in;
use crate::description::fields::{
    self, Alternative, Alternatives, Count, Field, Need, Range, Table, Type, ValueType,
};
use crate::units::Quantity::{
    self, Angle, AngularSpeed, Force, Inertia, Length, LinearFriction, Mass as Kilograms, Speed, Torque,
    ViscousFriction,
};
use Need::{Default, Derived, Optional, Required};
use Range::{Any, NotNegative, Positive};
use fields::{direction, field, limit, number};

/// How many legs there may be.
pub const LEGS: Count = Count::Between(1, 24);

pub const FREEDOMS: Field = field(
    "freedoms",
    ValueType::ChoiceOrList(
        &["full", "translational", "planar", "planar-translational"],
        &["vx", "vy", "vz", "wx", "wy", "wz"],
    ),
    Default("full"),
    "What the platform is free in: all six, vx vy vz, vx vy wz, vx vy, or a list of velocities; of wx, wy, wz one or all.",
);

/// The words of `freedoms`, written out.
pub fn freedoms_of(word: &str) -> &'static [&'static str] {
    match word {
        "translational" => &["vx", "vy", "vz"],
        "planar" => &["vx", "vy", "wz"],
        "planar-translational" => &["vx", "vy"],
        _ => &["vx", "vy", "vz", "wx", "wy", "wz"],
    }
}

pub const ACTIVE: Field =
    field("active", ValueType::Flag, Derived("false"), "Whether a motor drives the joint.");
pub const JOINT_TYPE: Field = field(
    "type",
    ValueType::Choice(&["revolute", "prismatic"]),
    Required,
    "Whether the joint turns or slides.",
);
const fn dh(key: &'static str, quantity: Quantity, zero: &'static str, meaning: &'static str) -> Field {
    number(key, quantity, Any, Default(zero), meaning)
}
/// Modified Denavit-Hartenberg parameters of Khalil and Kleinfinger.
pub const GAMMA: Field = dh(
    "gamma",
    Angle,
    "0 rad",
    "Turned about z, first. The six keys gamma, b, alpha, d, theta, r: Rz(gamma) Tz(b) Rx(alpha) Tx(d) Rz(theta) Tz(r).",
);
pub const B: Field = dh("b", Length, "0 m", "Moved along z, second.");
pub const ALPHA: Field = dh("alpha", Angle, "0 rad", "Turned about x, third.");
pub const D: Field = dh("d", Length, "0 m", "Moved along x, fourth.");
pub const THETA: Field =
    dh("theta", Angle, "0 rad", "Turned about z, fifth; a revolute joint adds its angle.");
pub const R: Field = dh("r", Length, "0 m", "Moved along z, last; a prismatic joint adds its position.");
pub const ORIGIN: Field = field(
    "origin",
    ValueType::Vector(Length, 3),
    Derived("that of the link before it"),
    "Origin of the link's frame, in the frame of the link before it; of the first link, in the base.",
);
pub const AXIS: Field =
    direction("axis", Derived("[0, 0, 1]"), "Axis of the joint, through the origin, in the link's frame.");

/// Motor, friction, limits and start of a joint.
pub struct Drive {
    pub inertia: Field,
    pub viscous: Field,
    pub coulomb: Field,
    pub max_effort: Field,
    pub max_speed: Field,
    pub min: Field,
    pub max: Field,
    pub start: Field,
}

const SEED: &str =
    "Where the joint is at home, roughly: of all solutions the leg takes the nearest, and keeps its branch.";
const ROTOR: &str = "Motor and gear as the joint feels them; without weight.";
const VISCOUS: &str = "Friction that grows with speed.";
const COULOMB: &str = "Friction that only has a sign.";

pub const REVOLUTE: Drive = Drive {
    inertia: number("actuator_inertia", Inertia, NotNegative, Default("0 kg m^2"), ROTOR),
    viscous: number("viscous_friction", ViscousFriction, NotNegative, Default("0 N m s/rad"), VISCOUS),
    coulomb: number("coulomb_friction", Torque, NotNegative, Default("0 N m"), COULOMB),
    max_effort: number("max_torque", Torque, Positive, Optional("no limit"), "Largest torque."),
    max_speed: number("max_speed", AngularSpeed, Positive, Optional("no limit"), "Largest speed."),
    min: limit("min", Angle, "Smallest joint coordinate."),
    max: limit("max", Angle, "Largest joint coordinate."),
    start: number("start", Angle, Any, Default("0 rad"), SEED),
};
pub const PRISMATIC: Drive = Drive {
    inertia: number("actuator_inertia", Kilograms, NotNegative, Default("0 kg"), ROTOR),
    viscous: number("viscous_friction", LinearFriction, NotNegative, Default("0 N s/m"), VISCOUS),
    coulomb: number("coulomb_friction", Force, NotNegative, Default("0 N"), COULOMB),
    max_effort: number("max_force", Force, Positive, Optional("no limit"), "Largest force."),
    max_speed: number("max_speed", Speed, Positive, Optional("no limit"), "Largest speed."),
    min: limit("min", Length, "Smallest joint coordinate."),
    max: limit("max", Length, "Largest joint coordinate."),
    start: number("start", Length, Any, Default("0 m"), SEED),
};

pub const BODY: Table = Table::new(
    "leg.joint.body",
    "The link as a body, in the link's frame. Without it the link has no mass.",
    fields::BODY,
);
pub const JOINT: Table = Table {
    repeated: true,
    alternatives: &[
        Alternatives {
            required: false,
            choices: &[
                Alternative { needs: &[], may: &["gamma", "b", "alpha", "d", "theta", "r"] },
                Alternative {
                    needs: &[],
                    may: &["origin", "axis", "orientation", "rotation", "quaternion_wxyz"],
                },
            ],
        },
        fields::TURNED,
    ],
    types: &[
        Type {
            word: "revolute",
            meaning: "The joint turns about its axis.",
            fields: &[
                REVOLUTE.inertia,
                REVOLUTE.viscous,
                REVOLUTE.coulomb,
                REVOLUTE.max_effort,
                REVOLUTE.max_speed,
                REVOLUTE.min,
                REVOLUTE.max,
                REVOLUTE.start,
            ],
        },
        Type {
            word: "prismatic",
            meaning: "The joint slides along its axis.",
            fields: &[
                PRISMATIC.inertia,
                PRISMATIC.viscous,
                PRISMATIC.coulomb,
                PRISMATIC.max_effort,
                PRISMATIC.max_speed,
                PRISMATIC.min,
                PRISMATIC.max,
                PRISMATIC.start,
            ],
        },
    ],
    tables: &[BODY],
    ..Table::new(
        "leg.joint",
        "One joint and the link it moves, base first. The link's frame at joint coordinate 0 is given by six \
         Denavit-Hartenberg parameters, its joint along z, or by an origin, a rotation and an axis.",
        &[
            JOINT_TYPE,
            ACTIVE,
            GAMMA,
            B,
            ALPHA,
            D,
            THETA,
            R,
            ORIGIN,
            AXIS,
            fields::ORIENTATION,
            fields::ROTATION,
            fields::QUATERNION,
        ],
    )
    .required()
};

pub const ATTACHMENT_TYPE: Field = field(
    "type",
    ValueType::Choice(&["spherical", "planar", "sliding", "universal", "revolute", "fixed"]),
    Required,
    "The joint between the last link and the platform; it passes on 3, 2, 1, 4, 5, 6 components of velocity, \
     and its leg needs as many joints.",
);
pub const TIP: Field = field(
    "tip",
    ValueType::Vector(Length, 3),
    Derived("the origin of the last link"),
    "Where the leg ends, in the frame of its last link.",
);
pub const POINT: Field = field(
    "point",
    ValueType::Vector(Length, 3),
    Derived("the origin of the platform"),
    "Where the joint is, in the platform's frame.",
);
pub const PLANE: Field =
    direction("normal", Derived("[0, 0, 1]"), "Normal of the plane the robot moves in, in base axes.");
pub const NORMAL: Field =
    direction("normal", Required, "Normal of the face the leg slides in, in the platform's frame.");
pub const DISTANCE: Field = number(
    "distance",
    Length,
    Any,
    Default("0 m"),
    "Distance of the face from the platform's origin along the normal.",
);
pub const LEG_AXIS: Field =
    direction("leg_axis", Required, "The axis fixed to the last link, in that link's frame.");
pub const PLATFORM_AXIS: Field =
    direction("platform_axis", Required, "The axis fixed to the platform, in the platform's frame.");
pub const ATTACHMENT: Table = Table {
    alternatives: &[fields::TURNED],
    types: &[
        Type { word: "spherical", meaning: "A ball joint.", fields: &[POINT] },
        Type { word: "planar", meaning: "A pin of a planar robot.", fields: &[POINT, PLANE] },
        Type {
            word: "sliding",
            meaning: "The end of the leg slides in a face of the platform.",
            fields: &[NORMAL, DISTANCE],
        },
        Type { word: "universal", meaning: "A universal joint.", fields: &[POINT, LEG_AXIS, PLATFORM_AXIS] },
        Type { word: "revolute", meaning: "A hinge.", fields: &[POINT, LEG_AXIS, PLATFORM_AXIS] },
        Type {
            word: "fixed",
            meaning: "A weld; the rotation is that of the last link in the platform's frame.",
            fields: &[POINT, fields::ORIENTATION, fields::ROTATION, fields::QUATERNION],
        },
    ],
    ..Table::new("leg.attachment", "How the leg ends at the platform.", &[ATTACHMENT_TYPE, TIP]).required()
};

pub const TIMES: Field =
    field("times", ValueType::Whole(2, 24), Required, "How many such legs there are, this one included.");
pub const ABOUT: Field = direction(
    "about",
    Derived("[0, 0, 1]"),
    "The axis about which base and platform joints are turned, in equal steps of a full turn.",
);
pub const REPEAT: Table = Table::new(
    "leg.repeat",
    "More legs of this kind, turned about an axis through the origins.",
    &[TIMES, ABOUT],
);

pub const LEG: Table = Table {
    repeated: true,
    tables: &[JOINT, ATTACHMENT, REPEAT],
    ..Table::new("leg", "One leg: its joints, and how it ends at the platform.", &[]).required()
};
pub const PLATFORM: Table = Table::new(
    "platform",
    "The platform as a body, in the platform's frame. Without it the robot has geometry only.",
    fields::BODY,
);

/// The branches of a leg whose closed form is recognised: the one that its start values lead to, and the other.
pub const BRANCHES: Branches = Branches { what: "legs", names: &["start", "other"] };

/// The family.
pub const ROW: FamilyRow = FamilyRow {
    branches: Some(BRANCHES),
    own_keys: &[FREEDOMS],
    own_tables: &[PLATFORM, fields::PAYLOAD, LEG, fields::HOME_POSE],
    built_in: built_in!["custom-gough-stewart", "custom-delta", "custom-five-bar"],
    ..FamilyRow::in_space(
        "custom",
        "A robot of one's own: a platform and legs, each a chain of joints up to its attachment.",
        "Joint coordinates are those of the active joints, leg by leg, base first.",
    )
};

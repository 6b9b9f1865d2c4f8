//! A mechanism as plain data: bodies, joints, motors, a platform and a home.

use legwork_core::V3;
use legwork_core::engine::{Drive, Pose, RigidBody};

/// The name of the ground.
pub const WORLD: &str = "world";

/// Bodies and joints, with loops of any number. SI units; frames as in the golden files of mechanisms.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismDescription {
    /// Its name.
    pub name: String,
    /// All bodies but the ground, which is called `world`.
    pub bodies: Vec<BodyDescription>,
    /// All joints.
    pub joints: Vec<JointDescription>,
    /// Names of the driven joints, in the order of all lists of motors.
    pub motors: Vec<String>,
    /// Name of the body that does the work.
    pub platform: String,
    /// The platform's point, in the frame of that body \[m\].
    pub platform_point: V3<f64>,
    /// Components of the platform's twist (vx, vy, vz, wx, wy, wz from 0) that stand for its motion; without
    /// them they are chosen.
    pub coordinates: Option<Vec<usize>>,
    /// Linear springs.
    pub springs: Vec<SpringDescription>,
    /// Acceleration of free fall \[m/s²\].
    pub gravity: V3<f64>,
}

/// A body.
#[derive(Clone, Debug, PartialEq)]
pub struct BodyDescription {
    /// Its name.
    pub name: String,
    /// Mass, centre and inertia about the centre, in the body's frame.
    pub body: RigidBody<f64>,
    /// Where it is at home: its frame in the world. May be rough; the mechanism is assembled from it.
    pub home: Pose<f64>,
}

/// What a joint lets its child do. Frames P of the parent and C of the child coincide at zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointType {
    /// Turns about z.
    Revolute,
    /// Slides along z.
    Prismatic,
    /// Slides along z and turns about z.
    Cylindrical,
    /// Turns about z of P, then about y of C.
    Universal,
    /// Turns about a point.
    Spherical,
    /// Slides in the plane of x and y, and turns about z.
    Planar,
    /// Nothing.
    Fixed,
}

impl JointType {
    /// All of them, with their names in files.
    pub const ALL: [(&'static str, Self); 7] = [
        ("revolute", Self::Revolute),
        ("prismatic", Self::Prismatic),
        ("cylindrical", Self::Cylindrical),
        ("universal", Self::Universal),
        ("spherical", Self::Spherical),
        ("planar", Self::Planar),
        ("fixed", Self::Fixed),
    ];

    /// Its name in files.
    pub fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }

    /// How many freedoms it leaves.
    pub fn freedoms(self) -> usize {
        match self {
            Self::Fixed => 0,
            Self::Revolute | Self::Prismatic => 1,
            Self::Cylindrical | Self::Universal => 2,
            Self::Spherical | Self::Planar => 3,
        }
    }

    /// Whether its value as a motor is a length.
    pub fn slides(self) -> bool {
        self == Self::Prismatic
    }
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct JointDescription {
    /// Its name.
    pub name: String,
    /// What it lets its child do.
    pub kind: JointType,
    /// Name of the parent.
    pub parent: String,
    /// Frame P in the parent's frame.
    pub parent_frame: Pose<f64>,
    /// Name of the child.
    pub child: String,
    /// Frame C in the child's frame.
    pub child_frame: Pose<f64>,
    /// Inertia and friction of its motor, if it has one. Only joints that turn or slide can.
    pub motor: Option<Drive<f64>>,
    /// Inertia and friction of a joint without a motor, if it has some. Only joints that turn or slide can.
    pub drag: Option<Drive<f64>>,
}

/// A linear spring between two points.
#[derive(Clone, Debug, PartialEq)]
pub struct SpringDescription {
    /// Names of the bodies.
    pub bodies: [String; 2],
    /// The points, in their frames \[m\].
    pub points: [V3<f64>; 2],
    /// \[N/m\]
    pub stiffness: f64,
    /// Length without force \[m\].
    pub free_length: f64,
}

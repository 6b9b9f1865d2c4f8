//! A robot of one's own: a platform and legs, each a chain of joints up to its attachment.

mod read;
mod tables;

pub(super) use read::read;
pub use tables::ROW;

use crate::description::parts::{Body, Placement};

/// A robot given by its legs.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomDescription {
    /// The components of the platform's twist that it is free in, in the order of its coordinates.
    pub freedoms: Vec<PlatformFreedom>,
    /// The legs; repeated ones are written out.
    pub legs: Vec<CustomLeg>,
    /// The platform, in its own frame; `None` for a robot with geometry only.
    pub platform: Option<Body>,
    /// What it carries, in the platform's frame.
    pub payload: Body,
    /// Platform at rest. What is not free stays as it is here.
    pub home: Option<Placement>,
}

/// A component of the platform's twist at its origin, in base axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PlatformFreedom {
    /// Velocity along x.
    Vx,
    /// Velocity along y.
    Vy,
    /// Velocity along z.
    Vz,
    /// Angular velocity about x.
    Wx,
    /// Angular velocity about y.
    Wy,
    /// Angular velocity about z.
    Wz,
}

impl PlatformFreedom {
    /// All six, linear ones first.
    pub const ALL: [Self; 6] = [Self::Vx, Self::Vy, Self::Vz, Self::Wx, Self::Wy, Self::Wz];

    /// Its place in a twist, linear part first.
    pub fn component(self) -> usize {
        self as usize
    }
}

/// A leg: a serial chain from the base, and how it ends at the platform.
#[derive(Clone, Debug, PartialEq)]
pub struct CustomLeg {
    /// The joints, base first; as many as the attachment passes on.
    pub joints: Vec<CustomJoint>,
    /// The attachment point in the frame of the last link \[m\].
    pub tip: [f64; 3],
    /// The joint between the last link and the platform.
    pub attachment: CustomAttachment,
}

/// One joint and the link it moves. Joint quantities are in rad, N m and kg m² or in m, N and kg.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CustomJoint {
    /// Whether it turns or slides.
    pub kind: JointKind,
    /// Whether a motor drives it.
    pub active: bool,
    /// The link's frame at q = 0, in the frame of the link before it; the first: in the base.
    pub placement: Placement,
    /// The joint's axis in the link's frame; unit vector.
    pub axis: [f64; 3],
    /// The link's body, in the link's frame.
    pub body: Body,
    /// What sits on the joint besides the link.
    pub drive: CustomDrive,
    /// Smallest joint coordinate.
    pub min: Option<f64>,
    /// Largest joint coordinate.
    pub max: Option<f64>,
    /// Joint coordinate from which the inverse kinematics starts.
    pub start: f64,
}

/// Whether a joint turns or slides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum JointKind {
    /// It turns about its axis.
    Revolute,
    /// It slides along its axis.
    Prismatic,
}

/// Motor, gear and friction of a joint, as the joint feels them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CustomDrive {
    /// \[kg m²\] or \[kg\]; it has no weight.
    pub actuator_inertia: f64,
    /// \[N m s/rad\] or \[N s/m\]
    pub viscous_friction: f64,
    /// \[N m\] or \[N\]
    pub coulomb_friction: f64,
    /// Largest torque \[N m\] or force \[N\].
    pub max_effort: Option<f64>,
    /// \[rad/s\] or \[m/s\]
    pub max_speed: Option<f64>,
}

/// The joint between the last link of a leg and the platform. Points are in the platform's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CustomAttachment {
    /// A ball joint passes on 3 components.
    Spherical {
        /// Its centre \[m\].
        point: [f64; 3],
    },
    /// A pin of a planar robot passes on 2.
    Planar {
        /// Its centre \[m\].
        point: [f64; 3],
        /// Normal of the plane the robot moves in, in base axes; unit vector.
        normal: [f64; 3],
        /// Two directions of the plane, in base axes; unit vectors at a right angle.
        directions: [[f64; 3]; 2],
    },
    /// A point of the leg that slides in a face of the platform passes on 1.
    Sliding {
        /// Normal of the face, in the platform's frame; unit vector.
        normal: [f64; 3],
        /// Distance of the face from the platform's origin along the normal \[m\].
        distance: f64,
    },
    /// A universal joint passes on 4.
    Universal {
        /// Its centre \[m\].
        point: [f64; 3],
        /// The axis fixed to the last link, in its frame; unit vector.
        leg_axis: [f64; 3],
        /// The axis fixed to the platform, in its frame; unit vector.
        platform_axis: [f64; 3],
    },
    /// A hinge passes on 5.
    Revolute {
        /// A point of its axis \[m\].
        point: [f64; 3],
        /// The axis in the last link's frame; unit vector.
        leg_axis: [f64; 3],
        /// The axis in the platform's frame; unit vector.
        platform_axis: [f64; 3],
        /// Two directions across that axis, in the platform's frame; unit vectors at a right angle.
        platform_normals: [[f64; 3]; 2],
    },
    /// A weld passes on 6.
    Fixed {
        /// The attachment point and the last link's axes, in the platform's frame.
        placement: Placement,
    },
}

impl CustomAttachment {
    /// How many components of the velocity it passes on, and so how many joints its leg has.
    pub fn components(&self) -> usize {
        match self {
            Self::Sliding { .. } => 1,
            Self::Planar { .. } => 2,
            Self::Spherical { .. } => 3,
            Self::Universal { .. } => 4,
            Self::Revolute { .. } => 5,
            Self::Fixed { .. } => 6,
        }
    }
}

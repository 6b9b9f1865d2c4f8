//! A robot of one's own: a platform and legs, each a chain of joints up to its attachment.

mod legs;
mod read;
mod tables;

pub(in crate::families) use legs::engine_leg;
pub(in crate::families) use read::freedom;
pub use tables::ROW;
pub(in crate::families) use tables::{ABOUT, TIMES, freedoms_of};

use super::FamilyModel;
use super::blueprint::{BuildError, Construction};
use super::mechanism::from_short_legs;
use super::properties::{DriveProperties, Drives, Property, PropertyValue};
use crate::description::model_error::Factors;
use crate::description::parts::{Body, Placement};
use crate::description::reader::Reader;
use crate::families::inertial::InertialPart;
use crate::units::Quantity;
use legwork_core::V3;
use std::borrow::Cow;

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
    /// The joints, base first; as many as the attachment passes on, or fewer.
    pub joints: Vec<CustomJoint>,
    /// The attachment point in the frame of the last link \[m\].
    pub tip: [f64; 3],
    /// The joint between the last link and the platform.
    pub attachment: CustomAttachment,
}

impl CustomLeg {
    /// Whether it has fewer joints than its attachment passes on: then it holds the platform in more than its motors
    /// do, and the robot is a mechanism whose freedoms follow from its joints.
    pub fn is_short(&self) -> bool {
        self.joints.len() < self.attachment.components()
    }
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

impl FamilyModel for CustomDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
        read::read(top)
    }

    fn construction(&self, gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        if self.legs.iter().any(CustomLeg::is_short) {
            return Ok(Construction::Mechanism(Cow::Owned(from_short_legs(self)?)));
        }
        legs::blueprint(self, gravity).map(Construction::legs)
    }

    fn leg_count(&self) -> usize {
        self.legs.len()
    }

    fn payload(&self) -> f64 {
        self.payload.mass
    }

    fn set_payload(&mut self, mass: f64) {
        self.payload = Body::point(mass);
    }

    fn has_home(&self) -> bool {
        self.home.is_some()
    }

    fn inertial_parts(&mut self) -> Vec<InertialPart<'_>> {
        let legs = self.legs.iter_mut().enumerate().flat_map(|(k, leg)| {
            leg.joints.iter_mut().enumerate().map(move |(j, joint)| {
                InertialPart::body(format!("leg{}.joint{}", k + 1, j + 1), &mut joint.body)
            })
        });
        self.platform.iter_mut().map(|body| InertialPart::body("platform", body)).chain(legs).collect()
    }

    fn scale(&mut self, factors: &Factors) {
        for leg in &mut self.legs {
            leg.joints.iter_mut().for_each(|joint| joint.scale(factors));
            factors.points([&mut leg.tip]);
            leg.attachment.scale(factors);
        }
        factors.bodies(&mut self.platform);
        factors.payload(&mut self.payload);
    }

    fn geometry(&self) -> Vec<Property> {
        vec![Property::new("legs", PropertyValue::Legs(self.legs.clone()))]
    }

    fn bodies(&self) -> Vec<Property> {
        let Some(platform) = self.platform else { return Vec::new() };
        vec![
            Property::body("platform", platform),
            Property::body("payload", self.payload),
            Property::new("legs", PropertyValue::Numbers(self.leg_masses().collect(), Quantity::Mass)),
        ]
    }

    fn moving_mass(&self) -> f64 {
        let legs: f64 = self.leg_masses().sum();
        self.platform.map_or(0.0, |platform| platform.mass + self.payload.mass + legs)
    }

    fn drives(&self) -> Drives {
        let active = self.legs.iter().flat_map(|leg| &leg.joints).filter(|joint| joint.active);
        let drive = |joint: &CustomJoint| DriveProperties {
            title: match joint.kind {
                JointKind::Revolute => "motors that turn",
                JointKind::Prismatic => "motors that slide",
            },
            slides: joint.kind == JointKind::Prismatic,
            inertia: joint.drive.actuator_inertia,
            gear: None,
            viscous_friction: joint.drive.viscous_friction,
            coulomb_friction: joint.drive.coulomb_friction,
        };
        Drives::Listed(active.map(drive).collect())
    }
}

impl CustomDescription {
    /// Mass of each leg's links \[kg\].
    fn leg_masses(&self) -> impl Iterator<Item = f64> {
        self.legs.iter().map(|leg| leg.joints.iter().map(|joint| joint.body.mass).sum())
    }
}

impl JointKind {
    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
        }
    }
}

impl CustomJoint {
    fn scale(&mut self, factors: &Factors) {
        factors.points([&mut self.placement.position]);
        factors.bodies([&mut self.body]);
        factors.drive(
            &mut self.drive.actuator_inertia,
            [&mut self.drive.viscous_friction, &mut self.drive.coulomb_friction],
        );
        if self.kind == JointKind::Prismatic {
            factors.lengths([&mut self.start]);
        }
    }
}

impl CustomAttachment {
    fn scale(&mut self, factors: &Factors) {
        match self {
            Self::Spherical { point }
            | Self::Planar { point, .. }
            | Self::Universal { point, .. }
            | Self::Revolute { point, .. } => factors.points([point]),
            Self::Sliding { distance, .. } => factors.lengths([distance]),
            Self::Fixed { placement } => factors.points([&mut placement.position]),
        }
    }

    /// Its name in a robot file.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Spherical { .. } => "spherical",
            Self::Planar { .. } => "planar",
            Self::Sliding { .. } => "sliding",
            Self::Universal { .. } => "universal",
            Self::Revolute { .. } => "revolute",
            Self::Fixed { .. } => "fixed",
        }
    }

    /// Where it is, in the platform's frame \[m\]; nowhere in particular if it slides.
    pub fn point(&self) -> Option<[f64; 3]> {
        match self {
            Self::Spherical { point }
            | Self::Planar { point, .. }
            | Self::Universal { point, .. }
            | Self::Revolute { point, .. } => Some(*point),
            Self::Fixed { placement } => Some(placement.position),
            Self::Sliding { .. } => None,
        }
    }

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

//! A mechanism: bodies and joints with loops of any kind. One body is the platform, motors drive joints.

mod cell;
mod from_legs;
mod held;
mod read;
mod tables;

pub(crate) use cell::with_files;
pub use tables::ROW;

pub(in crate::families) use from_legs::from_short_legs;
pub(crate) use from_legs::{GUIDE, RobotOfLegs, from_blueprint, from_engine, joints_at};

use super::FamilyModel;
use super::blueprint::{BuildError, Construction, MotorLimits};
use super::custom::PlatformFreedom;
use super::properties::{DriveProperties, Drives, Property, PropertyValue};
use crate::description::model_error::Factors;
use crate::description::parts::{Body, LinearMotor, Motor, Placement};
use crate::description::reader::Reader;
use crate::families::inertial::InertialPart;
use legwork_core::V3;

/// A robot given by its bodies and joints. Repeated ones are written out.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismDescription {
    /// The bodies that move.
    pub bodies: Vec<MechanismBody>,
    /// The joints, each between two bodies or a body and the ground.
    pub joints: Vec<MechanismJoint>,
    /// Which body is the platform, from 0.
    pub platform: usize,
    /// The point whose motion counts, in the frame of that body \[m\].
    pub platform_point: [f64; 3],
    /// Components of the platform's twist that stand for its motion; without them they are chosen.
    pub freedoms: Option<Vec<PlatformFreedom>>,
    /// Names of the joints whose motors are held, where the motors move in more ways than the platform; none for a choice.
    pub held: Vec<String>,
    /// What the platform carries, in the axes of its frame, from the platform point.
    pub payload: Body,
    /// How far bodies may lean against each other.
    pub cones: Vec<MechanismCone>,
}

/// How far a body may lean against another: what the opening of a joint allows.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismCone {
    /// Name of the joint.
    pub joint: String,
    /// The two bodies, as places in the list; `None` for the ground.
    pub bodies: [Option<usize>; 2],
    /// A direction in each of them, the same one at home; of a plane its normal in the first; unit vectors.
    pub pins: [[f64; 3]; 2],
    /// Whether it is the plane of the first body that the pin of the second one may leave.
    pub from_plane: bool,
    /// By so much \[rad\].
    pub most: f64,
}

/// A body that moves.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismBody {
    /// Its name.
    pub name: String,
    /// Mass, centre and inertia in its frame.
    pub body: Body,
    /// Its frame at home in that of the base; roughly, where a joint is given by its frames.
    pub home: Placement,
}

/// A joint between two bodies.
#[derive(Clone, Debug, PartialEq)]
pub struct MechanismJoint {
    /// Its name.
    pub name: String,
    /// What it lets its bodies do.
    pub kind: MechanismJointKind,
    /// The body that its coordinate counts from, as a place in the list; `None` for the ground.
    pub parent: Option<usize>,
    /// The body on the other side.
    pub child: Option<usize>,
    /// Its frame in the parent; it meets that in the child at joint coordinate 0.
    pub parent_frame: Placement,
    /// Its frame in the child.
    pub child_frame: Placement,
    /// The motor, if one drives it.
    pub motor: Option<MechanismMotor>,
    /// Inertia and friction on its axis, if it has no motor; limits of a motor do not count.
    pub drag: Option<MechanismMotor>,
    /// Smallest joint coordinate \[rad or m\].
    pub min: Option<f64>,
    /// Largest joint coordinate \[rad or m\].
    pub max: Option<f64>,
    /// Its part where the motion leaves a choice of efforts.
    pub choice: EffortPart,
}

/// What a motor gives where there are more motors than freedoms: efforts τ with the least Σ w (τ − t)².
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EffortPart {
    /// w
    pub weight: f64,
    /// t, at the joint \[N m or N\]
    pub preload: f64,
}

impl Default for EffortPart {
    fn default() -> Self {
        Self { weight: 1.0, preload: 0.0 }
    }
}

/// What a joint lets its bodies do. P is its frame in the parent, C that in the child.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MechanismJointKind {
    /// Turns about z.
    Revolute,
    /// Slides along z.
    Prismatic,
    /// Slides along z and turns about it.
    Cylindrical,
    /// Turns about z of P and about y of C, which stay at a right angle.
    Universal,
    /// Turns about any axis.
    Spherical,
    /// Slides in the plane x-y of P and turns about z.
    Planar,
    /// Does not move.
    Fixed,
}

impl MechanismJointKind {
    /// Every one.
    pub const ALL: [Self; 7] = [
        Self::Revolute,
        Self::Prismatic,
        Self::Cylindrical,
        Self::Universal,
        Self::Spherical,
        Self::Planar,
        Self::Fixed,
    ];

    /// Its name in a robot file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Revolute => "revolute",
            Self::Prismatic => "prismatic",
            Self::Cylindrical => "cylindrical",
            Self::Universal => "universal",
            Self::Spherical => "spherical",
            Self::Planar => "planar",
            Self::Fixed => "fixed",
        }
    }

    /// The one with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// A motor of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MechanismMotor {
    /// It turns a revolute joint.
    Turning(Motor),
    /// It moves a prismatic joint.
    Sliding(LinearMotor),
}

impl MechanismMotor {
    /// Motor and gear as the joint feels them \[kg m² or kg\].
    pub fn inertia(&self) -> f64 {
        match self {
            Self::Turning(motor) => motor.inertia_at_arm(),
            Self::Sliding(motor) => motor.actuator_inertia,
        }
    }

    /// Viscous and Coulomb friction \[N m s/rad, N m, or N s/m, N\].
    pub fn friction(&self) -> [f64; 2] {
        match self {
            Self::Turning(motor) => [motor.viscous_friction, motor.coulomb_friction],
            Self::Sliding(motor) => [motor.viscous_friction, motor.coulomb_friction],
        }
    }

    /// Whether it turns or slides without inertia and friction.
    pub(in crate::families) fn is_ideal(&self) -> bool {
        self.inertia() == 0.0 && self.friction() == [0.0; 2]
    }

    fn scale(&mut self, factors: &Factors) {
        match self {
            Self::Turning(motor) => factors.motor(motor),
            Self::Sliding(motor) => factors.linear_motors([motor]),
        }
    }

    fn properties(&self) -> DriveProperties {
        match self {
            Self::Turning(motor) => DriveProperties::rotary("motors that turn", motor),
            Self::Sliding(motor) => DriveProperties::linear("motors that slide", motor),
        }
    }
}

impl MechanismJoint {
    /// How far, how strong and how fast its motor is.
    pub(crate) fn limits(&self) -> MotorLimits {
        let own = match &self.motor {
            Some(MechanismMotor::Turning(motor)) => MotorLimits::of(motor),
            Some(MechanismMotor::Sliding(motor)) => MotorLimits {
                max_effort: motor.max_force,
                max_speed: motor.max_speed,
                ..MotorLimits::default()
            },
            None => MotorLimits::default(),
        };
        MotorLimits { min: self.min, max: self.max, ..own }
    }
}

impl MechanismDescription {
    /// The joints that motors drive, in order.
    pub fn driven(&self) -> impl Iterator<Item = &MechanismJoint> {
        self.joints.iter().filter(|joint| joint.motor.is_some())
    }

    /// Name of a body, or `base`.
    pub fn body_name(&self, body: Option<usize>) -> &str {
        body.and_then(|body| self.bodies.get(body)).map_or(BASE, |body| &body.name)
    }

    /// The joints that hold the platform, as places in the list: its legs end there.
    pub fn platform_joints(&self) -> impl Iterator<Item = usize> {
        let platform = Some(self.platform);
        let joints = self.joints.iter().enumerate();
        joints.filter(move |(_, joint)| joint.parent == platform || joint.child == platform).map(|(k, _)| k)
    }

    /// Whether a body is none of the machine and stands for freedoms of a platform, as for what the parallelograms of a
    /// Delta leave it.
    pub fn is_guide(&self, body: Option<usize>) -> bool {
        body.and_then(|body| self.bodies.get(body)).is_some_and(|body| {
            body.body.mass <= 0.0 && body.name.rsplit('.').next().is_some_and(|own| own.starts_with(GUIDE))
        })
    }

    /// The platform that a joint guides, if the joint is none of the machine; both by their names.
    pub(crate) fn guided(&self, joint: &str) -> Option<&str> {
        let mut joint = self.joints.iter().find(|other| other.name == joint)?;
        if !self.is_guide(joint.parent) && !self.is_guide(joint.child) {
            return None;
        }
        while self.is_guide(joint.child) {
            joint = self.joints.iter().find(|other| other.parent == joint.child)?;
        }
        joint.child.and_then(|body| self.bodies.get(body)).map(|body| body.name.as_str())
    }
}

/// The name of the ground.
pub const BASE: &str = "base";

impl FamilyModel for MechanismDescription {
    fn read(top: &mut Reader<'_, '_>) -> Option<Self> {
        read::read(top)
    }

    fn construction(&self, _gravity: V3<f64>) -> Result<Construction<'_>, BuildError> {
        Ok(Construction::Mechanism(std::borrow::Cow::Borrowed(self)))
    }

    fn leg_count(&self) -> usize {
        self.platform_joints().count()
    }

    fn has_masses(&self) -> bool {
        self.bodies.iter().any(|body| body.body.mass > 0.0)
    }

    fn payload(&self) -> f64 {
        self.payload.mass
    }

    fn set_payload(&mut self, mass: f64) {
        self.payload = Body::point(mass);
    }

    fn has_home(&self) -> bool {
        true
    }

    fn inertial_parts(&mut self) -> Vec<InertialPart<'_>> {
        self.bodies.iter_mut().map(|body| InertialPart::body(body.name.clone(), &mut body.body)).collect()
    }

    fn scale(&mut self, factors: &Factors) {
        for body in &mut self.bodies {
            factors.points([&mut body.home.position]);
            factors.bodies([&mut body.body]);
        }
        for joint in &mut self.joints {
            factors.points([&mut joint.parent_frame.position, &mut joint.child_frame.position]);
            joint.motor.iter_mut().chain(&mut joint.drag).for_each(|motor| motor.scale(factors));
        }
        factors.points([&mut self.platform_point]);
        factors.payload(&mut self.payload);
    }

    fn geometry(&self) -> Vec<Property> {
        vec![Property::new("joints", PropertyValue::Joints(self.joint_texts()))]
    }

    fn bodies(&self) -> Vec<Property> {
        if !FamilyModel::has_masses(self) {
            return Vec::new();
        }
        let bodies = self.bodies.iter().map(|body| (body.name.clone(), body.body)).collect();
        let mut list = vec![Property::new("bodies", PropertyValue::Bodies(bodies))];
        if self.payload.mass > 0.0 {
            list.push(Property::body("payload", self.payload));
        }
        list
    }

    fn moving_mass(&self) -> f64 {
        self.bodies.iter().map(|body| body.body.mass).sum::<f64>() + self.payload.mass
    }

    fn drives(&self) -> Drives {
        Drives::Listed(
            self.driven().filter_map(|joint| joint.motor.as_ref()).map(MechanismMotor::properties).collect(),
        )
    }
}

impl MechanismDescription {
    /// Each joint: its name, its type, the names of its bodies, and whether a motor drives it.
    fn joint_texts(&self) -> Vec<JointProperties> {
        let text = |joint: &MechanismJoint| JointProperties {
            name: joint.name.clone(),
            kind: joint.kind,
            bodies: [joint.parent, joint.child].map(|body| self.body_name(body).to_owned()),
            has_motor: joint.motor.is_some(),
            range: [joint.min, joint.max],
            cone: self.cones.iter().find(|cone| cone.joint == joint.name).map(|cone| cone.most),
        };
        self.joints.iter().map(text).collect()
    }
}

/// What is shown of a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointProperties {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: MechanismJointKind,
    /// The names of parent and child.
    pub bodies: [String; 2],
    /// Whether a motor drives it.
    pub has_motor: bool,
    /// Smallest and largest coordinate \[rad or m\].
    pub range: [Option<f64>; 2],
    /// How far it lets its bodies lean \[rad\].
    pub cone: Option<f64>,
}

//! Why a robot cannot be had, or cannot answer.

use super::dense::MAX_MOTORS;
use crate::description::DescriptionError;
use crate::families::blueprint::BuildError;
use crate::mechanism::MechanismError;
use legwork_core::engine::{BodyError, Forward, StateError};
use legwork_core::robots::delta::{ParameterError, PostureError};
use std::fmt;

/// Why a robot cannot be had, or cannot answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RobotError {
    /// The file cannot be read.
    Description(DescriptionError),
    /// The numbers make no robot.
    Parameter {
        /// Name of the robot.
        robot: String,
        /// What is wrong.
        fault: ParameterError,
    },
    /// The limits of the motor angles leave nothing.
    Limits {
        /// Name of the robot.
        robot: String,
        /// Lower limit \[rad\].
        min: f64,
        /// Upper limit \[rad\].
        max: f64,
    },
    /// The home position cannot be reached.
    Home {
        /// Name of the robot.
        robot: String,
        /// The position, in the user's frame \[m\].
        position: [f64; 3],
        /// Why not.
        cause: PostureError,
        /// A length of the file that can hardly be meant.
        doubt: Option<Box<str>>,
    },
    /// The question needs masses and the robot has geometry only.
    NoMasses {
        /// Name of the robot.
        robot: String,
    },
    /// A list has the wrong length.
    Count {
        /// What the list is.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// The home pose cannot be reached, or the robot is singular there.
    HomeState {
        /// Name of the robot.
        robot: String,
        /// Why not.
        cause: StateError,
        /// A length of the file that can hardly be meant.
        doubt: Option<Box<str>>,
    },
    /// The state has no answer, in the words of the general engine.
    State(StateError),
    /// Forward kinematics found no pose.
    Forward(Box<Forward>),
    /// A number is NaN or infinite.
    NotFinite {
        /// Which list.
        what: &'static str,
        /// Which component, from 0.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// The numbers given are finite, and an answer would not be.
    Overflow {
        /// Which answer.
        what: &'static str,
        /// Which component, from 0.
        component: usize,
        /// What it came to.
        value: f64,
    },
    /// A matrix is no rotation.
    NotARotation {
        /// Largest entry of RᵀR − 1.
        off: f64,
    },
    /// A matrix is a mirror.
    Mirrored,
    /// The platform of this robot does not turn.
    Turned {
        /// Name of the robot.
        robot: String,
    },
    /// A motion leads a leg without a closed form into another branch than the straight way from home.
    OtherBranch {
        /// Which motor, from 0.
        motor: usize,
        /// Where the motion brings it \[rad or m\].
        along: f64,
        /// Where the straight way brings it.
        straight: f64,
    },
    /// The platform cannot move so.
    NotAFreedom {
        /// The velocity: `wx`.
        velocity: &'static str,
    },
    /// A working mode the robot does not have.
    Mode {
        /// What was asked for.
        found: String,
        /// The mode the robot is in, as an example.
        example: String,
    },
    /// So many freedoms and motors are not provided for.
    Sizes {
        /// Name of the robot.
        robot: String,
        /// Freedoms of the platform.
        freedoms: usize,
        /// Actuated joints.
        motors: usize,
    },
    /// A body that cannot exist.
    Body {
        /// Name of the robot.
        robot: String,
        /// Which body.
        what: &'static str,
        /// Why not.
        fault: BodyError,
    },
    /// A leg with no joint, or more than six.
    Joints {
        /// Name of the robot.
        robot: String,
        /// How many it has.
        joints: usize,
    },
    /// The tool has other axes than the platform, which cannot be turned at will.
    TurnedTool {
        /// Name of the robot.
        robot: String,
        /// About how many axes its platform turns.
        turns: usize,
    },
    /// The base stands so in the cell that the platform moves along no axes of the cell.
    TiltedFreedoms {
        /// Name of the robot.
        robot: String,
    },
    /// A platform that turns about two axes of the base, as bodies and joints.
    TwoTurns {
        /// Its name.
        robot: String,
    },
    /// A rod would lean further than its joints allow.
    JointCone {
        /// Of which leg, from 0.
        leg: usize,
        /// How far \[rad\].
        lean: f64,
        /// The `joint_cone` of the file \[rad\].
        most: f64,
    },
    /// A passive joint of a mechanism would go further than it can.
    PassiveLimit {
        /// Its name.
        joint: String,
        /// Whether it slides.
        slides: bool,
        /// Its coordinate \[rad or m\].
        value: f64,
        /// Smallest and largest coordinate.
        range: [Option<f64>; 2],
    },
    /// A passive joint of a mechanism would lean further than it can.
    PassiveCone {
        /// Its name.
        joint: String,
        /// How far \[rad\].
        lean: f64,
        /// The `joint_cone` of the file \[rad\].
        most: f64,
    },
    /// The question is for another family.
    OtherFamily {
        /// What was asked for.
        what: &'static str,
        /// Name of the robot.
        robot: String,
        /// Whether it is a rotary Delta, but not in closed form: it has a cell, a tool or a fourth axis.
        is_delta: bool,
    },
    /// Derivatives of efforts that do not follow from the motion of the platform alone.
    Redundant {
        /// Name of the robot.
        robot: String,
        /// How many motors it has.
        motors: usize,
        /// How many freedoms.
        freedoms: usize,
    },
    /// A choice of efforts for a robot of legs.
    NoEffortChoice {
        /// Name of the robot.
        robot: String,
    },
    /// A value for a motor that is not held.
    NotHeld {
        /// Name of the robot.
        robot: String,
        /// What was named.
        name: String,
        /// The motors that are held: `q7 (delta.leg1_joint1)`.
        held: Vec<String>,
    },
    /// `[[identified.motor]]` names no motor of the robot, one of the other kind, or one a second time.
    IdentifiedMotor {
        /// Name of the robot.
        robot: String,
        /// The joint as it is written.
        joint: String,
        /// Of each motor, whether it slides.
        slides: Vec<bool>,
    },
    /// `[[identified.body]]` of legs that differ names no body of them.
    IdentifiedBody {
        /// Name of the robot.
        robot: String,
        /// The body as it is written.
        body: String,
        /// The bodies there are.
        known: Vec<String>,
    },
    /// A moving base under a robot with motors that are held.
    HeldOnMovingBase {
        /// Name of the robot.
        robot: String,
    },
    /// A model error that leaves nothing.
    ModelError {
        /// Which part of it.
        what: &'static str,
        /// Its value, where 0.1 is ten per cent.
        value: f64,
    },
    /// A payload no robot can carry.
    Payload {
        /// The mass \[kg\].
        mass: f64,
    },
    /// The state has no answer.
    Posture(PostureError),
    /// Bodies and joints that make no robot.
    Mechanism {
        /// Name of the robot.
        robot: String,
        /// What is wrong.
        fault: Box<MechanismError>,
    },
    /// A mechanism has no answer in this state.
    MechanismState(Box<MechanismError>),
    /// A component of a motion was given that follows from the others, and contradicts them.
    Follows {
        /// `velocity` or `acceleration`.
        what: &'static str,
        /// The component: `vx`.
        velocity: &'static str,
        /// As it was given \[m/s, rad/s, m/s² or rad/s²\].
        given: f64,
        /// As it follows.
        follows: f64,
    },
    /// A calibration for another number of legs.
    CalibratedLegs {
        /// Name of the robot.
        robot: String,
        /// How many legs it has.
        legs: usize,
        /// For how many the calibration is.
        found: usize,
    },
    /// A calibrated link of a leg whose length is its joint.
    CalibratedLink {
        /// Name of the robot.
        robot: String,
        /// The leg, from 0.
        leg: usize,
    },
    /// The question is for bodies and joints.
    NoMechanism {
        /// Name of the robot.
        robot: String,
    },
    /// The question is for robots of legs.
    NoLegs {
        /// Name of the robot.
        robot: String,
    },
}

impl RobotError {
    /// Why the robot with this name cannot be built.
    pub(crate) fn of_build(robot: &str, error: BuildError) -> Self {
        let robot = robot.into();
        match error {
            BuildError::Body { what, fault } => Self::Body { robot, what, fault },
            BuildError::Joints { joints } => Self::Joints { robot, joints },
            BuildError::TurnedTool { turns } => Self::TurnedTool { robot, turns },
            BuildError::TiltedFreedoms => Self::TiltedFreedoms { robot },
            BuildError::Parameter(fault) => Self::Parameter { robot, fault },
            BuildError::Limits { min, max } => Self::Limits { robot, min, max },
            BuildError::Home { position, cause } => Self::Home { robot, position, cause, doubt: None },
            BuildError::TwoTurns => Self::TwoTurns { robot },
            BuildError::CalibratedLegs { legs, found } => Self::CalibratedLegs { robot, legs, found },
            BuildError::CalibratedLink { leg } => Self::CalibratedLink { robot, leg },
        }
    }
}

/// Why a robot cannot be built.
fn unbuilt(f: &mut fmt::Formatter<'_>, robot: &str, error: BuildError) -> fmt::Result {
    write!(f, "cannot build the robot `{robot}`: {error}")
}

impl fmt::Display for RobotError {
    #[allow(clippy::too_many_lines)] // one sentence for each variant
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Description(error) => error.fmt(f),
            Self::Parameter { robot, fault } => unbuilt(f, robot, BuildError::Parameter(*fault)),
            Self::Limits { robot, min, max } => {
                unbuilt(f, robot, BuildError::Limits { min: *min, max: *max })
            }
            Self::Home { robot, position, cause, .. } => {
                unbuilt(f, robot, BuildError::Home { position: *position, cause: *cause })
            }
            Self::Body { robot, what, fault } => unbuilt(f, robot, BuildError::Body { what, fault: *fault }),
            Self::Joints { robot, joints } => unbuilt(f, robot, BuildError::Joints { joints: *joints }),
            Self::TurnedTool { robot, turns } => unbuilt(f, robot, BuildError::TurnedTool { turns: *turns }),
            Self::TwoTurns { robot } => unbuilt(f, robot, BuildError::TwoTurns),
            Self::TiltedFreedoms { robot } => unbuilt(f, robot, BuildError::TiltedFreedoms),
            Self::CalibratedLegs { robot, legs, found } => {
                unbuilt(f, robot, BuildError::CalibratedLegs { legs: *legs, found: *found })
            }
            Self::CalibratedLink { robot, leg } => {
                unbuilt(f, robot, BuildError::CalibratedLink { leg: *leg })
            }
            Self::NoMasses { robot } => {
                write!(f, "`{robot}` has geometry only: its masses are missing, so it has no torques")
            }
            Self::Count { what, expected, found } => {
                write!(f, "{what}: {expected} numbers expected, {found} given")
            }
            Self::HomeState { robot, cause, .. } => {
                write!(f, "cannot build the robot `{robot}` at its home pose: {cause}")
            }
            Self::State(error) => error.fmt(f),
            Self::Forward(found) => write!(f, "forward kinematics {found}"),
            Self::NotFinite { what, component, value } => {
                write!(f, "component {} of the {what} is {value}", component + 1)
            }
            Self::Overflow { what, component, value } => write!(
                f,
                "component {} of the {what} would be {value}: a number is too large or too small to compute with",
                component + 1
            ),
            Self::NotARotation { off } => {
                write!(f, "the rotation matrix is no rotation: its rows are off by {off:.1e}")
            }
            Self::Mirrored => {
                write!(f, "the rotation matrix is no rotation: it mirrors, its determinant is negative")
            }
            Self::Turned { robot } => {
                write!(f, "the platform of `{robot}` does not turn; its rotation must be the identity")
            }
            Self::OtherBranch { motor, along, straight } => write!(
                f,
                "the motion brings motor {} to {along:.4}, the straight way from home to {straight:.4} (rad or m): it leads a \
                 leg into another branch",
                motor + 1
            ),
            Self::NotAFreedom { velocity } => {
                write!(f, "the platform of this robot cannot move in {velocity}")
            }
            Self::Mode { found, example } => {
                write!(f, "`{found}` is no working mode of this robot; it is in `{example}`")
            }
            Self::Sizes { robot, freedoms, motors } => {
                write!(
                    f,
                    "cannot build the robot `{robot}`: it has {motors} motors for {freedoms} freedoms; "
                )?;
                if motors < freedoms {
                    write!(
                        f,
                        "a platform with {freedoms} freedoms needs {freedoms} motors or more to hold it"
                    )
                } else {
                    write!(f, "at most {MAX_MOTORS} motors are provided for")
                }
            }
            Self::JointCone { leg, lean, most } => write!(
                f,
                "out of reach: the rod of leg {} leans by {:.2} deg, and `joint_cone` of its joints is {:.2} deg",
                leg + 1,
                lean.to_degrees(),
                most.to_degrees()
            ),
            Self::PassiveLimit { joint, slides, value, range: [min, max] } => {
                let (unit, scale) = if *slides { ("mm", 1e3) } else { ("deg", 1.0_f64.to_degrees()) };
                write!(f, "out of reach: the joint `{joint}` is at {:.2} {unit}, and ", value * scale)?;
                match (min, max) {
                    (Some(min), Some(max)) => {
                        write!(f, "it goes from {:.2} to {:.2} {unit}", min * scale, max * scale)
                    }
                    (Some(min), None) => write!(f, "its `min` is {:.2} {unit}", min * scale),
                    (None, Some(max)) => write!(f, "its `max` is {:.2} {unit}", max * scale),
                    (None, None) => write!(f, "it has no limits"),
                }
            }
            Self::PassiveCone { joint, lean, most } => write!(
                f,
                "out of reach: the joint `{joint}` leans by {:.2} deg, and its `joint_cone` is {:.2} deg",
                lean.to_degrees(),
                most.to_degrees()
            ),
            Self::OtherFamily { what, robot, is_delta: false } => {
                write!(f, "{what} is for a rotary Delta; `{robot}` is none")
            }
            Self::OtherFamily { what, robot, is_delta: true } => write!(
                f,
                "{what} is for a rotary Delta in closed form, and `{robot}` is none with its [cell], [tool] or [rotation_axis]"
            ),
            Self::Redundant { robot, motors, freedoms } => write!(
                f,
                "efforts have derivatives where there are as many motors as freedoms, and `{robot}` has {motors} motors for \
                 {freedoms}"
            ),
            Self::NoEffortChoice { robot } => write!(
                f,
                "a choice of efforts is for mechanisms of bodies and joints with more motors than freedoms; `{robot}` is a \
                 robot of legs"
            ),
            Self::NotHeld { robot, name, held } if held.is_empty() => write!(
                f,
                "`{name}` cannot be held: the platform's pose tells where all motors of `{robot}` are; leave it out"
            ),
            Self::NotHeld { robot, name, held } => write!(
                f,
                "`{name}` is none of the motors of `{robot}` that are held: {}; `held` in its file says which",
                held.join(", ")
            ),
            Self::IdentifiedBody { robot, body, known } => write!(
                f,
                "[[identified.body]] has the name \"{body}\", which is no body of the legs of `{robot}`; they are {}",
                known.join(", ")
            ),
            Self::IdentifiedMotor { robot, joint, slides } => {
                let kind = |(k, slides): (usize, &bool)| {
                    format!("q{} ({})", k + 1, if *slides { "prismatic" } else { "revolute" })
                };
                let motors: Vec<String> = slides.iter().enumerate().map(kind).collect();
                write!(
                    f,
                    "[[identified.motor]] has the joint \"{joint}\", which is no motor of `{robot}`, one of another `type`, or \
                     there twice; its motors are {}",
                    motors.join(", ")
                )
            }
            Self::HeldOnMovingBase { robot } => write!(
                f,
                "`{robot}` has motors that the platform's pose does not tell, and on a moving base a wrench on the platform \
                 does not stand for what they feel; write the base as a body of its file, moved by joints with motors"
            ),
            Self::ModelError { what, value } => {
                write!(f, "a model error of {} % in {what} leaves no robot", value * 100.0)
            }
            Self::Payload { mass } => write!(f, "a payload of {mass} kg is not possible"),
            Self::Posture(error) => error.fmt(f),
            other => other.of_mechanism(f),
        }
    }
}

impl RobotError {
    /// The words about mechanisms, in which the ground is called `base`.
    fn of_mechanism(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mechanism { robot, fault } => {
                let fault = fault.to_string().replace("`world`", "`base`");
                write!(f, "cannot build the robot `{robot}`: {fault}")
            }
            Self::MechanismState(fault) => f.write_str(&fault.to_string().replace("`world`", "`base`")),
            Self::Follows { what, velocity, given, follows } => write!(
                f,
                "the {what} {velocity} cannot be {given:.6e}: it follows from the others, which make it {follows:.6e}"
            ),
            Self::NoMechanism { robot } => write!(f, "`{robot}` is made of legs, not of bodies and joints"),
            Self::NoLegs { robot } => {
                write!(f, "`{robot}` is a mechanism of bodies and joints; this is for robots of legs")
            }
            // All others have their words above.
            _ => Ok(()),
        }
    }
}

impl std::error::Error for RobotError {}

impl RobotError {
    /// A way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoMasses { .. } => {
                Some("add a [mass] table with platform, arm and forearm to its file".into())
            }
            Self::Home { doubt: Some(doubt), .. } | Self::HomeState { doubt: Some(doubt), .. } => {
                Some(doubt.to_string())
            }
            Self::HomeState { .. } => Some(
                "give a [home] pose that every leg reaches; it counts in the robot's own frame, with a [cell] too".into(),
            ),
            Self::Forward(_) => Some("start nearer to the pose, or look for all of them with --all".into()),
            Self::State(StateError::Unreachable { .. }) => {
                Some("`legwork show ROBOT` prints its home pose, from where it reaches".into())
            }
            Self::State(StateError::BranchEnds { .. }) => Some(
                "go there by other poses, one after the other, or give the joints of the leg other `start` values"
                    .into(),
            ),
            Self::OtherBranch { .. } => {
                Some("let the motion keep to one side of the poses at which the leg is stretched or folded".into())
            }
            Self::Follows { .. } => Some("leave it out, or give what follows".into()),
            Self::MechanismState(fault) if matches!(**fault, MechanismError::EndOfBranch { .. } | MechanismError::EndOfReach { .. }) => {
                Some("`legwork show ROBOT` prints its home pose, from where it reaches".into())
            }
            Self::OtherFamily { is_delta: true, .. } => {
                Some("leave these tables out of a copy of its file; `gravity_direction` says how it hangs".into())
            }
            Self::Home { .. } => Some(
                "move `home.position`, which counts in the robot's own frame with a [cell] too, or lengthen `geometry.forearm`"
                    .into(),
            ),
            Self::JointCone { .. }
            | Self::PassiveLimit { .. }
            | Self::PassiveCone { .. }
            | Self::Posture(PostureError::Unreachable { .. }) => {
                Some("`legwork show ROBOT` prints where the robot reaches".into())
            }
            Self::Parameter { fault, .. } if fault.field == "geometry.base_radius" => Some(
                "check whether the file gives radii or triangle sides: `convention` converts them".into(),
            ),
            _ => None,
        }
    }
}

impl From<PostureError> for RobotError {
    fn from(error: PostureError) -> Self {
        Self::Posture(error)
    }
}

impl From<StateError> for RobotError {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

impl From<MechanismError> for RobotError {
    fn from(error: MechanismError) -> Self {
        Self::MechanismState(Box::new(error))
    }
}

impl From<DescriptionError> for RobotError {
    fn from(error: DescriptionError) -> Self {
        Self::Description(error)
    }
}

//! Why a robot cannot be had, or cannot answer.

use crate::description::{DescriptionError, Family};
use legwork_core::robots::delta::{ParameterError, PostureError};
use std::fmt;

/// Why a robot cannot be had, or cannot answer.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RobotError {
    /// The file cannot be read.
    Description(DescriptionError),
    /// There is no model of its family here.
    Family {
        /// Name of the robot.
        robot: String,
        /// Its family.
        family: Family,
    },
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
    /// A payload no robot can carry.
    Payload {
        /// The mass \[kg\].
        mass: f64,
    },
    /// The state has no answer.
    Posture(PostureError),
}

impl fmt::Display for RobotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Description(error) => error.fmt(f),
            Self::Family { robot, family } => {
                write!(
                    f,
                    "cannot build the robot `{robot}`: no model of the family \"{}\" here",
                    family.name()
                )
            }
            Self::Parameter { robot, fault } => write!(f, "cannot build the robot `{robot}`: {fault}"),
            Self::Limits { robot, min, max } => write!(
                f,
                "cannot build the robot `{robot}`: `limits.angle_min` is {:.3} deg, not below `limits.angle_max`, {:.3} deg",
                min.to_degrees(),
                max.to_degrees()
            ),
            Self::Home { robot, position: [x, y, z], cause } => write!(
                f,
                "cannot build the robot `{robot}`: `home.position` ({:.1}, {:.1}, {:.1}) mm is {cause}",
                x * 1e3,
                y * 1e3,
                z * 1e3
            ),
            Self::NoMasses { robot } => {
                write!(f, "`{robot}` has geometry only: its masses are missing, so it has no torques")
            }
            Self::Count { what, expected, found } => {
                write!(f, "{what}: {expected} numbers expected, {found} given")
            }
            Self::Payload { mass } => write!(f, "a payload of {mass} kg is not possible"),
            Self::Posture(error) => error.fmt(f),
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
            Self::Home { .. } => Some("move `home.position`, or lengthen `geometry.forearm`".into()),
            Self::Posture(PostureError::Unreachable { .. }) => {
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

impl From<DescriptionError> for RobotError {
    fn from(error: DescriptionError) -> Self {
        Self::Description(error)
    }
}

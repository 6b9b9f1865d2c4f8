//! Why a map cannot be made.

use super::{Coordinate, MapSize};
use crate::recording::WriteError;
use crate::robot::RobotError;
use std::fmt;

/// Why a map cannot be made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum MapError {
    /// The platform has no such freedom.
    NotAFreedom {
        /// Name of the robot.
        robot: String,
        /// What was asked for.
        coordinate: Coordinate,
        /// What there is.
        known: Vec<Coordinate>,
    },
    /// A coordinate is given twice.
    Twice {
        /// Which.
        coordinate: Coordinate,
    },
    /// A range without poses, or with a number that is none.
    EmptyRange {
        /// Along what.
        coordinate: Coordinate,
        /// From \[m or rad\].
        from: f64,
        /// To \[m or rad\].
        to: f64,
        /// How many poses.
        count: usize,
    },
    /// Nothing varies, or nothing is asked.
    Nothing {
        /// What is missing.
        what: &'static str,
    },
    /// More poses than anybody can wait for.
    TooMany {
        /// How large the map would be.
        size: MapSize,
    },
    /// The quantity needs masses.
    NoMasses {
        /// Name of the robot.
        robot: String,
        /// Name of the quantity.
        quantity: &'static str,
    },
    /// The quantity needs the largest effort of every motor.
    NoEffortLimit {
        /// Name of the robot.
        robot: String,
        /// The first joint without one.
        joint: String,
        /// Name of the quantity.
        quantity: &'static str,
    },
    /// Motors that turn and motors that slide cannot be compared.
    MixedMotors {
        /// Name of the robot.
        robot: String,
        /// Name of the quantity.
        quantity: &'static str,
    },
    /// A direction of length zero, or along no freedom of the platform.
    Direction {
        /// Name of the robot.
        robot: String,
        /// As given.
        direction: [f64; 3],
    },
    /// The workspace has no end within this distance.
    Unbounded {
        /// Name of the robot.
        robot: String,
        /// How far was searched \[m\].
        distance: f64,
    },
    /// A volume needs positions to vary.
    NoVolume {
        /// Name of the robot.
        robot: String,
    },
    /// Not even the home pose is in reach.
    HomeOutOfReach(Box<RobotError>),
    /// The file cannot be written.
    Write(WriteError),
}

impl fmt::Display for MapError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotAFreedom { robot, coordinate, .. } => {
                write!(f, "the platform of `{robot}` is not free in {coordinate}")
            }
            Self::Twice { coordinate } => write!(f, "{coordinate} is given twice"),
            Self::EmptyRange { coordinate, count: 0, .. } => {
                write!(f, "the slice is empty: no pose along {coordinate}")
            }
            Self::EmptyRange { coordinate, from, to, count } => {
                write!(f, "the slice is empty: {count} poses along {coordinate} from {from} to {to}")
            }
            Self::Nothing { what } => write!(f, "nothing to map: {what}"),
            Self::TooMany { size } => {
                let most = MapSize::MOST_NUMBERS;
                write!(f, "the map is too large: {size}; at most {most} numbers are kept")
            }
            Self::NoMasses { robot, quantity } => {
                write!(f, "`{quantity}` needs masses, and `{robot}` has none")
            }
            Self::NoEffortLimit { robot, joint, quantity } => {
                write!(
                    f,
                    "`{quantity}` needs the largest effort of every motor, and {joint} of `{robot}` has none"
                )
            }
            Self::MixedMotors { robot, quantity } => write!(
                f,
                "`{quantity}` compares motors, and `{robot}` has some that turn, some that slide, and no limits to compare"
            ),
            Self::Direction { robot, direction: [x, y, z] } => {
                write!(f, "the platform of `{robot}` cannot move in the direction ({x}, {y}, {z})")
            }
            Self::Unbounded { robot, distance } => {
                write!(
                    f,
                    "the workspace of `{robot}` has no end within {distance} m: its motors have no limits"
                )
            }
            Self::NoVolume { robot } => {
                write!(f, "the platform of `{robot}` is free in fewer than two directions: it has no volume")
            }
            Self::HomeOutOfReach(error) => write!(f, "its home is out of reach: {error}"),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for MapError {}

impl MapError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        Some(match self {
            Self::NotAFreedom { known, .. } => {
                let names: Vec<&str> = known.iter().map(|coordinate| coordinate.name()).collect();
                format!("it is free in {}", names.join(", "))
            }
            Self::EmptyRange { .. } => {
                "a range goes from a number to a larger one in at least 2 poses".into()
            }
            Self::TooMany { .. } => {
                "take fewer poses, or fewer quantities at a time, or map one part after the other".into()
            }
            Self::NoMasses { .. } => "add the masses to the robot file".into(),
            Self::NoEffortLimit { .. } => {
                "add motor_torque or joint_torque (max_force for motors that slide) to [motor] in the robot file".into()
            }
            Self::Unbounded { .. } => "add [limits] to the robot file".into(),
            _ => return None,
        })
    }
}

impl From<WriteError> for MapError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

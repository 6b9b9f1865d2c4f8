//! Why motors cannot be sized.

use crate::RobotError;
use crate::files::FileFault;
use crate::units::UnitError;
use std::fmt;

/// Why motors cannot be sized.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SizeError {
    /// The robot itself.
    Robot(RobotError),
    /// The robot has no answer in the motion.
    At {
        /// When \[s\].
        time: f64,
        /// What it says.
        cause: RobotError,
    },
    /// A cycle that has no length, or too many parts.
    Duration {
        /// Of one cycle \[s\].
        duration: f64,
    },
    /// A number of the demand is beyond the range of numbers.
    NotFinite {
        /// Which one, and of which joint.
        what: String,
    },
    /// Joints that turn and joints that slide.
    MixedJoints {
        /// Name of the robot.
        robot: String,
    },
    /// No motor of the table drives such a joint.
    NoTransmission {
        /// Whether the joint slides.
        slides: bool,
    },
    /// The file cannot be read.
    Unreadable {
        /// What the system says.
        cause: FileFault,
    },
    /// The text is not TOML.
    Syntax {
        /// Line, from 1.
        line: usize,
        /// What was expected.
        message: String,
    },
    /// Without a motor.
    Empty,
    /// A key that no motor has.
    UnknownKey {
        /// Line, from 1.
        line: usize,
        /// Which motor.
        motor: String,
        /// The key.
        key: String,
        /// The nearest one there is.
        nearest: Option<&'static str>,
    },
    /// A key that a motor must have.
    MissingKey {
        /// Line of the motor, from 1.
        line: usize,
        /// Which motor.
        motor: String,
        /// The key.
        key: &'static str,
    },
    /// A value that is not what its key asks for.
    Value {
        /// Line, from 1.
        line: usize,
        /// Which motor.
        motor: String,
        /// The key.
        key: &'static str,
        /// What it should be.
        expected: String,
    },
    /// A number or its unit cannot be read.
    Unit {
        /// Line, from 1.
        line: usize,
        /// Which motor.
        motor: String,
        /// The key.
        key: &'static str,
        /// Why not.
        error: UnitError,
    },
    /// A name that is there twice.
    Twice {
        /// Line of the second, from 1.
        line: usize,
        /// The name.
        motor: String,
    },
}

impl SizeError {
    /// A way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Robot(error) => error.hint(),
            Self::At { .. } => Some("move or shrink the path: `--from`, `--to`, `--height`".into()),
            Self::UnknownKey { nearest: Some(nearest), .. } => Some(format!("did you mean `{nearest}`?")),
            Self::UnknownKey { nearest: None, .. } => {
                Some(format!("the keys of a motor are {}", super::table::KEYS.join(", ")))
            }
            Self::NoTransmission { slides: true } => {
                Some("give the motors `leads`, the way for one turn, such as leads = [\"10 mm\"]".into())
            }
            Self::Empty => Some("begin each motor with a line [[motor]]".into()),
            Self::Unit { error, .. } => Some(error.hint()),
            _ => None,
        }
    }
}

impl fmt::Display for SizeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(error) => error.fmt(f),
            Self::At { time, cause } => write!(f, "{time:.6} s into the cycle: {cause}"),
            Self::Duration { duration } => write!(f, "a cycle of {duration} s cannot be sized for"),
            Self::NotFinite { what } => write!(f, "{what} is beyond the range of numbers"),
            Self::MixedJoints { robot } => {
                write!(
                    f,
                    "`{robot}` has joints that turn and joints that slide: no one motor is right for both"
                )
            }
            Self::NoTransmission { slides: true } => {
                write!(f, "the joints slide, and no motor of the table has `leads`")
            }
            Self::NoTransmission { slides: false } => {
                write!(f, "the joints turn, and the motors of the table have only `leads`")
            }
            Self::Unreadable { cause } => write!(f, "the motor table cannot be read: {cause}"),
            Self::Syntax { line, message } => write!(f, "line {line}: not TOML: {message}"),
            Self::Empty => write!(f, "the motor table has no motor"),
            Self::UnknownKey { line, motor, key, .. } => {
                write!(f, "line {line}: {motor} has no key `{key}`")
            }
            Self::MissingKey { line, motor, key } => write!(f, "line {line}: {motor} lacks `{key}`"),
            Self::Value { line, motor, key, expected } => {
                write!(f, "line {line}: `{key}` of {motor} must be {expected}")
            }
            Self::Unit { line, motor, key, error } => write!(f, "line {line}: `{key}` of {motor}: {error}"),
            Self::Twice { line, motor } => write!(f, "line {line}: {motor} is there twice"),
        }
    }
}

impl std::error::Error for SizeError {}

impl From<RobotError> for SizeError {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

//! Why a task gave no result.

use crate::RobotError;
use crate::coordinates::CoordinateError;
use crate::description::DescriptionError;
use std::fmt;

/// Why a task gave no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum TaskError {
    /// The text is not a request: the words of the reader, with line and column.
    Unreadable {
        /// What is wrong.
        cause: String,
    },
    /// The robot cannot be had, or cannot answer.
    Robot(RobotError),
    /// Numbers do not say where the robot is.
    Coordinates(CoordinateError),
    /// Two parts of a request contradict each other, or one is missing.
    Request {
        /// What is wrong, naming the fields.
        what: String,
        /// A way out.
        hint: Option<String>,
    },
}

impl TaskError {
    /// A part of a request that cannot be.
    pub fn request(what: impl Into<String>) -> Self {
        Self::Request { what: what.into(), hint: None }
    }

    /// The same with a way out.
    #[must_use]
    pub fn or(self, hint: impl Into<String>) -> Self {
        match self {
            Self::Request { what, .. } => Self::Request { what, hint: Some(hint.into()) },
            other => other,
        }
    }

    /// A way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Robot(error) => error.hint(),
            Self::Coordinates(error) => error.hint(),
            Self::Request { hint, .. } => hint.clone(),
            Self::Unreadable { .. } => None,
        }
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { cause } => write!(f, "this is not a request: {cause}"),
            Self::Robot(error) => error.fmt(f),
            Self::Coordinates(error) => error.fmt(f),
            Self::Request { what, .. } => f.write_str(what),
        }
    }
}

impl std::error::Error for TaskError {}

impl From<RobotError> for TaskError {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

impl From<DescriptionError> for TaskError {
    fn from(error: DescriptionError) -> Self {
        Self::Robot(error.into())
    }
}

impl From<CoordinateError> for TaskError {
    fn from(error: CoordinateError) -> Self {
        Self::Coordinates(error)
    }
}

//! Why a robot does not become a file of another program, or a file no robot.

use super::Dialect;
use crate::RobotError;
use crate::description::DescriptionError;
use std::fmt;

/// Why a robot does not become a file of another program, or a file no robot.
#[derive(Debug)]
#[non_exhaustive]
pub enum ExchangeError {
    /// The text is no XML.
    Syntax {
        /// The file.
        file: String,
        /// What the parser says, with line and column.
        message: String,
    },
    /// Something in the file is wrong.
    Fault {
        /// The file.
        file: String,
        /// Line and column, from 1.
        place: (u32, u32),
        /// What is wrong.
        what: String,
        /// The way out, if there is one.
        hint: Option<String>,
    },
    /// Something of the whole file is wrong.
    Whole {
        /// The file.
        file: String,
        /// What is wrong.
        what: String,
        /// The way out, if there is one.
        hint: Option<String>,
    },
    /// The dialect has no words for it.
    CannotSay {
        /// For what.
        what: String,
    },
    /// The robot cannot be asked.
    Robot(Box<RobotError>),
    /// What was read makes no robot file.
    Description {
        /// Whose file it was.
        dialect: Dialect,
        /// Why not.
        error: Box<DescriptionError>,
    },
    /// What was read is a robot file, but no robot.
    NoRobot {
        /// Whose file it was.
        dialect: Dialect,
        /// Why not.
        error: Box<RobotError>,
    },
}

impl fmt::Display for ExchangeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax { file, message } => write!(f, "`{file}` is no XML that can be read: {message}"),
            Self::Fault { file, place: (line, column), what, .. } => {
                write!(f, "{file}:{line}:{column}: {what}")
            }
            Self::Whole { file, what, .. } => write!(f, "{file}: {what}"),
            Self::CannotSay { what } => write!(f, "there are no words for {what}"),
            Self::Robot(error) => error.fmt(f),
            Self::Description { dialect, error } => {
                write!(f, "the {} makes no robot file: {error}", dialect.title())
            }
            Self::NoRobot { dialect, error } => write!(f, "the {} makes no robot: {error}", dialect.title()),
        }
    }
}

impl std::error::Error for ExchangeError {}

impl ExchangeError {
    /// The way out, if there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Syntax { message, .. } if message.contains("DTD") => Some(
                "a document type may define entities without an end: delete it, and write its entities out"
                    .into(),
            ),
            Self::Fault { hint, .. } | Self::Whole { hint, .. } => hint.clone(),
            Self::Robot(error) | Self::NoRobot { error, .. } => error.hint(),
            _ => None,
        }
    }
}

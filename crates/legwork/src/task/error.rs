//! Why a task gave no result.

use crate::RobotError;
use crate::analysis::linear::LinearError;
use crate::analysis::map::MapError;
use crate::check::GoldenError;
use crate::coordinates::CoordinateError;
use crate::description::DescriptionError;
use std::path::Path;
use std::{fmt, io};

/// What to do where a file is no recording.
pub(super) const RECORDING_HINT: &str =
    "give a file that `legwork simulate --out` wrote: .csv, .parquet or .mcap";

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
    /// A file cannot be written or read.
    File {
        /// Which file.
        path: String,
        /// `written` or `read`, or `read as a recording`.
        action: &'static str,
        /// Why not.
        cause: String,
    },
    /// The caller cancelled before there was anything to tell.
    Cancelled,
    /// The robot reaches no pose of a map.
    NoPoseInReach {
        /// The robot.
        robot: String,
        /// How many poses the map has.
        poses: usize,
        /// Why the one in the middle is out of reach.
        cause: String,
        /// Where the robot is at home: "z -540 mm".
        home: String,
    },
    /// A map cannot be made.
    Map(MapError),
    /// A linear model cannot be made.
    Linear(LinearError),
    /// A golden file cannot be used.
    Golden {
        /// Which file.
        path: String,
        /// Why not.
        error: Box<GoldenError>,
    },
}

impl TaskError {
    /// A file that cannot be written.
    pub fn unwritten(path: &Path, error: &io::Error) -> Self {
        let cause = if error.raw_os_error().is_some() { error.kind().to_string() } else { error.to_string() };
        Self::File { path: path.display().to_string(), action: "written", cause }
    }

    /// Why, where the message does not say it itself.
    pub fn cause(&self) -> Option<String> {
        match self {
            Self::File { cause, .. } | Self::NoPoseInReach { cause, .. } => Some(cause.clone()),
            Self::Golden { error, .. } => Some(error.to_string()),
            _ => None,
        }
    }

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
            Self::File { action: "read as a recording", .. } => Some(RECORDING_HINT.into()),
            Self::Map(error) => error.hint(),
            Self::Linear(error) => error.hint(),
            Self::NoPoseInReach { home, .. } => {
                Some(format!("its home is at {home}; without ranges the map goes as far as it reaches"))
            }
            _ => None,
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
            Self::File { path, action, .. } => write!(f, "`{path}` cannot be {action}"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::NoPoseInReach { robot, poses, .. } => {
                write!(f, "`{robot}` reaches none of the {poses} poses")
            }
            Self::Map(error) => error.fmt(f),
            Self::Linear(error) => error.fmt(f),
            Self::Golden { path, .. } => write!(f, "cannot use the golden file `{path}`"),
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

impl From<MapError> for TaskError {
    fn from(error: MapError) -> Self {
        Self::Map(error)
    }
}

impl From<LinearError> for TaskError {
    fn from(error: LinearError) -> Self {
        match error {
            LinearError::Robot(error) => Self::Robot(error),
            error => Self::Linear(error),
        }
    }
}

//! Why a task gave no result.

use crate::analysis::linear::LinearError;
use crate::analysis::map::MapError;
use crate::analysis::size::SizeError;
use crate::check::GoldenError;
use crate::coordinates::CoordinateError;
use crate::description::DescriptionError;
use crate::experiment::ExperimentError;
use crate::files::FileFault;
use crate::plan::PlanError;
use crate::sim::SimulationError;
use crate::text::short;
use crate::{ErrorKind, RobotError};
use legwork_core::trajectory::{LawError, PathError};
use std::path::Path;
use std::{fmt, io};

/// What to do where a file is no recording.
pub(super) const RECORDING_HINT: &str =
    "give a file that `legwork simulate --out` wrote: .csv, .parquet or .mcap";

/// Why a task gave no result.
#[derive(Debug)]
#[non_exhaustive]
pub enum TaskError {
    /// The text is not a request.
    Unreadable {
        /// What is wrong, in the words of the reader.
        message: String,
        /// Line, from 1.
        line: usize,
        /// Column in characters, from 1.
        column: usize,
        /// The value that is wrong: `path.height`, `path.from.2`; lists count from 1.
        field: Option<String>,
    },
    /// The robot cannot be had, or cannot answer.
    Robot(RobotError),
    /// Numbers do not say where the robot is.
    Coordinates(CoordinateError),
    /// A file cannot be written or read.
    File {
        /// Which file.
        path: String,
        /// `written` or `read`, or `read as a recording`.
        action: &'static str,
        /// Why not.
        cause: String,
    },
    /// A number of a request is not in its range.
    Value {
        /// The field.
        field: String,
        /// Its value, in SI.
        value: f64,
        /// What it must be.
        must: &'static str,
    },
    /// Something that a request names cannot be used: a file of efforts, a motor table, the place of a recording.
    Unusable {
        /// What cannot be used.
        what: String,
        /// Why not.
        cause: String,
        /// A way out.
        hint: Option<String>,
    },
    /// A run cannot begin.
    Simulation(Box<SimulationError>),
    /// A closed loop cannot begin.
    Experiment(Box<ExperimentError>),
    /// There is no plan.
    Plan(Box<PlanError>),
    /// Motors cannot be sized.
    Size(Box<SizeError>),
    /// Two parts of a request contradict each other, or one is missing.
    Request {
        /// What is wrong, naming the fields.
        what: String,
        /// A way out.
        hint: Option<String>,
    },
    /// The caller cancelled before there was anything to tell.
    Cancelled,
    /// A number of the result is not finite: it is beyond the range of numbers, so there is no result.
    NotFinite {
        /// Which one.
        what: String,
        /// Its value: infinite, or no number.
        value: f64,
    },
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

/// The way out of a result that is not finite.
const TOO_LARGE: &str =
    "look for a length, a mass or a limit that is far too large or too small, by its unit perhaps";

impl TaskError {
    /// Refuses the first of some numbers of a result that is not finite.
    pub(super) fn unless_finite<'a>(numbers: impl IntoIterator<Item = (&'a str, f64)>) -> Result<(), Self> {
        match numbers.into_iter().find(|(_, value)| !value.is_finite()) {
            Some((what, value)) => Err(Self::NotFinite { what: what.into(), value }),
            None => Ok(()),
        }
    }

    /// What sort of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Robot(error) => error.kind(),
            Self::Coordinates(_)
            | Self::Value { .. }
            | Self::Unreadable { .. }
            | Self::Request { .. }
            | Self::Unusable { .. } => ErrorKind::InvalidRequest,
            Self::File { .. } => ErrorKind::File,
            Self::NoPoseInReach { .. } => ErrorKind::Unreachable,
            Self::Cancelled => ErrorKind::Cancelled,
            _ => ErrorKind::TaskFailed,
        }
    }

    /// A file that cannot be written.
    pub fn unwritten(path: &Path, error: &io::Error) -> Self {
        let cause = if error.raw_os_error().is_some() { error.kind().to_string() } else { error.to_string() };
        Self::File { path: path.display().to_string(), action: "written", cause }
    }

    /// The same for a file of the disk.
    pub(super) fn not_written(path: &Path, fault: &FileFault) -> Self {
        let (path, hint) = (path.display().to_string(), fault.hint());
        match hint {
            None => Self::File { path, action: "written", cause: fault.to_string() },
            Some(hint) => Self::Unusable {
                what: format!("`{path}` cannot be written"),
                cause: fault.to_string(),
                hint: Some(hint.into()),
            },
        }
    }

    /// Why, where the message does not say it itself.
    pub fn cause(&self) -> Option<String> {
        match self {
            Self::File { cause, .. } | Self::NoPoseInReach { cause, .. } | Self::Unusable { cause, .. } => {
                Some(cause.clone())
            }
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
            Self::Request { hint, .. } | Self::Unusable { hint, .. } => hint.clone(),
            Self::Simulation(error) => simulation_hint(error),
            Self::Experiment(error) => experiment_hint(error),
            Self::Plan(error) => error.hint(),
            Self::Size(error) => error.hint(),
            Self::NotFinite { .. } => Some(TOO_LARGE.into()),
            Self::Linear(error) => error.hint(),
            Self::File { action: "read as a recording", .. } => Some(RECORDING_HINT.into()),
            Self::Map(error) => error.hint(),
            Self::NoPoseInReach { home, .. } => {
                Some(format!("its home is at {home}; without ranges the map goes as far as it reaches"))
            }
            _ => None,
        }
    }
}

/// A number that must be larger than zero.
pub(crate) fn positive(field: &str, value: f64) -> Result<f64, TaskError> {
    if value > 0.0 {
        return Ok(value);
    }
    Err(TaskError::Value { field: field.into(), value, must: "must be larger than zero" })
}

/// A number that must not be less than zero.
pub(super) fn not_negative(field: &str, value: f64) -> Result<f64, TaskError> {
    if value >= 0.0 {
        return Ok(value);
    }
    Err(TaskError::Value { field: field.into(), value, must: "must not be less than zero" })
}

fn simulation_hint(error: &SimulationError) -> Option<String> {
    let hint = match error {
        SimulationError::Robot(error) => return error.hint(),
        SimulationError::Massless { .. } => "leave `integrator` out, or take rk4",
        SimulationError::NotSymplectic => "let `formulation` be hamiltonian",
        SimulationError::TooMany { what: "samples", .. } => "take a longer `sample` or a shorter `duration`",
        SimulationError::TooMany { what: "steps", .. } => "take a longer `step` or a shorter `duration`",
        SimulationError::TooMany { .. } => "take a longer `period` or a shorter motion",
        _ => return None,
    };
    Some(hint.into())
}

fn experiment_hint(error: &ExperimentError) -> Option<String> {
    match error {
        ExperimentError::Robot(error) => error.hint(),
        ExperimentError::Simulation(SimulationError::TooMany { what: "samples", .. }) => {
            Some("take a longer `sample`, or fewer `cycles`".into())
        }
        ExperimentError::Simulation(error) => simulation_hint(error),
        ExperimentError::Unreachable { .. } | ExperimentError::OutsideLimits { .. } => {
            Some("move or shrink the path: `from`, `to`, `height`".into())
        }
        ExperimentError::TooFast { fits_in, of_plant, .. } => {
            let other = if *of_plant { "`speed_limit`" } else { "speed of the motor in the robot file" };
            Some(format!(
                "give a `move_time` of {} s or more, a lower `peak`, or a higher {other}",
                short(*fits_in)
            ))
        }
        ExperimentError::Shift { shift, period } => {
            let (below, above) = ((shift / period).floor() * period, (shift / period).ceil() * period);
            Some(format!(
                "give a `shift` of {} ms or {} ms, or a `period` that it is a multiple of",
                short(below * 1e3),
                short(above * 1e3)
            ))
        }
        ExperimentError::Inertia { .. } => Some("give `kp` and `kd`".into()),
        _ => None,
    }
}

impl fmt::Display for TaskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { message, line, column, .. } => {
                write!(f, "this is not a request: line {line}, column {column}: {message}")
            }
            Self::Robot(error) => error.fmt(f),
            Self::Coordinates(error) => error.fmt(f),
            Self::Value { field, value, must } => write!(f, "`{field}` is {value}; it {must}"),
            Self::File { path, action, .. } => write!(f, "`{path}` cannot be {action}"),
            Self::Simulation(error) => error.fmt(f),
            Self::Experiment(error) => error.fmt(f),
            Self::Plan(error) => error.fmt(f),
            Self::Size(error) => error.fmt(f),
            Self::Linear(error) => error.fmt(f),
            Self::Request { what, .. } | Self::Unusable { what, .. } => f.write_str(what),
            Self::Cancelled => f.write_str("cancelled"),
            Self::NotFinite { what, value } => {
                write!(f, "{what} comes to {value}: beyond the range of numbers")
            }
            Self::NoPoseInReach { robot, poses, .. } => {
                write!(f, "`{robot}` reaches none of the {poses} poses")
            }
            Self::Map(error) => error.fmt(f),
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

impl From<PathError> for TaskError {
    fn from(error: PathError) -> Self {
        Self::request(format!("there is no such path: {error}"))
    }
}

impl From<LawError> for TaskError {
    fn from(error: LawError) -> Self {
        Self::request(format!("there is no such law: {error}"))
    }
}

macro_rules! from {
    ($($error:ident as $variant:ident),*) => {
        $(impl From<$error> for TaskError {
            fn from(error: $error) -> Self {
                match error {
                    $error::Robot(error) => Self::Robot(error),
                    error => Self::$variant(Box::new(error)),
                }
            }
        })*
    };
}
from!(SimulationError as Simulation, PlanError as Plan, SizeError as Size);

impl From<LinearError> for TaskError {
    fn from(error: LinearError) -> Self {
        match error {
            LinearError::Robot(error) => Self::Robot(error),
            LinearError::Cancelled => Self::Cancelled,
            error => Self::Linear(error),
        }
    }
}

impl From<ExperimentError> for TaskError {
    fn from(error: ExperimentError) -> Self {
        match error {
            ExperimentError::Robot(error) => error.into(),
            ExperimentError::Simulation(error) => error.into(),
            error => Self::Experiment(Box::new(error)),
        }
    }
}

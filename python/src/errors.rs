//! Errors of the library as exceptions of `pylegwork._errors`: their words, their way out, their fields.

use legwork::ErrorKind;
use legwork::RobotError;
use legwork::coordinates::CoordinateError;
use legwork::engine::StateError;
use legwork::mechanism::MechanismError;
use legwork::recording::ReadError;
use legwork::robots::delta::{MeetError, PostureError};
use legwork::task::TaskError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use std::path::Path;

/// What an exception says.
#[derive(Default)]
struct Words {
    message: String,
    cause: Option<String>,
    hint: Option<String>,
}

/// A field of an exception.
enum Field {
    Count(usize),
    Number(f64),
    Text(String),
}

type Fields = Vec<(&'static str, Field)>;

fn exceptions(py: Python<'_>) -> PyResult<&Bound<'_, PyModule>> {
    static MODULE: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    MODULE
        .get_or_try_init(py, || py.import("pylegwork._errors").map(Bound::unbind))
        .map(|module| module.bind(py))
}

fn exception(py: Python<'_>, class: &str, words: Words, fields: Fields) -> PyResult<PyErr> {
    let class = exceptions(py)?.getattr(class)?;
    let error = class.call1((words.message, words.cause, words.hint))?;
    for (name, field) in fields {
        match field {
            Field::Count(value) => error.setattr(name, value)?,
            Field::Number(value) => error.setattr(name, value)?,
            Field::Text(value) => error.setattr(name, value)?,
        }
    }
    Ok(PyErr::from_value(error))
}

fn raised(py: Python<'_>, class: &str, words: Words, fields: Fields) -> PyErr {
    // If the package is broken, its own error says so.
    exception(py, class, words, fields).unwrap_or_else(|error| error)
}

/// What a caller gave that cannot be.
pub fn invalid_input(py: Python<'_>, message: impl Into<String>) -> PyErr {
    raised(py, "InvalidInput", Words { message: message.into(), ..Words::default() }, Vec::new())
}

/// Numbers that do not say where the robot is.
pub fn coordinates(py: Python<'_>, error: &CoordinateError) -> PyErr {
    let words = Words { message: error.to_string(), hint: error.hint(), cause: None };
    raised(py, class(error.kind()), words, Vec::new())
}

/// The exception for a sort of error.
fn class(kind: ErrorKind) -> &'static str {
    match kind {
        ErrorKind::NotFinite
        | ErrorKind::NotARotation
        | ErrorKind::NotAFreedom
        | ErrorKind::NotForThisRobot
        | ErrorKind::WrongLength
        | ErrorKind::InvalidInput => "InvalidInput",
        ErrorKind::Unreachable => "OutOfReach",
        ErrorKind::SerialSingularity | ErrorKind::ParallelSingularity => "Singular",
        ErrorKind::NoMass => "NoMasses",
        ErrorKind::NoSolution => "NoSolution",
        ErrorKind::NoAnswer => "Error",
        ErrorKind::InvalidRobot => "InvalidRobot",
        ErrorKind::InvalidRequest => "InvalidRequest",
        ErrorKind::File => "FileFault",
        ErrorKind::Cancelled => "Cancelled",
        ErrorKind::TaskFailed => "TaskFailed",
    }
}

/// A robot that cannot be had, or cannot answer.
pub fn robot(py: Python<'_>, error: &RobotError) -> PyErr {
    let words = Words { message: error.to_string(), hint: error.hint(), cause: None };
    raised(py, class(error.kind()), words, fields(error))
}

/// Whether no state of the robot can have an answer.
pub fn is_of_every_state(error: &RobotError) -> bool {
    matches!(error, RobotError::NoMasses { .. } | RobotError::Count { .. } | RobotError::Redundant { .. })
}

/// The numbers of an error that a program may want.
fn fields(error: &RobotError) -> Fields {
    use Field::{Count, Number, Text};
    match error {
        RobotError::Posture(PostureError::Unreachable { leg, gap, .. }) => {
            vec![("leg", Count(*leg)), ("missing", Number(*gap))]
        }
        RobotError::Posture(PostureError::CannotMeet(MeetError::TooFarApart { gap })) => {
            vec![("missing", Number(*gap))]
        }
        RobotError::Posture(PostureError::SerialSingularity { leg, transmission }) => {
            vec![("leg", Count(*leg)), ("margin", Number(*transmission))]
        }
        RobotError::State(
            StateError::Unreachable { leg, margin }
            | StateError::SingularLeg { leg, margin }
            | StateError::BranchEnds { leg, margin, .. },
        ) => vec![("leg", Count(*leg)), ("margin", Number(*margin))],
        RobotError::State(StateError::Singular { margin }) => vec![("margin", Number(*margin))],
        RobotError::JointCone { leg, .. } => vec![("leg", Count(*leg))],
        RobotError::PassiveLimit { joint, value, .. } => {
            vec![("joint", Text(joint.clone())), ("value", Number(*value))]
        }
        RobotError::PassiveCone { joint, lean, .. } => {
            vec![("joint", Text(joint.clone())), ("value", Number(*lean))]
        }
        RobotError::MechanismState(fault) => match &**fault {
            MechanismError::OffPose { distance, .. } => vec![("missing", Number(*distance))],
            MechanismError::EndOfBranch { joint, margin, .. } => {
                vec![("joint", Text(joint.clone())), ("margin", Number(*margin))]
            }
            _ => Vec::new(),
        },
        RobotError::NotFinite { component, value, .. }
        | RobotError::Overflow { component, value, .. }
        | RobotError::State(StateError::NotFinite { component, value, .. })
        | RobotError::Posture(PostureError::NotFinite { component, value, .. }) => {
            vec![("component", Count(*component)), ("value", Number(*value))]
        }
        _ => Vec::new(),
    }
}

/// A recording that cannot be read.
pub fn file(py: Python<'_>, path: &Path, error: &ReadError) -> PyErr {
    let words = Words { message: error.to_string(), hint: error.hint(), cause: None };
    raised(py, "FileFault", words, vec![("path", Field::Text(path.display().to_string()))])
}

/// A task without a result.
pub fn task(py: Python<'_>, error: &TaskError) -> PyErr {
    let words = Words { message: error.to_string(), cause: error.cause(), hint: error.hint() };
    let fields = match error {
        TaskError::Robot(error) => return robot(py, error),
        TaskError::Value { field, value, .. } => {
            vec![("field", Field::Text(field.clone())), ("value", Field::Number(*value))]
        }
        TaskError::File { path, .. } => vec![("path", Field::Text(path.clone()))],
        _ => Vec::new(),
    };
    raised(py, class(error.kind()), words, fields)
}

//! Why a golden file cannot be used.

use crate::RobotError;
use crate::files::FileFault;
use crate::mechanism::MechanismError;
use crate::sim::SimulationError;
use legwork_core::integrate::Halt;
use legwork_core::motion::Fault;
use std::fmt;

/// A place for people: "state 4, /states/3/joint/q: ".
fn place(pointer: &str) -> String {
    let mut parts = pointer.split('/').skip(1);
    let number = match (parts.next(), parts.next().and_then(|number| number.parse::<usize>().ok())) {
        (Some("states"), Some(number)) => format!("state {}, ", number + 1),
        (Some("samples"), Some(number)) => format!("sample {}, ", number + 1),
        _ => String::new(),
    };
    format!("{number}{pointer}: ")
}

/// Why a golden file cannot be used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GoldenError {
    /// It cannot be opened.
    Unreadable {
        /// The operating system's reason.
        cause: FileFault,
    },
    /// It is not JSON.
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// A key stands twice in one table: which of the two counts?
    DuplicateKey {
        /// The key and its table: `/states/3/joint/q`.
        pointer: String,
    },
    /// A key that the format does not have, or a parameter that the family does not have.
    UnknownKey {
        /// Where.
        pointer: String,
        /// The key that was probably meant.
        meant: Option<String>,
    },
    /// A value is null.
    Null {
        /// Where.
        pointer: String,
    },
    /// A quantity of some states is not in all of them.
    MissingInSome {
        /// Where it should be.
        pointer: String,
    },
    /// Two things that the file says do not agree.
    Contradiction {
        /// The one.
        pointer: String,
        /// The other.
        of: String,
    },
    /// It holds no states, or a motion without a second sample.
    NoStates,
    /// It is not a format known here.
    Format {
        /// What it says it is.
        found: String,
    },
    /// A parameter or quantity is missing or is not made of numbers.
    Missing {
        /// Where: `/states/3/joint/q`.
        pointer: String,
    },
    /// A list is longer or shorter than it can be.
    Count {
        /// Where: `/states/3/effort`.
        pointer: String,
        /// How many numbers it has.
        found: usize,
        /// How many it should have.
        expected: usize,
    },
    /// A word that stands for nothing.
    UnknownWord {
        /// Where: `/joints/3/type`.
        pointer: String,
        /// The word.
        word: String,
        /// The words that are known.
        known: String,
    },
    /// It describes a robot that is not known here.
    UnknownRobot {
        /// Its name.
        robot: String,
    },
    /// Its parameters make no robot, or a state cannot be reached.
    Robot {
        /// The state, from 0; `None` for the parameters.
        state: Option<usize>,
        /// Why.
        error: RobotError,
    },
    /// Its bodies and joints make no mechanism, or a state cannot be reached.
    Mechanism {
        /// The state, from 0; `None` for the mechanism.
        state: Option<usize>,
        /// Why.
        error: MechanismError,
    },
    /// Its trajectory cannot be run.
    Run {
        /// Why.
        error: Box<SimulationError>,
    },
    /// Its trajectory ended early.
    Stopped {
        /// When \[s\].
        time: f64,
        /// Why.
        reason: Halt<Fault>,
    },
    /// The caller ended the comparison.
    Cancelled,
}

impl fmt::Display for GoldenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { cause: cause @ FileFault::Missing { .. } } => cause.fmt(f),
            Self::Unreadable { cause } => write!(f, "cannot be read: {cause}"),
            Self::Syntax { line, column, message } => write!(f, "line {line}, column {column}: {message}"),
            Self::Format { found } => write!(
                f,
                "its `format` is {found}; this program compares `legwork-golden-1` (states of a robot), \
                 `legwork-golden-trajectory-1` (a motion), `legwork-golden-mechanism-1` and \
                 `legwork-golden-mechanism-trajectory-1` (the same of bodies and joints)"
            ),
            Self::DuplicateKey { pointer } => {
                write!(f, "{}the key stands twice; leave one out", place(pointer))
            }
            Self::UnknownKey { pointer, meant: Some(meant) } => {
                write!(f, "{}no such key here: did you mean `{meant}`?", place(pointer))
            }
            Self::UnknownKey { pointer, meant: None } => {
                write!(f, "{}no such key here: what it says would be ignored", place(pointer))
            }
            Self::Null { pointer } => {
                write!(
                    f,
                    "{}null is no value; give a number or leave the key out of every state",
                    place(pointer)
                )
            }
            Self::MissingInSome { pointer } => {
                write!(f, "{}missing, while other states have it", place(pointer))
            }
            Self::Contradiction { pointer, of } => write!(f, "{}does not agree with {of}", place(pointer)),
            Self::NoStates => f.write_str(
                "it holds no states (or a motion without a second sample): nothing would be compared",
            ),
            Self::Missing { pointer } => write!(f, "no numbers at {pointer}"),
            Self::Count { pointer, found, expected } => {
                write!(f, "{}{found} numbers where {expected} are expected", place(pointer))
            }
            Self::UnknownWord { pointer, word, known } => {
                write!(f, "{}`{word}` is none of: {known}", place(pointer))
            }
            Self::UnknownRobot { robot } => {
                write!(
                    f,
                    "no model for the robot `{robot}` here: its parameters are those of no known family"
                )
            }
            Self::Robot { state: None, error } => write!(f, "its parameters: {error}"),
            Self::Robot { state: Some(state), error } => write!(f, "state {}: {error}", state + 1),
            Self::Mechanism { state: None, error } => write!(f, "its mechanism: {error}"),
            Self::Mechanism { state: Some(state), error } => write!(f, "state {}: {error}", state + 1),
            Self::Run { error } => error.fmt(f),
            Self::Cancelled => f.write_str("cancelled"),
            Self::Stopped { time, reason } => write!(f, "the run stopped at {time:.6} s: {reason}"),
        }
    }
}

impl std::error::Error for GoldenError {}

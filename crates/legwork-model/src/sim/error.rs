//! Why a run cannot begin.

use super::FormulationKind;
use crate::RobotError;
use crate::text::short;
use legwork_core::motion::Fault;
use std::fmt;

/// Most samples of a run.
pub const MOST_SAMPLES: f64 = legwork_core::integrate::MOST_STEPS as f64;

/// Why a run cannot begin. What happens on the way is an [`Ending`](super::Ending), not an error.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SimulationError {
    /// The robot, or its start.
    Robot(RobotError),
    /// The start is singular in this formulation.
    Start(Fault),
    /// A list has the wrong length.
    Count {
        /// What the list is.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A duration, interval, step or tolerance that is not a positive number.
    NotPositive {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Times must grow from row to row.
    TimesNotAscending {
        /// The row, from 0, that does not.
        row: usize,
        /// Its time \[s\].
        time: f64,
    },
    /// More steps, samples or samples of the controller than a run may have.
    TooMany {
        /// Of what.
        what: &'static str,
        /// How many there would be.
        count: f64,
        /// How many there may be.
        most: u64,
    },
    /// A number that makes no plant.
    Plant {
        /// Which one.
        what: &'static str,
        /// Of which motor, from 0; `None` if it is of none.
        motor: Option<usize>,
        /// Its value.
        value: f64,
    },
    /// Something is to happen when the run is over.
    AfterTheEnd {
        /// What.
        what: &'static str,
        /// When \[s\].
        time: f64,
        /// How long the run is \[s\].
        duration: f64,
    },
    /// The table of the base's motion does not cover the run.
    BaseTooShort {
        /// Its first time \[s\].
        first: f64,
        /// Its last one \[s\].
        last: f64,
        /// How long the run is \[s\].
        duration: f64,
    },
    /// RATTLE steps need momenta.
    NotSymplectic,
    /// RATTLE steps need a mass on every joint.
    Massless {
        /// Bodies whose joints move nothing that has mass.
        bodies: Vec<String>,
    },
}

impl fmt::Display for FormulationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Minimal => "minimal",
            Self::Constrained { .. } => "constrained",
            Self::Projected => "projected",
            Self::Hamiltonian => "hamiltonian",
        })
    }
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(error) => error.fmt(f),
            Self::Start(fault) => write!(f, "the run cannot start: {fault}"),
            Self::Count { what, expected, found } => {
                write!(f, "{what}: {expected} numbers expected, {found} given")
            }
            Self::NotPositive { what, value } => {
                write!(f, "the {what} is {value}; it must be larger than zero")
            }
            Self::TimesNotAscending { row, time } => {
                write!(f, "row {}: the time {time} s does not come after the one before", row + 1)
            }
            Self::TooMany { what, count, most } => {
                write!(f, "the run would have {count:.3e} {what}; {most} are the most")
            }
            Self::Plant { what, motor: Some(motor), value } => {
                write!(f, "the {what} of motor {} cannot be {value}", motor + 1)
            }
            Self::Plant { what, motor: None, value } => write!(f, "the {what} cannot be {value}"),
            Self::BaseTooShort { first, last, duration } => write!(
                f,
                "the motion of the base is known from {} s to {} s, and the run goes from 0 s to {} s",
                short(*first),
                short(*last),
                short(*duration)
            ),
            Self::AfterTheEnd { what, time, duration } => {
                write!(
                    f,
                    "the {what} at {} s is after the end of the run at {} s",
                    short(*time),
                    short(*duration)
                )
            }
            Self::NotSymplectic => write!(f, "RATTLE steps need the hamiltonian form"),
            Self::Massless { bodies } => {
                let names: Vec<String> = bodies.iter().take(6).map(|name| format!("`{name}`")).collect();
                let more = if bodies.len() > 6 { " and others" } else { "" };
                write!(
                    f,
                    "RATTLE cannot step joints that move no mass, as those of {}{more}: take another integrator, with \
                     which the hamiltonian form goes too, or, where they are bodies of the file, give them a mass",
                    names.join(", ")
                )
            }
        }
    }
}

impl std::error::Error for SimulationError {}

impl From<RobotError> for SimulationError {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

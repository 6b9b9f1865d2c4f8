//! Why there is no fastest motion.

use super::Limit;
use core::fmt;

/// Why there is no fastest motion along a path; `F` is what the robot says.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum OptimalError<F> {
    /// A limit is not a usable number.
    Limits {
        /// Which limit.
        what: &'static str,
        /// Of which motor, from 0.
        motor: Option<usize>,
        /// Its value.
        value: f64,
    },
    /// The path has no length, or a speed at its ends is not a number.
    BadNumber {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A grid needs two points at least.
    TooFewPoints {
        /// How many it has.
        points: usize,
    },
    /// The robot has no answer at a point of the path.
    Robot {
        /// Where \[m\].
        s: f64,
        /// What it says.
        fault: F,
    },
    /// The robot answers with a number that is none.
    NotFinite {
        /// Where \[m\].
        s: f64,
    },
    /// At no speed are all limits kept here.
    Infeasible {
        /// Where \[m\].
        s: f64,
        /// The two limits that exclude each other.
        limits: [Limit; 2],
    },
    /// The limits can be kept, but not from this speed at the start.
    StartSpeed {
        /// The speed asked for \[m/s\].
        speed: f64,
        /// Between these it would work \[m/s\].
        range: [f64; 2],
    },
    /// The robot cannot leave this point: its motors just hold it.
    Standstill {
        /// Where \[m\].
        s: f64,
    },
}

impl<F: fmt::Display> fmt::Display for OptimalError<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Limits { what, motor: Some(motor), value } => {
                write!(f, "the {what} of motor {} is {value}; it must be larger than zero", motor + 1)
            }
            Self::Limits { what, motor: None, value } => {
                write!(f, "the {what} is {value}; it must be larger than zero")
            }
            Self::BadNumber { what, value } => write!(f, "the {what} is {value}"),
            Self::TooFewPoints { points } => write!(f, "{points} grid points; two are the least"),
            Self::Robot { s, fault } => write!(f, "{s:.6} m along the path: {fault}"),
            Self::NotFinite { s } => write!(f, "{s:.6} m along the path the robot's answer is not a number"),
            Self::Infeasible { s, limits: [a, b] } => {
                write!(f, "{s:.6} m along the path no speed keeps both limits: {a}; {b}")
            }
            Self::StartSpeed { speed, range: [low, high] } => {
                write!(f, "the motion cannot start at {speed} m/s; between {low:.6} and {high:.6} m/s it can")
            }
            Self::Standstill { s } => {
                write!(f, "{s:.6} m along the path the motors just hold the robot: it cannot go on")
            }
        }
    }
}

impl<F: fmt::Debug + fmt::Display> core::error::Error for OptimalError<F> {}

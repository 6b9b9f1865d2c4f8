//! Why an experiment cannot begin.

use crate::RobotError;
use crate::sim::SimulationError;
use legwork_core::control::SettingsError;
use legwork_core::trajectory::{LawError, PathError};
use std::fmt;

/// Why an experiment cannot begin. What happens on the way is in its outcome.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ExperimentError {
    /// The robot, or the one the controller knows.
    Robot(RobotError),
    /// The run.
    Simulation(SimulationError),
    /// The regulator.
    Settings(SettingsError),
    /// The path.
    Path(PathError),
    /// The law.
    Law(LawError),
    /// The robot cannot follow the path.
    Unreachable {
        /// When the reference is there \[s\].
        time: f64,
        /// Where \[m\].
        position: [f64; 3],
        /// Why it cannot.
        cause: RobotError,
    },
    /// The path takes a motor beyond the limits of the robot's file.
    OutsideLimits {
        /// When the reference is there \[s\].
        time: f64,
        /// Which motor, from 0.
        motor: usize,
        /// Its value there \[rad or m\].
        value: f64,
    },
    /// A list has the wrong length.
    Count {
        /// What the list is.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A number that cannot be used.
    Number {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// The robot that the controller knows is another machine.
    OtherRobot {
        /// Motors of the robot.
        motors: usize,
        /// Motors of the one the controller knows.
        known: usize,
    },
    /// Gains cannot be taken from the mass matrix.
    Inertia {
        /// Which motor, from 0.
        motor: usize,
        /// Its mean inertia \[kg m² or kg\].
        value: f64,
    },
    /// Way-points are two to ten.
    WayPoints {
        /// How many there are.
        found: usize,
    },
    /// No default path fits into the robot.
    NoWay {
        /// Its name.
        robot: String,
    },
    /// A regulator whose gains are computed elsewhere was not given any.
    NoGains {
        /// Which gains.
        what: &'static str,
    },
    /// A number of motors that regulators are not built for.
    Motors {
        /// How many there are.
        motors: usize,
    },
}

impl fmt::Display for ExperimentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(error) => error.fmt(f),
            Self::Simulation(error) => error.fmt(f),
            Self::Settings(error) => error.fmt(f),
            Self::Path(error) => error.fmt(f),
            Self::Law(error) => error.fmt(f),
            Self::Unreachable { time, position: [x, y, z], cause } => {
                write!(
                    f,
                    "the path leaves the robot's reach after {time:.4} s, at {x:.4} {y:.4} {z:.4} m: {cause}"
                )
            }
            Self::OutsideLimits { time, motor, value } => {
                write!(
                    f,
                    "the path takes motor {} to {value:.4} after {time:.4} s, outside its limits",
                    motor + 1
                )
            }
            Self::Count { what, expected, found } => {
                write!(f, "{what}: {expected} numbers expected, {found} given")
            }
            Self::Number { what, value } => {
                write!(f, "the {what} is {value}; it must be a number larger than zero")
            }
            Self::OtherRobot { motors, known } => {
                write!(f, "the controller knows a robot of {known} motors; this one has {motors}")
            }
            Self::Inertia { motor, value } => write!(
                f,
                "the mass matrix gives motor {} the mean inertia {value}: give its gains instead of a frequency",
                motor + 1
            ),
            Self::WayPoints { found } => write!(f, "{found} way-points; there must be 2 to 10"),
            Self::NoWay { robot } => {
                write!(f, "no path about the home of `{robot}` stays inside its reach: give a path")
            }
            Self::NoGains { what } => {
                write!(f, "no {what}: compute them of the linear model and put them into the tuning")
            }
            Self::Motors { motors } => write!(f, "there is no regulator for {motors} motors"),
        }
    }
}

impl std::error::Error for ExperimentError {}

macro_rules! from {
    ($($error:ident as $variant:ident),*) => {
        $(impl From<$error> for ExperimentError {
            fn from(error: $error) -> Self {
                Self::$variant(error)
            }
        })*
    };
}
from!(
    RobotError as Robot,
    SimulationError as Simulation,
    SettingsError as Settings,
    PathError as Path,
    LawError as Law
);

//! Why an experiment cannot begin.

use crate::RobotError;
use crate::sim::SimulationError;
use crate::text::short;
use legwork_core::control::SettingsError;
use legwork_core::trajectory::{LawError, PathError};
use std::fmt;

/// What is wrong with the rows of a motion. Rows are counted from 0.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum RowsFault {
    /// A motion has two rows at least.
    TooFew {
        /// How many there are.
        rows: usize,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// In which row.
        row: usize,
    },
    /// Times must grow.
    TimeOrder {
        /// The first one of two rows that do not.
        row: usize,
        /// Their times \[s\].
        times: [f64; 2],
    },
    /// Rates of change do not belong to their values.
    Disagree {
        /// `velocities` or `accelerations`.
        what: &'static str,
        /// Of what they are the rates.
        of: &'static str,
        /// The unit of the sums.
        unit: &'static str,
        /// What the rates add up to.
        rates: f64,
        /// What the values change by.
        values: f64,
    },
}

impl fmt::Display for RowsFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooFew { rows: 0 } => write!(f, "it has no rows; a motion has two at least"),
            Self::TooFew { rows } => write!(f, "it has {rows} row; a motion has two at least"),
            Self::NotFinite { row } => write!(f, "row {} has a number that is not finite", row + 1),
            Self::TimeOrder { row, times: [a, b] } => {
                write!(f, "row {} is at {b} s and does not come after row {} at {a} s", row + 2, row + 1)
            }
            Self::Disagree { what, of, unit, rates, values } => write!(
                f,
                "the {what} are not those of the {of}: they add up to {rates:.4} {unit}, where the {of} change by {values:.4} {unit}"
            ),
        }
    }
}

impl std::error::Error for RowsFault {}

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
        cause: Box<RobotError>,
    },
    /// The path takes a motor beyond the limits of the robot's file.
    OutsideLimits {
        /// When the reference is there \[s\].
        time: f64,
        /// Which motor, from 0.
        motor: usize,
        /// Its value there \[rad or m\].
        value: f64,
        /// From and to, infinite where there is no limit \[rad or m\].
        limits: [f64; 2],
        /// `rad` or `m`.
        unit: &'static str,
    },
    /// The motion asks a motor for more speed than the robot's file allows, or than the plant drives it at.
    TooFast {
        /// When \[s\].
        time: f64,
        /// Which motor, from 0.
        motor: usize,
        /// Its speed there \[rad/s or m/s\].
        speed: f64,
        /// The most that is allowed \[rad/s or m/s\].
        most: f64,
        /// `rad/s` or `m/s`.
        unit: &'static str,
        /// Whether the limit is the plant's and not the file's.
        of_plant: bool,
        /// How long one way must take for this motor \[s\].
        fits_in: f64,
    },
    /// The shift T_m is not a whole number of samples.
    Shift {
        /// T_m \[s\].
        shift: f64,
        /// Time between two samples \[s\].
        period: f64,
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
    /// The rows of a motion.
    Rows(RowsFault),
    /// A sequence without a move.
    NoMoves,
    /// A move does not begin where the one before it ends.
    Apart {
        /// The first of both, from 0.
        first: usize,
    },
    /// A sequence that is repeated does not end as it begins.
    NotClosed {
        /// Whether it ends where it begins.
        is_at_start: bool,
        /// What it carries at its end \[kg\].
        carried: f64,
    },
    /// The blends at both ends of a line are longer than it.
    Blends {
        /// Which line, from 0.
        line: usize,
        /// Its length \[m\].
        length: f64,
        /// The blends \[m\].
        blends: [f64; 2],
    },
    /// No default path fits into the robot.
    NoWay {
        /// Its name.
        robot: String,
    },
    /// The platform does not turn, so it has no turn.
    NoTurn {
        /// Name of the robot.
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
            Self::OutsideLimits { time, motor, value, limits: [low, high], unit } => {
                write!(
                    f,
                    "the path takes motor {} to {value:.4} {unit} after {time:.4} s, outside its limits ({low:.4} to {high:.4} {unit})",
                    motor + 1
                )
            }
            Self::TooFast { time, motor, speed, most, unit, of_plant, .. } => {
                let whose = if *of_plant { "it is driven up to" } else { "its file allows" };
                write!(
                    f,
                    "the motion asks motor {} for {:.4} {unit} after {time:.4} s; {whose} {most:.4} {unit}",
                    motor + 1,
                    speed.abs()
                )
            }
            Self::Shift { shift, period } => write!(
                f,
                "a shift of {} ms is {} samples of {} ms; it must be a whole number of them",
                short(shift * 1e3),
                short(shift / period),
                short(period * 1e3)
            ),
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
            Self::Rows(fault) => fault.fmt(f),
            Self::NoMoves => write!(f, "a cycle has one move at least"),
            Self::Apart { first } => {
                write!(f, "move {} does not begin where move {} ends", first + 2, first + 1)
            }
            Self::NotClosed { is_at_start: false, .. } => {
                write!(f, "the cycle does not end where it begins: it can be run through once only")
            }
            Self::NotClosed { carried, .. } => write!(
                f,
                "the cycle ends with {carried} kg picked up and not put down: it can be run through once only"
            ),
            Self::Blends { line, length, blends: [before, after] } => write!(
                f,
                "the line of move {} is {:.4} mm long, the blends at its ends take {:.4} mm and {:.4} mm of it",
                line + 1,
                length * 1e3,
                before * 1e3,
                after * 1e3
            ),
            Self::NoWay { robot } => {
                write!(f, "no path about the home of `{robot}` stays inside its reach: give a path")
            }
            Self::NoTurn { robot } => {
                write!(f, "the platform of `{robot}` does not turn: take another kind of path")
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
    LawError as Law,
    RowsFault as Rows
);

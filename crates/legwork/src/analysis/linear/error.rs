//! Why a linear model cannot be had.

use crate::RobotError;
use crate::files::FileFault;
use std::fmt;

/// Why a linear model, or what is asked of it, cannot be had.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinearError {
    /// The robot has no such state.
    Robot(RobotError),
    /// Some motion of the platform moves no mass.
    NoMass {
        /// Name of the robot.
        robot: String,
    },
    /// A matrix has an entry that is NaN or infinite.
    NotFinite {
        /// Which matrix.
        what: &'static str,
    },
    /// An iteration did not end.
    NoConvergence {
        /// Which one.
        what: &'static str,
        /// What was left over, relative.
        residual: f64,
    },
    /// Joint coordinates need as many motors as freedoms.
    Redundant {
        /// How many motors.
        motors: usize,
        /// How many freedoms.
        freedoms: usize,
    },
    /// Numbers that do not fit.
    Count {
        /// What they are.
        what: &'static str,
        /// How many there must be.
        expected: usize,
        /// How many there are.
        found: usize,
    },
    /// A number out of its range.
    Number {
        /// Which one.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must be.
        wanted: &'static str,
    },
    /// A pole that is not real and has no conjugate in the list.
    Unpaired {
        /// Real part \[1/s\].
        re: f64,
        /// Imaginary part \[rad/s\].
        im: f64,
    },
    /// The caller ended it.
    Cancelled,
    /// A file cannot be written.
    File {
        /// Its name.
        path: String,
        /// Why not.
        cause: FileFault,
    },
}

impl fmt::Display for LinearError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(error) => error.fmt(f),
            Self::NoMass { robot } => {
                write!(f, "some motion of `{robot}` moves no mass: its mass matrix has no inverse")
            }
            Self::NotFinite { what } => write!(f, "{what} has entries that are no numbers"),
            Self::NoConvergence { what, residual } => {
                write!(f, "{what} did not converge; {residual:.1e} of it is left over")
            }
            Self::Redundant { motors, freedoms } => write!(
                f,
                "joint coordinates need as many motors as freedoms; there are {motors} motors for {freedoms} freedoms"
            ),
            Self::Count { what, expected, found } => {
                write!(f, "{what}: {expected} numbers expected, {found} given")
            }
            Self::Number { what, value, wanted } => write!(f, "{what} is {value}; it must be {wanted}"),
            Self::Unpaired { re, im } => write!(f, "the pole {re} {im:+} j has no conjugate in the list"),
            Self::Cancelled => f.write_str("cancelled"),
            Self::File { path, cause } => write!(f, "`{path}` cannot be written: {cause}"),
        }
    }
}

impl std::error::Error for LinearError {}

impl LinearError {
    /// A way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Robot(error) => error.hint(),
            Self::Redundant { .. } => Some("use platform coordinates".into()),
            Self::NoMass { .. } => Some("give the moving parts masses in the robot file".into()),
            _ => None,
        }
    }
}

impl From<RobotError> for LinearError {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

//! Why there is no plan.

use super::PoseFault;
use super::fastest::for_user;
use crate::RobotError;
use legwork_core::trajectory::PathFault;
use legwork_core::trajectory::optimal::OptimalError;
use std::fmt;

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PlanError {
    /// The robot itself: without masses there are no efforts.
    Robot(RobotError),
    /// Nothing limits acceleration.
    NoLimits {
        /// Name of the robot.
        robot: String,
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
    /// The path cannot be run through, and where.
    Path(Box<PathFault<PoseFault>>),
    /// No timing keeps the limits, and where. Efforts in the signs of the user.
    Timing(OptimalError<RobotError>),
    /// The robot has no answer in a motion along the path.
    At {
        /// Where \[m\].
        s: f64,
        /// What it says.
        cause: RobotError,
    },
    /// A number of motors that timing is not built for.
    Motors {
        /// How many.
        motors: usize,
    },
}

impl PlanError {
    pub(super) fn timing(error: OptimalError<RobotError>, sign: f64) -> Self {
        Self::Timing(match error {
            OptimalError::Infeasible { s, limits } => {
                OptimalError::Infeasible { s, limits: limits.map(|limit| for_user(limit, sign)) }
            }
            other => other,
        })
    }

    /// A way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Robot(error) => error.hint(),
            Self::NoLimits { .. } => Some(
                "give --torque-limit, or max_torque in the [motor] table of its file, or --acceleration"
                    .into(),
            ),
            Self::Count { .. } => Some("give one number for all motors, or one for each".into()),
            Self::Path(_) | Self::At { .. } => {
                Some("move or shrink the path: `--from`, `--to`, `--height`".into())
            }
            Self::Timing(OptimalError::Infeasible { .. } | OptimalError::Standstill { .. }) => Some(
                "the motors cannot even hold the robot there: raise the effort limit or lower the load"
                    .into(),
            ),
            _ => None,
        }
    }
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(error) => error.fmt(f),
            Self::NoLimits { robot } => {
                write!(
                    f,
                    "nothing limits the acceleration of `{robot}`: no largest effort of its motors is known"
                )
            }
            Self::Count { what, expected, found } => {
                write!(f, "{found} {what}; the robot has {expected} motors")
            }
            Self::Path(fault) => fault.fmt(f),
            Self::Timing(error) => error.fmt(f),
            Self::At { s, cause } => write!(f, "{s:.6} m along the path: {cause}"),
            Self::Motors { motors } => write!(f, "no timing is built for {motors} motors"),
        }
    }
}

impl std::error::Error for PlanError {}

impl From<RobotError> for PlanError {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

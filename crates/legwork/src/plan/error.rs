//! Why there is no plan.

use super::PoseFault;
use super::fastest::for_user;
use crate::RobotError;
use crate::text::short;
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
    /// A motion that is known by instants cannot be run through, and when: its place is a time \[s\].
    During(Box<PathFault<PoseFault>>),
    /// A move of several cannot be run through or timed.
    Move {
        /// Which one, from 0.
        number: usize,
        /// Why.
        cause: Box<PlanError>,
    },
    /// No timing keeps the limits, and where. Efforts in the signs of the user.
    Timing(OptimalError<RobotError>),
    /// A motor is too weak to hold the robot, and where it lacks most.
    CannotHold {
        /// Where \[m\].
        s: f64,
        /// Which motor, from 0.
        motor: usize,
        /// What it takes there, dry friction included \[N m or N\].
        needed: f64,
        /// What the motor may give \[N m or N\].
        limit: f64,
        /// `N m` or `N`.
        unit: &'static str,
        /// Turns of the motor for one of the joint; limits count behind it.
        gear_ratio: f64,
    },
    /// The robot has no answer in a motion along the path.
    At {
        /// Where \[m\].
        s: f64,
        /// What it says.
        cause: RobotError,
    },
    /// The robot has no answer at a time of a motion.
    AtTime {
        /// When \[s\].
        time: f64,
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
                "give --torque-limit, or motor_torque (at the shaft, as in a data sheet) or joint_torque (behind the gear) in \
                 the [motor] table of its file, or --acceleration"
                    .into(),
            ),
            Self::Count { .. } => Some("give one number for all motors, or one for each".into()),
            Self::During(_) => Some("move the motion to where the robot can follow it".into()),
            Self::Move { cause, .. } => cause.hint(),
            Self::Path(_) | Self::At { .. } => {
                Some("move or shrink the path: `--from`, `--to`, `--height`".into())
            }
            Self::CannotHold { gear_ratio, limit, unit, .. } => {
                let way_out = "raise the effort limit, lower the load, or move the path";
                let geared = (*gear_ratio != 1.0).then(|| {
                    let (gear, at_joint) = (short(*gear_ratio), short(limit * gear_ratio));
                    let limit = short(*limit);
                    format!("; limits count at the joint: {limit} {unit} at the motor are {at_joint} behind its gear of {gear}")
                });
                Some(format!("{way_out}{}", geared.unwrap_or_default()))
            }
            Self::Timing(OptimalError::Infeasible { .. } | OptimalError::Standstill { .. }) => {
                Some("raise the limits, or give more `--intervals`".into())
            }
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
            Self::During(fault) => {
                let (time, p, kind) = (fault.s, fault.pose.position, &fault.kind);
                write!(f, "after {time:.6} s, at ({:.6}, {:.6}, {:.6}) m: {kind}", p.x, p.y, p.z)
            }
            Self::Move { number, cause } => write!(f, "move {}: {cause}", number + 1),
            Self::Timing(error) => error.fmt(f),
            Self::CannotHold { s, motor, needed, limit, unit, .. } => write!(
                f,
                "the motors cannot hold the robot {} m along the path: motor {} needs {} {unit} there and has {}",
                short(*s),
                motor + 1,
                short(*needed),
                short(*limit)
            ),
            Self::At { s, cause } => write!(f, "{s:.6} m along the path: {cause}"),
            Self::AtTime { time, cause } => write!(f, "after {time:.6} s: {cause}"),
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

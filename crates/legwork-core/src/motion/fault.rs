//! Why a robot has no rate of change in a state.

use crate::engine::StateError;
use crate::robots::delta::PostureError;
use core::fmt;

/// Why a robot has no rate of change in a state.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// An input is NaN or infinite.
    NotFinite {
        /// Which input.
        what: &'static str,
        /// Which component, from 0.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// Another number of efforts than motors.
    Count {
        /// Motors.
        motors: usize,
        /// Efforts given.
        found: usize,
    },
    /// More parts than there is room for in a form of all joints.
    TooMany {
        /// Parts of which kind.
        what: &'static str,
        /// How many there may be.
        most: usize,
        /// How many there are.
        found: usize,
    },
    /// A Delta cannot be in this position.
    Posture(PostureError),
    /// A robot of the general engine cannot be in this pose.
    State(StateError),
    /// The closure equations do not determine the forces in the loops, or the masses not the motion.
    Singular {
        /// Smallest pivot.
        margin: f64,
    },
    /// The loops could not be closed.
    Open {
        /// What is left of the gap \[m\].
        gap: f64,
        /// Newton steps taken.
        steps: u16,
    },
    /// The implicit equations of a step were not solved: a shorter step is needed.
    NoConvergence {
        /// Iterations made.
        iterations: u16,
        /// Relative size of the last correction.
        correction: f64,
    },
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { what, component, value } => {
                write!(f, "component {} of the {what} is {value}", component + 1)
            }
            Self::Count { motors, found } => write!(f, "{found} efforts for {motors} motors"),
            Self::TooMany { what, most, found } => {
                write!(
                    f,
                    "{found} {what}, but there is room for {most} in a form of all joints; take the minimal form"
                )
            }
            Self::Posture(error) => error.fmt(f),
            Self::State(error) => error.fmt(f),
            Self::Singular { margin } => {
                write!(
                    f,
                    "singular: the forces in the loops are not determined (smallest pivot {margin:.1e})"
                )
            }
            Self::Open { gap, steps } => {
                write!(f, "the loops stay open by {gap:.3e} m after {steps} Newton steps")
            }
            Self::NoConvergence { iterations, correction } => write!(
                f,
                "the equations of the step are not solved after {iterations} iterations (correction {correction:.1e}); \
                 take a shorter step"
            ),
        }
    }
}

impl core::error::Error for Fault {}

impl From<PostureError> for Fault {
    fn from(error: PostureError) -> Self {
        Self::Posture(error)
    }
}

impl From<StateError> for Fault {
    fn from(error: StateError) -> Self {
        Self::State(error)
    }
}

/// As many efforts as motors, or the fault.
pub(super) fn efforts<const K: usize>(effort: &[f64]) -> Result<[f64; K], Fault> {
    effort.try_into().map_err(|_| Fault::Count { motors: K, found: effort.len() })
}

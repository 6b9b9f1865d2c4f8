//! How far a regulator is from the edge of stability, before it runs: phase and gain margins of the loop as it is
//! sampled, held and lagged, the frequency its gains may have, and the best shift T_m.
//!
//! The loop is that of an [`Experiment`](crate::experiment::Experiment): its machine half-way between the ends of its motion, linear
//! ([`Reduced`](super::linear::Reduced)), its drives with their lag, its encoders with their delay, and the law that its
//! regulator computes at every sample. Limits, Coulomb friction and the encoders' steps have no part in it.
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::analysis::tuning::LoopMargins;
//! use legwork::experiment::{ControllerKind, Experiment, TimedPath};
//! use legwork::sim::Plant;
//!
//! let robot = AnyRobot::open("delta-direct-drive")?;
//! let experiment = Experiment::new(&robot, TimedPath::codourey()?).on_plant(Plant::ideal().with_lag(2e-3));
//! let margins = LoopMargins::of(&experiment, ControllerKind::Pd)?;
//! assert!(margins.is_stable());
//! assert!(margins.phase.unwrap().margin.to_degrees() > 20.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod advice;
mod eigen;
mod law;
mod margins;
mod response;
mod sampled;
mod shift;

pub use advice::{Advice, LEAST_GAIN, LEAST_PHASE, WANTED_PHASE};
pub use margins::{GainMargin, LoopMargins, PhaseMargin};
pub use sampled::SampledLoop;
pub use shift::best_shift;

use super::linear::LinearError;
use crate::experiment::ExperimentError;
use crate::sim::SimulationError;
use std::fmt;

/// Why a loop cannot be judged.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TuningError {
    /// The robot has no linear model there.
    Linear(LinearError),
    /// The experiment itself cannot begin.
    Experiment(ExperimentError),
    /// The loop remembers too much to be worth an eigenvalue problem: encoders that are late by very many samples.
    TooLarge {
        /// How many numbers it remembers.
        states: usize,
        /// The most.
        most: usize,
    },
}

impl fmt::Display for TuningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Linear(error) => error.fmt(f),
            Self::Experiment(error) => error.fmt(f),
            Self::TooLarge { states, most } => {
                write!(
                    f,
                    "a loop with {states} states is not judged, the most are {most}; its encoders are too late"
                )
            }
        }
    }
}

impl std::error::Error for TuningError {}

impl From<LinearError> for TuningError {
    fn from(error: LinearError) -> Self {
        Self::Linear(error)
    }
}

impl From<ExperimentError> for TuningError {
    fn from(error: ExperimentError) -> Self {
        Self::Experiment(error)
    }
}

impl From<SimulationError> for TuningError {
    fn from(error: SimulationError) -> Self {
        Self::Experiment(error.into())
    }
}

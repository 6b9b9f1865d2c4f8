//! How exactly to integrate, what it cost, and why it ended.

use core::fmt;

/// How exactly, and how patiently.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Error of a step relative to the size of each number. Default 1e-8.
    pub relative: f64,
    /// Error of a step that is always allowed, in the unit of each number. Default 1e-11.
    pub absolute: f64,
    /// The longest step \[s\]. Default 0.1.
    pub longest: f64,
    /// Below this a step is given up \[s\]. Default 1e-13.
    pub shortest: f64,
    /// Steps, the rejected ones included, after which the run ends. Default 100 million.
    pub most_steps: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self { relative: 1e-8, absolute: 1e-11, longest: 0.1, shortest: 1e-13, most_steps: 100_000_000 }
    }
}

impl Settings {
    /// This relative error, and a thousandth of it as absolute error. Default 1e-8.
    #[must_use]
    pub fn with_tolerance(self, tolerance: f64) -> Self {
        Self { relative: tolerance, absolute: tolerance * 1e-3, ..self }
    }

    /// The longest step \[s\]. Default 0.1.
    #[must_use]
    pub fn with_longest_step(self, longest: f64) -> Self {
        Self { longest, ..self }
    }

    /// Steps after which the run ends. Default 100 million.
    #[must_use]
    pub fn with_most_steps(self, most_steps: u64) -> Self {
        Self { most_steps, ..self }
    }
}

/// What a run cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Steps taken.
    pub steps: u64,
    /// Steps thrown away because their error was too large or led out of reach.
    pub rejected: u64,
    /// Calls of [`System::derivative`](super::System::derivative).
    pub evaluations: u64,
}

/// Why an integrator cannot go on. Its state is the last good one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Halt<S> {
    /// The system has no rate of change just ahead.
    System(S),
    /// A number of the rate is NaN or infinite.
    NotFinite {
        /// Its place in the state, from 0.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// No step is short enough for the tolerance: something goes to infinity just ahead.
    StepTooShort {
        /// The step that was still too long \[s\].
        step: f64,
    },
    /// All steps used.
    TooManySteps {
        /// How many.
        steps: u64,
    },
}

impl<S> Halt<S> {
    /// The same with the system's own reason through `f`.
    pub fn map<U>(self, f: impl FnOnce(S) -> U) -> Halt<U> {
        match self {
            Self::System(stop) => Halt::System(f(stop)),
            Self::NotFinite { component, value } => Halt::NotFinite { component, value },
            Self::StepTooShort { step } => Halt::StepTooShort { step },
            Self::TooManySteps { steps } => Halt::TooManySteps { steps },
        }
    }
}

impl<S: fmt::Display> fmt::Display for Halt<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System(stop) => stop.fmt(f),
            Self::NotFinite { component, value } => {
                write!(f, "the rate of component {} is {value}", component + 1)
            }
            Self::StepTooShort { step } => {
                write!(f, "no step is short enough for the tolerance (the last was {step:.1e} s)")
            }
            Self::TooManySteps { steps } => write!(f, "all {steps} steps are used"),
        }
    }
}

impl<S: fmt::Debug + fmt::Display> core::error::Error for Halt<S> {}

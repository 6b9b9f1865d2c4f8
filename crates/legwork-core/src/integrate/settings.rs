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
    /// Steps, the rejected ones included, after which the run ends. Default [`MOST_STEPS`].
    pub most_steps: u64,
    /// The end of the whole run \[s\], where a run is made in stretches: how much work is left is judged by it.
    /// Default: none, the end of each stretch is an end.
    pub horizon: Option<f64>,
}

/// Steps of a run at most, unless told otherwise.
pub const MOST_STEPS: u64 = 100_000_000;

impl Default for Settings {
    fn default() -> Self {
        Self {
            relative: 1e-8,
            absolute: 1e-11,
            longest: 0.1,
            shortest: 1e-13,
            most_steps: MOST_STEPS,
            horizon: None,
        }
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

    /// Steps after which the run ends. Default [`MOST_STEPS`].
    #[must_use]
    pub fn with_most_steps(self, most_steps: u64) -> Self {
        Self { most_steps, ..self }
    }

    /// The end of the whole run \[s\]. Default: that of each stretch.
    #[must_use]
    pub fn with_horizon(self, horizon: f64) -> Self {
        Self { horizon: Some(horizon), ..self }
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
    /// All steps used, or more needed than there are.
    TooManySteps {
        /// How many there are.
        steps: u64,
    },
    /// The step is lost in the rounding of the time: t + h = t.
    TimeStandsStill {
        /// \[s\]
        time: f64,
        /// \[s\]
        step: f64,
    },
    /// The system is stiff: the stability of an explicit formula and not the tolerance makes the steps short, and
    /// the end is out of sight.
    Stiff {
        /// Mean length of the last steps \[s\].
        step: f64,
        /// How many steps of this length are left.
        left: f64,
    },
    /// Steps are short for another reason, and the end is out of sight.
    TooSlow {
        /// Mean length of the last steps \[s\].
        step: f64,
        /// How many steps of this length are left.
        left: f64,
    },
    /// The caller had enough.
    Interrupted,
}

impl<S> Halt<S> {
    /// The same with the system's own reason through `f`.
    pub fn map<U>(self, f: impl FnOnce(S) -> U) -> Halt<U> {
        match self {
            Self::System(stop) => Halt::System(f(stop)),
            Self::NotFinite { component, value } => Halt::NotFinite { component, value },
            Self::StepTooShort { step } => Halt::StepTooShort { step },
            Self::TooManySteps { steps } => Halt::TooManySteps { steps },
            Self::TimeStandsStill { time, step } => Halt::TimeStandsStill { time, step },
            Self::Stiff { step, left } => Halt::Stiff { step, left },
            Self::TooSlow { step, left } => Halt::TooSlow { step, left },
            Self::Interrupted => Halt::Interrupted,
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
            Self::TooManySteps { steps } => write!(f, "more than {steps} steps are needed"),
            Self::TimeStandsStill { time, step } => {
                write!(f, "time stands still: a step of {step:.1e} s is lost in the rounding of {time} s")
            }
            Self::Stiff { step, left } => write!(
                f,
                "the plant is stiff: it forces steps of {step:.1e} s on an explicit integrator, and {left:.1e} of them are left"
            ),
            Self::TooSlow { step, left } => {
                write!(f, "the steps are {step:.1e} s long, and {left:.1e} of them are left")
            }
            Self::Interrupted => write!(f, "interrupted"),
        }
    }
}

impl<S: fmt::Debug + fmt::Display> core::error::Error for Halt<S> {}

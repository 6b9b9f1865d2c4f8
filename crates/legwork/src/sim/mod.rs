//! Simulation of a robot of any type under given efforts.
//!
//! ```
//! use legwork::sim::{Efforts, Integrator, Simulation};
//! use legwork::{AnyRobot, PlatformState};
//!
//! let robot = AnyRobot::open("delta-industrial")?;
//! let hold = robot.state(&PlatformState::at([0.0, 0.0, -0.8]))?.dynamics.unwrap().motor;
//! let run = Simulation::new(&robot, Efforts::Constant(hold))
//!     .starting_at(PlatformState::at([0.15, -0.1, -0.72]))
//!     .lasting(1.0)
//!     .sampled_every(0.05)
//!     .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
//!     .run()?;
//! assert_eq!(run.samples.len(), 21);
//! assert!(run.summary.loop_gap < 1e-12);              // m
//! assert!(run.summary.imbalance < 1e-9);              // J
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The equations are those of [`legwork_core::motion`], the steps those of
//! [`legwork_core::integrate`]. A run allocates nothing between its start and its
//! end, and the same run gives the same bits.

mod effort;
mod error;
mod forms;
mod run;
mod samples;
#[cfg(feature = "stiff")]
mod stiff;

pub use effort::{Between, EffortFunction, EffortTable, Efforts};
pub use error::SimulationError;
pub use samples::{Sample, Samples};

use crate::robot::Plant;
use crate::{AnyRobot, PlatformState};
use legwork_core::integrate::{Halt, Statistics};
use legwork_core::motion::Fault;
use run::{Course, Viewpoint};
use std::ops::ControlFlow;

/// How the equations of motion are written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FormulationKind {
    /// Pose and twist of the platform: loops closed by construction. The default.
    Minimal,
    /// All joints, multipliers, gaps pulled back with this pole \[1/s\] \[Bortoff2018\].
    Constrained {
        /// The paper takes 5; 0 switches the pull off.
        pole: f64,
    },
    /// All joints, multipliers, loops closed again after each step.
    Projected,
    /// All joints and their momenta.
    Hamiltonian,
}

/// How time goes on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integrator {
    /// Dormand–Prince 5(4) with this relative error of a step, a thousandth of it absolute. The
    /// default, with 1e-8.
    Dopri5 {
        /// Relative error of a step.
        tolerance: f64,
    },
    /// The classical Runge–Kutta method.
    Rk4 {
        /// Length of a step at most \[s\].
        step: f64,
    },
    /// Semi-implicit Euler.
    SemiImplicitEuler {
        /// Length of a step at most \[s\].
        step: f64,
    },
    /// Implicit, backward differences of variable order with this relative error of a step, a
    /// thousandth of it absolute: for stiff plants. Needs the feature `stiff`. It allocates while it steps.
    Bdf {
        /// Relative error of a step.
        tolerance: f64,
    },
    /// Symplectic steps on closed loops; needs [`FormulationKind::Hamiltonian`].
    Rattle {
        /// Length of a step at most \[s\].
        step: f64,
    },
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// At its end.
    Completed,
    /// The robot could not go on: singular, out of reach, NaN. The last sample is the last good state.
    Stopped {
        /// When \[s\].
        time: f64,
        /// Why.
        reason: Halt<Fault>,
    },
    /// The caller had enough.
    Interrupted {
        /// When \[s\].
        time: f64,
    },
}

/// What a run cost and how well it kept its promises, seen at the samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How it ended.
    pub ending: Ending,
    /// Steps and evaluations.
    pub statistics: Statistics,
    /// How many samples.
    pub samples: usize,
    /// Time at the last one \[s\].
    pub time: f64,
    /// Largest loop gap \[m\].
    pub loop_gap: f64,
    /// Largest |T + V − work + dissipation − its value at the start| \[J\].
    pub imbalance: f64,
    /// Largest kinetic energy \[J\], to compare the imbalance with.
    pub kinetic: f64,
}

/// Samples and summary of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was seen.
    pub samples: Samples,
    /// What it cost.
    pub summary: Summary,
}

/// A run of a robot, to be described and then made.
#[derive(Debug)]
pub struct Simulation<'r> {
    robot: &'r AnyRobot,
    efforts: Efforts,
    start: PlatformState,
    duration: f64,
    times: Sampling,
    formulation: FormulationKind,
    integrator: Integrator,
}

#[derive(Clone, Debug)]
enum Sampling {
    Every(f64),
    At(Vec<f64>),
}

impl<'r> Simulation<'r> {
    /// A run from the robot's home, at rest, for one second, sampled every 10 ms, in minimal form
    /// by Dormand–Prince at 1e-8.
    pub fn new(robot: &'r AnyRobot, efforts: Efforts) -> Self {
        Self {
            robot,
            efforts,
            start: robot.home(),
            duration: 1.0,
            times: Sampling::Every(0.01),
            formulation: FormulationKind::Minimal,
            integrator: Integrator::Dopri5 { tolerance: 1e-8 },
        }
    }

    /// From this position and velocity; its wrench acts all the time, its acceleration is ignored.
    /// Default: the robot's home.
    #[must_use]
    pub fn starting_at(self, start: PlatformState) -> Self {
        Self { start, ..self }
    }

    /// For so many seconds. Default 1.
    #[must_use]
    pub fn lasting(self, duration: f64) -> Self {
        Self { duration, ..self }
    }

    /// A sample every `interval` \[s\] from 0 on, and one at the end. Default 0.01.
    #[must_use]
    pub fn sampled_every(self, interval: f64) -> Self {
        Self { times: Sampling::Every(interval), ..self }
    }

    /// Samples at these times \[s\] in ascending order, the last one is the end of the run.
    #[must_use]
    pub fn sampled_at(self, times: Vec<f64>) -> Self {
        Self { times: Sampling::At(times), ..self }
    }

    /// The form of the equations. Default: minimal.
    #[must_use]
    pub fn formulated_as(self, formulation: FormulationKind) -> Self {
        Self { formulation, ..self }
    }

    /// The integrator. Default: Dormand–Prince at 1e-8.
    #[must_use]
    pub fn integrated_by(self, integrator: Integrator) -> Self {
        Self { integrator, ..self }
    }

    /// Makes the run and keeps all samples.
    pub fn run(&self) -> Result<Run, SimulationError> {
        let mut samples = Samples::with_room(self.sample_count()?, self.robot.joints().len());
        let summary = self.run_each(|sample| {
            samples.push(sample);
            ControlFlow::Continue(())
        })?;
        Ok(Run { samples, summary })
    }

    /// Makes the run and shows every sample, the one at the start included; a break ends it.
    pub fn run_each(
        &self,
        each: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, SimulationError> {
        let motors = self.robot.joints().len();
        if let Some(found) = self.efforts.motors().filter(|found| *found != motors) {
            return Err(SimulationError::Count { what: "efforts", expected: motors, found });
        }
        let times = self.sample_times()?;
        self.check_step()?;
        // Refuses a start that is no state of this robot, with the words of the robot itself.
        self.robot.inverse_kinematics(&self.start)?;
        let course =
            Course { efforts: &self.efforts, start: &self.start, times: &times, integrator: self.integrator };
        match self.robot.plant()? {
            Plant::Delta(delta, frame) => {
                forms::run_delta(self.formulation, delta, &course, &Viewpoint::new(frame), each)
            }
            Plant::Engine(machine) => forms::run_engine(self.formulation, machine, &course, each),
        }
    }

    fn check_step(&self) -> Result<(), SimulationError> {
        let (what, value) = match self.integrator {
            Integrator::Dopri5 { tolerance } | Integrator::Bdf { tolerance } => ("tolerance", tolerance),
            Integrator::Rk4 { step }
            | Integrator::SemiImplicitEuler { step }
            | Integrator::Rattle { step } => ("step", step),
        };
        if value.is_finite() && value > 0.0 {
            Ok(())
        } else {
            Err(SimulationError::NotPositive { what, value })
        }
    }

    fn sample_count(&self) -> Result<usize, SimulationError> {
        Ok(self.sample_times()?.len() + 1) // one more for the last good state
    }

    fn sample_times(&self) -> Result<Vec<f64>, SimulationError> {
        let positive = |what, value: f64| {
            if value.is_finite() && value > 0.0 {
                Ok(value)
            } else {
                Err(SimulationError::NotPositive { what, value })
            }
        };
        match &self.times {
            Sampling::At(times) => {
                let before = |k: usize| if k == 0 { 0.0 } else { times[k - 1] };
                let wrong = (0..times.len()).find(|&k| !times[k].is_finite() || times[k] < before(k));
                match wrong {
                    Some(row) => Err(SimulationError::TimesNotAscending { row, time: times[row] }),
                    None => Ok(times.clone()),
                }
            }
            Sampling::Every(interval) => {
                let (interval, duration) =
                    (positive("interval", *interval)?, positive("duration", self.duration)?);
                let count = duration / interval;
                if count > 1e8 {
                    return Err(SimulationError::TooManySamples { count });
                }
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and 1e8
                let whole = (count * (1.0 + 1e-12)).floor() as usize;
                let mut times: Vec<f64> = (0..=whole).map(|k| k as f64 * interval).collect();
                // The last one is the end itself, or the end comes a little later.
                match times.last_mut() {
                    Some(last) if (*last - duration).abs() <= 1e-9 * interval => *last = duration,
                    _ => times.push(duration),
                }
                Ok(times)
            }
        }
    }
}

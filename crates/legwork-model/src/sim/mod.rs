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

mod actuation;
mod base;
mod control;
mod effort;
mod equations;
mod error;
mod forms;
mod per_motor;
mod plant;
mod run;
mod samples;
mod stepper;
mod stiff;
mod summary;

pub use crate::description::ModelError;
pub use base::{BaseCourse, Sway};
use control::Observer;
pub use control::{ControlFault, Measured, SampledController};
pub use effort::{Between, EffortFunction, EffortTable, Efforts};
pub use equations::{MOST_NUMBERS, MotionEquations, MotionState};
pub use error::{MOST_SAMPLES, SimulationError};
pub use per_motor::PerMotor;
pub use plant::{Delay, Plant};
pub use samples::{Sample, Samples};
pub use summary::{Ending, FormulationKind, Integrator, Summary};

use crate::robot::Moving;
use crate::{AnyRobot, PlatformState};
use legwork_core::integrate::{MOST_STEPS, Settings};
use run::{Course, Viewpoint};
use std::cell::RefCell;
use std::fmt;
use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;

/// Samples and summary of a run.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was seen.
    pub samples: Samples,
    /// What it cost.
    pub summary: Summary,
}

/// A run of a robot, to be described and then made.
pub struct Simulation<'r> {
    robot: &'r AnyRobot,
    efforts: Efforts,
    controller: Option<RefCell<&'r mut dyn SampledController>>,
    plant: Plant,
    start: PlatformState,
    duration: f64,
    times: Sampling,
    formulation: FormulationKind,
    integrator: Integrator,
    most_steps: u64,
    cancelled: Option<&'r AtomicBool>,
}

#[derive(Clone, Debug)]
enum Sampling {
    Every(f64),
    At(Vec<f64>),
}

impl fmt::Debug for Simulation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let commands: &dyn fmt::Debug =
            if self.controller.is_some() { &"a controller" } else { &self.efforts };
        f.debug_struct("Simulation")
            .field("robot", &self.robot.name())
            .field("commands", commands)
            .field("plant", &self.plant)
            .field("duration", &self.duration)
            .field("formulation", &self.formulation)
            .field("integrator", &self.integrator)
            .finish_non_exhaustive()
    }
}

impl<'r> Simulation<'r> {
    /// A run from the robot's home, at rest, for one second, sampled every 10 ms, in minimal form
    /// by Dormand–Prince at 1e-8.
    pub fn new(robot: &'r AnyRobot, efforts: Efforts) -> Self {
        Self {
            robot,
            efforts,
            controller: None,
            plant: Plant::ideal(),
            start: robot.home(),
            duration: 1.0,
            times: Sampling::Every(0.01),
            formulation: FormulationKind::Minimal,
            integrator: Integrator::Dopri5 { tolerance: 1e-8 },
            most_steps: MOST_STEPS,
            cancelled: None,
        }
    }

    /// The same with motors that a controller commands. It is reset at the beginning of each run.
    pub fn controlled(robot: &'r AnyRobot, controller: &'r mut dyn SampledController) -> Self {
        let none = Efforts::Constant(vec![0.0; robot.joints().len()]);
        Self { controller: Some(RefCell::new(controller)), ..Self::new(robot, none) }
    }

    /// On a machine that is not ideal. Default: the robot as its file says. A controller still
    /// knows only the robot of the file.
    #[must_use]
    pub fn on_plant(self, plant: Plant) -> Self {
        Self { plant, ..self }
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

    /// Not in more steps than these, the rejected ones included. Default [`MOST_STEPS`].
    #[must_use]
    pub fn in_at_most(self, most_steps: u64) -> Self {
        Self { most_steps, ..self }
    }

    /// Ends when this becomes true: it is looked at after every step. Default: never.
    #[must_use]
    pub fn cancelled_by(self, flag: &'r AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
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
        mut each: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, SimulationError> {
        self.run_showing(&mut each)
    }

    /// [`run_each`](Self::run_each), compiled once for all that look at samples.
    fn run_showing(
        &self,
        each: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
    ) -> Result<Summary, SimulationError> {
        let motors = self.robot.joints().len();
        if let Some(found) = self.efforts.motors().filter(|found| *found != motors) {
            return Err(SimulationError::Count { what: "efforts", expected: motors, found });
        }
        let times = self.sample_times()?;
        let duration = times.last().copied().unwrap_or(0.0);
        self.check_step(duration)?;
        self.plant.check(motors, duration)?;
        let mut controller = self.controller.as_ref().map(RefCell::borrow_mut);
        if let Some(controller) = &controller {
            let period = Self::positive("period of the controller", controller.period())?;
            Self::countable("samples of the controller", duration / period, MOST_STEPS)?;
        }
        let mut observer = self.observer();
        let controller = match &mut controller {
            Some(it) => Some(&mut ***it as &mut dyn SampledController),
            None => observer.as_mut().map(|it| it as &mut dyn SampledController),
        };
        let robots = self.plant.robots(self.robot)?;
        let bases = match &self.plant.base {
            Some(_) => robots.iter().map(AnyRobot::on_moving_base).collect::<Result<_, _>>()?,
            None => Vec::new(),
        };
        // Refuses a start that is no state of this robot, with the words of the robot itself.
        robots[0].inverse_kinematics(&self.start)?;
        let course = Course {
            efforts: self.controller.is_none().then_some(&self.efforts),
            plant: &self.plant,
            bases: &bases,
            joints: self.robot.joints(),
            start: &self.start,
            times: &times,
            integrator: self.integrator,
            most_steps: self.most_steps,
            cancelled: self.cancelled,
        };
        let (mut deltas, mut machines, mut mechanisms) = (Vec::new(), Vec::new(), Vec::new());
        let mut view = Viewpoint::ours();
        for robot in &robots {
            match robot.moving()? {
                Moving::Delta(delta, frame) => {
                    view = Viewpoint::new(frame);
                    deltas.push(*delta);
                }
                Moving::Engine(machine) => machines.push(machine),
                Moving::Mechanism(mechanism) => mechanisms.push(*mechanism),
            }
        }
        if !mechanisms.is_empty() {
            return forms::run_mechanism(self.formulation, &mechanisms, &course, controller, each);
        }
        if deltas.is_empty() {
            forms::run_engine(self.formulation, (self.robot.name(), &machines), &course, controller, each)
        } else {
            forms::run_delta(self.formulation, &deltas, &course, &view, controller, each)
        }
    }

    /// Whether its samples have readings of encoders.
    pub fn reads_encoders(&self) -> bool {
        self.controller.is_some() || self.observer().is_some()
    }

    /// Encoders without a controller are read with every sample.
    fn observer(&self) -> Option<Observer> {
        match self.times {
            Sampling::Every(period) if self.plant.has_encoders() => Some(Observer { period }),
            _ => None,
        }
    }

    fn positive(what: &'static str, value: f64) -> Result<f64, SimulationError> {
        if value.is_finite() && value > 0.0 {
            Ok(value)
        } else {
            Err(SimulationError::NotPositive { what, value })
        }
    }

    /// Not more than a run may have.
    fn countable(what: &'static str, count: f64, most: u64) -> Result<(), SimulationError> {
        if count <= most as f64 {
            return Ok(());
        }
        Err(SimulationError::TooMany { what, count, most })
    }

    fn check_step(&self, duration: f64) -> Result<(), SimulationError> {
        let step = match self.integrator {
            Integrator::Dopri5 { tolerance } | Integrator::Implicit { tolerance } => {
                Self::positive("tolerance", tolerance)?;
                Settings::default().longest
            }
            Integrator::Rk4 { step }
            | Integrator::SemiImplicitEuler { step }
            | Integrator::Rattle { step } => Self::positive("step", step)?,
        };
        Self::countable("steps", duration / step, self.most_steps)
    }

    fn sample_count(&self) -> Result<usize, SimulationError> {
        Ok(self.sample_times()?.len() + 1) // one more for the last good state
    }

    fn sample_times(&self) -> Result<Vec<f64>, SimulationError> {
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
                    (Self::positive("interval", *interval)?, Self::positive("duration", self.duration)?);
                let count = duration / interval;
                Self::countable("samples", count, MOST_STEPS)?;
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

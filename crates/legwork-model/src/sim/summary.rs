//! The choices of a run, and what is said of it afterwards.

use super::ControlFault;
use legwork_core::integrate::{Halt, Statistics};
use legwork_core::motion::Fault;

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
    /// Implicit Runge–Kutta 4(3), L-stable, with this relative error of a step, a thousandth of it absolute: for
    /// stiff plants. It allocates while it steps.
    Implicit {
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
    /// The controller could not go on, or commanded NaN.
    ControllerFailed {
        /// When \[s\].
        time: f64,
        /// Why.
        fault: ControlFault,
    },
    /// The caller had enough.
    Interrupted {
        /// When \[s\].
        time: f64,
    },
}

/// What a run cost and how well it kept its promises, seen after every step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// How it ended.
    pub ending: Ending,
    /// Steps and evaluations.
    pub statistics: Statistics,
    /// How many samples were shown.
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

//! The mathematics of a run, in a request.

use super::choice::choices;
use super::error::positive;
use super::{Choice, TaskError, Time};
use crate::sim::{FormulationKind, Integrator};
use serde::{Deserialize, Serialize};

choices! {
    /// How the equations of motion are written.
    FormulationChoice {
        Minimal = "minimal": "Pose and twist of the platform: loops closed by construction",
        Constrained = "constrained": "All joints, gaps pulled back (Bortoff 2018)",
        Projected = "projected": "All joints, loops closed again after each step",
        Hamiltonian = "hamiltonian": "All joints and their momenta",
    }
    /// How time goes on.
    IntegratorChoice {
        Dopri5 = "dopri5": "Dormand-Prince 5(4), step length by its error",
        Rk4 = "rk4": "Runge-Kutta of fourth order, fixed steps",
        Euler = "euler": "Semi-implicit Euler, fixed steps",
        Stiff = "stiff": "Implicit Runge-Kutta 4(3) for stiff plants, step length by its error",
        Rattle = "rattle": "Symplectic steps on closed loops, for the hamiltonian form",
    }
}

/// Pole of the constrained form, unless told otherwise \[1/s\].
const POLE: f64 = 5.0;
/// Relative error of a step, unless told otherwise.
const TOLERANCE: f64 = 1e-8;
/// Longest fixed step, unless told otherwise \[s\].
const STEP: f64 = 1e-3;

/// The form of the equations and how they are integrated.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolverRequest {
    /// How the equations of motion are written. Default: `minimal`.
    pub formulation: FormulationChoice,
    /// How fast the constrained form closes its loops again \[1/s\]. Default: 5.
    pub pole: Option<f64>,
    /// How time goes on. Default: `dopri5`.
    pub integrator: IntegratorChoice,
    /// Relative error of a step of `dopri5` and `stiff`. Default: 1e-8.
    pub tolerance: Option<f64>,
    /// Longest step of `rk4`, `euler` and `rattle`. Default: 1 ms.
    pub step: Option<Time>,
}

impl Default for SolverRequest {
    fn default() -> Self {
        Self {
            formulation: FormulationChoice::Minimal,
            pole: None,
            integrator: IntegratorChoice::Dopri5,
            tolerance: None,
            step: None,
        }
    }
}

impl SolverRequest {
    /// The form of the equations.
    pub(super) fn formulation(&self) -> Result<FormulationKind, TaskError> {
        if let Some(pole) = self.pole {
            if self.formulation != FormulationChoice::Constrained {
                let error = TaskError::request("`pole` is for the constrained form");
                return Err(error.or("let `formulation` be constrained, or leave it out"));
            }
            if pole < 0.0 {
                return Err(TaskError::request("`pole` is less than zero: the loops would open"));
            }
        }
        Ok(match self.formulation {
            FormulationChoice::Minimal => FormulationKind::Minimal,
            FormulationChoice::Constrained => {
                FormulationKind::Constrained { pole: self.pole.unwrap_or(POLE) }
            }
            FormulationChoice::Projected => FormulationKind::Projected,
            FormulationChoice::Hamiltonian => FormulationKind::Hamiltonian,
        })
    }

    /// The integrator.
    pub(super) fn integrator(&self) -> Result<Integrator, TaskError> {
        let name = self.integrator.word();
        let is_fixed = !matches!(self.integrator, IntegratorChoice::Dopri5 | IntegratorChoice::Stiff);
        if self.tolerance.is_some() && is_fixed {
            let error = TaskError::request(format!("`tolerance` is for dopri5 and stiff, not {name}"));
            return Err(error.or("the steps of this integrator are fixed: give `step`"));
        }
        if self.step.is_some() && !is_fixed {
            let error = TaskError::request(format!("`step` is for rk4, euler and rattle, not {name}"));
            return Err(error.or(format!("{name} finds its steps: give `tolerance`")));
        }
        let step = positive("step", self.step.map_or(STEP, |step| step.0))?;
        let tolerance = positive("tolerance", self.tolerance.unwrap_or(TOLERANCE))?;
        Ok(match self.integrator {
            IntegratorChoice::Dopri5 => Integrator::Dopri5 { tolerance },
            IntegratorChoice::Stiff => Integrator::Implicit { tolerance },
            IntegratorChoice::Rk4 => Integrator::Rk4 { step },
            IntegratorChoice::Euler => Integrator::SemiImplicitEuler { step },
            IntegratorChoice::Rattle => Integrator::Rattle { step },
        })
    }
}

/// The step of an integrator whose steps are fixed \[s\].
pub(super) fn fixed_step(integrator: &Integrator) -> Option<f64> {
    match integrator {
        Integrator::Rk4 { step } | Integrator::SemiImplicitEuler { step } | Integrator::Rattle { step } => {
            Some(*step)
        }
        Integrator::Dopri5 { .. } | Integrator::Implicit { .. } => None,
    }
}

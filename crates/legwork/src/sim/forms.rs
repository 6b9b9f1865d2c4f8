//! From the name of a formulation to its equations, for the robot at hand.

use super::run::{self, Course, Symplectic, Viewpoint};
use super::samples::Sample;
use super::{FormulationKind, Integrator, SimulationError, Summary};
use crate::robot::MachineMotion;
use legwork_core::motion::{Arms, Closing, Constrained, DeltaMinimal, Hamiltonian, OpenForm, Projected};
use legwork_core::robots::delta::Delta;
use legwork_core::robots::delta::constrained::Baumgarte;
use std::ops::ControlFlow;

/// A rotary Delta: each form in closed form.
pub(super) fn run_delta(
    formulation: FormulationKind,
    delta: &Delta<f64>,
    course: &Course<'_>,
    view: &Viewpoint,
    each: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let arms = Arms::from(delta);
    match formulation {
        FormulationKind::Minimal => {
            run::run(&DeltaMinimal::new(*delta), course, view, Symplectic::None, each)
        }
        FormulationKind::Constrained { pole } => {
            run::run(&Constrained::<_, 9, 9, 6>::new(arms, pole), course, view, Symplectic::None, each)
        }
        FormulationKind::Projected => {
            run::run(&Projected::<_, 9, 9, 6>::new(arms), course, view, Symplectic::None, each)
        }
        FormulationKind::Hamiltonian => {
            let form = Hamiltonian::<_, 9, 6>::new(arms);
            let step = Symplectic::Step(|form, x, load, h| {
                let step = Hamiltonian::<Arms<3>, 9, 6>::rattle_step(form, x, &[0.0; 6], load, h)?;
                Ok(((step.configuration, step.momentum), [step.work, step.dissipation]))
            });
            run::run(&form, course, view, step, each)
        }
    }
}

/// A robot of the general engine: by its platform, or with its legs as open chains and one code
/// for all forms in all joints.
pub(super) fn run_engine(
    formulation: FormulationKind,
    machine: MachineMotion<'_>,
    course: &Course<'_>,
    each: impl FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let view = Viewpoint::ours();
    let closing = match formulation {
        FormulationKind::Minimal => return run::run(&machine, course, &view, Symplectic::None, each),
        FormulationKind::Constrained { pole } => Closing::Pulled(Baumgarte::from_pole(pole)),
        FormulationKind::Projected => Closing::Projected,
        FormulationKind::Hamiltonian => Closing::Momenta,
    };
    if matches!((formulation, course.integrator), (FormulationKind::Hamiltonian, Integrator::Rattle { .. })) {
        return Err(SimulationError::NotCanonical);
    }
    let chains = machine.chains();
    let legs = machine.open(&chains).map_err(SimulationError::Start)?;
    run::run(&OpenForm::new(legs, closing), course, &view, Symplectic::None, each)
}

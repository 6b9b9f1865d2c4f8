//! From the name of a formulation to its equations, for the robot at hand. There is one robot for
//! the start and one after each change of the payload.

use super::run::{self, Course, Viewpoint};
use super::samples::Sample;
use super::stepper::Symplectic;
use super::{FormulationKind, Integrator, SampledController, SimulationError, Summary};
use crate::robot::{Closing, EngineForm, FollowedForm, MechanismForm, MechanismRobot, OpenTreeForm};
use legwork_core::motion::{Arms, Constrained, DeltaMinimal, Hamiltonian, Projected};
use legwork_core::robots::delta::Delta;
use legwork_core::robots::delta::constrained::Baumgarte;
use std::ops::ControlFlow;

/// A rotary Delta: each form in closed form.
pub(super) fn run_delta(
    formulation: FormulationKind,
    deltas: &[Delta<f64>],
    course: &Course<'_>,
    view: &Viewpoint,
    controller: Option<&mut dyn SampledController>,
    each: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let arms = deltas.iter().map(Arms::from);
    match formulation {
        FormulationKind::Minimal => {
            let forms: Vec<_> = deltas.iter().map(|delta| DeltaMinimal::new(*delta)).collect();
            run::run(&forms, course, view, Symplectic::None, controller, each)
        }
        FormulationKind::Constrained { pole } => {
            let forms: Vec<_> = arms.map(|arms| Constrained::<_, 9, 6>::new(arms, pole)).collect();
            run::run(&forms, course, view, Symplectic::None, controller, each)
        }
        FormulationKind::Projected => {
            let forms: Vec<_> = arms.map(Projected::<_, 9, 6>::new).collect();
            run::run(&forms, course, view, Symplectic::None, controller, each)
        }
        FormulationKind::Hamiltonian => {
            let forms: Vec<_> = arms.map(Hamiltonian::<_, 9, 6>::new).collect();
            let step = Symplectic::Step(|form, x, load, h| {
                let step = Hamiltonian::<Arms<3>, 9, 6>::rattle_step(form, x, &[0.0; 6], load, h)?;
                Ok(((step.configuration, step.momentum), [step.work, step.dissipation]))
            });
            run::run(&forms, course, view, step, controller, each)
        }
    }
}

/// How loops are kept closed; the minimal form has none to close.
fn closing(formulation: FormulationKind) -> Option<Closing> {
    match formulation {
        FormulationKind::Minimal => None,
        FormulationKind::Constrained { pole } => Some(Closing::Pulled(Baumgarte::from_pole(pole))),
        FormulationKind::Projected => Some(Closing::Projected),
        FormulationKind::Hamiltonian => Some(Closing::Momenta),
    }
}

/// A robot of the general engine: by its platform, or as bodies and joints in all of them.
pub(super) fn run_engine(
    formulation: FormulationKind,
    (name, machines): (&str, &[EngineForm<'_>]),
    course: &Course<'_>,
    controller: Option<&mut dyn SampledController>,
    each: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let view = Viewpoint::ours();
    let Some(closing) = closing(formulation) else {
        if machines.iter().any(|machine| machine.is_followed()) {
            let forms: Vec<_> = machines.iter().map(|machine| FollowedForm(*machine)).collect();
            return run::run(&forms, course, &view, Symplectic::None, controller, each);
        }
        return run::run(machines, course, &view, Symplectic::None, controller, each);
    };
    let (start, _) = view.pose(course.start);
    let made: Result<Vec<_>, _> = machines.iter().map(|machine| machine.as_mechanism(name, &start)).collect();
    run_open(closing, &made?.iter().collect::<Vec<_>>(), course, controller, each)
}

/// In all rates of a tree of bodies and joints.
fn run_open(
    closing: Closing,
    robots: &[&MechanismRobot],
    course: &Course<'_>,
    controller: Option<&mut dyn SampledController>,
    each: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let own = match closing {
        Closing::Momenta => {
            Symplectic::Step(|form: &OpenTreeForm<'_>, x, load, h| form.rattle_step(x, load, h))
        }
        _ => Symplectic::None,
    };
    let forms: Vec<_> = robots.iter().map(|robot| OpenTreeForm::new(robot, closing)).collect();
    if let (Closing::Momenta, Integrator::Rattle { .. }) = (closing, course.integrator) {
        let bodies: Vec<String> = forms.iter().flat_map(OpenTreeForm::massless_bodies).collect();
        if !bodies.is_empty() {
            return Err(SimulationError::Massless { bodies });
        }
    }
    run::run(&forms, course, &Viewpoint::ours(), own, controller, each)
}

/// A mechanism of bodies and joints: in its independent motors, or in all rates of its tree.
pub(super) fn run_mechanism(
    formulation: FormulationKind,
    mechanisms: &[MechanismForm<'_>],
    course: &Course<'_>,
    controller: Option<&mut dyn SampledController>,
    each: &mut dyn FnMut(&Sample<'_>) -> ControlFlow<()>,
) -> Result<Summary, SimulationError> {
    let view = Viewpoint::ours();
    let Some(closing) = closing(formulation) else {
        return run::run(mechanisms, course, &view, Symplectic::None, controller, each);
    };
    let robots: Vec<_> = mechanisms.iter().map(MechanismForm::robot).collect();
    run_open(closing, &robots, course, controller, each)
}

//! The integrators behind one door.

use super::{Integrator, SimulationError};
use legwork_core::integrate::{
    Dopri5, Fixed, FixedMethod, Halt, Settings, Statistics, System, Vector, equal_steps, not_finite,
};
use legwork_core::motion::{Driven, Fault, Formulation, Input, Load};
use std::ops::ControlFlow;

/// A formulation's own step, if it has one.
pub(super) enum Symplectic<F: Formulation> {
    None,
    Step(SymplecticStep<F>),
}

pub(super) type SymplecticStep<F> = fn(
    &F,
    &<F as Formulation>::State,
    &Load<'_>,
    f64,
) -> Result<(<F as Formulation>::State, [f64; 2]), Fault>;

/// The state of a formulation with its ledger.
pub(super) type Full<F> = (<F as Formulation>::State, [f64; 2]);

/// One of the integrators, under way.
#[allow(clippy::large_enum_variant)] // there is one of it in a run
pub(super) enum Stepper<F: Formulation> {
    Dopri5(Dopri5<Full<F>>),
    Fixed(Fixed<Full<F>>),
    Implicit(Box<super::stiff::Implicit>, Full<F>),
    Symplectic { step: SymplecticStep<F>, length: f64, time: f64, state: Full<F>, statistics: Statistics },
}

impl<F: Formulation> Stepper<F> {
    /// From a state at time 0, for a run to `end` \[s\] in at most so many steps.
    pub fn new(
        (integrator, most_steps): (Integrator, u64),
        own: Symplectic<F>,
        start: Full<F>,
        end: f64,
    ) -> Result<Self, SimulationError> {
        Ok(match (integrator, own) {
            (Integrator::Dopri5 { tolerance }, _) => {
                let settings = Settings::default().with_tolerance(tolerance).with_horizon(end);
                let settings = settings.with_most_steps(most_steps);
                Self::Dopri5(Dopri5::new(0.0, start, settings))
            }
            (Integrator::Rk4 { step }, _) => Self::Fixed(Fixed::new(0.0, start, FixedMethod::Rk4, step)),
            (Integrator::SemiImplicitEuler { step }, _) => {
                Self::Fixed(Fixed::new(0.0, start, FixedMethod::SemiImplicitEuler, step))
            }
            (Integrator::Implicit { tolerance }, _) => {
                let run = super::stiff::Implicit::new(numbers(&start), tolerance, most_steps);
                Self::Implicit(Box::new(run), start)
            }
            (Integrator::Rattle { step: length }, Symplectic::Step(step)) => {
                Self::Symplectic { step, length, time: 0.0, state: start, statistics: Statistics::default() }
            }
            (Integrator::Rattle { .. }, Symplectic::None) => return Err(SimulationError::NotSymplectic),
        })
    }

    pub fn time(&self) -> f64 {
        match self {
            Self::Dopri5(run) => run.time(),
            Self::Fixed(run) => run.time(),
            Self::Implicit(run, _) => run.time,
            Self::Symplectic { time, .. } => *time,
        }
    }

    pub fn state(&self) -> &Full<F> {
        match self {
            Self::Dopri5(run) => run.state(),
            Self::Fixed(run) => run.state(),
            Self::Implicit(_, state) | Self::Symplectic { state, .. } => state,
        }
    }

    pub fn statistics(&self) -> Statistics {
        match self {
            Self::Dopri5(run) => run.statistics(),
            Self::Fixed(run) => run.statistics(),
            Self::Implicit(run, _) => run.statistics,
            Self::Symplectic { statistics, .. } => *statistics,
        }
    }

    /// The rate of change jumps here.
    pub fn restart(&mut self) {
        match self {
            Self::Dopri5(run) => run.restart(),
            Self::Implicit(run, _) => run.restart(),
            _ => {}
        }
    }

    /// The state jumps here.
    pub fn set_state(&mut self, next: Full<F>) {
        match self {
            Self::Dopri5(run) => run.set_state(next),
            Self::Fixed(run) => run.set_state(next),
            Self::Implicit(run, state) => {
                run.state = numbers(&next);
                run.restart();
                *state = next;
            }
            Self::Symplectic { state, .. } => *state = next,
        }
    }

    /// To `limit`, showing the state after each step; a break ends it.
    pub fn advance_to<U: Input>(
        &mut self,
        system: &mut Driven<&F, U>,
        limit: f64,
        mut each: impl FnMut(&Full<F>) -> ControlFlow<()>,
    ) -> Result<(), Halt<Fault>> {
        match self {
            Self::Dopri5(run) => run.advance_each(system, limit, each),
            Self::Fixed(run) => run.advance_each(system, limit, each),
            Self::Implicit(run, state) => advance_implicit(run, state, system, limit, &mut each),
            Self::Symplectic { step, length, time, state, statistics } => {
                let begin = *time;
                let (h, count) = equal_steps(begin, limit, *length, statistics.steps)?;
                let mut k = 0.0;
                while k < count {
                    let made = symplectic(*step, system, begin + h * (k + 0.5), state, h);
                    let next = made.map_err(Halt::System)?;
                    if let Some((component, value)) = not_finite(&next) {
                        return Err(Halt::NotFinite { component, value });
                    }
                    *state = next;
                    k += 1.0;
                    *time = if k < count { begin + h * k } else { limit };
                    statistics.steps += 1;
                    statistics.evaluations += 1;
                    if each(state).is_break() {
                        return Err(Halt::Interrupted);
                    }
                }
                Ok(())
            }
        }
    }
}

/// All numbers of a state.
fn numbers<V: Vector<f64>>(state: &V) -> Vec<f64> {
    state.fold(Vec::with_capacity(state.length()), |mut list, x| {
        list.push(x);
        list
    })
}

/// Between the implicit integrator's slices and a system. Loops are put back at the end of the
/// stretch, because each change of the state costs the integrator its memory.
fn advance_implicit<S: System<f64, Stop = Fault>>(
    run: &mut super::stiff::Implicit,
    state: &mut S::State,
    system: &mut S,
    limit: f64,
    each: &mut impl FnMut(&S::State) -> ControlFlow<()>,
) -> Result<(), Halt<Fault>> {
    use super::stiff::{Seen, Trouble};
    let template = *state;
    let of = |list: &[f64]| {
        let mut next = list.iter();
        template.map(|_| next.next().copied().unwrap_or(f64::NAN))
    };
    let fault = std::cell::Cell::new(None);
    let shared = std::cell::RefCell::new(system);
    let mut rate = |t: f64, x: &[f64], out: &mut [f64]| {
        // A Newton iteration that went astray is no reason to tell.
        if x.iter().any(|x| !x.is_finite()) {
            return false;
        }
        match shared.borrow_mut().derivative(t, &of(x)) {
            Ok(rate) => {
                out.copy_from_slice(&numbers(&rate));
                true
            }
            Err(stop) => {
                fault.set(Some(stop));
                false
            }
        }
    };
    let mut look = |h: f64, before: &[f64], after: &[f64]| {
        let mut settled = of(after);
        match shared.borrow_mut().settle(h, &of(before), &mut settled) {
            Ok(_) if each(&settled).is_break() => Seen::Enough,
            Ok(_) => Seen::Good,
            Err(stop) => {
                fault.set(Some(stop));
                Seen::Refused
            }
        }
    };
    let ended = run.advance_to(&mut rate, &mut look, limit);
    *state = of(&run.state);
    let here = *state;
    match ended {
        Ok(()) => {
            if shared.into_inner().settle(0.0, &here, state).map_err(Halt::System)? {
                run.state = numbers(state);
                run.restart();
            }
            Ok(())
        }
        Err(Trouble::StepTooShort(step)) => Err(Halt::StepTooShort { step }),
        Err(Trouble::TooManySteps) => Err(Halt::TooManySteps { steps: run.most_steps }),
        Err(Trouble::Interrupted) => Err(Halt::Interrupted),
        Err(Trouble::System) => Err(fault.take().map_or(Halt::StepTooShort { step: 0.0 }, Halt::System)),
    }
}

/// One step with what acts in its middle: still of second order.
fn symplectic<F: Formulation, U: Input>(
    step: SymplecticStep<F>,
    system: &mut Driven<&F, U>,
    middle: f64,
    (x, ledger): &Full<F>,
    h: f64,
) -> Result<Full<F>, Fault> {
    let form = system.formulation;
    let mut there = *x;
    if system.input.feels_joints() {
        // What depends on the joints is taken half way to where a first try ends.
        let (load, _) = system.load_at(middle, x)?;
        let (tried, _) = step(form, x, &load, h)?;
        there = x.zip(&tried, f64::midpoint);
    }
    let (load, passive) = system.load_at(middle, &there)?;
    let (next, [work, dissipation]) = step(form, x, &load, h)?;
    Ok((next, [ledger[0] + work - passive.power * h, ledger[1] + dissipation + passive.heat * h]))
}

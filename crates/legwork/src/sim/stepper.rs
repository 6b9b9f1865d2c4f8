//! The integrators behind one door.

use super::{Integrator, SimulationError};
use legwork_core::integrate::{Dopri5, Fixed, FixedMethod, Halt, Settings, Statistics, Vector};
use legwork_core::motion::{Driven, Fault, Formulation, Input, Load};

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

/// The state of a formulation with its books.
pub(super) type Full<F> = (<F as Formulation>::State, [f64; 2]);

/// One of the integrators, under way.
pub(super) enum Stepper<F: Formulation> {
    Dopri5(Dopri5<Full<F>>),
    Fixed(Fixed<Full<F>>),
    Symplectic { step: SymplecticStep<F>, length: f64, time: f64, state: Full<F>, statistics: Statistics },
}

impl<F: Formulation> Stepper<F> {
    pub fn new(integrator: Integrator, own: Symplectic<F>, start: Full<F>) -> Result<Self, SimulationError> {
        Ok(match (integrator, own) {
            (Integrator::Dopri5 { tolerance }, _) => {
                Self::Dopri5(Dopri5::new(0.0, start, Settings::default().with_tolerance(tolerance)))
            }
            (Integrator::Rk4 { step }, _) => Self::Fixed(Fixed::new(0.0, start, FixedMethod::Rk4, step)),
            (Integrator::SemiImplicitEuler { step }, _) => {
                Self::Fixed(Fixed::new(0.0, start, FixedMethod::SemiImplicitEuler, step))
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
            Self::Symplectic { time, .. } => *time,
        }
    }

    pub fn state(&self) -> &Full<F> {
        match self {
            Self::Dopri5(run) => run.state(),
            Self::Fixed(run) => run.state(),
            Self::Symplectic { state, .. } => state,
        }
    }

    pub fn statistics(&self) -> Statistics {
        match self {
            Self::Dopri5(run) => run.statistics(),
            Self::Fixed(run) => run.statistics(),
            Self::Symplectic { statistics, .. } => *statistics,
        }
    }

    /// The rate of change jumps here.
    pub fn restart(&mut self) {
        if let Self::Dopri5(run) = self {
            run.restart();
        }
    }

    /// The state jumps here.
    pub fn set_state(&mut self, next: Full<F>) {
        match self {
            Self::Dopri5(run) => run.set_state(next),
            Self::Fixed(run) => run.set_state(next),
            Self::Symplectic { state, .. } => *state = next,
        }
    }

    /// To `limit`, showing the state after each step.
    pub fn advance_to<U: Input>(
        &mut self,
        system: &mut Driven<&F, U>,
        limit: f64,
        mut each: impl FnMut(&Full<F>),
    ) -> Result<(), Halt<Fault>> {
        match self {
            Self::Dopri5(run) => run.advance_each(system, limit, each),
            Self::Fixed(run) => run.advance_each(system, limit, each),
            Self::Symplectic { step, length, time, state, statistics } => {
                let begin = *time;
                let span = limit - begin;
                let count = (span / *length - 1e-9).max(1.0).ceil();
                let h = span / count;
                let mut k = 0.0;
                while k < count && span > 0.0 {
                    *state =
                        symplectic(*step, system, begin + h * (k + 0.5), state, h).map_err(Halt::System)?;
                    k += 1.0;
                    *time = if k < count { begin + h * k } else { limit };
                    statistics.steps += 1;
                    statistics.evaluations += 1;
                    each(state);
                }
                Ok(())
            }
        }
    }
}

/// One step with what acts in its middle: still of second order.
fn symplectic<F: Formulation, U: Input>(
    step: SymplecticStep<F>,
    system: &mut Driven<&F, U>,
    middle: f64,
    (x, books): &Full<F>,
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
    Ok((next, [books[0] + work - passive.power * h, books[1] + dissipation + passive.heat * h]))
}

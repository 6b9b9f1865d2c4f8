//! Steps of fixed length: the classical Runge–Kutta formula and semi-implicit Euler.

use super::settings::{Halt, MOST_STEPS, Statistics};
use super::vector::{not_finite, plus, stepped};
use super::{Partitioned, System, Vector};
use crate::Real;
use core::ops::ControlFlow;

/// One step of the classical Runge–Kutta method, four evaluations.
#[inline(always)]
pub fn rk4_step<T: Real, S: System<T>>(
    system: &mut S,
    t: T,
    x: &S::State,
    h: T,
) -> Result<S::State, S::Stop> {
    let half = h * T::from_f64(0.5);
    let k1 = system.derivative(t, x)?;
    let k2 = system.derivative(t + half, &stepped(x, half, &k1))?;
    let k3 = system.derivative(t + half, &stepped(x, half, &k2))?;
    let k4 = system.derivative(t + h, &stepped(x, h, &k3))?;
    let (outer, inner) = (plus(&k1, &k4), plus(&k2, &k3));
    let sum = outer.zip(&inner, |a, b| a + b + b);
    Ok(stepped(x, h / T::from_f64(6.0), &sum))
}

/// One step of semi-implicit Euler, one evaluation of the forces: velocities first,
/// then positions with the new velocities.
#[inline(always)]
pub fn semi_implicit_euler_step<T: Real, S: Partitioned<T>>(
    system: &mut S,
    t: T,
    x: &S::State,
    h: T,
) -> Result<S::State, S::Stop> {
    let rate = system.derivative(t, x)?;
    let kicked = stepped(x, h, &system.without_position_rate(&rate));
    let drift = system.position_rate(t + h, &kicked)?;
    Ok(stepped(&kicked, h, &drift))
}

/// Which step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FixedMethod {
    /// [`rk4_step`]
    Rk4,
    /// [`semi_implicit_euler_step`]
    SemiImplicitEuler,
}

/// A run with steps of fixed length in `f64`.
#[derive(Clone, Copy, Debug)]
pub struct Fixed<V> {
    method: FixedMethod,
    step: f64,
    time: f64,
    state: V,
    statistics: Statistics,
}

impl<V: Vector<f64>> Fixed<V> {
    /// A run from a state, with steps of `step` \[s\].
    pub fn new(time: f64, state: V, method: FixedMethod, step: f64) -> Self {
        Self { method, step, time, state, statistics: Statistics::default() }
    }

    /// \[s\]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// x
    pub fn state(&self) -> &V {
        &self.state
    }

    /// Puts another state in place of the present one.
    pub fn set_state(&mut self, state: V) {
        self.state = state;
    }

    /// What it cost so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// To `limit` \[s\] exactly: as many equal steps as are needed so that none is longer than
    /// the given one. If they and those before are more than [`MOST_STEPS`], none is made. On failure time and state
    /// are those of the last good step.
    pub fn advance_to<S: Partitioned<f64, State = V>>(
        &mut self,
        system: &mut S,
        limit: f64,
    ) -> Result<(), Halt<S::Stop>> {
        self.advance_each(system, limit, |_| ControlFlow::Continue(()))
    }

    /// The same, and shows the state after each step; a break ends it with [`Halt::Interrupted`].
    pub fn advance_each<S: Partitioned<f64, State = V>>(
        &mut self,
        system: &mut S,
        limit: f64,
        mut each: impl FnMut(&V) -> ControlFlow<()>,
    ) -> Result<(), Halt<S::Stop>> {
        let start = self.time;
        let (h, count) = equal_steps(start, limit, self.step, self.statistics.steps)?;
        let mut k = 0.0;
        while k < count {
            let t = start + h * k;
            let made = match self.method {
                FixedMethod::Rk4 => {
                    self.statistics.evaluations += 4;
                    rk4_step(system, t, &self.state, h)
                }
                FixedMethod::SemiImplicitEuler => {
                    self.statistics.evaluations += 1;
                    semi_implicit_euler_step(system, t, &self.state, h)
                }
            };
            let mut next = made.map_err(Halt::System)?;
            if let Some((component, value)) = not_finite(&next) {
                return Err(Halt::NotFinite { component, value });
            }
            k += 1.0;
            let end = if k < count { start + h * k } else { limit };
            system.settle(h, &self.state, &mut next).map_err(Halt::System)?;
            self.state = next;
            self.time = end;
            self.statistics.steps += 1;
            if each(&self.state).is_break() {
                return Err(Halt::Interrupted);
            }
        }
        Ok(())
    }
}

/// Length and number of equal steps from `start` to `limit`, none longer than `longest` \[s\], for a run that has
/// made some already; none if there is no way to go.
pub fn equal_steps<S>(start: f64, limit: f64, longest: f64, made: u64) -> Result<(f64, f64), Halt<S>> {
    let span = limit - start;
    if span.is_nan() || longest.is_nan() || longest <= 0.0 {
        return Err(Halt::TimeStandsStill { time: start, step: if span.is_nan() { span } else { longest } });
    }
    if span <= 0.0 {
        return Ok((0.0, 0.0));
    }
    // A hair less than the quotient, so that rounding does not add a step.
    let exact = span / longest - 1e-9;
    let count = libm::ceil(if exact > 1.0 { exact } else { 1.0 });
    if count > MOST_STEPS.saturating_sub(made) as f64 {
        return Err(Halt::TooManySteps { steps: MOST_STEPS });
    }
    let h = span / count;
    if start + h <= start || limit - h >= limit {
        return Err(Halt::TimeStandsStill { time: start, step: h });
    }
    Ok((h, count))
}

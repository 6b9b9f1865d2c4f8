//! A formulation under an input: the system that integrators see.

use super::{Fault, Formulation, Load, MOST_MOTORS};
use crate::engine::Wrench;
use crate::integrate::{Partitioned, System, Vector};

/// What drives a robot, as a function of time.
pub trait Input {
    /// Efforts of all motors at a time \[N·m or N\].
    fn effort(&mut self, t: f64, effort: &mut [f64]);

    /// Wrench on the platform from outside; none by default.
    fn wrench(&mut self, t: f64) -> Wrench<f64> {
        let _ = t;
        Wrench::zero()
    }
}

/// The same efforts always.
impl<const K: usize> Input for [f64; K] {
    fn effort(&mut self, _t: f64, effort: &mut [f64]) {
        super::fill(effort, *self);
    }
}

/// Energy that came and went since the start of a run \[J\].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Books {
    /// Given by motors and outside wrench.
    pub work: f64,
    /// Taken by friction.
    pub dissipation: f64,
}

/// A formulation with its input. The state is the formulation's own and the two [`Books`].
#[derive(Clone, Copy, Debug)]
pub struct Driven<F, U> {
    /// The equations of motion.
    pub formulation: F,
    /// What drives them.
    pub input: U,
    effort: [f64; MOST_MOTORS],
}

impl<F: Formulation, U: Input> Driven<F, U> {
    /// A robot and what drives it.
    pub fn new(formulation: F, input: U) -> Self {
        Self { formulation, input, effort: [0.0; MOST_MOTORS] }
    }

    /// A state with empty books.
    pub fn opened(state: F::State) -> (F::State, [f64; 2]) {
        (state, [0.0; 2])
    }

    /// The books of a state.
    pub fn books((_, [work, dissipation]): &(F::State, [f64; 2])) -> Books {
        Books { work: *work, dissipation: *dissipation }
    }
}

impl<F: Formulation, U: Input> System<f64> for Driven<F, U> {
    type State = (F::State, [f64; 2]);
    type Stop = Fault;

    #[inline]
    fn derivative(&mut self, t: f64, (x, _): &Self::State) -> Result<Self::State, Fault> {
        let motors = self.formulation.motors();
        let found = self.effort.len();
        let effort = self.effort.get_mut(..motors).ok_or(Fault::Count { motors, found })?;
        self.input.effort(t, effort);
        let wrench = self.input.wrench(t);
        check("effort", effort)?;
        check("wrench", &wrench.to_vector_linear_first())?;
        let rate = self.formulation.rate(x, &Load { effort, wrench })?;
        Ok((rate.state, [rate.work, rate.dissipation]))
    }

    #[inline]
    fn settle(&mut self, h: f64, (before, _): &Self::State, (x, _): &mut Self::State) -> Result<bool, Fault> {
        self.formulation.settle(h, before, x)
    }
}

impl<F: Formulation, U: Input> Partitioned<f64> for Driven<F, U> {
    fn position_rate(&mut self, _t: f64, (x, _): &Self::State) -> Result<Self::State, Fault> {
        Ok((self.formulation.position_rate(x)?, <[f64; 2]>::zero()))
    }

    fn without_position_rate(&self, (rate, books): &Self::State) -> Self::State {
        (self.formulation.without_position_rate(rate), *books)
    }
}

/// Refuses NaN and infinity.
#[inline(always)]
fn check(what: &'static str, list: &[f64]) -> Result<(), Fault> {
    // One sum is enough to see whether any number is bad; look for it only then.
    let sum: f64 = list.iter().map(|x| x * 0.0).sum();
    if sum == 0.0 {
        return Ok(());
    }
    let place = list.iter().enumerate().find(|(_, value)| !value.is_finite());
    place.map_or(Ok(()), |(component, value)| Err(Fault::NotFinite { what, component, value: *value }))
}

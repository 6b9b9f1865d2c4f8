//! The implicit integrator for stiff plants: backward differences of variable order by
//! `diffsol`, which is named in this file only.
//!
//! Everything goes through slices and two closures, so the solver is compiled once whatever the
//! formulation. Its memory (order, step, differences) survives from one instant to the next.

use diffsol::{
    BdfState, NalgebraLU, NalgebraMat, NalgebraVec, OdeBuilder, OdeSolverMethod, OdeSolverStopReason,
    VectorCommon,
};
use legwork_core::integrate::Statistics;
use std::cell::{Cell, RefCell};

/// ẋ into the last argument; false if there is none here.
pub(super) type RateOf<'a> = dyn FnMut(f64, &[f64], &mut [f64]) -> bool + 'a;
/// Looks at a step: its length, its begin, its end.
pub(super) type Look<'a> = dyn FnMut(f64, &[f64], &[f64]) -> Seen + 'a;

/// What is said of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    Good,
    /// It is not taken.
    Refused,
    /// It is taken, and the run ends.
    Enough,
}

/// Why it cannot go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Trouble {
    /// The system has no rate just ahead, or refused a step.
    System,
    /// No step is short enough.
    StepTooShort(f64),
    /// All steps used.
    TooManySteps,
    /// The caller had enough.
    Interrupted,
}

/// A run under way.
pub(super) struct Bdf {
    pub time: f64,
    pub state: Vec<f64>,
    pub statistics: Statistics,
    tolerance: f64,
    pub most_steps: u64,
    memory: Option<BdfState<NalgebraVec<f64>>>,
    /// How long the next first step may be \[s\].
    longest: f64,
}

/// What became of a stretch of time.
enum Outcome {
    There,
    /// A step of this length was refused or came to nothing.
    Refused(f64, Trouble),
    Stuck(Trouble),
}

/// A refused step this short \[s\] is not tried again.
const SHORTEST: f64 = 1e-9;

impl Bdf {
    /// From a state at time 0 with this relative error of a step, a thousandth of it absolute, in at most so many steps.
    pub fn new(state: Vec<f64>, tolerance: f64, most_steps: u64) -> Self {
        Self {
            time: 0.0,
            state,
            statistics: Statistics::default(),
            tolerance,
            most_steps,
            memory: None,
            longest: f64::INFINITY,
        }
    }

    /// The rate jumps here, or the state was changed from outside.
    pub fn restart(&mut self) {
        self.memory = None;
    }

    /// To `limit` exactly. After a refused step it goes on from its begin, ten times as carefully.
    pub fn advance_to(
        &mut self,
        rate: &mut RateOf<'_>,
        look: &mut Look<'_>,
        limit: f64,
    ) -> Result<(), Trouble> {
        let nothing_left = 4.0 * f64::EPSILON * (1.0 + limit.abs());
        while limit - self.time > nothing_left {
            match self.stretch(rate, look, limit) {
                Outcome::There => {}
                Outcome::Refused(h, _) if h > SHORTEST => {
                    self.statistics.rejected += 1;
                    self.longest = 0.1 * h;
                    self.restart();
                }
                Outcome::Refused(_, trouble) | Outcome::Stuck(trouble) => return Err(trouble),
            }
        }
        self.time = self.time.max(limit);
        self.longest = f64::INFINITY;
        Ok(())
    }

    fn stretch(&mut self, rate: &mut RateOf<'_>, look: &mut Look<'_>, limit: f64) -> Outcome {
        let rates = Rates::new(rate, self.state.len());
        let start = self.state.clone();
        let size = start.len();
        let short = Trouble::StepTooShort(limit - self.time);
        let made = OdeBuilder::<NalgebraMat<f64>>::new()
            .t0(self.time)
            .h0(self.first_step(&rates, limit))
            .rtol(self.tolerance)
            .atol([1e-3 * self.tolerance])
            .rhs_implicit(
                |x: &[f64], _: &[f64], t, out: &mut [f64]| rates.at(t, x, out),
                |x: &[f64], _: &[f64], t, along: &[f64], out: &mut [f64]| rates.along(t, x, along, out),
            )
            .init(move |_: &[f64], _, x: &mut [f64]| x.copy_from_slice(&start), size)
            .build();
        let Ok(problem) = made else { return Outcome::Stuck(short) };
        let memory = self.memory.take().map_or_else(|| problem.bdf_state::<NalgebraLU<f64>>(), Ok);
        let solver = memory.and_then(|memory| problem.bdf_solver::<NalgebraLU<f64>>(memory));
        let Ok(mut solver) = solver else { return Outcome::Stuck(rates.trouble(short)) };
        if solver.set_stop_time(limit).is_err() {
            return Outcome::Stuck(short);
        }
        let outcome = loop {
            let before = solver.state().t;
            rates.failed.set(false);
            let Ok(reason) = solver.step() else {
                let h = solver.state().h;
                break Outcome::Refused(h, rates.trouble(Trouble::StepTooShort(h)));
            };
            let at = solver.state();
            let end: Vec<f64> = at.y.inner().iter().copied().collect();
            if end.iter().any(|x| !x.is_finite()) {
                break Outcome::Refused(at.t - before, Trouble::System);
            }
            let seen = look(at.t - before, &self.state, &end);
            if seen == Seen::Refused {
                break Outcome::Refused(at.t - before, Trouble::System);
            }
            (self.time, self.state) = (at.t, end);
            self.statistics.steps += 1;
            if seen == Seen::Enough {
                break Outcome::Stuck(Trouble::Interrupted);
            }
            if self.statistics.steps + self.statistics.rejected >= self.most_steps {
                break Outcome::Stuck(Trouble::TooManySteps);
            }
            if matches!(reason, OdeSolverStopReason::TstopReached) {
                self.time = limit;
                break Outcome::There;
            }
        };
        self.statistics.evaluations += rates.count.get();
        if matches!(outcome, Outcome::There) {
            self.memory = Some(solver.into_state());
        }
        outcome
    }

    /// A first step over which the state changes by a thousandth of itself; the solver
    /// shortens it as it needs.
    fn first_step(&self, rates: &Rates<'_, '_>, limit: f64) -> f64 {
        let mut rate = vec![0.0; self.state.len()];
        rates.at(self.time, &self.state, &mut rate);
        let norm = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let fast = 1e-3 * (1e-3 + norm(&self.state)) / norm(&rate);
        let fast = if fast.is_finite() { fast } else { 1e-3 * (limit - self.time) };
        fast.min(limit - self.time).min(self.longest)
    }
}

/// The rate as the solver wants it: shared, total, with derivatives.
struct Rates<'r, 'f> {
    rate: RefCell<&'r mut RateOf<'f>>,
    /// Time, state and rate of the last call: differences begin there.
    last: RefCell<(f64, Vec<f64>, Vec<f64>)>,
    failed: Cell<bool>,
    count: Cell<u64>,
}

impl<'r, 'f> Rates<'r, 'f> {
    fn new(rate: &'r mut RateOf<'f>, size: usize) -> Self {
        let last = RefCell::new((f64::NAN, vec![f64::NAN; size], vec![0.0; size]));
        Self { rate: RefCell::new(rate), last, failed: Cell::new(false), count: Cell::new(0) }
    }

    /// ẋ; NaN where there is none, which makes the solver try a shorter step.
    fn at(&self, t: f64, x: &[f64], out: &mut [f64]) {
        self.count.set(self.count.get() + 1);
        if !(self.rate.borrow_mut())(t, x, out) {
            self.failed.set(true);
            out.fill(f64::NAN);
        }
        let mut last = self.last.borrow_mut();
        last.0 = t;
        last.1.copy_from_slice(x);
        last.2.copy_from_slice(out);
    }

    /// ∂ẋ/∂x·v by a forward difference; the error, about 1e-8, costs Newton an iteration at most.
    fn along(&self, t: f64, x: &[f64], v: &[f64], out: &mut [f64]) {
        let known = { self.last.borrow().0 == t && self.last.borrow().1 == x };
        if !known {
            self.at(t, x, out);
        }
        let here = self.last.borrow().2.clone();
        let size = v.iter().zip(x).fold(0.0, |most: f64, (v, x)| most.max(v.abs() / x.abs().max(1.0)));
        if size == 0.0 {
            return out.fill(0.0);
        }
        let step = f64::EPSILON.sqrt() / size;
        let there: Vec<f64> = x.iter().zip(v).map(|(x, v)| x + step * v).collect();
        self.count.set(self.count.get() + 1);
        if !(self.rate.borrow_mut())(t, &there, out) {
            self.failed.set(true);
            out.fill(f64::NAN);
        }
        for (out, here) in out.iter_mut().zip(&here) {
            *out = (*out - here) / step;
        }
    }

    fn trouble(&self, other: Trouble) -> Trouble {
        if self.failed.get() { Trouble::System } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use legwork_core::integrate::{Dopri5, MOST_STEPS, Settings, System};
    use std::convert::Infallible;

    fn run(
        rate: impl Fn(&[f64], &mut [f64]),
        start: &[f64],
        tolerance: f64,
        instants: &[f64],
    ) -> (Vec<f64>, Statistics) {
        let mut bdf = Bdf::new(start.to_vec(), tolerance, MOST_STEPS);
        for instant in instants {
            let mut total = |_: f64, x: &[f64], out: &mut [f64]| {
                rate(x, out);
                true
            };
            bdf.advance_to(&mut total, &mut |_, _, _| Seen::Good, *instant).unwrap();
            assert_eq!(bdf.time, *instant);
        }
        (bdf.state, bdf.statistics)
    }

    /// Robertson's reaction, to the reference of the test set for initial value problems at t = 40:
    /// y = (0.7158270688, 9.1855347645e-6, 0.2841637457).
    #[test]
    fn robertson() {
        let rate = |y: &[f64], out: &mut [f64]| {
            let (slow, fast, both) = (0.04 * y[0], 3e7 * y[1] * y[1], 1e4 * y[1] * y[2]);
            out.copy_from_slice(&[both - slow, slow - both - fast, fast]);
        };
        let (y, _) = run(rate, &[1.0, 0.0, 0.0], 1e-8, &[0.4, 4.0, 40.0]);
        let reference = [0.715_827_068_8, 9.185_534_764_5e-6, 0.284_163_745_7];
        for (y, r) in y.iter().zip(reference) {
            assert!((y - r).abs() < 1e-6 * r, "{y} {r}"); // a hundred steps of 1e-8
        }
    }

    const MU: f64 = 1e5;

    struct VanDerPol;

    impl System<f64> for VanDerPol {
        type State = [f64; 2];
        type Stop = Infallible;
        fn derivative(&mut self, _t: f64, &[x, v]: &[f64; 2]) -> Result<[f64; 2], Infallible> {
            Ok([v, MU * ((1.0 - x * x) * v - x)])
        }
    }

    /// Van der Pol in its slow phase: both agree, and the explicit one needs a thousand times the evaluations.
    #[test]
    fn van_der_pol_is_cheap() {
        let rate = |y: &[f64], out: &mut [f64]| {
            out.copy_from_slice(&VanDerPol.derivative(0.0, &[y[0], y[1]]).unwrap());
        };
        let start = [2.0, -2.0 / 3.0];
        let (y, bdf) = run(rate, &start, 1e-7, &[0.1, 0.2, 0.3, 0.4, 0.5]);
        let mut explicit = Dopri5::new(0.0, start, Settings::default().with_tolerance(1e-7));
        explicit.advance_to(&mut VanDerPol, 0.5).unwrap();
        let dopri = explicit.statistics();
        println!("{y:?} {:?}: {bdf:?} against {dopri:?}", explicit.state());
        assert!((y[0] - explicit.state()[0]).abs() < 1e-5); // a hundred steps of 1e-7
        assert!(dopri.evaluations > 500 * bdf.evaluations);
    }

    /// x' = √(1 − t) ends at 1: no rate beyond, so the run has to stop there and say so.
    #[test]
    fn a_rate_that_ends_is_told() {
        let mut bdf = Bdf::new(vec![0.0], 1e-6, MOST_STEPS);
        let mut rate = |t: f64, _: &[f64], out: &mut [f64]| {
            out[0] = (1.0 - t).sqrt();
            t <= 1.0
        };
        assert_eq!(bdf.advance_to(&mut rate, &mut |_, _, _| Seen::Good, 2.0), Err(Trouble::System));
        assert!(bdf.time > 0.9 && bdf.time <= 1.0, "{}", bdf.time);
    }
}

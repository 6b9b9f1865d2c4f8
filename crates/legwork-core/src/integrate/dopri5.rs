//! Dormand–Prince 5(4) in `f64`: steps chosen by their own error.

use super::settings::{Halt, Settings, Statistics};
use super::tableau::{Dense, Trial, trial};
use super::vector::{finite, not_finite, stepped};
use super::work::{EDGE, Work};
use super::{System, Vector};
use crate::Real;
use core::ops::ControlFlow;

/// A run whose steps follow the error, \[HairerNorsettWanner1993, Sec. II.4–II.6\]:
///
/// ```text
/// err² = mean of (e_i / (absolute + relative · max(|x_i|, |x_i'|)))²
/// h'   = 0.9 h err^(−(0.2 − 0.75 β)) err_before^β,   β = 0.04,  h/5 ≤ h' ≤ 10 h
/// ```
///
/// A step into a place without a rate of change (out of reach) is tried again at
/// a quarter of its length, so a run ends as close to the edge as
/// [`Settings::shortest`].
#[derive(Clone, Copy, Debug)]
pub struct Dopri5<V> {
    settings: Settings,
    time: f64,
    state: V,
    /// The rate at the state, if it is known.
    slope: Option<V>,
    /// The next step \[s\], if one was proposed.
    step: Option<f64>,
    /// Error of the last step, not below 1e-4.
    error_before: f64,
    /// The run stands on an event, on one side of it or the other.
    at_event: bool,
    dense: Dense<V>,
    statistics: Statistics,
    work: Work,
}

/// How [`Dopri5::advance_until`] ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// The watched function changed its sign: the run stands there.
    Event,
    /// It did not: the run stands at the limit.
    Limit,
}

const BETA: f64 = 0.04;
const SAFETY: f64 = 0.9;

impl<V: Vector<f64>> Dopri5<V> {
    /// A run from a state.
    pub fn new(time: f64, state: V, settings: Settings) -> Self {
        Self {
            settings,
            time,
            state,
            slope: None,
            step: None,
            error_before: 1e-4,
            at_event: false,
            dense: Dense::constant(time, &state),
            statistics: Statistics::default(),
            work: Work::new(time),
        }
    }

    /// \[s\]
    pub fn time(&self) -> f64 {
        self.time
    }

    /// x
    pub fn state(&self) -> &V {
        &self.state
    }

    /// The last step as a polynomial.
    pub fn dense(&self) -> &Dense<V> {
        &self.dense
    }

    /// What it cost so far.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Tells that the system jumps here (a new input): the known rate is forgotten.
    pub fn restart(&mut self) {
        self.slope = None;
    }

    /// Puts another state in place of the present one.
    pub fn set_state(&mut self, state: V) {
        self.state = state;
        self.slope = None;
    }

    /// To `limit` \[s\] exactly. On failure time and state are those of the last good step.
    pub fn advance_to<S: System<f64, State = V>>(
        &mut self,
        system: &mut S,
        limit: f64,
    ) -> Result<(), Halt<S::Stop>> {
        self.advance_each(system, limit, |_| ControlFlow::Continue(()))
    }

    /// The same, and shows the state after each step; a break ends it with [`Halt::Interrupted`].
    pub fn advance_each<S: System<f64, State = V>>(
        &mut self,
        system: &mut S,
        limit: f64,
        mut each: impl FnMut(&V) -> ControlFlow<()>,
    ) -> Result<(), Halt<S::Stop>> {
        if limit.is_nan() {
            return Err(Halt::TimeStandsStill { time: self.time, step: limit });
        }
        while self.time < limit {
            self.step(system, limit)?;
            if each(&self.state).is_break() {
                return Err(Halt::Interrupted);
            }
        }
        Ok(())
    }

    /// To `limit` \[s\], or to the first instant where `watched` changes its sign. Signs are
    /// looked at on both ends and in the middle of every step; the instant is found
    /// on the dense output, and the last step is taken again to end there.
    pub fn advance_until<S: System<f64, State = V>>(
        &mut self,
        system: &mut S,
        limit: f64,
        mut watched: impl FnMut(f64, &V) -> f64,
    ) -> Result<Ending, Halt<S::Stop>> {
        while self.time < limit {
            let before = *self;
            self.step(system, limit)?;
            let dense = self.dense;
            // On an event the sign is noise: look a millionth of the step later.
            let shift = if before.at_event { 1e-6 * (self.time - before.time) } else { 0.0 };
            let first = before.time + shift;
            let low = watched(first, &dense.at(first));
            let middle = f64::midpoint(before.time, self.time);
            for (from, to) in [(first, middle), (middle, self.time)] {
                let g = watched(to, &dense.at(to));
                if low * g < 0.0 {
                    let instant = root(from, to, g, |t| watched(t, &dense.at(t)));
                    let cost = self.statistics;
                    *self = before;
                    self.statistics = cost;
                    self.advance_to(system, instant)?;
                    self.at_event = true;
                    return Ok(Ending::Event);
                }
            }
        }
        Ok(Ending::Limit)
    }

    /// One step, not past `limit` \[s\] and exactly onto it if it comes near.
    pub fn step<S: System<f64, State = V>>(
        &mut self,
        system: &mut S,
        limit: f64,
    ) -> Result<(), Halt<S::Stop>> {
        let end_of_run = self.settings.horizon.unwrap_or(limit).max(limit);
        self.work.judge(self.statistics, self.time, end_of_run)?;
        let slope = self.known_slope(system)?;
        let proposed = match self.step {
            Some(step) => step,
            None => self.first_step(system, &slope, limit),
        };
        let mut wanted = Real::min(proposed, self.settings.longest);
        // Rates beyond all bounds propose nothing, or NaN.
        if wanted.is_nan() || wanted < self.settings.shortest {
            wanted = self.settings.shortest;
        }
        let mut rejected = false;
        loop {
            if self.statistics.steps + self.statistics.rejected >= self.settings.most_steps {
                return Err(Halt::TooManySteps { steps: self.settings.most_steps });
            }
            let room = limit - self.time;
            // Rather stretch the last step a little than leave a crumb.
            let last = wanted * 1.01 >= room;
            let h = if last { room } else { wanted };
            let end = if last { limit } else { self.time + h };
            if end.is_nan() || end <= self.time {
                return Err(Halt::TimeStandsStill { time: self.time, step: h });
            }
            self.statistics.evaluations += 6;
            let reason = match self.attempt(system, &slope, h) {
                Ok((made, settled, error)) if error <= 1.0 => {
                    let next = self.next_step(h, error, rejected);
                    // A step cut short by the limit says little about the next one.
                    self.step = Some(if h < wanted { wanted.max(next) } else { next });
                    self.error_before = error.max(1e-4);
                    self.dense = Dense::new(self.time, h, &self.state, &slope, &made);
                    self.state = settled.unwrap_or(made.state);
                    self.slope = if settled.is_some() { None } else { Some(made.slope) };
                    self.time = end;
                    self.at_event = false;
                    self.statistics.steps += 1;
                    let [rates, states] = made.apart;
                    self.work.took(h * h * rates > EDGE * EDGE * states);
                    return Ok(());
                }
                Ok((_, _, error)) if error.is_finite() => {
                    let factor = libm::pow(error, EXPONENT) / SAFETY;
                    wanted = h / Real::min(5.0, factor);
                    Halt::StepTooShort { step: h }
                }
                Ok((made, ..)) => {
                    wanted = 0.25 * h;
                    match not_finite(&made.slope) {
                        Some((component, value)) => Halt::NotFinite { component, value },
                        None => Halt::StepTooShort { step: h },
                    }
                }
                Err(stop) => {
                    wanted = 0.25 * h;
                    Halt::System(stop)
                }
            };
            rejected = true;
            self.statistics.rejected += 1;
            if wanted.is_nan() || wanted < self.settings.shortest {
                return Err(reason);
            }
        }
    }

    /// A step of length `h`, settled, with its error; nothing is kept.
    #[allow(clippy::type_complexity)] // private, and a name would say no more
    #[inline(always)]
    fn attempt<S: System<f64, State = V>>(
        &self,
        system: &mut S,
        slope: &V,
        h: f64,
    ) -> Result<(Trial<V, f64>, Option<V>, f64), S::Stop> {
        let made = trial(system, self.time, &self.state, slope, h)?;
        let error = self.error(&made);
        let mut settled = made.state;
        // A step that will be thrown away need not be settled.
        let changed = error <= 1.0 && system.settle(h, &self.state, &mut settled)?;
        Ok((made, changed.then_some(settled), error))
    }

    /// Root of the mean square of the errors over what is allowed.
    #[inline(always)]
    fn error(&self, made: &Trial<V, f64>) -> f64 {
        let Settings { relative, absolute, .. } = self.settings;
        let allowed = self.state.zip(&made.state, |a, b| absolute + relative * a.abs().max(b.abs()));
        let sum = made.error.zip(&allowed, |e, a| (e / a) * (e / a)).fold(0.0, |sum, x| sum + x);
        Real::sqrt(sum / self.state.length() as f64)
    }

    fn next_step(&self, h: f64, error: f64, rejected: bool) -> f64 {
        let factor = libm::pow(error, EXPONENT) / (libm::pow(self.error_before, BETA) * SAFETY);
        let next = h / factor.clamp(0.1, 5.0);
        if rejected { Real::min(next, h) } else { next }
    }

    fn known_slope<S: System<f64, State = V>>(&mut self, system: &mut S) -> Result<V, Halt<S::Stop>> {
        if let Some(slope) = self.slope {
            return Ok(slope);
        }
        self.statistics.evaluations += 1;
        let slope = system.derivative(self.time, &self.state).map_err(Halt::System)?;
        if let Some((component, value)) = not_finite(&slope) {
            return Err(Halt::NotFinite { component, value });
        }
        self.slope = Some(slope);
        Ok(slope)
    }

    /// A first step from the size of rate and curvature \[HairerNorsettWanner1993, Sec. II.4\].
    fn first_step<S: System<f64, State = V>>(&mut self, system: &mut S, slope: &V, limit: f64) -> f64 {
        let Settings { relative, absolute, longest, .. } = self.settings;
        let longest = Real::min(longest, limit - self.time);
        let size = |v: &V| {
            let scaled = v.zip(&self.state, |v, x| v / (absolute + relative * x.abs()));
            Real::sqrt(scaled.fold(0.0, |sum, x| sum + x * x) / self.state.length() as f64)
        };
        let (here, rate) = (size(&self.state), size(slope));
        let small = here < 1e-5 || rate < 1e-5;
        let guess = Real::min(if small { 1e-6 } else { 0.01 * here / rate }, longest);
        self.statistics.evaluations += 1;
        let Ok(ahead) = system.derivative(self.time + guess, &stepped(&self.state, guess, slope)) else {
            return 1e-3 * guess; // at an edge: begin with care
        };
        if !finite(&ahead) {
            return 1e-3 * guess;
        }
        let curvature = size(&ahead.zip(slope, |b, a| b - a)) / guess;
        let largest = curvature.max(rate);
        let second =
            if largest <= 1e-15 { 1e-6_f64.max(1e-3 * guess) } else { libm::pow(0.01 / largest, 0.2) };
        Real::min(Real::min(100.0 * guess, second), longest)
    }
}

const EXPONENT: f64 = 0.2 - 0.75 * BETA;

/// Where a function changes its sign between two times, by bisection and secants
/// (Illinois); `far` is its value at `b`.
fn root(mut a: f64, mut b: f64, far: f64, mut f: impl FnMut(f64) -> f64) -> f64 {
    let (mut fa, mut fb) = (f(a), far);
    for _ in 0..80 {
        let width = b - a;
        if width <= 4.0 * f64::EPSILON * b.abs().max(a.abs()) || fb == 0.0 {
            break;
        }
        let secant = b - fb * width / (fb - fa);
        let inside = secant > a && secant < b;
        let c = if inside { secant } else { f64::midpoint(a, b) };
        let fc = f(c);
        if fc * fa < 0.0 {
            (b, fb) = (c, fc);
            fa *= 0.5;
        } else {
            (a, fa) = (c, fc);
            fb *= 0.5;
        }
    }
    b
}

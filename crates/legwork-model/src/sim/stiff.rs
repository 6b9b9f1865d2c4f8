//! The implicit integrator for stiff plants: six stages, the first explicit, the others with the same diagonal γ, of
//! order 4 with an estimate of order 3, L-stable and stiffly accurate \[KennedyCarpenter2003, ARK4(3)6L\[2\]SA, implicit
//! part\].
//!
//!   zᵢ = x + h Σ aᵢⱼ kⱼ,   kᵢ = f(t + cᵢ h, zᵢ),   j ≤ i                                          (1)
//!   (1 − h γ J) δ = f(t + cᵢ h, zᵢ) − kᵢ,   kᵢ ← kᵢ + δ      (simplified Newton, J = ∂f/∂x)          (2)
//!   x′ = z₆,   e = (1 − h γ J)⁻¹ h Σ (bᵢ − b̂ᵢ) kᵢ            (the estimate, filtered)              (3)
//!
//! J is a matrix of differences that is kept from step to step while Newton converges with it. Everything goes through
//! slices and two closures, so the integrator is compiled once whatever the formulation; after [`Implicit::new`] only
//! the factors of 1 − h γ J are allocated.

use legwork_core::integrate::Statistics;
use nalgebra::{DMatrix, DVector, Dyn, LU};

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

const STAGES: usize = 6;
/// aᵢᵢ of the stages after the first.
const GAMMA: f64 = 0.25;
/// aᵢⱼ below the diagonal. The last row is that of the weights b, whose own diagonal is γ too.
const BELOW: [[f64; 5]; STAGES] = [
    [0.0; 5],
    [0.25, 0.0, 0.0, 0.0, 0.0],
    [8_611.0 / 62_500.0, -1_743.0 / 31_250.0, 0.0, 0.0, 0.0],
    [5_012_029.0 / 34_652_500.0, -654_441.0 / 2_922_500.0, 174_375.0 / 388_108.0, 0.0, 0.0],
    [
        15_267_082_809.0 / 155_376_265_600.0,
        -71_443_401.0 / 120_774_400.0,
        730_878_875.0 / 902_184_768.0,
        2_285_395.0 / 8_070_912.0,
        0.0,
    ],
    [82_889.0 / 524_892.0, 0.0, 15_625.0 / 83_664.0, 69_875.0 / 102_672.0, -2_260.0 / 8_211.0],
];
/// cᵢ.
const INSTANTS: [f64; STAGES] = [0.0, 0.5, 83.0 / 250.0, 31.0 / 50.0, 17.0 / 20.0, 1.0];
/// b̂ᵢ, of order 3.
const ESTIMATE: [f64; STAGES] = [
    4_586_570_599.0 / 29_645_900_160.0,
    0.0,
    178_811_875.0 / 945_068_544.0,
    814_220_225.0 / 1_159_782_912.0,
    -3_700_637.0 / 11_593_932.0,
    61_727.0 / 225_920.0,
];

/// A refused step this short \[s\] is not tried again.
const SHORTEST: f64 = 1e-9;
/// Newton ends when its error is below this part of the tolerance.
const NEWTON_ERROR: f64 = 0.01;
/// More iterations than these cost more than a shorter step.
const MOST_ITERATIONS: usize = 8;
/// J is made anew when an iteration leaves more than this part of the last one.
const SLOW: f64 = 0.2;

/// A run under way.
pub(super) struct Implicit {
    pub time: f64,
    pub state: Vec<f64>,
    pub statistics: Statistics,
    tolerance: f64,
    pub most_steps: u64,
    /// Length of the next step \[s\]; none before the first one.
    next: Option<f64>,
    /// ẋ at the begin of the next step, if the last one has left it in the first of `stages`.
    has_slope: bool,
    stages: [DVector<f64>; STAGES],
    /// J, and how it stands to the present step.
    jacobian: DMatrix<f64>,
    freshness: Freshness,
    /// Factors of 1 − h γ J, and the h they are for.
    factors: Option<(f64, LU<f64, Dyn, Dyn>)>,
    /// z of a stage, what is known of it before Newton, a rate, a correction.
    at: Vec<f64>,
    known: Vec<f64>,
    rate: Vec<f64>,
    correction: DVector<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Freshness {
    None,
    /// From an earlier step.
    Old,
    /// From the begin of this step.
    Fresh,
}

/// What became of a trial step.
enum Trial {
    /// Its error in parts of the tolerance.
    Made(f64),
    /// Newton did not converge.
    Diverged,
    /// There is no rate at a stage.
    NoRate,
}

impl Implicit {
    /// From a state at time 0 with this relative error of a step, a thousandth of it absolute, in at most so many steps.
    pub fn new(state: Vec<f64>, tolerance: f64, most_steps: u64) -> Self {
        let size = state.len();
        let list = vec![0.0; size];
        Self {
            time: 0.0,
            state,
            statistics: Statistics::default(),
            tolerance,
            most_steps,
            next: None,
            has_slope: false,
            stages: core::array::from_fn(|_| DVector::zeros(size)),
            jacobian: DMatrix::zeros(size, size),
            freshness: Freshness::None,
            factors: None,
            at: list.clone(),
            known: list.clone(),
            rate: list,
            correction: DVector::zeros(size),
        }
    }

    /// The rate jumps here, or the state was changed from outside.
    pub fn restart(&mut self) {
        self.next = None;
        self.has_slope = false;
        self.freshness = Freshness::None;
    }

    /// To `limit` exactly. After a refused step it goes on from its begin with a tenth of the length.
    pub fn advance_to(
        &mut self,
        rate: &mut RateOf<'_>,
        look: &mut Look<'_>,
        limit: f64,
    ) -> Result<(), Trouble> {
        let nothing_left = 4.0 * f64::EPSILON * (1.0 + limit.abs());
        while limit - self.time > nothing_left {
            if self.statistics.steps + self.statistics.rejected >= self.most_steps {
                return Err(Trouble::TooManySteps);
            }
            self.step(rate, look, limit)?;
        }
        self.time = self.time.max(limit);
        Ok(())
    }

    /// One step that is taken, or one that is refused and made shorter.
    fn step(&mut self, rate: &mut RateOf<'_>, look: &mut Look<'_>, limit: f64) -> Result<(), Trouble> {
        if !self.has_slope {
            self.statistics.evaluations += 1;
            if !rate(self.time, &self.state, self.stages[0].as_mut_slice()) {
                return Err(Trouble::System);
            }
            self.has_slope = true;
        }
        let left = limit - self.time;
        let wanted = self.next.unwrap_or_else(|| self.first_step());
        // Two equal steps rather than one and a tiny rest.
        let h = if wanted >= left { left } else { wanted.min(0.5 * left) };
        if self.time + h == self.time {
            return Err(Trouble::StepTooShort(h));
        }
        let trial = self.trial(rate, h);
        let error = match trial {
            Trial::Made(error) if error <= 1.0 => error,
            // Also an error that is NaN.
            Trial::Made(error) => {
                return self.refuse(h, (0.9 * error.powf(-0.25)).max(0.2), Trouble::StepTooShort(h));
            }
            Trial::Diverged if self.freshness == Freshness::Old => {
                self.freshness = Freshness::None;
                return Ok(());
            }
            Trial::Diverged => return self.refuse(h, 0.25, Trouble::StepTooShort(h)),
            Trial::NoRate => return self.refuse(h, 0.1, Trouble::System),
        };
        let seen = look(h, &self.state, &self.at);
        if seen == Seen::Refused {
            return self.refuse(h, 0.1, Trouble::System);
        }
        self.time = if h == left { limit } else { self.time + h };
        self.state.copy_from_slice(&self.at);
        self.stages.swap(0, STAGES - 1);
        if self.freshness == Freshness::Fresh {
            self.freshness = Freshness::Old;
        }
        self.statistics.steps += 1;
        let longer = h * (0.9 * error.powf(-0.25)).clamp(0.2, 5.0);
        // A step that only ends at the limit says nothing against the longer one that was wanted.
        self.next = Some(if h < wanted { longer.max(wanted.min(5.0 * h)) } else { longer });
        if seen == Seen::Enough { Err(Trouble::Interrupted) } else { Ok(()) }
    }

    /// The step is not taken; the next one is shorter by this factor, unless it is too short already.
    fn refuse(&mut self, h: f64, factor: f64, trouble: Trouble) -> Result<(), Trouble> {
        self.statistics.rejected += 1;
        let shortest =
            if trouble == Trouble::System { SHORTEST } else { 16.0 * f64::EPSILON * (1.0 + self.time) };
        if h <= shortest {
            return Err(trouble);
        }
        self.next = Some(h * if factor.is_finite() { factor } else { 0.2 });
        Ok(())
    }

    /// Stages 2 to 6 by (1) and (2), then (3). Leaves the end of the step in `at`.
    fn trial(&mut self, rate: &mut RateOf<'_>, h: f64) -> Trial {
        if self.freshness == Freshness::None && !self.differences(rate) {
            return Trial::NoRate;
        }
        if self.factors.as_ref().is_none_or(|(of, _)| *of != h) {
            let size = self.state.len();
            let matrix = DMatrix::identity(size, size) - &self.jacobian * (h * GAMMA);
            self.factors = Some((h, matrix.lu()));
        }
        for i in 1..STAGES {
            self.known.copy_from_slice(&self.state);
            for (weight, stage) in BELOW[i].iter().zip(&self.stages[..i]) {
                for (known, k) in self.known.iter_mut().zip(stage.iter()) {
                    *known += h * weight * k;
                }
            }
            let (before, after) = self.stages.split_at_mut(i);
            after[0].copy_from(&before[i - 1]);
            match self.newton(rate, h, i) {
                Some(true) => {}
                Some(false) => return Trial::Diverged,
                None => return Trial::NoRate,
            }
        }
        self.correction.fill(0.0);
        for (i, stage) in self.stages.iter().enumerate() {
            let weight = if i + 1 < STAGES { BELOW[STAGES - 1][i] } else { GAMMA };
            self.correction.axpy(h * (weight - ESTIMATE[i]), stage, 1.0);
        }
        if !self.solve() {
            return Trial::Diverged;
        }
        Trial::Made(self.norm(&self.correction))
    }

    /// (2) for stage `i`: whether it converged; none where there is no rate.
    fn newton(&mut self, rate: &mut RateOf<'_>, h: f64, i: usize) -> Option<bool> {
        let t = self.time + INSTANTS[i] * h;
        let mut last = f64::INFINITY;
        for iteration in 0..MOST_ITERATIONS {
            for (at, (known, k)) in self.at.iter_mut().zip(self.known.iter().zip(self.stages[i].iter())) {
                *at = known + h * GAMMA * k;
            }
            self.statistics.evaluations += 1;
            if !rate(t, &self.at, &mut self.rate) {
                return None;
            }
            for (c, (rate, k)) in self.correction.iter_mut().zip(self.rate.iter().zip(self.stages[i].iter()))
            {
                *c = rate - k;
            }
            if !self.solve() {
                return Some(false);
            }
            self.stages[i] += &self.correction;
            let size = h * GAMMA * self.norm(&self.correction);
            let ratio = size / last;
            let converged = if iteration == 0 {
                size <= 1e-3 * NEWTON_ERROR
            } else {
                ratio < 1.0 && size * ratio / (1.0 - ratio) <= NEWTON_ERROR
            };
            if converged {
                if ratio > SLOW && iteration > 0 && self.freshness == Freshness::Old {
                    self.freshness = Freshness::None; // good for this step, not for the next
                }
                for (at, (known, k)) in self.at.iter_mut().zip(self.known.iter().zip(self.stages[i].iter())) {
                    *at = known + h * GAMMA * k;
                }
                return Some(true);
            }
            if !(size.is_finite() && ratio < 2.0) && iteration > 0 {
                return Some(false);
            }
            last = size;
        }
        Some(false)
    }

    /// `correction` ← (1 − h γ J)⁻¹ `correction`; false where that is singular.
    fn solve(&mut self) -> bool {
        self.factors.as_ref().is_some_and(|(_, factors)| factors.solve_mut(&mut self.correction))
    }

    /// J by forward differences, backward ones where there is no rate ahead; its error, about 1e-8, costs Newton an
    /// iteration at most. False where there is none.
    fn differences(&mut self, rate: &mut RateOf<'_>) -> bool {
        self.factors = None;
        // Not the slope that the last step has left: it differs from the rate by what Newton left, times J.
        self.statistics.evaluations += 1;
        if !rate(self.time, &self.state, self.correction.as_mut_slice()) {
            return false;
        }
        for column in 0..self.state.len() {
            let x = self.state[column];
            let mut found = false;
            for sign in [1.0, -1.0] {
                self.at.copy_from_slice(&self.state);
                self.at[column] = x + sign * f64::EPSILON.sqrt() * x.abs().max(1.0);
                let step = self.at[column] - x;
                self.statistics.evaluations += 1;
                found = rate(self.time, &self.at, &mut self.rate);
                if found {
                    for (row, (there, here)) in self.rate.iter().zip(self.correction.iter()).enumerate() {
                        self.jacobian[(row, column)] = (there - here) / step;
                    }
                    break;
                }
            }
            if !found {
                return false;
            }
        }
        self.freshness = Freshness::Fresh;
        true
    }

    /// The largest component in parts of its tolerance; NaN if one is.
    fn norm(&self, list: &DVector<f64>) -> f64 {
        list.iter().zip(&self.state).fold(0.0, |most: f64, (e, x)| {
            let part = e.abs() / (self.tolerance * (x.abs() + 1e-3));
            if part > most || part.is_nan() { part } else { most }
        })
    }

    /// A first step over which the state changes by a thousandth of itself; a refused one is followed by shorter ones.
    fn first_step(&self) -> f64 {
        let norm = |list: &[f64]| list.iter().fold(0.0, |most: f64, x| most.max(x.abs()));
        let fast = 1e-3 * (1e-3 + norm(&self.state)) / norm(self.stages[0].as_slice());
        if fast.is_finite() { fast } else { 1e-3 }
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
        let mut implicit = Implicit::new(start.to_vec(), tolerance, MOST_STEPS);
        for instant in instants {
            let mut total = |_: f64, x: &[f64], out: &mut [f64]| {
                rate(x, out);
                true
            };
            implicit.advance_to(&mut total, &mut |_, _, _| Seen::Good, *instant).unwrap();
            assert_eq!(implicit.time, *instant);
        }
        (implicit.state, implicit.statistics)
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

    /// The conditions of order 3 for b̂ and of order 4 for b, from the tableau alone \[HairerWanner1996, IV.5\].
    #[test]
    fn the_tableau_has_its_order() {
        let full = |i: usize, j: usize| match j.cmp(&i) {
            core::cmp::Ordering::Less => BELOW[i][j],
            core::cmp::Ordering::Equal if i > 0 => GAMMA,
            _ => 0.0,
        };
        let all = 0..STAGES;
        let times =
            |x: &[f64; STAGES]| core::array::from_fn(|i| all.clone().map(|j| full(i, j) * x[j]).sum::<f64>());
        let each =
            |x: &[f64; STAGES], y: &[f64; STAGES]| core::array::from_fn::<f64, STAGES, _>(|i| x[i] * y[i]);
        let c = INSTANTS;
        for (row, instant) in c.iter().enumerate() {
            let sum: f64 = all.clone().map(|j| full(row, j)).sum();
            assert!((sum - instant).abs() < 1e-15, "row {row}: {sum}"); // rounding of six numbers below 1
        }
        let c2 = each(&c, &c);
        let (ac, ac2): ([f64; STAGES], [f64; STAGES]) = (times(&c), times(&c2));
        let aac: [f64; STAGES] = times(&ac);
        let b = core::array::from_fn(|j| full(STAGES - 1, j));
        let third = [([1.0; STAGES], 1.0), (c, 2.0), (c2, 3.0), (ac, 6.0)];
        let fourth = [(each(&c, &c2), 4.0), (each(&c, &ac), 8.0), (ac2, 12.0), (aac, 24.0)];
        let off = |weights: &[f64; STAGES], (x, part): ([f64; STAGES], f64)| {
            (weights.iter().zip(x).map(|(b, x)| b * x).sum::<f64>() - 1.0 / part).abs()
        };
        for condition in third {
            assert!(off(&ESTIMATE, condition) < 1e-15 && off(&b, condition) < 1e-15);
        }
        for condition in fourth {
            assert!(off(&b, condition) < 1e-15);
        }
        assert!(fourth.into_iter().any(|condition| off(&ESTIMATE, condition) > 1e-3));
    }

    /// A stiff equation whose solution is cos t whatever its rate: the error follows the tolerance, and the number of
    /// evaluations does not follow the rate.
    #[test]
    fn accuracy_is_bought_by_the_tolerance_and_not_by_the_rate() {
        let solve = |lambda: f64, tolerance: f64| {
            let mut run = Implicit::new(vec![1.0], tolerance, MOST_STEPS);
            let mut rate = |t: f64, x: &[f64], out: &mut [f64]| {
                out[0] = -lambda * (x[0] - t.cos()) - t.sin();
                true
            };
            run.advance_to(&mut rate, &mut |_, _, _| Seen::Good, 10.0).unwrap();
            ((run.state[0] - 10.0_f64.cos()).abs(), run.statistics.evaluations)
        };
        for lambda in [1.0, 1e3, 1e6, 1e9] {
            let (coarse, few) = solve(lambda, 1e-5);
            let (fine, many) = solve(lambda, 1e-9);
            println!("{lambda:e}: {coarse:.1e} in {few}, {fine:.1e} in {many}");
            // About a hundred steps, each within its tolerance.
            assert!(coarse < 1e-3 && fine < 1e-7, "{lambda}: {coarse:e} {fine:e}");
            assert!(few < 2_000 && many < 20_000, "{lambda}: {few} {many}");
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

    /// Van der Pol in its slow phase: both agree, and the explicit one needs five hundred times the evaluations.
    #[test]
    fn van_der_pol_is_cheap() {
        let rate = |y: &[f64], out: &mut [f64]| {
            out.copy_from_slice(&VanDerPol.derivative(0.0, &[y[0], y[1]]).unwrap());
        };
        let start = [2.0, -2.0 / 3.0];
        let (y, implicit) = run(rate, &start, 1e-7, &[0.1, 0.2, 0.3, 0.4, 0.5]);
        let mut explicit = Dopri5::new(0.0, start, Settings::default().with_tolerance(1e-7));
        explicit.advance_to(&mut VanDerPol, 0.5).unwrap();
        let dopri = explicit.statistics();
        println!("{y:?} {:?}: {implicit:?} against {dopri:?}", explicit.state());
        assert!((y[0] - explicit.state()[0]).abs() < 1e-5); // a hundred steps of 1e-7
        assert!(dopri.evaluations > 500 * implicit.evaluations);
    }

    /// x' = √(1 − t) ends at 1: no rate beyond, so the run has to stop there and say so.
    #[test]
    fn a_rate_that_ends_is_told() {
        let mut implicit = Implicit::new(vec![0.0], 1e-6, MOST_STEPS);
        let mut rate = |t: f64, _: &[f64], out: &mut [f64]| {
            out[0] = (1.0 - t).sqrt();
            t <= 1.0
        };
        assert_eq!(implicit.advance_to(&mut rate, &mut |_, _, _| Seen::Good, 2.0), Err(Trouble::System));
        assert!(implicit.time > 0.9 && implicit.time <= 1.0, "{}", implicit.time);
    }
}

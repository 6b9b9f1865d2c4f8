//! The pair of Dormand and Prince: one step, its error, and the polynomial through it.

use super::vector::stepped;
use super::{System, Vector};
use crate::Real;

/// Nodes c_2 … c_5 \[HairerNorsettWanner1993, Table II.5.2\].
const C: [f64; 4] = [1.0 / 5.0, 3.0 / 10.0, 4.0 / 5.0, 8.0 / 9.0];
const A2: [f64; 1] = [1.0 / 5.0];
const A3: [f64; 2] = [3.0 / 40.0, 9.0 / 40.0];
const A4: [f64; 3] = [44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0];
const A5: [f64; 4] = [19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0];
const A6: [f64; 5] = [9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0];
/// Weights of the fifth order; the last stage is evaluated there (FSAL). b_2 = 0.
const B: [f64; 5] = [35.0 / 384.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0];
/// Fifth minus fourth order, for k_1, k_3 … k_7.
const E: [f64; 6] =
    [71.0 / 57600.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0];
/// Dense output of the fourth order, for k_1, k_3 … k_7 \[HairerNorsettWanner1993, Sec. II.6\].
const D: [f64; 6] = [
    -12715105075.0 / 11282082432.0,
    87487479700.0 / 32700410799.0,
    -10690763975.0 / 1880347072.0,
    701980252875.0 / 199316789632.0,
    -1453857185.0 / 822651844.0,
    69997945.0 / 29380423.0,
];

/// x + h Σ a_j k_j
#[inline(always)]
fn stage<T: Real, V: Vector<T>, const N: usize>(x: &V, h: T, a: &[f64; N], k: [&V; N]) -> V {
    let mut out = *x;
    for (a, k) in a.iter().zip(k) {
        out.add_scaled(h * T::from_f64(*a), k);
    }
    out
}

/// Σ a_j k_j
#[inline(always)]
fn sum<T: Real, V: Vector<T>>(h: T, a: &[f64; 6], k: [&V; 6]) -> V {
    stage(&V::zero(), h, a, k)
}

/// One step of the fifth order.
pub(super) struct Trial<V, T> {
    /// x at the end.
    pub state: V,
    /// The rate there: k_7, the first stage of the next step.
    pub slope: V,
    /// Fifth minus fourth order.
    pub error: V,
    /// h k_1, k_3 … k_7 in the combination D.
    bend: V,
    /// |k_7 − k_6|² and |x_7 − x_6|²: the quotient is the square of the fastest rate λ, because both stages stand at
    /// the same time \[HairerWanner1996, Sec. IV.2\].
    pub apart: [T; 2],
}

/// One step of the fifth order with embedded error, six evaluations; `slope` is the rate at `x`.
#[inline(always)]
pub(super) fn trial<T: Real, S: System<T>>(
    system: &mut S,
    t: T,
    x: &S::State,
    slope: &S::State,
    h: T,
) -> Result<Trial<S::State, T>, S::Stop> {
    let at = |c: f64| t + h * T::from_f64(c);
    let k1 = slope;
    let k2 = &system.derivative(at(C[0]), &stage(x, h, &A2, [k1]))?;
    let k3 = &system.derivative(at(C[1]), &stage(x, h, &A3, [k1, k2]))?;
    let k4 = &system.derivative(at(C[2]), &stage(x, h, &A4, [k1, k2, k3]))?;
    let k5 = &system.derivative(at(C[3]), &stage(x, h, &A5, [k1, k2, k3, k4]))?;
    let sixth = stage(x, h, &A6, [k1, k2, k3, k4, k5]);
    let k6 = &system.derivative(t + h, &sixth)?;
    let state = stage(x, h, &B, [k1, k3, k4, k5, k6]);
    let k7 = &system.derivative(t + h, &state)?;
    let all = [k1, k3, k4, k5, k6, k7];
    let square =
        |a: &S::State, b: &S::State| a.zip(b, |a, b| (a - b) * (a - b)).fold(T::zero(), |sum, x| sum + x);
    let apart = [square(k7, k6), square(&state, &sixth)];
    Ok(Trial { state, slope: *k7, error: sum(h, &E, all), bend: sum(h, &D, all), apart })
}

/// The polynomial of fourth order through one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Dense<V> {
    start: f64,
    step: f64,
    coefficients: [V; 5],
}

impl<V: Vector<f64>> Dense<V> {
    pub(super) fn constant(t: f64, x: &V) -> Self {
        let zero = V::zero();
        Self { start: t, step: 0.0, coefficients: [*x, zero, zero, zero, zero] }
    }

    pub(super) fn new(start: f64, step: f64, x: &V, slope: &V, trial: &Trial<V, f64>) -> Self {
        let rise = trial.state.zip(x, |b, a| b - a);
        let curve = slope.zip(&rise, |k, r| step * k - r);
        let twist = rise.zip(&trial.slope, |r, k| r - step * k).zip(&curve, |a, b| a - b);
        Self { start, step, coefficients: [*x, rise, curve, twist, trial.bend] }
    }

    /// Where it begins \[s\].
    pub fn start(&self) -> f64 {
        self.start
    }

    /// Where it ends \[s\].
    pub fn end(&self) -> f64 {
        self.start + self.step
    }

    /// The state at a time between start and end.
    pub fn at(&self, t: f64) -> V {
        let theta = if self.step > 0.0 { (t - self.start) / self.step } else { 0.0 };
        let rest = 1.0 - theta;
        let [a, b, c, d, e] = &self.coefficients;
        let inner = stepped(d, rest, e);
        let inner = stepped(c, theta, &inner);
        let inner = stepped(b, rest, &inner);
        stepped(a, theta, &inner)
    }
}

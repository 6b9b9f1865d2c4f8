//! What rounding can do to a recorded function, to first order.
//!
//! A step k that rounds its value t_k by δ_k |t_k| moves an output by ∂o/∂t_k · t_k δ_k. With |δ_k| ≤ w_k u, the unit of
//! rounding u and the weight w_k of the operation,
//!
//! ```text
//! |error of o| ≤ u ( Σ_inputs |∂o/∂x| |x| + Σ_constants |∂o/∂c| |c| + Σ_steps w_k |∂o/∂t_k| |t_k| ) + O(u²)          (1)
//! ```
//!
//! What a search finds is off by its own bound, and what it reads of the step before by the gap at which it ends, times the slopes
//! of what it finds by what it is asked for.
//!
//! All slopes of one output are one sweep from the last step to the first. The first sum over |o| is the condition of the
//! function: what a relative change of its inputs does.

use crate::emit::closed;
use crate::evaluate::number;
use crate::program::{Function, Group, Operation, SINGLE_CLOSED, Value};
use crate::request::Precision;
use crate::vectors::Vector;

/// The unit of rounding of `f64`.
pub const UNIT_DOUBLE: f64 = f64::EPSILON / 2.0;
/// The unit of rounding of `f32`.
#[allow(clippy::cast_lossless)] // a constant
pub const UNIT_FLOAT: f64 = (f32::EPSILON / 2.0) as f64;

/// How one output answers to small changes of everything before it, in the unit of the output.
#[derive(Clone, Debug, PartialEq)]
pub struct Sensitivity {
    /// ∂o/∂x of every input.
    pub slopes: Vec<f64>,
    /// Σ |∂o/∂x| |x| over the inputs.
    pub inputs: f64,
    /// Σ |∂o/∂c| |c| over the constants of the robot.
    pub constants: f64,
    /// Σ w |∂o/∂t| |t| over the steps.
    pub steps: f64,
}

impl Sensitivity {
    /// What rounding of inputs, constants and steps can do together, in units of rounding (1).
    pub fn total(&self) -> f64 {
        self.inputs + self.constants + self.steps
    }
}

/// How many units of rounding an operation can be off: the four operations and the root are rounded correctly, sines and
/// angles of a mathematics library are within one unit in the last place, two of ours.
fn weight(operation: &Operation) -> f64 {
    match operation {
        Operation::Neg(_) | Operation::Abs(_) | Operation::Least(..) | Operation::Select(_) => 0.0,
        Operation::Sin(_) | Operation::Cos(_) | Operation::Atan2(..) => 2.0,
        _ => 1.0,
    }
}

/// The slopes of an operation by what it reads, with `v` the values and `own` its result.
fn slopes(operation: &Operation, own: f64, v: impl Fn(Value) -> f64) -> [Option<(Value, f64)>; 2] {
    match *operation {
        Operation::Neg(a) => [Some((a, -1.0)), None],
        Operation::Add(a, b) => [Some((a, 1.0)), Some((b, 1.0))],
        Operation::Sub(a, b) => [Some((a, 1.0)), Some((b, -1.0))],
        Operation::Mul(a, b) => [Some((a, v(b))), Some((b, v(a)))],
        Operation::Div(a, b) => [Some((a, 1.0 / v(b))), Some((b, -own / v(b)))],
        Operation::Sqrt(a) => [Some((a, 0.5 / own)), None],
        Operation::Abs(a) => [Some((a, if v(a) < 0.0 { -1.0 } else { 1.0 })), None],
        Operation::Sin(a) => [Some((a, v(a).cos())), None],
        Operation::Cos(a) => [Some((a, -v(a).sin())), None],
        Operation::Atan2(y, x) => {
            let square = v(x) * v(x) + v(y) * v(y);
            [Some((y, v(x) / square)), Some((x, -v(y) / square))]
        }
        Operation::Least(a, b) => [Some((if v(a) < v(b) { a } else { b }, 1.0)), None],
        Operation::Select([a, b, yes, no]) => [Some((if v(a) < v(b) { yes } else { no }, 1.0)), None],
    }
}

impl Function {
    /// How each output answers to small changes at these inputs; of a search, at the last of its steps.
    pub fn sensitivities(&self, inputs: &[f64]) -> Vec<Sensitivity> {
        let inputs = self.last_inputs(inputs);
        let values = self.step_values(&inputs);
        let v = |value: Value| number(value, &inputs, &values);
        self.results.iter().map(|result| self.sensitivity(*result, &inputs, &values, &v)).collect()
    }

    fn sensitivity(
        &self,
        result: Value,
        inputs: &[f64],
        values: &[f64],
        v: &impl Fn(Value) -> f64,
    ) -> Sensitivity {
        let mut by_step = vec![0.0; values.len()];
        let mut found =
            Sensitivity { slopes: vec![0.0; inputs.len()], inputs: 0.0, constants: 0.0, steps: 0.0 };
        let mut reach = |value: Value, slope: f64, by_step: &mut [f64]| match value {
            Value::Step(k) => by_step[k] += slope,
            Value::Input(k) => found.slopes[k] += slope,
            Value::Constant(c) => found.constants += (slope * c).abs(),
            Value::Table(_) | Value::InputOfLeg(_) | Value::OfLeg(..) => {}
        };
        reach(result, 1.0, &mut by_step);
        let mut steps = 0.0;
        for (k, step) in self.steps.iter().enumerate().rev() {
            let slope = by_step[k];
            // What nothing reads may have no slope of its own: a root of zero that was not chosen.
            if slope == 0.0 {
                continue;
            }
            steps += weight(step) * (slope * values[k]).abs();
            for (value, own) in slopes(step, values[k], v).into_iter().flatten() {
                reach(value, slope * own, &mut by_step);
            }
        }
        found.steps = steps;
        found.inputs = found.slopes.iter().zip(inputs).map(|(slope, x)| (slope * x).abs()).sum();
        found
    }
}

/// What rounding can do to a function.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bound {
    /// Of an answer, relative to the largest number of its group, or to its usual size if that is larger, see [`least_size`].
    pub error: f64,
    /// The bound is that of states with at least this margin.
    pub margin: f64,
}

/// The least size that errors of a group are relative to: one for a margin and for an angle, which have no unit; for a place the
/// size of the robot, for everything else its usual size.
pub fn least_size(group: &Group) -> f64 {
    if matches!(group.name, "margin" | "angle") { 1.0 } else { group.least }
}

/// Errors of a list of outputs are relative to no less than its usual size: of many states some have an answer that is nearly zero,
/// and errors of others behind it. The median at these states, to two digits.
pub(crate) fn set_usual_sizes(function: &mut Function, states: &[Vector]) {
    let mut at = 0;
    for group in &mut function.outputs {
        let range = at..at + group.count();
        at = range.end;
        let mut sizes: Vec<f64> = states
            .iter()
            .map(|state| state.outputs[range.clone()].iter().fold(0.0_f64, |size, x| size.max(x.abs())))
            .filter(|size| size.is_finite())
            .collect();
        sizes.sort_by(f64::total_cmp);
        if let Some(middle) = sizes.get(sizes.len() / 2) {
            group.least =
                format!("{middle:.1e}").parse().map_or(group.least, |size: f64| size.max(group.least));
        }
    }
}

/// The size that errors of a group are relative to: its largest number.
pub(crate) fn group_size(group: &Group, numbers: &[f64]) -> f64 {
    numbers.iter().fold(least_size(group), |size, x| size.max(x.abs()))
}

/// How many states (1) is worked out at: those with the largest errors of all.
const WORST_STATES: usize = 40;
/// Steps times outputs that (1) may take, which is a sweep through all steps for each output.
const SWEEPS: usize = 2_000_000;

/// Twice the largest error at these states, rounded up to one digit, for states with a margin that half of them have: what is
/// closer to a singularity than most may be off by more, and states between these too. The function is run in single precision at
/// all of them; where that is off by most, (1) says what it could have been with other roundings, in either precision. In double
/// twice that, because the states were computed in double too.
pub(crate) fn bound(function: &Function, states: &[Vector], precision: Precision) -> Bound {
    let margin = usual_margin(function, states);
    let single = function.in_single();
    let mut judged: Vec<(f64, &Vector)> = states
        .iter()
        .filter(|state| function.margin(&state.outputs) >= margin)
        .map(|state| (single.error_in_single(state), state))
        .collect();
    judged.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let (mut worst, copies) = match precision {
        Precision::Double => (4.0 * UNIT_DOUBLE, 2.0),
        Precision::Float => (judged.first().map_or(0.0, |(error, _)| *error).max(2.0 * UNIT_FLOAT), 1.0),
    };
    let count = SWEEPS / (function.steps.len().max(1) * function.results.len());
    for (_, state) in judged.iter().take(count.clamp(4, WORST_STATES)) {
        let errors = function.errors(&state.inputs, precision);
        worst = worst.max(copies * function.largest_share(&errors, &state.outputs));
    }
    // States between these may be worse.
    let worst = 2.0 * worst;
    let power = 10_f64.powf(worst.log10().floor());
    Bound { error: (worst / power).ceil() * power, margin }
}

/// The margin that half of these states have.
fn usual_margin(function: &Function, states: &[Vector]) -> f64 {
    let mut margins: Vec<f64> = states.iter().map(|state| function.margin(&state.outputs)).collect();
    margins.sort_by(f64::total_cmp);
    margins.get(margins.len() / 2).copied().unwrap_or(1.0)
}

impl Function {
    /// The margin among these outputs; one where there is none.
    pub(crate) fn margin(&self, outputs: &[f64]) -> f64 {
        self.output_place("margin").map_or(1.0, |place| outputs[place])
    }

    /// The largest of these errors, each over the size of its group. How far a search was before its last step is no answer. Not a number
    /// if one of them is not.
    fn largest_share(&self, errors: &[f64], outputs: &[f64]) -> f64 {
        let gap = self.iteration.as_ref().map(|search| search.gap);
        let (mut at, mut worst) = (0, 0.0_f64);
        for group in &self.outputs {
            let range = at..at + group.count();
            at = range.end;
            if Some(group.name) != gap {
                let size = group_size(group, &outputs[range.clone()]);
                let larger =
                    |worst: f64, error: f64| if error / size <= worst { worst } else { error / size };
                worst = errors[range].iter().fold(worst, |worst, error| larger(worst, *error));
            }
        }
        worst
    }

    /// How far this function, run in single precision, is from an answer.
    #[allow(clippy::cast_possible_truncation)] // what single precision is about
    fn error_in_single(&self, state: &Vector) -> f64 {
        let inputs: Vec<f32> = state.inputs.iter().map(|x| *x as f32).collect();
        let found = self.evaluate(&inputs);
        let errors: Vec<f64> = found
            .iter()
            .zip(&state.outputs)
            .map(|(found, exact)| (f64::from(*found) - exact).abs())
            .collect();
        self.largest_share(&errors, &state.outputs)
    }

    /// The function as it is written out for single precision, with its searches.
    fn in_single(&self) -> Self {
        let mut single = self.clone().for_single();
        for search in single.before.iter_mut().filter_map(|search| search.iteration.as_mut()) {
            search.tolerance = SINGLE_CLOSED;
        }
        if let Some(search) = &mut single.iteration {
            search.tolerance = SINGLE_CLOSED;
        }
        single
    }

    /// What rounding can do to each output at these arguments, in its unit (1).
    fn errors(&self, arguments: &[f64], precision: Precision) -> Vec<f64> {
        let unit = if precision == Precision::Double { UNIT_DOUBLE } else { UNIT_FLOAT };
        let inputs = self.last_inputs(arguments);
        let mut off: Vec<f64> = inputs.iter().map(|x| unit * x.abs()).collect();
        for search in &self.before {
            let own: Vec<f64> = search.inputs.iter().flat_map(|group| part(self, arguments, group)).collect();
            let errors = search.errors(&own, precision);
            let mut at = 0;
            for group in &search.outputs {
                if let Some(place) = self.input_place(group.name) {
                    off[place..place + group.count()].copy_from_slice(&errors[at..at + group.count()]);
                }
                at += group.count();
            }
        }
        let sensitivities = self.sensitivities(arguments);
        if let Some(search) = &self.iteration {
            // What it is asked for is met to its gap; what it carries is off by the gap times its slopes.
            let gap = closed(search, precision);
            let places = |name: &str| {
                let len = self.inputs.iter().find(|group| group.name == name).map_or(0, Group::count);
                self.input_place(name).map_or(0..0, |start| start..start + len)
            };
            let is_carried = |k: usize| search.carried.iter().any(|[from, _]| places(from).contains(&k));
            let asked: Vec<usize> = (0..inputs.len()).filter(|k| !is_carried(*k)).collect();
            for [from, to] in &search.carried {
                for (place, result) in places(from).zip(self.output_place(to).unwrap_or(0)..) {
                    let slopes = &sensitivities[result].slopes;
                    off[place] += gap * asked.iter().map(|i| slopes[*i].abs()).sum::<f64>();
                }
            }
        }
        let error = |own: &Sensitivity| {
            let by_inputs: f64 = own.slopes.iter().zip(&off).map(|(slope, off)| slope.abs() * off).sum();
            by_inputs + unit * (own.constants + own.steps)
        };
        sensitivities.iter().map(error).collect()
    }
}

/// The numbers of a group of inputs.
fn part(function: &Function, inputs: &[f64], group: &Group) -> Vec<f64> {
    let start = function.input_place(group.name).unwrap_or(0);
    inputs[start..start + group.count()].to_vec()
}

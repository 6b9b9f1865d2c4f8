//! A recorded function run with numbers.

use crate::program::{Function, Group, Operation, Value};
use legwork_core::Real;

impl Function {
    /// The outputs for these arguments: one pass, or the whole search.
    pub fn evaluate<T: Real<Mask = bool> + PartialOrd>(&self, arguments: &[T]) -> Vec<T> {
        self.pass(&self.last_inputs(arguments))
    }

    /// The inputs of the last pass for these arguments: what the searches before it found, and where its own search was.
    pub fn last_inputs<T: Real<Mask = bool> + PartialOrd>(&self, arguments: &[T]) -> Vec<T> {
        let mut inputs = arguments.to_vec();
        inputs.resize(self.inputs.iter().map(Group::count).sum(), T::from_f64(f64::NAN));
        for search in &self.before {
            let own: Vec<T> = search.inputs.iter().flat_map(|group| self.part(&inputs, group)).collect();
            let found = search.evaluate(&own);
            let mut at = 0;
            for group in &search.outputs {
                if let Some(place) = self.input_place(group.name) {
                    inputs[place..place + group.count()].copy_from_slice(&found[at..at + group.count()]);
                }
                at += group.count();
            }
        }
        let Some(iteration) = &self.iteration else { return inputs };
        let gap = self.output_place(iteration.gap).unwrap_or(0);
        for _ in 1..iteration.most {
            let found = self.pass(&inputs);
            if found[gap] <= T::from_f64(iteration.tolerance) {
                break;
            }
            for [from, to] in &iteration.carried {
                let (Some(from), Some(start)) = (self.input_place(from), self.output_place(to)) else {
                    continue;
                };
                let len = self.outputs.iter().find(|group| group.name == *to).map_or(0, Group::count);
                inputs[from..from + len].copy_from_slice(&found[start..start + len]);
            }
        }
        inputs
    }

    /// The numbers of a group of inputs.
    fn part<T: Real>(&self, inputs: &[T], group: &Group) -> Vec<T> {
        let start = self.input_place(group.name).unwrap_or(0);
        inputs[start..start + group.count()].to_vec()
    }

    /// The outputs of one pass over the steps.
    pub fn pass<T: Real>(&self, inputs: &[T]) -> Vec<T> {
        let values = self.step_values(inputs);
        self.results.iter().map(|value| number(*value, inputs, &values)).collect()
    }

    /// What every step gives.
    pub(crate) fn step_values<T: Real>(&self, inputs: &[T]) -> Vec<T> {
        let mut values: Vec<T> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let v = |value: Value| number(value, inputs, &values);
            let next = match *step {
                Operation::Neg(a) => -v(a),
                Operation::Add(a, b) => v(a) + v(b),
                Operation::Sub(a, b) => v(a) - v(b),
                Operation::Mul(a, b) => v(a) * v(b),
                Operation::Div(a, b) => v(a) / v(b),
                Operation::Sqrt(a) => v(a).sqrt(),
                Operation::Abs(a) => v(a).abs(),
                Operation::Sin(a) => v(a).sin_cos().0,
                Operation::Cos(a) => v(a).sin_cos().1,
                Operation::Atan2(y, x) => v(y).atan2(v(x)),
                Operation::Least(a, b) => v(a).min(v(b)),
                Operation::Select([a, b, yes, no]) => T::select(v(a).lt(v(b)), v(yes), v(no)),
            };
            values.push(next);
        }
        values
    }
}

/// A value that a step reads.
pub(crate) fn number<T: Real>(value: Value, inputs: &[T], values: &[T]) -> T {
    let lost = || T::from_f64(f64::NAN);
    match value {
        Value::Constant(c) => T::from_f64(c),
        Value::Input(k) => inputs.get(k).copied().unwrap_or_else(lost),
        Value::Step(k) => values.get(k).copied().unwrap_or_else(lost),
        Value::Table(_) | Value::InputOfLeg(_) | Value::OfLeg(..) => lost(),
    }
}

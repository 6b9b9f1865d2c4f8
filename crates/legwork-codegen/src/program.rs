//! A recorded formula as a straight-line program: inputs, steps that read earlier ones, results.

use legwork_core::Real;
use legwork_core::trace::{Node, NodeId, Operand, Tape, Trace};
use std::collections::BTreeMap;

/// What a step reads.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// A known number.
    Constant(f64),
    /// An input, counted through all groups.
    Input(usize),
    /// The result of an earlier step.
    Step(usize),
    /// In a loop over legs: the number of this leg in a table.
    Table(usize),
    /// In a loop over legs: the input with this number for the first leg, the next one for the second.
    InputOfLeg(usize),
    /// After a loop over legs: a result of a leg, by result and leg.
    OfLeg(usize, usize),
}

/// A function whose equal legs are done in one loop. It has the operations of the straight form, but for what folding finds
/// in single legs.
#[derive(Clone, Debug, PartialEq)]
pub struct Rolled {
    /// How many legs.
    pub legs: usize,
    /// Numbers that differ from leg to leg, a list each.
    pub tables: Vec<Vec<f64>>,
    /// What is done for each leg.
    pub body: Vec<Operation>,
    /// What each leg gives.
    pub body_results: Vec<Value>,
    /// What is done with it.
    pub steps: Vec<Operation>,
    /// The outputs, counted through all groups.
    pub results: Vec<Value>,
}

/// One step of a program.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operation {
    /// −a
    Neg(Value),
    /// a + b
    Add(Value, Value),
    /// a − b
    Sub(Value, Value),
    /// a·b
    Mul(Value, Value),
    /// a / b
    Div(Value, Value),
    /// √a
    Sqrt(Value),
    /// |a|
    Abs(Value),
    /// sin a
    Sin(Value),
    /// cos a
    Cos(Value),
    /// Angle of the point (x, y): y, then x.
    Atan2(Value, Value),
    /// The smaller one; NaN if either is.
    Least(Value, Value),
    /// The third where the first is less than the second, else the fourth.
    Select([Value; 4]),
}

/// What an error can be divided by.
const NEVER_ZERO: f64 = 1e-30;

/// Numbers that belong together: a list, or a single one.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name in the code.
    pub name: &'static str,
    /// How many numbers; `None` for a single one that is no list.
    pub len: Option<usize>,
    /// What they are, with their unit.
    pub meaning: String,
    /// Errors of smaller numbers are no larger in proportion: a platform that turns about the origin is at a place of size zero.
    pub least: f64,
}

impl Group {
    /// A list.
    pub fn list(name: &'static str, len: usize, meaning: impl Into<String>) -> Self {
        Self { name, len: Some(len), meaning: meaning.into(), least: NEVER_ZERO }
    }

    /// A number.
    pub fn one(name: &'static str, meaning: impl Into<String>) -> Self {
        Self { name, len: None, meaning: meaning.into(), least: NEVER_ZERO }
    }

    /// With a size, in its unit, below which errors are taken over this size.
    pub fn with_least(self, least: f64) -> Self {
        Self { least, ..self }
    }

    /// How many numbers.
    pub fn count(&self) -> usize {
        self.len.unwrap_or(1)
    }
}

/// What makes a step of Newton's method a search: the loop around it.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration {
    /// Pairs of an input and an output: what a step finds is where the next one begins.
    pub carried: Vec<[&'static str; 2]>,
    /// The output that says how far it was from closing before the step.
    pub gap: &'static str,
    /// A gap of at most this ends the search.
    pub tolerance: f64,
    /// The most steps.
    pub most: usize,
}

/// A function to be written out.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    /// Its name, without that of the robot.
    pub name: String,
    /// What it gives, one sentence.
    pub meaning: String,
    /// The formula of the library that it equals.
    pub formula: &'static str,
    /// What it reads, in order.
    pub inputs: Vec<Group>,
    /// What it gives, in order.
    pub outputs: Vec<Group>,
    /// The steps.
    pub steps: Vec<Operation>,
    /// The outputs, counted through all groups.
    pub results: Vec<Value>,
    /// The loop around the steps, if it searches.
    pub iteration: Option<Iteration>,
    /// Searches that run before the steps. What they find takes the place of the inputs with the names of their outputs.
    pub before: Vec<Function>,
    /// The same with a loop over its legs: shorter, and vectors for the compiler.
    pub rolled: Option<Rolled>,
}

/// The gap at which the library calls a leg that it searches for closed, and what single precision can do.
const LEG_CLOSED: f64 = 1e-9;
pub(crate) const SINGLE_CLOSED: f64 = 1e-5;

/// How many operations of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs)] // the names say it
pub struct Counts {
    pub mul: usize,
    pub add: usize,
    pub div: usize,
    pub sqrt: usize,
    pub sin_cos: usize,
    pub atan2: usize,
    /// Choices and minima.
    pub select: usize,
}

impl Counts {
    /// Multiplications, additions, divisions and roots together.
    pub fn flops(&self) -> usize {
        self.mul + self.add + self.div + self.sqrt
    }
}

/// Inputs of a function that is being recorded.
pub struct Recording<'t> {
    tape: &'t Tape,
    inputs: Vec<Group>,
}

impl<'t> Recording<'t> {
    /// Nothing yet.
    pub fn new(tape: &'t Tape) -> Self {
        Self { tape, inputs: Vec::new() }
    }

    /// A list of inputs.
    pub fn list(&mut self, name: &'static str, len: usize, meaning: impl Into<String>) -> Vec<Trace<'t>> {
        self.inputs.push(Group::list(name, len, meaning));
        (0..len).map(|_| self.tape.input(name)).collect()
    }

    /// A list of inputs whose length the formula knows.
    pub fn array<const N: usize>(
        &mut self,
        name: &'static str,
        meaning: impl Into<String>,
    ) -> [Trace<'t>; N] {
        self.inputs.push(Group::list(name, N, meaning));
        std::array::from_fn(|_| self.tape.input(name))
    }

    /// The inputs of another function once more.
    pub fn again(&mut self, group: &Group) -> Vec<Trace<'t>> {
        self.inputs.push(group.clone());
        (0..group.count()).map(|_| self.tape.input(group.name)).collect()
    }

    /// One input.
    pub fn one(&mut self, name: &'static str, meaning: impl Into<String>) -> Trace<'t> {
        self.inputs.push(Group::one(name, meaning));
        self.tape.input(name)
    }

    /// The function with these outputs.
    pub fn finish(
        self,
        (name, meaning, formula): (&str, &str, &'static str),
        outputs: Vec<(Group, Vec<Trace<'t>>)>,
    ) -> Function {
        let outputs = where_finite(outputs);
        let results: Vec<Trace<'t>> = outputs.iter().flat_map(|(_, list)| list.iter().copied()).collect();
        let (steps, results) = steps_of(self.tape, &results);
        let outputs = outputs.into_iter().map(|(group, _)| group).collect();
        let (name, meaning) = (name.to_owned(), meaning.to_owned());
        Function {
            name,
            meaning,
            formula,
            inputs: self.inputs,
            outputs,
            steps,
            results,
            iteration: None,
            before: Vec::new(),
            rolled: None,
        }
    }
}

/// Outputs with a margin that tells of every answer that is not finite too: −1 then.
fn where_finite<'t>(mut outputs: Vec<(Group, Vec<Trace<'t>>)>) -> Vec<(Group, Vec<Trace<'t>>)> {
    let answer: Vec<Trace<'t>> = outputs
        .iter()
        .filter(|(group, _)| group.name != "margin")
        .flat_map(|(_, list)| list.clone())
        .collect();
    for (_, list) in outputs.iter_mut().filter(|(group, _)| group.name == "margin") {
        for margin in list {
            *margin = finite_margin(*margin, &answer);
        }
    }
    outputs
}

/// A margin, but −1 where a number of the answer is not finite: so are numbers that were not finite before.
pub(crate) fn finite_margin<'t>(margin: Trace<'t>, answer: &[Trace<'t>]) -> Trace<'t> {
    let sum = answer.iter().fold(Trace::zero(), |sum, x| sum + *x);
    Trace::select(sum.abs().lt(Trace::from_f64(f64::MAX)), margin, -Trace::one())
}

/// The steps that the outputs need.
pub(crate) fn steps_of(tape: &Tape, outputs: &[Trace<'_>]) -> (Vec<Operation>, Vec<Value>) {
    let nodes: BTreeMap<NodeId, Node> = tape.live_nodes(outputs).collect();
    let node = |operand: Operand| match operand {
        Operand::Node(id) => nodes.get(&id).copied(),
        Operand::Constant(_) => None,
    };
    let mut places: BTreeMap<NodeId, Value> = BTreeMap::new();
    let mut steps = Vec::new();
    for (id, recorded) in tape.live_nodes(outputs) {
        let v = |operand: Operand| match operand {
            Operand::Constant(c) => Value::Constant(c),
            Operand::Node(id) => places.get(&id).copied().unwrap_or(Value::Constant(f64::NAN)),
        };
        let operation = match recorded {
            Node::Input(number) => {
                places.insert(id, Value::Input(number));
                continue;
            }
            Node::Lt(..) => continue,
            Node::Neg(a) => Operation::Neg(v(a)),
            Node::Add(a, b) => Operation::Add(v(a), v(b)),
            Node::Sub(a, b) => Operation::Sub(v(a), v(b)),
            Node::Mul(a, b) => Operation::Mul(v(a), v(b)),
            Node::Div(a, b) => Operation::Div(v(a), v(b)),
            Node::Sqrt(a) => Operation::Sqrt(v(a)),
            Node::Abs(a) => Operation::Abs(v(a)),
            Node::Sin(a) => Operation::Sin(v(a)),
            Node::Cos(a) => Operation::Cos(v(a)),
            Node::Atan2 { y, x } => Operation::Atan2(v(y), v(x)),
            Node::Select { mask, yes, no } => {
                let Some(Node::Lt(a, b)) = nodes.get(&mask).copied() else { continue };
                if is_least(a, b, yes, no, &node) {
                    Operation::Least(v(a), v(b))
                } else {
                    Operation::Select([v(a), v(b), v(yes), v(no)])
                }
            }
        };
        places.insert(id, Value::Step(steps.len()));
        steps.push(operation);
    }
    let results = outputs.iter().map(|output| match output.operand() {
        Operand::Constant(c) => Value::Constant(c),
        Operand::Node(id) => places.get(&id).copied().unwrap_or(Value::Constant(f64::NAN)),
    });
    let results = results.collect::<Vec<_>>();
    ordered(&steps, &results)
}

/// Whether a choice is [`Real::min`]: a where a < b, b where b < a, and their mean, which is both of them or NaN, else.
fn is_least(
    a: Operand,
    b: Operand,
    yes: Operand,
    no: Operand,
    node: &impl Fn(Operand) -> Option<Node>,
) -> bool {
    let Some(Node::Select { mask, yes: then, no: tie }) = node(no) else { return false };
    let Some(Node::Lt(c, d)) = node(Operand::Node(mask)) else { return false };
    let Some(Node::Mul(Operand::Constant(half), sum)) = node(tie) else { return false };
    let mean = node(sum) == Some(Node::Add(a.min(b), a.max(b)));
    yes == a && then == b && (c, d) == (b, a) && half == 0.5 && mean
}

impl Operation {
    /// What it reads.
    pub fn reads(&self) -> impl Iterator<Item = Value> {
        let list = match *self {
            Self::Neg(a) | Self::Sqrt(a) | Self::Abs(a) | Self::Sin(a) | Self::Cos(a) => {
                [Some(a), None, None, None]
            }
            Self::Add(a, b)
            | Self::Sub(a, b)
            | Self::Mul(a, b)
            | Self::Div(a, b)
            | Self::Atan2(a, b)
            | Self::Least(a, b) => [Some(a), Some(b), None, None],
            Self::Select(list) => list.map(Some),
        };
        list.into_iter().flatten()
    }

    pub(crate) fn map(self, f: impl Fn(Value) -> Value) -> Self {
        match self {
            Self::Neg(a) => Self::Neg(f(a)),
            Self::Add(a, b) => Self::Add(f(a), f(b)),
            Self::Sub(a, b) => Self::Sub(f(a), f(b)),
            Self::Mul(a, b) => Self::Mul(f(a), f(b)),
            Self::Div(a, b) => Self::Div(f(a), f(b)),
            Self::Sqrt(a) => Self::Sqrt(f(a)),
            Self::Abs(a) => Self::Abs(f(a)),
            Self::Sin(a) => Self::Sin(f(a)),
            Self::Cos(a) => Self::Cos(f(a)),
            Self::Atan2(a, b) => Self::Atan2(f(a), f(b)),
            Self::Least(a, b) => Self::Least(f(a), f(b)),
            Self::Select(list) => Self::Select(list.map(f)),
        }
    }
}

/// The steps that the results need, without the others, in the order in which they were recorded.
fn ordered(steps: &[Operation], results: &[Value]) -> (Vec<Operation>, Vec<Value>) {
    let mut live = vec![false; steps.len()];
    let mark = |live: &mut Vec<bool>, value: Value| {
        if let Value::Step(k) = value {
            live[k] = true;
        }
    };
    for value in results {
        mark(&mut live, *value);
    }
    for k in (0..steps.len()).rev() {
        if live[k] {
            steps[k].reads().for_each(|value| mark(&mut live, value));
        }
    }
    let mut places = vec![usize::MAX; steps.len()];
    let mut kept = Vec::new();
    let moved = |places: &[usize], value: Value| match value {
        Value::Step(k) => Value::Step(places[k]),
        other => other,
    };
    for (k, step) in steps.iter().enumerate().filter(|(k, _)| live[*k]) {
        places[k] = kept.len();
        kept.push(step.map(|value| moved(&places, value)));
    }
    let results = results.iter().map(|value| moved(&places, *value)).collect();
    (kept, results)
}

impl Function {
    /// Its steps and those of the searches before them.
    pub(crate) fn all_steps(&self) -> impl Iterator<Item = &Operation> {
        self.before.iter().flat_map(|search| &search.steps).chain(&self.steps)
    }

    /// The operations of one pass, also of each search before it.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for step in self.all_steps() {
            let kind = match step {
                Operation::Neg(_) | Operation::Abs(_) => continue,
                Operation::Add(..) | Operation::Sub(..) => &mut counts.add,
                Operation::Mul(..) => &mut counts.mul,
                Operation::Div(..) => &mut counts.div,
                Operation::Sqrt(_) => &mut counts.sqrt,
                Operation::Sin(_) | Operation::Cos(_) => &mut counts.sin_cos,
                Operation::Atan2(..) => &mut counts.atan2,
                Operation::Least(..) | Operation::Select(_) => &mut counts.select,
            };
            *kind += 1;
        }
        counts
    }

    /// Whether it calls a function that other mathematics libraries round otherwise.
    pub fn has_trigonometry(&self) -> bool {
        let counts = self.counts();
        counts.sin_cos + counts.atan2 > 0
    }

    /// Whether an input is no argument but something that a search before the steps finds.
    pub fn is_found(&self, group: &Group) -> bool {
        let has = |list: &[Group]| list.iter().any(|other| other.name == group.name);
        self.before.iter().any(|search| has(&search.outputs) && !has(&search.inputs))
    }

    /// The inputs that a caller gives.
    pub fn arguments(&self) -> impl Iterator<Item = &Group> {
        self.inputs.iter().filter(|group| !self.is_found(group))
    }

    /// How many numbers a caller gives.
    pub fn input_count(&self) -> usize {
        self.arguments().map(Group::count).sum()
    }

    /// The same for single precision, which cannot close the joints of a leg to [`LEG_CLOSED`].
    pub(crate) fn for_single(mut self) -> Self {
        for step in &mut self.steps {
            if let Operation::Select([_, Value::Constant(limit), ..]) = step
                && *limit == LEG_CLOSED
            {
                *limit = SINGLE_CLOSED;
            }
        }
        self.before = self.before.into_iter().map(Self::for_single).collect();
        self
    }

    /// The same function under another name with some of its outputs only, each with its new name, and its inputs renamed;
    /// what nothing reads any more is dropped.
    pub(crate) fn reduced(
        &self,
        name: &str,
        outputs: &[&'static str],
        renamed: impl Fn(&'static str) -> &'static str,
    ) -> Option<Self> {
        let mut kept = self.clone();
        name.clone_into(&mut kept.name);
        kept.rolled = None;
        let (mut groups, mut results) = (Vec::new(), Vec::new());
        for output in outputs {
            let start = self.output_place(output)?;
            let group = self.outputs.iter().find(|group| group.name == *output)?;
            results.extend(&self.results[start..start + group.count()]);
            groups.push(Group { name: renamed(group.name), ..group.clone() });
        }
        (kept.steps, kept.results) = ordered(&self.steps, &results);
        kept.outputs = groups;
        kept.inputs.iter_mut().for_each(|group| group.name = renamed(group.name));
        if let Some(search) = &mut kept.iteration {
            search.carried.iter_mut().flatten().for_each(|name| *name = renamed(name));
            search.gap = renamed(search.gap);
        }
        Some(kept)
    }

    /// The first number of a group of inputs.
    pub fn input_place(&self, name: &str) -> Option<usize> {
        place_of(&self.inputs, name)
    }

    /// The first number of a group of outputs.
    pub fn output_place(&self, name: &str) -> Option<usize> {
        place_of(&self.outputs, name)
    }
}

fn place_of(groups: &[Group], name: &str) -> Option<usize> {
    let at = groups.iter().position(|group| group.name == name)?;
    Some(groups[..at].iter().map(Group::count).sum())
}

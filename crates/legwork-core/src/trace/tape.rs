//! The tape, and what can be asked of it.

use super::Trace;
use super::count::OperationCount;
use super::node::{Node, NodeId, Operand};
use super::rules::Recorder;
use super::word::{Shared, TapeNumber, Word};
use crate::Real;
use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;

/// Records the operations of the [`Trace`] numbers that belong to it.
#[derive(Debug)]
pub struct Tape {
    recorder: Shared,
    number: TapeNumber,
}

impl Default for Tape {
    fn default() -> Self {
        let recorder = Rc::new(RefCell::new(Recorder::default()));
        let number = TapeNumber::open(&recorder);
        Self { recorder, number }
    }
}

impl Drop for Tape {
    fn drop(&mut self) {
        self.number.close();
    }
}

/// Why a recorded formula could not be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EvaluateError {
    /// Not one value for each input of the tape.
    InputCount {
        /// Inputs of the tape.
        expected: usize,
        /// Values in the call.
        given: usize,
    },
    /// An output was recorded on another tape.
    OtherTape {
        /// Its place among the outputs, from 0.
        output: usize,
    },
}

impl fmt::Display for EvaluateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputCount { expected, given } => {
                write!(f, "the tape has {expected} inputs, but {given} values were given")
            }
            Self::OtherTape { output } => write!(f, "output {output} was recorded on another tape"),
        }
    }
}

impl core::error::Error for EvaluateError {}

impl Tape {
    /// An empty tape.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new variable. Its value is given to [`evaluate`](Tape::evaluate), in
    /// the order in which the inputs were made. Names serve the reader and
    /// need not differ.
    pub fn input(&self, name: &str) -> Trace<'_> {
        let operand = self.recorder.borrow_mut().input(name);
        Trace::new(Word::of(self.number, operand))
    }

    /// The names of the inputs, in order.
    pub fn input_names(&self) -> Vec<String> {
        self.recorder.borrow().names.clone()
    }

    /// The nodes that these outputs need, each after the ones it reads.
    /// Inputs appear only if they matter. Outputs of other tapes are left out.
    pub fn live_nodes(&self, outputs: &[Trace<'_>]) -> impl Iterator<Item = (NodeId, Node)> + use<> {
        let nodes = &self.recorder.borrow().nodes;
        let mut live = vec![false; nodes.len()];
        let mark = |live: &mut [bool], NodeId(id)| {
            if let Some(flag) = live.get_mut(id) {
                *flag = true;
            }
        };
        for output in outputs.iter().filter(|output| self.holds(**output)) {
            if let Operand::Node(id) = output.operand() {
                mark(&mut live, id);
            }
        }
        // Backwards: a node is needed if a later one that is needed reads it.
        for (id, node) in nodes.iter().enumerate().rev() {
            if live.get(id) == Some(&true) {
                node.sources().for_each(|source| mark(&mut live, source));
            }
        }
        let kept = nodes.iter().enumerate().zip(live).filter(|(_, live)| *live);
        let kept: Vec<_> = kept.map(|((id, node), _)| (NodeId(id), *node)).collect();
        kept.into_iter()
    }

    /// The operations that these outputs need together.
    pub fn count(&self, outputs: &[Trace<'_>]) -> OperationCount {
        let mut count = OperationCount::default();
        self.live_nodes(outputs).for_each(|(_, node)| count.note(node));
        count
    }

    /// The outputs for these values of all inputs, in `f64`.
    ///
    /// Equal to the formula run in `f64` directly, but for what the rules in the
    /// [module](super) say about zeros and NaN.
    pub fn evaluate(&self, outputs: &[Trace<'_>], inputs: &[f64]) -> Result<Vec<f64>, EvaluateError> {
        let expected = self.recorder.borrow().names.len();
        if inputs.len() != expected {
            return Err(EvaluateError::InputCount { expected, given: inputs.len() });
        }
        if let Some(output) = outputs.iter().position(|output| !self.holds(*output)) {
            return Err(EvaluateError::OtherTape { output });
        }
        let mut values = Values::new(self.recorder.borrow().nodes.len());
        for (id, node) in self.live_nodes(outputs) {
            values.step(id, node, inputs);
        }
        Ok(outputs.iter().map(|output| values.number(output.operand())).collect())
    }

    /// Constants belong to every tape.
    fn holds(&self, trace: Trace<'_>) -> bool {
        matches!(trace.word.tape(), tape if tape == TapeNumber::NONE || tape == self.number)
    }
}

/// The results of the nodes so far: a number or a mask for each place.
struct Values {
    numbers: Vec<f64>,
    masks: Vec<bool>,
}

impl Values {
    fn new(len: usize) -> Self {
        Self { numbers: vec![f64::NAN; len], masks: vec![false; len] }
    }

    fn number(&self, operand: Operand) -> f64 {
        match operand {
            Operand::Constant(c) => c,
            Operand::Node(NodeId(id)) => self.numbers.get(id).copied().unwrap_or(f64::NAN),
        }
    }

    fn step(&mut self, NodeId(id): NodeId, node: Node, inputs: &[f64]) {
        let v = |operand| self.number(operand);
        let number = match node {
            Node::Input(i) => inputs.get(i).copied().unwrap_or(f64::NAN),
            Node::Neg(a) => -v(a),
            Node::Add(a, b) => v(a) + v(b),
            Node::Sub(a, b) => v(a) - v(b),
            Node::Mul(a, b) => v(a) * v(b),
            Node::Div(a, b) => v(a) / v(b),
            Node::Sqrt(a) => Real::sqrt(v(a)),
            Node::Abs(a) => Real::abs(v(a)),
            Node::Sin(a) => Real::sin_cos(v(a)).0,
            Node::Cos(a) => Real::sin_cos(v(a)).1,
            Node::Atan2 { y, x } => Real::atan2(v(y), v(x)),
            Node::Select { mask: NodeId(mask), yes, no } => {
                let mask = self.masks.get(mask).copied().unwrap_or(false);
                f64::select(mask, v(yes), v(no))
            }
            Node::Lt(a, b) => {
                let mask = v(a) < v(b);
                if let Some(slot) = self.masks.get_mut(id) {
                    *slot = mask;
                }
                return;
            }
        };
        if let Some(slot) = self.numbers.get_mut(id) {
            *slot = number;
        }
    }
}

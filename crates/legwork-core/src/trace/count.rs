//! Counting the operations of a recorded formula.

use super::node::Node;
use core::fmt;

/// How many operations of each kind a recorded formula needs, after
/// simplification and without what its outputs do not use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OperationCount {
    /// Multiplications.
    pub mul: usize,
    /// Additions and subtractions.
    pub add: usize,
    /// Divisions.
    pub div: usize,
    /// Square roots.
    pub sqrt: usize,
    /// Sines.
    pub sin: usize,
    /// Cosines.
    pub cos: usize,
    /// Angles of a point.
    pub atan2: usize,
    /// Choices by a mask.
    pub select: usize,
    /// Changes of sign.
    pub neg: usize,
    /// Absolute values.
    pub abs: usize,
    /// Comparisons.
    pub lt: usize,
}

impl OperationCount {
    /// Multiplications, additions, divisions and square roots together.
    pub fn flops(&self) -> usize {
        self.mul + self.add + self.div + self.sqrt
    }

    pub(super) fn note(&mut self, node: Node) {
        let kind = match node {
            Node::Input(_) => return,
            Node::Neg(_) => &mut self.neg,
            Node::Add(..) | Node::Sub(..) => &mut self.add,
            Node::Mul(..) => &mut self.mul,
            Node::Div(..) => &mut self.div,
            Node::Sqrt(_) => &mut self.sqrt,
            Node::Abs(_) => &mut self.abs,
            Node::Sin(_) => &mut self.sin,
            Node::Cos(_) => &mut self.cos,
            Node::Atan2 { .. } => &mut self.atan2,
            Node::Lt(..) => &mut self.lt,
            Node::Select { .. } => &mut self.select,
        };
        *kind += 1;
    }
}

impl fmt::Display for OperationCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { mul, add, div, sqrt, sin, cos, atan2, select, neg, abs, lt } = self;
        write!(
            f,
            "flops {} | mul {mul} | add {add} | div {div} | sqrt {sqrt} | sin {sin} | cos {cos} \
             | atan2 {atan2} | select {select} | neg {neg} | abs {abs} | lt {lt}",
            self.flops()
        )
    }
}

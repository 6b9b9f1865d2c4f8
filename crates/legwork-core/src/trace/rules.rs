//! Recording with exact simplification; the list of rules is in [`super`].

use super::node::{Node, NodeId, Operand};
use crate::Real;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;

/// The contents of a tape. Operations on constants never touch it, so a fresh
/// one serves to compute with constants alone.
#[derive(Debug, Default)]
pub(super) struct Recorder {
    pub(super) nodes: Vec<Node>,
    pub(super) names: Vec<String>,
    seen: BTreeMap<Node, NodeId>,
}

/// A comparison, before it is known whether a node is needed for it.
#[derive(Clone, Copy, Debug)]
pub(super) enum Condition {
    Constant(bool),
    Node(NodeId),
}

use Operand::Constant;

/// A constant with −0 made 0.
pub(super) fn constant(value: f64) -> Operand {
    Constant(value + 0.0)
}

/// 1/c if c is a power of two, so that x/c = x·(1/c) exactly.
fn exact_recip(c: f64) -> Option<f64> {
    const MANTISSA: u64 = (1 << 52) - 1;
    let r = 1.0 / c;
    (c.is_normal() && r.is_normal() && c.to_bits() & MANTISSA == 0).then_some(r)
}

impl Recorder {
    pub(super) fn input(&mut self, name: &str) -> Operand {
        let node = Node::Input(self.names.len());
        self.names.push(name.into());
        self.record(node)
    }

    /// The node, recorded now or found where it was recorded before.
    fn record(&mut self, node: Node) -> Operand {
        Operand::Node(self.place(node))
    }

    fn place(&mut self, node: Node) -> NodeId {
        let next = NodeId(self.nodes.len());
        let id = *self.seen.entry(node).or_insert(next);
        if id == next {
            self.nodes.push(node);
        }
        id
    }

    fn node(&self, a: Operand) -> Option<Node> {
        match a {
            Operand::Node(NodeId(id)) => self.nodes.get(id).copied(),
            Constant(_) => None,
        }
    }

    /// (−, x) for −x, (+, x) otherwise; true stands for minus.
    fn sign(&self, a: Operand) -> (bool, Operand) {
        match (a, self.node(a)) {
            (Constant(c), _) if c < 0.0 => (true, Constant(-c)),
            (_, Some(Node::Neg(x))) => (true, x),
            _ => (false, a),
        }
    }

    fn signed(&mut self, minus: bool, a: Operand) -> Operand {
        if minus { self.neg(a) } else { a }
    }

    pub(super) fn neg(&mut self, a: Operand) -> Operand {
        match (a, self.node(a)) {
            (Constant(c), _) => constant(-c),
            (_, Some(Node::Neg(x))) => x,
            _ => self.record(Node::Neg(a)),
        }
    }

    pub(super) fn add(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Constant(a), Constant(b)) => constant(a + b),
            (Constant(0.0), x) | (x, Constant(0.0)) => x,
            _ => {
                let ((minus_a, a), (minus_b, b)) = (self.sign(a), self.sign(b));
                match (minus_a, minus_b) {
                    (false, true) => self.difference(a, b),
                    (true, false) => self.difference(b, a),
                    (minus, _) => {
                        let sum = self.record(Node::Add(a.min(b), a.max(b)));
                        self.signed(minus, sum)
                    }
                }
            }
        }
    }

    pub(super) fn sub(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Constant(a), Constant(b)) => constant(a - b),
            (x, Constant(0.0)) => x,
            (Constant(0.0), x) => self.neg(x),
            _ => {
                let ((minus_a, a), (minus_b, b)) = (self.sign(a), self.sign(b));
                match (minus_a, minus_b) {
                    (false, false) => self.difference(a, b),
                    (true, true) => self.difference(b, a),
                    (minus, _) => {
                        let sum = self.record(Node::Add(a.min(b), a.max(b)));
                        self.signed(minus, sum)
                    }
                }
            }
        }
    }

    /// a − b, or −(b − a) if that one is there already.
    fn difference(&mut self, a: Operand, b: Operand) -> Operand {
        match self.seen.get(&Node::Sub(b, a)) {
            Some(&id) if a != b => self.neg(Operand::Node(id)),
            _ => self.record(Node::Sub(a, b)),
        }
    }

    pub(super) fn mul(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Constant(a), Constant(b)) => constant(a * b),
            (Constant(0.0), _) | (_, Constant(0.0)) => constant(0.0),
            _ => {
                let ((minus_a, a), (minus_b, b)) = (self.sign(a), self.sign(b));
                let product = match (a, b) {
                    (Constant(1.0), x) | (x, Constant(1.0)) => x,
                    _ => self.record(Node::Mul(a.min(b), a.max(b))),
                };
                self.signed(minus_a != minus_b, product)
            }
        }
    }

    pub(super) fn div(&mut self, a: Operand, b: Operand) -> Operand {
        match (a, b) {
            (Constant(a), Constant(b)) => constant(a / b),
            (Constant(0.0), _) => constant(0.0),
            _ => {
                let ((minus_a, a), (minus_b, b)) = (self.sign(a), self.sign(b));
                let recip = match b {
                    Constant(c) => exact_recip(c),
                    Operand::Node(_) => None,
                };
                let quotient = match recip {
                    Some(r) => self.mul(a, Constant(r)),
                    None => self.record(Node::Div(a, b)),
                };
                self.signed(minus_a != minus_b, quotient)
            }
        }
    }

    pub(super) fn sqrt(&mut self, a: Operand) -> Operand {
        match a {
            Constant(c) => constant(Real::sqrt(c)),
            Operand::Node(_) => self.record(Node::Sqrt(a)),
        }
    }

    pub(super) fn abs(&mut self, a: Operand) -> Operand {
        match (a, self.node(a)) {
            (Constant(c), _) => constant(c.abs()),
            (_, Some(Node::Neg(x))) => self.abs(x),
            (_, Some(Node::Abs(_))) => a,
            _ => self.record(Node::Abs(a)),
        }
    }

    pub(super) fn sin_cos(&mut self, a: Operand) -> (Operand, Operand) {
        match a {
            Constant(c) => {
                let (sin, cos) = Real::sin_cos(c);
                (constant(sin), constant(cos))
            }
            Operand::Node(_) => (self.record(Node::Sin(a)), self.record(Node::Cos(a))),
        }
    }

    pub(super) fn atan2(&mut self, y: Operand, x: Operand) -> Operand {
        match (y, x) {
            (Constant(y), Constant(x)) => constant(Real::atan2(y, x)),
            _ => self.record(Node::Atan2 { y, x }),
        }
    }

    pub(super) fn lt(&mut self, a: Operand, b: Operand) -> Condition {
        match (a, b) {
            (Constant(a), Constant(b)) => Condition::Constant(a < b),
            // Nothing is above +∞, below −∞ or below itself.
            (Constant(f64::INFINITY), _) | (_, Constant(f64::NEG_INFINITY)) => Condition::Constant(false),
            _ if a == b => Condition::Constant(false),
            _ => Condition::Node(self.place(Node::Lt(a, b))),
        }
    }

    pub(super) fn select(&mut self, condition: Condition, yes: Operand, no: Operand) -> Operand {
        match condition {
            Condition::Constant(true) => yes,
            Condition::Constant(false) => no,
            Condition::Node(_) if yes == no => yes,
            Condition::Node(mask) => self.record(Node::Select { mask, yes, no }),
        }
    }
}

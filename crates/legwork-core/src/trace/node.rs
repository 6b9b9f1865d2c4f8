//! What a tape holds: nodes and their operands.

use core::cmp::Ordering;

/// The place of a node on its tape. Nodes refer only to earlier places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodeId(pub(super) usize);

impl NodeId {
    /// Place on the tape, counted from 0.
    pub fn index(self) -> usize {
        self.0
    }
}

/// What an operation works on. Constants come first in the order, then nodes by
/// their place; constants are equal if their bits are.
#[derive(Clone, Copy, Debug)]
pub enum Operand {
    /// A known number, never −0.
    Constant(f64),
    /// The result of an earlier node.
    Node(NodeId),
}

impl Ord for Operand {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Constant(a), Self::Constant(b)) => a.total_cmp(b),
            (Self::Constant(_), Self::Node(_)) => Ordering::Less,
            (Self::Node(_), Self::Constant(_)) => Ordering::Greater,
            (Self::Node(a), Self::Node(b)) => a.cmp(b),
        }
    }
}

impl PartialOrd for Operand {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Operand {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Operand {}

/// One recorded operation. All give a number except [`Lt`](Node::Lt), whose
/// result only [`Select`](Node::Select) reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Node {
    /// The input with this number, see [`Tape::input_names`](super::Tape::input_names).
    Input(usize),
    /// −a
    Neg(Operand),
    /// a + b; a is not greater than b in the order of operands.
    Add(Operand, Operand),
    /// a − b
    Sub(Operand, Operand),
    /// a·b; a is not greater than b in the order of operands.
    Mul(Operand, Operand),
    /// a / b
    Div(Operand, Operand),
    /// √a
    Sqrt(Operand),
    /// |a|
    Abs(Operand),
    /// sin a
    Sin(Operand),
    /// cos a
    Cos(Operand),
    /// Angle of the point (x, y).
    Atan2 {
        /// Second coordinate.
        y: Operand,
        /// First coordinate.
        x: Operand,
    },
    /// a < b, a mask
    Lt(Operand, Operand),
    /// `yes` where the mask is set, `no` elsewhere.
    Select {
        /// A [`Lt`](Node::Lt) node.
        mask: NodeId,
        /// Taken where the mask is set.
        yes: Operand,
        /// Taken where it is not.
        no: Operand,
    },
}

impl Node {
    /// The earlier nodes this one reads.
    pub fn sources(self) -> impl Iterator<Item = NodeId> {
        let (a, b, mask) = match self {
            Self::Input(_) => (None, None, None),
            Self::Neg(a) | Self::Sqrt(a) | Self::Abs(a) | Self::Sin(a) | Self::Cos(a) => {
                (Some(a), None, None)
            }
            Self::Add(a, b) | Self::Sub(a, b) | Self::Mul(a, b) | Self::Div(a, b) | Self::Lt(a, b) => {
                (Some(a), Some(b), None)
            }
            Self::Atan2 { y, x } => (Some(y), Some(x), None),
            Self::Select { mask, yes, no } => (Some(yes), Some(no), Some(mask)),
        };
        let node = |operand| match operand {
            Some(Operand::Node(id)) => Some(id),
            Some(Operand::Constant(_)) | None => None,
        };
        [node(a), node(b), mask].into_iter().flatten()
    }
}

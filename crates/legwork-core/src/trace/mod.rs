//! A scalar that records what is done to it.
//!
//! Run a formula with [`Trace`] numbers and the [`Tape`] holds it as a list of
//! operations: to count them, to evaluate them again, or to write them out as
//! code. `Dual<Trace, N>` records derivatives.
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::trace::Tape;
//! let tape = Tape::new();
//! let v = V3::new(tape.input("x"), tape.input("y"), tape.input("z"));
//! let length_sq = v.norm_sq();
//! assert_eq!(tape.count(&[length_sq]).flops(), 5);
//! assert_eq!(tape.evaluate(&[length_sq], &[1.0, 2.0, 3.0]), Ok(vec![14.0]));
//! ```
//!
//! # Rules
//!
//! While it records, the tape simplifies:
//!
//! ```text
//! constants are folded, in f64             -(-x), x + 0, x - 0, x·1, x / 1  -> x
//! x·0, 0 / x                    -> 0       0 - x, x·(-1)                    -> -x
//! x / 2ⁿ                        -> x·2⁻ⁿ   a + (-b)                         -> a - b
//! (-a)·b, (-a) / b              -> -(a·b)  a - (-b)                         -> a + b
//! |-x|                          -> |x|     ||x||                            -> |x|
//! select(known, a, b)           -> a or b  select(m, a, a)                  -> a
//! x < x, +∞ < x, x < -∞         -> false   b - a where a - b is recorded    -> -(a - b)
//! ```
//!
//! Negative constants count as -c here, and an operation that was recorded
//! before, also with its operands exchanged, is not recorded again. These rules
//! are exact: the value is that of `f64`, to the bit, with two exceptions.
//!
//! * **Zeros have no sign.** A result that is zero may have the other sign. It
//!   shows only in 1/0 and where `atan2` jumps from π to −π.
//! * **x·0 and 0/x hide NaN.** They become 0 also where x would be NaN or
//!   infinite (or zero, in 0/x). That is what lets structural zeros vanish; so ask the
//!   margin of a formula whether its value exists, and do not look for NaN.

mod count;
mod node;
mod rules;
mod tape;
#[cfg(test)]
mod tests;

pub use count::OperationCount;
pub use node::{Node, NodeId, Operand};
pub use tape::{EvaluateError, Tape};

use crate::Real;
use core::ops::{Add, Div, Mul, Neg, Sub};
use rules::{Condition, Recorder};

/// A recorded number: a constant, or a node on a [`Tape`].
///
/// Constants come from [`Real::from_f64`] and need no tape. Combining numbers
/// of two different tapes is a mistake and gives the constant NaN.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'t> {
    tape: Option<&'t Tape>, // None exactly for constants
    operand: Operand,
}

/// A recorded comparison.
#[derive(Clone, Copy, Debug)]
pub struct TraceMask<'t> {
    tape: Option<&'t Tape>,
    condition: Result<Condition, OtherTape>,
}

/// Two tapes were mixed.
#[derive(Clone, Copy, Debug)]
struct OtherTape;

/// The one tape of two numbers, if any.
fn common<'t>(a: Option<&'t Tape>, b: Option<&'t Tape>) -> Result<Option<&'t Tape>, OtherTape> {
    match (a, b) {
        (Some(a), Some(b)) if !core::ptr::eq(a, b) => Err(OtherTape),
        _ => Ok(a.or(b)),
    }
}

/// Runs the rules on the tape, or on none if only constants are about.
fn record<R>(tape: Option<&Tape>, f: impl FnOnce(&mut Recorder) -> R) -> R {
    match tape {
        Some(tape) => tape.record(f),
        None => f(&mut Recorder::default()),
    }
}

impl<'t> Trace<'t> {
    fn new(tape: Option<&'t Tape>, operand: Operand) -> Self {
        match operand {
            Operand::Constant(_) => Self { tape: None, operand },
            Operand::Node(_) => Self { tape, operand },
        }
    }

    /// Its place on the tape, or its value if that is known.
    pub fn operand(self) -> Operand {
        self.operand
    }

    /// The tape it is recorded on; none for constants.
    pub fn tape(self) -> Option<&'t Tape> {
        self.tape
    }

    fn unary(self, f: impl FnOnce(&mut Recorder, Operand) -> Operand) -> Self {
        Self::new(self.tape, record(self.tape, |recorder| f(recorder, self.operand)))
    }

    fn binary(self, other: Self, f: impl FnOnce(&mut Recorder, Operand, Operand) -> Operand) -> Self {
        match common(self.tape, other.tape) {
            Ok(tape) => Self::new(tape, record(tape, |recorder| f(recorder, self.operand, other.operand))),
            Err(OtherTape) => Self::from_f64(f64::NAN),
        }
    }
}

impl Add for Trace<'_> {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        self.binary(other, Recorder::add)
    }
}

impl Sub for Trace<'_> {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self.binary(other, Recorder::sub)
    }
}

impl Mul for Trace<'_> {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        self.binary(other, Recorder::mul)
    }
}

impl Div for Trace<'_> {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        self.binary(other, Recorder::div)
    }
}

impl Neg for Trace<'_> {
    type Output = Self;
    fn neg(self) -> Self {
        self.unary(Recorder::neg)
    }
}

impl<'t> Real for Trace<'t> {
    type Mask = TraceMask<'t>;

    fn from_f64(value: f64) -> Self {
        Self { tape: None, operand: rules::constant(value) }
    }
    fn sqrt(self) -> Self {
        self.unary(Recorder::sqrt)
    }
    fn abs(self) -> Self {
        self.unary(Recorder::abs)
    }
    fn sin_cos(self) -> (Self, Self) {
        let (sin, cos) = record(self.tape, |recorder| recorder.sin_cos(self.operand));
        (Self::new(self.tape, sin), Self::new(self.tape, cos))
    }
    fn atan2(self, x: Self) -> Self {
        self.binary(x, Recorder::atan2)
    }
    fn lt(self, other: Self) -> TraceMask<'t> {
        match common(self.tape, other.tape) {
            Ok(tape) => {
                let condition = record(tape, |recorder| recorder.lt(self.operand, other.operand));
                let tape = tape.filter(|_| matches!(condition, Condition::Node(_)));
                TraceMask { tape, condition: Ok(condition) }
            }
            Err(mixed) => TraceMask { tape: None, condition: Err(mixed) },
        }
    }
    fn select(mask: TraceMask<'t>, yes: Self, no: Self) -> Self {
        let tape = common(yes.tape, no.tape).and_then(|tape| common(tape, mask.tape));
        match (tape, mask.condition) {
            (Ok(tape), Ok(condition)) => {
                Self::new(tape, record(tape, |recorder| recorder.select(condition, yes.operand, no.operand)))
            }
            _ => Self::from_f64(f64::NAN),
        }
    }
}

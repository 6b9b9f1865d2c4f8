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
mod word;

pub use count::OperationCount;
pub use node::{Node, NodeId, Operand};
pub use tape::{EvaluateError, Tape};

use crate::Real;
use core::marker::PhantomData;
use core::ops::{Add, Div, Mul, Neg, Sub};
use rules::Recorder;
use word::Word;

/// A recorded number: a constant, or a node on a [`Tape`].
///
/// Constants come from [`Real::from_f64`] and need no tape. Combining numbers
/// of two different tapes is a mistake and gives the constant NaN.
#[derive(Clone, Copy, Debug)]
pub struct Trace<'t> {
    word: Word,
    tape: PhantomData<&'t Tape>,
}

/// A recorded comparison.
#[derive(Clone, Copy, Debug)]
pub struct TraceMask<'t>(Trace<'t>);

impl Trace<'_> {
    fn new(word: Word) -> Self {
        Self { word, tape: PhantomData }
    }

    /// Its place on the tape, or its value if that is known.
    pub fn operand(self) -> Operand {
        self.word.operand()
    }

    fn unary(self, f: impl FnOnce(&mut Recorder, Operand) -> Operand) -> Self {
        let tape = self.word.tape();
        let result = tape.record(|recorder| f(recorder, self.operand()));
        Self::new(result.map_or(Word::NAN, |operand| Word::of(tape, operand)))
    }

    fn binary(self, other: Self, f: impl FnOnce(&mut Recorder, Operand, Operand) -> Operand) -> Self {
        let word = self.word.tape().common(other.word.tape()).ok().and_then(|tape| {
            let result = tape.record(|recorder| f(recorder, self.operand(), other.operand()))?;
            Some(Word::of(tape, result))
        });
        Self::new(word.unwrap_or(Word::NAN))
    }
}

// An operation is a call: a formula records itself once, and with the rules in each place it would be many times as long.
impl Add for Trace<'_> {
    type Output = Self;
    #[inline(never)]
    fn add(self, other: Self) -> Self {
        self.binary(other, Recorder::add)
    }
}

impl Sub for Trace<'_> {
    type Output = Self;
    #[inline(never)]
    fn sub(self, other: Self) -> Self {
        self.binary(other, Recorder::sub)
    }
}

impl Mul for Trace<'_> {
    type Output = Self;
    #[inline(never)]
    fn mul(self, other: Self) -> Self {
        self.binary(other, Recorder::mul)
    }
}

impl Div for Trace<'_> {
    type Output = Self;
    #[inline(never)]
    fn div(self, other: Self) -> Self {
        self.binary(other, Recorder::div)
    }
}

impl Neg for Trace<'_> {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        self.unary(Recorder::neg)
    }
}

impl<'t> Real for Trace<'t> {
    type Mask = TraceMask<'t>;

    fn from_f64(value: f64) -> Self {
        // Zeros have no sign.
        Self::new(Word::constant(value + 0.0))
    }
    #[inline(never)]
    fn sqrt(self) -> Self {
        self.unary(Recorder::sqrt)
    }
    #[inline(never)]
    fn abs(self) -> Self {
        self.unary(Recorder::abs)
    }
    #[inline(never)]
    fn sin_cos(self) -> (Self, Self) {
        let tape = self.word.tape();
        match tape.record(|recorder| recorder.sin_cos(self.operand())) {
            Some((sin, cos)) => (Self::new(Word::of(tape, sin)), Self::new(Word::of(tape, cos))),
            None => (Self::new(Word::NAN), Self::new(Word::NAN)),
        }
    }
    #[inline(never)]
    fn atan2(self, x: Self) -> Self {
        self.binary(x, Recorder::atan2)
    }
    #[inline(never)]
    fn lt(self, other: Self) -> TraceMask<'t> {
        let word = self.word.tape().common(other.word.tape()).ok().and_then(|tape| {
            let condition = tape.record(|recorder| recorder.lt(self.operand(), other.operand()))?;
            Some(Word::of_condition(tape, condition))
        });
        TraceMask(Self::new(word.unwrap_or(Word::NAN)))
    }
    #[inline(never)]
    fn select(mask: TraceMask<'t>, yes: Self, no: Self) -> Self {
        let TraceMask(mask) = mask;
        let tape = yes.word.tape().common(no.word.tape()).and_then(|tape| tape.common(mask.word.tape()));
        let word = tape.ok().zip(mask.word.condition()).and_then(|(tape, condition)| {
            let result = tape.record(|recorder| recorder.select(condition, yes.operand(), no.operand()))?;
            Some(Word::of(tape, result))
        });
        Self::new(word.unwrap_or(Word::NAN))
    }
}

//! A recorded number as one word: the bits of a constant, or the place of a node on its tape.
//!
//! Formulas are compiled for every size of every leg, and for this scalar each of their operations is a call. With a number
//! in one register that is a dozen bytes; with a reference to the tape beside it, it was five times as many.

use super::node::{NodeId, Operand};
use super::rules::{Condition, Recorder};
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

/// Bits of a quiet NaN with a sign, which no constant has: what follows is the number of a tape and a place on it.
const NODE: u64 = 0xFFF8 << 48;
const PLACE_BITS: u32 = 32;
const TAPES: usize = (1 << (51 - PLACE_BITS)) - 1;

std::thread_local! {
    /// The tapes of this thread. A number does not live longer than its tape, so a place is free again when its tape is dropped.
    static OPEN: RefCell<Vec<Option<Shared>>> = const { RefCell::new(Vec::new()) };
}

/// The contents of a tape, held by it and by the list of open tapes.
pub(super) type Shared = Rc<RefCell<Recorder>>;

/// The number of a tape, from 1; 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TapeNumber(u32);

/// Two tapes were mixed.
#[derive(Clone, Copy, Debug)]
pub(super) struct OtherTape;

/// See the module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Word(u64);

impl TapeNumber {
    pub(super) const NONE: Self = Self(0);

    /// Puts a tape into the list of open ones. With half a million open already it has no number, and its numbers are NaN.
    pub(super) fn open(recorder: &Shared) -> Self {
        let number = OPEN.try_with(|open| {
            let mut open = open.borrow_mut();
            let free = open.iter().position(Option::is_none).unwrap_or(open.len());
            if free >= TAPES {
                return None;
            }
            match open.get_mut(free) {
                Some(slot) => *slot = Some(Rc::clone(recorder)),
                None => open.push(Some(Rc::clone(recorder))),
            }
            u32::try_from(free + 1).ok()
        });
        number.ok().flatten().map_or(Self::NONE, Self)
    }

    /// Takes a tape out of the list.
    pub(super) fn close(self) {
        // At the end of a thread the list may be gone before the tape.
        let _ = OPEN.try_with(|open| {
            let place = (self.0 as usize).checked_sub(1);
            if let Some(slot) = place.and_then(|place| open.borrow_mut().get_mut(place).map(core::mem::take))
            {
                drop(slot);
            }
        });
    }

    /// The one tape of two numbers, if any.
    pub(super) fn common(self, other: Self) -> Result<Self, OtherTape> {
        match (self, other) {
            (Self::NONE, tape) | (tape, Self::NONE) => Ok(tape),
            (a, b) if a == b => Ok(a),
            _ => Err(OtherTape),
        }
    }

    /// Runs the rules on the tape, or on none if only constants are about.
    pub(super) fn record<R>(self, f: impl FnOnce(&mut Recorder) -> R) -> Option<R> {
        let Some(place) = (self.0 as usize).checked_sub(1) else {
            return Some(f(&mut Recorder::default()));
        };
        OPEN.try_with(|open| {
            let open = open.borrow();
            let recorder = open.get(place)?.as_ref()?;
            Some(f(&mut recorder.borrow_mut()))
        })
        .ok()
        .flatten()
    }
}

impl Word {
    /// A constant; all NaN are one.
    pub(super) fn constant(value: f64) -> Self {
        Self(if value.is_nan() { f64::NAN.to_bits() } else { value.to_bits() })
    }

    pub(super) const NAN: Self = Self(f64::NAN.to_bits());

    pub(super) fn of(tape: TapeNumber, operand: Operand) -> Self {
        match operand {
            Operand::Constant(value) => Self::constant(value),
            Operand::Node(NodeId(place)) => match u32::try_from(place) {
                Ok(place) if tape != TapeNumber::NONE => {
                    Self(NODE | u64::from(tape.0) << PLACE_BITS | u64::from(place))
                }
                _ => Self::NAN,
            },
        }
    }

    pub(super) fn tape(self) -> TapeNumber {
        if self.0 & NODE != NODE {
            return TapeNumber::NONE;
        }
        TapeNumber(((self.0 & !NODE) >> PLACE_BITS) as u32)
    }

    #[allow(clippy::cast_possible_truncation)] // the lower 32 bits
    pub(super) fn operand(self) -> Operand {
        if self.tape() == TapeNumber::NONE {
            return Operand::Constant(f64::from_bits(self.0));
        }
        Operand::Node(NodeId((self.0 & u64::from(u32::MAX)) as usize))
    }

    /// A comparison: a node, or 1 for true and 0 for false.
    pub(super) fn of_condition(tape: TapeNumber, condition: Condition) -> Self {
        match condition {
            Condition::Constant(known) => Self(u64::from(known)),
            Condition::Node(place) => Self::of(tape, Operand::Node(place)),
        }
    }

    /// The comparison again; none if tapes were mixed in it.
    pub(super) fn condition(self) -> Option<Condition> {
        match (self.operand(), self.0) {
            (Operand::Node(place), _) => Some(Condition::Node(place)),
            (Operand::Constant(_), 0) => Some(Condition::Constant(false)),
            (Operand::Constant(_), 1) => Some(Condition::Constant(true)),
            (Operand::Constant(_), _) => None,
        }
    }
}

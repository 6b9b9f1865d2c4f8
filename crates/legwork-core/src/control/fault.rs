//! What a supervisor finds wrong.

use super::memory::{MemoryVisitor, index};
use core::fmt;

/// Parts of a reference; a memory counts them in this order.
pub(super) const PARTS: [&str; 7] = [
    "joint positions",
    "joint speeds",
    "joint accelerations",
    "position",
    "rotation",
    "twist",
    "acceleration",
];

/// Motors and components that a fault of a memory can be about.
const MOST_PLACES: usize = 256;

/// Why a regulator is not followed any more. Motors are counted from 0, values in rad or m and seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Fault {
    /// The time since the last sample is not a positive number, or too long.
    Interval {
        /// What was given \[s\].
        dt: f64,
        /// The longest \[s\].
        most: f64,
    },
    /// No measurement came.
    LostSample,
    /// A measured position is NaN or infinite.
    NotFinite {
        /// Which motor.
        motor: usize,
        /// What was measured.
        value: f64,
    },
    /// A measured speed is NaN, infinite or more than the motor can do.
    Speed {
        /// Which motor.
        motor: usize,
        /// What was measured.
        value: f64,
        /// The most.
        most: f64,
    },
    /// A measured position is outside the motor's range.
    OutOfRange {
        /// Which motor.
        motor: usize,
        /// What was measured.
        value: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// A measured position is further from the last one than the motor can turn.
    Jump {
        /// Which motor.
        motor: usize,
        /// The last position.
        from: f64,
        /// This one.
        to: f64,
        /// How far two readings can be apart: the way of the motor in between, and what readings are off by.
        most: f64,
    },
    /// A number of the reference is NaN or infinite.
    ReferenceNotFinite {
        /// Of what.
        what: &'static str,
        /// Which component.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// A motor's reference is outside its range.
    ReferenceOutOfRange {
        /// Which motor.
        motor: usize,
        /// The reference.
        value: f64,
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// The platform cannot be where the reference has it, or would be singular there.
    Unreachable {
        /// The model's margin.
        margin: f64,
        /// The least that is accepted.
        least: f64,
    },
    /// The reference has a motor elsewhere than its platform needs it.
    ReferenceDisagrees {
        /// Which motor.
        motor: usize,
        /// Where the reference has it.
        given: f64,
        /// Where the platform needs it.
        needed: f64,
    },
    /// The error is too large.
    Tracking {
        /// Which motor.
        motor: usize,
        /// The error.
        error: f64,
        /// The most.
        most: f64,
    },
    /// The model has no answer at the measured state: singular, or the arms cannot meet.
    Model {
        /// Its margin.
        margin: f64,
        /// The least that is accepted.
        least: f64,
    },
    /// The regulator asked for an effort that is not a number.
    Effort {
        /// Which motor.
        motor: usize,
        /// What it asked for.
        value: f64,
    },
}

impl Fault {
    /// Whether the measurement itself is in doubt, so that nothing may be fed back any more.
    pub fn is_of_measurement(&self) -> bool {
        matches!(
            self,
            Self::LostSample
                | Self::Interval { .. }
                | Self::NotFinite { .. }
                | Self::Speed { .. }
                | Self::OutOfRange { .. }
                | Self::Jump { .. }
        )
    }
}

impl Fault {
    /// Shows it as numbers, always five: which kind, which part, motor or component, and its values.
    pub(super) fn visit_memory(&mut self, visitor: &mut MemoryVisitor<'_>) {
        let (mut kind, mut place, mut values) = match *self {
            Self::LostSample => (0, 0, [0.0; 3]),
            Self::Interval { dt, most } => (1, 0, [dt, most, 0.0]),
            Self::NotFinite { motor, value } => (2, motor, [value, 0.0, 0.0]),
            Self::Speed { motor, value, most } => (3, motor, [value, most, 0.0]),
            Self::OutOfRange { motor, value, low, high } => (4, motor, [value, low, high]),
            Self::Jump { motor, from, to, most } => (5, motor, [from, to, most]),
            Self::ReferenceOutOfRange { motor, value, low, high } => (6, motor, [value, low, high]),
            Self::Unreachable { margin, least } => (7, 0, [margin, least, 0.0]),
            Self::ReferenceDisagrees { motor, given, needed } => (8, motor, [given, needed, 0.0]),
            Self::Tracking { motor, error, most } => (9, motor, [error, most, 0.0]),
            Self::Model { margin, least } => (10, 0, [margin, least, 0.0]),
            Self::Effort { motor, value } => (11, motor, [value, 0.0, 0.0]),
            Self::ReferenceNotFinite { what, component, value } => {
                let part = PARTS.iter().position(|part| *part == what).unwrap_or(0);
                (FIRST_PART + part, component, [value, 0.0, 0.0])
            }
        };
        index(&mut kind, FIRST_PART + PARTS.len(), visitor);
        index(&mut place, MOST_PLACES, visitor);
        values.iter_mut().for_each(&mut *visitor);
        let (motor, [a, b, c]) = (place, values);
        *self = match kind {
            1 => Self::Interval { dt: a, most: b },
            2 => Self::NotFinite { motor, value: a },
            3 => Self::Speed { motor, value: a, most: b },
            4 => Self::OutOfRange { motor, value: a, low: b, high: c },
            5 => Self::Jump { motor, from: a, to: b, most: c },
            6 => Self::ReferenceOutOfRange { motor, value: a, low: b, high: c },
            7 => Self::Unreachable { margin: a, least: b },
            8 => Self::ReferenceDisagrees { motor, given: a, needed: b },
            9 => Self::Tracking { motor, error: a, most: b },
            10 => Self::Model { margin: a, least: b },
            11 => Self::Effort { motor, value: a },
            _ => match kind.checked_sub(FIRST_PART).and_then(|part| PARTS.get(part)) {
                Some(what) => Self::ReferenceNotFinite { what, component: place, value: a },
                None => Self::LostSample,
            },
        };
    }
}

/// The number of the first part of a reference among the kinds of faults.
const FIRST_PART: usize = 12;

/// A fault in words, with the unit of its motors.
#[derive(Clone, Copy, Debug)]
pub struct FaultInUnit<'a> {
    fault: Fault,
    unit: &'a str,
}

impl Fault {
    /// The motor that it is about, from 0, if it is about one.
    pub fn motor(&self) -> Option<usize> {
        match *self {
            Self::NotFinite { motor, .. }
            | Self::Speed { motor, .. }
            | Self::OutOfRange { motor, .. }
            | Self::Jump { motor, .. }
            | Self::ReferenceOutOfRange { motor, .. }
            | Self::ReferenceDisagrees { motor, .. }
            | Self::Tracking { motor, .. }
            | Self::Effort { motor, .. } => Some(motor),
            _ => None,
        }
    }

    /// In words, where its motor counts in this unit: `rad` or `m`.
    pub fn in_unit<'a>(&self, unit: &'a str) -> FaultInUnit<'a> {
        FaultInUnit { fault: *self, unit }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.in_unit("rad or m").fmt(f)
    }
}

impl fmt::Display for FaultInUnit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unit = self.unit;
        match self.fault {
            Fault::Interval { dt, most } => {
                write!(f, "{dt} s since the last sample; it has to be positive and at most {most} s")
            }
            Fault::LostSample => write!(f, "no measurement"),
            Fault::NotFinite { motor, value } => write!(f, "motor {}: measured {value}", motor + 1),
            Fault::Speed { motor, value, most } => write!(
                f,
                "motor {}: measured speed {value:.4} {unit}/s, at most {most:.4} is possible",
                motor + 1
            ),
            Fault::OutOfRange { motor, value, low, high } => {
                write!(f, "motor {}: measured {value:.5} {unit}, outside {low:.5} to {high:.5}", motor + 1)
            }
            Fault::Jump { motor, from, to, most } => write!(
                f,
                "motor {}: measured {to:.5} {unit} after {from:.5}, but readings of one sample to the next differ by {most:.3e} at most",
                motor + 1
            ),
            Fault::ReferenceNotFinite { what, component, value } => {
                write!(f, "reference: component {} of the {what} is {value}", component + 1)
            }
            Fault::ReferenceOutOfRange { motor, value, low, high } => {
                write!(
                    f,
                    "reference: motor {} at {value:.5} {unit}, outside {low:.5} to {high:.5}",
                    motor + 1
                )
            }
            Fault::Unreachable { margin, .. } if margin.is_nan() => write!(f, "reference: out of reach"),
            Fault::Unreachable { margin, least } => {
                write!(f, "reference: out of reach or singular (margin {margin:.3e}, needed {least:.1e})")
            }
            Fault::ReferenceDisagrees { motor, given, needed } => write!(
                f,
                "reference: motor {} at {given:.5} {unit}, but its platform needs it at {needed:.5}",
                motor + 1
            ),
            Fault::Tracking { motor, error, most } => write!(
                f,
                "motor {} is {:.4} {unit} from its reference, at most {most:.4} is allowed",
                motor + 1,
                error.abs()
            ),
            Fault::Model { margin, least } => write!(
                f,
                "the model has no answer at the measured state (margin {margin:.3e}, needed {least:.1e})"
            ),
            Fault::Effort { motor, value } => write!(f, "motor {}: the law asks for {value}", motor + 1),
        }
    }
}

impl core::error::Error for Fault {}

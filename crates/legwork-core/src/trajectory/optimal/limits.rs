//! What a motion must keep to, and which of it holds it back.

use super::OptimalError;
use core::fmt;

/// Limits of motors and path; infinite where there is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits<const K: usize> {
    /// Least and largest effort of every motor \[N·m or N\].
    pub effort: [[f64; 2]; K],
    /// Largest speed of every motor \[rad/s or m/s\].
    pub speed: [f64; K],
    /// Largest speed along the path, ṡ \[m/s\].
    pub path_speed: f64,
    /// Largest acceleration along the path, |s̈| \[m/s²\].
    pub tangential: f64,
    /// Largest acceleration across the path, |p''| ṡ² \[m/s²\].
    pub normal: f64,
}

impl<const K: usize> Limits<K> {
    /// No limit at all.
    pub fn none() -> Self {
        let far = f64::INFINITY;
        Self { effort: [[-far, far]; K], speed: [far; K], path_speed: far, tangential: far, normal: far }
    }

    /// The same largest effort for every motor, both ways \[N·m or N\].
    pub fn effort(largest: f64) -> Self {
        Self { effort: [[-largest, largest]; K], ..Self::none() }
    }

    /// And the same largest speed of every motor \[rad/s or m/s\].
    pub fn with_speed(self, largest: f64) -> Self {
        Self { speed: [largest; K], ..self }
    }

    pub(super) fn checked<F>(&self) -> Result<(), OptimalError<F>> {
        for (motor, &[low, high]) in self.effort.iter().enumerate() {
            if !(low < high) {
                return Err(OptimalError::Limits {
                    what: "effort range",
                    motor: Some(motor),
                    value: high - low,
                });
            }
        }
        for (motor, &value) in self.speed.iter().enumerate() {
            if !(value > 0.0) {
                return Err(OptimalError::Limits { what: "speed limit", motor: Some(motor), value });
            }
        }
        let path = [
            ("speed limit along the path", self.path_speed),
            ("limit of the tangential acceleration", self.tangential),
            ("limit of the normal acceleration", self.normal),
        ];
        for (what, value) in path {
            if !(value > 0.0) {
                return Err(OptimalError::Limits { what, motor: None, value });
            }
        }
        Ok(())
    }
}

/// What holds a motion back. Motors are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Limit {
    /// The largest effort of a motor.
    EffortAbove {
        /// Which motor.
        motor: usize,
    },
    /// The least effort of a motor.
    EffortBelow {
        /// Which motor.
        motor: usize,
    },
    /// The speed of a motor.
    Speed {
        /// Which motor.
        motor: usize,
    },
    /// Speed along the path.
    PathSpeed,
    /// Acceleration along the path.
    Tangential,
    /// Acceleration across the path.
    Normal,
    /// What comes later on the path: the motion must be able to slow down, or to go on.
    Ahead,
    /// Nothing: no limit was given.
    Nothing,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::EffortAbove { motor } => write!(f, "largest effort of motor {}", motor + 1),
            Self::EffortBelow { motor } => write!(f, "least effort of motor {}", motor + 1),
            Self::Speed { motor } => write!(f, "speed of motor {}", motor + 1),
            Self::PathSpeed => write!(f, "speed along the path"),
            Self::Tangential => write!(f, "tangential acceleration"),
            Self::Normal => write!(f, "normal acceleration"),
            Self::Ahead => write!(f, "what comes later on the path"),
            Self::Nothing => write!(f, "nothing"),
        }
    }
}

//! Poles and zeros in the words of vibrations.

use std::cmp::Ordering;

/// A pole or zero s = re + im j of a linear model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pole {
    /// Growth \[1/s\]; positive is unstable.
    pub re: f64,
    /// Angular frequency of the oscillation \[rad/s\].
    pub im: f64,
}

impl Pole {
    /// |s| \[rad/s\]: the frequency it would have without damping, if it is one of a pair.
    pub fn natural_frequency(&self) -> f64 {
        self.re.hypot(self.im)
    }

    /// |im|/2π \[Hz\]; zero if it does not oscillate.
    pub fn frequency_hz(&self) -> f64 {
        self.im.abs() / std::f64::consts::TAU
    }

    /// −re/|s|: 1 and −1 do not oscillate, 0 is undamped, negative grows; `None` at s = 0.
    pub fn damping(&self) -> Option<f64> {
        let size = self.natural_frequency();
        (size > 0.0).then(|| -self.re / size)
    }

    /// Time in which it grows or shrinks by the factor e \[s\]; infinite on the imaginary axis.
    pub fn time_constant(&self) -> f64 {
        1.0 / self.re.abs()
    }

    /// Whether it belongs to a pair and is the one that is not listed apart.
    pub fn is_conjugate(&self) -> bool {
        self.im < 0.0
    }

    /// |self − other| \[1/s\]
    pub fn distance(&self, other: &Self) -> f64 {
        (self.re - other.re).hypot(self.im - other.im)
    }

    /// Largest real part first; of a pair the positive frequency first.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        // The two of a pair have the same real part to the bit.
        let by_re = other.re.total_cmp(&self.re);
        by_re.then(self.im.abs().total_cmp(&other.im.abs())).then(other.im.total_cmp(&self.im))
    }
}

//! What a controller sees of a joint.

/// An encoder: the joint's value in whole steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Encoder {
    /// One step \[rad or m\]; zero for none.
    pub resolution: f64,
}

impl Encoder {
    /// Reads without steps.
    pub fn ideal() -> Self {
        Self { resolution: 0.0 }
    }

    /// With so many steps for a turn of the motor behind a gear of this ratio.
    pub fn of_counts(counts_per_turn: f64, gear_ratio: f64) -> Self {
        Self { resolution: core::f64::consts::TAU / (counts_per_turn * gear_ratio).abs() }
    }

    /// The nearest whole number of steps; half a step goes away from zero.
    pub fn read(&self, value: f64) -> f64 {
        if self.resolution > 0.0 { libm::round(value / self.resolution) * self.resolution } else { value }
    }
}

//! What the tests of the Delta models share.

use legwork_core::V3;
use serde_json::Value;

/// Uniform numbers by SplitMix64.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        println!("seed {seed:#x}");
        Self(seed)
    }

    pub fn within(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        low + (high - low) * ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
    }

    pub fn vector(&mut self, size: f64) -> V3<f64> {
        V3::splat(size).map(|s| self.within(-s, s))
    }
}

/// All numbers of a nested list.
pub fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .map_or_else(|| vec![value.as_f64().unwrap()], |list| list.iter().flat_map(numbers).collect())
}

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

/// The largest error a test sees, with its name.
pub struct Worst(pub &'static str, pub f64);

impl Worst {
    pub fn see(&mut self, error: f64) {
        self.1 = larger(self.1, error);
    }

    #[track_caller]
    pub fn below(self, limit: f64) {
        println!("{}: worst {:.2e}, limit {limit:.0e}", self.0, self.1);
        assert!(self.1 < limit, "{}: {:.3e} is not below {limit:.0e}", self.0, self.1);
    }
}

/// Largest |a − b| over two lists of the same length.
pub fn gap(a: impl IntoIterator<Item = f64>, b: impl IntoIterator<Item = f64>) -> f64 {
    let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
    assert_eq!(a.len(), b.len());
    a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, larger)
}

/// The larger one; a NaN stays.
fn larger(worst: f64, error: f64) -> f64 {
    if worst.is_nan() || error <= worst { worst } else { error }
}

/// All numbers of a nested list.
pub fn numbers(value: &Value) -> Vec<f64> {
    value
        .as_array()
        .map_or_else(|| vec![value.as_f64().unwrap()], |list| list.iter().flat_map(numbers).collect())
}

//! Seeded random numbers (SplitMix64): the same states on every machine.

/// The seed where none is given.
pub const DEFAULT_SEED: u64 = 1998;

/// A stream of random numbers.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Uniform in [low, high).
    pub fn uniform(&mut self, low: f64, high: f64) -> f64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^= z >> 31;
        low + (high - low) * ((z >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// Mean 0, deviation 1, never beyond 6: twelve uniform numbers added, the same bits on every machine.
    pub fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform(0.0, 1.0)).sum::<f64>() - 6.0
    }

    /// Three numbers, uniform in [−size, size).
    pub fn triple(&mut self, size: f64) -> [f64; 3] {
        [0; 3].map(|_| self.uniform(-size, size))
    }
}

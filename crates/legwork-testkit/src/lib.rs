//! Helpers for the tests of every crate: comparisons, finite differences,
//! golden files, seeded random numbers. Knows nothing of legwork, so that it
//! can be used inside it.

mod compare;

pub use compare::{
    Worst, gap, highest, largest, lowest, nan_max, nan_min, relative_error, relative_error_above,
};

use serde_json::Value;
use std::path::PathBuf;

/// A golden file of the repository's `golden/` folder.
///
/// # Panics
/// If the file is missing or is not JSON: a broken test set-up.
pub fn golden(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{name}: {e}"))
}

/// All numbers below a JSON value, in order.
///
/// # Panics
/// If there is anything but numbers and arrays: the file is not what the test believes.
pub fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(n) => vec![n.as_f64().expect("a number that fits f64")],
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        other => panic!("numbers expected, found {other}"),
    }
}

/// The three numbers at a JSON pointer such as `/joint/q`.
///
/// # Panics
/// If they are not three.
pub fn triple(value: &Value, pointer: &str) -> [f64; 3] {
    let found = value.pointer(pointer).unwrap_or_else(|| panic!("nothing at {pointer}"));
    numbers(found).try_into().unwrap_or_else(|v| panic!("{pointer}: three numbers expected, found {v:?}"))
}

/// Central difference of a function of three variables: column k is ∂f/∂x_k.
pub fn jacobian_fd<const M: usize>(
    f: impl Fn([f64; 3]) -> [f64; M],
    at: [f64; 3],
    step: f64,
) -> [[f64; 3]; M] {
    let mut columns = [[0.0; M]; 3];
    for (k, column) in columns.iter_mut().enumerate() {
        let shifted = |sign: f64| {
            let mut x = at;
            x[k] += sign * step;
            f(x)
        };
        let (up, down) = (shifted(1.0), shifted(-1.0));
        *column = std::array::from_fn(|m| (up[m] - down[m]) / (2.0 * step));
    }
    std::array::from_fn(|m| std::array::from_fn(|k| columns[k][m]))
}

/// Seeded random numbers (SplitMix64): the same on every machine.
#[derive(Clone, Debug)]
pub struct Seeded(u64);

impl Seeded {
    /// A stream; the seed is part of the test.
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

    /// Three numbers uniform in [−size, size).
    pub fn triple(&mut self, size: f64) -> [f64; 3] {
        std::array::from_fn(|_| self.uniform(-size, size))
    }
}

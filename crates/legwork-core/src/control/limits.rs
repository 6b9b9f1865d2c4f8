//! What motors can give: effort, and how fast it can change.

use super::settings::{SettingsError, check, positive};
use super::{Number, finite};
use crate::Real;

/// Limits of each motor; infinite is none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits<T, const K: usize> {
    /// Largest effort, either way \[N·m or N\].
    pub effort: [T; K],
    /// Largest rate of the effort, either way \[N·m/s or N/s\].
    pub rate: [T; K],
}

impl<T: Real, const K: usize> Limits<T, K> {
    /// No limit.
    pub fn none() -> Self {
        let open = [T::from_f64(f64::INFINITY); K];
        Self { effort: open, rate: open }
    }

    /// The same for every motor: effort \[N·m or N\] and its rate \[N·m/s or N/s\].
    pub fn equal(effort: T, rate: T) -> Self {
        Self { effort: [effort; K], rate: [rate; K] }
    }
}

/// x, but not outside [low, high]; NaN passes.
pub(super) fn clamped<T: Number>(x: T, low: T, high: T) -> T {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

impl<T: Number, const K: usize> Limits<T, K> {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        check("limits.effort", &self.effort, positive)?;
        check("limits.rate", &self.rate, positive)
    }

    /// What the motors can give of `wanted` after `before`, `dt` \[s\] ago. Never anything but finite numbers:
    /// where there is no number to give, `before` stays, or zero.
    #[allow(clippy::indexing_slicing)] // k < K
    pub(super) fn applied(&self, wanted: &[T; K], before: &[T; K], dt: T) -> [T; K] {
        core::array::from_fn(|k| {
            let change = self.rate[k] * dt;
            let near = clamped(wanted[k], before[k] - change, before[k] + change);
            let inside = clamped(near, -self.effort[k], self.effort[k]);
            match (finite(wanted[k]) && finite(inside), finite(before[k])) {
                (true, _) => inside,
                (false, true) => clamped(before[k], -self.effort[k], self.effort[k]),
                (false, false) => T::zero(),
            }
        })
    }

    /// Effort limits alone; what is not a number becomes zero.
    #[allow(clippy::indexing_slicing)] // k < K
    pub(super) fn inside(&self, wanted: &[T; K]) -> [T; K] {
        core::array::from_fn(|k| {
            let inside = clamped(wanted[k], -self.effort[k], self.effort[k]);
            if finite(inside) { inside } else { T::zero() }
        })
    }
}

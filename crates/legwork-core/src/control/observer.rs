//! A disturbance observer: what the motors have to give beyond the model, found from what they gave.
//!
//! With y of the residual (3) of [`residual`](super::residual), the disturbance and its estimate are
//!
//! ```text
//! y_k = d + noise,   d̂_k = clamp( d̂_{k−1} + α (y_k − d̂_{k−1}), ±D ),   α = LT/(1 + LT)         (1)
//! u   = law + bias + d̂                                                                          (2)
//! ```
//!
//! That is Ohnishi's disturbance observer with the filter Q(s) = L/(s + L) \[Ohnishi1996\], and the residual of the momentum
//! observer of \[DeLuca2006\], ṙ = L (d − r), with differences of readings for the momentum's. What it brings
//! and what it costs:
//!
//! - **Poles.** For a PD on a model A that is right, u = (K_p + K_d s) e + d̂ is a PID, and its loop has the poles of the PD
//!   and one at −L:
//!
//!   ```text
//!   A s³ + (K_d + L A) s² + (K_p + L K_d) s + L K_p = (s + L) (A s² + K_d s + K_p)              (3)
//!   ```
//!
//! - **Disturbances.** A constant one within ±D is given whole, so it leaves no error; after a step what is not yet given
//!   falls as (1 − α)ⁿ; one that grows at the rate ḋ leaves ḋ/L, that is an error of ḋ/(L K_p). Of one beyond D remains
//!   |d| − D.
//! - **Limits.** y is made of the efforts that were given, not of those wanted: at a limit d̂ does not wind up.
//! - **Noise.** Readings that are off by up to ε make d̂ wrong by no more than the sum of the sizes of the impulse response
//!   of (1) on second differences,
//!
//!   ```text
//!   |A| ε/T² (α + α (1 + α) + α³ Σ (1 − α)ⁿ) = 2 α (1 + α) |A| ε/T² ≈ 2 L |A| ε/T               (4)
//!   ```
//!
//!   beside the 2 K_d ε/T of a PD that takes differences: as much again for L = K_d/A. The first three readings have no
//!   others before them; until they are forgotten it can be twice as much.
#![allow(clippy::indexing_slicing)] // every index is bounded by K

use super::limits::clamped;
use super::settings::{SettingsError, check, is_finite, positive};
use super::{Number, finite};
use crate::Real;

/// What can be chosen about a disturbance observer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ObserverSettings<T, const K: usize> {
    /// L \[rad/s\]: how fast the estimate follows.
    pub bandwidth: T,
    /// D of each motor \[N·m or N\]: the estimate stays within ±D.
    pub most: [T; K],
    /// d̂₀ of each motor \[N·m or N\]: what is known at the start. Default: nothing.
    pub start: [T; K],
}

impl<T: Real, const K: usize> ObserverSettings<T, K> {
    /// The same bound for every motor.
    pub fn equal(bandwidth: T, most: T) -> Self {
        Self { bandwidth, most: [most; K], start: [T::zero(); K] }
    }
}

impl<T: Number, const K: usize> ObserverSettings<T, K> {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        check("observer.bandwidth", &[self.bandwidth], |value| is_finite(value).or(positive(value)))?;
        check("observer.start", &self.start, is_finite)?;
        check("observer.most", &self.most, |value| is_finite(value).or(positive(value)))
    }
}

/// α of a filter with the bandwidth L \[rad/s\]: between 0 and 1 whatever the interval.
pub(super) fn share<T: Number>(bandwidth: T, dt: T) -> T {
    let step = bandwidth * dt;
    step / (T::one() + step)
}

/// d̂₀, within its bounds.
pub(super) fn begun<T: Number, const K: usize>(settings: Option<&ObserverSettings<T, K>>) -> [T; K] {
    core::array::from_fn(|k| {
        settings.map_or(T::zero(), |own| clamped(own.start[k], -own.most[k], own.most[k]))
    })
}

/// Takes a residual into the estimate. A number that is not finite leaves it as it is.
pub(super) fn observe<T: Number, const K: usize>(
    estimate: &mut [T; K],
    settings: &ObserverSettings<T, K>,
    residual: &[T; K],
    dt: T,
) {
    let share = share(settings.bandwidth, dt);
    for k in 0..K {
        let next = estimate[k] + share * (residual[k] - estimate[k]); // (1)
        if finite(next) {
            estimate[k] = clamped(next, -settings.most[k], settings.most[k]);
        }
    }
}

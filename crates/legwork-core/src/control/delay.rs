//! References of other samples: derivatives by differences, and the reference of some samples ago.

use super::orientation::rotation_vector;
use super::signal::{Platform, Reference};
use crate::Real;
use crate::engine::{Pose, Twist};
use core::array::from_fn;

/// Samples by which the feedback can see the reference late.
pub const MOST_SHIFT: usize = 15;

/// Derivatives of a stream of references by centred differences over three samples, one sample late
/// \[Codourey1998, Sec. 5\]:
///
/// ```text
/// ẋ_k = (x_{k+1} − x_{k−1}) / 2T_s,    ẍ_k = (x_{k+1} − 2x_k + x_{k−1}) / T_s²
/// ```
///
/// for motors and platform alike; for its orientation with rotation vectors between samples.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Differences<T, const K: usize> {
    pub(super) now: ([T; K], Pose<T>),
    pub(super) before: ([T; K], Pose<T>),
}

impl<T: Real, const K: usize> Differences<T, K> {
    /// At rest.
    pub fn new(start: &Reference<T, K>) -> Self {
        let here = (start.q, start.platform.pose);
        Self { now: here, before: here }
    }

    /// Takes the reference of the next sample in, gives the one of this sample with derivatives.
    #[inline]
    #[allow(clippy::indexing_slicing)] // k < K
    pub fn next(&mut self, next: &Reference<T, K>, dt: T) -> Reference<T, K> {
        let ((q0, p0), (q1, p1), (q2, p2)) = (self.before, self.now, (next.q, next.platform.pose));
        (self.before, self.now) = (self.now, (q2, p2));
        let rate = T::from_f64(0.5) / dt;
        let second = (dt * dt).recip();
        let (ahead, behind) = (step(&p1, &p2), step(&p0, &p1));
        Reference {
            q: q1,
            qdot: from_fn(|k| (q2[k] - q0[k]) * rate),
            qddot: from_fn(|k| (q2[k] - (q1[k] + q1[k]) + q0[k]) * second),
            platform: Platform {
                pose: p1,
                twist: (ahead + behind) * rate,
                acceleration: (ahead - behind) * second,
            },
        }
    }
}

/// The way from one pose to another, in base axes.
#[inline]
fn step<T: Real>(from: &Pose<T>, to: &Pose<T>) -> Twist<T> {
    let turn = to.rotation * from.rotation.transpose();
    Twist::new(to.position - from.position, rotation_vector(turn))
}

/// The last references, in a ring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Delay<T, const K: usize> {
    pub(super) slots: [Reference<T, K>; MOST_SHIFT + 1],
    pub(super) newest: usize,
}

impl<T: Real, const K: usize> Delay<T, K> {
    pub(super) fn new(start: &Reference<T, K>) -> Self {
        Self { slots: [*start; MOST_SHIFT + 1], newest: 0 }
    }

    /// Takes a reference in, gives the one of `shift` samples ago.
    #[inline]
    pub(super) fn shifted(&mut self, reference: &Reference<T, K>, shift: usize) -> Reference<T, K> {
        if shift == 0 {
            return *reference;
        }
        self.newest = (self.newest + 1) % self.slots.len();
        if let Some(slot) = self.slots.get_mut(self.newest) {
            *slot = *reference;
        }
        let place = (self.newest + self.slots.len() - shift.min(MOST_SHIFT)) % self.slots.len();
        self.slots.get(place).copied().unwrap_or(*reference)
    }
}

//! What the motors gave beyond what a model needs for the motion that was measured.
//!
//! A sampled command is held, so the mean effort of two intervals belongs to the differences over three readings. With
//! the readings q₀, q₁, q₂, the intervals T₀ and T₁ between them and the mean efforts u₀ and u₁ over these,
//!
//! ```text
//! v₀ = (q₁ − q₀)/T₀,   v₁ = (q₂ − q₁)/T₁,   T = T₀ + T₁                                         (1)
//! q̇ = (T₁ v₀ + T₀ v₁)/T,   q̈ = 2 (v₁ − v₀)/T,   ū = (T₀ u₀ + T₁ u₁)/T                           (2)
//! y  = ū − bias − τ(q₁, q̇, q̈)                                                                  (3)
//! ```
//!
//! (2) is exact for a mass that constant efforts accelerate: v₀ is the speed at q₁ less ½ T₀ u₀/A, v₁ the same plus
//! ½ T₁ u₁/A. A drive that lags by T_L follows a held command u as ẇ = (u − w)/T_L; from w₀ it comes to w₁, and
//!
//! ```text
//! w₁ = u + (w₀ − u) e^(−T/T_L),   mean of w = u + (w₀ − w₁) T_L/T                                (4)
//! ```
#![allow(clippy::indexing_slicing)] // every index is bounded by K

use super::memory::{MemoryVisitor, Remembered, optional};
use super::{Number, first_bad};
use core::array::from_fn;

/// The last two readings and what the drives gave between them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window<T, const K: usize> {
    /// q₁
    last: Option<[T; K]>,
    /// q₀, T₀, u₀
    earlier: Option<([T; K], T, [T; K])>,
    /// w: what the drives gave at the last reading.
    drive: Option<[T; K]>,
}

/// The motion at the middle one of three readings, and the effort that made it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Moved<T, const K: usize> {
    pub q: [T; K],
    pub qdot: [T; K],
    pub qddot: [T; K],
    /// ū \[N·m or N\]
    pub effort: [T; K],
}

/// e^(−x) for x ≥ 0 by its series in the denominator: between 0 and 1, exact to x⁴/24.
fn decay<T: Number>(x: T) -> T {
    let (half, third) = (T::from_f64(0.5), T::from_f64(1.0 / 3.0));
    (T::one() + x * (T::one() + x * half * (T::one() + x * third))).recip()
}

impl<const K: usize> Remembered for Window<f64, K> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        let zeros = [0.0; K];
        optional(&mut self.last, zeros, visitor);
        optional(&mut self.earlier, (zeros, 0.0, zeros), visitor);
        optional(&mut self.drive, zeros, visitor);
    }
}

impl<T: Number, const K: usize> Window<T, K> {
    /// Nothing was read yet.
    pub(super) fn new() -> Self {
        Self { last: None, earlier: None, drive: None }
    }

    /// Takes a reading in, `dt` \[s\] after the last one, while `given` was commanded to drives with the time constant
    /// `lag` \[s\]. Gives nothing before the third reading, and begins anew after one that is none.
    pub(super) fn take(&mut self, q: &[T; K], given: &[T; K], lag: T, dt: T) -> Option<Moved<T, K>> {
        let usable = first_bad(q).is_none() && first_bad(given).is_none() && dt > T::zero();
        if !usable {
            *self = Self::new();
            return None;
        }
        let q1 = self.last.replace(*q)?;
        let before = self.drive.unwrap_or(*given);
        let keep = if lag > T::zero() { decay(dt / lag) } else { T::zero() };
        let after: [T; K] = from_fn(|k| given[k] + (before[k] - given[k]) * keep); // (4)
        let u1: [T; K] = from_fn(|k| given[k] + (before[k] - after[k]) * lag / dt);
        self.drive = Some(after);
        let (q0, t0, u0) = self.earlier.replace((q1, dt, u1))?;
        let total = t0 + dt;
        let (v0, v1): ([T; K], [T; K]) =
            (from_fn(|k| (q1[k] - q0[k]) / t0), from_fn(|k| (q[k] - q1[k]) / dt)); // (1)
        Some(Moved {
            q: q1,
            qdot: from_fn(|k| (dt * v0[k] + t0 * v1[k]) / total), // (2)
            qddot: from_fn(|k| (v1[k] - v0[k]) / total * T::from_f64(2.0)),
            effort: from_fn(|k| (t0 * u0[k] + dt * u1[k]) / total),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Second formulation: the motion of a mass between held efforts, in closed form, with intervals that differ.
    #[test]
    fn held_efforts_on_a_mass_are_found_exactly() {
        let (mass, efforts, times) = (2.5, [3.0, -7.0, 1.5, 4.0], [1e-3, 2.5e-3, 0.7e-3, 1e-3]);
        let (mut q, mut v) = (0.3, -0.2);
        let mut window = Window::<f64, 1>::new();
        assert_eq!(window.take(&[q], &[0.0], 0.0, 1e-3), None);
        for (k, (u, dt)) in efforts.into_iter().zip(times).enumerate() {
            q += v * dt + 0.5 * u / mass * dt * dt;
            v += u / mass * dt;
            let found = window.take(&[q], &[u], 0.0, dt);
            assert_eq!(found.is_some(), k > 0);
            if let Some(found) = found {
                // 1e-8: rounding of readings near 0.3, by a squared interval
                assert!((found.effort[0] - mass * found.qddot[0]).abs() < 1e-8, "{found:?}");
            }
        }
    }

    /// Independent numbers: the mean of a lagged step by a thousand small steps.
    #[test]
    fn a_drive_lags_as_its_time_constant_says() {
        let (lag, dt, steps) = (2e-3, 1e-3, 200_000);
        let (mut w, mut sum) = (5.0_f64, 0.0);
        for _ in 0..steps {
            let small = dt / f64::from(steps);
            let next = w + (1.0 - w) * small / lag;
            sum += 0.5 * (w + next) / f64::from(steps);
            w = next;
        }
        let mut window = Window::<f64, 1> { last: Some([0.0]), earlier: None, drive: Some([5.0]) };
        window.take(&[0.0], &[1.0], lag, dt);
        let (_, _, mean) = window.earlier.unwrap_or(([f64::NAN], 0.0, [f64::NAN]));
        // 0.02: x⁴/24 of e^(−x) at x = ½ is 0.0026, times the step of 4, by x; 0.005 the same without the division
        assert!((mean[0] - sum).abs() < 0.02, "{} {sum}", mean[0]);
        assert!((window.drive.unwrap_or([f64::NAN])[0] - w).abs() < 0.005);
    }

    /// A reading that is none is forgotten with all before it.
    #[test]
    fn bad_readings_begin_anew() {
        let mut window = Window::<f64, 1>::new();
        for _ in 0..3 {
            window.take(&[0.0], &[0.0], 0.0, 1e-3);
        }
        assert!(window.take(&[0.0], &[0.0], 0.0, 1e-3).is_some());
        for (q, u, dt) in
            [(f64::NAN, 0.0, 1e-3), (0.0, f64::INFINITY, 1e-3), (0.0, 0.0, 0.0), (0.0, 0.0, f64::NAN)]
        {
            assert!(window.take(&[q], &[u], 0.0, dt).is_none());
            assert!(window.take(&[0.0], &[0.0], 0.0, 1e-3).is_none());
            assert!(window.take(&[0.0], &[0.0], 0.0, 1e-3).is_none());
            assert!(window.take(&[0.0], &[0.0], 0.0, 1e-3).is_some());
        }
    }
}

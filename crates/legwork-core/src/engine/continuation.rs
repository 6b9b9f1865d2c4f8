//! Legs without a closed form, followed along a motion of the platform.
//!
//! One step of Newton's method at joints q, with the platform at X, closes the gap g of the attachment but for a part
//! r that is to remain (zero for a closed leg):
//!
//! ```text
//! J_i(q, X) Δ = g(q, X) − r                                                      (1)
//! ```
//!
//! A leg has several branches, and (1) by itself does not say which one it ends in. So a leg is followed: from joints
//! that close it at one pose, along the straight motion to the next, in steps that are as long as the branch allows.
//! The first Δ at the new place is the predictor: to first order it is the tangent, J_i⁻¹ J_vi V. The ratio
//! |Δ₂|/|Δ₁| of the next one to it is half of Kantorovich's number h = β η L, and with h ≤ ½ there is one solution
//! about q and Newton's method finds it \[OrtegaRheinboldt1970, Sec. 12.6\]. That is said of the end of the step alone:
//! where the platform turns, its joint goes along an arc, which may leave the reach of the leg and come back. So Δ is
//! looked at half way too. With Δ_½ = ½ Δ₁ the gap closes along a straight line, and what holds at the end holds at
//! every place before it; how far it is from that is
//!
//! ```text
//! b = 2 Δ₁ − 4 Δ_½,   Δ(s) = s Δ₁ + (s² − s) b                                     (2)
//! ```
//!
//! A step with a larger ratio or a larger b is shortened, as is one at whose end the determinant of J_i has another
//! sign: a branch ends where it is zero. The numbers are those of the step itself, so this is a careful estimate and
//! no proof. Nothing is remembered: where a leg is, is what its caller hands in and gets back.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // every index is bounded by N

use super::attachment::Attachment;
use super::chain::{Chain, JointKind};
use super::inverse::LegInverse;
use super::leg::Leg;
use super::matrix;
use super::spatial::{Pose, Twist};
use crate::{M3, Real, V3};
use core::array::from_fn;

/// Longest Δ of a joint that is taken at once \[rad, or sizes of the leg\].
const LONGEST: f64 = 0.5;
/// Largest ratio of one Δ to the one before: h ≤ 0.4.
const SLOWEST: f64 = 0.2;
/// Largest |b| of (2) beside |Δ₁|.
const BENT: f64 = 0.25;
/// The same beside the smallest pivot, 1/β: so small an arc leaves h below ½ whatever Δ₁ is.
const BENT_AT_ALL: f64 = 0.05;
/// A Δ as small as this is the last one: what it leaves is its square.
const LAST: f64 = 1e-7;
/// Below this a Δ is rounding, and its ratio to the one before says nothing.
const ROUNDING: f64 = 1e-10;
/// Shortest step, as a part of the way. The branch ends there.
const SHORTEST: f64 = 1e-10;
/// Most steps of Newton's method on one way.
const MOST: u32 = 4000;

/// One step of Newton's method, before it is made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegStep<T, const N: usize> {
    /// Δ \[rad or m\]
    pub correction: [T; N],
    /// |Δ|: turns in rad, slides in sizes of the leg, as far as it is out included.
    pub length: T,
    /// |g − r|, lengths in sizes of the leg.
    pub gap: T,
    /// |r_kk| of J_i in the units of its columns: zero where joint k does what the joints before it can do.
    pub pivots: [T; N],
    /// The product of all r_kk; its sign is, but for one that never changes, that of det J_i.
    pub determinant: T,
}

impl<T: Real, const N: usize> LegStep<T, N> {
    /// The smallest pivot.
    pub fn margin(&self) -> T {
        let mut least = T::zero();
        for k in 0..N {
            least = if k == 0 { self.pivots[0] } else { least.min(self.pivots[k]) };
        }
        least
    }

    /// Δ, shortened to the longest that is taken at once.
    pub fn damped(&self) -> [T; N] {
        let longest = T::from_f64(LONGEST);
        let part = T::select(longest.lt(self.length), longest / self.length, T::one());
        self.correction.map(|x| x * part)
    }
}

impl<T: Real> Attachment<T> {
    /// Whether component k is a rotation.
    pub(super) fn rotates(&self, k: usize) -> bool {
        k >= 3 || matches!(self, Self::Turning { .. })
    }
}

/// (1) at joints `q` \[rad or m\]; `remaining` is r \[m or rad\].
pub(super) fn newton_step<T: Real, const N: usize>(
    chain: &Chain<T, N>,
    attachment: &Attachment<T>,
    pose: &Pose<T>,
    q: &[T; N],
    remaining: &[T; N],
) -> LegStep<T, N> {
    let posture = chain.posture(&chain.values(q));
    let tip = posture.tip_rotation();
    let size = chain.size(posture.point, pose.position);
    // Rotations times the size of the leg are lengths as the other components.
    let unit = |k: usize| if attachment.rotates(k) { size } else { T::one() };
    let gap: [T; N] = from_fn(|k| (attachment.gap(k, pose, tip, posture.point) - remaining[k]) * unit(k));
    let jacobian: [[T; N]; N] = from_fn(|k| {
        let direction = attachment.direction(k, pose, tip);
        posture.screws.map(|s| direction.power(s) * unit(k))
    });
    let qr = matrix::Qr::new(&jacobian);
    let correction = qr.solve(&gap).0; // (1)
    let lengths: [T; N] = from_fn(|j| match chain.links[j].kind {
        JointKind::Revolute => correction[j],
        JointKind::Prismatic => correction[j] / (size + q[j].abs()),
    });
    LegStep {
        correction,
        length: matrix::dot(&lengths, &lengths).sqrt(),
        gap: matrix::dot(&gap, &gap).sqrt() / size,
        pivots: qr.pivots_in(&chain.column_units(size)),
        determinant: qr.determinant(),
    }
}

impl<T: Real, const N: usize> Leg<T, N> {
    /// One step of Newton's method, see [`LegStep`], at joints `q` \[rad or m\]; `remaining` is the gap that is to
    /// remain \[m or rad\].
    pub fn newton_step(&self, pose: &Pose<T>, q: &[T; N], remaining: &[T; N]) -> LegStep<T, N> {
        newton_step(&self.chain, &self.attachment, pose, q, remaining)
    }

    /// The gap of the attachment at joints `q` \[m or rad\].
    pub fn gaps(&self, pose: &Pose<T>, q: &[T; N]) -> [T; N] {
        let posture = self.chain.posture(&self.chain.values(q));
        let tip = posture.tip_rotation();
        from_fn(|k| self.attachment.gap(k, pose, tip, posture.point))
    }
}

/// Where a leg came to on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Followed<const N: usize> {
    /// Its joints there \[rad or m\]; turns run on beyond ±π.
    pub joints: [f64; N],
    /// How much of the way it made: 1 if it arrived.
    pub way: f64,
    /// The joint with the smallest pivot there, from 0.
    pub joint: usize,
    /// That pivot.
    pub margin: f64,
    /// Steps of Newton's method.
    pub steps: u32,
}

impl<const N: usize> Followed<N> {
    /// Whether it arrived.
    pub fn arrived(&self) -> bool {
        self.way >= 1.0
    }
}

/// What Newton's method made of a step of the way.
enum Corrected<const N: usize> {
    /// The joints there, the ratio of the first two Δ, and the last step.
    Closed { joints: [f64; N], ratio: f64 },
    /// How much shorter the step has to be, at least.
    Refused { part: f64 },
}

impl<const N: usize> Leg<f64, N> {
    /// From joints that close the leg at `from`, along the straight motion to `to`.
    pub fn follow(&self, joints: &[f64; N], from: &Pose<f64>, to: &Pose<f64>) -> Followed<N> {
        let way = from.way_to(to);
        self.homotopy(joints, |part| (if part < 1.0 { from.on_the_way(&way, part) } else { *to }, [0.0; N]))
    }

    /// From any joints to some that close the leg at `pose`: the gap is let shrink in proportion.
    pub fn close(&self, joints: &[f64; N], pose: &Pose<f64>) -> Followed<N> {
        let gap = self.gaps(pose, joints);
        self.homotopy(joints, |part| (*pose, gap.map(|g| g * (1.0 - part).max(0.0))))
    }

    /// Follows the solution of g(q, X(s)) = r(s) from s = 0 to 1.
    fn homotopy(&self, start: &[f64; N], place: impl Fn(f64) -> (Pose<f64>, [f64; N])) -> Followed<N> {
        let (mut joints, mut way, mut part, mut steps) = (*start, 0.0, 1.0, 1);
        let (pose, remaining) = place(0.0);
        let sign = self.newton_step(&pose, &joints, &remaining).determinant;
        while way < 1.0 && steps < MOST && part > SHORTEST {
            let next = if way + part >= 1.0 { 1.0 } else { way + part };
            let there = place(next);
            let half_way = place(f64::midpoint(way, next));
            match self.corrected(&joints, &there, &half_way, sign, &mut steps) {
                Corrected::Closed { joints: found, ratio } => {
                    (joints, way) = (found, next);
                    part *= (0.6 * SLOWEST / ratio).clamp(0.5, 4.0);
                }
                Corrected::Refused { part: shorter } => part = (next - way) * shorter,
            }
        }
        let (pose, remaining) = place(way);
        let here = self.newton_step(&pose, &joints, &remaining);
        let (joint, margin) = weakest(&here.pivots);
        Followed { joints, way, joint, margin, steps }
    }

    /// Newton's method at a place, as long as each step is much shorter than the one before.
    fn corrected(
        &self,
        from: &[f64; N],
        (pose, remaining): &(Pose<f64>, [f64; N]),
        half_way: &(Pose<f64>, [f64; N]),
        sign: f64,
        steps: &mut u32,
    ) -> Corrected<N> {
        let (mut joints, mut before, mut ratio) = (*from, f64::INFINITY, 1e-3);
        for k in 0..8 {
            *steps += 1;
            let step = self.newton_step(pose, &joints, remaining);
            let length = step.length;
            // A determinant of the other sign, zero, or none at all.
            if !(step.determinant * sign > 0.0 && length.is_finite()) {
                return Corrected::Refused { part: 0.25 };
            }
            if k == 0 && length > LONGEST {
                return Corrected::Refused { part: (0.9 * LONGEST / length).clamp(0.01, 0.5) };
            }
            if k == 0 {
                *steps += 1;
                let half = self.newton_step(&half_way.0, from, &half_way.1).correction;
                let bent: [f64; N] = from_fn(|j| 2.0 * step.correction[j] - 4.0 * half[j]); // (2)
                let size = self.chain.size(self.attachment.point(pose, V3::zero()), pose.position);
                let bent = self.joints_apart(&bent, &[0.0; N], size);
                let most = (BENT * length).max(BENT_AT_ALL * step.margin());
                if bent.is_nan() || bent > most {
                    return Corrected::Refused { part: (0.7 * most / bent).clamp(0.1, 0.5) };
                }
            }
            if length > ROUNDING && length > SLOWEST * before {
                return Corrected::Refused { part: (0.5 * SLOWEST * before / length).clamp(0.1, 0.5) };
            }
            if k == 1 {
                ratio = (length / before).max(ratio);
            }
            joints = matrix::sum(&joints, &step.correction);
            if length <= LAST {
                return Corrected::Closed { joints, ratio };
            }
            before = length;
        }
        Corrected::Refused { part: 0.5 }
    }

    /// Newton's method from `joints` with steps of limited length, halved while the gap does not shrink; the joints if
    /// they close the leg.
    pub fn closed_from(&self, joints: &[f64; N], pose: &Pose<f64>) -> Option<[f64; N]> {
        let none = [0.0; N];
        let mut q = *joints;
        let mut here = self.newton_step(pose, &q, &none);
        for _ in 0..60 {
            if here.length <= LAST && here.gap < 1e-9 {
                return Some(matrix::sum(&q, &here.correction));
            }
            let mut part = if here.length > LONGEST { LONGEST / here.length } else { 1.0 };
            let mut better = None;
            // To first order the gap shrinks by that part; a tenth of it is enough. Where less than a thousandth of the
            // step can be made, the gap has a smallest value ahead that is not zero.
            while part > 1e-3 && better.is_none() {
                let trial = matrix::sum(&q, &here.correction.map(|x| part * x));
                let next = self.newton_step(pose, &trial, &none);
                if next.gap < (1.0 - 0.1 * part) * here.gap {
                    better = Some((trial, next));
                }
                part *= 0.5;
            }
            (q, here) = better?;
        }
        None
    }

    /// How far two sets of joints are apart: turns in rad, slides in sizes of the leg.
    pub fn joints_apart(&self, a: &[f64; N], b: &[f64; N], size: f64) -> f64 {
        let apart: [f64; N] = from_fn(|j| match self.chain.links[j].kind {
            JointKind::Revolute => a[j] - b[j],
            JointKind::Prismatic => (a[j] - b[j]) / size,
        });
        Real::sqrt(matrix::dot(&apart, &apart))
    }

    /// The joints nearest to `start` that close the leg at `pose`, among those that several searches from there find.
    pub fn nearest(&self, start: &[f64; N], pose: &Pose<f64>) -> Option<[f64; N]> {
        self.nearest_from(start, pose, &[0.3, -0.3, 1.2, -1.2])
    }

    /// The same with searches that begin so far aside \[rad, or sizes of the leg\].
    fn nearest_from(&self, start: &[f64; N], pose: &Pose<f64>, aside: &[f64]) -> Option<[f64; N]> {
        let size = self.chain.size(self.attachment.point(pose, V3::zero()), pose.position);
        let straight = self.close(start, pose);
        let mut best = straight.arrived().then_some(straight.joints);
        let apart = |q: &[f64; N]| self.joints_apart(q, start, size);
        let mut take = |found: Option<[f64; N]>| {
            if let Some(found) = found
                && best.is_none_or(|best| apart(&found) < apart(&best))
            {
                best = Some(found);
            }
        };
        take(self.closed_from(start, pose));
        for j in 0..N {
            let unit = if self.chain.links[j].kind == JointKind::Prismatic { size } else { 1.0 };
            for shift in aside {
                let mut other = *start;
                other[j] += shift * unit;
                take(self.closed_from(&other, pose));
            }
        }
        best
    }

    /// The same leg where its platform is at `to`, if its joints are found numerically: the search begins where it
    /// comes to on the straight way from `from`, where its start values close it. A leg that does not arrive
    /// stays where its branch ends, open.
    #[must_use]
    pub fn followed(&self, from: &Pose<f64>, to: &Pose<f64>) -> Option<Self> {
        let LegInverse::Numerical { seed, .. } = &self.inverse else { return None };
        let found = self.follow(seed, from, to);
        let steps = if found.arrived() { LegInverse::<f64, N>::FOUND_STEPS } else { 0 };
        Some(Self { inverse: LegInverse::Numerical { seed: found.joints, steps }, ..*self })
    }
}

/// Where the branch of a leg ends on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lost {
    /// After how much of the way.
    pub way: f64,
    /// The joint that does there what the joints before it can do, from 0.
    pub joint: usize,
    /// Its pivot, see [`LegStep::pivots`].
    pub margin: f64,
    /// The gap that is left at the end of the way, lengths in sizes of the leg.
    pub gap: f64,
    /// Whether some joints close the leg at the end of the way: those of another branch, or beyond a place that it does
    /// not reach.
    pub closes_there: bool,
}

impl<const N: usize> Leg<f64, N> {
    /// Whether its joints are found numerically.
    pub fn is_numerical(&self) -> bool {
        matches!(self.inverse, LegInverse::Numerical { .. })
    }

    /// See [`AnyLeg::lost`](super::AnyLeg::lost).
    pub fn lost(&self, from: &Pose<f64>, to: &Pose<f64>) -> Option<Lost> {
        let LegInverse::Numerical { seed, .. } = &self.inverse else { return None };
        let Followed { joints, way, joint, margin, .. } = self.follow(seed, from, to);
        if way >= 1.0 {
            return None;
        }
        let gap = self.newton_step(to, &joints, &[0.0; N]).gap;
        let closes_there = self.nearest_from(&joints, to, &[1.2, -1.2]).is_some();
        Some(Lost { way, joint, margin, gap, closes_there })
    }

    /// See [`AnyLeg::seed`](super::AnyLeg::seed).
    pub fn seed(&self) -> Option<[f64; 6]> {
        let LegInverse::Numerical { seed, .. } = &self.inverse else { return None };
        let mut six = [0.0; 6];
        for (slot, value) in six.iter_mut().zip(seed) {
            *slot = *value;
        }
        Some(six)
    }

    /// See [`AnyLeg::active_seed`](super::AnyLeg::active_seed).
    pub fn active_seed(&self) -> Option<[f64; 6]> {
        let LegInverse::Numerical { seed, .. } = &self.inverse else { return None };
        let mut six = [0.0; 6];
        let active = self.chain.links.iter().zip(seed).filter(|(link, _)| link.active);
        for (slot, (_, value)) in six.iter_mut().zip(active) {
            *slot = *value;
        }
        Some(six)
    }

    /// See [`AnyLeg::with_seed`](super::AnyLeg::with_seed).
    #[must_use]
    pub fn with_seed(&self, six: &[f64; 6], steps: usize) -> Self {
        let mut leg = *self;
        if let LegInverse::Numerical { seed, steps: own } = &mut leg.inverse {
            for (slot, value) in seed.iter_mut().zip(six) {
                *slot = *value;
            }
            *own = steps;
        }
        leg
    }
}

/// The smallest of some pivots and its place.
fn weakest<const N: usize>(pivots: &[f64; N]) -> (usize, f64) {
    let mut least = (0, f64::INFINITY);
    for (k, pivot) in pivots.iter().enumerate() {
        if pivot.is_nan() || *pivot < least.1 {
            least = (k, *pivot);
        }
    }
    least
}

impl Pose<f64> {
    /// The straight motion to another frame, in reference axes: a shift and a rotation vector of at most half a turn.
    pub fn way_to(&self, to: &Self) -> Twist<f64> {
        let turn = to.rotation * self.rotation.transpose();
        let [[a, b, c], [d, e, f], [g, h, i]] = turn.to_rows();
        // Four times the products of the quaternion's parts; the largest square is safe to divide by.
        let squares = [1.0 + a + e + i, 1.0 + a - e - i, 1.0 - a + e - i, 1.0 - a - e + i];
        let mut most = 0;
        for k in 1..4 {
            if squares[k] > squares[most] {
                most = k;
            }
        }
        let parts = match most {
            0 => [squares[0], h - f, c - g, d - b],
            1 => [h - f, squares[1], b + d, c + g],
            2 => [c - g, b + d, squares[2], f + h],
            _ => [d - b, c + g, f + h, squares[3]],
        };
        let side = if parts[0] < 0.0 { -1.0 } else { 1.0 };
        let vector = V3::new(parts[1], parts[2], parts[3]) * side;
        let length = Real::sqrt(vector.norm_sq());
        let angle = 2.0 * Real::atan2(length, parts[0].abs());
        let scale = if length > 0.0 { angle / length } else { 0.0 };
        Twist::new(to.position - self.position, vector * scale)
    }

    /// The frame after a part of a straight motion.
    pub fn on_the_way(&self, way: &Twist<f64>, part: f64) -> Self {
        let angle = Real::sqrt(way.angular.norm_sq());
        let axis = if angle > 0.0 { way.angular * (1.0 / angle) } else { V3::zero() };
        let (sin, cos) = Real::sin_cos(angle * part);
        // v + sin a × v + (1 − cos) a × (a × v)
        let turn = |v: V3<f64>| v + axis.cross(v) * sin + axis.cross(axis.cross(v)) * (1.0 - cos);
        let V3 { x, y, z } = self.rotation.columns().map(turn);
        Self::new(M3::from_columns(x, y, z), self.position + way.linear * part)
    }
}

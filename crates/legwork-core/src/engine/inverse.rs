//! Leg inverse kinematics: the joints of one leg for a pose of the platform.
//!
//! Closed forms find cosines and sines algebraically; no trigonometric function
//! is called. They read the lengths from the chain itself, so the chain must
//! have the shape that each one names.
#![allow(clippy::indexing_slicing)] // the patterns fix the number of links, k is bounded by N

use super::attachment::Attachment;
use super::chain::{Chain, JointValue};
use super::continuation::newton_step;
use super::matrix;
use super::spatial::Pose;
use crate::{M3, Margin, Real, V3};
use core::array::from_fn;

/// How the joints of a leg are found. `side` is +1 or −1 and picks one of two solutions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum LegInverse<T, const N: usize> {
    /// R, R, P: universal joint, then a slide through its centre and the
    /// attachment \[KhalilIbrahim2007, Sec. 4\]. `side` +1: sin q2 > 0, the second axis is a3 × a1.
    Ups {
        /// Which way round the universal joint.
        side: T,
    },
    /// R then U: an arm, a universal joint at its end, a rod (Delta, Hexa).
    /// q1 = atan2(F, E) + side·acos(…).
    Rus {
        /// Which side of the arm's plane the elbow is.
        side: T,
        /// Which way round the universal joint: −1 is its cross turned over, q2 + 180° and 180° − q3.
        cross: T,
    },
    /// P then U: a carriage, a universal joint on it, a rod (linear Delta,
    /// Hexaglide). q1 = w_z + side·√(…).
    Pus {
        /// +1: the carriage is ahead of the attachment, along its own axis.
        side: T,
        /// Which way round the universal joint, as for [`Rus`](Self::Rus).
        cross: T,
    },
    /// R, R in a plane (five-bar, 3-RRR). q1 = angle to the attachment + side·acos(…).
    Rr {
        /// Which side the elbow is.
        side: T,
    },
    /// One slide that ends in a face of the platform (C5).
    Slide,
    /// One joint that turns with the platform (the fourth axis of a Delta).
    Turn,
    /// Any chain: Newton's method from these coordinates, a fixed number of steps of limited length. Which branch it
    /// ends in depends on the start alone; [`Leg::follow`](super::Leg::follow) keeps one along a motion.
    Numerical {
        /// Where to start \[rad or m\].
        seed: [T; N],
        /// How many steps.
        steps: usize,
    },
}

impl<T: Real, const N: usize> LegInverse<T, N> {
    /// Newton steps of a leg that fits no closed form. From a start within half a turn
    /// eight are enough; more cost little beside the trouble of too few.
    pub const USUAL_STEPS: usize = 12;

    /// Newton steps from joints that were found already, to rounding and in scalars with derivatives.
    pub const FOUND_STEPS: usize = 2;

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> LegInverse<U, N> {
        match self {
            Self::Ups { side } => LegInverse::Ups { side: f(side) },
            Self::Rus { side, cross } => LegInverse::Rus { side: f(side), cross: f(cross) },
            Self::Pus { side, cross } => LegInverse::Pus { side: f(side), cross: f(cross) },
            Self::Rr { side } => LegInverse::Rr { side: f(side) },
            Self::Slide => LegInverse::Slide,
            Self::Turn => LegInverse::Turn,
            Self::Numerical { seed, steps } => LegInverse::Numerical { seed: seed.map(f), steps },
        }
    }

    /// How many joints a chain of this shape has; `None` for any number.
    pub fn joints(&self) -> Option<usize> {
        match self {
            Self::Ups { .. } | Self::Rus { .. } | Self::Pus { .. } => Some(3),
            Self::Rr { .. } => Some(2),
            Self::Slide | Self::Turn => Some(1),
            Self::Numerical { .. } => None,
        }
    }

    /// The joints that bring the end of `chain` to its place on the platform.
    ///
    /// The margin has no unit and is at most 1: the radicand over the squares of the lengths in it (or what else
    /// must be positive), negative out of reach.
    #[inline(always)]
    pub fn solve(
        &self,
        chain: &Chain<T, N>,
        attachment: &Attachment<T>,
        pose: &Pose<T>,
    ) -> Margin<[JointValue<T>; N], T> {
        let rest = [JointValue::slid(T::zero()); N];
        let fill = |found: &[JointValue<T>]| {
            let mut q = rest;
            for (slot, value) in q.iter_mut().zip(found) {
                *slot = *value;
            }
            q
        };
        let point = attachment.point(pose, V3::zero());
        match (self, chain.links.as_slice()) {
            (Self::Ups { side }, [first, second, third]) => {
                let w = first.placement.rotation.transpose() * (point - first.placement.position);
                let along = third.placement.rotation.columns().z;
                let length = w.norm_sq().sqrt();
                let Margin { value: [q1, q2], margin } =
                    pointed(w, length, second.placement.rotation, along, *side);
                // z · (p + R tip), where z is the third column of R.
                let offset = along.dot(third.placement.position) + chain.tip.z;
                Margin { value: fill(&[q1, q2, JointValue::slid(length - offset)]), margin }
            }
            (Self::Rus { side, cross }, [first, second, third]) => {
                let w = first.placement.rotation.transpose() * (point - first.placement.position);
                let elbow = second.placement.position;
                let rod = third.placement.rotation * chain.tip;
                let Margin { value: q1, margin } = circled(w, elbow, chain.tip.norm_sq(), *side);
                let rest = second.placement.rotation.transpose() * (turned_back(w, &q1) - elbow);
                let length = rod.norm_sq().sqrt();
                let unit = chain.tip * length.recip();
                let universal = pointed(rest, length, third.placement.rotation, unit, *cross);
                let [q2, q3] = universal.value;
                Margin { value: fill(&[q1, q2, q3]), margin: reached(margin, universal.margin) }
            }
            (Self::Pus { side, cross }, [first, second, third]) => {
                let start = first.placement.of(second.placement.position);
                let w = first.placement.rotation.transpose() * (point - start);
                let radicand = chain.tip.norm_sq() - w.x.squared() - w.y.squared();
                let height = radicand.sqrt() * *side;
                let slide = JointValue::slid(w.z + height);
                let rest = second.placement.rotation.transpose() * V3::new(w.x, w.y, -height);
                let length = chain.tip.norm_sq().sqrt();
                let unit = chain.tip * length.recip();
                let universal = pointed(rest, length, third.placement.rotation, unit, *cross);
                let [q2, q3] = universal.value;
                let reach = radicand / chain.tip.norm_sq();
                Margin { value: fill(&[slide, q2, q3]), margin: reached(reach, universal.margin) }
            }
            (Self::Rr { side }, [first, second]) => {
                let w = first.placement.rotation.transpose() * (point - first.placement.position);
                let (elbow, tip) = (second.placement.position, chain.tip);
                let reach = tip.x.squared() + tip.y.squared();
                let flat = V3::new(w.x, w.y, elbow.z);
                let Margin { value: q1, margin } = circled(flat, elbow, reach, *side);
                let rest = second.placement.rotation.transpose() * (turned_back(w, &q1) - elbow);
                Margin { value: fill(&[q1, onto(tip, rest, reach.recip())]), margin }
            }
            (Self::Slide, [only]) => {
                let Attachment::Sliding { normal, distance } = attachment else {
                    return Margin { value: rest, margin: T::zero() };
                };
                let r = pose.rotation * *normal;
                let along = only.placement.rotation.columns().z;
                let start = only.placement.of(chain.tip);
                let cos = r.dot(along);
                let slide = (*distance + r.dot(pose.position - start)) / cos;
                Margin { value: fill(&[JointValue::slid(slide)]), margin: cos.abs() }
            }
            (Self::Turn, [only]) => {
                let Attachment::Turning { frame, .. } = attachment else {
                    return Margin { value: rest, margin: T::zero() };
                };
                // A turn about z has cosine and sine twice; a frame that is also tilted has less of them.
                let V3 { x, y, .. } = (only.placement.rotation.transpose() * pose.rotation * *frame).0;
                let (cos, sin) = (x.x + y.y, y.x - x.y);
                let length = (cos.squared() + sin.squared()).sqrt();
                let r = length.recip();
                Margin {
                    value: fill(&[JointValue::turned(cos * r, sin * r)]),
                    margin: length * T::from_f64(0.5),
                }
            }
            (Self::Numerical { seed, steps }, _) => newton(chain, attachment, pose, seed, *steps),
            // A chain of another length than its closed form: the checked constructor refuses it.
            _ => Margin { value: rest, margin: T::zero() },
        }
    }
}

/// Rz(q)ᵀ w
#[inline]
fn turned_back<T: Real>(w: V3<T>, q: &JointValue<T>) -> V3<T> {
    V3::new(w.x * q.cos + w.y * q.sin, w.y * q.cos - w.x * q.sin, w.z)
}

/// The turn about z that brings `from` to `to`, both in the x-y plane; `scale` = 1/(|from||to|).
#[inline]
fn onto<T: Real>(from: V3<T>, to: V3<T>, scale: T) -> JointValue<T> {
    JointValue::turned((from.x * to.x + from.y * to.y) * scale, (from.x * to.y - from.y * to.x) * scale)
}

/// The turn q about z that puts Rz(q) p at distance √`reach_sq` from w:
///
/// ```text
/// E cos q + F sin q = G,   G = (w·w + p·p − b²)/2 − w_z p_z
/// cos q = (E G ∓ F D)/(E² + F²),  sin q = (F G ± E D)/(E² + F²),  D² = E² + F² − G²
/// ```
///
/// The margin is D²/((p_x² + p_y²) b²): the square of the cosine between the rod and the velocity of p.
#[inline]
fn circled<T: Real>(w: V3<T>, p: V3<T>, reach_sq: T, side: T) -> Margin<JointValue<T>, T> {
    let e = w.x * p.x + w.y * p.y;
    let f = w.y * p.x - w.x * p.y;
    let g = (w.norm_sq() + p.norm_sq() - reach_sq) * T::from_f64(0.5) - w.z * p.z;
    let h = e.squared() + f.squared();
    let radicand = h - g.squared();
    let d = radicand.sqrt() * side;
    let r = h.recip();
    let value = JointValue::turned((e * g - f * d) * r, (f * g + e * d) * r);
    Margin { value, margin: radicand / ((p.x.squared() + p.y.squared()) * reach_sq) }
}

/// The two turns of a universal joint that bring the unit vector `e` of its last
/// link (perpendicular to the second axis) along `w` (length `length`): the second
/// axis must be perpendicular to w, so it is ±(w × z)/|w × z| \[KhalilIbrahim2007, Sec. 4.2\].
///
/// The margin is |w × z|²/|w|²: zero when w lies along the first axis (sin q2 = 0).
#[inline]
fn pointed<T: Real>(w: V3<T>, length: T, second: M3<T>, e: V3<T>, side: T) -> Margin<[JointValue<T>; 2], T> {
    let rho_sq = w.x.squared() + w.y.squared();
    let r = side / rho_sq.sqrt();
    let axis = V3::new(w.y, -w.x, T::zero());
    let q1 = onto(second.columns().z, axis, r);
    let in_plane = second.transpose() * turned_back(w, &q1);
    let q2 = onto(e, in_plane, length.recip());
    Margin { value: [q1, q2], margin: rho_sq / length.squared() }
}

/// Newton's method on the gaps of the attachment, its steps of limited length.
///
/// The margin is the smallest |r_kk| of the last J_i where the gap has closed to
/// 1e-9, and minus the gap elsewhere; all lengths in sizes of the leg.
#[inline]
fn newton<T: Real, const N: usize>(
    chain: &Chain<T, N>,
    attachment: &Attachment<T>,
    pose: &Pose<T>,
    seed: &[T; N],
    steps: usize,
) -> Margin<[JointValue<T>; N], T> {
    let mut q = *seed;
    let mut smallest = T::zero();
    for _ in 0..steps {
        let step = newton_step(chain, attachment, pose, &q, &[T::zero(); N]);
        smallest = step.margin();
        q = matrix::sum(&q, &step.damped());
    }
    let values = chain.values(&q);
    let posture = chain.posture(&values);
    let tip = posture.tip_rotation();
    let size = chain.size(posture.point, pose.position).recip();
    let gap: [T; N] = from_fn(|k| {
        let gap = attachment.gap(k, pose, tip, posture.point);
        if attachment.rotates(k) { gap } else { gap * size }
    });
    let size = matrix::dot(&gap, &gap).sqrt();
    let margin = T::select(size.lt(T::from_f64(1e-9)), smallest, -size);
    Margin { value: values, margin }
}

/// The reach where it is not positive, so that what follows from it cannot hide how far a
/// leg is off; else the smaller of the two.
#[inline]
fn reached<T: Real>(reach: T, then: T) -> T {
    T::select(T::zero().lt(reach), reach.min(then), reach)
}

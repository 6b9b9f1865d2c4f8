//! Rates that neither motors nor platform feel: a rod that spins between two balls.
//!
//! The rates K of a leg without motors and core move its bodies and nobody else. Their own rates z belong to the
//! state; where none are given they have no momentum, and nothing drives them:
//!
//! ```text
//! (1)  z = −(KᵀMK)⁻¹ KᵀM u
//! (2)  z̈ = −(KᵀMK)⁻¹ Kᵀ f,   f += M K z̈
//! ```
//!
//! A rate that moves one body only ("alone") needs I S of that body instead of M K.

use super::rows::{set, solve_symmetric};
use super::{Block, Memory, Plan, Span};
use crate::engine::{Pose, Twist, Wrench};
use crate::{Real, V3};

/// w·s
#[inline(always)]
pub(super) fn power<T: Real>(w: &Wrench<T>, s: &Twist<T>) -> T {
    w.force.dot(s.linear) + w.moment.dot(s.angular)
}

impl<T: Real> Plan<'_, T> {
    /// Whether the momenta of a leg's idle rates are those of single bodies.
    fn is_alone(&self, leg: &Block) -> bool {
        leg.idle.of(self.idle).iter().all(|idle| idle.alone)
    }

    /// I S of an idle rate that is alone, as [`prepare_idle`](Self::prepare_idle) has left it.
    #[inline(always)]
    fn spin(&self, place: usize, memory: &Memory<'_, T>) -> Wrench<T> {
        match memory.idle.get(2 * place * self.freedoms..) {
            Some(&[a, b, c, x, y, z, ..]) => Wrench::new(V3::new(a, b, c), V3::new(x, y, z)),
            _ => Wrench::zero(),
        }
    }

    /// I S of idle rates that are alone; K and M K of all others. Uses twists and wrenches as scratch.
    pub(super) fn prepare_idle(&self, memory: &mut Memory<'_, T>) {
        for leg in self.legs.iter().filter(|leg| !leg.idle.is_empty()) {
            let alone = self.is_alone(leg);
            for (idle, place) in leg.idle.of(self.idle).iter().zip(leg.idle.start..) {
                if !alone {
                    self.idle_motion(leg, place, memory);
                    self.idle_momentum(leg, place, memory);
                    continue;
                }
                let (Some(frame), Some([a, b, c, x, y, z, ..])) =
                    (memory.frames.get(idle.body), memory.idle.get_mut(2 * place * self.freedoms..))
                else {
                    return;
                };
                // I S = [m v_c; R I e + c × m v_c]
                let mut moment = frame.turned(idle.spin);
                (*a, *b, *c) = (T::zero(), T::zero(), T::zero());
                if let (Some(swing), Some(own)) =
                    (idle.swing, idle.body.checked_sub(1).and_then(|body| self.bodies.get(body)))
                {
                    let force = frame.turned(swing);
                    moment = moment + frame.of(own.body.centre).cross(force);
                    (*a, *b, *c) = (force.x, force.y, force.z);
                }
                (*x, *y, *z) = (moment.x, moment.y, moment.z);
            }
        }
    }

    /// Column K of one idle rate.
    fn idle_motion(&self, leg: &Block, place: usize, memory: &mut Memory<'_, T>) {
        let n = self.freedoms;
        let Some(own) = self.idle.get(place) else { return };
        let Some(k) = memory.idle.get_mut(2 * place * n..(2 * place + 1) * n) else { return };
        k.fill(T::zero());
        if let Some(entry) = k.get_mut(own.freedom) {
            *entry = T::one();
        }
        let solve = super::elimination::solving!(memory);
        self.solve::<false>(leg, k, solve);
    }

    /// M K of one idle rate: the momentum of the leg's bodies, at the leg's and the core's rates.
    fn idle_momentum(&self, leg: &Block, place: usize, memory: &mut Memory<'_, T>) {
        let n = self.freedoms;
        let Some(both) = memory.idle.get_mut(2 * place * n..(2 * place + 2) * n) else { return };
        let Some((k, mk)) = both.split_at_mut_checked(n) else { return };
        mk.fill(T::zero());
        let first = leg.bodies.start + 1;
        for (index, body) in leg.bodies.of(self.bodies).iter().enumerate() {
            let index = first + index;
            let before = if body.parent < first { None } else { memory.twists.get(body.parent) };
            let before = before.copied().unwrap_or_else(Twist::zero);
            let (Some(columns), Some(rates)) = (memory.columns.get(body.freedom..), k.get(body.freedom..))
            else {
                return;
            };
            let v = before + body.moved(columns, rates);
            let frame = memory.frames.get(index).map_or_else(Pose::identity, super::Frame::to_pose);
            let momentum = body.body.spatial(&frame, V3::zero()).apply(v);
            if let (Some(twist), Some(wrench)) =
                (memory.twists.get_mut(index), memory.wrenches.get_mut(index))
            {
                (*twist, *wrench) = (v, momentum);
            }
        }
        for index in (first..=leg.bodies.end).rev() {
            let Some(body) = self.bodies.get(index - 1) else { return };
            let Some(w) = memory.wrenches.get(index).copied() else { return };
            project(body.freedom, body.joint.freedoms(), &w, memory.columns, mk);
            if body.parent >= first {
                if let Some(parent) = memory.wrenches.get_mut(body.parent) {
                    *parent = *parent + w;
                }
                continue;
            }
            // The rest of the way is the core's.
            let mut up = body.parent;
            while let Some(body) = up.checked_sub(1).and_then(|up| self.bodies.get(up)) {
                project(body.freedom, body.joint.freedoms(), &w, memory.columns, mk);
                up = body.parent;
            }
        }
    }

    /// Solves KᵀMK x = b for the idle rates of a leg; `b` stands behind the square in `small` and becomes x.
    fn solve_idle(&self, leg: &Block, memory: &mut Memory<'_, T>) {
        let (n, count) = (self.freedoms, leg.idle.len());
        let Some((square, rest)) = memory.small.split_at_mut_checked(count * count) else { return };
        let Some(b) = rest.get_mut(..count) else { return };
        for (i, row) in square.chunks_exact_mut(count.max(1)).enumerate() {
            let Some(mk) = memory.idle.get((2 * (leg.idle.start + i) + 1) * n..) else { return };
            for (j, entry) in row.iter_mut().enumerate() {
                let k = memory.idle.get(2 * (leg.idle.start + j) * n..).unwrap_or_default();
                *entry = dot(mk, k, n);
            }
        }
        solve_symmetric(square, b);
    }

    /// (1)
    pub(super) fn settle_idle_rates(&self, memory: &mut Memory<'_, T>) {
        let n = self.freedoms;
        for leg in self.legs.iter().filter(|leg| !leg.idle.is_empty()) {
            if self.is_alone(leg) {
                for (idle, place) in leg.idle.of(self.idle).iter().zip(leg.idle.start..) {
                    let w = self.spin(place, memory);
                    let parent = self
                        .bodies
                        .get(idle.body.wrapping_sub(1))
                        .and_then(|body| memory.twists.get(body.parent));
                    let (Some(before), Some(s)) = (parent.copied(), memory.columns.get(idle.freedom)) else {
                        return;
                    };
                    let (Some(v), Some(b), Some(a)) = (
                        memory.twists.get_mut(idle.body),
                        memory.products.get_mut(idle.body),
                        memory.motions.get_mut(idle.body),
                    ) else {
                        return;
                    };
                    // Its body, and nothing behind it.
                    let rate = -(power(&w, v) / idle.inertia);
                    let spin = *s * rate;
                    let product = before.cross(spin);
                    (*v, *b, *a) = (*v + spin, *b + product, *a + product);
                    if let Some(entry) = memory.rates.get_mut(idle.freedom) {
                        *entry = *entry + rate;
                    }
                }
                continue;
            }
            let count = leg.idle.len();
            for (i, place) in (leg.idle.start..leg.idle.end).enumerate() {
                let mk = memory.idle.get((2 * place + 1) * n..).unwrap_or_default();
                let value = -dot(mk, memory.rates, n);
                if let Some(entry) = memory.small.get_mut(count * count + i) {
                    *entry = value;
                }
            }
            self.solve_idle(leg, memory);
            for (i, place) in (leg.idle.start..leg.idle.end).enumerate() {
                let z = memory.small.get(count * count + i).copied().unwrap_or_else(T::zero);
                let k = memory.idle.get(2 * place * n..).unwrap_or_default();
                for (rate, k) in memory.rates.iter_mut().zip(k) {
                    *rate = *rate + *k * z;
                }
            }
            self.velocities(leg.bodies, memory);
        }
    }

    /// (2) for a rate that is alone, before its wrench is handed to its parent.
    #[inline(always)]
    pub(super) fn settle_alone(&self, memory: &mut Memory<'_, T>) {
        for leg in self.legs.iter().filter(|leg| !leg.idle.is_empty() && self.is_alone(leg)) {
            for (idle, place) in leg.idle.of(self.idle).iter().zip(leg.idle.start..) {
                let w = self.spin(place, memory);
                let (Some(s), Some(wrench)) =
                    (memory.columns.get(idle.freedom), memory.wrenches.get_mut(idle.body))
                else {
                    return;
                };
                let acceleration = -(power(wrench, s) / idle.inertia);
                *wrench = *wrench + w * acceleration;
                if let Some(entry) = memory.accelerations.get_mut(idle.freedom) {
                    *entry = *entry + acceleration;
                }
            }
        }
    }

    /// (2) for all others, from forces that have been collected.
    pub(super) fn settle_together(&self, memory: &mut Memory<'_, T>) {
        let n = self.freedoms;
        for leg in self.legs.iter().filter(|leg| !leg.idle.is_empty() && !self.is_alone(leg)) {
            let count = leg.idle.len();
            for (i, place) in (leg.idle.start..leg.idle.end).enumerate() {
                let k = memory.idle.get(2 * place * n..).unwrap_or_default();
                let value = -dot(k, memory.forces, n);
                if let Some(entry) = memory.small.get_mut(count * count + i) {
                    *entry = value;
                }
            }
            self.solve_idle(leg, memory);
            for (i, place) in (leg.idle.start..leg.idle.end).enumerate() {
                let z = memory.small.get(count * count + i).copied().unwrap_or_else(T::zero);
                let k = memory.idle.get(2 * place * n..).unwrap_or_default();
                let mk = memory.idle.get((2 * place + 1) * n..).unwrap_or_default();
                let each = memory.accelerations.iter_mut().zip(memory.forces.iter_mut());
                for ((a, f), (k, mk)) in each.zip(k.iter().zip(mk)) {
                    *a = *a + *k * z;
                    *f = *f + *mk * z;
                }
            }
        }
    }

    /// Slopes of idle rates such that they have no momentum; those of the leg and of its bodies follow.
    pub(super) fn settle_slopes(&self, memory: &mut Memory<'_, T>) {
        let (n, columns, groups) = (self.freedoms, self.independent(), self.groups());
        for leg in self.legs.iter().filter(|leg| !leg.idle.is_empty()) {
            if self.is_alone(leg) {
                for (idle, place) in leg.idle.of(self.idle).iter().zip(leg.idle.start..) {
                    let w = self.spin(place, memory);
                    let scale = -idle.inertia.recip();
                    let (jacobians, _) = memory.jacobians.as_chunks_mut::<6>();
                    let own = jacobians.iter_mut().skip(idle.body * groups).take(groups);
                    let slopes = memory.slopes.iter_mut().skip(idle.freedom * groups);
                    let Some(s) = memory.columns.get(idle.freedom) else { return };
                    for (j, slope) in own.zip(slopes) {
                        let factors = [w.moment.x, w.moment.y, w.moment.z, w.force.x, w.force.y, w.force.z];
                        let mut sum = [T::zero(); 4];
                        for (factor, row) in factors.into_iter().zip(j.iter()) {
                            sum = T::four_plus(sum, factor, *row);
                        }
                        sum = T::four_times([scale; 4], sum);
                        *slope = sum;
                        super::mass::add_turn(j, s, sum);
                    }
                }
                continue;
            }
            let count = leg.idle.len();
            for column in 0..columns {
                for (i, place) in (leg.idle.start..leg.idle.end).enumerate() {
                    let mk = memory.idle.get((2 * place + 1) * n..).unwrap_or_default();
                    let mut sum = T::zero();
                    for (mk, slopes) in mk.iter().zip(memory.slopes.chunks_exact(groups.max(1))).take(n) {
                        sum = sum - *mk * super::rows::at(slopes, column);
                    }
                    if let Some(entry) = memory.small.get_mut(count * count + i) {
                        *entry = sum;
                    }
                }
                self.solve_idle(leg, memory);
                for (i, place) in (leg.idle.start..leg.idle.end).enumerate() {
                    let z = memory.small.get(count * count + i).copied().unwrap_or_else(T::zero);
                    let k = memory.idle.get(2 * place * n..).unwrap_or_default();
                    for (k, slopes) in k.iter().zip(memory.slopes.chunks_exact_mut(groups.max(1))).take(n) {
                        let value = super::rows::at(slopes, column) + *k * z;
                        set(slopes, column, value);
                    }
                }
            }
            self.leg_jacobians(leg.bodies, memory);
        }
    }
}

/// a·b of the first `n` numbers.
fn dot<T: Real>(a: &[T], b: &[T], n: usize) -> T {
    let mut sum = T::zero();
    for (a, b) in a.iter().zip(b).take(n) {
        sum = sum + *a * *b;
    }
    sum
}

/// Adds what a wrench does at some rates.
fn project<T: Real>(first: usize, count: usize, w: &Wrench<T>, columns: &[Twist<T>], into: &mut [T]) {
    let span = Span { start: first, end: first + count };
    for (s, entry) in span.of(columns).iter().zip(span.of_mut(into)) {
        *entry = *entry + power(w, s);
    }
}

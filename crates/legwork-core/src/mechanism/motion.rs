//! Rates, velocities and accelerations of everything from those of the independent motors.
//!
//! ```text
//! (1)  V_k = V_parent + Σ S u
//! (2)  A_k = A_parent + b_k + Σ S u̇,   b_k = Σ V_before × S u
//! ```
//!
//! with V_before the twist behind the earlier rates of the same joint; of a ball b = V_parent × V_rel, of a free
//! body 0. Spatial vectors are about one fixed point O in world axes, so A is the plain derivative of V.

use super::elimination::solving;
use super::{Memory, Plan, Span, TreeBody, TreeJoint};
use crate::engine::Twist;
use crate::{Real, V3};

/// What an angular and a linear rate of a slide add: [0; s].
#[inline(always)]
fn slid<T: Real>(before: Twist<T>, column: &Twist<T>, rate: T) -> (Twist<T>, Twist<T>) {
    let s = column.linear * rate;
    let product = Twist::new(before.angular.cross(s), V3::zero());
    (Twist::new(before.linear + s, before.angular), product)
}

#[inline(always)]
fn turned<T: Real>(before: Twist<T>, column: &Twist<T>, rate: T) -> (Twist<T>, Twist<T>) {
    let s = *column * rate;
    (before + s, before.cross(s))
}

impl<T: Real> TreeBody<T> {
    /// Twist and velocity product, given the twist of the parent.
    #[inline(always)]
    fn velocity(&self, parent: Twist<T>, columns: &[Twist<T>], rates: &[T]) -> (Twist<T>, Twist<T>) {
        match (self.joint, columns, rates) {
            // On the ground, which stands still.
            (TreeJoint::Revolute, [s, ..], &[u, ..]) if self.parent == 0 => (*s * u, Twist::zero()),
            (TreeJoint::Universal, [s, t, ..], &[u, v, ..]) if self.parent == 0 => turned(*s * u, t, v),
            (TreeJoint::Revolute, [s, ..], &[u, ..]) => turned(parent, s, u),
            (TreeJoint::Prismatic, [s, ..], &[u, ..]) => slid(parent, s, u),
            (TreeJoint::Cylindrical, [s, t, ..], &[u, v, ..]) => {
                let (first, b) = slid(parent, s, u);
                let (second, c) = turned(first, t, v);
                (second, b + c)
            }
            (TreeJoint::Universal, [s, t, ..], &[u, v, ..]) => {
                let (first, b) = turned(parent, s, u);
                let (second, c) = turned(first, t, v);
                (second, b + c)
            }
            (TreeJoint::Planar, [s, t, r, ..], &[u, v, w, ..]) => {
                let (first, b) = slid(parent, s, u);
                let (second, c) = slid(first, t, v);
                let (third, d) = turned(second, r, w);
                (third, b + c + d)
            }
            (TreeJoint::Spherical, [s, t, r, ..], &[u, v, w, ..]) => {
                let relative = *s * u + *t * v + *r * w;
                (parent + relative, parent.cross(relative))
            }
            (TreeJoint::Free, _, &[a, b, c, u, v, w, ..]) => {
                (Twist::new(V3::new(u, v, w), V3::new(a, b, c)), Twist::zero())
            }
            _ => (parent, Twist::zero()),
        }
    }

    /// Σ S u̇
    #[inline(always)]
    pub(super) fn moved(&self, columns: &[Twist<T>], rates: &[T]) -> Twist<T> {
        match (self.joint, columns, rates) {
            (TreeJoint::Revolute, [s, ..], &[u, ..]) => *s * u,
            (TreeJoint::Prismatic, [s, ..], &[u, ..]) => Twist::new(s.linear * u, V3::zero()),
            (TreeJoint::Cylindrical | TreeJoint::Universal, [s, t, ..], &[u, v, ..]) => *s * u + *t * v,
            (TreeJoint::Planar | TreeJoint::Spherical, [s, t, r, ..], &[u, v, w, ..]) => {
                *s * u + *t * v + *r * w
            }
            (TreeJoint::Free, _, &[a, b, c, u, v, w, ..]) => Twist::new(V3::new(u, v, w), V3::new(a, b, c)),
            _ => Twist::zero(),
        }
    }
}

impl<T: Real> Plan<'_, T> {
    /// Rates of the whole tree, given those of the independent motors; idle rates keep the values that `rates`
    /// has. [`close`](Self::close) comes before.
    #[inline]
    pub fn spread_rates(&self, motors: &[T], memory: &mut Memory<'_, T>) {
        self.set_independent(motors, memory.rates);
        self.solve::<false>(&self.core, memory.rates, solving!(memory));
        for leg in self.legs {
            self.solve::<false>(leg, memory.rates, solving!(memory));
        }
    }

    /// Puts the values of the independent motors into a list of one number per rate.
    #[inline(always)]
    pub(super) fn set_independent(&self, values: &[T], list: &mut [T]) {
        let independent = self.core.columns.of(self.columns).iter().skip(self.core.pivots.len());
        for (freedom, value) in independent.zip(values) {
            if let Some(entry) = list.get_mut(*freedom) {
                *entry = *value;
            }
        }
    }

    /// Twists (1), velocity products, and accelerations (2) for u̇ = 0 of some bodies.
    #[inline]
    pub(super) fn velocities(&self, bodies: Span, memory: &mut Memory<'_, T>) {
        for (k, body) in bodies.of(self.bodies).iter().enumerate() {
            let k = bodies.start + k;
            let (Some((vs, v)), Some((motions, motion))) =
                (memory.twists.split_at_mut_checked(k + 1), memory.motions.split_at_mut_checked(k + 1))
            else {
                return;
            };
            let (Some(columns), Some(rates)) =
                (memory.columns.get(body.freedom..), memory.rates.get(body.freedom..))
            else {
                return;
            };
            let (Some(v), Some(motion), Some(product)) =
                (v.first_mut(), motion.first_mut(), memory.products.get_mut(k + 1))
            else {
                return;
            };
            let (Some(parent), Some(before)) = (vs.get(body.parent), motions.get(body.parent)) else {
                return;
            };
            (*v, *product) = body.velocity(*parent, columns, rates);
            *motion = *before + *product;
        }
    }

    /// Twists, velocity products and accelerations for u̇ = 0 of all bodies; the ground accelerates with −g.
    #[inline]
    pub fn move_bodies(&self, memory: &mut Memory<'_, T>) {
        if let (Some(v), Some(a)) = (memory.twists.first_mut(), memory.motions.first_mut()) {
            (*v, *a) = (Twist::zero(), Twist::new(-self.gravity, V3::zero()));
        }
        self.velocities(Span { start: 0, end: self.bodies.len() }, memory);
    }

    /// Accelerations of the whole tree, given those of the independent motors; idle rates do not accelerate.
    /// [`move_bodies`](Self::move_bodies) comes before; leaves γ′ in `gaps`.
    #[inline]
    pub fn spread_accelerations(&self, motors: &[T], memory: &mut Memory<'_, T>) {
        for block in self.legs.iter().chain([&self.core]) {
            self.write_gammas(block, memory);
        }
        self.eliminate_gaps(memory);
        for idle in self.idle {
            if let Some(entry) = memory.accelerations.get_mut(idle.freedom) {
                *entry = T::zero();
            }
        }
        self.set_independent(motors, memory.accelerations);
        self.solve::<true>(&self.core, memory.accelerations, solving!(memory));
        for leg in self.legs {
            self.solve::<true>(leg, memory.accelerations, solving!(memory));
        }
    }

    /// Accelerations (2) of some bodies.
    #[inline]
    pub(super) fn accelerate(&self, bodies: Span, memory: &mut Memory<'_, T>) {
        for (k, body) in bodies.of(self.bodies).iter().enumerate() {
            let k = bodies.start + k;
            let Some((done, rest)) = memory.motions.split_at_mut_checked(k + 1) else { return };
            let (Some(parent), Some(own)) = (done.get(body.parent), rest.first_mut()) else { return };
            let (Some(product), Some(columns), Some(rates)) = (
                memory.products.get(k + 1),
                memory.columns.get(body.freedom..),
                memory.accelerations.get(body.freedom..),
            ) else {
                return;
            };
            *own = *parent + *product + body.moved(columns, rates);
        }
    }

    /// Newton's step that closes the gaps with the independent motors moved by `motors`: one displacement per
    /// rate, left in `accelerations`; idle rates stay. [`gaps`](Self::gaps) and [`close`](Self::close) come before.
    pub fn closing_step(&self, motors: &[T], memory: &mut Memory<'_, T>) {
        self.eliminate_gaps(memory);
        for idle in self.idle {
            if let Some(entry) = memory.accelerations.get_mut(idle.freedom) {
                *entry = T::zero();
            }
        }
        self.set_independent(motors, memory.accelerations);
        self.solve::<true>(&self.core, memory.accelerations, solving!(memory));
        for leg in self.legs {
            self.solve::<true>(leg, memory.accelerations, solving!(memory));
        }
    }

    /// Velocity of the platform's point and angular velocity of the platform, from a list of twists about O.
    #[inline]
    pub fn platform_twist(&self, memory: &Memory<'_, T>) -> Twist<T> {
        let point = self.platform_frame(memory).origin;
        let v = memory.twists.get(self.platform.body).copied().unwrap_or_else(Twist::zero);
        v.at(point)
    }

    /// Its plain derivative, without the −g of the ground.
    #[inline]
    pub fn platform_acceleration(&self, memory: &Memory<'_, T>) -> Twist<T> {
        let point = self.platform_frame(memory).origin;
        let v = memory.twists.get(self.platform.body).copied().unwrap_or_else(Twist::zero);
        let a = memory.motions.get(self.platform.body).copied().unwrap_or_else(Twist::zero);
        let a = Twist::new(a.linear + self.gravity, a.angular).at(point);
        Twist::new(a.linear + v.angular.cross(v.linear + v.angular.cross(point)), a.angular)
    }

    /// Accelerations of all bodies, once those of all rates are known.
    pub fn accelerate_bodies(&self, memory: &mut Memory<'_, T>) {
        self.accelerate(Span { start: 0, end: self.bodies.len() }, memory);
    }
}

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

/// Twist behind a universal joint, and its velocity product.
#[inline(always)]
fn turned_twice<T: Real>(before: Twist<T>, [s, t]: &[Twist<T>; 2], [u, v]: [T; 2]) -> (Twist<T>, Twist<T>) {
    let (first, b) = turned(before, s, u);
    let (second, c) = turned(first, t, v);
    (second, b + c)
}

/// The first numbers of a list, of which the rest stays.
macro_rules! next {
    ($list:ident) => {{
        let Some((own, rest)) = $list.split_first_chunk() else { return };
        $list = rest;
        own
    }};
}

impl<T: Real> TreeBody<T> {
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
        let own = bodies.of(self.bodies);
        let first = own.first().map_or(0, |body| body.freedom);
        let (Some(mut columns), Some(mut rates)) = (memory.columns.get(first..), memory.rates.get(first..))
        else {
            return;
        };
        let (Some(twists), Some(products), Some(motions)) = (
            memory.twists.get_mut(..=bodies.end),
            memory.products.get_mut(..=bodies.end),
            memory.motions.get_mut(..=bodies.end),
        ) else {
            return;
        };
        for (body, k) in own.iter().zip(bodies.start + 1..) {
            let (Some(parent), Some(before)) = (twists.get(body.parent), motions.get(body.parent)) else {
                return;
            };
            let (parent, mut before) = (*parent, *before);
            let grounded = body.parent == 0;
            let (v, product) = match body.joint {
                TreeJoint::Revolute => {
                    let ([s], [u]) = (next!(columns), next!(rates));
                    // The ground stands still.
                    if grounded { (*s * *u, Twist::zero()) } else { turned(parent, s, *u) }
                }
                TreeJoint::Prismatic => {
                    let ([s], [u]) = (next!(columns), next!(rates));
                    slid(parent, s, *u)
                }
                TreeJoint::Universal => {
                    let (columns, rates) = (next!(columns), *next!(rates));
                    if grounded {
                        let ([s, t], [u, v]) = (columns, rates);
                        turned(*s * u, t, v)
                    } else {
                        turned_twice(parent, columns, rates)
                    }
                }
                TreeJoint::Cylindrical => {
                    let ([s, t], [u, v]) = (next!(columns), next!(rates));
                    let (first, b) = slid(parent, s, *u);
                    let (second, c) = turned(first, t, *v);
                    (second, b + c)
                }
                TreeJoint::Planar => {
                    let ([s, t, r], [u, v, w]) = (next!(columns), next!(rates));
                    let (first, b) = slid(parent, s, *u);
                    let (second, c) = slid(first, t, *v);
                    let (third, d) = turned(second, r, *w);
                    (third, b + c + d)
                }
                TreeJoint::Spherical => {
                    let ([s, t, r], [u, v, w]) = (next!(columns), next!(rates));
                    let relative = *s * *u + *t * *v + *r * *w;
                    (parent + relative, parent.cross(relative))
                }
                TreeJoint::Free => {
                    let (_, [a, b, c, u, v, w]): (&[_; 6], _) = (next!(columns), next!(rates));
                    (Twist::new(V3::new(*u, *v, *w), V3::new(*a, *b, *c)), Twist::zero())
                }
            };
            before = before + product;
            let (Some(own), Some(own_product), Some(motion)) =
                (twists.get_mut(k), products.get_mut(k), motions.get_mut(k))
            else {
                return;
            };
            (*own, *own_product, *motion) = (v, product, before);
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

    /// Accelerations of all bodies (2), once those of all rates are known.
    #[inline]
    pub fn accelerate_bodies(&self, memory: &mut Memory<'_, T>) {
        let (mut columns, mut rates) = (&*memory.columns, &*memory.accelerations);
        let count = self.bodies.len();
        let (Some(motions), Some(products)) =
            (memory.motions.get_mut(..=count), memory.products.get(..=count))
        else {
            return;
        };
        for (k, body) in self.bodies.iter().enumerate() {
            let (Some(parent), Some(product)) = (motions.get(body.parent), products.get(k + 1)) else {
                return;
            };
            let before = *parent + *product;
            let motion = match body.joint {
                TreeJoint::Revolute => {
                    let ([s], [u]) = (next!(columns), next!(rates));
                    before + *s * *u
                }
                TreeJoint::Prismatic => {
                    let ([s], [u]) = (next!(columns), next!(rates));
                    Twist::new(before.linear + s.linear * *u, before.angular)
                }
                TreeJoint::Cylindrical | TreeJoint::Universal => {
                    let ([s, t], [u, v]) = (next!(columns), next!(rates));
                    before + (*s * *u + *t * *v)
                }
                TreeJoint::Planar | TreeJoint::Spherical => {
                    let ([s, t, r], [u, v, w]) = (next!(columns), next!(rates));
                    before + (*s * *u + *t * *v + *r * *w)
                }
                TreeJoint::Free => {
                    let (_, [a, b, c, u, v, w]): (&[_; 6], _) = (next!(columns), next!(rates));
                    before + Twist::new(V3::new(*u, *v, *w), V3::new(*a, *b, *c))
                }
            };
            if let Some(own) = motions.get_mut(k + 1) {
                *own = motion;
            }
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
        let point = self.platform_point(memory);
        let v = memory.twists.get(self.platform.body).copied().unwrap_or_else(Twist::zero);
        v.at(point)
    }

    /// Its plain derivative, without the −g of the ground.
    #[inline]
    pub fn platform_acceleration(&self, memory: &Memory<'_, T>) -> Twist<T> {
        let point = self.platform_point(memory);
        let v = memory.twists.get(self.platform.body).copied().unwrap_or_else(Twist::zero);
        let a = memory.motions.get(self.platform.body).copied().unwrap_or_else(Twist::zero);
        let a = Twist::new(a.linear + self.gravity, a.angular).at(point);
        Twist::new(a.linear + v.angular.cross(v.linear + v.angular.cross(point)), a.angular)
    }
}

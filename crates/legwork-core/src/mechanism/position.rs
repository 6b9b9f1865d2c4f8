//! Where the bodies are: frames and columns along the tree.

use super::frame::{axes_of_quaternion, normalized, quaternion_product, small_turn};
use super::{Frame, Memory, Plan, TreeBody, TreeJoint};
use crate::engine::Twist;
use crate::{Real, V3};

/// [z; o × z]: the motion of a turn about the axis z through o.
#[inline(always)]
fn turn<T: Real>(z: V3<T>, o: V3<T>) -> Twist<T> {
    Twist::new(o.cross(z), z)
}

/// [0; z]
#[inline(always)]
fn slide<T: Real>(z: V3<T>) -> Twist<T> {
    Twist::new(z, V3::zero())
}

/// Axes x and y turned about z.
#[inline(always)]
fn turned<T: Real>(x: V3<T>, y: V3<T>, angle: T) -> (V3<T>, V3<T>) {
    let (sin, cos) = angle.sin_cos();
    (x * cos + y * sin, y * cos - x * sin)
}

impl<T: Real> TreeBody<T> {
    /// The body's frame, given that of its parent and its coordinates; and its columns.
    #[inline(always)]
    fn place(&self, parent: &Frame<T>, q: &[T], columns: &mut [Twist<T>]) -> Frame<T> {
        // The ground's frame is the identity.
        let p = || if self.parent == 0 { self.frame } else { parent.then(&self.frame) };
        match (self.joint, q, columns) {
            (TreeJoint::Revolute, &[angle, ..], [s, ..]) => {
                let p = p();
                let (x, y) = turned(p.x, p.y, angle);
                *s = turn(p.z, p.origin);
                Frame { x, y, ..p }
            }
            (TreeJoint::Prismatic, &[way, ..], [s, ..]) => {
                let p = p();
                *s = slide(p.z);
                Frame { origin: p.origin + p.z * way, ..p }
            }
            (TreeJoint::Cylindrical, &[way, angle, ..], [s, t, ..]) => {
                let p = p();
                let (x, y) = turned(p.x, p.y, angle);
                *s = slide(p.z);
                *t = turn(p.z, p.origin);
                Frame { x, y, z: p.z, origin: p.origin + p.z * way }
            }
            (TreeJoint::Universal, &[first, second, ..], [s, t, ..]) => {
                let p = p();
                let (x, y) = turned(p.x, p.y, first);
                *s = turn(p.z, p.origin);
                *t = turn(y, p.origin);
                // Ry: z to x
                let (z, x) = turned(p.z, x, second);
                Frame { x, y, z, origin: p.origin }
            }
            (TreeJoint::Planar, &[along, across, angle, ..], [s, t, r, ..]) => {
                let p = p();
                let origin = p.origin + p.x * along + p.y * across;
                let (x, y) = turned(p.x, p.y, angle);
                *s = slide(p.x);
                *t = slide(p.y);
                *r = turn(p.z, origin);
                Frame { x, y, z: p.z, origin }
            }
            (TreeJoint::Spherical, &[w, x, y, z, ..], [s, t, r, ..]) => {
                let p = p();
                let c = p.then(&axes_of_quaternion([w, x, y, z]));
                *s = turn(c.x, c.origin);
                *t = turn(c.y, c.origin);
                *r = turn(c.z, c.origin);
                c
            }
            (TreeJoint::Free, &[px, py, pz, w, x, y, z, ..], columns) => {
                let unit = Frame::<T>::identity();
                let motions = [unit.x, unit.y, unit.z];
                let turns = motions.map(|axis| Twist::new(V3::zero(), axis));
                let slides = motions.map(slide);
                for (column, motion) in columns.iter_mut().zip(turns.into_iter().chain(slides)) {
                    *column = motion;
                }
                Frame { origin: V3::new(px, py, pz), ..axes_of_quaternion([w, x, y, z]) }
            }
            _ => *parent,
        }
    }
}

impl<T: Real> Plan<'_, T> {
    /// Frames and columns of all bodies from the coordinates of the tree, one after the other as the plan says.
    #[inline]
    pub fn place(&self, coordinates: &[T], memory: &mut Memory<'_, T>) {
        if let Some(ground) = memory.frames.first_mut() {
            *ground = Frame::identity();
        }
        for (k, body) in self.bodies.iter().enumerate() {
            let Some((done, rest)) = memory.frames.split_at_mut_checked(k + 1) else { return };
            let (Some(parent), Some(own)) = (done.get(body.parent), rest.first_mut()) else { return };
            let (Some(q), Some(columns)) =
                (coordinates.get(body.coordinate..), memory.columns.get_mut(body.freedom..))
            else {
                return;
            };
            *own = body.place(parent, q, columns);
        }
    }

    /// Moves the coordinates by small displacements, one per rate. Quaternions stay of length one.
    pub fn step(&self, coordinates: &mut [T], by: &[T]) {
        for body in self.bodies {
            let (Some(q), Some(d)) = (coordinates.get_mut(body.coordinate..), by.get(body.freedom..)) else {
                return;
            };
            match (body.joint, q, d) {
                (TreeJoint::Spherical, [w, x, y, z, ..], &[a, b, c, ..]) => {
                    let turned = quaternion_product([*w, *x, *y, *z], small_turn(V3::new(a, b, c)));
                    [*w, *x, *y, *z] = normalized(turned);
                }
                (TreeJoint::Free, [px, py, pz, w, x, y, z, ..], &[a, b, c, u, v, t, ..]) => {
                    let quaternion = small_turn(V3::new(a, b, c));
                    let moved =
                        axes_of_quaternion(quaternion).turned(V3::new(*px, *py, *pz)) + V3::new(u, v, t);
                    (*px, *py, *pz) = (moved.x, moved.y, moved.z);
                    [*w, *x, *y, *z] = normalized(quaternion_product(quaternion, [*w, *x, *y, *z]));
                }
                (joint, q, d) => {
                    for (q, d) in q.iter_mut().zip(d).take(joint.freedoms()) {
                        *q = *q + *d;
                    }
                }
            }
        }
    }

    /// Time derivative of the coordinates for these rates; the frames need not be known.
    pub fn flow(&self, coordinates: &[T], rates: &[T], derivative: &mut [T]) {
        let half = T::from_f64(0.5);
        for body in self.bodies {
            let (Some(q), Some(u), Some(out)) = (
                coordinates.get(body.coordinate..),
                rates.get(body.freedom..),
                derivative.get_mut(body.coordinate..),
            ) else {
                return;
            };
            match (body.joint, q, u, out) {
                (TreeJoint::Spherical, &[w, x, y, z, ..], &[a, b, c, ..], [e, f, g, h, ..]) => {
                    [*e, *f, *g, *h] =
                        quaternion_product([w, x, y, z], [T::zero(), a * half, b * half, c * half]);
                }
                (
                    TreeJoint::Free,
                    &[px, py, pz, w, x, y, z, ..],
                    &[a, b, c, u, v, t, ..],
                    [dx, dy, dz, e, f, g, h, ..],
                ) => {
                    let velocity = V3::new(u, v, t) + V3::new(a, b, c).cross(V3::new(px, py, pz));
                    (*dx, *dy, *dz) = (velocity.x, velocity.y, velocity.z);
                    [*e, *f, *g, *h] =
                        quaternion_product([T::zero(), a * half, b * half, c * half], [w, x, y, z]);
                }
                (joint, _, u, out) => {
                    for (out, u) in out.iter_mut().zip(u).take(joint.freedoms()) {
                        *out = *u;
                    }
                }
            }
        }
    }

    /// Frame of the platform: its point and its axes.
    #[inline]
    pub fn platform_frame(&self, memory: &Memory<'_, T>) -> Frame<T> {
        let body = memory.frames.get(self.platform.body).copied().unwrap_or_else(Frame::identity);
        body.then(&self.platform.frame)
    }
}

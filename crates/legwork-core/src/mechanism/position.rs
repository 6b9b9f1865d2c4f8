//! Where the bodies are: frames and columns along the tree.

use super::frame::{axes_of_quaternion, normalized, quaternion_product, small_turn};
use super::{Frame, Memory, Plan, TreeJoint};
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

/// The first numbers of two lists, of which the rests stay.
macro_rules! next {
    ($q:ident, $columns:ident) => {{
        let (Some((q, rest)), Some((own, others))) =
            ($q.split_first_chunk(), core::mem::take(&mut $columns).split_first_chunk_mut())
        else {
            return;
        };
        ($q, $columns) = (rest, others);
        (*q, own)
    }};
}

impl<T: Real> Plan<'_, T> {
    /// Frames and columns of all bodies from the coordinates of the tree, one after the other as the plan says.
    #[inline]
    pub fn place(&self, coordinates: &[T], memory: &mut Memory<'_, T>) {
        let Some(frames) = memory.frames.get_mut(..=self.bodies.len()) else { return };
        if let Some(ground) = frames.first_mut() {
            *ground = Frame::identity();
        }
        let (mut q, mut columns) = (coordinates, &mut *memory.columns);
        for (k, body) in self.bodies.iter().enumerate() {
            // The ground's frame is the identity.
            let p = if body.parent == 0 {
                body.frame
            } else {
                let Some(parent) = frames.get(body.parent) else { return };
                parent.then(&body.frame)
            };
            let Some(own) = frames.get_mut(k + 1) else { return };
            match body.joint {
                TreeJoint::Revolute => {
                    let ([angle], [s]) = next!(q, columns);
                    let (x, y) = turned(p.x, p.y, angle);
                    *s = turn(p.z, p.origin);
                    *own = Frame { x, y, ..p };
                }
                TreeJoint::Prismatic => {
                    let ([way], [s]) = next!(q, columns);
                    *s = slide(p.z);
                    *own = Frame { origin: p.origin + p.z * way, ..p };
                }
                TreeJoint::Cylindrical => {
                    let ([way, angle], [s, t]) = next!(q, columns);
                    let (x, y) = turned(p.x, p.y, angle);
                    *s = slide(p.z);
                    *t = turn(p.z, p.origin);
                    *own = Frame { x, y, z: p.z, origin: p.origin + p.z * way };
                }
                TreeJoint::Universal => {
                    let ([first, second], [s, t]) = next!(q, columns);
                    let (x, y) = turned(p.x, p.y, first);
                    *s = turn(p.z, p.origin);
                    *t = turn(y, p.origin);
                    // Ry: z to x
                    let (z, x) = turned(p.z, x, second);
                    *own = Frame { x, y, z, origin: p.origin };
                }
                TreeJoint::Planar => {
                    let ([along, across, angle], [s, t, r]) = next!(q, columns);
                    let origin = p.origin + p.x * along + p.y * across;
                    let (x, y) = turned(p.x, p.y, angle);
                    *s = slide(p.x);
                    *t = slide(p.y);
                    *r = turn(p.z, origin);
                    *own = Frame { x, y, z: p.z, origin };
                }
                TreeJoint::Spherical => {
                    let (quaternion, [s, t, r]) = next!(q, columns);
                    let c = p.then(&axes_of_quaternion(quaternion));
                    *s = turn(c.x, c.origin);
                    *t = turn(c.y, c.origin);
                    *r = turn(c.z, c.origin);
                    *own = c;
                }
                TreeJoint::Free => {
                    let ([px, py, pz, w, x, y, z], [a, b, c, d, e, f]) = next!(q, columns);
                    let unit = Frame::<T>::identity();
                    let turning = |axis| Twist::new(V3::zero(), axis);
                    (*a, *b, *c) = (turning(unit.x), turning(unit.y), turning(unit.z));
                    (*d, *e, *f) = (slide(unit.x), slide(unit.y), slide(unit.z));
                    *own = Frame { origin: V3::new(px, py, pz), ..axes_of_quaternion([w, x, y, z]) };
                }
            }
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

    /// The platform's point.
    #[inline(always)]
    pub(super) fn platform_point(&self, memory: &Memory<'_, T>) -> V3<T> {
        let point = self.platform.frame.origin;
        memory.frames.get(self.platform.body).map_or(point, |body| body.of(point))
    }

    /// Frame of the platform: its point and its axes.
    #[inline]
    pub fn platform_frame(&self, memory: &Memory<'_, T>) -> Frame<T> {
        let body = memory.frames.get(self.platform.body).copied().unwrap_or_else(Frame::identity);
        body.then(&self.platform.frame)
    }
}

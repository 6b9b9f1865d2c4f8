//! Coordinates around a configuration whose rates are velocities: each ball and each free body is turned from where it is
//! by Cayley's rotation vector. In them a mechanism has momenta, and a step may be symplectic.
//!
//! With ξ the displacements, v their rates and n² = 1 + ξ·ξ/4, the rates u of the tree are B v,
//!
//! ```text
//! (1)  ball, about the axes of the child   ω = (w − ½ ξ × w)/n²
//! (2)  free body, about the world's axes   ω = (w + ½ ξ × w)/n²,   v_O = ḋ + d × ω
//! ```
//!
//! and B is the identity where ξ = 0 and for all other joints.

use legwork_core::V3;
use legwork_core::mechanism::{Plan, TreeJoint};

/// +1 for a ball, −1 for a free body: the sign of the turn.
type Sign = f64;

fn first(list: &[f64]) -> V3<f64> {
    V3::new(list[0], list[1], list[2])
}

fn put(list: &mut [f64], v: V3<f64>) {
    list[..3].copy_from_slice(&v.to_array());
}

/// B of a turn.
fn turn(sign: Sign, xi: V3<f64>, w: V3<f64>) -> V3<f64> {
    (w - xi.cross(w) * (0.5 * sign)) * (1.0 / (1.0 + 0.25 * xi.norm_sq()))
}

/// B⁻¹ of a turn.
fn unturn(sign: Sign, xi: V3<f64>, w: V3<f64>) -> V3<f64> {
    w + xi.cross(w) * (0.5 * sign) + xi * (0.25 * xi.dot(w))
}

/// Ḃᵀ p of a turn while ξ moves with v.
fn turning(sign: Sign, xi: V3<f64>, v: V3<f64>, p: V3<f64>) -> V3<f64> {
    let n = 1.0 + 0.25 * xi.norm_sq();
    v.cross(p) * (0.5 * sign / n) - turn(-sign, xi, p) * (0.5 * xi.dot(v) / n)
}

/// What is done to the rates of each joint that turns about any axis: its sign, its place, and whether it is free.
fn each(plan: &Plan<'_, f64>, mut act: impl FnMut(Sign, usize, bool)) {
    for body in plan.bodies {
        match body.joint {
            TreeJoint::Spherical => act(1.0, body.freedom, false),
            TreeJoint::Free => act(-1.0, body.freedom, true),
            _ => {}
        }
    }
}

/// Displacements ξ from a configuration.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chart<'a>(pub &'a [f64]);

impl Chart<'_> {
    /// u = B v, in its place.
    pub fn rates(&self, plan: &Plan<'_, f64>, v: &mut [f64]) {
        each(plan, |sign, at, free| {
            let xi = first(&self.0[at..]);
            let w = turn(sign, xi, first(&v[at..]));
            put(&mut v[at..], w);
            if free {
                let d = first(&self.0[at + 3..]);
                let moved = first(&v[at + 3..]) + d.cross(w);
                put(&mut v[at + 3..], moved);
            }
        });
    }

    /// v = B⁻¹ u, in its place.
    pub fn velocities(&self, plan: &Plan<'_, f64>, u: &mut [f64]) {
        each(plan, |sign, at, free| {
            let (xi, w) = (first(&self.0[at..]), first(&u[at..]));
            if free {
                let d = first(&self.0[at + 3..]);
                let moved = first(&u[at + 3..]) - d.cross(w);
                put(&mut u[at + 3..], moved);
            }
            put(&mut u[at..], unturn(sign, xi, w));
        });
    }

    /// π = Bᵀ p, in its place.
    pub fn momenta(&self, plan: &Plan<'_, f64>, p: &mut [f64]) {
        each(plan, |sign, at, free| {
            let mut own = first(&p[at..]);
            if free {
                own = own + first(&p[at + 3..]).cross(first(&self.0[at + 3..]));
            }
            put(&mut p[at..], turn(-sign, first(&self.0[at..]), own));
        });
    }

    /// p = B⁻ᵀ π, in its place.
    pub fn tree_momenta(&self, plan: &Plan<'_, f64>, pi: &mut [f64]) {
        each(plan, |sign, at, free| {
            let mut own = unturn(-sign, first(&self.0[at..]), first(&pi[at..]));
            if free {
                own = own - first(&pi[at + 3..]).cross(first(&self.0[at + 3..]));
            }
            put(&mut pi[at..], own);
        });
    }

    /// Adds Ḃᵀ p to forces, while ξ moves with v.
    pub fn add_turning(&self, plan: &Plan<'_, f64>, v: &[f64], p: &[f64], forces: &mut [f64]) {
        each(plan, |sign, at, free| {
            let (xi, w) = (first(&self.0[at..]), first(&v[at..]));
            let mut own = first(&p[at..]);
            let mut sum = first(&forces[at..]);
            if free {
                let push = first(&p[at + 3..]);
                own = own + push.cross(first(&self.0[at + 3..]));
                sum = sum + turn(-sign, xi, push.cross(first(&v[at + 3..])));
            }
            put(&mut forces[at..], sum + turning(sign, xi, w, own));
        });
    }
}

/// L D Lᵀ of a symmetric matrix by rows, in its place; its smallest pivot over its diagonal.
pub(crate) fn factored(a: &mut [f64], n: usize) -> f64 {
    let mut margin = 1.0_f64;
    for i in 0..n {
        let diagonal = a[i * n + i];
        for j in 0..=i {
            let mut sum = a[i * n + j];
            for k in 0..j {
                sum -= a[i * n + k] * a[j * n + k] * a[k * n + k];
            }
            a[i * n + j] = if i == j { sum } else { sum / a[j * n + j] };
        }
        let ratio = a[i * n + i] / diagonal;
        margin = if ratio < margin || ratio.is_nan() { ratio } else { margin };
    }
    margin
}

/// A⁻¹ b with the factors of A, in its place.
pub(crate) fn solved(a: &[f64], n: usize, b: &mut [f64]) {
    for i in 0..n {
        for k in 0..i {
            b[i] -= a[i * n + k] * b[k];
        }
    }
    for i in (0..n).rev() {
        b[i] /= a[i * n + i];
        for k in i + 1..n {
            b[i] -= a[k * n + i] * b[k];
        }
    }
}

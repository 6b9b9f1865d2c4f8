//! One state with its legs side by side in lanes.

use super::{
    Hexapod, HexapodAcceleration, direct_share, gyroscopic, inverse_share, platform_demand, solve_spd6,
};
use crate::engine::matrix;
use crate::engine::spatial::{PlatformMass, Pose, RigidBody, Twist, Wrench};
use crate::engine::ups::{Ups, UpsPosture};
use crate::lanes::f64x4;
use crate::{M3, Margin, Real, Sym3, V3};

/// The hexapod in `f64` with its legs in lanes: legs 1–4, then 5, 6 and two massless copies.
#[derive(Clone, Copy, Debug)]
pub struct HexapodLanes {
    legs: [Ups<f64x4>; 2],
    platform: RigidBody<f64>,
    gravity: V3<f64>,
}

/// Every lane the same number.
#[inline(always)]
fn wide3(v: V3<f64>) -> V3<f64x4> {
    v.map(f64x4::splat)
}

#[inline(always)]
fn wide_twist(t: Twist<f64>) -> Twist<f64x4> {
    Twist::new(wide3(t.linear), wide3(t.angular))
}

#[inline(always)]
fn total(a: f64x4, b: f64x4) -> f64 {
    let [p, q, r, s] = (a + b).to_array();
    (p + q) + (r + s)
}

#[inline(always)]
fn total3(a: V3<f64x4>, b: V3<f64x4>) -> V3<f64> {
    a.zip(b, total)
}

#[inline(always)]
fn total_wrench(a: Wrench<f64x4>, b: Wrench<f64x4>) -> Wrench<f64> {
    Wrench::new(total3(a.force, b.force), total3(a.moment, b.moment))
}

#[inline(always)]
fn total_symmetric(a: Sym3<f64x4>, b: Sym3<f64x4>) -> Sym3<f64> {
    Sym3 { diagonal: total3(a.diagonal, b.diagonal), off: total3(a.off, b.off) }
}

#[inline(always)]
fn total_mass(a: &PlatformMass<f64x4>, b: &PlatformMass<f64x4>) -> PlatformMass<f64> {
    PlatformMass {
        linear: total_symmetric(a.linear, b.linear),
        coupling: M3(a.coupling.0.zip(b.coupling.0, total3)),
        angular: total_symmetric(a.angular, b.angular),
    }
}

/// The six numbers of two vectors of legs.
#[inline(always)]
fn six(a: f64x4, b: f64x4) -> [f64; 6] {
    let ([p, q, r, s], [t, u, _, _]) = (a.to_array(), b.to_array());
    [p, q, r, s, t, u]
}

#[inline(always)]
fn least(a: f64x4, b: f64x4) -> f64 {
    let [p, q, r, s] = Real::min(a, b).to_array(); // idle lanes hold legs 5 and 6 again
    Real::min(Real::min(p, q), Real::min(r, s))
}

impl HexapodLanes {
    /// Packs the legs of a hexapod.
    pub fn new(hexapod: &Hexapod<f64>) -> Self {
        let [a, b, c, d, e, f] = hexapod.legs;
        Self {
            legs: [packed(&[a, b, c, d]), packed(&[e, f, e.massless(), f.massless()])],
            platform: hexapod.platform,
            gravity: hexapod.gravity,
        }
    }

    /// As [`Hexapod::leg_margins`].
    #[inline]
    pub fn leg_margins(&self, pose: &Pose<f64>) -> [f64; 6] {
        let pose = pose.map(f64x4::splat);
        let [first, second] = self.legs.each_ref().map(|legs| legs.posture(&pose).margin);
        six(first, second)
    }

    /// The margin of J_r⁻¹ in units of the platform's size.
    #[cold]
    pub(super) fn motor_margin(&self, pose: &Pose<f64>) -> f64 {
        let pose = pose.map(f64x4::splat);
        let [first, second] = self.legs.each_ref().map(|legs| legs.posture(&pose));
        let lane = |at: &UpsPosture<f64x4>, k: usize| {
            let one = |v: V3<f64x4>| v.map(|x| x.to_array().get(k).copied().unwrap_or(f64::NAN));
            (one(at.z), one(at.offset))
        };
        super::checked::held(&core::array::from_fn(|k| {
            if k < 4 { lane(&first, k) } else { lane(&second, k - 4) }
        }))
    }

    /// As [`Hexapod::inverse_dynamics`], one state.
    #[inline(always)]
    pub fn inverse_dynamics(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        acceleration: Twist<f64>,
        external: Wrench<f64>,
    ) -> Margin<[f64; 6], f64> {
        let (wide_pose, v, a) = (pose.map(f64x4::splat), wide_twist(twist), wide_twist(acceleration));
        let g = wide3(self.gravity);
        let first = inverse_share(&self.legs[0], &wide_pose, v, a, g);
        let second = inverse_share(&self.legs[1], &wide_pose, v, a, g);
        let held = platform_demand(&self.platform, pose, twist, acceleration, self.gravity, external)
            + total_wrench(first.across, second.across);
        // Row c of J_r^{−T}: component c of every leg, and the demand in an idle lane.
        let demand = held.to_vector_linear_first();
        let (rows, more) = (first.row.to_vector_linear_first(), second.row.to_vector_linear_first());
        let Margin { value, margin } = solve_rows(rows, more, demand);
        let own = six(first.along, second.along);
        let value = matrix::sum(&own, &value);
        Margin { value, margin: Real::min(margin, least(first.margin, second.margin)) }
    }

    /// As [`Hexapod::direct_dynamics`], one state.
    #[inline(always)]
    pub fn direct_dynamics(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        tau: &[f64; 6],
        external: Wrench<f64>,
    ) -> Margin<HexapodAcceleration<f64>, f64> {
        let (wide_pose, v) = (pose.map(f64x4::splat), wide_twist(twist));
        let [p, q, r, s, t, u] = *tau;
        let g = wide3(self.gravity);
        let first = direct_share(&self.legs[0], &wide_pose, v, f64x4::new([p, q, r, s]), g);
        let second = direct_share(&self.legs[1], &wide_pose, v, f64x4::new([t, u, 0.0, 0.0]), g);
        let inertia = self.platform.spatial(pose, pose.position);
        let mass = inertia.blocks() + total_mass(&first.mass, &second.mass);
        let weight = inertia.apply(Twist::new(self.gravity, V3::zero()));
        let push =
            external + weight - gyroscopic(&inertia, twist.angular) + total_wrench(first.push, second.push);
        let Margin { value, margin } = solve_spd6(&mass.to_matrix(), &push.to_vector_linear_first());
        let platform = Twist::from_vector_linear_first(value);
        let wide = wide_twist(platform);
        let joint = six(first.row.power(wide) + first.bias, second.row.power(wide) + second.bias);
        let reach = least(first.margin, second.margin);
        Margin { value: HexapodAcceleration { platform, joint }, margin: Real::min(margin, reach) }
    }
}

/// Four legs to one leg in lanes.
fn packed(legs: &[Ups<f64>; 4]) -> Ups<f64x4> {
    let [mut a, mut b, mut c, mut d] = legs.map(numbers);
    let next = Numbers::next;
    legs[0].map(|_| f64x4::new([next(&mut a), next(&mut b), next(&mut c), next(&mut d)]))
}

/// The numbers of a leg in the order in which `Ups::map` visits them.
struct Numbers {
    list: [f64; 64],
    at: usize,
}

impl Numbers {
    fn next(&mut self) -> f64 {
        let value = self.list.get(self.at).copied().unwrap_or(0.0);
        self.at += 1;
        value
    }
}

fn numbers(leg: Ups<f64>) -> Numbers {
    let mut found = Numbers { list: [0.0; 64], at: 0 };
    let _ = leg.map(|x| {
        if let Some(slot) = found.list.get_mut(found.at) {
            *slot = x;
        }
        found.at += 1;
    });
    found.at = 0;
    found
}

/// Solves A x = b by Householder QR. A row of [A | b] is two vectors: columns 1–4, then
/// 5, 6, b and an idle lane. The steps are those of [`solve_qr`](crate::linalg::solve_qr).
#[inline(always)]
#[allow(clippy::indexing_slicing, clippy::needless_range_loop)] // rows below 6, columns below 8
fn solve_rows(left: [f64x4; 6], right: [f64x4; 6], b: [f64; 6]) -> Margin<[f64; 6], f64> {
    let mut m = [[0.0; 8]; 6];
    for i in 0..6 {
        store(&mut m[i], left[i], right[i]);
        m[i][6] = b[i];
    }
    let mut diagonal = [0.0; 6];
    for k in 0..6 {
        diagonal[k] = m[k][k];
        if k < 5 {
            let mut norm_sq = 0.0;
            for i in k..6 {
                norm_sq += m[i][k] * m[i][k];
            }
            let norm = Real::sqrt(norm_sq);
            let alpha = if m[k][k] < 0.0 { norm } else { -norm };
            let tail = norm_sq - alpha * m[k][k];
            let beta = f64x4::splat(if tail > 0.0 { 1.0 / tail } else { 0.0 });
            diagonal[k] = alpha;
            m[k][k] -= alpha;
            let (mut p, mut q) = (f64x4::splat(0.0), f64x4::splat(0.0));
            for i in k..6 {
                let v = f64x4::splat(m[i][k]);
                let (r, s) = load(&m[i]);
                (p, q) = (p + v * r, q + v * s);
            }
            (p, q) = (p * beta, q * beta);
            for i in k..6 {
                let v = f64x4::splat(m[i][k]);
                let (r, s) = load(&m[i]);
                store(&mut m[i], r - p * v, s - q * v);
            }
        }
    }
    let mut margin = diagonal[0].abs();
    let mut x = [0.0; 6];
    for k in 1..6 {
        margin = Real::min(margin, diagonal[k].abs());
    }
    for i in (0..6).rev() {
        let mut sum = m[i][6];
        for j in i + 1..6 {
            sum -= m[i][j] * x[j];
        }
        x[i] = sum / diagonal[i];
    }
    Margin { value: x, margin }
}

#[inline(always)]
fn load(&[a, b, c, d, e, f, g, h]: &[f64; 8]) -> (f64x4, f64x4) {
    (f64x4::new([a, b, c, d]), f64x4::new([e, f, g, h]))
}

#[inline(always)]
fn store(row: &mut [f64; 8], left: f64x4, right: f64x4) {
    let ([a, b, c, d], [e, f, g, h]) = (left.to_array(), right.to_array());
    *row = [a, b, c, d, e, f, g, h];
}

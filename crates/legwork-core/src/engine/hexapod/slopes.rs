//! Derivatives of the equation of motion of six UPS legs by pose and velocity, directions side by side in lanes.
//!
//! A leg knows the platform only by the motion of its ball joint: the force f that it asks for there depends on the
//! joint's place p, velocity ṗ and acceleration p̈. So six directions are enough for a leg, three of p and three of ṗ, and
//! the chain rule does the rest. With o = p − x, a small twist (δ, φ) of the pose and (δ̇, φ̇) of the velocity:
//!
//! ```text
//! f = M p̈ + c(p, ṗ) − z τ,   d = φ × o
//! pose:     δf = ∂f/∂p (δ + d) + ∂f/∂ṗ (ω × d) + M (ω̇ × d + ω × (ω × d)),  δ(o × f) = o × δf + d × f     (1)
//! velocity: δf = ∂f/∂ṗ (δ̇ + φ̇ × o) + M (φ̇ × (ω × o) + ω × (φ̇ × o)),       δ(o × f) = o × δf           (2)
//! ```

use super::{Hexapod, gyroscopic};
use crate::engine::spatial::{Pose, Twist};
use crate::engine::unrolled::solve_spd6;
use crate::engine::ups::{Ups, UpsPosture};
use crate::lanes::f64x4;
use crate::{Dual, M3, Real, V3};

/// A number and its derivatives along three directions; the fourth lane is idle.
type Three = Dual<f64x4, 1>;

/// Of F(pose, velocity) with acceleration and motor forces held, by rows: the columns are those of the pose, then those
/// of the velocity, linear first.
pub type HexapodSlopes = [[f64; 12]; 6];

/// A vector whose components are the variables.
#[inline(always)]
fn varied(v: V3<f64>) -> V3<Three> {
    v.zip(axes(), |re, eps| Three { re: f64x4::from_f64(re), eps: [eps] })
}

/// The base axes, one in each lane.
#[inline(always)]
fn axes() -> V3<f64x4> {
    V3::new(
        f64x4::new([1.0, 0.0, 0.0, 0.0]),
        f64x4::new([0.0, 1.0, 0.0, 0.0]),
        f64x4::new([0.0, 0.0, 1.0, 0.0]),
    )
}

#[inline(always)]
fn held(v: V3<f64>) -> V3<Three> {
    v.map(Three::from_f64)
}

/// The same in every lane.
#[inline(always)]
fn splat(v: V3<f64>) -> V3<f64x4> {
    v.map(f64x4::from_f64)
}

#[inline(always)]
fn splat_matrix(m: M3<f64>) -> M3<f64x4> {
    M3(m.0.map(splat))
}

/// The derivatives, a direction in each lane.
#[inline(always)]
fn slope(v: V3<Three>) -> V3<f64x4> {
    v.map(|component| component.eps[0])
}

/// The matrix whose columns are the lanes.
#[inline(always)]
fn matrix(v: V3<f64x4>) -> M3<f64x4> {
    M3(v.map(|row| {
        let [x, y, z, _] = row.to_array();
        splat(V3::new(x, y, z))
    }))
}

/// What a leg asks for at its ball joint, less what its motor gives.
#[inline(always)]
fn lacking<T: Real>(
    leg: &Ups<T>,
    at: &UpsPosture<T>,
    (v, a): (V3<T>, V3<T>),
    gravity: V3<T>,
    tau: T,
) -> V3<T> {
    let f = leg.forces(at, v, a, gravity);
    f.across + at.z * (f.along - tau)
}

/// Sums of the derivatives of force and moment, a direction in each lane.
struct Sums {
    linear: [V3<f64x4>; 2],
    angular: [V3<f64x4>; 2],
    linear_rate: [V3<f64x4>; 2],
    angular_rate: [V3<f64x4>; 2],
}

impl Hexapod<f64> {
    /// How the wrench that the platform lacks for this acceleration under motor forces `tau` \[N\] changes with pose and
    /// velocity, friction of the motors included; see [`direct_dynamics`](Self::direct_dynamics), whose derivatives are M⁻¹ times the
    /// negative of these.
    pub fn imbalance_slopes(
        &self,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        acceleration: Twist<f64>,
        tau: &[f64; 6],
    ) -> HexapodSlopes {
        let mut sums = self.platform_slopes(pose, twist, acceleration);
        for (leg, tau) in self.legs.iter().zip(tau) {
            self.add_leg(leg, pose, (twist, acceleration), *tau, &mut sums);
        }
        let mut found = [[0.0; 12]; 6];
        let parts = [sums.linear, sums.angular, sums.linear_rate, sums.angular_rate];
        for (group, [force, moment]) in parts.into_iter().enumerate() {
            let components = force.to_array().into_iter().chain(moment.to_array());
            for (row, component) in found.iter_mut().zip(components) {
                let lanes = component.to_array();
                row.iter_mut().skip(3 * group).zip(lanes).take(3).for_each(|(slot, value)| *slot = value);
            }
        }
        found
    }

    /// The share of the platform itself: it does not depend on where it is and how fast it translates.
    #[inline(always)]
    fn platform_slopes(&self, pose: &Pose<f64>, twist: Twist<f64>, acceleration: Twist<f64>) -> Sums {
        let (none, w) = ([V3::zero(); 2], twist.angular);
        let falling = Twist::new(held(acceleration.linear - self.gravity), held(acceleration.angular));
        let turned = |axis: V3<f64>| {
            axis.zip(axes().cross(splat(axis)), |re, eps| Three { re: f64x4::from_f64(re), eps: [eps] })
        };
        let columns = pose.rotation.columns().map(turned);
        let near = Pose::new(M3::from_columns(columns.x, columns.y, columns.z), held(pose.position));
        let body = self.platform.map(Three::from_f64);
        let inertia = body.spatial(&near, near.position);
        let by_turn = inertia.apply(falling) + gyroscopic(&inertia, held(w));
        let still = self.platform.spatial(pose, pose.position);
        let (first, tensor) = (splat(still.first), splat_matrix(still.inertia.to_matrix()));
        let (w, e) = (splat(w), axes());
        let force = e.cross(w.cross(first)) + w.cross(e.cross(first));
        let moment = e.cross(tensor * w) + w.cross(tensor * e);
        Sums {
            linear: none,
            angular: [slope(by_turn.force), slope(by_turn.moment)],
            linear_rate: none,
            angular_rate: [force, moment],
        }
    }

    #[inline(always)]
    fn add_leg(
        &self,
        leg: &Ups<f64>,
        pose: &Pose<f64>,
        (twist, acceleration): (Twist<f64>, Twist<f64>),
        tau: f64,
        sums: &mut Sums,
    ) {
        let at = leg.posture(pose);
        let (v, a) = Ups::point_motion(&at, twist, acceleration);
        let (gravity, own, push) = (held(self.gravity), leg.map(Three::from_f64), Three::from_f64(tau));
        // The pose is there twice: as itself and moved along the axes, with the same rotation.
        let near = Pose::new(M3(pose.rotation.0.map(held)), varied(pose.position));
        let force = lacking(&own, &own.posture(&near), (held(v), held(a)), gravity, push);
        let by_place = slope(force);
        let still = at.map(Three::from_f64);
        let by_rate = slope(lacking(&own, &still, (varied(v), held(a)), gravity, push));

        let (place, rate) = (matrix(by_place), matrix(by_rate));
        let mass = splat_matrix(leg.mass(&at).to_matrix());
        let (o, w, e) = (splat(at.offset), splat(twist.angular), axes());
        let d = e.cross(o);
        let wd = w.cross(d);
        let asked = mass * (splat(acceleration.angular).cross(d) + w.cross(wd));
        let turned = place * d + rate * wd + asked; // (1)
        let spun = rate * d + mass * (e.cross(w.cross(o)) + wd); // (2)
        let value = force.map(|component| component.re);
        let add = |to: &mut [V3<f64x4>; 2], force: V3<f64x4>, moment: V3<f64x4>| {
            let [sum, moments] = to;
            *sum = *sum + force;
            *moments = *moments + moment;
        };
        add(&mut sums.linear, by_place, o.cross(by_place));
        add(&mut sums.angular, turned, o.cross(turned) + d.cross(value));
        add(&mut sums.linear_rate, by_rate, o.cross(by_rate));
        add(&mut sums.angular_rate, spun, o.cross(spun));
    }

    /// The inverse of the mass matrix that the platform feels (29), and J_r⁻¹, by rows.
    pub fn inverse_mass_and_rows(&self, pose: &Pose<f64>) -> ([[f64; 6]; 6], [[f64; 6]; 6]) {
        let (mass, rows) = self.platform_mass_and_rows(pose);
        let mass = mass.map(|row| row.map(f64x4::from_f64));
        let mut inverse = [[0.0; 6]; 6];
        for first in [0, 4] {
            let unit = core::array::from_fn(|k| {
                let one = |lane: usize| if k == first + lane { 1.0 } else { 0.0 };
                f64x4::new([one(0), one(1), one(2), one(3)])
            });
            let columns = solve_spd6(&mass, &unit).value;
            for (row, lanes) in inverse.iter_mut().zip(columns) {
                row.iter_mut().skip(first).zip(lanes.to_array()).for_each(|(slot, value)| *slot = value);
            }
        }
        (inverse, rows)
    }
}

//! A reference motion and a plant for the tests of regulators, written without the library's own paths
//! and simulation.
#![allow(dead_code)] // each test file uses its part

pub mod watched;

use legwork_core::V3;
use legwork_core::control::{Measured, Platform, Reference};
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::{System, rk4_step};
use legwork_core::robots::delta::{Delta, PostureError};
use std::f64::consts::{PI, TAU};

/// Semi-ellipse from (−125, 0, −350) to (125, 0, −350) mm, 60 mm high, with the sine-on-ramp law.
pub struct PickAndPlace {
    /// (φ, σ) of a fine grid.
    table: Vec<(f64, f64)>,
    pub length: f64,
    pub duration: f64,
}

const HALF_WIDTH: f64 = 0.125;
const HEIGHT: f64 = 0.060;
const LEVEL: f64 = -0.350;

fn slope(phi: f64) -> f64 {
    (HALF_WIDTH * phi.sin()).hypot(HEIGHT * phi.cos())
}

impl PickAndPlace {
    /// Peak tangential acceleration \[m/s²\]; T = √(2πL/A).
    pub fn new(peak: f64) -> Self {
        const CELLS: usize = 4000;
        let h = PI / CELLS as f64;
        let mut table = vec![(0.0, 0.0)];
        for k in 0..CELLS {
            let a = k as f64 * h;
            // Simpson: 1e-15 with cells of a thousandth.
            let cell = (slope(a) + 4.0 * slope(a + h / 2.0) + slope(a + h)) * h / 6.0;
            table.push((a + h, table[k].1 + cell));
        }
        let length = table[CELLS].1;
        Self { table, length, duration: (TAU * length / peak).sqrt() }
    }

    /// φ at arc length σ: the nearest knot and three Newton steps with Simpson's rule between.
    fn angle(&self, sigma: f64) -> f64 {
        let place = self.table.partition_point(|(_, s)| *s <= sigma).saturating_sub(1);
        let (knot, before) = self.table[place];
        let mut phi = knot;
        for _ in 0..3 {
            let h = phi - knot;
            let here = before + (slope(knot) + 4.0 * slope(knot + h / 2.0) + slope(phi)) * h / 6.0;
            phi += (sigma - here) / slope(phi);
        }
        phi
    }

    /// The platform's motion at a time; at rest outside [0, T].
    pub fn at(&self, time: f64) -> Platform<f64> {
        let tau = (time / self.duration).clamp(0.0, 1.0);
        let (sin, cos) = (TAU * tau).sin_cos();
        let sigma = self.length * (tau - sin / TAU);
        let speed = self.length / self.duration * (1.0 - cos);
        let push = TAU * self.length / self.duration.powi(2) * sin;
        let (s, c) = self.angle(sigma).sin_cos();
        let position = V3::new(-HALF_WIDTH * c, 0.0, LEVEL + HEIGHT * s);
        let first = V3::new(HALF_WIDTH * s, 0.0, HEIGHT * c); // dp/dφ
        let second = V3::new(HALF_WIDTH * c, 0.0, -HEIGHT * s);
        let norm_sq = first.norm_sq();
        let tangent = first * norm_sq.sqrt().recip();
        let bend = (second - tangent * tangent.dot(second)) * norm_sq.recip(); // d²p/dσ²
        Platform {
            pose: Pose::translation(position),
            twist: Twist::new(tangent * speed, V3::zero()),
            acceleration: Twist::new(tangent * push + bend * (speed * speed), V3::zero()),
        }
    }
}

/// A Delta with motors that follow their command with a lag, stepped by RK4.
pub struct Plant {
    pub delta: Delta<f64>,
    /// Time constant of the motors \[s\]; zero: at once.
    pub lag: f64,
    /// (x, ẋ)
    pub state: [f64; 6],
    /// What the motors give.
    pub torque: V3<f64>,
}

struct Held<'a> {
    delta: &'a Delta<f64>,
    lag: f64,
    from: V3<f64>,
    to: V3<f64>,
}

impl Held<'_> {
    /// τ_m(t) = u + (τ_m − u) e^{−t/T_l}
    fn torque(&self, t: f64) -> V3<f64> {
        let left = if self.lag > 0.0 { (-t / self.lag).exp() } else { 0.0 };
        self.to + (self.from - self.to) * left
    }
}

fn halves([a, b, c, d, e, f]: [f64; 6]) -> (V3<f64>, V3<f64>) {
    (V3::new(a, b, c), V3::new(d, e, f))
}

impl System<f64> for Held<'_> {
    type State = [f64; 6];
    type Stop = PostureError;

    fn derivative(&mut self, t: f64, x: &[f64; 6]) -> Result<[f64; 6], PostureError> {
        let (x, v) = halves(*x);
        let posture = self.delta.linkage().posture(x)?;
        let tau = self.torque(t) - self.delta.friction(posture.joint_velocity(v));
        let a = self.delta.acceleration(&posture, v, tau, V3::zero()).value.platform;
        Ok([v.x, v.y, v.z, a.x, a.y, a.z])
    }
}

impl Plant {
    pub fn at_rest(delta: &Delta<f64>, position: V3<f64>, lag: f64) -> Self {
        let V3 { x, y, z } = position;
        let torque = delta.inverse_dynamics(&legwork_core::robots::delta::Motion::rest(position), V3::zero());
        let torque = torque.expect("a reachable start").torque;
        Self { delta: *delta, lag, state: [x, y, z, 0.0, 0.0, 0.0], torque }
    }

    /// Holds a command for `dt`, in `steps` Runge–Kutta steps.
    pub fn hold(&mut self, command: V3<f64>, dt: f64, steps: usize) {
        let h = dt / steps as f64;
        let delta = self.delta;
        let mut system = Held { delta: &delta, lag: self.lag, from: self.torque, to: command };
        for k in 0..steps {
            self.state = rk4_step(&mut system, k as f64 * h, &self.state, h).expect("inside the workspace");
        }
        self.torque = system.torque(dt);
    }

    pub fn position(&self) -> V3<f64> {
        halves(self.state).0
    }

    pub fn velocity(&self) -> V3<f64> {
        halves(self.state).1
    }

    /// Motor angles alone.
    pub fn angles(&self) -> Measured<f64, 3> {
        Measured::angles(self.delta.linkage().posture_at(self.position()).value.angles().to_array())
    }

    /// Motor angles and speeds.
    pub fn measured(&self) -> Measured<f64, 3> {
        let posture = self.delta.linkage().posture_at(self.position()).value;
        let qdot = posture.joint_velocity(self.velocity()).to_array();
        Measured { q: posture.angles().to_array(), qdot: Some(qdot) }
    }
}

/// The reference of a platform's motion.
pub fn reference(delta: &Delta<f64>, platform: &Platform<f64>) -> Reference<f64, 3> {
    let found = Reference::at(delta, platform);
    assert!(found.margin > 0.0, "a reachable reference");
    found.value
}

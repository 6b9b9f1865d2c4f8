//! What the tests of motion share: Bortoff's robots, a torque that swings them, runs.
#![allow(dead_code)] // not every test uses every helper

use legwork_core::V3;
use legwork_core::integrate::{Dopri5, Halt, Settings, Statistics};
use legwork_core::motion::{Driven, Fault, Formulation, Input};
use legwork_core::robots::delta::constrained::{ArmParameters, ConstrainedDelta};
use legwork_testkit::{nan_max, nan_min};
use serde_json::Value;
use std::f64::consts::TAU;

/// Parameter set `key` of the specification, damping of every joint included.
pub fn arm(key: &str) -> ArmParameters<f64> {
    let all: Value = serde_json::from_str(include_str!("../golden/spec_bortoff.json")).unwrap();
    let set = &all[key]["params"];
    let p = |name: &str| set[name].as_f64().unwrap();
    let damping: Vec<f64> = set["D"].as_array().unwrap().iter().map(|d| d.as_f64().unwrap()).collect();
    ArmParameters {
        base_offset: p("L0") - p("L3"),
        upper: p("L1"),
        lower: p("L2"),
        upper_centre: p("LC1"),
        lower_centre: p("LC2"),
        upper_mass: p("M1"),
        lower_mass: p("M2"),
        tip_mass: p("M3"),
        upper_inertia: p("J1"),
        lower_inertia: p("J2"),
        damping: V3::new(damping[0], damping[1], damping[2]),
        gravity: V3::along_z(p("g")),
    }
}

/// The symmetric posture with all motors at `angle`: platform in our base frame, holding torque.
pub fn symmetric_start(arm: ArmParameters<f64>, angle: f64) -> (V3<f64>, f64) {
    // On the axis: l1 cos φ1 + offset + l2 cos φ2 = 0.
    let horizontal = arm.base_offset + arm.upper * angle.cos();
    let z = arm.upper * angle.sin() + (arm.lower * arm.lower - horizontal * horizontal).sqrt();
    let robot = ConstrainedDelta::symmetric(arm);
    let q = robot.inverse_kinematics(V3::new(0.0, 0.0, z)).value;
    assert!((q.x.x - angle).abs() < 1e-12);
    (V3::new(0.0, 0.0, -z), robot.gravity_compensation(q).value.torque.x)
}

/// u_g (1 + 0.25 sin(2πt + phase)), a third of a turn of phase between motors.
#[derive(Clone, Copy)]
pub struct Swing(pub f64);

impl Input for Swing {
    fn effort(&mut self, t: f64, effort: &mut [f64]) {
        let count = effort.len() as f64;
        for (i, u) in effort.iter_mut().enumerate() {
            *u = self.0 * (1.0 + 0.25 * (TAU * (t + i as f64 / count)).sin());
        }
    }
}

/// A run and what it left.
pub struct Ran<F: Formulation> {
    pub formulation: F,
    pub state: F::State,
    pub statistics: Statistics,
    /// Largest loop gap at the ends of steps \[m\].
    pub drift: f64,
    /// Largest |T + V − work + dissipation − start| \[J\].
    pub imbalance: f64,
    /// Largest kinetic energy \[J\].
    pub kinetic: f64,
    /// Smallest and largest angle of motor 1.
    pub motor: (f64, f64),
}

impl<F: Formulation> Ran<F> {
    pub fn position(&self) -> V3<f64> {
        self.formulation.platform(&self.state).0.position
    }
}

/// Runs with DOPRI5 from a state to `end` \[s\].
pub fn run<F: Formulation + Copy, U: Input>(
    formulation: F,
    start: F::State,
    input: U,
    end: f64,
    settings: Settings,
) -> Result<Ran<F>, Halt<Fault>> {
    let mut system = Driven::new(formulation, input);
    let mut integrator = Dopri5::new(0.0, (start, [0.0; 2]), settings);
    let before = formulation.energy(&start).total();
    let (mut drift, mut imbalance, mut kinetic) = (0.0_f64, 0.0_f64, 0.0_f64);
    let mut motor = (f64::INFINITY, f64::NEG_INFINITY);
    while integrator.time() < end {
        integrator.step(&mut system, end)?;
        let (x, [work, dissipation]) = integrator.state();
        drift = nan_max(drift, formulation.loop_gap(x));
        let energy = formulation.energy(x);
        imbalance = nan_max(imbalance, (energy.total() - before - work + dissipation).abs());
        kinetic = nan_max(kinetic, energy.kinetic);
        let (mut q, mut qdot) = ([0.0; 8], [0.0; 8]);
        formulation.joints(x, &mut q, &mut qdot).unwrap();
        motor = (nan_min(motor.0, q[0]), nan_max(motor.1, q[0]));
    }
    let (state, _) = *integrator.state();
    let statistics = integrator.statistics();
    Ok(Ran { formulation, state, statistics, drift, imbalance, kinetic, motor })
}

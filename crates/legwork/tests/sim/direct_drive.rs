//! The direct-drive Delta of Codourey 1998 under PD control, sampled at 1 kHz behind the lag of
//! its motors: the largest joint error against figures computed elsewhere, for several plants.

use legwork::sim::{ControlFault, Ending, Integrator, Measured, Plant, SampledController, Simulation};
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::nan_max;
use std::f64::consts::{PI, TAU};

/// A semi-ellipse from (−125, 0, −350) to (125, 0, −350) mm, 60 mm high.
const HALF: f64 = 0.125;
const HEIGHT: f64 = 0.06;
/// From end to end, with a peak of 80 m/s² along the path \[s\].
const DURATION: f64 = 0.15341;

/// Length of the path up to an angle of the ellipse, by Simpson's rule.
fn length(phi: f64) -> f64 {
    let speed = |phi: f64| (HALF * phi.sin()).hypot(HEIGHT * phi.cos());
    let n = 200;
    let h = phi / f64::from(n);
    let inner: f64 = (1..n).map(|k| speed(f64::from(k) * h) * if k % 2 == 1 { 4.0 } else { 2.0 }).sum();
    (speed(0.0) + inner + speed(phi)) * h / 3.0
}

/// Where the platform should be: a sine on a ramp along the path.
fn place(t: f64) -> PlatformState {
    let share = (t / DURATION).clamp(0.0, 1.0);
    let wanted = length(PI) * (share - (TAU * share).sin() / TAU);
    let (mut low, mut high) = (0.0, PI);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if length(middle) < wanted { low = middle } else { high = middle }
    }
    PlatformState::at([-HALF * low.cos(), 0.0, -0.35 + HEIGHT * low.sin()])
}

/// K_p = 704 N m/rad, K_d = 7.85 N m s/rad (20 Hz, damping 0.7), and what makes the start an equilibrium.
struct Pd {
    reference: Vec<Vec<f64>>,
    bias: Vec<f64>,
    sample: usize,
    before: Vec<f64>,
    /// Largest error seen \[rad\].
    worst: f64,
}

const PERIOD: f64 = 1e-3;

impl SampledController for Pd {
    fn period(&self) -> f64 {
        PERIOD
    }

    fn reset(&mut self) {
        self.sample = 0;
        self.before.fill(0.0);
        self.worst = 0.0;
    }

    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) -> Result<(), ControlFault> {
        let reference = self.reference.get(self.sample).or(self.reference.last());
        let reference = reference.ok_or(ControlFault::Refused { reason: "no reference" })?;
        for (k, u) in command.iter_mut().enumerate() {
            let error = reference[k] - seen.q[k];
            let rate = (error - self.before[k]) / PERIOD;
            *u = self.bias[k] + 704.0 * error + 7.85 * rate;
            self.before[k] = error;
            self.worst = nan_max(self.worst, error.abs());
        }
        self.sample += 1;
        Ok(())
    }
}

/// Largest joint error of a run \[deg\].
fn worst(robot: &AnyRobot, plant: Plant, payload: f64) -> f64 {
    let reference: Vec<Vec<f64>> =
        (0..=154).map(|k| robot.inverse_kinematics(&place(f64::from(k) * PERIOD)).unwrap().q).collect();
    let loaded = robot.with_payload(payload).unwrap();
    let bias = loaded.state(&place(0.0)).unwrap().dynamics.unwrap().gravity;
    let mut pd = Pd { reference, bias, sample: 0, before: vec![0.0; 3], worst: 0.0 };
    let run = Simulation::controlled(robot, &mut pd)
        .starting_at(place(0.0))
        .on_plant(plant.carrying(0.0, payload))
        .lasting(0.25)
        .integrated_by(Integrator::Rk4 { step: 5e-4 })
        .run()
        .unwrap();
    assert_eq!(run.summary.ending, Ending::Completed);
    pd.worst.to_degrees()
}

#[test]
fn pd_errors_are_those_computed_elsewhere() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let lagging = || Plant::ideal().with_lag(2e-3);
    for (what, plant, payload, expected) in [
        ("exact", lagging(), 0.0, 1.977),
        ("viscous friction", lagging().with_friction(0.2, 0.0), 0.0, 2.100),
        ("payload", lagging(), 0.1, 2.155),
        ("short lag", Plant::ideal().with_lag(0.91e-3), 0.0, 1.946),
    ] {
        let found = worst(&robot, plant, payload);
        println!("{what}: {found:.4} deg, {expected} elsewhere");
        // Their last digit, and gains and the first sample that are given rounded: half a per mille.
        assert!((found - expected).abs() < 5e-4 * expected + 5e-4, "{what}: {found} and {expected} deg");
    }
}

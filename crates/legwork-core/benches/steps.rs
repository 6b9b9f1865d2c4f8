//! Time of one controller step: `cargo bench -p legwork-core --features std --bench steps`.
//!
//! A million samples each, timed one by one, the clock's own time taken off: median, the step that only one in a thousand
//! exceeds, and the worst. A regulator has no branch that waits for convergence; what the last figure shows
//! beyond the second is the machine.

use legwork_core::V3;
use legwork_core::control::{
    Command, Guard, Measured, Platform, Reference, Regulator, SafeCommand, Settings, Supervisor,
};
use legwork_core::engine::{Pose, Twist};
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Delta, Forearm};
use std::hint::black_box;
use std::time::Instant;

const STEPS: usize = 1_000_000;
const RING: usize = 1000;
const DT: f64 = 1e-3;

type Sample = (Reference<f64, 3>, Measured<f64, 3>);

/// A circle of 160 mm in a second.
fn samples(delta: &Delta<f64>) -> Vec<Sample> {
    let omega = std::f64::consts::TAU / (RING as f64 * DT);
    (0..RING)
        .map(|k| {
            let (s, c) = (omega * k as f64 * DT).sin_cos();
            let radius = V3::new(c, s, 0.0) * 0.08;
            let velocity = V3::new(-s, c, 0.0) * (0.08 * omega);
            let platform = Platform {
                pose: Pose::translation(radius + V3::along_z(-0.32)),
                twist: Twist::new(velocity, V3::zero()),
                acceleration: Twist::new(radius * -(omega * omega), V3::zero()),
            };
            let reference = Reference::at(delta, &platform).value;
            (reference, Measured::angles(reference.q.map(|q| q + 0.002)))
        })
        .collect()
}

fn report(name: &str, samples: &[Sample], clock: u128, mut step: impl FnMut(&Sample) -> Command<f64, 3>) {
    let mut times: Vec<u128> = (0..STEPS)
        .map(|k| {
            let sample = black_box(&samples[k % RING]);
            let start = Instant::now();
            let command = black_box(step(sample));
            let time = start.elapsed().as_nanos();
            assert!(command.fault.is_none(), "{:?}", command.fault);
            time.saturating_sub(clock)
        })
        .collect();
    times.sort_unstable();
    let [median, rare, worst] = [STEPS / 2, STEPS - STEPS / 1000, STEPS - 1].map(|place| times[place]);
    println!("{name:44} {median:6} ns  {rare:6} ns  {worst:8} ns");
}

fn main() {
    let mut empty: Vec<u128> = (0..10_001).map(|_| Instant::now().elapsed().as_nanos()).collect();
    empty.sort_unstable();
    let clock = empty[5_000];
    let delta = catalog::delta_direct_drive().with_forearm(Forearm::SIMPLIFIED);
    let samples = samples(&delta);
    let start = samples[0].0;
    let pd = Settings::pd([704.0; 3], [7.85; 3]);
    let full = pd.with_model().with_shift(2);
    println!("{:44} {:>9}  {:>9}  {:>11}   (clock {clock} ns)", "one step", "median", "99.9 %", "worst");
    for (name, settings) in [
        ("PD", pd),
        ("PD, full model, shift", full),
        ("PD, full model, shift, differences", full.with_differences()),
        ("PD, full model, mass matrix in series", pd.with_model().with_mass_matrix(0.045)),
        ("PD, gravity compensation", pd.with_gravity()),
        ("computed torque", Settings::computed_torque(100.0, 0.7)),
        ("feedback linearisation at the platform", Settings::platform(100.0, 0.7)),
    ] {
        let mut it = Regulator::new(delta, settings, &start).expect("usable settings");
        report(name, &samples, clock, |(reference, measured)| it.update(reference, measured, DT));
    }
    let regulator = Regulator::new(delta, full, &start).expect("usable settings");
    let guard = Guard::equal((-1.5, 1.8), 40.0, 0.1, 0.01, SafeCommand::RampDown { time: 0.1 });
    let mut it = Supervisor::new(regulator, guard, &start).expect("a usable guard");
    report("PD, full model, shift, supervised", &samples, clock, |(reference, measured)| {
        it.update(reference, Some(measured), DT)
    });
}

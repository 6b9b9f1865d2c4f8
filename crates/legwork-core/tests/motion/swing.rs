//! The swings of the golden files: constant efforts from rest, every sample.

use crate::engine_support::gough;
use legwork_core::engine::{Pose, Twist};
use legwork_core::integrate::{Dopri5, Settings, Statistics};
use legwork_core::motion::{DeltaMinimal, Driven, Formulation, Minimal};
use legwork_core::robots::catalog;
use legwork_core::{M3, V3};
use legwork_testkit::{golden, nan_max, numbers};
use serde_json::Value;

/// Largest errors over all samples.
#[derive(Debug, Default)]
struct Errors {
    position: f64,
    rotation: f64,
    velocity: f64,
    joints: f64,
    gap: f64,
    balance: f64,
    statistics: Statistics,
}

fn pose(sample: &Value) -> Pose<f64> {
    let rows = sample.get("rotation").map_or(vec![1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0], numbers);
    let row = |k: usize| V3::new(rows[k], rows[k + 1], rows[k + 2]);
    let position: [f64; 3] = numbers(&sample["position"]).try_into().unwrap();
    Pose::new(M3::from_rows(row(0), row(3), row(6)), position.into())
}

fn twist(sample: &Value) -> Vec<f64> {
    numbers(sample.get("twist").unwrap_or(&sample["velocity"]))
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, nan_max)
}

/// Runs a formulation through the instants of a file.
fn swing<F: Formulation, const K: usize>(file: &Value, formulation: F, tolerance: f64) -> Errors {
    let effort: [f64; K] = numbers(&file["constant_effort"]).try_into().unwrap();
    let samples = file["samples"].as_array().unwrap();
    let start = formulation.state_at(&pose(&samples[0]), Twist::zero()).unwrap();
    let mut system = Driven::new(formulation, effort);
    let settings = Settings::default().with_tolerance(tolerance);
    let mut run = Dopri5::new(0.0, Driven::<F, [f64; K]>::opened(start), settings);
    let before = system.formulation.energy(&start).total();
    let mut worst = Errors::default();
    for sample in samples {
        run.advance_to(&mut system, sample["t"].as_f64().unwrap()).unwrap();
        let (x, _) = run.state();
        let (at, moving) = system.formulation.platform(x);
        let reference = pose(sample);
        let error = distance(&at.position.to_array(), &reference.position.to_array());
        worst.position = nan_max(worst.position, error);
        let (a, b) = (at.rotation.to_rows().concat(), reference.rotation.to_rows().concat());
        worst.rotation = nan_max(worst.rotation, distance(&a, &b));
        worst.velocity = nan_max(worst.velocity, distance(&moving.to_vector_linear_first(), &twist(sample)));
        let (mut q, mut qdot) = ([0.0; K], [0.0; K]);
        system.formulation.joints(x, &mut q, &mut qdot).unwrap();
        worst.joints = nan_max(worst.joints, distance(&q, &numbers(&sample["q"])));
        worst.joints = nan_max(worst.joints, distance(&qdot, &numbers(&sample["qd"])));
        worst.gap = nan_max(worst.gap, system.formulation.loop_gap(x));
        let ledger = Driven::<F, [f64; K]>::ledger(run.state());
        let balance = system.formulation.energy(x).total() - before - ledger.work + ledger.dissipation;
        worst.balance = nan_max(worst.balance, balance.abs());
    }
    worst.statistics = run.statistics();
    println!("{tolerance:e}: {worst:?}");
    worst
}

#[test]
fn delta_swing_is_met_in_every_sample() {
    let file = golden("delta_swing.json");
    let found = swing::<_, 3>(&file, DeltaMinimal::new(catalog::delta_industrial()), 1e-10);
    assert!(found.position < 1e-9 && found.velocity < 1e-8 && found.joints < 1e-8, "{found:?}");
    assert!(found.gap < 1e-12, "{found:?}"); // by construction: rounding
    assert!(found.balance < 1e-9 * 0.5, "{found:?}"); // of the largest kinetic energy, 0.5 J
}

/// By the general chains and by the legs in closed form.
#[test]
fn gough_swing_is_met_in_every_sample() {
    let file = golden("gough_swing.json");
    let (robot, hexapod) = (gough(&file).robot(), gough(&file).hexapod());
    for found in [
        swing::<_, 6>(&file, Minimal { mechanism: robot.mechanism() }, 1e-10),
        swing::<_, 6>(&file, Minimal { mechanism: hexapod.mechanism() }, 1e-10),
    ] {
        assert!(found.position < 1e-9 && found.rotation < 1e-9 && found.velocity < 1e-8, "{found:?}");
        assert!(found.gap < 1e-12 && found.balance < 1e-9 * 5.5, "{found:?}");
    }
}

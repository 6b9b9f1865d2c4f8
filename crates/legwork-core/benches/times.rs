//! Nanoseconds per call: `cargo bench -p legwork-core --features std,simd --bench times`.
//!
//! Median over blocks of calls on a ring of states, so a busy machine shows in
//! few blocks only. Compare rows, not machines; the firm figures are the
//! instruction counts of `instructions.rs`.

use legwork_core::lanes::f64x4;
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Assembly, Delta, Forearm, Motion};
use legwork_core::trajectory::{Law, Path, SemiEllipse, Shape, Trajectory};
use legwork_core::{Real, V3};
use std::hint::black_box;
use std::time::Instant;

const STATES: usize = 20;
const BLOCKS: usize = 201;
const ROUNDS: usize = 50;

/// A path through the workspace of the industrial Delta.
fn states() -> Vec<Motion<f64>> {
    (0..STATES)
        .map(|k| {
            let (s, c) = (k as f64 * 0.3).sin_cos();
            Motion {
                position: V3::new(0.2 * c, 0.2 * s, -0.8 + 0.05 * s),
                velocity: V3::new(-2.0 * s, 2.0 * c, 0.5 * c),
                acceleration: V3::new(-20.0 * c, -20.0 * s, -5.0 * s),
            }
        })
        .collect()
}

fn report<S, R>(name: &str, states: &[S], per_call: usize, mut f: impl FnMut(&S) -> R) {
    let mut blocks: Vec<f64> = (0..BLOCKS)
        .map(|_| {
            let start = Instant::now();
            for _ in 0..ROUNDS {
                for state in states {
                    black_box(f(black_box(state)));
                }
            }
            start.elapsed().as_secs_f64() * 1e9 / (ROUNDS * states.len() * per_call) as f64
        })
        .collect();
    blocks.sort_by(f64::total_cmp);
    println!("{name:44} {:8.1} ns", blocks[BLOCKS / 2]);
}

fn lanes<T: Real>(m: &Motion<f64>) -> Motion<T> {
    let wide = |v: V3<f64>| v.map(T::from_f64);
    Motion { position: wide(m.position), velocity: wide(m.velocity), acceleration: wide(m.acceleration) }
}

fn main() {
    let delta = catalog::delta_industrial();
    let (simple, wide): (Delta<f64>, Delta<f64x4>) = (delta.with_forearm(Forearm::SIMPLIFIED), delta.cast());
    let states = states();
    let four: Vec<Motion<f64x4>> = states.iter().map(lanes).collect();
    let joints: Vec<_> = states
        .iter()
        .map(|m| {
            let posture = delta.linkage().posture_at(m.position).value;
            (posture.angles(), posture.joint_velocity(m.velocity), m.acceleration)
        })
        .collect();

    report("inverse dynamics", &states, 1, |m| delta.torque_for(m, V3::zero()));
    report("inverse dynamics, four lanes, per state", &four, 4, |m| wide.torque_for(m, V3::zero()));
    report("forward dynamics from the platform state", &states, 1, |m| {
        let posture = delta.linkage().posture_at(m.position).value;
        delta.acceleration(&posture, m.velocity, m.acceleration, V3::zero())
    });
    report("forward dynamics from the joint state", &joints, 1, |(q, qdot, tau)| {
        delta.acceleration_of(*q, *qdot, *tau, V3::zero(), Assembly::Below)
    });
    // The rows of [Codourey1998, Table 1]; on a T800: 149, 244, 704 and 233 microseconds.
    let (from, to) = (V3::new(-0.125, 0.0, -0.5), V3::new(0.125, 0.0, -0.5));
    let path = SemiEllipse::new(from, to, V3::new(0.0, 0.0, 0.06)).expect("an ellipse");
    let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0).expect("a law");
    let (run, instants): (_, Vec<f64>) =
        (Trajectory { path, law }, (0..STATES).map(|k| 0.0073 * k as f64).collect());
    report("Table 1: trajectory", &instants, 1, |t| run.at(*t).motion());
    report("Table 1: coordinate transformation", &states, 1, |m| {
        delta.linkage().posture_at(m.position).value.angles()
    });
    report("Table 1: dynamics, simplified", &states, 1, |m| simple.torque_for(m, V3::zero()));
    report("Table 1: mass matrix", &states, 1, |m| {
        delta.mass_matrix(&delta.linkage().posture_at(m.position).value)
    });
}

//! Instructions per call, counted by valgrind: the same on a busy machine.
//!
//! `./ci.sh bench` builds for x86-64-v3, runs this and holds the counts against
//! the bars in `ci/bars.txt`.

#![allow(missing_docs, unused_qualifications)] // the benchmark macros write such code

use gungraun::{library_benchmark, library_benchmark_group, main};
use legwork_core::lanes::f64x4;
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Acceleration, Assembly, Delta, Effort, Forearm, Motion, PostureError};
use legwork_core::{M3, Margin, Sym3, V3};
use std::hint::black_box;

type State = (Delta<f64>, Motion<f64>);
type JointState = (Delta<f64>, V3<f64>, V3<f64>, V3<f64>);

fn state() -> State {
    let motion = Motion {
        position: V3::new(-0.28, -0.19, -0.86),
        velocity: V3::new(1.8, 1.1, -1.6),
        acceleration: V3::new(31.0, -9.6, -13.7),
    };
    (catalog::delta_industrial(), motion)
}

fn joint_state() -> JointState {
    let (delta, motion) = state();
    let effort = delta.inverse_dynamics(&motion, V3::zero()).expect("a reachable state");
    let q = delta.linkage().inverse_kinematics(motion.position).expect("a reachable state");
    (delta, q, effort.qdot, effort.torque)
}

fn lanes() -> (Delta<f64x4>, Motion<f64x4>) {
    let (delta, motion) = state();
    let spread = |v: V3<f64>| v.map(|c| f64x4::from([c, c * 0.9, c * 0.8, c * 0.95]));
    let position = motion.position.zip(V3::new(1.0, 1.0, 0.0), |c, spread| {
        f64x4::from([c, c - 0.01 * spread, c + 0.01 * spread, c + 0.02 * spread])
    });
    let motion =
        Motion { position, velocity: spread(motion.velocity), acceleration: spread(motion.acceleration) };
    (delta.cast(), motion)
}

#[library_benchmark]
#[bench::one(state())]
fn inverse_dynamics((delta, motion): State) -> (V3<f64>, f64) {
    let Margin { value, margin } = black_box(&delta).torque_for(black_box(&motion), V3::zero());
    black_box((value.torque, margin))
}

#[library_benchmark]
#[bench::one(state())]
fn inverse_dynamics_checked((delta, motion): State) -> Result<Effort<f64>, PostureError> {
    black_box(black_box(&delta).inverse_dynamics(black_box(&motion), V3::zero()))
}

#[library_benchmark]
#[bench::one(joint_state())]
fn forward_dynamics_from_joints((delta, q, qdot, tau): JointState) -> Margin<Acceleration<f64>, f64> {
    let (q, qdot, tau) = black_box((q, qdot, tau));
    black_box(black_box(&delta).acceleration_of(q, qdot, tau, V3::zero(), Assembly::Below))
}

#[library_benchmark]
#[bench::one(state())]
fn forward_dynamics_from_platform((delta, motion): State) -> Margin<Acceleration<f64>, f64> {
    let (delta, motion) = (black_box(&delta), black_box(&motion));
    let posture = delta.linkage().posture_at(motion.position).value;
    black_box(delta.acceleration(&posture, motion.velocity, motion.acceleration, V3::zero()))
}

// Four states in one call: divide by four.
#[library_benchmark]
#[bench::one(lanes())]
fn inverse_dynamics_in_four_lanes((delta, motion): (Delta<f64x4>, Motion<f64x4>)) -> (V3<f64x4>, f64x4) {
    let Margin { value, margin } = black_box(&delta).torque_for(black_box(&motion), V3::zero());
    black_box((value.torque, margin))
}

// Four states in one call: divide by four.
#[library_benchmark]
#[bench::one(lanes())]
fn forward_dynamics_in_four_lanes((delta, motion): (Delta<f64x4>, Motion<f64x4>)) -> V3<f64x4> {
    let (delta, motion) = (black_box(&delta), black_box(&motion));
    let posture = delta.linkage().posture_at(motion.position).value;
    black_box(delta.acceleration(&posture, motion.velocity, motion.acceleration, V3::zero()).value.platform)
}

// The rows of [Codourey1998, Table 1], trajectory aside.

// Coordinate transformation: platform position to motor angles.
#[library_benchmark]
#[bench::one(state())]
fn table_1_coordinate_transformation((delta, motion): State) -> V3<f64> {
    black_box(black_box(&delta).linkage().posture_at(black_box(motion.position)).value.angles())
}

// Forward kinematics: motor angles to platform position.
#[library_benchmark]
#[bench::one(joint_state())]
fn table_1_forward_kinematics((delta, q, _, _): JointState) -> V3<f64> {
    black_box(black_box(&delta).linkage().posture_of(black_box(q), Assembly::Below).value.position)
}

// Dynamics: the simplified model.
#[library_benchmark]
#[bench::one(state())]
fn table_1_dynamics((delta, motion): State) -> V3<f64> {
    let delta = delta.with_forearm(Forearm::SIMPLIFIED);
    black_box(black_box(&delta).torque_for(black_box(&motion), V3::zero()).value.torque)
}

// Mass matrix in joint space.
#[library_benchmark]
#[bench::one(state())]
fn table_1_mass_matrix((delta, motion): State) -> Sym3<f64> {
    let delta = black_box(&delta);
    black_box(delta.mass_matrix(&delta.linkage().posture_at(black_box(motion.position)).value))
}

#[library_benchmark]
#[bench::one(state())]
fn jacobian((delta, motion): State) -> M3<f64> {
    black_box(black_box(&delta).linkage().posture_at(black_box(motion.position)).value.jacobian())
}

library_benchmark_group!(
    name = delta;
    benchmarks =
        inverse_dynamics,
        inverse_dynamics_checked,
        inverse_dynamics_in_four_lanes,
        forward_dynamics_from_joints,
        forward_dynamics_from_platform,
        forward_dynamics_in_four_lanes,
        table_1_coordinate_transformation,
        table_1_forward_kinematics,
        table_1_dynamics,
        table_1_mass_matrix,
        jacobian
);

main!(library_benchmark_groups = delta);

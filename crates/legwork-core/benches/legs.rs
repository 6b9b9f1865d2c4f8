//! Instructions against the number of legs: the equation of motion of a platform on
//! 3 to 24 UPS legs. `./ci.sh bench` checks that the cost is linear; the plot is in
//! the book (Speed).
#![allow(missing_docs, unused_qualifications)] // the benchmark macros write such code

use gungraun::{library_benchmark, library_benchmark_group, main};
use legwork_core::engine::chain::frame_with_z;
use legwork_core::engine::legs::UpsLeg;
use legwork_core::engine::{Drive, Leg, Mechanism, MotionSpace, Pose, RigidBody, Ups};
use legwork_core::{Sym3, V3};
use std::hint::black_box;

const MOST: usize = 24;

/// Legs around two circles, leaning alternately, as many as asked for.
fn described(count: usize) -> Vec<UpsLeg<f64>> {
    let body = |mass: f64, z: f64| RigidBody {
        mass,
        centre: V3::new(0.0, 0.0, z),
        inertia: Sym3 { diagonal: V3::new(0.05, 0.05, 0.003), off: V3::zero() },
    };
    (0..count)
        .map(|i| {
            let turn = i as f64 * std::f64::consts::TAU / count as f64;
            let lean = if i % 2 == 0 { 0.3 } else { -0.3 };
            let on = |radius: f64, angle: f64| V3::new(radius * angle.cos(), radius * angle.sin(), 0.0);
            UpsLeg {
                base: Pose::new(frame_with_z(on(1.0, turn + 1.5)), on(0.6, turn)),
                platform_point: on(0.35, turn + lean),
                cylinder: body(2.4, 0.22),
                rod: body(1.1, -0.26),
                first: None,
                slide: Drive::ideal(),
            }
        })
        .collect()
}

fn closed_form(count: usize) -> Vec<Ups<f64>> {
    described(count).iter().map(Ups::new).collect()
}

fn chains(count: usize) -> Vec<Leg<f64, 3>> {
    described(count).iter().map(UpsLeg::leg).collect()
}

fn platform() -> RigidBody<f64> {
    RigidBody { mass: 14.0, centre: V3::new(0.01, -0.015, 0.06), inertia: Sym3::scalar(0.6) }
}

macro_rules! equation_of_motion {
    ($legs:expr) => {{
        let legs = $legs;
        let robot: Mechanism<'_, f64, _, 6, MOST> = Mechanism {
            platform: platform(),
            legs: black_box(&legs),
            space: MotionSpace::full(),
            gravity: V3::along_z(-9.81),
        };
        let pose = Pose::translation(V3::new(0.02, -0.03, 0.55));
        let found = black_box(&robot).task_dynamics(black_box(&pose), &[0.1, -0.2, 0.3, 0.4, -0.1, 0.2]);
        black_box(found.value.mass[5][5] + found.value.coriolis[0])
    }};
}

#[library_benchmark]
#[benches::legs(args = [3, 6, 9, 12, 16, 20, 24], setup = closed_form)]
fn closed(legs: Vec<Ups<f64>>) -> f64 {
    equation_of_motion!(legs)
}

#[library_benchmark]
#[benches::legs(args = [3, 6, 9, 12, 16, 20, 24], setup = chains)]
fn general(legs: Vec<Leg<f64, 3>>) -> f64 {
    equation_of_motion!(legs)
}

library_benchmark_group!(name = legs; benchmarks = closed, general);

main!(library_benchmark_groups = legs);

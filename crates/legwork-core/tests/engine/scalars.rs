//! The engine in every scalar: lanes and traces equal `f64` to the bit, `f32` to
//! its digits, and the tracer's operation counts are kept as snapshots.

use crate::engine_support as support;
use legwork_core::engine::{Hexapod, Pose, Robot, Twist, Wrench};
use legwork_core::lanes::f64x4;
use legwork_core::trace::Tape;
use legwork_core::{Real, Trace, V3};
use legwork_testkit::{golden, nan_max, relative_error};
use serde_json::Value;

/// Efforts and accelerations of a robot in scalar `T`, at four golden states.
fn results<T: Real, const N: usize, const M: usize, const D: usize, const K: usize>(
    robot: &Robot<T, N, M, D, K>,
    pose: &Pose<T>,
    [rate, acceleration]: [[T; D]; 2],
    tau: &[T; K],
) -> Vec<T> {
    let m = robot.mechanism();
    let motion = legwork_core::engine::PlatformMotion { pose: *pose, rate, acceleration };
    let effort = m.inverse_dynamics(&motion, Wrench::zero()).value;
    let forward = m.direct_dynamics(pose, &rate, tau, Wrench::zero()).value;
    let joint = m.task_dynamics(pose, &rate).value.joint_dynamics().value;
    [
        effort.effort.to_vec(),
        effort.acceleration.to_vec(),
        forward.joint.to_vec(),
        joint.mass.concat(),
        joint.coriolis.to_vec(),
    ]
    .concat()
}

fn scalars<const N: usize, const M: usize, const D: usize, const K: usize>(
    name: &str,
    robot: &Robot<f64, N, M, D, K>,
) {
    let file = golden(name);
    let states: &Vec<Value> = file["states"].as_array().unwrap();
    let (wide, small) = (robot.map(f64x4::splat), robot.map(f32::from_f64));
    let mut worst = 0.0;
    for four in states.chunks(4) {
        let lane = |f: &dyn Fn(&Value) -> f64| f64x4::new(std::array::from_fn(|i| f(&four[i])));
        let at = |pointer: &str| -> [f64x4; D] {
            std::array::from_fn(|d| lane(&|s| support::array::<D>(s, pointer)[d]))
        };
        let mut k = 0;
        let pose = support::pose(&four[0]).map(|_| {
            k += 1;
            lane(&|s| {
                let p = support::pose(s);
                let all = [p.rotation.to_rows().concat(), p.position.to_array().to_vec()].concat();
                all[k - 1]
            })
        });
        let tau = std::array::from_fn(|j| lane(&|s| support::array::<K>(s, "/forward/effort")[j]));
        let motion = [at("/platform/twist"), at("/platform/acceleration")];
        let lanes = results(&wide, &pose, motion, &tau);
        for (i, state) in four.iter().enumerate() {
            let motion =
                [support::array(state, "/platform/twist"), support::array(state, "/platform/acceleration")];
            let tau = support::array(state, "/forward/effort");
            let plain = results(robot, &support::pose(state), motion, &tau);
            for (a, b) in lanes.iter().zip(&plain) {
                assert_eq!(a.to_array()[i].to_bits(), b.to_bits(), "{name}");
            }
            let single = results(
                &small,
                &support::pose(state).map(f32::from_f64),
                motion.map(|m| m.map(f32::from_f64)),
                &tau.map(f32::from_f64),
            );
            let single: Vec<f64> = single.into_iter().map(f64::from).collect();
            worst = nan_max(worst, relative_error(&single, &plain));
        }
    }
    println!("{name:20} f32 {worst:.1e}");
    // 6e-8 per operation, some 100 operations deep; relative to the largest number of the state.
    assert!(worst < 1e-5, "{name}: f32 is off by {worst:.1e}");
}

#[test]
fn every_family_in_lanes_and_in_f32() {
    scalars("gough_stewart.json", &support::gough(&golden("gough_stewart.json")).robot());
    scalars("space_radial.json", &support::space(&golden("space_radial.json")).robot());
    scalars("c5.json", &support::c5(&golden("c5.json")).robot());
    scalars("hexa.json", &support::hexa(&golden("hexa.json")).robot());
    scalars("linear_delta.json", &support::linear_delta(&golden("linear_delta.json")).robot());
    scalars("fivebar.json", &support::five_bar(&golden("fivebar.json")).robot());
    scalars("rrr3.json", &support::rrr3(&golden("rrr3.json")).robot());
}

fn inputs<'t, const N: usize>(tape: &'t Tape, name: &str) -> [Trace<'t>; N] {
    std::array::from_fn(|i| tape.input(&format!("{name}{i}")))
}

/// Hexapod efforts or accelerations from 12 + 6 + 6 numbers.
fn hexapod_formula<T: Real>(hexapod: &Hexapod<T>, inverse: bool, u: &[T]) -> Vec<T> {
    let mut next = u.iter().copied();
    let mut take = || next.next().unwrap();
    let pose = Pose::<T>::identity().map(|_| take());
    let mut six = || Twist::from_vector_linear_first(std::array::from_fn(|_| take()));
    let (v, a) = (six(), six());
    if inverse {
        hexapod.inverse_dynamics(&pose, v, a, Wrench::zero()).value.to_vec()
    } else {
        let tau = a.to_vector_linear_first();
        hexapod
            .direct_dynamics(&pose, v, &tau, Wrench::zero())
            .value
            .platform
            .to_vector_linear_first()
            .to_vec()
    }
}

/// What one evaluation of the golden hexapod costs with its numbers folded in: change it knowingly.
#[test]
fn operation_counts() {
    let file = golden("gough_stewart.json");
    let hexapod = support::gough(&file).hexapod();
    let expected = [(true, INVERSE), (false, DIRECT)];
    for (inverse, snapshot) in expected {
        let tape = Tape::new();
        let traced = hexapod.map(Trace::from_f64);
        let u = [inputs::<12>(&tape, "pose").to_vec(), inputs::<12>(&tape, "rest").to_vec()].concat();
        let outputs = hexapod_formula(&traced, inverse, &u);
        assert_eq!(tape.count(&outputs).to_string(), snapshot);
        for state in file["states"].as_array().unwrap() {
            let pose = support::pose(state);
            let values = [
                pose.rotation.to_rows().concat(),
                pose.position.to_array().to_vec(),
                support::array::<6>(state, "/platform/twist").to_vec(),
                support::array::<6>(state, "/platform/acceleration").to_vec(),
            ]
            .concat();
            let bits = |v: Vec<f64>| v.iter().map(|x| (x + 0.0).to_bits()).collect::<Vec<_>>(); // 0 has no sign here
            let direct = hexapod_formula(&hexapod, inverse, &values);
            assert_eq!(bits(tape.evaluate(&outputs, &values).unwrap()), bits(direct));
        }
    }
}

const INVERSE: &str = "flops 1995 | mul 1113 | add 842 | div 23 | sqrt 17 | sin 0 | cos 0 | atan2 0 | select 10 | neg 5 | abs 0 | lt 10";
const DIRECT: &str = "flops 2200 | mul 1246 | add 919 | div 23 | sqrt 12 | sin 0 | cos 0 | atan2 0 | select 0 | neg 0 | abs 0 | lt 0";

/// The general chain records too: a C5 leg by leg.
#[test]
fn a_chain_can_be_recorded() {
    let robot = support::c5(&golden("c5.json")).robot();
    let tape = Tape::new();
    let traced = robot.map(Trace::from_f64);
    let mut numbers = inputs::<12>(&tape, "pose").into_iter();
    let pose = Pose::<Trace<'_>>::identity().map(|_| numbers.next().unwrap());
    let q = traced.mechanism().kinematics(&pose).value.coordinates();
    let at = Pose::translation(V3::new(0.05, 0.06, 0.07));
    let values = [at.rotation.to_rows().concat(), at.position.to_array().to_vec()].concat();
    let found = tape.evaluate(&q, &values).unwrap();
    assert_eq!(found, robot.mechanism().inverse_kinematics(&at).unwrap().to_vec());
}

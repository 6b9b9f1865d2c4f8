//! Generated regulator steps beside the library's regulator under its supervisor, sample by sample: robots in closed form, legs
//! that are searched for, and mechanisms.

use legwork::AnyRobot;
use legwork_codegen::{CodegenRequest, Function, Quantity};
use legwork_core::control::{
    Guard, Limits, Measured, Platform, Reference, Regulator, SafeCommand, Settings, Supervisor,
};
use legwork_core::engine::{Pose, Twist};
use legwork_core::{M3, V3};
use legwork_testkit::relative_error;
use std::collections::BTreeMap;

const STEP: f64 = 1e-3;
/// Samples, and the one at which a sensor jumps.
const SAMPLES: usize = 40;
const JUMP: usize = 25;

/// The platform on a short way along its first freedom that is a translation, or about that that is a turn.
fn platform(robot: &AnyRobot, sample: usize) -> Platform<f64> {
    let freedom = robot.freedoms().iter().map(|freedom| freedom.component).min().unwrap();
    let (amplitude, w) = (0.02 * if freedom < 3 { robot.length() } else { 1.0 }, 8.0);
    let (s, c) = (w * sample as f64 * STEP).sin_cos();
    let along = |x: f64| {
        let mut six = [0.0; 6];
        six[freedom] = x;
        Twist::from_vector_linear_first(six)
    };
    let home = robot.home();
    let [x, y, z] = home.rotation.map(V3::from);
    let home = Pose::new(M3::from_rows(x, y, z), home.position.into());
    Platform {
        pose: home.moved(&along(amplitude * s)),
        twist: along(amplitude * w * c),
        acceleration: along(-amplitude * w * w * s),
    }
}

/// What both judge a sample by.
fn guard<const K: usize>() -> Guard<f64, K> {
    Guard {
        low: [-50.0; K],
        high: [50.0; K],
        speed: [20.0; K],
        reading: [0.0; K],
        tracking: [0.2; K],
        interval: 2e-3,
        margin: 1e-6,
        agreement: 1e-3,
        safe: SafeCommand::RampDown { time: 0.02 },
    }
}

/// Runs both and compares.
fn compare<const K: usize>(robot: &AnyRobot, quantity: Quantity) {
    let name = format!("{} {quantity:?}", robot.name());
    let (model, _) = robot.control_model().unwrap();
    let request =
        CodegenRequest { what: vec![quantity], name: Some("r".into()), ..CodegenRequest::default() };
    let function: Function = request.run_for(robot).unwrap().functions.remove(0);
    let computed = quantity == Quantity::ComputedTorque;
    let (kp, kd) = if computed { (900.0, 60.0) } else { (300.0, 6.0) };
    let settings = if computed {
        Settings::computed_torque(30.0, 1.0)
    } else {
        Settings::pd([kp; K], [kd; K]).with_model()
    };
    let settings = settings.with_limits(Limits { effort: [1e4; K], rate: [1e9; K] });
    let start = Reference::at(&model, &platform(robot, 0)).value;
    let regulator = Regulator::new(model, settings, &start).unwrap();
    let mut supervisor = Supervisor::new(regulator, guard(), &start).unwrap();
    // What is kept from sample to sample: zeros, and where the searches begin.
    let first = request.vectors_for(robot, |_| 1).unwrap().remove(0).remove(0);
    let mut kept: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let mut at = 0;
    for group in function.arguments() {
        if function.outputs.iter().any(|other| other.name == group.name) {
            kept.insert(group.name, first.inputs[at..at + group.count()].to_vec());
        }
        at += group.count();
    }
    kept.insert("state", vec![0.0; 3 * K + 3]);
    let places: Vec<usize> = robot.freedoms().iter().map(|freedom| freedom.component).collect();
    // The robot stands at home when it begins.
    let home = robot.home();
    let shifts = || places.iter().filter(|place| **place < 3).map(|place| home.position[*place]).collect();
    kept.entry("seen_position").and_modify(|list| *list = shifts());
    kept.entry("seen_rotation").and_modify(|list| *list = home.rotation.as_flattened().to_vec());
    kept.entry("seen_angle").and_modify(|list| *list = vec![0.0]);
    let mut faults = 0;
    for n in 0..SAMPLES {
        let platform = platform(robot, n);
        let wanted = Reference::at(&model, &platform).value;
        let mut q: [f64; K] = wanted.q.map(|q| q - 1e-3);
        if n >= JUMP {
            q[K - 1] += 0.4;
        }
        let qdot = wanted.qdot.map(|x| x * 0.99);
        let expected = supervisor.update(&wanted, Some(&Measured { q, qdot: Some(qdot) }), STEP);
        let mut inputs = Vec::new();
        for group in function.arguments() {
            let six = |twist: Twist<f64>| -> Vec<f64> {
                let six = twist.to_vector_linear_first();
                if group.count() == 6 {
                    six.to_vec()
                } else {
                    places.iter().map(|place| six[*place]).collect()
                }
            };
            let position = platform.pose.position.to_array();
            let list: Vec<f64> = match group.name {
                "position" if group.count() == 3 => position.to_vec(),
                "position" => {
                    places.iter().filter(|place| **place < 3).map(|place| position[*place]).collect()
                }
                "rotation" => platform.pose.rotation.to_rows().as_flattened().to_vec(),
                "angle" => vec![0.0],
                "velocity" => six(platform.twist),
                "acceleration" => six(platform.acceleration),
                "measured_q" => q.to_vec(),
                "measured_qd" => qdot.to_vec(),
                "kp" => vec![kp; K],
                "kd" => vec![kd; K],
                "effort_limit" => vec![1e4; K],
                "rate_limit" => vec![1e9; K],
                "low" => vec![-50.0; K],
                "high" => vec![50.0; K],
                "speed_limit" => vec![20.0; K],
                "reading" => vec![0.0; K],
                "tracking" => vec![0.2; K],
                "dt" => vec![STEP],
                "interval" => vec![2e-3],
                "least_margin" => vec![1e-6],
                "ramp" => vec![0.02],
                other => kept[other].clone(),
            };
            assert_eq!(list.len(), group.count(), "{name}: {}", group.name);
            inputs.extend(list);
        }
        let found = function.evaluate(&inputs);
        let fault = found[function.output_place("fault").unwrap()];
        assert_eq!(fault > 0.0, expected.fault.is_some(), "{name}, sample {n}: {fault} {:?}", expected.fault);
        faults += usize::from(fault > 0.0);
        let error = relative_error(&[&found[..K], &[1.0]].concat(), &[&expected.effort[..], &[1.0]].concat());
        assert!(error < 1e-9, "{name}, sample {n}: {error:e} {:?} {:?}", &found[..K], expected.effort);
        for (group, list) in &mut kept {
            let start = function.output_place(group).unwrap();
            let len = list.len();
            list.copy_from_slice(&found[start..start + len]);
        }
    }
    assert_eq!(faults, SAMPLES - JUMP, "{name}");
}

#[test]
fn steps_are_those_of_the_library() {
    let chains = concat!(env!("CARGO_MANIFEST_DIR"), "/../legwork/tests/chains/3-prrs.toml");
    for quantity in [Quantity::Regulator, Quantity::ComputedTorque] {
        for name in ["linear-delta", "planar-3rrr", "tricept", "orthoglide"] {
            compare::<3>(&AnyRobot::open(name).unwrap(), quantity);
        }
        compare::<2>(&AnyRobot::open("five-bar").unwrap(), quantity);
        compare::<4>(&AnyRobot::open("quattro").unwrap(), quantity);
        for name in ["gough-stewart", "hexa", chains] {
            compare::<6>(&AnyRobot::open(name).unwrap(), quantity);
        }
    }
}

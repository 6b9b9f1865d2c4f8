//! The recorded programs against the library, robot by robot: to the bit, and searches to 1e-14 of what their inputs do.

use legwork::description::BUILT_IN;
use legwork::random::Random;
use legwork::rotation::IDENTITY;
use legwork::{AnyRobot, PlatformState};
use legwork_codegen::{CodegenRequest, Function, Quantity, Vector};
use legwork_testkit::{largest, nan_max, relative_error_above};

fn function(robot: &AnyRobot, quantity: Quantity) -> Option<Function> {
    let request =
        CodegenRequest { what: vec![quantity], name: Some("r".into()), ..CodegenRequest::default() };
    request.run_for(robot).ok().map(|generated| generated.functions[0].clone())
}

/// The state that inputs of a function mean, for robots of legs and Deltas.
fn state(robot: &AnyRobot, function: &Function, inputs: &[f64]) -> PlatformState {
    let home = robot.home();
    let (mut position, mut rotation) = (home.position, home.rotation);
    let (mut twist, mut acceleration) = ([0.0; 6], [0.0; 6]);
    let places: Vec<usize> = robot.freedoms().iter().map(|freedom| freedom.component).collect();
    let mut at = 0;
    for group in &function.inputs {
        let part = &inputs[at..at + group.count()];
        at += group.count();
        match group.name {
            "position" => {
                let own = places.iter().filter(|place| **place < 3);
                own.zip(part).for_each(|(place, x)| position[*place] = *x);
            }
            "rotation" => {
                for (k, x) in part.iter().enumerate() {
                    rotation[k / 3][k % 3] = *x;
                }
            }
            "angle" => {
                let axis = places.iter().find(|place| **place >= 3).unwrap() - 3;
                let (a, b) = ((axis + 1) % 3, (axis + 2) % 3);
                let mut turn = IDENTITY;
                (turn[a][a], turn[b][b]) = (part[0].cos(), part[0].cos());
                (turn[a][b], turn[b][a]) = (-part[0].sin(), part[0].sin());
                let product = |i: usize, j: usize| (0..3).map(|k| turn[i][k] * home.rotation[k][j]).sum();
                rotation = std::array::from_fn(|i| std::array::from_fn(|j| product(i, j)));
            }
            "velocity" => places.iter().zip(part).for_each(|(place, x)| twist[*place] = *x),
            "acceleration" => places.iter().zip(part).for_each(|(place, x)| acceleration[*place] = *x),
            _ => {}
        }
    }
    PlatformState { twist, acceleration, ..PlatformState::at(position).turned(rotation) }
}

/// What the library answers for a quantity.
fn answer(
    robot: &AnyRobot,
    quantity: Quantity,
    at: &PlatformState,
    function: &Function,
    inputs: &[f64],
) -> Vec<f64> {
    match quantity {
        Quantity::InverseKinematics => robot.inverse_kinematics(at).unwrap().q,
        Quantity::Jacobian => robot.state(at).unwrap().jacobian.concat(),
        Quantity::InverseDynamics => robot.inverse_dynamics(at).unwrap(),
        Quantity::ForwardDynamics => {
            let name = if function.input_place("torque").is_some() { "torque" } else { "effort" };
            let start = function.input_place(name).unwrap();
            let found = robot.forward_dynamics(at, &inputs[start..start + robot.joints().len()]).unwrap();
            [found.platform, found.joint].concat()
        }
        Quantity::MassMatrix => robot.state(at).unwrap().dynamics.unwrap().mass_matrix.concat(),
        Quantity::Gravity => robot.state(at).unwrap().dynamics.unwrap().gravity,
        _ => unreachable!(),
    }
}

const ASKED: [Quantity; 6] = [
    Quantity::InverseKinematics,
    Quantity::Jacobian,
    Quantity::InverseDynamics,
    Quantity::ForwardDynamics,
    Quantity::MassMatrix,
    Quantity::Gravity,
];

/// States of each robot and quantity: few at every push, `LEGWORK_STATES=10000` for the long run.
fn states(few: usize) -> usize {
    std::env::var("LEGWORK_STATES").ok().and_then(|word| word.parse().ok()).unwrap_or(few)
}

fn vectors(robot: &AnyRobot, quantity: Quantity, count: usize) -> Vec<Vector> {
    let request =
        CodegenRequest { what: vec![quantity], name: Some("r".into()), ..CodegenRequest::default() };
    request.vectors_for(robot, |_| count).unwrap().remove(0)
}

/// The same numbers; zeros have no sign.
fn same(found: &[f64], expected: &[f64]) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| a == b)
}

/// The worst error of the first outputs, each relative to itself or, if that is larger, to what the inputs do to it:
/// |error| / max(|o|, Σ |∂o/∂x| |x|). An answer of size 1e-14 is as good as one for inputs that are off by 1e-14 of
/// themselves. Not a number if one of them is not.
fn scaled_error(function: &Function, vector: &Vector, found: &[f64], expected: &[f64]) -> f64 {
    let sensitivities = function.sensitivities(&vector.inputs);
    let errors = found.iter().zip(expected).zip(&sensitivities);
    largest(errors.map(|((a, b), own)| (a - b).abs() / nan_max(b.abs(), own.inputs)))
}

/// Families in closed form: every number is that of the library to the bit, also behind sines and angles, because both ask
/// the same mathematics library.
#[test]
fn straight_formulas_equal_the_library() {
    let (mut robots, mut exact) = (0, 0);
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        if robot.mechanism_model().is_some() || robot.is_followed() {
            continue;
        }
        robots += 1;
        for quantity in ASKED {
            let Some(function) = function(&robot, quantity) else { continue };
            let count = states(6);
            let vectors = vectors(&robot, quantity, count);
            assert_eq!(vectors.len(), count, "{} {quantity:?}", entry.name);
            for vector in &vectors {
                let at = state(&robot, &function, &vector.inputs);
                let expected = answer(&robot, quantity, &at, &function, &vector.inputs);
                let found = &vector.outputs[..expected.len()];
                assert!(same(found, &expected), "{} {quantity:?}: {found:?} {expected:?}", entry.name);
                exact += 1;
            }
        }
    }
    assert!(robots >= 20 && exact >= 800, "{robots} robots, {exact} answers to the bit");
}

/// Forward kinematics ends where that of the library ends: to 1e-14 of what its motors do to it, at the pose of which they are.
#[test]
fn forward_kinematics_is_the_library_s() {
    let mut robots = 0;
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        let Some(function) = function(&robot, Quantity::ForwardKinematics) else { continue };
        if robot.mechanism_model().is_some() {
            continue;
        }
        robots += 1;
        for vector in vectors(&robot, Quantity::ForwardKinematics, states(3)) {
            let q = &vector.inputs[..robot.joints().len()];
            let home = PlatformState::at(robot.home().position).turned(robot.home().rotation);
            let found = robot.forward_kinematics(q, &home).unwrap();
            let places: Vec<usize> = robot.freedoms().iter().map(|freedom| freedom.component).collect();
            let shifts = places.iter().filter(|place| **place < 3).map(|place| found.position[*place]);
            let mut expected: Vec<f64> = shifts.collect();
            if function.output_place("rotation").is_some() {
                expected.extend(found.rotation.as_flattened());
            }
            let error = scaled_error(&function, &vector, &vector.outputs, &expected);
            assert!(error <= 1e-14, "{}: {error:e}", entry.name);
        }
    }
    assert!(robots >= 20, "{robots} robots");
}

/// A search ends where it should: forward kinematics of every robot undoes inverse kinematics.
#[test]
fn searches_end_where_they_should() {
    let mut searches = 0;
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        for quantity in [Quantity::ForwardKinematics, Quantity::InverseKinematics] {
            let Some(function) = function(&robot, quantity) else { continue };
            let Some(gap) = function.iteration.as_ref().and_then(|search| function.output_place(search.gap))
            else {
                continue;
            };
            let vectors = vectors(&robot, quantity, 4);
            assert!(!vectors.is_empty(), "{} {quantity:?} has no state", entry.name);
            for vector in &vectors {
                let gap = vector.outputs[gap];
                assert!(gap <= 1e-10, "{} {quantity:?}: gap {gap:e}", entry.name);
                searches += 1;
            }
        }
    }
    assert!(searches >= 100, "{searches} searches");
}

/// Mechanisms: efforts, accelerations, mass matrix and Jacobian are those of the library to the bit, at the coordinates that it
/// finds.
#[test]
fn mechanisms_equal_the_library() {
    let mut answers = 0;
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        let Some(model) = robot.mechanism_model() else { continue };
        let count = model.motors().len();
        if !robot.has_masses() || !robot.held_motors().is_empty() || count != robot.freedoms().len() {
            continue;
        }
        let mut workspace = model.workspace();
        let mut random = Random::new(3);
        let home = model.motor_values(model.home());
        let quantities = [
            Quantity::InverseDynamics,
            Quantity::ForwardDynamics,
            Quantity::MassMatrix,
            Quantity::Jacobian,
            Quantity::Gravity,
        ]
        .map(|quantity| (quantity, function(&robot, quantity).unwrap()));
        for _ in 0..states(8) {
            let mut some =
                |size: f64| -> Vec<f64> { (0..count).map(|_| random.uniform(-size, size)).collect() };
            let by = some(0.05 * robot.length().min(1.0));
            let motors: Vec<f64> = home.iter().zip(&by).map(|(home, by)| home + by).collect();
            let (rates, third) = (some(0.3), some(2.0));
            let Ok(at) = model.forward_kinematics(&motors, model.home(), &mut workspace) else { continue };
            for (quantity, function) in &quantities {
                let mut inputs = at.coordinates().to_vec();
                if matches!(quantity, Quantity::InverseDynamics | Quantity::ForwardDynamics) {
                    inputs.extend(rates.iter().chain(&third));
                }
                let none = [0.0; 6];
                let expected = match quantity {
                    Quantity::InverseDynamics => {
                        model.inverse_dynamics(&at, &rates, &third, none, &mut workspace).unwrap()
                    }
                    Quantity::ForwardDynamics => {
                        model.forward_dynamics(&at, &rates, &third, none, &mut workspace).unwrap().motors
                    }
                    Quantity::MassMatrix => model.mass_matrix(&at, &mut workspace).unwrap().concat(),
                    Quantity::Jacobian => model.jacobian(&at, &mut workspace).unwrap().concat(),
                    _ => model.gravity(&at, &mut workspace).unwrap(),
                };
                let outputs = function.evaluate(&inputs);
                let found = &outputs[..expected.len()];
                assert!(same(found, &expected), "{} {quantity:?}: {found:?} {expected:?}", entry.name);
                answers += 1;
            }
        }
    }
    assert!(answers >= 100, "{answers} answers");
}

/// Slopes of the dynamics are those of the library, which differentiates the equation of motion.
#[test]
fn derivatives_equal_the_library() {
    for name in ["delta-industrial", "gough-stewart", "five-bar", "linear-delta"] {
        let robot = AnyRobot::open(name).unwrap();
        let function = function(&robot, Quantity::InverseDerivatives).unwrap();
        for vector in vectors(&robot, Quantity::InverseDerivatives, 2) {
            let at = state(&robot, &function, &vector.inputs);
            let expected = robot.inverse_dynamics_derivatives(&at).unwrap();
            for (group, expected) in [
                ("by_pose", expected.pose),
                ("by_velocity", expected.velocity),
                ("by_acceleration", expected.acceleration),
            ] {
                let start = function.output_place(group).unwrap();
                let error =
                    relative_error_above(&vector.outputs[start..start + expected.len()], &expected, 1e-9);
                assert!(error < 1e-9, "{name} {group}: {error:e}");
            }
        }
    }
}

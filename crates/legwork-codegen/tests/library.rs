//! The recorded programs against the library, robot by robot: to the bit where no trigonometric function is called, else to
//! rounding.

use legwork::description::BUILT_IN;
use legwork::rotation::IDENTITY;
use legwork::{AnyRobot, PlatformState};
use legwork_codegen::{CodegenRequest, Function, Quantity};
use legwork_testkit::relative_error_above;

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

/// Families in closed form: everything but the bits of angles is that of the library.
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
            let vectors =
                CodegenRequest { what: vec![quantity], name: Some("r".into()), ..CodegenRequest::default() }
                    .vectors_for(&robot, 12)
                    .unwrap();
            assert!(vectors[0].len() >= 6, "{} {quantity:?}: {} states", entry.name, vectors[0].len());
            for vector in &vectors[0] {
                let at = state(&robot, &function, &vector.inputs);
                let expected = answer(&robot, quantity, &at, &function, &vector.inputs);
                let found = &vector.outputs[..expected.len()];
                let to_the_bit = !function.has_trigonometry()
                    && matches!(
                        quantity,
                        Quantity::InverseDynamics | Quantity::ForwardDynamics | Quantity::Jacobian
                    );
                if to_the_bit {
                    exact += 1;
                    // Zeros have no sign.
                    assert!(
                        found.iter().zip(&expected).all(|(a, b)| a == b),
                        "{} {quantity:?}: {found:?} {expected:?}",
                        entry.name
                    );
                } else {
                    let error = relative_error_above(found, &expected, 1e-9);
                    assert!(error < 1e-12, "{} {quantity:?}: {error:e}", entry.name);
                }
            }
        }
    }
    assert!(robots >= 20 && exact >= 300, "{robots} robots, {exact} answers to the bit");
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
            let request =
                CodegenRequest { what: vec![quantity], name: Some("r".into()), ..CodegenRequest::default() };
            let vectors = request.vectors_for(&robot, 4).unwrap();
            assert!(!vectors[0].is_empty(), "{} {quantity:?} has no state", entry.name);
            for vector in &vectors[0] {
                assert!(
                    vector.outputs[gap] <= 1e-10,
                    "{} {quantity:?}: gap {:e}",
                    entry.name,
                    vector.outputs[gap]
                );
                searches += 1;
            }
        }
    }
    assert!(searches >= 100, "{searches} searches");
}

/// Motors of mechanisms: efforts are those of the library, at its own coordinates.
#[test]
fn mechanisms_equal_the_library() {
    let mut answers = 0;
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        let Some(model) = robot.mechanism_model() else { continue };
        if !robot.has_masses()
            || !robot.held_motors().is_empty()
            || model.motors().len() != robot.freedoms().len()
        {
            continue;
        }
        let function = function(&robot, Quantity::InverseDynamics).unwrap();
        let count = robot.joints().len();
        let (rates, accelerations) = (vec![0.3; count], vec![-2.0; count]);
        let mut inputs = model.home().coordinates().to_vec();
        inputs.extend(rates.iter().chain(&accelerations));
        let found = function.evaluate(&inputs);
        let mut workspace = model.workspace();
        let expected =
            model.inverse_dynamics(model.home(), &rates, &accelerations, [0.0; 6], &mut workspace).unwrap();
        let error = relative_error_above(&found[..count], &expected, 1e-9);
        assert!(error < 1e-12, "{}: {error:e}", entry.name);
        answers += 1;
    }
    assert!(answers >= 2, "{answers} mechanisms");
}

/// Slopes of the dynamics are those of the library, which differentiates the equation of motion.
#[test]
fn derivatives_equal_the_library() {
    for name in ["delta-industrial", "gough-stewart", "five-bar", "linear-delta"] {
        let robot = AnyRobot::open(name).unwrap();
        let function = function(&robot, Quantity::InverseDerivatives).unwrap();
        let request = CodegenRequest {
            what: vec![Quantity::InverseDerivatives],
            name: Some("r".into()),
            ..CodegenRequest::default()
        };
        for vector in &request.vectors_for(&robot, 2).unwrap()[0] {
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

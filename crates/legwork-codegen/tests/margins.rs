//! The margin of every function of every family: positive where the answer means something, and nowhere else.

use legwork::AnyRobot;
use legwork::description::BUILT_IN;
use legwork_codegen::{CodegenRequest, Function, Quantity};
use legwork_testkit::lowest;

fn request(quantity: Quantity) -> CodegenRequest {
    CodegenRequest { what: vec![quantity], name: Some("r".into()), ..CodegenRequest::default() }
}

fn functions(robot: &AnyRobot) -> Vec<(Quantity, Function)> {
    let long = |quantity: &Quantity| quantity.word().ends_with("derivatives");
    let of =
        |quantity: Quantity| Some((quantity, request(quantity).run_for(robot).ok()?.functions.remove(0)));
    Quantity::ALL.into_iter().filter(|quantity| !long(quantity)).filter_map(of).collect()
}

/// One robot of every family, chains that are searched for, and a mechanism.
fn families() -> Vec<AnyRobot> {
    let chains = concat!(env!("CARGO_MANIFEST_DIR"), "/../legwork/tests/chains/3-prrs.toml");
    let mut seen = Vec::new();
    let mut found = vec![AnyRobot::open(chains).unwrap(), AnyRobot::open("tricept").unwrap()];
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        let family = robot.description().family();
        if robot.has_masses() && robot.mechanism_model().is_none() && !seen.contains(&family) {
            seen.push(family);
            found.push(robot);
        }
    }
    assert!(found.len() >= 10, "{} families", found.len());
    found
}

/// Whether a margin says that there is no answer.
fn is_none(margin: f64) -> bool {
    margin.is_nan() || margin <= 0.0
}

/// Whether a group belongs to the model; gains, limits and memories of a regulator have faults of their own.
fn is_of_model(name: &str) -> bool {
    let own = [
        "position",
        "rotation",
        "angle",
        "velocity",
        "acceleration",
        "joints",
        "coordinates",
        "q",
        "qd",
        "qdd",
    ];
    own.contains(&name) || ["torque", "effort"].contains(&name)
}

/// Numbers that are none, or infinite: either the margin is not positive, or a regulator has its fault, or the number is not read
/// and nothing changes.
#[test]
fn what_is_not_finite_is_told() {
    let mut asked = 0;
    for robot in families() {
        for (quantity, function) in functions(&robot) {
            let margin = function.output_place("margin").unwrap();
            let vector = request(quantity).vectors_for(&robot, |_| 1).unwrap().remove(0).remove(0);
            assert!(vector.outputs[margin] > 1e-3);
            let mut at = 0;
            for group in function.arguments() {
                let own = at..at + group.count();
                at += group.count();
                for k in own.filter(|_| is_of_model(group.name)) {
                    for bad in [f64::NAN, f64::INFINITY] {
                        let mut inputs = vector.inputs.clone();
                        inputs[k] = bad;
                        let found = function.evaluate(&inputs);
                        let place = || format!("{} {quantity:?} {}: {found:?}", robot.name(), group.name);
                        asked += 1;
                        let has_fault = function.output_place("fault").is_some_and(|k| found[k] > 0.0);
                        let is_told = is_none(found[margin]) || has_fault;
                        assert!(is_told || found == vector.outputs, "{}", place());
                    }
                }
            }
        }
    }
    assert!(asked > 1_000, "{asked} inputs");
}

/// A platform far away, and motors far away: no margin.
#[test]
fn out_of_reach_is_told() {
    let mut asked = 0;
    for robot in families() {
        for (quantity, function) in functions(&robot) {
            let margin = function.output_place("margin").unwrap();
            let vector = request(quantity).vectors_for(&robot, |_| 1).unwrap().remove(0).remove(0);
            let Some(start) = function.input_place("position") else { continue };
            // Rods without an end, slides that go on for ever: those robots reach everything.
            let endless = ["gough-stewart", "space", "c5"].iter().any(|word| robot.name().contains(word));
            let of_search = function.input_place("q") == Some(0);
            if endless || of_search {
                continue;
            }
            let mut inputs = vector.inputs.clone();
            let count = function.inputs.iter().find(|group| group.name == "position").unwrap().count();
            (start..start + count).for_each(|k| inputs[k] += 40.0 * robot.length());
            let found = function.evaluate(&inputs)[margin];
            asked += 1;
            assert!(is_none(found), "{} {quantity:?}: {found}", robot.name());
        }
    }
    assert!(asked > 40, "{asked} functions");
}

/// A platform that is turned about z until the motors of a symmetrical hexapod do not hold it: also the margins of torque and
/// acceleration come to zero.
#[test]
fn parallel_singularities_are_told_by_all() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    for quantity in [
        Quantity::InverseKinematics,
        Quantity::Jacobian,
        Quantity::InverseDynamics,
        Quantity::ForwardDynamics,
        Quantity::MassMatrix,
        Quantity::JointMotion,
    ] {
        let function = request(quantity).run_for(&robot).unwrap().functions.remove(0);
        let margin = function.output_place("margin").unwrap();
        let margins: Vec<f64> = (0..160)
            .map(|k| {
                let (s, c) = (f64::from(k) * 0.0125).sin_cos();
                let mut inputs = vec![0.0; function.input_count()];
                inputs[..3].copy_from_slice(&robot.home().position);
                inputs[3..12].copy_from_slice(&[c, -s, 0.0, s, c, 0.0, 0.0, 0.0, 1.0]);
                function.evaluate(&inputs)[margin]
            })
            .collect();
        let least = lowest(&margins);
        assert!(margins[0] > 1e-2, "{quantity:?} at home: {}", margins[0]);
        assert!(least < 0.03 * margins[0], "{quantity:?}: {least} of {}", margins[0]);
    }
}

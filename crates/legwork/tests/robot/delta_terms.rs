//! What the papers call the parts of a Delta's equations, and direct dynamics: each held by another way to it.

use legwork::coordinates::{ACCELERATION, CoordinateSchema, Group, POSE, VELOCITY, Values};

use legwork::task::{MotionTask, RobotRequest, StateParts, StateTask};
use legwork::{AnyRobot, DeltaTerms, PlatformState};
use legwork_testkit::gap;

fn moving() -> PlatformState {
    PlatformState::at([0.08, -0.05, -0.78]).moving([1.0, -0.7, 0.4], [12.0, -5.0, 20.0])
}

fn times(rows: &[[f64; 3]; 3], v: &[f64]) -> Vec<f64> {
    rows.iter().map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
}

#[test]
fn j_x_and_j_q_make_the_jacobian_and_its_rate_the_acceleration() {
    for name in ["delta-industrial", "delta-direct-drive", "klipper-rotary-delta"] {
        let robot = AnyRobot::open(name).expect("built in");
        let mut state = robot.home();
        state.position[0] += 0.02;
        state.twist[..3].copy_from_slice(&[0.3, -0.2, 0.25]);
        state.acceleration[..3].copy_from_slice(&[1.0, 2.0, -3.0]);
        let terms = robot.delta_terms(&state, DeltaTerms::STEP).expect("in reach").expect("a Delta");
        let joints = robot.joints_from_platform(&state).expect("in reach");
        // J_x v = J_q qd
        let left = times(&terms.j_x, &state.twist[..3]);
        let right = terms.j_q.iter().zip(&joints.qd).map(|(a, b)| a * b);
        assert!(gap(&left, right.collect::<Vec<_>>()) < 1e-13, "{name}");
        // a = J qdd + J' qd
        let exact = robot.jacobian(&state).expect("regular");
        let rate = times(&terms.jacobian_rate, &joints.qd);
        let found = exact
            .iter()
            .zip(rate)
            .map(|(row, rate)| row.iter().zip(&joints.qdd).map(|(a, b)| a * b).sum::<f64>() + rate);
        assert!(gap(found.collect::<Vec<_>>(), &state.acceleration[..3]) < 1e-11, "{name}");
        // a difference of the rate along the motion
        let h = 1e-6;
        let at = |h: f64| {
            let mut state = state;
            (0..3).for_each(|k| state.position[k] += h * state.twist[k]);
            robot.jacobian(&state).expect("regular").concat()
        };
        let rate: Vec<f64> = at(h).iter().zip(at(-h)).map(|(a, b)| (a - b) / (2.0 * h)).collect();
        assert!(gap(rate, terms.jacobian_rate.as_flattened()) < 1e-7, "{name}");
        // numerical J
        let off = gap(terms.numerical_jacobian.as_flattened(), exact.concat());
        assert!(off < 1e-6 && gap([off], [terms.numerical_error]) < 1e-12, "{name}: {off}");
        let coarse = robot.delta_terms(&state, 1e-2).expect("in reach").expect("a Delta");
        assert!(coarse.numerical_error > 100.0 * terms.numerical_error, "{name}");
    }
}

/// The functions of the paper itself, whose legs stand at 0, 120 and 240 deg.
#[test]
fn angles_and_multipliers_are_those_of_ngoc_and_kim() {
    let robot = AnyRobot::open("delta-industrial").expect("built in");
    let state = moving();
    let terms = robot.delta_terms(&state, 1e-7).expect("in reach").expect("a Delta");
    let model = robot.as_delta().expect("with masses").to_ngoc_kim();
    let (p, v, a) = (state.position, [1.0, -0.7, 0.4], [12.0, -5.0, 20.0]);
    let angles = model.limb_angles(p.into()).value.to_array();
    let expected = angles.map(|limb| [limb.theta1, limb.theta2, limb.theta3]);
    assert!(gap(terms.theta.as_flattened(), expected.as_flattened()) < 1e-13);
    let lambda = model.inverse_dynamics(p.into(), v.into(), a.into()).value.multipliers.to_array();
    let found = terms.multipliers.expect("with masses");
    assert!(gap(found, lambda) < 1e-10, "{found:?} for {lambda:?}");
    assert_eq!(AnyRobot::open("hexa").expect("built in").delta_terms(&state, 1e-7), Ok(None));
}

/// Torques of a motion give that motion back, for every kind of robot.
#[test]
fn direct_dynamics_undoes_inverse_dynamics() {
    for name in
        ["delta-industrial", "gough-stewart", "five-bar", "planar-3rrr", "space-radial", "linear-delta"]
    {
        let request = RobotRequest::named(name);
        let open = |parts| MotionTask::open(&request, parts, None, false).expect("built in");
        let (torque, direct) = (open(StateParts::Efforts), open(StateParts::Accelerations));
        let schema = CoordinateSchema::of(&torque.robot);
        let mut row = Values::default();
        let count = torque.robot.freedoms().len();
        let home = torque.robot.home();
        let orientation = schema.angles(&home.rotation);
        let pose: Vec<f64> = schema.home_position().into_iter().chain(orientation).collect();
        schema.fill(&mut row, "", POSE, &pose).expect("a pose");
        let numbers = |scale: f64| (1..=count).map(|k| scale * k as f64).collect::<Vec<_>>();
        schema.fill(&mut row, "", VELOCITY, &numbers(0.02)).expect("a velocity");
        let mut at_rest = row.clone();
        schema.fill(&mut row, "", ACCELERATION, &numbers(0.5)).expect("an acceleration");
        let asked = torque.answer(&row).expect("an answer").state;
        let effort = asked.dynamics.expect("with masses").motor;
        schema.fill(&mut at_rest, "", &[Group::Efforts], &effort).expect("efforts");
        let found = direct.answer(&at_rest).expect("an answer").state;
        let scale = 1.0 + asked.platform.acceleration.iter().fold(0.0, |a: f64, b| a + b.abs());
        assert!(gap(found.platform.acceleration, asked.platform.acceleration) < 1e-9 * scale, "{name}");
        assert!(gap(found.qdd, asked.qdd) < 1e-8 * scale, "{name}");
        assert!(direct.answers(&row).is_err(), "{name}: efforts are missing");
    }
}

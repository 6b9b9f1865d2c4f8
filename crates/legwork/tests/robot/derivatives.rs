//! Derivatives of the dynamics against differences of the dynamics, and against the linear model at rest.

use crate::robot_support::{Seeded, some_state};
use legwork::analysis::linear::{Coordinates, Reduced};
use legwork::description::BUILT_IN;
use legwork::{AnyRobot, PlatformState, RobotError};
use legwork_testkit::relative_error_above;

/// Half a step of the differences \[m, rad, m/s, rad/s\].
const STEP: f64 = 1e-5;

/// The state with its platform a step further along a freedom, and along all that follows from it: the motors are moved by
/// what their rates say.
fn stepped(
    robot: &AnyRobot,
    state: &PlatformState,
    component: usize,
    by: f64,
) -> Result<PlatformState, RobotError> {
    let mut unit = PlatformState::at(state.position).turned(state.rotation);
    unit.twist[component] = 1.0;
    let motion = robot.joints_from_platform(&unit)?;
    let q: Vec<f64> = motion.q.iter().zip(&motion.qd).map(|(q, rate)| q + rate * by).collect();
    let place = robot.forward_kinematics(&q, state)?;
    Ok(PlatformState { position: place.position, rotation: place.rotation, ..*state })
}

fn quicker(state: &PlatformState, component: usize, by: f64) -> PlatformState {
    let mut state = *state;
    state.twist[component] += by;
    state
}

/// A matrix by rows whose columns are central differences along the freedoms.
fn differences(
    robot: &AnyRobot,
    rows: usize,
    mut answer: impl FnMut(usize, f64) -> Result<Vec<f64>, RobotError>,
) -> Result<Vec<f64>, RobotError> {
    let freedoms = robot.freedoms();
    let mut matrix = vec![f64::NAN; rows * freedoms.len()];
    for (j, freedom) in freedoms.iter().enumerate() {
        let (more, less) = (answer(freedom.component, STEP)?, answer(freedom.component, -STEP)?);
        for i in 0..rows {
            matrix[i * freedoms.len() + j] = (more[i] - less[i]) / (2.0 * STEP);
        }
    }
    Ok(matrix)
}

fn compare(what: &str, found: &[f64], expected: &[f64], tolerance: f64) {
    let largest = legwork_testkit::largest(expected);
    let error = relative_error_above(found, expected, 1e-3 * largest.max(1e-6));
    assert!(error < tolerance, "{what}: {error:e}\n{found:?}\n{expected:?}");
}

/// A state that the robot has, with all that follows from its freedoms.
fn own_state(robot: &AnyRobot, random: &mut Seeded) -> Option<PlatformState> {
    (0..20).find_map(|_| {
        let state = some_state(robot, random);
        let q = robot.inverse_kinematics(&state).ok()?.q;
        let place = robot.forward_kinematics(&q, &state).ok()?;
        let state = PlatformState { position: place.position, rotation: place.rotation, ..state };
        robot.inverse_dynamics(&state).is_ok().then_some(state)
    })
}

#[test]
fn of_every_robot_are_the_differences_of_its_dynamics() {
    let mut seen = 0;
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        let name = robot.name().to_owned();
        if !robot.has_masses() {
            continue;
        }
        let mut random = Seeded(31);
        let Some(state) = own_state(&robot, &mut random) else { panic!("{name} has no such state") };
        let effort = robot.inverse_dynamics(&state).unwrap();
        let forward =
            |state: &PlatformState| robot.forward_dynamics(state, &effort).map(|found| found.platform);
        let found = robot.forward_dynamics_derivatives(&state, &effort).unwrap();
        let freedoms = robot.freedoms().len();
        let pose = differences(&robot, freedoms, |k, by| forward(&stepped(&robot, &state, k, by)?)).unwrap();
        compare(&format!("{name}: pose"), &found.pose, &pose, 1e-5);
        let velocity = differences(&robot, freedoms, |k, by| forward(&quicker(&state, k, by))).unwrap();
        compare(&format!("{name}: velocity"), &found.velocity, &velocity, 1e-6);
        // Efforts and wrench are linear: whole steps.
        let before = forward(&state).unwrap();
        for k in 0..effort.len() {
            let mut more = effort.clone();
            more[k] += 1.0;
            let after = robot.forward_dynamics(&state, &more).unwrap().platform;
            let slope: Vec<f64> = after.iter().zip(&before).map(|(a, b)| a - b).collect();
            let column: Vec<f64> = (0..freedoms).map(|i| found.effort[i * effort.len() + k]).collect();
            compare(&format!("{name}: effort {k}"), &column, &slope, 1e-7);
        }
        let wrench = differences(&robot, freedoms, |k, by| {
            let mut pulled = state;
            pulled.wrench[k] += by * 1e5;
            forward(&pulled).map(|list| list.iter().map(|x| x * 1e-5).collect())
        })
        .unwrap();
        compare(&format!("{name}: wrench"), &found.wrench, &wrench, 1e-7);
        seen += 1;
        if effort.len() != freedoms {
            let refused = robot.inverse_dynamics_derivatives(&state).unwrap_err();
            assert!(matches!(refused, RobotError::Redundant { .. }), "{refused}");
            continue;
        }
        let found = robot.inverse_dynamics_derivatives(&state).unwrap();
        let inverse = |state: &PlatformState| robot.inverse_dynamics(state);
        let pose = differences(&robot, freedoms, |k, by| inverse(&stepped(&robot, &state, k, by)?)).unwrap();
        compare(&format!("{name}: efforts by pose"), &found.pose, &pose, 1e-5);
        let velocity = differences(&robot, freedoms, |k, by| inverse(&quicker(&state, k, by))).unwrap();
        compare(&format!("{name}: efforts by velocity"), &found.velocity, &velocity, 1e-5);
        let acceleration = differences(&robot, freedoms, |k, by| {
            let mut harder = state;
            harder.acceleration[k] += by * 1e5;
            inverse(&harder).map(|list| list.iter().map(|x| x * 1e-5).collect())
        })
        .unwrap();
        compare(&format!("{name}: efforts by acceleration"), &found.acceleration, &acceleration, 1e-7);
        let jacobian = robot.jacobian(&state).unwrap();
        let transposed: Vec<f64> =
            (0..freedoms).flat_map(|k| jacobian.iter().map(move |row| -row[k])).collect();
        compare(&format!("{name}: efforts by wrench"), &found.wrench, &transposed, 1e-9);
    }
    assert!(seen > 25, "{seen}");
}

#[test]
fn at_rest_are_those_of_the_linear_model() {
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() {
            continue;
        }
        let home = robot.home();
        let linear = Reduced::within(&robot, &home, Coordinates::Platform).unwrap();
        let found = robot.forward_dynamics_derivatives(&home, &linear.hold).unwrap();
        let inverse = linear.mass.clone().try_inverse().unwrap();
        let rows = |m: legwork::analysis::linear::DMatrix<f64>| m.transpose().as_slice().to_vec();
        let name = robot.name();
        compare(&format!("{name}: stiffness"), &found.pose, &rows(-(&inverse * &linear.stiffness)), 1e-7);
        compare(&format!("{name}: damping"), &found.velocity, &rows(-(&inverse * &linear.damping)), 1e-7);
        compare(&format!("{name}: input"), &found.effort, &rows(&inverse * &linear.input), 1e-9);
    }
}

#[test]
fn a_state_that_cannot_be_is_refused() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let (home, effort) = (robot.home(), [0.0; 6]);
    assert!(robot.forward_dynamics_derivatives(&home, &effort[..5]).is_err());
    let mut nan = home;
    nan.twist[4] = f64::NAN;
    assert!(robot.forward_dynamics_derivatives(&nan, &effort).is_err());
    assert!(robot.inverse_dynamics_derivatives(&nan).is_err());
    let delta = AnyRobot::open("delta-industrial").unwrap();
    let far = PlatformState::at([0.0, 0.0, -9.0]);
    assert!(delta.forward_dynamics_derivatives(&far, &effort[..3]).is_err());
    assert!(delta.inverse_dynamics_derivatives(&far).is_err());
}

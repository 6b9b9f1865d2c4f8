//! A Delta with a fourth axis, against the Delta without it and the energies.

use crate::robot_support::{Seeded, some_state};
use crate::support::{halves, joined, minus, with};
use legwork::description::ModelError;
use legwork::{AnyRobot, PlatformState, rotation_from_roll_pitch_yaw};
use legwork_testkit::relative_error_above as error;

/// The first three motors of a Delta with a fourth axis do what those of the Delta do, the fourth turns what turns.
#[test]
fn the_fourth_axis_leaves_the_other_three_alone() {
    let (three, four) = (with("delta-industrial", "", ""), AnyRobot::open("delta-four-axis").unwrap());
    assert_eq!(four.joints().len(), 4);
    let names: Vec<_> = four.freedoms().iter().map(|freedom| freedom.coordinate).collect();
    assert_eq!(names, ["x", "y", "z", "rz"]);
    let mut random = Seeded(4);
    // At the tool 4e-4, shaft 1e-4, rotor 2e-5 times 25.
    let inertia = 4e-4 + 1e-4 + 25.0 * 2e-5;
    for _ in 0..20 {
        let at = some_state(&four, &mut random);
        let mut straight = PlatformState { rotation: three.home().rotation, ..at };
        (straight.twist[5], straight.acceleration[5], straight.wrench[5]) = (0.0, 0.0, 0.0);
        let (a, b) = (three.state(&straight).unwrap(), four.state(&at).unwrap());
        let (d, e) = (a.dynamics.unwrap(), b.dynamics.unwrap());
        let angle = at.rotation[1][0].atan2(at.rotation[0][0]);
        assert!(error(&[&a.q[..], &[angle]].concat(), &b.q, 0.1) < 1e-12);
        assert!(error(&d.motor, &e.motor[..3], 1.0) < 1e-11, "{:?} {:?}", d.motor, e.motor);
        let friction = 0.001 * at.twist[5] + 0.02 * at.twist[5].signum();
        let torque = inertia * at.acceleration[5] + friction - at.wrench[5];
        assert!((e.motor[3] - torque).abs() < 1e-12, "{} {torque}", e.motor[3]);
        let back = four.forward_dynamics(&at, &e.motor).unwrap();
        let asked: Vec<f64> =
            four.freedoms().iter().map(|freedom| at.acceleration[freedom.component]).collect();
        assert!(error(&back.platform, &asked, 1.0) < 1e-10);
    }
}

/// A payload beside the axis turns and swings: against Lagrange's equation on the energies, by differences in time.
#[test]
fn a_payload_beside_the_fourth_axis_couples_it_to_the_others() {
    let robot = with(
        "delta-four-axis",
        "gravity_direction = [0.6, 0, -0.8]",
        "[tool]\noffset = [0.06, 0.02, -0.08]\nmass = 0.4\n",
    );
    let robot = robot.with_model_error(&ModelError { friction: -1.0, ..Default::default() }).unwrap();
    // A smooth motion of the tool point and the angle.
    let at = |t: f64| {
        let angle = 0.4 + 3.0 * t + 10.0 * t * t;
        let rotation = rotation_from_roll_pitch_yaw([0.0, 0.0, angle]);
        let position = [0.05 + 0.8 * t + 6.0 * t * t, -0.03 - 0.5 * t, -0.85 + 0.4 * t - 4.0 * t * t];
        let mut state = PlatformState::at(position).turned(rotation);
        state.twist = [0.8 + 12.0 * t, -0.5, 0.4 - 8.0 * t, 0.0, 0.0, 3.0 + 20.0 * t];
        state.acceleration = [12.0, 0.0, -8.0, 0.0, 0.0, 20.0];
        state
    };
    // d/dt (T + U) = τ·q̇, which τ of any motion must fulfil; and the mass matrix makes T.
    let state = robot.state(&at(0.0)).unwrap();
    let dynamics = state.dynamics.unwrap();
    let energy = |t: f64| {
        let found = robot.energies(&at(t)).unwrap();
        found.kinetic + found.potential
    };
    let step = 1e-5;
    let power: f64 = dynamics.effort.iter().zip(&state.qd).map(|(tau, qd)| tau * qd).sum();
    let slope = (energy(step) - energy(-step)) / (2.0 * step);
    assert!((power - slope).abs() < 1e-7 * power.abs().max(10.0), "{power} {slope}"); // step², rounding over step
    // The payload's own part, from positions of its mass point: 1.4 kg less the platform's, on the tool.
    let without = robot.with_payload(0.0).unwrap();
    let more: Vec<f64> = {
        let (a, b) = (robot.inverse_dynamics(&at(0.0)).unwrap(), without.inverse_dynamics(&at(0.0)).unwrap());
        a.iter().zip(b).map(|(a, b)| a - b).collect()
    };
    // It is a point mass at the tool point: its force m (a − g) there, as a wrench from outside.
    let (g, m) = ([0.6 * 9.81, 0.0, -0.8 * 9.81], 1.0);
    let mut pulled = at(0.0);
    let [a, _] = halves(pulled.acceleration);
    pulled.wrench = joined([minus(g, a).map(|x| m * x), [0.0; 3]]);
    let held: Vec<f64> = {
        let (a, b) =
            (without.inverse_dynamics(&pulled).unwrap(), without.inverse_dynamics(&at(0.0)).unwrap());
        a.iter().zip(b).map(|(a, b)| a - b).collect()
    };
    assert!(error(&more, &held, 1.0) < 1e-11, "{more:?} {held:?}");
    assert!(more[3].abs() > 0.05, "the fourth motor feels it: {more:?}");
}

/// The signs and zeros of other systems hold for a Delta that goes through the engine because of its fourth axis.
#[test]
fn conventions_hold_with_a_fourth_axis() {
    let mut random = Seeded(21);
    for name in [
        "klipper-rotary-delta",
        "linuxcnc-rotary-delta",
        "deltax-v2",
        "trossen-tutorial",
        "irb360-flexpicker",
    ] {
        let three = AnyRobot::open(name).unwrap();
        let four = with(name, "", "[rotation_axis]\n");
        assert!(four.home().position.iter().zip(three.home().position).all(|(a, b)| (a - b).abs() < 1e-12));
        for _ in 0..5 {
            let mut at = some_state(&three, &mut random);
            at.wrench = [0.0; 6];
            let (a, b) = (three.joints_from_platform(&at).unwrap(), four.joints_from_platform(&at).unwrap());
            assert!(error(&a.q, &b.q[..3], 0.1) < 1e-11, "{name}: {:?} {:?}", a.q, b.q);
            assert!(error(&a.qd, &b.qd[..3], 0.1) < 1e-10, "{name}");
            assert!(error(&a.qdd, &b.qdd[..3], 1.0) < 1e-10, "{name}");
        }
        assert_eq!(three.working_mode(), four.working_mode());
        let [a, b] = [&three, &four].map(|robot| robot.all_inverse_kinematics(&robot.home()).unwrap().len());
        assert_eq!((a, b), (8, 8), "{name}");
    }
}

//! Cells: robots as parts of a mechanism, by their names.

use super::mechanisms::{parsed, states_of, worst_of};
use legwork::check::check_robot;
use legwork::description::RobotDescription;
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::{gap, nan_max};

/// Two Deltas by their names against the same with every arm, elbow and rod written out.
#[test]
fn two_robots_by_their_names_are_their_bodies_and_joints() {
    let cell = AnyRobot::open("two-deltas").unwrap();
    let written = parsed(include_str!("two-deltas-bodies.toml")).unwrap();
    let states = states_of(&cell);
    let worst = worst_of(&cell, &written, &states);
    println!("{worst:.1e}");
    assert!(worst < 1e-11, "{worst:.1e}"); // fifteen digits of the lengths in the file
    let named: Vec<_> = cell.mobility().unwrap().dependent_motors.clone();
    assert!(named.iter().all(|name| name.starts_with("a.") || name.starts_with("b.")), "{named:?}");
}

/// A wrist of three turns below a Delta.
const WRIST: &str = "
name = 'delta with a wrist'
family = 'mechanism'
platform = 'wrist.platform'
[[robot]]
name = 'arm'
robot = 'delta-industrial'
position = [0.2, -0.1, 1.5]
orientation = [0, 0, '30 deg']
payload = 0
[[robot]]
name = 'wrist'
robot = 'agile-eye'
on = 'arm.platform'
position = [0, 0, -0.1]
";

/// What the wrist weighs is what the Delta carries: its closed form says what its motors hold. All identities of a
/// robot hold for the whole.
#[test]
fn a_robot_stands_on_a_moving_robot() {
    let wrist = AnyRobot::open("agile-eye").unwrap();
    let platform = |robot: &AnyRobot| match &robot.description().data {
        legwork::description::FamilyData::Mechanism(m) => m.bodies[m.platform].name.clone(),
        _ => panic!(),
    };
    let cell = parsed(&WRIST.replace("wrist.platform'", &format!("wrist.{}'", platform(&wrist)))).unwrap();
    assert_eq!((cell.joints().len(), cell.freedoms().len()), (6, 6));
    let mass = wrist.description().data.moving_mass();
    let mut alone = AnyRobot::open("delta-industrial").unwrap().description().clone();
    alone.data.set_payload(mass);
    let alone = AnyRobot::new(alone).unwrap();
    let mut worst: f64 = 0.0;
    for shift in [[0.0; 3], [0.1, -0.05, 0.04], [-0.08, 0.1, 0.02]] {
        let (home, own) = (cell.home(), alone.home());
        let mut state = home;
        let (sin, cos) = 30.0_f64.to_radians().sin_cos();
        let turned = [cos * shift[0] - sin * shift[1], sin * shift[0] + cos * shift[1], shift[2]];
        state.position = [0, 1, 2].map(|i| home.position[i] + turned[i]);
        let below = PlatformState::at([0, 1, 2].map(|i| own.position[i] + shift[i]));
        let (held, expected) = (cell.gravity(&state).unwrap(), alone.gravity(&below).unwrap());
        worst = nan_max(worst, gap(&held[..3], &expected));
        let (q, other) = (cell.inverse_kinematics(&state).unwrap().q, alone.inverse_kinematics(&below).unwrap().q);
        worst = nan_max(worst, gap(&q[..3], &other));
    }
    assert!(worst < 1e-11, "{worst:.1e}"); // rounding of efforts of 10 N m
    let found = check_robot(&cell, 10, 7);
    assert!(found.holds(), "{found:?}");
}

/// What is wrong with a cell is told by the names of robot, body and joint.
#[test]
fn a_bad_cell_names_the_robot() {
    let problem = |text: &str| RobotDescription::parse(text, "cell.toml").unwrap_err().to_string();
    for (from, to, words) in [
        ("'delta-industrial'", "'delta-industral'", "\"arm\" cannot be \"delta-industral\""),
        ("'delta-industrial'", "'no/such.toml'", "there is no such file"),
        ("'arm.platform'", "'arm.platfrom'", "did you mean \"arm.platform\"?"),
        ("payload = 0", "payload = 0\nhome = [0, 0, -3]", "leg 1 does not reach its `home`"),
        ("name = 'wrist'", "name = 'arm'", "two robots are called \"arm\""),
    ] {
        let said = problem(&WRIST.replace(from, to));
        assert!(said.contains(words), "{to}: {said}");
    }
}

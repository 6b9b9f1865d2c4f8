//! Cells: robots as parts of a mechanism, by their names.

use super::mechanisms::{parsed, states_of, worst_of};
use legwork::check::check_robot;
use legwork::description::{FamilyData, RobotDescription};
use legwork::task::RobotRequest;
use legwork::{AnyRobot, PlatformState, RobotError};
use legwork_testkit::{gap, nan_max};
use std::fs;

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
        FamilyData::Mechanism(m) => m.bodies[m.platform].name.clone(),
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
        let (q, other) =
            (cell.inverse_kinematics(&state).unwrap().q, alone.inverse_kinematics(&below).unwrap().q);
        worst = nan_max(worst, gap(&q[..3], &other));
    }
    assert!(worst < 1e-11, "{worst:.1e}"); // rounding of efforts of 10 N m
    let found = check_robot(&cell, 10, 7);
    assert!(found.holds(), "{found:?}");
}

/// A plate on some hexapods, whose platforms are bolted to its corners.
fn on_hexapods(count: usize) -> String {
    use std::fmt::Write as _;
    let home = AnyRobot::open("gough-stewart").unwrap().home().position[2];
    let mut text = "name = 'plate on hexapods'\nfamily = 'mechanism'\nplatform = 'plate'\n".to_owned();
    write!(text, "[[body]]\nname = 'plate'\nmass = 20\ninertia = [4, 4, 8]\nposition = [0, 0, {home:e}]\n")
        .unwrap();
    for k in 0..count {
        let (sin, cos) = (k as f64 * std::f64::consts::TAU / count as f64).sin_cos();
        let [x, y] = [2.0 * cos, 2.0 * sin];
        write!(
            text,
            "[[robot]]\nname = 'h{k}'\nrobot = 'gough-stewart'\nposition = [{x:e}, {y:e}, 0]\npayload = 0\n\
             [[joint]]\nname = 'bolt{k}'\ntype = 'fixed'\nparent = 'plate'\nchild = 'h{k}.platform'\n\
             point = [{x:e}, {y:e}, {home:e}]\n"
        )
        .unwrap();
    }
    text
}

/// Twenty-four motors for six freedoms: the motors of four hexapods share the work, and all identities hold. One hexapod more
/// is refused with the numbers.
#[test]
fn four_hexapods_carry_one_plate() {
    let robot = parsed(&on_hexapods(4)).unwrap();
    assert_eq!((robot.joints().len(), robot.freedoms().len()), (24, 6));
    assert_eq!(robot.mobility().unwrap().dependent_motors.len(), 18);
    let found = check_robot(&robot, 1, 3);
    assert!(found.holds(), "{found:?}");
    // At home the plate is symmetric: each hexapod carries a quarter of it, as a payload of its own.
    let mut alone = AnyRobot::open("gough-stewart").unwrap().description().clone();
    alone.data.set_payload(5.0);
    let alone = AnyRobot::new(alone).unwrap();
    let total = |robot: &AnyRobot, state: &PlatformState| -> f64 {
        let force = |push: f64| {
            let mut pushed = *state;
            pushed.wrench[2] = push;
            robot.inverse_dynamics(&pushed).unwrap()
        };
        // Power of the motors for a unit of the platform's velocity upwards is its weight.
        let mut up = *state;
        up.twist[2] = 1.0;
        let rates = robot.state(&up).unwrap().qd;
        force(0.0).iter().zip(&rates).map(|(effort, rate)| effort * rate).sum()
    };
    let (all, one) = (total(&robot, &robot.home()), total(&alone, &alone.home()));
    assert!((all - 4.0 * one).abs() < 1e-9 * all, "{all} N, four times {one} N");
    let error = parsed(&on_hexapods(5)).unwrap_err().to_string();
    assert!(error.contains("30 motors for 6 freedoms") && error.contains("at most 24 motors"), "{error}");
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

/// A cell carries the robot files that it names, one within the other: its text makes the same robot where these files are not.
#[test]
fn a_cell_carries_the_files_that_it_names() {
    let folder = std::env::temp_dir().join(format!("legwork-carried-{}", std::process::id()));
    fs::create_dir_all(folder.join("parts")).unwrap();
    let built_in =
        |name: &str| AnyRobot::open(name).unwrap().description().text.as_deref().unwrap().to_owned();
    // One with ends of lines of another system, and one with what ends a text.
    fs::write(folder.join("parts/arm.toml"), built_in("delta-industrial").replace('\n', "\r\n")).unwrap();
    let eye = built_in("agile-eye").replacen("source = \"", "source = '''It's \"round\".''' # \"", 1);
    fs::write(folder.join("parts/eye.toml"), eye).unwrap();
    let wrist = AnyRobot::open("agile-eye").unwrap();
    let FamilyData::Mechanism(parts) = &wrist.description().data else { panic!("a mechanism") };
    let platform = &parts.bodies[parts.platform].name;
    let inner = WRIST.replace("wrist.platform'", &format!("wrist.{platform}'"));
    let inner = inner.replace("'delta-industrial'", "'arm.toml'").replace("'agile-eye'", "'./eye.toml'");
    fs::write(folder.join("parts/wrist.toml"), inner).unwrap();
    let outer = format!(
        "name = 'cell'\nfamily = 'mechanism'\nplatform = 'whole.wrist.{platform}'\n[[robot]]\nname = 'whole'\nrobot = 'parts/wrist.toml'"
    );
    fs::write(folder.join("cell.toml"), &outer).unwrap();
    let there = AnyRobot::open(folder.join("cell.toml").to_str().unwrap()).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let text = there.description().text.as_deref().unwrap();
    assert!(text.starts_with(&outer));
    let here = AnyRobot::new(RobotDescription::parse(text, "cell.toml").unwrap()).unwrap();
    assert_eq!(here.description().text.as_deref(), Some(text), "a text that is complete stays as it is");
    let state = there.home().moving([0.1, 0.2, 0.3], [1.0, 2.0, 3.0]);
    assert_eq!(there.inverse_dynamics(&state).unwrap(), here.inverse_dynamics(&state).unwrap());
    assert_eq!(RobotRequest::of(&here).open().unwrap().description(), here.description());
    // A file that is not carried is looked for, and one that names itself has an end.
    let error = RobotDescription::parse(&outer, "cell.toml").unwrap_err().to_string();
    assert!(error.contains("there is no such file"), "{error}");
    let own = outer.replace("parts/wrist.toml", "cell.toml");
    let folder = std::env::temp_dir().join(format!("legwork-own-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("cell.toml"), own).unwrap();
    let error = AnyRobot::open(folder.join("cell.toml").to_str().unwrap()).unwrap_err().to_string();
    fs::remove_dir_all(&folder).unwrap();
    assert!(error.contains("a file names itself"), "{error}");
}

/// Rods of a robot lean as far in a cell as its file lets them.
#[test]
fn joint_cones_hold_in_a_cell() {
    joint_cones_hold("tests/robot/delta-industrial-with-cones.toml");
    joint_cones_hold("tests/robot/gough-stewart-with-cones.toml");
}

fn joint_cones_hold(file: &str) {
    let robot = AnyRobot::open(file).unwrap();
    let most = robot.description().data.joint_cone().unwrap().most();
    let home = robot.home();
    let cell = parsed(&format!(
        "name = 'cell'\nfamily = 'mechanism'\nplatform = 'a.platform'\n[[robot]]\nname = 'a'\nrobot = '{file}'\nposition = [1, 0, 2]\n"
    ))
    .unwrap();
    let (mut inside, mut outside) = (0, 0);
    for k in 0..40 {
        let (sin, cos) = (0.7 * f64::from(k)).sin_cos();
        let radius = 0.02 * f64::from(k) * robot.length();
        let shift = [radius * cos, radius * sin, 0.05 * sin * robot.length()];
        let own = PlatformState::at([0, 1, 2].map(|i| home.position[i] + shift[i]));
        let placed = PlatformState::at([0, 1, 2].map(|i| own.position[i] + [1.0, 0.0, 2.0][i]));
        match robot.inverse_kinematics(&own) {
            Ok(_) => {
                let leans = robot.joint_leans(&own).unwrap().into_iter().fold(0.0, nan_max);
                assert!(leans <= most);
                cell.inverse_kinematics(&placed).unwrap();
                inside += 1;
            }
            Err(RobotError::JointCone { lean, .. }) => {
                let refused = cell.inverse_kinematics(&placed).unwrap_err();
                assert!(
                    matches!(&refused, RobotError::PassiveCone { joint, lean: found, .. }
                        if joint.starts_with("a.leg") && (found - lean).abs() < 1e-9),
                    "{refused}"
                );
                outside += 1;
            }
            Err(_) => {}
        }
    }
    assert!(inside > 5 && outside > 3, "{inside} {outside}");
}

/// A passive slide with a stroke: poses beyond it are refused by its name, and `show` knows it.
#[test]
fn strokes_of_passive_joints_are_kept() {
    let text = "name = 'table'\nfamily = 'mechanism'\nplatform = 'table'\n\
        [[body]]\nname = 'crank'\nmass = 1\nfrom = [0, 0, 0]\nto = [0, 0.1, 0]\n\
        [[body]]\nname = 'rod'\nmass = 1\nfrom = [0, 0.1, 0]\nto = [0.4, 0, 0]\n\
        [[body]]\nname = 'table'\nmass = 3\nposition = [0.4, 0, 0]\n\
        [[joint]]\ntype = 'revolute'\nparent = 'base'\nchild = 'crank'\naxis = [0, 0, 1]\nactive = true\n\
        [[joint]]\ntype = 'revolute'\nparent = 'crank'\nchild = 'rod'\npoint = [0, 0.1, 0]\naxis = [0, 0, 1]\n\
        [[joint]]\ntype = 'spherical'\nparent = 'rod'\nchild = 'table'\npoint = [0.4, 0, 0]\njoint_cone = '10 deg'\npin = [1, 0, 0]\n\
        [[joint]]\nname = 'rail'\ntype = 'prismatic'\nparent = 'base'\nchild = 'table'\npoint = [0.4, 0, 0]\naxis = [1, 0, 0]\nmin = '-50 mm'\nmax = '40 mm'\n";
    let robot = parsed(text).unwrap();
    let at = |x: f64| robot.inverse_kinematics(&PlatformState::at([0.4 + x, 0.0, 0.0]));
    assert!(at(0.039).is_ok() && at(-0.04).is_ok());
    for x in [0.045, -0.055] {
        let refused = at(x).unwrap_err();
        assert!(refused.to_string().contains("the joint `rail` is at"), "{refused}");
    }
    // With a longer stroke the ball joint is the limit.
    let longer = parsed(&text.replace("'40 mm'", "'200 mm'").replace("'10 deg'", "'4 deg'")).unwrap();
    let refused = longer.inverse_kinematics(&PlatformState::at([0.48, 0.0, 0.0])).unwrap_err();
    assert!(refused.to_string().contains("the joint `rod-table` leans by"), "{refused}");
    assert!(legwork::summary::RobotSummary::of(&robot).to_string().contains("from -50 mm, to 40 mm"));
}

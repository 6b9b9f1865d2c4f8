//! Mechanisms of bodies and joints: against closed forms, against the same robot written another way, and against
//! themselves.

use legwork::check::check_robot;
use legwork::description::{BUILT_IN, Family, RobotDescription};
use legwork::{AnyRobot, PlatformState, RobotError};
use legwork_testkit::nan_max;

pub fn parsed(text: &str) -> Result<AnyRobot, RobotError> {
    AnyRobot::new(RobotDescription::parse(text, "robot.toml").unwrap())
}

/// The largest difference over the largest number.
fn apart(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = a.iter().chain(b).map(|x| x.abs()).fold(0.0, nan_max);
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, nan_max) / nan_max(size, 1e-300)
}

/// States around the middle of a Delta of the size of delta-industrial.
fn delta_states(turning: bool) -> Vec<PlatformState> {
    let mut states = Vec::new();
    for k in 0..12 {
        let phase = 0.7 * f64::from(k);
        let (sin, cos) = phase.sin_cos();
        let mut state = PlatformState::at([0.15 * cos, 0.12 * sin, -0.7 - 0.08 * (2.0 * phase).sin()]);
        state.twist = [0.9 * sin, -1.1 * cos, 0.6, 0.0, 0.0, if turning { 2.0 * cos } else { 0.0 }];
        state.acceleration = [8.0, -6.0 * sin, 11.0 * cos, 0.0, 0.0, if turning { -30.0 * sin } else { 0.0 }];
        state.wrench = [4.0, -3.0, 7.0 * sin, 0.0, 0.0, if turning { 0.3 } else { 0.0 }];
        if turning {
            let (s, c) = (0.4 * phase.sin()).sin_cos();
            state.rotation = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]];
        }
        states.push(state);
    }
    states
}

/// Two robots of which each is right only if the other is, state by state.
fn agree(mechanism: &str, closed: &str, turning: bool) {
    let (a, b) = (AnyRobot::open(mechanism).unwrap(), AnyRobot::open(closed).unwrap());
    let worst = worst_of(&a, &b, &delta_states(turning));
    println!("{mechanism} against {closed}: {worst:.1e}");
    assert!(worst < 1e-11, "{mechanism} against {closed}: {worst:.1e}"); // fifteen digits of the lengths in the file
}

/// How far the answers of two robots are apart.
pub fn worst_of(a: &AnyRobot, b: &AnyRobot, states: &[PlatformState]) -> f64 {
    let mut worst = 0.0;
    for state in states {
        let (x, y) = (a.state(state).unwrap(), b.state(state).unwrap());
        let (d, e) = (x.dynamics.unwrap(), y.dynamics.unwrap());
        let flat = |rows: &[Vec<f64>]| rows.concat();
        for (found, expected) in [
            (x.q, y.q),
            (x.qd, y.qd),
            (x.qdd, y.qdd),
            (flat(&x.jacobian), flat(&y.jacobian)),
            (d.motor.clone(), e.motor.clone()),
            (d.gravity, e.gravity),
            (d.coriolis, e.coriolis),
            (d.external, e.external),
            (flat(&d.mass_matrix), flat(&e.mass_matrix)),
            (flat(&d.platform_mass_matrix), flat(&e.platform_mass_matrix)),
            (vec![d.kinetic_energy], vec![e.kinetic_energy]),
        ] {
            worst = nan_max(worst, apart(&found, &expected));
        }
        let (forward, other) =
            (a.forward_dynamics(state, &d.motor).unwrap(), b.forward_dynamics(state, &e.motor).unwrap());
        worst = nan_max(worst, apart(&forward.platform, &other.platform));
    }
    worst
}

/// Motions in all freedoms near home.
pub fn states_of(robot: &AnyRobot) -> Vec<PlatformState> {
    let mut states = Vec::new();
    for k in 0..4 {
        let mut state = robot.home();
        let mut turn = [0.0; 3];
        for (number, freedom) in robot.freedoms().iter().enumerate() {
            let (phase, place) = (1.3 * f64::from(k) + 0.9 * number as f64, freedom.component);
            if place < 3 {
                state.position[place] += 0.03 * robot.length() * phase.sin();
                state.twist[place] = 0.4 * phase.cos();
                state.acceleration[place] = 3.0 * (2.0 * phase).sin();
                state.wrench[place] = 5.0 * (3.0 * phase).cos();
            } else {
                turn[place - 3] = 0.04 * phase.sin();
                state.twist[place] = 0.7 * phase.cos();
                state.acceleration[place] = 4.0 * (2.0 * phase).sin();
                state.wrench[place] = 0.3 * (3.0 * phase).cos();
            }
        }
        let turned = legwork::rotation::from_rotation_vector(turn);
        state.rotation = legwork::rotation::product(&turned, &state.rotation);
        states.push(state);
    }
    states
}

/// Every family as bodies and joints against itself: the legs, their ends and what guides the platform.
#[test]
fn every_leg_robot_is_itself_as_bodies_and_joints() {
    let mut count = 0;
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() || robot.mobility().is_some() {
            continue;
        }
        let mechanism = robot.as_mechanism().unwrap();
        assert!(mechanism.mobility().is_some());
        let worst = worst_of(&mechanism, &robot, &states_of(&robot));
        println!("{:26} {worst:.1e}", robot.name());
        assert!(worst < 1e-11, "{}: {worst:.1e}", robot.name()); // rounding, times the condition of the postures (100)
        count += 1;
    }
    assert!(count >= 20, "{count}");
}

/// Friction and inertia of joints without a motor are felt by the motors.
#[test]
fn passive_joints_have_friction() {
    let text = BUILT_IN.iter().find(|robot| robot.name == "custom-five-bar").unwrap().text;
    let passive =
        "start = \"-120 deg\"\nviscous_friction = 0.3\ncoulomb_friction = 0.2\nactuator_inertia = 0.01";
    let with = text.replace("start = \"-120 deg\"", passive);
    let robot = parsed(&with).unwrap();
    let plain = parsed(text).unwrap();
    let states = states_of(&robot);
    assert!(worst_of(&robot, &plain, &states) > 1e-3, "the friction should be felt");
    let worst = worst_of(&robot.as_mechanism().unwrap(), &robot, &states);
    assert!(worst < 1e-11, "{worst:.1e}"); // rounding, times the condition of the postures (100)
}

#[test]
fn a_delta_of_arms_and_six_rods_is_the_delta() {
    agree("delta-two-rods", "delta-industrial", false);
}

#[test]
fn a_delta_with_a_cardan_shaft_is_the_delta_with_a_fourth_axis() {
    agree("delta-cardan", "delta-four-axis", true);
}

#[test]
fn every_built_in_mechanism_proves_itself() {
    let mut seen = 0;
    for robot in BUILT_IN {
        let robot = AnyRobot::open(robot.name).unwrap();
        if robot.description().family() != Family::Mechanism {
            continue;
        }
        seen += 1;
        let found = check_robot(&robot, 3, 7);
        assert!(found.holds(), "{}: {found:?}", robot.name());
    }
    assert_eq!(seen, 11);
}

/// Freedoms, dependent constraints, idle freedoms, what follows and dependent motors of each.
#[test]
fn mobility_is_that_of_the_architecture() {
    for (name, freedoms, dependent, coordinates, following, motors) in [
        ("3-rps", 3, 0, 3, 3, 0),
        ("z3-head", 3, 0, 3, 3, 0),
        ("exechon", 3, 2, 3, 3, 0),
        ("3-upu", 3, 0, 3, 0, 0),
        ("orthoglide", 3, 12, 3, 0, 0),
        ("quattro", 4, 4, 4, 0, 0),
        ("delta-two-rods", 3, 0, 3, 0, 0),
        ("delta-cardan", 4, 0, 4, 0, 0),
        ("agile-eye", 3, 6, 3, 0, 0),
        ("two-deltas", 5, 0, 5, 1, 1),
    ] {
        let robot = AnyRobot::open(name).unwrap();
        let it = robot.mobility().unwrap();
        let found = (
            it.freedoms - it.idle_freedoms,
            it.redundant_constraints,
            it.coordinates.len(),
            it.following.len(),
            it.dependent_motors.len(),
        );
        assert_eq!(found, (freedoms, dependent, coordinates, following, motors), "{name}");
        assert!(it.motors_hold, "{name}");
    }
}

/// A 3-RPS robot by its legs: each has two joints, and its ball joint passes on three components.
const LEGS: &str = r#"family = "custom"
[platform]
mass = "10 kg"
inertia = [0.23, 0.23, 0.45]
[home]
position = [0, 0, "800 mm"]
[[leg]]
repeat = { times = 3 }
[[leg.joint]]
type = "revolute"
origin = ["500 mm", 0, 0]
axis = [0, 1, 0]
start = "-14 deg"
body = { mass = "4 kg", centre = [0, 0, "200 mm"], inertia = [0.05, 0.05, 0.002] }
[[leg.joint]]
type = "prismatic"
active = true
axis = [0, 0, 1]
start = "0.82 m"
actuator_inertia = "3 kg"
body = { mass = "1.8 kg", centre = [0, 0, "-160 mm"], inertia = [0.017, 0.017, 2e-4] }
[leg.attachment]
type = "spherical"
point = ["300 mm", 0, 0]
"#;

/// The same by bodies and joints: at home the leg leans by atan(1/4).
fn bodies() -> String {
    let lean = (0.25_f64).atan().to_degrees();
    let length = (0.2_f64 * 0.2 + 0.8 * 0.8).sqrt();
    format!(
        r#"family = "mechanism"
platform = "platform"
[[body]]
name = "platform"
mass = "10 kg"
inertia = [0.23, 0.23, 0.45]
position = [0, 0, 0.8]
[[body]]
name = "cylinder"
mass = "4 kg"
centre = [0, 0, 0.2]
inertia = [0.05, 0.05, 0.002]
position = [0.5, 0, 0]
orientation = [0, "{:.15} deg", 0]
repeat = {{ times = 3 }}
[[body]]
name = "rod"
mass = "1.8 kg"
centre = [0, 0, -0.16]
inertia = [0.017, 0.017, 2e-4]
position = [0.3, 0, 0.8]
orientation = [0, "{:.15} deg", 0]
repeat = {{ times = 3 }}
[[joint]]
type = "revolute"
parent = "base"
child = "cylinder"
axis = [0, 1, 0]
[[joint]]
type = "prismatic"
active = true
parent = "cylinder"
child = "rod"
point = [0.5, 0, 0]
axis = [-1, 0, 4]
start = {length:.17}
actuator_inertia = "3 kg"
[[joint]]
type = "spherical"
parent = "rod"
child = "platform"
point = [0.3, 0, 0.8]
"#,
        -lean, -lean
    )
}

#[test]
fn short_legs_are_the_mechanism_of_their_bodies() {
    let (legs, bodies) = (parsed(LEGS).unwrap(), parsed(&bodies()).unwrap());
    assert_eq!(legs.freedoms(), bodies.freedoms());
    let mut state = legs.home();
    state.position[2] = 0.83;
    state.rotation =
        [[0.98, 0.0, 0.198_997_487_421_324], [0.0, 1.0, 0.0], [-0.198_997_487_421_324, 0.0, 0.98]];
    state.twist[2] = 0.3;
    state.twist[3] = -0.8;
    state.acceleration[4] = 5.0;
    let (a, b) = (legs.state(&state).unwrap(), bodies.state(&state).unwrap());
    let (d, e) = (a.dynamics.unwrap(), b.dynamics.unwrap());
    for (a, b) in [(&a.q, &b.q), (&a.qdd, &b.qdd), (&d.motor, &e.motor), (&d.coriolis, &e.coriolis)] {
        assert!(apart(a, b) < 1e-11, "{a:?} {b:?}"); // rounding of the file
    }
    // Its platform moves sideways as it tilts, by about r (1 − cos) / 2.
    let followed = legs.following(&a.platform);
    assert_eq!(followed.iter().map(|(name, ..)| *name).collect::<Vec<_>>(), ["x", "y", "yaw"]);
    assert!((followed[0].1.abs() - 0.003).abs() < 1e-3, "{followed:?}");
    // What is given as it follows is taken; another number is refused with what follows.
    let mut whole = a.platform;
    legs.inverse_dynamics(&whole).unwrap();
    whole.twist[0] += 0.1;
    let error = legs.inverse_dynamics(&whole).unwrap_err();
    assert!(matches!(error, RobotError::Follows { velocity: "vx", .. }), "{error}");
}

#[test]
fn a_pose_beyond_the_legs_is_refused() {
    let robot = AnyRobot::open("3-rps").unwrap();
    let error = robot.inverse_kinematics(&PlatformState::at([0.0, 0.0, f64::NAN])).unwrap_err();
    assert!(matches!(error, RobotError::NotFinite { .. }), "{error}");
    let eye = AnyRobot::open("delta-two-rods").unwrap();
    let error = eye.inverse_kinematics(&PlatformState::at([0.0, 0.0, -3.0])).unwrap_err();
    assert!(matches!(error, RobotError::MechanismState(_)), "{error}");
    assert!(error.to_string().contains("the way ends after"), "{error}");
}

/// A bar of a planar mechanism, and a pin.
fn bar(name: &str, from: &str, to: &str) -> String {
    format!("[[body]]\nname = \"{name}\"\nmass = 1\nfrom = {from}\nto = {to}\ndiameter = 0.02\n")
}

fn pin(name: &str, parent: &str, child: &str, point: &str, active: bool) -> String {
    format!(
        "[[joint]]\nname = \"{name}\"\ntype = \"revolute\"\nparent = \"{parent}\"\nchild = \"{child}\"\n\
         point = {point}\naxis = [0, 0, 1]\nactive = {active}\n"
    )
}

/// Mechanisms that cannot be: the words name bodies, joints and numbers.
#[test]
fn bad_mechanisms_are_refused_with_their_reason() {
    let (a, b, c, d) = ("[0, 0, 0]", "[0, 0.2, 0]", "[0.5, 0.3, 0]", "[0.5, 0, 0]");
    let four_bar = [bar("left", a, b), bar("rod", b, c), bar("right", c, d)].concat()
        + &[pin("p", "left", "rod", b, false), pin("q", "rod", "right", c, false)].concat();
    let hung = bar("pendulum", "[0.25, 0.25, 0]", "[0.25, 0, 0]")
        + &pin("hang", "rod", "pendulum", "[0.25, 0.25, 0]", false);
    let feet = |left, right| {
        pin("left_foot", "base", "left", a, left) + &pin("right_foot", "base", "right", d, right)
    };
    let head = |platform: &str| format!("family = \"mechanism\"\nplatform = \"{platform}\"\n");
    let refused = |text: String| parsed(&text).unwrap_err().to_string();
    // One motor moves a four-bar; nobody holds a pendulum on it.
    assert_eq!(parsed(&(head("rod") + &four_bar + &feet(true, false))).unwrap().freedoms().len(), 1);
    let found = refused(head("pendulum") + &four_bar + &hung + &feet(true, false));
    assert!(found.contains("1 motor for 2 freedoms") && found.contains("`pendulum`"), "{found}");
    let found = refused(head("pendulum") + &four_bar + &hung + &feet(true, true));
    assert!(found.contains("leave 1 freedom free") && found.contains("`right_foot`"), "{found}");
    // A strut more, and nothing moves.
    let strut =
        bar("strut", a, c) + &pin("s", "base", "strut", a, false) + &pin("t", "strut", "rod", c, false);
    let found = refused(head("rod") + &four_bar + &strut + &feet(true, false));
    assert!(found.contains("nothing that a motor or the platform feels can move"), "{found}");
}

/// A number so that it reads back exactly.
fn list(value: &serde_json::Value) -> String {
    match value {
        serde_json::Value::Array(items) => {
            format!("[{}]", items.iter().map(list).collect::<Vec<_>>().join(", "))
        }
        other => format!("{:e}", other.as_f64().unwrap()),
    }
}

/// The robot file of a golden mechanism: bodies at home, joints by their frames.
fn golden_text(file: &serde_json::Value) -> String {
    use std::fmt::Write as _;
    let mut text = format!(
        "family = \"mechanism\"\nplatform = {}\nplatform_point = {}\n",
        file["platform"],
        list(&file["platform_point"])
    );
    let gravity: Vec<f64> = serde_json::from_value(file["gravity"].clone()).unwrap();
    let size = gravity.iter().map(|x| x * x).sum::<f64>().sqrt();
    writeln!(text, "gravity = {size:e}\ngravity_direction = {}", list(&file["gravity"])).unwrap();
    for body in file["bodies"].as_array().unwrap() {
        let home = &file["home"]["bodies"][body["name"].as_str().unwrap()];
        writeln!(
            text,
            "[[body]]\nname = {}\nmass = {}\ncentre = {}\ninertia = {}\nposition = {}\nrotation = {}",
            body["name"],
            list(&body["mass"]),
            list(&body["centre"]),
            list(&body["inertia_com"]),
            list(&home["position"]),
            list(&home["rotation"])
        )
        .unwrap();
    }
    for joint in file["joints"].as_array().unwrap() {
        let frame = |key: &str| {
            let frame = &joint[key];
            format!("{{ position = {}, rotation = {} }}", list(&frame["position"]), list(&frame["rotation"]))
        };
        writeln!(
            text,
            "[[joint]]\nname = {}\ntype = {}\nparent = {}\nchild = {}\nparent_frame = {}\nchild_frame = {}",
            joint["name"],
            joint["type"],
            joint["parent"],
            joint["child"],
            frame("parent_frame"),
            frame("child_frame")
        )
        .unwrap();
        if joint["motor"].as_bool().unwrap() {
            let inertia = joint.get("actuator_inertia").map_or_else(|| "0".into(), list);
            writeln!(text, "active = true\nactuator_inertia = {inertia}").unwrap();
        }
    }
    text
}

/// Golden mechanisms through their robot files: numbers that this code did not make.
#[test]
fn golden_mechanisms_agree_through_robot_files() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../golden/mechanisms");
    let mut seen = 0;
    for name in [
        "rps3",
        "prs3",
        "tricept",
        "exechon",
        "upu3",
        "quattro",
        "delta4",
        "delta_ss",
        "agile_eye",
        "planar_table",
        "two_deltas_bar",
        "sarrus",
        "made_up_3_30",
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.json"))).unwrap();
        let file: serde_json::Value = serde_json::from_str(&text).unwrap();
        let robot = parsed(&golden_text(&file)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let numbers =
            |value: &serde_json::Value| -> Vec<f64> { serde_json::from_value(value.clone()).unwrap() };
        let six = |value: &serde_json::Value| -> [f64; 6] { serde_json::from_value(value.clone()).unwrap() };
        let mut worst = [0.0; 5];
        for golden in file["states"].as_array().unwrap().iter().take(4) {
            let platform = &golden["platform"];
            let mut state = PlatformState::at(serde_json::from_value(platform["position"].clone()).unwrap())
                .turned(serde_json::from_value(platform["rotation"].clone()).unwrap());
            state.twist = six(&platform["twist"]);
            state.acceleration = six(&platform["acceleration"]);
            // What rounding makes of components that do not move.
            for list in [&mut state.twist, &mut state.acceleration] {
                list.iter_mut().filter(|x| x.abs() < 1e-9).for_each(|x| *x = 0.0);
            }
            let found = robot.state(&state).unwrap_or_else(|error| panic!("{name}: {error}"));
            let d = found.dynamics.unwrap();
            let motor = &golden["motor"];
            let angles = |q: &[f64]| -> Vec<f64> { q.iter().flat_map(|q| [q.sin(), q.cos()]).collect() };
            let pairs = [
                (angles(&found.q), angles(&numbers(&motor["q"]))),
                (found.qd, numbers(&motor["qd"])),
                (found.qdd, numbers(&motor["qdd"])),
                (d.effort, numbers(&golden["effort"])),
                (d.gravity, numbers(&golden["gravity_effort"])),
            ];
            for (worst, (found, expected)) in worst.iter_mut().zip(pairs) {
                *worst = nan_max(*worst, apart(&found, &expected));
            }
            seen += 1;
        }
        println!("{name}: {worst:?}");
        // 1e-10: rounding of the listed poses, times the condition of the postures; where the platform accelerates forty
        // times as fast as the motors, ten times that.
        let bar = if name == "made_up_3_30" { 1e-9 } else { 1e-10 };
        assert!(worst.iter().all(|worst| *worst < bar), "{name}: {worst:?}");
    }
    assert_eq!(seen, 50);
}

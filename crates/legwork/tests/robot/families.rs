//! Robots of every family through the run-time robot: the same robot given in two
//! ways answers the same, and the engine equals the closed form.

use legwork::description::{BUILT_IN, RobotDescription};
use legwork::{AnyRobot, PlatformState, PlatformStates, State, StateMark};
use legwork_testkit::{largest, relative_error_above as error};
use serde_json::Value;
use std::path::PathBuf;

fn golden(name: &str) -> Value {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name);
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Number(n) => vec![n.as_f64().unwrap()],
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        _ => Vec::new(),
    }
}

/// The states of a golden file as questions to a robot.
fn questions(robot: &AnyRobot, file: &str) -> Vec<PlatformState> {
    let spread = |list: &[f64]| {
        let mut six = [0.0; 6];
        for (freedom, value) in robot.freedoms().iter().zip(list) {
            six[freedom.component] = *value;
        }
        six
    };
    golden(file)["states"]
        .as_array()
        .unwrap()
        .iter()
        .map(|state| {
            let platform = &state["platform"];
            let mut position = [0.0; 3];
            for (slot, value) in position.iter_mut().zip(numbers(&platform["position"])) {
                *slot = value;
            }
            let mut question = PlatformState::at(position);
            if platform.get("rotation").is_some() {
                let flat = numbers(&platform["rotation"]);
                question.rotation = std::array::from_fn(|i| std::array::from_fn(|j| flat[3 * i + j]));
            }
            question.twist = spread(&numbers(&platform["twist"]));
            question.acceleration = spread(&numbers(&platform["acceleration"]));
            question.wrench = spread(&numbers(&state["external"]["wrench"]));
            question
        })
        .collect()
}

/// Largest relative difference of two answers; joints may be counted from other zeros.
fn difference(a: &State, b: &State) -> f64 {
    let (d, e) = (a.dynamics.as_ref().unwrap(), b.dynamics.as_ref().unwrap());
    let torque = largest(d.effort.iter().chain(&d.gravity)) * 1e-3;
    largest([
        error(&a.qd, &b.qd, 1e-3),
        error(&a.qdd, &b.qdd, 1e-2),
        error(&a.jacobian.concat(), &b.jacobian.concat(), 0.0),
        error(&d.effort, &e.effort, torque),
        error(&d.gravity, &e.gravity, torque),
        error(&d.coriolis, &e.coriolis, torque),
        error(&d.external, &e.external, torque),
        error(&d.mass_matrix.concat(), &e.mass_matrix.concat(), 0.0),
        error(&d.platform_mass_matrix.concat(), &e.platform_mass_matrix.concat(), 0.0),
        error(&[d.kinetic_energy], &[e.kinetic_energy], 0.0),
    ])
}

fn worst(a: &AnyRobot, b: &AnyRobot, file: &str) -> f64 {
    let questions = questions(a, file);
    assert_eq!(questions.len(), 20);
    largest(questions.iter().map(|q| difference(&a.state(q).unwrap(), &b.state(q).unwrap())))
}

/// The Delta of the general engine is the closed-form Delta.
#[test]
fn the_delta_through_the_engine_is_the_delta() {
    let delta = AnyRobot::open("delta-industrial").unwrap();
    let engine = delta.through_the_engine().unwrap();
    assert!(engine.as_delta().is_none() && delta.as_delta().is_some());
    let found = worst(&delta, &engine, "delta_industrial.json");
    assert!(found < 1e-12, "{found:.1e}"); // rounding
}

/// A robot given by `[[leg]]` tables is the robot of its family.
#[test]
fn robots_of_ones_own_equal_their_families() {
    for (family, custom, file) in [
        ("gough-stewart", "custom-gough-stewart", "gough_stewart.json"),
        ("five-bar", "custom-five-bar", "fivebar.json"),
        ("delta-industrial", "custom-delta", "delta_industrial.json"),
    ] {
        let (a, b) = (AnyRobot::open(family).unwrap(), AnyRobot::open(custom).unwrap());
        let found = worst(&a, &b, file);
        println!("{custom} against {family}: {found:.1e}");
        assert!(found < 1e-11, "{custom}: {found:.1e}"); // rounding through other frames
    }
}

/// LinuxCNC's default hexapod: leg lengths in inches at (0, 0, 20), and its real assembly modes.
#[test]
fn linuxcnc_hexapod_has_eight_assembly_modes() {
    let inch = 0.0254;
    let robot = AnyRobot::open("linuxcnc-hexapod").unwrap();
    let q = robot.inverse_kinematics(&PlatformState::at([0.0, 0.0, 20.0 * inch])).unwrap().q;
    let printed = [29.74668, 29.74668, 29.746715, 29.746363, 29.746363, 29.746715];
    for (found, printed) in q.iter().zip(printed) {
        assert!((found / inch - printed).abs() < 1e-5, "{q:?}"); // printed digits
    }
    let all = robot.all_forward_kinematics(&q).unwrap();
    let above = all.iter().filter(|mode| mode.position[2] > 0.0).count();
    assert_eq!((all.len(), above), (8, 4));
    assert!(all.iter().all(|mode| mode.residual < 1e-12));
    // The pose itself is among them.
    assert!(all.iter().any(|mode| (mode.position[2] - 20.0 * inch).abs() < 1e-9));
}

/// Inverse kinematics in every working mode closes: forward kinematics from nearby comes back.
#[test]
fn every_working_mode_comes_back() {
    for name in ["hexa", "five-bar", "planar-3rrr", "linear-delta", "hexaglide"] {
        let robot = AnyRobot::open(name).unwrap();
        let home = robot.home();
        let all = robot.all_inverse_kinematics(&home).unwrap();
        let legs = all[0].mode.split('-').count();
        assert_eq!(all.len(), 1 << legs, "{name}: every combination of {legs} legs");
        let mut modes: Vec<_> = all.iter().map(|solution| solution.mode.clone()).collect();
        modes.sort();
        modes.dedup();
        assert_eq!(modes.len(), all.len());
        for solution in &all {
            let same = robot.with_working_mode(&solution.mode).unwrap();
            assert_eq!(same.inverse_kinematics(&home).unwrap().q, solution.q, "{name} {}", solution.mode);
        }
    }
}

/// A payload given at run time is a heavier platform, for every family.
#[test]
fn a_payload_needs_more_effort() {
    for name in [
        "gough-stewart",
        "hexa",
        "c5",
        "space-radial",
        "linear-delta",
        "five-bar",
        "planar-3rrr",
        "custom-delta",
    ] {
        let robot = AnyRobot::open(name).unwrap();
        let heavier = robot.with_payload(2.0).unwrap();
        let gravity = |robot: &AnyRobot| -> f64 {
            let dynamics = robot.state(&robot.home()).unwrap().dynamics.unwrap();
            dynamics.platform_mass_matrix[0][0]
        };
        let gained = gravity(&heavier) - gravity(&robot.with_payload(0.0).unwrap());
        assert!((gained - 2.0).abs() < 1e-9, "{name}: {gained}");
    }
}

fn custom(text: &str) -> Result<AnyRobot, String> {
    let description = RobotDescription::parse(text, "own.toml").map_err(|error| error.to_string())?;
    AnyRobot::new(description).map_err(|error| error.to_string())
}

fn built_in(name: &str) -> &'static str {
    BUILT_IN.iter().find(|robot| robot.name == name).unwrap().text
}

/// A Delta with four legs: four motors for three freedoms. The effort of smallest norm is
/// returned, it produces the motion, and the joints of a state agree with each other.
#[test]
fn a_fourth_leg_on_a_delta_is_solved_with_the_smallest_effort() {
    let four = custom(&built_in("custom-delta").replace("times = 3", "times = 4")).unwrap();
    assert_eq!((four.joints().len(), four.freedoms().len()), (4, 3));
    let question = PlatformState::at([0.1, -0.05, -0.82]).moving([1.0, -0.5, 0.3], [10.0, -20.0, 5.0]);
    let state = four.state(&question).unwrap();
    let effort = state.dynamics.unwrap().motor;
    let back = four.forward_dynamics(&question, &effort).unwrap().platform;
    for (found, asked) in back.iter().zip([10.0, -20.0, 5.0]) {
        assert!((found - asked).abs() < 1e-9, "{back:?}"); // rounding, accelerations of 20 m/s²
    }
    // Along the internal tension of the legs nothing moves, and the effort has no part in it: smallest norm.
    let zero = four.forward_dynamics(&question, &[0.0; 4]).unwrap().platform;
    let response: Vec<Vec<f64>> = (0..4)
        .map(|k| {
            let mut unit = [0.0; 4];
            unit[k] = 1.0;
            let moved = four.forward_dynamics(&question, &unit).unwrap().platform;
            moved.iter().zip(&zero).map(|(a, b)| a - b).collect()
        })
        .collect();
    let tension = null_vector(&response);
    let part: f64 = effort.iter().zip(&tension).map(|(e, t)| e * t).sum();
    assert!(part.abs() < 1e-9, "{part:.1e} of the effort is internal tension");
    // Joint values that contradict each other are refused, with the part that no pose can mend.
    let mut q = state.q.clone();
    q[3] += 0.05;
    let error = four.forward_kinematics(&q, &question).unwrap_err().to_string();
    assert!(error.contains("stalled"), "{error}");
}

/// The combination of four vectors of three that vanishes, normalised.
fn null_vector(rows: &[Vec<f64>]) -> Vec<f64> {
    let det = |skip: usize| {
        let m: Vec<&Vec<f64>> =
            rows.iter().enumerate().filter(|(k, _)| *k != skip).map(|(_, row)| row).collect();
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    };
    let v: Vec<f64> = (0..4).map(|k| if k % 2 == 0 { det(k) } else { -det(k) }).collect();
    let norm = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    v.iter().map(|x| x / norm).collect()
}

/// Robots that cannot be: each a sentence with the numbers in it.
#[test]
fn impossible_robots_are_refused_with_the_reason() {
    let delta = built_in("custom-delta");
    let cases = [
        // a planar leg on a ball joint: a five-bar as a spatial mechanism
        (built_in("custom-five-bar").replace("type = \"planar\"", "type = \"spherical\""), "2 motors"),
        // two motors for three freedoms
        (delta.replace("times = 3", "times = 2"), "2"),
        // an inertia no body can have
        (
            delta.replace("inertia = [0, 0.01225, 0.01225]", "inertia = [0.1, 0.01225, 0.01225]"),
            "principal moments",
        ),
        (delta.replace("mass = \"0.5 kg\"", "mass = \"-0.5 kg\""), "-0.5"),
        // home out of reach
        (delta.replace("position = [0, 0, \"-800 mm\"]", "position = [0, 0, \"-1800 mm\"]"), "leg 1"),
    ];
    for (text, words) in cases {
        let error = custom(&text).unwrap_err();
        assert!(error.contains(words), "{words:?} not in: {error}");
    }
}

/// Questions without an answer name the leg or the freedom.
#[test]
fn unanswerable_states_say_why() {
    let hexapod = AnyRobot::open("gough-stewart").unwrap();
    let five_bar = AnyRobot::open("five-bar").unwrap();
    let far = PlatformState::at([3.0, 0.0, 0.0]);
    let error = five_bar.state(&far).unwrap_err().to_string();
    assert!(error.contains("out of reach: leg 1"), "{error}");
    let nan = PlatformState::at([0.0, f64::NAN, 0.5]);
    assert_eq!(hexapod.state(&nan).unwrap_err().to_string(), "component 2 of the position is NaN");
    let skew = hexapod.home().turned([[1.0, 0.1, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]);
    assert!(hexapod.state(&skew).unwrap_err().to_string().contains("no rotation"));
    let mirrored = hexapod.home().turned([[-1.0, 0.0, 0.0], [0.0, -1.0, 0.0], [0.0, 0.0, -1.0]]);
    assert!(hexapod.state(&mirrored).unwrap_err().to_string().contains("it mirrors"));
    assert!(hexapod.inverse_dynamics(&mirrored).is_err());
    let (positions, rotations) = (mirrored.position.repeat(40), mirrored.rotation.as_flattened().repeat(40));
    let (mut efforts, mut marks) = (vec![0.0; 240], vec![StateMark::Answered; 40]);
    let many = PlatformStates::at(&positions).turned(&rotations);
    assert_eq!(hexapod.batch().inverse_dynamics(&many, &mut efforts, &mut marks), Ok(0));
    assert!(marks.iter().all(|mark| *mark == StateMark::NotARotation));
    let mut turning = five_bar.home();
    turning.twist[5] = 1.0;
    let error = five_bar.state(&turning).unwrap_err().to_string();
    assert_eq!(error, "the platform of this robot cannot move in wz");
    let error = hexapod.forward_dynamics(&hexapod.home(), &[0.0; 5]).unwrap_err().to_string();
    assert_eq!(error, "efforts: 6 numbers expected, 5 given");
}

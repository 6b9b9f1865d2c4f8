//! Every built-in robot proves itself; golden files agree; a wrong model is caught.

use legwork::check::{
    CheckSummary, Count, DEFAULT_SEED, GoldenComparison, GoldenError, check_golden, check_robot,
    check_robot_watched,
};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::{AnyRobot, PlatformState};
use serde_json::Value;
use std::path::PathBuf;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name)
}

#[test]
fn every_built_in_robot_proves_itself() {
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        let report = check_robot(&robot, 50, DEFAULT_SEED);
        assert_eq!(report.states, 50, "{}", built_in.name);
        assert!(report.holds(), "{}: {report:?}", built_in.name);
        // Ten at least: a robot with more motors than freedoms has no mass matrix at its motors.
        assert_eq!(report.findings.len() >= 10, robot.has_masses());
        let unjudged: usize = report.refused.iter().chain(&report.failed).map(|count| count.states).sum();
        assert_eq!(
            report.states + unjudged,
            report.sampled,
            "{}: every draw is judged or counted",
            built_in.name
        );
        // A bar that a mistake does not reach proves nothing.
        assert!(report.findings.iter().all(|finding| finding.bar <= 1e-8), "{}: {report:?}", built_in.name);
    }
}

/// A summary holds only if enough states were judged, at least one, none failed, and every finding holds.
#[test]
fn a_summary_holds_only_whole() {
    let robot = AnyRobot::open("five-bar").unwrap();
    let sound = check_robot(&robot, 5, DEFAULT_SEED);
    assert!(sound.holds() && sound.is_judged() && sound.wanted == 5);
    let spoilt = |spoil: &dyn Fn(&mut CheckSummary)| {
        let mut summary = sound.clone();
        spoil(&mut summary);
        (summary.holds(), summary.is_judged())
    };
    assert_eq!(spoilt(&|s| s.states = 4), (false, false));
    assert_eq!(spoilt(&|s| (s.states, s.wanted) = (0, 0)), (false, false));
    assert_eq!(spoilt(&|s| s.failed.push(Count { reason: "no number".into(), states: 1 })), (false, true));
    assert_eq!(spoilt(&|s| s.findings.clear()), (false, true));
    assert_eq!(spoilt(&|s| s.findings[3].worst = f64::NAN), (false, true));
    assert_eq!(spoilt(&|s| s.findings[0].states = 0), (false, true));
    // Ended early: what was judged is what was wanted.
    let early = check_robot_watched(&robot, 50, DEFAULT_SEED, &mut |done| done < 7);
    assert_eq!((early.states, early.wanted, early.cancelled, early.holds()), (7, 7, true, true));
    let never = check_robot_watched(&robot, 50, DEFAULT_SEED, &mut |_| false);
    assert_eq!((never.states, never.wanted, never.cancelled, never.holds()), (0, 0, true, false));
}

#[test]
fn golden_files_agree_in_every_quantity() {
    for (name, quantities) in [
        ("delta_ngoc.json", 17),
        ("delta_industrial.json", 17),
        ("gough_stewart.json", 17),
        ("space_radial.json", 17),
        ("space_table1.json", 17),
        ("c5.json", 17),
        ("hexa.json", 17),
        ("linear_delta.json", 17),
        ("fivebar.json", 17),
        ("rrr3.json", 16), // the file does not say which length scales its condition number
    ] {
        let report = check_golden(golden(name)).unwrap();
        for finding in &report.findings {
            println!("{name:24} {:36} {:.1e}", finding.name, finding.worst);
        }
        assert_eq!((report.states, report.findings.len()), (20, quantities), "{name}");
        // Only a condition number whose scaling length the file does not give is left out.
        let turns = !matches!(
            name,
            "delta_ngoc.json" | "delta_industrial.json" | "linear_delta.json" | "fivebar.json"
        );
        assert_eq!(report.not_compared.len(), usize::from(turns), "{name}: {:?}", report.not_compared);
        for finding in &report.findings {
            assert!(finding.holds(), "{name}: {} is off by {:.1e}", finding.name, finding.worst);
        }
    }
}

/// Every sample of a golden motion: 1e-9 m at a tolerance of 1e-10.
#[test]
fn golden_trajectories_are_met_in_every_sample() {
    for (name, quantities) in [("delta_swing.json", 9), ("gough_swing.json", 10)] {
        let report = check_golden(golden(name)).unwrap();
        for finding in &report.findings {
            println!("{name:24} {:40} {:.1e}", finding.name, finding.worst);
            assert!(finding.holds(), "{name}: {} is off by {:.1e}", finding.name, finding.worst);
        }
        assert_eq!((report.states, report.findings.len()), (21, quantities), "{name}");
        assert_eq!(report.not_compared, ["/cond: the file does not say of which matrix"], "{name}");
    }
}

/// An effort that is wrong by many decades would be followed for any number of steps.
#[test]
fn a_golden_trajectory_has_a_bounded_number_of_steps() {
    let wrong = |file: &mut Value| file["constant_effort"][0] = serde_json::json!(6.8e10);
    let error = edited("gough_swing.json", wrong).unwrap_err().to_string();
    assert!(error.contains("more than 100000 steps are needed"), "{error}");
}

/// What a golden file says, changed as text, judged.
fn judged(name: &str, change: impl Fn(&str) -> String) -> Result<GoldenComparison, GoldenError> {
    static COUNT: std::sync::atomic::AtomicUsize = std::sync::atomic::AtomicUsize::new(0);
    let text = std::fs::read_to_string(golden(name)).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "the change did nothing");
    let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("legwork-golden-{}-{number}.json", std::process::id()));
    std::fs::write(&path, changed).unwrap();
    let report = check_golden(&path);
    std::fs::remove_file(&path).unwrap();
    report
}

/// The same, changed as a JSON value.
fn edited(name: &str, edit: impl Fn(&mut Value)) -> Result<GoldenComparison, GoldenError> {
    judged(name, |text| {
        let mut file: Value = serde_json::from_str(text).unwrap();
        edit(&mut file);
        file.to_string()
    })
}

/// Every quantity of a golden file, wrong in one number of one state, is found and named.
#[test]
fn a_wrong_number_in_a_golden_file_is_found() {
    for (pointer, name) in [
        ("/joint/q/0", "inverse kinematics q"),
        ("/joint/qd/1", "joint velocity qd"),
        ("/joint/qdd/2", "joint acceleration qdd"),
        ("/effort/0", "effort"),
        ("/mass_matrix/0/1", "mass matrix"),
        ("/coriolis_effort/1", "Coriolis effort"),
        ("/gravity_effort/2", "gravity effort"),
        ("/jacobian/1/1", "Jacobian"),
        ("/jacobian_condition_scaled", "condition of the Jacobian"),
        ("/kinetic_energy", "kinetic energy"),
        ("/potential_energy", "potential energy"),
        ("/forward/platform_acceleration/0", "forward dynamics, platform"),
        ("/forward/qdd/1", "forward dynamics, joints"),
        ("/external/effort/0", "effort under an external wrench"),
    ] {
        let report = edited("delta_industrial.json", |file| {
            let number = file.pointer_mut(&format!("/states/7{pointer}")).unwrap();
            *number = serde_json::json!(number.as_f64().unwrap() * (1.0 + 1e-7) + 1e-7);
        })
        .unwrap();
        let wrong: Vec<_> =
            report.findings.iter().filter(|finding| !finding.holds()).map(|f| f.name).collect();
        assert!(wrong.contains(&name) && !report.holds(), "{pointer}: {wrong:?}");
    }
}

/// A golden file, a change of it, and what must be said about it.
type Case<'a> = (&'a str, &'a dyn Fn(&mut Value), &'a str);

/// Whatever a file says that would be ignored, twice, half or against itself is an error that names it.
#[test]
fn a_golden_file_says_nothing_in_vain() {
    let remove = |file: &mut Value, pointer: &str, key: &str| {
        file.pointer_mut(pointer).unwrap().as_object_mut().unwrap().remove(key).unwrap()
    };
    let cases: [Case<'_>; 20] = [
        (
            "hexa.json",
            &|f| {
                let rows = f["states"][4]["platform"]["rotation"].as_array_mut().unwrap();
                rows.swap(0, 1);
            },
            "state 5, /states/4/platform/rotation: does not agree with what a rotation is",
        ),
        ("hexa.json", &|f| f["colour"] = "blue".into(), "/colour: no such key here"),
        (
            "hexa.json",
            &|f| f["states"][3]["colour"] = "blue".into(),
            "state 4, /states/3/colour: no such key here",
        ),
        (
            "hexa.json",
            &|f| {
                let qd = remove(f, "/states/2/joint", "qd");
                f["states"][2]["joint"]["qD"] = qd;
            },
            "state 3, /states/2/joint/qD: no such key here: did you mean `qd`?",
        ),
        (
            "hexa.json",
            &|f| drop(remove(f, "/states/5", "effort")),
            "state 6, /states/5/effort: missing, while other",
        ),
        (
            "hexa.json",
            &|f| drop(remove(f, "/states/5/forward", "qdd")),
            "state 6, /states/5/forward/qdd: missing",
        ),
        (
            "hexa.json",
            &|f| f["states"][1]["effort"] = Value::Null,
            "state 2, /states/1/effort: null is no value",
        ),
        (
            "hexa.json",
            &|f| f["states"][1]["effort"][2] = Value::Null,
            "state 2, /states/1/effort/2: null is no value",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["m_payload"] = 50.into(),
            "/parameters/m_payload: no such key here",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["leg_rod"]["radius"] = 1.into(),
            "/parameters/leg_rod/radius: no",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["actuation"] = "space".into(),
            "/parameters/actuation: does not agree",
        ),
        (
            "space_radial.json",
            &|f| f["parameters"]["u_axis1"][0][1] = 1.into(),
            "/parameters/u_axis1: does not agree with `gamma`",
        ),
        (
            "hexa.json",
            &|f| f["parameters"]["platform"]["inertia_com"][2][0] = 0.25.into(),
            "/parameters/platform/inertia_com: does not agree with itself: an inertia is symmetric",
        ),
        (
            "gough_stewart.json",
            &|f| f["parameters"]["u_axis1"][3] = serde_json::json!([0.0, 2.0, 0.0]),
            "/parameters/u_axis1: does not agree with what a direction is",
        ),
        ("hexa.json", &|f| f["states"] = Value::Array(Vec::new()), "it holds no states"),
        (
            "hexa.json",
            &|f| f["states"][4]["platform"]["quaternion_wxyz"] = serde_json::json!([1.0, 0.0, 0.0, 0.0]),
            "state 5, /states/4/platform/quaternion_wxyz: does not agree with `rotation`",
        ),
        (
            "hexa.json",
            &|f| f["states"][4]["platform"]["rotation"][0][0] = 0.5.into(),
            "state 5, /states/4/platform/rotation: does not agree with what a rotation is",
        ),
        (
            "hexa.json",
            &|f| f["actuated"] = 5.into(),
            "/actuated: does not agree with the robot, which has 6 motors",
        ),
        (
            "rrr3.json",
            &|f| f["platform_rate_order"] = serde_json::json!(["vy", "vx", "wz"]),
            "/platform_rate_order: does not agree",
        ),
        ("delta_swing.json", &|f| f["samples"].as_array_mut().unwrap().truncate(1), "it holds no states"),
    ];
    assert_refused(&cases);
}

fn assert_refused(cases: &[Case<'_>]) {
    for (name, edit, expected) in cases {
        let error = edited(name, edit).unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
}

#[test]
fn a_golden_mechanism_says_nothing_in_vain() {
    let cases: [Case<'_>; 7] = [
        (
            "mechanisms/rps3.json",
            &|f| f["joints"][0]["type"] = "helical".into(),
            "/joints/0/type: `helical` is none of: revolute",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["joints"][0]["actuator_inertia"] = 3.into(),
            "/joints/0/actuator_inertia: does not agree with `motor`",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["joints"][1]["actuator_inertia"] = (-3).into(),
            "/joints/1/actuator_inertia: does not agree with what an inertia is",
        ),
        (
            "mechanisms/rps3.json",
            &|f| drop(f["states"][1]["effort"].as_array_mut().unwrap().pop()),
            "state 2, /states/1/effort: 2 numbers where 3 are expected",
        ),
        (
            "mechanisms/rps3.json",
            &|f| drop(f["states"][1]["motor"]["qd"].as_array_mut().unwrap().pop()),
            "state 2, /states/1/motor/qd: 2 numbers where 3 are expected",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["states"][1]["platform"]["rotation"][0][0] = 0.5.into(),
            "state 2, /states/1/platform/rotation: does not agree with what a rotation is",
        ),
        (
            "mechanisms/rps3.json",
            &|f| f["home"]["bodies"]["rod1"]["rotation"][0][0] = 0.5.into(),
            "/home/bodies/rod1/rotation: does not agree with what a rotation is",
        ),
    ];
    assert_refused(&cases);
}

/// A mechanism closes from a rough start, but a golden file is not rough.
#[test]
fn a_golden_home_that_is_open_is_found() {
    let height = |f: &mut Value| {
        let z = &mut f["home"]["bodies"]["platform"]["position"][2];
        *z = (z.as_f64().unwrap() + 0.01).into();
    };
    let report = edited("mechanisms/rps3.json", height).unwrap();
    let open =
        report.findings.iter().find(|finding| finding.name.contains("home closed as listed, position"));
    assert!(open.is_some_and(|finding| !finding.holds()), "{:?}", report.findings);
}

/// An error of a millionth in any number of one sample of a motion is found, under the name of that number.
#[test]
fn a_golden_motion_is_compared_number_by_number() {
    for (place, name) in [
        ("/samples/3/bodies/rod1/position/2", "positions of all bodies [m]"),
        ("/samples/3/platform/position/2", "platform, position [m]"),
        ("/samples/3/platform/twist/2", "platform, twist over the fastest motor"),
        ("/samples/3/motor/q/1", "motors q"),
        ("/samples/3/motor/qd/1", "motors qd over the fastest"),
        ("/samples/3/kinetic_energy", "kinetic energy, relative"),
        ("/samples/3/potential_energy", "potential energy, relative"),
        ("/samples/3/total_energy", "total energy T + U - effort q, relative"),
    ] {
        let report = edited("mechanisms/rps3_swing.json", |file| {
            let number = file.pointer_mut(place).unwrap();
            let value = number.as_f64().unwrap();
            *number = (value + 1e-6 * value.abs().max(1.0)).into();
        });
        let wrong: Vec<_> = report.unwrap().findings.into_iter().filter(|finding| !finding.holds()).collect();
        assert_eq!(wrong.iter().map(|finding| finding.name).collect::<Vec<_>>(), [name], "{place}");
    }
}

/// As text: a JSON value has each key once.
#[test]
fn a_golden_file_says_nothing_twice() {
    for (name, old, new, expected) in [
        ("hexa.json", "\"robot\"", "\"actuated\": 6, \"robot\"", "/actuated: the key stands twice"),
        ("hexa.json", "\"LA\"", "\"LA\": 9, \"LA\"", "/parameters/LA: the key stands twice"),
        (
            "fivebar.json",
            "\"qdd\"",
            "\"q\": [0, 0], \"qdd\"",
            "state 1, /states/0/joint/q: the key stands twice",
        ),
        ("delta_swing.json", "\"t\"", "\"t\": 0, \"t\"", "sample 1, /samples/0/t: the key stands twice"),
    ] {
        let error = judged(name, |text| text.replacen(old, new, 1)).unwrap_err().to_string();
        assert!(error.contains(expected), "{name}: {error}");
    }
}

/// Quantities that are in no state are not compared, and the result says so.
#[test]
fn what_is_not_compared_is_listed() {
    let report = edited("fivebar.json", |file| {
        for state in file["states"].as_array_mut().unwrap() {
            let state = state.as_object_mut().unwrap();
            drop((state.remove("mass_matrix"), state.remove("forward")));
        }
    })
    .unwrap();
    assert!(report.holds());
    let expected = ["/mass_matrix", "/forward/platform_acceleration", "/forward/qdd"];
    assert_eq!(report.not_compared, expected.map(|place| format!("{place}: not in the file")));
}

/// Angles are the same modulo a turn.
#[test]
fn a_turn_more_is_the_same_angle() {
    let report = edited("fivebar.json", |file| {
        for state in file["states"].as_array_mut().unwrap() {
            let q = state["joint"]["q"][0].as_f64().unwrap();
            state["joint"]["q"][0] = (q + std::f64::consts::TAU).into();
        }
    });
    assert!(report.unwrap().holds());
}

/// The catalogue of the core and the robot files hold the same robots.
#[test]
fn presets_equal_their_files() {
    use legwork::robots::catalog;
    let presets = [
        ("delta-direct-drive", catalog::delta_direct_drive()),
        ("delta-ngoc-kim", catalog::delta_ngoc_kim()),
        ("delta-industrial", catalog::delta_industrial()),
        ("survey-delta", catalog::survey_delta()),
        ("delta-bortoff-a", catalog::delta_bortoff_a()),
        ("delta-bortoff-b", catalog::delta_bortoff_b()),
        ("delta-bortoff-c", catalog::delta_bortoff_c()),
    ];
    for (name, preset) in presets {
        let robot = AnyRobot::open(name).unwrap();
        let file = robot.as_delta().unwrap();
        let numbers = |d: &legwork::robots::delta::Delta<f64>| {
            let mut all = Vec::new();
            let _ = d.map(|x| {
                all.push(x);
                x
            });
            all
        };
        for (a, b) in numbers(&preset).iter().zip(numbers(file)) {
            assert!(
                (a - b).abs() <= 1e-15 * a.abs().max(1e-3),
                "{name}: {a} in the catalogue, {b} in the file"
            );
        }
    }
}

#[test]
fn geometry_only_robots_answer_kinematics_and_refuse_torques() {
    for name in ["irb360-1600", "microdelta-240"] {
        let robot = AnyRobot::open(name).unwrap();
        assert!(!robot.has_masses() && robot.inverse_kinematics(&robot.home()).is_ok());
        let platform = robot.home();
        let error = robot.forward_dynamics(&platform, &[0.0; 3]).unwrap_err();
        assert!(error.to_string().contains("masses are missing"), "{error}");
        assert!(robot.with_payload(1.0).is_err());
    }
}

/// Positions and angles of a vendor's convention go through unchanged: Klipper counts z from the bed, angles up.
#[test]
fn a_convention_is_the_users_frame() {
    let klipper = AnyRobot::open("klipper-rotary-delta").unwrap();
    let ours = RobotDescription::built_in("klipper-rotary-delta").unwrap();
    let (home, height) = (klipper.home().position, ours.as_delta().unwrap().frame.offset[2]);
    assert!(height > 0.0 && home[2] > 0.0, "the bed is below the platform");
    let q = klipper.inverse_kinematics(&PlatformState::at(home)).unwrap().q;
    let direct =
        klipper.linkage().unwrap().inverse_kinematics([home[0], home[1], home[2] - height].into()).unwrap();
    assert!((q[0] + direct.x).abs() < 1e-15);
    let back = klipper.all_forward_kinematics(&q).unwrap()[0].position;
    assert!((back[2] - home[2]).abs() < 1e-12);
}

/// A Delta and a five-bar in other units of length and mass, gravity in the same; the unit of time stays.
fn in_units(length: f64, mass: f64) -> [String; 2] {
    let (g, inertia) = (9.81 * length, mass * length * length);
    let delta = format!(
        "family = \"delta\"\ngravity = {g}\n\
         [geometry]\nbase_radius = {}\nplatform_radius = {}\narm = {}\nforearm = {}\n\
         [mass]\nplatform = {}\narm = {}\nforearm = {}\n",
        0.06 * length,
        0.022 * length,
        0.1 * length,
        0.224 * length,
        0.0836 * mass,
        0.0829 * mass,
        0.0964 * mass
    );
    let five_bar = format!(
        "family = \"five-bar\"\nworking_mode = [\"left\", \"right\"]\ngravity = {g}\n\
         [geometry]\nmotor_offset = {}\nproximal = {}\ndistal = {}\n\
         [mass]\nproximal = {}\nproximal_centre = {}\nproximal_inertia = {}\n\
         distal = {}\ndistal_centre = {}\ndistal_inertia = {}\nplatform = {}\n\
         [home]\nposition = [0, {}]\n",
        0.1 * length,
        0.25 * length,
        0.35 * length,
        0.6 * mass,
        0.11 * length,
        0.004 * inertia,
        0.4 * mass,
        0.17 * length,
        0.005 * inertia,
        0.5 * mass,
        0.36 * length
    );
    [delta, five_bar]
}

/// Powers of two change no digit, so every error is the same to the bit: places, speeds, accelerations and forces are
/// drawn in units of the robot, and errors are relative to them.
#[test]
fn other_units_give_the_same_numbers() {
    let worst = |text: &String| {
        let robot = AnyRobot::new(RobotDescription::parse(text, "units.toml").unwrap()).unwrap();
        let report = check_robot(&robot, 10, DEFAULT_SEED);
        assert!(report.holds(), "{report:?}");
        let errors: Vec<_> = report.findings.iter().map(|f| (f.name, f.worst.to_bits())).collect();
        (report.sampled, errors)
    };
    let plain = in_units(1.0, 1.0).each_ref().map(worst);
    for (length, mass) in [(4.0, 1.0), (1.0, 0.25), (0.0009765625, 64.0)] {
        assert_eq!(
            in_units(length, mass).each_ref().map(worst),
            plain,
            "lengths x {length}, masses x {mass}"
        );
    }
}

/// What holds only for legs 120 degrees apart is not judged of others, and that is said.
#[test]
fn what_a_lopsided_delta_does_not_keep_is_said() {
    let [regular, _] = in_units(1.0, 1.0);
    let lopsided = regular.replace("[geometry]\n", "[geometry]\nazimuth = [0, \"110 deg\", \"235 deg\"]\n");
    let skipped = |text: &str| -> Vec<&str> {
        let robot = AnyRobot::new(RobotDescription::parse(text, "lopsided.toml").unwrap()).unwrap();
        let report = check_robot(&robot, 5, DEFAULT_SEED);
        assert!(report.holds(), "{report:?}");
        report.skipped.iter().map(|(name, _)| *name).collect()
    };
    let names = ["a third of a turn permutes the legs", "Ngoc-Kim multipliers = half-and-half lumping"];
    assert_eq!(skipped(&lopsided), names);
    assert!(skipped(&regular).is_empty());
}

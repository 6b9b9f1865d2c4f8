//! Every built-in robot proves itself; golden files agree; a wrong model is caught.

use legwork::check::{DEFAULT_SEED, check_golden, check_robot};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::{AnyRobot, PlatformState};
use std::path::PathBuf;

fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name)
}

#[test]
fn every_built_in_robot_proves_itself() {
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        let report = check_robot(&robot, 100, DEFAULT_SEED);
        assert_eq!(report.states, 100, "{}", built_in.name);
        for finding in report.findings.iter().filter(|finding| !finding.holds()) {
            panic!("{}: {finding:?}", built_in.name);
        }
        assert!(report.holds(), "{}: {report:?}", built_in.name);
        // Ten at least: a robot with more motors than freedoms has no mass matrix at its motors.
        assert_eq!(report.findings.len() >= 10, robot.has_masses());
    }
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
        assert!(report.unknown.is_empty());
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
        assert!(report.unknown.is_empty(), "{:?}", report.unknown);
    }
}

/// A golden file whose numbers are wrong in one place is not passed.
#[test]
fn a_wrong_number_in_a_golden_file_is_found() {
    let text = std::fs::read_to_string(golden("delta_industrial.json")).unwrap();
    let mut file: serde_json::Value = serde_json::from_str(&text).unwrap();
    file["states"][7]["coriolis_effort"][1] = serde_json::json!(0.123);
    let path = std::env::temp_dir().join(format!("legwork-golden-{}.json", std::process::id()));
    std::fs::write(&path, file.to_string()).unwrap();
    let report = check_golden(&path);
    std::fs::remove_file(&path).unwrap();
    let report = report.unwrap();
    let wrong: Vec<_> = report.findings.iter().filter(|finding| !finding.holds()).map(|f| f.name).collect();
    assert_eq!(wrong, ["Coriolis effort"]);
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
    let (home, height) = (klipper.home().position, ours.as_delta().unwrap().frame.z_offset);
    assert!(height > 0.0 && home[2] > 0.0, "the bed is below the platform");
    let q = klipper.inverse_kinematics(&PlatformState::at(home)).unwrap().q;
    let direct =
        klipper.linkage().unwrap().inverse_kinematics([home[0], home[1], home[2] - height].into()).unwrap();
    assert!((q[0] + direct.x).abs() < 1e-15);
    let back = klipper.all_forward_kinematics(&q).unwrap()[0].position;
    assert!((back[2] - home[2]).abs() < 1e-12);
}

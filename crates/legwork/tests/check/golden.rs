//! Golden files agree; a wrong number, a wrong key and a missing one are found.

use legwork::AnyRobot;
use legwork::check::{GoldenComparison, GoldenError, check_golden, check_golden_unless};
use legwork_testkit::{largest, numbers};
use serde_json::Value;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

pub fn golden(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../golden").join(name)
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
        let bar = if name.starts_with("delta") { 1e-12 } else { 1e-11 };
        for finding in &report.findings {
            assert!(finding.holds(), "{name}: {} is off by {:.1e}", finding.name, finding.worst);
            assert_eq!(finding.bar, bar, "{name}: {}", finding.name);
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
            let bar = if finding.name.starts_with("loop gap") { 1e-12 } else { 1e-8 };
            assert!(finding.bar <= bar, "{name}: {}", finding.name);
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
pub fn judged(name: &str, change: impl Fn(&str) -> String) -> Result<GoldenComparison, GoldenError> {
    static COUNT: AtomicUsize = AtomicUsize::new(0);
    let text = std::fs::read_to_string(golden(name)).unwrap();
    let changed = change(&text);
    assert_ne!(text, changed, "the change did nothing");
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let path = std::env::temp_dir().join(format!("legwork-golden-{}-{number}.json", std::process::id()));
    std::fs::write(&path, changed).unwrap();
    let report = check_golden(&path);
    std::fs::remove_file(&path).unwrap();
    report
}

/// The same, changed as a JSON value.
pub fn edited(name: &str, edit: impl Fn(&mut Value)) -> Result<GoldenComparison, GoldenError> {
    judged(name, |text| {
        let mut file: Value = serde_json::from_str(text).unwrap();
        edit(&mut file);
        file.to_string()
    })
}

/// Changes the largest number of a list, or a number alone, by a part of it.
pub fn spoil(file: &mut Value, pointer: &str, part: f64) {
    fn all(value: &mut Value) -> Vec<&mut Value> {
        match value {
            Value::Array(items) => items.iter_mut().flat_map(all).collect(),
            number => vec![number],
        }
    }
    let list = file.pointer_mut(pointer).unwrap();
    let size = largest(numbers(list));
    let number = all(list).into_iter().find(|number| number.as_f64().unwrap().abs() == size).unwrap();
    *number = (number.as_f64().unwrap() * (1.0 + part)).into();
}

/// The names of what does not hold, each with its worst error.
pub fn wrong(report: &GoldenComparison) -> Vec<(&'static str, f64)> {
    let wrong = report.findings.iter().filter(|finding| !finding.holds());
    wrong.map(|finding| (finding.name, finding.worst)).collect()
}

/// Multiplies numbers by a power of two, which changes no digit.
pub fn scale(value: &mut Value, by: f64) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| scale(item, by)),
        number => *number = (number.as_f64().unwrap() * by).into(),
    }
}

/// The industrial Delta with all lengths 16384 times as short.
fn in_miniature(file: &mut Value) {
    const LENGTH: f64 = 1.0 / 16384.0;
    for key in ["RA", "RB", "LA", "LB", "g"] {
        scale(&mut file["parameters"][key], LENGTH);
    }
    scale(&mut file["parameters"]["I_m"], LENGTH * LENGTH);
    for state in file["states"].as_array_mut().unwrap() {
        for place in ["/platform/position", "/platform/twist", "/platform/acceleration", "/jacobian"] {
            scale(state.pointer_mut(place).unwrap(), LENGTH);
        }
        for place in ["/forward/platform_acceleration", "/external/wrench"] {
            scale(state.pointer_mut(place).unwrap(), LENGTH);
        }
        for key in ["effort", "mass_matrix", "coriolis_effort", "gravity_effort"] {
            scale(&mut state[key], LENGTH * LENGTH);
        }
        for place in ["/forward/effort", "/external/effort", "/kinetic_energy", "/potential_energy"] {
            scale(state.pointer_mut(place).unwrap(), LENGTH * LENGTH);
        }
    }
}

/// Every quantity of a golden file, wrong in one number of one state by 1e-10 of its size, is found, named, and told to be
/// off by so much; also of a robot that is a tenth of a millimetre large.
#[test]
fn a_wrong_number_in_a_golden_file_is_found() {
    for small in [false, true] {
        for (pointer, name) in [
            ("/joint/q", "inverse kinematics q"),
            ("/joint/qd", "joint velocity qd"),
            ("/joint/qdd", "joint acceleration qdd"),
            ("/effort", "effort"),
            ("/mass_matrix", "mass matrix"),
            ("/coriolis_effort", "Coriolis effort"),
            ("/gravity_effort", "gravity effort"),
            ("/jacobian", "Jacobian"),
            ("/jacobian_condition_scaled", "condition of the Jacobian"),
            ("/kinetic_energy", "kinetic energy"),
            ("/potential_energy", "potential energy"),
            ("/forward/platform_acceleration", "forward dynamics, platform"),
            ("/forward/qdd", "forward dynamics, joints"),
            ("/external/effort", "effort under an external wrench"),
        ] {
            let report = edited("delta_industrial.json", |file| {
                if small {
                    in_miniature(file);
                }
                spoil(file, &format!("/states/7{pointer}"), 1e-10);
            })
            .unwrap();
            let wrong = wrong(&report);
            let off = wrong.iter().find(|(wrong, _)| *wrong == name).unwrap_or_else(|| panic!("{pointer}"));
            assert!((off.1 - 1e-10).abs() < 1e-12, "{pointer}: {wrong:?}"); // the bar of the rest
            // Joints that are wrong place the platform wrong, and move it otherwise; else nothing else is told to be wrong.
            let also = wrong.iter().any(|(wrong, _)| *wrong == "forward kinematics, position");
            assert_eq!(also, pointer == "/joint/q", "{pointer}: {wrong:?}");
            assert!(also || wrong.len() == 1, "{pointer}: {wrong:?}");
        }
    }
}

/// Every number of a sample of a motion, wrong by 1e-6, is found under its name, and told in units of the robot.
#[test]
fn a_golden_trajectory_is_compared_number_by_number() {
    const OFF: f64 = 1e-6;
    for (file, robot, slides) in
        [("delta_swing.json", "delta-industrial", false), ("gough_swing.json", "gough-stewart", true)]
    {
        let off = |pointer: &str| {
            let report = edited(file, |file| {
                let number = file.pointer_mut(&format!("/samples/7{pointer}")).unwrap();
                *number = (number.as_f64().unwrap() + OFF).into();
            });
            let report = report.unwrap();
            let wrong = wrong(&report);
            assert_eq!(wrong.len(), 1, "{file} {pointer}: {wrong:?}");
            (wrong[0].0, wrong[0].1 / OFF)
        };
        let (name, over_length) = off("/position/2");
        assert_eq!(name, "position, in lengths of the robot");
        // That of the robot at its home, which is another one in the file.
        let length = over_length.recip();
        assert!((AnyRobot::open(robot).unwrap().length() / length - 1.0).abs() < 0.05);
        let speed = (9.81 * length).sqrt();
        let lever = if slides { 1.0 } else { length };
        let samples = legwork_testkit::golden(file)["samples"].clone();
        let kinetic =
            largest(samples.as_array().unwrap().iter().map(|s| s["kinetic_energy"].as_f64().unwrap()));
        let velocity = "velocity, in lengths of the robot per time of its fall";
        let mut cases = vec![
            ("/q/1", "joints q", lever / length),
            ("/qd/1", "joint velocity qd", lever / speed),
            ("/kinetic_energy", "kinetic energy, relative", 1.0 / kinetic),
            ("/potential_energy", "potential energy, relative", 1.0 / kinetic),
            ("/total_energy", "total energy T + U - effort q, relative", 1.0 / kinetic),
        ];
        if slides {
            cases.extend([("/twist/2", velocity, 1.0 / speed), ("/twist/3", velocity, length / speed)]);
        } else {
            cases.push(("/velocity/2", velocity, 1.0 / speed));
        }
        for (pointer, name, unit) in cases {
            // The run has a little more kinetic energy between two samples than in any of them.
            let tolerance = if name.contains("energy") { 0.1 } else { 0.01 };
            let (found, size) = off(pointer);
            assert!(
                found == name && (size / unit - 1.0).abs() < tolerance,
                "{file} {pointer}: {found} {size} {unit}"
            );
        }
    }
    // A platform that is turned by as much about z.
    let report = edited("gough_swing.json", |file| {
        let sample = &mut file["samples"][7];
        let rows = sample["rotation"].clone();
        let x = numbers(&rows[0]);
        let y = numbers(&rows[1]);
        for k in 0..3 {
            sample["rotation"][0][k] = (x[k] - OFF * y[k]).into();
            sample["rotation"][1][k] = (y[k] + OFF * x[k]).into();
        }
        for sample in file["samples"].as_array_mut().unwrap() {
            sample.as_object_mut().unwrap().remove("quaternion_wxyz").unwrap();
        }
    })
    .unwrap();
    let wrong = wrong(&report);
    assert!(wrong.len() == 1 && wrong[0].0 == "rotation", "{wrong:?}");
    assert!((wrong[0].1 / OFF - 1.0).abs() < 0.1, "{wrong:?}"); // its x and y are nearly level
}

/// A comparison that is cancelled ends, whatever the file holds.
#[test]
fn a_comparison_can_be_cancelled() {
    for name in ["hexa.json", "delta_swing.json", "mechanisms/rps3.json", "mechanisms/rps3_swing.json"] {
        let flag = AtomicBool::new(true);
        assert_eq!(check_golden_unless(golden(name), Some(&flag)), Err(GoldenError::Cancelled), "{name}");
        flag.store(false, Ordering::Relaxed);
        assert!(check_golden_unless(golden(name), Some(&flag)).unwrap().holds(), "{name}");
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
    let report = edited("delta_swing.json", |file| {
        for sample in file["samples"].as_array_mut().unwrap() {
            let sample = sample.as_object_mut().unwrap();
            drop((sample.remove("velocity"), sample.remove("cond")));
        }
    })
    .unwrap();
    assert!(report.holds());
    assert_eq!(report.not_compared, ["/twist: not in the file"]);
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

/// Some editors put a mark of the encoding before a text.
#[test]
fn a_mark_of_the_encoding_is_read_over() {
    assert!(judged("fivebar.json", |text| format!("\u{feff}{text}")).unwrap().holds());
}

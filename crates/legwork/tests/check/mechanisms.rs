//! Golden files of mechanisms, spoilt on purpose.

use super::golden::{edited, golden, scale, spoil, wrong};
use legwork::check::check_golden;
use serde_json::Value;

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

/// A mechanism with all lengths 1024 times as short. Efforts and masses at its motors are those of motors that slide.
fn in_miniature(file: &mut Value) {
    const LENGTH: f64 = 1.0 / 1024.0;
    let positions = |bodies: &mut Value| {
        for pose in bodies.as_object_mut().unwrap().values_mut() {
            scale(&mut pose["position"], LENGTH);
        }
    };
    let slides: Vec<bool> =
        file["motors"].as_array().unwrap().iter().map(|name| is_slide(file, name)).collect();
    let of_motors = |list: &mut Value| {
        for (k, slides) in slides.iter().enumerate() {
            scale(&mut list[k], if *slides { LENGTH } else { 1.0 });
        }
    };
    // Of a wrench the moments, of a motion the speeds: three of the six have one length more.
    let half = |six: &mut Value, first: usize, by: f64| {
        for k in first..first + 3 {
            scale(&mut six[k], by);
        }
    };
    for body in file["bodies"].as_array_mut().unwrap() {
        scale(&mut body["centre"], LENGTH);
        scale(&mut body["inertia_com"], LENGTH * LENGTH);
    }
    for joint in file["joints"].as_array_mut().unwrap() {
        scale(&mut joint["parent_frame"]["position"], LENGTH);
        scale(&mut joint["child_frame"]["position"], LENGTH);
    }
    for key in ["gravity", "platform_point", "characteristic_length", "motor_length"] {
        scale(&mut file[key], LENGTH);
    }
    positions(&mut file["home"]["bodies"]);
    of_motors(&mut file["home"]["q"]);
    for state in file["states"].as_array_mut().unwrap() {
        positions(&mut state["bodies"]);
        for key in ["q", "qd", "qdd"] {
            of_motors(&mut state["motor"][key]);
        }
        for place in ["/platform/position", "/forward/qdd", "/effort", "/gravity_effort", "/coriolis_effort"]
        {
            state.pointer_mut(place).into_iter().for_each(|list| scale(list, LENGTH));
        }
        for place in ["/forward/effort", "/external/effort"] {
            state.pointer_mut(place).into_iter().for_each(|list| scale(list, LENGTH));
        }
        for place in ["/platform/twist", "/platform/acceleration", "/forward/platform_acceleration"] {
            state.pointer_mut(place).into_iter().for_each(|six| half(six, 0, LENGTH));
        }
        if let Some(wrench) = state.pointer_mut("/external/wrench") {
            half(wrench, 0, LENGTH);
            half(wrench, 3, LENGTH * LENGTH);
        }
        for place in ["/kinetic_energy", "/potential_energy"] {
            state.pointer_mut(place).into_iter().for_each(|energy| scale(energy, LENGTH * LENGTH));
        }
    }
}

/// Whether the joint of this name slides.
fn is_slide(file: &Value, name: &Value) -> bool {
    let joint = file["joints"].as_array().unwrap().iter().find(|joint| joint["name"] == *name).unwrap();
    joint["type"] == "prismatic"
}

/// Takes all quantities but these out of every state.
fn keep(file: &mut Value, keys: &[&str]) {
    for state in file["states"].as_array_mut().unwrap() {
        state.as_object_mut().unwrap().retain(|key, _| keys.contains(&key.as_str()));
    }
}

/// Motors that turn and motors that slide are made comparable by a length: the condition number is the same in other units.
#[test]
fn a_condition_number_has_no_unit() {
    let report = edited("mechanisms/made_up_1_29.json", |file| {
        let motors = file["motors"].as_array().unwrap();
        assert!(
            motors.iter().any(|name| is_slide(file, name)) && !motors.iter().all(|name| is_slide(file, name))
        );
        keep(file, &["bodies", "motor", "condition"]);
        in_miniature(file);
    })
    .unwrap();
    let found = report.findings.iter().find(|finding| finding.name == "condition").unwrap();
    assert!(found.holds(), "{found:?}");
}

/// Beside the mechanism a cart runs on a rail of its own, which the platform does not tell: its motor is given.
#[test]
fn a_motor_beside_the_mechanism_is_given() {
    let report = edited("mechanisms/rps3.json", |file| {
        let still = serde_json::json!([[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
        let place = |z: f64| serde_json::json!({ "position": [2, 0, z], "rotation": still });
        let cart = serde_json::json!({ "name": "cart", "mass": 3, "centre": [0, 0, 0], "inertia_com": still });
        file["bodies"].as_array_mut().unwrap().push(cart);
        file["joints"].as_array_mut().unwrap().push(serde_json::json!({
            "name": "rail", "type": "prismatic", "parent": "world", "parent_frame": place(0.0), "child": "cart",
            "child_frame": { "position": [0, 0, 0], "rotation": still }, "motor": true,
        }));
        file["motors"].as_array_mut().unwrap().push("rail".into());
        file["home"]["bodies"]["cart"] = place(0.1);
        file["home"]["q"].as_array_mut().unwrap().push(0.1.into());
        for key in ["mobility", "idle_freedoms", "redundant_constraints", "constraint_rows"] {
            file.as_object_mut().unwrap().remove(key);
        }
        keep(file, &["bodies", "motor", "platform"]);
        for (k, state) in file["states"].as_array_mut().unwrap().iter_mut().enumerate() {
            let z = 0.1 + 0.02 * (k + 1) as f64;
            state["bodies"]["cart"] = place(z);
            for (key, value) in [("q", z), ("qd", 0.3), ("qdd", -2.0)] {
                state["motor"][key].as_array_mut().unwrap().push(value.into());
            }
        }
    })
    .unwrap();
    assert!(report.holds(), "{:?}", wrong(&report));
    for name in
        ["inverse kinematics q", "motor rates from the platform", "motor accelerations from the platform"]
    {
        assert!(report.findings.iter().any(|finding| finding.name == name && finding.states == 20), "{name}");
    }
}

/// Every number of a state, wrong by 1e-8 of its size, is found under its name; also of a mechanism that is a millimetre
/// large. What is given twice, as the platform and as the motors, is wrong in both directions.
#[test]
fn a_wrong_number_in_a_golden_mechanism_is_found() {
    for small in [false, true] {
        for (pointer, names) in [
            ("/home/q", ["home, motors"].as_slice()),
            (
                "/states/2/bodies/rod1/position",
                &["bodies closed as listed, position", "bodies by forward kinematics, position"],
            ),
            ("/states/2/platform/position", &["forward kinematics, position", "inverse kinematics q"]),
            ("/states/2/platform/twist", &["platform twist", "motor rates from the platform"]),
            (
                "/states/2/platform/acceleration",
                &["platform acceleration", "motor accelerations from the platform"],
            ),
            ("/states/2/effort", &["effort"]),
            ("/states/2/gravity_effort", &["gravity effort"]),
            ("/states/2/mass_matrix", &["mass matrix"]),
            ("/states/2/coriolis_effort", &["Coriolis effort"]),
            ("/states/2/kinetic_energy", &["kinetic energy"]),
            ("/states/2/potential_energy", &["potential energy"]),
            ("/states/2/forward/qdd", &["forward dynamics, motors"]),
            ("/states/2/forward/platform_acceleration", &["forward dynamics, platform"]),
            ("/states/2/external/effort", &["effort under an external wrench"]),
            ("/states/2/condition", &["condition"]),
        ] {
            let report = edited("mechanisms/rps3.json", |file| {
                if small {
                    in_miniature(file);
                }
                spoil(file, pointer, 1e-8);
            })
            .unwrap();
            let found: Vec<_> = wrong(&report).iter().map(|(name, _)| *name).collect();
            assert!(names.iter().all(|name| found.contains(name)), "{pointer}, small: {small}: {found:?}");
            assert!(names.len() > 1 || found.len() == 1, "{pointer}, small: {small}: {found:?}");
        }
    }
}

/// A motor that turns is at home a turn further on; one that slides is not.
#[test]
fn a_motor_is_at_home_a_turn_further_on() {
    for (name, holds) in [("mechanisms/agile_eye.json", true), ("mechanisms/rps3.json", false)] {
        let report = edited(name, |file| {
            let q = file["home"]["q"][0].as_f64().unwrap();
            file["home"]["q"][0] = (q + std::f64::consts::TAU).into();
            file["states"].as_array_mut().unwrap().truncate(1);
        })
        .unwrap();
        assert_eq!(report.holds(), holds, "{name}: {report:?}");
    }
}

/// The counts of a file are those of its mechanism, and every bar is this low.
#[test]
fn a_wrong_count_in_a_golden_mechanism_is_found() {
    for key in ["mobility", "idle_freedoms", "redundant_constraints", "constraint_rows"] {
        let report = edited("mechanisms/rps3.json", |file| {
            file[key] = (file[key].as_u64().unwrap() + 1).into();
        })
        .unwrap();
        let wrong: Vec<_> = wrong(&report).iter().map(|(name, _)| *name).collect();
        assert_eq!(wrong, [key.replace('_', " ")]);
        assert!(report.findings.iter().all(|finding| finding.bar <= 1e-10), "{report:?}");
    }
}

/// A motion's bars, and what of its file is not compared.
#[test]
fn what_a_golden_motion_does_not_compare_is_listed() {
    let closure = "/closure: the residual of the file's own solver";
    let published = "/published: good to fewer digits than the samples";
    for (name, not_compared) in [
        ("mechanisms/rps3_swing.json", [closure].as_slice()),
        ("mechanisms/andrews.json", &[closure, published]),
    ] {
        let report = check_golden(golden(name)).unwrap();
        assert_eq!(report.not_compared, not_compared, "{name}");
        for finding in &report.findings {
            let bar = if finding.name.starts_with("loop gap") { 1e-12 } else { 1e-9 };
            assert!(finding.holds() && finding.bar <= bar, "{name}: {finding:?}");
        }
    }
}

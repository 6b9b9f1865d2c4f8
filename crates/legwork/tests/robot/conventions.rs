//! Every convention, from the robot file to the motor angle, against the vendor's
//! own equations (`golden/conventions.json`, written without legwork).

use legwork::description::RobotDescription;
use legwork::{AnyRobot, PlatformState};
use serde_json::Value;

/// The robot file that a user of the system would write.
fn file(system: &str, parameters: &Value) -> String {
    let p = |key: &str| parameters[key].as_f64().unwrap_or_else(|| panic!("{system}: {key}"));
    let geometry = match system {
        // LinuxCNC has machine units; take millimetres
        "linuxcnc" => ["platformradius", "thighlength", "shinlength", "footradius"]
            .map(|key| format!("{key} = \"{} mm\"", p(key)))
            .join("\n"),
        "fluidnc" => ["base_triangle_mm", "end_effector_triangle_mm", "crank_mm", "linkage_mm"]
            .map(|key| format!("{key} = {}", p(key)))
            .join("\n"),
        "williams" => {
            [("base_side", "sB"), ("platform_side", "sP"), ("upper_legs", "L"), ("lower_legs", "l")]
                .map(|(key, letter)| format!("{key} = \"{} m\"", p(letter)))
                .join("\n")
        }
        "klipper" => {
            let (printer, arm) = (&parameters["printer"], &parameters["stepper_a"]);
            let mm = |key: &str, table: &Value| format!("{key} = \"{} mm\"", table[key].as_f64().unwrap());
            [
                mm("shoulder_radius", printer),
                mm("shoulder_height", printer),
                mm("upper_arm_length", arm),
                mm("lower_arm_length", arm),
            ]
            .join("\n")
        }
        other => panic!("no file for {other}"),
    };
    format!("family = \"delta\"\nconvention = \"{system}\"\n[geometry]\n{geometry}\n")
}

fn three(value: &Value, scale: f64) -> [f64; 3] {
    let list: Vec<f64> = value.as_array().unwrap().iter().map(|x| x.as_f64().unwrap() * scale).collect();
    list.try_into().unwrap()
}

#[test]
fn motor_angles_equal_the_vendors_own() {
    let golden: Value = serde_json::from_str(include_str!("../golden/conventions.json")).unwrap();
    let mut compared = 0;
    for (system, data) in golden["systems"].as_object().unwrap() {
        let unit = if data["length_unit"] == "m" { 1.0 } else { 1e-3 };
        for geometry in data["geometries"].as_array().unwrap() {
            if geometry["parameters"].get("stepper_b").is_some() {
                continue; // legs of different lengths: not a robot of this family
            }
            let text = file(system, &geometry["parameters"]);
            let robot = AnyRobot::new(RobotDescription::parse(&text, "vendor.toml").unwrap()).unwrap();
            for case in geometry["cases"].as_array().unwrap() {
                let q =
                    robot.inverse_kinematics(&PlatformState::at(three(&case["position"], unit))).unwrap().q;
                for (found, vendor) in q.iter().zip(three(&case["angles_deg"], 1.0)) {
                    // the vectors are printed with 12 decimals; their equations divide where ours do not
                    assert!((found.to_degrees() - vendor).abs() < 1e-9, "{system}: {case} against {q:?}");
                }
                compared += 1;
            }
            for case in geometry["forward_cases"].as_array().unwrap() {
                let q = three(&case["angles_deg"], 1.0).map(f64::to_radians);
                let found = robot.all_forward_kinematics(&q).unwrap().remove(0).position;
                for (x, vendor) in found.iter().zip(three(&case["position"], unit)) {
                    assert!((x - vendor).abs() < 1e-12, "{system}: {case} against {found:?}"); // printed digits
                }
                compared += 1;
            }
        }
    }
    assert!(compared > 80, "{compared}");
}

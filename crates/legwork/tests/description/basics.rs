//! Robot files: what is accepted, what is refused, and in which words.

use legwork::description::{BUILT_IN, Convention, DeltaDescription, Elbow, RobotDescription};
use serde_json::Value;
use std::fmt::Write as _;

fn parse(text: &str) -> RobotDescription {
    RobotDescription::parse(text, "robot.toml").unwrap_or_else(|error| panic!("{error}"))
}

/// The Delta in a file.
fn delta(text: &str) -> DeltaDescription {
    *parse(text).as_delta().expect("a Delta")
}

fn built_in_delta(name: &str) -> DeltaDescription {
    *RobotDescription::built_in(name).unwrap().as_delta().expect("a Delta")
}

/// A whole file in legwork's convention, with more text at its end.
fn with(more: &str) -> String {
    format!(
        "family = \"delta\"\n[geometry]\nbase_radius = 0.2\nplatform_radius = 0.045\narm = \"350 mm\"\n\
         forearm = \"800 mm\"\n{more}"
    )
}

#[test]
fn every_built_in_robot_parses_and_says_where_it_comes_from() {
    for robot in BUILT_IN {
        let description = RobotDescription::built_in(robot.name).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(description.name, robot.name);
        assert!(description.source.is_some(), "{}", robot.name);
        assert!(robot.text.starts_with("# Source: "), "{}", robot.name);
    }
    let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../legwork-model/robots")).unwrap();
    let mut files: Vec<String> = files.map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    let mut names: Vec<String> = BUILT_IN.iter().map(|robot| format!("{}.toml", robot.name)).collect();
    files.sort();
    names.sort();
    assert_eq!(files, names);
}

#[test]
fn a_unit_costs_no_bit() {
    let robot = delta(&with(""));
    assert_eq!(robot.geometry.arm.to_bits(), 0.35_f64.to_bits());
    assert_eq!(robot.geometry.forearm.to_bits(), 0.8_f64.to_bits());
    assert_eq!(robot.geometry.base_radius.to_bits(), 0.2_f64.to_bits());
}

#[test]
fn what_is_not_said_has_its_default() {
    let robot = parse(&with("[mass]\nplatform = 1\narm = \"1.2 kg\"\nforearm = \"300 g\"\n"));
    assert_eq!(robot.name, "robot");
    assert_eq!((robot.gravity, robot.gravity_vector()), (9.81, [0.0, 0.0, -9.81]));
    let robot = robot.as_delta().unwrap();
    assert_eq!(robot.geometry.azimuth, [0.0, 120_f64.to_radians(), 240_f64.to_radians()]);
    assert_eq!(robot.working_mode, [Elbow::Out; 3]);
    let mass = robot.mass.unwrap();
    assert_eq!((mass.payload, mass.elbow), (0.0, 0.0));
    assert_eq!((mass.arm_centre, mass.forearm_centre), (0.35 / 2.0, 0.8 / 2.0));
    assert_eq!(mass.arm_inertia, 1.2 * 0.35 * 0.35 / 12.0);
    assert_eq!(mass.forearm_inertia, 0.3 * 0.8 * 0.8 / 12.0);
    assert_eq!((robot.motor.gear_ratio, robot.motor.inertia_at_arm()), (1.0, 0.0));
    assert_eq!((robot.motor.max_torque, robot.limits.min, robot.home), (None, None, None));
    assert_eq!(delta(&with("")).mass, None);
}

#[test]
fn the_industrial_delta_is_that_of_the_reference_data() {
    assert_eq!(RobotDescription::built_in("delta-industrial").unwrap().gravity, 9.81);
    let robot = built_in_delta("delta-industrial");
    let (geometry, mass) = (robot.geometry, robot.mass.unwrap());
    assert_eq!((geometry.base_radius, geometry.platform_radius), (0.2, 0.045));
    assert_eq!((geometry.arm, geometry.forearm), (0.35, 0.8));
    assert_eq!((mass.arm, mass.elbow, mass.forearm), (1.2, 0.15, 0.3));
    assert_eq!((mass.platform, mass.payload), (0.5, 1.0));
    assert_eq!(robot.motor.inertia_at_arm(), 0.02);
}

#[test]
fn angles_may_be_given_for_leg_1_or_for_each_leg() {
    let first = delta(&with("azimuth = \"90 deg\"\n")).geometry.azimuth;
    assert_eq!(first, [0.0_f64, 120.0, 240.0].map(|turn| 90_f64.to_radians() + turn.to_radians()));
    let each = delta(&with("azimuth = [\"1 deg\", \"121 deg\", 4]\n")).geometry.azimuth;
    assert_eq!(each, [1_f64.to_radians(), 121_f64.to_radians(), 4.0]);
    let mode = delta(&format!("working_mode = [\"out\", \"in\", \"out\"]\n{}", with(""))).working_mode;
    assert_eq!(mode, [Elbow::Out, Elbow::In, Elbow::Out]);
}

/// The keys of the golden file that differ from ours.
fn key_of(golden: &str) -> &str {
    match golden {
        "sB" => "base_side",
        "sP" => "platform_side",
        "L" => "upper_legs",
        "l" => "lower_legs",
        key => key,
    }
}

/// `[geometry]` from the parameters of the golden file.
fn geometry_of(parameters: &Value, unit: &str) -> String {
    let mut lines = String::new();
    for (key, value) in parameters.as_object().unwrap() {
        match value {
            Value::Object(_) => lines += &geometry_of(value, unit),
            _ if key == "position_endstop" => {}
            _ => writeln!(lines, "{} = \"{value} {unit}\"", key_of(key)).unwrap(),
        }
    }
    lines
}

#[test]
fn every_convention_closes_the_loops_of_its_own_system() {
    let golden: Value = serde_json::from_str(include_str!("../golden/conventions.json")).unwrap();
    let mut closed = 0;
    for (system, facts) in golden["systems"].as_object().unwrap() {
        let unit = if facts["length_unit"] == "m" { "m" } else { "mm" };
        let metre = if unit == "m" { 1.0 } else { 1000.0 };
        for geometry in facts["geometries"].as_array().unwrap() {
            // Legs of different lengths cannot be described yet.
            if geometry["parameters"]["stepper_b"].is_object() {
                continue;
            }
            let keys = geometry_of(&geometry["parameters"], unit);
            let robot = delta(&format!("family = \"delta\"\nconvention = \"{system}\"\n[geometry]\n{keys}"));
            let cases =
                [&geometry["cases"], &geometry["forward_cases"]].map(|cases| cases.as_array().unwrap());
            for case in cases.into_iter().flatten() {
                let numbers = |key: &str| [0, 1, 2].map(|i| case[key][i].as_f64().unwrap());
                let position = robot.frame.position_from_user(numbers("position").map(|x| x / metre));
                let angles = numbers("angles_deg").map(|q| robot.frame.angle_from_user(q.to_radians()));
                for (azimuth, q) in robot.geometry.azimuth.iter().zip(angles) {
                    let gap = rod_error(&robot, *azimuth, q, position);
                    assert!(gap.abs() < 1e-9, "{system} {}: {gap} m", geometry["name"]); // printed to 1e-12
                    closed += 1;
                }
            }
        }
    }
    assert!(closed > 200, "{closed} legs");
}

/// Distance from elbow to platform joint, less the forearm \[m\].
fn rod_error(robot: &DeltaDescription, azimuth: f64, q: f64, position: [f64; 3]) -> f64 {
    let geometry = robot.geometry;
    let out = geometry.base_radius - geometry.platform_radius + geometry.arm * q.cos();
    let elbow = [out * azimuth.cos(), out * azimuth.sin(), -geometry.arm * q.sin()];
    let square: f64 = elbow.iter().zip(position).map(|(e, x)| (x - e).powi(2)).sum();
    square.sqrt() - geometry.forearm
}

#[test]
fn home_and_limits_are_read_in_the_frame_of_the_convention() {
    let klipper = r#"
        family = "delta"
        convention = "klipper"
        [geometry]
        shoulder_radius = "33.9 mm"
        shoulder_height = "400 mm"
        upper_arm_length = "170 mm"
        lower_arm_length = "320 mm"
        [limits]
        angle_min = "-60 deg"
        angle_max = "45 deg"
        [home]
        position = [0, 0, "250 mm"]
    "#;
    assert_eq!(parse(klipper).convention, Convention::Klipper);
    let robot = delta(klipper);
    assert_eq!((robot.geometry.base_radius, robot.geometry.platform_radius), (0.0339, 0.0));
    assert_eq!(robot.limits.min, Some(-45_f64.to_radians()));
    assert_eq!(robot.limits.max, Some(60_f64.to_radians()));
    assert_eq!(robot.home, Some([0.0, 0.0, 0.25 - 0.4]));
    assert_eq!(robot.frame.position_to_user(robot.home.unwrap()), [0.0, 0.0, 0.25]);
}

#[test]
fn the_home_of_the_delta_x_is_its_home_angle() {
    let robot = built_in_delta("deltax-v2");
    for azimuth in robot.geometry.azimuth {
        let gap = rod_error(&robot, azimuth, (-34.25_f64).to_radians(), robot.home.unwrap());
        assert!(gap.abs() < 1e-7, "{gap} m"); // the file gives a tenth of a micrometre
    }
}

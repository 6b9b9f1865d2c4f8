//! Robots of every family: what their files say is what the reference data say.

use legwork::description::{Bend, Body, Carriage, Elbow, FamilyData, Placement, RobotDescription};
use serde_json::Value;

fn parse(text: &str) -> RobotDescription {
    RobotDescription::parse(text, "robot.toml").unwrap_or_else(|error| panic!("{error}"))
}

fn built_in(name: &str) -> FamilyData {
    RobotDescription::built_in(name).unwrap_or_else(|error| panic!("{error}")).data
}

fn golden(name: &str) -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../golden/");
    serde_json::from_str(&std::fs::read_to_string(format!("{path}{name}.json")).unwrap()).unwrap()
}

/// All numbers below a value, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(items) => items.iter().flat_map(numbers).collect(),
        _ => vec![value.as_f64().unwrap()],
    }
}

/// Equal but for the last digits of an angle and its sine.
#[track_caller]
fn same<'a>(found: impl IntoIterator<Item = &'a f64>, expected: &Value) {
    let (found, expected): (Vec<f64>, _) = (found.into_iter().copied().collect(), numbers(expected));
    assert_eq!(found.len(), expected.len());
    for (a, b) in found.iter().zip(&expected) {
        assert!((a - b).abs() <= 1e-15 * b.abs().max(1.0), "{found:?} {expected:?}");
    }
}

#[track_caller]
fn same_body(body: &Body, expected: &Value) {
    assert_eq!(body.mass, expected["mass"].as_f64().unwrap());
    same(&body.centre, &expected["com"]);
    same(body.inertia.as_flattened(), &expected["inertia_com"]);
}

fn number(parameters: &Value, key: &str) -> f64 {
    parameters[key].as_f64().unwrap()
}

#[test]
fn the_gough_stewart_platform_is_that_of_the_reference_data() {
    let golden = &golden("gough_stewart")["parameters"];
    let FamilyData::GoughStewart(robot) = built_in("gough-stewart") else { panic!() };
    same(robot.geometry.base_points.as_flattened(), &golden["base_points"]);
    same(robot.geometry.platform_points.as_flattened(), &golden["platform_points"]);
    // They are the default: horizontal and tangential.
    same(robot.geometry.base_axes.as_flattened(), &golden["u_axis1"]);
    let mass = robot.mass.unwrap();
    same_body(&mass.cylinder, &golden["leg_cylinder"]);
    same_body(&mass.rod, &golden["leg_rod"]);
    same_body(&mass.platform, &golden["platform"]);
    assert_eq!(mass.payload, Body::MASSLESS);
    assert_eq!((robot.motor.actuator_inertia, robot.motor.max_force), (0.0, None));
}

#[test]
fn points_and_circles_give_the_same_platform() {
    let golden = &golden("gough_stewart")["parameters"];
    let text = format!(
        "family = \"gough-stewart\"\n[geometry]\nbase_points = {}\nplatform_points = {}\nbase_axes = {}",
        golden["base_points"], golden["platform_points"], golden["u_axis1"]
    );
    let (FamilyData::GoughStewart(points), FamilyData::GoughStewart(circles)) =
        (parse(&text).data, built_in("gough-stewart"))
    else {
        panic!()
    };
    same(circles.geometry.base_points.as_flattened(), &serde_json::json!(points.geometry.base_points));
    same(circles.geometry.base_axes.as_flattened(), &serde_json::json!(points.geometry.base_axes));
    assert_eq!(points.mass, None);
}

#[test]
fn the_space_robots_are_those_of_the_reference_data() {
    for (name, file) in [("space-radial", "space_radial"), ("space-table1", "space_table1")] {
        let golden = &golden(file)["parameters"];
        let FamilyData::Space(robot) = built_in(name) else { panic!() };
        let geometry = robot.geometry;
        same(geometry.base_points.as_flattened(), &golden["base_points"]);
        same(geometry.platform_points.as_flattened(), &golden["platform_points"]);
        same(&geometry.gamma, &golden["gamma"]);
        same_body(&robot.mass.unwrap().platform, &golden["platform"]);
        same_body(&robot.mass.unwrap().cylinder, &golden["leg_cylinder"]);
        // The axes say the same as the angles.
        let text = format!(
            "family = \"space\"\n[geometry]\nbase_points = {}\nplatform_points = {}\nbase_axes = {}",
            golden["base_points"], golden["platform_points"], golden["u_axis1"]
        );
        let FamilyData::Space(by_axes) = parse(&text).data else { panic!() };
        for (a, b) in by_axes.geometry.gamma.iter().zip(geometry.gamma) {
            assert!((a - b).sin().abs() < 1e-15 && (a - b).cos() > 0.0, "{a} {b}");
        }
    }
}

#[test]
fn the_c5_is_that_of_the_reference_data() {
    let golden = &golden("c5")["parameters"];
    let FamilyData::C5(robot) = built_in("c5") else { panic!() };
    same(robot.geometry.base_points.as_flattened(), &golden["base_points"]);
    assert_eq!(robot.geometry.face_distances, [0.0; 6]);
    same(&robot.mass.unwrap().legs, &golden["leg_mass"]);
    same(&robot.motors.map(|motor| motor.actuator_inertia), &golden["actuator_inertia"]);
    same_body(&robot.mass.unwrap().platform, &golden["platform"]);
}

#[test]
fn the_hexa_is_that_of_the_reference_data() {
    let golden = &golden("hexa")["parameters"];
    let FamilyData::Hexa(robot) = built_in("hexa") else { panic!() };
    let (geometry, mass) = (robot.geometry, robot.mass.unwrap());
    let pairs = [
        (geometry.base_radius, "RA"),
        (geometry.platform_radius, "RB"),
        (geometry.base_spacing, "wA"),
        (geometry.platform_spacing, "wB"),
        (geometry.arm, "LA"),
        (geometry.rod, "LB"),
        (mass.arm.mass, "m_br"),
        (mass.elbow, "m_c"),
        (mass.rod.mass, "m_ab"),
        (robot.motor.inertia_at_arm(), "I_m"),
    ];
    for (found, key) in pairs {
        assert_eq!(found, number(golden, key), "{key}");
    }
    same_body(&mass.platform, &golden["platform"]);
    assert_eq!((mass.arm.centre, mass.rod.centre), (0.15, 0.325));
    assert_eq!(mass.rod.inertia, 0.12 * 0.65 * 0.65 / 12.0);
    assert_eq!(robot.working_mode, [Elbow::Out; 6]);
}

#[test]
fn the_linear_delta_is_that_of_the_reference_data() {
    let golden = &golden("linear_delta")["parameters"];
    let FamilyData::LinearDelta(robot) = built_in("linear-delta") else { panic!() };
    let (geometry, mass) = (robot.geometry, robot.mass.unwrap());
    let pairs = [
        (geometry.base_radius[2], "RA"),
        (geometry.platform_radius, "RB"),
        (geometry.rod[2], "L"),
        (mass.carriage, "m_s"),
        (robot.motor.actuator_inertia, "I_a"),
        (mass.rod.mass, "m_ab"),
        (mass.platform, "m_n"),
        (mass.payload, "m_payload"),
    ];
    for (found, key) in pairs {
        assert_eq!(found, number(golden, key), "{key}");
    }
    assert_eq!((geometry.tilt, robot.working_mode), (0.0, [Carriage::Ahead; 3]));
}

#[test]
fn the_planar_robots_are_those_of_the_reference_data() {
    let five_bar = &golden("fivebar")["parameters"];
    let description = RobotDescription::built_in("five-bar").unwrap();
    assert_eq!(description.gravity_vector(), [0.0, -9.81, 0.0]);
    let FamilyData::FiveBar(robot) = description.data else { panic!() };
    let (geometry, mass) = (robot.geometry, robot.mass.unwrap());
    let mut pairs = vec![
        (geometry.motor_offset, five_bar, "d"),
        (geometry.proximal, five_bar, "l1"),
        (geometry.distal, five_bar, "l2"),
        (mass.platform, five_bar, "m_p"),
        (robot.motor.inertia_at_arm(), five_bar, "I_m"),
    ];
    assert_eq!(robot.working_mode, [Bend::Left, Bend::Right]);

    let rrr = &golden("rrr3")["parameters"];
    let FamilyData::Planar3Rrr(robot) = built_in("planar-3rrr") else { panic!() };
    let legs = [(five_bar, mass.proximal, mass.distal)];
    let (geometry, mass) = (robot.geometry, robot.mass.unwrap());
    pairs.extend([
        (geometry.base_radius, rrr, "rb"),
        (geometry.platform_radius, rrr, "rp"),
        (geometry.proximal, rrr, "l1"),
        (geometry.distal, rrr, "l2"),
        (robot.motor.inertia_at_arm(), rrr, "I_m"),
    ]);
    for (golden, proximal, distal) in legs.into_iter().chain([(rrr, mass.proximal, mass.distal)]) {
        pairs.extend([(proximal.mass, golden, "m1"), (proximal.centre, golden, "c1")]);
        pairs.extend([(proximal.inertia, golden, "I1"), (distal.mass, golden, "m2")]);
        pairs.extend([(distal.centre, golden, "c2"), (distal.inertia, golden, "I2")]);
    }
    for (found, golden, key) in pairs {
        assert_eq!(found, number(golden, key), "{key}");
    }
    same(&geometry.azimuth.map(f64::to_degrees), &rrr["angles_deg"]);
    assert_eq!(geometry.platform_azimuth, geometry.azimuth);
    same(&mass.platform.centre, &rrr["platform"]["com_xy"]);
    assert_eq!(mass.platform.inertia, rrr["platform"]["Izz_com"].as_f64().unwrap());
    assert_eq!(robot.working_mode, [Bend::Left; 3]);
}

/// Leg lengths that LinuxCNC's own module gives, to the digits it prints.
#[test]
fn the_hexapod_of_linuxcnc_has_its_legs() {
    let FamilyData::GoughStewart(robot) = built_in("linuxcnc-hexapod") else { panic!() };
    let home = robot.home.unwrap().position;
    let expected = [29.74668, 29.74668, 29.746715, 29.746363, 29.746363, 29.746715];
    for (i, expected) in expected.iter().enumerate() {
        let (b, p) = (robot.geometry.base_points[i], robot.geometry.platform_points[i]);
        let length = (0..3).map(|k| (home[k] + p[k] - b[k]).powi(2)).sum::<f64>().sqrt() / 0.0254;
        assert!((length - expected).abs() < 5e-7, "leg {i}: {length} in");
    }
}

#[test]
fn the_axes_of_the_mathworks_platform_are_across_its_legs_at_home() {
    let FamilyData::GoughStewart(robot) = built_in("mathworks-stewart") else { panic!() };
    let home = robot.home.unwrap().position;
    for i in 0..6 {
        let (b, p) = (robot.geometry.base_points[i], robot.geometry.platform_points[i]);
        let leg = [0, 1, 2].map(|k| home[k] + p[k] - b[k]);
        let length = leg.iter().map(|x| x * x).sum::<f64>().sqrt();
        let along: f64 = leg.iter().zip(robot.geometry.base_axes[i]).map(|(a, b)| a * b).sum();
        assert!(along.abs() < 1e-15, "leg {i}: {along}");
        assert!((robot.mass.unwrap().cylinder.centre[2] - length * 0.375).abs() < 1e-15);
    }
}

#[test]
fn a_direction_is_a_unit_vector_and_one_stands_for_all_rails() {
    let FamilyData::Hexaglide(robot) = built_in("modified-paradex") else { panic!() };
    assert!(robot.geometry.rails.iter().all(|rail| rail.direction == [0.0, 0.0, 1.0]));
    assert_eq!(robot.working_mode, [Carriage::Behind; 6]);
    let text = "family = \"hexaglide\"\ngravity_direction = [0, 3, -4]\n[geometry]\nrod = 1\n\
                rail_points = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]\n\
                platform_points = [[0, 0, 0], [1, 0, 0], [2, 0, 0]]\n\
                rail_directions = [[0, 0, 2], [1, 0, 0], [0, -1e300, 0]]";
    let robot = parse(text);
    let down = robot.gravity_vector();
    assert!((down[1] - 0.6 * 9.81).abs() < 1e-15 && (down[2] + 0.8 * 9.81).abs() < 1e-15);
    let FamilyData::Hexaglide(robot) = robot.data else { panic!() };
    let directions: Vec<_> = robot.geometry.rails.iter().map(|rail| rail.direction).collect();
    assert_eq!(directions, [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, -1.0, 0.0]]);
}

#[test]
fn a_home_can_be_turned_in_three_ways() {
    let home = |turn: &str| {
        let points = "[[0.6, 0, 0], [0, 0.6, 0], [-0.6, 0, 0]]";
        let text = format!(
            "family = \"gough-stewart\"\n[geometry]\nbase_points = {points}\nplatform_points = {points}\n\
             [home]\nposition = [0, 0, \"1 m\"]\n{turn}"
        );
        let FamilyData::GoughStewart(robot) = parse(&text).data else { panic!() };
        robot.home.unwrap()
    };
    assert_eq!(home(""), Placement { position: [0.0, 0.0, 1.0], ..Placement::IDENTITY });
    let by_angles = home("orientation = [0, 0, \"30 deg\"]").rotation;
    let by_rows = home("rotation = [[0.8660254, -0.5, 0], [0.5, 0.8660254, 0], [0, 0, 1]]").rotation;
    let by_quaternion = home("quaternion_wxyz = [0.96592582628907, 0, 0, 0.25881904510252]").rotation;
    for rotation in [by_rows, by_quaternion] {
        let pairs = rotation.as_flattened().iter().zip(by_angles.as_flattened());
        assert!(pairs.into_iter().all(|(a, b)| (a - b).abs() < 1e-7), "{rotation:?}"); // seven digits
    }
    assert!((by_angles[1][0] - 0.5).abs() < 1e-15);
}

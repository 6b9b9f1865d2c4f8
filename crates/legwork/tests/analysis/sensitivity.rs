//! What parameters do to results: exact derivatives against differences over the file, and what is known without either.

use legwork::analysis::sensitivity::{Effect, Sensitivity, of_delta, of_file};
use legwork::description::{BUILT_IN, RobotDescription, RobotVariant};
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::{largest, nan_max};

/// Every number of the model given, so that the file and the model have the same parameters.
const DELTA: &str = r#"
name = "all-given"
family = "delta"
gravity = 9.7
[geometry]
base_radius = "150 mm"
platform_radius = "40 mm"
arm = "210 mm"
forearm = "0.41 m"
[mass]
platform = "500 g"
payload = "200 g"
arm = 0.9
arm_centre = "90 mm"
arm_inertia = 0.004
elbow = "60 g"
forearm = "250 g"
forearm_centre = "180 mm"
forearm_inertia = 0.0035
[motor]
rotor_inertia = 0.002
viscous_friction = 0.05
coulomb_friction = 0.01
"#;

fn slope(found: &Sensitivity, name: &str) -> Vec<f64> {
    let parameter = found.parameters.iter().find(|parameter| parameter.name == name);
    let parameter = parameter.unwrap_or_else(|| panic!("{name} in {found:?}"));
    let scale = match parameter.unit.as_str() {
        "mm" | "g" => 1e3,
        _ => 1.0,
    };
    parameter.slopes.iter().map(|slope| slope * scale).collect()
}

#[test]
fn exact_slopes_are_those_of_the_file() {
    let robot = AnyRobot::new(RobotDescription::parse(DELTA, "all.toml").unwrap()).unwrap();
    let still = PlatformState::at([0.03, -0.05, -0.42]);
    let moving = still.moving([0.8, -0.5, 0.3], [4.0, 9.0, -3.0]).with_force([3.0, 1.0, -2.0]);
    let high = PlatformState::at([0.02, 0.01, -0.27]);
    let questions = [
        (Effect::Efforts, moving),
        (Effect::Mass, still),
        (Effect::Shift, still),
        (Effect::Pole, still),
        (Effect::Pole, high),
    ];
    for (effect, platform) in questions {
        let exact = of_delta(&robot, &platform, effect).unwrap();
        let differences = of_file(DELTA, "all.toml", &RobotVariant::default(), &platform, effect).unwrap();
        assert!(exact.exact && !differences.exact && differences.refused.is_empty());
        assert_eq!(exact.values, differences.values);
        for parameter in &exact.parameters {
            let name =
                if parameter.name == "motor.inertia" { "motor.rotor_inertia" } else { &parameter.name };
            let other = slope(&differences, name);
            let largest = nan_max(1e-3, largest(&parameter.slopes));
            for (a, b) in parameter.slopes.iter().zip(other) {
                // 1e-6: the square of the step times the third derivative, and rounding over the step
                assert!((a - b).abs() < 1e-6 * largest, "{effect:?} {name}: {a} {b}");
            }
        }
    }
}

#[test]
fn what_is_known_without_a_derivative() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let pose = PlatformState::at([0.04, 0.02, -0.4]);
    // Efforts at rest are proportional to gravity, the mass matrix does not know it.
    let efforts = of_delta(&robot, &pose, Effect::Efforts).unwrap();
    let by_gravity = slope(&efforts, "gravity");
    for (slope, value) in by_gravity.iter().zip(&efforts.values) {
        assert!((slope * 9.81 - value).abs() < 1e-12 * value.abs()); // rounding
    }
    let mass = of_delta(&robot, &pose, Effect::Mass).unwrap();
    assert!(slope(&mass, "gravity").iter().all(|slope| *slope == 0.0));
    // Base and platform radius move everything in opposite ways; masses move no platform.
    let shift = of_delta(&robot, &pose, Effect::Shift).unwrap();
    let (base, platform) = (slope(&shift, "geometry.base_radius"), slope(&shift, "geometry.platform_radius"));
    assert!(base.iter().zip(&platform).all(|(a, b)| (a + b).abs() < 1e-14));
    assert!(slope(&shift, "mass.arm").iter().all(|slope| *slope == 0.0));
    // Scaled in all its lengths the robot at the same angles has a platform scaled by the same.
    let lengths = ["base_radius", "platform_radius", "arm", "forearm"].map(|name| format!("geometry.{name}"));
    for (k, coordinate) in pose.position.iter().enumerate() {
        let total: f64 = lengths
            .iter()
            .map(|name| shift.parameters.iter().find(|p| p.name == *name).unwrap())
            .map(|p| p.number * p.slopes[k])
            .sum();
        assert!((total - coordinate).abs() < 1e-13, "{total} {coordinate}"); // rounding
    }
    // All masses and inertias scaled by the same: poles stay, if friction is scaled too.
    let poles = of_delta(&robot, &pose, Effect::Pole).unwrap();
    let total: f64 = poles
        .parameters
        .iter()
        .filter(|p| {
            (p.name.starts_with("mass") && !p.name.ends_with("centre")) || p.name.starts_with("motor")
        })
        .map(|p| p.number * p.slopes[0])
        .sum();
    assert!(total.abs() < 1e-10, "{total}"); // rounding, times the size of the slopes (1)
}

#[test]
fn every_kind_of_robot_file_has_sensitivities() {
    // One of each kind: legs that slide and turn, planar, custom, geometry only.
    let names =
        ["five-bar", "planar-3rrr", "gough-stewart", "linear-delta", "custom-five-bar", "irb360-1600"];
    for built_in in BUILT_IN.iter().filter(|robot| names.contains(&robot.name)) {
        let robot = AnyRobot::open(built_in.name).unwrap();
        let effects = if robot.has_masses() {
            vec![Effect::Shift, Effect::Efforts, Effect::Mass, Effect::Pole]
        } else {
            vec![Effect::Shift]
        };
        for effect in effects {
            let found =
                of_file(built_in.text, built_in.name, &RobotVariant::default(), &robot.home(), effect)
                    .unwrap();
            assert!(!found.parameters.is_empty(), "{} {effect:?} {:?}", built_in.name, found.refused);
            let moves = found.parameters.iter().any(|p| p.slopes.iter().any(|s| s.abs() > 1e-9));
            // Poles on the imaginary axis stay there.
            assert!(moves || effect == Effect::Pole, "{} {effect:?}", built_in.name);
            let strengths: Vec<f64> = found.parameters.iter().map(|p| found.strongest(p).1.abs()).collect();
            assert!(strengths.is_sorted_by(|a, b| a >= b), "{strengths:?}");
        }
    }
}

/// Of a leg that is a slide along z from the base to the platform, the platform moves as the file says.
#[test]
fn a_gough_stewart_platform_follows_its_radii() {
    let built_in = BUILT_IN.iter().find(|robot| robot.name == "gough-stewart").unwrap();
    let pose = PlatformState::at([0.0, 0.0, 0.8]);
    let found =
        of_file(built_in.text, "gough-stewart.toml", &RobotVariant::default(), &pose, Effect::Shift).unwrap();
    // All legs keep their length: a wider base lowers the platform by b/h times the share of the leg's slope.
    let base = found.parameters.iter().find(|p| p.name == "geometry.base_radius").unwrap();
    let platform = found.parameters.iter().find(|p| p.name == "geometry.platform_radius").unwrap();
    assert!(base.slopes[2] < 0.0, "{base:?}");
    // By symmetry nothing moves sideways.
    assert!(base.slopes[0].abs() < 1e-9 && base.slopes[1].abs() < 1e-9, "{base:?}");
    // The joint circles at one height h apart: L² = a² + b² − 2ab cos γ + h²; ∂h/∂a and ∂h/∂b at fixed L.
    let (a, b, h) = (0.6_f64, 0.35, 0.8 - 0.03);
    let gamma = 40_f64.to_radians(); // 60° apart, less the 10° of each pair
    let by_base = -(a - b * gamma.cos()) / h * 1e-3;
    let by_platform = -(b - a * gamma.cos()) / h * 1e-3;
    for (slope, wanted) in [(base.slopes[2], by_base), (platform.slopes[2], by_platform)] {
        assert!((slope / wanted - 1.0).abs() < 1e-6, "{slope} {wanted}"); // differences
    }
}

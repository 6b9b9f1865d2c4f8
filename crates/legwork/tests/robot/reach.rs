//! What `show`, `ik` and `map` say of the reach is the same: within the limits of motors and of the joints of rods.

use legwork::analysis::map::{Coordinate, Grid, MapTask, Quantity, Range};
use legwork::description::RobotDescription;
use legwork::{AnyRobot, PlatformState, RobotError};
use legwork_testkit::{Seeded, gap};

fn robot(text: &str) -> AnyRobot {
    AnyRobot::new(RobotDescription::parse(text, "limited.toml").expect("a robot file")).expect("a robot")
}

fn delta(limits: &str) -> AnyRobot {
    robot(&format!(
        "family = 'delta'\n[geometry]\nbase_radius = '150 mm'\nplatform_radius = '40 mm'\narm = '240 mm'\n\
         forearm = '560 mm'\n[limits]\n{limits}\n"
    ))
}

/// Whether the inverse kinematics allow a position.
fn allowed(robot: &AnyRobot, position: [f64; 3]) -> bool {
    robot.inverse_kinematics(&PlatformState::at(position)).is_ok_and(|found| found.outside_limits.is_empty())
}

#[test]
fn show_ik_and_map_agree_about_the_reach() {
    for limits in
        ["", "angle_min = '-40 deg'\nangle_max = '85 deg'", "angle_max = '20 deg'", "joint_cone = '25 deg'"]
    {
        let robot = delta(limits);
        assert!(allowed(&robot, robot.home().position), "home of {limits}");
        let (low, high, radius) = robot.reach().expect("a Delta");
        let step = 1e-6;
        for (z, inside) in
            [(low + step, true), (low - step, false), (high - step, true), (high + step, false)]
        {
            assert_eq!(allowed(&robot, [0.0, 0.0, z]), inside, "{limits}: z = {z} of {low} to {high}");
        }
        // 5 mm: the mesh of heights here.
        let disc = |radius: f64, z: f64| {
            (0..24 * 10).all(|k| {
                let (sin, cos) = (f64::from(k % 24) * std::f64::consts::TAU / 24.0).sin_cos();
                let part = radius * f64::from(k / 24 + 1) / 10.0;
                allowed(&robot, [part * cos, part * sin, z])
            })
        };
        let heights = || (0..=100).map(|k| low + (high - low) * f64::from(k) / 100.0);
        assert!(heights().any(|z| disc(radius - 5e-3, z)), "{limits}: {radius}");
        assert!(!heights().any(|z| disc(radius + 5e-3, z)), "{limits}: {radius}");

        let range = Range::new(Coordinate::Z, low - 0.02, high + 0.02, 83);
        let grid = Grid::at_home(&robot).along(range).expect("a line");
        let map = MapTask::new(&robot, grid, &[Quantity::Reachable]).expect("a map").run();
        for (k, reachable) in map.column(0).enumerate() {
            let z = low - 0.02 + (high - low + 0.04) * k as f64 / 82.0;
            assert_eq!(reachable > 0.5, allowed(&robot, [0.0, 0.0, z]), "{limits}: z = {z}");
        }
    }
}

/// The lean of a Delta's forearm is the swing of its passive joint, in closed form and through the engine.
#[test]
fn forearms_lean_by_the_swing_of_their_joints() {
    let robot = delta("joint_cone = '80 deg'");
    let mut random = Seeded::new(12);
    for _ in 0..50 {
        let [x, y, z] = random.triple(0.15);
        let state = PlatformState::at([x, y, z - 0.55]);
        let leans = robot.joint_leans(&state).expect("in reach");
        let passive = robot.passive_angles(&state).expect("in reach");
        let swings = passive.chunks_exact(2).map(|leg| leg[1].abs());
        assert!(gap(leans.iter().copied(), swings) < 1e-12); // rounding
    }
}

/// A hexapod's legs lean against the base and, the other way, against a platform that is turned.
#[test]
fn legs_lean_from_their_directions_at_home() {
    let text = |cone: &str| {
        format!(
            "family = 'gough-stewart'\n[geometry]\nbase_radius = '300 mm'\nbase_spread = '20 deg'\n\
             platform_radius = '150 mm'\nplatform_spread = '20 deg'\nplatform_turn = '60 deg'\n\
             [home]\nposition = [0, 0, '500 mm']\n[limits]\njoint_cone = '{cone}'\n"
        )
    };
    let robot = robot(&text("10 deg"));
    assert!(gap(robot.joint_leans(&robot.home()).expect("home"), [0.0; 6]) < 1e-12);
    // Straight up the legs lean less than by this angle between two heights, sideways more.
    assert!(robot.inverse_kinematics(&PlatformState::at([0.0, 0.0, 0.55])).is_ok());
    let refused = robot.inverse_kinematics(&PlatformState::at([0.15, 0.0, 0.5])).expect_err("too far");
    let RobotError::JointCone { lean, most, .. } = &refused else { panic!("{refused}") };
    assert!(lean > most && refused.to_string().contains("`joint_cone`"), "{refused}");
    // Turned about its own joints' middle, the platform sees its legs lean by its own turn at least.
    let turn = 0.3_f64;
    let (sin, cos) = turn.sin_cos();
    let turned =
        PlatformState::at([0.0, 0.0, 0.5]).turned([[1.0, 0.0, 0.0], [0.0, cos, -sin], [0.0, sin, cos]]);
    let leans = robot.joint_leans(&turned).expect("in reach");
    assert!(leans.iter().all(|lean| *lean > 0.1 && *lean < 2.0 * turn), "{leans:?}");
}

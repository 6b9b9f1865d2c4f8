//! The tables `[motion]` and `[controller]`, and robots that are given again from their text.

use legwork::description::{BUILT_IN, DefaultPath, LawShape, ModelError, Pace, PathShape, RobotDescription};
use legwork::{AnyRobot, ForearmModel};

/// The built-in robot with these lines at its end.
fn with_lines(name: &str, lines: &str) -> Result<RobotDescription, String> {
    let text = RobotDescription::built_in(name).unwrap().text.unwrap();
    RobotDescription::parse(&format!("{text}\n{lines}"), "robot.toml").map_err(|error| error.to_string())
}

#[test]
fn the_direct_drive_delta_brings_the_experiment_of_its_paper() {
    let robot = RobotDescription::built_in("delta-direct-drive").unwrap();
    let motion = robot.motion_defaults.unwrap();
    let path = DefaultPath {
        shape: PathShape::SemiEllipse,
        from: [-0.125, 0.0, -0.35],
        to: [0.125, 0.0, -0.35],
        height: Some(0.06),
        corner: None,
    };
    assert_eq!(motion.path, Some(path));
    assert_eq!((motion.law, motion.pace), (LawShape::Sine, Some(Pace::PeakAcceleration(80.0))));
    let controller = robot.controller_defaults.unwrap();
    assert_eq!(controller.known_forearms, Some(ForearmModel::Simplified));
    assert_eq!((controller.frequency, controller.damping), (Some(20.0), Some(0.7)));
    assert!(controller.note.unwrap().starts_with("The paper found a factor of 6: "));
}

#[test]
fn without_its_tables_a_robot_brings_nothing() {
    let robot = RobotDescription::built_in("delta-industrial").unwrap();
    assert_eq!((robot.motion_defaults, robot.controller_defaults), (None, None));
}

#[test]
fn a_planar_path_has_two_coordinates() {
    let robot =
        with_lines("five-bar", "[motion]\nfrom = [0, \"0.3 m\"]\nto = [0.1, 0.3]\nduration = \"400 ms\"");
    let motion = robot.unwrap().motion_defaults.unwrap();
    let path = motion.path.unwrap();
    assert_eq!((path.from, path.to), ([0.0, 0.3, 0.0], [0.1, 0.3, 0.0]));
    assert_eq!(motion.pace, Some(Pace::Duration(0.4)));
    // A law alone is one along the path about home.
    let robot = with_lines("gough-stewart", "[motion]\nlaw = \"quintic\"").unwrap();
    let motion = robot.motion_defaults.unwrap();
    assert_eq!((motion.path, motion.law, motion.pace), (None, LawShape::Quintic, None));
}

#[test]
fn what_does_not_belong_is_refused() {
    for (name, lines, says) in [
        ("gough-stewart", "[motion]\nfrom = [0, 0, 1]", "`to`"),
        ("gough-stewart", "[motion]\nheight = 0.1", "`from`"),
        ("gough-stewart", "[motion]\nduration = 1\npeak_acceleration = 2", "`peak_acceleration`"),
        ("gough-stewart", "[motion]\nduration = \"2 m\"", "a length"),
        ("gough-stewart", "[controller]\nknown_forearms = \"simplified\"", "known_forearms"),
        ("delta-industrial", "[controller]\nknown_forearms = \"simple\"", "simplified"),
        ("delta-industrial", "[controller]\nfrequency = \"20 s\"", "a time"),
        ("klipper-rotary-delta", "[motion]\nfrom = [1, 0, 0]\nto = [0, 1, 0]", "unit"),
    ] {
        let said = with_lines(name, lines).expect_err(lines);
        assert!(said.contains(says), "{lines}: {said}");
    }
}

#[test]
fn every_robot_is_read_again_from_its_text() {
    for robot in BUILT_IN {
        let robot = RobotDescription::built_in(robot.name).unwrap();
        let text = robot.text.as_deref().unwrap();
        let again = RobotDescription::parse(text, &format!("{}.toml", robot.name)).unwrap();
        assert_eq!(again, robot);
    }
}

#[test]
fn text_and_variant_give_the_same_robot_to_the_bit() {
    let error = ModelError { mass: 0.1, motor_inertia: -0.2, length: 0.003, friction: 0.5 };
    for (name, mode) in [("delta-direct-drive", "out-in-out"), ("hexa", "in"), ("gough-stewart", "")] {
        let mut robot = AnyRobot::open(name).unwrap();
        assert!(robot.variant().is_as_described());
        if !mode.is_empty() {
            robot = robot.with_working_mode(mode).unwrap();
        }
        if robot.as_delta().is_some() {
            robot = robot.with_forearm_model(ForearmModel::Simplified).unwrap();
        }
        // Errors of errors, the payload between them: the order does not matter.
        robot = robot.with_model_error(&error).unwrap().with_payload(0.7).unwrap();
        robot = robot.with_model_error(&ModelError { mass: 0.07, ..error }).unwrap();
        let description = robot.description();
        let text = description.text.as_deref().unwrap();
        let file = RobotDescription::parse(text, &format!("{}.toml", description.name)).unwrap();
        let again = AnyRobot::new(file).unwrap().with_variant(robot.variant()).unwrap();
        assert_eq!(again.variant(), robot.variant());
        assert_eq!(again.description(), robot.description());
        let named = AnyRobot::open_variant(name, robot.variant()).unwrap();
        let home = robot.home();
        let state = |robot: &AnyRobot| format!("{:?}", robot.state(&home).unwrap());
        assert_eq!(state(&again), state(&robot));
        assert_eq!(state(&named), state(&robot));
    }
}

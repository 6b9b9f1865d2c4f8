//! Files of mechanisms: what they become, and how they are refused.

use legwork::description::{FamilyData, MechanismDescription, MechanismJointKind, RobotDescription};

/// A crank that turns, and a rod on it that slides.
const SMALL: &str = r#"family = "mechanism"
platform = "slider"

[[body]]
name = "crank"
mass = 1
from = [0, 0, 0]
to = [0.1, 0, 0]
diameter = "20 mm"

[[body]]
name = "rod"
from = [0.1, 0, 0]
to = [0.5, 0, 0]

[[body]]
name = "slider"
position = [0.5, 0, 0]

[[joint]]
type = "revolute"
parent = "base"
child = "crank"
axis = [0, 0, 1]
active = true
rotor_inertia = "1e-4 kg m^2"
gear_ratio = 10

[[joint]]
type = "revolute"
parent = "crank"
child = "rod"
point = [0.1, 0, 0]
axis = [0, 0, 1]

[[joint]]
name = "pin"
type = "universal"
parent = "rod"
child = "slider"
point = [0.5, 0, 0]
axis = [0, 0, 1]
second_axis = [0, 1, 0]

[[joint]]
name = "guide"
type = "prismatic"
parent = "base"
child = "slider"
axis = [1, 0, 0]
"#;

fn read(text: &str) -> MechanismDescription {
    match RobotDescription::parse(text, "robot.toml").unwrap().data {
        FamilyData::Mechanism(mechanism) => mechanism,
        other => panic!("{other:?}"),
    }
}

fn with(old: &str, new: &str) -> String {
    assert!(SMALL.contains(old), "{old}");
    SMALL.replacen(old, new, 1)
}

fn refusal(text: &str) -> String {
    RobotDescription::parse(text, "robot.toml").expect_err("must be refused").to_string()
}

#[test]
fn a_point_and_an_axis_give_both_frames() {
    let found = read(SMALL);
    let names: Vec<&str> = found.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names, ["base-crank", "crank-rod", "pin", "guide"]);
    let pin = &found.joints[1];
    assert_eq!((pin.kind, pin.parent, pin.child), (MechanismJointKind::Revolute, Some(0), Some(1)));
    // The crank's frame begins at the origin, the rod's at the joint; both have x along the bar.
    assert_eq!(pin.parent_frame.position, [0.1, 0.0, 0.0]);
    assert_eq!(pin.child_frame.position, [0.0, 0.0, 0.0]);
    let [crank, rod, _] = found.bodies.as_slice() else { panic!() };
    assert_eq!(crank.body.centre, [0.05, 0.0, 0.0]);
    // m r²/2 and m (3 r² + l²) / 12
    assert!((crank.body.inertia[0][0] - 0.5e-4).abs() < 1e-18);
    assert!((crank.body.inertia[1][1] - (3e-4 + 0.01) / 12.0).abs() < 1e-18);
    assert_eq!((rod.body.mass, rod.body.inertia[0][0]), (0.0, 0.0));
    let motor = found.joints[0].motor.unwrap();
    assert!((motor.inertia() - 1e-2).abs() < 1e-17);
}

#[test]
fn a_repeated_body_repeats_its_joints() {
    let text = with("diameter = \"20 mm\"\n", "diameter = \"20 mm\"\nrepeat = { times = 3 }\n");
    let text = text.replacen("parent = \"crank\"", "parent = \"crank2\"", 1);
    let found = read(&text);
    let bodies: Vec<&str> = found.bodies.iter().map(|body| body.name.as_str()).collect();
    assert_eq!(bodies, ["crank1", "crank2", "crank3", "rod", "slider"]);
    let joints: Vec<&str> = found.joints.iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(joints, ["base-crank1", "base-crank2", "base-crank3", "crank2-rod", "pin", "guide"]);
    let [x, y, _] = found.bodies[1].home.rotation.map(|row| row[0]);
    assert!((x + 0.5).abs() < 1e-15 && (y - 0.75_f64.sqrt()).abs() < 1e-15);
}

#[test]
fn mistakes_are_told_with_their_place_and_a_way_out() {
    for (text, words) in [
        (
            with("child = \"rod\"", "child = \"rood\""),
            vec!["`child` is \"rood\", which is no body", "did you mean \"rod\"?", "robot.toml:32"],
        ),
        (
            with("platform = \"slider\"", "platform = \"hand\""),
            vec!["`platform` is \"hand\"", "the bodies are \"base\", \"crank\", \"rod\", \"slider\""],
        ),
        (with("platform = \"slider\"\n", ""), vec!["`platform` is missing"]),
        (with("active = true\n", ""), vec!["no joint has a motor", "active = true"]),
        (with("name = \"rod\"", "name = \"crank\""), vec!["two bodies are called \"crank\""]),
        (with("name = \"guide\"", "name = \"pin\""), vec!["two joints are called \"pin\""]),
        (
            with("parent = \"rod\"", "parent = \"slider\""),
            vec!["both sides of the joint are the body \"slider\""],
        ),
        (
            with("second_axis = [0, 1, 0]", "second_axis = [0, 1, 1]"),
            vec!["at a right angle, these at 45.0000 deg"],
        ),
        (with("second_axis = [0, 1, 0]\n", ""), vec!["`second_axis` is missing"]),
        (with("axis = [1, 0, 0]", "point = [0, 0, 0]"), vec!["`axis` is missing in [[joint]]"]),
        (
            with("axis = [1, 0, 0]", "axis = [1, 0, 0]\nparent_frame = {}"),
            vec!["`axis` cannot stand beside `parent_frame`", "[joint.child_frame] is missing"],
        ),
        (with("to = [0.5, 0, 0]", "to = [0.1, 0, 0]"), vec!["`to` is a direction and must not be zero"]),
        (
            with("position = [0.5, 0, 0]", "position = [0.5, 0, 0]\ninertia = [1, 1, 1]"),
            vec!["the body \"slider\" cannot exist"],
        ),
        (
            with("type = \"prismatic\"", "type = \"prismatc\""),
            vec!["`type` cannot be \"prismatc\"", "did you mean \"prismatic\"?"],
        ),
        (
            format!("{SMALL}\n[[body]]\nname = \"alone\"\n"),
            vec!["\"alone\" is connected with the base by no joints"],
        ),
        (
            with("diameter = \"20 mm\"\n", "diameter = \"20 mm\"\nrepeat = { times = 3 }\n").replacen(
                "platform = \"slider\"",
                "platform = \"crank\"",
                1,
            ),
            vec!["`platform` is \"crank\", and there are 3 of them", "\"crank1\" to \"crank3\""],
        ),
    ] {
        let found = refusal(&text);
        for word in words {
            assert!(found.contains(word), "{word}\n---\n{found}");
        }
    }
}

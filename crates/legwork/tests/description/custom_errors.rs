//! Files of robots given by their legs that are refused: the words, the place and the hint.

use legwork::description::RobotDescription;

/// A planar robot by its legs.
const CUSTOM: &str = r#"family = "custom"
freedoms = "planar-translational"
[platform]
mass = 1
[[leg]]
repeat = { times = 2 }
[[leg.joint]]
type = "revolute"
active = true
origin = [1, 0, 0]
[[leg.joint]]
type = "prismatic"
axis = [1, 0, 0]
[leg.joint.body]
mass = 2
[leg.attachment]
type = "planar"
"#;

/// A text with one piece of it replaced.
fn with(text: &str, old: &str, new: &str) -> String {
    assert!(text.contains(old), "{old}");
    text.replacen(old, new, 1)
}

/// What is printed for a file that is refused.
fn refusal(text: &str) -> String {
    RobotDescription::parse(text, "robot.toml").expect_err("must be refused").to_string()
}

/// Compare with the expected text, whose first line is empty to let it start at the margin.
#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(refusal(text), expected.trim_start_matches('\n'));
}

#[test]
fn the_file_itself_is_fine() {
    RobotDescription::parse(CUSTOM, "robot.toml").unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn unknown_key_in_a_nested_table() {
    refused(
        &with(CUSTOM, "mass = 2", "mass = 2\ncenter = [0, 0, 1]"),
        r"
error: `center` is not a key of [leg.joint.body]
   --> robot.toml:16:1
    |
 16 | center = [0, 0, 1]
    | ^^^^^^
hint: did you mean `centre`?",
    );
    refused(
        &with(CUSTOM, "[leg.attachment]", "[leg.atachment]"),
        r"
error: `atachment` is not a key of [[leg]]
   --> robot.toml:16:6
    |
 16 | [leg.atachment]
    |      ^^^^^^^^^
hint: did you mean `attachment`?",
    );
}

#[test]
fn key_of_another_type() {
    refused(
        &with(CUSTOM, "active = true", "active = true\nmax_force = 3"),
        r#"
error: `max_force` is not a key of [[leg.joint]]
   --> robot.toml:10:1
    |
 10 | max_force = 3
    | ^^^^^^^^^
hint: `max_force` is a key of `type = "prismatic"`"#,
    );
}

#[test]
fn chain_of_another_length_than_its_attachment() {
    refused(
        &with(CUSTOM, "\"planar\"", "\"sliding\"\nnormal = [0, 0, 1]"),
        r#"
error: a leg with a sliding attachment needs 1 joint, and it has 2 joints
   --> robot.toml:17:8
    |
 17 | type = "sliding"
    |        ^^^^^^^^^
hint: a sliding joint passes on 1 component: the chain before it needs as many joints, or fewer"#,
    );
    // With fewer it is a mechanism.
    assert!(RobotDescription::parse(&with(CUSTOM, "\"planar\"", "\"spherical\""), "robot.toml").is_ok());
}

#[test]
fn freedoms_of_the_wrong_size() {
    refused(
        &with(CUSTOM, "\"planar-translational\"", "[\"vx\", \"vy\", \"wz\"]"),
        r#"
error: the platform has 3 freedoms, and the legs have 2 active joints
  --> robot.toml:2:12
   |
 2 | freedoms = ["vx", "vy", "wz"]
   |            ^^^^^^^^^^^^^^^^^^
hint: mark more joints with `active = true`, or give fewer `freedoms`"#,
    );
    refused(
        &with(CUSTOM, "\"planar-translational\"", "[\"vx\", \"vx\"]"),
        r#"
error: `freedoms` has "vx" twice
  --> robot.toml:2:19
   |
 2 | freedoms = ["vx", "vx"]
   |                   ^^^^"#,
    );
    let first = |list: &str| refusal(&with(CUSTOM, "\"planar-translational\"", list));
    assert!(first("[]").starts_with("error: `freedoms` needs 1 to 6 values and has 0 values\n"));
    assert!(first("[\"vw\"]").ends_with("hint: did you mean \"vx\"?"));
}

#[test]
fn two_placements_of_a_joint() {
    refused(
        &with(CUSTOM, "origin = [1, 0, 0]", "origin = [1, 0, 0]\nalpha = \"90 deg\""),
        r"
error: `origin` cannot stand beside `alpha`
   --> robot.toml:10:1
    |
 10 | origin = [1, 0, 0]
    | ^^^^^^
hint: they are two ways to say the same thing: keep one of them",
    );
}

#[test]
fn legs_that_are_no_tables() {
    assert!(refusal("family = \"custom\"").contains("error: the table [[leg]] is missing\n"));
    refused(
        "family = \"custom\"\n[leg]\n",
        r"
error: `leg` must be an array of tables, not a table
  --> robot.toml:2:1
   |
 2 | [leg]
   | ^^^^^
hint: write [[leg]]",
    );
    refused(
        &with(CUSTOM, "times = 2", "times = 2.5"),
        r"
error: `times` must be a whole number from 2 to 24, it is 2.5
  --> robot.toml:6:20
   |
 6 | repeat = { times = 2.5 }
   |                    ^^^",
    );
}

#[test]
fn direction_of_no_length() {
    refused(
        &with(CUSTOM, "axis = [1, 0, 0]", "axis = [0, 0, 0]"),
        r"
error: `axis` is a direction and must not be zero
   --> robot.toml:13:8
    |
 13 | axis = [0, 0, 0]
    |        ^^^^^^^^^",
    );
}

#[test]
fn several_problems_at_once() {
    let text = with(&with(CUSTOM, "origin = [1, 0, 0]", "origin = [1, 0]"), "mass = 1", "mass = \"1 m\"");
    refused(
        &with(&text, "active = true", "active = 1"),
        r#"
error: `mass` is a mass: `m` is a length
  --> robot.toml:4:8
   |
 4 | mass = "1 m"
   |        ^^^^^
hint: use kg, g

error: `active` must be true or false, not a number
  --> robot.toml:9:10
   |
 9 | active = 1
   |          ^
hint: write it like `active = true`

error: `origin` needs 3 values and has 2 values
   --> robot.toml:10:10
    |
 10 | origin = [1, 0]
    |          ^^^^^^"#,
    );
}

#[test]
fn truncated_file() {
    let (start, _) = CUSTOM.split_once("[leg.attachment]").expect("is there");
    refused(
        start,
        r"
error: the table [leg.attachment] is missing
  --> robot.toml:5:1
   |
 5 | [[leg]]
   | ^^^^^^^
hint: add [leg.attachment]: how the leg ends at the platform",
    );
}

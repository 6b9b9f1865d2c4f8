//! Files of the other families that are refused: the words, the place and the hint.

use legwork::description::RobotDescription;

/// A hexapod with three legs and masses.
const HEXAPOD: &str = r#"family = "gough-stewart"
[geometry]
base_points = [[0.6, 0, 0], [0, 0.6, 0], [-0.6, 0, 0]]
platform_points = [[0.3, 0, 0], [0, "300 mm", 0], [-0.3, 0, 0]]
[cylinder]
mass = "2 kg"
[platform]
mass = 14
inertia = [0.6, 0.6, 1]
"#;

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
fn the_files_themselves_are_fine() {
    for text in [HEXAPOD, CUSTOM] {
        RobotDescription::parse(text, "robot.toml").unwrap_or_else(|error| panic!("{error}"));
    }
}

#[test]
fn unit_in_an_array() {
    refused(
        &with(HEXAPOD, "300 mm", "300 kg"),
        r#"
error: `platform_points` is a length: `kg` is a mass
  --> robot.toml:4:37
   |
 4 | platform_points = [[0.3, 0, 0], [0, "300 kg", 0], [-0.3, 0, 0]]
   |                                     ^^^^^^^^
hint: use m, mm, cm, um, in"#,
    );
}

#[test]
fn wrong_number_of_points() {
    refused(
        &with(HEXAPOD, ", [-0.3, 0, 0]]", ", [-0.3, 0, 0], [0, 0, 1]]"),
        r#"
error: `platform_points` needs 3 values and has 4 values
  --> robot.toml:4:19
   |
 4 | platform_points = [[0.3, 0, 0], [0, "300 mm", 0], [-0.3, 0, 0], [0, 0, 1]]
   |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: one for each leg: `base_points` gives 3"#,
    );
    refused(
        &with(HEXAPOD, "[[0.6, 0, 0], [0, 0.6, 0], ", "[[0.6, 0, 0], "),
        r"
error: `base_points` needs 3 to 24 values and has 2 values
  --> robot.toml:3:15
   |
 3 | base_points = [[0.6, 0, 0], [-0.6, 0, 0]]
   |               ^^^^^^^^^^^^^^^^^^^^^^^^^^^",
    );
}

#[test]
fn wrong_number_in_a_point() {
    refused(
        &with(HEXAPOD, "[[0.6, 0, 0]", "[[0.6, 0]"),
        r"
error: each of `base_points` needs 3 values, and this one has 2 values
  --> robot.toml:3:16
   |
 3 | base_points = [[0.6, 0], [0, 0.6, 0], [-0.6, 0, 0]]
   |                ^^^^^^^^",
    );
}

#[test]
fn points_and_radii() {
    refused(
        &with(HEXAPOD, "[cylinder]", "base_radius = 0.6\n[cylinder]"),
        r"
error: `base_radius` cannot stand beside `base_points`
  --> robot.toml:5:1
   |
 5 | base_radius = 0.6
   | ^^^^^^^^^^^
hint: they are two ways to say the same thing: keep one of them",
    );
}

#[test]
fn neither_points_nor_radii() {
    refused(
        &with(HEXAPOD, "base_points = [[0.6, 0, 0], [0, 0.6, 0], [-0.6, 0, 0]]\n", ""),
        r"
error: `base_points` or `base_radius` is missing in [geometry]
  --> robot.toml:2:1
   |
 2 | [geometry]
   | ^^^^^^^^^^",
    );
    refused(
        &with(HEXAPOD, "base_points = [[0.6, 0, 0], [0, 0.6, 0], [-0.6, 0, 0]]\n", "base_radius = 0.6\n"),
        r#"
error: `base_spread` is missing in [geometry]: half the angle between the two base joints of a pair
  --> robot.toml:2:1
   |
 2 | [geometry]
   | ^^^^^^^^^^
hint: add it, for example `base_spread = "30 deg"`

error: `platform_points` needs 6 values and has 3 values
  --> robot.toml:4:19
   |
 4 | platform_points = [[0.3, 0, 0], [0, "300 mm", 0], [-0.3, 0, 0]]
   |                   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
hint: one for each leg: `base_radius` gives 6"#,
    );
}

#[test]
fn a_leg_part_without_a_platform() {
    let (start, _) = HEXAPOD.split_once("[platform]").expect("is there");
    refused(
        start,
        r"
error: the table [platform] is missing
  --> robot.toml
hint: add [platform]: the platform as a body, in the platform's frame",
    );
}

#[test]
fn table_and_key_of_another_family() {
    refused(
        &format!("working_mode = \"out\"\n{HEXAPOD}[mass]\nleg = 3\n"),
        r#"
error: `working_mode` is not a key of a robot file
  --> robot.toml:1:1
   |
 1 | working_mode = "out"
   | ^^^^^^^^^^^^
hint: `working_mode` is a key of other families, such as "delta"

error: [mass] is not a table of a robot file
   --> robot.toml:11:2
    |
 11 | [mass]
    |  ^^^^
hint: [mass] is a table of the family "delta", "c5", "hexa", "hexaglide", "linear-delta", "five-bar", "3-rrr""#,
    );
}

#[test]
fn convention_of_a_delta() {
    refused(
        &format!("convention = \"klipper\"\n{HEXAPOD}"),
        r#"
error: convention "klipper" is for Deltas, not for the family "gough-stewart"
  --> robot.toml:1:14
   |
 1 | convention = "klipper"
   |              ^^^^^^^^^
hint: leave `convention` out"#,
    );
}

#[test]
fn inertia_that_is_no_matrix() {
    refused(
        &with(HEXAPOD, "[0.6, 0.6, 1]", "[[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]"),
        r"
error: `inertia` is not symmetric: row 1, column 2 is 0.1, row 2, column 1 is 0.2
  --> robot.toml:9:11
   |
 9 | inertia = [[1, 0.1, 0], [0.2, 1, 0], [0, 0, 1]]
   |           ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
    );
    refused(
        &with(HEXAPOD, "[0.6, 0.6, 1]", "[0.6, 1]"),
        r"
error: `inertia` needs 3 numbers, 6 numbers or 3 rows and has 2 numbers
  --> robot.toml:9:11
   |
 9 | inertia = [0.6, 1]
   |           ^^^^^^^^
hint: write it like `inertia = [0.1, 0.1, 0.2]`, xx, yy, zz about the centre of mass",
    );
}

#[test]
fn home_that_does_not_turn() {
    let home = |turn: &str| refusal(&format!("{HEXAPOD}[home]\nposition = [0, 0, 1]\n{turn}\n"));
    let first = |text: String| text.lines().next().map(str::to_owned).unwrap_or_default();
    assert_eq!(
        first(home("rotation = [[1, 0, 0], [0, 1, 0], [0, 0, 2]]")),
        "error: `rotation` does not turn but stretch: its rows miss length 1 or a right angle by 3.0e0"
    );
    assert_eq!(
        first(home("rotation = [[1, 0, 0], [0, 1, 0], [0, 0, -1]]")),
        "error: `rotation` mirrors: its determinant is not 1 but -1"
    );
    assert_eq!(
        first(home("quaternion_wxyz = [0, 0, 0, 0]")),
        "error: `quaternion_wxyz` is a direction and must not be zero"
    );
    assert_eq!(
        first(home("orientation = [0, 0, 1]\nrotation = [[1, 0, 0], [0, 1, 0], [0, 0, 1]]")),
        "error: `rotation` cannot stand beside `orientation`"
    );
}

#[test]
fn limits_the_wrong_way_round() {
    refused(
        &format!("{HEXAPOD}[limits]\nlength_min = \"1.2 m\"\nlength_max = \"800 mm\"\n"),
        r#"
error: `length_min` is 1.2 m, not below `length_max`, 0.8 m
   --> robot.toml:11:14
    |
 11 | length_min = "1.2 m"
    |              ^^^^^^^"#,
    );
}

#[test]
fn base_point_without_a_tangent() {
    refused(
        &with(HEXAPOD, "[0, 0.6, 0]", "[0, 0, 0.6]"),
        r"
error: `base_axes` is needed: the base point of leg 2 lies on the z axis and has no tangent
  --> robot.toml:2:1
   |
 2 | [geometry]
   | ^^^^^^^^^^",
    );
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
        &with(CUSTOM, "\"planar\"", "\"spherical\""),
        r#"
error: a leg with a spherical attachment needs 3 joints, and it has 2 joints
   --> robot.toml:17:8
    |
 17 | type = "spherical"
    |        ^^^^^^^^^^^
hint: a spherical joint passes on 3 components: the chain before it needs as many joints"#,
    );
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
fn axis_of_a_space_robot_that_is_not_horizontal() {
    refused(
        "family = \"space\"\n[geometry]\nbase_points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\n\
         platform_points = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]\nbase_axes = [[0, 1, 0], [0, 3, 4], [1, 0, 0]]\n",
        r"
error: `base_axes` of leg 2 must be horizontal, its z is 0.800
  --> robot.toml:5:13
   |
 5 | base_axes = [[0, 1, 0], [0, 3, 4], [1, 0, 0]]
   |             ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^",
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
    let (start, _) = HEXAPOD.split_once(", 0], [-0.3").expect("is there");
    refused(
        start,
        r#"
error: this is not TOML: unclosed array, expected `]`
  --> robot.toml:4:45
   |
 4 | platform_points = [[0.3, 0, 0], [0, "300 mm"
   |                                             ^"#,
    );
}

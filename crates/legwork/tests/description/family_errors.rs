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
    RobotDescription::parse(HEXAPOD, "robot.toml").unwrap_or_else(|error| panic!("{error}"));
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
fn truncated_file() {
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

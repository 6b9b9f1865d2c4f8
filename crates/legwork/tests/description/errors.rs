//! Files of a Delta that are refused: the words, the place and the hint.

use legwork::description::{ProblemKind, RobotDescription};

/// A whole file in legwork's convention.
const FILE: &str = r#"family = "delta"
[geometry]
base_radius = "200 mm"
platform_radius = "45 mm"
arm = "350 mm"
forearm = "800 mm"
[mass]
platform = "0.5 kg"
arm = "1.2 kg"
forearm = "0.3 kg"
"#;

/// The file with one piece of its text replaced.
fn file(old: &str, new: &str) -> String {
    assert!(FILE.contains(old), "{old}");
    FILE.replacen(old, new, 1)
}

/// What is printed for a file that is refused.
fn refusal(text: &str) -> String {
    RobotDescription::parse(text, "my_delta.toml").expect_err("must be refused").to_string()
}

/// Compare with the expected text, whose first line is empty to let it start at the margin.
#[track_caller]
fn refused(text: &str, expected: &str) {
    assert_eq!(refusal(text), expected.trim_start_matches('\n'));
}

#[test]
fn unknown_key() {
    refused(
        &file("forearm = \"800", "fore_arm = \"800"),
        r#"
error: `fore_arm` is not a key of [geometry]
  --> my_delta.toml:6:1
   |
 6 | fore_arm = "800 mm"
   | ^^^^^^^^
hint: did you mean `forearm`?"#,
    );
}

/// An attachment has other keys for each type of joint; a key that several of them share is told once.
#[test]
fn keys_of_a_table_are_told_once() {
    let text = std::fs::read_to_string("../../robots/custom-gough-stewart.toml").unwrap();
    let refused = refusal(&text.replacen("type = \"spherical\"", "type = \"spherical\", colour = 1", 1));
    let hint = refused
        .lines()
        .find(|line| line.starts_with("hint: the keys of"))
        .unwrap_or_else(|| panic!("{refused}"));
    let mut keys: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
    let all = keys.len();
    keys.sort_unstable();
    keys.dedup();
    assert!(all > 2 && keys.contains(&"point"), "{hint}");
    assert_eq!(keys.len(), all, "{hint}");
}

#[test]
fn key_in_the_wrong_table() {
    refused(
        &format!("{FILE}gravity = 9.8\n"),
        r"
error: `gravity` is not a key of [mass]
   --> my_delta.toml:11:1
    |
 11 | gravity = 9.8
    | ^^^^^^^
hint: `gravity` belongs at the top of the file, before any [table]",
    );
}

#[test]
fn key_of_another_convention() {
    refused(
        &file("arm = \"350", "thighlength = \"350"),
        r#"
error: `thighlength` is not a key of [geometry]
  --> my_delta.toml:5:1
   |
 5 | thighlength = "350 mm"
   | ^^^^^^^^^^^
hint: `thighlength` is a key of convention "linuxcnc": add `convention = "linuxcnc"`"#,
    );
}

#[test]
fn unknown_table() {
    refused(
        &file("[geometry]", "[geometri]"),
        r"
error: [geometri] is not a table of a robot file
  --> my_delta.toml:2:2
   |
 2 | [geometri]
   |  ^^^^^^^^
hint: did you mean [geometry]?",
    );
}

#[test]
fn unknown_unit() {
    refused(
        &file("350 mm", "350 furlongs"),
        r#"
error: `arm` is a length: `furlongs` is not a unit
  --> my_delta.toml:5:7
   |
 5 | arm = "350 furlongs"
   |       ^^^^^^^^^^^^^^
hint: use m, mm, cm, um, in"#,
    );
}

#[test]
fn wrong_dimension() {
    refused(
        &file("350 mm", "350 kg"),
        r#"
error: `arm` is a length: `kg` is a mass
  --> my_delta.toml:5:7
   |
 5 | arm = "350 kg"
   |       ^^^^^^^^
hint: use m, mm, cm, um, in"#,
    );
}

#[test]
fn missing_key() {
    refused(
        &file("forearm = \"800 mm\"\n", ""),
        r#"
error: `forearm` is missing in [geometry]: elbow to platform joint
  --> my_delta.toml:2:1
   |
 2 | [geometry]
   | ^^^^^^^^^^
hint: add it, for example `forearm = "120 mm"`"#,
    );
}

#[test]
fn missing_table() {
    refused(
        "family = \"delta\"\n",
        r"
error: the table [geometry] is missing
  --> my_delta.toml
hint: add [geometry]: lengths; the keys depend on the convention",
    );
}

#[test]
fn negative_mass() {
    refused(
        &file("1.2 kg", "-20 g"),
        r#"
error: `arm` must not be negative, it is -0.02 kg
  --> my_delta.toml:9:7
   |
 9 | arm = "-20 g"
   |       ^^^^^^^"#,
    );
}

#[test]
fn not_finite() {
    refused(
        &file("\"350 mm\"", "nan"),
        r"
error: `arm` is nan, not a finite number
  --> my_delta.toml:5:7
   |
 5 | arm = nan
   |       ^^^",
    );
    assert!(refusal(&file("\"350 mm\"", "-inf")).starts_with("error: `arm` is -inf, not a finite number\n"));
    assert!(refusal(&file("\"350 mm\"", "1e999")).starts_with("error: `arm` is inf, not a finite number\n"));
    assert!(refusal(&file("350 mm", "nan")).starts_with("error: `arm` is a length: `nan` is not a number\n"));
}

#[test]
fn wrong_type() {
    refused(
        &file("\"350 mm\"", "[0.35]"),
        r#"
error: `arm` must be a length, not an array
  --> my_delta.toml:5:7
   |
 5 | arm = [0.35]
   |       ^^^^^^
hint: write it like `arm = "120 mm"`"#,
    );
    assert!(refusal("family = 3").starts_with("error: `family` must be a word, not a number\n"));
    assert!(refusal("mass = 3").contains("error: `mass` must be a table, not a number\n"));
}

#[test]
fn wrong_count() {
    refused(
        &file("[mass]", "azimuth = [0, 1]\n[mass]"),
        r"
error: `azimuth` needs 3 values and has 2 values
  --> my_delta.toml:7:11
   |
 7 | azimuth = [0, 1]
   |           ^^^^^^",
    );
}

#[test]
fn truncated_file() {
    let (start, _) = FILE.split_once(" mm\"\nplatform").expect("is there");
    refused(
        start,
        r#"
error: this is not TOML: invalid basic string, expected `"`
  --> my_delta.toml:3:19
   |
 3 | base_radius = "200
   |                   ^"#,
    );
}

#[test]
fn duplicate_key() {
    refused(
        &file("[mass]", "arm = \"351 mm\"\n[mass]"),
        r#"
error: `arm` is there twice
  --> my_delta.toml:7:1
   |
 7 | arm = "351 mm"
   | ^^^"#,
    );
}

#[test]
fn empty_file() {
    let expected = "
error: the file is empty
  --> my_delta.toml
hint: a robot file starts with `family = \"delta\"`";
    refused("", expected);
    refused("# nothing here\n\n", expected);
}

#[test]
fn bare_number_in_another_convention() {
    refused(
        "family = \"delta\"\nconvention = \"linuxcnc\"\n[geometry]\nplatformradius = \"10 in\"\n\
         thighlength = 10\nshinlength = \"14 in\"\nfootradius = 0\n",
        r#"
error: `thighlength` is 10 without a unit, and convention "linuxcnc" needs one
  --> my_delta.toml:5:15
   |
 5 | thighlength = 10
   |               ^^
hint: write the unit, for example `thighlength = "10 mm"`"#,
    );
}

#[test]
fn unknown_convention() {
    refused(
        &format!("convention = \"linuxnc\"\n{FILE}"),
        r#"
error: `convention` cannot be "linuxnc"
  --> my_delta.toml:1:14
   |
 1 | convention = "linuxnc"
   |              ^^^^^^^^^
hint: did you mean "linuxcnc"?"#,
    );
    assert!(refusal("family = \"car\"").contains("\nhint: use one of: delta, gough-stewart, "));
    assert!(refusal("family = \"hexapod\"").ends_with("hint: did you mean \"gough-stewart\"?"));
}

#[test]
fn two_problems_at_once() {
    refused(
        &file("350 mm", "3,5 m").replace("0.3 kg", "-1"),
        r#"
error: `arm` is a length: `3,5 m` is not a number
  --> my_delta.toml:5:7
   |
 5 | arm = "3,5 m"
   |       ^^^^^^^
hint: write the decimal sign as a point

error: `forearm` must not be negative, it is -1 kg
   --> my_delta.toml:10:11
    |
 10 | forearm = "-1"
    |           ^^^^"#,
    );
}

#[test]
fn the_marks_stand_below_what_they_mark() {
    // Tabs are kept, characters of several bytes count once, line ends of Windows do not show.
    let text = file("arm = \"350 mm\"\n", "\tarm = \"µµ\"\r\n");
    let expected = " 5 | \tarm = \"µµ\"\n   | \t      ^^^^\n";
    assert!(refusal(&text).contains(expected), "{}", refusal(&text));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = std::env::temp_dir().join(format!("legwork-description-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let path = folder.join("latin1.toml");
    std::fs::write(&path, b"family = \"delta\"\n# caf\xe9\n").expect("a file for the test");
    let error = RobotDescription::load(&path).expect_err("not UTF-8");
    assert_eq!(error.problems[0].kind, ProblemKind::NotUtf8 { offset: 22 });
    let place = error.problems[0].location.as_ref().expect("a place");
    assert_eq!((place.line, place.column, place.width), (2, 6, 1));

    let path = folder.join("a_name.toml");
    std::fs::write(&path, FILE).expect("a file for the test");
    assert_eq!(RobotDescription::load(&path).expect("a robot").name, "a_name");
    std::fs::remove_dir_all(&folder).expect("the folder is ours");

    let error = RobotDescription::load(&path).expect_err("gone").to_string();
    assert!(error.starts_with("error: there is no such file\n  --> "), "{error}");
    let error = RobotDescription::built_in("delta_industrail").expect_err("misspelled").to_string();
    assert!(error.ends_with("hint: did you mean `delta-industrial`?"), "{error}");
}

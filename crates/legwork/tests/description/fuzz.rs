//! No file is ever a panic: truncated, damaged, or with values, tables and families that do not belong.

use legwork::description::{BUILT_IN, BuiltIn, RobotDescription};
use legwork::families::NAMES;

/// Read a text; if it is refused, it must say so in at least one line.
fn read(text: &str) {
    if let Err(error) = RobotDescription::parse(text, "fuzz.toml") {
        assert!(!error.problems.is_empty(), "{text}");
        assert!(error.to_string().starts_with("error: "), "{text}");
    }
}

/// Every place of a file that is short; in a long one, so many of them spread over it.
fn places(robot: &BuiltIn, most: usize) -> impl Iterator<Item = usize> {
    let length = robot.text.len();
    (0..length).step_by(length.div_ceil(most))
}

#[test]
fn truncated_files() {
    for robot in BUILT_IN {
        for at in places(robot, 300) {
            read(&String::from_utf8_lossy(&robot.text.as_bytes()[..at]));
        }
    }
}

#[test]
fn damaged_files() {
    for robot in BUILT_IN {
        for at in places(robot, 120) {
            for damage in *b"\"=[\n\xff9" {
                let mut damaged = robot.text.as_bytes().to_vec();
                damaged[at] = damage;
                read(&String::from_utf8_lossy(&damaged));
            }
        }
    }
}

/// The file with one line replaced.
fn with_line(text: &str, number: usize, new: &str) -> String {
    let lines = text.lines().enumerate().map(|(n, line)| if n == number { new } else { line });
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn odd_values_in_every_key() {
    const ODD: &[&str] = &[
        "nan",
        "-inf",
        "0",
        "-1",
        "1e308",
        "99999999999999999999999999",
        "0x7f",
        "\"\"",
        "\"1 mm mm\"",
        "true",
        "1979-05-27",
        "[]",
        "[[]]",
        "[0, 0, 0]",
        "[[0, 0, 0], [0, 0, 0], [0, 0, 0]]",
        "[[[[[1]]]]]",
        "[1, \"2 mm\", []]",
        "{}",
        "{ mass = 1 }",
        "[{ mass = 1 }]",
        "[{ type = \"revolute\" }, 1]",
    ];
    for robot in BUILT_IN {
        for (number, line) in robot.text.lines().enumerate() {
            let Some((key, _)) = line.split_once(" = ") else { continue };
            for odd in ODD {
                read(&with_line(robot.text, number, &format!("{key} = {odd}")));
            }
            read(&with_line(robot.text, number, ""));
        }
    }
}

#[test]
fn odd_tables_and_families() {
    for robot in BUILT_IN {
        for (number, line) in robot.text.lines().enumerate() {
            if line.starts_with('[') {
                for header in ["", "[leg]", "[[leg]]", "[leg.joint]", "[[geometry]]", "[platform]", "[[[x]]]"]
                {
                    read(&with_line(robot.text, number, header));
                }
            }
            if line.starts_with("family") {
                for name in NAMES {
                    read(&with_line(robot.text, number, &format!("family = \"{name}\"")));
                }
                read(&with_line(robot.text, number, ""));
            }
        }
    }
}

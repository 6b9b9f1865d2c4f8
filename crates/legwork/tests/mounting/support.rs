//! Robots from texts, and vectors.

use legwork::AnyRobot;
use legwork::description::{BUILT_IN, RobotDescription};

pub type Matrix = [[f64; 3]; 3];

pub fn parse(text: &str) -> AnyRobot {
    AnyRobot::new(RobotDescription::parse(text, "mounted.toml").unwrap()).unwrap()
}

/// The text of a built-in robot with keys at its top and tables at its end.
pub fn with(name: &str, top: &str, tables: &str) -> AnyRobot {
    parse(&text(name, top, tables))
}

pub fn text(name: &str, top: &str, tables: &str) -> String {
    let file = BUILT_IN.iter().find(|robot| robot.name == name).unwrap().text;
    // What is said at the top is not said again.
    let said = |line: &&str| top.is_empty() || !line.starts_with("gravity_direction");
    let file: Vec<&str> = file.lines().filter(said).collect();
    format!("{top}\n{}\n{tables}\n", file.join("\n"))
}

pub fn times(m: &Matrix, v: [f64; 3]) -> [f64; 3] {
    m.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
}

pub fn transposed(m: &Matrix) -> Matrix {
    std::array::from_fn(|i| std::array::from_fn(|j| m[j][i]))
}

pub fn product(a: &Matrix, b: &Matrix) -> Matrix {
    transposed(&transposed(b).map(|column| times(a, column)))
}

pub fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

pub fn plus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + b[k])
}

pub fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

pub fn halves(six: [f64; 6]) -> [[f64; 3]; 2] {
    [[six[0], six[1], six[2]], [six[3], six[4], six[5]]]
}

pub fn joined([a, b]: [[f64; 3]; 2]) -> [f64; 6] {
    [a[0], a[1], a[2], b[0], b[1], b[2]]
}

//! The same robots in other sizes: lengths from micrometres to kilometres, masses from milligrams to tonnes. The
//! verdict of `check` must not depend on the unit.

use crate::{Found, Length, robots_of_legs};
use legwork::AnyRobot;
use legwork::check::check_robot;
use legwork::description::RobotDescription;
use legwork_testkit::gap;

/// How much larger lengths and masses are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// Of lengths.
    pub length: f64,
    /// Of masses.
    pub mass: f64,
}

impl Scale {
    /// What a number with this unit is multiplied by; nothing if the unit is not known here.
    fn of_unit(self, unit: &str) -> Option<f64> {
        let Self { length, mass } = self;
        Some(match unit {
            "mm" | "cm" | "m" | "um" | "in" | "m/s" | "mm/s" | "m/s^2" => length,
            "kg" | "g" | "N s/m" | "N/m" => mass,
            "N" | "kN" | "mN" => mass * length,
            "kg m^2" | "kg cm^2" | "g mm^2" | "N m" | "mN m" | "N m s/rad" => mass * length * length,
            "deg" | "rad" | "Hz" | "s" | "ms" | "rpm" | "deg/s" | "rad/s" | "%" => 1.0,
            _ => return None,
        })
    }

    /// The same for a bare number behind this key.
    fn of_key(self, key: &str) -> f64 {
        let Self { length, mass } = self;
        match key {
            "base_points" | "platform_points" | "point" | "centre" | "position" | "origin" => length,
            "inertia" => mass * length * length,
            "mass" | "actuator_inertia" => mass,
            key if key.ends_with("_mm") => length,
            _ => 1.0,
        }
    }

    /// A robot file in this scale; an error names a unit that is not known here.
    ///
    /// # Errors
    /// An unknown unit.
    pub fn apply(self, text: &str) -> Result<String, String> {
        let mut out = String::new();
        for line in text.lines() {
            self.line(line, &mut out)?;
            out.push('\n');
        }
        Ok(out)
    }

    fn line(self, line: &str, out: &mut String) -> Result<(), String> {
        // The key of the lines above goes on inside a list over several lines.
        let mut key = out
            .rsplit('\n')
            .find_map(|line| line.split_once(" = "))
            .map_or("", |(key, _)| key.trim())
            .to_owned();
        let mut rest = line;
        while let Some(first) = rest.chars().next() {
            let taken = match first {
                '#' => rest.len(),
                '"' => {
                    let end = rest[1..].find('"').map_or(rest.len(), |end| end + 2);
                    out.push_str(&self.quoted(&rest[..end])?);
                    rest = &rest[end..];
                    continue;
                }
                c if c.is_ascii_alphabetic() || c == '_' => {
                    let end =
                        rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len());
                    if rest[end..].trim_start().starts_with('=') {
                        rest[..end].clone_into(&mut key);
                    }
                    end
                }
                c if c.is_ascii_digit() || c == '-' => {
                    let end = rest
                        .find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c)))
                        .unwrap_or(rest.len());
                    match rest[..end].parse::<f64>() {
                        Ok(number) if self.of_key(&key) != 1.0 => {
                            let shown = format!("{:e}", number * self.of_key(&key));
                            out.push_str(&shown);
                        }
                        _ => out.push_str(&rest[..end]),
                    }
                    rest = &rest[end..];
                    continue;
                }
                c => c.len_utf8(),
            };
            out.push_str(&rest[..taken]);
            rest = &rest[taken..];
        }
        Ok(())
    }

    /// A text in quotes: scaled if it is a number with a unit.
    fn quoted(self, text: &str) -> Result<String, String> {
        let inner = text.trim_matches('"');
        let Some((number, unit)) = inner.split_once(' ') else { return Ok(text.into()) };
        let Ok(number) = number.parse::<f64>() else { return Ok(text.into()) };
        let factor = self.of_unit(unit.trim()).ok_or_else(|| format!("the unit of `{inner}`"))?;
        Ok(format!("\"{:e} {unit}\"", number * factor))
    }
}

/// The robot of a file in this scale.
fn scaled(text: &str, scale: Scale) -> Result<AnyRobot, String> {
    let text = scale.apply(text)?;
    let description = RobotDescription::parse(&text, "scaled.toml").map_err(|error| error.to_string())?;
    AnyRobot::new(description).map_err(|error| error.to_string())
}

/// Whether all lengths of the file were scaled: the joints at home are those of the robot itself.
fn is_similar(robot: &AnyRobot, other: &AnyRobot, scale: Scale) -> bool {
    let joints =
        |robot: &AnyRobot| robot.inverse_kinematics(&robot.home()).map(|found| found.q).unwrap_or_default();
    let (own, other) = (joints(robot), joints(other));
    let own: Vec<f64> = own
        .iter()
        .zip(robot.joints())
        .map(|(q, joint)| if joint.slides { q * scale.length } else { *q })
        .collect();
    let largest = legwork_testkit::largest(&own);
    own.len() == other.len() && gap(&own, &other) <= 1e-9 * legwork_testkit::nan_max(largest, scale.length)
}

/// Every built-in robot in other sizes: the verdict of `check` stays.
pub fn run(length: Length, seed: u64) -> Found {
    let mut found = Found::default();
    let short = [(1e-6, 1e-6), (1e-6, 1e3), (1e-3, 1e-3), (1e3, 1e-6), (1e3, 1e3)];
    let powers = [-6, -4, -3, -2, -1, 0, 1, 2, 3].map(|power: i32| 10_f64.powi(power));
    let long: Vec<(f64, f64)> = powers.iter().flat_map(|a| powers.map(|b| (*a, b))).collect();
    let scales: &[(f64, f64)] = length.pick(&short, &long);
    let states = length.pick(10, 50);
    let (mut checked, mut robots) = (0, 0);
    for entry in robots_of_legs() {
        let verdict = |robot: &AnyRobot| check_robot(robot, states, seed).holds();
        let one = Scale { length: 1.0, mass: 1.0 };
        let robot = match scaled(entry.text, one) {
            Ok(robot) => robot,
            Err(error) => {
                found.fail(format!("{} cannot be scaled: {error}", entry.name));
                continue;
            }
        };
        if !verdict(&robot) {
            found.fail(format!("{}: does not hold", entry.name));
        }
        robots += 1;
        let mut differ = Vec::new();
        for (length, mass) in scales {
            let scale = Scale { length: *length, mass: *mass };
            match scaled(entry.text, scale) {
                Ok(other) if !is_similar(&robot, &other, scale) => {
                    differ.push(format!("{length:e}, {mass:e}: not similar"));
                }
                Ok(other) if !verdict(&other) => differ.push(format!("{length:e}, {mass:e}: does not hold")),
                Ok(_) => {}
                Err(error) => {
                    let first = error.lines().find(|line| !line.trim().is_empty()).unwrap_or("").to_owned();
                    differ.push(format!("{length:e}, {mass:e}: {first}"));
                }
            }
            checked += 1;
        }
        if !differ.is_empty() {
            found.fail(format!("{}: {}", entry.name, differ.join("; ")));
        }
    }
    found.figure = format!(
        "{robots} robots in {} scales from 1e-6 to 1e3 in length and in mass: {checked} verdicts, all the same",
        scales.len()
    );
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_masses_are_scaled_and_nothing_else() {
        let scale = Scale { length: 10.0, mass: 100.0 };
        let text = "[geometry] # \"5 mm\"\narm = \"300 mm\"\nangle = \"10 deg\"\nbase_mm = 2\nmode = \"left\"\n\
                    body = { mass = \"2 kg\", inertia = [0.5, \"1 kg m^2\"] }\nlist = [\n  1,\n]\npoint = [\n  1,\n  -2,\n]\n";
        let scaled = scale.apply(text).unwrap();
        let expected = "[geometry] # \"5 mm\"\narm = \"3e3 mm\"\nangle = \"1e1 deg\"\nbase_mm = 2e1\nmode = \"left\"\n\
                        body = { mass = \"2e2 kg\", inertia = [5e3, \"1e4 kg m^2\"] }\nlist = [\n  1,\n]\npoint = [\n  1e1,\n  -2e1,\n]\n";
        assert_eq!(scaled, expected);
        assert_eq!(scale.apply("a = \"3 furlong\"").unwrap_err(), "the unit of `3 furlong`");
    }

    #[test]
    fn every_built_in_robot_of_legs_can_be_scaled() {
        for entry in robots_of_legs() {
            let own = AnyRobot::open(entry.name).unwrap();
            for scale in [Scale { length: 1.0, mass: 1.0 }, Scale { length: 2.0, mass: 3.0 }] {
                let other =
                    scaled(entry.text, scale).unwrap_or_else(|error| panic!("{}: {error}", entry.name));
                assert!(is_similar(&own, &other, scale), "{}", entry.name);
            }
        }
    }
}

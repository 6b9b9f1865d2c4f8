//! The robot file with what was identified: the text of the robot, and `[identified]` at its end.

use super::identify::Identification;
use legwork::AnyRobot;
use legwork::text::toml_text;
use std::fmt::Write;
use std::path::PathBuf;

/// Where what is written here begins; a second identification replaces it.
const MARK: &str = "# What follows was written by `legwork identify`.";

/// The text of a robot file that says what was found of `robot`, which is the one that was opened, or that one with legs
/// that differ; `None` if it was in no file.
pub fn robot_text(
    opened: &AnyRobot,
    robot: &AnyRobot,
    found: &Identification,
    logs: &[PathBuf],
) -> Option<String> {
    let text = opened.description().text.as_deref()?;
    let kept = text.split(MARK).next().unwrap_or(text).trim_end();
    // A table that somebody wrote by hand cannot be written a second time.
    if kept.lines().any(|line| line.trim_start().trim_start_matches('[').starts_with("identified")) {
        return None;
    }
    let mut out = format!("{kept}\n\n{MARK}\n[identified]\n");
    let names: Vec<String> = logs
        .iter()
        .map(|path| path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()))
        .collect();
    let _ = writeln!(out, "source = {}", toml_text(&format!("legwork identify: {}", names.join(", "))));
    let was_separate = opened.description().identified.separate_legs;
    if was_separate || opened.mechanism_model().is_none() && robot.mechanism_model().is_some() {
        out.push_str("separate_legs = true\n");
    }
    for motor in &found.description.identified.motors {
        let kind = if motor.slides { "prismatic" } else { "revolute" };
        let _ =
            writeln!(out, "\n[[identified.motor]]\njoint = {}\ntype = \"{kind}\"", toml_text(&motor.joint));
        let numbers = [
            ("actuator_inertia", motor.inertia),
            ("viscous_friction", motor.viscous_friction),
            ("coulomb_friction", motor.coulomb_friction),
            ("offset", Some(motor.offset)),
        ];
        for (key, value) in numbers.into_iter().filter_map(|(key, value)| Some((key, value?))) {
            let _ = writeln!(out, "{key} = {}", number(value));
        }
    }
    let mut data = found.description.data.clone();
    let mut before = robot.description().data.clone();
    for (part, old) in data.inertial_parts().iter().zip(before.inertial_parts()) {
        let (body, was) = (part.as_body(), old.as_body());
        // Bodies of an earlier identification are written again: its tables are replaced.
        if body == was && !opened.description().identified.bodies.iter().any(|own| own.name == part.name) {
            continue;
        }
        let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = body.inertia;
        let _ = writeln!(
            out,
            "\n[[identified.body]]\nname = {}\nmass = {}",
            toml_text(&part.name),
            number(body.mass)
        );
        let list = |numbers: &[f64]| numbers.iter().map(|x| number(*x)).collect::<Vec<_>>().join(", ");
        let _ = writeln!(out, "centre = [{}]", list(&body.centre));
        let _ = writeln!(out, "inertia = [{}]", list(&[xx, yy, zz, xy, xz, yz]));
    }
    for base in &found.base {
        let Some(sigma) = base.sigma else { continue };
        let _ = writeln!(
            out,
            "\n[[identified.parameter]]\nname = {}\nvalue = {}\nsigma = {}\nunit = {}",
            toml_text(&base.name),
            number(base.value),
            number(sigma),
            toml_text(base.unit)
        );
    }
    Some(out)
}

/// A number that TOML reads back to the bit.
fn number(x: f64) -> String {
    format!("{x:?}")
}

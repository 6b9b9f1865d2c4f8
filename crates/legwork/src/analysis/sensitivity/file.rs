//! Central differences over the numbers of a robot file.

use super::{Effect, Parameter, Sensitivity, result, results};
use crate::analysis::linear::LinearError;
use crate::description::{RobotDescription, RobotVariant};
use crate::{AnyRobot, PlatformState};
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// Relative step: the error of a difference is its square, and rounding over it.
const STEP: f64 = 1e-5;
/// Step of a number that is zero, in SI units.
const STEP_AT_ZERO: f64 = 1e-6;

/// What every number of a robot file does to a result at a state of the platform, for every family. Where the
/// robot rests, the limits of its joints and what it does by default do nothing and are left out.
///
/// `text` is the file, `name` its name in messages, `variant` how the robot differs from the file.
pub fn of_file(
    text: &str,
    name: &str,
    variant: &RobotVariant,
    platform: &PlatformState,
    effect: Effect,
) -> Result<Sensitivity, LinearError> {
    of_file_watched(text, name, variant, platform, effect, &mut |_| true)
}

/// The same with `watch` told before each number which share is done; it ends the search by giving false.
///
/// # Errors
/// As [`of_file`], and [`LinearError::Cancelled`].
pub fn of_file_watched(
    text: &str,
    name: &str,
    variant: &RobotVariant,
    platform: &PlatformState,
    effect: Effect,
    watch: &mut dyn FnMut(f64) -> bool,
) -> Result<Sensitivity, LinearError> {
    let build = |text: &str| -> Result<AnyRobot, LinearError> {
        let description = RobotDescription::parse(text, name).map_err(crate::RobotError::from)?;
        Ok(AnyRobot::new(description)?.with_variant(variant)?)
    };
    let robot = build(text)?;
    let reference = robot.inverse_kinematics(platform)?.q;
    let values = result(&robot, platform, effect, &reference)?;
    let (mut parameters, mut refused) = (Vec::new(), Vec::new());
    let places = places(text);
    let count = places.len().max(1) as f64;
    for (k, place) in places.into_iter().enumerate() {
        if !watch(k as f64 / count) {
            return Err(LinearError::Cancelled);
        }
        let step = if place.number == 0.0 { STEP_AT_ZERO } else { STEP * place.number.abs() };
        let side = |sign: f64| {
            let moved = build(&place.replaced(text, place.number + sign * step))?;
            result(&moved, platform, effect, &reference)
        };
        match side(1.0).and_then(|above| Ok((above, side(-1.0)?))) {
            Ok((above, below)) => {
                let slope = |(a, b): (&f64, &f64)| (a - b) / (2.0 * step);
                let slopes: Vec<f64> = above.iter().zip(&below).map(slope).collect();
                if slopes.iter().any(|slope| !slope.is_finite()) {
                    let reason = format!("{} is too close to zero for a difference", place.number);
                    refused.push((place.name, reason));
                    continue;
                }
                parameters.push(Parameter {
                    name: place.name,
                    number: place.number,
                    unit: place.unit,
                    slopes,
                });
            }
            // A mass or length that is zero has no other side, and a count is not a quantity.
            Err(error) => {
                refused.push((place.name, error.to_string().lines().next().unwrap_or("").to_owned()));
            }
        }
    }
    let results = results(&robot, effect);
    Ok(Sensitivity { results, values, parameters, refused, exact: false }.ranked())
}

/// A number in a file.
struct Place {
    name: String,
    span: Range<usize>,
    number: f64,
    unit: String,
    quoted: bool,
}

impl Place {
    /// The file with another number here.
    fn replaced(&self, text: &str, number: f64) -> String {
        let (before, after) = (&text[..self.span.start], &text[self.span.end..]);
        match (self.quoted, self.number == 0.0) {
            // Zero of any unit is zero in SI.
            (true, true) => format!("{before}\"{number:?}\"{after}"),
            (true, false) => format!("{before}\"{number:?} {}\"{after}", self.unit),
            (false, _) => format!("{before}{number:?}{after}"),
        }
    }
}

fn places(text: &str) -> Vec<Place> {
    let mut found = Vec::new();
    if let Ok(root) = DeTable::parse(text) {
        for (key, value) in root.get_ref() {
            let key = key.get_ref().as_ref();
            if !["home", "limits", "motion", "controller", "name", "source", "note"].contains(&key) {
                collect(text, key, value.get_ref(), value.span(), &mut found);
            }
        }
    }
    found
}

fn collect(text: &str, name: &str, value: &DeValue<'_>, span: Range<usize>, found: &mut Vec<Place>) {
    match value {
        DeValue::Table(table) => {
            for (key, value) in table {
                let name = format!("{name}.{}", key.get_ref());
                collect(text, &name, value.get_ref(), value.span(), found);
            }
        }
        DeValue::Array(items) => {
            for (k, item) in items.iter().enumerate() {
                collect(text, &format!("{name}[{}]", k + 1), item.get_ref(), item.span(), found);
            }
        }
        DeValue::Integer(_) | DeValue::Float(_) => {
            let literal = text.get(span.clone()).unwrap_or("").replace('_', "");
            if let Ok(number) = literal.parse() {
                found.push(Place { name: name.into(), span, number, unit: String::new(), quoted: false });
            }
        }
        DeValue::String(content) => {
            let content = content.trim();
            let end =
                content.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(content.len());
            let (digits, unit) = content.split_at(end);
            if let Ok(number) = digits.parse() {
                let unit = unit.trim().to_owned();
                found.push(Place { name: name.into(), span, number, unit, quoted: true });
            }
        }
        DeValue::Boolean(_) | DeValue::Datetime(_) => {}
    }
}

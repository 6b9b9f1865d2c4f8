//! Central differences over the numbers of a robot file.

use super::{Effect, Parameter, Sensitivity, result, results};
use crate::analysis::linear::LinearError;
use crate::description::{FileNumber, RobotDescription, RobotVariant};
use crate::{AnyRobot, PlatformState};

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
                    refused.push((place.path, reason));
                    continue;
                }
                parameters.push(Parameter {
                    name: place.path,
                    number: place.number,
                    unit: place.unit,
                    slopes,
                });
            }
            // A mass or length that is zero has no other side, and a count is not a quantity.
            Err(error) => {
                refused.push((place.path, error.to_string().lines().next().unwrap_or("").to_owned()));
            }
        }
    }
    let results = results(&robot, effect);
    Ok(Sensitivity { results, values, parameters, refused, exact: false }.ranked())
}

/// The numbers that do something to a result.
fn places(text: &str) -> Vec<FileNumber> {
    let table = |place: &FileNumber| place.path.split(['.', '[']).next().unwrap_or("").to_owned();
    let does_nothing = ["home", "limits", "motion", "controller"];
    let numbers = FileNumber::all(text).into_iter();
    numbers.filter(|place| !does_nothing.contains(&table(place).as_str())).collect()
}

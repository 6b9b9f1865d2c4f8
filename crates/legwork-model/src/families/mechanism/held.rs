//! `held`: motors that the platform's pose does not tell.

use super::MechanismJoint;
use crate::description::nearest_word;
use crate::description::problem::ProblemKind;
use crate::description::reader::Reader;
use std::ops::Range;

/// The motors of `held`, by the names of their joints: a robot's name stands for all of its motors.
pub(super) fn held_motors(
    top: &mut Reader<'_, '_>,
    names: Vec<(Range<usize>, String)>,
    joints: &[MechanismJoint],
    robots: &[&str],
) -> Option<Vec<String>> {
    let motors: Vec<&str> =
        joints.iter().filter(|joint| joint.motor.is_some()).map(|joint| joint.name.as_str()).collect();
    let mut held: Vec<String> = Vec::new();
    for (span, name) in names {
        let is_robot = robots.contains(&name.as_str());
        let belongs = |motor: &str| {
            if is_robot {
                motor.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('.'))
            } else {
                motor == name
            }
        };
        let new: Vec<String> =
            motors.iter().filter(|motor| belongs(motor)).map(|motor| (*motor).to_owned()).collect();
        if new.is_empty() || new.iter().any(|motor| held.contains(motor)) {
            let known: Vec<String> = robots.iter().chain(&motors).map(|&known| known.to_owned()).collect();
            let nearest = nearest_word(&name, known.iter().map(String::as_str)).map(str::to_owned);
            top.notes.note(Some(span), ProblemKind::NotHeld { name, known, nearest });
            return None;
        }
        held.extend(new);
    }
    Some(held)
}

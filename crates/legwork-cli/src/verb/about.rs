//! What several verbs say about a robot.

use legwork::description::{Family, Model};
use legwork::text::short;
use legwork::{AnyRobot, Joint};

/// How many legs it has.
pub fn legs(robot: &AnyRobot) -> usize {
    match &robot.description().model {
        Model::GoughStewart(d) => d.geometry.base_points.len(),
        Model::C5(_) | Model::Hexa(_) => 6,
        Model::Hexaglide(d) => d.geometry.rails.len(),
        Model::FiveBar(_) => 2,
        Model::Custom(d) => d.legs.len(),
        _ => 3,
    }
}

/// What its platform carries \[kg\].
pub fn payload(robot: &AnyRobot) -> f64 {
    let mass = match &robot.description().model {
        Model::Delta(d) => d.mass.map(|m| m.payload),
        Model::GoughStewart(d) => d.mass.map(|m| m.payload.mass),
        Model::Space(d) => d.mass.map(|m| m.payload.mass),
        Model::C5(d) => d.mass.map(|m| m.payload.mass),
        Model::Hexa(d) => d.mass.map(|m| m.payload.mass),
        Model::Hexaglide(d) => d.mass.map(|m| m.payload.mass),
        Model::LinearDelta(d) => d.mass.map(|m| m.payload),
        Model::FiveBar(d) => d.mass.map(|m| m.payload),
        Model::Planar3Rrr(d) => d.mass.map(|m| m.payload.mass),
        Model::Custom(d) => Some(d.payload.mass),
        _ => None,
    };
    mass.unwrap_or(0.0)
}

/// The tables of a robot file that give the family its masses.
pub fn mass_tables(robot: &AnyRobot) -> Vec<&'static str> {
    robot.description().family().row().mass_tables().collect()
}

/// The two words for the ways of a leg, if legs of the family have two.
pub fn ways(robot: &AnyRobot) -> Option<[&'static str; 2]> {
    match robot.description().family() {
        Family::Delta | Family::Hexa => Some(["out", "in"]),
        Family::FiveBar | Family::Planar3Rrr => Some(["left", "right"]),
        Family::LinearDelta | Family::Hexaglide => Some(["ahead", "behind"]),
        _ => None,
    }
}

/// What has the ways: the elbows or the carriages.
pub fn bending(robot: &AnyRobot) -> &'static str {
    match ways(robot) {
        Some(["ahead", _]) => "carriages",
        Some(_) => "elbows",
        None => "legs",
    }
}

/// ", elbows out-out-in"; nothing for a robot whose legs have one way.
pub fn in_mode(robot: &AnyRobot, mode: &str) -> String {
    if ways(robot).is_some() { format!(", {} {mode}", bending(robot)) } else { String::new() }
}

/// Limits of the motors as the user counts them: "-40 to 90 deg"; where they differ, with the names of the motors.
pub fn limits(robot: &AnyRobot) -> Option<String> {
    let groups = alike(robot.joints(), range);
    match groups.as_slice() {
        [(range, _)] => range.clone(),
        groups => {
            let text = |(range, names): &(Option<String>, Vec<&str>)| {
                Some(format!("{} {}", names.join(" "), range.as_ref()?))
            };
            let texts: Vec<String> = groups.iter().filter_map(text).collect();
            (!texts.is_empty()).then(|| texts.join(", "))
        }
    }
}

fn range(joint: &Joint) -> Option<String> {
    let unit = if joint.slides { "mm" } else { "deg" };
    let text = |q: f64| short(if joint.slides { q * 1e3 } else { q.to_degrees() });
    match (joint.min, joint.max) {
        (Some(low), Some(high)) => Some(format!("{} to {} {unit}", text(low), text(high))),
        (Some(low), None) => Some(format!("from {} {unit}", text(low))),
        (None, Some(high)) => Some(format!("up to {} {unit}", text(high))),
        (None, None) => None,
    }
}

/// What is said of the motors, with the names of those it is said of.
pub fn alike<T: PartialEq>(joints: &[Joint], say: impl Fn(&Joint) -> T) -> Vec<(T, Vec<&str>)> {
    let mut groups: Vec<(T, Vec<&str>)> = Vec::new();
    for joint in joints {
        let said = say(joint);
        match groups.iter_mut().find(|(other, _)| *other == said) {
            Some((_, names)) => names.push(&joint.name),
            None => groups.push((said, vec![&joint.name])),
        }
    }
    groups
}

/// "motors 1 and 3 are outside the limits, -40 to 90 deg"; `None` if all are inside.
pub fn outside(robot: &AnyRobot, joints: &[usize]) -> Option<String> {
    let range = limits(robot)?;
    Some(format!("{} outside the limits, {range}", motors_are(joints)?))
}

/// "motor 2 is", "motors 1 and 3 are", of numbers from 0; `None` for none.
pub fn motors_are(joints: &[usize]) -> Option<String> {
    let names: Vec<String> = joints.iter().map(|joint| (joint + 1).to_string()).collect();
    match names.as_slice() {
        [] => None,
        [one] => Some(format!("motor {one} is")),
        [rest @ .., last] => Some(format!("motors {} and {last} are", rest.join(", "))),
    }
}

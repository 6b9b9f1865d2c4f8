//! Numbers of a robot that can hardly be meant: metres for millimetres, radians for degrees.

use crate::AnyRobot;
use crate::families::properties::PropertyValue;
use crate::text::short;
use crate::units::Quantity;

/// No robot that was built has a longer part \[m\].
const LONG: f64 = 20.0;
/// No motor of a robot turns further \[rad\]: two turns.
const FAR: f64 = 4.0 * std::f64::consts::PI;

/// What in a robot can hardly be meant, each with the number and what may be meant.
pub fn doubts(robot: &AnyRobot) -> Vec<String> {
    let mut doubts = Vec::new();
    let lengths = robot.description().data.geometry().into_iter().filter_map(|property| {
        let longest = match &property.value {
            PropertyValue::Number(x, Quantity::Length) => x.abs(),
            PropertyValue::Numbers(list, Quantity::Length) => {
                list.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
            }
            PropertyValue::Points { points, .. } => {
                points.as_flattened().iter().fold(0.0, |most: f64, x| most.max(x.abs()))
            }
            _ => 0.0,
        };
        (longest > LONG).then_some((property.key, longest))
    });
    if let Some((key, longest)) = lengths.max_by(|a, b| a.1.total_cmp(&b.1)) {
        let number = short(longest);
        doubts.push(format!("`{key}` is {number} m long; did you mean mm? Then write \"{number} mm\""));
    }
    for joint in robot.joints().iter().filter(|joint| !joint.slides) {
        if let Some(limit) = [joint.min, joint.max].into_iter().flatten().find(|limit| limit.abs() > FAR) {
            let (name, number, turns) = (&joint.name, short(limit), limit.abs() / std::f64::consts::TAU);
            doubts.push(format!(
                "the limit of {name} is {number} rad, {turns:.1} turns; did you mean deg? Then write \"{number} deg\""
            ));
            break;
        }
    }
    doubts
}

//! Numbers of a robot that can hardly be meant: metres for millimetres, radians for degrees.

use crate::AnyRobot;
use crate::text::short;

/// No motor of a robot turns further \[rad\]: two turns.
const FAR: f64 = 4.0 * std::f64::consts::PI;

/// What in a robot can hardly be meant, each with the number and what may be meant.
pub fn doubts(robot: &AnyRobot) -> Vec<String> {
    let mut doubts: Vec<String> = crate::robot::doubtful_length(robot.description()).into_iter().collect();
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

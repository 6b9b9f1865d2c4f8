//! One file per verb.

pub mod check;
pub mod fk;
pub mod help;
pub mod ik;
mod motion;
pub mod robots;
pub mod schema;
pub mod show;
pub mod state;
pub mod torque;

use crate::failure::Failure;
use crate::table::{short, short_list};
use legwork::AnyRobot;

/// The robot with a built-in name or in a file.
fn open(name: &str) -> Result<AnyRobot, Failure> {
    AnyRobot::open(name).map_err(|error| Failure::of(error, name))
}

/// "(100, -50, -800) mm"
fn millimetres(position: [f64; 3]) -> String {
    format!("({}) mm", short_list(&position.map(|x| x * 1e3)))
}

/// "(10, 20, 30) deg"
fn degrees(angles: &[f64]) -> String {
    let angles: Vec<f64> = angles.iter().map(|q| q.to_degrees()).collect();
    format!("({}) deg", short_list(&angles))
}

/// Limits of the motor angles as the user counts them: "-40 to 90 deg".
fn limits(robot: &AnyRobot) -> Option<String> {
    let [low, high] = user_limits(robot);
    let text = |angle: f64| short(angle.to_degrees());
    match (low, high) {
        (Some(low), Some(high)) => Some(format!("{} to {} deg", text(low), text(high))),
        (Some(low), None) => Some(format!("from {} deg", text(low))),
        (None, Some(high)) => Some(format!("up to {} deg", text(high))),
        (None, None) => None,
    }
}

/// Smallest and largest motor angle as the user counts them \[rad\].
fn user_limits(robot: &AnyRobot) -> [Option<f64>; 2] {
    let description = robot.description();
    let user = |angle: Option<f64>| angle.map(|angle| description.frame.angle_to_user(angle));
    let ends = [user(description.limits.min), user(description.limits.max)];
    // Where the user counts the other way round, our highest angle is the lowest.
    if description.frame.angle_sign < 0.0 { [ends[1], ends[0]] } else { ends }
}

/// "motors 1 and 3 are outside the limits, -40 to 90 deg"; `None` if all are inside.
fn outside(robot: &AnyRobot, joints: &[usize]) -> Option<String> {
    let range = limits(robot)?;
    Some(format!("{} outside the limits, {range}", motors_are(joints)?))
}

/// "motor 2 is", "motors 1 and 3 are", of numbers from 0; `None` for none.
fn motors_are(joints: &[usize]) -> Option<String> {
    let names: Vec<String> = joints.iter().map(|joint| (joint + 1).to_string()).collect();
    match names.as_slice() {
        [] => None,
        [one] => Some(format!("motor {one} is")),
        [rest @ .., last] => Some(format!("motors {} and {last} are", rest.join(", "))),
    }
}

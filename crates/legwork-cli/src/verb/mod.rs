//! One file per verb.

mod about;
pub mod check;
pub mod fk;
pub mod help;
pub mod ik;
mod interrupt;
pub mod linearize;
pub mod map;
mod motion;
mod motion_file;
pub mod plan;
#[cfg(feature = "studio")]
pub mod report;
pub mod reproduce;
pub mod robots;
mod route;
pub mod schema;
pub mod sensitivity;
pub mod show;
pub mod simulate;
pub mod size;
mod start;
pub mod state;
pub mod torque;

use crate::failure::{Failure, Message};
use legwork::{AnyRobot, RobotError};

/// The robot with a built-in name or in a file.
fn open(name: &str) -> Result<AnyRobot, Failure> {
    AnyRobot::open(name).map_err(|error| Failure::of(error, name))
}

/// The robot in the working mode that was asked for.
fn in_mode(robot: AnyRobot, mode: Option<&String>) -> Result<AnyRobot, Failure> {
    let Some(mode) = mode else { return Ok(robot) };
    robot.with_working_mode(mode).map_err(|error| {
        let hint = match about::ways(&robot) {
            Some([first, second]) => {
                let legs = about::legs(&robot);
                format!("give `{first}` or `{second}` for each of its {legs} legs, or one word for all")
            }
            None => "each of its legs has one way only: leave `--mode` out".into(),
        };
        Failure::Told(Message::new(error.to_string()).hint(hint))
    })
}

/// A robot of geometry only has no torques; the tables of its family would give it some.
fn no_masses(robot: &AnyRobot, name: &str) -> Failure {
    let failure = Failure::of(RobotError::NoMasses { robot: robot.name().into() }, name);
    match failure {
        Failure::Told(message) if robot.linkage().is_none() => {
            let tables: Vec<String> =
                about::mass_tables(robot).iter().map(|table| format!("[{table}]")).collect();
            message.hint(format!("add {} to its file", tables.join(", "))).into()
        }
        other => other,
    }
}

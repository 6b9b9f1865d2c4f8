//! One file per verb.

pub mod check;
pub mod fk;
pub mod help;
pub mod ik;
pub mod linearize;
pub mod map;
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
pub mod state;
pub mod torque;

use crate::failure::{Failure, Message};
use crate::interrupt;
use legwork::{AnyRobot, RobotError};

/// The robot with a built-in name or in a file.
fn open(name: &str) -> Result<AnyRobot, Failure> {
    AnyRobot::open(name).map_err(|error| Failure::of(error, name))
}

/// The robot in the working mode that was asked for.
fn in_mode(robot: AnyRobot, mode: Option<&String>) -> Result<AnyRobot, Failure> {
    let Some(mode) = mode else { return Ok(robot) };
    robot.with_working_mode(mode).map_err(|error| {
        let one_branch = || "each of its legs has one way only: leave `--mode` out".into();
        let hint = robot.branches().map_or_else(one_branch, |branches| branches.hint());
        Failure::Told(Message::new(error.to_string()).hint(hint))
    })
}

/// A robot of geometry only has no torques; the tables of its family would give it some.
fn no_masses(robot: &AnyRobot, name: &str) -> Failure {
    let failure = Failure::of(RobotError::NoMasses { robot: robot.name().into() }, name);
    match failure {
        Failure::Told(message) if robot.linkage().is_none() => {
            let tables = robot.description().family().row().mass_tables();
            let tables: Vec<String> = tables.map(|table| format!("[{table}]")).collect();
            message.hint(format!("add {} to its file", tables.join(", "))).into()
        }
        other => other,
    }
}

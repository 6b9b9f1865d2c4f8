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
use crate::form::Form;
use crate::row::{Group, POSE, Row};
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

/// Puts the coordinates of a platform into a row, with angles or with a quaternion.
fn place(form: &Form, row: &mut Row, position: &[String], quaternion: &[String]) -> Result<(), Failure> {
    if !quaternion.is_empty() && !form.turns() {
        let message = Message::new(format!("the platform of `{}` does not turn", form.robot));
        return Err(message.hint(format!("leave `--quaternion` out: give {}", form.coordinates())).into());
    }
    if !position.is_empty() {
        form.argument(row, "", POSE, position)?;
    }
    if !quaternion.is_empty() {
        if row.has(Group::Orientation) {
            let angles = form.group(Group::Orientation).capitals();
            return Err(Message::new(format!("give {angles} or `--quaternion`, not both")).into());
        }
        form.argument(row, "--quaternion", &[Group::Quaternion], quaternion)?;
    }
    Ok(())
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

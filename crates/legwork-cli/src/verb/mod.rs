//! One file per verb.

pub mod acceleration;
pub mod calibrate;
pub mod check;
pub mod codegen;
pub mod exchange;
pub mod fk;
pub mod help;
pub mod identify;
pub mod ik;
pub mod joint_states;
pub mod linearize;
pub mod map;
pub mod recover;
#[cfg(feature = "studio")]
pub mod report;
pub mod reproduce;
pub mod robots;
pub mod schema;
pub mod sensitivity;
pub mod show;
pub mod simulate;
pub mod state;
#[cfg(feature = "studio")]
pub mod studio;
pub mod time;
pub mod torque;

use crate::failure::Failure;
use legwork::AnyRobot;

/// The robot with a built-in name or in a file.
fn open(name: &str) -> Result<AnyRobot, Failure> {
    AnyRobot::open(name).map_err(|error| Failure::of(error, name))
}

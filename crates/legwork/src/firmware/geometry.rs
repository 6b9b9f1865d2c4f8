//! The geometry of a robot as controllers have it: lengths in millimetres, directions in degrees.

use super::{Firmware, FirmwareError};
use crate::description::Carriage;
use crate::description::{DeltaDescription, Elbow, LinearDeltaDescription, RobotDescription};

/// The comment on top of settings.
pub(super) fn heading(robot: &RobotDescription) -> String {
    let name: String = robot.name.chars().filter(|c| !c.is_control()).collect();
    let left_out = match (&robot.tool, &robot.cell) {
        (None, None) => "",
        (Some(_), None) => " Its tool is left out.",
        (None, Some(_)) => " Its place in the cell is left out.",
        (Some(_), Some(_)) => " Its tool and its place in the cell are left out.",
    };
    format!("# Geometry of {name}, written by legwork. Steps, pins and limits are to be added.{left_out}\n")
}

fn cannot(firmware: Firmware, what: impl Into<String>) -> FirmwareError {
    FirmwareError::CannotHave { firmware, what: what.into() }
}

pub(super) fn other_family(robot: &RobotDescription, firmware: Firmware) -> FirmwareError {
    cannot(firmware, format!("a robot of the family `{}`", robot.data.family().name()))
}

/// A Delta with upright rails.
pub(super) struct Towers {
    firmware: Firmware,
    /// Rail to the platform's joint, seen from above, when the platform is in the middle \[mm\].
    pub radii: [f64; 3],
    /// Lengths of the rods \[mm\].
    pub rods: [f64; 3],
    /// Directions of the towers, from 0 to 360 \[deg\].
    pub azimuth: [f64; 3],
}

impl Towers {
    pub(super) fn of(robot: &LinearDeltaDescription, firmware: Firmware) -> Result<Self, FirmwareError> {
        let g = &robot.geometry;
        if g.tilt != 0.0 {
            return Err(cannot(firmware, format!("rails that lean by {} deg", g.tilt.to_degrees())));
        }
        if robot.working_mode != [Carriage::Ahead; 3] {
            return Err(cannot(firmware, "carriages below the platform"));
        }
        Ok(Self {
            firmware,
            radii: g.base_radius.map(|radius| (radius - g.platform_radius) * 1e3),
            rods: g.rod.map(|rod| rod * 1e3),
            azimuth: g.azimuth.map(degrees),
        })
    }

    pub(super) fn equal_radius(&self) -> Result<f64, FirmwareError> {
        equal(self.firmware, self.radii, "towers at different distances from the middle")
    }

    pub(super) fn equal_rod(&self) -> Result<f64, FirmwareError> {
        equal(self.firmware, self.rods, "rods of different lengths")
    }
}

/// A Delta with arms.
pub(super) struct RotaryArms {
    /// Lengths \[mm\].
    pub base_radius: f64,
    pub platform_radius: f64,
    pub arm: f64,
    pub forearm: f64,
    /// Directions of the arms, from 0 to 360 \[deg\].
    pub azimuth: [f64; 3],
}

impl RotaryArms {
    pub(super) fn of(robot: &DeltaDescription, firmware: Firmware) -> Result<Self, FirmwareError> {
        if robot.working_mode != [Elbow::Out; 3] {
            return Err(cannot(firmware, "elbows that bend inward"));
        }
        let g = &robot.geometry;
        Ok(Self {
            base_radius: g.base_radius * 1e3,
            platform_radius: g.platform_radius * 1e3,
            arm: g.arm * 1e3,
            forearm: g.forearm * 1e3,
            azimuth: g.azimuth.map(degrees),
        })
    }
}

fn equal(firmware: Firmware, values: [f64; 3], what: &str) -> Result<f64, FirmwareError> {
    let [first, ..] = values;
    if values == [first; 3] { Ok(first) } else { Err(cannot(firmware, what)) }
}

/// From 0 to 360.
fn degrees(angle: f64) -> f64 {
    let degrees = angle.to_degrees().rem_euclid(360.0);
    // A turn less a rounding error is none.
    if 360.0 - degrees < 1e-9 { 0.0 } else { degrees }
}

/// A comment that says how x and y of the controller are turned against the robot's, where its legs stand elsewhere
/// than the controller's.
pub(super) fn turn_comment(
    firmware: Firmware,
    azimuth: [f64; 3],
    own: [f64; 3],
    comment: &str,
) -> Result<String, FirmwareError> {
    let turns = [0, 1, 2].map(|k: usize| (azimuth[k] - own[k]).rem_euclid(360.0));
    let [turn, ..] = turns;
    let apart = |other: f64| {
        let off = (other - turn).abs();
        off.min(360.0 - off)
    };
    if turns.iter().any(|other| apart(*other) > 1e-6) {
        let [a, b, c] = azimuth.map(crate::text::short);
        return Err(cannot(firmware, format!("legs at {a}, {b} and {c} deg")));
    }
    if apart(0.0) < 1e-6 {
        return Ok(String::new());
    }
    let turn = super::robot_file::short(turn);
    Ok(format!(
        "{comment} Leg 1 stands at {} deg here: turn x and y of legwork's poses by -{turn} deg.\n",
        own[0]
    ))
}

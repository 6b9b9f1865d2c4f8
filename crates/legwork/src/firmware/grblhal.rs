//! grblHAL: the settings `$640` to `$648` of its Delta, as `$$` prints them.
//!
//! The names of `$643` and `$644` say radius, the mathematics takes them for the sides of triangles whose middles are
//! the joints: the radius is the number divided by 2√3. What the machine does counts.

use super::geometry::{RotaryArms, heading, other_family, turn_comment};
use super::robot_file::{RobotFile, short};
use super::{Firmware, FirmwareError};
use crate::description::convention::Measured;
use crate::description::{FamilyData, RobotDescription};
use std::collections::BTreeMap;
use std::fmt::Write;

const FOREARM: u32 = 641;
const BICEP: u32 = 642;
const BASE: u32 = 643;
const EFFECTOR: u32 = 644;
const FLOOR: u32 = 645;
const HOME_ANGLE: u32 = 646;
const MAX_ANGLE: u32 = 648;
/// Directions of the arms \[deg\].
const ARMS: [f64; 3] = [270.0, 30.0, 150.0];

pub(super) fn is_known(text: &str) -> bool {
    settings(&[text]).keys().any(|number| (FOREARM..=EFFECTOR).contains(number))
}

/// `$641=300.000`, and what an answer says behind it in brackets.
fn settings<'a>(texts: &[&'a str]) -> BTreeMap<u32, &'a str> {
    let setting = |line: &'a str| {
        let (number, value) = line.trim().strip_prefix('$')?.split_once('=')?;
        Some((number.trim().parse().ok()?, value.split(['(', ';']).next().unwrap_or_default().trim()))
    };
    texts.iter().flat_map(|text| text.lines()).filter_map(setting).collect()
}

pub(super) fn read(texts: &[&str], robot: &mut RobotFile) -> Result<(), FirmwareError> {
    let settings = settings(texts);
    let number = |number: u32| -> Result<Option<f64>, FirmwareError> {
        let Some(text) = settings.get(&number) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => {
                let found = text.chars().take(40).collect();
                Err(FirmwareError::NotANumber { setting: format!("`${number}`"), found })
            }
        }
    };
    let required = |setting: u32, what: &str| {
        let missing = || FirmwareError::Missing {
            firmware: Firmware::GrblHal,
            setting: format!("`${setting}`, {what},"),
        };
        number(setting)?.ok_or_else(missing)
    };
    robot.note(
        "$643 and $644 are called radii, but grblHAL takes them for sides of triangles; so does this file.",
    );
    robot.word("family", "delta");
    robot.word("convention", "fluidnc");
    robot.table("geometry");
    robot.line("base_triangle_mm", &short(required(BASE, "the base")?));
    robot.line("end_effector_triangle_mm", &short(required(EFFECTOR, "the end effector")?));
    robot.line("crank_mm", &short(required(BICEP, "the bicep")?));
    robot.line("linkage_mm", &short(required(FOREARM, "the forearm")?));
    let (lowest, highest) = (number(HOME_ANGLE)?, number(MAX_ANGLE)?.filter(|angle| *angle != 0.0));
    if lowest.is_some() || highest.is_some() {
        robot.table("limits");
        for (key, angle) in [("angle_min", lowest), ("angle_max", highest)] {
            if let Some(angle) = angle {
                robot.number(key, angle, "deg");
            }
        }
    }
    if let Some(floor) = number(FLOOR)? {
        robot.note(format!("Not taken over: the floor, {} mm below the motor axes.", short(floor)));
    }
    robot.note("The settings have no masses: add [mass] and [motor] for torques.");
    Ok(())
}

pub(super) fn write(robot: &RobotDescription) -> Result<String, FirmwareError> {
    let FamilyData::Delta(data) = &robot.data else { return Err(other_family(robot, Firmware::GrblHal)) };
    let arms = RotaryArms::of(data, Firmware::GrblHal)?;
    let side = |radius: f64| radius / Measured::SideJointsAtMiddle.radius(1.0);
    let mut text = heading(robot).replacen('#', ";", 1);
    text += &turn_comment(Firmware::GrblHal, arms.azimuth, ARMS, ";")?;
    text += "; $643 and $644 are called radii, but grblHAL takes them for sides of triangles.\n";
    for (setting, length) in [
        (FOREARM, arms.forearm),
        (BICEP, arms.arm),
        (BASE, side(arms.base_radius)),
        (EFFECTOR, side(arms.platform_radius)),
    ] {
        let _ = writeln!(text, "${setting}={}", short(length));
    }
    for (setting, angle) in [(HOME_ANGLE, data.limits.min), (MAX_ANGLE, data.limits.max)] {
        if let Some(angle) = angle {
            let _ = writeln!(text, "${setting}={}", short(angle.to_degrees()));
        }
    }
    Ok(text)
}

//! Klipper: `printer.cfg` with `kinematics: delta` or `rotary_delta`.
//!
//! Towers of `delta` stand at 210, 330 and 90 deg; `delta_radius` is the distance of rod ends from the middle that is
//! left when the platform's own is taken off, and an endstop is the height of the nozzle, in the middle, when its
//! carriage is there. What `SAVE_CONFIG` wrote below (`#*#`) counts before what stands above.

use super::geometry::{RotaryArms, Towers, heading, other_family};
use super::robot_file::{RobotFile, short};
use super::{Firmware, FirmwareError, ImportOptions};
use crate::description::{FamilyData, RobotDescription};
use std::collections::BTreeMap;
use std::fmt::Write;

const STEPPERS: [&str; 3] = ["stepper_a", "stepper_b", "stepper_c"];
/// Directions of the towers and of the arms, if nothing is said \[deg\].
const TOWERS: [f64; 3] = [210.0, 330.0, 90.0];
const ARMS: [f64; 3] = [30.0, 150.0, 270.0];

pub(super) fn is_known(text: &str) -> bool {
    let config = Config::new(&[text]);
    config.get("printer", "kinematics").is_some() || config.sections.contains_key("stepper_a")
}

/// Sections with their settings.
struct Config {
    sections: BTreeMap<String, BTreeMap<String, String>>,
}

impl Config {
    fn new(texts: &[&str]) -> Self {
        let mut config = Self { sections: BTreeMap::new() };
        for text in texts {
            let saved = text.lines().filter_map(|line| line.strip_prefix("#*#"));
            config.take(text.lines().filter(|line| !line.starts_with("#*#")));
            config.take(saved.map(str::trim));
        }
        config
    }

    fn take<'a>(&mut self, lines: impl Iterator<Item = &'a str>) {
        let mut section = String::new();
        for line in lines {
            // Settings begin at the margin; a line that does not continues the value above, as macros do.
            let continues = line.starts_with([' ', '\t']);
            let line = line.split(['#', ';']).next().unwrap_or_default().trim();
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
                section = name.trim().to_lowercase();
                self.sections.entry(section.clone()).or_default();
            } else if let Some((key, value)) = line.split_once([':', '=']).filter(|_| !continues) {
                let settings = self.sections.entry(section.clone()).or_default();
                settings.insert(key.trim().to_lowercase(), value.trim().to_owned());
            }
        }
    }

    fn get(&self, section: &str, key: &str) -> Option<&str> {
        self.sections.get(section)?.get(key).map(String::as_str)
    }

    fn number(&self, section: &str, key: &str) -> Result<Option<f64>, FirmwareError> {
        let Some(text) = self.get(section, key) else { return Ok(None) };
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => Err(FirmwareError::NotANumber {
                setting: format!("`{key}` of [{section}]"),
                found: text.chars().take(40).collect(),
            }),
        }
    }

    fn required(&self, section: &str, key: &str) -> Result<f64, FirmwareError> {
        let setting = || format!("`{key}` of [{section}]");
        let missing = || FirmwareError::Missing { firmware: Firmware::Klipper, setting: setting() };
        self.number(section, key)?.ok_or_else(missing)
    }

    /// A setting of each stepper; those of the others are, if they are not there, those of the first.
    fn of_steppers(&self, key: &str) -> Result<[f64; 3], FirmwareError> {
        let first = self.required(STEPPERS[0], key)?;
        let mut values = [first; 3];
        for (slot, stepper) in values.iter_mut().zip(STEPPERS) {
            *slot = self.number(stepper, key)?.unwrap_or(first);
        }
        Ok(values)
    }

    fn angles(&self, usual: [f64; 3]) -> Result<[f64; 3], FirmwareError> {
        let mut angles = usual;
        for (slot, stepper) in angles.iter_mut().zip(STEPPERS) {
            *slot = self.number(stepper, "angle")?.unwrap_or(*slot);
        }
        Ok(angles)
    }
}

pub(super) fn read(
    files: &[(&str, &str)],
    options: ImportOptions,
    robot: &mut RobotFile,
) -> Result<(), FirmwareError> {
    let texts: Vec<&str> = files.iter().map(|(_, text)| *text).collect();
    let config = Config::new(&texts);
    let last = |path: &str| path.trim().rsplit(['/', '\\']).next().unwrap_or_default().to_lowercase();
    let given = |name: &&str| files.iter().any(|(file, _)| last(file) == last(name));
    let included = config.sections.keys().filter_map(|section| section.strip_prefix("include "));
    let missing: Vec<&str> = included.map(str::trim).filter(|name| !given(name)).collect();
    if !missing.is_empty() {
        robot.note(format!(
            "It includes {}: give that too if it has settings of the robot.",
            missing.join(", ")
        ));
    }
    match config.get("printer", "kinematics") {
        Some("delta") => linear(&config, robot)?,
        Some("rotary_delta") => rotary(&config, options, robot)?,
        Some(other) => {
            let (firmware, found) = (Firmware::Klipper, format!("`kinematics: {other}`"));
            return Err(FirmwareError::OtherKinematics {
                firmware,
                found,
                known: "`delta` or `rotary_delta`",
            });
        }
        None => {
            let setting = "`kinematics` of [printer]".to_owned();
            return Err(FirmwareError::Missing { firmware: Firmware::Klipper, setting });
        }
    }
    for key in ["max_velocity", "max_accel"] {
        if let Some(value) = config.number("printer", key)? {
            let unit = if key == "max_accel" { "mm/s^2" } else { "mm/s" };
            robot.note(format!("Not taken over: {key} {} {unit}, a limit of the path.", short(value)));
        }
    }
    robot.note("The settings have no masses: add [mass] and [motor] for torques.");
    Ok(())
}

fn linear(config: &Config, robot: &mut RobotFile) -> Result<(), FirmwareError> {
    let radius = config.required("printer", "delta_radius")?;
    let arms = config.of_steppers("arm_length")?;
    let angles = config.angles(TOWERS)?;
    robot.linear_delta([radius; 3], arms, angles, "mm");
    if config.get(STEPPERS[0], "position_endstop").is_some() {
        robot.tower_tops(config.of_steppers("position_endstop")?, arms, [radius; 3]);
    }
    if let Some(lowest) = config.number("printer", "minimum_z_position")? {
        robot.note(format!("Not taken over: minimum_z_position {} mm.", short(lowest)));
    }
    Ok(())
}

fn rotary(config: &Config, options: ImportOptions, robot: &mut RobotFile) -> Result<(), FirmwareError> {
    let arm = equal(config, "upper_arm_length", options, robot)?;
    let forearm = equal(config, "lower_arm_length", options, robot)?;
    let angles = config.angles(ARMS)?;
    robot.word("family", "delta");
    robot.word("convention", "klipper");
    robot.table("geometry");
    robot.number("shoulder_radius", config.required("printer", "shoulder_radius")?, "mm");
    robot.number("shoulder_height", config.required("printer", "shoulder_height")?, "mm");
    robot.number("upper_arm_length", arm, "mm");
    robot.number("lower_arm_length", forearm, "mm");
    robot.per_leg("angle", angles, "deg");
    if let Some(text) = config.get(STEPPERS[0], "gear_ratio") {
        let ratio = gear_ratio(text).ok_or_else(|| FirmwareError::NotANumber {
            setting: format!("`gear_ratio` of [{}]", STEPPERS[0]),
            found: text.chars().take(40).collect(),
        })?;
        robot.table("motor");
        robot.line("gear_ratio", &format!("{ratio} # {text}"));
    }
    if config.get(STEPPERS[0], "position_endstop").is_some() {
        let endstops = config.of_steppers("position_endstop")?;
        robot.table("home");
        robot.point("position", [0.0, 0.0, least(endstops)], "mm");
    }
    Ok(())
}

/// A length that legwork's robot has once.
fn equal(
    config: &Config,
    key: &'static str,
    options: ImportOptions,
    robot: &mut RobotFile,
) -> Result<f64, FirmwareError> {
    let values = config.of_steppers(key)?;
    let [a, b, c] = values;
    if values == [a; 3] {
        return Ok(a);
    }
    if !options.mean {
        return Err(FirmwareError::LegsDiffer { setting: key, values });
    }
    robot.note(format!("{key} is the mean of {}, {} and {} mm.", short(a), short(b), short(c)));
    Ok((a + b + c) / 3.0)
}

/// The product of `107:16, 60:16`.
fn gear_ratio(text: &str) -> Option<f64> {
    text.split(',').try_fold(1.0, |product, pair| {
        let (motor, arm) = pair.split_once(':')?;
        let (motor, arm): (f64, f64) = (motor.trim().parse().ok()?, arm.trim().parse().ok()?);
        Some(product * motor / arm).filter(|ratio| ratio.is_finite() && *ratio > 0.0)
    })
}

fn least(values: [f64; 3]) -> f64 {
    let [a, b, c] = values;
    a.min(b).min(c)
}

pub(super) fn write(robot: &RobotDescription) -> Result<String, FirmwareError> {
    let mut text = heading(robot);
    match &robot.data {
        FamilyData::LinearDelta(data) => {
            let towers = Towers::of(data, Firmware::Klipper)?;
            let _ = writeln!(
                text,
                "[printer]\nkinematics: delta\ndelta_radius: {}",
                short(towers.equal_radius()?)
            );
            steppers(&mut text, |k, text| {
                let (rod, angle) = (short(towers.rods[k]), short(towers.azimuth[k]));
                let _ = write!(text, "arm_length: {rod}\nangle: {angle}\n");
                let endstop = data.home.map(|[_, _, z]| format!("position_endstop: {}\n", short(z * 1e3)));
                text.push_str(&endstop.unwrap_or_default());
            });
        }
        FamilyData::Delta(data) => {
            let arms = RotaryArms::of(data, Firmware::Klipper)?;
            let height = if data.frame.offset[2] == 0.0 {
                text += "# shoulder_height, the height of the motor axes over the bed, is a guess: measure your own.\n";
                data.home.map_or(data.geometry.forearm, |[_, _, z]| -z)
            } else {
                data.frame.offset[2]
            };
            text += "[printer]\nkinematics: rotary_delta\n";
            let _ = writeln!(text, "shoulder_radius: {}", short(arms.base_radius - arms.platform_radius));
            let _ = writeln!(text, "shoulder_height: {}", short(height * 1e3));
            steppers(&mut text, |k, text| {
                let _ = write!(
                    text,
                    "upper_arm_length: {}\nlower_arm_length: {}\n",
                    short(arms.arm),
                    short(arms.forearm)
                );
                let _ = writeln!(text, "angle: {}", short(arms.azimuth[k]));
                let endstop =
                    data.home.map(|[_, _, z]| format!("position_endstop: {}\n", short((z + height) * 1e3)));
                text.push_str(&endstop.unwrap_or_default());
            });
        }
        _ => return Err(other_family(robot, Firmware::Klipper)),
    }
    Ok(text)
}

fn steppers(text: &mut String, settings: impl Fn(usize, &mut String)) {
    for (k, stepper) in STEPPERS.iter().enumerate() {
        let _ = writeln!(text, "\n[{stepper}]");
        settings(k, text);
    }
}

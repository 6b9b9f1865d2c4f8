//! LinuxCNC: `setp` lines of a HAL file and the sections of an INI file, for `lineardeltakins`, `rotarydeltakins` and
//! `genhexkins`.
//!
//! Towers of `lineardeltakins` stand at 90, 210 and 330 deg, `R` is the distance of rod ends seen from above and `L`
//! the rod. Hips of `rotarydeltakins` stand at -90, 30 and 150 deg. What is not set has the module's default, so a
//! setting that is missing is an error here: the default of a version is not known.

use super::geometry::{RotaryArms, Towers, heading, other_family, turn_comment};
use super::robot_file::{RobotFile, short};
use super::{Firmware, FirmwareError, ImportOptions, LengthUnit};
use crate::description::{FamilyData, RobotDescription};
use std::collections::BTreeMap;
use std::fmt::Write;

const LINEAR: &str = "lineardeltakins";
const ROTARY: &str = "rotarydeltakins";
const HEXAPOD: &str = "genhexkins";
const MODULES: [&str; 3] = [LINEAR, ROTARY, HEXAPOD];
/// Directions of the towers and of the hips \[deg\].
const TOWERS: [f64; 3] = [90.0, 210.0, 330.0];
const HIPS: [f64; 3] = [270.0, 30.0, 150.0];

pub(super) fn is_known(text: &str) -> bool {
    MODULES.iter().any(|module| text.contains(module))
        || Settings::new(&[text]).ini("KINS", "KINEMATICS").is_some()
}

/// What is set in HAL and what stands in the INI file.
struct Settings {
    pins: BTreeMap<String, String>,
    ini: BTreeMap<(String, String), String>,
}

impl Settings {
    fn new(texts: &[&str]) -> Self {
        let (mut pins, mut ini, mut section) = (BTreeMap::new(), BTreeMap::new(), String::new());
        for line in texts.iter().flat_map(|text| text.lines()) {
            let line = line.split(['#', ';']).next().unwrap_or_default().trim();
            let mut words = line.split_whitespace();
            if words.next() == Some("setp") {
                if let (Some(pin), Some(value)) = (words.next(), words.next()) {
                    pins.insert(pin.to_owned(), value.to_owned());
                }
            } else if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name.trim().to_uppercase();
            } else if let Some((key, value)) = line.split_once('=') {
                let key = (section.clone(), key.trim().to_uppercase());
                // LinuxCNC takes the first.
                ini.entry(key).or_insert_with(|| value.trim().to_owned());
            }
        }
        Self { pins, ini }
    }

    fn ini(&self, section: &str, key: &str) -> Option<&str> {
        self.ini.get(&(section.to_owned(), key.to_owned())).map(String::as_str)
    }

    /// The module, from its pins or from the INI file.
    fn module(&self) -> Result<&'static str, FirmwareError> {
        let kinematics = self.ini("KINS", "KINEMATICS");
        let named = kinematics.and_then(|text| text.split_whitespace().next());
        let set = MODULES.iter().find(|module| {
            let prefix = format!("{module}.");
            self.pins.keys().any(|pin| pin.starts_with(&prefix))
        });
        match (named, set) {
            (Some(name), _) if MODULES.contains(&name) => {
                Ok(MODULES.iter().copied().find(|module| *module == name).unwrap_or(LINEAR))
            }
            (_, Some(module)) => Ok(module),
            (Some(other), None) => Err(FirmwareError::OtherKinematics {
                firmware: Firmware::LinuxCnc,
                found: format!("`{other}`"),
                known: "`lineardeltakins`, `rotarydeltakins` or `genhexkins`",
            }),
            (None, None) => Err(FirmwareError::Missing {
                firmware: Firmware::LinuxCnc,
                setting: "`KINEMATICS` of [KINS]".into(),
            }),
        }
    }

    fn number(&self, module: &str, pin: &str) -> Result<Option<f64>, FirmwareError> {
        let name = format!("{module}.{pin}");
        let Some(text) = self.pins.get(&name) else { return Ok(None) };
        // `[SECTION]KEY` stands for what the INI file has there.
        let from_ini =
            text.strip_prefix('[').and_then(|rest| rest.split_once(']')).and_then(|(section, key)| {
                self.ini(&section.to_uppercase(), &key.trim_matches(['(', ')']).to_uppercase())
            });
        match from_ini.unwrap_or(text).parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Some(value)),
            _ => {
                let found = text.chars().take(40).collect();
                Err(FirmwareError::NotANumber { setting: format!("`{name}`"), found })
            }
        }
    }

    fn required(&self, module: &str, pin: &str) -> Result<f64, FirmwareError> {
        self.number(module, pin)?.ok_or_else(|| FirmwareError::Missing {
            firmware: Firmware::LinuxCnc,
            setting: format!("`setp {module}.{pin}`"),
        })
    }

    fn unit(&self, options: ImportOptions) -> Result<LengthUnit, FirmwareError> {
        match self.ini("TRAJ", "LINEAR_UNITS").map(str::to_lowercase).as_deref() {
            Some("mm" | "metric") => Ok(LengthUnit::Millimetre),
            Some("in" | "inch" | "imperial") => Ok(LengthUnit::Inch),
            _ => options.unit.ok_or(FirmwareError::NoUnit),
        }
    }
}

pub(super) fn read(
    texts: &[&str],
    options: ImportOptions,
    robot: &mut RobotFile,
) -> Result<(), FirmwareError> {
    let settings = Settings::new(texts);
    let module = settings.module()?;
    let unit = settings.unit(options)?.name();
    match module {
        LINEAR => {
            let (radius, rod) = (settings.required(LINEAR, "R")?, settings.required(LINEAR, "L")?);
            robot.linear_delta([radius; 3], [rod; 3], TOWERS, unit);
        }
        ROTARY => {
            robot.word("family", "delta");
            robot.word("convention", "linuxcnc");
            robot.table("geometry");
            for pin in ["platformradius", "thighlength", "shinlength", "footradius"] {
                robot.number(pin, settings.required(ROTARY, pin)?, unit);
            }
        }
        _ => hexapod(&settings, unit, robot)?,
    }
    limits(&settings, module, unit, robot)?;
    robot.note("The settings have no masses: add those of the bodies and [motor] for torques.");
    Ok(())
}

fn hexapod(settings: &Settings, unit: &str, robot: &mut RobotFile) -> Result<(), FirmwareError> {
    let points = |body: &str| -> Result<Vec<[f64; 3]>, FirmwareError> {
        let axis = |leg: usize, axis: &str| settings.required(HEXAPOD, &format!("{body}.{leg}.{axis}"));
        (0..6).map(|leg| Ok([axis(leg, "x")?, axis(leg, "y")?, axis(leg, "z")?])).collect()
    };
    if let Some(lead) = settings.number(HEXAPOD, "screw-lead")?.filter(|lead| *lead != 0.0) {
        robot.note(format!(
            "screw-lead is {}: genhexkins corrects the legs for the turn of their screws, this robot does not.",
            short(lead)
        ));
    }
    for pin in ["tool-offset", "spindle-offset"] {
        if let Some(offset) = settings.number(HEXAPOD, pin)?.filter(|offset| *offset != 0.0) {
            robot.note(format!("Not taken over: {pin} {} {unit}.", short(offset)));
        }
    }
    robot.word("family", "gough-stewart");
    robot.table("geometry");
    robot.points("base_points", &points("base")?, unit);
    robot.points("platform_points", &points("platform")?, unit);
    Ok(())
}

/// The limits of the joints, which a robot has once: the narrowest.
fn limits(settings: &Settings, module: &str, unit: &str, robot: &mut RobotFile) -> Result<(), FirmwareError> {
    let joints = if module == HEXAPOD { 6 } else { 3 };
    let (keys, unit) = match module {
        LINEAR => (["position_min", "position_max"], unit),
        ROTARY => (["angle_min", "angle_max"], "deg"),
        _ => (["length_min", "length_max"], unit),
    };
    let all = |key: &str| -> Result<Vec<f64>, FirmwareError> {
        let text = |joint: usize| settings.ini(&format!("JOINT_{joint}"), key);
        let number = |text: &str| {
            let wrong =
                || FirmwareError::NotANumber { setting: format!("`{key}` of a joint"), found: text.into() };
            text.parse::<f64>().ok().filter(|value| value.is_finite()).ok_or_else(wrong)
        };
        (0..joints).filter_map(text).map(number).collect()
    };
    let lowest = all("MIN_LIMIT")?.into_iter().reduce(f64::max);
    let highest = all("MAX_LIMIT")?.into_iter().reduce(f64::min);
    if lowest.is_none() && highest.is_none() {
        return Ok(());
    }
    robot.table("limits");
    for (key, limit) in keys.into_iter().zip([lowest, highest]) {
        if let Some(limit) = limit {
            robot.number(key, limit, unit);
        }
    }
    Ok(())
}

pub(super) fn write(robot: &RobotDescription) -> Result<String, FirmwareError> {
    let mut text = heading(robot);
    text += "# The lengths are millimetres: LINEAR_UNITS = mm in [TRAJ] of the INI file.\n";
    let mut lines: Vec<(String, f64)> = Vec::new();
    let module = match &robot.data {
        FamilyData::LinearDelta(data) => {
            let towers = Towers::of(data, Firmware::LinuxCnc)?;
            text += &turn_comment(Firmware::LinuxCnc, towers.azimuth, TOWERS, "#")?;
            lines.push(("R".into(), towers.equal_radius()?));
            lines.push(("L".into(), towers.equal_rod()?));
            LINEAR
        }
        FamilyData::Delta(data) => {
            let arms = RotaryArms::of(data, Firmware::LinuxCnc)?;
            text += &turn_comment(Firmware::LinuxCnc, arms.azimuth, HIPS, "#")?;
            lines.push(("platformradius".into(), arms.base_radius));
            lines.push(("thighlength".into(), arms.arm));
            lines.push(("shinlength".into(), arms.forearm));
            lines.push(("footradius".into(), arms.platform_radius));
            ROTARY
        }
        FamilyData::GoughStewart(data) => {
            for (body, points) in
                [("base", &data.geometry.base_points), ("platform", &data.geometry.platform_points)]
            {
                for (leg, point) in points.iter().enumerate() {
                    for (axis, value) in ["x", "y", "z"].iter().zip(point) {
                        lines.push((format!("{body}.{leg}.{axis}"), value * 1e3));
                    }
                }
            }
            HEXAPOD
        }
        _ => return Err(other_family(robot, Firmware::LinuxCnc)),
    };
    for (pin, value) in lines {
        let _ = writeln!(text, "setp {module}.{pin} {}", short(value));
    }
    Ok(text)
}

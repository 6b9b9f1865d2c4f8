//! Marlin: `Configuration.h` of a Delta, or the `M665` and `M666` that `M503` prints.
//!
//! Towers A, B and C (X, Y and Z) stand at 210, 330 and 90 deg; `DELTA_RADIUS` is the distance of rod ends seen from
//! above, in the middle; trims are added to angle, radius and rod of a tower.

use super::c_header::Defines;
use super::geometry::{Towers, heading, other_family, turn_comment};
use super::robot_file::{RobotFile, short};
use super::{Firmware, FirmwareError};
use crate::description::{FamilyData, RobotDescription};
use std::fmt::Write;

/// Directions of the towers \[deg\].
const TOWERS: [f64; 3] = [210.0, 330.0, 90.0];

pub(super) fn is_known(text: &str) -> bool {
    let defines = Defines::new(&[text]);
    ["MOTHERBOARD", "DELTA_DIAGONAL_ROD", "DELTA_RADIUS"].into_iter().any(|name| defines.has(name))
        || defines.left_out.iter().any(|condition| condition.contains("DELTA"))
        || text.lines().any(|line| command(line).starts_with("M665"))
}

/// The command of a line: `M503` prints its lines after `echo:`, and a host writes `Recv:` before them.
fn command(line: &str) -> &str {
    let line = line.trim().trim_start_matches("Recv:").trim_start();
    let line = line.strip_prefix("echo:").unwrap_or(line);
    line.split([';', '(']).next().unwrap_or_default().trim()
}

/// What counts, the last that was said.
#[derive(Default)]
struct Settings {
    rod: Option<f64>,
    radius: Option<f64>,
    height: Option<f64>,
    angle_trim: [f64; 3],
    radius_trim: [f64; 3],
    rod_trim: [f64; 3],
    /// Distances of the endstops below the highest, 0 or less \[mm\].
    endstops: [f64; 3],
    /// The header is that of a machine that is no Delta.
    other_machine: bool,
}

impl Settings {
    fn new(texts: &[&str]) -> Result<Self, FirmwareError> {
        let mut settings = Self::default();
        let defines = Defines::new(texts);
        settings.other_machine =
            !defines.is_on("DELTA") && defines.left_out.iter().any(|condition| condition.contains("DELTA"));
        // What it has beside the part that is left out is not of a Delta.
        if !settings.other_machine {
            settings.take_defines(&defines)?;
        }
        for line in texts.iter().flat_map(|text| text.lines()) {
            settings.take_command(command(line))?;
        }
        Ok(settings)
    }

    fn take_defines(&mut self, defines: &Defines) -> Result<(), FirmwareError> {
        let one = |name: &str| defines.number(name);
        self.rod = one("DELTA_DIAGONAL_ROD")?;
        self.radius = one("DELTA_RADIUS")?;
        // Before 1.1.3 the radius was a sum.
        if let (Some(smooth), Some(effector), Some(carriage)) =
            (one("DELTA_SMOOTH_ROD_OFFSET")?, one("DELTA_EFFECTOR_OFFSET")?, one("DELTA_CARRIAGE_OFFSET")?)
        {
            self.radius = self.radius.or(Some(smooth - effector - carriage));
        }
        self.height = one("DELTA_HEIGHT")?.or(one("MANUAL_Z_HOME_POS")?);
        for (name, slot) in [
            ("DELTA_TOWER_ANGLE_TRIM", &mut self.angle_trim),
            ("DELTA_RADIUS_TRIM_TOWER", &mut self.radius_trim),
            ("DELTA_DIAGONAL_ROD_TRIM_TOWER", &mut self.rod_trim),
            ("DELTA_ENDSTOP_ADJ", &mut self.endstops),
        ] {
            let Some(text) = defines.text(name)? else { continue };
            let inside = text.trim_matches(['{', '}', ' ']);
            let numbers = inside
                .split(',')
                .map(|part| defines.value(name, part))
                .collect::<Result<Vec<_>, FirmwareError>>()?;
            *slot = numbers.try_into().map_err(|_| FirmwareError::NotANumber {
                setting: format!("`{name}`"),
                found: text.chars().take(40).collect(),
            })?;
        }
        Ok(())
    }

    fn take_command(&mut self, command: &str) -> Result<(), FirmwareError> {
        let mut words = command.split_whitespace();
        let code = words.next().unwrap_or_default();
        if !matches!(code, "M665" | "M666") {
            return Ok(());
        }
        for word in words {
            let mut letters = word.chars();
            let letter = letters.next().unwrap_or_default().to_ascii_uppercase();
            let value = number(&format!("{code} {letter}"), letters.as_str())?;
            match (code, letter) {
                ("M665", 'L') => self.rod = Some(value),
                ("M665", 'R') => self.radius = Some(value),
                ("M665", 'H') => self.height = Some(value),
                ("M665", 'X' | 'Y' | 'Z') => put(&mut self.angle_trim, "XYZ", letter, value),
                ("M665", 'A' | 'B' | 'C') => put(&mut self.rod_trim, "ABC", letter, value),
                ("M666", 'X' | 'Y' | 'Z') => put(&mut self.endstops, "XYZ", letter, value),
                _ => {}
            }
        }
        Ok(())
    }
}

fn put(slots: &mut [f64; 3], letters: &str, letter: char, value: f64) {
    if let Some(slot) = letters.find(letter).and_then(|k| slots.get_mut(k)) {
        *slot = value;
    }
}

fn number(name: &str, text: &str) -> Result<f64, FirmwareError> {
    match text.trim().parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => {
            let found = text.trim().chars().take(40).collect();
            Err(FirmwareError::NotANumber { setting: format!("`{name}`"), found })
        }
    }
}

pub(super) fn read(texts: &[&str], robot: &mut RobotFile) -> Result<(), FirmwareError> {
    let settings = Settings::new(texts)?;
    if settings.other_machine && settings.rod.is_none() {
        return Err(FirmwareError::OtherKinematics {
            firmware: Firmware::Marlin,
            found: "a machine without `#define DELTA`".into(),
            known: "a Delta",
        });
    }
    let missing =
        |setting: &str| FirmwareError::Missing { firmware: Firmware::Marlin, setting: setting.into() };
    let rod = settings.rod.ok_or_else(|| missing("`DELTA_DIAGONAL_ROD` (or `M665 L`)"))?;
    let radius = settings.radius.ok_or_else(|| missing("`DELTA_RADIUS` (or `M665 R`)"))?;
    let plus = |value: f64, trims: [f64; 3]| trims.map(|trim| value + trim);
    let (rods, radii) = (plus(rod, settings.rod_trim), plus(radius, settings.radius_trim));
    let angles = [0, 1, 2].map(|k: usize| TOWERS[k] + settings.angle_trim[k]);
    robot.linear_delta(radii, rods, angles, "mm");
    if let Some(height) = settings.height {
        // An endstop below the highest stops its carriage earlier.
        robot.tower_tops(settings.endstops.map(|lower| height + lower), rods, radii);
    }
    robot.note("The settings have no masses: add [mass] and [motor] for torques.");
    Ok(())
}

pub(super) fn write(robot: &RobotDescription) -> Result<String, FirmwareError> {
    let FamilyData::LinearDelta(data) = &robot.data else {
        return Err(other_family(robot, Firmware::Marlin));
    };
    let towers = Towers::of(data, Firmware::Marlin)?;
    let (radius, rod) = (towers.equal_radius()?, towers.rods.iter().sum::<f64>() / 3.0);
    let rod = towers.equal_rod().unwrap_or(rod);
    let mut text = heading(robot).replacen('#', ";", 1);
    // Trims say where the towers stand, if they stand about where Marlin's do.
    let near = |k: usize| (towers.azimuth[k] - TOWERS[k] + 540.0).rem_euclid(360.0) - 180.0;
    let mut trims = [0, 1, 2].map(near);
    if trims.iter().any(|trim| trim.abs() > 10.0) {
        text += &turn_comment(Firmware::Marlin, towers.azimuth, TOWERS, ";")?;
        trims = [0.0; 3];
    }
    let _ = write!(text, "M665 L{} R{}", short(rod), short(radius));
    if let Some([_, _, z]) = data.home {
        let _ = write!(text, " H{}", short(z * 1e3));
    }
    for (letter, trim) in ["X", "Y", "Z"].iter().zip(trims) {
        let _ = write!(text, " {letter}{}", short(trim));
    }
    for (letter, length) in ["A", "B", "C"].iter().zip(towers.rods) {
        let _ = write!(text, " {letter}{}", short(length - rod));
    }
    text += "\nM666 X0 Y0 Z0\n";
    Ok(text)
}

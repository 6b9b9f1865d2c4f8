//! Settings of other people's controllers: to a robot file, and back.
//!
//! ```
//! use legwork::firmware::{self, ImportOptions};
//!
//! let settings = "[printer]\nkinematics: delta\ndelta_radius: 174.75\n[stepper_a]\narm_length: 333\n";
//! let imported = firmware::import(&[("printer.cfg", settings)], ImportOptions::default())?;
//! let robot = legwork::description::RobotDescription::parse(&imported.robot_file, "printer.toml")?;
//! assert_eq!(legwork::AnyRobot::new(robot)?.joints().len(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A file says more than a robot file holds (steps, pins, heaters) and less (masses). What changes the geometry is
//! taken over or refused; [`Imported::notes`] says what was left out that a reader could miss.

mod c_header;
mod component;
mod error;
mod geometry;
mod grblhal;
mod klipper;
mod linuxcnc;
mod marlin;
mod robot_file;

pub use component::{Component, kinematics_component};
pub use error::FirmwareError;

use crate::description::{RobotDescription, nearest_word};
use robot_file::RobotFile;

/// Whose settings they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Firmware {
    /// Klipper's `printer.cfg`: `delta` and `rotary_delta`.
    Klipper,
    /// LinuxCNC's HAL and INI files: `lineardeltakins`, `rotarydeltakins` and `genhexkins`.
    LinuxCnc,
    /// Marlin's `Configuration.h`, or the answer to `M503`: `DELTA`.
    Marlin,
    /// grblHAL's settings, the answer to `$$`: its Delta.
    GrblHal,
}

impl Firmware {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Klipper, Self::LinuxCnc, Self::Marlin, Self::GrblHal];

    /// Its name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Klipper => "klipper",
            Self::LinuxCnc => "linuxcnc",
            Self::Marlin => "marlin",
            Self::GrblHal => "grblhal",
        }
    }

    /// Its name in a sentence.
    pub fn title(self) -> &'static str {
        match self {
            Self::Klipper => "Klipper",
            Self::LinuxCnc => "LinuxCNC",
            Self::Marlin => "Marlin",
            Self::GrblHal => "grblHAL",
        }
    }

    /// The one with this name, or the name that is nearest to it.
    pub fn from_name(name: &str) -> Result<Self, Option<&'static str>> {
        let lower = name.to_lowercase();
        let names = Self::ALL.map(Self::name);
        Self::ALL
            .into_iter()
            .find(|firmware| firmware.name() == lower)
            .ok_or_else(|| nearest_word(&lower, names.into_iter()))
    }

    /// Whether the text looks like its settings.
    fn knows(self, text: &str) -> bool {
        match self {
            Self::Klipper => klipper::is_known(text),
            Self::LinuxCnc => linuxcnc::is_known(text),
            Self::Marlin => marlin::is_known(text),
            Self::GrblHal => grblhal::is_known(text),
        }
    }
}

/// The unit of the lengths in LinuxCNC's files where they do not say it themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LengthUnit {
    /// Millimetres.
    Millimetre,
    /// Inches.
    Inch,
}

impl LengthUnit {
    fn name(self) -> &'static str {
        match self {
            Self::Millimetre => "mm",
            Self::Inch => "in",
        }
    }
}

/// How settings are read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ImportOptions {
    /// Whose they are; found out from the text if it is not said.
    pub firmware: Option<Firmware>,
    /// Unit of the lengths, for LinuxCNC without `LINEAR_UNITS`.
    pub unit: Option<LengthUnit>,
    /// Take the mean of lengths that legwork's robot has once and the settings for each leg.
    pub mean: bool,
}

/// A robot file that was made of settings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// Whose settings they were.
    pub firmware: Firmware,
    /// The robot file, with the notes as comments on top.
    pub robot_file: String,
    /// What a reader should know: what was left out, what was assumed.
    pub notes: Vec<String>,
}

/// The robot in the settings of a controller: files with their names, which complete each other.
pub fn import(files: &[(&str, &str)], options: ImportOptions) -> Result<Imported, FirmwareError> {
    let known = |firmware: &Firmware| files.iter().any(|(_, text)| firmware.knows(text));
    let names = || files.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    let firmware = match options.firmware {
        Some(firmware) => firmware,
        None => {
            Firmware::ALL.into_iter().find(known).ok_or_else(|| FirmwareError::NotKnown { files: names() })?
        }
    };
    let texts: Vec<&str> = files.iter().map(|(_, text)| *text).collect();
    let mut robot = RobotFile::new(files.first().map_or("", |(name, _)| name), firmware);
    match firmware {
        Firmware::Klipper => klipper::read(files, options, &mut robot)?,
        Firmware::LinuxCnc => linuxcnc::read(&texts, options, &mut robot)?,
        Firmware::Marlin => marlin::read(&texts, &mut robot)?,
        Firmware::GrblHal => grblhal::read(&texts, &mut robot)?,
    }
    robot.finish()
}

/// The settings that make a controller know this robot's geometry; with comments that say what they leave out.
pub fn export(robot: &RobotDescription, firmware: Firmware) -> Result<String, FirmwareError> {
    if !robot.calibration.is_empty() {
        let what = "what `[[calibration]]` says of each leg; `legwork calibrate --controllers` writes the settings of such a robot";
        return Err(FirmwareError::CannotHave { firmware, what: what.into() });
    }
    match firmware {
        Firmware::Klipper => klipper::write(robot),
        Firmware::LinuxCnc => linuxcnc::write(robot),
        Firmware::Marlin => marlin::write(robot),
        Firmware::GrblHal => grblhal::write(robot),
    }
}

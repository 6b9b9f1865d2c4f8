//! Why settings do not become a robot, or a robot does not become settings.

use super::Firmware;
use crate::description::DescriptionError;
use std::fmt;

/// Why settings do not become a robot, or a robot does not become settings.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum FirmwareError {
    /// None of the controllers' settings are in the files.
    NotKnown {
        /// The files.
        files: String,
    },
    /// The settings are of a machine that is no parallel robot, or one that legwork has no family for.
    OtherKinematics {
        /// Whose settings.
        firmware: Firmware,
        /// What they say.
        found: String,
        /// What they could say.
        known: &'static str,
    },
    /// A setting is not there.
    Missing {
        /// Whose settings.
        firmware: Firmware,
        /// Where it should stand and its name.
        setting: String,
    },
    /// A setting is not a number.
    NotANumber {
        /// Where it stands and its name.
        setting: String,
        /// What stands there.
        found: String,
    },
    /// A setting has two values, and which one counts depends on what is not known here.
    Undecided {
        /// Its name.
        setting: String,
        /// Two of its values.
        values: [String; 2],
    },
    /// The files do not say the unit of their lengths.
    NoUnit,
    /// A length is different for the legs, which legwork's robot cannot have.
    LegsDiffer {
        /// Name of the setting.
        setting: &'static str,
        /// Its values \[mm\].
        values: [f64; 3],
    },
    /// The settings make no robot.
    Robot(Box<DescriptionError>),
    /// The controller cannot have such a robot.
    CannotHave {
        /// Which controller.
        firmware: Firmware,
        /// What it cannot have.
        what: String,
    },
}

impl fmt::Display for FirmwareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotKnown { files } => write!(
                f,
                "no settings of a parallel robot are known in {files}: neither Klipper's, LinuxCNC's, Marlin's nor \
                 grblHAL's"
            ),
            Self::OtherKinematics { firmware, found, known } => {
                write!(f, "these settings of {} are for {found}, not for {known}", firmware.title())
            }
            Self::Missing { firmware, setting } => {
                write!(f, "{setting} is not in the settings of {}", firmware.title())
            }
            Self::NotANumber { setting, found } => write!(f, "{setting} is `{found}`, which is no number"),
            Self::Undecided { setting, values: [one, other] } => write!(
                f,
                "`{setting}` is `{one}` or `{other}`, by an `#if` that cannot be decided from these files"
            ),
            Self::NoUnit => {
                f.write_str("the files do not say whether their lengths are millimetres or inches")
            }
            Self::LegsDiffer { setting, values: [a, b, c] } => write!(
                f,
                "`{setting}` is {a}, {b} and {c} mm for the three legs; a rotary Delta of legwork has three equal legs"
            ),
            Self::Robot(error) => write!(f, "the settings make no robot: {error}"),
            Self::CannotHave { firmware, what } => write!(f, "{} cannot have {what}", firmware.title()),
        }
    }
}

impl std::error::Error for FirmwareError {}

impl FirmwareError {
    /// The way out, if there is one.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::NotKnown { .. } => {
                Some("say whose they are: `--system klipper`, `linuxcnc`, `marlin` or `grblhal`")
            }
            Self::NoUnit => {
                Some("give the INI file with `LINEAR_UNITS` too, or say `--units mm` or `--units inch`")
            }
            Self::Undecided { .. } => {
                Some("leave the one that counts in a copy of the file, or give the output of `M503`")
            }
            Self::Missing { firmware: Firmware::LinuxCnc, .. } => {
                Some("give the HAL and the INI file together: `legwork import machine.ini machine.hal`")
            }
            Self::Missing { firmware: Firmware::Klipper, .. } => {
                Some("give the files that it includes too: `legwork import printer.cfg steppers.cfg`")
            }
            Self::LegsDiffer { .. } => Some("`--mean` takes the mean of the three"),
            _ => None,
        }
    }
}

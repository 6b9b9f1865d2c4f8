//! Why no code was generated.

use crate::request::Quantity;
use legwork::RobotError;
use std::error::Error;
use std::fmt;

/// Why no code was generated.
#[derive(Debug)]
#[non_exhaustive]
pub enum CodegenError {
    /// The robot cannot be had.
    Robot(RobotError),
    /// A quantity that needs masses, of a robot that has none.
    NoMasses {
        /// Its name.
        robot: String,
        /// What was asked for.
        quantity: Quantity,
    },
    /// A quantity that this robot does not have.
    NotOfRobot {
        /// Its name.
        robot: String,
        /// What was asked for.
        quantity: Quantity,
        /// Why it has none.
        why: String,
    },
    /// A parameter that cannot stay an argument.
    Symbol {
        /// Its name.
        robot: String,
        /// The word that was given.
        found: String,
        /// What can.
        known: Vec<&'static str>,
    },
    /// An argument that none of the functions reads.
    NotRead {
        /// Its name.
        argument: &'static str,
        /// The functions.
        functions: Vec<String>,
    },
    /// A name that no language takes.
    Name {
        /// What was given.
        found: String,
        /// Why it is none.
        why: &'static str,
        /// One that is.
        instead: String,
    },
    /// Nothing was asked for.
    Nothing,
}

impl CodegenError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::Robot(error) => error.hint().unwrap_or_default(),
            Self::NoMasses { .. } => {
                "give the robot its masses, or ask for `ik`, `fk` and `jacobian` alone".into()
            }
            Self::NotOfRobot { .. } | Self::Nothing => {
                let words: Vec<&str> = Quantity::ALL.iter().map(|quantity| quantity.word()).collect();
                format!("there are {}", words.join(", "))
            }
            Self::Symbol { known, .. } if known.is_empty() => {
                "change the robot file and generate again".into()
            }
            Self::Symbol { known, .. } => format!("there are {}", known.join(", ")),
            Self::NotRead { .. } => "leave it out, or ask for `torque` too".into(),
            Self::Name { instead, .. } => format!("try `--name {instead}`"),
        }
    }
}

impl fmt::Display for CodegenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Robot(error) => write!(f, "{error}"),
            Self::NoMasses { robot, quantity } => {
                write!(f, "`{robot}` has no masses, so there is no code for `{}`", quantity.word())
            }
            Self::NotOfRobot { robot, quantity, why } => {
                write!(f, "there is no code for `{}` of `{robot}`: {why}", quantity.word())
            }
            Self::Symbol { robot, found, known } if known.is_empty() => {
                write!(
                    f,
                    "`{found}` cannot stay an argument: the parameters of `{robot}`, a mechanism, are all folded in"
                )
            }
            Self::Symbol { robot, found, .. } => {
                write!(f, "`{found}` is no parameter of `{robot}` that can stay an argument")
            }
            Self::NotRead { argument, functions } => {
                write!(
                    f,
                    "`{argument}` is asked for as an argument, but not read by {}",
                    functions.join(", ")
                )
            }
            Self::Name { found, why, .. } => write!(f, "`{found}` is no name for functions: {why}"),
            Self::Nothing => write!(f, "nothing to generate"),
        }
    }
}

impl Error for CodegenError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        if let Self::Robot(error) = self { Some(error) } else { None }
    }
}

impl From<RobotError> for CodegenError {
    fn from(error: RobotError) -> Self {
        Self::Robot(error)
    }
}

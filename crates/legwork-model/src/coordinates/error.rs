//! Why numbers do not say where a robot is.

use crate::ErrorKind;
use crate::text::short_list;
use crate::units::{Quantity, UnitError};
use std::fmt;

/// Why numbers do not say where a robot is.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CoordinateError {
    /// A number is not given.
    Missing {
        /// Its name.
        name: String,
    },
    /// A text is not a number of its kind.
    Number {
        /// What is called so.
        name: String,
        /// What it should measure.
        quantity: Quantity,
        /// Why not.
        cause: UnitError,
    },
    /// There are too many numbers or too few.
    Count {
        /// The option, empty for the argument without a name.
        option: Box<str>,
        /// How many there may be.
        counts: Box<[usize]>,
        /// Their names: "X Y Z \[ROLL PITCH YAW\]".
        names: Box<str>,
        /// How many there are.
        given: usize,
        /// The robot, if angles are given to one whose platform does not turn.
        not_turning: Option<Box<str>>,
        /// Whether one of them holds no digit.
        has_word: bool,
        /// The text, if there is only one.
        only: Option<Box<str>>,
        /// Whether an option seems to hold the platform position too.
        holds_position: bool,
        /// The coordinates that a platform of fewer freedoms moves in, if a whole pose is given to it.
        fewer: Option<Box<str>>,
    },
    /// The platform does not turn, and an orientation is given.
    DoesNotTurn {
        /// The robot.
        robot: String,
        /// The coordinates it has.
        usage: String,
    },
    /// An orientation is given in two ways that contradict each other.
    TwoOrientations {
        /// The first: "the quaternion".
        first: &'static str,
        /// The second.
        second: &'static str,
        /// The largest difference of the matrices.
        off: f64,
    },
    /// An orientation is given as angles and as a quaternion.
    AnglesAndQuaternion {
        /// Names of the angles.
        angles: String,
    },
    /// The platform turns about one axis, and the orientation is about another.
    OneAxis {
        /// The robot.
        robot: String,
        /// The axis: `z`.
        axis: &'static str,
        /// The coordinates it has.
        usage: String,
    },
    /// A quaternion is not of length 1.
    QuaternionLength {
        /// Its parts, real part first.
        parts: Vec<f64>,
        /// Its length.
        length: f64,
    },
}

impl fmt::Display for CoordinateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { name } => write!(f, "`{name}` is missing"),
            Self::Number { name, quantity, cause } => {
                write!(f, "`{name}` is {}: {cause}", quantity.described())
            }
            Self::Count { option, counts, names, given, not_turning, .. } => {
                let all = counts.last().copied().unwrap_or(0);
                let counts = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
                let are = if *given == 1 { "is" } else { "are" };
                let numbers = if all == 1 { "number" } else { "numbers" };
                if option.is_empty() {
                    write!(f, "{counts} {numbers} are needed, {names}, and {given} {are} given")?;
                } else {
                    write!(f, "`{option}` needs {counts} {numbers}, {names}, and {given} {are} given")?;
                }
                match not_turning {
                    Some(robot) => write!(f, "; the platform of `{robot}` does not turn"),
                    None => Ok(()),
                }
            }
            Self::DoesNotTurn { robot, .. } => write!(f, "the platform of `{robot}` does not turn"),
            Self::TwoOrientations { first, second, off } => {
                write!(f, "{first} and {second} are two orientations, off by {off:.1e}")
            }
            Self::AnglesAndQuaternion { angles } => {
                write!(f, "give {angles} or `--quaternion`, not both")
            }
            Self::OneAxis { robot, axis, .. } => {
                write!(f, "the platform of `{robot}` turns about {axis} only")
            }
            Self::QuaternionLength { parts, length } => {
                write!(f, "the quaternion ({}) has the length {length:.6}, not 1", short_list(parts))
            }
        }
    }
}

impl std::error::Error for CoordinateError {}

impl CoordinateError {
    /// What sort of error it is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Count { .. } => ErrorKind::WrongLength,
            _ => ErrorKind::InvalidInput,
        }
    }

    /// A way out, where there is one.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Number { cause, .. } => Some(cause.hint()),
            Self::Count { only: Some(text), .. } if is_file(text) => {
                Some(format!("states in a file are read from stdin: `< {text}` instead of `{text}`"))
            }
            Self::Count { only: Some(text), .. } if text.contains(',') => {
                let apart: Vec<&str> = text.split(',').map(str::trim).collect();
                Some(format!("write the numbers apart: {}", apart.join(" ")))
            }
            Self::Count { has_word: true, .. } => {
                Some("write a number and its unit in one word: 100mm".into())
            }
            Self::Count { holds_position: true, .. } => {
                Some("write the platform position before the options".into())
            }
            Self::Count { fewer: Some(free), .. } => {
                Some(format!("its platform moves freely in {free}, and what follows from them is left out"))
            }
            Self::DoesNotTurn { usage, .. } => Some(format!("leave the orientation out: give {usage}")),
            Self::TwoOrientations { .. } => Some("give one of them".into()),
            Self::OneAxis { usage, .. } => Some(format!("give {usage}")),
            Self::QuaternionLength { .. } => {
                Some("a rotation is W X Y Z with W^2 + X^2 + Y^2 + Z^2 = 1, W first".into())
            }
            _ => None,
        }
    }
}

/// Whether a text is rather the name of a file than a number.
fn is_file(text: &str) -> bool {
    let ending = std::path::Path::new(text).extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|ending| {
        ["csv", "tsv", "txt", "json", "jsonl", "parquet", "mcap"].contains(&ending.to_lowercase().as_str())
    })
}

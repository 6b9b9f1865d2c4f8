//! Why a path cannot be made.

use core::fmt;

/// Why there is no path with these numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum PathError {
    /// NaN or infinite.
    NotFinite {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Must be larger than zero.
    NotPositive {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// Must not exceed a length of the same path.
    TooLong {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
        /// What it must not exceed.
        limit: f64,
    },
    /// Two points that follow each other are the same.
    SamePoint {
        /// The first of them, from 0.
        first: usize,
    },
    /// Three points on a line have no circle.
    Collinear,
    /// Two directions that must stand upright on each other do not.
    NotPerpendicular {
        /// Which directions.
        what: &'static str,
        /// Cosine of the angle between them.
        cosine: f64,
    },
    /// Two directions that must not be along each other nearly are.
    Steep {
        /// Which directions.
        what: &'static str,
        /// Cosine of the angle between them.
        cosine: f64,
    },
    /// So sharp a bend that length cannot be measured along it.
    Cusp {
        /// Near this point of the curve, from 0; a fraction of the whole curve where it has no points.
        near: f64,
        /// Relative error of the length there.
        error: f64,
    },
    /// A spline needs more points.
    TooFewPoints {
        /// How many there are.
        points: usize,
    },
    /// Knots must grow from one to the next.
    KnotOrder {
        /// The first one of two that do not.
        first: usize,
    },
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { what, value } => write!(f, "the {what} has the entry {value}"),
            Self::NotPositive { what, value } => {
                write!(f, "the {what} is {value}; it must be larger than zero")
            }
            Self::TooLong { what, value, limit } => {
                write!(f, "the {what} is {value} m; it must not exceed {limit} m here")
            }
            Self::SamePoint { first } => {
                write!(f, "points {} and {} are the same: there is no way between them", first + 1, first + 2)
            }
            Self::Collinear => write!(f, "the three points lie on a line: take a line, or move one of them"),
            Self::NotPerpendicular { what, cosine } => {
                write!(f, "the {what} must stand upright on each other; their cosine is {cosine:.3e}")
            }
            Self::Steep { what, cosine } => write!(
                f,
                "the {what} are nearly along each other, with a cosine of {cosine:.3}: move the points apart sideways"
            ),
            Self::Cusp { near, error } => write!(
                f,
                "the curve bends too sharply near {near:.3} to measure its length (error {error:.1e}): move the \
                 points or make it less flat"
            ),
            Self::TooFewPoints { points } => {
                write!(f, "{points} points do not make a path; two are the least")
            }
            Self::KnotOrder { first } => {
                write!(f, "knot {} does not come after knot {}", first + 2, first + 1)
            }
        }
    }
}

impl core::error::Error for PathError {}

pub(super) fn finite(what: &'static str, numbers: &[f64]) -> Result<(), PathError> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(&value) => Err(PathError::NotFinite { what, value }),
        None => Ok(()),
    }
}

pub(super) fn positive(what: &'static str, value: f64) -> Result<f64, PathError> {
    finite(what, &[value])?;
    if value > 0.0 { Ok(value) } else { Err(PathError::NotPositive { what, value }) }
}

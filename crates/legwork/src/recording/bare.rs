//! Tables of numbers of which nothing else is known.

use super::error::ReadError;
use std::fmt;

/// Why nothing but the numbers of a CSV file is known, and the units that its header names.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Bare {
    /// There is no metadata beside it, as beside most files of other programs.
    Missing {
        /// The file that would hold it.
        path: String,
    },
    /// The metadata beside it was written for other bytes.
    Other {
        /// The file that holds it.
        path: String,
    },
    /// The metadata beside it cannot be read.
    Unreadable(ReadError),
    /// It has metadata in lines that begin with `#`, as earlier versions wrote it.
    OldLines,
}

impl fmt::Display for Bare {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Missing { path } => write!(f, "there is no `{path}`")?,
            Self::Other { path } => {
                write!(f, "`{path}` was written for other numbers, or these were changed since")?;
            }
            Self::Unreadable(error) => error.fmt(f)?,
            Self::OldLines => {
                write!(f, "its metadata is in `#` lines of an earlier legwork, which are not read")?;
            }
        }
        f.write_str(
            ": frames, robot, request and how the run ended are not known, and a column is in SI unless its header \
             names a unit",
        )
    }
}

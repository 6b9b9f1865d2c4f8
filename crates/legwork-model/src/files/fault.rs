//! Why a file cannot be read or written.

use crate::text::bytes;
use std::{fmt, io};

/// Why a file cannot be read or written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileFault {
    /// The operating system reports an error.
    System(io::ErrorKind),
    /// There is no such file or folder.
    Missing {
        /// A file beside it whose name is nearly the same.
        nearest: Option<String>,
    },
    /// It is a folder, a device, a pipe or a socket.
    NotAFile {
        /// Which of them, in words.
        kind: &'static str,
    },
    /// It is larger than what is read.
    TooLarge {
        /// Its size \[bytes\].
        length: u64,
        /// The most that is read \[bytes\].
        most: u64,
    },
    /// It is no text in UTF-8.
    NotUtf8 {
        /// The first byte that is not.
        offset: usize,
    },
    /// Another process, or another part of this one, is writing it.
    InUse,
}

impl FileFault {
    /// An error of the operating system.
    pub fn of(error: &io::Error) -> Self {
        Self::System(error.kind())
    }

    /// What to do about it.
    pub fn hint(&self) -> Option<&'static str> {
        Some(match self {
            Self::System(io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded) => {
                "make room on the disk, or write to another one"
            }
            Self::NotAFile { .. } => {
                "give the name of a file; copy what a device or a pipe gives into one first"
            }
            Self::InUse => "wait until the other run has ended, or give another name",
            _ => return None,
        })
    }
}

impl fmt::Display for FileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Missing { nearest: Some(name) } => {
                write!(f, "there is no such file; did you mean `{name}`?")
            }
            Self::Missing { nearest: None } | Self::System(io::ErrorKind::NotFound) => {
                f.write_str("there is no such file or folder")
            }
            Self::System(io::ErrorKind::PermissionDenied) => f.write_str("permission is denied"),
            Self::System(io::ErrorKind::StorageFull) => f.write_str("the disk is full"),
            Self::System(io::ErrorKind::Unsupported) if cfg!(target_family = "wasm") => {
                f.write_str("there are no files here, as in the page of a browser")
            }
            Self::System(kind) => kind.fmt(f),
            Self::NotAFile { kind } => write!(f, "it is {kind} and not a file"),
            Self::TooLarge { length, most } => {
                write!(f, "it has {}, and at most {} are read", bytes(*length), bytes(*most))
            }
            Self::NotUtf8 { offset } => write!(f, "it is no text in UTF-8: see byte {offset}"),
            Self::InUse => f.write_str("another run is writing it"),
        }
    }
}

impl std::error::Error for FileFault {}

impl From<io::Error> for FileFault {
    fn from(error: io::Error) -> Self {
        Self::of(&error)
    }
}

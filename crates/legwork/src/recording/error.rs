//! Why a recording cannot be written or read.

use crate::files::FileFault;
use crate::text::bytes;
use std::fmt;

/// Why a recording cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum WriteError {
    /// The name of the file ends in none of the known ways.
    Format {
        /// The file.
        path: String,
    },
    /// A column cannot be recorded.
    Column {
        /// Which column, from 0.
        index: usize,
        /// Its name.
        name: String,
        /// What is wrong with it.
        fault: ColumnFault,
    },
    /// A key of the metadata is empty or belongs to the file formats.
    Key {
        /// The key.
        key: String,
    },
    /// A row has the wrong length.
    Row {
        /// The number of columns.
        expected: usize,
        /// The numbers in the row.
        found: usize,
    },
    /// A row comes after the end.
    Finished,
    /// A text or a block is longer than the format allows.
    TooLong {
        /// The file.
        path: String,
        /// Its length \[bytes\].
        length: usize,
    },
    /// The operating system reports an error.
    Io {
        /// The file.
        path: String,
        /// Bytes written before.
        offset: u64,
        /// Why.
        cause: FileFault,
    },
}

/// Why a column cannot be recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ColumnFault {
    /// The first column must be the time, in `s`.
    NotTime,
    /// It has no name.
    NoName,
    /// An earlier column has its name.
    Twice {
        /// That column, from 0.
        first: usize,
    },
    /// There are too many columns.
    TooMany {
        /// The most there can be.
        most: usize,
    },
}

/// Why a recording cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ReadError {
    /// The operating system reports an error.
    Io {
        /// The file.
        path: String,
        /// Where in the file \[bytes\].
        offset: u64,
        /// Why.
        cause: FileFault,
    },
    /// The file ends before it says what its columns are.
    Cut {
        /// The file.
        path: String,
        /// Where the part begins that is not complete \[bytes\].
        offset: u64,
    },
    /// The bytes there are not what the format prescribes.
    Corrupt {
        /// The file.
        path: String,
        /// Where in the file \[bytes\].
        offset: u64,
        /// What is wrong.
        fault: Fault,
    },
    /// A proper file, but with something that is not read here.
    Unsupported {
        /// The file.
        path: String,
        /// What it is.
        what: Unsupported,
    },
}

/// What is wrong at a place of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// A checksum does not hold.
    Checksum {
        /// What the file says.
        stored: u32,
        /// What its bytes give.
        computed: u32,
    },
    /// Bytes that are not UTF-8 where text is expected.
    NotUtf8,
    /// A cell that is no number.
    NotANumber {
        /// The first characters of the cell.
        cell: String,
    },
    /// A line or message with too few or too many numbers.
    Count {
        /// The number of columns.
        expected: usize,
        /// The numbers found.
        found: usize,
    },
    /// A length that leads out of the file or of its record.
    Length {
        /// The length.
        length: u64,
    },
    /// A part of the file that is longer than what is read at once.
    TooLong {
        /// Its length \[bytes\].
        length: u64,
    },
    /// A line without an end.
    LongLine {
        /// The longest line that is read \[bytes\].
        most: u64,
    },
    /// Metadata that cannot be read.
    Metadata,
    /// Bytes that are not JSON, or a key that is there twice.
    Json {
        /// What is wrong.
        message: String,
    },
    /// There is no header with the names of the columns.
    NoHeader,
    /// Two columns have one name.
    ColumnTwice {
        /// The name.
        name: String,
    },
    /// The names, units and frames of the columns are not what they should be.
    Columns,
    /// A Parquet file of another program that cannot be decoded.
    Parquet {
        /// Why.
        message: String,
    },
    /// Bytes that the format does not know.
    Structure {
        /// The part of the file that is expected there.
        expected: &'static str,
    },
}

/// Something in a proper file that is not read here.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// A Parquet column that is not of doubles.
    Type {
        /// Name of the column.
        column: String,
    },
    /// A Parquet encoding other than plain.
    Encoding {
        /// Name of the column.
        column: String,
    },
    /// Compressed data.
    Compression,
    /// A Parquet column that holds nulls.
    Nulls {
        /// Name of the column.
        column: String,
    },
    /// Columns within columns.
    Nested,
    /// An MCAP file of another program.
    NoColumns,
    /// Data that is far larger than the file: compressed or repeated beyond what is read.
    Size {
        /// What it would come to \[bytes\].
        decoded: u64,
        /// The most that is read of a file of this size \[bytes\].
        most: u64,
    },
    /// A recording of a later legwork.
    Version {
        /// Its version.
        version: String,
    },
}

impl WriteError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        let Self::Io { path, offset, cause } = self else { return None };
        let what = cause.hint();
        if *offset == 0 {
            return what.map(str::to_owned);
        }
        let kept = format!("what was recorded before is in it: `legwork recover {path}`");
        Some(what.map_or_else(|| kept.clone(), |what| format!("{what}; {kept}")))
    }
}

impl ReadError {
    /// What to do about it.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Io { cause, .. } => cause.hint().map(str::to_owned),
            Self::Unsupported { what: Unsupported::Size { .. }, .. } => {
                Some("write it in parts, or without compression".into())
            }
            Self::Corrupt { fault: Fault::NotANumber { .. } | Fault::NoHeader, .. } => Some(
                "a table has one line with a name for each column, `q1` or `q1 [deg]`, then only numbers, separated by \
                 commas, semicolons or tabs; begin other lines with #"
                    .into(),
            ),
            _ => None,
        }
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Format { path } => {
                write!(f, "`{path}`: a recording ends in .csv, .parquet or .mcap")
            }
            Self::Column { index, name, fault } => write!(f, "column {} (`{name}`) {fault}", index + 1),
            Self::Key { key } => write!(f, "the metadata key `{key}` is empty or begins with `legwork.`"),
            Self::Row { expected, found } => write!(f, "a row has {found} numbers for {expected} columns"),
            Self::Finished => write!(f, "the recording is finished already"),
            Self::TooLong { path, length } => {
                write!(f, "`{path}`: {length} bytes are too long for this format")
            }
            Self::Io { path, offset: 0, cause } => write!(f, "cannot write `{path}`: {cause}"),
            Self::Io { path, offset, cause } => {
                write!(f, "cannot write `{path}` any further after {offset} bytes: {cause}")
            }
        }
    }
}

impl fmt::Display for ColumnFault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::NotTime => write!(f, "must be the time, in s"),
            Self::NoName => write!(f, "has no name"),
            Self::Twice { first } => write!(f, "has the name of column {}", first + 1),
            Self::TooMany { most } => write!(f, "is one too many: there can be {most}"),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Io { path, offset: 0, cause } => write!(f, "cannot read `{path}`: {cause}"),
            Self::Io { path, offset, cause } => {
                write!(f, "cannot read `{path}` at byte {offset}: {cause}")
            }
            Self::Cut { path, offset } => {
                write!(f, "`{path}` ends at byte {offset}, before it has named its columns")
            }
            Self::Corrupt { path, offset, fault } => write!(f, "`{path}` at byte {offset}: {fault}"),
            Self::Unsupported { path, what } => write!(f, "`{path}`: {what}"),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Checksum { stored, computed } => {
                write!(f, "damaged data: checksum {computed:08x} where {stored:08x} is stored")
            }
            Self::NotUtf8 => write!(f, "this is no text in UTF-8"),
            Self::NotANumber { cell } => write!(f, "`{cell}` is no number"),
            Self::Count { expected, found } => write!(f, "{found} numbers for {expected} columns"),
            Self::Length { length } => write!(f, "a length of {length} bytes leads out of the file"),
            Self::TooLong { length } => write!(f, "a length of {length} bytes is more than is read at once"),
            Self::LongLine { most } => write!(f, "a line of more than {most} bytes"),
            Self::Metadata => write!(f, "the metadata cannot be read"),
            Self::Json { message } => f.write_str(message),
            Self::NoHeader => write!(f, "no header names the columns"),
            Self::ColumnTwice { name } => write!(f, "two columns have the name `{name}`"),
            Self::Columns => write!(f, "the list of columns cannot be read"),
            Self::Parquet { message } => write!(f, "damaged data: {message}"),
            Self::Structure { expected } => write!(f, "there is no {expected} here"),
        }
    }
}

/// Whether files of other programs are read by a library for them.
const ALL: bool = cfg!(feature = "foreign-recordings");
const REBUILD: &str = "build legwork with the feature foreign-recordings to read it as it is";

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Type { column } if ALL => write!(f, "column `{column}` does not hold numbers"),
            Self::Type { column } => write!(f, "column `{column}` does not hold doubles; {REBUILD}"),
            Self::Encoding { column } => write!(
                f,
                "column `{column}` is encoded; write it plain (pyarrow: use_dictionary=False), or {REBUILD}"
            ),
            Self::Compression if ALL => write!(f, "this compression is not read; use zstd, lz4 or none"),
            Self::Compression => {
                write!(f, "it is compressed; write it without (pyarrow: compression=\"none\"), or {REBUILD}")
            }
            Self::Nulls { column } => write!(f, "column `{column}` has missing values; {REBUILD}"),
            Self::Nested => write!(f, "columns within columns are not read"),
            Self::Size { decoded, most } => write!(
                f,
                "its data would take {}, and of a file of this size at most {} are read",
                bytes(*decoded),
                bytes(*most)
            ),
            Self::NoColumns => write!(f, "it has no channel `/columns` of legwork"),
            Self::Version { version } => {
                write!(f, "written by a later legwork, as recording version {version}")
            }
        }
    }
}

impl std::error::Error for WriteError {}
impl std::error::Error for ReadError {}

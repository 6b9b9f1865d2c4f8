//! What a run leaves behind: columns of numbers with name, unit and frame over one
//! time base, and what made them. Written as CSV, Parquet or MCAP while the run goes
//! on, and read back without loss.
//!
//! ```
//! use legwork::recording::{Column, Metadata, Recorder, Recording};
//!
//! # let folder = std::env::temp_dir().join(format!("legwork-doc-{}", std::process::id()));
//! # std::fs::create_dir_all(&folder)?;
//! let path = folder.join("swing.parquet");                     // or .csv, or .mcap
//! let columns = [Column::time(), Column::new("x", "m").in_frame("base")];
//! let metadata = Metadata::new().with_command("legwork simulate").with("seed", "7");
//!
//! let mut recorder = Recorder::start(&path, &columns, &metadata)?;
//! recorder.push(&[0.0, 0.1])?;
//! recorder.push(&[0.001, f64::NAN])?;
//! recorder.finish("end of the path")?;
//!
//! let recording = Recording::open(&path)?;
//! assert_eq!(recording.time(), [0.0, 0.001]);
//! assert_eq!(recording.values("x").map(|x| x[0]), Some(0.1));
//! assert_eq!(recording.metadata().command(), Some("legwork simulate"));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Formats
//!
//! | name ends in | what is in it | opened by |
//! |---|---|---|
//! | `.csv` | a line of names, a line for each row; metadata in `run.csv-metadata.json` beside it ([`metadata_file`]) | whatever reads CSV: spreadsheets, pandas, Polars |
//! | `.parquet` | plain doubles, one row group per block, metadata as key and value | pandas, Polars, DuckDB, MATLAB |
//! | `.mcap` | all columns as protobuf on `/columns`; poses and joint states as JSON (below) | Foxglove, PlotJuggler |
//!
//! The names of columns are the same in each. Every bit of every number comes back from each of them: the sign of
//! zero, subnormal numbers, and the bits of a NaN but from CSV, which has one NaN. [`Reader`] goes through a file block
//! by block; [`Recording::open`] takes it into memory.
//!
//! A CSV file without its metadata, or with that of other numbers, is read as a bare table: [`Reader::bare`] says why,
//! and what is then not known.
//!
//! # A run that is killed
//!
//! Rows are handed to the operating system in blocks of [`BLOCK_ROWS`]. A process
//! that ends without [`Recorder::finish`], by `kill -9` or by a panic, leaves a file
//! that [`Reader`] reads up to the last block; its [`Ending`] is then `Cut`. Of the programs
//! of others, those that read CSV open it as it is, if its last line is whole, and so do readers of MCAP that go through
//! the file from its start. Parquet, and MCAP for readers that begin at its index, have their
//! table of contents at the end of the file: [`recover`], in the program `legwork recover FILE`,
//! writes the file anew with it, and a CSV file without a last half line. legwork itself does not need that: each of its Parquet files
//! has a copy of the schema at its start and a checksum on each page, which is enough to find
//! the blocks again.
//!
//! A file takes its name with its first block. Until then it is `.NAME.partial` beside it, and
//! a recording that has the name stays. While a file is written it is locked: a second run to
//! the same file is refused. A CSV file and its metadata are one recording: both are locked, and both change as one.
//!
//! # Poses and joints in MCAP
//!
//! They are made from columns of these names; a name may have a prefix that ends in a
//! dot (`left.x`) when there are several robots, and each prefix has its own topics.
//!
//! | columns | topic and schema |
//! |---|---|
//! | `x`, `y`, `z` in m; `qw`, `qx`, `qy`, `qz` or `roll`, `pitch`, `yaw` | `/platform`, `foxglove.PoseInFrame` |
//! | `q1`…, `qd1`…, `qdd1`…, `tau1`… | `/joints`, `foxglove.JointStates` |

mod bare;
mod column;
mod csv;
mod error;
mod files;
mod mcap;
mod memory;
mod metadata;
mod parquet;
mod reader;
mod recorder;
mod recover;

pub use bare::Bare;
pub use column::Column;
pub use csv::metadata_file;
pub use error::{ColumnFault, Fault, ReadError, Unsupported, WriteError};
pub use mcap::{Topic, messages_file};
pub use memory::Recording;
pub use metadata::{Metadata, REQUEST_KEY};
pub use reader::{Ending, Reader};
pub use recorder::{BLOCK_ROWS, Record, Recorder};
pub use recover::{RECOVERED, RecoverError, recover, recover_to};

use std::path::Path;

/// A kind of file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// Text, one line per row, with its metadata in a file beside it.
    Csv,
    /// Apache Parquet, plain doubles without compression.
    Parquet,
    /// MCAP, chunks without compression.
    Mcap,
}

impl Format {
    /// Every format.
    pub const ALL: [Self; 3] = [Self::Csv, Self::Parquet, Self::Mcap];

    /// How the names of its files end: `csv`.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Parquet => "parquet",
            Self::Mcap => "mcap",
        }
    }

    /// The format that the name of a file asks for.
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?;
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }
}

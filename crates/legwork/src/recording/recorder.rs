//! Writing a recording while a run goes on.

use super::error::WriteError;
use super::files::{Appearance, Output};
use super::{Column, Format, Metadata, column, csv, mcap, parquet};
use std::path::{Path, PathBuf};

/// Rows of a block: what a killed run can lose. One second at 1 kHz.
pub const BLOCK_ROWS: usize = 1024;

/// Something that takes the rows of a run: a file ([`Recorder`]) or memory ([`Recording`](super::Recording)).
pub trait Record {
    /// Takes one row, a number for each column.
    fn push(&mut self, row: &[f64]) -> Result<(), WriteError>;

    /// Ends the recording for this reason. Nothing can be pushed after that.
    fn finish(&mut self, reason: &str) -> Result<(), WriteError>;
}

enum Writer {
    Csv(csv::Writer),
    Parquet(parquet::Writer),
    Mcap(mcap::Writer),
}

enum State {
    Open,
    Finished,
    /// An error comes back from every later call.
    Failed(WriteError),
}

/// A recording that goes into a file.
///
/// Its memory does not grow with the rows, apart from the table of contents that
/// Parquet and MCAP have at their end: some 80 bytes per block and column. One that is
/// dropped without [`finish`](Self::finish) writes the rows it has; its file reads as cut.
pub struct Recorder {
    writer: Writer,
    /// Rows that are not written yet, one after the other.
    rows: Vec<f64>,
    columns: usize,
    block_rows: usize,
    state: State,
    /// Its name.
    path: PathBuf,
}

impl Recorder {
    /// Begins a file, in place of one that is there, which stays until the first block of the new one is written. The
    /// end of its name gives the format. A file that another recorder is writing is refused.
    pub fn start(
        path: impl AsRef<Path>,
        columns: &[Column],
        metadata: &Metadata,
    ) -> Result<Self, WriteError> {
        let path = path.as_ref();
        match Format::of(path) {
            Some(format) => Self::start_as(format, path, columns, metadata),
            None => Err(WriteError::Format { path: path.display().to_string() }),
        }
    }

    /// Begins a file of a format, whatever its name.
    pub fn start_as(
        format: Format,
        path: impl AsRef<Path>,
        columns: &[Column],
        metadata: &Metadata,
    ) -> Result<Self, WriteError> {
        column::check(columns)?;
        metadata.check()?;
        Self::begin(format, path.as_ref(), columns, metadata, Appearance::FirstBlock)
    }

    /// Begins a file of rows that are not over time, such as a map: `.csv` or `.parquet`. It takes its name when it is
    /// finished.
    pub fn start_table(
        path: impl AsRef<Path>,
        columns: &[Column],
        metadata: &Metadata,
    ) -> Result<Self, WriteError> {
        let path = path.as_ref();
        column::check_names(columns)?;
        metadata.check()?;
        match Format::of(path) {
            Some(format @ (Format::Csv | Format::Parquet)) => {
                Self::begin(format, path, columns, metadata, Appearance::Whole)
            }
            _ => Err(WriteError::Format { path: path.display().to_string() }),
        }
    }

    pub(super) fn begin(
        format: Format,
        path: &Path,
        columns: &[Column],
        metadata: &Metadata,
        appearance: Appearance,
    ) -> Result<Self, WriteError> {
        Self::begin_in(Output::create(path, appearance)?, format, columns, metadata)
    }

    /// Begins one in memory: [`take_files`](Self::take_files) gives what would be on the disk.
    pub(super) fn in_memory(
        format: Format,
        path: &Path,
        columns: &[Column],
        metadata: &Metadata,
    ) -> Result<Self, WriteError> {
        Self::begin_in(Output::in_memory(path), format, columns, metadata)
    }

    fn begin_in(
        output: Output,
        format: Format,
        columns: &[Column],
        metadata: &Metadata,
    ) -> Result<Self, WriteError> {
        let path = output.target().to_owned();
        let writer = match format {
            Format::Csv => Writer::Csv(csv::Writer::start(output, columns, metadata)?),
            Format::Parquet => Writer::Parquet(parquet::Writer::start(output, columns, metadata)?),
            Format::Mcap => Writer::Mcap(mcap::Writer::start(output, columns, metadata)?),
        };
        let (block_rows, state) = (BLOCK_ROWS, State::Open);
        let rows = Vec::with_capacity(block_rows * columns.len());
        Ok(Self { writer, rows, columns: columns.len(), block_rows, state, path })
    }

    /// The same recorder with blocks of this many rows; at least 1, and [`BLOCK_ROWS`] if not set.
    #[must_use]
    pub fn with_block_rows(mut self, rows: usize) -> Self {
        self.block_rows = rows.max(1);
        self
    }

    /// Takes one row, a number for each column.
    pub fn push(&mut self, row: &[f64]) -> Result<(), WriteError> {
        self.check_open()?;
        if row.len() != self.columns {
            return Err(WriteError::Row { expected: self.columns, found: row.len() });
        }
        self.rows.extend_from_slice(row);
        if self.rows.len() >= self.block_rows * self.columns { self.flush() } else { Ok(()) }
    }

    /// Writes what has come since the last block as a block of its own.
    pub fn flush(&mut self) -> Result<(), WriteError> {
        self.check_open()?;
        if self.rows.is_empty() {
            return Ok(());
        }
        let written = match &mut self.writer {
            Writer::Csv(writer) => writer.block(&self.rows, self.columns),
            Writer::Parquet(writer) => writer.block(&self.rows),
            Writer::Mcap(writer) => writer.block(&self.rows, self.columns),
        };
        self.rows.clear();
        self.note(written)
    }

    /// Ends the recording for this reason.
    pub fn finish(&mut self, reason: &str) -> Result<(), WriteError> {
        self.flush()?;
        let written = match &mut self.writer {
            Writer::Csv(writer) => writer.finish(reason),
            Writer::Parquet(writer) => writer.finish(reason),
            Writer::Mcap(writer) => writer.finish(reason),
        };
        self.note(written)?;
        self.state = State::Finished;
        Ok(())
    }

    /// The files of a finished recording in memory, each with its name.
    pub(super) fn take_files(&mut self) -> Result<Vec<(PathBuf, Vec<u8>)>, WriteError> {
        let path = self.path.clone();
        Ok(match &mut self.writer {
            Writer::Csv(writer) => writer.take_files()?.to_vec(),
            Writer::Parquet(writer) => vec![(path, writer.take_bytes())],
            Writer::Mcap(writer) => vec![(path, writer.take_bytes())],
        })
    }

    fn check_open(&self) -> Result<(), WriteError> {
        match &self.state {
            State::Open => Ok(()),
            State::Finished => Err(WriteError::Finished),
            State::Failed(error) => Err(error.clone()),
        }
    }

    fn note(&mut self, written: Result<(), WriteError>) -> Result<(), WriteError> {
        if let Err(error) = &written {
            self.state = State::Failed(error.clone());
        }
        written
    }
}

impl Record for Recorder {
    fn push(&mut self, row: &[f64]) -> Result<(), WriteError> {
        Self::push(self, row)
    }

    fn finish(&mut self, reason: &str) -> Result<(), WriteError> {
        Self::finish(self, reason)
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // There is nobody left to whom an error could be returned.
        let _ = self.flush();
    }
}

//! Writing a recording while a run goes on.

use super::error::WriteError;
use super::files::Output;
use super::reader::{Ending, Reader};
use super::{Column, Format, Metadata, column, csv, mcap, parquet};
use std::path::Path;

/// Rows of a block: what a killed run can lose. One second at 1 kHz.
pub const BLOCK_ROWS: usize = 1024;

/// The ending that [`recover`] writes.
pub const RECOVERED: &str = "killed; recovered up to its last block";

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
}

impl Recorder {
    /// Begins a file, in place of one that is there. The end of its name gives the format.
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
        Self::begin(format, path.as_ref(), columns, metadata)
    }

    /// Begins a file of rows that are not over time, such as a map: `.csv` or `.parquet`.
    pub fn start_table(
        path: impl AsRef<Path>,
        columns: &[Column],
        metadata: &Metadata,
    ) -> Result<Self, WriteError> {
        let path = path.as_ref();
        column::check_names(columns)?;
        metadata.check()?;
        match Format::of(path) {
            Some(format @ (Format::Csv | Format::Parquet)) => Self::begin(format, path, columns, metadata),
            _ => Err(WriteError::Format { path: path.display().to_string() }),
        }
    }

    fn begin(
        format: Format,
        path: &Path,
        columns: &[Column],
        metadata: &Metadata,
    ) -> Result<Self, WriteError> {
        let output = Output::create(path)?;
        let writer = match format {
            Format::Csv => Writer::Csv(csv::Writer::start(output, columns, metadata)?),
            Format::Parquet => Writer::Parquet(parquet::Writer::start(output, columns, metadata)?),
            Format::Mcap => Writer::Mcap(mcap::Writer::start(output, columns, metadata)?),
        };
        let (block_rows, state) = (BLOCK_ROWS, State::Open);
        let rows = Vec::with_capacity(block_rows * columns.len());
        Ok(Self { writer, rows, columns: columns.len(), block_rows, state })
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

/// Makes a file that a killed run left readable for every program, and returns how many
/// rows are in it; `None` if the file is complete and nothing was done.
///
/// The file is written anew beside the old one, which it then replaces.
pub fn recover(path: impl AsRef<Path>) -> Result<Option<u64>, RecoverError> {
    let path = path.as_ref();
    let (format, mut reader) = Reader::open_any(path)?;
    let mut block = vec![Vec::new(); reader.columns().len()];
    // Go through it once, so that a file that is damaged elsewhere is left as it is.
    let mut rows = 0;
    loop {
        let count = reader.read_block(&mut block)?;
        if count == 0 {
            break;
        }
        rows += count as u64;
        block.iter_mut().for_each(Vec::clear);
    }
    if !matches!(reader.ending(), Some(Ending::Cut { .. })) {
        return Ok(None);
    }
    let mut beside = path.as_os_str().to_owned();
    beside.push(".recovering");
    let beside = Path::new(&beside);
    let copied = copy(format, path, beside, &mut block);
    if copied.is_err() {
        // The caller gets the error of the copy.
        let _ = std::fs::remove_file(beside);
    }
    copied?;
    std::fs::rename(beside, path).map_err(|error| {
        let path = path.display().to_string();
        RecoverError::Write(WriteError::Io { path, offset: 0, cause: error.kind() })
    })?;
    Ok(Some(rows))
}

fn copy(format: Format, from: &Path, to: &Path, block: &mut [Vec<f64>]) -> Result<(), RecoverError> {
    let (_, mut reader) = Reader::open_any(from)?;
    let mut recorder = Recorder::begin(format, to, reader.columns(), reader.metadata())?;
    let mut row = vec![0.0; block.len()];
    loop {
        let count = reader.read_block(block)?;
        if count == 0 {
            break;
        }
        for k in 0..count {
            for (cell, column) in row.iter_mut().zip(&*block) {
                *cell = column[k];
            }
            recorder.push(&row)?;
        }
        block.iter_mut().for_each(Vec::clear);
    }
    Ok(recorder.finish(RECOVERED)?)
}

/// Why a file cannot be recovered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecoverError {
    /// The file cannot be read.
    Read(super::ReadError),
    /// The new file cannot be written.
    Write(WriteError),
}

impl From<super::ReadError> for RecoverError {
    fn from(error: super::ReadError) -> Self {
        Self::Read(error)
    }
}

impl From<WriteError> for RecoverError {
    fn from(error: WriteError) -> Self {
        Self::Write(error)
    }
}

impl std::fmt::Display for RecoverError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            Self::Read(error) => error.fmt(f),
            Self::Write(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RecoverError {}

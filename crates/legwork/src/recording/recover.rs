//! Making what a killed run left readable for every program.

use super::Bare;
use super::error::{ReadError, WriteError};
use super::files::Appearance;
use super::reader::{Ending, Reader};
use super::recorder::Recorder;
use std::path::Path;

/// The ending that [`recover`] writes.
pub const RECOVERED: &str = "killed; recovered up to its last block";

/// Makes a file that a killed run left readable for every program, and returns how many
/// rows are in it; `None` if the file is complete and nothing was done.
///
/// The new file is written beside the old one, which it replaces when it is whole. One that a run is still writing is
/// refused, and so is a CSV file whose metadata is not read: it would be lost.
pub fn recover(path: impl AsRef<Path>) -> Result<Option<u64>, RecoverError> {
    recover_to(path.as_ref(), path.as_ref())
}

/// The same, leaving the old file as it is and writing to another one. The format stays, whatever the name.
pub fn recover_to(path: impl AsRef<Path>, to: impl AsRef<Path>) -> Result<Option<u64>, RecoverError> {
    let (path, to) = (path.as_ref(), to.as_ref());
    let (format, mut reader) = Reader::open_any(path)?;
    // Go through it once, so that a file that is damaged elsewhere is left as it is.
    let mut block = vec![Vec::new(); reader.columns().len()];
    while reader.read_block(&mut block)? > 0 {
        block.iter_mut().for_each(Vec::clear);
    }
    let reason = match reader.ending() {
        Some(Ending::Cut { .. }) => RECOVERED.to_owned(),
        // Killed between its last words and its table of contents.
        Some(Ending::Finished(reason)) if !reader.is_whole() => reason.clone(),
        _ => return Ok(None),
    };
    match reader.bare() {
        None | Some(Bare::Missing { .. }) => {}
        Some(_) if path != to => {}
        Some(bare) => return Err(RecoverError::Bare(bare.clone())),
    }
    let (_, mut reader) = Reader::open_any(path)?;
    let (columns, metadata) = (reader.columns(), reader.metadata());
    let mut recorder = Recorder::begin(format, to, columns, metadata, Appearance::Whole)?;
    let mut row = vec![0.0; block.len()];
    let mut rows = 0;
    loop {
        let count = reader.read_block(&mut block)?;
        if count == 0 {
            break;
        }
        for k in 0..count {
            for (cell, column) in row.iter_mut().zip(&block) {
                *cell = column.get(k).copied().unwrap_or(f64::NAN);
            }
            recorder.push(&row)?;
        }
        rows += count as u64;
        block.iter_mut().for_each(Vec::clear);
    }
    recorder.finish(&reason)?;
    Ok(Some(rows))
}

/// Why a file cannot be recovered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecoverError {
    /// The file cannot be read.
    Read(ReadError),
    /// The new file cannot be written.
    Write(WriteError),
    /// Metadata that is not read would be lost with the old file.
    Bare(Bare),
}

impl From<ReadError> for RecoverError {
    fn from(error: ReadError) -> Self {
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
            Self::Bare(bare) => bare.fmt(f),
        }
    }
}

impl std::error::Error for RecoverError {}

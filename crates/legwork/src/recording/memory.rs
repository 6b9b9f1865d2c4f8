//! A recording in memory.

use super::error::{ReadError, WriteError};
use super::files::Appearance;
use super::reader::{Ending, Reader};
use super::recorder::{Record, Recorder};
use super::{Bare, Column, Format, Metadata, column};
use std::path::{Path, PathBuf};

/// Columns of numbers over one time base, and what made them.
///
/// Two recordings are equal if every bit of them is: a NaN equals the same NaN, and 0 is not −0.
#[derive(Clone, Debug)]
pub struct Recording {
    columns: Vec<Column>,
    metadata: Metadata,
    values: Vec<Vec<f64>>,
    ending: Ending,
    bare: Option<Bare>,
}

impl Recording {
    /// An empty recording. The first column is the time, in `s`.
    pub fn new(columns: &[Column], metadata: &Metadata) -> Result<Self, WriteError> {
        column::check(columns)?;
        metadata.check()?;
        let values = vec![Vec::new(); columns.len()];
        let ending = Ending::Unknown;
        Ok(Self { columns: columns.to_vec(), metadata: metadata.clone(), values, ending, bare: None })
    }

    /// Reads a file of any format, which its first bytes show.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ReadError> {
        Self::read(Reader::open(path)?)
    }

    /// Reads all that is left in a reader.
    pub fn read(mut reader: Reader) -> Result<Self, ReadError> {
        let mut values = vec![Vec::new(); reader.columns().len()];
        while reader.read_block(&mut values)? > 0 {}
        let ending = reader.ending().cloned().unwrap_or(Ending::Unknown);
        let (columns, metadata) = (reader.columns().to_vec(), reader.metadata().clone());
        Ok(Self { columns, metadata, values, ending, bare: reader.bare().cloned() })
    }

    /// Writes it to a file, which takes its name when it is whole; the end of the name gives the format. One that is
    /// not finished is finished by this, without a reason.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<(), WriteError> {
        let path = path.as_ref();
        let format = named_format(path)?;
        self.write(Recorder::begin(format, path, &self.columns, &self.metadata, Appearance::Whole)?).map(drop)
    }

    /// The files that [`save`](Self::save) would write, each with its name: for those who have no disk. A CSV file has its
    /// metadata beside it.
    pub fn to_files(&self, path: impl AsRef<Path>) -> Result<Vec<(PathBuf, Vec<u8>)>, WriteError> {
        let path = path.as_ref();
        let format = named_format(path)?;
        self.write(Recorder::in_memory(format, path, &self.columns, &self.metadata)?)?.take_files()
    }

    fn write(&self, mut recorder: Recorder) -> Result<Recorder, WriteError> {
        let mut row = vec![0.0; self.columns.len()];
        for k in 0..self.len() {
            for (cell, column) in row.iter_mut().zip(&self.values) {
                *cell = column[k];
            }
            recorder.push(&row)?;
        }
        match &self.ending {
            Ending::Finished(reason) => recorder.finish(reason),
            Ending::Cut { .. } => recorder.finish(super::RECOVERED),
            Ending::Unknown => recorder.finish(""),
        }?;
        Ok(recorder)
    }

    /// The columns, time first.
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// What made it.
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }

    /// How it ended.
    pub fn ending(&self) -> &Ending {
        &self.ending
    }

    /// Why nothing but the numbers is known: of a CSV file without its metadata.
    pub fn bare(&self) -> Option<&Bare> {
        self.bare.as_ref()
    }

    /// The number of rows.
    pub fn len(&self) -> usize {
        self.values.first().map_or(0, Vec::len)
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The first column: the time \[s\].
    pub fn time(&self) -> &[f64] {
        self.values.first().map_or(&[], Vec::as_slice)
    }

    /// The numbers of the column of this name.
    pub fn values(&self, name: &str) -> Option<&[f64]> {
        let place = self.columns.iter().position(|column| column.name == name)?;
        self.values.get(place).map(Vec::as_slice)
    }

    /// The numbers of every column, in the order of [`columns`](Self::columns).
    pub fn all_values(&self) -> &[Vec<f64>] {
        &self.values
    }

    /// The same, for those who keep them.
    pub fn into_values(self) -> Vec<Vec<f64>> {
        self.values
    }
}

/// The format that the name of a file asks for.
fn named_format(path: &Path) -> Result<Format, WriteError> {
    Format::of(path).ok_or_else(|| WriteError::Format { path: path.display().to_string() })
}

impl Record for Recording {
    fn push(&mut self, row: &[f64]) -> Result<(), WriteError> {
        if matches!(self.ending, Ending::Finished(_)) {
            return Err(WriteError::Finished);
        }
        if row.len() != self.columns.len() {
            return Err(WriteError::Row { expected: self.columns.len(), found: row.len() });
        }
        for (column, value) in self.values.iter_mut().zip(row) {
            column.push(*value);
        }
        Ok(())
    }

    fn finish(&mut self, reason: &str) -> Result<(), WriteError> {
        if matches!(self.ending, Ending::Finished(_)) {
            return Err(WriteError::Finished);
        }
        self.ending = Ending::Finished(reason.to_owned());
        Ok(())
    }
}

impl PartialEq for Recording {
    fn eq(&self, other: &Self) -> bool {
        let same_bits =
            |a: &Vec<f64>, b: &Vec<f64>| a.iter().map(|x| x.to_bits()).eq(b.iter().map(|x| x.to_bits()));
        self.columns == other.columns
            && self.metadata == other.metadata
            && self.ending == other.ending
            && self.values.len() == other.values.len()
            && self.values.iter().zip(&other.values).all(|(a, b)| same_bits(a, b))
    }
}

//! Writing CSV.

use super::super::error::WriteError;
use super::super::files::Output;
use super::super::{Column, Metadata};
use super::metadata_file;
use super::side::{MOST_BYTES, Part, Side, settle};
use crate::files::{FileFault, NewFile};
use crc32fast::Hasher;
use std::fmt::Write;
use std::path::PathBuf;

pub(in super::super) struct Writer {
    output: Output,
    /// The metadata beside it, locked as long as rows come; none beside a device.
    beside: Option<(NewFile, PathBuf)>,
    side: Side,
    has_rows: bool,
    /// Of all bytes so far.
    hash: Hasher,
    /// The text of a block, kept for its memory.
    text: String,
}

impl Writer {
    pub fn start(mut output: Output, columns: &[Column], metadata: &Metadata) -> Result<Self, WriteError> {
        let header: Vec<_> = columns.iter().map(|column| heading(&column.name)).collect();
        let text = header.join(",") + "\n";
        output.write(text.as_bytes())?;
        let beside = if output.has_appeared() {
            None
        } else {
            settle(output.target());
            let path = metadata_file(output.target());
            Some((NewFile::create(&path).map_err(|cause| failed(&path, cause))?, path))
        };
        let mut hash = Hasher::new();
        hash.update(text.as_bytes());
        let first = Part { bytes: output.offset, checksum: hash.clone().finalize() };
        let side = Side { columns: columns.to_vec(), metadata: metadata.clone(), first, end: None };
        Ok(Self { output, beside, side, has_rows: false, hash, text })
    }

    pub fn block(&mut self, rows: &[f64], columns: usize) -> Result<(), WriteError> {
        self.text.clear();
        for row in rows.chunks(columns) {
            for (k, value) in row.iter().enumerate() {
                if k > 0 {
                    self.text.push(',');
                }
                // Writing to a string cannot fail. A sign or a message of a NaN would make a number a text for others.
                let _ =
                    if value.is_nan() { write!(self.text, "NaN") } else { write!(self.text, "{value:?}") };
            }
            self.text.push('\n');
        }
        self.output.write(self.text.as_bytes())?;
        self.hash.update(self.text.as_bytes());
        if !self.has_rows {
            self.has_rows = true;
            self.side.first = self.written();
        }
        if self.output.is_due() { self.appear() } else { Ok(()) }
    }

    pub fn finish(&mut self, reason: &str) -> Result<(), WriteError> {
        self.side.end = Some((self.written(), reason.to_owned()));
        if !self.output.has_appeared() {
            return self.appear();
        }
        self.output.sync()?;
        let text = self.metadata()?;
        match &mut self.beside {
            // The rows are there: what is missing is their end.
            Some((file, _)) => file.replace(text.as_bytes()).map_err(|cause| self.output.failed(cause)),
            None => Ok(()),
        }
    }

    /// The table and the metadata beside it, of a recording in memory.
    pub fn take_files(&mut self) -> Result<[(PathBuf, Vec<u8>); 2], WriteError> {
        let (metadata, table) = (self.metadata()?, self.output.target().to_owned());
        let beside = metadata_file(&table);
        Ok([(table, self.output.take_bytes()), (beside, metadata.into_bytes())])
    }

    /// Gives both files their names: the metadata is on the disk before the table appears.
    fn appear(&mut self) -> Result<(), WriteError> {
        let text = self.metadata()?;
        if let Some((file, path)) = &mut self.beside {
            let written = file.write_all(text.as_bytes()).and_then(|()| file.sync());
            written.map_err(|cause| failed(path, cause))?;
        }
        self.output.appear()?;
        match &mut self.beside {
            Some((file, path)) => file.appear().map_err(|cause| failed(path, cause)),
            None => Ok(()),
        }
    }

    /// The part of the table that is written.
    fn written(&self) -> Part {
        Part { bytes: self.output.offset, checksum: self.hash.clone().finalize() }
    }

    fn metadata(&self) -> Result<String, WriteError> {
        let text = self.side.to_json(self.output.target().file_name().unwrap_or_default());
        match &self.beside {
            Some((_, path)) if text.len() as u64 > MOST_BYTES => {
                Err(WriteError::TooLong { path: path.display().to_string(), length: text.len() })
            }
            _ => Ok(text),
        }
    }
}

fn failed(path: &std::path::Path, cause: FileFault) -> WriteError {
    WriteError::Io { path: path.display().to_string(), offset: 0, cause }
}

/// A name, in quotes where it needs them.
fn heading(name: &str) -> String {
    let needs_quotes = name.contains([',', '"', '\n', '\r']) || name.starts_with('#') || name.trim() != name;
    if needs_quotes { format!("\"{}\"", name.replace('"', "\"\"")) } else { name.to_owned() }
}

//! The metadata beside a table: what it says, and whether it was written for the table.

use super::super::error::{Fault, ReadError, Unsupported};
use super::super::files::Source;
use super::super::{Bare, Column, Metadata};
use crate::files::{self, FileFault, partial_name, target};
use crate::json;
use crc32fast::Hasher;
use serde_json::{Map, Value, json};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const CONTEXT: &str = "http://www.w3.org/ns/csvw";
const UNIT: &str = "schema:unitText";
const FRAME: &str = "legwork:frame";
/// Before the keys of [`Metadata`].
const KEYS: &str = "legwork:";
const VERSION_KEY: &str = "legwork.recording:version";
const VERSION: &str = "2";
const FIRST: [&str; 2] = ["legwork.recording:first-block-bytes", "legwork.recording:first-block-crc32"];
const WHOLE: [&str; 2] = ["legwork.recording:bytes", "legwork.recording:crc32"];
const END: &str = "legwork.recording:end";

/// Most metadata that is written and read \[bytes\]: a motion of rows can be part of a request.
pub(super) const MOST_BYTES: u64 = 1 << 28;

/// The file for the metadata of a CSV file: `run.csv-metadata.json` beside `run.csv`. Links are followed.
pub fn metadata_file(path: impl AsRef<Path>) -> PathBuf {
    let path = path.as_ref();
    let mut name = if path.is_symlink() { target(path) } else { path.to_owned() }.into_os_string();
    name.push("-metadata.json");
    name.into()
}

/// So many bytes from the start of a table, and their checksum.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Part {
    pub bytes: u64,
    pub checksum: u32,
}

/// What the metadata says.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Side {
    pub columns: Vec<Column>,
    pub metadata: Metadata,
    /// The header and the first block.
    pub first: Part,
    /// The whole table and how the run ended; `None` of one that goes on or was killed.
    pub end: Option<(Part, String)>,
}

impl Side {
    /// As it is written for a table of this name.
    pub fn to_json(&self, table: &OsStr) -> String {
        let column = |Column { name, unit, frame }: &Column| {
            let mut entry = json!({ "name": variable(name), "titles": name, "datatype": "double" });
            if !unit.is_empty() {
                entry[UNIT] = json!(unit);
            }
            if let Some(frame) = frame {
                entry[FRAME] = json!(frame);
            }
            entry
        };
        let columns: Vec<Value> = self.columns.iter().map(column).collect();
        let mut all = Map::new();
        let mut put = |key: &str, value: Value| drop(all.insert(key.to_owned(), value));
        put("@context", json!(CONTEXT));
        put("url", json!(encoded(table.as_encoded_bytes(), b"-._~")));
        put("tableSchema", json!({ "columns": columns }));
        put(VERSION_KEY, json!(VERSION));
        let mut part = |[bytes, checksum]: [&str; 2], part: &Part| {
            put(bytes, json!(part.bytes));
            put(checksum, json!(format!("{:08x}", part.checksum)));
        };
        part(FIRST, &self.first);
        if let Some((whole, reason)) = &self.end {
            part(WHOLE, whole);
            put(END, json!(reason));
        }
        for (key, value) in self.metadata.iter() {
            put(&[KEYS, &encoded(key.as_bytes(), b"-._")].concat(), json!(value));
        }
        // A tree of texts and numbers can be written.
        serde_json::to_string_pretty(&Value::Object(all)).unwrap_or_default() + "\n"
    }

    /// Reads metadata; `path` stands for its file in messages.
    pub fn parse(path: &str, bytes: &[u8]) -> Result<Self, ReadError> {
        let corrupt = |offset: usize, fault| {
            let (path, offset) = (path.to_owned(), offset as u64);
            ReadError::Corrupt { path, offset, fault }
        };
        let text = str::from_utf8(bytes).map_err(|error| corrupt(error.valid_up_to(), Fault::NotUtf8))?;
        let value = json::parse(text).map_err(|error| {
            let before = text.split_inclusive('\n').take(error.line().saturating_sub(1));
            let offset = before.map(str::len).sum::<usize>() + error.column().saturating_sub(1);
            corrupt(offset.min(text.len()), Fault::Json { message: error.to_string() })
        })?;
        let lacks = |expected| corrupt(0, Fault::Structure { expected });
        let version = value.get(VERSION_KEY).and_then(Value::as_str).ok_or_else(|| lacks(VERSION_KEY))?;
        if version != VERSION {
            let what = Unsupported::Version { version: version.chars().take(20).collect() };
            return Err(ReadError::Unsupported { path: path.to_owned(), what });
        }
        let part = |[bytes, checksum]: [&str; 2]| {
            let checksum = value.get(checksum)?.as_str()?;
            let checksum = u32::from_str_radix(checksum, 16).ok()?;
            Some(Part { bytes: value.get(bytes)?.as_u64()?, checksum })
        };
        let first = part(FIRST).ok_or_else(|| lacks("checksum of the first block"))?;
        let end = match value.get(END).map(|reason| reason.as_str().zip(part(WHOLE))) {
            None => None,
            Some(Some((reason, whole))) => Some((whole, reason.to_owned())),
            Some(None) => return Err(lacks("checksum of the whole table")),
        };
        let columns = value.pointer("/tableSchema/columns").and_then(Value::as_array);
        let column = |entry: &Value| {
            let text = |key: &str| entry.get(key)?.as_str().map(str::to_owned);
            Some(Column { name: text("titles")?, unit: text(UNIT).unwrap_or_default(), frame: text(FRAME) })
        };
        let columns = columns.and_then(|list| list.iter().map(column).collect::<Option<Vec<_>>>());
        let columns = columns.ok_or_else(|| corrupt(0, Fault::Columns))?;
        let mut metadata = Metadata::default();
        for (key, value) in value.as_object().into_iter().flatten() {
            if let Some(key) = key.strip_prefix(KEYS) {
                let entry = decoded(key).zip(value.as_str());
                let (key, value) = entry.ok_or_else(|| corrupt(0, Fault::Metadata))?;
                metadata.insert(key, value.to_owned());
            }
        }
        Ok(Self { columns, metadata, first, end })
    }

    /// The same, if it was written for a table. One that is shorter than it was when the run ended is cut.
    fn of(mut self, source: &mut Source) -> Result<Option<Self>, ReadError> {
        let mut hash = Hasher::new();
        source.seek(0)?;
        let mut fits = hashes_to(source, &mut hash, self.first)?;
        match self.end {
            Some((whole, _)) if source.length < whole.bytes => self.end = None,
            Some((whole, _)) => {
                fits = fits && source.length == whole.bytes && hashes_to(source, &mut hash, whole)?;
            }
            None => {}
        }
        Ok(fits.then_some(self))
    }
}

/// Reads up to the end of a part and compares the checksum of all that was read.
fn hashes_to(source: &mut Source, hash: &mut Hasher, part: Part) -> Result<bool, ReadError> {
    if part.bytes > source.length || part.bytes < source.offset {
        return Ok(false);
    }
    let mut bytes = Vec::new();
    while source.offset < part.bytes {
        source.read((part.bytes - source.offset).min(1 << 16), &mut bytes)?;
        hash.update(&bytes);
    }
    Ok(hash.clone().finalize() == part.checksum)
}

/// Where the metadata of a table is looked for.
#[derive(Clone, Copy)]
pub(in super::super) enum Beside<'a> {
    /// Beside the file of the table.
    File(&'a Path),
    /// Here.
    Bytes(&'a [u8]),
    /// Nowhere.
    Nothing,
}

/// The metadata that was written for a table, or why there is none.
pub(super) fn find(source: &mut Source, beside: Beside<'_>) -> Result<Result<Side, Bare>, ReadError> {
    let name = format!("{}-metadata.json", source.path());
    let path = match beside {
        Beside::Nothing => return Ok(Err(Bare::Missing { path: name })),
        Beside::Bytes(bytes) => return judged(source, name, Ok(bytes.to_vec())),
        Beside::File(path) => metadata_file(path),
    };
    let named = judged(source, path.display().to_string(), files::read(&path, MOST_BYTES))?;
    if matches!(&named, Ok(Side { end: Some(_), .. })) {
        return Ok(named);
    }
    Ok(waiting(source, &path)?.map_or(named, |(side, _)| Ok(side)))
}

/// The metadata that fits a table and has not taken its name: its run was killed in between.
fn waiting(source: &mut Source, path: &Path) -> Result<Option<(Side, PathBuf)>, ReadError> {
    let Some(partial) = partial_name(path).filter(|partial| partial.is_file()) else { return Ok(None) };
    let side = judged(source, partial.display().to_string(), files::read(&partial, MOST_BYTES))?;
    Ok(side.ok().map(|side| (side, partial)))
}

/// Gives metadata that still waits its name, before the next run writes over it.
pub(super) fn settle(table: &Path) {
    let path = metadata_file(table);
    let found = Source::open(table).and_then(|mut source| waiting(&mut source, &path));
    if let Ok(Some((_, partial))) = found {
        // Where that fails there is nothing better to do: the new run goes on.
        let _ = std::fs::rename(partial, path);
    }
}

fn judged(
    source: &mut Source,
    path: String,
    bytes: Result<Vec<u8>, FileFault>,
) -> Result<Result<Side, Bare>, ReadError> {
    let bytes = match bytes {
        Ok(bytes) => bytes,
        Err(FileFault::Missing { .. }) => return Ok(Err(Bare::Missing { path })),
        Err(cause) => return Ok(Err(Bare::Unreadable(ReadError::Io { path, offset: 0, cause }))),
    };
    match Side::parse(&path, &bytes) {
        Err(error) => Ok(Err(Bare::Unreadable(error))),
        Ok(side) => Ok(side.of(source)?.ok_or(Bare::Other { path })),
    }
}

/// A name as variables of URI templates are written, which is what "CSV on the Web" asks for; those that begin with an
/// underscore are its own.
fn variable(name: &str) -> String {
    match name.strip_prefix('_') {
        Some(rest) => ["%5F", &encoded(rest.as_bytes(), b"_")].concat(),
        None => encoded(name.as_bytes(), b"_"),
    }
}

/// Text in which every byte that is no letter or digit and is not kept is `%` and two digits.
fn encoded(text: &[u8], kept: &[u8]) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text {
        if byte.is_ascii_alphanumeric() || kept.contains(byte) {
            out.push(char::from(*byte));
        } else {
            // Writing to a string cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// The text that [`encoded`] made this of.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut parts = text.split('%');
    bytes.extend_from_slice(parts.next().unwrap_or_default().as_bytes());
    for part in parts {
        let (digits, rest) = part.split_at_checked(2)?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        bytes.extend_from_slice(rest.as_bytes());
    }
    String::from_utf8(bytes).ok()
}

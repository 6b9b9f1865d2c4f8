//! Reading CSV.

use super::super::error::{Fault, ReadError, Unsupported};
use super::super::files::Source;
use super::super::reader::{Ending, Header};
use super::super::{BLOCK_ROWS, Column};
use super::{END, FIRST, FRAMES, MORE, VERSION, number};
use csv::{ByteRecord, Terminator};
use serde_json::Value;
use std::collections::BTreeSet;

/// A carriage return before it is space around the last cell.
const LINE_END: Terminator = Terminator::Any(b'\n');

pub(in super::super) struct Reader {
    records: csv::Reader<Source>,
    record: ByteRecord,
    /// Where the rows begin in the file \[bytes\].
    start: u64,
    /// A recording of legwork, which says how it ended.
    is_ours: bool,
    /// The last byte of the file ends a line.
    is_last_line_whole: bool,
}

impl Reader {
    pub fn open(mut source: Source) -> Result<(Header, Self), ReadError> {
        let mut line = Vec::new();
        source.seek(source.length.saturating_sub(1))?;
        source.line(&mut line)?;
        let is_last_line_whole = line == b"\n";
        source.seek(0)?;
        let mut header = Header::default();
        let (is_ours, frames) = comments(&mut source, &mut header)?;
        header.columns = columns(&mut source, is_ours, &frames)?;
        let start = source.offset;
        // Our numbers have no quotes; a quote in them is damage, which must not swallow the lines below.
        let mut builder = csv::ReaderBuilder::new();
        builder.has_headers(false).flexible(true).terminator(LINE_END).quoting(!is_ours);
        let records = builder.comment((!is_ours).then_some(b'#')).from_reader(source);
        Ok((header, Self { records, record: ByteRecord::new(), start, is_ours, is_last_line_whole }))
    }

    pub fn block(&mut self, columns: &mut [Vec<f64>]) -> Result<Option<Ending>, ReadError> {
        for _ in 0..BLOCK_ROWS {
            let offset = self.start + self.records.position().byte();
            let found = self.records.read_byte_record(&mut self.record);
            let end = self.start + self.records.position().byte();
            let source = self.records.get_mut();
            if !found.map_err(|error| source.failed(&error.into()))? {
                return Ok(Some(if self.is_ours { Ending::Cut { offset } } else { Ending::Unknown }));
            }
            // Without its end a number can be half a number.
            if self.is_ours && end >= source.length && !self.is_last_line_whole {
                return Ok(Some(Ending::Cut { offset }));
            }
            let first = self.record.get(0).unwrap_or_default();
            if self.is_ours && first.starts_with(b"#") {
                return ending(source, offset).map(Some);
            }
            if !self.is_ours && self.record.len() == 1 && first.trim_ascii().is_empty() {
                continue;
            }
            for (k, cell) in self.record.iter().enumerate() {
                let value = number(cell).map_err(|fault| source.corrupt(offset, fault))?;
                if let Some(column) = columns.get_mut(k) {
                    column.push(value);
                }
            }
            if self.record.len() != columns.len() {
                let fault = Fault::Count { expected: columns.len(), found: self.record.len() };
                return Err(source.corrupt(offset, fault));
            }
        }
        Ok(None)
    }
}

/// Reads the `#` lines on top: whether the file is a recording of legwork, and the frames of its columns. The source
/// is then at the line of names.
fn comments(source: &mut Source, header: &mut Header) -> Result<(bool, Value), ReadError> {
    let (mut is_ours, mut frames, mut line) = (false, Value::Null, Vec::new());
    // The key and value that later lines may continue.
    let mut entry: Option<(String, String)> = None;
    loop {
        let offset = source.offset;
        source.line(&mut line)?;
        if !line.starts_with(b"#") {
            store(entry, header);
            source.seek(offset)?;
            return Ok((is_ours, frames));
        }
        let text = text(source, offset, &line)?;
        let version = text.strip_prefix(FIRST).filter(|_| offset == 0);
        if !is_ours && version.is_none() {
            continue;
        }
        if !line.ends_with(b"\n") {
            return Err(source.cut(offset));
        }
        if let Some(version) = version {
            if version != VERSION {
                let version = version.chars().take(20).collect();
                return Err(source.unsupported(Unsupported::Version { version }));
            }
            is_ours = true;
            continue;
        }
        let fault = || source.corrupt(offset, Fault::Metadata);
        if let Some(more) = text.strip_prefix(MORE) {
            let more: String = serde_json::from_str(more).map_err(|_| fault())?;
            entry.as_mut().ok_or_else(fault)?.1.push_str(&more);
            continue;
        }
        let (key, value) = key_and_value(text).ok_or_else(fault)?;
        if key == FRAMES {
            frames = serde_json::from_str(value).map_err(|_| fault())?;
            continue;
        }
        let value = serde_json::from_str(value).map_err(|_| fault())?;
        store(entry.replace((key, value)), header);
    }
}

/// Reads the names of the columns. The source is then at the first row.
fn columns(source: &mut Source, is_ours: bool, frames: &Value) -> Result<Vec<Column>, ReadError> {
    let offset = source.offset;
    let mut builder = csv::ReaderBuilder::new();
    let mut reader = builder.has_headers(false).terminator(LINE_END).from_reader(&mut *source);
    let mut names = ByteRecord::new();
    let found = reader.read_byte_record(&mut names);
    let end = offset + reader.position().byte();
    found.map_err(|error| source.failed(&error.into()))?;
    source.seek(offset)?;
    let mut line = Vec::new();
    source.read(end - offset, &mut line)?;
    // A name may go over several lines; one whose quotes are open at the end of the file is cut.
    let is_open = line.split(|byte| *byte == b'"').count() % 2 == 0;
    if is_open || (is_ours && !line.ends_with(b"\n")) {
        return Err(source.cut(offset));
    }
    text(source, offset, &line)?;
    let names = names.iter().map(|cell| str::from_utf8(cell).unwrap_or_default());
    let names: Vec<&str> =
        names.map(|name| if is_ours { name.trim_end_matches('\r') } else { name.trim() }).collect();
    let is_name = |cell: &&str| !cell.is_empty() && number::parse(cell).is_none();
    if !is_ours && (names.is_empty() || !names.iter().all(is_name)) {
        return Err(source.corrupt(offset, Fault::NoHeader));
    }
    let columns = names.iter().map(|cell| {
        let (name, unit) = name_and_unit(cell);
        let quoted = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let name = quoted.filter(|_| !is_ours).unwrap_or(name);
        let frame = frames.get(name).and_then(Value::as_str).map(str::to_owned);
        Column { name: name.to_owned(), unit: unit.to_owned(), frame }
    });
    let columns: Vec<Column> = columns.collect();
    let mut seen = BTreeSet::new();
    match columns.iter().find(|column| !seen.insert(column.name.as_str())) {
        Some(Column { name, .. }) => Err(source.corrupt(offset, Fault::ColumnTwice { name: name.clone() })),
        None => Ok(columns),
    }
}

/// The reason in the last lines, which begin at `offset`.
fn ending(source: &mut Source, offset: u64) -> Result<Ending, ReadError> {
    let mut line = Vec::new();
    let mut reason = String::new();
    source.seek(offset)?;
    loop {
        let at = source.offset;
        source.line(&mut line)?;
        if line.is_empty() {
            return Ok(Ending::Finished(reason));
        }
        if !line.ends_with(b"\n") {
            return Ok(Ending::Cut { offset });
        }
        let text = text(source, at, &line)?;
        let value = match key_and_value(text) {
            Some((key, value)) if at == offset && key == END => Some(value),
            _ if at == offset => None,
            _ => text.strip_prefix(MORE),
        };
        let more = value.and_then(|value| serde_json::from_str::<String>(value).ok());
        reason += &more.ok_or_else(|| source.corrupt(at, Fault::Metadata))?;
    }
}

fn number(cell: &[u8]) -> Result<f64, Fault> {
    let text = str::from_utf8(cell).map_err(|_| Fault::NotUtf8)?;
    number::parse(text).ok_or_else(|| Fault::NotANumber { cell: text.chars().take(40).collect() })
}

fn store(entry: Option<(String, String)>, header: &mut Header) {
    if let Some((key, value)) = entry {
        header.metadata.insert(key, value);
    }
}

/// A line as text, without its end.
fn text<'a>(source: &Source, offset: u64, line: &'a [u8]) -> Result<&'a str, ReadError> {
    let text = str::from_utf8(line)
        .map_err(|error| source.corrupt(offset + error.valid_up_to() as u64, Fault::NotUtf8))?;
    let text = text.strip_suffix('\n').unwrap_or(text);
    Ok(text.strip_suffix('\r').unwrap_or(text))
}

/// Key and JSON value of `# key: value`; the key may be JSON too.
fn key_and_value(line: &str) -> Option<(String, &str)> {
    let line = line.strip_prefix("# ")?;
    if !line.starts_with('"') {
        let (key, value) = line.split_once(": ")?;
        return Some((key.to_owned(), value));
    }
    let mut values = serde_json::Deserializer::from_str(line).into_iter::<String>();
    let key = values.next()?.ok()?;
    Some((key, line.get(values.byte_offset()..)?.strip_prefix(": ")?))
}

/// `x [m]` is x in m. The last brackets count.
fn name_and_unit(cell: &str) -> (&str, &str) {
    let inside = cell.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
    inside.unwrap_or((cell, ""))
}

//! Reading CSV.

use super::super::error::{Fault, ReadError, Unsupported};
use super::super::files::Source;
use super::super::reader::{Ending, Header};
use super::super::{BLOCK_ROWS, Column};
use super::{END, FIRST, FRAMES, MORE, VERSION, number};
use serde_json::Value;

pub(in super::super) struct Reader {
    source: Source,
    /// A recording of legwork, which says how it ended.
    is_ours: bool,
    line: Vec<u8>,
}

impl Reader {
    pub fn open(source: Source) -> Result<(Header, Self), ReadError> {
        let mut reader = Self { source, is_ours: false, line: Vec::new() };
        let mut header = Header::default();
        let mut frames = Value::Null;
        // The key and value that later lines may continue.
        let mut entry: Option<(String, String)> = None;
        loop {
            let offset = reader.source.offset;
            reader.source.line(&mut reader.line)?;
            if !reader.line.starts_with(b"#") {
                store(entry, &mut header);
                header.columns = reader.header(offset, &frames)?;
                return Ok((header, reader));
            }
            let text = text(&reader.source, offset, &reader.line)?;
            if let Some(version) = text.strip_prefix(FIRST).filter(|_| offset == 0) {
                if !reader.line.ends_with(b"\n") {
                    return Err(reader.source.cut(offset));
                }
                if version != VERSION {
                    let version = version.chars().take(20).collect();
                    return Err(reader.source.unsupported(Unsupported::Version { version }));
                }
                reader.is_ours = true;
                continue;
            }
            if !reader.is_ours {
                continue;
            }
            let fault = || reader.source.corrupt(offset, Fault::Metadata);
            if !reader.line.ends_with(b"\n") {
                return Err(reader.source.cut(offset));
            }
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
            store(entry.replace((key, value)), &mut header);
        }
    }

    /// The columns in the header, whose first line is read already.
    fn header(&mut self, offset: u64, frames: &Value) -> Result<Vec<Column>, ReadError> {
        // A name may go over several lines: then a quote is open at the end of the line.
        while self.line.split(|byte| *byte == b'"').count() % 2 == 0 {
            let before = self.line.len();
            self.source.continue_line(&mut self.line)?;
            if self.line.len() == before {
                return Err(self.source.cut(offset));
            }
        }
        if self.is_ours && !self.line.ends_with(b"\n") {
            return Err(self.source.cut(offset));
        }
        let cells = split(text(&self.source, offset, &self.line)?);
        let is_header = cells.iter().all(|cell| !cell.is_empty() && number::parse(cell).is_none());
        if !is_header && !self.is_ours {
            return Err(self.source.corrupt(offset, Fault::NoHeader));
        }
        let columns = cells.iter().map(|cell| {
            let (name, unit) = name_and_unit(if self.is_ours { cell } else { cell.trim() });
            let frame = frames.get(name).and_then(Value::as_str).map(str::to_owned);
            Column { name: name.to_owned(), unit: unit.to_owned(), frame }
        });
        Ok(columns.collect())
    }

    pub fn block(&mut self, columns: &mut [Vec<f64>]) -> Result<Option<Ending>, ReadError> {
        for _ in 0..BLOCK_ROWS {
            let offset = self.source.offset;
            self.source.line(&mut self.line)?;
            if self.line.is_empty() {
                return Ok(Some(if self.is_ours { Ending::Cut { offset } } else { Ending::Unsaid }));
            }
            // Without its end a number can be half a number.
            if self.is_ours && !self.line.ends_with(b"\n") {
                return Ok(Some(Ending::Cut { offset }));
            }
            let line = text(&self.source, offset, &self.line)?;
            if line.starts_with('#') {
                if self.is_ours {
                    return self.ending(offset).map(Some);
                }
                continue;
            }
            if line.is_empty() && !self.is_ours {
                continue;
            }
            let mut found = 0;
            for cell in line.split(',') {
                let value = number::parse(cell).ok_or_else(|| {
                    let cell = cell.chars().take(40).collect();
                    self.source.corrupt(offset, Fault::NotANumber { cell })
                })?;
                if let Some(column) = columns.get_mut(found) {
                    column.push(value);
                }
                found += 1;
            }
            if found != columns.len() {
                return Err(self.source.corrupt(offset, Fault::Count { expected: columns.len(), found }));
            }
        }
        Ok(None)
    }

    /// The reason in the last lines.
    fn ending(&mut self, offset: u64) -> Result<Ending, ReadError> {
        let mut reason = String::new();
        let mut is_first = true;
        loop {
            let at = self.source.offset - self.line.len() as u64;
            if !self.line.ends_with(b"\n") && !self.line.is_empty() {
                return Ok(Ending::Cut { offset });
            }
            let line = text(&self.source, at, &self.line)?;
            let value = match (is_first, key_and_value(line)) {
                (true, Some((key, value))) if key == END => value,
                (false, _) if line.is_empty() && self.line.is_empty() => return Ok(Ending::Finished(reason)),
                (false, _) if line.starts_with(MORE) => &line[MORE.len()..],
                _ => return Err(self.source.corrupt(at, Fault::Metadata)),
            };
            let more: Result<String, _> = serde_json::from_str(value);
            reason += &more.map_err(|_| self.source.corrupt(at, Fault::Metadata))?;
            is_first = false;
            self.source.line(&mut self.line)?;
        }
    }
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

/// The cells of a header.
fn split(line: &str) -> Vec<String> {
    let mut cells = vec![];
    let mut cell = String::new();
    let mut in_quotes = false;
    let mut letters = line.chars().peekable();
    while let Some(c) = letters.next() {
        match c {
            // A quote in quotes is written twice.
            '"' if in_quotes && letters.peek() == Some(&'"') => {
                letters.next();
                cell.push('"');
            }
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => cells.push(std::mem::take(&mut cell)),
            c => cell.push(c),
        }
    }
    cells.push(cell);
    cells
}

//! Reading CSV.

use super::super::error::{Fault, ReadError};
use super::super::files::Source;
use super::super::reader::{Ending, Header};
use super::super::{BLOCK_ROWS, Bare, Column, Metadata, column};
use super::OLD_FIRST;
use super::side::{Beside, find};
use csv::{ByteRecord, Terminator};

/// A carriage return before it is space around the last cell.
const LINE_END: Terminator = Terminator::Any(b'\n');

pub(in super::super) struct Reader {
    records: csv::Reader<Source>,
    record: ByteRecord,
    /// Where the rows begin in the file \[bytes\].
    start: u64,
    /// Cells are separated by another character, and a comma may be the decimal sign.
    has_comma_decimals: bool,
    /// Of a recording, which says how it ended; else a table of which nothing is known.
    ours: Option<Ours>,
    /// The last byte of the file ends a line.
    is_last_line_whole: bool,
    /// A last line without an end may be half a line: files of other programs often have one.
    may_be_cut: bool,
}

/// What a recording says of its end: `None` if it was killed.
struct Ours {
    reason: Option<String>,
}

impl Reader {
    pub fn open(mut source: Source, beside: Beside<'_>) -> Result<(Header, Self), ReadError> {
        let mut line = Vec::new();
        source.seek(source.length.saturating_sub(1))?;
        source.line(&mut line)?;
        let is_last_line_whole = line == b"\n";
        source.seek(0)?;
        let is_old = comments(&mut source)?;
        let delimiter = delimiter(&mut source)?;
        let (offset, names) = (source.offset, names(&mut source, delimiter)?);
        let start = source.offset;
        let found = if is_old { Err(Bare::OldLines) } else { find(&mut source, beside)? };
        source.seek(start)?;
        let may_be_cut = !matches!(found, Err(Bare::Missing { .. }));
        let (columns, metadata, ours, bare) = match found {
            Ok(side) if side.columns.iter().map(|column| &column.name).eq(&names) => {
                let ours = Ours { reason: side.end.map(|(_, reason)| reason) };
                (side.columns, side.metadata, Some(ours), None)
            }
            Ok(_) => return Err(source.corrupt(offset, Fault::Columns)),
            Err(bare) => (bare_columns(&source, offset, &names)?, Metadata::default(), None, Some(bare)),
        };
        let columns = column::distinct(&source, offset, columns)?;
        // Our numbers have no quotes; a quote in them is damage, which must not swallow the lines below.
        let mut builder = csv::ReaderBuilder::new();
        builder.has_headers(false).flexible(true).terminator(LINE_END).quoting(ours.is_none());
        builder.delimiter(delimiter);
        let records = builder.comment(ours.is_none().then_some(b'#')).from_reader(source);
        let record = ByteRecord::new();
        Ok((
            Header { columns, metadata, bare },
            Self {
                records,
                record,
                start,
                has_comma_decimals: delimiter != b',',
                ours,
                is_last_line_whole,
                may_be_cut,
            },
        ))
    }

    pub fn block(&mut self, columns: &mut [Vec<f64>]) -> Result<Option<Ending>, ReadError> {
        for _ in 0..BLOCK_ROWS {
            let offset = self.start + self.records.position().byte();
            let found = self.records.read_byte_record(&mut self.record);
            let end = self.start + self.records.position().byte();
            let source = self.records.get_mut();
            if !found.map_err(|error| source.failed(&error.into()))? {
                return Ok(Some(match self.ours.take() {
                    Some(Ours { reason: Some(reason) }) => Ending::Finished(reason),
                    Some(Ours { reason: None }) => Ending::Cut { offset },
                    None => Ending::Unknown,
                }));
            }
            // Without its end a number can be half a number.
            let is_open = end >= source.length && !self.is_last_line_whole;
            if is_open && self.may_be_cut {
                return Ok(Some(Ending::Cut { offset }));
            }
            let first = self.record.get(0).unwrap_or_default();
            if self.ours.is_none() && self.record.len() == 1 && first.trim_ascii().is_empty() {
                continue;
            }
            for (k, cell) in self.record.iter().enumerate() {
                let value = match number(cell, self.has_comma_decimals) {
                    Ok(value) => value,
                    Err(_) if is_open => return Ok(Some(Ending::Cut { offset })),
                    Err(fault) => return Err(source.corrupt(offset, fault)),
                };
                if let Some(column) = columns.get_mut(k) {
                    column.push(value);
                }
            }
            let (expected, found) = (columns.len(), self.record.len());
            if is_open && found < expected {
                return Ok(Some(Ending::Cut { offset }));
            }
            if found != expected {
                return Err(source.corrupt(offset, Fault::Count { expected, found }));
            }
        }
        Ok(None)
    }
}

/// Passes the `#` lines on top, and tells whether they are those of an earlier legwork.
fn comments(source: &mut Source) -> Result<bool, ReadError> {
    let (mut is_old, mut line) = (false, Vec::new());
    loop {
        let offset = source.offset;
        source.line(&mut line)?;
        if !line.starts_with(b"#") {
            source.seek(offset)?;
            return Ok(is_old);
        }
        is_old |= offset == 0 && line.starts_with(OLD_FIRST);
    }
}

/// Reads the names of the columns as they are. The source is then at the first row.
fn names(source: &mut Source, delimiter: u8) -> Result<Vec<String>, ReadError> {
    let offset = source.offset;
    let mut builder = csv::ReaderBuilder::new();
    let mut reader =
        builder.has_headers(false).terminator(LINE_END).delimiter(delimiter).from_reader(&mut *source);
    let mut names = ByteRecord::new();
    let found = reader.read_byte_record(&mut names);
    let end = offset + reader.position().byte();
    found.map_err(|error| source.failed(&error.into()))?;
    source.seek(offset)?;
    let mut line = Vec::new();
    source.read(end - offset, &mut line)?;
    // A name may go over several lines; one whose quotes are open at the end of the file is cut.
    if line.split(|byte| *byte == b'"').count() % 2 == 0 {
        return Err(source.cut(offset));
    }
    if let Err(error) = str::from_utf8(&line) {
        return Err(source.corrupt(offset + error.valid_up_to() as u64, Fault::NotUtf8));
    }
    Ok(names.iter().map(|cell| String::from_utf8_lossy(cell).into_owned()).collect())
}

/// The columns of a table of which only the header is known: `x`, or `x [m]`.
fn bare_columns(source: &Source, offset: u64, names: &[String]) -> Result<Vec<Column>, ReadError> {
    // Some programs begin a file with the mark of its encoding.
    let names: Vec<&str> = names.iter().map(|name| name.trim_start_matches('\u{feff}').trim()).collect();
    let is_name = |cell: &&str| !cell.is_empty() && number(cell.as_bytes(), false).is_err();
    if names.is_empty() || !names.iter().all(is_name) {
        return Err(source.corrupt(offset, Fault::NoHeader));
    }
    let columns = names.iter().map(|cell| {
        let (name, unit) = name_and_unit(cell);
        let quoted = name.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        Column::new(quoted.unwrap_or(name), unit)
    });
    Ok(columns.collect())
}

/// What separates the cells: a comma, as in our own tables, or what stands in a header without one.
fn delimiter(source: &mut Source) -> Result<u8, ReadError> {
    let (offset, mut line) = (source.offset, Vec::new());
    source.line(&mut line)?;
    source.seek(offset)?;
    Ok([b',', b';', b'\t'].into_iter().find(|mark| line.contains(mark)).unwrap_or(b','))
}

fn number(cell: &[u8], has_comma_decimals: bool) -> Result<f64, Fault> {
    let text = str::from_utf8(cell).map_err(|_| Fault::NotUtf8)?;
    let point = has_comma_decimals.then(|| text.replacen(',', ".", 1));
    let number = point.as_deref().unwrap_or(text).trim().parse();
    number.map_err(|_| Fault::NotANumber { cell: text.chars().take(40).collect() })
}

/// `x [m]` is x in m. The last brackets count.
fn name_and_unit(cell: &str) -> (&str, &str) {
    let inside = cell.strip_suffix(']').and_then(|rest| rest.rsplit_once(" ["));
    inside.unwrap_or((cell, ""))
}

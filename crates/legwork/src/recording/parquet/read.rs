//! Reading Parquet, with its footer or without.

use super::super::error::{Fault, ReadError, Unsupported};
use super::super::files::Source;
use super::super::reader::{Ending, Header};
use super::footer::{Footer, Group};
use super::thrift::Value;
use super::{FOOTER, MAGIC, code};

pub(in super::super) struct Reader {
    source: Source,
    names: Vec<String>,
    optional: Vec<bool>,
    pages: Pages,
    bytes: Vec<u8>,
}

/// How the pages are found.
enum Pages {
    /// By the footer: the row groups that are left, the next one last.
    Footer { groups: Vec<Group>, ending: Ending },
    /// One after the other, in a file that has no footer.
    Scan,
}

/// Longest structure that is looked at \[bytes\]: robot file and columns are far below; a footer of a recording has 80
/// for each block and column.
pub(super) const LONGEST_STRUCTURE: u64 = 1 << 28;

impl Reader {
    pub fn open(mut source: Source) -> Result<(Header, Self), ReadError> {
        let mut bytes = Vec::new();
        let (footer, pages) = match Self::footer(&mut source, &mut bytes)? {
            Some(mut footer) => {
                let mut groups = std::mem::take(&mut footer.groups);
                groups.reverse();
                match footer.ending.take() {
                    Some(ending) => (footer, Pages::Footer { groups, ending }),
                    // The copy at the start happens to be the end of the file.
                    None => (footer, Pages::Scan),
                }
            }
            None => (Self::copy(&mut source, &mut bytes)?, Pages::Scan),
        };
        if matches!(pages, Pages::Scan) {
            Self::copy(&mut source, &mut bytes)?;
        }
        let names = footer.header.columns.iter().map(|column| column.name.clone()).collect();
        Ok((footer.header, Self { source, names, optional: footer.optional, pages, bytes }))
    }

    /// The footer; `None` if the file ends without one.
    fn footer(source: &mut Source, bytes: &mut Vec<u8>) -> Result<Option<Footer>, ReadError> {
        let Some(tail) = source.length.checked_sub(8).filter(|tail| *tail >= 4) else { return Ok(None) };
        source.seek(tail)?;
        source.read(8, bytes)?;
        let &[a, b, c, d, ref magic @ ..] = bytes.as_slice() else { return Ok(None) };
        if magic != MAGIC {
            return Ok(None);
        }
        let length = u64::from(u32::from_le_bytes([a, b, c, d]));
        let Some(start) = tail.checked_sub(length).filter(|start| *start >= 4) else {
            return Err(source.corrupt(tail, Fault::Length { length }));
        };
        if length > LONGEST_STRUCTURE {
            return Err(source.corrupt(tail, Fault::Length { length }));
        }
        source.seek(start)?;
        source.read(length, bytes)?;
        Footer::read(source, start, bytes).map(Some)
    }

    /// The copy of the footer at the start; leaves the source at the first page.
    fn copy(source: &mut Source, bytes: &mut Vec<u8>) -> Result<Footer, ReadError> {
        // The copy has its length behind it, so it is read by its structure.
        let length = Self::structure(source, 4, bytes)?.ok_or_else(|| source.cut(4))?;
        let end = 4 + length as u64;
        let footer = Footer::read(source, 4, &bytes[..length])?;
        source.seek(end)?;
        source.read(8, bytes)?;
        let length = u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
        if bytes[..4] != length || bytes[4..] != *MAGIC {
            let expected = "copy of the footer, as legwork writes it";
            return Err(source.corrupt(end, Fault::Structure { expected }));
        }
        Ok(footer)
    }

    /// The bytes of the structure at `offset` and some after it; gives its length, and
    /// `None` if there is no structure.
    pub(super) fn structure(
        source: &mut Source,
        offset: u64,
        bytes: &mut Vec<u8>,
    ) -> Result<Option<usize>, ReadError> {
        let mut most = 256;
        loop {
            source.seek(offset)?;
            let all = source.remaining() <= most;
            source.read(source.remaining().min(most), bytes)?;
            match Value::read(bytes) {
                Some((_, length)) => return Ok(Some(length)),
                None if all || most >= LONGEST_STRUCTURE => return Ok(None),
                None => most *= 16,
            }
        }
    }

    /// Whether the file has its footer.
    pub fn is_whole(&self) -> bool {
        matches!(self.pages, Pages::Footer { .. })
    }

    pub fn block(&mut self, columns: &mut [Vec<f64>]) -> Result<Option<Ending>, ReadError> {
        match &mut self.pages {
            Pages::Footer { groups, ending } => match groups.pop() {
                Some(group) => self.group(&group, columns).map(|()| None),
                None => Ok(Some(ending.clone())),
            },
            Pages::Scan => self.scan(columns),
        }
    }

    /// The columns of a row group, each from its own place.
    fn group(&mut self, group: &Group, columns: &mut [Vec<f64>]) -> Result<(), ReadError> {
        for (k, (column, (start, length))) in columns.iter_mut().zip(&group.chunks).enumerate() {
            let rows = column.len() as u64;
            self.source.seek(*start)?;
            let end = start + length;
            while self.source.offset < end {
                let page = self.source.offset;
                self.page(k, column)?;
                // A page belongs to one column: else a small file could name the same one again and again.
                if self.source.offset > end {
                    let length = self.source.offset - page;
                    return Err(self.source.corrupt(page, Fault::Length { length }));
                }
            }
            let found = column.len() as u64 - rows;
            if found != group.rows {
                let (expected, found) = (saturated(group.rows), saturated(found));
                return Err(self.source.corrupt(*start, Fault::Count { expected, found }));
            }
        }
        Ok(())
    }

    /// The next row group of a file without footer.
    fn scan(&mut self, columns: &mut [Vec<f64>]) -> Result<Option<Ending>, ReadError> {
        let start = self.source.offset;
        let before = columns.first().map_or(0, Vec::len);
        let mut rows = None;
        for (k, column) in columns.iter_mut().enumerate() {
            let offset = self.source.offset;
            match self.page(k, column) {
                Ok(()) => {}
                // The rest of the block, or a footer that was begun.
                Err(ReadError::Cut { .. }) => {
                    truncate(columns, before);
                    return Ok(Some(Ending::Cut { offset: start }));
                }
                Err(error) => return Err(error),
            }
            let found = column.len() - before;
            let expected = *rows.get_or_insert(found);
            if found != expected || found == 0 {
                return Err(self.source.corrupt(offset, Fault::Count { expected, found }));
            }
        }
        Ok(None)
    }

    /// Reads the page at the source's place into the column of number `k`.
    fn page(&mut self, k: usize, column: &mut Vec<f64>) -> Result<(), ReadError> {
        let start = self.source.offset;
        let expected = "page of Parquet";
        let length = Self::structure(&mut self.source, start, &mut self.bytes)?;
        if matches!(self.pages, Pages::Scan) && self.bytes.starts_with(&FOOTER) {
            return Err(self.source.cut(start));
        }
        let header = length.and_then(|length| Some((Value::read(&self.bytes)?.0, length)));
        let Some((header, length)) = header else {
            // A header that goes on after the end of the file, or no header.
            let is_short = self.source.length - start < 64;
            let fault = Fault::Structure { expected };
            return Err(if is_short { self.source.cut(start) } else { self.source.corrupt(start, fault) });
        };
        let unsupported = || Unsupported::Encoding { column: self.names.get(k).cloned().unwrap_or_default() };
        if header.int(1) != Some(code::DATA_PAGE) {
            return Err(match header.int(1) {
                Some(1..=3) => self.source.unsupported(unsupported()),
                _ => self.source.corrupt(start, Fault::Structure { expected }),
            });
        }
        let about = header.field(5).map(|about| (about.unsigned(1), about.int(2)));
        let stored = header.int(4);
        let (Some((Some(count), Some(encoding))), Some(size)) = (about, header.unsigned(3)) else {
            return Err(self.source.corrupt(start, Fault::Structure { expected }));
        };
        let place = start + length as u64;
        self.source.seek(place)?;
        self.source.read(size, &mut self.bytes)?;
        if let Some(stored) = stored.and_then(|stored| i32::try_from(stored).ok()) {
            let (stored, computed) = (stored.cast_unsigned(), crc32fast::hash(&self.bytes));
            if stored != computed {
                return Err(self.source.corrupt(place, Fault::Checksum { stored, computed }));
            }
        }
        if encoding != code::PLAIN {
            return Err(self.source.unsupported(unsupported()));
        }
        let mut values = self.bytes.as_slice();
        if self.optional.get(k) == Some(&true) {
            values = without_levels(values, count).ok_or_else(|| {
                let column = self.names.get(k).cloned().unwrap_or_default();
                self.source.unsupported(Unsupported::Nulls { column })
            })?;
        }
        let (values, rest) = values.as_chunks::<8>();
        if values.len() as u64 != count || !rest.is_empty() {
            let (expected, found) = (saturated(count), values.len());
            return Err(self.source.corrupt(place, Fault::Count { expected, found }));
        }
        column.extend(values.iter().map(|value| f64::from_le_bytes(*value)));
        Ok(())
    }
}

/// Values without the levels before them, if none of these is null: runs of the
/// level 1, or eight levels in a byte.
fn without_levels(bytes: &[u8], count: u64) -> Option<&[u8]> {
    let (length, rest) = bytes.split_first_chunk::<4>()?;
    let (mut levels, values) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
    let mut left = count;
    while left > 0 {
        let (head, rest) = varint(levels)?;
        if head & 1 == 0 {
            // a run: how many times, and the level
            let (level, rest) = rest.split_first()?;
            if *level != 1 {
                return None;
            }
            left = left.saturating_sub(head >> 1);
            levels = rest;
        } else {
            let (bytes, rest) = rest.split_at_checked(usize::try_from(head >> 1).ok()?)?;
            for byte in bytes {
                let used = left.min(8);
                if u64::from(byte.trailing_ones()) < used {
                    return None;
                }
                left -= used;
            }
            levels = rest;
        }
    }
    Some(values)
}

fn varint(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let mut value = 0;
    for (k, byte) in bytes.iter().enumerate().take(9) {
        value |= u64::from(byte & 0x7F) << (7 * k);
        if *byte < 0x80 {
            return Some((value, &bytes[k + 1..]));
        }
    }
    None
}

fn truncate(columns: &mut [Vec<f64>], rows: usize) {
    for column in columns {
        column.truncate(rows);
    }
}

/// A count for a message.
fn saturated(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

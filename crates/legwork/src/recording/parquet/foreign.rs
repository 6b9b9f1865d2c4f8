//! Parquet of other programs through the crate `parquet`: compressed, encoded, with integers and missing values.
//!
//! The crate panics on some damaged files. That becomes an error here, except in a program that is built to abort
//! instead of unwinding.

use super::super::Column;
use super::super::error::{Fault, ReadError, Unsupported};
use super::super::files::Source;
use super::super::reader::{Ending, Header};
use super::MAGIC;
use super::footer::described;
use super::read::{LONGEST_STRUCTURE, Reader};
use super::thrift::Value;
use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::errors::{ParquetError, Result as ParquetResult};
use parquet::file::metadata::{ColumnChunkMetaData, RowGroupMetaData};
use parquet::file::reader::{ChunkReader, FileReader, Length, SerializedFileReader};
use parquet::schema::types::ColumnDescriptor;
use std::io::{self, Read};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

pub(in super::super) struct ForeignReader {
    source: SharedSource,
    file: SerializedFileReader<SharedSource>,
    /// The next row group.
    group: usize,
    ending: Ending,
}

impl ForeignReader {
    pub fn open(source: Source) -> Result<(Header, Self), ReadError> {
        let mut source = source;
        check_footer(&mut source)?;
        let source = SharedSource { length: source.length, file: Arc::new(Mutex::new(source)) };
        let file = SerializedFileReader::new(source.clone()).map_err(|error| source.corrupt(&error))?;
        let about = file.metadata().file_metadata();
        let schema = about.schema_descr();
        for column in schema.columns() {
            if column.max_rep_level() > 0 || column.path().parts().len() > 1 {
                return Err(source.unsupported(Unsupported::Nested));
            }
            if !is_number(column) {
                return Err(source.unsupported(Unsupported::Type { column: column.name().into() }));
            }
        }
        // The crate does not look at this itself.
        let (mut all, mut numbers) = (0_u64, 0_u64);
        for group in file.metadata().row_groups() {
            let rows = u64::try_from(group.num_rows()).unwrap_or(u64::MAX);
            numbers = numbers.saturating_add(rows.saturating_mul(group.num_columns() as u64));
        }
        source.with(|source| source.decodes(numbers.saturating_mul(8)))?;
        for chunk in file.metadata().row_groups().iter().flat_map(RowGroupMetaData::columns) {
            let (start, length) = extent(chunk);
            // Columns do not overlap, so together they are not longer than the file.
            all = all.saturating_add(length);
            if all > source.length {
                let length = all;
                return Err(source.with(|source| source.corrupt(source.offset, Fault::Length { length })));
            }
            if start.checked_add(length).is_none_or(|end| end > source.length) {
                return Err(source.with(|source| source.corrupt(source.offset, Fault::Length { length })));
            }
        }
        let columns = schema.columns().iter().map(|column| Column::new(column.name(), "")).collect();
        let pairs = about.key_value_metadata().into_iter().flatten();
        let pairs = pairs.map(|pair| (pair.key.as_str(), pair.value.as_deref())).collect::<Vec<_>>();
        let (header, ending) = source.with(|source| described(source, 0, columns, &pairs))?;
        let ending = ending.unwrap_or(Ending::Unknown);
        Ok((header, Self { source, file, group: 0, ending }))
    }

    /// The next row group.
    pub fn block(&mut self, columns: &mut [Vec<f64>]) -> Result<Option<Ending>, ReadError> {
        if self.group == self.file.num_row_groups() {
            return Ok(Some(self.ending.clone()));
        }
        self.check_pages(self.group)?;
        let read = catch_unwind(AssertUnwindSafe(|| self.group(self.group, columns)));
        let read = read.unwrap_or_else(|_| Err(ParquetError::General("the decoder gave up".into())));
        read.map_err(|error| self.source.corrupt(&error))?;
        self.group += 1;
        Ok(None)
    }

    /// Refuses pages that would grow beyond what a file of this size may take: the crate believes their headers.
    fn check_pages(&self, index: usize) -> Result<(), ReadError> {
        let group = self.file.metadata().row_group(index);
        group.columns().iter().try_for_each(|chunk| self.source.with(|source| check_chunk(source, chunk)))
    }

    fn group(&self, index: usize, columns: &mut [Vec<f64>]) -> ParquetResult<()> {
        let group = self.file.get_row_group(index)?;
        let rows = usize::try_from(group.metadata().num_rows()).unwrap_or(0);
        for (k, column) in columns.iter_mut().enumerate() {
            match group.get_column_reader(k)? {
                ColumnReader::DoubleColumnReader(reader) => append(reader, rows, column, |x| x),
                ColumnReader::FloatColumnReader(reader) => append(reader, rows, column, f64::from),
                ColumnReader::Int32ColumnReader(reader) => append(reader, rows, column, f64::from),
                #[expect(clippy::cast_precision_loss, reason = "as near as a double comes")]
                ColumnReader::Int64ColumnReader(reader) => append(reader, rows, column, |x| x as f64),
                _ => Err(ParquetError::General("a column that holds no numbers".into())),
            }?;
        }
        Ok(())
    }
}

/// Refuses a footer whose lists are longer than it is: the crate would make room for them.
fn check_footer(source: &mut Source) -> Result<(), ReadError> {
    let mut bytes = Vec::new();
    let Some(tail) = source.length.checked_sub(8) else { return Err(source.cut(source.length)) };
    source.seek(tail)?;
    source.read(8, &mut bytes)?;
    let &[a, b, c, d, ref magic @ ..] = bytes.as_slice() else { return Err(source.cut(tail)) };
    let length = u64::from(u32::from_le_bytes([a, b, c, d]));
    if magic != MAGIC {
        return Err(source.corrupt(tail, Fault::Structure { expected: "end of a Parquet file" }));
    }
    let Some(start) = tail.checked_sub(length).filter(|_| length <= LONGEST_STRUCTURE) else {
        return Err(source.corrupt(tail, Fault::Length { length }));
    };
    source.seek(start)?;
    source.read(length, &mut bytes)?;
    match Value::read(&bytes) {
        Some(_) => Ok(()),
        None => Err(source.corrupt(start, Fault::Structure { expected: "footer of Parquet" })),
    }
}

/// Where a column of a row group begins, and its length \[bytes\].
fn extent(chunk: &ColumnChunkMetaData) -> (u64, u64) {
    let start = chunk.dictionary_page_offset().unwrap_or(chunk.data_page_offset());
    (u64::try_from(start).unwrap_or(u64::MAX), u64::try_from(chunk.compressed_size()).unwrap_or(u64::MAX))
}

/// Goes through the headers of the pages of a column and counts what they come to.
fn check_chunk(source: &mut Source, chunk: &ColumnChunkMetaData) -> Result<(), ReadError> {
    let (start, length) = extent(chunk);
    let (mut place, end) = (start, start.saturating_add(length));
    let mut bytes = Vec::new();
    while place < end {
        let fault = Fault::Structure { expected: "page of Parquet" };
        let header = Reader::structure(source, place, &mut bytes)?;
        let sizes = header.and_then(|header| {
            let (page, _) = Value::read(&bytes)?;
            // Of the second kind of data page the levels are not compressed: definition and repetition.
            let level = |number| page.field(8).and_then(|page| page.unsigned(number)).unwrap_or(0);
            // uncompressed and compressed size
            Some((header as u64, page.unsigned(2)?, page.unsigned(3)?, level(5).saturating_add(level(6))))
        });
        let Some((header, size, compressed, levels)) = sizes else {
            return Err(source.corrupt(place, fault));
        };
        place = place.saturating_add(header).saturating_add(compressed);
        if place > end {
            return Err(source.corrupt(end, Fault::Length { length: compressed }));
        }
        source.decodes(size)?;
        // Other compressions end at the size that the header gives.
        if matches!(chunk.compression(), Compression::GZIP(_) | Compression::LZ4) {
            source.seek(place - compressed)?;
            source.read(compressed, &mut bytes)?;
            let data = usize::try_from(levels).ok().and_then(|levels| bytes.get(levels..)).unwrap_or(&[]);
            let room = size.saturating_sub(levels);
            // What is called LZ4 has three forms; the crate bounds two of them, which are no frames.
            let mut decoder: Box<dyn Read> = match chunk.compression() {
                Compression::LZ4 => Box::new(lz4_flex::frame::FrameDecoder::new(data)),
                _ => Box::new(MultiGzDecoder::new(data)),
            };
            let found = io::copy(&mut decoder.by_ref().take(room.saturating_add(1)), &mut io::sink());
            if found.is_ok_and(|found| found > room) {
                return Err(source.corrupt(place - compressed, Fault::Length { length: size }));
            }
        }
    }
    Ok(())
}

/// Doubles, floats and integers, but not what is stored as integers: times, dates, decimals.
fn is_number(column: &ColumnDescriptor) -> bool {
    let is_plain = column.logical_type_ref().is_none_or(|kind| matches!(kind, LogicalType::Integer { .. }));
    is_plain && matches!(column.physical_type(), Type::DOUBLE | Type::FLOAT | Type::INT32 | Type::INT64)
}

/// Appends the values of a column in a row group; a missing one is NaN.
fn append<T: DataType>(
    mut reader: ColumnReaderImpl<T>,
    rows: usize,
    column: &mut Vec<f64>,
    number: impl Fn(T::T) -> f64,
) -> ParquetResult<()> {
    let (mut values, mut levels) = (Vec::new(), Vec::new());
    let (found, present, _) = reader.read_records(rows, Some(&mut levels), None, &mut values)?;
    if found != rows {
        return Err(ParquetError::General(format!("{found} of {rows} rows in a column")));
    }
    let mut values = values.into_iter().map(number);
    if present == rows {
        column.extend(values);
    } else {
        column.extend(
            levels
                .iter()
                .map(|level| if *level == 0 { None } else { values.next() })
                .map(|x| x.unwrap_or(f64::NAN)),
        );
    }
    Ok(())
}

/// A source that the crate may read from any place.
#[derive(Clone)]
struct SharedSource {
    file: Arc<Mutex<Source>>,
    length: u64,
}

impl SharedSource {
    fn with<T>(&self, work: impl FnOnce(&mut Source) -> T) -> T {
        work(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn corrupt(&self, error: &ParquetError) -> ReadError {
        let message = error.to_string();
        self.with(|source| source.corrupt(source.offset.min(source.length), Fault::Parquet { message }))
    }

    fn unsupported(&self, what: Unsupported) -> ReadError {
        self.with(|source| source.unsupported(what))
    }

    fn read(&self, start: u64, length: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = self.with(|source| source.seek(start).and_then(|()| source.read(length, &mut bytes)));
        read.map(|()| bytes).map_err(|error| io::Error::new(io::ErrorKind::UnexpectedEof, error))
    }
}

impl Length for SharedSource {
    fn len(&self) -> u64 {
        self.length
    }
}

impl ChunkReader for SharedSource {
    type T = Place;

    fn get_read(&self, start: u64) -> ParquetResult<Place> {
        Ok(Place { source: self.clone(), offset: start })
    }

    fn get_bytes(&self, start: u64, length: usize) -> ParquetResult<Bytes> {
        Ok(self.read(start, length as u64)?.into())
    }
}

/// The source from a place on.
struct Place {
    source: SharedSource,
    offset: u64,
}

impl Read for Place {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = self.source.length.saturating_sub(self.offset);
        let length = left.min(into.len() as u64);
        let bytes = self.source.read(self.offset, length)?;
        into[..bytes.len()].copy_from_slice(&bytes);
        self.offset += length;
        Ok(bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::super::thrift::Struct;
    use super::*;
    use flate2::write::GzEncoder;
    use lz4_flex::frame::FrameEncoder;
    use std::io::Write;

    /// Codes of compressions in Parquet.
    const GZIP: i64 = 2;
    const LZ4: i64 = 5;

    fn packed(codec: i64, data: &[u8]) -> Vec<u8> {
        if codec == GZIP {
            let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::best());
            encoder.write_all(data).unwrap();
            return encoder.finish().unwrap();
        }
        let mut encoder = FrameEncoder::new(Vec::new());
        encoder.write_all(data).unwrap();
        encoder.finish().unwrap()
    }

    /// A file with a column of `rows` doubles in one compressed page: of the second kind with levels in front of it if
    /// asked, which says of itself that it comes to `size` bytes.
    fn file(codec: i64, rows: i32, data: &[u8], size: usize, with_levels: bool) -> Vec<u8> {
        let levels = if with_levels { vec![u8::try_from(rows).unwrap() << 1, 1] } else { Vec::new() };
        let page = [levels.clone(), packed(codec, data)].concat();
        let length = |list: usize| i32::try_from(list).unwrap();
        let mut header = Struct::new()
            .i32(1, if with_levels { 3 } else { 0 })
            .i32(2, length(size))
            .i32(3, length(page.len()));
        header = if with_levels {
            let data =
                Struct::new().i32(1, rows).i32(2, 0).i32(3, rows).i32(4, 0).i32(5, length(levels.len()));
            header.child(8, data.i32(6, 0))
        } else {
            header.child(5, Struct::new().i32(1, rows).i32(2, 0).i32(3, 3).i32(4, 3))
        };
        let mut bytes = MAGIC.to_vec();
        bytes.extend(header.end());
        bytes.extend(page);
        let total = i64::try_from(bytes.len() - MAGIC.len()).unwrap();
        let about = Struct::new()
            .i32(1, 5)
            .codes(2, &[0])
            .texts(3, &["x"])
            .i32(4, codec)
            .i64(5, rows.into())
            .i64(6, total)
            .i64(7, total)
            .i64(9, 4);
        let column = Struct::new().i64(2, 4).child(3, about).end();
        let group = Struct::new().children(1, 1, &column).i64(2, total).i64(3, rows.into()).end();
        let root = Struct::new().text(4, "schema").i32(5, 1).end();
        let leaf = Struct::new().i32(1, 5).i32(3, i32::from(with_levels)).text(4, "x").end();
        let footer = Struct::new()
            .i32(1, 2)
            .children(2, 2, &[root, leaf].concat())
            .i64(3, rows.into())
            .children(4, 1, &group)
            .end();
        let length = u32::try_from(footer.len()).unwrap();
        bytes.extend(footer);
        bytes.extend(length.to_le_bytes());
        bytes.extend(MAGIC);
        bytes
    }

    fn read(bytes: Vec<u8>) -> Result<Vec<f64>, ReadError> {
        let (_, mut reader) = ForeignReader::open(Source::from_bytes("made", bytes))?;
        let mut columns = vec![Vec::new()];
        while reader.block(&mut columns)?.is_none() {}
        Ok(columns.remove(0))
    }

    /// Gzip and frames of LZ4 do not end by themselves where the page says; the crate takes all that comes.
    #[test]
    fn a_page_that_comes_to_more_than_it_says_is_refused_before_it_is_there() {
        for (codec, with_levels) in [(GZIP, false), (GZIP, true), (LZ4, false), (LZ4, true)] {
            let numbers: Vec<u8> = [1.5_f64, -2.0, 0.25].iter().flat_map(|x| x.to_le_bytes()).collect();
            let size = numbers.len() + 2 * usize::from(with_levels);
            let good = read(file(codec, 3, &numbers, size, with_levels)).unwrap();
            assert_eq!(good, [1.5, -2.0, 0.25], "{codec} {with_levels}");
            let bomb = file(codec, 3, &vec![0; 20_000_000], size, with_levels);
            match read(bomb) {
                Err(ReadError::Corrupt { fault: Fault::Length { length }, .. }) => {
                    assert_eq!(length, size as u64, "{codec} {with_levels}");
                }
                other => panic!("{codec} {with_levels}: {other:?}"),
            }
        }
    }
}

//! What stands at the end of a Parquet file: schema, row groups, keys and values.

use super::super::error::{Fault, ReadError, Unsupported};
use super::super::files::Source;
use super::super::metadata::RESERVED;
use super::super::reader::{Ending, Header};
use super::super::{Column, Metadata, column};
use super::thrift::{Struct, Value};
use super::{COLUMNS_KEY, END_KEY, MAGIC, VERSION, VERSION_KEY, code};

/// The bytes of a footer with its length and the magic bytes; `None` if it is longer than 4 GB.
pub(super) fn footer(
    columns: &[Column],
    metadata: &Metadata,
    end: Option<&str>,
    rows: i64,
    groups: (usize, &[u8]),
) -> Option<Vec<u8>> {
    let root = Struct::new().text(4, "schema").i32(5, i32::try_from(columns.len()).ok()?);
    let mut schema = root.end();
    for column in columns {
        // physical type and repetition
        let element = Struct::new().i32(1, code::DOUBLE).i32(3, code::REQUIRED);
        schema.extend(element.text(4, &column.name).end());
    }
    let description = column::to_json(columns);
    let ours = [(VERSION_KEY, VERSION), (COLUMNS_KEY, description.as_str())];
    let pairs = ours.into_iter().chain(end.map(|reason| (END_KEY, reason))).chain(metadata.iter());
    let mut keys = (0, Vec::new());
    for (key, value) in pairs {
        keys.0 += 1;
        keys.1.extend(Struct::new().text(1, key).text(2, value).end());
    }
    let mut bytes = Struct::new()
        .i32(1, 1) // version of the format
        .children(2, columns.len() + 1, &schema)
        .i64(3, rows)
        .children(4, groups.0, groups.1)
        .children(5, keys.0, &keys.1)
        .text(6, concat!("legwork version ", env!("CARGO_PKG_VERSION")))
        .end();
    let length = u32::try_from(bytes.len()).ok()?;
    bytes.extend(length.to_le_bytes());
    bytes.extend(MAGIC);
    Some(bytes)
}

/// What a footer says.
pub(super) struct Footer {
    pub header: Header,
    /// Whether columns may have nulls, each.
    pub optional: Vec<bool>,
    /// The row groups in order.
    pub groups: Vec<Group>,
    /// `None` in a recording of legwork that is not finished.
    pub ending: Option<Ending>,
}

/// A row group: where each column begins and how many bytes and rows it has.
pub(super) struct Group {
    pub rows: u64,
    pub chunks: Vec<(u64, u64)>,
}

impl Footer {
    /// Reads the structure that stands at `offset` of the file.
    pub fn read(source: &Source, offset: u64, bytes: &[u8]) -> Result<Self, ReadError> {
        let fault = |expected| source.corrupt(offset, Fault::Structure { expected });
        let (value, _) = Value::read(bytes).ok_or_else(|| fault("footer of Parquet"))?;
        let (columns, optional) = schema(value.list(2)).map_err(|error| match error {
            SchemaError::Unsupported(what) => source.unsupported(what),
            SchemaError::Corrupt => fault("schema of Parquet"),
        })?;
        if columns.is_empty() {
            return Err(source.corrupt(offset, Fault::Columns));
        }
        let pairs: Option<Vec<_>> =
            value.list(5).iter().map(|pair| Some((pair.text(1)?, pair.text(2)))).collect();
        let pairs = pairs.ok_or_else(|| source.corrupt(offset, Fault::Metadata))?;
        let (header, ending) = described(source, offset, columns, &pairs)?;
        let columns = header.columns.len();
        let groups = value.list(4).iter().map(|group| self::group(source, offset, group, columns));
        let groups: Option<Vec<Group>> = groups.collect::<Result<_, _>>()?;
        let groups = groups.ok_or_else(|| fault("row group of Parquet"))?;
        // Columns do not overlap, so together they are not longer than the file.
        let lengths = groups.iter().flat_map(|group| &group.chunks).map(|(_, length)| *length);
        let length = lengths.fold(0_u64, u64::saturating_add);
        if length > source.length {
            return Err(source.corrupt(offset, Fault::Length { length }));
        }
        Ok(Self { header, optional, groups, ending })
    }
}

/// Columns, metadata and ending by the keys and values of a file; no ending in a recording of legwork that is not
/// finished.
pub(super) fn described(
    source: &Source,
    offset: u64,
    mut columns: Vec<Column>,
    pairs: &[(&str, Option<&str>)],
) -> Result<(Header, Option<Ending>), ReadError> {
    let mut ending = Some(Ending::Unknown);
    let find = |key| pairs.iter().find(|pair| pair.0 == key)?.1;
    if let Some(version) = find(VERSION_KEY) {
        if version != VERSION {
            return Err(source.unsupported(Unsupported::Version { version: version.to_owned() }));
        }
        let described = find(COLUMNS_KEY).and_then(column::from_json);
        let same = |described: &Vec<Column>| {
            described.iter().map(|column| &column.name).eq(columns.iter().map(|column| &column.name))
        };
        columns = described.filter(same).ok_or_else(|| source.corrupt(offset, Fault::Columns))?;
        ending = find(END_KEY).map(|reason| Ending::Finished(reason.to_owned()));
    }
    let mut metadata = Metadata::default();
    for (key, value) in pairs.iter().filter(|(key, _)| !key.starts_with(RESERVED)) {
        metadata.insert((*key).to_owned(), value.unwrap_or_default().to_owned());
    }
    Ok((Header { columns: column::distinct(source, offset, columns)?, metadata, bare: None }, ending))
}

enum SchemaError {
    Unsupported(Unsupported),
    Corrupt,
}

fn schema(elements: &[Value]) -> Result<(Vec<Column>, Vec<bool>), SchemaError> {
    let (root, leaves) = elements.split_first().ok_or(SchemaError::Corrupt)?;
    if leaves.iter().any(|leaf| leaf.unsigned(5).is_some_and(|children| children > 0)) {
        return Err(SchemaError::Unsupported(Unsupported::Nested));
    }
    if root.unsigned(5) != Some(leaves.len() as u64) {
        return Err(SchemaError::Corrupt);
    }
    let (mut columns, mut optional) = (Vec::new(), Vec::new());
    for leaf in leaves {
        let column = leaf.text(4).ok_or(SchemaError::Corrupt)?.to_owned();
        if leaf.int(1).ok_or(SchemaError::Corrupt)? != code::DOUBLE {
            return Err(SchemaError::Unsupported(Unsupported::Type { column }));
        }
        optional.push(match leaf.int(3) {
            Some(code::REQUIRED) => false,
            Some(code::OPTIONAL) => true,
            Some(_) => return Err(SchemaError::Unsupported(Unsupported::Nested)),
            None => return Err(SchemaError::Corrupt),
        });
        columns.push(Column::new(column, ""));
    }
    Ok((columns, optional))
}

/// A row group with a chunk for each column; `None` if it makes no sense. The footer stands at `offset`.
fn group(source: &Source, offset: u64, group: &Value, columns: usize) -> Result<Option<Group>, ReadError> {
    let mut chunks = Vec::new();
    for chunk in group.list(1) {
        let Some(about) = chunk.field(3) else { return Ok(None) };
        if about.int(4).is_some_and(|codec| codec != code::UNCOMPRESSED) {
            return Err(source.unsupported(Unsupported::Compression));
        }
        // A dictionary stands before the pages that use it.
        let start = about.unsigned(11).or(about.unsigned(9));
        let (Some(start), Some(length)) = (start, about.unsigned(7)) else { return Ok(None) };
        if start.checked_add(length).is_none_or(|end| end > source.length) {
            return Err(source.corrupt(offset, Fault::Length { length }));
        }
        chunks.push((start, length));
    }
    let rows = group.unsigned(3);
    Ok(rows.filter(|_| chunks.len() == columns).map(|rows| Group { rows, chunks }))
}

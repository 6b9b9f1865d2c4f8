//! What a column is: name, unit and frame.

use super::error::{ColumnFault, Fault, ReadError, WriteError};
use super::files::Source;
use serde_json::{Value, json};

/// One quantity over time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// Its name: `x`. Any text, but unique in a recording.
    pub name: String,
    /// Its unit: `m`, `rad/s`, `N m`; empty for a pure number.
    pub unit: String,
    /// The frame it is expressed in: `base`; `None` where a frame has no meaning.
    pub frame: Option<String>,
}

/// Most columns of a recording; protobuf field numbers are reserved from 19 000 on.
pub(super) const MOST_COLUMNS: usize = 16_384;

impl Column {
    /// A column without a frame.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into(), frame: None }
    }

    /// The time base, always the first column: `t` in seconds.
    pub fn time() -> Self {
        Self::new("t", "s")
    }

    /// The same column, expressed in this frame.
    #[must_use]
    pub fn in_frame(self, frame: impl Into<String>) -> Self {
        Self { frame: Some(frame.into()), ..self }
    }
}

/// Refuses columns without a time base, and those that could not be distinguished or read back.
pub(super) fn check(columns: &[Column]) -> Result<(), WriteError> {
    if columns.first().is_none_or(|time| time.unit != "s") {
        let name = columns.first().map_or(String::new(), |column| column.name.clone());
        return Err(WriteError::Column { index: 0, name, fault: ColumnFault::NotTime });
    }
    check_names(columns)
}

/// Refuses columns that could not be distinguished or read back.
pub(super) fn check_names(columns: &[Column]) -> Result<(), WriteError> {
    let fault = |index: usize, fault| {
        let name = columns.get(index).map_or(String::new(), |column| column.name.clone());
        Err(WriteError::Column { index, name, fault })
    };
    if columns.len() > MOST_COLUMNS {
        return fault(MOST_COLUMNS, ColumnFault::TooMany { most: MOST_COLUMNS });
    }
    let mut seen = std::collections::BTreeMap::new();
    for (index, column) in columns.iter().enumerate() {
        if column.name.is_empty() {
            return fault(index, ColumnFault::NoName);
        }
        if let Some(first) = seen.insert(column.name.as_str(), index) {
            return fault(index, ColumnFault::Twice { first });
        }
    }
    Ok(())
}

/// The columns that a file names at `offset`, if no two have one name: nobody could tell them apart.
pub(super) fn distinct(source: &Source, offset: u64, columns: Vec<Column>) -> Result<Vec<Column>, ReadError> {
    let mut seen = std::collections::BTreeSet::new();
    match columns.iter().find(|column| !seen.insert(column.name.as_str())) {
        Some(Column { name, .. }) => Err(source.corrupt(offset, Fault::ColumnTwice { name: name.clone() })),
        None => Ok(columns),
    }
}

/// The columns as JSON, for formats that have no place for unit and frame.
pub(super) fn to_json(columns: &[Column]) -> String {
    let list = columns.iter().map(|Column { name, unit, frame }| {
        let mut entry = json!({ "name": name, "unit": unit });
        if let Some(frame) = frame {
            entry["frame"] = json!(frame);
        }
        entry
    });
    Value::Array(list.collect()).to_string()
}

/// Longest list of columns that is read \[bytes\]: a kilobyte for each of the most there can be.
const LONGEST_LIST: usize = MOST_COLUMNS << 10;

/// The columns that [`to_json`] wrote.
pub(super) fn from_json(text: &str) -> Option<Vec<Column>> {
    if text.len() > LONGEST_LIST {
        return None;
    }
    let list: Value = serde_json::from_str(text).ok()?;
    let columns = list.as_array()?.iter().map(|entry| {
        let text = |key: &str| entry.get(key)?.as_str().map(str::to_owned);
        Some(Column { name: text("name")?, unit: text("unit")?, frame: text("frame") })
    });
    columns.collect()
}

//! The numbers of a robot file where they stand, so that one of them can be changed and all else stays as it is written.

use super::convention::Convention;
use super::fields::{Field, Table};
use crate::families::Family;
use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// A number of a robot file.
#[derive(Clone, Debug, PartialEq)]
pub struct FileNumber {
    /// Where it is: `geometry.arm`, `leg[2].joint[1].position[3]`; lists count from 1.
    pub path: String,
    /// As it is written, without its unit.
    pub number: f64,
    /// The unit that stands behind it; may be empty.
    pub unit: String,
    /// What the file says there, quotes included.
    pub span: Range<usize>,
    /// Whether it is written as a text, with quotes.
    pub quoted: bool,
    /// The key that it belongs to, if the family has such a key.
    pub field: Option<Field>,
}

impl FileNumber {
    /// All numbers of a file, in its order as far as its tables keep it; none if it is not TOML.
    pub fn all(text: &str) -> Vec<Self> {
        let mut found = Vec::new();
        let Ok(root) = DeTable::parse(text) else { return found };
        let word = |key: &str| match root.get_ref().get(key).map(toml::Spanned::get_ref) {
            Some(DeValue::String(word)) => Some(word.as_ref()),
            _ => None,
        };
        let keys = Keys {
            family: word("family").and_then(Family::from_name),
            convention: word("convention").and_then(Convention::from_name),
        };
        for (key, value) in root.get_ref() {
            let key = key.get_ref().as_ref();
            if !["name", "source", "note"].contains(&key) {
                collect(text, &keys, key, value.get_ref(), value.span(), &mut found);
            }
        }
        found
    }

    /// The number in SI units, and the SI unit; as it is written where its key is not known.
    pub fn in_si(&self) -> (f64, &'static str) {
        let Some(quantity) = self.field.and_then(|field| field.kind.quantity()) else {
            return (self.number, "");
        };
        let bare = self.field.and_then(|field| field.unit_in_key).unwrap_or("");
        let unit = if self.unit.is_empty() { bare } else { &self.unit };
        let value =
            quantity.parse(&format!("{:?} {unit}", self.number)).map_or(self.number, |found| found.value);
        (value, quantity.si_unit())
    }

    /// The file with another number here, in the unit that is written.
    pub fn replaced(&self, text: &str, number: f64) -> String {
        match (self.quoted, self.number == 0.0) {
            // Zero of any unit is zero in SI.
            (true, true) => self.with_value(text, &format!("\"{number:?}\"")),
            (true, false) => self.with_value(text, &format!("\"{number:?} {}\"", self.unit)),
            (false, _) => self.with_value(text, &format!("{number:?}")),
        }
    }

    fn with_value(&self, text: &str, value: &str) -> String {
        let before = text.get(..self.span.start).unwrap_or(text);
        let after = text.get(self.span.end..).unwrap_or("");
        [before, value, after].concat()
    }
}

/// What the keys of a file mean.
struct Keys {
    family: Option<Family>,
    convention: Option<Convention>,
}

impl Keys {
    /// The key at the end of a path.
    fn field(&self, path: &str) -> Option<Field> {
        let row = self.family?.row();
        let names: Vec<&str> = path.split('.').filter_map(|part| part.split('[').next()).collect();
        let (key, tables) = names.split_last()?;
        let Some((first, inner)) = tables.split_first() else {
            return row.top().find(|field| field.key == *key).copied();
        };
        let own = |table: &Table, name: &str| table.key() == name;
        let mut table = row.tables().find(|table| own(table, first))?;
        for name in inner {
            table = table.tables.iter().find(|table| own(table, name))?;
        }
        let of_convention = || {
            let rows = self.convention.unwrap_or(Convention::Legwork).row().geometry.iter();
            rows.map(|(field, _)| field).find(|field| field.key == *key && *first == "geometry")
        };
        table.every_field().find(|field| field.key == *key).or_else(of_convention).copied()
    }
}

fn collect(
    text: &str,
    keys: &Keys,
    path: &str,
    value: &DeValue<'_>,
    span: Range<usize>,
    found: &mut Vec<FileNumber>,
) {
    let mut one = |number, unit: &str, quoted| {
        let (path, unit, field) = (path.to_owned(), unit.to_owned(), keys.field(path));
        found.push(FileNumber { path, number, unit, span: span.clone(), quoted, field });
    };
    match value {
        DeValue::Table(table) => {
            for (key, value) in table {
                let path = format!("{path}.{}", key.get_ref());
                collect(text, keys, &path, value.get_ref(), value.span(), found);
            }
        }
        DeValue::Array(items) => {
            for (k, item) in items.iter().enumerate() {
                let path = format!("{path}[{}]", k + 1);
                collect(text, keys, &path, item.get_ref(), item.span(), found);
            }
        }
        DeValue::Integer(_) | DeValue::Float(_) => {
            let literal = text.get(span.clone()).unwrap_or("").replace('_', "");
            if let Ok(number) = literal.parse() {
                one(number, "", false);
            }
        }
        DeValue::String(content) => {
            let content = content.trim();
            let end =
                content.find(|c: char| !(c.is_ascii_digit() || "+-.eE".contains(c))).unwrap_or(content.len());
            let (digits, unit) = content.split_at(end);
            if let Ok(number) = digits.parse() {
                one(number, unit.trim(), true);
            }
        }
        DeValue::Boolean(_) | DeValue::Datetime(_) => {}
    }
}

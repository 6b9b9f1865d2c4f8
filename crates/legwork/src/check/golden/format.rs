//! A golden file as text: every key once, every key known, no null, the same quantities in all states.

use super::GoldenError;
use crate::description::nearest_word;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

/// The keys of a format.
pub(super) struct Format {
    /// At the top.
    pub top: &'static [&'static str],
    /// The list of states or samples.
    pub list: &'static str,
    /// How many of them there must be.
    pub least: usize,
    /// Where a state may have something.
    pub entries: &'static [&'static str],
    /// Which of these are compared.
    pub answers: &'static [&'static str],
}

/// What the states of a file hold.
pub(super) struct Held {
    places: BTreeSet<String>,
    format: &'static [&'static str],
}

impl Held {
    pub fn has(&self, place: &str) -> bool {
        self.places.contains(place)
    }

    /// The quantities of the format that the file does not hold.
    pub fn absent(&self) -> Vec<String> {
        let absent = self.format.iter().filter(|place| !self.has(place));
        absent.map(|place| format!("{place}: not in the file")).collect()
    }
}

/// The text as JSON, refusing a key that stands twice in one table.
pub(super) fn read(text: &str) -> Result<Value, GoldenError> {
    let twice = RefCell::new(None);
    let mut parser = serde_json::Deserializer::from_str(text);
    let found = Once { pointer: String::new(), twice: &twice }.deserialize(&mut parser);
    let found = found.and_then(|value| parser.end().map(|()| value));
    if let Some(pointer) = twice.into_inner() {
        return Err(GoldenError::DuplicateKey { pointer });
    }
    found.map_err(|error| GoldenError::Syntax {
        line: error.line(),
        column: error.column(),
        // The parser puts the place behind its message; it is told apart here.
        message: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
    })
}

/// Whether a file has what its format has and nothing else; and which quantities its states hold.
pub(super) fn check(file: &Value, format: &Format) -> Result<Held, GoldenError> {
    no_null(file, "")?;
    let top = file.as_object().ok_or_else(|| super::missing("/"))?;
    for key in top.keys() {
        if !format.top.contains(&key.as_str()) {
            return Err(unknown(format!("/{key}"), key, format.top.iter().copied()));
        }
    }
    let list = top.get(format.list).and_then(Value::as_array);
    let list = list.ok_or_else(|| super::missing(format!("/{}", format.list)))?;
    if list.len() < format.least {
        return Err(GoldenError::NoStates);
    }
    let mut each = Vec::with_capacity(list.len());
    for (number, state) in list.iter().enumerate() {
        let mut places = BTreeSet::new();
        entries(state, "", &format!("/{}/{number}", format.list), format, &mut places)?;
        each.push(places);
    }
    let all: BTreeSet<String> = each.iter().flatten().cloned().collect();
    for (number, places) in each.iter().enumerate() {
        if let Some(place) = all.difference(places).next() {
            return Err(GoldenError::MissingInSome { pointer: format!("/{}/{number}{place}", format.list) });
        }
    }
    Ok(Held { places: all, format: format.answers })
}

fn unknown<'a>(pointer: String, key: &str, known: impl Iterator<Item = &'a str>) -> GoldenError {
    GoldenError::UnknownKey { pointer, meant: nearest_word(key, known).map(str::to_owned) }
}

/// The places of a state that hold something, if the format has them.
fn entries(
    value: &Value,
    place: &str,
    state: &str,
    format: &Format,
    into: &mut BTreeSet<String>,
) -> Result<(), GoldenError> {
    let Value::Object(map) = value else {
        return Err(super::missing(format!("{state}{place}")));
    };
    for (key, value) in map {
        let inner = format!("{place}/{key}");
        if format.entries.contains(&inner.as_str()) {
            into.insert(inner);
        } else if format.entries.iter().any(|known| known.starts_with(&format!("{inner}/"))) {
            entries(value, &inner, state, format, into)?;
        } else {
            let beside =
                format.entries.iter().filter_map(|known| known.strip_prefix(place)?.strip_prefix('/'));
            let words = beside.filter_map(|rest| rest.split('/').next());
            return Err(unknown(format!("{state}{inner}"), key, words));
        }
    }
    Ok(())
}

fn no_null(value: &Value, pointer: &str) -> Result<(), GoldenError> {
    match value {
        Value::Null => Err(GoldenError::Null { pointer: pointer.to_owned() }),
        Value::Array(items) => {
            items.iter().enumerate().try_for_each(|(k, item)| no_null(item, &format!("{pointer}/{k}")))
        }
        Value::Object(map) => {
            map.iter().try_for_each(|(key, value)| no_null(value, &format!("{pointer}/{key}")))
        }
        _ => Ok(()),
    }
}

/// A JSON value, each key of a table once. serde_json alone keeps the last of two without a word.
struct Once<'a> {
    pointer: String,
    twice: &'a RefCell<Option<String>>,
}

impl Once<'_> {
    fn within(&self, part: impl fmt::Display) -> Self {
        Self { pointer: format!("{}/{part}", self.pointer), twice: self.twice }
    }
}

impl<'de> DeserializeSeed<'de> for Once<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Once<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = access.next_element_seed(self.within(items.len()))? {
            items.push(item);
        }
        Ok(Value::Array(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut access: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = access.next_key::<String>()? {
            let inner = self.within(&key);
            if map.contains_key(&key) {
                self.twice.borrow_mut().get_or_insert(inner.pointer);
                return Err(A::Error::custom("a key stands twice"));
            }
            map.insert(key, access.next_value_seed(inner)?);
        }
        Ok(Value::Object(map))
    }
}

//! The text of a request as a tree that knows where each value stands, from TOML or from JSON, and any type read from
//! it. One reader for both formats: the same errors, and every request is compiled for one reader only.

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, IntoDeserializer, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::value::RawValue;
use std::fmt;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// No request is nested deeper.
const DEPTH: usize = 32;

/// What is wrong, and where in the text \[bytes\].
#[derive(Debug)]
pub(super) struct ReadError {
    pub message: String,
    pub at: Option<usize>,
}

impl ReadError {
    fn new(message: impl Into<String>, at: usize) -> Self {
        Self { message: message.into(), at: Some(at) }
    }

    /// With a place, if it has none that is nearer.
    fn within(self, at: usize) -> Self {
        Self { at: self.at.or(Some(at)), ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ReadError {}

impl Error for ReadError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self { message: message.to_string(), at: None }
    }
}

/// A value and its place \[bytes\].
#[derive(Debug)]
pub(super) struct Placed {
    at: usize,
    value: TreeValue,
}

#[derive(Debug)]
enum TreeValue {
    Nothing,
    Flag(bool),
    Integer(i64),
    Count(u64),
    Float(f64),
    Text(String),
    List(Vec<Placed>),
    Table(Vec<Entry>),
}

#[derive(Debug)]
struct Entry {
    at: usize,
    key: String,
    value: Placed,
}

impl Placed {
    pub fn of_toml(text: &str) -> Result<Self, ReadError> {
        let table = DeTable::parse(text)
            .map_err(|error| ReadError::new(error.message(), error.span().map_or(0, |span| span.start)))?;
        Ok(Self { at: 0, value: toml_table(table.get_ref(), DEPTH)? })
    }

    pub fn of_json(text: &str) -> Result<Self, ReadError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(text, 0, &error))?;
        Self::json(text, raw, DEPTH)
    }

    /// Takes the text under a key out of a table.
    pub fn take_text(&mut self, key: &str) -> Option<String> {
        let TreeValue::Table(entries) = &mut self.value else { return None };
        let place = entries.iter().position(|entry| entry.key == key)?;
        match entries.remove(place).value.value {
            TreeValue::Text(text) => Some(text),
            _ => None,
        }
    }

    pub fn read<'t, T: Deserialize<'t>>(&'t self) -> Result<T, ReadError> {
        T::deserialize(self)
    }

    /// The path of the value, or of the key, that begins at a place: `path.from.2`.
    pub fn path_at(&self, at: usize) -> Option<String> {
        let inner = |name: String, starts: bool, value: &Self| {
            let below = value.path_at(at).map(|path| format!("{name}.{path}"));
            below.or_else(|| (starts || value.at == at).then_some(name))
        };
        match &self.value {
            TreeValue::Table(entries) => {
                entries.iter().find_map(|entry| inner(entry.key.clone(), entry.at == at, &entry.value))
            }
            TreeValue::List(values) => {
                values.iter().enumerate().find_map(|(k, value)| inner((k + 1).to_string(), false, value))
            }
            _ => None,
        }
    }

    fn toml(value: &Spanned<DeValue<'_>>, depth: usize) -> Result<Self, ReadError> {
        let at = value.span().start;
        let deeper = depth.checked_sub(1).ok_or_else(|| too_deep(at));
        let value = match value.get_ref() {
            DeValue::String(text) => TreeValue::Text(text.to_string()),
            DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
                .map(TreeValue::Integer)
                .map_err(|_| ReadError::new(format!("{} is too large", number.as_str()), at))?,
            DeValue::Float(number) => {
                let read = number.as_str().parse().map(TreeValue::Float);
                read.map_err(|_| ReadError::new(format!("{} is no number", number.as_str()), at))?
            }
            DeValue::Boolean(flag) => TreeValue::Flag(*flag),
            DeValue::Datetime(date) => TreeValue::Text(date.to_string()),
            DeValue::Array(values) => {
                let depth = deeper?;
                let list = values.iter().map(|value| Self::toml(value, depth));
                TreeValue::List(list.collect::<Result<_, _>>()?)
            }
            DeValue::Table(table) => toml_table(table, deeper?)?,
        };
        Ok(Self { at, value })
    }

    /// A part of a JSON text; borrowed from it, so that its address tells its place.
    fn json(text: &str, raw: &RawValue, depth: usize) -> Result<Self, ReadError> {
        let at = offset(text, raw);
        let deeper = depth.checked_sub(1).ok_or_else(|| too_deep(at));
        let fault = |error: serde_json::Error| syntax(text, at, &error);
        let value = match raw.get().as_bytes().first() {
            Some(b'{') => {
                let depth = deeper?;
                let Members(members) = serde_json::from_str(raw.get()).map_err(fault)?;
                let mut entries: Vec<Entry> = Vec::with_capacity(members.len());
                for (key, value) in members {
                    let at = offset(text, key);
                    let key: String = serde_json::from_str(key.get()).map_err(fault)?;
                    if entries.iter().any(|entry| entry.key == key) {
                        return Err(ReadError::new(format!("`{key}` is given twice"), at));
                    }
                    entries.push(Entry { at, key, value: Self::json(text, value, depth)? });
                }
                TreeValue::Table(entries)
            }
            Some(b'[') => {
                let depth = deeper?;
                let items: Vec<&RawValue> = serde_json::from_str(raw.get()).map_err(fault)?;
                let list = items.into_iter().map(|item| Self::json(text, item, depth));
                TreeValue::List(list.collect::<Result<_, _>>()?)
            }
            _ => match serde_json::from_str(raw.get()).map_err(fault)? {
                serde_json::Value::Bool(flag) => TreeValue::Flag(flag),
                serde_json::Value::String(text) => TreeValue::Text(text),
                serde_json::Value::Number(number) => match (number.as_i64(), number.as_u64()) {
                    (Some(integer), _) => TreeValue::Integer(integer),
                    (_, Some(count)) => TreeValue::Count(count),
                    _ => TreeValue::Float(number.as_f64().unwrap_or(f64::NAN)),
                },
                _ => TreeValue::Nothing,
            },
        };
        Ok(Self { at, value })
    }

    fn unexpected(&self) -> Unexpected<'_> {
        match &self.value {
            TreeValue::Nothing => Unexpected::Unit,
            TreeValue::Flag(flag) => Unexpected::Bool(*flag),
            TreeValue::Integer(number) => Unexpected::Signed(*number),
            TreeValue::Count(number) => Unexpected::Unsigned(*number),
            TreeValue::Float(number) => Unexpected::Float(*number),
            TreeValue::Text(text) => Unexpected::Str(text),
            TreeValue::List(_) => Unexpected::Seq,
            TreeValue::Table(_) => Unexpected::Map,
        }
    }
}

fn too_deep(at: usize) -> ReadError {
    ReadError::new(format!("nested deeper than {DEPTH} levels"), at)
}

fn toml_table(table: &DeTable<'_>, depth: usize) -> Result<TreeValue, ReadError> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let key_text: &std::borrow::Cow<'_, str> = key.get_ref();
        Ok(Entry { at: key.span().start, key: key_text.to_string(), value: Placed::toml(value, depth)? })
    };
    Ok(TreeValue::Table(table.iter().map(entry).collect::<Result<_, ReadError>>()?))
}

/// Where a part of a text begins.
fn offset(text: &str, part: &RawValue) -> usize {
    part.get().as_ptr().addr().saturating_sub(text.as_ptr().addr())
}

/// A fault of JSON in the part of a text that begins at `start`.
fn syntax(text: &str, start: usize, error: &serde_json::Error) -> ReadError {
    let part = text.get(start..).unwrap_or("");
    let line: usize = part.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or(&message);
    ReadError::new(message, start + line + error.column().saturating_sub(1))
}

/// The members of a JSON object in their order, with those that are given twice.
struct Members<'t>(Vec<(&'t RawValue, &'t RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each;
        impl<'de> Visitor<'de> for Each {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Each)
    }
}

impl<'de> Deserializer<'de> for &'de Placed {
    type Error = ReadError;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match &self.value {
            TreeValue::Nothing => visitor.visit_unit(),
            TreeValue::Flag(flag) => visitor.visit_bool(*flag),
            TreeValue::Integer(number) => visitor.visit_i64(*number),
            TreeValue::Count(number) => visitor.visit_u64(*number),
            TreeValue::Float(number) => visitor.visit_f64(*number),
            TreeValue::Text(text) => visitor.visit_str(text),
            TreeValue::List(values) => {
                let mut items = Items(values.iter());
                let list = visitor.visit_seq(&mut items)?;
                match items.0.next() {
                    None => Ok(list),
                    Some(left) => Err(ReadError::new("one value too many", left.at)),
                }
            }
            TreeValue::Table(entries) => visitor.visit_map(Entries(entries.iter(), None)),
        }
        .map_err(|error: ReadError| error.within(self.at))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.value {
            TreeValue::Nothing => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match &self.value {
            TreeValue::Text(text) => visitor.visit_enum(text.as_str().into_deserializer()),
            TreeValue::Table(entries) => match &entries[..] {
                [one] => visitor.visit_enum(one),
                _ => Err(ReadError::custom("one key is expected here, the name of a variant")),
            },
            _ => Err(ReadError::invalid_type(self.unexpected(), &"a word or a table with one key")),
        }
        .map_err(|error| error.within(self.at))
    }

    /// Only a table: a list, whose values would go by the order of fields in our code, is refused, and not compiled.
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        match &self.value {
            TreeValue::Table(entries) => visitor.visit_map(Entries(entries.iter(), None)),
            _ => Err(ReadError::invalid_type(self.unexpected(), &visitor)),
        }
        .map_err(|error: ReadError| error.within(self.at))
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map identifier ignored_any
    }
}

struct Items<'t>(std::slice::Iter<'t, Placed>);

impl<'de> SeqAccess<'de> for &mut Items<'de> {
    type Error = ReadError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ReadError> {
        self.0.next().map(|value| seed.deserialize(value)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.0.len())
    }
}

/// What is left of a table, and the value that follows the last key.
struct Entries<'t>(std::slice::Iter<'t, Entry>, Option<&'t Placed>);

impl<'de> MapAccess<'de> for Entries<'de> {
    type Error = ReadError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ReadError> {
        let Some(entry) = self.0.next() else { return Ok(None) };
        self.1 = Some(&entry.value);
        let key = seed.deserialize(entry.key.as_str().into_deserializer());
        key.map(Some).map_err(|error: ReadError| error.within(entry.at))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ReadError> {
        let value = self.1.take().ok_or_else(|| ReadError::custom("a value without a key"))?;
        seed.deserialize(value).map_err(|error| error.within(value.at))
    }
}

impl<'de> EnumAccess<'de> for &'de Entry {
    type Error = ReadError;
    type Variant = &'de Placed;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self::Variant), ReadError> {
        let variant = seed.deserialize(self.key.as_str().into_deserializer());
        variant.map(|variant| (variant, &self.value)).map_err(|error: ReadError| error.within(self.at))
    }
}

impl<'de> VariantAccess<'de> for &'de Placed {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.value {
            TreeValue::Nothing => Ok(()),
            _ => Err(ReadError::invalid_type(self.unexpected(), &"nothing")),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, ReadError> {
        seed.deserialize(self)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        self.deserialize_any(visitor)
    }
}

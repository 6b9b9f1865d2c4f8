//! A value of a robot file, free of the parser's types.

use std::ops;
use toml::Spanned;
use toml::de::DeValue;

/// No field is a list of lists of lists.
const DEPTH: usize = 2;

/// A value of the file.
pub(super) enum FileValue {
    Nothing,
    Text(ops::Range<usize>, String),
    /// A number, as decimal digits or as `nan` or `inf`.
    Number(ops::Range<usize>, String),
    Flag(ops::Range<usize>, bool),
    Array(ops::Range<usize>, Vec<FileValue>),
    Other(ops::Range<usize>, &'static str),
}

impl FileValue {
    pub fn of(value: Option<&Spanned<DeValue<'_>>>) -> Self {
        value.map_or(Self::Nothing, |value| Self::within(value, DEPTH))
    }

    fn within(value: &Spanned<DeValue<'_>>, depth: usize) -> Self {
        let span = value.span();
        match value.get_ref() {
            DeValue::String(text) => Self::Text(span, text.to_string()),
            DeValue::Float(number) => Self::Number(span, number.as_str().to_owned()),
            DeValue::Integer(number) => {
                let decimal = i128::from_str_radix(number.as_str(), number.radix());
                Self::Number(span, decimal.map_or_else(|_| number.as_str().to_owned(), |n| n.to_string()))
            }
            DeValue::Boolean(flag) => Self::Flag(span, *flag),
            DeValue::Array(values) if depth > 0 => {
                Self::Array(span, values.iter().map(|value| Self::within(value, depth - 1)).collect())
            }
            other => Self::Other(span, described(other)),
        }
    }

    pub fn span(&self) -> ops::Range<usize> {
        match self {
            Self::Nothing => 0..0,
            Self::Text(span, _)
            | Self::Number(span, _)
            | Self::Flag(span, _)
            | Self::Array(span, _)
            | Self::Other(span, _) => span.clone(),
        }
    }

    pub fn described(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Text(..) => "a text",
            Self::Number(..) => "a number",
            Self::Flag(..) => "true or false",
            Self::Array(..) => "an array",
            Self::Other(_, described) => described,
        }
    }
}

/// The type of a value, in words.
pub(super) fn described(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "an array",
        DeValue::Table(_) => "a table",
    }
}

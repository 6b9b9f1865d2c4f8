//! Reading one table of a robot file, key by key, against its fields.
//!
//! Nothing stops at the first problem: a value that cannot be read is noted, NaN or nothing stands in for it,
//! and the file is refused at the end.

use super::convention::{CONVENTIONS, Convention};
use super::fields::{self, Field, Kind, Need, Range};
use super::nearest::nearest;
use super::problem::{Location, Problem, ProblemKind, Suggestion};
use crate::units::Quantity;
use std::ops;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// The text of a file and what is wrong with it so far.
pub(super) struct Notes<'t> {
    pub text: &'t str,
    pub problems: Vec<Problem>,
}

impl Notes<'_> {
    /// Note a problem; without a span it concerns the whole file.
    pub fn note(&mut self, span: Option<ops::Range<usize>>, kind: ProblemKind) {
        let location = span.map(|span| Location::of(self.text, &span));
        self.problems.push(Problem { kind, location });
    }
}

/// One table of the file with the fields it may have.
pub(super) struct Reader<'n, 't> {
    pub notes: &'n mut Notes<'t>,
    /// Name of the table; empty at the top of the file.
    pub name: &'static str,
    pub table: &'n DeTable<'t>,
    /// The table's header, to point at when a key is missing.
    pub header: Option<ops::Range<usize>>,
    /// The convention that decides what a bare number means here.
    pub convention: Convention,
    /// Whether bare numbers are SI; otherwise only zero needs no unit.
    pub bare_numbers: bool,
}

impl Reader<'_, '_> {
    /// Note every key that is none of `fields`. `skip` names tables, which are read elsewhere.
    pub fn refuse_unknown_keys(&mut self, fields: &[Field], skip: &[&'static str]) {
        for (key, value) in self.table {
            let name: &str = key.get_ref();
            if skip.contains(&name) || fields.iter().any(|field| field.key == name) {
                continue;
            }
            let is_table = matches!(value.get_ref(), DeValue::Table(_));
            let kind = if self.name.is_empty() && is_table {
                let nearest = nearest(name, fields::TABLES.iter().map(|table| table.name));
                ProblemKind::UnknownTable { name: name.into(), nearest }
            } else {
                let suggestion = self.suggest(name, fields);
                ProblemKind::UnknownKey { table: self.name, key: name.into(), suggestion }
            };
            self.notes.note(Some(key.span()), kind);
        }
    }

    /// What an unknown key may have meant.
    fn suggest(&self, key: &str, fields: &[Field]) -> Option<Suggestion> {
        if self.name == fields::GEOMETRY.name
            && let Some(suggestion) = self.suggest_by_convention(key)
        {
            return Some(suggestion);
        }
        let has = |fields: &[Field]| fields.iter().any(|field| field.key == key);
        let home = std::iter::once(&fields::TOP).chain(fields::TABLES).find(|table| {
            table.name != self.name && (has(table.fields) || self.in_geometry(table.name, key))
        });
        let near = || nearest(key, fields.iter().map(|field| field.key)).map(Suggestion::Key);
        home.map(|table| Suggestion::Table(table.name)).or_else(near)
    }

    fn in_geometry(&self, table: &str, key: &str) -> bool {
        table == fields::GEOMETRY.name
            && self.convention.row().geometry.iter().any(|(field, _)| field.key == key)
    }

    /// The key belongs to another convention: name that one, or our own key of the same meaning.
    fn suggest_by_convention(&self, key: &str) -> Option<Suggestion> {
        let mut others = CONVENTIONS.iter().filter(|row| row.convention != self.convention);
        let (other, gives) = others.find_map(|row| {
            let (_, gives) = row.geometry.iter().find(|(field, _)| field.key == key)?;
            Some((row.convention, std::mem::discriminant(gives)))
        })?;
        if self.convention == Convention::Legwork {
            return Some(Suggestion::Convention(other));
        }
        let own =
            self.convention.row().geometry.iter().find(|(_, own)| std::mem::discriminant(own) == gives)?;
        Some(Suggestion::Key(own.0.key))
    }

    /// The value of a key, if it is there.
    fn value(&self, field: &Field) -> Option<&Spanned<DeValue<'_>>> {
        self.table.iter().find(|(key, _)| key.get_ref() == field.key).map(|(_, value)| value)
    }

    /// Note that a key is missing, if it must be there.
    fn missing(&mut self, field: &Field) {
        if field.need == Need::Required {
            let kind = ProblemKind::MissingKey { table: self.name, field: *field };
            self.notes.note(self.header.clone(), kind);
        }
    }

    /// Note that a value is of another type.
    fn wrong_type(&mut self, field: &Field, found: &Found) {
        let kind = ProblemKind::WrongType { field: *field, found: found.described() };
        self.notes.note(Some(found.span()), kind);
    }

    /// A text, if it is there.
    pub fn text(&mut self, field: &Field) -> Option<String> {
        match Found::of(self.value(field)) {
            Found::Nothing => self.missing(field),
            Found::Text(_, text) => return Some(text),
            found => self.wrong_type(field, &found),
        }
        None
    }

    /// One of the words of the field; the default word if it is not there.
    pub fn word(&mut self, field: &Field) -> Option<&'static str> {
        match Found::of(self.value(field)) {
            Found::Nothing => self.default_word(field),
            found => self.word_in(field, &found),
        }
    }

    /// Three of the words of the field; one word stands for all of them.
    pub fn words(&mut self, field: &Field) -> Option<[&'static str; 3]> {
        match Found::of(self.value(field)) {
            Found::Nothing => self.default_word(field).map(|word| [word; 3]),
            Found::Array(span, values) => {
                let words = values.iter().map(|value| self.word_in(field, value)).collect::<Option<Vec<_>>>();
                self.three(field, span, words?)
            }
            found => self.word_in(field, &found).map(|word| [word; 3]),
        }
    }

    fn default_word(&mut self, field: &Field) -> Option<&'static str> {
        self.missing(field);
        if let Need::Default(word) = field.need { Some(word) } else { None }
    }

    fn word_in(&mut self, field: &Field, found: &Found) -> Option<&'static str> {
        let (Kind::Choice(known) | Kind::ChoicePerLeg(known)) = field.kind else { return None };
        let Found::Text(span, word) = found else {
            self.wrong_type(field, found);
            return None;
        };
        let known_word = known.iter().copied().find(|&choice| choice == word);
        if known_word.is_none() {
            let nearest = nearest(word, known.iter().copied());
            let kind = ProblemKind::UnknownWord { key: field.key, word: word.clone(), known, nearest };
            self.notes.note(Some(span.clone()), kind);
        }
        known_word
    }

    /// A number in SI; NaN if there is none to give.
    pub fn number(&mut self, field: &Field) -> f64 {
        self.number_or(field, f64::NAN)
    }

    /// A number in SI, or `derived` if it is not there and the table has no default for it.
    pub fn number_or(&mut self, field: &Field, derived: f64) -> f64 {
        match Found::of(self.value(field)) {
            Found::Nothing => {
                self.missing(field);
                let Need::Default(text) = field.need else { return derived };
                let quantity = field.kind.quantity().unwrap_or(Quantity::Ratio);
                quantity.parse(text).map_or(f64::NAN, |measure| measure.value)
            }
            found => self.number_in(field, &found).unwrap_or(f64::NAN),
        }
    }

    /// A number in SI, if it is there.
    pub fn optional_number(&mut self, field: &Field) -> Option<f64> {
        match Found::of(self.value(field)) {
            Found::Nothing => None,
            found => self.number_in(field, &found),
        }
    }

    /// Three numbers in SI, if they are there; one number goes through `spread`.
    pub fn numbers(&mut self, field: &Field, spread: fn(f64) -> [f64; 3]) -> Option<[f64; 3]> {
        match Found::of(self.value(field)) {
            Found::Nothing => self.missing(field),
            Found::Array(span, values) => {
                let numbers =
                    values.iter().map(|value| self.number_in(field, value)).collect::<Option<Vec<_>>>();
                return self.three(field, span, numbers?);
            }
            found if matches!(field.kind, Kind::Vector(_)) => self.wrong_type(field, &found),
            found => return self.number_in(field, &found).map(spread),
        }
        None
    }

    /// Exactly three values.
    fn three<T>(&mut self, field: &Field, span: ops::Range<usize>, values: Vec<T>) -> Option<[T; 3]> {
        let found = values.len();
        let three = values.try_into().ok();
        if three.is_none() {
            self.notes.note(Some(span), ProblemKind::WrongCount { key: field.key, found });
        }
        three
    }

    /// A number in SI from one value, inside the range of its field.
    fn number_in(&mut self, field: &Field, found: &Found) -> Option<f64> {
        let quantity = field.kind.quantity()?;
        let key = field.key;
        let (span, text, bare) = match found {
            Found::Text(span, text) => (span, text.clone(), text),
            Found::Number(span, number) => {
                // A number that is not finite has no digits to parse.
                if let Some(value) = number.parse::<f64>().ok().filter(|value| !value.is_finite()) {
                    self.notes.note(Some(span.clone()), ProblemKind::NotFinite { key, value });
                    return None;
                }
                (span, format!("{number} {}", field.unit_in_key.unwrap_or("")), number)
            }
            _ => {
                self.wrong_type(field, found);
                return None;
            }
        };
        let problem = match quantity.parse(&text) {
            Err(error) => ProblemKind::Unit { key, quantity, error },
            Ok(measure) => {
                let value = measure.value;
                let needs_unit = !self.bare_numbers && quantity != Quantity::Ratio && value != 0.0;
                if measure.unit.is_none() && needs_unit {
                    let (number, convention) = (bare.trim().to_owned(), self.convention);
                    ProblemKind::BareNumber { key, number, quantity, convention }
                } else if !in_range(field.range, value) {
                    ProblemKind::OutOfRange { field: *field, value }
                } else {
                    return Some(value);
                }
            }
        };
        self.notes.note(Some(span.clone()), problem);
        None
    }
}

fn in_range(range: Range, value: f64) -> bool {
    match range {
        Range::Any => true,
        Range::Positive => value > 0.0,
        Range::NotNegative => value >= 0.0,
        Range::NotZero => value != 0.0,
    }
}

/// A value of the file, free of the parser's types.
enum Found {
    Nothing,
    Text(ops::Range<usize>, String),
    /// A number, as decimal digits or as `nan` or `inf`.
    Number(ops::Range<usize>, String),
    Array(ops::Range<usize>, Vec<Found>),
    Other(ops::Range<usize>, &'static str),
}

impl Found {
    fn of(value: Option<&Spanned<DeValue<'_>>>) -> Self {
        let Some(value) = value else { return Self::Nothing };
        let span = value.span();
        match value.get_ref() {
            DeValue::String(text) => Self::Text(span, text.to_string()),
            DeValue::Float(number) => Self::Number(span, number.as_str().to_owned()),
            DeValue::Integer(number) => {
                let decimal = i128::from_str_radix(number.as_str(), number.radix());
                Self::Number(span, decimal.map_or_else(|_| number.as_str().to_owned(), |n| n.to_string()))
            }
            // No field is an array of arrays, so depth two is enough.
            DeValue::Array(values) => {
                let shallow = |value: &Spanned<DeValue<'_>>| match value.get_ref() {
                    DeValue::Array(_) => Self::Other(value.span(), "an array"),
                    _ => Self::of(Some(value)),
                };
                Self::Array(span, values.iter().map(shallow).collect())
            }
            other => Self::Other(span, described(other)),
        }
    }

    fn span(&self) -> ops::Range<usize> {
        match self {
            Self::Nothing => 0..0,
            Self::Text(span, _) | Self::Number(span, _) | Self::Array(span, _) | Self::Other(span, _) => {
                span.clone()
            }
        }
    }

    fn described(&self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Text(..) => "a text",
            Self::Number(..) => "a number",
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

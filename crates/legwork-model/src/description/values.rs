//! The value behind a key, against its field: words, numbers in SI, lists of them.

use super::fields::{Count, Field, Need, Range, ValueType};
use super::file_value::FileValue;
use super::problem::ProblemKind;
use super::reader::Reader;
use crate::nearest::nearest;
use crate::rotation::unit;
use crate::units::Quantity;
use std::f64::consts::PI;
use std::ops;

impl Reader<'_, '_> {
    fn found(&self, field: &Field) -> FileValue {
        FileValue::of(self.value(field.key))
    }

    /// Note that a value is of another type.
    fn wrong_type(&mut self, field: &Field, found: &FileValue) {
        let kind = ProblemKind::WrongType { field: *field, found: found.described() };
        self.notes.note(Some(found.span()), kind);
    }

    /// Note that a list has too few or too many values.
    fn wrong_count(&mut self, field: &Field, span: ops::Range<usize>, needs: Count, found: usize) {
        let kind = ProblemKind::WrongCount { key: field.key, needs, found, each: false, like: None };
        self.notes.note(Some(span), kind);
    }

    /// Note that a list has another number of values than the one for the same legs.
    pub fn unlike(&mut self, field: &Field, found: usize, like: &Field, needs: usize) {
        let needs = Count::Exactly(needs);
        let kind =
            ProblemKind::WrongCount { key: field.key, needs, found, each: false, like: Some(like.key) };
        let span = self.value(field.key).map(toml::Spanned::span);
        self.notes.note(span, kind);
    }

    /// A text, if it is there.
    pub fn text(&mut self, field: &Field) -> Option<String> {
        match self.found(field) {
            FileValue::Nothing => self.missing(field),
            FileValue::Text(_, text) => return Some(text),
            found => self.wrong_type(field, &found),
        }
        None
    }

    /// True or false; false if it is not there.
    pub fn flag(&mut self, field: &Field) -> bool {
        match self.found(field) {
            FileValue::Nothing => self.missing(field),
            FileValue::Flag(_, flag) => return flag,
            found => self.wrong_type(field, &found),
        }
        false
    }

    /// A whole number; `None` if there is none to give.
    pub fn whole(&mut self, field: &Field) -> Option<u32> {
        let ValueType::Whole(fewest, most) = field.kind else { return None };
        match self.found(field) {
            FileValue::Nothing => self.missing(field),
            FileValue::Number(span, number) => {
                let whole = number.parse().ok().filter(|n| (fewest..=most).contains(n));
                if whole.is_none() {
                    self.notes.note(Some(span), ProblemKind::NotThisWhole { field: *field, number });
                }
                return whole;
            }
            found => self.wrong_type(field, &found),
        }
        None
    }

    /// One of the words of the field; the default word if it is not there.
    pub fn word(&mut self, field: &Field) -> Option<&'static str> {
        match self.found(field) {
            FileValue::Nothing => self.default_word(field),
            found => self.word_in(field, &found),
        }
    }

    /// A word of the field for each leg; one word stands for all of them. Where the number of legs is not
    /// known, any number of words will do.
    pub fn words(&mut self, field: &Field, legs: Option<usize>) -> Option<Vec<&'static str>> {
        let spread = |word| vec![word; legs.unwrap_or(1)];
        match self.found(field) {
            FileValue::Nothing => self.default_word(field).map(spread),
            FileValue::Array(span, values) => {
                let words: Vec<_> = values.iter().map(|value| self.word_in(field, value)).collect();
                if let Some(legs) = legs.filter(|legs| *legs != words.len()) {
                    self.wrong_count(field, span, Count::Exactly(legs), words.len());
                    return None;
                }
                words.into_iter().collect()
            }
            found => self.word_in(field, &found).map(spread),
        }
    }

    /// The words of a list, or `None` if there is none to give; one word stands for what `list_of` says.
    pub fn list_of_words(
        &mut self,
        field: &Field,
        count: Count,
        list_of: fn(&str) -> &'static [&'static str],
    ) -> Option<Vec<&'static str>> {
        let ValueType::ChoiceOrList(known, names) = field.kind else { return None };
        match self.found(field) {
            FileValue::Nothing => self.default_word(field).map(|word| list_of(word).to_vec()),
            FileValue::Array(span, values) => {
                let mut words = Vec::new();
                for value in &values {
                    let word = self.one_of(field, names, value)?;
                    if words.contains(&word) {
                        self.notes.note(Some(value.span()), ProblemKind::WordTwice { key: field.key, word });
                        return None;
                    }
                    words.push(word);
                }
                if !count.allows(words.len()) {
                    self.wrong_count(field, span, count, words.len());
                    return None;
                }
                Some(words)
            }
            found => self.one_of(field, known, &found).map(|word| list_of(word).to_vec()),
        }
    }

    /// Names in a list, each with its place; none if it is not there.
    pub fn names(&mut self, field: &Field) -> Option<Vec<(ops::Range<usize>, String)>> {
        let mut names: Vec<(ops::Range<usize>, String)> = Vec::new();
        match self.found(field) {
            FileValue::Nothing => self.missing(field),
            FileValue::Array(span, values) => {
                if values.is_empty() {
                    self.wrong_count(field, span, Count::Between(1, 200), 0);
                    return None;
                }
                for value in values {
                    let FileValue::Text(span, name) = value else {
                        self.wrong_type(field, &value);
                        return None;
                    };
                    names.push((span, name));
                }
            }
            found => {
                self.wrong_type(field, &found);
                return None;
            }
        }
        Some(names)
    }

    fn default_word(&mut self, field: &Field) -> Option<&'static str> {
        self.missing(field);
        if let Need::Default(word) = field.need { Some(word) } else { None }
    }

    fn word_in(&mut self, field: &Field, found: &FileValue) -> Option<&'static str> {
        let (ValueType::Choice(known) | ValueType::ChoicePerLeg(known, _)) = field.kind else { return None };
        self.one_of(field, known, found)
    }

    fn one_of(
        &mut self,
        field: &Field,
        known: &'static [&'static str],
        found: &FileValue,
    ) -> Option<&'static str> {
        let FileValue::Text(span, word) = found else {
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
        match self.found(field) {
            FileValue::Nothing => {
                self.missing(field);
                default_number(field).unwrap_or(derived)
            }
            found => self.number_in(field, &found).unwrap_or(f64::NAN),
        }
    }

    /// A number in SI, if it is there.
    pub fn optional_number(&mut self, field: &Field) -> Option<f64> {
        match self.found(field) {
            FileValue::Nothing => None,
            found => self.number_in(field, &found),
        }
    }

    /// N numbers in SI, if they are there; one number, or the default one, goes through `spread`.
    pub fn numbers<const N: usize>(
        &mut self,
        field: &Field,
        spread: fn(f64) -> [f64; N],
    ) -> Option<[f64; N]> {
        match self.found(field) {
            FileValue::Nothing => {
                self.missing(field);
                default_number(field).map(spread)
            }
            found if field.kind.is_vector() => self.vector_in(field, &found),
            FileValue::Array(span, values) => {
                let numbers =
                    values.iter().map(|value| self.number_in(field, value)).collect::<Option<Vec<_>>>();
                self.exactly(field, span, numbers?)
            }
            found => self.number_in(field, &found).map(spread),
        }
    }

    /// N numbers in SI, if they are there.
    pub fn vector<const N: usize>(&mut self, field: &Field) -> Option<[f64; N]> {
        self.numbers(field, |x| [x; N])
    }

    /// A unit vector, if it is there.
    pub fn direction(&mut self, field: &Field) -> Option<[f64; 3]> {
        self.vector(field).map(unit)
    }

    /// x, y, z for each leg, as many as `count` allows.
    pub fn points(&mut self, field: &Field, count: Count) -> Option<Vec<[f64; 3]>> {
        match self.found(field) {
            FileValue::Nothing => {
                self.missing(field);
                None
            }
            FileValue::Array(span, values) => {
                let points: Vec<_> = values.iter().map(|value| self.vector_in(field, value)).collect();
                if !count.allows(points.len()) {
                    self.wrong_count(field, span, count, points.len());
                    return None;
                }
                points.into_iter().collect()
            }
            found => {
                self.wrong_type(field, &found);
                None
            }
        }
    }

    /// x, y, z for each leg; one vector stands for all of them. Where the number of legs is not known, any
    /// number that the field allows will do.
    pub fn vectors(&mut self, field: &Field, legs: Option<usize>) -> Option<Vec<[f64; 3]>> {
        let ValueType::VectorPerLeg(_, any) = field.kind else { return None };
        match self.found(field) {
            FileValue::Array(_, values) if !matches!(values.first(), None | Some(FileValue::Array(..))) => {
                self.vector(field).map(|vector| vec![vector; legs.unwrap_or(1)])
            }
            _ => self.points(field, legs.map_or(any, Count::Exactly)),
        }
    }

    /// Three rows of three numbers, or one row of so many.
    pub fn rows(&mut self, field: &Field) -> Option<Rows> {
        let found = self.found(field);
        let FileValue::Array(span, values) = found else {
            if matches!(found, FileValue::Nothing) {
                self.missing(field);
            } else {
                self.wrong_type(field, &found);
            }
            return None;
        };
        if matches!(values.first(), Some(FileValue::Array(..))) {
            let rows = values.iter().map(|value| self.vector_in(field, value)).collect::<Option<Vec<_>>>()?;
            return self.exactly(field, span.clone(), rows).map(|rows| Rows { span, matrix: Ok(rows) });
        }
        let numbers = values.iter().map(|value| self.number_in(field, value)).collect::<Option<Vec<_>>>()?;
        Some(Rows { span, matrix: Err(numbers) })
    }

    fn vector_in<const N: usize>(&mut self, field: &Field, found: &FileValue) -> Option<[f64; N]> {
        let FileValue::Array(span, values) = found else {
            self.wrong_type(field, found);
            return None;
        };
        let numbers = values.iter().map(|value| self.number_in(field, value)).collect::<Option<Vec<_>>>();
        let numbers = numbers?;
        let (key, needs, found) = (field.key, Count::Exactly(N), numbers.len());
        let Ok(vector) = <[f64; N]>::try_from(numbers) else {
            let each = !matches!(field.kind, ValueType::Vector(..));
            let kind = ProblemKind::WrongCount { key, needs, found, each, like: None };
            self.notes.note(Some(span.clone()), kind);
            return None;
        };
        if field.range == Range::NotZero && vector.iter().all(|x| *x == 0.0) {
            self.notes.note(Some(span.clone()), ProblemKind::NoDirection { key: field.key });
            return None;
        }
        Some(vector)
    }

    /// Exactly N values.
    fn exactly<T, const N: usize>(
        &mut self,
        field: &Field,
        span: ops::Range<usize>,
        values: Vec<T>,
    ) -> Option<[T; N]> {
        let found = values.len();
        let array = values.try_into().ok();
        if array.is_none() {
            self.wrong_count(field, span, Count::Exactly(N), found);
        }
        array
    }

    /// A number in SI from one value, inside the range of its field.
    fn number_in(&mut self, field: &Field, found: &FileValue) -> Option<f64> {
        let quantity = field.kind.quantity()?;
        let key = field.key;
        let (span, text, bare) = match found {
            FileValue::Text(span, text) => (span, text.clone(), text),
            FileValue::Number(span, number) => {
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
                } else if !field.kind.is_vector() && !in_range(field.range, value) {
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

/// Three rows of three, or a list of numbers, and where they stand.
pub(crate) struct Rows {
    pub span: ops::Range<usize>,
    pub matrix: Result<[[f64; 3]; 3], Vec<f64>>,
}

/// The number that a field has when it is not there, in SI.
fn default_number(field: &Field) -> Option<f64> {
    let Need::Default(text) = field.need else { return None };
    let quantity = field.kind.quantity().unwrap_or(Quantity::Ratio);
    Some(quantity.parse(text).map_or(f64::NAN, |measure| measure.value))
}

fn in_range(range: Range, value: f64) -> bool {
    match range {
        Range::Any => true,
        Range::Positive => value > 0.0,
        Range::NotNegative => value >= 0.0,
        Range::NotZero => value != 0.0,
        // 180 deg is half a turn, whatever rounding made of it.
        Range::HalfTurn => value.abs() <= PI * (1.0 + f64::EPSILON),
    }
}

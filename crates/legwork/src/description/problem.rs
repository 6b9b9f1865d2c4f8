//! What can be wrong with a robot file, and how it is told.

use super::convention::Convention;
use super::fields::{Field, Range, Table};
use crate::units::{Quantity, UnitError};
use std::fmt::{self, Write as _};
use std::io;

/// Why a robot file was refused: all of its problems, in the order of the file.
#[derive(Clone, Debug, PartialEq)]
pub struct DescriptionError {
    /// The file, as it was named.
    pub file: String,
    /// Everything that is wrong with it; never empty.
    pub problems: Vec<Problem>,
}

/// One problem of a robot file. Its text is one line; [`Problem::hint`] says what to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// Where; `None` when no place in the file can be named.
    pub location: Option<Location>,
}

/// A place in a robot file.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// Characters from there on that the problem is about, at least 1.
    pub width: usize,
    /// The whole line.
    pub text: String,
}

/// What is wrong.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The file could not be read.
    Unreadable {
        /// What the system said.
        cause: io::ErrorKind,
    },
    /// The file is not text in UTF-8.
    NotUtf8 {
        /// Offset of the first byte that is not.
        offset: usize,
    },
    /// No built-in robot has this name.
    UnknownBuiltIn {
        /// The name asked for.
        name: String,
        /// The nearest name there is.
        nearest: Option<&'static str>,
    },
    /// The text is not TOML.
    Syntax {
        /// What the TOML parser expected.
        message: String,
    },
    /// A key or table is there twice.
    DuplicateKey {
        /// The key as it is written.
        key: String,
    },
    /// There is nothing in the file.
    Empty,
    /// A table is not part of a robot file.
    UnknownTable {
        /// Its name.
        name: String,
        /// The nearest table there is.
        nearest: Option<&'static str>,
    },
    /// A key is not part of its table.
    UnknownKey {
        /// The table; empty for the top of the file.
        table: &'static str,
        /// The key.
        key: String,
        /// What may have been meant.
        suggestion: Option<Suggestion>,
    },
    /// A table that must be there is not.
    MissingTable {
        /// The table.
        table: Table,
    },
    /// A key that must be there is not.
    MissingKey {
        /// The table; empty for the top of the file.
        table: &'static str,
        /// The key with its meaning.
        field: Field,
    },
    /// A value is of another type.
    WrongType {
        /// The key with its type.
        field: Field,
        /// What was found.
        found: &'static str,
    },
    /// A name that is a table elsewhere has a plain value here.
    NotATable {
        /// The table.
        name: &'static str,
        /// What was found.
        found: &'static str,
    },
    /// An array has too few or too many values.
    WrongCount {
        /// The key.
        key: &'static str,
        /// How many values it has.
        found: usize,
    },
    /// A number or its unit cannot be read.
    Unit {
        /// The key.
        key: &'static str,
        /// What it should measure.
        quantity: Quantity,
        /// Why not.
        error: UnitError,
    },
    /// A bare number where the convention's own unit is not SI.
    BareNumber {
        /// The key.
        key: &'static str,
        /// The number as it is written.
        number: String,
        /// What it should measure.
        quantity: Quantity,
        /// The convention that asks for a unit.
        convention: Convention,
    },
    /// A number is nan or infinite.
    NotFinite {
        /// The key.
        key: &'static str,
        /// The number.
        value: f64,
    },
    /// A number is outside its range.
    OutOfRange {
        /// The key with its range.
        field: Field,
        /// The number in SI.
        value: f64,
    },
    /// A word is not one of those allowed.
    UnknownWord {
        /// The key.
        key: &'static str,
        /// The word.
        word: String,
        /// The words there are.
        known: &'static [&'static str],
        /// The nearest of them.
        nearest: Option<&'static str>,
    },
}

/// What an unknown key may have meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// A key of the same table.
    Key(&'static str),
    /// The same key, in this table; empty for the top of the file.
    Table(&'static str),
    /// The same key, with this convention.
    Convention(Convention),
}

/// "[geometry]", or words for the top of the file.
fn place(table: &str) -> String {
    if table.is_empty() { "the top of the file".into() } else { format!("[{table}]") }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ProblemKind::Unreadable { cause: io::ErrorKind::NotFound } => {
                f.write_str("there is no such file")
            }
            ProblemKind::Unreadable { cause } => write!(f, "the file cannot be read: {cause}"),
            ProblemKind::NotUtf8 { offset } => {
                write!(f, "the file is not text in UTF-8: the byte at offset {offset} does not belong there")
            }
            ProblemKind::UnknownBuiltIn { name, .. } => write!(f, "there is no built-in robot `{name}`"),
            ProblemKind::Syntax { message } => write!(f, "this is not TOML: {message}"),
            ProblemKind::DuplicateKey { key } => write!(f, "`{key}` is there twice"),
            ProblemKind::Empty => f.write_str("the file is empty"),
            ProblemKind::UnknownTable { name, .. } => write!(f, "[{name}] is not a table of a robot file"),
            ProblemKind::UnknownKey { table: "", key, .. } => {
                write!(f, "`{key}` is not a key of a robot file")
            }
            ProblemKind::UnknownKey { table, key, .. } => write!(f, "`{key}` is not a key of [{table}]"),
            ProblemKind::MissingTable { table } => write!(f, "the table [{}] is missing", table.name),
            ProblemKind::MissingKey { table, field } => {
                write!(f, "`{}` is missing in {}: {}", field.key, place(table), sentence_part(field.meaning))
            }
            ProblemKind::WrongType { field, found } => {
                write!(f, "`{}` must be {}, not {found}", field.key, field.kind.described())
            }
            ProblemKind::NotATable { name, found } => write!(f, "`{name}` must be a table, not {found}"),
            ProblemKind::WrongCount { key, found } => {
                let values = if *found == 1 { "value" } else { "values" };
                write!(f, "`{key}` needs 3 values and has {found} {values}")
            }
            ProblemKind::Unit { key, quantity, error } => {
                write!(f, "`{key}` is {}: {error}", quantity.described())
            }
            ProblemKind::BareNumber { key, number, convention, .. } => {
                write!(
                    f,
                    "`{key}` is {number} without a unit, and convention \"{}\" needs one",
                    convention.name()
                )
            }
            ProblemKind::NotFinite { key, value } => {
                write!(f, "`{key}` is {}, not a finite number", value.to_string().to_lowercase())
            }
            ProblemKind::OutOfRange { field, value } => {
                let unit = field.kind.quantity().map_or("", Quantity::si_unit);
                let rule = match field.range {
                    Range::Positive => "must be greater than zero",
                    Range::NotNegative => "must not be negative",
                    Range::NotZero => "must not be zero",
                    Range::Any => "is out of range",
                };
                let gap = if unit.is_empty() { "" } else { " " };
                write!(f, "`{}` {rule}, it is {value}{gap}{unit}", field.key)
            }
            ProblemKind::UnknownWord { key, word, .. } => write!(f, "`{key}` cannot be \"{word}\""),
        }
    }
}

/// A sentence of the field table as the end of another one: "Motor axis to elbow." → "motor axis to elbow".
fn sentence_part(sentence: &str) -> String {
    let mut letters = sentence.trim_end_matches('.').chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}

impl Problem {
    /// What to do about it, if there is something to say.
    pub fn hint(&self) -> Option<String> {
        Some(match &self.kind {
            ProblemKind::UnknownBuiltIn { nearest, .. } => did_you_mean((*nearest)?),
            ProblemKind::Empty => "a robot file starts with `family = \"delta\"`".into(),
            ProblemKind::UnknownTable { nearest, .. } => format!("did you mean [{}]?", (*nearest)?),
            ProblemKind::UnknownKey { key, suggestion, .. } => match (*suggestion)? {
                Suggestion::Key(key) => did_you_mean(key),
                Suggestion::Table("") => {
                    format!("`{key}` belongs at the top of the file, before any [table]")
                }
                Suggestion::Table(table) => format!("`{key}` belongs in [{table}]"),
                Suggestion::Convention(convention) => {
                    format!(
                        "`{key}` is a key of convention \"{0}\": add `convention = \"{0}\"`",
                        convention.name()
                    )
                }
            },
            ProblemKind::MissingTable { table } => {
                format!("add [{}]: {}", table.name, sentence_part(table.meaning))
            }
            ProblemKind::MissingKey { field, .. } => {
                let value = if field.unit_in_key.is_some() { "120".into() } else { field.kind.example() };
                format!("add it, for example `{} = {value}`", field.key)
            }
            ProblemKind::WrongType { field, .. } => {
                format!("write it like `{} = {}`", field.key, field.kind.example())
            }
            ProblemKind::Unit { error, .. } => error.hint(),
            ProblemKind::BareNumber { key, number, quantity, .. } => {
                format!("write the unit, for example `{key} = \"{number} {}\"`", quantity.usual_unit())
            }
            ProblemKind::UnknownWord { known, nearest, .. } => match nearest {
                Some(word) => format!("did you mean \"{word}\"?"),
                None => format!("use one of: {}", known.join(", ")),
            },
            _ => return None,
        })
    }
}

/// Drop what only repeats another problem: a name that is missing because it is misspelled.
pub(super) fn without_echoes(problems: &[Problem]) -> Vec<Problem> {
    let explains = |kind: &ProblemKind, missing: &ProblemKind| match (kind, missing) {
        (ProblemKind::UnknownTable { nearest, .. }, ProblemKind::MissingTable { table }) => {
            *nearest == Some(table.name)
        }
        (ProblemKind::UnknownKey { table, suggestion, .. }, ProblemKind::MissingKey { table: of, field }) => {
            let meant = match suggestion {
                Some(Suggestion::Key(key)) => *key == field.key,
                // With another convention, all keys of the table are others.
                Some(Suggestion::Convention(_)) => true,
                Some(Suggestion::Table(_)) | None => false,
            };
            table == of && meant
        }
        _ => false,
    };
    let is_echo = |missing: &Problem| problems.iter().any(|problem| explains(&problem.kind, &missing.kind));
    problems.iter().filter(|problem| !is_echo(problem)).cloned().collect()
}

fn did_you_mean(word: &str) -> String {
    format!("did you mean `{word}`?")
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            write!(
                f,
                "error: {problem}\n{}",
                Pointer { file: &self.file, location: problem.location.as_ref() }
            )?;
            if let Some(hint) = problem.hint() {
                write!(f, "\nhint: {hint}")?;
            }
        }
        Ok(())
    }
}

impl std::error::Error for DescriptionError {}

/// The lines that point into the file.
struct Pointer<'a> {
    file: &'a str,
    location: Option<&'a Location>,
}

impl fmt::Display for Pointer<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Location { line, column, width, text }) = self.location else {
            return write!(f, "  --> {}", self.file);
        };
        let number = line.to_string();
        let margin = " ".repeat(number.len() + 1);
        writeln!(f, "{margin}--> {}:{line}:{column}", self.file)?;
        writeln!(f, "{margin} |")?;
        writeln!(f, " {number} | {text}")?;
        write!(f, "{margin} | ")?;
        // A tab stays a tab, so that the marks stand below what they mark.
        for c in text.chars().take(column.saturating_sub(1)) {
            f.write_char(if c == '\t' { '\t' } else { ' ' })?;
        }
        f.write_str(&"^".repeat(*width))
    }
}

impl Location {
    /// The place of a byte range in a text; any range is fine.
    pub(super) fn of(text: &str, span: &std::ops::Range<usize>) -> Self {
        let floor =
            |at: usize| (0..=at.min(text.len())).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
        let (start, end) = (floor(span.start), floor(span.end.max(span.start)));
        let before = &text[..start];
        let line_start = before.rfind('\n').map_or(0, |i| i + 1);
        let line_end = text[start..].find('\n').map_or(text.len(), |i| start + i);
        let line = text[line_start..line_end].trim_end_matches('\r');
        Self {
            line: 1 + before.matches('\n').count(),
            column: 1 + text[line_start..start].chars().count(),
            width: text[start..end.min(line_end)].trim_end().chars().count().max(1),
            // What a terminal would act on is shown as a mark.
            text: line.chars().map(|c| if c.is_control() && c != '\t' { '\u{fffd}' } else { c }).collect(),
        }
    }
}

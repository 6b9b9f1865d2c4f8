//! What can be wrong with a robot file, and how it is told.

use super::convention::Convention;
use super::fields::{Count, Field, Table};
use crate::families::Family;
use crate::files::FileFault;
use crate::text::{is_hidden, printable};
use crate::units::{Quantity, UnitError};
use legwork_core::engine::BodyError;
use std::fmt::{self, Write as _};

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
        cause: FileFault,
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
        /// The families that have such a table.
        families: Vec<Family>,
    },
    /// A key is not part of its table.
    UnknownKey {
        /// The table.
        table: &'static Table,
        /// The key.
        key: String,
        /// What may have been meant.
        suggestion: Option<Suggestion>,
    },
    /// A table that must be there is not.
    MissingTable {
        /// The table.
        table: &'static Table,
    },
    /// A key that must be there is not.
    MissingKey {
        /// The table.
        table: &'static Table,
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
        table: &'static Table,
        /// What was found.
        found: &'static str,
    },
    /// There are too many tables of a name.
    TooManyTables {
        /// The table.
        table: &'static Table,
        /// How many there may be.
        most: usize,
        /// How many there are.
        found: usize,
    },
    /// Besides the problems that are told there are more.
    More {
        /// How many.
        count: usize,
    },
    /// An array has too few or too many values.
    WrongCount {
        /// The key.
        key: &'static str,
        /// How many it needs.
        needs: Count,
        /// How many values it has.
        found: usize,
        /// Whether it is one of the points in the list that has the wrong number.
        each: bool,
        /// The key that has as many: one for each leg.
        like: Option<&'static str>,
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
    /// A word is in a list twice.
    WordTwice {
        /// The key.
        key: &'static str,
        /// The word.
        word: &'static str,
    },
    /// A thing that can be said in several ways is not said at all.
    NoAlternative {
        /// The table.
        table: &'static Table,
        /// A key of each way.
        keys: Vec<&'static str>,
    },
    /// A thing is said in two ways.
    TwoAlternatives {
        /// A key of the second way.
        key: &'static str,
        /// A key of the first way.
        other: &'static str,
    },
    /// A number is not whole, or not between its ends.
    NotThisWhole {
        /// The key with its ends.
        field: Field,
        /// The number as it is written.
        number: String,
    },
    /// A direction has no length.
    NoDirection {
        /// The key.
        key: &'static str,
    },
    /// An inertia has neither 3 nor 6 numbers.
    InertiaCount {
        /// The key.
        key: &'static str,
        /// How many it has.
        found: usize,
    },
    /// An inertia matrix is not symmetric.
    NotSymmetric {
        /// The key.
        key: &'static str,
        /// Row and column, from 1.
        place: (usize, usize),
        /// The entry there and the one across the diagonal \[kg m²\].
        entries: (f64, f64),
    },
    /// A matrix does not turn, but stretch or mirror.
    NotARotation {
        /// The key.
        key: &'static str,
        /// Largest entry of R Rᵀ − 1; NaN for a mirror.
        error: f64,
    },
    /// A limit is not below the other.
    Reversed {
        /// The keys of the lower and the upper one.
        keys: (Field, Field),
        /// Their values in SI.
        values: (f64, f64),
    },
    /// A convention of Deltas in another family.
    ConventionOfDelta {
        /// The family.
        family: Family,
        /// The convention.
        convention: Convention,
    },
    /// An axis that would be tangential, at a point that has no tangent.
    NoTangent {
        /// The key of the axes.
        key: &'static str,
        /// The leg, from 1.
        leg: usize,
    },
    /// An axis that must be horizontal is not.
    NotHorizontal {
        /// The key.
        key: &'static str,
        /// The leg, from 1.
        leg: usize,
        /// Part of the unit vector along z.
        z: f64,
    },
    /// A leg has another number of joints than its attachment passes on.
    ChainLength {
        /// The type of the attachment.
        attachment: &'static str,
        /// How many joints it needs.
        needs: usize,
        /// How many there are.
        joints: usize,
    },
    /// Two angular velocities without the third are no freedoms of a joint.
    Rolling {
        /// The two, and the one that is missing.
        words: [&'static str; 3],
    },
    /// There are fewer motors than freedoms.
    TooFewActive {
        /// Freedoms of the platform.
        freedoms: usize,
        /// Active joints of all legs.
        active: usize,
    },
    /// `held` names no motor and no robot with motors, or one a second time.
    NotHeld {
        /// The name.
        name: String,
        /// Motors and robots there are.
        known: Vec<String>,
        /// The nearest of them.
        nearest: Option<String>,
    },
    /// An identified body is none of the parts with mass.
    NotABody {
        /// The name.
        name: String,
        /// The parts there are.
        known: Vec<String>,
        /// The nearest of them.
        nearest: Option<String>,
    },
    /// A calibrated joint is none of the joints.
    NotAJoint {
        /// The name.
        name: String,
        /// The joints there are.
        known: Vec<String>,
        /// The nearest of them.
        nearest: Option<String>,
    },
    /// A calibration of legs where there are bodies and joints, or the other way round.
    OtherCalibration {
        /// Whether the robot is bodies and joints.
        of_joints: bool,
    },
    /// A joint or the platform names a body that there is not.
    UnknownBody {
        /// The key.
        key: &'static str,
        /// The name.
        name: String,
        /// The bodies there are.
        known: Vec<String>,
        /// The nearest of them.
        nearest: Option<String>,
        /// How many copies there are, where one was to be named.
        each: Option<u32>,
    },
    /// A robot of a cell that cannot be had.
    CellRobot {
        /// Its name in the cell.
        name: String,
        /// The built-in robot or file.
        robot: String,
        /// Why not.
        reason: String,
    },
    /// Files that name each other without an end.
    TooDeep {
        /// How many may stand within each other.
        most: usize,
    },
    /// Two have one name.
    NameTwice {
        /// `body` or `joint`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// Both sides of a joint are one body.
    SameBody {
        /// Its name.
        name: String,
    },
    /// A joint between bodies that are repeated another number of times.
    UnlikeCopies {
        /// How often the parent and the child are.
        copies: (u32, u32),
    },
    /// Bodies that no joints connect with the ground.
    Unconnected {
        /// Their names.
        bodies: Vec<String>,
    },
    /// No joint of a mechanism has a motor.
    NoMotor,
    /// The axes of a universal joint are not at a right angle.
    NotPerpendicular {
        /// The angle between them \[rad\].
        angle: f64,
    },
    /// A body that cannot exist.
    ImpossibleBody {
        /// Its name.
        name: String,
        /// Why not.
        fault: BodyError,
    },
}

/// What an unknown key may have meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Suggestion {
    /// A key of the same table.
    Key(&'static str),
    /// The same key, in this table.
    Table(&'static Table),
    /// The same key, in a file of this family.
    Family(Family),
    /// The same key, in a table of this type.
    Type(&'static str),
    /// The same key, with this convention.
    Convention(Convention),
    /// What this key of the convention means.
    KeyOf(Convention, &'static str),
}

/// Drop what only repeats another problem: a name that is missing because it is misspelled.
pub(crate) fn without_echoes(problems: &[Problem]) -> Vec<Problem> {
    let explains = |kind: &ProblemKind, missing: &ProblemKind| match (kind, missing) {
        (ProblemKind::UnknownTable { nearest, .. }, ProblemKind::MissingTable { table }) => {
            *nearest == Some(table.name)
        }
        (ProblemKind::UnknownKey { table, suggestion, .. }, ProblemKind::MissingKey { table: of, field }) => {
            let meant = match suggestion {
                Some(Suggestion::Key(key)) => *key == field.key,
                // With another convention, all keys of the table are others.
                Some(Suggestion::Convention(_) | Suggestion::KeyOf(..)) => true,
                Some(Suggestion::Table(_) | Suggestion::Family(_) | Suggestion::Type(_)) | None => false,
            };
            table == of && meant
        }
        (ProblemKind::UnknownKey { table, suggestion, .. }, ProblemKind::MissingTable { table: missing }) => {
            let inside = table.tables.iter().any(|inner| inner == *missing);
            inside && matches!(suggestion, Some(Suggestion::Key(key)) if *key == missing.key())
        }
        (
            ProblemKind::UnknownKey { table, suggestion, .. },
            ProblemKind::NoAlternative { table: of, keys },
        ) => table == of && matches!(suggestion, Some(Suggestion::Key(key)) if keys.contains(key)),
        _ => false,
    };
    let is_echo = |missing: &Problem| problems.iter().any(|problem| explains(&problem.kind, &missing.kind));
    problems.iter().filter(|problem| !is_echo(problem)).cloned().collect()
}

impl fmt::Display for DescriptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.problems.iter().enumerate() {
            if i > 0 {
                f.write_str("\n\n")?;
            }
            let file = printable(&self.file);
            let pointer = Pointer { file: &file, location: problem.location.as_ref() };
            write!(f, "error: {}\n{pointer}", printable(&problem.to_string()))?;
            if let Some(hint) = problem.hint() {
                write!(f, "\nhint: {}", printable(&hint))?;
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
    pub(crate) fn of(text: &str, span: &std::ops::Range<usize>) -> Self {
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
            text: line.chars().map(|c| if is_hidden(c) && c != '\t' { '\u{fffd}' } else { c }).collect(),
        }
    }
}

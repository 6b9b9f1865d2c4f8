//! Why something cannot be answered, in the library's own words.

use legwork::RobotError;
use legwork::description::{DescriptionError, FileNumber};
use legwork::task::{Request, TaskError};
use legwork_codegen::CodegenError;
use serde::Serialize;

/// Why something cannot be answered.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Failure {
    /// What was refused.
    pub kind: FailureKind,
    /// What is wrong.
    pub what: String,
    /// What is behind it.
    pub cause: Option<String>,
    /// The way out.
    pub hint: Option<String>,
    /// What it is about, as a path: a number of the robot file as in `EditableNumber.path`, or a value of a request such as
    /// `plant.lag`. Of several problems that of the first.
    pub field: Option<String>,
    /// Everything that is wrong with a robot file; empty otherwise.
    pub problems: Vec<FileProblem>,
}

/// What was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum FailureKind {
    /// The text of a robot file.
    File,
    /// A pose or joint values.
    Reach,
    /// A robot, or a part of a request.
    Request,
    /// The message itself.
    Message,
    /// The library has failed; what it said is in `what`.
    Panic,
}

/// One thing that is wrong with a robot file.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FileProblem {
    /// What is wrong.
    pub what: String,
    /// What to do.
    pub hint: Option<String>,
    /// The number that it belongs to, as in `EditableNumber.path`.
    pub field: Option<String>,
    /// Line, from 1.
    pub line: Option<usize>,
    /// Column in characters, from 1.
    pub column: Option<usize>,
    /// How many characters it is about.
    pub width: Option<usize>,
    /// The whole line.
    pub text: Option<String>,
}

impl Failure {
    fn new(kind: FailureKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), cause: None, hint: None, field: None, problems: Vec::new() }
    }

    /// A message that cannot be read.
    pub(crate) fn of_message(error: &serde_json::Error) -> Self {
        Self::new(FailureKind::Message, format!("this message cannot be read: {error}"))
    }

    /// No robot is open.
    pub(crate) fn nothing_open() -> Self {
        Self { hint: Some("open one first".into()), ..Self::new(FailureKind::Message, "no robot is open") }
    }

    /// A number that the file does not have.
    pub(crate) fn no_number(path: &str) -> Self {
        Self::new(FailureKind::Message, format!("the robot file has no number `{path}`"))
    }

    /// A unit that is none of SI.
    pub(crate) fn no_unit(unit: &str) -> Self {
        Self::new(FailureKind::Message, format!("there is no quantity with the unit `{unit}`"))
    }

    /// The library has failed.
    pub fn panicked(what: impl Into<String>) -> Self {
        let hint = "open the robot again; what you asked for last is what fails";
        Self { hint: Some(hint.into()), ..Self::new(FailureKind::Panic, what) }
    }

    /// A task that was refused.
    pub(crate) fn of_task(error: TaskError, text: &str) -> Self {
        match error {
            TaskError::Robot(error) => Self::of_robot(error, text),
            // Nobody sees the text that a page has made: its lines say nothing, the path does.
            TaskError::Unreadable { message, field, .. } => {
                Self { field, ..Self::new(FailureKind::Request, message) }
            }
            error => Self {
                cause: error.cause(),
                hint: error.hint(),
                ..Self::new(FailureKind::Request, error.to_string())
            },
        }
    }

    /// The same of a request that could be read: the failure says which of its values it is about.
    pub(crate) fn of_request(request: &Request, error: TaskError, text: &str) -> Self {
        let field = request.field_of(&error);
        let failure = Self::of_task(error, text);
        Self { field: failure.field.or(field), ..failure }
    }

    /// The same about a pose or joint values.
    pub(crate) fn of_state(error: TaskError, text: &str) -> Self {
        let failure = Self::of_task(error, text);
        let kind = if failure.problems.is_empty() { FailureKind::Reach } else { failure.kind };
        Self { kind, ..failure }
    }

    /// A robot that was refused; `text` is its file.
    pub(crate) fn of_robot(error: RobotError, text: &str) -> Self {
        match error {
            RobotError::Description(error) => Self::of_file(&error, text),
            error => Self { hint: error.hint(), ..Self::new(FailureKind::Request, error.to_string()) },
        }
    }

    /// A robot file that was refused.
    pub(crate) fn of_file(error: &DescriptionError, text: &str) -> Self {
        let numbers = Numbered::all(text);
        let problems: Vec<FileProblem> = error
            .problems
            .iter()
            .map(|problem| {
                let place = problem.location.as_ref();
                FileProblem {
                    what: problem.to_string(),
                    hint: problem.hint(),
                    field: place.and_then(|place| Numbered::at(&numbers, place.line, place.column)),
                    line: place.map(|place| place.line),
                    column: place.map(|place| place.column),
                    width: place.map(|place| place.width),
                    text: place.map(|place| place.text.clone()),
                }
            })
            .collect();
        let what = problems.first().map_or_else(String::new, |first| first.what.clone());
        let hint = problems.first().and_then(|first| first.hint.clone());
        let field = problems.first().and_then(|first| first.field.clone());
        Self { hint, field, problems, ..Self::new(FailureKind::File, what) }
    }

    /// Code that cannot be generated.
    pub(crate) fn of_code(error: &CodegenError) -> Self {
        Self { hint: Some(error.hint()), ..Self::new(FailureKind::Request, error.to_string()) }
    }
}

/// A number of a file with its line and columns.
pub(crate) struct Numbered {
    pub number: FileNumber,
    pub line: usize,
    /// Columns in characters, from 1; the end is not included.
    columns: std::ops::Range<usize>,
}

impl Numbered {
    /// All numbers of a text, with their places.
    pub fn all(text: &str) -> Vec<Self> {
        let starts: Vec<usize> =
            std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        let place = |number: FileNumber| {
            let line = starts.partition_point(|start| *start <= number.span.start);
            let before = text.get(starts[line.saturating_sub(1)]..number.span.start).unwrap_or("");
            let column = before.chars().count() + 1;
            let width = text.get(number.span.clone()).map_or(1, |written| written.chars().count());
            Self { number, line, columns: column..column + width.max(1) }
        };
        FileNumber::all(text).into_iter().map(place).collect()
    }

    /// The path of the number at a place, or of the only one on that line.
    fn at(all: &[Self], line: usize, column: usize) -> Option<String> {
        let mut on_line = all.iter().filter(|one| one.line == line);
        let found = on_line.clone().find(|one| one.columns.contains(&column));
        let only = || match (on_line.next(), on_line.next()) {
            (Some(one), None) => Some(one),
            _ => None,
        };
        found.or_else(only).map(|one| one.number.path.clone())
    }
}

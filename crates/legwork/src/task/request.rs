//! Every task as one type, read from a file or from the metadata of a recording.

use super::file_use::{UsesFiles, reads_recording};
use super::request_tree::{Placed, ReadError};
use super::{
    CheckRequest, CheckResult, FollowRequest, FollowResult, Handle, LinearizeRequest, LinearizeResult,
    MapRequest, MapResult, PlanRequest, PlanResult, ReportRequest, ReportResult, SensitivityRequest,
    SensitivityResult, SimulateRequest, SimulateResult, SizeRequest, SizeResult, TaskError,
};
use crate::description::nearest_word;
use crate::files::{self, FileRoles};
use crate::recording::{Format, REQUEST_KEY, Reader};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;

/// How a request is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestFormat {
    /// TOML.
    Toml,
    /// JSON.
    Json,
}

/// The tasks: the word of each, its request, its result.
macro_rules! tasks {
    ($($(#[$doc:meta])* $name:ident = $word:literal: $request:ident -> $result:ident,)*) => {
        /// A request of any task; its key `task` says which.
        ///
        /// ```
        /// use legwork::task::{Handle, Request, RequestFormat, TaskResult};
        /// let text = "task = 'simulate'\nrobot = 'delta-industrial'\nduration = '100 ms'";
        /// let request = Request::parse(text, RequestFormat::Toml)?;
        /// let TaskResult::Simulate(result) = request.run(&Handle::none())? else { unreachable!() };
        /// assert_eq!(result.time, 0.1);
        /// # Ok::<(), legwork::task::TaskError>(())
        /// ```
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "task")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum Request {
            $($(#[$doc])* #[serde(rename = $word)] $name(Box<$request>),)*
        }

        /// The result of any task; its key `task` says which.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        #[serde(tag = "task")]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[non_exhaustive]
        pub enum TaskResult {
            $($(#[$doc])* #[serde(rename = $word)] $name(Box<$result>),)*
        }

        impl Request {
            /// The words of all tasks.
            pub const TASKS: &'static [&'static str] = &[$($word),*];

            /// The word of its task.
            pub fn task(&self) -> &'static str {
                match self {
                    $(Self::$name(_) => $word,)*
                }
            }

            /// Runs it.
            pub fn run(&self, handle: &Handle<'_>) -> Result<TaskResult, TaskError> {
                Ok(match self {
                    $(Self::$name(request) => TaskResult::$name(Box::new(request.run(handle)?)),)*
                })
            }

            /// The files it reads and writes.
            pub fn file_roles(&self) -> FileRoles {
                match self {
                    $(Self::$name(request) => request.file_roles(),)*
                }
            }

            /// What a text says.
            pub fn read(text: &RequestText) -> Result<Self, TaskError> {
                match text.task() {
                    $($word => text.read().map(|request| Self::$name(Box::new(request))),)*
                    other => Err(unknown_task(other, &[])),
                }
            }
        }
    };
}

tasks! {
    /// A robot in time under given efforts.
    Simulate = "simulate": SimulateRequest -> SimulateResult,
    /// Regulators along a path.
    Follow = "follow": FollowRequest -> FollowResult,
    /// The fastest motion along a path.
    Plan = "plan": PlanRequest -> PlanResult,
    /// Motors for a cycle.
    Size = "size": SizeRequest -> SizeResult,
    /// A field over the workspace.
    Map = "map": MapRequest -> MapResult,
    /// Small motions about a pose.
    Linearize = "linearize": LinearizeRequest -> LinearizeResult,
    /// Which parameters move a result.
    Sensitivity = "sensitivity": SensitivityRequest -> SensitivityResult,
    /// Identities of a model, or a golden file.
    Check = "check": CheckRequest -> CheckResult,
    /// A page of recordings.
    Report = "report": ReportRequest -> ReportResult,
}

/// The refusal of a word that is no task, where a front end knows these tasks of other crates beside those of the library.
pub fn unknown_task(task: &str, others: &[&str]) -> TaskError {
    let error = TaskError::request(format!("there is no task `{task}`"));
    let all: Vec<&str> = Request::TASKS.iter().chain(others).copied().collect();
    match nearest_word(task, all.iter().copied()) {
        Some(nearest) => error.or(format!("did you mean `{nearest}`?")),
        None => error.or(format!("the tasks are {}", all.join(", "))),
    }
}

/// A request of any crate as TOML, without what is not given.
pub fn request_toml(request: &impl Serialize) -> String {
    // Through JSON, so that requests are compiled for one writer only. They are tables of numbers, texts and
    // lists without nulls: all of it is TOML.
    let mut value = serde_json::to_value(request).unwrap_or(Value::Null);
    without_nulls(&mut value);
    toml::to_string_pretty(&value).unwrap_or_default()
}

/// Refuses a request that would overwrite what it reads, what it writes elsewhere, or the file it was read from.
pub fn check_request_files(mut files: FileRoles, read_from: &Path) -> Result<(), TaskError> {
    reads_recording(&mut files, "the request file", read_from);
    Ok(files.check()?)
}

fn no_task() -> TaskError {
    TaskError::request("this is not a request: it does not say its `task`")
        .or(format!("the tasks are {}", Request::TASKS.join(", ")))
}

/// "line 3, column 1: unknown field `duraton`, did you mean `duration`?"
fn unreadable(text: &str, tree: Option<&Placed>, error: &ReadError) -> TaskError {
    let before = text.get(..error.at.unwrap_or(0)).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    let field = tree.zip(error.at).and_then(|(tree, at)| tree.path_at(at));
    TaskError::Unreadable { message: with_nearest(&error.message), line, column, field }
}

/// What a text in TOML says that is a part of a request. Errors carry line and column.
pub(super) fn read_toml<T: DeserializeOwned>(text: &str) -> Result<T, TaskError> {
    let tree = Placed::of_toml(text).map_err(|error| unreadable(text, None, &error))?;
    tree.read().map_err(|error| unreadable(text, Some(&tree), &error))
}

/// A message about an unknown word, with the nearest known one.
fn with_nearest(message: &str) -> String {
    let is_unknown = message.starts_with("unknown field `") || message.starts_with("unknown variant `");
    let mut words = message.split('`').skip(1).step_by(2);
    let given = words.next().filter(|_| is_unknown);
    match given.and_then(|given| nearest_word(given, words).map(|nearest| (given, nearest))) {
        Some((given, nearest)) => format!("unknown word `{given}`, did you mean `{nearest}`?"),
        None => message.to_owned(),
    }
}

/// The text of a request of which only the task is known yet: for tasks that are not of this crate, too.
#[derive(Debug)]
pub struct RequestText {
    text: String,
    tree: Placed,
    task: String,
}

impl RequestText {
    /// A text that says its task.
    pub fn new(text: impl Into<String>, format: RequestFormat) -> Result<Self, TaskError> {
        let text = text.into();
        let tree = match format {
            RequestFormat::Toml => Placed::of_toml(&text),
            RequestFormat::Json => Placed::of_json(&text),
        };
        let mut tree = tree.map_err(|error| unreadable(&text, None, &error))?;
        let task = tree.take_text("task").ok_or_else(no_task)?;
        Ok(Self { text, tree, task })
    }

    /// The text in a file: a request in TOML or JSON, or a recording with the request that made it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, TaskError> {
        let path = path.as_ref();
        let unread =
            |action, cause: String| TaskError::File { path: path.display().to_string(), action, cause };
        if Format::of(path).is_some() {
            let reader =
                Reader::open(path).map_err(|error| unread("read as a recording", error.to_string()))?;
            let Some(text) = reader.metadata().get(REQUEST_KEY) else {
                let what = format!("the recording `{}` does not carry its request", path.display());
                let why = reader.bare().map(ToString::to_string);
                let hint = "it was made by another program, or by an older legwork";
                return Err(TaskError::request(what).or(why.unwrap_or_else(|| hint.into())));
            };
            return Self::new(text, RequestFormat::Json);
        }
        let text =
            files::read_text(path, files::MOST_TEXT).map_err(|error| unread("read", error.to_string()))?;
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        Self::new(text, if is_json { RequestFormat::Json } else { RequestFormat::Toml })
    }

    /// The word of its task.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// What it says beside its task. Errors carry line and column, and the nearest known word where one is not known.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, TaskError> {
        self.tree.read().map_err(|error| unreadable(&self.text, Some(&self.tree), &error))
    }
}

impl Request {
    /// Reads a request. Errors carry line and column, and the nearest known word where one is not known.
    pub fn parse(text: &str, format: RequestFormat) -> Result<Self, TaskError> {
        Self::read(&RequestText::new(text, format)?)
    }

    /// Reads a file: a request in TOML or JSON, or a recording with the request that made it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, TaskError> {
        Self::read(&RequestText::load(path)?)
    }

    /// Refuses a request that would overwrite what it reads, what it writes elsewhere, or the file it was read from.
    pub fn check_files(&self, read_from: &Path) -> Result<(), TaskError> {
        check_request_files(self.file_roles(), read_from)
    }

    /// The value of this request that an error of its run is about: `plant.lag`. Errors quote the key; of several values with
    /// this key the one that is given is meant. Nothing where that leaves a doubt.
    pub fn field_of(&self, error: &TaskError) -> Option<String> {
        if let TaskError::Unreadable { field, .. } = error {
            return field.clone();
        }
        let tree = serde_json::to_value(self).unwrap_or(Value::Null);
        let text = error.to_string();
        let keys = text.split('`').skip(1).step_by(2).map(|quoted| quoted.trim_start_matches('-'));
        keys.into_iter().find_map(|key| {
            let mut found = Vec::new();
            find_key(&tree, key.rsplit('.').next().unwrap_or(key), "", &mut found);
            let given: Vec<&String> =
                found.iter().filter(|(_, is_given)| *is_given).map(|(path, _)| path).collect();
            match (&given[..], &found[..]) {
                ([path], _) => Some((*path).clone()),
                ([], [(path, _)]) => Some(path.clone()),
                _ => None,
            }
        })
    }

    /// As JSON on one line, without what is not given.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).unwrap_or(Value::Null);
        without_nulls(&mut value);
        value.to_string()
    }

    /// As TOML.
    pub fn to_toml(&self) -> String {
        request_toml(self)
    }
}

/// Where a key stands in a tree, and whether it has a value there.
fn find_key(value: &Value, key: &str, above: &str, found: &mut Vec<(String, bool)>) {
    let Value::Object(entries) = value else { return };
    for (name, entry) in entries.iter().filter(|(name, _)| !above.is_empty() || *name != "robot") {
        let path = if above.is_empty() { name.clone() } else { format!("{above}.{name}") };
        find_key(entry, key, &path, found);
        if name == key {
            found.push((path, !entry.is_null()));
        }
    }
}

/// Drops the keys of objects that have no value; a null in a list is a number that is none.
fn without_nulls(value: &mut Value) {
    match value {
        Value::Object(entries) => {
            entries.retain(|_, entry| !entry.is_null());
            entries.values_mut().for_each(without_nulls);
        }
        Value::Array(items) => items.iter_mut().for_each(without_nulls),
        _ => {}
    }
}

//! Every task as one type, read from a file or from the metadata of a recording.

use super::{
    CheckRequest, CheckResult, FollowRequest, FollowResult, Handle, LinearizeRequest, LinearizeResult,
    MapRequest, MapResult, PlanRequest, PlanResult, ReportRequest, ReportResult, SensitivityRequest,
    SensitivityResult, SimulateRequest, SimulateResult, SizeRequest, SizeResult, TaskError,
};
use crate::description::nearest_word;
use crate::recording::{Format, REQUEST_KEY, Reader};
use serde::de::{DeserializeOwned, IgnoredAny, IntoDeserializer, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use std::fmt;
use std::path::Path;
use toml::de::DeTable;

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

            /// What a text says.
            pub fn read(text: &RequestText) -> Result<Self, TaskError> {
                match text.task() {
                    $($word => text.read().map(|request| Self::$name(Box::new(request))),)*
                    other => Err(unknown_task(other)),
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

fn unknown_task(task: &str) -> TaskError {
    let error = TaskError::request(format!("there is no task `{task}`"));
    match nearest_word(task, Request::TASKS.iter().copied()) {
        Some(nearest) => error.or(format!("did you mean `{nearest}`?")),
        None => error.or(format!("the tasks are {}", Request::TASKS.join(", "))),
    }
}

fn no_task() -> TaskError {
    TaskError::request("this is not a request: it does not say its `task`")
        .or(format!("the tasks are {}", Request::TASKS.join(", ")))
}

/// "line 3, column 1: unknown field `duraton`, did you mean `duration`?"
fn unreadable(line: usize, column: usize, message: &str) -> TaskError {
    let message = message.split(" at line ").next().unwrap_or(message);
    let cause = format!("line {line}, column {column}: {}", with_nearest(message));
    TaskError::Unreadable { cause }
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

fn of_toml(text: &str, error: &toml::de::Error) -> TaskError {
    let before = text.get(..error.span().map_or(0, |span| span.start)).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    unreadable(line, column, error.message())
}

/// An object whose key `task` is passed over.
struct WithoutTask<T>(T);

impl<'de, D: Deserializer<'de>> Deserializer<'de> for WithoutTask<D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.0.deserialize_map(WithoutTask(visitor))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de, V: Visitor<'de>> Visitor<'de> for WithoutTask<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        self.0.visit_map(WithoutTask(map))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutTask<A> {
    type Error = A::Error;

    fn next_key_seed<K: serde::de::DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.0.next_key::<String>()? {
            if key != "task" {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            self.0.next_value::<IgnoredAny>()?;
        }
        Ok(None)
    }

    fn next_value_seed<S: serde::de::DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.0.next_value_seed(seed)
    }
}

/// The text of a request of which only the task is known yet: for tasks that are not of this crate, too.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestText {
    text: String,
    format: RequestFormat,
    task: String,
}

impl RequestText {
    /// A text that says its task.
    pub fn new(text: impl Into<String>, format: RequestFormat) -> Result<Self, TaskError> {
        let text = text.into();
        let task = match format {
            RequestFormat::Toml => {
                let table = DeTable::parse(&text).map_err(|error| of_toml(&text, &error))?;
                table.get_ref().get("task").and_then(|task| task.get_ref().as_str()).map(str::to_owned)
            }
            RequestFormat::Json => {
                #[derive(Deserialize)]
                struct Task {
                    task: Option<String>,
                }
                let found: Task = serde_json::from_str(&text)
                    .map_err(|error| unreadable(error.line(), error.column(), &error.to_string()))?;
                found.task
            }
        };
        Ok(Self { task: task.ok_or_else(no_task)?, text, format })
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
                return Err(
                    TaskError::request(what).or("it was made by another program, or by an older legwork")
                );
            };
            return Self::new(text, RequestFormat::Json);
        }
        let text = std::fs::read_to_string(path).map_err(|error| unread("read", error.to_string()))?;
        let is_json = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("json"));
        Self::new(text, if is_json { RequestFormat::Json } else { RequestFormat::Toml })
    }

    /// The word of its task.
    pub fn task(&self) -> &str {
        &self.task
    }

    /// What it says beside its task. Errors carry line and column, and the nearest known word where one is not known.
    pub fn read<T: DeserializeOwned>(&self) -> Result<T, TaskError> {
        match self.format {
            RequestFormat::Toml => {
                let mut table = DeTable::parse(&self.text).map_err(|error| of_toml(&self.text, &error))?;
                table.get_mut().remove("task");
                T::deserialize(toml::de::Deserializer::from(table))
                    .map_err(|error| of_toml(&self.text, &error))
            }
            RequestFormat::Json => {
                let mut deserializer = serde_json::Deserializer::from_str(&self.text);
                let read = T::deserialize(WithoutTask(&mut deserializer));
                read.and_then(|request| deserializer.end().map(|()| request))
                    .map_err(|error| unreadable(error.line(), error.column(), &error.to_string()))
            }
        }
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

    /// As JSON on one line, without what is not given.
    pub fn to_json(&self) -> String {
        let mut value = serde_json::to_value(self).unwrap_or(Value::Null);
        without_nulls(&mut value);
        value.to_string()
    }

    /// As TOML.
    pub fn to_toml(&self) -> String {
        // Requests are tables of numbers, texts and lists: all of it is TOML.
        toml::to_string_pretty(self).unwrap_or_default()
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

//! Requests of the library, run as they are: what they would write to a disk comes back instead.

use crate::Failure;
use crate::opened::Opened;
use crate::printed::text;
use legwork::printed;
use legwork::report::{Report, base64};
use legwork::task::{Handle, Page, Progress, Request, RequestFormat, TaskError, TaskResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use std::path::Path;
use std::sync::Mutex;

/// What is to be run.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskAsk {
    /// A request as `legwork run` reads it; without `robot` it is about the one that is open.
    #[cfg_attr(feature = "schema", schemars(with = "Request"))]
    pub request: Map<String, Value>,
    /// Whether a report is wanted, of tasks that have one. Default: no.
    #[serde(default)]
    pub report: bool,
    /// The format of the recording that is wanted, of tasks that have one: `csv`, `parquet`, `mcap`; or `svg`, its plots as a
    /// picture. Default: none.
    #[serde(default)]
    pub recording: Option<String>,
}

/// What came of it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TaskAnswer {
    /// Which task it was.
    pub task: String,
    /// Its result, as the program gives it with `--json`.
    #[cfg_attr(feature = "schema", schemars(with = "TaskResult"))]
    pub result: Value,
    /// As the program prints it; empty for tasks whose tables belong to their verbs.
    pub printed: String,
    /// Its report, as the pages of reports read it.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Map<String, Value>>"))]
    pub report: Option<Value>,
    /// Its files.
    pub files: Vec<TakenFile>,
    /// What should be known beside the result.
    pub notes: Vec<String>,
}

/// A file to take away.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TakenFile {
    /// Its name.
    pub name: String,
    /// What it is: `text/csv`.
    pub media_type: String,
    /// What is in it.
    pub base64: String,
}

impl TakenFile {
    pub(crate) fn new(name: &str, bytes: &[u8]) -> Self {
        let ending = Path::new(name).extension().and_then(|ending| ending.to_str()).unwrap_or("");
        let media_type = match ending {
            "csv" => "text/csv",
            "json" => "application/json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            "html" => "text/html",
            "toml" | "c" | "h" | "rs" | "st" | "obj" => "text/plain",
            _ => "application/octet-stream",
        };
        Self { name: name.into(), media_type: media_type.into(), base64: base64(bytes) }
    }
}

/// The name of the page that a report would be written to.
const REPORT: &str = "report.html";

/// A request about the robot that is open, if it names no other. A request is read from its text, so that an error has its
/// line and the nearest word.
pub(crate) fn request(opened: &Opened, mut request: Map<String, Value>) -> Result<Request, Failure> {
    if !request.contains_key("robot") {
        request.insert("robot".into(), json!(opened.request));
    }
    let text = serde_json::to_string_pretty(&Value::Object(request)).unwrap_or_default();
    Request::parse(&text, RequestFormat::Json).map_err(|error| opened.failure(error))
}

pub(crate) fn run(opened: &Opened, ask: TaskAsk, listener: Option<fn(f64)>) -> Result<TaskAnswer, Failure> {
    let mut request = request(opened, ask.request)?;
    let wanted = ask.recording.as_ref().map(|format| format!("run.{format}"));
    // Runs have a report, and the picture is of that; other tasks draw theirs.
    let is_run = matches!(request, Request::Follow(_) | Request::Simulate(_));
    let is_picture = is_run && ask.recording.as_deref() == Some("svg");
    let (picture, file) = if is_picture { (wanted, None) } else { (None, wanted) };
    let asked = request.clone();
    let refused = |error| Failure::of_request(&asked, error, &opened.text);
    with_outputs(&mut request, ask.report || picture.is_some(), file).map_err(refused)?;
    let (files, notes, report) = (Mutex::default(), Mutex::default(), Mutex::default());
    let taken = |path: &Path, bytes: &[u8]| {
        // A page is made by the page that asks, of the report.
        if path.extension().is_none_or(|ending| ending != "html") {
            held(&files, |files: &mut Vec<TakenFile>| {
                files.push(TakenFile::new(&path.display().to_string(), bytes));
            });
        }
        Ok(())
    };
    let paged = |made: &Report, is_static: bool| {
        if let Some(name) = &picture {
            let drawn = made.figure().to_svg();
            held(&files, |files: &mut Vec<TakenFile>| files.push(TakenFile::new(name, drawn.as_bytes())));
        }
        if ask.report {
            held(&report, |report: &mut Option<Value>| *report = Some(made.to_json()));
        }
        Ok(Page { bytes: Vec::new(), is_static })
    };
    let noted = |note: &str| held(&notes, |notes: &mut Vec<String>| notes.push(note.to_owned()));
    let told = Mutex::new(0.0);
    let heard = |progress: Progress<'_>| {
        let Some(listener) = listener else { return };
        held(&told, |told: &mut f64| {
            // Who listens has a clock, and leaves out what is too often for a person.
            if progress.done >= *told + 1e-4 {
                *told = progress.done;
                listener(progress.done);
            }
        });
    };
    let handle =
        Handle::none().with_files(&taken).with_pages(&paged).with_notes(&noted).with_progress(&heard);
    let mut result = request.run(&handle).map_err(refused)?;
    // The report is no file here.
    match &mut result {
        TaskResult::Plan(result) => result.out.retain(|file| file.as_os_str() != REPORT),
        TaskResult::Size(result) => result.out.retain(|file| file.as_os_str() != REPORT),
        TaskResult::Follow(result) => result.report = None,
        _ => {}
    }
    Ok(TaskAnswer {
        task: request.task().into(),
        printed: shown(&request, &result),
        result: serde_json::to_value(&result).unwrap_or(Value::Null),
        report: report.into_inner().unwrap_or_default(),
        files: files.into_inner().unwrap_or_default(),
        notes: notes.into_inner().unwrap_or_default(),
    })
}

/// What is in a mutex; a thread that failed while it held it has left nothing half done.
fn held<T>(mutex: &Mutex<T>, with: impl FnOnce(&mut T)) {
    with(&mut mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
}

/// The same request, giving a report and a recording.
fn with_outputs(request: &mut Request, report: bool, file: Option<String>) -> Result<(), TaskError> {
    let page = report.then(|| REPORT.into());
    let none = |task: &str| TaskError::request(format!("the task {task} has no recording"));
    match request {
        Request::Simulate(request) => {
            request.report = page.or(request.report.take());
            request.out = file.map(Into::into).or(request.out.take());
        }
        Request::Follow(request) => {
            request.report = page.or(request.report.take());
            request.out = file.map(Into::into).or(request.out.take());
        }
        Request::Plan(request) => request.out.extend(page.into_iter().chain(file.map(Into::into))),
        Request::Size(request) => request.out.extend(page.into_iter().chain(file.map(Into::into))),
        Request::Map(request) => {
            // No threads here: pieces of a map are for workers.
            request.threads = 1;
            if !request.volume {
                request.out.extend(page);
            }
            if file.is_some() {
                return Err(none("map").or("take its rows"));
            }
        }
        other if file.is_some() => return Err(none(other.task())),
        _ => {}
    }
    Ok(())
}

/// As the program prints it.
fn shown(request: &Request, result: &TaskResult) -> String {
    let words = |text: &str| text.to_owned();
    match (request, result) {
        (_, TaskResult::Simulate(result)) => text(&|out| printed::simulate(result, None, &words, out)),
        (_, TaskResult::Follow(result)) => text(&|out| printed::follow(result, &words, out)),
        (_, TaskResult::Plan(result)) => text(&|out| printed::plan(result, out)),
        (Request::Size(request), TaskResult::Size(result)) => {
            text(&|out| printed::size(request, result, out))
        }
        _ => String::new(),
    }
}

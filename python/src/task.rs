//! Tasks of the library, run while the interpreter is free.

use crate::errors;
use crate::recording::{Parts, parts};
use crate::robot::Robot;
use crate::states::Given;
use crate::threads;
use legwork::report::Report;
use legwork::task::{
    Handle, Page, Progress, Request, RequestFormat, RequestText, TaskError, TaskResult, unknown_task,
};
use legwork_identify::task::Request as Learn;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::panic::resume_unwind;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

/// How often Ctrl-C is looked for.
const PATIENCE: Duration = Duration::from_millis(20);

/// What a running task says.
enum Word<R> {
    /// How far it is, and what is going on.
    Progress(f64, String),
    /// What should be known beside the result.
    Note(String),
    /// It has ended.
    End(Box<Result<R, TaskError>>),
}

/// The words of all tasks.
#[pyfunction]
pub fn tasks() -> Vec<&'static str> {
    Request::TASKS.iter().chain(Learn::TASKS).copied().collect()
}

/// The tasks of the library, and those that learn from a machine.
enum AnyRequest {
    Library(Request),
    Learn(Learn),
}

impl AnyRequest {
    fn in_text(py: Python<'_>, text: &str, format: &str) -> PyResult<Self> {
        let refused = |error: TaskError| errors::task(py, &error);
        let read = match format {
            "json" => RequestText::new(text, RequestFormat::Json),
            "toml" => RequestText::new(text, RequestFormat::Toml),
            _ => RequestText::load(text),
        };
        let words = read.map_err(refused)?;
        match Learn::read(&words) {
            Some(request) => {
                let request = request.map_err(refused)?;
                if !["json", "toml"].contains(&format) {
                    request.check_files(Path::new(text)).map_err(refused)?;
                }
                Ok(Self::Learn(request))
            }
            None if !Request::TASKS.contains(&words.task()) => {
                Err(refused(unknown_task(words.task(), Learn::TASKS)))
            }
            None => request_in(py, text, format).map(Self::Library),
        }
    }

    /// Runs it and gives its result as JSON, with the word of its task.
    fn run(&self, handle: &Handle<'_>) -> Result<String, TaskError> {
        let broken = |error: serde_json::Error| TaskError::request(error.to_string());
        match self {
            Self::Library(request) => serde_json::to_string(&request.run(handle)?).map_err(broken),
            Self::Learn(request) => serde_json::to_string(&request.run(handle)?).map_err(broken),
        }
    }
}

/// The request in a text (`json` or `toml`) or a file.
fn request_in(py: Python<'_>, text: &str, format: &str) -> PyResult<Request> {
    let request = match format {
        "json" => Request::parse(text, RequestFormat::Json),
        "toml" => Request::parse(text, RequestFormat::Toml),
        _ => Request::load(text).and_then(|request| {
            request.check_files(Path::new(text))?;
            Ok(request)
        }),
    };
    request.map_err(|error| errors::task(py, &error))
}

fn json(result: &TaskResult) -> PyResult<String> {
    let broken = |error: serde_json::Error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string());
    serde_json::to_string(result).map_err(broken)
}

/// Runs the request in a text or a file (`json`, `toml` or `file`) and gives its result as JSON. `progress` is called
/// with the share that is done and what is going on, `note` with what should be known beside the result.
#[pyfunction]
#[pyo3(signature = (text, format, progress, note))]
pub fn run_request(
    py: Python<'_>,
    text: &str,
    format: &str,
    progress: Option<Py<PyAny>>,
    note: Py<PyAny>,
) -> PyResult<String> {
    let request = AnyRequest::in_text(py, text, format)?;
    let result = py.detach(|| run(|handle| request.run(handle), progress.as_ref(), &note))?;
    result.map_err(|error| errors::task(py, &error))
}

/// The same of `simulate` and `follow`, with their recordings.
#[pyfunction]
#[pyo3(signature = (text, format, progress, note))]
pub fn record_request<'py>(
    py: Python<'py>,
    text: &str,
    format: &str,
    progress: Option<Py<PyAny>>,
    note: Py<PyAny>,
) -> PyResult<(String, Vec<Parts<'py>>)> {
    let request = request_in(py, text, format)?;
    let recorded = |handle: &Handle<'_>| match &request {
        Request::Simulate(it) => {
            it.run_recorded(handle).map(|(result, one)| (TaskResult::Simulate(Box::new(result)), vec![one]))
        }
        Request::Follow(it) => {
            it.run_recorded(handle).map(|(result, all)| (TaskResult::Follow(Box::new(result)), all))
        }
        _ => Err(TaskError::request("only `simulate` and `follow` make recordings")),
    };
    let found = py.detach(|| run(recorded, progress.as_ref(), &note))?;
    let (result, recordings) = found.map_err(|error| errors::task(py, &error))?;
    let recordings = recordings.into_iter().map(|recording| parts(py, recording));
    Ok((json(&result)?, recordings.collect::<PyResult<_>>()?))
}

/// A page of a report, as the program makes it.
fn page(report: &Report, is_static: bool) -> std::io::Result<Page> {
    let wanted = if is_static { legwork_studio::Page::Static } else { legwork_studio::Page::best() };
    let mut bytes = Vec::new();
    let made = legwork_studio::write_report(report, wanted, &mut bytes)?;
    Ok(Page { bytes, is_static: made == legwork_studio::Page::Static })
}

/// Runs the task in a thread of its own, and what the caller wants to hear in the caller's. An exception there, Ctrl-C
/// among them, cancels the task; it is waited for.
fn run<R: Send>(
    task: impl FnOnce(&Handle<'_>) -> Result<R, TaskError> + Send,
    progress: Option<&Py<PyAny>>,
    note: &Py<PyAny>,
) -> PyResult<Result<R, TaskError>> {
    let cancel = AtomicBool::new(false);
    thread::scope(|scope| {
        let (sender, words) = channel();
        let cancelled = &cancel;
        let work = move || {
            // A word that nobody takes any more is lost, and so it should be.
            let listener = |progress: Progress<'_>| {
                let _ = sender.send(Word::Progress(progress.done, progress.what.to_owned()));
            };
            let note_taker = |text: &str| {
                let _ = sender.send(Word::Note(text.to_owned()));
            };
            let handle =
                Handle::none().with_progress(&listener).with_notes(&note_taker).cancelled_by(cancelled);
            let _ = sender.send(Word::End(Box::new(task(&handle.with_pages(&page)))));
        };
        let worker = scope.spawn(move || threads::within(work));
        let heard = listen(&words, progress, note);
        if heard.is_err() {
            cancel.store(true, Ordering::Relaxed);
        }
        match (heard, worker.join()) {
            // A panic becomes an exception of its own.
            (_, Err(panic)) => resume_unwind(panic),
            (Err(error), _) => Err(error),
            (Ok(Some(result)), _) => Ok(*result),
            (Ok(None), Ok(())) => Ok(Err(TaskError::Cancelled)),
        }
    })
}

/// Passes on what a task says until it ends; nothing if it ends without a word.
fn listen<R>(
    words: &Receiver<Word<R>>,
    progress: Option<&Py<PyAny>>,
    note: &Py<PyAny>,
) -> PyResult<Option<Box<Result<R, TaskError>>>> {
    loop {
        let first = match words.recv_timeout(PATIENCE) {
            Ok(word) => Some(word),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
        };
        // Of progress only the last is worth telling: a task may be faster than its listener.
        let (mut last, mut notes, mut end) = (None, Vec::new(), None);
        for word in first.into_iter().chain(words.try_iter()) {
            match word {
                Word::Progress(done, what) => last = Some((done, what)),
                Word::Note(text) => notes.push(text),
                Word::End(result) => end = Some(result),
            }
        }
        Python::attach(|py| {
            py.check_signals()?;
            for text in notes {
                note.call1(py, (text,))?;
            }
            if let (Some((done, what)), Some(progress)) = (last, progress) {
                progress.call1(py, (done, what))?;
            }
            PyResult::Ok(())
        })?;
        if end.is_some() {
            return Ok(end);
        }
    }
}

impl Robot {
    /// Runs the task of this name with the robot and the other keys of its request.
    fn run<'py>(
        &self,
        py: Python<'py>,
        task: &str,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let run = py.import("pylegwork._tasks")?.getattr("run_with_robot")?;
        run.call1((task, self.request()?, progress, keys))
    }
}

#[pymethods]
impl Robot {
    /// A robot in time under given efforts; keywords are the keys of the request `simulate`.
    ///
    /// >>> import pylegwork as lw
    /// >>> run = lw.load("delta-industrial").simulate(duration="50 ms", keep_samples=True)
    /// >>> run.time, run.ending
    /// (0.05, 'completed')
    #[pyo3(signature = (*, progress=None, **keys))]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "simulate", progress, keys)
    }

    /// Regulators along a path. Keywords are the keys of the request `follow`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn follow<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "follow", progress, keys)
    }

    /// Masses, inertias, friction and offsets from logs. Keywords are the keys of the request `identify`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn identify<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "identify", progress, keys)
    }

    /// A motion that tells much about masses and friction. Keywords are the keys of the request `excite`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn excite<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "excite", progress, keys)
    }

    /// The fastest motion along a path. Keywords are the keys of the request `plan`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn plan<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "plan", progress, keys)
    }

    /// Motors for a cycle. Keywords are the keys of the request `size`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn size<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "size", progress, keys)
    }

    /// A field over the workspace. Keywords are the keys of the request `map`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn map<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "map", progress, keys)
    }

    /// Small motions about a pose: poles, modes, gains. Keywords are the keys of the request `linearize`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn linearize<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "linearize", progress, keys)
    }

    /// Which parameters move a result. Keywords are the keys of the request `sensitivity`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn sensitivity<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "sensitivity", progress, keys)
    }

    /// The geometry of the real machine from what was measured on it. Keywords are the keys of the request `calibrate`.
    #[pyo3(signature = (*, progress=None, **keys))]
    fn calibrate<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "calibrate", progress, keys)
    }

    /// A regulator for a loop of your own: keywords are the keys of the request `follow`, which says what it regulates along
    /// what motion; of several regulators the last.
    ///
    /// >>> import pylegwork as lw
    /// >>> regulator = lw.load("delta-industrial").regulator()
    /// >>> q = regulator.reference(0.0)
    /// >>> regulator.step(0.0, q).shape, regulator.fault
    /// ((3,), None)
    #[pyo3(signature = (**keys))]
    fn regulator<'py>(
        &self,
        py: Python<'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = py.import("pylegwork._tasks")?.getattr("regulator_of")?;
        made.call1((self.request()?, keys))
    }

    /// Proves the model of the robot by identities at random states. Keywords are the keys of the request `check`.
    ///
    /// >>> import pylegwork as lw
    /// >>> lw.load("five-bar").check(states=20).holds
    /// True
    #[pyo3(signature = (*, progress=None, **keys))]
    fn check<'py>(
        &self,
        py: Python<'py>,
        progress: Given<'_, 'py>,
        keys: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        self.run(py, "check", progress, keys)
    }
}

//! How a caller follows a task, ends it early, and gets what it writes.

use super::TaskError;
use crate::files;
use crate::report::Report;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// How far a task has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<'a> {
    /// Share that is done, from 0 to 1.
    pub done: f64,
    /// What is going on: the regulator that runs, the file that is written. May be empty.
    pub what: &'a str,
}

/// A page for a browser.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The file, HTML.
    pub bytes: Vec<u8>,
    /// Whether it has no script: plots are pictures, robots stand still.
    pub is_static: bool,
}

/// Makes a page of a report; the flag asks for one without a script.
pub type PageMaker<'a> = &'a (dyn Fn(&Report, bool) -> io::Result<Page> + Sync);
/// Takes a file: its name and its bytes.
pub type FileTaker<'a> = &'a (dyn Fn(&Path, &[u8]) -> io::Result<()> + Sync);

/// A caller's hold on a task: it hears of progress and may cancel, says by what words the task was started, makes
/// pages of reports (`legwork-studio` does) and takes files. The default hears nothing, never cancels, makes no pages,
/// and lets files be written where their names say.
#[derive(Clone, Copy, Default)]
pub struct Handle<'a> {
    listener: Option<&'a (dyn Fn(Progress<'_>) + Sync)>,
    cancelled: Option<&'a AtomicBool>,
    noticed: Option<&'a AtomicBool>,
    note_taker: Option<&'a (dyn Fn(&str) + Sync)>,
    command: Option<&'a str>,
    page_maker: Option<PageMaker<'a>>,
    file_taker: Option<FileTaker<'a>>,
}

impl<'a> Handle<'a> {
    /// Hears nothing, never cancels.
    pub fn none() -> Self {
        Self::default()
    }

    /// The same, told of progress. It may be called from several threads.
    #[must_use]
    pub fn with_progress(self, listener: &'a (dyn Fn(Progress<'_>) + Sync)) -> Self {
        Self { listener: Some(listener), ..self }
    }

    /// The same, cancelled when this becomes true.
    #[must_use]
    pub fn cancelled_by(self, flag: &'a AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// The same, setting this when the task has noticed that it is cancelled and goes to its end.
    #[must_use]
    pub fn noticing(self, flag: &'a AtomicBool) -> Self {
        Self { noticed: Some(flag), ..self }
    }

    /// The same, told what should be known before or beside the result: how large a grid is, that a recording was cut.
    #[must_use]
    pub fn with_notes(self, taker: &'a (dyn Fn(&str) + Sync)) -> Self {
        Self { note_taker: Some(taker), ..self }
    }

    /// The same with the command line that started the task; files and reports carry it.
    #[must_use]
    pub fn started_by(self, command: &'a str) -> Self {
        Self { command: Some(command), ..self }
    }

    /// The same, able to make pages of reports.
    #[must_use]
    pub fn with_pages(self, maker: PageMaker<'a>) -> Self {
        Self { page_maker: Some(maker), ..self }
    }

    /// The same, taking files into its own hands: a browser has no disk.
    #[must_use]
    pub fn with_files(self, taker: FileTaker<'a>) -> Self {
        Self { file_taker: Some(taker), ..self }
    }

    /// The command line that started the task.
    pub fn command(&self) -> Option<&'a str> {
        self.command
    }

    /// Whether pages can be made.
    pub fn makes_pages(&self) -> bool {
        self.page_maker.is_some()
    }

    /// Whether files go to the caller and not to the disk.
    pub fn takes_files(&self) -> bool {
        self.file_taker.is_some()
    }

    /// Hands a file over, or writes it to the disk: whole, or not at all.
    pub fn write(&self, path: &Path, bytes: &[u8]) -> Result<(), TaskError> {
        match self.file_taker {
            Some(taker) => taker(path, bytes).map_err(|error| TaskError::unwritten(path, &error)),
            None => files::write(path, bytes).map_err(|fault| TaskError::not_written(path, &fault)),
        }
    }

    /// Makes a page of a report and writes it; gives whether it is static.
    pub fn write_page(&self, path: &Path, report: &Report, is_static: bool) -> Result<bool, TaskError> {
        let Some(maker) = self.page_maker else {
            let what = format!("`{}` is a page, and pages cannot be made here", path.display());
            return Err(TaskError::request(what).or("the crate legwork-studio makes pages"));
        };
        let page = maker(report, is_static).map_err(|error| TaskError::unwritten(path, &error))?;
        self.write(path, &page.bytes)?;
        Ok(page.is_static)
    }

    /// Whether the caller wants the task to end.
    pub fn is_cancelled(&self) -> bool {
        let is_cancelled = self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
        if let (true, Some(noticed)) = (is_cancelled, self.noticed) {
            noticed.store(true, Ordering::Relaxed);
        }
        is_cancelled
    }

    /// Ends a task that has nothing to show before its end.
    pub fn go_on(&self) -> Result<(), TaskError> {
        if self.is_cancelled() { Err(TaskError::Cancelled) } else { Ok(()) }
    }

    /// Tells the caller something that is not in the result.
    pub fn note(&self, text: &str) {
        if let Some(taker) = self.note_taker {
            taker(text);
        }
    }

    /// The flag that cancels, for work that watches it itself.
    pub fn cancel_flag(&self) -> Option<&'a AtomicBool> {
        self.cancelled
    }

    /// Tells the caller how far the task is.
    pub fn report(&self, done: f64, what: &str) {
        if let Some(listener) = self.listener {
            listener(Progress { done: done.clamp(0.0, 1.0), what });
        }
    }
}

impl std::fmt::Debug for Handle<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle")
            .field("listens", &self.listener.is_some())
            .field("cancelled", &self.is_cancelled())
            .field("command", &self.command)
            .field("makes_pages", &self.makes_pages())
            .field("takes_files", &self.takes_files())
            .finish()
    }
}

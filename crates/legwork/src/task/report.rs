//! A page of recordings, as a request and a result.

use super::file_use::UsesFiles;
use super::{Handle, TaskError, record};
use crate::recording::{Bare, Recording};
use crate::report::{Report, Run, of_runs};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A page for a browser, of recordings over the same axes: plots, the robot moving, tables. Pages are made by the
/// caller's [`Handle::with_pages`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportRequest {
    /// Files of recordings: `.csv`, `.parquet` or `.mcap`; one at least.
    pub recordings: Vec<PathBuf>,
    /// File for the page, `.html`.
    pub out: PathBuf,
    /// Heading of the page. Default: the robot and the names of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Whether the page has no script: plots are pictures, the robot does not move. Default: no.
    pub is_static: bool,
}

/// A page that was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportResult {
    /// Where it is.
    pub out: PathBuf,
    /// What kind of page.
    pub page: PageKind,
    /// The names of the runs in it.
    pub runs: Vec<String>,
}

/// What kind of page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum PageKind {
    /// Plots to zoom, robots that move.
    Interactive,
    /// Without a script.
    Static,
}

/// Whether a file is named as a page.
pub(super) fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("html"))
}

impl PageKind {
    /// Writes the best page of a report that there is.
    pub(super) fn written(handle: &Handle<'_>, path: &Path, report: &Report) -> Result<Self, TaskError> {
        let is_static = handle.write_page(path, report, false)?;
        Ok(if is_static { Self::Static } else { Self::Interactive })
    }

    /// In one word.
    pub fn name(self) -> &'static str {
        match self {
            Self::Interactive => "interactive",
            Self::Static => "static",
        }
    }
}

impl ReportRequest {
    /// Writes the page.
    pub fn run(&self, handle: &Handle<'_>) -> Result<ReportResult, TaskError> {
        self.check_files()?;
        let recordings = self.open(handle)?;
        let report = self.document_of(&recordings);
        let is_static = handle.write_page(&self.out, &report, self.is_static)?;
        let page = if is_static { PageKind::Static } else { PageKind::Interactive };
        Ok(ReportResult { out: self.out.clone(), page, runs: self.names() })
    }

    /// What the page shows.
    pub fn document(&self) -> Result<Report, TaskError> {
        Ok(self.document_of(&self.open(&Handle::none())?))
    }

    fn open(&self, handle: &Handle<'_>) -> Result<Vec<Recording>, TaskError> {
        let one = |path: &PathBuf| {
            handle.go_on()?;
            let recording = open(path)?;
            record::note_state(path, &recording, handle);
            if let Some(bare @ Bare::Missing { .. }) = recording.bare() {
                handle.note(&format!("`{}`: {bare}", path.display()));
            }
            Ok(recording)
        };
        self.recordings.iter().map(one).collect()
    }

    fn document_of(&self, recordings: &[Recording]) -> Report {
        let names = self.names();
        let runs: Vec<Run<'_>> =
            names.iter().zip(recordings).map(|(name, recording)| Run { name, recording }).collect();
        let mut report = of_runs("", &runs);
        report.title = match (&self.title, &report.robot) {
            (Some(title), _) => title.clone(),
            (None, Some((robot, _))) => format!("{robot}: {}", names.join(", ")),
            (None, None) => names.join(", "),
        };
        report
    }

    /// The stems of the files; the whole name where two stems are the same.
    fn names(&self) -> Vec<String> {
        let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let twice =
            |path: &Path| self.recordings.iter().filter(|other| stem(other) == stem(path)).count() > 1;
        let name = |path: &PathBuf| if twice(path) { path.display().to_string() } else { stem(path) };
        self.recordings.iter().map(name).collect()
    }
}

fn open(path: &Path) -> Result<Recording, TaskError> {
    let recording = Recording::open(path).map_err(|error| TaskError::File {
        path: path.display().to_string(),
        action: "read as a recording",
        cause: error.to_string(),
    })?;
    if recording.is_empty() {
        let what = format!("`{}` has no samples", path.display());
        return Err(TaskError::request(what).or(super::error::RECORDING_HINT));
    }
    Ok(recording)
}

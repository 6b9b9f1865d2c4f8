//! How a run becomes a recording: in a file, in memory, or in both.

use super::{Handle, Request, TaskError};
use crate::AnyRobot;
use crate::recording::{
    Bare, Column, Ending, Format, Metadata, REQUEST_KEY, Record, Recorder, Recording, WriteError,
};
use crate::sim::MOST_SAMPLES;
use crate::text::bytes;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a run that is killed can lose, however rare its samples.
const FLUSH: Duration = Duration::from_secs(1);

/// What a recording carries: the robot's file, the request with the robot as it was, the command line.
pub(super) fn metadata(robot: &AnyRobot, request: &Request, handle: &Handle<'_>) -> Metadata {
    let mut metadata = Metadata::new().with(REQUEST_KEY, request.to_json());
    if let Some(text) = &robot.description().text {
        metadata = metadata.with_robot(&**text);
    }
    match handle.command() {
        Some(command) => metadata.with_command(command),
        None => metadata,
    }
}

/// The name of a file says its format: told before the run, not after it.
pub(super) fn check_name(path: &Path) -> Result<(), TaskError> {
    if Format::of(path).is_some() {
        return Ok(());
    }
    let error = TaskError::request(format!("`{}` does not say a format", path.display()));
    Err(error.or("let its name end in .csv, .parquet or .mcap"))
}

pub(super) fn unwritten(path: &Path, error: &WriteError) -> TaskError {
    TaskError::Unusable {
        what: format!("`{}` cannot be written", path.display()),
        cause: error.to_string(),
        hint: error.hint(),
    }
}

/// Tells of a recording that has no end, because its run was killed, and of metadata that is there and not used.
pub(super) fn note_state(path: &Path, recording: &Recording, handle: &Handle<'_>) {
    let (file, rows) = (path.display(), recording.len());
    if matches!(recording.ending(), Ending::Cut { .. }) {
        handle.note(&format!(
            "the run of `{file}` was killed: {rows} rows up to its last block are read; \
             `legwork recover {file}` makes it readable for every program"
        ));
    }
    match recording.bare() {
        // Tables of other programs have none, and need none.
        None | Some(Bare::Missing { .. }) => {}
        Some(bare) => handle.note(&format!("`{file}`: {bare}")),
    }
}

/// Most numbers of a recording that is kept in memory: two gigabytes.
const MOST_IN_MEMORY: f64 = (1 << 28) as f64;
/// So many rows are worth a word before the run.
const MANY_ROWS: f64 = 1e6;

/// How large a run becomes: told where it is large, refused where it is too large.
pub(super) struct RunSize {
    /// How long it is \[s\].
    pub duration: f64,
    /// From one sample to the next \[s\].
    pub sample: f64,
    /// Numbers of a sample.
    pub columns: usize,
    /// Whether all samples are kept: for a page or in the result.
    pub in_memory: bool,
}

impl RunSize {
    pub fn check(&self, handle: &Handle<'_>) -> Result<(), TaskError> {
        let rows = self.duration / self.sample;
        let numbers = rows * self.columns as f64;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let memory = bytes((numbers * 8.0) as u64);
        if self.in_memory && numbers > MOST_IN_MEMORY {
            let what = format!("{rows:.0} samples with {} numbers each are {memory} of memory", self.columns);
            let hint =
                "at most 2.1 GB are kept: take a longer `sample`, or write to a file `out` and no `report`";
            return Err(TaskError::request(what).or(hint));
        }
        if rows > MANY_ROWS && rows <= MOST_SAMPLES {
            let place = if self.in_memory { "memory" } else { "numbers" };
            handle.note(&format!(
                "a run of {rows:.0} samples with {} numbers each, {memory} of {place}",
                self.columns
            ));
        }
        Ok(())
    }
}

/// The rows of one run on their way.
pub(super) struct RunRecorder {
    path: Option<PathBuf>,
    columns: Vec<Column>,
    metadata: Metadata,
    file: Option<(Recorder, Instant)>,
    memory: Option<Recording>,
    /// Whether the caller wants what is in memory; otherwise it is there because there is no disk.
    keeps_memory: bool,
    failed: Option<TaskError>,
}

impl RunRecorder {
    /// For a file, for memory, for both or for none. A file that goes to the caller is made of what is in memory.
    pub fn new(
        path: Option<PathBuf>,
        in_memory: bool,
        columns: Vec<Column>,
        metadata: Metadata,
        handle: &Handle<'_>,
    ) -> Result<Self, TaskError> {
        let has_no_disk = path.is_some() && handle.takes_files();
        let memory = if in_memory || has_no_disk {
            let made = Recording::new(&columns, &metadata);
            Some(made.map_err(|error| TaskError::request(error.to_string()))?)
        } else {
            None
        };
        Ok(Self { path, columns, metadata, file: None, memory, keeps_memory: in_memory, failed: None })
    }

    /// Takes a row; a file that cannot be written ends the run.
    pub fn push(&mut self, row: &[f64], handle: &Handle<'_>) -> ControlFlow<()> {
        match self.write(row, handle) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// The file begins with the first row: a run that cannot begin leaves no file behind.
    fn write(&mut self, row: &[f64], handle: &Handle<'_>) -> Result<(), TaskError> {
        if let Some(memory) = &mut self.memory {
            memory.push(row).map_err(|error| TaskError::request(error.to_string()))?;
        }
        let Some(path) = self.path.as_ref().filter(|_| !handle.takes_files()) else { return Ok(()) };
        let failed = |error: WriteError| unwritten(path, &error);
        let (recorder, flushed) = match &mut self.file {
            Some(file) => file,
            none => {
                let recorder = Recorder::start(path, &self.columns, &self.metadata).map_err(failed)?;
                none.insert((recorder, Instant::now()))
            }
        };
        recorder.push(row).map_err(failed)?;
        if flushed.elapsed() > FLUSH {
            recorder.flush().map_err(failed)?;
            *flushed = Instant::now();
        }
        Ok(())
    }

    /// Ends the recording with the reason; gives what is in memory, if that was asked for.
    pub fn finish(self, reason: &str, handle: &Handle<'_>) -> Result<Option<Recording>, TaskError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        if let (Some((mut recorder, _)), Some(path)) = (self.file, &self.path) {
            recorder.finish(reason).map_err(|error| unwritten(path, &error))?;
        }
        let mut memory = self.memory;
        if let Some(memory) = &mut memory {
            memory.finish(reason).map_err(|error| TaskError::request(error.to_string()))?;
        }
        if let (Some(recording), Some(path), true) = (&memory, &self.path, handle.takes_files()) {
            for (name, bytes) in recording.to_files(path).map_err(|error| unwritten(path, &error))? {
                handle.write(&name, &bytes)?;
            }
        }
        Ok(memory.filter(|_| self.keeps_memory))
    }
}

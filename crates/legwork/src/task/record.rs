//! How a run becomes a recording: in a file, in memory, or in both.

use super::{Handle, Request, TaskError};
use crate::AnyRobot;
use crate::recording::{Column, Format, Metadata, REQUEST_KEY, Record, Recorder, Recording, WriteError};
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
    TaskError::File { path: path.display().to_string(), action: "written", cause: error.to_string() }
}

/// The rows of one run on their way.
pub(super) struct RunRecorder {
    path: Option<PathBuf>,
    columns: Vec<Column>,
    metadata: Metadata,
    file: Option<(Recorder, Instant)>,
    memory: Option<Recording>,
    failed: Option<TaskError>,
}

impl RunRecorder {
    /// For a file, for memory, for both or for none.
    pub fn new(
        path: Option<PathBuf>,
        in_memory: bool,
        columns: Vec<Column>,
        metadata: Metadata,
    ) -> Result<Self, TaskError> {
        let memory = if in_memory {
            let made = Recording::new(&columns, &metadata);
            Some(made.map_err(|error| TaskError::request(error.to_string()))?)
        } else {
            None
        };
        Ok(Self { path, columns, metadata, file: None, memory, failed: None })
    }

    /// Takes a row; a file that cannot be written ends the run.
    pub fn push(&mut self, row: &[f64]) -> ControlFlow<()> {
        match self.write(row) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failed = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// The file begins with the first row: a run that cannot begin leaves no file behind.
    fn write(&mut self, row: &[f64]) -> Result<(), TaskError> {
        if let Some(memory) = &mut self.memory {
            memory.push(row).map_err(|error| TaskError::request(error.to_string()))?;
        }
        let Some(path) = &self.path else { return Ok(()) };
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

    /// Ends the recording with the reason; gives what is in memory.
    pub fn finish(self, reason: &str) -> Result<Option<Recording>, TaskError> {
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
        Ok(memory)
    }
}

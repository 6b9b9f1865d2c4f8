//! What goes on while a run goes on: the file, the samples to show, progress.

use super::samples::{self, Listed};
use crate::failure::{Failure, Message};
use crate::progress::Progress;
use crate::verb::open;
use legwork::coordinates::CoordinateSchema;
use legwork::recording::{Metadata, Record, Recorder, Recording, WriteError};
use legwork::sim::Sample;
use legwork::{AnyRobot, PlatformState};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

/// What a run that is killed can lose, however rare its samples.
const FLUSH: Duration = Duration::from_secs(1);
/// The start, three quarter points and the end are shown.
const QUARTERS: f64 = 4.0;

/// A sample to show.
#[derive(Clone)]
pub struct Kept {
    pub time: f64,
    pub pose: PlatformState,
    pub q: Vec<f64>,
    pub kinetic: f64,
    /// Its numbers as they go into a file.
    pub row: Vec<f64>,
}

pub struct Follower<'a> {
    robot: &'a AnyRobot,
    schema: &'a CoordinateSchema,
    /// The robot as the user names it.
    name: &'a str,
    path: Option<&'a Path>,
    duration: f64,
    /// All of them, for JSON.
    keeps_all: bool,
    listed: Listed,
    kept: Vec<Kept>,
    /// The last one, if it is not kept yet.
    last: Option<Kept>,
    outside: BTreeSet<usize>,
    recorder: Option<Recorder>,
    /// All of them, for a page.
    memory: Option<Recording>,
    failed: Option<Failure>,
    row: Vec<f64>,
    progress: Progress,
    flushed: Instant,
}

impl<'a> Follower<'a> {
    pub fn new(
        robot: &'a AnyRobot,
        schema: &'a CoordinateSchema,
        name: &'a str,
        path: Option<&'a Path>,
        duration: f64,
        keeps_all: bool,
        listed: Listed,
    ) -> Self {
        Self {
            robot,
            schema,
            name,
            path,
            duration,
            keeps_all,
            listed,
            kept: Vec::new(),
            last: None,
            outside: BTreeSet::new(),
            recorder: None,
            memory: None,
            failed: None,
            row: Vec::new(),
            progress: Progress::new(),
            flushed: Instant::now(),
        }
    }

    /// Keeps every sample for [`memory`](Self::memory).
    pub fn remembering(mut self) -> Result<Self, Failure> {
        let recording = Recording::new(&samples::columns(self.schema, self.listed), &metadata(self.name)?);
        self.memory = Some(recording.map_err(|error| Message::new(error.to_string()))?);
        Ok(self)
    }

    /// What was kept, ended for this reason.
    #[cfg(feature = "studio")]
    pub fn memory(&mut self, reason: &str) -> Result<Option<Recording>, Failure> {
        let mut memory = self.memory.take();
        if let Some(memory) = &mut memory {
            memory.finish(reason).map_err(|error| Message::new(error.to_string()))?;
        }
        Ok(memory)
    }

    /// Takes a sample; a file that cannot be written ends the run.
    pub fn see(&mut self, sample: &Sample<'_>) -> ControlFlow<()> {
        samples::row(self.schema, self.listed, sample, &mut self.row);
        if let Some(memory) = &mut self.memory {
            // A row of our own columns is of their length.
            let _ = memory.push(&self.row);
        }
        if let Err(failure) = self.write() {
            self.failed = Some(failure);
            return ControlFlow::Break(());
        }
        let kept = Kept {
            time: sample.time,
            pose: sample.platform,
            q: sample.q.to_vec(),
            kinetic: sample.energy.kinetic,
            row: self.row.clone(),
        };
        let quarter = self.kept.len() as f64 / QUARTERS * self.duration;
        // A hair before it is on it: 25 times 0.01 is not a quarter to the bit.
        if self.keeps_all || sample.time >= quarter * (1.0 - 1e-9) {
            self.kept.push(kept);
            self.last = None;
        } else {
            self.last = Some(kept);
        }
        let joints = self.robot.joints().iter().zip(sample.q).enumerate();
        self.outside.extend(joints.filter(|(_, (joint, q))| joint.is_outside(**q)).map(|(k, _)| k));
        self.progress.show(sample.time / self.duration, "");
        ControlFlow::Continue(())
    }

    /// The file begins with the first sample: a run that cannot begin leaves no file behind.
    fn write(&mut self) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        let failed = |error: WriteError| {
            Failure::Told(
                Message::new(format!("`--out {}` cannot be written", path.display()))
                    .caused_by(error.to_string()),
            )
        };
        let recorder = match &mut self.recorder {
            Some(recorder) => recorder,
            none => {
                let columns = samples::columns(self.schema, self.listed);
                none.insert(Recorder::start(path, &columns, &metadata(self.name)?).map_err(failed)?)
            }
        };
        recorder.push(&self.row).map_err(failed)?;
        if self.flushed.elapsed() > FLUSH {
            recorder.flush().map_err(failed)?;
            self.flushed = Instant::now();
        }
        Ok(())
    }

    /// Ends the file with the reason, and gives the samples to show and the motors that were outside their limits.
    pub fn finish(mut self, reason: &str) -> Result<(Vec<Kept>, Vec<usize>), Failure> {
        drop(self.progress);
        if let Some(failure) = self.failed {
            return Err(failure);
        }
        if let Some(recorder) = &mut self.recorder {
            recorder.finish(reason).map_err(|error| Message::new(error.to_string()))?;
        }
        self.kept.extend(self.last);
        Ok((self.kept, self.outside.into_iter().collect()))
    }
}

/// The robot file and the command line.
pub fn metadata(robot: &str) -> Result<Metadata, Failure> {
    let text = open(robot)?.description().text.as_deref().unwrap_or_default().to_owned();
    let words = std::env::args_os().skip(1).map(|word| {
        let word = word.to_string_lossy().into_owned();
        if word.contains(char::is_whitespace) { format!("'{word}'") } else { word }
    });
    let command = std::iter::once("legwork".to_owned()).chain(words).collect::<Vec<_>>().join(" ");
    Ok(Metadata::new().with_robot(text).with_command(command))
}

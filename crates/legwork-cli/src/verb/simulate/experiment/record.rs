//! The file of one regulator.

use super::super::follow::metadata;
use super::super::samples::{self, Listed};
use crate::failure::{Failure, Message};
use legwork::coordinates::{CoordinateSchema, Group};
use legwork::experiment::{ControllerKind, Observation};
use legwork::recording::{Column, Record as _, Recorder, Recording, WriteError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub struct Record<'a> {
    path: Option<PathBuf>,
    kind: ControllerKind,
    schema: &'a CoordinateSchema,
    /// The robot as the user names it.
    name: &'a str,
    recorder: Option<Recorder>,
    /// Whether all is kept for a page, and what was.
    remembers: bool,
    memory: Option<Recording>,
    failed: Option<Failure>,
    row: Vec<f64>,
}

/// `run-pd.csv` of `run.csv`.
fn named(path: &Path, kind: ControllerKind) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{}.{extension}", kind.name()))
}

impl<'a> Record<'a> {
    pub fn new(
        out: Option<&Path>,
        kind: ControllerKind,
        is_one_of_many: bool,
        schema: &'a CoordinateSchema,
        name: &'a str,
    ) -> Self {
        let path = out.map(|path| if is_one_of_many { named(path, kind) } else { path.to_owned() });
        let (recorder, memory, failed) = (None, None, None);
        Self { path, kind, schema, name, recorder, remembers: false, memory, failed, row: Vec::new() }
    }

    /// Keeps everything for a page, if there is to be one.
    pub fn remembering(self, remembers: bool) -> Self {
        Self { remembers, ..self }
    }

    /// The usual columns, then references and errors.
    fn columns(&self, listed: Listed) -> Vec<Column> {
        let schema = self.schema;
        let mut columns = samples::columns(schema, listed);
        for letters in ["qref", "qerr"] {
            let units = schema.each("rad", "m").into_iter().enumerate();
            columns.extend(units.map(|(k, unit)| Column::new(format!("{letters}{}", k + 1), unit)));
        }
        for group in [Group::Position, Group::Orientation] {
            let names = schema.group(group).names.iter();
            let wanted = names.map(|name| {
                Column::new(format!("{}_ref", name.text), name.quantity.si_unit()).in_frame("base")
            });
            columns.extend(wanted);
        }
        columns.push(Column::new("position_error", "m"));
        if schema.turns() {
            columns.push(Column::new("orientation_error", "rad"));
        }
        columns
    }

    /// Takes a sample; a file that cannot be written ends the run.
    pub fn see(&mut self, seen: &Observation<'_>) -> ControlFlow<()> {
        if self.path.is_none() && !self.remembers {
            return ControlFlow::Continue(());
        }
        match self.write(seen) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failed = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn write(&mut self, seen: &Observation<'_>) -> Result<(), Failure> {
        let path = self.path.clone().unwrap_or_default();
        let failed = |error: WriteError| {
            let message = Message::new(format!("`--out {}` cannot be written", path.display()));
            Failure::Told(message.caused_by(error.to_string()))
        };
        let listed = Listed { has_commands: true, has_readings: seen.sample.measured.is_some() };
        let (opens, begins) =
            (self.path.is_some() && self.recorder.is_none(), self.remembers && self.memory.is_none());
        if opens || begins {
            let metadata = metadata(self.name)?.with("regulator", self.kind.name());
            let columns = self.columns(listed);
            if opens {
                self.recorder = Some(Recorder::start(&path, &columns, &metadata).map_err(failed)?);
            }
            if begins {
                let memory = Recording::new(&columns, &metadata);
                self.memory = Some(memory.map_err(|error| Message::new(error.to_string()))?);
            }
        }
        let schema = self.schema;
        samples::row(schema, listed, &seen.sample, &mut self.row);
        self.row.extend_from_slice(seen.reference);
        self.row.extend_from_slice(seen.error);
        self.row.extend(schema.pick(Group::Position, &seen.platform.position));
        self.row.extend(schema.angles(&seen.platform.rotation));
        self.row.push(seen.position_error);
        if schema.turns() {
            self.row.push(seen.orientation_error);
        }
        if let Some(memory) = &mut self.memory {
            // A row of our own columns is of their length.
            let _ = memory.push(&self.row);
        }
        match &mut self.recorder {
            Some(recorder) => recorder.push(&self.row).map_err(failed),
            None => Ok(()),
        }
    }

    /// Ends the file with the reason; gives its name and what was kept.
    pub fn finish(self, reason: &str) -> Result<(Option<PathBuf>, Option<Recording>), Failure> {
        if let Some(failure) = self.failed {
            return Err(failure);
        }
        let told = |error: WriteError| Message::new(error.to_string());
        let mut memory = self.memory;
        if let Some(memory) = &mut memory {
            memory.finish(reason).map_err(told)?;
        }
        match self.recorder {
            Some(mut recorder) => {
                recorder.finish(reason).map_err(told)?;
                Ok((self.path, memory))
            }
            None => Ok((None, memory)),
        }
    }
}

//! The file of one regulator.

use super::super::follow::metadata;
use super::super::samples::{self, Listed};
use crate::failure::{Failure, Message};
use crate::form::Form;
use crate::row::Group;
use legwork::experiment::{Observation, Scheme};
use legwork::recording::{Column, Recorder, WriteError};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub struct Record<'a> {
    path: Option<PathBuf>,
    scheme: Scheme,
    form: &'a Form,
    /// The robot as the user names it.
    name: &'a str,
    recorder: Option<Recorder>,
    failed: Option<Failure>,
    row: Vec<f64>,
}

/// `run-pd.csv` of `run.csv`.
fn named(path: &Path, scheme: Scheme) -> PathBuf {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    path.with_file_name(format!("{stem}-{}.{extension}", scheme.name()))
}

impl<'a> Record<'a> {
    pub fn new(
        out: Option<&Path>,
        scheme: Scheme,
        is_one_of_many: bool,
        form: &'a Form,
        name: &'a str,
    ) -> Self {
        let path = out.map(|path| if is_one_of_many { named(path, scheme) } else { path.to_owned() });
        Self { path, scheme, form, name, recorder: None, failed: None, row: Vec::new() }
    }

    /// The usual columns, then references and errors.
    fn columns(&self, listed: Listed) -> Vec<Column> {
        let form = self.form;
        let mut columns = samples::columns(form, listed);
        for letters in ["qref", "qerr"] {
            let units = form.each("rad", "m").into_iter().enumerate();
            columns.extend(units.map(|(k, unit)| Column::new(format!("{letters}{}", k + 1), unit)));
        }
        for group in [Group::Position, Group::Orientation] {
            let names = form.group(group).names.iter();
            let wanted =
                names.map(|name| Column::new(format!("{}_ref", name.text), name.kind.si()).in_frame("base"));
            columns.extend(wanted);
        }
        columns.push(Column::new("position_error", "m"));
        if form.turns() {
            columns.push(Column::new("orientation_error", "rad"));
        }
        columns
    }

    /// Takes a sample; a file that cannot be written ends the run.
    pub fn see(&mut self, seen: &Observation<'_>) -> ControlFlow<()> {
        let Some(path) = self.path.clone() else { return ControlFlow::Continue(()) };
        match self.write(&path, seen) {
            Ok(()) => ControlFlow::Continue(()),
            Err(failure) => {
                self.failed = Some(failure);
                ControlFlow::Break(())
            }
        }
    }

    fn write(&mut self, path: &Path, seen: &Observation<'_>) -> Result<(), Failure> {
        let failed = |error: WriteError| {
            let message = Message::new(format!("`--out {}` cannot be written", path.display()));
            Failure::Told(message.caused_by(error.to_string()))
        };
        let listed = Listed { has_commands: true, has_readings: seen.sample.measured.is_some() };
        if self.recorder.is_none() {
            let metadata = metadata(self.name)?.with("regulator", self.scheme.name());
            let columns = self.columns(listed);
            self.recorder = Some(Recorder::start(path, &columns, &metadata).map_err(failed)?);
        }
        let form = self.form;
        samples::row(form, listed, &seen.sample, &mut self.row);
        self.row.extend_from_slice(seen.reference);
        self.row.extend_from_slice(seen.error);
        self.row.extend(form.pick(Group::Position, &seen.platform.position));
        self.row.extend(form.angles(&seen.platform.rotation));
        self.row.push(seen.position_error);
        if form.turns() {
            self.row.push(seen.orientation_error);
        }
        match &mut self.recorder {
            Some(recorder) => recorder.push(&self.row).map_err(failed),
            None => Ok(()),
        }
    }

    /// Ends the file with the reason, and gives its name.
    pub fn finish(self, reason: &str) -> Result<Option<PathBuf>, Failure> {
        if let Some(failure) = self.failed {
            return Err(failure);
        }
        match self.recorder {
            Some(mut recorder) => {
                recorder.finish(reason).map_err(|error| Message::new(error.to_string()))?;
                Ok(self.path)
            }
            None => Ok(None),
        }
    }
}

//! A motion along a path as rows in a file, as a picture or on a page.

use super::record::RunRecorder;
use super::report::is_page;
use super::{Handle, RunColumns, TaskError};
use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::experiment::{LoadedRobot, ReferenceMotion};
use crate::figure::Figure;
use crate::recording::{Format, Metadata, Recording};
use crate::report::{Run, Section, of_runs};
use crate::robot::RunningAngles;
use std::path::PathBuf;

/// Most rows of a file: a gigabyte of a six-axis robot.
const MOST_ROWS: f64 = 4e6;

/// The names of files say their formats: told before the work, not after it.
pub(super) fn check_names(paths: &[PathBuf]) -> Result<(), TaskError> {
    let says =
        |path: &PathBuf| Figure::is_name_of_picture(path) || is_page(path) || Format::of(path).is_some();
    match paths.iter().find(|path| !says(path)) {
        None => Ok(()),
        Some(path) => {
            let error = TaskError::request(format!("`{}` does not say a format", path.display()));
            Err(error.or("let its name end in .csv, .parquet, .mcap, .svg, .png or .html"))
        }
    }
}

/// A motion and what is written of it.
pub(super) struct MotionFiles<'a> {
    pub paths: &'a [PathBuf],
    /// Time from one row to the next \[s\].
    pub interval: f64,
    pub robot: &'a AnyRobot,
    pub schema: &'a CoordinateSchema,
    pub motion: &'a dyn ReferenceMotion,
    pub metadata: Metadata,
}

impl MotionFiles<'_> {
    /// Writes every file: pictures as `figure` draws them, motions sampled, pages with the section before the
    /// picture and the motion.
    pub fn write(
        &self,
        handle: &Handle<'_>,
        section: &Section,
        figure: impl Fn() -> Result<Figure, TaskError>,
    ) -> Result<(), TaskError> {
        for path in self.paths {
            if Figure::is_name_of_picture(path) {
                handle.write(path, &figure()?.to_bytes(path).unwrap_or_default())?;
            } else if is_page(path) {
                let Some(recording) = self.record(None, handle)? else { continue };
                let title = format!("{}: {}", self.robot.name(), section.title.to_lowercase());
                let mut report = of_runs(&title, &[Run { name: "motion", recording: &recording }]);
                let head = figure()?.blocks().into_iter().fold(section.clone(), Section::with);
                report.sections.insert(report.sections.len().min(1), head); // after the robot that moves
                handle.write_page(path, &report, false)?;
            } else {
                self.record(Some(path.clone()), handle)?;
            }
        }
        Ok(())
    }

    /// The rows of the motion, to a file or to memory.
    fn record(&self, path: Option<PathBuf>, handle: &Handle<'_>) -> Result<Option<Recording>, TaskError> {
        let duration = self.motion.duration();
        let steps = (duration / self.interval).ceil();
        if steps > MOST_ROWS {
            let error = TaskError::request(format!("{steps:.0} rows are too many"));
            return Err(error.or("take a longer `sample`"));
        }
        let loads = self.motion.loads();
        let loaded = LoadedRobot::new(self.robot, self.motion)?;
        let columns = RunColumns::of_motion(self.schema, !loads.is_empty());
        let mut recorder = {
            let in_memory = path.is_none();
            RunRecorder::new(path, in_memory, columns.columns(), self.metadata.clone(), handle)?
        };
        let mut row = Vec::new();
        let mut angles = RunningAngles::default();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        let steps = steps as u32;
        for k in 0..=steps {
            let time = (f64::from(k) * self.interval).min(duration);
            let platform = self.motion.platform(time);
            let mut state = loaded.at(time).state(&platform)?;
            angles.run_on(self.robot.joints(), &mut state.q);
            let efforts = state.dynamics.map(|dynamics| dynamics.motor).unwrap_or_default();
            let motors = [&state.q[..], &state.qd, &state.qdd, &efforts];
            columns.motion_row(time, &platform, motors, loaded.mass_at(time), &mut row);
            if recorder.push(&row, handle).is_break() || handle.is_cancelled() {
                break;
            }
        }
        let reason = if handle.is_cancelled() { "interrupted" } else { "end of the motion" };
        let recording = recorder.finish(reason, handle)?;
        handle.go_on()?;
        Ok(recording)
    }
}

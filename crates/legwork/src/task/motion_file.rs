//! A motion along a path as rows in a file or as a picture.

use super::record::RunRecorder;
use super::{Handle, RunColumns, TaskError};
use crate::AnyRobot;
use crate::coordinates::CoordinateSchema;
use crate::experiment::TimedPath;
use crate::figure::Figure;
use crate::recording::{Format, Metadata};
use std::path::PathBuf;

/// Most rows of a file: a gigabyte of a six-axis robot.
const MOST_ROWS: f64 = 4e6;

/// The names of files say their formats: told before the work, not after it.
pub(super) fn check_names(paths: &[PathBuf]) -> Result<(), TaskError> {
    match paths.iter().find(|path| !Figure::is_name_of_picture(path) && Format::of(path).is_none()) {
        None => Ok(()),
        Some(path) => {
            let error = TaskError::request(format!("`{}` does not say a format", path.display()));
            Err(error.or("let its name end in .csv, .parquet, .mcap, .svg or .png"))
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
    pub motion: &'a TimedPath,
    pub metadata: Metadata,
}

impl MotionFiles<'_> {
    /// Writes every file: pictures as `figure` draws them, motions sampled.
    pub fn write(
        &self,
        handle: &Handle<'_>,
        figure: impl Fn() -> Result<Figure, TaskError>,
    ) -> Result<(), TaskError> {
        for path in self.paths {
            if Figure::is_name_of_picture(path) {
                handle.write(path, &figure()?.to_bytes(path).unwrap_or_default())?;
            } else {
                self.record(path.clone(), handle)?;
            }
        }
        Ok(())
    }

    fn record(&self, path: PathBuf, handle: &Handle<'_>) -> Result<(), TaskError> {
        let duration = self.motion.duration();
        let steps = (duration / self.interval).ceil();
        if steps > MOST_ROWS {
            let error = TaskError::request(format!("{steps:.0} rows are too many"));
            return Err(error.or("take a longer `sample`"));
        }
        let columns = RunColumns::of_motion(self.schema);
        let mut recorder = RunRecorder::new(Some(path), false, columns.columns(), self.metadata.clone())?;
        let mut row = Vec::new();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
        let steps = steps as u32;
        for k in 0..=steps {
            let time = (f64::from(k) * self.interval).min(duration);
            let platform = self.motion.platform(time);
            let state = self.robot.state(&platform)?;
            let efforts = state.dynamics.map(|dynamics| dynamics.motor).unwrap_or_default();
            columns.motion_row(time, &platform, [&state.q, &state.qd, &state.qdd, &efforts], &mut row);
            if recorder.push(&row).is_break() || handle.is_cancelled() {
                break;
            }
        }
        let reason = if handle.is_cancelled() { "interrupted" } else { "end of the motion" };
        recorder.finish(reason)?;
        handle.go_on()
    }
}

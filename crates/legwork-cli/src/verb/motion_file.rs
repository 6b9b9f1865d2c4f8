//! A motion along a path as rows in a file: pose, motors, efforts over time.

use super::simulate::{metadata, positive};
use crate::args::FileArgs;
use crate::failure::{Failure, Message};
use crate::form::Form;
use crate::quantity::Kind;
use crate::row::{Group, number};
use crate::turn;
use legwork::AnyRobot;
use legwork::experiment::Motion;
use legwork::figure::Figure;
use legwork::recording::{Column, Format, Recorder, WriteError};
use std::path::Path;

/// Rows at most: a gigabyte of a six-axis robot.
const MOST: f64 = 4e6;

/// The names of files say their formats: told before the work, not after it.
pub fn check_names(files: &FileArgs) -> Result<(), Failure> {
    for path in &files.out {
        if Figure::is_name_of_picture(path) || Format::of(path).is_some() {
            continue;
        }
        let message = Message::new(format!("`--out {}` does not say a format", path.display()));
        return Err(message.hint("let its name end in .csv, .parquet, .mcap, .svg or .png").into());
    }
    Ok(())
}

/// Writes every file: pictures as `figure` draws them, motions sampled.
pub fn write(
    files: &FileArgs,
    name: &str,
    form: &Form,
    robot: &AnyRobot,
    motion: &Motion,
    figure: impl Fn() -> Result<Figure, Failure>,
) -> Result<(), Failure> {
    for path in &files.out {
        if Figure::is_name_of_picture(path) {
            figure()?.save(path).map_err(|error| unwritten(path, &error.to_string()))?;
        } else {
            record(path, files.sample.as_deref(), name, form, robot, motion)?;
        }
    }
    Ok(())
}

fn unwritten(path: &Path, cause: &str) -> Failure {
    Message::new(format!("`--out {}` cannot be written", path.display())).caused_by(cause).into()
}

fn columns(form: &Form) -> Vec<Column> {
    let mut columns = vec![Column::time()];
    for group in
        [Group::Position, Group::Orientation, Group::Quaternion, Group::Velocity, Group::AngularVelocity]
    {
        let names = form.group(group).names.iter();
        columns.extend(names.map(|name| Column::new(&name.text, name.kind.si()).in_frame("base")));
    }
    for group in [Group::Joints, Group::JointSpeeds, Group::JointAccelerations] {
        columns.extend(form.group(group).names.iter().map(|name| Column::new(&name.text, name.kind.si())));
    }
    let units = form.each("N m", "N").into_iter().enumerate();
    columns.extend(units.map(|(k, unit)| Column::new(format!("tau{}", k + 1), unit)));
    columns
}

fn record(
    path: &Path,
    sample: Option<&str>,
    name: &str,
    form: &Form,
    robot: &AnyRobot,
    motion: &Motion,
) -> Result<(), Failure> {
    let interval = match sample {
        Some(text) => positive("sample", number("sample", Kind::Time, text)?)?,
        None => 1e-3,
    };
    let duration = motion.duration();
    let steps = (duration / interval).ceil();
    if steps > MOST {
        let message = Message::new(format!("{steps:.0} rows are too many"));
        return Err(message.hint("take a longer `--sample`").into());
    }
    let failed = |error: WriteError| unwritten(path, &error.to_string());
    let mut recorder = Recorder::start(path, &columns(form), &metadata(name)?).map_err(failed)?;
    let mut row = Vec::new();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let steps = steps as u32;
    for k in 0..=steps {
        let time = (f64::from(k) * interval).min(duration);
        let platform = motion.platform(time);
        let state = robot.state(&platform).map_err(|error| Failure::of(error, name))?;
        row.clear();
        row.push(time);
        row.extend(form.pick(Group::Position, &platform.position));
        row.extend(form.angles(&platform.rotation));
        if form.turns() {
            row.extend(turn::quaternion(&platform.rotation));
        }
        row.extend(form.pick(Group::Velocity, &platform.twist[..3]));
        row.extend(form.pick(Group::AngularVelocity, &platform.twist[3..]));
        row.extend(state.q.iter().chain(&state.qd).chain(&state.qdd));
        row.extend(state.dynamics.map(|dynamics| dynamics.motor).unwrap_or_default());
        recorder.push(&row).map_err(failed)?;
    }
    recorder.finish("end of the motion").map_err(failed)
}

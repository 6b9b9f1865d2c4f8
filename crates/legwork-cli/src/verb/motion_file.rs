//! A motion along a path as rows in a file: pose, motors, efforts over time.

use super::simulate::{metadata, positive};
use crate::args::FileArgs;
use crate::failure::{Failure, Message};
use legwork::AnyRobot;
use legwork::coordinates::{CoordinateSchema, Group, number};
use legwork::experiment::TimedPath;
use legwork::figure::Figure;
use legwork::recording::{Column, Format, Recorder, WriteError};
use legwork::rotation;
use legwork::units::Quantity;
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
    schema: &CoordinateSchema,
    robot: &AnyRobot,
    motion: &TimedPath,
    figure: impl Fn() -> Result<Figure, Failure>,
) -> Result<(), Failure> {
    for path in &files.out {
        if Figure::is_name_of_picture(path) {
            figure()?.save(path).map_err(|error| unwritten(path, &error.to_string()))?;
        } else {
            record(path, files.sample.as_deref(), name, schema, robot, motion)?;
        }
    }
    Ok(())
}

fn unwritten(path: &Path, cause: &str) -> Failure {
    Message::new(format!("`--out {}` cannot be written", path.display())).caused_by(cause).into()
}

fn columns(schema: &CoordinateSchema) -> Vec<Column> {
    let mut columns = vec![Column::time()];
    for group in
        [Group::Position, Group::Orientation, Group::Quaternion, Group::Velocity, Group::AngularVelocity]
    {
        let names = schema.group(group).names.iter();
        columns.extend(names.map(|name| Column::new(&name.text, name.quantity.si_unit()).in_frame("base")));
    }
    for group in [Group::Joints, Group::JointSpeeds, Group::JointAccelerations] {
        columns.extend(
            schema.group(group).names.iter().map(|name| Column::new(&name.text, name.quantity.si_unit())),
        );
    }
    let units = schema.each("N m", "N").into_iter().enumerate();
    columns.extend(units.map(|(k, unit)| Column::new(format!("tau{}", k + 1), unit)));
    columns
}

fn record(
    path: &Path,
    sample: Option<&str>,
    name: &str,
    schema: &CoordinateSchema,
    robot: &AnyRobot,
    motion: &TimedPath,
) -> Result<(), Failure> {
    let interval = match sample {
        Some(text) => positive("sample", number("sample", Quantity::Time, text)?)?,
        None => 1e-3,
    };
    let duration = motion.duration();
    let steps = (duration / interval).ceil();
    if steps > MOST {
        let message = Message::new(format!("{steps:.0} rows are too many"));
        return Err(message.hint("take a longer `--sample`").into());
    }
    let failed = |error: WriteError| unwritten(path, &error.to_string());
    let mut recorder = Recorder::start(path, &columns(schema), &metadata(name)?).map_err(failed)?;
    let mut row = Vec::new();
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let steps = steps as u32;
    for k in 0..=steps {
        let time = (f64::from(k) * interval).min(duration);
        let platform = motion.platform(time);
        let state = robot.state(&platform).map_err(|error| Failure::of(error, name))?;
        row.clear();
        row.push(time);
        row.extend(schema.pick(Group::Position, &platform.position));
        row.extend(schema.angles(&platform.rotation));
        if schema.turns() {
            row.extend(rotation::to_quaternion(&platform.rotation));
        }
        row.extend(schema.pick(Group::Velocity, &platform.twist[..3]));
        row.extend(schema.pick(Group::AngularVelocity, &platform.twist[3..]));
        row.extend(state.q.iter().chain(&state.qd).chain(&state.qdd));
        row.extend(state.dynamics.map(|dynamics| dynamics.motor).unwrap_or_default());
        recorder.push(&row).map_err(failed)?;
    }
    recorder.finish("end of the motion").map_err(failed)
}

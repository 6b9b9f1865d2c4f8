//! What drives the motors: numbers, holding efforts or a file.

use super::pose;
use crate::args::{Rows, SimulateArgs};
use crate::failure::{Failure, Message};
use legwork::coordinates::{CoordinateSchema, number};
use legwork::recording::Recording;
use legwork::sim::{Between, EffortTable, Efforts};
use legwork::units::Quantity;
use legwork::{AnyRobot, PlatformState, RobotError};
use std::path::Path;

pub fn from_args(
    args: &SimulateArgs,
    name: &str,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    start: &PlatformState,
) -> Result<Efforts, Failure> {
    if let Some(path) = &args.efforts {
        let between = if args.between == Some(Rows::Linear) { Between::Line } else { Between::Hold };
        return table(path, schema, between).map(Efforts::Table);
    }
    if !args.effort.is_empty() {
        return constant(&args.effort, schema).map(Efforts::Constant);
    }
    let at = match pose(schema, "--hold-at", &args.hold_at)? {
        Some(pose) => pose,
        None if args.hold => PlatformState { twist: [0.0; 6], ..*start },
        None => robot.home(),
    };
    let state = robot.state(&at).map_err(|error| Failure::of(error, name))?;
    let no_masses = || Failure::of(RobotError::NoMasses { robot: robot.name().into() }, name);
    state.dynamics.map(|dynamics| Efforts::Constant(dynamics.motor)).ok_or_else(no_masses)
}

/// Torques or forces.
fn kinds(schema: &CoordinateSchema) -> Vec<Quantity> {
    schema.each(Quantity::Torque, Quantity::Force)
}

fn constant(texts: &[String], schema: &CoordinateSchema) -> Result<Vec<f64>, Failure> {
    let kinds = kinds(schema);
    if texts.len() != kinds.len() {
        let (given, are) = (texts.len(), if texts.len() == 1 { "is" } else { "are" });
        let error =
            format!("`--effort` needs {} numbers, one for each motor, and {given} {are} given", kinds.len());
        return Err(Message::new(error).into());
    }
    let read = |(k, (kind, text)): (usize, (&Quantity, &String))| number(&format!("e{}", k + 1), *kind, text);
    Ok(kinds.iter().zip(texts).enumerate().map(read).collect::<Result<_, _>>()?)
}

/// The columns t and e1... or tau1... of a file, in SI.
fn table(path: &Path, schema: &CoordinateSchema, between: Between) -> Result<EffortTable, Failure> {
    let file = path.display();
    let unusable =
        |cause: String| Message::new(format!("cannot use the efforts in `{file}`")).caused_by(cause);
    let recording = Recording::open(path).map_err(|error| unusable(error.to_string()))?;
    let times = column(&recording, &["t"], Quantity::Time).map_err(unusable)?;
    let efforts = kinds(schema).into_iter().enumerate().map(|(k, kind)| {
        let names = [format!("e{}", k + 1), format!("tau{}", k + 1)];
        column(&recording, &[&names[0], &names[1]], kind)
    });
    let hint = format!("the columns are t and e1 to e{}, one for each motor", schema.motor_count());
    let efforts: Vec<Vec<f64>> =
        efforts.collect::<Result<_, _>>().map_err(|cause| unusable(cause).hint(hint))?;
    let next = schema.motor_count() + 1;
    if [format!("e{next}"), format!("tau{next}")].iter().any(|name| recording.values(name).is_some()) {
        let cause = format!("it is for more than the {} motors of `{}`", schema.motor_count(), schema.robot);
        return Err(unusable(cause).into());
    }
    if times.is_empty() {
        return Err(unusable("it has no rows".into()).into());
    }
    let rows: Vec<Vec<f64>> =
        (0..times.len()).map(|row| efforts.iter().map(|column| column[row]).collect()).collect();
    EffortTable::new(times, &rows, between).map_err(|error| unusable(error.to_string()).into())
}

/// The numbers of the first of these columns, in SI.
fn column(recording: &Recording, names: &[&str], kind: Quantity) -> Result<Vec<f64>, String> {
    let found = names.iter().find_map(|name| {
        let place = recording.columns().iter().position(|column| column.name == *name)?;
        recording.columns().get(place).zip(recording.all_values().get(place))
    });
    let (column, values) =
        found.ok_or_else(|| format!("the column `{}` is missing", names.join("` or `")))?;
    // What one of its unit is.
    let unit = Some(column.unit.as_str()).filter(|unit| !unit.is_empty() && *unit != kind.si_unit());
    let one = match unit {
        None => 1.0,
        Some(unit) => kind.parse_request("1", Some(unit)).map_err(|unreadable| {
            format!("`{}` is {}: {}; {}", column.name, kind.described(), unreadable, unreadable.hint())
        })?,
    };
    Ok(values.iter().map(|value| value * one).collect())
}

//! What drives the motors of an open loop, in a request.

use super::choice::choices;
use super::{Handle, Measure, PoseRequest, TaskError, number, record};
use crate::coordinates::CoordinateSchema;
use crate::recording::Recording;
use crate::sim::{Between, EffortTable, Efforts};
use crate::units::Quantity;
use crate::{AnyRobot, PlatformState, RobotError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

choices! {
    /// What holds between two rows of a table.
    BetweenRows {
        Hold = "hold": "The earlier row, as a sampled controller does",
        Linear = "linear": "A straight line",
    }
}

/// What the motors are told.
///
/// ```toml
/// efforts = "hold-start"
/// efforts = { constant = ["2 N m", "2 N m", "1.5 N m"] }
/// efforts = { file = { path = "torques.csv", between = "linear" } }
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum EffortsRequest {
    /// What would hold the robot at its home. The default.
    #[default]
    HoldHome,
    /// What would hold it where it starts.
    HoldStart,
    /// What would hold it at this pose.
    HoldAt(PoseRequest),
    /// The same all the time, one for each motor.
    Constant(Vec<Measure>),
    /// Rows of a file: a CSV file or a recording with the columns `t` and `e1`, `e2`, ... or `tau1`, `tau2`, ...
    File(EffortFile),
    /// Rows that stand here.
    Table(EffortRows),
}

/// A file of efforts.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffortFile {
    /// Its path.
    pub path: PathBuf,
    /// What holds between two rows. Default: `hold`.
    #[serde(default = "hold")]
    pub between: BetweenRows,
}

/// Efforts at given times. Before the first row and after the last one those rows hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffortRows {
    /// Times in ascending order \[s\].
    #[serde(with = "number::list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub times: Vec<f64>,
    /// For each of them one effort for each motor \[N m, N\].
    #[serde(with = "number::matrix")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<Option<f64>>>"))]
    pub rows: Vec<Vec<f64>>,
    /// What holds between two rows. Default: `hold`.
    #[serde(default = "hold")]
    pub between: BetweenRows,
}

fn hold() -> BetweenRows {
    BetweenRows::Hold
}

impl EffortsRequest {
    /// The efforts of a robot that starts there.
    pub(super) fn resolve(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        start: &PlatformState,
        handle: &Handle<'_>,
    ) -> Result<Efforts, TaskError> {
        let at = match self {
            Self::Constant(list) => return constant(list, schema).map(Efforts::Constant),
            Self::File(file) => return file.read(schema, handle)?.table().map(Efforts::Table),
            Self::Table(rows) => return rows.table().map(Efforts::Table),
            Self::HoldHome => robot.home(),
            Self::HoldStart => PlatformState { twist: [0.0; 6], ..*start },
            Self::HoldAt(pose) => pose.platform(schema, "hold_at")?,
        };
        let dynamics = robot.state(&at)?.dynamics;
        let no_masses = || RobotError::NoMasses { robot: robot.name().into() };
        Ok(Efforts::Constant(dynamics.ok_or_else(no_masses)?.motor))
    }

    /// The same without a file.
    pub(super) fn self_contained(&self, schema: &CoordinateSchema) -> Result<Self, TaskError> {
        Ok(match self {
            Self::File(file) => Self::Table(file.read(schema, &Handle::none())?),
            other => other.clone(),
        })
    }

    /// What they are, in words.
    pub(super) fn describe(&self) -> String {
        let between = |between| match between {
            BetweenRows::Linear => "straight lines between its rows",
            BetweenRows::Hold => "held between its rows",
        };
        match self {
            Self::HoldHome => "as they would hold it at home".into(),
            Self::HoldStart => "as they would hold it at the start".into(),
            Self::HoldAt(_) => "as they would hold it at the pose given".into(),
            Self::Constant(_) => "constant".into(),
            Self::File(file) => format!("from {}, {}", file.path.display(), between(file.between)),
            Self::Table(rows) => format!("from a table, {}", between(rows.between)),
        }
    }
}

/// Torques or forces.
fn kinds(schema: &CoordinateSchema) -> Vec<Quantity> {
    schema.each(Quantity::Torque, Quantity::Force)
}

fn constant(list: &[Measure], schema: &CoordinateSchema) -> Result<Vec<f64>, TaskError> {
    let kinds = kinds(schema);
    if list.len() != kinds.len() {
        let (given, are) = (list.len(), if list.len() == 1 { "is" } else { "are" });
        return Err(TaskError::request(format!(
            "`effort` needs {} numbers, one for each motor, and {given} {are} given",
            kinds.len()
        )));
    }
    let each = kinds.iter().zip(list).enumerate();
    Ok(each
        .map(|(k, (kind, value))| value.expect(&format!("e{}", k + 1), *kind))
        .collect::<Result<_, _>>()?)
}

impl EffortRows {
    fn table(&self) -> Result<EffortTable, TaskError> {
        let between = match self.between {
            BetweenRows::Hold => Between::Hold,
            BetweenRows::Linear => Between::Line,
        };
        Ok(EffortTable::new(self.times.clone(), &self.rows, between)?)
    }
}

impl EffortFile {
    /// The columns t and e1... or tau1..., in SI.
    fn read(&self, schema: &CoordinateSchema, handle: &Handle<'_>) -> Result<EffortRows, TaskError> {
        let unusable = |cause: String, hint: Option<String>| unusable(&self.path, cause, hint);
        let recording =
            Recording::open(&self.path).map_err(|error| unusable(error.to_string(), error.hint()))?;
        record::note_state(&self.path, &recording, handle);
        let times = column(&recording, &["t"], Quantity::Time).map_err(|cause| unusable(cause, None))?;
        let efforts = kinds(schema).into_iter().enumerate().map(|(k, kind)| {
            let names = [format!("e{}", k + 1), format!("tau{}", k + 1)];
            column(&recording, &[&names[0], &names[1]], kind)
        });
        let hint = format!("the columns are t and e1 to e{}, one for each motor", schema.motor_count());
        let efforts: Vec<Vec<f64>> =
            efforts.collect::<Result<_, _>>().map_err(|cause| unusable(cause, Some(hint)))?;
        let next = schema.motor_count() + 1;
        if [format!("e{next}"), format!("tau{next}")].iter().any(|name| recording.values(name).is_some()) {
            let motors = schema.motor_count();
            let cause = format!("it is for more than the {motors} motors of `{}`", schema.robot);
            return Err(unusable(cause, None));
        }
        if times.is_empty() {
            return Err(unusable("it has no rows".into(), None));
        }
        let rows: Vec<Vec<f64>> =
            (0..times.len()).map(|row| efforts.iter().map(|column| column[row]).collect()).collect();
        let rows = EffortRows { times, rows, between: self.between };
        rows.table().map_err(|error| unusable(error.to_string(), None))?;
        Ok(rows)
    }
}

fn unusable(path: &Path, cause: String, hint: Option<String>) -> TaskError {
    TaskError::Unusable { what: format!("cannot use the efforts in `{}`", path.display()), cause, hint }
}

/// The numbers of the first of these columns, in SI.
pub(super) fn column(recording: &Recording, names: &[&str], kind: Quantity) -> Result<Vec<f64>, String> {
    let found = names.iter().find_map(|name| {
        let place = recording.columns().iter().position(|column| column.name == *name)?;
        recording.columns().get(place).zip(recording.all_values().get(place))
    });
    let both: Vec<&str> = names.iter().filter(|name| recording.values(name).is_some()).copied().collect();
    if let [first, second, ..] = both[..] {
        return Err(format!("the columns `{first}` and `{second}` are two names of one thing"));
    }
    let (column, values) =
        found.ok_or_else(|| format!("the column `{}` is missing", names.join("` or `")))?;
    in_si(&column.name, values, &column.unit, kind)
}

/// Numbers of a unit, in SI.
pub(super) fn in_si(name: &str, values: &[f64], unit: &str, kind: Quantity) -> Result<Vec<f64>, String> {
    // What one of its unit is.
    let unit = Some(unit).filter(|unit| !unit.is_empty() && *unit != kind.si_unit());
    let one = match unit {
        None => 1.0,
        Some(unit) => kind.parse_request("1", Some(unit)).map_err(|unreadable| {
            format!("`{name}` is {}: {}; {}", kind.described(), unreadable, unreadable.hint())
        })?,
    };
    Ok(values.iter().map(|value| value * one).collect())
}

//! A motion from the rows of a file, in a request.

use super::columns::PICKED;
use super::efforts::in_si;
use super::{Handle, TaskError, number, record};
use crate::coordinates::{CoordinateSchema, Group, Values, unit_in_name};
use crate::experiment::{ExperimentError, Given, MotionRow, RowsFault, SampledMotion};
use crate::recording::Recording;
use crate::units::Quantity;
use crate::{AnyRobot, PlatformState, RobotError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A motion by rows: times, and where the platform or the motors are. Between the rows it is smooth; velocities and
/// accelerations that are there are used.
///
/// ```toml
/// motion = { file = "cycle.csv" }
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum MotionRequest {
    /// Rows of a file: CSV, Parquet or MCAP. Columns are `t` and the coordinates of the platform (`x y z`, then
    /// `roll pitch yaw` or `qw qx qy qz` if it turns), or those of the motors (`q1 q2 ...`); where they are there
    /// also their velocities (`vx`, `wx`, `qd1`) and accelerations (`ax`, `bx`, `qdd1`), and what is `picked` up.
    /// A column says its unit in its header: `x [mm]`. Other columns are ignored.
    File(PathBuf),
    /// Rows that stand here.
    Rows(MotionRows),
}

/// Rows of a motion, in SI.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MotionRows {
    /// The names of the columns, as in a file.
    pub columns: Vec<String>,
    /// The rows, each with a number for every column.
    #[serde(with = "number::matrix")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Vec<Option<f64>>>"))]
    pub rows: Vec<Vec<f64>>,
}

/// What a column of a motion is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meaning {
    Time,
    Picked,
    Coordinate(Group, usize),
}

/// The groups that say where the platform is and how it moves.
const PLATFORM: [Group; 7] = [
    Group::Position,
    Group::Orientation,
    Group::Quaternion,
    Group::Velocity,
    Group::AngularVelocity,
    Group::Acceleration,
    Group::AngularAcceleration,
];
/// The same of the motors.
const MOTORS: [Group; 3] = [Group::Joints, Group::JointSpeeds, Group::JointAccelerations];

impl MotionRequest {
    /// The motion of a robot, and its rows without a file.
    pub(super) fn resolve(
        &self,
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        handle: &Handle<'_>,
    ) -> Result<(SampledMotion, Self), TaskError> {
        let (path, rows) = match self {
            Self::File(path) => (Some(path.as_path()), MotionRows::read(path, schema, handle)?),
            Self::Rows(rows) => (None, rows.clone()),
        };
        let motion = rows.motion(robot, schema).map_err(|(cause, hint)| unusable(path, cause, hint))?;
        // The whole pose of a mechanism comes with what follows, which is not to the last digit between two rows.
        let motion = if robot.mobility().is_some() { motion.in_freedoms(robot.freedoms()) } else { motion };
        if let Some((time, share)) = motion.swing() {
            handle.note(&format!(
                "the rows have no accelerations, and {:.4} s after the first one those of the spline through them swing {:.0} % \
                 beyond what the rows tell: give accelerations, or rows that are nearer to each other",
                time,
                100.0 * share
            ));
        }
        Ok((motion, Self::Rows(rows)))
    }

    /// What it is, in a word or two.
    pub(super) fn word(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Rows(_) => "rows".into(),
        }
    }
}

fn unusable(path: Option<&Path>, cause: String, hint: Option<String>) -> TaskError {
    let what = match path {
        Some(path) => format!("cannot use the motion in `{}`", path.display()),
        None => "cannot use the rows of the motion".into(),
    };
    TaskError::Unusable { what, cause, hint }
}

/// What is wrong, and a way out.
type Fault = (String, Option<String>);

/// What a name means for a robot, and what it measures.
fn meaning(schema: &CoordinateSchema, name: &str) -> Option<(Meaning, Quantity)> {
    match name {
        "t" | "time" => Some((Meaning::Time, Quantity::Time)),
        PICKED => Some((Meaning::Picked, Quantity::Mass)),
        name => {
            let (group, component) = schema.find(name)?;
            let quantity = schema.group(group).names.get(component)?.quantity;
            let is_known = PLATFORM.contains(&group) || MOTORS.contains(&group);
            is_known.then_some((Meaning::Coordinate(group, component), quantity))
        }
    }
}

/// The name of a column as it is known, its unit and what it measures: `X` is x, `x_mm` is x in mm.
fn named(schema: &CoordinateSchema, name: &str, unit: &str) -> Option<(String, String, Quantity)> {
    let kind = |name: &str| meaning(schema, name).map(|(_, quantity)| quantity);
    let lower = name.to_lowercase();
    if let Some((name, quantity)) = [name, &lower].into_iter().find_map(|name| Some((name, kind(name)?))) {
        return Some((name.to_owned(), unit.to_owned(), quantity));
    }
    let (name, unit) = unit_in_name(name, kind).filter(|_| unit.is_empty())?;
    let quantity = kind(&name)?;
    Some((name, unit, quantity))
}

impl MotionRows {
    /// The columns of a file that say something about the motion of a robot, in SI.
    fn read(path: &Path, schema: &CoordinateSchema, handle: &Handle<'_>) -> Result<Self, TaskError> {
        let refused = |cause: String, hint: Option<String>| unusable(Some(path), cause, hint);
        let recording = Recording::open(path).map_err(|error| refused(error.to_string(), error.hint()))?;
        record::note_state(path, &recording, handle);
        let (mut columns, mut values) = (Vec::new(), Vec::new());
        for (known, numbers) in recording.columns().iter().zip(recording.all_values()) {
            if let Some((name, unit, quantity)) = named(schema, &known.name, &known.unit) {
                let numbers = in_si(&known.name, numbers, &unit, quantity);
                values.push(numbers.map_err(|cause| refused(cause, None))?);
                columns.push(name);
            }
        }
        let row = |k: usize| values.iter().map(|column| column.get(k).copied().unwrap_or(f64::NAN)).collect();
        Ok(Self { columns, rows: (0..recording.len()).map(row).collect() })
    }

    fn motion(&self, robot: &AnyRobot, schema: &CoordinateSchema) -> Result<SampledMotion, Fault> {
        let meanings: Vec<Option<Meaning>> =
            self.columns.iter().map(|name| meaning(schema, name).map(|(meaning, _)| meaning)).collect();
        for (k, name) in self.columns.iter().enumerate() {
            match meanings.get(k).copied().flatten() {
                None => {
                    return Err((
                        format!("`{name}` says nothing about the motion of the robot"),
                        Some(hint(schema)),
                    ));
                }
                known if meanings.iter().take(k).any(|other| *other == known) => {
                    return Err((format!("the column `{name}` is there twice"), None));
                }
                Some(_) => {}
            }
        }
        let has = |group: Group| {
            meanings.iter().flatten().any(|known| matches!(known, Meaning::Coordinate(of, _) if *of == group))
        };
        let by_platform = has(Group::Position) || has(Group::Orientation) || has(Group::Quaternion);
        if !meanings.contains(&Some(Meaning::Time)) {
            return Err(("the column `t` is missing".into(), Some(hint(schema))));
        }
        if !by_platform && !has(Group::Joints) {
            let what = "no column says where the platform or the motors are";
            return Err((what.into(), Some(hint(schema))));
        }
        let groups: &[Group] = if by_platform { &PLATFORM } else { &MOTORS };
        for group in groups.iter().filter(|group| has(**group) || **group == Group::Position) {
            for (component, name) in schema.group(*group).names.iter().enumerate() {
                if !meanings.contains(&Some(Meaning::Coordinate(*group, component))) {
                    return Err((format!("the column `{}` is missing", name.text), Some(hint(schema))));
                }
            }
        }
        let given = if by_platform {
            Given {
                velocity: [has(Group::Velocity), has(Group::AngularVelocity)],
                acceleration: [has(Group::Acceleration), has(Group::AngularAcceleration)],
            }
        } else {
            Given {
                velocity: [has(Group::JointSpeeds); 2],
                acceleration: [has(Group::JointAccelerations); 2],
            }
        };
        if given
            .velocity
            .iter()
            .zip(given.acceleration)
            .any(|(velocity, acceleration)| acceleration && !velocity)
        {
            let out = "give the velocities too, or leave the accelerations out";
            return Err(("it has accelerations and no velocities".into(), Some(out.into())));
        }
        let mut rows = Vec::with_capacity(self.rows.len());
        let mut near = robot.home();
        for (k, numbers) in self.rows.iter().enumerate() {
            let row = self.row(k, numbers, &meanings, groups)?;
            let platform = placed(robot, schema, &row.1, by_platform, &near);
            let platform = platform.map_err(|cause| (format!("row {}: {cause}", k + 1), None))?;
            near = platform;
            rows.push(MotionRow { platform, ..row.0 });
        }
        SampledMotion::new(&rows, given).map_err(|error| {
            let hint = matches!(error, ExperimentError::Rows(RowsFault::Disagree { .. }))
                .then(|| "a header says the unit of its column: `x [mm]`, `vx [mm/s]`, `q1 [deg]`".into());
            (error.to_string(), hint)
        })
    }

    /// Time and load of a row, and its coordinates in these groups.
    fn row(
        &self,
        k: usize,
        numbers: &[f64],
        meanings: &[Option<Meaning>],
        groups: &[Group],
    ) -> Result<(MotionRow, Values), Fault> {
        if numbers.len() != self.columns.len() {
            let (found, columns) = (numbers.len(), self.columns.len());
            return Err((format!("row {} has {found} numbers for {columns} columns", k + 1), None));
        }
        let mut row = MotionRow { time: 0.0, platform: PlatformState::at([0.0; 3]), mass: 0.0 };
        let mut values = Values::default();
        let has_quaternion = meanings.contains(&Some(Meaning::Coordinate(Group::Quaternion, 0)));
        for ((value, known), name) in numbers.iter().zip(meanings).zip(&self.columns) {
            let is_used = match known {
                Some(Meaning::Coordinate(group, _)) => {
                    // Angles beside a quaternion say the same again.
                    groups.contains(group) && !(has_quaternion && *group == Group::Orientation)
                }
                _ => true,
            };
            if is_used && !value.is_finite() {
                return Err((format!("row {}: `{name}` is not a finite number", k + 1), None));
            }
            match known {
                Some(Meaning::Time) => row.time = *value,
                Some(Meaning::Picked) if *value < 0.0 => {
                    return Err((format!("row {}: `{name}` is {value} kg", k + 1), None));
                }
                Some(Meaning::Picked) => row.mass = *value,
                Some(Meaning::Coordinate(group, component)) if is_used => {
                    values.set(*group, *component, *value);
                }
                _ => {}
            }
        }
        Ok((row, values))
    }
}

fn hint(schema: &CoordinateSchema) -> String {
    let position = schema.group(Group::Position).list();
    let angles = if schema.turns() {
        format!(" and {} or qw qx qy qz", schema.group(Group::Orientation).list())
    } else {
        String::new()
    };
    let motors = schema.group(Group::Joints).list();
    format!("the columns of a motion of `{}` are t and {position}{angles}, or t and {motors}", schema.robot)
}

/// Along a motion the motors that the platform does not tell stand still.
fn stays_held(robot: &AnyRobot, q: &[f64], rates: [&[f64]; 2]) -> Result<(), String> {
    for (motor, held) in robot.held_motors().iter().zip(robot.held_values()) {
        let Some((joint, value)) = robot.joints().get(*motor).zip(q.get(*motor)) else { continue };
        let moves = rates.iter().any(|rates| rates.get(*motor).is_some_and(|rate| rate.abs() > 1e-9));
        if moves || (value - held).abs() > 1e-9 {
            let (name, unit) = (&joint.name, joint.unit());
            return Err(format!(
                "`{name}` is {value} {unit}{}, and along a motion it is held at {held} {unit}: the platform does not tell \
                 it; `torque` and `state` take rows in which all motors move",
                if moves { " and moves" } else { "" }
            ));
        }
    }
    Ok(())
}

/// Where the platform is by the values of a row; motors are followed from the row before.
fn placed(
    robot: &AnyRobot,
    schema: &CoordinateSchema,
    values: &Values,
    by_platform: bool,
    near: &PlatformState,
) -> Result<PlatformState, String> {
    if by_platform {
        return schema.platform(values).map_err(|error| error.to_string());
    }
    let q = schema.all(values, Group::Joints).map_err(|error| error.to_string())?;
    let (qd, qdd) =
        (schema.or_zero(values, Group::JointSpeeds), schema.or_zero(values, Group::JointAccelerations));
    stays_held(robot, &q, [&qd, &qdd])?;
    let near = PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], ..*near };
    robot.platform_from_joints(&q, &qd, &qdd, &near).map_err(|error: RobotError| error.to_string())
}

//! Which robot a task is about.

use super::TaskError;
use crate::description::{EffortChoice, ForearmModel, ModelError, RobotDescription, RobotVariant};
use crate::{AnyRobot, RobotError};
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// The robot of a request: a name alone, or a table with what differs from its file.
///
/// ```
/// use legwork::task::RobotRequest;
/// let plain: RobotRequest = serde_json::from_str("\"delta-industrial\"")?;
/// let loaded: RobotRequest = serde_json::from_str(r#"{"name": "delta-industrial", "payload": "500 g"}"#)?;
/// assert_eq!(loaded.payload.unwrap().0, 0.5);
/// assert_eq!(plain.open()?.name(), "delta-industrial");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(into = "Written")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(with = "Written"))]
pub struct RobotRequest {
    /// A built-in name or the path of a robot file. With `text` only what the robot was called.
    pub name: String,
    /// The robot file itself, as TOML: then no file is read. A result carries its robot so.
    pub text: Option<String>,
    /// The branch of each leg that has two, such as `out-in-out`, or one word for all. Default: that of the file.
    pub working_mode: Option<String>,
    /// What the platform carries. Default: the payload of the file.
    pub payload: Option<super::Mass>,
    /// By how much the robot differs from its file. Default: not at all.
    pub model_error: Option<ModelError>,
    /// How the forearms of a Delta are modelled. Default: exactly.
    pub forearm_model: Option<ForearmModel>,
    /// Which efforts a mechanism with more motors than freedoms takes. Default: what the file says.
    pub effort_choice: Option<EffortChoice>,
    /// Where motors are held that the platform's pose does not tell, as those of a robot that another stands on: by `q7` or
    /// the name of the joint, in rad or m. Default: where the file has them at home.
    pub held: Option<BTreeMap<String, f64>>,
}

/// How a robot is written in a request.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
enum Written {
    Name(String),
    Table(Table),
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct Table {
    name: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    working_mode: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payload: Option<super::Mass>,
    #[serde(skip_serializing_if = "Option::is_none")]
    model_error: Option<ModelError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    forearm_model: Option<ForearmModel>,
    #[serde(skip_serializing_if = "Option::is_none")]
    effort_choice: Option<EffortChoice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    held: Option<BTreeMap<String, f64>>,
}

impl From<Table> for RobotRequest {
    fn from(table: Table) -> Self {
        let Table { name, text, working_mode, payload, model_error, forearm_model, effort_choice, held } =
            table;
        Self { name, text, working_mode, payload, model_error, forearm_model, effort_choice, held }
    }
}

/// Takes a name or a table; not an untagged enum, so that an error in the table keeps its place.
struct NameOrTable;

impl<'de> Visitor<'de> for NameOrTable {
    type Value = RobotRequest;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the name of a robot or a table about it")
    }
    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<RobotRequest, E> {
        Ok(RobotRequest::named(name))
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<RobotRequest, A::Error> {
        Table::deserialize(MapAccessDeserializer::new(map)).map(RobotRequest::from)
    }
}

impl<'de> Deserialize<'de> for RobotRequest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrTable)
    }
}

impl From<RobotRequest> for Written {
    fn from(request: RobotRequest) -> Self {
        let RobotRequest {
            name,
            text,
            working_mode,
            payload,
            model_error,
            forearm_model,
            effort_choice,
            held,
        } = request;
        let table =
            Table { name, text, working_mode, payload, model_error, forearm_model, effort_choice, held };
        match table {
            Table {
                name,
                text: None,
                working_mode: None,
                payload: None,
                model_error: None,
                forearm_model: None,
                effort_choice: None,
                held: None,
            } => Self::Name(name),
            table => Self::Table(table),
        }
    }
}

impl RobotRequest {
    /// The robot with a built-in name or in a file.
    pub fn named(name: impl Into<String>) -> Self {
        Self { name: name.into(), ..Self::default() }
    }

    /// A robot as it is, with its whole file: what a result carries.
    pub fn of(robot: &AnyRobot) -> Self {
        let RobotVariant { working_mode, payload, model_error, forearm_model, effort_choice, held } =
            robot.variant().clone();
        Self {
            name: robot.name().into(),
            text: robot.description().text.as_deref().map(str::to_owned),
            working_mode,
            payload: payload.map(super::Mass),
            model_error,
            forearm_model,
            effort_choice,
            held,
        }
    }

    /// The robot itself.
    pub fn open(&self) -> Result<AnyRobot, TaskError> {
        let robot = match &self.text {
            Some(text) => AnyRobot::new(RobotDescription::parse(text, &format!("{}.toml", self.name))?)?,
            None => AnyRobot::open(&self.name)?,
        };
        let variant = RobotVariant {
            working_mode: self.working_mode.clone(),
            payload: self.payload.map(|payload| payload.0),
            model_error: self.model_error,
            forearm_model: self.forearm_model,
            effort_choice: self.effort_choice.clone(),
            held: self.held.clone(),
        };
        if variant.payload.is_some() {
            needs_masses(&robot)?;
        }
        robot.with_variant(&variant).map_err(|error| match error {
            RobotError::Mode { .. } => {
                let one_branch = || "each of its legs has one way only: leave `working_mode` out".into();
                let hint = robot.branches().map_or_else(one_branch, |branches| branches.hint());
                TaskError::request(error.to_string()).or(hint)
            }
            error => error.into(),
        })
    }
}

/// Refuses a robot without masses, with the tables of its file that would give it some.
pub fn needs_masses(robot: &AnyRobot) -> Result<(), TaskError> {
    if robot.has_masses() {
        return Ok(());
    }
    let error = RobotError::NoMasses { robot: robot.name().into() };
    if robot.linkage().is_some() {
        return Err(error.into());
    }
    let tables: Vec<String> =
        robot.description().family().row().mass_tables().map(|name| format!("[{name}]")).collect();
    Err(TaskError::request(error.to_string()).or(format!("add {} to its file", tables.join(", "))))
}

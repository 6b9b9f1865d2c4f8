//! Which parameters move a result, as a request and a result.

use super::{Components, Handle, PoseRequest, RobotRequest, TaskError, number};
use crate::analysis::sensitivity::{Effect, Parameter, Sensitivity, of_delta, of_file_watched};
use crate::coordinates::CoordinateSchema;
use crate::{AnyRobot, PlatformState};
use serde::{Deserialize, Serialize};

/// Which parameters of a robot move a result at a state of its platform, and how much.
///
/// A rotary Delta: exact derivatives after the numbers of its model, each alone while the others stay. Other robots,
/// and with `from_file`: central differences over the numbers of the robot file; what it leaves to defaults follows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitivityRequest {
    /// Which robot; it needs masses unless `of` is `shift`.
    pub robot: RobotRequest,
    /// Which result. Default: `torque`.
    pub of: Effect,
    /// Where the platform is. Default: home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pose: Option<PoseRequest>,
    /// Platform velocity, for torques \[m/s, rad/s\]. Default: at rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub velocity: Option<Components>,
    /// Platform acceleration, for torques \[m/s², rad/s²\]. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub acceleration: Option<Components>,
    /// Only the strongest so many. Default: all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
    /// Whether to take differences over the numbers of the file for a Delta too. Default: no.
    pub from_file: bool,
}

/// What parameters do to a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SensitivityResult {
    /// Name of the robot.
    pub robot: String,
    /// Which result.
    pub of: Effect,
    /// Where the platform is, in words.
    pub pose: String,
    /// Platform point \[m\].
    pub position: [f64; 3],
    /// Orientation by rows.
    pub rotation: [[f64; 3]; 3],
    /// Whether the slopes are exact, not differences.
    pub exact: bool,
    /// The components of the result.
    pub results: Vec<EffectComponent>,
    /// The parameters, strongest first, as many as were asked for.
    pub parameters: Vec<ParameterResult>,
    /// Names of all parameters that move nothing.
    pub no_effect: Vec<String>,
    /// Parameters without a robot on both sides of their value.
    pub refused: Vec<RefusedParameter>,
}

/// A component of a result.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffectComponent {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its value; zero for a shift.
    pub value: f64,
}

/// What one parameter does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ParameterResult {
    /// Where it is: `geometry.arm`.
    pub name: String,
    /// Its value.
    pub value: f64,
    /// Its unit.
    pub unit: String,
    /// Change of each component per unit of the parameter.
    #[serde(with = "number::list")]
    #[cfg_attr(feature = "schema", schemars(with = "Vec<Option<f64>>"))]
    pub slopes: Vec<f64>,
    /// The component that it moves most, from 0.
    pub strongest: usize,
    /// Change of that component for one per cent more of the parameter.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub change_per_percent: f64,
    /// Per cent of the largest component per per cent of the parameter; null where all are zero.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub percent_per_percent: f64,
}

/// A parameter without a robot on both sides of its value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RefusedParameter {
    /// Where it is.
    pub name: String,
    /// Why there is none.
    pub reason: String,
}

impl SensitivityRequest {
    /// Finds the slopes.
    pub fn run(&self, handle: &Handle<'_>) -> Result<SensitivityResult, TaskError> {
        let robot = self.robot.open()?;
        if self.of != Effect::Shift {
            super::needs_masses(&robot)?;
        }
        let schema = CoordinateSchema::of(&robot);
        let platform = self.platform(&robot, &schema)?;
        let found = if robot.as_delta().is_some() && !self.from_file {
            of_delta(&robot, &platform, self.of)
        } else {
            let text = robot.description().text.as_deref().unwrap_or_default();
            let mut watch = |done: f64| {
                handle.report(done, "");
                !handle.is_cancelled()
            };
            of_file_watched(text, &self.robot.name, robot.variant(), &platform, self.of, &mut watch)
        }?;
        handle.go_on()?;
        handle.report(1.0, "");
        Ok(SensitivityResult::of(&robot, &schema, self, &platform, &found))
    }

    fn platform(&self, robot: &AnyRobot, schema: &CoordinateSchema) -> Result<PlatformState, TaskError> {
        if self.of != Effect::Efforts && (self.velocity.is_some() || self.acceleration.is_some()) {
            let what = "`velocity` and `acceleration` move torques only";
            return Err(TaskError::request(what).or("leave them out, or ask `of torque`"));
        }
        let mut platform = match &self.pose {
            Some(pose) => pose.platform(schema, "pose")?,
            None => robot.home(),
        };
        if let Some(velocity) = &self.velocity {
            platform.twist = super::twist(schema, "velocity", velocity)?;
        }
        if let Some(acceleration) = &self.acceleration {
            platform.acceleration = super::acceleration(schema, "acceleration", acceleration)?;
        }
        Ok(platform)
    }
}

impl SensitivityResult {
    fn of(
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        request: &SensitivityRequest,
        platform: &PlatformState,
        found: &Sensitivity,
    ) -> Self {
        let component = |(signal, value): (&crate::analysis::linear::Signal, &f64)| EffectComponent {
            name: signal.name.clone(),
            unit: signal.unit.clone(),
            value: *value,
        };
        let parameter = |parameter: &Parameter| {
            let (strongest, change_per_percent) = found.strongest(parameter);
            ParameterResult {
                name: parameter.name.clone(),
                value: parameter.number,
                unit: parameter.unit.clone(),
                slopes: parameter.slopes.clone(),
                strongest,
                change_per_percent,
                percent_per_percent: found.relative(parameter),
            }
        };
        let refused = |(name, reason): &(String, String)| RefusedParameter {
            name: name.clone(),
            reason: reason.clone(),
        };
        let (idle, moving): (Vec<&Parameter>, Vec<&Parameter>) =
            found.parameters.iter().partition(|parameter| found.is_idle(parameter));
        let count = request.top.unwrap_or(usize::MAX);
        Self {
            robot: robot.name().into(),
            of: request.of,
            pose: schema.place(platform),
            position: platform.position,
            rotation: platform.rotation,
            exact: found.exact,
            results: found.results.iter().zip(&found.values).map(component).collect(),
            parameters: moving.into_iter().take(count).map(parameter).collect(),
            no_effect: idle.into_iter().map(|parameter| parameter.name.clone()).collect(),
            refused: found.refused.iter().map(refused).collect(),
        }
    }
}

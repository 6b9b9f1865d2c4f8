//! How a robot differs from its file.

use super::model_error::ModelError;
use super::parts::ForearmModel;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// By what a robot differs from its file. The text of the file and this give the same robot again.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RobotVariant {
    /// Its working mode, as `out-in-out`; `None` is that of the file.
    pub working_mode: Option<String>,
    /// What the platform carries, as a point mass at the platform point \[kg\]; `None` is what the file says.
    pub payload: Option<f64>,
    /// By how much masses, lengths and friction differ; `None` is not at all.
    pub model_error: Option<ModelError>,
    /// How the forearms of a Delta enter its torques; `None` is exactly.
    pub forearm_model: Option<ForearmModel>,
    /// Which efforts a mechanism with more motors than freedoms takes; `None` is what the file says.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub effort_choice: Option<EffortChoice>,
    /// Where motors are held that the platform's pose does not tell, by `q7` or the name of the joint \[rad or m\]; those
    /// that are not named are where the file has them at home.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub held: Option<BTreeMap<String, f64>>,
}

/// Which efforts a mechanism with more motors than freedoms takes: those with the least Σ w (τ − t)². Numbers are in the
/// order of the motors; what is not given is as in the file, whose defaults give the smallest norm.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EffortChoice {
    /// w: what the effort of each motor counts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weights: Option<Vec<f64>>,
    /// t: the effort that each motor should have \[N m or N\]. The part that moves nothing counts: an internal force.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preloads: Option<Vec<f64>>,
}

impl RobotVariant {
    /// Whether the robot is as its file says.
    pub fn is_as_described(&self) -> bool {
        *self == Self::default()
    }
}

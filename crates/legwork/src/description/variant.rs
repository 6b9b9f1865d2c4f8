//! How a robot differs from its file.

use super::model_error::ModelError;
use super::parts::ForearmModel;
use serde::{Deserialize, Serialize};

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
}

impl RobotVariant {
    /// Whether the robot is as its file says.
    pub fn is_as_described(&self) -> bool {
        *self == Self::default()
    }
}

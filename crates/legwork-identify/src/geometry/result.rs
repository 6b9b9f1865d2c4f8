//! What a calibration found, as plain data.

use super::blocks::ControllerBlock;
use serde::{Deserialize, Serialize};

/// What was found of a robot.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CalibrateResult {
    /// Name of the robot.
    pub robot: String,
    /// Rows that were measured.
    pub rows: usize,
    /// Numbers that were measured.
    pub equations: usize,
    /// Parameters that were free.
    pub free: usize,
    /// Unknowns of the measurement itself: frame, target, planes, centre, zeros of sensors.
    pub unknowns: usize,
    /// Combinations of parameters that the data determine.
    pub determined: usize,
    /// Residuals before and after, by kind.
    pub residuals: Vec<ResidualResult>,
    /// The noise that was found over the noise that was assumed.
    pub noise_factor: f64,
    /// The parameters.
    pub parameters: Vec<FoundParameter>,
    /// Combinations that the data do not determine; they stay as they are drawn.
    pub undetermined: Vec<Combination>,
    /// Singular values: how much better the data know a direction than the drawing, largest first.
    pub singular_values: Vec<f64>,
    /// Ratio between the last singular value that counts and the first that is rounding; null if none is.
    pub gap: Option<f64>,
    /// Rows that disagree with all others, and were left out.
    pub outliers: Vec<OutlierResult>,
    /// The robot's frame in that of the measurement \[m\].
    pub frame_position: [f64; 3],
    /// The same, by rows.
    pub frame_rotation: [[f64; 3]; 3],
    /// The target in the frame of the tool \[m\].
    pub target: [f64; 3],
    /// Whether errors of the platform count in the frame of the measurement, because it was found; else in the robot's own.
    pub in_frame_of_measurement: bool,
    /// Root mean square over the workspace of how far the drawn robot is from the calibrated one \[m\].
    pub error_before: f64,
    /// The largest \[m\].
    pub error_before_most: f64,
    /// Root mean square over the workspace of the standard deviation that is left \[m\].
    pub error_after: f64,
    /// How sure the platform is.
    pub tolerance: Option<ToleranceResult>,
    /// Poses that would help most.
    pub next: Vec<NextPose>,
    /// Settings of controllers.
    pub controllers: Vec<ControllerBlock>,
    /// The robot file with what was found.
    pub robot_file: String,
    /// What should be known.
    pub notes: Vec<String>,
}

/// Residuals of one kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ResidualResult {
    /// `position`, `orientation`, `plane`, `distance`, `sensor`.
    pub kind: String,
    /// Root mean square with the drawn robot \[m or rad\].
    pub before: f64,
    /// The same with the calibrated one, without rows that disagree.
    pub after: f64,
}

/// One parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct FoundParameter {
    /// Its name: `leg1.arm`.
    pub name: String,
    /// `m` or `rad`.
    pub unit: String,
    /// As it is drawn; null of a shift.
    pub drawn: Option<f64>,
    /// By what it differs.
    pub change: f64,
    /// Its standard deviation; where the data do not determine it, how far it may be from the drawing.
    pub sigma: f64,
    /// Whether the data determine it by itself.
    pub determined: bool,
}

/// Parameters that the data know only together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Combination {
    /// Names, and by how much each changes in it \[m or rad\].
    pub parameters: Vec<(String, f64)>,
    /// Whether no measurement of this kind can tell; else more poses can.
    pub exact: bool,
    /// In words.
    pub text: String,
}

/// A row that disagrees.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OutlierResult {
    /// Its number, from 1.
    pub row: usize,
    /// By how many standard deviations.
    pub deviations: f64,
}

/// How sure the place of the tool point is.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ToleranceResult {
    /// Root mean square over the workspace \[m\].
    pub mean: f64,
    /// Along the worst direction at the worst pose \[m\].
    pub worst: f64,
    /// That direction.
    pub worst_direction: [f64; 3],
    /// That pose \[m\].
    pub worst_position: [f64; 3],
    /// At home \[m\].
    pub home: f64,
    /// The same by 400 robots drawn at random \[m\].
    pub home_by_chance: f64,
}

/// A pose to measure next.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct NextPose {
    /// Tool point in the robot's frame \[m\].
    pub position: [f64; 3],
    /// Orientation by rows.
    pub rotation: [[f64; 3]; 3],
    /// What its motors read there.
    pub q: Vec<f64>,
    /// What is left of the uncertainty over the workspace after it and those before it \[m\].
    pub after: f64,
}

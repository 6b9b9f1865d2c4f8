//! When and where motors have their peaks, in a result.

use super::number;
use crate::AnyRobot;
use crate::coordinates::{CoordinateSchema, Group};
use crate::plan::{MotorPeaks, Peak};
use crate::text::fixed;
use serde::{Deserialize, Serialize};

/// The peaks of one motor.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeakResult {
    /// Its name: `q1`.
    pub joint: String,
    /// Whether it slides.
    pub slides: bool,
    /// Torque or force \[N m or N\].
    pub effort: PeakPlace,
    /// \[rad/s or m/s\]
    pub speed: PeakPlace,
    /// Power that it gives, negative where it takes back more \[W\].
    pub power: PeakPlace,
}

/// A peak, and when and where it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PeakPlace {
    /// Its value, with its sign.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub value: f64,
    /// When \[s\].
    pub time: f64,
    /// The coordinates of the platform there \[m, rad\].
    pub at: Vec<f64>,
    /// The same in words: "(-152.5, 0.0, -775.0) mm".
    pub place: String,
}

impl PeakPlace {
    fn of(peak: &Peak, schema: &CoordinateSchema) -> Self {
        let at = schema.coordinates_of(&peak.platform);
        let lengths = schema.group(Group::Position).names.len();
        let (position, angles) = at.split_at(lengths.min(at.len()));
        let listed = |numbers: Vec<f64>| {
            // Rounding of a zero has no sign.
            let texts: Vec<String> =
                numbers.iter().map(|x| fixed((x * 10.0).round() / 10.0 + 0.0, 1)).collect();
            texts.join(", ")
        };
        let parts = [
            (position.iter().map(|x| x * 1e3).collect::<Vec<f64>>(), "mm"),
            (angles.iter().map(|angle| angle.to_degrees()).collect(), "deg"),
        ];
        let parts = parts.into_iter().filter(|(numbers, _)| !numbers.is_empty());
        let place: Vec<String> =
            parts.map(|(numbers, unit)| format!("({}) {unit}", listed(numbers))).collect();
        let place = place.join(", ");
        Self { value: peak.value, time: peak.time, at, place }
    }
}

impl PeakResult {
    /// One for each motor of a robot.
    pub(super) fn of(peaks: &[MotorPeaks], robot: &AnyRobot, schema: &CoordinateSchema) -> Vec<Self> {
        let each = robot.joints().iter().zip(peaks);
        each.map(|(joint, peaks)| Self {
            joint: joint.name.clone(),
            slides: joint.slides,
            effort: PeakPlace::of(&peaks.effort, schema),
            speed: PeakPlace::of(&peaks.speed, schema),
            power: PeakPlace::of(&peaks.power, schema),
        })
        .collect()
    }
}

//! How far the loops of a request are from their edge, worked out before they run.

use super::{Choice, Handle, TaskError};
use crate::analysis::tuning::{Advice, LoopMargins, SampledLoop};
use crate::experiment::{ControllerKind, Experiment};
use serde::{Deserialize, Serialize};
use std::f64::consts::TAU;

/// Margins of a regulator's sampled loop half-way along its motion, see [`LoopMargins`]: all gains, or all phases,
/// changed together. What is missing has no bound that matters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MarginsResult {
    /// Whether the loop is stable.
    pub stable: bool,
    /// Phase margin \[rad\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub phase: Option<f64>,
    /// Where the loop has the gain 1 with this phase \[Hz\].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub crossover: Option<f64>,
    /// By which factor the gains may grow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain_up: Option<f64>,
    /// To which factor they may fall.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gain_down: Option<f64>,
    /// Size of the largest pole z of the closed loop.
    pub pole_radius: f64,
    /// Damping of its least damped pole.
    pub damping: f64,
    /// Frequency of that pole \[Hz\].
    pub damping_frequency: f64,
    /// The same in a line: `phase 52 deg at 21 Hz, gain 3.1 (up)`.
    pub words: String,
}

impl MarginsResult {
    fn of(margins: &LoopMargins) -> Self {
        Self {
            stable: margins.is_stable(),
            phase: margins.phase.map(|phase| phase.margin),
            crossover: margins.phase.map(|phase| phase.crossover / TAU),
            gain_up: margins.gain_up.map(|gain| gain.factor),
            gain_down: margins.gain_down.map(|gain| gain.factor),
            pole_radius: margins.radius,
            damping: margins.damping,
            damping_frequency: margins.damping_frequency / TAU,
            words: margins.to_string(),
        }
    }
}

/// The margins of every regulator; tells the caller of those that are too small. A loop that cannot be judged has none,
/// and the caller is told why.
pub(super) fn margins_of(
    experiment: &Experiment<'_>,
    kinds: &[ControllerKind],
    handle: &Handle<'_>,
) -> Result<Vec<Option<MarginsResult>>, TaskError> {
    let mut judged: Vec<(SampledLoop, LoopMargins)> = Vec::new();
    let mut found = Vec::new();
    for kind in kinds {
        handle.go_on()?;
        let judge = || {
            let sampled = SampledLoop::of(experiment, *kind)?;
            // Regulators that differ in their feed-forward have the same loop.
            if let Some((_, margins)) = judged.iter().find(|(known, _)| *known == sampled) {
                return Ok((sampled, *margins, None));
            }
            let margins = LoopMargins::of_loop(&sampled)?;
            let advice = Advice::about(experiment, *kind, &margins)?;
            Ok::<_, crate::analysis::tuning::TuningError>((sampled, margins, advice))
        };
        match judge() {
            Ok((sampled, margins, advice)) => {
                if let Some(advice) = advice {
                    handle.note(&advice.to_string());
                }
                found.push(Some(MarginsResult::of(&margins)));
                judged.push((sampled, margins));
            }
            Err(error) => {
                handle.note(&format!("the margins of {} cannot be had: {error}", kind.word()));
                found.push(None);
            }
        }
    }
    Ok(found)
}

//! What to say before a loop runs that will ring or worse.

use super::{LoopMargins, TuningError};
use crate::experiment::{ControllerKind, Experiment};
use crate::text::short;
use std::f64::consts::TAU;
use std::fmt;

/// A loop with less phase margin than this is warned about \[deg\].
pub const LEAST_PHASE: f64 = 20.0;
/// A loop whose gains may grow by less than this factor, or fall by less than one over it, is warned about.
pub const LEAST_GAIN: f64 = 1.5;
/// The phase margin that a loop should have \[deg\]: the frequency that an [`Advice`] names has it.
pub const WANTED_PHASE: f64 = 45.0;

/// How far below the frequency of a loop a better one is looked for, as a factor.
const FALL: f64 = 1e-3;
/// By how much one step of the search falls.
const STEP: f64 = 0.8;
/// Halvings after that: three digits.
const HALVINGS: u32 = 10;

/// A warning about a loop.
#[derive(Clone, Debug, PartialEq)]
pub struct Advice {
    /// Which regulator.
    pub kind: ControllerKind,
    /// Its margins.
    pub margins: LoopMargins,
    /// Frequency of its gains \[Hz\], if they come from one.
    pub frequency: Option<f64>,
    /// The largest frequency with a phase margin of [`WANTED_PHASE`] \[Hz\], if there is one.
    pub better_frequency: Option<f64>,
    /// Period of the controller \[s\].
    pub period: f64,
}

impl Advice {
    /// About a regulator of an experiment whose margins are too small; nothing otherwise.
    pub fn about(
        experiment: &Experiment<'_>,
        kind: ControllerKind,
        margins: &LoopMargins,
    ) -> Result<Option<Self>, TuningError> {
        if !margins.is_small() {
            return Ok(None);
        }
        let frequency = Some(experiment.tuning().frequency / TAU).filter(|_| by_frequency(experiment, kind));
        let better_frequency = match frequency {
            Some(hertz) => largest_frequency(experiment, kind, hertz)?,
            None => None,
        };
        let period = experiment.period();
        Ok(Some(Self { kind, margins: *margins, frequency, better_frequency, period }))
    }
}

impl LoopMargins {
    /// Whether the loop is unstable or has less than [`LEAST_PHASE`] or [`LEAST_GAIN`].
    pub fn is_small(&self) -> bool {
        let phase = self.phase.is_some_and(|phase| phase.margin.to_degrees() < LEAST_PHASE);
        let up = self.gain_up.is_some_and(|gain| gain.factor < LEAST_GAIN);
        let down = self.gain_down.is_some_and(|gain| gain.factor > 1.0 / LEAST_GAIN);
        !self.is_stable() || phase || up || down
    }
}

/// Whether the gains follow from frequency and damping.
fn by_frequency(experiment: &Experiment<'_>, kind: ControllerKind) -> bool {
    let tuning = experiment.tuning();
    match kind {
        ControllerKind::ComputedTorque | ControllerKind::Platform => true,
        ControllerKind::Lqr | ControllerKind::Place => false,
        _ => tuning.proportional.is_none() && tuning.derivative.is_none() && tuning.integral.is_none(),
    }
}

/// The largest frequency of the gains below `hertz` with the phase margin that a loop should have \[Hz\].
fn largest_frequency(
    experiment: &Experiment<'_>,
    kind: ControllerKind,
    hertz: f64,
) -> Result<Option<f64>, TuningError> {
    let at = LoopMargins::searcher(experiment, kind)?;
    let is_good = |hertz: f64| -> Result<bool, TuningError> {
        let margins = at(Some(TAU * hertz))?;
        let phase = margins.phase.is_none_or(|phase| phase.margin.to_degrees() >= WANTED_PHASE);
        Ok(phase && !margins.is_small())
    };
    let (mut high, mut low) = (hertz, hertz * STEP);
    while !is_good(low)? {
        (high, low) = (low, low * STEP);
        if low < hertz * FALL {
            return Ok(None);
        }
    }
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        if is_good(middle)? { low = middle } else { high = middle }
    }
    Ok(Some(low))
}

impl fmt::Display for Advice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.kind.name();
        if self.margins.is_stable() {
            write!(f, "the loop of {name} will ring: {}", self.margins)?;
        } else {
            write!(f, "the loop of {name} will be unstable")?;
            let (frequency, period) = (self.margins.damping_frequency / TAU, short(self.period * 1e3));
            write!(f, ": it grows at {} Hz, sampled every {period} ms", digits(frequency))?;
        }
        match (self.frequency, self.better_frequency) {
            (Some(now), Some(better)) => write!(
                f,
                "; gains of {} Hz have a phase margin of {WANTED_PHASE} deg, these are of {} Hz: lower the frequency, shorten \
                 the period or the lag, or give more damping",
                digits(better),
                digits(now)
            ),
            _ => f.write_str("; lower the gains, shorten the period or the lag, or give more damping"),
        }
    }
}

/// Three digits.
fn digits(number: f64) -> String {
    short(format!("{number:.2e}").parse().unwrap_or(number))
}

/// As a line of a table: `phase 52 deg at 21 Hz, gain 3.1 (up)`.
impl fmt::Display for LoopMargins {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.is_stable() {
            return write!(f, "unstable, grows at {} Hz", digits(self.damping_frequency / TAU));
        }
        match self.phase {
            Some(phase) => write!(
                f,
                "phase {:.0} deg at {} Hz",
                phase.margin.to_degrees(),
                digits(phase.crossover / TAU)
            )?,
            None => f.write_str("phase any")?,
        }
        match (self.gain_up, self.gain_down) {
            (None, None) => f.write_str(", gain any"),
            (Some(up), None) => write!(f, ", gain {} (up)", digits(up.factor)),
            (None, Some(down)) => write!(f, ", gain {} (down)", digits(down.factor)),
            (Some(up), Some(down)) => {
                write!(f, ", gain {} (up) and {} (down)", digits(up.factor), digits(down.factor))
            }
        }
    }
}

//! What an experiment is judged by.

use super::motion::Target;
use super::tuning::{ControllerKind, ResolvedGains};
use crate::sim::{Sample, Summary};
use crate::{Joint, PlatformState};
use legwork_core::Real;
use legwork_core::control::{Fault, rotation_vector};
use legwork_core::{M3, V3};

/// Size of an error over a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Spread {
    /// Largest.
    #[serde(with = "crate::task::number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub max: f64,
    /// Root of the mean square: over samples, and over motors for an error at the motors.
    #[serde(with = "crate::task::number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub rms: f64,
}

/// How the platform came to rest at the end of its motion.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Arrival {
    /// When the reference arrives \[s\]; that of the feedback comes T_m later.
    pub time: f64,
    /// How far the platform went beyond its target, along the path's last direction \[m\]: with a path that
    /// comes from above the deepest point below the target.
    pub overshoot: f64,
    /// Largest distance from the reference of the feedback after that has arrived \[m\].
    pub rest: f64,
    /// Time from the arrival of the feedback's reference until the platform stays within [`Arrival::band`] \[s\];
    /// nothing if it does not before the end.
    pub settling: Option<f64>,
    /// \[m\]
    pub band: f64,
}

/// What one regulator did. Errors are taken against the reference that the feedback is given, which
/// [`ControllerKind::ModelShifted`] is given late by T_m.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The regulator.
    pub kind: ControllerKind,
    /// Its numbers.
    pub gains: ResolvedGains,
    /// Errors of turning motors \[rad\], if there are any.
    pub turning: Option<Spread>,
    /// Errors of sliding motors \[m\], if there are any.
    pub sliding: Option<Spread>,
    /// Errors of the platform's position \[m\].
    pub position: Spread,
    /// Errors of its orientation \[rad\], if it turns.
    pub orientation: Option<Spread>,
    /// Largest command of turning motors \[N m\].
    pub peak_torque: Option<f64>,
    /// Largest command of sliding motors \[N\].
    pub peak_force: Option<f64>,
    /// The last arrival; nothing if the run did not get there.
    pub arrival: Option<Arrival>,
    /// Why and when \[s\] the supervisor took over.
    pub fault: Option<(f64, Fault)>,
    /// What the run cost and how it ended.
    pub summary: Summary,
}

impl Outcome {
    /// By how much smaller the largest errors are than another regulator's: at the motors, and of the position.
    pub fn factors(&self, first: &Self) -> (f64, f64) {
        let joint =
            |outcome: &Self| outcome.turning.or(outcome.sliding).map_or(f64::NAN, |spread| spread.max);
        (joint(first) / joint(self), first.position.max / self.position.max)
    }
}

/// One instant of an experiment, in the user's frame and signs.
#[derive(Clone, Copy, Debug)]
pub struct Observation<'a> {
    /// The robot.
    pub sample: Sample<'a>,
    /// The motors' reference that the feedback is given \[rad or m\].
    pub reference: &'a [f64],
    /// Reference less joint \[rad or m\].
    pub error: &'a [f64],
    /// The platform's reference that the feedback is given.
    pub platform: PlatformState,
    /// Distance of the platform from it \[m\].
    pub position_error: f64,
    /// Angle between both orientations \[rad\].
    pub orientation_error: f64,
}

/// The distance of positions \[m\] and the angle between orientations \[rad\].
pub(super) fn apart(wanted: &PlatformState, found: &PlatformState) -> (f64, f64) {
    let way = V3::from(wanted.position) - V3::from(found.position);
    let [wanted, found] = [wanted, found].map(|state| {
        let [x, y, z] = state.rotation.map(V3::from);
        M3::from_rows(x, y, z)
    });
    let turn = rotation_vector(wanted * found.transpose());
    (way.norm_sq().sqrt(), turn.norm_sq().sqrt())
}

/// A sum on the way to a spread.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    max: f64,
    squares: f64,
    count: u64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let size = value.abs();
        self.max = Real::max(self.max, size);
        self.squares += size * size;
        self.count += 1;
    }

    fn spread(self) -> Option<Spread> {
        (self.count > 0).then(|| Spread { max: self.max, rms: (self.squares / self.count as f64).sqrt() })
    }
}

/// Looks at every sample of a run.
pub(super) struct Judge<'a> {
    joints: &'a [Joint],
    target: Target,
    /// T_m \[s\]
    shift: f64,
    band: f64,
    turns: bool,
    /// Errors and commands of turning and of sliding motors.
    errors: [Sum; 2],
    commands: [Sum; 2],
    position: Sum,
    orientation: Sum,
    overshoot: f64,
    rest: f64,
    arrived: bool,
    /// When it last came into the band.
    inside_since: Option<f64>,
}

/// Instants closer than this \[s\] are the same: the rest is rounding.
const ROUNDING: f64 = 1e-9;

impl<'a> Judge<'a> {
    pub fn new(joints: &'a [Joint], target: Target, shift: f64, band: f64, turns: bool) -> Self {
        let none = Sum::default();
        Self {
            joints,
            target,
            shift,
            band,
            turns,
            errors: [none; 2],
            commands: [none; 2],
            position: none,
            orientation: none,
            overshoot: 0.0,
            rest: 0.0,
            arrived: false,
            inside_since: None,
        }
    }

    pub fn see(&mut self, seen: &Observation<'_>) {
        for ((joint, error), command) in self.joints.iter().zip(seen.error).zip(seen.sample.command) {
            let [kind, asked] =
                [&mut self.errors, &mut self.commands].map(|sums| &mut sums[usize::from(joint.slides)]);
            kind.add(*error);
            asked.add(*command);
        }
        self.position.add(seen.position_error);
        self.orientation.add(seen.orientation_error);
        let time = seen.sample.time;
        if time < self.target.time - ROUNDING {
            return;
        }
        self.arrived = true;
        let beyond = V3::from(seen.sample.platform.position) - V3::from(self.target.position);
        self.overshoot = Real::max(self.overshoot, beyond.dot(self.target.direction.into()));
        if time >= self.target.time + self.shift - ROUNDING {
            self.rest = Real::max(self.rest, seen.position_error);
        }
        let is_inside = seen.position_error <= self.band; // NaN is not
        self.inside_since = is_inside.then(|| self.inside_since.unwrap_or(time));
    }

    pub fn outcome(
        self,
        kind: ControllerKind,
        gains: ResolvedGains,
        fault: Option<(f64, Fault)>,
        summary: Summary,
    ) -> Outcome {
        let settled = self.target.time + self.shift;
        let arrival = Arrival {
            time: self.target.time,
            overshoot: self.overshoot,
            rest: self.rest,
            settling: self.inside_since.map(|since| (since - settled).max(0.0)),
            band: self.band,
        };
        let [turning, sliding] = self.errors.map(Sum::spread);
        let [peak_torque, peak_force] = self.commands.map(|sum| sum.spread().map(|spread| spread.max));
        Outcome {
            kind,
            gains,
            turning,
            sliding,
            position: self.position.spread().unwrap_or_default(),
            orientation: self.orientation.spread().filter(|_| self.turns),
            peak_torque,
            peak_force,
            arrival: self.arrived.then_some(arrival),
            fault,
            summary,
        }
    }
}

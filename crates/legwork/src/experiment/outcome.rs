//! What an experiment is judged by.

use super::motion::Target;
use super::tuning::{ControllerKind, ResolvedGains};
use crate::sim::{Ending, Sample, Summary};
use crate::{AnyRobot, Freedom, Joint, PlatformState};
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

/// A motor that gave more than its robot's file allows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Overload {
    /// Which motor, from 0.
    pub motor: usize,
    /// What it gave at most, at the joint, without its sign \[N m or N\].
    pub effort: f64,
    /// What the file allows there.
    pub limit: f64,
}

impl Overload {
    /// The worse of two.
    fn worse(self, other: Option<Self>) -> Self {
        let share = |load: &Self| load.effort / load.limit;
        match other {
            Some(other) if share(&other) >= share(&self) => other,
            _ => self,
        }
    }
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
    /// Whether turning is all that the platform is free in.
    pub only_turns: bool,
    /// Largest torque that turning motors give \[N m\].
    pub peak_torque: Option<f64>,
    /// Largest force that sliding motors give \[N\].
    pub peak_force: Option<f64>,
    /// The same at the shafts of the turning motors, before their gears \[N m\]; nothing without gears.
    pub peak_motor_torque: Option<f64>,
    /// Largest torque that the regulator asks of turning motors \[N m\].
    pub asked_torque: Option<f64>,
    /// Largest force that it asks of sliding motors \[N\].
    pub asked_force: Option<f64>,
    /// The motor that gave most beyond what its file allows, if one did.
    pub overload: Option<Overload>,
    /// The last arrival; nothing if the run did not get there, or if the platform only turns.
    pub arrival: Option<Arrival>,
    /// Why and when \[s\] the supervisor took over.
    pub fault: Option<(f64, Fault)>,
    /// What the controller believes to carry at the end \[kg\], if it finds that out.
    pub payload: Option<f64>,
    /// What the run cost and how it ended.
    pub summary: Summary,
}

impl Outcome {
    /// Whether the robot was regulated up to the end: no fault, no early ending.
    pub fn is_whole(&self) -> bool {
        self.fault.is_none() && self.summary.ending == Ending::Completed
    }

    /// By how much smaller the largest errors are than another regulator's: at the motors, and of the position, or of
    /// the orientation where the platform only turns. NaN where one of the two runs was not regulated up to the end.
    pub fn factors(&self, first: &Self) -> (f64, f64) {
        if !(self.is_whole() && first.is_whole()) {
            return (f64::NAN, f64::NAN);
        }
        let joint =
            |outcome: &Self| outcome.turning.or(outcome.sliding).map_or(f64::NAN, |spread| spread.max);
        let platform = |outcome: &Self| match outcome.orientation {
            Some(orientation) if outcome.only_turns => orientation.max,
            _ => outcome.position.max,
        };
        (joint(first) / joint(self), platform(first) / platform(self))
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
    only_turns: bool,
    /// Errors, commands and efforts of turning and of sliding motors.
    errors: [Sum; 2],
    commands: [Sum; 2],
    efforts: [Sum; 2],
    /// Torques before gears.
    shafts: Sum,
    overload: Option<Overload>,
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
    pub fn new(robot: &'a AnyRobot, target: Target, shift: f64, band: f64) -> Self {
        let none = Sum::default();
        let freedoms = robot.freedoms();
        Self {
            joints: robot.joints(),
            target,
            shift,
            band,
            turns: freedoms.iter().any(Freedom::turns),
            only_turns: freedoms.iter().all(Freedom::turns),
            errors: [none; 2],
            commands: [none; 2],
            efforts: [none; 2],
            shafts: none,
            overload: None,
            position: none,
            orientation: none,
            overshoot: 0.0,
            rest: 0.0,
            arrived: false,
            inside_since: None,
        }
    }

    pub fn see(&mut self, seen: &Observation<'_>) {
        let motors = seen.sample.command.iter().zip(seen.sample.effort);
        let motors = self.joints.iter().zip(seen.error).zip(motors).enumerate();
        for (motor, ((joint, error), (command, effort))) in motors {
            let kind = usize::from(joint.slides);
            self.errors[kind].add(*error);
            self.commands[kind].add(*command);
            self.efforts[kind].add(*effort);
            if !joint.slides {
                self.shafts.add(joint.motor_effort(*effort));
            }
            // One in a million: a motor at its limit is not beyond it.
            if let Some(limit) = joint.max_effort.filter(|limit| effort.abs() > limit * (1.0 + 1e-6)) {
                let load = Overload { motor, effort: effort.abs(), limit };
                self.overload = Some(load.worse(self.overload));
            }
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
        (fault, payload): (Option<(f64, Fault)>, Option<f64>),
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
        let [peaks, asked] =
            [self.efforts, self.commands].map(|sums| sums.map(|sum| sum.spread().map(|spread| spread.max)));
        let geared = self.joints.iter().any(|joint| joint.gear.is_some());
        let shafts = if geared { self.shafts } else { Sum::default() };
        let ([peak_torque, peak_force], [asked_torque, asked_force]) = (peaks, asked);
        Outcome {
            kind,
            gains,
            turning,
            sliding,
            position: self.position.spread().unwrap_or_default(),
            orientation: self.orientation.spread().filter(|_| self.turns),
            only_turns: self.only_turns,
            peak_torque,
            peak_force,
            peak_motor_torque: shafts.spread().map(|spread| spread.max),
            asked_torque,
            asked_force,
            overload: self.overload,
            arrival: (self.arrived && !self.only_turns).then_some(arrival).filter(|_| fault.is_none()),
            fault,
            payload,
            summary,
        }
    }
}

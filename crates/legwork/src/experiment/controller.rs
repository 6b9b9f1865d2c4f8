//! A supervised regulator of any robot as a controller of the simulation.

use super::ExperimentError;
use super::loads::LoadedRobot;
use super::motion::{ReferenceMotion, in_frame};
use super::tuning::{ControllerKind, ResolvedGains, Tuning, padded};
use crate::description::Frame;
use crate::robot::RobotModel;
use crate::sim::{ControlFault, Measured, SampledController};
use crate::{AnyRobot, Joint};
use legwork_core::control::{
    self, Fault, Guard, MemoryVisitor, Model, PayloadSettings, Reference, Regulator, SafeCommand, Supervisor,
};
use std::fmt;

/// Beyond this error of a turning motor the supervisor takes over \[rad\].
const TRACKING: f64 = 0.5;
/// The same of a sliding motor, in sizes of the legs.
const SLIDING: f64 = 0.25;
/// Beyond this error the supervisor takes over \[rad or m\], of legs of this size \[m\].
pub(super) fn largest_error(joint: &Joint, length: f64) -> f64 {
    if joint.slides { SLIDING * length } else { TRACKING }
}

/// How far motors and platform of a reference may disagree: turns \[rad\], slides in sizes of the legs.
const AGREEMENT: f64 = 1e-3;
/// Below this a margin of the model counts as zero, as in every answer of the library. Margins have no unit.
const SINGULAR: f64 = 1e-9;
/// What was picked up so shortly after a sample is known at it \[s\]: the rest is rounding.
const ROUNDING: f64 = 1e-9;
/// Samples that may be missing.
const PATIENCE: f64 = 10.0;
/// By how much a motor may be faster than its file allows while it is regulated, as a share: the reference keeps to the
/// limit, the robot overshoots.
const OVERSPEED: f64 = 0.25;
/// And how far beyond its range, as a share of the error at which the supervisor takes over.
const OVERSHOOT: f64 = 0.1;

/// The most motors that a controller can have.
pub(crate) const MOST_MOTORS: usize = 24;

/// Why a supervisor took over, in the unit of the motor that it is about.
pub fn fault_in_words(robot: &AnyRobot, fault: &Fault) -> String {
    let joint = fault.motor().and_then(|motor| robot.joints().get(motor));
    joint.map_or_else(|| fault.to_string(), |joint| fault.in_unit(joint.unit()).to_string())
}

/// What a controller that estimates its payload needs besides the robot without one.
#[derive(Clone, Copy)]
pub(super) struct Adaptation<'a> {
    pub heavier: RobotModel<'a>,
    /// What it carries \[kg\].
    pub difference: f64,
    pub settings: PayloadSettings<f64>,
}

/// What a controller is made of.
pub(super) struct Parts<'a> {
    /// The robot it knows; with loads one for each robot of [`LoadedRobot::robots`].
    pub models: Vec<RobotModel<'a>>,
    /// What the motion picks up, if the controller knows of it.
    pub loads: Option<&'a LoadedRobot>,
    /// The robot with a payload to compare with, and its estimate, of a controller that adapts.
    pub adaptation: Option<Adaptation<'a>>,
    /// The lag of the drives that it knows \[s\].
    pub drive_lag: f64,
    pub frame: Frame,
    pub joints: &'a [Joint],
    /// The size of the legs \[m\].
    pub length: f64,
    pub motion: &'a dyn ReferenceMotion,
    pub period: f64,
    pub tuning: &'a Tuning,
    pub kind: ControllerKind,
    pub gains: ResolvedGains,
    pub shift: usize,
    /// How far readings can be off, of every motor \[rad or m\].
    pub reading: Vec<f64>,
    /// How long an even deceleration takes that is as hard as the hardest of the motion \[s\].
    pub braking: f64,
    /// K_p and K_d of the safe stop.
    pub brake: [Vec<f64>; 2],
}

/// A regulator under supervision, as a controller that the simulation can sample: a reference from the motion,
/// what is measured in the user's signs, a command in the user's signs. Allocates nothing after it was made.
pub struct Controller<'a>(Box<dyn SupervisedLoop + 'a>);

/// A controller whose number of motors is not in its type.
trait SupervisedLoop: Send {
    fn period(&self) -> f64;
    fn reset(&mut self);
    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]);
    fn fault(&self) -> Option<(f64, Fault)>;
    fn payload(&self) -> Option<f64>;
    fn reference(&self, time: f64, q: &mut [f64]) -> f64;
    fn visit_memory(&mut self, visitor: &mut MemoryVisitor<'_>);
}

type Watched<'a, const K: usize> = Supervisor<Regulator<RobotModel<'a>, f64, K>, f64, K>;

/// With room for K motors. The ones beyond the robot's stand still at zero: no gain, no limit, no effort.
struct Sized<'a, const K: usize> {
    model: RobotModel<'a>,
    /// One for each load; `model` is the first.
    models: Vec<RobotModel<'a>>,
    loads: Option<&'a LoadedRobot>,
    /// Motors of the robot.
    motors: usize,
    frame: Frame,
    motion: &'a dyn ReferenceMotion,
    period: f64,
    takes_differences: bool,
    /// As it begins.
    fresh: Watched<'a, K>,
    supervisor: Watched<'a, K>,
    /// The next sample.
    count: u64,
    /// When the supervisor took over \[s\].
    fault_time: f64,
}

impl<'a> Controller<'a> {
    /// Regulators are built with room for 3, 6 and 24 motors: for each number alone they would be most of the program.
    pub(super) fn new(parts: &Parts<'a>) -> Result<Self, ExperimentError> {
        Ok(Self(match parts.joints.len() {
            1..=3 => Box::new(Sized::<3>::new(parts)?),
            4..=6 => Box::new(Sized::<6>::new(parts)?),
            7..=MOST_MOTORS => Box::new(Sized::<MOST_MOTORS>::new(parts)?),
            motors => return Err(ExperimentError::Motors { motors }),
        }))
    }

    /// The fault that ended regulation, and when \[s\]; from then on the safe command is given.
    pub fn fault(&self) -> Option<(f64, Fault)> {
        self.0.fault()
    }

    /// What it believes to carry \[kg\], if it finds that out.
    pub fn payload(&self) -> Option<f64> {
        self.0.payload()
    }

    /// Everything that it remembers from sample to sample, always as many numbers.
    pub fn memory(&mut self) -> Vec<f64> {
        let mut memory = Vec::new();
        self.0.visit_memory(&mut |number| memory.push(*number));
        memory
    }

    /// Remembers what a controller of the same robot and kind remembered; its gains may be others. Goes on from there to the
    /// bit if they are the same. False, and nothing changes, if the numbers are not as many.
    pub fn set_memory(&mut self, memory: &[f64]) -> bool {
        let mut count = 0;
        self.0.visit_memory(&mut |_| count += 1);
        if memory.len() != count {
            return false;
        }
        let mut numbers = memory.iter();
        self.0.visit_memory(&mut |slot| {
            if let Some(number) = numbers.next() {
                *slot = *number;
            }
        });
        true
    }

    /// The motors' reference at a time \[s\], as the user counts; gives the model's margin, positive where it
    /// means something.
    pub fn reference(&self, time: f64, q: &mut [f64]) -> f64 {
        self.0.reference(time, q)
    }
}

impl fmt::Debug for Controller<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Controller").field("period", &self.0.period()).finish_non_exhaustive()
    }
}

impl SampledController for Controller<'_> {
    fn period(&self) -> f64 {
        self.0.period()
    }

    fn reset(&mut self) {
        self.0.reset();
    }

    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) -> Result<(), ControlFault> {
        self.0.sample(seen, command);
        Ok(())
    }
}

impl<'a, const K: usize> Sized<'a, K> {
    fn new(parts: &Parts<'a>) -> Result<Self, ExperimentError> {
        let Parts { frame, motion, period, tuning, loads, .. } = *parts;
        let (models, motors) = (parts.models.clone(), parts.joints.len());
        let known_at_start = models.get(loads.map_or(0, |loads| loads.index_at(0.0)));
        let Some(&model) = known_at_start.or(models.first()) else {
            return Err(ExperimentError::Motors { motors });
        };
        let start = Reference::at(&model, &in_frame(motion, &frame, 0.0)).value;
        let settings = tuning.settings::<K>(parts.kind, &parts.gains, parts.shift)?;
        let regulator = Regulator::new(model, settings.with_drive_lag(parts.drive_lag), &start)?;
        let regulator = match parts.adaptation {
            Some(Adaptation { heavier, difference, settings }) => {
                regulator.adapting(heavier, difference, settings)?
            }
            None => regulator,
        };
        let fresh = Supervisor::new(regulator, guard(parts), &start)?;
        let takes_differences = tuning.takes_differences;
        let supervisor = fresh;
        Ok(Self {
            model,
            models,
            loads,
            motors,
            frame,
            motion,
            period,
            takes_differences,
            fresh,
            supervisor,
            count: 0,
            fault_time: f64::NAN,
        })
    }

    fn reference_at(&self, time: f64) -> Reference<f64, K> {
        Reference::at(&self.model, &in_frame(self.motion, &self.frame, time)).value
    }

    /// Our values of what is measured; a list of another length is lost.
    fn measured(&self, seen: &Measured<'_>) -> Option<control::Measured<f64, K>> {
        let ours = |list: &[f64], convert: &dyn Fn(f64) -> f64| -> Option<[f64; K]> {
            let converted = |k| list.get(k).map_or(0.0, |value| convert(*value));
            (list.len() == self.motors).then(|| std::array::from_fn(converted))
        };
        let q = ours(seen.q, &|angle| self.frame.angle_from_user(angle))?;
        let qdot = match seen.qd {
            Some(qd) => Some(ours(qd, &|rate| rate * self.frame.angle_sign)?),
            None => None,
        };
        Some(control::Measured { q, qdot })
    }
}

/// Ranges and speeds of the robot's file with room for overshoot and for what the sensors are off by; braking with
/// gains of its own.
fn guard<const K: usize>(parts: &Parts<'_>) -> Guard<f64, K> {
    let joints = parts.joints;
    let each = |get: &dyn Fn(&Joint) -> f64, rest: f64| -> [f64; K] {
        std::array::from_fn(|k| joints.get(k).map_or(rest, get))
    };
    let tracking = |joint: &Joint| largest_error(joint, parts.length);
    let ends = |joint: &Joint| {
        let min = joint.min.map_or(f64::NEG_INFINITY, |min| parts.frame.angle_from_user(min));
        let max = joint.max.map_or(f64::INFINITY, |max| parts.frame.angle_from_user(max));
        // The user may count the other way round; what has no limit has none either way.
        match (joint.min, joint.max, parts.frame.angle_sign < 0.0) {
            (_, _, false) => (min, max),
            (low, high, true) => (
                if high.is_some() { max } else { f64::NEG_INFINITY },
                if low.is_some() { min } else { f64::INFINITY },
            ),
        }
    };
    Guard {
        low: each(&|joint| ends(joint).0 - OVERSHOOT * tracking(joint), f64::NEG_INFINITY),
        high: each(&|joint| ends(joint).1 + OVERSHOOT * tracking(joint), f64::INFINITY),
        speed: each(
            &|joint| joint.max_speed.map_or(f64::INFINITY, |most| (1.0 + OVERSPEED) * most),
            f64::INFINITY,
        ),
        reading: padded(&parts.reading, 0.0),
        tracking: each(&tracking, f64::INFINITY),
        interval: PATIENCE * parts.period,
        margin: SINGULAR,
        agreement: if joints.iter().any(|joint| joint.slides) {
            AGREEMENT * parts.length.min(1.0)
        } else {
            AGREEMENT
        },
        safe: SafeCommand::Brake {
            time: parts.braking,
            proportional: padded(&parts.brake[0], 0.0),
            derivative: padded(&parts.brake[1], 0.0),
        },
    }
}

impl<const K: usize> SupervisedLoop for Sized<'_, K> {
    fn period(&self) -> f64 {
        self.period
    }

    fn reset(&mut self) {
        self.supervisor = self.fresh;
        self.count = 0;
        self.fault_time = f64::NAN;
    }

    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) {
        // What was picked up by now is known from now on.
        if let Some(loads) = self.loads
            && let Some(model) = self.models.get(loads.index_at(self.count as f64 * self.period + ROUNDING))
        {
            self.supervisor.regulator_mut().set_model(*model);
        }
        // With differences a regulator is given the reference of the next sample.
        let ahead = self.count + u64::from(self.takes_differences);
        let reference = self.reference_at(ahead as f64 * self.period);
        let measured = self.measured(seen);
        let found = self.supervisor.update(&reference, measured.as_ref(), self.period);
        for (slot, effort) in command.iter_mut().zip(found.effort) {
            *slot = effort * self.frame.angle_sign;
        }
        self.count += 1;
        if self.fault_time.is_nan() && found.fault.is_some() {
            self.fault_time = seen.time;
        }
    }

    fn fault(&self) -> Option<(f64, Fault)> {
        self.supervisor.fault().map(|fault| (self.fault_time, fault))
    }

    fn payload(&self) -> Option<f64> {
        self.supervisor.regulator().payload().map(control::PayloadEstimate::mass)
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative, and far from the largest
    fn visit_memory(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.supervisor.visit_memory(visitor);
        let mut count = self.count as f64;
        visitor(&mut count);
        // Whole and far below what a number can count exactly, or it is no memory; samples go on from the start then.
        self.count = if (0.0..2e15).contains(&count) { count as u64 } else { 0 };
        visitor(&mut self.fault_time);
    }

    fn reference(&self, time: f64, q: &mut [f64]) -> f64 {
        let joints = Model::<f64, K>::joints(&self.model, &in_frame(self.motion, &self.frame, time));
        for (slot, angle) in q.iter_mut().zip(joints.value.q) {
            *slot = self.frame.angle_to_user(angle);
        }
        joints.margin
    }
}

//! A supervised regulator of any robot as a controller of the simulation.

use super::ExperimentError;
use super::motion::TimedPath;
use super::tuning::{ControllerKind, ResolvedGains, Tuning, padded};
use crate::Joint;
use crate::description::Frame;
use crate::robot::RobotModel;
use crate::sim::{ControlFault, Measured, SampledController};
use legwork_core::control::{self, Fault, Guard, Model, Reference, Regulator, SafeCommand, Supervisor};
use std::fmt;

/// Beyond this error of a turning motor the supervisor takes over \[rad\].
const TRACKING: f64 = 0.5;
/// The same of a sliding motor \[m\].
const SLIDING: f64 = 0.2;
/// Samples that may be missing.
const PATIENCE: f64 = 10.0;

/// What a controller is made of.
pub(super) struct Parts<'a> {
    pub model: RobotModel<'a>,
    pub frame: Frame,
    pub joints: &'a [Joint],
    pub motion: &'a TimedPath,
    pub period: f64,
    pub tuning: &'a Tuning,
    pub kind: ControllerKind,
    pub gains: ResolvedGains,
    pub shift: usize,
}

/// A regulator under supervision, as a controller that the simulation can sample: a reference from the motion,
/// what is measured in the user's signs, a command in the user's signs. Allocates nothing after it was made.
pub struct Controller<'a>(Box<dyn SupervisedLoop + 'a>);

/// A controller whose number of motors is not in its type.
trait SupervisedLoop {
    fn period(&self) -> f64;
    fn reset(&mut self);
    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]);
    fn fault(&self) -> Option<(f64, Fault)>;
    fn reference(&self, time: f64, q: &mut [f64]) -> f64;
}

type Watched<'a, const K: usize> = Supervisor<Regulator<RobotModel<'a>, f64, K>, f64, K>;

/// With room for K motors. The ones beyond the robot's stand still at zero: no gain, no limit, no effort.
struct Sized<'a, const K: usize> {
    model: RobotModel<'a>,
    /// Motors of the robot.
    motors: usize,
    frame: Frame,
    motion: &'a TimedPath,
    period: f64,
    takes_differences: bool,
    /// As it begins.
    fresh: Watched<'a, K>,
    supervisor: Watched<'a, K>,
    /// The next sample.
    count: u64,
    fault: Option<(f64, Fault)>,
}

impl<'a> Controller<'a> {
    /// Regulators are built with room for 3, 6 and 12 motors: for each number alone they would be most of the program.
    pub(super) fn new(parts: &Parts<'a>) -> Result<Self, ExperimentError> {
        Ok(Self(match parts.joints.len() {
            1..=3 => Box::new(Sized::<3>::new(parts)?),
            4..=6 => Box::new(Sized::<6>::new(parts)?),
            7..=12 => Box::new(Sized::<12>::new(parts)?),
            motors => return Err(ExperimentError::Motors { motors }),
        }))
    }

    /// The fault that ended regulation, and when \[s\]; from then on the safe command is given.
    pub fn fault(&self) -> Option<(f64, Fault)> {
        self.0.fault()
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
        let Parts { model, frame, motion, period, tuning, .. } = *parts;
        let motors = parts.joints.len();
        let start = Reference::at(&model, &motion.in_frame(&frame, 0.0)).value;
        let settings = tuning.settings::<K>(parts.kind, &parts.gains, parts.shift)?;
        let regulator = Regulator::new(model, settings, &start)?;
        let fresh = Supervisor::new(regulator, guard(parts), &start)?;
        let takes_differences = tuning.takes_differences;
        let supervisor = fresh;
        let (count, fault) = (0, None);
        Ok(Self { model, motors, frame, motion, period, takes_differences, fresh, supervisor, count, fault })
    }

    fn reference_at(&self, time: f64) -> Reference<f64, K> {
        Reference::at(&self.model, &self.motion.in_frame(&self.frame, time)).value
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

/// Ranges and speeds of the robot's file, holding with the regulator's gains.
fn guard<const K: usize>(parts: &Parts<'_>) -> Guard<f64, K> {
    let joints = parts.joints;
    let each = |get: &dyn Fn(&Joint) -> f64, rest: f64| -> [f64; K] {
        std::array::from_fn(|k| joints.get(k).map_or(rest, get))
    };
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
        low: each(&|joint| ends(joint).0, f64::NEG_INFINITY),
        high: each(&|joint| ends(joint).1, f64::INFINITY),
        speed: each(&|joint| joint.max_speed.unwrap_or(f64::INFINITY), f64::INFINITY),
        tracking: each(&|joint| if joint.slides { SLIDING } else { TRACKING }, f64::INFINITY),
        interval: PATIENCE * parts.period,
        // Margins have the units of their model; only their sign means the same everywhere.
        margin: 0.0,
        agreement: 1e-3,
        safe: SafeCommand::Hold {
            proportional: padded(&parts.gains.proportional, 0.0),
            derivative: padded(&parts.gains.derivative, 0.0),
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
        self.fault = None;
    }

    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) {
        // With differences a regulator is given the reference of the next sample.
        let ahead = self.count + u64::from(self.takes_differences);
        let reference = self.reference_at(ahead as f64 * self.period);
        let measured = self.measured(seen);
        let found = self.supervisor.update(&reference, measured.as_ref(), self.period);
        for (slot, effort) in command.iter_mut().zip(found.effort) {
            *slot = effort * self.frame.angle_sign;
        }
        self.count += 1;
        if let (None, Some(fault)) = (self.fault, found.fault) {
            self.fault = Some((seen.time, fault));
        }
    }

    fn fault(&self) -> Option<(f64, Fault)> {
        self.fault
    }

    fn reference(&self, time: f64, q: &mut [f64]) -> f64 {
        let joints = Model::<f64, K>::joints(&self.model, &self.motion.in_frame(&self.frame, time));
        for (slot, angle) in q.iter_mut().zip(joints.value.q) {
            *slot = self.frame.angle_to_user(angle);
        }
        joints.margin
    }
}

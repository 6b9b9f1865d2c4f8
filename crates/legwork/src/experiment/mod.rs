//! Closed-loop experiments: a path, a law, a regulator and a machine that is not quite the one the
//! regulator knows, for a robot of any type, in the user's frame and signs.
//!
//! ```
//! use legwork::experiment::{Experiment, TimedPath, ControllerKind};
//! use legwork::sim::{ModelError, Plant};
//! use legwork::{AnyRobot, ForearmModel};
//!
//! // [Codourey1998, Fig. 7]: the controller knows lumped forearms and masses ten per cent too large
//! let robot = AnyRobot::open("delta-direct-drive")?;
//! let error = ModelError { mass: 0.1, motor_inertia: 0.1, ..ModelError::default() };
//! let known = robot.with_model_error(&error)?.with_forearm_model(ForearmModel::Simplified)?;
//! let experiment = Experiment::new(&robot, TimedPath::codourey()?)
//!     .with_controller_model(known)
//!     .on_plant(Plant::ideal().with_lag(2e-3));
//! let outcomes = experiment.run_all(&ControllerKind::FOUR)?;
//! let (joint, platform) = outcomes[3].factors(&outcomes[0]);
//! assert!((joint - 5.9).abs() < 0.05 && (platform - 6.0).abs() < 0.05); // "a factor of 6"
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Controller`] is a supervised regulator of [`legwork_core::control`]; the machine is a
//! [`Plant`] of [`sim`](crate::sim).

mod adaptation;
mod between_rows;
mod controller;
mod detune;
mod error;
mod jumps;
mod live;
mod loads;
mod motion;
mod outcome;
mod path;
mod sampled;
mod sequence;

mod tuning;

pub use controller::{Controller, fault_in_words};
pub use error::{ExperimentError, RowsFault};
pub use live::{LiveReference, LiveTarget};
pub use loads::LoadedRobot;
pub use motion::{Load, ReferenceMotion, Target, TimedPath};
pub use outcome::{Arrival, Observation, Outcome, Overload, Spread};
pub(crate) use path::translation_axes;
pub use path::{AnyPath, around_home, blended_lines, gentle_law, turn_about_home, way_points};
pub use sampled::{Given, MotionRow, SampledMotion};
pub use sequence::{MoveSequence, TimedMove};
pub use tuning::{ControllerKind, ResolvedGains, Tuning};

use crate::sim::{FormulationKind, Integrator, Plant, Simulation};
use crate::{AnyRobot, PlatformState};
pub(crate) use controller::MOST_MOTORS;
use controller::{Parts, largest_error};
use legwork_core::control::Law;
use outcome::{Judge, apart};
use std::ops::ControlFlow;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;
use tuning::mean_diagonal;

/// Places along the motion that are looked at before it begins.
const PLACES: u32 = 200;
/// A closed-loop run, to be described and then made with one regulator after the other.
#[derive(Debug)]
pub struct Experiment<'r> {
    robot: &'r AnyRobot,
    known: AnyRobot,
    /// The same with what the motion picks up, if the controller knows of it.
    known_loaded: Option<LoadedRobot>,
    /// The robot that the controller knows, with no payload and with one, once a regulator asks for them.
    weighed: OnceLock<[AnyRobot; 2]>,
    motion: Box<dyn ReferenceMotion>,
    tuning: Tuning,
    period: f64,
    plant: Plant,
    settling: f64,
    band: f64,
    interval: Option<f64>,
    formulation: FormulationKind,
    integrator: Integrator,
    cancelled: Option<&'r AtomicBool>,
}

impl<'r> Experiment<'r> {
    /// A robot and its motion: a controller that knows it exactly, every millisecond; an ideal
    /// machine; a tenth of a second to come to rest; Runge–Kutta with half a millisecond.
    pub fn new(robot: &'r AnyRobot, motion: impl ReferenceMotion + 'static) -> Self {
        Self {
            robot,
            known: robot.clone(),
            known_loaded: None,
            weighed: OnceLock::new(),
            motion: Box::new(motion),
            tuning: Tuning::default(),
            period: 1e-3,
            plant: Plant::ideal(),
            settling: 0.1,
            band: 1e-4,
            interval: None,
            formulation: FormulationKind::Minimal,
            integrator: Integrator::Rk4 { step: 5e-4 },
            cancelled: None,
        }
    }

    /// The controller takes this for its robot. Default: the robot itself.
    #[must_use]
    pub fn with_controller_model(self, known: AnyRobot) -> Self {
        Self { known, known_loaded: None, weighed: OnceLock::new(), ..self }
    }

    /// The controller knows what its motion picks up and puts down, in the robot it takes for its own so far. Default:
    /// it does not.
    pub fn with_known_loads(self) -> Result<Self, ExperimentError> {
        let loaded = LoadedRobot::new(&self.known, &*self.motion)?;
        Ok(Self { known_loaded: Some(loaded), ..self })
    }

    /// The machine picks up and puts down what its motion says. Call it once, after [`on_plant`](Self::on_plant).
    #[must_use]
    pub fn with_loads_on_plant(self) -> Self {
        let (carried, cycle) = (self.robot.payload(), self.motion.cycle_duration());
        let mut plant = self.plant.clone();
        let cycles = (self.motion.duration() / cycle).round();
        let mut begin = 0.0;
        while begin < cycles {
            for load in self.motion.loads() {
                plant = plant.carrying(begin * cycle + load.time, carried + load.mass);
            }
            begin += 1.0;
        }
        Self { plant, ..self }
    }

    /// Gains, shift, differences. Default: [`Tuning::default`].
    #[must_use]
    pub fn tuned(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Lowers the frequency of the gains until the fastest mode of the mass matrix, half-way between the ends of the
    /// path, has a gain margin of two in its velocity loop, seen through lag, hold and difference.
    pub fn with_detuned_gains(self) -> Result<Self, ExperimentError> {
        let place = self.motion.middle();
        let inertia = self
            .inertia(self.robot, &place)
            .or_else(|_| self.inertia(self.robot, &self.motion.platform(0.0)))?;
        let Some(most) = self.highest_frequency(&inertia, self.tuning.damping)? else { return Ok(self) };
        let frequency = self.tuning.frequency.min(most);
        Ok(Self { tuning: Tuning { frequency, ..self.tuning }, ..self })
    }

    /// The frequency \[rad/s\] at which the velocity loop of the fastest mode has a gain margin of two.
    fn highest_frequency(&self, inertia: &[f64], damping: f64) -> Result<Option<f64>, ExperimentError> {
        let fastest = detune::fastest_mode(self.robot, &self.motion.middle(), inertia)?;
        // Half a sample of the hold and half a sample of the difference.
        let edge = detune::edge(self.plant.longest_lag(inertia.len()), self.period);
        let most = 0.5 * edge / (2.0 * damping * fastest);
        Ok((most.is_finite() && most > 0.0).then_some(most))
    }

    /// K_p and K_d of the safe stop: the usual ones, not stiffer than the regulator's, and slow enough for the lag and the
    /// delay of the loop. Gains that made the loop unstable would not stop the robot.
    fn braking_gains(&self, gains: &ResolvedGains) -> [Vec<f64>; 2] {
        let usual = Tuning::default();
        let (samples, part) = self.plant.delay_in_samples(self.period);
        let late = self.plant.longest_lag(gains.inertia.len()) + (1.5 + samples as f64 + part) * self.period;
        let most = self.highest_frequency(&gains.inertia, usual.damping).ok().flatten();
        let omega = usual.frequency.min(usual.damping / late).min(most.unwrap_or(f64::INFINITY));
        let each = gains.inertia.iter().zip(&gains.proportional).zip(&gains.derivative);
        // A motor whose inertia is not known keeps the regulator's gains.
        let (stiffness, damping) = each
            .map(|((inertia, kp), kd)| {
                let own = [inertia * omega * omega, 2.0 * usual.damping * omega * inertia];
                if own[0].is_nan() { (*kp, *kd) } else { (kp.min(own[0]), own[1]) }
            })
            .unzip();
        [stiffness, damping]
    }

    /// Gains, shift, differences as they are set.
    pub fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    /// The robot of the file.
    pub fn robot(&self) -> &AnyRobot {
        self.robot
    }

    /// The machine.
    pub fn plant(&self) -> &Plant {
        &self.plant
    }

    /// Time between two samples of the controller \[s\].
    pub fn period(&self) -> f64 {
        self.period
    }

    /// The law of a regulator with these gains, with room for [`MOST_MOTORS`]; with a frequency \[rad/s\] as it would be
    /// with that one instead.
    pub(crate) fn law(
        &self,
        kind: ControllerKind,
        gains: &ResolvedGains,
        frequency: Option<f64>,
    ) -> Result<Law<f64, MOST_MOTORS>, ExperimentError> {
        let Some(frequency) = frequency else {
            return Ok(self.tuning.settings(kind, gains, 0)?.law);
        };
        let tuning = Tuning { frequency, ..self.tuning.clone() };
        let (inertia, known) = (gains.inertia.clone(), gains.known_inertia.clone());
        let gains = tuning.resolved_gains(inertia, known, &self.largest_errors())?;
        Ok(tuning.settings(kind, &gains, 0)?.law)
    }

    /// What the controller takes for its robot.
    pub fn known(&self) -> &AnyRobot {
        &self.known
    }

    /// Time between two samples of the controller \[s\]. Default 1 ms.
    #[must_use]
    pub fn controlled_every(self, period: f64) -> Self {
        Self { period, ..self }
    }

    /// The machine. Default: ideal.
    #[must_use]
    pub fn on_plant(self, plant: Plant) -> Self {
        Self { plant, ..self }
    }

    /// How long the run goes on after the motion \[s\]. Default 0.1.
    #[must_use]
    pub fn settling_for(self, time: f64) -> Self {
        Self { settling: time, ..self }
    }

    /// The platform has arrived when it stays within this distance of its reference \[m\]. Default 0.1 mm.
    #[must_use]
    pub fn within_band(self, band: f64) -> Self {
        Self { band, ..self }
    }

    /// Time between two observations \[s\]. Default: the period of the controller.
    #[must_use]
    pub fn observed_every(self, interval: f64) -> Self {
        Self { interval: Some(interval), ..self }
    }

    /// The form of the equations of motion. Default: minimal.
    #[must_use]
    pub fn formulated_as(self, formulation: FormulationKind) -> Self {
        Self { formulation, ..self }
    }

    /// The integrator. Default: Runge–Kutta of fourth order with steps of half a millisecond.
    #[must_use]
    pub fn integrated_by(self, integrator: Integrator) -> Self {
        Self { integrator, ..self }
    }

    /// Ends a run when this becomes true: it is looked at after every step. Default: never.
    #[must_use]
    pub fn cancelled_by(self, flag: &'r AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Where the platform should be.
    pub fn motion(&self) -> &dyn ReferenceMotion {
        &*self.motion
    }

    /// The robot that the controller takes for its own at the start.
    pub(crate) fn known_at_start(&self) -> &AnyRobot {
        self.known_loaded.as_ref().map_or(&self.known, |loaded| loaded.at(0.0))
    }

    /// How long a run is \[s\]: the motion, the time to come to rest, and what makes whole samples.
    pub fn duration(&self) -> f64 {
        let whole = ((self.motion.duration() + self.settling) / self.period * (1.0 - 1e-12)).ceil();
        whole * self.period
    }

    /// One regulator.
    pub fn run(&self, kind: ControllerKind) -> Result<Outcome, ExperimentError> {
        self.run_each(kind, |_| ControlFlow::Continue(()))
    }

    /// One regulator after the other.
    pub fn run_all(&self, kinds: &[ControllerKind]) -> Result<Vec<Outcome>, ExperimentError> {
        kinds.iter().map(|kind| self.run(*kind)).collect()
    }

    /// One regulator, showing every observation; a break ends it.
    pub fn run_each(
        &self,
        kind: ControllerKind,
        mut each: impl FnMut(&Observation<'_>) -> ControlFlow<()>,
    ) -> Result<Outcome, ExperimentError> {
        let gains = self.resolved_gains(kind)?;
        let mut controller = self.controller_with(kind, gains.clone())?;
        // A second one tells the references while the first one is at work.
        let guide = self.controller_with(kind, gains.clone())?;
        let late = self.tuning.shift_samples(kind, self.period)? as f64 * self.period;
        let joints = self.robot.joints();
        let mut judge = Judge::new(self.robot, self.motion.target(), late, self.band);
        let (mut reference, mut error) = (vec![0.0; joints.len()], vec![0.0; joints.len()]);
        let simulation = Simulation::controlled(self.robot, &mut controller)
            .on_plant(self.plant.clone())
            .starting_at(self.motion.platform(0.0))
            .lasting(self.duration())
            .sampled_every(self.interval.unwrap_or(self.period))
            .formulated_as(self.formulation)
            .integrated_by(self.integrator);
        let simulation = match self.cancelled {
            Some(flag) => simulation.cancelled_by(flag),
            None => simulation,
        };
        let summary = simulation.run_each(|sample| {
            let seen_at = sample.time - late;
            guide.reference(seen_at, &mut reference);
            for ((slot, wanted), q) in error.iter_mut().zip(&reference).zip(sample.q) {
                *slot = wanted - q;
            }
            let platform = self.motion.platform(seen_at);
            let (position_error, orientation_error) = apart(&platform, &sample.platform);
            let seen = Observation {
                sample: *sample,
                reference: &reference,
                error: &error,
                platform,
                position_error,
                orientation_error,
            };
            judge.see(&seen);
            each(&seen)
        })?;
        drop(simulation);
        Ok(judge.outcome(kind, gains, (controller.fault(), controller.payload()), summary))
    }

    /// The controller of a regulator, ready for a [`Simulation`].
    pub fn controller(&self, kind: ControllerKind) -> Result<Controller<'_>, ExperimentError> {
        self.controller_with(kind, self.resolved_gains(kind)?)
    }

    fn controller_with(
        &self,
        kind: ControllerKind,
        gains: ResolvedGains,
    ) -> Result<Controller<'_>, ExperimentError> {
        let (_, frame) = self.known.control_model()?;
        let adapts = kind == ControllerKind::Adaptive;
        let loads = self.known_loaded.as_ref().filter(|_| !adapts);
        let (robots, adaptation) = match loads {
            Some(loads) => (loads.robots().collect(), None),
            None if adapts => {
                let (bare, adaptation) = self.adaptation(&gains)?;
                (vec![bare], Some(adaptation))
            }
            None => (vec![&self.known], None),
        };
        let models = robots.into_iter().map(|robot| Ok(robot.control_model()?.0));
        Controller::new(&Parts {
            models: models.collect::<Result<_, ExperimentError>>()?,
            loads,
            adaptation,
            drive_lag: self.known_lag(),
            frame,
            joints: self.robot.joints(),
            length: self.robot.length(),
            motion: &*self.motion,
            period: self.period,
            tuning: &self.tuning,
            kind,
            shift: self.tuning.shift_samples(kind, self.period)?,
            brake: self.braking_gains(&gains),
            gains,
            reading: self.plant.reading_errors(self.robot.joints().len()),
            braking: self.braking_time(),
        })
    }

    /// The errors at which the supervisor stops the motors \[rad or m\].
    fn largest_errors(&self) -> Vec<f64> {
        let length = self.robot.length();
        self.robot.joints().iter().map(|joint| largest_error(joint, length)).collect()
    }

    /// How long an even deceleration takes that is as hard as the hardest of the motion: largest speed over largest
    /// acceleration, of the turn or of the way, whichever is longer; ten samples at least \[s\].
    fn braking_time(&self) -> f64 {
        let mut most = [[0.0_f64; 2]; 2];
        for k in 0..=PLACES {
            let now = self.motion.at(self.motion.duration() * f64::from(k) / f64::from(PLACES));
            let sizes = [now.twist, now.acceleration].map(|twist| [twist.linear, twist.angular]);
            for (most, sizes) in most.iter_mut().zip(sizes) {
                for (most, size) in most.iter_mut().zip(sizes) {
                    *most = most.max(size.norm_sq().sqrt());
                }
            }
        }
        let [speeds, accelerations] = most;
        let times = speeds.iter().zip(accelerations).map(|(speed, acceleration)| speed / acceleration);
        times.filter(|time| time.is_finite()).fold(10.0 * self.period, f64::max)
    }

    /// Checks everything, and gives the numbers of a regulator.
    pub fn resolved_gains(&self, kind: ControllerKind) -> Result<ResolvedGains, ExperimentError> {
        let positive = |what, value: f64| {
            let good = value.is_finite() && value > 0.0;
            if good { Ok(()) } else { Err(ExperimentError::Number { what, value }) }
        };
        positive("period of the controller", self.period)?;
        positive("time to come to rest", self.settling)?;
        positive("band of arrival", self.band)?;
        positive("duration of the motion", self.motion.duration())?;
        self.tuning.check()?;
        let (motors, known) = (self.robot.joints().len(), self.known.joints().len());
        if motors != known {
            return Err(ExperimentError::OtherRobot { motors, known });
        }
        self.check_path()?;
        self.check_speeds()?;
        let start = self.motion.platform(0.0);
        // Gains are those of the robot's file, whatever else the controller believes.
        let nominal = match self.known.as_delta() {
            Some(delta) => self.robot.with_forearms_of(delta),
            None => self.robot.clone(),
        };
        let gains =
            self.inertia(&nominal, &self.motion.middle()).or_else(|_| self.inertia(&nominal, &start))?;
        let known_inertia = self.inertia(&self.known, &start)?;
        let mut gains = self.tuning.resolved_gains(gains, known_inertia, &self.largest_errors())?;
        if self.tuning.is_balanced {
            let rest = |robot: &AnyRobot| -> Result<Vec<f64>, ExperimentError> {
                Ok(robot.state(&start)?.dynamics.map(|dynamics| dynamics.gravity).unwrap_or_default())
            };
            let needed = rest(&self.plant.robot_at_start(self.robot)?)?;
            let given =
                if kind.carries_the_weight() { rest(self.known_at_start())? } else { vec![0.0; motors] };
            let (_, frame) = self.known.control_model()?;
            for ((slot, needed), given) in gains.bias.iter_mut().zip(needed).zip(given) {
                *slot = (needed - given) * frame.angle_sign;
            }
        }
        Ok(gains)
    }

    /// Ī of each motor \[kg m² or kg\] at rest at a place.
    fn inertia(&self, robot: &AnyRobot, place: &PlatformState) -> Result<Vec<f64>, ExperimentError> {
        let place = PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], ..*place };
        let mass = robot.state(&place)?.dynamics.map(|dynamics| dynamics.mass_matrix).unwrap_or_default();
        Ok(mean_diagonal(&mass, self.robot.joints()))
    }

    /// The whole path before anything moves.
    fn check_path(&self) -> Result<(), ExperimentError> {
        let mut led = [self.robot, &self.known].map(|robot| robot.is_followed().then(|| robot.clone()));
        for k in 0..=PLACES {
            let time = self.motion.duration() * f64::from(k) / f64::from(PLACES);
            let place = self.motion.platform(time);
            let place = PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], ..place };
            for (robot, led) in [self.robot, &self.known].into_iter().zip(&mut led) {
                let refused = |cause| {
                    let cause = Box::new(cause);
                    ExperimentError::Unreachable { time, position: place.position, cause }
                };
                let found = robot.inverse_kinematics(&place).map_err(refused)?;
                if let Some(led) = led {
                    *led = led.led_along(robot, &place).map_err(refused)?;
                }
                if let Some(&motor) = found.outside_limits.first() {
                    let value = found.q.get(motor).copied().unwrap_or(f64::NAN);
                    let joint = robot.joints().get(motor);
                    let low = joint.and_then(|joint| joint.min).unwrap_or(f64::NEG_INFINITY);
                    let high = joint.and_then(|joint| joint.max).unwrap_or(f64::INFINITY);
                    let unit = if joint.is_some_and(|joint| joint.slides) { "m" } else { "rad" };
                    let limits = [low, high];
                    return Err(ExperimentError::OutsideLimits { time, motor, value, limits, unit });
                }
            }
        }
        Ok(())
    }

    /// Refuses a motion beyond the speeds that the robot's file allows and its motors are driven at, where it is furthest
    /// beyond.
    fn check_speeds(&self) -> Result<(), ExperimentError> {
        let joints = self.robot.joints();
        let of_plant = self.plant.speed_limits(joints.len());
        let limits: Vec<(f64, bool)> = joints
            .iter()
            .zip(of_plant)
            .map(|(joint, driven)| {
                let allowed = joint.max_speed.unwrap_or(f64::INFINITY);
                if driven < allowed { (driven, true) } else { (allowed, false) }
            })
            .collect();
        if limits.iter().all(|(most, _)| *most == f64::INFINITY) {
            return Ok(());
        }
        // 1e-9: rounding of a motion that was made to fit.
        let (mut worst, mut refused) = (1.0 + 1e-9, None);
        for k in 0..=PLACES {
            let time = self.motion.duration() * f64::from(k) / f64::from(PLACES);
            let motion = self.robot.joints_from_platform(&self.motion.platform(time))?;
            for (motor, ((joint, speed), (most, of_plant))) in
                joints.iter().zip(motion.qd).zip(limits.iter().copied()).enumerate()
            {
                if speed.abs() <= most * worst {
                    continue;
                }
                worst = speed.abs() / most;
                let unit = if joint.slides { "m/s" } else { "rad/s" };
                let fits_in = self.motion.cycle_duration() * worst;
                refused =
                    Some(ExperimentError::TooFast { time, motor, speed, most, unit, of_plant, fits_in });
            }
        }
        refused.map_or(Ok(()), Err)
    }
}

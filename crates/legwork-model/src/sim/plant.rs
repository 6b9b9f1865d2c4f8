//! What the simulated machine has that the ideal one has not.

use super::{BaseCourse, EffortTable, PerMotor, SimulationError};
use crate::description::ModelError;
use crate::random::DEFAULT_SEED;
use crate::{AnyRobot, Joint};
use legwork_core::drive::{Coulomb, CurrentLoop, Friction, JointParts, SoftStop, SpeedLimit};

/// How late a controller sees the joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Delay {
    /// So many of its samples.
    Samples(u32),
    /// So long \[s\]; need not be a whole number of samples.
    Time(f64),
}

impl Delay {
    /// Whole samples of a period \[s\], and a part of one.
    pub(super) fn in_samples(self, period: f64) -> (usize, f64) {
        let (whole, part): (usize, f64) = match self {
            Self::Samples(n) => (n as usize, 0.0),
            Self::Time(time) => {
                let periods = time / period;
                let nearest = periods.round();
                // A number of periods that is whole up to rounding is whole.
                let whole = if (periods - nearest).abs() < 1e-9 { nearest } else { periods.floor() };
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked by the plant
                (whole as usize, (periods - whole).max(0.0))
            }
        };
        (whole, if part < 1e-9 { 0.0 } else { part })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Sensor {
    pub resolution: PerMotor,
    pub noise: PerMotor,
    pub delay: Delay,
    pub has_speeds: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Stops {
    stiffness: PerMotor,
    damping: PerMotor,
    /// Instead of the limits of the robot's file.
    ranges: Option<Vec<(f64, f64)>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Push {
    pub from: f64,
    pub until: f64,
    pub wrench: [f64; 6],
}

/// A machine that is not ideal: motors with lag and limits, friction, stops, encoders, a payload
/// that comes and goes, pushes from outside, and masses that are not those of the file.
///
/// Everything counts at the joints, behind the gear, in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct Plant {
    lag: PerMotor,
    effort_limit: PerMotor,
    rate_limit: PerMotor,
    speed_limit: PerMotor,
    takes_limits: bool,
    start_effort: Option<Vec<f64>>,
    viscous: PerMotor,
    coulomb: PerMotor,
    stops: Option<Stops>,
    pub(super) sensor: Sensor,
    pub(super) payloads: Vec<(f64, f64)>,
    pub(super) pushes: Vec<Push>,
    pub(super) wrench: Option<EffortTable>,
    pub(super) base: Option<BaseCourse>,
    pub(super) error: ModelError,
    pub(super) seed: u64,
}

impl Default for Plant {
    fn default() -> Self {
        Self::ideal()
    }
}

impl Plant {
    /// The robot as its file says, with motors that do what they are told.
    pub fn ideal() -> Self {
        Self {
            lag: PerMotor::All(0.0),
            effort_limit: PerMotor::All(f64::INFINITY),
            rate_limit: PerMotor::All(f64::INFINITY),
            speed_limit: PerMotor::All(f64::INFINITY),
            takes_limits: false,
            start_effort: None,
            viscous: PerMotor::All(0.0),
            coulomb: PerMotor::All(0.0),
            stops: None,
            sensor: Sensor {
                resolution: PerMotor::All(0.0),
                noise: PerMotor::All(0.0),
                delay: Delay::Samples(0),
                has_speeds: false,
            },
            payloads: Vec::new(),
            pushes: Vec::new(),
            wrench: None,
            base: None,
            error: ModelError::default(),
            seed: DEFAULT_SEED,
        }
    }

    /// Current lag of the motors, first order \[s\]. Default 0. A command that is an arbitrary
    /// function of time goes through it as straight lines of a 32nd of the lag; everything else is exact.
    #[must_use]
    pub fn with_lag(self, lag: impl Into<PerMotor>) -> Self {
        Self { lag: lag.into(), ..self }
    }

    /// Largest torque or force \[N m or N\], cut before the lag. Default: none.
    #[must_use]
    pub fn with_effort_limit(self, limit: impl Into<PerMotor>) -> Self {
        Self { effort_limit: limit.into(), ..self }
    }

    /// Fastest change of the torque or force \[N m/s or N/s\], cut before the lag. Default: none.
    #[must_use]
    pub fn with_rate_limit(self, limit: impl Into<PerMotor>) -> Self {
        Self { rate_limit: limit.into(), ..self }
    }

    /// Speed beyond which a motor does not drive \[rad/s or m/s\]; its last 5 % fade. Default: none.
    #[must_use]
    pub fn with_speed_limit(self, limit: impl Into<PerMotor>) -> Self {
        Self { speed_limit: limit.into(), ..self }
    }

    /// Torque and speed limits of the robot's file for the motors that are given no others.
    #[must_use]
    pub fn with_limits_of_the_robot(self) -> Self {
        Self { takes_limits: true, ..self }
    }

    /// Efforts of the motors at the start \[N m or N\]. Default: settled at the first command.
    #[must_use]
    pub fn starting_with_effort(self, effort: Vec<f64>) -> Self {
        Self { start_effort: Some(effort), ..self }
    }

    /// Friction besides that of the file: viscous \[N m s/rad or N s/m\] and Coulomb \[N m or N\]. Default 0.
    #[must_use]
    pub fn with_friction(self, viscous: impl Into<PerMotor>, coulomb: impl Into<PerMotor>) -> Self {
        Self { viscous: viscous.into(), coulomb: coulomb.into(), ..self }
    }

    /// Soft stops at the limits of the robot's file: stiffness \[N m/rad or N/m\] and damping
    /// \[s/rad or s/m\], see [`SoftStop`]. Default: nothing stops a joint.
    #[must_use]
    pub fn with_stops(self, stiffness: impl Into<PerMotor>, damping: impl Into<PerMotor>) -> Self {
        let ranges = self.stops.and_then(|stops| stops.ranges);
        let stops = Stops { stiffness: stiffness.into(), damping: damping.into(), ranges };
        Self { stops: Some(stops), ..self }
    }

    /// Soft stops at these ends of each joint \[rad or m\], as the robot's file counts them.
    #[must_use]
    pub fn with_stops_at(
        self,
        ranges: Vec<(f64, f64)>,
        stiffness: impl Into<PerMotor>,
        damping: impl Into<PerMotor>,
    ) -> Self {
        let stops = Stops { stiffness: stiffness.into(), damping: damping.into(), ranges: Some(ranges) };
        Self { stops: Some(stops), ..self }
    }

    /// One step of the encoders \[rad or m\], see [`Encoder`](legwork_core::drive::Encoder). Default 0.
    #[must_use]
    pub fn with_encoder(self, resolution: impl Into<PerMotor>) -> Self {
        Self { sensor: Sensor { resolution: resolution.into(), ..self.sensor }, ..self }
    }

    /// How late the controller sees the joints. Default: at once.
    #[must_use]
    pub fn with_delay(self, delay: Delay) -> Self {
        Self { sensor: Sensor { delay, ..self.sensor }, ..self }
    }

    /// Standard deviation of the noise before the encoder counts \[rad or m\], seeded. Default 0.
    #[must_use]
    pub fn with_noise(self, deviation: impl Into<PerMotor>) -> Self {
        Self { sensor: Sensor { noise: deviation.into(), ..self.sensor }, ..self }
    }

    /// The controller sees speeds too, exact and as late as the positions. Default: it does not.
    #[must_use]
    pub fn with_tachometers(self) -> Self {
        Self { sensor: Sensor { has_speeds: true, ..self.sensor }, ..self }
    }

    /// From this time on \[s\] the platform carries this point mass \[kg\]; 0 puts it down. It is picked
    /// up in motion: pose and velocity do not change.
    #[must_use]
    pub fn carrying(mut self, time: f64, mass: f64) -> Self {
        self.payloads.push((time, mass));
        self
    }

    /// From one time to another \[s\] this force \[N\] and moment \[N m\] about the platform point, in
    /// base axes, act on the platform besides everything else.
    #[must_use]
    pub fn pushed(mut self, from: f64, until: f64, wrench: [f64; 6]) -> Self {
        self.pushes.push(Push { from, until, wrench });
        self
    }

    /// A force and moment over time: a table of six columns.
    #[must_use]
    pub fn with_wrench(self, table: EffortTable) -> Self {
        Self { wrench: Some(table), ..self }
    }

    /// On a base that moves so. Default: it is at rest. Poses, speeds and energies are those that the base sees; the
    /// work of the inertial forces counts as given from outside.
    #[must_use]
    pub fn on_base(self, course: BaseCourse) -> Self {
        Self { base: Some(course), ..self }
    }

    /// By how much masses, lengths and friction of the machine differ from the robot's file.
    #[must_use]
    pub fn with_model_error(self, error: ModelError) -> Self {
        Self { error, ..self }
    }

    /// How far a reading of each of so many motors can be off, either way \[rad or m\]: a step of the encoder and six
    /// standard deviations of its noise, which one reading of 10⁹ exceeds.
    pub fn reading_errors(&self, motors: usize) -> Vec<f64> {
        let noise = self.sensor.noise.of(motors);
        self.sensor.resolution.of(motors).zip(noise).map(|(step, noise)| step + 6.0 * noise).collect()
    }

    /// Seed of the noise. Default 1998.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// Whether motors do not just give what they are told.
    pub fn has_drives(&self) -> bool {
        self.takes_limits
            || self.start_effort.is_some()
            || self.lag != PerMotor::All(0.0)
            || [&self.effort_limit, &self.rate_limit, &self.speed_limit]
                .iter()
                .any(|limit| **limit != PerMotor::All(f64::INFINITY))
    }

    /// Whether encoders do not just give where the joints are.
    pub(super) fn has_encoders(&self) -> bool {
        self.sensor != Self::ideal().sensor
    }

    /// Refuses numbers that make no plant, and events after the end of a run of `duration` \[s\].
    pub(super) fn check(&self, motors: usize, duration: f64) -> Result<(), SimulationError> {
        let not_negative = |x: f64| x.is_finite() && x >= 0.0;
        let positive = |x: f64| x > 0.0;
        self.base.as_ref().map_or(Ok(()), |base| base.check(duration))?;
        self.lag.check("lag", motors, not_negative)?;
        self.effort_limit.check("effort limit", motors, positive)?;
        self.rate_limit.check("rate limit", motors, positive)?;
        self.speed_limit.check("speed limit", motors, positive)?;
        self.viscous.check("viscous friction", motors, not_negative)?;
        self.coulomb.check("Coulomb friction", motors, not_negative)?;
        self.sensor.resolution.check("encoder resolution", motors, not_negative)?;
        self.sensor.noise.check("encoder noise", motors, not_negative)?;
        if let Some(effort) = &self.start_effort {
            PerMotor::Each(effort.clone()).check("start effort", motors, f64::is_finite)?;
        }
        if let Some(stops) = &self.stops {
            stops.stiffness.check("stiffness of the stops", motors, |x| x.is_finite() && x > 0.0)?;
            stops.damping.check("damping of the stops", motors, not_negative)?;
            if let Some(ranges) = &stops.ranges {
                if ranges.len() != motors {
                    let (expected, found) = (motors, ranges.len());
                    return Err(SimulationError::Count { what: "ranges of the stops", expected, found });
                }
                if let Some((motor, (_, max))) = ranges
                    .iter()
                    .enumerate()
                    .find(|(_, (min, max))| min.is_nan() || max.is_nan() || min >= max)
                {
                    return Err(SimulationError::Plant {
                        what: "range of the stops",
                        motor: Some(motor),
                        value: *max,
                    });
                }
            }
        }
        let bad = |what, value| Err(SimulationError::Plant { what, motor: None, value });
        if let Delay::Time(time) = self.sensor.delay
            && !(not_negative(time) && time <= 1e3)
        {
            return bad("delay", time);
        }
        for (row, &(time, _)) in self.payloads.iter().enumerate() {
            let before = if row == 0 { 0.0 } else { self.payloads[row - 1].0 };
            if !time.is_finite() || time < before {
                return Err(SimulationError::TimesNotAscending { row, time });
            }
            if time > duration {
                return Err(SimulationError::AfterTheEnd { what: "change of the payload", time, duration });
            }
        }
        for push in &self.pushes {
            if push.from >= duration {
                let (what, time) = ("push", push.from);
                return Err(SimulationError::AfterTheEnd { what, time, duration });
            }
            if !(push.from.is_finite() && push.from < push.until) {
                return bad("end of a push", push.until);
            }
            if let Some(value) = push.wrench.iter().find(|x| !x.is_finite()) {
                return bad("push", *value);
            }
        }
        match &self.wrench {
            Some(table) if table.motors() != 6 => {
                Err(SimulationError::Count { what: "wrench", expected: 6, found: table.motors() })
            }
            _ => Ok(()),
        }
    }

    /// The robot that is simulated: first as it starts, then after each change of its payload.
    pub(super) fn robots(&self, robot: &AnyRobot) -> Result<Vec<AnyRobot>, SimulationError> {
        let first = if self.error == ModelError::default() {
            robot.clone()
        } else {
            robot.with_model_error(&self.error)?
        };
        let mut all = vec![first];
        for (_, mass) in &self.payloads {
            all.push(all[0].with_payload(*mass)?);
        }
        Ok(all)
    }

    /// The longest lag of so many motors \[s\].
    pub fn longest_lag(&self, motors: usize) -> f64 {
        self.lag.of(motors).fold(0.0, f64::max)
    }

    /// The lag of each of so many motors \[s\].
    pub fn lags(&self, motors: usize) -> Vec<f64> {
        self.lag.of(motors).collect()
    }

    /// Viscous friction of each of so many motors, besides that of the file \[N m s/rad or N s/m\].
    pub fn viscous(&self, motors: usize) -> Vec<f64> {
        self.viscous.of(motors).collect()
    }

    /// Whether a controller sees speeds.
    pub fn has_tachometers(&self) -> bool {
        self.sensor.has_speeds
    }

    /// How late a controller of this period \[s\] sees the joints: whole samples, and a part of one.
    pub fn delay_in_samples(&self, period: f64) -> (usize, f64) {
        self.sensor.delay.in_samples(period)
    }

    /// The robot as it is when a run begins.
    pub fn robot_at_start(&self, robot: &AnyRobot) -> Result<AnyRobot, SimulationError> {
        let mut robots = self.robots(robot)?;
        let picked_up = self.payloads.iter().take_while(|(time, _)| *time <= 0.0).count();
        Ok(robots.swap_remove(picked_up))
    }

    /// Current loops of the motors.
    pub(super) fn loops(&self, joints: &[Joint]) -> Vec<CurrentLoop> {
        let n = joints.len();
        let lists = self.lag.of(n).zip(self.effort_limit.of(n)).zip(self.rate_limit.of(n)).zip(joints);
        lists
            .map(|(((lag, limit), rate), joint)| {
                let own = joint.max_effort.filter(|_| self.takes_limits && limit == f64::INFINITY);
                CurrentLoop { lag, limit: own.unwrap_or(limit), rate }
            })
            .collect()
    }

    /// What the motors give at the start, if that is given.
    pub(super) fn start_effort(&self) -> Option<&[f64]> {
        self.start_effort.as_deref()
    }

    /// The speed beyond which each motor does not drive; infinite where there is none of its own.
    pub fn speed_limits(&self, motors: usize) -> impl Iterator<Item = f64> + '_ {
        self.speed_limit.of(motors)
    }

    /// What depends on the joints.
    pub(super) fn parts(&self, joints: &[Joint]) -> Vec<JointParts> {
        let n = joints.len();
        let lists = self.speed_limit.of(n).zip(self.viscous.of(n)).zip(self.coulomb.of(n)).zip(joints);
        let mut parts: Vec<JointParts> = lists
            .map(|(((speed, viscous), coulomb), joint)| {
                let own = joint.max_speed.filter(|_| self.takes_limits && speed == f64::INFINITY);
                let speed = own.unwrap_or(speed);
                JointParts {
                    speed_limit: (speed < f64::INFINITY).then(|| SpeedLimit::new(speed)),
                    friction: Friction { viscous, coulomb: Coulomb::new(coulomb) },
                    stop: None,
                }
            })
            .collect();
        if let Some(stops) = &self.stops {
            let lists = stops.stiffness.of(n).zip(stops.damping.of(n)).zip(joints).zip(&mut parts);
            for (k, (((stiffness, damping), joint), part)) in lists.enumerate() {
                let of_file = (joint.min.unwrap_or(f64::NEG_INFINITY), joint.max.unwrap_or(f64::INFINITY));
                let (min, max) = stops.ranges.as_ref().map_or(of_file, |ranges| ranges[k]);
                part.stop = Some(SoftStop { min, max, stiffness, damping });
            }
        }
        parts
    }
}

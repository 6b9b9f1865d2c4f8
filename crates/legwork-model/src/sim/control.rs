//! The hook for a controller that works in samples, and what it sees.

use super::plant::Sensor;
use crate::random::Random;
use legwork_core::drive::Encoder;
use std::fmt;

/// A controller that measures the joints once in each period and commands efforts that hold until
/// the next period. Everything as the robot's file counts it, as for [`Efforts`](super::Efforts).
///
/// ```
/// use legwork::AnyRobot;
/// use legwork::sim::{ControlFault, Measured, Plant, SampledController, Simulation};
///
/// /// Pulls each motor back to where it was, every millisecond.
/// struct Spring {
///     at: Vec<f64>,
///     bias: Vec<f64>,
/// }
/// impl SampledController for Spring {
///     fn period(&self) -> f64 {
///         1e-3
///     }
///     fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) -> Result<(), ControlFault> {
///         for (k, u) in command.iter_mut().enumerate() {
///             *u = self.bias[k] + 300.0 * (self.at[k] - seen.q[k]);
///         }
///         Ok(())
///     }
/// }
/// let robot = AnyRobot::open("delta-industrial")?;
/// let state = robot.state(&robot.home())?;
/// let mut spring = Spring { at: state.q, bias: state.dynamics.unwrap().gravity };
/// let run = Simulation::controlled(&robot, &mut spring)
///     .on_plant(Plant::ideal().with_lag(2e-3).with_encoder(1e-5))
///     .lasting(0.1)
///     .run()?;
/// assert!(run.summary.imbalance < 1e-9); // J
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SampledController {
    /// Time between two samples \[s\]; the first one is at 0.
    fn period(&self) -> f64;

    /// Forgets everything: a run begins.
    fn reset(&mut self) {}

    /// Turns what is seen into a command for each motor \[N m or N\]; the list holds the last one.
    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) -> Result<(), ControlFault>;
}

/// What a controller sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured<'a> {
    /// Now \[s\]; the joints may be seen late.
    pub time: f64,
    /// Actuated joints as the encoders give them \[rad or m\].
    pub q: &'a [f64],
    /// Their speeds, if the plant has tachometers \[rad/s or m/s\].
    pub qd: Option<&'a [f64]>,
}

/// Why a controller gave up, or was stopped.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum ControlFault {
    /// A command is NaN or infinite.
    NotFinite {
        /// For which motor, from 0.
        motor: usize,
        /// Its value.
        value: f64,
    },
    /// The controller says that it cannot go on.
    Refused {
        /// Why.
        reason: &'static str,
    },
}

impl fmt::Display for ControlFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFinite { motor, value } => {
                write!(f, "the controller commands {value} at motor {}", motor + 1)
            }
            Self::Refused { reason } => write!(f, "the controller gives up: {reason}"),
        }
    }
}

impl std::error::Error for ControlFault {}

/// Two instants that are the same but for rounding.
pub(super) fn same_instant(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-12 * a.abs().min(b.abs()).max(1e-3)
}

/// A controller on its clock, behind its encoders.
pub(super) struct Loop<'a> {
    controller: &'a mut dyn SampledController,
    period: f64,
    /// The next sample.
    sample: usize,
    sensors: Sensors,
    /// It looks and does not command.
    only_looks: bool,
}

/// Looks and commands nothing: for encoders of a run without a controller.
pub(super) struct Observer {
    pub period: f64,
}

impl SampledController for Observer {
    fn period(&self) -> f64 {
        self.period
    }

    fn sample(&mut self, _seen: &Measured<'_>, _command: &mut [f64]) -> Result<(), ControlFault> {
        Ok(())
    }
}

impl<'a> Loop<'a> {
    /// `q` and `qd` are those at the start.
    pub fn new(
        controller: &'a mut dyn SampledController,
        sensor: &Sensor,
        seed: u64,
        (q, qd): (&[f64], &[f64]),
        only_looks: bool,
    ) -> Self {
        controller.reset();
        let period = controller.period();
        let sensors = Sensors::new(sensor, period, seed, q, qd);
        Self { controller, period, sample: 0, sensors, only_looks }
    }

    /// The next instant at which something happens.
    pub fn next_break(&self) -> f64 {
        (self.sample as f64 * self.period).min(self.sensors.next_reading(self.period))
    }

    /// What the last sample saw.
    pub fn last_seen(&self) -> &[f64] {
        self.sensors.seen_at(self.sample.saturating_sub(1)).0
    }

    /// Reads and commands if it is time; tells whether the command was renewed.
    pub fn happen(
        &mut self,
        now: f64,
        q: &[f64],
        qd: &[f64],
        command: &mut [f64],
    ) -> Result<bool, ControlFault> {
        let is_due = |instant: f64| now >= instant || same_instant(now, instant);
        while is_due(self.sensors.next_reading(self.period)) {
            self.sensors.read(q, qd);
        }
        let mut renewed = false;
        while is_due(self.sample as f64 * self.period) {
            let (q, qd) = self.sensors.seen_at(self.sample);
            self.controller.sample(&Measured { time: now, q, qd }, command)?;
            if !self.only_looks {
                if let Some((motor, value)) = command.iter().enumerate().find(|(_, u)| !u.is_finite()) {
                    return Err(ControlFault::NotFinite { motor, value: *value });
                }
                renewed = true;
            }
            self.sample += 1;
        }
        Ok(renewed)
    }
}

/// Encoders with their delay: reading j is made at (j − part) periods and seen `whole` samples later.
struct Sensors {
    encoders: Vec<Encoder>,
    noise: Vec<f64>,
    random: Random,
    whole: usize,
    part: f64,
    /// The next reading.
    reading: usize,
    /// The last readings, each q and then q̇; reading j at place j modulo their number.
    rows: Vec<f64>,
    /// What was read before the first one.
    first: Vec<f64>,
    has_speeds: bool,
}

impl Sensors {
    fn new(sensor: &Sensor, period: f64, seed: u64, q: &[f64], qd: &[f64]) -> Self {
        let motors = q.len();
        let (whole, part) = sensor.delay.in_samples(period);
        let mut sensors = Self {
            encoders: sensor.resolution.of(motors).map(|resolution| Encoder { resolution }).collect(),
            noise: sensor.noise.of(motors).collect(),
            random: Random::new(seed),
            whole,
            part,
            reading: 0,
            rows: vec![0.0; 2 * motors * (whole + 3)],
            first: vec![0.0; 2 * motors],
            has_speeds: sensor.has_speeds,
        };
        sensors.read(q, qd);
        let row = sensors.rows[..2 * motors].to_vec();
        sensors.first.copy_from_slice(&row);
        // The reading that would have been before the start is the start.
        sensors.reading = usize::from(part > 0.0);
        sensors
    }

    fn next_reading(&self, period: f64) -> f64 {
        (self.reading as f64 - self.part) * period
    }

    fn row(&self, reading: usize) -> std::ops::Range<usize> {
        let length = self.first.len();
        let count = (self.rows.len() / length.max(1)).max(1);
        let place = reading % count * length;
        place..place + length
    }

    fn read(&mut self, q: &[f64], qd: &[f64]) {
        let range = self.row(self.reading);
        let (positions, speeds) = self.rows[range].split_at_mut(q.len());
        for (k, slot) in positions.iter_mut().enumerate() {
            let noise = if self.noise[k] > 0.0 { self.noise[k] * self.random.normal() } else { 0.0 };
            *slot = self.encoders[k].read(q[k] + noise);
        }
        speeds.copy_from_slice(qd);
        self.reading += 1;
    }

    /// What is seen at sample number k.
    fn seen_at(&self, sample: usize) -> (&[f64], Option<&[f64]>) {
        let row = match sample.checked_sub(self.whole) {
            Some(reading) if reading < self.reading => &self.rows[self.row(reading)],
            _ => &self.first,
        };
        let (q, qd) = row.split_at(row.len() / 2);
        (q, self.has_speeds.then_some(qd))
    }
}

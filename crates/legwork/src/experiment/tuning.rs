//! Which regulator, and its numbers.

use super::ExperimentError;
use crate::Joint;
use legwork_core::control::{AntiWindup, FeedForward, Law, Limits, ObserverSettings, Settings, Weight};
use std::f64::consts::TAU;

/// A regulator, see [`legwork_core::control`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub enum ControllerKind {
    /// 1 of \[Codourey1998, Sec. 5\]: PD at the motors.
    Pd,
    /// PD with an integral, kept from winding up.
    Pid,
    /// 2: PD and a constant inertia times the wanted acceleration of each motor.
    ConstantInertia,
    /// 3: PD and the model's efforts for the reference.
    Model,
    /// 4: the same with the feedback behind the feed-forward by the shift T_m.
    ModelShifted,
    /// PD, or PID with [`Tuning::integral`], and what holds the measured pose \[Bortoff2018, Fig. 4\].
    Gravity,
    /// Computed torque at the motors.
    ComputedTorque,
    /// Feedback linearisation in platform space \[Bortoff2018, Sec. IV\].
    Platform,
    /// State feedback with the gains of [`Tuning::lqr`], and the model's efforts for the reference.
    Lqr,
    /// The same with the gains of [`Tuning::placed`].
    Place,
    /// PD and the model's efforts for the reference, with a payload that is estimated from the efforts that were given:
    /// [`PayloadSettings`](legwork_core::control::PayloadSettings). It is told of no load.
    Adaptive,
    /// PD and the model's efforts for the reference, and what a disturbance observer finds beside them:
    /// [`ObserverSettings`].
    Observer,
}

impl ControllerKind {
    /// The regulators of \[Codourey1998, Fig. 7\].
    pub const FOUR: [Self; 4] = [Self::Pd, Self::ConstantInertia, Self::Model, Self::ModelShifted];

    /// Every one that needs no gains from outside: not [`ControllerKind::Lqr`] and [`ControllerKind::Place`].
    pub const ALL: [Self; 10] = [
        Self::Pd,
        Self::Pid,
        Self::ConstantInertia,
        Self::Model,
        Self::ModelShifted,
        Self::Gravity,
        Self::ComputedTorque,
        Self::Platform,
        Self::Adaptive,
        Self::Observer,
    ];

    /// Its word in requests and files: `constant-inertia`.
    pub fn name(self) -> &'static str {
        crate::task::Choice::word(self)
    }

    /// Whether it takes the gains of [`Tuning::integral`]: PID, and the ones that are PD with something beside it.
    pub fn takes_integral(self) -> bool {
        use ControllerKind::{ConstantInertia, Gravity, Model, ModelShifted, Pid};
        matches!(self, Pid | ConstantInertia | Model | ModelShifted | Gravity)
    }

    /// Whether it takes [`Tuning::proportional`] and [`Tuning::derivative`] as they are: PD, and PD with something beside it.
    pub fn takes_gains(self) -> bool {
        self == Self::Pd || self.takes_integral() || self.learns()
    }

    /// Whether it finds out what the model does not know.
    pub(super) fn learns(self) -> bool {
        matches!(self, Self::Adaptive | Self::Observer)
    }

    /// Whether it gives the weight of the robot without being told.
    pub(super) fn carries_the_weight(self) -> bool {
        !matches!(self, Self::Pd | Self::Pid | Self::ConstantInertia)
    }
}

/// Gains, and what belongs to them. Computed torque and the law in platform space take frequency
/// and damping only; the others take gains where they are given.
#[derive(Clone, Debug, PartialEq)]
pub struct Tuning {
    /// ω \[rad/s\]: K_p = Ī ω², with Ī the mean diagonal of the mass matrix half-way between the ends of
    /// the path, of the robot as its file says. Default 2π·20.
    pub frequency: f64,
    /// ζ \[1\]: K_d = 2ζωĪ. Default 0.7.
    pub damping: f64,
    /// T_i \[s\]: K_i = K_p/T_i. Default: 10/ω, and [`ControllerKind::Pid`] integrates only where the reference has stood
    /// until the loop is at rest, so that it is nowhere worse than PD in motion; with a time or a gain that is given it
    /// integrates always.
    pub integral_time: Option<f64>,
    /// K_p \[N m/rad or N/m\] instead, one for all motors or one for each.
    pub proportional: Option<Vec<f64>>,
    /// K_d \[N m s/rad or N s/m\] instead.
    pub derivative: Option<Vec<f64>>,
    /// K_i \[N m/(rad s) or N/(m s)\] instead; given, the regulators of [`ControllerKind::takes_integral`] have it too.
    pub integral: Option<Vec<f64>>,
    /// Gains of [`ControllerKind::Lqr`], one row for each motor: effort per joint error of each motor, then per rate of each.
    /// From [`regulator::lqr`](crate::analysis::linear::regulator::lqr).
    pub lqr: Option<Vec<Vec<f64>>>,
    /// Gains of [`ControllerKind::Place`], from [`regulator::place`](crate::analysis::linear::regulator::place).
    pub placed: Option<Vec<Vec<f64>>>,
    /// T_m \[s\] of [`ControllerKind::ModelShifted`], a whole number of samples. Default 2 ms; the best one is found by
    /// [`best_shift`](crate::analysis::tuning::best_shift).
    pub shift: f64,
    /// Mass matrix in series with the feedback, A(q)/Ī. Default: no.
    pub is_decoupled: bool,
    /// Derivatives of the reference by differences over three samples, as the papers do, instead of exact ones.
    /// Default: yes.
    pub takes_differences: bool,
    /// A constant effort makes the start an equilibrium: the whole weight, or what the model leaves over.
    /// Default: yes.
    pub is_balanced: bool,
    /// L of [`ControllerKind::Observer`] \[rad/s\]. Default: a third of the frequency of the gains.
    pub observer_bandwidth: Option<f64>,
    /// D of [`ControllerKind::Observer`] \[N m or N\], one for all motors or one for each. Default: what K_p gives for a tenth of
    /// the error at which the supervisor stops the robot.
    pub disturbance_limit: Option<Vec<f64>>,
    /// m_max of [`ControllerKind::Adaptive`] \[kg\]. Default: the payload that doubles what the motors move at the start.
    pub payload_limit: Option<f64>,
    /// T_f of [`ControllerKind::Adaptive`] \[s\]. Default 20 ms.
    pub payload_memory: f64,
    /// Largest command \[N m or N\], one for all motors or one for each. Default: none.
    pub effort_limit: Option<Vec<f64>>,
}

/// A reference that is slower than this stands, for the integral of PID \[rad/s or m/s\].
const STANDS: f64 = 1e-6;
/// So many time constants after its reference the loop has come to rest: e⁻⁶ is a quarter of a per cent.
const REST_CONSTANTS: f64 = 6.0;
/// L of an observer in frequencies of the gains.
const OBSERVER_SHARE: f64 = 1.0 / 3.0;
/// A disturbance is bounded by what K_p gives for this share of the error at which the supervisor stops the robot.
const DISTURBANCE_SHARE: f64 = 0.1;

impl Default for Tuning {
    fn default() -> Self {
        Self {
            frequency: TAU * 20.0,
            damping: 0.7,
            integral_time: None,
            proportional: None,
            derivative: None,
            integral: None,
            lqr: None,
            placed: None,
            shift: 2e-3,
            is_decoupled: false,
            takes_differences: true,
            is_balanced: true,
            observer_bandwidth: None,
            disturbance_limit: None,
            payload_limit: None,
            payload_memory: 0.02,
            effort_limit: None,
        }
    }
}

/// The numbers of a regulator, one for each motor, in our own signs.
#[derive(Clone, Debug, PartialEq)]
pub struct ResolvedGains {
    /// K_p \[N m/rad or N/m\]
    pub proportional: Vec<f64>,
    /// K_i, for the kind that has one.
    pub integral: Vec<f64>,
    /// K_d \[N m s/rad or N s/m\]
    pub derivative: Vec<f64>,
    /// Ī \[kg m² or kg\] that the gains were made of; NaN if they were given.
    pub inertia: Vec<f64>,
    /// Ī at the start of the path of the robot that the controller knows: feed-forward and series.
    pub known_inertia: Vec<f64>,
    /// The constant effort \[N m or N\]; of a regulator that learns what it begins with.
    pub bias: Vec<f64>,
    /// D \[N m or N\] of a disturbance observer.
    pub disturbance_limit: Vec<f64>,
}

impl ResolvedGains {
    /// How long PD of these gains takes to come to rest \[s\], at the motor that takes longest: some of its time constants,
    /// 2Ī/K_d where it swings and K_d/K_p where it creeps.
    fn rest_time(&self) -> f64 {
        let each = self.proportional.iter().zip(&self.derivative).zip(&self.inertia);
        let constants = each.map(|((kp, kd), inertia)| (2.0 * inertia / kd).max(kd / kp));
        REST_CONSTANTS
            * constants
                .fold(0.0, |longest: f64, time| if time.is_nan() { longest } else { longest.max(time) })
    }
}

/// One number for each motor.
fn spread(what: &'static str, given: &[f64], motors: usize) -> Result<Vec<f64>, ExperimentError> {
    match given {
        [all] => Ok(vec![*all; motors]),
        list if list.len() == motors => Ok(list.to_vec()),
        list => Err(ExperimentError::Count { what, expected: motors, found: list.len() }),
    }
}

/// The numbers of the robot's motors with room for K; the motors beyond them get `rest`.
pub(super) fn padded<const K: usize>(list: &[f64], rest: f64) -> [f64; K] {
    std::array::from_fn(|k| list.get(k).copied().unwrap_or(rest))
}

/// Gains of a state, one row of positions and rates per motor, as two matrices with room for K motors.
#[allow(clippy::type_complexity)]
fn halves<const K: usize>(
    what: &'static str,
    rows: Option<&Vec<Vec<f64>>>,
    motors: usize,
) -> Result<([[f64; K]; K], [[f64; K]; K]), ExperimentError> {
    let rows = rows.ok_or(ExperimentError::NoGains { what })?;
    let count = |expected, found| ExperimentError::Count { what, expected, found };
    if rows.len() != motors {
        return Err(count(motors, rows.len()));
    }
    let (mut position, mut velocity) = ([[0.0; K]; K], [[0.0; K]; K]);
    for ((row, position), velocity) in rows.iter().zip(&mut position).zip(&mut velocity) {
        if row.len() != 2 * motors {
            return Err(count(2 * motors, row.len()));
        }
        let (left, right) = row.split_at(motors);
        *position = padded(left, 0.0);
        *velocity = padded(right, 0.0);
    }
    Ok((position, velocity))
}

/// How many times the inertia of another a motor may move, to be tuned together with it.
const ALIKE: f64 = 10.0;

/// What each motor moves in the mean: over the diagonal of the mass matrix, of the motors that move alike and about as
/// much. One that turns a tool moves far less than those of the legs, and their gains would make it unstable.
pub(super) fn mean_diagonal(mass: &[Vec<f64>], joints: &[Joint]) -> Vec<f64> {
    let diagonal: Vec<(bool, f64)> = joints
        .iter()
        .enumerate()
        .filter_map(|(k, joint)| Some((joint.slides, *mass.get(k)?.get(k)?)))
        .collect();
    let mean = |(slides, own): &(bool, f64)| {
        let is_alike =
            |other: &&(bool, f64)| other.0 == *slides && !(other.1 > ALIKE * own || *own > ALIKE * other.1);
        let (count, sum) =
            diagonal.iter().filter(is_alike).fold((0.0, 0.0), |(n, sum), (_, one)| (n + 1.0, sum + one));
        sum / count
    };
    diagonal.iter().map(mean).collect()
}

impl Tuning {
    /// Whether a regulator has an integral.
    pub fn integrates(&self, kind: ControllerKind) -> bool {
        kind == ControllerKind::Pid || self.integral.is_some() && kind.takes_integral()
    }

    /// Refuses numbers that make no regulator.
    pub(super) fn check(&self) -> Result<(), ExperimentError> {
        let positive = |what, value: f64| {
            let good = value.is_finite() && value > 0.0;
            if good { Ok(()) } else { Err(ExperimentError::Number { what, value }) }
        };
        positive("frequency", self.frequency)?;
        positive("damping", self.damping)?;
        positive("memory of the payload", self.payload_memory)?;
        self.observer_bandwidth
            .map_or(Ok(()), |bandwidth| positive("bandwidth of the observer", bandwidth))?;
        self.payload_limit.map_or(Ok(()), |most| positive("limit of the payload", most))?;
        self.integral_time.map_or(Ok(()), |time| positive("integral time", time))?;
        let is_shift = self.shift.is_finite() && self.shift >= 0.0;
        if is_shift { Ok(()) } else { Err(ExperimentError::Number { what: "shift", value: self.shift }) }
    }

    /// L \[rad/s\]
    pub(super) fn observer_bandwidth(&self) -> f64 {
        self.observer_bandwidth.unwrap_or(OBSERVER_SHARE * self.frequency)
    }

    /// Gains from the mean inertias, and from the errors of the motors at which the supervisor stops them; the bias is left
    /// at zero.
    pub(super) fn resolved_gains(
        &self,
        inertia: Vec<f64>,
        known_inertia: Vec<f64>,
        errors: &[f64],
    ) -> Result<ResolvedGains, ExperimentError> {
        let motors = inertia.len();
        let takes_inertia =
            self.proportional.is_none() || self.derivative.is_none() || self.integral.is_none();
        let bad = |(_, value): &(usize, &f64)| !(value.is_finite() && **value > 0.0);
        if let Some((motor, value)) = inertia.iter().enumerate().find(bad).filter(|_| takes_inertia) {
            return Err(ExperimentError::Inertia { motor, value: *value });
        }
        let made = |what, given: &Option<Vec<f64>>, make: &dyn Fn(f64) -> f64| match given {
            Some(given) => spread(what, given, motors),
            None => Ok(inertia.iter().map(|mean| make(*mean)).collect()),
        };
        let (omega, zeta) = (self.frequency, self.damping);
        let proportional = made("proportional gains", &self.proportional, &|mean| mean * omega * omega)?;
        let derivative = made("derivative gains", &self.derivative, &|mean| 2.0 * zeta * omega * mean)?;
        let time = self.integral_time.unwrap_or(10.0 / omega);
        let integral = match &self.integral {
            Some(given) => spread("integral gains", given, motors)?,
            None => proportional.iter().map(|gain| gain / time).collect(),
        };
        let disturbance_limit = if let Some(given) = &self.disturbance_limit {
            spread("limits of the disturbance", given, motors)?
        } else {
            let each = proportional.iter().zip(errors);
            each.map(|(gain, error)| DISTURBANCE_SHARE * gain * error).collect()
        };
        Ok(ResolvedGains {
            proportional,
            integral,
            derivative,
            inertia,
            known_inertia,
            bias: vec![0.0; motors],
            disturbance_limit,
        })
    }

    /// Samples of T_m, which must be whole: the regulator is given references of samples only.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // not negative; a large one is refused later
    pub(super) fn shift_samples(&self, kind: ControllerKind, period: f64) -> Result<usize, ExperimentError> {
        if kind != ControllerKind::ModelShifted {
            return Ok(0);
        }
        let samples = self.shift / period;
        // 1e-6: rounding of two times that people wrote down.
        if (samples - samples.round()).abs() > 1e-6 * samples.max(1.0) {
            return Err(ExperimentError::Shift { shift: self.shift, period });
        }
        Ok(samples.round() as usize)
    }

    /// The regulator's settings, with room for K motors.
    pub(super) fn settings<const K: usize>(
        &self,
        kind: ControllerKind,
        gains: &ResolvedGains,
        shift: usize,
    ) -> Result<Settings<f64, K>, ExperimentError> {
        let motors = gains.proportional.len();
        let gain = |list: &[f64]| padded::<K>(list, 0.0);
        let (kp, kd) = (gain(&gains.proportional), gain(&gains.derivative));
        // Something to divide by.
        let known = padded(&gains.known_inertia, 1.0);
        let ki = if self.integral.is_some() { gain(&gains.integral) } else { [0.0; K] };
        let with_integral = Settings::pid(kp, ki, kd, AntiWindup::Clamping);
        let mut settings = match kind {
            ControllerKind::Pd => Settings::pd(kp, kd),
            ControllerKind::Pid => {
                let settings = Settings::pid(kp, gain(&gains.integral), kd, AntiWindup::Clamping);
                let is_given = self.integral.is_some() || self.integral_time.is_some();
                if is_given { settings } else { settings.with_integral_at_rest(STANDS, gains.rest_time()) }
            }
            ControllerKind::ConstantInertia => {
                with_integral.with_feed_forward(FeedForward::ConstantInertia(known))
            }
            ControllerKind::Model | ControllerKind::ModelShifted => with_integral.with_model(),
            ControllerKind::Adaptive => Settings::pd(kp, kd).with_model(),
            ControllerKind::Observer => Settings::pd(kp, kd).with_model().with_observer(ObserverSettings {
                bandwidth: self.observer_bandwidth(),
                most: padded(&gains.disturbance_limit, 1.0),
                start: gain(&gains.bias),
            }),
            ControllerKind::Gravity => with_integral.with_gravity(),
            ControllerKind::ComputedTorque => Settings::computed_torque(self.frequency, self.damping),
            ControllerKind::Platform => Settings::platform(self.frequency, self.damping),
            ControllerKind::Lqr | ControllerKind::Place => {
                let (what, rows) = match kind {
                    ControllerKind::Lqr => ("gains of lqr", &self.lqr),
                    _ => ("gains of place", &self.placed),
                };
                let (position, velocity) = halves(what, rows.as_ref(), motors)?;
                Settings::state_feedback(position, velocity).with_model()
            }
        };
        if self.is_decoupled
            && kind != ControllerKind::ComputedTorque
            && let Law::Joint(law) = &mut settings.law
        {
            // A(q)/Ī with an Ī for each kind of motor: the gains are divided by it instead.
            law.weight = Weight::MassMatrix { mean: 1.0 };
            for list in [&mut law.gains.proportional, &mut law.gains.integral, &mut law.gains.derivative] {
                list.iter_mut().zip(known).for_each(|(gain, mean)| *gain /= mean);
            }
        }
        if self.takes_differences {
            settings = settings.with_differences();
        }
        if let Some(limit) = &self.effort_limit {
            let effort = padded(&spread("effort limits", limit, motors)?, f64::INFINITY);
            settings = settings.with_limits(Limits { effort, ..Limits::none() });
        }
        // The ones that learn begin with what they would have learned at rest.
        let bias = if kind.learns() { [0.0; K] } else { gain(&gains.bias) };
        Ok(settings.with_shift(shift).with_bias(bias))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::AnyRobot;

    /// Motors of the legs are tuned together, one that turns the tool for itself.
    #[test]
    fn motors_that_move_about_as_much_share_their_gains() {
        let robot = AnyRobot::open("delta-four-axis").unwrap();
        let diagonal = [0.4, 0.5, 0.45, 1e-3];
        let mass: Vec<Vec<f64>> =
            (0..4).map(|k| (0..4).map(|j| if j == k { diagonal[k] } else { 0.1 }).collect()).collect();
        let mean = mean_diagonal(&mass, robot.joints());
        // 1e-15: the rounding of a mean.
        let wanted = [0.45, 0.45, 0.45, 1e-3];
        assert!(mean.iter().zip(wanted).all(|(mean, wanted)| (mean - wanted).abs() < 1e-15), "{mean:?}");
        let unknown = vec![vec![f64::NAN; 4]; 4];
        assert!(mean_diagonal(&unknown, robot.joints()).iter().all(|mean| mean.is_nan()));
    }
}

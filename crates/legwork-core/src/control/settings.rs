//! What a regulator is put together from.

use super::Number;
use super::delay::MOST_SHIFT;
use super::limits::Limits;
use super::observer::ObserverSettings;
use crate::Real;
use core::fmt;

/// Everything that can be chosen about a regulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings<T, const K: usize> {
    /// The law.
    pub law: Law<T, K>,
    /// T_m: the feedback sees the reference this many samples late, the feed-forward sees it at once;
    /// at most [`MOST_SHIFT`].
    pub shift: usize,
    /// Where the derivatives of the reference come from.
    pub derivatives: Derivatives,
    /// Added to every command \[N·m or N\]: makes a pose an equilibrium that the model does not.
    pub bias: [T; K],
    /// What the motors can give.
    pub limits: Limits<T, K>,
    /// A disturbance observer beside the law. Default: none.
    pub observer: Option<ObserverSettings<T, K>>,
    /// T_L \[s\]: the lag of the drives that the estimates of disturbance and payload reckon with. Default: 0.
    pub drive_lag: T,
}

/// Feedback at the motors or at the platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Law<T, const K: usize> {
    /// u = feed-forward + W (K_p e + K_i ∫e + K_d ė)
    Joint(JointLaw<T, K>),
    /// u = feed-forward + K_q e + K_v ė with full matrices.
    State(StateLaw<T, K>),
    /// u = inverse dynamics at the commanded acceleration of the platform.
    Platform(PlatformLaw<T>),
}

/// State feedback: an error of one motor is answered by all. Such gains come from LQR or from pole placement; they
/// may have either sign.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateLaw<T, const K: usize> {
    /// K_q \[N·m/rad or N/m\], one row for each motor that acts.
    pub position: [[T; K]; K],
    /// K_v \[N·m·s/rad or N·s/m\]
    pub velocity: [[T; K]; K],
    /// What is given without waiting for an error.
    pub feed_forward: FeedForward<T, K>,
}

/// The parts of a law at the motors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointLaw<T, const K: usize> {
    /// K_p, K_i, K_d
    pub gains: Gains<T, K>,
    /// W
    pub weight: Weight<T>,
    /// What is given without waiting for an error.
    pub feed_forward: FeedForward<T, K>,
}

/// Gains for each motor. Units follow from W: effort per error if W has none, 1/s² and so on if it is a mass matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gains<T, const K: usize> {
    /// K_p \[N·m/rad or N/m\]
    pub proportional: [T; K],
    /// K_i \[N·m/(rad·s)\]
    pub integral: [T; K],
    /// K_d \[N·m·s/rad\]
    pub derivative: [T; K],
    /// What the integral does at a limit.
    pub anti_windup: AntiWindup<T>,
    /// When the integral works.
    pub integration: Integration<T>,
}

/// When the integral of an error works.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Integration<T> {
    /// At every sample.
    Always,
    /// Where the reference stands, and not before the feedback has come to rest there. In motion it keeps its value:
    /// what it would gather is the error of inertia, which is over when the motion is, and it would make the error
    /// larger wherever K_i < 2 K_d ω² for a motion of the frequency ω.
    AtRest {
        /// A reference of which no motor is faster than this stands \[rad/s or m/s\].
        speed: T,
        /// How long it must have stood \[s\].
        after: T,
    },
}

/// What keeps the integral from running away while a motor is at its limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AntiWindup<T> {
    /// The integral stands while it would push further beyond the limit.
    Clamping,
    /// İ = K_i e + W⁻¹ (u_given − u_wanted) / T_t: the integral is led back with this time constant.
    BackCalculation {
        /// T_t \[s\]
        time: T,
    },
}

/// W, between the gains and the motors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight<T> {
    /// 1
    Unit,
    /// A(q)/Ī: the axes decoupled \[Codourey1998, Sec. 5\]. With Ī = 1 the gains are accelerations.
    MassMatrix {
        /// Ī \[kg·m² or kg\], the mean diagonal of A: keeps the units of the gains.
        mean: T,
    },
}

/// What is given without waiting for an error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FeedForward<T, const K: usize> {
    /// Nothing.
    None,
    /// Ī q̈_d \[Codourey1998, Sec. 5\]
    ConstantInertia([T; K]),
    /// The model's efforts for the reference \[Codourey1998, Sec. 5, Eq. 58\].
    Model,
    /// The model's efforts that hold the measured pose, u_g = NᵀG \[Bortoff2018, Fig. 4\].
    Gravity,
    /// The model's efforts that hold the reference pose at rest: the holding efforts Γ₀ of a linear model.
    GravityAtReference,
    /// The model's efforts for q̈_d at the measured state, A(q) q̈_d + V(q, q̇) + G(q): computed torque.
    Linearising,
}

/// ẍ_c = ẍ_d + k₂ (ẋ_d − ẋ) + k₁ (x_d − x) for the position, and the same with the rotation vector
/// of R_d Rᵀ for the orientation \[Bortoff2018, Sec. IV; KhalilIbrahim2007\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformLaw<T> {
    /// (k₁, k₂) of the position \[1/s², 1/s\].
    pub position: (T, T),
    /// (k₁, k₂) of the orientation \[1/s², 1/s\].
    pub orientation: (T, T),
}

/// Where the derivatives of the reference come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Derivatives {
    /// From the reference itself.
    Exact,
    /// By [`Differences`](super::Differences) over three samples. The regulator is then given the reference of the
    /// **next** sample and works with the one before.
    Differences,
}

impl<T: Real, const K: usize> Settings<T, K> {
    fn of(law: Law<T, K>) -> Self {
        Self {
            law,
            shift: 0,
            derivatives: Derivatives::Exact,
            bias: [T::zero(); K],
            limits: Limits::none(),
            observer: None,
            drive_lag: T::zero(),
        }
    }

    /// PD at the motors: K_p \[N·m/rad\], K_d \[N·m·s/rad\].
    pub fn pd(proportional: [T; K], derivative: [T; K]) -> Self {
        Self::pid(proportional, [T::zero(); K], derivative, AntiWindup::Clamping)
    }

    /// PID at the motors.
    pub fn pid(
        proportional: [T; K],
        integral: [T; K],
        derivative: [T; K],
        anti_windup: AntiWindup<T>,
    ) -> Self {
        let integration = Integration::Always;
        let gains = Gains { proportional, integral, derivative, anti_windup, integration };
        Self::of(Law::Joint(JointLaw { gains, weight: Weight::Unit, feed_forward: FeedForward::None }))
    }

    /// Computed torque at the motors: ë + 2ζω ė + ω² e = 0 for an exact model. ω \[rad/s\], ζ \[1\].
    pub fn computed_torque(frequency: T, damping: T) -> Self {
        let (k1, k2) = second_order(frequency, damping);
        Self::pd([k1; K], [k2; K]).with_mass_matrix(T::one()).with_feed_forward(FeedForward::Linearising)
    }

    /// Feedback linearisation in platform space, for any robot: ë + 2ζω ė + ω² e = 0 for the platform.
    pub fn platform(frequency: T, damping: T) -> Self {
        let gains = second_order(frequency, damping);
        Self::of(Law::Platform(PlatformLaw { position: gains, orientation: gains }))
    }

    /// State feedback with full matrices, K_q \[N·m/rad\] and K_v \[N·m·s/rad\], on top of the efforts that hold the
    /// reference pose.
    pub fn state_feedback(position: [[T; K]; K], velocity: [[T; K]; K]) -> Self {
        let feed_forward = FeedForward::GravityAtReference;
        Self::of(Law::State(StateLaw { position, velocity, feed_forward }))
    }

    fn with_joint_law(self, change: impl FnOnce(JointLaw<T, K>) -> JointLaw<T, K>) -> Self {
        match self.law {
            Law::Joint(law) => Self { law: Law::Joint(change(law)), ..self },
            Law::State(_) | Law::Platform(_) => self,
        }
    }

    /// Another feed-forward; a law at the platform stays as it is, because it contains all of the model.
    #[must_use]
    pub fn with_feed_forward(self, feed_forward: FeedForward<T, K>) -> Self {
        match self.law {
            Law::State(law) => Self { law: Law::State(StateLaw { feed_forward, ..law }), ..self },
            _ => self.with_joint_law(|law| JointLaw { feed_forward, ..law }),
        }
    }

    /// With Ī q̈_d.
    #[must_use]
    pub fn with_constant_inertia(self, inertia: T) -> Self {
        self.with_feed_forward(FeedForward::ConstantInertia([inertia; K]))
    }

    /// With the model's efforts for the reference.
    #[must_use]
    pub fn with_model(self) -> Self {
        self.with_feed_forward(FeedForward::Model)
    }

    /// With gravity compensation at the measured pose.
    #[must_use]
    pub fn with_gravity(self) -> Self {
        self.with_feed_forward(FeedForward::Gravity)
    }

    /// With an integral that works where the reference stands, see [`Integration::AtRest`].
    #[must_use]
    pub fn with_integral_at_rest(self, speed: T, after: T) -> Self {
        let integration = Integration::AtRest { speed, after };
        self.with_joint_law(|law| JointLaw { gains: Gains { integration, ..law.gains }, ..law })
    }

    /// With the mass matrix in series with the feedback, A(q)/Ī. State feedback has its own matrices and stays as it is.
    #[must_use]
    pub fn with_mass_matrix(self, mean: T) -> Self {
        self.with_joint_law(|law| JointLaw { weight: Weight::MassMatrix { mean }, ..law })
    }

    /// With the feedback some samples behind the feed-forward, T_m.
    #[must_use]
    pub fn with_shift(self, shift: usize) -> Self {
        Self { shift, ..self }
    }

    /// With derivatives of the reference by differences, see [`Derivatives::Differences`].
    #[must_use]
    pub fn with_differences(self) -> Self {
        Self { derivatives: Derivatives::Differences, ..self }
    }

    /// With a constant effort.
    #[must_use]
    pub fn with_bias(self, bias: [T; K]) -> Self {
        Self { bias, ..self }
    }

    /// With a disturbance observer beside the law, see [`ObserverSettings`].
    #[must_use]
    pub fn with_observer(self, observer: ObserverSettings<T, K>) -> Self {
        Self { observer: Some(observer), ..self }
    }

    /// With estimates that know how late the drives are, T_L \[s\].
    #[must_use]
    pub fn with_drive_lag(self, drive_lag: T) -> Self {
        Self { drive_lag, ..self }
    }

    /// With limits of effort and of its rate.
    #[must_use]
    pub fn with_limits(self, limits: Limits<T, K>) -> Self {
        Self { limits, ..self }
    }
}

/// (ω², 2ζω)
fn second_order<T: Real>(frequency: T, damping: T) -> (T, T) {
    (frequency.squared(), frequency * damping * T::from_f64(2.0))
}

/// A setting that cannot be used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SettingsError {
    /// Which one.
    pub field: &'static str,
    /// Of which motor, from 0, where it has one value for each.
    pub motor: Option<usize>,
    /// What is wrong.
    pub fault: SettingsFault,
}

/// What is wrong with a setting.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum SettingsFault {
    /// NaN or infinite.
    NotFinite {
        /// Its value.
        value: f64,
    },
    /// Below zero, or NaN.
    Negative {
        /// Its value.
        value: f64,
    },
    /// Zero, below zero, or NaN.
    NotPositive {
        /// Its value.
        value: f64,
    },
    /// More than can be done.
    TooLarge {
        /// Its value.
        value: f64,
        /// The most.
        most: f64,
    },
    /// The lower end of a range is not below the upper one.
    EmptyRange {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.field)?;
        if let Some(motor) = self.motor {
            write!(f, " of motor {}", motor + 1)?;
        }
        match self.fault {
            SettingsFault::NotFinite { value } => write!(f, " is {value}; give a finite number"),
            SettingsFault::Negative { value } => write!(f, " is {value}; give zero or more"),
            SettingsFault::NotPositive { value } => write!(f, " is {value}; give more than zero"),
            SettingsFault::TooLarge { value, most } => write!(f, " is {value}; at most {most} is possible"),
            SettingsFault::EmptyRange { low, high } => {
                write!(f, " is from {low} to {high}; the first has to be smaller")
            }
        }
    }
}

impl core::error::Error for SettingsError {}

/// Holds every value of a list against a rule.
pub(super) fn check<T: Number>(
    field: &'static str,
    list: &[T],
    rule: fn(f64) -> Option<SettingsFault>,
) -> Result<(), SettingsError> {
    list.iter().enumerate().try_for_each(|(place, value)| match rule((*value).into()) {
        None => Ok(()),
        Some(fault) => Err(SettingsError { field, motor: (list.len() > 1).then_some(place), fault }),
    })
}

pub(super) fn is_finite(value: f64) -> Option<SettingsFault> {
    (!value.is_finite()).then_some(SettingsFault::NotFinite { value })
}

/// Finite and not below zero.
pub(super) fn not_negative(value: f64) -> Option<SettingsFault> {
    is_finite(value).or((value < 0.0).then_some(SettingsFault::Negative { value }))
}

/// Above zero; infinite is "no limit".
pub(super) fn positive(value: f64) -> Option<SettingsFault> {
    (value.is_nan() || value <= 0.0).then_some(SettingsFault::NotPositive { value })
}

/// Every number finite; names the motor of the row.
fn check_rows<T: Number, const K: usize>(
    field: &'static str,
    rows: &[[T; K]; K],
) -> Result<(), SettingsError> {
    rows.iter().enumerate().try_for_each(|(motor, row)| {
        check(field, row, is_finite).map_err(|error| SettingsError { motor: Some(motor), ..error })
    })
}

impl<T: Number, const K: usize> FeedForward<T, K> {
    fn check(&self) -> Result<(), SettingsError> {
        match self {
            Self::ConstantInertia(inertia) => check("feed_forward.inertia", inertia, not_negative),
            _ => Ok(()),
        }
    }

    /// Whether it asks where the platform is measured.
    pub(super) fn needs_pose(&self) -> bool {
        matches!(self, Self::Gravity | Self::Linearising)
    }
}

impl<T: Number, const K: usize> Settings<T, K> {
    /// The settings themselves if every number can be used.
    pub fn checked(self) -> Result<Self, SettingsError> {
        match &self.law {
            Law::Joint(law) => {
                check("gains.proportional", &law.gains.proportional, not_negative)?;
                check("gains.integral", &law.gains.integral, not_negative)?;
                check("gains.derivative", &law.gains.derivative, not_negative)?;
                if let AntiWindup::BackCalculation { time } = law.gains.anti_windup {
                    check("gains.anti_windup.time", &[time], positive)?;
                }
                if let Integration::AtRest { speed, after } = law.gains.integration {
                    check("gains.integration", &[speed, after], |value| {
                        // An infinite time is an integral that never works.
                        (value.is_nan() || value < 0.0).then_some(SettingsFault::Negative { value })
                    })?;
                }
                if let Weight::MassMatrix { mean } = law.weight {
                    check("weight.mean", &[mean], |value| is_finite(value).or(positive(value)))?;
                }
                law.feed_forward.check()?;
            }
            Law::State(law) => {
                check_rows("state.position", &law.position)?;
                check_rows("state.velocity", &law.velocity)?;
                law.feed_forward.check()?;
            }
            Law::Platform(law) => {
                let ((a, b), (c, d)) = (law.position, law.orientation);
                check("platform.position", &[a, b], not_negative)?;
                check("platform.orientation", &[c, d], not_negative)?;
            }
        }
        if self.shift > MOST_SHIFT {
            let fault = SettingsFault::TooLarge { value: self.shift as f64, most: MOST_SHIFT as f64 };
            return Err(SettingsError { field: "shift", motor: None, fault });
        }
        check("bias", &self.bias, is_finite)?;
        if let Some(observer) = &self.observer {
            observer.check()?;
        }
        check("drive_lag", &[self.drive_lag], not_negative)?;
        self.limits.check()?;
        Ok(self)
    }
}

//! The regulator: one law, its memory, one `update` per sample.
#![allow(clippy::indexing_slicing)] // every index is bounded by K

use super::delay::{Delay, Differences};
use super::limits::Limits;
use super::memory::{MemoryVisitor, Remembered, optional};
use super::model::Model;
use super::observer::{begun, observe};
use super::orientation::rotation_vector;
use super::payload::{Carrying, PayloadEstimate, PayloadSettings};
use super::residual::Window;
use super::settings::{
    AntiWindup, Derivatives, FeedForward, Integration, JointLaw, Law, PlatformLaw, Settings, SettingsError,
    SettingsFault, StateLaw, Weight,
};
use super::signal::{Command, Measured, Platform, Reference};
use super::{Number, finite};
use crate::engine::matrix::{self, times};
use crate::engine::{Pose, Twist};
use crate::linalg::solve_spd;
use crate::{Margin, Real};
use core::array::from_fn;

/// What a [`Supervisor`](super::Supervisor) needs of the regulator it watches.
pub trait Regulate<T: Real, const K: usize> {
    /// The robot it knows.
    type Model: Model<T, K>;

    /// The command of one sample, `dt` \[s\] after the last one.
    fn update(&mut self, reference: &Reference<T, K>, measured: &Measured<T, K>, dt: T) -> Command<T, K>;

    /// Forgets the past: at rest at `start`, the motors giving `effort`.
    fn restart(&mut self, start: &Reference<T, K>, effort: &[T; K]);

    /// The robot.
    fn model(&self) -> &Self::Model;

    /// What the motors can give.
    fn limits(&self) -> &Limits<T, K>;
}

/// A law with its memory, see [`Settings`] and the [module](super).
#[derive(Clone, Copy, Debug)]
pub struct Regulator<M, T, const K: usize> {
    model: Carrying<M, T>,
    settings: Settings<T, K>,
    differences: Differences<T, K>,
    delay: Delay<T, K>,
    /// (q, e) of the last sample.
    before: Option<([T; K], [T; K])>,
    /// K_i ∫e
    integral: [T; K],
    /// How long the reference of the feedback has stood \[s\], see [`Integration::AtRest`].
    stood: T,
    /// The effort given last.
    applied: [T; K],
    /// The last pose of the forward kinematics, where it starts.
    pose: Pose<T>,
    /// The last readings, for those who look at what the motors gave.
    window: Window<T, K>,
    /// The pose of the middle one of them.
    window_pose: Pose<T>,
    /// d̂ \[N·m or N\], see [`ObserverSettings`](super::ObserverSettings).
    disturbance: [T; K],
    /// The estimate of the payload, if there is one.
    payload: Option<PayloadEstimate<T, K>>,
}

/// The measured state, as far as a law asks for it.
struct State<T, const K: usize> {
    q: [T; K],
    qdot: [T; K],
    error: [T; K],
    error_rate: [T; K],
}

impl<M: Model<T, K>, T: Number, const K: usize> Regulator<M, T, K> {
    /// A regulator for a robot that stands still at `start`.
    pub fn new(model: M, settings: Settings<T, K>, start: &Reference<T, K>) -> Result<Self, SettingsError> {
        Ok(Self {
            model: Carrying::nothing(model),
            settings: settings.checked()?,
            differences: Differences::new(start),
            delay: Delay::new(start),
            before: None,
            integral: [T::zero(); K],
            stood: T::zero(),
            applied: [T::zero(); K],
            pose: start.platform.pose,
            window: Window::new(),
            window_pose: start.platform.pose,
            disturbance: begun(settings.observer.as_ref()),
            payload: None,
        })
    }

    /// The same with a payload that is estimated, see [`PayloadSettings`]. The model is then the robot without it, and
    /// `heavier` the same robot with the payload `difference` \[kg\].
    pub fn adapting(
        self,
        heavier: M,
        difference: T,
        settings: PayloadSettings<T>,
    ) -> Result<Self, SettingsError> {
        let value: f64 = difference.into();
        if !(value.is_finite() && value > 0.0) {
            let fault = SettingsFault::NotPositive { value };
            return Err(SettingsError { field: "payload.difference", motor: None, fault });
        }
        let payload = PayloadEstimate::new(settings)?;
        let model = Carrying::with_mass(self.model.into_model(), heavier, difference, payload.mass());
        Ok(Self { model, payload: Some(payload), ..self })
    }

    /// Takes another model of the same robot for its own: with a payload that was picked up, say. Its memory stays, but for
    /// the estimate of a payload, which belonged to the model before.
    pub fn set_model(&mut self, model: M) {
        self.model = Carrying::nothing(model);
        self.payload = None;
    }

    /// d̂ \[N·m or N\]: what the disturbance observer adds; zero without one.
    pub fn disturbance(&self) -> &[T; K] {
        &self.disturbance
    }

    /// The estimate of the payload, if it is [`adapting`](Self::adapting).
    pub fn payload(&self) -> Option<&PayloadEstimate<T, K>> {
        self.payload.as_ref()
    }

    /// What it was put together from.
    pub fn settings(&self) -> &Settings<T, K> {
        &self.settings
    }

    /// K_i ∫e \[N·m or N\], before W.
    pub fn integral(&self) -> &[T; K] {
        &self.integral
    }

    /// The command of one sample, `dt` \[s\] after the last one. Never a number that is not finite: where the
    /// law gives none the last effort stays, and the margin or a [`Supervisor`](super::Supervisor) tells.
    ///
    /// With [`Derivatives::Differences`] `reference` is that of the next sample.
    pub fn update(&mut self, reference: &Reference<T, K>, measured: &Measured<T, K>, dt: T) -> Command<T, K> {
        let now = match self.settings.derivatives {
            Derivatives::Exact => *reference,
            Derivatives::Differences => self.differences.next(reference, dt),
        };
        let behind = self.delay.shifted(&now, self.settings.shift);
        let state = self.observed(&behind, measured, dt);
        if self.settings.observer.is_some() || self.payload.is_some() {
            self.learn(&state.q, dt);
        }
        let (Margin { value: law, margin }, weight) = match self.settings.law {
            Law::Joint(law) => self.joint_law(&law, &now, &state),
            Law::State(law) => (self.state_law(&law, &now, &state), None),
            Law::Platform(law) => (self.platform_law(&law, &now, &behind, &state), None),
        };
        let wanted = matrix::sum(&matrix::sum(&law, &self.settings.bias), &self.disturbance);
        let effort = self.settings.limits.applied(&wanted, &self.applied, dt);
        if let Law::Joint(law) = self.settings.law {
            self.wait(&law.gains.integration, &behind, dt);
            self.integrate(&law, weight.as_ref(), &state.error, &wanted, &effort, dt);
        }
        self.before = Some((state.q, state.error));
        self.applied = effort;
        Command { effort, wanted, error: state.error, margin, fault: None }
    }

    /// Takes a reading into the estimates of payload and disturbance: equation (3) of [`residual`](super::residual). Where
    /// the model does not know the measured motion they stay as they are.
    #[inline(never)]
    fn learn(&mut self, q: &[T; K], dt: T) {
        let Some(moved) = self.window.take(q, &self.applied, self.settings.drive_lag, dt) else { return };
        let place = self.model.platform(&moved.q, &moved.qdot, &self.window_pose);
        let (pose, twist) = place.value;
        let known = self.model.parts(&pose, &twist, &moved.qddot);
        if !(place.margin > T::zero() && known.margin > T::zero()) {
            return;
        }
        self.window_pose = pose;
        let (own, each) = known.value;
        let beyond: [T; K] = from_fn(|k| moved.effort[k] - self.settings.bias[k] - own[k]);
        let carried = match &mut self.payload {
            Some(payload) => payload.update(&beyond, &each, dt),
            None => T::zero(),
        };
        self.model.set_mass(carried);
        if let Some(observer) = &self.settings.observer {
            let left = from_fn(|k| beyond[k] - each[k] * carried);
            observe(&mut self.disturbance, observer, &left, dt);
        }
    }

    /// Speeds and error rates: measured, or backward differences.
    fn observed(&self, behind: &Reference<T, K>, measured: &Measured<T, K>, dt: T) -> State<T, K> {
        let q = measured.q;
        let error = matrix::difference(&behind.q, &q);
        let rate = dt.recip();
        let backward = |now: &[T; K], before: &[T; K]| from_fn(|k| (now[k] - before[k]) * rate);
        let (qdot, error_rate) = match (measured.qdot, &self.before) {
            (Some(qdot), _) => (qdot, matrix::difference(&behind.qdot, &qdot)),
            (None, Some((q_before, e_before))) => (backward(&q, q_before), backward(&error, e_before)),
            (None, None) => ([T::zero(); K], [T::zero(); K]),
        };
        State { q, qdot, error, error_rate }
    }

    /// The measured platform; its pose is kept for the next sample if the model is sure of it.
    fn located(&mut self, state: &State<T, K>) -> Margin<(Pose<T>, Twist<T>), T> {
        let found = self.model.platform(&state.q, &state.qdot, &self.pose);
        if found.margin > T::zero() {
            self.pose = found.value.0;
        }
        found
    }

    /// The measured platform if it is needed, else the last one.
    fn located_if(&mut self, needed: bool, state: &State<T, K>) -> Margin<(Pose<T>, Twist<T>), T> {
        if needed {
            self.located(state)
        } else {
            Margin { value: (self.pose, Twist::zero()), margin: T::from_f64(f64::INFINITY) }
        }
    }

    /// u = feed-forward + W (K_p e + I + K_d ė) \[Codourey1998, Sec. 5\], and W if it is not 1.
    #[allow(clippy::type_complexity)]
    fn joint_law(
        &mut self,
        law: &JointLaw<T, K>,
        now: &Reference<T, K>,
        state: &State<T, K>,
    ) -> (Margin<[T; K], T>, Option<[[T; K]; K]>) {
        let g = &law.gains;
        let feedback: [T; K] = from_fn(|k| {
            g.proportional[k] * state.error[k] + self.integral[k] + g.derivative[k] * state.error_rate[k]
        });
        let needs_pose = matches!(law.weight, Weight::MassMatrix { .. }) || law.feed_forward.needs_pose();
        let Margin { value: place, margin: seen } = self.located_if(needs_pose, state);
        if let Some(mean) = computed_torque(law) {
            // A (q̈_d + feedback/Ī) + V + G: one inverse dynamics instead of that of q̈_d and A.
            let wanted = from_fn(|k| now.qddot[k] + feedback[k] / mean);
            let Margin { value, margin } = self.model.effort_from_joints(&place.0, &place.1, &wanted);
            return (Margin { value, margin: margin.min(seen) }, None);
        }
        let ahead = self.feed_forward(&law.feed_forward, now, &place);
        match law.weight {
            Weight::Unit => {
                let value = matrix::sum(&ahead.value, &feedback);
                (Margin { value, margin: ahead.margin.min(seen) }, None)
            }
            Weight::MassMatrix { mean } => {
                let Margin { value: mass, margin } = self.model.joint_mass_matrix(&place.0);
                let weight = mass.map(|row| row.map(|a| a / mean)); // A(q)/Ī
                let value = matrix::sum(&ahead.value, &times(&weight, &feedback));
                (Margin { value, margin: ahead.margin.min(seen).min(margin) }, Some(weight))
            }
        }
    }

    /// u = feed-forward + K_q e + K_v ė
    fn state_law(
        &mut self,
        law: &StateLaw<T, K>,
        now: &Reference<T, K>,
        state: &State<T, K>,
    ) -> Margin<[T; K], T> {
        let seen = self.located_if(law.feed_forward.needs_pose(), state);
        let ahead = self.feed_forward(&law.feed_forward, now, &seen.value);
        let (position, velocity) =
            (times(&law.position, &state.error), times(&law.velocity, &state.error_rate));
        let value = matrix::sum(&ahead.value, &matrix::sum(&position, &velocity));
        Margin { value, margin: ahead.margin.min(seen.margin) }
    }

    #[inline]
    fn feed_forward(
        &self,
        chosen: &FeedForward<T, K>,
        now: &Reference<T, K>,
        (pose, twist): &(Pose<T>, Twist<T>),
    ) -> Margin<[T; K], T> {
        let open = T::from_f64(f64::INFINITY);
        match chosen {
            FeedForward::None => Margin { value: [T::zero(); K], margin: open },
            FeedForward::ConstantInertia(inertia) => {
                Margin { value: from_fn(|k| inertia[k] * now.qddot[k]), margin: open } // Ī q̈_d
            }
            FeedForward::Model => self.model.effort(&now.platform),
            FeedForward::Gravity => self.model.gravity(pose), // NᵀG
            FeedForward::GravityAtReference => self.model.gravity(&now.platform.pose),
            // A q̈_d + V + G
            FeedForward::Linearising => self.model.effort_from_joints(pose, twist, &now.qddot),
        }
    }

    /// Inverse dynamics at ẍ_d + k₂ (ẋ_d − ẋ) + k₁ (x_d − x) \[Bortoff2018, Sec. IV\].
    fn platform_law(
        &mut self,
        law: &PlatformLaw<T>,
        now: &Reference<T, K>,
        behind: &Reference<T, K>,
        state: &State<T, K>,
    ) -> Margin<[T; K], T> {
        let seen = self.located(state);
        let (pose, twist) = seen.value;
        let (wanted, moving) = (&behind.platform.pose, behind.platform.twist - twist);
        let turn = rotation_vector(wanted.rotation * pose.rotation.transpose());
        let ((a1, a2), (b1, b2)) = (law.position, law.orientation);
        let correction = Twist::new(
            moving.linear * a2 + (wanted.position - pose.position) * a1,
            moving.angular * b2 + turn * b1,
        );
        let acceleration = now.platform.acceleration + correction;
        let Margin { value, margin } = self.model.effort(&Platform { pose, twist, acceleration });
        Margin { value, margin: margin.min(seen.margin) }
    }

    /// Counts how long the reference has stood.
    fn wait(&mut self, integration: &Integration<T>, behind: &Reference<T, K>, dt: T) {
        if let Integration::AtRest { speed, .. } = integration {
            let stands = behind.qdot.iter().all(|rate| rate.abs() <= *speed);
            self.stood = if stands { self.stood + dt } else { T::zero() };
        }
    }

    /// The integral after this sample, kept from winding up.
    fn integrate(
        &mut self,
        law: &JointLaw<T, K>,
        weight: Option<&[[T; K]; K]>,
        error: &[T; K],
        wanted: &[T; K],
        given: &[T; K],
        dt: T,
    ) {
        let works = match law.gains.integration {
            Integration::Always => true,
            Integration::AtRest { after, .. } => self.stood > after,
        };
        let excess = matrix::difference(given, wanted);
        let time = if works { dt } else { T::zero() };
        let push: [T; K] = from_fn(|k| law.gains.integral[k] * error[k] * time);
        let back = match law.gains.anti_windup {
            AntiWindup::Clamping => [T::zero(); K],
            AntiWindup::BackCalculation { time } => {
                // A step longer than T_t leads back at once, not beyond.
                let share = if dt < time { dt / time } else { T::one() };
                let excess = weight.map_or(excess, |w| solve_spd(w, &excess).value);
                excess.map(|e| e * share)
            }
        };
        let clamping = matches!(law.gains.anti_windup, AntiWindup::Clamping);
        for k in 0..K {
            let outward = clamping && excess[k] * push[k] < T::zero();
            let next = self.integral[k] + if outward { T::zero() } else { push[k] } + back[k];
            if law.gains.integral[k] > T::zero() && finite(next) {
                self.integral[k] = next;
            }
        }
    }
}

impl<M, const K: usize> Regulator<M, f64, K> {
    /// Shows everything that it remembers, to be written down or to be replaced by what another regulator of the same robot
    /// remembered: its gains may be others. Model and settings stay.
    pub fn visit_memory(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.differences.visit(visitor);
        self.delay.visit(visitor);
        optional(&mut self.before, ([0.0; K], [0.0; K]), visitor);
        self.integral.visit(visitor);
        self.stood.visit(visitor);
        self.applied.visit(visitor);
        self.pose.visit(visitor);
        self.window.visit(visitor);
        self.window_pose.visit(visitor);
        self.disturbance.visit(visitor);
        if let Some(payload) = &mut self.payload {
            payload.visit(visitor);
            self.model.set_mass(payload.mass());
        }
    }
}

/// Ī if feed-forward and feedback of a law are one inverse dynamics, and nobody asks for the mass matrix itself: the
/// integral does, to be led back from a limit.
fn computed_torque<T: Number, const K: usize>(law: &JointLaw<T, K>) -> Option<T> {
    match (law.weight, &law.feed_forward) {
        (Weight::MassMatrix { mean }, FeedForward::Linearising)
            if law.gains.integral.iter().all(|gain| *gain == T::zero()) =>
        {
            Some(mean)
        }
        _ => None,
    }
}

impl<M: Model<T, K>, T: Number, const K: usize> Regulate<T, K> for Regulator<M, T, K> {
    type Model = Carrying<M, T>;

    fn update(&mut self, reference: &Reference<T, K>, measured: &Measured<T, K>, dt: T) -> Command<T, K> {
        Self::update(self, reference, measured, dt)
    }

    fn restart(&mut self, start: &Reference<T, K>, effort: &[T; K]) {
        self.differences = Differences::new(start);
        self.delay = Delay::new(start);
        self.before = None;
        self.integral = [T::zero(); K];
        self.stood = T::zero();
        self.applied = *effort;
        self.pose = start.platform.pose;
        self.window = Window::new();
        self.window_pose = start.platform.pose;
        self.disturbance = begun(self.settings.observer.as_ref());
        // What is carried stays.
        if let Some(payload) = &mut self.payload {
            payload.restart();
        }
    }

    fn model(&self) -> &Carrying<M, T> {
        &self.model
    }

    fn limits(&self) -> &Limits<T, K> {
        &self.settings.limits
    }
}

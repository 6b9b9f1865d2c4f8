//! A payload that nobody told: recursive least squares on what the motors gave.
//!
//! The efforts of a robot are affine in a mass m that its platform carries. With the efforts τ₀ of the robot without it and
//! those of the same robot with another mass m_r, both at the measured motion,
//!
//! ```text
//! τ(m) = τ₀ + m φ,   φ = (τ(m_r) − τ₀)/m_r,   and for the mass matrix alike                     (1)
//! y = m φ + w                                                                                   (2)
//! ```
//!
//! with y of the residual (3) of [`residual`](super::residual), against τ₀, and w what neither model nor mass explain. Both sides go through one
//! filter of the bandwidth B, which leaves (2) true as long as m stays the same. Then, with the
//! memory T_f, λ = T_f/(T_f + T), and the information P⁻¹ = I:
//!
//! ```text
//! I_k = max( λ I_{k−1} + φᵀφ, I_min ),   I_min = φ_min²/(1 − λ)                                 (3)
//! m̂_k = clamp( m̂_{k−1} + φᵀ (y − φ m̂_{k−1})/I_k, 0, m_max )                                    (4)
//! ```
//!
//! This is least squares with exponential forgetting \[AstromWittenmark1995, Chap. 2\], for one parameter and all motors at
//! once. Its bounds:
//!
//! - **Estimate.** 0 ≤ m̂ ≤ m_max always, so what it feeds forward is never more than m_max φ at the reference. The
//!   feedback does not depend on m̂: the loop keeps its poles whatever is estimated.
//! - **Gain.** I ≥ I_min, so the covariance P ≤ (1 − λ)/φ_min² and one sample moves m̂ by no more than
//!   ‖φ‖ ‖y − φ m̂‖ (1 − λ)/φ_min². Without excitation nothing winds up: λ alone would let P grow without end.
//! - **Error.** From (3) and (4) between the clamps, where φᵀφ keeps I above its floor,
//!
//!   ```text
//!   |m̂_n − m| ≤ λⁿ (I₀/I_n) |m̂₀ − m| + max_k ‖w_k‖/‖φ_k‖                                        (5)
//!   ```
//!
//!   because m̂_n − m = (λⁿ I₀ (m̂₀ − m) + Σ λⁿ⁻ᵏ φ_kᵀ w_k)/I_n and φᵀw ≤ φᵀφ ‖w‖/‖φ‖.
//! - **Limits.** y is made of the efforts that were given: a motor at its limit tells as much as any other.
#![allow(clippy::indexing_slicing)] // every index is bounded by K

use super::limits::clamped;
use super::memory::{MemoryVisitor, Remembered, optional};
use super::model::Model;
use super::observer::share;
use super::settings::{SettingsError, check, is_finite, not_negative, positive};
use super::signal::Platform;
use super::{Number, finite};
use crate::engine::{Pose, Twist};
use crate::{Margin, Real};
use core::array::from_fn;

/// What can be chosen about the estimate of a payload.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PayloadSettings<T> {
    /// m_max \[kg\]
    pub most: T,
    /// m̂₀ \[kg\]: what is carried at the start.
    pub start: T,
    /// T_f \[s\]: how long a sample counts.
    pub memory: T,
    /// B \[rad/s\]: the filter of efforts and of φ.
    pub bandwidth: T,
    /// φ_min \[N·m/kg or N/kg\]: efforts per kilogram below this, of all motors together, tell nothing.
    pub least: T,
}

impl<T: Number> PayloadSettings<T> {
    pub(super) fn check(&self) -> Result<(), SettingsError> {
        let above = |value: f64| is_finite(value).or(positive(value));
        check("payload.most", &[self.most], above)?;
        check("payload.start", &[self.start], not_negative)?;
        check("payload.memory", &[self.memory], above)?;
        check("payload.bandwidth", &[self.bandwidth], above)?;
        check("payload.least", &[self.least], above)
    }
}

/// A robot that carries a mass besides what its model knows, by (1).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carrying<M, T> {
    model: M,
    load: Option<Load<M, T>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Load<M, T> {
    /// The same robot with the mass m_r.
    heavier: M,
    /// 1/m_r \[1/kg\]
    per_mass: T,
    /// m \[kg\]
    mass: T,
}

impl<M, T: Real> Carrying<M, T> {
    /// The robot as its model says.
    pub fn nothing(model: M) -> Self {
        Self { model, load: None }
    }

    /// The robot of `model` with a mass \[kg\]; `heavier` is the same robot with the mass `difference` \[kg\] more.
    pub fn with_mass(model: M, heavier: M, difference: T, mass: T) -> Self {
        Self { model, load: Some(Load { heavier, per_mass: difference.recip(), mass }) }
    }

    /// The robot without the mass.
    pub(super) fn into_model(self) -> M {
        self.model
    }

    /// The mass \[kg\], if there is one.
    pub fn mass(&self) -> Option<T> {
        self.load.as_ref().map(|load| load.mass)
    }

    pub(super) fn set_mass(&mut self, mass: T) {
        if let Some(load) = &mut self.load {
            load.mass = mass;
        }
    }

    /// The efforts without the mass, and by how much each kilogram changes them.
    pub(super) fn parts<const K: usize>(
        &self,
        pose: &Pose<T>,
        twist: &Twist<T>,
        qddot: &[T; K],
    ) -> Margin<([T; K], [T; K]), T>
    where
        M: Model<T, K>,
    {
        let Margin { value: own, margin } = self.model.effort_from_joints(pose, twist, qddot);
        match &self.load {
            None => Margin { value: (own, [T::zero(); K]), margin },
            Some(load) => {
                let heavier = load.heavier.effort_from_joints(pose, twist, qddot);
                let each = from_fn(|k| (heavier.value[k] - own[k]) * load.per_mass);
                Margin { value: (own, each), margin: margin.min(heavier.margin) }
            }
        }
    }

    /// a + m (b − a)/m_r, where there is a mass. Out of the way of those who carry none.
    #[cold]
    #[inline(never)]
    fn mixed<const K: usize>(
        &self,
        load: &Load<M, T>,
        answer: &dyn Fn(&M) -> Margin<[T; K], T>,
    ) -> Margin<[T; K], T> {
        let (own, heavier) = (answer(&self.model), answer(&load.heavier));
        let share = load.mass * load.per_mass;
        let value = from_fn(|k| own.value[k] + (heavier.value[k] - own.value[k]) * share); // (1)
        Margin { value, margin: own.margin.min(heavier.margin) }
    }
}

impl<M: Model<T, K>, T: Real, const K: usize> Model<T, K> for Carrying<M, T> {
    #[inline]
    fn joints(&self, platform: &Platform<T>) -> Margin<super::Joints<T, K>, T> {
        self.model.joints(platform)
    }
    #[inline]
    fn platform(&self, q: &[T; K], qdot: &[T; K], near: &Pose<T>) -> Margin<(Pose<T>, Twist<T>), T> {
        self.model.platform(q, qdot, near)
    }
    #[inline]
    fn effort(&self, platform: &Platform<T>) -> Margin<[T; K], T> {
        match &self.load {
            None => self.model.effort(platform),
            Some(load) => self.mixed(load, &|model| model.effort(platform)),
        }
    }
    #[inline]
    fn joint_mass_matrix(&self, pose: &Pose<T>) -> Margin<[[T; K]; K], T> {
        let own = self.model.joint_mass_matrix(pose);
        match &self.load {
            None => own,
            Some(load) => {
                let heavier = load.heavier.joint_mass_matrix(pose);
                let share = load.mass * load.per_mass;
                let (a, b) = (own.value, heavier.value);
                let value = from_fn(|i| from_fn(|j| a[i][j] + (b[i][j] - a[i][j]) * share)); // (1)
                Margin { value, margin: own.margin.min(heavier.margin) }
            }
        }
    }
    #[inline]
    fn platform_acceleration(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; K]) -> Margin<Twist<T>, T> {
        self.model.platform_acceleration(pose, twist, qddot)
    }
    #[inline]
    fn effort_from_joints(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; K]) -> Margin<[T; K], T> {
        match &self.load {
            None => self.model.effort_from_joints(pose, twist, qddot),
            Some(load) => self.mixed(load, &|model| model.effort_from_joints(pose, twist, qddot)),
        }
    }
    #[inline]
    fn gravity(&self, pose: &Pose<T>) -> Margin<[T; K], T> {
        match &self.load {
            None => self.model.gravity(pose),
            Some(load) => self.mixed(load, &|model| model.gravity(pose)),
        }
    }
}

/// The memory of an estimate: recursive least squares for one parameter seen by K motors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PayloadEstimate<T, const K: usize> {
    settings: PayloadSettings<T>,
    /// m̂ \[kg\]
    mass: T,
    /// I \[(N·m/kg)²\]; none before the first sample.
    information: Option<T>,
    /// y and φ behind the filter.
    filtered: Option<([T; K], [T; K])>,
}

impl<const K: usize> Remembered for PayloadEstimate<f64, K> {
    fn visit(&mut self, visitor: &mut MemoryVisitor<'_>) {
        self.mass.visit(visitor);
        // A mass that cannot be is none.
        self.mass = clamped(self.mass, 0.0, self.settings.most);
        optional(&mut self.information, 0.0, visitor);
        optional(&mut self.filtered, ([0.0; K], [0.0; K]), visitor);
    }
}

impl<T: Number, const K: usize> PayloadEstimate<T, K> {
    /// Begins with m̂₀ and no knowledge.
    pub fn new(settings: PayloadSettings<T>) -> Result<Self, SettingsError> {
        settings.check()?;
        let mass = clamped(settings.start, T::zero(), settings.most);
        Ok(Self { settings, mass, information: None, filtered: None })
    }

    /// What it was made of.
    pub fn settings(&self) -> &PayloadSettings<T> {
        &self.settings
    }

    /// m̂ \[kg\]
    pub fn mass(&self) -> T {
        self.mass
    }

    /// P = 1/I \[kg²/(N·m)²\]; none before the first sample.
    pub fn covariance(&self) -> Option<T> {
        self.information.map(T::recip)
    }

    /// Forgets what was measured, not what is carried.
    pub(super) fn restart(&mut self) {
        (self.information, self.filtered) = (None, None);
    }

    /// Takes a sample in: y \[N·m or N\] and φ \[N·m/kg or N/kg\], `dt` \[s\] after the last one. Numbers that are not
    /// finite leave everything as it is.
    pub fn update(&mut self, y: &[T; K], phi: &[T; K], dt: T) -> T {
        let share = share(self.settings.bandwidth, dt);
        let (y_before, phi_before) = self.filtered.unwrap_or((*y, *phi));
        let filter = |now: &[T; K], before: &[T; K]| -> [T; K] {
            from_fn(|k| before[k] + share * (now[k] - before[k]))
        };
        let (y, phi) = (filter(y, &y_before), filter(phi, &phi_before));
        let keep = self.settings.memory / (self.settings.memory + dt); // λ
        let least = self.settings.least.squared() / (T::one() - keep);
        let dot = |a: &[T; K], b: &[T; K]| a.iter().zip(b).fold(T::zero(), |sum, (a, b)| sum + *a * *b);
        let gathered = self.information.unwrap_or(T::zero()) * keep + dot(&phi, &phi);
        let information = if gathered > least { gathered } else { least }; // (3)
        let miss: [T; K] = from_fn(|k| y[k] - phi[k] * self.mass);
        let next = self.mass + dot(&phi, &miss) / information; // (4)
        if finite(next) && finite(information) {
            let most = self.settings.most;
            self.mass = clamped(next, T::zero(), most);
            self.information = Some(information);
            self.filtered = Some((y, phi));
        }
        self.mass
    }
}

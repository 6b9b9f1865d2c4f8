//! What goes in and out of a regulator at every sample.

use super::fault::Fault;
use super::model::Model;
use crate::engine::{Pose, Twist};
use crate::{Margin, Real};

/// Pose, velocity and acceleration of the platform, in base axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Platform<T> {
    /// Where its frame is.
    pub pose: Pose<T>,
    /// V_P \[m/s, rad/s\]
    pub twist: Twist<T>,
    /// V̇_P \[m/s², rad/s²\]
    pub acceleration: Twist<T>,
}

impl<T: Real> Platform<T> {
    /// At rest.
    pub fn rest(pose: Pose<T>) -> Self {
        Self { pose, twist: Twist::zero(), acceleration: Twist::zero() }
    }
}

/// Positions, speeds and accelerations of the motors \[rad or m\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Joints<T, const K: usize> {
    /// q
    pub q: [T; K],
    /// q̇
    pub qdot: [T; K],
    /// q̈
    pub qddot: [T; K],
}

/// Where the robot should be: the same motion seen at the motors and at the platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reference<T, const K: usize> {
    /// q_d \[rad or m\]
    pub q: [T; K],
    /// q̇_d
    pub qdot: [T; K],
    /// q̈_d
    pub qddot: [T; K],
    /// The platform.
    pub platform: Platform<T>,
}

impl<T: Real, const K: usize> Reference<T, K> {
    /// The reference that moves the platform so; the margin is that of [`Model::joints`].
    pub fn at<M: Model<T, K> + ?Sized>(model: &M, platform: &Platform<T>) -> Margin<Self, T> {
        let Margin { value: Joints { q, qdot, qddot }, margin } = model.joints(platform);
        Margin { value: Self { q, qdot, qddot, platform: *platform }, margin }
    }
}

/// What the sensors say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured<T, const K: usize> {
    /// q \[rad or m\]
    pub q: [T; K],
    /// q̇ \[rad/s or m/s\]; without it speeds are backward differences.
    pub qdot: Option<[T; K]>,
}

impl<T, const K: usize> Measured<T, K> {
    /// Positions only.
    pub fn angles(q: [T; K]) -> Self {
        Self { q, qdot: None }
    }
}

/// What leaves at a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command<T, const K: usize> {
    /// u \[N·m or N\]
    pub effort: [T; K],
    /// What the law asked for, before the limits \[N·m or N\].
    pub wanted: [T; K],
    /// e = q_d(t − T_m) − q \[rad or m\], as the feedback saw it.
    pub error: [T; K],
    /// Smallest margin of the model's answers; infinite where it was not asked.
    pub margin: T,
    /// Why this is a safe command and not the regulator's; only a [`Supervisor`](super::Supervisor) sets it.
    pub fault: Option<Fault>,
}

impl<T: PartialEq, const K: usize> Command<T, K> {
    /// Which motors met a limit of effort or of its rate.
    #[allow(clippy::indexing_slicing)] // k < K
    pub fn limited(&self) -> [bool; K] {
        core::array::from_fn(|k| self.effort[k] != self.wanted[k])
    }
}

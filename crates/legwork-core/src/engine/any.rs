//! A leg of any length: for robots that are known only when their file is read.

use super::leg::{ActiveJoints, Leg, LegEffort, LegModel, LegTerms, Reaction};
use super::spatial::{Pose, Twist};
use super::ups::Ups;
use crate::{Margin, Real, V3};

/// One to six joints, or the closed form of a UPS leg. Lives in a slice without a heap.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // no heap to box on
#[allow(missing_docs)] // the names say it
pub enum AnyLeg<T> {
    One(Leg<T, 1>),
    Two(Leg<T, 2>),
    Three(Leg<T, 3>),
    Four(Leg<T, 4>),
    Five(Leg<T, 5>),
    Six(Leg<T, 6>),
    Ups(Ups<T>),
}

macro_rules! any {
    ($self:ident, $leg:ident => $body:expr) => {
        match $self {
            AnyLeg::One($leg) => $body,
            AnyLeg::Two($leg) => $body,
            AnyLeg::Three($leg) => $body,
            AnyLeg::Four($leg) => $body,
            AnyLeg::Five($leg) => $body,
            AnyLeg::Six($leg) => $body,
            AnyLeg::Ups($leg) => $body,
        }
    };
}

macro_rules! from {
    ($($name:ident $leg:ty),*) => {$(
        impl<T> From<$leg> for AnyLeg<T> {
            fn from(leg: $leg) -> Self {
                Self::$name(leg)
            }
        }
    )*};
}

from!(One Leg<T, 1>, Two Leg<T, 2>, Three Leg<T, 3>, Four Leg<T, 4>, Five Leg<T, 5>, Six Leg<T, 6>, Ups Ups<T>);

impl<T: Real> LegModel<T> for AnyLeg<T> {
    fn active_joints(&self) -> usize {
        any!(self, leg => leg.active_joints())
    }

    fn kinematics(&self, pose: &Pose<T>) -> Margin<ActiveJoints<T>, T> {
        any!(self, leg => leg.kinematics(pose))
    }

    fn terms(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> Margin<LegTerms<T>, T> {
        any!(self, leg => leg.terms(pose, twist, gravity))
    }

    fn effort(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
    ) -> Margin<LegEffort<T>, T> {
        any!(self, leg => leg.effort(pose, twist, acceleration, gravity))
    }

    fn energy(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> (T, T) {
        any!(self, leg => leg.energy(pose, twist, gravity))
    }

    fn reaction(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        drive: &[T],
    ) -> Reaction<T> {
        any!(self, leg => leg.reaction(pose, twist, acceleration, gravity, drive))
    }

    fn loop_gap(&self, pose: &Pose<T>) -> T {
        any!(self, leg => leg.loop_gap(pose))
    }
}

impl AnyLeg<f64> {
    /// The leg as a chain of joints.
    #[must_use]
    pub fn as_chain(&self) -> Self {
        match self {
            Self::Ups(leg) => Self::Three(leg.leg()),
            chain => *chain,
        }
    }

    /// The fastest form of a leg with three joints: closed if it has one.
    pub fn three(leg: Leg<f64, 3>) -> Self {
        Ups::recognized(&leg).map_or(Self::Three(leg), Self::Ups)
    }
}

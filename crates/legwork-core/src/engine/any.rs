//! A leg of any length: for robots that are known only when their file is read.

use super::chain::Link;
use super::leg::{ActiveJoints, Leg, LegEffort, LegModel, LegTerms, Reaction};
use super::spatial::{Pose, Twist};
use super::ups::Ups;
use crate::{Real, V3};

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

impl<T: Real> AnyLeg<T> {
    /// The same leg with dry friction that passes smoothly through zero, for motion in time;
    /// `width` \[rad/s or m/s\] as in [`Drive::smoothed`](super::Drive::smoothed).
    #[must_use]
    pub fn smoothed(mut self, width: T) -> Self {
        match &mut self {
            Self::One(leg) => smooth(&mut leg.chain.links, width),
            Self::Two(leg) => smooth(&mut leg.chain.links, width),
            Self::Three(leg) => smooth(&mut leg.chain.links, width),
            Self::Four(leg) => smooth(&mut leg.chain.links, width),
            Self::Five(leg) => smooth(&mut leg.chain.links, width),
            Self::Six(leg) => smooth(&mut leg.chain.links, width),
            Self::Ups(leg) => *leg = leg.smoothed(width),
        }
        self
    }
}

fn smooth<T: Real>(links: &mut [Link<T>], width: T) {
    for link in links {
        link.drive = link.drive.smoothed(width);
    }
}

impl<T: Real> LegModel<T> for AnyLeg<T> {
    fn active_joints(&self) -> usize {
        any!(self, leg => leg.active_joints())
    }

    fn kinematics_into(&self, pose: &Pose<T>, into: &mut ActiveJoints<T>) -> T {
        any!(self, leg => leg.kinematics_into(pose, into))
    }

    fn terms_into(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>, into: &mut LegTerms<T>) -> T {
        any!(self, leg => leg.terms_into(pose, twist, gravity, into))
    }

    fn effort_into(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        into: &mut LegEffort<T>,
    ) -> T {
        any!(self, leg => leg.effort_into(pose, twist, acceleration, gravity, into))
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

impl<T: Real> AnyLeg<T> {
    /// Every number through `f`: to another scalar.
    pub fn map<U: Real>(&self, f: impl FnMut(T) -> U) -> AnyLeg<U> {
        match self {
            Self::One(leg) => AnyLeg::One(leg.map(f)),
            Self::Two(leg) => AnyLeg::Two(leg.map(f)),
            Self::Three(leg) => AnyLeg::Three(leg.map(f)),
            Self::Four(leg) => AnyLeg::Four(leg.map(f)),
            Self::Five(leg) => AnyLeg::Five(leg.map(f)),
            Self::Six(leg) => AnyLeg::Six(leg.map(f)),
            Self::Ups(leg) => AnyLeg::Ups(leg.map(f)),
        }
    }
}

impl AnyLeg<f64> {
    /// The size of the leg at a pose, see [`Chain::size`](super::Chain::size) \[m\].
    pub fn size(&self, pose: &Pose<f64>) -> f64 {
        match self {
            Self::One(leg) => leg.size(pose),
            Self::Two(leg) => leg.size(pose),
            Self::Three(leg) => leg.size(pose),
            Self::Four(leg) => leg.size(pose),
            Self::Five(leg) => leg.size(pose),
            Self::Six(leg) => leg.size(pose),
            Self::Ups(leg) => leg.posture(pose).length,
        }
    }

    /// The leg as a chain of joints.
    #[must_use]
    pub fn as_chain(&self) -> Self {
        match self {
            Self::Ups(leg) => Self::Three(leg.leg()),
            chain => *chain,
        }
    }

    /// The fastest form of a leg with three joints: closed if it has one, see [`Ups::recognized`].
    pub fn three(leg: Leg<f64, 3>, home: &Pose<f64>) -> Self {
        Ups::recognized(&leg, home).map_or(Self::Three(leg), Self::Ups)
    }

    /// The leg as a chain whose joints are found numerically; the search begins where they are at `pose`.
    #[must_use]
    pub fn found_numerically(&self, pose: &Pose<f64>) -> Self {
        match self.as_chain() {
            Self::One(leg) => Self::One(leg.found_numerically(pose)),
            Self::Two(leg) => Self::Two(leg.found_numerically(pose)),
            Self::Three(leg) => Self::Three(leg.found_numerically(pose)),
            Self::Four(leg) => Self::Four(leg.found_numerically(pose)),
            Self::Five(leg) => Self::Five(leg.found_numerically(pose)),
            Self::Six(leg) => Self::Six(leg.found_numerically(pose)),
            Self::Ups(leg) => Self::Three(leg.leg().found_numerically(pose)),
        }
    }

    /// The same leg; if its joints are found numerically, the search begins where the leg arrives after it has
    /// followed these poses. So a pose far from the leg's own start is reached in the same working mode.
    #[must_use]
    pub fn led_through(&self, poses: impl Iterator<Item = Pose<f64>>) -> Self {
        match self {
            Self::One(leg) => Self::One(leg.led_through(poses)),
            Self::Two(leg) => Self::Two(leg.led_through(poses)),
            Self::Three(leg) => Self::Three(leg.led_through(poses)),
            Self::Four(leg) => Self::Four(leg.led_through(poses)),
            Self::Five(leg) => Self::Five(leg.led_through(poses)),
            Self::Six(leg) => Self::Six(leg.led_through(poses)),
            Self::Ups(leg) => Self::Ups(*leg),
        }
    }
}

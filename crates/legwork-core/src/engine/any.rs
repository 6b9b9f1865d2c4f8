//! A leg of any length: for robots that are known only when their file is read.

use super::chain::{Drive, Link};
use super::continuation::Lost;
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

impl<T: Real> AnyLeg<T> {
    /// The same leg with its drives changed: `change` gets the number of each active joint, base first from 0, and its
    /// drive.
    #[must_use]
    pub fn with_drives(mut self, change: &mut dyn FnMut(usize, &mut Drive<T>)) -> Self {
        match &mut self {
            Self::One(leg) => each_drive(&mut leg.chain.links, change),
            Self::Two(leg) => each_drive(&mut leg.chain.links, change),
            Self::Three(leg) => each_drive(&mut leg.chain.links, change),
            Self::Four(leg) => each_drive(&mut leg.chain.links, change),
            Self::Five(leg) => each_drive(&mut leg.chain.links, change),
            Self::Six(leg) => each_drive(&mut leg.chain.links, change),
            Self::Ups(leg) => change(0, leg.drive_mut()),
        }
        self
    }
}

fn each_drive<T: Real>(links: &mut [Link<T>], change: &mut dyn FnMut(usize, &mut Drive<T>)) {
    for (k, link) in links.iter_mut().filter(|link| link.active).enumerate() {
        change(k, &mut link.drive);
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

/// The same leg, changed by a function that every kind of leg has.
macro_rules! changed {
    ($self:ident, $leg:ident => $changed:expr) => {
        match $self {
            Self::One($leg) => Self::One($changed),
            Self::Two($leg) => Self::Two($changed),
            Self::Three($leg) => Self::Three($changed),
            Self::Four($leg) => Self::Four($changed),
            Self::Five($leg) => Self::Five($changed),
            Self::Six($leg) => Self::Six($changed),
            Self::Ups($leg) => Self::Ups($changed),
        }
    };
}

impl<T: Real> AnyLeg<T> {
    /// The same leg of a robot whose base stands at `base`.
    #[must_use]
    pub fn placed(self, base: &Pose<T>) -> Self {
        changed!(self, leg => leg.placed(base))
    }

    /// The same leg where the frame of the platform is another one of its frames, `tool`.
    #[must_use]
    pub fn seen_from(self, tool: &Pose<T>) -> Self {
        changed!(self, leg => leg.seen_from(tool))
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

    /// The same leg where its platform is at `to`, see [`Leg::followed`]; `None` if it has a closed form, which needs
    /// no following.
    #[must_use]
    pub fn followed(&self, from: &Pose<f64>, to: &Pose<f64>) -> Option<Self> {
        match self {
            Self::One(leg) => leg.followed(from, to).map(Self::One),
            Self::Two(leg) => leg.followed(from, to).map(Self::Two),
            Self::Three(leg) => leg.followed(from, to).map(Self::Three),
            Self::Four(leg) => leg.followed(from, to).map(Self::Four),
            Self::Five(leg) => leg.followed(from, to).map(Self::Five),
            Self::Six(leg) => leg.followed(from, to).map(Self::Six),
            Self::Ups(_) => None,
        }
    }

    /// Whether its joints are found numerically.
    pub fn is_numerical(&self) -> bool {
        match self {
            Self::One(leg) => leg.is_numerical(),
            Self::Two(leg) => leg.is_numerical(),
            Self::Three(leg) => leg.is_numerical(),
            Self::Four(leg) => leg.is_numerical(),
            Self::Five(leg) => leg.is_numerical(),
            Self::Six(leg) => leg.is_numerical(),
            Self::Ups(_) => false,
        }
    }

    /// Where the branch of the leg ends on the straight way from `from` to `to`, if it does before `to`.
    pub fn lost(&self, from: &Pose<f64>, to: &Pose<f64>) -> Option<Lost> {
        match self {
            Self::One(leg) => leg.lost(from, to),
            Self::Two(leg) => leg.lost(from, to),
            Self::Three(leg) => leg.lost(from, to),
            Self::Four(leg) => leg.lost(from, to),
            Self::Five(leg) => leg.lost(from, to),
            Self::Six(leg) => leg.lost(from, to),
            Self::Ups(_) => None,
        }
    }

    /// Where the search for its joints begins, if they are found numerically: coordinates \[rad or m\], base first,
    /// zero beyond the last.
    pub fn seed(&self) -> Option<[f64; 6]> {
        match self {
            Self::One(leg) => leg.seed(),
            Self::Two(leg) => leg.seed(),
            Self::Three(leg) => leg.seed(),
            Self::Four(leg) => leg.seed(),
            Self::Five(leg) => leg.seed(),
            Self::Six(leg) => leg.seed(),
            Self::Ups(_) => None,
        }
    }

    /// Of [`seed`](Self::seed) those of the active joints.
    pub fn active_seed(&self) -> Option<[f64; 6]> {
        match self {
            Self::One(leg) => leg.active_seed(),
            Self::Two(leg) => leg.active_seed(),
            Self::Three(leg) => leg.active_seed(),
            Self::Four(leg) => leg.active_seed(),
            Self::Five(leg) => leg.active_seed(),
            Self::Six(leg) => leg.active_seed(),
            Self::Ups(_) => None,
        }
    }

    /// The same leg, its joints found numerically from these coordinates in so many steps; one in closed form as it is.
    #[must_use]
    pub fn with_seed(&self, seed: &[f64; 6], steps: usize) -> Self {
        match self {
            Self::One(leg) => Self::One(leg.with_seed(seed, steps)),
            Self::Two(leg) => Self::Two(leg.with_seed(seed, steps)),
            Self::Three(leg) => Self::Three(leg.with_seed(seed, steps)),
            Self::Four(leg) => Self::Four(leg.with_seed(seed, steps)),
            Self::Five(leg) => Self::Five(leg.with_seed(seed, steps)),
            Self::Six(leg) => Self::Six(leg.with_seed(seed, steps)),
            Self::Ups(leg) => Self::Ups(*leg),
        }
    }
}

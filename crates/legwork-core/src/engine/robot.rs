//! A robot that owns M equal-shaped legs.

use super::leg::Leg;
use super::mechanism::Mechanism;
use super::space::MotionSpace;
use super::spatial::RigidBody;
use crate::{Real, V3};

/// M legs of N joints each, a platform with D freedoms, K active joints: what the
/// families are made of. Legs of different shapes: see [`Mechanism`] with `&dyn LegModel`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Robot<T, const N: usize, const M: usize, const D: usize, const K: usize> {
    /// The legs, 1 to M of the papers.
    pub legs: [Leg<T, N>; M],
    /// Mass and inertia in the platform's frame.
    pub platform: RigidBody<T>,
    /// The freedoms of the platform.
    pub space: MotionSpace<T, D>,
    /// Gravitational acceleration in base axes \[m/s²\].
    pub gravity: V3<T>,
}

impl<T: Real, const N: usize, const M: usize, const D: usize, const K: usize> Robot<T, N, M, D, K> {
    /// The robot as the equations see it.
    #[inline(always)]
    pub fn mechanism(&self) -> Mechanism<'_, T, Leg<T, N>, D, K> {
        Mechanism { platform: self.platform, legs: &self.legs, space: self.space, gravity: self.gravity }
    }

    /// Every number through `f`: to another scalar.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Robot<U, N, M, D, K> {
        Robot {
            legs: self.legs.map(|leg| leg.map(&mut f)),
            platform: self.platform.map(&mut f),
            space: self.space.map(&mut f),
            gravity: self.gravity.map(&mut f),
        }
    }
}

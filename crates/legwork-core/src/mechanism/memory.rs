//! The memory that a plan runs in. It belongs to the caller; nothing is allocated.

use super::closure::CutAxes;
use super::{Frame, Plan};
use crate::engine::{Twist, Wrench};
use crate::{Real, V3};

/// Four numbers of a row: rows are padded to groups, so that their loops have no rest.
pub type Group<T> = [T; 4];

/// Lists with the lengths of [`Sizes`](super::Sizes). Spatial vectors are in world axes about the world's
/// origin O. What a call leaves here is told by the call; everything else is scratch.
#[derive(Debug)]
#[allow(missing_docs)] // each line says it
pub struct Memory<'a, T> {
    /// Frames of ground and bodies.
    pub frames: &'a mut [Frame<T>],
    /// Column S_k of each rate.
    pub columns: &'a mut [Twist<T>],
    /// Rates u.
    pub rates: &'a mut [T],
    /// Their derivatives u̇.
    pub accelerations: &'a mut [T],
    /// Generalised forces, one per rate.
    pub forces: &'a mut [T],
    /// Twists V of ground and bodies.
    pub twists: &'a mut [Twist<T>],
    /// Velocity products b of the joints.
    pub products: &'a mut [Twist<T>],
    /// Accelerations A of ground and bodies, the ground's being −g.
    pub motions: &'a mut [Twist<T>],
    /// Wrenches on ground and bodies.
    pub wrenches: &'a mut [Wrench<T>],
    /// Twists of the bodies per unit of each independent motor: six rows each, ω first; the first six are scratch.
    pub jacobians: &'a mut [Group<T>],
    /// Centre and directions of each cut joint.
    pub axes: &'a mut [CutAxes<T>],
    /// Matrices of the blocks.
    pub matrix: &'a mut [Group<T>],
    /// One over each pivot.
    pub inverses: &'a mut [T],
    /// What each step of an elimination multiplied with.
    pub multipliers: &'a mut [T],
    /// One number per row: closing gaps, or γ.
    pub gaps: &'a mut [T],
    /// One number per pivot: multipliers of the rows.
    pub lambdas: &'a mut [T],
    /// A row.
    pub vector: &'a mut [Group<T>],
    /// Rates per unit of each independent motor, a row per rate.
    pub slopes: &'a mut [Group<T>],
    /// Mass matrix of the independent motors, a row each.
    pub mass: &'a mut [Group<T>],
    /// A square for the dependent motors and one for the idle rates.
    pub small: &'a mut [T],
    /// Momenta of idle rates: for each, one number per rate.
    pub idle: &'a mut [T],
}

/// How long each list must be.
impl<T: Real> Memory<'_, T> {
    /// Numbers in [`small`](Self::small).
    pub fn small_for(plan: &Plan<'_, T>) -> usize {
        let dependent = plan.motors.len().saturating_sub(plan.independent());
        let idle = plan.legs.iter().map(|leg| leg.idle.len()).fold(0, usize::max);
        let most = dependent.max(idle).max(plan.independent());
        most * (most + 2)
    }
}

/// What fills memory before its first use.
pub trait Blank {
    /// Zeros.
    fn blank() -> Self;
}

macro_rules! blank {
    ($($t:ty => $value:expr),* $(,)?) => { $(impl<T: Real> Blank for $t { fn blank() -> Self { $value } })* };
}

blank!(
    Frame<T> => Frame::identity(),
    Twist<T> => Twist::zero(),
    Wrench<T> => Wrench::zero(),
    Group<T> => [T::zero(); 4],
    CutAxes<T> => CutAxes { centre: V3::zero(), forces: [V3::zero(); 3], moments: [V3::zero(); 3] },
);

//! Motion in time: the equations of motion of a robot as a rate of change, in
//! several formulations that judge each other.
//!
//! | | state | loops |
//! |---|---|---|
//! | [`DeltaMinimal`], [`Minimal`] | platform pose and twist \[KhalilIbrahim2007, Eq. 23, 28\] | closed by construction |
//! | [`Constrained`] | all joints, multipliers \[Bortoff2018, Eq. 14–16, 20–23\] | pulled back (Baumgarte) |
//! | [`Projected`] | all joints, multipliers | put back after each step |
//! | [`Hamiltonian`] | all joints and their momenta \[Bortoff2018, Eq. 17–19\] | put back after each step |
//! | [`Hamiltonian::rattle_step`] | the same, its own symplectic step | closed by each step |
//!
//! The forms in all joints are here for the arms of a Delta, in closed form ([`Arms`]); for every other robot they are in
//! the crate `legwork`, from bodies and joints.
//!
//! A [`Formulation`] with an [`Input`] is a [`Driven`] system for the integrators
//! of [`integrate`](crate::integrate); it keeps a ledger of work and dissipation
//! beside the state, so the energy balance of a run is a number.

mod arms;
mod constrained;
mod driven;
mod fault;
mod hamiltonian;
mod ldl;
mod minimal;
mod multibody;
mod orientation;

pub use arms::Arms;
pub use constrained::{Constrained, Projected};
pub use driven::{Driven, EnergyLedger, Input, Passive};
pub use fault::Fault;
pub use hamiltonian::{Hamiltonian, RattleStep};
pub use minimal::{DeltaMinimal, Minimal, PoseState};
pub use multibody::{Multibody, Reply, Terms};
pub use orientation::Quaternion;

pub use crate::drive::Coulomb;

use crate::engine::{Pose, Twist, Wrench};
use crate::integrate::Vector;

/// The most motors a robot may have here.
pub const MOST_MOTORS: usize = 24;

/// What acts on a robot at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Load<'a> {
    /// Efforts of the motors \[N·m or N\], friction not taken off.
    pub effort: &'a [f64],
    /// Wrench on the platform from outside, about its origin, base axes.
    pub wrench: Wrench<f64>,
}

impl<'a> Load<'a> {
    /// Motors alone.
    pub fn of_motors(effort: &'a [f64]) -> Self {
        Self { effort, wrench: Wrench::zero() }
    }
}

/// A rate of change, and where energy goes meanwhile.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rate<V> {
    /// ẋ
    pub state: V,
    /// What motors and outside wrench give \[W\].
    pub work: f64,
    /// What friction takes \[W\].
    pub dissipation: f64,
}

/// Kinetic and potential energy \[J\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Energy {
    /// T
    pub kinetic: f64,
    /// V
    pub potential: f64,
}

impl Energy {
    /// T + V
    pub fn total(&self) -> f64 {
        self.kinetic + self.potential
    }
}

/// One way to write the equations of motion.
pub trait Formulation {
    /// Positions and velocities of some kind.
    type State: Vector<f64>;

    /// How many motors.
    fn motors(&self) -> usize;

    /// The rate of change under a load.
    fn rate(&self, x: &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault>;

    /// The rate of the positions alone, velocities zero.
    fn position_rate(&self, x: &Self::State) -> Result<Self::State, Fault>;

    /// A rate with the part of the positions set to zero.
    fn without_position_rate(&self, rate: &Self::State) -> Self::State;

    /// Looks at a step of length `h` \[s\] before it is taken: puts its end back onto closed
    /// loops and tells whether it changed it, or refuses a step across a singularity.
    #[inline(always)]
    fn settle(&self, h: f64, before: &Self::State, x: &mut Self::State) -> Result<bool, Fault> {
        let _ = (h, before, x);
        Ok(false)
    }

    /// A state with the platform at a pose with a twist; components of the twist
    /// that the platform cannot have are left out.
    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<Self::State, Fault>;

    /// Pose and twist of the platform in base axes.
    fn platform(&self, x: &Self::State) -> (Pose<f64>, Twist<f64>);

    /// Positions and speeds of the motors \[rad or m\] into two lists of [`motors`](Self::motors) numbers.
    fn joints(&self, x: &Self::State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault>;

    /// Energies of all moving bodies; potential zero with every centre of mass at the base's origin.
    fn energy(&self, x: &Self::State) -> Energy;

    /// The state at the same place with the same velocities, if the one before had other masses:
    /// something was picked up or put down.
    fn taken_over(&self, before: &Self, x: &Self::State) -> Self::State
    where
        Self: Sized,
    {
        let _ = before;
        *x
    }

    /// How far the loops are open: the largest distance between two ends that should meet \[m\].
    fn loop_gap(&self, x: &Self::State) -> f64;
}

/// A formulation by reference.
impl<F: Formulation> Formulation for &F {
    type State = F::State;

    fn motors(&self) -> usize {
        (**self).motors()
    }
    #[inline(always)]
    fn rate(&self, x: &Self::State, load: &Load<'_>) -> Result<Rate<Self::State>, Fault> {
        (**self).rate(x, load)
    }
    fn position_rate(&self, x: &Self::State) -> Result<Self::State, Fault> {
        (**self).position_rate(x)
    }
    fn without_position_rate(&self, rate: &Self::State) -> Self::State {
        (**self).without_position_rate(rate)
    }
    #[inline(always)]
    fn settle(&self, h: f64, before: &Self::State, x: &mut Self::State) -> Result<bool, Fault> {
        (**self).settle(h, before, x)
    }
    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<Self::State, Fault> {
        (**self).state_at(pose, twist)
    }
    fn platform(&self, x: &Self::State) -> (Pose<f64>, Twist<f64>) {
        (**self).platform(x)
    }
    fn joints(&self, x: &Self::State, q: &mut [f64], qdot: &mut [f64]) -> Result<(), Fault> {
        (**self).joints(x, q, qdot)
    }
    fn energy(&self, x: &Self::State) -> Energy {
        (**self).energy(x)
    }
    fn taken_over(&self, before: &Self, x: &Self::State) -> Self::State {
        (**self).taken_over(before, x)
    }
    fn loop_gap(&self, x: &Self::State) -> f64 {
        (**self).loop_gap(x)
    }
}

/// Whether a step of length `h` goes more than half the way to a singularity, where the square
/// D² (a margin, its value and rate at the beginning of the step) becomes zero: D + 2 h Ḋ < 0.
///
/// A square touches zero and grows again, but on the far side the chart describes another
/// branch: the state would jump, and what a step makes of it is anything. A refused step is tried
/// again shorter, so a run comes as near to the singularity as its shortest step, and a smooth
/// minimum above zero is passed.
#[inline(always)]
fn too_near(h: f64, (margin, rate): (f64, f64)) -> bool {
    margin + h * rate < 0.0
}

/// Puts numbers into a list, as many as fit.
fn fill(list: &mut [f64], values: impl IntoIterator<Item = f64>) {
    for (slot, value) in list.iter_mut().zip(values) {
        *slot = value;
    }
}

/// The larger one; NaN if either is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// The smaller one; NaN if either is.
fn smaller(a: f64, b: f64) -> f64 {
    if a.is_nan() || a < b { a } else { b }
}

//! The general engine behind run-time sizes: legs of any shape in a list, and one
//! door from "D freedoms, K motors" to the engine's constant sizes.

use legwork_core::V3;
use legwork_core::drive::Coulomb;
use legwork_core::engine::{Hexapod, JointKind, LegModel, Mechanism, MotionSpace, Pose, RigidBody, Ups};

pub use crate::families::blueprint::AnyLeg;

/// A robot of the general engine with its sizes as numbers.
#[derive(Clone, Debug)]
pub(crate) struct Machine {
    pub platform: RigidBody<f64>,
    pub legs: Vec<AnyLeg>,
    /// Places of the freedoms in the twist.
    pub freedoms: Vec<usize>,
    pub gravity: V3<f64>,
    /// The same robot as six legs in closed form, if it is one: four times as fast.
    pub hexapod: Option<Box<Hexapod<f64>>>,
}

/// A question to a mechanism whose sizes are constants.
pub(super) trait Question {
    type Answer;
    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> Self::Answer;
}

/// Numbers of freedoms and of motors for which the engine is built.
macro_rules! sizes {
    ($self:ident, $question:ident, $($d:literal: [$($k:literal),*]),* $(,)?) => {
        match ($self.freedoms.len(), $self.motors()) {
            $($(($d, $k) => Some($question.ask($self.sized::<$d, $k>().as_ref()?)),)*)*
            _ => None,
        }
    };
}

impl Machine {
    pub(super) fn new(
        platform: RigidBody<f64>,
        legs: Vec<AnyLeg>,
        freedoms: Vec<usize>,
        gravity: V3<f64>,
    ) -> Self {
        let closed = |leg: &AnyLeg| if let AnyLeg::Ups(leg) = leg { Some(*leg) } else { None };
        let six = legs.iter().map(closed).collect::<Option<Vec<_>>>().and_then(|legs| legs.try_into().ok());
        let full = freedoms == [0, 1, 2, 3, 4, 5];
        let hexapod =
            six.filter(|_| full).map(|legs: [Ups<f64>; 6]| Box::new(Hexapod { legs, platform, gravity }));
        Self { platform, legs, freedoms, gravity, hexapod }
    }

    /// The same robot with other legs.
    pub(super) fn with_legs(&self, legs: Vec<AnyLeg>) -> Self {
        Self::new(self.platform, legs, self.freedoms.clone(), self.gravity)
    }

    pub(crate) fn motors(&self) -> usize {
        self.legs.iter().map(LegModel::active_joints).sum()
    }

    /// The same with dry friction that passes smoothly through zero, for motion in time.
    pub(super) fn smoothed(&self) -> Self {
        self.with_legs(self.legs.iter().map(|leg| leg.smoothed(Coulomb::WIDTH)).collect())
    }

    fn sized<const D: usize, const K: usize>(&self) -> Option<Mechanism<'_, f64, AnyLeg, D, K>> {
        let places: [usize; D] = self.freedoms.as_slice().try_into().ok()?;
        Some(Mechanism {
            platform: self.platform,
            legs: &self.legs,
            space: MotionSpace::of_components(places),
            gravity: self.gravity,
        })
    }

    /// Asks the engine; `None` for a number of freedoms and motors it is not built for.
    pub(super) fn ask<Q: Question>(&self, question: Q) -> Option<Q::Answer> {
        sizes!(
            self, question,
            1: [1],
            2: [2, 3],
            3: [3, 4, 6],
            4: [4],
            5: [5],
            6: [6, 7, 8, 12],
        )
    }

    /// Turning or sliding, for each motor; needs no posture but asks one leg after the other at `pose`.
    pub(super) fn motor_kinds(&self, pose: &Pose<f64>) -> Vec<JointKind> {
        let kinds =
            |leg: &AnyLeg| leg.kinematics(pose).value.iter().map(|joint| joint.kind).collect::<Vec<_>>();
        self.legs.iter().flat_map(kinds).collect()
    }
}

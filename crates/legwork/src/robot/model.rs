//! A robot of any type as the model of a regulator, in our own frame and signs, without a heap.
//!
//! A machine of the engine is asked through one [`Question`] for everything that a
//! [`Model`] is asked: answers go into slices, so that regulators do not multiply with the engine's sizes.

use super::mechanism::{AnyLeg, Machine, Question};
use legwork_core::Margin;
use legwork_core::control::{Joints, Model, Platform};
use legwork_core::engine::{Mechanism, Pose, Twist};
use legwork_core::robots::delta::Delta;

/// What a regulator knows of a robot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RobotModel<'a> {
    /// In closed form, hanging below its elbows.
    Delta(&'a Delta<f64>),
    /// Through the general engine.
    Engine(EngineModel<'a>),
}

/// A machine of the engine behind the door of slices.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EngineModel<'a>(pub(super) &'a Machine);

impl<'a> RobotModel<'a> {
    pub(super) fn delta(delta: &'a Delta<f64>) -> Self {
        Self::Delta(delta)
    }

    pub(super) fn engine(machine: &'a Machine) -> Self {
        Self::Engine(EngineModel(machine))
    }
}

/// One of the questions of [`Model`], and where its answer goes.
enum Asked<'a> {
    Joints { platform: &'a Platform<f64>, q: &'a mut [f64], qdot: &'a mut [f64], qddot: &'a mut [f64] },
    Platform { q: &'a [f64], qdot: &'a [f64], near: &'a Pose<f64>, found: &'a mut (Pose<f64>, Twist<f64>) },
    Effort { platform: &'a Platform<f64>, effort: &'a mut [f64] },
    Mass { pose: &'a Pose<f64>, rows: &'a mut [f64] },
    Follow { pose: &'a Pose<f64>, twist: &'a Twist<f64>, qddot: &'a [f64], found: &'a mut Twist<f64> },
}

/// The list as an array; a list of another length is NaN.
fn array<const K: usize>(list: &[f64]) -> [f64; K] {
    list.try_into().unwrap_or([f64::NAN; K])
}

/// The array as a list of the same length.
fn put(answer: &[f64], list: &mut [f64]) {
    list.iter_mut().zip(answer).for_each(|(slot, value)| *slot = *value);
}

impl Question for Asked<'_> {
    /// The margin of the answer.
    type Answer = f64;

    fn ask<const D: usize, const K: usize>(self, robot: &Mechanism<'_, f64, AnyLeg, D, K>) -> f64 {
        match self {
            Self::Joints { platform, q, qdot, qddot } => {
                let Margin { value, margin } = robot.joints(platform);
                put(&value.q, q);
                put(&value.qdot, qdot);
                put(&value.qddot, qddot);
                margin
            }
            Self::Platform { q, qdot, near, found } => {
                let Margin { value, margin } = robot.platform(&array::<K>(q), &array::<K>(qdot), near);
                *found = value;
                margin
            }
            Self::Effort { platform, effort } => {
                let Margin { value, margin } = Model::effort(robot, platform);
                put(&value, effort);
                margin
            }
            Self::Mass { pose, rows } => {
                let Margin { value, margin } = robot.joint_mass_matrix(pose);
                put(value.as_flattened(), rows);
                margin
            }
            Self::Follow { pose, twist, qddot, found } => {
                let Margin { value, margin } = robot.platform_acceleration(pose, twist, &array::<K>(qddot));
                *found = value;
                margin
            }
        }
    }
}

impl EngineModel<'_> {
    /// The margin; a machine of sizes that the engine is not built for has none.
    fn ask(self, asked: Asked<'_>) -> f64 {
        self.0.ask(asked).unwrap_or(f64::NAN)
    }
}

impl<const K: usize> Model<f64, K> for EngineModel<'_> {
    fn joints(&self, platform: &Platform<f64>) -> Margin<Joints<f64, K>, f64> {
        let nothing = [f64::NAN; K];
        let mut value = Joints { q: nothing, qdot: nothing, qddot: nothing };
        let Joints { q, qdot, qddot } = &mut value;
        let margin = self.ask(Asked::Joints { platform, q, qdot, qddot });
        Margin { value, margin }
    }

    fn platform(
        &self,
        q: &[f64; K],
        qdot: &[f64; K],
        near: &Pose<f64>,
    ) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        let mut value = (*near, Twist::zero());
        let margin = self.ask(Asked::Platform { q, qdot, near, found: &mut value });
        Margin { value, margin }
    }

    fn effort(&self, platform: &Platform<f64>) -> Margin<[f64; K], f64> {
        let mut value = [f64::NAN; K];
        let margin = self.ask(Asked::Effort { platform, effort: &mut value });
        Margin { value, margin }
    }

    fn joint_mass_matrix(&self, pose: &Pose<f64>) -> Margin<[[f64; K]; K], f64> {
        let mut value = [[f64::NAN; K]; K];
        let margin = self.ask(Asked::Mass { pose, rows: value.as_flattened_mut() });
        Margin { value, margin }
    }

    fn platform_acceleration(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &[f64; K],
    ) -> Margin<Twist<f64>, f64> {
        let mut value = Twist::zero();
        let margin = self.ask(Asked::Follow { pose, twist, qddot, found: &mut value });
        Margin { value, margin }
    }
}

/// Three motors of K; a Delta is only ever asked with K = 3.
fn widened<const K: usize>(three: [f64; 3]) -> [f64; K] {
    array(&three)
}

impl<const K: usize> Model<f64, K> for RobotModel<'_> {
    fn joints(&self, platform: &Platform<f64>) -> Margin<Joints<f64, K>, f64> {
        match self {
            Self::Delta(delta) => {
                let Margin { value: Joints { q, qdot, qddot }, margin } = delta.joints(platform);
                let value = Joints { q: widened(q), qdot: widened(qdot), qddot: widened(qddot) };
                Margin { value, margin }
            }
            Self::Engine(machine) => machine.joints(platform),
        }
    }

    fn platform(
        &self,
        q: &[f64; K],
        qdot: &[f64; K],
        near: &Pose<f64>,
    ) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        match self {
            Self::Delta(delta) => delta.platform(&array(q), &array(qdot), near),
            Self::Engine(machine) => machine.platform(q, qdot, near),
        }
    }

    fn effort(&self, platform: &Platform<f64>) -> Margin<[f64; K], f64> {
        match self {
            Self::Delta(delta) => {
                let Margin { value, margin } = delta.effort(platform);
                Margin { value: widened(value), margin }
            }
            Self::Engine(machine) => machine.effort(platform),
        }
    }

    fn joint_mass_matrix(&self, pose: &Pose<f64>) -> Margin<[[f64; K]; K], f64> {
        match self {
            Self::Delta(delta) => {
                let Margin { value, margin } = delta.joint_mass_matrix(pose);
                let mut rows = [[f64::NAN; K]; K];
                rows.iter_mut().zip(value).for_each(|(row, three)| *row = widened(three));
                Margin { value: rows, margin }
            }
            Self::Engine(machine) => machine.joint_mass_matrix(pose),
        }
    }

    fn platform_acceleration(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &[f64; K],
    ) -> Margin<Twist<f64>, f64> {
        match self {
            Self::Delta(delta) => delta.platform_acceleration(pose, twist, &array(qddot)),
            Self::Engine(machine) => machine.platform_acceleration(pose, twist, qddot),
        }
    }
}

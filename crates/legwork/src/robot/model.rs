//! A robot of any type as the model of a regulator, in our own frame and signs, without a heap.
//!
//! Here sizes known at compile time meet sizes known at run time, and nowhere else: a regulator has a constant
//! number of motors, a robot from a file has not. Answers go through lists with room for any robot, so that
//! regulators are built for each number of motors only.

use super::dense::{MAX_MOTORS, PerMotor};
use super::engine_model::{EngineModel, EngineMotion};
use legwork_core::control::{Joints, Model, Platform};
use legwork_core::engine::{Hexapod, Pose, Twist, Wrench};
use legwork_core::robots::delta::Delta;
use legwork_core::{Margin, Real};

/// What a regulator knows of a robot.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RobotModel<'a> {
    /// In closed form, hanging below its elbows.
    Delta(&'a Delta<f64>),
    /// Six UPS legs in closed form.
    Hexapod(&'a Hexapod<f64>),
    /// Through the general engine.
    Engine(&'a EngineModel),
}

impl<'a> RobotModel<'a> {
    pub(super) fn delta(delta: &'a Delta<f64>) -> Self {
        Self::Delta(delta)
    }

    pub(super) fn engine(model: &'a EngineModel) -> Self {
        match &model.hexapod {
            Some(closed) => Self::Hexapod(&closed.hexapod),
            None => Self::Engine(model),
        }
    }
}

/// Newton steps from the pose of the last sample. Each squares the error: 20 mrad or mm between samples
/// become less than rounding.
const NEWTON_STEPS: usize = 4;

/// The gap at the motors that counts as closed \[rad or m\]; Newton's method ends far below or far above.
const CLOSED: f64 = 1e-5;

/// The list as an array; what is missing is NaN.
fn array<const K: usize>(list: &[f64]) -> [f64; K] {
    let mut out = [f64::NAN; K];
    out.iter_mut().zip(list).for_each(|(slot, value)| *slot = *value);
    out
}

/// The array as a list with room.
fn list(array: &[f64]) -> PerMotor {
    let mut out = [0.0; MAX_MOTORS];
    out.iter_mut().zip(array).for_each(|(slot, value)| *slot = *value);
    out
}

/// The motion without what are no freedoms.
fn in_freedoms(model: &EngineModel, platform: &Platform<f64>) -> EngineMotion {
    let pick = |twist: &Twist<f64>| model.spread(&model.picked(&twist.to_vector_linear_first()));
    let (twist, acceleration) = (pick(&platform.twist), pick(&platform.acceleration));
    EngineMotion { pose: platform.pose, twist, acceleration }
}

impl<const K: usize> Model<f64, K> for EngineModel {
    fn joints(&self, platform: &Platform<f64>) -> Margin<Joints<f64, K>, f64> {
        let Margin { value, margin } = self.inverse_dynamics(&in_freedoms(self, platform), Wrench::zero());
        let mut q = [f64::NAN; K];
        q.iter_mut().enumerate().for_each(|(k, slot)| *slot = value.motors.coordinate(k));
        let value = Joints { q, qdot: array(&value.motors.rate), qddot: array(&value.acceleration) };
        Margin { value, margin }
    }

    fn platform(
        &self,
        q: &[f64; K],
        qdot: &[f64; K],
        near: &Pose<f64>,
    ) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        let (pose, gap, margin) = self.newton_steps(&list(q), near, NEWTON_STEPS);
        let rate = self.platform_rate(&self.kinematics(&pose).value, &list(qdot)).value;
        Margin { value: (pose, self.spread(&rate)), margin: Real::min(margin, CLOSED - gap) }
    }

    fn effort(&self, platform: &Platform<f64>) -> Margin<[f64; K], f64> {
        let Margin { value, margin } = self.inverse_dynamics(&in_freedoms(self, platform), Wrench::zero());
        Margin { value: array(&value.effort), margin }
    }

    fn joint_mass_matrix(&self, pose: &Pose<f64>) -> Margin<[[f64; K]; K], f64> {
        let Margin { value: equation, margin: reach } = self.platform_equation(pose, Twist::zero());
        let Margin { value, margin } = equation.in_joint_space();
        let mut rows = [[f64::NAN; K]; K];
        rows.iter_mut().zip(&value.mass).for_each(|(row, found)| *row = array(found));
        Margin { value: rows, margin: Real::min(margin, reach) }
    }

    fn platform_acceleration(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &[f64; K],
    ) -> Margin<Twist<f64>, f64> {
        let twist = self.spread(&self.picked(&twist.to_vector_linear_first()));
        let Margin { value: equation, margin: reach } = self.platform_equation(pose, twist);
        let mut driven = list(qddot);
        driven.iter_mut().zip(equation.motors.bias).for_each(|(slot, bias)| *slot -= bias);
        let Margin { value, margin } = self.platform_rate(&equation.motors, &driven);
        Margin { value: self.spread(&value), margin: Real::min(reach, margin) }
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
            Self::Hexapod(hexapod) => {
                let Margin { value: Joints { q, qdot, qddot }, margin } = hexapod.joints(platform);
                let value = Joints { q: array(&q), qdot: array(&qdot), qddot: array(&qddot) };
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
            Self::Hexapod(hexapod) => hexapod.platform(&array(q), &array(qdot), near),
            Self::Engine(machine) => machine.platform(q, qdot, near),
        }
    }

    fn effort(&self, platform: &Platform<f64>) -> Margin<[f64; K], f64> {
        match self {
            Self::Delta(delta) => {
                let Margin { value, margin } = delta.effort(platform);
                Margin { value: widened(value), margin }
            }
            Self::Hexapod(hexapod) => {
                let Margin { value, margin } = hexapod.effort(platform);
                Margin { value: array(&value), margin }
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
            Self::Hexapod(hexapod) => {
                let Margin { value, margin } = hexapod.joint_mass_matrix(pose);
                let mut rows = [[f64::NAN; K]; K];
                rows.iter_mut().zip(&value).for_each(|(row, six)| *row = array(six));
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
            Self::Hexapod(hexapod) => Model::platform_acceleration(*hexapod, pose, twist, &array(qddot)),
            Self::Engine(machine) => machine.platform_acceleration(pose, twist, qddot),
        }
    }
}

//! A robot of any type as the model of a regulator, in our own frame and signs, without a heap.
//!
//! Here sizes known at compile time meet sizes known at run time, and nowhere else: a regulator has a constant
//! number of motors, a robot from a file has not. Answers go through lists with room for any robot, so that
//! regulators are built for each number of motors only.

use super::dense::{MAX_MOTORS, PerMotor};
use super::engine_model::{EngineModel, EngineMotion};
use super::mechanism::MechanismRobot;
use legwork_core::control::{Joints, Model, Platform};
use legwork_core::engine::{Hexapod, Pose, Twist, Wrench};
use legwork_core::robots::delta::Delta;
use legwork_core::{Margin, Real};

/// What a regulator knows of a robot.
#[derive(Clone, Copy, Debug)]
pub enum RobotModel<'a> {
    /// In closed form, hanging below its elbows.
    Delta(&'a Delta<f64>),
    /// Six UPS legs in closed form.
    Hexapod(&'a Hexapod<f64>),
    /// Through the general engine.
    Engine(&'a EngineModel),
    /// As a mechanism of bodies and joints.
    Mechanism(&'a MechanismRobot),
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

/// The gap at the motors that counts as closed: turns \[rad\], slides in units of the platform's size. Newton's method
/// ends far below or far above.
const CLOSED: f64 = 1e-5;

/// The list with another length; what is missing is zero.
fn resized<const K: usize>(list: &[f64]) -> [f64; K] {
    let mut out = [0.0; K];
    out.iter_mut().zip(list).for_each(|(slot, value)| *slot = *value);
    out
}

/// The rows of a square matrix with another size; what is missing is zero.
fn resized_rows<const N: usize, const K: usize>(rows: &[[f64; N]]) -> [[f64; K]; K] {
    let mut out = [[0.0; K]; K];
    out.iter_mut().zip(rows).for_each(|(slot, row)| *slot = resized(row));
    out
}

/// Motor coordinates with rates, another number of them.
fn resized_joints<const N: usize, const K: usize>(joints: &Joints<f64, N>) -> Joints<f64, K> {
    Joints { q: resized(&joints.q), qdot: resized(&joints.qdot), qddot: resized(&joints.qddot) }
}

/// The motion without what are no freedoms.
fn in_freedoms(model: &EngineModel, platform: &Platform<f64>) -> EngineMotion {
    let pick = |twist: &Twist<f64>| model.spread(&model.picked(&twist.to_vector_linear_first()));
    let (twist, acceleration) = (pick(&platform.twist), pick(&platform.acceleration));
    EngineMotion { pose: platform.pose, twist, acceleration }
}

/// Answers in lists with room for any robot; the formulas behind them are built once, not once per number of motors.
impl EngineModel {
    fn motor_joints(&self, platform: &Platform<f64>) -> Margin<Joints<f64, MAX_MOTORS>, f64> {
        let Margin { value, margin } = self.inverse_dynamics(&in_freedoms(self, platform), Wrench::zero());
        let mut q = [0.0; MAX_MOTORS];
        q.iter_mut().enumerate().for_each(|(k, slot)| *slot = value.motors.coordinate(k));
        Margin { value: Joints { q, qdot: value.motors.rate, qddot: value.acceleration }, margin }
    }

    fn platform_of(
        &self,
        q: &PerMotor,
        qdot: &PerMotor,
        near: &Pose<f64>,
    ) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        let (pose, gap, margin) = self.newton_steps(q, near, NEWTON_STEPS);
        let rate = self.platform_rate(&self.kinematics(&pose).value, qdot).value;
        Margin { value: (pose, self.spread(&rate)), margin: Real::min(margin, CLOSED - gap) }
    }

    fn motor_effort(&self, platform: &Platform<f64>) -> Margin<PerMotor, f64> {
        let Margin { value, margin } = self.inverse_dynamics(&in_freedoms(self, platform), Wrench::zero());
        Margin { value: value.effort, margin }
    }

    fn motor_mass_matrix(&self, pose: &Pose<f64>) -> Margin<[PerMotor; MAX_MOTORS], f64> {
        let Margin { value: equation, margin: reach } = self.platform_equation(pose, Twist::zero());
        let Margin { value, margin } = equation.in_joint_space();
        Margin { value: value.mass, margin: Real::min(margin, reach) }
    }

    fn acceleration_of(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &PerMotor,
    ) -> Margin<Twist<f64>, f64> {
        let twist = self.spread(&self.picked(&twist.to_vector_linear_first()));
        let Margin { value: equation, margin: reach } = self.platform_equation(pose, twist);
        let mut driven = *qddot;
        driven.iter_mut().zip(equation.motors.bias).for_each(|(slot, bias)| *slot -= bias);
        let Margin { value, margin } = self.platform_rate(&equation.motors, &driven);
        Margin { value: self.spread(&value), margin: Real::min(reach, margin) }
    }
}

/// A closed form answers with its own number of motors; `map` brings its answer to another.
fn with<A, B>(answer: &Margin<A, f64>, map: impl FnOnce(&A) -> B) -> Margin<B, f64> {
    Margin { value: map(&answer.value), margin: answer.margin }
}

/// Never inlined: the formulas below stand once in the program, whatever the number of motors.
impl RobotModel<'_> {
    #[inline(never)]
    fn motor_joints(&self, platform: &Platform<f64>) -> Margin<Joints<f64, MAX_MOTORS>, f64> {
        match self {
            Self::Delta(delta) => with(&delta.joints(platform), resized_joints),
            Self::Hexapod(hexapod) => with(&hexapod.joints(platform), resized_joints),
            Self::Engine(model) => model.motor_joints(platform),
            Self::Mechanism(robot) => robot.motor_joints(platform),
        }
    }

    #[inline(never)]
    fn platform_of(
        &self,
        q: &PerMotor,
        qdot: &PerMotor,
        near: &Pose<f64>,
    ) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        match self {
            Self::Delta(delta) => delta.platform(&resized(q), &resized(qdot), near),
            Self::Hexapod(hexapod) => hexapod.platform(&resized(q), &resized(qdot), near),
            Self::Engine(model) => model.platform_of(q, qdot, near),
            Self::Mechanism(robot) => robot.platform_near(q, qdot, near),
        }
    }

    #[inline(never)]
    fn motor_effort(&self, platform: &Platform<f64>) -> Margin<PerMotor, f64> {
        match self {
            Self::Delta(delta) => with(&delta.effort(platform), |three| resized(three)),
            Self::Hexapod(hexapod) => with(&hexapod.effort(platform), |six| resized(six)),
            Self::Engine(model) => model.motor_effort(platform),
            Self::Mechanism(robot) => robot.motor_effort(platform),
        }
    }

    #[inline(never)]
    fn motor_mass_matrix(&self, pose: &Pose<f64>) -> Margin<[PerMotor; MAX_MOTORS], f64> {
        match self {
            Self::Delta(delta) => with(&delta.joint_mass_matrix(pose), |rows| resized_rows(rows)),
            Self::Hexapod(hexapod) => with(&hexapod.joint_mass_matrix(pose), |rows| resized_rows(rows)),
            Self::Engine(model) => model.motor_mass_matrix(pose),
            Self::Mechanism(robot) => robot.motor_mass_matrix(pose),
        }
    }

    #[inline(never)]
    fn acceleration_of(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &PerMotor,
    ) -> Margin<Twist<f64>, f64> {
        match self {
            Self::Delta(delta) => delta.platform_acceleration(pose, twist, &resized(qddot)),
            Self::Hexapod(hexapod) => Model::platform_acceleration(*hexapod, pose, twist, &resized(qddot)),
            Self::Engine(model) => model.acceleration_of(pose, twist, qddot),
            Self::Mechanism(robot) => robot.acceleration_of(pose, twist, qddot),
        }
    }

    #[inline(never)]
    fn motor_effort_from(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &PerMotor,
    ) -> Margin<PerMotor, f64> {
        match self {
            Self::Delta(delta) => {
                with(&delta.effort_from_joints(pose, twist, &resized(qddot)), |three| resized(three))
            }
            Self::Hexapod(hexapod) => {
                with(&Model::effort_from_joints(*hexapod, pose, twist, &resized(qddot)), |six| resized(six))
            }
            Self::Engine(model) => {
                let follow = model.acceleration_of(pose, twist, qddot);
                let motion = Platform { pose: *pose, twist: *twist, acceleration: follow.value };
                let Margin { value, margin } = model.motor_effort(&motion);
                Margin { value, margin: Real::min(margin, follow.margin) }
            }
            Self::Mechanism(robot) => {
                let follow = robot.acceleration_of(pose, twist, qddot);
                let motion = Platform { pose: *pose, twist: *twist, acceleration: follow.value };
                let Margin { value, margin } = robot.motor_effort(&motion);
                Margin { value, margin: Real::min(margin, follow.margin) }
            }
        }
    }
}

/// K motors, or room for more: what is missing is zero.
impl<const K: usize> Model<f64, K> for RobotModel<'_> {
    fn joints(&self, platform: &Platform<f64>) -> Margin<Joints<f64, K>, f64> {
        with(&self.motor_joints(platform), resized_joints)
    }

    fn platform(
        &self,
        q: &[f64; K],
        qdot: &[f64; K],
        near: &Pose<f64>,
    ) -> Margin<(Pose<f64>, Twist<f64>), f64> {
        self.platform_of(&resized(q), &resized(qdot), near)
    }

    fn effort(&self, platform: &Platform<f64>) -> Margin<[f64; K], f64> {
        with(&self.motor_effort(platform), |list| resized(list))
    }

    fn joint_mass_matrix(&self, pose: &Pose<f64>) -> Margin<[[f64; K]; K], f64> {
        with(&self.motor_mass_matrix(pose), |rows| resized_rows(rows))
    }

    fn platform_acceleration(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &[f64; K],
    ) -> Margin<Twist<f64>, f64> {
        self.acceleration_of(pose, twist, &resized(qddot))
    }

    fn effort_from_joints(
        &self,
        pose: &Pose<f64>,
        twist: &Twist<f64>,
        qddot: &[f64; K],
    ) -> Margin<[f64; K], f64> {
        with(&self.motor_effort_from(pose, twist, &resized(qddot)), |list| resized(list))
    }
}

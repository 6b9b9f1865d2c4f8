//! A robot of any type whose base moves: inertial forces of all its bodies, carried over to the platform.
//!
//! Seen from the base, a base that moves adds forces to every body. In the freedoms of the platform they are one wrench,
//! so that the equation of motion of a robot at rest holds with it,
//!
//! ```text
//! τ = M q̈ + C + G + F − Jᵀ (w + w_base),    w_base = D(base at rest) − D(base in motion)
//! ```
//!
//! where D is what a motion asks for at the platform, by the recursions of all legs as chains that begin with the
//! motion of the base ([`legwork_core::engine::moving_base`]).

use super::engine::EngineRobot;
use super::engine_model::EngineModel;
use super::{AnyRobot, PlatformState, RobotError, State};
use crate::rotation::{IDENTITY, Matrix, rotated, transposed};
use legwork_core::V3;
use legwork_core::engine::{BaseMotion, LegEffort, Pose, Twist};
use std::borrow::Cow;

/// How the frame moves in which poses are given: that of the robot's base, or of its cell. Vectors are in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MovingBase {
    /// How it is turned against where gravity is as the robot's file says, by rows: maps vectors of the frame to those
    /// of the upright one.
    pub rotation: Matrix,
    /// Velocity of its origin \[m/s\], which has no effect on efforts, then angular velocity \[rad/s\].
    pub twist: [f64; 6],
    /// Acceleration of its origin \[m/s²\], then angular acceleration \[rad/s²\].
    pub acceleration: [f64; 6],
}

impl MovingBase {
    /// At rest, upright.
    pub const REST: Self = Self { rotation: IDENTITY, twist: [0.0; 6], acceleration: [0.0; 6] };

    /// For the engine, where gravity is this in the upright frame.
    fn motion(&self, gravity: V3<f64>) -> BaseMotion<f64> {
        let [_, _, _, wx, wy, wz] = self.twist;
        let [ax, ay, az, bx, by, bz] = self.acceleration;
        BaseMotion {
            angular_velocity: V3::new(wx, wy, wz),
            linear_acceleration: V3::new(ax, ay, az),
            angular_acceleration: V3::new(bx, by, bz),
            gravity: rotated(&transposed(&self.rotation), gravity.to_array()).into(),
        }
    }

    fn check(&self) -> Result<(), RobotError> {
        for (what, list) in [
            ("rotation of the base", self.rotation.as_flattened()),
            ("velocity of the base", &self.twist),
            ("acceleration of the base", &self.acceleration),
        ] {
            if let Some((component, value)) = list.iter().enumerate().find(|(_, value)| !value.is_finite()) {
                return Err(RobotError::NotFinite { what, component, value: *value });
            }
        }
        Ok(())
    }
}

/// A robot on a base that moves, see [`AnyRobot::on_moving_base`].
#[derive(Clone, Debug)]
pub struct RobotOnMovingBase {
    robot: AnyRobot,
    /// The same of legs, in the user's frame.
    legs: EngineRobot,
}

impl AnyRobot {
    /// The same robot where its base moves. A Delta's forearms are exact then, whatever model it has.
    ///
    /// ```
    /// use legwork::{AnyRobot, MovingBase, PlatformState};
    ///
    /// let robot = AnyRobot::open("delta-industrial")?;
    /// let here = PlatformState::at([0.1, -0.05, -0.8]);
    /// // In a lift that falls freely nothing has weight.
    /// let falling = MovingBase { acceleration: [0.0, 0.0, -9.81, 0.0, 0.0, 0.0], ..MovingBase::REST };
    /// let torque = robot.on_moving_base()?.inverse_dynamics(&here, &falling)?;
    /// assert!(torque.iter().all(|torque| torque.abs() < 1e-12));
    /// # Ok::<(), legwork::RobotError>(())
    /// ```
    pub fn on_moving_base(&self) -> Result<RobotOnMovingBase, RobotError> {
        if !self.has_masses() {
            return Err(RobotError::NoMasses { robot: self.name().into() });
        }
        Ok(RobotOnMovingBase { robot: self.clone(), legs: self.of_legs()? })
    }
}

impl RobotOnMovingBase {
    fn model(&self) -> &EngineModel {
        self.legs.model()
    }

    /// w_base: what the motion of the base does to the platform \[N, N m\], about the platform point, zero where it has
    /// no freedom. Depends on pose and velocity of the platform, not on its acceleration.
    pub fn inertial_wrench(
        &self,
        platform: &PlatformState,
        base: &MovingBase,
    ) -> Result<[f64; 6], RobotError> {
        base.check()?;
        let pose = self.legs.pose(platform)?;
        let found = self.wrench_at(&pose, Twist::from_vector_linear_first(platform.twist), base);
        super::kinematics::finite("inertial forces", &found)?;
        Ok(found)
    }

    /// The same without a check, in the user's frame.
    pub(crate) fn wrench_at(&self, pose: &Pose<f64>, twist: Twist<f64>, base: &MovingBase) -> [f64; 6] {
        let gravity = self.model().gravity;
        let demand = |base: &BaseMotion<f64>| self.demand(base, pose, twist, Twist::zero());
        let (at_rest, moving) = (demand(&BaseMotion::rest(gravity)), demand(&base.motion(gravity)));
        let mut wrench = [0.0; 6];
        for place in &self.model().freedoms {
            if let (Some(slot), Some(a), Some(b)) =
                (wrench.get_mut(*place), at_rest.get(*place), moving.get(*place))
            {
                *slot = a - b;
            }
        }
        wrench
    }

    /// D: what a motion asks for, at the platform point.
    fn demand(
        &self,
        base: &BaseMotion<f64>,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        acceleration: Twist<f64>,
    ) -> [f64; 6] {
        let model = self.model();
        let mut sum =
            base.platform_wrench(&model.platform, pose, twist, acceleration).to_vector_linear_first();
        for leg in model.legs_at(pose) {
            let effort = leg.effort_on(base, pose, twist, acceleration).value;
            sum.iter_mut().zip(effort.wrench).for_each(|(sum, part)| *sum += part);
            for joint in effort.active.iter() {
                sum.iter_mut().zip(joint.row).for_each(|(sum, row)| *sum += row * joint.effort);
            }
        }
        sum
    }

    /// The state with the motion of the base as a wrench on the platform.
    fn loaded(&self, platform: &PlatformState, base: &MovingBase) -> Result<PlatformState, RobotError> {
        let more = self.inertial_wrench(platform, base)?;
        let mut loaded = *platform;
        loaded.wrench.iter_mut().zip(more).for_each(|(sum, part)| *sum += part);
        Ok(loaded)
    }

    /// What the motors must give for a motion of the platform relative to the base, friction included \[N m or N\].
    pub fn inverse_dynamics(
        &self,
        platform: &PlatformState,
        base: &MovingBase,
    ) -> Result<Vec<f64>, RobotError> {
        self.robot.inverse_dynamics(&self.loaded(platform, base)?)
    }

    /// Accelerations relative to the base under these efforts \[N m or N\].
    pub fn forward_dynamics(
        &self,
        platform: &PlatformState,
        effort: &[f64],
        base: &MovingBase,
    ) -> Result<super::ForwardDynamics, RobotError> {
        self.robot.forward_dynamics(&self.loaded(platform, base)?, effort)
    }

    /// Everything about one state, and what of its efforts is for the motion of the base. Energies are those that the
    /// base sees.
    pub fn state(
        &self,
        platform: &PlatformState,
        base: &MovingBase,
    ) -> Result<(State, Vec<f64>), RobotError> {
        let loaded = self.robot.state(&self.loaded(platform, base)?)?;
        let mut state = State { platform: *platform, ..loaded };
        let plain = self.robot.state(platform)?;
        let mut part = Vec::new();
        if let (Some(dynamics), Some(plain)) = (&mut state.dynamics, plain.dynamics) {
            part =
                dynamics.external.iter().zip(&plain.external).map(|(with, without)| with - without).collect();
            dynamics.leg_force = self.leg_forces(platform, base, &dynamics.motor)?;
            dynamics.external = plain.external;
        }
        Ok((state, part))
    }

    /// What each leg pushes along its last link while the motors give `motors`, in the signs of the user.
    fn leg_forces(
        &self,
        platform: &PlatformState,
        base: &MovingBase,
        motors: &[f64],
    ) -> Result<Vec<f64>, RobotError> {
        let pose = self.legs.pose(platform)?;
        let (twist, acceleration) = (
            Twist::from_vector_linear_first(platform.twist),
            Twist::from_vector_linear_first(platform.acceleration),
        );
        let motion = base.motion(self.model().gravity);
        let (_, holds) = self.model().holds(&pose);
        let mut first = 0;
        let force = |(leg, hold): (Cow<'_, super::AnyLeg>, &legwork_core::engine::LegHold)| {
            let effort: LegEffort<f64> = leg.effort_on(&motion, &pose, twist, acceleration).value;
            let own = motors.get(first..).unwrap_or(&[]);
            first += effort.active.iter().count();
            effort.force(own).dot(hold.direction)
        };
        Ok(self.model().legs_at(&pose).zip(&holds).map(force).collect())
    }
}

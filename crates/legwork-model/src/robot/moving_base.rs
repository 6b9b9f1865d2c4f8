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
use super::mechanism::MechanismRobot;
use super::{AnyRobot, Kind, PlatformState, RobotError, State};
use crate::rotation::{IDENTITY, Matrix, rotated, transposed};
use legwork_core::engine::{BaseMotion, LegEffort, Pose, Twist};
use legwork_core::{M3, V3};
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
    bodies: Bodies,
}

/// What feels the motion of the base.
#[derive(Clone, Debug)]
enum Bodies {
    /// The same robot of legs, in the user's frame.
    Legs(Box<EngineRobot>),
    /// Bodies and joints.
    Mechanism(Box<MechanismRobot>),
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
        if !self.held_motors().is_empty() {
            return Err(RobotError::HeldOnMovingBase { robot: self.name().into() });
        }
        let bodies = match &self.kind {
            Kind::Mechanism(robot) => Bodies::Mechanism(robot.clone()),
            Kind::Delta(_) | Kind::Engine(_) => Bodies::Legs(Box::new(self.of_legs()?)),
        };
        Ok(RobotOnMovingBase { robot: self.clone(), bodies })
    }
}

impl RobotOnMovingBase {
    /// w_base: what the motion of the base does to the platform \[N, N m\], about the platform point, zero where it has
    /// no freedom. Depends on pose and velocity of the platform, not on its acceleration.
    pub fn inertial_wrench(
        &self,
        platform: &PlatformState,
        base: &MovingBase,
    ) -> Result<[f64; 6], RobotError> {
        base.check()?;
        let twist = Twist::from_vector_linear_first(platform.twist);
        let found = match &self.bodies {
            Bodies::Legs(legs) => of_legs(legs.model(), &legs.pose(platform)?, twist, base),
            Bodies::Mechanism(robot) => {
                let [x, y, z] = platform.rotation.map(V3::from);
                let pose = Pose::new(M3::from_rows(x, y, z), platform.position.into());
                of_mechanism(robot, &pose, twist, base)?
            }
        };
        super::kinematics::finite("inertial forces", &found)?;
        Ok(found)
    }

    /// The same without a check, in the user's frame; NaN where the robot cannot be.
    pub(crate) fn wrench_at(&self, pose: &Pose<f64>, twist: Twist<f64>, base: &MovingBase) -> [f64; 6] {
        match &self.bodies {
            Bodies::Legs(legs) => of_legs(legs.model(), pose, twist, base),
            Bodies::Mechanism(robot) => of_mechanism(robot, pose, twist, base).unwrap_or([f64::NAN; 6]),
        }
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
            // A mechanism has joints, not legs.
            if let Bodies::Legs(legs) = &self.bodies {
                dynamics.leg_force = leg_forces(legs, platform, base, &dynamics.motor)?;
            }
            dynamics.external = plain.external;
        }
        Ok((state, part))
    }
}

/// The wrench that the motion of the base is, for a mechanism.
fn of_mechanism(
    robot: &MechanismRobot,
    pose: &Pose<f64>,
    twist: Twist<f64>,
    base: &MovingBase,
) -> Result<[f64; 6], RobotError> {
    let gravity = robot.model().description().gravity;
    robot.inertial_wrench(pose, twist, [&BaseMotion::rest(gravity), &base.motion(gravity)])
}

/// The same for legs.
fn of_legs(model: &EngineModel, pose: &Pose<f64>, twist: Twist<f64>, base: &MovingBase) -> [f64; 6] {
    let gravity = model.gravity;
    let (at_rest, moving) = (
        demand(model, &BaseMotion::rest(gravity), pose, twist),
        demand(model, &base.motion(gravity), pose, twist),
    );
    let mut wrench = [0.0; 6];
    for place in &model.freedoms {
        if let (Some(slot), Some(a), Some(b)) =
            (wrench.get_mut(*place), at_rest.get(*place), moving.get(*place))
        {
            *slot = a - b;
        }
    }
    wrench
}

/// D: what a motion asks for, at the platform point.
fn demand(model: &EngineModel, base: &BaseMotion<f64>, pose: &Pose<f64>, twist: Twist<f64>) -> [f64; 6] {
    let still = Twist::zero();
    let mut sum = base.platform_wrench(&model.platform, pose, twist, still).to_vector_linear_first();
    for leg in model.legs_at(pose) {
        let effort = leg.effort_on(base, pose, twist, still).value;
        sum.iter_mut().zip(effort.wrench).for_each(|(sum, part)| *sum += part);
        for joint in effort.active.iter() {
            sum.iter_mut().zip(joint.row).for_each(|(sum, row)| *sum += row * joint.effort);
        }
    }
    sum
}

/// What each leg pushes along its last link while the motors give `motors`, in the signs of the user.
fn leg_forces(
    legs: &EngineRobot,
    platform: &PlatformState,
    base: &MovingBase,
    motors: &[f64],
) -> Result<Vec<f64>, RobotError> {
    let pose = legs.pose(platform)?;
    let (twist, acceleration) = (
        Twist::from_vector_linear_first(platform.twist),
        Twist::from_vector_linear_first(platform.acceleration),
    );
    let motion = base.motion(legs.model().gravity);
    let (_, holds) = legs.model().holds(&pose);
    let mut first = 0;
    let force = |(leg, hold): (Cow<'_, super::AnyLeg>, &legwork_core::engine::LegHold)| {
        let effort: LegEffort<f64> = leg.effort_on(&motion, &pose, twist, acceleration).value;
        let own = motors.get(first..).unwrap_or(&[]);
        first += effort.active.iter().count();
        effort.force(own).dot(hold.direction)
    };
    Ok(legs.model().legs_at(&pose).zip(&holds).map(force).collect())
}

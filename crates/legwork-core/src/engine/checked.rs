//! The checked form for `f64`: robots that can be built, states that can be
//! reached, and typed errors with the numbers in them.

use super::leg::{Leg, LegModel};
use super::mechanism::{
    ActiveState, JointDynamics, Mechanism, PlatformMotion, RobotAcceleration, RobotEffort,
};
use super::robot::Robot;
use super::spatial::{BodyError, Pose, Twist, Wrench};
use crate::{Margin, Real};
use core::fmt;

/// Below this a margin counts as zero: seven digits above rounding. Margins of legs and motors have no unit.
pub(super) const SINGULAR: f64 = 1e-9;

/// Why a robot cannot be built from these numbers. Legs and joints are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum RobotError {
    /// The platform's mass and inertia are impossible.
    Platform(BodyError),
    /// A link's mass and inertia are impossible.
    Body {
        /// Which leg.
        leg: usize,
        /// Which link.
        link: usize,
        /// What is wrong.
        error: BodyError,
    },
    /// The attachment passes on more components than the chain has joints: the leg
    /// would hold the platform in directions that nothing moves (a planar leg on a ball joint).
    TooFewJoints {
        /// Which leg.
        leg: usize,
        /// Its joints.
        joints: usize,
        /// What its attachment passes on.
        components: usize,
    },
    /// The chain has more joints than the attachment passes on: it would flap.
    TooManyJoints {
        /// Which leg.
        leg: usize,
        /// Its joints.
        joints: usize,
        /// What its attachment passes on.
        components: usize,
    },
    /// The closed-form kinematics is for a chain with another number of joints.
    WrongShape {
        /// Which leg.
        leg: usize,
        /// Its joints.
        joints: usize,
        /// What the closed form needs.
        needed: usize,
    },
    /// Fewer motors than freedoms: the platform could not be held.
    TooFewMotors {
        /// Active joints of all legs.
        motors: usize,
        /// Freedoms of the platform.
        freedoms: usize,
    },
    /// Another number of active joints than the type says.
    MotorCount {
        /// Active joints of all legs.
        found: usize,
        /// K
        expected: usize,
    },
    /// The columns of S are dependent: fewer freedoms than it claims.
    MotionSpaceRank {
        /// D
        freedoms: usize,
        /// Smallest |r_kk| of S.
        margin: f64,
    },
    /// The freedoms are those of no joint, see [`MotionSpace::rolling`](super::MotionSpace::rolling).
    Rolling {
        /// The part of a turn there and back that is no freedom.
        missed: f64,
    },
    /// The home pose has no answer.
    Home(StateError),
    /// The closed-form kinematics does not close the leg at the home pose: the chain
    /// has another shape than the closed form is for.
    DoesNotClose {
        /// Which leg.
        leg: usize,
        /// The gap left at the attachment \[m, rad\].
        gap: f64,
    },
    /// An axis, a placement, a friction or a motor inertia is not a usable number.
    BadNumber {
        /// Which leg.
        leg: usize,
        /// Which link.
        link: usize,
        /// Which of its numbers.
        what: &'static str,
        /// The value, or how far a rotation is from being one.
        value: f64,
    },
}

impl fmt::Display for RobotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Platform(error) => write!(f, "platform: {error}"),
            Self::Body { leg, link, error } => write!(f, "leg {}, link {}: {error}", leg + 1, link + 1),
            Self::TooFewJoints { leg, joints, components } => write!(
                f,
                "leg {} has {joints} joints, but its attachment passes on {components} components: overconstrained",
                leg + 1
            ),
            Self::TooManyJoints { leg, joints, components } => write!(
                f,
                "leg {} has {joints} joints, but its attachment passes on only {components} components",
                leg + 1
            ),
            Self::WrongShape { leg, joints, needed } => {
                write!(f, "leg {} has {joints} joints, its closed-form kinematics is for {needed}", leg + 1)
            }
            Self::TooFewMotors { motors, freedoms } => {
                write!(f, "{motors} motors cannot hold a platform with {freedoms} freedoms")
            }
            Self::MotorCount { found, expected } => {
                write!(f, "{found} active joints found, {expected} expected")
            }
            Self::MotionSpaceRank { freedoms, margin } => write!(
                f,
                "the motion space claims {freedoms} freedoms, but its columns are dependent (margin {margin:.1e})"
            ),
            Self::Rolling { missed } => write!(
                f,
                "the freedoms are a rolling constraint and no joint: two turns there and back leave another one, {missed:.2} \
                 of which is no freedom; give S and its rate at each pose"
            ),
            Self::Home(error) => write!(f, "home pose: {error}"),
            Self::DoesNotClose { leg, gap } => write!(
                f,
                "leg {} misses its attachment at the home pose by {gap:.3e}: its chain has not the shape that its \
                 closed-form kinematics is for",
                leg + 1
            ),
            Self::BadNumber { leg, link, what, value } => {
                write!(f, "leg {}, link {}: {what} is {value}", leg + 1, link + 1)
            }
        }
    }
}

impl core::error::Error for RobotError {}

/// Why a question about a state has no answer. Legs are counted from 0.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum StateError {
    /// An input is NaN or infinite.
    NotFinite {
        /// Which input.
        what: &'static str,
        /// Which component, from 0.
        component: usize,
        /// Its value.
        value: f64,
    },
    /// A leg cannot reach its place on the platform.
    Unreachable {
        /// Which leg.
        leg: usize,
        /// The radicand of its kinematics over the squares of its lengths, or minus the gap that the numerical search
        /// left in sizes of the leg.
        margin: f64,
    },
    /// A leg without a closed form cannot keep its branch on the straight way to a pose at which it can be closed, in
    /// another branch or on the far side of a place that it does not reach.
    BranchEnds {
        /// Which leg.
        leg: usize,
        /// The joint that does there what the joints before it can do, from 0.
        joint: usize,
        /// After how much of the way.
        way: f64,
        /// The pivot of that joint in J_i, in the units of its column.
        margin: f64,
    },
    /// A leg is stretched, folded, or along the first axis of its universal joint.
    SingularLeg {
        /// Which leg.
        leg: usize,
        /// What should be positive: a radicand, for UPS sin² q2, or the smallest |r_kk| of J_i.
        margin: f64,
    },
    /// The motors do not hold the platform.
    Singular {
        /// The margin of J_r⁻¹ in units of the platform's size, see [`MotionScales`](super::MotionScales).
        margin: f64,
    },
    /// Some motion of the platform moves no mass.
    NoMass {
        /// Smallest pivot of the mass matrix.
        margin: f64,
    },
}

impl fmt::Display for StateError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::NotFinite { what, component, value } => {
                write!(f, "component {} of the {what} is {value}", component + 1)
            }
            Self::Unreachable { leg, margin } => {
                let leg = leg + 1;
                if (1e-3..1e4).contains(&margin.abs()) {
                    write!(
                        f,
                        "out of reach: leg {leg} cannot be closed (margin {margin:.3} of its lengths; 0 is just stretched)"
                    )
                } else {
                    write!(
                        f,
                        "out of reach: leg {leg} cannot be closed (margin {margin:.1e} of its lengths; 0 is just stretched)"
                    )
                }
            }
            Self::BranchEnds { leg, joint, way, margin } => {
                write!(
                    f,
                    "leg {} cannot be followed to this pose: after {:.1} % of the straight way there its branch ends, \
                     where joint {} does what the joints before it do (pivot {margin:.1e}); another way or another \
                     branch reaches it",
                    leg + 1,
                    100.0 * way,
                    joint + 1
                )
            }
            Self::SingularLeg { leg, margin } => {
                write!(
                    f,
                    "leg {} is singular: stretched, folded or along its own axis (margin {margin:.1e})",
                    leg + 1
                )
            }
            Self::Singular { margin } => {
                write!(f, "parallel singularity: the motors do not hold the platform (margin {margin:.1e})")
            }
            Self::NoMass { margin } => {
                write!(f, "some motion of the platform moves no mass (margin {margin:.1e})")
            }
        }
    }
}

impl core::error::Error for StateError {}

pub(super) fn finite(what: &'static str, numbers: &[f64]) -> Result<(), StateError> {
    numbers.iter().enumerate().try_for_each(|(component, &value)| {
        if value.is_finite() { Ok(()) } else { Err(StateError::NotFinite { what, component, value }) }
    })
}

pub(super) fn finite_pose(pose: &Pose<f64>) -> Result<(), StateError> {
    finite("position", &pose.position.to_array())?;
    finite("rotation", pose.rotation.to_rows().as_flattened())
}

/// The first leg out of reach or, if there is none, the first singular one.
pub(super) fn fault_of_legs(margins: impl Iterator<Item = f64>) -> Option<StateError> {
    let mut worst: Option<StateError> = None;
    for (leg, margin) in margins.enumerate() {
        if margin.is_nan() || margin < 0.0 {
            return Some(StateError::Unreachable { leg, margin });
        }
        if margin <= SINGULAR && worst.is_none() {
            worst = Some(StateError::SingularLeg { leg, margin });
        }
    }
    worst
}

fn checked_leg<const N: usize>(leg: usize, it: &Leg<f64, N>) -> Result<(), RobotError> {
    let components = it.attachment.components();
    match it.inverse.joints() {
        Some(needed) if needed != N => return Err(RobotError::WrongShape { leg, joints: N, needed }),
        _ if components > N => return Err(RobotError::TooFewJoints { leg, joints: N, components }),
        _ if components < N => return Err(RobotError::TooManyJoints { leg, joints: N, components }),
        _ => {}
    }
    for (link, l) in it.chain.links.iter().enumerate() {
        l.body.map_or(Ok(()), |body| body.checked().map(|_| ())).map_err(|error| RobotError::Body {
            leg,
            link,
            error,
        })?;
        let d = &l.drive;
        for (what, value) in [
            ("the motor inertia", d.inertia),
            ("the viscous friction", d.viscous),
            ("the Coulomb friction", d.coulomb),
        ] {
            if !value.is_finite() || value < 0.0 {
                return Err(RobotError::BadNumber { leg, link, what, value });
            }
        }
        if !d.offset.is_finite() {
            let what = "the offset of the motor";
            return Err(RobotError::BadNumber { leg, link, what, value: d.offset });
        }
        let r = l.placement.rotation;
        let off = (r * r.transpose()).to_rows();
        let one = Pose::<f64>::identity().rotation.to_rows();
        let skew = off
            .iter()
            .flatten()
            .zip(one.iter().flatten())
            .map(|(a, b)| (a - b).abs())
            .fold((r.det() - 1.0).abs(), |m, x| if x.is_nan() || x > m { x } else { m });
        // Axes typed with seven digits pass; a left-handed or skew frame does not.
        if skew.is_nan() || skew > 1e-6 {
            return Err(RobotError::BadNumber {
                leg,
                link,
                what: "the skewness of the placement",
                value: skew,
            });
        }
        let p = l.placement.position.to_array();
        if let Some(&value) = p.iter().find(|value| !value.is_finite()) {
            return Err(RobotError::BadNumber { leg, link, what: "the placement", value });
        }
    }
    Ok(())
}

impl<const N: usize, const M: usize, const D: usize, const K: usize> Robot<f64, N, M, D, K> {
    /// The robot itself if it can be built: possible bodies, legs with as many joints as
    /// their attachments pass on, enough motors, a motion space of full rank.
    pub fn checked(self) -> Result<Self, RobotError> {
        self.platform.checked().map_err(RobotError::Platform)?;
        for (leg, it) in self.legs.iter().enumerate() {
            checked_leg(leg, it)?;
        }
        self.mechanism().checked()?;
        Ok(self)
    }

    /// As [`checked`](Self::checked), and every leg reaches the home pose and closes there.
    pub fn checked_at(self, home: &Pose<f64>) -> Result<Self, RobotError> {
        let robot = self.checked()?;
        robot.mechanism().active_at(home).map_err(RobotError::Home)?;
        for (leg, it) in robot.legs.iter().enumerate() {
            let gap = it.gap(home);
            // Rounding of lengths up to some hundred metres; a wrong shape misses by millimetres.
            if gap.is_nan() || gap > SINGULAR {
                return Err(RobotError::DoesNotClose { leg, gap });
            }
        }
        Ok(robot)
    }
}

impl<L: LegModel<f64>, const D: usize, const K: usize> Mechanism<'_, f64, L, D, K> {
    /// The mechanism itself if its motors and freedoms fit together.
    pub fn checked(self) -> Result<Self, RobotError> {
        let found: usize = self.legs.iter().map(LegModel::active_joints).sum();
        if found < D {
            return Err(RobotError::TooFewMotors { motors: found, freedoms: D });
        }
        if found != K {
            return Err(RobotError::MotorCount { found, expected: K });
        }
        let margin = self.space.rank_margin();
        if margin.is_nan() || margin <= SINGULAR {
            return Err(RobotError::MotionSpaceRank { freedoms: D, margin });
        }
        let missed = self.space.rolling();
        if self.space.is_constant() && (missed.is_nan() || missed > SINGULAR) {
            return Err(RobotError::Rolling { missed });
        }
        Ok(self)
    }

    /// Which leg fails at a pose, if one does.
    pub fn leg_fault(&self, pose: &Pose<f64>) -> Option<StateError> {
        fault_of_legs(self.legs.iter().map(|leg| leg.kinematics(pose).margin))
    }

    fn accept<V>(&self, pose: &Pose<f64>, found: Margin<V, f64>) -> Result<V, StateError> {
        if found.margin > SINGULAR {
            return Ok(found.value);
        }
        Err(self.leg_fault(pose).unwrap_or(StateError::Singular { margin: found.margin }))
    }

    /// Inverse kinematics: the active joints \[rad or m\] at a pose.
    pub fn inverse_kinematics(&self, pose: &Pose<f64>) -> Result<[f64; K], StateError> {
        self.active_at(pose).map(|active| active.coordinates())
    }

    /// The active joints and J_r⁻¹ at a pose.
    pub fn active_at(&self, pose: &Pose<f64>) -> Result<ActiveState<f64, D, K>, StateError> {
        finite_pose(pose)?;
        let Margin { value, margin } = self.kinematics(pose);
        if margin > SINGULAR {
            return Ok(value);
        }
        self.leg_fault(pose).map_or(Ok(value), Err)
    }

    /// Efforts for a motion of the platform while `external` acts on it, see [`Mechanism::inverse_dynamics`].
    pub fn effort_for(
        &self,
        motion: &PlatformMotion<f64, D>,
        external: Wrench<f64>,
    ) -> Result<RobotEffort<f64, K>, StateError> {
        finite_pose(&motion.pose)?;
        finite("velocity", &motion.rate)?;
        finite("acceleration", &motion.acceleration)?;
        finite("external wrench", &external.to_vector_linear_first())?;
        let found = self.accept(&motion.pose, self.inverse_dynamics(motion, external))?;
        finite("resulting effort", &found.effort)?;
        Ok(found)
    }

    /// Accelerations for motor efforts, see [`Mechanism::direct_dynamics`].
    pub fn acceleration_for(
        &self,
        pose: &Pose<f64>,
        rate: &[f64; D],
        tau: &[f64; K],
        external: Wrench<f64>,
    ) -> Result<RobotAcceleration<f64, D, K>, StateError> {
        finite_pose(pose)?;
        finite("velocity", rate)?;
        finite("effort", tau)?;
        finite("external wrench", &external.to_vector_linear_first())?;
        let Margin { value, margin } = self.direct_dynamics(pose, rate, tau, external);
        // A light robot has small pivots: only a leg at fault or a pivot that is not positive stops it.
        let fault = if margin > SINGULAR { None } else { self.leg_fault(pose) };
        match fault {
            Some(fault) => Err(fault),
            None if margin > 0.0 => {
                finite("resulting acceleration", &value.platform)?;
                finite("resulting joint acceleration", &value.joint)?;
                Ok(value)
            }
            None => Err(StateError::NoMass { margin }),
        }
    }

    /// Mass matrix, Coriolis and gravity efforts and Jacobian in joint space at a state.
    pub fn joint_dynamics_at(
        &self,
        pose: &Pose<f64>,
        rate: &[f64; D],
    ) -> Result<JointDynamics<f64, D, K>, StateError> {
        finite_pose(pose)?;
        finite("velocity", rate)?;
        let Margin { value: task, margin: reach } = self.task_dynamics(pose, rate);
        let Margin { value, margin } = task.joint_dynamics();
        let found = self.accept(pose, Margin { value, margin: Real::min(margin, reach) })?;
        finite("resulting mass matrix", found.mass.as_flattened())?;
        for (what, list) in [
            ("resulting Coriolis effort", &found.coriolis),
            ("resulting gravity effort", &found.gravity),
            ("resulting friction", &found.friction),
        ] {
            finite(what, list)?;
        }
        finite("resulting Jacobian", found.jacobian.as_flattened())?;
        Ok(found)
    }

    /// The force that leg number `leg` exerts on the platform in a motion, the motors
    /// giving `effort` (all K of them): what a ball joint must hold. `None` beyond the last leg.
    pub fn reaction(
        &self,
        leg: usize,
        motion: &PlatformMotion<f64, D>,
        effort: &[f64; K],
    ) -> Option<super::Reaction<f64>> {
        let before: usize = self.legs.iter().take(leg).map(LegModel::active_joints).sum();
        let it = self.legs.get(leg)?;
        let own = effort.get(before..before + it.active_joints())?;
        let twist: Twist<f64> = self.space.twist(&motion.rate);
        let acceleration = self.space.twist(&motion.acceleration) + self.space.product(&motion.rate);
        Some(it.reaction(&motion.pose, twist, acceleration, self.gravity, own))
    }
}

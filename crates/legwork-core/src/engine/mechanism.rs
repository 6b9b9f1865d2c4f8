//! A platform, its legs and its motion space: the equation of motion of any
//! parallel robot \[KhalilIbrahim2007\].
//!
//! ```text
//! Γ  = J_r^T Sᵀ [ F_P + Σ J_viᵀ J_i^{−T} H_i ]                                    (20)
//! Γ  = H_a + J_r^T Sᵀ [ F_P + Σ J_viᵀ J_i^{−T}(:, p) H_i,p ]                       (21)
//! V̇_r = A_rob⁻¹ ( J_r^{−T} Γ − h_rob )                                           (28)
//! ```
//!
//! Only J_r⁻¹ is ever built (80); "J_rᵀ f" is a solve with its transpose by
//! Householder QR. Legs are visited one after the other, so the cost grows
//! linearly with their number.
//!
//! **More motors than freedoms** (K > D): the effort of smallest norm that
//! produces the motion is returned, Γ = W (WᵀW)⁻¹ f with W = J_r⁻¹; it balances the
//! motion exactly. Where some motors turn and others slide, a torque counts in that norm as
//! the force it is at the distance of the platform's size. Joint rates follow from the platform; forward kinematics
//! solves in the least-squares sense and reports what it misses. Fewer motors
//! than freedoms, and legs with fewer joints than their attachment passes on
//! (a planar leg on a ball joint), are refused by the checked constructor.
#![allow(clippy::indexing_slicing)] // every index is bounded by K or D

use super::chain::{JointKind, JointValue};
use super::factors::MotorFactors;
use super::leg::{ActiveJoints, LegEffort, LegModel, LegTerms};
use super::matrix;
use super::space::{MotionScales, MotionSpace};
use super::spatial::{Pose, RigidBody, Twist, Wrench};
use crate::linalg::solve_spd;
use crate::{Margin, Real, V3};
use core::array::from_fn;

/// A parallel robot: L is the kind of leg, D the freedoms, K the active joints.
#[derive(Debug)]
pub struct Mechanism<'a, T, L, const D: usize, const K: usize> {
    /// Mass and inertia in the platform's frame.
    pub platform: RigidBody<T>,
    /// The legs.
    pub legs: &'a [L],
    /// S
    pub space: MotionSpace<T, D>,
    /// Gravitational acceleration in base axes, g \[m/s²\].
    pub gravity: V3<T>,
}

impl<T: Copy, L, const D: usize, const K: usize> Clone for Mechanism<'_, T, L, D, K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Copy, L, const D: usize, const K: usize> Copy for Mechanism<'_, T, L, D, K> {}

/// Where the platform is, how fast it moves and how it accelerates, in its D freedoms.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformMotion<T, const D: usize> {
    /// Pose of the platform's frame in the base.
    pub pose: Pose<T>,
    /// V_r
    pub rate: [T; D],
    /// V̇_r
    pub acceleration: [T; D],
}

impl<T: Real, const D: usize> PlatformMotion<T, D> {
    /// At rest.
    pub fn rest(pose: Pose<T>) -> Self {
        Self { pose, rate: [T::zero(); D], acceleration: [T::zero(); D] }
    }
}

/// The active joints of the whole robot.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveState<T, const D: usize, const K: usize> {
    /// Turning or sliding.
    pub kinds: [JointKind; K],
    /// Where the joints are.
    pub values: [JointValue<T>; K],
    /// J_r⁻¹ (80): q̇_a = J_r⁻¹ V_r.
    pub rows: [[T; D]; K],
    /// q̇_a
    pub rate: [T; K],
    /// What velocities alone add to q̈_a: q̈_a = J_r⁻¹ V̇_r + bias.
    pub bias: [T; K],
    /// H_a (21); zero where not asked for.
    pub effort: [T; K],
}

impl<T: Real, const D: usize, const K: usize> ActiveState<T, D, K> {
    fn empty() -> Self {
        let zero = [T::zero(); K];
        Self {
            kinds: [JointKind::Prismatic; K],
            values: [JointValue::slid(T::zero()); K],
            rows: [[T::zero(); D]; K],
            rate: zero,
            bias: zero,
            effort: zero,
        }
    }

    /// Takes the joints of one leg in; joints beyond K are dropped (the checked constructor counts).
    #[inline(always)]
    fn take(
        &mut self,
        at: &mut usize,
        joints: &ActiveJoints<T>,
        space: &MotionSpace<T, D>,
        product: &[T; 6],
    ) {
        for joint in joints.iter() {
            let k = *at;
            if k < K {
                self.kinds[k] = joint.kind;
                self.values[k] = joint.value;
                self.rows[k] = space.project(&joint.row);
                self.rate[k] = joint.rate;
                self.bias[k] = joint.bias;
                if !space.is_constant() {
                    self.bias[k] = joint.bias + matrix::dot(&joint.row, product);
                }
                self.effort[k] = joint.effort;
            }
            *at += 1;
        }
    }

    /// q_a \[rad or m\]
    pub fn coordinates(&self) -> [T; K] {
        from_fn(|k| self.values[k].coordinate(self.kinds[k]))
    }
}

/// The answer of the inverse dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobotEffort<T, const K: usize> {
    /// Γ \[N·m or N\], friction included.
    pub effort: [T; K],
    /// q̇_a
    pub rate: [T; K],
    /// q̈_a
    pub acceleration: [T; K],
}

/// The answer of the direct dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RobotAcceleration<T, const D: usize, const K: usize> {
    /// V̇_r
    pub platform: [T; D],
    /// V̇_P = S V̇_r + Ṡ V_r
    pub twist_rate: Twist<T>,
    /// q̈_a
    pub joint: [T; K],
}

/// The equation of motion in platform space, the bracket of (20):
/// `mass V̇_r + coriolis + gravity + friction = J_r^{−T} Γ + Sᵀ w`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TaskDynamics<T, const D: usize, const K: usize> {
    /// A_rob (29)
    pub mass: [[T; D]; D],
    /// Coriolis and centrifugal part of h_rob (30), with Ṡ V_r.
    pub coriolis: [T; D],
    /// Weight part of h_rob.
    pub gravity: [T; D],
    /// Friction of all joints.
    pub friction: [T; D],
    /// The active joints and J_r⁻¹.
    pub active: ActiveState<T, D, K>,
    /// What makes its freedoms and motors comparable.
    pub scales: MotionScales<T, D>,
}

/// The equation of motion in joint space: Γ = mass q̈_a + coriolis + gravity + friction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDynamics<T, const D: usize, const K: usize> {
    /// Mass matrix \[kg·m², kg·m or kg\].
    pub mass: [[T; K]; K],
    /// Coriolis and centrifugal efforts.
    pub coriolis: [T; K],
    /// Efforts that hold the robot at rest.
    pub gravity: [T; K],
    /// Friction, that of passive joints carried over.
    pub friction: [T; K],
    /// J_r: V_r = J_r q̇_a.
    pub jacobian: [[T; K]; D],
}

impl<T: Real, L: LegModel<T>, const D: usize, const K: usize> Mechanism<'_, T, L, D, K> {
    /// F_P of (12) without weight: inertial wrench of the platform about its origin.
    #[inline]
    fn platform_wrench(&self, pose: &Pose<T>, v: Twist<T>, a: Twist<T>) -> Wrench<T> {
        let inertia = self.platform.spatial(pose, pose.position);
        let w = v.angular;
        inertia.apply(a) + Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w))
    }

    /// The active joints at a pose, all rates zero.
    #[inline]
    pub fn kinematics(&self, pose: &Pose<T>) -> Margin<ActiveState<T, D, K>, T> {
        let mut active = ActiveState::empty();
        let mut joints = ActiveJoints::none();
        let (mut at, mut least) = (0, None);
        for leg in self.legs {
            let margin = leg.kinematics_into(pose, &mut joints);
            active.take(&mut at, &joints, &self.space, &[T::zero(); 6]);
            least = Some(least.map_or(margin, |l: T| l.min(margin)));
        }
        Margin { value: active, margin: least.unwrap_or(T::zero()) }
    }

    /// The equation of motion in platform space: (29), (30) and the rows of (80).
    ///
    /// The margin is the smallest of the legs, see [`LegModel::kinematics`].
    #[inline]
    pub fn task_dynamics(&self, pose: &Pose<T>, rate: &[T; D]) -> Margin<TaskDynamics<T, D, K>, T> {
        let twist = self.space.twist(rate);
        let product = self.space.product(rate).to_vector_linear_first();
        let inertia = self.platform.spatial(pose, pose.position);
        let mut mass = inertia.blocks();
        let w = twist.angular;
        let moving = Wrench::new(w.cross(w.cross(inertia.first)), w.cross(inertia.inertia * w));
        let mut coriolis = moving.to_vector_linear_first();
        let still = inertia.apply(Twist::new(-self.gravity, V3::zero()));
        let mut gravity = still.to_vector_linear_first();
        let mut friction = [T::zero(); 6];
        let mut active = ActiveState::empty();
        let mut terms = LegTerms::none();
        let (mut at, mut least) = (0, None);
        for leg in self.legs {
            let margin = leg.terms_into(pose, twist, self.gravity, &mut terms);
            mass = mass + terms.mass;
            coriolis = matrix::sum(&coriolis, &terms.coriolis);
            gravity = matrix::sum(&gravity, &terms.gravity);
            friction = matrix::sum(&friction, &terms.friction);
            active.take(&mut at, &terms.active, &self.space, &product);
            least = Some(least.map_or(margin, |l: T| l.min(margin)));
        }
        let mass = mass.to_matrix();
        if !self.space.is_constant() {
            coriolis = matrix::sum(&coriolis, &matrix::times(&mass, &product)); // (A) Ṡ V_r
        }
        let value = TaskDynamics {
            mass: self.space.project_mass(&mass), // (29)
            coriolis: self.space.project(&coriolis),
            gravity: self.space.project(&gravity),
            friction: self.space.project(&friction),
            active,
            scales: *self.space.scales(),
        };
        Margin { value, margin: least.unwrap_or(T::zero()) }
    }

    /// Inverse dynamics (21), and (20) with more motors than freedoms, while `external` acts on
    /// the platform from outside (about its origin, base axes).
    ///
    /// The margin is the smallest of the legs' and of |r_kk| of J_r⁻¹.
    #[inline]
    pub fn inverse_dynamics(
        &self,
        motion: &PlatformMotion<T, D>,
        external: Wrench<T>,
    ) -> Margin<RobotEffort<T, K>, T> {
        let pose = &motion.pose;
        let product = self.space.product(&motion.rate);
        let (v, a) = (self.space.twist(&motion.rate), self.space.twist(&motion.acceleration) + product);
        let falling = Twist::new(a.linear - self.gravity, a.angular);
        let mut wrench = (self.platform_wrench(pose, v, falling) - external).to_vector_linear_first();
        let mut active = ActiveState::<T, D, K>::empty();
        let product = product.to_vector_linear_first();
        let mut own = LegEffort::none();
        let (mut at, mut least) = (0, None);
        for leg in self.legs {
            let margin = leg.effort_into(pose, v, a, self.gravity, &mut own);
            wrench = matrix::sum(&wrench, &own.wrench);
            active.take(&mut at, &own.active, &self.space, &product);
            least = Some(least.map_or(margin, |l: T| l.min(margin)));
        }
        let factors = self.space.scales().motor_factors(&active.kinds, &active.rows);
        let mut held = self.space.project(&wrench);
        let mut effort = active.effort;
        if K > D {
            held = matrix::sum(&held, &matrix::transposed_times(&active.rows, &effort));
            effort = [T::zero(); K];
        }
        let value = RobotEffort {
            effort: matrix::sum(&effort, &factors.solve_transposed(&held)), // (21)
            rate: active.rate,
            acceleration: matrix::sum(&matrix::times(&active.rows, &motion.acceleration), &active.bias),
        };
        Margin { value, margin: least.unwrap_or(T::zero()).min(factors.margin()) }
    }

    /// Direct dynamics (28): accelerations for motor efforts `tau` and an `external`
    /// wrench on the platform. Needs no J_r, so it passes through parallel singularities.
    ///
    /// The margin is the smallest of the legs' and of the pivots of A_rob.
    #[inline]
    pub fn direct_dynamics(
        &self,
        pose: &Pose<T>,
        rate: &[T; D],
        tau: &[T; K],
        external: Wrench<T>,
    ) -> Margin<RobotAcceleration<T, D, K>, T> {
        let Margin { value: task, margin: least } = self.task_dynamics(pose, rate);
        let Margin { value: platform, margin } =
            task.acceleration(tau, &self.space.project(&external.to_vector_linear_first()));
        let value = RobotAcceleration {
            platform,
            twist_rate: self.space.twist(&platform) + self.space.product(rate),
            joint: matrix::sum(&matrix::times(&task.active.rows, &platform), &task.active.bias),
        };
        Margin { value, margin: margin.min(least) }
    }

    /// Kinetic and potential energy \[J\] of platform and legs; potential zero with
    /// every centre of mass at the base's origin.
    pub fn energy(&self, pose: &Pose<T>, rate: &[T; D]) -> (T, T) {
        let v = self.space.twist(rate);
        let inertia = self.platform.spatial(pose, pose.position);
        let mut kinetic = inertia.apply(v).power(v) * T::from_f64(0.5);
        let mut potential = -(self.gravity.dot(pose.of(self.platform.centre)) * self.platform.mass);
        for leg in self.legs {
            let (t, u) = leg.energy(pose, v, self.gravity);
            kinetic = kinetic + t;
            potential = potential + u;
        }
        (kinetic, potential)
    }

    /// One step of Newton's method towards the pose with active joints `target`:
    /// V_r solves J_r⁻¹ V_r = q − q(pose); the rotation is updated on the rotation group.
    #[inline]
    pub fn newton_step(&self, pose: &Pose<T>, target: &[T; K]) -> Margin<NewtonStep<T, K>, T> {
        let Margin { value: active, margin: least } = self.kinematics(pose);
        let missing: [T; K] = from_fn(|k| {
            let wanted = JointValue::of(active.kinds[k], target[k]);
            wanted.minus(&active.values[k], active.kinds[k])
        });
        let factors = self.space.scales().motor_factors(&active.kinds, &active.rows);
        let (step, missed) = factors.solve(&missing);
        let twist = self.space.twist(&step);
        let value = NewtonStep {
            pose: pose.moved(&twist),
            twist,
            missing,
            gap: self.space.scales().motor_norm(&active.kinds, &missing),
            step: matrix::dot(&step, &step).sqrt(),
            missed,
        };
        Margin { value, margin: least.min(factors.margin()) }
    }
}

/// One step of the forward kinematics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NewtonStep<T, const K: usize> {
    /// The pose after the step.
    pub pose: Pose<T>,
    /// The step itself, for a caller that wants to shorten it.
    pub twist: Twist<T>,
    /// q − q(pose) before the step \[rad or m\].
    pub missing: [T; K],
    /// |q − q(pose)| before the step, measured as [`MotionScales::motor_norm`].
    pub gap: T,
    /// |V_r| of the step.
    pub step: T,
    /// The part of the gap that no motion of the platform closes, measured alike; zero unless K > D.
    pub missed: T,
}

impl<T: Real, const D: usize, const K: usize> TaskDynamics<T, D, K> {
    /// h_rob (30), friction included.
    #[inline]
    pub fn bias(&self) -> [T; D] {
        from_fn(|i| self.coriolis[i] + self.gravity[i] + self.friction[i])
    }

    /// V̇_r (28) for efforts `tau` and a projected outside wrench; the margin is the smallest pivot of A_rob.
    #[inline]
    pub fn acceleration(&self, tau: &[T; K], external: &[T; D]) -> Margin<[T; D], T> {
        let drive = matrix::transposed_times(&self.active.rows, tau); // J_r^{−T} Γ needs no inverse
        let right = matrix::difference(&matrix::sum(&drive, external), &self.bias());
        solve_spd(&self.mass, &right)
    }

    /// Γ (20) for V̇_r and a projected outside wrench; the margin is the smallest |r_kk| of J_r⁻¹.
    #[inline]
    pub fn effort(&self, acceleration: &[T; D], external: &[T; D]) -> Margin<[T; K], T> {
        let inertial = matrix::sum(&matrix::times(&self.mass, acceleration), &self.bias());
        let factors = self.motor_factors();
        let value = factors.solve_transposed(&matrix::difference(&inertial, external));
        Margin { value, margin: factors.margin() }
    }

    /// The same in joint space: J_rᵀ A J_r and J_rᵀ (h − A J_r bias). The margin is the
    /// smallest |r_kk| of J_r⁻¹.
    #[inline]
    pub fn joint_dynamics(&self) -> Margin<JointDynamics<T, D, K>, T> {
        let factors = self.motor_factors();
        let jacobian = factors.inverse();
        let drift = matrix::times(&jacobian, &self.active.bias);
        let coriolis = matrix::difference(&self.coriolis, &matrix::times(&self.mass, &drift));
        let value = JointDynamics {
            mass: matrix::congruence(&jacobian, &self.mass),
            coriolis: matrix::transposed_times(&jacobian, &coriolis),
            gravity: matrix::transposed_times(&jacobian, &self.gravity),
            friction: matrix::transposed_times(&jacobian, &self.friction),
            jacobian,
        };
        Margin { value, margin: factors.margin() }
    }

    /// J_r⁻¹ in factors.
    #[inline]
    pub(crate) fn motor_factors(&self) -> MotorFactors<'_, T, K, D> {
        self.scales.motor_factors(&self.active.kinds, &self.active.rows)
    }
}

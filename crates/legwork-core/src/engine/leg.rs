//! A leg: chain, attachment and inverse kinematics, and what it adds to the
//! equation of motion of the platform.
//!
//! With L = J_i⁻¹ J_vi the leg follows the platform, and its dynamics is carried over to it:
//!
//! ```text
//! q̇_i = L V_P                                                                   (18, 19)
//! q̈_i = L V̇_P + c,   c = J_i⁻¹ (J̇_vi V_P − J̇_i q̇_i)                               (27)
//! J_viᵀ J_i⁻ᵀ H_i = Lᵀ H_i,   Lᵀ A_i L,   Lᵀ (A_i c + h_i)                        (20, 29, 30)
//! ```
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // every index is bounded by N

use super::attachment::{Attachment, Meeting};
use super::chain::{Chain, ChainPosture, JointKind, JointValue};
use super::inverse::LegInverse;
use super::matrix;
use super::spatial::{Pose, Twist, Wrench};
use crate::{Margin, Real, V3};
use core::array::from_fn;

/// A leg with N joints up to, not including, its attachment to the platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg<T, const N: usize> {
    /// Joints and links.
    pub chain: Chain<T, N>,
    /// The joint at the platform; passes on N components.
    pub attachment: Attachment<T>,
    /// How the joints are found.
    pub inverse: LegInverse<T, N>,
}

/// An active joint at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveJoint<T> {
    /// What it lets its link do.
    pub kind: JointKind,
    /// Where it is.
    pub value: JointValue<T>,
    /// Its row of L: q̇ = row·V_P.
    pub row: [T; 6],
    /// q̇ \[rad/s or m/s\]
    pub rate: T,
    /// What velocities alone add to q̈ \[rad/s² or m/s²\].
    pub bias: T,
    /// H of this joint, friction included \[N·m or N\]; zero where a function does not ask for it.
    pub effort: T,
}

/// The active joints of one leg, at most six.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ActiveJoints<T> {
    list: [Option<ActiveJoint<T>>; 6],
}

impl<T: Copy> ActiveJoints<T> {
    /// From base to platform.
    pub fn iter(&self) -> impl Iterator<Item = &ActiveJoint<T>> {
        self.list.iter().flatten()
    }

    /// From at most six joints.
    pub fn from_slots(list: [Option<ActiveJoint<T>>; 6]) -> Self {
        Self { list }
    }
}

/// What a leg adds to the equation of motion in platform space, and its active joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegTerms<T> {
    /// Lᵀ A_i L
    pub mass: [[T; 6]; 6],
    /// Lᵀ (A_i c + Coriolis and centrifugal part of h_i)
    pub coriolis: [T; 6],
    /// Lᵀ (weight part of h_i)
    pub gravity: [T; 6],
    /// Lᵀ (friction of all joints)
    pub friction: [T; 6],
    /// Rows of J_r⁻¹ before S.
    pub active: ActiveJoints<T>,
}

/// What a leg asks for in one motion: \[KhalilIbrahim2007, Eq. 21\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegEffort<T> {
    /// J_viᵀ J_i⁻ᵀ(:, p) H_i,p: what the passive joints hand to the platform.
    pub wrench: [T; 6],
    /// The active joints with their own H.
    pub active: ActiveJoints<T>,
}

/// A kind of leg that a mechanism can be built of.
pub trait LegModel<T: Real> {
    /// How many of its joints are active.
    fn active_joints(&self) -> usize;

    /// The active joints at a pose, rates and efforts zero. Margin as in [`LegInverse::solve`],
    /// or the smallest |r_kk| of J_i if that is smaller.
    fn kinematics(&self, pose: &Pose<T>) -> Margin<ActiveJoints<T>, T>;

    /// Contribution to the equation of motion at pose and twist of the platform.
    fn terms(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> Margin<LegTerms<T>, T>;

    /// Contribution to the inverse dynamics of one motion.
    fn effort(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
    ) -> Margin<LegEffort<T>, T>;

    /// Kinetic and potential energy \[J\].
    fn energy(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> (T, T);

    /// Force and moment that the leg exerts on the platform at its attachment while
    /// its active joints are driven by `drive` (in their order).
    fn reaction(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        drive: &[T],
    ) -> Reaction<T>;

    /// How far the leg, with its joints as its kinematics finds them, ends from its
    /// place on the platform \[m, rad\]: zero but for rounding.
    fn loop_gap(&self, pose: &Pose<T>) -> T;
}

/// What a leg does to the platform at its attachment, in base axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reaction<T> {
    /// The attachment point \[m\].
    pub point: V3<T>,
    /// Force on the platform and moment about that point.
    pub wrench: Wrench<T>,
}

/// A leg in one position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegPosture<T, const N: usize> {
    /// The joints.
    pub joints: [JointValue<T>; N],
    /// The chain.
    pub chain: ChainPosture<T, N>,
    /// J_i⁻¹
    pub jacobian_inverse: [[T; N]; N],
    /// J_vi
    pub platform_jacobian: [[T; 6]; N],
    /// L = J_i⁻¹ J_vi: q̇_i = L V_P.
    pub follow: [[T; 6]; N],
}

/// How fast a leg moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegRates<T, const N: usize> {
    /// q̇_i
    pub rate: [T; N],
    /// c in q̈_i = L V̇_P + c
    pub bias: [T; N],
    /// J̇_vi V_P
    pub platform_product: [T; N],
    /// J̇_i q̇_i
    pub leg_product: [T; N],
}

impl<T: Real, const N: usize> Leg<T, N> {
    /// Every number through `f`: to another scalar.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Leg<U, N> {
        Leg {
            chain: self.chain.map(&mut f),
            attachment: self.attachment.map(&mut f),
            inverse: self.inverse.map(&mut f),
        }
    }

    /// J_i at a posture of the chain: rows are the components passed on (18).
    #[inline]
    pub fn jacobian(&self, pose: &Pose<T>, chain: &ChainPosture<T, N>) -> [[T; N]; N] {
        let tip = chain.tip_rotation();
        let mut rows = [[T::zero(); N]; N];
        for k in 0..N {
            let direction = self.attachment.direction(k, pose, tip);
            for j in 0..N {
                rows[k][j] = direction.power(chain.screws[j]);
            }
        }
        rows
    }

    /// How far joint values are from closing the leg at a pose: the largest component that its
    /// attachment misses \[m or rad\].
    pub fn closure_gap(&self, pose: &Pose<T>, joints: &[JointValue<T>; N]) -> T {
        let chain = self.chain.posture(joints);
        let tip = chain.tip_rotation();
        (0..N).fold(T::zero(), |worst, k| {
            let gap = self.attachment.gap(k, pose, tip, chain.point).abs();
            T::select(gap.lt(worst), worst, gap)
        })
    }

    /// The leg for a pose of the platform.
    #[inline]
    pub fn posture(&self, pose: &Pose<T>) -> Margin<LegPosture<T, N>, T> {
        let Margin { value: joints, margin: reach } = self.inverse.solve(&self.chain, &self.attachment, pose);
        let chain = self.chain.posture(&joints);
        let tip = chain.tip_rotation();
        let offset = self.attachment.point(pose, chain.point) - pose.position;
        let mut platform_jacobian = [[T::zero(); 6]; N];
        for k in 0..N {
            let direction = self.attachment.direction(k, pose, tip);
            platform_jacobian[k] = direction.seen_from(offset).to_vector_linear_first(); // (19)
        }
        let Margin { value: jacobian_inverse, margin } = matrix::inverse(&self.jacobian(pose, &chain));
        let follow = matrix::product(&jacobian_inverse, &platform_jacobian);
        let value = LegPosture { joints, chain, jacobian_inverse, platform_jacobian, follow };
        // Out of reach the Jacobian is NaN; the radicand says by how much.
        let margin = T::select(T::zero().lt(reach), reach.min(margin), reach);
        Margin { value, margin }
    }

    /// How far the leg stays from its attachment \[m, rad\]: zero but for rounding if its
    /// kinematics fits its chain.
    pub fn gap(&self, pose: &Pose<T>) -> T {
        let joints = self.inverse.solve(&self.chain, &self.attachment, pose).value;
        let chain = self.chain.posture(&joints);
        let tip = chain.tip_rotation();
        let gaps: [T; N] = from_fn(|k| self.attachment.gap(k, pose, tip, chain.point));
        matrix::dot(&gaps, &gaps).sqrt()
    }

    /// Joint rates and the velocity products of (25)–(27).
    #[inline]
    pub fn rates(&self, posture: &LegPosture<T, N>, pose: &Pose<T>, twist: Twist<T>) -> LegRates<T, N> {
        let rate = matrix::times(&posture.follow, &twist.to_vector_linear_first());
        let meeting = Meeting {
            pose,
            twist,
            leg: &posture.chain,
            leg_twist: posture.chain.twist(&rate),
            leg_product: posture.chain.velocity_product(&rate),
        };
        let (mut platform_product, mut leg_product) = ([T::zero(); N], [T::zero(); N]);
        for k in 0..N {
            let component = self.attachment.component(k, &meeting);
            platform_product[k] = component.platform_bias;
            leg_product[k] = component.leg_bias;
        }
        let missing = matrix::difference(&platform_product, &leg_product);
        let bias = matrix::times(&posture.jacobian_inverse, &missing); // (27)
        LegRates { rate, bias, platform_product, leg_product }
    }

    /// H_i with friction for an acceleration of the platform, and q̈_i.
    #[inline]
    fn efforts(
        &self,
        posture: &LegPosture<T, N>,
        rates: &LegRates<T, N>,
        acceleration: Twist<T>,
        gravity: V3<T>,
    ) -> [T; N] {
        let follow = matrix::times(&posture.follow, &acceleration.to_vector_linear_first());
        let joint = matrix::sum(&follow, &rates.bias);
        let inertias = self.chain.inertias(&posture.chain);
        let effort = self.chain.effort(&posture.chain, &inertias, &rates.rate, &joint, gravity);
        matrix::sum(&effort, &self.chain.friction(&rates.rate))
    }

    fn select(
        &self,
        posture: &LegPosture<T, N>,
        rate: &[T; N],
        bias: &[T; N],
        effort: &[T; N],
    ) -> ActiveJoints<T> {
        let mut list = [None; 6];
        let mut slots = list.iter_mut();
        for (j, link) in self.chain.links.iter().enumerate() {
            if link.active
                && let Some(slot) = slots.next()
            {
                *slot = Some(ActiveJoint {
                    kind: link.kind,
                    value: posture.joints[j],
                    row: posture.follow[j],
                    rate: rate[j],
                    bias: bias[j],
                    effort: effort[j],
                });
            }
        }
        ActiveJoints { list }
    }
}

impl<T: Real, const N: usize> LegModel<T> for Leg<T, N> {
    fn active_joints(&self) -> usize {
        self.chain.links.iter().filter(|link| link.active).count()
    }

    fn kinematics(&self, pose: &Pose<T>) -> Margin<ActiveJoints<T>, T> {
        let Margin { value, margin } = self.posture(pose);
        let zero = [T::zero(); N];
        Margin { value: self.select(&value, &zero, &zero, &zero), margin }
    }

    fn terms(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> Margin<LegTerms<T>, T> {
        let Margin { value: posture, margin } = self.posture(pose);
        let rates = self.rates(&posture, pose, twist);
        let inertias = self.chain.inertias(&posture.chain);
        let mass = self.chain.mass_matrix(&posture.chain, &inertias);
        let zero = [T::zero(); N];
        // A c + h is the effort of a motion whose joint accelerations are c.
        let moving = self.chain.effort(&posture.chain, &inertias, &rates.rate, &rates.bias, V3::zero());
        let weight = self.chain.effort(&posture.chain, &inertias, &zero, &zero, gravity);
        let friction = self.chain.friction(&rates.rate);
        let value = LegTerms {
            mass: matrix::congruence(&posture.follow, &mass), // (29)
            coriolis: matrix::transposed_times(&posture.follow, &moving), // (30)
            gravity: matrix::transposed_times(&posture.follow, &weight),
            friction: matrix::transposed_times(&posture.follow, &friction),
            active: self.select(&posture, &rates.rate, &rates.bias, &zero),
        };
        Margin { value, margin }
    }

    fn effort(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
    ) -> Margin<LegEffort<T>, T> {
        let Margin { value: posture, margin } = self.posture(pose);
        let rates = self.rates(&posture, pose, twist);
        let effort = self.efforts(&posture, &rates, acceleration, gravity);
        let passive: [T; N] = from_fn(|j| if self.chain.links[j].active { T::zero() } else { effort[j] });
        let value = LegEffort {
            wrench: matrix::transposed_times(&posture.follow, &passive),
            active: self.select(&posture, &rates.rate, &rates.bias, &effort),
        };
        Margin { value, margin }
    }

    fn energy(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> (T, T) {
        let posture = self.posture(pose).value;
        let rate = matrix::times(&posture.follow, &twist.to_vector_linear_first());
        (
            self.chain.kinetic_energy(&posture.chain, &rate),
            self.chain.potential_energy(&posture.chain, gravity),
        )
    }

    fn reaction(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        drive: &[T],
    ) -> Reaction<T> {
        let posture = self.posture(pose).value;
        let rates = self.rates(&posture, pose, twist);
        let effort = self.efforts(&posture, &rates, acceleration, gravity);
        // J_iᵀ f = Γ_i − H_i: what the motors give beyond the leg's own needs goes to the platform.
        let mut driven = drive.iter();
        let rest: [T; N] = from_fn(|j| {
            let motor = if self.chain.links[j].active { driven.next() } else { None };
            motor.map_or(-effort[j], |m| *m - effort[j])
        });
        let components = matrix::transposed_times(&posture.jacobian_inverse, &rest);
        let tip = posture.chain.tip_rotation();
        let mut wrench = Wrench::zero();
        for (k, size) in components.iter().enumerate() {
            wrench = wrench + self.attachment.direction(k, pose, tip) * *size;
        }
        Reaction { point: self.attachment.point(pose, posture.chain.point), wrench }
    }

    fn loop_gap(&self, pose: &Pose<T>) -> T {
        self.gap(pose)
    }
}

impl<T: Real, L: LegModel<T> + ?Sized> LegModel<T> for &L {
    fn active_joints(&self) -> usize {
        (**self).active_joints()
    }
    fn kinematics(&self, pose: &Pose<T>) -> Margin<ActiveJoints<T>, T> {
        (**self).kinematics(pose)
    }
    fn terms(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> Margin<LegTerms<T>, T> {
        (**self).terms(pose, twist, gravity)
    }
    fn effort(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
    ) -> Margin<LegEffort<T>, T> {
        (**self).effort(pose, twist, acceleration, gravity)
    }
    fn energy(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> (T, T) {
        (**self).energy(pose, twist, gravity)
    }
    fn reaction(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        drive: &[T],
    ) -> Reaction<T> {
        (**self).reaction(pose, twist, acceleration, gravity, drive)
    }
    fn loop_gap(&self, pose: &Pose<T>) -> T {
        (**self).loop_gap(pose)
    }
}

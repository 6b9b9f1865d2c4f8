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

use super::attachment::{Attachment, AttachmentJacobian, AttachmentMotion};
use super::chain::{Chain, ChainMotion, ChainPosture, JointKind, JointValue, for_joints};
use super::inverse::LegInverse;
use super::matrix;
use super::spatial::{PlatformMass, Pose, SpatialInertia, Twist, Wrench};
use super::ups::spread;
use crate::{Margin, Real, Sym3, V3};
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
    /// An empty list.
    #[inline(always)]
    pub fn none() -> Self {
        Self { list: [const { None }; 6] }
    }

    /// From base to platform.
    pub fn iter(&self) -> impl Iterator<Item = &ActiveJoint<T>> {
        self.list.iter().flatten()
    }

    /// Empties the list.
    #[inline(always)]
    pub fn clear(&mut self) {
        for slot in &mut self.list {
            *slot = None;
        }
    }

    /// Adds a joint; a seventh is dropped.
    #[inline(always)]
    pub fn push(&mut self, joint: ActiveJoint<T>) {
        if let Some(slot) = self.list.iter_mut().find(|slot| slot.is_none()) {
            *slot = Some(joint);
        }
    }
}

/// What a leg adds to the equation of motion in platform space, and its active joints.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegTerms<T> {
    /// Lᵀ A_i L
    pub mass: PlatformMass<T>,
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

impl<T: Real> LegTerms<T> {
    /// Of no leg.
    #[inline(always)]
    pub fn none() -> Self {
        let zero = [T::zero(); 6];
        let mass = SpatialInertia::zero().blocks();
        Self { mass, coriolis: zero, gravity: zero, friction: zero, active: ActiveJoints::none() }
    }
}

impl<T: Real> LegEffort<T> {
    /// Of no leg.
    #[inline(always)]
    pub fn none() -> Self {
        Self { wrench: [T::zero(); 6], active: ActiveJoints::none() }
    }
}

/// A kind of leg that a mechanism can be built of.
///
/// The answers are large, so a mechanism hands in the place where they are to stand.
pub trait LegModel<T: Real> {
    /// How many of its joints are active.
    fn active_joints(&self) -> usize;

    /// The active joints at a pose, rates and efforts zero. Returns the margin: as in
    /// [`LegInverse::solve`], or the smallest |r_kk| of J_i, all lengths in sizes of the leg, if that is smaller.
    /// It has no unit: the same leg a thousand times as large has the same margin.
    fn kinematics_into(&self, pose: &Pose<T>, into: &mut ActiveJoints<T>) -> T;

    /// Contribution to the equation of motion at pose and twist of the platform. Returns the margin.
    fn terms_into(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>, into: &mut LegTerms<T>) -> T;

    /// Contribution to the inverse dynamics of one motion. Returns the margin.
    fn effort_into(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        into: &mut LegEffort<T>,
    ) -> T;

    /// As [`kinematics_into`](Self::kinematics_into), by value.
    fn kinematics(&self, pose: &Pose<T>) -> Margin<ActiveJoints<T>, T> {
        let mut value = ActiveJoints::none();
        let margin = self.kinematics_into(pose, &mut value);
        Margin { value, margin }
    }

    /// As [`terms_into`](Self::terms_into), by value.
    fn terms(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> Margin<LegTerms<T>, T> {
        let mut value = LegTerms::none();
        let margin = self.terms_into(pose, twist, gravity, &mut value);
        Margin { value, margin }
    }

    /// As [`effort_into`](Self::effort_into), by value.
    fn effort(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
    ) -> Margin<LegEffort<T>, T> {
        let mut value = LegEffort::none();
        let margin = self.effort_into(pose, twist, acceleration, gravity, &mut value);
        Margin { value, margin }
    }

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
    /// What the attachment passes on.
    pub attachment: AttachmentJacobian<T, N>,
    /// J_i⁻¹
    pub jacobian_inverse: [[T; N]; N],
}

impl<T: Real, const N: usize> LegPosture<T, N> {
    /// A place for a posture.
    #[inline(always)]
    fn blank() -> Self {
        Self {
            joints: [JointValue::slid(T::zero()); N],
            chain: ChainPosture::blank(),
            attachment: AttachmentJacobian::blank(),
            jacobian_inverse: [[T::zero(); N]; N],
        }
    }

    /// L = J_i⁻¹ J_vi: q̇_i = L V_P.
    pub fn follow(&self) -> [[T; 6]; N] {
        let mut rows = [[T::zero(); 6]; N];
        for j in 0..N {
            rows[j] = self.row(j);
        }
        rows
    }

    /// Row j of L.
    #[inline(always)]
    fn row(&self, j: usize) -> [T; 6] {
        self.attachment.at_platform(&self.jacobian_inverse[j]).to_vector_linear_first()
    }

    /// L V for a motion of the platform: velocities of the joints, or the part of their
    /// accelerations that follows an acceleration.
    #[inline(always)]
    pub fn following(&self, motion: Twist<T>) -> [T; N] {
        let components = self.attachment.components(motion.at(self.attachment.offset()));
        matrix::times(&self.jacobian_inverse, &components)
    }

    /// Lᵀ h: what efforts of the joints are at the platform's origin.
    #[inline(always)]
    fn carried(&self, effort: &[T; N]) -> [T; 6] {
        let components = matrix::transposed_times(&self.jacobian_inverse, effort);
        self.attachment.at_platform(&components).to_vector_linear_first()
    }

    /// Lᵀ A L
    #[inline(always)]
    fn carried_mass(&self, mass: &[[T; N]; N]) -> PlatformMass<T> {
        if !self.attachment.is_point() {
            return PlatformMass::from_matrix(&matrix::congruence(&self.follow(), mass));
        }
        let m = matrix::congruence(&self.jacobian_inverse, mass); // at the point
        let at_point =
            Sym3 { diagonal: V3::new(m[0][0], m[1][1], m[2][2]), off: V3::new(m[2][1], m[2][0], m[1][0]) };
        spread(at_point, self.attachment.offset())
    }
}

/// J_i⁻¹ and its margin: the smallest |r_kk| of J_i with all lengths in sizes of the leg, so without a unit. Rows
/// from `first_rotation` on are rotations; times the size they are lengths as the others.
#[inline(always)]
pub(crate) fn leg_inverse<T: Real, const N: usize>(
    mut jacobian: [[T; N]; N],
    first_rotation: usize,
    size: T,
    units: &[T; N],
) -> Margin<[[T; N]; N], T> {
    if first_rotation >= N {
        return matrix::inverse(&jacobian, units);
    }
    for row in jacobian.iter_mut().skip(first_rotation) {
        *row = row.map(|entry| entry * size);
    }
    let mut found = matrix::inverse(&jacobian, units);
    for row in &mut found.value {
        for entry in row.iter_mut().skip(first_rotation) {
            *entry = *entry * size;
        }
    }
    found
}

/// How fast a leg moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LegRates<T, const N: usize> {
    /// q̇_i
    pub rate: [T; N],
    /// c in q̈_i = L V̇_P + c
    pub bias: [T; N],
    /// The links.
    pub motion: ChainMotion<T, N>,
}

impl<T: Real, const N: usize> LegRates<T, N> {
    /// A place for rates.
    #[inline(always)]
    fn blank() -> Self {
        Self { rate: [T::zero(); N], bias: [T::zero(); N], motion: ChainMotion::blank() }
    }
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

    /// The same leg of a robot whose base stands at `base`.
    #[must_use]
    pub fn placed(mut self, base: &Pose<T>) -> Self {
        for link in self.chain.links.iter_mut().take(1) {
            link.placement = *base * link.placement;
        }
        Self { attachment: self.attachment.with_base_turned(base.rotation), ..self }
    }

    /// The same leg where the frame of the platform is another one of its frames, `tool`.
    #[must_use]
    pub fn seen_from(self, tool: &Pose<T>) -> Self {
        Self { attachment: self.attachment.seen_from(tool), ..self }
    }

    /// What the attachment passes on at a posture of the chain.
    #[inline(always)]
    pub fn attached(&self, pose: &Pose<T>, chain: &ChainPosture<T, N>) -> AttachmentJacobian<T, N> {
        self.attachment.jacobian(pose, chain.tip_rotation(), chain.point)
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
    pub fn posture(&self, pose: &Pose<T>) -> Margin<LegPosture<T, N>, T> {
        let mut value = LegPosture::blank();
        let margin = self.posture_into(pose, &mut value);
        Margin { value, margin }
    }

    /// The same in its place; returns the margin.
    #[inline(always)]
    fn posture_into(&self, pose: &Pose<T>, at: &mut LegPosture<T, N>) -> T {
        let Margin { value: joints, margin: reach } = self.inverse.solve(&self.chain, &self.attachment, pose);
        at.joints = joints;
        self.chain.posture_into(&at.joints, &mut at.chain);
        at.attachment = self.attached(pose, &at.chain);
        let size = self.chain.size(at.chain.point, pose.position);
        let Margin { value: inverse, margin } = leg_inverse(
            at.attachment.of_leg(&at.chain.screws),
            at.attachment.first_rotation(),
            size,
            &self.chain.column_units(size),
        );
        at.jacobian_inverse = inverse;
        // Out of reach the Jacobian is NaN; the radicand says by how much.
        T::select(T::zero().lt(reach), reach.min(margin), reach)
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
    pub fn rates(&self, posture: &LegPosture<T, N>, pose: &Pose<T>, twist: Twist<T>) -> LegRates<T, N> {
        let mut rates = LegRates::blank();
        self.rates_into(posture, pose, twist, &mut rates);
        rates
    }

    /// The same in its place.
    #[inline(always)]
    fn rates_into(
        &self,
        posture: &LegPosture<T, N>,
        pose: &Pose<T>,
        twist: Twist<T>,
        into: &mut LegRates<T, N>,
    ) {
        into.rate = posture.following(twist);
        self.chain.motion_into(&posture.chain, &into.rate, &mut into.motion);
        let at = AttachmentMotion {
            pose,
            twist,
            tip: posture.chain.tip_rotation(),
            leg_point: posture.chain.point,
            leg_twist: into.motion.tip(),
            leg_product: into.motion.tip_product(),
        };
        let missing = self.attachment.velocity_products(&posture.attachment, &at);
        into.bias = matrix::times(&posture.jacobian_inverse, &missing); // (27)
    }

    /// H_i with friction for an acceleration of the platform.
    #[inline(always)]
    fn efforts(
        &self,
        posture: &LegPosture<T, N>,
        rates: &LegRates<T, N>,
        acceleration: Twist<T>,
        gravity: V3<T>,
    ) -> [T; N] {
        let joint = Self::joint_acceleration(posture, rates, acceleration);
        let effort = self.chain.effort(&posture.chain, &rates.motion, &joint, gravity);
        matrix::sum(&effort, &self.chain.friction(&rates.rate))
    }

    /// q̈_i = L V̇_P + c
    #[inline(always)]
    pub(super) fn joint_acceleration(
        posture: &LegPosture<T, N>,
        rates: &LegRates<T, N>,
        acceleration: Twist<T>,
    ) -> [T; N] {
        matrix::sum(&posture.following(acceleration), &rates.bias)
    }

    /// Contribution to the inverse dynamics of joint efforts without friction.
    pub(super) fn put_own(
        &self,
        posture: &LegPosture<T, N>,
        rates: &LegRates<T, N>,
        effort: [T; N],
        into: &mut LegEffort<T>,
    ) {
        self.put_efforts(posture, rates, matrix::sum(&effort, &self.chain.friction(&rates.rate)), into);
    }

    /// Contribution to the equation of motion in a posture.
    #[inline(always)]
    pub(super) fn put_terms(
        &self,
        posture: &LegPosture<T, N>,
        rates: &LegRates<T, N>,
        gravity: V3<T>,
        into: &mut LegTerms<T>,
    ) {
        let inertias = self.chain.inertias(&posture.chain);
        let mass = self.chain.mass_matrix(&posture.chain, &inertias);
        // A c + h is the effort of a motion whose joint accelerations are c.
        let moving =
            self.chain.effort_with(&posture.chain, &inertias, &rates.motion, &rates.bias, V3::zero());
        let weight = self.chain.weight(&posture.chain, &inertias, gravity);
        let friction = self.chain.friction(&rates.rate);
        into.mass = posture.carried_mass(&mass); // (29)
        into.coriolis = posture.carried(&moving); // (30)
        into.gravity = posture.carried(&weight);
        into.friction = posture.carried(&friction);
        self.select(posture, [&rates.rate, &rates.bias, &[T::zero(); N]], &mut into.active);
    }

    /// Contribution to the inverse dynamics in a posture.
    #[inline(always)]
    pub(super) fn put_effort(
        &self,
        posture: &LegPosture<T, N>,
        rates: &LegRates<T, N>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        into: &mut LegEffort<T>,
    ) {
        self.put_efforts(posture, rates, self.efforts(posture, rates, acceleration, gravity), into);
    }

    /// Of these efforts those of the passive joints as a wrench, the active joints with theirs.
    #[inline(always)]
    fn put_efforts(
        &self,
        posture: &LegPosture<T, N>,
        rates: &LegRates<T, N>,
        effort: [T; N],
        into: &mut LegEffort<T>,
    ) {
        let mut passive = effort;
        for_joints!(N, j => {
            if self.chain.links[j].active {
                passive[j] = T::zero();
            }
        });
        into.wrench = posture.carried(&passive);
        self.select(posture, [&rates.rate, &rates.bias, &effort], &mut into.active);
    }

    /// Kinetic and potential energy \[J\] in a posture.
    pub(super) fn energy_at(&self, posture: &LegPosture<T, N>, twist: Twist<T>, gravity: V3<T>) -> (T, T) {
        let rate = posture.following(twist);
        (
            self.chain.kinetic_energy(&posture.chain, &rate),
            self.chain.potential_energy(&posture.chain, gravity),
        )
    }

    /// Puts the active joints into their list.
    #[inline(always)]
    pub(super) fn select(
        &self,
        posture: &LegPosture<T, N>,
        [rate, bias, effort]: [&[T; N]; 3],
        active: &mut ActiveJoints<T>,
    ) {
        active.clear();
        let mut slots = active.list.iter_mut();
        for_joints!(N, j => {
            let link = &self.chain.links[j];
            if link.active
                && let Some(slot) = slots.next()
            {
                *slot = Some(ActiveJoint {
                    kind: link.kind,
                    value: posture.joints[j],
                    row: posture.row(j),
                    rate: rate[j],
                    bias: bias[j],
                    effort: effort[j],
                });
            }
        });
    }
}

impl<const N: usize> Leg<f64, N> {
    /// The size of the leg at a pose, see [`Chain::size`] \[m\].
    pub fn size(&self, pose: &Pose<f64>) -> f64 {
        self.chain.size(self.posture(pose).value.chain.point, pose.position)
    }

    /// See [`AnyLeg::found_numerically`](super::AnyLeg::found_numerically). A leg that is so already stays as it is.
    #[must_use]
    pub fn found_numerically(self, pose: &Pose<f64>) -> Self {
        if matches!(self.inverse, LegInverse::Numerical { .. }) {
            return self;
        }
        let joints = self.inverse.solve(&self.chain, &self.attachment, pose).value;
        let seed = from_fn(|k| joints[k].coordinate(self.chain.links[k].kind));
        Self { inverse: LegInverse::Numerical { seed, steps: LegInverse::<f64, N>::USUAL_STEPS }, ..self }
    }
}

impl<T: Real, const N: usize> LegModel<T> for Leg<T, N> {
    fn active_joints(&self) -> usize {
        self.chain.links.iter().filter(|link| link.active).count()
    }

    fn kinematics_into(&self, pose: &Pose<T>, into: &mut ActiveJoints<T>) -> T {
        let mut posture = LegPosture::blank();
        let margin = self.posture_into(pose, &mut posture);
        let zero = [T::zero(); N];
        self.select(&posture, [&zero; 3], into);
        margin
    }

    fn terms_into(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>, into: &mut LegTerms<T>) -> T {
        let (mut posture, mut rates) = (LegPosture::blank(), LegRates::blank());
        let margin = self.posture_into(pose, &mut posture);
        self.rates_into(&posture, pose, twist, &mut rates);
        self.put_terms(&posture, &rates, gravity, into);
        margin
    }

    fn effort_into(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        into: &mut LegEffort<T>,
    ) -> T {
        let (mut posture, mut rates) = (LegPosture::blank(), LegRates::blank());
        let margin = self.posture_into(pose, &mut posture);
        self.rates_into(&posture, pose, twist, &mut rates);
        self.put_effort(&posture, &rates, acceleration, gravity, into);
        margin
    }

    fn energy(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>) -> (T, T) {
        self.energy_at(&self.posture(pose).value, twist, gravity)
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
        let wrench = posture.attachment.wrench(&components);
        Reaction { point: posture.chain.point, wrench }
    }

    fn loop_gap(&self, pose: &Pose<T>) -> T {
        self.gap(pose)
    }
}

impl<T: Real, L: LegModel<T> + ?Sized> LegModel<T> for &L {
    fn active_joints(&self) -> usize {
        (**self).active_joints()
    }
    fn kinematics_into(&self, pose: &Pose<T>, into: &mut ActiveJoints<T>) -> T {
        (**self).kinematics_into(pose, into)
    }
    fn terms_into(&self, pose: &Pose<T>, twist: Twist<T>, gravity: V3<T>, into: &mut LegTerms<T>) -> T {
        (**self).terms_into(pose, twist, gravity, into)
    }
    fn effort_into(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
        gravity: V3<T>,
        into: &mut LegEffort<T>,
    ) -> T {
        (**self).effort_into(pose, twist, acceleration, gravity, into)
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

//! A robot whose base moves: on a ship, a sledge, another robot.
//!
//! Everything is written in the frame of the base; an inertial frame passes through the same place at this instant.
//! The recursions of a [chain](super::chain) then begin with the motion of the base instead of with rest,
//!
//! ```text
//! V_0 = (ω × p, ω),   A_0 = (a + α × p − g, α)        about the point p
//! V_P' = V_0 + V_P,   A_P' = A_0 + A_P + V_0 × V_P     of the platform
//! ```
//!
//! with ω, α and the acceleration a of the base's origin. A velocity that does not change has no effect, so the
//! inertial frame is taken to move with the base's origin. Rotors are reflected to their joints and feel nothing of
//! the base.

use super::any::AnyLeg;
use super::chain::Chain;
use super::leg::{Leg, LegEffort};
use super::spatial::{Pose, RigidBody, Twist, Wrench};
use crate::{Margin, Real, V3};

/// How the base of a robot moves at one instant, in its own axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BaseMotion<T> {
    /// ω \[rad/s\]
    pub angular_velocity: V3<T>,
    /// Of the base's origin, a \[m/s²\].
    pub linear_acceleration: V3<T>,
    /// α \[rad/s²\]
    pub angular_acceleration: V3<T>,
    /// Gravity as the base sees it \[m/s²\].
    pub gravity: V3<T>,
}

impl<T: Real> BaseMotion<T> {
    /// Of a base at rest.
    pub fn rest(gravity: V3<T>) -> Self {
        let zero = V3::zero();
        Self { angular_velocity: zero, linear_acceleration: zero, angular_acceleration: zero, gravity }
    }

    /// V_0 and A_0 about a point.
    fn about(&self, point: V3<T>) -> (Twist<T>, Twist<T>) {
        let (w, alpha) = (self.angular_velocity, self.angular_acceleration);
        let straight = self.linear_acceleration + alpha.cross(point) - self.gravity;
        (Twist::new(w.cross(point), w), Twist::new(straight, alpha))
    }

    /// What the motion of a platform relative to the base asks for: force, and moment about its origin. Twist and
    /// acceleration are those of its origin as the base sees them.
    pub fn platform_wrench(
        &self,
        body: &RigidBody<T>,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
    ) -> Wrench<T> {
        let (v0, a0) = self.about(pose.position);
        // The acceleration of a point less ω × v is that of the screw.
        let screw = Twist::new(acceleration.linear - twist.angular.cross(twist.linear), acceleration.angular);
        body.inertial_wrench(pose, pose.position, v0 + twist, a0 + screw + v0.cross(twist))
    }
}

impl<T: Real, const N: usize> Leg<T, N> {
    /// [`effort`](super::LegModel::effort) on a moving base; twist and acceleration of the platform are those that the
    /// base sees.
    pub fn effort_on(
        &self,
        base: &BaseMotion<T>,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
    ) -> Margin<LegEffort<T>, T> {
        let Margin { value: posture, margin } = self.posture(pose);
        let rates = self.rates(&posture, pose, twist);
        let joint = Self::joint_acceleration(&posture, &rates, acceleration);
        let (v0, a0) = base.about(posture.chain.point);
        let motion = Chain::motion_from(&posture.chain, &rates.rate, v0);
        let mut value = LegEffort::none();
        self.put_own(
            &posture,
            &rates,
            self.chain.effort_from(&posture.chain, &motion, &joint, a0),
            &mut value,
        );
        Margin { value, margin }
    }
}

impl AnyLeg<f64> {
    /// [`effort`](super::LegModel::effort) on a moving base; a leg in closed form as the chain that it stands for.
    pub fn effort_on(
        &self,
        base: &BaseMotion<f64>,
        pose: &Pose<f64>,
        twist: Twist<f64>,
        acceleration: Twist<f64>,
    ) -> Margin<LegEffort<f64>, f64> {
        match self {
            Self::One(leg) => leg.effort_on(base, pose, twist, acceleration),
            Self::Two(leg) => leg.effort_on(base, pose, twist, acceleration),
            Self::Three(leg) => leg.effort_on(base, pose, twist, acceleration),
            Self::Four(leg) => leg.effort_on(base, pose, twist, acceleration),
            Self::Five(leg) => leg.effort_on(base, pose, twist, acceleration),
            Self::Six(leg) => leg.effort_on(base, pose, twist, acceleration),
            Self::Ups(leg) => leg.leg().effort_on(base, pose, twist, acceleration),
        }
    }
}

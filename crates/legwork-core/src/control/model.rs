//! What a regulator needs of a robot.

use super::signal::{Joints, Platform};
use crate::engine::{Pose, Twist};
use crate::{Margin, Real};

/// A robot as a regulator sees it: K motors, a platform.
///
/// Every answer is total and comes with a margin that is positive where it means something.
/// All work is bounded.
pub trait Model<T: Real, const K: usize> {
    /// Inverse kinematics with rates.
    fn joints(&self, platform: &Platform<T>) -> Margin<Joints<T, K>, T>;

    /// Forward kinematics with rates: the pose near `near` at which the motors are at `q`, and the
    /// platform's velocity while they turn with `qdot`.
    fn platform(&self, q: &[T; K], qdot: &[T; K], near: &Pose<T>) -> Margin<(Pose<T>, Twist<T>), T>;

    /// Inverse dynamics: the efforts for a motion of the platform \[N·m or N\], friction included.
    fn effort(&self, platform: &Platform<T>) -> Margin<[T; K], T>;

    /// Mass matrix A(q) at the motors \[kg·m² or kg\].
    fn joint_mass_matrix(&self, pose: &Pose<T>) -> Margin<[[T; K]; K], T>;

    /// V̇_P = J q̈ + J̇ q̇ \[m/s², rad/s²\] at a velocity of the platform.
    fn platform_acceleration(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; K]) -> Margin<Twist<T>, T>;

    /// Inverse dynamics from the motors' accelerations at a state of the platform: A q̈ + V + G, friction included.
    fn effort_from_joints(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; K]) -> Margin<[T; K], T> {
        let follow = self.platform_acceleration(pose, twist, qddot);
        let motion = Platform { pose: *pose, twist: *twist, acceleration: follow.value };
        let Margin { value, margin } = self.effort(&motion);
        Margin { value, margin: margin.min(follow.margin) }
    }

    /// Efforts that hold the robot at rest, u_g = NᵀG \[Bortoff2018, Sec. IV\].
    fn gravity(&self, pose: &Pose<T>) -> Margin<[T; K], T> {
        self.effort(&Platform::rest(*pose))
    }
}

/// Hands the questions about motion and mass on to `$to`; the efforts are left to the caller.
macro_rules! as_model_of {
    ($T:ty, $K:expr, |$it:ident| $to:expr) => {
        #[inline]
        fn joints(
            &self,
            platform: &$crate::control::Platform<$T>,
        ) -> $crate::Margin<$crate::control::Joints<$T, $K>, $T> {
            let $it = self;
            $to.joints(platform)
        }
        #[inline]
        fn platform(
            &self,
            q: &[$T; $K],
            qdot: &[$T; $K],
            near: &$crate::engine::Pose<$T>,
        ) -> $crate::Margin<($crate::engine::Pose<$T>, $crate::engine::Twist<$T>), $T> {
            let $it = self;
            $to.platform(q, qdot, near)
        }
        #[inline]
        fn joint_mass_matrix(&self, pose: &$crate::engine::Pose<$T>) -> $crate::Margin<[[$T; $K]; $K], $T> {
            let $it = self;
            $to.joint_mass_matrix(pose)
        }
        #[inline]
        fn platform_acceleration(
            &self,
            pose: &$crate::engine::Pose<$T>,
            twist: &$crate::engine::Twist<$T>,
            qddot: &[$T; $K],
        ) -> $crate::Margin<$crate::engine::Twist<$T>, $T> {
            let $it = self;
            $to.platform_acceleration(pose, twist, qddot)
        }
    };
}
pub(super) use as_model_of;

impl<T: Real, M: Model<T, K> + ?Sized, const K: usize> Model<T, K> for &M {
    as_model_of!(T, K, |it| (**it));

    #[inline]
    fn effort(&self, platform: &Platform<T>) -> Margin<[T; K], T> {
        (**self).effort(platform)
    }
    #[inline]
    fn effort_from_joints(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; K]) -> Margin<[T; K], T> {
        (**self).effort_from_joints(pose, twist, qddot)
    }
    #[inline]
    fn gravity(&self, pose: &Pose<T>) -> Margin<[T; K], T> {
        (**self).gravity(pose)
    }
}

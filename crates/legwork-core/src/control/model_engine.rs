//! Every robot of the engine as a model.

use super::model::{Model, as_model_of};
use super::signal::{Joints, Platform};
use crate::engine::matrix::{self, Qr};
use crate::engine::{LegModel, Mechanism, MotionSpace, PlatformMotion, Pose, Robot, Twist, Wrench};
use crate::{Margin, Real};
use core::array::from_fn;

/// Newton steps from the pose of the last sample. Each squares the error: 20 mrad or mm between samples
/// become less than rounding.
pub(super) const NEWTON_STEPS: usize = 4;

/// The gap at the motors that counts as closed: turns \[rad\], slides in units of the platform's size. Newton's method
/// ends far below or far above.
pub(super) const CLOSED: f64 = 1e-5;

/// V_r in V_P = S V_r; what S does not reach is dropped.
#[inline]
fn reduced<T: Real, const D: usize>(space: &MotionSpace<T, D>, twist: &Twist<T>) -> [T; D] {
    #[allow(clippy::indexing_slicing)] // rows of a 6×D matrix
    let rows: [[T; D]; 6] = from_fn(|i| space.columns().map(|column| column[i]));
    Qr::new(&rows).solve(&twist.to_vector_linear_first()).0
}

impl<T: Real, L: LegModel<T>, const D: usize, const K: usize> Mechanism<'_, T, L, D, K> {
    /// V_r and V̇_r of a platform's motion: V̇_P = S V̇_r + Ṡ V_r.
    #[inline]
    fn in_freedoms(&self, platform: &Platform<T>) -> PlatformMotion<T, D> {
        let rate = reduced(&self.space, &platform.twist);
        let acceleration = reduced(&self.space, &(platform.acceleration - self.space.product(&rate)));
        PlatformMotion { pose: platform.pose, rate, acceleration }
    }
}

impl<T: Real, L: LegModel<T>, const D: usize, const K: usize> Model<T, K> for Mechanism<'_, T, L, D, K> {
    fn joints(&self, platform: &Platform<T>) -> Margin<Joints<T, K>, T> {
        let motion = self.in_freedoms(platform);
        let found = self.kinematics(&motion.pose);
        let moving = self.inverse_dynamics(&motion, Wrench::zero());
        let value = Joints {
            q: found.value.coordinates(),
            qdot: moving.value.rate,
            qddot: moving.value.acceleration,
        };
        Margin { value, margin: found.margin.min(moving.margin) }
    }

    fn platform(&self, q: &[T; K], qdot: &[T; K], near: &Pose<T>) -> Margin<(Pose<T>, Twist<T>), T> {
        let mut pose = *near;
        for _ in 0..NEWTON_STEPS {
            pose = self.newton_step(&pose, q).value.pose;
        }
        let last = self.newton_step(&pose, q);
        let open = T::from_f64(CLOSED) - last.value.gap;
        let active = self.kinematics(&pose).value;
        let (rate, _) = self.space.scales().motor_factors(&active.kinds, &active.rows).solve(qdot);
        Margin { value: (pose, self.space.twist(&rate)), margin: last.margin.min(open) }
    }

    fn effort(&self, platform: &Platform<T>) -> Margin<[T; K], T> {
        let Margin { value, margin } = self.inverse_dynamics(&self.in_freedoms(platform), Wrench::zero());
        Margin { value: value.effort, margin }
    }

    fn joint_mass_matrix(&self, pose: &Pose<T>) -> Margin<[[T; K]; K], T> {
        let task = self.task_dynamics(pose, &[T::zero(); D]);
        let Margin { value, margin } = task.value.joint_dynamics();
        Margin { value: value.mass, margin: margin.min(task.margin) }
    }

    fn platform_acceleration(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; K]) -> Margin<Twist<T>, T> {
        let rate = reduced(&self.space, twist);
        let Margin { value: task, margin } = self.task_dynamics(pose, &rate);
        let factors = task.motor_factors();
        let (acceleration, _) = factors.solve(&matrix::difference(qddot, &task.active.bias));
        let value = self.space.twist(&acceleration) + self.space.product(&rate);
        Margin { value, margin: margin.min(factors.margin()) }
    }
}

impl<T: Real, const N: usize, const M: usize, const D: usize, const K: usize> Model<T, K>
    for Robot<T, N, M, D, K>
{
    as_model_of!(T, K, |it| it.mechanism());

    fn effort(&self, platform: &Platform<T>) -> Margin<[T; K], T> {
        self.mechanism().effort(platform)
    }
}

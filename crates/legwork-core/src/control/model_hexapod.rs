//! The hexapod in closed form as a model: one pass over the legs for each question.

use super::Number;
use super::model::Model;
use super::model_engine::{CLOSED, NEWTON_STEPS};
use super::signal::{Joints, Platform};
use crate::Margin;
use crate::engine::hexapod::HexapodJoints;
use crate::engine::unrolled::solve_qr6;
use crate::engine::{Hexapod, Pose, Twist, matrix};

/// A gap of this size, relative to the lengths of the legs, is rounding: no step makes it smaller.
fn rounding<T: Number>() -> T {
    let double = T::from_f64(8.0 * f64::EPSILON);
    if T::one() + double > T::one() { double } else { T::from_f64(8.0 * f64::from(f32::EPSILON)) }
}

impl<T: Number> Model<T, 6> for Hexapod<T> {
    fn joints(&self, platform: &Platform<T>) -> Margin<Joints<T, 6>, T> {
        let Margin { value: HexapodJoints { q, qdot, qddot }, margin } =
            self.joint_motion(&platform.pose, platform.twist, platform.acceleration);
        Margin { value: Joints { q, qdot, qddot }, margin }
    }

    /// Newton's method from `near`, at most four steps. It stops where the gap is rounding: after two or three
    /// steps if `near` is the pose of the last sample.
    fn platform(&self, q: &[T; 6], qdot: &[T; 6], near: &Pose<T>) -> Margin<(Pose<T>, Twist<T>), T> {
        let mut pose = *near;
        let mut here = self.closure(&pose);
        let mut missing = matrix::difference(q, &here.q);
        for _ in 0..NEWTON_STEPS {
            if matrix::dot(&missing, &missing) <= here.size_sq * rounding::<T>().squared() {
                break;
            }
            let step = solve_qr6(&here.rows, &missing).value;
            pose = pose.moved(&Twist::from_vector_linear_first(step));
            here = self.closure(&pose);
            missing = matrix::difference(q, &here.q);
        }
        let Margin { value: twist, margin } = self.platform_rate(&here.rows, qdot);
        let gap = matrix::dot(&missing, &missing).sqrt() / self.platform_size();
        Margin { value: (pose, twist), margin: margin.min(here.reach).min(T::from_f64(CLOSED) - gap) }
    }

    fn effort(&self, platform: &Platform<T>) -> Margin<[T; 6], T> {
        self.effort_from_platform(&platform.pose, platform.twist, platform.acceleration)
    }

    fn joint_mass_matrix(&self, pose: &Pose<T>) -> Margin<[[T; 6]; 6], T> {
        Self::joint_mass_matrix(self, pose)
    }

    fn platform_acceleration(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; 6]) -> Margin<Twist<T>, T> {
        self.acceleration_from_joints(pose, *twist, qddot)
    }

    fn effort_from_joints(&self, pose: &Pose<T>, twist: &Twist<T>, qddot: &[T; 6]) -> Margin<[T; 6], T> {
        Self::effort_from_joints(self, pose, *twist, qddot)
    }
}

//! What a regulator asks of a hexapod at every sample, in closed form: one pass over the legs for each question.

use super::{Hexapod, each, least};
use crate::engine::matrix;
use crate::engine::spatial::{Pose, Twist, Wrench};
use crate::engine::unrolled::solve_qr6;
use crate::engine::ups::{Ups, UpsPosture};
use crate::{Margin, Real};

/// Actuated joints of a hexapod: places, velocities, accelerations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HexapodJoints<T> {
    /// L of each leg, from its zero \[m\].
    pub q: [T; 6],
    /// L̇ \[m/s\]
    pub qdot: [T; 6],
    /// L̈ \[m/s²\]
    pub qddot: [T; 6],
}

/// L̈ but for the platform's acceleration: z·(ω × (ω × P P_i)) + (v² − L̇²)/L, where v is the velocity of P_i.
#[inline(always)]
fn bias<T: Real>(at: &UpsPosture<T>, twist: Twist<T>) -> (T, T) {
    let (v, centripetal) = Ups::point_motion(at, twist, Twist::zero());
    let rate = at.z.dot(v);
    (rate, at.z.dot(centripetal) + (v.norm_sq() - rate * rate) / at.length)
}

impl<T: Real> Hexapod<T> {
    #[inline(always)]
    fn postures(&self, pose: &Pose<T>) -> [UpsPosture<T>; 6] {
        each(&self.legs, |leg| leg.posture(pose))
    }

    /// L of each leg, from its zero.
    #[inline(always)]
    fn coordinates(&self, at: &[UpsPosture<T>; 6]) -> [T; 6] {
        matrix::difference(&each(at, |at| at.length), &each(&self.legs, Ups::zero_length))
    }

    /// Joints, with their velocities and accelerations, for a motion of the platform. The margin is the smallest
    /// sin² q2 of the legs.
    #[inline(always)]
    pub fn joint_motion(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
    ) -> Margin<HexapodJoints<T>, T> {
        let at = self.postures(pose);
        let motion = each(&at, |at| {
            let (rate, bias) = bias(at, twist);
            (rate, Ups::row(at).power(acceleration) + bias)
        });
        let value = HexapodJoints {
            q: self.coordinates(&at),
            qdot: each(&motion, |motion| motion.0),
            qddot: each(&motion, |motion| motion.1),
        };
        Margin { value, margin: least(each(&at, |at| at.margin)) }
    }

    /// Pose and velocity of the platform near a pose, by `steps` steps of Newton's method towards the joints `q` that
    /// move with `qdot`; then the gap |q − q(pose)| that is left \[m\]. The margin is the smaller of sin² q2 of the
    /// legs and |r_kk| of J_r⁻¹.
    #[inline(always)]
    pub fn platform_near(
        &self,
        q: &[T; 6],
        qdot: &[T; 6],
        near: &Pose<T>,
        steps: usize,
    ) -> Margin<(Pose<T>, Twist<T>, T), T> {
        let mut pose = *near;
        for _ in 0..steps {
            let at = self.postures(&pose);
            let missing = matrix::difference(q, &self.coordinates(&at));
            let step = solve_qr6(&rows(&at), &missing).value;
            pose = pose.moved(&Twist::from_vector_linear_first(step));
        }
        let at = self.postures(&pose);
        let missing = matrix::difference(q, &self.coordinates(&at));
        let Margin { value, margin } = solve_qr6(&rows(&at), qdot);
        let reach = least(each(&at, |at| at.margin));
        let gap = matrix::dot(&missing, &missing).sqrt();
        Margin { value: (pose, Twist::from_vector_linear_first(value), gap), margin: margin.min(reach) }
    }

    /// V̇_P for accelerations of the joints at a velocity of the platform: J_r⁻¹ V̇_P = L̈ − bias. The margin is the
    /// smaller of sin² q2 of the legs and |r_kk| of J_r⁻¹.
    #[inline(always)]
    pub fn acceleration_from_joints(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        qddot: &[T; 6],
    ) -> Margin<Twist<T>, T> {
        let at = self.postures(pose);
        let wanted = matrix::difference(qddot, &each(&at, |at| bias(at, twist).1));
        let Margin { value, margin } = solve_qr6(&rows(&at), &wanted);
        let reach = least(each(&at, |at| at.margin));
        Margin { value: Twist::from_vector_linear_first(value), margin: margin.min(reach) }
    }
}

/// J_r⁻¹ by rows.
#[inline(always)]
fn rows<T: Real>(at: &[UpsPosture<T>; 6]) -> [[T; 6]; 6] {
    each(at, |at| Wrench::to_vector_linear_first(Ups::row(at)))
}

//! What a regulator asks of a hexapod at every sample, in closed form: one pass over the legs for each question.

use super::{Hexapod, each, least, platform_demand};
use crate::engine::matrix::{self, Qr};
use crate::engine::spatial::{Pose, Twist, Wrench};
use crate::engine::unrolled::solve_qr6;
use crate::engine::ups::{Ups, UpsPosture, spread};
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

    /// Where the joints are and how they follow the platform: what Newton's method asks for at each of its steps.
    #[inline(always)]
    pub(crate) fn closure(&self, pose: &Pose<T>) -> HexapodClosure<T> {
        let at = self.postures(pose);
        let lengths = each(&at, |at| at.length);
        HexapodClosure {
            q: self.coordinates(&at),
            size_sq: matrix::dot(&lengths, &lengths),
            rows: rows(&at),
            reach: least(each(&at, |at| at.margin)),
        }
    }

    /// V̇_P for accelerations of the joints at a velocity of the platform: J_r⁻¹ V̇_P = L̈ − bias. The margin is the
    /// smaller of sin² q2 of the legs and |r_kk| of J_r⁻¹ in units of the [platform's size](Self::platform_size).
    #[inline(always)]
    pub fn acceleration_from_joints(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        qddot: &[T; 6],
    ) -> Margin<Twist<T>, T> {
        let at = self.postures(pose);
        let wanted = matrix::difference(qddot, &each(&at, |at| bias(at, twist).1));
        let Margin { value, margin } = self.platform_rate(&rows(&at), &wanted);
        Margin { value, margin: margin.min(least(each(&at, |at| at.margin))) }
    }

    /// V_P for rates of the joints, J_r⁻¹ V_P = L̇. The margin is that of J_r⁻¹ in units of the platform's size: its
    /// rotations are solved for as lengths at that distance.
    #[inline(always)]
    pub(crate) fn platform_rate(&self, rows: &[[T; 6]; 6], rate: &[T; 6]) -> Margin<Twist<T>, T> {
        let scale = self.platform_size().recip();
        let lengths = each(rows, |[x, y, z, a, b, c]| [*x, *y, *z, *a * scale, *b * scale, *c * scale]);
        let Margin { value, margin } = solve_qr6(&lengths, rate);
        let Twist { linear, angular } = Twist::from_vector_linear_first(value);
        Margin { value: Twist::new(linear, angular * scale), margin }
    }

    /// 1 for translations of the platform, its size for rotations: the units of the columns of J_r⁻¹.
    #[inline(always)]
    fn units(&self) -> [T; 6] {
        let (one, size) = (T::one(), self.platform_size());
        [one, one, one, size, size, size]
    }

    /// Motor forces \[N\] for accelerations of the joints at a state of the platform: the joints' accelerations are
    /// carried to the platform and its demand back to the motors by the same factors of J_r⁻¹. The margin is that of
    /// [`acceleration_from_joints`](Self::acceleration_from_joints).
    #[inline(always)]
    pub fn effort_from_joints(&self, pose: &Pose<T>, twist: Twist<T>, qddot: &[T; 6]) -> Margin<[T; 6], T> {
        let at = self.postures(pose);
        let wanted = matrix::difference(qddot, &each(&at, |at| bias(at, twist).1));
        let qr = Qr::new(&rows(&at));
        let acceleration = Twist::from_vector_linear_first(qr.solve(&wanted).0);
        self.effort_with(&at, &qr, pose, twist, acceleration)
    }

    /// Motor forces \[N\] for a motion of the platform, as [`inverse_dynamics`](Self::inverse_dynamics) gives them, with
    /// the margin of [`acceleration_from_joints`](Self::acceleration_from_joints).
    #[inline(always)]
    pub fn effort_from_platform(
        &self,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
    ) -> Margin<[T; 6], T> {
        let at = self.postures(pose);
        self.effort_with(&at, &Qr::new(&rows(&at)), pose, twist, acceleration)
    }

    /// (21) with the factors of J_r⁻¹ given.
    #[inline(always)]
    fn effort_with(
        &self,
        at: &[UpsPosture<T>; 6],
        qr: &Qr<T, 6, 6>,
        pose: &Pose<T>,
        twist: Twist<T>,
        acceleration: Twist<T>,
    ) -> Margin<[T; 6], T> {
        let mut held =
            platform_demand(&self.platform, pose, twist, acceleration, self.gravity, Wrench::zero());
        let mut own = [T::zero(); 6];
        for ((leg, at), own) in self.legs.iter().zip(at).zip(&mut own) {
            let (v, a) = Ups::point_motion(at, twist, acceleration);
            let force = leg.forces(at, v, a, self.gravity);
            held = held + Wrench::new(force.across, at.offset.cross(force.across));
            *own = force.along;
        }
        let carried = qr.solve_transposed(&held.to_vector_linear_first());
        let reach = least(each(at, |at| at.margin));
        Margin { value: matrix::sum(&own, &carried), margin: qr.margin_in(&self.units()).min(reach) }
    }

    /// Mass matrix at the motors, J_rᵀ A_rob J_r \[kg\]. The margin is that of
    /// [`acceleration_from_joints`](Self::acceleration_from_joints).
    #[inline(always)]
    pub fn joint_mass_matrix(&self, pose: &Pose<T>) -> Margin<[[T; 6]; 6], T> {
        let at = self.postures(pose);
        let mut mass = self.platform.spatial(pose, pose.position).blocks();
        for (leg, at) in self.legs.iter().zip(&at) {
            mass = mass + spread(leg.mass(at), at.offset);
        }
        let qr = Qr::new(&rows(&at));
        let value = matrix::congruence(&qr.inverse(), &mass.to_matrix());
        Margin { value, margin: qr.margin_in(&self.units()).min(least(each(&at, |at| at.margin))) }
    }
}

/// The joints at a pose.
pub(crate) struct HexapodClosure<T> {
    /// L of each leg, from its zero \[m\].
    pub q: [T; 6],
    /// ΣL² \[m²\]
    pub size_sq: T,
    /// J_r⁻¹
    pub rows: [[T; 6]; 6],
    /// Smallest sin² q2 of the legs.
    pub reach: T,
}

/// J_r⁻¹ by rows.
#[inline(always)]
fn rows<T: Real>(at: &[UpsPosture<T>; 6]) -> [[T; 6]; 6] {
    each(at, |at| Wrench::to_vector_linear_first(Ups::row(at)))
}

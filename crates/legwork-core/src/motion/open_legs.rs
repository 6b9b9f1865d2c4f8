//! Any robot of the general engine with its legs cut open at the platform.
#![allow(clippy::indexing_slicing)] // indices are bounded by N M + 7, N M + D and N M

use super::multibody::{Multibody, Terms};
use super::{Energy, Fault, Load, Quaternion, put_at, put_row};
use crate::Margin;
use crate::engine::attachment::AttachmentMotion;
use crate::engine::matrix;
use crate::engine::{ChainPosture, Leg, Pose, Robot, StateError, Twist, Wrench};
use core::array::from_fn;

/// M open legs of N joints and a free platform with D freedoms, K motors; the closure
/// says that each leg ends in its attachment \[KhalilIbrahim2007, Eq. 18, 19\].
///
/// Configuration (N M + 7 numbers): the joints \[rad or m\] leg by leg, position and quaternion
/// of the platform. Velocities (N M + D): joint rates, V_r. Closure (N M): the components that the
/// attachments pass on.
#[derive(Clone, Copy, Debug)]
pub struct OpenLegs<const N: usize, const M: usize, const D: usize, const K: usize> {
    /// The robot; the inverse kinematics of its legs is used for the start only.
    pub robot: Robot<f64, N, M, D, K>,
}

/// The platform of a configuration.
fn pose_of<const P: usize>(q: &[f64; P], at: usize) -> Pose<f64> {
    let quaternion = Quaternion::from_array([q[at + 3], q[at + 4], q[at + 5], q[at + 6]]);
    Pose::new(quaternion.rotation(), [q[at], q[at + 1], q[at + 2]].into())
}

impl<const N: usize, const M: usize, const D: usize, const K: usize> OpenLegs<N, M, D, K> {
    /// Where the platform begins.
    const LEGS: usize = N * M;

    fn part<const L: usize>(list: &[f64; L], i: usize) -> [f64; N] {
        from_fn(|j| list.get(N * i + j).copied().unwrap_or(0.0))
    }

    fn rate<const Q: usize>(v: &[f64; Q]) -> [f64; D] {
        const { assert!(Q == N * M + D, "velocities: joints and freedoms") };
        from_fn(|k| v[Self::LEGS + k])
    }

    #[inline(always)]
    fn posture<const P: usize>(&self, q: &[f64; P], i: usize) -> ChainPosture<f64, N> {
        const { assert!(P == N * M + 7, "configuration: joints, position, quaternion") };
        let chain = &self.robot.legs[i].chain;
        chain.posture(&chain.values(&Self::part(q, i)))
    }

    /// Rows of leg i: −J_i, and J_vi S.
    fn rows(
        &self,
        leg: &Leg<f64, N>,
        pose: &Pose<f64>,
        chain: &ChainPosture<f64, N>,
    ) -> ([[f64; N]; N], [[f64; D]; N]) {
        let passed = leg.attached(pose, chain);
        let own = passed.of_leg(&chain.screws).map(|row| row.map(|x| -x));
        let platform = passed.of_platform().map(|row| self.robot.space.project(&row));
        (own, platform)
    }

    fn put_rows<const Q: usize, const C: usize>(
        rows: &mut [[f64; Q]; C],
        i: usize,
        (own, platform): &([[f64; N]; N], [[f64; D]; N]),
    ) {
        const { assert!(C == N * M, "closure: what the attachments pass on") };
        for (k, (own, platform)) in own.iter().zip(platform).enumerate() {
            put_row(rows, N * i + k, N * i, own);
            put_row(rows, N * i + k, Self::LEGS, platform);
        }
    }

    fn put_mass<const Q: usize>(mass: &mut [[f64; Q]; Q], i: usize, block: &[[f64; N]; N]) {
        for (k, line) in block.iter().enumerate() {
            put_row(mass, N * i + k, N * i, line);
        }
    }

    /// Sᵀ I_S S into its place, and I_S as a 6×6 matrix.
    fn put_platform<const Q: usize>(&self, mass: &mut [[f64; Q]; Q], pose: &Pose<f64>) -> [[f64; 6]; 6] {
        let inertia = self.robot.platform.spatial(pose, pose.position).to_matrix();
        for (k, column) in self.robot.space.columns().iter().enumerate() {
            let line = self.robot.space.project(&matrix::times(&inertia, column));
            put_row(mass, Self::LEGS + k, Self::LEGS, &line);
        }
        inertia
    }
}

impl<
    const N: usize,
    const M: usize,
    const D: usize,
    const K: usize,
    const P: usize,
    const Q: usize,
    const C: usize,
> Multibody<P, Q, C> for OpenLegs<N, M, D, K>
{
    fn motors(&self) -> usize {
        K
    }

    fn terms(&self, q: &[f64; P], v: &[f64; Q], load: &Load<'_>) -> Result<Terms<Q, C>, Fault> {
        let effort: [f64; K] = super::fault::efforts(load.effort)?;
        let mut motors = effort.into_iter();
        let robot = &self.robot;
        let pose = pose_of(q, Self::LEGS);
        let rate = Self::rate(v);
        let (twist, product) = (robot.space.twist(&rate), robot.space.product(&rate));
        let mut terms = Terms {
            mass: [[0.0; Q]; Q],
            force: [0.0; Q],
            closure: Multibody::<P, Q, C>::closure(self, q),
            jacobian: [[0.0; Q]; C],
            product: [0.0; C],
            work: load.wrench.power(twist),
            dissipation: 0.0,
        };
        for (i, leg) in robot.legs.iter().enumerate() {
            let chain = self.posture(q, i);
            let qdot = Self::part(v, i);
            let inertias = leg.chain.inertias(&chain);
            let moving = leg.chain.motion(&chain, &qdot);
            let h = leg.chain.effort(&chain, &moving, &[0.0; N], robot.gravity);
            let friction = leg.chain.friction(&qdot);
            for j in 0..N {
                let motor = if leg.chain.links[j].active { motors.next().unwrap_or(0.0) } else { 0.0 };
                terms.force[N * i + j] = motor - h[j] - friction[j];
                terms.work += motor * qdot[j];
                terms.dissipation += friction[j] * qdot[j];
            }
            Self::put_mass(&mut terms.mass, i, &leg.chain.mass_matrix(&chain, &inertias));
            let rows = self.rows(leg, &pose, &chain);
            Self::put_rows(&mut terms.jacobian, i, &rows);
            let at = AttachmentMotion {
                pose: &pose,
                twist,
                tip: chain.tip_rotation(),
                leg_point: chain.point,
                leg_twist: moving.tip(),
                leg_product: moving.tip_product(),
            };
            let passed = leg.attached(&pose, &chain);
            let missing = leg.attachment.velocity_products(&passed, &at);
            let changing = passed.components(product.at(passed.offset())); // J_vi Ṡ V_r
            put_at(&mut terms.product, N * i, &matrix::sum(&missing, &changing));
        }
        let inertia = self.put_platform(&mut terms.mass, &pose);
        let body = robot.platform.spatial(&pose, pose.position);
        let (w, weight) = (twist.angular, body.apply(Twist::new(robot.gravity, crate::V3::zero())));
        let turning = Wrench::new(w.cross(w.cross(body.first)), w.cross(body.inertia * w));
        let changing = matrix::times(&inertia, &product.to_vector_linear_first());
        let push = (load.wrench + weight - turning).to_vector_linear_first();
        let push = robot.space.project(&matrix::difference(&push, &changing));
        put_at(&mut terms.force, Self::LEGS, &push);
        Ok(terms)
    }

    fn closure(&self, q: &[f64; P]) -> [f64; C] {
        let pose = pose_of(q, Self::LEGS);
        let mut h = [0.0; C];
        for (i, leg) in self.robot.legs.iter().enumerate() {
            let chain = self.posture(q, i);
            let tip = chain.tip_rotation();
            for k in 0..N {
                h[N * i + k] = leg.attachment.gap(k, &pose, tip, chain.point);
            }
        }
        h
    }

    fn closure_jacobian(&self, q: &[f64; P]) -> [[f64; Q]; C] {
        let pose = pose_of(q, Self::LEGS);
        let mut rows = [[0.0; Q]; C];
        for (i, leg) in self.robot.legs.iter().enumerate() {
            Self::put_rows(&mut rows, i, &self.rows(leg, &pose, &self.posture(q, i)));
        }
        rows
    }

    fn mass_matrix(&self, q: &[f64; P]) -> [[f64; Q]; Q] {
        let mut mass = [[0.0; Q]; Q];
        for (i, leg) in self.robot.legs.iter().enumerate() {
            let chain = self.posture(q, i);
            Self::put_mass(&mut mass, i, &leg.chain.mass_matrix(&chain, &leg.chain.inertias(&chain)));
        }
        self.put_platform(&mut mass, &pose_of(q, Self::LEGS));
        mass
    }

    fn configuration_rate(&self, q: &[f64; P], v: &[f64; Q]) -> [f64; P] {
        let mut rate = [0.0; P];
        put_at(&mut rate, 0, v.get(..Self::LEGS).unwrap_or(&[]));
        let twist = self.robot.space.twist(&Self::rate(v));
        super::put_place_rate(&mut rate, q, Self::LEGS, twist);
        rate
    }

    fn moved(&self, q: &[f64; P], step: &[f64; Q]) -> [f64; P] {
        let rate = Multibody::<P, Q, C>::configuration_rate(self, q, step);
        from_fn(|k| q[k] + rate[k])
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<([f64; P], [f64; Q]), Fault> {
        let (mut q, mut v) = ([0.0; P], [0.0; Q]);
        let rate = self.robot.space.project(&twist.to_vector_linear_first());
        let twist = self.robot.space.twist(&rate);
        for (i, leg) in self.robot.legs.iter().enumerate() {
            let Margin { value, margin } = leg.posture(pose);
            if margin.is_nan() || margin < 0.0 {
                return Err(StateError::Unreachable { leg: i, margin }.into());
            }
            put_at(&mut q, N * i, &leg.chain.coordinates(&value.joints));
            put_at(&mut v, N * i, &value.following(twist));
        }
        put_at(&mut q, Self::LEGS, &pose.position.to_array());
        put_at(&mut q, Self::LEGS + 3, &Quaternion::of_rotation(pose.rotation).to_array());
        put_at(&mut v, Self::LEGS, &rate);
        Ok((q, v))
    }

    fn platform(&self, q: &[f64; P], v: &[f64; Q]) -> (Pose<f64>, Twist<f64>) {
        (pose_of(q, Self::LEGS), self.robot.space.twist(&Self::rate(v)))
    }

    fn joints(&self, q: &[f64; P], v: &[f64; Q], position: &mut [f64], speed: &mut [f64]) {
        let mut slots = position.iter_mut().zip(speed);
        for (i, leg) in self.robot.legs.iter().enumerate() {
            for (j, link) in leg.chain.links.iter().enumerate() {
                if link.active
                    && let Some((position, speed)) = slots.next()
                {
                    (*position, *speed) = (q[N * i + j], v[N * i + j]);
                }
            }
        }
    }

    fn energy(&self, q: &[f64; P], v: &[f64; Q]) -> Energy {
        let (pose, twist) = Multibody::<P, Q, C>::platform(self, q, v);
        let body = &self.robot.platform;
        let gravity = self.robot.gravity;
        let mut kinetic = 0.5 * body.spatial(&pose, pose.position).apply(twist).power(twist);
        let mut potential = -(gravity.dot(pose.of(body.centre)) * body.mass);
        for (i, leg) in self.robot.legs.iter().enumerate() {
            let chain = self.posture(q, i);
            kinetic += leg.chain.kinetic_energy(&chain, &Self::part(v, i));
            potential += leg.chain.potential_energy(&chain, gravity);
        }
        Energy { kinetic, potential }
    }
}

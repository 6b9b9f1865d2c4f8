//! Several Deltas that carry one object.
#![allow(non_snake_case, clippy::indexing_slicing)] // indices are bounded by 3 M R + 7, 3 M R + 6 and 3 M R

use super::arms::Arms;
use super::multibody::{Multibody, Terms};
use super::{Energy, Fault, Load, MOST_MOTORS, Quaternion, put_at, put_row};
use crate::engine::{Pose, RigidBody, Twist, Wrench};
use crate::robots::delta::to_constrained_frame;
use crate::{M3, V3};
use core::array::from_fn;

/// R Deltas of M arms each and a rigid object, held by a ball joint at each platform
/// point: robots and an object joined by closure equations.
///
/// Configuration (3 M R + 7 numbers): the angles robot by robot, position and
/// quaternion of the object in the world. Velocities (3 M R + 6): their rates, the object's
/// twist at its origin, world axes. Closure (3 M R): the loops of each robot, then
/// platform point minus grip. The world has z up.
#[derive(Clone, Copy, Debug)]
pub struct CooperatingRobots<const R: usize, const M: usize> {
    /// The robots.
    pub robots: [Arms<M>; R],
    /// Where their bases stand in the world \[m\].
    pub bases: [V3<f64>; R],
    /// How far their bases are turned about z \[rad\].
    pub turns: [f64; R],
    /// The object.
    pub object: RigidBody<f64>,
    /// Where it is held, in its own frame \[m\].
    pub grips: [V3<f64>; R],
    /// Acceleration of gravity that pulls at the object, in world axes \[m/s²\]; the arms of the robots know their own.
    pub gravity: V3<f64>,
}

/// (x, y, z) → (y, x, −z) as a matrix.
fn flip() -> M3<f64> {
    M3::from_rows(V3::new(0.0, 1.0, 0.0), V3::new(1.0, 0.0, 0.0), V3::new(0.0, 0.0, -1.0))
}

impl<const R: usize, const M: usize> CooperatingRobots<R, M> {
    /// Angles of one robot, and of all.
    const ONE: usize = 3 * M;
    const ALL: usize = 3 * M * R;

    fn base(&self, r: usize) -> Pose<f64> {
        Pose { position: self.bases[r], ..Pose::rotation_z(self.turns[r]) }
    }

    fn angles<const L: usize>(list: &[f64; L], r: usize, i: usize) -> V3<f64> {
        let at = Self::ONE * r + 3 * i;
        let get = |k: usize| list.get(at + k).copied().unwrap_or(0.0);
        V3::new(get(0), get(1), get(2))
    }

    fn object_pose<const P: usize>(q: &[f64; P]) -> Pose<f64> {
        const { assert!(P == 3 * M * R + 7, "configuration: angles, position, quaternion") };
        let at = Self::ALL;
        let quaternion = Quaternion::from_array([q[at + 3], q[at + 4], q[at + 5], q[at + 6]]);
        Pose::new(quaternion.rotation(), V3::new(q[at], q[at + 1], q[at + 2]))
    }

    fn object_twist<const Q: usize>(v: &[f64; Q]) -> Twist<f64> {
        const { assert!(Q == 3 * M * R + 6, "velocities: angles and the object's twist") };
        Twist::from_vector_linear_first(from_fn(|k| v[Self::ALL + k]))
    }

    /// World axes ← axes of arm i of robot r.
    fn axes(&self, r: usize, i: usize) -> M3<f64> {
        self.base(r).rotation * flip() * self.robots[r].rotations[i]
    }

    /// Tip of arm i of robot r in the world.
    fn tip<const P: usize>(&self, q: &[f64; P], r: usize, i: usize) -> V3<f64> {
        let arm = self.robots[r].arms[i].at(Self::angles(q, r, i));
        self.axes(r, i) * arm.tip() + self.bases[r]
    }

    fn tip_jacobian<const P: usize>(&self, q: &[f64; P], r: usize, i: usize) -> M3<f64> {
        self.axes(r, i) * self.robots[r].arms[i].at(Self::angles(q, r, i)).tip_jacobian()
    }

    /// What the closure is made of: first minus other tips, then first tip minus grip, robot by robot.
    fn loops<const C: usize>(
        tip: impl Fn(usize, usize) -> V3<f64>,
        grip: impl Fn(usize) -> V3<f64>,
    ) -> [f64; C] {
        const { assert!(C == 3 * M * R, "closure: loops and grips") };
        let mut h = [0.0; C];
        for r in 0..R {
            for i in 1..=M {
                let other = if i < M { tip(r, i) } else { grip(r) };
                let at = Self::ONE * r + 3 * (i - 1);
                put_at(&mut h, at, &(tip(r, 0) - other).to_array());
            }
        }
        h
    }
}

impl<const R: usize, const M: usize, const P: usize, const Q: usize, const C: usize> Multibody<P, Q, C>
    for CooperatingRobots<R, M>
{
    fn motors(&self) -> usize {
        M * R
    }

    fn terms(&self, q: &[f64; P], v: &[f64; Q], load: &Load<'_>) -> Result<Terms<Q, C>, Fault> {
        let (motors, found) = (M * R, load.effort.len());
        if found != motors || motors > MOST_MOTORS {
            return Err(Fault::Count { motors, found });
        }
        let (pose, twist) = (Self::object_pose(q), Self::object_twist(v));
        let mut force = [0.0; Q];
        let (mut work, mut dissipation) = (load.wrench.power(twist), 0.0);
        for r in 0..R {
            for i in 0..M {
                let (arm, rate) = (self.robots[r].arms[i].at(Self::angles(q, r, i)), Self::angles(v, r, i));
                let effort = load.effort.get(M * r + i).copied().unwrap_or(0.0);
                let dry = self.robots[r].coulomb.effort(rate.x);
                let f = V3::new(effort - dry, 0.0, 0.0) - arm.bias(rate);
                let at = Self::ONE * r + 3 * i;
                put_at(&mut force, at, &f.to_array());
                work += effort * rate.x;
                dissipation += arm.parameters.damping.scale(rate).dot(rate) + dry * rate.x;
            }
        }
        let body = self.object.spatial(&pose, pose.position);
        let w = twist.angular;
        let weight = body.apply(Twist::new(self.gravity, V3::zero()));
        let turning = Wrench::new(w.cross(w.cross(body.first)), w.cross(body.inertia * w));
        put_at(&mut force, Self::ALL, &(load.wrench + weight - turning).to_vector_linear_first());
        let bias = |r: usize, i: usize| {
            let (arm, rate) = (self.robots[r].arms[i].at(Self::angles(q, r, i)), Self::angles(v, r, i));
            self.axes(r, i) * (arm.tip_jacobian_rate(rate) * rate)
        };
        let swing = |r: usize| w.cross(w.cross(pose.rotation * self.grips[r]));
        Ok(Terms {
            mass: Multibody::<P, Q, C>::mass_matrix(self, q),
            force,
            closure: Multibody::<P, Q, C>::closure(self, q),
            jacobian: Multibody::<P, Q, C>::closure_jacobian(self, q),
            product: Self::loops(bias, swing),
            work,
            dissipation,
        })
    }

    fn closure(&self, q: &[f64; P]) -> [f64; C] {
        let pose = Self::object_pose(q);
        Self::loops(|r, i| self.tip(q, r, i), |r| pose.of(self.grips[r]))
    }

    fn closure_jacobian(&self, q: &[f64; P]) -> [[f64; Q]; C] {
        let pose = Self::object_pose(q);
        let mut rows = [[0.0; Q]; C];
        for r in 0..R {
            let first = self.tip_jacobian(q, r, 0).to_rows();
            for i in 1..=M {
                let own = if i < M { self.tip_jacobian(q, r, i).to_rows() } else { [[0.0; 3]; 3] };
                for (k, (first, own)) in first.iter().zip(own).enumerate() {
                    let line = Self::ONE * r + 3 * (i - 1) + k;
                    put_row(&mut rows, line, Self::ONE * r, first);
                    if i < M {
                        put_row(&mut rows, line, Self::ONE * r + 3 * i, &own.map(|x| -x));
                    } else {
                        // −(v + ω × d) along axis k
                        let d = pose.rotation * self.grips[r];
                        let unit = V3::from(from_fn(|j| if j == k { -1.0 } else { 0.0 }));
                        let held = Wrench::new(unit, d.cross(unit)).to_vector_linear_first();
                        put_row(&mut rows, line, Self::ALL, &held);
                    }
                }
            }
        }
        rows
    }

    fn mass_matrix(&self, q: &[f64; P]) -> [[f64; Q]; Q] {
        let mut mass = [[0.0; Q]; Q];
        for r in 0..R {
            for i in 0..M {
                let arm = self.robots[r].arms[i].at(Self::angles(q, r, i));
                let at = Self::ONE * r + 3 * i;
                for (k, row) in arm.mass_matrix().to_matrix().to_rows().iter().enumerate() {
                    put_row(&mut mass, at + k, at, row);
                }
            }
        }
        let pose = Self::object_pose(q);
        let block = self.object.spatial(&pose, pose.position).to_matrix();
        for (k, row) in block.iter().enumerate() {
            put_row(&mut mass, Self::ALL + k, Self::ALL, row);
        }
        mass
    }

    fn configuration_rate(&self, q: &[f64; P], v: &[f64; Q]) -> [f64; P] {
        let mut rate = [0.0; P];
        put_at(&mut rate, 0, v.get(..Self::ALL).unwrap_or(&[]));
        super::put_place_rate(&mut rate, q, Self::ALL, Self::object_twist(v));
        rate
    }

    fn moved(&self, q: &[f64; P], step: &[f64; Q]) -> [f64; P] {
        let rate = Multibody::<P, Q, C>::configuration_rate(self, q, step);
        from_fn(|k| q[k] + rate[k])
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<([f64; P], [f64; Q]), Fault> {
        let (mut q, mut v) = ([0.0; P], [0.0; Q]);
        for r in 0..R {
            let base = self.base(r).inverse();
            let grip = Pose::translation(base.of(pose.of(self.grips[r])));
            let moving = base.rotation * twist.at(pose.rotation * self.grips[r]).linear;
            for i in 0..M {
                let (angles, rates) = self.robots[r].arm_at(
                    i,
                    to_constrained_frame(grip.position),
                    to_constrained_frame(moving),
                )?;
                let at = Self::ONE * r + 3 * i;
                put_at(&mut q, at, &angles.to_array());
                put_at(&mut v, at, &rates.to_array());
            }
        }
        put_at(&mut q, Self::ALL, &pose.position.to_array());
        put_at(&mut q, Self::ALL + 3, &Quaternion::of_rotation(pose.rotation).to_array());
        put_at(&mut v, Self::ALL, &twist.to_vector_linear_first());
        Ok((q, v))
    }

    fn platform(&self, q: &[f64; P], v: &[f64; Q]) -> (Pose<f64>, Twist<f64>) {
        (Self::object_pose(q), Self::object_twist(v))
    }

    fn joints(&self, q: &[f64; P], v: &[f64; Q], position: &mut [f64], speed: &mut [f64]) {
        super::fill(position, q.iter().copied().step_by(3));
        super::fill(speed, v.iter().copied().step_by(3));
    }

    fn energy(&self, q: &[f64; P], v: &[f64; Q]) -> Energy {
        let (pose, twist) = (Self::object_pose(q), Self::object_twist(v));
        let mut kinetic = 0.5 * self.object.spatial(&pose, pose.position).apply(twist).power(twist);
        let mut potential = -(self.gravity.dot(pose.of(self.object.centre)) * self.object.mass);
        for r in 0..R {
            for i in 0..M {
                let arm = self.robots[r].arms[i].at(Self::angles(q, r, i));
                kinetic += arm.kinetic_energy(Self::angles(v, r, i));
                potential += arm.potential_energy();
            }
        }
        Energy { kinetic, potential }
    }
}

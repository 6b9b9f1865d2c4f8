//! Any number of Delta arms that share one platform point.
#![allow(non_snake_case, clippy::indexing_slicing)] // indices are bounded by Q = 3 M and C = 3 (M − 1)

use super::multibody::{Multibody, Reply, Terms};
use super::{Coulomb, Energy, Fault, Load, fill};
use crate::engine::{Pose, Twist};
use crate::robots::delta::constrained::{ArmParameters, ArmPose, Baumgarte, ConstrainedDelta};
use crate::robots::delta::{Delta, Elbow, PostureError, Reach, to_constrained_frame};
use crate::{M3, Margin, Real, Sym3, V3};
use core::array::from_fn;

/// M arms of \[Bortoff2018\], each with its own numbers, whose tips meet at the
/// platform point. The platform's mass is the sum of the arms' tip masses.
///
/// Configuration: φ₁, φ₂, φ₃ of arm 1, then of arm 2, …; closure: tip 1 minus
/// tip i, i = 2 … M, in the paper's frame (z down). Poses and twists that go in
/// and out are in our base frame, see [`to_constrained_frame`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arms<const M: usize> {
    /// The arms.
    pub arms: [ArmParameters<f64>; M],
    /// Rotation from the frame of each arm to the frame of the robot.
    pub rotations: [M3<f64>; M],
    /// Where the elbows are when a state is made from a pose.
    pub elbows: [Elbow; M],
    /// Coulomb friction of the motors; the viscous one is the damping of the arms.
    pub coulomb: Coulomb,
}

impl From<ConstrainedDelta<f64>> for Arms<3> {
    fn from(delta: ConstrainedDelta<f64>) -> Self {
        Self {
            arms: delta.arms.to_array(),
            rotations: delta.rotations.to_array(),
            elbows: [Elbow::Out; 3],
            coulomb: Coulomb::none(),
        }
    }
}

impl From<&Delta<f64>> for Arms<3> {
    fn from(delta: &Delta<f64>) -> Self {
        Self {
            elbows: delta.linkage().working_mode().0,
            coulomb: Coulomb::new(delta.motor().coulomb),
            ..delta.to_constrained_as_modelled().into()
        }
    }
}

/// One arm at one instant: D = R dψ, R (d/dt dψ) v, m, f.
struct Term {
    tip: V3<f64>,
    D: M3<f64>,
    bias: V3<f64>,
    m: Sym3<f64>,
    f: V3<f64>,
}

impl<const M: usize> Arms<M> {
    /// Equal arms around the axis, the first one along +y of the paper's frame.
    pub fn regular(arm: ArmParameters<f64>) -> Self {
        let rotations = from_fn(|i| {
            let (sin, cos) = Real::sin_cos(core::f64::consts::TAU * i as f64 / M as f64);
            M3::rotation_z(cos, sin)
        });
        Self { arms: [arm; M], rotations, elbows: [Elbow::Out; M], coulomb: Coulomb::none() }
    }

    /// Angles of arm i.
    #[inline(always)]
    fn part<const Q: usize>(list: &[f64; Q], i: usize) -> V3<f64> {
        const { assert!(Q == 3 * M, "three angles for each arm") };
        V3::new(list[3 * i], list[3 * i + 1], list[3 * i + 2])
    }

    fn put<const Q: usize>(list: &mut [f64; Q], i: usize, v: V3<f64>) {
        const { assert!(Q == 3 * M, "three angles for each arm") };
        [list[3 * i], list[3 * i + 1], list[3 * i + 2]] = v.to_array();
    }

    fn pose<const Q: usize>(&self, q: &[f64; Q], i: usize) -> ArmPose<f64> {
        self.arms[i].at(Self::part(q, i))
    }

    fn tips<const Q: usize>(&self, q: &[f64; Q]) -> [V3<f64>; M] {
        from_fn(|i| self.rotations[i] * self.pose(q, i).tip())
    }

    /// Tip 1 minus the others.
    fn loops<const C: usize>(tips: &[V3<f64>; M]) -> [f64; C] {
        const { assert!(C + 3 == 3 * M, "three closure equations for each arm but the first") };
        let mut h = [0.0; C];
        for i in 1..M {
            [h[3 * i - 3], h[3 * i - 2], h[3 * i - 1]] = (tips[0] - tips[i]).to_array();
        }
        h
    }

    fn jacobian<const Q: usize, const C: usize>(blocks: &[M3<f64>; M]) -> [[f64; Q]; C] {
        let mut rows = [[0.0; Q]; C];
        for i in 1..M {
            let (first, own) = (blocks[0].to_rows(), blocks[i].to_rows());
            for k in 0..3 {
                let row = &mut rows[3 * (i - 1) + k];
                [row[0], row[1], row[2]] = first[k];
                [row[3 * i], row[3 * i + 1], row[3 * i + 2]] = own[k].map(|x| -x);
            }
        }
        rows
    }

    /// Angles and rates of arm i with the platform point at `w` moving with `rate`, both in the paper's frame.
    pub(super) fn arm_at(&self, i: usize, w: V3<f64>, rate: V3<f64>) -> Result<(V3<f64>, V3<f64>), Fault> {
        let (arm, R) = (&self.arms[i], self.rotations[i]);
        let tip = R.transpose() * w;
        let motor = arm.motor_angle(tip);
        if motor.margin.is_nan() || motor.margin < 0.0 {
            let gap = Real::sqrt(-motor.margin);
            return Err(PostureError::Unreachable { leg: i, reach: Reach::TooFar, gap }.into());
        }
        // The two solutions lie on both sides of the line motor – tip.
        let line = Real::atan2(tip.z, tip.y - arm.base_offset);
        let angle = match self.elbows[i] {
            Elbow::Out => motor.value,
            Elbow::In => wrapped(2.0 * line - motor.value),
        };
        let angles = arm.angles_of(tip, angle).value;
        let Margin { value: inverse, margin } = (R * arm.at(angles).tip_jacobian()).inverse();
        if margin.is_nan() || margin <= 0.0 {
            return Err(PostureError::SerialSingularity { leg: i, transmission: 0.0 }.into());
        }
        Ok((angles, inverse * rate))
    }

    fn motor_efforts(load: &Load<'_>) -> Result<[f64; M], Fault> {
        super::fault::efforts(load.effort)
    }

    #[inline(always)]
    fn arm_terms<const Q: usize>(
        &self,
        q: &[f64; Q],
        v: &[f64; Q],
        load: &Load<'_>,
    ) -> Result<([Term; M], [f64; 2]), Fault> {
        let effort = Self::motor_efforts(load)?;
        let outside = to_constrained_frame(load.wrench.force);
        let (mut work, mut dissipation) = (0.0, 0.0);
        let terms = from_fn(|i| {
            let (R, arm, rate) = (self.rotations[i], self.pose(q, i), Self::part(v, i));
            let D = R * arm.tip_jacobian();
            let dry = self.coulomb.effort(rate.x);
            let mut f = V3::new(effort[i] - dry, 0.0, 0.0) - arm.bias(rate);
            work += effort[i] * rate.x;
            dissipation += arm.parameters.damping.scale(rate).dot(rate) + dry * rate.x;
            if i == 0 {
                // The outside force pulls at the tip of the first arm.
                f = f + D.transpose() * outside;
                work += (D * rate).dot(outside);
            }
            let bias = R * (arm.tip_jacobian_rate(rate) * rate);
            Term { tip: R * arm.tip(), D, bias, m: arm.mass_matrix(), f }
        });
        Ok((terms, [work, dissipation]))
    }
}

/// Share of l₁ l₂² below which |det dψ| counts as zero: upper arm and forearm in line.
const IN_LINE: f64 = 1e-4;

impl<const M: usize, const Q: usize, const C: usize> Multibody<Q, C> for Arms<M> {
    fn motors(&self) -> usize {
        M
    }

    fn terms(&self, q: &[f64; Q], v: &[f64; Q], load: &Load<'_>) -> Result<Terms<Q, C>, Fault> {
        let (arms, [work, dissipation]) = self.arm_terms(q, v, load)?;
        let mut force = [0.0; Q];
        for (i, arm) in arms.iter().enumerate() {
            Self::put(&mut force, i, arm.f);
        }
        Ok(Terms {
            mass: self.mass_matrix_of(q),
            force,
            closure: Self::loops(&from_fn(|i| arms[i].tip)),
            jacobian: Self::jacobian(&from_fn(|i| arms[i].D)),
            product: Self::loops(&from_fn(|i| arms[i].bias)),
            work,
            dissipation,
        })
    }

    fn closure(&self, q: &[f64; Q]) -> [f64; C] {
        Self::loops(&self.tips(q))
    }

    fn closure_jacobian(&self, q: &[f64; Q]) -> [[f64; Q]; C] {
        Self::jacobian(&from_fn(|i| self.rotations[i] * self.pose(q, i).tip_jacobian()))
    }

    fn mass_matrix(&self, q: &[f64; Q]) -> [[f64; Q]; Q] {
        self.mass_matrix_of(q)
    }

    fn state_at(&self, pose: &Pose<f64>, twist: Twist<f64>) -> Result<([f64; Q], [f64; Q]), Fault> {
        let (w, rate) = (to_constrained_frame(pose.position), to_constrained_frame(twist.linear));
        let (mut q, mut v) = ([0.0; Q], [0.0; Q]);
        for i in 0..M {
            let (angles, rates) = self.arm_at(i, w, rate)?;
            Self::put(&mut q, i, angles);
            Self::put(&mut v, i, rates);
        }
        Ok((q, v))
    }

    fn platform(&self, q: &[f64; Q], v: &[f64; Q]) -> (Pose<f64>, Twist<f64>) {
        let arm = self.pose(q, 0);
        let R = self.rotations[0];
        let velocity = R * (arm.tip_jacobian() * Self::part(v, 0));
        let pose = Pose::translation(to_constrained_frame(R * arm.tip()));
        (pose, Twist::new(to_constrained_frame(velocity), V3::zero()))
    }

    fn joints(&self, q: &[f64; Q], v: &[f64; Q], position: &mut [f64], speed: &mut [f64]) {
        fill(position, (0..M).map(|i| q[3 * i]));
        fill(speed, (0..M).map(|i| v[3 * i]));
    }

    fn energy(&self, q: &[f64; Q], v: &[f64; Q]) -> Energy {
        let mut energy = Energy { kinetic: 0.0, potential: 0.0 };
        for i in 0..M {
            let arm = self.pose(q, i);
            energy.kinetic += arm.kinetic_energy(Self::part(v, i));
            energy.potential += arm.potential_energy();
        }
        energy
    }

    /// Through the common acceleration a of the tips: each arm is a mass at its tip, so the
    /// cost grows linearly with their number. Where an arm is in line, by the dense form.
    ///
    /// ```text
    /// A_i = D_i⁻¹,  Λ_i = A_iᵀ m_i A_i,  b_i = R_i (d/dt dψ_i) v_i − (α₁ ḣ_i + α₀ h_i)
    /// (Σ Λ_i) a = Σ A_iᵀ ( f_i + m_i A_i b_i ),   v̇_i = A_i (a − b_i),   F_i = A_iᵀ (m_i v̇_i − f_i)
    /// ```
    #[inline]
    fn response(
        &self,
        q: &[f64; Q],
        v: &[f64; Q],
        load: &Load<'_>,
        baumgarte: Baumgarte<f64>,
    ) -> Result<Reply<Q, C>, Fault> {
        let (terms, [work, dissipation]) = self.arm_terms(q, v, load)?;
        let speed = |i: usize| terms[i].D * Self::part(v, i);
        let (tip, first) = (terms[0].tip, speed(0));
        let mut total = Sym3::scalar(0.0);
        let mut force = V3::zero();
        let mut in_line = false;
        let arms: [(M3<f64>, V3<f64>); M] = from_fn(|i| {
            let (t, p) = (&terms[i], &self.arms[i]);
            let Margin { value: A, margin } = t.D.inverse();
            in_line |= margin.is_nan() || margin <= IN_LINE * p.upper * p.lower * p.lower;
            let error = (first - speed(i)) * baumgarte.alpha1 + (tip - t.tip) * baumgarte.alpha0;
            let b = t.bias - error;
            let mA = t.m.to_matrix() * A;
            total = total + symmetric(A.transpose() * mA);
            force = force + A.transpose() * (t.f + t.m * (A * b));
            (A, b)
        });
        if in_line {
            return Multibody::<Q, C>::terms(self, q, v, load)?.response(v, baumgarte);
        }
        let Margin { value: a, margin } = total.solve(force);
        if margin.is_nan() || margin <= 0.0 {
            return Err(Fault::Singular { margin });
        }
        let (mut acceleration, mut multipliers) = ([0.0; Q], [0.0; C]);
        for i in 0..M {
            let ((A, b), t) = (arms[i], &terms[i]);
            let vdot = A * (a - b);
            Self::put(&mut acceleration, i, vdot);
            if i > 0 {
                let pull = -(A.transpose() * (t.m * vdot - t.f)); // λ_i = −F_i
                [multipliers[3 * i - 3], multipliers[3 * i - 2], multipliers[3 * i - 1]] = pull.to_array();
            }
        }
        Ok(Reply { acceleration, multipliers, work, dissipation })
    }

    fn kinetic_gradient(&self, q: &[f64; Q], v: &[f64; Q]) -> [f64; Q] {
        let mut gradient = [0.0; Q];
        for i in 0..M {
            let arm = self.pose(q, i);
            Self::put(&mut gradient, i, arm.kinetic_energy_gradient(Self::part(v, i)));
        }
        gradient
    }

    fn applied(&self, q: &[f64; Q], v: &[f64; Q], load: &Load<'_>) -> Result<([f64; Q], [f64; 2]), Fault> {
        let effort = Self::motor_efforts(load)?;
        let outside = to_constrained_frame(load.wrench.force);
        let (mut force, mut work, mut dissipation) = ([0.0; Q], 0.0, 0.0);
        for (i, effort) in effort.into_iter().enumerate() {
            let (arm, rate) = (self.pose(q, i), Self::part(v, i));
            let dry = V3::new(self.coulomb.effort(rate.x), 0.0, 0.0);
            let damping = arm.parameters.damping.scale(rate) + dry;
            let mut f = V3::new(effort, 0.0, 0.0) - arm.gravity_torque() - damping;
            work += effort * rate.x;
            dissipation += damping.dot(rate);
            if i == 0 {
                let D = self.rotations[0] * arm.tip_jacobian();
                f = f + D.transpose() * outside;
                work += (D * rate).dot(outside);
            }
            Self::put(&mut force, i, f);
        }
        Ok((force, [work, dissipation]))
    }
}

impl<const M: usize> Arms<M> {
    fn mass_matrix_of<const Q: usize>(&self, q: &[f64; Q]) -> [[f64; Q]; Q] {
        let mut mass = [[0.0; Q]; Q];
        for i in 0..M {
            let block = self.pose(q, i).mass_matrix().to_matrix().to_rows();
            for (k, row) in block.iter().enumerate() {
                let line = &mut mass[3 * i + k];
                [line[3 * i], line[3 * i + 1], line[3 * i + 2]] = *row;
            }
        }
        mass
    }
}

/// An angle as the same one in [−π, π].
fn wrapped(angle: f64) -> f64 {
    let (sin, cos) = Real::sin_cos(angle);
    Real::atan2(sin, cos)
}

/// The symmetric matrix with the lower triangle of `m`.
#[inline(always)]
fn symmetric(M3(m): M3<f64>) -> Sym3<f64> {
    Sym3 { diagonal: V3::new(m.x.x, m.y.y, m.z.z), off: V3::new(m.z.y, m.z.x, m.y.x) }
}

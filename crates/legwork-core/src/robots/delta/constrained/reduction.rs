//! Down to the three motors: minimal coordinates, inverse dynamics, gravity.

#![allow(non_snake_case)]

use super::{Angles, ArmPose, ConstrainedDelta, Loops, pair, total};
use crate::{M3, Margin, Real, V3};

/// Velocities of all angles and of the platform per motor velocity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reduction<T> {
    /// N, 9×3, one block for each arm: v_i = N_i q̇. The first row of N_i picks
    /// motor i.
    pub blocks: V3<M3<T>>,
    /// J: platform velocity ẇ = J q̇ \[m/rad\].
    pub jacobian: M3<T>,
}

impl<T: Real> Reduction<T> {
    /// Velocities of the nine angles, v = N q̇ \[rad/s\].
    #[inline(always)]
    pub fn velocities(&self, motor_velocities: V3<T>) -> Angles<T> {
        self.blocks.map(|N| N * motor_velocities)
    }

    /// Nᵀ f: motor torques that do the work of the torques `torques` on the nine
    /// angles \[N·m\].
    #[inline(always)]
    pub fn project(&self, torques: Angles<T>) -> V3<T> {
        total(pair(self.blocks, torques).map(|(N, f)| N.transpose() * f))
    }
}

/// Motor torques and the forces between the tips that go with them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drive<T> {
    /// u \[N·m\].
    pub torque: V3<T>,
    /// λ, as in [`Response`](super::Response) \[N\].
    pub multipliers: Loops<T>,
}

/// The loops seen from the forearms. Pushing the tip of arm i along its forearm
/// direction n_i cannot move φ₂, φ₃, so the six passive rates drop out:
///
/// ```text
/// n_iᵀ ẇ = k_i q̇_i,   k_i = n_iᵀ R_i dψ_i(:,1)
/// ```
struct Forearms<T> {
    poses: V3<ArmPose<T>>,
    /// Inverse of the matrix with rows n_iᵀ.
    inverse: M3<T>,
    /// k_i \[m/rad\].
    gain: V3<T>,
    margin: T,
}

impl<T: Real> ConstrainedDelta<T> {
    /// N and J of a closed robot.
    ///
    /// ```text
    /// N: rows of the motors = identity, the others −H_x⁻¹ H_y,   J = R₁ dψ₁ N₁
    /// ```
    ///
    /// H_x, H_y are the columns of H for passive and motor angles
    /// \[Bortoff2018, Eq. 27\]; the 6×6 inverse is ours, in closed form. The margin
    /// is the smaller of |det (n₁, n₂, n₃)| of the forearm directions and of
    /// sin²φ₂: zero when the three forearms are parallel to one plane.
    #[inline(always)]
    pub fn reduction(&self, angles: Angles<T>) -> Margin<Reduction<T>, T> {
        let forearms = self.forearms(angles);
        let jacobian = forearms.inverse * M3::diagonal(forearms.gain);
        let axes = M3::diagonal(V3::splat(T::one())).0;
        let blocks = pair(pair(self.rotations, forearms.poses), axes).map(|((R, arm), axis)| {
            let motor = arm.tip_jacobian().columns().x;
            let rest = (R.transpose() * jacobian - M3::outer(motor, axis)).transpose();
            let (row2, row3) = arm.passive_rows();
            M3::from_rows(axis, rest * row2, rest * row3)
        });
        Margin { value: Reduction { blocks, jacobian }, margin: forearms.margin }
    }

    /// Mass matrix seen by the motors, M_r = Nᵀ M N \[kg·m²\].
    /// The margin is that of [`reduction`](Self::reduction).
    #[inline(always)]
    pub fn motor_mass_matrix(&self, angles: Angles<T>) -> Margin<M3<T>, T> {
        let Margin { value, margin } = self.reduction(angles);
        let parts = pair(value.blocks, self.poses(angles))
            .map(|(N, arm)| N.transpose() * (arm.mass_matrix().to_matrix() * N));
        Margin { value: parts.x + parts.y + parts.z, margin }
    }

    /// Velocities of the nine angles from those of the motors, the solution of
    /// H v = 0 \[rad/s\]. The margin is that of [`reduction`](Self::reduction).
    #[inline(always)]
    pub fn velocities_from_motors(&self, angles: Angles<T>, qdot: V3<T>) -> Margin<Angles<T>, T> {
        self.lift(angles, qdot, V3::new(V3::zero(), V3::zero(), V3::zero()))
    }

    /// Accelerations of the nine angles from those of the motors, the solution of
    /// H v̇ + Ḣ v = 0 \[rad/s²\]. The margin is that of [`reduction`](Self::reduction).
    #[inline(always)]
    pub fn accelerations_from_motors(
        &self,
        angles: Angles<T>,
        velocities: Angles<T>,
        qddot: V3<T>,
    ) -> Margin<Angles<T>, T> {
        let bias = self.poses(angles).zip(velocities, |arm, v| arm.tip_jacobian_rate(v) * v);
        self.lift(angles, qddot, bias)
    }

    /// Motor torques for a motion of the nine angles, which must fulfil H v = 0
    /// and H v̇ + Ḣ v = 0.
    ///
    /// ```text
    /// B u + Hᵀλ = M v̇ + C + G + D∘v,    so    u = Nᵀ (M v̇ + C + G + D∘v)
    /// ```
    ///
    /// \[Bortoff2018, Eq. 15\] with Hᵀλ for λᵀH. The margin is that of
    /// [`reduction`](Self::reduction).
    #[inline(always)]
    pub fn inverse_dynamics(
        &self,
        angles: Angles<T>,
        velocities: Angles<T>,
        accelerations: Angles<T>,
    ) -> Margin<Drive<T>, T> {
        let motion = pair(velocities, accelerations);
        let torques = self.poses(angles).zip(motion, |arm, (v, vdot)| arm.mass_matrix() * vdot + arm.bias(v));
        self.balance(angles, torques)
    }

    /// Motor torques that hold the robot still, B u + Hᵀλ = G, so u = Nᵀ G.
    /// \[Bortoff2018, Eq. 32\] prints a row vector times \[B Hᵀ\].
    ///
    /// With these torques alone every pose is an equilibrium, none a stable one
    /// (three poles at zero; the paper's section IV.E says otherwise). The margin
    /// is that of [`reduction`](Self::reduction).
    #[inline(always)]
    pub fn gravity_compensation(&self, angles: Angles<T>) -> Margin<Drive<T>, T> {
        self.balance(angles, self.poses(angles).map(|arm| arm.gravity_torque()))
    }

    /// Solves B u + Hᵀλ = `torques` for motor torques and multipliers.
    ///
    /// The passive rows say what the force on tip i does across the forearm; what
    /// it does along the forearm, t_i, makes the three forces cancel. Ours:
    ///
    /// ```text
    /// F_i = R_i P_iᵀ f_i + n_i t_i,   Σ F_i = 0,   u_i = f_i1 − dψ_i(:,1)ᵀ R_iᵀ F_i
    /// ```
    #[inline(always)]
    pub fn balance(&self, angles: Angles<T>, torques: Angles<T>) -> Margin<Drive<T>, T> {
        let forearms = self.forearms(angles);
        let across = pair(pair(self.rotations, forearms.poses), torques).map(|((R, arm), f)| {
            let (row2, row3) = arm.passive_rows();
            R * (row2 * f.y + row3 * f.z)
        });
        let along = -(forearms.inverse.transpose() * total(across));
        let forces = pair(pair(self.rotations, forearms.poses), pair(across, along))
            .map(|((R, arm), (across, t))| across + R * (arm.forearm_direction() * t));
        let torque = pair(pair(self.rotations, forearms.poses), pair(forces, torques))
            .map(|((R, arm), (F, f))| f.x - (R * arm.tip_jacobian().columns().x).dot(F));
        let multipliers = Loops { second: -forces.y, third: -forces.z };
        Margin { value: Drive { torque, multipliers }, margin: forearms.margin }
    }

    /// Rates x of the nine angles with R_i (dψ_i x_i + b_i) equal for all arms and
    /// the motors' part of x given.
    #[inline(always)]
    fn lift(&self, angles: Angles<T>, motors: V3<T>, bias: V3<V3<T>>) -> Margin<Angles<T>, T> {
        let forearms = self.forearms(angles);
        let drift = forearms.poses.zip(bias, |arm, b| arm.forearm_direction().dot(b));
        let platform = forearms.inverse * (forearms.gain.scale(motors) + drift);
        let value =
            pair(pair(self.rotations, forearms.poses), pair(motors, bias)).map(|((R, arm), (q, b))| {
                let rest = R.transpose() * platform - arm.tip_jacobian().columns().x * q - b;
                let (row2, row3) = arm.passive_rows();
                V3::new(q, row2.dot(rest), row3.dot(rest))
            });
        Margin { value, margin: forearms.margin }
    }

    #[inline(always)]
    fn forearms(&self, angles: Angles<T>) -> Forearms<T> {
        let poses = self.poses(angles);
        let rows = pair(self.rotations, poses).map(|(R, arm)| R * arm.forearm_direction());
        let inverse = M3(rows).inverse();
        let gain = poses.map(|arm| arm.forearm_direction().dot(arm.tip_jacobian().columns().x));
        let margin = poses.map(|arm| arm.sin.y.squared()).min().min(inverse.margin);
        Forearms { poses, inverse: inverse.value, gain, margin }
    }
}

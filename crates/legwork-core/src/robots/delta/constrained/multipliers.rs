//! Accelerations and multipliers: the constrained equations of motion.

#![allow(non_snake_case)]

use super::{Angles, ArmPose, ConstrainedDelta, Loops, pair, total};
use crate::linalg::solve_spd;
use crate::{M3, Margin, Real, Sym3, V3};

/// Pulls the constraint back to zero: ḧ + α₁ ḣ + α₀ h = 0, \[Bortoff2018, Eq. 23\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Baumgarte<T> {
    /// α₁ \[1/s\]
    pub alpha1: T,
    /// α₀ \[1/s²\]
    pub alpha0: T,
}

impl<T: Real> Baumgarte<T> {
    /// Both roots at −`pole` \[1/s\]: α₁ = 2 p, α₀ = p². The paper takes 5.
    #[inline(always)]
    pub fn from_pole(pole: T) -> Self {
        Self { alpha1: pole * T::from_f64(2.0), alpha0: pole.squared() }
    }

    /// No stabilisation: ḧ = 0.
    #[inline(always)]
    pub fn none() -> Self {
        Self { alpha1: T::zero(), alpha0: T::zero() }
    }
}

/// What the robot does under given torques.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Response<T> {
    /// v̇ \[rad/s²\].
    pub accelerations: Angles<T>,
    /// λ: `second` is the force on tip 1 from loop 2, and its negative acts on tip
    /// 2; `third` in the same way \[N\]. In the frame of the robot.
    pub multipliers: Loops<T>,
}

impl<T: Real> Loops<T> {
    /// The force on each tip, F₁ = λ_a + λ_b, F₂ = −λ_a, F₃ = −λ_b \[N\]: Hᵀλ is
    /// dψ_iᵀ R_iᵀ F_i, arm by arm.
    #[inline(always)]
    pub fn tip_forces(self) -> V3<V3<T>> {
        V3::new(self.second + self.third, -self.second, -self.third)
    }
}

/// R_i dψ_i, R_i (d/dt dψ_i) v_i, m_i and f_i of one arm.
#[derive(Clone, Copy)]
struct Term<T> {
    D: M3<T>,
    bias: V3<T>,
    m: Sym3<T>,
    f: V3<T>,
}

impl<T: Real> ConstrainedDelta<T> {
    /// Accelerations under motor torques `torque` \[N·m\] by the multipliers.
    ///
    /// ```text
    /// M v̇ + C + G + D∘v = Hᵀλ + B u                      (15), column form
    /// H v̇ + Ḣ v + α₁ H v + α₀ h = 0                      (22, 23)
    /// ```
    ///
    /// \[Bortoff2018, Eq. 15, 22, 23\]; (15) prints λᵀH for Hᵀλ, and the damping is
    /// that of the appendix. M has one block for each arm, so λ comes from
    ///
    /// ```text
    /// S_i = R_i dψ_i m_i⁻¹ dψ_iᵀ R_iᵀ,   β_i = R_i (dψ_i m_i⁻¹ f_i + (d/dt dψ_i) v_i)
    /// [ S₁+S₂, S₁;  S₁, S₁+S₃ ] λ = −(β₁ − β₂, β₁ − β₃) − α₁ H v − α₀ h
    /// v̇_i = m_i⁻¹ (f_i + dψ_iᵀ R_iᵀ F_i),   f_i = b u_i − c_i − g_i − D∘v_i
    /// ```
    ///
    /// The margin is the smallest pivot of the 6×6 \[1/kg\] and of the m_i
    /// \[kg·m²\]: zero where a forearm lies along its y axis (s₂ = 0) or where H
    /// loses rank.
    #[inline(always)]
    pub fn accelerations(
        &self,
        angles: Angles<T>,
        velocities: Angles<T>,
        torque: V3<T>,
        baumgarte: Baumgarte<T>,
    ) -> Margin<Response<T>, T> {
        let terms = self.terms(angles, velocities, torque);
        // S_i = D m⁻¹ Dᵀ and β_i, with one solve per row of D
        let S = terms.map(|t| {
            let y = M3::from_columns(
                t.m.solve(t.D.0.x).value,
                t.m.solve(t.D.0.y).value,
                t.m.solve(t.D.0.z).value,
            );
            t.D * y
        });
        let free = terms.map(|t| t.m.solve(t.f));
        let beta = pair(terms, free).map(|(t, free)| t.D * free.value + t.bias);
        let [a, b, c] = beside(S.x + S.y, S.x);
        let [d, e, f] = beside(S.x, S.x + S.z);
        let error = self.stabilization(angles, velocities, baumgarte);
        let right = Loops::of_tips(beta).zip(error, |b, e| -(b + e)); // (22), (23)
        let lambda = solve_spd(&[a, b, c, d, e, f], &right.to_array());
        let multipliers = Loops::from_array(lambda.value);
        let accelerations =
            pair(terms, multipliers.tip_forces()).map(|(t, F)| t.m.solve(t.f + t.D.transpose() * F).value); // (15)
        let margin = free.map(|s| s.margin).min().min(lambda.margin);
        Margin { value: Response { accelerations, multipliers }, margin }
    }

    /// The same motion through the platform: each arm is a mass Λ_i = S_i⁻¹ at its
    /// tip, and the tips share one acceleration.
    ///
    /// ```text
    /// A_i = (R_i dψ_i)⁻¹,  Λ_i = A_iᵀ m_i A_i
    /// (Σ Λ_i) a = Σ A_iᵀ ( f_i + m_i A_i b_i ),   b_i = R_i (d/dt dψ_i) v_i + e_i
    /// v̇_i = A_i (a − b_i),   F_i = A_iᵀ (m_i v̇_i − f_i)
    /// ```
    ///
    /// with e₁ = 0 and (−e₂, −e₃) = α₁ H v + α₀ h. Ours: a 3×3 instead of the
    /// 6×6 and no inverse of m_i, but it needs dψ_i, which is singular where upper
    /// arm and forearm are in line; [`accelerations`](Self::accelerations) is not.
    ///
    /// The margin is the smallest |det R_i dψ_i| \[m³\] and pivot of Σ Λ_i \[kg\].
    #[inline(always)]
    pub fn accelerations_by_tip_mass(
        &self,
        angles: Angles<T>,
        velocities: Angles<T>,
        torque: V3<T>,
        baumgarte: Baumgarte<T>,
    ) -> Margin<Response<T>, T> {
        let terms = self.terms(angles, velocities, torque);
        let error = self.stabilization(angles, velocities, baumgarte);
        let shift = V3::new(V3::zero(), -error.second, -error.third);
        let inverse = terms.map(|t| t.D.inverse());
        let arms = pair(pair(terms, inverse), shift).map(|((t, A), e)| (t.bias + e, t, A.value));
        let mass = arms.map(|(_, t, A)| A.transpose() * (t.m.to_matrix() * A));
        let force = arms.map(|(b, t, A)| A.transpose() * (t.f + t.m * (A * b)));
        let platform = symmetric(mass.x + mass.y + mass.z).solve(total(force));
        let solved = arms.map(|(b, t, A)| {
            let vdot = A * (platform.value - b);
            (vdot, A.transpose() * (t.m * vdot - t.f))
        });
        let multipliers = Loops { second: -solved.y.1, third: -solved.z.1 };
        let margin = inverse.map(|i| i.margin).min().min(platform.margin);
        Margin { value: Response { accelerations: solved.map(|s| s.0), multipliers }, margin }
    }

    /// α₁ H v + α₀ h \[m/s²\].
    #[inline(always)]
    fn stabilization(&self, angles: Angles<T>, velocities: Angles<T>, baumgarte: Baumgarte<T>) -> Loops<T> {
        let (h, rate) = (self.closure_residual(angles), self.closure_rate(angles, velocities));
        rate.zip(h, |rate, h| baumgarte.alpha1 * rate + baumgarte.alpha0 * h)
    }

    #[inline(always)]
    fn terms(&self, angles: Angles<T>, velocities: Angles<T>, torque: V3<T>) -> V3<Term<T>> {
        let drives = pair(velocities, torque);
        pair(pair(self.rotations, self.poses(angles)), drives).map(|((R, arm), (v, u))| Term {
            D: R * arm.tip_jacobian(),
            bias: R * (arm.tip_jacobian_rate(v) * v),
            m: arm.mass_matrix(),
            f: motor_torque(u) - ArmPose::bias(&arm, v), // (8)
        })
    }
}

/// b u with b = (1, 0, 0).
#[inline(always)]
fn motor_torque<T: Real>(u: T) -> V3<T> {
    V3::new(u, T::zero(), T::zero())
}

/// The symmetric matrix with the lower triangle of `m`.
#[inline(always)]
fn symmetric<T: Real>(M3(m): M3<T>) -> Sym3<T> {
    Sym3 { diagonal: V3::new(m.x.x, m.y.y, m.z.z), off: V3::new(m.z.y, m.z.x, m.y.x) }
}

/// Two matrices side by side.
#[inline(always)]
fn beside<T: Real>(a: M3<T>, b: M3<T>) -> [[T; 6]; 3] {
    pair(a.0, b.0).map(|(a, b)| [a.x, a.y, a.z, b.x, b.y, b.z]).to_array()
}

//! Energy, power and the momentum form.

#![allow(non_snake_case)]

use super::{Angles, ConstrainedDelta, Loops, pair};
use crate::{Margin, Real, V3};

impl<T: Real> ConstrainedDelta<T> {
    /// Kinetic energy of the three arms \[J\], \[Bortoff2018, Eq. 1\].
    #[inline(always)]
    pub fn kinetic_energy(&self, angles: Angles<T>, velocities: Angles<T>) -> T {
        self.poses(angles).zip(velocities, |arm, v| arm.kinetic_energy(v)).sum()
    }

    /// Potential energy of the three arms \[J\], \[Bortoff2018, Eq. 5\].
    #[inline(always)]
    pub fn potential_energy(&self, angles: Angles<T>) -> T {
        self.poses(angles).map(|arm| arm.potential_energy()).sum()
    }

    /// What the motors give minus what the damping takes, u·v_motor − vᵀDv \[W\].
    /// The energy of a closed robot changes at this rate: the forces between the
    /// tips do no work.
    #[inline(always)]
    pub fn power(&self, velocities: Angles<T>, torque: V3<T>) -> T {
        pair(self.arms, velocities).zip(torque, |(arm, v), u| u * v.x - arm.damping.scale(v).dot(v)).sum()
    }

    /// Momenta p = M v \[N·m·s\], \[Bortoff2018, Eq. 17\].
    #[inline(always)]
    pub fn momenta(&self, angles: Angles<T>, velocities: Angles<T>) -> Angles<T> {
        self.poses(angles).zip(velocities, |arm, v| arm.mass_matrix() * v)
    }

    /// v = M⁻¹ p \[rad/s\], \[Bortoff2018, Eq. 17\]. The margin is the smallest pivot
    /// of the arms' mass matrices \[kg·m²\].
    #[inline(always)]
    pub fn velocities_from_momenta(&self, angles: Angles<T>, momenta: Angles<T>) -> Margin<Angles<T>, T> {
        let solved = self.poses(angles).zip(momenta, |arm, p| arm.mass_matrix().solve(p));
        Margin { value: solved.map(|s| s.value), margin: solved.map(|s| s.margin).min() }
    }

    /// ṗ = ∂T/∂q − G − D∘v + B u + Hᵀλ \[N·m\], \[Bortoff2018, Eq. 18\] with the
    /// damping of the appendix. The multipliers are those of
    /// [`accelerations`](Self::accelerations) at the same state.
    #[inline(always)]
    pub fn momentum_rates(
        &self,
        angles: Angles<T>,
        velocities: Angles<T>,
        torque: V3<T>,
        multipliers: Loops<T>,
    ) -> Angles<T> {
        let forces = pair(self.closure_blocks(angles), multipliers.tip_forces());
        let drives = pair(velocities, torque);
        pair(self.poses(angles), pair(forces, drives)).map(|(arm, ((D, F), (v, u)))| {
            let motor = V3::new(u, T::zero(), T::zero());
            arm.kinetic_energy_gradient(v) - arm.gravity_torque() - arm.parameters.damping.scale(v)
                + motor
                + D.transpose() * F // Hᵀλ, arm by arm
        })
    }
}

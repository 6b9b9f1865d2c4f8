//! The constraint: the three tips are one point.

#![allow(non_snake_case)]

use super::{Angles, ConstrainedDelta, pair};
use crate::{M3, Real, V3};

/// Six numbers, three for each loop: constraint, its rates, or multipliers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Loops<T> {
    /// Loop of arm 1 and arm 2.
    pub second: V3<T>,
    /// Loop of arm 1 and arm 3.
    pub third: V3<T>,
}

impl<T: Real> Loops<T> {
    /// Tip 1 minus tip 2, tip 1 minus tip 3.
    #[inline(always)]
    pub(super) fn of_tips(tips: V3<V3<T>>) -> Self {
        Self { second: tips.x - tips.y, third: tips.x - tips.z }
    }

    /// From six numbers in the order of the paper.
    #[inline(always)]
    pub fn from_array([a, b, c, d, e, f]: [T; 6]) -> Self {
        Self { second: V3::new(a, b, c), third: V3::new(d, e, f) }
    }

    /// In the order of the paper.
    #[inline(always)]
    pub fn to_array(self) -> [T; 6] {
        let (a, b) = (self.second, self.third);
        [a.x, a.y, a.z, b.x, b.y, b.z]
    }

    /// Component by component.
    #[must_use]
    #[inline(always)]
    pub fn zip(self, other: Self, mut f: impl FnMut(T, T) -> T) -> Self {
        Self { second: self.second.zip(other.second, &mut f), third: self.third.zip(other.third, &mut f) }
    }
}

impl<T: Real> ConstrainedDelta<T> {
    /// Where each arm, on its own, puts the platform point: R_i ψ(q_i) \[m\]. The
    /// three agree when the robot is closed. \[Bortoff2018, Eq. 29–31\] print them
    /// without R_i.
    #[inline(always)]
    pub fn tips(&self, angles: Angles<T>) -> V3<V3<T>> {
        pair(self.rotations, self.poses(angles)).map(|(R, arm)| R * arm.tip())
    }

    /// Platform point of a closed robot \[m\], \[Bortoff2018, Eq. 33\].
    #[inline(always)]
    pub fn platform(&self, angles: Angles<T>) -> V3<T> {
        self.tips(angles).x
    }

    /// Velocity of each tip, R_i dψ_i v_i \[m/s\], \[Bortoff2018, Eq. 34\].
    #[inline(always)]
    pub fn tip_velocities(&self, angles: Angles<T>, velocities: Angles<T>) -> V3<V3<T>> {
        pair(self.closure_blocks(angles), velocities).map(|(D, v)| D * v)
    }

    /// h(q), zero when the tips meet \[m\], \[Bortoff2018, Eq. 10, 20\].
    ///
    /// ```text
    /// h = ( R₁ψ(q₁) − R₂ψ(q₂),  R₁ψ(q₁) − R₃ψ(q₃) )
    /// ```
    #[inline(always)]
    pub fn closure_residual(&self, angles: Angles<T>) -> Loops<T> {
        Loops::of_tips(self.tips(angles))
    }

    /// H v, zero when the tips move together \[m/s\]. \[Bortoff2018, Eq. 21\] prints
    /// ∂H/∂q q̇; right is ∂h/∂q q̇ = H q̇.
    #[inline(always)]
    pub fn closure_rate(&self, angles: Angles<T>, velocities: Angles<T>) -> Loops<T> {
        Loops::of_tips(self.tip_velocities(angles, velocities))
    }

    /// Ḣ v \[m/s²\], \[Bortoff2018, Eq. 22\].
    #[inline(always)]
    pub fn closure_bias(&self, angles: Angles<T>, velocities: Angles<T>) -> Loops<T> {
        Loops::of_tips(
            pair(self.rotations, self.poses(angles))
                .zip(velocities, |(R, arm), v| R * (arm.tip_jacobian_rate(v) * v)),
        )
    }

    /// R_i dψ_i: the blocks of which H is made \[m/rad\].
    #[inline(always)]
    pub fn closure_blocks(&self, angles: Angles<T>) -> V3<M3<T>> {
        pair(self.rotations, self.poses(angles)).map(|(R, arm)| R * arm.tip_jacobian())
    }

    /// H = ∂h/∂q, 6×9, angles arm by arm \[m/rad\].
    ///
    /// ```text
    /// H = [ R₁dψ₁, −R₂dψ₂, 0;  R₁dψ₁, 0, −R₃dψ₃ ]
    /// ```
    ///
    /// The solvers of this module use the blocks and never build it.
    #[inline(always)]
    pub fn closure_jacobian(&self, angles: Angles<T>) -> [[T; 9]; 6] {
        let V3 { x, y, z } = self.closure_blocks(angles);
        let negative = |M3(rows): M3<T>| M3(rows.map(|row| -row));
        let [a, b, c] = beside(x, negative(y), M3::zero());
        let [d, e, f] = beside(x, M3::zero(), negative(z));
        [a, b, c, d, e, f]
    }
}

/// Three matrices side by side.
#[inline(always)]
fn beside<T: Real>(a: M3<T>, b: M3<T>, c: M3<T>) -> [[T; 9]; 3] {
    pair(pair(a.0, b.0), c.0).map(|((a, b), c)| [a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z]).to_array()
}

//! Exact kinematics: all nine angles from the platform point.

#![allow(non_snake_case)]

use super::{Angles, ArmParameters, ConstrainedDelta, pair};
use crate::{Margin, Real, V3};

impl<T: Real> ArmParameters<T> {
    /// Motor angle φ₁ that lets the forearm reach `tip` (in the frame of the
    /// arm), elbow outwards \[rad\].
    ///
    /// ```text
    /// E = y − (l₀ − l₃),  F = z,  G = (E² + x² + z² + l₁² − l₂²) / (2 l₁)
    /// E cos φ₁ + F sin φ₁ = G,   D² = E² + F² − G²
    /// φ₁ = atan2(F G − E D, E G + F D)
    /// ```
    ///
    /// Ours; the paper iterates \[Bortoff2018, Eq. 29–31\]. The margin is D²
    /// \[m²\], negative out of reach.
    #[inline(always)]
    pub fn motor_angle(&self, tip: V3<T>) -> Margin<T, T> {
        let (E, F) = (tip.y - self.base_offset, tip.z);
        let square =
            E.squared() + tip.x.squared() + F.squared() + self.upper.squared() - self.lower.squared();
        let G = square / (self.upper * T::from_f64(2.0));
        let D_sq = E.squared() + F.squared() - G.squared();
        let D = D_sq.sqrt();
        Margin { value: (F * G - E * D).atan2(E * G + F * D), margin: D_sq }
    }

    /// (φ₁, φ₂, φ₃) from `tip` (in the frame of the arm) and the motor angle φ₁,
    /// which must fit together \[rad\].
    ///
    /// ```text
    /// d = tip − elbow,  φ₂ = atan2(√(d_x² + d_z²), d_y),  φ₃ = atan2(d_x, d_z)
    /// ```
    ///
    /// The margin is d_x² + d_z² = l₂² s₂² \[m²\]: zero where φ₃ has no meaning.
    #[inline(always)]
    pub fn angles_of(&self, tip: V3<T>, motor_angle: T) -> Margin<V3<T>, T> {
        let (sin, cos) = motor_angle.sin_cos();
        let d = V3::new(tip.x, tip.y - self.base_offset - self.upper * cos, tip.z - self.upper * sin);
        let across = d.x.squared() + d.z.squared();
        let value = V3::new(motor_angle, across.sqrt().atan2(d.y), d.x.atan2(d.z));
        Margin { value, margin: across }
    }
}

impl<T: Real> ConstrainedDelta<T> {
    /// All angles that put the platform point at `platform` \[m\], elbows
    /// outwards: R_i ψ(q_i) = w per arm, solved without iteration
    /// \[Bortoff2018, Eq. 29–31 with their missing R_i\].
    ///
    /// The margin \[m²\] is the smallest of [`ArmParameters::motor_angle`] and
    /// [`ArmParameters::angles_of`].
    #[inline(always)]
    pub fn inverse_kinematics(&self, platform: V3<T>) -> Margin<Angles<T>, T> {
        let solved = pair(self.arms, self.rotations).map(|(arm, R)| {
            let tip = R.transpose() * platform;
            let motor = arm.motor_angle(tip);
            let angles = arm.angles_of(tip, motor.value);
            // Out of reach the second margin is NaN and the first one stays.
            Margin { value: angles.value, margin: angles.margin.min(motor.margin) }
        });
        Margin { value: solved.map(|s| s.value), margin: solved.map(|s| s.margin).min() }
    }

    /// All angles from the platform point \[m\] and the motor angles \[rad\], which
    /// must fit together: with any closed-form forward kinematics this replaces
    /// the iteration of \[Bortoff2018, Eq. 28\], for elbows on either side.
    ///
    /// The margin \[m²\] is the smallest of [`ArmParameters::angles_of`].
    #[inline(always)]
    pub fn angles_from_platform(&self, platform: V3<T>, motor_angles: V3<T>) -> Margin<Angles<T>, T> {
        let solved = pair(self.arms, self.rotations)
            .zip(motor_angles, |(arm, R), motor| arm.angles_of(R.transpose() * platform, motor));
        Margin { value: solved.map(|s| s.value), margin: solved.map(|s| s.margin).min() }
    }
}

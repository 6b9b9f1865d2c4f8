//! A Delta in one position: its legs, and the relations between the rates of
//! platform and motors.

use crate::linalg::singular_values;
use crate::{M3, Real, V3};

/// One leg in one position, in base axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg<T> {
    /// Direction of the leg, cos φ and sin φ.
    pub(super) cos: T,
    pub(super) sin: T,
    /// a cos q \[m\]
    pub a_cos: T,
    /// a sin q \[m\]
    pub a_sin: T,
    /// Forearm vector, elbow to platform joint, s \[m\] \[Codourey1998, Eq. 30\].
    pub s: V3<T>,
    /// s·b \[m²\]: negative with the elbow out, zero when the leg is stretched.
    pub k: T,
    /// s·w + a² \[m²\], with w = R (a cos q, 0, −a sin q): the centripetal factor.
    pub(super) curvature: T,
}

impl<T: Real> Leg<T> {
    /// b = −∂e/∂q \[m\]: minus the velocity of the elbow per unit of q̇
    /// \[Codourey1998, Eq. 34, sign of the last entry corrected\].
    #[inline(always)]
    pub fn b(&self) -> V3<T> {
        V3::new(self.cos * self.a_sin, self.sin * self.a_sin, self.a_cos)
    }

    /// Motor axis to elbow \[m\]; also ∂b/∂q = w of the acceleration formulas.
    #[inline(always)]
    pub fn arm(&self) -> V3<T> {
        V3::new(self.cos * self.a_cos, self.sin * self.a_cos, -self.a_sin)
    }

    /// b·v with one product less.
    #[inline(always)]
    pub(super) fn b_dot(&self, v: V3<T>) -> T {
        (self.cos * v.x + self.sin * v.y) * self.a_sin + v.z * self.a_cos
    }

    /// Velocity of the motor for the platform velocity: S ẋ + K q̇ = 0 (35).
    #[inline(always)]
    pub(super) fn rate(&self, v: V3<T>, r: T) -> T {
        -(self.s.dot(v) * r)
    }

    /// The part of −K q̈ that velocities cause: ṡ·ṡ + s·ḃ q̇ with ṡ = ẋ + b q̇, |b| = a,
    /// so ṡ·ṡ + s·ḃ q̇ = v² + q̇ (2 b·v + (s·w + a²) q̇).
    #[inline(always)]
    pub(super) fn drift(&self, v: V3<T>, v_sq: T, rate: T) -> T {
        let bv = self.b_dot(v);
        v_sq + rate * (bv + bv + self.curvature * rate)
    }

    /// Minus the acceleration of the elbow, b q̈ + w q̇² \[m/s²\] \[Codourey1998, Eq. 56\].
    #[inline(always)]
    pub(super) fn elbow_deceleration(&self, rate: T, acceleration: T) -> V3<T> {
        let rate_sq = rate.squared();
        let inward = self.a_sin * acceleration + self.a_cos * rate_sq;
        V3::new(self.cos * inward, self.sin * inward, self.a_cos * acceleration - self.a_sin * rate_sq)
    }
}

/// A Delta in one position. Made by [`Linkage::posture_at`](super::Linkage::posture_at)
/// or [`Linkage::posture_of`](super::Linkage::posture_of).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Posture<T> {
    /// Platform position x \[m\].
    pub position: V3<T>,
    /// The legs, 1 to 3 of the papers.
    pub legs: V3<Leg<T>>,
}

/// How far a posture is from each kind of singularity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singularity<T> {
    /// Serial, per leg: s·b/(a b), the cosine between forearm and elbow velocity.
    /// ±1: the arm pushes along the forearm; 0: leg stretched or folded, the
    /// platform cannot follow the motor. Negative with the elbow out.
    pub serial: V3<T>,
    /// Parallel: det S / b³, the volume spanned by the unit forearm vectors.
    /// ±1: forearms at right angles; 0: they lie in a plane, the platform gives
    /// way although the motors hold.
    pub parallel: T,
    /// Condition number of the Jacobian: 1 is isotropic.
    pub condition: T,
}

impl<T: Real> Posture<T> {
    /// Motor angles q \[rad\].
    #[inline(always)]
    pub fn angles(&self) -> V3<T> {
        self.legs.map(|leg| leg.a_sin.atan2(leg.a_cos))
    }

    /// S: the forearm vectors as rows.
    #[inline(always)]
    pub fn forearms(&self) -> M3<T> {
        M3(self.legs.map(|leg| leg.s))
    }

    /// The columns of S⁻¹·det S, and det S.
    #[inline(always)]
    pub(super) fn cofactors(&self) -> (V3<V3<T>>, T) {
        let V3 { x, y, z } = self.legs.map(|leg| leg.s);
        let n = V3::new(y.cross(z), z.cross(x), x.cross(y));
        (n, x.dot(n.x))
    }

    /// S⁻¹ y
    #[inline(always)]
    fn forearms_solve(&self, y: V3<T>) -> V3<T> {
        let (n, det) = self.cofactors();
        let y = y * det.recip();
        n.x * y.x + n.y * y.y + n.z * y.z
    }

    /// J in ẋ = J q̇ \[m/rad\]: J = −S⁻¹ K \[Codourey1998, Eq. 36\].
    #[inline(always)]
    pub fn jacobian(&self) -> M3<T> {
        let (n, det) = self.cofactors();
        let r = -det.recip();
        M3(n.zip(self.legs, |n, leg| n * (leg.k * r))).transpose()
    }

    /// J⁻¹ in q̇ = J⁻¹ ẋ \[rad/m\]: −K⁻¹ S. Exists also where J does not.
    #[inline(always)]
    pub fn inverse_jacobian(&self) -> M3<T> {
        M3(self.legs.map(|leg| leg.s * -leg.k.recip()))
    }

    /// Motor speeds \[rad/s\] for a platform velocity \[m/s\].
    #[inline(always)]
    pub fn joint_velocity(&self, v: V3<T>) -> V3<T> {
        self.legs.map(|leg| leg.rate(v, leg.k.recip()))
    }

    /// Platform velocity \[m/s\] for motor speeds \[rad/s\].
    #[inline(always)]
    pub fn platform_velocity(&self, qdot: V3<T>) -> V3<T> {
        self.forearms_solve(self.legs.zip(qdot, |leg, rate| -(leg.k * rate)))
    }

    /// −(ṡᵢ·ṡᵢ + sᵢ·ḃᵢ q̇ᵢ): the right-hand side of S ẍ + K q̈ = bias.
    #[inline(always)]
    fn bias(&self, v: V3<T>, qdot: V3<T>) -> V3<T> {
        let v_sq = v.norm_sq();
        self.legs.zip(qdot, |leg, rate| -leg.drift(v, v_sq, rate))
    }

    /// Motor accelerations \[rad/s²\] for a platform acceleration \[m/s²\] at velocity `v`.
    #[inline(always)]
    pub fn joint_acceleration(&self, v: V3<T>, acceleration: V3<T>) -> V3<T> {
        let bias = self.bias(v, self.joint_velocity(v));
        self.legs.zip(bias, |leg, bias| (bias - leg.s.dot(acceleration)) / leg.k)
    }

    /// J̇ q̇ \[m/s²\]: the platform acceleration when the motors do not accelerate.
    #[inline(always)]
    pub fn velocity_product(&self, v: V3<T>, qdot: V3<T>) -> V3<T> {
        self.forearms_solve(self.bias(v, qdot))
    }

    /// Platform acceleration \[m/s²\] for motor accelerations \[rad/s²\]: ẍ = J q̈ + J̇ q̇ \[Codourey1998, Eq. 37\].
    #[inline(always)]
    pub fn platform_acceleration(&self, v: V3<T>, qdot: V3<T>, qddot: V3<T>) -> V3<T> {
        let right = self.bias(v, qdot) - self.legs.zip(qddot, |leg, a| leg.k * a);
        self.forearms_solve(right)
    }

    /// J̇ \[m/(rad·s)\] at platform velocity `v`: −S⁻¹ (Ṡ J + diag(ṡ·b + s·ḃ)) \[Codourey1998, Eq. 37\].
    #[inline(always)]
    pub fn jacobian_rate(&self, v: V3<T>) -> M3<T> {
        let qdot = self.joint_velocity(v);
        let forearm_rate = self.legs.zip(qdot, |leg, rate| v + leg.b() * rate); // ṡ (33)
        let diagonal = self
            .legs
            .zip(forearm_rate, |leg, forearm_rate| (leg.b_dot(forearm_rate), leg.s.dot(leg.arm())))
            .zip(qdot, |(moving, turning), rate| moving + turning * rate); // ṡ·b + s·ḃ
        let right = M3(forearm_rate) * self.jacobian() + M3::diagonal(diagonal);
        M3(right.columns().map(|column| -self.forearms_solve(column))).transpose()
    }

    /// s·b/(a b) of each leg, see [`Singularity::serial`].
    #[inline(always)]
    pub fn transmission(&self) -> V3<T> {
        self.legs.map(|leg| {
            let lengths_sq = leg.s.norm_sq() * (leg.a_cos.squared() + leg.a_sin.squared());
            leg.k / lengths_sq.sqrt()
        })
    }

    /// det S/b³, see [`Singularity::parallel`].
    #[inline(always)]
    pub fn forearm_volume(&self) -> T {
        let (_, det) = self.cofactors();
        let V3 { x, y, z } = self.legs.map(|leg| leg.s.norm_sq());
        det / (x * y * z).sqrt()
    }

    /// Distances to the singularities, see [`Singularity`].
    #[inline(always)]
    pub fn singularity(&self) -> Singularity<T> {
        // J and J⁻¹ have the same condition number; J⁻¹ exists also at a parallel singularity.
        let sigma = singular_values(self.inverse_jacobian());
        Singularity {
            serial: self.transmission(),
            parallel: self.forearm_volume(),
            condition: sigma.x / sigma.z,
        }
    }
}

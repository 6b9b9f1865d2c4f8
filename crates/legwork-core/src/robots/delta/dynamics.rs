//! The equation of motion of a Delta: torques, mass matrices, energies, and
//! the way back from torques to accelerations.
//!
//! The letters are those of [`Delta`]; the functions take a [`Posture`] so that
//! one call of the kinematics serves them all.

use super::{Assembly, Delta, Leg, Posture};
use crate::{M3, Margin, Real, Sym3, V3};

/// Position, velocity and acceleration of the platform in base axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<T> {
    /// x \[m\]
    pub position: V3<T>,
    /// ẋ \[m/s\]
    pub velocity: V3<T>,
    /// ẍ \[m/s²\]
    pub acceleration: V3<T>,
}

impl<T: Real> Motion<T> {
    /// At rest.
    pub fn rest(position: V3<T>) -> Self {
        Self { position, velocity: V3::zero(), acceleration: V3::zero() }
    }
}

/// The answer of the inverse dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Effort<T> {
    /// Motor torques τ \[N·m\], without friction.
    pub torque: V3<T>,
    /// yᵢ \[N/m\]: the platform is held by the forces yᵢ sᵢ along the forearms. With
    /// lumped forearms these are the rod forces, 2λᵢ of \[NgocKim2010\]; an exact
    /// rod also pulls sideways at its ends.
    pub multiplier: V3<T>,
    /// Motor speeds \[rad/s\].
    pub qdot: V3<T>,
    /// Motor accelerations \[rad/s²\].
    pub qddot: V3<T>,
}

/// The answer of the forward dynamics.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Acceleration<T> {
    /// ẍ \[m/s²\]
    pub platform: V3<T>,
    /// q̈ \[rad/s²\]
    pub joint: V3<T>,
}

/// The equation of motion in platform space:
/// `mass · ẍ + coriolis + gravity = J⁻ᵀ τ + f`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlatformDynamics<T> {
    /// Mass matrix seen at the platform \[kg\].
    pub mass: Sym3<T>,
    /// Centrifugal and Coriolis force \[N\].
    pub coriolis: V3<T>,
    /// Weight \[N\].
    pub gravity: V3<T>,
}

/// How a motor follows the platform: q̇ = r·ẋ, q̈ = r·ẍ + bias.
#[derive(Clone, Copy)]
struct Follow<T> {
    /// r = −s/k, a row of J⁻¹ \[rad/m\].
    ratio: V3<T>,
    /// q̇ \[rad/s\]
    rate: T,
    /// What velocities add to q̈ \[rad/s²\].
    bias: T,
}

impl<T: Real> Follow<T> {
    #[inline(always)]
    fn new(leg: &Leg<T>, v: V3<T>, v_sq: T) -> Self {
        let r = -leg.k.recip();
        let ratio = leg.s * r;
        let rate = ratio.dot(v);
        Self { ratio, rate, bias: leg.drift(v, v_sq, rate) * r }
    }
}

impl<T: Real> Delta<T> {
    /// Inverse dynamics from the motion of the platform, inverse kinematics
    /// included, without a trigonometric function. The margin is that of
    /// [`Linkage::posture_at`](super::Linkage::posture_at).
    ///
    /// `force` acts from outside on the platform \[N\].
    #[inline(always)]
    pub fn torque_for(&self, motion: &Motion<T>, force: V3<T>) -> Margin<Effort<T>, T> {
        let Margin { value: posture, margin } = self.linkage().posture_at(motion.position);
        Margin { value: self.torque(&posture, motion.velocity, motion.acceleration, force), margin }
    }

    /// Motor torques \[N·m\] for platform velocity and acceleration, while `force` \[N\] acts
    /// from outside on the platform \[Codourey1998, Eq. 57, with the missing mass of
    /// the platform inserted; with lumped forearms Eq. 58\].
    ///
    /// ```text
    /// F  = m ẍ − W + wₓ Σ aᵢ − f,    Σ yᵢ sᵢ = F                         (1)
    /// τᵢ = I q̈ᵢ − bᵢ·(wₓ ẍ − G) − kᵢ yᵢ                                   (2)
    /// ```
    ///
    /// (1) is Jᵀ F with J = −S⁻¹K: the 3×3 solve by cross products.
    #[inline(always)]
    pub fn torque(&self, posture: &Posture<T>, v: V3<T>, acceleration: V3<T>, force: V3<T>) -> Effort<T> {
        let c = &self.constants;
        let v_sq = v.norm_sq();
        let pull = acceleration * c.cross - c.arm_weight;
        let legs = posture.legs.map(|leg| {
            let r = -leg.k.recip();
            let rate = leg.s.dot(v) * r;
            let joint = (leg.drift(v, v_sq, rate) + leg.s.dot(acceleration)) * r;
            let own = c.axis_inertia * joint - leg.b_dot(pull);
            (rate, joint, own, leg.elbow_deceleration(rate, joint))
        });
        let elbows = legs.x.3 + legs.y.3 + legs.z.3;
        let total = acceleration * c.mass - (elbows * c.cross + (c.weight + force));
        let (n, det) = posture.cofactors();
        let total = total * det.recip();
        let multiplier = n.map(|n| n.dot(total)); // (1)
        Effort {
            torque: V3::new(
                legs.x.2 - posture.legs.x.k * multiplier.x,
                legs.y.2 - posture.legs.y.k * multiplier.y,
                legs.z.2 - posture.legs.z.k * multiplier.z,
            ), // (2)
            multiplier,
            qdot: legs.map(|leg| leg.0),
            qddot: legs.map(|leg| leg.1),
        }
    }

    /// What the platform lacks \[N\] for this acceleration under motor torques `tau` \[N·m\], of which friction takes its
    /// part, and an outside `force`: J⁻ᵀ times what the motors give too little. It is zero for the acceleration of
    /// [`acceleration`](Self::acceleration), and its derivatives, M ∂ẍ = −∂F, are those of the forward dynamics. Needs no
    /// S⁻¹ and no mass matrix.
    ///
    /// ```text
    /// F = m ẍ − W + wₓ Σ aᵢ − f + Σ rᵢ (I q̈ᵢ − bᵢ·(wₓ ẍ − G) + τ_F(q̇ᵢ) − τᵢ),   rᵢ = −sᵢ/kᵢ      (3)
    /// ```
    #[inline(always)]
    pub fn imbalance(
        &self,
        posture: &Posture<T>,
        v: V3<T>,
        acceleration: V3<T>,
        tau: V3<T>,
        force: V3<T>,
    ) -> V3<T> {
        let (c, motor) = (&self.constants, self.motor());
        let v_sq = v.norm_sq();
        let pulled = acceleration * c.cross - c.arm_weight;
        let legs = posture.legs.zip(tau, |leg, tau| {
            let Follow { ratio, rate, bias } = Follow::new(&leg, v, v_sq);
            let joint = ratio.dot(acceleration) + bias;
            let friction = motor.viscous * rate + motor.coulomb * rate.signum0();
            let lacking = c.axis_inertia * joint - leg.b_dot(pulled) + friction - tau;
            ratio * lacking - leg.elbow_deceleration(rate, joint) * c.cross
        });
        acceleration * c.mass - (c.weight + force) + legs.x + legs.y + legs.z // (3)
    }

    /// The force that each forearm exerts on the platform \[N\], base axes, in the motion of `effort`: the force
    /// yᵢ sᵢ along the rod less what the rod's own mass takes of it at this end,
    /// fᵢ = yᵢ sᵢ − (w_p ẍ + wₓ aᵢ − n_p g).
    pub fn leg_forces(&self, posture: &Posture<T>, acceleration: V3<T>, effort: &Effort<T>) -> V3<V3<T>> {
        let (c, m) = (&self.constants, self.inertia());
        let third = T::from_f64(1.0 / 3.0);
        let carried = m.platform + m.payload;
        let own = acceleration * ((c.mass - carried) * third) - (c.weight - m.gravity * carried) * third;
        let elbows = posture
            .legs
            .zip(effort.qdot, |leg, rate| (leg, rate))
            .zip(effort.qddot, |(leg, rate), joint| leg.elbow_deceleration(rate, joint));
        let along = posture.legs.zip(effort.multiplier, |leg, y| leg.s * y);
        along.zip(elbows, |along, elbow| along - (own - elbow * c.cross))
    }

    /// Torques that hold the robot at rest, G(q) = ∂V/∂q \[N·m\].
    #[inline(always)]
    pub fn gravity_torque(&self, posture: &Posture<T>) -> V3<T> {
        self.torque(posture, V3::zero(), V3::zero(), V3::zero()).torque
    }

    /// Coriolis and centrifugal torques V(q, q̇) \[N·m\]: what motion without motor
    /// acceleration and without weight asks for \[Codourey1998, Eq. 14–15\].
    #[inline(always)]
    pub fn coriolis_torque(&self, posture: &Posture<T>, v: V3<T>) -> V3<T> {
        let product = posture.velocity_product(v, posture.joint_velocity(v));
        self.weightless().torque(posture, v, product, V3::zero()).torque
    }

    /// Friction of the motors \[N·m\], to be added to the torque: viscous and Coulomb.
    #[inline(always)]
    pub fn friction(&self, qdot: V3<T>) -> V3<T> {
        let motor = self.motor();
        qdot.map(|rate| motor.viscous * rate + motor.coulomb * rate.signum0())
    }

    /// Mass matrix A(q) in joint space \[kg·m²\]: τ = A q̈ + V + G.
    ///
    /// \[Codourey1998, Eq. 47 with the symmetric cross term, Eq. 50 with lumped
    /// forearms\]: A = I 1 + m JᵀJ + wₓ Σ (UᵢᵀJ + JᵀUᵢ), where Uᵢ has −bᵢ in column i.
    #[inline(always)]
    pub fn mass_matrix(&self, posture: &Posture<T>) -> Sym3<T> {
        let c = &self.constants;
        let j = posture.jacobian().columns();
        let b = posture.legs.map(|leg| leg.b() * c.cross);
        let mj = j.zip(b, |j, b| j * c.mass - b); // m Jⱼ − wₓ bⱼ
        let entry = |ji: V3<T>, bi: V3<T>, jj: V3<T>, mjj: V3<T>| ji.dot(mjj) - bi.dot(jj);
        Sym3 {
            diagonal: V3::new(
                entry(j.x, b.x, j.x, mj.x) + c.axis_inertia,
                entry(j.y, b.y, j.y, mj.y) + c.axis_inertia,
                entry(j.z, b.z, j.z, mj.z) + c.axis_inertia,
            ),
            off: V3::new(entry(j.y, b.y, j.z, mj.z), entry(j.z, b.z, j.x, mj.x), entry(j.x, b.x, j.y, mj.y)),
        }
    }

    /// Mass matrix seen at the platform \[kg\]: J⁻ᵀ A J⁻¹. Exists also where the
    /// forearms lie in a plane and A does not.
    ///
    /// With q̈ᵢ = rᵢ·ẍ + …, rᵢ = −sᵢ/kᵢ:  M = m 1 + Σ [ I r rᵀ − wₓ (b rᵀ + r bᵀ) ].
    #[inline(always)]
    pub fn platform_mass_matrix(&self, posture: &Posture<T>) -> Sym3<T> {
        self.platform_dynamics(posture, V3::zero()).mass
    }

    /// The equation of motion in platform space at velocity `v`.
    #[inline(always)]
    pub fn platform_dynamics(&self, posture: &Posture<T>, v: V3<T>) -> PlatformDynamics<T> {
        self.platform_equation(posture, posture.legs.map(|leg| Follow::new(&leg, v, v.norm_sq())))
    }

    #[inline(always)]
    fn platform_equation(&self, posture: &Posture<T>, legs: V3<Follow<T>>) -> PlatformDynamics<T> {
        let c = &self.constants;
        let outward = legs.zip(c.arm_weight_outward, |follow, outward| (follow, outward));
        let terms = posture.legs.zip(outward, |leg, (follow, outward)| {
            let Follow { ratio, rate, bias } = follow;
            let mass = Sym3::symmetrized(ratio, ratio * c.axis_inertia - leg.b() * (c.cross + c.cross));
            let coriolis = ratio * (c.axis_inertia * bias) - leg.elbow_deceleration(rate, bias) * c.cross;
            (mass, coriolis, ratio * (outward * leg.a_sin + c.arm_weight.z * leg.a_cos)) // b·G
        });
        PlatformDynamics {
            mass: Sym3::scalar(c.mass) + terms.x.0 + terms.y.0 + terms.z.0,
            coriolis: terms.x.1 + terms.y.1 + terms.z.1,
            gravity: terms.x.2 + terms.y.2 + terms.z.2 - c.weight,
        }
    }

    /// Accelerations for motor torques `tau` \[N·m\] (friction already taken off) and
    /// an outside `force` \[N\]. The margin is the smallest pivot of the mass matrix
    /// \[kg\]. Needs no S⁻¹, so it passes through parallel singularities.
    #[inline(always)]
    pub fn acceleration(
        &self,
        posture: &Posture<T>,
        v: V3<T>,
        tau: V3<T>,
        force: V3<T>,
    ) -> Margin<Acceleration<T>, T> {
        let legs = posture.legs.map(|leg| Follow::new(&leg, v, v.norm_sq()));
        let dynamics = self.platform_equation(posture, legs);
        let drive = legs.zip(tau, |follow, tau| follow.ratio * tau); // J⁻ᵀ τ
        let right = drive.x + drive.y + drive.z + force - dynamics.coriolis - dynamics.gravity;
        let Margin { value: platform, margin } = dynamics.mass.solve(right);
        let joint = legs.map(|follow| follow.ratio.dot(platform) + follow.bias);
        Margin { value: Acceleration { platform, joint }, margin }
    }

    /// Forward dynamics from the joint state, forward kinematics included. The
    /// margin is the smaller of those of
    /// [`Linkage::posture_of`](super::Linkage::posture_of) and of the mass matrix.
    #[inline(always)]
    pub fn acceleration_of(
        &self,
        q: V3<T>,
        qdot: V3<T>,
        tau: V3<T>,
        force: V3<T>,
        assembly: Assembly,
    ) -> Margin<Acceleration<T>, T> {
        let Margin { value: posture, margin: height_sq } = self.linkage().posture_of(q, assembly);
        let v = posture.platform_velocity(qdot);
        let Margin { value, margin } = self.acceleration(&posture, v, tau, force);
        Margin { value, margin: margin.min(height_sq) }
    }

    /// Kinetic energy at platform velocity `v` \[J\]: ½ q̇ᵀ A q̇, without building A.
    #[inline(always)]
    pub fn kinetic_energy(&self, posture: &Posture<T>, v: V3<T>) -> T {
        let c = &self.constants;
        let qdot = posture.joint_velocity(v);
        let coupling = posture.legs.zip(qdot, |leg, rate| leg.b_dot(v) * rate).sum();
        (c.axis_inertia * qdot.norm_sq() + c.mass * v.norm_sq()) * T::from_f64(0.5) - c.cross * coupling
    }

    /// Potential energy −Σ m g·c \[J\] of all centres of mass c, from the middle of the motors: zero when every centre
    /// of mass is in the plane through it across gravity.
    #[inline(always)]
    pub fn potential_energy(&self, posture: &Posture<T>) -> T {
        let c = &self.constants;
        let arms = posture.legs.map(|leg| leg.arm().dot(c.arm_weight)).sum();
        c.fixed_potential - c.weight.dot(posture.position) - arms
    }

    /// Jᵀ f \[N·m\]: the torques that hold a force \[N\] which the platform exerts.
    #[inline(always)]
    pub fn static_torque(posture: &Posture<T>, force: V3<T>) -> V3<T> {
        let j: M3<T> = posture.jacobian();
        j.transpose() * force
    }
}

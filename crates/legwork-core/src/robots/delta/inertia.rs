//! Masses and motors of a Delta, and the constants of its equation of motion.

use super::{Geometry, Linkage, WorkingMode};
use crate::links::{GravitySplit, LinkWeights};
use crate::{Real, V3};

/// Masses of a Delta. Every leg is built alike.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Inertia<T> {
    /// Platform, m_n \[kg\].
    pub platform: T,
    /// Payload, carried at the platform point \[kg\].
    pub payload: T,
    /// Arm, m_b of \[Codourey1998\] \[kg\].
    pub arm: T,
    /// Motor axis to the centre of mass of the arm, c_a \[m\].
    pub arm_centre: T,
    /// Moment of inertia of the arm about its own centre of mass, I_a \[kg·m²\].
    pub arm_inertia: T,
    /// Point mass at the elbow, m_c \[kg\].
    pub elbow: T,
    /// Forearm, both rods of one leg together, m_ab \[kg\].
    pub forearm: T,
    /// Elbow to the centre of mass of the forearm \[m\].
    pub forearm_centre: T,
    /// Transverse moment of inertia of the forearm about its own centre of mass, both rods together \[kg·m²\].
    pub forearm_inertia: T,
    /// Acceleration of gravity g in base axes \[m/s²\]: (0, 0, −g₀) for a robot that hangs.
    pub gravity: V3<T>,
}

impl<T: Real> Inertia<T> {
    /// Uniform thin rods for arm and forearm, no elbow mass, no payload; `gravity` g₀ \[m/s²\] pulls along −z.
    pub fn thin_rods(geometry: &Geometry<T>, platform: T, arm: T, forearm: T, gravity: T) -> Self {
        let half = T::from_f64(0.5);
        let rod = |mass: T, length: T| mass * length.squared() / T::from_f64(12.0);
        Self {
            platform,
            payload: T::zero(),
            arm,
            arm_centre: geometry.arm * half,
            arm_inertia: rod(arm, geometry.arm),
            elbow: T::zero(),
            forearm,
            forearm_centre: geometry.forearm * half,
            forearm_inertia: rod(forearm, geometry.forearm),
            gravity: V3::along_z(-gravity),
        }
    }
}

/// What sits on each motor axis, seen from the joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor<T> {
    /// Rotor and gear inertia reflected to the joint, I_m \[kg·m²\].
    pub inertia: T,
    /// Viscous friction \[N·m·s/rad\].
    pub viscous: T,
    /// Coulomb friction \[N·m\].
    pub coulomb: T,
}

impl<T: Real> Motor<T> {
    /// A motor without inertia and friction.
    pub fn ideal() -> Self {
        Self { inertia: T::zero(), viscous: T::zero(), coulomb: T::zero() }
    }

    /// Inertia that the joint feels of a rotor and a gear on the motor side of
    /// a reduction `ratio`: (I_rotor + I_gear) · ratio².
    pub fn reflected_inertia(rotor: T, gear: T, ratio: T) -> T {
        (rotor + gear) * ratio.squared()
    }
}

/// How the forearms enter the equation of motion: the papers' models.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Forearm {
    /// The rod as it is: complete model \[Codourey1998, Eq. 47, 57\].
    Exact,
    /// A share of its inertia as a point mass at the elbow, the rest at the platform.
    Lumped {
        /// Share at the elbow.
        at_elbow: f64,
        /// Where its weight goes.
        gravity: GravitySplit,
    },
}

impl Forearm {
    /// Simplified model: inertia ⅔–⅓, weight ½–½ \[Codourey1998, Eq. 50, 58–59\].
    pub const SIMPLIFIED: Self = Self::Lumped { at_elbow: 2.0 / 3.0, gravity: GravitySplit::Half };
    /// The earlier simplified model: inertia and weight ⅔–⅓ \[Codourey1996\]; its gravity torque is not exact.
    pub const SIMPLIFIED_1996: Self =
        Self::Lumped { at_elbow: 2.0 / 3.0, gravity: GravitySplit::SameAsInertia };
    /// The lumping of \[NgocKim2010\]: inertia and weight ½–½.
    pub const HALVES: Self = Self::Lumped { at_elbow: 0.5, gravity: GravitySplit::Half };
}

/// A Delta with its masses: the model behind all dynamics.
///
/// A link acts through the weights of [`LinkWeights`], so all models of the
/// papers are one equation with different constants:
///
/// ```text
/// I  = I_m + I_a + m_a c_a² + (m_e + w_e) a²        about each motor axis
/// m  = m_p + 3 w_p                                   at the platform
/// τ  = I q̈ − bᵢ·( wₓ ẍ − G ) + Jᵀ( m ẍ − W + wₓ Σ aᵢ − f )
/// ```
///
/// with G = (m_a c_a/a + m_e + n_e) g, W = (m_p + 3 n_p) g, aᵢ the elbow
/// accelerations, w and n the forearm's inertial and weight shares. Gravity g
/// has any direction; for the papers' g = −g₀ ẑ, b·G is −G a cos q.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Delta<T> {
    linkage: Linkage<T>,
    inertia: Inertia<T>,
    motor: Motor<T>,
    forearm: Forearm,
    pub(super) constants: Constants<T>,
}

/// The constants of the equation of motion, see [`Delta`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Constants<T> {
    /// I \[kg·m²\]
    pub axis_inertia: T,
    /// G \[N\]
    pub arm_weight: V3<T>,
    /// Its part outward along each leg \[N\].
    pub arm_weight_outward: V3<T>,
    /// m \[kg\]
    pub mass: T,
    /// W \[N\]
    pub weight: V3<T>,
    /// wₓ \[kg\]
    pub cross: T,
    /// What the base joints and the platform joints, seen from the platform point, add to the potential energy
    /// \[J\]: zero where the legs point in regular directions or gravity is along z.
    pub fixed_potential: T,
}

impl<T: Real> Delta<T> {
    /// The model with exact forearms. The numbers are taken as they are: [`Delta::new`] checks them.
    pub fn unchecked(linkage: Linkage<T>, inertia: Inertia<T>, motor: Motor<T>) -> Self {
        Self::assemble(linkage, inertia, motor, Forearm::Exact)
    }

    fn assemble(linkage: Linkage<T>, inertia: Inertia<T>, motor: Motor<T>, forearm: Forearm) -> Self {
        let (a, b) = (linkage.geometry().arm, linkage.geometry().forearm);
        let m = &inertia;
        let three = T::from_f64(3.0);
        let rod = forearm_weights(&inertia, b, forearm);
        let outward = linkage.direction.map(|(cos, sin)| m.gravity.x * cos + m.gravity.y * sin);
        let arm_share = arm_share(m, a, &rod);
        let g = linkage.geometry();
        let joints =
            g.base_radius * (m.arm + m.elbow + rod.weight_first) + g.platform_radius * rod.weight_second;
        let carried = m.platform + m.payload;
        let arm_axis = m.arm_inertia + m.arm * m.arm_centre.squared();
        let constants = Constants {
            axis_inertia: motor.inertia + arm_axis + (m.elbow + rod.first) * a.squared(),
            arm_weight: m.gravity * arm_share,
            arm_weight_outward: outward * arm_share,
            mass: carried + rod.second * three,
            weight: m.gravity * (carried + rod.weight_second * three),
            cross: rod.cross,
            fixed_potential: -(outward.sum() * joints),
        };
        Self { linkage, inertia, motor, forearm, constants }
    }

    /// The same robot with another model of its forearms.
    #[must_use]
    pub fn with_forearm(self, forearm: Forearm) -> Self {
        Self::assemble(self.linkage, self.inertia, self.motor, forearm)
    }

    /// The same robot in another working mode.
    #[must_use]
    pub fn with_working_mode(self, mode: WorkingMode) -> Self {
        Self { linkage: self.linkage.with_working_mode(mode), ..self }
    }

    /// The same robot with another payload \[kg\].
    #[must_use]
    pub fn with_payload(self, payload: T) -> Self {
        Self::assemble(self.linkage, Inertia { payload, ..self.inertia }, self.motor, self.forearm)
    }

    /// The same robot without gravity.
    #[must_use]
    #[inline(always)]
    pub fn weightless(self) -> Self {
        let constants = Constants {
            arm_weight: V3::zero(),
            arm_weight_outward: V3::zero(),
            weight: V3::zero(),
            fixed_potential: T::zero(),
            ..self.constants
        };
        Self { inertia: Inertia { gravity: V3::zero(), ..self.inertia }, constants, ..self }
    }

    /// The same robot where gravity is `gravity` in base axes \[m/s²\]: on a wall, on a table, tilted.
    #[must_use]
    pub fn with_gravity(self, gravity: V3<T>) -> Self {
        Self::assemble(self.linkage, Inertia { gravity, ..self.inertia }, self.motor, self.forearm)
    }

    /// The masses whose weight hangs at each elbow and at the platform point \[kg\]: G and W per gravity.
    pub(super) fn weight_masses(&self) -> (T, T) {
        let (g, m) = (self.linkage.geometry(), &self.inertia);
        let rod = forearm_weights(m, g.forearm, self.forearm);
        (arm_share(m, g.arm, &rod), m.platform + m.payload + rod.weight_second * T::from_f64(3.0))
    }

    /// The legs.
    #[inline(always)]
    pub fn linkage(&self) -> &Linkage<T> {
        &self.linkage
    }

    /// The masses.
    pub fn inertia(&self) -> &Inertia<T> {
        &self.inertia
    }

    /// The motors.
    pub fn motor(&self) -> &Motor<T> {
        &self.motor
    }

    /// How the forearms are modelled.
    pub fn forearm(&self) -> Forearm {
        self.forearm
    }

    /// Every number through `f`: to another scalar, with the constants kept as
    /// they are (worked out in `f64`, rounded once to `f32`).
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Delta<U> {
        let linkage = self.linkage.map(&mut f);
        let (m, c) = (&self.inertia, &self.constants);
        let inertia = Inertia {
            platform: f(m.platform),
            payload: f(m.payload),
            arm: f(m.arm),
            arm_centre: f(m.arm_centre),
            arm_inertia: f(m.arm_inertia),
            elbow: f(m.elbow),
            forearm: f(m.forearm),
            forearm_centre: f(m.forearm_centre),
            forearm_inertia: f(m.forearm_inertia),
            gravity: m.gravity.map(&mut f),
        };
        let motor = Motor {
            inertia: f(self.motor.inertia),
            viscous: f(self.motor.viscous),
            coulomb: f(self.motor.coulomb),
        };
        let constants = Constants {
            axis_inertia: f(c.axis_inertia),
            arm_weight: c.arm_weight.map(&mut f),
            arm_weight_outward: c.arm_weight_outward.map(&mut f),
            mass: f(c.mass),
            weight: c.weight.map(&mut f),
            cross: f(c.cross),
            fixed_potential: f(c.fixed_potential),
        };
        Delta { linkage, inertia, motor, forearm: self.forearm, constants }
    }
}

/// How a forearm of this length acts on its ends.
fn forearm_weights<T: Real>(m: &Inertia<T>, length: T, forearm: Forearm) -> LinkWeights<T> {
    match forearm {
        Forearm::Exact => LinkWeights::rod(m.forearm, length, m.forearm_centre / length, m.forearm_inertia),
        Forearm::Lumped { at_elbow, gravity } => {
            LinkWeights::lumped(m.forearm, T::from_f64(at_elbow), gravity)
        }
    }
}

/// The mass at the elbow that has the weight of arm, elbow and the forearm's share about the motor axis \[kg\].
fn arm_share<T: Real>(m: &Inertia<T>, arm: T, rod: &LinkWeights<T>) -> T {
    m.arm * m.arm_centre / arm + m.elbow + rod.weight_first
}

impl Delta<f64> {
    /// The same robot in another scalar.
    pub fn cast<U: Real>(&self) -> Delta<U> {
        self.map(U::from_f64)
    }
}

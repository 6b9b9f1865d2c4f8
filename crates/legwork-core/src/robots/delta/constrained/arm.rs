//! One arm alone: a pendulum that carries a spherical pendulum.

#![allow(non_snake_case)]

use crate::{M3, Real, Sym3, V3};

/// Lengths, masses and damping of one arm, with its third of the platform.
///
/// The letters are those of \[Bortoff2018, Table I\]. The table gives the
/// inertias in N·m/s²; right is kg·m². It also calls m₃ a third of the platform
/// and divides it by three again in Eq. 1 and 5; here, as in the paper's
/// appendix, `tip_mass` is the third and nothing is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmParameters<T> {
    /// Base radius minus platform radius, l₀ − l₃ \[m\].
    pub base_offset: T,
    /// Motor axis to elbow, l₁ \[m\].
    pub upper: T,
    /// Elbow to platform joint, l₂ \[m\].
    pub lower: T,
    /// Motor axis to the centre of mass of the upper arm, l_c1 \[m\].
    pub upper_centre: T,
    /// Elbow to the centre of mass of the forearm, l_c2 \[m\].
    pub lower_centre: T,
    /// Upper arm, M₁ \[kg\].
    pub upper_mass: T,
    /// Whole forearm (both rods), M₂ \[kg\].
    pub lower_mass: T,
    /// One third of platform and payload, M₃ \[kg\].
    pub tip_mass: T,
    /// Upper arm about its centre of mass, plus the rotor, J₁ \[kg·m²\].
    pub upper_inertia: T,
    /// Forearm about its centre of mass, across the rods, J₂ \[kg·m²\].
    pub lower_inertia: T,
    /// Viscous damping of φ₁, φ₂, φ₃, D \[N·m·s/rad\]. The angles are absolute, so
    /// the damping acts against the world, not inside the elbow.
    pub damping: V3<T>,
    /// Acceleration of gravity in the frame of the arm \[m/s²\]: (0, 0, g) in the paper, whose z points down.
    pub gravity: V3<T>,
}

impl<T> ArmParameters<T> {
    /// The same arm in another scalar.
    #[inline(always)]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> ArmParameters<U> {
        ArmParameters {
            base_offset: f(self.base_offset),
            upper: f(self.upper),
            lower: f(self.lower),
            upper_centre: f(self.upper_centre),
            lower_centre: f(self.lower_centre),
            upper_mass: f(self.upper_mass),
            lower_mass: f(self.lower_mass),
            tip_mass: f(self.tip_mass),
            upper_inertia: f(self.upper_inertia),
            lower_inertia: f(self.lower_inertia),
            damping: self.damping.map(&mut f),
            gravity: self.gravity.map(&mut f),
        }
    }
}

impl<T: Real> ArmParameters<T> {
    /// The arm at the angles φ = (φ₁, φ₂, φ₃) \[rad\].
    #[inline(always)]
    pub fn at(self, phi: V3<T>) -> ArmPose<T> {
        let (x, y, z) = (phi.x.sin_cos(), phi.y.sin_cos(), phi.z.sin_cos());
        ArmPose { parameters: self, sin: V3::new(x.0, y.0, z.0), cos: V3::new(x.1, y.1, z.1) }
    }

    /// First moment of forearm and tip about the elbow, l_c2 M₂ + l₂ M₃ \[kg·m\].
    #[inline(always)]
    fn lower_moment(&self) -> T {
        self.lower_centre * self.lower_mass + self.lower * self.tip_mass
    }

    /// First moment of the arm about the motor axis, l_c1 M₁ + l₁ (M₂ + M₃) \[kg·m\].
    #[inline(always)]
    fn upper_moment(&self) -> T {
        self.upper_centre * self.upper_mass + self.upper * (self.lower_mass + self.tip_mass)
    }

    /// κ = l₁ (l_c2 M₂ + l₂ M₃) \[kg·m²\].
    #[inline(always)]
    fn coupling(&self) -> T {
        self.upper * self.lower_moment()
    }

    /// I₂ = J₂ + M₂ l_c2² + M₃ l₂², forearm and tip about the elbow \[kg·m²\].
    #[inline(always)]
    fn lower_elbow_inertia(&self) -> T {
        self.lower_inertia
            + self.lower_mass * self.lower_centre.squared()
            + self.tip_mass * self.lower.squared()
    }

    /// m₁₁ = J₁ + M₁ l_c1² + l₁² (M₂ + M₃) \[kg·m²\].
    #[inline(always)]
    fn motor_inertia(&self) -> T {
        self.upper_inertia
            + self.upper_mass * self.upper_centre.squared()
            + self.upper.squared() * (self.lower_mass + self.tip_mass)
    }
}

/// An arm at given angles: the sines and cosines that all its terms share.
///
/// Vectors are in the frame of the arm: y from the centre of the base to the
/// motor axis, z down. `c1` is cos φ₁ and so on; C is the paper's c.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ArmPose<T> {
    /// The arm.
    pub parameters: ArmParameters<T>,
    /// sin φ
    pub sin: V3<T>,
    /// cos φ
    pub cos: V3<T>,
}

impl<T: Real> ArmPose<T> {
    /// Sines and cosines under the names of the formulas.
    #[inline(always)]
    fn letters(&self) -> ([T; 3], [T; 3]) {
        (self.sin.to_array(), self.cos.to_array())
    }

    /// Platform point ψ(φ) reached by the arm \[m\].
    ///
    /// ```text
    /// ψ = ( l₂ s₂ s₃,  l₁ c₁ + l₂ c₂ + l₀ − l₃,  l₁ s₁ + l₂ s₂ c₃ )
    /// ```
    ///
    /// \[Bortoff2018, Eq. 4\] prints no offset l₀ − l₃; the appendix has it, and
    /// without it h = 0 describes another robot.
    #[inline(always)]
    pub fn tip(&self) -> V3<T> {
        let p = self.parameters;
        self.forearm_direction() * p.lower + self.elbow() // (4)
    }

    /// Elbow (0, l₁ c₁ + l₀ − l₃, l₁ s₁) \[m\].
    #[inline(always)]
    pub fn elbow(&self) -> V3<T> {
        let p = self.parameters;
        V3::new(T::zero(), p.upper * self.cos.x + p.base_offset, p.upper * self.sin.x)
    }

    /// Unit vector from elbow to platform joint, (s₂ s₃, c₂, s₂ c₃).
    #[inline(always)]
    pub fn forearm_direction(&self) -> V3<T> {
        V3::new(self.sin.y * self.sin.z, self.cos.y, self.sin.y * self.cos.z)
    }

    /// dψ = ∂ψ/∂φ \[m/rad\], \[Bortoff2018, appendix, `dpsi`\].
    ///
    /// ```text
    /// dψ = [ 0,      l₂ c₂ s₃,  l₂ s₂ c₃;
    ///       −l₁ s₁, −l₂ s₂,     0;
    ///        l₁ c₁,  l₂ c₂ c₃, −l₂ s₂ s₃ ]
    /// ```
    ///
    /// The second and third column are orthogonal, of length l₂ and l₂ s₂.
    #[inline(always)]
    pub fn tip_jacobian(&self) -> M3<T> {
        let ([s1, s2, s3], [c1, c2, c3]) = self.letters();
        let (l1, l2) = (self.parameters.upper, self.parameters.lower);
        M3::from_rows(
            V3::new(T::zero(), l2 * c2 * s3, l2 * s2 * c3),
            V3::new(-(l1 * s1), -(l2 * s2), T::zero()),
            V3::new(l1 * c1, l2 * c2 * c3, -(l2 * s2 * s3)),
        )
    }

    /// d/dt dψ while the angles move with `v` = φ̇ \[m/(rad·s)\]; ours, the paper
    /// leaves it to the compiler of its model \[Bortoff2018, Eq. 22\].
    #[inline(always)]
    pub fn tip_jacobian_rate(&self, v: V3<T>) -> M3<T> {
        let ([s1, s2, s3], [c1, c2, c3]) = self.letters();
        let (l1, l2) = (self.parameters.upper, self.parameters.lower);
        M3::from_rows(
            V3::new(T::zero(), l2 * (c2 * c3 * v.z - s2 * s3 * v.y), l2 * (c2 * c3 * v.y - s2 * s3 * v.z)),
            V3::new(-(l1 * c1 * v.x), -(l2 * c2 * v.y), T::zero()),
            V3::new(
                -(l1 * s1 * v.x),
                -(l2 * (s2 * c3 * v.y + c2 * s3 * v.z)),
                -(l2 * (c2 * s3 * v.y + s2 * c3 * v.z)),
            ),
        )
    }

    /// Mass matrix m(φ) \[kg·m²\], \[Bortoff2018, Eq. 8, appendix `m`\].
    ///
    /// ```text
    /// m = [ m₁₁, κ(c₁c₂c₃ + s₁s₂), −κ c₁s₂s₃;  ·, I₂, 0;  ·, 0, I₂ s₂² ]
    /// κ = l₁(l_c2 M₂ + l₂ M₃),  I₂ = J₂ + M₂ l_c2² + M₃ l₂²,
    /// m₁₁ = J₁ + M₁ l_c1² + l₁² (M₂ + M₃)
    /// ```
    ///
    /// Singular at s₂ = 0, where φ₃ has no meaning.
    #[inline(always)]
    pub fn mass_matrix(&self) -> Sym3<T> {
        let ([s1, s2, s3], [c1, c2, c3]) = self.letters();
        let (kappa, I2) = (self.parameters.coupling(), self.parameters.lower_elbow_inertia());
        Sym3 {
            diagonal: V3::new(self.parameters.motor_inertia(), I2, I2 * s2.squared()), // m[1,1], m[2,2], m[3,3]
            // (m23, m31, m12)
            off: V3::new(T::zero(), -(kappa * c1 * s2 * s3), kappa * (c1 * c2 * c3 + s1 * s2)),
        }
    }

    /// Coriolis and centripetal torque c(φ, φ̇) \[N·m\], \[Bortoff2018, Eq. 8,
    /// appendix `c1` to `c6`\].
    ///
    /// ```text
    /// C₁ = κ(s₁c₂ − c₁s₂c₃) v₂² − κ c₁s₂c₃ v₃² − 2κ c₁c₂s₃ v₂v₃
    /// C₂ = κ(c₁s₂ − s₁c₂c₃) v₁² − I₂ s₂c₂ v₃²
    /// C₃ = κ s₁s₂s₃ v₁² + 2 I₂ s₂c₂ v₂v₃
    /// ```
    #[inline(always)]
    pub fn coriolis(&self, v: V3<T>) -> V3<T> {
        let ([s1, s2, s3], [c1, c2, c3]) = self.letters();
        let (kappa, I2) = (self.parameters.coupling(), self.parameters.lower_elbow_inertia());
        let two = T::from_f64(2.0);
        let (v11, v22, v33, v23) = (v.x.squared(), v.y.squared(), v.z.squared(), v.y * v.z);
        V3::new(
            kappa * ((s1 * c2 - c1 * s2 * c3) * v22 - c1 * s2 * c3 * v33 - two * c1 * c2 * s3 * v23), // c2, c3, c5
            kappa * (c1 * s2 - s1 * c2 * c3) * v11 - I2 * s2 * c2 * v33, // c1, c3
            kappa * s1 * s2 * s3 * v11 + two * I2 * s2 * c2 * v23,       // c1, c5
        )
    }

    /// Torque of gravity g(φ) = ∂V/∂φ \[N·m\], \[Bortoff2018, Eq. 8, appendix `G`\], with gravity in any direction.
    #[inline(always)]
    pub fn gravity_torque(&self) -> V3<T> {
        let ([s1, s2, s3], [c1, c2, c3]) = self.letters();
        let p = self.parameters;
        let (upper, lower) = (p.gravity * p.upper_moment(), p.gravity * p.lower_moment());
        V3::new(
            upper.y * s1 - upper.z * c1,
            lower.y * s2 - (lower.x * s3 + lower.z * c3) * c2,
            (lower.z * s3 - lower.x * c3) * s2,
        )
    }

    /// Kinetic energy ½ φ̇ᵀ m φ̇ \[J\], \[Bortoff2018, Eq. 1\] with M₃ undivided.
    #[inline(always)]
    pub fn kinetic_energy(&self, v: V3<T>) -> T {
        v.dot(self.mass_matrix() * v) * T::from_f64(0.5)
    }

    /// Potential energy \[J\], \[Bortoff2018, Eq. 5\] with M₃ undivided.
    ///
    /// ```text
    /// V = −g·( (l_c1 M₁ + l₁(M₂ + M₃)) (0, c₁, s₁) + (l_c2 M₂ + l₂ M₃) (s₂s₃, c₂, s₂c₃) )
    /// ```
    ///
    /// The paper has the last components alone: g = (0, 0, g).
    #[inline(always)]
    pub fn potential_energy(&self) -> T {
        let p = self.parameters;
        let upper = V3::new(T::zero(), self.cos.x, self.sin.x) * p.upper_moment();
        -p.gravity.dot(upper + self.forearm_direction() * p.lower_moment()) // (5)
    }

    /// ∂T/∂φ at fixed φ̇ \[N·m\]: component k is ½ vᵀ (∂m/∂φ_k) v, which is what
    /// \[Bortoff2018, Eq. 18\] writes as ½ v ∂M/∂q v.
    #[inline(always)]
    pub fn kinetic_energy_gradient(&self, v: V3<T>) -> V3<T> {
        let ([s1, s2, s3], [c1, c2, c3]) = self.letters();
        let (kappa, I2) = (self.parameters.coupling(), self.parameters.lower_elbow_inertia());
        let (v12, v13, v33) = (v.x * v.y, v.x * v.z, v.z.squared());
        V3::new(
            kappa * ((c1 * s2 - s1 * c2 * c3) * v12 + s1 * s2 * s3 * v13),
            kappa * ((s1 * c2 - c1 * s2 * c3) * v12 - c1 * c2 * s3 * v13) + I2 * s2 * c2 * v33,
            -(kappa * (c1 * c2 * s3 * v12 + c1 * s2 * c3 * v13)),
        )
    }

    /// C + g + D∘φ̇: the left side of \[Bortoff2018, Eq. 8\] without m φ̈, with the
    /// damping of the appendix \[N·m\].
    #[inline(always)]
    pub fn bias(&self, v: V3<T>) -> V3<T> {
        self.coriolis(v) + self.gravity_torque() + self.parameters.damping.scale(v)
    }

    /// The two vectors that give φ̇₂ and φ̇₃ from what the passive angles add to
    /// the velocity of the tip: columns 2 and 3 of dψ over their squared lengths
    /// (they are orthogonal) \[rad/m\].
    #[inline(always)]
    pub(super) fn passive_rows(&self) -> (V3<T>, V3<T>) {
        let ([_, s2, s3], [_, c2, c3]) = self.letters();
        let r2 = self.parameters.lower.recip();
        let r3 = (self.parameters.lower * s2).recip();
        (V3::new(c2 * s3, -s2, c2 * c3) * r2, V3::new(c3, T::zero(), -s3) * r3)
    }
}

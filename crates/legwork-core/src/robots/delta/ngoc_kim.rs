//! The Delta by Lagrange equations of the first kind.
//!
//! After P. V. B. Ngoc and H. S. Kim, "Inverse dynamics analysis of a Delta-type
//! parallel-kinematic robot", 2010. Coordinates are platform point p and arm
//! angles θ together, tied by |p − e_i|² = b²; each rod counts half at its elbow,
//! half at the platform. That keeps the weight exact and the inertia not: against
//! thin rods the torque of a fast motion can be off by a fifth.
//!
//! ```text
//!   base  O ───r───●─────a─────● elbow      z ↑, limb 1 along +x
//!                  θ1 > 0 up    \ b         θ1 = −q: positive is up here
//!                           p ──h──●
//! ```
//!
//! z points up, limbs at 0°, 120°, 240°, torque positive along θ₁ (the opposite
//! of the motor angle q elsewhere in this crate). The paper numbers few of its
//! equations; the others are cited by section.
//!
//! ```
//! use legwork_core::V3;
//! use legwork_core::robots::delta::ngoc_kim::NgocKim;
//!
//! let robot = NgocKim {
//!     base_radius: 0.060, platform_radius: 0.022, arm: 0.100, rod: 0.224,
//!     arm_mass: 0.0829, rod_mass: 0.0482, platform_mass: 0.0836,
//!     rotor_inertia: 0.0, gravity: V3::new(0.0, 0.0, -9.81),
//! };
//! let hold = robot.inverse_dynamics(V3::new(0.0, 0.0, -0.2), V3::zero(), V3::zero());
//! assert!(hold.is_valid() && hold.value.torque.x > 0.0); // the motors hold the arms up
//! ```

use crate::{M3, Margin, Real, V3};

/// Lengths and masses; the letters are those of \[NgocKim2010, section 3\].
///
/// Table 1 of the paper calls the radii a and b, its dynamics a the arm and b the
/// rod: those are the letters here.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NgocKim<T> {
    /// Centre of the base to motor axis, r \[m\].
    pub base_radius: T,
    /// Platform point to platform joint, h \[m\].
    pub platform_radius: T,
    /// Motor axis to elbow, a or l₁ \[m\].
    pub arm: T,
    /// Elbow to platform joint, b or l₂ \[m\].
    pub rod: T,
    /// Arm, a uniform rod, m_a \[kg\].
    pub arm_mass: T,
    /// **One** of the two rods of a limb, m_b \[kg\]. If the paper's 48.2 g mean
    /// both, enter half.
    pub rod_mass: T,
    /// Platform and payload, m_p \[kg\].
    pub platform_mass: T,
    /// Rotor and gear seen from the arm, absent in the paper \[kg·m²\].
    pub rotor_inertia: T,
    /// Acceleration of gravity g \[m/s²\]; (0, 0, −g_c) in the paper.
    pub gravity: V3<T>,
}

/// The angles of one limb, \[NgocKim2010, Fig. 1\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LimbAngles<T> {
    /// Arm above the horizontal, θ₁ = −q \[rad\].
    pub theta1: T,
    /// Rod against the arm, in the plane of the arm, negative with elbows out, θ₂ \[rad\].
    pub theta2: T,
    /// Rod from the y axis of the limb, π/2 in the plane of the arm, θ₃ \[rad\].
    pub theta3: T,
}

/// Arm velocities and accelerations.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rates<T> {
    /// θ̇₁ of the limbs \[rad/s\].
    pub velocity: V3<T>,
    /// θ̈₁ of the limbs \[rad/s²\].
    pub acceleration: V3<T>,
}

/// What a motion asks of motors and rods.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Efforts<T> {
    /// τ, positive along θ₁ \[N·m\].
    pub torque: V3<T>,
    /// λ \[N/m\].
    pub multipliers: V3<T>,
    /// Force of both rods of each limb on the platform, 2 λ_i s_i \[N\].
    pub rod_forces: V3<V3<T>>,
}

/// One limb with the vectors its equations share, in the frame of the robot.
#[derive(Clone, Copy)]
struct Limb<T> {
    angles: LimbAngles<T>,
    /// Unit vector along the rod, a row of J_x.
    j: V3<T>,
    /// Diagonal entry of J_q \[m\].
    jq: T,
    /// Unit vector along the arm.
    along: V3<T>,
    /// Its derivative by θ₁.
    across: V3<T>,
    /// (p_x cos φ + p_y sin φ + h − r) sin θ₁ − p_z cos θ₁ \[m\].
    bracket: T,
    margin: T,
}

impl<T: Copy> NgocKim<T> {
    /// The same robot in another scalar.
    #[inline(always)]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> NgocKim<U> {
        NgocKim {
            base_radius: f(self.base_radius),
            platform_radius: f(self.platform_radius),
            arm: f(self.arm),
            rod: f(self.rod),
            arm_mass: f(self.arm_mass),
            rod_mass: f(self.rod_mass),
            platform_mass: f(self.platform_mass),
            rotor_inertia: f(self.rotor_inertia),
            gravity: self.gravity.map(&mut f),
        }
    }
}

impl<T: Real> NgocKim<T> {
    /// Angles of the limbs with the platform at `p` \[m\], elbows out.
    ///
    /// ```text
    /// c = R_iᵀ p − (r − h, 0, 0)
    /// θ₃ = arccos(c_y / b),   θ₂ = −arccos κ,   κ = (|c|² − a² − b²) / (2 a b sin θ₃)
    /// A = b sin θ₃ sin θ₂,    B = a + b sin θ₃ cos θ₂
    /// θ₁ = atan2(B c_z − A c_x, B c_x + A c_z)
    /// ```
    ///
    /// \[NgocKim2010, section 2\]. The paper has θ₁ = 2 arctan t with
    /// t = B ± √(B² − c_z² + A²)/(c_z + A), where the brackets around the numerator
    /// are lost, one root is false and the divisor can vanish; the arctangent of
    /// two arguments has none of this. It also leaves the sign of θ₂ open.
    ///
    /// The margin is the smallest of sin²θ₂ and sin²θ₃, negative or NaN out of reach.
    #[inline(always)]
    pub fn limb_angles(&self, p: V3<T>) -> Margin<V3<LimbAngles<T>>, T> {
        let limbs = self.limbs(p);
        Margin { value: limbs.map(|limb| limb.angles), margin: limbs.map(|limb| limb.margin).min() }
    }

    /// Arm rates of a motion of the platform, from J_x ṗ = J_q θ̇ and its
    /// derivative; the first row of J_q prints sin θ₁₁ for sin θ₂₁
    /// \[NgocKim2010, Eq. 3\]. The margin is that of [`limb_angles`](Self::limb_angles).
    ///
    /// ```text
    /// θ̇ = j·ṗ / J_q,    θ̈ = ( j·p̈ + |ṡ|²/b + a θ̇² j·n ) / J_q,    ṡ = ṗ − a θ̇ t
    /// ```
    ///
    /// with n along the arm and t = dn/dθ₁.
    #[inline(always)]
    pub fn rates(&self, p: V3<T>, velocity: V3<T>, acceleration: V3<T>) -> Margin<Rates<T>, T> {
        let limbs = self.limbs(p);
        let thetadot = limbs.map(|limb| limb.j.dot(velocity) / limb.jq); // (3)
        let thetaddot = limbs
            .zip(thetadot, |limb, w| (limb.j.dot(acceleration) + self.drift(&limb, velocity, w)) / limb.jq);
        Margin {
            value: Rates { velocity: thetadot, acceleration: thetaddot },
            margin: limbs.map(|limb| limb.margin).min(),
        }
    }

    /// Platform velocity from arm rates θ̇ \[rad/s\], ṗ = J_x⁻¹ J_q θ̇
    /// \[NgocKim2010, Eq. 3\]. The margin is the smaller of that of
    /// [`limb_angles`](Self::limb_angles) and of |det J_x|.
    #[inline(always)]
    pub fn platform_velocity(&self, p: V3<T>, rates: V3<T>) -> Margin<V3<T>, T> {
        let limbs = self.limbs(p);
        let inverse = M3(limbs.map(|limb| limb.j)).inverse();
        Margin {
            value: inverse.value * limbs.zip(rates, |limb, w| limb.jq * w), // (3)
            margin: limbs.map(|limb| limb.margin).min().min(inverse.margin),
        }
    }

    /// Platform acceleration \[m/s²\] from the arms' velocities and accelerations:
    /// [`rates`](Self::rates) solved for p̈. Margin as for
    /// [`platform_velocity`](Self::platform_velocity).
    #[inline(always)]
    pub fn platform_acceleration(&self, p: V3<T>, rates: Rates<T>) -> Margin<V3<T>, T> {
        let limbs = self.limbs(p);
        let velocity = self.platform_velocity(p, rates.velocity).value;
        let inverse = M3(limbs.map(|limb| limb.j)).inverse();
        let drift = limbs.zip(rates.velocity, |limb, w| self.drift(&limb, velocity, w));
        Margin {
            value: inverse.value * (limbs.zip(rates.acceleration, |limb, w| limb.jq * w) - drift),
            margin: limbs.map(|limb| limb.margin).min().min(inverse.margin),
        }
    }

    /// Torques and rod forces for a motion of the platform.
    ///
    /// ```text
    /// 2 Σ λ_i (p − e_i) = (m_p + 3 m_b) (p̈ − g)
    /// τ_i = (I_m + (m_a/3 + m_b) a²) θ̈_i − (m_a/2 + m_b) a g·t_i
    ///       − 2 a λ_i [ (p_x cos φ_i + p_y sin φ_i + h − r) sin θ_i − p_z cos θ_i ]
    /// ```
    ///
    /// with t = dn/dθ₁ of the arm's direction n, so that g·t_i is −g_c cos θ_i where g is along −z.
    /// \[NgocKim2010, section 3\]; the print closes the square bracket before
    /// sin θ_i, which leaves −p_z cos θ_i alone, and has no rotor I_m. The margin is
    /// the smaller of that of [`limb_angles`](Self::limb_angles) and of |det J_x|.
    #[inline(always)]
    pub fn inverse_dynamics(&self, p: V3<T>, velocity: V3<T>, acceleration: V3<T>) -> Margin<Efforts<T>, T> {
        let (half, third, two) = (T::from_f64(0.5), T::from_f64(1.0 / 3.0), T::from_f64(2.0));
        let limbs = self.limbs(p);
        // Multipliers: rods s_i = b j_i as columns
        let lumped = self.platform_mass + self.rod_mass * T::from_f64(3.0);
        let load = (acceleration - self.gravity) * lumped;
        let inverse = M3(limbs.map(|limb| limb.j)).inverse();
        let pull = inverse.value.transpose() * load; // 2 λ_i b
        let multipliers = pull * (two * self.rod).recip();
        // Torques
        let inertia = self.rotor_inertia + (self.arm_mass * third + self.rod_mass) * self.arm.squared();
        let weight = self.gravity * ((self.arm_mass * half + self.rod_mass) * self.arm);
        let rates = self.rates(p, velocity, acceleration).value;
        let torque = limbs.zip(rates.acceleration, |limb, w| inertia * w - weight.dot(limb.across))
            - limbs.zip(multipliers, |limb, l| two * self.arm * l * limb.bracket);
        let rod_forces = limbs.zip(pull, |limb, f| limb.j * f);
        Margin {
            value: Efforts { torque, multipliers, rod_forces },
            margin: limbs.map(|limb| limb.margin).min().min(inverse.margin),
        }
    }

    /// (|ṡ|² + a θ̇² s·n)/b: what velocities add to J_q θ̈ = j·p̈ + … \[m/s²\].
    #[inline(always)]
    fn drift(&self, limb: &Limb<T>, velocity: V3<T>, w: T) -> T {
        let sdot = velocity - limb.across * (self.arm * w);
        sdot.norm_sq() / self.rod + self.arm * w.squared() * limb.j.dot(limb.along)
    }

    #[inline(always)]
    fn limbs(&self, p: V3<T>) -> V3<Limb<T>> {
        let (cos, sin) = (T::from_f64(-0.5), T::from_f64(0.5 * SQRT_3));
        let azimuths = V3::new((T::one(), T::zero()), (cos, sin), (cos, -sin));
        azimuths.map(|(cos, sin)| self.limb(p, cos, sin))
    }

    /// The limb at the azimuth φ with this cosine and sine.
    #[inline(always)]
    fn limb(&self, p: V3<T>, cos: T, sin: T) -> Limb<T> {
        let (a, b, one) = (self.arm, self.rod, T::one());
        let offset = self.base_radius - self.platform_radius;
        let c = V3::new(p.x * cos + p.y * sin - offset, p.y * cos - p.x * sin, p.z);
        // Cosines from the paper, sines from them
        let c3 = c.y / b;
        let s3_sq = one - c3.squared();
        let s3 = s3_sq.sqrt();
        let c2 = (c.norm_sq() - a.squared() - b.squared()) / (T::from_f64(2.0) * a * b * s3); // κ
        let s2_sq = one - c2.squared();
        let s2 = -s2_sq.sqrt();
        let (big_a, big_b) = (b * s3 * s2, a + b * s3 * c2);
        let angles = LimbAngles {
            theta1: (big_b * c.z - big_a * c.x).atan2(big_b * c.x + big_a * c.z),
            theta2: s2.atan2(c2),
            theta3: s3.atan2(c3),
        };
        let (s1, c1) = angles.theta1.sin_cos();
        // sin and cos of θ₁ + θ₂
        let (s12, c12) = (s1 * c2 + c1 * s2, c1 * c2 - s1 * s2);
        Limb {
            angles,
            j: V3::new(c12 * s3 * cos - c3 * sin, c12 * s3 * sin + c3 * cos, s12 * s3), // j_ix, j_iy, j_iz
            jq: a * s2 * s3,
            along: V3::new(c1 * cos, c1 * sin, s1),
            across: V3::new(-(s1 * cos), -(s1 * sin), c1),
            bracket: c.x * s1 - c.z * c1,
            // Where sin²θ₃ is negative sin²θ₂ is NaN, and the first one stays.
            margin: s2_sq.min(s3_sq),
        }
    }
}

/// √3
const SQRT_3: f64 = 1.732_050_807_568_877_2;

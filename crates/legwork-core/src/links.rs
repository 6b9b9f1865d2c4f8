//! Building blocks for links between two joints: what a bar adds to the
//! mass matrix, to the virtual work and to the weight, from its two ends alone.
//!
//! Codourey's method needs nothing of a forearm but the motion of its ends
//! \[Codourey1998, Sec. 3.2–3.6\]. All link models here share one form:
//!
//! ```text
//! T  = ½ ( w₁ v₁² + w₂ v₂² + 2 wₓ v₁·v₂ )                                   (12)
//! δW = δ₁·(w₁ a₁ + wₓ a₂) + δ₂·(w₂ a₂ + wₓ a₁)                              (23)
//! ```
//!
//! and differ only in the weights w₁, w₂, wₓ. The rotation of a link about its
//! own axis is neglected; ball joints leave it free.

use crate::{M3, Real, V3};

/// How the mass of a link acts on its two ends: three inertial weights and the
/// share of the weight that each end carries \[kg\].
///
/// ```
/// use legwork_core::{V3, links::LinkWeights};
/// // A thin bar of 0.3 kg falling sideways at 2 m/s has T = ½ m v².
/// let v = V3::new(2.0, 0.0, 0.0);
/// let energy: f64 = LinkWeights::thin_bar(0.3).kinetic_energy(v, v);
/// assert!((energy - 0.6).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkWeights<T> {
    /// Inertia seen at end 1, w₁ \[kg\].
    pub first: T,
    /// Inertia seen at end 2, w₂ \[kg\].
    pub second: T,
    /// Coupling of the two ends, wₓ \[kg\].
    pub cross: T,
    /// Mass whose weight hangs at end 1 \[kg\].
    pub weight_first: T,
    /// Mass whose weight hangs at end 2 \[kg\].
    pub weight_second: T,
}

/// Where the weight of a lumped link goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GravitySplit {
    /// Half to each end: exact for a uniform link \[Codourey1998, Eq. 58–59\].
    Half,
    /// In the same shares as the inertia \[Codourey1996\]: kept for comparison,
    /// wrong by several per cent (errata: weight must be split ½–½).
    SameAsInertia,
}

impl<T: Real> LinkWeights<T> {
    /// A rod with its centre of mass at the fraction `centre` of its length from
    /// end 1, and the transverse moment of inertia `inertia` about that centre
    /// \[kg·m²\]. Follows from v_c = (1−c) v₁ + c v₂ and |ω| = |v₂ − v₁| / l, eq (6)–(9):
    ///
    /// ```text
    /// κ = I/l²,  w₁ = m(1−c)² + κ,  w₂ = m c² + κ,  wₓ = m c(1−c) − κ
    /// ```
    #[inline(always)]
    pub fn rod(mass: T, length: T, centre: T, inertia: T) -> Self {
        let kappa = inertia / length.squared();
        let rest = T::one() - centre;
        Self {
            first: mass * rest.squared() + kappa,
            second: mass * centre.squared() + kappa,
            cross: mass * centre * rest - kappa,
            weight_first: mass * rest,
            weight_second: mass * centre,
        }
    }

    /// A uniform solid cylinder \[Codourey1998, Eq. 6–9\]: I = m(3 r² + l²)/12.
    #[inline(always)]
    pub fn cylinder(mass: T, length: T, radius: T) -> Self {
        let inertia = mass * (radius.squared() * T::from_f64(3.0) + length.squared()) / T::from_f64(12.0);
        Self::rod(mass, length, T::from_f64(0.5), inertia)
    }

    /// A uniform bar with all its mass on a line \[Codourey1998, Eq. 10–13\]:
    /// w = (m/3, m/3, m/6). Its length does not matter.
    #[inline(always)]
    pub fn thin_bar(mass: T) -> Self {
        Self::rod(mass, T::one(), T::from_f64(0.5), mass / T::from_f64(12.0))
    }

    /// Point masses instead of a link: the share `at_first` of the inertia at
    /// end 1, the rest at end 2 \[Codourey1998, Eq. 50: share 2/3\].
    #[inline(always)]
    pub fn lumped(mass: T, at_first: T, gravity: GravitySplit) -> Self {
        let (first, second) = (mass * at_first, mass * (T::one() - at_first));
        let half = mass * T::from_f64(0.5);
        let (weight_first, weight_second) = match gravity {
            GravitySplit::Half => (half, half),
            GravitySplit::SameAsInertia => (first, second),
        };
        Self { first, second, cross: T::zero(), weight_first, weight_second }
    }

    /// Kinetic energy \[J\] when the ends move with `v1`, `v2` \[m/s\] (12).
    #[inline(always)]
    pub fn kinetic_energy(&self, v1: V3<T>, v2: V3<T>) -> T {
        let (f1, f2) = self.inertial_forces(v1, v2);
        (v1.dot(f1) + v2.dot(f2)) * T::from_f64(0.5)
    }

    /// Contribution to the mass matrix, with the Jacobians of the two ends:
    /// w₁ J₁ᵀJ₁ + w₂ J₂ᵀJ₂ + wₓ (J₁ᵀJ₂ + J₂ᵀJ₁).
    ///
    /// \[Codourey1998, Eq. 13\] prints the cross term unsymmetric (J₁ᵀJ₂ alone):
    /// the energy is the same, the matrix is not.
    #[inline(always)]
    pub fn mass_matrix(&self, j1: M3<T>, j2: M3<T>) -> M3<T> {
        let (t1, t2) = (j1.transpose(), j2.transpose());
        (t1 * j1) * self.first + (t2 * j2) * self.second + (t1 * j2 + t2 * j1) * self.cross // (13)
    }

    /// Forces \[N\] that the two ends must be given for the accelerations `a1`, `a2` \[m/s²\] (23).
    #[inline(always)]
    pub fn inertial_forces(&self, a1: V3<T>, a2: V3<T>) -> (V3<T>, V3<T>) {
        (a1 * self.first + a2 * self.cross, a2 * self.second + a1 * self.cross)
    }

    /// Virtual work per unit of each joint coordinate, weight included:
    /// J₁ᵀ f₁ + J₂ᵀ f₂ \[Codourey1998, Eq. 20–23 and 55\].
    #[inline(always)]
    pub fn virtual_work(&self, j1: M3<T>, j2: M3<T>, a1: V3<T>, a2: V3<T>, gravity: V3<T>) -> V3<T> {
        let (f1, f2) = self.inertial_forces(a1, a2);
        j1.transpose() * (f1 - gravity * self.weight_first)
            + j2.transpose() * (f2 - gravity * self.weight_second)
    }
}

/// Velocity of the centre of a uniform cylinder and its angular velocity, from
/// the velocities of its ends; `axis` is the unit vector from end 1 to end 2.
///
/// \[Codourey1998, Eq. 6, 7, 9\]; (7) holds there with the axis from end 2 to
/// end 1, so with ours the difference is v₂ − v₁.
#[inline(always)]
pub fn cylinder_velocity<T: Real>(axis: V3<T>, length: T, v1: V3<T>, v2: V3<T>) -> (V3<T>, V3<T>) {
    let centre = (v1 + v2) * T::from_f64(0.5); // (6)
    let angular = axis.cross(v2 - v1) * length.recip(); // (7)
    (centre, angular)
}

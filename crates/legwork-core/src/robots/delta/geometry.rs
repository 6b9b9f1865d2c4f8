//! The lengths of a Delta, its working modes, and the linkage made of them.

use super::posture::{Leg, Posture};
use crate::{Margin, Real, V3};
use core::fmt;

/// Lengths and directions of a rotary Delta.
///
/// A platform that only translates can be shrunk to a point if the base radius
/// is shrunk by the same amount, so only the difference of the radii matters.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Geometry<T> {
    /// Centre of the base to the motor axis, R_A \[m\].
    pub base_radius: T,
    /// Centre of the platform to its joints, R_B \[m\].
    pub platform_radius: T,
    /// Arm: motor axis to elbow, L_A = a \[m\].
    pub arm: T,
    /// Forearm: elbow to platform joint, L_B = b \[m\].
    pub forearm: T,
    /// Direction of each leg in the base plane, from +x counter-clockwise, φ_i \[rad\].
    pub azimuth: V3<T>,
}

impl<T: Real> Geometry<T> {
    /// The directions 0°, 120°, 240° of the papers.
    pub fn regular_azimuth() -> V3<T> {
        let third = core::f64::consts::TAU / 3.0;
        V3::new(0.0, third, 2.0 * third).map(T::from_f64)
    }
}

/// On which side of the line motor – platform joint an elbow is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Elbow {
    /// Away from the axis of the robot: how Deltas are built.
    Out,
    /// Towards the axis.
    In,
}

/// One elbow per leg: the 2³ inverse-kinematic solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WorkingMode(pub [Elbow; 3]);

impl WorkingMode {
    /// All elbows out.
    pub const OUT: Self = Self([Elbow::Out; 3]);

    /// All eight, starting with all out.
    pub fn all() -> [Self; 8] {
        core::array::from_fn(|k| {
            Self([0, 1, 2].map(|leg| if (k >> leg) & 1 == 0 { Elbow::Out } else { Elbow::In }))
        })
    }
}

impl fmt::Display for WorkingMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c] = self.0.map(|e| if e == Elbow::Out { "out" } else { "in" });
        write!(f, "{a}-{b}-{c}")
    }
}

/// On which side of the plane through the elbows the platform hangs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Assembly {
    /// Below the elbows: how Deltas are built.
    Below,
    /// Above them.
    Above,
}

impl fmt::Display for Assembly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if *self == Self::Below { "below" } else { "above" })
    }
}

/// The three legs as a mechanism: [`Geometry`] and a working mode, with the
/// constants of the inverse kinematics worked out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Linkage<T> {
    geometry: Geometry<T>,
    /// (cos φ_i, sin φ_i)
    pub(super) direction: V3<(T, T)>,
    /// +1 elbow out, −1 elbow in.
    side: V3<T>,
    mode: WorkingMode,
    /// R = R_A − R_B
    pub(super) offset: T,
    /// 1/(2a), R/a, (R² + a² − b²)/(2a) of the inverse kinematics
    reach: V3<T>,
}

impl<T: Real> Linkage<T> {
    /// The linkage with all elbows out. The lengths are taken as they are:
    /// [`Linkage::new`] checks them.
    pub fn unchecked(geometry: Geometry<T>) -> Self {
        let direction = geometry.azimuth.map(|angle| {
            let (sin, cos) = angle.sin_cos();
            (cos, sin)
        });
        let (a, b) = (geometry.arm, geometry.forearm);
        let offset = geometry.base_radius - geometry.platform_radius;
        let half_inverse = T::from_f64(0.5) / a;
        let reach =
            V3::new(half_inverse, offset / a, (offset.squared() + a.squared() - b.squared()) * half_inverse);
        Self { geometry, direction, side: V3::splat(T::one()), mode: WorkingMode::OUT, offset, reach }
    }

    /// The same linkage in another working mode.
    #[must_use]
    pub fn with_working_mode(self, mode: WorkingMode) -> Self {
        let side = V3::from(mode.0).map(|elbow| match elbow {
            Elbow::Out => T::one(),
            Elbow::In => -T::one(),
        });
        Self { side, mode, ..self }
    }

    /// The lengths it was made of.
    pub fn geometry(&self) -> &Geometry<T> {
        &self.geometry
    }

    /// The working mode that [`posture_at`](Self::posture_at) follows.
    pub fn working_mode(&self) -> WorkingMode {
        self.mode
    }

    /// Every number through `f`: to another scalar, with the constants kept as they are.
    pub fn map<U: Real>(&self, mut f: impl FnMut(T) -> U) -> Linkage<U> {
        let g = &self.geometry;
        Linkage {
            geometry: Geometry {
                base_radius: f(g.base_radius),
                platform_radius: f(g.platform_radius),
                arm: f(g.arm),
                forearm: f(g.forearm),
                azimuth: g.azimuth.map(&mut f),
            },
            direction: self.direction.map(|(c, s)| (f(c), f(s))),
            side: self.side.map(&mut f),
            mode: self.mode,
            offset: f(self.offset),
            reach: self.reach.map(&mut f),
        }
    }

    /// Inverse kinematics: the legs for a platform position `x` \[m\], without a
    /// trigonometric function and without 0/0.
    ///
    /// In the plane of leg i, with p = x·ê_i, u = p − R and
    ///
    /// ```text
    /// E = u,  F = −z,  G = (|x − R ê_i|² + a² − b²) / 2a,   E cos q + F sin q = G    (1)
    /// D² = E² + F² − G²                                                              (2)
    /// a cos q = a (E G ± F D)/(E² + F²),  a sin q = a (F G ∓ E D)/(E² + F²)          (3)
    /// s·b = ∓ a D                                                                    (4)
    /// ```
    ///
    /// upper signs: elbow out. This replaces the formulas with 0/0 that
    /// \[Codourey1998, Sec. 4.2\] warns of; derivation ours.
    ///
    /// The margin is the smallest D² \[m²\]: negative out of reach, zero with a leg
    /// stretched or folded.
    #[inline(always)]
    pub fn posture_at(&self, x: V3<T>) -> Margin<Posture<T>, T> {
        let a = self.geometry.arm;
        let V3 { x: c1, y: c2, z: c0 } = self.reach;
        let z_sq = x.z.squared();
        let shared = (x.x.squared() + x.y.squared() + z_sq) * c1 + c0;
        let legs = self.direction.zip(self.side, |(cos, sin), side| {
            let p = x.x * cos + x.y * sin;
            let u = p - self.offset;
            let g = shared - p * c2; // (1)
            let h = u.squared() + z_sq;
            let d_sq = h - g.squared(); // (2)
            let d = d_sq.sqrt() * side;
            let scale = a / h;
            let a_cos = (u * g - x.z * d) * scale; // (3)
            let a_sin = -((x.z * g + u * d) * scale);
            let reach = self.offset + a_cos;
            let s = V3::new(x.x - cos * reach, x.y - sin * reach, x.z + a_sin);
            // s·w = a (G − a), so s·w + a² = a G
            (Leg { cos, sin, a_cos, a_sin, s, k: -(d * a), curvature: g * a }, d_sq) // (4)
        });
        let margin = legs.map(|(_, d_sq)| d_sq).min();
        Margin { value: Posture { position: x, legs: legs.map(|(leg, _)| leg) }, margin }
    }

    /// Forward kinematics in closed form: the legs for the motor angles `q` \[rad\].
    ///
    /// The platform is where three spheres of radius b about the elbows meet:
    ///
    /// ```text
    /// A = e₁ − e₃,  B = e₂ − e₃,  n = A × B
    /// c = e₃ + ((A·A) B − (B·B) A) × n / (2 n·n)                                     (1)
    /// x = c ∓ k n̂,   k² = b² − |c − e₃|²,   n̂ upwards                                (2)
    /// ```
    ///
    /// The margin is k² \[m²\]: negative if the arms cannot meet, NaN if the elbows
    /// are collinear.
    #[inline(always)]
    pub fn posture_of(&self, q: V3<T>, assembly: Assembly) -> Margin<Posture<T>, T> {
        let arms = self.arms(q);
        let intersection = self.intersection(&arms);
        let position = match assembly {
            Assembly::Below => intersection.centre - intersection.up,
            Assembly::Above => intersection.centre + intersection.up,
        };
        let a_sq = self.geometry.arm.squared();
        let legs = self.direction.zip(arms, |(cos, sin), (a_cos, a_sin)| {
            let reach = self.offset + a_cos;
            let s = V3::new(position.x - cos * reach, position.y - sin * reach, position.z + a_sin);
            let radial = s.x * cos + s.y * sin;
            Leg {
                cos,
                sin,
                a_cos,
                a_sin,
                s,
                k: radial * a_sin + s.z * a_cos,
                curvature: radial * a_cos - s.z * a_sin + a_sq,
            }
        });
        Margin { value: Posture { position, legs }, margin: intersection.height_sq }
    }

    /// (a cos q_i, a sin q_i)
    #[inline(always)]
    fn arms(&self, q: V3<T>) -> V3<(T, T)> {
        q.map(|angle| {
            let (sin, cos) = angle.sin_cos();
            (cos * self.geometry.arm, sin * self.geometry.arm)
        })
    }

    /// The elbows \[m\] of arms given as (a cos q, a sin q), motor axes moved inwards by R_B.
    #[inline(always)]
    fn elbows(&self, arms: &V3<(T, T)>) -> V3<V3<T>> {
        self.direction.zip(*arms, |(cos, sin), (a_cos, a_sin)| {
            let reach = self.offset + a_cos;
            V3::new(cos * reach, sin * reach, -a_sin)
        })
    }

    /// Where the three spheres about the elbows meet.
    #[inline(always)]
    fn intersection(&self, arms: &V3<(T, T)>) -> SphereIntersection<T> {
        let e = self.elbows(arms);
        let (a, b) = (e.x - e.z, e.y - e.z);
        let n = a.cross(b);
        let n_sq = n.norm_sq();
        let r = n_sq.recip();
        let from_e3 = (b * a.norm_sq() - a * b.norm_sq()).cross(n) * (r * T::from_f64(0.5)); // (1)
        let radius_sq = from_e3.norm_sq();
        let height_sq = self.geometry.forearm.squared() - radius_sq;
        let height = (height_sq * r).sqrt();
        let upward = T::select(n.z.lt(T::zero()), -height, height);
        SphereIntersection { centre: e.z + from_e3, up: n * upward, height_sq, radius_sq, area_sq: n_sq }
    }

    /// Numbers that tell why a set of motor angles cannot be assembled.
    pub(super) fn assembly_figures(&self, q: V3<T>) -> (T, T) {
        let intersection = self.intersection(&self.arms(q));
        (intersection.radius_sq.sqrt(), intersection.area_sq.sqrt() * T::from_f64(0.5))
    }

    /// Jacobian ẋ = J q̇ by differences of the forward kinematics, four
    /// evaluations \[Codourey1998, Eq. 27\].
    ///
    /// `step` Δ \[rad\]: 1e-7 is best in `f64` (relative error about 4e-8), 1e-3 in
    /// `f32` (4e-4). The exact one is [`Posture::jacobian`].
    pub fn numerical_jacobian(&self, q: V3<T>, assembly: Assembly, step: T) -> Margin<crate::M3<T>, T> {
        let at = |q| {
            let Margin { value, margin } = self.posture_of(q, assembly);
            (value.position, margin)
        };
        let (here, margin) = at(q);
        let o = T::zero();
        let columns = V3::new(V3::new(step, o, o), V3::new(o, step, o), V3::new(o, o, step))
            .map(|shift| (at(q + shift).0 - here) * step.recip()); // (27)
        Margin { value: crate::M3(columns).transpose(), margin }
    }
}

struct SphereIntersection<T> {
    /// Centre of the circle through the elbows.
    centre: V3<T>,
    /// k n̂, pointing up.
    up: V3<T>,
    /// k²
    height_sq: T,
    /// Squared radius of the circle through the elbows.
    radius_sq: T,
    /// |n|² = (2 × area of the elbow triangle)²
    area_sq: T,
}

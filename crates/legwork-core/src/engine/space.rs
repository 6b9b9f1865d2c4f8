//! The motion space of a platform: V_P = S V_r with D ≤ 6 freedoms.

use super::chain::JointKind;
use super::matrix;
use super::spatial::Twist;
use crate::{Real, V3};
use core::array::from_fn;

/// S and, where the pose or time changes it, Ṡ \[KhalilIbrahim2007, Eq. 9, 13\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSpace<T, const D: usize> {
    columns: [[T; 6]; D],
    rates: [[T; 6]; D],
    /// Ṡ = 0 for all time.
    is_constant: bool,
    /// S = 1 for all time: nothing to multiply.
    is_identity: bool,
    scales: MotionScales<T, D>,
}

/// What makes rotations of a platform comparable with its translations, and turning motors with slides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionScales<T, const D: usize> {
    /// ℓ, the size of the platform \[m\].
    length: T,
    /// √(v·v + ℓ² ω·ω) of each column of S.
    units: [T; D],
}

impl<T: Real, const D: usize> MotionSpace<T, D> {
    /// An S that never changes, by its columns: twists at the platform's origin, linear part first.
    pub fn constant(columns: [[T; 6]; D]) -> Self {
        Self { is_constant: true, ..Self::changing(columns, [[T::zero(); 6]; D]) }
    }

    /// The columns of S and of Ṡ at this instant.
    pub fn changing(columns: [[T; 6]; D], rates: [[T; 6]; D]) -> Self {
        let scales = MotionScales::new(&columns, T::one());
        Self { columns, rates, is_constant: false, is_identity: false, scales }
    }

    /// The components with these places of (vx, vy, vz, wx, wy, wz).
    pub fn of_components(places: [usize; D]) -> Self {
        let columns = places.map(|place| from_fn(|i| if i == place { T::one() } else { T::zero() }));
        let is_identity = D == 6 && places.iter().enumerate().all(|(i, place)| i == *place);
        Self { is_identity, ..Self::constant(columns) }
    }

    /// The same space with the length that makes rotations of the platform and turning motors comparable with
    /// translations and slides: the size of the platform \[m\], so that margins do not depend on the unit of length.
    /// Default 1 m.
    #[must_use]
    pub fn with_length(self, length: T) -> Self {
        Self { scales: MotionScales::new(&self.columns, length), ..self }
    }

    /// What makes rotations comparable with translations.
    #[inline(always)]
    pub fn scales(&self) -> &MotionScales<T, D> {
        &self.scales
    }

    /// Whether S = 1 for all time.
    #[inline(always)]
    pub fn is_identity(&self) -> bool {
        self.is_identity
    }

    /// The columns of S: twists at the platform's origin, linear part first.
    pub fn columns(&self) -> &[[T; 6]; D] {
        &self.columns
    }

    /// Whether Ṡ = 0.
    #[inline(always)]
    pub fn is_constant(&self) -> bool {
        self.is_constant
    }

    /// V_P = S V_r (9)
    #[inline(always)]
    pub fn twist(&self, rate: &[T; D]) -> Twist<T> {
        let flat =
            if self.is_identity { resized(rate) } else { matrix::transposed_times(&self.columns, rate) };
        Twist::from_vector_linear_first(flat)
    }

    /// Ṡ V_r
    #[inline(always)]
    pub fn product(&self, rate: &[T; D]) -> Twist<T> {
        if self.is_constant {
            return Twist::zero();
        }
        Twist::from_vector_linear_first(matrix::transposed_times(&self.rates, rate))
    }

    /// Sᵀ w
    #[inline(always)]
    pub fn project(&self, wrench: &[T; 6]) -> [T; D] {
        if self.is_identity { resized(wrench) } else { matrix::times(&self.columns, wrench) }
    }

    /// Sᵀ A S for a symmetric A.
    #[inline(always)]
    pub fn project_mass(&self, mass: &[[T; 6]; 6]) -> [[T; D]; D] {
        let mut rows = [[T::zero(); D]; D];
        if self.is_identity {
            for (row, line) in rows.iter_mut().zip(mass) {
                *row = resized(line);
            }
        } else {
            for (row, column) in rows.iter_mut().zip(&self.columns) {
                *row = matrix::times(&self.columns, &matrix::times(mass, column));
            }
        }
        rows
    }

    /// Smallest |r_kk| of S: zero when its columns are dependent.
    pub fn rank_margin(&self) -> T {
        let rows: [[T; D]; 6] = from_fn(|i| self.columns.map(|c| c.get(i).copied().unwrap_or(T::zero())));
        matrix::Qr::<T, 6, D>::new(&rows).margin()
    }

    /// How far constant freedoms are from being those of a joint: moving along two of them in turn, there and back, leaves
    /// the platform turned by ω_i × ω_j, and if that is no freedom the platform rolls as a ball does on a table: it comes
    /// back to the same coordinates in another pose. The largest part of (0, ω_i × ω_j) that S does not hold, zero if
    /// there is none (Frobenius). Where S changes with the pose it says nothing.
    pub fn rolling(&self) -> T {
        let rows: [[T; D]; 6] = from_fn(|i| self.columns.map(|c| c.get(i).copied().unwrap_or(T::zero())));
        let qr = matrix::Qr::<T, 6, D>::new(&rows);
        let mut worst = T::zero();
        for first in &self.columns {
            for second in &self.columns {
                let turn = |[_, _, _, a, b, c]: &[T; 6]| V3::new(*a, *b, *c);
                let V3 { x, y, z } = turn(first).cross(turn(second));
                let (_, missed) = qr.solve(&[T::zero(), T::zero(), T::zero(), x, y, z]);
                worst = T::select(missed.lt(worst), worst, missed);
            }
        }
        worst.sqrt()
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> MotionSpace<U, D> {
        MotionSpace {
            columns: self.columns.map(|c| c.map(&mut f)),
            rates: self.rates.map(|c| c.map(&mut f)),
            is_constant: self.is_constant,
            is_identity: self.is_identity,
            scales: MotionScales { length: f(self.scales.length), units: self.scales.units.map(f) },
        }
    }
}

impl<T: Real, const D: usize> MotionScales<T, D> {
    fn new(columns: &[[T; 6]; D], length: T) -> Self {
        let units = columns.map(|[x, y, z, a, b, c]| {
            let (v, w) = (V3::new(x, y, z), V3::new(a, b, c) * length);
            (v.norm_sq() + w.norm_sq()).sqrt()
        });
        Self { length, units }
    }

    /// ℓ \[m\]
    #[inline(always)]
    pub fn length(&self) -> T {
        self.length
    }

    /// √(v·v + ℓ² ω·ω) of each column of S: 1 for a translation, ℓ for a rotation.
    #[inline(always)]
    pub(crate) fn units(&self) -> &[T; D] {
        &self.units
    }

    /// |q| of motor values or of gaps between them: turns as they are, slides in units of ℓ.
    #[inline]
    pub fn motor_norm<const K: usize>(&self, kinds: &[JointKind; K], q: &[T; K]) -> T {
        let mut sum = T::zero();
        for (kind, q) in kinds.iter().zip(q) {
            let q = match kind {
                JointKind::Revolute => *q,
                JointKind::Prismatic => *q / self.length,
            };
            sum = sum + q * q;
        }
        sum.sqrt()
    }
}

/// The same numbers where both lengths are equal; zeros fill up.
#[inline(always)]
fn resized<T: Real, const A: usize, const B: usize>(from: &[T; A]) -> [T; B] {
    let mut out = [T::zero(); B];
    for (slot, value) in out.iter_mut().zip(from) {
        *slot = *value;
    }
    out
}

impl<T: Real> MotionSpace<T, 6> {
    /// All six: S = 1.
    pub fn full() -> Self {
        Self::of_components([0, 1, 2, 3, 4, 5])
    }
}

impl<T: Real> MotionSpace<T, 3> {
    /// vx, vy, vz: a platform that only translates.
    pub fn translational() -> Self {
        Self::of_components([0, 1, 2])
    }

    /// vx, vy, wz: a platform in the x-y plane.
    pub fn planar() -> Self {
        Self::of_components([0, 1, 5])
    }
}

impl<T: Real> MotionSpace<T, 2> {
    /// vx, vy: a point in the x-y plane.
    pub fn planar_point() -> Self {
        Self::of_components([0, 1])
    }
}

//! The motion space of a platform: V_P = S V_r with D ≤ 6 freedoms.

use super::matrix;
use super::spatial::Twist;
use crate::Real;
use core::array::from_fn;

/// S and, where the pose or time changes it, Ṡ \[KhalilIbrahim2007, Eq. 9, 13\].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionSpace<T, const D: usize> {
    /// The columns of S: twists at the platform's origin, linear part first.
    pub columns: [[T; 6]; D],
    /// The columns of Ṡ at this instant.
    pub rates: [[T; 6]; D],
}

impl<T: Real, const D: usize> MotionSpace<T, D> {
    /// An S that never changes.
    pub fn constant(columns: [[T; 6]; D]) -> Self {
        Self { columns, rates: [[T::zero(); 6]; D] }
    }

    /// The components with these places of (vx, vy, vz, wx, wy, wz).
    pub fn of_components(places: [usize; D]) -> Self {
        Self::constant(places.map(|place| from_fn(|i| if i == place { T::one() } else { T::zero() })))
    }

    /// V_P = S V_r (9)
    #[inline(always)]
    pub fn twist(&self, rate: &[T; D]) -> Twist<T> {
        Twist::from_vector_linear_first(matrix::transposed_times(&self.columns, rate))
    }

    /// Ṡ V_r
    #[inline(always)]
    pub fn product(&self, rate: &[T; D]) -> Twist<T> {
        Twist::from_vector_linear_first(matrix::transposed_times(&self.rates, rate))
    }

    /// Sᵀ w
    #[inline(always)]
    pub fn project(&self, wrench: &[T; 6]) -> [T; D] {
        matrix::times(&self.columns, wrench)
    }

    /// Smallest |r_kk| of S: zero when its columns are dependent.
    pub fn rank_margin(&self) -> T {
        let rows: [[T; D]; 6] = from_fn(|i| self.columns.map(|c| c.get(i).copied().unwrap_or(T::zero())));
        matrix::Qr::<T, 6, D>::new(&rows).margin()
    }

    /// Every number through `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> MotionSpace<U, D> {
        MotionSpace { columns: self.columns.map(|c| c.map(&mut f)), rates: self.rates.map(|c| c.map(&mut f)) }
    }
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

//! Orientation without a singular direction: a quaternion that need not be of unit length.

use crate::{M3, Real, V3};

/// An orientation as four numbers (w, x, y, z) of any length but zero: every
/// multiple is the same rotation, so nothing has to be normalised on the way and
/// no integrator can leave the rotation group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quaternion<T> {
    /// Cosine of half the angle, times the length.
    pub scalar: T,
    /// Axis times sine of half the angle, times the length.
    pub vector: V3<T>,
}

impl<T: Real> Quaternion<T> {
    /// From (w, x, y, z).
    #[inline(always)]
    pub fn from_array([w, x, y, z]: [T; 4]) -> Self {
        Self { scalar: w, vector: V3::new(x, y, z) }
    }

    /// (w, x, y, z)
    #[inline(always)]
    pub fn to_array(self) -> [T; 4] {
        [self.scalar, self.vector.x, self.vector.y, self.vector.z]
    }

    /// Its rotation matrix, orthogonal whatever the length:
    ///
    /// ```text
    /// R v = v + 2 ( w u × v + u × (u × v) ) / (w² + u·u)
    /// ```
    #[inline(always)]
    pub fn rotation(self) -> M3<T> {
        let (w, u) = (self.scalar, self.vector);
        let scale = T::from_f64(2.0) / (w.squared() + u.norm_sq());
        let a = u * scale; // 2u/n
        let (xx, yy, zz) = (a.x * u.x, a.y * u.y, a.z * u.z);
        let (xy, yz, zx) = (a.x * u.y, a.y * u.z, a.z * u.x);
        let wa = a * w;
        let one = T::one();
        M3::from_rows(
            V3::new(one - (yy + zz), xy - wa.z, zx + wa.y),
            V3::new(xy + wa.z, one - (zz + xx), yz - wa.x),
            V3::new(zx - wa.y, yz + wa.x, one - (xx + yy)),
        )
    }

    /// Its rate while it turns with ω in base axes: ½ (0, ω) ∘ r \[KhalilIbrahim2007, Sec. 3\].
    #[inline(always)]
    pub fn rate(self, w: V3<T>) -> Self {
        let half = w * T::from_f64(0.5);
        Self { scalar: -half.dot(self.vector), vector: half * self.scalar + half.cross(self.vector) }
    }
}

impl Quaternion<f64> {
    /// The unit quaternion of a rotation matrix, by its largest component so that no digits cancel.
    pub fn of_rotation(r: M3<f64>) -> Self {
        let (x, y, z) = (r.0.x, r.0.y, r.0.z);
        // 4 w², 4 x², 4 y², 4 z²
        let [a, b, c] = [x.x, y.y, z.z];
        let squares = [1.0 + a + b + c, 1.0 + a - b - c, 1.0 - a + b - c, 1.0 - a - b + c];
        let (turn, sum) = (
            V3::new(z.y - y.z, x.z - z.x, y.x - x.y),
            V3::new(z.y + y.z, x.z + z.x, y.x + x.y), // 4yz, 4zx, 4xy
        );
        let [w2, x2, y2, z2] = squares;
        let all = if w2 >= x2 && w2 >= y2 && w2 >= z2 {
            [w2, turn.x, turn.y, turn.z]
        } else if x2 >= y2 && x2 >= z2 {
            [turn.x, x2, sum.z, sum.y]
        } else if y2 >= z2 {
            [turn.y, sum.z, y2, sum.x]
        } else {
            [turn.z, sum.y, sum.x, z2]
        };
        Self::from_array(all).normalized()
    }

    /// The same orientation with length one and w ≥ 0.
    pub fn normalized(self) -> Self {
        let length = Real::sqrt(self.scalar * self.scalar + self.vector.norm_sq());
        let scale = if self.scalar < 0.0 { -1.0 / length } else { 1.0 / length };
        Self { scalar: self.scalar * scale, vector: self.vector * scale }
    }
}

//! Differences of orientations, and orientations from differences.

use crate::{M3, Real, V3};

/// The rotation vector of a rotation: its axis times its angle \[rad\], in \[0, π).
///
/// With v = ½ vee(R − Rᵀ) = n sin θ and cos θ = ½ (tr R − 1) it is v θ/sin θ. At half a turn the axis
/// is lost and the answer is zero.
#[inline(always)]
pub fn rotation_vector<T: Real>(rotation: M3<T>) -> V3<T> {
    let V3 { x, y, z } = rotation.0;
    let half = T::from_f64(0.5);
    let v = V3::new(z.y - y.z, x.z - z.x, y.x - x.y) * half;
    let sin = v.norm_sq().sqrt();
    let cos = (x.x + y.y + z.z - T::one()) * half;
    // Below this sin θ = θ in every digit.
    let tiny = sin.lt(T::from_f64(1e-15));
    v * T::select(tiny, T::one(), sin.atan2(cos) / sin)
}

/// The rotation by a rotation vector, e^\[v×\] = 1 + (sin θ/θ) \[v×\] + ½ (sin ½θ/½θ)² \[v×\]².
#[inline(always)]
pub fn rotation_by<T: Real>(vector: V3<T>) -> M3<T> {
    let (zero, one, half) = (T::zero(), T::one(), T::from_f64(0.5));
    let angle = vector.norm_sq().sqrt();
    // Below this sin θ = θ in every digit.
    let tiny = angle.lt(T::from_f64(1e-15));
    let share = |angle: T| T::select(tiny, one, angle.sin_cos().0 / angle);
    let (first, second) = (share(angle), half * share(angle * half).squared());
    let V3 { x, y, z } = vector;
    let cross = M3::from_rows(V3::new(zero, -z, y), V3::new(z, zero, -x), V3::new(-y, x, zero));
    let [a, b, c] = cross.to_rows().map(V3::from);
    let [d, e, f] = (cross * cross).to_rows().map(V3::from);
    let unit = M3::diagonal(V3::splat(one)).to_rows().map(V3::from);
    let [p, q, r] = unit;
    M3::from_rows(p + a * first + d * second, q + b * first + e * second, r + c * first + f * second)
}

#[cfg(test)]
mod tests {
    use super::{rotation_by, rotation_vector};
    use crate::V3;

    #[test]
    fn a_rotation_by_a_vector_has_this_vector() {
        for v in [[0.3_f64, -0.4, 1.2], [0.0, 0.0, 0.0], [1e-9, 2e-9, -1e-9], [0.0, 3.0, 0.0]] {
            let found = rotation_vector(rotation_by(V3::from(v))).to_array();
            for (a, b) in found.iter().zip(v) {
                // 1e-14: rounding of sine and cosine.
                assert!((a - b).abs() < 1e-14 * (1.0 + b.abs()), "{found:?} {v:?}");
            }
        }
    }
}

//! Differences of orientations.

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

//! Turns of frames as vectors, and small square systems.

use super::model::largest;
use legwork_core::V3;
use legwork_core::mechanism::Frame;

/// The turn from one frame to another as a vector in world axes.
pub(super) fn turn_between(from: &Frame<f64>, to: &Frame<f64>) -> V3<f64> {
    let sine = (from.x.cross(to.x) + from.y.cross(to.y) + from.z.cross(to.z)) * 0.5;
    let cosine = (from.x.dot(to.x) + from.y.dot(to.y) + from.z.dot(to.z) - 1.0) * 0.5;
    let size = sine.norm_sq().sqrt();
    if size < 1e-12 {
        return sine;
    }
    sine * (size.atan2(cosine) / size)
}

/// How fast the turn φ that is left to a goal shrinks while the frame turns with ω: from exp(φ + δφ) = exp(φ) exp(−ω δt),
///
/// ```text
/// −φ' = ω + ½ φ × ω + c φ × (φ × ω),   c = 1/θ² − (1 + cos θ)/(2 θ sin θ),   θ = |φ|
/// ```
///
/// Where some components of the rotation follow from others, φ does not go to zero with those that are asked for.
pub(super) fn turning_away(left: V3<f64>, w: V3<f64>) -> V3<f64> {
    let angle = left.norm_sq().sqrt();
    let c = if angle < 1e-3 {
        1.0 / 12.0
    } else {
        1.0 / (angle * angle) - (1.0 + angle.cos()) / (2.0 * angle * angle.sin())
    };
    let once = left.cross(w);
    w + once * 0.5 + left.cross(once) * c
}

/// A frame turned by a vector and shifted.
pub(super) fn moved(frame: &Frame<f64>, turned: V3<f64>, shift: V3<f64>) -> Frame<f64> {
    let angle = turned.norm_sq().sqrt();
    let rotate = |v: V3<f64>| {
        if angle == 0.0 {
            return v;
        }
        let axis = turned * (1.0 / angle);
        let (sin, cos) = angle.sin_cos();
        v * cos + axis.cross(v) * sin + axis * (axis.dot(v) * (1.0 - cos))
    };
    Frame { x: rotate(frame.x), y: rotate(frame.y), z: rotate(frame.z), origin: frame.origin + shift }
}

/// Solves a small square system, by rows, by elimination with partial pivoting in its place; the smallest pivot over
/// the largest entry, and the sign of the determinant, or zeros.
pub(super) fn solve_small(a: &mut [f64], b: &mut [f64]) -> (f64, f64) {
    let n = b.len();
    let size = largest(a.iter().copied());
    let (mut margin, mut sign) = (f64::INFINITY, 1.0_f64);
    for k in 0..n {
        let best = (k..n).max_by(|i, j| a[i * n + k].abs().total_cmp(&a[j * n + k].abs())).unwrap_or(k);
        if best != k {
            let (above, below) = a.split_at_mut(best * n);
            above[k * n..(k + 1) * n].swap_with_slice(&mut below[..n]);
            b.swap(k, best);
        }
        let pivot = a[k * n + k];
        if !(pivot.abs() > 0.0) {
            return (0.0, 0.0);
        }
        margin = margin.min(pivot.abs() / size);
        sign *= if best == k { pivot.signum() } else { -pivot.signum() };
        let (done, below) = a.split_at_mut((k + 1) * n);
        for (i, row) in below.chunks_exact_mut(n).enumerate() {
            let factor = row[k] / pivot;
            for (x, y) in row.iter_mut().zip(&done[k * n..]).skip(k) {
                *x -= factor * y;
            }
            b[k + 1 + i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        let sum: f64 = (k + 1..n).map(|j| a[k * n + j] * b[j]).sum();
        b[k] = (b[k] - sum) / a[k * n + k];
    }
    (margin, sign)
}

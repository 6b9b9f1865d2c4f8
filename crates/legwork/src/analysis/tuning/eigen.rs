//! Eigenvalues of small complex matrices.
//!
//! Hessenberg form by Householder reflections, then QR steps by Givens rotations with Wilkinson's shift and deflation.
//! Eigenvalues alone, so only the block that is left is touched.

use nalgebra::{Complex, DMatrix};

type C = Complex<f64>;

/// Steps for one eigenvalue; two to four are usual.
const STEPS: usize = 200;

/// The eigenvalues of a square matrix, in no order; `None` if an entry is not finite, or none is found in many steps.
pub(super) fn eigenvalues(matrix: &DMatrix<C>) -> Option<Vec<C>> {
    if matrix.iter().any(|x| !(x.re.is_finite() && x.im.is_finite())) {
        return None;
    }
    let mut h = hessenberg(matrix);
    let mut found = Vec::with_capacity(h.nrows());
    let (mut size, mut steps) = (h.nrows(), 0);
    while size > 0 {
        let last = size - 1;
        let first = block(&h, last)?;
        if first == last {
            found.push(h[(last, last)]);
            (size, steps) = (last, 0);
            continue;
        }
        if steps == STEPS {
            return None;
        }
        // Now and then another shift, where Wilkinson's goes in circles.
        let shift = if steps % 12 == 11 { exceptional(&h, last) } else { wilkinson(&h, last) };
        step(&mut h, first, last, shift);
        steps += 1;
    }
    Some(found)
}

/// Zeros below the first subdiagonal, the same eigenvalues.
fn hessenberg(matrix: &DMatrix<C>) -> DMatrix<C> {
    let (mut h, n) = (matrix.clone(), matrix.nrows());
    for k in 0..n.saturating_sub(2) {
        let mut v: Vec<C> = (k + 1..n).map(|i| h[(i, k)]).collect();
        let size = v.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        let below = v.iter().skip(1).map(Complex::norm_sqr).sum::<f64>();
        if below == 0.0 {
            continue;
        }
        // v = x + e^{j arg x₀} ‖x‖ e₀, reflected by 1 − 2 v vᴴ / ‖v‖²
        let phase = if v[0].norm() > 0.0 { v[0] / v[0].norm() } else { C::new(1.0, 0.0) };
        v[0] += phase * size;
        let square = v.iter().map(Complex::norm_sqr).sum::<f64>();
        for j in 0..n {
            let dot: C = v.iter().enumerate().map(|(i, v)| v.conj() * h[(k + 1 + i, j)]).sum();
            let share = dot * (2.0 / square);
            v.iter().enumerate().for_each(|(i, v)| h[(k + 1 + i, j)] -= v * share);
        }
        for i in 0..n {
            let dot: C = v.iter().enumerate().map(|(j, v)| h[(i, k + 1 + j)] * v).sum();
            let share = dot * (2.0 / square);
            v.iter().enumerate().for_each(|(j, v)| h[(i, k + 1 + j)] -= v.conj() * share);
        }
    }
    h
}

/// Where the block that ends at `last` begins: below it stands a zero.
fn block(h: &DMatrix<C>, last: usize) -> Option<usize> {
    for k in (1..=last).rev() {
        let around = h[(k - 1, k - 1)].norm() + h[(k, k)].norm();
        let here = h[(k, k - 1)].norm();
        if here.is_nan() {
            return None;
        }
        if here <= f64::EPSILON * around || here < f64::MIN_POSITIVE {
            return Some(k);
        }
    }
    Some(0)
}

/// The eigenvalue of the last two rows and columns that is nearer to the last entry.
fn wilkinson(h: &DMatrix<C>, last: usize) -> C {
    let (a, b) = (h[(last - 1, last - 1)], h[(last - 1, last)]);
    let (c, d) = (h[(last, last - 1)], h[(last, last)]);
    let half = (a - d) * 0.5;
    let root = (half * half + b * c).sqrt();
    // d − bc/(half ± root), with the sum that does not cancel
    let sum = if (half + root).norm() >= (half - root).norm() { half + root } else { half - root };
    if sum.norm() > 0.0 { d - b * c / sum } else { d }
}

fn exceptional(h: &DMatrix<C>, last: usize) -> C {
    h[(last, last)] + C::new(h[(last, last - 1)].norm(), 0.0)
}

/// H − σ = QR, then RQ + σ, on the block from `first` to `last`.
fn step(h: &mut DMatrix<C>, first: usize, last: usize, shift: C) {
    for k in first..=last {
        h[(k, k)] -= shift;
    }
    let mut turns = Vec::with_capacity(last - first);
    for k in first..last {
        let (x, y) = (h[(k, k)], h[(k + 1, k)]);
        let size = x.norm().hypot(y.norm());
        let (c, s) = if size > 0.0 { (x / size, y / size) } else { (C::new(1.0, 0.0), C::new(0.0, 0.0)) };
        for j in k..=last {
            let (up, down) = (h[(k, j)], h[(k + 1, j)]);
            h[(k, j)] = c.conj() * up + s.conj() * down;
            h[(k + 1, j)] = c * down - s * up;
        }
        turns.push((c, s));
    }
    for (k, (c, s)) in (first..last).zip(turns) {
        for i in first..=(k + 1).min(last) {
            let (left, right) = (h[(i, k)], h[(i, k + 1)]);
            h[(i, k)] = left * c + right * s;
            h[(i, k + 1)] = right * c.conj() - left * s.conj();
        }
    }
    for k in first..=last {
        h[(k, k)] += shift;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    /// S diag(λ) S⁻¹ has the eigenvalues that it is made of; double and zero ones among them.
    #[test]
    fn eigenvalues_that_are_known_are_found() {
        let mut random = Random::new(7);
        for n in 1..=12 {
            let mut entry = || C::new(random.normal(), random.normal());
            let wanted: Vec<C> =
                (0..n).map(|k| if k % 4 == 3 { C::new(0.0, 0.0) } else { entry() }).collect();
            let s = DMatrix::from_fn(n, n, |_, _| entry());
            let inverse = s.clone().try_inverse().unwrap();
            let matrix = &s
                * DMatrix::from_fn(n, n, |i, j| if i == j { wanted[i] } else { C::new(0.0, 0.0) })
                * inverse;
            let mut found = eigenvalues(&matrix).unwrap();
            for want in wanted {
                let near = |point: &C| (point - want).norm();
                let (place, point) =
                    found.iter().enumerate().min_by(|a, b| near(a.1).total_cmp(&near(b.1))).unwrap();
                // 1e-9: rounding, times the condition of S.
                assert!(near(point) < 1e-9, "{n}: {want} {point}");
                found.swap_remove(place);
            }
        }
    }

    /// Matrices that some methods do not end on: a cycle, a Jordan block, zeros.
    #[test]
    fn hard_matrices_end() {
        let one = |is: bool| C::new(f64::from(u8::from(is)), 0.0);
        let cycle = DMatrix::from_fn(5, 5, |i, j| one((i + 1) % 5 == j));
        assert!(eigenvalues(&cycle).unwrap().iter().all(|z| (z.norm() - 1.0).abs() < 1e-12));
        let jordan = DMatrix::from_fn(4, 4, |i, j| one(i == j || i + 1 == j));
        assert!(eigenvalues(&jordan).unwrap().iter().all(|z| (z - 1.0).norm() < 1e-12));
        assert_eq!(eigenvalues(&DMatrix::zeros(3, 3)).unwrap(), vec![one(false); 3]);
        assert!(eigenvalues(&DMatrix::from_element(2, 2, C::new(f64::NAN, 0.0))).is_none());
    }
}

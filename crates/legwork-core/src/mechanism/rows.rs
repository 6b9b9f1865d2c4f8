//! Rows in groups of four numbers.
#![allow(clippy::indexing_slicing)] // constant indices below 4, or masked to two bits

use super::memory::Group;
use crate::Real;

/// into −= factor · row
#[inline(always)]
pub(super) fn subtract<T: Real>(into: &mut [Group<T>], factor: T, row: &[Group<T>]) {
    let factor = -factor;
    for (a, b) in into.iter_mut().zip(row) {
        *a = T::four_plus(*a, factor, *b);
    }
}

/// a·b: four sums side by side, then (0 + 1) + (2 + 3)
#[inline(always)]
pub(super) fn dot<T: Real>(a: &[Group<T>], b: &[Group<T>]) -> T {
    let mut sum = [T::zero(); 4];
    for (a, b) in a.iter().zip(b) {
        sum = T::four_plus_times(sum, *a, *b);
    }
    total(sum)
}

#[inline(always)]
fn total<T: Real>([a, b, c, d]: Group<T>) -> T {
    (a + b) + (c + d)
}

/// into += factor · row, of a width that the compiler knows
#[inline(always)]
pub(super) fn add_in<T: Real, const W: usize>(into: &mut [Group<T>; W], factor: T, row: &[Group<T>; W]) {
    for k in 0..W {
        into[k] = T::four_plus(into[k], factor, row[k]);
    }
}

/// into −= factor · row, of a width that the compiler knows
#[inline(always)]
pub(super) fn subtract_in<T: Real, const W: usize>(into: &mut [Group<T>; W], factor: T, row: &[Group<T>; W]) {
    add_in(into, -factor, row);
}

/// a·b, of a width that the compiler knows
#[inline(always)]
pub(super) fn dot_in<T: Real, const W: usize>(a: &[Group<T>; W], b: &[Group<T>; W]) -> T {
    let mut sum = [T::zero(); 4];
    for k in 0..W {
        sum = if k == 0 { T::four_times(a[k], b[k]) } else { T::four_plus_times(sum, a[k], b[k]) };
    }
    total(sum)
}

/// Number k of a group.
#[inline(always)]
pub(super) fn pick<T: Copy>(group: Group<T>, k: usize) -> T {
    group[k & 3]
}

/// Number k of a row.
#[inline(always)]
pub(super) fn at<T: Real>(row: &[Group<T>], k: usize) -> T {
    row.get(k >> 2).map_or(T::zero(), |group| group[k & 3])
}

/// Sets number k of a row.
#[inline(always)]
pub(super) fn set<T: Real>(row: &mut [Group<T>], k: usize, value: T) {
    if let Some(group) = row.get_mut(k >> 2) {
        group[k & 3] = value;
    }
}

/// Solves a · x = b for a symmetric positive definite matrix by LDLᵀ in its place (lower triangle, rows of
/// length `n`); `b` becomes x. Returns the smallest pivot over the size of its diagonal entry: between zero
/// and one, and positive exactly where the matrix is positive definite.
#[inline]
pub(super) fn solve_symmetric<T: Real>(a: &mut [T], b: &mut [T]) -> T {
    let n = b.len();
    let mut margin = T::one();
    for j in 0..n {
        let Some((above, rest)) = a.split_at_mut_checked(j * n) else { return T::zero() };
        let Some((row, below)) = rest.split_at_mut_checked(n) else { return T::zero() };
        // Row j holds L_jk d_k; L_jk = that over d_k, which stands on the diagonal of row k.
        let Some(diagonal) = row.get(j).copied() else { return T::zero() };
        let mut pivot = diagonal;
        for (k, (entry, done)) in row.iter_mut().zip(above.chunks_exact(n)).enumerate() {
            let d = done.get(k).copied().unwrap_or(T::one());
            let scaled = *entry / d;
            pivot = pivot - scaled * *entry;
            *entry = scaled;
        }
        if let Some(entry) = row.get_mut(j) {
            *entry = pivot;
        }
        margin = margin.min(pivot / diagonal);
        for other in below.chunks_exact_mut(n) {
            // other_j −= Σ_k (L_ok d_k) L_jk
            let mut sum = other.get(j).copied().unwrap_or(T::zero());
            for (x, y) in other.iter().zip(row.iter()).take(j) {
                sum = sum - *x * *y;
            }
            if let Some(entry) = other.get_mut(j) {
                *entry = sum;
            }
        }
    }
    for j in 0..n {
        let Some((done, rest)) = b.split_at_mut_checked(j) else { return T::zero() };
        if let (Some(x), Some(row)) = (rest.first_mut(), a.get(j * n..)) {
            for (l, y) in row.iter().zip(done.iter()) {
                *x = *x - *l * *y;
            }
        }
    }
    for (j, x) in b.iter_mut().enumerate() {
        *x = *x / a.get(j * n + j).copied().unwrap_or(T::one());
    }
    for j in (0..n).rev() {
        let Some((before, rest)) = b.split_at_mut_checked(j) else { return T::zero() };
        let x = rest.first().copied().unwrap_or(T::zero());
        for (k, y) in before.iter_mut().enumerate() {
            *y = *y - a.get(j * n + k).copied().unwrap_or(T::zero()) * x;
        }
    }
    margin
}

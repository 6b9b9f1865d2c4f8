//! The 6×6 solvers with their loops written out.
//!
//! Step for step those of [`crate::linalg`]; only the loop counters, a third of
//! the instructions, are gone. A test holds them equal to the bit.
#![allow(clippy::indexing_slicing, clippy::needless_range_loop)] // every index is a constant below 6

use crate::{Margin, Real};

/// One reflection of column J (or of the right-hand side) by the vector in column K.
#[inline(always)]
fn reflect<T: Real, const K: usize, const J: usize>(r: &mut [[T; 6]; 6], pivot: T, beta: T) {
    let mut s = pivot * r[K][J];
    for i in K + 1..6 {
        s = s + r[i][K] * r[i][J];
    }
    s = s * beta;
    r[K][J] = r[K][J] - s * pivot;
    for i in K + 1..6 {
        r[i][J] = r[i][J] - s * r[i][K];
    }
}

/// Norm of column K from the diagonal down, and the reflection that empties it: (α, pivot, β).
#[inline(always)]
fn pivot<T: Real, const K: usize>(r: &[[T; 6]; 6]) -> (T, T, T) {
    let mut norm_sq = T::zero();
    for i in K..6 {
        norm_sq = if i == K { r[K][K] * r[K][K] } else { norm_sq + r[i][K] * r[i][K] };
    }
    let norm = norm_sq.sqrt();
    let alpha = T::select(r[K][K].lt(T::zero()), norm, -norm);
    let tail = norm_sq - alpha * r[K][K];
    (alpha, r[K][K] - alpha, T::select(T::zero().lt(tail), tail.recip(), T::zero()))
}

#[inline(always)]
fn reflect_right<T: Real, const K: usize>(r: &[[T; 6]; 6], x: &mut [T; 6], pivot: T, beta: T) {
    let mut s = pivot * x[K];
    for i in K + 1..6 {
        s = s + r[i][K] * x[i];
    }
    s = s * beta;
    x[K] = x[K] - s * pivot;
    for i in K + 1..6 {
        x[i] = x[i] - s * r[i][K];
    }
}

/// Solves `a · x = b` by Householder QR; the margin is the smallest |r_kk|.
#[inline(always)]
pub(crate) fn solve_qr6<T: Real>(a: &[[T; 6]; 6], b: &[T; 6]) -> Margin<[T; 6], T> {
    let (mut r, mut x) = (*a, *b);
    macro_rules! step {
        ($k:literal: $($j:literal)*) => {{
            let (alpha, p, beta) = pivot::<T, $k>(&r);
            $(reflect::<T, $k, $j>(&mut r, p, beta);)*
            reflect_right::<T, $k>(&r, &mut x, p, beta);
            r[$k][$k] = alpha;
        }};
    }
    step!(0: 1 2 3 4 5);
    step!(1: 2 3 4 5);
    step!(2: 3 4 5);
    step!(3: 4 5);
    step!(4: 5);
    let mut margin = r[0][0].abs();
    for k in 1..6 {
        margin = margin.min(r[k][k].abs());
    }
    macro_rules! back {
        ($($i:literal: $($j:literal)*;)*) => {$(
            $(x[$i] = x[$i] - r[$i][$j] * x[$j];)*
            x[$i] = x[$i] / r[$i][$i];
        )*};
    }
    back!(5: ; 4: 5; 3: 4 5; 2: 3 4 5; 1: 2 3 4 5; 0: 1 2 3 4 5;);
    Margin { value: x, margin }
}

/// Solves the symmetric positive definite `a · x = b` by LDLᵀ; the margin is the smallest pivot.
#[inline(always)]
pub(crate) fn solve_spd6<T: Real>(a: &[[T; 6]; 6], b: &[T; 6]) -> Margin<[T; 6], T> {
    let (mut l, mut x) = (*a, *b);
    let mut d = [T::zero(); 6];
    macro_rules! step {
        ($j:literal: $($k:literal)*; $($i:literal)*) => {{
            d[$j] = l[$j][$j];
            $(
                let scaled = l[$j][$k] * d[$k];
                d[$j] = d[$j] - l[$j][$k] * scaled;
                l[$k][$j] = scaled; // the upper half keeps L_jk d_k
            )*
            $(below::<T, $j, $i>(&mut l, d[$j].recip());)*
        }};
    }
    step!(0: ; 1 2 3 4 5);
    step!(1: 0; 2 3 4 5);
    step!(2: 0 1; 3 4 5);
    step!(3: 0 1 2; 4 5);
    step!(4: 0 1 2 3; 5);
    step!(5: 0 1 2 3 4;);
    let mut margin = d[0];
    for k in 1..6 {
        margin = margin.min(d[k]);
    }
    macro_rules! forth {
        ($($i:literal: $($k:literal)*;)*) => {$( $(x[$i] = x[$i] - l[$i][$k] * x[$k];)* )*};
    }
    forth!(1: 0; 2: 0 1; 3: 0 1 2; 4: 0 1 2 3; 5: 0 1 2 3 4;);
    for i in 0..6 {
        x[i] = x[i] / d[i];
    }
    macro_rules! back {
        ($($i:literal: $($k:literal)*;)*) => {$( $(x[$i] = x[$i] - l[$k][$i] * x[$k];)* )*};
    }
    back!(4: 5; 3: 4 5; 2: 3 4 5; 1: 2 3 4 5; 0: 1 2 3 4 5;);
    Margin { value: x, margin }
}

/// L_ij from the rows already done.
#[inline(always)]
fn below<T: Real, const J: usize, const I: usize>(l: &mut [[T; 6]; 6], r: T) {
    let mut s = l[I][J];
    for k in 0..J {
        s = s - l[I][k] * l[k][J];
    }
    l[I][J] = s * r;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::linalg::{solve_qr, solve_spd};

    /// Numbers between −1 and 1, the same on every machine.
    fn next(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*state >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    #[test]
    fn equal_to_the_loops_to_the_bit() {
        let mut seed = 7;
        for _ in 0..200 {
            let a: [[f64; 6]; 6] = core::array::from_fn(|_| core::array::from_fn(|_| next(&mut seed)));
            let b: [f64; 6] = core::array::from_fn(|_| next(&mut seed));
            assert_eq!(solve_qr6(&a, &b), solve_qr(&a, &b));
            let square: [[f64; 6]; 6] =
                core::array::from_fn(|i| core::array::from_fn(|j| (0..6).map(|k| a[k][i] * a[k][j]).sum()));
            assert_eq!(solve_spd6(&square, &b), solve_spd(&square, &b));
        }
    }
}

//! What an integrator needs of a state: that it is a list of numbers.

use crate::Real;

/// A list of numbers of fixed length: an array, or two lists in a pair.
///
/// Pairs let a state be (configuration, velocity) without a sum of lengths in
/// its type: `([T; 3], [T; 3])`, `(([T; 25], [T; 24]), [T; 2])`.
pub trait Vector<T>: Copy {
    /// How many numbers, or how many there can be.
    const LENGTH: usize;

    /// How many numbers there are.
    #[inline(always)]
    fn length(&self) -> usize {
        Self::LENGTH
    }
    /// All zero.
    fn zero() -> Self;
    /// Each number through `f`.
    #[must_use]
    fn map(&self, f: impl FnMut(T) -> T) -> Self;
    /// Two lists, number by number, through `f`.
    #[must_use]
    fn zip(&self, other: &Self, f: impl FnMut(T, T) -> T) -> Self;
    /// Adds h k.
    #[inline(always)]
    fn add_scaled(&mut self, h: T, k: &Self)
    where
        T: Real,
    {
        *self = self.zip(k, |x, k| x + h * k);
    }
    /// All numbers, in order, into one value.
    fn fold<A>(&self, start: A, f: impl FnMut(A, T) -> A) -> A;
}

impl<T: Real, const N: usize> Vector<T> for [T; N] {
    const LENGTH: usize = N;

    #[inline(always)]
    fn zero() -> Self {
        [T::zero(); N]
    }
    #[inline(always)]
    fn map(&self, mut f: impl FnMut(T) -> T) -> Self {
        let mut out = *self;
        for x in &mut out {
            *x = f(*x);
        }
        out
    }
    #[inline(always)]
    fn zip(&self, other: &Self, mut f: impl FnMut(T, T) -> T) -> Self {
        let mut out = *self;
        for (x, y) in out.iter_mut().zip(other) {
            *x = f(*x, *y);
        }
        out
    }
    #[inline(always)]
    fn fold<A>(&self, start: A, mut f: impl FnMut(A, T) -> A) -> A {
        let mut sum = start;
        for x in self {
            sum = f(sum, *x);
        }
        sum
    }
}

impl<T: Real, A: Vector<T>, B: Vector<T>> Vector<T> for (A, B) {
    const LENGTH: usize = A::LENGTH + B::LENGTH;

    #[inline(always)]
    fn length(&self) -> usize {
        self.0.length() + self.1.length()
    }
    #[inline(always)]
    fn zero() -> Self {
        (A::zero(), B::zero())
    }
    #[inline(always)]
    fn map(&self, mut f: impl FnMut(T) -> T) -> Self {
        (self.0.map(&mut f), self.1.map(&mut f))
    }
    #[inline(always)]
    fn zip(&self, other: &Self, mut f: impl FnMut(T, T) -> T) -> Self {
        (self.0.zip(&other.0, &mut f), self.1.zip(&other.1, &mut f))
    }
    #[inline(always)]
    fn add_scaled(&mut self, h: T, k: &Self) {
        self.0.add_scaled(h, &k.0);
        self.1.add_scaled(h, &k.1);
    }
    #[inline(always)]
    fn fold<C>(&self, start: C, mut f: impl FnMut(C, T) -> C) -> C {
        let half = self.0.fold(start, &mut f);
        self.1.fold(half, f)
    }
}

/// A list whose length is known at run time only, at most N: nothing is done for places
/// that are not used. Two lists of different length go together as if the shorter one ended in zeros.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct List<T, const N: usize> {
    numbers: [T; N],
    count: usize,
}

impl<T: Real, const N: usize> List<T, N> {
    /// As many zeros, N at most.
    pub fn zeros(count: usize) -> Self {
        Self { numbers: [T::zero(); N], count: if count < N { count } else { N } }
    }

    /// The numbers.
    #[inline(always)]
    pub fn as_slice(&self) -> &[T] {
        self.numbers.get(..self.count).unwrap_or(&[])
    }

    /// The numbers, to be written.
    #[inline(always)]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        self.numbers.get_mut(..self.count).unwrap_or(&mut [])
    }
}

impl<T: Real, const N: usize> Vector<T> for List<T, N> {
    const LENGTH: usize = N;

    #[inline(always)]
    fn length(&self) -> usize {
        self.count
    }
    #[inline(always)]
    fn zero() -> Self {
        Self::zeros(0)
    }
    #[inline(always)]
    fn map(&self, mut f: impl FnMut(T) -> T) -> Self {
        let mut out = *self;
        for x in out.as_mut_slice() {
            *x = f(*x);
        }
        out
    }
    #[inline(always)]
    fn zip(&self, other: &Self, mut f: impl FnMut(T, T) -> T) -> Self {
        let mut out = *self; // beyond its count a list is zero
        out.count = self.count.max(other.count);
        for (x, y) in out.as_mut_slice().iter_mut().zip(&other.numbers) {
            *x = f(*x, *y);
        }
        out
    }
    #[inline(always)]
    fn add_scaled(&mut self, h: T, k: &Self) {
        self.count = self.count.max(k.count); // beyond its count a list is zero
        add_scaled(self.as_mut_slice(), h, &k.numbers);
    }
    #[inline(always)]
    fn fold<A>(&self, start: A, f: impl FnMut(A, T) -> A) -> A {
        self.as_slice().iter().copied().fold(start, f)
    }
}

/// Adds h k to x. One step of an integrator asks for it thirty times: a loop that is compiled once for all lengths.
#[inline(never)]
fn add_scaled<T: Real>(x: &mut [T], h: T, k: &[T]) {
    for (x, k) in x.iter_mut().zip(k) {
        *x = *x + h * *k;
    }
}

/// x + h k
#[inline(always)]
pub(super) fn stepped<T: Real, V: Vector<T>>(x: &V, h: T, k: &V) -> V {
    let mut out = *x;
    out.add_scaled(h, k);
    out
}

/// a + b
#[inline(always)]
pub(super) fn plus<T: Real, V: Vector<T>>(a: &V, b: &V) -> V {
    a.zip(b, |a, b| a + b)
}

/// Whether every number is finite.
pub(super) fn finite<V: Vector<f64>>(x: &V) -> bool {
    x.fold(true, |all, x| all && x.is_finite())
}

/// Place, from 0, and value of the first number that is not finite.
pub fn not_finite<V: Vector<f64>>(x: &V) -> Option<(usize, f64)> {
    let mut place = 0;
    x.fold(None, |found, x| {
        place += 1;
        if found.is_none() && !x.is_finite() { Some((place - 1, x)) } else { found }
    })
}

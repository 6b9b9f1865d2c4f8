//! The linear algebra of the core: small, branch-free, on arrays.
//!
//! Library decompositions search for pivots, so they fit neither lanes nor
//! traces. These do: every step is arithmetic, and each solver returns the
//! smallest pivot as the margin of its answer.

use crate::{Margin, Real};
use core::ops::{Add, Mul, Neg, Sub};

/// A vector of three components.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct V3<T> {
    /// First component.
    pub x: T,
    /// Second component.
    pub y: T,
    /// Third component.
    pub z: T,
}

impl<T> V3<T> {
    /// From components.
    #[inline(always)]
    pub const fn new(x: T, y: T, z: T) -> Self {
        Self { x, y, z }
    }

    /// Each component through `f`.
    #[inline(always)]
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> V3<U> {
        V3 { x: f(self.x), y: f(self.y), z: f(self.z) }
    }

    /// Two vectors, component by component, through `f`.
    #[inline(always)]
    pub fn zip<U, W>(self, other: V3<U>, mut f: impl FnMut(T, U) -> W) -> V3<W> {
        V3 { x: f(self.x, other.x), y: f(self.y, other.y), z: f(self.z, other.z) }
    }

    /// As an array.
    #[inline(always)]
    pub fn to_array(self) -> [T; 3] {
        [self.x, self.y, self.z]
    }
}

impl<A: Copy> V3<A> {
    /// (a, a, a)
    #[inline(always)]
    pub fn splat(a: A) -> Self {
        Self { x: a, y: a, z: a }
    }
}

impl<T> From<[T; 3]> for V3<T> {
    #[inline(always)]
    fn from([x, y, z]: [T; 3]) -> Self {
        Self { x, y, z }
    }
}

impl<T> From<V3<T>> for [T; 3] {
    #[inline(always)]
    fn from(v: V3<T>) -> Self {
        v.to_array()
    }
}

impl<T: Real> V3<T> {
    /// (0, 0, 0)
    #[inline(always)]
    pub fn zero() -> Self {
        Self::splat(T::zero())
    }

    /// (0, 0, s)
    #[inline(always)]
    pub fn along_z(s: T) -> Self {
        Self::new(T::zero(), T::zero(), s)
    }

    /// Scalar product.
    #[inline(always)]
    pub fn dot(self, o: Self) -> T {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product.
    #[inline(always)]
    pub fn cross(self, o: Self) -> Self {
        Self::new(self.y * o.z - self.z * o.y, self.z * o.x - self.x * o.z, self.x * o.y - self.y * o.x)
    }

    /// Component by component product.
    #[inline(always)]
    pub fn scale(self, o: Self) -> Self {
        self.zip(o, |a, b| a * b)
    }

    /// Squared length.
    #[inline(always)]
    pub fn norm_sq(self) -> T {
        self.dot(self)
    }

    /// x + y + z
    #[inline(always)]
    pub fn sum(self) -> T {
        self.x + self.y + self.z
    }

    /// Smallest component.
    #[inline(always)]
    pub fn min(self) -> T {
        self.x.min(self.y).min(self.z)
    }
}

impl<T: Real> Add for V3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        self.zip(o, |a, b| a + b)
    }
}

impl<T: Real> Sub for V3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        self.zip(o, |a, b| a - b)
    }
}

impl<T: Real> Neg for V3<T> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        self.map(|a| -a)
    }
}

impl<T: Real> Mul<T> for V3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        self.map(|a| a * s)
    }
}

/// A 3×3 matrix, stored as its rows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct M3<T>(pub V3<V3<T>>);

impl<T: Real> M3<T> {
    /// From rows.
    #[inline(always)]
    pub fn from_rows(x: V3<T>, y: V3<T>, z: V3<T>) -> Self {
        Self(V3::new(x, y, z))
    }

    /// From columns.
    #[inline(always)]
    pub fn from_columns(x: V3<T>, y: V3<T>, z: V3<T>) -> Self {
        Self::from_rows(x, y, z).transpose()
    }

    /// Diagonal matrix.
    #[inline(always)]
    pub fn diagonal(d: V3<T>) -> Self {
        let o = T::zero();
        Self::from_rows(V3::new(d.x, o, o), V3::new(o, d.y, o), V3::new(o, o, d.z))
    }

    /// Zero matrix.
    #[inline(always)]
    pub fn zero() -> Self {
        Self::diagonal(V3::zero())
    }

    /// a bᵀ
    #[inline(always)]
    pub fn outer(a: V3<T>, b: V3<T>) -> Self {
        Self(a.map(|s| b * s))
    }

    /// Rotation about z by the angle with this cosine and sine.
    #[inline(always)]
    pub fn rotation_z(cos: T, sin: T) -> Self {
        let (o, l) = (T::zero(), T::one());
        Self::from_rows(V3::new(cos, -sin, o), V3::new(sin, cos, o), V3::new(o, o, l))
    }

    /// Mᵀ
    #[inline(always)]
    pub fn transpose(self) -> Self {
        let V3 { x, y, z } = self.0;
        Self::from_rows(V3::new(x.x, y.x, z.x), V3::new(x.y, y.y, z.y), V3::new(x.z, y.z, z.z))
    }

    /// The columns.
    #[inline(always)]
    pub fn columns(self) -> V3<V3<T>> {
        self.transpose().0
    }

    /// Determinant.
    #[inline(always)]
    pub fn det(self) -> T {
        self.0.x.dot(self.0.y.cross(self.0.z))
    }

    /// M⁻¹ by cofactors; the margin is |det M|.
    #[inline(always)]
    pub fn inverse(self) -> Margin<Self, T> {
        let V3 { x, y, z } = self.0;
        let n = V3::new(y.cross(z), z.cross(x), x.cross(y));
        let det = x.dot(n.x);
        let r = det.recip();
        Margin { value: Self(n.map(|c| c * r)).transpose(), margin: det.abs() }
    }

    /// Rows as arrays.
    #[inline(always)]
    pub fn to_rows(self) -> [[T; 3]; 3] {
        self.0.map(V3::to_array).to_array()
    }
}

impl<T: Real> Add for M3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self(self.0.zip(o.0, |a, b| a + b))
    }
}

impl<T: Real> Sub for M3<T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self(self.0.zip(o.0, |a, b| a - b))
    }
}

impl<T: Real> Mul<T> for M3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self(self.0.map(|row| row * s))
    }
}

impl<T: Real> Mul<V3<T>> for M3<T> {
    type Output = V3<T>;
    #[inline(always)]
    fn mul(self, v: V3<T>) -> V3<T> {
        self.0.map(|row| row.dot(v))
    }
}

impl<T: Real> Mul for M3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        let columns = o.columns();
        Self(self.0.map(|row| columns.map(|column| row.dot(column))))
    }
}

/// Symmetric 3×3 matrix: six numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sym3<T> {
    /// (xx, yy, zz)
    pub diagonal: V3<T>,
    /// (yz, zx, xy): the entry opposite to x, y, z.
    pub off: V3<T>,
}

impl<T: Real> Sym3<T> {
    /// s·1
    #[inline(always)]
    pub fn scalar(s: T) -> Self {
        Self { diagonal: V3::splat(s), off: V3::zero() }
    }

    /// (a bᵀ + b aᵀ) / 2; with b = a the dyad a aᵀ.
    #[inline(always)]
    pub fn symmetrized(a: V3<T>, b: V3<T>) -> Self {
        let half = T::from_f64(0.5);
        Self {
            diagonal: a.scale(b),
            off: V3::new(
                (a.y * b.z + a.z * b.y) * half,
                (a.z * b.x + a.x * b.z) * half,
                (a.x * b.y + a.y * b.x) * half,
            ),
        }
    }

    /// The full matrix.
    #[inline(always)]
    pub fn to_matrix(self) -> M3<T> {
        let (d, o) = (self.diagonal, self.off);
        M3::from_rows(V3::new(d.x, o.z, o.y), V3::new(o.z, d.y, o.x), V3::new(o.y, o.x, d.z))
    }

    /// Solves `self · y = b` by LDLᵀ; the margin is the smallest pivot,
    /// positive exactly when the matrix is positive definite.
    #[inline(always)]
    pub fn solve(self, b: V3<T>) -> Margin<V3<T>, T> {
        let (d, o) = (self.diagonal, self.off);
        let r0 = d.x.recip();
        let (l1, l2) = (o.z * r0, o.y * r0); // L21, L31
        let p1 = d.y - l1 * o.z;
        let r1 = p1.recip();
        let e = o.x - l2 * o.z;
        let l3 = e * r1; // L32
        let p2 = d.z - l2 * o.y - l3 * e;
        let y1 = b.y - l1 * b.x;
        let z = (b.z - l2 * b.x - l3 * y1) / p2;
        let y = y1 * r1 - l3 * z;
        let x = b.x * r0 - l1 * y - l2 * z;
        Margin { value: V3::new(x, y, z), margin: d.x.min(p1).min(p2) }
    }
}

impl<T: Real> Add for Sym3<T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self { diagonal: self.diagonal + o.diagonal, off: self.off + o.off }
    }
}

impl<T: Real> Mul<T> for Sym3<T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, s: T) -> Self {
        Self { diagonal: self.diagonal * s, off: self.off * s }
    }
}

impl<T: Real> Mul<V3<T>> for Sym3<T> {
    type Output = V3<T>;
    #[inline(always)]
    fn mul(self, v: V3<T>) -> V3<T> {
        self.to_matrix() * v
    }
}

/// Solves the symmetric positive definite system `a · x = b` by LDLᵀ.
///
/// The margin is the smallest pivot. Only the lower triangle of `a` is read.
/// Every index below is bounded by `N`, which the compiler sees: the panic-free
/// link check (`ci.sh no-std`) proves it.
#[allow(clippy::indexing_slicing, clippy::needless_range_loop)]
#[inline(always)]
pub fn solve_spd<T: Real, const N: usize>(a: &[[T; N]; N], b: &[T; N]) -> Margin<[T; N], T> {
    let mut l = *a; // strictly lower part becomes L
    let mut d = [T::zero(); N]; // pivots
    let mut x = *b;
    let mut margin = T::zero();
    for j in 0..N {
        let mut pivot = l[j][j];
        let mut ld = [T::zero(); N]; // L_jk d_k
        for k in 0..j {
            ld[k] = l[j][k] * d[k];
            pivot = pivot - l[j][k] * ld[k];
        }
        d[j] = pivot;
        margin = if j == 0 { pivot } else { margin.min(pivot) };
        let r = pivot.recip();
        for i in j + 1..N {
            let mut s = l[i][j];
            for k in 0..j {
                s = s - l[i][k] * ld[k];
            }
            l[i][j] = s * r;
        }
    }
    for i in 0..N {
        for k in 0..i {
            x[i] = x[i] - l[i][k] * x[k];
        }
    }
    for i in 0..N {
        x[i] = x[i] / d[i];
    }
    for i in (0..N).rev() {
        for k in i + 1..N {
            x[i] = x[i] - l[k][i] * x[k];
        }
    }
    Margin { value: x, margin }
}

/// Solves the square system `a · x = b` by Householder QR.
///
/// The margin is the smallest |r_kk|: zero exactly when `a` is singular.
/// The last column is not reflected (R_nn keeps its sign). Indices are bounded
/// by `N`, see [`solve_spd`].
#[allow(clippy::indexing_slicing, clippy::needless_range_loop)]
#[inline(always)]
pub fn solve_qr<T: Real, const N: usize>(a: &[[T; N]; N], b: &[T; N]) -> Margin<[T; N], T> {
    let mut r = *a;
    let mut x = *b;
    let mut margin = T::zero();
    for k in 0..N {
        if k + 1 < N {
            let mut norm_sq = T::zero();
            for i in k..N {
                norm_sq = norm_sq + r[i][k] * r[i][k];
            }
            let norm = norm_sq.sqrt();
            let alpha = T::select(r[k][k].lt(T::zero()), norm, -norm);
            // v = column − α e_k, scaled so that vᵀv = 2 β⁻¹ with β = 1/(norm² − α r_kk).
            let pivot = r[k][k] - alpha;
            let tail = norm_sq - alpha * r[k][k];
            let beta = T::select(T::zero().lt(tail), tail.recip(), T::zero());
            for j in k + 1..N {
                let mut s = pivot * r[k][j];
                for i in k + 1..N {
                    s = s + r[i][k] * r[i][j];
                }
                s = s * beta;
                r[k][j] = r[k][j] - s * pivot;
                for i in k + 1..N {
                    r[i][j] = r[i][j] - s * r[i][k];
                }
            }
            let mut s = pivot * x[k];
            for i in k + 1..N {
                s = s + r[i][k] * x[i];
            }
            s = s * beta;
            x[k] = x[k] - s * pivot;
            for i in k + 1..N {
                x[i] = x[i] - s * r[i][k];
            }
            r[k][k] = alpha;
        }
        let size = r[k][k].abs();
        margin = if k == 0 { size } else { margin.min(size) };
    }
    for i in (0..N).rev() {
        for j in i + 1..N {
            x[i] = x[i] - r[i][j] * x[j];
        }
        x[i] = x[i] / r[i][i];
    }
    Margin { value: x, margin }
}

/// Singular values of a 3×3 matrix, largest first.
pub fn singular_values<T: Real>(m: M3<T>) -> V3<T> {
    column_singular_values(&m.columns().to_array().map(V3::to_array)).into()
}

/// Singular values of the matrix with these N columns, largest first, by
/// one-sided Jacobi rotations.
///
/// A fixed number of sweeps over all pairs of columns, because convergence is
/// quadratic and lanes cannot stop early: six for three columns (five were
/// enough for every matrix tried), one more for each further column.
#[allow(clippy::indexing_slicing)] // indices are bounded by N
pub fn column_singular_values<T: Real, const M: usize, const N: usize>(columns: &[[T; M]; N]) -> [T; N] {
    let mut c = *columns;
    for _ in 0..3 + N {
        for i in 0..N {
            for j in i + 1..N {
                (c[i], c[j]) = orthogonalized(c[i], c[j]);
            }
        }
    }
    let mut sigma = c.map(|column| dot(&column, &column));
    // Bubble sort: as many passes as columns, no test to stop.
    for _ in 0..N {
        for i in 1..N {
            (sigma[i - 1], sigma[i]) = descending(sigma[i - 1], sigma[i]);
        }
    }
    sigma.map(T::sqrt)
}

#[inline(always)]
fn dot<T: Real, const M: usize>(a: &[T; M], b: &[T; M]) -> T {
    a.iter().zip(b).fold(T::zero(), |sum, (x, y)| sum + *x * *y)
}

/// Rotates two columns in their plane so that they become orthogonal.
#[inline(always)]
#[allow(clippy::indexing_slicing)] // indices are bounded by M
fn orthogonalized<T: Real, const M: usize>(x: [T; M], y: [T; M]) -> ([T; M], [T; M]) {
    let (alpha, beta, gamma) = (dot(&x, &x), dot(&y, &y), dot(&x, &y));
    let difference = beta - alpha;
    let twice = gamma + gamma;
    // tan θ = 2γ / (d + sign(d) √(d² + 4γ²)), the smaller root; 0 where the columns are orthogonal already.
    let root = (difference.squared() + twice.squared()).sqrt();
    let denominator = T::select(difference.lt(T::zero()), difference - root, difference + root);
    let tan = T::select(T::zero().lt(denominator.abs()), twice / denominator, T::zero());
    let cos = (T::one() + tan.squared()).sqrt().recip();
    let sin = tan * cos;
    let turned = |k: usize| (x[k] * cos - y[k] * sin, x[k] * sin + y[k] * cos);
    (core::array::from_fn(|k| turned(k).0), core::array::from_fn(|k| turned(k).1))
}

#[inline(always)]
fn descending<T: Real>(a: T, b: T) -> (T, T) {
    let swap = a.lt(b);
    (T::select(swap, b, a), T::select(swap, a, b))
}

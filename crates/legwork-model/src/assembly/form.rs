//! The quadratic forms of legs in Study coordinates.
//!
//! The unknown is x = (e, g), two quaternions up to a common complex factor; the pose is R = R(e)/(e·e) and
//! t = vec(g ē)/(e·e), so g = t e. A vector in a product is a pure quaternion, a dot the bilinear product of
//! four components:
//!
//! ```text
//! (1) Study condition                       e·g = 0
//! (2) platform point a on a sphere (b, L)   g·g + 2 g·(e a − b e) + 2 e·(b e a) + (|a|² + |b|² − L²) e·e = 0
//! (3) platform point a on a plane n·p = δ   g·(n e) − e·(n e a) − δ e·e = 0
//! (4) base point b in a face n·p = δ        −g·(e n) − e·(b e n) − δ e·e = 0
//! (5) common shape                          κ g·g + gᵀ B e + eᵀ A e,   B antisymmetric, A symmetric
//! ```
//!
//! In the 17 numbers of (5) every leg is linear \[GalletNawratilSchicho2014\]; that the six-dimensional variety of poses
//! has degree 40 there is the bound 40 on the number of postures \[RongaVust1992, Mourrain1993, Wampler1996\].

use super::complex::{Complex, Vector, complex, norm_sq};
use super::double::Double;

/// κ, then B above the diagonal, then A on and above it.
pub(super) const TERMS: usize = 17;
/// Where the diagonal of A stands.
pub(super) const DIAGONAL: [usize; 4] = [7, 11, 14, 16];
/// Where the entries of A off the diagonal stand.
const OFF_DIAGONAL: [usize; 6] = [8, 9, 10, 12, 13, 15];

/// One form (5).
pub(super) type Form = Vector<TERMS>;

/// A point of Study's quadric: e, then g.
pub(super) type Study = Vector<8>;

/// What a leg with locked motors asks of the platform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Constraint {
    /// A point of the platform on a sphere (2).
    Sphere {
        /// In the platform's frame \[m\].
        point: [f64; 3],
        /// In the base's frame \[m\].
        center: [f64; 3],
        /// L \[m\]
        radius: f64,
    },
    /// A point of the platform in a plane of the base (3).
    Plane {
        /// In the platform's frame \[m\].
        point: [f64; 3],
        /// Unit normal in the base's frame.
        normal: [f64; 3],
        /// δ \[m\]
        distance: f64,
    },
    /// A point of the base in a face of the platform (4).
    Face {
        /// In the base's frame \[m\].
        point: [f64; 3],
        /// Unit normal in the platform's frame.
        normal: [f64; 3],
        /// δ \[m\]
        distance: f64,
    },
}

type Matrix = [[Double; 4]; 4];

/// The matrix of e ↦ v e.
fn left([x, y, z]: [Double; 3]) -> Matrix {
    let o = Double::ZERO;
    [[o, -x, -y, -z], [x, o, -z, y], [y, z, o, -x], [z, -y, x, o]]
}

/// The matrix of e ↦ e v.
fn right([x, y, z]: [Double; 3]) -> Matrix {
    let o = Double::ZERO;
    [[o, -x, -y, -z], [x, o, z, -y], [y, -z, o, x], [z, y, -x, o]]
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    let entry = |i: usize, j: usize| (0..4).fold(Double::ZERO, |sum, k| sum + a[i][k] * b[k][j]);
    std::array::from_fn(|i| std::array::from_fn(|j| entry(i, j)))
}

fn squared(v: [Double; 3]) -> Double {
    v[0] * v[0] + v[1] * v[1] + v[2] * v[2]
}

/// A form with real coefficients in double-double: as exact as the numbers of the robot allow.
pub(super) type ExactForm = [Double; TERMS];

fn packed(
    kappa: Double,
    b: impl Fn(usize, usize) -> Double,
    a: impl Fn(usize, usize) -> Double,
) -> ExactForm {
    let mut form = [Double::ZERO; TERMS];
    form[0] = kappa;
    let mut k = 1;
    for i in 0..4 {
        for j in i + 1..4 {
            form[k] = b(i, j);
            k += 1;
        }
    }
    for i in 0..4 {
        for j in i..4 {
            form[k] = a(i, j);
            k += 1;
        }
    }
    form
}

/// Where the origins are put and what lengths are divided by, a power of two: then no digit is lost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    /// In the base's frame \[m\].
    pub base: [f64; 3],
    /// In the platform's frame \[m\].
    pub platform: [f64; 3],
    /// \[m\]
    pub length: f64,
}

fn mean(points: &[[f64; 3]]) -> [f64; 3] {
    let count = points.len().max(1) as f64;
    std::array::from_fn(|k| points.iter().map(|p| p[k]).sum::<f64>() / count)
}

impl Scale {
    /// Origins at the middle of the points, and the power of two next to the root mean square of all lengths.
    pub fn of(constraints: &[Constraint]) -> Self {
        let (mut base, mut platform) = (Vec::new(), Vec::new());
        for constraint in constraints {
            match constraint {
                Constraint::Sphere { point, center, .. } => {
                    platform.push(*point);
                    base.push(*center);
                }
                Constraint::Plane { point, .. } => platform.push(*point),
                Constraint::Face { point, .. } => base.push(*point),
            }
        }
        let mut scale = Self { base: mean(&base), platform: mean(&platform), length: 1.0 };
        let away = |p: &[f64; 3], from: &[f64; 3]| (0..3).map(|k| (p[k] - from[k]).powi(2)).sum::<f64>();
        let mut squares: Vec<f64> = base.iter().map(|p| away(p, &scale.base)).collect();
        squares.extend(platform.iter().map(|p| away(p, &scale.platform)));
        for constraint in constraints {
            match constraint {
                Constraint::Sphere { radius, .. } => squares.push(radius * radius),
                Constraint::Plane { normal, distance, .. } => {
                    let shift = distance - (0..3).map(|k| normal[k] * scale.base[k]).sum::<f64>();
                    squares.push(shift * shift);
                }
                Constraint::Face { normal, distance, .. } => {
                    let shift = distance - (0..3).map(|k| normal[k] * scale.platform[k]).sum::<f64>();
                    squares.push(shift * shift);
                }
            }
        }
        let mean_square = squares.iter().sum::<f64>() / squares.len().max(1) as f64;
        let exponent = (0.5 * mean_square.log2()).round().clamp(-1000.0, 1000.0);
        if exponent.is_finite() {
            scale.length = exponent.exp2();
        }
        scale
    }

    fn vector(&self, p: &[f64; 3], from: &[f64; 3]) -> [Double; 3] {
        std::array::from_fn(|k| Double::difference(p[k], from[k]).scaled(1.0 / self.length))
    }

    fn plane(&self, normal: &[f64; 3], distance: f64, from: &[f64; 3]) -> ([Double; 3], Double) {
        let shift = (0..3).fold(Double::of(distance), |sum, k| sum - Double::product(normal[k], from[k]));
        (normal.map(Double::of), shift.scaled(1.0 / self.length))
    }
}

impl Constraint {
    /// Whether another constraint differs in its length alone.
    pub fn has_geometry_of(&self, other: &Self) -> bool {
        match (self, other) {
            (
                Self::Sphere { point, center, .. },
                Self::Sphere { point: other_point, center: other_center, .. },
            ) => (point, center) == (other_point, other_center),
            (
                Self::Plane { point, normal, .. },
                Self::Plane { point: other_point, normal: other_normal, .. },
            )
            | (
                Self::Face { point, normal, .. },
                Self::Face { point: other_point, normal: other_normal, .. },
            ) => (point, normal) == (other_point, other_normal),
            _ => false,
        }
    }

    /// The same with base and platform exchanged.
    #[must_use]
    pub fn exchanged(&self) -> Self {
        match *self {
            Self::Sphere { point, center, radius } => Self::Sphere { point: center, center: point, radius },
            Self::Plane { point, normal, distance } => Self::Face { point, normal, distance },
            Self::Face { point, normal, distance } => Self::Plane { point, normal, distance },
        }
    }

    /// How far a pose misses it \[m\].
    pub fn gap(&self, position: &[f64; 3], rotation: &[[f64; 3]; 3]) -> f64 {
        let of = |p: &[f64; 3]| -> [f64; 3] {
            std::array::from_fn(|i| position[i] + (0..3).map(|j| rotation[i][j] * p[j]).sum::<f64>())
        };
        match self {
            Self::Sphere { point, center, radius } => {
                let p = of(point);
                (0..3).map(|k| (p[k] - center[k]).powi(2)).sum::<f64>().sqrt() - radius
            }
            Self::Plane { point, normal, distance } => {
                let p = of(point);
                (0..3).map(|k| p[k] * normal[k]).sum::<f64>() - distance
            }
            Self::Face { point, normal, distance } => {
                let turned: [f64; 3] =
                    std::array::from_fn(|i| (0..3).map(|j| rotation[i][j] * normal[j]).sum());
                (0..3).map(|k| (point[k] - position[k]) * turned[k]).sum::<f64>() - distance
            }
        }
    }

    /// More than the sizes of all products that the coefficients of the form are summed of, added up.
    pub(super) fn magnitude(&self, scale: &Scale) -> f64 {
        let length = |v: [Double; 3]| v.iter().map(|x| x.value().abs()).sum::<f64>();
        let size = match self {
            Self::Sphere { point, center, radius } => {
                length(scale.vector(point, &scale.platform))
                    + length(scale.vector(center, &scale.base))
                    + radius / scale.length
            }
            Self::Plane { point, normal, distance } => {
                let origin = normal.iter().zip(scale.base).map(|(n, p)| (n * p).abs()).sum::<f64>();
                length(scale.vector(point, &scale.platform)) + (distance.abs() + origin) / scale.length
            }
            Self::Face { point, normal, distance } => {
                let origin = normal.iter().zip(scale.platform).map(|(n, p)| (n * p).abs()).sum::<f64>();
                length(scale.vector(point, &scale.base)) + (distance.abs() + origin) / scale.length
            }
        };
        16.0 * (1.0 + size) * (1.0 + size)
    }

    /// The form of this constraint.
    pub(super) fn form(&self, scale: &Scale) -> ExactForm {
        match self {
            Self::Sphere { point, center, radius } => {
                let a = scale.vector(point, &scale.platform);
                let b = scale.vector(center, &scale.base);
                let length = Double::of(radius / scale.length);
                let (right_a, left_b) = (right(a), left(b));
                let mixed = product(&left_b, &right_a);
                let own = squared(a) + squared(b) - length * length;
                let at = |i: usize, j: usize| if i == j { own } else { Double::ZERO };
                packed(
                    Double::of(1.0),
                    |i, j| (right_a[i][j] - left_b[i][j]).scaled(2.0),
                    |i, j| mixed[i][j].scaled(2.0) + at(i, j),
                )
            }
            Self::Plane { point, normal, distance } => {
                let a = scale.vector(point, &scale.platform);
                let (n, delta) = scale.plane(normal, *distance, &scale.base);
                let left_n = left(n);
                let mixed = product(&left_n, &right(a));
                let at = |i: usize, j: usize| if i == j { delta } else { Double::ZERO };
                packed(Double::ZERO, |i, j| left_n[i][j], |i, j| -mixed[i][j] - at(i, j))
            }
            Self::Face { point, normal, distance } => {
                let b = scale.vector(point, &scale.base);
                let (n, delta) = scale.plane(normal, *distance, &scale.platform);
                let right_n = right(n);
                let mixed = product(&left(b), &right_n);
                let at = |i: usize, j: usize| if i == j { delta } else { Double::ZERO };
                packed(Double::ZERO, |i, j| -right_n[i][j], |i, j| -mixed[i][j] - at(i, j))
            }
        }
    }
}

/// The form rounded to f64.
pub(super) fn rounded(form: &ExactForm) -> Form {
    form.map(|x| complex(x.value(), 0.0))
}

/// The Jacobian row of a form: linear in x, and the value is half of row times x.
#[inline(always)]
pub(super) fn row(form: &Form, x: &Study) -> Study {
    let [e0, e1, e2, e3, g0, g1, g2, g3] = *x;
    let [k, b01, b02, b03, b12, b13, b23, a00, a01, a02, a03, a11, a12, a13, a22, a23, a33] = *form;
    let k = k.scaled(2.0);
    let two = |z: Complex| z.scaled(2.0);
    [
        two(a00 * e0 + a01 * e1 + a02 * e2 + a03 * e3) - (b01 * g1 + b02 * g2 + b03 * g3),
        two(a01 * e0 + a11 * e1 + a12 * e2 + a13 * e3) + (b01 * g0 - b12 * g2 - b13 * g3),
        two(a02 * e0 + a12 * e1 + a22 * e2 + a23 * e3) + (b02 * g0 + b12 * g1 - b23 * g3),
        two(a03 * e0 + a13 * e1 + a23 * e2 + a33 * e3) + (b03 * g0 + b13 * g1 + b23 * g2),
        k * g0 + b01 * e1 + b02 * e2 + b03 * e3,
        k * g1 - b01 * e0 + b12 * e2 + b13 * e3,
        k * g2 - b02 * e0 - b12 * e1 + b23 * e3,
        k * g3 - b03 * e0 - b13 * e1 - b23 * e2,
    ]
}

/// The row of the Study condition (1).
#[inline(always)]
pub(super) fn study_row(x: &Study) -> Study {
    let [e0, e1, e2, e3, g0, g1, g2, g3] = *x;
    [g0, g1, g2, g3, e0, e1, e2, e3]
}

/// The square of the length of a form as a vector; what stands off the diagonal of A counts twice.
pub(super) fn form_norm_sq(form: &Form) -> f64 {
    norm_sq(form) + OFF_DIAGONAL.iter().map(|k| form[*k].norm_sq()).sum::<f64>()
}

/// ⟨a, b⟩ of two forms, conjugate in the first.
pub(super) fn form_dot(a: &Form, b: &Form) -> Complex {
    let product = |k: usize| a[k].conj() * b[k];
    let all = (0..TERMS).fold(Complex::ZERO, |sum, k| sum + product(k));
    OFF_DIAGONAL.iter().fold(all, |sum, k| sum + product(*k))
}

/// Frobenius norm of the second derivative of a form: 2κ on g, B between e and g twice, 2A on e.
pub(super) fn curvature_sq(form: &Form) -> f64 {
    let kappa = 16.0 * form[0].norm_sq();
    let b = 4.0 * norm_sq(&form[1..7]);
    let a = 4.0 * (norm_sq(&form[7..]) + OFF_DIAGONAL.iter().map(|k| form[*k].norm_sq()).sum::<f64>());
    kappa + b + a
}

//! The certificate of one solution, with every rounding bounded.
//!
//! F has the original forms of the legs, the Study condition and a patch; it is quadratic. With a matrix M near the
//! inverse of F'(x), Newton–Kantorovich in its form for an approximate inverse \[Rump2010\] says:
//!
//! ```text
//! (1) Y = |M F(x)|,   Z = ‖1 − M F'(x)‖,   W = ‖M‖ ‖F''‖                   all bounded from above
//! (2) Y − (1 − Z) r + W r²/2 ≤ 0   ⟹   exactly one solution within r
//! ```
//!
//! The least such r is the radius of existence, the largest that of uniqueness. F(x) is evaluated in double-double with
//! a bound on what is off; the other two in f64 with the usual bound of a sum of n products, n u times the sizes.

use super::complex::{Complex, Lu, complex, dot, minus, norm, norm_sq};
use super::double::Double;
use super::form::{Constraint, ExactForm, Form, Scale, Study, curvature_sq, rounded, row, study_row};

/// The original equations of six legs.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    forms: [ExactForm; 6],
    rounded: [Form; 6],
    /// More than the sizes of all products in a residual, added up.
    magnitudes: [f64; 6],
    /// ‖F''‖, bounded from above.
    curvature: f64,
}

/// A solution and how certain it is. Its length is 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Certified {
    pub x: Study,
    /// There is a solution within this distance,
    pub existence: f64,
    /// and only one within this.
    pub uniqueness: f64,
    /// Whether it is its own conjugate.
    pub is_real: bool,
}

/// More than the rounding of any sum of products here: 400 u. The longest has 8 complex products of numbers that are
/// themselves sums of 16; the bound of complex arithmetic is below 4 u for each.
const ROUNDING: f64 = 400.0 * f64::EPSILON / 2.0;

type ComplexDouble = (Double, Double);

fn product(a: ComplexDouble, b: ComplexDouble) -> ComplexDouble {
    (a.0 * b.0 - a.1 * b.1, a.0 * b.1 + a.1 * b.0)
}

fn sum(a: ComplexDouble, b: ComplexDouble) -> ComplexDouble {
    (a.0 + b.0, a.1 + b.1)
}

fn scaled(a: ComplexDouble, factor: Double) -> ComplexDouble {
    (a.0 * factor, a.1 * factor)
}

/// The products of coordinates that the 17 terms of a form stand for.
fn terms(x: &Study) -> [ComplexDouble; 17] {
    let z = x.map(|z| (Double::of(z.re), Double::of(z.im)));
    let (e, g) = z.split_at(4);
    let mut out = [(Double::ZERO, Double::ZERO); 17];
    out[0] = g.iter().fold(out[0], |total, z| sum(total, product(*z, *z)));
    let mut k = 1;
    for i in 0..4 {
        for j in i + 1..4 {
            let other = product(g[j], e[i]);
            out[k] = sum(product(g[i], e[j]), (-other.0, -other.1));
            k += 1;
        }
    }
    for i in 0..4 {
        for j in i..4 {
            let own = product(e[i], e[j]);
            out[k] = if i == j { own } else { sum(own, own) };
            k += 1;
        }
    }
    out
}

/// The values of six forms and of the Study condition at x in double-double, rounded at the end; zero for the patch.
pub(super) fn precise_values(forms: &[Form; 6], x: &Study) -> Study {
    let terms = terms(x);
    let zero = (Double::ZERO, Double::ZERO);
    let exact = |z: &Complex| (Double::of(z.re), Double::of(z.im));
    let mut value = [Complex::ZERO; 8];
    for (slot, form) in value.iter_mut().zip(forms) {
        let total =
            form.iter().zip(&terms).fold(zero, |total, (c, term)| sum(total, product(*term, exact(c))));
        *slot = complex(total.0.value(), total.1.value());
    }
    let z = x.each_ref().map(exact);
    let total = (0..4).fold(zero, |total, k| sum(total, product(z[k], z[k + 4])));
    value[6] = complex(total.0.value(), total.1.value());
    value
}

impl Exact {
    pub fn new(constraints: &[Constraint; 6], scale: &Scale) -> Self {
        let forms = constraints.each_ref().map(|constraint| constraint.form(scale));
        let magnitudes = constraints.each_ref().map(|constraint| constraint.magnitude(scale));
        let rounded = forms.each_ref().map(rounded);
        // The Study condition has the second derivative 1 between e and g, twice.
        let all = rounded.iter().map(curvature_sq).sum::<f64>() + 8.0;
        Self { forms, rounded, magnitudes, curvature: all.sqrt() * (1.0 + 1e-10) }
    }

    fn matrix(&self, x: &Study) -> [Study; 8] {
        let mut matrix = [[Complex::ZERO; 8]; 8];
        for (slot, form) in matrix.iter_mut().zip(&self.rounded) {
            *slot = row(form, x);
        }
        matrix[6] = study_row(x);
        matrix[7] = x.map(Complex::conj); // the patch; |x| is 1 to rounding
        matrix
    }

    /// The equations in double-double, rounded at the end, and a bound on what they are off. The patch holds by
    /// its definition: it is x̄·x = |x|², whatever that is.
    fn residual(&self, x: &Study) -> (Study, [f64; 8]) {
        let terms = terms(x);
        let mut value = [Complex::ZERO; 8];
        let mut off = [0.0; 8];
        for (k, form) in self.forms.iter().enumerate() {
            let zero = (Double::ZERO, Double::ZERO);
            let total = form.iter().zip(&terms).fold(zero, |total, (c, term)| sum(total, scaled(*term, *c)));
            value[k] = complex(total.0.value(), total.1.value());
            off[k] = self.magnitudes[k] * Double::SLACK + value[k].norm() * f64::EPSILON;
        }
        let z = x.map(|z| (Double::of(z.re), Double::of(z.im)));
        let zero = (Double::ZERO, Double::ZERO);
        let total = (0..4).fold(zero, |total, k| sum(total, product(z[k], z[k + 4])));
        value[6] = complex(total.0.value(), total.1.value());
        off[6] = 8.0 * Double::SLACK + value[6].norm() * f64::EPSILON;
        (value, off)
    }

    /// The forms, rounded.
    pub fn rounded(&self) -> &[Form; 6] {
        &self.rounded
    }

    /// Newton steps with residuals in double-double, and the certificate (2) at their end.
    pub fn certify(&self, start: &Study) -> Option<Certified> {
        let mut x = normalized(start);
        for _ in 0..4 {
            let (value, _) = self.residual(&x);
            let step = Lu::new(self.matrix(&x))?.solve(&value);
            x = normalized(&minus(&x, &step));
            if !(norm(&step) < 1e-2) {
                return None;
            }
            if norm(&step) < 4e-16 {
                break;
            }
        }
        self.certificate(x)
    }

    fn certificate(&self, x: Study) -> Option<Certified> {
        let matrix = self.matrix(&x);
        let columns = Lu::new(matrix)?.inverse();
        let inverse: [Study; 8] = std::array::from_fn(|i| std::array::from_fn(|j| columns[j][i]));
        let (value, off) = self.residual(&x);
        let (inverse_norm, matrix_norm) = (frobenius(&inverse), frobenius(&matrix));
        // The rows are computed from rounded coefficients; their sizes are at most those of the coefficients.
        let row_sizes = self.rounded.iter().map(|form| form.iter().map(|c| c.norm_sq()).sum::<f64>());
        let entries = (16.0 * row_sizes.sum::<f64>() + 2.0).sqrt();
        let matrix_off = ROUNDING * (matrix_norm + entries);
        let moved: Study = std::array::from_fn(|i| dot(&inverse[i], &value));
        let off_norm = off.iter().map(|x| x * x).sum::<f64>().sqrt();
        let y = norm(&moved) * (1.0 + 1e-10)
            + inverse_norm * (1.0 + 1e-10) * (ROUNDING * norm(&value) + off_norm);
        let mut unit_off = [[Complex::ZERO; 8]; 8];
        for (i, slot) in unit_off.iter_mut().enumerate() {
            for (j, slot) in slot.iter_mut().enumerate() {
                let product = (0..8).fold(Complex::ZERO, |sum, k| sum + inverse[i][k] * matrix[k][j]);
                *slot = if i == j { Complex::ONE - product } else { -product };
            }
        }
        let z = frobenius(&unit_off) * (1.0 + 1e-10)
            + ROUNDING * (1.0 + inverse_norm * matrix_norm)
            + inverse_norm * matrix_off;
        let w = inverse_norm * self.curvature * (1.0 + 1e-10);
        // (2): demanded with a factor of two to spare.
        let lead = 1.0 - z;
        if !(lead > 0.5 && 4.0 * y * w < lead * lead) {
            return None;
        }
        let root = (lead * lead - 2.0 * y * w).max(0.0).sqrt();
        let existence = 2.0 * y / (lead + root) * (1.0 + 1e-10);
        let uniqueness = (lead + root) / w * (1.0 - 1e-10);
        // Finite: |e·e| changes by at most 2|e| r + r².
        let e_norm = norm(&x[..4]);
        let finite = dot(&x[..4], &x[..4]).norm()
            > 2.5 * (e_norm + existence) * existence + ROUNDING * e_norm * e_norm;
        // Real: the conjugate solution, scaled to the patch, is in the ball where there is only one.
        let conjugate = x.map(Complex::conj);
        let patch = conjugate;
        let factor = dot(&patch, &conjugate);
        let is_real = factor.norm() > 0.5 && {
            let other = conjugate.map(|z| z * factor.inverse());
            norm(&minus(&other, &x)) + 8.0 * existence + ROUNDING < uniqueness
        };
        finite.then_some(Certified { x, existence, uniqueness, is_real })
    }
}

impl Certified {
    /// Whether two certified solutions are surely different lines: the angle between them is more than both balls
    /// can turn them.
    pub fn differs_from(&self, other: &Self) -> bool {
        angle(&self.x, &other.x) > 1.1 * (self.existence + other.existence) + ROUNDING
    }
}

/// The sine of the angle between two lines through unit vectors.
pub(super) fn angle(a: &Study, b: &Study) -> f64 {
    let along = a.iter().zip(b).fold(Complex::ZERO, |sum, (a, b)| sum + a.conj() * *b);
    let across: Study = std::array::from_fn(|k| b[k] - a[k] * along);
    norm(&across)
}

pub(super) fn normalized(x: &Study) -> Study {
    let factor = 1.0 / norm(x);
    x.map(|z| z.scaled(factor))
}

fn frobenius(rows: &[Study; 8]) -> f64 {
    rows.iter().map(|row| norm_sq(row)).sum::<f64>().sqrt()
}

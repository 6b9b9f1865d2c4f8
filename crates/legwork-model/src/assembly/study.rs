//! All poses of six legs: forty complex paths from a stored system, one for each posture that there can be.
//!
//! ```text
//! (1) five forms without κ, orthonormal, and one with it: the same six hyperplanes
//! (2) F is mixed by a random unitary matrix and a random phase: another mix is another set of paths
//! (3) squared lengths in a line from random complex ones to the real ones, geometry kept: the second stage
//! ```

use super::certify::{angle, normalized, precise_values};
use super::complex::{Complex, Lu, complex, dot, minus, norm, norm_sq};
use super::form::{DIAGONAL, Form, Study, TERMS, curvature_sq, form_dot, form_norm_sq, row, study_row};
use super::track::{Homotopy, PathEnd, PathWork, Tracker};
use crate::random::Random;

/// As many postures as six legs can have, real and complex.
pub(super) const MOST: usize = 40;

/// A form is dependent on others if what is left of it without them is below this part of it.
const DEPENDENT: f64 = 1e-9;

/// How far apart two solutions are at least, as the sine of an angle; closer ones are the same.
const SAME: f64 = 1e-9;

/// Six equations as combinations of the forms of the legs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reduction([[Complex; 6]; 6]);

fn combined(weights: &[Complex; 6], forms: &[Form; 6]) -> Form {
    let mut sum = [Complex::ZERO; TERMS];
    for (weight, form) in weights.iter().zip(forms) {
        for (slot, term) in sum.iter_mut().zip(form) {
            *slot += *weight * *term;
        }
    }
    sum
}

impl Reduction {
    /// (1); the error is what is left of the first form that depends on others, as a part of it.
    pub fn of(forms: &[Form; 6]) -> Result<Self, f64> {
        let part = |form: &Form| form[0].norm_sq() / form_norm_sq(form);
        let last = (0..6).max_by(|a, b| part(&forms[*a]).total_cmp(&part(&forms[*b]))).unwrap_or(5);
        let mut weights: [[Complex; 6]; 6] = std::array::from_fn(|i| {
            std::array::from_fn(|j| if i == j { Complex::ONE } else { Complex::ZERO })
        });
        weights.swap(last, 5);
        if forms[last][0] != Complex::ZERO {
            let over = forms[last][0].inverse();
            for weight in &mut weights[..5] {
                let own = combined(weight, forms)[0];
                weight[last] -= own * over;
            }
        }
        for k in 0..6 {
            let whole =
                weights[k].iter().zip(forms).map(|(w, form)| w.norm_sq() * form_norm_sq(form)).sum::<f64>();
            // Twice, so that rounding of the first time is taken out by the second.
            for _ in 0..2 {
                for j in 0..k {
                    let along = form_dot(&combined(&weights[j], forms), &combined(&weights[k], forms));
                    for i in 0..6 {
                        let part = weights[j][i] * along;
                        weights[k][i] -= part;
                    }
                }
            }
            let left = form_norm_sq(&combined(&weights[k], forms)).sqrt();
            let part = left / whole.sqrt();
            if !(part > DEPENDENT) {
                return Err(part);
            }
            weights[k] = weights[k].map(|w| w.scaled(1.0 / left));
        }
        Ok(Self(weights))
    }

    /// (2)
    pub fn mixed(&self, random: &mut Random) -> Self {
        let mut unitary = [[Complex::ZERO; 5]; 5];
        for k in 0..5 {
            let mut row: [Complex; 5] = std::array::from_fn(|_| complex(random.normal(), random.normal()));
            for other in unitary.iter().take(k) {
                let along = (0..5).fold(Complex::ZERO, |sum, i| sum + other[i].conj() * row[i]);
                row = std::array::from_fn(|i| row[i] - other[i] * along);
            }
            unitary[k] = row.map(|z| z.scaled(1.0 / norm(&row)));
        }
        let phase = Complex::unit(random.uniform(0.0, std::f64::consts::TAU));
        Self(std::array::from_fn(|i| {
            std::array::from_fn(|j| {
                if i == 5 {
                    self.0[5][j] * phase
                } else {
                    (0..5).fold(Complex::ZERO, |s, k| s + unitary[i][k] * self.0[k][j])
                }
            })
        }))
    }

    pub fn apply(&self, forms: &[Form; 6]) -> [Form; 6] {
        self.0.each_ref().map(|weights| combined(weights, forms))
    }
}

/// Two systems of six forms, and what is between them.
pub(super) struct Between {
    target: [Form; 6],
    change: [Form; 6],
    curvature: f64,
}

impl Between {
    pub fn new(start: &[Form; 6], target: &[Form; 6]) -> Self {
        let change = std::array::from_fn(|k| minus(&start[k], &target[k]));
        let curvature = (target.iter().map(curvature_sq).sum::<f64>() + 8.0).sqrt();
        Self { target: *target, change, curvature }
    }
}

impl Homotopy<8> for Between {
    type At = [Form; 6];
    const GROUP: usize = 8;
    const DEGREE: f64 = 2.0;

    fn at(&self, s: f64) -> [Form; 6] {
        std::array::from_fn(|k| std::array::from_fn(|i| self.target[k][i] + self.change[k][i].scaled(s)))
    }

    #[inline]
    fn rows(&self, at: &[Form; 6], x: &Study, matrix: &mut [Study; 8]) {
        for (slot, form) in matrix.iter_mut().zip(at) {
            *slot = row(form, x);
        }
        matrix[6] = study_row(x);
    }

    #[inline]
    fn rate(&self, x: &Study) -> Study {
        let mut rate = [Complex::ZERO; 8];
        for (slot, form) in rate.iter_mut().zip(&self.change) {
            *slot = dot(&row(form, x), x).scaled(0.5);
        }
        rate
    }

    fn finiteness(&self, x: &Study) -> f64 {
        dot(&x[..4], &x[..4]).norm() / norm_sq(x)
    }

    fn least_finiteness(&self, x: &Study) -> f64 {
        (1e-13 * norm_sq(&x[..4]) / norm_sq(x)).max(1e-20)
    }

    /// Kantorovich with margins in ordinary f64; what is printed is certified anew. Where rounding of the residual is
    /// too coarse, it is taken in double-double.
    fn is_certain(&self, x: &Study) -> bool {
        let x = normalized(x);
        let value = {
            let mut rows = [[Complex::ZERO; 8]; 8];
            self.rows(&self.target, &x, &mut rows);
            std::array::from_fn(|k| dot(&rows[k], &x).scaled(0.5))
        };
        self.kantorovich(&x, &value).0 || {
            let Some(step) = self.kantorovich(&x, &precise_values(&self.target, &x)).1 else { return false };
            let x = normalized(&minus(&x, &step));
            self.kantorovich(&x, &precise_values(&self.target, &x)).0
        }
    }
}

impl Between {
    /// Whether β ω < 1/4 and e·e is not zero, and the Newton step.
    fn kantorovich(&self, x: &Study, value: &Study) -> (bool, Option<Study>) {
        let mut matrix = [[Complex::ZERO; 8]; 8];
        self.rows(&self.target, x, &mut matrix);
        matrix[7] = x.map(Complex::conj);
        let Some(factors) = Lu::new(matrix) else { return (false, None) };
        let step = factors.solve(value);
        let beta = norm(&step);
        let inverse = factors.inverse().iter().map(|column| norm_sq(column)).sum::<f64>().sqrt();
        let e_norm = norm(&x[..4]);
        let is_finite = dot(&x[..4], &x[..4]).norm() > 5.0 * beta * (e_norm + beta) + 1e-14 * e_norm * e_norm;
        (beta * inverse * self.curvature < 0.25 && is_finite, Some(step))
    }
}

/// Where the paths of one system ended.
#[derive(Clone, Debug, Default)]
pub(super) struct Ends {
    /// Solutions, all different.
    pub solutions: Vec<Study>,
    /// Paths that went to infinity.
    pub infinite: usize,
    /// Ends that are neither.
    pub singular: Vec<Study>,
    /// Paths that were lost, and those that ended where another one did.
    pub open: usize,
}

impl Ends {
    fn is_whole(&self) -> bool {
        self.singular.is_empty() && self.open == 0
    }
}

/// Follows all paths between two systems.
fn ends(between: &Between, starts: &[Study], tolerance: f64, work: &mut PathWork) -> Ends {
    let tracker = Tracker { tolerance };
    let mut ends = Ends::default();
    for start in starts {
        match tracker.follow(between, start, work) {
            PathEnd::Solution(x) => {
                let x = normalized(&x);
                if ends.solutions.iter().any(|other| angle(other, &x) < SAME) {
                    ends.open += 1;
                } else {
                    ends.solutions.push(x);
                }
            }
            PathEnd::Infinite => ends.infinite += 1,
            PathEnd::Singular(x) => ends.singular.push(normalized(&x)),
            PathEnd::Open => ends.open += 1,
        }
    }
    ends
}

/// Times that paths are followed anew with another mix and shorter steps.
const REPETITIONS: usize = 4;
/// τ of the first time.
const TOLERANCE: f64 = 1e-3;

/// All solutions of six forms from the stored system; `forms` are those of the legs, not reduced.
pub(super) fn from_stored(
    forms: &[Form; 6],
    reduction: &Reduction,
    random: &mut Random,
    work: &mut PathWork,
) -> Ends {
    let stored = super::start::stored();
    let mut best = Ends::default();
    let mut tolerance = TOLERANCE;
    for k in 0..REPETITIONS {
        work.repetitions += usize::from(k > 0);
        let target = reduction.mixed(random).apply(forms);
        let found = ends(&Between::new(&stored.forms, &target), &stored.solutions, tolerance, work);
        let whole = found.is_whole();
        if k == 0 || found.open < best.open || found.solutions.len() > best.solutions.len() {
            best = found;
        }
        if whole {
            break;
        }
        tolerance *= 0.3;
    }
    best
}

/// A geometry with random complex squared lengths and all solutions that it has with them.
#[derive(Clone, Debug)]
pub(super) struct Generic {
    /// What to add to the coefficient of e·e of each leg.
    shifts: [Complex; 6],
    pub solutions: Vec<Study>,
    /// Paths that went to infinity.
    pub infinite: usize,
    /// Paths of which that is not known.
    pub unknown: usize,
}

/// The forms with other squared lengths.
fn shifted(forms: &[Form; 6], shifts: &[Complex; 6]) -> [Form; 6] {
    std::array::from_fn(|k| {
        let mut form = forms[k];
        for place in DIAGONAL {
            form[place] += shifts[k];
        }
        form
    })
}

impl Generic {
    /// The first stage.
    pub fn new(forms: &[Form; 6], random: &mut Random, work: &mut PathWork) -> Result<Self, f64> {
        let shifts: [Complex; 6] =
            std::array::from_fn(|_| complex(random.normal(), random.normal()).scaled(0.7));
        let moved = shifted(forms, &shifts);
        let reduction = Reduction::of(&moved)?;
        let found = from_stored(&moved, &reduction, random, work);
        let unknown = found.open + found.singular.len();
        Ok(Self { shifts, solutions: found.solutions, infinite: found.infinite, unknown })
    }

    /// The second stage (3): `forms` differ from those of the first in their lengths alone.
    pub fn with_lengths(
        &self,
        first: &[Form; 6],
        forms: &[Form; 6],
        reduction: &Reduction,
        work: &mut PathWork,
    ) -> Ends {
        let start = reduction.apply(&shifted(first, &self.shifts));
        let between = Between::new(&start, &reduction.apply(forms));
        let mut best = Ends::default();
        let mut tolerance = TOLERANCE;
        for k in 0..REPETITIONS / 2 {
            work.repetitions += usize::from(k > 0);
            let found = ends(&between, &self.solutions, tolerance, work);
            let whole = found.is_whole();
            if k == 0 || found.solutions.len() > best.solutions.len() {
                best = found;
            }
            if whole {
                break;
            }
            tolerance *= 0.1;
        }
        best
    }
}

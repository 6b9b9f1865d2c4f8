//! How the stored system was found: one solution is made up together with its system, loops in the space of systems
//! carry it to the others, and the trace test says when there are no more.

use super::certify::{angle, normalized};
use super::complex::{Complex, complex, dot, plus};
use super::form::{Form, Study, TERMS, form_norm_sq, row};
use super::study::Between;
use super::track::{PathEnd, PathWork, Tracker};
use crate::random::Random;

fn random_form(random: &mut Random, with_kappa: bool) -> Form {
    let mut form: Form = std::array::from_fn(|_| complex(random.normal(), random.normal()));
    if !with_kappa {
        form[0] = Complex::ZERO;
    }
    let size = 1.0 / form_norm_sq(&form).sqrt();
    form.map(|z| z.scaled(size))
}

pub(super) fn random_forms(random: &mut Random) -> [Form; 6] {
    std::array::from_fn(|k| random_form(random, k == 5))
}

/// A point of Study's quadric.
fn random_point(random: &mut Random) -> Study {
    let mut x: Study = std::array::from_fn(|_| complex(random.normal(), random.normal()));
    let rest = dot(&x[..3], &x[4..7]);
    x[7] = -(rest * x[3].inverse());
    normalized(&x)
}

/// Random forms that vanish at a point.
fn forms_through(random: &mut Random, x: &Study) -> [Form; 6] {
    random_forms(random).map(|form| {
        let value = dot(&row(&form, x), x).scaled(0.5);
        let other = {
            let mut other = [Complex::ZERO; TERMS];
            other[7] = Complex::ONE;
            other[11] = Complex::ONE;
            other[14] = Complex::ONE;
            other[16] = Complex::ONE;
            other
        };
        let unit = dot(&x[..4], &x[..4]);
        let factor = value * unit.inverse();
        std::array::from_fn(|k| form[k] - other[k] * factor)
    })
}

fn carried(from: &[Form; 6], to: &[Form; 6], solutions: &[Study], work: &mut PathWork) -> Vec<Option<Study>> {
    let between = Between::new(from, to);
    let tracker = Tracker { tolerance: 1e-4 };
    let follow = |x: &Study| match tracker.follow(&between, x, work) {
        PathEnd::Solution(x) => Some(normalized(&x)),
        _ => None,
    };
    solutions.iter().map(follow).collect::<Vec<_>>()
}

/// All solutions of a random system that loops find: stops when `quiet` loops in a row found none.
pub(super) fn found(random: &mut Random, quiet: usize) -> ([Form; 6], Vec<Study>) {
    let x = random_point(random);
    let forms = forms_through(random, &x);
    let mut solutions = vec![x];
    let mut without = 0;
    let mut work = PathWork::default();
    while without < quiet {
        let [there, back] = [random_forms(random), random_forms(random)];
        let mut moved: Vec<Study> = solutions.clone();
        for (from, to) in [(&forms, &there), (&there, &back), (&back, &forms)] {
            moved = carried(from, to, &moved, &mut work).into_iter().flatten().collect();
        }
        let before = solutions.len();
        for x in moved {
            if !solutions.iter().any(|other| angle(other, &x) < 1e-6) {
                solutions.push(x);
            }
        }
        without = if solutions.len() > before { 0 } else { without + 1 };
    }
    (forms, solutions)
}

/// The same system from given forms, all solutions carried over.
pub(super) fn carried_to(from: &[Form; 6], to: &[Form; 6], solutions: &[Study]) -> Vec<Study> {
    carried(from, to, solutions, &mut PathWork::default()).into_iter().flatten().collect()
}

/// The trace test: while one hyperplane moves parallel to itself, the sum of a linear function over all solutions of
/// the section, in an affine chart, is a linear function of the way; over fewer solutions it is not. Returns the size of
/// the second difference over that of the first one, with all solutions and with one left out. The chart is that in
/// which one linear function of the 17 terms is 1: there Study's variety is affine, of degree 40, and so linear in the
/// terms, quadratic in x.
pub(super) fn second_differences(random: &mut Random, forms: &[Form; 6], solutions: &[Study]) -> [f64; 2] {
    // The hyperplane at infinity of the chart, and the function that is summed.
    let infinity = random_form(random, true);
    let function = random_form(random, true);
    let value = |form: &Form, x: &Study| dot(&row(form, x), x).scaled(0.5);
    let places: Vec<Vec<Complex>> = [-0.02, 0.0, 0.02]
        .iter()
        .map(|step| {
            let mut moved = *forms;
            moved[0] = plus(&forms[0], *step, &infinity);
            let there = carried_to(forms, &moved, solutions);
            there.iter().map(|x| value(&function, x) * value(&infinity, x).inverse()).collect()
        })
        .collect();
    let trace = |skip: usize, k: usize| places[k].iter().skip(skip).fold(Complex::ZERO, |sum, z| sum + *z);
    [0, 1].map(|skip| {
        let [a, b, c] = [0, 1, 2].map(|k| trace(skip, k));
        let (first, second) = ((b - a).norm(), (a + c - b - b).norm());
        if places.iter().all(|values| values.len() == solutions.len()) { second / first } else { f64::NAN }
    })
}

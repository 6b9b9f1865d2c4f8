//! Following one complex path of a homotopy from s = 1 to s = 0.
//!
//! ```text
//! (1) H(x, s) = (1 − s) F(x) + s G(x)
//! (2) x' = −H_x⁻¹ H_s                                 the tangent
//! (3) ν = d log(finiteness) / d log s                 how a path goes to infinity
//! ```
//!
//! Predictor: the cubic through the last two points and tangents, extrapolated. Corrector: at most three Newton
//! steps. A step is taken if the last correction is below 1e-7, each is below a quarter of the one before, and
//! prediction and correction differ by at most τ.

use super::complex::{Complex, Lu, Vector, dot, minus, norm, norm_sq, plus, times};

/// A family of systems that is linear in s. Coordinates come in groups of `GROUP`, each homogeneous: a patch for
/// each group makes its points numbers.
pub(super) trait Homotopy<const N: usize> {
    /// The coefficients at one s.
    type At;
    /// Coordinates in a group that is known up to a factor.
    const GROUP: usize;
    /// Row times x over this is the value of an equation.
    const DEGREE: f64;

    fn at(&self, s: f64) -> Self::At;
    /// The rows of the equations at the beginning of the matrix; those of the patches are left as they are.
    fn rows(&self, at: &Self::At, x: &Vector<N>, matrix: &mut [Vector<N>; N]);
    /// ∂H/∂s of the equations, zero for the patches.
    fn rate(&self, x: &Vector<N>) -> Vector<N>;
    /// Zero at infinity, at most 1.
    fn finiteness(&self, x: &Vector<N>) -> f64;
    /// Below this rounding is all that is left of the finiteness.
    fn least_finiteness(&self, x: &Vector<N>) -> f64;
    /// Whether the system at s = 0 has exactly one solution close to this one, which is not at infinity.
    fn is_certain(&self, x: &Vector<N>) -> bool;
}

/// How a path ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PathEnd<const N: usize> {
    /// At a solution that is certain.
    Solution(Vector<N>),
    /// At infinity, with the ν of (3).
    Infinite,
    /// Close to s = 0, with neither verdict.
    Singular(Vector<N>),
    /// The steps ran out.
    Open,
}

/// How paths are followed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tracker {
    /// τ: how far prediction and correction may differ.
    pub tolerance: f64,
}

/// The work of paths, counted: the same on every machine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PathWork {
    /// Paths followed.
    pub paths: usize,
    /// Complex matrices factored, all sizes.
    pub factorizations: usize,
    /// Times that paths were followed again with another mix.
    pub repetitions: usize,
}

impl PathWork {
    pub(super) fn add(&mut self, other: Self) {
        self.paths += other.paths;
        self.factorizations += other.factorizations;
        self.repetitions += other.repetitions;
    }
}

/// A point of the path with its tangent.
#[derive(Clone, Copy)]
struct Place<const N: usize> {
    s: f64,
    x: Vector<N>,
    tangent: Vector<N>,
}

/// What a correction came to.
struct Corrected<const N: usize> {
    x: Vector<N>,
    factors: Lu<N>,
}

const MAX_STEPS: usize = 600;
/// Where a path counts as arrived.
const ARRIVED: f64 = 1e-13;
/// From where on the way to infinity is watched.
const WATCHED: f64 = 1e-3;

impl Tracker {
    /// Follows the path from a solution at s = 1.
    pub fn follow<const N: usize, H: Homotopy<N>>(
        self,
        homotopy: &H,
        start: &Vector<N>,
        work: &mut PathWork,
    ) -> PathEnd<N> {
        work.paths += 1;
        let mut path = Path { homotopy, patch: patch::<N, H>(start), work };
        let start = on_patch::<N, H>(&path.patch, start);
        let Some(first) = path.correct(&homotopy.at(1.0), start) else { return PathEnd::Open };
        let mut here = Place { s: 1.0, x: first.x, tangent: path.tangent(&first) };
        let mut before: Option<Place<N>> = None;
        let mut step: f64 = 0.02;
        let mut infinity = TowardsInfinity::default();
        for _ in 0..MAX_STEPS {
            if before.is_some() && step >= here.s * 0.999 {
                // The end is in reach of a step.
                let guess = extrapolated(before.as_ref(), &here, 0.0);
                let away = homotopy.finiteness(&guess) > 0.1 * homotopy.finiteness(&here.x);
                if away
                    && let Some(end) = path.correct(&homotopy.at(0.0), guess)
                    && norm(&minus(&end.x, &guess)) <= self.tolerance
                {
                    path.work.factorizations += 1;
                    if homotopy.is_certain(&end.x) {
                        return PathEnd::Solution(end.x);
                    }
                }
                step = 0.7 * here.s;
            }
            if here.s < ARRIVED {
                return infinity.or(PathEnd::Singular(here.x));
            }
            let s = here.s - step.min(0.7 * here.s.max(0.25)).min(here.s);
            let guess = extrapolated(before.as_ref(), &here, s);
            let Some(found) = path.correct(&homotopy.at(s), guess) else {
                step *= 0.4;
                if step < 1e-4 * here.s.min(1e-3) {
                    return infinity.or(PathEnd::Open);
                }
                continue;
            };
            let off = norm(&minus(&found.x, &guess));
            let factor = (0.5 * self.tolerance / off.max(1e-30)).powf(0.25).clamp(0.4, 2.0);
            let taken = here.s - s;
            step = (taken * factor).min(0.2);
            if off > self.tolerance {
                if step < 1e-4 * here.s.min(1e-3) {
                    return infinity.or(PathEnd::Open);
                }
                continue;
            }
            let next = Place { s, x: found.x, tangent: path.tangent(&found) };
            let finiteness = homotopy.finiteness(&next.x);
            if s < WATCHED && infinity.is_seen(s, finiteness, homotopy.least_finiteness(&next.x)) {
                return PathEnd::Infinite;
            }
            before = Some(here);
            here = next;
            path.renew(&mut here, before.as_mut());
        }
        infinity.or(PathEnd::Open)
    }
}

/// Watches ν (3) below s = 1e-3.
#[derive(Default)]
struct TowardsInfinity {
    last: Option<(f64, f64)>,
    rate: f64,
    steady: usize,
    /// The rate at which the path goes to infinity, as long as it does.
    towards: Option<f64>,
}

impl TowardsInfinity {
    /// Where a path that can be followed no further ends.
    fn or<const N: usize>(&self, other: PathEnd<N>) -> PathEnd<N> {
        if self.towards.is_some() { PathEnd::Infinite } else { other }
    }

    /// Whether ν has been steady three times close to a multiple of one half, close to infinity; below 0.95 it must be
    /// steady five times and s below 1e-8: the rare wrong verdicts of a trial had 0.4 to 0.8.
    fn is_seen(&mut self, s: f64, finiteness: f64, least: f64) -> bool {
        let Some((last_s, last)) = self.last else {
            self.last = Some((s, finiteness));
            return false;
        };
        if s > 0.7 * last_s {
            return false; // too short a way to measure a rate
        }
        let rate = (finiteness / last).ln() / (s / last_s).ln();
        self.last = Some((s, finiteness));
        let is_steady = (rate - self.rate).abs() <= 0.025 * rate.abs();
        self.steady = if is_steady { self.steady + 1 } else { 0 };
        self.rate = rate;
        let half = (2.0 * rate).round() / 2.0;
        let is_half = half > 0.25 && (rate - half).abs() <= 0.05 * half;
        let enough = match rate {
            slow if slow < 0.95 => self.steady >= 5 && s < 1e-8,
            usual if usual < 2.5 => self.steady >= 3,
            _ => self.steady >= 2, // the digits of e·e do not last for more
        };
        if is_half && enough && finiteness < 0.007 {
            self.towards = Some(rate);
        } else if finiteness > least && self.towards.is_some_and(|towards| rate < 0.6 * towards) {
            self.towards = None; // it turned, as paths of nearly special geometries do
        }
        self.towards.is_some() && (finiteness < least.max(1e-14) || s < 1e-9)
    }
}

fn patch<const N: usize, H: Homotopy<N>>(x: &Vector<N>) -> Vector<N> {
    let mut patch = *x;
    for group in patch.chunks_exact_mut(H::GROUP) {
        let factor = 1.0 / norm_sq(group);
        for z in group {
            *z = z.conj().scaled(factor);
        }
    }
    patch
}

/// x with patch·x = 1 in each group.
pub(super) fn on_patch<const N: usize, H: Homotopy<N>>(patch: &Vector<N>, x: &Vector<N>) -> Vector<N> {
    let mut scaled = *x;
    for (group, patch) in scaled.chunks_exact_mut(H::GROUP).zip(patch.chunks_exact(H::GROUP)) {
        let factor = dot(patch, group).inverse();
        for z in group {
            *z = *z * factor;
        }
    }
    scaled
}

/// The cubic of two places with tangents, or the tangent of one, at s.
fn extrapolated<const N: usize>(before: Option<&Place<N>>, here: &Place<N>, s: f64) -> Vector<N> {
    let Some(before) = before else { return plus(&here.x, s - here.s, &here.tangent) };
    let h = here.s - before.s;
    let t = (s - before.s) / h;
    let (t2, t3) = (t * t, t * t * t);
    let [p0, d0] = [2.0 * t3 - 3.0 * t2 + 1.0, (t3 - 2.0 * t2 + t) * h];
    let [p1, d1] = [3.0 * t2 - 2.0 * t3, (t3 - t2) * h];
    std::array::from_fn(|k| {
        before.x[k].scaled(p0)
            + before.tangent[k].scaled(d0)
            + here.x[k].scaled(p1)
            + here.tangent[k].scaled(d1)
    })
}

struct Path<'a, const N: usize, H> {
    homotopy: &'a H,
    patch: Vector<N>,
    work: &'a mut PathWork,
}

impl<const N: usize, H: Homotopy<N>> Path<'_, N, H> {
    fn matrix(&self, at: &H::At, x: &Vector<N>) -> [Vector<N>; N] {
        let mut matrix = [[Complex::ZERO; N]; N];
        self.homotopy.rows(at, x, &mut matrix);
        let equations = N - N / H::GROUP;
        for (group, row) in matrix[equations..].iter_mut().enumerate() {
            let range = group * H::GROUP..(group + 1) * H::GROUP;
            row[range.clone()].copy_from_slice(&self.patch[range]);
        }
        matrix
    }

    /// Newton's method with at most three steps that shrink.
    fn correct(&mut self, at: &H::At, mut x: Vector<N>) -> Option<Corrected<N>> {
        let equations = N - N / H::GROUP;
        let mut last = f64::INFINITY;
        for _ in 0..3 {
            let matrix = self.matrix(at, &x);
            let value: Vector<N> = std::array::from_fn(|k| {
                let value = dot(&matrix[k], &x);
                if k < equations { value.scaled(1.0 / H::DEGREE) } else { value - Complex::ONE }
            });
            let factors = Lu::new(matrix)?;
            self.work.factorizations += 1;
            let step = factors.solve(&value);
            x = minus(&x, &step);
            let size = norm(&step) / norm(&x);
            if size < 1e-7 {
                return Some(Corrected { x, factors });
            }
            if size.is_nan() || size > 0.25 * last {
                return None;
            }
            last = size;
        }
        None
    }

    /// (2), with the last factors: their x is within 1e-7.
    fn tangent(&self, at: &Corrected<N>) -> Vector<N> {
        times(&at.factors.solve(&self.homotopy.rate(&at.x)), -Complex::ONE)
    }

    /// Another patch when a group of coordinates has grown or shrunk by four; the places are carried over.
    fn renew(&mut self, here: &mut Place<N>, before: Option<&mut Place<N>>) {
        let far = |group: &[Complex]| !(1.0 / 16.0..=16.0).contains(&norm_sq(group));
        if !here.x.chunks_exact(H::GROUP).any(far) {
            return;
        }
        self.patch = here.x;
        for group in self.patch.chunks_exact_mut(H::GROUP) {
            let factor = 1.0 / norm(group);
            for z in group {
                *z = z.conj().scaled(factor);
            }
        }
        for place in [Some(here), before].into_iter().flatten() {
            for k in 0..N / H::GROUP {
                let range = k * H::GROUP..(k + 1) * H::GROUP;
                let (p, x) = (&self.patch[range.clone()], &place.x[range.clone()]);
                let factor = dot(p, x).inverse();
                let turn = dot(p, &place.tangent[range.clone()]) * factor;
                for i in range {
                    place.tangent[i] = (place.tangent[i] - place.x[i] * turn) * factor;
                    place.x[i] = place.x[i] * factor;
                }
            }
        }
    }
}

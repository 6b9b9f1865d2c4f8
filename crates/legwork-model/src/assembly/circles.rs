//! Three points of a platform on three circles: 6-3, 3-6 and octahedral hexapods, and legs with one free hinge.
//!
//! ```text
//! (1) P = c + r (u cos θ + v sin θ);  with cos θ + i sin θ = x/y   x y P = w x² + c x y + w̄ y²,  w = r (u − i v)/2
//! (2) x y |P|² = 2 w·c x² + (|c|² + r²) x y + 2 w̄·c y²
//! (3) |P_i − P_j|² = d_ij²  times x_i y_i x_j y_j: quadratic in (x_i, y_i) and in (x_j, y_j)
//! ```
//!
//! The three equations (3) have the Bézout number 16 in the product of three projective lines. The start system is a
//! product of random quadratics with 16 solutions that are written down, so a full count of certified ends is a proof.

use super::complex::{Complex, Lu, Vector, complex, dot, minus, norm, norm_sq, times};
use super::track::{Homotopy, PathEnd, PathWork, Tracker, on_patch};
use crate::random::Random;

/// The Bézout number of the closure.
pub(super) const BEZOUT: usize = 16;

/// A circle in space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Circle {
    pub center: [f64; 3],
    pub radius: f64,
    /// Two directions of its plane, at right angles.
    pub directions: [[f64; 3]; 2],
}

impl Circle {
    /// The point at an angle.
    pub fn at(&self, cos: f64, sin: f64) -> [f64; 3] {
        let [u, v] = &self.directions;
        std::array::from_fn(|k| self.center[k] + self.radius * (u[k] * cos + v[k] * sin))
    }

    /// The coefficients of x², x y and y² in (1).
    fn vectors(&self) -> [[Complex; 3]; 3] {
        let half = 0.5 * self.radius;
        let [u, v] = &self.directions;
        let w: [Complex; 3] = std::array::from_fn(|k| complex(half * u[k], -half * v[k]));
        [w, self.center.map(|c| complex(c, 0.0)), w.map(Complex::conj)]
    }
}

/// The pairs of circles, in the order of the equations.
const PAIRS: [(usize, usize); 3] = [(0, 1), (1, 2), (2, 0)];

/// The coefficients of an equation: rows for x², x y, y² of the first circle, columns for those of the second.
type Biquadratic = [[Complex; 3]; 3];

/// Six homogeneous coordinates: (x, y) of each circle.
type Point = Vector<6>;

/// (3)
fn closure(a: &Circle, b: &Circle, distance: f64) -> Biquadratic {
    let (p, q) = (a.vectors(), b.vectors());
    let square = |v: &[[Complex; 3]; 3], radius: f64| {
        let own = dot(&v[1], &v[1]) + complex(radius * radius, 0.0);
        [dot(&v[0], &v[1]).scaled(2.0), own, dot(&v[2], &v[1]).scaled(2.0)] // (2)
    };
    let (pp, qq) = (square(&p, a.radius), square(&q, b.radius));
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut sum = -dot(&p[i], &q[j]).scaled(2.0);
            if j == 1 {
                sum += pp[i];
            }
            if i == 1 {
                sum += qq[j];
            }
            if i == 1 && j == 1 {
                sum -= complex(distance * distance, 0.0);
            }
            sum
        })
    })
}

fn monomials([x, y]: [Complex; 2]) -> [Complex; 3] {
    [x * x, x * y, y * y]
}

struct Closures {
    target: [Biquadratic; 3],
    change: [Biquadratic; 3],
}

fn coordinates(x: &Point, circle: usize) -> [Complex; 2] {
    [x[2 * circle], x[2 * circle + 1]]
}

/// The row of one equation.
fn row(form: &Biquadratic, (i, j): (usize, usize), x: &Point) -> Point {
    let ([a, b], [c, d]) = (coordinates(x, i), coordinates(x, j));
    let (first, second) = (monomials([a, b]), monomials([c, d]));
    let right: [Complex; 3] = std::array::from_fn(|k| dot(&form[k], &second));
    let left: [Complex; 3] =
        std::array::from_fn(|k| (0..3).fold(Complex::ZERO, |sum, l| sum + first[l] * form[l][k]));
    let mut row = [Complex::ZERO; 6];
    row[2 * i] = right[0] * a.scaled(2.0) + right[1] * b;
    row[2 * i + 1] = right[1] * a + right[2] * b.scaled(2.0);
    row[2 * j] = left[0] * c.scaled(2.0) + left[1] * d;
    row[2 * j + 1] = left[1] * c + left[2] * d.scaled(2.0);
    row
}

/// A solution with the radius in which it is the only one.
struct Judged {
    x: Point,
    existence: f64,
    uniqueness: f64,
}

impl Closures {
    /// Kantorovich at a point whose groups have length 1. In the ball of radius 1/10 the second derivative is at most
    /// 20 times the coefficients; the residual is off by at most 40 roundings of them.
    fn judged(&self, x: &Point) -> Option<Judged> {
        let mut x = *x;
        let mut found = None;
        for _ in 0..3 {
            for group in x.chunks_exact_mut(2) {
                let factor = 1.0 / norm(group);
                for z in group {
                    *z = z.scaled(factor);
                }
            }
            let mut matrix = [[Complex::ZERO; 6]; 6];
            self.rows(&self.target, &x, &mut matrix);
            for group in 0..3 {
                matrix[3 + group][2 * group] = x[2 * group].conj();
                matrix[3 + group][2 * group + 1] = x[2 * group + 1].conj();
            }
            let mut value = [Complex::ZERO; 6];
            for k in 0..3 {
                value[k] = dot(&matrix[k], &x).scaled(0.25);
            }
            let factors = Lu::new(matrix)?;
            let step = factors.solve(&value);
            let inverse = factors.inverse().iter().map(|column| norm_sq(column)).sum::<f64>().sqrt();
            let sizes = self.target.iter().flatten().flatten().map(|c| c.norm()).sum::<f64>();
            let beta = norm(&step) + inverse * sizes * 40.0 * f64::EPSILON;
            let omega = 20.0 * inverse * sizes;
            let root = 1.0 - 2.0 * beta * omega;
            if beta * omega < 0.25 && 2.0 * beta < 0.1 {
                let existence = 2.0 * beta / (1.0 + root.sqrt());
                let uniqueness = ((1.0 + root.sqrt()) / omega).min(0.1);
                found = Some(Judged { x, existence, uniqueness });
            }
            x = minus(&x, &step);
        }
        found
    }
}

impl Homotopy<6> for Closures {
    type At = [Biquadratic; 3];
    const GROUP: usize = 2;
    const DEGREE: f64 = 4.0;

    fn at(&self, s: f64) -> [Biquadratic; 3] {
        std::array::from_fn(|e| {
            std::array::from_fn(|i| {
                std::array::from_fn(|j| self.target[e][i][j] + self.change[e][i][j].scaled(s))
            })
        })
    }

    fn rows(&self, at: &[Biquadratic; 3], x: &Point, matrix: &mut [Point; 6]) {
        for ((slot, form), pair) in matrix.iter_mut().zip(at).zip(PAIRS) {
            *slot = row(form, pair, x);
        }
    }

    fn rate(&self, x: &Point) -> Point {
        let mut rate = [Complex::ZERO; 6];
        for ((slot, form), pair) in rate.iter_mut().zip(&self.change).zip(PAIRS) {
            *slot = dot(&row(form, pair, x), x).scaled(0.25);
        }
        rate
    }

    fn finiteness(&self, _: &Point) -> f64 {
        1.0
    }

    fn least_finiteness(&self, _: &Point) -> f64 {
        0.0
    }

    fn is_certain(&self, x: &Point) -> bool {
        self.judged(x).is_some()
    }
}

/// A random quadratic a x² + b x y + c y² and its two roots.
fn quadratic(random: &mut Random) -> ([Complex; 3], [[Complex; 2]; 2]) {
    let roots = [0; 2].map(|_| {
        let root = [0; 2].map(|_| complex(random.normal(), random.normal()));
        times(&root, complex(1.0 / norm(&root), 0.0))
    });
    let [[a, b], [c, d]] = roots;
    // (b x − a y)(d x − c y)
    ([b * d, -(a * d) - b * c, a * c], roots)
}

/// The sixteen starts of a product of quadratics.
fn start(random: &mut Random) -> ([Biquadratic; 3], Vec<Point>) {
    let factors = PAIRS.map(|_| [quadratic(random), quadratic(random)]);
    let forms = factors.each_ref().map(|[(first, _), (second, _)]| {
        std::array::from_fn(|i| std::array::from_fn(|j| first[i] * second[j]))
    });
    let mut points = Vec::with_capacity(BEZOUT);
    // Equation k vanishes by its first circle, k, or all by their second, k + 1.
    for second in [0, 1] {
        for choice in 0..8_usize {
            let mut point = [Complex::ZERO; 6];
            for (k, factors) in factors.iter().enumerate() {
                let root = factors[second].1[choice >> k & 1];
                let circle = [PAIRS[k].0, PAIRS[k].1][second];
                point[2 * circle] = root[0];
                point[2 * circle + 1] = root[1];
            }
            points.push(point);
        }
    }
    (forms, points)
}

/// How the search on three circles ended.
pub(super) struct OnCircles {
    /// Certified solutions, all different.
    pub solutions: usize,
    /// Cosine and sine on each circle of the real ones.
    pub real: Vec<[[f64; 2]; 3]>,
}

/// Every way to put a triangle with these sides (between 1 and 2, 2 and 3, 3 and 1) on three circles, in units of about
/// the size of the circles.
pub(super) fn triangles(
    circles: &[Circle; 3],
    sides: [f64; 3],
    random: &mut Random,
    work: &mut PathWork,
) -> OnCircles {
    let mut best = OnCircles { solutions: 0, real: Vec::new() };
    let mut tolerance = 1e-3;
    for attempt in 0..4 {
        work.repetitions += usize::from(attempt > 0);
        let mut k = 0;
        let target = PAIRS.map(|(i, j)| {
            let form = closure(&circles[i], &circles[j], sides[k]);
            k += 1;
            let size = form.iter().flatten().map(|c| c.norm_sq()).sum::<f64>().sqrt();
            let factor = Complex::unit(random.uniform(0.0, std::f64::consts::TAU)).scaled(1.0 / size);
            form.map(|row| row.map(|c| c * factor))
        });
        let (forms, starts) = start(random);
        let change = std::array::from_fn(|e| {
            std::array::from_fn(|i| std::array::from_fn(|j| forms[e][i][j] - target[e][i][j]))
        });
        let closures = Closures { target, change };
        let mut found: Vec<Judged> = Vec::new();
        for start in &starts {
            if let PathEnd::Solution(x) = (Tracker { tolerance }).follow(&closures, start, work)
                && let Some(one) = closures.judged(&x)
                && found.iter().all(|other| differ(&one, other))
            {
                found.push(one);
            }
        }
        if found.len() > best.solutions || attempt == 0 {
            let real = found.iter().filter(|one| is_real(one)).map(|one| angles(&one.x)).collect();
            best = OnCircles { solutions: found.len(), real };
        }
        if best.solutions == BEZOUT {
            break;
        }
        tolerance *= 0.3;
    }
    best
}

/// Whether two solutions differ on a circle by more than both balls.
fn differ(a: &Judged, b: &Judged) -> bool {
    (0..3).any(|k| {
        let ([p, q], [r, s]) = (coordinates(&a.x, k), coordinates(&b.x, k));
        (p * s - q * r).norm() > 1.1 * (a.existence + b.existence) + 1e-14
    })
}

/// Whether a solution is a real posture: its conjugate (ȳ, x̄) is in the ball where it is the only one.
fn is_real(one: &Judged) -> bool {
    let mut conjugate = one.x;
    for group in conjugate.chunks_exact_mut(2) {
        (group[0], group[1]) = (group[1].conj(), group[0].conj());
    }
    let patch = one.x.map(Complex::conj);
    let other = on_patch::<6, Closures>(&patch, &conjugate);
    norm(&minus(&other, &one.x)) + 8.0 * one.existence < one.uniqueness
}

/// cos θ + i sin θ = x/y on each circle.
fn angles(x: &Point) -> [[f64; 2]; 3] {
    std::array::from_fn(|k| {
        let [x, y] = coordinates(x, k);
        let turn = x * y.conj();
        let size = turn.norm();
        [turn.re / size, turn.im / size]
    })
}

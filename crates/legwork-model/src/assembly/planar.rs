//! A platform in the plane on three legs that end on circles: 3-RPR, 3-RRR and the like with locked motors.
//!
//! With leg 1 at both origins, m_i = R a_i − b_i and k_i = L_i² − L_1² − |a_i|² − |b_i|² + 2 b_i·R a_i:
//!
//! ```text
//! (1) 2 p·m_i = k_i,  i = 2, 3                        differences of the circles
//! (2) |k_2 m_3 − k_3 m_2|² = 4 L_1² D²,  D = m_2 × m_3    a polynomial of degree 3 in cos θ and sin θ
//! (3) p = (k_3 J m_2 − k_2 J m_3)/(2 D),  J a quarter turn
//! ```
//!
//! In z = exp(iθ) (2) is a sextic. Where D = 0 a root is no posture unless the lines (1) are the same.

use super::complex::{Complex, complex};
use super::statement::Completeness;

/// One leg: the platform's point on a circle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarLeg {
    /// In the platform's frame \[m\].
    pub point: [f64; 2],
    /// In the base's frame \[m\].
    pub center: [f64; 2],
    /// L \[m\]
    pub radius: f64,
}

impl PlanarLeg {
    /// How far a pose misses it \[m\].
    pub fn gap(&self, position: [f64; 2], angle: f64) -> f64 {
        let ((sin, cos), [x, y]) = (angle.sin_cos(), self.point);
        let at = [cos * x - sin * y + position[0], sin * x + cos * y + position[1]];
        let away = [at[0] - self.center[0], at[1] - self.center[1]];
        dot(away, away).sqrt() - self.radius
    }
}

/// Where a platform in the plane can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlanarPose {
    /// Platform origin \[m\].
    pub position: [f64; 2],
    /// θ \[rad\]
    pub angle: f64,
    /// Whether two or more assembly modes meet there.
    pub is_singular: bool,
}

fn cross(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[1] - a[1] * b[0]
}

fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// The robot with leg 1 at both origins, in units of its size.
struct Reduced {
    a: [[f64; 2]; 2],
    b: [[f64; 2]; 2],
    lengths: [f64; 3],
}

/// What (1) says at one angle.
struct Lines {
    m: [[f64; 2]; 2],
    k: [f64; 2],
    d: f64,
}

impl Reduced {
    fn lines(&self, cos: f64, sin: f64) -> Lines {
        let turned = |v: [f64; 2]| [cos * v[0] - sin * v[1], sin * v[0] + cos * v[1]];
        let mut m = [[0.0; 2]; 2];
        let mut k = [0.0; 2];
        for i in 0..2 {
            let (a, b) = (turned(self.a[i]), self.b[i]);
            m[i] = [a[0] - b[0], a[1] - b[1]];
            let (own, first) = (self.lengths[i + 1], self.lengths[0]);
            k[i] = own * own - first * first - dot(a, a) - dot(b, b) + 2.0 * dot(b, a);
        }
        Lines { d: cross(m[0], m[1]), m, k }
    }

    /// The left side of (2) less the right.
    fn value(&self, cos: f64, sin: f64) -> f64 {
        let Lines { m, k, d } = self.lines(cos, sin);
        let v = [k[0] * m[1][0] - k[1] * m[0][0], k[0] * m[1][1] - k[1] * m[0][1]];
        let first = self.lengths[0];
        dot(v, v) - 4.0 * first * first * d * d
    }

    /// The coefficients of z⁻³ … z³ in (2), from its values at eight angles.
    fn coefficients(&self) -> [Complex; 7] {
        let angle = |j: usize| std::f64::consts::TAU * j as f64 / 8.0;
        let values: [f64; 8] = std::array::from_fn(|j| self.value(angle(j).cos(), angle(j).sin()));
        std::array::from_fn(|k| {
            let power = k as f64 - 3.0;
            values.iter().enumerate().fold(Complex::ZERO, |sum, (j, value)| {
                sum + Complex::unit(-power * angle(j)).scaled(value / 8.0)
            })
        })
    }

    /// |D| at a complex z, over its largest possible size: zero at roots that are no postures.
    fn relative_d(&self, z: Complex) -> f64 {
        let over = z.inverse();
        let (cos, sin) = ((z + over).scaled(0.5), (z - over) * complex(0.0, -0.5));
        let m: [[Complex; 2]; 2] = std::array::from_fn(|i| {
            let ([x, y], b) = (self.a[i], self.b[i]);
            [
                cos.scaled(x) - sin.scaled(y) - complex(b[0], 0.0),
                sin.scaled(x) + cos.scaled(y) - complex(b[1], 0.0),
            ]
        });
        let d = m[0][0] * m[1][1] - m[0][1] * m[1][0];
        let size = |v: [f64; 2]| dot(v, v).sqrt();
        let scale = (0..2).map(|i| size(self.a[i]) + size(self.b[i])).product::<f64>();
        d.norm() / scale / cos.norm().max(1.0)
    }
}

/// All roots of Σ cₖ zᵏ by the method of Weierstrass, polished.
pub(super) fn roots(coefficients: &[Complex]) -> Vec<Complex> {
    let degree = coefficients.len() - 1;
    let lead = coefficients[degree].inverse();
    let monic: Vec<Complex> = coefficients.iter().map(|c| *c * lead).collect();
    let value = |z: Complex| monic.iter().rev().fold(Complex::ZERO, |sum, c| sum * z + *c);
    let radius =
        1.0 + monic[..degree].iter().map(|c| c.norm()).fold(0.0, |a: f64, b| if b > a { b } else { a });
    let start = complex(0.4, 0.9).scaled(radius.min(2.0));
    let mut z: Vec<Complex> =
        (0..degree).map(|k| (0..k).fold(complex(1.0, 0.3), |power, _| power * start)).collect();
    for _ in 0..400 {
        let mut moved: f64 = 0.0;
        for k in 0..degree {
            let apart =
                (0..degree).filter(|j| *j != k).fold(Complex::ONE, |product, j| product * (z[k] - z[j]));
            let step = value(z[k]) * apart.inverse();
            z[k] -= step;
            moved = moved.max(step.norm() / (1.0 + z[k].norm()));
        }
        if !(moved > 1e-15) {
            break;
        }
    }
    z
}

/// Every pose of the platform, and what may be said of the list.
pub fn planar_poses(legs: &[PlanarLeg; 3]) -> (Vec<PlanarPose>, Completeness) {
    let away = |p: [f64; 2], q: [f64; 2]| [p[0] - q[0], p[1] - q[1]];
    let [first, second, third] = legs;
    let lengths = legs.map(|leg| leg.radius);
    let a = [second, third].map(|leg| away(leg.point, first.point));
    let b = [second, third].map(|leg| away(leg.center, first.center));
    let squares = a.iter().chain(&b).map(|v| dot(*v, *v)).chain(lengths.map(|l| l * l));
    let size = (squares.sum::<f64>() / 7.0).sqrt();
    let scaled = |v: [f64; 2]| [v[0] / size, v[1] / size];
    let robot = Reduced { a: a.map(scaled), b: b.map(scaled), lengths: lengths.map(|l| l / size) };
    let mut coefficients = robot.coefficients().to_vec();
    let largest = coefficients.iter().map(|c| c.norm()).fold(0.0, |a: f64, b| if b > a { b } else { a });
    if !(largest > 1e-13) {
        return (Vec::new(), Completeness::NoFiniteSet);
    }
    // Conjugate coefficients at both ends: they vanish together.
    while coefficients.len() > 3 && coefficients[0].norm() < 1e-13 * largest {
        coefficients.remove(0);
        coefficients.pop();
    }
    let degree = coefficients.len() - 1;
    let all = roots(&coefficients);
    let mut poses: Vec<PlanarPose> = Vec::new();
    let mut spurious = 0;
    let mut moves = false;
    for z in &all {
        let is_flat = robot.relative_d(*z) < 1e-6;
        if (z.norm() - 1.0).abs() > 1e-5 {
            spurious += usize::from(is_flat);
            continue;
        }
        let twin = all.iter().filter(|other| (**other - *z).norm() < 1e-4).count() > 1;
        let angle = polished(&robot, z.im.atan2(z.re), twin);
        let (sin, cos) = angle.sin_cos();
        let Lines { m, k, d } = robot.lines(cos, sin);
        let mut found = Vec::new();
        if is_flat {
            // The lines (1) are parallel, or there are none: are they the same?
            let (i, other) = if dot(m[0], m[0]) > dot(m[1], m[1]) { (0, 1) } else { (1, 0) };
            let length = dot(m[i], m[i]);
            if length < 1e-12 {
                moves |= k.iter().all(|k| k.abs() < 1e-9);
            } else if (k[other] - k[i] * dot(m[i], m[other]) / length).abs() < 1e-9 {
                let foot = [m[i][0] * k[i] / (2.0 * length), m[i][1] * k[i] / (2.0 * length)];
                let rest = robot.lengths[0].powi(2) - dot(foot, foot);
                if rest >= 0.0 {
                    let along = (rest / length).sqrt();
                    for side in [1.0, -1.0] {
                        found.push([foot[0] - side * along * m[i][1], foot[1] + side * along * m[i][0]]);
                    }
                }
            }
        } else {
            // (3)
            let over = 0.5 / d;
            found.push([(k[0] * m[1][1] - k[1] * m[0][1]) * over, (k[1] * m[0][0] - k[0] * m[1][0]) * over]);
        }
        let before = poses.len();
        for p in found {
            let off = |i: usize| {
                let at = if i == 0 { p } else { [p[0] + m[i - 1][0], p[1] + m[i - 1][1]] };
                (dot(at, at).sqrt() - robot.lengths[i]).abs()
            };
            let bar = if twin { 1e-5 } else { 1e-8 };
            let point =
                [cos * first.point[0] - sin * first.point[1], sin * first.point[0] + cos * first.point[1]];
            let position: [f64; 2] = std::array::from_fn(|i| p[i] * size + first.center[i] - point[i]);
            let near = |other: &PlanarPose| {
                (other.angle - angle).abs() < 1e-7
                    && (0..2).all(|i| (other.position[i] - position[i]).abs() < 1e-7 * size)
            };
            if (0..3).all(|i| off(i) < bar) && !poses.iter().any(near) {
                poses.push(PlanarPose { position, angle, is_singular: twin && !is_flat });
            }
        }
        spurious += usize::from(is_flat && poses.len() == before);
    }
    let real = poses.len();
    let singular = poses.iter().filter(|pose| pose.is_singular).count();
    let completeness = if moves {
        Completeness::Moves { paths: 2, of: degree }
    } else if singular > 0 {
        Completeness::SingularEnds {
            solutions: degree - spurious - 2 * singular,
            paths: 2 * singular,
            real: real - singular,
        }
    } else {
        Completeness::Degree { degree, spurious, real }
    };
    (poses, completeness)
}

/// Newton's method on (2), whose derivative is taken by the complex step of its Laurent sum; a double root stays.
fn polished(robot: &Reduced, start: f64, twin: bool) -> f64 {
    let mut angle = start;
    if twin {
        return angle;
    }
    let coefficients = robot.coefficients();
    for _ in 0..4 {
        let slope = coefficients.iter().enumerate().fold(0.0, |sum, (k, c)| {
            let power = k as f64 - 3.0;
            sum + (*c * Complex::unit(power * angle) * complex(0.0, power)).re
        });
        let step = robot.value(angle.cos(), angle.sin()) / slope;
        if !(step.abs() < 1e-4) {
            break;
        }
        angle -= step;
    }
    angle
}

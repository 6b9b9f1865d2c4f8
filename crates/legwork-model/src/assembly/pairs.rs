//! Legs in pairs at three points: each point moves on the circle where two spheres, or a sphere and a plane, meet.

use super::circles::Circle;
use super::form::Constraint;

/// Three points of the platform and their circles.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Paired {
    pub points: [[f64; 3]; 3],
    pub circles: [Circle; 3],
}

/// What pairs of legs come to.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::large_enum_variant)] // one at a time, on the stack
pub(super) enum Pairing {
    /// Three circles.
    Circles(Paired),
    /// Two surfaces of a pair do not meet: no real pose.
    Apart,
    /// The legs are not in pairs, or a circle is a point.
    None,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn minus(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] - b[k])
}

fn scaled(a: [f64; 3], factor: f64) -> [f64; 3] {
    a.map(|x| x * factor)
}

fn unit(a: [f64; 3]) -> [f64; 3] {
    scaled(a, 1.0 / dot(a, a).sqrt())
}

/// Two unit vectors at right angles to a third.
fn across(n: [f64; 3]) -> [[f64; 3]; 2] {
    let axis = if n[0].abs() < 0.8 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let u = unit(cross(n, axis));
    [u, cross(n, u)]
}

/// The platform's point of a constraint.
fn point(constraint: &Constraint) -> Option<[f64; 3]> {
    match constraint {
        Constraint::Sphere { point, .. } | Constraint::Plane { point, .. } => Some(*point),
        Constraint::Face { .. } => None,
    }
}

/// The circle of two constraints at one point; the error is that they do not meet.
fn circle(a: &Constraint, b: &Constraint) -> Option<Result<Circle, ()>> {
    let (center, radius, normal, height) = match (a, b) {
        (
            Constraint::Sphere { center, radius, .. },
            Constraint::Sphere { center: other, radius: other_radius, .. },
        ) => {
            let between = minus(*other, *center);
            let length = dot(between, between).sqrt();
            if !(length > 1e-9 * radius.max(*other_radius)) {
                return None;
            }
            let height = 0.5 * (length + (radius - other_radius) * (radius + other_radius) / length);
            (*center, *radius, scaled(between, 1.0 / length), height)
        }
        (Constraint::Sphere { center, radius, .. }, Constraint::Plane { normal, distance, .. })
        | (Constraint::Plane { normal, distance, .. }, Constraint::Sphere { center, radius, .. }) => {
            (*center, *radius, *normal, distance - dot(*normal, *center))
        }
        _ => return None,
    };
    let square = (radius - height) * (radius + height);
    if square < -1e-12 * radius * radius {
        return Some(Err(()));
    }
    if square < 1e-12 * radius * radius {
        return None; // a point, to rounding
    }
    let middle = std::array::from_fn(|k| center[k] + height * normal[k]);
    Some(Ok(Circle { center: middle, radius: square.sqrt(), directions: across(normal) }))
}

/// Whether the legs are in pairs at three points of the platform that are no line.
pub(super) fn pairing(constraints: &[Constraint; 6]) -> Pairing {
    let Some(points) = constraints.iter().map(point).collect::<Option<Vec<_>>>() else {
        return Pairing::None;
    };
    let near =
        |i: usize, j: usize| minus(points[i], points[j]).iter().all(|x| x.abs() < 1e-14 * size(&points));
    let mut left: Vec<usize> = (0..6).collect();
    let mut found = Vec::new();
    let mut apart = false;
    while let Some(i) = left.first().copied() {
        left.remove(0);
        let Some(place) = left.iter().position(|j| near(i, *j)) else { return Pairing::None };
        let j = left.remove(place);
        match circle(&constraints[i], &constraints[j]) {
            None => return Pairing::None,
            Some(Err(())) => apart = true,
            Some(Ok(circle)) => found.push((points[i], circle)),
        }
    }
    if apart {
        return Pairing::Apart;
    }
    let [a, b, c] = found[..] else { return Pairing::None };
    let area = cross(minus(b.0, a.0), minus(c.0, a.0));
    if !(dot(area, area).sqrt() > 1e-6 * size(&points).powi(2)) {
        return Pairing::None;
    }
    Pairing::Circles(Paired { points: [a.0, b.0, c.0], circles: [a.1, b.1, c.1] })
}

fn size(points: &[[f64; 3]]) -> f64 {
    points.iter().flatten().map(|x| x.abs()).fold(0.0, |a: f64, b| if b > a { b } else { a })
}

impl Paired {
    /// Lengths that the equations are made in units of.
    pub fn size(&self) -> f64 {
        let [a, b, c] = self.sides();
        let radii = self.circles.iter().map(|circle| circle.radius).sum::<f64>();
        (radii + a + b + c) / 6.0
    }

    /// Between 1 and 2, 2 and 3, 3 and 1.
    pub fn sides(&self) -> [f64; 3] {
        let [a, b, c] = self.points;
        [minus(b, a), minus(c, b), minus(a, c)].map(|side| dot(side, side).sqrt())
    }

    /// The circles about their middle, in units of the size.
    pub fn scaled_circles(&self) -> [Circle; 3] {
        let over = 1.0 / self.size();
        let middle: [f64; 3] =
            std::array::from_fn(|k| self.circles.iter().map(|c| c.center[k]).sum::<f64>() / 3.0);
        self.circles.map(|circle| Circle {
            center: scaled(minus(circle.center, middle), over),
            radius: circle.radius * over,
            ..circle
        })
    }

    /// The pose that puts the three points where the angles say, by rows.
    pub fn pose(&self, angles: &[[f64; 2]; 3]) -> ([f64; 3], [[f64; 3]; 3]) {
        let there: [[f64; 3]; 3] = std::array::from_fn(|k| self.circles[k].at(angles[k][0], angles[k][1]));
        let frame = |[a, b, c]: [[f64; 3]; 3]| {
            let x = unit(minus(b, a));
            let z = unit(cross(x, minus(c, a)));
            [x, cross(z, x), z]
        };
        let (from, to) = (frame(self.points), frame(there));
        let rotation: [[f64; 3]; 3] =
            std::array::from_fn(|i| std::array::from_fn(|j| (0..3).map(|k| to[k][i] * from[k][j]).sum()));
        let turned: [f64; 3] = std::array::from_fn(|i| dot(rotation[i], self.points[0]));
        (minus(there[0], turned), rotation)
    }
}

//! A platform that does not turn: Deltas, and five-bars in their plane.
//!
//! ```text
//! (1) |p − c_i|² = L_i²  or  n_i·p = δ_i                three of them
//! (2) 2 (c_i − c_1)·p = |c_i|² − |c_1|² − L_i² + L_1²   differences of spheres are planes
//! ```
//!
//! Two planes are a line, and a line meets the first sphere twice at most.

use super::statement::Completeness;

/// What a leg asks of the platform's origin.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum OriginConstraint {
    /// On a sphere \[m\].
    Sphere {
        /// Its centre.
        center: [f64; 3],
        /// Its radius.
        radius: f64,
    },
    /// In a plane n·p = δ.
    Plane {
        /// Its unit normal.
        normal: [f64; 3],
        /// δ \[m\]
        distance: f64,
    },
}

impl OriginConstraint {
    /// How far a place of the origin misses it \[m\].
    pub fn gap(&self, position: [f64; 3]) -> f64 {
        match self {
            Self::Sphere { center, radius } => {
                let away = combined(position, -1.0, *center);
                dot(away, away).sqrt() - radius
            }
            Self::Plane { normal, distance } => dot(*normal, position) - distance,
        }
    }
}

/// Where the origin can be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OriginPlace {
    /// \[m\]
    pub position: [f64; 3],
    /// Whether two assembly modes meet there.
    pub is_singular: bool,
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn combined(a: [f64; 3], factor: f64, b: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|k| a[k] + factor * b[k])
}

/// Every place of the origin under three constraints, of which one at least is a sphere.
pub fn origin_places(constraints: &[OriginConstraint; 3]) -> (Vec<OriginPlace>, Completeness) {
    let none = |real: usize| Completeness::ClosedForm { real };
    let Some((first, radius, place)) =
        constraints.iter().enumerate().find_map(|(k, constraint)| match constraint {
            OriginConstraint::Sphere { center, radius } => Some((*center, *radius, k)),
            OriginConstraint::Plane { .. } => None,
        })
    else {
        return (Vec::new(), Completeness::NoFiniteSet);
    };
    // Planes n·(p − c_1) = δ, with unit normals; about the first centre, so that no digits are lost.
    let mut planes = Vec::new();
    let mut size = radius;
    for (_, constraint) in constraints.iter().enumerate().filter(|(k, _)| *k != place) {
        match constraint {
            OriginConstraint::Sphere { center, radius: other } => {
                let between = combined(*center, -1.0, first);
                let length = dot(between, between).sqrt();
                size = size.max(length).max(*other);
                // (2)
                let right = 0.5 * (length * length - (other - radius) * (other + radius));
                planes.push((between, length, right));
            }
            OriginConstraint::Plane { normal, distance } => {
                planes.push((*normal, 1.0, distance - dot(*normal, first)));
            }
        }
    }
    let [(n1, l1, d1), (n2, l2, d2)] = planes[..] else { return (Vec::new(), Completeness::NoFiniteSet) };
    let tiny = 1e-12;
    let direction = cross(n1, n2);
    let volume = dot(direction, direction);
    if !(volume.sqrt() > tiny * l1 * l2) || !(l1 > tiny * size.min(1.0).max(l1 * 0.5)) || !(l2 > 0.0) {
        // Centres in a line or planes that are parallel: a circle, or nothing.
        let apart = (d1 * dot(n1, n2) / (l1 * l1) - d2).abs() / (l2 * size);
        let moves = apart < 1e-9 || apart.is_nan();
        return if moves {
            (Vec::new(), Completeness::Moves { paths: 2, of: 2 })
        } else {
            (Vec::new(), none(0))
        };
    }
    // The foot of the line: n1·f = d1, n2·f = d2.
    let foot_1 = cross(n2, direction);
    let foot_2 = cross(direction, n1);
    let foot: [f64; 3] = std::array::from_fn(|k| (d1 * foot_1[k] + d2 * foot_2[k]) / volume);
    let rest = radius * radius - dot(foot, foot);
    let bar = 1e-14 * radius * radius;
    if rest < -bar {
        return (Vec::new(), none(0));
    }
    let at = |factor: f64, is_singular: bool| {
        let position = combined(combined(first, 1.0, foot), factor, direction);
        OriginPlace { position, is_singular }
    };
    if rest <= bar {
        return (vec![at(0.0, true)], Completeness::SingularEnds { solutions: 0, paths: 2, real: 0 });
    }
    let along = (rest / volume).sqrt();
    (vec![at(along, false), at(-along, false)], none(2))
}

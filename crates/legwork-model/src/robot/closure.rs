//! What legs with locked motors ask of the platform, read from their geometry.
//!
//! A leg whose motors stand still moves its end with the joints that are left: on a sphere if they are hinges whose
//! axes meet, in a plane if their axes are parallel (and slides across them), on a circle if there is one hinge. Hinges
//! through the end itself, one for a universal joint at the platform, two for a hinge and three for a weld, make that
//! joint a ball joint.

use super::dense::PerMotor;
use super::engine::EngineRobot;
use super::engine_model::AnyLeg;
use crate::assembly::{Constraint, OriginConstraint, PlanarLeg};
use legwork_core::engine::{Attachment, JointKind, JointValue, Leg, LegModel};
use legwork_core::{M3, V3};

/// What all legs together ask of the platform.
pub(super) enum Closure {
    /// A platform that moves freely.
    Free(Vec<Constraint>),
    /// A platform with this orientation.
    Translation { rotation: M3<f64>, constraints: Vec<OriginConstraint> },
    /// A platform in a plane: its two axes and its normal, in base axes, and how far along the normal it is.
    Plane { axes: [V3<f64>; 3], height: f64, legs: Vec<PlanarLeg> },
    /// A leg of negative length: nowhere.
    Nowhere,
    /// None of these.
    Other,
}

/// Where the end of a leg can be.
#[derive(Clone, Copy)]
enum Locus {
    Point(V3<f64>),
    Circle { center: V3<f64>, normal: V3<f64>, radius: f64 },
    Sphere { center: V3<f64>, radius: f64 },
    Plane { normal: V3<f64>, distance: f64 },
}

/// What one leg asks.
enum LegClosure {
    /// A point of the platform is somewhere; `carried` is from there to the joint, base axes.
    End {
        point: V3<f64>,
        carried: V3<f64>,
        locus: Locus,
    },
    /// A pin in the plane is on a circle.
    Pin {
        point: V3<f64>,
        center: V3<f64>,
        radius: f64,
    },
    /// A point of the base is in a face of the platform.
    Face {
        point: V3<f64>,
        normal: V3<f64>,
        distance: f64,
    },
    /// The platform has this orientation.
    Turn(M3<f64>),
    Nowhere,
    Other,
}

/// A joint that is left: its axis, a point of it, and whether it turns.
struct Loose {
    turns: bool,
    point: V3<f64>,
    axis: V3<f64>,
}

fn length(v: V3<f64>) -> f64 {
    v.norm_sq().sqrt()
}

impl Loose {
    fn distance(&self, p: V3<f64>) -> f64 {
        length((p - self.point).cross(self.axis))
    }
}

/// Lengths below this part of the leg are none.
const SMALL: f64 = 1e-10;

/// Where the tip is with these joints left; `size` is that of the leg.
fn locus(loose: &[Loose], tip: V3<f64>, size: f64) -> Option<Locus> {
    let [first, rest @ ..] = loose else { return Some(Locus::Point(tip)) };
    if rest.is_empty() {
        let center = first.point + first.axis * first.axis.dot(tip - first.point);
        let radius = length(tip - center);
        return first.turns.then_some(Locus::Circle { center, normal: first.axis, radius });
    }
    let parallel = |axis: V3<f64>| length(axis.cross(first.axis)) < SMALL;
    if loose.iter().all(|joint| joint.turns) {
        if let Some(other) = rest.iter().find(|joint| !parallel(joint.axis)) {
            // The point of the first axis that is closest to the other.
            let (a, b) = (first.axis, other.axis);
            let normal = a.cross(b);
            let along = (other.point - first.point).cross(b).dot(normal) / normal.norm_sq();
            let center = first.point + a * along;
            let meets = loose.iter().all(|joint| joint.distance(center) < SMALL * size);
            return meets.then_some(Locus::Sphere { center, radius: length(tip - center) });
        }
        return Some(Locus::Plane { normal: first.axis, distance: first.axis.dot(tip) });
    }
    // A plane: hinges across it, slides in it. Two slides alone span it.
    let normal = if let Some(hinge) = loose.iter().find(|joint| joint.turns) {
        hinge.axis
    } else {
        let other = rest.iter().find(|joint| !parallel(joint.axis))?;
        let normal = first.axis.cross(other.axis);
        normal * (1.0 / length(normal))
    };
    let fits = |joint: &Loose| {
        if joint.turns {
            length(joint.axis.cross(normal)) < SMALL
        } else {
            joint.axis.dot(normal).abs() < SMALL
        }
    };
    loose.iter().all(fits).then_some(Locus::Plane { normal, distance: normal.dot(tip) })
}

/// What a chain with its motors at `q` asks.
fn of_chain<const N: usize>(leg: &Leg<f64, N>, q: &[f64]) -> LegClosure {
    let mut motors = q.iter();
    let values = leg.chain.links.map(|link| {
        let q = if link.active { motors.next().copied().unwrap_or(f64::NAN) } else { 0.0 };
        JointValue::of(link.kind, q)
    });
    let posture = leg.chain.posture(&values);
    let tip = posture.point;
    let size = leg.chain.size(tip, tip);
    let mut loose: Vec<Loose> = Vec::new();
    for (link, frame) in leg.chain.links.iter().zip(&posture.frames).filter(|(link, _)| !link.active) {
        let turns = link.kind == JointKind::Revolute;
        loose.push(Loose { turns, point: frame.position, axis: frame.rotation.columns().z });
    }
    // Hinges through the end belong to the joint there.
    let mut wrist = 0;
    while loose.last().is_some_and(|joint| joint.turns && joint.distance(tip) < SMALL * size) {
        loose.pop();
        wrist += 1;
    }
    let end = |point: V3<f64>, carried: V3<f64>, needed: usize| match locus(&loose, tip, size) {
        Some(locus) if wrist == needed => LegClosure::End { point, carried, locus },
        _ => LegClosure::Other,
    };
    let zero = V3::zero();
    match leg.attachment {
        Attachment::Spherical { point } => end(point, zero, 0),
        Attachment::Carried { hub, point } => end(hub, point, 0),
        Attachment::Universal { point, .. } => end(point, zero, 1),
        Attachment::Revolute { point, .. } => end(point, zero, 2),
        Attachment::Fixed { frame } => end(frame.position, zero, 3),
        Attachment::Planar { point, directions: [u, v] } => match locus(&loose, tip, size) {
            Some(Locus::Circle { center, normal, radius }) if length(u.cross(v).cross(normal)) < SMALL => {
                LegClosure::Pin { point, center, radius }
            }
            _ => LegClosure::Other,
        },
        Attachment::Sliding { normal, distance } if loose.is_empty() && wrist == 0 => {
            LegClosure::Face { point: tip, normal, distance }
        }
        Attachment::Turning { frame, .. } if N == 1 && loose.is_empty() => {
            let turned = posture.frames.first().map(|own| own.rotation * frame.transpose());
            turned.map_or(LegClosure::Other, LegClosure::Turn)
        }
        Attachment::Sliding { .. } | Attachment::Turning { .. } => LegClosure::Other,
    }
}

fn of_leg(leg: &AnyLeg, q: &[f64]) -> LegClosure {
    match leg {
        AnyLeg::One(leg) => of_chain(leg, q),
        AnyLeg::Two(leg) => of_chain(leg, q),
        AnyLeg::Three(leg) => of_chain(leg, q),
        AnyLeg::Four(leg) => of_chain(leg, q),
        AnyLeg::Five(leg) => of_chain(leg, q),
        AnyLeg::Six(leg) => of_chain(leg, q),
        AnyLeg::Ups(leg) => {
            let radius = leg.length_at(q.first().copied().unwrap_or(f64::NAN));
            if radius > 0.0 {
                let locus = Locus::Sphere { center: leg.base, radius };
                LegClosure::End { point: leg.platform_point, carried: V3::zero(), locus }
            } else {
                LegClosure::Nowhere
            }
        }
    }
}

/// x, y and z as planes through a point.
fn planes_through(p: V3<f64>) -> [(V3<f64>, f64); 3] {
    let axis = |k: usize| V3::from(std::array::from_fn(|i| f64::from(u8::from(i == k))));
    [0, 1, 2].map(|k| (axis(k), axis(k).dot(p)))
}

impl Locus {
    /// As constraints of a point of the platform.
    fn constraints(self, point: V3<f64>, carried: V3<f64>) -> Vec<Constraint> {
        let point = point.to_array();
        let sphere = |center: V3<f64>, radius: f64| Constraint::Sphere {
            point,
            center: (center - carried).to_array(),
            radius,
        };
        let plane = |normal: V3<f64>, distance: f64| {
            let distance = distance - normal.dot(carried);
            Constraint::Plane { point, normal: normal.to_array(), distance }
        };
        match self {
            Self::Sphere { center, radius } => vec![sphere(center, radius)],
            Self::Plane { normal, distance } => vec![plane(normal, distance)],
            Self::Circle { center, normal, radius } => {
                vec![sphere(center, radius), plane(normal, normal.dot(center))]
            }
            Self::Point(p) => planes_through(p).map(|(normal, distance)| plane(normal, distance)).to_vec(),
        }
    }
}

/// A constraint of a point, as one of the origin of a platform that does not turn.
fn of_origin(constraint: &Constraint, rotation: &M3<f64>) -> Option<OriginConstraint> {
    match *constraint {
        Constraint::Sphere { point, center, radius } => {
            let center = (V3::from(center) - *rotation * V3::from(point)).to_array();
            Some(OriginConstraint::Sphere { center, radius })
        }
        Constraint::Plane { point, normal, distance } => {
            let distance = distance - V3::from(normal).dot(*rotation * V3::from(point));
            Some(OriginConstraint::Plane { normal, distance })
        }
        Constraint::Face { .. } => None,
    }
}

impl EngineRobot {
    /// What the legs ask of the platform with the motors at `q`.
    pub(super) fn closure(&self, q: &PerMotor) -> Closure {
        let mut rest = &q[..self.joints().len()];
        let mut legs = Vec::new();
        for leg in self.legs() {
            let (own, others) = rest.split_at(leg.active_joints().min(rest.len()));
            rest = others;
            legs.push(of_leg(leg, own));
        }
        if legs.iter().any(|leg| matches!(leg, LegClosure::Nowhere)) {
            return Closure::Nowhere;
        }
        let freedoms: Vec<usize> = self.freedoms().iter().map(|freedom| freedom.component).collect();
        let found = match freedoms.as_slice() {
            [0, 1, 2, 3, 4, 5] => free(&legs),
            [0, 1, 2] => translation(&legs, self.home_pose().rotation),
            [0, 1, 2, _] => {
                let turns: Vec<_> = legs
                    .iter()
                    .filter_map(|leg| if let LegClosure::Turn(r) = leg { Some(*r) } else { None })
                    .collect();
                if let [rotation] = turns[..] { translation(&legs, rotation) } else { None }
            }
            [a, b, turn @ ..] if *b < 3 => self.in_plane(&legs, [*a, *b], turn),
            _ => None,
        };
        found.unwrap_or(Closure::Other)
    }

    /// Pins on circles, of a platform that turns in the plane or does not.
    fn in_plane(&self, legs: &[LegClosure], [a, b]: [usize; 2], turn: &[usize]) -> Option<Closure> {
        let home = self.home_pose();
        let third = 3 - a - b;
        let axis = |k: usize| V3::from(std::array::from_fn(|i| f64::from(u8::from(i == k))));
        let axes = [axis((third + 1) % 3), axis((third + 2) % 3), axis(third)];
        let [u, v, normal] = axes;
        let height = normal.dot(home.position);
        let mut pins = Vec::new();
        for leg in legs {
            let LegClosure::Pin { point, center, radius } = leg else { return None };
            let turned = home.rotation * *point;
            let flat = |w: V3<f64>| [u.dot(w), v.dot(w)];
            pins.push(PlanarLeg { point: flat(turned), center: flat(*center), radius: *radius });
        }
        match turn {
            [about] if *about == third + 3 => Some(Closure::Plane { axes, height, legs: pins }),
            [] => {
                let circle = |pin: &PlanarLeg| {
                    let [x, y] = [0, 1].map(|k| pin.center[k] - pin.point[k]);
                    let center = (u * x + v * y + normal * height).to_array();
                    OriginConstraint::Sphere { center, radius: pin.radius }
                };
                let mut constraints: Vec<_> = pins.iter().map(circle).collect();
                constraints.push(OriginConstraint::Plane { normal: normal.to_array(), distance: height });
                Some(Closure::Translation { rotation: home.rotation, constraints })
            }
            _ => None,
        }
    }
}

fn free(legs: &[LegClosure]) -> Option<Closure> {
    let mut constraints = Vec::new();
    for leg in legs {
        match leg {
            LegClosure::End { point, carried, locus } => {
                constraints.extend(locus.constraints(*point, *carried));
            }
            LegClosure::Face { point, normal, distance } => {
                let (point, normal) = (point.to_array(), normal.to_array());
                constraints.push(Constraint::Face { point, normal, distance: *distance });
            }
            _ => return None,
        }
    }
    (constraints.len() == 6).then_some(Closure::Free(constraints))
}

fn translation(legs: &[LegClosure], rotation: M3<f64>) -> Option<Closure> {
    let mut constraints = Vec::new();
    for leg in legs {
        match leg {
            LegClosure::End { point, carried, locus } => {
                for constraint in locus.constraints(*point, *carried) {
                    constraints.push(of_origin(&constraint, &rotation)?);
                }
            }
            LegClosure::Turn(_) => {}
            _ => return None,
        }
    }
    (constraints.len() == 3).then_some(Closure::Translation { rotation, constraints })
}

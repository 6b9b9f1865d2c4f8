//! Simple shapes in place of meshes: a cylinder from the first joint of a link to each other one, or a ball.

use super::tree::{Link, Tree};
use legwork_core::V3;
use legwork_core::engine::{Pose, frame_with_z};

/// A shape in the frame of its link.
pub(super) enum Shape {
    /// From a point to a point; its middle with z along it, and half its length.
    Cylinder {
        middle: Pose<f64>,
        half: f64,
    },
    Ball {
        centre: V3<f64>,
    },
}

/// Thickness in lengths of the robot.
const RADIUS: f64 = 0.01;

pub(super) fn radius(tree: &Tree) -> f64 {
    RADIUS * tree.length
}

/// Where joints are in a link, its own first.
fn points(tree: &Tree, place: usize, link: &Link) -> Vec<V3<f64>> {
    let mut points = vec![link.last.inverse().position];
    for other in tree.links.iter().filter(|other| other.parent == Some(place)) {
        points.push(other.steps.first().map_or(other.last, |step| step.before).position);
    }
    for (end, frame) in tree.closings.iter().flat_map(|closing| &closing.ends) {
        if *end == Some(place) {
            points.push(frame.position);
        }
    }
    if tree.platform.0 == place {
        points.push(tree.platform.1);
    }
    points
}

pub(super) fn shapes(tree: &Tree, place: usize, link: &Link) -> Vec<Shape> {
    let points = points(tree, place, link);
    let Some((first, others)) = points.split_first() else { return Vec::new() };
    let mut shapes: Vec<Shape> = Vec::new();
    for (k, point) in others.iter().enumerate() {
        let along = *point - *first;
        let length = along.norm_sq().sqrt();
        let is_new = |other: &V3<f64>| (*other - *point).norm_sq().sqrt() > 1e-6 * tree.length;
        if length > radius(tree) && others[..k].iter().all(is_new) {
            let middle = Pose::new(frame_with_z(along * (1.0 / length)), (*first + *point) * 0.5);
            shapes.push(Shape::Cylinder { middle, half: 0.5 * length });
        }
    }
    if shapes.is_empty() {
        shapes.push(Shape::Ball { centre: link.body.centre });
    }
    shapes
}

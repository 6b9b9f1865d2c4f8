//! A mechanism as points and lines: each body joins the points of its joints.

use super::super::skeleton::{PartKind, Skeleton};
use super::MechanismRobot;
use crate::description::{MechanismJoint, MechanismJointKind};
use crate::families::blueprint::pose;
use crate::sorting::sort_by;
use legwork_core::engine::Pose;
use std::collections::VecDeque;

/// Points and lines where the bodies are at these poses and the platform point at this one.
pub(super) fn skeleton(robot: &MechanismRobot, bodies: &[Pose<f64>], platform: &Pose<f64>) -> Skeleton {
    let file = &robot.file;
    let base = robot.mounting[0];
    let frame = |body: Option<usize>| body.and_then(|body| bodies.get(body).copied()).unwrap_or(base);
    let mut skeleton = Skeleton::default();
    skeleton.platform = skeleton.point(platform.position);
    // The two points of each joint: one where they always meet.
    let ends: Vec<[usize; 2]> = file
        .joints
        .iter()
        .map(|joint| {
            let on_parent = (frame(joint.parent) * pose(&joint.parent_frame)).position;
            let on_child = (frame(joint.child) * pose(&joint.child_frame)).position;
            let first = skeleton.point(on_parent);
            let slides = matches!(
                joint.kind,
                MechanismJointKind::Prismatic | MechanismJointKind::Cylindrical | MechanismJointKind::Planar
            );
            [first, if slides { skeleton.point(on_child) } else { first }]
        })
        .collect();
    let mut walk = Walk { joints: &file.joints, ends: &ends };
    let legs = walk.legs(file.platform);
    let leg_of = |joint: usize| legs.iter().position(|leg| leg.contains(&joint));
    // What stands for the freedoms of a platform is nothing to be seen.
    let is_guide = |body: Option<usize>| file.is_guide(body);
    for (k, joint) in file.joints.iter().enumerate() {
        if is_guide(joint.parent) || is_guide(joint.child) {
            continue;
        }
        let [from, to] = ends[k];
        if joint.motor.is_some() {
            skeleton.motors.push(from);
        }
        if from != to {
            let on_ground = joint.parent.is_none() || joint.child.is_none();
            let kind = if on_ground { PartKind::Rail } else { PartKind::Slide };
            skeleton.part(kind, leg_of(k), vec![from, to]);
        }
    }
    for body in (0..file.bodies.len()).filter(|body| !is_guide(Some(*body))) {
        let points = walk.points_of(Some(body));
        let leg = file
            .joints
            .iter()
            .position(|joint| joint.parent == Some(body) || joint.child == Some(body))
            .and_then(leg_of);
        if body == file.platform {
            let centre = skeleton.platform;
            if points.len() == 1 {
                skeleton.part(PartKind::Platform, None, vec![points[0], centre]);
            } else if let Some(first) = points.first().copied() {
                skeleton.part(PartKind::Platform, None, walk.around(Some(body)));
                skeleton.part(PartKind::Platform, None, vec![first, centre]);
            }
        } else if points.len() > 1 {
            skeleton.part(PartKind::Link, leg, points);
        }
    }
    skeleton.outline(PartKind::Base, walk.points_of(None), &base);
    skeleton.legs = legs.iter().map(|leg| walk.points_along(leg)).collect();
    skeleton
}

/// The joints as a graph of bodies.
struct Walk<'a> {
    joints: &'a [MechanismJoint],
    ends: &'a [[usize; 2]],
}

impl Walk<'_> {
    /// The points that a body has in its joints.
    fn points_of(&self, body: Option<usize>) -> Vec<usize> {
        let mut points = Vec::new();
        for (joint, [parent, child]) in self.joints.iter().zip(self.ends) {
            for (side, point) in [(joint.parent, parent), (joint.child, child)] {
                if side == body && !points.contains(point) {
                    points.push(*point);
                }
            }
        }
        points
    }

    /// The same points in their order about the z axis of the body through their middle, as the file places them: the
    /// same in every pose.
    fn around(&self, body: Option<usize>) -> Vec<usize> {
        let mut places: Vec<(usize, [f64; 3])> = Vec::new();
        for (joint, [parent, child]) in self.joints.iter().zip(self.ends) {
            let sides =
                [(joint.parent, parent, &joint.parent_frame), (joint.child, child, &joint.child_frame)];
            for (side, point, frame) in sides {
                if side == body && !places.iter().any(|(known, _)| known == point) {
                    places.push((*point, pose(frame).position.to_array()));
                }
            }
        }
        let middle = |k: usize| places.iter().map(|(_, place)| place[k]).sum::<f64>() / places.len() as f64;
        let (x, y) = (middle(0), middle(1));
        let angle = |place: &[f64; 3]| (place[1] - y).atan2(place[0] - x);
        sort_by(&mut places, |(_, a), (_, b)| angle(a).total_cmp(&angle(b)));
        places.into_iter().map(|(point, _)| point).collect()
    }

    /// For each joint of the platform the shortest chain of joints from the base to it.
    fn legs(&mut self, platform: usize) -> Vec<Vec<usize>> {
        let ends = |joint: &MechanismJoint| [joint.parent, joint.child];
        let held = self.joints.iter().enumerate().filter(|(_, joint)| ends(joint).contains(&Some(platform)));
        held.map(|(last, joint)| {
            let inner = if joint.child == Some(platform) { joint.parent } else { joint.child };
            let mut queue = VecDeque::from([(inner, vec![last])]);
            let mut seen = vec![inner, Some(platform)];
            while let Some((body, chain)) = queue.pop_front() {
                if body.is_none() {
                    return chain.into_iter().rev().collect();
                }
                for (k, joint) in self.joints.iter().enumerate() {
                    let [parent, child] = ends(joint);
                    let next = match body {
                        own if own == parent => child,
                        own if own == child => parent,
                        _ => continue,
                    };
                    if !seen.contains(&next) {
                        seen.push(next);
                        queue.push_back((next, [chain.as_slice(), &[k]].concat()));
                    }
                }
            }
            vec![last]
        })
        .collect()
    }

    /// The points along a chain of joints, each once.
    fn points_along(&self, chain: &[usize]) -> Vec<usize> {
        let mut points: Vec<usize> = Vec::new();
        for joint in chain {
            let (Some([parent, child]), Some(own)) = (self.ends.get(*joint), self.joints.get(*joint)) else {
                continue;
            };
            // A carriage on a rail begins its leg.
            let on_ground = own.parent.is_none() || own.child.is_none();
            for point in if on_ground { [child, child] } else { [parent, child] } {
                if points.last() != Some(point) {
                    points.push(*point);
                }
            }
        }
        points
    }
}

//! Which joints of a mechanism are in the tree, and where its loops are opened.

use super::tree::{AtHome, Closing, ClosingKind};
use crate::mechanism::JointType;
use legwork_core::engine::Pose;
use std::collections::VecDeque;

/// Joints one after the other between two bodies, all bodies between them without mass.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The bodies that it connects, `None` for the ground.
    pub ends: [Option<usize>; 2],
    /// Places of the joints from the first end to the other, and whether a joint is passed from child to parent.
    pub joints: Vec<(usize, bool)>,
}

impl Edge {
    fn turned_round(&self) -> Self {
        Self {
            ends: [self.ends[1], self.ends[0]],
            joints: self.joints.iter().rev().map(|(joint, reversed)| (*joint, !reversed)).collect(),
        }
    }
}

/// A link of the tree.
pub(super) struct Placed {
    pub body: usize,
    /// Which part of the body it is.
    pub part: usize,
    /// Place of the link that it hangs on; `None` for the ground.
    pub parent: Option<usize>,
    /// From there to here.
    pub edge: Edge,
}

/// A tree, what closes its loops, and which share of its mass each body has in each of its parts.
pub(super) struct Spanned {
    pub placed: Vec<Placed>,
    pub closings: Vec<Closing>,
    pub shares: Vec<f64>,
}

/// Which bodies are links of their own: all but those without mass between two joints. Where no body has mass, only
/// those are left out whose two joints are at one point.
fn links_of(home: &AtHome<'_>, has_masses: bool, length: f64) -> Vec<bool> {
    let mechanism = home.mechanism;
    let is_link = |(place, body): (usize, &crate::mechanism::BodyDescription)| {
        if body.body.mass > 0.0 || body.name == mechanism.platform {
            return true;
        }
        let own: Vec<_> = mechanism
            .joints
            .iter()
            .filter_map(|joint| match (home.place(&joint.parent), home.place(&joint.child)) {
                (Some(parent), _) if parent == place => Some(joint.parent_frame.position),
                (_, Some(child)) if child == place => Some(joint.child_frame.position),
                _ => None,
            })
            .collect();
        match own.as_slice() {
            [one, other] => !has_masses && (*one - *other).norm_sq().sqrt() > 1e-9 * length,
            _ => true,
        }
    };
    mechanism.bodies.iter().enumerate().map(is_link).collect()
}

/// The joints with the bodies between them that are links.
fn edges_of(home: &AtHome<'_>, is_link: &[bool]) -> Vec<Edge> {
    let joints = &home.mechanism.joints;
    let sides: Vec<[Option<usize>; 2]> =
        joints.iter().map(|joint| [home.place(&joint.parent), home.place(&joint.child)]).collect();
    let ends_there = |side: Option<usize>| side.is_none_or(|body| is_link.get(body).copied().unwrap_or(true));
    let mut used = vec![false; joints.len()];
    let mut edges = Vec::new();
    for start in 0..joints.len() {
        let begins = sides[start].iter().position(|side| ends_there(*side));
        let (false, Some(first)) = (used[start], begins) else { continue };
        let mut edge = Edge { ends: [sides[start][first]; 2], joints: Vec::new() };
        let (mut joint, mut from) = (start, first);
        loop {
            used[joint] = true;
            edge.joints.push((joint, from == 1));
            let there = sides[joint][1 - from];
            edge.ends[1] = there;
            if ends_there(there) {
                break;
            }
            // A body between has one other joint.
            let next = (0..joints.len())
                .filter(|next| !used[*next])
                .find_map(|next| sides[next].iter().position(|side| *side == there).map(|side| (next, side)));
            let Some((next, side)) = next else { break };
            (joint, from) = (next, side);
        }
        edges.push(edge);
    }
    edges
}

fn root(parents: &mut [usize], k: usize) -> usize {
    let mut k = k;
    while parents[k] != k {
        parents[k] = parents[parents[k]];
        k = parents[k];
    }
    k
}

/// A tree of all links, and what closes the loops that it opens.
pub(super) fn spanned(home: &AtHome<'_>, has_masses: bool, length: f64) -> Spanned {
    let mechanism = home.mechanism;
    let bodies = mechanism.bodies.len();
    let edges = edges_of(home, &links_of(home, has_masses, length));
    let is_ball = |edge: &Edge| match edge.joints.as_slice() {
        [(joint, _)] => mechanism.joints.get(*joint).is_some_and(|joint| joint.kind == JointType::Spherical),
        _ => false,
    };
    let node = |side: Option<usize>| side.map_or(0, |body| body + 1);
    let mass = |side: Option<usize>| {
        side.and_then(|body| mechanism.bodies.get(body)).map_or(-1.0, |body| body.body.mass)
    };
    let mut parents: Vec<usize> = (0..=bodies).collect();
    let mut parts = vec![1_usize; bodies];
    // Edges of the tree, with the part of the body at their other end; and balls that are opened.
    let (mut kept, mut opened) = (Vec::<(Edge, usize)>::new(), Vec::<Edge>::new());
    for balls in [false, true] {
        for edge in edges.iter().filter(|edge| is_ball(edge) == balls) {
            let [a, b] = edge.ends.map(|side| root(&mut parents, node(side)));
            if a != b {
                parents[a] = b;
                kept.push((edge.clone(), 0));
            } else if balls {
                opened.push(edge.clone());
            } else {
                // A part more of the heavier body.
                let edge =
                    if mass(edge.ends[0]) > mass(edge.ends[1]) { edge.turned_round() } else { edge.clone() };
                let Some(body) = edge.ends[1] else { continue };
                kept.push((edge, parts[body]));
                parts[body] += 1;
            }
        }
    }
    let mut placed: Vec<Placed> = Vec::new();
    let mut queue = VecDeque::from([(None::<usize>, None::<usize>)]);
    let mut done = vec![false; kept.len()];
    while let Some((body, link)) = queue.pop_front() {
        for (k, (edge, part)) in kept.iter().enumerate() {
            let side = edge.ends.iter().position(|side| *side == body);
            // Nothing hangs on the further parts of a body.
            let (false, Some(side)) = (done[k], side.filter(|side| *part == 0 || *side == 0)) else {
                continue;
            };
            let edge = if side == 0 { edge.clone() } else { edge.turned_round() };
            let Some(there) = edge.ends[1] else { continue };
            done[k] = true;
            placed.push(Placed { body: there, part: *part, parent: link, edge });
            if *part == 0 {
                queue.push_back((Some(there), Some(placed.len() - 1)));
            }
        }
    }
    let link = |body: Option<usize>| {
        body.and_then(|body| placed.iter().position(|one| one.body == body && one.part == 0))
    };
    let mut closings = Vec::new();
    for edge in &opened {
        let Some(joint) = edge.joints.first().and_then(|(joint, _)| mechanism.joints.get(*joint)) else {
            continue;
        };
        let [parent, child] = [home.place(&joint.parent), home.place(&joint.child)];
        closings.push(Closing {
            name: joint.name.clone(),
            kind: ClosingKind::Point,
            ends: [(link(parent), home.parent_frame(joint)), (link(child), joint.child_frame)],
        });
    }
    for (place, one) in placed.iter().enumerate().filter(|(_, one)| one.part > 0) {
        let name = mechanism.bodies.get(one.body).map_or("", |body| body.name.as_str());
        closings.push(Closing {
            name: format!("{name}_weld{}", one.part),
            kind: ClosingKind::Weld,
            ends: [(link(Some(one.body)), Pose::identity()), (Some(place), Pose::identity())],
        });
    }
    #[allow(clippy::cast_precision_loss)] // a handful of parts
    let shares = parts.iter().map(|parts| 1.0 / *parts as f64).collect();
    Spanned { placed, closings, shares }
}

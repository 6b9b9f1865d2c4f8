//! The tree as URDF and SDF have it: one joint of one freedom between two links, the frame of a link that of its joint.

use super::tree::{BALL, Motion, Tree, TreeJoint, axis};
use legwork_core::engine::{Pose, RigidBody};

/// A link with the joint that it hangs on.
pub(super) struct PlainLink {
    pub name: String,
    /// None for the ground.
    pub parent: Option<usize>,
    /// The frame of its joint in that of the parent, the joint at zero.
    pub origin: Pose<f64>,
    /// None for a fixed one.
    pub joint: Option<TreeJoint>,
    /// In its own frame.
    pub body: RigidBody<f64>,
    /// The link of the tree that it is, and the frame of that one in its own.
    pub source: Option<(usize, Pose<f64>)>,
}

/// A tree as plain links.
pub(super) struct Plain {
    pub links: Vec<PlainLink>,
    /// For each link of the tree its plain one.
    pub places: Vec<usize>,
}

/// A ball as three joints that turn, one after the other.
pub(super) fn turns(joint: &TreeJoint) -> Vec<TreeJoint> {
    let Motion::Ball { reversed } = joint.motion else { return vec![joint.clone()] };
    let order = if reversed { [2, 1, 0] } else { [0, 1, 2] };
    order
        .map(|k| TreeJoint {
            name: format!("{}{}", joint.name, BALL[k]),
            motion: Motion::Turn(if reversed { -axis(k) } else { axis(k) }),
            source: (joint.source.0, k),
            ..joint.clone()
        })
        .to_vec()
}

impl Plain {
    pub fn of(tree: &Tree) -> Self {
        let (mut links, mut places): (Vec<PlainLink>, Vec<usize>) = (Vec::new(), Vec::new());
        for (place, link) in tree.links.iter().enumerate() {
            // Where the parent's plain link is, and the frame of its own link there.
            let (mut parent, mut before) = match link.parent.and_then(|parent| places.get(parent)) {
                Some(at) => (
                    Some(*at),
                    links.get(*at).and_then(|one| one.source).map_or_else(Pose::identity, |(_, frame)| frame),
                ),
                None => (None, Pose::identity()),
            };
            let mut joints: Vec<(Pose<f64>, TreeJoint)> = Vec::new();
            for step in &link.steps {
                for (k, joint) in turns(&step.joint).into_iter().enumerate() {
                    joints.push((if k == 0 { step.before } else { Pose::identity() }, joint));
                }
            }
            let count = joints.len();
            let fixed = count == 0;
            for (k, (origin, joint)) in joints.into_iter().enumerate() {
                let is_last = k + 1 == count;
                let (name, body, source) = if is_last {
                    (link.name.clone(), link.body.seen_from(&link.last), Some((place, link.last)))
                } else {
                    (format!("{}_after_{}", link.name, joint.name), RigidBody::massless(), None)
                };
                links.push(PlainLink {
                    name,
                    parent,
                    origin: before * origin,
                    joint: Some(joint),
                    body,
                    source,
                });
                (parent, before) = (Some(links.len() - 1), Pose::identity());
            }
            if fixed {
                links.push(PlainLink {
                    name: link.name.clone(),
                    parent,
                    origin: before * link.last,
                    joint: None,
                    body: link.body,
                    source: Some((place, Pose::identity())),
                });
            }
            places.push(links.len() - 1);
        }
        Self { links, places }
    }

    /// A frame of a link of the tree in that of its plain link; a place there.
    pub fn at(&self, link: Option<usize>, frame: Pose<f64>) -> (Option<usize>, Pose<f64>) {
        let Some(place) = link.and_then(|link| self.places.get(link).copied()) else { return (None, frame) };
        let own = self.links.get(place).and_then(|one| one.source);
        (Some(place), own.map_or(frame, |(_, own)| own * frame))
    }

    pub fn name<'a>(&'a self, link: Option<usize>, ground: &'a str) -> &'a str {
        link.and_then(|link| self.links.get(link)).map_or(ground, |link| &link.name)
    }
}

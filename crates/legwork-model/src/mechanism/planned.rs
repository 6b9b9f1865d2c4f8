//! The plan of a layout in a given order of rows and columns, and the coordinates of postures.

use super::JointType;
use super::layout::{BlockOrder, Layout, Node, with_z};
use super::linkage::{Link, Linkage};
use super::owned::OwnedPlan;
use legwork_core::V3;
use legwork_core::engine::RigidBody;
use legwork_core::mechanism::{
    Block, Cut, CutJoint, Frame, Idle, Motor, NONE, Pivot, Platform, Share, Side, Span, Step, Term, TreeBody,
    TreeJoint,
};

fn cut_joint(kind: JointType) -> CutJoint {
    match kind {
        JointType::Revolute => CutJoint::Revolute,
        JointType::Prismatic => CutJoint::Prismatic,
        JointType::Cylindrical => CutJoint::Cylindrical,
        JointType::Universal => CutJoint::Universal,
        JointType::Spherical => CutJoint::Spherical,
        JointType::Planar => CutJoint::Planar,
        JointType::Fixed => CutJoint::Fixed,
    }
}

impl Layout {
    /// Directions of a cut joint's forces: along the line of centres and the axes of the body they are fixed in, so
    /// that many entries are zero in every posture.
    fn directions(&self, linkage: &Linkage, link: &Link) -> (bool, Frame<f64>) {
        let core = self.blocks[self.blocks.len() - 1];
        let depth = |end: usize| {
            let node = self.node_of[link.ends[end]];
            (node > core.end, node)
        };
        let on_child = depth(1) >= depth(0);
        let end = usize::from(on_child);
        let node_number = self.node_of[link.ends[end]];
        let Some(node) = node_number.checked_sub(1).map(|k| &self.nodes[k]) else {
            return (on_child, link.frames[end]);
        };
        let centre = node.own.inverse().then(&link.frames[end]).origin;
        // Up through slides to the joint that turns this body: its centre and its axis, seen from here at home.
        let home = |n: &Node| linkage.clusters[n.cluster].home.then(&n.own);
        let here = home(node);
        let mut turning = node;
        while turning.joint == TreeJoint::Prismatic {
            match turning.parent.checked_sub(1) {
                Some(parent) => turning = &self.nodes[parent],
                None => break,
            }
        }
        let there = home(turning);
        let axis = match turning.joint {
            TreeJoint::Universal => there.y,
            _ => there.z,
        };
        let centre_world = here.of(centre);
        let mut line = centre_world - there.origin;
        if node.joint == TreeJoint::Prismatic {
            // A slide moves the centre along its own axis, if that is the line of centres.
            let across = line - here.z * here.z.dot(line);
            if across.norm_sq().sqrt() < 1e-9 * linkage.length {
                line = here.z;
            }
        }
        let unit = |v: V3<f64>| {
            let size = v.norm_sq().sqrt();
            (size > 1e-9 * linkage.length || (size > 0.5 && v == here.z)).then(|| v * (1.0 / size))
        };
        let Some(first) = unit(line) else {
            let frame = node.own.inverse().then(&link.frames[end]);
            return (on_child, Frame { origin: centre, ..frame });
        };
        let across = axis - first * first.dot(axis);
        let size = across.norm_sq().sqrt();
        let frame = if size > 1e-6 {
            let y = across * (1.0 / size);
            Frame { x: y.cross(first), y, z: first, origin: V3::zero() }
        } else {
            with_z(first, V3::zero())
        };
        let inside = |v: V3<f64>| here.inside(v);
        let frame = Frame { x: inside(frame.x), y: inside(frame.y), z: inside(frame.z), origin: centre };
        (on_child, frame)
    }

    /// The plan in a given order of rows and columns.
    pub fn plan(
        &self,
        linkage: &Linkage,
        orders: &[BlockOrder],
        platform: (usize, Frame<f64>),
        gravity: V3<f64>,
    ) -> OwnedPlan<f64> {
        let core = self.blocks.len() - 1;
        let bodies: Vec<TreeBody<f64>> = self
            .nodes
            .iter()
            .map(|node| TreeBody {
                joint: node.joint,
                parent: node.parent,
                freedom: node.freedom,
                coordinate: node.coordinate,
                frame: node.frame,
                body: linkage.clusters[node.cluster].body.seen_from(&node.own.inverse().to_pose()),
                share: Share::Whole(RigidBody::massless()),
            })
            .collect();
        let (platform_cluster, platform_frame) = platform;
        let platform_node = self.node_of[platform_cluster];
        let own = platform_node.checked_sub(1).map_or_else(Frame::identity, |k| self.nodes[k].own);
        let independent = |freedom: usize| {
            let order = &orders[core];
            let place = order.columns.iter().skip(order.pivots.len()).position(|k| *k == freedom);
            place.unwrap_or(NONE)
        };
        let mut motors: Vec<(usize, Motor<f64>)> = self
            .nodes
            .iter()
            .filter_map(|node| {
                let motor = node.motor?;
                let (freedom, coordinate) = (node.freedom, node.coordinate);
                let drive = linkage.drives[motor];
                let independent = independent(freedom);
                let (weight, preload) = (1.0, 0.0);
                Some((motor, Motor { freedom, coordinate, independent, drive, weight, preload }))
            })
            .collect();
        motors.sort_by_key(|(place, _)| *place);
        let dragged = self.nodes.iter().filter_map(|node| {
            let (freedom, coordinate) = (node.freedom, node.coordinate);
            let passive =
                |drive| Motor { freedom, coordinate, independent: NONE, drive, weight: 1.0, preload: 0.0 };
            node.drag.map(passive)
        });
        let drags: Vec<Motor<f64>> = dragged.collect();
        let mut rotors = vec![0.0; self.freedoms];
        for motor in motors.iter().map(|(_, motor)| motor).chain(&drags) {
            rotors[motor.freedom] = motor.drive.inertia;
        }
        let mut plan = OwnedPlan {
            bodies,
            cuts: Vec::new(),
            terms: Vec::new(),
            legs: Vec::new(),
            core: Block::default(),
            columns: Vec::new(),
            pivots: Vec::new(),
            steps: Vec::new(),
            entries: Vec::new(),
            targets: Vec::new(),
            idle: Vec::new(),
            motors: motors.into_iter().map(|(_, motor)| motor).collect(),
            rotors,
            drags,
            springs: Vec::new(),
            platform: Platform { body: platform_node, frame: own.inverse().then(&platform_frame) },
            gravity,
            freedoms: self.freedoms,
            coordinates: self.coordinates,
        };
        let (mut rows, mut matrix) = (0, 0);
        for (block, order) in orders.iter().enumerate() {
            let made = self.block(linkage, block, orders, &mut plan, (rows, matrix));
            rows += order.kept;
            matrix = made.matrix.end;
            if block == core {
                plan.core = made;
            } else {
                plan.legs.push(made);
            }
        }
        plan.share_out();
        plan
    }

    fn block(
        &self,
        linkage: &Linkage,
        number: usize,
        orders: &[BlockOrder],
        plan: &mut OwnedPlan<f64>,
        (first_row, first_group): (usize, usize),
    ) -> Block {
        let (order, core) = (&orders[number], self.blocks.len() - 1);
        let start = plan.columns.len();
        plan.columns.extend(&order.columns);
        let columns = Span { start, end: plan.columns.len() };
        let width = order.columns.len().div_ceil(4);
        let first_cut = plan.cuts.len();
        let mut natural = 0;
        for link in &self.cuts[number] {
            let link = &linkage.links[*link];
            let joint = cut_joint(link.kind);
            let mut rows = [NONE; 6];
            for k in 0..joint.forces() + joint.moments() {
                let place = if k < joint.forces() { k } else { 3 + k - joint.forces() };
                rows[place] = order.rows[natural + k];
            }
            natural += joint.forces() + joint.moments();
            let (on_child, directions) = self.directions(linkage, link);
            let paths = self.sides(link);
            let mut side = |end: usize| {
                let node = self.node_of[link.ends[end]];
                let own = node.checked_sub(1).map_or_else(Frame::identity, |k| self.nodes[k].own);
                let start = plan.terms.len();
                let column = |freedom: usize| order.columns.iter().position(|k| *k == freedom);
                // Six columns of a free body side by side are written at once.
                let free = self.nodes.iter().find(|node| {
                    node.joint == TreeJoint::Free && paths[end].contains(&node.freedom) && {
                        let first = column(node.freedom);
                        first.is_some()
                            && (1..6).all(|k| column(node.freedom + k) == first.map(|first| first + k))
                    }
                });
                let free_rates = free.map_or(0..0, |node| node.freedom..node.freedom + 6);
                for freedom in paths[end].iter().filter(|k| !free_rates.contains(k)) {
                    if let Some(column) = column(*freedom) {
                        plan.terms.push(Term { freedom: *freedom, column });
                    }
                }
                Side {
                    body: node,
                    frame: own.inverse().then(&link.frames[end]),
                    terms: Span { start, end: plan.terms.len() },
                    free: free.and_then(|node| column(node.freedom)).unwrap_or(NONE),
                }
            };
            let (parent, child) = (side(0), side(1));
            plan.cuts.push(Cut { joint, parent, child, on_child, directions, rows });
        }
        let (first_pivot, first_step) = (plan.pivots.len(), plan.steps.len());
        for (pivot, (steps, entries, reference)) in order.pivots.iter().enumerate() {
            let (s, e) = (plan.steps.len(), plan.entries.len());
            plan.steps.extend(steps.iter().map(|row| Step { pivot, row: *row }));
            plan.entries.extend(
                entries.iter().map(|column| Term { freedom: order.columns[*column], column: *column }),
            );
            plan.pivots.push(Pivot {
                steps: Span { start: s, end: plan.steps.len() },
                reference: *reference,
                entries: Span { start: e, end: plan.entries.len() },
            });
        }
        let first_target = plan.targets.len();
        plan.targets.extend(&order.core_rows);
        let core_rows = Span { start: first_target, end: plan.targets.len() };
        if number != core {
            for freedom in order.columns.iter().skip(order.pivots.len()) {
                let place = orders[core].columns.iter().position(|k| k == freedom);
                plan.targets.push(place.unwrap_or(NONE));
            }
        }
        let first_idle = plan.idle.len();
        for (freedom, alone) in &order.idle {
            let of = |node: &Node| (node.freedom..node.freedom + node.joint.freedoms()).contains(freedom);
            let body = self.nodes.iter().position(of).map_or(0, |k| k + 1);
            let (spin, inertia) = (V3::zero(), 1.0);
            plan.idle.push(Idle { freedom: *freedom, body, alone: *alone, spin, swing: None, inertia });
        }
        Block {
            bodies: self.blocks[number],
            cuts: Span { start: first_cut, end: plan.cuts.len() },
            columns,
            rows: Span { start: first_row, end: first_row + order.kept },
            pivots: Span { start: first_pivot, end: plan.pivots.len() },
            steps: Span { start: first_step, end: plan.steps.len() },
            matrix: Span { start: first_group, end: first_group + order.kept * width },
            width,
            core_rows,
            core_columns: Span { start: core_rows.end, end: plan.targets.len() },
            idle: Span { start: first_idle, end: plan.idle.len() },
        }
    }

    /// Coordinates of the tree at these frames of the clusters.
    pub fn coordinates_of(&self, clusters: &[Frame<f64>]) -> Vec<f64> {
        let mut q = vec![0.0; self.coordinates];
        for node in &self.nodes {
            let parent = match node.parent.checked_sub(1) {
                Some(k) => clusters[self.nodes[k].cluster].then(&self.nodes[k].own),
                None => Frame::identity(),
            };
            let p = parent.then(&node.frame);
            let c = clusters[node.cluster].then(&node.own);
            let apart = c.origin - p.origin;
            let angle = c.x.dot(p.y).atan2(c.x.dot(p.x));
            let into = &mut q[node.coordinate..node.coordinate + node.joint.coordinates()];
            match node.joint {
                TreeJoint::Revolute => into[0] = angle,
                TreeJoint::Prismatic => into[0] = p.z.dot(apart),
                TreeJoint::Cylindrical => into.copy_from_slice(&[p.z.dot(apart), angle]),
                TreeJoint::Universal => into.copy_from_slice(&[
                    (-c.y.dot(p.x)).atan2(c.y.dot(p.y)),
                    (-c.x.dot(p.z)).atan2(c.z.dot(p.z)),
                ]),
                TreeJoint::Planar => into.copy_from_slice(&[p.x.dot(apart), p.y.dot(apart), angle]),
                TreeJoint::Spherical => {
                    let inner =
                        Frame { x: p.inside(c.x), y: p.inside(c.y), z: p.inside(c.z), origin: V3::zero() };
                    into.copy_from_slice(&quaternion(&inner));
                }
                TreeJoint::Free => {
                    into[..3].copy_from_slice(&c.origin.to_array());
                    into[3..].copy_from_slice(&quaternion(&c));
                }
            }
        }
        q
    }
}

/// The quaternion of a frame's axes.
pub(super) fn quaternion(frame: &Frame<f64>) -> [f64; 4] {
    let (x, y, z) = (frame.x, frame.y, frame.z);
    // The largest of the four is divided by.
    let squares =
        [1.0 + x.x + y.y + z.z, 1.0 + x.x - y.y - z.z, 1.0 - x.x + y.y - z.z, 1.0 - x.x - y.y + z.z];
    let best = (0..4).max_by(|a, b| squares[*a].total_cmp(&squares[*b])).unwrap_or(0);
    let four = match best {
        0 => [squares[0], y.z - z.y, z.x - x.z, x.y - y.x],
        1 => [y.z - z.y, squares[1], x.y + y.x, z.x + x.z],
        2 => [z.x - x.z, x.y + y.x, squares[2], y.z + z.y],
        _ => [x.y - y.x, z.x + x.z, y.z + z.y, squares[3]],
    };
    legwork_core::mechanism::normalized(four)
}

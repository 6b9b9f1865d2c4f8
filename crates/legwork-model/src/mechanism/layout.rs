//! Which joints make the tree, which bodies the core, and the plan that follows in a natural order.

use super::JointType;
use super::linkage::{Link, Linkage};
use legwork_core::V3;
use legwork_core::engine::Drive;
use legwork_core::mechanism::{Frame, Span, TreeJoint};

/// A cluster in the tree.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub cluster: usize,
    pub joint: TreeJoint,
    /// 0 for the ground, else node + 1.
    pub parent: usize,
    /// Frame P in the parent node's frame.
    pub frame: Frame<f64>,
    /// The node's frame, C of its joint, in the cluster's frame.
    pub own: Frame<f64>,
    pub motor: Option<usize>,
    /// What a joint without a motor has on its axis.
    pub drag: Option<Drive<f64>>,
    pub freedom: usize,
    pub coordinate: usize,
}

/// A tree, and joints that it cuts, by legs; the last block is the core.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    pub nodes: Vec<Node>,
    /// Nodes of each block.
    pub blocks: Vec<Span>,
    /// Links that each block closes.
    pub cuts: Vec<Vec<usize>>,
    /// Node + 1 of each cluster.
    pub node_of: Vec<usize>,
    pub freedoms: usize,
    pub coordinates: usize,
}

/// The order in which a block is eliminated.
#[derive(Clone, Debug, Default)]
pub(super) struct BlockOrder {
    /// Rates of its columns, pivots first.
    pub columns: Vec<usize>,
    /// Final place of each natural row, or [`NONE`].
    pub rows: Vec<usize>,
    /// How many rows are kept.
    pub kept: usize,
    /// For each pivot: rows below (final), columns to the right (final), one over its size.
    pub pivots: Vec<(Vec<usize>, Vec<usize>, f64)>,
    /// Rows of the core for its rows without a pivot.
    pub core_rows: Vec<usize>,
    /// Idle rates, the first columns without a pivot, and whether they are alone.
    pub idle: Vec<(usize, bool)>,
}

fn tree_joint(kind: JointType) -> TreeJoint {
    match kind {
        JointType::Revolute => TreeJoint::Revolute,
        JointType::Prismatic => TreeJoint::Prismatic,
        JointType::Cylindrical => TreeJoint::Cylindrical,
        JointType::Universal => TreeJoint::Universal,
        JointType::Spherical => TreeJoint::Spherical,
        JointType::Planar => TreeJoint::Planar,
        JointType::Fixed => TreeJoint::Free,
    }
}

/// The frames of a joint seen from the child: same coordinates for joints about z, exchanged axes for a universal.
fn reversed(kind: JointType, [p, c]: [Frame<f64>; 2]) -> [Frame<f64>; 2] {
    let about_x = |f: Frame<f64>| Frame { y: -f.y, z: -f.z, ..f };
    let exchanged = |f: Frame<f64>| Frame { y: -f.z, z: f.y, ..f };
    match kind {
        JointType::Universal => [exchanged(c), exchanged(p)],
        JointType::Spherical | JointType::Fixed => [c, p],
        _ => [about_x(c), about_x(p)],
    }
}

/// A frame whose z axis has this direction.
pub(super) fn with_z(direction: V3<f64>, origin: V3<f64>) -> Frame<f64> {
    let z = direction * (1.0 / direction.norm_sq().sqrt());
    let helper = if z.x.abs() < 0.6 { V3::new(1.0, 0.0, 0.0) } else { V3::new(0.0, 1.0, 0.0) };
    let y = z.cross(helper);
    let y = y * (1.0 / y.norm_sq().sqrt());
    Frame { x: y.cross(z), y, z, origin }
}

fn find(parents: &mut [usize], k: usize) -> usize {
    let mut k = k;
    while parents[k] != k {
        parents[k] = parents[parents[k]];
        k = parents[k];
    }
    k
}

impl Layout {
    /// Every body free, every joint cut: the judge, and the start of an assembly.
    pub fn maximal(linkage: &Linkage) -> Self {
        let nodes: Vec<Node> = (1..linkage.clusters.len())
            .map(|cluster| Node {
                cluster,
                joint: TreeJoint::Free,
                parent: 0,
                frame: Frame::identity(),
                own: Frame::identity(),
                motor: None,
                drag: None,
                freedom: 6 * (cluster - 1),
                coordinate: 7 * (cluster - 1),
            })
            .collect();
        let count = nodes.len();
        Self {
            nodes,
            blocks: vec![Span { start: 0, end: count }],
            cuts: vec![(0..linkage.links.len()).collect()],
            node_of: (0..=count).collect(),
            freedoms: 6 * count,
            coordinates: 7 * count,
        }
    }

    /// The tree with these clusters as its core; `None` if it would cut a motor.
    pub fn with_core(linkage: &Linkage, core: &[usize]) -> Option<Self> {
        let count = linkage.clusters.len();
        let in_core: Vec<bool> = (0..count).map(|k| k == 0 || core.contains(&k)).collect();
        // Legs: what hangs together without ground and core.
        let mut groups: Vec<usize> = (0..count).collect();
        for link in &linkage.links {
            let [a, b] = link.ends;
            if !in_core[a] && !in_core[b] {
                let (a, b) = (find(&mut groups, a), find(&mut groups, b));
                groups[a] = b;
            }
        }
        let mut tree = vec![false; linkage.links.len()];
        // Inside ground and core.
        let mut order: Vec<usize> =
            (0..linkage.links.len()).filter(|k| linkage.links[*k].kind != JointType::Fixed).collect();
        order.sort_by_key(|k| {
            let link = &linkage.links[*k];
            let touches_core = link.ends.iter().any(|end| *end != 0 && in_core[*end]);
            (link.motor.is_none(), link.drag.is_none(), link.kind.freedoms(), touches_core, *k)
        });
        let mut joined: Vec<usize> = (0..count).collect();
        let mut roots = Vec::new();
        for inside in [true, false] {
            for k in &order {
                let link = &linkage.links[*k];
                let [a, b] = link.ends;
                if (in_core[a] && in_core[b]) != inside {
                    continue;
                }
                let (a, b) = (find(&mut joined, a), find(&mut joined, b));
                if a != b {
                    joined[a] = b;
                    tree[*k] = true;
                } else if link.is_counted() {
                    return None;
                }
            }
            if inside {
                // Parts of the core that no joint of the core ties to the ground are free.
                for cluster in (1..count).filter(|k| in_core[*k]) {
                    let (a, ground) = (find(&mut joined, cluster), find(&mut joined, 0));
                    if a != ground {
                        joined[a] = ground;
                        roots.push(cluster);
                    }
                }
            }
        }
        let mut layout = Self {
            nodes: Vec::new(),
            blocks: Vec::new(),
            cuts: Vec::new(),
            node_of: vec![0; count],
            freedoms: 0,
            coordinates: 0,
        };
        layout.grow(linkage, &tree, &roots, &in_core);
        let core_span = Span { start: 0, end: layout.nodes.len() };
        // Leg by leg, in the order of their first body.
        let mut leaders: Vec<usize> = Vec::new();
        for cluster in (1..count).filter(|k| !in_core[*k]) {
            let leader = find(&mut groups, cluster);
            if !leaders.contains(&leader) {
                leaders.push(leader);
            }
        }
        for leader in &leaders {
            let members: Vec<bool> =
                (0..count).map(|k| !in_core[k] && find(&mut groups, k) == *leader).collect();
            let start = layout.nodes.len();
            layout.grow(linkage, &tree, &[], &members);
            layout.blocks.push(Span { start, end: layout.nodes.len() });
        }
        layout.blocks.push(core_span);
        if layout.nodes.len() + 1 != count {
            return None;
        }
        layout.cuts = vec![Vec::new(); layout.blocks.len()];
        for (k, link) in linkage.links.iter().enumerate().filter(|(k, _)| !tree[*k]) {
            let leg = link.ends.iter().find(|end| !in_core[**end]);
            let block = match leg {
                Some(cluster) => {
                    let leader = find(&mut groups, *cluster);
                    leaders.iter().position(|l| *l == leader).unwrap_or(leaders.len())
                }
                None => leaders.len(),
            };
            layout.cuts[block].push(k);
        }
        Some(layout)
    }

    /// Adds the clusters that belong, parents first.
    fn grow(&mut self, linkage: &Linkage, tree: &[bool], roots: &[usize], belongs: &[bool]) {
        for root in roots {
            // A free body, then what hangs on it.
            if self.node_of[*root] == 0 && belongs[*root] {
                self.push(*root, TreeJoint::Free, 0, [Frame::identity(), Frame::identity()], (None, None));
            }
        }
        let mut again = true;
        while again {
            again = false;
            for (k, link) in linkage.links.iter().enumerate().filter(|(k, _)| tree[*k]) {
                let [a, b] = link.ends;
                let known = |cluster: usize| cluster == 0 || self.node_of[cluster] != 0;
                let new = |cluster: usize| cluster != 0 && belongs[cluster] && self.node_of[cluster] == 0;
                let (parent, child, frames) = if known(a) && new(b) {
                    (a, b, link.frames)
                } else if known(b) && new(a) {
                    (b, a, reversed(link.kind, link.frames))
                } else {
                    continue;
                };
                let mut frames = frames;
                if link.kind == JointType::Spherical {
                    frames[1] = aligned(linkage, k, child, frames[1]);
                }
                let parent_node = self.node_of[parent];
                self.push(child, tree_joint(link.kind), parent_node, frames, (link.motor, link.drag));
                again = true;
            }
        }
    }

    fn push(
        &mut self,
        cluster: usize,
        joint: TreeJoint,
        parent: usize,
        [p, c]: [Frame<f64>; 2],
        (motor, drag): (Option<usize>, Option<Drive<f64>>),
    ) {
        let frame = match parent.checked_sub(1) {
            Some(node) => self.nodes[node].own.inverse().then(&p),
            None => p,
        };
        self.nodes.push(Node {
            cluster,
            joint,
            parent,
            frame,
            own: c,
            motor,
            drag,
            freedom: self.freedoms,
            coordinate: self.coordinates,
        });
        self.node_of[cluster] = self.nodes.len();
        self.freedoms += joint.freedoms();
        self.coordinates += joint.coordinates();
    }

    /// Rates on the way from a node to the ground, the last first.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut up = node;
        while let Some(node) = up.checked_sub(1).map(|k| &self.nodes[k]) {
            path.extend((node.freedom..node.freedom + node.joint.freedoms()).rev());
            up = node.parent;
        }
        path
    }

    /// Rates that move one side of a link and not the other.
    pub fn sides(&self, link: &Link) -> [Vec<usize>; 2] {
        let [a, b] = link.ends.map(|cluster| self.path(self.node_of[cluster]));
        let only = |own: &[usize], other: &[usize]| {
            own.iter().filter(|k| !other.contains(k)).copied().collect::<Vec<_>>()
        };
        [only(&a, &b), only(&b, &a)]
    }

    /// Rates of a block's nodes that are motors, or are not.
    fn rates(&self, span: Span, motors: bool) -> Vec<usize> {
        let nodes = &self.nodes[span.start..span.end];
        let of = |node: &Node| node.freedom..node.freedom + node.joint.freedoms();
        nodes.iter().filter(|node| node.motor.is_some() == motors).flat_map(of).collect()
    }

    /// Passive rates of a block, its motors, and for a leg the rates of the core that its rows touch.
    pub fn natural_columns(&self, linkage: &Linkage, block: usize) -> [Vec<usize>; 3] {
        let own = self.blocks[block];
        let (passive, motors) = (self.rates(own, false), self.rates(own, true));
        let core = self.blocks.len() - 1;
        if block == core {
            let legs = self.blocks[..core].iter().flat_map(|leg| self.rates(*leg, true)).collect();
            return [passive, motors, legs];
        }
        let core_rates = {
            let span = self.blocks[core];
            let nodes = &self.nodes[span.start..span.end];
            nodes.iter().map(|node| node.joint.freedoms()).sum::<usize>()
        };
        let mut touched = vec![false; core_rates];
        for link in &self.cuts[block] {
            for freedom in self.sides(&linkage.links[*link]).into_iter().flatten() {
                if let Some(entry) = touched.get_mut(freedom) {
                    *entry = true;
                }
            }
        }
        let nodes = &self.nodes[self.blocks[core].start..self.blocks[core].end];
        for node in nodes.iter().filter(|node| node.joint == TreeJoint::Free) {
            // All six of a free body, side by side.
            if touched[node.freedom..node.freedom + 6].iter().any(|t| *t) {
                touched[node.freedom..node.freedom + 6].fill(true);
            }
        }
        [passive, motors, (0..core_rates).filter(|k| touched[*k]).collect()]
    }

    /// How many rows the cut joints of a block have.
    pub fn natural_rows(&self, linkage: &Linkage, block: usize) -> usize {
        self.cuts[block].iter().map(|k| 6 - linkage.links[*k].kind.freedoms()).sum()
    }

    /// The order that nothing is eliminated in.
    pub fn natural_order(&self, linkage: &Linkage) -> Vec<BlockOrder> {
        (0..self.blocks.len())
            .map(|block| {
                let columns = self.natural_columns(linkage, block).concat();
                let kept = self.natural_rows(linkage, block);
                BlockOrder { columns, rows: (0..kept).collect(), kept, ..BlockOrder::default() }
            })
            .collect()
    }

    /// Whether mass hangs on a node and nothing else.
    pub fn is_leaf(&self, node: usize) -> bool {
        self.nodes.iter().all(|other| other.parent != node + 1)
    }
}

/// The frame of a ball in a body, with z along the line to the only other joint there: a rod that spins then spins
/// about one axis of its ball.
fn aligned(linkage: &Linkage, ball: usize, cluster: usize, frame: Frame<f64>) -> Frame<f64> {
    let others: Vec<&Link> = linkage
        .links
        .iter()
        .enumerate()
        .filter(|(k, link)| *k != ball && link.ends.contains(&cluster))
        .map(|(_, link)| link)
        .collect();
    let [other] = others[..] else { return frame };
    let end = usize::from(other.ends[1] == cluster);
    let there = other.frames[end];
    let line = match other.kind {
        JointType::Prismatic | JointType::Cylindrical => there.z,
        _ => there.origin - frame.origin,
    };
    if line.norm_sq().sqrt() > 1e-9 * linkage.length { with_z(line, frame.origin) } else { frame }
}

//! A description checked and merged: bodies that fixed joints make one, joints between them, lengths in proportion.

use super::{JointType, MechanismDescription, MechanismError, WORLD};
use legwork_core::engine::{Drive, Pose, RigidBody};
use legwork_core::mechanism::Frame;
use legwork_core::{Real, V3};

/// Bodies that fixed joints make one. The first is the ground.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    /// Name of its first body.
    pub name: String,
    /// Mass and inertia of all its bodies, in its frame.
    pub body: RigidBody<f64>,
    /// Its frame at home.
    pub home: Frame<f64>,
}

/// A joint between two clusters.
#[derive(Clone, Debug)]
pub(super) struct Link {
    /// Its place among the joints of the description.
    pub joint: usize,
    /// What it lets its child do.
    pub kind: JointType,
    /// Clusters of parent and child.
    pub ends: [usize; 2],
    /// Its frames in those of the clusters.
    pub frames: [Frame<f64>; 2],
    /// Its motor.
    pub motor: Option<usize>,
    /// What a joint without a motor has on its axis.
    pub drag: Option<Drive<f64>>,
}

impl Link {
    /// Whether its coordinate has to be known: it must not be cut then.
    pub fn is_counted(&self) -> bool {
        self.motor.is_some() || self.drag.is_some()
    }
}

/// A description checked and merged.
#[derive(Clone, Debug)]
pub(super) struct Linkage {
    pub clusters: Vec<Cluster>,
    pub links: Vec<Link>,
    /// Cluster of each body of the description, and its frame there.
    pub places: Vec<(usize, Frame<f64>)>,
    /// Drives of the motors, in their order.
    pub drives: Vec<Drive<f64>>,
    /// The point of the world that is the origin inside.
    pub origin: V3<f64>,
    /// A length that is typical for the mechanism \[m\].
    pub length: f64,
    /// Constraint rows of the description, and those of fixed joints that close loops.
    pub rows: usize,
    pub repeated_rows: usize,
}

fn is_rotation(pose: &Pose<f64>) -> bool {
    let r = pose.rotation;
    let off = (r * r.transpose()).to_rows();
    let finite = pose.position.to_array().iter().all(|x| x.is_finite());
    let unit = (0..3).all(|i| (0..3).all(|j| (off[i][j] - if i == j { 1.0 } else { 0.0 }).abs() < 1e-9));
    finite && unit && r.det() > 0.0
}

fn find(parents: &mut [usize], k: usize) -> usize {
    let mut k = k;
    while parents[k] != k {
        parents[k] = parents[parents[k]];
        k = parents[k];
    }
    k
}

/// Place of a body's name: 0 for the ground.
fn body_index(
    d: &MechanismDescription,
    name: &str,
    place: impl Fn() -> String,
) -> Result<usize, MechanismError> {
    if name == WORLD {
        return Ok(0);
    }
    let found = d.bodies.iter().position(|body| body.name == name).map(|k| k + 1);
    found.ok_or_else(|| MechanismError::UnknownName { place: place(), name: name.into() })
}

impl Linkage {
    /// Checks a description and merges its bodies over fixed joints.
    pub fn new(d: &MechanismDescription) -> Result<Self, MechanismError> {
        check(d)?;
        let drives = drives(d)?;
        let ends = d
            .joints
            .iter()
            .map(|joint| {
                let parent = body_index(d, &joint.parent, || format!("joint `{}`, parent", joint.name))?;
                let child = body_index(d, &joint.child, || format!("joint `{}`, child", joint.name))?;
                if parent == child {
                    return Err(MechanismError::SameBody { joint: joint.name.clone() });
                }
                Ok([parent, child])
            })
            .collect::<Result<Vec<_>, _>>()?;
        connected(d, &ends)?;
        let (places, repeated_rows) = merged(d, &ends)?;
        let count = places.iter().map(|(cluster, _)| cluster + 1).max().unwrap_or(1);
        let mut clusters: Vec<Cluster> = (0..count)
            .map(|_| Cluster { name: String::new(), body: RigidBody::massless(), home: Frame::identity() })
            .collect();
        clusters[0].name = WORLD.into();
        for (body, (cluster, frame)) in d.bodies.iter().zip(&places) {
            let into = &mut clusters[*cluster];
            if into.name.is_empty() {
                into.name.clone_from(&body.name);
                into.home = Frame::from_pose(&body.home).then(&frame.inverse());
            }
            into.body = into.body.joined(&body.body.seen_from(&frame.to_pose()));
        }
        let at = |end: usize, pose: &Pose<f64>| {
            let frame = Frame::from_pose(pose);
            if end == 0 {
                return (0, frame);
            }
            let (cluster, place) = places[end - 1];
            (cluster, place.then(&frame))
        };
        let mut links = Vec::new();
        for (k, (joint, ends)) in d.joints.iter().zip(&ends).enumerate() {
            let (parent, parent_frame) = at(ends[0], &joint.parent_frame);
            let (child, child_frame) = at(ends[1], &joint.child_frame);
            if joint.kind == JointType::Fixed {
                continue;
            }
            let motor = d.motors.iter().position(|motor| *motor == joint.name);
            links.push(Link {
                joint: k,
                kind: joint.kind,
                ends: [parent, child],
                frames: [parent_frame, child_frame],
                motor,
                drag: joint.drag.filter(|_| motor.is_none()),
            });
        }
        let rows = d.joints.iter().map(|joint| 6 - joint.kind.freedoms()).sum();
        let mut linkage =
            Self { clusters, links, places, drives, origin: V3::zero(), length: 1.0, rows, repeated_rows };
        linkage.free_motor_loops();
        linkage.measure();
        Ok(linkage)
    }

    /// A loop of nothing but motors, or joints with friction, has no joint to cut: one of them gets a body of its own without mass, which is
    /// then fixed to the child.
    fn free_motor_loops(&mut self) {
        let mut parents: Vec<usize> = (0..self.clusters.len()).collect();
        for k in 0..self.links.len() {
            let link = &self.links[k];
            if !link.is_counted() {
                continue;
            }
            let [a, b] = link.ends;
            let (a, b) = (find(&mut parents, a), find(&mut parents, b));
            if a != b {
                parents[a] = b;
                continue;
            }
            let [_, child] = link.ends;
            let own = self.clusters.len();
            let frame = link.frames[1];
            let name = format!("{} (motor)", self.clusters[child].name);
            let home = self.clusters[child].home;
            self.clusters.push(Cluster { name, body: RigidBody::massless(), home });
            parents.push(own);
            let joint = link.joint;
            self.links[k].ends[1] = own;
            self.links.push(Link {
                joint,
                kind: JointType::Fixed,
                ends: [own, child],
                frames: [frame, frame],
                motor: None,
                drag: None,
            });
        }
    }

    /// Typical length: the extent of the joints at home. The origin moves to them if they are far away.
    fn measure(&mut self) {
        let points: Vec<V3<f64>> = self
            .links
            .iter()
            .flat_map(|link| [0, 1].map(|end| self.clusters[link.ends[end]].home.of(link.frames[end].origin)))
            .collect();
        let centres = self.clusters.iter().skip(1).map(|c| c.home.of(c.body.centre));
        let points: Vec<V3<f64>> = points.into_iter().chain(centres).collect();
        let mean = points.iter().fold(V3::zero(), |sum, p| sum + *p) * (1.0 / points.len().max(1) as f64);
        let extent = points.iter().map(|p| (*p - mean).norm_sq().sqrt()).fold(0.0, Real::max);
        self.length = if extent > 0.0 { extent } else { 1.0 };
        if mean.norm_sq().sqrt() > 2.0 * extent {
            self.move_origin(mean);
        }
    }

    /// Frames of the clusters where the bodies of the description are at these poses, the ground first.
    pub fn clusters_at(&self, poses: &[Pose<f64>]) -> Vec<Frame<f64>> {
        let mut clusters: Vec<Frame<f64>> = self.clusters.iter().map(|cluster| cluster.home).collect();
        let mut told = vec![false; clusters.len()];
        for (pose, (cluster, frame)) in poses.iter().zip(&self.places) {
            if *cluster > 0 && !told[*cluster] {
                let mut body = Frame::from_pose(pose);
                body.origin = body.origin - self.origin;
                clusters[*cluster] = body.then(&frame.inverse());
                told[*cluster] = true;
            }
        }
        clusters
    }

    /// Tells everything from another point of the world.
    fn move_origin(&mut self, origin: V3<f64>) {
        self.origin = origin;
        for cluster in self.clusters.iter_mut().skip(1) {
            cluster.home.origin = cluster.home.origin - origin;
        }
        for link in &mut self.links {
            for end in 0..2 {
                if link.ends[end] == 0 {
                    link.frames[end].origin = link.frames[end].origin - origin;
                }
            }
        }
    }
}

/// Names, numbers and bodies.
fn check(d: &MechanismDescription) -> Result<(), MechanismError> {
    let names = |names: Vec<&String>| {
        let mut seen = std::collections::BTreeSet::new();
        match names.into_iter().find(|name| *name == WORLD || !seen.insert(name.as_str())) {
            Some(name) => Err(MechanismError::DuplicateName { name: name.clone() }),
            None => Ok(()),
        }
    };
    names(d.bodies.iter().map(|body| &body.name).collect())?;
    names(d.joints.iter().map(|joint| &joint.name).collect())?;
    for body in &d.bodies {
        body.body.checked().map_err(|fault| MechanismError::Body { body: body.name.clone(), fault })?;
        if !is_rotation(&body.home) {
            return Err(MechanismError::Numbers { place: format!("body `{}`, home", body.name) });
        }
    }
    for joint in &d.joints {
        for (frame, of) in [(&joint.parent_frame, "parent"), (&joint.child_frame, "child")] {
            if !is_rotation(frame) {
                let place = format!("joint `{}`, frame in the {of}", joint.name);
                return Err(MechanismError::Numbers { place });
            }
        }
        let drive = joint.motor.or(joint.drag).unwrap_or_else(Drive::ideal);
        let numbers = [drive.inertia, drive.viscous, drive.coulomb, drive.smoothing];
        if numbers.iter().any(|x| !(x.is_finite() && *x >= 0.0)) || !drive.offset.is_finite() {
            return Err(MechanismError::Numbers { place: format!("joint `{}`, motor", joint.name) });
        }
    }
    for spring in &d.springs {
        let points = spring.points.iter().flat_map(|p| p.to_array());
        if points.chain([spring.stiffness, spring.free_length]).any(|x| !x.is_finite()) {
            return Err(MechanismError::Numbers { place: format!("spring at `{}`", spring.bodies[0]) });
        }
    }
    let rest = d.gravity.to_array().into_iter().chain(d.platform_point.to_array());
    if rest.into_iter().any(|x| !x.is_finite()) {
        return Err(MechanismError::Numbers { place: "gravity or platform point".into() });
    }
    Ok(())
}

/// The drives in the order of the motors.
fn drives(d: &MechanismDescription) -> Result<Vec<Drive<f64>>, MechanismError> {
    let listed = |name: &String| d.motors.iter().filter(|motor| *motor == name).count();
    for joint in &d.joints {
        let expected = usize::from(joint.motor.is_some());
        if listed(&joint.name) != expected {
            return Err(MechanismError::MotorList { joint: joint.name.clone() });
        }
        let has_drive = joint.motor.is_some() || joint.drag.is_some();
        if has_drive && !matches!(joint.kind, JointType::Revolute | JointType::Prismatic) {
            return Err(MechanismError::MotorJoint { joint: joint.name.clone(), kind: joint.kind.name() });
        }
    }
    if d.motors.is_empty() {
        return Err(MechanismError::NoMotors);
    }
    d.motors
        .iter()
        .map(|motor| {
            let joint = d.joints.iter().find(|joint| joint.name == *motor);
            let unknown = || MechanismError::UnknownName { place: "motors".into(), name: motor.clone() };
            joint.and_then(|joint| joint.motor).ok_or_else(unknown)
        })
        .collect()
}

/// Whether every body hangs on the ground.
fn connected(d: &MechanismDescription, ends: &[[usize; 2]]) -> Result<(), MechanismError> {
    let mut parents: Vec<usize> = (0..=d.bodies.len()).collect();
    for [a, b] in ends {
        let (a, b) = (find(&mut parents, *a), find(&mut parents, *b));
        parents[a] = b;
    }
    let ground = find(&mut parents, 0);
    let loose = |k: &usize| find(&mut parents.clone(), k + 1) != ground;
    let bodies: Vec<String> = (0..d.bodies.len()).filter(loose).map(|k| d.bodies[k].name.clone()).collect();
    if bodies.is_empty() { Ok(()) } else { Err(MechanismError::Disconnected { bodies }) }
}

/// Cluster and place there of each body, and rows of fixed joints that repeat others.
#[allow(clippy::type_complexity)]
fn merged(
    d: &MechanismDescription,
    ends: &[[usize; 2]],
) -> Result<(Vec<(usize, Frame<f64>)>, usize), MechanismError> {
    // Places seen from the first body of each cluster; the ground first.
    let mut places: Vec<Option<(usize, Frame<f64>)>> = vec![None; d.bodies.len() + 1];
    let fixed: Vec<usize> = (0..ends.len()).filter(|k| d.joints[*k].kind == JointType::Fixed).collect();
    let mut clusters = 0;
    let mut used = vec![false; ends.len()];
    for start in 0..places.len() {
        if places[start].is_some() {
            continue;
        }
        places[start] = Some((clusters, Frame::identity()));
        let mut queue = vec![start];
        while let Some(body) = queue.pop() {
            let Some((_, here)) = places[body] else { continue };
            for k in &fixed {
                let [a, b] = ends[*k];
                let joint = &d.joints[*k];
                let (p, c) = (Frame::from_pose(&joint.parent_frame), Frame::from_pose(&joint.child_frame));
                let (other, there) = if a == body {
                    (b, here.then(&p).then(&c.inverse()))
                } else if b == body {
                    (a, here.then(&c).then(&p.inverse()))
                } else {
                    continue;
                };
                if places[other].is_none() {
                    places[other] = Some((clusters, there));
                    used[*k] = true;
                    queue.push(other);
                }
            }
        }
        clusters += 1;
    }
    let places: Vec<(usize, Frame<f64>)> =
        places.into_iter().map(|place| place.unwrap_or((0, Frame::identity()))).collect();
    let mut repeated = 0;
    for k in fixed.iter().filter(|k| !used[**k]) {
        // A fixed joint between bodies that are one already must agree.
        let ([a, b], joint) = (ends[*k], &d.joints[*k]);
        let p = places[a].1.then(&Frame::from_pose(&joint.parent_frame));
        let c = places[b].1.then(&Frame::from_pose(&joint.child_frame));
        let distance = (c.origin - p.origin).norm_sq().sqrt();
        let angle = (p.x - c.x).norm_sq().sqrt().max((p.y - c.y).norm_sq().sqrt());
        let size = p.origin.norm_sq().sqrt().max(c.origin.norm_sq().sqrt());
        if !(distance <= 1e-9 * size.max(f64::MIN_POSITIVE) && angle <= 1e-9) {
            let name = |end: usize| if end == 0 { WORLD.into() } else { d.bodies[end - 1].name.clone() };
            let (joint, bodies) = (joint.name.clone(), [name(a), name(b)]);
            return Err(MechanismError::OpenLoop { joint, bodies, distance, angle, steps: 0 });
        }
        repeated += 6;
    }
    // The ground's own place is the identity; bodies fixed to it are of cluster 0.
    Ok((places.into_iter().skip(1).collect(), repeated))
}

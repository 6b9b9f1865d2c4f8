//! A mechanism that can be asked.

use super::assembly::{Maximal, OPEN, turn};
use super::core_choice::candidates;
use super::layout::Layout;
use super::linkage::Linkage;
use super::mobility::{Mobility, study};
use super::order::{NoOrder, order};
use super::owned::{OwnedPlan, Workspace};
use super::{JointType, MechanismDescription, MechanismError, WORLD};
use legwork_core::engine::{Pose, RigidBody};
use legwork_core::mechanism::{Frame, Plan, Spring};
use legwork_core::{Real, V3};
use std::sync::Arc;

/// Where a mechanism is: the coordinates of its tree, closed.
#[derive(Clone, Debug, PartialEq)]
pub struct Configuration(pub(super) Vec<f64>);

impl Configuration {
    /// The coordinates of the tree, in the order of the plan.
    pub fn coordinates(&self) -> &[f64] {
        &self.0
    }

    /// Another value of a coordinate, within rounding of the one there is.
    pub(crate) fn round(&mut self, coordinate: usize, value: f64) {
        if let Some(slot) = self.0.get_mut(coordinate) {
            *slot = value;
        }
    }

    /// Becomes another configuration of the same mechanism; nothing is allocated.
    pub fn set(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

/// A motor of a mechanism.
#[derive(Clone, Debug, PartialEq)]
pub struct MotorInfo {
    /// Name of its joint.
    pub name: String,
    /// Whether it slides (metres, newtons) instead of turning.
    pub slides: bool,
    /// Whether it follows from the other motors.
    pub dependent: bool,
}

/// A mechanism of bodies and joints with loops: a plan for the kernel, what is known about it, and names.
///
/// It never changes. Every call that computes takes a [`Workspace`], made by [`workspace`](Self::workspace), and
/// allocates nothing but the vectors that it returns, and where a way needs an order of elimination that is not prepared
/// ([`prepared_for`](Self::prepared_for)).
#[derive(Clone, Debug)]
pub struct MechanismModel {
    pub(super) name: String,
    pub(super) plan: OwnedPlan<f64>,
    pub(super) home: Configuration,
    pub(super) mobility: Mobility,
    pub(super) motors: Vec<MotorInfo>,
    pub(super) description: MechanismDescription,
    linkage: Linkage,
    layout: Layout,
    /// The plan before anything is eliminated, for another order.
    pub(super) natural: OwnedPlan<f64>,
    /// Closed postures that tell what is always zero.
    postures: Vec<Vec<f64>>,
    tolerance: f64,
    /// The smallest pivot at home, in proportion: what margins are compared with.
    smallest_pivot: f64,
    /// The margin where the order was chosen: one at home.
    pub(super) margin_of_order: f64,
    /// Body of the tree, and frame there, of each body of the description.
    pub(super) bodies: Vec<(usize, Frame<f64>)>,
    /// Potential energy of what never moves, and of the moved origin \[J\].
    pub(super) resting_energy: f64,
    /// The same in other orders of elimination, for postures in which its own does not serve.
    pub(super) spares: Arc<Vec<Self>>,
}

/// Where the kernel has a joint.
pub(super) struct JointPlace {
    pub joint: String,
    /// Its place among the cut joints.
    pub cut: Option<usize>,
    /// Whether its child is nearer to the ground than its parent.
    pub reversed: bool,
    /// The body of the tree that hangs on it.
    pub body: usize,
    /// Its child's body of the tree, and its frame's origin there.
    pub child: usize,
    pub centre: V3<f64>,
}

/// Which bodies form the core.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CoreChoice<'a> {
    /// Those with the least work.
    #[default]
    LeastWork,
    /// These, by their names.
    Bodies(&'a [&'a str]),
    /// All of them: the plain dense method, for comparison.
    Everything,
}

impl MechanismModel {
    /// Checks, assembles and studies a mechanism, and prepares its plan.
    pub fn new(description: &MechanismDescription) -> Result<Self, MechanismError> {
        Self::with_core(description, CoreChoice::LeastWork)
    }

    /// The same with a choice of the core.
    pub fn with_core(
        description: &MechanismDescription,
        choice: CoreChoice<'_>,
    ) -> Result<Self, MechanismError> {
        let linkage = Linkage::new(description)?;
        let study = study(description, &linkage)?;
        let (platform_cluster, platform_frame) = platform(description, &linkage);
        let layouts = match choice {
            CoreChoice::LeastWork => candidates(&linkage, platform_cluster),
            CoreChoice::Everything => {
                let everything: Vec<usize> = (1..linkage.clusters.len()).collect();
                Layout::with_core(&linkage, &everything).into_iter().collect()
            }
            CoreChoice::Bodies(names) => {
                let mut core = Vec::new();
                for name in names {
                    let place = description.bodies.iter().position(|body| body.name == *name);
                    let (cluster, _) = place.map(|place| linkage.places[place]).ok_or_else(|| {
                        MechanismError::UnknownName { place: "core".into(), name: (*name).into() }
                    })?;
                    core.push(cluster);
                }
                Layout::with_core(&linkage, &core).into_iter().collect()
            }
        };
        let mut refused = None;
        for layout in layouts {
            let postures: Vec<Vec<f64>> =
                study.postures.iter().map(|clusters| layout.coordinates_of(clusters)).collect();
            let place = (platform_cluster, platform_frame);
            let natural = layout.plan(&linkage, &layout.natural_order(&linkage), place, description.gravity);
            match order(&linkage, &layout, &natural, (&postures, postures.len()), study.tolerance) {
                Ok((orders, smallest_pivot)) => {
                    let plan = layout.plan(&linkage, &orders, place, description.gravity);
                    // A mechanism that only just closes may be none in the next posture.
                    let independent = plan.motors.iter();
                    let independent =
                        independent.filter(|m| m.independent != legwork_core::mechanism::NONE).count();
                    if independent != study.mobility.coordinates.len() + study.mobility.held.len() {
                        let (kept, dropped) = (study.mobility.kept, study.mobility.dropped);
                        return Err(MechanismError::Undecided { kept, dropped });
                    }
                    let (mobility, tolerance) = (study.mobility, study.tolerance);
                    return Ok(Self::finished(
                        description,
                        (linkage, layout),
                        (natural, plan),
                        (postures, tolerance, smallest_pivot),
                        mobility,
                    )
                    .with_orders());
                }
                Err(NoOrder::FreeCore) => {}
                Err(NoOrder::Singular { freedom }) => {
                    let node = layout.nodes.iter().rev().find(|node| node.freedom <= freedom);
                    let at = node.map_or(WORLD, |node| linkage.clusters[node.cluster].name.as_str());
                    refused
                        .get_or_insert(MechanismError::Singular { margin: 0.0, at: format!("body `{at}`") });
                }
            }
        }
        let none = MechanismError::Undecided { kept: study.mobility.kept, dropped: study.mobility.dropped };
        Err(refused.unwrap_or(none))
    }

    fn finished(
        description: &MechanismDescription,
        (linkage, layout): (Linkage, Layout),
        (natural, mut plan): (OwnedPlan<f64>, OwnedPlan<f64>),
        (postures, tolerance, smallest_pivot): (Vec<Vec<f64>>, f64, f64),
        mut mobility: Mobility,
    ) -> Self {
        let bodies: Vec<(usize, Frame<f64>)> = linkage
            .places
            .iter()
            .map(|(cluster, frame)| match layout.node_of[*cluster].checked_sub(1) {
                Some(node) => (node + 1, layout.nodes[node].own.inverse().then(frame)),
                None => (0, *frame),
            })
            .collect();
        let motors: Vec<MotorInfo> = description
            .motors
            .iter()
            .zip(&plan.motors)
            .map(|(name, motor)| {
                let kind =
                    description.joints.iter().find(|joint| joint.name == *name).map(|joint| joint.kind);
                MotorInfo {
                    name: name.clone(),
                    slides: kind.is_some_and(JointType::slides),
                    dependent: motor.independent == legwork_core::mechanism::NONE,
                }
            })
            .collect();
        mobility.dependent_motors =
            motors.iter().filter(|motor| motor.dependent).map(|motor| motor.name.clone()).collect();
        let origin = linkage.origin;
        plan.springs = description
            .springs
            .iter()
            .map(|spring| {
                let end = |k: usize| {
                    let place = description.bodies.iter().position(|body| body.name == spring.bodies[k]);
                    match place.map(|place| bodies[place]) {
                        Some((body, frame)) if body > 0 => (body, frame.of(spring.points[k])),
                        Some((_, frame)) => (0, frame.of(spring.points[k]) - origin),
                        None => (0, spring.points[k] - origin),
                    }
                };
                let (first, second) = (end(0), end(1));
                Spring {
                    bodies: [first.0, second.0],
                    points: [first.1, second.1],
                    stiffness: spring.stiffness,
                    free_length: spring.free_length,
                }
            })
            .collect();
        let ground = &linkage.clusters[0].body;
        let moving: f64 = plan.bodies.iter().map(|body| body.body.mass).sum();
        let resting_energy =
            -(description.gravity.dot(ground.first_moment()) + description.gravity.dot(origin) * moving);
        let home = Configuration(postures.first().cloned().unwrap_or_default());
        Self {
            name: description.name.clone(),
            plan,
            home,
            mobility,
            motors,
            description: description.clone(),
            linkage,
            layout,
            natural,
            postures,
            tolerance,
            smallest_pivot,
            margin_of_order: 1.0,
            bodies,
            resting_energy,
            spares: Arc::default(),
        }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it can move.
    pub fn mobility(&self) -> &Mobility {
        &self.mobility
    }

    /// Its motors, in the order of all lists of motors.
    pub fn motors(&self) -> &[MotorInfo] {
        &self.motors
    }

    /// What it was made of.
    pub fn description(&self) -> &MechanismDescription {
        &self.description
    }

    /// Names of the bodies of the core.
    pub fn core(&self) -> Vec<&str> {
        let span = self.layout.blocks[self.layout.blocks.len() - 1];
        let nodes = &self.layout.nodes[span.start..span.end];
        nodes.iter().map(|node| self.linkage.clusters[node.cluster].name.as_str()).collect()
    }

    /// The name of a body of the tree.
    pub(crate) fn tree_body(&self, place: usize) -> &str {
        let node = self.layout.nodes.get(place);
        node.map_or(WORLD, |node| self.linkage.clusters[node.cluster].name.as_str())
    }

    /// Where it is at home.
    pub fn home(&self) -> &Configuration {
        &self.home
    }

    /// A length that is typical for it \[m\].
    pub fn length(&self) -> f64 {
        self.linkage.length
    }

    /// The plan that the kernel runs.
    pub fn plan(&self) -> Plan<'_, f64> {
        self.plan.plan()
    }

    /// The plan with its lists, for another scalar: [`OwnedPlan::map`].
    pub fn owned_plan(&self) -> &OwnedPlan<f64> {
        &self.plan
    }

    /// Memory for its calls.
    pub fn workspace(&self) -> Workspace<f64> {
        let spares = self.spares.iter().map(Self::workspace).collect();
        let mut workspace = Workspace::new(&self.plan.plan());
        workspace.spares = spares;
        workspace
    }

    /// The same mechanism with the order of its elimination chosen again for this posture. Configurations stay valid; a
    /// workspace must be made anew. Margins stay those of home: that of this posture is its smallest pivot, in proportion,
    /// over the smallest at home.
    pub fn ordered_for(&self, at: &Configuration) -> Result<Self, MechanismError> {
        let mut postures = vec![at.0.clone()];
        postures.extend(self.postures.iter().cloned());
        let (orders, smallest) =
            order(&self.linkage, &self.layout, &self.natural, (&postures, 1), self.tolerance)
                .map_err(|_| MechanismError::Singular { margin: 0.0, at: "this posture".into() })?;
        let place = platform(&self.description, &self.linkage);
        let mut plan = self.layout.plan(&self.linkage, &orders, place, self.description.gravity);
        let mut same = Self { spares: Arc::default(), ..self.clone() };
        same.margin_of_order = if smallest.is_finite() { smallest / self.smallest_pivot } else { 1.0 };
        for pivot in &mut plan.pivots {
            pivot.reference *= same.margin_of_order;
        }
        // What was changed since the layout was made: loads and springs.
        for (body, own) in plan.bodies.iter_mut().zip(&self.plan.bodies) {
            body.body = own.body;
        }
        plan.share_out();
        let springs = std::mem::take(&mut same.plan.springs);
        same.plan = OwnedPlan { springs, ..plan };
        same = same.with_choice_of(self);
        for (motor, info) in same.plan.motors.iter().zip(&mut same.motors) {
            info.dependent = motor.independent == legwork_core::mechanism::NONE;
        }
        Ok(same)
    }

    /// A closed configuration from rough poses of all bodies, with the motors at these values if they are given:
    /// damped least squares with every body free. Poses 0.3 rad off find the right branch.
    pub fn assemble(
        &self,
        poses: &[Pose<f64>],
        motors: Option<&[f64]>,
    ) -> Result<Configuration, MechanismError> {
        let expected = self.description.bodies.len();
        if poses.len() != expected {
            let found = poses.len();
            return Err(MechanismError::Count { what: "poses of bodies", expected, found });
        }
        if let Some(values) = motors {
            self.check_motors("values of motors", values)?;
        }
        let clusters = self.linkage.clusters_at(poses);
        let mut maximal = Maximal::new(&self.linkage);
        let mut coordinates = maximal.coordinates(&clusters);
        let (gap, steps) = maximal.close(&mut coordinates, motors);
        if !(gap <= OPEN.max(10.0 * self.mobility.closing_gap)) {
            return Err(maximal.widest(&coordinates, &self.description.joints, steps));
        }
        if let Some(joint) = maximal.flipped(&coordinates) {
            let joint = &self.description.joints[joint];
            let bodies = [joint.parent.clone(), joint.child.clone()];
            return Err(MechanismError::FlippedAxis { joint: joint.name.clone(), bodies });
        }
        let clusters = maximal.clusters(&coordinates);
        let mut found = Configuration(self.layout.coordinates_of(&clusters));
        if let Some(values) = motors {
            // Angles are counted as they were given.
            for (motor, value) in self.plan.motors.iter().zip(values) {
                let q = &mut found.0[motor.coordinate];
                *q = *value + turn(*q - *value);
            }
        }
        Ok(found)
    }

    /// The same mechanism with a load fixed to the platform, given in the frame of the platform's body.
    pub fn with_payload(&self, load: &RigidBody<f64>) -> Result<Self, MechanismError> {
        let load = load.checked().map_err(|fault| MechanismError::Payload { fault })?;
        let mut loaded = self.clone();
        let platform = self.description.bodies.iter().position(|body| body.name == self.description.platform);
        if let Some((body, frame)) = platform.map(|place| self.bodies[place])
            && let Some(tree) = body.checked_sub(1).and_then(|k| loaded.plan.bodies.get_mut(k))
        {
            tree.body = tree.body.joined(&load.seen_from(&frame.to_pose()));
            loaded.plan.share_out();
            loaded.resting_energy -= self.description.gravity.dot(self.linkage.origin) * load.mass;
        }
        Ok(loaded.with_like_spares())
    }

    /// The same mechanism with a choice of efforts where it has more motors than freedoms: those nearest to `preload`,
    /// least Σ w (τ − t)², in the order of the motors. Without it every weight is one and every preload zero: the smallest
    /// norm. Preloads that move nothing are taken as they are; of others the part that moves nothing.
    pub fn with_effort_choice(&self, weights: &[f64], preload: &[f64]) -> Result<Self, MechanismError> {
        self.check_motors("weights of motors", weights)?;
        self.check_motors("preloads of motors", preload)?;
        if let Some((motor, weight)) = self.motors.iter().zip(weights).find(|(_, weight)| !(**weight > 0.0)) {
            return Err(MechanismError::Weight { motor: motor.name.clone(), weight: *weight });
        }
        if self.motors.iter().all(|motor| !motor.dependent)
            && let Some((motor, _)) = self.motors.iter().zip(preload).find(|(_, preload)| **preload != 0.0)
        {
            let (motor, motors) = (motor.name.clone(), self.motors.len());
            return Err(MechanismError::NoChoice { motor, motors });
        }
        let mut chosen = self.clone();
        for (motor, (weight, preload)) in chosen.plan.motors.iter_mut().zip(weights.iter().zip(preload)) {
            (motor.weight, motor.preload) = (*weight, *preload);
        }
        Ok(chosen.with_like_spares())
    }

    /// The same mechanism with the choice of efforts of another one with the same motors.
    pub(crate) fn with_choice_of(mut self, other: &Self) -> Self {
        for (motor, known) in self.plan.motors.iter_mut().zip(&other.plan.motors) {
            (motor.weight, motor.preload) = (known.weight, known.preload);
        }
        self.with_like_spares()
    }

    /// Names of the joints that [`joint_reactions`](Self::joint_reactions) tells of, in its order.
    pub fn carrying_joints(&self) -> Vec<String> {
        self.joint_places().into_iter().map(|place| place.joint).collect()
    }

    /// Where the kernel has each joint that is not fixed, in the order of the description.
    pub(super) fn joint_places(&self) -> Vec<JointPlace> {
        let cuts: Vec<usize> = self.layout.cuts.iter().flatten().copied().collect();
        let mut places: Vec<(usize, JointPlace)> = Vec::new();
        for (k, link) in self.linkage.links.iter().enumerate().filter(|(_, l)| l.kind != JointType::Fixed) {
            let [parent, child] = link.ends.map(|cluster| self.layout.node_of[cluster]);
            let cut = cuts.iter().position(|cut| *cut == k);
            // In the tree the joint belongs to the end that hangs on the other.
            let reversed = cut.is_none() && parent > 0 && self.layout.nodes[parent - 1].parent == child && {
                child == 0 || self.layout.nodes[child - 1].parent != parent
            };
            let own = child.checked_sub(1).map_or_else(Frame::identity, |node| self.layout.nodes[node].own);
            let place = JointPlace {
                joint: self.description.joints[link.joint].name.clone(),
                cut,
                reversed,
                body: if reversed { parent } else { child },
                child,
                centre: own.inverse().of(link.frames[1].origin),
            };
            places.push((link.joint, place));
        }
        places.sort_by_key(|(joint, _)| *joint);
        places.into_iter().map(|(_, place)| place).collect()
    }

    pub(super) fn origin(&self) -> V3<f64> {
        self.linkage.origin
    }

    pub(super) fn check_motors(&self, what: &'static str, list: &[f64]) -> Result<(), MechanismError> {
        let (expected, found) = (self.motors.len(), list.len());
        if expected != found {
            return Err(MechanismError::Count { what, expected, found });
        }
        if list.iter().any(|x| !x.is_finite()) {
            return Err(MechanismError::NotFinite { what });
        }
        Ok(())
    }

    /// The joint whose loop is widest open at these coordinates.
    pub(super) fn widest_joint(&self, workspace: &mut Workspace<f64>) -> String {
        let plan = self.plan.plan();
        let memory = workspace.memory();
        let mut worst = (-1.0, 0);
        let links = self.layout.cuts.iter().flatten();
        for (cut, link) in plan.cuts.iter().zip(links) {
            let gap = plan.gap_of(cut, &memory);
            let size: f64 = gap.iter().map(|x| x * x).sum();
            if !(size <= worst.0) {
                worst = (size, *link);
            }
        }
        let joint = self.linkage.links.get(worst.1).map_or(0, |link| link.joint);
        self.description.joints.get(joint).map_or_else(String::new, |joint| joint.name.clone())
    }
}

/// The platform's cluster, and its point and axes there.
pub(super) fn platform(description: &MechanismDescription, linkage: &Linkage) -> (usize, Frame<f64>) {
    let place = description.bodies.iter().position(|body| body.name == description.platform).unwrap_or(0);
    let (cluster, frame) = linkage.places[place];
    (cluster, Frame { origin: frame.of(description.platform_point), ..frame })
}

/// The largest of some sizes; NaN if one is.
pub(super) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(f64::abs).fold(0.0, Real::max)
}

//! A plan with its lists, and memory with its lists.

use legwork_core::engine::{Twist, Wrench};
use legwork_core::mechanism::{
    Blank, Block, Cut, CutAxes, Frame, Group, Idle, Memory, Motor, Pivot, Plan, Platform, Share, Side,
    Spring, Step, Term, TreeBody,
};
use legwork_core::{Real, V3};

/// A [`Plan`] that owns its lists.
#[derive(Clone, Debug, PartialEq)]
#[allow(missing_docs)] // those of the plan
pub struct OwnedPlan<T> {
    pub bodies: Vec<TreeBody<T>>,
    pub cuts: Vec<Cut<T>>,
    pub terms: Vec<Term>,
    pub legs: Vec<Block>,
    pub core: Block,
    pub columns: Vec<usize>,
    pub pivots: Vec<Pivot<T>>,
    pub steps: Vec<Step>,
    pub entries: Vec<Term>,
    pub targets: Vec<usize>,
    pub idle: Vec<Idle<T>>,
    pub motors: Vec<Motor<T>>,
    pub rotors: Vec<T>,
    pub drags: Vec<Motor<T>>,
    pub springs: Vec<Spring<T>>,
    pub platform: Platform<T>,
    pub gravity: V3<T>,
    pub freedoms: usize,
    pub coordinates: usize,
}

impl<T: Real> OwnedPlan<T> {
    /// The plan, for the kernel.
    pub fn plan(&self) -> Plan<'_, T> {
        Plan {
            bodies: &self.bodies,
            cuts: &self.cuts,
            terms: &self.terms,
            legs: &self.legs,
            core: self.core,
            columns: &self.columns,
            pivots: &self.pivots,
            steps: &self.steps,
            entries: &self.entries,
            targets: &self.targets,
            idle: &self.idle,
            motors: &self.motors,
            rotors: &self.rotors,
            drags: &self.drags,
            springs: &self.springs,
            platform: self.platform,
            gravity: self.gravity,
            freedoms: self.freedoms,
            coordinates: self.coordinates,
        }
    }

    /// The same plan for another scalar: `f32`, lanes, dual numbers.
    pub fn map<U: Real>(&self, f: impl Fn(T) -> U + Copy) -> OwnedPlan<U> {
        let side = |side: &Side<T>| Side {
            body: side.body,
            frame: side.frame.map(f),
            terms: side.terms,
            free: side.free,
        };
        let motor = |m: &Motor<T>| Motor {
            freedom: m.freedom,
            coordinate: m.coordinate,
            independent: m.independent,
            drive: m.drive.map(f),
            weight: f(m.weight),
            preload: f(m.preload),
        };
        OwnedPlan {
            bodies: self
                .bodies
                .iter()
                .map(|b| TreeBody {
                    joint: b.joint,
                    parent: b.parent,
                    freedom: b.freedom,
                    coordinate: b.coordinate,
                    frame: b.frame.map(f),
                    body: b.body.map(f),
                    share: match b.share {
                        Share::Whole(body) => Share::Whole(body.map(f)),
                        Share::Point { mass, centre } => {
                            Share::Point { mass: f(mass), centre: centre.map(f) }
                        }
                        Share::Axis { inertia, moment } => {
                            Share::Axis { inertia: f(inertia), moment: moment.map(f) }
                        }
                    },
                })
                .collect(),
            cuts: self
                .cuts
                .iter()
                .map(|c| Cut {
                    joint: c.joint,
                    parent: side(&c.parent),
                    child: side(&c.child),
                    on_child: c.on_child,
                    directions: c.directions.map(f),
                    rows: c.rows,
                })
                .collect(),
            terms: self.terms.clone(),
            legs: self.legs.clone(),
            core: self.core,
            columns: self.columns.clone(),
            pivots: self
                .pivots
                .iter()
                .map(|p| Pivot { steps: p.steps, reference: f(p.reference), entries: p.entries })
                .collect(),
            steps: self.steps.clone(),
            entries: self.entries.clone(),
            targets: self.targets.clone(),
            idle: self
                .idle
                .iter()
                .map(|i| Idle {
                    freedom: i.freedom,
                    body: i.body,
                    alone: i.alone,
                    spin: i.spin.map(f),
                    swing: i.swing.map(|v| v.map(f)),
                    inertia: f(i.inertia),
                })
                .collect(),
            motors: self.motors.iter().map(motor).collect(),
            rotors: self.rotors.iter().map(|x| f(*x)).collect(),
            drags: self.drags.iter().map(motor).collect(),
            springs: self
                .springs
                .iter()
                .map(|s| Spring {
                    bodies: s.bodies,
                    points: s.points.map(|p| p.map(f)),
                    stiffness: f(s.stiffness),
                    free_length: f(s.free_length),
                })
                .collect(),
            platform: Platform { body: self.platform.body, frame: self.platform.frame.map(f) },
            gravity: self.gravity.map(f),
            freedoms: self.freedoms,
            coordinates: self.coordinates,
        }
    }
}

/// [`Memory`] that owns its lists: made once, used by every call.
#[derive(Clone, Debug)]
pub struct Workspace<T> {
    frames: Vec<Frame<T>>,
    columns: Vec<Twist<T>>,
    rates: Vec<T>,
    accelerations: Vec<T>,
    forces: Vec<T>,
    twists: Vec<Twist<T>>,
    products: Vec<Twist<T>>,
    motions: Vec<Twist<T>>,
    wrenches: Vec<Wrench<T>>,
    jacobians: Vec<Group<T>>,
    axes: Vec<CutAxes<T>>,
    matrix: Vec<Group<T>>,
    inverses: Vec<T>,
    multipliers: Vec<T>,
    gaps: Vec<T>,
    lambdas: Vec<T>,
    vector: Vec<Group<T>>,
    slopes: Vec<Group<T>>,
    mass: Vec<Group<T>>,
    small: Vec<T>,
    idle: Vec<T>,
    pub(super) search: Search<T>,
    /// Memory for the orders that a model has prepared.
    pub(super) spares: Vec<Self>,
}

/// Lists of a search along a branch.
#[derive(Clone, Debug, Default)]
pub(super) struct Search<T> {
    /// Coordinates of the next posture.
    pub next: Vec<T>,
    /// One number per rate.
    pub tangent: Vec<T>,
    pub step: Vec<T>,
    /// Of the independent motors.
    pub still: Vec<T>,
    pub square: Vec<T>,
    pub right: Vec<T>,
    /// A sign per block, here and there.
    pub signs: [Vec<bool>; 2],
}

fn blanks<V: Blank + Clone>(count: usize) -> Vec<V> {
    vec![V::blank(); count]
}

impl<T: Real> Workspace<T> {
    /// Memory for a plan.
    pub fn new(plan: &Plan<'_, T>) -> Self {
        let sizes = plan.sizes();
        let zeros = |count: usize| vec![T::zero(); count];
        Self {
            frames: blanks(sizes.bodies),
            columns: blanks(sizes.freedoms),
            rates: zeros(sizes.freedoms),
            accelerations: zeros(sizes.freedoms),
            forces: zeros(sizes.freedoms),
            twists: blanks(sizes.bodies),
            products: blanks(sizes.bodies),
            motions: blanks(sizes.bodies),
            wrenches: blanks(sizes.bodies),
            jacobians: blanks(sizes.bodies * 6 * sizes.groups),
            axes: blanks(sizes.cuts),
            matrix: blanks(sizes.matrix),
            inverses: zeros(sizes.pivots),
            multipliers: zeros(sizes.steps),
            gaps: zeros(sizes.rows),
            lambdas: zeros(sizes.pivots),
            vector: blanks(sizes.width.max(sizes.groups)),
            slopes: blanks(sizes.freedoms * sizes.groups),
            mass: blanks(sizes.independent * sizes.groups),
            small: zeros(Memory::small_for(plan)),
            idle: zeros(2 * sizes.idle * sizes.freedoms),
            search: Search {
                next: zeros(plan.coordinates),
                tangent: zeros(sizes.freedoms),
                step: zeros(sizes.freedoms),
                still: zeros(sizes.independent),
                square: zeros(sizes.independent * sizes.independent),
                right: zeros(sizes.independent),
                signs: [0, 1].map(|_| vec![false; plan.legs.len() + 1]),
            },
            spares: Vec::new(),
        }
    }

    /// As the kernel wants it.
    #[inline]
    pub fn memory(&mut self) -> Memory<'_, T> {
        Memory {
            frames: &mut self.frames,
            columns: &mut self.columns,
            rates: &mut self.rates,
            accelerations: &mut self.accelerations,
            forces: &mut self.forces,
            twists: &mut self.twists,
            products: &mut self.products,
            motions: &mut self.motions,
            wrenches: &mut self.wrenches,
            jacobians: &mut self.jacobians,
            axes: &mut self.axes,
            matrix: &mut self.matrix,
            inverses: &mut self.inverses,
            multipliers: &mut self.multipliers,
            gaps: &mut self.gaps,
            lambdas: &mut self.lambdas,
            vector: &mut self.vector,
            slopes: &mut self.slopes,
            mass: &mut self.mass,
            small: &mut self.small,
            idle: &mut self.idle,
        }
    }
}

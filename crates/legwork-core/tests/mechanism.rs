//! The kernel of mechanisms on a plan written by hand: a crank, a coupler on a universal joint, a ball, a rocker. Once with
//! every body in the core, once with crank and coupler as a leg.

use legwork_core::engine::{Drive, Pose, RigidBody, Twist, Wrench};
use legwork_core::mechanism::{
    Blank, Block, Cut, CutAxes, CutJoint, Frame, Group, Memory, Motion, Motor, NONE, Pivot, Plan, Platform,
    Share, Side, Span, Step, Term, TreeBody, TreeJoint,
};
use legwork_core::{Dual, M3, Real, Sym3, V3};
use legwork_testkit::{Worst, relative_error};

const fn span(start: usize, end: usize) -> Span {
    Span { start, end }
}

fn tilted(x: f64, y: f64, z: f64, position: [f64; 3]) -> Frame<f64> {
    // Rz(z) Ry(y) Rx(x)
    let about = |angle: f64, k: usize| {
        let (s, c) = angle.sin_cos();
        let mut rows = [[0.0; 3]; 3];
        let (i, j) = ((k + 1) % 3, (k + 2) % 3);
        (rows[k][k], rows[i][i], rows[j][j], rows[i][j], rows[j][i]) = (1.0, c, c, -s, s);
        M3::from_rows(rows[0].into(), rows[1].into(), rows[2].into())
    };
    Frame::from_pose(&Pose::new(about(z, 2) * about(y, 1) * about(x, 0), position.into()))
}

fn body(mass: f64, centre: [f64; 3]) -> RigidBody<f64> {
    RigidBody {
        mass,
        centre: centre.into(),
        inertia: Sym3 { diagonal: V3::new(0.02, 0.03, 0.025), off: V3::new(0.001, -0.002, 0.0015) },
    }
}

/// Lists of a plan; the rates are 0 rocker, 1 crank (motor), 2 and 3 coupler.
struct Lists<T> {
    bodies: Vec<TreeBody<T>>,
    cuts: [Cut<T>; 1],
    terms: Vec<Term>,
    legs: Vec<Block>,
    core: Block,
    columns: Vec<usize>,
    pivots: Vec<Pivot<T>>,
    steps: Vec<Step>,
    entries: Vec<Term>,
    targets: Vec<usize>,
    motors: [Motor<T>; 1],
}

/// Where the loop is closed: rocker, crank, coupler.
const CLOSED: [f64; 4] = [0.4, 0.5, -0.2, -0.3];

/// The mechanism whose ball is where rocker and coupler meet in one posture.
fn lists(with_leg: bool) -> Lists<f64> {
    let mut lists = open_lists(with_leg);
    let mut room = Room::new();
    let memory = &mut room.memory();
    lists.plan().place(&CLOSED, memory);
    let (rocker, coupler) = (memory.frames[1], memory.frames[3]);
    let meet = coupler.of(lists.cuts[0].directions.origin);
    lists.cuts[0].child.frame.origin = rocker.inside(meet - rocker.origin);
    lists
}

/// Pivots in the order of their rows, every row below and every column to the right touched.
#[allow(clippy::too_many_lines)] // lists
fn open_lists(with_leg: bool) -> Lists<f64> {
    let ball = tilted(0.0, 0.0, 0.0, [0.9, 0.05, 0.02]);
    let (columns, position): (Vec<usize>, fn(usize) -> usize) = if with_leg {
        // Leg: coupler | crank, rocker. Core: rocker | crank.
        (vec![2, 3, 1, 0, 0, 1], |freedom| [3, 2, 0, 1][freedom])
    } else {
        (vec![2, 3, 0, 1], |freedom| [2, 3, 0, 1][freedom])
    };
    let term = |freedom: usize| Term { freedom, column: position(freedom) };
    let side = |body, origin: [f64; 3], terms| Side {
        body,
        frame: tilted(0.0, 0.0, 0.0, origin),
        terms,
        free: NONE,
    };
    let cut = Cut {
        joint: CutJoint::Spherical,
        parent: side(3, [0.9, 0.05, 0.02], span(0, 3)),
        child: side(1, [0.7, 0.1, -0.03], span(3, 4)),
        on_child: false,
        directions: ball,
        rows: [2, 1, 0, NONE, NONE, NONE],
    };
    let pivot = |steps, entries| Pivot { steps, reference: 1.0, entries };
    let (legs, core, pivots, entries, targets) = if with_leg {
        let leg = Block {
            bodies: span(1, 3),
            cuts: span(0, 1),
            columns: span(0, 4),
            rows: span(0, 3),
            pivots: span(0, 2),
            steps: span(0, 3),
            matrix: span(0, 3),
            width: 1,
            core_rows: span(0, 1),
            core_columns: span(1, 3),
            idle: Span::default(),
        };
        let core = Block {
            bodies: span(0, 1),
            cuts: span(1, 1),
            columns: span(4, 6),
            rows: span(3, 4),
            pivots: span(2, 3),
            steps: span(3, 3),
            matrix: span(3, 4),
            width: 1,
            ..Block::default()
        };
        let pivots =
            vec![pivot(span(0, 2), span(0, 3)), pivot(span(2, 3), span(1, 3)), pivot(span(3, 3), span(3, 4))];
        (vec![leg], core, pivots, vec![(3, 1), (1, 2), (0, 3), (1, 1)], vec![0, 1, 0])
    } else {
        let core = Block {
            bodies: span(0, 3),
            cuts: span(0, 1),
            columns: span(0, 4),
            rows: span(0, 3),
            pivots: span(0, 3),
            steps: span(0, 3),
            matrix: span(0, 3),
            width: 1,
            ..Block::default()
        };
        let pivots =
            vec![pivot(span(0, 2), span(0, 3)), pivot(span(2, 3), span(1, 3)), pivot(span(3, 3), span(2, 3))];
        (Vec::new(), core, pivots, vec![(3, 1), (0, 2), (1, 3)], Vec::new())
    };
    let tree = |joint, parent, freedom, frame, body| TreeBody {
        joint,
        parent,
        freedom,
        coordinate: freedom,
        frame,
        body,
        share: Share::Whole(body),
    };
    Lists {
        bodies: vec![
            tree(
                TreeJoint::Revolute,
                0,
                0,
                tilted(0.2, 1.3, 0.1, [1.1, 0.2, 0.1]),
                body(1.4, [0.35, 0.04, -0.02]),
            ),
            tree(
                TreeJoint::Revolute,
                0,
                1,
                tilted(-0.1, 0.2, 0.3, [0.0, 0.0, 0.0]),
                body(0.8, [0.15, 0.01, 0.02]),
            ),
            tree(
                TreeJoint::Universal,
                2,
                2,
                tilted(0.4, -0.2, 0.5, [0.3, 0.02, 0.01]),
                body(1.1, [0.4, 0.03, 0.01]),
            ),
        ],
        cuts: [cut],
        terms: vec![term(1), term(2), term(3), term(0)],
        legs,
        core,
        columns,
        pivots,
        steps: [(0, 1), (0, 2), (1, 2)].map(|(pivot, row)| Step { pivot, row }).to_vec(),
        entries: entries.into_iter().map(|(freedom, column)| Term { freedom, column }).collect(),
        targets,
        motors: [Motor {
            freedom: 1,
            coordinate: 1,
            independent: 0,
            drive: Drive::with_inertia(0.03),
            weight: 1.0,
            preload: 0.0,
        }],
    }
}

impl<T: Real> Lists<T> {
    fn map<U: Real>(&self, f: impl Fn(T) -> U + Copy) -> Lists<U> {
        let side = |s: &Side<T>| Side { body: s.body, frame: s.frame.map(f), terms: s.terms, free: s.free };
        let [c] = &self.cuts;
        let [m] = &self.motors;
        Lists {
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
            cuts: [Cut {
                joint: c.joint,
                parent: side(&c.parent),
                child: side(&c.child),
                on_child: c.on_child,
                directions: c.directions.map(f),
                rows: c.rows,
            }],
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
            motors: [Motor {
                freedom: m.freedom,
                coordinate: m.coordinate,
                independent: m.independent,
                drive: m.drive.map(f),
                weight: f(m.weight),
                preload: f(m.preload),
            }],
        }
    }

    fn plan(&self) -> Plan<'_, T> {
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
            idle: &[],
            motors: &self.motors,
            rotors: &[],
            drags: &[],
            springs: &[],
            platform: Platform {
                body: 3,
                frame: Frame { origin: V3::new(0.5, 0.1, 0.0).map(T::from_f64), ..Frame::identity() },
            },
            gravity: V3::new(1.0, -2.0, -9.0).map(T::from_f64),
            freedoms: 4,
            coordinates: 4,
        }
    }
}

/// Arrays with more room than any plan here needs.
struct Room<T> {
    frames: [Frame<T>; 4],
    six: [[Twist<T>; 4]; 4],
    wrenches: [Wrench<T>; 4],
    jacobians: [Group<T>; 24],
    axes: [CutAxes<T>; 1],
    groups: [[Group<T>; 8]; 4],
    numbers: [[T; 8]; 9],
}

impl<T: Real> Room<T> {
    fn new() -> Self {
        Self {
            frames: [Frame::identity(); 4],
            six: [[Twist::zero(); 4]; 4],
            wrenches: [Wrench::zero(); 4],
            jacobians: [Blank::blank(); 24],
            axes: [CutAxes::blank()],
            groups: [[[T::zero(); 4]; 8]; 4],
            numbers: [[T::zero(); 8]; 9],
        }
    }

    fn memory(&mut self) -> Memory<'_, T> {
        let [columns, twists, products, motions] = &mut self.six;
        let [matrix, vector, slopes, mass] = &mut self.groups;
        let [rates, accelerations, forces, inverses, multipliers, gaps, lambdas, small, idle] =
            &mut self.numbers;
        Memory {
            frames: &mut self.frames,
            columns,
            rates: &mut rates[..4],
            accelerations: &mut accelerations[..4],
            forces: &mut forces[..4],
            twists,
            products,
            motions,
            wrenches: &mut self.wrenches,
            jacobians: &mut self.jacobians,
            axes: &mut self.axes,
            matrix,
            inverses,
            multipliers,
            gaps,
            lambdas,
            vector,
            slopes: &mut slopes[..4],
            mass: &mut mass[..1],
            small,
            idle,
        }
    }
}

/// Coordinates that close the loop with the crank at an angle.
fn closed(plan: &Plan<'_, f64>, crank: f64) -> [f64; 4] {
    let mut room = Room::new();
    let mut memory = room.memory();
    let mut q = CLOSED;
    q[1] = crank;
    for _ in 0..40 {
        plan.place(&q, &mut memory);
        plan.gaps(&mut memory);
        plan.close(&mut memory);
        plan.closing_step(&[0.0], &mut memory);
        let longest = legwork_testkit::largest(memory.accelerations.iter());
        let part = if longest > 0.3 { 0.3 / longest } else { 1.0 };
        let step: Vec<f64> = memory.accelerations.iter().map(|x| x * part).collect();
        plan.step(&mut q, &step);
    }
    plan.place(&q, &mut memory);
    let (gap, _) = plan.gaps(&mut memory);
    assert!(gap < 1e-26, "the loop is open by {:.1e} m at {q:?}", gap.sqrt());
    q
}

const CRANKS: [f64; 3] = [0.4, 0.5, 0.62];

/// The power of the motor is the change of the energy: derivative in time by dual numbers, closure included.
#[test]
fn the_motor_gives_the_change_of_energy() {
    let mut worst = Worst::of("power");
    for with_leg in [false, true] {
        let lists = lists(with_leg);
        let plan = lists.plan();
        for crank in CRANKS {
            let q = closed(&plan, crank);
            let (rate, acceleration) = (1.3, -4.0);
            let mut room = Room::new();
            let mut memory = room.memory();
            let motion = Motion { coordinates: &q, rates: &[rate], idle: None, wrench: Wrench::zero() };
            let mut effort = [0.0];
            plan.inverse_dynamics(&motion, &[acceleration], &mut effort, &mut memory);
            let rates: Vec<f64> = memory.rates.to_vec();
            let dual = lists.map(Dual::<f64, 1>::constant);
            let plan = dual.plan();
            let at: Vec<Dual<f64, 1>> =
                q.iter().zip(&rates).map(|(q, u)| Dual { re: *q, eps: [*u] }).collect();
            let rate = [Dual { re: rate, eps: [acceleration] }];
            let mut room = Room::new();
            let mut memory = room.memory();
            let motion = Motion { coordinates: &at, rates: &rate, idle: None, wrench: Wrench::zero() };
            plan.prepare(&motion, &mut memory);
            let energy = plan.kinetic_energy(&memory) + plan.potential_energy(&memory);
            worst.see(relative_error(&[effort[0] * rate[0].re], &[energy.eps[0]]));
            // The passive accelerations are those of the passive rates.
            let change: Vec<f64> = memory.rates.iter().map(|u| u.eps[0]).collect();
            let mut room = Room::new();
            let mut memory = room.memory();
            let plan = lists.plan();
            let motion = Motion { coordinates: &q, rates: &[1.3], idle: None, wrench: Wrench::zero() };
            plan.prepare(&motion, &mut memory);
            plan.spread_accelerations(&[acceleration], &mut memory);
            worst.see(relative_error(memory.accelerations, &change));
        }
    }
    worst.below(1e-11); // rounding, times the condition of the loop
}

/// Accelerations under the efforts of the inverse dynamics are those it was asked for; M q̇²/2 is the kinetic energy.
#[test]
fn forward_dynamics_undoes_inverse_dynamics() {
    let mut worst = Worst::of("there and back");
    for with_leg in [false, true] {
        let lists = lists(with_leg);
        let plan = lists.plan();
        for crank in CRANKS {
            let q = closed(&plan, crank);
            let mut room = Room::new();
            let mut memory = room.memory();
            let wrench = Wrench::new(V3::new(3.0, -2.0, 1.0), V3::new(0.2, 0.5, -0.4));
            let motion = Motion { coordinates: &q, rates: &[-0.8], idle: None, wrench };
            let (mut effort, mut back) = ([0.0], [0.0]);
            plan.inverse_dynamics(&motion, &[2.5], &mut effort, &mut memory);
            let energy = plan.kinetic_energy(&memory);
            let (margin, mass_margin) = plan.forward_dynamics(&motion, &effort, &mut back, &mut memory);
            assert!(margin > 0.0 && mass_margin > 0.0);
            worst.see(relative_error(&back, &[2.5]));
            worst.see(relative_error(&[0.5 * plan.mass(0, 0, &memory) * 0.64], &[energy]));
        }
    }
    worst.below(1e-12); // rounding, times the condition of the loop
}

/// Crank and coupler as a leg, or everything in the core: one effort.
#[test]
fn a_leg_is_eliminated_to_the_same_effort() {
    let mut worst = Worst::of("two orders");
    let (dense, split) = (lists(false), lists(true));
    for crank in CRANKS {
        let q = closed(&dense.plan(), crank);
        let mut efforts = [[0.0]; 2];
        for (lists, effort) in [&dense, &split].into_iter().zip(&mut efforts) {
            let mut room = Room::new();
            let mut memory = room.memory();
            let wrench = Wrench::new(V3::new(3.0, -2.0, 1.0), V3::new(0.2, 0.5, -0.4));
            let motion = Motion { coordinates: &q, rates: &[0.7], idle: None, wrench };
            lists.plan().inverse_dynamics(&motion, &[1.5], effort, &mut memory);
        }
        worst.see(relative_error(&efforts[0], &efforts[1]));
    }
    worst.below(1e-12); // rounding, times the condition of the loop
}

/// An external wrench does the work that the motor is spared: the change of effort is the platform's Jacobian.
#[test]
fn a_wrench_at_the_platform_reaches_the_motor() {
    let mut worst = Worst::of("virtual work");
    let lists = lists(true);
    let plan = lists.plan();
    let q = closed(&plan, 0.5);
    let mut room = Room::new();
    let mut memory = room.memory();
    let wrench = Wrench::new(V3::new(3.0, -2.0, 1.0), V3::new(0.2, 0.5, -0.4));
    let mut efforts = [[0.0]; 2];
    for (wrench, effort) in [Wrench::zero(), wrench].into_iter().zip(&mut efforts) {
        let motion = Motion { coordinates: &q, rates: &[0.7], idle: None, wrench };
        plan.inverse_dynamics(&motion, &[1.5], effort, &mut memory);
    }
    plan.write_slopes(&mut memory);
    let column = plan.jacobian_column(0, &memory);
    worst.see(relative_error(&[efforts[0][0] - efforts[1][0]], &[wrench.power(column)]));
    // The ball carries no moment, and what it carries holds the rocker.
    let motion = Motion { coordinates: &q, rates: &[0.7], idle: None, wrench };
    plan.inverse_dynamics(&motion, &[1.5], &mut efforts[0], &mut memory);
    plan.write_reactions(&efforts[0], &wrench, &mut memory);
    let (axis, carried) = (memory.columns[0], memory.wrenches[1]);
    let size = legwork_testkit::largest(carried.moment.to_array().iter());
    worst.see((carried.moment.dot(axis.angular) + carried.force.dot(axis.linear)) / size);
    let crank = memory.wrenches[2];
    let along = crank.moment.dot(memory.columns[1].angular) + crank.force.dot(memory.columns[1].linear);
    worst.see(relative_error(&[along + 0.03 * 1.5], &efforts[0]));
    worst.below(1e-12); // rounding, times the condition of the loop
}

/// What a body needs is what the engine's Newton and Euler say, gyroscopic moment included.
#[test]
fn bodies_need_what_newton_and_euler_say() {
    let mut worst = Worst::of("wrenches of bodies");
    let lists = lists(true);
    let plan = lists.plan();
    let q = closed(&plan, 0.5);
    let mut room = Room::new();
    let mut memory = room.memory();
    let motion = Motion { coordinates: &q, rates: &[3.7], idle: None, wrench: Wrench::zero() };
    plan.inverse_dynamics(&motion, &[1.5], &mut [0.0], &mut memory);
    // Rocker and coupler carry nothing else.
    for k in [1, 3] {
        let (frame, v, a) = (memory.frames[k].to_pose(), memory.twists[k], memory.motions[k]);
        let expected = lists.bodies[k - 1].body.inertial_wrench(&frame, V3::zero(), v, a);
        let found = memory.wrenches[k];
        worst.see(relative_error(&found.to_vector_linear_first(), &expected.to_vector_linear_first()));
    }
    worst.below(1e-13); // rounding
}

/// A body that turns about an axis of the ground needs its inertia and its weight about that axis, nothing else: efforts,
/// accelerations and mass matrix are those of the whole body.
#[test]
fn the_share_of_a_body_on_a_fixed_axis_is_enough() {
    let mut worst = Worst::of("shares");
    for with_leg in [true, false] {
        let whole = lists(with_leg);
        let mut shared = lists(with_leg);
        for body in shared.bodies.iter_mut().take(2) {
            let (mass, c) = (body.body.mass, body.body.centre);
            let inertia = body.body.inertia.diagonal.z + mass * (c.x * c.x + c.y * c.y);
            body.share = Share::Axis { inertia, moment: [mass * c.x, mass * c.y] };
        }
        let q = closed(&whole.plan(), 0.5);
        let wrench = Wrench::new(V3::new(3.0, -2.0, 1.0), V3::new(0.2, 0.5, -0.4));
        let motion = Motion { coordinates: &q, rates: &[3.7], idle: None, wrench };
        let answer = |plan: &Plan<'_, f64>| {
            let (mut room, mut effort, mut acceleration) = (Room::new(), [0.0], [0.0]);
            let mut memory = room.memory();
            plan.inverse_dynamics(&motion, &[1.5], &mut effort, &mut memory);
            plan.forward_dynamics(&motion, &effort, &mut acceleration, &mut memory);
            [effort[0], acceleration[0], plan.mass(0, 0, &memory)]
        };
        let (expected, found) = (answer(&whole.plan()), answer(&shared.plan()));
        for (x, y) in expected.iter().zip(&found) {
            worst.see(relative_error(&[*y], &[*x]));
        }
        worst.see(relative_error(&[found[1]], &[1.5]));
    }
    worst.below(1e-12); // rounding, times the condition of the loop
}

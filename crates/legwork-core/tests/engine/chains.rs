//! Chains and attachments: the printed recursion in link axes, the long road to
//! J_r⁻¹, the tree structure, ball joints taken apart, and what is refused.

use crate::engine_support::{self as support, some_body, with_wrist};
use legwork_core::engine::{
    Attachment, BodyError, Chain, Drive, JointKind, Leg, LegInverse, LegModel, Link, ModifiedDh, MotionSpace,
    PlatformMotion, Pose, RigidBody, Robot, RobotError, StateError, Twist, Ups, Wrench, matrix,
};
use legwork_core::{M3, Sym3, V3};
use legwork_testkit::{Seeded, golden, nan_max, relative_error};

const SEED: u64 = 0xc4a1;

/// A chain of six joints of mixed kinds by Khalil and Kleinfinger's parameters.
fn some_chain(rng: &mut Seeded) -> ([ModifiedDh<f64>; 6], Chain<f64, 6>) {
    let dh = std::array::from_fn(|_| ModifiedDh {
        gamma: rng.uniform(-3.0, 3.0),
        b: rng.uniform(-0.5, 0.5),
        alpha: rng.uniform(-3.0, 3.0),
        d: rng.uniform(-0.5, 0.5),
        theta: rng.uniform(-3.0, 3.0),
        r: rng.uniform(-0.5, 0.5),
    });
    let links = std::array::from_fn(|j| Link {
        kind: if rng.uniform(0.0, 1.0) < 0.35 { JointKind::Prismatic } else { JointKind::Revolute },
        active: true,
        placement: dh[j].placement(),
        body: Some(some_body(rng, 1.5, 0.4)),
        drive: Drive::with_inertia(rng.uniform(0.0, 0.2)),
    });
    (dh, Chain { links, tip: rng.triple(0.4).into() })
}

/// Rotation about z or x by an angle.
fn turn(axis: char, angle: f64) -> M3<f64> {
    let (s, c) = angle.sin_cos();
    match axis {
        'z' => M3::rotation_z(c, s),
        _ => M3::from_rows(V3::new(1.0, 0.0, 0.0), V3::new(0.0, c, -s), V3::new(0.0, s, c)),
    }
}

/// The recursive Newton–Euler equations as printed, in link axes (formulas 12.1).
fn printed_recursion(
    dh: &[ModifiedDh<f64>; 6],
    chain: &Chain<f64, 6>,
    [q, rate, acceleration]: [&[f64; 6]; 3],
    gravity: V3<f64>,
) -> [f64; 6] {
    let z = V3::new(0.0, 0.0, 1.0);
    let (mut w, mut dw, mut dv) = (V3::zero(), V3::zero(), -gravity);
    let mut steps = Vec::new();
    for j in 0..6 {
        let (link, p) = (&chain.links[j], &dh[j]);
        let revolute = link.kind == JointKind::Revolute;
        let (theta, r) = if revolute { (p.theta + q[j], p.r) } else { (p.theta, p.r + q[j]) };
        let outer = turn('z', p.gamma) * turn('x', p.alpha);
        let rotation = outer * turn('z', theta);
        let origin = V3::new(0.0, 0.0, p.b)
            + turn('z', p.gamma) * V3::new(p.d, 0.0, 0.0)
            + outer * V3::new(0.0, 0.0, r);
        let back = rotation.transpose();
        let carried = back * w;
        let arrived = back * (dv + dw.cross(origin) + w.cross(w.cross(origin)));
        let turned = back * dw;
        if revolute {
            w = carried + z * rate[j];
            dw = turned + z * acceleration[j] + carried.cross(z * rate[j]);
            dv = arrived;
        } else {
            w = carried;
            dw = turned;
            dv = arrived + z * acceleration[j] + carried.cross(z * rate[j]) * 2.0;
        }
        let body = link.body.unwrap();
        let (m, ms, i) = (body.mass, body.first_moment(), body.inertia_about_origin());
        let force = dv * m + dw.cross(ms) + w.cross(w.cross(ms));
        let moment = i * dw + w.cross(i * w) + ms.cross(dv);
        steps.push((rotation, origin, force, moment, revolute));
    }
    let mut effort = [0.0; 6];
    let (mut f, mut n) = (V3::zero(), V3::zero());
    for j in (0..6).rev() {
        let (_, _, force, moment, revolute) = steps[j];
        if j < 5 {
            let (rotation, origin, ..) = steps[j + 1];
            let passed = rotation * f;
            n = moment + rotation * n + origin.cross(passed);
            f = force + passed;
        } else {
            (f, n) = (force, moment);
        }
        effort[j] = if revolute { n.z } else { f.z } + chain.links[j].drive.inertia * acceleration[j];
    }
    effort
}

#[test]
fn the_screw_form_equals_the_printed_recursion() {
    let mut rng = Seeded::new(SEED);
    for _ in 0..100 {
        let (dh, chain) = some_chain(&mut rng);
        let mut some = |size: f64| -> [f64; 6] { std::array::from_fn(|_| rng.uniform(-size, size)) };
        let (q, rate, acceleration) = (some(3.0), some(2.0), some(5.0));
        let gravity = V3::new(1.0, -2.0, -9.5);
        let posture = chain.posture(&chain.values(&q));
        let inertias = chain.inertias(&posture);
        let printed = printed_recursion(&dh, &chain, [&q, &rate, &acceleration], gravity);
        let motion = chain.motion(&posture, &rate);
        let found = chain.effort(&posture, &motion, &acceleration, gravity);
        assert!(relative_error(&found, &printed) < 1e-12); // 60 rotations deep
        let found = chain.effort_with(&posture, &inertias, &motion, &acceleration, gravity);
        assert!(relative_error(&found, &printed) < 1e-12);
        let still = printed_recursion(&dh, &chain, [&q, &[0.0; 6], &[0.0; 6]], gravity);
        assert!(relative_error(&chain.weight(&posture, &inertias, gravity), &still) < 1e-12);
        // A_i: one call with a unit acceleration per column.
        let mass = chain.mass_matrix(&posture, &inertias);
        for j in 0..6 {
            let unit = std::array::from_fn(|k| f64::from(u8::from(k == j)));
            let column = printed_recursion(&dh, &chain, [&q, &[0.0; 6], &unit], V3::zero());
            assert!(relative_error(&mass.map(|row| row[j]), &column) < 1e-12);
        }
    }
}

/// J_i⁻¹ of the Space robot's legs as printed (36), with Rz(γ)ᵀ for turned legs (errata).
#[test]
fn the_printed_inverse_jacobian_of_a_ups_leg() {
    let file = golden("space_table1.json");
    let parameters = support::space(&file);
    let robot = parameters.robot();
    for state in file["states"].as_array().unwrap() {
        for (leg, gamma) in robot.legs.iter().zip(parameters.gamma) {
            let posture = leg.posture(&support::pose(state)).value;
            let [q1, q2, length] = leg.chain.coordinates(&posture.joints);
            let ((s1, c1), (s2, c2)) = (q1.sin_cos(), q2.sin_cos());
            let printed = M3::from_rows(
                V3::new(-s1, 0.0, -c1) * (1.0 / (length * s2)),
                V3::new(c1 * c2, s2, -(c2 * s1)) * (1.0 / length),
                V3::new(c1 * s2, -c2, -(s1 * s2)),
            ) * turn('z', gamma).transpose();
            assert!(s2 > 0.0);
            let found = posture.jacobian_inverse.concat();
            assert!(relative_error(&found, &printed.to_rows().concat()) < 1e-13);
        }
    }
}

fn gough() -> (Robot<f64, 3, 6, 6, 6>, Vec<PlatformMotion<f64, 6>>) {
    let file = golden("gough_stewart.json");
    let motions = file["states"].as_array().unwrap().iter().map(|state| PlatformMotion {
        pose: support::pose(state),
        rate: support::array(state, "/platform/twist"),
        acceleration: support::array(state, "/platform/acceleration"),
    });
    (support::gough(&file).robot(), motions.collect())
}

/// A leg whose tip lies beyond the zero of its slide: the slide reads that much less, and the loop stays closed.
#[test]
fn the_slide_of_a_ups_leg_counts_from_its_zero() {
    let (robot, motions) = gough();
    let pose = motions[0].pose;
    let slide = |leg: &Leg<f64, 3>| leg.chain.coordinates(&leg.posture(&pose).value.joints)[2];
    for leg in robot.legs {
        let mut longer = leg;
        longer.chain.tip.z += 0.1;
        assert!((slide(&leg) - slide(&longer) - 0.1).abs() < 1e-14); // rounding of lengths below 2 m
        assert!(longer.gap(&pose) < 1e-14);
    }
}

/// The length of a motion space makes freedoms and motors of different units comparable: a freedom that turns counts as
/// the length it moves at that distance, and so does a motor that turns.
#[test]
fn a_length_makes_slides_and_turns_comparable() {
    use JointKind::{Prismatic, Revolute};
    let space = MotionSpace::planar().with_length(2.0);
    let rows = [[0.25, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 0.25]];
    let margin = |kinds| space.scales().motor_factors(&kinds, &rows).margin();
    assert_eq!(margin([Prismatic; 3]), 0.125); // of 0.25, 1 and 0.25/2
    assert_eq!(margin([Revolute; 3]), 0.25); // of 0.5, 2 and 0.5/2
    assert_eq!(margin([Revolute, Prismatic, Prismatic]), 0.125); // of 0.5, 1 and 0.25/2
    assert_eq!(margin([Prismatic, Prismatic, Revolute]), 0.25); // of 0.25, 1 and 0.5/2
    assert_eq!(space.scales().motor_norm(&[Revolute, Prismatic], &[3.0, 8.0]), 5.0); // 3 rad and 8 m/2 m
    // Rows that are made comparable solve what the rows as they are do; these numbers have no rounding.
    let kinds = [Revolute, Prismatic, Prismatic];
    let factors = space.scales().motor_factors(&kinds, &rows);
    assert_eq!(factors.solve(&[0.5, 3.0, 0.25]), ([2.0, 3.0, 1.0], 0.0));
    assert_eq!(factors.solve_transposed(&[0.5, 3.0, 0.25]), [2.0, 3.0, 1.0]);
    assert_eq!(factors.inverse(), [[4.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 4.0]]);
    // Two motors on one freedom: a turn counts as the slide it is at 2 m, and what is missed as a gap does.
    let one = MotionSpace::of_components([0]).with_length(2.0);
    let twice = |kinds: [JointKind; 2], rows: [[f64; 1]; 2]| {
        let factors = one.scales().motor_factors(&kinds, &rows);
        let ([rate], missed) = factors.solve(&[0.0, 1.0]);
        (rate, missed, factors.solve_transposed(&[2.0]))
    };
    let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-15, "{a} {b}"); // a dozen operations
    let (rate, missed, effort) = twice([Revolute, Prismatic], [[0.5], [1.0]]);
    near(rate, 0.5);
    near(missed, 0.5 * 0.5_f64.sqrt()); // 0.25 rad and 0.5 m/2 m
    near(effort[0], 2.0); // 1 N at 2 m
    near(effort[1], 1.0);
    near(twice([Prismatic; 2], [[1.0]; 2]).1, 0.5 * 0.5_f64.sqrt());
    near(twice([Revolute; 2], [[1.0]; 2]).1, 0.5_f64.sqrt());
}

/// The same robot with its ball joints taken apart.
fn taken_apart<const N: usize>(robot: &Robot<f64, 3, 6, 6, 6>, home: &Pose<f64>) -> Robot<f64, N, 6, 6, 6> {
    Robot {
        legs: robot.legs.map(|leg| with_wrist::<N>(&leg, home)),
        platform: robot.platform,
        space: MotionSpace::full(),
        gravity: robot.gravity,
    }
    .checked()
    .unwrap()
}

fn same_robot<const N: usize>(name: &str) {
    let (robot, motions) = gough();
    let other = taken_apart::<N>(&robot, &motions[0].pose);
    let mut worst = 0.0_f64;
    for motion in &motions {
        let (a, b) = (
            robot.mechanism().inverse_dynamics(motion, Wrench::zero()).value,
            other.mechanism().inverse_dynamics(motion, Wrench::zero()).value,
        );
        worst = nan_max(worst, relative_error(&b.effort, &a.effort));
        worst = nan_max(worst, relative_error(&b.acceleration, &a.acceleration));
        let (a, b) = (
            robot.mechanism().task_dynamics(&motion.pose, &motion.rate).value,
            other.mechanism().task_dynamics(&motion.pose, &motion.rate).value,
        );
        worst = nan_max(worst, relative_error(&b.mass.concat(), &a.mass.concat()));
        worst = nan_max(worst, relative_error(&b.coriolis, &a.coriolis));
        // The long road (73)–(75) and the short one (80) give the same rows.
        worst = nan_max(worst, relative_error(&b.active.rows.concat(), &a.active.rows.concat()));
    }
    println!("{name}: {worst:.1e}");
    assert!(worst < 1e-11, "{name}: {worst:.1e}"); // condition of the wrist, up to 10
}

#[test]
fn universal_joints_at_the_platform() {
    same_robot::<4>("universal");
}

#[test]
fn hinges_at_the_platform() {
    same_robot::<5>("revolute");
}

#[test]
fn welds_at_the_platform_are_the_long_road() {
    same_robot::<6>("fixed");
}

/// Γ = Gᵀ Γ_tr (1): the platform rides on leg 1, the other legs are cut off at their ball joints.
#[test]
fn the_tree_structure_gives_the_same_efforts() {
    let (robot, motions) = gough();
    let home = &motions[0].pose;
    let mut tree = with_wrist::<6>(&robot.legs[0], home);
    let Attachment::Fixed { frame } = tree.attachment else { panic!("a weld expected") };
    tree.chain.links[5].body = Some(robot.platform.seen_from(&frame.inverse()));
    for motion in &motions {
        let m = robot.mechanism();
        let exact = m.inverse_dynamics(motion, Wrench::zero()).value.effort;
        let task = m.task_dynamics(&motion.pose, &motion.rate).value;
        let jacobian = task.joint_dynamics().value.jacobian;
        let twist = Twist::from_vector_linear_first(motion.rate);
        let mut effort = [0.0; 6];
        let mut project = |follow: &[[f64; 6]], own: &[f64]| {
            for (row, h) in follow.iter().zip(own) {
                let g = matrix::transposed_times(&jacobian, row); // a row of G = ∂q_tr/∂q_a (3)
                effort = std::array::from_fn(|k| effort[k] + g[k] * h);
            }
        };
        let first = tree.posture(&motion.pose).value;
        let rates = tree.rates(&first, &motion.pose, twist);
        let acceleration = matrix::sum(&matrix::times(&first.follow(), &motion.acceleration), &rates.bias);
        let own = tree.chain.effort(&first.chain, &rates.motion, &acceleration, robot.gravity);
        project(&first.follow(), &own);
        for leg in &robot.legs[1..] {
            let posture = leg.posture(&motion.pose).value;
            let rates = leg.rates(&posture, &motion.pose, twist);
            let joint = matrix::sum(&matrix::times(&posture.follow(), &motion.acceleration), &rates.bias);
            let own = leg.chain.effort(&posture.chain, &rates.motion, &joint, robot.gravity);
            project(&posture.follow(), &own);
        }
        let error = relative_error(&effort, &exact);
        assert!(error < 1e-11, "{error:.1e}"); // condition of the wrist and of J_r
    }
}

#[test]
fn a_serial_arm_is_a_robot_with_one_welded_leg() {
    let mut rng = Seeded::new(SEED + 1);
    let (_, chain) = some_chain(&mut rng);
    let q: [f64; 6] = std::array::from_fn(|_| rng.uniform(-1.0, 1.0));
    let posture = chain.posture(&chain.values(&q));
    let pose = Pose::new(posture.tip_rotation(), posture.point);
    let leg = Leg {
        chain,
        attachment: Attachment::Fixed { frame: Pose::identity() },
        inverse: LegInverse::Numerical { seed: q.map(|x| x + 0.05), steps: 14 },
    };
    let robot = Robot::<f64, 6, 1, 6, 6> {
        legs: [leg],
        platform: RigidBody::massless(),
        space: MotionSpace::full(),
        gravity: V3::new(0.0, 0.0, -9.81),
    };
    let m = robot.mechanism();
    let found = m.inverse_kinematics(&pose).unwrap();
    let turns = found.iter().zip(&q).map(|(a, b)| (a - b).rem_euclid(std::f64::consts::TAU));
    assert!(turns.into_iter().all(|d| !(1e-9..=std::f64::consts::TAU - 1e-9).contains(&d)));
    let effort = m.effort_for(&PlatformMotion::rest(pose), Wrench::zero()).unwrap().effort;
    let direct = chain.effort(&posture, &chain.motion(&posture, &[0.0; 6]), &[0.0; 6], robot.gravity);
    assert!(relative_error(&effort, &direct) < 1e-10); // condition of the arm
}

#[test]
fn impossible_bodies_are_refused_with_their_numbers() {
    let body = RigidBody {
        mass: 2.0,
        centre: V3::zero(),
        inertia: Sym3 { diagonal: V3::new(1.0, 1.0, 2.5), off: V3::zero() },
    };
    let Err(BodyError::Impossible { principal }) = body.checked() else { panic!("accepted") };
    assert!(relative_error(&principal, &[2.5, 1.0, 1.0]) < 1e-14);
    let negative = RigidBody { mass: -1.0, ..body };
    assert_eq!(negative.checked(), Err(BodyError::NegativeMass { mass: -1.0 }));
    let massless = RigidBody { mass: 0.0, inertia: Sym3::scalar(1.0), ..body };
    assert!(matches!(massless.checked(), Err(BodyError::InertiaWithoutMass { .. })));
    // A product of inertia too large for its diagonal.
    let skew = RigidBody { inertia: Sym3 { diagonal: V3::splat(1.0), off: V3::new(0.0, 0.0, 1.2) }, ..body };
    assert!(matches!(skew.checked(), Err(BodyError::Impossible { .. })));
    // A thin rod sits on the edge and is possible.
    assert!(RigidBody::thin_rod(1.0, V3::zero(), V3::new(0.3, 0.4, 1.2)).checked().is_ok());
}

#[test]
fn robots_that_cannot_work_are_refused() {
    let file = golden("fivebar.json");
    let planar = support::five_bar(&file).robot();
    // The five-bar as a spatial mechanism: ball joints on planar legs.
    let mut spatial = planar;
    spatial.legs[1].attachment = Attachment::Spherical { point: V3::zero() };
    let refused = RobotError::TooFewJoints { leg: 1, joints: 2, components: 3 };
    assert_eq!(spatial.checked(), Err(refused));
    assert_eq!(
        refused.to_string(),
        "leg 2 has 2 joints, but its attachment passes on 3 components: overconstrained"
    );
    let mut slack = planar;
    slack.legs[0].chain.links[0].active = false;
    assert_eq!(slack.checked(), Err(RobotError::TooFewMotors { motors: 1, freedoms: 2 }));
    let mut extra = planar;
    extra.legs[0].chain.links[1].active = true;
    assert_eq!(extra.checked(), Err(RobotError::MotorCount { found: 3, expected: 2 }));
    let mut flat = planar;
    flat.space = MotionSpace::of_components([0, 0]);
    assert!(matches!(flat.checked(), Err(RobotError::MotionSpaceRank { freedoms: 2, .. })));
    let mut heavy = planar;
    heavy.legs[1].chain.links[0].body.as_mut().unwrap().mass = -0.1;
    let error = BodyError::NegativeMass { mass: -0.1 };
    assert_eq!(heavy.checked(), Err(RobotError::Body { leg: 1, link: 0, error }));
    let mut shape = planar;
    shape.legs[0].inverse = LegInverse::Ups { side: 1.0 };
    assert_eq!(shape.checked(), Err(RobotError::WrongShape { leg: 0, joints: 2, needed: 3 }));
    // The closed form of another shape: the distal bar out of the plane.
    let home = support::pose(&file["states"][0]);
    assert!(planar.checked_at(&home).is_ok());
    let mut bent = planar;
    bent.legs[1].chain.links[1].placement = Pose::new(turn('x', 0.3), V3::new(0.25, 0.0, 0.0));
    assert!(matches!(bent.checked_at(&home), Err(RobotError::DoesNotClose { leg: 1, gap }) if gap > 1e-3));
    let far = Pose::translation(V3::new(0.0, 3.0, 0.0));
    assert!(matches!(planar.checked_at(&far), Err(RobotError::Home(StateError::Unreachable { leg: 0, .. }))));
    let mut left = planar;
    left.legs[0].chain.links[1].placement.rotation = M3::diagonal(V3::new(1.0, 1.0, -1.0));
    assert!(matches!(left.checked(), Err(RobotError::BadNumber { leg: 0, link: 1, .. })));
}

#[test]
fn states_without_an_answer_name_the_leg() {
    let robot = support::five_bar(&golden("fivebar.json")).robot();
    let m = robot.mechanism();
    let far = Pose::translation(V3::new(0.55, 0.3, 0.0));
    let Err(StateError::Unreachable { leg: 0, margin }) = m.inverse_kinematics(&far) else {
        panic!("leg 1 reaches {far:?}")
    };
    assert!(margin < 0.0);
    let nan = Pose::translation(V3::new(0.0, f64::NAN, 0.0));
    assert!(matches!(m.inverse_kinematics(&nan), Err(StateError::NotFinite { component: 1, .. })));
    // Distal links in line: the motors do not hold the platform.
    let level = 0.25_f64;
    let apart = 0.35;
    let reach = (level * level - (apart - 0.1) * (apart - 0.1)).max(0.0).sqrt();
    let parallel = Pose::translation(V3::new(0.0, reach, 0.0));
    let found = m.effort_for(&PlatformMotion::rest(parallel), Wrench::zero());
    assert!(matches!(found, Err(StateError::Singular { .. } | StateError::SingularLeg { .. })), "{found:?}");
    // A UPS leg along its first axis: sin q2 = 0.
    let gough = support::gough_robot();
    let pose = Pose::translation(V3::new(0.0, 0.0, 0.88));
    let mut turned = gough;
    let leg =
        turned.legs[3].posture(&pose).value.chain.point - turned.legs[3].chain.links[0].placement.position;
    let axis = leg * (1.0 / leg.norm_sq().sqrt());
    let side = V3::new(axis.y, -axis.x, 0.0);
    let side = side * (1.0 / side.norm_sq().sqrt());
    turned.legs[3].chain.links[0].placement.rotation = M3::from_columns(side, axis.cross(side), axis);
    let found = turned.mechanism().effort_for(&PlatformMotion::rest(pose), Wrench::zero());
    assert!(matches!(found, Err(StateError::SingularLeg { leg: 3, .. })), "{found:?}");
}

#[test]
fn a_closed_form_leg_unfolds_into_its_chain() {
    let mut random = Seeded::new(11);
    let robot = support::gough(&golden("gough_stewart.json")).robot();
    let pose = Pose::translation(V3::new(0.05, -0.02, 0.9));
    for leg in robot.legs {
        let closed = Ups::recognized(&leg, &pose).unwrap();
        let again = closed.leg();
        let twist = Twist::new(V3::from(random.triple(1.0)), V3::from(random.triple(1.0)));
        let gravity = V3::from(random.triple(9.0));
        let (a, b) = (closed.terms(&pose, twist, gravity).value, again.terms(&pose, twist, gravity).value);
        for (a, b) in a.mass.to_matrix().as_flattened().iter().zip(b.mass.to_matrix().as_flattened()) {
            assert!((a - b).abs() < 1e-12, "{a} {b}"); // kg and kg·m² of order one
        }
        for (a, b) in a.coriolis.iter().chain(&a.gravity).zip(b.coriolis.iter().chain(&b.gravity)) {
            assert!((a - b).abs() < 1e-11, "{a} {b}"); // N and N·m of order ten
        }
        let (a, b) = (closed.energy(&pose, twist, gravity), again.energy(&pose, twist, gravity));
        assert!((a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-11, "{a:?} {b:?}"); // J, the masses away from 0
    }
    // A leg without any mass has no centre of mass either.
    let bare = Ups::recognized(&robot.legs[0], &pose).unwrap().massless().leg();
    assert!(bare.chain.links.iter().all(|link| link.body.is_none_or(|body| body == RigidBody::massless())));
}

/// Whether axes cross is judged in sizes of the leg: the same leg in millimetres and in kilometres is the same leg.
#[test]
fn a_leg_of_any_size_is_recognised() {
    let robot = support::gough(&golden("gough_stewart.json")).robot();
    for scale in [1e-3, 1.0, 1e3] {
        let mut leg = robot.legs[0];
        for link in &mut leg.chain.links {
            link.placement.position = link.placement.position * scale;
        }
        let Attachment::Spherical { point } = &mut leg.attachment else { unreachable!() };
        *point = *point * scale;
        let pose = Pose::translation(V3::new(0.05, -0.02, 0.9) * scale);
        for (off, is_one) in [(1e-13, true), (1e-9, false)] {
            let mut bent = leg;
            bent.chain.links[1].placement.position.x += off * scale;
            assert_eq!(Ups::recognized(&bent, &pose).is_some(), is_one, "scale {scale}, {off}");
        }
    }
}

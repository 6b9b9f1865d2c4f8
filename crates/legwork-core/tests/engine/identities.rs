//! Identities that hold for every parallel robot, on robots whose links all have
//! mass, lopsided inertia and motors.

use crate::engine_support::{self as support, some_body};
use legwork_core::engine::{
    AnyLeg, Drive, Leg, LegModel, Link, Mechanism, PlatformMotion, Pose, Robot, Twist, Wrench,
};
use legwork_core::robots::hexaglide::{self, Carriage, Rail};
use legwork_core::robots::{catalog, delta::Motion, delta_legs::delta_legs};
use legwork_core::{Dual, Real, V3};
use legwork_testkit::{Seeded, golden, nan_max, relative_error};

const SEED: u64 = 0x1d;

type D1 = Dual<f64, 1>;

/// The same robot with full bodies and motors on every joint.
fn loaded<const N: usize, const M: usize, const D: usize, const K: usize>(
    robot: &Robot<f64, N, M, D, K>,
    rng: &mut Seeded,
) -> Robot<f64, N, M, D, K> {
    let legs = robot.legs.map(|mut leg: Leg<f64, N>| {
        leg.chain.links = leg.chain.links.map(|link| Link {
            body: Some(some_body(rng, rng_mass(rng), 0.3)),
            drive: Drive::with_inertia(rng.uniform(0.01, 0.3)),
            ..link
        });
        leg
    });
    Robot { legs, platform: some_body(rng, 5.0, 0.3), ..*robot }.checked().unwrap()
}

fn rng_mass(rng: &Seeded) -> f64 {
    rng.clone().uniform(0.3, 2.0)
}

/// A state near `home` with every freedom moving.
fn near<const N: usize, const M: usize, const D: usize, const K: usize>(
    robot: &Robot<f64, N, M, D, K>,
    home: &Pose<f64>,
    size: f64,
    rng: &mut Seeded,
) -> PlatformMotion<f64, D> {
    let mut some = |size: f64| std::array::from_fn(|_| rng.uniform(-size, size));
    let pose = home.moved(&robot.space.twist(&some(size)));
    PlatformMotion { pose, rate: some(1.0), acceleration: some(8.0) }
}

/// A motion as a function of time, to first order: everything the engine computes from it
/// carries its exact time derivative.
fn in_time<const D: usize>(robot_twist: Twist<f64>, motion: &PlatformMotion<f64, D>) -> (Pose<D1>, [D1; D]) {
    let t = D1::variable(0.0, 0);
    let flow = |v: V3<f64>| v.map(|x| D1::constant(x) * t);
    let step = Twist::new(flow(robot_twist.linear), flow(robot_twist.angular));
    let rate =
        std::array::from_fn(|i| D1::constant(motion.rate[i]) + D1::constant(motion.acceleration[i]) * t);
    (motion.pose.map(D1::constant).moved(&step), rate)
}

/// Every identity for one robot in one motion.
fn identities<const N: usize, const M: usize, const D: usize, const K: usize>(
    name: &str,
    robot: &Robot<f64, N, M, D, K>,
    motion: &PlatformMotion<f64, D>,
    rng: &mut Seeded,
) -> f64 {
    let m = robot.mechanism();
    let pushed: [f64; D] = std::array::from_fn(|_| rng.uniform(-20.0, 20.0));
    let wrench = support::wrench(robot, &pushed);
    let inverse = m.inverse_dynamics(motion, wrench);
    assert!(inverse.is_valid(), "{name}: margin {}", inverse.margin);
    let effort = inverse.value;

    // direct ∘ inverse = identity
    let direct = m.direct_dynamics(&motion.pose, &motion.rate, &effort.effort, wrench).value;
    let mut worst = relative_error(&direct.platform, &motion.acceleration);
    worst = nan_max(worst, relative_error(&direct.joint, &effort.acceleration));

    // (20) = (21)
    let task = m.task_dynamics(&motion.pose, &motion.rate).value;
    let by_20 = task.effort(&motion.acceleration, &pushed).value;
    worst = nan_max(worst, relative_error(&by_20, &effort.effort));

    // joint space: symmetric, positive definite, Γ = M q̈ + c + g
    let joint = task.joint_dynamics().value;
    for i in 0..D {
        for j in 0..D {
            assert_eq!(task.mass[i][j].to_bits(), task.mass[j][i].to_bits(), "{name}: not symmetric");
        }
    }
    let sum: [f64; K] = std::array::from_fn(|i| {
        let inertial: f64 = (0..K).map(|j| joint.mass[i][j] * effort.acceleration[j]).sum();
        let outside: f64 = (0..D).map(|d| joint.jacobian[d][i] * pushed[d]).sum();
        inertial + joint.coriolis[i] + joint.gravity[i] - outside
    });
    worst = nan_max(worst, relative_error(&sum, &effort.effort));
    let solved = legwork_core::linalg::solve_spd(&task.mass, &pushed);
    assert!(solved.margin > 0.0, "{name}: mass matrix not positive definite");

    // time derivatives by dual numbers: rates, accelerations, power
    let wide = robot.map(D1::constant);
    let (pose, rate) = in_time(robot.space.twist(&motion.rate), motion);
    let moving = wide.mechanism().task_dynamics(&pose, &rate).value.active;
    let velocity = moving.coordinates().map(|q| q.eps[0]);
    worst = nan_max(worst, relative_error(&velocity, &effort.rate));
    let acceleration = moving.rate.map(|q| q.eps[0]);
    worst = nan_max(worst, relative_error(&acceleration, &effort.acceleration));
    let (kinetic, potential) = wide.mechanism().energy(&pose, &rate);
    let growth = (kinetic + potential).eps[0];
    let supplied: f64 = effort.effort.iter().zip(effort.rate).map(|(e, r)| e * r).sum::<f64>()
        + pushed.iter().zip(motion.rate).map(|(f, v)| f * v).sum::<f64>();
    let scale: f64 = effort.effort.iter().zip(effort.rate).map(|(e, r)| (e * r).abs()).sum();
    worst = nan_max(worst, (growth - supplied).abs() / scale);
    let quadratic: f64 =
        (0..D).map(|i| (0..D).map(|j| motion.rate[i] * task.mass[i][j] * motion.rate[j]).sum::<f64>()).sum();
    worst = nan_max(worst, (0.5 * quadratic - kinetic.re).abs() / kinetic.re);

    // the reactions of the legs carry the platform: Σ J_viᵀ f_i + w = F_P
    let mut total = wrench;
    for leg in 0..M {
        let r = m.reaction(leg, motion, &effort.effort).unwrap();
        total = total + r.wrench.seen_from(r.point - motion.pose.position);
    }
    let bare = Mechanism::<f64, Leg<f64, N>, D, K> { legs: &[], ..m };
    let need = bare.task_dynamics(&motion.pose, &motion.rate).value;
    let demand: [f64; D] = std::array::from_fn(|i| {
        let inertial: f64 = (0..D).map(|j| need.mass[i][j] * motion.acceleration[j]).sum();
        inertial + need.coriolis[i] + need.gravity[i]
    });
    let held = robot.space.project(&total.to_vector_linear_first());
    nan_max(worst, relative_error(&held, &demand))
}

fn judge<const N: usize, const M: usize, const D: usize, const K: usize>(
    name: &str,
    robot: &Robot<f64, N, M, D, K>,
    home: &Pose<f64>,
    size: f64,
) {
    let mut rng = Seeded::new(SEED);
    let mut worst = 0.0;
    for _ in 0..20 {
        let robot = loaded(robot, &mut rng);
        let motion = near(&robot, home, size, &mut rng);
        worst = nan_max(worst, identities(name, &robot, &motion, &mut rng));
    }
    println!("{name:14} {worst:.1e}");
    assert!(worst < 1e-10, "{name}: {worst:.1e}"); // rounding times the condition of J and of the mass matrix
}

fn home(file: &str) -> Pose<f64> {
    support::pose(&golden(file)["states"][0])
}

#[test]
fn gough_stewart() {
    judge("gough_stewart", &support::gough_robot(), &home("gough_stewart.json"), 0.05);
}

#[test]
fn space() {
    let file = golden("space_radial.json");
    judge("space", &support::space(&file).robot(), &home("space_radial.json"), 0.05);
}

#[test]
fn c5() {
    judge("c5", &support::c5(&golden("c5.json")).robot(), &home("c5.json"), 0.05);
}

#[test]
fn hexa() {
    judge("hexa", &support::hexa(&golden("hexa.json")).robot(), &home("hexa.json"), 0.02);
}

#[test]
fn linear_delta_upright_and_inclined() {
    let upright = support::linear_delta(&golden("linear_delta.json"));
    judge("linear_delta", &upright.robot(), &home("linear_delta.json"), 0.03);
    let inclined = legwork_core::robots::linear_delta::Parameters { inclination: 0.4, ..upright };
    judge("inclined", &inclined.robot(), &home("linear_delta.json"), 0.03);
}

#[test]
fn five_bar() {
    judge("five_bar", &support::five_bar(&golden("fivebar.json")).robot(), &home("fivebar.json"), 0.03);
}

#[test]
fn rrr3() {
    judge("rrr3", &support::rrr3(&golden("rrr3.json")).robot(), &home("rrr3.json"), 0.03);
}

/// Ball joints taken apart, every new link with mass: four, five and six joints a leg.
fn wristed<const N: usize>(name: &str) {
    let gough = support::gough_robot();
    let home = home("gough_stewart.json");
    let robot = Robot::<f64, N, 6, 6, 6> {
        legs: gough.legs.map(|leg| support::with_wrist(&leg, &home)),
        platform: gough.platform,
        space: gough.space,
        gravity: gough.gravity,
    };
    judge(name, &robot, &home, 0.05);
}

#[test]
fn universal_joints_at_the_platform() {
    wristed::<4>("universal");
}

#[test]
fn hinges_at_the_platform() {
    wristed::<5>("revolute");
}

#[test]
fn welds_at_the_platform() {
    wristed::<6>("fixed");
}

/// Six parallel rails along x, rods hanging down to the platform.
fn hexaglide() -> hexaglide::Parameters<f64> {
    let side = [-0.6, -0.5, -0.05, 0.05, 0.5, 0.6];
    let along = [-0.3, 0.3, -0.3, 0.3, -0.3, 0.3];
    let file = golden("gough_stewart.json");
    let mode = along.map(|a| if a < 0.0 { Carriage::Behind } else { Carriage::Ahead });
    hexaglide::Parameters {
        rails: side.map(|y| Rail {
            start: V3::new(0.0, y, 0.0),
            direction: V3::new(1.0, 0.0, 0.0),
            hinge: V3::new(0.0, 1.0, 0.0),
        }),
        platform_points: std::array::from_fn(|i| V3::new(along[i] * 0.5, side[i] * 0.4, 0.02 * i as f64)),
        rod: 0.9,
        carriage: 2.0,
        rod_body: legwork_core::engine::RigidBody::thin_rod(0.5, V3::zero(), V3::new(0.9, 0.0, 0.0)),
        drive: Drive::with_inertia(0.4),
        platform: support::body(&file, "platform"),
        gravity: 9.81,
        mode,
    }
}

#[test]
fn hexaglide_closes_its_rods_and_obeys_the_identities() {
    let parameters = hexaglide();
    let robot = parameters.robot().checked().unwrap();
    let home = Pose::translation(V3::new(0.0, 0.0, -0.7));
    let motion = near(&robot, &home, 0.05, &mut Seeded::new(SEED));
    let q = robot.mechanism().inverse_kinematics(&motion.pose).unwrap();
    for (i, slide) in q.into_iter().enumerate() {
        let carriage = parameters.rails[i].start + parameters.rails[i].direction * slide;
        let rod = motion.pose.of(parameters.platform_points[i]) - carriage;
        assert!((rod.norm_sq().sqrt() - 0.9).abs() < 1e-14); // rounding of lengths below 1 m
        assert_eq!(rod.x < 0.0, parameters.mode[i] == Carriage::Ahead);
    }
    judge("hexaglide", &robot, &home, 0.05);
}

/// The Delta of the general engine equals the closed form, in every working mode.
#[test]
fn delta_equals_its_closed_form() {
    let mut rng = Seeded::new(SEED + 1);
    let mut worst = 0.0_f64;
    for delta in [catalog::delta_industrial(), catalog::delta_direct_drive(), catalog::survey_delta()] {
        let robot = delta_legs(&delta).checked().unwrap();
        let m = robot.mechanism();
        let reach = delta.linkage().geometry().forearm;
        for _ in 0..50 {
            let [x, y, z] = rng.triple(0.15 * reach);
            let position = V3::new(x, y, z - 0.95 * reach);
            let motion =
                Motion { position, velocity: rng.triple(2.0).into(), acceleration: rng.triple(30.0).into() };
            let force = V3::from(rng.triple(10.0));
            let Ok(exact) = delta.inverse_dynamics(&motion, force) else { continue };
            let posture = delta.linkage().posture(position).unwrap();
            let general = PlatformMotion {
                pose: Pose::translation(position),
                rate: motion.velocity.to_array(),
                acceleration: motion.acceleration.to_array(),
            };
            let wrench = Wrench::new(force, V3::zero());
            let found = m.inverse_dynamics(&general, wrench).value;
            let task = m.task_dynamics(&general.pose, &general.rate).value;
            let joint = task.joint_dynamics().value;
            let tau = rng.triple(10.0);
            let forward = m.direct_dynamics(&general.pose, &general.rate, &tau, wrench).value;
            let closed = delta.acceleration(&posture, motion.velocity, tau.into(), force).value;
            let platform = delta.platform_dynamics(&posture, motion.velocity);
            let (kinetic, potential) = m.energy(&general.pose, &general.rate);
            let rows = |m: legwork_core::M3<f64>| m.to_rows().concat();
            let pairs: [(Vec<f64>, Vec<f64>); 11] = [
                (found.effort.to_vec(), exact.torque.to_array().to_vec()),
                (found.rate.to_vec(), exact.qdot.to_array().to_vec()),
                (found.acceleration.to_vec(), exact.qddot.to_array().to_vec()),
                (task.active.coordinates().to_vec(), posture.angles().to_array().to_vec()),
                (joint.mass.concat(), rows(delta.mass_matrix(&posture).to_matrix())),
                (joint.jacobian.concat(), rows(posture.jacobian())),
                (task.mass.concat(), rows(platform.mass.to_matrix())),
                (task.gravity.to_vec(), platform.gravity.to_array().to_vec()),
                (task.coriolis.to_vec(), platform.coriolis.to_array().to_vec()),
                (forward.joint.to_vec(), closed.joint.to_array().to_vec()),
                (
                    vec![kinetic, potential],
                    vec![delta.kinetic_energy(&posture, motion.velocity), delta.potential_energy(&posture)],
                ),
            ];
            for (k, (a, b)) in pairs.iter().enumerate() {
                let error = relative_error(a, b);
                assert!(error < 1e-12, "quantity {k} differs by {error:.1e}"); // condition of J below 30
                worst = nan_max(worst, error);
            }
        }
    }
    println!("Delta through the engine: {worst:.1e}");
}

/// V_r in axes that turn with the platform's path (S = R(t), Ṡ ≠ 0) is the same motion.
#[test]
fn a_motion_space_in_rotating_axes_gives_the_same_motion() {
    let mut rng = Seeded::new(SEED + 2);
    let robot = support::linear_delta(&golden("linear_delta.json")).robot();
    let start = home("linear_delta.json");
    for _ in 0..30 {
        let plain = near(&robot, &start, 0.03, &mut rng);
        let axes = Pose::identity().moved(&Twist::new(V3::zero(), rng.triple(2.0).into())).rotation;
        let spin = V3::from(rng.triple(3.0));
        // v = R u, so v̇ = R u̇ + ω × R u
        let columns = axes.columns().to_array();
        let lift = |v: V3<f64>| [v.x, v.y, v.z, 0.0, 0.0, 0.0];
        let turning = Robot {
            space: legwork_core::engine::MotionSpace::changing(
                columns.map(lift),
                columns.map(|c| lift(spin.cross(c))),
            ),
            ..robot
        };
        let (v, a) = (V3::from(plain.rate), V3::from(plain.acceleration));
        let motion = PlatformMotion {
            pose: plain.pose,
            rate: (axes.transpose() * v).to_array(),
            acceleration: (axes.transpose() * (a - spin.cross(v))).to_array(),
        };
        let (m, n) = (robot.mechanism(), turning.mechanism());
        let (e, f) = (
            m.inverse_dynamics(&plain, Wrench::zero()).value,
            n.inverse_dynamics(&motion, Wrench::zero()).value,
        );
        assert!(relative_error(&f.effort, &e.effort) < 1e-12);
        assert!(relative_error(&f.acceleration, &e.acceleration) < 1e-12);
        let back = n.direct_dynamics(&motion.pose, &motion.rate, &e.effort, Wrench::zero()).value;
        assert!(relative_error(&back.platform, &motion.acceleration) < 1e-11);
        let twist = back.twist_rate.to_vector_linear_first();
        assert!(relative_error(&twist[..3], &plain.acceleration) < 1e-11); // condition of the mass matrix
    }
}

/// More motors than freedoms: the smallest effort, exactly balancing, and joint values that contradict.
#[test]
fn a_redundant_hexapod_gets_the_smallest_effort() {
    let file = golden("gough_stewart.json");
    let six = support::gough(&file);
    let legs = six.robot().legs;
    let mut extra = six;
    extra.base_points = extra.base_points.map(|p| V3::new(-p.y, p.x, p.z));
    extra.first_axes = extra.first_axes.map(|p| V3::new(-p.y, p.x, p.z));
    let more = extra.robot().legs;
    let eight = [legs[0], legs[1], legs[2], legs[3], legs[4], legs[5], more[0], more[3]];
    let robot = Robot::<f64, 3, 8, 6, 8> {
        legs: eight,
        platform: six.platform,
        space: legwork_core::engine::MotionSpace::full(),
        gravity: V3::new(0.0, 0.0, -9.81),
    }
    .checked()
    .unwrap();
    let m = robot.mechanism();
    let mut rng = Seeded::new(SEED + 3);
    let motion = near(&robot, &home("gough_stewart.json"), 0.05, &mut rng);
    let effort = m.inverse_dynamics(&motion, Wrench::zero()).value.effort;
    let back = m.direct_dynamics(&motion.pose, &motion.rate, &effort, Wrench::zero()).value;
    assert!(relative_error(&back.platform, &motion.acceleration) < 1e-11);
    // Any force that pulls on nothing makes it larger: Γ is in the range of J_r⁻¹.
    let active = m.active_at(&motion.pose).unwrap();
    let qr = legwork_core::engine::matrix::Qr::new(&active.rows);
    let (_, missed_sq) = qr.solve(&effort);
    assert!(missed_sq.sqrt() < 1e-9 * effort.iter().map(|e| e.abs()).sum::<f64>());
    // Joint values that fit come back; one leg a millimetre off is reported.
    let settings = legwork_core::engine::ForwardSettings::default();
    let q = active.coordinates();
    assert!(m.forward_kinematics(&q, &home("gough_stewart.json"), settings).converged().is_some());
    let mut wrong = q;
    wrong[7] += 1e-3;
    let found = m.forward_kinematics(&wrong, &motion.pose, settings);
    let legwork_core::engine::Forward::Stalled { missed, .. } = found else { panic!("{found}") };
    assert!(missed > 1e-5 && missed < 1e-3);
}

/// Friction of active and passive joints: what is supplied beyond the growth of energy.
#[test]
fn friction_takes_the_power_that_is_missing() {
    let mut rng = Seeded::new(SEED + 4);
    let plain = support::hexa(&golden("hexa.json")).robot();
    let mut rough = plain;
    for leg in &mut rough.legs {
        for link in &mut leg.chain.links {
            link.drive.viscous = rng.uniform(0.0, 0.5);
            link.drive.coulomb = rng.uniform(0.0, 0.3);
        }
    }
    let rough = rough.checked().unwrap();
    for _ in 0..20 {
        let motion = near(&rough, &home("hexa.json"), 0.02, &mut rng);
        let twist = rough.space.twist(&motion.rate);
        let (a, b) = (
            plain.mechanism().inverse_dynamics(&motion, Wrench::zero()).value,
            rough.mechanism().inverse_dynamics(&motion, Wrench::zero()).value,
        );
        let more: f64 = (0..6).map(|k| (b.effort[k] - a.effort[k]) * a.rate[k]).sum();
        let mut taken = 0.0;
        for leg in &rough.legs {
            let posture = leg.posture(&motion.pose).value;
            let rate = leg.rates(&posture, &motion.pose, twist).rate;
            taken += leg.chain.friction(&rate).iter().zip(rate).map(|(f, r)| f * r).sum::<f64>();
        }
        assert!(taken > 0.0 && (more - taken).abs() < 1e-11 * taken); // condition of J about 10
        let task = rough.mechanism().task_dynamics(&motion.pose, &motion.rate).value;
        let joint = task.joint_dynamics().value;
        let difference: [f64; 6] = std::array::from_fn(|k| b.effort[k] - a.effort[k]);
        assert!(relative_error(&joint.friction, &difference) < 1e-10); // difference of larger numbers
        let back = rough.mechanism().direct_dynamics(&motion.pose, &motion.rate, &b.effort, Wrench::zero());
        assert!(relative_error(&back.value.platform, &motion.acceleration) < 1e-10);
    }
}

/// Faces away from the platform's origin: the sliding attachment with δ ≠ 0.
#[test]
fn c5_with_faces_off_the_origin() {
    let mut parameters = support::c5(&golden("c5.json"));
    parameters.face_distance = [0.05, 0.05, -0.03, -0.03, 0.02, 0.02];
    let robot = parameters.robot().checked_at(&home("c5.json")).unwrap();
    let at = home("c5.json");
    let q = robot.mechanism().inverse_kinematics(&at).unwrap();
    let axes = [V3::new(1.0, 0.0, 0.0), V3::new(0.0, 1.0, 0.0), V3::new(0.0, 0.0, 1.0)];
    for i in 0..6 {
        let end = parameters.base_points[i] + axes[i / 2] * q[i];
        let distance = (at.rotation * axes[i / 2]).dot(end - at.position);
        assert!((distance - parameters.face_distance[i]).abs() < 1e-15); // rounding of lengths below 1 m
    }
    judge("c5, off origin", &robot, &at, 0.05);
}

/// The trait object: legs of different shapes in one robot.
#[test]
fn legs_of_different_shapes_share_a_platform() {
    let hexapod = support::gough(&golden("gough_stewart.json"));
    let (chains, closed) = (hexapod.robot(), hexapod.hexapod());
    let mixed: [&dyn LegModel<f64>; 6] = [
        &chains.legs[0],
        &closed.legs[1],
        &chains.legs[2],
        &closed.legs[3],
        &chains.legs[4],
        &closed.legs[5],
    ];
    let m = Mechanism::<f64, &dyn LegModel<f64>, 6, 6> {
        platform: chains.platform,
        legs: &mixed,
        space: chains.space,
        gravity: chains.gravity,
    };
    let motion = near(&chains, &home("gough_stewart.json"), 0.05, &mut Seeded::new(SEED));
    let (a, b) = (
        m.inverse_dynamics(&motion, Wrench::zero()).value.effort,
        chains.mechanism().inverse_dynamics(&motion, Wrench::zero()).value.effort,
    );
    assert!(relative_error(&a, &b) < 1e-13);
    assert!(Real::abs(a[0]) > 0.0);
    let any: Vec<AnyLeg<f64>> = chains.legs.iter().map(|leg| AnyLeg::three(*leg, &motion.pose)).collect();
    assert!(any.iter().all(|leg| matches!(leg, AnyLeg::Ups(_))));
    let m = Mechanism::<f64, AnyLeg<f64>, 6, 6> {
        platform: chains.platform,
        legs: &any,
        space: chains.space,
        gravity: chains.gravity,
    };
    let c = m.inverse_dynamics(&motion, Wrench::zero()).value.effort;
    assert!(relative_error(&c, &b) < 1e-13);
}

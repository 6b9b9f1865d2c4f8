//! The hexapod in closed form before the general chain, in lanes, and before
//! LinuxCNC's numbers.

use crate::engine_support::{self as support, some_body};
use legwork_core::engine::{
    Drive, Forward, ForwardSettings, Hexapod, LegModel, PlatformMotion, Pose, RigidBody, Robot, Route,
    StateError, Twist, Wrench,
};
use legwork_core::robots::gough_stewart::Parameters;
use legwork_core::{Sym3, V3};
use legwork_testkit::{Seeded, golden, nan_max, relative_error};

const SEED: u64 = 0x6e0a;

/// The golden hexapod with lopsided legs, motors and friction.
fn lopsided(rng: &mut Seeded) -> Parameters<f64> {
    Parameters {
        cylinder: some_body(rng, 2.4, 0.3),
        rod: some_body(rng, 1.1, 0.3),
        platform: some_body(rng, 14.0, 0.4),
        drive: Drive { inertia: 1.7, viscous: 12.0, coulomb: 3.0, ..Drive::ideal() },
        ..support::gough(&golden("gough_stewart.json"))
    }
}

/// Pose, twist and acceleration of the platform.
type State = (Pose<f64>, Twist<f64>, Twist<f64>);

fn some_state(rng: &mut Seeded) -> State {
    let home = Pose::translation(V3::new(0.0, 0.0, 0.88));
    let mut twist = |size: f64| Twist::new(rng.triple(size).into(), rng.triple(size).into());
    (home.moved(&twist(0.12)), twist(1.0), twist(10.0))
}

#[test]
fn the_closed_form_leg_equals_the_chain() {
    let mut rng = Seeded::new(SEED);
    let g = V3::new(0.3, -0.4, -9.8);
    for _ in 0..50 {
        let parameters = lopsided(&mut rng);
        let (chains, closed) = (parameters.robot(), parameters.hexapod());
        let (pose, twist, acceleration) = some_state(&mut rng);
        for (chain, leg) in chains.legs.iter().zip(&closed.legs) {
            // Both loops are closed, to rounding of a metre.
            for gap in [chain.loop_gap(&pose), leg.loop_gap(&pose)] {
                assert!(gap < 1e-14, "{gap}");
            }
            let (a, b) = (chain.terms(&pose, twist, g).value, leg.terms(&pose, twist, g).value);
            let (e, f) = (
                chain.effort(&pose, twist, acceleration, g).value,
                leg.effort(&pose, twist, acceleration, g).value,
            );
            let (p, q) = (a.active.iter().next().unwrap(), b.active.iter().next().unwrap());
            let (r, s) = (e.active.iter().next().unwrap(), f.active.iter().next().unwrap());
            let ((t, u), (w, x)) = (chain.energy(&pose, twist, g), leg.energy(&pose, twist, g));
            let (c, d) = (
                chain.reaction(&pose, twist, acceleration, g, &[50.0]),
                leg.reaction(&pose, twist, acceleration, g, &[50.0]),
            );
            let pairs: [(&str, Vec<f64>, Vec<f64>); 10] = [
                ("mass", b.mass.to_matrix().concat(), a.mass.to_matrix().concat()),
                ("coriolis", b.coriolis.to_vec(), a.coriolis.to_vec()),
                ("gravity", b.gravity.to_vec(), a.gravity.to_vec()),
                ("friction", b.friction.to_vec(), a.friction.to_vec()),
                ("row", q.row.to_vec(), p.row.to_vec()),
                ("joint", vec![q.value.slide, q.rate, q.bias], vec![p.value.slide, p.rate, p.bias]),
                ("wrench", f.wrench.to_vec(), e.wrench.to_vec()),
                ("own effort", vec![s.effort, s.bias], vec![r.effort, r.bias]),
                ("energy", vec![w, x], vec![t, u]),
                ("reaction", d.wrench.force.to_array().to_vec(), c.wrench.force.to_array().to_vec()),
            ];
            for (name, found, reference) in pairs {
                let error = relative_error(&found, &reference);
                assert!(error < 1e-12, "{name} differs by {error:.1e}"); // 300 operations deep, well conditioned
            }
        }
    }
}

/// A hexapod given by axes and placements is recognised, and only a real one.
#[test]
fn tables_of_axes_become_the_closed_form() {
    let mut rng = Seeded::new(SEED + 5);
    let home = Pose::translation(V3::new(0.01, -0.02, 0.88));
    for _ in 0..20 {
        let family = lopsided(&mut rng).robot();
        let tables = Robot { legs: family.legs.map(|leg| support::as_table(&leg, &home).0), ..family };
        let fast = Hexapod::recognized(&tables, &home).unwrap();
        assert!(Hexapod::recognized(&family, &home).is_some());
        let (pose, twist, acceleration) = some_state(&mut rng);
        let motion = PlatformMotion {
            pose,
            rate: twist.to_vector_linear_first(),
            acceleration: acceleration.to_vector_linear_first(),
        };
        let (a, b) = (tables.mechanism(), fast.mechanism());
        let (p, q) = (a.active_at(&pose).unwrap(), b.active_at(&pose).unwrap());
        assert!(relative_error(&q.coordinates(), &p.coordinates()) < 1e-12);
        let effort = a.inverse_dynamics(&motion, Wrench::zero()).value.effort;
        let found = b.inverse_dynamics(&motion, Wrench::zero()).value.effort;
        assert!(relative_error(&found, &effort) < 1e-12); // condition of J below 10
        let found = fast.inverse_dynamics(&pose, twist, acceleration, Wrench::zero()).value;
        assert!(relative_error(&found, &effort) < 1e-12);
        // A crossing one millimetre off is another robot.
        let mut bent = tables;
        bent.legs[2].chain.links[1].placement.position.x += 1e-3;
        assert!(Hexapod::recognized(&bent, &home).is_none());
    }
}

/// A call that has no answer says why, in the words of the general mechanism.
#[test]
fn errors_are_those_of_the_mechanism() {
    let mut rng = Seeded::new(SEED + 9);
    let hexapod = lopsided(&mut rng).hexapod();
    let (pose, twist, acceleration) = some_state(&mut rng);
    let tau = [1.0, -2.0, 3.0, 4.0, -5.0, 6.0];
    let wrench = Wrench::new(V3::new(1.0, 2.0, 3.0), V3::new(0.1, 0.2, 0.3));
    // Leg 3 along the first axis of its universal joint: there the leg has no spin.
    let along = hexapod.legs[2].base + hexapod.legs[2].first_axis * 0.9;
    let on_its_axis = Pose { position: along - pose.rotation * hexapod.legs[2].platform_point, ..pose };
    let flat =
        Pose::translation(V3::new(0.0, 0.0, hexapod.legs[0].base.z - hexapod.legs[0].platform_point.z));
    let lost = Pose { position: V3::new(0.1, f64::NAN, 0.8), ..pose };
    let far = Pose { position: V3::new(0.1, f64::INFINITY, 0.8), ..pose };
    let spinning = Twist { angular: V3::new(0.0, f64::INFINITY, 0.0), ..twist };
    let pushed = Wrench { moment: V3::new(0.0, 0.0, f64::NEG_INFINITY), ..wrench };
    let cases = [
        (pose, twist, acceleration, wrench),
        (on_its_axis, twist, acceleration, wrench),
        (flat, Twist::zero(), Twist::zero(), wrench),
        (lost, twist, acceleration, wrench),
        (far, twist, acceleration, wrench),
        (pose, spinning, acceleration, wrench),
        (pose, twist, spinning, wrench),
        (pose, twist, acceleration, pushed),
    ];
    for (k, (pose, v, a, wrench)) in cases.into_iter().enumerate() {
        let mechanism = hexapod.mechanism();
        let motion = PlatformMotion {
            pose,
            rate: v.to_vector_linear_first(),
            acceleration: a.to_vector_linear_first(),
        };
        let effort = mechanism.effort_for(&motion, wrench).map(|found| found.effort);
        let moved = mechanism.acceleration_for(&pose, &motion.rate, &tau, wrench).map(|found| found.joint);
        assert_eq!(effort.is_ok(), k == 0, "case {k}");
        let plain =
            [(hexapod.effort_for(&pose, v, a, wrench), hexapod.acceleration_for(&pose, v, &tau, wrench))];
        #[cfg(not(feature = "simd"))]
        let lanes = [];
        #[cfg(feature = "simd")]
        let lanes = [legwork_core::engine::HexapodLanes::new(&hexapod)].map(|lanes| {
            (lanes.effort_for(&pose, v, a, wrench), lanes.acceleration_for(&pose, v, &tau, wrench))
        });
        for (inverse, forward) in plain.into_iter().chain(lanes) {
            let forward = forward.map(|found| found.joint);
            for (one, other) in [(inverse, effort), (forward, moved)] {
                match (one, other) {
                    // 1e-11: rounding, times the condition of J
                    (Ok(one), Ok(other)) => assert!(relative_error(&one, &other) < 1e-11, "case {k}"),
                    // Margins of the same edge differ in rounding.
                    (Err(one), Err(other)) => {
                        let kind = |error: &StateError| {
                            format!("{error:?}").split("margin").next().map(str::to_owned)
                        };
                        assert_eq!(kind(&one), kind(&other), "case {k}");
                    }
                    (one, other) => panic!("case {k}: {one:?} beside {other:?}"),
                }
            }
        }
    }
}

#[test]
fn agrees_with_the_golden_file() {
    let file = golden("gough_stewart.json");
    let hexapod = support::gough(&file).hexapod();
    let mut worst = [0.0_f64; 3];
    for state in file["states"].as_array().unwrap() {
        let pose = support::pose(state);
        let at = |pointer| Twist::from_vector_linear_first(support::array(state, pointer));
        let (v, a) = (at("/platform/twist"), at("/platform/acceleration"));
        let tau = support::array(state, "/forward/effort");
        let effort = hexapod.inverse_dynamics(&pose, v, a, Wrench::zero()).value;
        let forward = hexapod.direct_dynamics(&pose, v, &tau, Wrench::zero()).value;
        let wrench = Wrench::from_vector_linear_first(support::array(state, "/external/wrench"));
        let external = hexapod.inverse_dynamics(&pose, v, a, wrench).value;
        let found = [
            relative_error(&effort, &support::array::<6>(state, "/effort")),
            relative_error(&forward.joint, &support::array::<6>(state, "/forward/qdd")),
            relative_error(&external, &support::array::<6>(state, "/external/effort")),
        ];
        worst = std::array::from_fn(|i| nan_max(worst[i], found[i]));
    }
    println!("effort, forward, external: {worst:?}");
    assert!(worst.iter().all(|e| *e < 1e-12)); // the data are good to about 1e-14
}

#[cfg(feature = "simd")]
mod lanes {
    use super::*;
    use legwork_core::engine::HexapodLanes;
    use legwork_core::lanes::f64x4;

    #[test]
    fn legs_side_by_side_equal_one_after_the_other_to_the_bit() {
        let mut rng = Seeded::new(SEED + 1);
        for _ in 0..100 {
            let hexapod = lopsided(&mut rng).hexapod();
            let lanes = HexapodLanes::new(&hexapod);
            let (pose, twist, acceleration) = some_state(&mut rng);
            let wrench = Wrench::new(rng.triple(50.0).into(), rng.triple(20.0).into());
            let tau: [f64; 6] = std::array::from_fn(|_| rng.uniform(-100.0, 100.0));
            let (a, b) = (
                hexapod.inverse_dynamics(&pose, twist, acceleration, wrench),
                lanes.inverse_dynamics(&pose, twist, acceleration, wrench),
            );
            assert_eq!(bits(&b.value), bits(&a.value));
            assert_eq!(a.margin, b.margin);
            let (c, d) = (
                hexapod.direct_dynamics(&pose, twist, &tau, wrench),
                lanes.direct_dynamics(&pose, twist, &tau, wrench),
            );
            assert_eq!(bits(&d.value.joint), bits(&c.value.joint));
            let flat = |t: Twist<f64>| bits(&t.to_vector_linear_first());
            assert_eq!(flat(d.value.platform), flat(c.value.platform));
            assert_eq!(c.margin, d.margin);
        }
    }

    fn bits(numbers: &[f64; 6]) -> [u64; 6] {
        numbers.map(f64::to_bits)
    }

    #[test]
    fn each_of_four_states_equals_f64_to_the_bit() {
        let mut rng = Seeded::new(SEED + 2);
        let hexapod = lopsided(&mut rng).hexapod();
        let wide: Hexapod<f64x4> = hexapod.map(f64x4::splat);
        for _ in 0..100 {
            let states: [_; 4] = std::array::from_fn(|_| some_state(&mut rng));
            let tau: [[f64; 6]; 4] =
                std::array::from_fn(|_| std::array::from_fn(|_| rng.uniform(-100.0, 100.0)));
            let pack = |f: &dyn Fn(usize) -> f64| f64x4::new(std::array::from_fn(f));
            let twist = |pick: fn(&State) -> Twist<f64>| {
                Twist::from_vector_linear_first(std::array::from_fn(|c| {
                    pack(&|i| pick(&states[i]).to_vector_linear_first()[c])
                }))
            };
            let mut numbers = [0; 12].into_iter().enumerate().map(|(k, _)| k);
            let pose = states[0].0.map(|_| {
                let k = numbers.next().unwrap();
                pack(&|i| {
                    let p = &states[i].0;
                    if k < 9 { p.rotation.to_rows()[k / 3][k % 3] } else { p.position.to_array()[k - 9] }
                })
            });
            let force: [f64x4; 6] = std::array::from_fn(|k| pack(&|i| tau[i][k]));
            let (v, a) = (twist(|s| s.1), twist(|s| s.2));
            let inverse = wide.inverse_dynamics(&pose, v, a, Wrench::zero());
            let direct = wide.direct_dynamics(&pose, v, &force, Wrench::zero());
            for i in 0..4 {
                let (p, v, a) = states[i];
                let one = hexapod.inverse_dynamics(&p, v, a, Wrench::zero());
                let lane = inverse.value.map(|x| x.to_array()[i].to_bits());
                assert_eq!(lane, one.value.map(f64::to_bits));
                let one = hexapod.direct_dynamics(&p, v, &tau[i], Wrench::zero());
                let lane = direct.value.joint.map(|x| x.to_array()[i].to_bits());
                assert_eq!(lane, one.value.joint.map(f64::to_bits));
            }
        }
    }
}

/// LinuxCNC's default hexapod (`genhexkins.h`), inches; masses do not matter here.
fn linuxcnc() -> Hexapod<f64> {
    let v = |points: [[f64; 3]; 6]| points.map(V3::from);
    let body = RigidBody { mass: 1.0, centre: V3::zero(), inertia: Sym3::scalar(1.0) };
    Parameters {
        base_points: v([
            [-22.950, 13.250, 0.0],
            [22.950, 13.250, 0.0],
            [22.950, 13.250, 0.0],
            [0.0, -26.5, 0.0],
            [0.0, -26.5, 0.0],
            [-22.950, 13.250, 0.0],
        ]),
        platform_points: v([
            [-1.0, 11.5, 0.0],
            [1.0, 11.5, 0.0],
            [10.459, -4.884, 0.0],
            [9.459, -6.616, 0.0],
            [-9.459, -6.616, 0.0],
            [-10.459, -4.884, 0.0],
        ]),
        // Any axis that no leg points along; lengths do not depend on it.
        first_axes: [V3::new(0.6, 0.48, 0.64); 6],
        cylinder: body,
        rod: body,
        drive: Drive::ideal(),
        platform: body,
        gravity: 9.81,
    }
    .hexapod()
}

#[test]
fn linuxcnc_leg_lengths() {
    let printed = [29.74668, 29.74668, 29.746715, 29.746363, 29.746363, 29.746715];
    let digit = [1e-5, 1e-5, 1e-6, 1e-6, 1e-6, 1e-6];
    let found = linuxcnc().lengths(&Pose::translation(V3::new(0.0, 0.0, 20.0)));
    for (f, (p, digit)) in found.iter().zip(printed.iter().zip(digit)) {
        assert!((f - p).abs() <= 0.5 * digit, "{found:?}"); // half the last digit
    }
    let printed = [31.133877, 32.796104, 27.450228, 33.842584, 30.410306, 31.985483];
    let found = linuxcnc().lengths(&turned());
    for (f, p) in found.iter().zip(printed) {
        assert!((f - p).abs() <= 0.5e-6, "{found:?}"); // half the last digit
    }
}

/// Position (1, 2, 22), rotation vector (0.1, 0.05, 0.2).
fn turned() -> Pose<f64> {
    let turned = Pose::translation(V3::new(1.0, 2.0, 22.0));
    // The rotation vector (0.1, 0.05, 0.2): Cayley's map turns by 2 atan(|w|/2), so w is stretched.
    let angle = (0.01_f64 + 0.0025 + 0.04).sqrt();
    let stretch = 2.0 * (angle / 2.0).tan() / angle;
    turned.moved(&Twist::new(V3::zero(), V3::new(0.1, 0.05, 0.2) * stretch))
}

/// A random rotation: several turns about random axes.
fn scattered(rng: &mut Seeded) -> Pose<f64> {
    let [x, y, z] = rng.triple(25.0);
    let mut pose = Pose::translation(V3::new(x, y, z));
    for _ in 0..3 {
        pose = pose.moved(&Twist::new(V3::zero(), rng.triple(6.0).into()));
    }
    pose
}

/// Many seeded starts find 8 real assembly modes at both poses, 4 of them above the base
/// at the first. That no start finds a ninth is not a proof that there is none.
#[test]
fn linuxcnc_assembly_modes() {
    let hexapod = linuxcnc();
    let mut rng = Seeded::new(SEED + 3);
    let settings = ForwardSettings::default().with_tolerance(1e-11).anywhere();
    let mut modes_of = |q: [f64; 6]| {
        let mut modes: Vec<Pose<f64>> = Vec::new();
        for _ in 0..1500 {
            let found = hexapod.mechanism().forward_kinematics(&q, &scattered(&mut rng), settings);
            let Forward::Converged { pose, .. } = found else { continue };
            let distance = |other: &Pose<f64>| {
                let turn = (other.rotation - pose.rotation).to_rows().concat();
                (other.position - pose.position).norm_sq() + turn.iter().map(|x| x * x).sum::<f64>()
            };
            if modes.iter().all(|mode| distance(mode) > 1e-8) {
                modes.push(pose);
            }
        }
        modes
    };
    let level = modes_of(hexapod.lengths(&Pose::translation(V3::new(0.0, 0.0, 20.0))));
    assert_eq!((level.len(), level.iter().filter(|mode| mode.position.z > 0.0).count()), (8, 4));
    assert_eq!(modes_of(hexapod.lengths(&turned())).len(), 8);
}

#[test]
fn forward_kinematics_says_how_it_ended() {
    let robot = support::gough_robot();
    let m = robot.mechanism();
    let mut rng = Seeded::new(SEED + 4);
    let home = Pose::translation(V3::new(0.0, 0.0, 0.88));
    for _ in 0..50 {
        let (pose, ..) = some_state(&mut rng);
        let q = m.inverse_kinematics(&pose).unwrap();
        let found = m.forward_kinematics(&q, &home, ForwardSettings::default());
        let Forward::Converged { pose: back, steps, gap, route } = found else { panic!("{found}") };
        assert!(steps < 10 && gap < 1e-12 && route == Route::Continuous);
        assert!((back.position - pose.position).norm_sq().sqrt() < 1e-11); // gap times the condition of J
    }
    // Legs that are too different in length have no pose.
    let found = m.forward_kinematics(&[0.2, 2.0, 0.2, 2.0, 0.2, 2.0], &home, ForwardSettings::default());
    assert!(found.converged().is_none(), "{found}");
    let rest = PlatformMotion::rest(home);
    assert!(m.effort_for(&rest, Wrench::zero()).is_ok());
}

/// What is called continuous is where small steps of the motors lead; where they lead nowhere, the answer says that it is
/// another posture, or that there is none.
#[test]
fn forward_kinematics_is_where_the_motors_lead() {
    let robot = support::gough_robot();
    let m = robot.mechanism();
    let mut rng = Seeded::new(SEED + 5);
    let q = m.inverse_kinematics(&Pose::translation(V3::new(0.02, -0.01, 0.85))).unwrap();
    let [mut continuous, mut elsewhere] = [0; 2];
    for _ in 0..120 {
        let start = Pose::translation(V3::from(rng.triple(0.9)))
            .moved(&Twist::new(V3::zero(), rng.triple(0.8).into()));
        let Ok(from) = m.inverse_kinematics(&start) else { continue };
        let found = m.forward_kinematics(&q, &start, ForwardSettings::default());
        // Small steps, each of them Newton's method without any damping.
        let mut pose = start;
        let arrives = (1..=1000).all(|k| {
            let part = f64::from(k) / 1000.0;
            let target = std::array::from_fn(|i| from[i] + (q[i] - from[i]) * part);
            for _ in 0..4 {
                let moved = m.newton_step(&pose, &target).value;
                // A step that is large for so small a move of the motors has jumped.
                if moved.step.is_nan() || moved.step > 0.02 {
                    return false;
                }
                pose = moved.pose;
                if moved.step < 1e-10 {
                    return true;
                }
            }
            m.newton_step(&pose, &target).value.gap < 1e-9
        });
        match found {
            Forward::Converged { pose: back, route: Route::Continuous, .. } => {
                let off = (back.position - pose.position).norm_sq().sqrt();
                assert!(!arrives || off < 1e-6, "{found}: {off:.1e}");
                // The way back leads to the start.
                let again = m.forward_kinematics(&from, &back, ForwardSettings::default());
                let Forward::Converged { pose: again, route: Route::Continuous, .. } = again else {
                    panic!("{again}")
                };
                let off = (again.position - start.position).norm_sq().sqrt();
                assert!(off < 1e-6, "{found}: {off:.1e} on the way back");
                continuous += 1;
            }
            Forward::Converged { route: Route::Elsewhere { until }, .. } => {
                assert!((0.0..1.0).contains(&until) && !arrives, "{found}");
                elsewhere += 1;
            }
            // A pose that is not near a singular one is found only where the margin is positive.
            Forward::Singular { margin, .. } => assert!(margin.is_nan() || margin <= 1e-9),
            other => assert!(other.converged().is_none()),
        }
    }
    assert!(continuous > 20 && elsewhere > 0, "{continuous} continuous, {elsewhere} elsewhere");
}

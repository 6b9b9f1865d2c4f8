//! Closed forms of legs of any shape that they name, with joints and lengths anywhere: the joints that a pose is made
//! of come back, margins are the cosines and sines they stand for; and a leg on a base that moves is the end of a
//! longer chain.

use crate::engine_support::some_body;
use legwork_core::engine::{
    Attachment, BaseMotion, Chain, Drive, JointKind, JointValue, Leg, LegInverse, LegModel, Link, Pose,
    Twist, Ups,
};
use legwork_core::{M3, V3};
use legwork_testkit::{Seeded, golden, nan_min, relative_error};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

const SEED: u64 = 0xc105ed;

fn link(kind: JointKind, placement: Pose<f64>) -> Link<f64> {
    Link { kind, active: true, placement, body: None, drive: Drive::ideal() }
}

fn any_pose(rng: &mut Seeded, size: f64) -> Pose<f64> {
    Pose::identity().moved(&Twist::new(rng.triple(size).into(), rng.triple(2.5).into()))
}

/// Rz(a) Rx(b) Rz(c): the z axis leans by b.
fn leaning(a: f64, b: f64, c: f64) -> M3<f64> {
    let about_x = M3::from_rows(
        V3::new(1.0, 0.0, 0.0),
        V3::new(0.0, b.cos(), -b.sin()),
        V3::new(0.0, b.sin(), b.cos()),
    );
    M3::rotation_z(a.cos(), a.sin()) * about_x * M3::rotation_z(c.cos(), c.sin())
}

fn any_angle(rng: &mut Seeded) -> f64 {
    rng.uniform(-PI, PI)
}

/// A vector that is at least 0.2 m long, across z too.
fn any_bar(rng: &mut Seeded) -> V3<f64> {
    V3::new(rng.uniform(0.2, 0.8), rng.uniform(-0.6, 0.6), rng.uniform(-0.6, 0.6))
}

/// The angle modulo a turn.
fn within_half_a_turn(angle: f64) -> f64 {
    angle - TAU * (angle / TAU).round()
}

fn cos_sq(a: V3<f64>, b: V3<f64>) -> f64 {
    a.dot(b).powi(2) / (a.norm_sq() * b.norm_sq())
}

/// A platform whose `point` is where the chain ends.
fn platform_at(end: V3<f64>, point: V3<f64>, rng: &mut Seeded) -> Pose<f64> {
    let rotation = any_pose(rng, 0.0).rotation;
    Pose::new(rotation, end - rotation * point)
}

/// Every choice of sides closes the leg, with the margin that `margin` works out from its posture, and one of them has
/// the joints that the pose was made of.
fn judge<const N: usize>(
    leg: Leg<f64, N>,
    choices: &[LegInverse<f64, N>],
    pose: &Pose<f64>,
    q: &[f64; N],
    margin: impl Fn(&[Pose<f64>; N], V3<f64>) -> f64,
) {
    let kinds = leg.chain.kinds();
    let mut found = 0;
    for inverse in choices {
        let leg = Leg { inverse: *inverse, ..leg };
        let gap = leg.gap(pose);
        assert!(gap < 1e-13, "{inverse:?} misses by {gap:e} m"); // rounding of lengths about 1 m
        let solved = leg.inverse.solve(&leg.chain, &leg.attachment, pose);
        let at = leg.chain.posture(&solved.value);
        let wanted = margin(&at.frames, at.point);
        assert!((solved.margin - wanted).abs() < 1e-12, "{inverse:?}: {} {wanted}", solved.margin);
        let off = (0..N).map(|k| match kinds[k] {
            JointKind::Revolute => within_half_a_turn(solved.value[k].coordinate(kinds[k]) - q[k]),
            JointKind::Prismatic => solved.value[k].slide - q[k],
        });
        // Rounding, times the condition of the leg.
        found += usize::from(off.fold(0.0, |m, x: f64| m + x.abs()) * wanted < 1e-11);
    }
    assert_eq!(found, 1, "joints {q:?}");
}

/// An arm with its elbow off the axes of its frame, a universal joint that stands anyhow on it, a rod.
#[test]
fn an_arm_of_any_shape_and_a_universal_joint() {
    let mut rng = Seeded::new(SEED);
    for _ in 0..200 {
        let second = Pose::new(any_pose(&mut rng, 0.0).rotation, any_bar(&mut rng));
        let third = Pose::new(leaning(any_angle(&mut rng), FRAC_PI_2, any_angle(&mut rng)), V3::zero());
        let links = [any_pose(&mut rng, 1.0), second, third].map(|at| link(JointKind::Revolute, at));
        let chain = Chain { links, tip: V3::new(rng.uniform(0.2, 0.8), rng.uniform(-0.8, 0.8), 0.0) };
        let q: [f64; 3] = std::array::from_fn(|_| any_angle(&mut rng));
        let point = V3::from(rng.triple(0.3));
        let pose = platform_at(chain.posture(&chain.values(&q)).point, point, &mut rng);
        let leg = Leg {
            chain,
            attachment: Attachment::Spherical { point },
            inverse: LegInverse::Numerical { seed: q, steps: 1 },
        };
        let sides = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        judge(leg, &sides.map(|(side, cross)| LegInverse::Rus { side, cross }), &pose, &q, |frames, end| {
            let [motor, elbow, _] = frames;
            let rod = end - elbow.position;
            let moving = motor.rotation.columns().z.cross(elbow.position - motor.position);
            nan_min(cos_sq(rod, moving), 1.0 - cos_sq(rod, elbow.rotation.columns().z))
        });
    }
}

/// A carriage with a universal joint anywhere on it.
#[test]
fn a_carriage_of_any_shape_and_a_universal_joint() {
    let mut rng = Seeded::new(SEED + 1);
    for _ in 0..200 {
        let second = Pose::new(any_pose(&mut rng, 0.0).rotation, any_bar(&mut rng));
        let third = Pose::new(leaning(any_angle(&mut rng), FRAC_PI_2, any_angle(&mut rng)), V3::zero());
        let links = [
            link(JointKind::Prismatic, any_pose(&mut rng, 1.0)),
            link(JointKind::Revolute, second),
            link(JointKind::Revolute, third),
        ];
        let chain = Chain { links, tip: V3::new(rng.uniform(0.2, 0.8), rng.uniform(-0.8, 0.8), 0.0) };
        let q = [rng.uniform(-1.0, 1.0), any_angle(&mut rng), any_angle(&mut rng)];
        let point = V3::from(rng.triple(0.3));
        let pose = platform_at(chain.posture(&chain.values(&q)).point, point, &mut rng);
        let leg = Leg {
            chain,
            attachment: Attachment::Spherical { point },
            inverse: LegInverse::Numerical { seed: q, steps: 1 },
        };
        let sides = [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)];
        judge(leg, &sides.map(|(side, cross)| LegInverse::Pus { side, cross }), &pose, &q, |frames, end| {
            let [rail, hinge, _] = frames;
            let rod = end - hinge.position;
            let along = rail.rotation.columns().z;
            nan_min(cos_sq(rod, along), 1.0 - cos_sq(rod, hinge.rotation.columns().z))
        });
    }
}

/// Two bars in a plane that stands anyhow, elbow and pin off their axes and out of the plane.
#[test]
fn two_bars_of_any_shape() {
    let mut rng = Seeded::new(SEED + 2);
    for _ in 0..200 {
        let turn = any_angle(&mut rng);
        let second = Pose::new(M3::rotation_z(turn.cos(), turn.sin()), any_bar(&mut rng));
        let links = [any_pose(&mut rng, 1.0), second].map(|at| link(JointKind::Revolute, at));
        let chain = Chain { links, tip: any_bar(&mut rng) };
        let q = [any_angle(&mut rng), any_angle(&mut rng)];
        let point = V3::from(rng.triple(0.3));
        let pose = platform_at(chain.posture(&chain.values(&q)).point, point, &mut rng);
        let plane = links[0].placement.rotation.columns();
        let leg = Leg {
            chain,
            attachment: Attachment::Planar { point, directions: [plane.x, plane.y] },
            inverse: LegInverse::Numerical { seed: q, steps: 1 },
        };
        judge(leg, &[1.0, -1.0].map(|side| LegInverse::Rr { side }), &pose, &q, |frames, end| {
            let flat = |v: V3<f64>| v - plane.z * plane.z.dot(v);
            let [motor, elbow] = frames;
            cos_sq(flat(end - elbow.position), plane.z.cross(elbow.position - motor.position))
        });
    }
}

/// A slide whose zero and whose end are anywhere along it: the joints, and the closed form of its dynamics.
#[test]
fn a_universal_joint_and_a_slide_of_any_shape() {
    let mut rng = Seeded::new(SEED + 3);
    for _ in 0..200 {
        let second = Pose::new(leaning(any_angle(&mut rng), FRAC_PI_2, any_angle(&mut rng)), V3::zero());
        let turned = leaning(any_angle(&mut rng), FRAC_PI_2, any_angle(&mut rng));
        let third = Pose::new(turned, turned.columns().z * rng.uniform(-0.3, 0.3));
        let mut links = [
            link(JointKind::Revolute, any_pose(&mut rng, 1.0)),
            link(JointKind::Revolute, second),
            link(JointKind::Prismatic, third),
        ];
        for link in &mut links[1..] {
            link.body = Some(some_body(&mut rng, 1.5, 0.4));
        }
        (links[0].active, links[1].active) = (false, false);
        links[2].drive = Drive { viscous: 0.3, ..Drive::with_inertia(0.2) };
        let chain = Chain { links, tip: V3::new(0.0, 0.0, rng.uniform(-0.3, 0.3)) };
        let q = [any_angle(&mut rng), any_angle(&mut rng), rng.uniform(0.7, 1.2)];
        let point = V3::from(rng.triple(0.3));
        let pose = platform_at(chain.posture(&chain.values(&q)).point, point, &mut rng);
        let mut leg = Leg {
            chain,
            attachment: Attachment::Spherical { point },
            inverse: LegInverse::Numerical { seed: q, steps: 2 },
        };
        let sides = [1.0, -1.0].map(|side| LegInverse::Ups { side });
        judge(leg, &sides, &pose, &q, |frames, end| {
            let [first, ..] = frames;
            1.0 - cos_sq(end - first.position, first.rotation.columns().z)
        });
        let (twist, acceleration) = (
            Twist::new(V3::from(rng.triple(1.0)), V3::from(rng.triple(1.0))),
            Twist::new(V3::from(rng.triple(9.0)), V3::from(rng.triple(9.0))),
        );
        let gravity = V3::from(rng.triple(9.0));
        for inverse in [leg.inverse, sides[0], sides[1]] {
            leg.inverse = inverse;
            let closed = Ups::recognized(&leg, &pose).unwrap();
            let length = (pose.of(point) - links[0].placement.position).norm_sq().sqrt();
            assert!((closed.length_at(q[2]) - length).abs() < 1e-14);
            let whole = |leg: &dyn LegModel<f64>| {
                let effort = leg.effort(&pose, twist, acceleration, gravity).value;
                let motor = effort.active.iter().next().copied().unwrap();
                let (kinetic, potential) = leg.energy(&pose, twist, gravity);
                let joint = [motor.value.slide, motor.rate, motor.bias, motor.effort, kinetic, potential];
                // Where it holds the platform, with a motor that gives 3 N more than the motion asks for.
                let hold = leg.reaction(&pose, twist, acceleration, gravity, &[motor.effort + 3.0]);
                let force = hold.wrench.to_vector_linear_first();
                [effort.wrench.as_slice(), &joint, &force, &hold.point.to_array()].concat()
            };
            let (found, wanted) = (whole(&closed), whole(&leg));
            let margin = leg.posture(&pose).margin;
            // Rounding, times the condition of the universal joint, squared in accelerations.
            assert!(relative_error(&found, &wanted) * margin.powi(2) < 1e-12, "{found:?} {wanted:?}");
        }
    }
}

/// A shaft finds its angle in whatever frames; a platform that is tilted against it has a smaller margin.
#[test]
fn a_shaft_of_any_direction() {
    let mut rng = Seeded::new(SEED + 4);
    for _ in 0..200 {
        let base = any_pose(&mut rng, 1.0);
        let frame = any_pose(&mut rng, 0.0).rotation;
        let leg = Leg {
            chain: Chain { links: [link(JointKind::Revolute, base)], tip: V3::zero() },
            attachment: Attachment::Turning { axis: base.rotation.columns().z, frame },
            inverse: LegInverse::Turn,
        };
        let (q, tilt) = (any_angle(&mut rng), rng.uniform(-1.5, 1.5));
        let pose =
            Pose::new(base.rotation * leaning(q, tilt, 0.0) * frame.transpose(), V3::from(rng.triple(1.0)));
        let found = leg.inverse.solve(&leg.chain, &leg.attachment, &pose);
        let [angle] = leg.chain.coordinates(&found.value);
        assert!(within_half_a_turn(angle - q).abs() < 1e-14, "{angle} {q}");
        assert!((found.value[0].cos.hypot(found.value[0].sin) - 1.0).abs() < 1e-15);
        assert!((found.margin - 0.5 * (1.0 + tilt.cos())).abs() < 1e-15, "{} {tilt}", found.margin);
    }
}

/// Angles are subtracted modulo a turn, slides as they are.
#[test]
fn joints_are_subtracted_modulo_a_turn() {
    let mut rng = Seeded::new(SEED + 5);
    for _ in 0..100 {
        let (a, b) = (rng.uniform(-9.0, 9.0), rng.uniform(-9.0, 9.0));
        for (kind, wanted) in
            [(JointKind::Revolute, within_half_a_turn(a - b)), (JointKind::Prismatic, a - b)]
        {
            let found = JointValue::of(kind, a).minus(&JointValue::of(kind, b), kind);
            assert!((found - wanted).abs() < 4e-15, "{kind:?}: {a} - {b} = {found}"); // rounding of three turns
        }
    }
}

/// A leg whose base is the second link of a longer chain needs the efforts of that chain's last three joints.
#[test]
fn a_leg_on_a_moving_base_is_the_end_of_a_longer_chain() {
    let mut rng = Seeded::new(SEED + 6);
    for kinds in [
        [JointKind::Revolute, JointKind::Revolute],
        [JointKind::Prismatic, JointKind::Revolute],
        [JointKind::Revolute, JointKind::Prismatic],
    ] {
        for round in 0..40 {
            let last = if round % 2 == 0 { JointKind::Revolute } else { JointKind::Prismatic };
            let all = [kinds[0], kinds[1], JointKind::Revolute, JointKind::Revolute, last];
            let links = all.map(|kind| Link {
                body: Some(some_body(&mut rng, 1.5, 0.4)),
                drive: Drive::with_inertia(0.2),
                ..link(kind, any_pose(&mut rng, 0.5))
            });
            let chain = Chain { links, tip: V3::from(rng.triple(0.4)) };
            let leg = Leg {
                chain: Chain { links: [links[2], links[3], links[4]], tip: chain.tip },
                attachment: Attachment::Spherical { point: V3::from(rng.triple(0.2)) },
                inverse: LegInverse::Numerical { seed: [0.0; 3], steps: 3 },
            };
            let Attachment::Spherical { point } = leg.attachment else { unreachable!() };
            let q: [f64; 5] = std::array::from_fn(|_| rng.uniform(-1.0, 1.0));
            let seed = [q[2], q[3], q[4]];
            let leg = Leg { inverse: LegInverse::Numerical { seed, steps: 2 }, ..leg };
            // The platform as the base sees it.
            let pose = platform_at(leg.chain.posture(&leg.chain.values(&seed)).point, point, &mut rng);
            let twist = Twist::new(V3::from(rng.triple(1.0)), V3::from(rng.triple(1.0)));
            let acceleration = Twist::new(V3::from(rng.triple(5.0)), V3::from(rng.triple(5.0)));
            if leg.posture(&pose).margin < 0.05 {
                continue;
            }

            // The longer chain: how its second link moves is how the base moves.
            let gravity = V3::from(rng.triple(9.0));
            let joints = leg.effort(&pose, twist, acceleration, V3::zero()).value.active;
            let asked = acceleration.to_vector_linear_first();
            let own = joints.iter().map(|joint| {
                let following: f64 = joint.row.iter().zip(&asked).map(|(row, a)| row * a).sum();
                (joint.rate, following + joint.bias)
            });
            let first = [(); 2].map(|()| (rng.uniform(-2.0, 2.0), rng.uniform(-5.0, 5.0)));
            let moving: Vec<(f64, f64)> = first.into_iter().chain(own).collect();
            let rate: [f64; 5] = std::array::from_fn(|j| moving[j].0);
            let qdd: [f64; 5] = std::array::from_fn(|j| moving[j].1);
            let at = chain.posture(&chain.values(&q));
            let motion = chain.motion(&at, &rate);
            let wanted = chain.effort(&at, &motion, &qdd, gravity);

            let base = at.frames[1];
            let back = base.rotation.transpose();
            let (v, mut a) = (motion.twists[1], motion.products[1]);
            for (screw, acceleration) in at.screws.iter().zip(qdd).take(2) {
                a = a + *screw * acceleration;
            }
            let lever = base.position - at.point;
            let origin = v.linear + v.angular.cross(lever);
            let straight = a.linear + a.angular.cross(lever) + v.angular.cross(origin);
            let moved = BaseMotion {
                angular_velocity: back * v.angular,
                linear_acceleration: back * straight,
                angular_acceleration: back * a.angular,
                gravity: back * gravity,
            };
            let found = leg.effort_on(&moved, &pose, twist, acceleration).value;
            let found: Vec<f64> = found.active.iter().map(|joint| joint.effort).collect();
            // Rounding, times the condition of the leg.
            let error = relative_error(&found, &wanted[2..]);
            assert!(error < 1e-11, "{all:?}: {error:e}");
        }
    }
}

/// Smoothed dry friction: √½ of it at the speed of smoothing, all of it far beyond, odd, and F/ε its slope at rest.
#[test]
fn smoothed_friction_passes_through_zero() {
    let drive = Drive { viscous: 0.5, coulomb: 3.0, ..Drive::ideal() };
    let smooth = drive.smoothed(0.01);
    for rate in [0.2, 0.01, 0.003, 1e-6] {
        assert_eq!(smooth.friction(-rate), -smooth.friction(rate));
        assert_eq!(drive.friction(rate), 0.5 * rate + 3.0);
    }
    let at = |rate: f64| smooth.friction(rate) - 0.5 * rate;
    assert!((at(0.01) - 3.0 * 0.5_f64.sqrt()).abs() < 1e-15);
    assert!((at(1.0) - 3.0).abs() < 3.0 * 0.5e-4); // (ε/q̇)²/2 is missing
    assert!((at(1e-9) / 1e-9 - 3.0 / 0.01).abs() < 1e-10);
    assert_eq!((smooth.friction(0.0), drive.friction(0.0)), (0.0, 0.0));
}

/// The size of a leg: the root of the sum of squares of its lengths, wherever the robot stands.
#[test]
fn the_size_of_a_leg_is_that_of_its_lengths() {
    let places = [V3::new(7.0, -3.0, 2.0), V3::new(1.0, 2.0, 0.0), V3::new(0.0, 0.0, -2.0)];
    let links = places.map(|place| link(JointKind::Revolute, Pose::translation(place)));
    let chain = Chain { links, tip: V3::new(0.0, 4.0, 0.0) };
    let (end, platform) = (places[0] + V3::new(3.0, 0.0, 4.0), places[0] + V3::new(-2.0, 1.0, 5.0));
    // 1 + 4, 4, 16, and 25 to the end, 30 to the platform
    assert_eq!(chain.size(end, platform), 80.0_f64.sqrt());
    let mut far = chain;
    far.links[0].placement.position = V3::zero();
    assert_eq!(far.size(end - places[0], platform - places[0]), 80.0_f64.sqrt());
    let point = Chain { links: [link(JointKind::Prismatic, Pose::identity())], tip: V3::zero() };
    assert_eq!(point.size(V3::zero(), V3::zero()), 1.0);
}

/// A joint on a carriage that does not turn is a ball joint where it stands at this instant.
#[test]
fn a_carried_joint_is_beside_its_hub() {
    let mut rng = Seeded::new(SEED + 7);
    for _ in 0..20 {
        let (pose, hub, point) =
            (any_pose(&mut rng, 1.0), V3::from(rng.triple(0.3)), V3::from(rng.triple(0.3)));
        let carried = Attachment::Carried { hub, point }.point(&pose, V3::zero());
        let ball = Attachment::Spherical { point: hub + pose.rotation.transpose() * point };
        assert!((carried - ball.point(&pose, V3::zero())).norm_sq().sqrt() < 1e-15);
    }
}

/// Legs seen from a tool have the joints that they have seen from the platform.
#[test]
fn a_tool_changes_no_joint() {
    let mut rng = Seeded::new(SEED + 8);
    let mut c5 = crate::engine_support::c5(&golden("c5.json"));
    c5.face_distance = [0.05, 0.05, -0.03, -0.03, 0.02, 0.02];
    let gough = crate::engine_support::gough_robot();
    for _ in 0..20 {
        let tool = Pose::new(any_pose(&mut rng, 0.0).rotation, V3::from(rng.triple(0.2)));
        let turn = Twist::new(V3::from(rng.triple(0.02)), V3::from(rng.triple(0.1)));
        for leg in c5.robot().legs {
            let pose = Pose::identity().moved(&turn);
            let (plain, seen) =
                (leg.posture(&pose).value, leg.seen_from(&tool).posture(&(pose * tool)).value);
            assert!((plain.joints[0].slide - seen.joints[0].slide).abs() < 1e-15);
        }
        for leg in gough.legs {
            let pose = Pose::translation(V3::new(0.0, 0.0, 0.9)).moved(&turn);
            let (plain, seen) =
                (leg.posture(&pose).value, leg.seen_from(&tool).posture(&(pose * tool)).value);
            assert!((plain.joints[2].slide - seen.joints[2].slide).abs() < 1e-14);
        }
    }
}

/// Newton's method that ends away from its goal says by how much, in sizes of the leg, as a negative margin.
#[test]
fn a_leg_that_is_not_closed_has_a_negative_margin() {
    let mut rng = Seeded::new(SEED + 9);
    for scale in [1e-3, 1.0, 1e3] {
        let links: [Link<f64>; 3] =
            std::array::from_fn(|_| link(JointKind::Revolute, any_pose(&mut rng, 0.3 * scale)));
        let chain = Chain { links, tip: V3::new(0.4, 0.1, 0.0) * scale };
        let point = V3::from(rng.triple(0.2 * scale));
        let pose = Pose::translation(V3::new(7.0, -3.0, 5.0) * scale);
        let inverse = LegInverse::Numerical { seed: [0.3, 0.2, 0.1], steps: 9 };
        let solved = inverse.solve(&chain, &Attachment::Spherical { point }, &pose);
        let end = chain.posture(&solved.value).point;
        let wanted = -(pose.of(point) - end).norm_sq().sqrt() / chain.size(end, pose.position);
        assert!(wanted < -0.1 && (solved.margin - wanted).abs() < 1e-14, "{} {wanted}", solved.margin);
    }
}

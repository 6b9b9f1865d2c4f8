//! Open legs of any robot, and several robots with one object, closed by constraints.

use crate::engine_support::{c5, five_bar, gough, hexa, pose, rrr3};
use crate::motion_support::run;
use legwork_core::engine::{Pose, RigidBody, Robot, Twist};
use legwork_core::integrate::Settings;
use legwork_core::motion::{
    Arms, Constrained, CooperatingRobots, DeltaMinimal, Formulation, Load, Minimal, Multibody, OpenLegs,
    Projected,
};
use legwork_core::robots::catalog;
use legwork_core::robots::delta_legs::delta_legs;
use legwork_core::{Sym3, V3};
use legwork_testkit::{Seeded, golden, largest, numbers};

fn tolerance(tolerance: f64) -> Settings {
    Settings::default().with_tolerance(tolerance)
}

/// The same run in minimal form, with Baumgarte and with projection.
fn agree<
    const N: usize,
    const M: usize,
    const D: usize,
    const K: usize,
    const P: usize,
    const Q: usize,
    const C: usize,
>(
    name: &str,
    robot: &Robot<f64, N, M, D, K>,
    pose: &Pose<f64>,
    rate: &[f64],
    effort: [f64; K],
) {
    let twist = robot.space.twist(&std::array::from_fn(|k| 0.3 * rate[k]));
    let minimal = Minimal { mechanism: robot.mechanism() };
    let x = minimal.state_at(pose, twist).unwrap();
    let exact = run(minimal, x, effort, 0.1, tolerance(1e-11)).unwrap();
    let body = OpenLegs { robot: *robot };
    let pulled = Constrained::<_, P, Q, C>::new(body, 5.0);
    let x = pulled.state_at(pose, twist).unwrap();
    assert!(pulled.loop_gap(&x) < 1e-13, "{name}: the start is open by {:e}", pulled.loop_gap(&x));
    let pulled = run(pulled, x, effort, 0.1, tolerance(1e-11)).unwrap();
    let projected = run(Projected::<_, P, Q, C>::new(body), x, effort, 0.1, tolerance(1e-11)).unwrap();
    let reference = exact.formulation.platform(&exact.state).0;
    for (form, found, drift, imbalance) in [
        ("constrained", pulled.formulation.platform(&pulled.state).0, pulled.drift, pulled.imbalance),
        (
            "projected",
            projected.formulation.platform(&projected.state).0,
            projected.drift,
            projected.imbalance,
        ),
    ] {
        let off = (found.position - reference.position).norm_sq().sqrt();
        let turned = largest((found.rotation - reference.rotation).to_rows().concat());
        println!(
            "{name:12} {form:12} off by {off:.1e} m, {turned:.1e}, drift {drift:.1e} m, energy {imbalance:.1e} J"
        );
        assert!(off < 1e-9 && turned < 1e-9, "{name} {form}: {off:e} m, {turned:e}");
        assert!(drift < 1e-9 && imbalance < 1e-9 * exact.kinetic.max(1.0), "{name} {form}: {drift:e} m");
    }
    assert!((reference.position - pose.position).norm_sq().sqrt() > 1e-3, "{name} does not move");
}

#[test]
fn open_legs_move_as_the_minimal_form_does() {
    macro_rules! check {
        ($name:literal, $robot:expr, $p:literal, $q:literal, $c:literal) => {
            let file = golden(concat!($name, ".json"));
            let robot = $robot(&file).robot();
            let first = &file["states"][0];
            let (pose, rate) = (pose(first), numbers(&first["platform"]["twist"]));
            let effort = numbers(&first["gravity_effort"]).try_into().unwrap();
            agree::<_, _, _, _, $p, $q, $c>($name, &robot, &pose, &rate, effort);
        };
    }
    check!("gough_stewart", gough, 25, 24, 18);
    check!("hexa", hexa, 25, 24, 18);
    check!("c5", c5, 13, 12, 6);
    check!("fivebar", five_bar, 11, 6, 4);
    check!("rrr3", rrr3, 13, 9, 6);
    let delta = catalog::delta_industrial();
    let hold = delta.gravity_torque(&delta.linkage().posture(V3::new(0.0, 0.0, -0.8)).unwrap());
    let pose = Pose::translation(V3::new(0.15, -0.1, -0.72));
    agree::<_, _, _, _, 16, 12, 9>("delta", &delta_legs(&delta), &pose, &[1.0, 2.0, -1.0], hold.to_array());
}

/// H against differences of h, Ḣ v against differences of H v, along the configuration's own motion.
fn check_derivatives<B: Multibody<P, Q, C>, const P: usize, const Q: usize, const C: usize>(
    name: &str,
    body: &B,
    q: &[f64; P],
    effort: &[f64],
) {
    let mut random = Seeded::new(0x5EED);
    for _ in 0..20 {
        let v: [f64; Q] = std::array::from_fn(|_| random.uniform(-1.0, 1.0));
        let step = 1e-5;
        let rate = body.configuration_rate(q, &v);
        let at = |s: f64| -> [f64; P] { std::array::from_fn(|k| q[k] + s * rate[k]) };
        let times = |rows: &[[f64; Q]; C]| rows.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum::<f64>());
        let (up, down) = (body.closure(&at(step)), body.closure(&at(-step)));
        let hv = times(&body.closure_jacobian(q));
        // With v constant Ḣ v is the rate of H v; the quaternion then turns with constant ω to first order.
        let (after, before) =
            (times(&body.closure_jacobian(&at(step))), times(&body.closure_jacobian(&at(-step))));
        let terms = body.terms(q, &v, &Load::of_motors(effort)).unwrap();
        for k in 0..C {
            // 1e-8: step² of truncation, rounding over the step
            assert!((hv[k] - (up[k] - down[k]) / (2.0 * step)).abs() < 1e-8, "{name}: row {k} of H");
            let product = (after[k] - before[k]) / (2.0 * step);
            assert!(
                (terms.product[k] - product).abs() < 1e-7,
                "{name}: row {k} of Hdot v: {} {product}",
                terms.product[k]
            );
        }
    }
}

#[test]
fn closure_jacobians_are_derivatives() {
    let file = golden("gough_stewart.json");
    let body = OpenLegs { robot: gough(&file).robot() };
    let pose = pose(&file["states"][0]);
    let (q, _): ([f64; 25], [f64; 24]) =
        Multibody::<25, 24, 18>::state_at(&body, &pose, Twist::zero()).unwrap();
    check_derivatives::<_, 25, 24, 18>("gough", &body, &q, &[0.0; 6]);
    let robots = two_deltas();
    let (q, _): ([f64; 25], [f64; 24]) =
        Multibody::<25, 24, 18>::state_at(&robots, &bar_pose(), Twist::zero()).unwrap();
    check_derivatives::<_, 25, 24, 18>("robots", &robots, &q, &[0.0; 6]);
}

const BAR: f64 = 1.2;

/// Two industrial Deltas without payload, 1.2 m apart, the second turned by half a turn, and a bar between.
fn two_deltas() -> CooperatingRobots<2, 3> {
    let arms = Arms::from(&catalog::delta_industrial().with_payload(0.0));
    let half = V3::new(0.5 * BAR, 0.0, 0.0);
    CooperatingRobots {
        robots: [arms; 2],
        bases: [-half, half],
        turns: [0.0, std::f64::consts::PI],
        object: RigidBody {
            // A tube: a little inertia about its own axis, so that its spin is determined.
            inertia: Sym3 { diagonal: V3::new(1e-3, 0.24, 0.24), off: V3::zero() },
            ..RigidBody::point(2.0, V3::zero())
        },
        grips: [-half, half],
        gravity: V3::along_z(-9.81),
    }
}

fn bar_pose() -> Pose<f64> {
    let turn = Pose::rotation_z(0.1);
    Pose::new(turn.rotation, V3::new(0.02, -0.03, -0.75))
}

/// One Delta that holds an object at its centre of mass by a ball joint: a Delta with payload.
#[test]
fn an_object_held_at_its_centre_is_a_payload() {
    let delta = catalog::delta_industrial().with_payload(0.0);
    let object = RigidBody { inertia: Sym3::scalar(0.01), ..RigidBody::point(1.0, V3::zero()) };
    let robots = CooperatingRobots {
        robots: [Arms::from(&delta)],
        bases: [V3::new(0.4, -0.2, 0.1)],
        turns: [0.7],
        object,
        grips: [V3::zero()],
        gravity: V3::along_z(-9.81),
    };
    let loaded = DeltaMinimal::new(delta.with_payload(1.0));
    let hold =
        loaded.delta.gravity_torque(&delta.linkage().posture(V3::new(0.0, 0.0, -0.8)).unwrap()).to_array();
    let start = Pose::translation(V3::new(0.15, -0.1, -0.72));
    let x = loaded.state_at(&start, Twist::zero()).unwrap();
    let exact = run(loaded, x, hold, 0.5, tolerance(1e-11)).unwrap().position();
    let base = Pose { position: robots.bases[0], ..Pose::rotation_z(0.7) };
    let form = Projected::<_, 16, 15, 9>::new(robots);
    let spin = Twist::new(V3::zero(), V3::new(0.3, 1.0, -0.5));
    let x = form.state_at(&(base * start), spin).unwrap();
    let ran = run(form, x, hold, 0.5, tolerance(1e-11)).unwrap();
    let off = (ran.position() - base.of(exact)).norm_sq().sqrt();
    assert!(off < 1e-9, "{off:e} m");
    // The ball joint leaves the spin of a ball alone.
    let (_, twist) = ran.formulation.platform(&ran.state);
    assert!((twist.angular - spin.angular).norm_sq().sqrt() < 1e-9);
}

/// Two Deltas carry one bar: both forms agree, loops stay closed, energy balances, and with equal
/// torques in a symmetric start the run stays symmetric.
#[test]
fn two_deltas_carry_a_bar() {
    let robots = two_deltas();
    let effort = [-4.0, -4.2, -4.1, -4.3, -3.9, -4.0];
    let pulled = Constrained::<_, 25, 24, 18>::new(robots, 5.0);
    let x = pulled.state_at(&bar_pose(), Twist::zero()).unwrap();
    let a = run(pulled, x, effort, 0.4, tolerance(1e-10)).unwrap();
    let b = run(Projected::<_, 25, 24, 18>::new(robots), x, effort, 0.4, tolerance(1e-10)).unwrap();
    let (at, there) = (a.formulation.platform(&a.state).0, b.formulation.platform(&b.state).0);
    let off = (at.position - there.position).norm_sq().sqrt();
    println!(
        "forms differ by {off:.1e} m; moved to {:?}; drift {:.1e} and {:.1e} m",
        at.position, a.drift, b.drift
    );
    assert!(off < 1e-9 && a.drift < 1e-9 && b.drift < 1e-13);
    assert!(
        a.imbalance < 1e-9 * a.kinetic && b.imbalance < 1e-9 * b.kinetic,
        "{:e} {:e}",
        a.imbalance,
        b.imbalance
    );
    assert!((at.position - bar_pose().position).norm_sq().sqrt() > 0.01);

    // Half a turn about z maps the robots onto each other.
    let middle = Pose::translation(V3::new(0.0, 0.0, -0.75));
    let form = Projected::<_, 25, 24, 18>::new(robots);
    let x = form.state_at(&middle, Twist::zero()).unwrap();
    let same = run(form, x, [-4.0, -4.2, -4.1, -4.0, -4.2, -4.1], 0.3, tolerance(1e-10)).unwrap();
    let V3 { x, y, z } = same.position();
    assert!(x.abs() < 1e-9 && y.abs() < 1e-9 && (z + 0.75).abs() > 1e-3, "{x:e} {y:e} {z}");
}

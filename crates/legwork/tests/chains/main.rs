//! Robots of legs that no closed form knows: they prove themselves, keep their branches along lines and in motion, and
//! begin where their start values are nearest.

use legwork::check::check_robot;
use legwork::description::RobotDescription;
use legwork::sim::{Efforts, Ending, FormulationKind, Integrator, Simulation};
use legwork::{AnyRobot, PlatformState, RobotError};
use legwork_testkit::{Seeded, largest};
use std::f64::consts::TAU;

const ROBOTS: [&str; 5] = ["3-crs", "6-rss-odd", "3-prrs", "rrps-mixed", "3-rp-planar"];

fn open(name: &str) -> AnyRobot {
    AnyRobot::open(&format!("{}/tests/chains/{name}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn text(name: &str) -> String {
    std::fs::read_to_string(format!("{}/tests/chains/{name}.toml", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn parsed(text: &str) -> AnyRobot {
    AnyRobot::new(RobotDescription::parse(text, "test.toml").unwrap()).unwrap()
}

/// A pose part of the way from home, shifted and turned in the freedoms of the robot.
fn away(robot: &AnyRobot, way: &[f64; 6], part: f64) -> PlatformState {
    let home = robot.home();
    let mut six = [0.0; 6];
    for freedom in robot.freedoms() {
        six[freedom.component] = part * way[freedom.component];
    }
    let [x, y, z, a, b, c] = six;
    let [px, py, pz] = home.position;
    let turn = legwork::rotation::from_rotation_vector([a, b, c]);
    PlatformState::at([px + x, py + y, pz + z]).turned(legwork::rotation::product(&turn, &home.rotation))
}

fn apart(robot: &AnyRobot, a: &[f64], b: &[f64]) -> f64 {
    let gap = |((a, b), joint): ((&f64, &f64), &legwork::Joint)| {
        let gap = a - b;
        if joint.slides { gap } else { gap - TAU * (gap / TAU).round() }
    };
    largest(a.iter().zip(b).zip(robot.joints()).map(gap).collect::<Vec<_>>())
}

#[test]
fn robots_that_nobody_recognises_prove_themselves() {
    for name in ROBOTS {
        let robot = open(name);
        assert!(robot.is_followed(), "{name}");
        let summary = check_robot(&robot, 40, 7);
        assert!(summary.holds(), "{name}: {summary:#?}");
        assert!(summary.states >= 40, "{name}: {} states", summary.states);
    }
}

/// A fresh pose is reached in the branch that small steps along the line lead to, or refused where they are.
#[test]
fn a_fresh_pose_is_in_the_branch_that_small_steps_lead_to() {
    let mut rng = Seeded::new(0x11e5);
    for name in ROBOTS {
        let robot = open(name);
        let reach = 0.5 * robot.length();
        let (mut agreed, mut lost) = (0, 0);
        for _ in 0..12 {
            let [x, y, z] = rng.triple(reach);
            let [a, b, c] = rng.triple(1.2);
            let way = [x, y, z, a, b, c];
            let mut led = Ok(robot.clone());
            for k in 1..=24 {
                let pose = away(&robot, &way, f64::from(k) / 24.0);
                led = led.and_then(|robot: AnyRobot| robot.led_to(&pose));
                let fresh = robot.inverse_kinematics(&pose);
                match (&led, fresh) {
                    (Ok(led), Ok(fresh)) => {
                        let there = led.inverse_kinematics(&pose).unwrap();
                        let gap = apart(&robot, &there.q, &fresh.q);
                        assert!(gap < 1e-9, "{name}: {gap:e} apart at {pose:?}");
                        agreed += 1;
                    }
                    (Err(_), Err(RobotError::State(error))) => {
                        assert!(error.to_string().contains("leg "), "{error}");
                        lost += 1;
                    }
                    (led, fresh) => panic!("{name} at {pose:?}: {:?}, {fresh:?}", led.as_ref().err()),
                }
            }
        }
        println!("{name}: {agreed} agree, {lost} lost");
        assert!(agreed > 100, "{name}: {agreed} agree, {lost} lost");
    }
}

/// Twice around the base: the angle runs on, joint values one by one differ from it by whole turns.
#[test]
fn angles_run_on_along_a_motion() {
    let robot = open("polar");
    let mut led = robot.clone();
    let mut last = robot.inverse_kinematics(&robot.home()).unwrap().q[0];
    let first = last;
    for k in 1..=80 {
        let (sin, cos) = (TAU * f64::from(k) / 40.0).sin_cos();
        let pose = PlatformState::at([0.3 * cos, 0.3 * sin, 0.0]);
        led = led.led_to(&pose).unwrap();
        let q = led.inverse_kinematics(&pose).unwrap().q[0];
        assert!((q - last - TAU / 40.0).abs() < 1e-9, "{k}: from {last} to {q}");
        last = q;
    }
    assert!((last - first - 2.0 * TAU).abs() < 1e-9, "{last}");
}

/// The same swing with pose and twist as the state, legs followed, and with all joints as the state.
#[test]
fn a_motion_follows_its_legs() {
    for name in ["3-crs", "polar"] {
        let robot = open(name);
        let start = robot.home();
        let hold = robot.gravity(&start).unwrap();
        let effort: Vec<f64> =
            hold.iter().enumerate().map(|(k, x)| 0.9 * x + 0.3 * (k as f64 - 1.0)).collect();
        let run = |form| {
            Simulation::new(&robot, Efforts::Constant(effort.clone()))
                .starting_at(start)
                .lasting(0.2)
                .sampled_every(0.02)
                .formulated_as(form)
                .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
                .run()
                .unwrap()
        };
        let (minimal, projected) = (run(FormulationKind::Minimal), run(FormulationKind::Projected));
        assert_eq!(minimal.summary.ending, Ending::Completed, "{name}");
        assert!(minimal.summary.loop_gap < 1e-10, "{name}: {:e}", minimal.summary.loop_gap);
        let energy = minimal.summary.kinetic.max(1e-3);
        assert!(minimal.summary.imbalance < 1e-7 * energy, "{name}: {:e}", minimal.summary.imbalance);
        for (a, b) in minimal.samples.iter().zip(projected.samples.iter()) {
            let gap = apart(&robot, a.q, b.q);
            assert!(gap < 1e-6, "{name} at {} s: {gap:e}", a.time); // two integrations to 1e-10 of 0.2 s
        }
    }
}

/// Start values choose between solutions of a leg whose closed form is known: the nearest.
#[test]
fn start_values_choose_the_nearest_solution() {
    let file = AnyRobot::open("custom-five-bar").unwrap().description().text.clone().unwrap();
    let own = AnyRobot::open("custom-five-bar").unwrap();
    let other = own.with_working_mode("other-start").unwrap();
    let home = own.home();
    let (near, far) = (own.inverse_kinematics(&home).unwrap().q, other.inverse_kinematics(&home).unwrap().q);
    assert!((near[0] - far[0]).abs() > 0.5, "{near:?} {far:?}");
    // On the line between the two, just on either side of the middle. The elbow's angle turns over too.
    for (part, wanted) in [(0.45, &near), (0.55, &far)] {
        let first = (near[0] + part * (far[0] - near[0])).to_degrees();
        let second = -120.0 * (1.0 - 2.0 * part);
        let moved = file.replacen("start = \"150 deg\"", &format!("start = \"{first} deg\""), 1).replacen(
            "start = \"-120 deg\"",
            &format!("start = \"{second} deg\""),
            1,
        );
        let q = parsed(&moved).inverse_kinematics(&home).unwrap().q;
        assert!((q[0] - wanted[0]).abs() < 1e-9, "{part}: {q:?}, not {wanted:?}");
    }
}

/// A start 0.3 rad off leads to the same branch.
#[test]
fn a_rough_start_closes() {
    let file = text("3-crs");
    let home = open("3-crs").home();
    let wanted = open("3-crs").inverse_kinematics(&home).unwrap().q;
    for (first, second) in [(3, -54), (-15, -88), (18, -71), (0, -54), (18, -88)] {
        let moved = file
            .replace("start = \"20 deg\"", &format!("start = \"{first} deg\""))
            .replace("start = \"-100 deg\"", &format!("start = \"{second} deg\""));
        let robot = parsed(&moved);
        let q = robot.inverse_kinematics(&home).unwrap().q;
        assert!(apart(&robot, &q, &wanted) < 1e-9, "{first}, {second}: {q:?}");
    }
}

/// Two angular velocities without the third are no joint.
#[test]
fn a_rolling_platform_is_refused() {
    let file = text("3-crs");
    for freedoms in ["[\"wx\", \"wy\"]", "[\"vz\", \"wx\", \"wz\"]"] {
        let rolling =
            file.replacen("family = \"custom\"", &format!("family = \"custom\"\nfreedoms = {freedoms}"), 1);
        let error = RobotDescription::parse(&rolling, "test.toml").unwrap_err().to_string();
        assert!(error.contains("rolling constraint"), "{error}");
    }
}

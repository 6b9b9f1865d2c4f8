//! What the joints of a mechanism carry, which efforts its motors take where there is a choice, and a motion that is
//! followed from pose to pose.

use legwork::description::{EffortChoice, FamilyData, MechanismJointKind, RobotDescription};
use legwork::sim::{Efforts, Simulation};
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::{Worst, nan_max, relative_error};
use std::ops::ControlFlow;

/// A five-bar with a motor at one elbow besides those at the base: three motors for two freedoms.
const DRIVEN_FIVE_BAR: &str = r#"
name = "driven-five-bar"
family = "mechanism"
platform = "tip"

[[body]]
name = "left_arm"
mass = "1 kg"
from = [-0.2, 0, 0]
to = [-0.45, 0.4, 0]

[[body]]
name = "right_arm"
mass = "1.2 kg"
from = [0.2, 0, 0]
to = [0.4, 0.42, 0]

[[body]]
name = "left_rod"
mass = "0.6 kg"
from = [-0.45, 0.4, 0]
to = [0.02, 0.8, 0]

[[body]]
name = "right_rod"
mass = "0.5 kg"
from = [0.4, 0.42, 0]
to = [0.02, 0.8, 0]

[[body]]
name = "tip"
mass = "0.4 kg"
position = [0.02, 0.8, 0]

[[joint]]
name = "weld"
type = "fixed"
parent = "left_rod"
child = "tip"

[[joint]]
name = "left"
type = "revolute"
parent = "base"
child = "left_arm"
point = [-0.2, 0, 0]
axis = [0, 0, 1]
active = true

[[joint]]
name = "right"
type = "revolute"
parent = "base"
child = "right_arm"
point = [0.2, 0, 0]
axis = [0, 0, 1]
active = true

[[joint]]
name = "left_elbow"
type = "revolute"
parent = "left_arm"
child = "left_rod"
point = [-0.45, 0.4, 0]
axis = [0, 0, 1]
active = true
ELBOW

[[joint]]
name = "right_elbow"
type = "revolute"
parent = "right_arm"
child = "right_rod"
point = [0.4, 0.42, 0]
axis = [0, 0, 1]

[[joint]]
name = "pin"
type = "revolute"
parent = "left_rod"
child = "right_rod"
point = [0.02, 0.8, 0]
axis = [0, 0, 1]
"#;

fn five_bar(elbow: &str) -> AnyRobot {
    let text = DRIVEN_FIVE_BAR.replace("ELBOW", elbow);
    AnyRobot::new(RobotDescription::parse(&text, "robot.toml").unwrap()).unwrap()
}

fn moving(robot: &AnyRobot) -> PlatformState {
    let mut state = robot.home();
    for (k, freedom) in robot.freedoms().iter().enumerate() {
        let k = k as f64;
        state.twist[freedom.component] = 0.3 - 0.1 * k;
        state.acceleration[freedom.component] = 2.0 + k;
        state.wrench[freedom.component] = 5.0 - 2.0 * k;
    }
    state
}

fn with(robot: &AnyRobot, weights: Option<&[f64]>, preloads: Option<&[f64]>) -> AnyRobot {
    let list = |numbers: Option<&[f64]>| numbers.map(<[f64]>::to_vec);
    robot.with_effort_choice(&EffortChoice { weights: list(weights), preloads: list(preloads) }).unwrap()
}

/// Efforts that move nothing come from preloads; they are at a right angle to W (τ − t), which is what least squares
/// mean; and the robot accelerates the same under all of them.
#[test]
fn efforts_are_those_nearest_to_the_preloads() {
    let mut worst = Worst::of("choice of efforts");
    for robot in [AnyRobot::open("two-deltas").unwrap(), five_bar("")] {
        let (state, motors) = (moving(&robot), robot.joints().len());
        let effort = |robot: &AnyRobot| robot.inverse_dynamics(&state).unwrap();
        let least = effort(&robot);
        let size = least.iter().fold(0.0, |sum: f64, x| sum + x * x).sqrt();
        // One preload after the other: each difference is an internal force, and there is one at least.
        let internal: Vec<Vec<f64>> = (0..motors)
            .map(|k| {
                let mut preload = vec![0.0; motors];
                preload[k] = size;
                let found = effort(&with(&robot, None, Some(&preload)));
                found.iter().zip(&least).map(|(a, b)| a - b).collect()
            })
            .collect();
        let norm = |list: &[f64]| list.iter().map(|x| x * x).sum::<f64>().sqrt();
        let largest = internal.iter().map(|list| norm(list)).fold(0.0, nan_max);
        assert!(largest > 0.1 * size, "{}: no internal force", robot.name());
        let weights: Vec<f64> = (0..motors).map(|k| 1.0 + 0.7 * k as f64).collect();
        let wish: Vec<f64> = (0..motors).map(|k| 0.3 * size * (1.0 - 0.4 * k as f64)).collect();
        let one = vec![1.0; motors];
        let none = vec![0.0; motors];
        for (w, t) in [(&one, &none), (&weights, &none), (&one, &wish), (&weights, &wish)] {
            let chosen = effort(&with(&robot, Some(w), Some(t)));
            for n in internal.iter().filter(|n| norm(n) > 0.01 * size) {
                let along: f64 = (0..motors).map(|k| n[k] * w[k] * (chosen[k] - t[k])).sum();
                worst.see(along / (norm(n) * size * motors as f64));
            }
            let forward = |effort: &[f64]| robot.forward_dynamics(&state, effort).unwrap().platform;
            worst.see(relative_error(&forward(&chosen), &forward(&least)));
        }
        // A preload that moves nothing is taken as it is.
        let own = internal.iter().max_by(|a, b| norm(a).total_cmp(&norm(b))).unwrap();
        let expected: Vec<f64> = least.iter().zip(own).map(|(a, b)| a + b).collect();
        worst.see(relative_error(&effort(&with(&robot, None, Some(own))), &expected));
    }
    worst.below(1e-10); // rounding, times the condition of the null space
}

/// The keys of a file are the numbers of a request; where there is no choice, a preload is refused by name.
#[test]
fn a_file_can_choose_efforts() {
    let (plain, file) = (five_bar(""), five_bar("effort_weight = 3\npreload = \"2 N m\""));
    let state = moving(&plain);
    let asked = with(&plain, Some(&[1.0, 1.0, 3.0]), Some(&[0.0, 0.0, 2.0]));
    let found = file.inverse_dynamics(&state).unwrap();
    assert_eq!(found, asked.inverse_dynamics(&state).unwrap());
    assert!(relative_error(&found, &plain.inverse_dynamics(&state).unwrap()) > 0.01);
    // The payload makes the robot anew; the choice stays.
    let loaded = asked.with_payload(0.7).unwrap().inverse_dynamics(&state).unwrap();
    assert_eq!(loaded, file.with_payload(0.7).unwrap().inverse_dynamics(&state).unwrap());
    let refused = |robot: &AnyRobot, weights: &[f64], preloads: &[f64]| {
        let choice = EffortChoice { weights: Some(weights.to_vec()), preloads: Some(preloads.to_vec()) };
        robot.with_effort_choice(&choice).unwrap_err().to_string()
    };
    let head = AnyRobot::open("3-rps").unwrap();
    let text = refused(&head, &[1.0; 3], &[0.0, 1.0, 0.0]);
    assert!(text.contains("preload") && text.contains("3 of each"), "{text}");
    let text = refused(&plain, &[1.0, 0.0, 1.0], &[0.0; 3]);
    assert!(text.contains("`right`") && text.contains("positive"), "{text}");
    assert!(refused(&plain, &[1.0], &[0.0; 3]).contains('3'));
    let delta = AnyRobot::open("delta-industrial").unwrap();
    assert!(refused(&delta, &[1.0; 3], &[0.0; 3]).contains("a choice of efforts"));
}

/// At rest the joints of each body carry its weight and what pulls at it; welded bodies are one.
#[test]
fn joints_carry_each_body_at_rest() {
    let mut worst = Worst::of("balance of bodies at rest");
    let built_in =
        ["3-rps", "tricept", "delta-cardan", "two-deltas"].map(|name| AnyRobot::open(name).unwrap());
    for robot in built_in.into_iter().chain([five_bar("")]) {
        let mut state = robot.home();
        state.wrench = [11.0, -7.0, 5.0, 0.0, 0.0, 0.0];
        let reactions = robot.joint_reactions(&state).unwrap();
        assert_eq!(robot.state(&state).unwrap().dynamics.unwrap().joint_reaction, reactions);
        let FamilyData::Mechanism(file) = &robot.description().data else { panic!("no mechanism") };
        let welded = |joint: &&legwork::description::MechanismJoint| joint.kind == MechanismJointKind::Fixed;
        // The first body of each weld stands for all of it; the ground is none.
        let mut stands_for: Vec<Option<usize>> = (0..file.bodies.len()).map(Some).collect();
        for _ in 0..file.bodies.len() {
            for joint in file.joints.iter().filter(welded) {
                let [a, b] = [joint.parent, joint.child].map(|body| body.and_then(|body| stands_for[body]));
                let both = match (a, b) {
                    (Some(a), Some(b)) => [a, b].into_iter().min(),
                    _ => None,
                };
                for body in [joint.parent, joint.child].into_iter().flatten() {
                    stands_for[body] = both;
                }
            }
        }
        let mut sums = vec![[0.0; 3]; file.bodies.len()];
        let mut add = |body: Option<usize>, force: [f64; 3], sign: f64| {
            if let Some(body) = body.and_then(|body| stands_for[body]) {
                (0..3).for_each(|k| sums[body][k] += sign * force[k]);
            }
        };
        let mut weight = 0.0;
        for (place, body) in file.bodies.iter().enumerate() {
            add(Some(place), [0.0, 0.0, -9.81 * body.body.mass], 1.0);
            weight += 9.81 * body.body.mass;
        }
        add(Some(file.platform), [0.0, 0.0, -9.81 * file.payload.mass], 1.0);
        add(Some(file.platform), [11.0, -7.0, 5.0], 1.0);
        let moving = file.joints.iter().filter(|joint| joint.kind != MechanismJointKind::Fixed);
        for (joint, reaction) in moving.zip(&reactions) {
            assert_eq!(joint.name, reaction.joint);
            add(joint.child, reaction.force, 1.0);
            add(joint.parent, reaction.force, -1.0);
        }
        for sum in sums.iter().flatten() {
            worst.see(sum / weight);
        }
    }
    worst.below(1e-11); // rounding, times the condition of the loops
}

/// A robot that is led along a line is where the one from home is.
#[test]
fn a_mechanism_led_along_a_line_is_where_it_is_from_home() {
    let mut worst = Worst::of("led and from home");
    for name in ["3-rps", "delta-cardan", "quattro", "two-deltas"] {
        let home = AnyRobot::open(name).unwrap();
        let mut led = home.clone();
        let mut pose = home.home();
        for _ in 0..20 {
            for freedom in home.freedoms().iter().filter(|freedom| freedom.component < 3) {
                pose.position[freedom.component] += 2e-3 * home.length();
            }
            led = led.led_to(&pose).unwrap();
            let (a, b) =
                (led.inverse_kinematics(&pose).unwrap().q, home.inverse_kinematics(&pose).unwrap().q);
            worst.see(relative_error(&a, &b));
        }
    }
    worst.below(1e-11); // where the search ends
}

/// A mechanism that its motors hold stays where it is, dry friction or not: its steps are as long as its samples.
#[test]
fn a_held_mechanism_stays_at_rest() {
    for name in ["delta-cardan", "3-rps", "two-deltas"] {
        let robot = AnyRobot::open(name).unwrap();
        let hold = robot.gravity(&robot.home()).unwrap();
        let summary = Simulation::new(&robot, Efforts::Constant(hold.clone()))
            .lasting(0.2)
            .sampled_every(0.01)
            .run_each(|_| ControlFlow::Continue(()))
            .unwrap();
        assert!(summary.statistics.steps <= 25, "{name}: {:?}", summary.statistics);
        assert_eq!(summary.kinetic, 0.0, "{name}");
        // A little more than holds it, and it moves.
        let more: Vec<f64> = hold.iter().map(|effort| 1.001 * effort).collect();
        let summary = Simulation::new(&robot, Efforts::Constant(more))
            .lasting(0.01)
            .run_each(|_| ControlFlow::Continue(()))
            .unwrap();
        assert!(summary.kinetic > 0.0, "{name}");
    }
}

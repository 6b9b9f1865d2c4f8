//! Verdicts that must not depend on units, places and noise.

use super::support::{described, four_bar, pin, postures};
use legwork::mechanism::{MechanismDescription, MechanismModel, PlatformPose, Target};
use legwork_core::engine::{Pose, Twist};
use legwork_core::{V3, engine::RigidBody};
use legwork_testkit::{Seeded, Worst, relative_error};

/// The same mechanism with all lengths times `by`, seen from another origin.
fn rescaled(mut d: MechanismDescription, by: f64, shift: V3<f64>) -> MechanismDescription {
    let scaled = |pose: &Pose<f64>| Pose::new(pose.rotation, pose.position * by);
    for body in &mut d.bodies {
        body.home = scaled(&body.home);
        body.home.position = body.home.position + shift;
        let RigidBody { mass, centre, inertia } = body.body;
        body.body = RigidBody { mass, centre: centre * by, inertia: inertia * (by * by) };
    }
    for joint in &mut d.joints {
        let prismatic = joint.kind.slides();
        joint.parent_frame = scaled(&joint.parent_frame);
        joint.child_frame = scaled(&joint.child_frame);
        if joint.parent == "world" {
            joint.parent_frame.position = joint.parent_frame.position + shift;
        }
        if let Some(drive) = &mut joint.motor {
            drive.inertia *= if prismatic { 1.0 } else { by * by };
        }
    }
    d.platform_point = d.platform_point * by;
    d.gravity = d.gravity * by;
    d
}

/// In millimetres, kilometres and far from the origin: the same freedoms, and efforts in proportion.
#[test]
fn units_and_places_change_no_verdict() {
    let mut worst = Worst::of("efforts in other units and places");
    for name in ["rps3", "agile_eye", "quattro", "delta_ss", "planar_table"] {
        let here = MechanismModel::new(&described(name)).unwrap();
        let (list, mut workspace) = postures(&here, 1, 17);
        let still = vec![0.0; here.motors().len()];
        let q = here.motor_values(&list[0].at);
        let efforts =
            here.inverse_dynamics(&list[0].at, &still, &list[0].accelerations, [0.0; 6], &mut workspace);
        let efforts = efforts.unwrap();
        for (by, shift) in [
            (1e3, V3::zero()),
            (1e-3, V3::zero()),
            (1.0, V3::new(100.0, -50.0, 20.0)),
            (1e3, V3::new(2e5, 0.0, 0.0)),
        ] {
            let other = MechanismModel::new(&rescaled(described(name), by, shift)).unwrap();
            let (a, b) = (here.mobility(), other.mobility());
            assert_eq!(
                (a.freedoms, a.redundant_constraints, a.idle_freedoms, &a.coordinates, &a.following),
                (b.freedoms, b.redundant_constraints, b.idle_freedoms, &b.coordinates, &b.following),
                "{name} times {by}"
            );
            let mut workspace = other.workspace();
            let unit = |k: usize| if other.motors()[k].slides { by } else { 1.0 };
            let scaled =
                |list: &[f64]| -> Vec<f64> { list.iter().enumerate().map(|(k, x)| x * unit(k)).collect() };
            let at = other.forward_kinematics(&scaled(&q), other.home(), &mut workspace).unwrap();
            let accelerations = scaled(&list[0].accelerations);
            let found =
                other.inverse_dynamics(&at, &still, &accelerations, [0.0; 6], &mut workspace).unwrap();
            // Forces grow with the lengths, torques with their squares.
            let expected: Vec<f64> = efforts.iter().enumerate().map(|(k, x)| x * by * by / unit(k)).collect();
            worst.see(relative_error(&found, &expected));
        }
    }
    worst.below(1e-10); // rounding of positions 100 times as large as the mechanism
}

/// Every body turned by up to 0.3 rad and shifted by up to 0.3 of the mechanism's size closes on the right branch.
#[test]
fn a_rough_assembly_closes_on_the_right_branch() {
    let mut worst = Worst::of("poses of an assembly from a sketch");
    for name in ["rps3", "tricept", "upu3", "agile_eye", "delta4", "exechon"] {
        let description = described(name);
        let model = MechanismModel::new(&description).unwrap();
        let mut workspace = model.workspace();
        let home = model.body_poses(model.home(), &mut workspace);
        let q = model.motor_values(model.home());
        let mut random = Seeded::new(23);
        for _ in 0..3 {
            let rough: Vec<Pose<f64>> = description
                .bodies
                .iter()
                .map(|body| {
                    let step = Twist::new(
                        V3::from(random.triple(0.3 * 0.5 * model.length())),
                        V3::from(random.triple(0.3 / 3.0_f64.sqrt())),
                    );
                    body.home.moved(&step)
                })
                .collect();
            let found = model.assemble(&rough, Some(&q)).unwrap();
            for (found, expected) in model.body_poses(&found, &mut workspace).iter().zip(&home) {
                worst.see(relative_error(found.rotation.as_flattened(), expected.rotation.as_flattened()));
            }
        }
    }
    worst.below(1e-7); // a stop of the damped steps, times the condition of the loops
}

/// A rough home is closed at set-up.
#[test]
fn a_rough_home_is_closed() {
    let mut description = four_bar(1.0, [0.3, 0.9, 0.8], 0.7);
    description.bodies[1].home =
        description.bodies[1].home.moved(&Twist::new(V3::new(0.05, -0.04, 0.0), V3::along_z(0.2)));
    let model = MechanismModel::new(&description).unwrap();
    let mut workspace = model.workspace();
    assert!(model.closing_gap(model.home(), &mut workspace) < 1e-12);
    assert_eq!((model.mobility().freedoms, model.mobility().redundant_constraints), (1, 3));
}

/// A motor that makes whole turns, there and back, keeps its branch.
#[test]
fn whole_turns_of_a_crank_come_back() {
    let model = MechanismModel::new(&four_bar(1.0, [0.25, 0.9, 0.8], 0.7)).unwrap();
    let mut workspace = model.workspace();
    let mut at = model.home().clone();
    let branch = model.branch(&at, &mut workspace);
    for step in [1.0, -1.0] {
        for _ in 0..13 {
            at = model.follow_motors(&[step], &at, &mut workspace).unwrap();
            assert_eq!(model.branch(&at, &mut workspace), branch);
        }
    }
    let mut worst = Worst::of("thirteen radians there and back");
    worst.see(relative_error(at.coordinates(), model.home().coordinates()));
    worst.below(1e-9); // Newton's gaps of 1e-13, a hundred times
}

/// Inverse kinematics says what it cannot reach, in numbers; independent coordinates alone it can.
#[test]
fn a_pose_that_the_platform_cannot_have_is_told() {
    let model = MechanismModel::new(&described("rps3")).unwrap();
    let mut workspace = model.workspace();
    let home = model.platform_pose(model.home(), &mut workspace);
    let mut pose = PlatformPose { position: home.position, rotation: home.rotation };
    pose.position[2] += 0.05;
    pose.position[0] += 0.02; // a 3-RPS cannot choose x
    let error = model.inverse_kinematics(&pose, Target::Pose, model.home(), &mut workspace).unwrap_err();
    assert!(error.to_string().contains("off by"), "{error}");
    let found = model.inverse_kinematics(&pose, Target::Independent, model.home(), &mut workspace).unwrap();
    let reached = model.platform_pose(&found, &mut workspace);
    assert!((reached.position[2] - pose.position[2]).abs() < 1e-12);
    let delta = MechanismModel::new(&described("delta4")).unwrap();
    let mut workspace = delta.workspace();
    let mut pose = delta.platform_pose(delta.home(), &mut workspace);
    pose.position[2] -= 5.0; // far below its forearms
    let error = delta.inverse_kinematics(&pose, Target::Pose, delta.home(), &mut workspace).unwrap_err();
    assert!(error.to_string().contains("way ends"), "{error}");
}

/// A loop of nothing but motors: three of four follow.
#[test]
fn a_loop_of_motors_is_possible() {
    let mut description = four_bar(1.0, [0.3, 0.9, 0.8], 0.7);
    for joint in &mut description.joints {
        *joint = pin(
            &joint.name,
            &joint.parent,
            [joint.parent_frame.position.x, joint.parent_frame.position.y],
            &joint.child,
            [joint.child_frame.position.x, joint.child_frame.position.y],
            true,
        );
    }
    description.motors = description.joints.iter().map(|joint| joint.name.clone()).collect();
    let model = MechanismModel::new(&description).unwrap();
    assert_eq!((model.mobility().freedoms, model.mobility().dependent_motors.len()), (1, 3));
    let mut workspace = model.workspace();
    // Smallest norm: half the square of the norm is what one motor would do, over its gear ratio.
    let all = model.gravity(model.home(), &mut workspace).unwrap();
    let one = MechanismModel::new(&four_bar(1.0, [0.3, 0.9, 0.8], 0.7)).unwrap();
    let single = one.gravity(one.home(), &mut one.workspace()).unwrap()[0];
    let slopes = model.motor_slopes(model.home(), &mut workspace).unwrap();
    let per_crank: Vec<f64> = slopes.iter().map(|row| row[0] / slopes[0][0]).collect();
    let norm: f64 = per_crank.iter().map(|x| x * x).sum();
    let expected: Vec<f64> = per_crank.iter().map(|x| x * single / norm).collect();
    let mut worst = Worst::of("efforts of smallest norm");
    worst.see(relative_error(&all, &expected));
    worst.below(1e-12); // rounding
}

/// A load on the platform is the mass of a heavier platform.
#[test]
fn a_payload_is_a_heavier_platform() {
    let mut description = described("delta4");
    let load = RigidBody { mass: 0.7, ..description.bodies[0].body };
    let light = MechanismModel::new(&description).unwrap().with_payload(&load).unwrap();
    let tool = description.bodies.iter_mut().find(|body| body.name == "tool").unwrap();
    tool.body = tool.body.joined(&load);
    let heavy = MechanismModel::new(&description).unwrap();
    let (list, mut workspace) = postures(&light, 1, 29);
    let p = &list[0];
    let a = light.inverse_dynamics(&p.at, &p.rates, &p.accelerations, [0.0; 6], &mut workspace).unwrap();
    let b = heavy.inverse_dynamics(&p.at, &p.rates, &p.accelerations, [0.0; 6], &mut workspace).unwrap();
    let mut worst = Worst::of("payload");
    worst.see(relative_error(&a, &b));
    worst.below(1e-12); // rounding
}

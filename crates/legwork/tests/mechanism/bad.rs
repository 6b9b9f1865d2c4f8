//! Mechanisms that are none: each an error with names and numbers.

use super::support::{bar, described, four_bar, pin};
use legwork::mechanism::{JointType, MechanismDescription, MechanismError, MechanismModel};
use legwork_core::V3;

fn error(description: &MechanismDescription) -> MechanismError {
    let error = MechanismModel::new(description).unwrap_err();
    println!("{error}");
    error
}

#[test]
fn a_loop_that_cannot_close_names_its_joint() {
    // The bars are together shorter than the ground.
    let mut open = four_bar(1.0, [0.3, 0.9, 0.8], 0.7);
    open.joints[3] = pin("foot", "world", [2.5, 0.0], "rocker", [0.0, 0.0], false);
    let found = error(&open);
    let MechanismError::OpenLoop { distance, steps, .. } = found else { panic!("{found}") };
    assert!((0.05..2.0).contains(&distance) && steps > 0);
}

#[test]
fn motors_that_hold_nothing_are_told() {
    // The motor sits between two bars that nothing else holds: a double pendulum with its motor at the elbow, twice.
    let mut loose = four_bar(1.0, [0.3, 0.9, 0.8], 0.7);
    loose.bodies.push(bar("tail", [0.0, 0.0], 0.2, 0.3));
    loose.joints.push(pin("hinge", "coupler", [0.2, 0.0], "tail", [0.0, 0.0], false));
    loose.platform = "tail".into();
    let found = error(&loose);
    let MechanismError::Underactuated { freedoms: 2, motors: 1, bodies } = &found else { panic!("{found}") };
    assert_eq!(bodies, &["tail".to_string()]);
    // Two motors of the same loop: enough of them, and still the tail swings.
    loose.joints[3].motor = loose.joints[0].motor;
    loose.motors.push("foot".into());
    let found = error(&loose);
    let MechanismError::NotHeld { free: 1, motors: 2, dependent, bodies } = &found else { panic!("{found}") };
    assert_eq!((dependent.len(), bodies.as_slice()), (1, &["tail".to_string()][..]));
}

#[test]
fn a_frame_that_cannot_move_is_told() {
    let mut stiff = four_bar(1.0, [0.3, 0.9, 0.8], 0.7);
    let from = stiff.bodies[1].home;
    let middle = from.of(V3::new(0.45, 0.0, 0.0));
    stiff.joints.push(pin("brace", "world", [middle.x, middle.y], "coupler", [0.45, 0.0], false));
    let found = error(&stiff);
    let MechanismError::NoFreedom { rows: 25, idle: 0, joints } = &found else { panic!("{found}") };
    assert!(joints.contains(&"brace".to_string()));
}

#[test]
fn bodies_without_a_way_to_the_ground_are_named() {
    let mut parts = four_bar(1.0, [0.3, 0.9, 0.8], 0.7);
    parts.bodies.push(bar("lost", [3.0, 0.0], 0.0, 0.5));
    let found = error(&parts);
    assert_eq!(found, MechanismError::Disconnected { bodies: vec!["lost".into()] });
}

/// A parallelogram lying flat can leave as a parallelogram or as an antiparallelogram.
#[test]
fn a_bifurcation_at_home_is_told() {
    let found = error(&four_bar(1.0, [0.4, 1.0, 0.4], 0.0));
    let MechanismError::MobilityChanges { home: 2, nearby: 1, bodies, joints } = &found else {
        panic!("{found}")
    };
    assert!(!bodies.is_empty() && !joints.is_empty());
    MechanismModel::new(&four_bar(1.0, [0.4, 1.0, 0.4], 0.5)).unwrap();
}

#[test]
fn names_numbers_and_motors_are_checked() {
    let good = || four_bar(1.0, [0.3, 0.9, 0.8], 0.7);
    let told = |change: fn(&mut MechanismDescription)| {
        let mut description = good();
        change(&mut description);
        error(&description)
    };
    assert!(matches!(told(|d| d.joints[1].parent = "crnak".into()), MechanismError::UnknownName { .. }));
    assert!(matches!(told(|d| d.bodies[1].name = "crank".into()), MechanismError::DuplicateName { .. }));
    assert!(matches!(told(|d| d.joints[1].child = "crank".into()), MechanismError::SameBody { .. }));
    assert!(matches!(told(|d| d.bodies[0].body.mass = -1.0), MechanismError::Body { .. }));
    assert!(matches!(
        told(|d| d.joints[0].parent_frame.position.x = f64::NAN),
        MechanismError::Numbers { .. }
    ));
    assert!(matches!(told(|d| d.motors.clear()), MechanismError::MotorList { .. }));
    assert!(matches!(
        told(|d| {
            d.motors.clear();
            d.joints[0].motor = None;
        }),
        MechanismError::NoMotors
    ));
    assert!(matches!(told(|d| d.joints[0].kind = JointType::Spherical), MechanismError::MotorJoint { .. }));
    assert!(matches!(told(|d| d.platform = "plate".into()), MechanismError::UnknownName { .. }));
    assert!(matches!(
        told(|d| d.joints[3].kind = JointType::Fixed),
        MechanismError::OpenLoop { .. }
            | MechanismError::NoFreedom { .. }
            | MechanismError::Underactuated { .. }
    ));
}

#[test]
fn lists_of_other_lengths_are_refused() {
    let model = MechanismModel::new(&described("rps3")).unwrap();
    let mut workspace = model.workspace();
    let home = model.home().clone();
    let short = model.inverse_dynamics(&home, &[0.0], &[0.0; 3], [0.0; 6], &mut workspace).unwrap_err();
    assert!(matches!(short, MechanismError::Count { expected: 3, found: 1, .. }), "{short}");
    let nan = model.forward_dynamics(&home, &[0.0; 3], &[f64::NAN, 0.0, 0.0], [0.0; 6], &mut workspace);
    assert!(matches!(nan, Err(MechanismError::NotFinite { .. })));
    let far = model.forward_kinematics(&[0.8, 0.8, 9.0], &home, &mut workspace).unwrap_err();
    assert!(matches!(far, MechanismError::EndOfBranch { .. }), "{far}");
}

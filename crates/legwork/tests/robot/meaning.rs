//! One meaning for all families: forces of the legs and measures of singularity, against geometry and Newton's law
//! and between robots that are given in two ways.

use crate::robot_support::{Seeded, some_state};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::{AnyRobot, PartKind, PlatformState};
use legwork_testkit::relative_error_above;

type V = [f64; 3];

fn minus(a: V, b: V) -> V {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

fn cross(a: V, b: V) -> V {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: V, b: V) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// Cosine between two directions, without its sign.
fn cosine(a: V, b: V) -> f64 {
    (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).abs()
}

/// States that the robot has, about home.
fn states(robot: &AnyRobot, count: usize) -> Vec<PlatformState> {
    let mut random = Seeded(17);
    let some = std::iter::repeat_with(|| some_state(robot, &mut random));
    some.filter(|state| robot.state(state).is_ok()).take(count).collect()
}

/// What accelerates the platform comes from its legs, its weight and the outside.
#[test]
fn forces_of_the_legs_accelerate_the_platform() {
    for entry in BUILT_IN {
        let robot = AnyRobot::open(entry.name).unwrap();
        // A mechanism has joints and no legs.
        if !robot.has_masses() || robot.mobility().is_some() {
            continue;
        }
        let description = robot.description();
        let gravity = description.gravity_direction.map(|component| component * description.gravity);
        for state in states(&robot, 20) {
            let forces = robot.leg_forces(&state).unwrap();
            let (mass, centre) = match (robot.as_delta(), robot.engine_model()) {
                (Some(delta), _) => (delta.inertia().platform + delta.inertia().payload, [0.0; 3]),
                (_, Some(model)) => (model.platform.mass, model.platform.centre.to_array()),
                _ => unreachable!(),
            };
            let arm = state.rotation.map(|row| dot(row, centre));
            let [_, _, _, wx, wy, wz] = state.twist;
            let [ax, ay, az, bx, by, bz] = state.acceleration;
            let (w, b) = ([wx, wy, wz], [bx, by, bz]);
            let (turning, bent) = (cross(b, arm), cross(w, cross(w, arm)));
            for freedom in robot.freedoms().iter().filter(|freedom| !freedom.turns()) {
                let k = freedom.component;
                let acceleration = [ax, ay, az][k] + turning[k] + bent[k];
                let legs: f64 = forces.iter().map(|leg| leg.force[k]).sum();
                let sum = legs + mass * gravity[k] + state.wrench[k];
                let size = forces.iter().fold(mass * acceleration.abs(), |m, leg| m + leg.force[k].abs());
                // 1e-9: rounding times the condition of the Jacobian.
                let off = (sum - mass * acceleration).abs() / size.max(1.0);
                assert!(off < 1e-9, "{}: {sum} {}", entry.name, mass * acceleration);
            }
            // Along the last link, positive towards the platform.
            let skeleton = robot.skeleton(&state).unwrap();
            for (number, leg) in forces.iter().enumerate() {
                if let [.., before, end] = robot.skeleton(&state).unwrap().joints(number)[..] {
                    let link = minus(end, before);
                    let along = dot(leg.force, link) / dot(link, link).sqrt();
                    let size = dot(leg.force, leg.force).sqrt().max(1e-3);
                    assert!((along - leg.axial).abs() < 1e-9 * size, "{}: {along} {}", entry.name, leg.axial);
                }
            }
            let all: Vec<f64> = forces.iter().map(|leg| leg.axial).collect();
            let found = robot.state(&state).unwrap().dynamics.unwrap().leg_force;
            // 1e-9: rounding, times the condition of the pose; 1 N: legs that carry nothing.
            assert!(relative_error_above(&all, &found, 1.0) < 1e-9, "{}", entry.name);
            assert_eq!(skeleton.legs.len(), forces.len());
        }
    }
}

/// A platform that hangs is pulled at, one that stands is pushed away.
#[test]
fn legs_push_a_platform_above_them_and_pull_at_one_below() {
    let axial = |name: &str| {
        let robot = AnyRobot::open(name).unwrap();
        let forces = robot.leg_forces(&robot.home()).unwrap();
        forces.iter().map(|leg| leg.axial).collect::<Vec<_>>()
    };
    assert!(axial("gough-stewart").iter().all(|force| *force > 0.0));
    for name in ["delta-industrial", "hexa", "linear-delta", "custom-delta"] {
        assert!(axial(name).iter().all(|force| *force < 0.0), "{name}: {:?}", axial(name));
    }
}

/// The transmission of each leg from nothing but the points of the robot.
#[test]
fn serial_is_the_cosine_that_the_points_of_a_leg_show() {
    for name in
        ["five-bar", "planar-3rrr", "custom-five-bar", "linear-delta", "hexaglide", "delta-industrial"]
    {
        let robot = AnyRobot::open(name).unwrap();
        for state in states(&robot, 20) {
            let serial = robot.singularity(&state).unwrap().serial;
            let skeleton = robot.skeleton(&state).unwrap();
            for (number, found) in serial.iter().enumerate() {
                let joints = skeleton.joints(number);
                let rail = skeleton
                    .parts
                    .iter()
                    .find(|part| part.kind == PartKind::Rail && part.leg == Some(number))
                    .map(|rail| minus(skeleton.points[rail.points[1]], skeleton.points[rail.points[0]]));
                let expected = match (&joints[..], rail) {
                    // A carriage moves along its rail.
                    ([carriage, end], Some(rail)) => cosine(minus(*end, *carriage), rail),
                    // An elbow moves at right angles to its arm, in the plane or below the leg's azimuth.
                    ([motor, elbow, end], None) => {
                        let arm = minus(*elbow, *motor);
                        let axis = if name == "delta-industrial" {
                            cross([0.0, 0.0, 1.0], [motor[0], motor[1], 0.0])
                        } else {
                            [0.0, 0.0, 1.0]
                        };
                        cosine(minus(*end, *elbow), cross(axis, arm))
                    }
                    other => panic!("{name}: {other:?}"),
                };
                assert!((found - expected).abs() < 1e-9, "{name}, leg {number}: {found} {expected}");
            }
        }
    }
}

/// A leg that grows is singular along the first axis of its universal joint.
#[test]
fn serial_of_a_hexapod_is_the_sine_to_its_first_axes() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let Some(model) = robot.engine_model() else { panic!("not of the engine") };
    for state in states(&robot, 20) {
        let serial = robot.singularity(&state).unwrap().serial;
        let skeleton = robot.skeleton(&state).unwrap();
        for (number, leg) in model.legs.iter().enumerate() {
            let legwork::engine::AnyLeg::Ups(leg) = leg else { panic!("no UPS leg") };
            let joints = skeleton.joints(number);
            let cos = cosine(minus(joints[1], joints[0]), leg.first_axis.to_array());
            assert!((serial[number] - (1.0 - cos * cos).sqrt()).abs() < 1e-9);
        }
    }
}

/// The same robot in closed form, through the engine and from tables of legs.
#[test]
fn measures_and_forces_do_not_depend_on_how_a_robot_is_given() {
    let delta = AnyRobot::open("delta-industrial").unwrap();
    let pairs = [
        (delta.clone(), delta.through_the_engine().unwrap()),
        (delta, AnyRobot::open("custom-delta").unwrap()),
        (AnyRobot::open("gough-stewart").unwrap(), AnyRobot::open("custom-gough-stewart").unwrap()),
        (AnyRobot::open("five-bar").unwrap(), AnyRobot::open("custom-five-bar").unwrap()),
    ];
    for (a, b) in pairs {
        for state in states(&a, 20) {
            let (x, y) = (a.singularity(&state).unwrap(), b.singularity(&state).unwrap());
            let mut first = x.serial.clone();
            first.push(x.parallel);
            let mut second = y.serial.clone();
            second.push(y.parallel);
            for (p, q) in first.iter().zip(&second) {
                assert!((p - q).abs() < 1e-9, "{}: {x:?} {y:?}", b.name());
                assert!((0.0..=1.0 + 1e-12).contains(p), "{}: {x:?}", b.name());
            }
            let (x, y) = (a.leg_forces(&state).unwrap(), b.leg_forces(&state).unwrap());
            for (p, q) in x.iter().zip(&y) {
                assert!(
                    (p.axial - q.axial).abs() < 1e-8 * (1.0 + p.axial.abs()),
                    "{}: {x:?} {y:?}",
                    b.name()
                );
            }
        }
    }
}

/// Measures have no unit: a robot forty times as large has the same ones at forty times the distance.
#[test]
fn measures_do_not_change_with_the_size_of_the_robot() {
    let text = BUILT_IN.iter().find(|robot| robot.name == "linuxcnc-hexapod").unwrap().text;
    let open = |text: &str| AnyRobot::new(RobotDescription::parse(text, "robot.toml").unwrap()).unwrap();
    let (small, large) = (open(text), open(&text.replace(" in\"", " m\"")));
    let mut random = Seeded(5);
    let mut compared = 0;
    for _ in 0..20 {
        let state = some_state(&small, &mut random);
        let scaled = PlatformState { position: state.position.map(|x| x / 0.0254), ..state };
        let (Ok(a), Ok(b)) = (small.singularity(&state), large.singularity(&scaled)) else { continue };
        compared += 1;
        let numbers = |s: &legwork::Singularity| [&s.serial[..], &[s.parallel, s.condition]].concat();
        for (p, q) in numbers(&a).iter().zip(numbers(&b)) {
            assert!((p - q).abs() < 1e-9 * p.abs().max(1.0), "{a:?} {b:?}");
        }
    }
    assert!(compared > 10, "{compared}");
}

//! Machines that are not as their file says: every family with other masses and lengths.

use legwork::AnyRobot;
use legwork::description::{BUILT_IN, FamilyData, ModelError};
use legwork::sim::{Efforts, Plant, Run, Simulation};

fn distance(a: &Run, b: &Run) -> f64 {
    let ends = [a, b].map(|run| run.samples.last().unwrap().platform.position);
    ends[0].iter().zip(ends[1]).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// A plant with ten per cent more mass is the robot whose file says so.
#[test]
fn model_error_is_another_file() {
    let error = ModelError { mass: 0.1, length: -0.01, friction: 0.5, motor_inertia: 0.2 };
    for name in ["delta-industrial", "delta-bortoff-b", "gough-stewart", "five-bar", "custom-delta"] {
        let robot = AnyRobot::open(name).unwrap();
        let mut file = robot.description().clone();
        match &mut file.data {
            FamilyData::Delta(d) => {
                let (g, m) = (&mut d.geometry, d.mass.as_mut().unwrap());
                for length in [&mut g.base_radius, &mut g.platform_radius, &mut g.arm, &mut g.forearm] {
                    *length *= 0.99;
                }
                for mass in [&mut m.platform, &mut m.arm, &mut m.forearm, &mut m.elbow] {
                    *mass *= 1.1;
                }
                m.arm_centre *= 0.99;
                m.forearm_centre *= 0.99;
                m.arm_inertia *= 1.1 * 0.99 * 0.99;
                m.forearm_inertia *= 1.1 * 0.99 * 0.99;
                d.motor.rotor_inertia *= 1.2;
                d.motor.gear_inertia *= 1.2;
                d.motor.viscous_friction *= 1.5;
                d.motor.coulomb_friction *= 1.5;
            }
            _ => file = file.with_model_error(&error),
        }
        let other = AnyRobot::new(file).unwrap();
        let start = robot.home();
        let run = |robot: &AnyRobot, plant| {
            Simulation::new(robot, Efforts::Constant(vec![0.0; robot.joints().len()]))
                .starting_at(start)
                .on_plant(plant)
                .lasting(0.05)
                .run()
                .unwrap()
        };
        let (plant, file) =
            (run(&robot, Plant::ideal().with_model_error(error)), run(&other, Plant::ideal()));
        assert!(distance(&plant, &file) < 1e-12, "{name}: {:e}", distance(&plant, &file));
        assert!(distance(&plant, &run(&robot, Plant::ideal())) > 1e-9, "{name}");
    }
    // A model with every mass and inertia k times as heavy needs k times the torque.
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() {
            continue;
        }
        let robot = robot.with_payload(0.0).unwrap();
        let heavy = robot
            .with_model_error(&ModelError { mass: 0.5, motor_inertia: 0.5, length: 0.0, friction: 0.0 })
            .unwrap();
        let torque = |robot: &AnyRobot| {
            let mut state = robot.home();
            for freedom in robot.freedoms() {
                state.acceleration[freedom.component] = 1.0;
                state.twist[freedom.component] = 0.3;
            }
            robot.state(&state).unwrap().dynamics.unwrap().effort
        };
        for (a, b) in torque(&robot).iter().zip(torque(&heavy)) {
            assert!((1.5 * a - b).abs() < 1e-9 * (1.0 + b.abs()), "{}: {a} {b}", built_in.name);
        }
    }
}

/// Twice the lengths, and everything else as it follows: the same robot seen through a glass. Joint
/// rates for a platform twice as fast are the same.
#[test]
fn lengths_scale_every_family() {
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() {
            continue;
        }
        let factor = 1.02;
        let error = ModelError { length: factor - 1.0, ..ModelError::default() };
        let long = robot.with_model_error(&error).unwrap();
        let at = |robot: &AnyRobot, scale: f64| {
            let mut state = AnyRobot::open(built_in.name).unwrap().home();
            state.position = state.position.map(|x| x * scale);
            for freedom in robot.freedoms() {
                state.twist[freedom.component] = if freedom.turns() { 0.2 } else { 0.1 * scale };
            }
            robot.state(&state)
        };
        let (short, long_state) = (at(&robot, 1.0).unwrap(), at(&long, factor).unwrap());
        for (k, joint) in robot.joints().iter().enumerate() {
            let scale = if joint.slides { factor } else { 1.0 };
            let (a, b) = (short.qd[k] * scale, long_state.qd[k]);
            assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{} q{}: {a} {b}", built_in.name, k + 1);
        }
        let (a, b) = (short.dynamics.unwrap(), long_state.dynamics.unwrap());
        let potential = (a.potential_energy * factor - b.potential_energy).abs();
        assert!(potential < 1e-9 * (1.0 + b.potential_energy.abs()), "{}", built_in.name);
    }
}

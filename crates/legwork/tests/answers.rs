//! Each answer of a robot by itself is the one that the whole state has, for every built-in robot.

mod robot_support;

use legwork::AnyRobot;
use legwork::description::BUILT_IN;
use robot_support::{Seeded, some_state};

/// Largest difference over the largest number; NaN counts.
fn apart(found: &[f64], expected: &[f64], floor: f64) -> f64 {
    assert_eq!(found.len(), expected.len());
    let scale = expected.iter().fold(floor, |m: f64, x| if x.abs() > m { x.abs() } else { m });
    let pairs = found.iter().zip(expected).map(|(a, b)| (a - b).abs() / scale);
    pairs.fold(0.0, |m: f64, x| if x > m || x.is_nan() { x } else { m })
}

#[test]
fn each_answer_alone_is_that_of_the_whole_state() {
    for (number, entry) in BUILT_IN.iter().enumerate() {
        let robot = AnyRobot::open(entry.name).unwrap();
        let (motors, freedoms) = (robot.joints().len(), robot.freedoms().len());
        let mut random = Seeded(number as u64);
        let mut seen = 0;
        for _ in 0..60 {
            let at = some_state(&robot, &mut random);
            let Ok(state) = robot.state(&at) else { continue };
            seen += 1;
            assert_eq!(robot.inverse_kinematics(&at).unwrap().q, state.q);
            let motion = robot.joints_from_platform(&at).unwrap();
            assert_eq!((&motion.q, &motion.qd, &motion.qdd), (&state.q, &state.qd, &state.qdd));
            let jacobian = robot.jacobian(&at).unwrap();
            assert_eq!(jacobian, state.jacobian, "{}", entry.name);
            assert_eq!(robot.singularity(&at).unwrap(), state.singularity, "{}", entry.name);
            let back = robot.platform_from_joints(&state.q, &state.qd, &state.qdd, &at).unwrap();
            let off =
                apart(&back.twist, &at.twist, 1.0).max(apart(&back.acceleration, &at.acceleration, 1.0));
            assert!(off < 1e-9 * state.singularity.condition.max(1.0), "{}: {off:e}", entry.name); // rounding
            let Some(d) = state.dynamics else {
                assert!(robot.inverse_dynamics(&at).is_err());
                continue;
            };
            // 1e-12: a hexapod in closed form adds up in another order.
            let efforts = d.motor.iter().chain(&d.gravity).fold(0.0, |m: f64, x| m.max(x.abs()));
            let close = |found: &[f64], expected: &[f64], what: &str| {
                let off = apart(found, expected, 1e-3 * efforts);
                assert!(off < 1e-12 * state.singularity.condition, "{}, {what}: {off:e}", entry.name);
            };
            close(&robot.inverse_dynamics(&at).unwrap(), &d.motor, "inverse dynamics");
            close(&robot.gravity(&at).unwrap(), &d.gravity, "gravity");
            assert_eq!(robot.coriolis(&at).unwrap(), d.coriolis);
            assert_eq!(robot.mass_matrix(&at).unwrap(), d.mass_matrix);
            assert_eq!(robot.platform_mass_matrix(&at).unwrap(), d.platform_mass_matrix);
            let energies = robot.energies(&at).unwrap();
            assert_eq!((energies.kinetic, energies.potential), (d.kinetic_energy, d.potential_energy));
            let axial: Vec<f64> = robot.leg_forces(&at).unwrap().iter().map(|leg| leg.axial).collect();
            let largest = d.leg_force.iter().fold(0.0, |m: f64, x| m.max(x.abs()));
            let off = apart(&axial, &d.leg_force, 1e-3 * largest);
            assert!(off < 1e-11 * state.singularity.condition, "{}: {off:e}", entry.name);
            let forward = robot.forward_dynamics(&at, &d.motor).unwrap();
            let wanted: Vec<f64> = robot.freedoms().iter().map(|f| at.acceleration[f.component]).collect();
            let off = apart(&forward.platform, &wanted, 10.0).max(apart(&forward.joint, &state.qdd, 10.0));
            assert!(off < 1e-9 * state.singularity.condition, "{}: {off:e}", entry.name); // condition of M
            let mut found = at;
            robot.forward_kinematics_into(&state.q, &mut found).unwrap();
            let off = apart(&found.position, &at.position, 1.0);
            assert!(off < 1e-9 * state.singularity.condition, "{}: {off:e}", entry.name);
        }
        assert!(seen > 30, "{}: {seen} states, {motors} motors, {freedoms} freedoms", entry.name);
    }
}

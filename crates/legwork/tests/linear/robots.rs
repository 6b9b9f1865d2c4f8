//! Small motions of every robot: against differences, against the closed form, against the simulation.

use legwork::analysis::linear::{
    Coordinates, DMatrix, LinearError, Reduced, feedback, largest_real_part, order, zeros,
};
use legwork::description::BUILT_IN;
use legwork::sim::{Efforts, Simulation};
use legwork::{AnyRobot, PlatformState, RobotError, rotation_from_roll_pitch_yaw};
use legwork_testkit::{largest, lowest, nan_max};

fn robots() -> impl Iterator<Item = AnyRobot> {
    BUILT_IN.iter().map(|robot| AnyRobot::open(robot.name).unwrap()).filter(AnyRobot::has_masses)
}

/// The pose a step along one freedom away, on the rotation group.
fn moved(pose: &PlatformState, component: usize, step: f64) -> PlatformState {
    let mut next = *pose;
    if component < 3 {
        next.position[component] += step;
        return next;
    }
    let mut angles = [0.0; 3];
    angles[component - 3] = step;
    let turn = rotation_from_roll_pitch_yaw(angles);
    next.rotation = std::array::from_fn(|i| {
        std::array::from_fn(|j| (0..3).map(|k| turn[i][k] * pose.rotation[k][j]).sum())
    });
    next
}

/// f = weight − J⁻ᵀ Γ₀ in platform coordinates, from the values of a state alone.
fn pull(robot: &AnyRobot, pose: &PlatformState, hold: &[f64]) -> Vec<f64> {
    let state = robot.state(pose).unwrap();
    let gravity = state.dynamics.unwrap().gravity;
    let j = DMatrix::from_fn(state.jacobian.len(), gravity.len(), |i, k| state.jacobian[i][k]);
    let rest = DMatrix::from_fn(gravity.len(), 1, |k, _| gravity[k] - hold[k]);
    // Γ = Jᵀ f has the least-squares solution f = (J Jᵀ)⁻¹ J Γ; exact, because Γ is of that form
    ((&j * j.transpose()).lu().solve(&(&j * rest)).unwrap()).iter().copied().collect()
}

#[test]
fn stiffness_is_the_slope_of_the_weight_less_the_holding_efforts() {
    for robot in robots() {
        if robot.joints().len() > robot.freedoms().len() {
            continue; // the smallest efforts of a neighbour are not those that hold here
        }
        // Off home, turned where it can turn: nothing is symmetric there.
        let steps = robot.freedoms().iter().zip([0.013, -0.021, 0.017, 0.11, -0.07, 0.09]);
        let home = steps.fold(robot.home(), |pose, (freedom, step)| moved(&pose, freedom.component, step));
        // Of a mechanism the rest of the pose follows; steps from another pose would be those of another chart.
        let home = robot.whole_pose(&home).unwrap();
        let small = Reduced::within(&robot, &home, Coordinates::Platform).unwrap();
        assert!(small.asymmetry < 1e-8, "{}: {}", robot.name(), small.asymmetry);
        let h = 1e-5;
        let scale = small.stiffness.amax() + 1e-3;
        for (j, freedom) in robot.freedoms().to_vec().iter().enumerate() {
            let side = |step: f64| pull(&robot, &moved(&home, freedom.component, step), &small.hold);
            let (above, below) = (side(h), side(-h));
            for i in 0..above.len() {
                let slope = (above[i] - below[i]) / (2.0 * h);
                // 1e-6: h² times the third derivative, and rounding over h
                let error = (slope - small.stiffness[(i, j)]).abs() / scale;
                assert!(error < 1e-6, "{} K[{i}][{j}]: {slope} {}", robot.name(), small.stiffness[(i, j)]);
            }
        }
    }
}

#[test]
fn mass_and_holding_efforts_are_those_of_the_state() {
    for robot in robots() {
        let home = robot.home();
        let small = Reduced::at(&robot, &home).unwrap();
        let dynamics = robot.state(&home).unwrap().dynamics.unwrap();
        let mass = match small.coordinates {
            Coordinates::Joints => dynamics.mass_matrix,
            Coordinates::Platform => dynamics.platform_mass_matrix,
        };
        for (i, row) in mass.iter().enumerate() {
            for (j, m) in row.iter().enumerate() {
                let error = (m - small.mass[(i, j)]).abs();
                assert!(error < 1e-10 * small.mass.amax(), "{}", robot.name()); // rounding, condition 1e4
            }
        }
        let largest = nan_max(1.0, largest(&small.hold));
        for (a, b) in small.hold.iter().zip(&dynamics.gravity) {
            assert!((a - b).abs() < 1e-10 * largest, "{}: {a} {b}", robot.name());
        }
    }
}

#[test]
fn damping_is_what_viscous_friction_does_to_small_velocities() {
    // Twice the speed less the speed: Coulomb friction cancels, viscous friction stays.
    for name in ["delta-bortoff-a", "custom-delta", "delta-industrial", "linear-delta", "hexa"] {
        let robot = AnyRobot::open(name).unwrap();
        let home = robot.home();
        let small = Reduced::within(&robot, &home, Coordinates::Platform).unwrap();
        for (j, freedom) in robot.freedoms().to_vec().iter().enumerate() {
            let friction = |speed: f64| {
                let mut pose = home;
                pose.twist[freedom.component] = speed;
                let state = robot.state(&pose).unwrap();
                let friction = DMatrix::from_vec(small.hold.len(), 1, state.dynamics.unwrap().friction);
                small.to_joints.transpose() * friction
            };
            let slope = (friction(0.2) - friction(0.1)) / 0.1;
            let error = (slope - small.damping.column(j)).amax();
            assert!(error < 1e-10 * (1.0 + small.damping.amax()), "{name}: {error}"); // rounding
        }
    }
}

#[test]
fn a_delta_through_the_engine_is_the_closed_form() {
    for name in ["delta-bortoff-c", "delta-industrial", "delta-direct-drive"] {
        let robot = AnyRobot::open(name).unwrap();
        let engine = robot.through_the_engine().unwrap();
        let [x, y, z] = robot.home().position;
        let pose = PlatformState::at([x + 0.05, y - 0.03, z + 0.02]);
        let (a, b) = (Reduced::at(&robot, &pose).unwrap(), Reduced::at(&engine, &pose).unwrap());
        for (a, b) in [(&a.mass, &b.mass), (&a.damping, &b.damping), (&a.stiffness, &b.stiffness)] {
            assert!((a - b).amax() <= 1e-11 * a.amax(), "{name}: {a} {b}"); // rounding, condition 30
        }
        let (a, b) = (largest_real_part(&robot, &pose).unwrap(), largest_real_part(&engine, &pose).unwrap());
        assert!((a - b).abs() < 1e-9 * (1.0 + a.abs()), "{name}: {a} {b}");
    }
}

#[test]
fn a_small_swing_in_the_simulation_has_the_frequency_of_the_mode() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let pose = PlatformState::at([0.0, 0.0, -0.45]);
    let small = Reduced::at(&robot, &pose).unwrap();
    let modes = small.modes().unwrap();
    let mode = modes.iter().find(|mode| mode.times == 1).unwrap();
    assert_eq!(mode.words, "the platform moves along z; all motors alike");
    // 10 µm off the pose, held by its efforts: a damped swing about it.
    let start = PlatformState::at([0.0, 0.0, -0.45 + 1e-5]);
    let run = Simulation::new(&robot, Efforts::Constant(small.hold.clone()))
        .starting_at(start)
        .lasting(3.0)
        .sampled_every(1e-3)
        .run()
        .unwrap();
    let heights: Vec<(f64, f64)> =
        run.samples.iter().map(|sample| (sample.time, sample.platform.position[2] + 0.45)).collect();
    // Times at which it passes the pose, by linear interpolation.
    let passes: Vec<f64> = heights
        .windows(2)
        .filter(|two| (two[0].1 < 0.0) != (two[1].1 < 0.0))
        .map(|two| two[0].0 + (two[1].0 - two[0].0) * two[0].1 / (two[0].1 - two[1].1))
        .collect();
    let halves = passes.len() - 1;
    let omega = std::f64::consts::PI * halves as f64 / (passes[halves] - passes[0]);
    // 1e-4: the swing is 1e-5 m of a robot of 0.4 m, and samples are 1 ms apart
    assert!((omega / mode.pole.im - 1.0).abs() < 1e-4, "{omega} {:?}", mode.pole);
    // What one half swing takes off is the damping.
    let peaks: Vec<(f64, f64)> = heights
        .windows(3)
        .filter(|w| w[1].1.abs() > w[0].1.abs() && w[1].1.abs() > w[2].1.abs())
        .map(|w| w[1])
        .collect();
    let (first, last) = (peaks[0], peaks[peaks.len() - 1]);
    let growth = (last.1.abs() / first.1.abs()).ln() / (last.0 - first.0);
    assert!((growth / mode.pole.re - 1.0).abs() < 1e-3, "{growth} {:?}", mode.pole); // peaks to 1 ms
}

#[test]
fn every_robot_is_controllable_has_no_zeros_and_modes_for_all_its_poles() {
    for robot in robots() {
        let small = Reduced::at(&robot, &robot.home()).unwrap();
        let model = small.state_space();
        let n = 2 * small.order();
        assert_eq!(order::controllable(&model).order, n, "{}", robot.name());
        assert_eq!(order::observable(&model).order, n, "{}", robot.name());
        assert!(zeros::invariant_zeros(&model).unwrap().is_empty(), "{}", robot.name());
        let modes = small.modes().unwrap();
        let pairs = |pole: &legwork::analysis::linear::Pole| if pole.im == 0.0 { 1 } else { 2 };
        let total: usize = modes.iter().map(|mode| mode.times * pairs(&mode.pole)).sum();
        assert_eq!(total, n, "{}: {modes:?}", robot.name());
        for mode in &modes {
            for shape in &mode.motors {
                assert!(shape.iter().all(|x| x.abs() <= 1.0 + 1e-9) && shape.iter().any(|x| *x > 0.999));
            }
        }
    }
}

#[test]
fn regulators_solve_their_equations_and_beat_their_neighbours() {
    for robot in robots() {
        let small = Reduced::at(&robot, &robot.home()).unwrap();
        let model = small.state_space();
        let (q, r) = feedback::plain_weights(&model, 1e4, 10.0, 1e-2);
        let found = feedback::lqr(&model, &q, &r).unwrap();
        assert!(found.residual < 1e-9, "{}: {}", robot.name(), found.residual);
        assert!(found.poles[0].re < 0.0, "{}", robot.name());
        // The optimum: any other gain costs more.
        let start: Vec<f64> = (0..model.a.nrows()).map(|k| 1e-2 * (1.0 + k as f64 % 3.0)).collect();
        let best = feedback::cost(&model, &found, &q, &r, &start).unwrap();
        for factor in [0.9, 1.1] {
            let other = feedback::Feedback { gain: &found.gain * factor, ..found.clone() };
            let cost = feedback::cost(&model, &other, &q, &r, &start).unwrap();
            assert!(cost > best, "{}: {cost} {best}", robot.name());
        }
    }
}

#[test]
fn poles_go_where_they_are_wanted() {
    use legwork::analysis::linear::Pole;
    for robot in robots() {
        let small = Reduced::at(&robot, &robot.home()).unwrap();
        let n = small.order();
        let mut wanted: Vec<Pole> = Vec::new();
        for k in 0..n {
            let size = 10.0 + 3.0 * k as f64;
            if k == 0 {
                wanted.extend([-size, -2.0 * size].map(|re| Pole { re, im: 0.0 }));
            } else {
                wanted.extend([size, -size].map(|im| Pole { re: -size, im }));
            }
        }
        let found = feedback::place(&small, &wanted).unwrap();
        for pole in &wanted {
            let nearest = lowest(found.poles.iter().map(|p| p.distance(pole)));
            assert!(
                nearest < 1e-6 * pole.natural_frequency(),
                "{}: {pole:?} {:?}",
                robot.name(),
                found.poles
            );
        }
        wanted[2].im = 1.0;
        assert!(matches!(feedback::place(&small, &wanted), Err(LinearError::Unpaired { .. })) || n == 1);
        assert!(matches!(feedback::place(&small, &wanted[1..]), Err(LinearError::Count { .. })));
    }
}

#[test]
fn what_cannot_be_linearised_says_why() {
    let delta = AnyRobot::open("delta-bortoff-b").unwrap();
    let far = Reduced::at(&delta, &PlatformState::at([0.0, 0.0, -2.0])).unwrap_err();
    assert!(matches!(far, LinearError::Robot(RobotError::Posture(_))), "{far}");
    let nowhere = Reduced::at(&delta, &PlatformState::at([f64::NAN, 0.0, -0.4])).unwrap_err();
    assert!(matches!(nowhere, LinearError::Robot(_)), "{nowhere}");
    let hexapod = AnyRobot::open("gough-stewart").unwrap();
    // Fichter's singularity: the platform turned by 90° about the normal.
    let flat = rotation_from_roll_pitch_yaw([0.0, 0.0, std::f64::consts::FRAC_PI_2]);
    let singular = Reduced::at(&hexapod, &PlatformState::at([0.0, 0.0, 0.8]).turned(flat)).unwrap_err();
    assert!(matches!(singular, LinearError::Robot(RobotError::State(_))), "{singular}");
    let bare = AnyRobot::open("irb360-1600").unwrap();
    let massless = Reduced::at(&bare, &bare.home()).unwrap_err();
    assert!(matches!(massless, LinearError::Robot(RobotError::NoMasses { .. })), "{massless}");
}

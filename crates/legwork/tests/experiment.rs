//! The experiment of [Codourey1998, Sec. 5] through the desk: four regulators, three laws, machines that differ from
//! what the controller knows. The figures were worked out by an independent program under the same conditions.

use legwork::experiment::{Experiment, Motion, Outcome, Scheme, Tuning, around_home, gentle_law, way_points};
use legwork::sim::{Ending, Integrator, ModelError, Plant, Simulation};
use legwork::trajectory::{Geodesic, Law, Line, Path, SemiEllipse, Shape, Turning};
use legwork::{AnyRobot, ForearmModel, M3, PlatformState, V3, rotation_from_roll_pitch_yaw};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

fn delta() -> AnyRobot {
    AnyRobot::open("delta-direct-drive").unwrap()
}

/// All masses and inertias that the controller believes in, larger by this part; forearms lumped.
fn believed(robot: &AnyRobot, part: f64) -> AnyRobot {
    let error = ModelError { mass: part, motor_inertia: part, ..ModelError::default() };
    robot.with_model_error(&error).unwrap().with_forearm_model(ForearmModel::Simplified).unwrap()
}

/// Motors that follow with a lag of 2 ms.
fn lagging() -> Plant {
    Plant::ideal().with_lag(2e-3)
}

fn four(known: f64, plant: Plant, tuning: Tuning) -> Vec<Outcome> {
    let robot = delta();
    let experiment = Experiment::new(&robot, Motion::codourey().unwrap())
        .knowing(believed(&robot, known))
        .on_plant(plant)
        .tuned(tuning);
    let outcomes = experiment.run_all(&Scheme::FOUR).unwrap();
    for outcome in &outcomes {
        assert_eq!((outcome.summary.ending, outcome.fault), (Ending::Completed, None));
    }
    outcomes
}

/// Largest joint errors \[deg\] and platform errors \[mm\] to the printed digits.
fn assert_printed(name: &str, found: &[Outcome], degrees: [f64; 4], millimetres: Option<[f64; 4]>) {
    for (k, outcome) in found.iter().enumerate() {
        let deg = outcome.turning.unwrap().max.to_degrees();
        let mm = outcome.position.max * 1e3;
        // One unit of the last printed digit: how the reference's speed is formed is not printed.
        assert!(
            (deg - degrees[k]).abs() < 1e-3,
            "{name}, {:?}: {deg:.4} deg, printed {}",
            outcome.scheme,
            degrees[k]
        );
        if let Some(printed) = millimetres {
            assert!(
                (mm - printed[k]).abs() < 1e-2,
                "{name}, {:?}: {mm:.3} mm, printed {}",
                outcome.scheme,
                printed[k]
            );
        }
    }
    let falls = found.windows(2).all(|pair| pair[0].turning.unwrap().max > pair[1].turning.unwrap().max);
    assert!(falls, "{name}: 1 > 2 > 3 > 4");
}

#[test]
fn conditions_are_those_of_the_paper() {
    let motion = Motion::codourey().unwrap();
    assert!((motion.length() - 0.29964).abs() < 5e-6 && (motion.duration() - 0.15341).abs() < 5e-6);
    let robot = delta();
    let experiment = Experiment::new(&robot, motion).knowing(believed(&robot, 0.1));
    let applied = experiment.applied(Scheme::Pd).unwrap();
    // Printed with three digits.
    assert!((applied.inertia[0] - 0.0446).abs() < 5e-5, "{applied:?}");
    assert!((applied.proportional[0] - 704.0).abs() < 0.5 && (applied.derivative[0] - 7.85).abs() < 5e-3);
}

#[test]
fn exact_masses() {
    let found = four(0.0, lagging(), Tuning::default());
    assert_printed("exact", &found, [1.977, 0.823, 0.374, 0.146], Some([7.28, 2.51, 1.16, 0.51]));
    let (joint, platform) = found[3].factors(&found[0]);
    // Printed with one decimal.
    assert!((joint - 13.6).abs() < 0.1 && (platform - 14.2).abs() < 0.1, "{joint} {platform}");
    let torques: Vec<f64> = found.iter().filter_map(|outcome| outcome.peak_torque).collect();
    // Printed without a decimal.
    assert!((torques[0] - 30.0).abs() < 0.5 && (torques[3] - 26.0).abs() < 0.5, "{torques:?}");
}

#[test]
fn masses_ten_per_cent_too_large_give_the_factor_of_the_paper() {
    let found = four(0.1, lagging(), Tuning::default());
    assert_printed("+10 %", &found, [1.977, 1.098, 0.450, 0.335], Some([7.28, 3.19, 1.65, 1.21]));
    let (joint, platform) = found[3].factors(&found[0]);
    assert!((joint - 5.9).abs() < 0.05 && (platform - 6.0).abs() < 0.05, "{joint} {platform}");
}

#[test]
fn masses_ten_per_cent_too_small() {
    let found = four(-0.1, lagging(), Tuning::default());
    assert_printed("-10 %", &found, [1.977, 0.548, 0.395, 0.174], None);
}

#[test]
fn friction_that_is_not_modelled() {
    let found = four(0.0, lagging().with_friction(0.2, 0.0), Tuning::default());
    assert_printed("friction", &found, [2.100, 0.918, 0.270, 0.250], Some([7.69, 2.57, 1.21, 1.26]));
}

#[test]
fn payload_that_is_not_modelled() {
    let found = four(0.0, lagging().carrying(0.0, 0.1), Tuning::default());
    assert_printed("payload", &found, [2.155, 0.733, 0.370, 0.167], None);
}

#[test]
fn shorter_lag() {
    let found = four(0.0, Plant::ideal().with_lag(2e-3 / 9.0_f64.ln()), Tuning::default());
    assert_printed("lag", &found, [1.946, 0.794, 0.247, 0.118], None);
}

#[test]
fn mass_matrix_in_series_brings_no_further_gain() {
    let found = four(0.0, lagging(), Tuning { is_decoupled: true, ..Tuning::default() });
    assert_printed("mass matrix in series", &found, [2.583, 1.079, 0.434, 0.176], None);
}

/// The three laws of [Codourey1998, Fig. 8]: as long as each other.
fn laws() -> [Motion; 3] {
    let shapes: [fn(f64, f64) -> Law<f64>; 3] = [
        |length, duration| Law::by_duration(Shape::parabolic(), length, duration).unwrap(),
        |length, duration| Law::by_duration(Shape::sine(), length, duration).unwrap(),
        |length, duration| Law::by_duration(Shape::Sine { rise: 1.0 / 3.0 }, length, duration).unwrap(),
    ];
    shapes.map(|law| {
        let (from, to) = (V3::new(-0.125, 0.0, -0.35), V3::new(0.125, 0.0, -0.35));
        let path = SemiEllipse::new(from, to, V3::along_z(0.06)).unwrap();
        let (length, duration) = (path.length(), (TAU * path.length() / 80.0).sqrt());
        Motion::new(path, law(length, duration))
    })
}

/// What each law gives with one regulator.
fn arrivals(scheme: Scheme, known: f64, hertz: f64) -> Vec<Outcome> {
    let robot = delta();
    laws()
        .into_iter()
        .map(|motion| {
            let tuning = Tuning { frequency: TAU * hertz, ..Tuning::default() };
            let experiment = Experiment::new(&robot, motion)
                .knowing(believed(&robot, known))
                .on_plant(lagging())
                .tuned(tuning);
            experiment.run(scheme).unwrap()
        })
        .collect()
}

fn assert_each(name: &str, found: &[Outcome], get: impl Fn(&Outcome) -> f64, printed: [f64; 3], digit: f64) {
    let list: Vec<f64> = found.iter().map(get).collect();
    for (value, wanted) in list.iter().zip(printed) {
        assert!((value - wanted).abs() < digit, "{name}: {list:?}, printed {printed:?}");
    }
}

#[test]
fn arrival_by_three_laws() {
    let overshoot = |outcome: &Outcome| outcome.arrival.unwrap().overshoot * 1e3;
    let rest = |outcome: &Outcome| outcome.arrival.unwrap().rest * 1e3;
    assert_each("20 Hz", &arrivals(Scheme::Pd, 0.0, 20.0), overshoot, [2.90, 1.52, 0.89], 1e-2);
    assert_each("15 Hz", &arrivals(Scheme::Pd, 0.0, 15.0), overshoot, [4.84, 3.83, 2.32], 1e-2);
    let exact = arrivals(Scheme::ModelShifted, 0.0, 20.0);
    assert_each("rest", &exact, rest, [0.132, 0.095, 0.056], 1e-3);
    assert_each("overshoot", &exact, overshoot, [0.046, 0.003, 0.002], 1e-3);
    assert_each("torque", &exact, |outcome| outcome.peak_torque.unwrap(), [26.7, 25.9, 38.1], 0.1);
    assert_each("on the way", &exact, |outcome| outcome.position.max * 1e3, [0.40, 0.51, 0.67], 1e-2);
    let heavy = arrivals(Scheme::ModelShifted, 0.1, 20.0);
    assert_each("rest, +10 %", &heavy, rest, [0.279, 0.244, 0.150], 1e-3);
    let settling = |outcome: &Outcome| outcome.arrival.unwrap().settling.unwrap() * 1e3;
    assert_each("settling, +10 %", &heavy, settling, [17.0, 10.0, 6.0], 1.0);
}

/// Lines of [NgocKim2010] by a cubic law at 1 m/s on average: torques at start, middle and end, and the largest with
/// rods as they are.
#[test]
fn torques_of_ngoc_and_kim() {
    type Torques = [f64; 3];
    let mm = |x: f64, y: f64, z: f64| V3::new(x, y, z) * 1e-3;
    #[rustfmt::skip]
    let lines: [(V3<f64>, V3<f64>, f64, [Torques; 3], [f64; 2]); 4] = [
        (mm(-50.0, 0.0, -200.0), mm(50.0, 0.0, -200.0), 0.1,
            [[2.0494, -0.4109, -0.4109], [0.1091, 0.0926, 0.0926], [-1.1300, 1.1690, 1.1690]], [2.049, 1.747]),
        (mm(0.0, -50.0, -200.0), mm(0.0, 50.0, -200.0), 0.1,
            [[0.3532, 1.8065, -0.9418], [0.0872, 0.1036, 0.1036], [0.3532, -0.9418, 1.8065]], [1.807, 1.537]),
        (mm(0.0, 0.0, -230.0), mm(0.0, 0.0, -170.0), 0.06,
            [[1.7138; 3], [0.2265; 3], [-1.3628; 3]], [1.714, 1.673]),
        (mm(-40.0, -40.0, -190.0), mm(40.0, 40.0, -220.0), 0.1170,
            [[1.1526, 0.5141, -1.0524], [0.0862, 0.0912, 0.1466], [-0.3450, 0.1749, 1.8427]], [1.843, 1.603]),
    ];
    let rods = AnyRobot::open("delta-ngoc-kim").unwrap();
    let halves = rods.with_forearm_model(ForearmModel::Halves).unwrap();
    for (from, to, duration, printed, largest) in lines {
        let path = Line::new(from, to).unwrap();
        let law = Law::by_average_speed(Shape::Cubic, path.length(), 1.0).unwrap();
        assert!((law.duration() - duration).abs() < 5e-5);
        let motion = Motion::new(path, law);
        let torques = |robot: &AnyRobot, share: f64| {
            let wanted = motion.at(law.duration() * share);
            let place = PlatformState::at(wanted.pose.position.to_array())
                .moving(wanted.twist.linear.to_array(), wanted.acceleration.linear.to_array());
            robot.state(&place).unwrap().dynamics.unwrap().motor
        };
        for (share, printed) in [0.0, 0.5, 1.0].into_iter().zip(printed) {
            let found = torques(&halves, share);
            // Their angle grows upwards, ours downwards; one unit of the last printed digit.
            let close = found.iter().zip(printed).all(|(a, b)| (a + b).abs() < 1e-4);
            assert!(close, "{share}: {found:?}, printed {printed:?}");
        }
        for (robot, printed) in [&halves, &rods].into_iter().zip(largest) {
            let all = (0..=1000).flat_map(|k| torques(robot, f64::from(k) / 1000.0));
            let found = all.fold(0.0_f64, |most, torque| most.max(torque.abs()));
            assert!((found - printed).abs() < 1e-3, "{found}, printed {printed}");
        }
    }
}

/// The same four regulators with six sliding axes and a platform that turns.
fn hexapod(known: f64, lag: f64) -> Vec<Outcome> {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let (from, to) = (V3::new(-0.125, 0.0, 0.8), V3::new(0.125, 0.0, 0.8));
    let path = SemiEllipse::new(from, to, V3::along_z(0.06)).unwrap();
    let pitch = |degrees: f64| {
        let [x, y, z] = rotation_from_roll_pitch_yaw([0.0, degrees.to_radians(), 0.0]).map(V3::from);
        M3::from_rows(x, y, z)
    };
    let orientation = Geodesic::new(pitch(-10.0), pitch(10.0)).unwrap();
    let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 20.0).unwrap();
    let error = ModelError { mass: known, motor_inertia: known, ..ModelError::default() };
    let experiment = Experiment::new(&robot, Motion::new(Turning { path, orientation }, law))
        .knowing(robot.with_model_error(&error).unwrap())
        .on_plant(Plant::ideal().with_lag(lag));
    experiment.run_all(&Scheme::FOUR).unwrap()
}

#[test]
fn on_a_hexapod_the_order_is_the_same_but_a_constant_inertia_turns_the_platform() {
    let exact = hexapod(0.0, 2e-3);
    let off = hexapod(0.1, 2e-3);
    let sizes = |all: &[Outcome]| all.iter().map(|outcome| outcome.sliding.unwrap().max).collect::<Vec<_>>();
    for all in [&exact, &off] {
        assert!(
            all.iter().all(|outcome| outcome.fault.is_none() && outcome.summary.ending == Ending::Completed)
        );
        assert!(sizes(all).windows(2).all(|pair| pair[0] > pair[1]), "{:?}", sizes(all));
        // One inertia for each leg cannot know that the legs share a platform.
        let turned: Vec<f64> = all.iter().map(|outcome| outcome.orientation.unwrap().max).collect();
        assert!(turned[1] > 2.0 * turned[0] && turned[3] < turned[0] / 5.0, "{turned:?}");
    }
    // The figures of the book.
    let (joint, platform) = exact[3].factors(&exact[0]);
    assert!(joint > 60.0 && platform > 60.0, "{joint} {platform}");
    let (joint, platform) = off[3].factors(&off[0]);
    assert!((joint - 10.0).abs() < 1.0 && (platform - 10.0).abs() < 1.0, "{joint} {platform}");
}

/// With the weight carried and no feedback every pose is an equilibrium: motors at rest are at rest, wherever they are.
#[test]
fn gravity_compensation_alone_leaves_three_poles_at_zero() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let home = robot.home();
    let state = robot.state(&home).unwrap();
    // Motor accelerations at q, q̇ under u_g(q).
    let accelerations = |q: &[f64], qd: &[f64]| {
        let place = robot.platform_from_joints(q, qd, &[0.0; 3], &home).unwrap();
        let rest = PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], ..place };
        let weight = robot.state(&rest).unwrap().dynamics.unwrap().gravity;
        robot.forward_dynamics(&place, &weight).unwrap().joint
    };
    let step = 1e-4;
    let moved = |list: &[f64], k: usize, by: f64| {
        let mut moved = list.to_vec();
        moved[k] += by;
        moved
    };
    let still = [0.0; 3];
    let mut damping = [[0.0; 3]; 3];
    for k in 0..3 {
        for side in [step, -step] {
            // ∂q̈/∂q = 0: three poles at zero.
            let found = accelerations(&moved(&state.q, k, side), &still);
            // u_g is the model's own: what is left is rounding of some 10 rad/s² of weight.
            assert!(found.iter().all(|a| a.abs() < 1e-11), "{found:?}");
        }
        let (up, down) = (
            accelerations(&state.q, &moved(&still, k, step)),
            accelerations(&state.q, &moved(&still, k, -step)),
        );
        for i in 0..3 {
            damping[i][k] = (up[i] - down[i]) / (2.0 * step);
        }
    }
    // The other three are those of ∂q̈/∂q̇ = −M⁻¹D, damped: its trace is their sum and it has no zero.
    let trace: f64 = (0..3).map(|k| damping[k][k]).sum();
    let [a, b, c] = damping.map(V3::from);
    let determinant = a.dot(b.cross(c));
    assert!(trace < -0.1 && determinant < -1e-3, "{trace} {determinant}");
}

#[test]
fn gravity_compensation_with_pd_holds_every_pose_of_a_grid() {
    let robot = delta();
    for k in 0..27_i32 {
        let offset = |place: i32| f64::from(k / place % 3 - 1);
        let at = V3::new(0.1 * offset(1), 0.1 * offset(3), -0.33 + 0.08 * offset(9));
        // A motion of a hundredth of a micrometre is a pose to hold.
        let path = Line::new(at, at + V3::along_z(1e-8)).unwrap();
        let law = Law::by_duration(Shape::Cubic, path.length(), 0.01).unwrap();
        let push = [8.0, -5.0, 12.0, 0.0, 0.0, 0.0];
        let experiment = Experiment::new(&robot, Motion::new(path, law))
            .tuned(Tuning { is_balanced: false, ..Tuning::default() })
            .on_plant(Plant::ideal().pushed(0.0, 0.02, push))
            .settling_for(0.15);
        let outcome = experiment.run(Scheme::Gravity).unwrap();
        assert_eq!((outcome.summary.ending, outcome.fault), (Ending::Completed, None));
        let mut last = f64::NAN;
        experiment
            .run_each(Scheme::Gravity, |seen| {
                last = seen.position_error;
                ControlFlow::Continue(())
            })
            .unwrap();
        // Pushed away by more than a tenth of a millimetre, back to less than a micrometre after 12 time constants.
        assert!(outcome.position.max > 1e-4 && last < 1e-6, "{at:?}: {} {last}", outcome.position.max);
    }
}

/// ë + 2ζω ė + ω² e = 0 from a start beside the path, every 3 µs with tachometers and motors that do what they are told.
#[test]
fn feedback_linearisation_makes_the_plate_follow_its_target_model() {
    let robot = delta();
    let period = 3e-6;
    let experiment = Experiment::new(&robot, Motion::codourey().unwrap())
        .tuned(Tuning { takes_differences: false, ..Tuning::default() })
        .controlled_every(period);
    let (omega, zeta) = (TAU * 20.0, 0.7);
    let beside = [1e-3, -0.5e-3, 0.8e-3];
    let mut start = PlatformState::at(experiment.motion().at(0.0).pose.position.to_array());
    start.position.iter_mut().zip(beside).for_each(|(x, by)| *x += by);
    let mut controller = experiment.controller(Scheme::Platform).unwrap();
    let mut worst = 0.0_f64;
    let simulation = Simulation::controlled(&robot, &mut controller)
        .on_plant(Plant::ideal().with_tachometers())
        .starting_at(start)
        .lasting(0.16)
        .sampled_every(1e-3)
        .integrated_by(Integrator::Rk4 { step: period });
    let summary = simulation
        .run_each(|sample| {
            // e(t) of the target model from e(0) = e₀, ė(0) = 0; a hold delays by half a sample.
            let t = sample.time;
            let (decay, damped) = ((-zeta * omega * t).exp(), omega * (1.0 - zeta * zeta).sqrt());
            let (sin, cos) = (damped * t).sin_cos();
            let shape = decay * (cos + zeta * omega / damped * sin);
            let wanted = experiment.motion().at(t).pose.position.to_array();
            for k in 0..3 {
                worst = worst.max((sample.platform.position[k] - wanted[k] - beside[k] * shape).abs());
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    assert_eq!(summary.ending, Ending::Completed);
    drop(simulation);
    assert_eq!(controller.fault(), None);
    // What the hold leaves, in proportion to the period: 1.2e-5 m every 50 µs.
    assert!(worst < 1e-6, "{worst:e}");
}

#[test]
fn the_same_run_gives_the_same_bits() {
    let robot = delta();
    let experiment = Experiment::new(&robot, Motion::codourey().unwrap().there_and_back(0.01, 2))
        .on_plant(lagging().with_encoder(1e-5).with_noise(1e-6));
    let bits = || {
        let mut bits = Vec::new();
        let outcome = experiment.run_each(Scheme::ModelShifted, |seen| {
            bits.extend(seen.sample.command.iter().chain(seen.error).map(|x| x.to_bits()));
            ControlFlow::Continue(())
        });
        (bits, outcome.unwrap())
    };
    assert_eq!(bits(), bits());
}

/// Path, law and gains of a robot that nobody has tuned.
fn assert_follows_its_default_path(name: &str) {
    let robot = AnyRobot::open(name).unwrap();
    let path = around_home(&robot).unwrap_or_else(|error| panic!("{name}: {error}"));
    let law = gentle_law(&robot, &path).unwrap();
    let experiment = Experiment::new(&robot, Motion::new(path, law)).on_plant(lagging()).settling_for(0.02);
    let experiment = experiment.calmed().unwrap();
    let run = |scheme| {
        let outcome = experiment.run(scheme).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((outcome.summary.ending, outcome.fault), (Ending::Completed, None), "{name}");
        outcome
    };
    let (first, last) = (run(Scheme::Pd), run(Scheme::ModelShifted));
    let (joint, platform) = last.factors(&first);
    assert!(joint > 1.0 && platform > 1.0, "{name}: {joint} {platform}");
}

/// Turning and sliding motors, a plane, a Delta of another convention, more coupling than 20 Hz can bear.
#[test]
fn robots_of_many_kinds_follow_their_default_path() {
    for name in ["five-bar", "linear-delta", "linuxcnc-rotary-delta", "space-table1"] {
        if AnyRobot::open(name).unwrap().has_masses() {
            assert_follows_its_default_path(name);
        }
    }
}

#[test]
#[ignore = "half a minute without optimisation: ./ci.sh test runs it"]
fn every_built_in_robot_follows_its_default_path() {
    let mut count = 0;
    for built_in in legwork::description::BUILT_IN {
        if AnyRobot::open(built_in.name).unwrap().has_masses() {
            assert_follows_its_default_path(built_in.name);
            count += 1;
        }
    }
    assert!(count >= 10, "{count}");
}

#[test]
fn what_cannot_be_done_is_refused_with_its_numbers() {
    let robot = delta();
    let motion = || Motion::codourey().unwrap();
    let refused = |experiment: Experiment<'_>| experiment.run(Scheme::Model).unwrap_err().to_string();
    let far = Line::new(V3::new(0.0, 0.0, -0.4), V3::new(0.0, 0.0, -2.0)).unwrap();
    let law = Law::by_duration(Shape::Cubic, 1.6, 1.0).unwrap();
    assert!(
        refused(Experiment::new(&robot, Motion::new(far, law))).contains("leaves the robot's reach after")
    );
    let other = AnyRobot::open("gough-stewart").unwrap();
    assert!(refused(Experiment::new(&robot, motion()).knowing(other)).contains("6 motors; this one has 3"));
    let tuned = |tuning| refused(Experiment::new(&robot, motion()).tuned(tuning));
    let usual = Tuning::default;
    assert!(tuned(Tuning { frequency: f64::NAN, ..usual() }).contains("frequency is NaN"));
    assert!(tuned(Tuning { shift: -1.0, ..usual() }).contains("shift is -1"));
    assert!(
        tuned(Tuning { proportional: Some(vec![1.0; 2]), ..usual() }).contains("3 numbers expected, 2 given")
    );
    assert!(tuned(Tuning { derivative: Some(vec![-1.0]), ..usual() }).contains("-1"));
    assert!(
        refused(Experiment::new(&robot, motion()).controlled_every(0.0))
            .contains("period of the controller is 0")
    );
    assert!(way_points(&[V3::zero()], None).unwrap_err().to_string().contains("2 to 10"));
    // A shift of more samples than a regulator remembers.
    let long = Experiment::new(&robot, motion()).tuned(Tuning { shift: 0.1, ..usual() });
    assert!(long.run(Scheme::ModelShifted).unwrap_err().to_string().contains("`shift` is 100; at most"));
}

/// A motor that has caught up with its command stands: what a clock rounds away is not chased in ever smaller steps.
#[test]
fn a_limit_of_the_rate_costs_one_corner_per_sample() {
    let robot = delta();
    let experiment =
        Experiment::new(&robot, Motion::codourey().unwrap()).on_plant(lagging().with_rate_limit(1e4));
    let outcome = experiment.run(Scheme::Pd).unwrap();
    assert_eq!(outcome.summary.ending, Ending::Completed);
    // 254 samples of two steps, each cut at most once more by each of three motors.
    assert!(outcome.summary.statistics.steps < 254 * 5, "{:?}", outcome.summary.statistics);
}

/// A motor that meets its stop on the way: the supervisor holds, the caller sees why.
#[test]
fn a_lost_reference_becomes_a_safe_command_and_a_fault() {
    let robot = delta();
    let experiment = Experiment::new(&robot, Motion::codourey().unwrap())
        .on_plant(lagging().with_effort_limit(2.0))
        .settling_for(0.05);
    let outcome = experiment.run(Scheme::Pd).unwrap();
    assert!(outcome.fault.is_some() || outcome.turning.unwrap().max > 0.2, "{outcome:?}");
}

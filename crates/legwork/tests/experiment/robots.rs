//! Closed loops beyond Codourey's: six axes, gravity compensation, feedback linearisation, robots that nobody has
//! tuned, and what is refused.

use legwork::description::RobotDescription;
use legwork::experiment::{
    ControllerKind, Experiment, Outcome, ReferenceMotion, TimedPath, Tuning, around_home, gentle_law,
    way_points,
};
use legwork::sim::{
    ControlFault, Ending, Integrator, Measured, ModelError, Plant, SampledController, Simulation,
};
use legwork::task::{FollowRequest, FollowResult, Handle, TaskError};
use legwork::trajectory::{Geodesic, Law, Line, Path, SemiEllipse, Shape, Turning};
use legwork::{AnyRobot, M3, PlatformState, V3, rotation_from_roll_pitch_yaw};
use legwork_testkit::{nan_max, nan_min};
use std::f64::consts::TAU;
use std::ops::ControlFlow;

fn delta() -> AnyRobot {
    AnyRobot::open("delta-direct-drive").unwrap()
}

/// Motors that follow with a lag of 2 ms.
fn lagging() -> Plant {
    Plant::ideal().with_lag(2e-3)
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
    let experiment = Experiment::new(&robot, TimedPath::new(Turning { path, orientation }, law))
        .with_controller_model(robot.with_model_error(&error).unwrap())
        .on_plant(Plant::ideal().with_lag(lag));
    experiment.run_all(&ControllerKind::FOUR).unwrap()
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
    // Column by column.
    let mut damping = [[0.0; 3]; 3];
    for (k, column) in damping.iter_mut().enumerate() {
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
        for (slot, (up, down)) in column.iter_mut().zip(up.iter().zip(&down)) {
            *slot = (up - down) / (2.0 * step);
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
        let experiment = Experiment::new(&robot, TimedPath::new(path, law))
            .tuned(Tuning { is_balanced: false, ..Tuning::default() })
            .on_plant(Plant::ideal().pushed(0.0, 0.02, push))
            .settling_for(0.15);
        let outcome = experiment.run(ControllerKind::Gravity).unwrap();
        assert_eq!((outcome.summary.ending, outcome.fault), (Ending::Completed, None));
        let mut last = f64::NAN;
        experiment
            .run_each(ControllerKind::Gravity, |seen| {
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
    let experiment = Experiment::new(&robot, TimedPath::codourey().unwrap())
        .tuned(Tuning { takes_differences: false, ..Tuning::default() })
        .controlled_every(period);
    let (omega, zeta) = (TAU * 20.0, 0.7);
    let beside = [1e-3, -0.5e-3, 0.8e-3];
    let mut start = PlatformState::at(experiment.motion().at(0.0).pose.position.to_array());
    start.position.iter_mut().zip(beside).for_each(|(x, by)| *x += by);
    let mut controller = experiment.controller(ControllerKind::Platform).unwrap();
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
                worst = nan_max(worst, (sample.platform.position[k] - wanted[k] - beside[k] * shape).abs());
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
    let experiment = Experiment::new(&robot, TimedPath::codourey().unwrap().there_and_back(0.01, 2))
        .on_plant(lagging().with_encoder(1e-5).with_noise(1e-6));
    let bits = || {
        let mut bits = Vec::new();
        let outcome = experiment.run_each(ControllerKind::ModelShifted, |seen| {
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
    let experiment =
        Experiment::new(&robot, TimedPath::new(path, law)).on_plant(lagging()).settling_for(0.02);
    let experiment = experiment.with_detuned_gains().unwrap();
    let run = |kind| {
        let outcome = experiment.run(kind).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!((outcome.summary.ending, outcome.fault), (Ending::Completed, None), "{name}");
        outcome
    };
    let (first, last) = (run(ControllerKind::Pd), run(ControllerKind::ModelShifted));
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
    let motion = || TimedPath::codourey().unwrap();
    let refused = |experiment: Experiment<'_>| experiment.run(ControllerKind::Model).unwrap_err().to_string();
    let far = Line::new(V3::new(0.0, 0.0, -0.4), V3::new(0.0, 0.0, -2.0)).unwrap();
    let law = Law::by_duration(Shape::Cubic, 1.6, 1.0).unwrap();
    assert!(
        refused(Experiment::new(&robot, TimedPath::new(far, law))).contains("leaves the robot's reach after")
    );
    let other = AnyRobot::open("gough-stewart").unwrap();
    assert!(
        refused(Experiment::new(&robot, motion()).with_controller_model(other))
            .contains("6 motors; this one has 3")
    );
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
    assert!(
        long.run(ControllerKind::ModelShifted).unwrap_err().to_string().contains("`shift` is 100; at most")
    );
}

/// A motor that has caught up with its command stands: what a clock rounds away is not chased in ever smaller steps.
#[test]
fn a_limit_of_the_rate_costs_one_corner_per_sample() {
    let robot = delta();
    let experiment =
        Experiment::new(&robot, TimedPath::codourey().unwrap()).on_plant(lagging().with_rate_limit(1e4));
    let outcome = experiment.run(ControllerKind::Pd).unwrap();
    assert_eq!(outcome.summary.ending, Ending::Completed);
    // 254 samples of two steps, each cut at most once more by each of three motors.
    assert!(outcome.summary.statistics.steps < 254 * 5, "{:?}", outcome.summary.statistics);
}

/// A motor that meets its stop on the way: the supervisor holds, the caller sees why.
#[test]
fn a_lost_reference_becomes_a_safe_command_and_a_fault() {
    let robot = delta();
    let experiment = Experiment::new(&robot, TimedPath::codourey().unwrap())
        .on_plant(lagging().with_effort_limit(2.0))
        .settling_for(0.05);
    let outcome = experiment.run(ControllerKind::Pd).unwrap();
    assert!(outcome.fault.is_some() || outcome.turning.unwrap().max > 0.2, "{outcome:?}");
}

/// The industrial Delta with a largest speed of its motors, at the joints \[rad/s\].
fn limited_to(speed: f64) -> AnyRobot {
    let text = RobotDescription::built_in("delta-industrial").unwrap().text.unwrap();
    let text = text.replace("[motor]", &format!("[motor]\nmax_speed = {speed}"));
    AnyRobot::new(RobotDescription::parse(&text, "limited.toml").unwrap()).unwrap()
}

/// 300 mm across in 0.25 s: the motors of the industrial Delta reach some 8 rad/s.
fn quick_move() -> TimedPath {
    let (from, to) = (V3::new(-0.15, 0.0, -0.8), V3::new(0.15, 0.0, -0.8));
    let path = SemiEllipse::new(from, to, V3::along_z(0.06)).unwrap();
    let law = Law::by_duration(Shape::sine(), path.length(), 0.25).unwrap();
    TimedPath::new(path, law)
}

fn fastest_motor(robot: &AnyRobot, motion: &TimedPath) -> f64 {
    (0..=200).fold(0.0, |most, k| {
        let place = motion.platform(motion.duration() * f64::from(k) / 200.0);
        let speeds = robot.joints_from_platform(&place).unwrap().qd;
        nan_max(most, legwork_testkit::largest(speeds))
    })
}

/// A speed that the file allows is not stopped because of a coarse encoder, noise or overshoot; one beyond it is refused
/// before anything moves, with its numbers.
#[test]
fn the_supervisor_lets_legal_motions_pass_and_refuses_others_first() {
    let motion = quick_move();
    let peak = fastest_motor(&limited_to(1e3), &motion);
    let robot = limited_to(peak * 1.001);
    let machine = Plant::ideal().with_lag(2e-3).with_encoder(0.1_f64.to_radians()).with_noise(1e-4);
    let experiment = Experiment::new(&robot, motion).on_plant(machine);
    for kind in [ControllerKind::Pd, ControllerKind::Model, ControllerKind::Gravity] {
        let outcome = experiment.run(kind).unwrap();
        assert!(
            outcome.is_whole(),
            "{kind:?}: {:?}",
            outcome.fault.map(|(time, fault)| format!("{time}: {fault}"))
        );
    }
    let slow = limited_to(peak * 0.8);
    let error = Experiment::new(&slow, quick_move()).run(ControllerKind::Pd).unwrap_err();
    let legwork::experiment::ExperimentError::TooFast { speed, most, fits_in, .. } = error else {
        panic!("{error}")
    };
    assert!((speed.abs() - peak).abs() < 1e-9 && most == peak * 0.8, "{error}");
    // Speeds go with one over the time.
    assert!((fits_in - 0.25 / 0.8).abs() < 1e-9, "{error}");
    assert!(error.to_string().contains("rad/s after"), "{error}");

    // The same of motors that are not driven so fast, whatever the file allows.
    let weak = Plant::ideal().with_speed_limit(peak * 0.5);
    let error = Experiment::new(&robot, quick_move()).on_plant(weak).run(ControllerKind::Pd).unwrap_err();
    let legwork::experiment::ExperimentError::TooFast { most, of_plant: true, .. } = error else {
        panic!("{error}")
    };
    assert!(most == peak * 0.5, "{error}");
}

/// Gains that make the loop unstable: the supervisor takes over, and stops the robot with gains of its own, also where it is
/// faster by then than its motors may be.
#[test]
fn a_loop_that_is_unstable_is_brought_to_rest() {
    let motion = quick_move();
    let robot = limited_to(1.1 * fastest_motor(&limited_to(1e3), &motion));
    for (frequency, damping) in [(40.0, 0.7), (60.0, 0.7), (60.0, 0.2)] {
        let tuning = Tuning { frequency: TAU * frequency, damping, ..Tuning::default() };
        let experiment = Experiment::new(&robot, quick_move())
            .on_plant(Plant::ideal().with_lag(2e-3))
            .settling_for(0.4)
            .tuned(tuning);
        let mut last = f64::NAN;
        let outcome = experiment
            .run_each(ControllerKind::Pd, |seen| {
                last = seen.platform.twist.iter().map(|v| v * v).sum::<f64>().sqrt();
                ControlFlow::Continue(())
            })
            .unwrap();
        assert!(outcome.fault.is_some(), "{frequency} Hz is beyond the edge");
        assert!(
            matches!(outcome.summary.ending, Ending::Completed),
            "{frequency}: {:?}",
            outcome.summary.ending
        );
        // At rest: a thousandth of the largest speed.
        assert!(last < 2e-3, "{frequency} Hz, {damping}: {last} m/s at the end");
    }
}

/// A controller whose encoders fail on the way: a reading that is none, once, or none at all from then on.
struct Failing<'a> {
    inner: legwork::experiment::Controller<'a>,
    from: f64,
    for_good: bool,
    done: bool,
}

impl SampledController for Failing<'_> {
    fn period(&self) -> f64 {
        self.inner.period()
    }
    fn reset(&mut self) {
        self.inner.reset();
    }
    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) -> Result<(), ControlFault> {
        let fails = seen.time >= self.from && (self.for_good || !self.done);
        self.done |= fails;
        let nothing = vec![f64::NAN; seen.q.len()];
        let q = if fails { nothing.as_slice() } else { seen.q };
        self.inner.sample(&Measured { q, ..*seen }, command)
    }
}

/// Encoders fail when the platform is fastest: it comes to rest near its path, with no more effort than the motion itself
/// takes, and no nearer to a singularity than half of what the path itself keeps.
#[test]
fn a_safe_stop_is_safe_on_robots_of_many_kinds() {
    for name in ["delta-industrial", "delta-direct-drive", "linear-delta", "five-bar", "gough-stewart"] {
        for for_good in [false, true] {
            let robot = AnyRobot::open(name).unwrap();
            let path = around_home(&robot).unwrap();
            let law = gentle_law(&robot, &path).unwrap();
            let motion = TimedPath::new(path, law);
            let (duration, length) = (motion.duration(), motion.length());
            let mut clearance = f64::INFINITY;
            let mut effort: f64 = 0.0;
            for k in 0..=100 {
                let place = motion.platform(duration * f64::from(k) / 100.0);
                clearance = nan_min(clearance, robot.singularity(&place).unwrap().parallel.abs());
                effort = nan_max(effort, legwork_testkit::largest(robot.inverse_dynamics(&place).unwrap()));
            }
            let experiment =
                Experiment::new(&robot, motion).on_plant(lagging()).with_detuned_gains().unwrap();
            let inner = experiment.controller(ControllerKind::Model).unwrap();
            let mut controller = Failing { inner, from: 0.5 * duration, for_good, done: false };
            let run = Simulation::controlled(&robot, &mut controller)
                .on_plant(lagging())
                .starting_at(experiment.motion().platform(0.0))
                .lasting(duration + 0.3)
                .sampled_every(1e-3)
                .run()
                .unwrap();
            let what = format!("{name}, {for_good}");
            assert_eq!(run.summary.ending, Ending::Completed, "{what}");
            assert!(controller.inner.fault().is_some(), "{what}");
            let speeds = run.samples.iter().filter(|sample| sample.time > 0.5 * duration);
            let speeds: Vec<f64> =
                speeds.map(|sample| legwork_testkit::largest(sample.platform.twist)).collect();
            // Blind, the motors do what the model says: what lag and tracking error left over is not corrected, and a
            // platform on legs that push falls over in the end. It is slow when brakes would hold it.
            let (left, speed) = if for_good {
                (0.25, legwork_testkit::lowest(&speeds))
            } else {
                (0.02, *speeds.last().unwrap())
            };
            let fastest = length / duration;
            assert!(speed < left * fastest, "{what}: {speed} of {fastest} m/s");
            for sample in run.samples.iter() {
                let near = robot.singularity(&sample.platform).unwrap().parallel.abs();
                assert!(near > 0.5 * clearance, "{what}: {near} of {clearance} at {} s", sample.time);
                let most = legwork_testkit::largest(sample.effort);
                assert!(most < 1.3 * effort, "{what}: {most} of {effort} at {} s", sample.time);
            }
        }
    }
}

fn followed(request: &str) -> Result<FollowResult, TaskError> {
    let request: FollowRequest = toml::from_str(request).unwrap();
    request.run(&Handle::none())
}

/// [Bortoff2018, Fig. 4] is a PID with gravity compensation: the integral takes away what an unknown load leaves over.
#[test]
fn an_integral_acts_beside_the_gravity_compensation() {
    let with = |more: &str| {
        let asked = format!(
            "robot = 'delta-industrial'\nsettle = '1 s'\n\
             controller = {{ regulators = ['gravity'], known_payload = 0, no_bias = true, frequency = 6{more} }}"
        );
        followed(&asked).unwrap().regulators[0].clone()
    };
    let (pd, pid) = (with(""), with(", ki = 2000"));
    assert!(pd.fault.is_none() && pid.fault.is_none(), "{pd:?} {pid:?}");
    // Within a tenth of a millimetre at the end, or not.
    let (settled, late) = (pid.arrival.unwrap().settling, pd.arrival.unwrap().settling);
    assert!(settled.is_some() && late.is_none(), "{settled:?} {late:?}");
    let nobody = followed("controller = { regulators = ['pd'], ki = 100 }").unwrap_err();
    assert!(nobody.to_string().contains("no regulator here has an integral"), "{nobody}");
    assert!(nobody.hint().unwrap().contains("gravity"), "{nobody}");
}

/// References come sample by sample: a shift between two of them is refused, with both neighbours.
#[test]
fn a_shift_is_a_whole_number_of_samples() {
    let error = followed("controller = { regulators = ['model-shifted'], shift = '0.4 ms' }").unwrap_err();
    assert!(error.to_string().contains("a shift of 0.4 ms is 0.4 samples of 1 ms"), "{error}");
    assert!(error.hint().unwrap().contains("0 ms or 1 ms"), "{:?}", error.hint());
    let fine = "controller = { regulators = ['model-shifted'], shift = '0.4 ms', period = '0.4 ms' }";
    assert!(followed(fine).unwrap().regulators[0].fault.is_none());
    // What is not given is rounded to the samples, as the request says.
    assert!(followed("controller = { regulators = ['model-shifted'], period = '0.3 ms' }").is_ok());
}

/// A controller that takes every mass for a tenth larger takes the payload for a tenth larger.
#[test]
fn an_error_of_the_masses_is_one_of_the_payload_too() {
    let controller = "controller = { regulators = ['model'], known_error = { mass = 0.1 }";
    let both = followed(&format!("robot = 'delta-industrial'\n{controller} }}")).unwrap();
    assert!(
        both.controller_knows.iter().any(|phrase| phrase.contains("1.1 kg")),
        "{:?}",
        both.controller_knows
    );
    let told = format!("robot = 'delta-industrial'\n{controller}, known_payload = 1 }}");
    let told = followed(&told).unwrap();
    assert!(
        told.controller_knows.iter().all(|phrase| !phrase.contains("1.1 kg")),
        "{:?}",
        told.controller_knows
    );
    // More is wrong, so the error is larger.
    let error = |result: &FollowResult| result.regulators[0].position_error.max;
    assert!(error(&both) > 1.05 * error(&told), "{} {}", error(&both), error(&told));
}

//! Margins of sampled loops against closed forms, other people's numbers and the full simulation; the shift T_m against a
//! sweep of simulations; PID against PD.

use legwork::analysis::linear::{Coordinates, Reduced};
use legwork::analysis::tuning::{Advice, LoopMargins, SampledLoop, WANTED_PHASE, best_shift};
use legwork::description::{BUILT_IN, RobotDescription};
use legwork::experiment::{
    ControllerKind, Experiment, ReferenceMotion, TimedPath, Tuning, around_home, gentle_law,
};
use legwork::sim::{Delay, Plant};
use legwork::task::{ControllerRequest, FollowRequest, FollowResult, Frequency, Handle, RobotRequest};
use legwork::trajectory::{Law, Line, Shape};
use legwork::{AnyRobot, V3};
use legwork_testkit::{nan_max, nan_min};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use std::ops::ControlFlow;

/// A robot with its usual path, slow enough for anything.
fn usual(robot: &AnyRobot) -> TimedPath {
    let path = around_home(robot).unwrap();
    let law = gentle_law(robot, &path).unwrap();
    TimedPath::new(path, law)
}

/// The smallest and the largest inertia of the modes of the motors, half-way.
fn modes(robot: &AnyRobot, motion: &TimedPath) -> [f64; 2] {
    let mass = Reduced::within(robot, &motion.middle(), Coordinates::Joints).unwrap().mass;
    let all = mass.symmetric_eigenvalues();
    [all.min(), all.max()]
}

/// The built-in five-bar, lying: it has neither weight nor friction.
fn lying() -> AnyRobot {
    let built_in = BUILT_IN.iter().find(|robot| robot.name == "five-bar").unwrap();
    let text = format!("gravity = 0\n{}", built_in.text);
    AnyRobot::new(RobotDescription::parse(&text, "lying.toml").unwrap()).unwrap()
}

/// A five-bar that lies has neither weight nor friction: its modes are masses alone. With K_p = 0, hold and backward
/// difference give L = −j K_d T cot(θ/2) e^{−jθ(1+d)}/(2m) at θ = ωT, whose margins are on paper.
#[test]
fn a_velocity_loop_has_the_margins_of_its_closed_form() {
    let robot = lying();
    let motion = usual(&robot);
    let [mass, _] = modes(&robot, &motion);
    for period in [1e-3, 2.5e-4] {
        for late in [0_u32, 1, 3] {
            let kd = 0.2 * mass / period;
            let tuning =
                Tuning { proportional: Some(vec![0.0]), derivative: Some(vec![kd]), ..Tuning::default() };
            let experiment = Experiment::new(&robot, usual(&robot))
                .tuned(tuning)
                .controlled_every(period)
                .on_plant(Plant::ideal().with_delay(Delay::Samples(late)));
            let found = LoopMargins::of(&experiment, ControllerKind::Pd).unwrap();
            let delay = f64::from(late) + 1.0;
            let gain = found.gain_up.unwrap();
            // −90° − θ(1+d) = −180°
            let theta = FRAC_PI_2 / delay;
            let expected = 2.0 * mass / (kd * period) * (0.5 * theta).tan();
            // 1e-9: forty halvings of a step of three per cent.
            assert!((gain.factor - expected).abs() < 1e-9 * expected, "{gain:?} {expected}");
            assert!((gain.frequency * period - theta).abs() < 1e-9 * theta);
            let phase = found.phase.unwrap();
            let crossover = 2.0 * (kd * period / (2.0 * mass)).atan();
            let expected = FRAC_PI_2 - delay * crossover;
            assert!((phase.margin - expected).abs() < 1e-9, "{phase:?} {expected}");
            assert!((phase.crossover * period - crossover).abs() < 1e-9);
        }
    }
}

/// L(e^{jθ}) of PID with a backward difference, a hold and 1/(m s² (τs + 1)), from the z-transform of its step response
/// t²/2 − τt + τ²(1 − e^{−t/τ}): real and imaginary part.
fn lagged(theta: f64, mass: f64, lag: f64, period: f64, [kp, ki, kd]: [f64; 3]) -> [f64; 2] {
    type C = [f64; 2];
    let mul = |a: C, b: C| [a[0] * b[0] - a[1] * b[1], a[0] * b[1] + a[1] * b[0]];
    let div = |a: C, b: C| {
        let size = b[0] * b[0] + b[1] * b[1];
        mul(a, [b[0] / size, -b[1] / size])
    };
    let add = |a: C, b: C| [a[0] + b[0], a[1] + b[1]];
    let times = |a: C, x: f64| [a[0] * x, a[1] * x];
    let z: C = [theta.cos(), theta.sin()];
    let less = |x: f64| add(z, [-x, 0.0]);
    let one = less(1.0);
    // (1 − 1/z) Z{·} of t²/2, t, 1 and e^{−t/τ}
    let square = times(div(add(z, [1.0, 0.0]), mul(one, one)), 0.5 * period * period);
    let ramp = div([period, 0.0], one);
    let decay = div(one, less((-period / lag).exp()));
    let tail = times(add([1.0, 0.0], times(decay, -1.0)), lag * lag);
    let plant = times(add(add(square, times(ramp, -lag)), tail), 1.0 / mass);
    let law = add(add([kp, 0.0], times(div(one, z), kd / period)), div([ki * period, 0.0], one));
    mul(law, plant)
}

/// Margins of one mass, read from a fine sweep of the closed form above: (phase, gain up, gain down).
fn read_off(mass: f64, lag: f64, period: f64, gains: [f64; 3]) -> (f64, f64, f64) {
    let (mut phase, mut up, mut down) = (f64::INFINITY, f64::INFINITY, 0.0_f64);
    let mut before = [f64::INFINITY, 0.0];
    let count = 400_000;
    for k in 1..count {
        let now = lagged(PI * (f64::from(k) / f64::from(count)).powi(2), mass, lag, period, gains);
        let size = |x: [f64; 2]| x[0].hypot(x[1]);
        if (size(before) < 1.0) != (size(now) < 1.0) {
            phase = nan_min(phase, (-now[1]).atan2(-now[0]).abs());
        }
        if (before[1] < 0.0) != (now[1] < 0.0) && now[0] < 0.0 && before[0].is_finite() {
            let factor = -1.0 / now[0];
            if factor > 1.0 {
                up = nan_min(up, factor);
            } else {
                down = nan_max(down, factor);
            }
        }
        before = now;
    }
    (phase, up, down)
}

#[test]
fn a_lagged_loop_of_two_masses_has_the_smaller_margins_of_both() {
    let robot = lying();
    let motion = usual(&robot);
    let masses = modes(&robot, &motion);
    for (hertz, lag, period) in [(20.0, 2e-3, 1e-3), (8.0, 5e-3, 2e-3), (60.0, 1e-4, 2.5e-4)] {
        let omega = TAU * hertz;
        let mean = masses[1];
        let gains = [mean * omega * omega, 0.3 * mean * omega.powi(3), 1.4 * mean * omega];
        let [kp, ki, kd] = gains.map(|gain| Some(vec![gain]));
        let tuning = Tuning { proportional: kp, integral: ki, derivative: kd, ..Tuning::default() };
        let experiment = Experiment::new(&robot, usual(&robot))
            .tuned(tuning)
            .controlled_every(period)
            .on_plant(Plant::ideal().with_lag(lag));
        let found = LoopMargins::of(&experiment, ControllerKind::Pid).unwrap();
        let both = masses.map(|mass| read_off(mass, lag, period, gains));
        let phase = nan_min(both[0].0, both[1].0);
        let (up, down) = (nan_min(both[0].1, both[1].1), nan_max(both[0].2, both[1].2));
        // 2e-4: the step of the sweep.
        assert!((found.phase.unwrap().margin - phase).abs() < 2e-4, "{found:?} {phase}");
        assert!((found.gain_up.unwrap().factor - up).abs() < 2e-4 * up, "{found:?} {up}");
        assert!((found.gain_down.unwrap().factor - down).abs() < 2e-4 * down, "{found:?} {down}");
    }
}

/// How much a state of the loop grows over some seconds with its gains times a factor.
fn growth(sampled: &SampledLoop, factor: f64) -> f64 {
    let mut step = sampled.closed(factor);
    // Squared again and again: 2¹⁶ samples.
    let mut scale = 0.0;
    for _ in 0..16 {
        step = &step * &step;
        let size = step.amax();
        scale = 2.0 * scale + size.ln();
        step /= size;
    }
    scale / f64::from(1 << 16)
}

/// The gain margin is the edge of the sampled loop itself: two per cent to either side it decays and grows. Robots that
/// turn and slide, with a payload of friction, late encoders and tachometers, under every kind of law.
#[test]
fn two_per_cent_beyond_the_gain_margin_the_loop_grows() {
    let kinds = [
        ControllerKind::Pd,
        ControllerKind::Pid,
        ControllerKind::Gravity,
        ControllerKind::ComputedTorque,
        ControllerKind::Platform,
    ];
    let (mut judged, mut edges) = (0, 0);
    for name in
        ["delta-direct-drive", "gough-stewart", "linear-delta", "five-bar", "hexaglide", "delta-four-axis"]
    {
        let robot = AnyRobot::open(name).unwrap();
        for plant in [
            Plant::ideal().with_lag(2e-3),
            Plant::ideal().with_lag(1e-3).with_friction(0.1, 0.0).with_delay(Delay::Time(1.4e-3)),
            Plant::ideal().with_delay(Delay::Samples(1)).with_tachometers(),
        ] {
            let experiment =
                Experiment::new(&robot, usual(&robot)).on_plant(plant).with_detuned_gains().unwrap();
            for kind in kinds {
                let sampled = SampledLoop::of(&experiment, kind).unwrap();
                let found = LoopMargins::of_loop(&sampled).unwrap();
                let what = format!("{name} {kind:?} {found:?}");
                assert_eq!(found.is_stable(), growth(&sampled, 1.0) < 0.0, "{what}");
                judged += 1;
                if !found.is_stable() {
                    continue;
                }
                for (edge, beyond) in [(found.gain_up, 1.02), (found.gain_down, 1.0 / 1.02)] {
                    let Some(edge) = edge else { continue };
                    edges += 1;
                    assert!(growth(&sampled, edge.factor * beyond) > 0.0, "{what} {edge:?}");
                    assert!(growth(&sampled, edge.factor / beyond) < 0.0, "{what} {edge:?}");
                    // Nothing else happens on the way there.
                    let way = (1..20).map(|k| (edge.factor / beyond).powf(f64::from(k) / 20.0));
                    assert!(way.into_iter().all(|factor| growth(&sampled, factor) < 0.0), "{what} {edge:?}");
                }
            }
        }
    }
    assert!(judged == 90 && edges > 90, "{judged} loops, {edges} edges");
}

/// How much larger the errors of a Delta are late after a push than early, with its gains times a factor: in the full
/// simulation, which is not linear.
fn late_over_early(factor: f64) -> f64 {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let path = Line::new(V3::new(0.0, 0.0, -0.35), V3::new(1e-6, 0.0, -0.35)).unwrap();
    let law = Law::by_duration(Shape::Quintic, 1e-6, 0.05).unwrap();
    // A push along all axes, so small that the robot stays linear.
    let plant = Plant::ideal().with_lag(2e-3).pushed(0.06, 0.07, [0.02, 0.01, 0.02, 0.0, 0.0, 0.0]);
    let experiment = Experiment::new(&robot, TimedPath::new(path, law)).on_plant(plant).settling_for(1.0);
    let gains = experiment.resolved_gains(ControllerKind::Pd).unwrap();
    let times = |list: &[f64]| Some(list.iter().map(|gain| gain * factor).collect::<Vec<_>>());
    let tuning = Tuning {
        proportional: times(&gains.proportional),
        derivative: times(&gains.derivative),
        ..Tuning::default()
    };
    let experiment = experiment.tuned(tuning);
    let (mut early, mut late) = (0.0, 0.0);
    let outcome = experiment.run_each(ControllerKind::Pd, |seen| {
        let size = seen.error.iter().fold(0.0, |most, e| nan_max(most, e.abs()));
        if (0.3..0.4).contains(&seen.sample.time) {
            early = nan_max(early, size);
        } else if seen.sample.time > 0.9 {
            late = nan_max(late, size);
        }
        ControlFlow::Continue(())
    });
    assert!(outcome.unwrap().fault.is_none(), "still small");
    late / early
}

#[test]
fn two_per_cent_beyond_the_gain_margin_a_simulated_delta_grows() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let path = Line::new(V3::new(0.0, 0.0, -0.35), V3::new(1e-6, 0.0, -0.35)).unwrap();
    let law = Law::by_duration(Shape::Quintic, 1e-6, 0.05).unwrap();
    let experiment =
        Experiment::new(&robot, TimedPath::new(path, law)).on_plant(Plant::ideal().with_lag(2e-3));
    let edge = LoopMargins::of(&experiment, ControllerKind::Pd).unwrap().gain_up.unwrap().factor;
    let (below, above) = (late_over_early(0.98 * edge), late_over_early(1.02 * edge));
    assert!(below < 0.8 && above > 1.25, "{below} {above} at {edge}");
}

/// A request that is run without files.
fn follow(request: &FollowRequest) -> (FollowResult, Vec<String>) {
    let notes = std::sync::Mutex::new(Vec::new());
    let take = |text: &str| notes.lock().unwrap().push(text.to_owned());
    let result = request.run(&Handle::none().with_notes(&take)).unwrap();
    let notes = notes.lock().unwrap().clone();
    (result, notes)
}

fn asked(robot: &str, regulators: &[ControllerKind], hertz: Option<f64>) -> FollowRequest {
    FollowRequest {
        robot: RobotRequest::named(robot),
        controller: ControllerRequest {
            regulators: regulators.to_vec(),
            frequency: hertz.map(Frequency),
            ..ControllerRequest::default()
        },
        ..FollowRequest::default()
    }
}

#[test]
fn a_loop_that_will_be_unstable_is_told_before_it_runs() {
    // Twice the frequency of the paper is beyond the edge.
    let request = asked("delta-direct-drive", &[ControllerKind::Pd], Some(60.0));
    let (result, notes) = follow(&request);
    let margins = result.regulators[0].margins.as_ref().unwrap();
    assert!(!margins.stable && margins.pole_radius > 1.0, "{margins:?}");
    assert!(result.regulators[0].fault.is_some(), "and it was");
    let [note] = notes.as_slice() else { panic!("{notes:?}") };
    assert!(note.starts_with("the loop of pd will be unstable"), "{note}");
    // The frequency that it names has the phase it promises, and a tenth more has not.
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let experiment = Experiment::new(&robot, TimedPath::codourey().unwrap())
        .on_plant(Plant::ideal().with_lag(2e-3))
        .tuned(Tuning { frequency: TAU * 60.0, ..Tuning::default() });
    let margins = LoopMargins::of(&experiment, ControllerKind::Pd).unwrap();
    let advice = Advice::about(&experiment, ControllerKind::Pd, &margins).unwrap().unwrap();
    let phase = |hertz: f64| {
        let tuning = Tuning { frequency: TAU * hertz, ..Tuning::default() };
        let other = Experiment::new(&robot, TimedPath::codourey().unwrap())
            .on_plant(Plant::ideal().with_lag(2e-3))
            .tuned(tuning);
        LoopMargins::of(&other, ControllerKind::Pd).unwrap().phase.unwrap().margin.to_degrees()
    };
    let better = advice.better_frequency.unwrap();
    assert!(phase(better) >= WANTED_PHASE && phase(1.1 * better) < WANTED_PHASE, "{better}");
    assert!(
        note.contains(&format!("gains of {better:.1} Hz have a phase margin of 45 deg")),
        "{note} {better}"
    );
    // A good loop is not talked about.
    let (result, notes) = follow(&asked("delta-direct-drive", &[ControllerKind::Pd], Some(10.0)));
    assert!(notes.is_empty() && result.regulators[0].margins.as_ref().unwrap().stable, "{notes:?}");
}

/// The shift that is found is within one sample of the best of a sweep of full simulations, by the rms and by the
/// largest error of the motors, and never worse than a sample away.
#[test]
fn the_best_shift_is_that_of_a_sweep_of_simulations() {
    for (name, lag, period) in [
        ("delta-direct-drive", 2e-3, 1e-3),
        ("delta-direct-drive", 3.2e-3, 5e-4),
        ("gough-stewart", 2e-3, 1e-3),
        ("gough-stewart", 0.0, 1e-3),
        ("linear-delta", 4e-3, 1e-3),
    ] {
        let robot = AnyRobot::open(name).unwrap();
        let experiment = |shift: f64| {
            Experiment::new(&robot, usual(&robot))
                .on_plant(Plant::ideal().with_lag(lag))
                .controlled_every(period)
                .with_detuned_gains()
                .map(|made| {
                    let tuning = Tuning { shift, ..made.tuning().clone() };
                    made.tuned(tuning)
                })
                .unwrap()
        };
        let found = best_shift(&experiment(0.0)).unwrap() / period;
        assert!((found - found.round()).abs() < 1e-9, "{name}: {found}");
        let errors: Vec<[f64; 2]> = (0..=9)
            .map(|samples| {
                let outcome =
                    experiment(f64::from(samples) * period).run(ControllerKind::ModelShifted).unwrap();
                assert!(outcome.is_whole());
                let spread = outcome.turning.or(outcome.sliding).unwrap();
                [spread.rms, spread.max]
            })
            .collect();
        for which in 0..2 {
            let best =
                (0..errors.len()).min_by(|a, b| errors[*a][which].total_cmp(&errors[*b][which])).unwrap();
            assert!((found - best as f64).abs() < 1.5, "{name} lag {lag}: {found}, {best} of {errors:?}");
        }
    }
}

/// By how much PID of a robot is worse than PD, relative: the worst of rms and largest errors of motors and platform.
fn pid_beyond_pd(name: &str) -> f64 {
    let (result, _) = follow(&asked(name, &[ControllerKind::Pd, ControllerKind::Pid], None));
    let [pd, pid] = result.regulators.as_slice() else { panic!("{name}") };
    assert!(pd.fault.is_none() && pid.fault.is_none(), "{name}: {:?} {:?}", pd.fault, pid.fault);
    let errors = [
        (pd.turning_error, pid.turning_error),
        (pd.sliding_error, pid.sliding_error),
        (Some(pd.position_error), Some(pid.position_error)),
        (pd.orientation_error, pid.orientation_error),
    ];
    let beyond = errors.into_iter().filter_map(|(pd, pid)| pd.zip(pid)).flat_map(|(pd, pid)| {
        // 1e-12 rad or m: a difference that is rounding.
        [(pid.max - pd.max - 1e-12) / pd.max, (pid.rms - pd.rms - 1e-12) / pd.rms]
    });
    beyond.fold(f64::NEG_INFINITY, nan_max)
}

/// 1e-6: what is left of the swinging after the motion when the integral begins.
const NOT_WORSE: f64 = 1e-6;

#[test]
fn pid_is_not_worse_than_pd() {
    for name in ["delta-direct-drive", "five-bar", "linear-delta"] {
        let beyond = pid_beyond_pd(name);
        assert!(beyond <= NOT_WORSE, "{name}: {beyond}");
    }
}

#[test]
#[ignore = "every built-in robot: minutes without optimisation"]
fn pid_of_no_built_in_robot_is_worse_than_pd() {
    let mut judged = 0;
    for built_in in BUILT_IN {
        let name = built_in.name;
        let robot = AnyRobot::open(name).unwrap();
        if robot.state(&robot.home()).unwrap().dynamics.is_none() {
            continue;
        }
        let beyond = pid_beyond_pd(name);
        println!("{name} {beyond:.2e}");
        assert!(beyond <= NOT_WORSE, "{name}: {beyond}");
        judged += 1;
    }
    assert!(judged > 10, "{judged}");
}

/// A Delta with a shaft as bodies and joints, whose family knows which motor turns the tool, has the family's gains.
#[test]
fn unlike_motors_have_gains_of_their_own() {
    let gains = |name: &str| {
        let robot = AnyRobot::open(name).unwrap();
        // The same path for both: about the home of the mechanism.
        let motion = usual(&AnyRobot::open("delta-cardan").unwrap());
        Experiment::new(&robot, motion).resolved_gains(ControllerKind::Pd).unwrap()
    };
    let (family, mechanism) = (gains("delta-four-axis"), gains("delta-cardan"));
    assert_eq!(mechanism.proportional.len(), 4);
    for (a, b) in family.proportional.iter().zip(&mechanism.proportional) {
        // 1e-9: closing the loops of the mechanism.
        assert!((a - b).abs() <= 1e-9 * a, "{family:?} {mechanism:?}");
    }
}

/// Where the robot rests, the integral takes away what the weight leaves of PD's error.
#[test]
fn pid_takes_the_weight_away_where_the_robot_rests() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let path = Line::new(V3::new(0.0, 0.0, -0.4), V3::new(0.0, 0.0, -0.3)).unwrap();
    let law = Law::by_duration(Shape::Quintic, 0.1, 0.2).unwrap();
    let last_error = |kind| {
        let experiment = Experiment::new(&robot, TimedPath::new(path, law))
            .on_plant(Plant::ideal().with_lag(2e-3))
            .settling_for(1.0);
        let mut last = f64::NAN;
        let outcome = experiment.run_each(kind, |seen| {
            last = seen.position_error;
            ControlFlow::Continue(())
        });
        assert!(outcome.unwrap().is_whole());
        last
    };
    let (pd, pid) = (last_error(ControllerKind::Pd), last_error(ControllerKind::Pid));
    assert!(pd > 1e-5 && pid < pd / 100.0, "{pd} {pid}");
}

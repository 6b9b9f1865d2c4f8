//! Regressors, base parameters and estimates, judged by robots whose parameters are known.
#![allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // counts of rows

mod book;

use legwork::description::{ModelError, RobotDescription};
use legwork::random::Random;
use legwork::task::Handle;
use legwork::{AnyRobot, PlatformState};
use legwork_identify::dynamics::identify::Prediction;
use legwork_identify::dynamics::{
    BaseParameters, Identification, Lag, Log, Logs, Regressor, Settings, identify, random_states, robot_text,
};
use legwork_testkit::highest;

/// Robots of every kind: closed form, legs, the plane, bodies and joints.
const ROBOTS: [&str; 5] =
    ["delta-industrial", "gough-stewart", "five-bar", "planar-3rrr", "bodies of five-bar"];

/// Inertial base parameters, equal legs once.
const COUNTS: [(&str, usize); 5] = [
    ("delta-industrial", 4),
    ("gough-stewart", 22 + 1),
    ("five-bar", 4),
    ("planar-3rrr", 7),
    ("bodies of five-bar", 11),
];

fn without_payload(name: &str) -> AnyRobot {
    let robot = AnyRobot::open(name.trim_start_matches("bodies of ")).unwrap().with_payload(0.0).unwrap();
    if name.starts_with("bodies of ") { robot.with_separate_legs().unwrap() } else { robot }
}

/// A robot whose parameters nobody was told: bodies a little different, friction and offset of each motor its own.
fn hidden(robot: &AnyRobot, seed: u64) -> AnyRobot {
    let regressor = Regressor::new(robot).unwrap();
    let parameters = regressor.parameters();
    let mut random = Random::new(seed);
    let weight = 9.81 * robot.description().data.moving_mass() * robot.length();
    let mut factor = 1.0;
    let mut part = None;
    let values: Vec<f64> = parameters
        .list
        .iter()
        .map(|parameter| {
            use legwork_identify::dynamics::parameters::{MotorNumber, Place};
            match parameter.place {
                // All numbers of a body by one factor: it can still exist.
                Place::Part { part: of, .. } => {
                    if part != Some(of) {
                        (part, factor) = (Some(of), random.uniform(0.85, 1.2));
                    }
                    parameter.value * factor
                }
                Place::Motor { number: MotorNumber::Inertia, .. } => {
                    parameter.value * random.uniform(0.9, 1.1)
                }
                Place::Motor { number: MotorNumber::Offset, .. } => 0.01 * weight * random.uniform(-1.0, 1.0),
                Place::Motor { .. } => 0.02 * weight * random.uniform(0.5, 1.5),
            }
        })
        .collect();
    parameters.robot(&values).unwrap()
}

/// A log of a robot along sums of sines, with noise, lag and steps of encoders.
struct Recorded {
    duration: f64,
    rate: f64,
    /// Noise of efforts as a part of their mean square.
    noise: f64,
    lag: f64,
    /// Steps of encoders \[rad, or parts of the robot's length\].
    step: f64,
    seed: u64,
}

impl Recorded {
    fn log(&self, machine: &AnyRobot, size: f64) -> Log {
        let mut random = Random::new(self.seed);
        let motors = machine.joints().len();
        let home = machine.home();
        let rest = machine.inverse_kinematics(&home).unwrap().q;
        let scale = |k: usize| if machine.joints()[k].slides { machine.length() } else { 1.0 };
        let base = std::f64::consts::TAU * 0.4;
        let waves: Vec<Vec<[f64; 2]>> = (0..motors)
            .map(|k| (1..=5).map(|_| [(); 2].map(|()| size * scale(k) * random.uniform(-1.0, 1.0))).collect())
            .collect();
        let count = (self.duration * self.rate) as usize;
        let mut log = Log { q: vec![Vec::new(); motors], effort: vec![Vec::new(); motors], ..Log::default() };
        let mut near = home;
        let mut robot = machine.clone();
        for row in 0..count {
            let t = row as f64 / self.rate;
            let (mut q, mut qd, mut qdd) = (rest.clone(), vec![0.0; motors], vec![0.0; motors]);
            for k in 0..motors {
                for (n, [a, b]) in waves[k].iter().enumerate() {
                    let w = base * (n + 1) as f64 * 0.5;
                    let (s, c) = (w * t).sin_cos();
                    q[k] += (a * s + b * (c - 1.0)) / (n + 1) as f64;
                    qd[k] += (a * c - b * s) * w / (n + 1) as f64;
                    qdd[k] -= (a * s + b * c) * w * w / (n + 1) as f64;
                }
            }
            let state = robot.platform_from_joints(&q, &qd, &qdd, &near).unwrap();
            near = PlatformState::at(state.position).turned(state.rotation);
            if robot.is_followed() && row % 50 == 0 {
                robot = robot.led_to(&near).unwrap();
            }
            let effort = robot.inverse_dynamics(&state).unwrap();
            log.time.push(t);
            for k in 0..motors {
                let step = self.step * scale(k);
                log.q[k].push(if step > 0.0 { (q[k] / step).round() * step } else { q[k] });
                log.effort[k].push(effort[k]);
            }
        }
        let step = 1.0 / self.rate;
        for list in &mut log.effort {
            // What was told is what was given and T times its rate.
            let given = list.clone();
            for k in 1..count - 1 {
                list[k] = given[k] + self.lag * (given[k + 1] - given[k - 1]) / (2.0 * step);
            }
            let size = (given.iter().map(|x| x * x).sum::<f64>() / count as f64).sqrt();
            for x in list.iter_mut() {
                *x += self.noise * size * random.normal();
            }
        }
        log
    }
}

fn identified(robot: &AnyRobot, logs: &Logs) -> Identification {
    identify(robot, logs, &Settings::default(), &Handle::none()).unwrap()
}

#[test]
fn regressor_times_parameters_is_the_inverse_dynamics() {
    for name in ROBOTS {
        let robot = without_payload(name);
        let regressor = Regressor::new(&robot).unwrap();
        let values = regressor.parameters().values();
        for state in random_states(&robot, 5, 7).unwrap() {
            let rows = regressor.rows(&state).unwrap();
            let effort = robot.inverse_dynamics(&state).unwrap();
            let size = effort.iter().fold(0.0, |size: f64, x| size + x.abs());
            for (known, effort) in rows.known.iter().zip(&effort) {
                // 1e-11: rounding of some fifty differences; nothing but the parameters makes efforts here.
                assert!(known.abs() < 1e-11 * size, "{name}: {known} of {effort}");
            }
            // And for other values than those that the columns were made with.
            let other = hidden(&robot, 3);
            let others = Regressor::new(&other).unwrap().parameters().values();
            let wanted = other.inverse_dynamics(&state).unwrap();
            for (found, wanted) in rows.columns.times(&others).iter().zip(&wanted) {
                assert!((found - wanted).abs() < 1e-10 * size, "{name}: {found} {wanted}");
            }
            assert_eq!(values.len(), rows.columns.count());
        }
    }
}

#[test]
fn base_parameters_are_counted() {
    for name in ROBOTS {
        let robot = without_payload(name);
        let regressor = Regressor::new(&robot).unwrap();
        let base = BaseParameters::of(&regressor, 1).unwrap();
        println!(
            "{name}: {} of {} gap {:?}\n  {:?}\n  none: {:?}",
            base.count(),
            regressor.parameters().list.len(),
            base.gap,
            base.names(regressor.parameters()),
            base.without_effect
        );
        assert!(base.gap[0] > 1e6 * base.gap[1], "{name}: {:?}", base.gap);
        // By ci/peers/base_parameters.py in maximal coordinates; friction and offset of each motor are one more each, and the
        // inertia of the slides of a hexapod is told apart from its rods by their weight.
        let (_, inertial) = COUNTS.into_iter().find(|(of, _)| *of == name).unwrap();
        assert_eq!(base.count(), inertial + 3 * robot.joints().len(), "{name}");
        // The combinations are exact: other parameters with the same base values need the same efforts.
        let other = BaseParameters::of(&regressor, 2).unwrap();
        assert_eq!(base.independent, other.independent, "{name}");
        let values = regressor.parameters().values();
        for (a, b) in base.values(&values).iter().zip(other.values(&values)) {
            assert!((a - b).abs() < 1e-6 * (1.0 + a.abs()), "{name}: {a} {b}");
        }
    }
}

fn check(name: &str, size: f64, recorded: &Recorded, trials: u64) -> (usize, usize, Vec<Prediction>, usize) {
    let robot = without_payload(name);
    let (mut inside, mut all, mut unseen, mut lags) = (0, 0, Vec::new(), 0);
    for seed in 0..trials {
        let machine = hidden(&robot, 100 + seed);
        let log = Recorded { seed: 1000 + seed, ..*recorded }.log(&machine, size);
        let other = Recorded { seed: 2000 + seed, duration: 5.0, ..*recorded }.log(&machine, size);
        let logs = Logs { used: vec![log], unseen: vec![other], loaded: Vec::new() };
        let found = identified(&robot, &logs);
        let regressor = Regressor::new(&robot).unwrap();
        let base = BaseParameters::of(&regressor, 0).unwrap();
        let truth = base.values(&Regressor::new(&machine).unwrap().parameters().values());
        for (value, truth) in found.base.iter().zip(truth) {
            let Some(sigma) = value.sigma else { continue };
            all += 1;
            inside += usize::from((value.value - truth).abs() <= 3.0 * sigma);
            println!("  {name} {}: {:.5} ± {sigma:.5}, true {truth:.5}", value.name, value.value);
        }
        println!(
            "{name}: lag {:?}, condition {:.0}, rows {}, cut {:.1}, correlation {:.2}, fit {:?}, unseen {:?}",
            found.lag,
            found.condition,
            found.rows,
            found.cut_off,
            found.correlation,
            found.fit.relative(),
            found.validation[0].relative()
        );
        lags += usize::from((found.lag.0 - recorded.lag).abs() <= 3.0 * found.lag.1.unwrap());
        unseen.extend(found.validation);
    }
    println!("{name}: {inside} of {all} within 3 sigma");
    (inside, all, unseen, lags)
}

/// Robots with the size of their motion \[rad or parts of their length\].
const MOVED: [(&str, f64); 5] = [
    ("delta-industrial", 0.15),
    ("gough-stewart", 0.02),
    ("five-bar", 0.1),
    ("planar-3rrr", 0.025),
    ("bodies of five-bar", 0.1),
];

#[test]
fn a_clean_log_gives_the_parameters_back() {
    let clean = Recorded { duration: 10.0, rate: 500.0, noise: 0.0, lag: 0.0, step: 0.0, seed: 0 };
    let robot = without_payload("delta-industrial");
    let machine = hidden(&robot, 5);
    let logs = Logs { used: vec![clean.log(&machine, 0.15)], ..Logs::default() };
    let settings = Settings { lag: Lag::Known(0.0), ..Settings::default() };
    let found = identify(&robot, &logs, &settings, &Handle::none()).unwrap();
    let truth = Regressor::new(&machine).unwrap().parameters().values();
    let base = BaseParameters::of(&Regressor::new(&robot).unwrap(), 0).unwrap();
    for (value, truth) in found.base.iter().zip(base.values(&truth)) {
        // 2e-3: what the filter takes from dry friction where it changes its sign.
        let off = (value.value - truth).abs();
        assert!(off <= 2e-3 * (truth.abs() + 0.1), "{}: {} {truth}", value.name, value.value);
    }
    assert!(found.fit.relative()[1] < 1e-3, "{:?}", found.fit.relative());
}

#[test]
fn noisy_logs_give_parameters_within_their_deviations() {
    let noisy = Recorded { duration: 10.0, rate: 500.0, noise: 0.01, lag: 2e-3, step: 1e-5, seed: 0 };
    let (mut inside, mut all) = (0, 0);
    for (name, size) in [MOVED[0], MOVED[2]] {
        let (i, n, unseen, lags) = check(name, size, &noisy, 2);
        assert_eq!(lags, 2, "{name}");
        (inside, all) = (inside + i, all + n);
        for prediction in unseen {
            let [before, after] = prediction.relative();
            assert!(after < 0.02 && after < 0.5 * before, "{name}: {before} {after}");
        }
    }
    assert!(inside * 100 >= all * 95, "{inside} of {all}");
}

#[test]
#[ignore = "minutes: the whole campaign of coverage"]
fn coverage_of_all_robots() {
    let noisy = Recorded { duration: 12.0, rate: 500.0, noise: 0.01, lag: 2e-3, step: 1e-5, seed: 0 };
    let mut lines = vec![
        "| robot | trials | base parameters within 3 σ | lag within 3 σ | largest error on unseen motion |"
            .to_owned(),
        "|---|---|---|---|---|".to_owned(),
    ];
    for (name, size) in MOVED {
        let trials = if name == "delta-industrial" { 100 } else { 10 };
        let (inside, all, unseen, lags) = check(name, size, &noisy, trials);
        assert!(inside * 100 >= all * 95, "{name}: {inside} of {all}");
        let worst = highest(unseen.iter().map(|prediction| prediction.relative()[1]));
        assert!(worst < 0.02, "{name}: {worst}");
        let (share, error) = (100.0 * inside as f64 / all as f64, 100.0 * worst);
        let lag = 100.0 * lags as f64 / trials as f64;
        assert!(lag >= 90.0, "{name}: {lag}");
        lines.push(format!(
            "| {name} | {trials} | {share:.1} % of {all} | {lag:.0} % | {error:.2} % of the effort |"
        ));
    }
    book::table("identify.md", "coverage", &lines);
}

#[test]
fn a_payload_is_the_difference_of_two_logs() {
    let noisy = Recorded { duration: 10.0, rate: 500.0, noise: 0.01, lag: 2e-3, step: 1e-5, seed: 4 };
    let robot = without_payload("delta-industrial");
    let machine = hidden(&robot, 11);
    let carrying = machine.with_payload(0.35).unwrap();
    let logs = Logs {
        used: vec![noisy.log(&machine, 0.15)],
        loaded: vec![Recorded { seed: 9, ..noisy }.log(&carrying, 0.15)],
        ..Logs::default()
    };
    let found = identified(&robot, &logs);
    let payload = found.payloads[0];
    assert!((payload.mass - 0.35).abs() < 3.0 * payload.sigma, "{payload:?}");
    assert!(payload.sigma < 0.02, "{payload:?}");
}

#[test]
fn what_was_found_is_read_back_from_its_file() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let machine = hidden(&robot, 21);
    let clean = Recorded { duration: 8.0, rate: 500.0, noise: 0.005, lag: 0.0, step: 0.0, seed: 3 };
    let logs = Logs { used: vec![clean.log(&machine, 0.15)], ..Logs::default() };
    let found = identified(&robot, &logs);
    let text = robot_text(&robot, &robot, &found, &["run.csv".into()]).unwrap();
    let read = RobotDescription::parse(&text, "identified.toml").unwrap();
    assert_eq!(
        read.identified.parameters.len(),
        found.base.iter().filter(|base| base.sigma.is_some()).count()
    );
    let again = AnyRobot::new(read).unwrap();
    for state in random_states(&robot, 3, 1).unwrap() {
        let [a, b] = [&again, &found.robot].map(|robot| robot.inverse_dynamics(&state).unwrap());
        for (a, b) in a.iter().zip(&b) {
            // 1e-9: masses go through centre and inertia about it.
            assert!((a - b).abs() < 1e-9 * (1.0 + b.abs()), "{a} {b}");
        }
    }
    // Identified once more, what was written is replaced.
    let text = robot_text(&again, &again, &identified(&again, &logs), &["run.csv".into()]).unwrap();
    assert_eq!(text.matches("[identified]").count(), 1);
    // Bodies can exist: positive, and no inertia is larger than the sum of the other two.
    let mut data = found.description.data.clone();
    for part in data.inertial_parts() {
        let body = part.as_body();
        assert!(body.mass >= 0.0 && body.inertia[2][2] >= 0.0, "{}", part.name);
    }
}

#[test]
fn a_model_error_is_seen() {
    let robot = without_payload("delta-industrial");
    let heavy = robot
        .with_model_error(&ModelError { mass: 0.1, motor_inertia: 0.1, ..ModelError::default() })
        .unwrap();
    let clean = Recorded { duration: 8.0, rate: 500.0, noise: 0.002, lag: 0.0, step: 0.0, seed: 2 };
    let found = identified(&robot, &Logs { used: vec![clean.log(&heavy, 0.15)], ..Logs::default() });
    let [before, after] = found.fit.relative();
    assert!(before > 0.05 && after < 0.005, "{before} {after}");
}

/// One motor of the other sign, or two exchanged: told without knowing friction or masses, and never told of a good log.
#[test]
fn a_motor_of_the_other_sign_is_told_whatever_the_masses_are() {
    let noisy = Recorded { duration: 8.0, rate: 500.0, noise: 0.01, lag: 2e-3, step: 1e-5, seed: 5 };
    for (name, size) in [MOVED[0], MOVED[2], MOVED[3]] {
        let robot = without_payload(name);
        let machine = hidden(&robot, 7);
        let log = noisy.log(&machine, size);
        let run = |log: Log| {
            let logs = Logs { used: vec![log], ..Logs::default() };
            identify(&robot, &logs, &Settings::default(), &Handle::none())
        };
        assert!(run(log.clone()).is_ok(), "{name}");
        let motors = robot.joints().len();
        for motor in 0..motors {
            let mut turned = log.clone();
            turned.effort[motor].iter_mut().for_each(|x| *x = -*x);
            let error = run(turned).unwrap_err();
            let said = error.cause().unwrap_or_default();
            assert!(said.contains("other sign"), "{name} {motor}: {said}");
        }
        // The file knows nothing of the masses: its own model tells nothing.
        let wrong = robot
            .with_model_error(&ModelError { mass: 1.5, motor_inertia: -0.6, ..ModelError::default() })
            .unwrap();
        let mut turned = log.clone();
        turned.effort[0].iter_mut().for_each(|x| *x = -*x);
        let logs = Logs { used: vec![turned], ..Logs::default() };
        let error = identify(&wrong, &logs, &Settings::default(), &Handle::none()).unwrap_err();
        println!("{error}: {:?}", error.cause());
        assert!(error.cause().unwrap_or_default().contains("other sign"), "{name}: {error}");
        let mut exchanged = log.clone();
        exchanged.effort.swap(0, 1);
        assert!(run(exchanged).is_err(), "{name}");
    }
}

/// Legs that differ stand in the file, and every verb computes with them.
#[test]
fn legs_that_differ_are_read_back_from_the_file() {
    let opened = AnyRobot::open("five-bar").unwrap();
    let robot = opened.with_separate_legs().unwrap();
    let machine = hidden(&robot, 4);
    let clean = Recorded { duration: 8.0, rate: 500.0, noise: 0.002, lag: 0.0, step: 0.0, seed: 3 };
    let found = identified(&robot, &Logs { used: vec![clean.log(&machine, 0.1)], ..Logs::default() });
    let text = robot_text(&opened, &robot, &found, &["run.csv".into()]).unwrap();
    assert!(text.contains("separate_legs = true") && text.contains("family = \"five-bar\""), "{text}");
    let again = AnyRobot::new(RobotDescription::parse(&text, "identified.toml").unwrap()).unwrap();
    for state in random_states(&robot, 3, 1).unwrap() {
        let efforts = [&again, &found.robot, &opened].map(|robot| robot.inverse_dynamics(&state).unwrap());
        let apart = |other: &[f64]| highest(efforts[0].iter().zip(other).map(|(a, b)| (a - b).abs()));
        // 1e-9: masses go through centre and inertia about it.
        assert!(apart(&efforts[1]) < 1e-9, "{efforts:?}");
        assert!(apart(&efforts[2]) > 1e-2, "the test tests nothing");
    }
    // Once more: the flag stays, and there is one table.
    let twice = robot_text(
        &again,
        &again,
        &identified(&again, &Logs { used: vec![clean.log(&machine, 0.1)], ..Logs::default() }),
        &["run.csv".into()],
    )
    .unwrap();
    assert_eq!(twice.matches("separate_legs = true").count(), 1);
    let wrong = text.replace("name = \"leg1_link1\"", "name = \"leg9_link1\"");
    let error =
        AnyRobot::new(RobotDescription::parse(&wrong, "wrong.toml").unwrap()).unwrap_err().to_string();
    assert!(error.contains("leg9_link1") && error.contains("leg1_link1"), "{error}");
}

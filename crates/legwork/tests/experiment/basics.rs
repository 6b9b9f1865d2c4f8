//! The experiment of [Codourey1998, Sec. 5] through the desk: four regulators, three laws, machines that differ from
//! what the controller knows. The figures were worked out by an independent program under the same conditions.

use legwork::experiment::{ControllerKind, Experiment, Outcome, ReferenceMotion, TimedPath, Tuning};
use legwork::sim::{Ending, ModelError, Plant};
use legwork::trajectory::{Law, Line, Path, SemiEllipse, Shape};
use legwork::{AnyRobot, ForearmModel, PlatformState, V3};
use std::f64::consts::TAU;

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
    let experiment = Experiment::new(&robot, TimedPath::codourey().unwrap())
        .with_controller_model(believed(&robot, known))
        .on_plant(plant)
        .tuned(tuning);
    let outcomes = experiment.run_all(&ControllerKind::FOUR).unwrap();
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
            outcome.kind,
            degrees[k]
        );
        if let Some(printed) = millimetres {
            assert!(
                (mm - printed[k]).abs() < 1e-2,
                "{name}, {:?}: {mm:.3} mm, printed {}",
                outcome.kind,
                printed[k]
            );
        }
    }
    let falls = found.windows(2).all(|pair| pair[0].turning.unwrap().max > pair[1].turning.unwrap().max);
    assert!(falls, "{name}: 1 > 2 > 3 > 4");
}

#[test]
fn conditions_are_those_of_the_paper() {
    let motion = TimedPath::codourey().unwrap();
    assert!((motion.length() - 0.29964).abs() < 5e-6 && (motion.duration() - 0.15341).abs() < 5e-6);
    let robot = delta();
    let experiment = Experiment::new(&robot, motion).with_controller_model(believed(&robot, 0.1));
    let gains = experiment.resolved_gains(ControllerKind::Pd).unwrap();
    // Printed with three digits.
    assert!((gains.inertia[0] - 0.0446).abs() < 5e-5, "{gains:?}");
    assert!((gains.proportional[0] - 704.0).abs() < 0.5 && (gains.derivative[0] - 7.85).abs() < 5e-3);
}

#[test]
fn exact_masses() {
    let found = four(0.0, lagging(), Tuning::default());
    assert_printed("exact", &found, [1.977, 0.823, 0.374, 0.146], Some([7.28, 2.51, 1.16, 0.51]));
    let (joint, platform) = found[3].factors(&found[0]);
    // Printed with one decimal.
    assert!((joint - 13.6).abs() < 0.1 && (platform - 14.2).abs() < 0.1, "{joint} {platform}");
    let torques: Vec<f64> = found.iter().filter_map(|outcome| outcome.asked_torque).collect();
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
fn laws() -> [TimedPath; 3] {
    let shapes: [fn(f64, f64) -> Law<f64>; 3] = [
        |length, duration| Law::by_duration(Shape::parabolic(), length, duration).unwrap(),
        |length, duration| Law::by_duration(Shape::sine(), length, duration).unwrap(),
        |length, duration| Law::by_duration(Shape::Sine { rise: 1.0 / 3.0 }, length, duration).unwrap(),
    ];
    shapes.map(|law| {
        let (from, to) = (V3::new(-0.125, 0.0, -0.35), V3::new(0.125, 0.0, -0.35));
        let path = SemiEllipse::new(from, to, V3::along_z(0.06)).unwrap();
        let (length, duration) = (path.length(), (TAU * path.length() / 80.0).sqrt());
        TimedPath::new(path, law(length, duration))
    })
}

/// What each law gives with one regulator.
fn arrivals(kind: ControllerKind, known: f64, hertz: f64) -> Vec<Outcome> {
    let robot = delta();
    laws()
        .into_iter()
        .map(|motion| {
            let tuning = Tuning { frequency: TAU * hertz, ..Tuning::default() };
            let experiment = Experiment::new(&robot, motion)
                .with_controller_model(believed(&robot, known))
                .on_plant(lagging())
                .tuned(tuning);
            experiment.run(kind).unwrap()
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
    assert_each("20 Hz", &arrivals(ControllerKind::Pd, 0.0, 20.0), overshoot, [2.90, 1.52, 0.89], 1e-2);
    assert_each("15 Hz", &arrivals(ControllerKind::Pd, 0.0, 15.0), overshoot, [4.84, 3.83, 2.32], 1e-2);
    let exact = arrivals(ControllerKind::ModelShifted, 0.0, 20.0);
    assert_each("rest", &exact, rest, [0.132, 0.095, 0.056], 1e-3);
    assert_each("overshoot", &exact, overshoot, [0.046, 0.003, 0.002], 1e-3);
    assert_each("torque", &exact, |outcome| outcome.asked_torque.unwrap(), [26.7, 25.9, 38.1], 0.1);
    assert_each("on the way", &exact, |outcome| outcome.position.max * 1e3, [0.40, 0.51, 0.67], 1e-2);
    let heavy = arrivals(ControllerKind::ModelShifted, 0.1, 20.0);
    assert_each("rest, +10 %", &heavy, rest, [0.279, 0.244, 0.150], 1e-3);
    let settling = |outcome: &Outcome| outcome.arrival.unwrap().settling.unwrap() * 1e3;
    assert_each("settling, +10 %", &heavy, settling, [17.0, 10.0, 6.0], 1.0);
}

/// Lines of [NgocKim2010] by a cubic law at 1 m/s on average: torques at start, middle and end, and the largest with
/// rods as they are.
#[test]
fn torques_of_ngoc_and_kim() {
    type Torques = [f64; 3];
    type Row = (V3<f64>, V3<f64>, f64, [Torques; 3], [f64; 2]);
    let mm = |x: f64, y: f64, z: f64| V3::new(x, y, z) * 1e-3;
    #[rustfmt::skip]
    let lines: [Row; 4] = [
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
        let motion = TimedPath::new(path, law);
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
            let found = legwork_testkit::largest(all);
            assert!((found - printed).abs() < 1e-3, "{found}, printed {printed}");
        }
    }
}

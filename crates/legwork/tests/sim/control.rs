//! Sampled controllers: instants, holds, encoders, delays, faults.

use legwork::sim::{
    ControlFault, Delay, Efforts, Ending, FormulationKind, Integrator, Measured, Plant, Run,
    SampledController, Simulation, SimulationError,
};
use legwork::{AnyRobot, PlatformState};

/// Notes what it sees and pulls back to where it began.
#[derive(Default)]
struct Notes {
    period: f64,
    stiffness: f64,
    bias: Vec<f64>,
    times: Vec<f64>,
    seen: Vec<Vec<f64>>,
    speeds: Vec<Option<Vec<f64>>>,
    /// NaN from this time on.
    breaks_at: Option<f64>,
    gives_up_at: Option<f64>,
}

impl SampledController for Notes {
    fn period(&self) -> f64 {
        self.period
    }

    fn reset(&mut self) {
        self.times.clear();
        self.seen.clear();
        self.speeds.clear();
    }

    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) -> Result<(), ControlFault> {
        self.times.push(seen.time);
        self.seen.push(seen.q.to_vec());
        self.speeds.push(seen.qd.map(<[f64]>::to_vec));
        if self.gives_up_at.is_some_and(|t| seen.time >= t) {
            return Err(ControlFault::Refused { reason: "enough" });
        }
        for (k, u) in command.iter_mut().enumerate() {
            *u = self.bias[k] + self.stiffness * (self.seen[0][k] - seen.q[k]);
            if self.breaks_at.is_some_and(|t| seen.time >= t) {
                *u = f64::NAN;
            }
        }
        Ok(())
    }
}

fn notes(robot: &AnyRobot, period: f64) -> Notes {
    let bias = robot.state(&robot.home()).unwrap().dynamics.unwrap().gravity;
    Notes { period, stiffness: 200.0, bias, ..Notes::default() }
}

fn moving(robot: &AnyRobot) -> PlatformState {
    let mut start = robot.home();
    start.twist[robot.freedoms()[0].component] = 0.3;
    start
}

fn run(robot: &AnyRobot, controller: &mut Notes, plant: Plant, duration: f64, interval: f64) -> Run {
    Simulation::controlled(robot, controller)
        .starting_at(moving(robot))
        .on_plant(plant)
        .lasting(duration)
        .sampled_every(interval)
        .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
        .run()
        .unwrap()
}

#[test]
fn samples_come_on_time_and_commands_hold() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let mut controller = notes(&robot, 1e-3);
    let run = run(&robot, &mut controller, Plant::ideal(), 0.05, 2.5e-4);
    assert_eq!(run.summary.ending, Ending::Completed);
    assert_eq!(controller.times.len(), 51);
    for (k, t) in controller.times.iter().enumerate() {
        assert!((t - k as f64 * 1e-3).abs() < 1e-15, "{k}: {t}");
    }
    // Four samples of the run for one of the controller: the command holds, and what it saw was the joint.
    for (k, sample) in run.samples.iter().enumerate() {
        let control = k / 4;
        assert_eq!(sample.command, sample.effort);
        let expected = controller.bias[1] + 200.0 * (controller.seen[0][1] - controller.seen[control][1]);
        assert_eq!(sample.command[1], expected);
        if k % 4 == 0 {
            assert_eq!(sample.q, controller.seen[control]);
        }
    }
    assert!(run.summary.imbalance < 1e-9 * run.summary.kinetic, "{:?}", run.summary);
}

/// Samples that meet the run's own by rounding make no crumbs of steps.
#[test]
fn instants_that_are_the_same_are_one() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let mut controller = notes(&robot, 1e-3);
    let run = Simulation::controlled(&robot, &mut controller)
        .lasting(1.0)
        .sampled_every(0.01)
        .integrated_by(Integrator::Rk4 { step: 1e-3 })
        .run()
        .unwrap();
    assert_eq!(run.summary.statistics.steps, 1000);
    assert_eq!(controller.times.len(), 1001);
}

#[test]
fn encoders_count_and_delay_exactly() {
    let robot = AnyRobot::open("gough-stewart").unwrap();
    let step = 1e-6;
    let ideal = {
        let mut controller = notes(&robot, 1e-3);
        controller.stiffness = 0.0;
        run(&robot, &mut controller, Plant::ideal(), 0.03, 5e-4)
    };
    let q_at = |t: f64, k: usize| {
        let near = ideal.samples.iter().find(|s| (s.time - t.max(0.0)).abs() < 1e-9).unwrap();
        near.q[k]
    };
    for (delay, late) in [
        (Delay::Samples(0), 0.0),
        (Delay::Samples(3), 3e-3),
        (Delay::Time(2e-3), 2e-3),
        (Delay::Time(5e-4), 5e-4),
        (Delay::Time(2.5e-3), 2.5e-3),
    ] {
        let mut controller = notes(&robot, 1e-3);
        controller.stiffness = 0.0;
        let plant = Plant::ideal().with_encoder(step).with_delay(delay).with_tachometers();
        run(&robot, &mut controller, plant, 0.03, 5e-4);
        assert_eq!(controller.seen.len(), 31, "{delay:?}");
        for (n, seen) in controller.seen.iter().enumerate() {
            for (k, &q) in seen.iter().enumerate() {
                let exact = q_at(n as f64 * 1e-3 - late, k);
                assert_eq!((q / step).round() * step, q, "whole steps");
                // Half a step, and what two runs with other steps differ by.
                assert!((q - exact).abs() <= 0.5 * step + 1e-10, "{delay:?} {n}: {q} {exact}");
            }
            assert!(controller.speeds[n].is_some());
        }
    }
}

#[test]
fn noise_is_seeded() {
    let robot = AnyRobot::open("five-bar").unwrap();
    let seen = |seed: u64| {
        let mut controller = notes(&robot, 1e-3);
        let plant = Plant::ideal().with_noise(1e-4).with_seed(seed).with_lag(1e-3);
        let run = run(&robot, &mut controller, plant, 0.5, 1e-3);
        (controller.seen, run)
    };
    let ((a, run_a), (b, run_b), (c, _)) = (seen(7), seen(7), seen(8));
    assert!(a == b && run_a.samples == run_b.samples && run_a.summary == run_b.summary);
    assert!(a != c);
    let errors: Vec<f64> = run_a.samples.iter().zip(&a).map(|(s, seen)| seen[0] - s.q[0]).collect();
    let (n, mean) = (errors.len() as f64, errors.iter().sum::<f64>() / errors.len() as f64);
    let deviation = (errors.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / n).sqrt();
    // 501 numbers: the mean within four of its own deviations, the deviation within 15 %.
    assert!(
        mean.abs() < 4.0 * 1e-4 / n.sqrt() && (deviation / 1e-4 - 1.0).abs() < 0.15,
        "{mean} {deviation}"
    );
}

/// The same simulation run twice: the controller forgets in between.
#[test]
fn a_run_can_be_repeated_to_the_bit() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    for form in [FormulationKind::Minimal, FormulationKind::Projected, FormulationKind::Hamiltonian] {
        let mut controller = notes(&robot, 1e-3);
        let plant = Plant::ideal().with_noise(1e-5).with_encoder(1e-5).with_lag(2e-3).with_friction(0.1, 0.2);
        let simulation = Simulation::controlled(&robot, &mut controller)
            .starting_at(moving(&robot))
            .on_plant(plant)
            .lasting(0.1)
            .formulated_as(form);
        let (a, b) = (simulation.run().unwrap(), simulation.run().unwrap());
        assert!(a.samples == b.samples && a.summary == b.summary, "{form}");
    }
}

#[test]
fn a_controller_that_fails_ends_the_run_with_its_reason() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let mut broken = Notes { breaks_at: Some(0.0195), ..notes(&robot, 1e-3) };
    let stopped = run(&robot, &mut broken, Plant::ideal(), 0.1, 0.01);
    let Ending::ControllerFailed { time, fault } = stopped.summary.ending else {
        panic!("{:?}", stopped.summary)
    };
    assert!((time - 0.02).abs() < 1e-12 && matches!(fault, ControlFault::NotFinite { motor: 0, .. }));
    // The state there is kept, once.
    let times: Vec<f64> = stopped.samples.iter().map(|s| s.time).collect();
    assert_eq!(times, [0.0, 0.01, 0.02]);
    assert!(stopped.samples.last().unwrap().q.iter().all(|q| q.is_finite()));

    let mut tired = Notes { gives_up_at: Some(0.005), ..notes(&robot, 1e-3) };
    let stopped = run(&robot, &mut tired, Plant::ideal().with_lag(1e-3), 0.1, 0.01);
    let expected =
        Ending::ControllerFailed { time: 0.005, fault: ControlFault::Refused { reason: "enough" } };
    assert_eq!(stopped.summary.ending, expected);
    let mut first = Notes { breaks_at: Some(0.0), ..notes(&robot, 1e-3) };
    let stopped = run(&robot, &mut first, Plant::ideal(), 0.1, 0.01);
    assert!(matches!(stopped.summary.ending, Ending::ControllerFailed { time: 0.0, .. }));
    assert_eq!(stopped.samples.len(), 1);
    for period in [0.0, -1.0, f64::NAN] {
        let error = Simulation::controlled(&robot, &mut notes(&robot, period)).run().unwrap_err();
        assert!(matches!(error, SimulationError::NotPositive { what: "period of the controller", .. }));
    }
}

/// A stop exactly on a sample shows that sample once.
#[test]
fn no_sample_is_shown_twice() {
    let robot = AnyRobot::open("delta-industrial").unwrap();
    let bad = || Efforts::Function(Box::new(|t, effort| effort.fill(if t <= 0.1 { 0.0 } else { f64::NAN })));
    for integrator in [Integrator::Rk4 { step: 0.01 }, Integrator::Dopri5 { tolerance: 1e-8 }] {
        let run = Simulation::new(&robot, bad()).sampled_every(0.05).integrated_by(integrator).run().unwrap();
        let times: Vec<f64> = run.samples.iter().map(|s| s.time).collect();
        assert!(times.windows(2).all(|pair| pair[0] < pair[1]), "{times:?}");
        assert!(matches!(run.summary.ending, Ending::Stopped { .. }));
    }
}

/// Every robot can be held by a controller on a plant that is not ideal.
#[test]
fn every_robot_is_held() {
    for built_in in legwork::description::BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() {
            continue;
        }
        let mut controller = notes(&robot, 1e-3);
        controller.stiffness = 0.0;
        let run = Simulation::controlled(&robot, &mut controller)
            .on_plant(Plant::ideal().with_lag(2e-3).with_encoder(1e-6).with_delay(Delay::Samples(1)))
            .lasting(0.02)
            .run()
            .unwrap();
        let (first, last) = (run.samples.get(0).unwrap(), run.samples.last().unwrap());
        assert_eq!(run.summary.ending, Ending::Completed, "{}", built_in.name);
        for (a, b) in first.platform.position.iter().zip(last.platform.position) {
            assert!((a - b).abs() < 1e-7, "{}: {a} {b}", built_in.name);
        }
    }
}

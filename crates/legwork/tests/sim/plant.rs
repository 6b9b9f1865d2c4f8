//! The plant behind a simulation: motors, limits, friction, stops, payloads, pushes, model error.

use legwork::description::{BUILT_IN, ModelError};
use legwork::sim::{
    Between, EffortTable, Efforts, Ending, FormulationKind, Integrator, Plant, Run, Simulation,
    SimulationError,
};
use legwork::{AnyRobot, PlatformState, V3};
use legwork_testkit::largest;

const DOPRI: Integrator = Integrator::Dopri5 { tolerance: 1e-11 };
const FORMS: [FormulationKind; 4] = [
    FormulationKind::Minimal,
    FormulationKind::Constrained { pole: 5.0 },
    FormulationKind::Projected,
    FormulationKind::Hamiltonian,
];

fn industrial() -> AnyRobot {
    AnyRobot::open("delta-industrial").unwrap()
}

fn hold(robot: &AnyRobot) -> Vec<f64> {
    robot.state(&robot.home()).unwrap().dynamics.unwrap().gravity
}

fn distance(a: &Run, b: &Run) -> f64 {
    let ends = [a, b].map(|run| run.samples.last().unwrap().platform.position);
    ends[0].iter().zip(ends[1]).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

/// Close to home, a little pushed.
fn swing(robot: &AnyRobot, plant: Plant, form: FormulationKind, integrator: Integrator) -> Run {
    let effort = hold(robot).iter().enumerate().map(|(k, u)| u * (1.0 + 0.2 * (k as f64 - 1.0))).collect();
    Simulation::new(robot, Efforts::Constant(effort))
        .on_plant(plant)
        .lasting(0.3)
        .formulated_as(form)
        .integrated_by(integrator)
        .run()
        .unwrap()
}

/// A hold through the lag is exact at every sample, whatever the integrator's own steps.
#[test]
fn the_recorded_effort_is_the_lag_of_the_command() {
    let robot = industrial();
    let (lag, base) = (2e-3, hold(&robot));
    let times: Vec<f64> = (0..40).map(|k| f64::from(k) * 1e-3).collect();
    let rows: Vec<Vec<f64>> =
        (0..40).map(|k| base.iter().map(|u| u * (1.0 + 0.2 * f64::from(k % 4))).collect()).collect();
    for form in FORMS {
        let table = EffortTable::new(times.clone(), &rows, Between::Hold).unwrap();
        let run = Simulation::new(&robot, Efforts::Table(table))
            .on_plant(Plant::ideal().with_lag(lag))
            .sampled_at(times.clone())
            .formulated_as(form)
            .run()
            .unwrap();
        let mut exact = base.clone();
        for (k, sample) in run.samples.iter().enumerate() {
            for motor in 0..3 {
                let error = (sample.effort[motor] - exact[motor]).abs();
                assert!(error < 4e-14 * largest([base[motor], 1.0]), "{form} {k}: {error:e}");
                assert_eq!(sample.command[motor], rows[k][motor]);
                exact[motor] = rows[k][motor] + (exact[motor] - rows[k][motor]) * (-1e-3 / lag).exp();
            }
        }
    }
}

/// A ramp comes out late by the lag, and a function of time by the same to the square of its pieces.
#[test]
fn a_ramp_arrives_late() {
    let robot = industrial();
    let base = hold(&robot);
    let high: Vec<f64> = base.iter().map(|u| 1.5 * u).collect();
    let late = |efforts: Efforts| {
        let run = Simulation::new(&robot, efforts)
            .on_plant(Plant::ideal().with_lag(2e-3))
            .lasting(0.1)
            .sampled_every(0.01)
            .run()
            .unwrap();
        let last = run.samples.last().unwrap();
        (last.command[0] - last.effort[0]) / (0.5 * base[0] / 0.2)
    };
    let line = EffortTable::new(vec![0.0, 0.2], &[base.clone(), high], Between::Line).unwrap();
    assert!((late(Efforts::Table(line)) - 2e-3).abs() < 1e-13);
    let start = base.clone();
    let ramp = Efforts::Function(Box::new(move |t, effort| {
        effort.iter_mut().zip(&start).for_each(|(slot, u)| *slot = u * (1.0 + 2.5 * t));
    }));
    assert!((late(ramp) - 2e-3).abs() < 1e-12);
}

/// Every form sees the same plant: friction, stops, lag, limits, a payload, a push.
#[test]
fn formulations_agree_on_a_plant_and_the_energy_closes() {
    let robot = industrial();
    let q = robot.inverse_kinematics(&robot.home()).unwrap().q;
    let range = q.iter().map(|q| (q - 0.05, q + 0.05)).collect();
    let plant = Plant::ideal()
        .with_lag(2e-3)
        .with_effort_limit(60.0)
        .with_rate_limit(5e3)
        .with_speed_limit(3.0)
        .with_friction(0.5, 1.0)
        .with_stops_at(range, 2e4, 0.2)
        .carrying(0.05, 0.7)
        .carrying(0.2, 0.0)
        .pushed(0.1, 0.15, [30.0, -20.0, 10.0, 0.0, 0.0, 0.0]);
    let runs = FORMS.map(|form| (form, swing(&robot, plant.clone(), form, DOPRI)));
    let reference = &runs[0].1;
    let deepest = largest(reference.samples.iter().map(|s| s.q[0] - q[0]));
    assert!(deepest > 0.05, "the stop is reached: {deepest}");
    for (form, run) in &runs {
        let s = run.summary;
        println!("{form}: {:.1e} m, {:.1e} of {:.1e} J", distance(run, reference), s.imbalance, s.kinetic);
        assert_eq!(s.ending, Ending::Completed);
        assert!(distance(run, reference) < 1e-8, "{form}");
        assert!(s.imbalance < 1e-8 * s.kinetic, "{form}: {s:?}");
    }
    let engine = swing(&robot.through_the_engine().unwrap(), plant, FormulationKind::Minimal, DOPRI);
    assert!(distance(&engine, reference) < 1e-8);
    assert!(engine.summary.imbalance < 1e-8 * engine.summary.kinetic, "{:?}", engine.summary);
}

/// RATTLE books work and heat to second order: half the step, a quarter of the imbalance.
#[test]
fn symplectic_steps_book_to_second_order() {
    let robot = industrial();
    let imbalance = |step| {
        let plant = Plant::ideal().with_friction(0.5, 0.0).with_lag(2e-3);
        let rattle = Integrator::Rattle { step };
        let run = swing(&robot, plant, FormulationKind::Hamiltonian, rattle);
        let last = run.samples.last().unwrap();
        (last.energy.total() - last.ledger.work + last.ledger.dissipation
            - run.samples.get(0).unwrap().energy.total())
        .abs()
    };
    let ratio = imbalance(2e-3) / imbalance(1e-3);
    println!("{:.1e} J, ratio {ratio}", imbalance(1e-3));
    assert!(ratio > 3.5 && ratio < 4.5, "{ratio}");
}

/// Every robot on a plant with friction, lag, a payload picked up and put down.
#[test]
fn every_built_in_robot_runs_on_a_plant() {
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() {
            continue;
        }
        let plant = Plant::ideal()
            .with_lag(1e-3)
            .with_friction(0.3, 0.1)
            .with_stops(1e4, 0.1)
            .with_limits_of_the_robot()
            .with_model_error(ModelError { mass: 0.1, length: 0.002, friction: 0.2, motor_inertia: -0.1 })
            .carrying(0.02, 1.0)
            .carrying(0.06, 0.0);
        let effort: Vec<f64> = hold(&robot).iter().map(|u| 0.9 * u + 0.01).collect();
        let run = Simulation::new(&robot, Efforts::Constant(effort))
            .on_plant(plant)
            .lasting(0.1)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
            .run()
            .unwrap();
        let s = run.summary;
        let potential = run.samples.last().unwrap().energy.potential.abs();
        assert_eq!(s.ending, Ending::Completed, "{}", built_in.name);
        // Rounding of the potential energy of heavy robots that hardly move, or 1e-8 of the motion.
        assert!(s.imbalance < 1e-8 * s.kinetic + 1e-13 * potential, "{}: {s:?}", built_in.name);
    }
}

/// The fall onto stops, integrated here once more by hand from the robot's forward dynamics.
#[test]
fn a_fall_onto_stops_is_that_of_a_fine_integration() {
    let robot = industrial();
    let delta = robot.as_delta().unwrap();
    let home = V3::from(robot.home().position);
    let q0 = robot.inverse_kinematics(&robot.home()).unwrap().q;
    let range: Vec<(f64, f64)> = q0.iter().map(|q| (q - 0.03, q + 0.03)).collect();
    let (stiffness, damping) = (5e3, 0.3);
    let effort = [2.0, -1.0, 0.0];
    let run = Simulation::new(&robot, Efforts::Constant(effort.to_vec()))
        .on_plant(Plant::ideal().with_stops_at(range.clone(), stiffness, damping))
        .lasting(0.3)
        .integrated_by(DOPRI)
        .run()
        .unwrap();
    let touched = run.samples.iter().any(|s| (s.q[0] - q0[0]).abs() > 0.03);
    // 2e-9: steps across the corners of the stops are as good as their tolerance, times a few hundred of them.
    assert!(touched && run.summary.imbalance < 2e-9 * run.summary.kinetic, "{:?}", run.summary);
    // Runge–Kutta with 20 µs; angles and torques of this robot are counted as ours.
    let acceleration = |x: V3<f64>, v: V3<f64>| {
        let posture = delta.linkage().posture(x).unwrap();
        let (q, w) = (posture.angles().to_array(), posture.joint_velocity(v).to_array());
        let stop = |k: usize| {
            let (low, high) = range[k];
            if q[k] < low {
                stiffness * (low - q[k]) * (1.0 - damping * w[k]).max(0.0)
            } else if q[k] > high {
                -stiffness * (q[k] - high) * (1.0 + damping * w[k]).max(0.0)
            } else {
                0.0
            }
        };
        let torque = V3::from([0, 1, 2].map(|k| effort[k] + stop(k))) - delta.friction(V3::from(w));
        delta.forward_dynamics(x, v, torque, V3::zero()).unwrap().platform
    };
    let (mut x, mut v) = (home, V3::zero());
    let h = 2e-5;
    for _ in 0..15_000 {
        let (v1, a1) = (v, acceleration(x, v));
        let (v2, a2) = (v + a1 * (0.5 * h), acceleration(x + v1 * (0.5 * h), v + a1 * (0.5 * h)));
        let (v3, a3) = (v + a2 * (0.5 * h), acceleration(x + v2 * (0.5 * h), v + a2 * (0.5 * h)));
        let (v4, a4) = (v + a3 * h, acceleration(x + v3 * h, v + a3 * h));
        x = x + (v1 + v2 * 2.0 + v3 * 2.0 + v4) * (h / 6.0);
        v = v + (a1 + a2 * 2.0 + a3 * 2.0 + a4) * (h / 6.0);
    }
    let error = (V3::from(run.samples.last().unwrap().platform.position) - x).norm_sq().sqrt();
    println!("{error:.1e} m");
    // Touching a stop is a corner of the force: a fixed step across it is wrong by about h³ of its slope.
    assert!(error < 1e-8, "{error:e}");
}

#[test]
fn limits_are_never_exceeded() {
    let robot = industrial();
    let base = hold(&robot);
    let wild = Efforts::Function(Box::new(move |t, effort| {
        effort.iter_mut().zip(&base).for_each(|(slot, u)| *slot = u + 80.0 * (90.0 * t).sin());
    }));
    let plant =
        Plant::ideal().with_effort_limit(40.0).with_rate_limit(4e3).with_lag(1e-3).with_speed_limit(2.0);
    let run = Simulation::new(&robot, wild).on_plant(plant).lasting(0.2).sampled_every(1e-3).run().unwrap();
    let mut before: Option<Vec<f64>> = None;
    let mut cut = 0;
    for sample in run.samples.iter() {
        for k in 0..3 {
            assert!(sample.effort[k].abs() <= 40.0);
            cut += usize::from(sample.command[k].abs() > 40.0);
            let drives = sample.effort[k] * sample.qd[k] > 0.0;
            assert!(!drives || sample.qd[k].abs() <= 2.0, "{sample:?}");
            if let Some(before) = &before
                && sample.qd[k].abs() < 1.8
            {
                assert!((sample.effort[k] - before[k]).abs() < 4.0 * (1.0 + 1e-9));
            }
        }
        before = sample.qd.iter().all(|w| w.abs() < 1.8).then(|| sample.effort.to_vec());
    }
    assert!(cut > 50 && run.summary.imbalance < 1e-6, "{cut} {:?}", run.summary);
}

/// Picking something up changes neither place nor velocity; the ledger takes its energy in.
#[test]
fn a_payload_comes_and_goes() {
    for (name, forms) in [("delta-industrial", &FORMS[..]), ("gough-stewart", &FORMS[..1])] {
        let robot = AnyRobot::open(name).unwrap().with_payload(0.0).unwrap();
        for form in forms {
            let run = |plant| swing(&robot, plant, *form, DOPRI);
            let (light, picks) = (run(Plant::ideal()), run(Plant::ideal().carrying(0.1, 2.0)));
            let at = |run: &Run, t: f64| {
                let sample = run.samples.iter().find(|s| (s.time - t).abs() < 1e-9).unwrap();
                (sample.platform, sample.energy.total(), sample.ledger)
            };
            let ((a, e_a, b_a), (b, e_b, b_b)) = (at(&light, 0.1), at(&picks, 0.1));
            let near = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(near(&a.position, &b.position) && near(&a.twist, &b.twist), "{name} {form}");
            let v2: f64 = b.twist[..3].iter().map(|v| v * v).sum();
            let brought = 2.0 * (0.5 * v2 + 9.80665 * b.position[2]);
            assert!(
                (e_b - e_a - brought).abs() < 1e-3 * brought.abs()
                    && (b_b.work - b_a.work - brought).abs() < 1e-3 * brought.abs()
            );
            assert!(
                picks.summary.imbalance < 1e-9 * picks.summary.kinetic.max(1.0),
                "{name} {form}: {:?}",
                picks.summary
            );
            assert!(distance(&light, &picks) > 1e-4);
            // carried from the start it is the robot with that payload
            let loaded = robot.with_payload(2.0).unwrap();
            let effort =
                hold(&robot).iter().enumerate().map(|(k, u)| u * (1.0 + 0.2 * (k as f64 - 1.0))).collect();
            let other = Simulation::new(&loaded, Efforts::Constant(effort))
                .lasting(0.3)
                .formulated_as(*form)
                .integrated_by(DOPRI)
                .run()
                .unwrap();
            assert!(distance(&run(Plant::ideal().carrying(0.0, 2.0)), &other) < 1e-12);
        }
    }
}

#[test]
fn a_push_is_a_table_with_two_rows() {
    let robot = industrial();
    let wrench = [5.0, 3.0, -2.0, 0.0, 0.0, 0.0];
    let rows = [vec![0.0; 6], wrench.to_vec(), vec![0.0; 6]];
    let table = EffortTable::new(vec![0.0, 0.05, 0.1], &rows, Between::Hold).unwrap();
    let run = |plant| swing(&robot, plant, FormulationKind::Minimal, DOPRI);
    let (pulse, table) =
        (run(Plant::ideal().pushed(0.05, 0.1, wrench)), run(Plant::ideal().with_wrench(table)));
    assert_eq!(pulse.samples, table.samples);
    assert!(distance(&pulse, &run(Plant::ideal())) > 1e-3);
    let seen: Vec<f64> = pulse.samples.iter().map(|s| s.platform.wrench[0]).collect();
    assert_eq!([seen[4], seen[5], seen[9], seen[10]], [0.0, 5.0, 5.0, 0.0]);
    // as long as the run, it is the wrench of the start
    let steady = Simulation::new(&robot, Efforts::Constant(hold(&robot)))
        .starting_at(PlatformState { wrench, ..robot.home() })
        .integrated_by(DOPRI)
        .run()
        .unwrap();
    let pushed = Simulation::new(&robot, Efforts::Constant(hold(&robot)))
        .on_plant(Plant::ideal().pushed(0.0, 9.0, wrench))
        .integrated_by(DOPRI)
        .run()
        .unwrap();
    assert_eq!(steady.samples, pushed.samples);
}

#[test]
fn a_plant_that_makes_no_sense_is_refused_with_its_number() {
    let robot = industrial();
    let error = |plant: Plant| {
        Simulation::new(&robot, Efforts::Constant(vec![0.0; 3])).on_plant(plant).run().unwrap_err()
    };
    let plant = Plant::ideal;
    assert_eq!(
        error(plant().with_lag(vec![0.0, -1.0, 0.0])),
        SimulationError::Plant { what: "lag", motor: Some(1), value: -1.0 }
    );
    assert_eq!(
        error(plant().with_effort_limit(vec![1.0, 2.0])),
        SimulationError::Count { what: "effort limit", expected: 3, found: 2 }
    );
    for bad in [
        plant().with_lag(f64::NAN),
        plant().with_rate_limit(0.0),
        plant().with_speed_limit(-1.0),
        plant().with_friction(f64::NAN, 0.0),
        plant().with_stops(0.0, 0.0),
        plant().with_stops_at(vec![(1.0, 0.0); 3], 1e3, 0.0),
        plant().pushed(0.2, 0.1, [0.0; 6]),
        plant().pushed(0.0, 0.1, [f64::NAN; 6]),
        plant().with_encoder(f64::INFINITY),
    ] {
        assert!(matches!(error(bad), SimulationError::Plant { .. }));
    }
    assert!(matches!(error(plant().carrying(0.0, -1.0)), SimulationError::Robot(_)));
    assert!(matches!(
        error(plant().carrying(0.2, 1.0).carrying(0.1, 0.0)),
        SimulationError::TimesNotAscending { row: 1, .. }
    ));
    let broken = ModelError { mass: -1.0, ..ModelError::default() };
    assert!(matches!(error(plant().with_model_error(broken)), SimulationError::Robot(_)));
}

//! Simulation on the desk: formulations, inputs, endings, frames, every built-in robot.

use legwork::description::{BUILT_IN, RobotDescription};
use legwork::integrate::Halt;
use legwork::motion::Fault;
use legwork::robots::delta::PostureError;
use legwork::sim::Plant;
use legwork::sim::{
    Between, EffortTable, Efforts, Ending, FormulationKind, Integrator, Run, Simulation, SimulationError,
};
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::largest;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const DOPRI: Integrator = Integrator::Dopri5 { tolerance: 1e-11 };

fn industrial() -> AnyRobot {
    AnyRobot::open("delta-industrial").unwrap()
}

/// Efforts that hold a robot at rest.
fn hold(robot: &AnyRobot, at: &PlatformState) -> Vec<f64> {
    robot.state(at).unwrap().dynamics.unwrap().gravity
}

/// The swing of the golden file, in some form.
fn swing(robot: &AnyRobot, formulation: FormulationKind, integrator: Integrator) -> Run {
    let effort = hold(robot, &PlatformState::at([0.0, 0.0, -0.8]));
    Simulation::new(robot, Efforts::Constant(effort))
        .starting_at(PlatformState::at([0.15, -0.1, -0.72]))
        .sampled_every(0.05)
        .formulated_as(formulation)
        .integrated_by(integrator)
        .run()
        .unwrap()
}

fn end(run: &Run) -> [f64; 3] {
    run.samples.last().unwrap().platform.position
}

fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
}

#[test]
fn formulations_agree_in_every_sample() {
    let robot = industrial();
    let minimal = swing(&robot, FormulationKind::Minimal, DOPRI);
    assert_eq!((minimal.summary.ending, minimal.samples.len()), (Ending::Completed, 21));
    for (form, gap) in [
        (FormulationKind::Constrained { pole: 5.0 }, 1e-9),
        (FormulationKind::Projected, 1e-13),
        (FormulationKind::Hamiltonian, 1e-13),
    ] {
        let other = swing(&robot, form, DOPRI);
        let samples = minimal.samples.iter().zip(other.samples.iter());
        let worst = largest(samples.map(|(a, b)| distance(a.platform.position, b.platform.position)));
        println!("{form}: {worst:.1e} m, {:?}", other.summary);
        assert!(worst < 1e-9, "{form}: {worst:e} m");
        assert!(other.summary.loop_gap < gap && other.summary.imbalance < 1e-9, "{:?}", other.summary);
    }
    let engine = swing(&robot.through_the_engine().unwrap(), FormulationKind::Minimal, DOPRI);
    assert!(distance(end(&minimal), end(&engine)) < 1e-9);
}

#[test]
fn integrators_agree_as_far_as_their_order_goes() {
    let robot = industrial();
    let exact = end(&swing(&robot, FormulationKind::Minimal, Integrator::Dopri5 { tolerance: 1e-12 }));
    for (form, integrator, bar) in [
        (FormulationKind::Minimal, Integrator::Rk4 { step: 1e-3 }, 1e-11),
        (FormulationKind::Minimal, Integrator::SemiImplicitEuler { step: 1e-3 }, 1e-3),
        (FormulationKind::Projected, Integrator::Rk4 { step: 1e-3 }, 1e-10),
        (FormulationKind::Hamiltonian, Integrator::Rattle { step: 1e-3 }, 1e-5),
    ] {
        let run = swing(&robot, form, integrator);
        let error = distance(end(&run), exact);
        println!("{form} {integrator:?}: {error:.1e} m, {:?}", run.summary.statistics);
        assert!(error < bar, "{form} {integrator:?}: {error:e} m");
    }
}

/// Energy over ten seconds at a tolerance of 1e-10, with friction, to 1e-9 of the largest kinetic energy.
#[test]
fn energy_balances_over_ten_seconds() {
    for (name, form) in [
        ("delta-industrial", FormulationKind::Minimal),
        ("delta-bortoff-b", FormulationKind::Minimal),
        ("delta-bortoff-b", FormulationKind::Constrained { pole: 5.0 }),
    ] {
        let robot = AnyRobot::open(name).unwrap();
        let home = robot.home();
        let effort = hold(&robot, &home);
        let mut start = home;
        start.position[0] += 0.02;
        let run = Simulation::new(&robot, Efforts::Constant(effort))
            .starting_at(start)
            .lasting(10.0)
            .formulated_as(form)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
            .run()
            .unwrap();
        let summary = run.summary;
        println!(
            "{name} {form}: {:.1e} of {:.1e} J, {:?}",
            summary.imbalance, summary.kinetic, summary.ending
        );
        assert_eq!(summary.ending, Ending::Completed);
        assert!(summary.imbalance < 1e-9 * summary.kinetic, "{name}: {summary:?}");
    }
}

#[test]
fn the_same_run_twice_is_the_same_to_the_bit() {
    let robot = industrial();
    for form in [FormulationKind::Minimal, FormulationKind::Projected, FormulationKind::Hamiltonian] {
        let (a, b) = (swing(&robot, form, DOPRI), swing(&robot, form, DOPRI));
        assert!(a.samples == b.samples && a.summary == b.summary);
        // and on other threads, several at once
        let robot = &robot;
        std::thread::scope(|scope| {
            let runs: Vec<_> = (0..3).map(|_| scope.spawn(move || swing(robot, form, DOPRI))).collect();
            for run in runs {
                assert!(run.join().unwrap().samples == a.samples);
            }
        });
    }
}

/// Without torque the industrial Delta falls into its stretched posture.
#[test]
fn a_fall_ends_at_the_singularity_with_its_name() {
    let robot = industrial();
    for start in [[0.0, 0.0, -0.8], [0.1, 0.05, -0.75]] {
        let run = Simulation::new(&robot, Efforts::Constant(vec![0.0; 3]))
            .starting_at(PlatformState::at(start))
            .lasting(5.0)
            .run()
            .unwrap();
        let Ending::Stopped { time, reason } = run.summary.ending else { panic!("{:?}", run.summary) };
        println!("{time} s: {reason}");
        let named = matches!(
            reason,
            Halt::System(Fault::Posture(
                PostureError::SerialSingularity { .. } | PostureError::Unreachable { .. }
            ))
        );
        assert!(named, "{reason:?}");
        let last = run.samples.last().unwrap();
        assert_eq!(last.time, time);
        assert!(time > 0.1 && last.q.iter().all(|q| q.is_finite()), "{last:?}");
        assert!(last.energy.total().is_finite() && run.summary.loop_gap < 1e-12);
    }
}

/// However coarse the steps, the minimal form does not slip through the stretched posture; the
/// constrained forms go through it, as the robot does.
#[test]
fn the_stretched_posture_stops_the_minimal_form_and_not_the_others() {
    let robot = industrial();
    let engine = robot.through_the_engine().unwrap();
    let fall = |robot: &AnyRobot, form, integrator| {
        Simulation::new(robot, Efforts::Constant(vec![0.0; 3]))
            .starting_at(PlatformState::at([0.1, 0.05, -0.75]))
            .lasting(0.32)
            .formulated_as(form)
            .integrated_by(integrator)
            .run()
            .unwrap()
    };
    for integrator in [
        Integrator::Dopri5 { tolerance: 1e-3 },
        Integrator::Dopri5 { tolerance: 1e-6 },
        Integrator::Dopri5 { tolerance: 1e-10 },
        Integrator::Rk4 { step: 1e-3 },
        Integrator::Rk4 { step: 3e-3 },
    ] {
        for robot in [&robot, &engine] {
            let run = fall(robot, FormulationKind::Minimal, integrator);
            let Ending::Stopped { time, reason } = run.summary.ending else {
                panic!("{integrator:?}: {:?}", run.summary)
            };
            println!("{integrator:?}: {time} s, {reason}");
            // 0.300102 s, less the step that could not be made
            assert!(time > 0.296 && time < 0.3003, "{integrator:?}: {time}");
            assert!(matches!(reason, Halt::System(_)), "{reason:?}");
        }
    }
    for form in [FormulationKind::Projected, FormulationKind::Constrained { pole: 5.0 }] {
        let run = fall(&robot, form, Integrator::Dopri5 { tolerance: 1e-10 });
        assert_eq!(run.summary.ending, Ending::Completed, "{form}");
        assert!(run.summary.imbalance < 1e-9 * run.summary.kinetic, "{form}: {:?}", run.summary);
    }
}

#[test]
fn nan_efforts_end_a_run() {
    let robot = industrial();
    let bad = Efforts::Function(Box::new(|t, effort| effort.fill(if t < 0.1 { 0.0 } else { f64::NAN })));
    let run = Simulation::new(&robot, bad).sampled_every(0.05).run().unwrap();
    let Ending::Stopped { time, reason } = run.summary.ending else { panic!("{:?}", run.summary) };
    assert!(matches!(reason, Halt::System(Fault::NotFinite { what: "effort", .. })), "{reason:?}");
    assert!(time > 0.09 && time <= 0.1, "{time}");
}

#[test]
fn what_cannot_begin_is_told() {
    let robot = industrial();
    let error = |simulation: Simulation<'_>| simulation.run().unwrap_err();
    let held = || Efforts::Constant(vec![0.0; 3]);
    assert!(matches!(
        error(Simulation::new(&robot, Efforts::Constant(vec![0.0; 2]))),
        SimulationError::Count { expected: 3, found: 2, .. }
    ));
    let far = Simulation::new(&robot, held()).starting_at(PlatformState::at([0.0, 0.0, -9.0]));
    assert!(matches!(error(far), SimulationError::Robot(_)));
    for duration in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            error(Simulation::new(&robot, held()).lasting(duration)),
            SimulationError::NotPositive { what: "duration", .. }
        ));
    }
    let step = Integrator::Rk4 { step: f64::NAN };
    assert!(matches!(
        error(Simulation::new(&robot, held()).integrated_by(step)),
        SimulationError::NotPositive { what: "step", .. }
    ));
    let rattle = Integrator::Rattle { step: 1e-3 };
    assert_eq!(error(Simulation::new(&robot, held()).integrated_by(rattle)), SimulationError::NotSymplectic);
    let backwards = Simulation::new(&robot, held()).sampled_at(vec![0.0, 0.2, 0.1]);
    assert!(matches!(error(backwards), SimulationError::TimesNotAscending { row: 2, .. }));
    let flat = AnyRobot::open("irb360-1600").unwrap();
    assert!(matches!(error(Simulation::new(&flat, held())), SimulationError::Robot(_)));
}

/// A held table is integrated from row to row: as exact as many short runs.
#[test]
fn steps_end_on_the_rows_of_a_table() {
    let robot = industrial();
    let base = hold(&robot, &PlatformState::at([0.0, 0.0, -0.8]));
    let times: Vec<f64> = (0..20).map(|k| f64::from(k) * 0.01 + 0.003).collect();
    let rows: Vec<Vec<f64>> =
        (0..20).map(|k| base.iter().map(|u| u * (1.0 + 0.3 * f64::from(k % 3))).collect()).collect();
    let run = |tolerance| {
        let table = EffortTable::new(times.clone(), &rows, Between::Hold).unwrap();
        Simulation::new(&robot, Efforts::Table(table))
            .starting_at(PlatformState::at([0.05, 0.0, -0.75]))
            .lasting(0.2)
            .integrated_by(Integrator::Dopri5 { tolerance })
            .run()
            .unwrap()
    };
    let (coarse, fine) = (run(1e-7), run(1e-12));
    // Jumps inside a step would cost far more than the tolerance.
    assert!(distance(end(&coarse), end(&fine)) < 1e-7);
    assert!(coarse.summary.statistics.rejected < 5, "{:?}", coarse.summary);
    let mut effort = [0.0; 3];
    let line = EffortTable::new(vec![0.0, 1.0], &[vec![0.0; 3], vec![2.0; 3]], Between::Line).unwrap();
    line.at(0.25, &mut effort);
    assert_eq!(effort, [0.5; 3]);
    line.at(7.0, &mut effort);
    assert_eq!(effort, [2.0; 3]);
}

#[test]
fn a_break_ends_a_run_and_keeps_what_was_seen() {
    let robot = industrial();
    let mut seen = 0;
    let summary = Simulation::new(&robot, Efforts::Constant(hold(&robot, &robot.home())))
        .run_each(|_| {
            seen += 1;
            if seen == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })
        .unwrap();
    assert_eq!((seen, summary.samples), (10, 10));
    assert_eq!(summary.ending, Ending::Interrupted { time: 0.09 });
}

/// Positions, angles and torques go in and out as the robot's file counts them.
#[test]
fn a_convention_is_the_users_frame() {
    let name = BUILT_IN.iter().map(|b| b.name).find(|name| {
        let file = RobotDescription::built_in(name).unwrap();
        file.as_delta().is_some_and(|d| d.frame.angle_sign < 0.0 && d.mass.is_some())
    });
    let Some(name) = name else { return };
    let robot = AnyRobot::open(name).unwrap();
    let (home, effort) = (robot.home(), hold(&robot, &robot.home()));
    let run = Simulation::new(&robot, Efforts::Constant(effort)).lasting(0.2).run().unwrap();
    let last = run.samples.last().unwrap();
    let q = robot.inverse_kinematics(&home).unwrap().q;
    assert!(distance(last.platform.position, home.position) < 1e-9);
    assert!(last.q.iter().zip(q).all(|(a, b)| (a - b).abs() < 1e-8));
}

/// Every robot with masses: pushed from home for a while, the loops stay closed and the energy balances.
#[test]
fn every_built_in_robot_moves() {
    let mut moved = 0;
    for built_in in BUILT_IN {
        let robot = AnyRobot::open(built_in.name).unwrap();
        if !robot.has_masses() {
            continue;
        }
        let effort: Vec<f64> = hold(&robot, &robot.home()).iter().map(|u| 0.9 * u + 0.01).collect();
        let run = Simulation::new(&robot, Efforts::Constant(effort))
            .lasting(0.1)
            .integrated_by(Integrator::Dopri5 { tolerance: 1e-10 })
            .run()
            .unwrap();
        let s = run.summary;
        println!(
            "{:24} {:3} steps, gap {:.1e} m, energy {:.1e} of {:.1e} J",
            built_in.name, s.statistics.steps, s.loop_gap, s.imbalance, s.kinetic
        );
        assert_eq!(s.ending, Ending::Completed, "{}", built_in.name);
        assert!(s.loop_gap < 1e-12, "{}: {:e} m", built_in.name, s.loop_gap);
        // Rounding of the potential energy of heavy robots that hardly move, or 1e-9 of the motion.
        let potential = run.samples.last().unwrap().energy.potential.abs();
        assert!(s.imbalance < 1e-9 * s.kinetic + 1e-14 * potential, "{}: {s:?}", built_in.name);
        moved += 1;
    }
    assert!(moved >= 10);
}

/// Steps that rounding swallows and runs without an end are refused before they begin, with the bound.
#[test]
fn endless_runs_are_refused() {
    let robot = industrial();
    let run = |simulation: Simulation<'_>| simulation.run().map(|run| run.summary.ending);
    let held = || Simulation::new(&robot, Efforts::Constant(vec![0.0; 3]));
    for integrator in [Integrator::Rk4 { step: 1e-300 }, Integrator::SemiImplicitEuler { step: 5e-324 }] {
        let error = run(held().integrated_by(integrator)).unwrap_err();
        assert!(
            matches!(error, SimulationError::TooMany { what: "steps", most: 100_000_000, .. }),
            "{error:?}"
        );
    }
    let long = || held().lasting(1e300).sampled_every(1e299);
    for integrator in [DOPRI, Integrator::Rk4 { step: 1.0 }] {
        let error = run(long().integrated_by(integrator)).unwrap_err();
        assert!(
            error.to_string().contains("1.0") && error.to_string().contains("steps; 100000000"),
            "{error}"
        );
    }
    let error = run(held().sampled_every(1e-300)).unwrap_err();
    assert!(matches!(error, SimulationError::TooMany { what: "samples", .. }), "{error:?}");
}

/// Efforts beyond all bounds end a run with a reason, and every sample that was shown is finite.
#[test]
fn absurd_efforts_end_a_run() {
    for robot in [industrial(), AnyRobot::open("gough-stewart").unwrap()] {
        for effort in [1e200, -1e308, f64::MAX] {
            for integrator in
                [DOPRI, Integrator::Rk4 { step: 1e-3 }, Integrator::SemiImplicitEuler { step: 1e-3 }]
            {
                let late =
                    Efforts::Function(Box::new(move |t, list| list.fill(if t < 0.3 { 0.1 } else { effort })));
                let run = Simulation::new(&robot, late).integrated_by(integrator).run().unwrap();
                let Ending::Stopped { time, reason } = run.summary.ending else {
                    panic!("{:?}", run.summary)
                };
                assert!(time <= 0.32, "{integrator:?}: {time} s, {reason}");
                assert!(run.summary.statistics.steps < 20_000, "{integrator:?}: {:?}", run.summary);
                let numbers = |k: usize| {
                    let sample = run.samples.get(k).unwrap();
                    let energy = sample.energy.total();
                    [sample.q, sample.qd, &sample.platform.position, &[energy, sample.ledger.work]].concat()
                };
                let finite = (0..run.samples.len()).all(|k| numbers(k).iter().all(|x| x.is_finite()));
                assert!(
                    finite && run.summary.imbalance.is_finite(),
                    "{integrator:?} {effort:e}: {:?}",
                    run.summary
                );
            }
        }
    }
}

/// Friction that holds a joint within nanoseconds: told after some ten thousand steps, with what to do.
#[test]
fn a_stiff_plant_is_named() {
    let robot = industrial();
    let run = Simulation::new(&robot, Efforts::Constant(hold(&robot, &robot.home())))
        .starting_at(PlatformState::at([0.1, 0.05, -0.75]))
        .on_plant(Plant::ideal().with_friction(1e7, 0.0))
        .run()
        .unwrap();
    let Ending::Stopped { reason, .. } = run.summary.ending else { panic!("{:?}", run.summary) };
    assert!(matches!(reason, Halt::Stiff { left, .. } if left > 1e6), "{reason:?}");
    assert!(run.summary.statistics.steps < 25_000, "{:?}", run.summary);
    assert!(!run.samples.is_empty());
}

/// A flag that is set in the middle of one long sample interval ends every integrator a step later.
#[test]
fn a_run_can_be_cancelled_inside_a_sample() {
    let robot = industrial();
    let effort = hold(&robot, &robot.home());
    let cases = [
        (FormulationKind::Minimal, DOPRI),
        (FormulationKind::Minimal, Integrator::Rk4 { step: 1e-6 }),
        (FormulationKind::Minimal, Integrator::SemiImplicitEuler { step: 1e-6 }),
        (FormulationKind::Hamiltonian, Integrator::Rattle { step: 1e-6 }),
    ];
    for (form, integrator) in cases {
        // Set after a hundred evaluations, by the plant itself: no clock is asked.
        let (flag, calls) = (Arc::new(AtomicBool::new(false)), AtomicU64::new(0));
        let (set, give) = (Arc::clone(&flag), effort.clone());
        let efforts = Efforts::Function(Box::new(move |_, list| {
            list.copy_from_slice(&give);
            if calls.fetch_add(1, Ordering::Relaxed) == 100 {
                set.store(true, Ordering::Relaxed);
            }
        }));
        let simulation = Simulation::new(&robot, efforts)
            .starting_at(PlatformState::at([0.1, 0.05, -0.75]))
            .sampled_every(1.0)
            .formulated_as(form)
            .integrated_by(integrator)
            .cancelled_by(&flag);
        let summary = simulation.run_each(|_| ControlFlow::Continue(())).unwrap();
        let Ending::Interrupted { time } = summary.ending else { panic!("{integrator:?}: {summary:?}") };
        assert!(time < 1.0 && summary.time == time, "{integrator:?}: {summary:?}");
        assert!(summary.statistics.evaluations <= 110, "{integrator:?}: {summary:?}");
        assert_eq!(summary.samples, 2, "the start and where it ended");
    }
}

/// What is to happen after the end would never happen: told.
#[test]
fn events_after_the_end_are_told() {
    let robot = industrial();
    let run = |plant: Plant| {
        let effort = hold(&robot, &robot.home());
        Simulation::new(&robot, Efforts::Constant(effort)).lasting(0.1).on_plant(plant).run()
    };
    let error = run(Plant::ideal().carrying(0.2, 1.0)).unwrap_err();
    assert_eq!(error.to_string(), "the change of the payload at 0.2 s is after the end of the run at 0.1 s");
    let error = run(Plant::ideal().pushed(0.1, 0.3, [1.0; 6])).unwrap_err();
    assert_eq!(error.to_string(), "the push at 0.1 s is after the end of the run at 0.1 s");
    assert!(run(Plant::ideal().carrying(0.1, 1.0)).is_ok());
}

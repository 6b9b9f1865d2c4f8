//! The implicit integrator on robots.
use legwork::description::RobotDescription;
use legwork::integrate::Halt;
use legwork::motion::Fault;
use legwork::sim::{Between, EffortTable, Efforts, Ending, FormulationKind, Integrator, Run, Simulation};
use legwork::{AnyRobot, PlatformState};
use legwork_testkit::largest;

const FORMS: [FormulationKind; 4] = [
    FormulationKind::Minimal,
    FormulationKind::Constrained { pole: 5.0 },
    FormulationKind::Projected,
    FormulationKind::Hamiltonian,
];

fn industrial(extra: &str) -> AnyRobot {
    let text = include_str!("../../../legwork-model/robots/delta-industrial.toml");
    AnyRobot::new(RobotDescription::parse(&format!("{text}\n{extra}"), "robot.toml").unwrap()).unwrap()
}

fn swing(robot: &AnyRobot, form: FormulationKind, integrator: Integrator) -> Run {
    let hold = robot.state(&PlatformState::at([0.0, 0.0, -0.8])).unwrap().dynamics.unwrap().gravity;
    Simulation::new(robot, Efforts::Constant(hold))
        .starting_at(PlatformState::at([0.15, -0.1, -0.72]))
        .lasting(0.5)
        .sampled_every(0.1)
        .formulated_as(form)
        .integrated_by(integrator)
        .run()
        .unwrap()
}

fn distance(a: &Run, b: &Run) -> f64 {
    let pairs = a.samples.iter().zip(b.samples.iter());
    let off = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
    largest(pairs.map(|(a, b)| off(a.platform.position, b.platform.position)))
}

/// Not stiff at all: every form goes through the adapter and meets the explicit run in every sample.
#[test]
fn every_form_can_be_integrated() {
    for robot in [industrial(""), industrial("").through_the_engine().unwrap()] {
        let exact = swing(&robot, FormulationKind::Minimal, Integrator::Dopri5 { tolerance: 1e-11 });
        for form in FORMS {
            let run = swing(&robot, form, Integrator::Implicit { tolerance: 1e-9 });
            let off = distance(&run, &exact);
            let s = run.summary;
            println!(
                "{form}: {off:.1e} m, {:?}, gap {:.1e} m, energy {:.1e} J",
                s.statistics, s.loop_gap, s.imbalance
            );
            assert_eq!((s.ending, s.samples), (Ending::Completed, 6));
            // A few hundred steps of 1e-9, each within its estimate of third order.
            assert!(off < 1e-6 && s.imbalance < 1e-5 * s.kinetic, "{form}: {off:e} m, {:e} J", s.imbalance);
            assert!(s.loop_gap < 1e-7, "{form}: {:e} m", s.loop_gap);
        }
    }
}

/// Friction of 1e4 N·m·s/rad in the motors: time constants of ten microseconds.
#[test]
fn strong_friction_is_cheap() {
    let robot = industrial("viscous_friction = 1e4");
    let run = swing(&robot, FormulationKind::Minimal, Integrator::Implicit { tolerance: 1e-7 });
    let exact = swing(&robot, FormulationKind::Minimal, Integrator::Dopri5 { tolerance: 1e-7 });
    let (a, b) = (run.summary.statistics, exact.summary.statistics);
    println!("{a:?} against {b:?}, {:.1e} m apart", distance(&run, &exact));
    assert!(distance(&run, &exact) < 1e-7);
    assert!(b.evaluations > 20 * a.evaluations);
}

/// Efforts that jump: the integrator forgets its past there and ends its steps on the jumps.
#[test]
fn jumps_are_met() {
    let robot = industrial("");
    let hold = robot.state(&PlatformState::at([0.0, 0.0, -0.8])).unwrap().dynamics.unwrap().gravity;
    let rows: Vec<Vec<f64>> =
        (0..5).map(|k| hold.iter().map(|u| u * (1.0 + 0.1 * f64::from(k % 2))).collect()).collect();
    let times: Vec<f64> = (0..5).map(|k| 0.031 * f64::from(k)).collect();
    let run = |integrator| {
        let table = EffortTable::new(times.clone(), &rows, Between::Hold).unwrap();
        let run = Simulation::new(&robot, Efforts::Table(table)).lasting(0.2).integrated_by(integrator).run();
        run.unwrap()
    };
    let off = distance(
        &run(Integrator::Implicit { tolerance: 1e-9 }),
        &run(Integrator::Dopri5 { tolerance: 1e-11 }),
    );
    assert!(off < 1e-6, "{off:e} m");
}

/// A fall into the stretched posture ends with a reason, as it does with the explicit integrator.
#[test]
fn a_fall_ends_with_its_reason() {
    let robot = industrial("");
    let run = Simulation::new(&robot, Efforts::Constant(vec![0.0; 3]))
        .starting_at(PlatformState::at([0.1, 0.05, -0.75]))
        .lasting(5.0)
        .integrated_by(Integrator::Implicit { tolerance: 1e-8 })
        .run()
        .unwrap();
    let Ending::Stopped { time, reason } = run.summary.ending else { panic!("{:?}", run.summary) };
    println!("{time} s: {reason}");
    assert!(matches!(reason, Halt::System(Fault::Posture(_))), "{reason:?}");
    assert_eq!(run.samples.last().unwrap().time, time);
    let explicit = Simulation::new(&robot, Efforts::Constant(vec![0.0; 3]))
        .starting_at(PlatformState::at([0.1, 0.05, -0.75]))
        .lasting(5.0)
        .run()
        .unwrap();
    // Both come as near to the stretched posture as their shortest steps.
    assert!((explicit.summary.time - time).abs() < 1e-3, "{} s, {time} s", explicit.summary.time);
}

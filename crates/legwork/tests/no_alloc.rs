//! The torque path and the steps of a simulation allocate nothing, counted.

use assert_no_alloc::{AllocDisabler, assert_no_alloc, violation_count};
use legwork::analysis::linear::regulator;
use legwork::check::golden_mechanism;
use legwork::description::BUILT_IN;
use legwork::engine::Wrench;
use legwork::experiment::{self, ControllerKind, Experiment, Tuning, around_home, gentle_law};
use legwork::mechanism::MechanismModel;
use legwork::robots::catalog;
use legwork::robots::delta::{Assembly, Motion};
use legwork::sim::{
    ControlFault, Delay, Efforts, FormulationKind, Integrator, Measured, Plant, SampledController, Simulation,
};
use legwork::{AnyRobot, LegForce, PlatformState, V3};
use legwork_core::mechanism;
use std::ops::ControlFlow;

#[global_allocator]
static ALLOCATOR: AllocDisabler = AllocDisabler;

/// One test, because the count belongs to the whole process.
#[test]
fn torques_and_accelerations_allocate_nothing() {
    let delta = catalog::delta_industrial();
    let motion = Motion {
        position: V3::new(-0.28, -0.19, -0.86),
        velocity: V3::new(1.8, 1.1, -1.6),
        acceleration: V3::new(31.0, -9.6, -13.7),
    };
    let before = violation_count();
    let sum = assert_no_alloc(|| {
        let effort = delta.inverse_dynamics(&motion, V3::new(1.0, 2.0, 3.0)).map(|effort| effort.torque);
        let back = delta.forward_dynamics(motion.position, motion.velocity, V3::zero(), V3::zero());
        let q = delta.linkage().all_inverse_kinematics(motion.position);
        let x = delta.linkage().forward_kinematics(V3::splat(0.3), Assembly::Below);
        let bad = delta.inverse_dynamics(&Motion::rest(V3::new(0.0, 0.0, -9.0)), V3::zero());
        let lagrange = delta.lagrange_torque(V3::splat(0.3), V3::splat(1.0), V3::splat(2.0), Assembly::Below);
        (effort.is_ok(), back.is_ok(), q.is_ok(), x.is_ok(), bad.is_err(), lagrange.x.is_finite())
    });
    assert_eq!(sum, (true, true, true, true, true, true));
    assert_eq!(violation_count(), before, "the torque path allocated");
    calls_in_the_callers_memory_allocate_nothing();
    mechanisms_allocate_nothing();
    ways_in_other_orders_allocate_nothing();
    simulations_allocate_nothing_between_their_samples();
    closed_loops_allocate_nothing_between_their_samples();
    // The counter does count.
    let boxed = assert_no_alloc(|| std::hint::black_box(Box::new(1.0)));
    assert!(violation_count() > before, "{boxed}");
}

/// The kernel of mechanisms in a workspace: with redundant motors, and with rods that spin.
fn mechanisms_allocate_nothing() {
    for name in ["two_deltas_bar", "delta_ss"] {
        let path = format!("{}/../../golden/mechanisms/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let model =
            MechanismModel::new(&golden_mechanism(path).expect("a golden file")).expect("a mechanism");
        let plan = model.plan();
        let mut workspace = model.workspace();
        let rates = vec![0.3; plan.independent()];
        let (mut efforts, mut accelerations) = (vec![0.0; plan.motors.len()], rates.clone());
        let before = violation_count();
        let margins = assert_no_alloc(|| {
            let mut memory = workspace.memory();
            let coordinates = model.home().coordinates();
            let motion = mechanism::Motion { coordinates, rates: &rates, idle: None, wrench: Wrench::zero() };
            let inverse = plan.inverse_dynamics(&motion, &rates, &mut efforts, &mut memory);
            plan.write_reactions(&efforts, &motion.wrench, &mut memory);
            (inverse, plan.forward_dynamics(&motion, &efforts, &mut accelerations, &mut memory))
        });
        assert!(margins.0 > 0.0 && margins.1.0 > 0.0 && margins.1.1 > 0.0, "{name}");
        assert_eq!(violation_count(), before, "{name} allocated");
    }
}

/// Ways on which the pivots of home vanish though nothing is singular: other orders are prepared at set-up.
fn ways_in_other_orders_allocate_nothing() {
    for (name, state) in [("sarrus", 1), ("made_up_3_30", 2)] {
        let path = format!("{}/../../golden/mechanisms/{name}.json", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a golden file");
        let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let values = file["states"][state]["motor"]["q"].as_array().expect("values of motors");
        let q: Vec<f64> = values.iter().filter_map(serde_json::Value::as_f64).collect();
        let model =
            MechanismModel::new(&golden_mechanism(path).expect("a golden file")).expect("a mechanism");
        let mut workspace = model.workspace();
        let mut at = model.home().clone();
        let before = violation_count();
        let there = assert_no_alloc(|| model.forward_kinematics_into(&q, &mut at, &mut workspace).is_ok());
        assert!(there, "{name}");
        assert_eq!(violation_count(), before, "{name} allocated");
        // There the pivots of home are of no use.
        let margin = model.margin(&at, &mut workspace);
        assert!(
            margin < 0.02 || model.branch(&at, &mut workspace) != model.branch(model.home(), &mut workspace)
        );
    }
}

/// Every call of every built-in robot that writes into the caller's memory.
fn calls_in_the_callers_memory_allocate_nothing() {
    for name in BUILT_IN.iter().map(|robot| robot.name) {
        let robot = AnyRobot::open(name).expect("a built-in robot");
        // A robot without masses refuses with its name, which is a text.
        if !robot.has_masses() {
            continue;
        }
        let (joints, freedoms) = (robot.joints().len(), robot.freedoms().len());
        let mut state = robot.home();
        for freedom in robot.freedoms() {
            state.twist[freedom.component] = 0.1;
            state.acceleration[freedom.component] = 1.0;
        }
        let (mut q, mut qd, mut qdd) = (vec![0.0; joints], vec![0.0; joints], vec![0.0; joints]);
        let (mut effort, mut back) = (vec![0.0; joints], vec![0.0; freedoms]);
        let (mut rows, mut square) = (vec![0.0; joints * freedoms], vec![0.0; joints * joints]);
        let mut platform = vec![0.0; freedoms * freedoms];
        let mut forces = vec![LegForce::default(); robot.leg_forces(&state).map_or(0, |list| list.len())];
        let before = violation_count();
        let answers = assert_no_alloc(|| {
            [
                robot.inverse_kinematics_into(&state, &mut q).is_ok(),
                robot.joints_from_platform_into(&state, &mut q, &mut qd, &mut qdd).is_ok(),
                robot.jacobian_into(&state, &mut rows).is_ok(),
                robot.inverse_dynamics_into(&state, &mut effort).is_ok(),
                robot.forward_dynamics_into(&state, &effort, &mut back, &mut qdd).is_ok(),
                robot.mass_matrix_into(&state, &mut square).is_ok(),
                robot.platform_mass_matrix_into(&state, &mut platform).is_ok(),
                robot.coriolis_into(&state, &mut effort).is_ok(),
                robot.gravity_into(&state, &mut effort).is_ok(),
                robot.leg_forces_into(&state, &mut forces).is_ok(),
                robot.energies(&state).is_ok(),
            ]
        });
        assert_eq!(violation_count(), before, "{name} allocated");
        assert_eq!(answers, [true; 11], "{name}");
    }
}

/// Holds with what it was given.
struct Hold(Vec<f64>);

impl SampledController for Hold {
    fn period(&self) -> f64 {
        1e-3
    }
    fn sample(&mut self, seen: &Measured<'_>, command: &mut [f64]) -> Result<(), ControlFault> {
        assert_eq!(seen.q.len(), command.len());
        command.copy_from_slice(&self.0);
        Ok(())
    }
}

/// Everything that a plant can have.
fn plant() -> Plant {
    Plant::ideal()
        .with_lag(2e-3)
        .with_rate_limit(1e4)
        .with_friction(0.1, 0.1)
        .with_stops(1e4, 0.1)
        .with_limits_of_the_robot()
        .with_encoder(1e-6)
        .with_noise(1e-6)
        .with_delay(Delay::Time(1.5e-3))
        .carrying(0.01, 0.5)
        .carrying(0.03, 0.0)
        .pushed(0.02, 0.04, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
}

/// How many allocations a run makes, from its first sample to its last.
fn allocations_of(
    robot: &AnyRobot,
    form: FormulationKind,
    integrator: Integrator,
    plant: Option<Plant>,
) -> (u32, usize) {
    let home = robot.home();
    let hold = robot.state(&home).unwrap().dynamics.unwrap().motor;
    let count = hold.len();
    let effort: Vec<f64> = hold.iter().map(|u| 0.95 * u).collect();
    let mut controller = Hold(effort.clone());
    let simulation = match plant {
        None => Simulation::new(robot, Efforts::Constant(effort)),
        Some(plant) => Simulation::controlled(robot, &mut controller).on_plant(plant),
    };
    let simulation = simulation
        .starting_at(PlatformState { ..home })
        .lasting(0.05)
        .sampled_every(0.005)
        .formulated_as(form)
        .integrated_by(integrator);
    let (mut first, mut last, mut samples) = (0, 0, 0);
    // Inside, every allocation is counted; set-up comes before the first sample.
    let summary = assert_no_alloc(|| {
        simulation.run_each(|sample| {
            if samples == 0 {
                first = violation_count();
            }
            last = violation_count();
            samples += 1;
            assert!(sample.q.len() == count);
            ControlFlow::Continue(())
        })
    });
    assert_eq!(summary.unwrap().samples, samples);
    (last - first, samples)
}

fn simulations_allocate_nothing_between_their_samples() {
    let dopri = Integrator::Dopri5 { tolerance: 1e-10 };
    let delta = AnyRobot::open("delta-industrial").unwrap();
    for (form, integrator) in [
        (FormulationKind::Minimal, dopri),
        (FormulationKind::Minimal, Integrator::Rk4 { step: 1e-3 }),
        (FormulationKind::Constrained { pole: 5.0 }, dopri),
        (FormulationKind::Projected, dopri),
        (FormulationKind::Hamiltonian, dopri),
        (FormulationKind::Hamiltonian, Integrator::Rattle { step: 1e-3 }),
    ] {
        for plant in [None, Some(plant())] {
            assert_eq!(allocations_of(&delta, form, integrator, plant), (0, 11), "{form} {integrator:?}");
        }
    }
    for name in ["gough-stewart", "hexa", "five-bar", "custom-delta"] {
        let robot = AnyRobot::open(name).unwrap();
        for form in [
            FormulationKind::Minimal,
            FormulationKind::Constrained { pole: 5.0 },
            FormulationKind::Projected,
            FormulationKind::Hamiltonian,
        ] {
            for plant in [None, Some(plant())] {
                assert_eq!(allocations_of(&robot, form, dopri, plant), (0, 11), "{name} {form}");
            }
        }
    }
    // A mechanism has one form.
    for name in ["3-rps", "two-deltas"] {
        let robot = AnyRobot::open(name).unwrap();
        for plant in [None, Some(plant())] {
            let found = allocations_of(&robot, FormulationKind::Minimal, dopri, plant);
            assert_eq!(found, (0, 11), "{name}");
        }
    }
}

fn closed_loops_allocate_nothing_between_their_samples() {
    for name in ["delta-direct-drive", "gough-stewart", "five-bar", "3-rps"] {
        let robot = AnyRobot::open(name).unwrap();
        let path = around_home(&robot).unwrap();
        let law = gentle_law(&robot, &path).unwrap();
        let experiment = Experiment::new(&robot, experiment::TimedPath::new(path, law))
            .on_plant(plant())
            .settling_for(1e-3);
        let small = regulator::along(&experiment).unwrap();
        let placed = Some(regulator::place(&small, 30.0, 0.7).unwrap());
        let experiment = experiment.tuned(Tuning { placed, ..Tuning::default() });
        for kind in ControllerKind::ALL.into_iter().chain([ControllerKind::Place]) {
            // Made outside: whatever a controller is made of is there before the first sample.
            let mut controller = experiment.controller(kind).unwrap();
            let start = experiment.motion().at(0.0).pose;
            let simulation = Simulation::controlled(&robot, &mut controller)
                .on_plant(plant())
                .starting_at(PlatformState::at(start.position.to_array()).turned(start.rotation.to_rows()))
                .lasting(0.05)
                .sampled_every(0.005)
                .integrated_by(Integrator::Rk4 { step: 1e-3 });
            let (mut first, mut last, mut samples) = (0, 0, 0);
            let summary = assert_no_alloc(|| {
                simulation.run_each(|_| {
                    last = violation_count();
                    first = if samples == 0 { last } else { first };
                    samples += 1;
                    ControlFlow::Continue(())
                })
            });
            assert!(summary.is_ok() && samples == 11, "{name}: {summary:?}");
            assert_eq!(last - first, 0, "{name}, {}", kind.name());
        }
    }
}

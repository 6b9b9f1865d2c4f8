//! State feedback of the linear model as a regulator of the robot itself.

use legwork::analysis::linear::{DMatrix, Reduced, feedback, largest_real_part, regulator, stability};
use legwork::experiment::{
    ControllerKind, Experiment, ExperimentError, TimedPath, Tuning, around_home, gentle_law,
};
use legwork::sim::{Efforts, Ending, Measured, Plant, SampledController, Simulation};
use legwork::trajectory::{Law, Line, Path, Shape};
use legwork::{AnyRobot, PlatformState, V3};
use legwork_testkit::lowest;

type Rows = Vec<Vec<f64>>;

/// A motion of a hundredth of a micrometre is a pose to hold.
fn staying_at(place: [f64; 3]) -> TimedPath {
    let path = Line::new(V3::from(place), V3::from(place) + V3::along_z(1e-8)).unwrap();
    let law = Law::by_duration(Shape::Cubic, path.length(), 0.01).unwrap();
    TimedPath::new(path, law)
}

/// Gains as the program takes them where nothing is said.
fn usual_gains(experiment: &Experiment<'_>) -> (Rows, Rows) {
    let small = regulator::along(experiment).unwrap();
    let (place, rate) = regulator::like_pd(&experiment.resolved_gains(ControllerKind::Lqr).unwrap());
    let tuning = experiment.tuning();
    (
        regulator::lqr(&small, &place, &rate, 1.0).unwrap(),
        regulator::place(&small, tuning.frequency, tuning.damping).unwrap(),
    )
}

fn with_usual_gains(experiment: Experiment<'_>) -> Experiment<'_> {
    let (lqr, placed) = usual_gains(&experiment);
    let tuning = Tuning { lqr: Some(lqr), placed: Some(placed), ..experiment.tuning().clone() };
    experiment.tuned(tuning)
}

/// ∂(q̇, q̈)/∂(q, q̇) of the robot under its controller, by central differences of its full equations of motion.
fn closed_loop(
    robot: &AnyRobot,
    experiment: &Experiment<'_>,
    kind: ControllerKind,
    at: &PlatformState,
) -> DMatrix<f64> {
    let q = robot.inverse_kinematics(at).unwrap().q;
    let n = q.len();
    let mut controller = experiment.controller(kind).unwrap();
    let mut rate = |state: &[f64]| {
        let (q, qd) = state.split_at(n);
        let mut effort = vec![0.0; n];
        controller.reset();
        controller.sample(&Measured { time: 0.0, q, qd: Some(qd) }, &mut effort).unwrap();
        assert_eq!(controller.fault(), None);
        let platform = robot.platform_from_joints(q, qd, &vec![0.0; n], at).unwrap();
        [qd, &robot.forward_dynamics(&platform, &effort).unwrap().joint].concat()
    };
    // Of second order: 1e-10 of the curvature; rounding of 1e-16 over 1e-5.
    let step = 1e-5;
    let start = [q, vec![0.0; n]].concat();
    let mut slope = DMatrix::zeros(2 * n, 2 * n);
    for k in 0..2 * n {
        let mut moved = |by: f64| {
            let mut state = start.clone();
            state[k] += by;
            rate(&state)
        };
        let (up, down) = (moved(step), moved(-step));
        for i in 0..2 * n {
            slope[(i, k)] = (up[i] - down[i]) / (2.0 * step);
        }
    }
    slope
}

#[test]
fn the_robot_under_its_regulator_has_the_poles_of_the_riccati_equation() {
    for (name, place) in
        [("delta-direct-drive", [0.05, -0.03, -0.33]), ("delta-bortoff-b", [0.04, 0.02, -0.35])]
    {
        let robot = AnyRobot::open(name).unwrap();
        let at = PlatformState::at(place);
        let tuning = Tuning { takes_differences: false, is_balanced: false, ..Tuning::default() };
        let experiment = with_usual_gains(Experiment::new(&robot, staying_at(place)).tuned(tuning));
        let small = Reduced::at(&robot, &at).unwrap();
        let model = small.state_space();
        let (place, rate) = regulator::like_pd(&experiment.resolved_gains(ControllerKind::Lqr).unwrap());
        let q = DMatrix::from_fn(6, 6, |i, j| if i == j { [&place[..], &rate[..]].concat()[i] } else { 0.0 });
        let expected = feedback::lqr(&model, &q, &DMatrix::identity(3, 3)).unwrap().poles;
        let found = closed_loop(&robot, &experiment, ControllerKind::Lqr, &at).complex_eigenvalues();
        for pole in &expected {
            assert!(pole.re < 0.0);
            let nearest = lowest(found.iter().map(|p| (p.re - pole.re).hypot(p.im - pole.im)));
            assert!(nearest < 1e-6 * pole.natural_frequency(), "{name}: {pole:?} {nearest:.1e} {found}");
        }
        // Three times the same pair: the polynomial tells, not its roots. s² + 2ζω s + ω² of the matrix vanishes.
        let slope = closed_loop(&robot, &experiment, ControllerKind::Place, &at);
        let (omega, zeta) = (experiment.tuning().frequency, experiment.tuning().damping);
        let square = DMatrix::<f64>::identity(6, 6) * (omega * omega);
        let left = &slope * &slope + &slope * (2.0 * zeta * omega) + square;
        let scale = (&slope * &slope).amax();
        assert!(left.amax() < 1e-6 * scale, "{name}: {left}");
    }
}

/// One mass and weights like PD: the gains are those of PD, so LQR of a robot asks about the same of its motors.
#[test]
fn weights_like_pd_give_pd_to_a_single_mass() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let experiment = Experiment::new(&robot, TimedPath::codourey().unwrap())
        .tuned(Tuning { damping: 0.9, ..Tuning::default() });
    let pd = experiment.resolved_gains(ControllerKind::Pd).unwrap();
    let mut small = regulator::along(&experiment).unwrap();
    small.mass = DMatrix::from_diagonal_element(3, 3, pd.inertia[0]);
    small.stiffness.fill(0.0);
    small.damping.fill(0.0);
    let (place, rate) = regulator::like_pd(&pd);
    let gains = regulator::lqr(&small, &place, &rate, 1.0).unwrap();
    for (i, row) in gains.iter().enumerate() {
        for (j, gain) in row.iter().enumerate() {
            let (list, scale) =
                if j < 3 { (&pd.proportional, &pd.proportional) } else { (&pd.derivative, &pd.derivative) };
            let expected = if j % 3 == i { list[i] } else { 0.0 };
            assert!((gain - expected).abs() < 1e-8 * scale[i], "{i} {j}: {gain} {expected}");
        }
    }
}

#[test]
fn it_follows_the_path_as_well_as_pd_with_the_model() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let experiment =
        Experiment::new(&robot, TimedPath::codourey().unwrap()).on_plant(Plant::ideal().with_lag(2e-3));
    let experiment = with_usual_gains(experiment);
    let outcomes = experiment
        .run_all(&[ControllerKind::Pd, ControllerKind::Model, ControllerKind::Lqr, ControllerKind::Place])
        .unwrap();
    for outcome in &outcomes {
        assert_eq!((outcome.summary.ending, outcome.fault), (Ending::Completed, None));
    }
    let worst: Vec<f64> = outcomes.iter().map(|o| o.turning.unwrap().max).collect();
    assert!(worst[2] < 0.5 * worst[0] && worst[3] < 0.5 * worst[0], "{worst:?}");
    assert!(worst[2] < 1.5 * worst[1], "{worst:?}");
}

/// Sliding legs and a turning platform; motors that turn in a plane.
#[test]
fn it_drives_other_robots() {
    for name in ["gough-stewart", "five-bar", "linear-delta"] {
        let robot = AnyRobot::open(name).unwrap();
        let path = around_home(&robot).unwrap();
        let law = gentle_law(&robot, &path).unwrap();
        let motion = TimedPath::new(path, law);
        let experiment = with_usual_gains(Experiment::new(&robot, motion).with_detuned_gains().unwrap());
        for kind in [ControllerKind::Lqr, ControllerKind::Place] {
            let outcome = experiment.run(kind).unwrap();
            assert_eq!((outcome.summary.ending, outcome.fault), (Ending::Completed, None), "{name} {kind:?}");
            assert!(outcome.position.max < 1e-3, "{name} {kind:?}: {:?}", outcome.position);
        }
    }
}

/// \[Bortoff2018\]: with horizontal arms the robot falls away from its pose, +5.25/s. One millimetre beside it at first.
#[test]
fn an_unstable_pose_is_held() {
    let robot = AnyRobot::open("delta-bortoff-b").unwrap();
    let pose = stability::common_motor_path(&robot)(0.0).unwrap();
    assert!(largest_real_part(&robot, &pose).unwrap() > 5.0);
    let [x, y, z] = pose.position;
    let beside = PlatformState::at([x, y, z - 1e-3]);
    let away = |found: Option<PlatformState>| {
        let position = found.unwrap().position;
        (V3::from(position) - V3::from(pose.position)).norm_sq().sqrt()
    };
    let hold = robot.state(&pose).unwrap().dynamics.unwrap().gravity;
    let alone = Simulation::new(&robot, Efforts::Constant(hold)).starting_at(beside).lasting(0.8);
    let alone = alone.sampled_every(0.01).run().unwrap();
    assert!(away(alone.samples.last().map(|s| s.platform)) > 0.02, "falls");
    let tuning = Tuning { frequency: 30.0, takes_differences: false, ..Tuning::default() };
    let experiment = with_usual_gains(Experiment::new(&robot, staying_at(pose.position)).tuned(tuning));
    for kind in [ControllerKind::Lqr, ControllerKind::Place] {
        let mut controller = experiment.controller(kind).unwrap();
        let simulation = Simulation::controlled(&robot, &mut controller)
            .on_plant(Plant::ideal().with_tachometers())
            .starting_at(beside)
            .lasting(0.8)
            .sampled_every(0.01);
        let run = simulation.run().unwrap();
        drop(simulation);
        assert_eq!(controller.fault(), None);
        // Poles of 20/s: e^(−16) of a millimetre, and the hundredth of a micrometre of the motion.
        assert!(away(run.samples.last().map(|s| s.platform)) < 1e-7, "{kind:?} holds");
    }
}

#[test]
fn gains_that_do_not_fit_are_named() {
    let robot = AnyRobot::open("delta-direct-drive").unwrap();
    let run = |tuning: Tuning, kind| {
        Experiment::new(&robot, TimedPath::codourey().unwrap()).tuned(tuning).run(kind).unwrap_err()
    };
    let usual = Tuning::default;
    assert_eq!(run(usual(), ControllerKind::Lqr), ExperimentError::NoGains { what: "gains of lqr" });
    assert_eq!(run(usual(), ControllerKind::Place), ExperimentError::NoGains { what: "gains of place" });
    let short = Tuning { lqr: Some(vec![vec![1.0; 6]; 2]), ..usual() };
    let count = |expected, found| ExperimentError::Count { what: "gains of lqr", expected, found };
    assert_eq!(run(short, ControllerKind::Lqr), count(3, 2));
    let narrow = Tuning { lqr: Some(vec![vec![1.0; 5]; 3]), ..usual() };
    assert_eq!(run(narrow, ControllerKind::Lqr), count(6, 5));
    let bad = Tuning { placed: Some(vec![vec![f64::NAN; 6]; 3]), ..usual() };
    let error = run(bad, ControllerKind::Place).to_string();
    assert!(error.contains("state.position") && error.contains("motor 1"), "{error}");
}

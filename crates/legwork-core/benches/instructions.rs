//! Instructions per call, counted by valgrind: the same on a busy machine.
//!
//! `./ci.sh bench` builds for x86-64-v3, runs this and holds the counts against
//! the bars in `ci/bars.txt`.

#![allow(missing_docs, unused_qualifications)] // the benchmark macros write such code
#![allow(clippy::large_types_passed_by_value)] // they hand the set-up over by value

use gungraun::{library_benchmark, library_benchmark_group, main};
use legwork_core::control::{
    Command, Guard, Measured, Platform, Reference, Regulator, SafeCommand, Settings, Supervisor,
};
use legwork_core::engine::{
    AnyLeg, Drive, Hexapod, HexapodAcceleration, HexapodLanes, Mechanism, PlatformMotion, Pose, RigidBody,
    RobotEffort, Twist, Wrench,
};
use legwork_core::lanes::f64x4;
use legwork_core::robots::catalog;
use legwork_core::robots::delta::{Acceleration, Assembly, Delta, Effort, Forearm, Motion, PostureError};
use legwork_core::robots::gough_stewart::{GoughStewart, Parameters};
use legwork_core::trajectory::optimal::{self, GridPoint, Limits, time_optimal};
use legwork_core::trajectory::{Law, Path, PickAndPlace, SemiEllipse, Shape, TimeLaw, Trajectory};
use legwork_core::{M3, Margin, Sym3, V3};
use std::hint::black_box;

type State = (Delta<f64>, Motion<f64>);
type JointState = (Delta<f64>, V3<f64>, V3<f64>, V3<f64>);

fn state() -> State {
    let motion = Motion {
        position: V3::new(-0.28, -0.19, -0.86),
        velocity: V3::new(1.8, 1.1, -1.6),
        acceleration: V3::new(31.0, -9.6, -13.7),
    };
    (catalog::delta_industrial(), motion)
}

fn joint_state() -> JointState {
    let (delta, motion) = state();
    let effort = delta.inverse_dynamics(&motion, V3::zero()).expect("a reachable state");
    let q = delta.linkage().inverse_kinematics(motion.position).expect("a reachable state");
    (delta, q, effort.qdot, effort.torque)
}

fn lanes() -> (Delta<f64x4>, Motion<f64x4>) {
    let (delta, motion) = state();
    let spread = |v: V3<f64>| v.map(|c| f64x4::from([c, c * 0.9, c * 0.8, c * 0.95]));
    let position = motion.position.zip(V3::new(1.0, 1.0, 0.0), |c, spread| {
        f64x4::from([c, c - 0.01 * spread, c + 0.01 * spread, c + 0.02 * spread])
    });
    let motion =
        Motion { position, velocity: spread(motion.velocity), acceleration: spread(motion.acceleration) };
    (delta.cast(), motion)
}

#[library_benchmark]
#[bench::one(state())]
fn inverse_dynamics((delta, motion): State) -> (V3<f64>, f64) {
    let Margin { value, margin } = black_box(&delta).torque_for(black_box(&motion), V3::zero());
    black_box((value.torque, margin))
}

#[library_benchmark]
#[bench::one(state())]
fn inverse_dynamics_checked((delta, motion): State) -> Result<Effort<f64>, PostureError> {
    black_box(black_box(&delta).inverse_dynamics(black_box(&motion), V3::zero()))
}

#[library_benchmark]
#[bench::one(joint_state())]
fn forward_dynamics_from_joints((delta, q, qdot, tau): JointState) -> Margin<Acceleration<f64>, f64> {
    let (q, qdot, tau) = black_box((q, qdot, tau));
    black_box(black_box(&delta).acceleration_of(q, qdot, tau, V3::zero(), Assembly::Below))
}

#[library_benchmark]
#[bench::one(state())]
fn forward_dynamics_from_platform((delta, motion): State) -> Margin<Acceleration<f64>, f64> {
    let (delta, motion) = (black_box(&delta), black_box(&motion));
    let posture = delta.linkage().posture_at(motion.position).value;
    black_box(delta.acceleration(&posture, motion.velocity, motion.acceleration, V3::zero()))
}

// Four states in one call: divide by four.
#[library_benchmark]
#[bench::one(lanes())]
fn inverse_dynamics_in_four_lanes((delta, motion): (Delta<f64x4>, Motion<f64x4>)) -> (V3<f64x4>, f64x4) {
    let Margin { value, margin } = black_box(&delta).torque_for(black_box(&motion), V3::zero());
    black_box((value.torque, margin))
}

// Four states in one call: divide by four.
#[library_benchmark]
#[bench::one(lanes())]
fn forward_dynamics_in_four_lanes((delta, motion): (Delta<f64x4>, Motion<f64x4>)) -> V3<f64x4> {
    let (delta, motion) = (black_box(&delta), black_box(&motion));
    let posture = delta.linkage().posture_at(motion.position).value;
    black_box(delta.acceleration(&posture, motion.velocity, motion.acceleration, V3::zero()).value.platform)
}

// The rows of [Codourey1998, Table 1].

fn experiment() -> Trajectory<SemiEllipse, Law<f64>> {
    let (from, to) = (V3::new(-0.125, 0.0, -0.5), V3::new(0.125, 0.0, -0.5));
    let path = SemiEllipse::new(from, to, V3::new(0.0, 0.0, 0.06)).expect("an ellipse");
    let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 80.0).expect("a law");
    Trajectory { path, law }
}

// Trajectory: position, velocity and acceleration at an instant.
#[library_benchmark]
#[bench::one(experiment())]
fn table_1_trajectory(run: Trajectory<SemiEllipse, Law<f64>>) -> Motion<f64> {
    black_box(black_box(&run).at(black_box(0.0613)).motion())
}

fn fastest_set_up() -> (Delta<f64>, PickAndPlace, Vec<GridPoint<3>>) {
    let path = PickAndPlace::adept(V3::new(0.0, 0.0, -0.8), 0.025).expect("a cycle");
    (catalog::delta_industrial(), path, vec![GridPoint::EMPTY; 1001])
}

// The fastest Adept cycle, 1000 intervals.
#[library_benchmark]
#[bench::one(fastest_set_up())]
fn time_optimal_adept((delta, path, mut grid): (Delta<f64>, PickAndPlace, Vec<GridPoint<3>>)) -> f64 {
    let limits = Limits::effort(60.0);
    let law =
        time_optimal(black_box(&path), black_box(&delta), &limits, &optimal::Settings::default(), &mut grid);
    black_box(law.map_or(0.0, |law| law.duration()))
}

// Coordinate transformation: platform position to motor angles.
#[library_benchmark]
#[bench::one(state())]
fn table_1_coordinate_transformation((delta, motion): State) -> V3<f64> {
    black_box(black_box(&delta).linkage().posture_at(black_box(motion.position)).value.angles())
}

// Forward kinematics: motor angles to platform position.
#[library_benchmark]
#[bench::one(joint_state())]
fn table_1_forward_kinematics((delta, q, _, _): JointState) -> V3<f64> {
    black_box(black_box(&delta).linkage().posture_of(black_box(q), Assembly::Below).value.position)
}

// Dynamics: the simplified model.
#[library_benchmark]
#[bench::one(state())]
fn table_1_dynamics((delta, motion): State) -> V3<f64> {
    let delta = delta.with_forearm(Forearm::SIMPLIFIED);
    black_box(black_box(&delta).torque_for(black_box(&motion), V3::zero()).value.torque)
}

// Mass matrix in joint space.
#[library_benchmark]
#[bench::one(state())]
fn table_1_mass_matrix((delta, motion): State) -> Sym3<f64> {
    let delta = black_box(&delta);
    black_box(delta.mass_matrix(&delta.linkage().posture_at(black_box(motion.position)).value))
}

#[library_benchmark]
#[bench::one(state())]
fn jacobian((delta, motion): State) -> M3<f64> {
    black_box(black_box(&delta).linkage().posture_at(black_box(motion.position)).value.jacobian())
}

library_benchmark_group!(
    name = delta;
    benchmarks =
        inverse_dynamics,
        inverse_dynamics_checked,
        inverse_dynamics_in_four_lanes,
        forward_dynamics_from_joints,
        forward_dynamics_from_platform,
        forward_dynamics_in_four_lanes,
        table_1_trajectory,
        time_optimal_adept,
        table_1_coordinate_transformation,
        table_1_forward_kinematics,
        table_1_dynamics,
        table_1_mass_matrix,
        jacobian
);

/// The hexapod of the golden file `gough_stewart.json`, rounded.
fn hexapod_parameters() -> Parameters<f64> {
    let ring = |radius: f64, height: f64, angles: [f64; 6]| {
        angles.map(|degrees| {
            let (sin, cos) = degrees.to_radians().sin_cos();
            V3::new(radius * cos, radius * sin, height)
        })
    };
    let inertia = |x, y, z| Sym3 { diagonal: V3::new(x, y, z), off: V3::new(0.001, -0.002, 0.0015) };
    let base = [-10.0, 10.0, 110.0, 130.0, 230.0, 250.0];
    Parameters {
        base_points: ring(0.6, 0.0, base),
        platform_points: ring(0.35, -0.03, [-50.0, 50.0, 70.0, 170.0, 190.0, 290.0]),
        first_axes: ring(1.0, 0.0, base.map(|a| a + 90.0)),
        cylinder: RigidBody {
            mass: 2.4,
            centre: V3::new(0.0, 0.001, 0.22),
            inertia: inertia(0.052, 0.052, 0.0031),
        },
        rod: RigidBody {
            mass: 1.1,
            centre: V3::new(0.0, 0.0, -0.26),
            inertia: inertia(0.031, 0.031, 0.0042),
        },
        drive: Drive::ideal(),
        platform: RigidBody {
            mass: 14.0,
            centre: V3::new(0.01, -0.015, 0.06),
            inertia: inertia(0.62, 0.58, 1.05),
        },
        gravity: 9.81,
    }
}

fn hexapod_motion() -> (Pose<f64>, Twist<f64>, Twist<f64>) {
    let step = Twist::new(V3::new(-0.03, -0.04, 0.87), V3::new(0.1, -0.06, 0.2));
    let twist = Twist::new(V3::new(-0.45, 0.41, -0.12), V3::new(0.86, -0.3, -0.27));
    let acceleration = Twist::new(V3::new(5.9, -2.6, -5.6), V3::new(-11.9, 7.6, -8.5));
    (Pose::identity().moved(&step), twist, acceleration)
}

type One = (HexapodLanes, Pose<f64>, Twist<f64>, Twist<f64>, [f64; 6]);

fn one_hexapod() -> One {
    let (pose, twist, acceleration) = hexapod_motion();
    let force = [-20.0, 30.0, 110.0, 30.0, 3.0, 80.0];
    (HexapodLanes::new(&hexapod_parameters().hexapod()), pose, twist, acceleration, force)
}

type Plain = (Hexapod<f64>, Pose<f64>, Twist<f64>, Twist<f64>, [f64; 6]);

fn plain_hexapod() -> Plain {
    let (_, pose, twist, acceleration, force) = one_hexapod();
    (hexapod_parameters().hexapod(), pose, twist, acceleration, force)
}

type Four = (Hexapod<f64x4>, Pose<f64x4>, Twist<f64x4>, Twist<f64x4>, [f64x4; 6]);

fn four_hexapods() -> Four {
    let (hexapod, pose, twist, acceleration, force) = plain_hexapod();
    let spread = |x: f64| f64x4::from([x, x * 0.9, x * 0.8, x * 0.95]);
    let wide = |t: Twist<f64>| Twist::new(t.linear.map(spread), t.angular.map(spread));
    let pose = Pose { position: pose.position.map(spread), rotation: pose.map(f64x4::from).rotation };
    (hexapod.map(f64x4::from), pose, wide(twist), wide(acceleration), force.map(spread))
}

#[library_benchmark]
#[bench::one(one_hexapod())]
fn hexapod_inverse(state: One) -> Margin<[f64; 6], f64> {
    let (hexapod, pose, twist, acceleration, _) = &state;
    let (pose, twist, acceleration) = (black_box(pose), black_box(twist), black_box(acceleration));
    black_box(black_box(hexapod).inverse_dynamics(pose, *twist, *acceleration, Wrench::zero()))
}

#[library_benchmark]
#[bench::one(one_hexapod())]
fn hexapod_forward(state: One) -> Margin<HexapodAcceleration<f64>, f64> {
    let (hexapod, pose, twist, _, force) = &state;
    let (pose, twist, force) = (black_box(pose), black_box(twist), black_box(force));
    black_box(black_box(hexapod).direct_dynamics(pose, *twist, force, Wrench::zero()))
}

#[library_benchmark]
#[bench::one(plain_hexapod())]
fn hexapod_inverse_one_leg_at_a_time(state: Plain) -> Margin<[f64; 6], f64> {
    let (hexapod, pose, twist, acceleration, _) = &state;
    let (pose, twist, acceleration) = (black_box(pose), black_box(twist), black_box(acceleration));
    black_box(black_box(hexapod).inverse_dynamics(pose, *twist, *acceleration, Wrench::zero()))
}

#[library_benchmark]
#[bench::one(plain_hexapod())]
fn hexapod_forward_one_leg_at_a_time(state: Plain) -> Margin<HexapodAcceleration<f64>, f64> {
    let (hexapod, pose, twist, _, force) = &state;
    let (pose, twist, force) = (black_box(pose), black_box(twist), black_box(force));
    black_box(black_box(hexapod).direct_dynamics(pose, *twist, force, Wrench::zero()))
}

// Four states in one call: divide by four.
#[library_benchmark]
#[bench::one(four_hexapods())]
fn hexapod_inverse_in_four_lanes(state: Four) -> Margin<[f64x4; 6], f64x4> {
    let (hexapod, pose, twist, acceleration, _) = &state;
    let (pose, twist, acceleration) = (black_box(pose), black_box(twist), black_box(acceleration));
    black_box(black_box(hexapod).inverse_dynamics(pose, *twist, *acceleration, Wrench::zero()))
}

// Four states in one call: divide by four.
#[library_benchmark]
#[bench::one(four_hexapods())]
fn hexapod_forward_in_four_lanes(state: Four) -> Margin<HexapodAcceleration<f64x4>, f64x4> {
    let (hexapod, pose, twist, _, force) = &state;
    let (pose, twist, force) = (black_box(pose), black_box(twist), black_box(force));
    black_box(black_box(hexapod).direct_dynamics(pose, *twist, force, Wrench::zero()))
}

type Chains = ([AnyLeg<f64>; 6], GoughStewart<f64>, PlatformMotion<f64, 6>, [f64; 6]);

/// The hexapod as a robot that is known only when its file is read, and not recognised as one.
fn chains() -> Chains {
    let (pose, twist, acceleration) = hexapod_motion();
    let motion = PlatformMotion {
        pose,
        rate: twist.to_vector_linear_first(),
        acceleration: acceleration.to_vector_linear_first(),
    };
    let robot = hexapod_parameters().robot();
    (robot.legs.map(AnyLeg::Three), robot, motion, [-20.0, 30.0, 110.0, 30.0, 3.0, 80.0])
}

fn of_chains<'a>(
    legs: &'a [AnyLeg<f64>],
    robot: &GoughStewart<f64>,
) -> Mechanism<'a, f64, AnyLeg<f64>, 6, 6> {
    Mechanism { platform: robot.platform, legs, space: robot.space, gravity: robot.gravity }
}

// The same robot through chains of joints, one leg at a time.
#[library_benchmark]
#[bench::one(chains())]
fn chains_inverse(state: Chains) -> Margin<RobotEffort<f64, 6>, f64> {
    let (legs, robot, motion, _) = black_box(&state);
    black_box(of_chains(legs, robot).inverse_dynamics(motion, Wrench::zero()))
}

#[library_benchmark]
#[bench::one(chains())]
fn chains_forward(state: Chains) -> [f64; 6] {
    let (legs, robot, motion, force) = black_box(&state);
    let found = of_chains(legs, robot).direct_dynamics(&motion.pose, &motion.rate, force, Wrench::zero());
    black_box(found.value.platform)
}

library_benchmark_group!(
    name = hexapod;
    benchmarks =
        hexapod_inverse,
        hexapod_forward,
        hexapod_inverse_in_four_lanes,
        hexapod_forward_in_four_lanes,
        hexapod_inverse_one_leg_at_a_time,
        hexapod_forward_one_leg_at_a_time,
        chains_inverse,
        chains_forward
);

/// Used in its place: a sample does not move its regulator.
type Step = (Regulator<Delta<f64>, f64, 3>, Reference<f64, 3>, Measured<f64, 3>);

/// The direct-drive Delta on its way, all of its settings as in [Codourey1998, Sec. 5].
fn controller(law: fn(Settings<f64, 3>) -> Settings<f64, 3>) -> Step {
    let delta = catalog::delta_direct_drive().with_forearm(Forearm::SIMPLIFIED);
    let platform = Platform {
        pose: Pose::translation(V3::new(-0.08, 0.02, -0.31)),
        twist: Twist::new(V3::new(2.0, 0.5, 1.0), V3::zero()),
        acceleration: Twist::new(V3::new(50.0, -10.0, 20.0), V3::zero()),
    };
    let reference = Reference::at(&delta, &platform).value;
    let settings = law(Settings::pd([704.0; 3], [7.85; 3]));
    let regulator = Regulator::new(delta, settings, &reference).expect("usable settings");
    (regulator, reference, Measured::angles(reference.q.map(|q| q + 0.002)))
}

// One sample of regulator 4: model at the reference, feedback two samples late.
#[library_benchmark]
#[bench::one(controller(|pd| pd.with_model().with_shift(2)))]
fn regulator_full_model(mut step: Step) -> Command<f64, 3> {
    let (regulator, reference, measured) = &mut step;
    black_box(regulator.update(black_box(reference), black_box(measured), black_box(1e-3)))
}

// The same with second differences of the reference.
#[library_benchmark]
#[bench::one(controller(|pd| pd.with_model().with_shift(2).with_differences()))]
fn regulator_full_model_differences(mut step: Step) -> Command<f64, 3> {
    let (regulator, reference, measured) = &mut step;
    black_box(regulator.update(black_box(reference), black_box(measured), black_box(1e-3)))
}

#[library_benchmark]
#[bench::one(controller(|_| Settings::computed_torque(100.0, 0.7)))]
fn regulator_computed_torque(mut step: Step) -> Command<f64, 3> {
    let (regulator, reference, measured) = &mut step;
    black_box(regulator.update(black_box(reference), black_box(measured), black_box(1e-3)))
}

#[library_benchmark]
#[bench::one(controller(|_| Settings::platform(100.0, 0.7)))]
fn regulator_platform(mut step: Step) -> Command<f64, 3> {
    let (regulator, reference, measured) = &mut step;
    black_box(regulator.update(black_box(reference), black_box(measured), black_box(1e-3)))
}

type HexapodStep = (Regulator<Hexapod<f64>, f64, 6>, Reference<f64, 6>, Measured<f64, 6>);

/// A hexapod one millimetre and some milliradians behind its reference, 1 kHz.
fn hexapod_controller() -> HexapodStep {
    let (pose, twist, acceleration) = hexapod_motion();
    let hexapod = hexapod_parameters().hexapod();
    let before = Platform { pose: pose.moved(&(twist * -1e-3)), twist, acceleration };
    let start = Reference::at(&hexapod, &before).value;
    let settings = Settings::computed_torque(60.0, 0.7);
    let mut regulator = Regulator::new(hexapod, settings, &start).expect("usable settings");
    regulator.update(&start, &Measured::angles(start.q), 1e-3);
    let reference = Reference::at(&hexapod, &Platform { pose, twist, acceleration }).value;
    (regulator, reference, Measured::angles(reference.q.map(|q| q - 1e-4)))
}

#[library_benchmark]
#[bench::one(hexapod_controller())]
fn regulator_hexapod_computed_torque(mut step: HexapodStep) -> Command<f64, 6> {
    let (regulator, reference, measured) = &mut step;
    black_box(regulator.update(black_box(reference), black_box(measured), black_box(1e-3)))
}

type Watched = (Supervisor<Regulator<Delta<f64>, f64, 3>, f64, 3>, Reference<f64, 3>, Measured<f64, 3>);

fn watched() -> Watched {
    let (regulator, reference, measured) = controller(|pd| pd.with_model().with_shift(2));
    let guard = Guard::equal((-1.5, 1.8), 40.0, 0.1, 0.01, SafeCommand::RampDown { time: 0.1 });
    let supervisor = Supervisor::new(regulator, guard, &reference).expect("a usable guard");
    (supervisor, reference, measured)
}

// Regulator 4 under supervision: every input and output judged.
#[library_benchmark]
#[bench::one(watched())]
fn supervised_full_model(mut step: Watched) -> Command<f64, 3> {
    let (supervisor, reference, measured) = &mut step;
    let command = supervisor.update(black_box(reference), Some(black_box(measured)), black_box(1e-3));
    assert!(command.fault.is_none());
    black_box(command)
}

library_benchmark_group!(
    name = control;
    benchmarks =
        regulator_full_model,
        regulator_full_model_differences,
        regulator_computed_torque,
        regulator_hexapod_computed_torque,
        regulator_platform,
        supervised_full_model
);

main!(library_benchmark_groups = delta, hexapod, control);

//! Instructions per call of a robot that was opened by its name, counted by valgrind: the same on a busy machine.
//!
//! `./ci.sh bench` builds for x86-64-v3, runs this and holds the counts against the bars in `ci/bars.txt`.

#![allow(missing_docs, unused_qualifications)] // the benchmark macros write such code

use gungraun::{library_benchmark, library_benchmark_group, main};
use legwork_model::{
    AnyRobot, ForwardDerivatives, PlatformState, PlatformStates, StateMark, rotation_from_roll_pitch_yaw,
};
use std::hint::black_box;

/// Kept alive, so that dropping it is not counted.
type Robot = &'static AnyRobot;

fn opened(name: &str) -> (Robot, PlatformState) {
    let robot = Box::leak(Box::new(AnyRobot::open(name).expect("a built-in robot")));
    let mut state = robot.home();
    let turns = robot.freedoms().len() == 6;
    state.position[0] += 0.03;
    for k in 0..if turns { 6 } else { 3 } {
        state.twist[k] = 0.3 + 0.1 * k as f64;
        state.acceleration[k] = 5.0 - 2.0 * k as f64;
        state.wrench[k] = 1.0;
    }
    if turns {
        state.rotation = rotation_from_roll_pitch_yaw([0.1, -0.06, 0.2]);
    }
    (robot, state)
}

#[library_benchmark]
#[bench::one(opened("delta-industrial"))]
fn robot_delta_inverse((robot, state): (Robot, PlatformState)) -> [f64; 3] {
    let mut effort = [0.0; 3];
    let found = black_box(robot).inverse_dynamics_into(black_box(&state), &mut effort);
    assert!(found.is_ok());
    black_box(effort)
}

#[library_benchmark]
#[bench::one(opened("gough-stewart"))]
fn robot_hexapod_inverse((robot, state): (Robot, PlatformState)) -> [f64; 6] {
    let mut effort = [0.0; 6];
    let found = black_box(robot).inverse_dynamics_into(black_box(&state), &mut effort);
    assert!(found.is_ok());
    black_box(effort)
}

#[library_benchmark]
#[bench::one(opened("delta-industrial"))]
fn robot_delta_forward((robot, state): (Robot, PlatformState)) -> [f64; 6] {
    let (mut platform, mut joint) = ([0.0; 3], [0.0; 3]);
    let efforts = black_box([-5.0, -3.0, -4.0]);
    let found =
        black_box(robot).forward_dynamics_into(black_box(&state), &efforts, &mut platform, &mut joint);
    assert!(found.is_ok());
    black_box([platform[0], platform[1], platform[2], joint[0], joint[1], joint[2]])
}

#[library_benchmark]
#[bench::one(opened("gough-stewart"))]
fn robot_hexapod_forward((robot, state): (Robot, PlatformState)) -> [f64; 12] {
    let (mut answer, efforts) = ([0.0; 12], black_box([20.0, 30.0, 110.0, 30.0, 3.0, 80.0]));
    let (platform, joint) = answer.split_at_mut(6);
    let found = black_box(robot).forward_dynamics_into(black_box(&state), &efforts, platform, joint);
    assert!(found.is_ok());
    black_box(answer)
}

struct Slopes {
    robot: Robot,
    state: PlatformState,
    effort: Vec<f64>,
    found: ForwardDerivatives,
}

/// The state of `opened` with its efforts; the lists are there already.
fn slopes(name: &str) -> &'static mut Slopes {
    let (robot, state) = opened(name);
    let effort = robot.inverse_dynamics(&state).expect("a reachable state");
    let found = robot.forward_dynamics_derivatives(&state, &effort).expect("a regular state");
    Box::leak(Box::new(Slopes { robot, state, effort, found }))
}

impl Slopes {
    fn find(&mut self) -> bool {
        let Self { robot, state, effort, found } = self;
        robot.forward_dynamics_derivatives_into(state, effort, found).is_ok()
    }
}

// Derivatives of the forward dynamics by pose, velocity, efforts and wrench.
#[library_benchmark]
#[bench::one(slopes("delta-industrial"))]
fn robot_delta_derivatives(slopes: &mut Slopes) -> bool {
    black_box(slopes).find()
}

#[library_benchmark]
#[bench::one(slopes("gough-stewart"))]
fn robot_hexapod_derivatives(slopes: &mut Slopes) -> bool {
    black_box(slopes).find()
}

library_benchmark_group!(
    name = one_state;
    benchmarks =
        robot_delta_inverse,
        robot_hexapod_inverse,
        robot_delta_forward,
        robot_hexapod_forward,
        robot_delta_derivatives,
        robot_hexapod_derivatives
);

/// States in a batch.
const STATES: usize = 1024;

struct Many {
    robot: Robot,
    positions: Vec<f64>,
    rotations: Vec<f64>,
    twists: Vec<f64>,
    accelerations: Vec<f64>,
    efforts: Vec<f64>,
    answers: [Vec<f64>; 2],
    marks: Vec<StateMark>,
}

/// The state of `opened`, again and again; kept alive as the robot is.
fn many(name: &str) -> &'static mut Many {
    let (robot, state) = opened(name);
    let again = |numbers: &[f64]| numbers.repeat(STATES);
    let effort = robot.inverse_dynamics(&state).expect("a reachable state");
    Box::leak(Box::new(Many {
        robot,
        positions: again(&state.position),
        rotations: again(state.rotation.as_flattened()),
        twists: again(&state.twist),
        accelerations: again(&state.acceleration),
        efforts: again(&effort),
        answers: [vec![0.0; STATES * effort.len()], vec![0.0; STATES * effort.len()]],
        marks: vec![StateMark::Other; STATES],
    }))
}

impl Many {
    fn inverse(&mut self) -> usize {
        let states = PlatformStates::at(&self.positions).moving(&self.twists, &self.accelerations);
        let turns = self.robot.freedoms().len() == 6;
        let states = if turns { states.turned(&self.rotations) } else { states };
        let batch = black_box(self.robot).batch().on_threads(1);
        batch.inverse_dynamics(&states, &mut self.answers[0], &mut self.marks).expect("lists of one length")
    }

    fn forward(&mut self) -> usize {
        let states = PlatformStates::at(&self.positions).moving(&self.twists, &self.accelerations);
        let turns = self.robot.freedoms().len() == 6;
        let states = if turns { states.turned(&self.rotations) } else { states };
        let batch = black_box(self.robot).batch().on_threads(1);
        let [platform, joint] = &mut self.answers;
        batch
            .forward_dynamics(&states, &self.efforts, platform, joint, &mut self.marks)
            .expect("lists of one length")
    }
}

// 1024 states in one call.
#[library_benchmark]
#[bench::one(many("delta-industrial"))]
fn robot_delta_inverse_batch(many: &mut Many) -> usize {
    black_box(many).inverse()
}

#[library_benchmark]
#[bench::one(many("delta-industrial"))]
fn robot_delta_forward_batch(many: &mut Many) -> usize {
    black_box(many).forward()
}

#[library_benchmark]
#[bench::one(many("gough-stewart"))]
fn robot_hexapod_inverse_batch(many: &mut Many) -> usize {
    black_box(many).inverse()
}

#[library_benchmark]
#[bench::one(many("gough-stewart"))]
fn robot_hexapod_forward_batch(many: &mut Many) -> usize {
    black_box(many).forward()
}

library_benchmark_group!(
    name = many_states;
    benchmarks =
        robot_delta_inverse_batch,
        robot_delta_forward_batch,
        robot_hexapod_inverse_batch,
        robot_hexapod_forward_batch
);

main!(library_benchmark_groups = one_state, many_states);

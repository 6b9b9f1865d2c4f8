//! How long the calls of a robot take on this machine: \[Codourey1998, Table 1\] for one's own robot.

use crate::{AnyRobot, LegForce, PlatformState, PlatformStates, RobotError, StateMark};
use legwork_core::V3;
use legwork_core::trajectory::{Law, Line, Path, Shape, Trajectory};
use std::hint::black_box;
use std::time::Instant;

/// Blocks of which the median counts.
const BLOCKS: usize = 31;
/// States along the way.
const STATES: usize = 20;
/// How often each state is asked in a block.
const ROUNDS: usize = 20;
/// Length of the way through the home position, in units of how far the robot's platform is from its base.
const REACH: f64 = 0.02;

/// One call and the time it takes.
#[derive(Clone, Debug, PartialEq)]
pub struct CallTime {
    /// What is computed.
    pub call: &'static str,
    /// What \[Codourey1998, Table 1\] has for the same task of a Delta on a T800 transputer \[s\].
    pub in_1998: Option<f64>,
    /// Median time of a call \[s\].
    pub seconds: f64,
}

/// About how long a call is measured \[s\]: one that takes long is asked less often.
const LONGEST: f64 = 0.5;
/// Fewest blocks, of the slowest calls.
const FEWEST: usize = 3;

/// Median time of a call over these inputs \[s\].
pub fn median_time<S, R>(inputs: &[S], mut call: impl FnMut(&S) -> R) -> f64 {
    let mut block = |rounds: usize| {
        let begin = Instant::now();
        for input in (0..rounds).flat_map(|_| inputs) {
            black_box(call(black_box(input)));
        }
        begin.elapsed().as_secs_f64()
    };
    let once = block(1);
    let fitting = |most: usize, time: f64| (0..most).take_while(|k| (k + 1) as f64 * once <= time).count();
    let rounds = fitting(ROUNDS, LONGEST / BLOCKS as f64).max(1);
    let count = fitting(BLOCKS, LONGEST).max(FEWEST);
    let mut blocks: Vec<f64> =
        (0..count).map(|_| block(rounds) / (rounds * inputs.len()).max(1) as f64).collect();
    blocks.sort_by(f64::total_cmp);
    blocks.get(count / 2).copied().unwrap_or(f64::NAN)
}

/// The times of the calls of a robot on a short way through its home position, on one thread, in the caller's memory.
pub fn call_times(robot: &AnyRobot) -> Result<Vec<CallTime>, RobotError> {
    let states = states(robot);
    let (joints, freedoms) = (robot.joints().len(), robot.freedoms().len());
    let (mut q, mut effort) = (vec![0.0; joints], vec![0.0; joints]);
    let mut motors = Vec::new();
    for state in &states {
        robot.inverse_kinematics_into(state, &mut q)?;
        motors.push(q.clone());
    }
    let mut times = vec![path_sample(&states)];
    let mut add = |call, in_1998: Option<f64>, seconds| {
        times.push(CallTime { call, in_1998: in_1998.filter(|_| robot.linkage().is_some()), seconds });
    };
    let inverse = median_time(&states, |state| robot.inverse_kinematics_into(state, &mut q));
    add("inverse kinematics", Some(244e-6), inverse);
    let mut found = robot.home();
    add("forward kinematics", None, median_time(&motors, |q| robot.forward_kinematics_into(q, &mut found)));
    let mut rows = vec![0.0; joints * freedoms];
    add("Jacobian", None, median_time(&states, |state| robot.jacobian_into(state, &mut rows)));
    if robot.has_masses() {
        let inverse = median_time(&states, |state| robot.inverse_dynamics_into(state, &mut effort));
        add("inverse dynamics", Some(704e-6), inverse);
        let (mut platform, mut qdd, given) = (vec![0.0; freedoms], vec![0.0; joints], effort.clone());
        let forward =
            median_time(&states, |state| robot.forward_dynamics_into(state, &given, &mut platform, &mut qdd));
        add("forward dynamics", None, forward);
        let mut rows = vec![0.0; joints * joints];
        let masses = median_time(&states, |state| robot.mass_matrix_into(state, &mut rows));
        add("mass matrix", Some(233e-6), masses);
        let mut forces = vec![LegForce::default(); robot.leg_count()];
        add(
            "forces of the legs",
            None,
            median_time(&states, |state| robot.leg_forces_into(state, &mut forces)),
        );
        add("inverse dynamics in a batch, each", None, batch(robot, &states));
    }
    Ok(times)
}

/// One state of a reference: position, velocity and acceleration at an instant.
fn path_sample(states: &[PlatformState]) -> CallTime {
    let [from, to] = [states.first(), states.last()]
        .map(|state| state.map_or_else(V3::zero, |state| V3::from(state.position)));
    let seconds = Line::new(from, to).ok().and_then(|path| {
        let law = Law::by_peak_acceleration(Shape::sine(), path.length(), 1.0).ok()?;
        let run = Trajectory { path, law };
        let instants: Vec<f64> =
            (0..STATES).map(|k| run.duration() * k as f64 / (STATES - 1) as f64).collect();
        Some(median_time(&instants, |t| run.at(*t).motion()))
    });
    CallTime { call: "one sample of a path", in_1998: Some(149e-6), seconds: seconds.unwrap_or(f64::NAN) }
}

/// Moving states on a line through home, as far as the robot reaches.
fn states(robot: &AnyRobot) -> Vec<PlatformState> {
    let home = robot.home();
    let size = home.position.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-3) * REACH;
    let moved = |k: usize| {
        let mut state = home;
        let share = k as f64 / (STATES - 1) as f64 - 0.5;
        for freedom in robot.freedoms().iter().filter(|freedom| !freedom.turns()) {
            state.position[freedom.component] += size * share;
        }
        for freedom in robot.freedoms() {
            state.twist[freedom.component] = 0.1;
            state.acceleration[freedom.component] = 1.0;
        }
        state
    };
    let list: Vec<PlatformState> = (0..STATES).map(moved).collect();
    let reaches = list.iter().all(|state| robot.inverse_kinematics(state).is_ok());
    if reaches { list } else { vec![PlatformState { position: home.position, ..moved(0) }; STATES] }
}

/// The same states again and again in one call.
fn batch(robot: &AnyRobot, states: &[PlatformState]) -> f64 {
    let all = || states.iter().cycle().take(1024);
    let positions: Vec<f64> = all().flat_map(|state| state.position).collect();
    let rotations: Vec<f64> = all().flat_map(|state| state.rotation.concat()).collect();
    let twists: Vec<f64> = all().flat_map(|state| state.twist).collect();
    let accelerations: Vec<f64> = all().flat_map(|state| state.acceleration).collect();
    let lists = PlatformStates::at(&positions).turned(&rotations).moving(&twists, &accelerations);
    let mut efforts = vec![0.0; 1024 * robot.joints().len()];
    let mut marks = vec![StateMark::Other; 1024];
    let batch = robot.batch().on_threads(1);
    median_time(&[()], |()| batch.inverse_dynamics(&lists, &mut efforts, &mut marks)) / 1024.0
}

//! Identities of any robot of the general engine over random states around its home.

use super::{CheckSummary, Ledger, Watch, relative_error};
use crate::random::Random;
use crate::rotation::{from_roll_pitch_yaw, from_rotation_vector, product};
use crate::{AnyRobot, PlatformState, State};

/// Rounding, times the condition of the states visited.
const BAR: f64 = 1e-10;
/// Differences of fourth order: truncation and rounding (1e-16 over the step) meet below 1e-9, times
/// the curvature of legs that are not far from stretched.
const DIFFERENCE: f64 = 1e-5;
/// Their step \[s\].
const STEP: f64 = 2e-4;
/// States with a worse condition number than this are left out.
const WORST_CONDITION: f64 = 200.0;

/// Checks a robot of the general engine.
pub(super) fn check_engine(robot: &AnyRobot, states: usize, seed: u64, watch: Watch<'_>) -> CheckSummary {
    let mut ledger = Ledger::default();
    let mut random = Random::new(seed);
    let mut visited = 0;
    for _ in 0..states.saturating_mul(50) {
        if visited == states || !watch(visited) {
            break;
        }
        let platform = scattered(robot, &mut random);
        let Ok(state) = robot.state(&platform) else { continue };
        if state.singularity.condition > WORST_CONDITION {
            continue;
        }
        visited += 1;
        kinematics(&mut ledger, robot, &state);
        if robot.has_masses() {
            dynamics(&mut ledger, robot, &state, &mut random);
        }
    }
    let skipped =
        if robot.has_masses() { Vec::new() } else { vec![("all dynamics", "the masses are missing")] };
    CheckSummary { states: visited, seed, findings: ledger.0, skipped }
}

/// A state around the home pose: a fifth of the robot's size away, turned by up to 15°.
fn scattered(robot: &AnyRobot, random: &mut Random) -> PlatformState {
    let home = robot.home();
    let size = 0.2 * robot.platform_size().max(home.position.iter().fold(0.0, |m: f64, x| m.max(x.abs())));
    let mut state = home;
    let mut turn = [0.0; 3];
    for freedom in robot.freedoms() {
        let k = freedom.component;
        if freedom.turns() {
            turn[k - 3] = random.uniform(-0.25, 0.25);
        } else {
            state.position[k] += random.uniform(-size, size);
        }
        state.twist[k] = random.uniform(-1.0, 1.0);
        state.acceleration[k] = random.uniform(-10.0, 10.0);
        state.wrench[k] = random.uniform(-20.0, 20.0);
    }
    let turn = from_roll_pitch_yaw(turn);
    state.rotation = product(&turn, &home.rotation);
    state
}

/// The state a moment `dt` later, with velocities that follow the acceleration.
fn later(state: &PlatformState, dt: f64) -> PlatformState {
    let (v, a) = (&state.twist, &state.acceleration);
    let moved = |k: usize| v[k] * dt + 0.5 * a[k] * dt * dt;
    // Turn about the mean angular velocity: exact to third order.
    let w: [f64; 3] = std::array::from_fn(|k| moved(3 + k));
    let turn = from_rotation_vector(w);
    PlatformState {
        position: std::array::from_fn(|k| state.position[k] + moved(k)),
        rotation: product(&turn, &state.rotation),
        twist: std::array::from_fn(|k| v[k] + a[k] * dt),
        ..*state
    }
}

fn times(m: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    m.iter().map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum()).collect()
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn sum(lists: &[&[f64]]) -> Vec<f64> {
    let length = lists.first().map_or(0, |list| list.len());
    (0..length).map(|k| lists.iter().filter_map(|list| list.get(k)).sum()).collect()
}

/// The freedom components of a list of six.
fn free(robot: &AnyRobot, six: &[f64; 6]) -> Vec<f64> {
    robot.freedoms().iter().map(|freedom| six[freedom.component]).collect()
}

fn kinematics(ledger: &mut Ledger, robot: &AnyRobot, state: &State) {
    let platform = &state.platform;
    let start = later(platform, 1e-3);
    if let Ok(back) = robot.forward_kinematics(&state.q, &start) {
        let error = relative_error(&back.position, &platform.position)
            .max(relative_error(back.rotation.as_flattened(), platform.rotation.as_flattened()));
        ledger.note("forward of inverse kinematics = identity", BAR, error);
    }
    ledger.note(
        "Jacobian times joint velocity = platform velocity",
        BAR,
        relative_error(&times(&state.jacobian, &state.qd), &free(robot, &platform.twist)),
    );
    // qd and qdd against differences along the motion
    let joints = |dt: f64| robot.inverse_kinematics(&later(platform, dt)).ok().map(|solution| solution.q);
    if let Some(rate) = rate_of(joints) {
        ledger.note("joint velocity = difference of joints", DIFFERENCE, relative_error(&state.qd, &rate));
    }
    let velocity = |dt: f64| robot.state(&later(platform, dt)).ok().map(|state| state.qd);
    if let Some(rate) = rate_of(velocity) {
        ledger.note(
            "joint acceleration = difference of velocities",
            DIFFERENCE,
            relative_error(&state.qdd, &rate),
        );
    }
    if let Ok(back) = robot.platform_from_joints(&state.q, &state.qd, &state.qdd, &start) {
        let error = relative_error(&free(robot, &back.acceleration), &free(robot, &platform.acceleration));
        ledger.note("accelerations there and back", BAR, error);
    }
}

/// The derivative in time at 0, by four values around it; angles may jump by a turn.
fn rate_of(f: impl Fn(f64) -> Option<Vec<f64>>) -> Option<Vec<f64>> {
    let [far_before, before, after, far_after] = [f(-2.0 * STEP)?, f(-STEP)?, f(STEP)?, f(2.0 * STEP)?];
    let near = after.iter().zip(&before).map(|(a, b)| turned(a - b));
    let far = far_after.iter().zip(&far_before).map(|(a, b)| turned(a - b));
    Some(near.zip(far).map(|(near, far)| (8.0 * near - far) / (12.0 * STEP)).collect())
}

/// An angle difference brought into ±π; lengths are far smaller.
fn turned(difference: f64) -> f64 {
    let tau = std::f64::consts::TAU;
    difference - tau * (difference / tau).round()
}

fn dynamics(ledger: &mut Ledger, robot: &AnyRobot, state: &State, random: &mut Random) {
    let Some(d) = &state.dynamics else { return };
    let platform = &state.platform;
    if robot.joints().len() == robot.freedoms().len() {
        let parts = sum(&[&d.inertial, &d.coriolis, &d.gravity, &d.external]);
        ledger.note("effort = inertia + Coriolis + gravity - Jt w", BAR, relative_error(&parts, &d.effort));
        let kinetic = 0.5 * dot(&state.qd, &times(&d.mass_matrix, &state.qd));
        ledger.note("kinetic energy = half qd A qd", BAR, relative_error(&[kinetic], &[d.kinetic_energy]));
    }
    let v = free(robot, &platform.twist);
    let kinetic = 0.5 * dot(&v, &times(&d.platform_mass_matrix, &v));
    ledger.note("kinetic energy = half V M V", BAR, relative_error(&[kinetic], &[d.kinetic_energy]));

    if let Ok(back) = robot.forward_dynamics(platform, &d.motor) {
        let error = relative_error(&back.platform, &free(robot, &platform.acceleration));
        ledger.note("forward of inverse dynamics = identity", BAR, error);
    }
    let transposed: Vec<Vec<f64>> = (0..d.platform_mass_matrix.len())
        .map(|j| d.platform_mass_matrix.iter().filter_map(|row| row.get(j)).copied().collect())
        .collect();
    ledger.note(
        "platform mass matrix symmetric",
        BAR,
        relative_error(&transposed.concat(), &d.platform_mass_matrix.concat()),
    );
    let direction: Vec<f64> = v.iter().map(|_| random.uniform(-1.0, 1.0)).collect();
    let energy = dot(&direction, &times(&d.platform_mass_matrix, &direction));
    ledger.note("mass matrix positive definite", 0.0, if energy > 0.0 { 0.0 } else { f64::INFINITY });

    // d/dt (T + V) = effort·qd + w·V, by differences in time
    let total = |dt: f64| {
        let found = robot.state(&later(platform, dt)).ok()?.dynamics?;
        Some(found.kinetic_energy + found.potential_energy)
    };
    let values = [-2.0, -1.0, 1.0, 2.0].map(|k| total(k * STEP));
    if let [Some(far_before), Some(before), Some(after), Some(far_after)] = values {
        let rate = (8.0 * (after - before) - (far_after - far_before)) / (12.0 * STEP);
        let terms: Vec<f64> = d
            .effort
            .iter()
            .zip(&state.qd)
            .map(|(e, q)| e * q)
            .chain((0..6).map(|k| platform.wrench[k] * platform.twist[k]))
            .collect();
        let scale: f64 = terms.iter().map(|term| term.abs()).sum();
        ledger.note("power balances", DIFFERENCE, (rate - terms.iter().sum::<f64>()).abs() / scale);
    }
}

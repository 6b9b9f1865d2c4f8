//! Golden files of mechanisms: bodies and joints with loops, states, and motions.

mod motion;
mod reader;

pub(super) use motion::check_motion;
pub(super) use reader::description;

use super::super::ledger::{Ledger, within_half_a_turn};
use super::format::{self, Format};
use super::{GoldenComparison, GoldenError, asked, go_on, missing};
use crate::families::golden::numbers;
use crate::mechanism::{Configuration, MechanismError, MechanismModel, PlatformPose, Target, Workspace};
use crate::sorting::sort_by;
use legwork_core::Real;
use legwork_core::engine::Pose;
use reader::{model, number, poses, rotation};
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// Golden mechanisms are good to about 1e-12: rounding times the condition of their states.
const BAR: f64 = 1e-10;
/// The components of a twist.
const TWIST: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

const TOP: [&str; 22] = [
    "format",
    "name",
    "set",
    "description",
    "conventions",
    "method",
    "gravity",
    "bodies",
    "joints",
    "platform",
    "platform_point",
    "mobility",
    "idle_freedoms",
    "redundant_constraints",
    "constraint_rows",
    "motors",
    "coordinates",
    "home",
    "branch",
    "self_check",
    "springs",
    "states",
];

/// The keys of a file of states.
const STATES: Format = Format {
    top: &[
        TOP[0],
        TOP[1],
        TOP[2],
        TOP[3],
        TOP[4],
        TOP[5],
        TOP[6],
        TOP[7],
        TOP[8],
        TOP[9],
        TOP[10],
        TOP[11],
        TOP[12],
        TOP[13],
        TOP[14],
        TOP[15],
        TOP[16],
        TOP[17],
        TOP[18],
        TOP[19],
        TOP[20],
        TOP[21],
        "characteristic_length",
        "motor_length",
    ],
    list: "states",
    least: 1,
    entries: &[
        "/bodies",
        "/motor/q",
        "/motor/qd",
        "/motor/qdd",
        "/platform/position",
        "/platform/rotation",
        "/platform/twist",
        "/platform/acceleration",
        "/effort",
        "/gravity_effort",
        "/mass_matrix",
        "/coriolis_effort",
        "/forward/effort",
        "/forward/qdd",
        "/forward/platform_acceleration",
        "/external/wrench",
        "/external/effort",
        "/kinetic_energy",
        "/potential_energy",
        "/condition",
    ],
    answers: &[
        "/bodies",
        "/platform/position",
        "/platform/rotation",
        "/platform/twist",
        "/platform/acceleration",
        "/effort",
        "/gravity_effort",
        "/mass_matrix",
        "/coriolis_effort",
        "/forward/qdd",
        "/forward/platform_acceleration",
        "/external/effort",
        "/kinetic_energy",
        "/potential_energy",
        "/condition",
    ],
};

/// Compares a file of states.
pub(super) fn check_states(
    file: &Value,
    cancelled: Option<&AtomicBool>,
) -> Result<GoldenComparison, GoldenError> {
    let keys = format::check(file, &STATES)?;
    let model = model(file)?;
    let mut ledger = Ledger::default();
    mobility(&mut ledger, file, &model);
    let states = file["states"].as_array().ok_or_else(|| missing("/states"))?;
    let mut workspace = model.workspace();
    home(&mut ledger, file, &model, &mut workspace)?;
    for (number, state) in states.iter().enumerate() {
        go_on(cancelled)?;
        compare(&mut ledger, &model, file, (state, number), &mut workspace)?;
    }
    Ok(GoldenComparison {
        robot: model.name().into(),
        states: states.len(),
        findings: ledger.into_findings(),
        not_compared: keys.absent(),
    })
}

/// The counts of the file against those that were found.
fn mobility(ledger: &mut Ledger, file: &Value, model: &MechanismModel) {
    let found = model.mobility();
    let counts = [
        ("mobility", "mobility", found.freedoms),
        ("idle freedoms", "idle_freedoms", found.idle_freedoms),
        ("redundant constraints", "redundant_constraints", found.redundant_constraints),
        ("constraint rows", "constraint_rows", found.constraint_rows),
    ];
    for (name, key, count) in counts {
        if let Some(value) = file.get(key) {
            ledger.require(name, value.as_u64() == Some(count as u64));
        }
    }
}

/// The posture at home must be closed as it is listed: what is said of it is then true of every state that starts there.
fn home(
    ledger: &mut Ledger,
    file: &Value,
    model: &MechanismModel,
    workspace: &mut Workspace<f64>,
) -> Result<(), GoldenError> {
    let found = model.body_poses(model.home(), workspace);
    for (found, listed) in found.iter().zip(&model.description().bodies) {
        let place = listed.home.position.to_array();
        ledger.measure("home closed as listed, position", BAR, &found.position, &place, model.length());
        let rows = listed.home.rotation.to_rows();
        let turned = found.rotation.as_flattened();
        ledger.measure("home closed as listed, rotation", BAR, turned, rows.as_flattened(), 1.0);
    }
    if let Some(q) = file["home"].get("q") {
        let listed = numbers(q).ok_or_else(|| missing("/home/q"))?;
        counted("/home/q", &listed, model.motors().len())?;
        let found = same_turn(model, &model.motor_values(model.home()), &listed);
        ledger.compare("home, motors", BAR, &found, &listed, 1e-3 * model.length().min(1.0));
    }
    Ok(())
}

/// Values of motors in the turns of others.
fn same_turn(model: &MechanismModel, values: &[f64], of: &[f64]) -> Vec<f64> {
    let pairs = values.iter().zip(of).zip(model.motors());
    pairs.map(|((x, of), motor)| if motor.slides { *x } else { of + within_half_a_turn(x - of) }).collect()
}

/// As many numbers as there must be.
fn counted(pointer: &str, list: &[f64], expected: usize) -> Result<(), GoldenError> {
    if list.len() == expected {
        return Ok(());
    }
    Err(GoldenError::Count { pointer: pointer.into(), found: list.len(), expected })
}

/// Compares one state.
fn compare(
    ledger: &mut Ledger,
    model: &MechanismModel,
    file: &Value,
    (state, number): (&Value, usize),
    workspace: &mut Workspace<f64>,
) -> Result<(), GoldenError> {
    let at = |pointer: &str| -> Result<Option<Vec<f64>>, GoldenError> {
        let fault = || missing(format!("/states/{number}{pointer}"));
        state.pointer(pointer).map(|value| numbers(value).ok_or_else(fault)).transpose()
    };
    let given = |pointer: &str| at(pointer)?.ok_or_else(|| missing(format!("/states/{number}{pointer}")));
    let failed = |error: MechanismError| GoldenError::Mechanism { state: Some(number), error };
    let per_motor = |pointer: &str| -> Result<Vec<f64>, GoldenError> {
        let list = given(pointer)?;
        counted(&format!("/states/{number}{pointer}"), &list, model.motors().len())?;
        Ok(list)
    };
    let (q, qd, qdd) = (per_motor("/motor/q")?, per_motor("/motor/qd")?, per_motor("/motor/qdd")?);
    let here = if state.get("bodies").is_some() {
        let listed = poses(model, state, &format!("/states/{number}"))?;
        let here = model.assemble(&listed, Some(&q)).map_err(failed)?;
        bodies(ledger, model, &listed, (&here, &q), workspace).map_err(failed)?;
        here
    } else {
        model.forward_kinematics(&q, model.home(), workspace).map_err(failed)?
    };
    // Forward kinematics from home, along a straight line in the motors.
    let reached = model.forward_kinematics(&q, model.home(), workspace).map_err(failed)?;
    let pose = model.platform_pose(&reached, workspace);
    // Far from home another order of elimination may be needed.
    let other = model.suited_to(&here, workspace);
    let mut memory = other.as_ref().map(MechanismModel::workspace);
    let model = other.as_ref().unwrap_or(model);
    let workspace = memory.as_mut().unwrap_or(workspace);
    let size = |lists: &[&[f64]]| lists.concat().iter().fold(0.0, |m, x| Real::max(m, x.abs())) * 1e-3;
    let effort = model.inverse_dynamics(&here, &qd, &qdd, [0.0; 6], workspace).map_err(failed)?;
    let gravity = model.gravity(&here, workspace).map_err(failed)?;
    let torques = size(&[&effort, &gravity]);
    let (twist, acceleration) = model.platform_motion(&here, &qd, &qdd, workspace).map_err(failed)?;
    let (speeds, rates) = (size(&[&qd, &twist]), size(&[&qdd, &acceleration]));
    let length = model.length();
    let mut note = |name, pointer: &str, value: &[f64], floor: f64| -> Result<(), GoldenError> {
        if let Some(reference) = at(pointer)? {
            counted(&format!("/states/{number}{pointer}"), &reference, value.len())?;
            ledger.compare(name, BAR, value, &reference, floor);
        }
        Ok(())
    };
    let turned = state.pointer("/platform/rotation");
    let turned =
        turned.map(|rows| rotation(rows, &format!("/states/{number}/platform/rotation"))).transpose()?;
    note("forward kinematics, position", "/platform/position", &pose.position, 1e-3 * length)?;
    note("forward kinematics, rotation", "/platform/rotation", pose.rotation.as_flattened(), 0.0)?;
    note("platform twist", "/platform/twist", &twist, speeds)?;
    note("platform acceleration", "/platform/acceleration", &acceleration, rates)?;
    note("effort", "/effort", &effort, torques)?;
    note("gravity effort", "/gravity_effort", &gravity, torques)?;
    if state.get("mass_matrix").is_some() {
        let mass = model.mass_matrix(&here, workspace).map_err(failed)?;
        note("mass matrix", "/mass_matrix", &mass.concat(), 0.0)?;
    }
    if state.get("coriolis_effort").is_some() {
        let coriolis = model.coriolis(&here, &qd, workspace).map_err(failed)?;
        note("Coriolis effort", "/coriolis_effort", &coriolis, torques)?;
    }
    let energies = model.energies(&here, &qd, workspace).map_err(failed)?;
    note("kinetic energy", "/kinetic_energy", &[energies.kinetic], 0.0)?;
    note("potential energy", "/potential_energy", &[energies.potential], 0.0)?;
    asked(state, number, "/forward/effort", &["/forward/qdd", "/forward/platform_acceleration"])?;
    asked(state, number, "/external/wrench", &["/external/effort"])?;
    if let Some(efforts) = at("/forward/effort")? {
        let found = model.forward_dynamics(&here, &qd, &efforts, [0.0; 6], workspace).map_err(failed)?;
        note("forward dynamics, motors", "/forward/qdd", &found.motors, 0.0)?;
        note("forward dynamics, platform", "/forward/platform_acceleration", &found.platform, 0.0)?;
    }
    if let Some(wrench) = fixed(at("/external/wrench")?, number, "/external/wrench")? {
        let pulled = model.inverse_dynamics(&here, &qd, &qdd, wrench, workspace).map_err(failed)?;
        note("effort under an external wrench", "/external/effort", &pulled, torques)?;
    }
    if state.get("condition").is_some() {
        let condition = condition(file, model, &here, workspace)?;
        note("condition", "/condition", &[condition], 0.0)?;
    }
    let position = fixed(at("/platform/position")?, number, "/platform/position")?;
    let of_platform = |key: &str| fixed(at(key)?, number, key);
    let motion = (of_platform("/platform/twist")?, of_platform("/platform/acceleration")?);
    if let (Some(position), Some(turned), (Some(twist), Some(acceleration))) = (position, turned, motion) {
        let pose = PlatformPose { position, rotation: turned.to_rows() };
        let motors = (&here, [&q[..], &qd, &qdd]);
        platform(ledger, model, &pose, (twist, acceleration), motors, workspace).map_err(failed)?;
    }
    Ok(())
}

/// A list of so many numbers, if the state has it.
fn fixed<const N: usize>(
    list: Option<Vec<f64>>,
    number: usize,
    pointer: &str,
) -> Result<Option<[f64; N]>, GoldenError> {
    let Some(list) = list else { return Ok(None) };
    counted(&format!("/states/{number}{pointer}"), &list, N)?;
    Ok(list.try_into().ok())
}

/// Poses of bodies: from the listed ones closed, and from home by forward kinematics.
fn bodies(
    ledger: &mut Ledger,
    model: &MechanismModel,
    listed: &[Pose<f64>],
    (here, q): (&Configuration, &[f64]),
    workspace: &mut Workspace<f64>,
) -> Result<(), MechanismError> {
    let length = model.length();
    let reached = model.forward_kinematics(q, model.home(), workspace)?;
    let ways = [
        ("bodies closed as listed, position", "bodies closed as listed, rotation", here, false),
        ("bodies by forward kinematics, position", "bodies by forward kinematics, rotation", &reached, true),
    ];
    for (position, rotation, at, spun) in ways {
        let found = model.body_poses(at, workspace);
        for ((body, found), listed) in model.description().bodies.iter().zip(found).zip(listed) {
            // Where a body spins idly, its own way from home tells neither its rotation nor, off its axis, its place.
            if spun && model.mobility().idle_bodies.contains(&body.name) {
                continue;
            }
            let place = listed.position.to_array();
            ledger.measure(position, BAR, &found.position, &place, length);
            let rows = listed.rotation.to_rows();
            ledger.measure(rotation, BAR, found.rotation.as_flattened(), rows.as_flattened(), 1.0);
        }
    }
    Ok(())
}

/// From the platform to the motors.
fn platform(
    ledger: &mut Ledger,
    model: &MechanismModel,
    pose: &PlatformPose,
    (twist, acceleration): ([f64; 6], [f64; 6]),
    (here, [q, qd, qdd]): (&Configuration, [&[f64]; 3]),
    workspace: &mut Workspace<f64>,
) -> Result<(), MechanismError> {
    let found = along_the_motors_way(model, pose, q, workspace)?;
    let values = same_turn(model, &model.motor_values(&found), q);
    ledger.compare("inverse kinematics q", BAR, &values, q, 1e-3 * model.length().min(1.0));
    // What the platform does not tell is given.
    let held = |list: &[f64]| -> Vec<f64> {
        model.mobility().held.iter().filter_map(|motor| list.get(*motor).copied()).collect()
    };
    let (rates, accelerations) =
        model.motor_motion_with(here, (&twist, &acceleration), (&held(qd), &held(qdd)), workspace)?;
    let size = |lists: &[&[f64]]| lists.concat().iter().fold(0.0, |m, x| Real::max(m, x.abs())) * 1e-3;
    ledger.compare("motor rates from the platform", BAR, &rates, qd, size(&[qd, &twist]));
    let floor = size(&[qdd, &acceleration]);
    ledger.compare("motor accelerations from the platform", BAR, &accelerations, qdd, floor);
    Ok(())
}

/// Inverse kinematics from home to a pose, along the poses that the platform has while the motors go straight from home
/// to these values: the way by which the states of a file are reached. A straight way of the platform may leave its branch.
fn along_the_motors_way(
    model: &MechanismModel,
    pose: &PlatformPose,
    motors: &[f64],
    workspace: &mut Workspace<f64>,
) -> Result<Configuration, MechanismError> {
    // Beside a stretched leg even a short straight way may lead out of reach.
    const PARTS: [usize; 3] = [8, 32, 128];
    let way = model.way_of_motors(motors, model.home());
    let mut go = |parts: usize| {
        let step: Vec<f64> = way.iter().map(|off| off / parts as f64).collect();
        let (mut driven, mut found) = (model.home().clone(), model.home().clone());
        for _ in 1..parts {
            driven = model.follow_motors(&step, &driven, workspace)?;
            let between = model.platform_pose(&driven, workspace);
            found = with_held_of(model, &model.motor_values(&driven), found, workspace)?;
            found = model.inverse_kinematics(&between, Target::Pose, &found, workspace)?;
        }
        let found = with_held_of(model, motors, found, workspace)?;
        model.inverse_kinematics(pose, Target::Pose, &found, workspace)
    };
    let mut found = go(PARTS[0]);
    for parts in &PARTS[1..] {
        if let Err(MechanismError::EndOfReach { .. }) = found {
            found = go(*parts);
        }
    }
    found
}

/// A configuration with the motors that the platform does not tell at these values of all motors.
fn with_held_of(
    model: &MechanismModel,
    motors: &[f64],
    at: Configuration,
    workspace: &mut Workspace<f64>,
) -> Result<Configuration, MechanismError> {
    if model.mobility().held.is_empty() {
        return Ok(at);
    }
    let mut values = model.motor_values(&at);
    for motor in &model.mobility().held {
        values[*motor] = motors[*motor];
    }
    model.forward_kinematics(&values, &at, workspace)
}

/// Largest over f-th singular value of the map from motor rates to the platform's twist, in the file's lengths. Rates
/// of redundant motors that no motion has are mapped to nothing.
fn condition(
    file: &Value,
    model: &MechanismModel,
    here: &Configuration,
    workspace: &mut Workspace<f64>,
) -> Result<f64, GoldenError> {
    let length = number(&file["characteristic_length"], "/characteristic_length")?;
    let motor_length = number(&file["motor_length"], "/motor_length")?;
    let failed = |error| GoldenError::Mechanism { state: None, error };
    let jacobian = model.jacobian(here, workspace).map_err(failed)?;
    let slopes = model.motor_slopes(here, workspace).map_err(failed)?;
    let freedoms = slopes.first().map_or(0, Vec::len);
    let p = nalgebra::DMatrix::from_fn(6, freedoms, |r, c| jacobian[r][c] * if r < 3 { 1.0 } else { length });
    let q = nalgebra::DMatrix::from_fn(slopes.len(), freedoms, |r, c| {
        slopes[r][c] * if model.motors()[r].slides { 1.0 } else { motor_length }
    });
    let Ok(back) = q.pseudo_inverse(1e-12) else { return Ok(f64::NAN) };
    let values = (p * back).singular_values();
    let mut sorted: Vec<f64> = values.iter().copied().collect();
    sort_by(&mut sorted, |a, b| b.total_cmp(a));
    Ok(match (sorted.first(), sorted.get(freedoms.saturating_sub(1))) {
        (Some(largest), Some(smallest)) => largest / smallest,
        _ => f64::NAN,
    })
}

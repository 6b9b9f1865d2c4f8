//! Golden files: states and trajectories of a robot computed by a solver that shares nothing with ours.

mod error;
mod format;
mod mechanism;
mod parameters;
mod trajectory;

pub use error::GoldenError;

use super::ledger::{Finding, Ledger, within_half_a_turn};
use crate::families::golden::numbers;
use crate::files;
use crate::mechanism::MechanismDescription;
use crate::rotation::{difference, error, from_quaternion};
use crate::{AnyRobot, Freedom, PlatformState, RobotError, rotation_from_roll_pitch_yaw};
use format::{Format, Held};
use serde_json::Value;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Golden data are good to about 1e-14; what remains is rounding times the condition of the states.
const BAR: f64 = 1e-12;
/// The same through the general engine: longer sums, and robots with condition numbers up to 100.
const ENGINE_BAR: f64 = 1e-11;

/// What a comparison with a golden file found.
#[derive(Clone, Debug, PartialEq)]
pub struct GoldenComparison {
    /// The robot's name in the file.
    pub robot: String,
    /// How many states it holds.
    pub states: usize,
    /// Every quantity compared.
    pub findings: Vec<Finding>,
    /// Quantities of the format that were not compared, and why: not in the file, or not comparable.
    pub not_compared: Vec<String>,
}

impl GoldenComparison {
    /// Whether every quantity agrees.
    pub fn holds(&self) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(Finding::holds)
    }
}

/// Compares every quantity of a golden file with the model built from its own parameters.
pub fn check_golden(path: impl AsRef<Path>) -> Result<GoldenComparison, GoldenError> {
    check_golden_unless(path, None)
}

/// The same, ended when the flag becomes true.
///
/// # Errors
/// As [`check_golden`], and [`GoldenError::Cancelled`].
pub fn check_golden_unless(
    path: impl AsRef<Path>,
    cancelled: Option<&AtomicBool>,
) -> Result<GoldenComparison, GoldenError> {
    let text = files::read_text(path, files::MOST_DATA).map_err(|cause| GoldenError::Unreadable { cause })?;
    let file = format::read(&text)?;
    if file["format"] == "legwork-golden-trajectory-1" {
        return trajectory::check(&file, cancelled);
    }
    if file["format"] == "legwork-golden-mechanism-1" {
        return mechanism::check_states(&file, cancelled);
    }
    if file["format"] == "legwork-golden-mechanism-trajectory-1" {
        return mechanism::check_motion(&file, cancelled);
    }
    if file["format"] != "legwork-golden-1" {
        let found = file.get("format").map_or("missing".into(), Value::to_string);
        return Err(GoldenError::Format { found });
    }
    let keys = format::check(&file, &STATES)?;
    let robot = AnyRobot::new(parameters::description(&file)?)
        .map_err(|error| GoldenError::Robot { state: None, error })?;
    consistent(&file, &robot)?;
    let states = file["states"].as_array().ok_or_else(|| missing("/states"))?;
    let mut ledger = Ledger::default();
    for (number, state) in states.iter().enumerate() {
        go_on(cancelled)?;
        compare(&mut ledger, &robot, state, number)?;
    }
    Ok(GoldenComparison {
        robot: robot.name().into(),
        states: states.len(),
        findings: ledger.into_findings(),
        not_compared: not_compared(&keys, turns(&robot)),
    })
}

/// The mechanism of a golden file of bodies and joints: for one's own questions about it.
///
/// # Errors
/// If the file cannot be read, or is of another format.
pub fn golden_mechanism(path: impl AsRef<Path>) -> Result<MechanismDescription, GoldenError> {
    let text = files::read_text(path, files::MOST_DATA).map_err(|cause| GoldenError::Unreadable { cause })?;
    let file = format::read(&text)?;
    match file["format"].as_str() {
        Some("legwork-golden-mechanism-1" | "legwork-golden-mechanism-trajectory-1") => {
            mechanism::description(&file)
        }
        _ => {
            Err(GoldenError::Format { found: file.get("format").map_or("missing".into(), Value::to_string) })
        }
    }
}

/// Ends a comparison that the caller has cancelled.
fn go_on(cancelled: Option<&AtomicBool>) -> Result<(), GoldenError> {
    let is_cancelled = cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed));
    if is_cancelled { Err(GoldenError::Cancelled) } else { Ok(()) }
}

/// The keys of a file of states.
const STATES: Format = Format {
    top: &[
        "format",
        "robot",
        "set",
        "description",
        "conventions",
        "parameters",
        "platform_rate_order",
        "actuated",
        "method",
        "self_check",
        "states",
    ],
    list: "states",
    least: 1,
    entries: &[
        "/platform/position",
        "/platform/rotation",
        "/platform/quaternion_wxyz",
        "/platform/angle",
        "/platform/twist",
        "/platform/acceleration",
        "/joint/q",
        "/joint/qd",
        "/joint/qdd",
        "/effort",
        "/mass_matrix",
        "/coriolis_effort",
        "/gravity_effort",
        "/jacobian",
        CONDITION,
        "/forward/effort",
        "/forward/platform_acceleration",
        "/forward/qdd",
        "/external/wrench",
        "/external/effort",
        "/kinetic_energy",
        "/potential_energy",
    ],
    answers: &[
        "/joint/q",
        "/joint/qd",
        "/joint/qdd",
        "/effort",
        "/mass_matrix",
        "/coriolis_effort",
        "/gravity_effort",
        "/jacobian",
        CONDITION,
        "/forward/platform_acceleration",
        "/forward/qdd",
        "/external/effort",
        "/kinetic_energy",
        "/potential_energy",
    ],
};

const CONDITION: &str = "/jacobian_condition_scaled";
/// Why a condition number is not compared where the platform turns.
const UNSCALED: &str = "the file does not say which length makes rotations comparable";

fn missing(pointer: impl Into<String>) -> GoldenError {
    GoldenError::Missing { pointer: pointer.into() }
}

fn turns(robot: &AnyRobot) -> bool {
    robot.freedoms().iter().any(Freedom::turns)
}

/// What a file of states leaves out or holds in vain.
fn not_compared(keys: &Held, turns: bool) -> Vec<String> {
    let mut list = keys.absent();
    if turns && keys.has(CONDITION) {
        list.push(format!("{CONDITION}: {UNSCALED}"));
    }
    list
}

/// Whether the file counts freedoms and motors as its robot does.
fn consistent(file: &Value, robot: &AnyRobot) -> Result<(), GoldenError> {
    let against = |key: &str, of: String| GoldenError::Contradiction { pointer: format!("/{key}"), of };
    if let Some(order) = file.get("platform_rate_order") {
        let names: Vec<&str> = robot.freedoms().iter().map(|freedom| freedom.velocity).collect();
        if *order != serde_json::json!(names) {
            return Err(against(
                "platform_rate_order",
                format!("the robot, which moves in {}", names.join(", ")),
            ));
        }
    }
    let motors = robot.joints().len();
    match file.get("actuated") {
        Some(count) if count.as_u64() != Some(motors as u64) => {
            Err(against("actuated", format!("the robot, which has {motors} motors")))
        }
        _ => Ok(()),
    }
}

/// The instants of samples \[s\].
fn times(samples: &[Value]) -> Result<Vec<f64>, GoldenError> {
    let mut times = Vec::with_capacity(samples.len());
    for (k, sample) in samples.iter().enumerate() {
        let pointer = format!("/samples/{k}/t");
        let time = sample["t"].as_f64().ok_or_else(|| missing(pointer.clone()))?;
        if let Some(before) = times.last()
            && time <= *before
        {
            let of = format!("the sample before it, at {before} s: instants must grow");
            return Err(GoldenError::Contradiction { pointer, of });
        }
        times.push(time);
    }
    Ok(times)
}

/// Where a platform is, of a state or a sample: every way in which the file says it, and all of them the same.
fn placed(robot: &AnyRobot, platform: &Value, at: &str) -> Result<PlatformState, GoldenError> {
    let fault = |key: &str| missing(format!("{at}/{key}"));
    let list =
        |key: &str| platform.get(key).map(|value| numbers(value).ok_or_else(|| fault(key))).transpose();
    let position = list("position")?.ok_or_else(|| fault("position"))?;
    let in_plane = robot.description().family().row().in_plane;
    let position = match (position.as_slice(), in_plane) {
        ([x, y, z], _) => [*x, *y, *z],
        ([x, y], true) => [*x, *y, 0.0],
        _ => return Err(fault("position")),
    };
    let rotation = match list("rotation")? {
        Some(rotation) => {
            let rows: &[[f64; 3]; 3] = rotation.as_chunks().0.try_into().map_err(|_| fault("rotation"))?;
            // The error of a mirror is NaN.
            let is_rotation = rotation.len() == 9 && error(rows) <= SAME_ROTATION;
            if !is_rotation {
                return Err(GoldenError::Contradiction {
                    pointer: format!("{at}/rotation"),
                    of: A_ROTATION.into(),
                });
            }
            Some(*rows)
        }
        None => None,
    };
    let turned = match list("quaternion_wxyz")?.as_deref() {
        Some(&[w, x, y, z]) => {
            let size = [w, x, y, z].iter().map(|part| part * part).sum::<f64>();
            if (size - 1.0).abs() > SAME_ROTATION {
                return Err(GoldenError::Contradiction {
                    pointer: format!("{at}/quaternion_wxyz"),
                    of: "what a quaternion of a rotation is: of length one".into(),
                });
            }
            Some(from_quaternion([w, x, y, z]))
        }
        Some(_) => return Err(fault("quaternion_wxyz")),
        None => None,
    };
    let angle = match list("angle")?.as_deref() {
        Some(&[angle]) => Some(rotation_from_roll_pitch_yaw([0.0, 0.0, angle])),
        Some(_) => return Err(fault("angle")),
        None => None,
    };
    let mut said = [("rotation", rotation), ("quaternion_wxyz", turned), ("angle", angle)]
        .into_iter()
        .filter_map(|(key, rotation)| rotation.map(|rotation| (key, rotation)));
    let first = said.next();
    if let Some((key, known)) = first
        && let Some((other, _)) = said.find(|(_, rotation)| difference(rotation, &known) > SAME_ROTATION)
    {
        let of = format!("`{key}`");
        return Err(GoldenError::Contradiction { pointer: format!("{at}/{other}"), of });
    }
    match first {
        Some((_, rotation)) => Ok(PlatformState::at(position).turned(rotation)),
        None if turns(robot) => Err(fault("rotation")),
        None => Ok(PlatformState::at(position).turned(robot.home().rotation)),
    }
}

/// How far two matrices of one rotation may be apart: nine printed digits.
const SAME_ROTATION: f64 = 1e-9;
/// What every rotation of a file must be.
const A_ROTATION: &str = "what a rotation is: rows of length one at right angles, right-handed";

/// The platform state of one golden state: all freedoms, whatever the platform's kind.
fn platform_state(robot: &AnyRobot, state: &Value, number: usize) -> Result<PlatformState, GoldenError> {
    let at = format!("/states/{number}/platform");
    let fault = |key: &str| missing(format!("{at}/{key}"));
    let mut platform = placed(robot, &state["platform"], &at)?;
    let freedoms = robot.freedoms();
    let list = |key: &str| {
        let list = state["platform"].get(key).and_then(numbers).ok_or_else(|| fault(key))?;
        six(freedoms, &list).ok_or_else(|| fault(key))
    };
    platform.twist = list("twist")?;
    platform.acceleration = list("acceleration")?;
    Ok(platform)
}

/// A list with one number per freedom, spread over the six components.
fn six(freedoms: &[Freedom], list: &[f64]) -> Option<[f64; 6]> {
    if list.len() != freedoms.len() {
        return None;
    }
    let mut all = [0.0; 6];
    for (freedom, value) in freedoms.iter().zip(list) {
        all[freedom.component] = *value;
    }
    Some(all)
}

/// Compares one state; quantities the file does not hold are left out.
fn compare(ledger: &mut Ledger, robot: &AnyRobot, state: &Value, number: usize) -> Result<(), GoldenError> {
    let at = |pointer: &str| -> Result<Option<Vec<f64>>, GoldenError> {
        state
            .pointer(pointer)
            .map(|value| numbers(value).ok_or_else(|| missing(format!("/states/{number}{pointer}"))))
            .transpose()
    };
    let failed = |error| GoldenError::Robot { state: Some(number), error };

    let platform = platform_state(robot, state, number)?;
    let found = robot.state(&platform).map_err(failed)?;
    let dynamics =
        found.dynamics.as_ref().ok_or_else(|| failed(RobotError::NoMasses { robot: robot.name().into() }))?;
    let bar = if robot.linkage().is_some() { BAR } else { ENGINE_BAR };
    let mut note =
        |name: &'static str, pointer: &str, value: &[f64], floor: f64| -> Result<(), GoldenError> {
            if let Some(reference) = at(pointer)? {
                ledger.compare(name, bar, value, &reference, floor);
            }
            Ok(())
        };
    // A thousandth of what is usual in this state: below that a component is rounding of the others.
    let size = |lists: &[&[f64]]| lists.concat().iter().fold(0.0_f64, |m, x| m.max(x.abs())) * 1e-3;
    let torques = size(&[&dynamics.effort, &dynamics.gravity]);
    let (speeds, rates) = (size(&[&found.qd, &platform.twist]), size(&[&found.qdd, &platform.acceleration]));
    let length = robot.length();
    let turned: Vec<f64> = {
        let reference = at("/joint/q")?.unwrap_or_default();
        let joints = robot.joints().iter().enumerate();
        joints.map(|(k, joint)| same_turn(found.q.get(k), reference.get(k), joint.slides)).collect()
    };
    note("inverse kinematics q", "/joint/q", &turned, 1e-3 * length.min(1.0))?;
    note("joint velocity qd", "/joint/qd", &found.qd, speeds)?;
    note("joint acceleration qdd", "/joint/qdd", &found.qdd, rates)?;
    note("effort", "/effort", &dynamics.effort, torques)?;
    note("mass matrix", "/mass_matrix", &dynamics.mass_matrix.concat(), 0.0)?;
    note("Coriolis effort", "/coriolis_effort", &dynamics.coriolis, torques)?;
    note("gravity effort", "/gravity_effort", &dynamics.gravity, torques)?;
    note("Jacobian", "/jacobian", &found.jacobian.concat(), 0.0)?;
    if !turns(robot) {
        note("condition of the Jacobian", CONDITION, &[found.singularity.condition], 0.0)?;
    }
    note("kinetic energy", "/kinetic_energy", &[dynamics.kinetic_energy], 0.0)?;
    note("potential energy", "/potential_energy", &[dynamics.potential_energy], 0.0)?;
    if let Some(q) = at("/joint/q")? {
        // From a start off the pose by a hundredth of a second of its motion.
        let start = moved(&platform, 0.01);
        let back = robot.platform_from_joints(&q, &found.qd, &found.qdd, &start).map_err(failed)?;
        let known = |list: &[f64]| list.iter().take(at_most(state)).copied().collect::<Vec<_>>();
        note("forward kinematics, position", "/platform/position", &known(&back.position), 1e-3 * length)?;
        note("forward kinematics, rotation", "/platform/rotation", back.rotation.as_flattened(), 0.0)?;
        note("platform velocity from joints", "/platform/twist", &free(robot, &back.twist), speeds)?;
        note(
            "platform acceleration from joints",
            "/platform/acceleration",
            &free(robot, &back.acceleration),
            rates,
        )?;
    }
    asked(state, number, "/forward/effort", &["/forward/platform_acceleration", "/forward/qdd"])?;
    asked(state, number, "/external/wrench", &["/external/effort"])?;
    if let Some(effort) = at("/forward/effort")? {
        let reaction = robot.forward_dynamics(&platform, &effort).map_err(failed)?;
        note("forward dynamics, platform", "/forward/platform_acceleration", &reaction.platform, 0.0)?;
        note("forward dynamics, joints", "/forward/qdd", &reaction.joint, 0.0)?;
    }
    if let Some(wrench) = at("/external/wrench")? {
        let wrench = six(robot.freedoms(), &wrench)
            .ok_or_else(|| missing(format!("/states/{number}/external/wrench")))?;
        let pulled = robot.state(&PlatformState { wrench, ..platform }).map_err(failed)?;
        let effort = pulled.dynamics.map(|dynamics| dynamics.effort).unwrap_or_default();
        note("effort under an external wrench", "/external/effort", &effort, torques)?;
    }
    Ok(())
}

/// A question must be there for its answers.
fn asked(state: &Value, number: usize, question: &str, answers: &[&str]) -> Result<(), GoldenError> {
    let answered = answers.iter().any(|answer| state.pointer(answer).is_some());
    if answered && state.pointer(question).is_none() {
        return Err(missing(format!("/states/{number}{question}")));
    }
    Ok(())
}

/// A joint's value counted in the turn of the reference; NaN if there is none.
fn same_turn(value: Option<&f64>, reference: Option<&f64>, slides: bool) -> f64 {
    match (value, reference) {
        (Some(value), Some(reference)) if !slides => reference + within_half_a_turn(value - reference),
        (Some(value), _) => *value,
        (None, _) => f64::NAN,
    }
}

/// How many coordinates the file gives of a position.
fn at_most(state: &Value) -> usize {
    state.pointer("/platform/position").and_then(Value::as_array).map_or(3, Vec::len)
}

/// The components of six that are freedoms.
fn free(robot: &AnyRobot, six: &[f64; 6]) -> Vec<f64> {
    robot.freedoms().iter().map(|freedom| six[freedom.component]).collect()
}

/// The platform point a little further on its way.
fn moved(platform: &PlatformState, dt: f64) -> PlatformState {
    let mut moved = *platform;
    for (x, v) in moved.position.iter_mut().zip(platform.twist) {
        *x += v * dt;
    }
    moved
}

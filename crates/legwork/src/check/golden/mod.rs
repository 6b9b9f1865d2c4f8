//! Golden files: states and trajectories of a robot computed by a solver that shares nothing with ours.

mod parameters;
mod trajectory;

use super::ledger::{Finding, Ledger, within_half_a_turn};
use crate::families::golden::numbers;
use crate::sim::SimulationError;
use crate::{AnyRobot, Freedom, PlatformState, RobotError, rotation_from_roll_pitch_yaw};
use legwork_core::integrate::Halt;
use legwork_core::motion::Fault;
use serde_json::Value;
use std::fmt;
use std::path::Path;

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
    /// Quantities the file holds that nothing here compares.
    pub unknown: Vec<String>,
}

impl GoldenComparison {
    /// Whether every quantity agrees.
    pub fn holds(&self) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(Finding::holds)
    }
}

/// Why a golden file cannot be used.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum GoldenError {
    /// It cannot be opened.
    Unreadable {
        /// The operating system's reason.
        cause: std::io::ErrorKind,
    },
    /// It is not JSON.
    Syntax {
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// What the parser says.
        message: String,
    },
    /// It is not a format known here.
    Format {
        /// What it says it is.
        found: String,
    },
    /// A parameter or quantity is missing or is not made of numbers.
    Missing {
        /// Where: `/states/3/joint/q`.
        pointer: String,
    },
    /// It describes a robot that is not known here.
    UnknownRobot {
        /// Its name.
        robot: String,
    },
    /// Its parameters make no robot, or a state cannot be reached.
    Robot {
        /// The state, from 0; `None` for the parameters.
        state: Option<usize>,
        /// Why.
        error: RobotError,
    },
    /// Its trajectory cannot be run.
    Run {
        /// Why.
        error: Box<SimulationError>,
    },
    /// Its trajectory ended early.
    Stopped {
        /// When \[s\].
        time: f64,
        /// Why.
        reason: Halt<Fault>,
    },
}

impl fmt::Display for GoldenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable { cause: std::io::ErrorKind::NotFound } => f.write_str("there is no such file"),
            Self::Unreadable { cause } => write!(f, "cannot be read: {cause}"),
            Self::Syntax { line, column, message } => write!(f, "line {line}, column {column}: {message}"),
            Self::Format { found } => write!(
                f,
                "its `format` is {found}; this program compares `legwork-golden-1` (states of a robot) and \
                 `legwork-golden-trajectory-1` (a motion)"
            ),
            Self::Missing { pointer } => write!(f, "no numbers at {pointer}"),
            Self::UnknownRobot { robot } => {
                write!(
                    f,
                    "no model for the robot `{robot}` here: its parameters are those of no known family"
                )
            }
            Self::Robot { state: None, error } => write!(f, "its parameters: {error}"),
            Self::Robot { state: Some(state), error } => write!(f, "state {}: {error}", state + 1),
            Self::Run { error } => error.fmt(f),
            Self::Stopped { time, reason } => write!(f, "the run stopped at {time:.6} s: {reason}"),
        }
    }
}

impl std::error::Error for GoldenError {}

/// Compares every quantity of a golden file with the model built from its own parameters.
pub fn check_golden(path: impl AsRef<Path>) -> Result<GoldenComparison, GoldenError> {
    let text =
        std::fs::read_to_string(path).map_err(|error| GoldenError::Unreadable { cause: error.kind() })?;
    let file: Value = serde_json::from_str(&text).map_err(|error| GoldenError::Syntax {
        line: error.line(),
        column: error.column(),
        // The parser puts the place behind its message; it is told apart here.
        message: error.to_string().split(" at line ").next().unwrap_or_default().to_owned(),
    })?;
    if file["format"] == "legwork-golden-trajectory-1" {
        return trajectory::check(&file);
    }
    if file["format"] != "legwork-golden-1" {
        let found = file.get("format").map_or("missing".into(), Value::to_string);
        return Err(GoldenError::Format { found });
    }
    let robot = AnyRobot::new(parameters::description(&file)?)
        .map_err(|error| GoldenError::Robot { state: None, error })?;
    let states = file["states"].as_array().ok_or_else(|| missing("/states"))?;
    let mut ledger = Ledger::default();
    for (number, state) in states.iter().enumerate() {
        compare(&mut ledger, &robot, state, number)?;
    }
    Ok(GoldenComparison {
        robot: robot.name().into(),
        states: states.len(),
        findings: ledger.into_findings(),
        unknown: unknown_keys(states, KNOWN),
    })
}

/// Keys of a state that are questions or are compared.
const KNOWN: &[&str] = &[
    "platform",
    "joint",
    "effort",
    "mass_matrix",
    "coriolis_effort",
    "gravity_effort",
    "jacobian",
    "jacobian_condition_scaled",
    "forward",
    "external",
    "kinetic_energy",
    "potential_energy",
];

fn unknown_keys(states: &[Value], known: &[&str]) -> Vec<String> {
    let mut unknown: Vec<String> = states
        .iter()
        .filter_map(Value::as_object)
        .flat_map(|state| state.keys())
        .filter(|key| !known.contains(&key.as_str()))
        .cloned()
        .collect();
    unknown.sort();
    unknown.dedup();
    unknown
}

fn missing(pointer: impl Into<String>) -> GoldenError {
    GoldenError::Missing { pointer: pointer.into() }
}

/// The platform state of one golden state: all freedoms, whatever the platform's kind.
fn platform_state(robot: &AnyRobot, state: &Value, number: usize) -> Result<PlatformState, GoldenError> {
    let fault = |key: &str| missing(format!("/states/{number}/platform/{key}"));
    let list = |key: &str| state["platform"].get(key).and_then(numbers).ok_or_else(|| fault(key));
    let position = list("position")?;
    let mut platform = PlatformState::at([0.0; 3]);
    for (slot, value) in platform.position.iter_mut().zip(&position) {
        *slot = *value;
    }
    if let Ok(rotation) = list("rotation") {
        let (rows, _) = rotation.as_chunks::<3>();
        platform.rotation = rows.try_into().map_err(|_| fault("rotation"))?;
    } else if let Ok(angle) = list("angle") {
        platform.rotation = rotation_from_roll_pitch_yaw([0.0, 0.0, angle.first().copied().unwrap_or(0.0)]);
    }
    let freedoms = robot.freedoms();
    platform.twist = six(freedoms, &list("twist")?).ok_or_else(|| fault("twist"))?;
    platform.acceleration = six(freedoms, &list("acceleration")?).ok_or_else(|| fault("acceleration"))?;
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
    note("inverse kinematics q", "/joint/q", &found.q, 1e-3)?;
    note("joint velocity qd", "/joint/qd", &found.qd, speeds)?;
    note("joint acceleration qdd", "/joint/qdd", &found.qdd, rates)?;
    note("effort", "/effort", &dynamics.effort, torques)?;
    note("mass matrix", "/mass_matrix", &dynamics.mass_matrix.concat(), 0.0)?;
    note("Coriolis effort", "/coriolis_effort", &dynamics.coriolis, torques)?;
    note("gravity effort", "/gravity_effort", &dynamics.gravity, torques)?;
    note("Jacobian", "/jacobian", &found.jacobian.concat(), 0.0)?;
    if !robot.freedoms().iter().any(Freedom::turns) {
        note("condition of the Jacobian", "/jacobian_condition_scaled", &[found.singularity.condition], 0.0)?;
    }
    note("kinetic energy", "/kinetic_energy", &[dynamics.kinetic_energy], 0.0)?;
    note("potential energy", "/potential_energy", &[dynamics.potential_energy], 0.0)?;
    if let Some(q) = at("/joint/q")? {
        // From a start off the pose by a hundredth of a second of its motion.
        let start = moved(&platform, 0.01);
        let back = robot.platform_from_joints(&q, &found.qd, &found.qdd, &start).map_err(failed)?;
        let known = |list: &[f64]| list.iter().take(at_most(state)).copied().collect::<Vec<_>>();
        note("forward kinematics, position", "/platform/position", &known(&back.position), 1e-3)?;
        note("forward kinematics, rotation", "/platform/rotation", back.rotation.as_flattened(), 0.0)?;
        note("platform velocity from joints", "/platform/twist", &free(robot, &back.twist), speeds)?;
        note(
            "platform acceleration from joints",
            "/platform/acceleration",
            &free(robot, &back.acceleration),
            rates,
        )?;
    }
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

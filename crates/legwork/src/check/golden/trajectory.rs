//! Golden trajectories: constant efforts from a start, samples in time.

use super::{GoldenComparison, GoldenError, missing, numbers, parameters};
use crate::check::Ledger;
use crate::sim::{Efforts, Ending, Integrator, Sample, Simulation, SimulationError};
use crate::{AnyRobot, PlatformState, rotation_from_roll_pitch_yaw};
use serde_json::Value;

/// The tolerance of the integrator.
const TOLERANCE: f64 = 1e-10;
/// Positions \[m\], rotations, joints: ten tolerances. Golden end points are good to about 1e-12 m.
const BAR: f64 = 1e-9;
/// Velocities \[m/s, rad/s\]: positions over the tenth of a second in which they change.
const RATE_BAR: f64 = 1e-8;
/// Energies \[J\], relative to the largest kinetic energy.
const ENERGY_BAR: f64 = 1e-8;
/// Loops are closed by construction: rounding \[m\].
const GAP_BAR: f64 = 1e-12;

/// Keys of a sample that are questions or are compared.
const KNOWN: &[&str] = &[
    "t",
    "position",
    "rotation",
    "quaternion_wxyz",
    "angle",
    "velocity",
    "twist",
    "q",
    "qd",
    "kinetic_energy",
    "potential_energy",
    "total_energy",
    "cond",
];

/// Runs the robot through the file's instants and compares every sample.
pub(super) fn check(file: &Value) -> Result<GoldenComparison, GoldenError> {
    let failed = |error| GoldenError::Robot { state: None, error };
    let robot = AnyRobot::new(parameters::description(file)?).map_err(failed)?;
    let samples = file["samples"].as_array().ok_or_else(|| missing("/samples"))?;
    let first = samples.first().ok_or_else(|| missing("/samples/0"))?;
    let effort = file.get("constant_effort").and_then(numbers).ok_or_else(|| missing("/constant_effort"))?;
    let times = samples
        .iter()
        .enumerate()
        .map(|(k, sample)| sample["t"].as_f64().ok_or_else(|| missing(format!("/samples/{k}/t"))))
        .collect::<Result<Vec<_>, _>>()?;
    let run = Simulation::new(&robot, Efforts::Constant(effort.clone()))
        .starting_at(platform(&robot, first, 0)?)
        .sampled_at(times)
        .integrated_by(Integrator::Dopri5 { tolerance: TOLERANCE })
        .run()
        .map_err(|error| match error {
            SimulationError::Robot(error) => failed(error),
            error => GoldenError::Run { error: Box::new(error) },
        })?;
    if let Ending::Stopped { time, reason } = run.summary.ending {
        return Err(GoldenError::Stopped { time, reason });
    }
    let mut ledger = Ledger::default();
    for (k, (sample, found)) in samples.iter().zip(run.samples.iter()).enumerate() {
        compare(&mut ledger, &robot, sample, &found, k, &effort, run.summary.kinetic)?;
    }
    ledger.note("loop gap, m", GAP_BAR, run.summary.loop_gap);
    ledger.note(
        "energy balance of the run, relative",
        ENERGY_BAR,
        run.summary.imbalance / run.summary.kinetic,
    );
    Ok(GoldenComparison {
        robot: robot.name().into(),
        states: samples.len(),
        findings: ledger.0,
        unknown: super::unknown_keys(samples, KNOWN),
    })
}

/// The platform of a sample.
fn platform(robot: &AnyRobot, sample: &Value, k: usize) -> Result<PlatformState, GoldenError> {
    let fault = |key: &str| missing(format!("/samples/{k}/{key}"));
    let list = |key: &str| sample.get(key).map(|value| numbers(value).ok_or_else(|| fault(key))).transpose();
    let mut state = PlatformState::at([0.0; 3]);
    for (slot, value) in state.position.iter_mut().zip(list("position")?.ok_or_else(|| fault("position"))?) {
        *slot = value;
    }
    if let Some(rotation) = list("rotation")? {
        let (rows, _) = rotation.as_chunks::<3>();
        state.rotation = rows.try_into().map_err(|_| fault("rotation"))?;
    } else if let Some(&[angle]) = list("angle")?.as_deref() {
        state.rotation = rotation_from_roll_pitch_yaw([0.0, 0.0, angle]);
    }
    let key = if sample.get("twist").is_some() { "twist" } else { "velocity" };
    if let Some(twist) = list(key)? {
        state.twist = super::six(robot.freedoms(), &twist).ok_or_else(|| fault(key))?;
    }
    Ok(state)
}

/// Largest difference; NaN if anything is NaN or missing.
fn distance(found: &[f64], reference: &[f64]) -> f64 {
    if found.len() != reference.len() || found.iter().chain(reference).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    found.iter().zip(reference).fold(0.0, |worst, (a, b)| (a - b).abs().max(worst))
}

fn compare(
    ledger: &mut Ledger,
    robot: &AnyRobot,
    sample: &Value,
    found: &Sample<'_>,
    k: usize,
    effort: &[f64],
    kinetic: f64,
) -> Result<(), GoldenError> {
    let expected = platform(robot, sample, k)?;
    ledger.note("position, m", BAR, distance(&found.platform.position, &expected.position));
    if robot.freedoms().iter().any(crate::Freedom::turns) {
        let (a, b) = (found.platform.rotation.as_flattened(), expected.rotation.as_flattened());
        ledger.note("rotation", BAR, distance(a, b));
    }
    ledger.note("velocity, m/s and rad/s", RATE_BAR, distance(&found.platform.twist, &expected.twist));
    let mut note = |name, key: &str, bar, value: &[f64], scale: f64| -> Result<(), GoldenError> {
        if let Some(reference) = sample.get(key) {
            let reference = numbers(reference).ok_or_else(|| missing(format!("/samples/{k}/{key}")))?;
            ledger.note(name, bar, distance(value, &reference) / scale);
        }
        Ok(())
    };
    note("joints q, rad or m", "q", BAR, found.q, 1.0)?;
    note("joint velocity qd", "qd", RATE_BAR, found.qd, 1.0)?;
    let energy = found.energy;
    note("kinetic energy, relative", "kinetic_energy", ENERGY_BAR, &[energy.kinetic], kinetic)?;
    note("potential energy, relative", "potential_energy", ENERGY_BAR, &[energy.potential], kinetic)?;
    let work: f64 = effort.iter().zip(found.q).map(|(u, q)| u * q).sum();
    note(
        "total energy T + U - effort q, relative",
        "total_energy",
        ENERGY_BAR,
        &[energy.total() - work],
        kinetic,
    )
}

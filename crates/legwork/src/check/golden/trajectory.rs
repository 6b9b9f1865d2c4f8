//! Golden trajectories: constant efforts from a start, samples in time.

use super::format::{self, Format};
use super::{
    GoldenComparison, GoldenError, consistent, go_on, missing, numbers, parameters, placed, same_turn, times,
};
use crate::check::ledger::Ledger;
use crate::check::scales::Scales;
use crate::sim::{Efforts, Ending, Integrator, Sample, Simulation, SimulationError};
use crate::{AnyRobot, PlatformState};
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// The tolerance of the integrator.
const TOLERANCE: f64 = 1e-10;
/// Steps of the integrator at most. Robots that move within their reach for seconds need thousands; a wrong effort in a
/// file would need any number.
const MOST_STEPS: u64 = 100_000;
/// Positions, rotations, joints: ten tolerances. Golden end points are good to about 1e-12 of the robot's length.
const BAR: f64 = 1e-9;
/// Velocities: positions over the tenth of the time in which they change.
const RATE_BAR: f64 = 1e-8;
/// Energies \[J\], relative to the largest kinetic energy.
const ENERGY_BAR: f64 = 1e-8;
/// Loops are closed by construction: rounding.
const GAP_BAR: f64 = 1e-12;

const POSITION: &str = "position, in lengths of the robot";
const VELOCITY: &str = "velocity, in lengths of the robot per time of its fall";

/// The keys of a file of a motion.
const MOTION: Format = Format {
    top: &[
        "format",
        "robot",
        "set",
        "description",
        "conventions",
        "scenario",
        "parameters",
        "platform_rate_order",
        "actuated",
        "method",
        "constant_effort",
        "self_check",
        "samples",
    ],
    list: "samples",
    least: 2,
    entries: &[
        "/t",
        "/position",
        "/rotation",
        "/quaternion_wxyz",
        "/angle",
        "/velocity",
        "/twist",
        "/q",
        "/qd",
        "/kinetic_energy",
        "/potential_energy",
        "/total_energy",
        "/cond",
    ],
    answers: &["/q", "/qd", "/kinetic_energy", "/potential_energy", "/total_energy"],
};

/// Runs the robot through the file's instants and compares every sample.
pub(super) fn check(file: &Value, cancelled: Option<&AtomicBool>) -> Result<GoldenComparison, GoldenError> {
    let failed = |error| GoldenError::Robot { state: None, error };
    let keys = format::check(file, &MOTION)?;
    let robot = AnyRobot::new(parameters::description(file)?).map_err(failed)?;
    consistent(file, &robot)?;
    let samples = file["samples"].as_array().ok_or_else(|| missing("/samples"))?;
    let first = samples.first().ok_or_else(|| missing("/samples/0"))?;
    let effort = file.get("constant_effort").and_then(numbers).ok_or_else(|| missing("/constant_effort"))?;
    let times = times(samples)?;
    let mut simulation = Simulation::new(&robot, Efforts::Constant(effort.clone()))
        .starting_at(platform(&robot, first, 0)?.0)
        .sampled_at(times)
        .integrated_by(Integrator::Dopri5 { tolerance: TOLERANCE })
        .in_at_most(MOST_STEPS);
    if let Some(flag) = cancelled {
        simulation = simulation.cancelled_by(flag);
    }
    let run = simulation.run().map_err(|error| match error {
        SimulationError::Robot(error) => failed(error),
        error => GoldenError::Run { error: Box::new(error) },
    })?;
    go_on(cancelled)?;
    if let Ending::Stopped { time, reason } = run.summary.ending {
        return Err(GoldenError::Stopped { time, reason });
    }
    let mut ledger = Ledger::default();
    for (k, (sample, found)) in samples.iter().zip(run.samples.iter()).enumerate() {
        compare(&mut ledger, &robot, sample, &found, k, &effort, run.summary.kinetic)?;
    }
    let (gap, kinetic) = (run.summary.loop_gap, run.summary.kinetic);
    ledger.measure("loop gap, in lengths of the robot", GAP_BAR, &[gap], &[0.0], robot.length());
    let imbalance = run.summary.imbalance;
    ledger.measure("energy balance of the run, relative", ENERGY_BAR, &[imbalance], &[0.0], kinetic);
    let mut not_compared = keys.absent();
    if keys.has("/cond") {
        not_compared.push("/cond: the file does not say of which matrix".into());
    }
    if !keys.has("/twist") && !keys.has("/velocity") {
        not_compared.push("/twist: not in the file".into());
    }
    Ok(GoldenComparison {
        robot: robot.name().into(),
        states: samples.len(),
        findings: ledger.into_findings(),
        not_compared,
    })
}

/// The platform of a sample, and whether its velocity is there.
fn platform(robot: &AnyRobot, sample: &Value, k: usize) -> Result<(PlatformState, bool), GoldenError> {
    let at = format!("/samples/{k}");
    let mut state = placed(robot, sample, &at)?;
    let key = match (sample.get("twist"), sample.get("velocity")) {
        (Some(_), Some(_)) => {
            let of = "`twist`, which is another name for it: leave one out".into();
            return Err(GoldenError::Contradiction { pointer: format!("{at}/velocity"), of });
        }
        (Some(_), None) => "twist",
        (None, Some(_)) => "velocity",
        (None, None) => return Ok((state, false)),
    };
    let list = sample.get(key).and_then(numbers).and_then(|list| super::six(robot.freedoms(), &list));
    state.twist = list.ok_or_else(|| missing(format!("{at}/{key}")))?;
    Ok((state, true))
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
    let scales = Scales::of(robot);
    let (expected, moves) = platform(robot, sample, k)?;
    let (length, speed) = (scales.length, scales.speed());
    ledger.measure(POSITION, BAR, &found.platform.position, &expected.position, length);
    if robot.freedoms().iter().any(crate::Freedom::turns) {
        let (a, b) = (found.platform.rotation.as_flattened(), expected.rotation.as_flattened());
        ledger.measure("rotation", BAR, a, b, 1.0);
    }
    let rates = |twist: &[f64; 6]| -> [f64; 6] { std::array::from_fn(|k| twist[k] * scales.lever(k >= 3)) };
    if moves {
        ledger.measure(VELOCITY, RATE_BAR, &rates(&found.platform.twist), &rates(&expected.twist), speed);
    }
    let levers: Vec<f64> = robot.joints().iter().map(|joint| scales.lever(!joint.slides)).collect();
    let mut note =
        |name, key: &str, bar, value: &[f64], units: &[f64], size: f64| -> Result<(), GoldenError> {
            if let Some(reference) = sample.get(key) {
                let reference = numbers(reference).ok_or_else(|| missing(format!("/samples/{k}/{key}")))?;
                // Lists of different lengths stay so.
                let lengths = |list: &[f64]| -> Vec<f64> {
                    list.iter().enumerate().map(|(k, x)| x * units.get(k).copied().unwrap_or(1.0)).collect()
                };
                ledger.measure(name, bar, &lengths(value), &lengths(&reference), size);
            }
            Ok(())
        };
    let turned = |q: &[f64]| -> Vec<f64> {
        let reference = sample.get("q").and_then(numbers).unwrap_or_default();
        let joints = robot.joints().iter().enumerate();
        joints.map(|(k, joint)| same_turn(q.get(k), reference.get(k), joint.slides)).collect()
    };
    note("joints q", "q", BAR, &turned(found.q), &levers, length)?;
    note("joint velocity qd", "qd", RATE_BAR, found.qd, &levers, speed)?;
    let energy = found.energy;
    note("kinetic energy, relative", "kinetic_energy", ENERGY_BAR, &[energy.kinetic], &[], kinetic)?;
    note("potential energy, relative", "potential_energy", ENERGY_BAR, &[energy.potential], &[], kinetic)?;
    let work: f64 = effort.iter().zip(found.q).map(|(u, q)| u * q).sum();
    let total = [energy.total() - work];
    note("total energy T + U - effort q, relative", "total_energy", ENERGY_BAR, &total, &[], kinetic)
}

//! Golden motions of mechanisms.

use super::super::super::ledger::Ledger;
use super::super::format::{self, Format};
use super::super::{GoldenComparison, GoldenError, go_on, missing, times};
use super::reader::{model, poses};
use super::{TOP, mobility};
use crate::families::golden::numbers;
use legwork_core::Real;
use serde_json::Value;
use std::sync::atomic::AtomicBool;

/// Trajectories, in metres and rad.
const MOTION_BAR: f64 = 1e-9;
/// Rates of trajectories, relative to the fastest motor.
const RATE_BAR: f64 = 1e-9;
/// Energies of trajectories, relative to the largest of the run.
const ENERGY_BAR: f64 = 1e-9;

/// The keys of a file of a motion.
const MOTION: Format = Format {
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
        "characteristic_length",
        "motor_length",
        "scenario",
        "constant_effort",
        "published",
        "samples",
    ],
    list: "samples",
    least: 2,
    entries: &[
        "/t",
        "/bodies",
        "/motor/q",
        "/motor/qd",
        "/platform/position",
        "/platform/rotation",
        "/platform/twist",
        "/kinetic_energy",
        "/potential_energy",
        "/total_energy",
        "/closure",
    ],
    answers: &[
        "/bodies",
        "/motor/q",
        "/motor/qd",
        "/platform/position",
        "/platform/rotation",
        "/platform/twist",
        "/kinetic_energy",
        "/potential_energy",
        "/total_energy",
    ],
};

/// Runs a mechanism through a file's instants and compares every sample.
pub(in super::super) fn check_motion(
    file: &Value,
    cancelled: Option<&AtomicBool>,
) -> Result<GoldenComparison, GoldenError> {
    let keys = format::check(file, &MOTION)?;
    let model = model(file)?;
    let mut ledger = Ledger::default();
    mobility(&mut ledger, file, &model);
    let samples = file["samples"].as_array().ok_or_else(|| missing("/samples"))?;
    let first = samples.first().ok_or_else(|| missing("/samples/0"))?;
    let effort = file.get("constant_effort").and_then(numbers).ok_or_else(|| missing("/constant_effort"))?;
    let read = |sample: &Value, k: usize, key: &str| {
        let found = sample.pointer(key).and_then(numbers);
        found.ok_or_else(|| missing(format!("/samples/{k}{key}")))
    };
    let times = times(samples)?;
    let failed = |error| GoldenError::Mechanism { state: None, error };
    let q = read(first, 0, "/motor/q")?;
    let start = model.assemble(&poses(&model, first, "/samples/0")?, Some(&q)).map_err(failed)?;
    go_on(cancelled)?;
    let run = model.run(&start, &read(first, 0, "/motor/qd")?, &effort, &times).map_err(failed)?;
    let fastest = run.iter().flat_map(|sample| &sample.rates).fold(1e-9, |m, x| Real::max(m, x.abs()));
    let mut workspace = model.workspace();
    let sizes = run.iter().flat_map(|sample| [sample.energies.kinetic, sample.energies.potential]);
    let energy = sizes.fold(0.0, |m, x| Real::max(m, x.abs()));
    for (k, (sample, found)) in samples.iter().zip(&run).enumerate() {
        let energies = found.energies;
        let expected = poses(&model, sample, &format!("/samples/{k}"))?;
        let idle = &model.mobility().idle_bodies;
        let bodies = model.description().bodies.iter().zip(model.body_poses(&found.at, &mut workspace));
        for ((body, pose), expected) in bodies.zip(&expected) {
            let at = expected.position.to_array();
            ledger.measure("positions of all bodies [m]", MOTION_BAR, &pose.position, &at, 1.0);
            if !idle.contains(&body.name) {
                let rows = expected.rotation.to_rows();
                let (a, b) = (pose.rotation.as_flattened(), rows.as_flattened());
                ledger.measure("rotations of all bodies", MOTION_BAR, a, b, 1.0);
            }
        }
        let mut note = |name, key: &str, bar, value: &[f64], size: f64| -> Result<(), GoldenError> {
            if sample.pointer(key).is_some() {
                ledger.measure(name, bar, value, &read(sample, k, key)?, size);
            }
            Ok(())
        };
        let pose = model.platform_pose(&found.at, &mut workspace);
        let still = vec![0.0; found.rates.len()];
        let (twist, _) =
            model.platform_motion(&found.at, &found.rates, &still, &mut workspace).map_err(failed)?;
        note("platform, position [m]", "/platform/position", MOTION_BAR, &pose.position, 1.0)?;
        note("platform, rotation", "/platform/rotation", MOTION_BAR, pose.rotation.as_flattened(), 1.0)?;
        note("platform, twist over the fastest motor", "/platform/twist", RATE_BAR, &twist, fastest)?;
        note("motors q", "/motor/q", MOTION_BAR, &model.motor_values(&found.at), 1.0)?;
        note("motors qd over the fastest", "/motor/qd", RATE_BAR, &found.rates, fastest)?;
        note("kinetic energy, relative", "/kinetic_energy", ENERGY_BAR, &[energies.kinetic], energy)?;
        note("potential energy, relative", "/potential_energy", ENERGY_BAR, &[energies.potential], energy)?;
        let work: f64 = effort.iter().zip(model.motor_values(&found.at)).map(|(u, q)| u * q).sum();
        let total = [energies.kinetic + energies.potential - work];
        note("total energy T + U - effort q, relative", "/total_energy", ENERGY_BAR, &total, energy)?;
        let gap = model.closing_gap(&found.at, &mut workspace);
        ledger.measure("loop gap, in lengths of the mechanism", 1e-12, &[gap], &[0.0], 1.0);
    }
    let mut not_compared = keys.absent();
    if keys.has("/closure") {
        not_compared.push("/closure: the residual of the file's own solver".into());
    }
    if file.get("published").is_some() {
        not_compared.push("/published: good to fewer digits than the samples".into());
    }
    Ok(GoldenComparison {
        robot: model.name().into(),
        states: samples.len(),
        findings: ledger.into_findings(),
        not_compared,
    })
}

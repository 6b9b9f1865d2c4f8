//! A robot in time under given efforts, or regulators along a path.

use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork::printed;
use legwork::task::{EndingKind, FollowRequest, FollowResult, PageKind, SimulateRequest};
use legwork::text::printable;
use serde_json::json;
use std::io::{self, Write};
use std::path::Path;
use std::time::Instant;

const VERB: &str = "simulate";

/// Runs a request without a controller and prints its result.
pub fn simulate(request: &SimulateRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let result = task::run(VERB, &request.robot.name, |handle| request.run(handle))?;
    let seconds = begin.elapsed().as_secs_f64();
    // Simulated time over time on the clock.
    let factor = result.time / seconds.max(1e-9);
    if as_json {
        let mut object = serde_json::to_value(&result).map_err(io::Error::from)?;
        (object["run_time"], object["real_time_factor"]) = (json!(seconds), json!(factor));
        json::print(&object, out)?;
    } else {
        printed::simulate(&result, Some(factor), &words, out)?;
        page(result.report.as_deref(), result.page, out)?;
    }
    Ok(outcome(result.ending))
}

/// What a run came to.
pub fn outcome(ending: EndingKind) -> Outcome {
    match ending {
        EndingKind::Completed => Outcome::Done,
        EndingKind::Interrupted => Outcome::Interrupted,
        EndingKind::Stopped => Outcome::Fails,
    }
}

/// Runs regulators and prints them side by side.
pub fn follow(request: &FollowRequest, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let begin = Instant::now();
    let result = task::run(VERB, &request.robot.name, |handle| request.run(handle))?;
    if as_json {
        let mut object = serde_json::to_value(&result).map_err(io::Error::from)?;
        object["run_time"] = json!(begin.elapsed().as_secs_f64());
        json::print(&object, out)?;
    } else {
        printed::follow(&result, &words, out)?;
        page(result.report.as_deref(), result.page, out)?;
    }
    Ok(of_regulators(&result))
}

/// What regulators came to.
pub fn of_regulators(result: &FollowResult) -> Outcome {
    match result.regulators.last() {
        Some(last) if last.ended == EndingKind::Interrupted => Outcome::Interrupted,
        _ if result.regulators.iter().any(|of| of.fault.is_some()) => Outcome::Fails,
        _ => outcome(
            result
                .regulators
                .iter()
                .map(|of| of.ended)
                .find(|ended| *ended != EndingKind::Completed)
                .unwrap_or(EndingKind::Completed),
        ),
    }
}

fn page(path: Option<&Path>, kind: Option<PageKind>, out: &mut dyn Write) -> io::Result<()> {
    path.zip(kind).map_or(Ok(()), |(path, kind)| {
        writeln!(out, "\n{}: {} page", printable(&path.display().to_string()), kind.name())
    })
}

/// The reason of an early end, in options.
fn words(reason: &str) -> String {
    task::with_options(reason, VERB)
}

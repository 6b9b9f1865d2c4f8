//! Requests that are run and what they came to; a verb fills one, `legwork run` reads one.

pub mod plan;
pub mod simulate;
pub mod size;

use crate::args::{ReproduceArgs, RunArgs};
use crate::failure::Failure;
use crate::verb::{calibrate, identify, reproduce};
use crate::{Outcome, json, task};
use legwork::task::{Request, RequestText, TaskError, TaskResult};
use legwork_identify::geometry::CalibrateRequest;
use legwork_reproduce::ReproduceRequest;
use std::io::Write;
use std::path::PathBuf;

/// `legwork run`: a request from a file, or the one that made a recording.
pub fn run(args: &RunArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let file = args.file.display().to_string();
    let refused = |error| task::failure(error, "run", &file);
    let text = RequestText::load(&args.file).map_err(refused)?;
    // The papers are of a crate of their own.
    if text.task() == "reproduce" {
        let ReproduceRequest { paper, figure } = text.read().map_err(refused)?;
        return reproduce::run(&ReproduceArgs { paper, figure, ..ReproduceArgs::default() }, as_json, out);
    }
    // So are those that learn from a machine.
    match text.task() {
        "calibrate" => {
            let mut request: CalibrateRequest = text.read().map_err(refused)?;
            request.out = args.out.clone().or(request.out);
            return calibrate::answer(&request, false, as_json, out);
        }
        "identify" => return identify::run(&text.read().map_err(refused)?, as_json, out),
        "excite" => return identify::excite(&text.read().map_err(refused)?, as_json, out),
        _ => {}
    }
    let mut request = Request::read(&text).map_err(refused)?;
    if let Some(path) = &args.out {
        write_to(&mut request, path.clone()).map_err(refused)?;
    }
    if args.show {
        write!(out, "{}", request.to_toml())?;
        return Ok(Outcome::Done);
    }
    request.check_files(&args.file).map_err(refused)?;
    match &request {
        Request::Simulate(request) if !as_json => simulate::simulate(request, false, out),
        Request::Follow(request) if !as_json => simulate::follow(request, false, out),
        Request::Plan(request) if !as_json => plan::run(request, false, out),
        Request::Size(request) if !as_json => size::run(request, false, out),
        // As JSON; so are the results of the other tasks, whose tables belong to their verbs.
        request => {
            let result = task::run("run", &file, |handle| request.run(handle))?;
            json::print_result(&result, out)?;
            Ok(outcome(&result))
        }
    }
}

/// What a result came to.
fn outcome(result: &TaskResult) -> Outcome {
    let good = match result {
        TaskResult::Map(result) if result.is_partial() => return Outcome::Interrupted,
        TaskResult::Check(result) if result.interrupted => return Outcome::Interrupted,
        TaskResult::Simulate(result) => return simulate::outcome(result.ending),
        TaskResult::Follow(result) => return simulate::of_regulators(result),
        TaskResult::Plan(result) => result.keeps_limits(),
        TaskResult::Size(result) => result.is_feasible(),
        TaskResult::Check(result) => result.holds,
        _ => true,
    };
    if good { Outcome::Done } else { Outcome::Fails }
}

/// The same request, writing to another file.
fn write_to(request: &mut Request, path: PathBuf) -> Result<(), TaskError> {
    match request {
        Request::Simulate(request) => request.out = Some(path),
        Request::Follow(request) => request.out = Some(path),
        Request::Plan(request) => request.out = vec![path],
        Request::Size(request) => request.out = vec![path],
        other => {
            let what = format!("a request of the task {} writes no samples", other.task());
            return Err(TaskError::request(what).or("leave `out` out"));
        }
    }
    Ok(())
}

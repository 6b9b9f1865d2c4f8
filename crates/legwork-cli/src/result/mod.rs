//! Requests that are run and what they came to; a verb fills one, `legwork run` reads one.

pub mod plan;
pub mod simulate;
pub mod size;

use crate::args::{ReproduceArgs, RunArgs};
use crate::failure::Failure;
use crate::verb::{calibrate, identify, reproduce};
use crate::{Outcome, json, task};
use legwork::task::{Request, RequestText, TaskError, TaskResult, unknown_task};
use legwork_identify::task::Request as Learn;
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
    if let Some(request) = Learn::read(&text) {
        return learn(request.map_err(refused)?, args, as_json, out);
    }
    if !Request::TASKS.contains(&text.task()) {
        let others: Vec<&str> = Learn::TASKS.iter().copied().chain(["reproduce"]).collect();
        return Err(refused(unknown_task(text.task(), &others)));
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

/// Runs a request that learns from a machine.
fn learn(mut request: Learn, args: &RunArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    if let Some(path) = &args.out {
        let own = match &mut request {
            Learn::Identify(request) => &mut request.out,
            Learn::Excite(request) => &mut request.out,
            Learn::Calibrate(request) => &mut request.out,
        };
        *own = Some(path.clone());
    }
    if args.show {
        write!(out, "{}", request.to_toml())?;
        return Ok(Outcome::Done);
    }
    let file = args.file.display().to_string();
    request.check_files(&args.file).map_err(|error| task::failure(error, "run", &file))?;
    match &request {
        Learn::Identify(request) => identify::run(request, as_json, out),
        Learn::Excite(request) => identify::excite(request, as_json, out),
        Learn::Calibrate(request) => calibrate::answer(request, false, as_json, out),
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

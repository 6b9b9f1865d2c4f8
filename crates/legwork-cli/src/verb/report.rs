//! `legwork report`: a page for a browser, from recordings.

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork::task::ReportRequest;
use std::io::Write;

pub fn run(args: &ReportArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let request = ReportRequest {
        recordings: args.recordings.clone(),
        out: args.out.clone(),
        title: args.title.clone(),
        is_static: args.is_static,
    };
    let result = task::run("report", "", |handle| request.run(handle))?;
    if as_json {
        json::print_result(&result, out)?;
    } else {
        writeln!(out, "{}: {} page", result.out.display(), result.page.name())?;
    }
    Ok(Outcome::Done)
}

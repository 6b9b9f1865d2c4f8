//! `legwork report`: a page for a browser, from recordings.

use crate::args::ReportArgs;
use crate::failure::Failure;
use crate::{Outcome, json, task};
use legwork::task::ReportRequest;
use legwork::text::printable;
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
        let file = result.out.display().to_string();
        writeln!(out, "{}: {} page", printable(&file), result.page.name())?;
    }
    Ok(Outcome::Done)
}

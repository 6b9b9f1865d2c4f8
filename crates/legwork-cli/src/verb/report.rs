//! `legwork report`: a page for a browser, from recordings.

use crate::args::ReportArgs;
use crate::failure::{Failure, Message, tell};
use crate::{Outcome, json};
use legwork::recording::Recording;
use legwork::report::{Report, Run, of_runs};
use legwork_studio::{Page, why_static, write_report};
use serde_json::json;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

pub fn run(args: &ReportArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let recordings = args.recordings.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
    let names = names(&args.recordings);
    let runs: Vec<Run<'_>> =
        names.iter().zip(&recordings).map(|(name, recording)| Run { name, recording }).collect();
    let mut report = of_runs("", &runs);
    report.title = match (&args.title, &report.robot) {
        (Some(title), _) => title.clone(),
        (None, Some((robot, _))) => format!("{robot}: {}", names.join(", ")),
        (None, None) => names.join(", "),
    };
    let page = write(&args.out, &report, if args.is_static { Page::Static } else { Page::best() })?;
    if !args.is_static {
        say_why_static();
    }
    if as_json {
        let path = args.out.display().to_string();
        json::print(&json!({ "out": path, "page": word(page), "runs": names }), out)?;
    } else {
        writeln!(out, "{}: {} page", args.out.display(), word(page))?;
    }
    Ok(Outcome::Done)
}

/// The page of a run that has just ended.
pub fn write_run(
    path: &Path,
    robot: &str,
    recording: &Recording,
    as_json: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let report = of_runs(&format!("{robot}: a run"), &[Run { name: "run", recording }]);
    write_runs(path, &report, as_json, out)
}

/// The page of runs that have just ended.
pub fn write_runs(path: &Path, report: &Report, as_json: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let page = write(path, report, Page::best())?;
    say_why_static();
    if !as_json {
        writeln!(out, "\n{}: {} page", path.display(), word(page))?;
    }
    Ok(())
}

/// Writes the best page there is, and says why it is static if it is.
pub fn write_and_say(path: &Path, report: &Report) -> Result<(), Failure> {
    let page = write(path, report, Page::best())?;
    say_why_static();
    tell(&format!("{}: {} page", path.display(), word(page)));
    Ok(())
}

/// Writes a page. Other verbs with a `--report` come here too.
pub fn write(path: &Path, report: &Report, page: Page) -> Result<Page, Failure> {
    let told = |error: std::io::Error| {
        let message = Message::new(format!("the page `{}` cannot be written", path.display()));
        Failure::Told(message.caused_by(error.to_string()))
    };
    let mut file = BufWriter::new(File::create(path).map_err(told)?);
    let page = write_report(report, page, &mut file).map_err(told)?;
    file.flush().map_err(told)?;
    Ok(page)
}

/// Where pages are static, why.
pub fn say_why_static() {
    if let Some(reason) = why_static() {
        tell(&format!("note: this legwork was {reason}"));
    }
}

fn word(page: Page) -> &'static str {
    match page {
        Page::Interactive => "interactive",
        Page::Static => "static",
    }
}

fn open(path: &Path) -> Result<Recording, Failure> {
    let hint = "give a file that `legwork simulate --out` wrote: .csv, .parquet or .mcap";
    let recording = Recording::open(path).map_err(|error| {
        let message = Message::new(format!("`{}` cannot be read as a recording", path.display()));
        message.caused_by(error.to_string()).hint(hint)
    })?;
    if recording.is_empty() {
        return Err(Message::new(format!("`{}` has no samples", path.display())).hint(hint).into());
    }
    Ok(recording)
}

/// The stems of files; the whole name where two stems are the same.
fn names(paths: &[std::path::PathBuf]) -> Vec<String> {
    let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let twice = |path: &Path| paths.iter().filter(|other| stem(other) == stem(path)).count() > 1;
    paths.iter().map(|path| if twice(path) { path.display().to_string() } else { stem(path) }).collect()
}

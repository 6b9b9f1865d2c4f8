//! Pages of what has just been computed.

use crate::failure::{Failure, Message, tell};
use crate::task;
use legwork::recording::Recording;
use legwork::report::{Report, Run, of_runs};
use legwork::task::PageKind;
use std::io::{self, Write};
use std::path::Path;

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
    let page = write(path, report)?;
    if !as_json {
        writeln!(out, "\n{}: {} page", path.display(), page.name())?;
    }
    Ok(())
}

/// Writes a page and tells so on stderr.
pub fn write_and_tell(path: &Path, report: &Report) -> Result<(), Failure> {
    let page = write(path, report)?;
    tell(&format!("{}: {} page", path.display(), page.name()));
    Ok(())
}

fn write(path: &Path, report: &Report) -> Result<PageKind, Failure> {
    let refused = |error: io::Error| {
        let message = Message::new(format!("the page `{}` cannot be written", path.display()));
        Failure::Told(message.caused_by(error.to_string()))
    };
    let page = task::page(report, false).map_err(refused)?;
    std::fs::write(path, page.bytes).map_err(refused)?;
    Ok(if page.is_static { PageKind::Static } else { PageKind::Interactive })
}

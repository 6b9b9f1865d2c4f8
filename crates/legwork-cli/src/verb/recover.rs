//! `legwork recover`: a recording of a killed run, made readable for every program.

use crate::args::RecoverArgs;
use crate::failure::{self, Failure, Message};
use crate::{Outcome, json};
use legwork::files::FileRoles;
use legwork::recording::{Reader, RecoverError, metadata_file, recover, recover_to};
use serde_json::json;
use std::io::Write;

pub fn run(args: &RecoverArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    // One that cannot be read is told below.
    let bare = Reader::open(&args.file).ok().and_then(|reader| reader.bare().cloned());
    let rows = match &args.out {
        None => recover(&args.file),
        Some(to) => {
            let mut files = FileRoles::default();
            files.reads("the recording", &args.file);
            files.reads_beside("the recording", &args.file, metadata_file(&args.file));
            files.writes("--out", to);
            files.writes_beside("--out", to, metadata_file(to));
            let same = |conflict: legwork::files::FileConflict| Message::new(conflict.to_string());
            files.check().map_err(|error| same(error).hint("leave `--out` out to replace the recording"))?;
            recover_to(&args.file, to)
        }
    };
    let rows = rows.map_err(|error| {
        let (what, hint) = match &error {
            RecoverError::Read(error) => ("read", error.hint()),
            RecoverError::Write(error) => ("written", error.hint()),
            RecoverError::Bare(_) => {
                ("recovered in its place", Some("give another file with `--out`".into()))
            }
            _ => ("recovered", None),
        };
        let path = args.out.as_ref().filter(|_| what == "written").unwrap_or(&args.file);
        let message =
            Message::new(format!("`{}` cannot be {what}", path.display())).caused_by(error.to_string());
        Message { hint, ..message }
    })?;
    let path = args.out.as_ref().filter(|_| rows.is_some()).unwrap_or(&args.file);
    if let Some(bare) = &bare {
        failure::print_to_stderr(&format!("note: `{}`: {bare}", args.file.display()));
    }
    if as_json {
        json::print(&json!({ "file": path, "recovered": rows.is_some(), "rows": rows }), out)?;
    } else if let Some(rows) = rows {
        writeln!(out, "{}: {rows} rows, up to the last block of the run", path.display())?;
    } else if bare.is_some() {
        writeln!(out, "{}: a table of whole lines, nothing to recover", path.display())?;
    } else {
        writeln!(out, "{}: complete, nothing to recover", path.display())?;
    }
    Ok(Outcome::Done)
}

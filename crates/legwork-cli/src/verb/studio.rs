//! `legwork studio`: the page in which a robot is moved by hand, in a browser or as a file.

use super::open;
use crate::Outcome;
use crate::args::StudioArgs;
use crate::failure::{Failure, Message, print_to_stderr};
use legwork::description::BUILT_IN;
use legwork::files;
use legwork::text::printable;
use legwork_studio::{StudioStart, WITHOUT_STUDIO, studio_page};
use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn run(args: &StudioArgs, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let start = match &args.robot {
        None => StudioStart::default(),
        Some(name) => {
            let robot = open(name)?;
            let is_built_in = BUILT_IN.iter().any(|robot| robot.name == name);
            let text = robot.description().text.as_deref().filter(|_| !is_built_in).map(str::to_owned);
            // What the page prints of a file runs beside the file.
            let stem = Path::new(name).file_stem().filter(|_| text.is_some());
            let called = stem.map_or_else(|| robot.name().into(), |stem| stem.to_string_lossy().into_owned());
            StudioStart { robot: Some(called), text }
        }
    };
    let Some(page) = studio_page(&start) else {
        return Err(Message::new("this program was built without the studio").hint(WITHOUT_STUDIO).into());
    };
    let path = args.out.clone().unwrap_or_else(own_place);
    files::write(&path, page.as_bytes()).map_err(|fault| {
        Message::new(format!("the page `{}` cannot be written", path.display())).caused_by(fault.to_string())
    })?;
    writeln!(
        out,
        "{}: the studio, {:.1} MB",
        printable(&path.display().to_string()),
        page.len() as f64 / 1e6
    )?;
    out.flush()?;
    if args.out.is_none() && !show(&path) {
        print_to_stderr("note: no browser was found; open the file with one");
    }
    Ok(Outcome::Done)
}

/// A file of its own for each run, so that a page that is open stays what it is.
fn own_place() -> PathBuf {
    std::env::temp_dir().join(format!("legwork-studio-{}.html", std::process::id()))
}

/// Whether the system was asked to show the page.
fn show(path: &Path) -> bool {
    let words: &[&str] = if cfg!(windows) {
        &["cmd", "/c", "start", ""]
    } else if cfg!(target_os = "macos") {
        &["open"]
    } else {
        &["xdg-open"]
    };
    let [program, words @ ..] = words else { return false };
    let quiet = |command: &mut Command| {
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()
    };
    let found = quiet(Command::new(program).args(words.iter().map(OsStr::new)).arg(path));
    found.is_ok_and(|status| status.success())
}

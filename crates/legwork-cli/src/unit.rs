//! `legwork export fmu`: a robot as a functional mock-up unit, with the shared library that is found.

use crate::answer::opened;
use crate::args::ExportArgs;
use crate::failure::{Failure, Message};
use legwork::files::{self, FileRoles};
use legwork::fmu::{FmuModel, FmuRequest, FmuVersion, LIBRARY_FILE, is_library};
use legwork::task::{Choice, ControllerRequest, RobotRequest};
use std::env;
use std::path::{Path, PathBuf};

/// Names the shared library where no option does.
const VARIABLE: &str = "LEGWORK_LIBRARY";
/// No shared library is larger.
const MOST_LIBRARY: u64 = 1 << 30;

/// What was written.
pub struct Written {
    pub path: PathBuf,
    pub library: PathBuf,
    pub model: FmuModel,
    pub bytes: usize,
}

/// Writes the unit.
pub fn write(args: &ExportArgs, robot: &str) -> Result<Written, Failure> {
    let version = match args.fmi.as_deref() {
        None => FmuVersion::Two,
        Some(word) => chosen("FMI", word)?,
    };
    let controller = match args.regulator.as_deref() {
        None => None,
        Some(word) => {
            let regulators = vec![chosen("regulator", word)?];
            Some(ControllerRequest { regulators, ..ControllerRequest::default() })
        }
    };
    let request =
        FmuRequest { robot: RobotRequest::named(robot), version, controller, ..FmuRequest::default() };
    let model = opened(FmuModel::of(&request), "export fmu", robot)?;
    let library = library(args.library.as_deref())?;
    let bytes = files::read(&library, MOST_LIBRARY).map_err(|fault| {
        let what = format!("the shared library `{}` cannot be read", library.display());
        Failure::Message(Message::new(what).caused_by(fault.to_string()).hint(how_to_get_it()))
    })?;
    if !is_library(&bytes) {
        let what = format!("`{}` is not the shared library of legwork", library.display());
        return Err(Failure::Message(Message::new(what).hint(how_to_get_it())));
    }
    let path = args.out.clone().unwrap_or_else(|| PathBuf::from(format!("{}.fmu", model.identifier())));
    let mut roles = FileRoles::default();
    roles.reads("the robot", robot);
    roles.reads("the library", &library);
    roles.writes("--out", &path);
    roles.check().map_err(|conflict| Failure::Message(Message::new(conflict.to_string())))?;
    let package = model.package(&bytes);
    files::write(&path, &package).map_err(|fault| {
        Failure::Message(
            Message::new(format!("`{}` cannot be written", path.display())).caused_by(fault.to_string()),
        )
    })?;
    Ok(Written { path, library, model, bytes: package.len() })
}

fn chosen<T: Choice + Copy + 'static>(what: &str, word: &str) -> Result<T, Failure> {
    let known = T::CHOICES.iter().find(|(_, name, _)| *name == word);
    known.map(|(choice, ..)| *choice).ok_or_else(|| {
        let names: Vec<&str> = T::CHOICES.iter().map(|(_, name, _)| *name).collect();
        let hint = format!("known are {}", names.join(", "));
        Failure::Message(Message::new(format!("`{word}` is no {what} legwork knows")).hint(hint))
    })
}

/// The shared library: named by the option or by the variable, or in the folder that the variable names, or beside the program.
fn library(option: Option<&Path>) -> Result<PathBuf, Failure> {
    if let Some(path) = option {
        return Ok(path.to_owned());
    }
    let named = env::var_os(VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from);
    if let Some(path) = named.as_ref().filter(|path| !path.is_dir()) {
        return Ok(path.clone());
    }
    let program = env::current_exe().ok().and_then(|program| Some(program.parent()?.to_owned()));
    let beside = program.map(|folder| [folder.clone(), folder.with_file_name("lib")]);
    let folders: Vec<PathBuf> = named.into_iter().chain(beside.into_iter().flatten()).collect();
    let found = folders.iter().map(|folder| folder.join(LIBRARY_FILE)).find(|path| path.is_file());
    found.ok_or_else(|| {
        let what = format!("the shared library `{LIBRARY_FILE}`, the binary of a unit, is not found");
        let looked: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
        let cause = format!("it is not in {}", looked.join(", nor in "));
        Failure::Message(Message::new(what).caused_by(cause).hint(how_to_get_it()))
    })
}

fn how_to_get_it() -> String {
    format!(
        "`pip install pylegwork` brings it with a program `legwork` that finds it, `CARGO_PROFILE_RELEASE_PANIC=unwind cargo build \
         --release -p legwork-ffi` makes target/release/{LIBRARY_FILE}; name it by `--library` or {VARIABLE}"
    )
}

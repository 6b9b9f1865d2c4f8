//! `legwork import` and `legwork export`: files of other programs and settings of controllers to a robot file, and back.

use super::open;
use crate::args::{ExportArgs, ImportArgs};
use crate::failure::{Failure, Message};
use crate::{Outcome, json, unit};
use legwork::exchange::{self, Dialect, ExchangeError};
use legwork::files::{self, FileFault, FileRoles, MOST_TEXT};
use legwork::firmware::{self, Firmware, FirmwareError, ImportOptions, LengthUnit};
use legwork::task::Choice;
use serde_json::json;
use std::io::Write;
use std::path::Path;

impl From<ExchangeError> for Failure {
    fn from(error: ExchangeError) -> Self {
        Self::Message(Message { hint: error.hint(), ..Message::new(error.to_string()) })
    }
}

impl From<FirmwareError> for Failure {
    fn from(error: FirmwareError) -> Self {
        let hint = error.hint().map(str::to_owned);
        Self::Message(Message { hint, ..Message::new(error.to_string()) })
    }
}

pub fn import(args: &ImportArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut roles = FileRoles::default();
    let mut texts = Vec::new();
    for path in &args.files {
        roles.reads("the settings", path);
        let bytes = files::read(path, MOST_TEXT).map_err(|error| fault(path, "read", &error))?;
        texts.push((path.display().to_string(), String::from_utf8_lossy(&bytes).into_owned()));
    }
    let named: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let (system, title, robot_file, notes) =
        if args.system.is_none() && named.iter().any(|(_, text)| exchange::knows(text).is_some()) {
            let options =
                exchange::ImportOptions { platform: args.platform.clone(), motors: args.motors.clone() };
            let made = exchange::import(&named, &options)?;
            (made.dialect.name(), made.dialect.title().to_owned(), made.robot_file, made.notes)
        } else {
            let made = of_settings(args, &named)?;
            let title = format!("the settings of {}", made.firmware.title());
            (made.firmware.name(), title, made.robot_file, made.notes)
        };
    if let Some(path) = &args.out {
        put(path, &robot_file, roles)?;
    }
    if as_json {
        json::print(&json!({ "system": system, "robot_file": robot_file, "notes": notes }), out)?;
    } else if let Some(path) = &args.out {
        writeln!(out, "{}: a robot file from {title}", path.display())?;
        for note in &notes {
            writeln!(out, "  {note}")?;
        }
    } else {
        out.write_all(robot_file.as_bytes())?;
    }
    Ok(Outcome::Done)
}

fn of_settings(args: &ImportArgs, named: &[(&str, &str)]) -> Result<firmware::Imported, Failure> {
    if args.platform.is_some() || !args.motors.is_empty() {
        let what = "`--platform` and `--motors` are for MJCF, URDF and SDF";
        return Err(Failure::Message(Message::new(what).hint("leave them out")));
    }
    let options = ImportOptions {
        firmware: args.system.as_deref().map(system).transpose()?,
        unit: args.units.as_deref().map(length_unit).transpose()?,
        mean: args.mean,
    };
    Ok(firmware::import(named, options)?)
}

pub fn export(args: &ExportArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (format, name) = match (args.words.as_slice(), &args.system) {
        ([format, robot], None) => (format, robot),
        ([robot], Some(system)) => (system, robot),
        ([_, _], Some(_)) => {
            let message = Message::new("a format and `--system` are two answers to one question");
            return Err(Failure::Message(message.hint("leave one of them out")));
        }
        ([robot, ..], _) => {
            let hint = format!(
                "`legwork export mjcf {robot}`, `urdf`, `sdf` or `fmu`, or `--system klipper` and others"
            );
            return Err(Failure::Message(Message::new("as what?").hint(hint)));
        }
        ([], _) => return Err(Failure::Message(Message::new("which robot?"))),
    };
    if format.eq_ignore_ascii_case("fmu") {
        return fmu(args, name, as_json, out);
    }
    if args.fmi.is_some() || args.regulator.is_some() || args.library.is_some() {
        let message = Message::new("`--fmi`, `--regulator` and `--library` are for `export fmu`");
        return Err(Failure::Message(message.hint("leave them out")));
    }
    let dialect = match Dialect::from_name(format) {
        Ok(dialect) => Some(dialect),
        Err(_) if args.system.is_some() || Firmware::from_name(format).is_ok() || format == COMPONENT => None,
        Err(nearest) => {
            let known = format!("{}, fmu, {COMPONENT}", Dialect::ALL.map(Dialect::name).join(", "));
            let hint = nearest
                .map_or_else(|| format!("known are {known}"), |word| format!("did you mean `{word}`?"));
            return Err(Failure::Message(
                Message::new(format!("`{format}` is no format legwork knows")).hint(hint),
            ));
        }
    };
    let robot = open(name)?;
    let (word, what, text, sidecar, notes) = if let Some(dialect) = dialect {
        let made = exchange::export(&robot, dialect)?;
        (dialect.name(), dialect.title().to_owned(), made.text, made.sidecar, made.notes)
    } else if format == COMPONENT {
        let made = firmware::kinematics_component(&robot)?;
        (COMPONENT, "a kinematics module for LinuxCNC".to_owned(), made.text, None, made.notes)
    } else {
        let system = system(format)?;
        let what = format!("settings of {}", system.title());
        (system.name(), what, firmware::export(robot.description(), system)?, None, Vec::new())
    };
    let mut written = Vec::new();
    if let Some(path) = &args.out {
        let mut roles = FileRoles::default();
        roles.reads("the robot", name);
        put(path, &text, roles)?;
        written.push((path.clone(), what.clone()));
        if let Some(sidecar) = &sidecar {
            let beside = path.with_extension("yaml");
            let mut roles = FileRoles::default();
            roles.reads("the URDF", path);
            roles.reads("the robot", name);
            put(&beside, sidecar, roles)?;
            written.push((beside, "its loops".into()));
        }
    }
    if as_json {
        let answer = match dialect {
            Some(_) => json!({ "format": word, "text": text, "sidecar": sidecar, "notes": notes }),
            None if word == COMPONENT => json!({ "format": word, "text": text, "notes": notes }),
            None => json!({ "system": word, "settings": text }),
        };
        json::print(&answer, out)?;
    } else if written.is_empty() {
        out.write_all(text.as_bytes())?;
    } else {
        for (path, what) in written {
            writeln!(out, "{}: {what}", path.display())?;
        }
        for note in &notes {
            writeln!(out, "  {note}")?;
        }
    }
    Ok(Outcome::Done)
}

/// The word for a kinematics module; `linuxcnc` alone are settings.
const COMPONENT: &str = "linuxcnc-component";

/// A functional mock-up unit, which is always a file.
fn fmu(args: &ExportArgs, robot: &str, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let made = unit::write(args, robot)?;
    let version = made.model.request().version.word();
    if as_json {
        let answer = json!({
            "format": "fmu",
            "fmi": version,
            "out": made.path,
            "library": made.library,
            "bytes": made.bytes,
            "token": made.model.token(),
            "variables": made.model.variables().len(),
            "states": made.model.states(),
        });
        json::print(&answer, out)?;
    } else {
        writeln!(out, "{}: FMI {version}, {} variables", made.path.display(), made.model.variables().len())?;
    }
    Ok(Outcome::Done)
}

fn put(path: &Path, text: &str, mut roles: FileRoles) -> Result<(), Failure> {
    roles.writes("--out", path);
    roles.check().map_err(|conflict| Failure::Message(Message::new(conflict.to_string())))?;
    files::write(path, text.as_bytes()).map_err(|error| fault(path, "written", &error))
}

fn fault(path: &Path, what: &str, error: &FileFault) -> Failure {
    Failure::Message(
        Message::new(format!("`{}` cannot be {what}", path.display())).caused_by(error.to_string()),
    )
}

fn system(name: &str) -> Result<Firmware, Failure> {
    Firmware::from_name(name).map_err(|nearest| {
        let known = Firmware::ALL.map(Firmware::name).join(", ");
        let hint =
            nearest.map_or_else(|| format!("known are {known}"), |word| format!("did you mean `{word}`?"));
        Failure::Message(Message::new(format!("`{name}` is no system legwork knows")).hint(hint))
    })
}

fn length_unit(name: &str) -> Result<LengthUnit, Failure> {
    match name.to_lowercase().as_str() {
        "mm" => Ok(LengthUnit::Millimetre),
        "in" | "inch" => Ok(LengthUnit::Inch),
        _ => Err(Failure::Message(
            Message::new(format!("`{name}` is no unit of such settings"))
                .hint("`--units mm` or `--units inch`"),
        )),
    }
}

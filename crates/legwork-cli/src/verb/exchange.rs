//! `legwork import` and `legwork export`: settings of other people's controllers to a robot file, and back.

use super::open;
use crate::args::{ExportArgs, ImportArgs};
use crate::failure::{Failure, Message};
use crate::{Outcome, json};
use legwork::files::{self, FileFault, FileRoles, MOST_TEXT};
use legwork::firmware::{self, Firmware, FirmwareError, ImportOptions, LengthUnit};
use serde_json::json;
use std::io::Write;
use std::path::Path;

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
    let options = ImportOptions {
        firmware: args.system.as_deref().map(system).transpose()?,
        unit: args.units.as_deref().map(unit).transpose()?,
        mean: args.mean,
    };
    let named: Vec<(&str, &str)> = texts.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    let imported = firmware::import(&named, options)?;
    if let Some(path) = &args.out {
        put(path, &imported.robot_file, roles)?;
    }
    if as_json {
        let answer = json!({
            "system": imported.firmware.name(),
            "robot_file": imported.robot_file,
            "notes": imported.notes,
        });
        json::print(&answer, out)?;
    } else if let Some(path) = &args.out {
        writeln!(out, "{}: a robot file from the settings of {}", path.display(), imported.firmware.title())?;
        for note in &imported.notes {
            writeln!(out, "  {note}")?;
        }
    } else {
        out.write_all(imported.robot_file.as_bytes())?;
    }
    Ok(Outcome::Done)
}

pub fn export(args: &ExportArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    let system = system(&args.system)?;
    let settings = firmware::export(robot.description(), system)?;
    if let Some(path) = &args.out {
        let mut roles = FileRoles::default();
        roles.reads("the robot", &args.robot);
        put(path, &settings, roles)?;
    }
    if as_json {
        json::print(&json!({ "system": system.name(), "settings": settings }), out)?;
    } else if let Some(path) = &args.out {
        writeln!(out, "{}: settings of {}", path.display(), system.title())?;
    } else {
        out.write_all(settings.as_bytes())?;
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

fn unit(name: &str) -> Result<LengthUnit, Failure> {
    match name.to_lowercase().as_str() {
        "mm" => Ok(LengthUnit::Millimetre),
        "in" | "inch" => Ok(LengthUnit::Inch),
        _ => Err(Failure::Message(
            Message::new(format!("`{name}` is no unit of such settings"))
                .hint("`--units mm` or `--units inch`"),
        )),
    }
}

//! The text of a robot file, table by table.

use super::{Firmware, FirmwareError, Imported};
use crate::description::RobotDescription;
use std::fmt::Write;
use std::path::Path;

/// A robot file under way.
pub(super) struct RobotFile {
    firmware: Firmware,
    /// File name of the settings.
    file: String,
    notes: Vec<String>,
    body: String,
}

impl RobotFile {
    pub(super) fn new(file: &str, firmware: Firmware) -> Self {
        let file = Path::new(file).file_name().map_or_else(String::new, |name| name.to_string_lossy().into());
        Self { firmware, file, notes: Vec::new(), body: String::new() }
    }

    pub(super) fn note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// `key = value`, the value as TOML.
    pub(super) fn line(&mut self, key: &str, value: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.body, "{key} = {value}");
    }

    pub(super) fn word(&mut self, key: &str, word: &str) {
        self.line(key, &format!("\"{word}\""));
    }

    pub(super) fn table(&mut self, name: &str) {
        let _ = writeln!(self.body, "\n[{name}]");
    }

    /// A number with its unit.
    pub(super) fn number(&mut self, key: &str, value: f64, unit: &str) {
        self.line(key, &quoted(value, unit));
    }

    /// A number for each leg, or one if they are equal.
    pub(super) fn per_leg(&mut self, key: &str, values: [f64; 3], unit: &str) {
        let [first, ..] = values;
        if values == [first; 3] {
            self.number(key, first, unit);
        } else {
            self.line(key, &format!("[{}]", values.map(|value| quoted(value, unit)).join(", ")));
        }
    }

    /// The geometry of a linear Delta whose platform is a point: radius of the towers, rods and azimuths \[deg\].
    pub(super) fn linear_delta(&mut self, radii: [f64; 3], rods: [f64; 3], azimuths: [f64; 3], unit: &str) {
        self.word("family", "linear-delta");
        self.table("geometry");
        self.per_leg("base_radius", radii, unit);
        self.line("platform_radius", "0");
        self.per_leg("rod", rods, unit);
        self.per_leg("azimuth", azimuths, "deg");
    }

    /// Where the carriages of a linear Delta end and its home, from the height of the nozzle in the middle at each endstop
    /// \[mm\]. A robot has one limit: that of the lowest carriage; home is as high as all of them get below it.
    pub(super) fn tower_tops(&mut self, endstops: [f64; 3], rods: [f64; 3], radii: [f64; 3]) {
        /// Steps in which both are rounded to the safe side \[1/mm\].
        const STEPS: f64 = 1e6;
        let least = |values: [f64; 3]| values.into_iter().fold(f64::INFINITY, f64::min);
        let rises = [0, 1, 2].map(|k: usize| (rods[k] * rods[k] - radii[k] * radii[k]).sqrt());
        let (top, lowest) = (least([0, 1, 2].map(|k: usize| endstops[k] + rises[k])), least(endstops));
        let below = least(rises.map(|rise| top - rise));
        let home = if below < lowest - 1.0 / STEPS { (below * STEPS).floor() / STEPS } else { lowest };
        if top.is_finite() {
            self.table("limits");
            self.number("position_max", (top * STEPS).ceil() / STEPS, "mm");
        }
        self.table("home");
        self.point("position", [0.0, 0.0, home], "mm");
        if endstops != [lowest; 3] {
            self.note("The endstops differ: the lowest carriage is the limit of all, and home is below it.");
        }
    }

    /// x, y and z.
    pub(super) fn point(&mut self, key: &str, values: [f64; 3], unit: &str) {
        self.line(key, &point(values, unit));
    }

    /// x, y and z of each leg.
    pub(super) fn points(&mut self, key: &str, points: &[[f64; 3]], unit: &str) {
        let rows = points.iter().map(|values| format!("    {},\n", point(*values, unit)));
        self.line(key, &format!("[\n{}]", rows.collect::<String>()));
    }

    /// The whole file, if it describes a robot.
    pub(super) fn finish(self) -> Result<Imported, FirmwareError> {
        let Self { firmware, file, notes, body } = self;
        let stem =
            Path::new(&file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into());
        let name: String = stem
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' })
            .collect();
        let name = if name.trim_matches('-').is_empty() { "imported".to_owned() } else { name };
        let mut text = format!("# From the settings of {} in {}.\n", firmware.title(), plain(&file));
        for note in &notes {
            let _ = writeln!(text, "# {}", plain(note));
        }
        let source = format!("settings of {}, {}", firmware.title(), plain(&file));
        let body = body.replacen('\n', &format!("\nsource = \"{source}\"\n"), 1);
        let _ = write!(text, "name = \"{name}\"\n{body}");
        let checked = RobotDescription::parse(&text, "imported.toml");
        checked.map_err(|error| FirmwareError::Robot(Box::new(error)))?;
        Ok(Imported { firmware, robot_file: text, notes })
    }
}

/// Without what would end a comment or a text.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() || c == '"' || c == '\\' { ' ' } else { c }).collect()
}

fn quoted(value: f64, unit: &str) -> String {
    format!("\"{} {unit}\"", short(value))
}

fn point(values: [f64; 3], unit: &str) -> String {
    format!("[{}]", values.map(|value| quoted(value, unit)).join(", "))
}

/// The shortest text of a number that reads back the same, without rounding errors of a sum in the last places.
pub(super) fn short(value: f64) -> String {
    let rounded: f64 = format!("{value:.9}").parse().unwrap_or(value);
    let value = if (rounded - value).abs() <= 1e-12 * value.abs() { rounded } else { value };
    format!("{value}")
}

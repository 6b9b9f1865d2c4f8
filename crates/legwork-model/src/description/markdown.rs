//! The tables of a robot file as Markdown, one chapter per family.

use super::calibration;
use super::convention::{CONVENTIONS, ConventionRow, Gives, Measured};
use super::defaults;
use super::fields::{self, Alternatives, Field, Table, ValueType};
use super::identified;
use super::joint_calibration;
use super::mounting;
use super::schema::{Unit, need, unit};
use crate::families::{Family, FamilyRow};
use std::fmt::Write as _;

/// The tables of a robot file as Markdown, one chapter per family.
pub(super) fn markdown() -> String {
    let mut page = String::new();
    for of in Family::ALL {
        family(&mut page, of.row());
    }
    let _ = write!(page, "# every family\n\nTables that the files of every family may have.\n\n");
    for shared in [&mounting::TOOL, &mounting::CELL, &defaults::MOTION, &defaults::DELTA_CONTROLLER] {
        table(&mut page, shared);
    }
    for shared in calibration::CALIBRATION.all() {
        table(&mut page, shared);
    }
    for shared in joint_calibration::JOINT_CALIBRATION.all() {
        table(&mut page, shared);
    }
    for shared in identified::IDENTIFIED.all() {
        table(&mut page, shared);
    }
    page.truncate(page.trim_end().len());
    page.push('\n');
    page
}

fn family(page: &mut String, row: &FamilyRow) {
    // Writing to a String cannot fail.
    let _ = write!(page, "# family `\"{}\"`\n\n{}\n\n{}\n\n", row.name, row.meaning, row.frame);
    let top: Vec<Field> = row.top().copied().collect();
    section(page, "## Top of the file", fields::TOP.meaning, &top, true);
    for of in row.own_tables.iter().flat_map(Table::all) {
        table(page, of);
        if row.has_conventions && of.name == fields::GEOMETRY_NAME {
            for convention in CONVENTIONS {
                let keys: Vec<Field> = convention.geometry.iter().map(|(field, _)| *field).collect();
                let names: Vec<_> = convention.names.iter().map(|name| format!("`\"{name}\"`")).collect();
                let title = format!("### convention {}", names.join(", "));
                section(page, &title, &facts(convention), &keys, convention.bare_numbers);
            }
        }
    }
}

fn table(page: &mut String, table: &Table) {
    let text = format!("{}{}", table.meaning, alternatives(table.alternatives));
    section(page, &format!("## `{}`", table.title()), &text, table.fields, true);
    for of in table.types {
        section(page, &format!("### type `\"{}\"`", of.word), of.meaning, of.fields, true);
    }
}

/// Which keys exclude each other, in words.
fn alternatives(all: &[Alternatives]) -> String {
    let mut text = String::new();
    for group in all {
        if let [choice] = group.choices {
            let keys =
                |keys: &[&str]| keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
            let _ = write!(text, " {} only with {}.", keys(choice.may), keys(choice.needs));
            continue;
        }
        let said: Vec<String> = group
            .choices
            .iter()
            .map(|choice| {
                let keys: Vec<_> =
                    choice.needs.iter().chain(choice.may).map(|key| format!("`{key}`")).collect();
                keys.join(", ")
            })
            .collect();
        let _ = write!(text, " Either {}.", said.join(", or "));
    }
    text
}

/// What a convention fixes, in words.
fn facts(row: &ConventionRow) -> String {
    let [a, b, c] = row.azimuth_deg;
    let direction = if row.angle_sign > 0.0 { "down" } else { "up" };
    let mut text = format!(
        "{}. Legs at {a}, {b}, {c} deg. Motor angle {} deg when the arm is horizontal, positive {direction}.",
        row.system, row.angle_zero_deg
    );
    for (field, gives) in row.geometry {
        let rule = match gives {
            Gives::BaseRadius(measured) | Gives::PlatformRadius(measured) => match measured {
                Measured::Radius => continue,
                Measured::SideJointsAtMiddle => "divided by 2 sqrt(3) is a radius",
                Measured::SideJointsAtCorners => "divided by sqrt(3) is a radius",
            },
            Gives::RadiusDifference => "is the base radius less the platform radius",
            Gives::Height => "is where our z = 0 lies",
            Gives::Arm | Gives::Forearm | Gives::Azimuth => continue,
        };
        let _ = write!(text, " `{}` {rule}.", field.key);
    }
    if !row.bare_numbers {
        text.push_str(" A number other than 0 needs its unit here, in `[limits]`, `[home]`, `[tool]`, `[cell]`, `[rotation_axis]` and \
             `[motion]`");
        let named = row.geometry.iter().any(|(field, _)| field.unit_in_key.is_some());
        text.push_str(if named { ", unless the key names it." } else { "." });
    }
    text
}

fn section(page: &mut String, title: &str, text: &str, keys: &[Field], bare: bool) {
    let _ = write!(page, "{title}\n\n{text}\n\n");
    if keys.is_empty() {
        return;
    }
    page.push_str("| key | value | if it is not there | meaning |\n|---|---|---|---|\n");
    for field in keys {
        let quoted =
            |words: &[&str]| words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ");
        let value = match field.kind {
            ValueType::Choice(words) | ValueType::ChoicePerLeg(words, _) => {
                format!("{}: {}", field.kind.described(), quoted(words))
            }
            ValueType::ChoiceOrList(words, names) => {
                format!("one of {}, or an array of {}", quoted(words), quoted(names))
            }
            kind => kind.described(),
        };
        let unit = match unit(field, bare) {
            Unit::None => String::new(),
            Unit::Of(unit) => format!(" \\[{unit}\\]"),
            Unit::Written => " with its unit".into(),
        };
        let _ = writeln!(page, "| `{}` | {value}{unit} | {} | {} |", field.key, need(field), field.meaning);
    }
    page.push('\n');
}

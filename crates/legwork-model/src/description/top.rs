//! The top of a robot file: what every family has, and which family it is.

use super::RobotDescription;
use super::calibration;
use super::convention::Convention;
use super::defaults;
use super::fields::{self, Field, Table};
use super::identified;
use super::joint_calibration;
use super::mounting;
use super::problem::ProblemKind;
use super::reader::{Notes, Reader};
use crate::families::{Family, FamilyData};
use crate::text::{printable, printable_lines};
use toml::de::DeTable;

/// Read a whole file. Where something is wrong it is noted, and the values returned mean nothing.
pub(super) fn read<'t>(root: &DeTable<'t>, notes: &mut Notes<'t>, stem: &str) -> Option<RobotDescription> {
    let written = root.iter().find(|(key, _)| key.get_ref() == fields::FAMILY.key).map(|(_, value)| value);
    let named = written.and_then(|value| value.get_ref().as_str()).and_then(Family::from_name);
    // A file that does not say is read as the Delta it most likely is, unless it has legs.
    let has_legs = root.iter().any(|(key, _)| key.get_ref() == "leg");
    let guess = if has_legs { Family::Custom } else { Family::Delta };
    let family = named.unwrap_or(guess);
    let row = family.row();
    let known = named.is_some() || written.is_none();
    let mut top = Reader {
        notes,
        family,
        place: &fields::TOP,
        table: Some(root),
        header: None,
        convention: Convention::Legwork,
        bare_numbers: true,
    };
    if known {
        let keys: Vec<Field> = row.top().copied().collect();
        let tables: Vec<&'static Table> = row.tables().collect();
        top.refuse_unknown_keys(&keys, &tables);
    }
    // A name goes into every table, title and message: it is taken as it may be printed.
    let name = top.text(&fields::NAME).unwrap_or_else(|| stem.to_owned());
    let name = printable(&name).into_owned();
    top.word(&fields::FAMILY);
    let [source, note] = [&fields::SOURCE, &fields::NOTE]
        .map(|field| top.text(field).map(|text| printable_lines(&text).into_owned()));
    let convention = top.word(&fields::CONVENTION).and_then(Convention::from_name);
    top.convention = convention.unwrap_or(Convention::Legwork);
    let gravity = top.number(&fields::GRAVITY);
    // Of an unknown family nothing more can be said.
    if !known {
        return None;
    }
    if !row.has_conventions && top.convention != Convention::Legwork {
        let kind = ProblemKind::ConventionOfDelta { family, convention: top.convention };
        let span = top.value(fields::CONVENTION.key).map(toml::Spanned::span);
        top.notes.note(span, kind);
        top.convention = Convention::Legwork;
    }
    let (cell, tool) = (mounting::cell(&mut top), mounting::tool(&mut top));
    let gravity_direction = gravity_direction(&mut top, cell.is_some());
    let convention = top.convention;
    let (motion_defaults, controller_defaults) = (defaults::motion(&mut top), defaults::controller(&mut top));
    let identified = identified::read(&mut top);
    let (calibration, joint_calibration) = (calibration::read(&mut top), joint_calibration::read(&mut top));
    let mut data = FamilyData::read(family, &mut top)?;
    calibration::check_count(&calibration, data.leg_count(), &mut top);
    joint_calibration::check(&joint_calibration, !calibration.is_empty(), &data, &mut top);
    identified::apply(&identified, &mut data, &mut top);
    Some(RobotDescription {
        name,
        source,
        note,
        convention,
        gravity,
        gravity_direction,
        cell,
        tool,
        calibration,
        joint_calibration,
        data,
        identified,
        motion_defaults,
        controller_defaults,
        text: None,
    })
}

/// Where gravity pulls: in base axes, or in those of the cell, where it is known what is down.
fn gravity_direction(top: &mut Reader<'_, '_>, in_cell: bool) -> [f64; 3] {
    let row = top.family.row();
    let field = row.top().find(|field| field.key == fields::GRAVITY_DIRECTION.key);
    field
        .and_then(|field| top.direction(field))
        .unwrap_or_else(|| if in_cell { [0.0, 0.0, -1.0] } else { row.down() })
}

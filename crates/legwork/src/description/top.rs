//! The top of a robot file: what every family has, and which family it is.

use super::RobotDescription;
use super::convention::Convention;
use super::defaults;
use super::families::{self, FAMILIES, Family, FamilyRow};
use super::fields::{self, Field};
use super::problem::ProblemKind;
use super::reader::{Notes, Reader};
use toml::de::DeTable;

const DOWN: [f64; 3] = [0.0, 0.0, -1.0];
const DOWN_IN_PLANE: [f64; 3] = [0.0, -1.0, 0.0];

/// Read a whole file. Where something is wrong it is noted, and the values returned mean nothing.
pub(super) fn read<'t>(root: &DeTable<'t>, notes: &mut Notes<'t>, stem: &str) -> Option<RobotDescription> {
    let written = root.iter().find(|(key, _)| key.get_ref() == fields::FAMILY.key).map(|(_, value)| value);
    let named = written.and_then(|value| value.get_ref().as_str()).and_then(family_named);
    // A file that does not say is read as the Delta it most likely is, unless it has legs.
    let has_legs = root.iter().any(|(key, _)| key.get_ref() == "leg");
    let guess = if has_legs { Family::Custom } else { Family::Delta };
    let family = named.unwrap_or_else(|| guess.row());
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
        let keys: Vec<Field> = family.top().copied().collect();
        top.refuse_unknown_keys(&keys, family.tables);
    }
    let name = top.text(&fields::NAME).unwrap_or_else(|| stem.to_owned());
    top.word(&fields::FAMILY);
    let (source, note) = (top.text(&fields::SOURCE), top.text(&fields::NOTE));
    let convention = top.word(&fields::CONVENTION).and_then(Convention::from_name);
    top.convention = convention.unwrap_or(Convention::Legwork);
    let gravity = top.number(&fields::GRAVITY_SIZE);
    // Of an unknown family nothing more can be said.
    if !known {
        return None;
    }
    if !family.has_conventions() && top.convention != Convention::Legwork {
        let kind = ProblemKind::ConventionOfDelta { family: family.family, convention: top.convention };
        let span = top.value(fields::CONVENTION.key).map(toml::Spanned::span);
        top.notes.note(span, kind);
        top.convention = Convention::Legwork;
    }
    let gravity_direction = gravity_direction(&mut top);
    let convention = top.convention;
    let (motion_defaults, controller_defaults) = (defaults::motion(&mut top), defaults::controller(&mut top));
    let model = families::read(&mut top)?;
    Some(RobotDescription {
        name,
        family: family.family,
        source,
        note,
        convention,
        gravity,
        gravity_direction,
        model,
        motion_defaults,
        controller_defaults,
        text: None,
    })
}

fn family_named(name: &str) -> Option<&'static FamilyRow> {
    FAMILIES.iter().find(|row| row.name == name)
}

fn gravity_direction(top: &mut Reader<'_, '_>) -> [f64; 3] {
    let own = top.family.own_top;
    if own.contains(&fields::GRAVITY_DIRECTION) {
        top.direction(&fields::GRAVITY_DIRECTION).unwrap_or(DOWN)
    } else if own.contains(&fields::GRAVITY_IN_PLANE) {
        top.direction(&fields::GRAVITY_IN_PLANE).unwrap_or(DOWN_IN_PLANE)
    } else {
        DOWN
    }
}

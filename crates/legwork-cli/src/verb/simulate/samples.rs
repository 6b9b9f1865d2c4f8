//! The numbers of one sample: their names, units and frames.

use legwork::coordinates::{CoordinateSchema, Group};
use legwork::recording::Column;
use legwork::rotation;
use legwork::sim::Sample;

/// The frame of what the platform does.
const FRAME: &str = "base";

/// What a sample has besides the usual.
#[derive(Clone, Copy, Debug)]
pub struct Listed {
    /// What the motors are told, where they do not just give it.
    pub has_commands: bool,
    /// What the encoders read.
    pub has_readings: bool,
}

/// What a sample is in a file and in JSON.
pub fn columns(schema: &CoordinateSchema, listed: Listed) -> Vec<Column> {
    let mut columns = vec![Column::time()];
    for group in
        [Group::Position, Group::Orientation, Group::Quaternion, Group::Velocity, Group::AngularVelocity]
    {
        let names = schema.group(group).names.iter();
        columns.extend(names.map(|name| Column::new(&name.text, name.quantity.si_unit()).in_frame(FRAME)));
    }
    for group in [Group::Joints, Group::JointSpeeds] {
        columns.extend(
            schema.group(group).names.iter().map(|name| Column::new(&name.text, name.quantity.si_unit())),
        );
    }
    let units = schema.each("N m", "N").into_iter().enumerate();
    columns.extend(units.map(|(k, unit)| Column::new(format!("tau{}", k + 1), unit)));
    let numbered = |letter: &str, units: Vec<&'static str>| -> Vec<Column> {
        units
            .into_iter()
            .enumerate()
            .map(|(k, unit)| Column::new(format!("{letter}{}", k + 1), unit))
            .collect()
    };
    if listed.has_commands {
        columns.extend(numbered("u", schema.each("N m", "N")));
    }
    if listed.has_readings {
        columns.extend(numbered("m", schema.each("rad", "m")));
    }
    let energies = ["kinetic_energy", "potential_energy", "work", "dissipation"];
    columns.extend(energies.map(|name| Column::new(name, "J")));
    columns.push(Column::new("loop_gap", "m"));
    columns
}

/// Its numbers, in the order of [`columns`].
pub fn row(schema: &CoordinateSchema, listed: Listed, sample: &Sample<'_>, row: &mut Vec<f64>) {
    let platform = &sample.platform;
    row.clear();
    row.push(sample.time);
    row.extend(schema.pick(Group::Position, &platform.position));
    row.extend(schema.angles(&platform.rotation));
    if schema.turns() {
        row.extend(rotation::to_quaternion(&platform.rotation));
    }
    row.extend(schema.pick(Group::Velocity, &platform.twist[..3]));
    row.extend(schema.pick(Group::AngularVelocity, &platform.twist[3..]));
    for list in [sample.q, sample.qd, sample.effort] {
        row.extend_from_slice(list);
    }
    if listed.has_commands {
        row.extend_from_slice(sample.command);
    }
    if let Some(readings) = sample.measured.filter(|_| listed.has_readings) {
        row.extend_from_slice(readings);
    }
    let (energy, ledger) = (&sample.energy, &sample.ledger);
    row.extend([energy.kinetic, energy.potential, ledger.work, ledger.dissipation, sample.loop_gap]);
}

//! The numbers of one sample: their names, units and frames.

use crate::form::Form;
use crate::row::Group;
use crate::turn;
use legwork::recording::Column;
use legwork::sim::Sample;

/// The frame of what the platform does.
const FRAME: &str = "base";

/// What a sample is in a file and in JSON.
pub fn columns(form: &Form) -> Vec<Column> {
    let mut columns = vec![Column::time()];
    for group in
        [Group::Position, Group::Orientation, Group::Quaternion, Group::Velocity, Group::AngularVelocity]
    {
        let names = form.group(group).names.iter();
        columns.extend(names.map(|name| Column::new(&name.text, name.kind.si()).in_frame(FRAME)));
    }
    for group in [Group::Joints, Group::JointSpeeds] {
        columns.extend(form.group(group).names.iter().map(|name| Column::new(&name.text, name.kind.si())));
    }
    let units = form.each("N m", "N").into_iter().enumerate();
    columns.extend(units.map(|(k, unit)| Column::new(format!("tau{}", k + 1), unit)));
    let energies = ["kinetic_energy", "potential_energy", "work", "dissipation"];
    columns.extend(energies.map(|name| Column::new(name, "J")));
    columns.push(Column::new("loop_gap", "m"));
    columns
}

/// Its numbers, in the order of [`columns`].
pub fn row(form: &Form, sample: &Sample<'_>, row: &mut Vec<f64>) {
    let platform = &sample.platform;
    row.clear();
    row.push(sample.time);
    row.extend(form.pick(Group::Position, &platform.position));
    row.extend(form.angles(&platform.rotation));
    if form.turns() {
        row.extend(turn::quaternion(&platform.rotation));
    }
    row.extend(form.pick(Group::Velocity, &platform.twist[..3]));
    row.extend(form.pick(Group::AngularVelocity, &platform.twist[3..]));
    for list in [sample.q, sample.qd, sample.effort] {
        row.extend_from_slice(list);
    }
    let (energy, books) = (&sample.energy, &sample.books);
    row.extend([energy.kinetic, energy.potential, books.work, books.dissipation, sample.loop_gap]);
}

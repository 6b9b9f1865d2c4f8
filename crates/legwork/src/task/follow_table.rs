//! Regulators side by side, as the columns of a table.

use super::{Choice, FollowResult, MarginsResult, RegulatorResult};
use crate::experiment::Spread;
use crate::report::{Axis, Section, Table};
use crate::text::cell as shown;

/// Whether any motor gives another peak than it is asked for, in the digits of the table.
fn differ(
    regulators: &[RegulatorResult],
    peaks: impl Fn(&RegulatorResult) -> (Option<f64>, Option<f64>),
) -> bool {
    regulators.iter().map(peaks).any(|(given, asked)| given.map(shown) != asked.map(shown))
}

impl FollowResult {
    /// Column by column a heading and a cell for each regulator. Beside its neighbour a word is enough for a heading.
    pub fn columns(&self) -> Vec<Vec<String>> {
        let names = self.regulators.iter().map(|of| of.regulator.word().to_owned());
        let mut columns: Vec<Vec<String>> =
            vec![std::iter::once("regulator".to_owned()).chain(names).collect()];
        let mut add = |title: &str, get: &dyn Fn(&RegulatorResult) -> Option<f64>| {
            let cells: Vec<Option<f64>> = self.regulators.iter().map(get).collect();
            if cells.iter().any(Option::is_some) {
                let cells = cells.into_iter().map(|cell| cell.map_or("-".into(), shown));
                columns.push(std::iter::once(title.to_owned()).chain(cells).collect());
            }
        };
        let degrees = 1_f64.to_degrees();
        // The errors of a run that was stopped say nothing about its regulator.
        let whole = |of: &RegulatorResult, spread: Option<Spread>| spread.filter(|_| of.fault.is_none());
        let max = |of: &RegulatorResult, spread: Option<Spread>, scale: f64| {
            whole(of, spread).map(|spread| spread.max * scale)
        };
        let rms = |of: &RegulatorResult, spread: Option<Spread>, scale: f64| {
            whole(of, spread).map(|spread| spread.rms * scale)
        };
        add("motors [deg]", &|of| max(of, of.turning_error, degrees));
        add("rms", &|of| rms(of, of.turning_error, degrees));
        add("motors [mm]", &|of| max(of, of.sliding_error, 1e3));
        add("rms", &|of| rms(of, of.sliding_error, 1e3));
        add("plate [mm]", &|of| max(of, Some(of.position_error), 1e3));
        add("rms", &|of| rms(of, Some(of.position_error), 1e3));
        add("[mrad]", &|of| max(of, of.orientation_error, 1e3));
        add("factor", &|of| of.joint_factor);
        add("plate", &|of| of.platform_factor);
        add("peak [N m]", &|of| of.peak_torque);
        add("at motor", &|of| of.peak_motor_torque);
        if differ(&self.regulators, |of| (of.peak_torque, of.asked_torque)) {
            add("asked [N m]", &|of| of.asked_torque);
        }
        add("peak [N]", &|of| of.peak_force);
        if differ(&self.regulators, |of| (of.peak_force, of.asked_force)) {
            add("asked [N]", &|of| of.asked_force);
        }
        add("beyond [mm]", &|of| of.arrival.map(|arrival| arrival.overshoot * 1e3));
        add("rest [mm]", &|of| of.arrival.map(|arrival| arrival.rest * 1e3));
        add("settled [ms]", &|of| of.arrival.and_then(|arrival| arrival.settling).map(|time| time * 1e3));
        add("payload [kg]", &|of| of.payload);
        columns
    }

    /// The same for the head of a page.
    pub(super) fn section(&self) -> Section {
        let full = |heads: &[&str]| match heads {
            [.., before, "rms"] => before.replacen(' ', " rms ", 1),
            [.., "[mrad]"] => "plate [mrad]".into(),
            [.., "factor"] => "motors, times better".into(),
            [.., "plate"] => "plate, times better".into(),
            [.., head] => (*head).to_owned(),
            [] => String::new(),
        };
        let mut columns = self.columns();
        let mut add = |head: &str, get: &dyn Fn(&MarginsResult) -> Option<f64>| {
            let cell =
                |of: &RegulatorResult| of.margins.as_ref().and_then(get).map_or_else(|| "-".into(), shown);
            let cells = self.regulators.iter().map(cell);
            columns.push(std::iter::once(head.to_owned()).chain(cells).collect());
        };
        add("phase margin [deg]", &|margins| margins.phase.filter(|_| margins.stable).map(f64::to_degrees));
        add("gain margin", &|margins| margins.gain_up.filter(|_| margins.stable));
        let heads: Vec<&str> = columns.iter().map(|column| column[0].as_str()).collect();
        let axes = (1..=heads.len()).map(|count| Axis::new(full(&heads[..count]), ""));
        let table = (1..=self.regulators.len()).fold(Table::new("", axes), |table, row| {
            table.with_row(columns.iter().map(|column| column[row].as_str()))
        });
        let text = "Largest errors of the motors and of the plate, their means (rms) and how many times smaller than with \
                    the first regulator; the largest effort that a motor gives, and that it is asked for where \
                    this is another; at the end how far the plate goes beyond its target, how far it \
                    is from it at rest, and when it has settled; the margins of its sampled loop half-way, by which \
                    phases or gains of all motors may change together.";
        Section::new("Regulators side by side").with(table).with(text)
    }
}

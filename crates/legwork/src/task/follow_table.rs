//! Regulators side by side, as the columns of a table.

use super::{Choice, FollowResult, RegulatorResult};
use crate::experiment::Spread;
use crate::report::{Axis, Section, Table};
use crate::text::fixed;

/// A number to four digits, at most three decimals; a dash where it is none.
pub fn four_digits(number: f64) -> String {
    let size = number.abs();
    let decimals = if size >= 100.0 {
        1
    } else if size >= 10.0 {
        2
    } else {
        3
    };
    if number.is_finite() { fixed(number, decimals) } else { "-".into() }
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
                let cells = cells.into_iter().map(|cell| cell.map_or("-".into(), four_digits));
                columns.push(std::iter::once(title.to_owned()).chain(cells).collect());
            }
        };
        let degrees = 1_f64.to_degrees();
        let max = |spread: Option<Spread>, scale: f64| spread.map(|spread| spread.max * scale);
        let rms = |spread: Option<Spread>, scale: f64| spread.map(|spread| spread.rms * scale);
        add("motors [deg]", &|of| max(of.turning_error, degrees));
        add("rms", &|of| rms(of.turning_error, degrees));
        add("motors [mm]", &|of| max(of.sliding_error, 1e3));
        add("rms", &|of| rms(of.sliding_error, 1e3));
        add("plate [mm]", &|of| max(Some(of.position_error), 1e3));
        add("rms", &|of| rms(Some(of.position_error), 1e3));
        add("[mrad]", &|of| max(of.orientation_error, 1e3));
        add("factor", &|of| of.joint_factor);
        add("plate", &|of| of.platform_factor);
        add("peak [N m]", &|of| of.peak_torque);
        add("peak [N]", &|of| of.peak_force);
        add("beyond [mm]", &|of| of.arrival.map(|arrival| arrival.overshoot * 1e3));
        add("rest [mm]", &|of| of.arrival.map(|arrival| arrival.rest * 1e3));
        add("settled [ms]", &|of| of.arrival.and_then(|arrival| arrival.settling).map(|time| time * 1e3));
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
        let columns = self.columns();
        let heads: Vec<&str> = columns.iter().map(|column| column[0].as_str()).collect();
        let axes = (1..=heads.len()).map(|count| Axis::new(full(&heads[..count]), ""));
        let table = (1..=self.regulators.len()).fold(Table::new("", axes), |table, row| {
            table.with_row(columns.iter().map(|column| column[row].as_str()))
        });
        let text = "Largest errors of the motors and of the plate, their means (rms) and how many times smaller than with \
                    the first regulator; the largest effort; at the end how far the plate goes beyond its target, how far it \
                    is from it at rest, and when it has settled.";
        Section::new("Regulators side by side").with(table).with(text)
    }
}

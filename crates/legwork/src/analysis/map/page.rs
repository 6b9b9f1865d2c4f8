//! A map as sections of a report: every quantity with its picture and its numbers.

use super::picture::{human, place, pretty};
use super::{Map, Range};
use crate::report::{Axis, Block, HeatMap, Lines, Multiples, Report, Section, Table};

impl Map {
    /// A page about the map: every quantity as a picture to look into, and tables.
    pub fn report(&self) -> Report {
        let names: Vec<&str> = self.quantities.iter().map(|quantity| quantity.name()).collect();
        let mut report = Report::new(format!("{}: {}", self.robot, names.join(", ")));
        report.sections = self.sections();
        report
    }

    /// A section for each quantity: maps to look into, then lowest, highest and mean number of its columns.
    pub fn sections(&self) -> Vec<Section> {
        (0..self.quantities.len()).map(|quantity| self.section(quantity)).collect()
    }

    fn section(&self, quantity: usize) -> Section {
        let mut section = Section::new(capital(self.quantities[quantity].title()));
        let columns = self.shown(quantity);
        let mut notes: Vec<String> = self.grid.rest().iter().map(|(c, value)| place(*c, *value)).collect();
        notes.push(format!("{} of {} poses in reach", self.reached, self.done));
        notes.extend(self.stopped());
        let is_plane = self.grid.ranges().len() > 1;
        if let Some(ends) = self.colour_ends(quantity, &columns).filter(|_| is_plane) {
            notes.push(ends.words());
        }
        if is_plane && self.reached < self.done {
            notes.push("hatched: out of reach".into());
        }
        if is_plane && self.is_partial() {
            notes.push("dark grey: not computed".into());
        }
        section = section.with(format!("{}.", notes.join("; ")));
        section = match self.grid.ranges() {
            [] => section,
            [x] => section.with(self.curves(x, &columns)),
            [x, y, ..] => section.with(self.maps(quantity, x, y, &columns)),
        };
        section.with(self.table(quantity))
    }

    fn table(&self, quantity: usize) -> Table {
        let headings = ["column", "lowest", "highest", "mean"].map(|name| Axis::new(name, ""));
        self.columns_of(quantity).fold(Table::new("", headings), |table, k| {
            let column = &self.columns[k];
            let numbers = match self.summary(k) {
                Some(all) => [all.lowest.value, all.highest.value, all.mean].map(digits),
                None => ["-", "-", "-"].map(String::from),
            };
            let [low, high, mean] = numbers;
            let axis = Axis::new(column.name.as_str(), pretty(&column.unit));
            table.with_row([axis.label(), low, high, mean])
        })
    }

    /// The unit of a column with its name.
    fn axis_of(&self, column: usize) -> Axis {
        let column = &self.columns[column];
        Axis::new(column.name.replace('_', " "), pretty(&column.unit))
    }

    fn curves(&self, x: &Range, columns: &[usize]) -> Lines {
        let (factor, unit) = human(x.coordinate);
        let places: Vec<f64> = (0..x.count).map(|i| x.at(i) * factor).collect();
        let value = match columns {
            [only] => self.axis_of(*only),
            _ => {
                Axis::new("value", columns.first().map_or(String::new(), |k| pretty(&self.columns[*k].unit)))
            }
        };
        let title = format!("Along {}", x.coordinate.name());
        let empty = Lines::new(title, Axis::new(x.coordinate.name(), unit), value);
        columns.iter().fold(empty, |lines, k| {
            let values: Vec<f64> = self.column(*k).collect();
            lines.with_curve(self.columns[*k].name.clone(), &places, &values)
        })
    }

    /// One map, or many with one scale: the columns of a quantity, or slices of its first.
    fn maps(&self, quantity: usize, x: &Range, y: &Range, columns: &[usize]) -> Block {
        let size = x.count * y.count;
        let slices = self.slices(size);
        let panels: Vec<(usize, usize, String)> = if slices.len() > 1 {
            let first = columns.iter().take(1);
            first
                .flat_map(|k| slices.iter().map(move |slice| (*slice, *k)))
                .map(|(slice, k)| (slice, k, self.place_of_slice(slice * size)))
                .collect()
        } else {
            columns.iter().map(|k| (0, *k, self.columns[*k].name.clone())).collect()
        };
        let numbers = |(slice, k, _): &(usize, usize, String)| {
            self.column(*k).skip(slice * size).take(size).collect::<Vec<f64>>()
        };
        let ends = match self.colour_ends(quantity, columns) {
            Some(ends) => (ends.low, ends.high),
            None => panels
                .iter()
                .flat_map(numbers)
                .filter(|value| value.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x))),
        };
        let side = |range: &Range| {
            let (factor, unit) = human(range.coordinate);
            let places: Vec<f64> = (0..range.count).map(|i| range.at(i) * factor).collect();
            (Axis::new(range.coordinate.name(), unit), places)
        };
        let map = |panel: &(usize, usize, String)| {
            let title = panel.2.as_str();
            let map = HeatMap::new(title, side(x), side(y), self.axis_of(panel.1), numbers(panel))
                .computed_to(self.done.saturating_sub(panel.0 * size));
            if ends.0 <= ends.1 { map.within(ends.0, ends.1) } else { map }
        };
        if let [only] = panels.as_slice() {
            return map(only).into();
        }
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
        let columns = (panels.len() as f64).sqrt().ceil() as usize;
        panels.iter().fold(Multiples::new("", columns), |all, panel| all.with(map(panel))).into()
    }
}

/// With a capital first letter, as a heading has.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A number to five digits.
fn digits(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 || (1e-3..1e6).contains(&size) {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and 7")]
        let decimals = if x == 0.0 { 0 } else { (4.0 - size.log10().floor()).clamp(0.0, 7.0) as usize };
        format!("{x:.decimals$}")
    } else {
        format!("{x:.4e}")
    }
}

//! A map as a picture.

use super::{Coordinate, Map, Range};
use crate::figure::{Axis, ColorMap, Field, Figure, Panel};
use crate::text::four_digits;

/// Slices of a volume that are shown, at most.
const MOST_SLICES: usize = 9;

/// Where the colours end, and the numbers.
pub(super) struct ColourEnds {
    pub low: f64,
    pub high: f64,
    least: f64,
    most: f64,
}

impl ColourEnds {
    /// Numbers that have no colour of their own.
    pub fn words(&self) -> String {
        if self.low == self.least {
            return format!("colours end at {:.1}, the largest number is {:.0}", self.high, self.most);
        }
        let [low, high, least, most] = [self.low, self.high, self.least, self.most].map(four_digits);
        format!("colours end at {low} and {high}, the numbers at {least} and {most}")
    }
}

impl Map {
    /// Its first quantity: a line over one coordinate, colours over two, slices of three or more. A
    /// quantity of many columns is many panels with one scale.
    pub fn figure(&self) -> Figure {
        let quantity = self.quantities.first().copied();
        let title = quantity.map_or("", |quantity| quantity.title());
        let columns = self.shown(0);
        let mut note: Vec<String> = self.grid.rest().iter().map(|(c, value)| place(*c, *value)).collect();
        let counts: Vec<String> = self.grid.ranges().iter().map(|range| range.count.to_string()).collect();
        note.push(format!("{} poses", counts.join(" × ")));
        note.extend(self.stopped().map(|stopped| {
            let dark = if self.grid.ranges().len() > 1 { "; dark grey: not computed" } else { "" };
            format!("{stopped}{dark}")
        }));
        let figure = Figure::new(format!("{}: {title}", self.robot)).noted(note.join(", "));
        match self.grid.ranges() {
            [x] => self.lines(figure, x, &columns),
            [x, y, ..] => self.fields(figure, x, y, &columns),
            [] => figure,
        }
    }

    /// The columns of a quantity that belong into one picture.
    pub(super) fn shown(&self, quantity: usize) -> Vec<usize> {
        use super::Quantity::{Amplification, Gravity, Passive, Serial};
        let all: Vec<usize> = self.columns_of(quantity).collect();
        match self.quantities.get(quantity) {
            Some(Amplification) => all.into_iter().take(1).collect(),
            // The last is made of the others.
            Some(Serial | Gravity | Passive) if all.len() > 1 => all[..all.len() - 1].to_vec(),
            _ => all,
        }
    }

    /// Where the colours of a quantity end that grows without end at a singularity, if its few large numbers would leave
    /// one colour for all others.
    pub(super) fn colour_ends(&self, quantity: usize, columns: &[usize]) -> Option<ColourEnds> {
        use super::Quantity::{Amplification, Condition, Gravity, MassMatrix};
        // Shares of the numbers, and how many of the columns: those that have one scale.
        let (below, above, count) = match self.quantities.get(quantity)? {
            Condition | Amplification => (0, 90, 1),
            MassMatrix | Gravity => (5, 95, columns.len()),
            _ => return None,
        };
        let numbers = columns.iter().take(count).flat_map(|column| self.column(*column));
        let mut all: Vec<f64> = numbers.filter(|value| !value.is_nan()).collect();
        all.sort_by(f64::total_cmp);
        let (least, most) = (*all.first()?, *all.last()?);
        let at = |share: usize| all.get((all.len() - 1) * share / 100).copied();
        let (low, high) = (at(below)?, at(above)?);
        (most - least > 3.0 * (high - low) && high > low).then_some(ColourEnds { low, high, least, most })
    }

    /// The numbers of the slices of so many poses that are shown: some, evenly.
    pub(super) fn slices(&self, size: usize) -> Vec<usize> {
        let slices = self.grid.len() / size;
        let shown = slices.min(MOST_SLICES);
        (0..shown).map(|k| if shown > 1 { k * (slices - 1) / (shown - 1) } else { 0 }).collect()
    }

    /// Where a slice is: "z = −350 mm".
    pub(super) fn place_of_slice(&self, pose: usize) -> String {
        let coordinates = self.grid.coordinates(pose);
        let others = self.grid.ranges().iter().skip(2);
        let places: Vec<String> =
            others.map(|r| place(r.coordinate, coordinates[r.coordinate as usize])).collect();
        places.join(", ")
    }

    fn lines(&self, figure: Figure, x: &Range, columns: &[usize]) -> Figure {
        let first = columns.first().map(|k| &self.columns[*k]);
        let (factor, unit) = human(x.coordinate);
        let name = if columns.len() == 1 { first.map_or("", |column| column.name.as_str()) } else { "value" };
        let y = Axis::new(name.replace('_', " "), pretty(first.map_or("", |column| column.unit.as_str())));
        let panel = columns.iter().fold(Panel::new(Axis::new(x.coordinate.name(), unit), y), |panel, k| {
            let points: Vec<[f64; 2]> =
                self.column(*k).enumerate().map(|(i, value)| [x.at(i) * factor, value]).collect();
            let label = if columns.len() == 1 { String::new() } else { self.columns[*k].name.clone() };
            panel.line(label, points)
        });
        figure.panel(panel)
    }

    fn fields(&self, figure: Figure, x: &Range, y: &Range, columns: &[usize]) -> Figure {
        let size = x.count * y.count;
        let slices = self.slices(size);
        let shown = slices.len();
        let (fx, ux) = human(x.coordinate);
        let (fy, uy) = human(y.coordinate);
        let panels: Vec<(usize, usize)> = if slices.len() > 1 {
            slices.iter().filter_map(|slice| columns.first().map(|k| (*slice, *k))).collect()
        } else {
            columns.iter().map(|k| (0, *k)).collect()
        };
        let many = panels.len() > 1;
        let signed = self.quantities.first().is_some_and(|quantity| quantity.is_signed());
        let is_negative = |k: &usize| self.column(*k).any(|value| value < 0.0);
        let map = if signed && columns.iter().any(is_negative) {
            ColorMap::Diverging
        } else {
            ColorMap::Sequential
        };
        let first = columns.first().map(|k| &self.columns[*k]);
        let unit = first.map_or("", |column| column.unit.as_str());
        let name = if many && slices.len() == 1 {
            String::new()
        } else {
            first.map_or(String::new(), |c| c.name.replace('_', " "))
        };
        let scale = if name.is_empty() {
            Axis::new(format!("[{}]", pretty(unit)), "")
        } else {
            Axis::new(name, pretty(unit))
        };
        let (scale, figure) = match self.colour_ends(0, columns) {
            Some(ends) => {
                (scale.within(ends.low, ends.high), figure.also_noted(&format!("; {}", ends.words())))
            }
            None => (scale, figure),
        };
        let scale = if unit.is_empty() && many && slices.len() == 1 { Axis::new("", "") } else { scale };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a small count")]
        let side = (panels.len() as f64).sqrt().ceil() as usize;
        let figure = figure.colored(scale, map).without_value("out of reach").in_columns(side);
        panels.into_iter().fold(figure, |figure, (slice, column)| {
            let values = self.column(column).skip(slice * size).take(size).collect();
            let field =
                Field { x: (x.from * fx, x.to * fx), y: (y.from * fy, y.to * fy), columns: x.count, values };
            let panel = Panel::new(Axis::new(x.coordinate.name(), ux), Axis::new(y.coordinate.name(), uy))
                .field_computed_to(field, self.done.saturating_sub(slice * size));
            let panel =
                if x.coordinate.turns() == y.coordinate.turns() { panel.with_equal_axes() } else { panel };
            let title = match self.grid.ranges().get(2) {
                Some(_) if shown > 1 => self.place_of_slice(slice * size),
                _ if many => self.columns[column].name.clone(),
                _ => String::new(),
            };
            figure.panel(panel.titled(title))
        })
    }
}

/// Millimetres and degrees are for people.
pub(super) fn human(coordinate: Coordinate) -> (f64, &'static str) {
    if coordinate.turns() { (1_f64.to_degrees(), "deg") } else { (1e3, "mm") }
}

/// "z = −350 mm"
pub(super) fn place(coordinate: Coordinate, value: f64) -> String {
    let (factor, unit) = human(coordinate);
    let number = format!("{:.1}", value * factor);
    let number = number.strip_suffix(".0").unwrap_or(&number).replace('-', "−");
    let number = if number == "−0" { "0".into() } else { number };
    format!("{coordinate} = {number} {unit}")
}

pub(super) fn pretty(unit: &str) -> String {
    unit.replace("^2", "²")
}

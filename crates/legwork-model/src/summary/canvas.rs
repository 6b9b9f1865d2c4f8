//! Lines and letters on a sheet of text, true to scale.

const WIDTH: usize = 60;
/// A letter is about twice as high as it is wide.
const ASPECT: f64 = 2.0;

/// A point of the drawing: to the right, and up \[m\].
pub(super) type Point = (f64, f64);

/// Letters joined by lines.
#[derive(Default)]
pub(super) struct Drawing {
    letters: Vec<(char, Point)>,
    lines: Vec<(Point, Point, char)>,
}

impl Drawing {
    /// A line; `level` is its letter where it is level.
    pub fn line(&mut self, from: Point, to: Point, level: char) {
        self.lines.push((from, to, level));
    }

    /// A letter; the first of several at one place is seen.
    pub fn letter(&mut self, letter: char, at: Point) {
        self.letters.push((letter, at));
    }

    /// The picture, at most so many lines high, and how wide a letter is \[m\].
    fn drawn(&self, height: usize) -> (String, f64) {
        let ends = self.lines.iter().flat_map(|(from, to, _)| [*from, *to]);
        let points: Vec<Point> = self.letters.iter().map(|(_, point)| *point).chain(ends).collect();
        let bound = |pick: fn(Point) -> f64, start: f64, join: fn(f64, f64) -> f64| {
            points.iter().map(|point| pick(*point)).fold(start, join)
        };
        let (left, right) =
            (bound(|p| p.0, f64::INFINITY, f64::min), bound(|p| p.0, f64::NEG_INFINITY, f64::max));
        let (low, high) =
            (bound(|p| p.1, f64::INFINITY, f64::min), bound(|p| p.1, f64::NEG_INFINITY, f64::max));
        let scale = ((right - left) / (WIDTH - 1) as f64).max((high - low) / (height - 1) as f64 / ASPECT);
        let cell =
            |(x, y): Point| (place((x - left) / scale, WIDTH), place((high - y) / scale / ASPECT, height));
        let mut picture = vec![vec![' '; WIDTH]; height];
        for (from, to, level) in &self.lines {
            line(&mut picture, cell(*from), cell(*to), *level);
        }
        for (letter, point) in self.letters.iter().rev() {
            let (column, row) = cell(*point);
            picture[row][column] = *letter;
        }
        let rows: Vec<String> = picture
            .iter()
            .map(|row| format!("  {}", row.iter().collect::<String>()).trim_end().into())
            .collect();
        let drawn = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
        (rows[..drawn].join("\n"), scale)
    }

    /// The picture with what its letters mean and its scale below.
    pub fn with_legend(&self, height: usize, legend: &str) -> String {
        let (picture, scale) = self.drawn(height);
        format!(
            "{picture}\n\n  {legend}\n  one letter is {:.1} mm wide and {:.1} mm high",
            scale * 1e3,
            scale * ASPECT * 1e3
        )
    }
}

/// The nearest of `count` places.
fn place(at: f64, count: usize) -> usize {
    (0..count).min_by(|i, j| (*i as f64 - at).abs().total_cmp(&(*j as f64 - at).abs())).unwrap_or(0)
}

/// A line between two cells, each cell drawn along the direction it leaves in.
fn line(picture: &mut [Vec<char>], (x0, y0): (usize, usize), (x1, y1): (usize, usize), level: char) {
    let steps = x0.abs_diff(x1).max(y0.abs_diff(y1));
    let at = |from: usize, to: usize, step: usize| {
        let moved = (2 * from.abs_diff(to) * step + steps) / (2 * steps);
        if to >= from { from + moved } else { from - moved }
    };
    for step in 0..steps {
        let (here, next) =
            ((at(x0, x1, step), at(y0, y1, step)), (at(x0, x1, step + 1), at(y0, y1, step + 1)));
        picture[here.1][here.0] = match (next.0 == here.0, next.1 == here.1) {
            (_, true) => level,
            (true, false) => '|',
            (false, false) if (next.0 > here.0) == (next.1 > here.1) => '\\',
            (false, false) => '/',
        };
    }
}

//! What is between the axes of a panel.

use super::color::Color;
use super::scene::{Point, Scene, Shape};
use super::{ColorMap, Field, Figure, Mark, Panel};

/// Where a panel is \[pt\], and which numbers its sides stand for.
pub(super) struct Frame {
    pub at: Point,
    pub size: Point,
    pub x: (f64, f64),
    pub y: (f64, f64),
}

impl Frame {
    /// Numbers to points.
    pub fn place(&self, [x, y]: [f64; 2]) -> Point {
        [
            self.at[0] + self.size[0] * (x - self.x.0) / (self.x.1 - self.x.0),
            self.at[1] + self.size[1] * (1.0 - (y - self.y.0) / (self.y.1 - self.y.0)),
        ]
    }

    fn holds(&self, [x, y]: [f64; 2]) -> bool {
        let within = |x: f64, (low, high): (f64, f64)| (low.min(high)..=high.max(low)).contains(&x);
        within(x, self.x) && within(y, self.y)
    }

    /// The part of a segment that is inside, by Liang and Barsky.
    fn clip(&self, a: [f64; 2], b: [f64; 2]) -> Option<[[f64; 2]; 2]> {
        let (mut first, mut last) = (0.0_f64, 1.0_f64);
        for (k, (low, high)) in [self.x, self.y].into_iter().enumerate() {
            let d = b[k] - a[k];
            for (p, q) in [(-d, a[k] - low), (d, high - a[k])] {
                if p == 0.0 {
                    if q < 0.0 {
                        return None;
                    }
                } else if p < 0.0 {
                    first = first.max(q / p);
                } else {
                    last = last.min(q / p);
                }
            }
        }
        let at = |t: f64| [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
        (first <= last).then(|| [at(first), at(last)])
    }

    /// The pieces of a line that are inside and numbers.
    fn pieces(&self, points: &[[f64; 2]]) -> Vec<Vec<Point>> {
        let mut pieces: Vec<Vec<Point>> = Vec::new();
        let mut end: Option<[f64; 2]> = None;
        for pair in points.windows(2) {
            let is_number = pair.iter().flatten().all(|x| x.is_finite());
            let Some([a, b]) = is_number.then(|| self.clip(pair[0], pair[1])).flatten() else {
                end = None;
                continue;
            };
            match pieces.last_mut().filter(|_| end == Some(a)) {
                Some(piece) => piece.push(self.place(b)),
                None => pieces.push(vec![self.place(a), self.place(b)]),
            }
            end = Some(b);
        }
        pieces
    }
}

/// The outer edges of the first and last cells of a field.
pub(super) fn edges(field: &Field) -> [(f64, f64); 2] {
    let rows = field.values.len() / field.columns.max(1);
    let widened = |(low, high): (f64, f64), count: usize| {
        let half = if count > 1 { 0.5 * (high - low) / (count - 1) as f64 } else { 0.5 };
        (low - half, high + half)
    };
    [widened(field.x, field.columns), widened(field.y, rows)]
}

pub(super) fn panel(scene: &mut Scene, panel: &Panel, frame: &Frame, scale: Option<(ColorMap, (f64, f64))>) {
    if panel.shows_origin {
        let lines = [[[0.0, frame.y.0], [0.0, frame.y.1]], [[frame.x.0, 0.0], [frame.x.1, 0.0]]];
        for line in lines.iter().filter_map(|[a, b]| frame.clip(*a, *b)) {
            scene.line(frame.place(line[0]), frame.place(line[1]), Color::GREY, 0.8);
        }
    }
    let mut number = 0;
    for mark in &panel.marks {
        match mark {
            Mark::Field { field: values, computed } => {
                if let Some((map, range)) = scale {
                    field(scene, frame, (values, *computed), map, range);
                }
                continue;
            }
            Mark::Line { points, is_limit, .. } => {
                let (color, width, dash) = line_style(*is_limit, number);
                for points in frame.pieces(points) {
                    scene.shapes.push(Shape::Stroke { points, color, width, dash });
                }
            }
            Mark::Cloud { points, .. } | Mark::Poles { points, .. } | Mark::Zeros { points, .. } => {
                for point in points.iter().filter(|point| frame.holds(**point)) {
                    sample(scene, frame.place(*point), mark, number);
                }
            }
        }
        number += usize::from(!matches!(mark, Mark::Line { is_limit: true, .. }));
    }
}

fn line_style(is_limit: bool, number: usize) -> (Color, f64, Option<f64>) {
    if is_limit { (Color::INK, 1.4, Some(5.0)) } else { (Color::of_line(number), 1.7, None) }
}

/// One mark, also as its sample in the legend.
pub(super) fn sample(scene: &mut Scene, centre: Point, mark: &Mark, number: usize) {
    let [x, y] = centre;
    let color = Color::of_line(number);
    match mark {
        Mark::Line { is_limit, .. } => {
            let (color, width, dash) = line_style(*is_limit, number);
            let points = vec![[x - 11.0, y], [x + 11.0, y]];
            scene.shapes.push(Shape::Stroke { points, color, width, dash });
        }
        Mark::Cloud { .. } => {
            scene.shapes.push(Shape::Dot { centre, radius: 1.9, color, opacity: 0.75 });
        }
        Mark::Poles { .. } => {
            let d = 4.0;
            scene.line([x - d, y - d], [x + d, y + d], color, 1.6);
            scene.line([x - d, y + d], [x + d, y - d], color, 1.6);
        }
        Mark::Zeros { .. } => {
            let corner = |k: u32| {
                let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / 24.0).sin_cos();
                [x + 4.4 * cos, y + 4.4 * sin]
            };
            let points = (0..=24).map(corner).collect();
            scene.shapes.push(Shape::Stroke { points, color, width: 1.6, dash: None });
        }
        Mark::Field { .. } => {}
    }
}

/// The label of a mark, the number of its colour, and the mark.
pub(super) type Entry<'a> = (&'a str, usize, &'a Mark);

/// Labels over all panels, each once, with the number of its colour.
pub(super) fn legend(figure: &Figure) -> Vec<Entry<'_>> {
    let mut entries: Vec<Entry<'_>> = Vec::new();
    for panel in &figure.panels {
        let mut number = 0;
        for mark in &panel.marks {
            let label = match mark {
                Mark::Field { .. } => continue,
                Mark::Line { label, .. }
                | Mark::Cloud { label, .. }
                | Mark::Poles { label, .. }
                | Mark::Zeros { label, .. } => label,
            };
            if !label.is_empty() && !entries.iter().any(|(known, ..)| known == label) {
                entries.push((label, number, mark));
            }
            number += usize::from(!matches!(mark, Mark::Line { is_limit: true, .. }));
        }
    }
    entries
}

fn field(
    scene: &mut Scene,
    frame: &Frame,
    (field, computed): (&Field, usize),
    map: ColorMap,
    (low, high): (f64, f64),
) {
    let columns = field.columns.max(1);
    let color = |value: &f64| {
        if value.is_finite() { map.at((value - low) / (high - low)) } else { Color::NOTHING }
    };
    let known = |(k, value)| if k < computed { color(value) } else { Color::NOT_COMPUTED };
    let colors: Vec<Color> = field.values.iter().enumerate().map(known).collect();
    // Rows go up in the panel and down in the image.
    let colors: Vec<Color> = colors.chunks(columns).rev().flatten().copied().collect();
    let [x, y] = edges(field);
    let (a, b) = (frame.place([x.0, y.1]), frame.place([x.1, y.0]));
    scene.shapes.push(Shape::Cells { at: a, size: [b[0] - a[0], b[1] - a[1]], columns, colors });
}

/// A sample of a cell without a value.
pub(super) fn nothing(scene: &mut Scene, at: Point, size: Point) {
    let color = Color::NOTHING;
    scene.shapes.push(Shape::Fill { points: Scene::rectangle(at, size), color, opacity: 1.0 });
}

/// Whether a field has a cell without a value.
pub(super) fn has_nothing(figure: &Figure) -> bool {
    let marks = figure.panels.iter().flat_map(|panel| &panel.marks);
    marks
        .into_iter()
        .any(|mark| {
            matches!(mark, Mark::Field { field, computed } if field.values.iter().take(*computed).any(|x| x.is_nan()))
        })
}

//! What a picture is made of before it is SVG or pixels. Lengths in points, y down.

use super::color::Color;

/// A place \[pt\].
pub(super) type Point = [f64; 2];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

#[derive(Clone, Debug)]
pub(super) enum Shape {
    /// A filled polygon.
    Fill { points: Vec<Point>, color: Color, opacity: f64 },
    /// A line through points; `dash` is the length of a dash and of a gap.
    Stroke { points: Vec<Point>, color: Color, width: f64, dash: Option<f64> },
    /// A dot.
    Dot { centre: Point, radius: f64, color: Color, opacity: f64 },
    /// Text; `up` turns it by a quarter, to be read from the right.
    Text { at: Point, text: String, size: f64, anchor: Anchor, up: bool, color: Color },
    /// Cells of one colour each, rows from the top.
    Cells { at: Point, size: Point, columns: usize, colors: Vec<Color> },
}

/// A picture.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    pub size: Point,
    pub shapes: Vec<Shape>,
}

impl Scene {
    pub fn line(&mut self, a: Point, b: Point, color: Color, width: f64) {
        self.shapes.push(Shape::Stroke { points: vec![a, b], color, width, dash: None });
    }

    pub fn text(&mut self, at: Point, text: &str, size: f64, anchor: Anchor) {
        let text = text.to_owned();
        self.shapes.push(Shape::Text { at, text, size, anchor, up: false, color: Color::INK });
    }

    pub fn rectangle([x, y]: Point, [w, h]: Point) -> Vec<Point> {
        vec![[x, y], [x + w, y], [x + w, y + h], [x, y + h]]
    }
}

//! A picture as pixels, with smooth edges: the share of a pixel that a shape covers
//! is summed exactly from its edges.

use super::color::Color;
use super::png;
use super::scene::{Anchor, Point, Scene, Shape};
use super::text;

/// The picture as PNG with this many pixels per point.
pub(super) fn write(scene: &Scene, scale: f64) -> Vec<u8> {
    let [w, h] = scene.size.map(|length| whole((length * scale).ceil()));
    let mut canvas = Canvas { width: w.max(1), pixels: vec![255; 3 * w.max(1) * h.max(1)] };
    for shape in &scene.shapes {
        draw(&mut canvas, shape, scale);
    }
    png::write(canvas.width, &canvas.pixels)
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
fn whole(x: f64) -> usize {
    x.clamp(0.0, 65_535.0) as usize
}

struct Canvas {
    width: usize,
    pixels: Vec<u8>,
}

fn draw(canvas: &mut Canvas, shape: &Shape, scale: f64) {
    let big = |points: &[Point]| -> Vec<Point> { points.iter().map(|p| p.map(|x| x * scale)).collect() };
    match shape {
        Shape::Fill { points, color, opacity } => canvas.fill(&[big(points)], *color, *opacity),
        Shape::Stroke { points, color, width, dash } => {
            let points = big(points);
            let pieces = match dash {
                Some(dash) => dashes(&points, dash * scale),
                None => vec![points],
            };
            let outlines: Vec<_> = pieces.iter().flat_map(|piece| stroke(piece, width * scale)).collect();
            canvas.fill(&outlines, *color, 1.0);
        }
        Shape::Dot { centre, radius, color, opacity } => {
            canvas.fill(&[disc(centre.map(|x| x * scale), radius * scale)], *color, *opacity);
        }
        Shape::Text { at, text, size, anchor, up, color } => {
            let shift = match anchor {
                Anchor::Start => 0.0,
                Anchor::Middle => -0.5 * text::width(text, *size),
                Anchor::End => -text::width(text, *size),
            };
            let placed = |[x, y]: Point| {
                let x = x + shift;
                let [x, y] = if *up { [y, -x] } else { [x, y] };
                [(at[0] + x) * scale, (at[1] + y) * scale]
            };
            let outlines = text::outlines(text, *size);
            let outlines: Vec<Vec<Point>> =
                outlines.into_iter().map(|outline| outline.into_iter().map(placed).collect()).collect();
            canvas.fill(&outlines, *color, 1.0);
        }
        Shape::Cells { at, size, columns, colors } => {
            canvas.cells(at.map(|x| x * scale), size.map(|x| x * scale), *columns, colors);
        }
    }
}

/// A rectangle for each segment and a disc at each bend, all turned the same way.
fn stroke(points: &[Point], width: f64) -> Vec<Vec<Point>> {
    let half = 0.5 * width;
    let mut outlines = Vec::new();
    for pair in points.windows(2) {
        let ([x0, y0], [x1, y1]) = (pair[0], pair[1]);
        let length = (x1 - x0).hypot(y1 - y0);
        if length > 0.0 {
            let [nx, ny] = [-(y1 - y0) / length * half, (x1 - x0) / length * half];
            outlines.push(vec![
                [x0 - nx, y0 - ny],
                [x1 - nx, y1 - ny],
                [x1 + nx, y1 + ny],
                [x0 + nx, y0 + ny],
            ]);
        }
    }
    let bends = points.get(1..points.len().saturating_sub(1)).unwrap_or(&[]);
    outlines.extend(bends.iter().map(|bend| disc(*bend, half)));
    outlines
}

fn disc([x, y]: Point, radius: f64) -> Vec<Point> {
    const CORNERS: u32 = 24;
    let corner = |k: u32| {
        let (sin, cos) = (f64::from(k) * std::f64::consts::TAU / f64::from(CORNERS)).sin_cos();
        [x + radius * cos, y + radius * sin]
    };
    (0..CORNERS).map(corner).collect()
}

/// A line in dashes and gaps of this length.
fn dashes(points: &[Point], dash: f64) -> Vec<Vec<Point>> {
    let (mut pieces, mut piece) = (Vec::new(), Vec::new());
    let (mut left, mut on) = (dash, true);
    for pair in points.windows(2) {
        let (mut a, b) = (pair[0], pair[1]);
        loop {
            let length = (b[0] - a[0]).hypot(b[1] - a[1]);
            if on && piece.is_empty() {
                piece.push(a);
            }
            if length <= left || dash <= 0.0 {
                left -= length;
                if on {
                    piece.push(b);
                }
                break;
            }
            let t = left / length;
            a = [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])];
            if on {
                piece.push(a);
                pieces.push(std::mem::take(&mut piece));
            }
            (left, on) = (dash, !on);
        }
    }
    pieces.push(piece);
    pieces
}

impl Canvas {
    fn height(&self) -> usize {
        self.pixels.len() / 3 / self.width
    }

    fn blend(&mut self, x: usize, y: usize, color: Color, share: f64) {
        let start = 3 * (y * self.width + x);
        if let Some(pixel) = self.pixels.get_mut(start..start + 3) {
            for (old, new) in pixel.iter_mut().zip([color.0, color.1, color.2]) {
                let mixed = f64::from(*old) * (1.0 - share) + f64::from(new) * share;
                *old = u8::try_from(whole(mixed.round())).unwrap_or(u8::MAX);
            }
        }
    }

    /// Fills the outlines together: what two of them cover is painted once.
    fn fill(&mut self, outlines: &[Vec<Point>], color: Color, opacity: f64) {
        let all = || outlines.iter().flatten();
        if all().next().is_none() || all().any(|p| !(p[0].is_finite() && p[1].is_finite())) {
            return;
        }
        let low = |k: usize| whole(all().fold(f64::INFINITY, |m, p| m.min(p[k])).floor());
        let high = |k: usize| whole(all().fold(f64::NEG_INFINITY, |m, p| m.max(p[k])).ceil());
        let (x0, y0) = (low(0), low(1));
        let (x1, y1) = (high(0).min(self.width), high(1).min(self.height()));
        if x1 <= x0 || y1 <= y0 {
            return;
        }
        // One column more on the right takes what lies beyond the last pixel.
        let mut coverage =
            Coverage { width: x1 - x0 + 2, height: y1 - y0, sums: vec![0.0; (x1 - x0 + 2) * (y1 - y0)] };
        for outline in outlines {
            let next = outline.iter().skip(1).chain(outline.first());
            for (a, b) in outline.iter().zip(next) {
                let local = |p: &Point| [p[0] - x0 as f64, p[1] - y0 as f64];
                coverage.edge(local(a), local(b));
            }
        }
        for y in 0..y1 - y0 {
            let mut sum = 0.0;
            for x in 0..x1 - x0 {
                sum += coverage.sums[y * coverage.width + x];
                let share = sum.abs().min(1.0);
                if share > 1e-3 {
                    self.blend(x0 + x, y0 + y, color, share * opacity);
                }
            }
        }
    }

    /// Each pixel takes the colour of the cell at its middle.
    fn cells(&mut self, [x, y]: Point, [w, h]: Point, columns: usize, colors: &[Color]) {
        let rows = colors.len() / columns.max(1);
        if columns == 0 || rows == 0 {
            return;
        }
        for py in whole(y.round())..whole((y + h).round()).min(self.height()) {
            for px in whole(x.round())..whole((x + w).round()).min(self.width) {
                let column = whole((px as f64 + 0.5 - x) / w * columns as f64).min(columns - 1);
                let row = whole((py as f64 + 0.5 - y) / h * rows as f64).min(rows - 1);
                self.blend(px, py, colors[row * columns + column], 1.0);
            }
        }
    }
}

/// For each pixel of a box, how much of the area to its right an edge adds.
struct Coverage {
    width: usize,
    height: usize,
    sums: Vec<f64>,
}

impl Coverage {
    fn edge(&mut self, a: Point, b: Point) {
        if a[1] == b[1] {
            return;
        }
        let (sign, [ax, ay], [bx, by]) = if a[1] < b[1] { (1.0, a, b) } else { (-1.0, b, a) };
        let slope = (bx - ax) / (by - ay);
        for row in whole(ay.floor())..whole(by.ceil()).min(self.height) {
            let (top, bottom) = (ay.max(row as f64), by.min(row as f64 + 1.0));
            if bottom <= top {
                continue;
            }
            let (xa, xb) = (ax + (top - ay) * slope, ax + (bottom - ay) * slope);
            self.piece(row, xa.min(xb), xa.max(xb), sign * (bottom - top));
        }
    }

    /// Within one row an edge goes from `x0` to `x1` over the height `d`.
    fn piece(&mut self, row: usize, x0: f64, x1: f64, d: f64) {
        let last = (self.width - 2) as f64;
        let (x0, x1) = (x0.clamp(0.0, last), x1.clamp(0.0, last));
        let (first, end) = (whole(x0.floor()), whole(x1.ceil()).max(whole(x0.floor()) + 1));
        let start = row * self.width;
        // Share of the edge that is left of each column's far side, and the area right of it.
        let mut before = 0.0;
        for column in first..end {
            let (c, far) = (column as f64, column as f64 + 1.0);
            let (l, r) = (x0.max(c), x1.min(far));
            let part = if x1 > x0 { d * (r - l) / (x1 - x0) } else { d };
            // The part covers its own pixel right of its middle, and all pixels after it.
            let covered = part * (far - 0.5 * (l + r));
            self.sums[start + column] += covered + before;
            before = part - covered;
        }
        self.sums[start + end] += before;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The area that a shape blackens \[pixels\].
    fn area(outlines: &[Vec<Point>]) -> f64 {
        let mut canvas = Canvas { width: 40, pixels: vec![255; 3 * 40 * 40] };
        canvas.fill(outlines, Color(0, 0, 0), 1.0);
        canvas.pixels.iter().step_by(3).map(|p| 1.0 - f64::from(*p) / 255.0).sum()
    }

    #[test]
    fn areas_are_exact() {
        // 0.5 %: each edge pixel has one of 256 shades.
        let close =
            |found: f64, expected: f64| assert!((found / expected - 1.0).abs() < 0.005, "{found} {expected}");
        close(area(&[Scene::rectangle([3.3, 4.6], [10.2, 7.7])]), 10.2 * 7.7);
        close(area(&[vec![[1.2, 1.1], [30.7, 9.3], [12.4, 33.8]]]), 0.5 * (29.5 * 32.7 - 11.2 * 8.2));
        close(area(&stroke(&[[5.0, 5.0], [30.0, 25.0]], 3.0)), 3.0 * 25.0_f64.hypot(20.0));
        // Two that overlap are painted once.
        let square = Scene::rectangle([2.0, 2.0], [10.0, 10.0]);
        close(area(&[square.clone(), square]), 100.0);
        // A hole turned the other way stays white.
        let mut hole = Scene::rectangle([4.0, 4.0], [5.0, 5.0]);
        hole.reverse();
        close(area(&[Scene::rectangle([2.0, 2.0], [10.0, 10.0]), hole]), 75.0);
    }

    #[test]
    fn dashes_are_half_of_a_line() {
        let pieces = dashes(&[[0.0, 0.0], [30.0, 0.0], [30.0, 10.0]], 5.0);
        let length =
            |p: &Vec<Point>| p.windows(2).map(|w| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1])).sum::<f64>();
        assert!((pieces.iter().map(length).sum::<f64>() - 20.0).abs() < 1e-12);
    }
}

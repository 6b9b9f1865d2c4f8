//! Plots as SVG, for pages without a script: curves, clouds, maps and a robot in a few poses.

use crate::markup::{add, escaped, short, ticks};
use legwork::PartKind;
use legwork::report::{Animation, Axis, Cloud, HeatMap, Lines, Marker};

/// Okabe and Ito.
const COLOURS: [&str; 7] = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b98900", "#3f9fd8", "#6b6f76"];
const DASHES: [&str; 4] = ["", "7 4", "2 3", "9 3 2 3"];
/// Of the drawing; the page scales it.
const WIDTH: f64 = 520.0;
const HEIGHT: f64 = 250.0;
/// Left, top, right, bottom.
const MARGIN: [f64; 4] = [64.0, 10.0, 12.0, 42.0];
/// A curve is drawn with at most so many points.
const MOST_POINTS: usize = 1500;

/// A drawing with two axes.
struct Frame {
    x: [f64; 2],
    y: [f64; 2],
    height: f64,
    out: String,
}

impl Frame {
    fn new(x: [f64; 2], y: [f64; 2], height: f64, title: &str) -> Self {
        let mut out = String::new();
        add(
            &mut out,
            format_args!(
                "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">",
                escaped(title)
            ),
        );
        Self { x, y, height, out }
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        let [left, top, right, bottom] = MARGIN;
        let share = |[low, high]: [f64; 2], value: f64| (value - low) / (high - low);
        (
            left + share(self.x, x) * (WIDTH - left - right),
            top + (1.0 - share(self.y, y)) * (self.height - top - bottom),
        )
    }

    /// Lines at round numbers, and what the axes are.
    fn axes(&mut self, x: &Axis, y: &Axis) {
        for value in ticks(self.y, 5.0) {
            let (left, top) = self.at(self.x[0], value);
            let (right, _) = self.at(self.x[1], value);
            let line = format_args!("<path class=\"g\" d=\"M{left:.1} {top:.1}H{right:.1}\"/>").to_string();
            self.out.push_str(&line);
            let (left, below) = (left - 6.0, top + 4.0);
            let text = short(value);
            add(
                &mut self.out,
                format_args!("<text class=\"r\" x=\"{left:.1}\" y=\"{below:.1}\">{text}</text>"),
            );
        }
        for value in ticks(self.x, 6.0) {
            let (left, bottom) = self.at(value, self.y[0]);
            let below = bottom + 15.0;
            let text = short(value);
            add(
                &mut self.out,
                format_args!("<text class=\"m\" x=\"{left:.1}\" y=\"{below:.1}\">{text}</text>"),
            );
        }
        let (x, y) = (escaped(&x.label()), escaped(&y.label()));
        let (middle, bottom) = (f64::midpoint(MARGIN[0], WIDTH), self.height - 6.0);
        add(&mut self.out, format_args!("<text class=\"m\" x=\"{middle:.1}\" y=\"{bottom:.1}\">{x}</text>"));
        let middle = (self.height - MARGIN[3]) / 2.0;
        add(
            &mut self.out,
            format_args!("<text class=\"m\" transform=\"translate(13 {middle:.1}) rotate(-90)\">{y}</text>"),
        );
    }

    /// A line through points; one that is not a number breaks it.
    fn line(&mut self, points: impl Iterator<Item = (f64, f64)>, colour: &str, dash: &str) {
        let mut path = String::new();
        let mut pen = 'M';
        for (x, y) in points {
            if x.is_finite() && y.is_finite() {
                let (left, top) = self.at(x, y);
                add(&mut path, format_args!("{pen}{left:.1} {top:.1}"));
                pen = 'L';
            } else {
                pen = 'M';
            }
        }
        add(
            &mut self.out,
            format_args!("<path class=\"c\" stroke=\"{colour}\" stroke-dasharray=\"{dash}\" d=\"{path}\"/>"),
        );
    }

    fn finish(mut self) -> String {
        self.out.push_str("</svg>");
        self.out
    }
}

/// Ends of numbers with a little room; something to draw on if there are none.
fn room(numbers: impl Iterator<Item = f64>, share: f64) -> [f64; 2] {
    let found = numbers.filter(|x| x.is_finite()).fold(None, |ends: Option<[f64; 2]>, x| {
        Some(ends.map_or([x, x], |[low, high]| [low.min(x), high.max(x)]))
    });
    let Some([low, high]) = found else { return [0.0, 1.0] };
    let more = share * (high - low);
    // A constant needs some height, and more than rounding.
    let more = if more > 1e-12 * low.abs().max(high.abs()) { more } else { 0.5 * low.abs().max(1e-9) };
    if high > low || share > 0.0 { [low - more, high + more] } else { [low, low + 1.0] }
}

fn legend(entries: impl Iterator<Item = (String, usize)>) -> String {
    let mut out = String::from("<p class=\"legend\">");
    for (name, place) in entries {
        let colour = COLOURS[place % COLOURS.len()];
        add(&mut out, format_args!("<span><i style=\"background:{colour}\"></i>{}</span> ", escaped(&name)));
    }
    out + "</p>"
}

pub fn lines(plot: &Lines) -> String {
    let mut names: Vec<&str> = Vec::new();
    let mut runs: Vec<Option<&str>> = Vec::new();
    for curve in &plot.curves {
        if !names.contains(&curve.name.as_str()) {
            names.push(&curve.name);
        }
        if !runs.contains(&curve.run.as_deref()) {
            runs.push(curve.run.as_deref());
        }
    }
    let all = |pick: fn(&legwork::report::Curve) -> &Vec<f64>| plot.curves.iter().flat_map(pick).copied();
    let x = room(all(|curve| &curve.x), 0.0);
    let mut frame = Frame::new(x, room(all(|curve| &curve.y), 0.05), HEIGHT, &plot.title);
    frame.axes(&plot.x, &plot.y);
    for curve in &plot.curves {
        let colour = names.iter().position(|name| *name == curve.name).unwrap_or(0);
        let run = runs.iter().position(|run| *run == curve.run.as_deref()).unwrap_or(0);
        let step = curve.x.len().div_ceil(MOST_POINTS).max(1);
        let points = curve.x.iter().copied().zip(curve.y.iter().copied()).step_by(step);
        frame.line(points, COLOURS[colour % COLOURS.len()], DASHES[run % DASHES.len()]);
    }
    let keys = legend(names.iter().enumerate().map(|(k, name)| ((*name).to_owned(), k)));
    let dashes: Vec<&str> = runs.iter().flatten().copied().collect();
    let dashes = if dashes.is_empty() {
        String::new()
    } else {
        format!("<p class=\"legend\">solid, dashed, dotted: {}</p>", escaped(&dashes.join(", ")))
    };
    frame.finish() + &keys + &dashes
}

pub fn cloud(plot: &Cloud) -> String {
    let all = |k: usize| plot.groups.iter().flat_map(move |group| group.points.iter().map(move |p| p[k]));
    let (mut x, mut y) = (room(all(0), 0.08), room(all(1), 0.08));
    if plot.equal {
        let [left, top, right, bottom] = MARGIN;
        let (width, height) = (WIDTH - left - right, 1.3 * HEIGHT - top - bottom);
        let scale = ((x[1] - x[0]) / width).max((y[1] - y[0]) / height);
        let wide = |[low, high]: [f64; 2], length: f64| {
            let middle = f64::midpoint(low, high);
            [middle - scale * length / 2.0, middle + scale * length / 2.0]
        };
        (x, y) = (wide(x, width), wide(y, height));
    }
    let mut frame = Frame::new(x, y, 1.3 * HEIGHT, &plot.title);
    frame.axes(&plot.x, &plot.y);
    for (k, group) in plot.groups.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        if group.marker == Marker::Line {
            frame.line(group.points.iter().map(|p| (p[0], p[1])), colour, "");
            continue;
        }
        for point in group.points.iter().filter(|p| p[0].is_finite() && p[1].is_finite()) {
            let (x, y) = frame.at(point[0], point[1]);
            let text = match group.marker {
                Marker::Cross => format!(
                    "<path class=\"c\" stroke=\"{colour}\" d=\"M{:.1} {:.1}l8 8m0 -8l-8 8\"/>",
                    x - 4.0,
                    y - 4.0
                ),
                Marker::Circle => {
                    format!("<circle class=\"c\" stroke=\"{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\"/>")
                }
                _ => format!("<circle fill=\"{colour}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2\"/>"),
            };
            frame.out.push_str(&text);
        }
    }
    frame.finish() + &legend(plot.groups.iter().enumerate().map(|(k, group)| (group.name.clone(), k)))
}

/// Viridis at ten places.
const VIRIDIS: [[f64; 3]; 10] = [
    [68.0, 1.0, 84.0],
    [72.0, 40.0, 120.0],
    [62.0, 74.0, 137.0],
    [49.0, 104.0, 142.0],
    [38.0, 130.0, 142.0],
    [31.0, 158.0, 137.0],
    [53.0, 183.0, 121.0],
    [109.0, 205.0, 89.0],
    [180.0, 222.0, 44.0],
    [253.0, 231.0, 37.0],
];

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // bounded by the clamp
fn viridis(share: f64) -> String {
    let place = share.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let k = (place.floor() as usize).min(VIRIDIS.len() - 2);
    let mix = |i: usize| {
        let (from, to) = (VIRIDIS[k][i], VIRIDIS[k + 1][i]);
        (from + (to - from) * (place - k as f64)).round() as u8
    };
    format!("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2))
}

/// The colour of a cell that nobody has computed.
const NOT_COMPUTED: &str = "#5a5a5a";

/// Cells in colours; one without a value is hatched, by a stroke from corner to corner.
pub fn heat_map(map: &HeatMap) -> String {
    let half = |places: &[f64]| match places {
        [first, .., last] => (last - first).abs() / (places.len() - 1) as f64 / 2.0,
        _ => 0.5,
    };
    let edge = |places: &[f64]| {
        let more = half(places);
        [places.first().unwrap_or(&0.0) - more, places.last().unwrap_or(&0.0) + more]
    };
    let (x, y) = (edge(&map.x.1), edge(&map.y.1));
    let [left, top, right, bottom] = MARGIN;
    // Lengths over lengths are drawn to scale.
    let scaled = (WIDTH - left - right) * (y[1] - y[0]) / (x[1] - x[0]) + top + bottom;
    let is_plane = map.x.0.unit == map.y.0.unit && scaled.is_finite();
    let height = if is_plane { scaled.clamp(0.6 * HEIGHT, 2.4 * HEIGHT) } else { 1.3 * HEIGHT };
    let mut frame = Frame::new(x, y, height, &map.title);
    frame.axes(&map.x.0, &map.y.0);
    let (dx, dy) = (half(&map.x.1), half(&map.y.1));
    let cells = map.y.1.iter().flat_map(|y| map.x.1.iter().map(move |x| (*x, *y))).zip(&map.cells);
    let [low, high] = map.ends().unwrap_or([0.0; 2]);
    let mut hatching = String::new();
    for (k, ((x, y), value)) in cells.enumerate() {
        let (left, top) = frame.at(x - dx, y + dy);
        let (right, bottom) = frame.at(x + dx, y - dy);
        if k < map.computed && value.is_nan() {
            add(&mut hatching, format_args!("M{left:.1} {bottom:.1}L{right:.1} {top:.1}"));
            continue;
        }
        let share = if high > low { (value - low) / (high - low) } else { 0.5 };
        let colour = if k < map.computed { viridis(share) } else { NOT_COMPUTED.into() };
        // A hair larger, so that no line shows between cells.
        let (width, height) = (right - left + 0.4, bottom - top + 0.4);
        add(
            &mut frame.out,
            format_args!(
                "<path fill=\"{colour}\" d=\"M{left:.1} {top:.1}h{width:.1}v{height:.1}h-{width:.1}z\"/>"
            ),
        );
    }
    if !hatching.is_empty() {
        add(&mut frame.out, format_args!("<path class=\"h\" d=\"{hatching}\"/>"));
    }
    if map.ends().is_none() {
        return frame.finish() + "<p>No cell of this map has a value.</p>";
    }
    let stops: Vec<String> = (0..=10).map(|k| viridis(f64::from(k) / 10.0)).collect();
    let bar = format!(
        "<p class=\"ramp\" style=\"background:linear-gradient(to right,{})\"></p><p class=\"ends\"><span>{}</span><span>{}</span><span>{}</span></p>",
        stops.join(","),
        short(low),
        escaped(&map.value.label()),
        short(high)
    );
    frame.finish() + &bar
}

/// The robots at the start, in the middle and at the end, in parallel projection, and the way of the platform.
pub fn animation(animation: &Animation) -> String {
    // Seen from the front, from the right and from above.
    let flat = |p: &[f64; 3]| (0.88 * p[0] + 0.47 * p[1], 0.17 * p[1] - 0.32 * p[0] * 0.5 + 0.93 * p[2]);
    let all: Vec<(f64, f64)> =
        animation.runs.iter().flat_map(|run| run.frames.iter().flatten().map(flat)).collect();
    let (x, y) = (room(all.iter().map(|p| p.0), 0.05), room(all.iter().map(|p| p.1), 0.05));
    let height = (WIDTH * (y[1] - y[0]) / (x[1] - x[0])).clamp(120.0, 1.1 * WIDTH);
    let scale = ((x[1] - x[0]) / WIDTH).max((y[1] - y[0]) / height);
    let place = |p: &[f64; 3]| {
        let (u, v) = flat(p);
        let (u, v) = (u - f64::midpoint(x[0], x[1]), v - f64::midpoint(y[0], y[1]));
        (WIDTH / 2.0 + u / scale, height / 2.0 - v / scale)
    };
    let mut out = format!("<svg viewBox=\"0 0 {WIDTH} {height:.0}\" role=\"img\" aria-label=\"the robot\">");
    for (k, run) in animation.runs.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let frames = [0, run.frames.len() / 2, run.frames.len().saturating_sub(1)];
        for (frame, faint) in frames.iter().filter_map(|frame| run.frames.get(*frame)).zip([0.25, 0.45, 1.0])
        {
            for part in &run.skeleton.parts {
                let mut path = String::new();
                for (j, point) in part.points.iter().filter_map(|point| frame.get(*point)).enumerate() {
                    let (x, y) = place(point);
                    if x.is_finite() && y.is_finite() {
                        add(&mut path, format_args!("{}{x:.1} {y:.1}", if j == 0 { 'M' } else { 'L' }));
                    }
                }
                let close = if matches!(part.kind, PartKind::Base | PartKind::Platform) { "Z" } else { "" };
                if path.starts_with('M') {
                    add(
                        &mut out,
                        format_args!(
                            "<path class=\"c\" stroke=\"{colour}\" stroke-opacity=\"{faint}\" d=\"{path}{close}\"/>"
                        ),
                    );
                }
            }
        }
    }
    out + "</svg><p class=\"legend\">At the start, half-way and at the end, the last one darkest.</p>"
}

//! Where the panels, their axes and the colour bar of a figure go.

use super::color::Color;
use super::draw::{self, Frame};
use super::scene::{Anchor, Point, Scene, Shape};
use super::ticks::{three_digits, ticks};
use super::{ColorMap, Figure, Mark, Panel, text};

/// Size of the letters \[pt\]: titles, axes, numbers at ticks.
const TITLE: f64 = 15.0;
const LABEL: f64 = 12.0;
const TICK: f64 = 10.5;
const MARGIN: f64 = 14.0;
const BAR: f64 = 16.0;

/// The lowest and highest of some numbers that are numbers; NaN without one.
fn extent(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    numbers.filter(|x| x.is_finite()).fold((f64::NAN, f64::NAN), |(low, high), x| (low.min(x), high.max(x)))
}

/// The colours' range over all fields; symmetric about zero if they diverge.
pub(super) fn color_range(figure: &Figure) -> Option<(f64, f64)> {
    let fields = figure.panels.iter().flat_map(|panel| &panel.marks).filter_map(|mark| match mark {
        Mark::Field { field, .. } => Some(field),
        _ => None,
    });
    let mut is_there = false;
    let values = fields.inspect(|_| is_there = true).flat_map(|field| field.values.iter().copied());
    let found = extent(values);
    if !is_there {
        return None;
    }
    let (low, high) = figure.scale.axis.range.unwrap_or(found);
    Some(match figure.scale.map {
        _ if !(low.is_finite() && high.is_finite()) => (0.0, 1.0),
        ColorMap::Diverging => {
            let most = low.abs().max(high.abs()).max(f64::MIN_POSITIVE);
            (-most, most)
        }
        ColorMap::Sequential if low == high => {
            (low - 0.5 * low.abs().max(1e-9), high + 0.5 * high.abs().max(1e-9))
        }
        ColorMap::Sequential => (low, high),
    })
}

/// What a panel shows, with a little air around lines and dots, none around a field.
fn ranges(panel: &Panel) -> [(f64, f64); 2] {
    let points = |k: usize| {
        let of = panel.marks.iter().flat_map(move |mark| match mark {
            Mark::Line { points, .. }
            | Mark::Cloud { points, .. }
            | Mark::Poles { points, .. }
            | Mark::Zeros { points, .. } => points.iter().map(|p| p[k]).collect::<Vec<_>>(),
            Mark::Field { field, .. } => {
                let [x, y] = draw::edges(field);
                let (low, high) = if k == 0 { x } else { y };
                vec![low, high]
            }
        });
        extent(of.chain(if panel.shows_origin { Some(0.0) } else { None }))
    };
    let has_field = panel.marks.iter().any(|mark| matches!(mark, Mark::Field { .. }));
    let aired = |(low, high): (f64, f64), given: Option<(f64, f64)>| match given {
        Some(range) => range,
        None if !low.is_finite() => (0.0, 1.0),
        None if has_field && high > low => (low, high),
        None if high > low => (low - 0.05 * (high - low), high + 0.05 * (high - low)),
        None => (low - 0.5 * low.abs().max(1.0), high + 0.5 * high.abs().max(1.0)),
    };
    [aired(points(0), panel.x.range), aired(points(1), panel.y.range)]
}

/// The size of the space between the axes of a panel \[pt\].
fn room(panel: &Panel, columns: usize) -> Point {
    let wide = match columns {
        1 => 400.0,
        2 => 300.0,
        3 => 220.0,
        _ => (840.0 / columns as f64).max(70.0),
    };
    let [x, y] = ranges(panel);
    let (dx, dy) = (x.1 - x.0, y.1 - y.0);
    if panel.is_equal && dx > 0.0 && dy > 0.0 {
        // The longer side is `wide`; a panel is never less than a fifth of it.
        let scale = wide / dx.max(dy);
        [(dx * scale).max(0.2 * wide), (dy * scale).max(0.2 * wide)]
    } else if columns == 1 {
        [520.0, 300.0]
    } else {
        [wide, 0.75 * wide]
    }
}

pub(super) fn scene(figure: &Figure) -> Scene {
    let columns = figure.columns.min(figure.panels.len().max(1));
    let rows = figure.panels.len().div_ceil(columns);
    let is_small = columns > 3;
    let (label, tick) = if is_small { (10.0, 8.5) } else { (LABEL, TICK) };
    let rooms: Vec<Point> = figure.panels.iter().map(|panel| room(panel, columns)).collect();
    let cell = [0, 1].map(|k| rooms.iter().fold(0.0_f64, |most, room| most.max(room[k])));
    // Panels that share their axes have numbers at the outer ones only.
    let shares = is_shared(&figure.panels);

    let marks: Vec<[Vec<(f64, String)>; 2]> =
        figure.panels.iter().zip(&rooms).map(|(panel, room)| axis_ticks(panel, *room, tick)).collect();
    let widest =
        marks.iter().flat_map(|[_, y]| y).map(|(_, label)| text::width(label, tick)).fold(0.0, f64::max);
    let left = widest + 8.0 + label + 10.0;
    let bottom = tick + 8.0 + label + 8.0;
    let titled = figure.panels.iter().any(|panel| !panel.title.is_empty());
    let above = if titled { label + 8.0 } else { 4.0 };
    let gap = if shares && columns > 1 { if is_small { 8.0 } else { 14.0 } } else { left + 12.0 };
    let row_gap = above + if shares { 4.0 } else { bottom };

    let head = MARGIN
        + if figure.title.is_empty() { 0.0 } else { TITLE + 8.0 }
        + if figure.note.is_empty() { 0.0 } else { TICK + 6.0 };
    let origin = [MARGIN + left, head + above];
    let place = |k: usize| {
        let (column, row) = (k % columns, k / columns);
        [origin[0] + column as f64 * (cell[0] + gap), origin[1] + row as f64 * (cell[1] + row_gap)]
    };
    let inner = [
        columns as f64 * cell[0] + (columns as f64 - 1.0) * gap,
        rows as f64 * cell[1] + (rows.max(1) as f64 - 1.0) * row_gap,
    ];
    let range = color_range(figure);
    let mut scene = Scene { size: [0.0; 2], shapes: Vec::new() };
    let mut right = origin[0] + inner[0];
    let mut below = origin[1] + inner[1] + bottom;
    for (k, panel) in figure.panels.iter().enumerate() {
        let [x, y] = ranges(panel);
        // A panel smaller than its cell stands in the middle of it.
        let corner = place(k);
        let at = [corner[0] + 0.5 * (cell[0] - rooms[k][0]), corner[1] + 0.5 * (cell[1] - rooms[k][1])];
        let frame = Frame { at, size: rooms[k], x, y };
        if range.is_none() {
            grid(&mut scene, &frame, &marks[k]);
        }
        draw::panel(&mut scene, panel, &frame, range.map(|range| (figure.scale.map, range)));
        let is_left = !shares || k % columns == 0;
        let is_bottom = !shares || k + columns >= figure.panels.len();
        // A number at the edge of a panel does not run into that of its neighbour.
        let air = if columns > 1 { 0.5 * gap - 1.5 } else { f64::INFINITY };
        axes(&mut scene, panel, &frame, &marks[k], [is_bottom, is_left], [label, tick], [widest, air]);
    }
    below += legend(&mut scene, figure, [origin[0], below + 4.0], inner[0]);
    if let Some(range) = range {
        right = bar(&mut scene, figure, range, [right + 18.0, origin[1]], inner[1].min(420.0));
    }
    let titles = text::width(&figure.title, TITLE).max(text::width(&figure.note, TICK)) + 2.0 * MARGIN;
    scene.size = [(right + MARGIN).max(titles).ceil(), (below + MARGIN).ceil()];
    if !figure.title.is_empty() {
        scene.text([MARGIN, MARGIN + TITLE * 0.8], &figure.title, TITLE, Anchor::Start);
    }
    if !figure.note.is_empty() {
        scene.text([MARGIN, head - 6.0], &figure.note, TICK, Anchor::Start);
    }
    scene
}

/// Round numbers at both axes, as many as have room.
fn axis_ticks(panel: &Panel, room: Point, size: f64) -> [Vec<(f64, String)>; 2] {
    let [x, y] = ranges(panel);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few")]
    let count = |length: f64, each: f64| (length / each).clamp(2.0, 10.0) as usize;
    let widest = ticks(x.0, x.1, 4).iter().map(|(_, t)| text::width(t, size)).fold(16.0, f64::max);
    [ticks(x.0, x.1, count(room[0], widest + 22.0)), ticks(y.0, y.1, count(room[1], 3.2 * size))]
}

/// Whether all panels have the same axes.
fn is_shared(panels: &[Panel]) -> bool {
    panels.windows(2).all(|pair| {
        pair[0].x.label() == pair[1].x.label()
            && pair[0].y.label() == pair[1].y.label()
            && ranges(&pair[0]) == ranges(&pair[1])
    })
}

/// Faint lines at the ticks.
fn grid(scene: &mut Scene, frame: &Frame, [x, y]: &[Vec<(f64, String)>; 2]) {
    for (value, _) in x {
        let [a, b] = [frame.y.0, frame.y.1].map(|y| frame.place([*value, y]));
        scene.line(a, b, Color::GRID, 0.7);
    }
    for (value, _) in y {
        let [a, b] = [frame.x.0, frame.x.1].map(|x| frame.place([x, *value]));
        scene.line(a, b, Color::GRID, 0.7);
    }
}

fn axes(
    scene: &mut Scene,
    panel: &Panel,
    frame: &Frame,
    marks: &[Vec<(f64, String)>; 2],
    [is_bottom, is_left]: [bool; 2],
    [label, tick]: [f64; 2],
    [widest, air]: [f64; 2],
) {
    let ([x, y], [w, h]) = (frame.at, frame.size);
    let mut outline = Scene::rectangle([x, y], [w, h]);
    outline.push([x, y]);
    scene.shapes.push(Shape::Stroke { points: outline, color: Color::INK, width: 0.9, dash: None });
    for (value, text) in &marks[0] {
        let [px, _] = frame.place([*value, frame.y.0]);
        scene.line([px, y + h], [px, y + h + 4.0], Color::INK, 0.9);
        if is_bottom {
            let half = 0.5 * text::width(text, tick);
            let middle = px.min(x + w + air - half).max(x - air + half);
            scene.text([middle, y + h + 6.0 + tick * 0.85], text, tick, Anchor::Middle);
        }
    }
    for (value, text) in &marks[1] {
        let [_, py] = frame.place([frame.x.0, *value]);
        scene.line([x - 4.0, py], [x, py], Color::INK, 0.9);
        if is_left {
            scene.text([x - 7.0, py + tick * 0.36], text, tick, Anchor::End);
        }
    }
    if is_bottom {
        let at = [x + 0.5 * w, y + h + 10.0 + tick + label * 0.9];
        scene.text(at, &panel.x.label(), label, Anchor::Middle);
    }
    if is_left {
        let (at, text) = ([x - widest - 14.0, y + 0.5 * h], panel.y.label());
        let color = Color::INK;
        scene.shapes.push(Shape::Text { at, text, size: label, anchor: Anchor::Middle, up: true, color });
    }
    if !panel.title.is_empty() {
        scene.text([x + 0.5 * w, y - 6.0], &panel.title, label, Anchor::Middle);
    }
}

/// The names of lines and clouds below the panels, once each; gives its height.
fn legend(scene: &mut Scene, figure: &Figure, [left, top]: Point, width: f64) -> f64 {
    let names = draw::legend(figure);
    if names.is_empty() {
        return 0.0;
    }
    let (mut x, mut y) = (left, top + 8.0);
    for (name, number, mark) in names {
        let length = 30.0 + text::width(name, TICK) + 16.0;
        if x > left && x + length > left + width {
            (x, y) = (left, y + TICK + 8.0);
        }
        draw::sample(scene, [x + 11.0, y], mark, number);
        scene.text([x + 28.0, y + TICK * 0.36], name, TICK, Anchor::Start);
        x += length;
    }
    y - top + 10.0
}

/// The colour bar; gives its right end.
fn bar(scene: &mut Scene, figure: &Figure, (low, high): (f64, f64), [x, y]: Point, height: f64) -> f64 {
    const SHADES: usize = 128;
    let shade = |k: usize| figure.scale.map.at(1.0 - (k as f64 + 0.5) / SHADES as f64);
    let colors = (0..SHADES).map(shade).collect();
    scene.shapes.push(Shape::Cells { at: [x, y], size: [BAR, height], columns: 1, colors });
    let mut outline = Scene::rectangle([x, y], [BAR, height]);
    outline.push([x, y]);
    scene.shapes.push(Shape::Stroke { points: outline, color: Color::INK, width: 0.9, dash: None });
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few")]
    let mut marks = ticks(low, high, (height / 40.0).clamp(2.0, 8.0) as usize);
    if marks.len() < 2 {
        marks = [low, high].map(|value| (value, three_digits(value))).to_vec();
    }
    let mut widest = 0.0_f64;
    for (value, text) in &marks {
        let py = y + height * (1.0 - (value - low) / (high - low));
        scene.line([x + BAR, py], [x + BAR + 4.0, py], Color::INK, 0.9);
        scene.text([x + BAR + 7.0, py + TICK * 0.36], text, TICK, Anchor::Start);
        widest = widest.max(text::width(text, TICK));
    }
    let mut right = x + BAR + 7.0 + widest;
    let label = figure.scale.axis.label();
    if !label.is_empty() {
        let at = [right + 6.0 + LABEL * 0.8, y + 0.5 * height];
        let color = Color::INK;
        scene.shapes.push(Shape::Text {
            at,
            text: label,
            size: LABEL,
            anchor: Anchor::Middle,
            up: true,
            color,
        });
        right += 8.0 + LABEL;
    }
    if draw::has_nothing(figure) {
        let at = [x, y + height + 14.0];
        draw::nothing(scene, at, [BAR, 12.0]);
        scene.text([x + BAR + 7.0, at[1] + 10.0], &figure.scale.nothing, TICK, Anchor::Start);
        right = right.max(x + BAR + 7.0 + text::width(&figure.scale.nothing, TICK));
    }
    right
}

//! One leg from the side, drawn with letters, true to scale.

use legwork::AnyRobot;
use legwork::robots::delta::Leg;

const WIDTH: usize = 60;
const HEIGHT: usize = 16;
/// A letter is about twice as high as it is wide.
const ASPECT: f64 = 2.0;

/// A point in the plane of the leg: away from the axis, and up \[m\].
type Point = (f64, f64);

/// The first leg at home; `None` where home has no posture.
pub fn leg_at_home(robot: &AnyRobot) -> Option<String> {
    let description = robot.description();
    let home = description.frame.position_from_user(robot.home());
    let posture = robot.linkage().posture(home.into()).ok()?;
    let Leg { a_cos, a_sin, .. } = posture.legs.x;
    let geometry = &description.geometry;
    let azimuth = geometry.azimuth[0];
    let along = home[0] * azimuth.cos() + home[1] * azimuth.sin();
    Some(draw(&[
        ('O', (0.0, 0.0)),
        ('M', (geometry.base_radius, 0.0)),
        ('E', (geometry.base_radius + a_cos, -a_sin)),
        ('J', (along + geometry.platform_radius, home[2])),
        ('P', (along, home[2])),
    ]))
}

/// The points, joined in order, with the scale below.
fn draw(points: &[(char, Point)]) -> String {
    let bound = |pick: fn(Point) -> f64, start: f64, join: fn(f64, f64) -> f64| {
        points.iter().map(|(_, point)| pick(*point)).fold(start, join)
    };
    let (left, right) =
        (bound(|p| p.0, f64::INFINITY, f64::min), bound(|p| p.0, f64::NEG_INFINITY, f64::max));
    let (low, high) = (bound(|p| p.1, f64::INFINITY, f64::min), bound(|p| p.1, f64::NEG_INFINITY, f64::max));
    let scale = ((right - left) / (WIDTH - 1) as f64).max((high - low) / (HEIGHT - 1) as f64 / ASPECT);
    let cell = |(x, z): Point| (place((x - left) / scale, WIDTH), place((high - z) / scale / ASPECT, HEIGHT));
    let mut picture = vec![vec![' '; WIDTH]; HEIGHT];
    for pair in points.windows(2) {
        if let [(first, from), (last, to)] = pair {
            // The base and the platform are plates, arm and forearm are bars.
            let level = if *first == 'O' || *last == 'P' { '=' } else { '-' };
            line(&mut picture, cell(*from), cell(*to), level);
        }
    }
    for (letter, point) in points.iter().rev() {
        let (column, row) = cell(*point);
        picture[row][column] = *letter;
    }
    let rows: Vec<String> =
        picture.iter().map(|row| format!("  {}", row.iter().collect::<String>()).trim_end().into()).collect();
    let drawn = rows.iter().rposition(|row| !row.is_empty()).map_or(0, |last| last + 1);
    format!(
        "{}\n\n  O centre of the base, M motor, E elbow, J joint, P centre of the platform\n  \
         one letter is {:.1} mm wide and {:.1} mm high",
        rows[..drawn].join("\n"),
        scale * 1e3,
        scale * ASPECT * 1e3
    )
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

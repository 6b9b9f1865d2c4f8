//! Where the acceleration of rows jumps, told by their places or velocities alone.
//!
//! A cubic spline through rows of a motion whose acceleration jumps swings: by 13 % of the jump at the nearest rows, and on
//! both sides of it. So rows are divided there, and each part has a spline of its own. Divided differences tell where: they
//! are means of the derivative over two or three rows, so they never go beyond it. With a switch from a to b between the
//! rows k and k + 1, after a share s of the time between them, and e the second differences of places by rows,
//!
//! ```text
//! e = …, a, a + (1 − s)² (b − a)/2, b − s² (b − a)/2, b, …          at k − 1, k, k + 1, k + 2             (1)
//! ```
//!
//! and with first differences of velocities by intervals e = …, a, a + (1 − s) (b − a), b, … at k − 1, k, k + 1.

use std::ops::Range;

type Seven = [f64; 7];

/// A jump is so many times the changes of the differences beside it: of smooth ones it is one and a half times.
const BESIDE: f64 = 4.0;
/// And so many times the median of all changes, which noise is not.
const USUAL: f64 = 8.0;
/// An acceleration below this is none \[m/s² or 1/s²\].
const STANDS: f64 = 1e-6;
/// The fewest rows that have a spline of their own.
const FEWEST: usize = 5;
/// How far a spline may be from both sides of a jump, as a share of it.
const SIDES: f64 = 0.15;
/// How far the differences within a jump may be from (1), as a share of it.
const WITHIN: f64 = 0.1;

/// Divided differences of rows: second ones by rows of places, first ones by intervals of velocities. The first belongs to
/// this row.
struct Differences {
    list: Vec<Seven>,
    first_row: usize,
    /// How many of them a jump mixes.
    mixed: usize,
}

impl Differences {
    fn of(times: &[f64], values: &[Seven], part: &Range<usize>, is_second: bool) -> Self {
        let slope = |(pair, time): (&[Seven], &[f64])| match (pair, time) {
            ([a, b], [begin, end]) => each(part, |i| (b[i] - a[i]) / (end - begin)),
            _ => [0.0; 7],
        };
        let slopes: Vec<Seven> = values.windows(2).zip(times.windows(2)).map(slope).collect();
        if !is_second {
            return Self { list: slopes, first_row: 0, mixed: 1 };
        }
        let bend = |(pair, time): (&[Seven], &[f64])| match (pair, time) {
            ([a, b], [begin, _, end]) => each(part, |i| 2.0 * (b[i] - a[i]) / (end - begin)),
            _ => [0.0; 7],
        };
        let list = slopes.windows(2).zip(times.windows(3)).map(bend).collect();
        Self { list, first_row: 1, mixed: 2 }
    }

    /// Both sides of a jump between a row and the next, if there may be one, and how much less likely it is than others.
    fn jump(&self, row: usize, usual: f64) -> Option<([Seven; 2], f64)> {
        let first = row.checked_sub(self.first_row + 2)?;
        let around = self.list.get(first..first + 4 + self.mixed)?;
        let ([far, before, mixed @ ..], [.., after, beyond]) = (around, around) else { return None };
        let change = difference(after, before);
        let size = norm(&change);
        let beside = norm(&difference(before, far)) + norm(&difference(beyond, after));
        let share = |one: &Seven| dot(&difference(one, before), &change) / (size * size);
        let off = match mixed {
            [first, second, ..] if self.mixed == 2 => {
                let [first, second] = [share(first), share(second)];
                // The sum of both shares of (1) is 3/2 − s.
                let s = (1.5 - first - second).clamp(0.0, 1.0);
                (first - 0.5 * (1.0 - s) * (1.0 - s)).abs() + (second - (1.0 - 0.5 * s * s)).abs()
            }
            [one, ..] => (-share(one)).max(share(one) - 1.0).max(0.0),
            [] => f64::INFINITY,
        };
        let is_one = off < WITHIN && size > BESIDE * beside && size > USUAL * usual;
        // Of neighbours the one that is more like (1), or else the larger one.
        let rank = if self.mixed == 2 { off } else { -size };
        is_one.then_some(([*before, *after], rank))
    }

    /// The median of their changes.
    fn usual_change(&self) -> f64 {
        let change = |pair: &[Seven]| match pair {
            [a, b] => norm(&difference(b, a)),
            _ => 0.0,
        };
        let mut changes: Vec<f64> = self.list.windows(2).map(change).collect();
        crate::sorting::sort_by(&mut changes, f64::total_cmp);
        changes.get(changes.len() / 2).copied().unwrap_or(0.0)
    }
}

fn each(part: &Range<usize>, number: impl Fn(usize) -> f64) -> Seven {
    std::array::from_fn(|i| if part.contains(&i) { number(i) } else { 0.0 })
}

fn difference(a: &Seven, b: &Seven) -> Seven {
    std::array::from_fn(|i| a[i] - b[i])
}

fn dot(a: &Seven, b: &Seven) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn norm(a: &Seven) -> f64 {
    dot(a, a).sqrt()
}

/// Jumps of the second derivative of places, or of the first one of velocities, in the components of this part: the row
/// before each, and the derivative before and after it.
pub(super) fn jumps(times: &[f64], values: &[Seven], part: &Range<usize>, are_places: bool) -> Vec<Jump> {
    let differences = Differences::of(times, values, part, are_places);
    let usual = differences.usual_change();
    let rows = values.len();
    // The likeliest of those that are nearer to each other than rows of a spline.
    let mut found: Vec<(Jump, f64)> = Vec::new();
    for row in FEWEST - 1..rows.saturating_sub(FEWEST) {
        let Some((sides, rank)) = differences.jump(row, usual) else { continue };
        match found.last_mut() {
            Some(last) if row - last.0.row < FEWEST => {
                if rank < last.1 {
                    *last = (Jump { row, sides }, rank);
                }
            }
            _ => found.push((Jump { row, sides }, rank)),
        }
    }
    found.into_iter().map(|(jump, _)| jump).collect()
}

/// A jump between a row and the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Jump {
    pub row: usize,
    /// The derivative before and after.
    pub sides: [Seven; 2],
}

impl Jump {
    /// Whether derivatives at both rows are those of its sides, as far as a spline of few rows can tell.
    pub fn fits(&self, part: &Range<usize>, at: [&Seven; 2]) -> bool {
        let [before, after] = &self.sides;
        let size = norm(&difference(after, before));
        at.iter().zip(&self.sides).all(|(at, side)| {
            let off = difference(at, side);
            norm(&each(part, |i| off[i])) < SIDES * size
        })
    }
}

/// The rows from one jump to the next.
pub(super) fn parts(jumps: &[Jump], rows: usize) -> Vec<Range<usize>> {
    let ends = jumps.iter().map(|jump| jump.row + 1).chain([rows]);
    let mut begin = 0;
    ends.map(|end| std::mem::replace(&mut begin, end)..end).collect()
}

/// The largest swing of second derivatives beyond the differences around them, as a share of the largest of these, with the
/// row before it. `second` gives them between a row and the next, after a share of the time.
pub(super) fn swing(
    times: &[f64],
    values: &[Seven],
    part: &Range<usize>,
    are_places: bool,
    second: &dyn Fn(usize, f64) -> Seven,
) -> (usize, f64) {
    let differences = Differences::of(times, values, part, are_places);
    let largest = differences.list.iter().map(norm).fold(0.0, legwork_core::Real::max);
    let mut worst = (0, 0.0);
    // What stands has the noise of its digits.
    if largest < STANDS {
        return worst;
    }
    // From the one before the row to the one after the next.
    let width = 2 + differences.mixed;
    for (first, around) in differences.list.windows(width).enumerate() {
        let row = first + 1 + differences.first_row;
        for share in [0.0, 0.25, 0.5, 0.75] {
            let at = second(row, share);
            let beyond = |i: usize| {
                let (low, high) =
                    around.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), one| {
                        (low.min(one[i]), high.max(one[i]))
                    });
                (at[i] - high).max(low - at[i]).max(0.0)
            };
            let swing = norm(&each(part, beyond)) / largest;
            if swing > worst.1 {
                worst = (row, swing);
            }
        }
    }
    worst
}

/// The slope of the cubic through four rows at the first of them; its derivative of Newton's divided differences.
pub(super) fn slope_at_first(times: [f64; 4], values: [Seven; 4]) -> Seven {
    let ([t0, t1, t2, t3], [y0, y1, y2, y3]) = (times, values);
    std::array::from_fn(|i| {
        let (a, b, c) =
            ((y1[i] - y0[i]) / (t1 - t0), (y2[i] - y1[i]) / (t2 - t1), (y3[i] - y2[i]) / (t3 - t2));
        let (ab, bc) = ((b - a) / (t2 - t0), (c - b) / (t3 - t1));
        a + (t0 - t1) * ab + (t0 - t1) * (t0 - t2) * (bc - ab) / (t3 - t0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The slope of a cubic is its own, at uneven times.
    #[test]
    fn the_slope_of_a_cubic() {
        let times = [0.3, 0.1, 0.05, -0.2];
        let value = |t: f64| [1.0 + 2.0 * t - t * t + 4.0 * t * t * t; 7];
        let slope = 2.0 - 2.0 * 0.3 + 12.0 * 0.09;
        let found = slope_at_first(times, times.map(value));
        // 1e-13: rounding of differences over a twentieth.
        assert!(found.iter().all(|s| (s - slope).abs() < 1e-13), "{found:?} {slope}");
    }

    /// A switch between two rows divides them there; a smooth motion is one part, a noisy one too.
    #[test]
    fn rows_are_divided_where_the_acceleration_jumps() {
        let times: Vec<f64> = (0..60).map(|k| f64::from(k) * 1e-3).collect();
        for share in [0.0, 0.3, 0.5, 0.9] {
            let switch = (20.0 + share) * 1e-3;
            let after = |t: f64| (t - switch).max(0.0);
            let place = |t: f64| 0.5 * 30.0 * t * t - 40.0 * after(t).powi(2) + 90.0 * t.powi(3);
            let speed = |t: f64| 30.0 * t - 80.0 * after(t) + 270.0 * t * t;
            for (are_places, function) in [(true, &place as &dyn Fn(f64) -> f64), (false, &speed)] {
                let values: Vec<Seven> = times.iter().map(|t| [function(*t); 7]).collect();
                let parts = parts(&jumps(&times, &values, &(0..3), are_places), 60);
                assert_eq!(parts.len(), 2, "{share} {are_places} {parts:?}");
                // A switch at a row belongs to either side.
                assert!(parts[0].end == 21 || (share == 0.0 && parts[0].end == 20), "{share} {parts:?}");
            }
        }
        let smooth: Vec<Seven> = times.iter().map(|t| [(100.0 * t).sin(); 7]).collect();
        let noisy: Vec<Seven> =
            (0..60).map(|k| [f64::from(k * k * 7919 % 101) * 1e-6 + 1e-4 * f64::from(k); 7]).collect();
        for values in [smooth, noisy] {
            for are_places in [true, false] {
                assert_eq!(jumps(&times, &values, &(0..3), are_places), []);
            }
        }
    }
}

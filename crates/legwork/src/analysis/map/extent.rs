//! How far a robot reaches: a box around the poses that it can take.

use super::parallel;
use super::posed::{Needs, Posed, Poser};
use super::run::home_side;
use super::{Coordinate, Grid};
use crate::robot::AnyRobot;
use std::f64::consts::{FRAC_PI_2, PI};

/// How often the box that is searched is doubled before the reach has no end.
const DOUBLINGS: u32 = 4;

/// Whether poses are in reach, from home, within the limits.
pub(super) struct Reach<'a> {
    poser: Poser<'a>,
    side: Option<bool>,
}

impl<'a> Reach<'a> {
    pub fn new(robot: &'a AnyRobot, grid: &'a Grid, counts_limits: bool) -> Self {
        let poser = Poser::new(robot, grid, Needs::default(), counts_limits);
        Self { poser, side: home_side(robot) }
    }

    /// On home's side of the parallel singularities, where there are two sides.
    pub fn holds(&self, coordinates: [f64; 6], posed: &mut Posed) -> bool {
        self.poser.put(coordinates, posed) && posed.orientation() == self.side
    }
}

/// A box around the reach.
#[derive(Clone, Debug, PartialEq)]
pub struct Extent {
    /// From and to along each coordinate \[m or rad\].
    pub ranges: Vec<(Coordinate, f64, f64)>,
    /// Whether the reach ends within the box; not so for legs that nothing limits.
    pub is_bounded: bool,
}

impl Extent {
    /// How far a robot reaches along some coordinates, one to three, the others as in `grid`.
    pub fn of(robot: &AnyRobot, grid: &Grid, coordinates: &[Coordinate], counts_limits: bool) -> Self {
        let reach = Reach::new(robot, grid, counts_limits);
        let centre = grid.coordinates(0);
        let far = centre[..3].iter().map(|x| x * x).sum::<f64>().sqrt();
        let mut size = (robot.platform_size() + far).max(1e-3);
        let count = match coordinates.len() {
            0 | 1 => 241,
            2 => 61,
            _ => 25,
        };
        let around = |size: f64| -> Vec<(Coordinate, f64, f64)> {
            let one = |c: &Coordinate| match c {
                Coordinate::Pitch => (*c, -FRAC_PI_2, FRAC_PI_2),
                c if c.turns() => (*c, -PI, PI),
                c => (*c, centre[*c as usize] - size, centre[*c as usize] + size),
            };
            coordinates.iter().map(one).collect()
        };
        for _ in 0..=DOUBLINGS {
            let ranges = around(size);
            let Some((found, touches)) = scan(&reach, centre, &ranges, count) else {
                // Smaller than the mesh of the search: look nearer.
                size *= 0.25;
                continue;
            };
            if !touches {
                // Once more in the box that was found, which is finer.
                let finer = scan(&reach, centre, &found, count).map_or(found, |(finer, _)| finer);
                return Self { ranges: finer, is_bounded: true };
            }
            size *= 2.0;
        }
        let near = 0.5 * (robot.platform_size() + far).max(1e-3);
        Self { ranges: around(near), is_bounded: false }
    }
}

/// From and to along each coordinate.
type Ranges = Vec<(Coordinate, f64, f64)>;

/// The box around the poses of a box that are in reach, one step wider on each side, and whether it touches the
/// border of a length.
fn scan(
    reach: &Reach,
    centre: [f64; 6],
    ranges: &[(Coordinate, f64, f64)],
    count: usize,
) -> Option<(Ranges, bool)> {
    let at = |number: usize| {
        let mut pose = centre;
        let mut rest = number;
        for (c, from, to) in ranges {
            pose[*c as usize] = from + (to - from) * (rest % count) as f64 / (count - 1) as f64;
            rest /= count;
        }
        pose
    };
    let mut inside = vec![false; ranges.iter().fold(1, |n, _| n * count)];
    parallel::blocks(&mut inside, 256, 0, None, |first, block| {
        let mut posed = Posed::default();
        for (k, inside) in block.iter_mut().enumerate() {
            *inside = reach.holds(at(first + k), &mut posed);
        }
    });
    let mut found: Vec<Option<(usize, usize)>> = vec![None; ranges.len()];
    for number in (0..inside.len()).filter(|k| inside[*k]) {
        let mut rest = number;
        for span in &mut found {
            let k = rest % count;
            rest /= count;
            *span = Some(span.map_or((k, k), |(low, high)| (low.min(k), high.max(k))));
        }
    }
    let found: Vec<(usize, usize)> = found.into_iter().collect::<Option<_>>()?;
    let touches = ranges
        .iter()
        .zip(&found)
        .any(|((c, ..), (low, high))| !c.turns() && (*low == 0 || *high == count - 1));
    let widened = ranges.iter().zip(&found).map(|((c, from, to), (low, high))| {
        let step = (to - from) / (count - 1) as f64;
        let wider = |k: f64| (from + step * k).clamp(*from, *to);
        (*c, wider(*low as f64 - 1.0), wider(*high as f64 + 1.0))
    });
    Some((widened.collect(), touches))
}

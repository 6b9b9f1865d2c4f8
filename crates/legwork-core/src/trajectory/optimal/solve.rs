//! The two passes.

use super::super::norm;
use super::super::path::Path;
use super::stage::{Stage, creeping, largest_push};
use super::{GridPoint, Limit, Limits, OptimalError, OptimalLaw, PathModel, refine};
use crate::Real;

/// How the fastest motion begins and ends, and how close it keeps to its limits.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Speed at the start \[m/s\].
    pub start_speed: f64,
    /// Speed at the end \[m/s\].
    pub end_speed: f64,
    /// Share of a limit that may be exceeded between grid points.
    pub tolerance: f64,
    /// Rounds at most.
    pub rounds: u16,
}

impl Default for Settings {
    /// From rest to rest, 5e-7, 12 rounds.
    fn default() -> Self {
        Self { start_speed: 0.0, end_speed: 0.0, tolerance: 5e-7, rounds: 12 }
    }
}

/// The fastest motion along a path; `grid` is where it is worked out, its points spread evenly over every part, one
/// at every joint of the path.
pub fn time_optimal<'g, P: Path, M: PathModel<K>, const K: usize>(
    path: &P,
    model: &M,
    limits: &Limits<K>,
    settings: &Settings,
    grid: &'g mut [GridPoint<K>],
) -> Result<OptimalLaw<'g, K>, OptimalError<M::Fault>> {
    limits.checked()?;
    for (what, value) in
        [("speed at the start", settings.start_speed), ("speed at the end", settings.end_speed)]
    {
        if !(value >= 0.0 && value.is_finite()) {
            return Err(OptimalError::BadNumber { what, value });
        }
    }
    fill(path, model, grid)?;
    let tops = |grid: &mut [GridPoint<K>]| {
        for point in grid {
            (point.top, point.top_limit) = top(point, limits);
        }
    };
    tops(grid);
    let mut rounds = 0;
    let excess = loop {
        backward(grid, limits, settings)?;
        forward(grid, limits, settings)?;
        creep(grid, limits);
        rounds += 1;
        let excess = refine::draw_in(grid, limits, settings.tolerance);
        if !(excess > settings.tolerance) || rounds >= settings.rounds {
            break excess;
        }
    };
    time(grid)?;
    Ok(OptimalLaw { grid, excess: excess.max(0.0), rounds })
}

/// Places and coefficients, at the points and half-way between them.
fn fill<P: Path, M: PathModel<K>, const K: usize>(
    path: &P,
    model: &M,
    grid: &mut [GridPoint<K>],
) -> Result<(), OptimalError<M::Fault>> {
    let (points, length) = (grid.len(), path.length());
    if points < 2 {
        return Err(OptimalError::TooFewPoints { points });
    }
    if !(length > 0.0 && length.is_finite()) {
        return Err(OptimalError::BadNumber { what: "length of the path", value: length });
    }
    let ask = |s: f64| {
        let place = path.at(s);
        let found = model.along(&place).map_err(|fault| OptimalError::Robot { s, fault })?;
        if found.is_finite() {
            Ok((found, norm(place.second.linear)))
        } else {
            Err(OptimalError::NotFinite { s })
        }
    };
    let mut places = Places::new(path, points - 1);
    let mut s = 0.0;
    for (i, point) in grid.iter_mut().enumerate() {
        *point = GridPoint { s, ..GridPoint::EMPTY };
        (point.here, point.bend[0]) = ask(s)?;
        if i + 1 < points {
            let next = places.next_after(s);
            (point.middle, point.bend[1]) = ask(0.5 * (s + next))?;
            s = next;
        }
    }
    Ok(())
}

/// Joints closer than this share of the path are one: parts that short come from rounding.
const CLOSEST: f64 = 1e-9;
/// Joints that are looked at between two points.
const MOST_JOINTS: usize = 1000;

/// Intervals of the shortest part, as a share of the mean number.
const LEAST_SHARE: f64 = 1.0 / 3.0;

/// Spreads intervals over a path, with a point at every joint and about equal steps. No part has less than a third of
/// the mean number of intervals: a short one is mostly a sharp corner, and that is where the motion is held back.
struct Places<'p, P> {
    path: &'p P,
    /// Intervals left in all, and up to the joint.
    left: usize,
    here: usize,
    joint: f64,
    /// Smooth parts left.
    parts: usize,
}

impl<'p, P: Path> Places<'p, P> {
    fn new(path: &'p P, intervals: usize) -> Self {
        let mut places = Self { path, left: intervals, here: 0, joint: 0.0, parts: 0 };
        let (mut from, length) = (0.0, path.length());
        while from < length && places.parts < MOST_JOINTS {
            from = places.joint_after(from, length);
            places.parts += 1;
        }
        places
    }

    /// The next joint far enough from here to have a point of its own, and from the end.
    fn joint_after(&self, from: f64, length: f64) -> f64 {
        let least = CLOSEST * length;
        let mut joint = from;
        for _ in 0..MOST_JOINTS {
            joint = self.path.next_joint(joint);
            if joint >= length - least {
                return length;
            }
            if joint > from + least {
                return joint;
            }
        }
        length
    }

    fn next_after(&mut self, s: f64) -> f64 {
        if self.here == 0 {
            let (from, length) = (self.joint, self.path.length());
            self.joint = self.joint_after(from, length);
            let by_length = (self.joint - from) / (length - from);
            let share = by_length.max(LEAST_SHARE / self.parts.max(1) as f64) * self.left as f64;
            // With too few intervals for all parts the joints left over are passed by.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // between 0 and `left`
            let rounded = (share + 0.5) as usize;
            self.here = if self.joint >= length || self.left < 2 {
                self.joint = length;
                self.left
            } else {
                rounded.max(1).min(self.left - 1)
            };
            self.parts = self.parts.saturating_sub(1);
        }
        let next = if self.here <= 1 { self.joint } else { s + (self.joint - s) / self.here as f64 };
        self.here = self.here.saturating_sub(1);
        self.left = self.left.saturating_sub(1);
        next
    }
}

/// Largest x that speed limits allow at a point.
fn top<const K: usize>(point: &GridPoint<K>, limits: &Limits<K>) -> (f64, Limit) {
    let mut least = (limits.path_speed * limits.path_speed, Limit::PathSpeed);
    for (motor, (rate, speed)) in point.here.rates.iter().zip(&limits.speed).enumerate() {
        let x = (speed / rate) * (speed / rate);
        if x < least.0 {
            least = (x, Limit::Speed { motor });
        }
    }
    let [bend, _] = point.bend;
    let x = limits.normal / bend;
    if x < least.0 { (x, Limit::Normal) } else { least }
}

/// From the end to the start: the sets of x from which the end can be reached.
fn backward<const K: usize, F>(
    grid: &mut [GridPoint<K>],
    limits: &Limits<K>,
    settings: &Settings,
) -> Result<(), OptimalError<F>> {
    let Some((last, before)) = grid.split_last_mut() else { return Ok(()) };
    let x = settings.end_speed * settings.end_speed;
    if x > last.top {
        return Err(OptimalError::Infeasible { s: last.s, limits: [Limit::Ahead, last.top_limit] });
    }
    (last.low, last.high) = (x, x);
    let mut next = &*last;
    for here in before.iter_mut().rev() {
        let stage = Stage::new(here, next, &limits.effort, limits.tangential);
        // The last round's edge, or that of the next point, is near.
        let hint = if here.high > 0.0 { 1.01 * here.high } else { 2.0 * next.high };
        match stage.controllable(hint) {
            Ok([low, high]) => (here.low, here.high) = (low.min(high), high),
            Err(limits) => return Err(OptimalError::Infeasible { s: here.s, limits }),
        }
        next = here;
    }
    Ok(())
}

/// From the start to the end: as fast as the sets allow.
fn forward<const K: usize, F>(
    grid: &mut [GridPoint<K>],
    limits: &Limits<K>,
    settings: &Settings,
) -> Result<(), OptimalError<F>> {
    let Some(first) = grid.first() else { return Ok(()) };
    let mut x = settings.start_speed * settings.start_speed;
    // Rounding of the edges of the set.
    let rounding = 1e-12 * first.high;
    if !(first.low - rounding <= x && x <= first.high + rounding) {
        return Err(OptimalError::StartSpeed {
            speed: settings.start_speed,
            range: [Real::sqrt(first.low), Real::sqrt(first.high)],
        });
    }
    let mut rest = grid;
    while let Some((here, tail)) = rest.split_first_mut() {
        here.speed_sq = x;
        let Some(next) = tail.first() else { break };
        let h2 = 2.0 * (next.s - here.s);
        let push = largest_push(here, next, &limits.effort, limits.tangential, x);
        // Inside the next set but for rounding.
        x = (x + h2 * push).max(next.low).min(next.high);
        here.acceleration = (x - here.speed_sq) / h2;
        rest = tail;
    }
    Ok(())
}

/// How much of the slow motion is laid over one that stands still.
const CREEP: f64 = 0.1;

/// Makes a motion that stands still between two points go on: the largest x at one point can leave nothing but
/// standstill at the next, and from there the fastest step may be none. All limits are linear in the x of the whole
/// grid, so between this motion and the one that creeps with the same x everywhere every mixture keeps them.
fn creep<const K: usize>(grid: &mut [GridPoint<K>], limits: &Limits<K>) {
    let stands = |pair: &[GridPoint<K>]| pair.iter().all(|point| !(point.speed_sq > 0.0));
    let at_rest = |point: Option<&GridPoint<K>>| point.is_some_and(|point| point.speed_sq == 0.0);
    if !grid.windows(2).any(stands) || !at_rest(grid.first()) || !at_rest(grid.last()) {
        return;
    }
    let last = grid.len().saturating_sub(1);
    let inside = |place: usize| if place == 0 || place == last { 0.0 } else { 1.0 };
    let mut x = f64::INFINITY;
    for (place, pair) in grid.windows(2).enumerate() {
        let [here, next] = pair else { continue };
        let (from, push) = (inside(place), inside(place + 1) - inside(place));
        x = x.min(creeping(here, next, limits, from, push));
    }
    if !(x > 0.0 && x.is_finite()) {
        return;
    }
    for (place, point) in grid.iter_mut().enumerate() {
        point.speed_sq += CREEP * (x * inside(place) - point.speed_sq);
    }
    let mut rest = grid;
    while let Some((here, tail)) = rest.split_first_mut() {
        let Some(next) = tail.first() else { break };
        here.acceleration = (next.speed_sq - here.speed_sq) / (2.0 * (next.s - here.s));
        rest = tail;
    }
}

/// When each point is passed.
fn time<const K: usize, F>(grid: &mut [GridPoint<K>]) -> Result<(), OptimalError<F>> {
    let mut time = 0.0;
    let mut rest = grid;
    while let Some((here, tail)) = rest.split_first_mut() {
        here.time = time;
        let Some(next) = tail.first() else { break };
        let mean = 0.5 * (Real::sqrt(here.speed_sq) + Real::sqrt(next.speed_sq));
        if !(mean > 0.0) {
            return Err(OptimalError::Standstill { s: here.s });
        }
        time += (next.s - here.s) / mean;
        rest = tail;
    }
    Ok(())
}

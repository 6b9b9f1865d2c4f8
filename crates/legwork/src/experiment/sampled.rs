//! A motion by rows: where the platform is at given times, smooth between them.
//!
//! Position (x, y, z) and orientation (a quaternion) are seven numbers y(t). At every row they have a value, a first and a
//! second derivative; between two rows stands a function that has all six of them, so velocity and acceleration are
//! continuous: the polynomial of fifth degree, and where that would swing beyond both rows, because the acceleration jumps
//! between them, a jump at its instant ([`between_rows`](super::between_rows)).
//!
//! Velocities and accelerations that are given are used. Velocities that are not are those of the cubic spline through
//! the values, which begins and ends at rest and which that polynomial then is; accelerations that are not, where velocities are,
//! are the slopes of the cubic spline through those. Where the acceleration jumps a spline would swing, so one ends there and
//! another begins ([`jumps`](super::jumps)).

use super::between_rows::{Change, Knot, Pair};
use super::jumps::{Jump, jumps, parts, slope_at_first, swing};
use super::motion::{Load, ReferenceMotion, Target, arrival, in_order};
use super::path::AnyPath;
use super::{ExperimentError, RowsFault};
use crate::{Freedom, PlatformState, rotation};
use legwork_core::V3;
use legwork_core::control::Platform;
use legwork_core::engine::{Pose, Twist};
use legwork_core::trajectory::path::{
    Ends, quaternion_rates, spline_moments, spline_slopes, turning_of_quaternion,
};

/// Where the platform is at one time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MotionRow {
    /// When \[s\].
    pub time: f64,
    /// Where, and how it moves as far as [`Given`] says.
    pub platform: PlatformState,
    /// What is carried from then on, besides what the robot carries all the time \[kg\].
    pub mass: f64,
}

/// Which derivatives of the rows are given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// Linear and angular velocity.
    pub velocity: [bool; 2],
    /// Linear and angular acceleration; not without the velocity.
    pub acceleration: [bool; 2],
}

/// A motion by rows; it begins with the first of them.
#[derive(Clone, Debug)]
pub struct SampledMotion {
    /// Since the first row \[s\].
    times: Vec<f64>,
    knots: Vec<Knot>,
    /// From each row to the next.
    changes: Vec<Change>,
    loads: Vec<Load>,
    length: f64,
    middle: PlatformState,
    swing: Option<(f64, f64)>,
    /// Components of velocity and acceleration that count.
    free: [bool; 6],
}

/// A swing of the acceleration beyond what the rows tell is told from here on, as a share of the largest one.
const TOLD_SWING: f64 = 0.05;

/// Velocities that add up to more than this times the way, or to less than its share, are of another unit.
const UNIT_FACTOR: f64 = 3.0;
/// With so few rows they may be.
const FEW_ROWS: usize = 12;
/// The last part of a motion's way that tells from where it arrives.
const ARRIVAL_WAY: f64 = 1e-3;

impl SampledMotion {
    /// Through these rows, in the order of their times.
    pub fn new(rows: &[MotionRow], given: Given) -> Result<Self, ExperimentError> {
        let fault = |fault| Err(ExperimentError::Rows(fault));
        let (Some(first), true) = (rows.first(), rows.len() > 1) else {
            return fault(RowsFault::TooFew { rows: rows.len() });
        };
        for (row, one) in rows.iter().enumerate() {
            let state = &one.platform;
            let numbers =
                [&[one.time, one.mass][..], &state.position, state.rotation.as_flattened()].concat();
            let rates = [state.twist, state.acceleration].concat();
            if numbers.iter().chain(&rates).any(|x| !x.is_finite()) {
                return fault(RowsFault::NotFinite { row });
            }
        }
        if let Some(row) = rows.windows(2).position(|pair| !matches!(pair, [a, b] if a.time < b.time)) {
            let time = |row: usize| rows.get(row).map_or(f64::NAN, |row| row.time);
            return fault(RowsFault::TimeOrder { row, times: [time(row), time(row + 1)] });
        }
        let times: Vec<f64> = rows.iter().map(|row| row.time - first.time).collect();
        let knots = knots(&times, rows, given);
        for (half, ([way, speed], part)) in
            [(["m", "m/s"], 0..3), (["rad", "rad/s"], 3..7)].into_iter().enumerate()
        {
            // A quaternion has half of the angle.
            let scale = if half == 0 { 1.0 } else { 2.0 };
            for (is_given, orders, what, of, unit) in [
                (given.velocity[half], [0, 1], "velocities", "positions", way),
                (given.acceleration[half], [1, 2], "accelerations", "velocities", speed),
            ] {
                if is_given && let Some(both) = disagreement(&times, &knots, orders, part.clone()) {
                    let [rates, values] = both.map(|sum| sum * scale);
                    return fault(RowsFault::Disagree { what, of, unit, rates, values });
                }
            }
        }
        let changes: Vec<Change> =
            (0..knots.len()).map_while(|k| Some(Change::between(&pair(&times, &knots, k)?))).collect();
        let loads = loads(&times, rows, &changes);
        let swing = told_swing(&times, &knots, &changes, given);
        let step = |pair: &[MotionRow]| match pair {
            [a, b] => (V3::from(b.platform.position) - V3::from(a.platform.position)).norm_sq().sqrt(),
            _ => 0.0,
        };
        let length = rows.windows(2).map(step).sum();
        let middle = rows.get(rows.len() / 2).unwrap_or(first).platform;
        let middle = PlatformState { twist: [0.0; 6], acceleration: [0.0; 6], ..middle };
        Ok(Self { times, knots, changes, loads, length, middle, swing, free: [true; 6] })
    }

    /// The same for a platform with these freedoms: how it moves in them says how it moves in the others.
    #[must_use]
    pub fn in_freedoms(self, freedoms: &[Freedom]) -> Self {
        let free = std::array::from_fn(|k| freedoms.iter().any(|freedom| freedom.component == k));
        Self { free, ..self }
    }

    /// When \[s\] the acceleration, which is not given, swings most beyond what the rows tell, and by which share of the
    /// largest one; `None` where that is little.
    pub fn swing(&self) -> Option<(f64, f64)> {
        self.swing
    }

    /// Its number of rows.
    pub fn row_count(&self) -> usize {
        self.times.len()
    }

    /// y, y', y'' at a time \[s\] between two rows.
    fn values(&self, time: f64) -> Option<Knot> {
        let inner = self.times.get(1..self.times.len().saturating_sub(1))?;
        let k = inner.partition_point(|row| *row <= time);
        let (pair, begin) = (pair(&self.times, &self.knots, k)?, self.times.get(k)?);
        Some(self.changes.get(k)?.values(&pair, (time - begin) / pair.h))
    }
}

/// What is picked up and put down: at the row that says so or, where the acceleration jumps just before it, at that jump. Of both
/// sides of it the lighter load counts while it lasts.
fn loads(times: &[f64], rows: &[MotionRow], changes: &[Change]) -> Vec<Load> {
    let mut loads: Vec<Load> = Vec::new();
    for (k, (row, time)) in rows.iter().zip(times).enumerate() {
        let carried = loads.last().map_or(0.0, |load| load.mass);
        if row.mass == carried {
            continue;
        }
        let jump = || {
            let (before, change) = (k.checked_sub(1)?, changes.get(k.checked_sub(1)?)?);
            let [begin, end] = change.jump()?;
            let share = if row.mass < carried { begin } else { end };
            let from = times.get(before)?;
            Some(from + share * (time - from))
        };
        loads.push(Load { time: jump().unwrap_or(*time), mass: row.mass });
    }
    loads
}

/// A row and the next.
fn pair<'a>(times: &[f64], knots: &'a [Knot], k: usize) -> Option<Pair<'a>> {
    let step = |k: usize| Some(times.get(k + 1)? - times.get(k)?);
    let h = step(k)?;
    let trend = |k: usize| {
        let ([_, _, from], [_, _, to], share) = (knots.get(k)?, knots.get(k + 1)?, h / step(k)?);
        Some(std::array::from_fn(|i| share * (to[i] - from[i])))
    };
    let trends = [k.checked_sub(1).and_then(trend), trend(k + 1)];
    Some(Pair { rows: [knots.get(k)?, knots.get(k + 1)?], h, trends })
}

/// The positions or the quaternion of a list of seven.
fn part<const N: usize>(seven: &[f64; 7], from: usize) -> [f64; N] {
    std::array::from_fn(|k| seven.get(from + k).copied().unwrap_or(0.0))
}

/// Every row with its derivatives.
fn knots(times: &[f64], rows: &[MotionRow], given: Given) -> Vec<Knot> {
    let mut last = [1.0, 0.0, 0.0, 0.0];
    let mut knots: Vec<Knot> = Vec::with_capacity(rows.len());
    for row in rows {
        let state = &row.platform;
        let q = rotation::to_quaternion(&state.rotation);
        // The same rotation has two quaternions: the nearer one goes on.
        let dot: f64 = q.iter().zip(&last).map(|(a, b)| a * b).sum();
        last = if dot < 0.0 { q.map(|x| -x) } else { q };
        let ([v, w], [a, w1]) = (halves(&state.twist), halves(&state.acceleration));
        let [q1, q2] = quaternion_rates(last, w, w1);
        let seven = |three: [f64; 3], four: [f64; 4]| {
            let mut all = three.into_iter().chain(four);
            std::array::from_fn(|_| all.next().unwrap_or(0.0))
        };
        knots.push([seven(state.position, last), seven(v.to_array(), q1), seven(a.to_array(), q2)]);
    }
    for (order, part) in derived(given) {
        derive(times, &mut knots, order, &part);
    }
    knots
}

/// The components whose accelerations are not given, and the highest derivative of them that is.
fn derived(given: Given) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> {
    let halves = [0..3, 3..7].into_iter().zip(given.velocity).zip(given.acceleration);
    halves.filter(|(_, is_given)| !is_given).map(|((part, velocity), _)| (usize::from(velocity), part))
}

/// When \[s\] an acceleration that is not given swings most beyond what the rows tell, and by which share.
fn told_swing(times: &[f64], knots: &[Knot], changes: &[Change], given: Given) -> Option<(f64, f64)> {
    let second = |row: usize, share: f64| {
        let found = pair(times, knots, row).zip(changes.get(row));
        found.map_or([0.0; 7], |(pair, change)| change.values(&pair, share)[2])
    };
    let each = derived(given).map(|(order, part)| {
        let values: Vec<[f64; 7]> =
            knots.iter().map(|knot| knot.get(order).copied().unwrap_or_default()).collect();
        swing(times, &values, &part, order == 0, &second)
    });
    let (row, share) = each.fold((0, 0.0), |worst, one| if one.1 > worst.1 { one } else { worst });
    Some((*times.get(row)?, share)).filter(|(_, share)| *share > TOLD_SWING)
}

fn halves(six: &[f64; 6]) -> [V3<f64>; 2] {
    let [a, b, c, d, e, f] = *six;
    [V3::new(a, b, c), V3::new(d, e, f)]
}

/// Puts the slopes of the cubic spline through derivative `order` of the rows into the one above it, from each jump of the
/// acceleration to the next; the spline of the values is the motion itself, so its second derivatives come with its slopes.
fn derive(times: &[f64], knots: &mut [Knot], order: usize, part: &std::ops::Range<usize>) {
    let values: Vec<[f64; 7]> =
        knots.iter().map(|knot| knot.get(order).copied().unwrap_or_default()).collect();
    let mut jumps = jumps(times, &values, part, order == 0);
    let mut found = splines(times, &values, order, &jumps);
    // Where a spline of few rows does not meet the sides of a jump, for there is another one, it is left as it is.
    loop {
        let at = |row: usize| found.get(row).map(|[slope, moment]| if order == 0 { moment } else { slope });
        let fits = |jump: &Jump| match (at(jump.row), at(jump.row + 1)) {
            (Some(before), Some(after)) => jump.fits(part, [before, after]),
            _ => false,
        };
        let good: Vec<Jump> = jumps.iter().filter(|jump| fits(jump)).copied().collect();
        if good.len() == jumps.len() {
            break;
        }
        jumps = good;
        found = splines(times, &values, order, &jumps);
    }
    for (knot, both) in knots.iter_mut().zip(&found) {
        for i in part.clone() {
            for (list, from) in knot.iter_mut().skip(order + 1).zip(both) {
                if let (Some(slot), Some(number)) = (list.get_mut(i), from.get(i)) {
                    *slot = *number;
                }
            }
        }
    }
}

/// Slopes and second derivatives of the splines through the rows, from each jump to the next.
fn splines(times: &[f64], values: &[[f64; 7]], order: usize, jumps: &[Jump]) -> Vec<[[f64; 7]; 2]> {
    let mut found = Vec::with_capacity(values.len());
    for rows in parts(jumps, values.len()) {
        let is_end = [rows.start == 0, rows.end == values.len()];
        let (Some(times), Some(values)) = (times.get(rows.clone()), values.get(rows)) else { continue };
        let (mut ratios, mut moments) = (vec![0.0; values.len()], vec![[0.0; 7]; values.len()]);
        spline_moments(times, values, &ends(times, values, order, is_end), &mut ratios, &mut moments);
        let mut slopes = moments.clone();
        spline_slopes(times, values, &mut slopes);
        found.extend(slopes.into_iter().zip(moments).map(|(slope, moment)| [slope, moment]));
    }
    found
}

/// How a spline ends: velocities as they like, places at rest at both ends of the motion and, at a jump, with the slope of
/// the four rows beside it.
fn ends(times: &[f64], values: &[[f64; 7]], order: usize, is_end: [bool; 2]) -> Ends<7> {
    if order > 0 {
        return Ends::Natural;
    }
    let slope = |[a, b, c, d]: [usize; 4]| {
        let value = |k: usize| values.get(k).copied().unwrap_or_default();
        let time = |k: usize| times.get(k).copied().unwrap_or(f64::NAN);
        slope_at_first([a, b, c, d].map(time), [a, b, c, d].map(value))
    };
    let last = values.len().saturating_sub(1);
    let back = [0, 1, 2, 3].map(|k| last.saturating_sub(k));
    Ends::Clamped {
        start: if is_end[0] { [0.0; 7] } else { slope([0, 1, 2, 3]) },
        end: if is_end[1] { [0.0; 7] } else { slope(back) },
    }
}

/// What the rates of rows add up to and what the values change by, where one is several times the other.
fn disagreement(
    times: &[f64],
    knots: &[Knot],
    [value, rate]: [usize; 2],
    part: std::ops::Range<usize>,
) -> Option<[f64; 2]> {
    if knots.len() < FEW_ROWS {
        return None;
    }
    let size = |list: Vec<f64>| list.iter().map(|x| x * x).sum::<f64>().sqrt();
    let at = |knot: &Knot, order: usize, i: usize| {
        knot.get(order).and_then(|list| list.get(i)).copied().unwrap_or(f64::NAN)
    };
    let (mut summed, mut moved) = (0.0, 0.0);
    for (pair, time) in knots.windows(2).zip(times.windows(2)) {
        let ([a, b], [begin, end]) = (pair, time) else { continue };
        summed += size(part.clone().map(|i| f64::midpoint(at(a, rate, i), at(b, rate, i))).collect())
            * (end - begin);
        moved += size(part.clone().map(|i| at(b, value, i) - at(a, value, i)).collect());
    }
    let agree = summed <= UNIT_FACTOR * moved + 1e-9 && moved <= UNIT_FACTOR * summed + 1e-9;
    (!agree).then_some([summed, moved])
}

impl ReferenceMotion for SampledMotion {
    fn duration(&self) -> f64 {
        self.times.last().copied().unwrap_or(0.0)
    }

    fn at(&self, time: f64) -> Platform<f64> {
        let within = time.clamp(0.0, self.duration());
        let [value, first, second] = self.values(within).unwrap_or([[0.0; 7]; 3]);
        let quaternion = [&value, &first, &second].map(|seven| part::<4>(seven, 3));
        let (rotation, w, w1) = turning_of_quaternion(quaternion);
        let [position, v, a] = [&value, &first, &second].map(|seven| V3::from(part::<3>(seven, 0)));
        let pose = Pose::new(rotation, position);
        if time < 0.0 || time > self.duration() {
            return Platform::rest(pose);
        }
        let [twist, acceleration] = [Twist::new(v, w), Twist::new(a, w1)].map(|all| {
            let mut six = all.to_vector_linear_first();
            six.iter_mut().zip(self.free).filter(|(_, is_free)| !is_free).for_each(|(x, _)| *x = 0.0);
            Twist::from_vector_linear_first(six)
        });
        Platform { pose, twist, acceleration }
    }

    fn cycle_joints(&self) -> Vec<f64> {
        let pairs = self.times.iter().zip(self.times.iter().skip(1));
        let jumps = pairs.zip(&self.changes).filter_map(|((from, to), change)| {
            Some(change.joints()?.map(|share| from + share * (to - from)))
        });
        in_order(self.times.iter().copied().chain(jumps.flatten()).collect(), self.duration())
    }

    fn target(&self) -> Target {
        let position = self.at(self.duration()).pose.position;
        // The last row that is somewhere else says where it comes from. Rows close to the end say it badly: a motion
        // that stops softly moves by less than the digits of a file there.
        let places = self.knots.iter().rev().map(|[value, ..]| V3::from(part::<3>(value, 0)));
        let far = ARRIVAL_WAY * self.length;
        let direction = places.map(|place| position - place).find(|way| way.norm_sq() > far * far);
        arrival(self.duration(), position, direction.unwrap_or(V3::zero()))
    }

    fn middle(&self) -> PlatformState {
        self.middle
    }

    fn paths(&self) -> Vec<&AnyPath> {
        Vec::new()
    }

    fn length(&self) -> f64 {
        self.length
    }

    fn loads(&self) -> &[Load] {
        &self.loads
    }
}

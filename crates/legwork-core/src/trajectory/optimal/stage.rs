//! One interval of the grid: which x = ṡ² and u = s̈ keep all limits.
//!
//! Every limit is a bound u ≤ A + B x or u ≥ A + B x. The width of what is left for u,
//!
//! ```text
//! F(x) = min (A + B x) − max (A + B x)
//! ```
//!
//! is concave in x, so Newton's method from outside meets the edge F = 0 from there without passing it, after as
//! many steps as there are corners on the way: a linear program in two unknowns.

use super::{GridPoint, Limit, Limits};

/// A bound A + B x on u.
#[derive(Clone, Copy, PartialEq)]
struct Bound {
    offset: f64,
    slope: f64,
}

impl Bound {
    const fn never(offset: f64) -> Self {
        Self { offset, slope: 0.0 }
    }
    #[inline(always)]
    fn at(&self, x: f64) -> f64 {
        self.offset + self.slope * x
    }
}

/// lo ≤ a u + b x ≤ hi
#[derive(Clone, Copy)]
pub(super) struct Row {
    a: f64,
    b: f64,
    range: [f64; 2],
}

/// All bounds of one interval.
pub(super) struct Stage<const K: usize> {
    /// From above and from below, at the start and at the end of the interval.
    bounds: [[[Bound; 2]; 2]; K],
    /// Whether more push means more effort, which tells the two kinds of limits apart.
    rising: [[bool; 2]; K],
    /// |s̈|, and the set that must be met next.
    others: [[Bound; 2]; 2],
    /// Least and largest x, and what sets them.
    x: [(f64, Limit); 2],
}

/// An x beyond every speed.
const FAR: f64 = 1e30;

/// Below this share of the largest a of an interval a motor feels no acceleration: its row bounds x alone.
/// Rounding of the others is then not blown up beyond 1e-7.
const NO_INERTIA: f64 = 1e-9;

/// The efforts at the start and the end of an interval of length h as rows in (u, x) of its start.
#[inline(always)]
pub(super) fn rows<const K: usize>(
    here: &GridPoint<K>,
    next: &GridPoint<K>,
    effort: &[[f64; 2]; K],
) -> [[Row; 2]; K] {
    let h2 = 2.0 * (next.s - here.s);
    let mut motor = 0;
    effort.map(|[low, high]| {
        let k = motor;
        motor += 1;
        let slack = |side: usize| here.slack.get(k).and_then(|s| s.get(side)).copied().unwrap_or(0.0);
        let (low, high) = (low + slack(0), high - slack(1));
        let [(a0, b0, c0), (a1, b1, c1)] = [here.linear(k), next.linear(k)];
        [
            Row { a: a0, b: b0, range: [low - c0, high - c0] },
            Row { a: a1 + h2 * b1, b: b1, range: [low - c1, high - c1] },
        ]
    })
}

fn largest_inertia<const K: usize>(rows: &[[Row; 2]; K]) -> f64 {
    rows.as_flattened().iter().fold(0.0, |m, row| m.max(row.a.abs()))
}

impl<const K: usize> Stage<K> {
    /// The interval from `here` to `next`, whose set is known.
    pub(super) fn new(
        here: &GridPoint<K>,
        next: &GridPoint<K>,
        effort: &[[f64; 2]; K],
        tangential: f64,
    ) -> Self {
        let rows = rows(here, next, effort);
        let largest = largest_inertia(&rows);
        let mut x = [(0.0, Limit::Nothing), (here.top, here.top_limit)];
        let mut motor = 0;
        let rising = rows.map(|pair| pair.map(|row| row.a > 0.0));
        let bounds = rows.map(|pair| {
            let k = motor;
            motor += 1;
            pair.map(|Row { a, b, range: [low, high] }| {
                if a.abs() > NO_INERTIA * largest {
                    let per = 1.0 / a;
                    let slope = -b * per;
                    let [low, high] = [low, high].map(|effort| Bound { offset: effort * per, slope });
                    if a > 0.0 { [high, low] } else { [low, high] }
                } else {
                    let (below, above) = (Limit::EffortBelow { motor: k }, Limit::EffortAbove { motor: k });
                    narrow(&mut x, b, [(low, below), (high, above)]);
                    [Bound::never(f64::INFINITY), Bound::never(f64::NEG_INFINITY)]
                }
            })
        });
        let per = 0.5 / (next.s - here.s);
        let push = |offset| Bound { offset, slope: 0.0 };
        let meet = |x: f64| Bound { offset: x * per, slope: -per };
        let others = [[push(tangential), push(-tangential)], [meet(next.high), meet(next.low)]];
        Self { bounds, rising, others, x }
    }

    /// The tightest bounds on u at x, from above and from below.
    #[inline(always)]
    fn tightest(&self, x: f64) -> [(Bound, f64); 2] {
        let mut upper = (Bound::never(f64::INFINITY), f64::INFINITY);
        let mut lower = (Bound::never(f64::NEG_INFINITY), f64::NEG_INFINITY);
        for &[above, below] in self.bounds.as_flattened().iter().chain(&self.others) {
            let (a, b) = (above.at(x), below.at(x));
            if a < upper.1 {
                upper = (above, a);
            }
            if b > lower.1 {
                lower = (below, b);
            }
        }
        [upper, lower]
    }

    /// The least (`-1`) or the largest (`1`) x for which some u keeps all limits.
    /// A `hint` beyond the edge saves steps.
    fn edge(&self, side: f64, hint: f64) -> Result<f64, [Limit; 2]> {
        let [(least, least_limit), (largest, largest_limit)] = self.x;
        if !(least <= largest) {
            return Err([least_limit, largest_limit]);
        }
        let mut x = if side > 0.0 { largest } else { least };
        // No speed limit: some bound crosses another far out, or nothing ever does.
        if x == f64::INFINITY {
            x = FAR;
        }
        if side > 0.0 && hint > least && hint < x {
            let [(above, a), (below, b)] = self.tightest(hint);
            // Outside, and on the falling side of F.
            if a < b && above.slope < below.slope {
                x = hint;
            }
        }
        // Every step lands on another pair of bounds; there are 2K + 2 of each kind.
        for _ in 0..4 * K + 8 {
            let [(above, a), (below, b)] = self.tightest(x);
            let gap = a - b;
            // Rounding of the two bounds at this x.
            let size = above.offset.abs() + below.offset.abs() + (above.slope.abs() + below.slope.abs()) * x;
            if gap >= -4.0 * f64::EPSILON * size {
                return Ok(x);
            }
            let slope = above.slope - below.slope;
            let next = (below.offset - above.offset) / slope;
            if !(slope * side < 0.0) || !(least..=largest).contains(&next) {
                return Err(self.names([above, below]));
            }
            x = next;
        }
        let [(above, _), (below, _)] = self.tightest(x);
        Err(self.names([above, below]))
    }

    /// Which limits two bounds are, one from above and one from below.
    fn names(&self, [above, below]: [Bound; 2]) -> [Limit; 2] {
        let [push, meet] = self.others;
        let name = |bound: Bound, side: usize| {
            let is = |pair: &[Bound; 2]| pair.get(side) == Some(&bound);
            for (motor, (pairs, rising)) in self.bounds.iter().zip(&self.rising).enumerate() {
                if let Some((_, &rising)) = pairs.iter().zip(rising).find(|(pair, _)| is(pair)) {
                    let most = rising == (side == 0);
                    return if most { Limit::EffortAbove { motor } } else { Limit::EffortBelow { motor } };
                }
            }
            if is(&push) {
                Limit::Tangential
            } else if is(&meet) {
                Limit::Ahead
            } else {
                Limit::Nothing
            }
        };
        [name(above, 0), name(below, 1)]
    }

    /// The x from which the interval can be passed: least and largest.
    pub(super) fn controllable(&self, hint: f64) -> Result<[f64; 2], [Limit; 2]> {
        Ok([self.edge(-1.0, hint)?, self.edge(1.0, hint)?])
    }
}

/// The largest u that keeps all limits of the interval at x.
pub(super) fn largest_push<const K: usize>(
    here: &GridPoint<K>,
    next: &GridPoint<K>,
    effort: &[[f64; 2]; K],
    tangential: f64,
    x: f64,
) -> f64 {
    let mut push = tangential.min((next.high - x) * 0.5 / (next.s - here.s));
    let rows = rows(here, next, effort);
    let largest = largest_inertia(&rows);
    for Row { a, b, range: [low, high] } in rows.as_flattened() {
        // A row without inertia has bounded x already.
        if a.abs() > NO_INERTIA * largest {
            let above = if *a > 0.0 { (high - b * x) / a } else { (low - b * x) / a };
            push = push.min(above);
        }
    }
    push
}

/// The largest x of a motion that has `from` times it at the start of the interval and gains `gain` times it up to its
/// end; not positive if the motors do not even hold the robot.
pub(super) fn creeping<const K: usize>(
    here: &GridPoint<K>,
    next: &GridPoint<K>,
    limits: &Limits<K>,
    from: f64,
    gain: f64,
) -> f64 {
    let push = gain * 0.5 / (next.s - here.s);
    let most = |value: f64, [low, high]: [f64; 2]| match (low <= 0.0 && high >= 0.0, value) {
        (false, _) => 0.0,
        (true, value) if value > 0.0 => high / value,
        (true, value) if value < 0.0 => low / value,
        _ => f64::INFINITY,
    };
    let rows = rows(here, next, &limits.effort);
    let efforts = rows.as_flattened().iter().map(|row| most(row.a * push + row.b * from, row.range));
    efforts.fold(here.top.min(next.top).min(most(push, [-limits.tangential, limits.tangential])), f64::min)
}

/// A row without u bounds x: lo ≤ b x ≤ hi.
fn narrow(x: &mut [(f64, Limit); 2], b: f64, range: [(f64, Limit); 2]) {
    let [(low, below), (high, above)] = range;
    let [least, largest] = x;
    let mut at_least = |value: f64, limit| {
        if value > least.0 {
            *least = (value, limit);
        }
    };
    let mut at_most = |value: f64, limit| {
        if value < largest.0 {
            *largest = (value, limit);
        }
    };
    if b > 0.0 {
        at_least(low / b, below);
        at_most(high / b, above);
    } else if b < 0.0 {
        at_least(high / b, above);
        at_most(low / b, below);
    } else if low > 0.0 {
        at_most(-1.0, below); // not even at rest
    } else if high < 0.0 {
        at_most(-1.0, above);
    }
}

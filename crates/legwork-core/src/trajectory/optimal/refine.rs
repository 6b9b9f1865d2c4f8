//! Between the grid points: how far efforts and speeds bulge, and what that takes off the limits.

use super::{GridPoint, Limit, Limits, PathDynamics};
use crate::Real;

/// Draws limits in where this share of them is used.
const NEAR: f64 = 0.5;
/// By this much more than the bulge, which grows a little when the motion changes: saves rounds.
const OVER: f64 = 1.25;
/// But by no more than this share of what holding the robot leaves over. On a coarse grid the bulge of a fast motion
/// can be larger than the whole range; a slower one bulges less, and standing still must stay possible.
const MOST_DRAWN_IN: f64 = 0.9;
/// In one round x comes down to no less than this share where drawing the limits in is not enough.
const MOST_SHRUNK: f64 = 0.25;

/// Least and largest value of the parabola through values at the start, the middle and the end.
fn extremes(g0: f64, gm: f64, g1: f64) -> [f64; 2] {
    let (low, high) = (g0.min(g1), g0.max(g1));
    let (curve, slope) = (2.0 * (g0 + g1 - 2.0 * gm), 4.0 * gm - 3.0 * g0 - g1);
    let place = -slope / (2.0 * curve);
    if !(place > 0.0 && place < 1.0) {
        return [low, high];
    }
    let top = g0 + 0.5 * slope * place;
    [low.min(top), high.max(top)]
}

/// Measures every interval, names what holds it back, draws its limits in. Returns the largest excess over a
/// limit, as a share of it.
pub(super) fn draw_in<const K: usize>(grid: &mut [GridPoint<K>], limits: &Limits<K>, tolerance: f64) -> f64 {
    let mut worst = 0.0_f64;
    let mut rest = grid;
    let mut before = [[0.0; 2]; K];
    while let Some((here, tail)) = rest.split_first_mut() {
        if let Some(next) = tail.first_mut() {
            worst = Real::max(worst, interval(here, next, limits, tolerance));
        }
        here.around = tangent_at(here, &before, limits);
        before = here.slack;
        rest = tail;
    }
    worst
}

/// The speed at which the root of viscous friction is taken: that of the motion, but no more than what leaves room to
/// stand still. A tangent lies above the root, so at a lower one the limit that friction uses up is kept as well.
fn tangent_at<const K: usize>(here: &GridPoint<K>, before: &[[f64; 2]; K], limits: &Limits<K>) -> f64 {
    let mut speed = Real::sqrt(here.speed_sq);
    let friction = here.here.viscous.iter().zip(&here.here.constant).zip(&here.here.coulomb);
    let drawn = here.slack.iter().zip(before);
    for (((d, c), f), (&[low, high], (after, before))) in friction.zip(limits.effort.iter().zip(drawn)) {
        let ([low_a, high_a], [low_b, high_b]) = (*after, *before);
        let room = if *d > 0.0 { high - c - f - high_a.max(high_b) } else { c + f - low - low_a.max(low_b) };
        let most = room / d.abs();
        if most < speed {
            speed = most;
        }
    }
    speed.max(1e-6)
}

fn interval<const K: usize>(
    here: &mut GridPoint<K>,
    next: &mut GridPoint<K>,
    limits: &Limits<K>,
    tolerance: f64,
) -> f64 {
    let u = here.acceleration;
    let x = [here.speed_sq, 0.5 * (here.speed_sq + next.speed_sq), next.speed_sq];
    let (v0, v1) = (Real::sqrt(x[0].max(0.0)), Real::sqrt(x[2].max(0.0)));
    // Speed over the way is the root of a straight line: above its chord by at most this.
    let arch = if v0 + v1 > 0.0 { (v1 - v0) * (v1 - v0) / (4.0 * (v0 + v1)) } else { 0.0 };
    let (mut worst, mut nearest) = (0.0_f64, (Limit::Nothing, f64::INFINITY));
    let mut near = |limit: Limit, margin: f64| {
        // Of two that are used up alike, as in a symmetric motion, the first is named.
        if margin < nearest.1 - 1e-9 {
            nearest = (limit, margin);
        }
    };
    let [x0, xm, x1] = x;
    // What x has to come down to where drawing the limits in is not enough.
    let mut shrink = 1.0_f64;

    for (k, (&[low, high], slack)) in limits.effort.iter().zip(&mut here.slack).enumerate() {
        let number = |all: &[f64; K]| all.get(k).copied().unwrap_or(0.0);
        // Without Coulomb friction, which jumps where the motor turns round.
        let value = |at: &PathDynamics<K>, x: f64, v: f64| {
            number(&at.inertia) * u + number(&at.square) * x + number(&at.viscous) * v + number(&at.constant)
        };
        let [f0, fm, f1] = [&here.here, &here.middle, &next.here].map(|at| number(&at.coulomb));
        let [c0, c1] = [number(&here.here.constant) + f0, number(&next.here.constant) + f1];
        let g0 = value(&here.here, x0, v0);
        let gm = value(&here.middle, xm, 0.5 * (v0 + v1));
        let g1 = value(&next.here, x1, v1);
        let [bottom, top] = extremes(g0, gm, g1);
        let (g0, g1) = (g0 + f0, g1 + f1);
        let viscous = number(&here.middle.viscous) * arch;
        let bottom = bottom + viscous.min(0.0) + f0.min(fm).min(f1);
        let top = top + viscous.max(0.0) + f0.max(fm).max(f1);
        let bulges = [g0.min(g1) - bottom, top - g0.max(g1)];
        let size = low.abs().min(high.abs()).max(0.5 * (high - low)).min(f64::MAX);
        let left = [c0.min(c1) - low, high - c0.max(c1)].map(|left| MOST_DRAWN_IN * left.max(0.0));
        let both = [(low, low - bottom, -bottom, -low), (high, top - high, top, high)];
        for (((slack, bulge), left), (limit, excess, used, of)) in
            slack.iter_mut().zip(bulges).zip(left).zip(both)
        {
            if !limit.is_finite() {
                continue;
            }
            worst = Real::max(worst, excess / size);
            if used > of - (1.0 - NEAR) * size {
                *slack = slack.max((OVER * bulge).min(left));
                if OVER * bulge > left && excess > tolerance * size {
                    shrink = shrink.min((left / (OVER * bulge)).max(MOST_SHRUNK));
                }
            }
        }
        let range = high - low;
        if range.is_finite() {
            near(Limit::EffortAbove { motor: k }, (high - top) / range);
            near(Limit::EffortBelow { motor: k }, (bottom - low) / range);
        } else if high.is_finite() {
            near(Limit::EffortAbove { motor: k }, (high - top) / size);
        } else if low.is_finite() {
            near(Limit::EffortBelow { motor: k }, (bottom - low) / size);
        }
    }

    // Speeds: (q')² x and |p''| x bulge as well.
    let mut bounded = |limit: Limit, factors: [f64; 3], bound: f64| {
        if !bound.is_finite() {
            return;
        }
        let [g0, gm, g1] = [factors[0] * x0, factors[1] * xm, factors[2] * x1];
        let [_, top] = extremes(g0, gm, g1);
        worst = Real::max(worst, top / bound - 1.0);
        near(limit, 1.0 - top / bound);
        if top > bound * (1.0 + tolerance) {
            shrink = shrink.min(bound / top);
        }
    };
    let rates = here.here.rates.iter().zip(&here.middle.rates).zip(&next.here.rates);
    for (motor, (((a, m), b), speed)) in rates.zip(&limits.speed).enumerate() {
        bounded(Limit::Speed { motor }, [a * a, m * m, b * b], speed * speed);
    }
    bounded(Limit::Normal, [here.bend[0], here.bend[1], next.bend[0]], limits.normal);
    bounded(Limit::PathSpeed, [1.0; 3], limits.path_speed * limits.path_speed);
    if limits.tangential.is_finite() {
        near(Limit::Tangential, 1.0 - u.abs() / limits.tangential);
    }
    (here.limit, here.margin) = nearest;
    if shrink < 1.0 {
        // Only where x is at its bound: elsewhere nothing is gained by a lower one.
        for (point, x) in [(here, x0), (next, x1)] {
            if x > 0.0 {
                point.top = point.top.min(x * shrink);
            }
        }
    }
    worst
}

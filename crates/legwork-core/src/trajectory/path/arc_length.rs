//! Arc length of a smooth curve r(u), and the way back from length to u.

use super::super::norm;
use super::error::PathError;
use crate::V3;

/// A curve by any parameter.
pub(super) trait Curve {
    /// r, r', r'' at u.
    fn derivatives(&self, u: f64) -> [V3<f64>; 3];

    /// |r'|
    fn speed(&self, u: f64) -> f64 {
        let [_, first, _] = self.derivatives(u);
        norm(first)
    }
}

/// Abscissae and weights of Gauss and Legendre for eight points, the positive half.
const GAUSS: [(f64, f64); 4] = [
    (0.183_434_642_495_649_8, 0.362_683_783_378_362),
    (0.525_532_409_916_329, 0.313_706_645_877_887_3),
    (0.796_666_477_413_626_7, 0.222_381_034_453_374_48),
    (0.960_289_856_497_536_3, 0.101_228_536_290_376_26),
];

/// ∫ |r'| du, exact for polynomials of degree 15.
fn gauss(curve: &impl Curve, from: f64, to: f64) -> f64 {
    let (centre, half) = (0.5 * (from + to), 0.5 * (to - from));
    half * GAUSS
        .iter()
        .fold(0.0, |sum, &(x, w)| sum + w * (curve.speed(centre - half * x) + curve.speed(centre + half * x)))
}

/// One panel of the table.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Panel {
    /// u at its start and end.
    from: f64,
    to: f64,
    /// Length up to its start and end.
    start: f64,
    end: f64,
    /// du/ds at its start and end.
    slopes: [f64; 2],
}

/// Lengths of K panels of a curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct LengthTable<const K: usize> {
    panels: [Panel; K],
}

/// A panel must keep its length to this when it is cut in two; the halves are then right to some 1e-12.
const CUSP: f64 = 1e-8;
/// A speed by the curve's parameter this far below the mean of its panel counts as standstill.
const STILL: f64 = 1e-6;

impl<const K: usize> LengthTable<K> {
    /// Panels between u = `node(0)` and `node(1)`, `node` growing.
    pub(super) fn new(curve: &impl Curve, node: impl Fn(f64) -> f64) -> Result<Self, PathError> {
        let mut length = 0.0;
        let mut worst: Option<(f64, f64)> = None;
        let mut from = node(0.0);
        let mut index = 0.0;
        let panels = [(); K].map(|()| {
            let to = node((index + 1.0) / K as f64);
            let middle = 0.5 * (from + to);
            let (once, twice) =
                (gauss(curve, from, to), gauss(curve, from, middle) + gauss(curve, middle, to));
            // A curve that nearly stops turns on the spot, which no difference of lengths shows.
            let speeds = [curve.speed(from), curve.speed(to)];
            let slow = speeds.iter().any(|speed| !(speed * (to - from) > STILL * twice));
            let error = if slow { 1.0 } else { (once - twice).abs() / twice };
            if !(error <= worst.map_or(0.0, |(_, w)| w)) {
                worst = Some((middle, error));
            }
            let start = length;
            length += twice;
            let slopes = speeds.map(|speed| 1.0 / speed);
            let panel = Panel { from, to, start, end: length, slopes };
            index += 1.0;
            from = to;
            panel
        });
        match worst {
            Some((near, error)) if !(error <= CUSP) => Err(PathError::Cusp { near, error }),
            _ => Ok(Self { panels }),
        }
    }

    /// L
    pub(super) fn length(&self) -> f64 {
        self.panels.last().map_or(0.0, |panel| panel.end)
    }

    /// u at length `s`: Newton on the length inside a panel, from a cubic between its ends.
    pub(super) fn parameter(&self, curve: &impl Curve, s: f64) -> f64 {
        let place = self.panels.partition_point(|panel| panel.end < s).min(K.saturating_sub(1));
        let Some(panel) = self.panels.get(place) else { return 0.0 };
        let span = panel.end - panel.start;
        if !(s > panel.start) {
            return panel.from;
        }
        if s >= panel.end {
            return panel.to;
        }
        let x = (s - panel.start) / span;
        let y = 1.0 - x;
        let [a, b] = panel.slopes;
        let mut u = panel.from * y * y * (1.0 + 2.0 * x)
            + panel.to * x * x * (3.0 - 2.0 * x)
            + span * x * y * (y * a - x * b);
        // Quadratic convergence from four digits; the bound is for curves that bend within a panel.
        for _ in 0..6 {
            u = u.max(panel.from).min(panel.to);
            let step = (panel.start + gauss(curve, panel.from, u) - s) / curve.speed(u);
            u -= step;
            // Newton squares its error: the next one would be below rounding.
            if step.abs() < 1e-7 * (panel.to - panel.from) {
                break;
            }
        }
        u.max(panel.from).min(panel.to)
    }
}

//! Cubic splines through N points of D numbers, twice continuously differentiable.

use super::error::{PathError, finite};
use core::array::from_fn;

/// How a spline begins and ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ends<const D: usize> {
    /// Without second derivative.
    Natural,
    /// With given derivatives by the knots.
    Clamped {
        /// At the first point.
        start: [f64; D],
        /// At the last point.
        end: [f64; D],
    },
}

/// A cubic in every interval, by values and second derivatives at the knots:
///
/// ```text
/// y = A y_i + B y_{i+1} + ( (A³ − A) m_i + (B³ − B) m_{i+1} ) h²/6,   A = (u_{i+1} − u)/h,  B = 1 − A
/// ```
///
/// with the m of [`spline_moments`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct CubicSpline<const N: usize, const D: usize> {
    knots: [f64; N],
    values: [[f64; D]; N],
    moments: [[f64; D]; N],
}

fn combined<const D: usize>(a: f64, x: &[f64; D], b: f64, y: &[f64; D]) -> [f64; D] {
    let mut both = y.iter();
    x.map(|x| a * x + b * both.next().copied().unwrap_or(0.0))
}

fn slope<const D: usize>(h: f64, from: &[f64; D], to: &[f64; D]) -> [f64; D] {
    combined(-1.0 / h, from, 1.0 / h, to)
}

/// The second derivatives m at the knots of a cubic spline through `values`; the lists are of one length, `ratios` is
/// room for the elimination.
///
/// ```text
/// h_{i−1} m_{i−1} + 2 (h_{i−1} + h_i) m_i + h_i m_{i+1} = 6 ( Δy_i/h_i − Δy_{i−1}/h_{i−1} )
/// ```
///
/// Thomas' elimination: the system is diagonally dominant, so no pivot is near zero.
pub fn spline_moments<const D: usize>(
    knots: &[f64],
    values: &[[f64; D]],
    ends: &Ends<D>,
    ratios: &mut [f64],
    moments: &mut [[f64; D]],
) {
    let at = |i: usize| (knots.get(i).copied(), values.get(i));
    // Row i: low m_{i−1} + diagonal m_i + high m_{i+1} = right.
    let row = |i: usize| -> (f64, f64, f64, [f64; D]) {
        let (Some(u), Some(y)) = at(i) else { return (0.0, 1.0, 0.0, [0.0; D]) };
        let before = i.checked_sub(1).map(at);
        match (before, at(i + 1), ends) {
            (Some((Some(u0), Some(y0))), (Some(u1), Some(y1)), _) => {
                let (h0, h1) = (u - u0, u1 - u);
                let bend = combined(6.0, &slope(h1, y, y1), -6.0, &slope(h0, y0, y));
                (h0, 2.0 * (h0 + h1), h1, bend)
            }
            (None, (Some(u1), Some(y1)), Ends::Clamped { start, .. }) => {
                let h = u1 - u;
                (0.0, 2.0 * h, h, combined(6.0, &slope(h, y, y1), -6.0, start))
            }
            (Some((Some(u0), Some(y0))), (None, None), Ends::Clamped { end, .. }) => {
                let h = u - u0;
                (h, 2.0 * h, 0.0, combined(6.0, end, -6.0, &slope(h, y0, y)))
            }
            _ => (0.0, 1.0, 0.0, [0.0; D]),
        }
    };
    let (mut ratio, mut carried) = (0.0, [0.0; D]);
    for (i, (kept, moment)) in ratios.iter_mut().zip(moments.iter_mut()).enumerate() {
        let (low, diagonal, high, right) = row(i);
        let pivot = diagonal - low * ratio;
        ratio = high / pivot;
        carried = combined(1.0 / pivot, &right, -low / pivot, &carried);
        (*kept, *moment) = (ratio, carried);
    }
    let mut next = [0.0; D];
    for (moment, ratio) in moments.iter_mut().zip(ratios.iter()).rev() {
        next = combined(1.0, moment, -ratio, &next);
        *moment = next;
    }
}

/// The first derivatives at the knots of a cubic spline with these second derivatives `moments`, written over them:
///
/// ```text
/// y'_i = Δy_i/h_i − (2 m_i + m_{i+1}) h_i/6,   at the last knot  y'_i = Δy_{i−1}/h_{i−1} + (m_{i−1} + 2 m_i) h_{i−1}/6
/// ```
pub fn spline_slopes<const D: usize>(knots: &[f64], values: &[[f64; D]], moments: &mut [[f64; D]]) {
    let mut before: Option<(f64, [f64; D], [f64; D])> = None;
    for i in 0..knots.len() {
        let (Some(&u), Some(&y), Some(&m)) = (knots.get(i), values.get(i), moments.get(i)) else { return };
        let first = match (knots.get(i + 1), values.get(i + 1), moments.get(i + 1), before) {
            (Some(u1), Some(y1), Some(m1), _) => {
                let h = u1 - u;
                combined(1.0, &slope(h, &y, y1), -h / 6.0, &combined(2.0, &m, 1.0, m1))
            }
            (_, _, _, Some((u0, y0, m0))) => {
                let h = u - u0;
                combined(1.0, &slope(h, &y0, &y), h / 6.0, &combined(1.0, &m0, 2.0, &m))
            }
            _ => [0.0; D],
        };
        before = Some((u, y, m));
        if let Some(slot) = moments.get_mut(i) {
            *slot = first;
        }
    }
}

impl<const N: usize, const D: usize> CubicSpline<N, D> {
    pub(super) fn new(knots: [f64; N], values: [[f64; D]; N], ends: Ends<D>) -> Result<Self, PathError> {
        if N < 2 {
            return Err(PathError::TooFewPoints { points: N });
        }
        finite("knots of the spline", &knots)?;
        finite("points of the spline", values.as_flattened())?;
        if let Ends::Clamped { start, end } = ends {
            finite("start slope of the spline", &start)?;
            finite("end slope of the spline", &end)?;
        }
        if let Some(first) = knots.windows(2).position(|pair| !matches!(pair, [a, b] if a < b)) {
            return Err(PathError::KnotOrder { first });
        }
        let (mut moments, mut swept) = ([[0.0; D]; N], [0.0; N]);
        spline_moments(&knots, &values, &ends, &mut swept, &mut moments);
        Ok(Self { knots, values, moments })
    }

    /// Value, first and second derivative at u; past the ends the outer cubics go on.
    pub(super) fn at(&self, u: f64) -> [[f64; D]; 3] {
        let inner = self.knots.get(1..N.saturating_sub(1)).unwrap_or(&[]);
        self.piece(inner.partition_point(|&knot| knot <= u), u)
    }

    /// The same by the cubic of interval `i`.
    pub(super) fn piece(&self, i: usize, u: f64) -> [[f64; D]; 3] {
        let pair = |i: usize| Some((self.knots.get(i)?, self.values.get(i)?, self.moments.get(i)?));
        let (Some((u0, y0, m0)), Some((u1, y1, m1))) = (pair(i), pair(i + 1)) else { return [[0.0; D]; 3] };
        let h = u1 - u0;
        let (a, b) = ((u1 - u) / h, (u - u0) / h);
        let (ca, cb) = ((a * a * a - a) * h * h / 6.0, (b * b * b - b) * h * h / 6.0);
        let (sa, sb) = ((1.0 - 3.0 * a * a) * h / 6.0, (3.0 * b * b - 1.0) * h / 6.0);
        let (value, bend) = (combined(a, y0, b, y1), combined(ca, m0, cb, m1));
        let (chord, turn) = (slope(h, y0, y1), combined(sa, m0, sb, m1));
        [combined(1.0, &value, 1.0, &bend), combined(1.0, &chord, 1.0, &turn), combined(a, m0, b, m1)]
    }

    pub(super) fn knots(&self) -> &[f64; N] {
        &self.knots
    }
}

/// Distances of neighbours added up: chord-length knots.
pub(super) fn chord_knots<const N: usize, const D: usize>(
    points: &[[f64; D]; N],
    distance: impl Fn(&[f64; D], &[f64; D]) -> f64,
) -> [f64; N] {
    let mut sum = 0.0;
    from_fn(|i| {
        if let (Some(a), Some(b)) = (i.checked_sub(1).and_then(|i| points.get(i)), points.get(i)) {
            sum += distance(a, b);
        }
        sum
    })
}

//! A smooth way through points.

use super::super::norm;
use super::arc_length::{Curve, LengthTable};
use super::error::{PathError, finite};
use super::spline::{CubicSpline, Ends, chord_knots};
use super::{Path, PathPoint};
use crate::V3;

/// A cubic spline through N points, by arc length: curvature is continuous.
///
/// The spline's own parameter is the length of the chords; clamped ends are slopes by it, so a unit vector
/// is a direction.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayPoints<const N: usize> {
    spline: CubicSpline<N, 3>,
    /// One table per interval; the last is not used.
    tables: [Option<LengthTable<6>>; N],
    /// Length up to every point \[m\].
    lengths: [f64; N],
}

/// One cubic of the spline.
struct Piece<'a, const N: usize> {
    spline: &'a CubicSpline<N, 3>,
    index: usize,
}

impl<const N: usize> Curve for Piece<'_, N> {
    fn derivatives(&self, u: f64) -> [V3<f64>; 3] {
        self.spline.piece(self.index, u).map(V3::from)
    }
}

impl<const N: usize> WayPoints<N> {
    /// Through the points \[m\] in their order.
    pub fn new(points: &[V3<f64>; N], ends: Ends<3>) -> Result<Self, PathError> {
        let values = points.map(V3::to_array);
        finite("way-points", values.as_flattened())?;
        let knots = chord_knots(&values, |a, b| norm(V3::from(*b) - V3::from(*a)));
        if let Some(first) = knots.windows(2).position(|pair| !matches!(pair, [a, b] if a < b)) {
            return Err(PathError::SamePoint { first });
        }
        let spline = CubicSpline::new(knots, values, ends)?;
        let (mut tables, mut lengths) = ([None; N], [0.0; N]);
        let mut length = 0.0;
        let ends = spline.knots().iter().zip(spline.knots().iter().skip(1));
        for (((index, (&from, &to)), table), end) in
            ends.enumerate().zip(&mut tables).zip(lengths.iter_mut().skip(1))
        {
            let piece = Piece { spline: &spline, index };
            let made = LengthTable::new(&piece, |x| from + (to - from) * x);
            let made = made.map_err(|error| match error {
                PathError::Cusp { near, error } => {
                    PathError::Cusp { near: index as f64 + (near - from) / (to - from), error }
                }
                other => other,
            })?;
            length += made.length();
            *end = length;
            *table = Some(made);
        }
        Ok(Self { spline, tables, lengths })
    }

    /// Length up to every point \[m\]: where on the path it is.
    pub fn lengths(&self) -> &[f64; N] {
        &self.lengths
    }
}

impl<const N: usize> Path for WayPoints<N> {
    fn length(&self) -> f64 {
        self.lengths.last().copied().unwrap_or(0.0)
    }

    fn at(&self, s: f64) -> PathPoint<f64> {
        let inner = self.lengths.get(1..N.saturating_sub(1)).unwrap_or(&[]);
        let index = inner.partition_point(|&length| length <= s);
        let piece = Piece { spline: &self.spline, index };
        let start = self.lengths.get(index).copied().unwrap_or(0.0);
        let u = match self.tables.get(index) {
            Some(Some(table)) => table.parameter(&piece, s - start),
            _ => 0.0,
        };
        PathPoint::of_curve(piece.derivatives(u))
    }

    fn next_joint(&self, s: f64) -> f64 {
        self.lengths.iter().copied().find(|&length| length > s).unwrap_or(self.length())
    }
}

//! The answer: a law to run, and what held it back where.

use super::super::law::{LawPoint, TimeLaw};
use super::{GridPoint, Limit};
use crate::Real;

/// The fastest motion along a path, s(t) with constant s̈ between grid points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OptimalLaw<'g, const K: usize> {
    pub(super) grid: &'g [GridPoint<K>],
    pub(super) excess: f64,
    pub(super) rounds: u16,
}

/// A part of the path with one limit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stretch {
    /// From here to there \[m\].
    pub from: f64,
    /// End \[m\].
    pub to: f64,
    /// What holds the motion back on it.
    pub limit: Limit,
}

impl<'g, const K: usize> OptimalLaw<'g, K> {
    /// The law of a grid that was worked out before: places, speeds, accelerations, times and limits are all it
    /// needs. Its excess and rounds are then zero.
    pub fn over(grid: &'g [GridPoint<K>]) -> Self {
        Self { grid, excess: 0.0, rounds: 0 }
    }

    /// The grid with speeds, times and limits.
    pub fn grid(&self) -> &'g [GridPoint<K>] {
        self.grid
    }

    /// By how much a limit is exceeded between grid points, as a share of it: by the parabola through the
    /// ends and the middle of each interval. Zero where all are kept.
    pub fn excess(&self) -> f64 {
        self.excess
    }

    /// How often the limits were drawn in.
    pub fn rounds(&self) -> u16 {
        self.rounds
    }

    /// The parts of the path and what holds the motion back on each.
    pub fn stretches(&self) -> impl Iterator<Item = Stretch> + use<'g, K> {
        let mut rest = self.grid;
        core::iter::from_fn(move || {
            let (first, last) = (rest.first()?, rest.last()?);
            let here = first.limit;
            let intervals = rest.len().saturating_sub(1);
            if intervals == 0 {
                return None;
            }
            let count = rest.iter().take(intervals).take_while(|point| point.limit == here).count();
            rest = rest.get(count..).unwrap_or(&[]);
            Some(Stretch { from: first.s, to: rest.first().map_or(last.s, |point| point.s), limit: here })
        })
    }
}

impl<const K: usize> TimeLaw for OptimalLaw<'_, K> {
    fn duration(&self) -> f64 {
        self.grid.last().map_or(0.0, |point| point.time)
    }

    fn at(&self, time: f64) -> LawPoint<f64> {
        let (Some(first), Some(last)) = (self.grid.first(), self.grid.last()) else {
            return LawPoint::rest(0.0);
        };
        if !(time >= 0.0) {
            return LawPoint::rest(first.s);
        }
        if time > last.time {
            return LawPoint::rest(last.s);
        }
        let inner = self.grid.get(1..self.grid.len().saturating_sub(1)).unwrap_or(&[]);
        let place = inner.partition_point(|point| point.time <= time);
        let here = self.grid.get(place).unwrap_or(first);
        let (since, u, v) = (time - here.time, here.acceleration, Real::sqrt(here.speed_sq));
        LawPoint {
            distance: here.s + since * (v + 0.5 * u * since),
            rate: v + u * since,
            acceleration: u,
            jerk: 0.0,
        }
    }
    fn next_joint(&self, time: f64) -> f64 {
        let place = self.grid.partition_point(|point| point.time <= time);
        self.grid.get(place).map_or(self.duration(), |point| point.time)
    }
}

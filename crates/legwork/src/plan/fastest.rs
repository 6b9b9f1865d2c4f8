//! The law of a plan, without the number of motors in its type.

use legwork_core::trajectory::optimal::{GridPoint, Limit, OptimalLaw, Stretch};
use legwork_core::trajectory::{LawPoint, TimeLaw};

/// When to be where: constant s̈ between the points of a grid.
#[derive(Clone, Debug, PartialEq)]
pub struct FastestLaw {
    grid: Vec<GridPoint<0>>,
}

/// A part of the path with one limit. Motors are counted from 0, efforts in the signs of the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Part {
    /// From here \[m\].
    pub from: f64,
    /// To here \[m\].
    pub to: f64,
    /// When it begins \[s\].
    pub begin: f64,
    /// When it ends \[s\].
    pub end: f64,
    /// What holds the motion back on it.
    pub limit: Limit,
}

impl FastestLaw {
    /// Of a solved grid; `sign` turns our efforts into those of the user.
    pub(super) fn of<const K: usize>(grid: &[GridPoint<K>], sign: f64) -> Self {
        let point = |of: &GridPoint<K>| {
            let mut point = GridPoint::EMPTY;
            (point.s, point.speed_sq, point.acceleration, point.time) =
                (of.s, of.speed_sq, of.acceleration, of.time);
            (point.limit, point.margin) = (for_user(of.limit, sign), of.margin);
            point
        };
        Self { grid: grid.iter().map(point).collect() }
    }

    fn law(&self) -> OptimalLaw<'_, 0> {
        OptimalLaw::over(&self.grid)
    }

    /// Its grid: places, squared speeds, accelerations, times.
    pub fn grid(&self) -> &[GridPoint<0>] {
        &self.grid
    }

    /// The parts of the path, each with what holds the motion back on it.
    pub(super) fn parts(&self) -> Vec<Part> {
        let time = |s: f64| {
            let place = self.grid.partition_point(|point| point.s < s);
            self.grid.get(place).map_or(self.duration(), |point| point.time)
        };
        let part = |Stretch { from, to, limit }| Part { from, to, begin: time(from), end: time(to), limit };
        self.law().stretches().map(part).collect()
    }
}

/// Where the user's motor turns the other way, its largest effort is our least.
pub(super) fn for_user(limit: Limit, sign: f64) -> Limit {
    match limit {
        Limit::EffortAbove { motor } if sign < 0.0 => Limit::EffortBelow { motor },
        Limit::EffortBelow { motor } if sign < 0.0 => Limit::EffortAbove { motor },
        other => other,
    }
}

impl TimeLaw for FastestLaw {
    fn duration(&self) -> f64 {
        self.law().duration()
    }
    fn at(&self, time: f64) -> LawPoint<f64> {
        self.law().at(time)
    }
    fn next_joint(&self, time: f64) -> f64 {
        self.law().next_joint(time)
    }
}

//! What drives the motors of a simulated robot.

use super::SimulationError;
use std::fmt;

/// Efforts at the joints \[N m or N\] as a function of time, counted as the robot's file counts them.
pub enum Efforts {
    /// The same always, one for each motor.
    Constant(Vec<f64>),
    /// Rows at given times.
    Table(EffortTable),
    /// Any smooth function: time \[s\] and the list to fill.
    Function(EffortFunction),
}

/// A function of time \[s\] that fills a list of efforts.
pub type EffortFunction = Box<dyn Fn(f64, &mut [f64]) + Send + Sync>;

impl fmt::Debug for Efforts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Constant(effort) => f.debug_tuple("Constant").field(effort).finish(),
            Self::Table(table) => f.debug_tuple("Table").field(table).finish(),
            Self::Function(_) => f.write_str("Function(..)"),
        }
    }
}

/// What holds between two rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Between {
    /// The earlier row: a sampled controller with a hold.
    Hold,
    /// A straight line.
    Line,
}

/// Efforts at given times. Before the first row and after the last one those rows hold.
#[derive(Clone, Debug, PartialEq)]
pub struct EffortTable {
    times: Vec<f64>,
    /// Row by row.
    values: Vec<f64>,
    motors: usize,
    between: Between,
}

impl EffortTable {
    /// From times in ascending order \[s\] and as many rows of one effort for each motor.
    pub fn new(times: Vec<f64>, rows: &[Vec<f64>], between: Between) -> Result<Self, SimulationError> {
        let motors = rows.first().map_or(0, Vec::len);
        if times.len() != rows.len() || rows.is_empty() {
            return Err(SimulationError::Count { what: "times", expected: rows.len(), found: times.len() });
        }
        if let Some(row) = rows.iter().find(|row| row.len() != motors) {
            return Err(SimulationError::Count { what: "efforts", expected: motors, found: row.len() });
        }
        // NaN does not ascend either.
        let ascends = |k: usize| times[k - 1].is_finite() && times[k].is_finite() && times[k - 1] < times[k];
        if let Some(row) = (1..times.len()).find(|&k| !ascends(k)) {
            return Err(SimulationError::TimesNotAscending { row, time: times[row] });
        }
        Ok(Self { times, values: rows.concat(), motors, between })
    }

    /// How many motors.
    pub fn motors(&self) -> usize {
        self.motors
    }

    fn row(&self, k: usize) -> &[f64] {
        &self.values[k * self.motors..(k + 1) * self.motors]
    }

    /// The efforts at a time; exactly on a row that row.
    pub fn at(&self, t: f64, effort: &mut [f64]) {
        let after = self.times.partition_point(|time| *time <= t);
        let before = after.saturating_sub(1);
        let (low, high) = (self.row(before), self.row(after.min(self.times.len() - 1)));
        let share = match self.between {
            Between::Line if after > 0 && after < self.times.len() => {
                (t - self.times[before]) / (self.times[after] - self.times[before])
            }
            _ => 0.0,
        };
        for (slot, (low, high)) in effort.iter_mut().zip(low.iter().zip(high)) {
            // On a row it is that row, whatever the next one holds.
            *slot = if share == 0.0 { *low } else { low + share * (high - low) };
        }
    }

    /// The same on a stretch from `begin` on: a hold must not see the row at its end.
    pub(super) fn on_stretch(&self, t: f64, begin: f64, effort: &mut [f64]) {
        self.at(if self.between == Between::Hold { begin } else { t }, effort);
    }

    /// The next time after `t` at which the table has a jump or a corner.
    pub(super) fn next_break(&self, t: f64) -> Option<f64> {
        self.times.get(self.times.partition_point(|time| *time <= t)).copied()
    }
}

impl Efforts {
    /// How many motors they are for; `None` for a function.
    pub(super) fn motors(&self) -> Option<usize> {
        match self {
            Self::Constant(effort) => Some(effort.len()),
            Self::Table(table) => Some(table.motors),
            Self::Function(_) => None,
        }
    }

    /// The efforts on a stretch of time from `begin` on that has no jump inside: a hold
    /// must not see the row that begins at the end of the stretch.
    pub(super) fn on_stretch(&self, t: f64, begin: f64, effort: &mut [f64]) {
        match self {
            Self::Constant(constant) => effort.copy_from_slice(constant),
            Self::Table(table) => table.on_stretch(t, begin, effort),
            Self::Function(f) => f(t, effort),
        }
    }

    /// Whether they go in straight lines that are not level.
    pub(super) fn is_straight(&self) -> bool {
        matches!(self, Self::Table(table) if table.between == Between::Line)
    }

    /// The next time after `t` at which a step has to end.
    pub(super) fn next_break(&self, t: f64) -> Option<f64> {
        match self {
            Self::Table(table) => table.next_break(t),
            Self::Constant(_) | Self::Function(_) => None,
        }
    }
}

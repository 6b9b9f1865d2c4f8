//! The loop over the poses, on all cores, with the same bits whatever their number.

use super::posed::{Needs, Posed, Poser};
use super::quantity::{Ask, Direction, Quantity};
use super::{Grid, MapError, parallel};
use crate::recording::Column;
use crate::robot::AnyRobot;
use crate::text::bytes;
use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// Poses between two looks at the flag that stops a run.
const BLOCK: usize = 256;

/// How large a map is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapSize {
    /// How many poses.
    pub poses: u128,
    /// How many numbers for each.
    pub columns: usize,
}

impl MapSize {
    /// Most numbers of a map: two gigabytes.
    pub const MOST_NUMBERS: u128 = 1 << 28;

    /// All numbers.
    pub fn numbers(&self) -> u128 {
        self.poses.saturating_mul(self.columns as u128)
    }

    /// The memory that they take \[bytes\].
    pub fn memory(&self) -> u64 {
        u64::try_from(self.numbers().saturating_mul(8)).unwrap_or(u64::MAX)
    }
}

impl fmt::Display for MapSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.columns == 1 { "" } else { "s" };
        let memory = bytes(self.memory());
        write!(f, "{} poses with {} number{plural} each, {memory} of memory", self.poses, self.columns)
    }
}

/// A map to be made.
pub struct MapTask<'a> {
    robot: &'a AnyRobot,
    grid: Grid,
    quantities: Vec<Quantity>,
    direction: Direction,
    counts_limits: bool,
    threads: usize,
    stop: Option<&'a AtomicBool>,
    progress: Option<&'a (dyn Fn(f64) + Sync)>,
}

/// Numbers over a grid of poses.
#[derive(Clone, Debug)]
pub struct Map {
    /// Name of the robot.
    pub robot: String,
    /// The poses.
    pub grid: Grid,
    /// What was asked.
    pub quantities: Vec<Quantity>,
    /// Names and units, one for each number of a pose.
    pub columns: Vec<Column>,
    /// How many poses were done; fewer than [`Grid::len`] if the run was stopped.
    pub done: usize,
    /// How many of them are in reach.
    pub reached: usize,
    /// How many columns each quantity has.
    widths: Vec<usize>,
    pub(super) values: Vec<f64>,
}

impl<'a> MapTask<'a> {
    /// A map on all cores. Refuses what this robot cannot be asked.
    pub fn new(robot: &'a AnyRobot, grid: Grid, quantities: &[Quantity]) -> Result<Self, MapError> {
        if grid.is_empty() {
            return Err(MapError::Nothing { what: "no coordinate varies" });
        }
        if quantities.is_empty() {
            return Err(MapError::Nothing { what: "no quantity is asked for" });
        }
        quantities.iter().try_for_each(|quantity| quantity.check(robot, Direction::Worst))?;
        let size = MapSize {
            poses: grid.ranges().iter().fold(1_u128, |n, range| n.saturating_mul(range.count as u128)),
            columns: quantities.iter().map(|quantity| quantity.columns(robot).len()).sum(),
        };
        if size.numbers() > MapSize::MOST_NUMBERS {
            return Err(MapError::TooMany { size });
        }
        Ok(Self {
            robot,
            grid,
            quantities: quantities.to_vec(),
            direction: Direction::Worst,
            counts_limits: true,
            threads: 0,
            stop: None,
            progress: None,
        })
    }

    /// How large the map is.
    pub fn size(&self) -> MapSize {
        let columns = self.quantities.iter().map(|quantity| quantity.columns(self.robot).len()).sum();
        MapSize { poses: self.grid.len() as u128, columns }
    }

    /// With the peak acceleration and force in this direction.
    pub fn towards(self, direction: Direction) -> Result<Self, MapError> {
        self.quantities.iter().try_for_each(|quantity| quantity.check(self.robot, direction))?;
        Ok(Self { direction, ..self })
    }

    /// With poses that are outside the limits of the motors.
    #[must_use]
    pub fn ignoring_limits(self) -> Self {
        Self { counts_limits: false, ..self }
    }

    /// On this many threads; 0 for one per core.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> Self {
        Self { threads, ..self }
    }

    /// Stops soon after the flag is set; what is done is kept.
    #[must_use]
    pub fn until(self, stop: &'a AtomicBool) -> Self {
        Self { stop: Some(stop), ..self }
    }

    /// Calls `progress` with the fraction that is done, 0 to 1, from any thread.
    #[must_use]
    pub fn with_progress(self, progress: &'a (dyn Fn(f64) + Sync)) -> Self {
        Self { progress: Some(progress), ..self }
    }

    /// Makes the map.
    pub fn run(self) -> Map {
        let columns = self.columns();
        let width = columns.len();
        let poses = self.grid.len();
        let mut values = vec![f64::NAN; poses * width];
        let (done, reached) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let worker = self.worker();
        parallel::blocks(&mut values, BLOCK * width, self.threads, self.stop, |first, numbers| {
            let count = numbers.len() / width;
            reached.fetch_add(worker.fill(first / width, numbers), Ordering::Relaxed);
            let done = done.fetch_add(count, Ordering::Relaxed) + count;
            if let Some(progress) = self.progress {
                progress(done as f64 / poses as f64);
            }
        });
        let widths = worker.widths;
        let mut map = Map {
            robot: self.robot.name().into(),
            done: done.into_inner(),
            reached: reached.into_inner(),
            grid: self.grid,
            quantities: self.quantities,
            widths,
            columns,
            values,
        };
        map.relate_amplification();
        map
    }

    /// The numbers of some poses, one after the other, as many for each as there are columns: a piece of the map for one
    /// of several workers that share nothing. `amplification` is here for a push of one newton; a whole map relates it to
    /// its best pose.
    pub fn piece(&self, poses: std::ops::Range<usize>) -> Vec<f64> {
        let poses = poses.start..poses.end.min(self.grid.len());
        let worker = self.worker();
        let mut values = vec![f64::NAN; poses.len() * worker.widths.iter().sum::<usize>()];
        worker.fill(poses.start, &mut values);
        values
    }

    /// The poses.
    pub fn grid(&self) -> &Grid {
        &self.grid
    }

    /// The columns of the map.
    pub fn columns(&self) -> Vec<Column> {
        self.quantities.iter().flat_map(|quantity| quantity.columns(self.robot)).collect()
    }

    fn worker(&self) -> Worker<'_> {
        let needs = self.quantities.iter().fold(Needs::default(), |all, quantity| {
            let one = quantity.needs();
            Needs {
                mass: all.mass | one.mass,
                forces: all.forces | one.forces,
                passive: all.passive | one.passive,
                stability: all.stability | one.stability,
            }
        });
        let poser = Poser::new(self.robot, &self.grid, needs, self.counts_limits);
        let widths = self.quantities.iter().map(|quantity| quantity.columns(self.robot).len()).collect();
        let ask = Ask::new(self.robot, self.direction, home_side(self.robot));
        Worker { poser, ask, grid: &self.grid, quantities: &self.quantities, widths }
    }
}

/// Which side of the parallel singularities home is on: the sign of det J.
pub(super) fn home_side(robot: &AnyRobot) -> Option<bool> {
    let home = Grid::at_home(robot);
    let mut posed = Posed::default();
    let poser = Poser::new(robot, &home, Needs::default(), false);
    if poser.put(home.coordinates(0), &mut posed) { posed.orientation() } else { None }
}

struct Worker<'a> {
    poser: Poser<'a>,
    ask: Ask,
    grid: &'a Grid,
    quantities: &'a [Quantity],
    widths: Vec<usize>,
}

impl Worker<'_> {
    /// Fills the numbers of the poses from `first` on; gives how many are in reach.
    fn fill(&self, first: usize, numbers: &mut [f64]) -> usize {
        let posed = &mut Posed::default();
        let width: usize = self.widths.iter().sum();
        let mut reached = 0;
        for (k, row) in numbers.chunks_mut(width).enumerate() {
            let is_there = self.poser.put(self.grid.coordinates(first + k), posed);
            reached += usize::from(is_there);
            let mut rest = row;
            for (quantity, width) in self.quantities.iter().zip(&self.widths) {
                let (own, others) = rest.split_at_mut(*width);
                rest = others;
                if is_there {
                    quantity.fill(&self.ask, posed, own);
                    // Beyond the range of numbers there is no number.
                    own.iter_mut().filter(|value| !value.is_finite()).for_each(|value| *value = f64::NAN);
                } else if *quantity == Quantity::Reachable {
                    own.fill(0.0);
                }
            }
        }
        reached
    }
}

impl Map {
    /// The numbers of a pose, one for each column.
    pub fn at(&self, pose: usize) -> &[f64] {
        let width = self.columns.len();
        &self.values[pose * width..(pose + 1) * width]
    }

    /// The numbers of a column, pose after pose.
    pub fn column(&self, column: usize) -> impl Iterator<Item = f64> {
        self.values.iter().skip(column).step_by(self.columns.len()).copied()
    }

    /// The columns of the n-th quantity.
    pub fn columns_of(&self, quantity: usize) -> std::ops::Range<usize> {
        let first = self.widths.iter().take(quantity).sum();
        first..first + self.widths.get(quantity).copied().unwrap_or(0)
    }

    /// Whether the run was stopped before its end.
    pub fn is_partial(&self) -> bool {
        self.done < self.grid.len()
    }

    /// Whether a pose was computed: in a run that was stopped, the first [`done`](Self::done) poses. Only of these does
    /// NaN mean that they are out of reach.
    pub fn is_computed(&self, pose: usize) -> bool {
        pose < self.done
    }

    /// That the run was stopped, in words.
    pub fn stopped(&self) -> Option<String> {
        let (done, all) = (self.done, self.grid.len());
        self.is_partial()
            .then(|| format!("interrupted after {done} of {all} poses, {} not computed", all - done))
    }

    /// Divides by the least: "this pose needs 4.2 times the effort of the best pose".
    fn relate_amplification(&mut self) {
        let Some(column) = self.columns.iter().position(|column| column.name == "amplification") else {
            return;
        };
        let least = self.column(column).fold(f64::INFINITY, f64::min);
        let width = self.columns.len();
        self.values.iter_mut().skip(column).step_by(width).for_each(|value| *value /= least);
    }
}

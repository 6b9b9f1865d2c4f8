//! The fastest motion of a robot along a path: the whole path checked first, the timing of
//! [`trajectory::optimal`](legwork_core::trajectory::optimal) on the exact dynamics, the limits verified again on
//! a finer grid.
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::plan::{PlanLimits, PlanTask, adept_cycle};
//!
//! let robot = AnyRobot::open("delta-industrial")?;
//! let path = adept_cycle(&robot)?;
//! let limits = PlanLimits::of(&robot).with_effort(&[60.0])?.with_speed(&[12.0])?;
//! let plan = PlanTask::new(&robot, &path, limits).run()?;
//! assert!(plan.largest_use() <= 1.0 + 1e-6);
//! assert!(plan.duration() < 0.2);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod check;
mod error;
mod fastest;
mod figure;
mod limits;
mod model;
mod peaks;
mod usage;

pub use check::{PathClearance, PoseFault, check, check_motion};
pub use error::PlanError;
pub use fastest::{FastestLaw, Part};
pub use figure::motion_figure;
pub use limits::PlanLimits;
pub use peaks::{MotorPeaks, Peak, PeakTracker};
pub use usage::{Bound, Usage};

use crate::AnyRobot;
use crate::experiment::{AnyPath, ExperimentError, translation_axes};
use legwork_core::Real;
use legwork_core::trajectory::{Path, PickAndPlace, TimeLaw, Turned};
use legwork_core::{M3, V3};

/// Grid intervals to begin with; doubled until the finer grid agrees.
const INTERVALS: usize = 500;
/// And at most.
const MOST_INTERVALS: usize = 8000;
/// Share of a limit that may be exceeded on the finer grid.
const TOLERANCE: f64 = 1e-6;

/// A motion to be planned.
#[derive(Debug)]
pub struct PlanTask<'a, P = AnyPath> {
    robot: &'a AnyRobot,
    path: &'a P,
    limits: PlanLimits,
    intervals: Option<usize>,
    clearance: Option<PathClearance>,
}

/// The fastest motion along a path, from rest to rest.
#[derive(Clone, Debug)]
pub struct Plan {
    /// When to be where.
    pub law: FastestLaw,
    /// What holds the motion back, part by part.
    pub parts: Vec<Part>,
    /// How close the path comes to singularities.
    pub clearance: PathClearance,
    /// The largest use of every limit, on a grid ten times finer.
    pub usage: Vec<Usage>,
    /// How often the limits were drawn in.
    pub rounds: u16,
    /// Intervals of the grid.
    pub intervals: usize,
}

impl Plan {
    /// Duration \[s\].
    pub fn duration(&self) -> f64 {
        self.law.duration()
    }

    /// The largest use of all limits, as a share; NaN if one could not be measured.
    pub fn largest_use(&self) -> f64 {
        self.usage.iter().fold(0.0, |most, usage| Real::max(most, usage.share))
    }
}

impl<'a, P: Path> PlanTask<'a, P> {
    /// Under these limits, on a grid that is as fine as the limits ask for.
    pub fn new(robot: &'a AnyRobot, path: &'a P, limits: PlanLimits) -> Self {
        Self { robot, path, limits, intervals: None, clearance: None }
    }

    /// On a grid of so many intervals.
    #[must_use]
    pub fn with_intervals(self, intervals: usize) -> Self {
        Self { intervals: Some(intervals), ..self }
    }

    /// On a path that was checked already: the way back of one that was planned.
    #[must_use]
    pub fn with_clearance(self, clearance: PathClearance) -> Self {
        Self { clearance: Some(clearance), ..self }
    }

    /// Plans it.
    pub fn run(&self) -> Result<Plan, PlanError> {
        loop {
            if let Some(plan) = self.run_while(&|| true)? {
                return Ok(plan);
            }
        }
    }

    /// Plans it as long as `go_on`, asked at every place of the path, says so; `None` if it did not.
    pub fn run_while(&self, go_on: &dyn Fn() -> bool) -> Result<Option<Plan>, PlanError> {
        self.limits.bound_something(self.robot)?;
        let clearance = match self.clearance {
            Some(clearance) => clearance,
            None => check(self.robot, self.path)?,
        };
        let mut intervals = self.intervals.unwrap_or(INTERVALS);
        loop {
            if !go_on() {
                return Ok(None);
            }
            let found = model::fastest(self.robot, self.path, &self.limits, intervals, go_on);
            // Without an answer a place has no timing.
            if !go_on() {
                return Ok(None);
            }
            let (law, rounds) = found?;
            let Some(usage) = usage::of(self.robot, self.path, &self.limits, &law, go_on)? else {
                return Ok(None);
            };
            let parts = law.parts();
            let plan = Plan { law, parts, clearance, usage, rounds, intervals };
            let is_done = plan.largest_use() <= 1.0 + TOLERANCE;
            if is_done || self.intervals.is_some() || intervals >= MOST_INTERVALS {
                return Ok(Some(plan));
            }
            intervals *= 2;
        }
    }
}

/// The Adept cycle, 25–305–25 mm with corners as round as they go, half-way between its lower ends at home: across
/// along the first axis that the platform is free in, up along the last.
pub fn adept_cycle(robot: &AnyRobot) -> Result<AnyPath, ExperimentError> {
    let home = robot.home();
    let axes = translation_axes(robot);
    let [across, .., up] = axes.as_slice() else {
        return Err(ExperimentError::NoWay { robot: robot.name().into() });
    };
    let [height, width] = PickAndPlace::ADEPT;
    let (middle, half) = (V3::from(home.position), *across * (0.5 * width));
    let path = PickAndPlace::new(middle - half, middle + half, *up * height, height)?;
    let [x, y, z] = home.rotation.map(V3::from);
    Ok(AnyPath::new(Turned { path, rotation: M3::from_rows(x, y, z) }))
}

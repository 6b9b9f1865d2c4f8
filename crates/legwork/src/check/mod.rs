//! The proof of a model: identities that any right model keeps, two or more
//! independent formulations, and comparison with golden files.

mod delta;
mod engine;
mod golden;
mod ledger;
mod scales;
mod states;

pub use golden::{GoldenComparison, GoldenError, check_golden, check_golden_unless, golden_mechanism};
pub use ledger::{Count, Finding};

use crate::AnyRobot;
use ledger::Ledger;
use states::Tally;

/// How many states [`check_robot`] judges unless told otherwise.
pub const DEFAULT_STATES: usize = 200;
/// The seed of its random states unless told otherwise.
pub const DEFAULT_SEED: u64 = crate::random::DEFAULT_SEED;

/// Checks a robot on random states of its workspace. The same seed visits the same states.
///
/// A rotary Delta is held against dual numbers and three other formulations; a
/// robot of the general engine against itself the other way round and against
/// derivatives by dual numbers; both against the same robot as plain chains of joints.
///
/// Places, speeds and forces are drawn in lengths, times and masses of the robot, so that the verdict does not depend
/// on units or on its size.
pub fn check_robot(robot: &AnyRobot, states: usize, seed: u64) -> CheckSummary {
    check_robot_watched(robot, states, seed, &mut |_| true)
}

/// Hears how many states were judged, and says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(usize) -> bool;

/// [`check_robot`], watched: it ends early when `watch` says so.
pub fn check_robot_watched(robot: &AnyRobot, states: usize, seed: u64, watch: Watch<'_>) -> CheckSummary {
    check_with(robot, states, seed, watch, Ledger::default())
}

fn check_with(robot: &AnyRobot, states: usize, seed: u64, watch: Watch<'_>, ledger: Ledger) -> CheckSummary {
    let (tally, ledger, skipped) = match robot.linkage() {
        Some(linkage) => delta::check_delta(robot, linkage, states, seed, watch, ledger),
        None => engine::check_engine(robot, states, seed, watch, ledger),
    };
    let Tally { judged, sampled, refused, failed, cancelled } = tally;
    let wanted = if cancelled { judged } else { states };
    CheckSummary {
        states: judged,
        wanted,
        cancelled,
        sampled,
        refused,
        failed,
        seed,
        findings: ledger.into_findings(),
        skipped,
    }
}

/// What a check gives before it is put together: the states, the findings, what could not be checked and why.
type Checked = (Tally, Ledger, Vec<(&'static str, &'static str)>);

/// What a check of a robot found.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckSummary {
    /// States that were judged.
    pub states: usize,
    /// States that should have been: fewer than asked for only if the check was ended early.
    pub wanted: usize,
    /// Whether the check was ended early.
    pub cancelled: bool,
    /// States that were drawn: those judged, refused and failed.
    pub sampled: usize,
    /// Why states were not judged that a right robot has too: out of reach, near a singularity.
    pub refused: Vec<Count>,
    /// Why states had no answer that should have had one.
    pub failed: Vec<Count>,
    /// The seed they came from.
    pub seed: u64,
    /// What was checked.
    pub findings: Vec<Finding>,
    /// What could not be checked, and why.
    pub skipped: Vec<(&'static str, &'static str)>,
}

impl CheckSummary {
    /// Whether the robot is proved: enough states could be judged, none failed, and everything that was checked holds.
    pub fn holds(&self) -> bool {
        self.is_judged()
            && self.failed.is_empty()
            && !self.findings.is_empty()
            && self.findings.iter().all(Finding::holds)
    }

    /// Whether as many states could be judged as were asked for, and at least one.
    pub fn is_judged(&self) -> bool {
        self.states > 0 && self.states >= self.wanted
    }
}

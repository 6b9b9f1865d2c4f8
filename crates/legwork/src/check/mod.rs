//! The proof of a model: identities that any right model keeps, two or more
//! independent formulations, and comparison with golden files.

mod delta;
mod engine;
mod golden;

pub use golden::{GoldenComparison, GoldenError, check_golden};

use crate::AnyRobot;

/// How many states [`check_robot`] visits unless told otherwise.
pub const DEFAULT_STATES: usize = 200;
/// The seed of its random states unless told otherwise.
pub const DEFAULT_SEED: u64 = crate::random::DEFAULT_SEED;

/// Checks a robot on random states of its workspace. The same seed visits the same states.
///
/// A rotary Delta is held against dual numbers and three other formulations; a
/// robot of the general engine against itself the other way round and against
/// differences in time.
pub fn check_robot(robot: &AnyRobot, states: usize, seed: u64) -> CheckSummary {
    check_robot_watched(robot, states, seed, &mut |_| true)
}

/// Hears how many states were visited, and says whether to go on.
pub type Watch<'a> = &'a mut dyn FnMut(usize) -> bool;

/// [`check_robot`], watched: it ends early when `watch` says so.
pub fn check_robot_watched(robot: &AnyRobot, states: usize, seed: u64, watch: Watch<'_>) -> CheckSummary {
    match robot.linkage() {
        Some(linkage) => delta::check_delta(robot, linkage, states, seed, watch),
        None => engine::check_engine(robot, states, seed, watch),
    }
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// What must hold.
    pub name: &'static str,
    /// Worst relative error over all states.
    pub worst: f64,
    /// Largest error that rounding explains.
    pub bar: f64,
}

impl Finding {
    /// Whether it holds. NaN does not.
    pub fn holds(&self) -> bool {
        self.worst <= self.bar
    }
}

/// What a check of a robot found.
#[derive(Clone, Debug, PartialEq)]
pub struct CheckSummary {
    /// States visited.
    pub states: usize,
    /// The seed they came from.
    pub seed: u64,
    /// What was checked.
    pub findings: Vec<Finding>,
    /// What could not be checked, and why.
    pub skipped: Vec<(&'static str, &'static str)>,
}

impl CheckSummary {
    /// Whether everything that was checked holds.
    pub fn holds(&self) -> bool {
        !self.findings.is_empty() && self.findings.iter().all(Finding::holds)
    }
}

/// Worst errors by name, in order of first appearance.
#[derive(Default)]
struct Ledger(Vec<Finding>);

impl Ledger {
    fn note(&mut self, name: &'static str, bar: f64, error: f64) {
        match self.0.iter_mut().find(|finding| finding.name == name) {
            Some(finding) if finding.worst.is_nan() => {}
            Some(finding) => finding.worst = if error.is_nan() { error } else { finding.worst.max(error) },
            None => self.0.push(Finding { name, worst: error, bar }),
        }
    }
}

/// Largest difference over the largest component of either; NaN if anything is NaN.
fn relative_error(found: &[f64], reference: &[f64]) -> f64 {
    relative_error_above(found, reference, 0.0)
}

/// The same, where components below `floor` are rounding of larger things: a
/// torque of 1e-17 N m is zero beside one of 10 N m.
fn relative_error_above(found: &[f64], reference: &[f64], floor: f64) -> f64 {
    if found.len() != reference.len() || found.iter().chain(reference).any(|x| !x.is_finite()) {
        return f64::NAN;
    }
    let scale = found.iter().chain(reference).fold(floor, |m, x| m.max(x.abs()));
    let worst = found.iter().zip(reference).fold(0.0_f64, |m, (f, r)| m.max((f - r).abs()));
    if worst == 0.0 { 0.0 } else { worst / scale }
}

//! The proof of a model, or the comparison with a golden file, as a request and a result.

use super::{Handle, RobotRequest, TaskError, number};
use crate::check::{
    Count, DEFAULT_SEED, DEFAULT_STATES, Finding, GoldenError, check_golden_unless, check_robot_watched,
};
use crate::summary::side_not_named;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// Checks a robot by identities on random states of its workspace; or compares a golden file with the robot in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckRequest {
    /// Which robot; not with `golden`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<RobotRequest>,
    /// A golden file, JSON; it brings its robot and its states. Default: none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub golden: Option<PathBuf>,
    /// How many random states. Default: 200.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// Seed of the random states. Default: 1998.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CheckResult {
    /// Name of the robot; absent if a golden file stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub robot: Option<String>,
    /// How many states were judged; absent if a golden file stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<usize>,
    /// How many random states were drawn: those judged, refused and failed; absent for a golden file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sampled: Option<usize>,
    /// Why random states were not judged that a right robot has too: out of reach, near a singularity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Vec<StateCount>>,
    /// Why random states had no answer that should have had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failed: Option<Vec<StateCount>>,
    /// The seed of random states; absent for a golden file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Whether enough states could be judged, none failed, and everything that was checked holds.
    pub holds: bool,
    /// Whether the check of a robot was cancelled before it had judged all states; absent if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub interrupted: bool,
    /// Why a golden file stopped before its end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What was checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub findings: Option<Vec<FindingResult>>,
    /// What could not be checked of a robot, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub skipped: Option<Vec<SkippedCheck>>,
    /// Quantities of the golden format that were not compared, and why.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_compared: Option<Vec<String>>,
    /// What the robot's file leaves open without being wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// One thing that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FindingResult {
    /// What must hold.
    pub name: String,
    /// Worst relative error over all states; null if it is no number.
    #[serde(with = "number::one")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<f64>"))]
    pub worst: f64,
    /// Largest error that rounding explains.
    pub bar: f64,
    /// In how many states it was judged.
    pub states: usize,
    /// Why it could not be judged in others; there it does not hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<StateCount>,
    /// Whether it holds.
    pub holds: bool,
}

/// A reason, and how many states it stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StateCount {
    /// Why.
    pub reason: String,
    /// How many states.
    pub states: usize,
}

fn counts(list: &[Count]) -> Vec<StateCount> {
    list.iter().map(|count| StateCount { reason: count.reason.clone(), states: count.states }).collect()
}

/// A check that could not be made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SkippedCheck {
    /// Which one.
    pub name: String,
    /// Why not.
    pub why: String,
}

fn findings(list: &[Finding]) -> Vec<FindingResult> {
    let one = |finding: &Finding| FindingResult {
        name: finding.name.into(),
        worst: finding.worst,
        bar: finding.bar,
        states: finding.states,
        failed: counts(&finding.failed),
        holds: finding.holds(),
    };
    list.iter().map(one).collect()
}

impl CheckRequest {
    /// A request about a robot, or about a golden file if the name ends in `.json`.
    pub fn about(what: &str) -> Self {
        if Path::new(what).extension().is_some_and(|end| end.eq_ignore_ascii_case("json")) {
            Self { golden: Some(what.into()), ..Self::default() }
        } else {
            Self { robot: Some(RobotRequest::named(what)), ..Self::default() }
        }
    }

    /// Checks. A check of a robot that is cancelled is given as far as it has come.
    pub fn run(&self, handle: &Handle<'_>) -> Result<CheckResult, TaskError> {
        match (&self.robot, &self.golden) {
            (Some(robot), None) => self.check_robot(robot, handle),
            (None, Some(path)) => self.check_golden(path, handle),
            (None, None) => Err(TaskError::request("a check is about a `robot` or a `golden` file")),
            (Some(_), Some(_)) => Err(TaskError::request(
                "`robot` and `golden` exclude each other: a golden file brings its robot",
            )),
        }
    }

    fn check_robot(&self, robot: &RobotRequest, handle: &Handle<'_>) -> Result<CheckResult, TaskError> {
        let robot = robot.open()?;
        let states = self.states.unwrap_or(DEFAULT_STATES);
        let mut watch = |visited: usize| {
            handle.report(visited as f64 / states.max(1) as f64, "");
            !handle.is_cancelled()
        };
        let found = check_robot_watched(&robot, states, self.seed.unwrap_or(DEFAULT_SEED), &mut watch);
        let skipped = |(name, why): &(&str, &str)| SkippedCheck { name: (*name).into(), why: (*why).into() };
        Ok(CheckResult {
            robot: Some(robot.name().into()),
            states: Some(found.states),
            sampled: Some(found.sampled),
            refused: Some(counts(&found.refused)),
            failed: Some(counts(&found.failed)),
            seed: Some(found.seed),
            holds: found.holds(),
            interrupted: found.cancelled,
            findings: Some(findings(&found.findings)),
            skipped: Some(found.skipped.iter().map(skipped).collect()),
            note: side_not_named(robot.joints()).map(str::to_owned),
            ..CheckResult::default()
        })
    }

    fn check_golden(&self, path: &Path, handle: &Handle<'_>) -> Result<CheckResult, TaskError> {
        if self.states.is_some() || self.seed.is_some() {
            let what = "`states` and `seed` are for robots: a golden file brings its states";
            return Err(TaskError::request(what).or("leave them out"));
        }
        match check_golden_unless(path, handle.cancel_flag()) {
            Ok(found) => Ok(CheckResult {
                robot: Some(found.robot.clone()),
                states: Some(found.states),
                holds: found.holds(),
                findings: Some(findings(&found.findings)),
                not_compared: Some(found.not_compared),
                ..CheckResult::default()
            }),
            Err(GoldenError::Cancelled) => {
                handle.go_on()?;
                Err(TaskError::Cancelled)
            }
            // The file is good; the robot did not get through it.
            Err(error @ GoldenError::Stopped { .. }) => {
                Ok(CheckResult { reason: Some(error.to_string()), ..CheckResult::default() })
            }
            Err(error) => Err(TaskError::Golden { path: path.display().to_string(), error: Box::new(error) }),
        }
    }
}

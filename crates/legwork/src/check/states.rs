//! Random states: drawn until enough of them could be judged, every one counted.

use super::Watch;
use super::ledger::{Count, count};
use crate::RobotError;
use crate::mechanism::MechanismError;
use legwork_core::engine::StateError;
use std::fmt;

/// States beyond the ones asked for that may be drawn, for each of them and in all.
const DRAWS_FOR_EACH: usize = 10;
const DRAWS_BESIDE: usize = 200;
/// After so many states the part that was refused is looked at: with more than half of them the next ones are drawn
/// closer to home.
const WINDOW: usize = 20;
const NEAREST: f64 = 1.0 / 64.0;

/// A state that is not judged.
pub(super) enum Unjudged {
    /// For a reason that a right robot has too: out of reach, near a singularity.
    Refused(String),
    /// For any other reason.
    Failed(String),
}

impl Unjudged {
    pub fn refused(reason: impl fmt::Display) -> Self {
        Self::Refused(reason.to_string())
    }
}

/// A robot has no answer where it does not reach and where it is singular; any other error is one of the model.
impl From<RobotError> for Unjudged {
    fn from(error: RobotError) -> Self {
        match error {
            RobotError::State(StateError::Unreachable { .. }) => Self::refused("out of reach"),
            RobotError::State(StateError::BranchEnds { .. }) => {
                Self::refused("a branch of a leg ends on the way there")
            }
            RobotError::State(StateError::SingularLeg { .. }) => Self::refused(NEAR_SERIAL),
            RobotError::State(StateError::Singular { .. }) => Self::refused(NEAR_PARALLEL),
            RobotError::MechanismState(fault) => match *fault {
                MechanismError::EndOfBranch { .. } | MechanismError::EndOfReach { .. } => {
                    Self::refused("out of reach")
                }
                MechanismError::Coordinates { .. } => Self::refused(NEAR_SERIAL),
                MechanismError::Singular { .. } => Self::refused(NEAR_PARALLEL),
                other => Self::Failed(other.to_string()),
            },
            other => Self::Failed(other.to_string()),
        }
    }
}

/// Why a state is left out.
pub(super) const NEAR_SERIAL: &str = "a leg is nearly stretched, folded or along its own axis";
/// Why a state is left out.
pub(super) const NEAR_SERIAL_ON_THE_WAY: &str = "on the way from home a leg passes its own axis";
/// Why a state is left out.
pub(super) const NEAR_PARALLEL: &str = "near a parallel singularity";

/// What became of the states.
#[derive(Default)]
pub(super) struct Tally {
    pub judged: usize,
    pub sampled: usize,
    pub refused: Vec<Count>,
    pub failed: Vec<Count>,
    /// Whether the caller ended it.
    pub cancelled: bool,
}

/// Draws states, up to a part of the usual distance from home, and judges them until there are as many as asked for.
pub(super) fn visit<S>(
    states: usize,
    watch: Watch<'_>,
    mut draw: impl FnMut(f64) -> Result<S, Unjudged>,
    mut judge: impl FnMut(S),
) -> Tally {
    let mut tally = Tally::default();
    let (mut spread, mut missed) = (1.0_f64, 0);
    let most = states.saturating_mul(DRAWS_FOR_EACH).saturating_add(DRAWS_BESIDE);
    while tally.judged < states && tally.sampled < most {
        if !watch(tally.judged) {
            tally.cancelled = true;
            break;
        }
        tally.sampled += 1;
        match draw(spread) {
            Ok(state) => {
                tally.judged += 1;
                judge(state);
            }
            Err(Unjudged::Refused(reason)) => {
                missed += 1;
                count(&mut tally.refused, reason);
            }
            Err(Unjudged::Failed(reason)) => count(&mut tally.failed, reason),
        }
        if tally.sampled % WINDOW == 0 {
            if 2 * missed > WINDOW {
                spread = (spread / 2.0).max(NEAREST);
            }
            missed = 0;
        }
    }
    tally
}

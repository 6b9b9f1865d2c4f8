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

#[cfg(test)]
mod tests {
    use super::*;

    /// States of which each is refused, fails or is judged as its number says, and the distance that each was drawn at.
    fn visited(states: usize, outcome: impl Fn(usize) -> Option<Unjudged>) -> (Tally, Vec<f64>) {
        let mut spreads = Vec::new();
        let draw = |spread: f64| {
            spreads.push(spread);
            outcome(spreads.len()).map_or(Ok(()), Err)
        };
        let tally = visit(states, &mut |_| true, draw, |()| ());
        (tally, spreads)
    }

    fn refused() -> Unjudged {
        Unjudged::refused("out of reach")
    }

    #[test]
    fn a_robot_that_reaches_nothing_is_tried_ever_closer_to_home_and_given_up() {
        let (tally, spreads) = visited(3, |_| Some(refused()));
        assert_eq!((tally.judged, tally.sampled, tally.cancelled), (0, 230, false));
        assert_eq!(tally.refused, [Count { reason: "out of reach".into(), states: 230 }]);
        let by_window: Vec<f64> = spreads.iter().step_by(WINDOW).copied().collect();
        let halves: Vec<f64> = (0..12).map(|k| NEAREST.max(0.5_f64.powi(k))).collect();
        assert_eq!(by_window, halves);
        assert_eq!((spreads[19], spreads[20]), (1.0, 0.5));
    }

    #[test]
    fn only_more_than_half_refused_brings_states_closer() {
        let (tally, spreads) = visited(30, |n| (n % 2 == 0).then(refused));
        assert_eq!((tally.judged, tally.sampled, tally.refused[0].states), (30, 59, 29));
        assert!(spreads.iter().all(|spread| *spread == 1.0));
        // Eleven of the first twenty; what was refused before is not counted again.
        let (_, spreads) = visited(60, |n| (n <= 11).then(refused));
        assert!(spreads[..20].iter().all(|spread| *spread == 1.0) && spreads[20..].iter().all(|s| *s == 0.5));
        // A state that fails is not one that is out of reach.
        let (tally, spreads) = visited(1, |_| Some(Unjudged::Failed("no number".into())));
        assert_eq!((tally.failed[0].states, tally.refused.len()), (210, 0));
        assert!(spreads.iter().all(|spread| *spread == 1.0));
    }

    #[test]
    fn a_visit_ends_when_it_is_told_to() {
        let mut judged = 0;
        let tally = visit(9, &mut |done| done < 4, |_| Ok(()), |()| judged += 1);
        assert_eq!((tally.judged, tally.sampled, tally.cancelled, judged), (4, 4, true, 4));
    }
}

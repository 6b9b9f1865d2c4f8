//! How a run ended, in a result.

use super::choice::choices;
use crate::sim::Ending;
use crate::text::short;
use legwork_core::integrate::Halt;
use legwork_core::motion::Fault;

choices! {
    /// How a run ended.
    EndingKind {
        Completed = "completed": "At its end",
        Stopped = "stopped": "The robot or the controller could not go on",
        Interrupted = "interrupted": "The caller cancelled",
    }
}

impl EndingKind {
    pub(super) fn of(ending: &Ending) -> Self {
        match ending {
            Ending::Completed => Self::Completed,
            Ending::Stopped { .. } | Ending::ControllerFailed { .. } => Self::Stopped,
            Ending::Interrupted { .. } => Self::Interrupted,
        }
    }
}

/// Why a run stopped, if it did.
pub(super) fn reason(ending: &Ending) -> Option<String> {
    match ending {
        Ending::Stopped { reason, .. } => Some(with_way_out(reason)),
        Ending::ControllerFailed { fault, .. } => Some(fault.to_string()),
        Ending::Completed | Ending::Interrupted { .. } => None,
    }
}

/// "at its end", or why not.
pub(super) fn words(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "at its end".into(),
        Ending::Stopped { time, reason } => {
            format!("stopped at {} s: {}", short(*time), with_way_out(reason))
        }
        Ending::ControllerFailed { time, fault } => format!("stopped at {} s: {fault}", short(*time)),
        Ending::Interrupted { time } => format!("interrupted at {} s", short(*time)),
    }
}

/// Why an integrator stopped, and what to do where the mathematics and not the robot is the reason.
fn with_way_out(reason: &Halt<Fault>) -> String {
    let way_out = match reason {
        Halt::Stiff { .. } => "take `integrator` stiff, less friction or softer stops",
        Halt::TooSlow { .. } | Halt::TooManySteps { .. } => {
            "take a larger `tolerance` or `step`, a shorter `duration` or a softer plant"
        }
        Halt::TimeStandsStill { .. } => "take a longer `step` or a shorter `duration`",
        _ => return reason.to_string(),
    };
    format!("{reason}; {way_out}")
}

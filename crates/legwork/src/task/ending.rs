//! How a run ended, in a result.

use super::choice::choices;
use crate::sim::Ending;
use crate::text::short;

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
        Ending::Stopped { reason, .. } => Some(reason.to_string()),
        Ending::ControllerFailed { fault, .. } => Some(fault.to_string()),
        Ending::Completed | Ending::Interrupted { .. } => None,
    }
}

/// "at its end", or why not.
pub(super) fn words(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "at its end".into(),
        Ending::Stopped { time, reason } => format!("stopped at {} s: {reason}", short(*time)),
        Ending::ControllerFailed { time, fault } => format!("stopped at {} s: {fault}", short(*time)),
        Ending::Interrupted { time } => format!("interrupted at {} s", short(*time)),
    }
}

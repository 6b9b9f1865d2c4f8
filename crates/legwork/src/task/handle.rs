//! How a caller follows a task and ends it early.

use std::sync::atomic::{AtomicBool, Ordering};

/// How far a task has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress<'a> {
    /// Share that is done, from 0 to 1.
    pub done: f64,
    /// What is going on: the regulator that runs, the file that is written. May be empty.
    pub what: &'a str,
}

/// A caller's hold on a task: it hears of progress and may cancel. The default hears nothing and never cancels.
#[derive(Clone, Copy, Default)]
pub struct Handle<'a> {
    listener: Option<&'a (dyn Fn(Progress<'_>) + Sync)>,
    cancelled: Option<&'a AtomicBool>,
}

impl<'a> Handle<'a> {
    /// Hears nothing, never cancels.
    pub fn none() -> Self {
        Self::default()
    }

    /// The same, told of progress. It may be called from several threads.
    #[must_use]
    pub fn with_progress(self, listener: &'a (dyn Fn(Progress<'_>) + Sync)) -> Self {
        Self { listener: Some(listener), ..self }
    }

    /// The same, cancelled when this becomes true.
    #[must_use]
    pub fn cancelled_by(self, flag: &'a AtomicBool) -> Self {
        Self { cancelled: Some(flag), ..self }
    }

    /// Whether the caller wants the task to end.
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.is_some_and(|flag| flag.load(Ordering::Relaxed))
    }

    /// The flag that cancels, for work that watches it itself.
    pub fn cancel_flag(&self) -> Option<&'a AtomicBool> {
        self.cancelled
    }

    /// Tells the caller how far the task is.
    pub fn report(&self, done: f64, what: &str) {
        if let Some(listener) = self.listener {
            listener(Progress { done: done.clamp(0.0, 1.0), what });
        }
    }
}

impl std::fmt::Debug for Handle<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Handle")
            .field("listens", &self.listener.is_some())
            .field("cancelled", &self.is_cancelled())
            .finish()
    }
}

//! Ctrl-C during a run.

use crate::INTERRUPTED;
use crate::failure::Failure;
use signal_hook::consts::SIGINT;
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A flag that Ctrl-C sets; a second Ctrl-C ends the program at once.
pub fn watch() -> Result<Arc<AtomicBool>, Failure> {
    let pressed = Arc::new(AtomicBool::new(false));
    // In this order: the first one finds the flag not set yet.
    flag::register_conditional_shutdown(SIGINT, INTERRUPTED.into(), Arc::clone(&pressed))?;
    flag::register(SIGINT, Arc::clone(&pressed))?;
    Ok(pressed)
}

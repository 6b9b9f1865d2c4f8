//! Signals that end a run: Ctrl-C (SIGINT), SIGTERM and SIGHUP.

use crate::failure::{Failure, print_to_stderr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

/// A shell counts a program that was ended by the signal n as 128 + n.
const OFFSET: usize = 128;
/// A task that has not noticed a signal in this time is in the middle of something long: the program ends without it.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the flags are looked at.
const PAUSE: Duration = Duration::from_millis(20);

/// The signal that came; 0 before one came.
static CAME: OnceLock<Arc<AtomicUsize>> = OnceLock::new();

/// Whether a signal has come, and whether the task has noticed it.
#[derive(Default)]
pub struct Watch {
    pub came: Arc<AtomicBool>,
    pub noticed: Arc<AtomicBool>,
}

/// Watches for signals. The first one tells the task to end, the second ends the program at once; so does the first
/// if the task does not notice it.
pub fn watch() -> Result<Watch, Failure> {
    let watch = Watch::default();
    let signal = CAME.get_or_init(Arc::default);
    for kind in [SIGINT, SIGTERM, SIGHUP] {
        let number = usize::try_from(kind).unwrap_or_default();
        // In this order: the first one finds the flag not set yet.
        flag::register_conditional_shutdown(kind, kind.saturating_add(128), Arc::clone(&watch.came))?;
        flag::register_usize(kind, Arc::clone(signal), number)?;
        flag::register(kind, Arc::clone(&watch.came))?;
    }
    let (came, noticed) = (Arc::clone(&watch.came), Arc::clone(&watch.noticed));
    // Without this thread, a task that does not look ends with the second signal only.
    let _ = thread::Builder::new().name("signals".into()).spawn(move || end_if_unnoticed(&came, &noticed));
    Ok(watch)
}

fn end_if_unnoticed(came: &AtomicBool, noticed: &AtomicBool) {
    while !came.load(Ordering::Relaxed) {
        thread::sleep(PAUSE);
    }
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        if noticed.load(Ordering::Relaxed) {
            return;
        }
        thread::sleep(PAUSE);
    }
    print_to_stderr(
        "interrupted in the middle of a step; a recording under way is kept up to its last block: \
         `legwork recover FILE` makes it readable for every program",
    );
    std::process::exit(i32::from(exit_code()));
}

/// The exit code of a program that a signal ended.
pub fn exit_code() -> u8 {
    let signal = CAME.get().map_or(0, |signal| signal.load(Ordering::Relaxed));
    let signal = if signal == 0 { usize::try_from(SIGINT).unwrap_or_default() } else { signal };
    u8::try_from(OFFSET + signal).unwrap_or(u8::MAX)
}

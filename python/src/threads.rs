//! Threads of the process that asks. Those that were made before a fork, as `multiprocessing` does it, are not there in the child, and
//! to wait for them would never end.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::process;
use std::sync::{Mutex, OnceLock};

/// The process that loaded the package: its batches and tasks run on the threads that rayon makes by itself.
static FIRST: OnceLock<u32> = OnceLock::new();

/// The threads of a forked process, and which one it is.
static FORKED: Mutex<Option<(u32, &'static ThreadPool)>> = Mutex::new(None);

/// Called when the package is loaded.
pub fn remember() {
    FIRST.get_or_init(process::id);
}

/// Does work that may ask for rayon's threads, where there are some.
pub fn within<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    match FIRST.get() {
        Some(first) if *first != process::id() => match pool() {
            Some(pool) => pool.install(work),
            None => work(),
        },
        _ => work(),
    }
}

/// The threads of this process, made when they are first asked for.
fn pool() -> Option<&'static ThreadPool> {
    let make = || ThreadPoolBuilder::new().build().ok().map(|pool| &*Box::leak(Box::new(pool)));
    // Held by another thread while the process was forked, it is never given back.
    let Ok(mut known) = FORKED.try_lock() else { return make() };
    match *known {
        Some((owner, pool)) if owner == process::id() => Some(pool),
        _ => {
            let made = make()?;
            *known = Some((process::id(), made));
            Some(made)
        }
    }
}

//! Work on all cores: a list is filled block by block, and nobody's number depends on who fills it.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Calls `work` with every block of a list and the place of its first item, on `threads` threads (0: one per
/// core), until the flag is set.
pub(super) fn blocks<T: Send>(
    items: &mut [T],
    block: usize,
    threads: usize,
    stop: Option<&AtomicBool>,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let cores = || thread::available_parallelism().map_or(1, NonZero::get);
    let threads = if threads == 0 { cores() } else { threads };
    let threads = threads.min(items.len().div_ceil(block)).max(1);
    let rest = Mutex::new(items.chunks_mut(block).enumerate());
    let take = || rest.lock().ok().and_then(|mut rest| rest.next());
    let run = || {
        while !stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
            && let Some((number, items)) = take()
        {
            work(number * block, items);
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads {
            scope.spawn(run);
        }
        run();
    });
}

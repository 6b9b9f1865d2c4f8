//! Work on all cores: a list is filled block by block, and no number depends on which thread fills it.

use rayon::ThreadPoolBuilder;
use rayon::iter::{ParallelBridge, ParallelIterator};
use std::sync::atomic::{AtomicBool, Ordering};

/// Calls `work` with every block of a list and the place of its first item, on `threads` threads (0: one per
/// core), until the flag is set. Blocks begin in order, so what is done when the flag is set is a beginning of the
/// list, but for the blocks under way. Where no threads can be made, the caller's does it all.
pub(super) fn blocks<T: Send>(
    items: &mut [T],
    block: usize,
    threads: usize,
    stop: Option<&AtomicBool>,
    work: impl Fn(usize, &mut [T]) + Sync,
) {
    let is_on = |_: &(usize, &mut [T])| !stop.is_some_and(|stop| stop.load(Ordering::Relaxed));
    let blocks = items.chunks_mut(block).enumerate().take_while(is_on);
    let one = |(number, items): (usize, &mut [T])| work(number * block, items);
    let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
    match threads {
        0 => blocks.par_bridge().for_each(one),
        1 => blocks.for_each(one),
        _ => match pool() {
            Ok(pool) => pool.install(|| blocks.par_bridge().for_each(one)),
            Err(_) => blocks.for_each(one),
        },
    }
}

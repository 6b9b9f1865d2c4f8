//! How the states of a batch are handed out to threads and blocks.

use super::block::{Block, Lane, Padded, WIDTH};
use super::kernels::upright;
use super::{BatchStates, StateMark};
use crate::robot::{PlatformState, RobotError};
use rayon::ThreadPoolBuilder;
use std::array::from_fn;
use std::ops::Range;

/// The lists that a batch fills, each with so many numbers per state, and the marks.
pub(super) struct Lists<'a, const M: usize> {
    numbers: [&'a mut [f64]; M],
    widths: [usize; M],
    marks: &'a mut [StateMark],
}

impl<'a, const M: usize> Lists<'a, M> {
    /// Lists of `count` states with their names and numbers per state.
    pub(super) fn new(
        count: usize,
        named: [(&'static str, &'a mut [f64], usize); M],
        marks: &'a mut [StateMark],
    ) -> Result<Self, RobotError> {
        for (what, list, width) in &named {
            let (expected, found) = (count * width, list.len());
            if found != expected {
                return Err(RobotError::Count { what, expected, found });
            }
        }
        if marks.len() != count {
            return Err(RobotError::Count { what: "marks", expected: count, found: marks.len() });
        }
        let widths = named.each_ref().map(|(_, _, width)| *width);
        Ok(Self { numbers: named.map(|(_, list, _)| list), widths, marks })
    }

    /// The first `states` and the others.
    fn split(self, states: usize) -> (Self, Self) {
        let Self { numbers, widths, marks } = self;
        let (marks, later) = marks.split_at_mut(states);
        let mut tails: [&'a mut [f64]; M] = from_fn(|_| Default::default());
        let mut rest = tails.iter_mut().zip(widths);
        let heads = numbers.map(|list| match rest.next() {
            Some((slot, width)) => {
                let (head, tail) = list.split_at_mut(states * width);
                *slot = tail;
                head
            }
            None => list,
        });
        (Self { numbers: heads, widths, marks }, Self { numbers: tails, widths, marks: later })
    }

    /// The numbers of `count` states from `first` on.
    fn part(&mut self, first: usize, count: usize) -> [&mut [f64]; M] {
        let mut widths = self.widths.iter();
        self.numbers.each_mut().map(|list| {
            let width = widths.next().copied().unwrap_or(0);
            list.get_mut(first * width..(first + count) * width).unwrap_or_default()
        })
    }

    /// Calls `work` with the number of the first state and the lists of at most `grain` states, on `threads`
    /// threads (0: one per core). Returns the sum of what it returns.
    pub(super) fn spread(
        self,
        threads: usize,
        grain: usize,
        work: &(impl Fn(usize, Self) -> usize + Sync),
    ) -> usize {
        let pool = || ThreadPoolBuilder::new().num_threads(threads).build();
        match threads {
            _ if threads == 1 || self.marks.len() <= grain => work(0, self),
            0 => self.halved(0, grain, work),
            _ => match pool() {
                Ok(pool) => pool.install(|| self.halved(0, grain, work)),
                Err(_) => work(0, self),
            },
        }
    }

    fn halved(self, first: usize, grain: usize, work: &(impl Fn(usize, Self) -> usize + Sync)) -> usize {
        let count = self.marks.len();
        if count <= grain {
            return work(first, self);
        }
        let half = (count / 2).next_multiple_of(WIDTH).min(count);
        let (head, tail) = self.split(half);
        let (a, b) =
            rayon::join(|| head.halved(first, grain, work), || tail.halved(first + half, grain, work));
        a + b
    }

    /// Marks state number `i` of these lists, counts it if it has an answer, and spoils its numbers if not.
    fn mark(&mut self, i: usize, answer: &Result<(), RobotError>) -> usize {
        let mark = match answer {
            Ok(()) => StateMark::Answered,
            Err(error) => {
                self.part(i, 1).into_iter().for_each(|list| list.fill(f64::NAN));
                error.mark()
            }
        };
        if let Some(slot) = self.marks.get_mut(i) {
            *slot = mark;
        }
        usize::from(answer.is_ok())
    }
}

/// Asks about one state after the other. `one` gets the number of the state, the state and its part of the lists.
pub(super) fn one_by_one<const M: usize>(
    states: &BatchStates<'_>,
    first: usize,
    mut lists: Lists<'_, M>,
    one: &impl Fn(usize, &PlatformState, [&mut [f64]; M]) -> Result<(), RobotError>,
) -> usize {
    let mut answered = 0;
    for i in 0..lists.marks.len() {
        let answer = one(first + i, &states.get(first + i), lists.part(i, 1));
        answered += lists.mark(i, &answer);
    }
    answered
}

/// What a platform can do.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Moves {
    /// It is never turned and never turns.
    Straight,
    /// It has all freedoms.
    Freely,
}

/// Asks about blocks of states. `kernel` gets the block, the numbers of its states, their part of the lists and a
/// flag for each; what it is not sure of goes to `one`.
pub(super) fn in_blocks<const M: usize>(
    states: &BatchStates<'_>,
    first: usize,
    mut lists: Lists<'_, M>,
    moves: Moves,
    one: &impl Fn(usize, &PlatformState, [&mut [f64]; M]) -> Result<(), RobotError>,
    mut kernel: impl FnMut(&Block<'_>, Range<usize>, [&mut [f64]; M], &mut Lane),
) -> usize {
    let mut padded = Padded::new();
    let mut answered = 0;
    let all = lists.marks.len();
    for start in (0..all).step_by(WIDTH) {
        let count = WIDTH.min(all - start);
        let (mut good, mut straight) = ([0.0; WIDTH], [1.0; WIDTH]);
        let block = padded.block(states, first + start, count);
        if moves == Moves::Straight && block.are_turned {
            upright(block.rotations, &mut straight);
        }
        let numbers = first + start..first + start + count;
        kernel(&block, numbers, lists.part(start, count), &mut good);
        let sure = good.iter().zip(&straight).map(|(a, b)| u32::from(a * b == 1.0)).sum::<u32>();
        if sure as usize == WIDTH {
            let marks = lists.marks.get_mut(start..start + count).unwrap_or_default();
            marks.fill(StateMark::Answered);
            answered += count;
            continue;
        }
        for (i, (good, straight)) in (start..start + count).zip(good.iter().zip(straight)) {
            answered += if good * straight == 1.0 {
                lists.mark(i, &Ok(()))
            } else {
                let answer = one(first + i, &states.get(first + i), lists.part(i, 1));
                lists.mark(i, &answer)
            };
        }
    }
    answered
}

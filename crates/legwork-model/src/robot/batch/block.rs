//! A block of states, in the caller's memory where it is full: arrays whose length the compiler knows, so that it
//! makes vectors of a loop over the states.

use super::BatchStates;
use legwork_core::engine::{Pose, Twist, Wrench};
use legwork_core::{M3, V3};

/// States in a block.
pub(super) const WIDTH: usize = 32;

/// A number for each state of a block.
pub(super) type Lane = [f64; WIDTH];

/// C numbers for each state of a block.
pub(super) type Rows<const C: usize> = [[f64; C]; WIDTH];

pub(super) static UPRIGHT: Rows<9> = [[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]; WIDTH];
pub(super) static NOTHING: Rows<6> = [[0.0; 6]; WIDTH];

/// The states of a block.
#[derive(Clone, Copy)]
pub(super) struct Block<'a> {
    pub positions: &'a Rows<3>,
    pub rotations: &'a Rows<9>,
    pub twists: &'a Rows<6>,
    pub accelerations: &'a Rows<6>,
    pub wrenches: &'a Rows<6>,
    /// Whether rotations are given, so that they have to be looked at.
    pub are_turned: bool,
}

/// Room for the last block of a batch, filled up with its first state.
pub(super) struct Padded {
    pub positions: Rows<3>,
    pub rotations: Rows<9>,
    pub twists: Rows<6>,
    pub accelerations: Rows<6>,
    pub wrenches: Rows<6>,
}

impl Padded {
    pub(super) fn new() -> Self {
        Self {
            positions: [[0.0; 3]; WIDTH],
            rotations: UPRIGHT,
            twists: NOTHING,
            accelerations: NOTHING,
            wrenches: NOTHING,
        }
    }

    /// `count` states from number `first` on.
    pub(super) fn block<'a>(&'a mut self, states: &BatchStates<'a>, first: usize, count: usize) -> Block<'a> {
        let states = match states {
            BatchStates::Lists(states) => states,
            BatchStates::Rows(rows) => return rows.block(self, first, count),
        };
        let six = |list: Option<&'a [f64]>, room: &'a mut Rows<6>| {
            list.map_or(&NOTHING, |list| rows(list, first, count, room))
        };
        Block {
            positions: rows(states.positions, first, count, &mut self.positions),
            rotations: match states.rotations {
                Some(list) => rows(list, first, count, &mut self.rotations),
                None => &UPRIGHT,
            },
            twists: six(states.twists, &mut self.twists),
            accelerations: six(states.accelerations, &mut self.accelerations),
            wrenches: six(states.wrenches, &mut self.wrenches),
            are_turned: states.rotations.is_some(),
        }
    }
}

/// The numbers of `count` states from number `first` on: where they are, or in a room that is filled up.
pub(super) fn rows<'a, const C: usize>(
    list: &'a [f64],
    first: usize,
    count: usize,
    room: &'a mut Rows<C>,
) -> &'a Rows<C> {
    let (states, _) = list.as_chunks::<C>();
    let states = states.get(first..first + count).unwrap_or_default();
    if let Ok(full) = <&Rows<C>>::try_from(states) {
        return full;
    }
    *room = [states.first().copied().unwrap_or([f64::NAN; C]); WIDTH];
    room.iter_mut().zip(states).for_each(|(slot, state)| *slot = *state);
    room
}

/// Lets `work` write the numbers of a block: where they are to stand, or into a room, and then the first of them.
pub(super) fn write<const C: usize>(list: &mut [f64], work: impl FnOnce(&mut Rows<C>)) {
    let (states, _) = list.as_chunks_mut::<C>();
    if let Ok(full) = <&mut Rows<C>>::try_from(&mut *states) {
        work(full);
        return;
    }
    let mut room = [[0.0; C]; WIDTH];
    work(&mut room);
    states.iter_mut().zip(room).for_each(|(slot, state)| *slot = state);
}

/// Three numbers of a state.
#[inline(always)]
pub(super) fn vector<const C: usize>(numbers: &[f64; C], first: usize) -> V3<f64> {
    V3::new(numbers[first], numbers[first + 1], numbers[first + 2])
}

#[inline(always)]
pub(super) fn twist(numbers: &[f64; 6]) -> Twist<f64> {
    Twist::new(vector(numbers, 0), vector(numbers, 3))
}

#[inline(always)]
pub(super) fn wrench(numbers: &[f64; 6]) -> Wrench<f64> {
    Wrench::new(vector(numbers, 0), vector(numbers, 3))
}

#[inline(always)]
pub(super) fn pose(position: &[f64; 3], rotation: &[f64; 9]) -> Pose<f64> {
    Pose::new(
        M3::from_rows(vector(rotation, 0), vector(rotation, 3), vector(rotation, 6)),
        vector(position, 0),
    )
}

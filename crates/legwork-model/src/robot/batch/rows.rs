//! States as rows of the numbers that a robot can have, read where they are.

use super::block::{Block, NOTHING, Padded, Rows, UPRIGHT, WIDTH, rows};
use crate::robot::PlatformState;
use crate::rotation::{self, Matrix};

/// Which numbers of a whole the numbers of a row are, in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Places {
    at: [usize; 6],
    count: usize,
}

impl Places {
    /// From the place of each number; six at most, each below six.
    pub fn new(places: impl IntoIterator<Item = usize>) -> Self {
        let mut found = Self::default();
        for (slot, place) in found.at.iter_mut().zip(places) {
            *slot = place.min(5);
            found.count += 1;
        }
        found
    }

    /// How many numbers a row has.
    pub fn count(&self) -> usize {
        self.count
    }

    fn at(&self) -> &[usize] {
        self.at.get(..self.count).unwrap_or_default()
    }

    /// Whether they are the first numbers of the whole, in its order.
    fn are_first(&self) -> bool {
        self.at().iter().enumerate().all(|(number, place)| number == *place)
    }

    /// The numbers of a row at their places.
    #[inline]
    pub(crate) fn put<const C: usize>(&self, row: &[f64], whole: &mut [f64; C]) {
        for (place, value) in self.at().iter().zip(row) {
            if let Some(slot) = whole.get_mut(*place) {
                *slot = *value;
            }
        }
    }
}

/// The angles that stand behind the position in the row of a pose.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RowAngles {
    /// None: the platform is at its zero orientation.
    #[default]
    None,
    /// One, about this coordinate of the base, from the zero orientation.
    About(usize),
    /// Roll, pitch and yaw.
    RollPitchYaw,
}

impl RowAngles {
    /// The orientation that they stand for; `zero` is that of angles 0, and of none.
    #[inline]
    pub(crate) fn rotation(self, angles: &[f64], zero: &Matrix) -> Matrix {
        match (self, angles) {
            (Self::About(axis), [angle]) => {
                rotation::product(&rotation::about_coordinate(axis, *angle), zero)
            }
            (Self::RollPitchYaw, [roll, pitch, yaw]) => rotation::from_roll_pitch_yaw([*roll, *pitch, *yaw]),
            _ => *zero,
        }
    }
}

/// What the numbers of a row are; [`CoordinateSchema::row_layout`](crate::coordinates::CoordinateSchema::row_layout) makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowLayout {
    /// The coordinates of the platform point of which a row says nothing \[m\].
    pub home: [f64; 3],
    /// The orientation that all angles 0 stand for.
    pub zero: Matrix,
    /// The first numbers of a pose.
    pub position: Places,
    /// Those behind them.
    pub angles: RowAngles,
    /// Numbers of a velocity, in a twist.
    pub velocity: Places,
    /// Of an acceleration.
    pub acceleration: Places,
    /// Of a wrench.
    pub wrench: Places,
}

impl RowLayout {
    /// Numbers in the row of a pose.
    pub fn pose_count(&self) -> usize {
        let angles = match self.angles {
            RowAngles::None => 0,
            RowAngles::About(_) => 1,
            RowAngles::RollPitchYaw => 3,
        };
        self.position.count() + angles
    }

    /// The position in the row of a pose.
    pub(crate) fn position(&self, pose: &[f64]) -> [f64; 3] {
        let mut position = self.home;
        self.position.put(pose, &mut position);
        position
    }

    /// The orientation in the row of a pose.
    #[inline]
    pub(crate) fn rotation(&self, pose: &[f64]) -> Matrix {
        self.angles.rotation(pose.get(self.position.count()..).unwrap_or_default(), &self.zero)
    }
}

/// Rows of numbers, one after the other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RowList<'a> {
    /// A row for each state.
    Each(&'a [f64]),
    /// One row for all of them.
    Same(&'a [f64]),
}

impl<'a> RowList<'a> {
    fn row(self, number: usize, width: usize) -> &'a [f64] {
        match self {
            Self::Each(all) => all.get(number * width..(number + 1) * width).unwrap_or_default(),
            Self::Same(row) => row,
        }
    }
}

/// States of a platform as rows of the numbers that the robot can have: a pose is a position and angles. What is not
/// given is no motion, no wrench.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StateRows<'a> {
    /// What the numbers are.
    pub layout: RowLayout,
    /// How many states.
    pub count: usize,
    /// Where the platform is.
    pub poses: RowList<'a>,
    /// Its velocities.
    pub velocities: Option<RowList<'a>>,
    /// Its accelerations.
    pub accelerations: Option<RowList<'a>>,
    /// What pulls at it.
    pub wrenches: Option<RowList<'a>>,
}

impl<'a> StateRows<'a> {
    /// The lists with their names and the numbers in a row, as far as they are given.
    fn lists(&self) -> [(&'static str, Option<RowList<'a>>, &Places); 3] {
        [
            ("velocities", self.velocities, &self.layout.velocity),
            ("accelerations", self.accelerations, &self.layout.acceleration),
            ("wrenches", self.wrenches, &self.layout.wrench),
        ]
    }

    /// The list that has another number of numbers than the layout says: its name, the number it should have, its own.
    pub(super) fn wrong_list(&self) -> Option<(&'static str, usize, usize)> {
        let pose = ("poses", Some(self.poses), self.layout.pose_count());
        let others = self.lists().map(|(what, list, places)| (what, list, places.count()));
        let mut all = std::iter::once(pose).chain(others);
        all.find_map(|(what, list, width)| {
            let (expected, found) = match list? {
                RowList::Each(all) => (self.count * width, all.len()),
                RowList::Same(row) => (width, row.len()),
            };
            (expected != found).then_some((what, expected, found))
        })
    }

    /// One of them.
    pub fn get(&self, number: usize) -> PlatformState {
        let pose = self.poses.row(number, self.layout.pose_count());
        let mut state = PlatformState::at(self.layout.position(pose)).turned(self.layout.rotation(pose));
        let wholes = [&mut state.twist, &mut state.acceleration, &mut state.wrench];
        for ((_, list, places), whole) in self.lists().into_iter().zip(wholes) {
            if let Some(list) = list {
                places.put(list.row(number, places.count()), whole);
            }
        }
        state
    }

    /// `count` states from number `first` on: where they are, or in a room.
    pub(super) fn block<'r>(&self, padded: &'r mut Padded, first: usize, count: usize) -> Block<'r>
    where
        'a: 'r,
    {
        let Padded { positions, rotations, twists, accelerations, wrenches } = padded;
        let layout = &self.layout;
        let width = layout.pose_count();
        let poses = Part { list: self.poses, width, first, count };
        let are_turned = layout.angles != RowAngles::None || layout.zero != rotation::IDENTITY;
        if are_turned {
            for (i, slot) in rotations.iter_mut().enumerate() {
                *slot = flat(&layout.rotation(poses.row(i)));
            }
        }
        let six = |number: usize, room: &'r mut Rows<6>| {
            let (_, list, places) = self.lists()[number];
            list.map_or(&NOTHING, |list| {
                Part { list, width: places.count(), first, count }.whole(places, [0.0; 6], room)
            })
        };
        Block {
            positions: poses.whole(&layout.position, layout.home, positions),
            rotations: if are_turned { rotations } else { &UPRIGHT },
            twists: six(0, twists),
            accelerations: six(1, accelerations),
            wrenches: six(2, wrenches),
            are_turned,
        }
    }
}

fn flat(matrix: &Matrix) -> [f64; 9] {
    let [[a, b, c], [d, e, f], [g, h, i]] = *matrix;
    [a, b, c, d, e, f, g, h, i]
}

/// The rows of the states of a block; those that are missing are the first again.
struct Part<'a> {
    list: RowList<'a>,
    width: usize,
    first: usize,
    count: usize,
}

impl<'a> Part<'a> {
    #[inline]
    fn row(&self, number: usize) -> &'a [f64] {
        let number = if number < self.count { number } else { 0 };
        self.list.row(self.first + number, self.width)
    }

    /// The numbers of each state at their places: where they are if they are all there, else in the room.
    fn whole<'r, const C: usize>(
        &self,
        places: &Places,
        others: [f64; C],
        room: &'r mut Rows<C>,
    ) -> &'r Rows<C>
    where
        'a: 'r,
    {
        if let RowList::Each(all) = self.list
            && self.width == C
            && places.count() == C
            && places.are_first()
        {
            return rows(all, self.first, self.count, room);
        }
        if let RowList::Each(all) = self.list
            && self.count == WIDTH
            && self.width == 3
            && places.count() == 3
            && places.are_first()
        {
            // The most frequent case, with lengths that the compiler knows.
            let all = all.as_chunks::<3>().0.get(self.first..self.first + WIDTH).unwrap_or_default();
            for (slot, row) in room.iter_mut().zip(all) {
                *slot = others;
                slot[..3].copy_from_slice(row);
            }
            return room;
        }
        for (number, slot) in room.iter_mut().enumerate() {
            *slot = others;
            places.put(self.row(number), slot);
        }
        room
    }
}

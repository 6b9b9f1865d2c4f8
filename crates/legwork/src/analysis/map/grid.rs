//! Which poses: a line, a slice, a volume, or any number of coordinates.

use super::MapError;
use crate::robot::{AnyRobot, PlatformState};
use crate::rotation::{IDENTITY, angle_about_coordinate, from_roll_pitch_yaw, product, to_roll_pitch_yaw};
use crate::text::short;
use crate::units::Quantity;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A coordinate of a pose. Roll, pitch and yaw turn about the fixed axes x, then y, then z.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs)] // the names say it
pub enum Coordinate {
    X,
    Y,
    Z,
    Roll,
    Pitch,
    Yaw,
}

impl Coordinate {
    /// Every coordinate, in order.
    pub const ALL: [Self; 6] = [Self::X, Self::Y, Self::Z, Self::Roll, Self::Pitch, Self::Yaw];

    /// Its name: `roll`.
    pub fn name(self) -> &'static str {
        ["x", "y", "z", "roll", "pitch", "yaw"][self as usize]
    }

    /// Whether it is an angle.
    pub fn turns(self) -> bool {
        self as usize >= 3
    }

    /// `m` or `rad`.
    pub fn unit(self) -> &'static str {
        if self.turns() { "rad" } else { "m" }
    }

    /// What it measures.
    pub fn quantity(self) -> Quantity {
        if self.turns() { Quantity::Angle } else { Quantity::Length }
    }

    /// With a value, for people: "z -350 mm".
    pub fn with_value(self, value: f64) -> String {
        let (value, unit) = if self.turns() { (value.to_degrees(), "deg") } else { (value * 1e3, "mm") };
        // A tenth of a micrometre is more than anybody reads.
        format!("{self} {} {unit}", short((value * 1e4).round() / 1e4))
    }

    /// Those a robot's platform is free in.
    pub fn of(robot: &AnyRobot) -> Vec<Self> {
        let is_free = |coordinate: &Self| {
            let components: Vec<usize> = robot.freedoms().iter().map(|f| f.component).collect();
            // Two or three rotations mix: all angles are then free.
            let turns = components.iter().filter(|c| **c >= 3).count();
            components.contains(&(*coordinate as usize)) || (coordinate.turns() && turns >= 2)
        };
        Self::ALL.into_iter().filter(is_free).collect()
    }
}

impl fmt::Display for Coordinate {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Numbers along a coordinate, equally far apart, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// Along what.
    pub coordinate: Coordinate,
    /// The first \[m or rad\].
    pub from: f64,
    /// The last \[m or rad\].
    pub to: f64,
    /// How many.
    pub count: usize,
}

impl Range {
    /// `count` numbers.
    pub fn new(coordinate: Coordinate, from: f64, to: f64, count: usize) -> Self {
        Self { coordinate, from, to, count }
    }

    /// The k-th number; those of a range about zero are symmetric to the bit.
    pub fn at(&self, k: usize) -> f64 {
        let last = self.count.saturating_sub(1).max(1);
        (self.from * (last - k.min(last)) as f64 + self.to * k as f64) / last as f64
    }

    fn is_empty(&self) -> bool {
        !(self.from.is_finite() && self.to.is_finite() && self.from < self.to && self.count >= 2)
    }
}

/// The poses of a map: some coordinates vary, the others stay.
#[derive(Clone, Debug, PartialEq)]
pub struct Grid {
    robot: String,
    free: Vec<Coordinate>,
    ranges: Vec<Range>,
    /// The coordinates that stay, all six.
    pose: [f64; 6],
    /// Given and not from home.
    given: Vec<Coordinate>,
    /// The orientation that all angles 0 stand for.
    zero: [[f64; 3]; 3],
}

impl Grid {
    /// One pose, the robot's home; more come by [`along`](Self::along).
    pub fn at_home(robot: &AnyRobot) -> Self {
        let home = robot.home();
        let free = Coordinate::of(robot);
        let turns = free.iter().filter(|coordinate| coordinate.turns()).count();
        let (angles, zero) = match turns {
            0 => ([0.0; 3], home.rotation),
            1 => {
                // One angle, counted from home's orientation without it.
                let axis = free.iter().find(|c| c.turns()).map_or(2, |c| *c as usize - 3);
                let mut angles = [0.0; 3];
                angles[axis] = angle_about_coordinate(axis, &home.rotation);
                let back = from_roll_pitch_yaw(angles.map(|angle| -angle));
                (angles, product(&back, &home.rotation))
            }
            _ => (to_roll_pitch_yaw(&home.rotation), IDENTITY),
        };
        let [x, y, z] = home.position;
        let [roll, pitch, yaw] = angles;
        let pose = [x, y, z, roll, pitch, yaw];
        Self { robot: robot.name().into(), free, ranges: Vec::new(), pose, given: Vec::new(), zero }
    }

    fn free(&self, coordinate: Coordinate) -> Result<(), MapError> {
        if !self.free.contains(&coordinate) {
            let (robot, known) = (self.robot.clone(), self.free.clone());
            return Err(MapError::NotAFreedom { robot, coordinate, known });
        }
        let is_there = self.given.contains(&coordinate);
        if is_there { Err(MapError::Twice { coordinate }) } else { Ok(()) }
    }

    /// The same poses, each at every number of a range.
    pub fn along(mut self, range: Range) -> Result<Self, MapError> {
        self.free(range.coordinate)?;
        if range.is_empty() {
            let Range { coordinate, from, to, count } = range;
            return Err(MapError::EmptyRange { coordinate, from, to, count });
        }
        self.given.push(range.coordinate);
        self.ranges.push(range);
        Ok(self)
    }

    /// The same poses with this coordinate \[m or rad\].
    pub fn fixed(mut self, coordinate: Coordinate, value: f64) -> Result<Self, MapError> {
        self.free(coordinate)?;
        if !value.is_finite() {
            return Err(MapError::EmptyRange { coordinate, from: value, to: value, count: 1 });
        }
        self.given.push(coordinate);
        self.pose[coordinate as usize] = value;
        Ok(self)
    }

    /// What varies, the fastest first.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// The coordinates that stay and that the platform is free in.
    pub fn rest(&self) -> Vec<(Coordinate, f64)> {
        let varies = |c: &Coordinate| self.ranges.iter().any(|range| range.coordinate == *c);
        let free = self.free.iter().filter(|c| !varies(c));
        free.map(|c| (*c, self.pose[*c as usize])).collect()
    }

    /// The coordinates that stay, for people: "y 0 mm, z -350 mm".
    pub fn place(&self) -> String {
        let all: Vec<String> = self.rest().iter().map(|(c, value)| c.with_value(*value)).collect();
        all.join(", ")
    }

    /// How many poses.
    pub fn len(&self) -> usize {
        self.ranges.iter().fold(1, |count, range| count.saturating_mul(range.count))
    }

    /// Whether nothing varies.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// All six coordinates of a pose by its number \[m, rad\].
    pub fn coordinates(&self, mut number: usize) -> [f64; 6] {
        let mut pose = self.pose;
        for range in &self.ranges {
            pose[range.coordinate as usize] = range.at(number % range.count);
            number /= range.count;
        }
        pose
    }

    /// The platform at rest at six coordinates.
    pub fn platform(&self, [x, y, z, roll, pitch, yaw]: [f64; 6]) -> PlatformState {
        let turn = [roll, pitch, yaw];
        let rotation =
            if turn == [0.0; 3] { self.zero } else { product(&from_roll_pitch_yaw(turn), &self.zero) };
        PlatformState::at([x, y, z]).turned(rotation)
    }
}

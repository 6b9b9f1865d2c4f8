//! Poses of a robot around its home: a grid for maps, for the choice of the next measurements and for what they are judged by.

use super::model::{Model, Place};
use legwork::V3;
use legwork::engine::{Pose, turn_by};

/// How far a grid goes from home, at most, in sizes of the first leg.
const REACH: f64 = 0.6;
/// Poses where the Jacobian is worse are left out: there is nothing to measure near a singularity.
const WORST_CONDITION: f64 = 60.0;

/// A box of positions around home in which the robot works: ends of each coordinate, platform frame in base frame.
pub fn extent(model: &Model) -> [[f64; 2]; 3] {
    let (home, size) = (model.drawn.home.pose, model.drawn.reach);
    let mut ends = home.position.to_array().map(|x| [x, x]);
    for (axis, slot) in ends.iter_mut().enumerate() {
        if !model.drawn.freedoms.contains(&axis) {
            continue;
        }
        for (side, end) in slot.iter_mut().enumerate() {
            let sign = if side == 0 { -1.0 } else { 1.0 };
            // The farthest of sixteen steps to which all before it are reached.
            for step in 1..=16 {
                let mut place = home.position.to_array();
                place[axis] += sign * REACH * size * f64::from(step) / 16.0;
                if !is_good(model, &Pose::new(home.rotation, V3::from(place))) {
                    break;
                }
                *end = place[axis];
            }
        }
    }
    ends
}

/// Whether the robot of the file goes there, inside its limits and away from singularities.
pub fn is_good(model: &Model, pose: &Pose<f64>) -> bool {
    let robot = &model.robot;
    let state = model.state(pose);
    let Ok(found) = robot.inverse_kinematics(&state) else { return false };
    robot.outside_limits(&found.q).is_ok_and(|outside| outside.is_empty())
        && robot.singularity(&state).is_ok_and(|s| s.condition < WORST_CONDITION && s.parallel > 1e-3)
}

/// Poses on a grid with so many places along each freedom, those that the robot reaches; rotations by up to `turn` \[rad\].
pub fn grid(model: &Model, places: usize, turn: f64) -> Vec<Place> {
    let ends = extent(model);
    let freedoms = &model.drawn.freedoms;
    let counts: Vec<usize> = freedoms
        .iter()
        .map(|place| {
            if *place < 3 {
                places
            } else if freedoms.len() > 3 {
                2
            } else {
                3
            }
        })
        .collect();
    let total: usize = counts.iter().product();
    let mut found = Vec::new();
    for index in 0..total {
        let mut rest = index;
        let mut place = model.drawn.home.pose.position.to_array();
        let mut angles = [0.0; 3];
        for (freedom, count) in freedoms.iter().zip(&counts) {
            let k = rest % count;
            rest /= count;
            let share = if *count > 1 { k as f64 / (*count - 1) as f64 } else { 0.5 };
            if *freedom < 3 {
                // A little inside, where nothing is at its end.
                let [low, high] = ends[*freedom];
                let share = 0.04 + 0.92 * share;
                place[*freedom] = low + (high - low) * share;
            } else {
                angles[*freedom - 3] = turn * (2.0 * share - 1.0);
            }
        }
        let pose = Pose::new(turn_by(V3::from(angles)) * model.drawn.home.pose.rotation, V3::from(place));
        if is_good(model, &pose) {
            found.extend(model.place(&pose));
        }
    }
    found
}

/// A slice of poses through home over two coordinates: which, their ends, and the pose in each cell or none.
pub struct Slice {
    /// The coordinates, 0 for x, 3 for the turn about x.
    pub axes: [usize; 2],
    /// Ends in the robot's frame \[m\], or from home \[rad\].
    pub ends: [[f64; 2]; 2],
    /// Cells along each.
    pub cells: usize,
    /// Row after row.
    pub poses: Vec<Option<Place>>,
}

/// How far a slice turns the platform to either side \[rad\].
const TURN: f64 = 0.25;

/// The first two freedoms of the platform, those that it moves along before those that it turns about; `None` if it has one.
pub fn slice(model: &Model, cells: usize) -> Option<Slice> {
    let [first, second, ..] = model.drawn.freedoms[..] else { return None };
    let box_ends = extent(model);
    let ends = [first, second].map(|axis| box_ends.get(axis).copied().unwrap_or([-TURN, TURN]));
    let home = model.drawn.home.pose;
    let at = |ends: [f64; 2], k: usize| ends[0] + (ends[1] - ends[0]) * k as f64 / (cells - 1).max(1) as f64;
    let mut poses = Vec::with_capacity(cells * cells);
    for row in 0..cells {
        for column in 0..cells {
            let (mut place, mut angles) = (home.position.to_array(), [0.0; 3]);
            for (axis, x) in [(first, at(ends[0], column)), (second, at(ends[1], row))] {
                if axis < 3 { place[axis] = x } else { angles[axis - 3] = x }
            }
            let pose = Pose::new(turn_by(V3::from(angles)) * home.rotation, V3::from(place));
            poses.push(if is_good(model, &pose) { model.place(&pose) } else { None });
        }
    }
    Some(Slice { axes: [first, second], ends, cells, poses })
}

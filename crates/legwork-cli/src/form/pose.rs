//! Where the platform of a robot is: from the numbers of a question, and back.

use super::Form;
use crate::failure::Message;
use crate::row::{Group, Row};
use crate::table::short_list;
use crate::turn::{self, Matrix};
use legwork::{Freedom, IDENTITY, PlatformState, roll_pitch_yaw, rotation_from_roll_pitch_yaw};

/// A quaternion whose length is off by more is not one.
const QUATERNION_SLACK: f64 = 1e-3;
/// Orientations that differ by more are two.
const SAME: f64 = 1e-6;

/// Where a platform is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    pub position: [f64; 3],
    pub rotation: Matrix,
}

impl From<&PlatformState> for Pose {
    fn from(state: &PlatformState) -> Self {
        Self { position: state.position, rotation: state.rotation }
    }
}

/// The orientation that all angles 0 stand for. What is not free stays as it is at home.
pub(super) fn zero(freedoms: &[Freedom], home: &Matrix) -> Matrix {
    let axes: Vec<usize> = freedoms.iter().filter(|f| f.turns()).map(|f| f.component % 3).collect();
    match axes[..] {
        [axis] if turn::difference(&turn::about(axis, angle_about(axis, home)), home) < 1e-12 => IDENTITY,
        [2] => {
            let [roll, pitch, _] = roll_pitch_yaw(home);
            rotation_from_roll_pitch_yaw([roll, pitch, 0.0])
        }
        [] | [_] => *home,
        _ => IDENTITY,
    }
}

/// The angle of a rotation about an axis.
fn angle_about(axis: usize, rotation: &Matrix) -> f64 {
    let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
    rotation[j][i].atan2(rotation[i][i])
}

impl Form {
    /// The state of the platform that a row gives, what is not given being zero.
    pub fn platform(&self, row: &Row) -> Result<PlatformState, Message> {
        let mut state = PlatformState::at(self.home.position).turned(self.rotation(row)?);
        for (name, value) in self.group(Group::Position).names.iter().zip(self.all(row, Group::Position)?) {
            state.position[name.place] = value;
        }
        state.twist = self.six(row, [Group::Velocity, Group::AngularVelocity]);
        state.acceleration = self.six(row, [Group::Acceleration, Group::AngularAcceleration]);
        state.wrench = self.wrench(row);
        Ok(state)
    }

    /// The free coordinates of the home position.
    pub fn home_position(&self) -> Vec<f64> {
        self.pick(Group::Position, &self.home.position)
    }

    /// What pulls at the platform.
    pub fn wrench(&self, row: &Row) -> [f64; 6] {
        self.six(row, [Group::Force, Group::Moment])
    }

    fn six(&self, row: &Row, groups: [Group; 2]) -> [f64; 6] {
        let mut six = [0.0; 6];
        for (half, group) in groups.into_iter().enumerate() {
            for (name, value) in self.group(group).names.iter().zip(self.or_zero(row, group)) {
                six[3 * half + name.place] = value;
            }
        }
        six
    }

    /// From angles, a quaternion or a matrix, whichever is given.
    fn rotation(&self, row: &Row) -> Result<Matrix, Message> {
        let mut given: Vec<(&str, Matrix)> = Vec::new();
        if row.has(Group::Quaternion) {
            given.push(("the quaternion", self.rotation_of_quaternion(row)?));
        }
        if row.has(Group::Rotation) {
            let entries = self.all(row, Group::Rotation)?;
            given.push(("the rotation matrix", [0, 1, 2].map(|i| [0, 1, 2].map(|j| entries[3 * i + j]))));
        }
        if row.has(Group::Orientation) {
            let one = self.group(Group::Orientation).names.len() == 1;
            given.push((
                if one { "the angle" } else { "the angles" },
                self.rotation_of_angles(&self.or_zero(row, Group::Orientation)),
            ));
        }
        let Some((name, rotation)) = given.first().copied() else { return Ok(self.zero) };
        for (other, second) in &given[1..] {
            let off = turn::difference(&rotation, second);
            if off > SAME {
                return Err(Message::new(format!(
                    "{name} and {other} are two orientations, off by {off:.1e}"
                ))
                .hint("give one of them"));
            }
        }
        self.check_axis(&rotation)?;
        Ok(rotation)
    }

    /// A platform that turns about one axis cannot turn about another.
    fn check_axis(&self, rotation: &Matrix) -> Result<(), Message> {
        let [name] = self.group(Group::Orientation).names.as_slice() else { return Ok(()) };
        let away = turn::product(rotation, &turn::transposed(&self.zero));
        let axis = IDENTITY[name.place];
        let moved =
            turn::turned(&away, axis).iter().zip(axis).fold(0.0, |m: f64, (a, b)| m.max((a - b).abs()));
        if moved <= SAME {
            return Ok(());
        }
        let error =
            format!("the platform of `{}` turns about {} only", self.robot, ["x", "y", "z"][name.place]);
        Err(Message::new(error).hint(format!("give {}", self.coordinates())))
    }

    fn rotation_of_quaternion(&self, row: &Row) -> Result<Matrix, Message> {
        let parts = self.all(row, Group::Quaternion)?;
        let length = parts.iter().map(|q| q * q).sum::<f64>().sqrt();
        if (length - 1.0).abs() > QUATERNION_SLACK {
            let error = format!("the quaternion ({}) has the length {length:.6}, not 1", short_list(&parts));
            return Err(
                Message::new(error).hint("a rotation is W X Y Z with W^2 + X^2 + Y^2 + Z^2 = 1, W first")
            );
        }
        Ok(turn::from_quaternion([0, 1, 2, 3].map(|k| parts[k] / length)))
    }

    fn rotation_of_angles(&self, angles: &[f64]) -> Matrix {
        match (self.group(Group::Orientation).names.as_slice(), angles) {
            ([name], [angle]) => turn::product(&turn::about(name.place, *angle), &self.zero),
            (_, [roll, pitch, yaw]) => rotation_from_roll_pitch_yaw([*roll, *pitch, *yaw]),
            _ => self.zero,
        }
    }

    /// The angles of an orientation, as many as the platform can turn about.
    pub fn angles(&self, rotation: &Matrix) -> Vec<f64> {
        match self.group(Group::Orientation).names.as_slice() {
            [] => Vec::new(),
            [name] => {
                let away = turn::product(rotation, &turn::transposed(&self.zero));
                vec![angle_about(name.place, &away)]
            }
            _ => roll_pitch_yaw(rotation).to_vec(),
        }
    }

    /// The components of a vector of three that a group has.
    pub fn pick(&self, group: Group, three: &[f64]) -> Vec<f64> {
        self.group(group).names.iter().filter_map(|name| three.get(name.place).copied()).collect()
    }

    /// "(100, -50, -800) mm", then the orientation of a platform that turns.
    pub fn place(&self, pose: &Pose) -> String {
        let position: Vec<f64> = self.pick(Group::Position, &pose.position).iter().map(|x| x * 1e3).collect();
        let position = format!("({}) mm", short_list(&position));
        let angles: Vec<f64> = self.angles(&pose.rotation).iter().map(|angle| angle.to_degrees()).collect();
        match angles[..] {
            [] => position,
            [_] => {
                format!("{position}, {} {} deg", self.group(Group::Orientation).list(), short_list(&angles))
            }
            _ => format!("{position}, roll pitch yaw ({}) deg", short_list(&angles)),
        }
    }
}

//! Where the platform of a robot is: from numbers, and back.

use super::{AXES, CoordinateError, CoordinateName, CoordinateSchema, Group, POSE, Values};
use crate::rotation::{self, IDENTITY, Matrix};
use crate::text::short_list;
use crate::{Freedom, PlatformState, RowAngles};
use legwork_core::Real;

/// A quaternion whose length is off by more is not one.
const QUATERNION_TOLERANCE: f64 = 1e-3;
/// Orientations that differ by more are two.
const SAME: f64 = 1e-6;
/// An angle that follows is the one that was copied from a table \[rad\].
const FOLLOWS: f64 = 1e-4;

/// The orientation that all angles 0 stand for. What is not free stays as it is at home.
pub(super) fn zero(freedoms: &[Freedom], home: &Matrix) -> Matrix {
    let axes: Vec<usize> = freedoms.iter().filter(|f| f.turns()).map(|f| f.component % 3).collect();
    let is_about = |axis: usize| {
        let angle = rotation::angle_about_coordinate(axis, home);
        rotation::difference(&rotation::about_coordinate(axis, angle), home) < 1e-12
    };
    match axes[..] {
        [axis] if is_about(axis) => IDENTITY,
        [2] => {
            let [roll, pitch, _] = rotation::to_roll_pitch_yaw(home);
            rotation::from_roll_pitch_yaw([roll, pitch, 0.0])
        }
        [] | [_] => *home,
        _ => IDENTITY,
    }
}

/// The matrix of four numbers, real part first.
fn rotation_of_quaternion(parts: &[f64]) -> Result<Matrix, CoordinateError> {
    let length = parts.iter().map(|q| q * q).sum::<f64>().sqrt();
    if length.is_nan() || (length - 1.0).abs() > QUATERNION_TOLERANCE {
        return Err(CoordinateError::QuaternionLength { parts: parts.to_vec(), length });
    }
    Ok(rotation::from_quaternion([0, 1, 2, 3].map(|k| parts[k] / length)))
}

/// The matrix of nine numbers.
fn matrix_of_rows(entries: &[f64]) -> Matrix {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| entries[3 * i + j]))
}

impl CoordinateSchema {
    /// The state of the platform that the values give, what is not given being zero.
    pub fn platform(&self, values: &Values) -> Result<PlatformState, CoordinateError> {
        let mut state = PlatformState::at(self.home.position).turned(self.rotation(values)?);
        let position = self.all(values, Group::Position)?;
        for (name, value) in self.group(Group::Position).names.iter().zip(position) {
            state.position[name.place] = value;
        }
        state.twist = self.twist(values);
        state.acceleration = self.acceleration(values);
        state.wrench = self.wrench(values);
        Ok(state)
    }

    /// Whether the values say where the platform is: its position or, of a platform that only turns, how it is turned.
    pub fn has_pose(&self, values: &Values) -> bool {
        let turned = || {
            [Group::Orientation, Group::Quaternion, Group::Rotation].iter().any(|group| values.has(*group))
        };
        values.has(Group::Position) || (self.group(Group::Position).names.is_empty() && turned())
    }

    /// Reads where the platform is: with angles, or with a quaternion of its own option.
    pub fn read_pose(
        &self,
        values: &mut Values,
        position: &[impl AsRef<str>],
        quaternion: &[impl AsRef<str>],
    ) -> Result<(), CoordinateError> {
        if !quaternion.is_empty() && !self.turns() {
            return Err(CoordinateError::DoesNotTurn { robot: self.robot.clone(), usage: self.usage() });
        }
        if !position.is_empty() {
            self.read(values, "", POSE, position)?;
        }
        if !quaternion.is_empty() {
            if values.has(Group::Orientation) {
                let angles = self.group(Group::Orientation).capitals();
                return Err(CoordinateError::AnglesAndQuaternion { angles });
            }
            self.read(values, "--quaternion", &[Group::Quaternion], quaternion)?;
        }
        Ok(())
    }

    /// Takes an orientation that is given beside a position: a quaternion, real part first, or a matrix by rows. A platform that does not
    /// turn has one orientation, which may be given too.
    pub fn fill_orientation(
        &self,
        values: &mut Values,
        option: &str,
        group: Group,
        numbers: &[f64],
    ) -> Result<(), CoordinateError> {
        if self.turns() {
            return self.fill(values, option, &[group], numbers);
        }
        let given = match numbers {
            [w, x, y, z] if group == Group::Quaternion => rotation_of_quaternion(&[*w, *x, *y, *z])?,
            [_, _, _, _, _, _, _, _, _] if group == Group::Rotation => matrix_of_rows(numbers),
            _ => return Err(CoordinateError::DoesNotTurn { robot: self.robot.clone(), usage: self.usage() }),
        };
        if rotation::difference(&given, &self.zero) <= SAME {
            return Ok(());
        }
        Err(CoordinateError::DoesNotTurn { robot: self.robot.clone(), usage: self.usage() })
    }

    /// The free coordinates of the home position.
    pub fn home_position(&self) -> Vec<f64> {
        self.pick(Group::Position, &self.home.position)
    }

    /// How the platform moves, linear first.
    pub fn twist(&self, values: &Values) -> [f64; 6] {
        self.six(values, [Group::Velocity, Group::AngularVelocity])
    }

    /// How the platform speeds up: linear, then angular.
    pub fn acceleration(&self, values: &Values) -> [f64; 6] {
        self.six(values, [Group::Acceleration, Group::AngularAcceleration])
    }

    /// What pulls at the platform: force, then moment.
    pub fn wrench(&self, values: &Values) -> [f64; 6] {
        self.six(values, [Group::Force, Group::Moment])
    }

    fn six(&self, values: &Values, groups: [Group; 2]) -> [f64; 6] {
        let halves = groups.map(|group| self.or_zero(values, group));
        self.placed(&groups, [&halves[0], &halves[1]])
    }

    /// Numbers of two groups at their places in a twist or a wrench; those not given are zero.
    pub(super) fn placed(&self, groups: &[Group], halves: [&[f64]; 2]) -> [f64; 6] {
        let mut six = [0.0; 6];
        for (half, (group, numbers)) in groups.iter().zip(halves).enumerate() {
            for (name, value) in self.group(*group).names.iter().zip(numbers) {
                six[3 * half + name.place] = *value;
            }
        }
        six
    }

    /// From angles, a quaternion or a matrix, whichever is given.
    fn rotation(&self, values: &Values) -> Result<Matrix, CoordinateError> {
        let mut given: Vec<(&'static str, Matrix)> = Vec::new();
        if values.has(Group::Quaternion) {
            given.push(("the quaternion", rotation_of_quaternion(&self.all(values, Group::Quaternion)?)?));
        }
        if values.has(Group::Rotation) {
            let entries = self.all(values, Group::Rotation)?;
            given.push(("the rotation matrix", matrix_of_rows(&entries)));
        }
        if values.has(Group::Orientation) {
            let one = self.group(Group::Orientation).names.len() == 1;
            given.push((
                if one { "the angle" } else { "the angles" },
                self.rotation_of_angles(&self.or_zero(values, Group::Orientation)),
            ));
        }
        let Some((first, matrix)) = given.first().copied() else { return Ok(self.zero) };
        for (second, other) in &given[1..] {
            let off = rotation::difference(&matrix, other);
            if off.is_nan() || off > SAME {
                return Err(CoordinateError::TwoOrientations { first, second, off });
            }
        }
        self.check_axis(&matrix)?;
        Ok(matrix)
    }

    /// A platform that turns about one axis cannot turn about another.
    fn check_axis(&self, matrix: &Matrix) -> Result<(), CoordinateError> {
        let [name] = self.group(Group::Orientation).names.as_slice() else { return Ok(()) };
        let away = rotation::product(matrix, &rotation::transposed(&self.zero));
        let axis = IDENTITY[name.place];
        let moved = rotation::rotated(&away, axis)
            .iter()
            .zip(axis)
            .fold(0.0, |most: f64, (a, b)| Real::max(most, (a - b).abs()));
        if moved <= SAME {
            return Ok(());
        }
        Err(CoordinateError::OneAxis {
            robot: self.robot.clone(),
            axis: AXES[name.place],
            usage: self.usage(),
        })
    }

    pub(super) fn rotation_of_angles(&self, angles: &[f64]) -> Matrix {
        Self::row_angles(&self.group(Group::Orientation).names).rotation(angles, &self.zero)
    }

    /// What the angles of these names are.
    pub(super) fn row_angles(names: &[CoordinateName]) -> RowAngles {
        match names {
            [name] => RowAngles::About(name.place),
            [_, _, _] => RowAngles::RollPitchYaw,
            _ => RowAngles::None,
        }
    }

    /// The angles of an orientation, as many as the platform can turn about.
    pub fn angles(&self, matrix: &Matrix) -> Vec<f64> {
        let (angles, count) = self.three_angles(matrix);
        angles.into_iter().take(count).collect()
    }

    /// The same in a list of three, and how many they are.
    fn three_angles(&self, matrix: &Matrix) -> ([f64; 3], usize) {
        match self.group(Group::Orientation).names.as_slice() {
            [] => ([0.0; 3], 0),
            [name] => {
                let away = rotation::product(matrix, &rotation::transposed(&self.zero));
                ([rotation::angle_about_coordinate(name.place, &away), 0.0, 0.0], 1)
            }
            _ => (rotation::to_roll_pitch_yaw(matrix), 3),
        }
    }

    /// An angle that is given although it follows from the others, and is neither zero nor the one of the whole pose: its
    /// name, what is given and what follows \[rad\].
    pub fn contradiction(&self, values: &Values, whole: &PlatformState) -> Option<(&str, f64, f64)> {
        let (names, free) = (&self.group(Group::Orientation).names, self.free_angles());
        if names.len() != 3 || free.len() != 2 || !values.has(Group::Orientation) {
            return None;
        }
        let (given, found) = (self.or_zero(values, Group::Orientation), self.angles(&whole.rotation));
        let place = (0..3).find(|place| !free.contains(place))?;
        let (name, given, found) = (names.get(place)?, *given.get(place)?, *found.get(place)?);
        let apart = (given - found).sin().abs();
        let agrees = given == 0.0 || (apart < FOLLOWS && (given - found).cos() > 0.0);
        (!agrees).then_some((name.text.as_str(), given, found))
    }

    /// The components of a vector of three that a group has.
    pub fn pick(&self, group: Group, three: &[f64]) -> Vec<f64> {
        self.group(group).names.iter().filter_map(|name| three.get(name.place).copied()).collect()
    }

    /// Coordinates of a place as they are read: position, then the angles of a platform that turns.
    pub fn coordinates_of(&self, platform: &PlatformState) -> Vec<f64> {
        let mut coordinates = vec![0.0; self.coordinate_count()];
        self.coordinates_into(platform, &mut coordinates);
        coordinates
    }

    /// How many they are.
    pub fn coordinate_count(&self) -> usize {
        self.group(Group::Position).names.len() + self.group(Group::Orientation).names.len()
    }

    /// [`coordinates_of`](Self::coordinates_of) in the caller's memory, as many as fit; allocates nothing.
    pub fn coordinates_into(&self, platform: &PlatformState, coordinates: &mut [f64]) {
        let position = self.group(Group::Position).names.iter();
        let position = position.filter_map(|name| platform.position.get(name.place).copied());
        let (angles, count) = self.three_angles(&platform.rotation);
        let angles = angles.into_iter().take(count);
        coordinates.iter_mut().zip(position.chain(angles)).for_each(|(slot, value)| *slot = value);
    }

    /// "(100, -50, -800) mm", then the orientation of a platform that turns.
    pub fn place(&self, platform: &PlatformState) -> String {
        let position: Vec<f64> =
            self.pick(Group::Position, &platform.position).iter().map(|x| x * 1e3).collect();
        let position = format!("({}) mm", short_list(&position));
        let angles: Vec<f64> =
            self.angles(&platform.rotation).iter().map(|angle| angle.to_degrees()).collect();
        if self.group(Group::Position).names.is_empty() {
            return format!("{} ({}) deg", self.group(Group::Orientation).list(), short_list(&angles));
        }
        match angles[..] {
            [] => position,
            [_] => {
                format!("{position}, {} {} deg", self.group(Group::Orientation).list(), short_list(&angles))
            }
            _ => format!("{position}, roll pitch yaw ({}) deg", short_list(&angles)),
        }
    }
}

//! The numbers of one question about a robot, as far as they are given.

use super::{CoordinateError, CoordinateSchema, GroupSchema};
use crate::units::Quantity;
use std::collections::BTreeMap;

/// Numbers that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    /// Platform point.
    Position,
    /// Roll, pitch, yaw, or the one angle of a planar robot.
    Orientation,
    /// The same as a quaternion, real part first.
    Quaternion,
    /// The same as a matrix, by rows.
    Rotation,
    /// Velocity of the platform point.
    Velocity,
    /// Angular velocity of the platform.
    AngularVelocity,
    /// Acceleration of the platform point.
    Acceleration,
    /// Angular acceleration of the platform.
    AngularAcceleration,
    /// Force of the environment on the platform.
    Force,
    /// Its moment about the platform point.
    Moment,
    /// Motor angles or lengths.
    Joints,
    /// Their velocities.
    JointSpeeds,
    /// Their accelerations.
    JointAccelerations,
    /// Torques or forces of the motors.
    Efforts,
}

/// The groups that say where a platform is.
pub const POSE: &[Group] = &[Group::Position, Group::Orientation];
/// The groups of its velocity.
pub const VELOCITY: &[Group] = &[Group::Velocity, Group::AngularVelocity];
/// The groups of its acceleration.
pub const ACCELERATION: &[Group] = &[Group::Acceleration, Group::AngularAcceleration];
/// The groups of what pulls at it.
pub const WRENCH: &[Group] = &[Group::Force, Group::Moment];

/// The numbers of one question, in SI units, as far as they are given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values(BTreeMap<(Group, usize), f64>);

impl Values {
    /// Gives a number.
    pub fn set(&mut self, group: Group, component: usize, value: f64) {
        self.0.insert((group, component), value);
    }

    /// A number, if it is given.
    pub fn get(&self, group: Group, component: usize) -> Option<f64> {
        self.0.get(&(group, component)).copied()
    }

    /// Whether any number of the group is given.
    pub fn has(&self, group: Group) -> bool {
        self.0.range((group, 0)..=(group, usize::MAX)).next().is_some()
    }
}

/// Coordinates of a body that is free in space.
const WHOLE_POSE: usize = 6;

/// The number that a text says, in SI, of what is called `name`.
pub fn number(name: &str, quantity: Quantity, text: &str) -> Result<f64, CoordinateError> {
    quantity.parse_request(text, None).map_err(|cause| CoordinateError::Number {
        name: name.into(),
        quantity,
        cause,
    })
}

impl CoordinateSchema {
    /// The numbers of a group; those not given are zero.
    pub fn or_zero(&self, values: &Values, group: Group) -> Vec<f64> {
        (0..self.group(group).names.len()).map(|k| values.get(group, k).unwrap_or(0.0)).collect()
    }

    /// The numbers of a group, or the name of the one that is missing.
    pub fn all(&self, values: &Values, group: Group) -> Result<Vec<f64>, CoordinateError> {
        let names = self.group(group).names.iter().enumerate();
        names
            .map(|(k, name)| {
                let missing = || CoordinateError::Missing { name: name.text.clone() };
                values.get(group, k).ok_or_else(missing)
            })
            .collect()
    }

    /// Reads the numbers of an argument: those of the first group, or those of all of them. `option` names it in
    /// messages and is empty for the argument that needs no name.
    pub fn read(
        &self,
        values: &mut Values,
        option: &str,
        groups: &[Group],
        texts: &[impl AsRef<str>],
    ) -> Result<(), CoordinateError> {
        let is_word =
            |k: usize| texts.get(k).is_some_and(|text| !text.as_ref().contains(|c: char| c.is_ascii_digit()));
        let names = self.expected(option, groups, texts.len(), is_word).map_err(|mut error| {
            if let (CoordinateError::Count { only, .. }, [text]) = (&mut error, texts) {
                *only = Some(text.as_ref().into());
            }
            error
        })?;
        for ((group, component, name, quantity), text) in names.into_iter().zip(texts) {
            values.set(group, component, self.number(name, quantity, text.as_ref())?);
        }
        Ok(())
    }

    /// The same for numbers that are there already, in SI.
    pub fn fill(
        &self,
        values: &mut Values,
        option: &str,
        groups: &[Group],
        numbers: &[f64],
    ) -> Result<(), CoordinateError> {
        let names = self.expected(option, groups, numbers.len(), |_| false)?;
        for ((group, component, ..), number) in names.into_iter().zip(numbers) {
            values.set(group, component, *number);
        }
        Ok(())
    }

    /// The names that so many numbers stand for.
    fn expected(
        &self,
        option: &str,
        groups: &[Group],
        given: usize,
        is_word: impl Fn(usize) -> bool,
    ) -> Result<Vec<(Group, usize, &str, Quantity)>, CoordinateError> {
        let columns: Vec<&GroupSchema> = groups.iter().map(|group| self.group(*group)).collect();
        let first = columns.first().map_or(0, |columns| columns.names.len());
        let all: usize = columns.iter().map(|columns| columns.names.len()).sum();
        // Of three angles two may be free; the third follows.
        let free = self.free_angles();
        let with_free =
            groups.contains(&Group::Orientation) && given == first + free.len() && free.len() == 2;
        if given != first && given != all && !with_free {
            return Err(self.wrong_count(option, &columns, given, (0..given).any(is_word)));
        }
        let names = columns.into_iter().flat_map(|columns| {
            let names = columns.names.iter().enumerate();
            names.map(|(k, name)| (columns.group, k, name.text.as_str(), name.quantity))
        });
        let is_left_out =
            |group: Group, k: usize| with_free && group == Group::Orientation && !free.contains(&k);
        Ok(names.filter(|(group, k, ..)| !is_left_out(*group, *k)).collect())
    }

    /// "z, roll, pitch": the coordinates of the platform that do not follow from others.
    fn free_coordinates(&self) -> String {
        let names = |group| self.group(group).names.iter().map(|name| name.text.as_str());
        let (angles, free) = (self.group(Group::Orientation).names.len(), self.free_angles());
        // One angle has its own place, whatever axis it turns about.
        let is_free = |place: usize| angles != 3 || free.contains(&place);
        let free = names(Group::Orientation).enumerate().filter(|(place, _)| is_free(*place));
        names(Group::Position).chain(free.map(|(_, name)| name)).collect::<Vec<_>>().join(", ")
    }

    pub(super) fn wrong_count(
        &self,
        option: &str,
        columns: &[&GroupSchema],
        given: usize,
        has_word: bool,
    ) -> CoordinateError {
        let counts = columns.iter().scan(0, |sum, columns| {
            *sum += columns.names.len();
            Some(*sum)
        });
        let mut counts: Vec<usize> = counts.collect();
        counts.dedup();
        let free = self.free_angles().len();
        if let ([first, _], true) =
            (&counts[..], columns.iter().any(|one| one.group == Group::Orientation) && free == 2)
        {
            counts.insert(1, first + free);
        }
        let all = counts.last().copied().unwrap_or(0);
        let names: Vec<String> = columns
            .iter()
            .filter(|columns| !columns.names.is_empty())
            .enumerate()
            .map(|(k, columns)| match (k, columns.group) {
                (0, _) => columns.capitals(),
                (_, Group::Orientation) => format!("[{}]", self.angles_usage()),
                _ => format!("[{}]", columns.capitals()),
            })
            .collect();
        let is_pose = columns.iter().any(|columns| columns.group == Group::Position);
        let with_angles = given == all + 3 || (all, given) == (2, 3);
        let coordinates = self.group(Group::Position).names.len();
        CoordinateError::Count {
            option: option.into(),
            counts: counts.into(),
            names: names.join(" ").into(),
            given,
            not_turning: (is_pose && !self.turns() && with_angles).then(|| self.robot.as_str().into()),
            has_word,
            only: None,
            holds_position: option.starts_with("--") && given >= all + coordinates,
            fewer: (is_pose && given == WHOLE_POSE && self.turns()).then(|| self.free_coordinates().into()),
        }
    }
}

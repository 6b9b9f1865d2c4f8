//! The numbers of one question: columns of a stream, or arguments.

use crate::failure::Message;
use crate::quantity::Kind;
use std::collections::BTreeMap;

/// Numbers that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Group {
    Position,
    Orientation,
    Quaternion,
    Rotation,
    Velocity,
    AngularVelocity,
    Acceleration,
    AngularAcceleration,
    Force,
    Moment,
    Joints,
    JointSpeeds,
    JointAccelerations,
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
pub struct Row(BTreeMap<(Group, usize), f64>);

impl Row {
    pub fn set(&mut self, group: Group, component: usize, value: f64) {
        self.0.insert((group, component), value);
    }

    pub fn get(&self, group: Group, component: usize) -> Option<f64> {
        self.0.get(&(group, component)).copied()
    }

    /// Whether any number of the group is given.
    pub fn has(&self, group: Group) -> bool {
        self.0.range((group, 0)..=(group, usize::MAX)).next().is_some()
    }
}

/// The number of an argument; the sign of [`keep_negative`](crate::args::keep_negative) is a minus again.
pub fn number(name: &str, kind: Kind, text: &str) -> Result<f64, Message> {
    let text = text.replace('\u{2212}', "-");
    kind.parse(&text, None).map_err(|unreadable| {
        let error = format!("`{name}` is {}: {}", kind.described(), unreadable.reason);
        Message::new(error).hint(unreadable.hint)
    })
}

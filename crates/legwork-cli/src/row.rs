//! The numbers of one question: columns of a stream, or arguments.

use crate::failure::Message;
use crate::quantity::Kind;

/// Three numbers that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Group {
    Position,
    Velocity,
    Acceleration,
    Force,
    Angles,
    Speeds,
    AngularAccelerations,
}

/// Their names in a stream and what they measure.
#[derive(Debug)]
pub struct GroupRow {
    pub group: Group,
    pub name: &'static str,
    pub columns: [&'static str; 3],
    pub kind: Kind,
}

const fn group(group: Group, name: &'static str, columns: [&'static str; 3], kind: Kind) -> GroupRow {
    GroupRow { group, name, columns, kind }
}

/// Every group, in the order of [`Group`].
pub const GROUPS: [GroupRow; 7] = [
    group(Group::Position, "position", ["x", "y", "z"], Kind::Length),
    group(Group::Velocity, "velocity", ["vx", "vy", "vz"], Kind::Speed),
    group(Group::Acceleration, "acceleration", ["ax", "ay", "az"], Kind::Acceleration),
    group(Group::Force, "force", ["fx", "fy", "fz"], Kind::Force),
    group(Group::Angles, "q", ["q1", "q2", "q3"], Kind::Angle),
    group(Group::Speeds, "qd", ["qd1", "qd2", "qd3"], Kind::JointSpeed),
    group(Group::AngularAccelerations, "qdd", ["qdd1", "qdd2", "qdd3"], Kind::JointAcceleration),
];

impl Group {
    pub fn row(self) -> &'static GroupRow {
        &GROUPS[self as usize]
    }
}

/// The numbers of one question, in SI units, as far as they are given.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row([[Option<f64>; 3]; 7]);

impl Row {
    pub fn set(&mut self, group: Group, component: usize, value: f64) {
        self.0[group as usize][component] = Some(value);
    }

    /// Whether any of the three is given.
    pub fn has(&self, group: Group) -> bool {
        self.0[group as usize].iter().any(Option::is_some)
    }

    /// The three numbers; those not given are zero.
    pub fn or_zero(&self, group: Group) -> [f64; 3] {
        self.0[group as usize].map(|value| value.unwrap_or(0.0))
    }

    /// The three numbers, or the name of the one that is missing.
    pub fn all(&self, group: Group) -> Result<[f64; 3], Message> {
        let [x, y, z] = self.0[group as usize];
        match [x, y, z].iter().position(Option::is_none) {
            Some(missing) => Err(Message::new(format!("`{}` is missing", group.row().columns[missing]))),
            None => Ok(self.or_zero(group)),
        }
    }

    /// Takes the three numbers of an argument.
    pub fn argument(&mut self, group: Group, texts: &[String]) -> Result<(), Message> {
        let GroupRow { columns, kind, .. } = group.row();
        if texts.len() != 3 {
            let names = columns.map(str::to_uppercase).join(" ");
            let given = texts.len();
            let are = if given == 1 { "is" } else { "are" };
            return Err(Message::new(format!("three numbers are needed, {names}, and {given} {are} given"))
                .hint("write a number and its unit in one word: 100mm"));
        }
        for (component, text) in texts.iter().enumerate() {
            self.set(group, component, number(columns[component], *kind, text)?);
        }
        Ok(())
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

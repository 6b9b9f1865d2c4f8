//! What the numbers about one robot are: their names, what they measure and their units.

mod pose;

pub use pose::Pose;

use crate::answer::Unit;
use crate::failure::Message;
use crate::quantity::Kind;
use crate::row::{Group, Row, number};
use crate::turn::Matrix;
use legwork::{AnyRobot, Freedom, PlatformState};
use std::fmt::Write;

/// What the numbers about one robot are.
#[derive(Clone, Debug)]
pub struct Form {
    pub robot: String,
    pub freedoms: Vec<Freedom>,
    /// For each motor, whether it slides.
    slides: Vec<bool>,
    /// In the order of [`Group`].
    groups: Vec<Columns>,
    home: PlatformState,
    /// The orientation that all angles 0 stand for.
    zero: Matrix,
}

/// A group of numbers as this robot has it; with no names if it has none.
#[derive(Clone, Debug)]
pub struct Columns {
    pub group: Group,
    /// Its key in JSON.
    pub key: &'static str,
    pub names: Vec<Name>,
}

/// One number of a group.
#[derive(Clone, Debug)]
pub struct Name {
    pub text: String,
    pub kind: Kind,
    /// Which component of a vector of three it is, or which motor.
    pub place: usize,
}

impl Columns {
    /// "X Y Z"
    pub fn capitals(&self) -> String {
        let names: Vec<String> = self.names.iter().map(|name| name.text.to_uppercase()).collect();
        names.join(" ")
    }

    /// "x y z"
    pub fn list(&self) -> String {
        self.names.iter().map(|name| name.text.as_str()).collect::<Vec<_>>().join(" ")
    }
}

/// Whether the motors of a robot turn or slide.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motors {
    Turn,
    Slide,
    Both,
}

impl Form {
    pub fn of(robot: &AnyRobot) -> Self {
        let freedoms = robot.freedoms().to_vec();
        let slides: Vec<bool> = robot.joints().iter().map(|joint| joint.slides).collect();
        let home = robot.home();
        let groups = groups(&freedoms, &slides);
        let zero = pose::zero(&freedoms, &home.rotation);
        Self { robot: robot.name().into(), freedoms, slides, groups, home, zero }
    }

    pub fn group(&self, group: Group) -> &Columns {
        &self.groups[group as usize]
    }

    pub fn groups(&self) -> &[Columns] {
        &self.groups
    }

    /// The group and component that a name means.
    pub fn find(&self, name: &str) -> Option<(Group, usize)> {
        let find = |name: &str| {
            self.groups.iter().find_map(|columns| {
                let component = columns.names.iter().position(|known| known.text == name)?;
                Some((columns.group, component))
            })
        };
        // The angle of a planar robot is its yaw.
        find(name).or_else(|| if name == "yaw" { find("angle") } else { None })
    }

    pub fn turns(&self) -> bool {
        !self.group(Group::Orientation).names.is_empty()
    }

    pub fn motors(&self) -> Motors {
        match (self.slides.contains(&false), self.slides.contains(&true)) {
            (false, true) => Motors::Slide,
            (true, true) => Motors::Both,
            _ => Motors::Turn,
        }
    }

    pub fn motor_count(&self) -> usize {
        self.slides.len()
    }

    /// One of two for each motor.
    pub fn each<T: Copy>(&self, turning: T, sliding: T) -> Vec<T> {
        self.slides.iter().map(|slides| if *slides { sliding } else { turning }).collect()
    }

    /// "deg", "mm" or "deg, mm".
    pub fn either(&self, turning: &str, sliding: &str) -> String {
        match self.motors() {
            Motors::Turn => turning.to_owned(),
            Motors::Slide => sliding.to_owned(),
            Motors::Both => format!("{turning}, {sliding}"),
        }
    }

    /// Joint values in deg and mm.
    pub fn human(&self, q: &[f64]) -> Vec<f64> {
        let turned = |(q, slides): (&f64, &bool)| if *slides { q * 1e3 } else { q.to_degrees() };
        q.iter().zip(&self.slides).map(turned).collect()
    }

    /// Units of the numbers of a group.
    pub fn units(&self, group: Group) -> Unit {
        Unit::of(self.group(group).names.iter().map(|name| name.kind.si()).collect())
    }

    /// The numbers of a group; those not given are zero.
    pub fn or_zero(&self, row: &Row, group: Group) -> Vec<f64> {
        (0..self.group(group).names.len()).map(|k| row.get(group, k).unwrap_or(0.0)).collect()
    }

    /// The numbers of a group, or the name of the one that is missing.
    pub fn all(&self, row: &Row, group: Group) -> Result<Vec<f64>, Message> {
        let missing = |name: &Name| Message::new(format!("`{}` is missing", name.text));
        let names = self.group(group).names.iter().enumerate();
        names.map(|(k, name)| row.get(group, k).ok_or_else(|| missing(name))).collect()
    }

    /// Puts the numbers of an argument into a row: those of the first group, or those of all of them.
    pub fn argument(
        &self,
        row: &mut Row,
        option: &str,
        groups: &[Group],
        texts: &[String],
    ) -> Result<(), Message> {
        let columns: Vec<&Columns> = groups.iter().map(|group| self.group(*group)).collect();
        let first = columns.first().map_or(0, |columns| columns.names.len());
        let all: usize = columns.iter().map(|columns| columns.names.len()).sum();
        if texts.len() != first && texts.len() != all {
            return Err(self.wrong_count(option, &columns, texts));
        }
        let names = columns.iter().flat_map(|columns| {
            columns.names.iter().enumerate().map(|(component, name)| (columns.group, component, name))
        });
        for ((group, component, name), text) in names.zip(texts) {
            row.set(group, component, number(&name.text, name.kind, text)?);
        }
        Ok(())
    }

    fn wrong_count(&self, option: &str, columns: &[&Columns], texts: &[String]) -> Message {
        let given = texts.len();
        let counts = columns.iter().scan(0, |sum, columns| {
            *sum += columns.names.len();
            Some(*sum)
        });
        let mut counts: Vec<usize> = counts.collect();
        counts.dedup();
        let all = counts.last().copied().unwrap_or(0);
        let counts = counts.iter().map(usize::to_string).collect::<Vec<_>>().join(" or ");
        let names: Vec<String> = columns
            .iter()
            .filter(|columns| !columns.names.is_empty())
            .enumerate()
            .map(|(k, columns)| if k == 0 { columns.capitals() } else { format!("[{}]", columns.capitals()) })
            .collect();
        let names = names.join(" ");
        let (are, numbers) =
            (if given == 1 { "is" } else { "are" }, if all == 1 { "number" } else { "numbers" });
        let mut error = if option.is_empty() {
            format!("{counts} {numbers} are needed, {names}, and {given} {are} given")
        } else {
            format!("`{option}` needs {counts} {numbers}, {names}, and {given} {are} given")
        };
        let is_pose = columns.iter().any(|columns| columns.group == Group::Position);
        let with_angles = given == all + 3 || (all, given) == (2, 3);
        if is_pose && !self.turns() && with_angles {
            let _ = write!(error, "; the platform of `{}` does not turn", self.robot);
        }
        let message = Message::new(error);
        let is_word = |text: &String| !text.contains(|c: char| c.is_ascii_digit());
        let coordinates = self.group(Group::Position).names.len();
        if texts.iter().any(is_word) {
            message.hint("write a number and its unit in one word: 100mm")
        } else if !option.is_empty() && given >= all + coordinates {
            message.hint("write the platform position before the options")
        } else {
            message
        }
    }

    /// Its coordinates on the command line: "X Y Z [ROLL PITCH YAW]".
    pub fn coordinates(&self) -> String {
        let position = self.group(Group::Position).capitals();
        if self.turns() {
            format!("{position} [{}]", self.group(Group::Orientation).capitals())
        } else {
            position
        }
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn groups(freedoms: &[Freedom], slides: &[bool]) -> Vec<Columns> {
    let free = |turning: bool| -> Vec<usize> {
        freedoms.iter().filter(|f| f.turns() == turning).map(|f| f.component % 3).collect()
    };
    let (linear, angular) = (free(false), free(true));
    let axes = |group, key, letter: &str, places: &[usize], kind| {
        let name = |place: &usize| Name { text: format!("{letter}{}", AXES[*place]), kind, place: *place };
        Columns { group, key, names: places.iter().map(name).collect() }
    };
    let motors = |group, key: &'static str, turning, sliding| {
        let name = |(place, slides): (usize, &bool)| Name {
            text: format!("{key}{}", place + 1),
            kind: if *slides { sliding } else { turning },
            place,
        };
        Columns { group, key, names: slides.iter().enumerate().map(name).collect() }
    };
    let angle = |(place, name): (usize, &str)| Name { text: name.into(), kind: Kind::Angle, place };
    let (key, angles): (_, Vec<Name>) = match angular[..] {
        [] => ("orientation", Vec::new()),
        [0] => ("roll", vec![angle((0, "roll"))]),
        [1] => ("pitch", vec![angle((1, "pitch"))]),
        [_] => ("angle", vec![angle((2, "angle"))]),
        _ => ("orientation", ["roll", "pitch", "yaw"].into_iter().enumerate().map(angle).collect()),
    };
    let plain = |group, key, names: Vec<String>| {
        let name = |(place, text)| Name { text, kind: Kind::Ratio, place };
        let names = names.into_iter().enumerate().map(name).filter(|_| !angular.is_empty());
        Columns { group, key, names: names.collect() }
    };
    let entries = (1..=3).flat_map(|i| (1..=3).map(move |j| format!("r{i}{j}")));
    vec![
        axes(Group::Position, "position", "", &linear, Kind::Length),
        Columns { group: Group::Orientation, key, names: angles },
        plain(Group::Quaternion, "quaternion_wxyz", ["qw", "qx", "qy", "qz"].map(str::to_owned).to_vec()),
        plain(Group::Rotation, "rotation", entries.collect()),
        axes(Group::Velocity, "velocity", "v", &linear, Kind::Speed),
        axes(Group::AngularVelocity, "angular_velocity", "w", &angular, Kind::AngularSpeed),
        axes(Group::Acceleration, "acceleration", "a", &linear, Kind::Acceleration),
        axes(Group::AngularAcceleration, "angular_acceleration", "b", &angular, Kind::AngularAcceleration),
        axes(Group::Force, "force", "f", &linear, Kind::Force),
        axes(Group::Moment, "moment", "m", &angular, Kind::Torque),
        motors(Group::Joints, "q", Kind::Angle, Kind::Length),
        motors(Group::JointSpeeds, "qd", Kind::AngularSpeed, Kind::Speed),
        motors(Group::JointAccelerations, "qdd", Kind::AngularAcceleration, Kind::Acceleration),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_in_its_place() {
        for name in ["delta-industrial", "five-bar", "planar-3rrr", "gough-stewart", "space-radial"] {
            let form = Form::of(&AnyRobot::open(name).unwrap());
            for (k, columns) in form.groups().iter().enumerate() {
                assert_eq!(columns.group as usize, k, "{name}");
            }
        }
    }

    #[test]
    fn the_coordinates_are_those_of_the_freedoms() {
        for (name, coordinates) in [
            ("delta-industrial", "X Y Z"),
            ("linear-delta", "X Y Z"),
            ("five-bar", "X Y"),
            ("planar-3rrr", "X Y [ANGLE]"),
            ("c5", "X Y Z [ROLL PITCH YAW]"),
        ] {
            assert_eq!(Form::of(&AnyRobot::open(name).unwrap()).coordinates(), coordinates);
        }
    }
}

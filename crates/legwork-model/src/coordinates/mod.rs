//! What the numbers about one robot are: the names, units and kinds of its platform and motor coordinates, and how
//! they are read and printed.
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::coordinates::{CoordinateSchema, POSE, Values};
//!
//! let robot = AnyRobot::open("gough-stewart")?;
//! let schema = CoordinateSchema::of(&robot);
//! assert_eq!(schema.usage(), "X Y Z [ROLL PITCH YAW]");
//! let mut values = Values::default();
//! schema.read(&mut values, "", POSE, &["50mm", "0", "0.8", "5deg", "0", "0"])?;
//! let platform = schema.platform(&values)?;
//! assert_eq!(platform.position, [0.05, 0.0, 0.8]);
//! assert_eq!(schema.place(&platform), "(50, 0, 800) mm, roll pitch yaw (5, 0, 0) deg");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod choice;
mod error;
mod pose;
mod row;
mod unit;
mod values;

pub use choice::{UnitChoice, unit_in_name};
pub use error::CoordinateError;
pub use row::StateRow;
pub use unit::Units;
pub use values::{ACCELERATION, Group, POSE, VELOCITY, Values, WRENCH, number};

use crate::rotation::Matrix;
use crate::units::Quantity;
use crate::{AnyRobot, Freedom, PlatformState};

/// What the numbers about one robot are.
#[derive(Clone, Debug)]
pub struct CoordinateSchema {
    /// Name of the robot.
    pub robot: String,
    /// Freedoms of its platform, in order.
    pub freedoms: Vec<Freedom>,
    /// For each motor, whether it slides.
    slides: Vec<bool>,
    /// In the order of [`Group`].
    groups: Vec<GroupSchema>,
    home: PlatformState,
    /// The orientation that all angles 0 stand for.
    zero: Matrix,
    /// Units of bare numbers and of answers.
    choice: UnitChoice,
}

/// A group of numbers as this robot has it; with no names if it has none.
#[derive(Clone, Debug)]
pub struct GroupSchema {
    /// Which group.
    pub group: Group,
    /// Its key in JSON.
    pub key: &'static str,
    /// Its numbers, in order.
    pub names: Vec<CoordinateName>,
}

/// One number of a group.
#[derive(Clone, Debug)]
pub struct CoordinateName {
    /// How it is called: `x`, `vx`, `q1`.
    pub text: String,
    /// What it measures.
    pub quantity: Quantity,
    /// Which component of a vector of three it is, or which motor.
    pub place: usize,
}

impl GroupSchema {
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
pub enum MotorMotion {
    /// All turn.
    Turn,
    /// All slide.
    Slide,
    /// Some turn, some slide.
    Both,
}

impl CoordinateSchema {
    /// The numbers about this robot.
    pub fn of(robot: &AnyRobot) -> Self {
        let freedoms = robot.freedoms().to_vec();
        let slides: Vec<bool> = robot.joints().iter().map(|joint| joint.slides).collect();
        let home = robot.home();
        let groups = groups(&freedoms, &slides);
        let zero = pose::zero(&freedoms, &home.rotation);
        Self {
            robot: robot.name().into(),
            freedoms,
            slides,
            groups,
            home,
            zero,
            choice: UnitChoice::default(),
        }
    }

    /// A group as this robot has it.
    pub fn group(&self, group: Group) -> &GroupSchema {
        &self.groups[group as usize]
    }

    /// All groups, in the order of [`Group`].
    pub fn groups(&self) -> &[GroupSchema] {
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

    /// Whether the platform turns.
    pub fn turns(&self) -> bool {
        !self.group(Group::Orientation).names.is_empty()
    }

    /// Whether the motors turn or slide.
    pub fn motor_motion(&self) -> MotorMotion {
        match (self.slides.contains(&false), self.slides.contains(&true)) {
            (false, true) => MotorMotion::Slide,
            (true, true) => MotorMotion::Both,
            _ => MotorMotion::Turn,
        }
    }

    /// How many motors there are.
    pub fn motor_count(&self) -> usize {
        self.slides.len()
    }

    /// One of two for each motor.
    pub fn each<T: Copy>(&self, turning: T, sliding: T) -> Vec<T> {
        self.slides.iter().map(|slides| if *slides { sliding } else { turning }).collect()
    }

    /// "deg", "mm" or "deg, mm".
    pub fn either(&self, turning: &str, sliding: &str) -> String {
        match self.motor_motion() {
            MotorMotion::Turn => turning.to_owned(),
            MotorMotion::Slide => sliding.to_owned(),
            MotorMotion::Both => format!("{turning}, {sliding}"),
        }
    }

    /// Joint values in deg and mm.
    pub fn in_degrees_and_millimetres(&self, q: &[f64]) -> Vec<f64> {
        let shown = |(q, slides): (&f64, &bool)| if *slides { q * 1e3 } else { q.to_degrees() };
        q.iter().zip(&self.slides).map(shown).collect()
    }

    /// Units of the numbers of a group.
    pub fn units(&self, group: Group) -> Units {
        Units::of(self.group(group).names.iter().map(|name| name.quantity.si_unit()).collect())
    }

    /// Its coordinates on a command line: "X Y Z [ROLL PITCH YAW]".
    pub fn usage(&self) -> String {
        let position = self.group(Group::Position).capitals();
        if self.turns() { format!("{position} [{}]", self.angles_usage()) } else { position }
    }

    /// Its angles on a command line: "ROLL PITCH YAW"; one that follows from the others may be left out.
    fn angles_usage(&self) -> String {
        let (angles, free) = (self.group(Group::Orientation), self.free_angles());
        if free != [0, 1] || angles.names.len() != 3 {
            return angles.capitals();
        }
        "ROLL PITCH [YAW]".into()
    }

    /// The axes about which the platform is free to turn, from 0.
    fn free_angles(&self) -> Vec<usize> {
        self.group(Group::AngularVelocity).names.iter().map(|name| name.place).collect()
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

fn groups(freedoms: &[Freedom], slides: &[bool]) -> Vec<GroupSchema> {
    use Quantity as Q;
    let free = |turning: bool| -> Vec<usize> {
        freedoms.iter().filter(|f| f.turns() == turning).map(|f| f.component % 3).collect()
    };
    let (linear, angular) = (free(false), free(true));
    let axes = |group, key, letter: &str, places: &[usize], quantity| {
        let name = |place: &usize| CoordinateName {
            text: format!("{letter}{}", AXES[*place]),
            quantity,
            place: *place,
        };
        GroupSchema { group, key, names: places.iter().map(name).collect() }
    };
    let motors = |group, key: &'static str, turning, sliding| {
        let name = |(place, slides): (usize, &bool)| CoordinateName {
            text: format!("{key}{}", place + 1),
            quantity: if *slides { sliding } else { turning },
            place,
        };
        GroupSchema { group, key, names: slides.iter().enumerate().map(name).collect() }
    };
    let angle =
        |(place, name): (usize, &str)| CoordinateName { text: name.into(), quantity: Q::Angle, place };
    let (key, angles): (_, Vec<CoordinateName>) = match angular[..] {
        [] => ("orientation", Vec::new()),
        [0] => ("roll", vec![angle((0, "roll"))]),
        [1] => ("pitch", vec![angle((1, "pitch"))]),
        [_] => ("angle", vec![angle((2, "angle"))]),
        _ => ("orientation", ["roll", "pitch", "yaw"].into_iter().enumerate().map(angle).collect()),
    };
    let plain = |group, key, names: Vec<String>| {
        let name = |(place, text)| CoordinateName { text, quantity: Q::Ratio, place };
        let names = names.into_iter().enumerate().map(name).filter(|_| !angular.is_empty());
        GroupSchema { group, key, names: names.collect() }
    };
    let entries = (1..=3).flat_map(|i| (1..=3).map(move |j| format!("r{i}{j}")));
    vec![
        axes(Group::Position, "position", "", &linear, Q::Length),
        GroupSchema { group: Group::Orientation, key, names: angles },
        plain(Group::Quaternion, "quaternion_wxyz", ["qw", "qx", "qy", "qz"].map(str::to_owned).to_vec()),
        plain(Group::Rotation, "rotation", entries.collect()),
        axes(Group::Velocity, "velocity", "v", &linear, Q::Speed),
        axes(Group::AngularVelocity, "angular_velocity", "w", &angular, Q::AngularSpeed),
        axes(Group::Acceleration, "acceleration", "a", &linear, Q::Acceleration),
        axes(Group::AngularAcceleration, "angular_acceleration", "b", &angular, Q::AngularAcceleration),
        axes(Group::Force, "force", "f", &linear, Q::Force),
        axes(Group::Moment, "moment", "m", &angular, Q::Torque),
        motors(Group::Joints, "q", Q::Angle, Q::Length),
        motors(Group::JointSpeeds, "qd", Q::AngularSpeed, Q::Speed),
        motors(Group::JointAccelerations, "qdd", Q::AngularAcceleration, Q::Acceleration),
        motors(Group::Efforts, "motor_effort", Q::Torque, Q::Force),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_group_is_in_its_place() {
        for name in ["delta-industrial", "five-bar", "planar-3rrr", "gough-stewart", "space-radial"] {
            let schema = CoordinateSchema::of(&AnyRobot::open(name).unwrap());
            for (k, columns) in schema.groups().iter().enumerate() {
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
            assert_eq!(CoordinateSchema::of(&AnyRobot::open(name).unwrap()).usage(), coordinates);
        }
    }
}

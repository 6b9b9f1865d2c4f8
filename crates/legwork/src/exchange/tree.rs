//! A robot as every dialect can say it: a tree of links, what closes its loops, and motors.
//!
//! Bodies without mass between two joints are no links: their joints stand one after the other between the bodies that
//! they connect. A loop is opened at a ball joint, whose two points then meet (`Closing::Point`). A loop without one is
//! opened inside a body: the body is there several times, each with the same share of its mass and inertia, and the
//! parts are welded (`Closing::Weld`). So the masses of all links together are those of the robot.

use super::ExchangeError;
use super::spanning::{Edge, Spanned, spanned};
use crate::description::MechanismMotor;
use crate::mechanism::{JointDescription, JointType, MechanismDescription};
use crate::{AnyRobot, PlatformState, V3};
use legwork_core::engine::{Drive, Pose, RigidBody};
use std::collections::BTreeSet;

/// A robot as a tree of links with closings.
pub(super) struct Tree {
    pub name: String,
    /// Acceleration of free fall \[m/s²\].
    pub gravity: V3<f64>,
    /// A parent stands before its children.
    pub links: Vec<Link>,
    pub closings: Vec<Closing>,
    /// In the order of the robot's motors.
    pub motors: Vec<TreeMotor>,
    /// The link of the platform, its point there, and the words of its freedoms.
    pub platform: (usize, V3<f64>),
    pub freedoms: Vec<&'static str>,
    /// A length that is typical for the robot \[m\].
    pub length: f64,
    pub has_masses: bool,
    /// What a reader should know.
    pub notes: Vec<String>,
}

/// A body, and how it hangs on the one before.
pub(super) struct Link {
    pub name: String,
    /// In its own frame.
    pub body: RigidBody<f64>,
    /// None for the ground.
    pub parent: Option<usize>,
    /// From the frame of the parent: a frame, a joint, a frame, a joint and so on.
    pub steps: Vec<Step>,
    /// From the last joint to its own frame.
    pub last: Pose<f64>,
    /// Its place among the bodies of the mechanism; parts of one body have the same.
    pub source: usize,
}

/// A frame after the one before, and a joint in it.
pub(super) struct Step {
    pub before: Pose<f64>,
    pub joint: TreeJoint,
}

/// A joint of one freedom, or a ball.
#[derive(Clone)]
pub(super) struct TreeJoint {
    pub name: String,
    pub motion: Motion,
    /// Its coordinate at home \[rad or m\]; that of a ball is zero.
    pub home: f64,
    pub min: Option<f64>,
    pub max: Option<f64>,
    pub drive: Drive<f64>,
    /// Which motor drives it.
    pub motor: Option<usize>,
    /// Its joint in the mechanism, and which of its coordinates it is; of a ball the first.
    pub source: (usize, usize),
}

/// What a joint does in its frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Motion {
    Turn(V3<f64>),
    Slide(V3<f64>),
    /// Turns Rx(a) Ry(b) Rz(c); the other way round if `reversed`.
    Ball {
        reversed: bool,
    },
}

/// What closes a loop.
pub(super) struct Closing {
    pub name: String,
    pub kind: ClosingKind,
    /// Link and frame there, `None` for the ground; of a point the origin counts.
    pub ends: [(Option<usize>, Pose<f64>); 2],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ClosingKind {
    /// Two points meet.
    Point,
    /// Two frames meet.
    Weld,
}

/// A motor of the robot.
pub(super) struct TreeMotor {
    /// Name of its joint.
    pub joint: String,
    /// Turns of the motor for one of the joint.
    pub gear: f64,
    /// Rotor and gearbox on the side of the motor \[kg m² or kg\].
    pub rotor: f64,
    pub max_effort: Option<f64>,
    pub max_speed: Option<f64>,
}

/// Base axis number k.
pub(super) fn axis(k: usize) -> V3<f64> {
    V3::from([0, 1, 2].map(|i| f64::from(u8::from(i == k))))
}

/// Names without what XML, ROS or MuJoCo read as something else, each there once.
pub(super) struct Names(BTreeSet<String>);

impl Names {
    pub fn new() -> Self {
        Self(["world", "base", "platform_point"].map(String::from).into())
    }

    fn has(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    pub fn unique(&mut self, name: &str) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || "_.-".contains(c) { c } else { '_' };
        let plain: String = name.chars().map(plain).collect();
        let plain = if plain.is_empty() { "unnamed".to_owned() } else { plain };
        let mut found = plain.clone();
        let mut number = 2;
        while !self.0.insert(found.clone()) {
            found = format!("{plain}_{number}");
            number += 1;
        }
        found
    }
}

/// The joints of one freedom that a joint is made of, in their order from P to C, and how their names end.
pub(super) fn parts_of(kind: JointType) -> Vec<(Motion, &'static str)> {
    let (turn, slide) = (|k| Motion::Turn(axis(k)), |k| Motion::Slide(axis(k)));
    match kind {
        JointType::Fixed => vec![],
        JointType::Revolute => vec![(turn(2), "")],
        JointType::Prismatic => vec![(slide(2), "")],
        JointType::Cylindrical => vec![(slide(2), "_slide"), (turn(2), "_turn")],
        JointType::Universal => vec![(turn(2), "_1"), (turn(1), "_2")],
        JointType::Spherical => vec![(Motion::Ball { reversed: false }, "")],
        JointType::Planar => vec![(slide(0), "_x"), (slide(1), "_y"), (turn(2), "_turn")],
    }
}

impl Motion {
    fn reversed(self) -> Self {
        match self {
            Self::Turn(axis) => Self::Turn(-axis),
            Self::Slide(axis) => Self::Slide(-axis),
            Self::Ball { reversed } => Self::Ball { reversed: !reversed },
        }
    }
}

/// A mechanism and where its bodies are at home.
pub(super) struct AtHome<'a> {
    pub mechanism: &'a MechanismDescription,
    /// Frames of all bodies in the world.
    pub poses: Vec<Pose<f64>>,
}

impl AtHome<'_> {
    /// Place of a body by its name; `None` for the ground.
    pub fn place(&self, body: &str) -> Option<usize> {
        self.mechanism.bodies.iter().position(|one| one.name == body)
    }

    fn pose(&self, body: Option<usize>) -> Pose<f64> {
        body.and_then(|body| self.poses.get(body).copied()).unwrap_or_else(Pose::identity)
    }

    /// A joint's frame P; that of a ball is turned so that it meets C at home.
    pub fn parent_frame(&self, joint: &JointDescription) -> Pose<f64> {
        if joint.kind != JointType::Spherical {
            return joint.parent_frame;
        }
        let parent = self.pose(self.place(&joint.parent)).rotation;
        let child = self.pose(self.place(&joint.child)).rotation * joint.child_frame.rotation;
        Pose::new(parent.transpose() * child, joint.parent_frame.position)
    }

    /// Frame C of a joint seen from frame P, where the bodies are.
    pub fn seen(&self, joint: &JointDescription, poses: &[Pose<f64>]) -> Pose<f64> {
        let at = |body: &str| {
            self.place(body).and_then(|body| poses.get(body).copied()).unwrap_or_else(Pose::identity)
        };
        let parent = at(&joint.parent) * self.parent_frame(joint);
        parent.inverse() * (at(&joint.child) * joint.child_frame)
    }

    /// The steps along joints, and the frame after the last one.
    fn steps(&self, edge: &Edge, limits: &Limits<'_>) -> (Vec<Step>, Pose<f64>) {
        let (mut steps, mut before) = (Vec::new(), Pose::identity());
        for (place, reversed) in &edge.joints {
            let Some(joint) = self.mechanism.joints.get(*place) else { continue };
            let frames = [self.parent_frame(joint), joint.child_frame];
            let [from, to] = if *reversed { [frames[1], frames[0]] } else { frames };
            let values = joint.kind.coordinates(&self.seen(joint, &self.poses));
            let mut parts: Vec<(usize, (Motion, &str))> =
                parts_of(joint.kind).into_iter().enumerate().collect();
            if *reversed {
                parts.reverse();
            }
            before = before * from;
            for (number, (motion, ending)) in parts {
                let motion = if *reversed { motion.reversed() } else { motion };
                let is_ball = joint.kind == JointType::Spherical;
                let joint = TreeJoint {
                    name: format!("{}{ending}", joint.name),
                    motion,
                    home: if is_ball { 0.0 } else { values.get(number).copied().unwrap_or(0.0) },
                    source: (*place, number),
                    ..limits.of(joint)
                };
                steps.push(Step { before, joint });
                before = Pose::identity();
            }
            before = before * to.inverse();
        }
        (steps, before)
    }
}

/// Limits, gears and motors of the joints.
struct Limits<'a> {
    robot: &'a AnyRobot,
    motors: &'a [String],
    /// Values of the motors at home.
    home: Vec<f64>,
}

impl Limits<'_> {
    fn of(&self, joint: &JointDescription) -> TreeJoint {
        let file = self.robot.bodies_and_joints();
        let own = file.and_then(|file| file.joints.iter().find(|other| other.name == joint.name));
        TreeJoint {
            name: String::new(),
            motion: Motion::Ball { reversed: false },
            home: 0.0,
            min: own.and_then(|own| own.min),
            max: own.and_then(|own| own.max),
            drive: joint.motor.or(joint.drag).unwrap_or_else(Drive::ideal),
            motor: self.motors.iter().position(|motor| *motor == joint.name),
            source: (0, 0),
        }
    }
}

impl Tree {
    /// A robot with its masses, motors and limits; its platform at home.
    pub fn of(robot: &AnyRobot) -> Result<Self, ExchangeError> {
        let refused = |fault: crate::RobotError| ExchangeError::Robot(Box::new(fault));
        let robot = robot.as_mechanism().map_err(refused)?;
        let no_mechanism =
            || ExchangeError::CannotSay { what: format!("`{}`, which has no bodies", robot.name()) };
        let model = robot.mechanism_model().ok_or_else(no_mechanism)?;
        let mechanism = model.description();
        let poses = robot.body_poses(&robot.home()).ok_or_else(no_mechanism)?.map_err(refused)?;
        let home = AtHome { mechanism, poses };
        let limits = Limits {
            robot: &robot,
            motors: &mechanism.motors,
            home: robot.inverse_kinematics(&robot.home()).map_err(refused)?.q,
        };
        let Spanned { placed, closings, shares } = spanned(&home, robot.has_masses(), model.length());
        let links: Vec<Link> = placed
            .iter()
            .map(|one| {
                let (steps, last) = home.steps(&one.edge, &limits);
                let (body, name) = mechanism.bodies.get(one.body).map_or_else(
                    || (RigidBody::massless(), String::new()),
                    |body| (body.body, body.name.clone()),
                );
                let share = shares.get(one.body).copied().unwrap_or(1.0);
                let name = if one.part == 0 { name } else { format!("{name}_part{}", one.part + 1) };
                Link {
                    name,
                    body: RigidBody { mass: body.mass * share, inertia: body.inertia * share, ..body },
                    parent: one.parent,
                    steps,
                    last,
                    source: one.body,
                }
            })
            .collect();
        let platform = home
            .place(&mechanism.platform)
            .and_then(|body| placed.iter().position(|one| one.body == body && one.part == 0))
            .ok_or_else(no_mechanism)?;
        let freedoms = robot.freedoms().iter().filter_map(|freedom| FREEDOMS.get(freedom.component).copied());
        let mut tree = Self {
            name: names_of_model(robot.name()),
            gravity: mechanism.gravity,
            links,
            closings,
            motors: Vec::new(),
            platform: (platform, mechanism.platform_point),
            freedoms: freedoms.collect(),
            length: model.length(),
            has_masses: robot.has_masses(),
            notes: Vec::new(),
        };
        tree.name_joints(&limits);
        tree.motors = motors(&tree, &robot, mechanism);
        tree.tell(&robot, &shares);
        Ok(tree)
    }

    /// Names of joints, links and closings, each there once; motors where they are at home, on whatever turn.
    fn name_joints(&mut self, limits: &Limits<'_>) {
        let mut names = Names::new();
        for joint in self.links.iter_mut().flat_map(|link| &mut link.steps).map(|step| &mut step.joint) {
            joint.name = names.unique(&joint.name);
            if let Some(value) = joint.motor.and_then(|motor| limits.home.get(motor)) {
                joint.home = *value;
            }
        }
        for link in &mut self.links {
            link.name = if names.has(&link.name) {
                names.unique(&format!("{}_link", link.name))
            } else {
                names.unique(&link.name)
            };
        }
        for closing in &mut self.closings {
            closing.name = names.unique(&closing.name);
        }
    }

    fn tell(&mut self, robot: &AnyRobot, shares: &[f64]) {
        let guided = self.joints().any(|joint| robot.guided(&joint.name).is_some());
        if guided {
            self.notes.push(
                "Joints `guide_...` are none of the machine: they stand for the parallelograms, or other legs without \
                 bodies of their own, that keep the platform from turning."
                    .into(),
            );
        }
        if !self.has_masses {
            self.notes.push("The robot has no masses: only its geometry is right.".into());
        }
        let parted: Vec<&str> = self
            .links
            .iter()
            .filter(|link| shares.get(link.source).is_some_and(|share| *share < 1.0))
            .filter(|link| !link.name.contains("_part"))
            .map(|link| link.name.as_str())
            .collect();
        if !parted.is_empty() {
            self.notes.push(format!(
                "Loops without a ball joint are opened inside a body, which is there in parts that share its mass and \
                 inertia and are welded: {}.",
                parted.join(", ")
            ));
        }
        if robot
            .as_mechanism()
            .is_ok_and(|robot| robot.bodies_and_joints().is_some_and(|file| !file.cones.is_empty()))
        {
            self.notes.push("How far ball and universal joints open is not said.".into());
        }
    }

    pub fn joints(&self) -> impl Iterator<Item = &TreeJoint> {
        self.links.iter().flat_map(|link| &link.steps).map(|step| &step.joint)
    }

    /// The joint that a motor drives.
    pub fn driven(&self, motor: usize) -> Option<&TreeJoint> {
        self.joints().find(|joint| joint.motor == Some(motor))
    }

    pub fn link_name(&self, link: Option<usize>) -> &str {
        link.and_then(|link| self.links.get(link)).map_or("world", |link| &link.name)
    }
}

fn motors(tree: &Tree, robot: &AnyRobot, mechanism: &MechanismDescription) -> Vec<TreeMotor> {
    let file = robot.bodies_and_joints();
    let one = |(number, (name, info)): (usize, (&String, &crate::Joint))| {
        let joint = tree.driven(number)?;
        let own = file.and_then(|file| file.joints.iter().find(|other| other.name == *name));
        let gear = match own.and_then(|own| own.motor) {
            Some(MechanismMotor::Turning(motor)) => motor.gear_ratio,
            _ => 1.0,
        };
        Some(TreeMotor {
            joint: joint.name.clone(),
            gear,
            rotor: joint.drive.inertia / (gear * gear),
            max_effort: info.max_effort,
            max_speed: info.max_speed,
        })
    };
    mechanism.motors.iter().zip(robot.joints()).enumerate().filter_map(one).collect()
}

/// The components of a twist in robot files.
pub(super) const FREEDOMS: [&str; 6] = ["vx", "vy", "vz", "wx", "wy", "wz"];

fn names_of_model(name: &str) -> String {
    Names(BTreeSet::new()).unique(name)
}

/// The coordinates of all joints of a tree, each ball as three angles, where the platform is at a pose.
pub(super) struct Coordinates {
    robot: AnyRobot,
    /// Joint of the mechanism, number of the coordinate, motor.
    sources: Vec<(usize, usize, Option<usize>)>,
    pub names: Vec<String>,
}

/// How the three joints of a ball are called, from P to C.
pub(super) const BALL: [&str; 3] = ["_x", "_y", "_z"];

impl Coordinates {
    pub fn new(robot: &AnyRobot, tree: &Tree) -> Result<Self, ExchangeError> {
        let robot = robot.as_mechanism().map_err(|fault| ExchangeError::Robot(Box::new(fault)))?;
        let (mut sources, mut names) = (Vec::new(), Vec::new());
        for joint in tree.joints() {
            let (place, number) = joint.source;
            if let Motion::Ball { reversed } = joint.motion {
                let order = if reversed { [2, 1, 0] } else { [0, 1, 2] };
                for k in order {
                    sources.push((place, k, None));
                    names.push(format!("{}{}", joint.name, BALL[k]));
                }
            } else {
                sources.push((place, number, joint.motor));
                names.push(joint.name.clone());
            }
        }
        Ok(Self { robot, sources, names })
    }

    /// Which of them turn.
    pub fn turns(tree: &Tree) -> Vec<bool> {
        tree.joints()
            .flat_map(|joint| match joint.motion {
                Motion::Turn(_) => vec![true],
                Motion::Slide(_) => vec![false],
                Motion::Ball { .. } => vec![true; 3],
            })
            .collect()
    }

    /// In the order of the names \[rad or m\].
    pub fn at(&self, platform: &PlatformState) -> Result<Vec<f64>, crate::RobotError> {
        let Some((model, home)) = self.robot.mechanism_model().zip(self.robot.body_poses(&self.robot.home()))
        else {
            return Ok(Vec::new());
        };
        let home = AtHome { mechanism: model.description(), poses: home? };
        let poses = self.robot.body_poses(platform).unwrap_or_else(|| Ok(Vec::new()))?;
        let motors = self.robot.inverse_kinematics(platform)?.q;
        let joints = &home.mechanism.joints;
        let all: Vec<Vec<f64>> =
            joints.iter().map(|joint| joint.kind.coordinates(&home.seen(joint, &poses))).collect();
        let value = |(joint, number, motor): &(usize, usize, Option<usize>)| {
            let own = motor.and_then(|motor| motors.get(motor).copied());
            own.or_else(|| all.get(*joint)?.get(*number).copied()).unwrap_or(f64::NAN)
        };
        Ok(self.sources.iter().map(value).collect())
    }
}

//! What a robot is, as plain data and as text: for a program, a page or a notebook to show.
//!
//! ```
//! use legwork::AnyRobot;
//! use legwork::summary::RobotSummary;
//!
//! let robot = AnyRobot::open("linear-delta")?;
//! let summary = RobotSummary::of(&robot);
//! assert_eq!((summary.family, summary.leg_count), ("linear-delta", 3));
//! assert_eq!(summary.branches.as_ref().map(|branches| branches.names), Some(["above", "below"].as_slice()));
//! println!("{summary}"); // as `legwork show` prints it
//! # Ok::<(), legwork::RobotError>(())
//! ```

mod canvas;
mod display;
mod doubts;
mod facts;
mod identified;
mod mobility;
mod object;
mod property;
mod sketch;

pub use doubts::doubts;
pub use facts::side_not_named;
pub use facts::{LegBranches, motors_are};
pub use identified::{FoundNumber, IdentifiedSummary};
pub use mobility::MobilitySummary;
pub use sketch::Sketch;

use crate::coordinates::{CoordinateSchema, Group, MotorMotion};
use crate::description::{ControllerDefaults, Frame, MotionDefaults, Placement};
use crate::families::JointCone;
use crate::families::properties::{Drives, Property};
use crate::rotation::{self, Matrix};
use crate::{AnyRobot, Freedom, Joint, Singularity};
use serde::Serialize;

/// What a robot is. Numbers are in SI units and in the user's frame; printed, it is what `legwork show` says.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobotSummary {
    /// Its name.
    pub name: String,
    /// Name of its family.
    pub family: &'static str,
    /// What its family is, in words.
    pub meaning: &'static str,
    /// Where its numbers come from.
    pub source: Option<String>,
    /// What a reader should know about them.
    pub note: Option<String>,
    /// How frames and joints are counted.
    pub convention: ConventionSummary,
    /// Where its base stands in the cell in whose frame poses are given.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "object::placement")]
    pub cell: Option<Placement>,
    /// Where the tool point, which poses are of, is in the frame of the platform.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "object::placement")]
    pub tool: Option<Placement>,
    /// The names of the platform's free coordinates.
    pub freedoms: Vec<&'static str>,
    /// How a mechanism of bodies and joints can move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mobility: Option<MobilitySummary>,
    /// How many legs it has; 0 for a mechanism.
    #[serde(rename = "legs")]
    pub leg_count: usize,
    /// The working mode it is in.
    pub working_mode: String,
    /// The two branches of its legs, if they have two.
    pub branches: Option<LegBranches>,
    /// Its motors with their limits, as the user counts them.
    #[serde(serialize_with = "object::motors")]
    pub motors: Vec<Joint>,
    /// Its lengths, points and directions.
    #[serde(serialize_with = "object::properties")]
    pub geometry: Vec<Property>,
    /// Its bodies; none for a robot with geometry only.
    #[serde(rename = "mass", serialize_with = "object::properties_or_null")]
    pub bodies: Vec<Property>,
    /// What the platform carries \[kg\].
    pub payload: f64,
    /// Mass of everything that moves, with what the platform carries \[kg\].
    pub moving_mass: f64,
    /// Acceleration of gravity \[m/s²\].
    pub gravity: f64,
    /// Where it pulls, in base axes, or in those of the cell if there is one; unit vector.
    pub gravity_direction: [f64; 3],
    /// Inertia and friction of the motors, as the joints feel them.
    #[serde(rename = "drive", serialize_with = "object::drives")]
    pub drives: Drives,
    /// Friction and offset of the motors as they were identified, with standard deviations.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub identified: Vec<IdentifiedSummary>,
    /// How far its rods may lean, if its file says so; in JSON the angle \[rad\].
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "object::joint_cone")]
    pub joint_cone: Option<JointCone>,
    /// How far a Delta reaches, within the limits of its motors and joints.
    pub reach: Option<Reach>,
    /// Where it rests, and how it is there.
    #[serde(serialize_with = "object::home")]
    pub home: HomeSummary,
    /// What it follows if no path is asked for.
    #[serde(skip)]
    pub motion_defaults: Option<MotionDefaults>,
    /// How it is controlled if nothing else is asked for.
    #[serde(skip)]
    pub controller_defaults: Option<ControllerDefaults>,
    /// The robot at home, drawn with letters.
    #[serde(skip)]
    pub sketch: Option<Sketch>,
    /// Which units the numbers have.
    units: object::Units,
    /// Whether its motors turn, slide or both.
    #[serde(skip)]
    motion: MotorMotion,
    /// How large the platform is, to which rotations are compared \[m\].
    #[serde(skip)]
    platform_size: f64,
}

/// How frames and joints are counted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ConventionSummary {
    /// Name of the convention.
    pub name: &'static str,
    /// The same in words.
    pub text: String,
    /// The frame of a Delta.
    #[serde(flatten)]
    pub frame: Option<FrameSummary>,
}

/// Between legwork's own frame and that of the file.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FrameSummary {
    /// Height of the motor axes in the user's frame \[m\].
    pub motor_height: f64,
    /// +1 if motor angles are positive down, −1 if up.
    pub angle_sign: f64,
    /// Motor angle when the arm is horizontal \[rad\].
    pub angle_zero: f64,
}

impl From<&Frame> for FrameSummary {
    fn from(frame: &Frame) -> Self {
        Self { motor_height: frame.offset[2], angle_sign: frame.angle_sign, angle_zero: frame.angle_zero }
    }
}

/// How far the platform of a Delta reaches.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Reach {
    /// Lowest position on the axis \[m\].
    pub z_lowest: f64,
    /// Highest position on the axis \[m\].
    pub z_highest: f64,
    /// Radius of the largest disc about the axis that is in reach at some height \[m\]; in some directions it reaches
    /// further.
    pub radius: f64,
}

/// Where a robot rests, and how it is there.
#[derive(Clone, Debug, PartialEq)]
pub struct HomeSummary {
    /// The free coordinates of its position \[m\].
    pub position: Vec<f64>,
    /// Its orientation, if the platform turns.
    pub orientation: Option<OrientationSummary>,
    /// Position and orientation in words.
    pub place: String,
    /// Whether the file says it; otherwise it was chosen.
    pub is_given: bool,
    /// The robot at rest there; `None` if home is singular.
    pub at_rest: Option<RestSummary>,
}

/// An orientation in several forms.
#[derive(Clone, Debug, PartialEq)]
pub struct OrientationSummary {
    /// What the angles are: `roll_pitch_yaw` or `angle`.
    pub key: &'static str,
    /// Roll, pitch, yaw, or the one angle of a platform in the plane \[rad\].
    pub angles: Vec<f64>,
    /// Rotation matrix by rows.
    pub rotation: Matrix,
    /// The same as a quaternion, real part first.
    pub quaternion: [f64; 4],
}

/// A robot at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct RestSummary {
    /// Its motors \[rad\], \[m\].
    pub q: Vec<f64>,
    /// What holds it against gravity \[N m\], \[N\]; `None` for a robot with geometry only.
    pub gravity_effort: Option<Vec<f64>>,
    /// How far it is from singularities.
    pub singularity: Singularity,
}

impl RobotSummary {
    /// What this robot is.
    pub fn of(robot: &AnyRobot) -> Self {
        let description = robot.description();
        let (row, model) = (description.family().row(), &description.data);
        let state = robot.state(&robot.home()).ok();
        let tool = description.tool.as_ref().filter(|tool| model.has_masses() && tool.body.mass > 0.0);
        let bodies = model.bodies().into_iter().chain(tool.map(|tool| Property::body("tool", tool.body)));
        Self {
            name: robot.name().into(),
            family: row.name,
            meaning: row.meaning,
            source: description.source.clone(),
            note: description.note.clone(),
            convention: ConventionSummary::of(robot),
            cell: description.cell,
            tool: description.tool.map(|tool| tool.placement),
            freedoms: robot.freedoms().iter().map(|freedom| freedom.coordinate).collect(),
            mobility: robot.mobility().map(|mobility| MobilitySummary::of(robot, mobility)),
            leg_count: robot.leg_count(),
            working_mode: robot.working_mode(),
            branches: robot.branches(),
            motors: robot.joints().to_vec(),
            geometry: model.geometry(),
            bodies: bodies.collect(),
            payload: model.payload(),
            moving_mass: model.moving_mass() + tool.map_or(0.0, |tool| tool.body.mass),
            gravity: description.gravity,
            gravity_direction: description.gravity_direction,
            drives: model.drives(),
            identified: IdentifiedSummary::of(&description.identified),
            joint_cone: model.joint_cone(),
            reach: robot.reach().map(|(z_lowest, z_highest, radius)| Reach { z_lowest, z_highest, radius }),
            sketch: state.as_ref().and_then(|_| Sketch::at_home(robot)),
            home: HomeSummary::of(robot, state),
            motion_defaults: description.motion_defaults,
            controller_defaults: description.controller_defaults.clone(),
            units: object::Units,
            motion: CoordinateSchema::of(robot).motor_motion(),
            platform_size: robot.platform_size(),
        }
    }
}

impl HomeSummary {
    fn of(robot: &AnyRobot, state: Option<crate::State>) -> Self {
        let (schema, home) = (CoordinateSchema::of(robot), robot.home());
        Self {
            position: schema.pick(Group::Position, &home.position),
            orientation: schema.turns().then(|| OrientationSummary {
                key: schema.group(Group::Orientation).key,
                angles: schema.angles(&home.rotation),
                rotation: home.rotation,
                quaternion: rotation::to_quaternion(&home.rotation),
            }),
            place: schema.place(&home),
            is_given: robot.description().data.has_home(),
            at_rest: state.map(|state| RestSummary {
                q: state.q,
                gravity_effort: state.dynamics.map(|dynamics| dynamics.gravity),
                singularity: state.singularity,
            }),
        }
    }
}

/// A robot in a list of robots.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RobotEntry {
    /// Its name.
    pub name: String,
    /// Name of its family.
    pub family: &'static str,
    /// For each motor, whether it `turns` or `slides`.
    pub motors: Vec<&'static str>,
    /// The names of the platform's free coordinates.
    pub freedoms: Vec<&'static str>,
    /// How many legs it has.
    pub legs: usize,
    /// Whether it has masses, so that it has torques.
    pub masses: bool,
    /// Where its numbers come from.
    pub source: Option<String>,
}

impl RobotEntry {
    /// Of this robot.
    pub fn of(robot: &AnyRobot) -> Self {
        let description = robot.description();
        Self {
            name: robot.name().into(),
            family: description.family().name(),
            motors: robot.joints().iter().map(object::moves).collect(),
            freedoms: robot.freedoms().iter().map(|freedom: &Freedom| freedom.coordinate).collect(),
            legs: robot.leg_count(),
            masses: robot.has_masses(),
            source: description.source.clone(),
        }
    }

    /// "3 turn, 3 slide"
    pub fn motors_text(&self) -> String {
        facts::turn_and_slide(self.motors.iter().map(|moves| *moves == "slides"))
    }
}

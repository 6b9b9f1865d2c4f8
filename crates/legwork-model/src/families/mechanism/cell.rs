//! `[[robot]]` tables: robots of any family as parts of a cell, their bodies and joints under their own names.
//!
//! A robot that is called `left` has the bodies `left.platform`, `left.leg1_link1` and so on, those of a mechanism are
//! `left.` and their own names; what its platform carries is `left.tool` and `left.payload`. Joints of the cell may
//! name them all.

use super::{
    EffortPart, MechanismBody, MechanismCone, MechanismDescription, MechanismJoint, MechanismJointKind,
    from_blueprint, tables,
};
use crate::description::parts::{Body, Placement};
use crate::description::placement::placed;
use crate::description::problem::ProblemKind;
use crate::description::reader::Reader;
use crate::description::{DescriptionError, RobotDescription};
use crate::families::BUILT_IN;
use crate::families::blueprint::{Blueprint, BuildError};
use crate::families::closed_delta::Made;
use crate::rotation::{IDENTITY, rotated};
use crate::text::toml_text;
use legwork_core::V3;
use legwork_core::engine::{LegModel, Pose};
use std::sync::Arc;

/// A robot of a cell, where its own base frame is the reference.
pub(super) struct CellRobot {
    pub name: String,
    /// The name of the body that it stands on.
    pub on: Option<String>,
    /// Its base, in the frame of what it stands on.
    pub place: Placement,
    pub made: MechanismDescription,
}

impl CellRobot {
    /// Its bodies as parts of the cell, with the frame of its base there.
    pub fn bodies(&self, base: Placement) -> impl Iterator<Item = MechanismBody> {
        self.made.bodies.iter().map(move |body| MechanismBody {
            name: format!("{}.{}", self.name, body.name),
            body: body.body,
            home: placed(base, body.home),
        })
    }

    /// Its joints as parts of the cell: its first body there, what it stands on, and its base in that.
    pub fn joints(
        &self,
        first: usize,
        on: Option<usize>,
        base: Placement,
    ) -> impl Iterator<Item = MechanismJoint> {
        let side = move |body: Option<usize>| body.map_or(on, |body| Some(first + body));
        let frame =
            move |body: Option<usize>, frame| if body.is_none() { placed(base, frame) } else { frame };
        self.made.joints.iter().map(move |joint| MechanismJoint {
            name: format!("{}.{}", self.name, joint.name),
            parent: side(joint.parent),
            child: side(joint.child),
            parent_frame: frame(joint.parent, joint.parent_frame),
            child_frame: frame(joint.child, joint.child_frame),
            ..joint.clone()
        })
    }

    /// Its cones in the same way.
    pub fn cones(
        &self,
        first: usize,
        on: Option<usize>,
        base: Placement,
    ) -> impl Iterator<Item = MechanismCone> {
        self.made.cones.iter().map(move |cone| MechanismCone {
            joint: format!("{}.{}", self.name, cone.joint),
            bodies: cone.bodies.map(|body| body.map_or(on, |body| Some(first + body))),
            pins: [0, 1].map(|k| {
                if cone.bodies[k].is_none() { rotated(&base.rotation, cone.pins[k]) } else { cone.pins[k] }
            }),
            ..cone.clone()
        })
    }
}

/// One `[[robot]]`.
pub(super) fn read_robot(reader: &mut Reader<'_, '_>) -> Option<CellRobot> {
    let name = super::read::read_name(reader, &tables::ROBOT_NAME);
    let robot = super::read::read_name(reader, &tables::ROBOT_FILE);
    let on = if reader.has(tables::ROBOT_ON.key) {
        super::read::read_name(reader, &tables::ROBOT_ON)
    } else {
        None
    };
    let position = reader.vector(&tables::ROBOT_POSITION).unwrap_or_default();
    let rotation = reader.rotation();
    let home: Option<[f64; 3]> = reader.vector(&tables::ROBOT_HOME);
    let payload = reader.optional_number(&tables::ROBOT_PAYLOAD);
    let (name, robot) = (name?, robot?);
    let made = opened(&robot, reader).map_err(|error| reason_of(&error)).and_then(|mut description| {
        if let Some(mass) = payload {
            description.data.set_payload(mass);
        }
        parts_of(&description, home)
    });
    match made {
        Ok(made) => Some(CellRobot { name, on, place: Placement { position, rotation }, made }),
        Err(reason) => {
            let span = reader.value(tables::ROBOT_FILE.key).map(toml::Spanned::span);
            reader.notes.note(span, ProblemKind::CellRobot { name, robot, reason });
            None
        }
    }
}

/// A built-in robot, the robot in a file that the cell carries, or the robot in another file, whose path is from the folder of the
/// cell.
fn opened(robot: &str, reader: &mut Reader<'_, '_>) -> Result<RobotDescription, DescriptionError> {
    let is_path = robot.contains(['/', '\\', '.']);
    if !is_path || BUILT_IN.iter().any(|built_in| built_in.name == robot) {
        return RobotDescription::built_in(robot);
    }
    let notes = &mut *reader.notes;
    if let Some((_, text)) = notes.carried.iter().find(|(path, _)| path == robot) {
        let file = notes.folder.join(robot).display().to_string();
        return RobotDescription::parse_within(text, &file, notes.depth + 1);
    }
    let opened = RobotDescription::load_within(notes.folder.join(robot), notes.depth + 1)?;
    if let Some(text) = &opened.text
        && notes.found.iter().all(|(path, _)| path != robot)
    {
        notes.found.push((robot.to_owned(), text.clone()));
    }
    Ok(opened)
}

/// One `[[robot_file]]`: its path and its text.
pub(super) fn read_carried(reader: &mut Reader<'_, '_>) -> Option<(String, String)> {
    let path = super::read::read_name(reader, &tables::CARRIED_PATH);
    let text = reader.text(&tables::CARRIED_TEXT);
    Some((path?, text?))
}

/// The text of a cell with the robot files that it names after it, each as a `[[robot_file]]`.
pub(crate) fn with_files(text: &str, files: &[(String, Arc<str>)]) -> String {
    let mut all = text.to_owned();
    for (path, file) in files {
        // Between three apostrophes a text stands as it is, but for ends of lines and what is no text.
        let stands = !file.contains("'''") && !file.contains('\r') && !file.ends_with('\'');
        let written = if stands { format!("'''\n{file}'''") } else { toml_text(file) };
        let break_line = if all.is_empty() || all.ends_with('\n') { "" } else { "\n" };
        all = format!("{all}{break_line}\n[[robot_file]]\npath = {}\ntext = {written}\n", toml_text(path));
    }
    all
}

/// What is said of files that name each other without an end.
const DEEP: &str = "stand within each other";

/// The first problem of a file, with its place.
fn reason_of(error: &DescriptionError) -> String {
    error.problems.first().map_or_else(
        || error.to_string(),
        |problem| {
            // A file that names itself is told once.
            if let ProblemKind::CellRobot { reason, .. } = &problem.kind
                && reason.contains(DEEP)
            {
                return reason.clone();
            }
            let line = problem.location.as_ref().map(|at| format!("line {}: ", at.line)).unwrap_or_default();
            let hint = problem.hint().map(|hint| format!("; {hint}")).unwrap_or_default();
            format!("{line}{problem}{hint}")
        },
    )
}

/// A robot as bodies and joints in the user's frame, with what its platform carries.
fn parts_of(robot: &RobotDescription, home: Option<[f64; 3]>) -> Result<MechanismDescription, String> {
    let gravity = V3::from(robot.gravity_vector());
    let refused = |error: BuildError| error.to_string();
    let cell = robot.cell.unwrap_or(Placement::IDENTITY);
    let (mut made, base) = match robot.data.made(gravity).map_err(refused)? {
        Made::Legs(blueprint, offset) => {
            let mut blueprint = blueprint.calibrated(&robot.calibration).map_err(refused)?;
            if let Some(home) = home {
                blueprint.home.position = V3::from(home) - offset;
                reaches(&blueprint)?;
            }
            let shift = Placement { position: offset.to_array(), rotation: IDENTITY };
            (from_blueprint(&blueprint, robot.data.joint_cone()).map_err(refused)?, placed(cell, shift))
        }
        Made::Mechanism(file) => {
            if home.is_some() {
                return Err(
                    "`home` is for robots of legs; a mechanism is at home where its bodies are".into()
                );
            }
            (MechanismDescription::calibrated(file, &robot.joint_calibration).into_owned(), cell)
        }
    };
    for body in &mut made.bodies {
        body.home = placed(base, body.home);
    }
    for joint in &mut made.joints {
        for (side, frame) in [(joint.parent, &mut joint.parent_frame), (joint.child, &mut joint.child_frame)]
        {
            if side.is_none() {
                *frame = placed(base, *frame);
            }
        }
    }
    for cone in &mut made.cones {
        for (body, pin) in cone.bodies.into_iter().zip(&mut cone.pins) {
            if body.is_none() {
                *pin = rotated(&base.rotation, *pin);
            }
        }
    }
    carry(&mut made, robot);
    Ok(made)
}

/// Whether the legs reach the home that was asked for.
fn reaches(blueprint: &Blueprint) -> Result<(), String> {
    let reach = |pose: &Pose<f64>| {
        blueprint.legs.iter().position(|leg| {
            let margin = leg.own.leg.kinematics(pose).margin;
            margin.is_nan() || margin <= 0.0
        })
    };
    match reach(&blueprint.home) {
        None => Ok(()),
        Some(leg) => Err(format!("leg {} does not reach its `home`", leg + 1)),
    }
}

/// Tool and payload, fixed to the platform.
fn carry(made: &mut MechanismDescription, robot: &RobotDescription) {
    let point = Placement { position: made.platform_point, rotation: IDENTITY };
    let tool = robot.tool.map_or(Placement::IDENTITY, |tool| tool.placement);
    // The tool is given from the platform point; the payload sits at the tool point.
    let parts = [
        ("tool", robot.tool.map(|tool| tool.body), point),
        ("payload", Some(made.payload), placed(point, tool)),
    ];
    for (name, body, frame) in parts {
        let Some(body) = body.filter(|body| body.mass > 0.0) else { continue };
        let home = made.bodies.get(made.platform).map_or(frame, |platform| placed(platform.home, frame));
        made.joints.push(MechanismJoint {
            name: name.into(),
            kind: MechanismJointKind::Fixed,
            parent: Some(made.platform),
            child: Some(made.bodies.len()),
            parent_frame: frame,
            child_frame: Placement::IDENTITY,
            motor: None,
            drag: None,
            min: None,
            max: None,
            choice: EffortPart::default(),
        });
        made.bodies.push(MechanismBody { name: name.into(), body, home });
    }
    made.payload = Body::MASSLESS;
}

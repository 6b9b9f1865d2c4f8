//! `legwork linearize`: small motions about a pose.

mod crossing;
mod object;
mod report;
mod wanted;

use super::simulate::pose;
use super::{no_masses, open};
use crate::Outcome;
use crate::args::{CoordinateChoice, LinearForm, LinearizeArgs};
use crate::failure::{Failure, Message};
use crate::json;
use legwork::analysis::linear::balance::{Balanced, balanced};
use legwork::analysis::linear::export::Export;
use legwork::analysis::linear::feedback::{self, Feedback};
use legwork::analysis::linear::order::{Order, controllable, observable};
use legwork::analysis::linear::{
    Constrained, Coordinates, LinearError, Mode, Pole, Reduced, StateSpace, zeros,
};
use legwork::coordinates::{CoordinateSchema, Group, Values};
use legwork::{AnyRobot, PlatformState};
use std::io::Write;
pub(super) use wanted::three;
use wanted::{Regulator, Wanted};

pub fn run(args: &LinearizeArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    if !robot.has_masses() {
        return Err(no_masses(&robot, &args.robot));
    }
    let schema = CoordinateSchema::of(&robot);
    let platform = place(args, &robot, &schema)?;
    if args.crossing {
        return crossing::run(args, &robot, &schema, &platform, as_json, out);
    }
    if let Some(path) = &args.out
        && !path.extension().is_some_and(|ending| ending == "json" || ending == "npz")
    {
        let message = Message::new(format!("`--out {}` does not say a format", path.display()));
        return Err(message.hint("let its name end in .json or .npz").into());
    }
    let wanted = Wanted::from_args(args)?;
    let found = Found::of(args, &wanted, &robot, platform).map_err(|error| failure(error, &args.robot))?;
    if let Some(path) = &args.out {
        found.export(&schema).save(path).map_err(|error| failure(error, &args.robot))?;
    }
    if as_json {
        json::print(&object::object(&found, &schema), out)?;
    } else {
        report::print(&found, &schema, args.out.as_deref(), out)?;
    }
    Ok(Outcome::Done)
}

/// Everything about one linear model.
struct Found {
    robot: String,
    platform: PlatformState,
    model: StateSpace,
    hold: Vec<f64>,
    /// The reduced schema; the modes of the constrained form are its modes too.
    reduced: Reduced,
    constrained: Option<Constrained>,
    poles: Vec<Pole>,
    modes: Vec<Mode>,
    zeros: Vec<Pole>,
    controllable: Order,
    observable: Order,
    balanced: Balanced,
    feedback: Option<Feedback>,
}

impl Found {
    fn of(
        args: &LinearizeArgs,
        wanted: &Wanted,
        robot: &AnyRobot,
        platform: PlatformState,
    ) -> Result<Self, LinearError> {
        let mut reduced = match args.coordinates {
            None => Reduced::at(robot, &platform)?,
            Some(CoordinateChoice::Joints) => Reduced::within(robot, &platform, Coordinates::Joints)?,
            Some(CoordinateChoice::Platform) => Reduced::within(robot, &platform, Coordinates::Platform)?,
        };
        if let Some(damping) = wanted.damping {
            reduced = reduced.with_arm_damping(robot, &platform, damping)?;
        }
        if args.gravity_compensation {
            reduced = reduced.with_gravity_compensation();
        }
        let constrained = match args.form {
            LinearForm::Reduced => None,
            LinearForm::Constrained => {
                Some(Constrained::at(robot, &platform, wanted.pole.unwrap_or(5.0), wanted.damping)?)
            }
        };
        let model = constrained.as_ref().map_or_else(|| reduced.state_space(), |schema| schema.model.clone());
        let poles = match &constrained {
            Some(schema) => schema.model.poles()?,
            None => reduced.poles()?,
        };
        let feedback = match &wanted.regulator {
            Some(Regulator::Lqr([x, v, r])) => {
                let model = reduced.state_space();
                let (q, r) = feedback::plain_weights(&model, *x, *v, *r);
                Some(feedback::lqr(&model, &q, &r)?)
            }
            Some(Regulator::Place(poles)) => Some(feedback::place(&reduced, poles)?),
            None => None,
        };
        Ok(Self {
            robot: robot.name().into(),
            platform,
            hold: reduced.hold.clone(),
            zeros: zeros::invariant_zeros(&model)?,
            controllable: controllable(&model),
            observable: observable(&model),
            balanced: balanced(&model)?,
            modes: reduced.modes()?,
            reduced,
            constrained,
            poles,
            feedback,
            model,
        })
    }

    fn is_stable(&self) -> bool {
        self.modes.iter().all(|mode| mode.pole.re <= 0.0)
    }

    fn form_name(&self) -> &'static str {
        if self.constrained.is_some() { "constrained" } else { "reduced" }
    }

    fn coordinates(&self) -> &'static str {
        match (&self.constrained, self.reduced.coordinates) {
            (Some(_), _) => "angles of the arms",
            (None, Coordinates::Joints) => "joints",
            (None, Coordinates::Platform) => "platform",
        }
    }

    /// What goes into a file.
    fn export(&self, schema: &CoordinateSchema) -> Export<'_> {
        let mut export = Export::new(&self.model)
            .word("robot", &self.robot)
            .word("form", self.form_name())
            .word("coordinates", self.coordinates())
            .word("pose", schema.place(&self.platform))
            .row("hold", &self.hold);
        if self.constrained.is_none() {
            let Reduced { mass, damping, stiffness, .. } = &self.reduced;
            export = export.matrix("mass", mass).matrix("damping", damping).matrix("stiffness", stiffness);
        }
        if let Some(feedback) = &self.feedback {
            export = export.matrix("gain", &feedback.gain);
        }
        export
    }
}

/// Where the platform is.
fn place(
    args: &LinearizeArgs,
    robot: &AnyRobot,
    schema: &CoordinateSchema,
) -> Result<PlatformState, Failure> {
    if args.joints.is_empty() {
        return Ok(pose(schema, "--pose", &args.pose)?.unwrap_or_else(|| robot.home()));
    }
    let mut row = Values::default();
    schema.read(&mut row, "--joints", &[Group::Joints], &args.joints)?;
    let q = schema.all(&row, Group::Joints)?;
    let found =
        robot.forward_kinematics(&q, &robot.home()).map_err(|error| Failure::of(error, &args.robot))?;
    Ok(PlatformState::at(found.position).turned(found.rotation))
}

/// The library's reason, with a way out.
pub(super) fn failure(error: LinearError, robot: &str) -> Failure {
    let (text, hint) = (error.to_string(), error.hint());
    match error {
        LinearError::Robot(error) => Failure::of(error, robot),
        _ => Message { hint, ..Message::new(text) }.into(),
    }
}

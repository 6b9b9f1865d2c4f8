//! `legwork fk`: where the platform is at joint values.

use crate::Outcome;
use crate::answer::{Asked, near, opened};
use crate::args::FkArgs;
use crate::failure::Failure;
use crate::table::Table;
use legwork::FORWARD_STARTS;
use legwork::coordinates::{Group, MotorMotion, Values};
use legwork::task::{ForwardAnswer, ForwardOptions, ForwardTask, RobotRequest, StateTask};
use legwork::text::{fixed, short_list};
use std::io::{self, Write};

const VERB: &str = "fk";

pub fn run(args: &FkArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let options = ForwardOptions {
        all: args.all,
        assembly: args.assembly.map(|side| side.name().to_owned()),
        near: near(&args.start.near)?,
        follow: args.start.follow,
    };
    let task = ForwardTask::open(&RobotRequest::named(&args.robot), &options);
    let task = opened(task, VERB, &args.robot)?;
    let mut row = Values::default();
    let is_whole = !args.joints.is_empty();
    if is_whole {
        task.schema().read(&mut row, "", &[Group::Joints], &args.joints)?;
    }
    Asked { verb: VERB, robot: &args.robot, task, row, is_whole }.run(as_json, out, print)
}

fn print(task: &ForwardTask, answers: &[ForwardAnswer], out: &mut dyn Write) -> io::Result<()> {
    let schema = task.schema();
    let Some(first) = answers.first() else { return Ok(()) };
    let what = match schema.motor_motion() {
        MotorMotion::Turn => "motor angles",
        MotorMotion::Slide => "motor positions",
        MotorMotion::Both => "joints",
    };
    let q = short_list(&schema.in_degrees_and_millimetres(&first.q));
    writeln!(out, "{} at {what} ({q}) {}\n", schema.robot, schema.either("deg", "mm"))?;
    poses(task, answers).print(out)?;
    if task.wants_all() {
        let modes = if answers.len() == 1 { "assembly mode" } else { "assembly modes" };
        let proof = if task.has_formula() {
            "all there are".into()
        } else {
            format!("found by {FORWARD_STARTS} seeded starts; there may be more")
        };
        writeln!(out, "\n{} {modes}, {proof}", answers.len())?;
    }
    if let Some(note) = task.robot.outside_limits_text(&first.outside_limits) {
        writeln!(out, "\n{note}")?;
    }
    Ok(())
}

fn poses(task: &ForwardTask, answers: &[ForwardAnswer]) -> Table {
    let schema = task.schema();
    let mut table = Table::default();
    let names = |group: Group, unit: &str| -> Vec<String> {
        schema.group(group).names.iter().map(|name| format!("{} [{unit}]", name.text)).collect()
    };
    let mut heads = vec!["platform".to_owned()];
    heads.extend(names(Group::Position, "mm"));
    heads.extend(names(Group::Orientation, "deg"));
    if !task.has_formula() {
        heads.extend(["steps".into(), format!("residual [{}]", schema.either("rad", "m"))]);
    }
    table.row(heads);
    for answer in answers {
        let solution = &answer.solution;
        let name = match (task.has_formula(), task.wants_all()) {
            (true, _) => format!("{} the elbows", solution.mode),
            (false, true) => solution.mode.clone(),
            (false, false) if task.start.is_home => "near home".into(),
            (false, false) => "near the start".into(),
        };
        let mut cells = vec![name];
        cells.extend(schema.pick(Group::Position, &solution.position).iter().map(|x| fixed(x * 1e3, 4)));
        cells.extend(schema.angles(&solution.rotation).iter().map(|angle| fixed(angle.to_degrees(), 4)));
        if !task.has_formula() {
            cells.extend([solution.iterations.to_string(), residual(solution.residual)]);
        }
        table.row(cells);
    }
    table
}

/// A gap that rounding explains is none.
fn residual(gap: f64) -> String {
    if gap < 1e-12 { "< 1e-12".into() } else { format!("{gap:.0e}") }
}

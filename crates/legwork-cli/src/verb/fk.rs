//! `legwork fk`: where the platform is at joint values.

use crate::Outcome;
use crate::answer::{Asked, in_units, near, opened};
use crate::args::FkArgs;
use crate::failure::Failure;
use legwork::coordinates::{Group, MotorMotion, Values};
use legwork::table::{Table, WIDTH, print_line};
use legwork::task::{ForwardAnswer, ForwardOptions, ForwardTask, RobotRequest, StateTask, route_note};
use legwork::text::{fixed, short_list, wrap};
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
    let robot = task.robot.clone();
    let task = in_units(task, &robot, args.units.units.as_deref())?;
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
    print_line(&format!("{} at {what} ({q}) {}", schema.robot, schema.either("deg", "mm")), out)?;
    writeln!(out)?;
    poses(task, answers).print(out)?;
    for (place, answer) in answers.iter().enumerate() {
        if let Some(text) = task.robot.following_text(&answer.pose()) {
            let number =
                if answers.len() > 1 { format!("{}: ", answer.solution.mode) } else { String::new() };
            writeln!(out, "{}{number}{text}", if place == 0 { "\n" } else { "" })?;
        }
    }
    if let Some(about) = &first.one_of_all {
        writeln!(out, "\n{}", wrap(&about.completeness.to_string(), WIDTH).join("\n"))?;
    }
    if let Some(note) = route_note(&first.solution) {
        let way_out = "`--near` says where to start, `--follow` starts where the last row ended, `--all` prints every \
                       posture.";
        writeln!(out, "\n{}", wrap(&format!("{note} {way_out}"), WIDTH).join("\n"))?;
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
    let has_modes = answers.iter().any(|answer| mode(answer) != "only");
    if task.wants_all() && !task.has_formula() {
        heads.extend(has_modes.then(|| "working mode".into()));
        heads.push("from home".into());
    }
    if !task.has_formula() {
        heads.extend((!task.wants_all()).then(|| "steps".into()));
        heads.push(format!("residual [{}]", schema.either("rad", "m")));
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
        if let Some(one) = answer.one_of_all.as_ref().filter(|_| !task.has_formula()) {
            cells.extend(has_modes.then(|| mode(answer).to_owned()));
            let place = match (one.is_reached_from_home, one.is_singular) {
                (_, true) => "singular",
                (true, false) => "reached",
                (false, false) => "",
            };
            cells.push(place.into());
        }
        if !task.has_formula() {
            cells.extend((!task.wants_all()).then(|| solution.iterations.to_string()));
            cells.push(residual(solution.residual));
        }
        table.row(cells);
    }
    table
}

/// A gap that rounding explains is none.
fn residual(gap: f64) -> String {
    if gap < 1e-12 { "< 1e-12".into() } else { format!("{gap:.0e}") }
}

/// The working mode of a posture; a question mark where it is not known.
fn mode(answer: &ForwardAnswer) -> &str {
    answer.one_of_all.as_ref().and_then(|one| one.working_mode.as_deref()).unwrap_or("?")
}

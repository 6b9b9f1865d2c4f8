//! `legwork ik`: joint values at a platform position.

use crate::Outcome;
use crate::answer::{Asked, in_units, opened};
use crate::args::IkArgs;
use crate::failure::Failure;
use legwork::coordinates::{MotorMotion, Values};
use legwork::table::{Table, print_line};
use legwork::task::{InverseAnswer, InverseTask, RobotRequest, StateTask};
use legwork::text::aligned;
use std::io::{self, Write};

const VERB: &str = "ik";

pub fn run(args: &IkArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = RobotRequest {
        working_mode: args.mode.clone(),
        held: args.held.values(),
        ..RobotRequest::named(&args.robot)
    };
    let task = opened(InverseTask::open(&robot, args.all), VERB, &args.robot)?.following(args.follow);
    let robot = task.robot.clone();
    let task = in_units(task, &robot, args.units.units.as_deref())?;
    let mut row = Values::default();
    task.schema().read_pose(&mut row, &args.position, &args.quaternion)?;
    let is_whole = task.schema().has_pose(&row);
    let asked = Asked { verb: VERB, robot: &args.robot, task, row, is_whole };
    asked.run(as_json, out, |task, answers, out| match answers {
        [answer] if !args.all => print_one(task, answer, out),
        _ => print_all(task, answers, out),
    })
}

fn print_one(task: &InverseTask, answer: &InverseAnswer, out: &mut dyn Write) -> io::Result<()> {
    let InverseAnswer { pose, solution } = answer;
    let (schema, q) = (task.schema(), &solution.q);
    let mode =
        task.robot.working_mode_text(&solution.mode).map_or_else(String::new, |mode| format!(", {mode}"));
    print_line(&format!("{} at {}{mode}", schema.robot, schema.place(pose)), out)?;
    if let Some(text) = task.robot.following_text(pose) {
        writeln!(out, "{text}")?;
    }
    if let Some(text) = task.robot.held_text() {
        print_line(&text, out)?;
    }
    if let Some(text) = task.robot.branch_text(pose) {
        writeln!(out, "{text}")?;
    }
    writeln!(out)?;
    let mut table = Table::default();
    let mixed = schema.motor_motion() == MotorMotion::Both;
    // Where angles stand beside lengths, each number carries its unit.
    let (human, si) = if mixed {
        table.row(["motor", "q", "q, SI"]);
        let with = |numbers: Vec<String>, units: Vec<&str>| -> Vec<String> {
            numbers.iter().zip(units).map(|(number, unit)| format!("{number} {unit:<3}")).collect()
        };
        (
            with(aligned(&schema.in_degrees_and_millimetres(q)), schema.each("deg", "mm")),
            with(aligned(q), schema.each("rad", "m")),
        )
    } else {
        let unit = |turning, sliding| format!("q [{}]", schema.either(turning, sliding));
        table.row(["motor".into(), unit("deg", "mm"), unit("rad", "m")]);
        (aligned(&schema.in_degrees_and_millimetres(q)), aligned(q))
    };
    for (joint, (human, si)) in human.into_iter().zip(si).enumerate() {
        let mark = if solution.outside_limits.contains(&joint) { "outside limits" } else { "" };
        table.row([(joint + 1).to_string(), human, si, mark.to_owned()]);
    }
    table.print(out)?;
    if let Some(note) = task.robot.outside_limits_text(&solution.outside_limits) {
        writeln!(out, "\n{note}")?;
    }
    Ok(())
}

fn print_all(task: &InverseTask, answers: &[InverseAnswer], out: &mut dyn Write) -> io::Result<()> {
    let schema = task.schema();
    let place = answers.first().map_or_else(String::new, |answer| schema.place(&answer.pose));
    print_line(&format!("{} at {place}, every working mode", schema.robot), out)?;
    writeln!(out)?;
    let mut table = Table::default();
    let heading = |units: Vec<&str>| {
        units.into_iter().enumerate().map(|(k, unit)| format!("q{} [{unit}]", k + 1)).collect::<Vec<_>>()
    };
    // Six and more motors fill a line with one unit.
    let both = schema.motor_count() <= 3;
    let mut heads = vec![task.robot.branches().map_or("legs", |branches| branches.what).to_owned()];
    heads.extend(heading(schema.each("deg", "mm")));
    if both {
        heads.extend(heading(schema.each("rad", "m")));
    }
    table.row(heads);
    for InverseAnswer { solution, .. } in answers {
        let mark = |joint: usize| if solution.outside_limits.contains(&joint) { "*" } else { "" };
        let human = schema.in_degrees_and_millimetres(&solution.q);
        let mut cells = vec![solution.mode.clone()];
        cells.extend(human.iter().enumerate().map(|(joint, q)| format!("{}{q:.4}", mark(joint))));
        if both {
            cells.extend(solution.q.iter().map(|q| format!("{q:.6}")));
        }
        table.row(cells);
    }
    table.print(out)?;
    if answers.iter().any(|answer| !answer.solution.outside_limits.is_empty())
        && let Some(range) = task.robot.limits_text()
    {
        writeln!(out, "\n* outside the limits of the motors, {range}")?;
    }
    Ok(())
}

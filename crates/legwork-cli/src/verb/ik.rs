//! `legwork ik`: joint values at a platform position.

use super::{in_mode, open};
use crate::Outcome;
use crate::answer::{self, AnswerValue, Column, Question, Reads, Shape, joint_names};
use crate::args::IkArgs;
use crate::failure::Failure;
use crate::table::Table;
use legwork::coordinates::{CoordinateSchema, Group, MotorMotion, Values};
use legwork::text::aligned;
use legwork::{AnyRobot, JointSolution, PlatformState};
use std::io::{self, Write};

struct Ik {
    robot: AnyRobot,
    schema: CoordinateSchema,
    name: String,
    all: bool,
    defaults: Values,
}

/// A solution with the pose it is of.
struct Found {
    pose: PlatformState,
    solution: JointSolution,
}

pub fn run(args: &IkArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = in_mode(open(&args.robot)?, args.mode.as_ref())?;
    let schema = CoordinateSchema::of(&robot);
    let mut row = Values::default();
    schema.read_pose(&mut row, &args.position, &args.quaternion)?;
    let single = row.has(Group::Position).then(|| row.clone());
    let question = Ik { robot, schema, name: args.robot.clone(), all: args.all, defaults: row };
    answer::run(&question, single.as_ref(), as_json, out)
}

impl Question for Ik {
    type Answer = Found;

    fn reads(&self) -> Reads {
        Reads::Platform
    }

    fn schema(&self) -> &CoordinateSchema {
        &self.schema
    }

    fn defaults(&self) -> Values {
        self.defaults.clone()
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn columns(&self) -> Vec<Column<Found>> {
        let mut columns = Column::pose(&self.schema, |found: &Found| found.pose);
        columns.extend([
            Column::new("mode", "", Shape::One, |found: &Found| {
                AnswerValue::Word(found.solution.mode.clone())
            }),
            Column::group(&self.schema, Group::Joints, |found: &Found| found.solution.q.clone()),
            Column::new("outside_limits", "", Shape::One, |found: &Found| {
                AnswerValue::Words(joint_names(&found.solution.outside_limits))
            }),
        ]);
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<Found>, Failure> {
        let platform = self.schema.platform(row)?;
        let solutions = if self.all {
            self.robot.all_inverse_kinematics(&platform)
        } else {
            self.robot.inverse_kinematics(&platform).map(|solution| vec![solution])
        };
        let solutions = solutions.map_err(|error| Failure::of(error, &self.name))?;
        let pose = platform;
        Ok(solutions.into_iter().map(|solution| Found { pose, solution }).collect())
    }

    fn table(&self, _: &Values, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        match answers {
            [found] if !self.all => self.print_one(found, out),
            _ => self.print_all(answers, out),
        }
    }
}

impl Ik {
    fn print_one(&self, Found { pose, solution }: &Found, out: &mut dyn Write) -> io::Result<()> {
        let (schema, q) = (&self.schema, &solution.q);
        let mode =
            self.robot.working_mode_text(&solution.mode).map_or_else(String::new, |mode| format!(", {mode}"));
        writeln!(out, "{} at {}{mode}\n", schema.robot, schema.place(pose))?;
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
        if let Some(note) = self.robot.outside_limits_text(&solution.outside_limits) {
            writeln!(out, "\n{note}")?;
        }
        Ok(())
    }

    fn print_all(&self, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        let schema = &self.schema;
        let place = answers.first().map_or_else(String::new, |found| schema.place(&found.pose));
        writeln!(out, "{} at {place}, every working mode\n", schema.robot)?;
        let mut table = Table::default();
        let heading = |units: Vec<&str>| {
            units.into_iter().enumerate().map(|(k, unit)| format!("q{} [{unit}]", k + 1)).collect::<Vec<_>>()
        };
        // Six and more motors fill a line with one unit.
        let both = schema.motor_count() <= 3;
        let mut heads = vec![self.robot.branches().map_or("legs", |branches| branches.what).to_owned()];
        heads.extend(heading(schema.each("deg", "mm")));
        if both {
            heads.extend(heading(schema.each("rad", "m")));
        }
        table.row(heads);
        for Found { solution, .. } in answers {
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
        if answers.iter().any(|found| !found.solution.outside_limits.is_empty())
            && let Some(range) = self.robot.limits_text()
        {
            writeln!(out, "\n* outside the limits of the motors, {range}")?;
        }
        Ok(())
    }
}

//! `legwork ik`: motor angles at a platform position.

use super::{millimetres, open, outside};
use crate::Outcome;
use crate::answer::{self, Column, Quantity, Question, Reads, Shape, joint_names};
use crate::args::IkArgs;
use crate::failure::Failure;
use crate::row::{Group, Row};
use crate::table::{Table, aligned};
use legwork::{AnyRobot, JointSolution};
use std::io::{self, Write};

struct Ik {
    robot: AnyRobot,
    name: String,
    all: bool,
}

/// A solution with the position it is of.
struct Found {
    position: [f64; 3],
    solution: JointSolution,
}

pub fn run(args: &IkArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut robot = open(&args.robot)?;
    if let Some(mode) = args.mode {
        robot = robot.with_working_mode(mode);
    }
    let mut row = Row::default();
    if !args.position.is_empty() {
        row.argument(Group::Position, &args.position)?;
    }
    let question = Ik { robot, name: args.robot.clone(), all: args.all };
    answer::run(&question, (!args.position.is_empty()).then_some(&row), as_json, out)
}

impl Question for Ik {
    type Answer = Found;

    fn reads(&self) -> Reads {
        Reads::Platform
    }

    fn robot(&self) -> &str {
        self.robot.name()
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn columns(&self) -> Vec<Column<Found>> {
        let axes = Shape::Axes(Group::Position.row().columns);
        vec![
            Column::new("position", "m", axes, |found| Quantity::Numbers(found.position.to_vec())),
            Column::new("mode", "", Shape::One, |found| Quantity::Word(found.solution.mode.clone())),
            Column::new("q", "rad", Shape::Joints, |found| Quantity::Numbers(found.solution.q.clone())),
            Column::new("outside_limits", "", Shape::One, |found| {
                Quantity::Words(joint_names(&found.solution.outside_limits))
            }),
        ]
    }

    fn answers(&self, row: &Row) -> Result<Vec<Found>, Failure> {
        let position = row.all(Group::Position)?;
        let solutions = if self.all {
            self.robot.all_inverse_kinematics(position)
        } else {
            self.robot.inverse_kinematics(position).map(|solution| vec![solution])
        };
        let solutions = solutions.map_err(|error| Failure::of(error, &self.name))?;
        Ok(solutions.into_iter().map(|solution| Found { position, solution }).collect())
    }

    fn table(&self, row: &Row, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        let place = millimetres(row.or_zero(Group::Position));
        let mut table = Table::default();
        if let ([found], false) = (answers, self.all) {
            writeln!(out, "{} at {place}, elbows {}\n", self.robot.name(), found.solution.mode)?;
            table.row(["motor", "q [deg]", "q [rad]"]);
            let q = &found.solution.q;
            let degrees = aligned(&q.iter().map(|q| q.to_degrees()).collect::<Vec<_>>());
            for (joint, (degrees, radians)) in degrees.into_iter().zip(aligned(q)).enumerate() {
                let mark = if found.solution.outside_limits.contains(&joint) { "outside limits" } else { "" };
                table.row([(joint + 1).to_string(), degrees, radians, mark.to_owned()]);
            }
            table.print(out)?;
            if let Some(note) = outside(&self.robot, &found.solution.outside_limits) {
                writeln!(out, "\n{note}")?;
            }
            return Ok(());
        }
        writeln!(out, "{} at {place}, every working mode\n", self.robot.name())?;
        table.row(["elbows", "q1 [deg]", "q2 [deg]", "q3 [deg]", "q1 [rad]", "q2 [rad]", "q3 [rad]"]);
        for Found { solution, .. } in answers {
            let mark = |joint: usize| if solution.outside_limits.contains(&joint) { "*" } else { "" };
            let degrees = solution
                .q
                .iter()
                .enumerate()
                .map(|(joint, q)| format!("{}{:.4}", mark(joint), q.to_degrees()));
            let radians = solution.q.iter().map(|q| format!("{q:.6}"));
            table.row(std::iter::once(solution.mode.clone()).chain(degrees).chain(radians));
        }
        table.print(out)?;
        if answers.iter().any(|found| !found.solution.outside_limits.is_empty())
            && let Some(range) = super::limits(&self.robot)
        {
            writeln!(out, "\n* outside the limits of the motors, {range}")?;
        }
        Ok(())
    }
}

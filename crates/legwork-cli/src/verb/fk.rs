//! `legwork fk`: platform position at motor angles.

use super::{degrees, open, outside};
use crate::Outcome;
use crate::answer::{self, Column, Quantity, Question, Reads, Shape, joint_names};
use crate::args::FkArgs;
use crate::failure::Failure;
use crate::row::{Group, Row};
use crate::table::{Table, fixed};
use legwork::robots::delta::Assembly;
use legwork::{AnyRobot, PlatformSolution};
use std::io::{self, Write};

struct Fk {
    robot: AnyRobot,
    name: String,
    all: bool,
    assembly: Assembly,
}

/// A solution with the angles it is of.
struct Found {
    q: [f64; 3],
    outside_limits: Vec<usize>,
    solution: PlatformSolution,
}

pub fn run(args: &FkArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let robot = open(&args.robot)?;
    let mut row = Row::default();
    if !args.angles.is_empty() {
        row.argument(Group::Angles, &args.angles)?;
    }
    let question = Fk { robot, name: args.robot.clone(), all: args.all, assembly: args.assembly.into() };
    answer::run(&question, (!args.angles.is_empty()).then_some(&row), as_json, out)
}

impl Question for Fk {
    type Answer = Found;

    fn reads(&self) -> Reads {
        Reads::Joints
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
            Column::new("q", "rad", Shape::Joints, |found| Quantity::Numbers(found.q.to_vec())),
            Column::new("assembly", "", Shape::One, |found| Quantity::Word(found.solution.mode.clone())),
            Column::new("position", "m", axes, |found| Quantity::Numbers(found.solution.position.to_vec())),
            Column::new("outside_limits", "", Shape::One, |found| {
                Quantity::Words(joint_names(&found.outside_limits))
            }),
        ]
    }

    fn answers(&self, row: &Row) -> Result<Vec<Found>, Failure> {
        let q = row.all(Group::Angles)?;
        let failed = |error| Failure::of(error, &self.name);
        let outside_limits = self.robot.outside_limits(&q).map_err(failed)?;
        let solutions = if self.all {
            self.robot.all_forward_kinematics(&q)
        } else {
            self.robot.forward_kinematics(&q, self.assembly).map(|solution| vec![solution])
        };
        let found = |solution| Found { q, outside_limits: outside_limits.clone(), solution };
        Ok(solutions.map_err(failed)?.into_iter().map(found).collect())
    }

    fn table(&self, row: &Row, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        let angles = degrees(&row.or_zero(Group::Angles));
        writeln!(out, "{} at motor angles {angles}\n", self.robot.name())?;
        let mut table = Table::default();
        table.row(["platform", "x [mm]", "y [mm]", "z [mm]"]);
        for Found { solution, .. } in answers {
            let place = solution.position.map(|x| fixed(x * 1e3, 4));
            table.row(std::iter::once(format!("{} the elbows", solution.mode)).chain(place));
        }
        table.print(out)?;
        if let Some(note) = answers.first().and_then(|found| outside(&self.robot, &found.outside_limits)) {
            writeln!(out, "\n{note}")?;
        }
        Ok(())
    }
}

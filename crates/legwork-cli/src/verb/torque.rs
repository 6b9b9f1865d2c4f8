//! `legwork torque`: motor torques with their parts.

use super::motion::{self, Found, Motion};
use crate::Outcome;
use crate::answer::{self, Column, Question, Reads};
use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::row::Row;
use crate::table::Table;
use legwork::RobotError;
use std::io::{self, Write};

struct Torque(Motion);

pub fn run(args: &MotionArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (motion, row) = Motion::from_args(args)?;
    if !motion.robot.has_masses() {
        let error = RobotError::NoMasses { robot: motion.robot.name().into() };
        return Err(Failure::of(error, &motion.name));
    }
    answer::run(&Torque(motion), row.as_ref(), as_json, out)
}

impl Question for Torque {
    type Answer = Found;

    fn reads(&self) -> Reads {
        Reads::Either
    }

    fn robot(&self) -> &str {
        self.0.robot.name()
    }

    fn defaults(&self) -> Row {
        self.0.defaults
    }

    fn columns(&self) -> Vec<Column<Found>> {
        let mut columns = motion::state_columns();
        columns.extend(motion::torque_columns(&self.0));
        columns
    }

    fn answers(&self, row: &Row) -> Result<Vec<Found>, Failure> {
        Ok(vec![self.0.found(row)?])
    }

    fn table(&self, _: &Row, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        for found in answers {
            self.0.title(&found.state, out)?;
            let mut table = Table::default();
            table.row(motion::motors(found.state.q.len()));
            found.joint_rows(&mut table);
            if let Some(dynamics) = &found.state.dynamics {
                found.torque_rows(&mut table, dynamics);
            }
            table.print(out)?;
            self.0.warnings(found, out)?;
        }
        Ok(())
    }
}

//! `legwork torque`: motor torques or forces with their parts.

use super::motion::{self, Found, Motion};
use super::no_masses;
use crate::Outcome;
use crate::answer::{self, Column, Question, Reads};
use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::table::Table;
use legwork::coordinates::{CoordinateSchema, Values};
use std::io::{self, Write};

struct Torque(Motion);

pub fn run(args: &MotionArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (motion, row) = Motion::from_args(args)?;
    if !motion.robot.has_masses() {
        return Err(no_masses(&motion.robot, &motion.name));
    }
    answer::run(&Torque(motion), row.as_ref(), as_json, out)
}

impl Question for Torque {
    type Answer = Found;

    fn reads(&self) -> Reads {
        Reads::Either
    }

    fn schema(&self) -> &CoordinateSchema {
        &self.0.schema
    }

    fn defaults(&self) -> Values {
        self.0.defaults.clone()
    }

    fn columns(&self) -> Vec<Column<Found>> {
        let mut columns = motion::state_columns(&self.0);
        columns.extend(motion::torque_columns(&self.0));
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<Found>, Failure> {
        Ok(vec![self.0.found(row)?])
    }

    fn table(&self, _: &Values, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        for found in answers {
            self.0.title(&found.state, out)?;
            let mut table = Table::default();
            self.0.joint_rows(found, &mut table);
            if let Some(dynamics) = &found.state.dynamics {
                self.0.torque_rows(found, dynamics, &mut table);
            }
            table.print(out)?;
            self.0.notes(found, out)?;
        }
        Ok(())
    }
}

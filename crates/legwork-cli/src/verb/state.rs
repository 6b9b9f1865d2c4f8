//! `legwork state`: everything about a state.

use super::motion::{self, Found, Motion};
use crate::Outcome;
use crate::answer::{self, Column, Question, Reads};
use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::table::Table;
use legwork::Dynamics;
use legwork::coordinates::{CoordinateSchema, Units, Values};
use legwork::text::{Decimals, short};
use std::io::{self, Write};

struct Everything(Motion);

pub fn run(args: &MotionArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let (motion, row) = Motion::from_args(args)?;
    answer::run(&Everything(motion), row.as_ref(), as_json, out)
}

impl Question for Everything {
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
        columns.extend(motion::analysis_columns(&self.0));
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<Found>, Failure> {
        Ok(vec![self.0.found(row)?])
    }

    fn table(&self, _: &Values, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        answers.iter().try_for_each(|found| self.print(found, out))
    }
}

impl Everything {
    fn print(&self, found: &Found, out: &mut dyn Write) -> io::Result<()> {
        let (state, schema) = (&found.state, &self.0.schema);
        self.0.title(state, out)?;
        let mut table = Table::default();
        self.0.joint_rows(found, &mut table);
        if let Some(dynamics) = &state.dynamics {
            self.0.torque_rows(found, dynamics, &mut table);
        }
        table.print(out)?;

        writeln!(out, "\nJacobian: platform velocity = J qd [{}]", listed(&motion::jacobian_units(schema)))?;
        let rows = schema.freedoms.iter().map(|freedom| freedom.velocity);
        matrix(&state.jacobian, &rows.collect::<Vec<_>>(), out)?;
        writeln!(out, "\ndistance to singularities: {}", self.0.robot.singularity_scale())?;
        for (name, text) in self.0.robot.singularity_text(&state.singularity) {
            writeln!(out, "  {name:<9}  {text}")?;
        }
        match &state.dynamics {
            Some(dynamics) => self.masses(dynamics, out)?,
            None => writeln!(out, "\nno torques: the masses are missing in the robot file")?,
        }
        self.0.notes(found, out)
    }

    fn masses(&self, dynamics: &Dynamics, out: &mut dyn Write) -> io::Result<()> {
        let (schema, robot) = (&self.0.schema, &self.0.robot);
        writeln!(out, "\nmass matrix at the motors [{}]", listed(&motion::mass_units(schema)))?;
        let motors: Vec<&str> = robot.joints().iter().map(|joint| joint.name.as_str()).collect();
        matrix(&dynamics.mass_matrix, &motors, out)?;
        writeln!(out, "\nmass matrix at the platform [{}]", listed(&motion::platform_mass_units(schema)))?;
        let rows = schema.freedoms.iter().map(|freedom| freedom.coordinate);
        matrix(&dynamics.platform_mass_matrix, &rows.collect::<Vec<_>>(), out)?;
        let zero = match robot.linkage() {
            Some(_) => "in the plane of the motors",
            None => "at the origin of the base",
        };
        writeln!(out, "\nkinetic energy    {} J", short(dynamics.kinetic_energy))?;
        writeln!(out, "potential energy  {} J, zero {zero}", short(dynamics.potential_energy))
    }
}

/// The units of a matrix, each once: "kg, kg m, kg m^2", by what row and column measure.
fn listed(unit: &Units) -> String {
    match unit {
        Units::None => String::new(),
        Units::All(unit) => (*unit).to_owned(),
        Units::Each(units) => {
            let mut once: Vec<&str> = Vec::new();
            for unit in units {
                if !once.contains(unit) {
                    once.push(unit);
                }
            }
            format!("{}, by row and column", once.join(", "))
        }
    }
}

/// A matrix with names at its rows and common decimals.
fn matrix(rows: &[Vec<f64>], names: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let decimals = Decimals::of(&rows.concat());
    let mut table = Table::default();
    for (name, row) in names.iter().zip(rows) {
        let cells = row.iter().map(|x| decimals.show(*x));
        table.row(std::iter::once(format!("  {name}")).chain(cells));
    }
    table.print(out)
}

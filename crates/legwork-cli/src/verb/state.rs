//! `legwork state`: everything about a state.

use super::motion::{self, Found, Motion};
use crate::Outcome;
use crate::answer::{self, Column, Question, Reads};
use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::row::Row;
use crate::table::{Decimals, Table, short};
use legwork::Singularity;
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

    fn robot(&self) -> &str {
        self.0.robot.name()
    }

    fn defaults(&self) -> Row {
        self.0.defaults
    }

    fn columns(&self) -> Vec<Column<Found>> {
        let mut columns = motion::state_columns();
        columns.extend(motion::torque_columns(&self.0));
        columns.extend(motion::analysis_columns(&self.0));
        columns
    }

    fn answers(&self, row: &Row) -> Result<Vec<Found>, Failure> {
        Ok(vec![self.0.found(row)?])
    }

    fn table(&self, _: &Row, answers: &[Found], out: &mut dyn Write) -> io::Result<()> {
        answers.iter().try_for_each(|found| self.print(found, out))
    }
}

impl Everything {
    fn print(&self, found: &Found, out: &mut dyn Write) -> io::Result<()> {
        let state = &found.state;
        self.0.title(state, out)?;
        let mut table = Table::default();
        table.row(motion::motors(state.q.len()));
        found.joint_rows(&mut table);
        if let Some(dynamics) = &state.dynamics {
            found.torque_rows(&mut table, dynamics);
        }
        table.print(out)?;

        writeln!(out, "\nJacobian: platform velocity = J qd [m/rad]")?;
        let rows = self.0.robot.freedoms().iter().map(|freedom| freedom.velocity);
        matrix(&state.jacobian, &rows.collect::<Vec<_>>(), out)?;
        writeln!(out, "\ndistance to singularities: 0 singular, 1 the best there is")?;
        for (name, text) in singularity(&state.singularity) {
            writeln!(out, "  {name:<9}  {text}")?;
        }

        if let Some(dynamics) = &state.dynamics {
            writeln!(out, "\nmass matrix at the motors [kg m^2]")?;
            matrix(&dynamics.mass_matrix, self.0.robot.joints(), out)?;
            writeln!(out, "\nmass matrix at the platform [kg]")?;
            let rows = self.0.robot.freedoms().iter().map(|freedom| freedom.coordinate);
            matrix(&dynamics.platform_mass_matrix, &rows.collect::<Vec<_>>(), out)?;
            writeln!(out, "\nkinetic energy    {} J", short(dynamics.kinetic_energy))?;
            writeln!(
                out,
                "potential energy  {} J, zero in the plane of the motors",
                short(dynamics.potential_energy)
            )?;
        } else {
            writeln!(out, "\nno torques: the masses are missing in the robot file")?;
        }
        self.0.warnings(found, out)
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

/// The measures with a word of meaning.
pub fn singularity(measures: &Singularity) -> [(&'static str, String); 3] {
    let Singularity { serial, parallel, condition } = measures;
    let weakest = serial.iter().copied().fold(f64::INFINITY, f64::min);
    let legs = serial.iter().map(|x| format!("{x:.4}")).collect::<Vec<_>>().join(", ");
    [
        ("serial", format!("{legs}: the motors move the platform {}", word(weakest))),
        ("parallel", format!("{parallel:.4}: the legs hold the platform {}", word(*parallel))),
        ("condition", format!("{} of the Jacobian; 1 is alike in all directions", short(*condition))),
    ]
}

/// In a word, how good a measure between 0 and 1 is.
fn word(measure: f64) -> &'static str {
    match measure {
        m if m >= 0.5 => "well",
        m if m >= 0.2 => "fairly well",
        m if m >= 0.05 => "weakly",
        _ => "barely, close to a singularity",
    }
}

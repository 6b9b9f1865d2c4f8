//! `legwork state`: everything about a state.

use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::table::Table;
use crate::{Outcome, motion};
use legwork::Dynamics;
use legwork::task::{MotionTask, StateAnswer, StateParts, StateTask};
use legwork::text::{Decimals, short};
use std::io::{self, Write};

pub fn run(args: &MotionArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let asked = motion::asked("state", StateParts::Everything, args)?;
    asked.run(as_json, out, |task, answers, out| {
        answers.iter().try_for_each(|answer| print(task, answer, out))
    })
}

fn print(task: &MotionTask, answer: &StateAnswer, out: &mut dyn Write) -> io::Result<()> {
    let (state, schema) = (&answer.state, task.schema());
    motion::print(task, answer, out)?;
    writeln!(out, "\nJacobian: platform velocity = J qd [{}]", schema.jacobian_units())?;
    let rows: Vec<&str> = schema.freedoms.iter().map(|freedom| freedom.velocity).collect();
    matrix(&state.jacobian, &rows, out)?;
    writeln!(out, "\ndistance to singularities: {}", task.robot.singularity_scale())?;
    for (name, text) in task.robot.singularity_text(&state.singularity) {
        writeln!(out, "  {name:<9}  {text}")?;
    }
    match &state.dynamics {
        Some(dynamics) => masses(task, dynamics, out)?,
        None => writeln!(out, "\nno torques: the masses are missing in the robot file")?,
    }
    motion::notes(task, answer, out)
}

fn masses(task: &MotionTask, dynamics: &Dynamics, out: &mut dyn Write) -> io::Result<()> {
    let (schema, robot) = (task.schema(), &task.robot);
    writeln!(out, "\nmass matrix at the motors [{}]", schema.mass_units())?;
    let motors: Vec<&str> = robot.joints().iter().map(|joint| joint.name.as_str()).collect();
    matrix(&dynamics.mass_matrix, &motors, out)?;
    writeln!(out, "\nmass matrix at the platform [{}]", schema.platform_mass_units())?;
    let rows: Vec<&str> = schema.freedoms.iter().map(|freedom| freedom.coordinate).collect();
    matrix(&dynamics.platform_mass_matrix, &rows, out)?;
    let zero = match robot.linkage() {
        Some(_) => "in the plane of the motors",
        None => "at the origin of the base",
    };
    writeln!(out, "\nkinetic energy    {} J", short(dynamics.kinetic_energy))?;
    writeln!(out, "potential energy  {} J, zero {zero}", short(dynamics.potential_energy))
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

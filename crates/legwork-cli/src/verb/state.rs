//! `legwork state`: everything about a state.

use crate::answer::opened;
use crate::args::StateArgs;
use crate::failure::Failure;
use crate::{Outcome, motion};
use legwork::coordinates::number;
use legwork::table::{Table, print_line};
use legwork::task::{MotionTask, StateAnswer, StateParts, StateTask};
use legwork::text::{Decimals, short};
use legwork::units::Quantity;
use legwork::{DeltaTerms, Dynamics};
use std::io::{self, Write};

pub fn run(args: &StateArgs, as_json: bool, out: &mut dyn Write) -> Result<Outcome, Failure> {
    let mut asked = motion::asked("state", StateParts::Everything, &args.motion)?;
    if args.papers {
        let step = args.difference.as_deref().map(|text| number("--difference", Quantity::Angle, text));
        let task = asked.task.with_terms(step.transpose()?.unwrap_or(DeltaTerms::STEP));
        asked.task = opened(task, "state", &args.motion.robot)?;
    }
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
    if let Some(terms) = &answer.terms {
        papers(terms, out)?;
    }
    motion::notes(task, answer, out)
}

/// What the papers call the parts of a Delta's equations.
fn papers(terms: &DeltaTerms, out: &mut dyn Write) -> io::Result<()> {
    let legs = ["leg 1", "leg 2", "leg 3"];
    let rows = |rows: &[[f64; 3]; 3]| rows.map(|row| row.to_vec());
    writeln!(out, "\ntheta 1, 2, 3 of each leg [rad] (Ngoc and Kim)")?;
    matrix(&rows(&terms.theta), &legs, out)?;
    writeln!(out, "\nJ_x and the diagonal of J_q [m/rad]: J_x v = J_q qd")?;
    let both = [0, 1, 2].map(|k| [&terms.j_x[k][..], &[terms.j_q[k]]].concat());
    matrix(&both, &legs, out)?;
    writeln!(out, "\nrate of the Jacobian [m/(rad s)]")?;
    matrix(&rows(&terms.jacobian_rate), &["vx", "vy", "vz"], out)?;
    let (step, error) = (short(terms.step), terms.numerical_error);
    writeln!(out)?;
    print_line(
        &format!(
            "numerical Jacobian [m/rad], steps of {step} rad: about {error:.0e} m/rad from the exact one"
        ),
        out,
    )?;
    matrix(&rows(&terms.numerical_jacobian), &["vx", "vy", "vz"], out)?;
    if let Some(multipliers) = terms.multipliers {
        writeln!(out)?;
        print_line(
            "multipliers lambda [N/m]: 2 lambda s is the force of a forearm whose mass is at its ends",
            out,
        )?;
        matrix(&[multipliers.to_vec()], &["lambda"], out)?;
    }
    Ok(())
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
    if !dynamics.joint_reaction.is_empty() {
        writeln!(out, "\njoint reactions on the child, base axes: force [N], moment about the joint [N m]")?;
        let (guides, joints): (Vec<_>, Vec<_>) =
            dynamics.joint_reaction.iter().partition(|r| robot.guided(&r.joint).is_some());
        let names: Vec<&str> = joints.iter().map(|r| r.joint.as_str()).collect();
        let rows: Vec<Vec<f64>> = joints.iter().map(|r| [r.force, r.moment].concat()).collect();
        matrix(&rows, &names, out)?;
        let (mut moments, mut platforms): (Vec<Vec<f64>>, Vec<&str>) = Default::default();
        for guide in guides {
            let Some(platform) = robot.guided(&guide.joint) else { continue };
            // The last joint of a guide is that at the platform.
            if platforms.last() == Some(&platform) {
                moments.pop();
                platforms.pop();
            }
            moments.push(guide.moment.to_vec());
            platforms.push(platform);
        }
        if !moments.is_empty() {
            writeln!(out, "\nmoments that rods in parallel carry to keep platforms from turning [N m]")?;
            // With the decimals of the joints: what is rounding beside them is zero.
            matrix_in(&Decimals::of(&rows.concat()), &moments, &platforms, out)?;
        }
    }
    writeln!(out, "\nkinetic energy    {} J", short(dynamics.kinetic_energy))?;
    writeln!(out, "potential energy  {} J, zero {zero}", short(dynamics.potential_energy))
}

/// A matrix with names at its rows and common decimals.
fn matrix(rows: &[Vec<f64>], names: &[&str], out: &mut dyn Write) -> io::Result<()> {
    matrix_in(&Decimals::of(&rows.concat()), rows, names, out)
}

/// The same with given decimals.
fn matrix_in(decimals: &Decimals, rows: &[Vec<f64>], names: &[&str], out: &mut dyn Write) -> io::Result<()> {
    let mut table = Table::default();
    for (name, row) in names.iter().zip(rows) {
        let cells = row.iter().map(|x| decimals.show(*x));
        table.row(std::iter::once(format!("  {name}")).chain(cells));
    }
    table.print(out)
}

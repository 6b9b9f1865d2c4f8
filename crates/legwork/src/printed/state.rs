//! A motion of the platform or of the joints: the table of its motors, and everything else about a state.

use crate::coordinates::{Group, MotorMotion};
use crate::summary::motors_are;
use crate::table::{Table, print_line};
use crate::task::{MotionTask, StateAnswer, StateTask};
use crate::text::{Decimals, in_rpm, short, short_list};
use crate::{DeltaTerms, Dynamics, ForearmModel, State};
use std::io::{self, Write};

/// Motor torques or forces with their parts, as `legwork torque` says them.
pub fn torque(task: &MotionTask, answer: &StateAnswer, out: &mut dyn Write) -> io::Result<()> {
    motion(task, answer, out)?;
    print_notes(task, answer, out)
}

/// Everything about a state, as `legwork state` says it.
pub fn state(task: &MotionTask, answer: &StateAnswer, out: &mut dyn Write) -> io::Result<()> {
    let (state, schema) = (&answer.state, task.schema());
    motion(task, answer, out)?;
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
    print_notes(task, answer, out)
}

/// Robot, place and motion, then the table of the motors.
fn motion(task: &MotionTask, answer: &StateAnswer, out: &mut dyn Write) -> io::Result<()> {
    title(task, &answer.state, out)?;
    writeln!(out)?;
    motors(task, answer).print(out)
}

/// The table of the motors: a column for each, with its motion, its efforts and their parts.
pub fn motors(task: &MotionTask, answer: &StateAnswer) -> Table {
    let mut table = Table::default();
    joint_rows(task, answer, &mut table);
    if let Some(dynamics) = &answer.state.dynamics {
        effort_rows(task, answer, dynamics, &mut table);
    }
    table
}

/// The lines above that table: robot, place and motion.
pub fn heading(task: &MotionTask, answer: &StateAnswer) -> Vec<String> {
    let mut lines = Vec::new();
    // Writing to memory cannot fail.
    let _ = title(task, &answer.state, &mut lines);
    String::from_utf8_lossy(&lines).lines().map(str::to_owned).collect()
}

fn title(task: &MotionTask, state: &State, out: &mut dyn Write) -> io::Result<()> {
    let (schema, platform) = (task.schema(), &state.platform);
    // With motors where they are that the pose does not tell.
    let robot = &task.robot.holding(&state.q, &state.qd, &state.qdd).unwrap_or_else(|_| task.robot.clone());
    let mode = robot.working_mode_text(&state.mode).map_or_else(String::new, |mode| format!(", {mode}"));
    let model = (robot.has_masses() && robot.linkage().is_some())
        .then(|| robot.variant().forearm_model.map_or("complete", ForearmModel::name))
        .map_or_else(String::new, |model| format!(", {model} model"));
    print_line(&format!("{} at {}{mode}{model}", schema.robot, schema.place(platform)), out)?;
    if let Some(text) = robot.following_text(platform) {
        writeln!(out, "{text}")?;
    }
    if let Some(text) = robot.held_text() {
        print_line(&text, out)?;
    }
    if let Some(text) = robot.branch_text(platform) {
        writeln!(out, "{text}")?;
    }
    for (name, group, vector) in [
        ("velocity", Group::Velocity, &platform.twist[..3]),
        ("angular velocity", Group::AngularVelocity, &platform.twist[3..]),
        ("acceleration", Group::Acceleration, &platform.acceleration[..3]),
        ("angular acceleration", Group::AngularAcceleration, &platform.acceleration[3..]),
        ("external force", Group::Force, &platform.wrench[..3]),
        ("external moment", Group::Moment, &platform.wrench[3..]),
    ] {
        let vector = schema.pick(group, vector);
        if vector.iter().any(|x| *x != 0.0) {
            let unit = schema.group(group).names.first().map_or("", |name| name.quantity.si_unit());
            let list = short_list(&vector);
            let list = if vector.len() == 1 { list } else { format!("({list})") };
            writeln!(out, "{name} {list} {unit}")?;
        }
    }
    let payload = robot.payload();
    if payload > 0.0 {
        writeln!(out, "payload {} kg", short_list(&[payload]))?;
    }
    Ok(())
}

/// The numbers, values, speeds and accelerations of the motors.
fn joint_rows(task: &MotionTask, answer: &StateAnswer, table: &mut Table) {
    let schema = task.schema();
    let motors = (1..=schema.motor_count()).map(|motor| format!("motor {motor}"));
    table.row(std::iter::once(String::new()).chain(motors));
    let value = match schema.motor_motion() {
        MotorMotion::Turn => "angle q",
        MotorMotion::Slide => "position q",
        MotorMotion::Both => {
            table.row(std::iter::once("").chain(schema.each("turns", "slides")));
            "joint q"
        }
    };
    let State { q, qd, qdd, .. } = &answer.state;
    let human = schema.in_degrees_and_millimetres(q);
    table.numbers(&format!("{value} [{}]", schema.either("deg", "mm")), &human);
    table.numbers(&format!("{value} [{}]", schema.either("rad", "m")), q);
    table.numbers(&format!("speed qd [{}]", schema.either("rad/s", "m/s")), &without_noise(qd));
    if let Some(share) = answer.speed_use() {
        table.numbers("  of largest speed [%]", &percent(&share));
    }
    if let Some(speeds) = answer.shaft_speed() {
        table.numbers(
            "  at the motor [rpm]",
            &without_noise(&speeds).into_iter().map(in_rpm).collect::<Vec<_>>(),
        );
    }
    let unit = schema.either("rad/s^2", "m/s^2");
    table.numbers(&format!("acceleration qdd [{unit}]"), &without_noise(qdd));
}

/// The efforts and their parts, with common decimals.
fn effort_rows(task: &MotionTask, answer: &StateAnswer, d: &Dynamics, table: &mut Table) {
    let schema = task.schema();
    let name = match schema.motor_motion() {
        MotorMotion::Turn => "motor torque",
        MotorMotion::Slide => "motor force",
        MotorMotion::Both => "motor effort",
    };
    let mut rows = vec![
        (format!("{name} [{}]", schema.either("N m", "N")), &d.motor),
        ("  inertia".into(), &d.inertial),
        ("  Coriolis".into(), &d.coriolis),
        ("  gravity".into(), &d.gravity),
        ("  external force".into(), &d.external),
        ("  friction".into(), &d.friction),
    ];
    if let Some(base) = &answer.base_effort {
        rows.push(("  moving base".into(), base));
    }
    let decimals = Decimals::of(&rows.iter().flat_map(|(_, row)| row.iter().copied()).collect::<Vec<_>>());
    for (name, numbers) in rows {
        table.row(std::iter::once(name).chain(numbers.iter().map(|x| decimals.show(*x))));
    }
    if let Some(share) = answer.effort_use() {
        let largest = schema.either("torque", "force");
        table.numbers(&format!("  of largest {largest} [%]"), &percent(&share));
    }
    if let Some(torques) = answer.shaft_torque() {
        table.numbers("  at the motor [N m]", &torques);
    }
    if d.leg_force.len() == d.motor.len() {
        table.numbers(&format!("{LEG_FORCE} [N]"), &d.leg_force);
    }
}

/// The force of a leg on the platform along its last link: positive pushes the platform away.
const LEG_FORCE: &str = "leg force (+ pushes)";

/// Last lines: forces of legs that are not as many as the motors, and what is out of its limits.
fn print_notes(task: &MotionTask, answer: &StateAnswer, out: &mut dyn Write) -> io::Result<()> {
    if let Some(d) = &answer.state.dynamics
        && !d.leg_force.is_empty()
        && d.leg_force.len() != d.motor.len()
    {
        let (legs, forces) = (d.leg_force.len(), short_list(&d.leg_force));
        writeln!(out, "\n{LEG_FORCE}, legs 1 to {legs}: {forces} N")?;
    }
    let notes = notes(task, answer);
    if !notes.is_empty() {
        writeln!(out)?;
    }
    notes.iter().try_for_each(|note| print_line(note, out))
}

/// What is out of its limits, in words.
pub fn notes(task: &MotionTask, answer: &StateAnswer) -> Vec<String> {
    let over = |use_of: Option<Vec<f64>>, what: &str| {
        let use_of = use_of.unwrap_or_default();
        let over: Vec<usize> = (0..use_of.len()).filter(|joint| use_of[*joint] > 1.0).collect();
        Some(format!("{} asked for more than the {what} of the robot file", motors_are(&over)?))
    };
    let notes = [
        task.robot.outside_limits_text(&answer.state.outside_limits),
        over(
            answer.effort_use(),
            &task.schema().either("largest torque", "largest force").replace(", ", " or "),
        ),
        over(answer.speed_use(), "largest speed"),
    ];
    notes.into_iter().flatten().collect()
}

/// A motion that comes from joint values is zero to rounding where they are.
fn without_noise(rates: &[f64]) -> Vec<f64> {
    rates.iter().map(|rate| if rate.abs() < 1e-12 { 0.0 } else { *rate }).collect()
}

fn percent(parts: &[f64]) -> Vec<f64> {
    parts.iter().map(|part| part * 100.0).collect()
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

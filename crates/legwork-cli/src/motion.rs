//! What `torque` and `state` share: a motion of the platform or of the joints, and the table of its motors.

use crate::answer::{Asked, in_units, near, opened};
use crate::args::MotionArgs;
use crate::failure::Failure;
use crate::measures;
use legwork::coordinates::{ACCELERATION, Group, MotorMotion, VELOCITY, Values, WRENCH};
use legwork::table::{Table, print_line};
use legwork::task::{MotionTask, RobotRequest, StateAnswer, StateParts, StateTask};
use legwork::text::{Decimals, in_rpm, short_list};
use legwork::{Dynamics, ForearmModel, State};
use std::io::{self, Write};

/// The question of a verb.
pub fn asked<'a>(
    verb: &'static str,
    parts: StateParts,
    args: &'a MotionArgs,
) -> Result<Asked<'a, MotionTask>, Failure> {
    let robot = RobotRequest {
        working_mode: args.mode.clone(),
        payload: measures::mass("payload", args.payload.as_ref())?,
        forearm_model: args.model.changed(),
        held: args.held.values(),
        effort_choice: measures::effort_choice(&args.effort_weights, &args.preload)?,
        ..RobotRequest::named(&args.robot)
    };
    let start = near(&args.start.near)?;
    let task = MotionTask::open(&robot, parts, start.as_ref(), args.start.follow);
    let task = opened(task, verb, &args.robot)?;
    let task = match measures::moving_base(&args.base_velocity, &args.base_acceleration)? {
        Some(base) => opened(task.on_base(base), verb, &args.robot)?,
        None => task,
    };
    let robot = task.robot.clone();
    let task = in_units(task, &robot, args.units.units.as_deref())?;
    let (schema, mut row) = (task.schema(), Values::default());
    for (option, groups, texts) in [
        ("--velocity", VELOCITY, &args.velocity),
        ("--acceleration", ACCELERATION, &args.acceleration),
        ("--force", WRENCH, &args.force),
        ("--joints", &[Group::Joints], &args.joints),
        ("--joint-velocity", &[Group::JointSpeeds], &args.joint_velocity),
        ("--joint-acceleration", &[Group::JointAccelerations], &args.joint_acceleration),
    ] {
        if !texts.is_empty() {
            schema.read(&mut row, option, groups, texts)?;
        }
    }
    schema.read_pose(&mut row, &args.position, &args.quaternion)?;
    let is_whole = schema.has_pose(&row) || row.has(Group::Joints);
    Ok(Asked { verb, robot: &args.robot, task, row, is_whole })
}

/// Robot, place and motion, then the table of the motors.
pub fn print(task: &MotionTask, answer: &StateAnswer, out: &mut dyn Write) -> io::Result<()> {
    title(task, &answer.state, out)?;
    let mut table = Table::default();
    joint_rows(task, answer, &mut table);
    if let Some(dynamics) = &answer.state.dynamics {
        effort_rows(task, answer, dynamics, &mut table);
    }
    table.print(out)
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
    writeln!(out)
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
pub fn notes(task: &MotionTask, answer: &StateAnswer, out: &mut dyn Write) -> io::Result<()> {
    if let Some(d) = &answer.state.dynamics
        && !d.leg_force.is_empty()
        && d.leg_force.len() != d.motor.len()
    {
        let (legs, forces) = (d.leg_force.len(), short_list(&d.leg_force));
        writeln!(out, "\n{LEG_FORCE}, legs 1 to {legs}: {forces} N")?;
    }
    let over = |use_of: Option<Vec<f64>>, what: &str| {
        let use_of = use_of.unwrap_or_default();
        let over: Vec<usize> = (0..use_of.len()).filter(|joint| use_of[*joint] > 1.0).collect();
        Some(format!(
            "{} asked for more than the {what} of the robot file",
            legwork::summary::motors_are(&over)?
        ))
    };
    let notes = [
        task.robot.outside_limits_text(&answer.state.outside_limits),
        over(
            answer.effort_use(),
            &task.schema().either("largest torque", "largest force").replace(", ", " or "),
        ),
        over(answer.speed_use(), "largest speed"),
    ];
    let notes: Vec<String> = notes.into_iter().flatten().collect();
    if !notes.is_empty() {
        writeln!(out)?;
    }
    notes.iter().try_for_each(|note| print_line(note, out))
}

/// A motion that comes from joint values is zero to rounding where they are.
fn without_noise(rates: &[f64]) -> Vec<f64> {
    rates.iter().map(|rate| if rate.abs() < 1e-12 { 0.0 } else { *rate }).collect()
}

fn percent(parts: &[f64]) -> Vec<f64> {
    parts.iter().map(|part| part * 100.0).collect()
}

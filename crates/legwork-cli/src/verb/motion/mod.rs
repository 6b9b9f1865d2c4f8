//! What `torque` and `state` share: a motion, asked from the platform or from the joints.

mod columns;

pub use columns::{
    analysis_columns, jacobian_units, mass_units, platform_mass_units, state_columns, torque_columns,
};

use super::start::Start;
use super::{in_mode, no_masses, open};
use crate::args::{Model, MotionArgs};
use crate::failure::{Failure, Message};
use crate::table::Table;
use legwork::coordinates::{
    ACCELERATION, CoordinateSchema, Group, MotorMotion, VELOCITY, Values, WRENCH, number,
};
use legwork::text::{Decimals, short_list};
use legwork::units::Quantity;
use legwork::{AnyRobot, Dynamics, PlatformState, State};
use std::io::{self, Write};

/// The robot as the options make it.
pub struct Motion {
    pub robot: AnyRobot,
    pub schema: CoordinateSchema,
    pub name: String,
    pub model: Model,
    pub defaults: Values,
    start: Start,
}

/// Everything about one state, with what the motors can do.
pub struct Found {
    pub state: State,
    max_effort: Vec<Option<f64>>,
    max_speed: Vec<Option<f64>>,
}

impl Motion {
    /// The robot and, if the state is given as arguments, its numbers.
    pub fn from_args(args: &MotionArgs) -> Result<(Self, Option<Values>), Failure> {
        let failed = |error| Failure::of(error, &args.robot);
        let robot = open(&args.robot)?;
        let robot = robot.with_forearm_model(args.model.into()).map_err(failed)?;
        let mut robot = in_mode(robot, args.mode.as_ref())?;
        if let Some(payload) = &args.payload {
            let payload = number("payload", Quantity::Mass, payload)?;
            if !robot.has_masses() {
                return Err(no_masses(&robot, &args.robot));
            }
            robot = robot.with_payload(payload).map_err(failed)?;
        }
        let schema = CoordinateSchema::of(&robot);
        let mut row = Values::default();
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
        let start = Start::from_args(&args.start, &robot, &schema)?;
        let single = row.has(Group::Position) || row.has(Group::Joints);
        let single = single.then(|| row.clone());
        Ok((
            Self { robot, schema, name: args.robot.clone(), model: args.model, defaults: row, start },
            single,
        ))
    }

    /// Everything about the state of a row.
    pub fn found(&self, row: &Values) -> Result<Found, Failure> {
        let failed = |error| Failure::of(error, &self.name);
        let state = if row.has(Group::Joints) && !row.has(Group::Position) {
            let schema = &self.schema;
            let q = schema.all(row, Group::Joints)?;
            let mode = self.robot.working_mode_at(&q).map_err(failed)?;
            let (qd, qdd) =
                (schema.or_zero(row, Group::JointSpeeds), schema.or_zero(row, Group::JointAccelerations));
            let start = self.start.pose();
            let platform = self.robot.platform_from_joints(&q, &qd, &qdd, &start).map_err(failed)?;
            self.start.found(platform);
            let robot = self.robot.with_working_mode(&mode).map_err(failed)?;
            robot.state(&PlatformState { wrench: schema.wrench(row), ..platform })
        } else {
            self.robot.state(&self.schema.platform(row)?)
        };
        let joints = self.robot.joints();
        let found = Found {
            state: state.map_err(failed)?,
            max_effort: joints.iter().map(|joint| joint.max_effort).collect(),
            max_speed: joints.iter().map(|joint| joint.max_speed).collect(),
        };
        found.finite()
    }

    /// First lines of a table: robot, place, motion.
    pub fn title(&self, state: &State, out: &mut dyn Write) -> io::Result<()> {
        let (schema, platform) = (&self.schema, &state.platform);
        let mode =
            self.robot.working_mode_text(&state.mode).map_or_else(String::new, |mode| format!(", {mode}"));
        write!(out, "{} at {}{mode}", schema.robot, schema.place(platform))?;
        if self.robot.has_masses() && self.robot.linkage().is_some() {
            write!(out, ", {} model", self.model.name())?;
        }
        writeln!(out)?;
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
        let payload = self.robot.payload();
        if payload > 0.0 {
            writeln!(out, "payload {} kg", short_list(&[payload]))?;
        }
        writeln!(out)
    }

    /// Rows about the motors: their numbers, values, speeds and accelerations.
    pub fn joint_rows(&self, found: &Found, table: &mut Table) {
        let schema = &self.schema;
        let motors = (1..=schema.motor_count()).map(|motor| format!("motor {motor}"));
        table.row(std::iter::once(String::new()).chain(motors));
        let value = match schema.motor_motion() {
            MotorMotion::Turn => "angle q",
            MotorMotion::Slide => "position q",
            MotorMotion::Both => {
                let words = schema.each("turns", "slides");
                table.row(std::iter::once("").chain(words));
                "joint q"
            }
        };
        let State { q, qd, qdd, .. } = &found.state;
        let (qd, qdd) = (&without_noise(qd), &without_noise(qdd));
        table.numbers(
            &format!("{value} [{}]", schema.either("deg", "mm")),
            &schema.in_degrees_and_millimetres(q),
        );
        table.numbers(&format!("{value} [{}]", schema.either("rad", "m")), q);
        table.numbers(&format!("speed qd [{}]", schema.either("rad/s", "m/s")), qd);
        if let Some(part) = found.speed_use() {
            table.numbers("  of max_speed [%]", &percent(&part));
        }
        table.numbers(&format!("acceleration qdd [{}]", schema.either("rad/s^2", "m/s^2")), qdd);
    }

    /// Rows about the torques, with common decimals.
    pub fn torque_rows(&self, found: &Found, d: &Dynamics, table: &mut Table) {
        let schema = &self.schema;
        let decimals = Decimals::of(
            &[&d.motor[..], &d.inertial, &d.coriolis, &d.gravity, &d.external, &d.friction].concat(),
        );
        let mut row = |name: &str, numbers: &[f64]| {
            let cells = numbers.iter().map(|x| decimals.show(*x));
            table.row(std::iter::once(name.to_owned()).chain(cells));
        };
        let unit = schema.either("N m", "N");
        let name = match schema.motor_motion() {
            MotorMotion::Turn => "motor torque",
            MotorMotion::Slide => "motor force",
            MotorMotion::Both => "motor effort",
        };
        row(&format!("{name} [{unit}]"), &d.motor);
        row("  inertia", &d.inertial);
        row("  Coriolis", &d.coriolis);
        row("  gravity", &d.gravity);
        row("  external force", &d.external);
        row("  friction", &d.friction);
        if let Some(part) = found.effort_use() {
            let largest = schema.either("max_torque", "max_force");
            table.numbers(&format!("  of {largest} [%]"), &percent(&part));
        }
        if d.leg_force.len() == d.motor.len() {
            table.numbers(&format!("{} [N]", self.leg_force()), &d.leg_force);
        }
    }

    /// What the library says of a leg: along the rods of a Delta, else the size of its force on the platform.
    fn leg_force(&self) -> &'static str {
        if self.robot.linkage().is_some() { "leg force" } else { "size of leg force" }
    }

    /// Last lines: forces of legs that are not as many as the motors, and what is out of its limits.
    pub fn notes(&self, found: &Found, out: &mut dyn Write) -> io::Result<()> {
        if let Some(d) = &found.state.dynamics
            && d.leg_force.len() != d.motor.len()
        {
            let legs = d.leg_force.len();
            let forces = short_list(&d.leg_force);
            writeln!(out, "\n{}, legs 1 to {legs}: {forces} N", self.leg_force())?;
        }
        let over = |use_of: Option<Vec<f64>>, what: &str| {
            let use_of = use_of.unwrap_or_default();
            let over: Vec<usize> = (0..use_of.len()).filter(|joint| use_of[*joint] > 1.0).collect();
            Some(format!("{} asked for more than {what}", legwork::summary::motors_are(&over)?))
        };
        let notes = [
            self.robot.outside_limits_text(&found.state.outside_limits),
            over(found.effort_use(), &self.schema.either("max_torque", "max_force").replace(", ", " or ")),
            over(found.speed_use(), "max_speed"),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        if !notes.is_empty() {
            writeln!(out, "\n{}", notes.join("\n"))?;
        }
        Ok(())
    }
}

/// A motion that comes from joint values is zero to rounding where they are.
fn without_noise(rates: &[f64]) -> Vec<f64> {
    rates.iter().map(|rate| if rate.abs() < 1e-12 { 0.0 } else { *rate }).collect()
}

fn percent(parts: &[f64]) -> Vec<f64> {
    parts.iter().map(|part| part * 100.0).collect()
}

/// Each number over its limit, NaN without one; `None` if there is no limit at all.
fn part(numbers: &[f64], limits: &[Option<f64>]) -> Option<Vec<f64>> {
    limits.iter().any(Option::is_some).then(|| {
        numbers.iter().zip(limits).map(|(x, limit)| limit.map_or(f64::NAN, |limit| x.abs() / limit)).collect()
    })
}

impl Found {
    /// Motor torque or force over its limit, 1 at the limit; `None` if either is not known.
    fn effort_use(&self) -> Option<Vec<f64>> {
        part(&self.state.dynamics.as_ref()?.motor, &self.max_effort)
    }

    fn speed_use(&self) -> Option<Vec<f64>> {
        part(&self.state.qd, &self.max_speed)
    }

    /// The answer itself if no number in it is NaN or infinite.
    fn finite(self) -> Result<Self, Failure> {
        let state = &self.state;
        let mut numbers = [&state.q[..], &state.qd, &state.qdd].concat();
        if let Some(d) = &state.dynamics {
            numbers.extend([&d.motor[..], &d.coriolis, &d.leg_force, &[d.kinetic_energy]].concat());
        }
        if numbers.iter().all(|x| x.is_finite()) {
            return Ok(self);
        }
        let message = Message::new("the answer is not a finite number");
        Err(message.hint("the motion or the numbers in the robot file are too large").into())
    }
}

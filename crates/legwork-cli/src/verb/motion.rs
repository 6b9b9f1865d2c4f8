//! What `torque` and `state` share: a motion, asked from the platform or from the joints.

use super::{millimetres, motors_are, open, outside};
use crate::answer::{Column, Quantity, Shape, joint_names};
use crate::args::{Model, MotionArgs};
use crate::failure::{Failure, Message};
use crate::quantity::Kind;
use crate::row::{Group, Row, number};
use crate::table::{Table, short_list};
use legwork::{AnyRobot, Dynamics, PlatformState, State};
use std::io::{self, Write};

/// The robot as the options make it.
pub struct Motion {
    pub robot: AnyRobot,
    pub name: String,
    pub model: Model,
    pub defaults: Row,
}

/// Everything about one state, with what the motors can do.
pub struct Found {
    pub state: State,
    max_torque: Option<f64>,
    max_speed: Option<f64>,
}

impl Motion {
    /// The robot and, if the state is given as arguments, its numbers.
    pub fn from_args(args: &MotionArgs) -> Result<(Self, Option<Row>), Failure> {
        let failed = |error| Failure::of(error, &args.robot);
        let mut robot = open(&args.robot)?.with_forearm_model(args.model.into());
        if let Some(mode) = args.mode {
            robot = robot.with_working_mode(mode);
        }
        if let Some(payload) = &args.payload {
            robot = robot.with_payload(number("payload", Kind::Mass, payload)?).map_err(failed)?;
        }
        let mut row = Row::default();
        for (group, texts) in [
            (Group::Velocity, &args.velocity),
            (Group::Acceleration, &args.acceleration),
            (Group::Force, &args.force),
            (Group::Position, &args.position),
            (Group::Angles, &args.joints),
            (Group::Speeds, &args.joint_velocity),
            (Group::AngularAccelerations, &args.joint_acceleration),
        ] {
            if !texts.is_empty() {
                row.argument(group, texts)?;
            }
        }
        let single = row.has(Group::Position) || row.has(Group::Angles);
        let motion = Self { robot, name: args.robot.clone(), model: args.model, defaults: row };
        Ok((motion, single.then_some(row)))
    }

    /// Everything about the state of a row.
    pub fn found(&self, row: &Row) -> Result<Found, Failure> {
        let failed = |error| Failure::of(error, &self.name);
        let force = row.or_zero(Group::Force);
        let state = if row.has(Group::Angles) && !row.has(Group::Position) {
            let q = row.all(Group::Angles)?;
            let mode = self.robot.working_mode_at(&q).map_err(failed)?;
            let (qd, qdd) = (row.or_zero(Group::Speeds), row.or_zero(Group::AngularAccelerations));
            let platform = self.robot.platform_from_joints(&q, &qd, &qdd).map_err(failed)?;
            self.robot.with_working_mode(mode).state(&platform.with_force(force))
        } else {
            let platform = PlatformState::at(row.all(Group::Position)?)
                .moving(row.or_zero(Group::Velocity), row.or_zero(Group::Acceleration));
            self.robot.state(&platform.with_force(force))
        };
        let motor = &self.robot.description().motor;
        let found =
            Found { state: state.map_err(failed)?, max_torque: motor.max_torque, max_speed: motor.max_speed };
        found.finite()
    }

    /// First lines of a table: robot, place, motion.
    pub fn title(&self, state: &State, out: &mut dyn Write) -> io::Result<()> {
        let platform = &state.platform;
        let place = millimetres(platform.position);
        write!(out, "{} at {place}, elbows {}", self.robot.name(), state.mode)?;
        if self.robot.has_masses() {
            write!(out, ", {} model", self.model.name())?;
        }
        writeln!(out)?;
        for (name, vector, unit) in [
            ("velocity", platform.twist, "m/s"),
            ("acceleration", platform.acceleration, "m/s^2"),
            ("external force", platform.wrench, "N"),
        ] {
            if vector.iter().any(|x| *x != 0.0) {
                writeln!(out, "{name} ({}) {unit}", short_list(&vector[..3]))?;
            }
        }
        if let Some(mass) = &self.robot.description().mass
            && mass.payload > 0.0
        {
            writeln!(out, "payload {} kg", short_list(&[mass.payload]))?;
        }
        writeln!(out)
    }

    /// Last lines: what is out of its limits.
    pub fn warnings(&self, found: &Found, out: &mut dyn Write) -> io::Result<()> {
        let over = |use_of: Option<Vec<f64>>, what: &str| {
            let use_of = use_of.unwrap_or_default();
            let over: Vec<usize> = (0..use_of.len()).filter(|joint| use_of[*joint] > 1.0).collect();
            Some(format!("{} asked for more than {what}", motors_are(&over)?))
        };
        let notes = [
            outside(&self.robot, &found.state.outside_limits),
            over(found.torque_use(), "max_torque"),
            over(found.speed_use(), "max_speed"),
        ];
        let notes: Vec<String> = notes.into_iter().flatten().collect();
        if !notes.is_empty() {
            writeln!(out, "\n{}", notes.join("\n"))?;
        }
        Ok(())
    }
}

impl Found {
    /// Motor torque over `max_torque`, 1 at the limit; `None` if either is not known.
    fn torque_use(&self) -> Option<Vec<f64>> {
        let (max, dynamics) = (self.max_torque?, self.state.dynamics.as_ref()?);
        Some(dynamics.motor.iter().map(|torque| torque.abs() / max).collect())
    }

    fn speed_use(&self) -> Option<Vec<f64>> {
        let max = self.max_speed?;
        Some(self.state.qd.iter().map(|speed| speed.abs() / max).collect())
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

    /// Rows about the motors: angle, speed, acceleration.
    pub fn joint_rows(&self, table: &mut Table) {
        let in_degrees = |list: &[f64]| list.iter().map(|x| x.to_degrees()).collect::<Vec<_>>();
        let State { q, qd, qdd, .. } = &self.state;
        table.numbers("angle q [deg]", &in_degrees(q));
        table.numbers("angle q [rad]", q);
        table.numbers("speed qd [rad/s]", qd);
        if let Some(part) = self.speed_use() {
            table.numbers("  of max_speed [%]", &part.iter().map(|x| x * 100.0).collect::<Vec<_>>());
        }
        table.numbers("acceleration qdd [rad/s^2]", qdd);
    }

    /// Rows about the torques, with common decimals.
    pub fn torque_rows(&self, table: &mut Table, d: &Dynamics) {
        let decimals = crate::table::Decimals::of(
            &[&d.motor[..], &d.inertial, &d.coriolis, &d.gravity, &d.external, &d.friction].concat(),
        );
        let mut row = |name: &str, numbers: &[f64]| {
            let cells = numbers.iter().map(|x| decimals.show(*x));
            table.row(std::iter::once(name.to_owned()).chain(cells));
        };
        row("motor torque [N m]", &d.motor);
        row("  inertia", &d.inertial);
        row("  Coriolis", &d.coriolis);
        row("  gravity", &d.gravity);
        row("  external force", &d.external);
        row("  friction", &d.friction);
        if let Some(part) = self.torque_use() {
            table.numbers("  of max_torque [%]", &part.iter().map(|x| x * 100.0).collect::<Vec<_>>());
        }
        table.numbers("leg force [N]", &d.leg_force);
    }
}

/// The motor numbers: a heading over columns.
pub fn motors(joints: usize) -> Vec<String> {
    std::iter::once(String::new()).chain((1..=joints).map(|joint| format!("motor {joint}"))).collect()
}

type Columns = Vec<Column<Found>>;

/// Columns that say which state it is.
pub fn state_columns() -> Columns {
    let axes = |group: Group| Shape::Axes(group.row().columns);
    vec![
        Column::new("position", "m", axes(Group::Position), |f| numbers(&f.state.platform.position)),
        Column::new("velocity", "m/s", axes(Group::Velocity), |f| numbers(&f.state.platform.twist[..3])),
        Column::new("acceleration", "m/s^2", axes(Group::Acceleration), |f| {
            numbers(&f.state.platform.acceleration[..3])
        }),
        Column::new("force", "N", axes(Group::Force), |f| numbers(&f.state.platform.wrench[..3])),
        Column::new("mode", "", Shape::One, |f| Quantity::Word(f.state.mode.clone())),
        Column::new("q", "rad", Shape::Joints, |f| numbers(&f.state.q)),
        Column::new("qd", "rad/s", Shape::Joints, |f| numbers(&f.state.qd)),
        Column::new("qdd", "rad/s^2", Shape::Joints, |f| numbers(&f.state.qdd)),
        Column::new("outside_limits", "", Shape::One, |f| {
            Quantity::Words(joint_names(&f.state.outside_limits))
        }),
    ]
}

/// Columns of a robot with masses.
pub fn torque_columns(motion: &Motion) -> Columns {
    let mut columns = Columns::new();
    if motion.robot.has_masses() {
        columns.extend([
            Column::new("motor_torque", "N m", Shape::Joints, |f| of(f, |d| numbers(&d.motor))),
            Column::new("inertial", "N m", Shape::Joints, |f| of(f, |d| numbers(&d.inertial))),
            Column::new("coriolis", "N m", Shape::Joints, |f| of(f, |d| numbers(&d.coriolis))),
            Column::new("gravity", "N m", Shape::Joints, |f| of(f, |d| numbers(&d.gravity))),
            Column::new("external", "N m", Shape::Joints, |f| of(f, |d| numbers(&d.external))),
            Column::new("friction", "N m", Shape::Joints, |f| of(f, |d| numbers(&d.friction))),
            Column::new("leg_force", "N", Shape::Joints, |f| of(f, |d| numbers(&d.leg_force))),
        ]);
        if motion.robot.description().motor.max_torque.is_some() {
            columns.push(Column::new("torque_use", "1", Shape::Joints, |f| {
                Quantity::Numbers(f.torque_use().unwrap_or_default())
            }));
        }
    }
    if motion.robot.description().motor.max_speed.is_some() {
        columns.push(Column::new("speed_use", "1", Shape::Joints, |f| {
            Quantity::Numbers(f.speed_use().unwrap_or_default())
        }));
    }
    columns
}

/// Columns of the Jacobian, the singularities and the energies.
pub fn analysis_columns(motion: &Motion) -> Columns {
    let mut columns = vec![
        Column::new("jacobian", "m/rad", Shape::Square, |f: &Found| {
            Quantity::Matrix(f.state.jacobian.clone())
        }),
        Column::new("serial", "1", Shape::Joints, |f| numbers(&f.state.singularity.serial)),
        Column::new("parallel", "1", Shape::One, |f| Quantity::Number(f.state.singularity.parallel)),
        Column::new("condition", "1", Shape::One, |f| Quantity::Number(f.state.singularity.condition)),
    ];
    if motion.robot.has_masses() {
        columns.extend([
            Column::new("mass_matrix", "kg m^2", Shape::Square, |f: &Found| {
                of(f, |d| Quantity::Matrix(d.mass_matrix.clone()))
            }),
            Column::new("platform_mass_matrix", "kg", Shape::Square, |f| {
                of(f, |d| Quantity::Matrix(d.platform_mass_matrix.clone()))
            }),
            Column::new("kinetic_energy", "J", Shape::One, |f| of(f, |d| Quantity::Number(d.kinetic_energy))),
            Column::new("potential_energy", "J", Shape::One, |f| {
                of(f, |d| Quantity::Number(d.potential_energy))
            }),
        ]);
    }
    columns
}

fn numbers(list: &[f64]) -> Quantity {
    Quantity::Numbers(list.to_vec())
}

/// A quantity of the dynamics; the columns are there only for robots that have them.
fn of(found: &Found, get: fn(&Dynamics) -> Quantity) -> Quantity {
    found.state.dynamics.as_ref().map_or_else(|| Quantity::Numbers(Vec::new()), get)
}

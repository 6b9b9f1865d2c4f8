//! What `torque` and `state` print of a state.

use super::{Found, Motion};
use crate::answer::{AnswerValue, Column, Shape, joint_names};
use legwork::Dynamics;
use legwork::coordinates::{CoordinateSchema, Group, Units};

type Columns = Vec<Column<Found>>;
/// Takes a list of six out of an answer.
type Six = fn(&Found) -> &[f64; 6];
/// Takes a list out of the dynamics.
type List = fn(&Dynamics) -> &Vec<f64>;

/// Columns that say which state it is.
pub fn state_columns(motion: &Motion) -> Columns {
    let schema = &motion.schema;
    let mut columns = Column::pose(schema, |f: &Found| f.state.platform);
    // The halves of a list of six that the robot has.
    let (twist, acceleration, wrench): (Six, Six, Six) =
        (|f| &f.state.platform.twist, |f| &f.state.platform.acceleration, |f| &f.state.platform.wrench);
    for (group, six, half) in [
        (Group::Velocity, twist, 0..3),
        (Group::AngularVelocity, twist, 3..6),
        (Group::Acceleration, acceleration, 0..3),
        (Group::AngularAcceleration, acceleration, 3..6),
        (Group::Force, wrench, 0..3),
        (Group::Moment, wrench, 3..6),
    ] {
        if !schema.group(group).names.is_empty() {
            let own = schema.clone();
            columns
                .push(Column::group(schema, group, move |f: &Found| own.pick(group, &six(f)[half.clone()])));
        }
    }
    columns.extend([
        Column::new("mode", "", Shape::One, |f: &Found| AnswerValue::Word(f.state.mode.clone())),
        Column::group(schema, Group::Joints, |f: &Found| f.state.q.clone()),
        Column::group(schema, Group::JointSpeeds, |f: &Found| f.state.qd.clone()),
        Column::group(schema, Group::JointAccelerations, |f: &Found| f.state.qdd.clone()),
        Column::new("outside_limits", "", Shape::One, |f: &Found| {
            AnswerValue::Words(joint_names(&f.state.outside_limits))
        }),
    ]);
    columns
}

/// Columns of a robot with masses.
pub fn torque_columns(motion: &Motion) -> Columns {
    let mut columns = Columns::new();
    let (robot, count) = (&motion.robot, motion.schema.motor_count());
    if robot.has_masses() {
        let units = Units::of(motion.schema.each("N m", "N"));
        let parts: [(_, List); 6] = [
            ("motor_effort", |d| &d.motor),
            ("inertial", |d| &d.inertial),
            ("coriolis", |d| &d.coriolis),
            ("gravity", |d| &d.gravity),
            ("external", |d| &d.external),
            ("friction", |d| &d.friction),
        ];
        for (name, get) in parts {
            let numbers = move |f: &Found| of(f, |d| AnswerValue::Numbers(get(d).clone()));
            columns.push(Column::new(name, units.clone(), Shape::List(count), numbers));
        }
        columns.push(Column::new("leg_force", "N", Shape::List(robot.leg_count()), |f: &Found| {
            of(f, |d| AnswerValue::Numbers(d.leg_force.clone()))
        }));
        if robot.joints().iter().any(|joint| joint.max_effort.is_some()) {
            columns.push(Column::new("effort_use", "1", Shape::List(count), |f: &Found| {
                AnswerValue::Numbers(f.effort_use().unwrap_or_default())
            }));
        }
    }
    if robot.joints().iter().any(|joint| joint.max_speed.is_some()) {
        columns.push(Column::new("speed_use", "1", Shape::List(count), |f: &Found| {
            AnswerValue::Numbers(f.speed_use().unwrap_or_default())
        }));
    }
    columns
}

/// Columns of the Jacobian, the singularities and the energies.
pub fn analysis_columns(motion: &Motion) -> Columns {
    let schema = &motion.schema;
    let (rows, count) = (schema.freedoms.len(), schema.motor_count());
    let legs = motion.robot.leg_count();
    let serial_unit = if motion.robot.linkage().is_some() { "1" } else { "" };
    let mut columns = vec![
        Column::new("jacobian", jacobian_units(schema), Shape::Matrix(rows, count), |f: &Found| {
            AnswerValue::Matrix(f.state.jacobian.clone())
        }),
        Column::new("serial", serial_unit, Shape::List(legs), |f: &Found| {
            AnswerValue::Numbers(f.state.singularity.serial.clone())
        }),
        Column::new("parallel", "1", Shape::One, |f: &Found| {
            AnswerValue::Number(f.state.singularity.parallel)
        }),
        Column::new("condition", "1", Shape::One, |f: &Found| {
            AnswerValue::Number(f.state.singularity.condition)
        }),
    ];
    if motion.robot.has_masses() {
        columns.extend([
            Column::new("mass_matrix", mass_units(schema), Shape::Matrix(count, count), |f: &Found| {
                of(f, |d| AnswerValue::Matrix(d.mass_matrix.clone()))
            }),
            Column::new(
                "platform_mass_matrix",
                platform_mass_units(schema),
                Shape::Matrix(rows, rows),
                |f: &Found| of(f, |d| AnswerValue::Matrix(d.platform_mass_matrix.clone())),
            ),
            Column::new("kinetic_energy", "J", Shape::One, |f: &Found| {
                of(f, |d| AnswerValue::Number(d.kinetic_energy))
            }),
            Column::new("potential_energy", "J", Shape::One, |f: &Found| {
                of(f, |d| AnswerValue::Number(d.potential_energy))
            }),
        ]);
    }
    columns
}

/// Platform velocity over joint speed.
pub fn jacobian_units(schema: &CoordinateSchema) -> Units {
    let motors = schema.each("rad", "m");
    let entry = |turns: bool, motor: &str| match (turns, motor) {
        (false, "rad") => "m/rad",
        (true, "m") => "rad/m",
        _ => "1",
    };
    let rows =
        schema.freedoms.iter().flat_map(|freedom| motors.iter().map(|motor| entry(freedom.turns(), motor)));
    Units::of(rows.collect())
}

/// Effort over joint acceleration.
pub fn mass_units(schema: &CoordinateSchema) -> Units {
    inertia(&schema.each(true, false))
}

/// Wrench over platform acceleration.
pub fn platform_mass_units(schema: &CoordinateSchema) -> Units {
    inertia(&schema.freedoms.iter().map(legwork::Freedom::turns).collect::<Vec<_>>())
}

fn inertia(turns: &[bool]) -> Units {
    let entry = |a: bool, b: bool| match (a, b) {
        (false, false) => "kg",
        (true, true) => "kg m^2",
        _ => "kg m",
    };
    Units::of(turns.iter().flat_map(|a| turns.iter().map(|b| entry(*a, *b))).collect())
}

/// A quantity of the dynamics; the columns are there only for robots that have them.
fn of(found: &Found, get: impl Fn(&Dynamics) -> AnswerValue) -> AnswerValue {
    found.state.dynamics.as_ref().map_or_else(|| AnswerValue::Numbers(Vec::new()), get)
}

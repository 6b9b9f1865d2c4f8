//! The columns of every kind of run: one list of names, units and frames.

use crate::PlatformState;
use crate::coordinates::{CoordinateSchema, Group};
use crate::experiment::Observation;
use crate::recording::Column;
use crate::rotation;
use crate::sim::Sample;

/// The frame of what the platform does.
const FRAME: &str = "base";

/// What a motion has picked up, besides what the robot carries all the time.
pub(super) const PICKED: &str = "picked";

/// What a run of a robot has in each row. In this order: time, pose, velocities, accelerations
/// of a motion, motors (`q`, `qd`, `qdd`), efforts
/// (`tau`), what is picked up, commands (`u`), encoder readings (`m`), energies, references and errors.
#[derive(Clone, Copy, Debug)]
pub struct RunColumns<'a> {
    schema: &'a CoordinateSchema,
    kind: RunKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RunKind {
    Motion { has_loads: bool },
    Simulation { has_commands: bool, has_readings: bool },
    ClosedLoop,
}

impl<'a> RunColumns<'a> {
    /// A motion by inverse dynamics, with the accelerations of the platform; with `picked` where it picks something up.
    pub fn of_motion(schema: &'a CoordinateSchema, has_loads: bool) -> Self {
        Self { schema, kind: RunKind::Motion { has_loads } }
    }

    /// A simulation, with commands where motors do not just give them and with readings where there are encoders.
    pub fn of_simulation(schema: &'a CoordinateSchema, has_commands: bool, has_readings: bool) -> Self {
        Self { schema, kind: RunKind::Simulation { has_commands, has_readings } }
    }

    /// A closed loop.
    pub fn of_closed_loop(schema: &'a CoordinateSchema) -> Self {
        Self { schema, kind: RunKind::ClosedLoop }
    }

    /// Whether some run of the robot has a column of this name.
    pub fn any_has(schema: &'a CoordinateSchema, name: &str) -> bool {
        [RunKind::Motion { has_loads: true }, RunKind::ClosedLoop]
            .into_iter()
            .any(|kind| Self { schema, kind }.columns().iter().any(|column| column.name == name))
    }

    /// Whether it tells what motors are told, and what encoders read.
    fn has_commands_and_readings(&self) -> (bool, bool) {
        match self.kind {
            RunKind::Motion { .. } => (false, false),
            RunKind::Simulation { has_commands, has_readings } => (has_commands, has_readings),
            RunKind::ClosedLoop => (true, true),
        }
    }

    /// Names, units and frames.
    pub fn columns(&self) -> Vec<Column> {
        let schema = self.schema;
        let is_motion = matches!(self.kind, RunKind::Motion { .. });
        let (has_commands, has_readings) = self.has_commands_and_readings();
        let group = |group| schema.group(group).names.iter();
        let numbered = |letters: &'static str, turning: &'static str, sliding: &'static str| {
            let units = schema.each(turning, sliding).into_iter().enumerate();
            units.map(move |(k, unit)| Column::new(format!("{letters}{}", k + 1), unit))
        };
        let mut columns = vec![Column::time()];
        let platform = [
            Group::Position,
            Group::Orientation,
            Group::Quaternion,
            Group::Velocity,
            Group::AngularVelocity,
            Group::Acceleration,
            Group::AngularAcceleration,
        ];
        for named in platform.into_iter().take(if is_motion { 7 } else { 5 }) {
            let named = group(named);
            columns
                .extend(named.map(|name| Column::new(&name.text, name.quantity.si_unit()).in_frame(FRAME)));
        }
        let motors = [Group::Joints, Group::JointSpeeds, Group::JointAccelerations];
        for named in motors.into_iter().take(if is_motion { 3 } else { 2 }) {
            columns.extend(group(named).map(|name| Column::new(&name.text, name.quantity.si_unit())));
        }
        columns.extend(numbered("tau", "N m", "N"));
        if self.kind == (RunKind::Motion { has_loads: true }) {
            columns.push(Column::new(PICKED, "kg"));
        }
        if has_commands {
            columns.extend(numbered("u", "N m", "N"));
        }
        if has_readings {
            columns.extend(numbered("m", "rad", "m"));
        }
        if !is_motion {
            let energies = ["kinetic_energy", "potential_energy", "work", "dissipation"];
            columns.extend(energies.map(|name| Column::new(name, "J")));
            columns.push(Column::new("loop_gap", "m"));
        }
        if self.kind == RunKind::ClosedLoop {
            columns.extend(numbered("qref", "rad", "m"));
            columns.extend(numbered("qerr", "rad", "m"));
            for named in [Group::Position, Group::Orientation] {
                columns.extend(group(named).map(|name| {
                    Column::new(format!("{}_ref", name.text), name.quantity.si_unit()).in_frame(FRAME)
                }));
            }
            columns.push(Column::new("position_error", "m"));
            if schema.turns() {
                columns.push(Column::new("orientation_error", "rad"));
            }
        }
        columns
    }

    fn platform(&self, time: f64, platform: &PlatformState, row: &mut Vec<f64>) {
        let schema = self.schema;
        row.clear();
        row.push(time);
        row.extend(schema.pick(Group::Position, &platform.position));
        row.extend(schema.angles(&platform.rotation));
        if schema.turns() {
            row.extend(rotation::to_quaternion(&platform.rotation));
        }
        row.extend(schema.pick(Group::Velocity, &platform.twist[..3]));
        row.extend(schema.pick(Group::AngularVelocity, &platform.twist[3..]));
    }

    /// A row of a motion; `motors` are q, qd, qdd and the efforts, `picked` what is picked up \[kg\].
    pub fn motion_row(
        &self,
        time: f64,
        platform: &PlatformState,
        motors: [&[f64]; 4],
        picked: f64,
        row: &mut Vec<f64>,
    ) {
        let schema = self.schema;
        self.platform(time, platform, row);
        row.extend(schema.pick(Group::Acceleration, &platform.acceleration[..3]));
        row.extend(schema.pick(Group::AngularAcceleration, &platform.acceleration[3..]));
        row.extend(motors.into_iter().flatten());
        if self.kind == (RunKind::Motion { has_loads: true }) {
            row.push(picked);
        }
    }

    /// A row of a simulation.
    pub fn sample_row(&self, sample: &Sample<'_>, row: &mut Vec<f64>) {
        self.platform(sample.time, &sample.platform, row);
        for list in [sample.q, sample.qd, sample.effort] {
            row.extend_from_slice(list);
        }
        let (has_commands, has_readings) = self.has_commands_and_readings();
        if has_commands {
            row.extend_from_slice(sample.command);
        }
        if has_readings {
            row.extend_from_slice(sample.measured.unwrap_or(sample.q));
        }
        let (energy, ledger) = (&sample.energy, &sample.ledger);
        row.extend([energy.kinetic, energy.potential, ledger.work, ledger.dissipation, sample.loop_gap]);
    }

    /// A row of a closed loop.
    pub fn observation_row(&self, seen: &Observation<'_>, row: &mut Vec<f64>) {
        let schema = self.schema;
        self.sample_row(&seen.sample, row);
        row.extend_from_slice(seen.reference);
        row.extend_from_slice(seen.error);
        row.extend(schema.pick(Group::Position, &seen.platform.position));
        row.extend(schema.angles(&seen.platform.rotation));
        row.push(seen.position_error);
        if schema.turns() {
            row.push(seen.orientation_error);
        }
    }
}

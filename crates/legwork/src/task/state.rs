//! Torques, and everything else about a state, row by row.

use super::answer::{AnswerColumn, AnswerValue, Shape, StateInput, StateTask};
use super::kinematics::SearchStart;
use super::{PoseRequest, RobotRequest, TaskError, needs_masses};
use crate::coordinates::{CoordinateSchema, Group, Units, Values};
use crate::{AnyRobot, Dynamics, PlatformState, State};

/// How much is asked of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateParts {
    /// The motion and the efforts of the motors; needs masses.
    Efforts,
    /// Also the Jacobian, the singularities, mass matrices and energies.
    Everything,
}

/// Efforts or everything about states of the platform or of the joints.
pub struct MotionTask {
    /// The robot.
    pub robot: AnyRobot,
    schema: CoordinateSchema,
    parts: StateParts,
    start: SearchStart,
}

/// Everything about one state, with what the motors can do.
#[derive(Clone, Debug, PartialEq)]
pub struct StateAnswer {
    /// The state.
    pub state: State,
    max_effort: Vec<Option<f64>>,
    max_speed: Vec<Option<f64>>,
}

impl StateAnswer {
    /// Motor torque or force over its limit, 1 at the limit; `None` if either is not known.
    pub fn effort_use(&self) -> Option<Vec<f64>> {
        share(&self.state.dynamics.as_ref()?.motor, &self.max_effort)
    }

    /// Joint speed over its limit, 1 at the limit; `None` without limits.
    pub fn speed_use(&self) -> Option<Vec<f64>> {
        share(&self.state.qd, &self.max_speed)
    }

    fn is_finite(&self) -> bool {
        let state = &self.state;
        let mut numbers = [&state.q[..], &state.qd, &state.qdd].concat();
        if let Some(d) = &state.dynamics {
            numbers.extend([&d.motor[..], &d.coriolis, &d.leg_force, &[d.kinetic_energy]].concat());
        }
        numbers.iter().all(|x| x.is_finite())
    }
}

/// Each number over its limit, NaN without one; `None` if there is no limit at all.
fn share(numbers: &[f64], limits: &[Option<f64>]) -> Option<Vec<f64>> {
    limits.iter().any(Option::is_some).then(|| {
        numbers.iter().zip(limits).map(|(x, limit)| limit.map_or(f64::NAN, |limit| x.abs() / limit)).collect()
    })
}

impl MotionTask {
    /// Of this robot; joint values are sought from `near`, as [`SearchStart::new`] says.
    pub fn open(
        robot: &RobotRequest,
        parts: StateParts,
        near: Option<&PoseRequest>,
        follow: bool,
    ) -> Result<Self, TaskError> {
        let robot = robot.open()?;
        if parts == StateParts::Efforts {
            needs_masses(&robot)?;
        }
        let schema = CoordinateSchema::of(&robot);
        let start = SearchStart::new(&robot, &schema, near, follow)?;
        Ok(Self { robot, schema, parts, start })
    }

    /// Everything about the state of a row.
    pub fn answer(&self, row: &Values) -> Result<StateAnswer, TaskError> {
        let schema = &self.schema;
        let state = if row.has(Group::Joints) && !row.has(Group::Position) {
            let q = schema.all(row, Group::Joints)?;
            let mode = self.robot.working_mode_at(&q)?;
            let (qd, qdd) =
                (schema.or_zero(row, Group::JointSpeeds), schema.or_zero(row, Group::JointAccelerations));
            let platform = self.robot.platform_from_joints(&q, &qd, &qdd, &self.start.pose())?;
            self.start.found(platform);
            let robot = self.robot.with_working_mode(&mode)?;
            robot.state(&PlatformState { wrench: schema.wrench(row), ..platform })?
        } else {
            self.robot.state(&schema.platform(row)?)?
        };
        let joints = self.robot.joints();
        let answer = StateAnswer {
            state,
            max_effort: joints.iter().map(|joint| joint.max_effort).collect(),
            max_speed: joints.iter().map(|joint| joint.max_speed).collect(),
        };
        if answer.is_finite() {
            return Ok(answer);
        }
        Err(TaskError::request("the answer is not a finite number")
            .or("the motion or the numbers in the robot file are too large"))
    }

    /// Columns that say which state it is.
    fn state_columns(&self) -> Columns {
        let schema = &self.schema;
        let mut columns = AnswerColumn::pose(schema, |answer: &StateAnswer| answer.state.platform);
        // The halves of a list of six that the robot has.
        let (twist, acceleration, wrench): (Six, Six, Six) =
            (|a| &a.state.platform.twist, |a| &a.state.platform.acceleration, |a| &a.state.platform.wrench);
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
                columns.push(AnswerColumn::group(schema, group, move |answer: &StateAnswer| {
                    own.pick(group, &six(answer)[half.clone()])
                }));
            }
        }
        columns.extend([
            AnswerColumn::new("mode", "", Shape::One, |answer: &StateAnswer| {
                AnswerValue::Word(answer.state.mode.clone())
            }),
            AnswerColumn::group(schema, Group::Joints, |answer: &StateAnswer| answer.state.q.clone()),
            AnswerColumn::group(schema, Group::JointSpeeds, |answer: &StateAnswer| answer.state.qd.clone()),
            AnswerColumn::group(schema, Group::JointAccelerations, |answer: &StateAnswer| {
                answer.state.qdd.clone()
            }),
            AnswerColumn::joint_names("outside_limits", |answer: &StateAnswer| {
                answer.state.outside_limits.clone()
            }),
        ]);
        columns
    }

    /// Columns of the motors: efforts of a robot with masses, and how far the limits are used.
    fn effort_columns(&self) -> Columns {
        let mut columns = Columns::new();
        let (robot, count) = (&self.robot, self.schema.motor_count());
        if robot.has_masses() {
            let units = Units::of(self.schema.each("N m", "N"));
            let parts: [(_, List); 6] = [
                ("motor_effort", |d| &d.motor),
                ("inertial", |d| &d.inertial),
                ("coriolis", |d| &d.coriolis),
                ("gravity", |d| &d.gravity),
                ("external", |d| &d.external),
                ("friction", |d| &d.friction),
            ];
            for (name, get) in parts {
                let numbers = move |d: &Dynamics| AnswerValue::Numbers(get(d).clone());
                columns.push(of_dynamics(name, units.clone(), Shape::List(count), numbers));
            }
            let legs = robot.leg_count();
            columns.push(of_dynamics("leg_force", "N", Shape::List(legs), |d| {
                AnswerValue::Numbers(d.leg_force.clone())
            }));
            if robot.joints().iter().any(|joint| joint.max_effort.is_some()) {
                columns.push(AnswerColumn::new("effort_use", "1", Shape::List(count), |a: &StateAnswer| {
                    AnswerValue::Numbers(a.effort_use().unwrap_or_default())
                }));
            }
        }
        if robot.joints().iter().any(|joint| joint.max_speed.is_some()) {
            columns.push(AnswerColumn::new("speed_use", "1", Shape::List(count), |a: &StateAnswer| {
                AnswerValue::Numbers(a.speed_use().unwrap_or_default())
            }));
        }
        columns
    }

    /// Columns of the Jacobian, the singularities, the mass matrices and the energies.
    fn analysis_columns(&self) -> Columns {
        let schema = &self.schema;
        let (rows, count) = (schema.freedoms.len(), schema.motor_count());
        let legs = self.robot.leg_count();
        let serial_unit = if self.robot.linkage().is_some() { "1" } else { "" };
        let number = |name, get: fn(&State) -> f64| {
            AnswerColumn::new(name, "1", Shape::One, move |a: &StateAnswer| {
                AnswerValue::Number(get(&a.state))
            })
        };
        let mut columns = vec![
            AnswerColumn::new(
                "jacobian",
                schema.jacobian_units(),
                Shape::Matrix(rows, count),
                |a: &StateAnswer| AnswerValue::Matrix(a.state.jacobian.clone()),
            ),
            AnswerColumn::new("serial", serial_unit, Shape::List(legs), |a: &StateAnswer| {
                AnswerValue::Numbers(a.state.singularity.serial.clone())
            }),
            number("parallel", |state| state.singularity.parallel),
            number("condition", |state| state.singularity.condition),
        ];
        if self.robot.has_masses() {
            let energy = |name, get: fn(&Dynamics) -> f64| {
                of_dynamics(name, "J", Shape::One, move |d| AnswerValue::Number(get(d)))
            };
            columns.extend([
                of_dynamics("mass_matrix", schema.mass_units(), Shape::Matrix(count, count), |d| {
                    AnswerValue::Matrix(d.mass_matrix.clone())
                }),
                of_dynamics(
                    "platform_mass_matrix",
                    schema.platform_mass_units(),
                    Shape::Matrix(rows, rows),
                    |d| AnswerValue::Matrix(d.platform_mass_matrix.clone()),
                ),
                energy("kinetic_energy", |d| d.kinetic_energy),
                energy("potential_energy", |d| d.potential_energy),
            ]);
        }
        columns
    }
}

type Columns = Vec<AnswerColumn<StateAnswer>>;
/// Takes a list of six out of an answer.
type Six = fn(&StateAnswer) -> &[f64; 6];
/// Takes a list out of the dynamics.
type List = fn(&Dynamics) -> &Vec<f64>;

/// A quantity of the dynamics; the columns are there only for robots that have them.
fn of_dynamics(
    name: &'static str,
    units: impl Into<Units>,
    shape: Shape,
    get: impl Fn(&Dynamics) -> AnswerValue + 'static,
) -> AnswerColumn<StateAnswer> {
    AnswerColumn::new(name, units, shape, move |answer: &StateAnswer| {
        answer.state.dynamics.as_ref().map_or_else(|| AnswerValue::Numbers(Vec::new()), &get)
    })
}

impl StateTask for MotionTask {
    type Answer = StateAnswer;

    fn input(&self) -> StateInput {
        StateInput::Either
    }

    fn schema(&self) -> &CoordinateSchema {
        &self.schema
    }

    fn columns(&self) -> Columns {
        let mut columns = self.state_columns();
        columns.extend(self.effort_columns());
        if self.parts == StateParts::Everything {
            columns.extend(self.analysis_columns());
        }
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<StateAnswer>, TaskError> {
        Ok(vec![self.answer(row)?])
    }
}

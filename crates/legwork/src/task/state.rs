//! Torques, and everything else about a state, row by row.

use super::answer::{AnswerColumn, AnswerValue, Shape, StateInput, StateTask};
use super::kinematics::{SearchStart, out_of_reach};
use super::{PoseRequest, RobotRequest, TaskError, needs_masses};
use crate::coordinates::{CoordinateSchema, Group, Units, Values};
use crate::description::FamilyData;
use crate::mechanism::JointReaction;
use crate::{
    AnyRobot, DeltaTerms, Dynamics, Joint, MovingBase, PlatformState, RobotError, RobotOnMovingBase, State,
};
use std::cell::RefCell;

/// How much is asked of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StateParts {
    /// The motion and the efforts of the motors; needs masses.
    Efforts,
    /// The same under given efforts of the motors, whose accelerations are found; needs masses.
    Accelerations,
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
    /// The robot where the last row left it, if rows follow one another and its legs have to be followed.
    led: RefCell<Option<AnyRobot>>,
    /// The step of the numerical Jacobian, where the papers' terms are asked for \[rad\].
    terms_step: Option<f64>,
    /// The robot on a base that moves, and how.
    base: Option<(RobotOnMovingBase, MovingBase)>,
}

/// Everything about one state, with what the motors can do.
#[derive(Clone, Debug, PartialEq)]
pub struct StateAnswer {
    /// The state.
    pub state: State,
    /// What the papers call the parts of a Delta's equations, if asked for.
    pub terms: Option<DeltaTerms>,
    /// What of the efforts is for the motion of the base, if it moves.
    pub base_effort: Option<Vec<f64>>,
    max_effort: Vec<Option<f64>>,
    max_speed: Vec<Option<f64>>,
    /// Of the joints that turn; empty if none has a gear.
    gear_ratio: Vec<f64>,
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

    /// Torque of each motor at its shaft, before its gear \[N m\]; NaN for a joint that slides. `None` without gears or
    /// masses.
    pub fn shaft_torque(&self) -> Option<Vec<f64>> {
        let torques = &self.state.dynamics.as_ref()?.motor;
        let at_shaft = torques.iter().zip(&self.gear_ratio).map(|(torque, ratio)| torque / ratio);
        (!self.gear_ratio.is_empty()).then(|| at_shaft.collect())
    }

    /// Speed of each motor at its shaft, before its gear \[rad/s\]; NaN for a joint that slides. `None` without gears.
    pub fn shaft_speed(&self) -> Option<Vec<f64>> {
        let at_shaft = self.state.qd.iter().zip(&self.gear_ratio).map(|(speed, ratio)| speed * ratio);
        (!self.gear_ratio.is_empty()).then(|| at_shaft.collect())
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
        if parts != StateParts::Everything {
            needs_masses(&robot)?;
        }
        let schema = CoordinateSchema::of(&robot);
        let start = SearchStart::new(&robot, &schema, near, follow)?;
        Ok(Self { robot, schema, parts, start, led: RefCell::new(None), terms_step: None, base: None })
    }

    /// Also what the papers call the parts of a Delta's equations, the numerical Jacobian with this step \[rad\].
    pub fn with_terms(self, step: f64) -> Result<Self, TaskError> {
        if self.robot.linkage().is_none() {
            let (name, description) = (self.robot.name(), self.robot.description());
            let FamilyData::Delta(delta) = &description.data else {
                let what = format!("`{name}` is no Delta, and the papers' terms are a Delta's");
                return Err(TaskError::request(what));
            };
            let table = if delta.rotation_axis.is_some() { "[rotation_axis]" } else { "[tool] or [cell]" };
            let what = format!("`{name}` has a {table}, and the papers' terms are those of a Delta without");
            return Err(TaskError::request(what).or(format!("leave {table} out of a copy of its file")));
        }
        if !(step.is_finite() && step > 0.0) {
            return Err(TaskError::request(format!("the step of the numerical Jacobian is {step} rad"))
                .or("give a small angle, such as 1e-7 rad"));
        }
        Ok(Self { terms_step: Some(step), ..self })
    }

    /// The same on a base that moves.
    pub fn on_base(self, base: MovingBase) -> Result<Self, TaskError> {
        let base = Some((self.robot.on_moving_base()?, base));
        Ok(Self { base, ..self })
    }

    /// Everything about the state of a row.
    pub fn answer(&self, row: &Values) -> Result<StateAnswer, TaskError> {
        let schema = &self.schema;
        let (state, base_effort) = if row.has(Group::Joints) && !schema.has_pose(row) {
            let q = schema.all(row, Group::Joints)?;
            let mode = self.robot.working_mode_at(&q)?;
            let (qd, qdd) =
                (schema.or_zero(row, Group::JointSpeeds), schema.or_zero(row, Group::JointAccelerations));
            let led = self.led_by_joints(&q)?;
            let (robot, start) = match &led {
                Some(led) => (led, led.led_pose()),
                None => (&self.robot, self.start.pose()),
            };
            let platform = robot.platform_from_joints(&q, &qd, &qdd, &start)?;
            self.start.found(platform);
            let robot = robot.with_working_mode(&mode)?.holding(&q, &qd, &qdd)?;
            self.state(&robot, row, PlatformState { wrench: schema.wrench(row), ..platform })?
        } else {
            let platform = schema.platform(row)?;
            let led = self.led_to(&platform).map_err(|error| out_of_reach(&self.robot, &platform, error))?;
            self.state(led.as_ref().unwrap_or(&self.robot), row, platform).map_err(|error| match error {
                TaskError::Robot(error) => out_of_reach(&self.robot, &platform, error),
                other => other,
            })?
        };
        let joints = self.robot.joints();
        let terms = match self.terms_step {
            Some(step) => self.robot.delta_terms(&state.platform, step)?,
            None => None,
        };
        let answer = StateAnswer {
            state,
            terms,
            base_effort,
            max_effort: joints.iter().map(|joint| joint.max_effort).collect(),
            max_speed: joints.iter().map(|joint| joint.max_speed).collect(),
            gear_ratio: if joints.iter().any(|joint| joint.gear.is_some()) {
                let ratio = |joint: &Joint| if joint.slides { f64::NAN } else { joint.gear_ratio() };
                joints.iter().map(ratio).collect()
            } else {
                Vec::new()
            },
        };
        if answer.is_finite() {
            return Ok(answer);
        }
        Err(TaskError::request("the answer is not a finite number")
            .or("the motion or the numbers in the robot file are too large"))
    }

    /// The robot led to the pose of a row from that of the row before, if each follows the other and its legs have to be
    /// followed.
    fn led_to(&self, platform: &PlatformState) -> Result<Option<AnyRobot>, RobotError> {
        if !(self.start.follows() && self.robot.is_followed()) {
            return Ok(None);
        }
        let led = self.led.borrow().as_ref().unwrap_or(&self.robot).led_to(platform)?;
        *self.led.borrow_mut() = Some(led.clone());
        Ok(Some(led))
    }

    /// The same for a row of joint values of a mechanism.
    fn led_by_joints(&self, q: &[f64]) -> Result<Option<AnyRobot>, RobotError> {
        if !(self.start.follows() && self.robot.mobility().is_some()) {
            return Ok(None);
        }
        let led = match self.led.borrow().as_ref() {
            Some(led) => led.led_by_joints(q)?,
            None => self.robot.led_to(&self.start.pose())?.led_by_joints(q)?,
        };
        *self.led.borrow_mut() = Some(led.clone());
        Ok(Some(led))
    }

    /// The state of a platform that moves so, or that accelerates so under the efforts of the row; and what of the
    /// efforts is for the motion of the base, if it moves.
    fn state(
        &self,
        robot: &AnyRobot,
        row: &Values,
        platform: PlatformState,
    ) -> Result<(State, Option<Vec<f64>>), TaskError> {
        let held;
        let (robot, platform) = if self.parts == StateParts::Accelerations {
            let (there, platform) = self.accelerated(robot, row, platform)?;
            held = there;
            (&held, platform)
        } else {
            (robot, platform)
        };
        let Some((own, base)) = &self.base else { return Ok((robot.state(&platform)?, None)) };
        let found = if robot.working_mode() == self.robot.working_mode() {
            own.state(&platform, base)?
        } else {
            robot.on_moving_base()?.state(&platform, base)?
        };
        Ok((found.0, Some(found.1)))
    }

    /// The platform as it accelerates under the efforts of the row, and the robot with motors that its pose does not tell.
    fn accelerated(
        &self,
        robot: &AnyRobot,
        row: &Values,
        platform: PlatformState,
    ) -> Result<(AnyRobot, PlatformState), TaskError> {
        let efforts = self.schema.all(row, Group::Efforts)?;
        let found = match &self.base {
            None => robot.forward_dynamics(&platform, &efforts)?,
            Some((_, base)) => robot.on_moving_base()?.forward_dynamics(&platform, &efforts, base)?,
        };
        let mut acceleration = [0.0; 6];
        for (freedom, value) in robot.freedoms().iter().zip(found.platform) {
            acceleration[freedom.component] = value;
        }
        let platform = PlatformState { acceleration, ..platform };
        if robot.held_motors().is_empty() {
            return Ok((robot.clone(), platform));
        }
        let motion = robot.joints_from_platform(&platform)?;
        Ok((robot.holding(&motion.q, &motion.qd, &found.joint)?, platform))
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
        columns.extend(AnswerColumn::from_home(&self.robot, |answer: &StateAnswer| answer.state.platform));
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
        columns.extend(AnswerColumn::held(&self.robot));
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
            if self.base.is_some() {
                columns.push(AnswerColumn::new(
                    "moving_base",
                    units,
                    Shape::List(count),
                    |a: &StateAnswer| AnswerValue::Numbers(a.base_effort.clone().unwrap_or_default()),
                ));
            }
            let legs = robot.leg_count();
            if legs > 0 {
                columns.push(of_dynamics("leg_force", "N", Shape::List(legs), |d| {
                    AnswerValue::Numbers(d.leg_force.clone())
                }));
            }
            if let Some(model) = robot.mechanism_model() {
                let names = model.carrying_joints();
                let units = names.iter().flat_map(|_| ["N", "N", "N", "N m", "N m", "N m"]);
                let (units, count) = (Units::of(units.collect::<Vec<_>>()), names.len());
                columns.push(of_dynamics("joint_reaction", units, Shape::Matrix(count, 6), |d| {
                    let row = |r: &JointReaction| [r.force, r.moment].concat();
                    AnswerValue::Matrix(d.joint_reaction.iter().map(row).collect())
                }));
                let mut words =
                    of_dynamics("reaction_joint", "", Shape::One, move |_| AnswerValue::Words(names.clone()));
                words.only_json = true;
                columns.push(words);
            }
            if robot.joints().iter().any(|joint| joint.max_effort.is_some()) {
                columns.push(AnswerColumn::new("effort_use", "1", Shape::List(count), |a: &StateAnswer| {
                    AnswerValue::Numbers(a.effort_use().unwrap_or_default())
                }));
            }
        }
        if robot.joints().iter().any(|joint| joint.gear.is_some()) {
            if robot.has_masses() {
                columns.push(AnswerColumn::new(
                    "shaft_torque",
                    "N m",
                    Shape::List(count),
                    |a: &StateAnswer| AnswerValue::Numbers(a.shaft_torque().unwrap_or_default()),
                ));
            }
            columns.push(AnswerColumn::new("shaft_speed", "rad/s", Shape::List(count), |a: &StateAnswer| {
                AnswerValue::Numbers(a.shaft_speed().unwrap_or_default())
            }));
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

impl MotionTask {
    /// Columns of what the papers call the parts of a Delta's equations.
    fn term_columns(&self) -> Columns {
        let matrix = |name, unit: &'static str, get: fn(&DeltaTerms) -> [[f64; 3]; 3]| {
            AnswerColumn::new(name, unit, Shape::Matrix(3, 3), move |a: &StateAnswer| {
                let rows = a.terms.as_ref().map(|terms| get(terms).map(|row| row.to_vec()).to_vec());
                AnswerValue::Matrix(rows.unwrap_or_default())
            })
        };
        let list = |name, unit: &'static str, get: fn(&DeltaTerms) -> Option<[f64; 3]>| {
            AnswerColumn::new(name, unit, Shape::List(3), move |a: &StateAnswer| {
                AnswerValue::Numbers(a.terms.as_ref().and_then(get).map_or_else(Vec::new, Vec::from))
            })
        };
        let number = |name, unit: &'static str, get: fn(&DeltaTerms) -> f64| {
            AnswerColumn::new(name, unit, Shape::One, move |a: &StateAnswer| {
                AnswerValue::Number(a.terms.as_ref().map_or(f64::NAN, get))
            })
        };
        let mut columns = vec![
            matrix("theta", "rad", |terms| terms.theta),
            matrix("j_x", "", |terms| terms.j_x),
            list("j_q", "m/rad", |terms| Some(terms.j_q)),
            matrix("jacobian_rate", "m/(rad s)", |terms| terms.jacobian_rate),
            matrix("numerical_jacobian", "m/rad", |terms| terms.numerical_jacobian),
            number("difference", "rad", |terms| terms.step),
            number("numerical_error", "m/rad", |terms| terms.numerical_error),
        ];
        if self.robot.has_masses() {
            columns.push(list("multipliers", "N/m", |terms| terms.multipliers));
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

    fn schema_mut(&mut self) -> &mut CoordinateSchema {
        &mut self.schema
    }

    fn columns(&self) -> Columns {
        let mut columns = self.state_columns();
        columns.extend(self.effort_columns());
        if self.parts == StateParts::Everything {
            columns.extend(self.analysis_columns());
        }
        if self.terms_step.is_some() {
            columns.extend(self.term_columns());
        }
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<StateAnswer>, TaskError> {
        Ok(vec![self.answer(row)?])
    }
}

//! Inverse and forward kinematics, row by row.

use super::answer::{AnswerColumn, AnswerValue, Shape, StateInput, StateTask};
use super::{PoseRequest, RobotRequest, TaskError};
use crate::coordinates::{CoordinateSchema, Group, Values};
use crate::{AnyRobot, FORWARD_STARTS, JointSolution, PlatformSolution, PlatformState, RobotError};
use serde_json::{Value, json};
use std::cell::Cell;

/// Joint values at platform positions.
pub struct InverseTask {
    /// The robot.
    pub robot: AnyRobot,
    schema: CoordinateSchema,
    all: bool,
}

/// A solution with the pose it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct InverseAnswer {
    /// Where the platform is.
    pub pose: PlatformState,
    /// The joints.
    pub solution: JointSolution,
}

impl InverseTask {
    /// Of this robot; of every working mode if `all`.
    pub fn open(robot: &RobotRequest, all: bool) -> Result<Self, TaskError> {
        let robot = robot.open()?;
        Ok(Self { schema: CoordinateSchema::of(&robot), robot, all })
    }
}

impl StateTask for InverseTask {
    type Answer = InverseAnswer;

    fn input(&self) -> StateInput {
        StateInput::Platform
    }

    fn schema(&self) -> &CoordinateSchema {
        &self.schema
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn columns(&self) -> Vec<AnswerColumn<InverseAnswer>> {
        let mut columns = AnswerColumn::pose(&self.schema, |answer: &InverseAnswer| answer.pose);
        columns.extend([
            AnswerColumn::new("mode", "", Shape::One, |answer: &InverseAnswer| {
                AnswerValue::Word(answer.solution.mode.clone())
            }),
            AnswerColumn::group(&self.schema, Group::Joints, |answer: &InverseAnswer| {
                answer.solution.q.clone()
            }),
            AnswerColumn::joint_names("outside_limits", |answer: &InverseAnswer| {
                answer.solution.outside_limits.clone()
            }),
        ]);
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<InverseAnswer>, TaskError> {
        let pose = self.schema.platform(row)?;
        let solutions = if self.all {
            self.robot.all_inverse_kinematics(&pose)?
        } else {
            vec![self.robot.inverse_kinematics(&pose)?]
        };
        Ok(solutions.into_iter().map(|solution| InverseAnswer { pose, solution }).collect())
    }
}

/// Where the search for the pose of joint values starts.
pub struct SearchStart {
    /// Whether that is home.
    pub is_home: bool,
    pose: Cell<PlatformState>,
    follows: bool,
}

impl SearchStart {
    /// Near a pose, or near home; if `follow`, each search starts where the one before ended. A Delta needs no search
    /// and refuses both.
    pub fn new(
        robot: &AnyRobot,
        schema: &CoordinateSchema,
        near: Option<&PoseRequest>,
        follow: bool,
    ) -> Result<Self, TaskError> {
        if robot.linkage().is_some() && (near.is_some() || follow) {
            let field = if follow { "follow" } else { "near" };
            let what = format!("`{field}` is for robots whose pose is sought; that of a Delta has a formula");
            return Err(
                TaskError::request(what).or("`assembly above` of the forward kinematics is its other pose")
            );
        }
        let pose = near.map(|near| near.platform(schema, "near")).transpose()?;
        let is_home = pose.is_none();
        Ok(Self { is_home, pose: Cell::new(pose.unwrap_or_else(|| robot.home())), follows: follow })
    }

    /// Where the next search starts.
    pub fn pose(&self) -> PlatformState {
        self.pose.get()
    }

    /// Takes note of where a search ended.
    pub fn found(&self, pose: PlatformState) {
        if self.follows {
            self.pose.set(pose);
        }
    }
}

/// Where the platform is at joint values.
pub struct ForwardTask {
    /// The robot.
    pub robot: AnyRobot,
    /// Where the search starts.
    pub start: SearchStart,
    schema: CoordinateSchema,
    all: bool,
    /// Where the platform of a Delta is, seen from the elbows: `below` or `above`.
    assembly: Option<String>,
}

/// What is asked of [`ForwardTask::open`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ForwardOptions {
    /// Every assembly mode.
    pub all: bool,
    /// Where the platform of a Delta is, seen from the elbows: `below` (the default) or `above`.
    pub assembly: Option<String>,
    /// Where the search starts. Default: home.
    pub near: Option<PoseRequest>,
    /// Whether each search starts where the one before ended.
    pub follow: bool,
}

/// A solution with the joint values it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct ForwardAnswer {
    /// Joint values.
    pub q: Vec<f64>,
    /// Those that are outside their limits, from 0.
    pub outside_limits: Vec<usize>,
    /// Where the platform is.
    pub solution: PlatformSolution,
}

impl ForwardAnswer {
    /// Where the platform is, at rest.
    pub fn pose(&self) -> PlatformState {
        PlatformState::at(self.solution.position).turned(self.solution.rotation)
    }
}

impl ForwardTask {
    /// Of this robot.
    pub fn open(robot: &RobotRequest, options: &ForwardOptions) -> Result<Self, TaskError> {
        let robot = robot.open()?;
        let schema = CoordinateSchema::of(&robot);
        if options.assembly.is_some() && robot.linkage().is_none() {
            let error = RobotError::OtherFamily { what: "`assembly`", robot: robot.name().into() };
            let usage = schema.usage();
            return Err(TaskError::request(error.to_string())
                .or(format!("`near {usage}` says where to seek, `all` prints all that are found")));
        }
        let start = SearchStart::new(&robot, &schema, options.near.as_ref(), options.follow)?;
        Ok(Self { robot, start, schema, all: options.all, assembly: options.assembly.clone() })
    }

    /// Whether the poses come from a formula, so that there are no others.
    pub fn has_formula(&self) -> bool {
        self.robot.linkage().is_some()
    }

    fn solutions(&self, q: &[f64]) -> Result<Vec<PlatformSolution>, RobotError> {
        if self.all {
            return self.robot.all_forward_kinematics(q);
        }
        if let Some(assembly) = self.assembly.as_ref().filter(|assembly| *assembly != "below") {
            let mut both = self.robot.all_forward_kinematics(q)?;
            both.retain(|solution| solution.mode == *assembly);
            return Ok(both);
        }
        let solution = self.robot.forward_kinematics(q, &self.start.pose())?;
        self.start.found(PlatformState::at(solution.position).turned(solution.rotation));
        Ok(vec![solution])
    }
}

impl StateTask for ForwardTask {
    type Answer = ForwardAnswer;

    fn input(&self) -> StateInput {
        StateInput::Joints
    }

    fn schema(&self) -> &CoordinateSchema {
        &self.schema
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn about_all(&self) -> Vec<(&'static str, Value)> {
        let starts = if self.has_formula() { Value::Null } else { json!(FORWARD_STARTS) };
        vec![("complete", json!(self.has_formula())), ("seeded_starts", starts)]
    }

    fn columns(&self) -> Vec<AnswerColumn<ForwardAnswer>> {
        let mut columns =
            vec![AnswerColumn::group(&self.schema, Group::Joints, |answer: &ForwardAnswer| answer.q.clone())];
        if self.has_formula() || self.all {
            columns.push(AnswerColumn::new("assembly", "", Shape::One, |answer: &ForwardAnswer| {
                AnswerValue::Word(answer.solution.mode.clone())
            }));
        }
        columns.extend(AnswerColumn::pose(&self.schema, ForwardAnswer::pose));
        if !self.has_formula() {
            columns.push(AnswerColumn::new("steps", "", Shape::One, |answer: &ForwardAnswer| {
                AnswerValue::Count(answer.solution.iterations.into())
            }));
            columns.push(AnswerColumn::new("residual", "", Shape::One, |answer: &ForwardAnswer| {
                AnswerValue::Number(answer.solution.residual)
            }));
        }
        columns.push(AnswerColumn::joint_names("outside_limits", |answer: &ForwardAnswer| {
            answer.outside_limits.clone()
        }));
        columns
    }

    fn answers(&self, row: &Values) -> Result<Vec<ForwardAnswer>, TaskError> {
        let q = self.schema.all(row, Group::Joints)?;
        let outside_limits = self.robot.outside_limits(&q)?;
        let solutions = self.solutions(&q)?;
        if solutions.is_empty() {
            return Err(TaskError::request(format!(
                "no pose has these joint values: none was found by {FORWARD_STARTS} seeded starts"
            )));
        }
        let answer =
            |solution| ForwardAnswer { q: q.clone(), outside_limits: outside_limits.clone(), solution };
        Ok(solutions.into_iter().map(answer).collect())
    }
}

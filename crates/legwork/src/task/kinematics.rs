//! Inverse and forward kinematics, row by row.

use super::answer::{AnswerColumn, AnswerValue, Shape, StateInput, StateTask};
use super::{PoseRequest, RobotRequest, TaskError};
use crate::assembly::Completeness;
use crate::coordinates::{CoordinateSchema, Group, Values};
use crate::engine::Route;
use crate::{
    AnyRobot, AssemblyMode, AssemblySolver, JointSolution, PlatformSolution, PlatformState, RobotError,
};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};

/// Joint values at platform positions.
pub struct InverseTask {
    /// The robot.
    pub robot: AnyRobot,
    schema: CoordinateSchema,
    all: bool,
    follow: bool,
    /// The robot where the last row left it, if each follows the one before and its legs have to be followed.
    led: RefCell<Option<AnyRobot>>,
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
        let schema = CoordinateSchema::of(&robot);
        Ok(Self { schema, robot, all, follow: false, led: RefCell::default() })
    }

    /// Whether each row starts where the one before ended, for robots whose joints have to be followed; others have
    /// formulas, and need no start.
    #[must_use]
    pub fn following(self, follow: bool) -> Self {
        Self { follow, ..self }
    }

    /// The robot for a pose: as it is, or led there from the row before.
    fn robot_at(&self, pose: &PlatformState) -> Result<AnyRobot, RobotError> {
        if !(self.follow && self.robot.is_followed()) {
            return Ok(self.robot.clone());
        }
        let led = self.led.borrow().as_ref().unwrap_or(&self.robot).led_to(pose)?;
        *self.led.borrow_mut() = Some(led.clone());
        Ok(led)
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

    fn schema_mut(&mut self) -> &mut CoordinateSchema {
        &mut self.schema
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn columns(&self) -> Vec<AnswerColumn<InverseAnswer>> {
        let mut columns = AnswerColumn::pose(&self.schema, |answer: &InverseAnswer| answer.pose);
        columns.extend(AnswerColumn::following(&self.robot, |answer: &InverseAnswer| answer.pose));
        columns.extend(AnswerColumn::held(&self.robot));
        columns.extend(AnswerColumn::from_home(&self.robot, |answer: &InverseAnswer| answer.pose));
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
        let refused = |error| out_of_reach(&self.robot, &pose, error);
        let robot = self.robot_at(&pose).map_err(refused)?;
        let solutions = if self.all {
            robot.all_inverse_kinematics(&pose)
        } else {
            robot.inverse_kinematics(&pose).map(|solution| vec![solution])
        };
        let solutions = solutions.map_err(refused)?;
        let pose = robot.whole_pose(&pose)?;
        if let Some((name, given, follows)) = self.schema.contradiction(row, &pose) {
            let [given, follows] = [given, follows].map(|angle| crate::text::short(angle.to_degrees()));
            let what = format!("{name} {given} deg is given, and {follows} deg follows from the others");
            return Err(TaskError::request(what).or("leave it out"));
        }
        Ok(solutions.into_iter().map(|solution| InverseAnswer { pose, solution }).collect())
    }
}

/// How many times farther than home, or than the robot is long, a pose is far away.
const FAR: f64 = 50.0;
/// Up to here \[m\] a number is hardly meant in millimetres.
const NEAR: f64 = 3.0;

/// The error of a pose; if it is far away or would be in reach in millimetres, with the question whether those were
/// meant.
pub(super) fn out_of_reach(robot: &AnyRobot, pose: &PlatformState, error: RobotError) -> TaskError {
    if error.mark() != crate::StateMark::Unreachable {
        return error.into();
    }
    match meant_in_millimetres(robot, pose) {
        Some(hint) => TaskError::request(error.to_string()).or(hint + ", or give `units mm`"),
        None => error.into(),
    }
}

/// The question whether a pose that is out of reach was meant in millimetres, if it would be in reach then or is far away.
pub(super) fn meant_in_millimetres(robot: &AnyRobot, pose: &PlatformState) -> Option<String> {
    let nearer = PlatformState { position: pose.position.map(|x| x / 1e3), ..*pose };
    let length = |p: [f64; 3]| p.iter().map(|x| x * x).sum::<f64>().sqrt();
    let is_near = robot.inverse_kinematics(&nearer).is_ok();
    // A home at the origin is no measure.
    let is_far = length(pose.position) > FAR * length(robot.home().position).max(robot.length());
    let is_asked = is_far || (is_near && length(pose.position) > NEAR);
    if !is_asked {
        return None;
    }
    let free = robot.freedoms().iter().filter(|freedom| !freedom.turns());
    let place: Vec<f64> = free.filter_map(|freedom| pose.position.get(freedom.component).copied()).collect();
    let (place, what) =
        (crate::text::short_list(&place), if is_near { "mm is in reach" } else { "m is far away" });
    Some(format!("({place}) {what}: did you mean millimetres? Write each with its unit, 100mm"))
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

    /// Whether each search starts where the one before ended.
    pub(super) fn follows(&self) -> bool {
        self.follows
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
    /// Prepared for the second row and those after it.
    solver: RefCell<AssemblySolver>,
    /// A mechanism where the last row left it, if each follows the one before.
    led: RefCell<Option<AnyRobot>>,
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
    /// What all assembly modes were asked for.
    pub one_of_all: Option<OneOfAll>,
}

/// One assembly mode of all.
#[derive(Clone, Debug, PartialEq)]
pub struct OneOfAll {
    /// Name of the working mode that the legs are in, if that is known.
    pub working_mode: Option<String>,
    /// Whether that is the working mode of the robot.
    pub is_own_mode: bool,
    /// Whether the motors lead there from home.
    pub is_reached_from_home: bool,
    /// Whether two or more assembly modes meet there.
    pub is_singular: bool,
    /// What may be said of the list.
    pub completeness: Completeness,
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
            let error = robot.no_closed_form("`assembly`");
            let usage = schema.usage();
            return Err(TaskError::request(error.to_string())
                .or(format!("`near {usage}` says where to seek, `all` prints all that are found")));
        }
        let start = SearchStart::new(&robot, &schema, options.near.as_ref(), options.follow)?;
        let solver = RefCell::default();
        let (all, assembly) = (options.all, options.assembly.clone());
        Ok(Self { robot, start, schema, all, assembly, solver, led: RefCell::default() })
    }

    /// Whether the poses come from a formula, so that there are no others.
    pub fn has_formula(&self) -> bool {
        self.robot.linkage().is_some()
    }

    fn solutions(&self, q: &[f64]) -> Result<Vec<(PlatformSolution, Option<OneOfAll>)>, TaskError> {
        if self.all {
            let found = self.solver.borrow_mut().modes(&self.robot, q)?;
            let completeness = found.completeness;
            if found.modes.is_empty() {
                return Err(TaskError::request(format!("no pose has these joint values. {completeness}")));
            }
            let one = |mode: AssemblyMode| {
                let AssemblyMode { solution, working_mode, is_own_mode, is_reached_from_home, is_singular } =
                    mode;
                let about =
                    OneOfAll { working_mode, is_own_mode, is_reached_from_home, is_singular, completeness };
                (solution, Some(about))
            };
            return Ok(found.modes.into_iter().map(one).collect());
        }
        if let Some(assembly) = self.assembly.as_ref().filter(|assembly| *assembly != "below") {
            let mut both = self.robot.all_forward_kinematics(q)?;
            both.retain(|solution| solution.mode == *assembly);
            return Ok(both.into_iter().map(|solution| (solution, None)).collect());
        }
        if self.start.follows() && self.robot.mobility().is_some() {
            let led = match self.led.borrow().as_ref() {
                Some(led) => led.led_by_joints(q)?,
                None => self.robot.led_to(&self.start.pose())?.led_by_joints(q)?,
            };
            let solution = led.forward_kinematics(q, &led.led_pose())?;
            *self.led.borrow_mut() = Some(led);
            return Ok(vec![(solution, None)]);
        }
        let solution = self.robot.forward_kinematics(q, &self.start.pose())?;
        self.start.found(PlatformState::at(solution.position).turned(solution.rotation));
        Ok(vec![(solution, None)])
    }
}

/// Why a posture is not the one that was meant, if it is not.
pub fn route_note(solution: &PlatformSolution) -> Option<String> {
    let Route::Elsewhere { until } = solution.route else { return None };
    Some(format!(
        "This is another assembly mode than the one that the motors lead to from the start: moved in a straight line \
         they come {:.0} % of the way, then a singularity or the end of the reach is in it.",
        until * 100.0
    ))
}

impl StateTask for ForwardTask {
    type Answer = ForwardAnswer;

    fn input(&self) -> StateInput {
        StateInput::Joints
    }

    fn schema(&self) -> &CoordinateSchema {
        &self.schema
    }

    fn schema_mut(&mut self) -> &mut CoordinateSchema {
        &mut self.schema
    }

    fn wants_all(&self) -> bool {
        self.all
    }

    fn about_all(&self, answers: &[ForwardAnswer]) -> Vec<(&'static str, Value)> {
        let Some(about) = answers.first().and_then(|answer| answer.one_of_all.as_ref()) else {
            return Vec::new();
        };
        let starts = match about.completeness {
            Completeness::Searched { starts, .. } => json!(starts),
            _ => Value::Null,
        };
        vec![
            ("complete", json!(about.completeness.is_complete())),
            ("seeded_starts", starts),
            ("completeness", Value::Object(about.completeness.json())),
        ]
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
        columns.extend(AnswerColumn::following(&self.robot, ForwardAnswer::pose));
        let word = |word: &str| AnswerValue::Word(word.to_owned());
        if !self.has_formula() && !self.all {
            columns.push(AnswerColumn::new("steps", "", Shape::One, |answer: &ForwardAnswer| {
                AnswerValue::Count(answer.solution.iterations.into())
            }));
            columns.push(AnswerColumn::new("route", "", Shape::One, move |answer: &ForwardAnswer| {
                word(match answer.solution.route {
                    Route::Continuous => "continuous",
                    Route::Elsewhere { .. } => "elsewhere",
                    Route::Unknown => "unknown",
                })
            }));
        }
        if self.all {
            columns.push(AnswerColumn::new("mode", "", Shape::One, |answer: &ForwardAnswer| {
                let mode = answer.one_of_all.as_ref().and_then(|one| one.working_mode.clone());
                AnswerValue::Word(mode.unwrap_or_default())
            }));
            columns.push(AnswerColumn::new("from_home", "", Shape::One, move |answer: &ForwardAnswer| {
                let reached = answer.one_of_all.as_ref().is_some_and(|one| one.is_reached_from_home);
                word(if reached { "reached" } else { "" })
            }));
            columns.push(AnswerColumn::new("singular", "", Shape::One, move |answer: &ForwardAnswer| {
                let singular = answer.one_of_all.as_ref().is_some_and(|one| one.is_singular);
                word(if singular { "singular" } else { "" })
            }));
        }
        if !self.has_formula() {
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
        let answer = |(solution, one_of_all)| ForwardAnswer {
            q: q.clone(),
            outside_limits: outside_limits.clone(),
            solution,
            one_of_all,
        };
        Ok(self.solutions(&q)?.into_iter().map(answer).collect())
    }
}

//! The robot that is open, with what every question about it needs.

use crate::Failure;
use crate::state::Pose;
use legwork::coordinates::{CoordinateSchema, Group, POSE, Values};
use legwork::description::BUILT_IN;
use legwork::task::{MotionTask, RobotRequest, StateAnswer, StateParts, StateTask, TaskError};
use legwork::{AnyRobot, PlatformState, rotation};

/// A robot and how it was asked for.
pub(crate) struct Opened {
    /// The robot as requests name it: a built-in one by its name alone, others with their text.
    pub request: RobotRequest,
    /// Answers states; it has the robot.
    pub task: MotionTask,
    /// The text of its file.
    pub text: String,
}

impl Opened {
    pub fn new(request: RobotRequest) -> Result<Self, Failure> {
        let given = request.text.clone().unwrap_or_default();
        let refused = |error| Failure::of_task(error, &given);
        let task = MotionTask::open(&request, StateParts::Everything, None, false).map_err(refused)?;
        let text = task.robot.description().text.as_deref().unwrap_or_default().to_owned();
        let is_built_in =
            |robot: &legwork::description::BuiltIn| robot.name == request.name && robot.text == text;
        let request = if BUILT_IN.iter().any(is_built_in) {
            RobotRequest { text: None, ..request }
        } else {
            RobotRequest { text: Some(text.clone()), ..request }
        };
        Ok(Self { request, task, text })
    }

    pub fn robot(&self) -> &AnyRobot {
        &self.task.robot
    }

    pub fn schema(&self) -> &CoordinateSchema {
        self.task.schema()
    }

    /// What its robot is called on a command line: a built-in name, or the file of another.
    pub fn file_name(&self) -> String {
        match self.request.text {
            None => self.request.name.clone(),
            Some(_) => format!("{}.toml", self.request.name),
        }
    }

    /// The free coordinates of a pose. An angle that follows from the others is left at zero, which asks for no other.
    pub fn values(&self, pose: &Pose, turn: Option<[f64; 3]>) -> Vec<f64> {
        let [w, x, y, z] = pose.quaternion;
        let length = (w * w + x * x + y * y + z * z).sqrt();
        let mut matrix = rotation::from_quaternion([w, x, y, z].map(|part| part / length));
        if let Some(turn) = turn {
            matrix = rotation::product(&rotation::from_rotation_vector(turn), &matrix);
        }
        self.values_of(&PlatformState::at(pose.position).turned(matrix))
    }

    /// The same of a place of the platform.
    pub fn values_of(&self, platform: &PlatformState) -> Vec<f64> {
        let schema = self.schema();
        let mut values = schema.coordinates_of(platform);
        let (angles, free) = (schema.group(Group::Orientation), schema.group(Group::AngularVelocity));
        let first = schema.group(Group::Position).names.len();
        if angles.names.len() == 3 && free.names.len() == 2 {
            for (name, value) in angles.names.iter().zip(&mut values[first..]) {
                if !free.names.iter().any(|other| other.place == name.place) {
                    *value = 0.0;
                }
            }
        }
        values
    }

    /// A place in words. What is less than a nanometre, or as little of an angle, comes from rounding and is left out.
    pub fn place(&self, platform: &PlatformState) -> String {
        let schema = self.schema();
        let free = schema.group(Group::AngularVelocity).names.len();
        let all_are_free = free == schema.group(Group::Orientation).names.len();
        let round = |x: f64| if x.abs() < 1e-9 { 0.0 } else { x };
        let values: Vec<f64> = schema.coordinates_of(platform).into_iter().map(round).collect();
        let rounded = self.row(&values).ok().and_then(|row| schema.platform(&row).ok());
        schema.place(rounded.as_ref().filter(|_| all_are_free).unwrap_or(platform))
    }

    /// The row that these free coordinates are, as a command line would give it.
    pub fn row(&self, values: &[f64]) -> Result<Values, TaskError> {
        let mut row = Values::default();
        self.schema().fill(&mut row, "", POSE, values)?;
        Ok(row)
    }

    /// The state of a row.
    pub fn answer(&self, row: &Values) -> Result<StateAnswer, TaskError> {
        self.task.answer(row)
    }

    pub fn failure(&self, error: TaskError) -> Failure {
        Failure::of_task(error, &self.text)
    }
}

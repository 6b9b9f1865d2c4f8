//! Answers about single states: one for the numbers of the command line, or one for each line of stdin.

use crate::failure::{self, Failure, Message};
use crate::{Outcome, json, stream, task};
use legwork::AnyRobot;
use legwork::coordinates::{CoordinateSchema, UnitChoice, Values};
use legwork::task::{PoseRequest, StateInput, StateTask, TaskError};
use legwork::text::short;
use serde_json::Value;
use std::io::{self, IsTerminal, Write};

/// A task of the library with what the command line says of it.
pub struct Asked<'a, T> {
    pub verb: &'static str,
    /// The name the user gave the robot.
    pub robot: &'a str,
    pub task: T,
    /// The numbers of the command line; they hold where a line of stdin gives none.
    pub row: Values,
    /// Whether they are a whole state; otherwise stdin is read.
    pub is_whole: bool,
}

impl<T: StateTask> Asked<'_, T> {
    /// Every answer for a row.
    pub fn answers(&self, row: &Values) -> Result<Vec<T::Answer>, Failure> {
        self.task.answers(row).map_err(|error| self.failure(error))
    }

    fn failure(&self, error: TaskError) -> Failure {
        task::failure(error, self.verb, self.robot)
    }

    /// Prints the answer of the row as a table or as JSON, or answers stdin.
    pub fn run(
        &self,
        as_json: bool,
        out: &mut dyn Write,
        table: impl Fn(&T, &[T::Answer], &mut dyn Write) -> io::Result<()>,
    ) -> Result<Outcome, Failure> {
        if !self.is_whole {
            let stdin = io::stdin();
            if stdin.is_terminal() {
                return Err(nothing_given(self.task.schema(), self.task.input()).into());
            }
            return stream::run(self, stdin.lock(), as_json, out);
        }
        for doubt in self.task.schema().doubts(&self.row) {
            failure::print_to_stderr(&format!("note: {doubt}"));
        }
        let answers = self.answers(&self.row)?;
        for doubt in self.task.schema().far_places(&self.row) {
            failure::print_to_stderr(&format!("note: {doubt}"));
        }
        if as_json {
            json::print(&Value::Object(self.task.object(&answers)), out)?;
        } else {
            table(&self.task, &answers, out)?;
        }
        Ok(Outcome::Done)
    }
}

/// A task that could be opened, or the failure in the words of a verb.
pub fn opened<T>(task: Result<T, TaskError>, verb: &str, robot: &str) -> Result<T, Failure> {
    task.map_err(|error| task::failure(error, verb, robot))
}

/// The task with the units of `--units`, after notes on numbers of the robot that can hardly be meant.
pub fn in_units<T: StateTask>(mut task: T, robot: &AnyRobot, units: Option<&str>) -> Result<T, Failure> {
    if let Some(text) = units {
        let choice = UnitChoice::parse(text).map_err(|word| {
            Message::new(format!("`{word}` is no unit of `--units`"))
                .hint("`--units mm,deg`, or one of the two")
        })?;
        task.schema_mut().choose(choice);
    }
    for doubt in legwork::summary::doubts(robot) {
        failure::print_to_stderr(&format!("note: {doubt}"));
    }
    Ok(task)
}

/// The pose of `--near`, if it is given.
pub fn near(texts: &[String]) -> Result<Option<PoseRequest>, Failure> {
    crate::measures::pose("near", texts)
}

fn nothing_given(schema: &CoordinateSchema, input: StateInput) -> Message {
    if input == StateInput::Joints {
        let example = schema.each("10deg", "100mm").join(" ");
        let count = schema.motor_count();
        let hint = format!("give {count} of them, such as {example}, or a stream on stdin");
        return Message::new("no joint values are given").hint(hint);
    }
    let home: Vec<String> = schema.home_position().iter().map(|x| format!("{}mm", short(x * 1e3))).collect();
    let (usage, example) = (schema.usage(), home.join(" "));
    let hint = format!("give {usage}, such as {example}, or a stream of states on stdin");
    Message::new("no platform position is given").hint(hint)
}

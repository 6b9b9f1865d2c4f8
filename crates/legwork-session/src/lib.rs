//! One robot that a person looks at and moves: messages in, answers out, both JSON. A page that holds the whole library asks
//! so, and needs no mathematics of its own; nothing here knows a browser, a disk or a clock.
//!
//! A message is an object whose key `ask` says which of [`Message`] it is; the answer has the key `ok`, or `error` with a
//! [`Failure`] in the library's own words.
//!
//! ```
//! use legwork_session::Session;
//! let mut session = Session::default();
//! session.call(r#"{"ask": "open", "name": "delta-industrial"}"#);
//! let answer = session.call(r#"{"ask": "state", "values": [0.1, -0.05, -0.8]}"#);
//! assert!(answer.starts_with(r#"{"ok":"#) && answer.contains("motor torque [N m]"));
//! let refused = session.call(r#"{"ask": "edit", "path": "mass.platform", "value": "-1 kg"}"#);
//! assert!(refused.contains("platform") && refused.contains("\"hint\""));
//! ```

#![allow(clippy::result_large_err)] // one answer to one action of a person

mod along;
mod code;
mod command;
mod command_line;
mod equations;
mod failure;
mod field;
mod message;
mod modes;
mod number;
mod opened;
mod printed;
mod robot;
mod state;
mod task;
mod words;

pub use along::{Along, AlongAsk};
pub use code::{CodeAsk, CodeFiles};
pub use command::{CommandAsk, CommandText};
pub use equations::{Equation, Symbol};
pub use failure::{Failure, FailureKind, FileProblem};
pub use field::{FieldAsk, FieldColumn, FieldGrid, FieldNumbers, GridAsk, GridColumn};
pub use message::{Answer, Message};
pub use modes::{AssemblyChoice, Modes, ModesAsk, WorkingChoice};
pub use number::NumberAsk;
pub use printed::{Printed, PrintedRow};
pub use robot::{
    BranchChoice, EditAsk, EditableNumber, Motor, OpenAsk, PlatformCoordinate, QuantityChoice,
    RobotListEntry, RobotSheet, VaryAsk,
};
pub use state::{
    AxisOfEllipsoid, EffortParts, EllipsoidShape, JointsAsk, PolePlace, Pose, SingularityLine, SkeletonPart,
    SkeletonShape, Stability, StateAsk, StatePart, StateSheet,
};
pub use task::{TakenFile, TaskAnswer, TaskAsk};
pub use words::{Choices, Word};

use opened::Opened;

/// A person's robot and what was asked of it.
#[derive(Default)]
pub struct Session {
    opened: Option<Opened>,
    listener: Option<fn(f64)>,
}

impl Session {
    /// Tells a function how far a task has come, from 0 to 1, while it runs: ten thousand times at most, so whoever
    /// shows it leaves out what comes too often.
    pub fn on_progress(&mut self, listener: fn(f64)) {
        self.listener = Some(listener);
    }

    /// Answers a message; both are JSON.
    pub fn call(&mut self, message: &str) -> String {
        let answer = match serde_json::from_str::<Message>(message) {
            Ok(message) => self.answer(message),
            Err(error) => Err(Failure::of_message(&error)),
        };
        let written = match answer {
            Ok(answer) => serde_json::to_string(&serde_json::json!({ "ok": answer })),
            Err(failure) => serde_json::to_string(&serde_json::json!({ "error": failure })),
        };
        // Trees of texts and numbers can be written.
        written.unwrap_or_default()
    }

    /// The same without JSON around it.
    pub fn answer(&mut self, message: Message) -> Result<Answer, Failure> {
        Ok(match message {
            Message::Robots => Answer::Robots(robot::list()),
            Message::Choices => Answer::Choices(Box::new(Choices::all())),
            Message::Number(ask) => Answer::Number(number::number(&ask)?),
            Message::Open(ask) => {
                let (opened, sheet) = robot::open(&ask)?;
                self.opened = Some(opened);
                Answer::Robot(Box::new(sheet))
            }
            Message::Edit(ask) => {
                let (opened, sheet) = robot::edit(self.opened()?, &ask)?;
                self.opened = Some(opened);
                Answer::Robot(Box::new(sheet))
            }
            Message::Vary(ask) => {
                let (opened, sheet) = robot::vary(self.opened()?, &ask)?;
                self.opened = Some(opened);
                Answer::Robot(Box::new(sheet))
            }
            Message::State(ask) => Answer::State(Box::new(state::state(self.opened()?, &ask)?)),
            Message::Joints(ask) => Answer::State(Box::new(state::of_joints(self.opened()?, &ask)?)),
            Message::Modes(ask) => Answer::Modes(Box::new(modes::modes(self.opened()?, &ask)?)),
            Message::Grid(ask) => Answer::Grid(Box::new(field::grid(self.opened()?, &ask)?)),
            Message::Field(ask) => Answer::Field(Box::new(field::field(self.opened()?, &ask)?)),
            Message::Along(ask) => Answer::Along(Box::new(along::along(self.opened()?, &ask)?)),
            Message::Task(ask) => Answer::Task(Box::new(task::run(self.opened()?, *ask, self.listener)?)),
            Message::Equations(ask) => Answer::Equations(equations::equations(self.opened()?, &ask)?),
            Message::Command(ask) => Answer::Command(command::command(self.opened()?, &ask)?),
            Message::Code(ask) => Answer::Code(code::code(self.opened()?, &ask)?),
        })
    }

    fn opened(&self) -> Result<&Opened, Failure> {
        self.opened.as_ref().ok_or_else(Failure::nothing_open)
    }
}

//! What can be asked, and what is answered.

use crate::{
    Along, AlongAsk, Choices, CodeAsk, CodeFiles, CommandAsk, CommandText, EditAsk, Equation, FieldAsk,
    FieldGrid, FieldNumbers, GridAsk, JointsAsk, Modes, ModesAsk, NumberAsk, OpenAsk, RobotListEntry,
    RobotSheet, StateAsk, StateSheet, TaskAnswer, TaskAsk, VaryAsk,
};
use serde::{Deserialize, Serialize};

/// What is asked; the key `ask` says which.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "kebab-case")]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum Message {
    /// The robots that come with the library: a list of [`RobotListEntry`].
    Robots,
    /// The words that requests take: [`Choices`].
    Choices,
    /// Reads a number with its unit: a number in SI.
    Number(NumberAsk),
    /// Opens a robot: [`RobotSheet`].
    Open(OpenAsk),
    /// Changes a number of its file: [`RobotSheet`].
    Edit(EditAsk),
    /// Changes what differs from its file: [`RobotSheet`].
    Vary(VaryAsk),
    /// Everything about a state of the platform: [`StateSheet`].
    State(StateAsk),
    /// The same where joint values lead: [`StateSheet`].
    Joints(JointsAsk),
    /// All working and assembly modes: [`Modes`].
    Modes(ModesAsk),
    /// What a map will be: [`FieldGrid`].
    Grid(GridAsk),
    /// A piece of a map: [`FieldNumbers`].
    Field(FieldAsk),
    /// The reference of a motion, sampled: [`Along`].
    Along(AlongAsk),
    /// Runs a request: [`TaskAnswer`].
    Task(Box<TaskAsk>),
    /// The papers' equations with the numbers of a state: a list of [`Equation`].
    Equations(StateAsk),
    /// A request or a state as file, command line and Python: [`CommandText`].
    Command(Box<CommandAsk>),
    /// Code for a controller: [`CodeFiles`].
    Code(CodeAsk),
}

/// What is answered.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
#[allow(missing_docs)] // `Message` says what each is
pub enum Answer {
    Robots(Vec<RobotListEntry>),
    Choices(Box<Choices>),
    Number(f64),
    Robot(Box<RobotSheet>),
    State(Box<StateSheet>),
    Modes(Box<Modes>),
    Grid(Box<FieldGrid>),
    Field(Box<FieldNumbers>),
    Along(Box<Along>),
    Task(Box<TaskAnswer>),
    Equations(Vec<Equation>),
    Command(CommandText),
    Code(CodeFiles),
}

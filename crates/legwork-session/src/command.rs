//! What was asked, in words that can be taken elsewhere: a file, a command line, Python.

use crate::opened::Opened;
use crate::state::StateAsk;
use crate::{Failure, command_line, task};
use legwork::task::Request;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fmt::Write;

/// What is to be written down: a request, or a state.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandAsk {
    /// A request as of `task`.
    #[cfg_attr(feature = "schema", schemars(with = "Option<Request>"))]
    pub request: Option<Map<String, Value>>,
    /// A state; it counts if there is no request.
    pub state: StateAsk,
}

/// The same in three languages.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CommandText {
    /// The request as a file, TOML; empty for a state, which needs none.
    pub toml: String,
    /// The same as JSON on one line.
    pub json: String,
    /// The command line.
    pub command: String,
    /// Python.
    pub python: String,
}

pub(crate) fn command(opened: &Opened, ask: &CommandAsk) -> Result<CommandText, Failure> {
    if let Some(request) = &ask.request {
        let request = task::request(opened, request.clone())?;
        let json = request.to_json();
        // No text in JSON has three quotation marks in a row.
        let python = format!(
            "import pylegwork as lw\n\nresult = lw.run(r\"\"\"{json}\"\"\")\nprint(result.to_dict())\n"
        );
        return Ok(CommandText {
            toml: request.to_toml(),
            json,
            command: command_line::line(&request, &file_of(opened, &request))
                .unwrap_or_else(|| "legwork run request.toml".into()),
            python,
        });
    }
    let values = ask.state.values(opened);
    let verb = if opened.robot().has_masses() { "torque" } else { "state" };
    Ok(CommandText {
        toml: String::new(),
        json: String::new(),
        command: state_command(opened, verb, &ask.state, &values),
        python: state_in_python(opened, &ask.state, &values),
    })
}

/// What the robot of a request is called on a command line.
fn file_of(opened: &Opened, request: &Request) -> String {
    let robot = serde_json::to_value(request).map_or(Value::Null, |mut all| all["robot"].take());
    match (robot.as_str(), robot["name"].as_str()) {
        (Some(name), _) => name.to_owned(),
        (None, Some(name)) if robot["text"].is_null() => name.to_owned(),
        (None, Some(name)) => format!("{name}.toml"),
        (None, None) => opened.file_name(),
    }
}

/// The numbers of a list, each as short as it can be without losing a bit.
fn words(numbers: &[f64]) -> String {
    numbers.iter().map(|x| format!("{x:?}")).collect::<Vec<_>>().join(" ")
}

/// A name as one word of a shell.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./+,=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.into()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

/// The command line that answers a state.
pub(crate) fn state_command(opened: &Opened, verb: &str, ask: &StateAsk, values: &[f64]) -> String {
    let mut line = format!("legwork {verb} {} {}", quoted(&opened.file_name()), words(values));
    // Writing to a string cannot fail.
    for (option, numbers) in
        [("velocity", &ask.twist), ("acceleration", &ask.acceleration), ("force", &ask.wrench)]
    {
        if let Some(numbers) = numbers.as_ref().filter(|numbers| numbers.iter().any(|x| *x != 0.0)) {
            let _ = write!(line, " --{option} {}", words(numbers));
        }
    }
    if let Some(mode) = &opened.request.working_mode {
        let _ = write!(line, " --mode {}", quoted(mode));
    }
    if let Some(payload) = opened.request.payload {
        let _ = write!(line, " --payload {:?}", payload.0);
    }
    line
}

fn state_in_python(opened: &Opened, ask: &StateAsk, values: &[f64]) -> String {
    let list = |numbers: &[f64]| format!("[{}]", words(numbers).replace(' ', ", "));
    let mut opened_by = format!("lw.load({:?})", opened.file_name());
    // Writing to a string cannot fail.
    if let Some(mode) = &opened.request.working_mode {
        let _ = write!(opened_by, ".with_working_mode({mode:?})");
    }
    if let Some(payload) = opened.request.payload {
        let _ = write!(opened_by, ".with_payload({:?})", payload.0);
    }
    let mut arguments = list(values);
    for (name, numbers) in
        [("velocity", &ask.twist), ("acceleration", &ask.acceleration), ("wrench", &ask.wrench)]
    {
        if let Some(numbers) = numbers.as_ref().filter(|numbers| numbers.iter().any(|x| *x != 0.0)) {
            let _ = write!(arguments, ", {name}={}", list(numbers));
        }
    }
    let call = if opened.robot().has_masses() { "inverse_dynamics" } else { "inverse_kinematics" };
    format!("import pylegwork as lw\n\nrobot = {opened_by}\nprint(robot.{call}({arguments}))\n")
}
